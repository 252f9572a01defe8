/* What may take whose place: edges that are saved, chunks that were imported. */
#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/chunk_write.h"
#include "support/suite.h"
#include "unit/store/store_fixture.h"

#include <check.h>
#include <string.h>

static fixture f;
static ptl_error err;

static void setup(void)
{
    fixture_open(&f);
    error_clear(&err);
}

static void teardown(void)
{
    fixture_close(&f);
}

static int64_t count(const char *sql)
{
    int64_t n = -1;
    ck_assert_msg(sqlite_pragma_int(f.store, sql, &n, &err) == PTL_OK, "%s", err.message);
    return n;
}

/* In a transaction of its own. */
static ptl_status edge_call(ptl_status (*call)(ptl_store *, const edge *, const edge_source *,
                                               const catalogue *, ptl_error *),
                            const edge *e)
{
    const edge_source source = {f.world_id, 1, f.run_id, 1};
    error_clear(&err);
    ck_assert_int_eq(ops(f.store)->transaction->begin(f.store, &err), PTL_OK);
    ptl_status status = call(f.store, e, &source, f.cat, &err);
    if (status == PTL_OK)
        ck_assert_int_eq(ops(f.store)->transaction->commit(f.store, &err), PTL_OK);
    else
        ops(f.store)->transaction->rollback(f.store);
    return status;
}

/* ---- edges ---- */

static crossing crossings[2];
static ptl_oter border[2][PTL_CHUNK_SIZE];

static edge edge_at(int32_t x, int32_t y, edge_side side)
{
    crossings[0] = (crossing){"river", 40, 0, 3, 1};
    crossings[1] = (crossing){"sewer", 90, 0, 1, 0};
    for (int i = 0; i < PTL_CHUNK_SIZE; i++) {
        border[0][i] = (ptl_oter)i;
        border[1][i] = (ptl_oter)(1000 + i);
    }
    return (edge){.x = x, .y = y, .side = side, .crossings = crossings, .count = 2};
}

static edge foreign_at(int32_t x, int32_t y, edge_side side)
{
    edge e = edge_at(x, y, side);
    e.origin = EDGE_FOREIGN;
    e.border[0] = border[0];
    e.border[1] = border[1];
    return e;
}

/* Makes the edge another one in one respect; false behind the last. */
static bool differ(edge *e, int in)
{
    crossing *c = &crossings[0];
    switch (in) {
    case 0:
        c->kind = "road";
        return true;
    case 1:
        c->position++;
        return true;
    case 2:
        c->z--;
        return true;
    case 3:
        c->width++;
        return true;
    case 4:
        c->direction = -1;
        return true;
    case 5:
        c->direction = 0;
        return true;
    case 6:
        e->count = 1;
        return true;
    case 7:
        e->origin = e->origin == EDGE_FOREIGN ? EDGE_PLANNED : EDGE_FOREIGN;
        return true;
    case 8:
        border[0][179]++;
        return e->border[0] != NULL;
    case 9:
        border[1][0]++;
        return e->border[1] != NULL;
    case 10:
        e->border[1] = NULL;
        return e->border[0] != NULL;
    default:
        return false;
    }
}

START_TEST(a_saved_edge_is_compared_whole)
{
    edge (*const kinds[])(int32_t, int32_t, edge_side) = {edge_at, foreign_at};
    edge e = kinds[_i](3, -3, EDGE_EAST);
    ck_assert_msg(edge_call(edge_row_ensure, &e) == PTL_OK, "%s", err.message);
    ck_assert_msg(edge_call(edge_row_ensure, &e) == PTL_OK, "%s", err.message);
    int tried = 0;
    for (; differ(&e, tried); tried++) {
        ck_assert_msg(edge_call(edge_row_ensure, &e) == PTL_ERR_MISMATCH, "respect %d", tried);
        ck_assert_ptr_nonnull(strstr(err.message, "edge 3,-3 E is saved already"));
        e = kinds[_i](3, -3, EDGE_EAST);
    }
    ck_assert_int_eq(tried, _i == 0 ? 8 : 11);
    ck_assert_int_eq(count("SELECT count(*) FROM edge"), 1);
    ck_assert_int_eq(count("SELECT count(*) FROM crossing"), 2);
}
END_TEST

/* ---- chunks ---- */

typedef struct how {
    bool imported, replace, changed, written;
} how;

