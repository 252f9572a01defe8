/* Terrains of a site's tiles: what a reader of the test's own reads is what was put, whatever
 * that is; and what a place has around it makes it small. */
#include "clients/server/site/cells.h"
#include "core/hash.h"
#include "core/range_coder.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDE = PTL_CHUNK_SIZE,
    CELLS = PTL_LEVEL_CELLS,
    RANKS = PTL_OTER_NONE + 1,
    NOTHING = -1
};

/* A model as it is written. */
typedef struct model {
    int32_t count, oters[RANKS], right[RANKS], down[RANKS];
} model;

typedef struct reader {
    const model *by;
    range_decoder from;
    range_bit guessed[6][5][5][128], first[5][5], widths[17];
    int32_t cells[CELLS], kinds[CELLS];
    uint32_t shares[CELLS], known, total;
    int outcomes[CELLS];
} reader;

static int32_t number_at(const bytes *data, int32_t i)
{
    return data->data[2 * i] | data->data[2 * i + 1] << 8;
}

static void read_model(model *m, const bytes *data)
{
    m->count = (int32_t)(data->size / 6);
    for (int32_t i = 0; i < m->count; i++) {
        const int32_t right = number_at(data, m->count + i),
                      down = number_at(data, 2 * m->count + i);
        m->oters[i] = number_at(data, i);
        m->right[i] = right < m->count ? right : NOTHING;
        m->down[i] = down < m->count ? down : NOTHING;
    }
}

static bool take_bit(reader *r, range_bit *m)
{
    const bool bit = range_take_bit(&r->from, m);
    range_learn(m, bit);
    return bit;
}

static int32_t take_other(reader *r, range_bit *is_first)
{
    if (take_bit(r, is_first)) {
        int width = 0;
        int32_t value = 1;
        while (!take_bit(r, &r->widths[width]))
            ck_assert_int_lt(++width, 17);
        for (; width > 0; width--) {
            const uint32_t bit = range_target(&r->from, 2);
            range_take(&r->from, bit, 1);
            value = 2 * value + (int32_t)bit;
        }
        return value - 1;
    }
    const uint32_t target = range_target(&r->from, r->total);
    uint32_t before = 0, number = 0;
    for (; before + r->shares[number] <= target; number++)
        before += r->shares[number];
    ck_assert_uint_lt(number, r->known);
    range_take(&r->from, before, r->shares[number]);
    return r->kinds[number];
}

static int32_t near(const reader *r, int x, int y)
{
    return x >= 0 && x < SIDE && y >= 0 ? r->cells[y * SIDE + x] : NOTHING;
}

static void read_cell(reader *r, int x, int y)
{
    const int32_t w = near(r, x - 1, y), n = near(r, x, y - 1), c = near(r, x - 1, y - 1),
                  o = near(r, x + 1, y - 1), w2 = near(r, x - 2, y), n2 = near(r, x, y - 2);
    const int32_t all[6] = {
        w, n, w < 0 ? NOTHING : r->by->right[w], n < 0 ? NOTHING : r->by->down[n], o, c};
    const int at = y * SIDE + x, context = (w == n) + 2 * (w == c) + 4 * (n == o) +
                                           8 * (n == c) + 16 * (w == w2) + 32 * (n == n2) +
                                           64 * (w == o);
    const int left = x > 0 ? r->outcomes[at - 1] : 0,
              above = y > 0 ? r->outcomes[at - SIDE] : 0;
    int found = 0, cell = NOTHING;
    for (int i = 0; i < 6 && cell == NOTHING; i++) {
        bool once = all[i] != NOTHING;
        for (int j = 0; j < i; j++)
            once = once && all[j] != all[i];
        if (once && take_bit(r, &r->guessed[found][left][above][context]))
            cell = all[i];
        else
            found += once;
    }
    const bool other = cell == NOTHING;
    if (other)
        cell = take_other(r, &r->first[left][above]);
    ck_assert(cell >= 0 && cell < r->by->count);
    r->cells[at] = cell;
    r->outcomes[at] = other ? 4 : found < 3 ? found : 3;
    uint32_t number = 0;
    while (number < r->known && r->kinds[number] != cell)
        number++;
    if (number == r->known) {
        r->kinds[r->known++] = cell;
        r->shares[number] = 1;
        r->total++;
    }
    if (other && r->total < 32768) {
        r->shares[number] += 2;
        r->total += 2;
    }
}

