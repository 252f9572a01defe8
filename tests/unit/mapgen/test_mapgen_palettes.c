/*
 * Palettes that are named by parameters, whoever defines these: the palette itself, one that
 * names it, the entry, one that it names, or one that was not drawn. And palettes that are
 * drawn of several: the same for all that is of one special.
 */
#include "core/bytes.h"
#include "mapgen/compile/library.h"
#include "mapgen/run/run.h"
#include "support/suite.h"
#include "unit/mapgen/mapgen_fixture.h"

#include <string.h>

static mapgen_fixture f;
static local_map map;

static void setup(void)
{
    fixture_begin(&f, false);
    local_map_init(&map);
}

static void teardown(void)
{
    local_map_dispose(&map);
    fixture_end(&f);
}

static uint32_t id_of(const char *text)
{
    return id_pool_put(f.pool, text, strlen(text));
}

/* Makes the map of `key`, which is of the special and column of those numbers. */
static mapgen_outcome make(const char *key, uint64_t tile, uint64_t column, uint64_t special)
{
    const mapgen_request request = {.library = f.library,
                                    .pool = f.pool,
                                    .terrain = id_of(key),
                                    .key = tile,
                                    .stack_key = column,
                                    .special_key = special};
    local_map_dispose(&map);
    local_map_init(&map);
    return mapgen_run(&map, &request);
}

/* A terrain whose rows begin with the characters, all else are points. */
static void entry(const char *key, const char *characters, const char *members)
{
    bytes text;
    bytes_init(&text);
    bytes_printf(&text, "{'om_terrain':'%s','object':{'fill_ter':'t_fill','rows':[", key);
    for (int y = 0; y < LOCAL_SIDE; y++)
        bytes_printf(&text, "%s'%s%.*s'", y ? "," : "", y ? "" : characters,
                     LOCAL_SIDE - (y ? 0 : (int)strlen(characters)),
                     "........................");
    bytes_printf(&text, "],%s}}", members);
    ck_assert_msg(fixture_entry(&f, bytes_text(&text)) != NULL, "MG%03d %s", f.last_code,
                  f.last);
    bytes_dispose(&text);
}

static void palette(const char *text)
{
    ck_assert_msg(fixture_palette(&f, text) != NULL, "%s: %s", text, f.last);
}

static const char *terrain_at(int x)
{
    return id_pool_text(f.pool, map.terrain[x]);
}

/* Walls of one of three sorts, and what names them by a parameter. */
#define WALLS "'palettes':[{'param':'walls'}]"
#define SCOPED(scope)                                                                          \
    "'parameters':{'walls':{'type':'palette_id','scope':'" scope                               \
    "','default':{'distribution':[['brick',2],['wood',1]]}}}"

static void put_walls(void)
{
    palette("{'id':'brick','terrain':{'w':'t_brick'}}");
    palette("{'id':'wood','terrain':{'w':'t_wood'}}");
    palette("{'id':'log','terrain':{'w':'t_log'}}");
}

/* One way to say who defines the parameter, and who names a palette by it. */
typedef struct way {
    const char *palettes[3]; /* up to NULL */
    const char *entry;
} way;

