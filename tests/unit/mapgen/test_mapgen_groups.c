/*
 * Item groups: weights and probabilities over many keys, groups inside groups, what items come
 * in and are loaded with; that what is drawn is a tree for any group; that what contains
 * itself, or asks for too much, ends.
 */
#include "core/bytes.h"
#include "mapgen/run/run.h"
#include "support/suite.h"
#include "unit/mapgen/mapgen_fixture.h"

#include <stdio.h>
#include <string.h>

enum { BUDGET = 100000, KEYS = 4000 };

static mapgen_fixture f;
static mapgen_groups *groups;
static mapgen_draft draft;

static void setup(void)
{
    fixture_begin(&f, false);
    groups = mapgen_groups_new(f.pool);
    ck_assert_ptr_nonnull(groups);
    draft = (mapgen_draft){0};
}

static void teardown(void)
{
    mapgen_draft_dispose(&draft);
    mapgen_groups_free(groups);
    fixture_end(&f);
}

/* Adds an object; ' stands for ". */
static void add(const char *text)
{
    const json_document document = fixture_document(&f, text);
    ck_assert(mapgen_groups_add(groups, json_view_of(&document)));
}

static uint32_t id_of(const char *text)
{
    return id_pool_put(f.pool, text, strlen(text));
}

static bool draw_with(const char *group, uint64_t key, mapgen_loading loading, uint32_t budget)
{
    rng random = rng_from_key(key);
    draft.count = 0;
    const mapgen_told told = {.loading = loading, .charges = {-1, -1}};
    mapgen_budget left = mapgen_budget_of((stop_hook){NULL, NULL});
    left.pieces = budget;
    return mapgen_draw_group(&draft, groups, &random, id_of(group), &told, &left);
}

static void draw(const char *group, uint64_t key)
{
    ck_assert(draw_with(group, key, (mapgen_loading){0, 0}, BUDGET));
    ck_assert(!draft.cut && !draft.failed);
}

static int count_of(const char *item)
{
    int count = 0;
    for (size_t i = 0; i < draft.count; i++)
        count += draft.items[i].id == id_of(item);
    return count;
}

/* The draft as text: each item in the depth where it lies, its charges behind it. */
static const char *shown(void)
{
    static char text[1024];
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < draft.count; i++) {
        const local_entity *e = &draft.items[i];
        char item[128];
        int n = snprintf(item, sizeof item, "%s%.*s%s", i ? " " : "", (int)e->status, ">>>>>>",
                         id_pool_text(f.pool, e->id));
        if (e->charges)
            n += snprintf(item + n, sizeof item - (size_t)n, ":%d", (int)e->charges);
        ck_assert(at + (size_t)n < sizeof text);
        strcpy(text + at, item);
        at += (size_t)n;
    }
    return text;
}

/* Five standard deviations of a count with that mean, and a little. */
static void ck_near(double found, double expected)
{
    const double off = found - expected;
    ck_assert_msg(off * off < 25 * expected + 1, "%g, expected %g", found, expected);
}

/* ---- which items ---- */

START_TEST(a_distribution_gives_one_by_weight)
{
    int a = 0, b = 0;
    add("{'type':'item_group','id':'g','items':[['a',30],['b',10],['never',0]]}");
    for (uint64_t key = 0; key < KEYS; key++) {
        draw("g", key * 7919);
        ck_assert_uint_eq(draft.count, 1);
        a += count_of("a");
        b += count_of("b");
    }
    ck_near(a, KEYS * 0.75);
    ck_near(b, KEYS * 0.25);
}
END_TEST

START_TEST(a_collection_gives_each_by_its_probability)
{
    int a = 0, b = 0, both = 0;
    add("{'type':'item_group','id':'g','subtype':'collection',"
        "'entries':[{'item':'a','prob':30},{'item':'b','prob':20},{'item':'c'},"
        "{'item':'d','prob':250},{'item':'e','prob':0}]}");
    for (uint64_t key = 0; key < KEYS; key++) {
        draw("g", key * 104729);
        ck_assert(count_of("c") == 1 && count_of("d") == 1 && count_of("e") == 0);
        a += count_of("a");
        b += count_of("b");
        both += count_of("a") && count_of("b");
    }
    ck_near(a, KEYS * 0.3);
    ck_near(b, KEYS * 0.2);
    ck_near(both, KEYS * 0.06); /* they are independent */
}
END_TEST

