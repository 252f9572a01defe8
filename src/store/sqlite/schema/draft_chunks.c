/*
 * A draft's chunks, one after the other. The old row's checksums are verified, level blobs and
 * features become those of version 4, and what today's code reads of the result must give the
 * tile digest that the chunk has had since it was made.
 */
#include "codec/fill.h"
#include "codec/level_parse.h"
#include "core/error.h"
#include "store/sqlite/connection/kept.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/feature_rows.h"
#include "store/sqlite/rows/rowsum.h"
#include "store/sqlite/schema/draft.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_1                                                                                \
    "id, world_id, x, y, level_mask, fill, generator_version, content_id, last_step, run_id, " \
    "tile_digest, levels_checksum"
#define CHUNK_2 CHUNK_1 ", origin, feature_digest, features_checksum"

enum { COLUMNS_1 = 12, COLUMNS_2 = 15, FIRST_STAY = CHUNK_COLUMN_LEVELS_CHECKSUM };

typedef struct converter {
    ptl_store *store;
    row_scratch *scratch;
    draft_kind kind;
    stmt *level_read, *level_write, *insert;
    draft_features *features;
    feature_set set;
    level_runs *uniform;
    bytes blob;
    bytes old_levels, new_levels; /* of the checksums over all levels of a chunk */
    uint64_t levels;
} converter;

/* One chunk's new values. */
typedef struct new_chunk {
    int64_t id, levels_checksum, features_checksum;
    ptl_chunk_pos pos;
    uint32_t mask;
    uint32_t fill[PTL_LEVELS];
    const char *origin;
    digest tiles, features;
} new_chunk;

/* ---- levels ---- */

static const char *entry_name(const void *store, uint32_t entry)
{
    return dictionary_name(store, entry);
}

static ptl_status level_checksum(int64_t *out, bytes *sum, int64_t id, const void *blob,
                                 size_t size, ptl_error *err)
{
    rowsum_begin(sum, "level");
    rowsum_int(sum, id);
    rowsum_blob(sum, blob, size);
    return rowsum_end(sum, out, err);
}

/* The row's old blob is verified and made anew into c->blob. */
static ptl_status read_level(converter *c, int64_t id, ptl_error *err)
{
    bool row = false;
    int64_t sum = 0;
    stmt_bind_int(c->level_read, 1, id);
    ptl_status status = stmt_step(c->level_read, &row, err);
    if (status == PTL_OK && !row)
        status =
            error_set(err, PTL_ERR_CORRUPT, "table level, row %lld: missing", (long long)id);
    if (status == PTL_OK) {
        size_t size;
        const void *old = stmt_blob(c->level_read, 1, &size);
        status = level_checksum(&sum, &c->scratch->sum, id, old, size, err);
        if (status == PTL_OK && sum != stmt_int(c->level_read, 0))
            status = error_set(err, PTL_ERR_CORRUPT, "table level, row %lld: checksum differs",
                               (long long)id);
        bytes_clear(&c->blob);
        if (status == PTL_OK)
            status = draft_level_blob(&c->blob, old, size, dictionary_size(c->store), err);
    }
    rowsum_int(&c->old_levels, sum);
    stmt_reset(c->level_read);
    return status;
}

static ptl_status convert_level(converter *c, tile_digest *tiles, int64_t id, ptl_error *err)
{
    int64_t sum = 0;
    const level_runs *runs;
    ptl_status status = read_level(c, id, err);
    if (status == PTL_OK)
        status = level_parse(&runs, c->scratch->codec, c->blob.data, c->blob.size,
                             dictionary_size(c->store), err);
    if (status == PTL_OK)
        status = tile_digest_level(tiles, runs, entry_name, c->store, err);
    if (status == PTL_OK)
        status = level_checksum(&sum, &c->scratch->sum, id, c->blob.data, c->blob.size, err);
    if (status != PTL_OK)
        return status;
    rowsum_int(&c->new_levels, sum);
    c->levels++;
    stmt_bind_int(c->level_write, 1, id);
    stmt_bind_int(c->level_write, 2, sum);
    stmt_bind_blob(c->level_write, 3, c->blob.data, c->blob.size);
    return stmt_run(c->level_write, err);
}

static ptl_status convert_all_levels(converter *c, new_chunk *n, tile_digest *tiles,
                                     ptl_error *err)
{
    ptl_status status = PTL_OK;
    for (int i = 0; i < PTL_LEVELS && status == PTL_OK; i++) {
        if (n->mask >> i & 1) {
            status = convert_level(c, tiles, n->id * 32 + i, err);
            continue;
        }
        level_runs_uniform(c->uniform, n->fill[i]);
        status = tile_digest_level(tiles, c->uniform, entry_name, c->store, err);
    }
    return status;
}

