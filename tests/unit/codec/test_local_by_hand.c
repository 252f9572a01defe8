/* Things of local maps that no encoder writes, made by hand: each is refused, and said why. */
#include "codec/local/local_codec.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static ptl_error err;

/* Things by hand: two on a tile each, of which the second is what no map has. */
START_TEST(things_outside_of_the_map_are_refused)
{
    enum { N = LOCAL_THING_NOTHING, LAST = LOCAL_SIDE - 1 };
    static const struct {
        int x, y; /* of the first */
        local_thing second;
        const char *message; /* NULL: it is right */
    } cases[] = {
        {3, LAST, {0, 3, LAST, 3, LAST, N, N, 1, N, N, N, N}, NULL},
        {3, LAST, {0, 3, LAST + 1, 3, LAST + 1, N, N, 1, N, N, N, N}, "outside of the map"},
        {LAST, 5, {0, LAST + 1, 5, LAST + 1, 5, N, N, 1, N, N, N, N}, "outside of the map"},
        {3, 0, {0, 3, -1, 3, -1, N, N, 1, N, N, N, N}, "outside of the map"},
        {0, 5, {0, -1, 5, -1, 5, N, N, 1, N, N, N, N}, "outside of the map"},
        {3, 3, {0, 5, 3, 4, 3, N, N, 1, N, N, N, N}, "the wrong way round"},
        {3, 3, {0, 5, 3, 5, 2, N, N, 1, N, N, N, N}, "the wrong way round"},
        {3, 3, {LOCAL_KINDS, 5, 3, 5, 3, N, N, 1, N, N, N, N}, "a kind that is none"},
        {3, 3, {0, 5, 3, 5, 3, 0, N, 1, N, N, N, N}, "a name that is not there"},
        {3, 3, {0, 5, 3, 5, 3, N, 0, 1, N, N, N, N}, "a name that is not there"},
        {3, 3, {0, 5, 3, 5, 3, N, N, 1, N, N, 0, N}, "a text that is not there"},
        {3, 3, {0, 5, 3, 5, 3, N, N, 1, N, N, N, 0}, "a text that is not there"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes coded = {0};
        local_thing read[2];
        const local_thing list[2] = {
            {0, cases[i].x, cases[i].y, cases[i].x, cases[i].y, N, N, 1, N, N, N, N},
            cases[i].second};
        ck_assert_int_eq(local_things_put(&coded, list, 2, 2, &err), PTL_OK);
        const ptl_status status =
            local_things_take(read, 2, 0, 0, coded.data, coded.data + coded.size, &err);
        ck_assert_msg(status == (cases[i].message ? PTL_ERR_CORRUPT : PTL_OK), "%zu: %s", i,
                      err.message);
        ck_assert_msg(!cases[i].message || strstr(err.message, cases[i].message), "%zu: %s", i,
                      err.message);
        memset(&err, 0, sizeof err);
        bytes_dispose(&coded);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local_by_hand");
    TCase *tc = tcase_create("local_by_hand");
    tcase_add_test(tc, things_outside_of_the_map_are_refused);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