static void write_chunk(int32_t x, int32_t y, uint64_t seed, how *h)
{
    edge edges[4] = {{.x = x, .y = y - 1, .side = EDGE_SOUTH},
                     {.x = x, .y = y, .side = EDGE_EAST},
                     {.x = x, .y = y, .side = EDGE_SOUTH},
                     {.x = x - 1, .y = y, .side = EDGE_EAST}};
    ptl_chunk *chunk = fixture_chunk((ptl_chunk_pos){x, y}, seed);
    codec *c = codec_new();
    chunk_write w = {.generator_version = 1,
                     .content_id = 1,
                     .imported = h->imported,
                     .replace = h->replace,
                     .changed = &h->changed};
    ck_assert(c != NULL);
    for (int i = 0; i < 4; i++)
        w.edges[i] = &edges[i];
    ck_assert_int_eq(chunk_encode(&w.encoded, c, chunk, fixture_defaults, f.cat, &err), PTL_OK);
    ck_assert_int_eq(ops(f.store)->transaction->begin(f.store, &err), PTL_OK);
    ck_assert_msg(ops(f.store)->chunk->write(f.store, f.world_id, f.run_id, &w, f.cat,
                                             &h->written, &err) == PTL_OK,
                  "%s", err.message);
    ck_assert_int_eq(ops(f.store)->transaction->commit(f.store, &err), PTL_OK);
    encoded_chunk_dispose(&w.encoded);
    codec_free(c);
    ptl_chunk_free(chunk);
}

static bool holds(int32_t x, int32_t y, uint64_t seed)
{
    ptl_chunk *saved = NULL, *wanted = fixture_chunk((ptl_chunk_pos){x, y}, seed);
    ck_assert_int_eq(
        ops(f.store)->chunk->read(&saved, f.store, f.world_id, wanted->pos, f.cat, NULL, &err),
        PTL_OK);
    const bool same = fixture_same_chunk(saved, wanted);
    ptl_chunk_free(saved);
    ptl_chunk_free(wanted);
    return same;
}

/* Beside each side of an edge of either kind: a generated chunk keeps its edges as they are,
 * an imported one, or none, does not. */
START_TEST(a_generated_chunk_holds_its_edges)
{
    for (int side = 0; side < 2; side++)
        for (int far = 0; far < 2; far++) {
            how h = {.imported = _i == 1};
            const int32_t x = 10 * side, y = 10 * far;
            edge e = foreign_at(x, y, side ? EDGE_SOUTH : EDGE_EAST);
            if (_i < 2)
                write_chunk(x + (far && !side), y + (far && side), 1, &h);
            const ptl_status status = edge_call(edge_row_write_foreign, &e);
            if (_i > 0) {
                ck_assert_msg(status == PTL_OK, "%s", err.message);
                continue;
            }
            ck_assert_int_eq(status, PTL_ERR_EXISTS);
            ck_assert_ptr_nonnull(strstr(err.message, "is generated already"));
            e = (edge){.x = x, .y = y, .side = e.side}; /* as it is: nothing to be done */
            ck_assert_int_eq(edge_call(edge_row_ensure, &e), PTL_OK);
        }
    ck_assert_int_eq(count("SELECT count(*) FROM edge WHERE origin = 'foreign'"),
                     _i == 0 ? 0 : 4);
}
END_TEST

/* What nothing can make again stays, whatever is asked for. */
START_TEST(an_imported_chunk_is_not_replaced)
{
    how first = {.imported = true}, later = {.replace = _i & 1, .imported = _i & 2};
    write_chunk(0, 0, 1, &first);
    ck_assert(first.written && !first.changed);
    write_chunk(0, 0, 2, &later);
    ck_assert(!later.written && !later.changed);
    ck_assert(holds(0, 0, 1));
}
END_TEST

START_TEST(a_generated_chunk_is_replaced_if_asked)
{
    how h = {.imported = false};
    write_chunk(0, 0, 1, &h);
    ck_assert(h.written);
    write_chunk(0, 0, 2, &h);
    ck_assert(!h.written && !h.changed);
    ck_assert(holds(0, 0, 1));
    const int64_t id = count("SELECT id FROM chunk");
    h.replace = true;
    write_chunk(0, 0, 1, &h); /* the same again */
    ck_assert(h.written && !h.changed);
    write_chunk(0, 0, 2, &h);
    ck_assert(h.written && h.changed);
    ck_assert(holds(0, 0, 2));
    ck_assert_int_eq(count("SELECT id FROM chunk"), id);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("edges");
    TCase *tests = tcase_create("edges");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, a_saved_edge_is_compared_whole, 0, 2);
    tcase_add_loop_test(tests, a_generated_chunk_holds_its_edges, 0, 3);
    tcase_add_loop_test(tests, an_imported_chunk_is_not_replaced, 0, 4);
    tcase_add_test(tests, a_generated_chunk_is_replaced_if_asked);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
