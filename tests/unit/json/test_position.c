/* Places: pointers must lead to the values that Jansson has, and lines be those of the text. */
#include "core/hash.h"
#include "support/suite.h"
#include "json/json_value.h"
#include "json/position.h"
#include "json/view.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

enum { PLACES_MAX = 64 };

/* The values that were met, so that all can be looked for at once. */
typedef struct places {
    position_wish wishes[PLACES_MAX];
    char pointers[PLACES_MAX][256];
    size_t count;
} places;

static void check_position(const char *text, const position_wish *wish)
{
    json_t *found =
        json_loads(text + wish->offset, JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, NULL);
    ck_assert_msg(found != NULL, "no value at %s", wish->pointer);
    ck_assert_msg(json_equal(found, wish->owner), "other value at %s", wish->pointer);
    json_decref(found);
}

/* Finds the offset of one pointer's value. */
static size_t position_find(const json_document *document, const char *pointer)
{
    position_wish wish = {.pointer = pointer ? pointer : "",
                          .offset = document->entries[0].start};
    /* On failure the offset stays that of the whole document. */
    (void)position_find_all(document, &wish, 1);
    return wish.offset;
}

static void check_positions(const json_document *document, const json_t *value,
                            const char *pointer, places *met)
{
    ck_assert_uint_lt(met->count, PLACES_MAX);
    char *kept = met->pointers[met->count];
    snprintf(kept, sizeof met->pointers[0], "%s", pointer);
    position_wish *wish = &met->wishes[met->count++];
    *wish = (position_wish){.pointer = kept, .owner = (void *)(uintptr_t)value};
    wish->offset = position_find(document, pointer);
    check_position(document->text, wish);
    char inner[256];
    for (size_t i = 0; i < json_array_size(value); i++) {
        snprintf(inner, sizeof inner, "%s/%zu", pointer, i);
        check_positions(document, json_array_get(value, i), inner, met);
    }
    if (!json_is_object(value))
        return;
    for (void *at = json_object_iter((json_t *)(uintptr_t)value); at;
         at = json_object_iter_next((json_t *)(uintptr_t)value, at)) {
        snprintf(inner, sizeof inner, "%s/", pointer);
        size_t end = strlen(inner);
        for (const char *c = json_object_iter_key(at); *c; c++)
            end += (size_t)sprintf(inner + end, *c == '~' ? "~0" : *c == '/' ? "~1" : "%c", *c);
        check_positions(document, json_object_iter_value(at), inner, met);
    }
}

/* In any order, some of them twice, and some that are not there. */
static void check_all_at_once(const json_document *document, const places *met)
{
    static const struct {
        const char *pointer;
        size_t offset;
    } missing[] = {{"/0/nothing", 2}, {"/7/x", 0}, {"/0/type/x/y", 12}, {"/0/00", 2}};
    enum { MISSING = sizeof missing / sizeof *missing };
    rng r = rng_from_key(5);
    for (int round = 0; round < 200; round++) {
        position_wish list[PLACES_MAX + MISSING];
        const size_t count = rng_below(&r, PLACES_MAX) + MISSING;
        for (size_t i = 0; i < MISSING; i++)
            list[i] = (position_wish){.pointer = missing[i].pointer};
        for (size_t i = MISSING; i < count; i++)
            list[i] = met->wishes[rng_below(&r, (uint32_t)met->count)];
        for (size_t i = MISSING; i < count; i++)
            list[i].offset = SIZE_MAX;
        ck_assert(position_find_all(document, list, count));
        size_t absent = 0;
        for (size_t i = 0; i < count; i++)
            if (list[i].owner)
                check_position(document->text, &list[i]);
            else
                for (size_t k = 0; k < MISSING; k++)
                    absent += strcmp(list[i].pointer, missing[k].pointer) == 0 &&
                              list[i].offset == missing[k].offset;
        ck_assert_uint_eq(absent, MISSING);
    }
}

START_TEST(positions_lead_to_the_values)
{
    static const char text[] =
        "[ { \"type\": \"x\", \"a/b~c\": [ 1, -2.50, \"]\\\"\", { \"d\" : [[],[{}]] } ] , "
        "\"k\": 1,\n"
        "  \"e\": { \"c\": null, \"d\": true, \"f\":{\"g\":[0,{\"h\":\"\\\\\"}]} }, \"k\": [ 2 "
        "] },\n"
        "\t{ \"h\": [ [ [ { \"i\": false } ], \"j\" ], { } ], \"\": 3 } ]";
    json_t *json = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(json);
    places *met = calloc(1, sizeof *met);
    json_reader *reader = json_reader_new((stop_hook){NULL, NULL});
    ck_assert(met && reader);
    ck_assert(json_reader_whole(reader, text, sizeof text - 1, NULL));
    const json_document document = json_reader_document(reader);
    check_positions(&document, json, "", met);
    check_all_at_once(&document, met);
    free(met);
    json_decref(json);
    /* What is not there is placed at the nearest value on the way. */
    ck_assert_uint_eq(position_find(&document, "/0/nothing"), 2);
    ck_assert_uint_eq(position_find(&document, "/7/x"), 0);
    const json_document first = {text, document.entries + 1, document.entries[1].span};
    ck_assert_uint_eq(position_find(&first, "/type/x/y"), 12);
    json_reader_free(reader);
}
END_TEST

/* ---- lines ---- */

START_TEST(lines_and_columns)
{
    static const char text[] = "ab\n\nc\r\nd\n";
    static const int wanted[][2] = {{1, 1}, {1, 2}, {1, 3}, {2, 1}, {3, 1},
                                    {3, 2}, {3, 3}, {4, 1}, {4, 2}, {5, 1}};
    position_cursor walking = position_begin(text);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        position_cursor leaping = position_begin(text);
        position_go(&walking, i);
        position_go(&walking, i); /* the same place again */
        position_go(&leaping, i);
        ck_assert_int_eq(walking.line, wanted[i][0]);
        ck_assert_int_eq(walking.column, wanted[i][1]);
        ck_assert_int_eq(leaping.line, wanted[i][0]);
        ck_assert_int_eq(leaping.column, wanted[i][1]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("position");
    TCase *tc = tcase_create("places");
    tcase_add_test(tc, positions_lead_to_the_values);
    tcase_add_test(tc, lines_and_columns);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