static const way ways[] = {
    /* The palette itself, in each scope; the order of its members means nothing. */
    {{"{'id':'house'," SCOPED("omt") "," WALLS "}"}, "'palettes':['house']"},
    {{"{'id':'house'," WALLS "," SCOPED("nest") "}"}, "'palettes':['house']"},
    {{"{'id':'house'," WALLS "," SCOPED("omt_stack") "}"}, "'palettes':['house']"},
    {{"{'id':'house'," WALLS "," SCOPED("overmap_special") "}"}, "'palettes':['house']"},
    /* One that names it, or one that names that one. */
    {{"{'id':'house'," WALLS "}", "{'id':'outer','palettes':['house']," SCOPED("omt") "}"},
     "'palettes':['outer']"},
    {{"{'id':'house'," WALLS "}", "{'id':'middle','palettes':['house']}",
      "{'id':'outer','palettes':['middle']," SCOPED("omt") "}"},
     "'palettes':['outer']"},
    /* The entry, beside its own palettes or further in. */
    {{NULL}, WALLS "," SCOPED("omt")},
    {{"{'id':'house'," WALLS "}"}, "'palettes':['house']," SCOPED("omt")},
    {{"{'id':'house'," WALLS "}", "{'id':'outer','palettes':['house']}"},
     "'palettes':['outer']," SCOPED("overmap_special")},
    /* One that it names, before or behind. */
    {{"{'id':'set'," SCOPED("omt") "}", "{'id':'house','palettes':['set',{'param':'walls'}]}"},
     "'palettes':['house']"},
    {{"{'id':'set'," SCOPED("omt") "}", "{'id':'house','palettes':[{'param':'walls'},'set']}"},
     "'palettes':['house']"},
    /* Another of the entry's, before or behind. */
    {{"{'id':'set'," SCOPED("omt") "}", "{'id':'house'," WALLS "}"},
     "'palettes':['set','house']"},
    {{"{'id':'set'," SCOPED("omt") "}", "{'id':'house'," WALLS "}"},
     "'palettes':['house','set']"},
    {{"{'id':'set'," SCOPED("omt") "}"}, "'palettes':[{'param':'walls'},'set']"},
    /* An alternative that is never drawn, as the games know the parameters of all. */
    {{"{'id':'set'," SCOPED("omt") "}", "{'id':'house'," WALLS "}"},
     "'palettes':['house',"
     "{'switch':{'param':'none','fallback':'x'},'cases':{'x':'none','y':'set'}}]"},
    /* A parameter that is drawn from another. */
    {{"{'id':'house','palettes':[{'param':'outer'}],'parameters':{'outer':{'type':"
      "'palette_id','scope':'omt','default':{'param':'walls'}},'walls':{'type':'palette_id',"
      "'scope':'omt','default':{'distribution':[['brick',2],['wood',1]]}}}}"},
     "'palettes':['house']"},
    /* By a switch, and as a fallback of what nothing defines. */
    {{"{'id':'house','palettes':[{'switch':{'param':'sort'},'cases':{'a':'brick','b':'wood'}}],"
      "'parameters':{'sort':{'type':'string','scope':'omt','default':{'distribution':"
      "[['a',2],['b',1]]}}}}"},
     "'palettes':['house']"},
    {{"{'id':'house','palettes':[{'param':'unknown','fallback':{'param':'walls'}}]," SCOPED(
         "omt") "}"},
     "'palettes':['house']"},
    /* A palette that names itself, directly and by another: where it does, nothing is added. */
    {{"{'id':'house','palettes':['house',{'param':'walls'}]," SCOPED("omt") "}"},
     "'palettes':['house']"},
    {{"{'id':'house','palettes':['outer',{'param':'walls'}]," SCOPED("omt") "}",
      "{'id':'outer','palettes':['house']}"},
     "'palettes':['outer']"},
};

START_TEST(a_parameter_is_known_wherever_it_is_defined)
{
    const way *w = &ways[_i];
    int brick = 0, all = 0;
    put_walls();
    for (size_t i = 0; i < 3 && w->palettes[i]; i++)
        palette(w->palettes[i]);
    entry("house", "w", w->entry);
    for (uint64_t seed = 0; seed < 60; seed++, all++) {
        ck_assert_int_eq(make("house", seed, seed, seed), MAPGEN_MADE);
        ck_assert(!map.cut);
        const bool is_brick = strcmp(terrain_at(0), "t_brick") == 0;
        ck_assert_msg(is_brick || strcmp(terrain_at(0), "t_wood") == 0, "%s: %s", w->entry,
                      terrain_at(0));
        brick += is_brick;
    }
    ck_assert(brick > all / 2 && brick < all - 5);
}
END_TEST

/* `fill_ter` is drawn before palettes are, and knows their parameters. */
START_TEST(ground_is_filled_by_a_palettes_parameter)
{
    palette("{'id':'p','parameters':{'floor':{'type':'ter_str_id','scope':'omt','default':"
            "'t_floor'}}}");
    ck_assert(fixture_entry(&f, "{'om_terrain':'house','object':{'fill_ter':{'param':'floor',"
                                "'fallback':'t_none'},'palettes':['p']}}"));
    ck_assert_int_eq(make("house", 1, 1, 1), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(0), "t_floor");
}
END_TEST

/* What an entry defines counts before what its palettes do, and of these the later one; which
 * it is, is the same for a palette that is named by it and for a tile. */
