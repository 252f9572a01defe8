/* The importer's inner parts: scanner and positions (test_content_scan.c), suggestions, typed
 * readers, treatment of types. */
#include "unit/content/test_content_source.h"
#include "support/suite.h"

#include "content/content.h"
#include "content/import/field.h"
#include "content/import/source.h"
#include "core/bytes.h"
#include "core/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- suggestions ---- */

static unsigned min2(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The textbook's whole table, to compare the banded one with. */
static unsigned plain_distance(const char *a, const char *b)
{
    static unsigned d[64][64];
    size_t la = strlen(a), lb = strlen(b);
    for (size_t i = 0; i <= la; i++)
        for (size_t j = 0; j <= lb; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = (unsigned)(i + j);
                continue;
            }
            d[i][j] = min2(d[i - 1][j] + 1, d[i][j - 1] + 1);
            d[i][j] = min2(d[i][j], d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = min2(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[la][lb];
}

static void random_word(char *out, size_t length, rng *r)
{
    for (size_t i = 0; i < length; i++)
        out[i] = "abc_"[rng_below(r, 4)];
    out[length] = '\0';
}

/* A word that is a few edits away. */
static void edited_word(char *out, const char *from, rng *r)
{
    strcpy(out, from);
    for (uint32_t n = rng_below(r, 8); n > 0; n--) {
        size_t length = strlen(out), at = rng_below(r, length + 1);
        if (rng_below(r, 3) == 0 && length > 0 && at < length)
            memmove(out + at, out + at + 1, length - at);
        else if (rng_below(r, 2) == 0 && at + 1 < length) {
            char c = out[at];
            out[at] = out[at + 1];
            out[at + 1] = c;
        } else if (length < 50) {
            memmove(out + at + 1, out + at, length - at + 1);
            out[at] = 'x';
        }
    }
}

static bool has_plain_word(const char *text, const char *wanted)
{
    const size_t size = strlen(wanted);
    for (const char *at = text; (at = strstr(at, wanted)) != NULL; at++)
        if (at > text && at[-1] == '_' && (at[size] == '_' || at[size] == '\0'))
            return true;
    return false;
}

/* How good a word is, written down anew: less is better, 5000 is not at all. */
static unsigned plain_rank(const char *wanted, const char *word)
{
    const size_t n = strlen(wanted), m = strlen(word);
    const unsigned d = plain_distance(wanted, word);
    const unsigned bound = n < 6 ? n > 1 : n < 12 ? 2 : (unsigned)n / 4;
    unsigned rank = 5000;
    if (d == 0)
        return rank;
    if (d <= bound)
        rank = d == 1 ? 1 : 3000 + d;
    if (n < m && n >= 3 && strncmp(wanted, word, n) == 0)
        rank = min2(rank, 1000 + (unsigned)(m - n));
    else if (n < m && n >= 3 && has_plain_word(word, wanted))
        rank = min2(rank, 2000 + (unsigned)(m - n));
    else if (m < n && m >= 3 && strncmp(wanted, word, m) == 0)
        rank = min2(rank, 4000 + (unsigned)(n - m));
    return rank;
}

START_TEST(nearest_id_is_suggested)
{
    rng r = rng_from_key((uint64_t)_i + 77);
    for (int round = 0; round < 1500; round++) {
        char wanted[64], words[8][64];
        size_t length = 1 + rng_below(&r, 30);
        random_word(wanted, length, &r);
        const char *best = NULL;
        unsigned best_rank = 5000;
        suggestion s;
        suggest_begin(&s, wanted);
        for (int i = 0; i < 8; i++) {
            if (rng_below(&r, 4) == 0)
                random_word(words[i], 1 + rng_below(&r, 30), &r);
            else
                edited_word(words[i], wanted, &r);
            suggest_offer(&s, words[i]);
            const unsigned rank = plain_rank(wanted, words[i]);
            if (rank < best_rank || (best && rank == best_rank && strcmp(words[i], best) < 0)) {
                best = words[i];
                best_rank = rank;
            }
        }
        ck_assert_msg((best == NULL) == (s.best == NULL), "%s: %s, not %s", wanted,
                      s.best ? s.best : "-", best ? best : "-");
        if (best)
            ck_assert_str_eq(best, s.best);
    }
}
END_TEST

START_TEST(suggestions_are_not_far_fetched)
{
    static const struct {
        const char *wanted, *offered;
        bool near;
    } cases[] = {
        {"forest", "forset", true},
        {"forest", "forests", true},
        {"forest", "field", false},
        {"road_ns", "raod_ns", true},
        {"ab", "cd", false},
        {"a", "b", false},
        {"house_north", "house", true},
        {"seed", "keep", false},
        {"Farm", "bar", false},
        {"hospital_3_north", "hospital_3_south", true},
        {"", "a", false},
        {"same", "same", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        suggestion s;
        suggest_begin(&s, cases[i].wanted);
        suggest_offer(&s, cases[i].offered);
        ck_assert_msg((s.best != NULL) == cases[i].near, "%s: %s", cases[i].wanted,
                      cases[i].offered);
    }
}
END_TEST

/* Of what people type: the first word is wanted, in whatever order the words are offered. */
START_TEST(loose_suggestions)
{
    static const struct {
        const char *typed, *wanted, *others[3];
    } cases[] = {
        {"Anthill", "anthill", {"abbey", "ant", NULL}},
        {"gas_station", "Gas Station", {"gas", "station", NULL}},
        {"laboratory", "lab", {"lake", "lobby", NULL}},
        {"anthill_large", "anthill", {"ant", "apple", NULL}},
        {"fore", "forest", {"forest_thick", "lab", NULL}},
        {"same", NULL, {"same", "sort", NULL}},
        {"la", "lab", {"lake", NULL, NULL}},
        {"xyz", NULL, {"lab", "lake", "xylo"}},
        {"Farm", "Farm Mutable", {"bar", "farmland_of_old", "form_of_it"}},
        {"mutable", "Farm Mutable", {"immutable", "The Mutable Farms", NULL}},
        {"hospitel", "hospital", {"hospitel_2", NULL, NULL}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int turn = 0; turn < 2; turn++) {
            suggestion s;
            suggest_begin(&s, cases[i].typed);
            if (turn == 0 && cases[i].wanted)
                suggest_offer(&s, cases[i].wanted);
            for (size_t k = 0; k < 3 && cases[i].others[k]; k++)
                suggest_offer(&s, cases[i].others[k]);
            if (turn == 1 && cases[i].wanted)
                suggest_offer(&s, cases[i].wanted);
            ck_assert_pstr_eq(s.best, cases[i].wanted);
        }
}
END_TEST

/* ---- readers ---- */

/* One object in a file of its own, as the modules see it. */
static const char object_text[] =
    "{\n \"id\": \"o\", \"s\": \"text\", \"i\": 7, \"r\": 2.5, \"whole\": 3.0, \"b\": false,\n"
    " \"n\": null, \"p\": [ 1, -2, 3 ], \"q\": [ 1, 2 ], \"bad\": [ 1, \"x\", 3 ],\n"
    " \"name\": { \"str\": \"N\", \"str_pl\": \"Ns\" }, \"//\": 1, \"new/key\": 2 }";

static import im;
static ptl_import_options options = PTL_IMPORT_OPTIONS_INIT;
static ptl_import_report report = PTL_IMPORT_REPORT_INIT;
static found_file file;
static source_object object;
static bytes lines;
static json_reader *reader;

static void collect(void *payload, const ptl_diagnostic *d)
{
    (void)payload;
    bytes_printf(&lines, "%d:%d %s %s\n", d->line, d->column, d->id, d->message);
}

static void setup(void)
{
    memset(&im, 0, sizeof im);
    memset(&report, 0, sizeof report);
    memset(&file, 0, sizeof file);
    bytes_init(&lines);
    options =
        (ptl_import_options){.size = sizeof(ptl_import_options), .on_diagnostic = collect};
    im = (import){.options = &options, .report = &report, .arena = arena_new()};
    ck_assert_ptr_nonnull(im.arena);
    ck_assert_int_eq(source_init(&im), PTL_OK);
    file.file = (source_file){"f.json", 0, object_text, sizeof object_text - 1, 0};
    reader = json_reader_new((stop_hook){NULL, NULL});
    ck_assert_ptr_nonnull(reader);
    ck_assert(json_reader_whole(reader, object_text, sizeof object_text - 1, NULL));
    object = (source_object){.file = &file.file,
                             .json = json_loads(object_text, 0, NULL),
                             .document = json_reader_document(reader),
                             .type = "t"};
    ck_assert_ptr_nonnull(object.json);
}

static void teardown(void)
{
    json_decref(object.json);
    json_reader_free(reader);
    source_dispose(&im);
    arena_free(im.arena);
    bytes_dispose(&lines);
}

static void expect_lines(const char *wanted)
{
    diagnostics_finish(&im);
    diagnostics_emit(&im);
    ck_assert_str_eq(bytes_text(&lines), wanted);
}

START_TEST(readers_read)
{
    const char *text = NULL;
    int64_t number = 0;
    double real = 0;
    bool flag = true;
    const field o = field_of(&im, &object, NULL);
    ck_assert(field_string(field_key(o, "s"), &text));
    ck_assert_str_eq(text, "text");
    ck_assert(field_int(field_key(o, "i"), 0, 7, &number));
    ck_assert_int_eq(number, 7);
    ck_assert(field_int(field_key(o, "whole"), 3, 3, &number));
    ck_assert_int_eq(number, 3);
    ck_assert(field_number(field_key(o, "r"), &real));
    ck_assert_double_eq(real, 2.5);
    ck_assert(field_number(field_key(o, "i"), &real));
    ck_assert_double_eq(real, 7);
    ck_assert(field_bool(field_key(o, "b"), &flag));
    ck_assert(!flag);
    ck_assert(!field_string(field_key(o, "missing"), &text));
    ck_assert_str_eq(import_name(json_object_get(object.json, "name")), "N");
    ck_assert_str_eq(import_name(json_object_get(object.json, "s")), "text");
    ck_assert_str_eq(import_name(NULL), "");
    expect_lines("");
}
END_TEST

START_TEST(readers_report)
{
    const char *text = "kept";
    int64_t number = 5;
    double real = 0;
    bool flag;
    const field o = field_of(&im, &object, NULL);
    ck_assert(!field_required(field_key(o, "missing"), "missing"));
    ck_assert(!field_string(field_key(o, "i"), &text));
    ck_assert(!field_int(field_key(o, "r"), 0, 9, &number));
    ck_assert(!field_int(field_key(o, "i"), 0, 6, &number));
    ck_assert(!field_number(field_key(o, "n"), &real));
    ck_assert(!field_bool(field_key(o, "s"), &flag));
    ck_assert_str_eq(text, "kept");
    ck_assert_int_eq(number, 5);
    expect_lines("1:1 o missing key 'missing'\n"
                 "2:18 o 's': expected true or false, found a string\n"
                 "2:31 o 'i': expected a string, found an integer\n"
                 "2:31 o 'i': 7 is not between 0 and 6\n"
                 "2:39 o 'r': expected an integer, found a number\n"
                 "3:7 o 'n': expected a number, found null\n");
}
END_TEST

/* ---- how much is read in all ---- */

/* Walks a folder with one file of three bytes; what was read before is made up. */
static void walk_one(uint64_t bytes_before, size_t files_before, const char *wanted)
{
    char folder[] = "/tmp/portolan-walk-XXXXXX", name[64];
    ptl_error err = {0};
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/a.json", folder);
    FILE *out = fopen(name, "wb");
    ck_assert(out && fwrite("[ ]", 1, 3, out) == 3 && fclose(out) == 0);
    im.err = &err;
    roots_add(&im, folder, ROOT_GIVEN);
    import_source *source = im.source;
    source->files = calloc(files_before + 1, sizeof(found_file *));
    ck_assert_ptr_nonnull(source->files);
    source->file_count = files_before;
    source->file_capacity = files_before + 1;
    source->total_size = bytes_before;
    walk_all(&im);
    ck_assert_int_eq(source_status(&im), PTL_OK);
    ck_assert_uint_eq(source->file_count, files_before + (wanted[0] == '\0'));
    ck_assert_uint_eq(source->total_size, bytes_before + (wanted[0] == '\0' ? 3 : 0));
    source->files[0] = source->files[files_before]; /* the others were never there */
    source->file_count -= files_before;
    diagnostics_finish(&im);
    diagnostics_emit(&im);
    ck_assert_msg(strstr(bytes_text(&lines), wanted) != NULL, "%s", bytes_text(&lines));
    ck_assert(wanted[0] != '\0' || lines.size == 0);
    unlink(name);
    rmdir(folder);
}

/* Up to the limit, and one beyond it. */
START_TEST(all_files_have_limits)
{
    static const struct {
        uint64_t size;
        size_t count;
        const char *wanted;
    } cases[] = {{SOURCE_TOTAL_MAX - 3, 0, ""},
                 {SOURCE_TOTAL_MAX - 2, 0, "the files are too large: at most 1073741824 bytes"},
                 {0, SOURCE_FILES_MAX - 1, ""},
                 {0, SOURCE_FILES_MAX, "too many files: at most 200000 are read"}};
    walk_one(cases[_i].size, cases[_i].count, cases[_i].wanted);
}
END_TEST

START_TEST(unknown_keys_are_counted)
{
    static const char *const unknown[] = {"bad", "name", "bad", "new/key"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        import_count_unknown_key(&im, &object, unknown[i]);
    ck_assert_uint_eq(report.unknown_keys, 4);
    ck_assert_uint_eq(im.source->unknown_count, 3); /* "bad" once, of two objects */
}
END_TEST

START_TEST(pointers_are_escaped)
{
    ck_assert_str_eq(import_pointer(&im, "/a", "b/c~d"), "/a/b~1c~0d");
    ck_assert_str_eq(import_pointer_at(&im, "", 12), "/12");
    import_error(&im, &object, NULL, import_pointer(&im, "", "new/key"), CT101, "here");
    import_error(&im, &object, "given", "/p/1", CT101, "there");
    expect_lines("3:23 given there\n4:62 o here\n");
}
END_TEST

START_TEST(unresolved_is_an_error_unless_lenient)
{
    ck_assert(!import_unresolved(&im, &object, NULL, "", CT104, "no '%s'", "x"));
    ck_assert_uint_eq(report.errors, 1);
    options.lenient = true;
    ck_assert(import_unresolved(&im, &object, NULL, "", CT104, "no '%s'", "x"));
    ck_assert_uint_eq(report.errors, 1);
    ck_assert_uint_eq(report.warnings, 1);
}
END_TEST

START_TEST(types_have_their_treatment)
{
    static const char *const kept[] = {"mapgen",
                                       "palette",
                                       "terrain",
                                       "furniture",
                                       "trap",
                                       "field_type",
                                       "item_group",
                                       "AMMO",
                                       "ARMOR",
                                       "BATTERY",
                                       "BIONIC_ITEM",
                                       "BOOK",
                                       "COMESTIBLE",
                                       "CONTAINER",
                                       "ENGINE",
                                       "GENERIC",
                                       "GUN",
                                       "GUNMOD",
                                       "MAGAZINE",
                                       "PET_ARMOR",
                                       "TOOL",
                                       "TOOLMOD",
                                       "TOOL_ARMOR",
                                       "WHEEL",
                                       "MONSTER",
                                       "monstergroup",
                                       "vehicle",
                                       "vehicle_group",
                                       "vehicle_placement",
                                       "vehicle_spawn",
                                       "npc",
                                       "npc_class",
                                       "snippet",
                                       "MIGRATION",
                                       "ter_furn_transform",
                                       "obsolete_terrain"};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        ck_assert_int_eq(treatment_of(content_modules, kept[i]), TREATMENT_KEPT);
    ck_assert_int_eq(treatment_of(content_modules, "overmap_terrain"), TREATMENT_TABLE);
    ck_assert_int_eq(treatment_of(content_modules, "oter_id_migration"), TREATMENT_TABLE);
    ck_assert_int_eq(treatment_of(content_modules, "region_overlay"), TREATMENT_TABLE);
    ck_assert_int_eq(treatment_of(content_modules, "recipe"), TREATMENT_SKIPPED);
    ck_assert_int_eq(treatment_of(content_modules, ""), TREATMENT_SKIPPED);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("content source");
    suite_add_tcase(suite, scan_case());
    TCase *suggest = tcase_create("suggest");
    tcase_add_loop_test(suggest, nearest_id_is_suggested, 0, 8);
    tcase_add_test(suggest, suggestions_are_not_far_fetched);
    tcase_add_test(suggest, loose_suggestions);
    suite_add_tcase(suite, suggest);
    TCase *readers = tcase_create("readers");
    tcase_add_checked_fixture(readers, setup, teardown);
    tcase_add_test(readers, readers_read);
    tcase_add_test(readers, readers_report);
    tcase_add_test(readers, unknown_keys_are_counted);
    tcase_add_loop_test(readers, all_files_have_limits, 0, 4);
    tcase_add_test(readers, pointers_are_escaped);
    tcase_add_test(readers, unresolved_is_an_error_unless_lenient);
    tcase_add_test(readers, types_have_their_treatment);
    suite_add_tcase(suite, readers);
    return suite_run(suite);
}
