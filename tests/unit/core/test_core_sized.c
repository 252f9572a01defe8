/*
 * Structs that carry their size: what an older and a newer program give is taken and filled as
 * far as both sides know, nothing beside it is read or written, and a size that nobody set is
 * refused. First with a struct of our own that has grown once; then the same of every public
 * one (SIZED_TYPES).
 */
#include "unit/core/test_core.h"

#include "core/sized.h"
#include "portolan/portolan.h"
#include "portolan/stats.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As it was first, as it is in "this" library, and as a newer one will have it. */
typedef struct thing_1 {
    size_t size;
    uint64_t a;
} thing_1;

typedef struct thing_2 {
    size_t size;
    uint64_t a, b;
} thing_2;

typedef struct thing_3 {
    size_t size;
    uint64_t a, b, c;
} thing_3;

static const sized_type thing_type = {"THING_INIT", sizeof(thing_1), sizeof(thing_2)};
static const sized_place place = {"ptl_do", "options"};

/* ---- options ---- */

START_TEST(no_options_are_the_defaults)
{
    thing_2 o = {sizeof o, 5, 6};
    ck_assert_int_eq(sized_take(&o, NULL, &thing_type, &place, NULL), PTL_OK);
    ck_assert(o.size == sizeof o && o.a == 5 && o.b == 6);
}
END_TEST

START_TEST(older_options_keep_the_default_of_what_they_lack)
{
    const struct {
        thing_1 thing;
        uint64_t behind;
    } given = {{sizeof given.thing, 1}, 99};
    thing_2 o = {sizeof o, 5, 6};
    ck_assert_int_eq(sized_take(&o, &given.thing, &thing_type, &place, NULL), PTL_OK);
    ck_assert(o.size == sizeof o && o.a == 1 && o.b == 6);
}
END_TEST

START_TEST(newer_options_are_fine_while_they_ask_for_nothing_new)
{
    thing_3 given = {sizeof given, 1, 2, 0};
    thing_2 o = {sizeof o, 5, 6};
    ck_assert_int_eq(sized_take(&o, &given, &thing_type, &place, NULL), PTL_OK);
    ck_assert(o.size == sizeof o && o.a == 1 && o.b == 2);
    /* Each single bit of the new member is a wish. */
    for (int bit = 0; bit < 64; bit++) {
        ptl_error err = {0};
        given.c = UINT64_C(1) << bit;
        o = (thing_2){sizeof o, 5, 6};
        ck_assert_int_eq(sized_take(&o, &given, &thing_type, &place, &err), PTL_ERR_ARGUMENT);
        ck_assert(o.size == sizeof o && o.a == 5 && o.b == 6);
        ck_assert_ptr_nonnull(strstr(err.message, "ptl_do: options.size is 32, and Portolan "));
        ck_assert_ptr_nonnull(
            strstr(err.message, " knows 24 bytes: what lies behind them must be 0"));
    }
}
END_TEST

/* Neither is a byte looked at behind a size that nobody set: 65,537 would be far outside. */
START_TEST(sizes_that_nobody_set_are_refused)
{
    static const size_t sizes[] = {0, 1, sizeof(thing_1) - 1, SIZED_MAX + 1, SIZE_MAX};
    const size_t size = sizes[_i];
    char message[100];
    thing_2 *given = calloc(1, sizeof *given), o = {sizeof o, 5, 6};
    ptl_error err = {0};
    ck_assert_ptr_nonnull(given);
    given->size = size;
    snprintf(message, sizeof message, "ptl_do: options.size is %zu: begin with THING_INIT",
             size);
    ck_assert_int_eq(sized_take(&o, given, &thing_type, &place, &err), PTL_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, message);
    ck_assert(o.size == sizeof o && o.a == 5 && o.b == 6);
    error_clear(&err);
    ck_assert_int_eq(sized_check(given, &thing_type, &place, &err), PTL_ERR_ARGUMENT);
    ck_assert_str_eq(err.message, message);
    sized_fill(given, &o, &thing_type);
    ck_assert(given->size == size && given->a == 0 && given->b == 0);
    free(given);
}
END_TEST

/* ---- results ---- */

START_TEST(results_are_filled_as_far_as_both_sides_know)
{
    const thing_2 r = {sizeof r, 5, 6};
    thing_3 out;
    for (size_t size = sizeof(thing_1); size <= sizeof out; size += sizeof(uint64_t)) {
        out = (thing_3){size, 1, 2, 3};
        ck_assert_int_eq(sized_check(&out, &thing_type, &place, NULL), PTL_OK);
        sized_fill(&out, &r, &thing_type);
        ck_assert(out.size == size && out.a == 5);
        ck_assert_uint_eq(out.b, size < sizeof r ? 2 : 6);
        ck_assert_uint_eq(out.c, 3);
    }
    ck_assert_int_eq(sized_check(NULL, &thing_type, &place, NULL), PTL_OK);
    sized_fill(NULL, &r, &thing_type);
}
END_TEST

