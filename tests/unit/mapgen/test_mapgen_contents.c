/*
 * Items of groups: what is particular about them, and what their containers hold.
 */
#include "core/bytes.h"
#include "mapgen/run/run.h"
#include "support/suite.h"
#include "unit/mapgen/mapgen_fixture.h"

#include <stdio.h>
#include <string.h>

enum { BUDGET = 100000 };

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

/* ---- what is particular, and what a container holds ---- */

static const char *details(size_t number)
{
    ck_assert_uint_lt(number, draft.count);
    return id_pool_text(f.pool, draft.items[number].text);
}

START_TEST(particulars_are_kept)
{
    add("{'type':'GENERIC','id':'can','volume':'1 L'}");
    add("{'type':'item_group','id':'g','subtype':'collection','entries':["
        "{'item':'gun','variant':'gold','damage':2,'dirt':[7,7],'custom-flags':['X']},"
        "{'item':'bread','components':['flour','salt']},"
        "{'item':'orb','artifact':{'procgen_id':'a'},'active':true,'variables':[{'k':'v'}]},"
        "{'item':'tea','container-item':'can','sealed':false},"
        "{'item':'tea','container-item':'can'},"
        "{'group':'in','variant':'blue','dirt':3}]}");
    add("{'type':'item_group','id':'in','items':['cloth']}");
    draw("g", 1);
    ck_assert_str_eq(shown(), "gun bread orb can >tea can >tea cloth");
    ck_assert_str_eq(details(0),
                     "{\"damage\":2,\"dirt\":7,\"flags\":[\"X\"],\"variant\":\"gold\"}");
    ck_assert_str_eq(details(1), "{\"components\":[\"flour\",\"salt\"]}");
    ck_assert_str_eq(details(2), "{\"artifact\":{\"procgen_id\":\"a\"},\"variables\":"
                                 "[{\"k\":\"v\"}],\"active\":true}");
    ck_assert_str_eq(details(3), "{\"sealed\":false}");
    ck_assert_str_eq(details(4), "");
    ck_assert_str_eq(details(5), "");
    ck_assert_str_eq(details(7), "{\"dirt\":3,\"variant\":\"blue\"}");
}
END_TEST

/* A piece's own words hold of what its group gives. */
START_TEST(told_holds_of_results)
{
    add("{'type':'AMMO','id':'shell','count':10}");
    add("{'type':'item_group','id':'g','subtype':'collection','items':['shell','rod']}");
    rng random = rng_from_key(1);
    mapgen_budget budget = mapgen_budget_of((stop_hook){NULL, NULL});
    const mapgen_told told = {.variant = id_of("\"v\""), .charges = {4, 4}, .damage = {1, 1}};
    ck_assert(mapgen_draw_group(&draft, groups, &random, id_of("g"), &told, &budget));
    ck_assert_str_eq(shown(), "shell:4 rod");
    ck_assert_str_eq(details(0), "{\"damage\":1,\"variant\":\"v\"}");
    ck_assert_str_eq(details(1), "{\"damage\":1,\"variant\":\"v\"}");
    draft.count = 0;
    mapgen_draw_item(&draft, groups, &random, id_of("shell"), &told, &budget);
    ck_assert_str_eq(shown(), "shell:4");
    ck_assert_str_eq(details(0), "{\"damage\":1,\"variant\":\"v\"}");
}
END_TEST

/* A liquid fills what it is put in; more than that is never in it. */
START_TEST(liquids_fit_their_containers)
{
    add("{'type':'GENERIC','id':'flask','pocket_data':[{'max_contains_volume':'500 ml'}]}");
    add("{'type':'COMESTIBLE','id':'beer','phase':'liquid','volume':'250 ml','charges':1,"
        "'container':'flask'}");
    add("{'type':'item_group','id':'g','subtype':'collection','entries':[{'item':'beer'},"
        "{'item':'beer','charges':1},{'item':'beer','charges':9},"
        "{'item':'beer','charges':9,'container-item':'vat'},"
        "{'item':'beer','container-item':'vat'}]}");
    add("{'type':'GENERIC','id':'vat','pocket_data':[{'max_contains_volume':'2 L'}]}");
    draw("g", 1);
    ck_assert_str_eq(shown(),
                     "flask >beer:2 flask >beer:1 flask >beer:2 vat >beer:8 vat >beer:8");
}
END_TEST

