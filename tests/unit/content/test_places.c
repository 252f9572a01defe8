/* portolan/places.h: where ids are defined and used, what a character of a drawing means, and
 * that an import which is broken off changes neither. */
#include "portolan/places.h"
#include "support/suite.h"
#include "unit/content/content_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char scratch[64];
static ptl_sources *sources;
static bytes told;

static void setup(void)
{
    make_scratch(scratch);
    bytes_init(&told);
    ck_assert_int_eq(ptl_sources_new(&sources, NULL), PTL_OK);
}

static void teardown(void)
{
    ptl_sources_free(sources);
    bytes_dispose(&told);
    remove_scratch(scratch);
}

static bool stop_later(void *payload)
{
    int *left = payload;
    return --*left < 0;
}

/* Imports the folder; a text stands for a.json unless it is NULL. `left` questions are answered
 * by no. */
static ptl_status import_text(const char *text, int left)
{
    char path[80];
    const char *directory = scratch;
    snprintf(path, sizeof path, "%s/a.json", scratch);
    const ptl_file_text given = {path, text, text ? strlen(text) : 0};
    const ptl_import_options o = {.size = sizeof o,
                                  .directories = &directory,
                                  .directory_count = 1,
                                  .check = true,
                                  .should_stop = stop_later,
                                  .payload = &left,
                                  .texts = &given,
                                  .text_count = text != NULL,
                                  .sources = sources};
    return ptl_import(NULL, NULL, &o, NULL);
}

