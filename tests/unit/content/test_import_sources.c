/* Texts that stand for files, and what is kept of files from one import to the next
 * (ptl_sources): neither may change a remark. */
#include "core/hash.h"
#include "support/seeds.h"
#include "unit/content/content_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

static char scratch[64];

static void setup(void)
{
    make_scratch(scratch);
}

static void teardown(void)
{
    remove_scratch(scratch);
}

/* A text for a path below the scratch folder. */
typedef struct scratch_text {
    char path[128];
    ptl_file_text given;
} scratch_text;

static ptl_file_text text_for(scratch_text *out, const char *name, const char *text)
{
    snprintf(out->path, sizeof out->path, "%s%s", scratch, name);
    return (ptl_file_text){out->path, text, strlen(text)};
}

/* Checks the scratch folder with these texts. */
static void check(import_run *run, const ptl_file_text *texts, size_t count, ptl_sources *s)
{
    const char *directory = scratch;
    memset(run, 0, sizeof *run);
    run->options.directories = &directory;
    run->options.directory_count = 1;
    run->options.check = true;
    run->options.texts = texts;
    run->options.text_count = count;
    run->options.sources = s;
    run_import(run, NULL);
}

static ptl_sources *new_sources(void)
{
    ptl_sources *s;
    ck_assert_int_eq(ptl_sources_new(&s, NULL), PTL_OK);
    return s;
}

static void expect(const ptl_file_text *texts, size_t count, ptl_sources *s, const char *lines)
{
    import_run run;
    check(&run, texts, count, s);
    ck_assert_str_eq((const char *)run.lines.data, lines);
    import_run_dispose(&run);
}

#define NO_TYPE "an object without a \"type\"\n"

/* What is wrong in a file is wrong again when the file is not read again. */
START_TEST(mistakes_are_told_again)
{
    static const char *const names[] = {
        "json_number_range", "json_number",   "json_string",
        "json_unclosed",     "json_not_utf8", "type",
        "terrain_fields",    "region",        "mapgen",
        "special_mutable",   "city",          "terrain_copy_from"};
    char below[96];
    snprintf(below, sizeof below, "tests/content/invalid/%s", names[_i]);
    char *folder = source_path(below);
    ptl_sources *s = new_sources();
    import_run runs[3];
    for (int i = 0; i < 3; i++) {
        const char *directory = folder;
        memset(&runs[i], 0, sizeof runs[i]);
        runs[i].options.directories = &directory;
        runs[i].options.directory_count = 1;
        runs[i].options.check = true;
        runs[i].options.sources = i < 2 ? s : NULL;
        run_import(&runs[i], NULL);
        ck_assert_uint_gt(runs[i].lines.size, 0);
        ck_assert_str_eq((const char *)runs[i].lines.data, (const char *)runs[0].lines.data);
    }
    for (int i = 0; i < 3; i++)
        import_run_dispose(&runs[i]);
    ptl_sources_free(s);
    free(folder);
}
END_TEST

START_TEST(a_text_stands_for_a_file)
{
    scratch_text paths[2];
    char lines[400];
    put_file(scratch, "a.json", "[ { \"id\": \"on disk\" } ]");
    const ptl_file_text texts[] = {text_for(&paths[0], "/a.json", "[]"),
                                   text_for(&paths[1], "/a.json", "[ { \"id\": \"last\" } ]")};
    expect(texts, 1, NULL, "");
    snprintf(lines, sizeof lines, "error: %s/a.json:1:3: last: " NO_TYPE, scratch);
    expect(texts, 2, NULL, lines);
}
END_TEST

START_TEST(a_text_needs_no_file)
{
    /* Those that a walk over the folder would not find are ignored. */
    static const char *const ignored[] = {"/x.txt",     "/.git/x.json", "/.x.json",
                                          "x.json",     "/.json",       "//x.json",
                                          "/../x.json", "/sub//x.json", "/y.json/"};
    enum { IGNORED = sizeof ignored / sizeof ignored[0] };
    scratch_text paths[IGNORED + 2];
    ptl_file_text texts[IGNORED + 2];
    char lines[400];
    const char *wrong = "{ \"id\": \"new\" }";
    put_file(scratch, "b.json", wrong);
    for (size_t i = 0; i < IGNORED; i++)
        texts[i] = text_for(&paths[i], ignored[i], wrong);
    expect(
        texts, IGNORED, NULL,
        (snprintf(lines, sizeof lines, "error: %s/b.json:1:1: new: " NO_TYPE, scratch), lines));
    texts[IGNORED] = text_for(&paths[IGNORED], "/a/new.json", wrong);
    texts[IGNORED + 1] = text_for(&paths[IGNORED + 1], "/c.json", wrong);
    snprintf(lines, sizeof lines,
             "error: %s/a/new.json:1:1: new: " NO_TYPE "error: %s/b.json:1:1: new: " NO_TYPE
             "error: %s/c.json:1:1: new: " NO_TYPE,
             scratch, scratch, scratch);
    expect(texts, IGNORED + 2, NULL, lines);
}
END_TEST

