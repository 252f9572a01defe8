/* PMTiles of all sizes: a reader that knows nothing of the writer finds what was put, whatever
 * the order, and nothing else. tests/server/test_site.py and tests/atlas/test_maps.py let npm's
 * library read some. */
#include "core/bytes.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/pmtiles.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 16384, ZOOM = 9 };

typedef struct file {
    bytes data;
    uint64_t calls, fail_at; /* the call of the sink that fails; 0: none */
} file;

static ptl_status append(void *payload, const void *data, size_t size, ptl_error *err)
{
    file *f = payload;
    if (++f->calls == f->fail_at)
        return error_set(err, PTL_ERR_IO, "the disk is full");
    bytes_put(&f->data, data, size);
    return PTL_OK;
}

/* ---- a reader ---- */

typedef struct place {
    uint64_t offset, length;
} place;

static place place_at(const bytes *data, size_t at)
{
    return (place){bytes_load_u64(data->data + at), bytes_load_u64(data->data + at + 8)};
}

/* From (x, y) to its place on the curve, by turning quadrants from the smallest up: another way
 * than the writer's. */
static uint64_t number_of(int zoom, uint32_t x, uint32_t y)
{
    uint64_t first = 0, number = 0;
    for (int z = 0; z < zoom; z++)
        first += UINT64_C(1) << (2 * z);
    ck_assert(zoom >= 0 && zoom < 32);
    for (int bit = zoom - 1; bit >= 0; bit--) {
        const uint32_t side = UINT32_C(1) << bit, right = x >> bit & 1, below = y >> bit & 1;
        number = 4 * number + (right ? (below ? 2 : 3) : (below ? 1 : 0));
        x &= side - 1;
        y &= side - 1;
        if (!below) {
            const uint32_t was = x;
            x = right ? side - 1 - y : y;
            y = right ? side - 1 - was : was;
        }
    }
    return first + number;
}

typedef struct directory {
    uint64_t *ids, *runs, *lengths, *offsets; /* owned; each of count */
    size_t count;
} directory;

static void free_directory(directory *d)
{
    free(d->ids);
    free(d->runs);
    free(d->lengths);
    free(d->offsets);
}

static uint64_t *numbers(byte_reader *r, size_t count)
{
    uint64_t *list = calloc(count ? count : 1, sizeof *list);
    ck_assert_ptr_nonnull(list);
    for (size_t i = 0; i < count; i++)
        list[i] = byte_reader_varint(r);
    return list;
}

static directory read_directory(const bytes *data, uint64_t at, uint64_t length)
{
    directory d = {0};
    ck_assert_uint_le(at + length, data->size);
    byte_reader r = byte_reader_over(data->data + at, (size_t)length);
    d.count = (size_t)byte_reader_varint(&r);
    d.ids = numbers(&r, d.count);
    d.runs = numbers(&r, d.count);
    d.lengths = numbers(&r, d.count);
    d.offsets = numbers(&r, d.count);
    ck_assert(!r.failed && byte_reader_left(&r) == 0);
    for (size_t i = 0; i < d.count; i++) {
        d.ids[i] += i > 0 ? d.ids[i - 1] : 0;
        ck_assert(i == 0 || d.ids[i] > d.ids[i - 1]);
        ck_assert_uint_gt(d.lengths[i], 0);
        d.offsets[i] = d.offsets[i] ? d.offsets[i] - 1 : d.offsets[i - 1] + d.lengths[i - 1];
    }
    return d;
}

/* Where a tile lies in the file; length 0: it is not there. */
static place find(const bytes *data, uint64_t id, place at, int depth)
{
    const place leaves = place_at(data, 40), tiles = place_at(data, 56);
    directory d = read_directory(data, at.offset, at.length);
    place found = {0, 0};
    ck_assert_int_lt(depth, 3);
    for (size_t i = 0; i < d.count && d.ids[i] <= id; i++) {
        found = (place){0, 0};
        if (d.runs[i] == 0)
            found = (place){leaves.offset + d.offsets[i], d.lengths[i]};
        else if (id < d.ids[i] + d.runs[i])
            found = (place){tiles.offset + d.offsets[i], d.lengths[i]};
        if (i + 1 < d.count && d.ids[i + 1] <= id)
            continue;
        if (d.runs[i] == 0)
            found = find(data, id, found, depth + 1);
    }
    free_directory(&d);
    return found;
}

/* ---- trials ---- */

typedef struct trial {
    pmtiles_place *places; /* owned; the first put of them are in the file */
    size_t count, put;
    uint64_t key;
    uint32_t kinds; /* how many different tiles there are at most */
} trial;

/* All places of zooms up to ZOOM, as many as are wanted, in an order of chance. */
static trial make_trial(size_t put, uint32_t kinds, uint64_t key)
{
    trial t = {.put = put, .key = key, .kinds = kinds};
    rng r = rng_from_key(key);
    t.places = calloc(349525, sizeof *t.places);
    ck_assert_ptr_nonnull(t.places);
    for (int zoom = 0; zoom <= ZOOM; zoom++)
        for (uint32_t at = 0; at < UINT32_C(1) << (2 * zoom); at++)
            t.places[t.count++] = (pmtiles_place){zoom, at >> zoom, at & ((1u << zoom) - 1)};
    for (size_t i = t.count - 1; i > 0; i--) {
        const size_t other = (size_t)rng_below(&r, i + 1);
        const pmtiles_place was = t.places[i];
        t.places[i] = t.places[other];
        t.places[other] = was;
    }
    return t;
}