/* JSON of a text in which ' stands for ". */
static char *json(const char *text)
{
    char *out = strdup(text);
    ck_assert_ptr_nonnull(out);
    for (char *at = out; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    return out;
}

static void import_json(const char *text)
{
    char *out = json(text);
    put_file(scratch, "a.json", out);
    free(out);
    (void)import_text(NULL, INT32_MAX);
}

static bool on_place(void *payload, const ptl_place *place)
{
    size_t size;
    const char *text = ptl_sources_text(&size, sources, place->file);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_le(place->end, size);
    bytes_printf(&told, "%s %.*s@%zu ", place->kind, (int)(place->end - place->start),
                 text + place->start, place->start);
    return payload == NULL;
}

static const char *definitions(void)
{
    bytes_clear(&told);
    ck_assert_int_eq(ptl_definition_list(sources, NULL, NULL, NULL, on_place, NULL, NULL),
                     PTL_OK);
    return bytes_text(&told);
}

#define LOCATION(id) "{\"type\": \"overmap_location\", \"id\": \"" id "\"}"

START_TEST(a_check_that_is_broken_off_changes_nothing)
{
    char path[80];
    size_t size;
    bytes later = {.size = 0};
    bytes_put_text(&later, "[" LOCATION("new"));
    for (int i = 0; i < 20000; i++) /* so that the scan asks */
        bytes_put_text(&later, ", {\"type\": \"x\", \"list\": [1, 2, 3]}");
    bytes_put_text(&later, "]");
    snprintf(path, sizeof path, "%s/a.json", scratch);
    put_file(scratch, "a.json", "[" LOCATION("first") "]");
    put_file(scratch, "b.json", "[" LOCATION("second") "]");
    (void)import_text(NULL, INT32_MAX);
    int stopped = 0;
    /* Whether the list was asked for before or not. */
    for (int left = 0; left < 100; left++) {
        if (left % 2)
            (void)definitions();
        if (import_text(bytes_text(&later), left) != PTL_ERR_CANCELLED)
            break;
        stopped++;
        ck_assert_str_eq(definitions(),
                         "overmap_location first@37 overmap_location second@37 ");
        ck_assert_str_eq(ptl_sources_text(&size, sources, path), "[" LOCATION("first") "]");
        ck_assert_uint_eq(size, strlen("[" LOCATION("first") "]"));
    }
    ck_assert_int_gt(stopped, 3);
    ck_assert_str_eq(definitions(), "overmap_location new@37 overmap_location second@37 ");
    /* A new file is not there before an import has read it whole, and a file that is gone is
     * there until then. */
    put_file(scratch, "c.json", "[" LOCATION("third") "]");
    ck_assert_int_eq(import_text(LOCATION("one"), 0), PTL_ERR_CANCELLED);
    ck_assert_ptr_nonnull(strstr(definitions(), "new@37"));
    ck_assert_ptr_null(strstr(definitions(), "third"));
    (void)import_text(LOCATION("one"), INT32_MAX);
    ck_assert_str_eq(definitions(), "overmap_location one@36 overmap_location second@37 "
                                    "overmap_location third@37 ");
    bytes_dispose(&later);
}
END_TEST

START_TEST(ends_and_absent_ids)
{
    import_json("[{'type': 'palette', 'id': 'p', 'palettes': ['q']}, {'type': 'palette', "
                "'id': 'q'}, {'type': 'palette', 'id': 'unused'}]");
    ptl_error err;
    bytes_clear(&told);
    ck_assert_int_eq(ptl_reference_list(sources, "palette", "q", on_place, NULL, &err), PTL_OK);
    ck_assert_str_eq(bytes_text(&told), "palette q@46 ");
    bytes_clear(&told);
    ck_assert_int_eq(ptl_reference_list(sources, "palette", "unused", on_place, NULL, &err),
                     PTL_OK);
    ck_assert_uint_eq(told.size, 0);
    ck_assert_int_eq(ptl_reference_list(sources, "palette", "none", on_place, NULL, &err),
                     PTL_ERR_NOT_FOUND);
    ck_assert_str_eq(err.message, "no palette 'none' is defined");
    ck_assert_int_eq(ptl_reference_list(sources, "terrain", "q", on_place, NULL, &err),
                     PTL_ERR_NOT_FOUND);
    /* A callback that wants no more. */
    ck_assert_int_eq(ptl_reference_list(sources, "palette", "q", on_place, &told, &err),
                     PTL_ERR_CANCELLED);
    bytes_clear(&told);
    ck_assert_int_eq(ptl_definition_list(sources, NULL, NULL, NULL, on_place, &told, &err),
                     PTL_ERR_CANCELLED);
    ck_assert_str_eq(bytes_text(&told), "palette p@28 ");
    ck_assert_int_eq(ptl_definition_list(sources, NULL, "none", NULL, on_place, NULL, &err),
                     PTL_OK);
}
END_TEST

static bool on_weight(void *payload, const ptl_place *place)
{
    (void)payload;
    bytes_printf(&told, "%lld ", (long long)place->weight);
    return true;
}

/* Monster groups of older content have their id as "name"; what else has a name has no id by
 * it. */
START_TEST(ids_with_escapes)
{
    put_file(scratch, "a.json", "[{\"type\": \"overmap_location\", \"id\": \"a\\u0062\"}]");
    (void)import_text(NULL, INT32_MAX);
    ck_assert_str_eq(definitions(), "overmap_location a\\u0062@37 ");
    /* It is found by what it stands for. */
    bytes_clear(&told);
    ck_assert_int_eq(ptl_definition_list(sources, NULL, "ab", NULL, on_place, NULL, NULL),
                     PTL_OK);
    ck_assert_str_eq(bytes_text(&told), "overmap_location a\\u0062@37 ");
}
END_TEST

START_TEST(groups_with_names)
{
    import_json(
        "[{'type': 'monstergroup', 'name': 'G', 'monsters': []}, {'type': 'region_settings', "
        "'name': 'R'}, {'type': 'monstergroup', 'id': 'H', 'monsters': [{'group': 'G'}]}]");
    ck_assert_str_eq(definitions(), "monstergroup G@35 monstergroup H@130 ");
    bytes_clear(&told);
    ck_assert_int_eq(ptl_reference_list(sources, "monstergroup", "G", on_place, NULL, NULL),
                     PTL_OK);
    ck_assert_str_eq(bytes_text(&told), "monstergroup G@158 ");
}
END_TEST

/* The weights are those by which maps are made (mapgen/compile/). */
START_TEST(weights_of_entries)
{
    import_json("[{'type': 'mapgen', 'om_terrain': 'a'},"
                "{'type': 'mapgen', 'om_terrain': 'a', 'weight': 7},"
                "{'type': 'mapgen', 'om_terrain': 'a', 'weight': 7, 'disabled': true},"
                "{'type': 'mapgen', 'om_terrain': 'a', 'weight': 0},"
                "{'type': 'mapgen', 'om_terrain': 'a', 'weight': 2.5},"
                "{'type': 'mapgen', 'om_terrain': 'a', 'weight': -3},"
                "{'type': 'mapgen', 'om_terrain': 'a', 'weight': {'global_val': 'x'}},"
                "{'type': 'mapgen', 'om_terrain': 'a', 'weight': {'default': 40}}]");
    ck_assert_int_eq(ptl_definition_list(sources, "mapgen", "a", NULL, on_weight, NULL, NULL),
                     PTL_OK);
    ck_assert_str_eq(bytes_text(&told), "1000 7 0 0 0 0 1000 40 ");
}
END_TEST

/* ---- drawings ---- */

static bool on_drawn(void *payload, const ptl_drawn *d)
{
    const char *member = payload;
    if (strcmp(d->member, member) == 0)
        bytes_printf(&told, "%s %s %g, ", d->palette, d->value, d->chance);
    return true;
}

/* What a member says about the first character of the rows of this drawing; the palettes are
 * those of the last import. */
static const char *drawn_text(const char *text, const char *member, ptl_status wanted)
{
    ptl_error err;
    char *out = json(text);
    const ptl_file_text given = {"/x.json", out, strlen(out)};
    const char *rows = strstr(out, "\"rows\": [\"");
    ck_assert_ptr_nonnull(rows);
    bytes_clear(&told);
    const ptl_status status =
        ptl_drawn_list(sources, &given, (size_t)(rows - out) + strlen("\"rows\": [\""),
                       on_drawn, (void *)(uintptr_t)member, &err);
    ck_assert_msg(status == wanted, "%s", err.message);
    free(out);
    return bytes_text(&told) ? (const char *)told.data : "";
}

#define DRAWING(rest) "[{'type': 'mapgen', 'object': {'rows': ['#'], " rest "}}]"

static const char *drawn(const char *text)
{
    return drawn_text(text, "terrain", PTL_OK);
}

START_TEST(palettes_are_followed)
{
    import_json(
        "[{'type': 'palette', 'id': 'wood', 'terrain': {'#': 't_wood'}},"
        "{'type': 'palette', 'id': 'stone', 'terrain': {'#': [['t_stone', 3], 't_brick']}},"
        "{'type': 'palette', 'id': 'none'},"
        "{'type': 'palette', 'id': 'both', 'parameters': {'w': {'default': "
        "{'distribution': [['wood', 1], ['stone', 4]]}}},"
        "'palettes': [{'param': 'w'}], 'furniture': {'#': {'switch': {'param': 'w'}, "
        "'cases': {'wood': 'f_peg', 'stone': 'f_nail'}}}},"
        "{'type': 'palette', 'id': 'x', 'terrain': {'#': {'switch': {'param': 'p'}, 'cases': "
        "{'x': 't_x', 'y': 't_y'}}}},"
        "{'type': 'palette', 'id': 'again', 'palettes': ['again', 'wood']}]");
    static const char *const cases[][2] = {
        {DRAWING("'palettes': ['wood']"), "wood t_wood 1, "},
        /* Lists, also weighted ones. */
        {DRAWING("'palettes': [['wood', 'stone']]"),
         "wood t_wood 0.5, stone t_stone 0.375, stone t_brick 0.125, "},
        {DRAWING("'palettes': [['wood', 'none', 'none', 'none']]"), "wood t_wood 0.25, "},
        {DRAWING("'palettes': [[['wood', 1], ['none', 3]]]"), "wood t_wood 0.25, "},
        {DRAWING("'palettes': [{'distribution': [['wood', 1], ['none', 3]]}]"),
         "wood t_wood 0.25, "},
        /* What comes later in the list covers what comes earlier, as often as it is chosen. */
        {DRAWING("'palettes': ['wood', [['stone', 1], ['none', 3]]]"),
         "stone t_stone 0.1875, stone t_brick 0.0625, wood t_wood 0.75, "},
        {DRAWING("'palettes': ['wood', 'stone']"), "stone t_stone 0.75, stone t_brick 0.25, "},
        {DRAWING("'terrain': {'#': 't_own'}, 'palettes': ['wood']"), " t_own 1, "},
        /* Parameters, of the drawing or of its palettes, and their fallbacks. */
        {DRAWING("'parameters': {'p': {'default': {'distribution': ['wood', ['none', 9]]}}}, "
                 "'palettes': [{'param': 'p', 'fallback': 'stone'}]"),
         "wood t_wood 0.1, "},
        {DRAWING("'palettes': [{'param': 'p', 'fallback': 'wood'}]"), "wood t_wood 1, "},
        {DRAWING("'palettes': [{'param': 'p'}]"), ""},
        {DRAWING("'palettes': ['both']"),
         "wood t_wood 0.2, stone t_stone 0.6, stone t_brick 0.2, "},
        {DRAWING("'palettes': ['both'], 'terrain': {'#': {'switch': {'param': 'w'}, 'cases': "
                 "{'stone': 't_x'}}}"),
         " t_x 0.8, "},
        /* Switches; a value that no case has gives nothing. */
        {DRAWING("'parameters': {'p': {'default': {'distribution': ['a', 'b', 'c']}}}, "
                 "'palettes': [{'switch': {'param': 'p', 'fallback': 'a'}, 'cases': "
                 "{'a': 'wood', 'b': ['none', 'wood']}}]"),
         "wood t_wood 0.333333, wood t_wood 0.166667, "},
        {DRAWING("'palettes': [{'switch': {'param': 'p', 'fallback': 'a'}, 'cases': "
                 "{'a': 'wood'}}]"),
         "wood t_wood 1, "},
        /* What depends on a choice knows what was chosen. */
        {DRAWING("'parameters': {'p': {'default': {'distribution': ['x', 'y']}}}, "
                 "'palettes': [{'param': 'p'}]"),
         "x t_x 0.5, "},
        /* One that is not defined covers nothing. */
        {DRAWING("'palettes': ['wood', [['stone', 1], ['gone', 3]]]"),
         "stone t_stone 0.1875, stone t_brick 0.0625, wood t_wood 0.75, "},
        /* One that contains itself. */
        {DRAWING("'palettes': ['again']"), "wood t_wood 1, "},
        {DRAWING("'terrain': {'#': {'ter': 't_own'}}"), " t_own 1, "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_str_eq(drawn(cases[i][0]), cases[i][1]);
    /* The value of a parameter stays the same in what depends on it. */
    ck_assert_str_eq(drawn_text(DRAWING("'palettes': ['both']"), "furniture", PTL_OK),
                     "both f_peg 0.2, both f_nail 0.8, ");
}
END_TEST

/* The last definition of a palette counts. */
START_TEST(later_palettes_replace_earlier_ones)
{
    import_json("[{'type': 'palette', 'id': 'p', 'terrain': {'#': 't_old'}},"
                "{'type': 'terrain', 'id': 'p'},"
                "{'type': 'palette', 'id': 'p', 'terrain': {'#': 't_new'}}]");
    ck_assert_str_eq(drawn(DRAWING("'palettes': ['p']")), "p t_new 1, ");
}
END_TEST

/* No number of palettes is passed over in silence. */
START_TEST(many_palettes)
{
    bytes text = {.size = 0}, list = {.size = 0};
    bytes_put_text(&text, "[{'type': 'palette', 'id': 'last', 'terrain': {'#': 't_last'}}");
    for (int i = 0; i < 5000; i++) {
        bytes_printf(&text, ", {'type': 'palette', 'id': 'p%d'}", i);
        bytes_printf(&list, ", 'p%d'", i);
    }
    for (int i = 0; i < 100; i++)
        bytes_printf(&text, ", {'type': 'palette', 'id': 'd%d', 'palettes': ['%s%d', 'd%d']}",
                     i, i == 20 ? "last" : "d", i + 1, i + 1);
    for (int i = 0; i < 20; i++)
        bytes_printf(&text, ", {'type': 'palette', 'id': 'e%d', 'palettes': ['e%d']}", i,
                     i + 1);
    bytes_put_text(&text, ", {'type': 'palette', 'id': 'e20', 'palettes': ['last']}]");
    import_json(bytes_text(&text));
    bytes_clear(&text);
    bytes_printf(&text, DRAWING("'palettes': ['last'%s]"), bytes_text(&list));
    ck_assert_str_eq(drawn(bytes_text(&text)), "last t_last 1, ");
    ck_assert_str_eq(drawn(DRAWING("'palettes': ['e0']")), "last t_last 1, ");
    /* 2^100 ways, and 100 deep: what can be gone through is. */
    (void)drawn_text(DRAWING("'palettes': ['d0']"), "terrain", PTL_ERR_LIMIT);
    bytes_dispose(&text);
    bytes_dispose(&list);
}
END_TEST

/* Content that would never end: parameters and palettes that lead back to themselves. */
START_TEST(circles_end)
{
    import_json("[{'type': 'palette', 'id': 'p', 'palettes': [['p', {'param': 'x'}], 'q']},"
                "{'type': 'palette', 'id': 'q', 'palettes': ['p'], 'parameters': "
                "{'x': {'default': {'param': 'x'}}}}]");
    (void)drawn_text(DRAWING("'palettes': ['p', 'q']"), "terrain", PTL_ERR_LIMIT);
    (void)drawn_text(DRAWING("'palettes': ['p', 'q'], 'terrain': {'#': 't_x'}"), "terrain",
                     PTL_ERR_LIMIT);
    ck_assert_str_eq((const char *)told.data, " t_x 1, ");
}
END_TEST

/* ---- byte order marks ---- */

#define MARK "\xef\xbb\xbf"

START_TEST(a_mark_moves_places)
{
    char *palettes = json("[{'type': 'palette', 'id': 'p', 'terrain': {'#': 't'}}]");
    char *plain = json(DRAWING("'palettes': ['p']"));
    bytes marked = {.size = 0};
    bytes_printf(&marked, MARK "%s", palettes);
    put_file(scratch, "a.json", bytes_text(&marked));
    (void)import_text(NULL, INT32_MAX);
    ck_assert_str_eq(definitions(), "palette p@28 ");
    bytes_clear(&marked);
    bytes_printf(&marked, MARK "%s", plain);
    const ptl_file_text with = {"/x.json", bytes_text(&marked), marked.size};
    const ptl_file_text without = {"/x.json", plain, strlen(plain)};
    for (size_t at = 0; at < without.length; at++) {
        ptl_place_info a = PTL_PLACE_INFO_INIT, b = PTL_PLACE_INFO_INIT;
        const ptl_status status = ptl_place_find(&a, sources, &without, at, NULL);
        ck_assert_int_eq(ptl_place_find(&b, sources, &with, at + 3, NULL), status);
        if (status != PTL_OK)
            continue;
        ck_assert_uint_eq(b.start, a.start + 3);
        ck_assert_uint_eq(b.end, a.end + 3);
        ck_assert_uint_eq(b.known_count, a.known_count);
        ck_assert_uint_eq(b.is_drawn, a.is_drawn);
    }
    ptl_place_info none = PTL_PLACE_INFO_INIT;
    for (size_t at = 0; at < 4; at++)
        ck_assert_int_eq(ptl_place_find(&none, sources, &with, at, NULL), PTL_ERR_NOT_FOUND);
    bytes_clear(&told);
    const size_t row = (size_t)(strchr(plain, '#') - plain);
    ck_assert_int_eq(ptl_drawn_list(sources, &with, row + 3, on_drawn, "terrain", NULL),
                     PTL_OK);
    ck_assert_str_eq(bytes_text(&told), "p t 1, ");
    bytes_dispose(&marked);
    free(plain);
    free(palettes);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("places");
    TCase *tc = tcase_create("places");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_check_that_is_broken_off_changes_nothing);
    tcase_add_test(tc, ends_and_absent_ids);
    tcase_add_test(tc, ids_with_escapes);
    tcase_add_test(tc, groups_with_names);
    tcase_add_test(tc, weights_of_entries);
    tcase_add_test(tc, palettes_are_followed);
    tcase_add_test(tc, later_palettes_replace_earlier_ones);
    tcase_add_test(tc, many_palettes);
    tcase_add_test(tc, circles_end);
    tcase_add_test(tc, a_mark_moves_places);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