/* A count runs a whole group so often, and `prob` is rolled once for all of them. */
START_TEST(groups_run_in_groups)
{
    int inner = 0, runs = 0;
    add("{'type':'item_group','id':'in','items':['a','b']}");
    add("{'type':'item_group','id':'g','subtype':'collection','entries':["
        "{'group':'in','count':[2,4],'prob':50},"
        "{'distribution':[{'collection':[{'item':'c'},{'item':'d'}]},{'item':'e'}]}],"
        "'groups':[['in',10]]}");
    for (uint64_t key = 0; key < KEYS; key++) {
        draw("g", key * 31);
        const int of_in = count_of("a") + count_of("b");
        ck_assert_int_eq(count_of("c"), count_of("d"));
        ck_assert_int_eq(count_of("c") + count_of("e"), 1);
        ck_assert_int_le(of_in, 5);
        inner += of_in;
        runs += of_in > 0;
    }
    ck_near(inner, KEYS * (0.5 * 3 + 0.1));
    ck_near(runs, KEYS * (1 - 0.5 * 0.9));
}
END_TEST

START_TEST(entries_come_as_they_are_written)
{
    add("{'type':'item_group','id':'g','subtype':'collection','groups':['in'],"
        "'items':['b',{'item':'c'}],'entries':[{'item':'a'}]}");
    add("{'type':'item_group','id':'in','items':['d']}");
    draw("g", 1);
    ck_assert_str_eq(shown(), "a b c d");
}
END_TEST

START_TEST(a_group_that_comes_again_has_more)
{
    add("{'type':'item_group','id':'g','subtype':'collection','items':['a'],'ammo':20}");
    add("{'type':'item_group','id':'g','subtype':'collection','items':['b']}");
    add("{'type':'item_group','id':'g','copy-from':'g','subtype':'collection',"
        "'extend':{'items':['c']}}");
    add("{'type':'item_group','id':'h','copy-from':'g','subtype':'collection',"
        "'extend':{'items':['d']}}");
    draw("g", 1);
    ck_assert_str_eq(shown(), "a b c");
    draw("h", 1);
    ck_assert_str_eq(shown(), "a b c d");
}
END_TEST

START_TEST(a_group_may_be_defined_where_it_is_used)
{
    add("{'type':'item_group','id':'in','items':['d']}");
    draw("{\"subtype\":\"collection\",\"items\":[\"a\",\"b\"],\"groups\":[\"in\"]}", 1);
    ck_assert_str_eq(shown(), "a b d");
    draw("{\"collection\":[{\"item\":\"a\"},{\"item\":\"c\"}]}", 2);
    ck_assert_str_eq(shown(), "a c");
    ck_assert(!draw_with("{\"no", 1, (mapgen_loading){0, 0}, BUDGET));
    ck_assert(!draw_with("unknown", 1, (mapgen_loading){0, 0}, BUDGET));
    ck_assert_uint_eq(draft.count, 0);
}
END_TEST

START_TEST(ids_of_before_are_the_present_ones)
{
    add("{'type':'MIGRATION','id':['old','older'],'replace':'new'}");
    add("{'type':'GENERIC','id':'new'}");
    add("{'type':'item_group','id':'g','subtype':'collection','items':['old','older']}");
    draw("g", 1);
    ck_assert_str_eq(shown(), "new new");
}
END_TEST

/* ---- what items are in, and what is in them ---- */