/* A map's liquid of amount 0, like one without an amount, has as many charges as usual. */
START_TEST(a_liquid_has_its_amount)
{
    local_map map;
    const int32_t wanted[] = {3, 3, 4};
    add("{'type':'COMESTIBLE','id':'beer','phase':'liquid','charges':3}");
    ck_assert(fixture_entry(&f,
                            "{'om_terrain':'house','object':{'fill_ter':'t','place_liquids':["
                            "{'liquid':'beer','x':0,'y':1},"
                            "{'liquid':'beer','amount':0,'x':1,'y':1},"
                            "{'liquid':'beer','amount':4,'x':2,'y':1}]}}"));
    const mapgen_request request = {
        .library = f.library, .pool = f.pool, .terrain = id_of("house"), .groups = groups};
    local_map_init(&map);
    ck_assert_int_eq(mapgen_run(&map, &request), MAPGEN_MADE);
    ck_assert_uint_eq(map.count, 3);
    for (size_t i = 0; i < map.count; i++)
        ck_assert_int_eq(map.entities[i].charges, wanted[map.entities[i].x]);
    local_map_dispose(&map);
}
END_TEST

/* What does not fit goes, or lies beside; without a word all of it is in. */
START_TEST(groups_overflow_as_they_say)
{
    static const char *const rules[] = {"", ",'on_overflow':'discard'",
                                        ",'on_overflow':'spill'"};
    static const char *const expected[] = {"box >big >small >>pill >big >small >shot:6",
                                           "box >big >small >>pill >shot:6",
                                           "box >big >small >>pill >shot:6 big small"};
    add("{'type':'GENERIC','id':'box','pocket_data':[{'max_contains_volume':'1 L'}]}");
    add("{'type':'GENERIC','id':'big','volume':'600 ml'}");
    add("{'type':'GENERIC','id':'small','volume':'350 ml'}");
    add("{'type':'GENERIC','id':'pill','volume':'900 ml'}"); /* inside another: not counted */
    add("{'type':'AMMO','id':'shot','volume':'100 ml','count':20,'stack_size':20}");
    for (size_t i = 0; i < 3; i++) {
        char text[600], id[8];
        snprintf(id, sizeof id, "g%zu", i);
        snprintf(text, sizeof text,
                 "{'type':'item_group','id':'%s','subtype':'collection','container-item':'box'"
                 "%s,'entries':[{'item':'big'},{'item':'small','contents-item':'pill'},"
                 "{'item':'big'},{'item':'small'},{'item':'shot','charges':6}]}",
                 id, rules[i]);
        add(text);
    }
    for (size_t i = 0; i < 3; i++) {
        char id[8];
        snprintf(id, sizeof id, "g%zu", i);
        draw(id, 1);
        ck_assert_str_eq(shown(), expected[i]);
    }
}
END_TEST

/* Whatever comes, no more is in than fits, nothing is lost where it spills, and what comes
 * first goes in first. */
START_TEST(no_container_holds_more_than_it_can)
{
    enum { SORTS = 5, SPACE = 1000 };
    add("{'type':'GENERIC','id':'bag','pocket_data':[{'max_contains_volume':'1 L'}]}");
    for (int i = 0; i < SORTS; i++) {
        char text[100];
        snprintf(text, sizeof text, "{'type':'GENERIC','id':'s%d','volume':'%d ml'}", i,
                 90 + 170 * i);
        add(text);
    }
    add("{'type':'item_group','id':'many','items':['s0','s1','s2','s3','s4']}");
    add("{'type':'item_group','id':'spills','container-item':'bag','on_overflow':'spill',"
        "'subtype':'collection','entries':[{'group':'many','count':8}]}");
    add("{'type':'item_group','id':'goes','container-item':'bag','on_overflow':'discard',"
        "'subtype':'collection','entries':[{'group':'many','count':8}]}");
    for (uint64_t key = 0; key < 300; key++) {
        char spilt[1024];
        int inside = 0, smallest_beside = SPACE;
        draw("spills", key);
        ck_assert_uint_eq(draft.count, 9);
        snprintf(spilt, sizeof spilt, "%s", shown());
        for (size_t i = 1; i < draft.count; i++) {
            const int volume = 90 + 170 * (id_pool_text(f.pool, draft.items[i].id)[1] - '0');
            inside += draft.items[i].status == 1 ? volume : 0;
            if (draft.items[i].status == 0 && volume < smallest_beside)
                smallest_beside = volume;
        }
        ck_assert_int_le(inside, SPACE);
        ck_assert_int_gt(inside + smallest_beside, SPACE);
        draw("goes", key);
        ck_assert_int_eq(strncmp(spilt, shown(), strlen(shown())), 0);
        ck_assert_uint_lt(draft.count, 9);
    }
}
END_TEST

/* "null" stands for no container, and takes the place of the usual one. */
START_TEST(null_is_no_container)
{
    add("{'type':'GENERIC','id':'stew','container':'can'}");
    add("{'type':'item_group','id':'g','subtype':'collection','items':['stew',"
        "{'item':'stew','container-item':'null','entry-wrapper':'null'},"
        "{'group':'in','container-item':'null'}]}");
    add("{'type':'item_group','id':'in','container-item':'null','items':['stew']}");
    draw("g", 1);
    ck_assert_str_eq(shown(), "can >stew stew can >stew");
}
END_TEST