/* Where a new text stands among the files decides which definition of an id counts: the last
 * by path. The digest tells the order. */
START_TEST(new_texts_stand_in_the_order_of_paths)
{
    static const char *const names[] = {"a.json", "b/x.json", "b.json", "c.json"};
    static const char form[] = "{ \"type\": \"overmap_location\", \"id\": \"l%zu\", "
                               "\"terrains\": [ \"t\" ] }";
    char texts[4][128], digest[2][PTL_CONTENT_DIGEST_SIZE];
    for (size_t i = 0; i < 4; i++) {
        snprintf(texts[i], sizeof texts[i], form, i);
        put_file(scratch, names[i], texts[i]);
    }
    put_file(scratch, "t.json",
             "{ \"type\": \"overmap_terrain\", \"id\": \"t\", \"name\": \"t\", \"sym\": \"t\", "
             "\"color\": \"red\" }");
    for (size_t missing = 0; missing <= 4; missing++) {
        scratch_text path;
        char name[64] = "/";
        import_run run;
        ptl_file_text text = {"", "", 0};
        if (missing < 4) {
            strcat(name, names[missing]);
            text = text_for(&path, name, texts[missing]);
            ck_assert_int_eq(unlink(path.path), 0);
        }
        check(&run, &text, 1, NULL);
        ck_assert_int_eq(run.status, PTL_OK);
        memcpy(digest[missing > 0], run.report.digest, sizeof digest[0]);
        ck_assert_str_eq(digest[missing > 0], digest[0]);
        import_run_dispose(&run);
        if (missing < 4)
            put_file(scratch, names[missing], texts[missing]);
    }
}
END_TEST

/* Sets a file's time of change to long ago, so that the file counts as settled. */
static void settle(const char *name, time_t when)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    ck_assert_int_eq(utime(path, &(struct utimbuf){when, when}), 0);
}

/* Imports the scratch folder into a new file. */
static void store_content(import_run *run, const char *file, ptl_sources *s)
{
    char path[128];
    const char *directory = scratch;
    ptl_store *store;
    ptl_open_options open = PTL_OPEN_OPTIONS_INIT;
    snprintf(path, sizeof path, "%s/%s", scratch, file);
    open.mode = PTL_OPEN_CREATE;
    memset(run, 0, sizeof *run);
    run->options.directories = &directory;
    run->options.directory_count = 1;
    run->options.sources = s;
    ck_assert_int_eq(ptl_store_open(&store, path, &open, NULL), PTL_OK);
    run_import(run, store);
    ck_assert_msg(run->status == PTL_OK, "%s", run->err.message);
    ptl_store_close(store);
}

/* Content that is stored with what a check, or another such import, has kept is the same as
 * without. */
START_TEST(what_is_kept_can_be_stored)
{
    static const char terrain[] = "[ { \"type\": \"overmap_terrain\", \"id\": \"%s\","
                                  " \"name\": \"a\", /* odd */ \"sym\": \"a\" },"
                                  " { \"type\": \"GENERIC\", \"id\": \"thing\","
                                  " \"name\": \"%s\" } ]";
    char text[400], file[16];
    char digests[4][PTL_CONTENT_DIGEST_SIZE];
    ptl_sources *s = new_sources();
    import_run run, fresh;
    put_file(scratch, "b.json",
             "[ { \"type\": \"overmap_terrain\", \"id\": \"b\", \"name\": \"b\","
             " \"copy-from\": \"a\" } ]");
    settle("b.json", 1000);
    for (int i = 0; i < 4; i++) {
        snprintf(text, sizeof text, terrain, "a", i < 2 ? "one" : "two");
        put_file(scratch, "a.json", text);
        settle("a.json", i < 2 ? 1000 : 2000);
        if (i % 2 == 0) { /* a check keeps nothing for the digest */
            check(&run, NULL, 0, s);
            ck_assert_str_eq(run.report.digest, "");
            import_run_dispose(&run);
        }
        snprintf(file, sizeof file, "kept%d.db", i);
        store_content(&run, file, s);
        snprintf(file, sizeof file, "fresh%d.db", i);
        store_content(&fresh, file, NULL);
        ck_assert_str_eq(run.report.digest, fresh.report.digest);
        ck_assert_str_eq((const char *)run.lines.data, (const char *)fresh.lines.data);
        ck_assert_uint_eq(run.report.kept, fresh.report.kept);
        ck_assert_uint_eq(run.report.terrain_types, 2);
        memcpy(digests[i], run.report.digest, sizeof digests[i]);
        import_run_dispose(&run);
        import_run_dispose(&fresh);
    }
    ck_assert_str_eq(digests[0], digests[1]);
    ck_assert_str_eq(digests[2], digests[3]);
    ck_assert_str_ne(digests[1], digests[2]);
    ptl_sources_free(s);
    ptl_sources_free(NULL);
}
END_TEST