static void add_things(void)
{
    add("{'type':'GENERIC','id':'bottle','pocket_data':[{'pocket_type':'CONTAINER',"
        "'max_contains_volume':'1 L'}]}");
    add("{'type':'COMESTIBLE','id':'water','phase':'liquid','volume':'250 ml',"
        "'container':'bottle'}");
    add("{'type':'COMESTIBLE','id':'beans','charges':2,'container':'can'}");
    add("{'type':'AMMO','id':'9mm','count':50,'ammo_type':'nine'}");
    add("{'type':'ammunition_type','id':'nine','default':'9mm'}");
    add("{'type':'MAGAZINE','id':'mag','pocket_data':[{'pocket_type':'MAGAZINE',"
        "'ammo_restriction':{'nine':15}}]}");
    add("{'type':'GUN','abstract':'base_gun','pocket_data':[{'pocket_type':'MAGAZINE_WELL',"
        "'item_restriction':['mag','big_mag']}]}");
    add("{'type':'GUN','id':'gun','copy-from':'base_gun'}");
    add("{'type':'GUN','id':'revolver','pocket_data':[{'pocket_type':'MAGAZINE',"
        "'ammo_restriction':{'nine':6}}]}");
    add("{'type':'TOOL','id':'lighter','initial_charges':40,'pocket_data':[{'pocket_type':"
        "'MAGAZINE','ammo_restriction':{'nine':100}}]}");
    add("{'type':'TOOL','id':'zippo','copy-from':'lighter','initial_charges':30}");
    add("{'type':'TOOL','id':'lamp','initial_charges':20,'max_charges':30,'ammo':'nine'}");
    add("{'type':'MAGAZINE','id':'cell','count':12,'pocket_data':[{'pocket_type':'MAGAZINE',"
        "'ammo_restriction':{'nine':12}}]}");
}

START_TEST(items_come_in_their_containers)
{
    add_things();
    add("{'type':'item_group','id':'g','subtype':'collection','items':['water','beans','9mm',"
        "{'item':'water','charges':3},{'item':'beans','container-item':'box'},"
        "{'group':'in','container-item':'bag','charges':7},{'item':'beans','charges':0}]}");
    add("{'type':'item_group','id':'in','subtype':'collection','items':['a','9mm']}");
    draw("g", 1);
    ck_assert_str_eq(shown(), "bottle >water:4 can >beans:2 9mm:50 bottle >water:3 "
                              "box >beans:2 bag >a bag >9mm:7 can >beans:1");
}
END_TEST

START_TEST(groups_and_entries_may_be_wrapped)
{
    add_things();
    add("{'type':'item_group','id':'g','subtype':'collection','container-item':'crate',"
        "'entries':[{'group':'in','count':2,'entry-wrapper':'sack'},"
        "{'item':'a','contents-item':['b','beans']},{'item':'c','contents-group':'in'},"
        "{'item':'d','container-group':'boxes'}]}");
    add("{'type':'item_group','id':'in','items':['x']}");
    add("{'type':'item_group','id':'boxes','items':['box']}");
    add("{'type':'item_group','id':'empty','container-item':'crate','subtype':'collection',"
        "'items':[['a',0]]}");
    draw("g", 1);
    ck_assert_str_eq(shown(), "crate >sack >>x >>x >a >>b >>can >>>beans:2 >c >>x >box >>d");
    draw("empty", 1);
    ck_assert_uint_eq(draft.count, 0);
}
END_TEST

START_TEST(weapons_are_loaded)
{
    add_things();
    add("{'type':'item_group','id':'g','subtype':'collection','items':["
        "{'item':'gun','charges':5},{'item':'gun','charges':99},{'item':'gun','charges':0},"
        "{'item':'revolver','charges':2},{'item':'mag','charges':3,'ammo-item':'other'},"
        "'gun','lighter',{'item':'lighter','charges':7}]}");
    draw("g", 1);
    ck_assert_str_eq(shown(), "gun >mag >>9mm:5 gun >mag >>9mm:15 gun revolver >9mm:2 "
                              "mag >other:3 gun lighter lighter >9mm:7");
    /* A magazine has its count, and a tool of before there were pockets its charges. */
    add("{'type':'item_group','id':'new','subtype':'collection','items':['zippo','lamp','cell',"
        "{'item':'zippo','charges':200}]}");
    draw("new", 1);
    ck_assert_str_eq(shown(), "zippo lamp >9mm:20 cell >9mm:12 zippo >9mm:100");
    /* Today's items have subtypes in place of types. */
    add("{'type':'ITEM','subtypes':['ARMOR','AMMO'],'id':'slug','count':6}");
    add("{'type':'ITEM','subtypes':['GUN'],'id':'musket','pocket_data':[{'pocket_type':"
        "'MAGAZINE','ammo_restriction':{'nine':1}}]}");
    add("{'type':'ITEM','subtypes':['MAGAZINE'],'id':'clip','copy-from':'cell'}");
    add("{'type':'item_group','id':'today','subtype':'collection','items':['slug','musket',"
        "{'item':'musket','charges':9},'clip']}");
    draw("today", 1);
    ck_assert_str_eq(shown(), "slug:6 musket musket >9mm:1 clip >9mm:12");
}
END_TEST

