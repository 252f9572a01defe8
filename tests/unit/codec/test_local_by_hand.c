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

static const char *no_name(const void *none, uint32_t number)
{
    (void)none;
    (void)number;
    return NULL;
}

/* A map with one thing in the form of before, which names these texts of the two that there
 * are. */
static ptl_status decode_with(codec *c, int32_t text, int32_t own)
{
    static const char texts[] = "\2\3\3onetwo";
    local_map map;
    pack_table t = {.count = 0};
    encoded_pack p = {.count = 1};
    encoded_local empty = {0};
    bytes tiles = {0}, things = {0}, packed = {0};
    id_pool *pool = id_pool_new();
    local_map_init(&map);
    ck_assert_int_eq(local_encode(&empty, c, &map, pool, &err), PTL_OK);
    pack_blob_build(&tiles, &empty.tiles, NULL);
    ck_assert_int_eq(pack_table_resize(&t, PACK_LOCAL_THINGS, 1, &err), PTL_OK);
    for (int i = 0; i <= LOCAL_THING_OWN; i++)
        t.columns[i][0] = 0;
    t.columns[LOCAL_THING_ID][0] = t.columns[LOCAL_THING_WITH][0] = -1;
    t.columns[LOCAL_THING_TEXT][0] = text;
    t.columns[LOCAL_THING_OWN][0] = own;
    ck_assert_int_eq(pack_body_encode(&p, c, PACK_LOCAL_THINGS, &t, &err), PTL_OK);
    pack_blob_build(&things, &p, NULL);
    ck_assert_int_eq(codec_put_stream(&packed, c, texts, sizeof texts - 1, &err), PTL_OK);
    const local_blobs blobs = {tiles.data, things.data, packed.data,
                               tiles.size, things.size, packed.size};
    const pack_reader r = {c, &t, 1, no_name, NULL};
    const ptl_status status = local_decode(&map, pool, &r, &blobs, &err);
    local_map_dispose(&map);
    pack_table_dispose(&t);
    encoded_pack_dispose(&p);
    encoded_local_dispose(&empty);
    bytes_dispose(&tiles);
    bytes_dispose(&things);
    bytes_dispose(&packed);
    id_pool_free(pool);
    return status;
}

/* The form of before: an index beyond the last text is refused, of either sort. */
START_TEST(texts_behind_the_last_are_refused)
{
    static const struct {
        int32_t text, own;
        bool right;
    } cases[] = {{0, 1, true},  {1, 0, true},  {1, -1, true},  {2, 0, false},
                 {0, 2, false}, {9, 1, false}, {1, 99, false}, {-1, 2, false}};
    codec *c = codec_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memset(&err, 0, sizeof err);
        const ptl_status status = decode_with(c, cases[i].text, cases[i].own);
        ck_assert_msg(status == (cases[i].right ? PTL_OK : PTL_ERR_CORRUPT), "%zu: %s", i,
                      err.message);
        ck_assert_msg(cases[i].right || strstr(err.message, "a text that is not there"),
                      "%zu: %s", i, err.message);
    }
    codec_free(c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local_by_hand");
    TCase *tc = tcase_create("local_by_hand");
    tcase_add_test(tc, things_outside_of_the_map_are_refused);
    tcase_add_test(tc, texts_behind_the_last_are_refused);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
