/* Features: packs and rows, round trips, canonical digests, damage; foreign edges. */
#include "core/hash.h"
#include "store/sqlite/rows/chunk_write.h"
#include "store/sqlite/rows/feature_rows.h"
#include "support/suite.h"
#include "unit/store/store_fixture.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static fixture f;
static ptl_error err;
static gen_features in, out;

static void setup(void)
{
    fixture_open(&f);
    memset(&err, 0, sizeof err);
}

static void teardown(void)
{
    features_dispose(&in);
    features_dispose(&out);
    fixture_close(&f);
}

static digest encode(encoded_features *e, ptl_chunk_pos pos)
{
    codec *c = codec_new();
    ck_assert(c != NULL);
    ck_assert_msg(features_encode(e, c, pos, &in, f.cat, &err) == PTL_OK, "%s", err.message);
    codec_free(c);
    return e->digest;
}

static ptl_status write_chunk_of(ptl_chunk_pos pos, bool imported, edge edges[4], bool *written)
{
    edge own[4] = {
        fixture_edge(pos.x, pos.y - 1, EDGE_SOUTH), fixture_edge(pos.x, pos.y, EDGE_EAST),
        fixture_edge(pos.x, pos.y, EDGE_SOUTH), fixture_edge(pos.x - 1, pos.y, EDGE_EAST)};
    encoded_features e;
    ptl_chunk *chunk = fixture_chunk(pos, 5);
    codec *c = codec_new();
    chunk_write w = {
        .generator_version = 1, .content_id = 1, .imported = imported, .features = &e};
    for (int i = 0; i < 4; i++)
        w.edges[i] = edges ? &edges[i] : &own[i];
    encode(&e, pos);
    ck_assert(c && chunk_encode(&w.encoded, c, chunk, fixture_defaults, f.cat, &err) == PTL_OK);
    codec_free(c);
    ptl_chunk_free(chunk);
    ck_assert_int_eq(ops(f.store)->transaction->begin(f.store, &err), PTL_OK);
    ptl_status status =
        ops(f.store)->chunk->write(f.store, f.world_id, f.run_id, &w, f.cat, written, &err);
    if (status == PTL_OK)
        ck_assert_int_eq(ops(f.store)->transaction->commit(f.store, &err), PTL_OK);
    else
        ops(f.store)->transaction->rollback(f.store);
    encoded_chunk_dispose(&w.encoded);
    encoded_features_dispose(&e);
    for (int i = 0; i < 4; i++)
        edge_dispose(&own[i]);
    return status;
}

static ptl_status read_back(ptl_chunk_pos pos)
{
    bool found = false;
    ptl_status status =
        ops(f.store)->chunk->features_read(&out, &found, f.store, f.world_id, pos, f.cat, &err);
    if (status == PTL_OK)
        ck_assert(found);
    return status;
}

/* ---- round trips ---- */

static const feature_counts sizes[] = {{0, 0, 0, 0},   {10, 1030, 60, 7}, {1, 1, 1, 1},
                                       {0, 50, 0, 0},  {0, 0, 6500, 0},   {40, 3000, 9, 0},
                                       {3, 17, 2, 30}, {300, 2000, 5, 2}};

START_TEST(test_round_trip)
{
    bool written;
    ptl_chunk_pos pos = {_i - 3, 7 - _i};
    fixture_features(&in, f.cat, (uint64_t)_i + 100, sizes[_i]);
    ck_assert_msg(write_chunk_of(pos, false, NULL, &written) == PTL_OK, "%s", err.message);
    ck_assert(written);
    ck_assert_msg(read_back(pos) == PTL_OK, "%s", err.message);
    ck_assert(fixture_same_features(&in, &out));
    ck_assert_uint_eq(out.placement_count, sizes[_i].placements);
    /* Again, from another connection, which has to learn the names. */
    ptl_store_close(f.store);
    f.store = fixture_reopen(&f, PTL_OPEN_WRITE);
    ck_assert_msg(read_back(pos) == PTL_OK, "%s", err.message);
    ck_assert(fixture_same_features(&in, &out));
}
END_TEST