/* A group's own percentages hold, but for those of who runs it. */
START_TEST(loading_is_by_percent)
{
    int loaded = 0, with = 0;
    add_things();
    add("{'type':'item_group','id':'in','items':['gun'],'ammo':100}");
    add("{'type':'item_group','id':'g','ammo':30,'magazine':50,'items':['gun']}");
    add("{'type':'item_group','id':'over','ammo':30,'magazine':50,'groups':['in']}");
    add("{'type':'item_group','id':'under','groups':['in']}");
    for (uint64_t key = 0; key < KEYS; key++) {
        draw(key % 2 ? "g" : "over", key * 13);
        loaded += count_of("9mm");
        with += count_of("mag");
    }
    ck_near(loaded, KEYS * 0.3);
    ck_near(with, KEYS * (1 - 0.7 * 0.5));
    draw("under", 1);
    ck_assert_str_eq(shown(), "gun >mag >>9mm:15");
    ck_assert(draw_with("g", 1, (mapgen_loading){100, 0}, BUDGET));
    ck_assert_str_eq(shown(), "gun >mag >>9mm:15");
    /* What a group has packed is loaded by its own percentages alone. */
    add("{'type':'item_group','id':'box','container-item':'box','items':['gun']}");
    add("{'type':'item_group','id':'full','container-item':'box','items':['gun'],'ammo':100}");
    add("{'type':'item_group','id':'shop','subtype':'collection','ammo':100,'magazine':100,"
        "'items':['revolver',{'group':'box'},{'group':'full'}]}");
    draw("shop", 1);
    ck_assert_str_eq(shown(), "revolver >9mm:6 box >gun box >gun >>mag >>>9mm:15");
    ck_assert(draw_with("box", 1, (mapgen_loading){100, 100}, BUDGET));
    ck_assert_str_eq(shown(), "box >gun");
}
END_TEST

START_TEST(charges_with_one_end)
{
    int low = 15, high = 0;
    add_things();
    add("{'type':'item_group','id':'most','items':[{'item':'mag','charges-max':4}]}");
    add("{'type':'item_group','id':'least','items':[{'item':'mag','charges-min':9}]}");
    for (uint64_t key = 0; key < KEYS; key++) {
        draw("most", key);
        ck_assert(draft.count == 1 || draft.items[1].charges <= 4);
        draw("least", key);
        low = draft.items[1].charges < low ? draft.items[1].charges : low;
        high = draft.items[1].charges > high ? draft.items[1].charges : high;
    }
    ck_assert(low == 9 && high == 15);
}
END_TEST

START_TEST(what_is_particular_is_told)
{
    int fits = 0;
    add("{'type':'ARMOR','id':'shirt','flags':['VARSIZE']}");
    add("{'type':'item_group','id':'g','items':[{'item':'a','damage':2,"
        "'custom-flags':['X','Y']}]}");
    add("{'type':'item_group','id':'h','items':['shirt']}");
    draw("g", 1);
    ck_assert_str_eq(id_pool_text(f.pool, draft.items[0].text),
                     "{\"damage\":2,\"flags\":[\"X\",\"Y\"]}");
    for (uint64_t key = 0; key < KEYS; key++) {
        draw("h", key * 3);
        fits += strcmp(id_pool_text(f.pool, draft.items[0].text), "{\"fits\":true}") == 0;
    }
    ck_near(fits, KEYS / 3.0);
}
END_TEST

/* ---- bounds ---- */

