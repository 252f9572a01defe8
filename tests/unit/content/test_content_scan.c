/*
 * The scan of a file's objects: it must accept exactly what Jansson accepts, and, with a
 * warning, what it made into that; its canonical text must not depend on layout.
 */
#include "unit/content/test_content_source.h"

#include "content/import/source.h"
#include "core/bytes.h"
#include "core/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct seen {
    size_t objects, errors, warnings;
    size_t odd;      /* of the warnings: what is no JSON */
    bytes canonical; /* of each object, each followed by a newline */
    bytes problems;  /* "offset message\n" */
} seen;

static ptl_status on_object(void *payload, const scan_object *object)
{
    seen *s = payload;
    s->objects++;
    json_canonical(&s->canonical, &object->document);
    bytes_put_text(&s->canonical, "\n");
    return PTL_OK;
}

static void on_problem(void *payload, const scan_problem *problem)
{
    seen *s = payload;
    if (problem->severity == PTL_ERROR)
        s->errors += strcmp(problem->message, "expected an object") != 0;
    else
        s->warnings++;
    s->odd += problem->severity == PTL_WARNING && strncmp(problem->message, "repeated", 8) != 0;
    bytes_printf(&s->problems, "%zu %s\n", problem->offset, problem->message);
}

/* Scans a copy of the text, which is left in *copy (to be freed) if asked for. */
static seen scan(const char *text, size_t size, char **copy)
{
    seen result = {0};
    json_reader *reader = json_reader_new((stop_hook){NULL, NULL});
    char *own = malloc(size + 1);
    ck_assert(reader && own);
    memcpy(own, text, size);
    own[size] = '\0';
    const scan_handler handler = {on_object, on_problem, &result, false};
    ck_assert_int_eq(scan_text(reader, own, size, &handler), PTL_OK);
    ck_assert_ptr_nonnull(bytes_text(&result.canonical));
    ck_assert_ptr_nonnull(bytes_text(&result.problems));
    json_reader_free(reader);
    if (copy)
        *copy = own;
    else
        free(own);
    return result;
}

static void seen_dispose(seen *s)
{
    bytes_dispose(&s->canonical);
    bytes_dispose(&s->problems);
}

static const char sample[] = "[ { \"type\": \"x\", \"a\": [ 1, -2.50, 3e5, 0, -0.1E-2 ], "
                             "\"b\": { \"c\": null, \"d\": true },\n"
                             "  \"e\\\"\": \"q\\\\ \\u00e9 \\ud83d\\ude00 "
                             "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\", \"f\": [ ],"
                             " \"g\": { } },\n\t{ \"type\": \"y\", \"h\": [ [ [ { \"i\": false "
                             "} ], \"j\" ], { } ] } ]\r\n";

/* ---- against Jansson ---- */

enum { MUTATIONS = 4000 };

/* Changes, deletes, inserts or repeats a few bytes. */
static size_t mutate(char *text, size_t size, rng *r)
{
    static const char interesting[] =
        "{}[],:\"\\0129.-+eEtfnu/ \n\t'*x\x01\x7f\x80\xc3\xed\xf4\xff";
    for (uint32_t n = 1 + rng_below(r, 3); n > 0; n--) {
        size_t at = rng_below(r, size);
        char c = interesting[rng_below(r, sizeof interesting)]; /* its NUL, too */
        switch (rng_below(r, 4)) {
        case 0:
            text[at] = c;
            break;
        case 1:
            memmove(text + at, text + at + 1, size - at - 1);
            size--;
            break;
        case 2:
            memmove(text + at + 1, text + at, size - at);
            text[at] = c;
            size++;
            break;
        default:
            text[at] = text[rng_below(r, size)];
        }
    }
    return size;
}

/* Jansson has no comments, but ends where the games do, if it is asked to. */
static bool jansson_accepts(const char *text, size_t size, size_t flags, json_error_t *error)
{
    json_t *json = json_loadb(text, size, flags, error);
    json_decref(json);
    return json != NULL;
}