/* Items with subtypes: solid food is counted one by one, ammunition and liquids by charges. */
START_TEST(solid_food_of_today_has_no_charges)
{
    add("{'type':'ITEM','subtypes':['COMESTIBLE'],'id':'pea'}");
    add("{'type':'ITEM','subtypes':['COMESTIBLE'],'id':'dry','copy-from':'pea'}");
    add("{'type':'ITEM','subtypes':['COMESTIBLE'],'id':'soup','phase':'liquid','charges':2}");
    add("{'type':'ITEM','subtypes':['AMMO'],'id':'nail','count':3}");
    add("{'type':'ITEM','subtypes':['COMESTIBLE','AMMO'],'id':'fuel','count':4}");
    add("{'type':'COMESTIBLE','id':'old'}");
    add("{'type':'item_group','id':'g','subtype':'collection','items':['pea','dry','soup',"
        "'nail','fuel','old']}");
    draw("g", 1);
    ck_assert_str_eq(shown(), "pea dry soup:2 nail:3 fuel:4 old:1");
}
END_TEST

/* How many of KEYS draws from `g` are of the item. */
static int draws_of(const char *item)
{
    enum { KEYS = 4000 };
    int count = 0;
    for (uint64_t key = 0; key < KEYS; key++) {
        draw("g", key * 7919);
        count += draft.count == 1 && draft.items[0].id == id_of(item);
    }
    return count;
}

/* Entries for another day give nothing; in a distribution the next one comes in their place, if
 * there is one: of 100 parts `a` has 10, `b` 20 and 30, and 40 give nothing. */
START_TEST(other_days_leave_their_weight_to_the_next)
{
    add("{'type':'item_group','id':'g','items':[['a',10],"
        "{'item':'x','prob':20,'event':'halloween'},{'item':'b','prob':30,'event':'none'},"
        "{'group':'y','prob':15,'event':'easter'},{'item':'z','prob':25,'event':'easter'}]}");
    const int a = draws_of("a"), b = draws_of("b"), none = 4000 - a - b;
    ck_assert(draws_of("x") == 0 && draws_of("z") == 0);
    ck_assert_msg(a > 300 && a < 500 && b > 1850 && b < 2150 && none > 1450 && none < 1750,
                  "%d, %d, %d", a, b, none);
    add("{'type':'item_group','id':'all','subtype':'collection','items':['a',"
        "{'item':'x','prob':100,'event':'halloween'},'b']}");
    draw("all", 1);
    ck_assert_str_eq(shown(), "a b");
}
END_TEST

/* `items` without a chance comes with 1 percent, or always where content is of today; a stated
 * chance and other pieces are as they are. */
START_TEST(items_without_a_chance_follow_the_contents_rule)
{
    for (int always = 0; always <= 1; always++) {
        const mapgen_context context = {
            .pool = f.pool, .memory = f.memory, .items_always = always};
        mapgen_compiler *c = mapgen_compiler_new(&context);
        ck_assert_ptr_nonnull(c);
        const json_document document = fixture_document(
            &f, "{'type':'mapgen','om_terrain':'house','object':{'fill_ter':'t',"
                "'place_items':[{'item':'g','x':1,'y':1},{'item':'g','x':1,'y':1,'chance':7}],"
                "'place_item':[{'item':'i','x':1,'y':1}]}}");
        const mapgen_entry *e = mapgen_compile_entry(c, json_view_of(&document));
        ck_assert_ptr_nonnull(e);
        int seen = 0;
        for (uint32_t i = 0; i < e->placed.count; i++) {
            const mapgen_piece *p = &e->unit.pieces[e->placed.items[i]];
            const bool items = p->kind == MAPGEN_ITEMS;
            const int wanted = !items || (always && p->chance.low != 7) ? 100 : 1;
            seen += p->chance.low == wanted && p->chance.high == wanted ? 1 : 0;
            seen += items && p->chance.low == 7 ? 10 : 0;
        }
        ck_assert_int_eq(seen, 12);
        mapgen_compiler_free(c);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mapgen contents");
    TCase *tc = tcase_create("contents");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, particulars_are_kept);
    tcase_add_test(tc, told_holds_of_results);
    tcase_add_test(tc, liquids_fit_their_containers);
    tcase_add_test(tc, a_liquid_has_its_amount);
    tcase_add_test(tc, groups_overflow_as_they_say);
    tcase_add_test(tc, no_container_holds_more_than_it_can);
    tcase_add_test(tc, null_is_no_container);
    tcase_add_test(tc, solid_food_of_today_has_no_charges);
    tcase_add_test(tc, other_days_leave_their_weight_to_the_next);
    tcase_add_test(tc, items_without_a_chance_follow_the_contents_rule);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