START_TEST(what_contains_itself_ends)
{
    add("{'type':'item_group','id':'a','subtype':'collection','items':['x'],'groups':['b']}");
    add("{'type':'item_group','id':'b','subtype':'collection','items':['y'],'groups':['a',"
        "'b']}");
    add("{'type':'item_group','id':'c','items':[{'item':'x','container-group':'c'}]}");
    draw("a", 1);
    ck_assert_str_eq(shown(), "x y");
    draw("b", 1);
    ck_assert_str_eq(shown(), "y x");
    draw("c", 1);
    ck_assert_str_eq(shown(), "x");
}
END_TEST

/* Ten groups, each of which runs the next one a hundred times. */
START_TEST(what_asks_for_too_much_is_cut)
{
    char text[200];
    for (int i = 0; i < 10; i++) {
        snprintf(text, sizeof text,
                 "{'type':'item_group','id':'g%d','items':[{'group':'g%d','count':100}]}", i,
                 i + 1);
        add(text);
    }
    add("{'type':'item_group','id':'g10','items':['x']}");
    add("{'type':'item_group','id':'many','items':[{'item':'x','count':1000000000}]}");
    ck_assert(draw_with("g0", 1, (mapgen_loading){0, 0}, 5000));
    ck_assert(draft.cut && draft.count <= 5000);
    draft.cut = false;
    ck_assert(draw_with("many", 1, (mapgen_loading){0, 0}, 5000));
    ck_assert(draft.cut && draft.count <= 5000);
}
END_TEST

/* A chain of groups longer than is ever run. */
START_TEST(long_chains_are_cut)
{
    char text[200];
    for (int i = 0; i < 100; i++) {
        snprintf(text, sizeof text, "{'type':'item_group','id':'g%d','groups':['g%d']}", i,
                 i + 1);
        add(text);
    }
    add("{'type':'item_group','id':'g100','items':['x']}");
    ck_assert(draw_with("g0", 1, (mapgen_loading){0, 0}, BUDGET));
    ck_assert(draft.cut && draft.count == 0);
    draft.cut = false;
    draw("g50", 1);
    ck_assert_str_eq(shown(), "x");
}
END_TEST

static uint32_t below(rng *random, uint32_t n)
{
    return rng_below(random, n);
}

/* Group number `number` of any form, which may run any other one. */
static void add_any(rng *random, int number)
{
    static const char *const items[] = {"water", "beans",    "9mm",     "mag",
                                        "gun",   "revolver", "lighter", "plain"};
    static const char *const wraps[] = {"",
                                        "",
                                        ",'container-item':'box'",
                                        ",'entry-wrapper':'sack'",
                                        ",'container-group':'g1'",
                                        ",'contents-item':'beans'",
                                        ",'contents-group':'g2'",
                                        ",'charges':[0,9]"};
    bytes text;
    bytes_init(&text);
    bytes_printf(&text,
                 "{'type':'item_group','id':'g%d','subtype':'%s','ammo':%u%s,"
                 "'entries':[",
                 number, below(random, 2) ? "collection" : "distribution", below(random, 100),
                 below(random, 4) ? "" : ",'container-item':'crate'");
    const uint32_t entries = below(random, 5);
    for (uint32_t i = 0; i < entries; i++) {
        const uint32_t count = below(random, 3), prob = below(random, 120);
        const char *wrap = wraps[below(random, 8)];
        bytes_printf(&text, "%s{'prob':%u,'count':[0,%u]%s,", i ? "," : "", prob, count, wrap);
        if (below(random, 2))
            bytes_printf(&text, "'item':'%s'}", items[below(random, 8)]);
        else
            bytes_printf(&text, "'group':'g%u'}", below(random, 8));
    }
    bytes_put_text(&text, "]}");
    add(bytes_text(&text));
    bytes_dispose(&text);
}

/* Whatever groups there are: what is drawn is a tree in the order in which it lies, is what it
 * was before for the same key, and no more than the budget lets. */