/* ---- every public struct ---- */

typedef struct public_type {
    const char *name;
    const sized_type *type;
    const size_t *begins; /* the size that its macro sets */
} public_type;

#define BEGIN(type, init, last) static const type type##_begins = init;
SIZED_TYPES(BEGIN)
#define LIST(type, init, last) {#type, &sized_##type, &type##_begins.size},
static const public_type public_types[] = {SIZED_TYPES(LIST)};

enum { PUBLIC_TYPES = sizeof public_types / sizeof *public_types, CANARY = 0xa5 };

/* Bytes as an older or newer program has them, with others behind. */
typedef struct given {
    unsigned char *bytes;
    size_t size, room;
} given;

static given given_of(size_t size, unsigned char fill)
{
    given g = {.size = size, .room = size + 64};
    g.bytes = malloc(g.room);
    ck_assert_ptr_nonnull(g.bytes);
    memset(g.bytes, fill, size);
    memset(g.bytes + size, CANARY, g.room - size);
    memcpy(g.bytes, &size, sizeof size);
    return g;
}

static bool all_are(const unsigned char *bytes, size_t count, unsigned char value)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != value)
            return false;
    return true;
}

START_TEST(macros_set_the_size)
{
    const public_type *p = public_types + _i;
    ck_assert_msg(*p->begins == p->type->now, "%s", p->name);
    ck_assert(p->type->first > sizeof(size_t) && p->type->first <= p->type->now);
    ck_assert_msg(p->type->now < SIZED_MAX / 2, "%s has no room to grow", p->name);
}
END_TEST

START_TEST(public_options_are_taken_from_any_version)
{
    const sized_type *t = public_types[_i].type;
    unsigned char *local = malloc(t->now);
    ck_assert_ptr_nonnull(local);
    for (size_t size = 0; size <= t->now + 16; size++) {
        given g = given_of(size < sizeof size ? sizeof size : size, 1);
        memcpy(g.bytes, &size, sizeof size);
        memset(local, 2, t->now);
        ptl_status status = sized_take(local, g.bytes, t, &place, NULL);
        ck_assert_int_eq(status, size < t->first || size > t->now ? PTL_ERR_ARGUMENT : PTL_OK);
        const size_t taken = status == PTL_OK ? size : sizeof size;
        ck_assert(all_are(local + sizeof size, taken - sizeof size, 1));
        ck_assert(all_are(local + taken, t->now - taken, 2));
        free(g.bytes);
    }
    free(local);
}
END_TEST

START_TEST(public_results_are_filled_in_any_version)
{
    const sized_type *t = public_types[_i].type;
    unsigned char *local = malloc(t->now);
    ck_assert_ptr_nonnull(local);
    memset(local, 2, t->now);
    for (size_t size = t->first; size <= t->now + 16; size++) {
        given g = given_of(size, 1);
        ck_assert_int_eq(sized_check(g.bytes, t, &place, NULL), PTL_OK);
        sized_fill(g.bytes, local, t);
        ck_assert_int_eq(memcmp(g.bytes, &size, sizeof size), 0);
        const size_t filled = size < t->now ? size : t->now;
        ck_assert(all_are(g.bytes + sizeof size, filled - sizeof size, 2));
        ck_assert(all_are(g.bytes + filled, size - filled, 1));
        ck_assert(all_are(g.bytes + size, g.room - size, CANARY));
        free(g.bytes);
    }
    free(local);
}
END_TEST

void add_sized_cases(Suite *suite)
{
    TCase *tcase = tcase_create("sized");
    tcase_add_test(tcase, no_options_are_the_defaults);
    tcase_add_test(tcase, older_options_keep_the_default_of_what_they_lack);
    tcase_add_test(tcase, newer_options_are_fine_while_they_ask_for_nothing_new);
    tcase_add_loop_test(tcase, sizes_that_nobody_set_are_refused, 0, 5);
    tcase_add_test(tcase, results_are_filled_as_far_as_both_sides_know);
    tcase_add_loop_test(tcase, macros_set_the_size, 0, PUBLIC_TYPES);
    tcase_add_loop_test(tcase, public_options_are_taken_from_any_version, 0, PUBLIC_TYPES);
    tcase_add_loop_test(tcase, public_results_are_filled_in_any_version, 0, PUBLIC_TYPES);
    suite_add_tcase(suite, tcase);
}