/* More ids than are remembered by where their texts lie; each lies in two places. */
START_TEST(test_many_types)
{
    enum { TYPES = 150, GROUPS = 3000 };
    const char *types[2][TYPES];
    bool written;
    rng r = rng_from_key(3);
    for (int i = 0; i < 2 * TYPES; i++) {
        char text[16];
        snprintf(text, sizeof text, "GROUP_%d", i % TYPES);
        types[i / TYPES][i % TYPES] = features_text(&in, text);
        ck_assert(types[i / TYPES][i % TYPES] != NULL);
    }
    for (int i = 0; i < GROUPS; i++) {
        gen_group *g = features_add_group(&in);
        ck_assert(g != NULL);
        const uint32_t where = rng_below(&r, 2), type = rng_below(&r, TYPES);
        *g = (gen_group){.type = types[where][type], .population = i};
    }
    ck_assert_msg(write_chunk_of((ptl_chunk_pos){2, 5}, false, NULL, &written) == PTL_OK, "%s",
                  err.message);
    ck_assert_msg(read_back((ptl_chunk_pos){2, 5}) == PTL_OK, "%s", err.message);
    ck_assert(fixture_same_features(&in, &out));
    ck_assert_uint_eq(out.group_count, GROUPS);
}
END_TEST

START_TEST(test_absent)
{
    bool found = true;
    ck_assert_int_eq(ops(f.store)->chunk->features_read(&out, &found, f.store, f.world_id,
                                                        (ptl_chunk_pos){9, 9}, f.cat, &err),
                     PTL_OK);
    ck_assert(!found);
}
END_TEST

/* The budget is 3 kB for the buildings of an overmap. */
START_TEST(test_size)
{
    encoded_features e;
    fixture_features(&in, f.cat, 4, (feature_counts){10, 1030, 0, 0});
    encode(&e, (ptl_chunk_pos){0, 0});
    size_t size = e.packs[PACK_PLACEMENTS].body.size + 2 * e.packs[PACK_PLACEMENTS].name_count;
    ck_assert_msg(size < 3000, "%zu bytes", size);
    encoded_features_dispose(&e);
}
END_TEST

START_TEST(test_unknown_building)
{
    bool written;
    catalogue less = *f.cat;
    fixture_features(&in, f.cat, 3, (feature_counts){1, 30, 0, 0});
    in.placements[7].special = FIXTURE_BUILDINGS - 1;
    ck_assert_int_eq(write_chunk_of((ptl_chunk_pos){0, 0}, false, NULL, &written), PTL_OK);
    less.special_count = FIXTURE_BUILDINGS - 1;
    bool found;
    ck_assert_int_eq(ops(f.store)->chunk->features_read(&out, &found, f.store, f.world_id,
                                                        (ptl_chunk_pos){0, 0}, &less, &err),
                     PTL_ERR_MISMATCH);
    ck_assert_msg(strstr(err.message, "'b599'") != NULL, "%s", err.message);
}
END_TEST

/* ---- digests ---- */

enum { FIELDS = 25 };

/* Changes one field of one entry. */
static void change(int field)
{
    gen_city *c = &in.cities[1];
    gen_placement *p = &in.placements[20];
    gen_group *g = &in.groups[3];
    gen_radio *r = &in.radios[1];
    switch (field) {
    case 0:
        c->name = "elsewhere";
        break;
    case 1:
        c->x = (int16_t)(c->x ? c->x - 1 : 1);
        break;
    case 2:
        c->y = (int16_t)(c->y ? c->y - 1 : 1);
        break;
    case 3:
        c->size++;
        break;
    case 4:
        c->planned_x = (int16_t)(c->planned_x ? c->planned_x - 1 : 1);
        break;
    case 5:
        c->planned_y = (int16_t)(c->planned_y ? c->planned_y - 1 : 1);
        break;
    case 6:
        p->special = 599;
        break;
    case 7:
        p->x = (int16_t)(p->x ? p->x - 1 : 1);
        break;
    case 8:
        p->y = (int16_t)(p->y ? p->y - 1 : 1);
        break;
    case 9:
        p->z = (int8_t)(p->z ? 0 : 1);
        break;
    case 10:
        p->rotation ^= 1;
        break;
    case 11:
        p->city = FEATURE_NO_CITY;
        break;
    case 12:
        g->type = "GROUP_OTHER";
        break;
    case 13:
        g->x = (int16_t)(g->x ? g->x - 1 : 1);
        break;
    case 14:
        g->y = (int16_t)(g->y ? g->y - 1 : 1);
        break;
    case 15:
        g->z = (int8_t)(g->z ? 0 : 1);
        break;
    case 16:
        g->radius++;
        break;
    case 17:
        g->population++;
        break;
    case 18:
        g->horde = !g->horde;
        break;
    case 19:
        g->diffuse = !g->diffuse;
        break;
    case 20:
        r->x = (int16_t)(r->x ? r->x - 1 : 1);
        break;
    case 21:
        r->strength++;
        break;
    case 22:
        r->weather = !r->weather;
        break;
    case 23:
        r->frequency++;
        break;
    default:
        r->message = "Come north.";
        break;
    }
}