static ptl_status convert_levels(converter *c, new_chunk *n, int64_t old_checksum,
                                 ptl_error *err)
{
    digest seen;
    int64_t old = 0;
    tile_digest tiles;
    rowsum_begin(&c->old_levels, "levels");
    rowsum_begin(&c->new_levels, "levels");
    tile_digest_init(&tiles, n->pos);
    ptl_status status = convert_all_levels(c, n, &tiles, err);
    tile_digest_final(&tiles, &seen);
    if (status == PTL_OK)
        status = rowsum_end(&c->old_levels, &old, err);
    if (status == PTL_OK && old != old_checksum)
        status = error_set(err, PTL_ERR_CORRUPT, "levels_checksum differs");
    if (status == PTL_OK)
        status = rowsum_end(&c->new_levels, &n->levels_checksum, err);
    if (status == PTL_OK && memcmp(seen.bytes, n->tiles.bytes, DIGEST_SIZE) != 0)
        status = error_set(err, PTL_ERR_CORRUPT, "its tiles do not give the stored digest");
    return status;
}

/* ---- features ---- */

static ptl_status convert_features(converter *c, new_chunk *n, int64_t old_checksum,
                                   ptl_error *err)
{
    static const encoded_features none;
    ptl_status status;
    if (c->kind == DRAFT_2)
        status = draft_features_convert(&n->features_checksum, c->features, c->store,
                                        c->scratch, n->id, old_checksum, err);
    else
        status = feature_rows_insert(&n->features_checksum, c->store, n->id, &none, err);
    if (status == PTL_OK)
        status = feature_rows_read(&c->set, c->store, n->id, n->features_checksum, err);
    if (status == PTL_OK)
        status = feature_set_digest(&n->features, &c->set, n->pos, err);
    return status;
}

/* ---- the chunk's row ---- */

static ptl_status read_row(converter *c, new_chunk *n, const stmt *s, ptl_error *err)
{
    ptl_status status =
        row_verify(c->scratch, s, "chunk", c->kind == DRAFT_1 ? COLUMNS_1 : COLUMNS_2, err);
    if (status != PTL_OK)
        return status;
    const int64_t x = stmt_int(s, 2), y = stmt_int(s, 3), mask = stmt_int(s, 4);
    size_t size, fill_size;
    const void *fill = stmt_blob(s, CHUNK_COLUMN_FILL, &fill_size);
    const void *tiles = stmt_blob(s, CHUNK_COLUMN_TILES, &size);
    *n = (new_chunk){.id = stmt_int(s, 0),
                     .pos = {(int32_t)x, (int32_t)y},
                     .mask = (uint32_t)mask,
                     .origin = c->kind == DRAFT_1 ? "generated" : stmt_text(s, COLUMNS_1)};
    if (n->id < 1 || n->id > CHUNK_ID_MAX || n->pos.x != x || n->pos.y != y || mask < 0 ||
        mask >= INT64_C(1) << PTL_LEVELS || size != DIGEST_SIZE)
        return error_set(err, PTL_ERR_CORRUPT, "table chunk, row %lld: a bad value",
                         (long long)n->id);
    memcpy(n->tiles.bytes, tiles, DIGEST_SIZE);
    return fill_parse(n->fill, fill, fill_size, dictionary_size(c->store), err);
}

