/* What the server reads of requests: addresses, names, tokens, words of a search. */
#include "clients/lookup/wish.h"
#include "clients/server/target.h"
#include "support/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- addresses ---- */

static bool parses(target *t, const char *text)
{
    const char *reason;
    const bool good = target_parse(t, text, &reason);
    ck_assert_int_eq(good, reason == NULL);
    return good;
}

static bool is_refused(const char *text)
{
    target t;
    const bool good = parses(&t, text);
    target_dispose(&t);
    return !good;
}

START_TEST(values_are_unescaped)
{
    target t;
    ck_assert(parses(&t, "/data/sql?q=a+b%2Bc%26d%3d%C3%A9&x=-12&&empty=&bare&y=180"));
    ck_assert_str_eq(t.path, "/data/sql");
    ck_assert_uint_eq(t.count, 5);
    ck_assert_str_eq(target_text(&t, "q"), "a b+c&d=\xc3\xa9");
    ck_assert_str_eq(target_text(&t, "empty"), "");
    ck_assert_str_eq(target_text(&t, "bare"), "");
    ck_assert_ptr_null(target_text(&t, "z"));
    int64_t v = 7;
    ck_assert(target_int(&t, "x", -12, 0, &v));
    ck_assert_int_eq(v, -12);
    ck_assert(!target_int(&t, "x", -11, 0, &v));
    ck_assert(!target_int(&t, "y", 0, 179, &v));
    ck_assert(!target_int(&t, "z", -1, 1, &v));
    ck_assert(!target_int(&t, "empty", -1, 1, &v));
    ck_assert_int_eq(v, -12);
    target_dispose(&t);
}
END_TEST

START_TEST(numbers_are_whole_and_decimal)
{
    static const char *const wrong[] = {"",     "-",    "--1",  "+1",
                                        "%2B1", "1.0",  "1e3",  "0x1",
                                        "%201", "1%20", "1%0A", "9999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[64];
        target t;
        int64_t v;
        (void)snprintf(text, sizeof text, "/?n=%s", wrong[i]);
        ck_assert(parses(&t, text));
        ck_assert_msg(!target_int(&t, "n", INT64_MIN, INT64_MAX, &v), "%s", wrong[i]);
        target_dispose(&t);
    }
}
END_TEST

