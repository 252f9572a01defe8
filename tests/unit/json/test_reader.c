/*
 * The reader: what it finds of a list element by element, how far it gets in a broken one, and
 * what it says of it. That it accepts what Jansson accepts: test_json_value.c,
 * test_content_scan.c.
 */
#include "core/bytes.h"
#include "core/hash.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "json/reader.h"
#include "json/view.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static json_reader *reader;
static bytes found;

static void setup(void)
{
    reader = json_reader_new((stop_hook){NULL, NULL});
    ck_assert_ptr_nonnull(reader);
    bytes_init(&found);
}

static void teardown(void)
{
    json_reader_free(reader);
    bytes_dispose(&found);
}

/* "start+span " of each entry. */
static const char *entries(void)
{
    const json_document d = json_reader_document(reader);
    bytes_clear(&found);
    for (size_t i = 0; i < d.count; i++)
        bytes_printf(&found, "%u+%u ", d.entries[i].start, d.entries[i].span);
    return bytes_text(&found);
}

START_TEST(entries_of_a_value)
{
    const char *text = " {\"a\": [1, {}], \"b\":true}";
    ck_assert(json_reader_whole(reader, text, strlen(text), NULL));
    ck_assert_str_eq(entries(), "1+10 2+3 7+5 8+1 11+2 12+1 13+1 16+3 20+4 24+1 ");
    const json_document d = json_reader_document(reader);
    ck_assert_uint_eq(json_behind(&d, 0), d.count);
    ck_assert_uint_eq(json_end(&d, 0), strlen(text));
    ck_assert_uint_eq(json_behind(&d, 2), 7);
    ck_assert_uint_eq(json_end(&d, 2), 14);
    size_t length;
    ck_assert_int_eq(*json_key(&d, 7, &length), 'b');
    ck_assert_uint_eq(length, 1);
}
END_TEST

static void next_element(const char *wanted)
{
    ck_assert(json_reader_more(reader));
    ck_assert(json_reader_element(reader));
    ck_assert_str_eq(entries(), wanted);
}

START_TEST(elements_of_a_list)
{
    const char *text = "[{\"a\":1}, 7,[ ]] ";
    json_reader_start(reader, text, strlen(text), NULL);
    next_element("1+4 2+3 6+1 7+1 ");
    next_element("10+1 ");
    next_element("12+2 14+1 ");
    ck_assert(!json_reader_more(reader));
    ck_assert_int_eq(json_reader_fault(reader)->kind, JSON_SOUND);
    ck_assert(!json_reader_more(reader));
    json_reader_start(reader, "[]", 2, NULL);
    ck_assert(!json_reader_more(reader));
    ck_assert_int_eq(json_reader_fault(reader)->kind, JSON_SOUND);
    json_reader_start(reader, " {}", 3, NULL); /* a value that is no list */
    next_element("1+2 2+1 ");
    ck_assert(!json_reader_more(reader));
    ck_assert_int_eq(json_reader_fault(reader)->kind, JSON_SOUND);
}
END_TEST

static void fault_is(json_fault_kind kind, const char *text, size_t at, ptrdiff_t open)
{
    const json_fault *fault = json_reader_fault(reader);
    ck_assert_int_eq(fault->kind, kind);
    ck_assert_uint_eq((size_t)(fault->at - text), at);
    ck_assert_int_eq(fault->open ? fault->open - text : -1, open);
}

/* What was read before is there, and what is open has no end. */
/* What stands in a string at each place of each length, eight bytes of which are passed at a
 * time: the string ends, goes on or is refused there, and nothing behind the text is looked at.
 */