START_TEST(accepts_what_jansson_accepts)
{
    rng r = rng_from_key((uint64_t)_i);
    char text[sizeof sample + 16], *mended;
    size_t accepted = 0, odd = 0;
    for (int i = 0; i < MUTATIONS; i++) {
        memcpy(text, sample, sizeof sample);
        size_t size = mutate(text, sizeof sample - 1, &r);
        if (memchr(text, '\0', size))
            continue; /* Jansson passes over some of them */
        seen found = scan(text, size, &mended), again = scan(mended, size, NULL);
        json_error_t error = {.line = 0};
        const bool good = jansson_accepts(text, size, 0, &error);
        /* Numbers out of range are left to Jansson. */
        const bool range = !good && (json_error_code(&error) == json_error_numeric_overflow);
        if (!range)
            ck_assert_msg((found.errors == 0 && found.odd == 0) == good,
                          "%.*s\nscan: %sJansson: %s", (int)size, text,
                          (char *)found.problems.data, good ? "accepted" : error.text);
        if (!range && found.errors == 0)
            ck_assert_msg(jansson_accepts(mended, size, JSON_DISABLE_EOF_CHECK, &error),
                          "%.*s\nbecame %s\nJansson: %s", (int)size, text, mended, error.text);
        if (found.errors == 0)
            ck_assert_mem_eq(again.canonical.data, found.canonical.data, found.canonical.size);
        accepted += good;
        odd += found.odd;
        free(mended);
        seen_dispose(&found);
        seen_dispose(&again);
    }
    ck_assert_uint_gt(accepted, MUTATIONS / 100);
    ck_assert_uint_gt(odd, MUTATIONS / 100);
}
END_TEST

/* Every beginning of a document is refused where it ends, or where it is cut. */
START_TEST(refuses_every_cut)
{
    size_t whole = strlen(sample) - 2; /* the last two bytes are white space */
    for (size_t size = 0; size < whole; size++) {
        seen found = scan(sample, size, NULL);
        ck_assert_uint_eq(found.errors, 1);
        seen_dispose(&found);
    }
}
END_TEST

/* ---- canonical text ---- */

/* Puts white space, and comments where they may stand, between the tokens. */
static void loosen(bytes *out, const char *tight, rng *r)
{
    static const char *const space[] = {"", " ", "\n", "\t \r\n", "    "};
    bool in_string = false;
    for (const char *at = tight; *at; at++) {
        bool structural = !in_string && strchr("[]{}:,", *at);
        if (structural)
            bytes_put_text(out, space[rng_below(r, 5)]);
        bytes_put(out, at, 1);
        if (structural)
            bytes_put_text(out, space[rng_below(r, 5)]);
        if (in_string && *at == '\\')
            bytes_put(out, ++at, 1);
        else if (*at == '"')
            in_string = !in_string;
        /* A comment as the first member or element. */
        if (!in_string && (*at == '{' || *at == '[') && rng_below(r, 3) == 0) {
            bool empty = at[1] == '}' || at[1] == ']';
            bytes_put_text(out, *at == '{' ? " \"//x\" : [ {\"a\":[ ]}, \"]\" ] "
                                           : " \"//x\" : \"],\\\"\" ");
            bytes_put_text(out, empty ? "" : ",");
        }
    }
}

START_TEST(canonical_text_ignores_layout)
{
    static const char tight[] =
        "[{\"type\":\"x\",\"a\":[1,-2.5,3e5],\"b\":{\"c\":null},\"e\":\"q: {\\\" ,\"},"
        "{},{\"h\":[[[{\"i\":false}],\"j\"],{}]}]";
    rng r = rng_from_key((uint64_t)_i);
    bytes loose;
    bytes_init(&loose);
    for (int i = 0; i < 200; i++) {
        bytes_clear(&loose);
        loosen(&loose, tight, &r);
        seen a = scan(tight, strlen(tight), NULL);
        seen b = scan((char *)loose.data, loose.size, NULL);
        ck_assert_str_eq((char *)b.problems.data, "");
        ck_assert_uint_eq(b.objects, 3);
        ck_assert_str_eq((char *)a.canonical.data, (char *)b.canonical.data);
        seen_dispose(&a);
        seen_dispose(&b);
    }
    bytes_dispose(&loose);
}
END_TEST