START_TEST(what_is_no_address_is_refused)
{
    static const char *const wrong[] = {
        "",      "*",         "a",       "http://127.0.0.1/", "/../x",
        "/a/..", "/%2e",      "/a b",    "/\xc3\xa9",         "/a\\b",
        "/a;b",  "/?a=%",     "/?a=%4",  "/?a=%zz",           "/?a=%00",
        "/?%00", "/?a=1&a=1", "/?a=%ff", "/?a=%ed%a0%80",     "/?a=%c0%80"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        ck_assert_msg(is_refused(wrong[i]), "%s", wrong[i]);
    ck_assert(!is_refused("/"));
    ck_assert(!is_refused("/?"));
    ck_assert(!is_refused("/a.b-c_d/E9?a?b=?"));
}
END_TEST

START_TEST(long_addresses_are_refused)
{
    char *text = malloc(TARGET_SIZE_MAX + 2);
    ck_assert_ptr_nonnull(text);
    memset(text, 'a', TARGET_SIZE_MAX + 1);
    memcpy(text, "/?", 2);
    text[TARGET_SIZE_MAX + 1] = '\0';
    ck_assert(is_refused(text));
    text[TARGET_SIZE_MAX] = '\0';
    ck_assert(!is_refused(text));
    size_t at = 2;
    for (int i = 0; i < TARGET_VALUES_MAX; i++)
        at += (size_t)sprintf(text + at, "v%d&", i);
    ck_assert(!is_refused(text));
    (void)strcpy(text + at, "more");
    ck_assert(is_refused(text));
    free(text);
}
END_TEST

/* ---- names and tokens ---- */

START_TEST(names_are_exact)
{
    guard g;
    ck_assert(guard_init(&g, NULL, 8000));
    ck_assert(guard_knows_host(&g, "127.0.0.1:8000"));
    ck_assert(guard_knows_host(&g, "LOCALHOST:8000"));
    static const char *const wrong[] = {"",
                                        "localhost",
                                        "localhost:80",
                                        "localhost:80000",
                                        "xlocalhost:8000",
                                        "localhost:8000 ",
                                        "localhost.:8000"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        ck_assert_msg(!guard_knows_host(&g, wrong[i]), "%s", wrong[i]);
    ck_assert(!guard_knows_host(&g, NULL));
    ck_assert(guard_init(&g, "box.example", 80));
    ck_assert(guard_knows_host(&g, "box.example"));
    ck_assert(!guard_knows_host(&g, "127.0.0.1"));
    ck_assert(!guard_knows_host(&g, "localhost"));
}
END_TEST

START_TEST(tokens_differ_and_are_exact)
{
    guard a, b;
    ck_assert(guard_init(&a, NULL, 1) && guard_init(&b, NULL, 1));
    ck_assert_uint_eq(strlen(a.token), 32);
    ck_assert_uint_eq(strspn(a.token, "0123456789abcdef"), 32);
    ck_assert_str_ne(a.token, b.token);
    ck_assert(guard_knows_token(&a, a.token));
    ck_assert(!guard_knows_token(&a, b.token));
    ck_assert(!guard_knows_token(&a, NULL));
    ck_assert(!guard_knows_token(&a, ""));
    for (size_t i = 0; i < 32; i++) { /* each digit counts */
        char wrong[GUARD_TOKEN_SIZE];
        memcpy(wrong, a.token, sizeof wrong);
        wrong[i] = wrong[i] == '0' ? '1' : '0';
        ck_assert(!guard_knows_token(&a, wrong));
    }
}
END_TEST

/* What each request gets: by its name, method, body, token and origin. */
START_TEST(who_is_let_in)
{
    guard g;
    ck_assert(guard_init(&g, NULL, 8000));
    const char *const name = "127.0.0.1:8000";
    const struct {
        guard_request request;
        unsigned code;
        const char *allow;
    } cases[] = {
        {{"GET", name, NULL, false, false, false, NULL}, 200, NULL},
        {{"HEAD", name, g.token, false, true, false, NULL}, 200, NULL},
        {{"POST", name, g.token, false, true, true, NULL}, 200, NULL},
        {{"GET", NULL, g.token, false, true, false, NULL}, 403, NULL},
        {{"POST", "x", g.token, true, true, true, NULL}, 403, NULL},
        {{"POST", name, g.token, false, true, false, NULL}, 405, "GET, HEAD"},
        {{"get", name, g.token, false, true, false, NULL}, 405, "GET, HEAD"},
        {{"GET", name, g.token, false, true, true, NULL}, 405, "POST"},
        {{"HEAD", name, g.token, false, true, true, NULL}, 405, "POST"},
        {{"POST", name, g.token, true, true, true, NULL}, 400, NULL},
        {{"GET", name, NULL, true, false, false, NULL}, 400, NULL},
        {{"GET", name, NULL, false, true, false, NULL}, 401, NULL},
        {{"POST", name, "", false, true, true, NULL}, 401, NULL},
        {{"POST", name, g.token, false, true, true, "http://127.0.0.1:8000"}, 200, NULL},
        {{"POST", name, g.token, false, true, true, "http://LOCALHOST:8000"}, 200, NULL},
        {{"POST", name, g.token, false, true, true, "http://localhost:8001"}, 403, NULL},
        {{"POST", name, g.token, false, true, true, "https://127.0.0.1:8000"}, 403, NULL},
        {{"POST", name, g.token, false, true, true, "http://127.0.0.1:8000.x"}, 403, NULL},
        {{"POST", name, g.token, false, true, true, "null"}, 403, NULL},
        {{"POST", name, g.token, false, true, true, ""}, 403, NULL},
        {{"GET", name, g.token, false, true, false, "http://x"}, 200, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const guard_answer a = guard_answer_to(&g, &cases[i].request);
        ck_assert_uint_eq(a.code, cases[i].code);
        ck_assert_pstr_eq(a.allow, cases[i].allow);
        ck_assert_int_eq(a.reason == NULL, a.code == 200);
    }
}
END_TEST

/* ---- searches ---- */

START_TEST(words_are_wanted_or_not)
{
    wish w;
    ck_assert(wish_parse(&w, "  Farm -DAIRY  -wind "));
    ck_assert_uint_eq(w.count, 3);
    ck_assert(wish_takes(&w, "pig_farm", ""));
    ck_assert(wish_takes(&w, "x", "Pig FARM"));
    ck_assert(!wish_takes(&w, "dairy_farm", ""));
    ck_assert(!wish_takes(&w, "farm", "the dairy"));
    ck_assert(!wish_takes(&w, "barn", ""));
    ck_assert(wish_parse(&w, "- a")); /* a dash alone is a word */
    ck_assert(wish_takes(&w, "a-b", "") && !wish_takes(&w, "ab", ""));
    ck_assert(!wish_parse(&w, ""));
    ck_assert(!wish_parse(&w, "  "));
    ck_assert(!wish_parse(&w, "-a -b"));
    ck_assert(wish_parse(&w, "a b c d e f g h i j k l m n o p"));
    ck_assert(!wish_parse(&w, "a b c d e f g h i j k l m n o p q"));
    char text[WISH_SIZE + 1];
    memset(text, 'a', sizeof text);
    text[WISH_SIZE] = '\0';
    ck_assert(!wish_parse(&w, text));
    text[WISH_SIZE - 1] = '\0';
    ck_assert(wish_parse(&w, text));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {values_are_unescaped,
                                  numbers_are_whole_and_decimal,
                                  what_is_no_address_is_refused,
                                  long_addresses_are_refused,
                                  names_are_exact,
                                  tokens_differ_and_are_exact,
                                  who_is_let_in,
                                  words_are_wanted_or_not};
    Suite *suite = suite_create("serve_parse");
    TCase *tc = tcase_create("serve_parse");
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tcase_add_test(tc, tests[i]);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