START_TEST(what_ends_strings)
{
    enum { LENGTH_MAX = 40 };
    static const struct {
        const char *what;
        size_t value; /* bytes up to the end of the string; 0: it is refused */
    } all[] = {{"\"", 1},     {"\\\"", 0}, {"\n", 0},   {"\x01", 0},       {"\x1f", 0},
               {"\x7f\"", 2}, {" \"", 2},  {"\xff", 0}, {"\xc3\xa9\"", 3}, {"#!\"", 3}};
    for (size_t length = 0; length <= LENGTH_MAX; length++)
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
            const size_t size = 1 + length + strlen(all[i].what);
            char *text = malloc(size + 1); /* as long as it is: sanitizers see what is behind */
            ck_assert_ptr_nonnull(text);
            memset(text, 'a', size);
            text[0] = '"';
            memcpy(text + 1 + length, all[i].what, strlen(all[i].what) + 1);
            const bool good = json_reader_whole(reader, text, size, NULL);
            ck_assert_msg(good == (all[i].value > 0), "%zu, then %zu", length, i);
            if (good)
                ck_assert_uint_eq(json_reader_document(reader).entries[0].span,
                                  1 + length + all[i].value);
            free(text);
        }
}
END_TEST

/* Asked for by kinds of keys or not, members are the same; keys of one kind, too. */
START_TEST(members_by_their_kinds)
{
    static const char *const keys[] = {"id",   "di",        "a", "ida", "type",
                                       "tape", "count-min", "b", "x"};
    enum { KEYS = sizeof keys / sizeof keys[0] };
    for (unsigned set = 0; set < 1u << KEYS; set++) {
        bytes text;
        bytes_init(&text);
        bytes_put_text(&text, "{\"//\":0");
        for (unsigned k = 0; k < KEYS; k++)
            if (set >> k & 1)
                bytes_printf(&text, ",\"%s\":%u", keys[k], k);
        bytes_put_text(&text, "}");
        ck_assert(json_reader_whole(reader, bytes_text(&text), text.size, NULL));
        const json_document d = json_reader_document(reader);
        json_members members;
        json_members_of(&members, json_view_of(&d));
        for (unsigned k = 0; k < KEYS; k++) {
            int64_t number = -1;
            const bool there = json_view_integer(json_members_get(&members, keys[k]), &number);
            ck_assert_int_eq(there, set >> k & 1);
            ck_assert_int_eq(number, there ? (int)k : -1);
        }
        size_t count = 0; /* none is passed over as repeated */
        for (json_walk w = json_walk_of(json_view_of(&d)); json_walk_next(&w);)
            count++;
        ck_assert_uint_eq(count, (size_t)__builtin_popcount(set));
        bytes_dispose(&text);
    }
    json_members none;
    json_members_of(&none, JSON_VIEW_NONE);
    ck_assert_int_eq(json_view_kind(json_members_get(&none, "id")), VIEW_ABSENT);
}
END_TEST

/* Of a key that comes again the last one counts, however it is asked for. */
START_TEST(members_of_repeated_keys)
{
    const char *text = "{\"a\": 1, \"b\": 2, \"a\": 3}";
    ck_assert(json_reader_whole(reader, text, strlen(text), NULL));
    const json_document d = json_reader_document(reader);
    json_members members;
    json_members_of(&members, json_view_of(&d));
    int64_t a = 0, b = 0;
    ck_assert(json_view_integer(json_members_get(&members, "a"), &a));
    ck_assert(json_view_integer(json_members_get(&members, "b"), &b));
    ck_assert_int_eq(a, 3);
    ck_assert_int_eq(b, 2);
}
END_TEST

/* ---- read in one go, and step by step ---- */

static bool count_question(void *payload)
{
    ++*(int *)payload;
    return false;
}