START_TEST(test_digest_sees_all)
{
    const feature_counts counts = {3, 40, 10, 3};
    const ptl_chunk_pos pos = {2, -2};
    encoded_features e;
    fixture_features(&in, f.cat, 6, counts);
    digest plain = encode(&e, pos);
    encoded_features_dispose(&e);
    digest moved = encode(&e, (ptl_chunk_pos){-2, 2});
    encoded_features_dispose(&e);
    ck_assert_mem_ne(plain.bytes, moved.bytes, DIGEST_SIZE);
    change(_i);
    digest changed = encode(&e, pos);
    encoded_features_dispose(&e);
    ck_assert_mem_ne(plain.bytes, changed.bytes, DIGEST_SIZE);
}
END_TEST

static void digest_of_world(char hex[65])
{
    ptl_world_digest_result result = PTL_WORLD_DIGEST_RESULT_INIT;
    ck_assert_int_eq(ops(f.store)->world->digest(&result, f.store, f.world_id, &err), PTL_OK);
    memcpy(hex, result.hex, 65);
}

/* Two orders of writing give other numbers in table name, and the same digest. */
START_TEST(test_digest_is_over_names)
{
    char first[65], second[65];
    const feature_counts counts = {3, 60, 10, 3};
    bool written;
    for (int order = 0; order < 2; order++) {
        for (int i = 0; i < 3; i++) {
            int x = order ? 2 - i : i;
            features_reset(&in);
            fixture_features(&in, f.cat, (uint64_t)x + 40, counts);
            ck_assert_int_eq(write_chunk_of((ptl_chunk_pos){x, 0}, false, NULL, &written),
                             PTL_OK);
        }
        digest_of_world(order ? second : first);
        if (order == 0) {
            fixture_close(&f);
            fixture_open(&f);
        }
    }
    ck_assert_str_eq(first, second);
    features_reset(&in);
    fixture_features(&in, f.cat, 40, counts);
    in.placements[0].rotation ^= 1;
    bool found;
    ck_assert_int_eq(ops(f.store)->transaction->begin(f.store, &err), PTL_OK);
    ck_assert_int_eq(
        ops(f.store)->chunk->delete (&found, f.store, f.world_id, (ptl_chunk_pos){0, 0}, &err),
        PTL_OK);
    ck_assert(found);
    ck_assert_int_eq(ops(f.store)->transaction->commit(f.store, &err), PTL_OK);
    ck_assert_int_eq(write_chunk_of((ptl_chunk_pos){0, 0}, false, NULL, &written), PTL_OK);
    ck_assert(written);
    digest_of_world(second);
    ck_assert_str_ne(first, second);
}
END_TEST

/* ---- hostile packs ---- */

enum { LIMIT = 5000 };

static void good_blob(bytes *blob, pack_kind kind, size_t count, uint64_t seed)
{
    encoded_features e;
    features_reset(&in);
    fixture_features(&in, f.cat, seed,
                     (feature_counts){3, kind == PACK_PLACEMENTS ? count : 0,
                                      kind == PACK_GROUPS         ? count
                                      : kind == PACK_PREDECESSORS ? 2 * count
                                                                  : 0,
                                      0});
    fixture_specials(&in, seed,
                     (special_counts){30, kind == PACK_ATTEMPTS ? count : 0,
                                      kind == PACK_PIECES ? count : 0,
                                      kind == PACK_JOINS ? count : 0});
    encode(&e, (ptl_chunk_pos){0, 0});
    const encoded_pack *p = &e.packs[kind];
    uint32_t *numbers = calloc(p->name_count, sizeof *numbers);
    ck_assert(numbers != NULL);
    for (size_t i = 0; i < p->name_count; i++)
        numbers[i] = (uint32_t)(i * 7 % 601 + 1);
    bytes_clear(blob);
    pack_blob_build(blob, p, numbers);
    free(numbers);
    encoded_features_dispose(&e);
}