START_TEST(any_group_gives_a_tree)
{
    enum { GROUPS = 8, SMALL = 300, NODES = 8 };
    rng random = rng_from_key((uint64_t)_i);
    char before[sizeof(local_entity) * 4096];
    add_things();
    for (int i = 0; i < GROUPS; i++)
        add_any(&random, i);
    for (uint64_t key = 0; key < 20; key++) {
        ck_assert(draw_with("g0", key, (mapgen_loading){0, 0}, SMALL));
        const size_t size = draft.count * sizeof *draft.items;
        ck_assert(size <= sizeof before);
        if (size > 0)
            memcpy(before, draft.items, size);
        ck_assert(draft.count <= (size_t)SMALL * NODES);
        int32_t last = -1;
        for (size_t i = 0; i < draft.count; i++) {
            const local_entity *e = &draft.items[i];
            ck_assert(e->status >= 0 && e->status <= last + 1 && e->id != ID_NONE);
            ck_assert(e->count == 1 && e->charges >= 0);
            last = e->status;
        }
        ck_assert(draw_with("g0", key, (mapgen_loading){0, 0}, SMALL));
        ck_assert(draft.count * sizeof *draft.items == size);
        ck_assert(size == 0 || memcmp(before, draft.items, size) == 0);
    }
}
END_TEST

/* ---- on a map ---- */

static void make_with(local_map *map, uint64_t key, const mapgen_tiles *tiles)
{
    const mapgen_request request = {.library = f.library,
                                    .pool = f.pool,
                                    .terrain = id_of("house"),
                                    .key = key,
                                    .groups = groups,
                                    .tiles = tiles};
    local_map_init(map);
    ck_assert_int_eq(mapgen_run(map, &request), MAPGEN_MADE);
    ck_assert(!map->cut);
}

static void make(local_map *map, uint64_t key)
{
    make_with(map, key, NULL);
}

/* What stood in a machine that is broken open is gone; its glass lies around, not in walls. */
START_TEST(open_machines_are_looted)
{
    local_map map;
    int open = 0, closed = 0, shards = 0, below = 0;
    mapgen_tiles *tiles = mapgen_tiles_new(f.pool);
    const json_document wall =
        fixture_document(&f, "{'type':'terrain','id':'t_wall','move_cost':0}");
    ck_assert(tiles && mapgen_tiles_add(tiles, json_view_of(&wall)));
    mapgen_tiles_finish(tiles);
    add("{'type':'GENERIC','id':'glass_shard'}");
    ck_assert(fixture_entry(&f, "{'om_terrain':'house','object':{'fill_ter':'t',"
                                "'set':[{'line':'terrain','id':'t_wall','x':7,'y':7,'x2':9,"
                                "'y2':7}],'place_vendingmachines':[{'item_group':{'items':["
                                "'v']},'x':8,'y':8}]}}"));
    for (uint64_t seed = 0; seed < KEYS; seed++) {
        make_with(&map, seed, tiles);
        const char *stands = id_pool_text(f.pool, map.furniture[8 * LOCAL_SIDE + 8]);
        const bool broken = strcmp(stands, "f_vending_o") == 0;
        open += broken;
        closed += strcmp(stands, "f_vending_c") == 0;
        for (size_t i = 0; i < map.count; i++) {
            const local_entity *e = &map.entities[i];
            const bool shard = strcmp(id_pool_text(f.pool, e->id), "glass_shard") == 0;
            ck_assert_int_eq(shard, broken);
            ck_assert(e->x >= 7 && e->x <= 9 && e->y >= 8 && e->y <= 9);
            shards += shard ? e->count : 0;
            below += shard && e->x == 8 && e->y == 8 ? e->count : 0;
        }
        local_map_dispose(&map);
    }
    ck_assert_int_eq(open + closed, KEYS);
    ck_near(open, KEYS * 0.77);
    ck_near(shards / 13.0, open * 9 * 0.25);
    /* Those of the three walls are shared out among the six other tiles. */
    ck_near(below / 13.0, open * 9 * 0.25 / 6);
    mapgen_tiles_free(tiles);
}
END_TEST