static size_t tile_of(const trial *t, size_t i, uint8_t out[64])
{
    const uint64_t kind = hash_add(t->key, i) % t->kinds;
    const size_t size = 1 + (size_t)(kind % 60);
    memset(out, (int)(kind & 0xff), size);
    memcpy(out, &kind, size < 4 ? size : 4);
    return size;
}

static ptl_status write_trial(file *f, const trial *t, ptl_error *err)
{
    static const pmtiles_facts facts = {.type = PMTILES_OTHER,
                                        .compression = PMTILES_PLAIN,
                                        .zoom_max = ZOOM,
                                        .west = -180,
                                        .south = -85,
                                        .east = 180,
                                        .north = 85,
                                        .metadata = "{}"};
    pmtiles m;
    bytes head;
    uint8_t tile[64];
    bytes_init(&head);
    ptl_status status = pmtiles_begin(&m, append, f, err);
    for (size_t i = 0; i < t->put && status == PTL_OK; i++) {
        const size_t size = tile_of(t, i, tile);
        status = pmtiles_put(&m, &t->places[i], tile, size, err);
    }
    if (status == PTL_OK)
        status = pmtiles_finish(&m, &facts, &head, err);
    if (status == PTL_OK) {
        ck_assert_uint_le(head.size, HEAD);
        memcpy(f->data.data, head.data, head.size);
    }
    pmtiles_dispose(&m);
    bytes_dispose(&head);
    return status;
}

static void check_found(const bytes *data, const trial *t, size_t i)
{
    uint8_t tile[64];
    const pmtiles_place *p = &t->places[i];
    const place found = find(data, number_of(p->zoom, p->x, p->y), place_at(data, 8), 0);
    const size_t size = i < t->put ? tile_of(t, i, tile) : 0;
    ck_assert_uint_eq(found.length, size);
    ck_assert_uint_le(found.offset + found.length, data->size);
    if (size > 0)
        ck_assert_mem_eq(data->data + found.offset, tile, size);
}

static const struct {
    size_t put;
    uint32_t kinds;
} sizes[] = {{0, 1},    {1, 1},          {7, 3},      {2000, 100000}, {2000, 1},
             {9000, 7}, {40000, 100000}, {349525, 3}, {349525, 1}};

START_TEST(what_is_put_is_found)
{
    file f = {.calls = 0};
    ptl_error err;
    trial t = make_trial(sizes[_i].put, sizes[_i].kinds, 77 + (uint64_t)_i);
    bytes_init(&f.data);
    ck_assert_int_eq(write_trial(&f, &t, &err), PTL_OK);
    ck_assert_mem_eq(f.data.data, "PMTiles\3", 8);
    const place root = place_at(&f.data, 8), tiles = place_at(&f.data, 56);
    ck_assert_uint_le(root.offset + root.length, HEAD);
    ck_assert_uint_eq(tiles.offset, HEAD);
    ck_assert_uint_eq(place_at(&f.data, 72).offset, t.put);
    ck_assert_uint_eq(f.data.data[101], ZOOM);
    /* Some that are there, and some that are not. */
    for (size_t i = 0; i < t.put; i += 1 + t.put / 150)
        check_found(&f.data, &t, i);
    for (size_t i = t.put; i < t.count; i += 1 + (t.count - t.put) / 150)
        check_found(&f.data, &t, i);
    free(t.places);
    bytes_dispose(&f.data);
}
END_TEST

/* Equal tiles lie there once, and neighbours of one tile are one entry. */
START_TEST(equal_tiles_once)
{
    file f = {.calls = 0};
    ptl_error err;
    trial t = make_trial(349525, 1, 5);
    bytes_init(&f.data);
    ck_assert_int_eq(write_trial(&f, &t, &err), PTL_OK);
    ck_assert_uint_eq(bytes_load_u64(f.data.data + 80), 1);
    ck_assert_uint_eq(bytes_load_u64(f.data.data + 88), 1);
    ck_assert_uint_lt(f.data.size, HEAD + 100);
    free(t.places);
    bytes_dispose(&f.data);
}
END_TEST

/* What the sink says is said, whichever call it was. */
START_TEST(a_sink_that_fails)
{
    trial t = make_trial(30, 100000, 6);
    uint64_t calls = 1;
    for (uint64_t at = 0; at <= calls; at++) {
        file f = {.fail_at = at};
        ptl_error err;
        bytes_init(&f.data);
        const ptl_status status = write_trial(&f, &t, &err);
        ck_assert_int_eq(status, at ? PTL_ERR_IO : PTL_OK);
        calls = at ? calls : f.calls;
        bytes_dispose(&f.data);
    }
    ck_assert_uint_gt(calls, 20);
    free(t.places);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pmtiles");
    TCase *tcase = tcase_create("pmtiles");
    tcase_add_loop_test(tcase, what_is_put_is_found, 0, (int)(sizeof sizes / sizeof sizes[0]));
    tcase_add_test(tcase, equal_tiles_once);
    tcase_add_test(tcase, a_sink_that_fails);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
