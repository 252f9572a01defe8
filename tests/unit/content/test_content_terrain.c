/* overmap_terrain: fields, inheritance, redefinition, expansion, real content. */
#include "unit/content/definition_fixture.h"

#include "core/utf8.h"
#include "model/symbol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- fields ---- */

START_TEST(all_fields)
{
    fixture_import_text(
        "[{'type':'overmap_land_use_code','id':'green','name':'Green','sym':'g','color':'red'},"
        "\n"
        "{'type':'overmap_terrain','id':'meadow','name':'a meadow','sym':'.','color':'brown',\n"
        "'looks_like':'grove','connect_group':'grass','see_cost':2,'travel_cost':7,"
        "'extras':'meadow','mondensity':-3,'land_use_code':'green',\n"
        "'spawns':{'group':'GROUP_X','population':[0,4],'chance':13},"
        "'flags':['NO_ROTATE','SOFT','SOFT'],\n"
        "'mapgen':[{'method':'builtin','name':'one'},{'method':'json'}],"
        "'mapgen_straight':[{'name':'s'}],'mapgen_curved':[{'name':'c'}],"
        "'mapgen_end':[{'name':'e'}],'mapgen_tee':[{'name':'t'}],'mapgen_four_way':[]},\n"
        "{'type':'overmap_terrain','id':'grove','name':{'str':'grove','str_pl':'groves'},"
        "'sym':70,'color':'green','looks_like':['x','y\\\"z'],'flags':['NO_ROTATE']}]",
        false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows(
        "SELECT id, kind, name, symbol, color, see_cost, travel_cost, mondensity,"
        " extras, land_use_code, connect_group, looks_like, spawn_group,"
        " spawn_population_min, spawn_population_max, spawn_chance, pack, line"
        " FROM overmap_terrain",
        18,
        "grove|0|grove|70|green|0|5|0|none|-||[\"x\",\"y\\\"z\"]|-|-|-|-|0|6\n"
        "meadow|0|a meadow|46|brown|2|7|-3|meadow|green|grass|[\"grove\"]|"
        "GROUP_X|0|4|13|0|2");
    fixture_expect_rows("SELECT terrain, flag FROM overmap_terrain_flag", 2,
                        "grove|NO_ROTATE\nmeadow|NO_ROTATE\nmeadow|SOFT");
    fixture_expect_rows("SELECT list, position, json FROM overmap_terrain_mapgen", 3,
                        "mapgen|0|{\"method\":\"builtin\",\"name\":\"one\"}\n"
                        "mapgen|1|{\"method\":\"json\"}\n"
                        "mapgen_curved|0|{\"name\":\"c\"}\nmapgen_end|0|{\"name\":\"e\"}\n"
                        "mapgen_straight|0|{\"name\":\"s\"}\nmapgen_tee|0|{\"name\":\"t\"}");
    ck_assert_uint_eq(fixture.run.report.terrain_objects, 2);
    ck_assert_uint_eq(fixture.run.report.terrain_types, 2);
    ck_assert_uint_eq(fixture.run.report.concrete_terrains, 2);
    ck_assert_uint_eq(fixture.run.report.unknown_keys, 0);
}
END_TEST

/* Nothing in an object's place takes away what is inherited, as in the games. */
START_TEST(empty_spawns_are_none)
{
    fixture_import_text(
        "[{'type':'overmap_terrain','id':'a','sym':'.','flags':['NO_ROTATE'],"
        "'spawns':{'group':'GROUP_X','population':[0,4],'chance':13}},\n"
        "{'type':'overmap_terrain','id':'b','copy-from':'a','spawns':{}},\n"
        "{'type':'overmap_terrain','id':'c','copy-from':'a'},\n"
        "{'type':'overmap_special','id':'s','overmaps':[{'point':[0,0,0],'overmap':'a'}],"
        "'occurrences':[1,1],'city_distance':[0,9],'city_sizes':[0,9],'locations':['l'],"
        "'spawns':{'group':'GROUP_X','population':[1,2],'radius':[3,4]}},\n"
        "{'type':'overmap_special','id':'t','copy-from':'s','spawns':{}},\n"
        "{'type':'overmap_location','id':'l','terrains':['a']}]",
        false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows("SELECT id, spawn_group FROM overmap_terrain", 2,
                        "a|GROUP_X\nb|-\nc|GROUP_X");
    fixture_expect_rows("SELECT id, spawn_group FROM overmap_special", 2, "s|GROUP_X\nt|-");
}
END_TEST

START_TEST(id_lists_and_abstract)
{
    fixture_import_text(
        "[{'type':'overmap_terrain','id':['a','b'],'copy-from':'base'},\n"
        "{'type':'overmap_terrain','abstract':'base','sym':'@','//':'n','odd':1},\n"
        "{'type':'overmap_terrain','id':'','copy-from':'base'}]",
        false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows("SELECT id, symbol, looks_like, line FROM overmap_terrain", 4,
                        "a|64|[\"base\"]|1\nb|64|[\"base\"]|1");
    ck_assert_uint_eq(fixture.run.report.terrain_objects, 3);
    ck_assert_uint_eq(fixture.run.report.terrain_types, 2);
    ck_assert_uint_eq(fixture.run.report.concrete_terrains, 8);
    ck_assert_uint_eq(fixture.run.report.unknown_keys, 1);
}
END_TEST

/* ---- expansion ---- */

/* By mask: the table of line shapes (schema/generation.md 1.1), written out a second time. */
static const struct {
    unsigned mask;
    const char *suffix, *symbol;
} lines[] = {{0, "_isolated", "┼"},  {1, "_end_south", "│"}, {2, "_end_west", "─"},
             {4, "_end_north", "│"}, {8, "_end_east", "─"},  {5, "_ns", "│"},
             {10, "_ew", "─"},       {3, "_ne", "└"},        {6, "_es", "┌"},
             {12, "_sw", "┐"},       {9, "_wn", "┘"},        {7, "_nes", "├"},
             {14, "_esw", "┬"},      {13, "_nsw", "┤"},      {11, "_new", "┴"},
             {15, "_nesw", "┼"}};

START_TEST(line_variants)
{
    fixture_import_text(
        "[{'type':'overmap_terrain','id':'path','name':'p','color':'red','flags':['LINEAR']}]",
        false);
    fixture_expect(PTL_OK, "");
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM concrete_terrain"), 16);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char sql[200], expected[32];
        snprintf(sql, sizeof sql,
                 "SELECT id, variant, rotation, char(symbol) FROM concrete_terrain"
                 " WHERE terrain = 'path' AND line = %u",
                 lines[i].mask);
        snprintf(expected, sizeof expected, "path%s|%u|0|%s", lines[i].suffix, lines[i].mask,
                 lines[i].symbol);
        fixture_expect_rows(sql, 4, expected);
    }
}
END_TEST

START_TEST(rotated_symbols)
{
    fixture_import_text(
        "[{'type':'rotatable_symbol','tuple':['<','^','>','v']},\n"
        "{'type':'rotatable_symbol','tuple':['│','─']},\n"
        "{'type':'overmap_terrain','id':'hut','sym':'^'},\n"
        "{'type':'overmap_terrain','id':'bar','sym':'│'},\n"
        "{'type':'overmap_terrain','id':'dot','sym':'.'},\n"
        "{'type':'overmap_terrain','id':'fix','sym':'<','flags':['NO_ROTATE']}]",
        false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows(
        "SELECT terrain, group_concat(replace(id, terrain, '') || char(symbol), ' ') FROM"
        " (SELECT * FROM concrete_terrain ORDER BY terrain, rotation) GROUP BY terrain",
        2,
        "bar|_north│ _east─ _south│ _west─\ndot|_north. _east. _south. _west.\nfix|<\n"
        "hut|_north^ _east> _southv _west<");
    ck_assert_uint_eq(fixture.run.report.rotatable_symbols, 2);
}
END_TEST

/* Every symbol and number of turns: four turns change nothing, and turns add up. */
START_TEST(rotation_is_a_group)
{
    const symbol_tuple tuples[] = {{{'a', 'b', 'c', 'd'}, 4}, {{0x2502, 0x2500}, 2}};
    for (uint32_t symbol = 0; symbol < 0x3000; symbol++) {
        for (unsigned turns = 0; turns < 8; turns++) {
            uint32_t once = symbol_rotate(tuples, 2, symbol, turns);
            ck_assert_uint_eq(symbol_rotate(tuples, 2, once, 4), once);
            ck_assert_uint_eq(symbol_rotate(tuples, 2, once, 3),
                              symbol_rotate(tuples, 2, symbol, turns + 3));
        }
    }
    ck_assert_uint_eq(symbol_rotate(tuples, 2, 'd', 1), 'a');
}
END_TEST

START_TEST(symbols_as_text)
{
    uint32_t got = 0, wrong = 0;
    for (uint32_t code = 0x20; code <= 0x10ffff; code++) {
        char text[5];
        if (!symbol_is_good(code))
            continue;
        utf8_text(code, text);
        wrong += !symbol_parse(text, &got) || got != code;
    }
    ck_assert_uint_eq(wrong, 0);
    const char *const bad[] = {"", "ab", "\x1f", "\x7f",
                               /* NOLINTNEXTLINE(misc-misleading-bidirectional): refused. */
                               "éa", "e\xcc\x81", "\xe2\x80\xae", "\xc2\x9b"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert(!symbol_parse(bad[i], &got));
}
END_TEST

START_TEST(suffixes_round_trip)
{
    for (int kind = PTL_TERRAIN_FIXED; kind <= PTL_TERRAIN_LINE; kind++) {
        for (unsigned v = 0; v < terrain_variant_count((ptl_terrain_shape)kind); v++) {
            char id[64];
            snprintf(id, sizeof id, "x_y%s", terrain_suffix((ptl_terrain_shape)kind, v));
            ck_assert_uint_eq(terrain_base_length(id), 3);
        }
    }
    ck_assert_uint_eq(terrain_base_length("_ns"), 3); /* nothing before it: no suffix */
    static const char *const keys[] = {"ant_straight", "ant_curved", "ant_end", "ant_tee",
                                       "ant_four_way"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        ck_assert_uint_eq(terrain_shape_length(keys[i]), 3);
    ck_assert_uint_eq(terrain_shape_length("ant_way"), 7);
    ck_assert_uint_eq(terrain_shape_length("_tee"), 4);
}
END_TEST

/* ---- inheritance ---- */

/* A chain whose definitions come in every order gives the same. */
START_TEST(chain_in_any_order)
{
    static const char *const parts[4] = {
        "{'type':'overmap_terrain','abstract':'a','sym':'1','see_cost':10,'color':'red',"
        "'flags':['F','G'],'mapgen':[{'n':1}]}",
        "{'type':'overmap_terrain','id':'b','copy-from':'a','extend':{'flags':['H','B']},"
        "'delete':{'flags':['F']}}",
        "{'type':'overmap_terrain','abstract':'c','copy-from':'b','name':'c',"
        "'relative':{'see_cost':-3},'proportional':{'travel_cost':1.5}}",
        "{'type':'overmap_terrain','id':'d','copy-from':'c','proportional':{'see_cost':0.5},"
        "'color':'blue'}"};
    char text[2048];
    int order[4], n = _i;
    for (int i = 0; i < 4; i++)
        order[i] = i;
    for (int i = 3; i > 0; i--) {
        int k = n % (i + 1), swap = order[i];
        n /= i + 1;
        order[i] = order[k];
        order[k] = swap;
    }
    snprintf(text, sizeof text, "[%s,\n%s,\n%s,\n%s]", parts[order[0]], parts[order[1]],
             parts[order[2]], parts[order[3]]);
    fixture_import_text(text, false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows(
        "SELECT id, name, char(symbol), color, see_cost, travel_cost, looks_like,"
        " (SELECT group_concat(flag, ' ') FROM overmap_terrain_flag"
        " WHERE terrain = id) FROM overmap_terrain",
        8,
        "b||1|red|10|5|[\"a\"]|B G H\n"
        "d|c|1|blue|3|7|[\"c\",\"b\",\"a\"]|B G H");
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM overmap_terrain_mapgen"), 0);
}
END_TEST

START_TEST(given_flags_win_over_extend)
{
    fixture_import_text("[{'type':'overmap_terrain','id':'a','sym':'a','flags':['F']},\n"
                        "{'type':'overmap_terrain','id':'b','copy-from':'a','flags':['G'],"
                        "'extend':{'flags':['H']},'see_cost':4,'relative':{'see_cost':9}}]",
                        false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows("SELECT flag, see_cost FROM overmap_terrain_flag JOIN overmap_terrain"
                        " ON id = terrain WHERE id = 'b'",
                        2, "G|4");
}
END_TEST

/* Later packs win; they can copy what they replace; mapgen lists add up. */
START_TEST(redefinition)
{
    fixture_put("0/a.json", "[{'type':'overmap_terrain','id':'a','name':'old','sym':'a',"
                            "'color':'red','flags':['F'],'mapgen':[{'n':0}]},\n"
                            "{'type':'overmap_terrain','id':'z','sym':'z','color':'red'},\n"
                            "{'type':'overmap_terrain','id':'kid','copy-from':'a'}]");
    fixture_put("1/a.json",
                "[{'type':'overmap_terrain','id':'a','copy-from':'a','name':'new',"
                "'extend':{'flags':['G']},'mapgen':[{'n':1}]},\n"
                "{'type':'overmap_terrain','id':'z','sym':'Z','flags':['NO_ROTATE']}]");
    fixture_put("2/a.json",
                "{'type':'overmap_terrain','id':'a','copy-from':'a','color':'blue'}");
    fixture_import(3, false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows("SELECT id, name, char(symbol), color, pack, (SELECT group_concat(flag)"
                        " FROM overmap_terrain_flag WHERE terrain = id) FROM overmap_terrain",
                        6, "a|new|a|blue|2|F,G\nkid|old|a|red|0|F\nz||Z||1|NO_ROTATE");
    fixture_expect_rows("SELECT terrain, position, json FROM overmap_terrain_mapgen", 3,
                        "a|0|{\"n\":0}\na|1|{\"n\":1}");
    ck_assert_uint_eq(fixture.run.report.concrete_terrains, 9);
}
END_TEST

/* What is said of the mapgen `shoals`, and of no other, is checked. */
START_TEST(shoals)
{
    fixture_import_text(
        "[{'type':'overmap_terrain','id':'a','sym':'a','mapgen':[{'method':'builtin',"
        "'name':'shoals','islands':[0,16],'profile':'full','cliffs':100,'plants':0,'//"
        "':'x'}]},\n"
        "{'type':'overmap_terrain','id':'b','sym':'b','mapgen':[{'method':'builtin',"
        "'name':'river','islands':5},{'method':'json','name':'shoals','cliffs':-1}]}]",
        false);
    fixture_expect(PTL_OK, "");
    fixture_import_text("{'type':'overmap_terrain','id':'a','sym':'a','mapgen':[{'n':1},\n"
                        "{'method':'builtin','name':'shoals','islands':[3,2],\n'cliffs':101,\n"
                        "'plants':1.5,\n'profile':'steep',\n'tides':1}]}",
                        false);
    fixture_expect(
        PTL_ERR_CONTENT,
        "error: 0/a.json:2:47: a: 'islands' must be two whole numbers of 0 to 16, the "
        "smaller one first\n"
        "error: 0/a.json:3:10: a: 'cliffs' must be a whole number of 0 to 100\n"
        "error: 0/a.json:4:10: a: 'plants' must be a whole number of 0 to 100\n"
        "error: 0/a.json:5:11: a: 'profile' must be \"gentle\" or \"full\"\n"
        "warning: 0/a.json:6:9: a: the mapgen 'shoals' has no member 'tides'\n");
}
END_TEST

/* A new import replaces all rows, and a failed one none. */
START_TEST(import_replaces)
{
    fixture_import_text("[{'type':'overmap_terrain','id':'a','sym':'a'},\n"
                        "{'type':'overmap_location','id':'l','terrains':['a']},\n"
                        "{'type':'overmap_connection','id':'c','subtypes':[{'terrain':'a',"
                        "'locations':['l'],'flags':['ORTHOGONAL']}]},\n"
                        "{'type':'map_extra','id':'mx'},\n"
                        "{'type':'region_settings','id':'r','default_oter':'a','map_extras':"
                        "{'g':{'chance':1,'extras':{'mx':1}}},'city':{'houses':{'a':1}}}]",
                        false);
    fixture_expect(PTL_OK, "");
    fixture_import_text("{'type':'overmap_terrain','id':'b'}", false);
    fixture_expect(PTL_ERR_CONTENT, "error: 0/a.json:1:1: b: has no 'sym', nor inherits one\n");
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM region_extra"), 1);
    fixture_import_text("{'type':'overmap_terrain','id':'b','sym':'b'}", false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows("SELECT id FROM concrete_terrain", 1,
                        "b_east\nb_north\nb_south\nb_west");
    ck_assert_int_eq(fixture_number("SELECT (SELECT count(*) FROM region_settings) +"
                                    " (SELECT count(*) FROM overmap_connection) +"
                                    " (SELECT count(*) FROM map_extra)"),
                     0);
}
END_TEST

/* A chain of copies far deeper than any stack, and a circle as long. */
START_TEST(long_chains)
{
    enum { LENGTH = 20000 };
    bytes text;
    bytes_init(&text);
    for (int circle = 0; circle < 2; circle++) {
        bytes_clear(&text);
        for (int i = 0; i < LENGTH; i++)
            bytes_printf(&text,
                         "%s{'type':'overmap_terrain','abstract':'t%d','copy-from':'t%d'}",
                         i ? ",\n" : "[", i,
                         i + 1 < LENGTH ? i + 1
                         : circle       ? 0
                                        : LENGTH);
        bytes_printf(&text,
                     ",{'type':'overmap_terrain','id':'t%d','sym':'x'},"
                     "{'type':'overmap_terrain','id':'end','copy-from':'t0'}]",
                     LENGTH);
        fixture_import_text(bytes_text(&text), false);
        if (circle)
            ck_assert_ptr_nonnull(
                strstr((const char *)fixture.remarks.data, "goes in a circle"));
        else
            fixture_expect(PTL_OK, "");
    }
    bytes_dispose(&text);
}
END_TEST

/* ---- messages ---- */

START_TEST(warnings)
{
    fixture_import_text("[{'type':'overmap_terrain','id':['a','a'],'sym':'a'},\n"
                        "{'type':'overmap_terrain','id':'b','copy-from':'a',"
                        "'extend':{'flags':['X'],'color':'y'},\n'relative':{'sight':2}},\n"
                        "{'type':'overmap_terrain','id':'c','sym':'87'}]",
                        false);
    fixture_expect(
        PTL_OK,
        "warning: 0/a.json:1:2: a: defined twice in this pack; the later definition counts\n"
        "warning: 0/a.json:2:61: b: 'extend' has members other than flags and "
        "post_process_generators; they do nothing\n"
        "warning: 0/a.json:3:12: b: 'relative' has members other than see_cost, travel_cost "
        "and "
        "mondensity; they do nothing\n"
        "warning: 0/a.json:4:42: c: 'sym' has more than one character: the first counts\n");
    ck_assert_int_eq(fixture_number("SELECT symbol FROM overmap_terrain WHERE id = 'c'"), '8');
}
END_TEST

/* What copies from something unresolved is left out as well; an earlier definition stays. */
START_TEST(lenient)
{
    fixture_put("0/a.json",
                "[{'type':'overmap_terrain','id':['a','x'],'sym':'a'},\n"
                "{'type':'overmap_terrain','id':'lost','copy-from':'gone','sym':'l'},\n"
                "{'type':'overmap_terrain','id':'kid','copy-from':'lost'},\n"
                "{'type':'overmap_terrain','id':'b','copy-from':'a',"
                "'land_use_code':'nowhere'}]");
    fixture_put("1/a.json", "{'type':'overmap_terrain','id':'x','copy-from':'gone'}");
    fixture_import(2, true);
    fixture_expect(
        PTL_OK, "warning: 1/a.json:1:48: x: copy-from names 'gone', which nothing defines\n"
                "warning: 0/a.json:2:51: lost: copy-from names 'gone', which nothing defines\n"
                "warning: 0/a.json:4:68: b: no such overmap_land_use_code 'nowhere'\n");
    fixture_expect_rows("SELECT id, pack, land_use_code FROM overmap_terrain", 3,
                        "a|0|-\nb|0|-\nx|0|-");
}
END_TEST

START_TEST(too_many)
{
    bytes text;
    bytes_init(&text);
    for (int i = 0; i <= 4096; i++)
        bytes_printf(&text, "%s'l%04d'",
                     i ? "," : "{'type':'overmap_terrain','flags':['LINEAR'],'id':[", i);
    bytes_put_text(&text, "]}");
    fixture_import_text(bytes_text(&text), false);
    fixture_expect(PTL_ERR_CONTENT,
                   "error: 0/a.json:1:1: l4095: the content has more than 65534 "
                   "concrete terrains, which is the limit\n");
    bytes_dispose(&text);
}
END_TEST

/* ---- real content ---- */

START_TEST(game_content)
{
    char *json = game_data("json");
    if (!json)
        return;
    import_run run;
    import_one(&run, fixture.store, json);
    ck_assert_msg(run.status == PTL_OK, "%s", run.err.message);
    ck_assert_uint_eq(run.report.terrain_objects, 897);
    ck_assert_uint_eq(run.report.terrain_types, 5244);
    ck_assert_uint_eq(run.report.concrete_terrains, 20496);
    ck_assert_uint_eq(run.report.locations, 48);
    ck_assert_uint_eq(run.report.connections, 6);
    ck_assert_uint_eq(run.report.regions, 3);
    ck_assert_uint_eq(run.report.map_extras, 65);
    ck_assert_uint_eq(run.report.rotatable_symbols, 24);
    fixture_expect_rows("SELECT kind, count(*) FROM overmap_terrain GROUP BY kind", 2,
                        "0|184\n1|5054\n2|6");
    fixture_expect_rows("SELECT bin, count(*), sum(weight), sum(kind = 'terrain') FROM"
                        " region_building WHERE region = 'default' GROUP BY bin",
                        4,
                        "houses|129|5655|3\nparks|31|2890|13\nshops|203|44450|10\n"
                        "trailheads|3|3|0");
    fixture_expect_rows("SELECT chance, count(*), sum(weight) FROM region_extra_group JOIN"
                        " region_extra USING (region, name) WHERE name = 'sewer'",
                        3, "1|21|460");
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM overmap_terrain_flag"
                                    " WHERE flag = 'SIDEWALK'"),
                     1245);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM overmap_location WHERE id NOT IN"
                                    " (SELECT location FROM overmap_location_terrain)"),
                     0);
    import_run_dispose(&run);
    free(json);
}
END_TEST

/* Mods over the game's content, several at once since each import reads all of it. */
enum { MODS_AT_ONCE = 8 };
static const struct {
    const char *mods[MODS_AT_ONCE];
    const char *sql, *expected; /* what the mods do to the default region */
    int columns;
} mod_groups[] = {
    {{"desert_region"},
     "SELECT default_oter, river_scale, lake_size_min, pack FROM region_settings"
     " WHERE id = 'default'",
     "desert|0.0|10|1",
     4},
    {{"More_Locations", "Fuji_Structures", "alt_map_key", "National_Guard_Camp", "rural_biome",
      "Urban_Development"},
     "SELECT count(*), sum(weight) FROM region_building WHERE region = 'default'"
     " AND bin = 'houses' AND id GLOB 'urban_[24]0_*'",
     "2|60",
     2},
    {{"Magiclysm", "Dark-Skies-Above", "Aftershock", "DinoMod", "No_Rail_Stations", "No_Fungi",
      "classic_zombies"},
     "SELECT river_scale, noise_threshold_lake, shop_radius, shop_sigma,"
     " (SELECT weight FROM region_building WHERE region = 'default' AND bin = 'houses'"
     " AND id = 'railroad_city'), (SELECT group_concat(flag) FROM region_feature_flag"
     " WHERE region = 'default' AND list = 'whitelist'), (SELECT count(*) FROM"
     " region_feature_flag WHERE region = 'default' AND list = 'blacklist'),"
     " (SELECT weight FROM region_extra WHERE region = 'default' AND name = 'forest_water'"
     " AND map_extra = 'mx_nest_tyrannosaurus') FROM region_settings WHERE id = 'default'",
     "2.0|0.12|1|300|0|CLASSIC|8|10",
     8}};

START_TEST(game_mods)
{
    char *directories[MODS_AT_ONCE + 1] = {game_data("json")};
    const char *list[MODS_AT_ONCE + 1];
    size_t count = 0;
    bool complete = directories[0] != NULL;
    for (; count < MODS_AT_ONCE && mod_groups[_i].mods[count]; count++) {
        char name[64];
        snprintf(name, sizeof name, "mods/%s", mod_groups[_i].mods[count]);
        directories[count + 1] = game_data(name);
        complete = complete && directories[count + 1];
    }
    if (complete) {
        import_run run;
        for (size_t i = 0; i <= count; i++)
            list[i] = directories[i];
        import_list(&run, fixture.store, count + 1, list);
        ck_assert_msg(run.status == PTL_OK, "%s", run.err.message);
        fixture_expect_rows(mod_groups[_i].sql, mod_groups[_i].columns,
                            mod_groups[_i].expected);
        import_run_dispose(&run);
    }
    for (size_t i = 0; i <= count; i++)
        free(directories[i]);
}
END_TEST

/* What is unresolved in the excerpts is what their README says. */
START_TEST(excerpts)
{
    char *bn = shared_data("content/bn"), *dda = shared_data("content/dda-mutable");
    if (bn && dda) {
        import_run run;
        memset(&run, 0, sizeof run);
        const char *directories[] = {bn, dda};
        run.options.directories = directories;
        run.options.lenient = true;
        run.options.directory_count = 1;
        run_import(&run, fixture.store);
        ck_assert_msg(run.status == PTL_OK, "%s", run.err.message);
        const char *text = (const char *)run.lines.data;
        ck_assert_ptr_nonnull(strstr(text, "dam: no such terrain type 'dam'"));
        ck_assert_ptr_nonnull(strstr(text, "road: no such terrain type 'ranch_camp_77'"));
        ck_assert_ptr_null(strstr(text, "copy-from"));
        ck_assert_int_eq(fixture_number("SELECT count(*) FROM overmap_connection"), 5);
        import_run_dispose(&run);
        run.options.directory_count = 2;
        run_import(&run, fixture.store);
        ck_assert_msg(run.status == PTL_OK, "%s", run.err.message);
        import_run_dispose(&run);
    }
    free(bn);
    free(dda);
}
END_TEST

static TCase *new_case(Suite *suite, const char *name)
{
    TCase *c = tcase_create(name);
    tcase_add_checked_fixture(c, fixture_setup, fixture_teardown);
    tcase_set_timeout(c, 60);
    suite_add_tcase(suite, c);
    return c;
}

Suite *definition_suite(void);
Suite *message_suite(void);
Suite *region_suite(void);

int main(void)
{
    Suite *suite = suite_create("terrain");
    TCase *c = new_case(suite, "fields");
    tcase_add_test(c, all_fields);
    tcase_add_test(c, empty_spawns_are_none);
    tcase_add_test(c, id_lists_and_abstract);
    c = new_case(suite, "expansion");
    tcase_add_test(c, line_variants);
    tcase_add_test(c, rotated_symbols);
    tcase_add_test(c, rotation_is_a_group);
    tcase_add_test(c, symbols_as_text);
    tcase_add_test(c, suffixes_round_trip);
    c = new_case(suite, "inheritance");
    tcase_add_loop_test(c, chain_in_any_order, 0, 24);
    tcase_add_test(c, given_flags_win_over_extend);
    tcase_add_test(c, redefinition);
    tcase_add_test(c, shoals);
    tcase_add_test(c, import_replaces);
    tcase_add_test(c, long_chains);
    c = new_case(suite, "messages");
    tcase_add_test(c, warnings);
    tcase_add_test(c, lenient);
    tcase_add_test(c, too_many);
    c = new_case(suite, "real");
    tcase_add_test(c, game_content);
    tcase_add_loop_test(c, game_mods, 0, (int)(sizeof mod_groups / sizeof *mod_groups));
    tcase_add_test(c, excerpts);
    SRunner *runner = srunner_create(suite);
    srunner_add_suite(runner, definition_suite());
    srunner_add_suite(runner, message_suite());
    srunner_add_suite(runner, region_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