START_TEST(a_settled_file_is_not_read_again)
{
    char wrong[200], soon[200];
    ptl_sources *s = new_sources();
    put_file(scratch, "a.json", "[ { \"id\": \"one\" } ]");
    settle("a.json", 1000);
    snprintf(wrong, sizeof wrong, "error: %s/a.json:1:3: one: " NO_TYPE, scratch);
    snprintf(soon, sizeof soon, "error: %s/a.json:1:3: two: " NO_TYPE, scratch);
    expect(NULL, 0, s, wrong);
    /* As much is written, and the file gets its old time: nothing tells that it changed. */
    put_file(scratch, "a.json", "[ { \"id\": \"two\" } ]");
    settle("a.json", 1000);
    expect(NULL, 0, s, wrong);
    settle("a.json", 1001);
    expect(NULL, 0, s, soon);
    /* A file that has changed just now may change again without a trace. */
    const time_t now = time(NULL);
    put_file(scratch, "a.json", "[ { \"id\": \"one\" } ]");
    settle("a.json", now);
    expect(NULL, 0, s, wrong);
    put_file(scratch, "a.json", "[ { \"id\": \"two\" } ]");
    settle("a.json", now);
    expect(NULL, 0, s, soon);
    ptl_sources_free(s);
}
END_TEST

static bool stop_later(void *payload)
{
    int *left = payload;
    return --*left < 0;
}

START_TEST(a_stopped_import_keeps_nothing_half_read)
{
    const char *directory = scratch;
    import_run fresh;
    bytes text = {.size = 0};
    bytes_put_text(&text, "[ /* odd */ { \"id\": \"one\" }");
    for (int i = 0; i < 3000; i++)
        bytes_put_text(&text, ", { \"type\": \"x\", /* odd */ \"list\": [ 1, 2, 3 ] }");
    bytes_put_text(&text, " ]");
    put_bytes(scratch, "a.json", text.data, text.size);
    bytes_dispose(&text);
    settle("a.json", 1000);
    check(&fresh, NULL, 0, NULL);
    ck_assert_ptr_nonnull(strstr((const char *)fresh.lines.data, "a comment"));
    bool ended = false;
    int asked = 0;
    for (; asked < 100 && !ended; asked++) {
        int left = asked;
        ptl_sources *s = new_sources();
        const ptl_import_options o = {.size = sizeof o,
                                      .directories = &directory,
                                      .directory_count = 1,
                                      .check = true,
                                      .should_stop = stop_later,
                                      .payload = &left,
                                      .sources = s};
        ended = ptl_import(NULL, NULL, &o, NULL) != PTL_ERR_CANCELLED;
        import_run run;
        check(&run, NULL, 0, s);
        ck_assert_str_eq((const char *)run.lines.data, (const char *)fresh.lines.data);
        import_run_dispose(&run);
        ptl_sources_free(s);
    }
    ck_assert(ended);
    ck_assert_int_gt(asked, 4); /* it was stopped within the file, too */
    import_run_dispose(&fresh);
}
END_TEST

/* A folder that is given beside the folder in which it lies: its files are read twice. */
START_TEST(a_file_may_be_reached_twice)
{
    char inner[128];
    const char *directories[] = {scratch, inner};
    ptl_sources *s = new_sources();
    snprintf(inner, sizeof inner, "%s/sub", scratch);
    put_file(scratch, "sub/a.json", "[ /* odd */ { \"id\": \"one\" } ]");
    settle("sub/a.json", 1000);
    for (int i = 0; i < 3; i++) {
        import_run fresh, kept;
        import_list(&fresh, NULL, 2, directories);
        memset(&kept, 0, sizeof kept);
        kept.options.directories = directories;
        kept.options.directory_count = 2;
        kept.options.check = true;
        kept.options.sources = s;
        run_import(&kept, NULL);
        ck_assert_str_eq((const char *)kept.lines.data, (const char *)fresh.lines.data);
        import_run_dispose(&fresh);
        import_run_dispose(&kept);
    }
    ptl_sources_free(s);
}
END_TEST