static reader *read_tile(const model *by, const bytes *data, size_t from)
{
    reader *r = calloc(1, sizeof *r);
    ck_assert_ptr_nonnull(r);
    r->by = by;
    r->from = range_decoder_over(data->data + from, data->data + data->size);
    range_bit *bits[3] = {&r->guessed[0][0][0][0], &r->first[0][0], r->widths};
    const size_t counts[3] = {6 * 25 * 128, 25, 17};
    for (int list = 0; list < 3; list++)
        for (size_t i = 0; i < counts[list]; i++)
            bits[list][i] = RANGE_BIT_INIT;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            read_cell(r, x, y);
    return r;
}

/* Tiles of many kinds, by their number. */
static void make(ptl_oter *cells, int kind, uint64_t seed)
{
    for (int i = 0; i < CELLS; i++) {
        const uint64_t draw = hash_mix(seed * 1000003 + (uint64_t)i);
        const uint64_t at = (uint64_t)i, across = at % SIDE, down = at / SIDE;
        cells[i] = (ptl_oter)(kind == 0   ? 7
                              : kind == 1 ? at                         /* each once */
                              : kind == 2 ? draw % 65535               /* any */
                              : kind == 3 ? across / 9 + down / 7 * 40 /* blocks */
                              : kind == 4 ? 65534 - draw % 3           /* the last ones */
                              : kind == 5 ? (across + down) % 11       /* stripes */
                              : draw % 9  ? 1
                                          : 100 + draw % 401); /* sprinkled */
    }
}

enum { KINDS = 7 };

static size_t round_trip(const bytes *out, size_t from, const model *by, const ptl_oter *cells)
{
    reader *r = read_tile(by, out, from);
    for (int i = 0; i < CELLS; i++)
        ck_assert_msg(by->oters[r->cells[i]] == cells[i], "cell %d", i);
    free(r);
    return out->size - from;
}

START_TEST(what_is_put_is_read)
{
    static ptl_oter cells[KINDS][CELLS], none[CELLS];
    static model by;
    bytes head, out;
    bytes_init(&head);
    bytes_init(&out);
    cells_model *m = cells_model_new();
    ck_assert_ptr_nonnull(m);
    for (int kind = 0; kind < KINDS; kind++) {
        make(cells[kind], kind, (uint64_t)_i);
        ck_assert(cells_model_add(m, cells[kind]));
    }
    ck_assert(cells_model_finish(m, &head));
    read_model(&by, &head);
    ck_assert_int_eq(by.oters[by.count - 1], PTL_OTER_NONE);
    for (int kind = 0; kind < KINDS; kind++) {
        const size_t from = out.size;
        ck_assert(cells_put(m, &out, cells[kind]));
        const size_t size = round_trip(&out, from, &by, cells[kind]);
        if (kind == 0)
            ck_assert_uint_le(size, 80);
        if (kind == 3)
            ck_assert_uint_le(size, 1500);
    }
    memset(none, 0xff, sizeof none);
    const size_t from = out.size;
    ck_assert(cells_put(m, &out, none));
    round_trip(&out, from, &by, none);
    cells_model_free(m);
    bytes_dispose(&head);
    bytes_dispose(&out);
}
END_TEST

/* What most often stands beside is guessed: of equals the more frequent one, in whatever order
 * chunks come. */
START_TEST(models_do_not_go_by_order)
{
    static ptl_oter cells[KINDS][CELLS];
    bytes heads[2];
    for (int kind = 0; kind < KINDS; kind++)
        make(cells[kind], kind, 77);
    for (int turn = 0; turn < 2; turn++) {
        cells_model *m = cells_model_new();
        bytes_init(&heads[turn]);
        for (int i = 0; i < KINDS; i++)
            ck_assert(cells_model_add(m, cells[turn ? KINDS - 1 - i : i]));
        ck_assert(cells_model_finish(m, &heads[turn]));
        cells_model_free(m);
    }
    ck_assert_uint_eq(heads[0].size, heads[1].size);
    ck_assert_int_eq(memcmp(heads[0].data, heads[1].data, heads[0].size), 0);
    bytes_dispose(&heads[0]);
    bytes_dispose(&heads[1]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cells");
    TCase *c = tcase_create("cells");
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, what_is_put_is_read, 0, getenv("PORTOLAN_QUICK") ? 1 : 3);
    tcase_add_test(c, models_do_not_go_by_order);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