/* What was accepted must be within the layout's ranges. (One assertion for all: Check writes a
 * file at each.) */
static void check_ranges(const pack_table *t, pack_kind kind)
{
    const pack_layout *layout = pack_layout_of(kind);
    size_t outside = 0;
    for (size_t c = 0; c < layout->column_count; c++)
        for (size_t i = 0; i < t->count; i++)
            outside += t->columns[c][i] < layout->columns[c].low ||
                       t->columns[c][i] > layout->columns[c].high;
    for (size_t i = 0; i < t->count; i++)
        outside += t->columns[0][i] >= (int)t->name_count;
    for (size_t i = 0; i < t->name_count; i++)
        outside += t->numbers[i] == 0 || t->numbers[i] >= LIMIT;
    ck_assert_uint_eq(outside, 0);
}

START_TEST(test_hostile)
{
    bytes blob = {0};
    pack_table t = {0};
    codec *c = codec_new();
    pack_kind kind = (pack_kind)(_i % PACK_KINDS);
    rng r = rng_from_key((uint64_t)_i);
    good_blob(&blob, kind, 20 + rng_below(&r, 400), (uint64_t)_i);
    ck_assert_int_eq(pack_parse(&t, c, kind, blob.data, blob.size, LIMIT, NULL), PTL_OK);
    check_ranges(&t, kind);
    size_t accepted = 0;
    for (size_t size = 0; size < blob.size; size++) {
        uint8_t *cut = malloc(size + 1); /* exact, for the address sanitizer */
        memcpy(cut, blob.data, size);
        accepted += pack_parse(&t, c, kind, cut, size, LIMIT, NULL) != PTL_ERR_CORRUPT;
        free(cut);
    }
    ck_assert_uint_eq(accepted, 0);
    for (int i = 0; i < 2000; i++) {
        size_t at = rng_below(&r, (uint32_t)blob.size);
        uint8_t before = blob.data[at];
        blob.data[at] = (uint8_t)rng_below(&r, 256);
        ptl_status status = pack_parse(&t, c, kind, blob.data, blob.size, LIMIT, NULL);
        if (status == PTL_OK)
            check_ranges(&t, kind);
        else if (status != PTL_ERR_CORRUPT)
            ck_abort_msg("byte %zu: status %d", at, (int)status);
        blob.data[at] = before;
    }
    ck_assert_int_eq(pack_parse(&t, c, kind, blob.data, blob.size, 3, NULL), PTL_ERR_CORRUPT);
    pack_table_dispose(&t);
    bytes_dispose(&blob);
    codec_free(c);
}
END_TEST

/* One placement by hand, and what may not be. */
START_TEST(test_hand_made)
{
    static const struct {
        uint8_t data[32];
        size_t size;
        bool good;
    } cases[] = {
#define COLUMNS(rotation, x) 6, 6, 0, rotation, 0, 1, x, 6
#define NAMES(bits)          2, bits /* one of 3 bits, after two bits 0 */
        {{2, 1, 1, NAMES(0x14), COLUMNS(3, 8)}, 13, true},
        {{2, 1, 1, NAMES(0x14), COLUMNS(4, 8)}, 13, false}, /* rotation 4 */
        {{1, 1, 1, NAMES(0x14), COLUMNS(3, 8)}, 13, false}, /* version */
        {{2, 0, 1, NAMES(0x14), COLUMNS(3, 8)}, 13, false}, /* no entries */
        {{2, 1, 0, COLUMNS(3, 8)}, 11, false},              /* no names */
        {{2, 1, 0, 0, COLUMNS(3, 8)}, 12, false},           /* no names, but a list of them */
        {{2, 1, 1, NAMES(0), COLUMNS(3, 8)}, 13, false},    /* name 0 */
        {{2, 1, 1, NAMES(0x34), COLUMNS(3, 8)}, 13, false}, /* a bit too many */
        {{2, 1, 1, NAMES(0x14), COLUMNS(3, 8), 0}, 14, false}, /* a byte too many */
        /* A byte too many after the columns, one too few, and a size above the stream's */
        {{2, 1, 1, NAMES(0x14), 7, 7, 0, 3, 0, 1, 8, 6, 0}, 14, false},
        {{2, 1, 1, NAMES(0x14), 5, 5, 0, 3, 0, 1, 8}, 12, false},
        {{2, 1, 1, NAMES(0x14), 6, 7, 0, 3, 0, 1, 8, 6, 0}, 14, false}};
    codec *c = codec_new();
    pack_table t = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_msg((pack_parse(&t, c, PACK_PLACEMENTS, cases[i].data, cases[i].size, LIMIT,
                                  NULL) == PTL_OK) == cases[i].good,
                      "case %zu", i);
    ck_assert_int_eq(
        pack_parse(&t, c, PACK_PLACEMENTS, cases[0].data, cases[0].size, LIMIT, NULL), PTL_OK);
    ck_assert_uint_eq(t.numbers[0], 5);
    ck_assert_int_eq(t.columns[PLACEMENT_ROTATION][0], 3);
    ck_assert_int_eq(t.columns[PLACEMENT_CITY][0], -1);
    ck_assert_int_eq(t.columns[PLACEMENT_X][0], 4);
    ck_assert_int_eq(t.columns[PLACEMENT_Y][0], 3);
    pack_table_dispose(&t);
    codec_free(c);
}
END_TEST