/* A computer is furniture where the game has it, and the floor stays; else a terrain. */
START_TEST(computers_are_furniture)
{
    mapgen_tiles *tiles[2] = {mapgen_tiles_new(f.pool), mapgen_tiles_new(f.pool)};
    const json_document console =
        fixture_document(&f, "{'type':'furniture','id':'f_console','move_cost_mod':-1}");
    ck_assert(tiles[0] && tiles[1] && mapgen_tiles_add(tiles[1], json_view_of(&console)));
    ck_assert(fixture_entry(&f, "{'om_terrain':'house','object':{'fill_ter':'t',"
                                "'place_computers':[{'name':'c','x':3,'y':4}]}}"));
    for (int known = 0; known < 2; known++) {
        const size_t cell = 4 * LOCAL_SIDE + 3;
        local_map map;
        mapgen_tiles_finish(tiles[known]);
        make_with(&map, 1, tiles[known]);
        ck_assert_str_eq(id_pool_text(f.pool, map.terrain[cell]), known ? "t" : "t_console");
        if (known)
            ck_assert_str_eq(id_pool_text(f.pool, map.furniture[cell]), "f_console");
        else
            ck_assert_uint_eq(map.furniture[cell], ID_NONE);
        ck_assert_uint_eq(map.count, 1);
        ck_assert_int_eq(map.entities[0].kind, LOCAL_COMPUTER);
        local_map_dispose(&map);
        mapgen_tiles_free(tiles[known]);
    }
}
END_TEST

/* Equal ones are counted together, also in what holds them; unknown groups stay. */
START_TEST(a_map_has_the_items_of_its_groups)
{
    local_map map;
    add_things();
    add("{'type':'item_group','id':'g','items':[{'item':'a','count':3}]}");
    add("{'type':'item_group','id':'sacks','subtype':'collection','items':["
        "{'item':'a','count':5000,'entry-wrapper':'box'},"
        "{'item':'a','count':7,'entry-wrapper':'box'}]}");
    ck_assert(fixture_entry(
        &f, "{'om_terrain':'house','object':{'fill_ter':'t','place_items':["
            "{'item':'g','x':2,'y':3,'chance':100},{'item':'unknown','x':1,'y':1,'chance':100},"
            "{'item':'sacks','x':9,'y':3,'chance':100}],"
            "'place_item':[{'item':'beans','x':4,'y':5,'amount':2}],"
            "'place_loot':[{'item':'gun','x':6,'y':6,'ammo':100}],"
            "'place_liquids':[{'liquid':'water','x':7,'y':7}],"
            "'place_vendingmachines':[{'item_group':{'items':['v']},'reinforced':true,'x':8,"
            "'y':8}]}}"));
    make(&map, 5);
    static const struct {
        const char *id;
        local_kind kind;
        int x, y, count, charges, depth;
    } wanted[] = {
        {"can", LOCAL_ITEM, 4, 5, 1, 0, 0}, {"beans", LOCAL_ITEM, 4, 5, 1, 2, 1},
        {"can", LOCAL_ITEM, 4, 5, 1, 0, 0}, {"beans", LOCAL_ITEM, 4, 5, 1, 2, 1},
        {"v", LOCAL_ITEM, 8, 8, 1, 0, 0},   {"water", LOCAL_ITEM, 7, 7, 1, 1, 0},
        {"a", LOCAL_ITEM, 2, 3, 3, 0, 0},   {"unknown", LOCAL_ITEM_GROUP, 1, 1, 1, 0, 0},
        {"box", LOCAL_ITEM, 9, 3, 1, 0, 0}, {"a", LOCAL_ITEM, 9, 3, 5000, 0, 1},
        {"box", LOCAL_ITEM, 9, 3, 1, 0, 0}, {"a", LOCAL_ITEM, 9, 3, 7, 0, 1},
        {"gun", LOCAL_ITEM, 6, 6, 1, 0, 0}, {"mag", LOCAL_ITEM, 6, 6, 1, 0, 1},
        {"9mm", LOCAL_ITEM, 6, 6, 1, 15, 2}};
    ck_assert_uint_eq(map.count, sizeof wanted / sizeof wanted[0]);
    for (size_t i = 0; i < map.count; i++) {
        const local_entity *e = &map.entities[i];
        ck_assert_str_eq(id_pool_text(f.pool, e->id), wanted[i].id);
        ck_assert_msg(e->kind == wanted[i].kind && e->x == wanted[i].x && e->y == wanted[i].y &&
                          e->count == wanted[i].count && e->charges == wanted[i].charges &&
                          e->status == wanted[i].depth,
                      "%s", wanted[i].id);
    }
    local_map_dispose(&map);
}
END_TEST