/* A value of all sorts, sound but for what put_text may leave out or put in. */
static void put_value(rng *r, int depth)
{
    static const char *const scalars[] = {"0",
                                          "7",
                                          "10",
                                          "4294967296",
                                          "-3",
                                          "1.5",
                                          "2e3",
                                          "true",
                                          "false",
                                          "null",
                                          "\"\"",
                                          "\"house\"",
                                          "\"a\\n\"",
                                          "\"\303\244\"",
                                          "01",
                                          "-",
                                          "\"\\x\"",
                                          "nul",
                                          "\"t_floor, a longer text of it\""};
    static const char *const spaces[] = {"", "", "", " ", "\n\t"};
    const uint32_t sort = depth > 0 ? rng_below(r, 4) : 0;
    if (sort < 2) {
        const size_t sound = 15, all = sizeof scalars / sizeof *scalars;
        const size_t which = rng_one_in(r, 60) ? rng_below(r, all) : rng_below(r, sound - 1);
        bytes_put_text(&found, rng_one_in(r, 12) ? scalars[all - 1] : scalars[which]);
        return;
    }
    const uint32_t count = rng_below(r, 5);
    bytes_put_text(&found, sort == 2 ? "[" : "{");
    for (uint32_t i = 0; i < count; i++) {
        bytes_put_text(&found, i > 0 ? "," : "");
        bytes_put_text(&found, spaces[rng_below(r, 5)]);
        if (sort == 3)
            bytes_printf(&found, "\"key %u\"%s:", i, spaces[rng_below(r, 5)]);
        put_value(r, depth - 1);
        bytes_put_text(&found, spaces[rng_below(r, 5)]);
    }
    bytes_put_text(&found, sort == 2 ? "]" : "}");
}

static bool same_document(const json_reader *a, const json_reader *b)
{
    const json_document x = json_reader_document(a), y = json_reader_document(b);
    return x.count == y.count &&
           (x.count == 0 || memcmp(x.entries, y.entries, x.count * sizeof *x.entries) == 0);
}

/* What is plain is read in one go where no rules hold: entries, faults, their places and how
 * often is asked whether to stop are those of step by step. */
START_TEST(plain_texts_as_all_others)
{
    static const json_rules rules = {.limited = true}; /* of limits that no text here reaches */
    const int rounds = 400;
    int asked[2] = {0, 0};
    rng r = rng_from_key((uint64_t)_i);
    json_reader *whole = json_reader_new((stop_hook){count_question, &asked[0]});
    json_reader *steps = json_reader_new((stop_hook){count_question, &asked[1]});
    ck_assert(whole && steps);
    size_t sound = 0, elements = 0;
    for (int round = 0; round < rounds; round++) {
        bytes_clear(&found);
        bytes_put_text(&found, "[");
        for (uint32_t i = rng_below(&r, 200); i > 0; i--) {
            put_value(&r, 5);
            bytes_put_text(&found, ",");
        }
        put_value(&r, 5);
        bytes_put_text(&found, "]");
        ck_assert_ptr_nonnull(bytes_text(&found));
        char *text = (char *)found.data;
        if (rng_one_in(&r, 3))
            text[rng_below(&r, found.size)] = "{}[],:\"0 a\\\1"[rng_below(&r, 12)];
        json_reader_start(whole, text, found.size, NULL);
        json_reader_start(steps, text, found.size, &rules);
        bool more = true;
        while (more) {
            more = json_reader_more(steps) && json_reader_element(steps);
            ck_assert(more == (json_reader_more(whole) && json_reader_element(whole)));
            ck_assert_msg(same_document(whole, steps), "%s", text);
            elements += more;
        }
        const json_fault *a = json_reader_fault(whole), *b = json_reader_fault(steps);
        ck_assert_msg(a->kind == b->kind && a->at == b->at && a->reason == b->reason &&
                          a->open == b->open,
                      "%s", text);
        sound += a->kind == JSON_SOUND;
    }
    ck_assert_msg(sound > 20 && sound < (size_t)rounds, "%zu of %d are sound", sound, rounds);
    ck_assert_uint_gt(elements, 1000);
    ck_assert_int_gt(asked[0], 0);
    ck_assert_int_eq(asked[0], asked[1]);
    json_reader_free(whole);
    json_reader_free(steps);
}
END_TEST