/* Features that no step may make are refused when they are encoded. */
START_TEST(test_out_of_range)
{
    encoded_features e;
    codec *c = codec_new();
    fixture_features(&in, f.cat, 1, (feature_counts){2, 5, 5, 2});
    switch (_i) {
    case 0:
        in.cities[0].x = 180;
        break;
    case 1:
        in.cities[0].size = 0;
        break;
    case 2:
        in.placements[1].special = FIXTURE_SPECIALS;
        break;
    case 3:
        in.placements[1].city = 2;
        break;
    case 4:
        in.placements[1].rotation = 4;
        break;
    case 5:
        in.placements[1].z = 11;
        break;
    case 6:
        in.groups[1].x = 360;
        break;
    case 7:
        in.groups[1].population = -1;
        break;
    case 8:
        in.radios[1].frequency = -1;
        break;
    default:
        in.radios[1].y = -1;
        break;
    }
    ck_assert_int_eq(features_encode(&e, c, (ptl_chunk_pos){0, 0}, &in, f.cat, &err),
                     PTL_ERR_INTERNAL);
    encoded_features_dispose(&e);
    codec_free(c);
}
END_TEST

/* ---- imported chunks and foreign edges ---- */

/* A foreign edge with one crossing, and border cells on the given sides (bits). */
static edge foreign_edge(int32_t x, int32_t y, edge_side side, int sides)
{
    edge e = {.x = x, .y = y, .side = side, .origin = EDGE_FOREIGN, .count = 1};
    e.crossings = calloc(1, sizeof *e.crossings);
    e.crossings[0] = (crossing){.kind = "local_road", .position = 33};
    for (int i = 0; i < 2; i++) {
        if (!(sides >> i & 1))
            continue;
        e.border[i] = calloc(PTL_CHUNK_SIZE, sizeof *e.border[i]);
        ck_assert(e.border[i] != NULL);
        for (int k = 0; k < PTL_CHUNK_SIZE; k++)
            e.border[i][k] = (ptl_oter)((k + i) / 13 + 1000 * i);
    }
    return e;
}

static ptl_status write_foreign(const edge *e)
{
    const edge_source source = {f.world_id, 1, f.run_id, 1};
    ck_assert_int_eq(ops(f.store)->transaction->begin(f.store, &err), PTL_OK);
    memset(&err, 0, sizeof err);
    ptl_status status = edge_row_write_foreign(f.store, e, &source, f.cat, &err);
    if (status == PTL_OK)
        ck_assert_int_eq(ops(f.store)->transaction->commit(f.store, NULL), PTL_OK);
    else
        ops(f.store)->transaction->rollback(f.store);
    return status;
}

static void check_edge(const edge *wanted)
{
    edge got;
    bool found;
    ck_assert_msg(ops(f.store)->chunk->edge_find(&got, &found, f.store, f.world_id, wanted->x,
                                                 wanted->y, wanted->side, f.cat,
                                                 &err) == PTL_OK,
                  "%s", err.message);
    ck_assert(found);
    ck_assert_int_eq(got.origin, EDGE_FOREIGN);
    ck_assert_uint_eq(got.count, wanted->count);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(got.border[i] != NULL, wanted->border[i] != NULL);
        if (got.border[i])
            ck_assert_mem_eq(got.border[i], wanted->border[i],
                             PTL_CHUNK_SIZE * sizeof(ptl_oter));
    }
    edge_dispose(&got);
}

