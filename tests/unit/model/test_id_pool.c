/* The pool of ids: one number for a text, whatever room there was for it at first. */
#include "core/hash.h"
#include "model/id_pool.h"
#include "support/seeds.h"
#include "support/suite.h"

#include <check.h>
#include <string.h>

/* Texts of few letters, so that most come again, and begin as others do. */
static size_t draw_text(rng *r, char out[16])
{
    const size_t length = rng_below(r, 15);
    for (size_t i = 0; i < length; i++)
        out[i] = (char)('a' + rng_below(r, length < 4 ? 3 : 2));
    out[length] = '\0';
    return length;
}

START_TEST(numbers_in_the_order_of_coming)
{
    enum { TEXTS = 60000, FIRSTS = 3 };
    static const uint32_t rooms[FIRSTS] = {0, 100, 1 << 16};
    static const arena_blocks blocks = {.size = 1 << 12};
    id_pool *pools[FIRSTS];
    rng r = rng_from_key((uint64_t)_i);
    for (int i = 0; i < FIRSTS; i++) {
        pools[i] = rooms[i] ? id_pool_new_for(rooms[i], i > 1 ? &blocks : NULL) : id_pool_new();
        ck_assert_ptr_nonnull(pools[i]);
    }
    uint32_t most = 0;
    for (int t = 0; t < TEXTS; t++) {
        char text[16];
        const size_t length = draw_text(&r, text);
        const uint32_t number = id_pool_put(pools[0], text, length);
        if (number > most + 1 || (number == ID_NONE) != (length == 0))
            ck_abort_msg("'%s' is number %u of %u", text, number, most);
        most = number > most ? number : most;
        if (strcmp(id_pool_text(pools[0], number), text) != 0)
            ck_abort_msg("'%s' came out as '%s'", text, id_pool_text(pools[0], number));
        for (int i = 1; i < FIRSTS; i++)
            if (id_pool_put(pools[i], text, length) != number)
                ck_abort_msg("'%s' has another number in pool %d", text, i);
    }
    ck_assert_uint_gt(most, 5000); /* the first two have grown, more than once */
    for (int i = 0; i < FIRSTS; i++) {
        ck_assert_uint_eq(id_pool_count(pools[i]), most + 1);
        ck_assert(!id_pool_failed(pools[i]));
        id_pool_free(pools[i]);
    }
}
END_TEST

START_TEST(a_nul_ends_a_text)
{
    id_pool *pool = id_pool_new();
    ck_assert_ptr_nonnull(pool);
    const uint32_t house = id_pool_put(pool, "house\0north", 11);
    ck_assert_uint_eq(house, id_pool_put(pool, "house", 5));
    ck_assert_uint_ne(house, id_pool_put(pool, "house_", 6));
    ck_assert_uint_eq(id_pool_put(pool, "\0house", 6), ID_NONE);
    ck_assert_str_eq(id_pool_text(pool, house), "house");
    ck_assert_str_eq(id_pool_text(pool, 77), "");
    id_pool_free(pool);
    id_pool_free(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("id_pool");
    TCase *tc = tcase_create("texts");
    tcase_add_loop_test(tc, numbers_in_the_order_of_coming, 0, test_seeds(5));
    tcase_add_test(tc, a_nul_ends_a_text);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