/* What is counted by charges is one thing on a tile, and one in each box. */
START_TEST(charges_are_poured_together)
{
    local_map map;
    add_things();
    add("{'type':'GENERIC','id':'hull','stackable':true}");
    add("{'type':'item_group','id':'g','subtype':'collection','items':['9mm','a','9mm',"
        "{'item':'hull','count':4},{'item':'9mm','count':3,'entry-wrapper':'box'},'null']}");
    ck_assert(fixture_entry(&f, "{'om_terrain':'house','object':{'fill_ter':'t','place_items':["
                                "{'item':'g','x':2,'y':3,'chance':100,'repeat':2},"
                                "{'item':'g','x':3,'y':3,'chance':100}]}}"));
    make(&map, 5);
    int rounds[2] = {0}, hulls[2] = {0}, boxes = 0, things = 0;
    for (size_t i = 0; i < map.count; i++) {
        const local_entity *e = &map.entities[i];
        const int there = e->x - 2;
        ck_assert(e->id != id_of("null"));
        things++;
        boxes += e->id == id_of("9mm") && e->status == 1 && e->charges == 150;
        if (e->id == id_of("9mm") && e->status == 0)
            rounds[there] += e->charges;
        if (e->id == id_of("hull"))
            hulls[there] += e->charges;
    }
    ck_assert(rounds[0] == 200 && rounds[1] == 100 && hulls[0] == 8 && hulls[1] == 4);
    /* Of the two tiles: rounds, hulls, an `a` for each run and a box with its rounds. */
    ck_assert_int_eq(boxes, 3);
    ck_assert_int_eq(things, 2 + 2 + 3 + 6);
    local_map_dispose(&map);
}
END_TEST

/* A map that wants more items than are ever made says so. */
START_TEST(a_map_of_too_many_items_is_cut)
{
    local_map map;
    add("{'type':'item_group','id':'g','items':[{'item':'x','count':1000000000}]}");
    ck_assert(fixture_entry(&f, "{'om_terrain':'house','object':{'fill_ter':'t','place_items':"
                                "[{'item':'g','x':2,'y':3,'chance':100}]}}"));
    const mapgen_request request = {.library = f.library,
                                    .pool = f.pool,
                                    .terrain = id_of("house"),
                                    .key = 1,
                                    .groups = groups};
    local_map_init(&map);
    ck_assert_int_eq(mapgen_run(&map, &request), MAPGEN_MADE);
    ck_assert(map.cut);
    local_map_dispose(&map);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mapgen groups");
    TCase *tc = tcase_create("groups");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_distribution_gives_one_by_weight);
    tcase_add_test(tc, a_collection_gives_each_by_its_probability);
    tcase_add_test(tc, groups_run_in_groups);
    tcase_add_test(tc, entries_come_as_they_are_written);
    tcase_add_test(tc, a_group_that_comes_again_has_more);
    tcase_add_test(tc, a_group_may_be_defined_where_it_is_used);
    tcase_add_test(tc, ids_of_before_are_the_present_ones);
    tcase_add_test(tc, items_come_in_their_containers);
    tcase_add_test(tc, groups_and_entries_may_be_wrapped);
    tcase_add_test(tc, open_machines_are_looted);
    tcase_add_test(tc, computers_are_furniture);
    tcase_add_test(tc, weapons_are_loaded);
    tcase_add_test(tc, loading_is_by_percent);
    tcase_add_test(tc, charges_with_one_end);
    tcase_add_test(tc, what_is_particular_is_told);
    tcase_add_test(tc, what_contains_itself_ends);
    tcase_add_test(tc, what_asks_for_too_much_is_cut);
    tcase_add_test(tc, long_chains_are_cut);
    tcase_add_test(tc, a_map_has_the_items_of_its_groups);
    tcase_add_test(tc, charges_are_poured_together);
    tcase_add_test(tc, a_map_of_too_many_items_is_cut);
    suite_add_tcase(suite, tc);
    TCase *any = tcase_create("any");
    tcase_add_checked_fixture(any, setup, teardown);
    tcase_add_loop_test(any, any_group_gives_a_tree, 0, 200);
    tcase_set_timeout(any, 60);
    suite_add_tcase(suite, any);
    return suite_run(suite);
}