/* So deep and no deeper, an empty bracket, too. */
START_TEST(plain_depth)
{
    for (size_t deep = JSON_DEPTH_MAX - 1; deep <= JSON_DEPTH_MAX + 1; deep++)
        for (int inside = 0; inside < 2; inside++) {
            bytes_clear(&found);
            for (size_t i = 0; i < deep; i++)
                bytes_put_text(&found, "[");
            bytes_put_text(&found, inside ? "{}" : "");
            for (size_t i = 0; i < deep; i++)
                bytes_put_text(&found, "]");
            const bool fits = deep + (size_t)inside <= JSON_DEPTH_MAX;
            for (int again = 0; again < 2; again++) /* the second time there is room */
                ck_assert_int_eq(
                    json_reader_whole(reader, bytes_text(&found), found.size, NULL), fits);
        }
}
END_TEST

START_TEST(integers_as_they_are_written)
{
    static const struct {
        const char *text;
        int64_t number; /* 77: it is none */
    } all[] = {{"0", 0},
               {"-1", -1},
               {"999999999", 999999999},
               {"-999999999", -999999999},
               {"1000000000", 1000000000},
               {"2147483648", 2147483648},
               {"9223372036854775807", INT64_MAX},
               {"-9223372036854775808", INT64_MIN},
               {"9223372036854775808", 77},
               {"1.0", 77},
               {"1e3", 77},
               {"\"1\"", 77},
               {"true", 77}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const char *text = all[i].text;
        int64_t number = 77;
        ck_assert(json_reader_whole(reader, text, strlen(text), NULL));
        const json_document d = json_reader_document(reader);
        const bool good = json_view_integer(json_view_of(&d), &number);
        ck_assert_msg(number == all[i].number && good == (number != 77), "%s", text);
    }
}
END_TEST

/* Of a repeated key the last one counts, among few members and among many. */
START_TEST(walks_pass_repeated_keys_over)
{
    for (unsigned others = 0; others < 20; others++) {
        bytes text;
        bytes_init(&text);
        bytes_put_text(&text, "{\"ab\":1,\"ac\":3");
        for (unsigned i = 0; i < others; i++)
            bytes_printf(&text, ",\"%c%c\":0", (int)('b' + i), (int)('b' + i));
        bytes_put_text(&text, ",\"ab\":2}");
        ck_assert(json_reader_whole(reader, bytes_text(&text), text.size, NULL));
        const json_document d = json_reader_document(reader);
        size_t count = 0;
        int64_t sum = 0, number = 0;
        for (json_walk w = json_walk_of(json_view_of(&d)); json_walk_next(&w); count++)
            sum += json_view_integer(w.value, &number) ? number : 0;
        ck_assert_uint_eq(count, others + 2);
        ck_assert_int_eq(sum, 2 + 3);
        bytes_dispose(&text);
    }
}
END_TEST

START_TEST(a_broken_element)
{
    const char *text = "[{}, {\"a\": 1, \"b\": [2 3]}]";
    json_reader_start(reader, text, strlen(text), NULL);
    next_element("1+2 2+1 ");
    ck_assert(json_reader_more(reader));
    ck_assert(!json_reader_element(reader));
    ck_assert_str_eq(entries(), "5+0 6+3 11+1 14+3 19+0 20+1 ");
    fault_is(JSON_UNEXPECTED, text, 22, 19);
    ck_assert(!json_reader_more(reader));
    json_reader_start(reader, "[{}", 3, NULL);
    next_element("1+2 2+1 ");
    ck_assert(!json_reader_more(reader));
    ck_assert_int_eq(json_reader_fault(reader)->kind, JSON_UNEXPECTED);
    json_reader_start(reader, "[1] 2", 5, NULL);
    next_element("1+1 ");
    ck_assert(!json_reader_more(reader));
    ck_assert_int_eq(json_reader_fault(reader)->kind, JSON_BEHIND);
}
END_TEST