START_TEST(comments_in_arrays_are_blanked)
{
    static const char *const cases[][2] = {
        {"{\"a\":[\"//1\":\"x\",1]}", "{\"a\":[          1]}"},
        {"{\"a\":[1,\"//1\":\"x\"]}", "{\"a\":[1          ]}"},
        {"{\"a\":[\"//1\":\"x\"]}", "{\"a\":[         ]}"},
        {"{\"a\":[1 , \"//\"\n:\n\"x\" ,\"//\":\"y\" ]}",
         "{\"a\":[1       \n \n              ]}"},
        {"{\"a\":[\"//1\",\"//\"]}", "{\"a\":[\"//1\",\"//\"]}"},
        {"{\"//\":\"x\",\"a\":[]}", "{\"//\":\"x\",\"a\":[]}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *after, *again;
        seen found = scan(cases[i][0], strlen(cases[i][0]), &after);
        ck_assert_str_eq((char *)found.problems.data, "");
        ck_assert_str_eq(after, cases[i][1]);
        json_t *json = json_loads(after, 0, NULL);
        ck_assert_ptr_nonnull(json);
        json_decref(json);
        seen second = scan(after, strlen(after), &again);
        ck_assert_str_eq(after, again);
        ck_assert_str_eq((char *)found.canonical.data, (char *)second.canonical.data);
        seen_dispose(&second);
        seen_dispose(&found);
        free(after);
        free(again);
    }
}
END_TEST

/* ---- whose problem it is ---- */

typedef struct naming {
    const char *text;
    bytes ids; /* one after each problem, in apostrophes */
} naming;

static ptl_status ignore_object(void *payload, const scan_object *object)
{
    (void)payload;
    (void)object;
    return PTL_OK;
}

static void take_id(void *payload, const scan_problem *problem)
{
    naming *n = payload;
    bytes_printf(&n->ids, "'%.*s'", (int)(problem->id.end - problem->id.start),
                 n->text + problem->id.start);
}

/* The object's id or abstract, as far as it was read when the problem was met. */
START_TEST(problems_name_their_object)
{
    static const char *const cases[][2] = {
        {"{\"a\":{\"x\":1,\"x\":2},\"id\":\"n\"}", "''"},
        {"{\"id\":\"n\",\"a\":{\"x\":1,\"x\":2}}", "'\"n\"'"},
        {"{\"b\":1,\"b\":2,\"id\":\"n\"}", "'\"n\"'"},
        {"{\"abstract\":\"m\",\"a\":{\"x\":1,\"x\":2},\"id\":[3],\"c\":[{\"x\":1,\"x\":2}]}",
         "'\"m\"''[3]'"},
        {"{\"id\":\"n\",\"a\":[1 2]}", "'\"n\"'"},
        {"{\"id\":\"n\" 2", "'\"n\"'"},
        {"{\"id\":[\"n\", 2", "''"},
        {"{\"a\":{\"id\":\"n\"}, 2}", "''"},
        {"[{\"id\":\"n\"} 2]", "''"},
        {"[{\"id\":\"n\"}, 2]", "''"},
    };
    json_reader *reader = json_reader_new((stop_hook){NULL, NULL});
    ck_assert_ptr_nonnull(reader);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char own[100];
        naming n = {.text = own};
        const scan_handler handler = {ignore_object, take_id, &n, false};
        strcpy(own, cases[i][0]);
        bytes_init(&n.ids);
        ck_assert_int_eq(scan_text(reader, own, strlen(own), &handler), PTL_OK);
        ck_assert_str_eq(bytes_text(&n.ids), cases[i][1]);
        bytes_dispose(&n.ids);
    }
    json_reader_free(reader);
}
END_TEST

/* ---- repeated keys ---- */

START_TEST(repeated_keys_are_found)
{
    /* Few keys and many keys take different ways. */
    for (int keys = 2; keys < 60; keys += 3) {
        bytes text;
        bytes_init(&text);
        bytes_put_text(&text, "{");
        for (int i = 0; i < keys; i++)
            bytes_printf(&text, "\"key%d\":{\"//\":1,\"//\":2},", i);
        size_t first = text.size;
        bytes_put_text(&text, "\"key1\":3,");
        size_t second = text.size;
        bytes_put_text(&text, "\"key1\":4}");
        seen found = scan((char *)text.data, text.size, NULL);
        ck_assert_uint_eq(found.warnings, 2);
        char wanted[200];
        snprintf(wanted, sizeof wanted,
                 "%zu repeated key 'key1': the last one counts\n"
                 "%zu repeated key 'key1': the last one counts\n",
                 first, second);
        ck_assert_str_eq((char *)found.problems.data, wanted);
        seen_dispose(&found);
        bytes_dispose(&text);
    }
}
END_TEST

/* A million different keys must not take quadratic time (the test has a time limit). */
START_TEST(many_keys_are_no_trouble)
{
    bytes text;
    bytes_init(&text);
    bytes_put_text(&text, "{\"0\":0");
    for (int i = 1; i < 500000; i++)
        bytes_printf(&text, ",\"%d\":0", i);
    bytes_put_text(&text, "}");
    seen found = scan((char *)text.data, text.size, NULL);
    ck_assert_str_eq((char *)found.problems.data, "");
    ck_assert_uint_eq(found.objects, 1);
    seen_dispose(&found);
    bytes_dispose(&text);
}
END_TEST

TCase *scan_case(void)
{
    TCase *tc = tcase_create("scan");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, accepts_what_jansson_accepts, 0, 8);
    tcase_add_test(tc, refuses_every_cut);
    tcase_add_loop_test(tc, canonical_text_ignores_layout, 0, 5);
    tcase_add_test(tc, comments_in_arrays_are_blanked);
    tcase_add_test(tc, problems_name_their_object);
    tcase_add_test(tc, repeated_keys_are_found);
    tcase_add_test(tc, many_keys_are_no_trouble);
    return tc;
}