/* One side first, then both, as an import of two neighbours may do it. */
START_TEST(test_foreign_edges)
{
    char hex[3][65];
    for (int sides = 1; sides < 4; sides++) {
        edge e = foreign_edge(4, 5, EDGE_SOUTH, sides);
        ck_assert_msg(write_foreign(&e) == PTL_OK, "%s", err.message);
        ck_assert_int_eq(write_foreign(&e), PTL_OK);
        check_edge(&e);
        digest_of_world(hex[sides - 1]);
        edge_dispose(&e);
    }
    ck_assert_str_ne(hex[0], hex[1]);
    ck_assert_str_ne(hex[0], hex[2]);
    ck_assert_str_ne(hex[1], hex[2]);
    fixture_hide_content(f.store);
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    ck_assert_int_eq(ptl_verify(&counts, f.store, NULL, NULL, &err), PTL_OK);
    ck_assert_uint_eq(counts.problems, 0);
    ck_assert_uint_eq(counts.edges, 1);
}
END_TEST

START_TEST(test_foreign_edge_unknown_oter)
{
    edge e = foreign_edge(4, 5, EDGE_EAST, 1), got;
    catalogue less = *f.cat;
    bool found;
    memset(less.digest, 'b', 64);
    less.oter_count = 10;
    ck_assert_int_eq(write_foreign(&e), PTL_OK);
    ck_assert_int_eq(ops(f.store)->chunk->edge_find(&got, &found, f.store, f.world_id, 4, 5,
                                                    EDGE_EAST, &less, &err),
                     PTL_ERR_MISMATCH);
    ck_assert_msg(strstr(err.message, "'t10'") != NULL, "%s", err.message);
    edge_dispose(&e);
}
END_TEST

/* Where a generated chunk has used the edge, it stays; beside imported chunks it may change. */
START_TEST(test_foreign_edge_refused)
{
    bool written;
    const ptl_chunk_pos generated = {0, 0}, imported = {1, 0};
    ck_assert_int_eq(write_chunk_of(generated, false, NULL, &written), PTL_OK);
    edge edges[4] = {fixture_edge(1, -1, EDGE_SOUTH), fixture_edge(1, 0, EDGE_EAST),
                     fixture_edge(1, 0, EDGE_SOUTH), foreign_edge(0, 0, EDGE_EAST, 2)};
    ck_assert_int_eq(write_chunk_of(imported, true, edges, &written), PTL_ERR_EXISTS);
    ck_assert_msg(strstr(err.message, "chunk 0,0") != NULL, "%s", err.message);
    bool found;
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(ops(f.store)->transaction->begin(f.store, &err), PTL_OK);
    ck_assert_int_eq(ops(f.store)->chunk->delete (&found, f.store, f.world_id, generated, &err),
                     PTL_OK);
    ck_assert_int_eq(ops(f.store)->transaction->commit(f.store, &err), PTL_OK);
    ck_assert(found);
    ck_assert_msg(write_chunk_of(imported, true, edges, &written) == PTL_OK, "%s", err.message);
    ck_assert(written);
    check_edge(&edges[3]);
    chunk_info info;
    ck_assert_int_eq(
        ops(f.store)->chunk->find(&info, &found, f.store, f.world_id, imported, &err), PTL_OK);
    ck_assert(found && info.imported);
    /* An imported chunk is complete: generation does not replace it. */
    ck_assert_int_eq(write_chunk_of(imported, false, edges, &written), PTL_OK);
    ck_assert(!written);
    for (int i = 0; i < 4; i++)
        edge_dispose(&edges[i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("features");
    TCase *tc = tcase_create("features");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, test_round_trip, 0, sizeof sizes / sizeof sizes[0]);
    tcase_add_test(tc, test_many_types);
    tcase_add_test(tc, test_absent);
    tcase_add_test(tc, test_size);
    tcase_add_test(tc, test_unknown_building);
    tcase_add_loop_test(tc, test_digest_sees_all, 0, FIELDS);
    tcase_add_test(tc, test_digest_is_over_names);
    tcase_add_loop_test(tc, test_hostile, 0, 2 * PACK_KINDS);
    tcase_add_test(tc, test_hand_made);
    tcase_add_loop_test(tc, test_out_of_range, 0, 10);
    tcase_add_test(tc, test_foreign_edges);
    tcase_add_test(tc, test_foreign_edge_unknown_oter);
    tcase_add_test(tc, test_foreign_edge_refused);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