/* ---- random edits ---- */

enum { FILES = 4 };

typedef struct edited {
    char *texts[FILES];
    bool is_file[FILES], is_text[FILES];
} edited;

static const char *const edited_from[FILES] = {"tests/content/valid/mapgen/m.json",
                                               "tests/content/valid/mapgen_conditions/a.json",
                                               "tests/content/valid/cities_copied/cities.json",
                                               "tests/content/valid/json_comments/a.json"};

/* Changes a byte, takes some out, or doubles some. */
static char *edit(const char *text, rng *state)
{
    const size_t size = strlen(text);
    const size_t at = size ? rng_next(state) % size : 0;
    size_t span = rng_next(state) % 12;
    span = span > size - at ? size - at : span;
    char *out = malloc(size + span + 2);
    ck_assert_ptr_nonnull(out);
    memcpy(out, text, size + 1);
    switch (rng_next(state) % 3) {
    case 0:
        if (size > 0)
            out[at] = "\"{}[],:/a0 \n"[rng_next(state) % 12];
        break;
    case 1:
        memmove(out + at, out + at + span, size + 1 - at - span);
        break;
    default:
        memcpy(out + at + span, text + at, size + 1 - at);
    }
    return out;
}

START_TEST(random_edits_have_the_same_remarks)
{
    rng state = rng_from_key(77);
    ptl_sources *s = new_sources();
    edited e = {{NULL}, {false}, {false}};
    char *originals[FILES];
    for (size_t i = 0; i < FILES; i++) {
        char *path = source_path(edited_from[i]);
        originals[i] = get_file(path);
        ck_assert_msg(originals[i] != NULL, "%s", path);
        e.texts[i] = strdup(originals[i]);
        free(path);
    }
    for (int round = 0; round < test_seeds(400); round++) {
        const size_t i = rng_next(&state) % FILES;
        char *changed = edit(rng_next(&state) % 4 ? e.texts[i] : originals[i], &state);
        free(e.texts[i]);
        e.texts[i] = changed;
        const unsigned where = (unsigned)(rng_next(&state) % 4);
        char name[16];
        snprintf(name, sizeof name, "%zu.json", i);
        if (where & 1) {
            put_file(scratch, name, e.texts[i]);
            settle(name, 1000 + round);
        }
        e.is_text[i] = where != 1;
        scratch_text paths[FILES];
        ptl_file_text texts[FILES];
        size_t count = 0;
        for (size_t k = 0; k < FILES; k++) {
            snprintf(name, sizeof name, "/%zu.json", k);
            if (e.is_text[k]) {
                texts[count] = text_for(&paths[count], name, e.texts[k]);
                count++;
            }
        }
        import_run kept, fresh;
        check(&kept, texts, count, s);
        check(&fresh, texts, count, NULL);
        ck_assert_str_eq((const char *)kept.lines.data, (const char *)fresh.lines.data);
        ck_assert_int_eq(kept.status, fresh.status);
        ck_assert_uint_eq(kept.report.objects, fresh.report.objects);
        ck_assert_uint_eq(kept.report.bytes, fresh.report.bytes);
        import_run_dispose(&kept);
        import_run_dispose(&fresh);
    }
    for (size_t i = 0; i < FILES; i++) {
        free(e.texts[i]);
        free(originals[i]);
    }
    ptl_sources_free(s);
}
END_TEST

Suite *sources_suite(void)
{
    Suite *suite = suite_create("import sources");
    TCase *texts = tcase_create("texts");
    tcase_add_checked_fixture(texts, setup, teardown);
    tcase_add_test(texts, a_text_stands_for_a_file);
    tcase_add_test(texts, a_text_needs_no_file);
    tcase_add_test(texts, new_texts_stand_in_the_order_of_paths);
    suite_add_tcase(suite, texts);
    TCase *sources = tcase_create("sources");
    tcase_set_timeout(sources, 60);
    tcase_add_checked_fixture(sources, setup, teardown);
    tcase_add_test(sources, what_is_kept_can_be_stored);
    tcase_add_loop_test(sources, mistakes_are_told_again, 0, 12);
    tcase_add_test(sources, a_settled_file_is_not_read_again);
    tcase_add_test(sources, a_stopped_import_keeps_nothing_half_read);
    tcase_add_test(sources, a_file_may_be_reached_twice);
    tcase_add_test(sources, random_edits_have_the_same_remarks);
    suite_add_tcase(suite, sources);
    return suite;
}