/* What stays comes from the old row by SQL; the checksum is over what is in the new one. */
static ptl_status insert_row(converter *c, const new_chunk *n, const stmt *old, ptl_error *err)
{
    bytes *b = &c->scratch->sum;
    int64_t sum = 0;
    rowsum_begin(b, "chunk");
    rowsum_columns(b, old, 0, FIRST_STAY);
    rowsum_int(b, n->levels_checksum);
    rowsum_text(b, n->origin);
    rowsum_blob(b, n->features.bytes, DIGEST_SIZE);
    rowsum_int(b, n->features_checksum);
    ptl_status status = rowsum_end(b, &sum, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(c->insert, 1, n->id);
    stmt_bind_int(c->insert, 2, n->levels_checksum);
    stmt_bind_text(c->insert, 3, n->origin);
    stmt_bind_blob(c->insert, 4, n->features.bytes, DIGEST_SIZE);
    stmt_bind_int(c->insert, 5, n->features_checksum);
    stmt_bind_int(c->insert, 6, sum);
    return stmt_run(c->insert, err);
}

static ptl_status convert_chunk(converter *c, const stmt *s, ptl_error *err)
{
    new_chunk n;
    ptl_status status = read_row(c, &n, s, err);
    if (status != PTL_OK)
        return status;
    status = convert_levels(c, &n, stmt_int(s, CHUNK_COLUMN_LEVELS_CHECKSUM), err);
    if (status == PTL_OK)
        status = convert_features(
            c, &n, c->kind == DRAFT_2 ? stmt_int(s, CHUNK_COLUMN_FEATURES_CHECKSUM) : 0, err);
    if (status == PTL_OK)
        status = insert_row(c, &n, s, err);
    return status == PTL_OK ? PTL_OK
                            : error_prefix(err, status, "chunk %d,%d", n.pos.x, n.pos.y);
}

/* ---- all of them ---- */

static ptl_status convert_chunks(converter *c, migrate_watch *watch, ptl_error *err)
{
    static const char sql_1[] = "SELECT " CHUNK_1 ", checksum FROM draft_chunk ORDER BY id";
    static const char sql_2[] = "SELECT " CHUNK_2 ", checksum FROM draft_chunk ORDER BY id";
    stmt *s = NULL;
    int64_t total = 0, rows = 0;
    uint64_t done = 0;
    ptl_status status =
        store_pragma_int(c->store, "SELECT count(*) FROM draft_chunk", &total, err);
    if (status == PTL_OK)
        status = stmt_prepare(&s, c->store, c->kind == DRAFT_1 ? sql_1 : sql_2, err);
    for (bool row = true; row && status == PTL_OK; done++) {
        status = migrate_tell(watch, "converting", done, (uint64_t)total, err);
        if (status == PTL_OK)
            status = stmt_step(s, &row, err);
        if (status == PTL_OK && row)
            status = convert_chunk(c, s, err);
    }
    stmt_free(s);
    if (status == PTL_OK)
        status = store_pragma_int(c->store, "SELECT count(*) FROM level", &rows, err);
    if (status == PTL_OK && (uint64_t)rows != c->levels)
        status = error_set(err, PTL_ERR_CORRUPT, "table level: rows that belong to no chunk");
    return status;
}

static ptl_status open_converter(converter *c, ptl_error *err)
{
    static const char insert[] =
        "INSERT INTO chunk (" CHUNK_2
        ", checksum) SELECT id, world_id, x, y, level_mask, fill, "
        "generator_version, content_id, last_step, run_id, tile_digest, ?2, ?3, ?4, ?5, ?6 "
        "FROM draft_chunk WHERE id = ?1";
    c->features = draft_features_new();
    c->uniform = level_runs_new();
    if (!c->features || !c->uniform)
        return error_nomem(err);
    ptl_status status = stmt_prepare(&c->level_read, c->store,
                                     "SELECT checksum, tiles FROM level WHERE id = ?", err);
    if (status == PTL_OK)
        status = stmt_prepare(&c->level_write, c->store,
                              "UPDATE level SET checksum = ?2, tiles = ?3 WHERE id = ?1", err);
    if (status == PTL_OK)
        status = stmt_prepare(&c->insert, c->store, insert, err);
    return status == PTL_OK ? names_refresh(c->store, err) : status;
}

static void close_converter(converter *c)
{
    stmt_free(c->level_read);
    stmt_free(c->level_write);
    stmt_free(c->insert);
    draft_features_free(c->features);
    feature_set_dispose(&c->set);
    level_runs_free(c->uniform);
    bytes_dispose(&c->blob);
    bytes_dispose(&c->old_levels);
    bytes_dispose(&c->new_levels);
}

ptl_status draft_chunks_convert(ptl_store *store, row_scratch *scratch, draft_kind kind,
                                migrate_watch *watch, ptl_error *err)
{
    converter c = {.store = store, .scratch = scratch, .kind = kind};
    ptl_status status = open_converter(&c, err);
    if (status == PTL_OK)
        status = convert_chunks(&c, watch, err);
    close_converter(&c);
    return status;
}

ptl_status draft_convert(ptl_store *store, draft_kind kind, migrate_watch *watch,
                         ptl_error *err)
{
    row_scratch *scratch;
    ptl_status status = row_scratch_get(&scratch, store, err);
    if (status == PTL_OK)
        status = draft_schema_begin(store, kind, err);
    if (status == PTL_OK)
        status = draft_rows_convert(store, scratch, kind, err);
    if (status == PTL_OK)
        status = draft_chunks_convert(store, scratch, kind, watch, err);
    if (status == PTL_OK)
        status = draft_schema_end(store, kind, err);
    return status == PTL_OK
               ? PTL_OK
               : error_prefix(err, status, "draft %d of schema version 4", (int)kind);
}