START_TEST(the_last_definition_counts)
{
#define IS(id) "'parameters':{'walls':{'type':'palette_id','scope':'omt','default':'" id "'}}"
    static const struct {
        const char *members, *is;
    } cases[] = {{"'palettes':['outer']", "t_wood"},
                 {"'palettes':['outer']," IS("log"), "t_log"},
                 {"'palettes':['set','outer']", "t_wood"},
                 {"'palettes':['set','house']", "t_brick"}};
    put_walls();
    palette("{'id':'house'," WALLS "," IS("brick") "}");
    palette("{'id':'outer','palettes':['house']," IS("wood") "}");
    palette("{'id':'set'," IS("log") "}");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char key[] = {(char)('a' + (char)i), '\0'};
        bytes members;
        bytes_init(&members);
        bytes_printf(&members,
                     "%s,'terrain':{'s':{'switch':{'param':'walls'},'cases':{'brick':'t_brick',"
                     "'wood':'t_wood','log':'t_log'}}}",
                     cases[i].members);
        entry(key, "ws", bytes_text(&members));
        bytes_dispose(&members);
        ck_assert_int_eq(make(key, 1, 1, 1), MAPGEN_MADE);
        ck_assert_str_eq(terrain_at(0), cases[i].is);
        ck_assert_str_eq(terrain_at(1), cases[i].is);
    }
}
END_TEST

/* A palette that two others include counts in both, so it hides what the first of them put
 * over it. */
START_TEST(a_palette_counts_wherever_it_is_included)
{
    put_walls();
    palette("{'id':'painted','palettes':['brick'],'terrain':{'w':'t_paint'}}");
    palette("{'id':'plain','palettes':['brick']}");
    entry("house", "w", "'palettes':['painted','plain']");
    entry("shed", "w", "'palettes':['plain','painted']");
    ck_assert_int_eq(make("house", 1, 1, 1), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(0), "t_brick");
    ck_assert_int_eq(make("shed", 1, 1, 1), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(0), "t_paint");
}
END_TEST

/* A chunk has the parameters of what it lies in, behind its own. */
START_TEST(a_chunk_knows_parameters_of_what_it_lies_in)
{
    put_walls();
    ck_assert(fixture_entry(&f, "{'nested_mapgen_id':'room','object':{'mapgensize':[1,1],"
                                "'rows':['w']," WALLS "}}"));
    ck_assert(fixture_entry(&f, "{'nested_mapgen_id':'own','object':{'mapgensize':[1,1],"
                                "'rows':['w']," WALLS "," IS("log") "}}"));
    entry("house", "w",
          "'palettes':['house'],'place_nested':[{'chunks':['room'],'x':3,'y':0},"
          "{'chunks':['own'],'x':4,'y':0},{'chunks':['room'],'x':5,'y':0}]");
    palette("{'id':'house'," WALLS "," SCOPED("omt") "}");
    for (uint64_t seed = 0; seed < 30; seed++) {
        ck_assert_int_eq(make("house", seed, seed, seed), MAPGEN_MADE);
        ck_assert_str_eq(terrain_at(3), terrain_at(0));
        ck_assert_str_eq(terrain_at(4), "t_log");
        ck_assert_str_eq(terrain_at(5), terrain_at(0));
    }
}
END_TEST

/* An entry knows what its chunks define, those inside them, and those that are not drawn; but
 * not what is of one chunk alone. */
START_TEST(an_entry_knows_parameters_of_its_chunks)
{
    put_walls();
    palette("{'id':'set'," SCOPED("omt") "}");
    ck_assert(fixture_entry(&f, "{'nested_mapgen_id':'inner','object':{'mapgensize':[1,1],"
                                "'rows':['w'],'palettes':['set',{'param':'walls'}]}}"));
    ck_assert(fixture_entry(&f, "{'nested_mapgen_id':'alone','object':{'mapgensize':[1,1],"
                                "'rows':['w']," WALLS "," SCOPED("nest") "}}"));
    for (int deep = 0; deep < 2; deep++) {
        bytes text;
        bytes_init(&text);
        bytes_printf(&text,
                     "{'nested_mapgen_id':'outer%d','object':{'mapgensize':[1,1],'rows':['.'],"
                     "'place_nested':[{'chunks':[{'param':'x','fallback':'null'}],"
                     "'else_chunks':['%s'],'x':0,'y':0}]}}",
                     deep, deep ? "outer0" : "inner");
        ck_assert(fixture_entry(&f, bytes_text(&text)));
        bytes_dispose(&text);
    }
    entry("house", "w",
          WALLS ",'place_nested':[{'chunks':['outer1'],'x':0,'y':0},"
                "{'chunks':['inner'],'x':1,'y':0}]");
    entry("shed", "w", WALLS ",'place_nested':[{'chunks':['alone'],'x':1,'y':0}]");
    for (uint64_t seed = 0; seed < 30; seed++) {
        ck_assert_int_eq(make("house", seed, seed, seed), MAPGEN_MADE);
        ck_assert_str_ne(terrain_at(0), "t_fill");
        ck_assert_str_eq(terrain_at(0), terrain_at(1));
        ck_assert_int_eq(make("shed", seed, seed, seed), MAPGEN_MADE);
        ck_assert_str_eq(terrain_at(0), "t_fill");
    }
}
END_TEST

