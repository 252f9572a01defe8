/*
 * The reader: what it finds of a list element by element, how far it gets in a broken one, and
 * what it says of it. That it accepts what Jansson accepts: test_json_value.c,
 * test_content_scan.c.
 */
#include "core/bytes.h"
#include "json/reader.h"

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
        for (int i = 0; i < JSON_STRING_MAX - 2 + more; i++)
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
    tcase_add_test(tc, a_broken_element);
    tcase_add_test(tc, repeated_keys);
    tcase_add_test(tc, limits);
    tcase_add_test(tc, stops);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