START_TEST(repeated_keys)
{
    const char *text = "{\"a\":{\"b\":1,\"b\":2,\"//\":3,\"//\":4},\"a\":5}";
    const json_rules rules = {.repeated = true};
    size_t count;
    ck_assert(json_reader_whole(reader, text, strlen(text), NULL));
    (void)json_reader_repeated(reader, &count);
    ck_assert_uint_eq(count, 0);
    ck_assert(json_reader_whole(reader, text, strlen(text), &rules));
    const json_repeated *keys = json_reader_repeated(reader, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(keys[0].start, 13);
    ck_assert_uint_eq(keys[0].closed, 31);
    ck_assert_uint_eq(keys[1].start, 34);
    ck_assert_uint_eq(keys[1].length, 1);
    ck_assert_uint_eq(keys[1].closed, strlen(text) - 1);
    /* Of the present element alone. */
    const char *list = "[{\"a\":1,\"a\":2},{\"a\":3}]";
    json_reader_start(reader, list, strlen(list), &rules);
    for (size_t i = 0; i < 2; i++) {
        ck_assert(json_reader_more(reader));
        ck_assert(json_reader_element(reader));
        (void)json_reader_repeated(reader, &count);
        ck_assert_uint_eq(count, 1 - i);
    }
}
END_TEST

/* The limits of an import hold where they are asked for, to the byte. */
START_TEST(limits)
{
    const json_rules rules = {.limited = true};
    bytes text;
    bytes_init(&text);
    for (int more = 0; more < 2; more++) {
        bytes_clear(&text);
        bytes_put_text(&text, "[\"");
        for (int i = 0; i < JSON_STRING_MAX + more; i++)
            bytes_put_u8(&text, 'x');
        bytes_put_text(&text, "\"]");
        const char *start = bytes_text(&text);
        ck_assert_ptr_nonnull(start);
        ck_assert(json_reader_whole(reader, start, text.size, NULL));
        ck_assert_int_eq(json_reader_whole(reader, start, text.size, &rules), more == 0);
        if (more > 0)
            fault_is(JSON_LONG_VALUE, start, 1, 0);
    }
    for (int more = 0; more < 2; more++) {
        bytes_clear(&text);
        bytes_put_text(&text, "[0");
        for (int i = 1; i < JSON_COUNT_MAX + more; i++)
            bytes_put_text(&text, ",0");
        bytes_put_text(&text, "]");
        const char *start = bytes_text(&text);
        ck_assert_ptr_nonnull(start);
        ck_assert(json_reader_whole(reader, start, text.size, NULL));
        ck_assert_int_eq(json_reader_whole(reader, start, text.size, &rules), more == 0);
        if (more > 0)
            fault_is(JSON_MANY, start, 0, 0);
    }
    bytes_dispose(&text);
}
END_TEST

/* ---- what the games read beyond strict JSON ---- */

/* Written over itself a text is strict, means what it meant, and has its tokens where they
 * were; it is refused without the rule, and where it can't be made strict as it stands. */
START_TEST(made_strict)
{
    static const struct {
        const char *text, *made; /* made NULL: refused */
        json_odd odd;
    } all[] = {
        {"[1] // x", "[1]     ", JSON_ODD_COMMENT},
        {"/*\n/* */[1/**/,2]", "  \n     [1    ,2]", JSON_ODD_COMMENT},
        {"{/**/\"a\"//:\n:/**/1/**/}", "{    \"a\"   \n:    1    }", JSON_ODD_COMMENT},
        {"[1]/*", "[1]/*", JSON_ODD_BEHIND},
        {"[+5, +0.5]", "[5 , 0.5 ]", JSON_ODD_SIGN},
        {"[+.5]", "[0.5]", JSON_ODD_SIGN},
        {"[+]", NULL, JSON_ODD_SIGN},
        {"[+-5]", NULL, JSON_ODD_SIGN},
        {"[007, -00, 00.50]", "[7  , -0 , 0.50 ]", JSON_ODD_ZERO},
        {"[5.]", "[5 ]", JSON_ODD_POINT},
        {"[5.e3]", "[5e3 ]", JSON_ODD_POINT},
        {"[.5 ]", "[0.5]", JSON_ODD_POINT},
        {"[ -.5]", "[-0.5]", JSON_ODD_POINT},
        {"[.5]", NULL, JSON_ODD_POINT},
        {"[.]", NULL, JSON_ODD_POINT},
        {"[1.2.]", NULL, JSON_ODD_POINT},
        {"[0x1F,-0XfF]", "[31  ,-255 ]", JSON_ODD_HEXADECIMAL},
        {"[0xfffffffff]", "[68719476735]", JSON_ODD_HEXADECIMAL},
        {"[0xffffffffffff]", NULL, JSON_ODD_HEXADECIMAL}, /* no room */
        {"[0x]", NULL, JSON_ODD_HEXADECIMAL},
        {"[0x1.8p3]", NULL, JSON_ODD_HEXADECIMAL},
        {"['a', 'b c']", "[\"a\", \"b c\"]", JSON_ODD_QUOTES},
        {"{'a':1}", "{\"a\":1}", JSON_ODD_QUOTES},
        {"['\"']", NULL, JSON_ODD_QUOTES},
        {"[\"it\\'s\"]", "[\"it's\" ]", JSON_ODD_ESCAPE},
        {"[\"\\x41\\xc3\\xa9\\x22\\x0a\"]", "[\"A\xc3\xa9\\\"\\n\"             ]",
         JSON_ODD_ESCAPE},
        {"[\"\\x00\"]", NULL, JSON_ODD_ESCAPE},
        {"[\"\\xff\"]", NULL, JSON_ODD_ESCAPE},
        {"[1] ]", "[1] ]", JSON_ODD_BEHIND},
        {"{} {", "{} {", JSON_ODD_BEHIND},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char text[64];
        const size_t size = strlen(all[i].text);
        ck_assert_uint_lt(size, sizeof text);
        strcpy(text, all[i].text);
        ck_assert(!json_reader_whole(reader, text, size, NULL));
        const json_rules rules = {.loose = text};
        const bool good = json_reader_whole(reader, text, size, &rules);
        ck_assert_msg(good == (all[i].made != NULL), "%s", all[i].text);
        if (!good)
            continue;
        ck_assert_str_eq(text, all[i].made);
        const json_oddities *odd = json_reader_oddities(reader);
        for (size_t k = 0; k < JSON_ODDS; k++)
            ck_assert_msg((odd->count[k] > 0) == (k == all[i].odd), "%s: %zu", text, k);
        if (all[i].odd != JSON_ODD_BEHIND)
            ck_assert(json_reader_whole(reader, text, size, NULL));
    }
}
END_TEST

static bool always(void *payload)
{
    ++*(int *)payload;
    return true;
}

START_TEST(stops)
{
    int asked = 0;
    json_reader *own = json_reader_new((stop_hook){always, &asked});
    ck_assert_ptr_nonnull(own);
    bytes_put_text(&found, "[0");
    for (int i = 1; i < 5000; i++)
        bytes_put_text(&found, ",0");
    bytes_put_text(&found, "]");
    ck_assert_ptr_nonnull(bytes_text(&found));
    ck_assert(!json_reader_whole(own, (const char *)found.data, found.size, NULL));
    ck_assert_int_eq(json_reader_fault(own)->kind, JSON_STOPPED);
    ck_assert_int_eq(asked, 1);
    json_reader_free(own);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reader");
    TCase *tc = tcase_create("documents");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, entries_of_a_value);
    tcase_add_test(tc, elements_of_a_list);
    tcase_add_test(tc, what_ends_strings);
    tcase_add_test(tc, members_by_their_kinds);
    tcase_add_test(tc, members_of_repeated_keys);
    tcase_add_loop_test(tc, plain_texts_as_all_others, 0, test_seeds(5));
    tcase_add_test(tc, plain_depth);
    tcase_add_test(tc, integers_as_they_are_written);
    tcase_add_test(tc, walks_pass_repeated_keys_over);
    tcase_add_test(tc, a_broken_element);
    tcase_add_test(tc, repeated_keys);
    tcase_add_test(tc, limits);
    tcase_add_test(tc, made_strict);
    tcase_add_test(tc, stops);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