/* All floors of a house have the walls that were drawn for it, and another house has its own;
 * an equal list in another palette is the same choice. */
START_TEST(one_special_has_one_choice_of_palettes)
{
#define LIST "'palettes':[{'distribution':[['brick',1],['wood',1]]}]"
    int differ = 0;
    put_walls();
    palette("{'id':'upper'," LIST "}");
    entry("floor", "w", LIST);
    entry("roof", "w", "'palettes':['upper']");
    for (uint64_t special = 0; special < 60; special++) {
        ck_assert_int_eq(make("floor", 3 * special, 7, special), MAPGEN_MADE);
        const uint32_t wall = map.terrain[0];
        ck_assert_int_eq(make("roof", 3 * special + 1, 7, special), MAPGEN_MADE);
        ck_assert_uint_eq(map.terrain[0], wall);
        ck_assert_int_eq(make("floor", 3 * special, 7, special + 1), MAPGEN_MADE);
        differ += map.terrain[0] != wall;
    }
    ck_assert(differ > 15 && differ < 45);
}
END_TEST

/* Parameters that are drawn of each other without end, each twice, and palettes that name the
 * next ones twice: both end, and what is cut off is told. */
START_TEST(definitions_without_end_are_bounded)
{
    enum { CHAIN = 40 };
    bytes text;
    bytes_init(&text);
    bytes_printf(&text, "{'id':'p0','palettes':[{'param':'q0'}],'parameters':{");
    for (int i = 0; i < CHAIN; i++)
        bytes_printf(&text,
                     "%s'q%d':{'type':'ter_str_id','default':{'param':'q%d','fallback':"
                     "{'param':'q%d'}}}",
                     i ? "," : "", i, i + 1, i + 1);
    bytes_printf(&text, "}}");
    palette(bytes_text(&text));
    for (int i = 1; i < CHAIN; i++) {
        text.size = 0;
        bytes_printf(&text, "{'id':'p%d','palettes':['p%d','p%d']}", i, i - 1, i - 1);
        palette(bytes_text(&text));
    }
    bytes_dispose(&text);
    entry("chain", "w", "'palettes':['p0']");
    mapgen_layers layers;
    const mapgen_candidate *c =
        mapgen_library_first(f.library, MAPGEN_OM_TERRAIN, id_of("chain"));
    ck_assert(c);
    mapgen_layers_possible(&layers, f.library, &c->entry->unit);
    ck_assert_int_eq(make("chain", 1, 1, 1), MAPGEN_MADE);
    ck_assert(map.cut);
    entry("tower", "w", "'palettes':['p39']");
    ck_assert_int_eq(make("tower", 1, 1, 1), MAPGEN_MADE);
    ck_assert(map.cut);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mapgen palettes");
    TCase *tc = tcase_create("palettes");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, a_parameter_is_known_wherever_it_is_defined, 0,
                        (int)(sizeof ways / sizeof ways[0]));
    tcase_add_test(tc, ground_is_filled_by_a_palettes_parameter);
    tcase_add_test(tc, the_last_definition_counts);
    tcase_add_test(tc, a_palette_counts_wherever_it_is_included);
    tcase_add_test(tc, a_chunk_knows_parameters_of_what_it_lies_in);
    tcase_add_test(tc, an_entry_knows_parameters_of_its_chunks);
    tcase_add_test(tc, one_special_has_one_choice_of_palettes);
    tcase_add_test(tc, definitions_without_end_are_bounded);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
