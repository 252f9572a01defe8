/* Reads chunks. A chunk and its levels are read inside one read transaction or by one
 * statement, so that a writer that replaces the chunk at this moment can't make us see half of
 * each. */
#include "store/sqlite/rows/chunk_read.h"

#include "codec/chunk_codec.h"
#include "codec/level_parse.h"
#include "core/error.h"
#include "model/catalogue.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/feature_rows.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/rows/rows.h"

#include <string.h>

/* LEVEL: index of the first column of table level in the rows that STMT_CHUNK_LEVEL gives.
 * Columns of table chunk come before it. */
enum { LEVEL = CHUNK_COLUMN_COUNT };
enum { ALL_LEVELS = (1 << PTL_LEVELS) - 1 };

ptl_status chunk_info_read(chunk_info *out, const stmt *s, ptl_error *err)
{
    memset(out, 0, sizeof *out);
    TRY(row_verify(s, TABLE_CHUNK, err));
    /* The checksum may be forged, so values that later code relies on are checked as well. */
    int64_t x = stmt_int(s, CHUNK_COLUMN_X), y = stmt_int(s, CHUNK_COLUMN_Y);
    int64_t mask = stmt_int(s, CHUNK_COLUMN_LEVEL_MASK);
    const char *step = stmt_text(s, CHUNK_COLUMN_LAST_STEP);
    size_t length = strlen(step), size, feature_size;
    const void *omts = stmt_blob(s, CHUNK_COLUMN_OMT_DIGEST, &size);
    const void *features = stmt_blob(s, CHUNK_COLUMN_FEATURE_DIGEST, &feature_size);
    out->id = stmt_int(s, CHUNK_COLUMN_ID);
    if (out->id < 1 || out->id > CHUNK_ID_MAX || x < -PTL_CHUNK_COORD_MAX ||
        x > PTL_CHUNK_COORD_MAX || y < -PTL_CHUNK_COORD_MAX || y > PTL_CHUNK_COORD_MAX ||
        mask < 0 || mask >= INT64_C(1) << PTL_LEVELS || length >= sizeof out->last_step ||
        size != DIGEST_SIZE || feature_size != DIGEST_SIZE)
        return error_set(err, PTL_ERR_CORRUPT, "table chunk, row %lld: a bad value",
                         (long long)out->id);
    out->pos = (ptl_chunk_pos){(int32_t)x, (int32_t)y};
    out->level_mask = (uint32_t)mask;
    out->generator_version = (int32_t)stmt_int(s, CHUNK_COLUMN_GENERATOR_VERSION);
    out->content_id = stmt_int(s, CHUNK_COLUMN_CONTENT_ID);
    memcpy(out->last_step, step, length + 1);
    memcpy(out->omts.bytes, omts, DIGEST_SIZE);
    memcpy(out->features.bytes, features, DIGEST_SIZE);
    out->imported = strcmp(stmt_text(s, CHUNK_COLUMN_ORIGIN), "imported") == 0;
    return PTL_OK;
}

/* Finds the row of the chunk at a place. */
static ptl_status find_chunk(stmt **out, bool *found, ptl_store *store, int64_t world_id,
                             ptl_chunk_pos pos, ptl_error *err)
{
    return stmt_find(out, found, store, STMT_CHUNK_FIND, STMT_VALUES(world_id, pos.x, pos.y),
                     err);
}

static ptl_status in_chunk(ptl_status status, ptl_chunk_pos pos, ptl_error *err)
{
    return status == PTL_OK ? PTL_OK : error_prefix(err, status, "chunk %d,%d", pos.x, pos.y);
}

ptl_status sqlite_chunk_find(chunk_info *out, bool *found, ptl_store *store, int64_t world_id,
                             ptl_chunk_pos pos, ptl_error *err)
{
    stmt *s;
    ptl_status status = find_chunk(&s, found, store, world_id, pos, err);
    if (*found)
        status = chunk_info_read(out, s, err);
    stmt_reset(s);
    *found = *found && status == PTL_OK;
    return in_chunk(status, pos, err);
}

ptl_status level_row_make(row_value out[LEVEL_COLUMN_COUNT], row_scratch *scratch, int64_t id,
                          const void *blob, size_t size, ptl_error *err)
{
    out[LEVEL_COLUMN_ID] = row_int(id);
    out[LEVEL_COLUMN_OMTS] = row_blob(blob, size);
    return row_seal(out, row_table_of(TABLE_LEVEL), &scratch->sum, err);
}

ptl_status level_row_verify(row_scratch *scratch, int64_t id, int64_t stored, const void *blob,
                            size_t size, ptl_error *err)
{
    row_value v[LEVEL_COLUMN_COUNT];
    TRY(level_row_make(v, scratch, id, blob, size, err));
    if (v[LEVEL_COLUMN_CHECKSUM].integer != stored)
        return error_set(err, PTL_ERR_CORRUPT, "level z %d: checksum differs",
                         (int)(id % 32) + PTL_Z_MIN);
    return PTL_OK;
}

static ptl_status visit_level(level_visit *visit, void *payload, int32_t z, const void *blob,
                              size_t size, ptl_error *err)
{
    const ptl_status status = visit(payload, z, blob, size, err);
    return status == PTL_OK ? PTL_OK : error_prefix(err, status, "z %d", z);
}

ptl_status chunk_levels_visit(ptl_store *store, const chunk_info *info, int64_t levels_checksum,
                              level_visit *visit, void *payload, ptl_error *err)
{
    row_scratch *scratch = store->scratch;
    stmt *s = NULL;
    uint32_t mask = 0;
    int64_t sum = 0;
    rowsum_begin(&scratch->levels, "levels");
    ptl_status status =
        stmt_begin(&s, store, stmt_of(TABLE_LEVEL, ROWS_OWNED), STMT_VALUES(info->id), err);
    while (stmt_row(s, &status, err)) {
        int64_t id = stmt_int(s, LEVEL_COLUMN_ID), own = stmt_int(s, LEVEL_COLUMN_CHECKSUM);
        size_t size;
        const void *blob = stmt_blob(s, LEVEL_COLUMN_OMTS, &size);
        if ((id & 31) >= PTL_LEVELS)
            status = error_set(err, PTL_ERR_CORRUPT, "table level, row %lld: a bad id",
                               (long long)id);
        mask |= UINT32_C(1) << (id & 31);
        rowsum_int(&scratch->levels, own);
        THEN(status, level_row_verify(scratch, id, own, blob, size, err));
        THEN(status,
             visit_level(visit, payload, (int32_t)(id & 31) + PTL_Z_MIN, blob, size, err));
    }
    stmt_reset(s);
    TRY(status);
    if (mask != info->level_mask)
        return error_set(err, PTL_ERR_CORRUPT, "level_mask is %#x, but its rows give %#x",
                         (unsigned)info->level_mask, (unsigned)mask);
    TRY(rowsum_end(&scratch->levels, &sum, err));
    if (sum != levels_checksum)
        return error_set(err, PTL_ERR_CORRUPT, "levels_checksum differs");
    return PTL_OK;
}

/* ---- the digest of a chunk's OMTs ---- */

ptl_status chunk_digester_begin(chunk_digester *d, ptl_store *store, ptl_chunk_pos pos,
                                const void *fill, size_t size, ptl_error *err)
{
    *d = (chunk_digester){.store = store, .uniform = level_runs_new()};
    omt_digest_init(&d->omts, pos);
    TRY(d->uniform ? dictionary_refresh(store, err) : error_nomem(err));
    return fill_parse(d->fill, fill, size, dictionary_size(store), err);
}

static ptl_status digest_fill(chunk_digester *d, int until, ptl_error *err)
{
    for (; d->next < until; d->next++) {
        level_runs_uniform(d->uniform, d->fill[d->next]);
        TRY(omt_digest_level(&d->omts, d->uniform, dictionary_name, d->store, err));
    }
    return PTL_OK;
}

ptl_status chunk_digester_level(void *digester, int32_t z, const void *blob, size_t size,
                                ptl_error *err)
{
    chunk_digester *d = digester;
    const level_runs *r;
    const int index = z - PTL_Z_MIN;
    if (index < d->next || index >= PTL_LEVELS)
        return error_set(err, PTL_ERR_CORRUPT, "level z %d: no such level", z);
    ptl_status status = digest_fill(d, index, err);
    THEN(status,
         level_parse(&r, d->store->scratch->codec, blob, size, dictionary_size(d->store), err));
    THEN(status, omt_digest_level(&d->omts, r, dictionary_name, d->store, err));
    if (status == PTL_OK)
        d->next = index + 1;
    return status;
}

ptl_status chunk_digester_end(digest *out, chunk_digester *d, ptl_status status, ptl_error *err)
{
    THEN(status, digest_fill(d, PTL_LEVELS, err));
    omt_digest_final(&d->omts, out);
    level_runs_free(d->uniform);
    return status;
}

/* ---- decoding levels to oters of a catalogue ---- */

typedef struct decoding {
    ptl_store *store;
    codec *codec;
    const ptl_oter *map;
    size_t map_count;
    ptl_chunk *chunk;
} decoding;

/* Parses a level's blob. PTL_ERR_MISMATCH if the catalogue lacks one of the level's oters. */
static ptl_status parse_known(const level_runs **out, const decoding *d, const void *blob,
                              size_t size, ptl_error *err)
{
    TRY(level_parse_palette(out, d->codec, blob, size, d->map_count, err));
    for (size_t i = 0; i < (*out)->palette_count; i++)
        if (d->map[(*out)->palette[i]] == CAT_NONE)
            TRY(dictionary_unknown(d->store, (*out)->palette[i], err));
    return PTL_OK;
}

/* Decodes a level. A level of a single oter needs no memory for cells. */
static ptl_status decode_visit(void *payload, int32_t z, const void *blob, size_t size,
                               ptl_error *err)
{
    const decoding *d = payload;
    const level_runs *r;
    level *l = chunk_level(d->chunk, z);
    TRY(parse_known(&r, d, blob, size, err));
    if (r->palette_count == 1) {
        level_fill(l, d->map[r->palette[0]]);
        return PTL_OK;
    }
    if (!level_cells(l))
        return error_nomem(err);
    return level_expand(l->cells, d->codec, d->map, err);
}

/* Fills the levels that have no row and whose bits are set in `levels`: each of them has the
 * same oter everywhere. */
static ptl_status fill_levels(const decoding *d, const chunk_info *info, const stmt *s,
                              uint32_t levels, ptl_error *err)
{
    uint32_t numbers[PTL_LEVELS];
    size_t size;
    const void *blob = stmt_blob(s, CHUNK_COLUMN_FILL, &size);
    ptl_status status = fill_parse(numbers, blob, size, d->map_count, err);
    for (size_t i = 0; i < PTL_LEVELS && status == PTL_OK; i++) {
        if ((info->level_mask | ~levels) >> i & 1)
            continue;
        ptl_oter oter = d->map[numbers[i]];
        if (oter == CAT_NONE)
            status = dictionary_unknown(d->store, numbers[i], err);
        level_fill(&d->chunk->levels[i], oter);
    }
    return status;
}

/* Reads the whole chunk. The statement of its row stays open until the levels are read, so
 * everything is read in one transaction. */
ptl_status sqlite_chunk_read(ptl_chunk **out, ptl_store *store, int64_t world_id,
                             ptl_chunk_pos pos, const catalogue *cat, chunk_info *info,
                             ptl_error *err)
{
    stmt *s;
    bool found;
    chunk_info local;
    *out = NULL;
    ptl_status status = find_chunk(&s, &found, store, world_id, pos, err);
    if (found) {
        decoding d = {.store = store, .codec = store->scratch->codec};
        chunk_info *known = info ? info : &local;
        status = chunk_info_read(known, s, err);
        THEN(status, dictionary_map(store, cat, &d.map, &d.map_count, err));
        if (status == PTL_OK)
            d.chunk = chunk_new(known->pos);
        if (status == PTL_OK && (!d.chunk || !chunk_take_cells(d.chunk, known->level_mask)))
            status = error_nomem(err);
        THEN(status, fill_levels(&d, known, s, ALL_LEVELS, err));
        THEN(status, chunk_levels_visit(store, known, stmt_int(s, CHUNK_COLUMN_LEVELS_CHECKSUM),
                                        decode_visit, &d, err));
        if (status == PTL_OK)
            *out = d.chunk;
        else
            ptl_chunk_free(d.chunk);
    }
    stmt_reset(s);
    return in_chunk(status, pos, err);
}

static ptl_status level_found(ptl_oter *cells, ptl_store *store, const stmt *s, int32_t z,
                              const catalogue *cat, ptl_error *err)
{
    chunk_info info;
    unsigned index = (unsigned)(z - PTL_Z_MIN);
    TRY(chunk_info_read(&info, s, err));
    decoding d = {.store = store};
    TRY(dictionary_map(store, cat, &d.map, &d.map_count, err));
    d.codec = store->scratch->codec;
    bool stored = !stmt_is_null(s, LEVEL + LEVEL_COLUMN_ID);
    if (stored != (info.level_mask >> index & 1))
        return error_set(err, PTL_ERR_CORRUPT, "level z %d: level_mask and its rows differ", z);
    if (!stored) {
        uint32_t numbers[PTL_LEVELS];
        size_t size;
        const void *blob = stmt_blob(s, CHUNK_COLUMN_FILL, &size);
        TRY(fill_parse(numbers, blob, size, d.map_count, err));
        ptl_oter oter = d.map[numbers[index]];
        if (oter == CAT_NONE)
            return dictionary_unknown(d.store, numbers[index], err);
        for (size_t i = 0; i < PTL_LEVEL_CELLS; i++)
            cells[i] = oter;
        return PTL_OK;
    }
    size_t size;
    const void *blob = stmt_blob(s, LEVEL + LEVEL_COLUMN_OMTS, &size);
    TRY(level_row_verify(store->scratch, info.id * 32 + index,
                         stmt_int(s, LEVEL + LEVEL_COLUMN_CHECKSUM), blob, size, err));
    const level_runs *r;
    TRY(parse_known(&r, &d, blob, size, err));
    return level_expand(cells, d.codec, d.map, err);
}

ptl_status sqlite_level_read(ptl_oter cells[PTL_LEVEL_CELLS], bool *found, ptl_store *store,
                             int64_t world_id, ptl_chunk_pos pos, int32_t z,
                             const catalogue *cat, ptl_error *err)
{
    stmt *s = NULL;
    *found = false;
    if (z < PTL_Z_MIN || z > PTL_Z_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "z %d is not in %d..%d", z, (int)PTL_Z_MIN,
                         (int)PTL_Z_MAX);
    ptl_status status = stmt_find(&s, found, store, STMT_CHUNK_LEVEL,
                                  STMT_VALUES(world_id, pos.x, pos.y, z - PTL_Z_MIN), err);
    if (*found)
        status = level_found(cells, store, s, z, cat, err);
    stmt_reset(s);
    return in_chunk(status, pos, err);
}

/* ---- reading one chunk after the other ---- */

ptl_status sqlite_chunk_visit_next(ptl_chunk_pos *pos, ptl_store *store, int64_t world_id,
                                   stored_chunk_visit *visit, void *payload, ptl_error *err)
{
    stmt *s = NULL;
    bool row;
    /* If *pos lies before all places that a chunk can have, reading begins at the very first
     * row, so that rows with impossible places are found, too. */
    const int64_t x = pos->x < -PTL_CHUNK_COORD_MAX ? INT64_MIN : pos->x;
    ptl_status status =
        stmt_find(&s, &row, store, STMT_CHUNK_AFTER, STMT_VALUES(world_id, x, pos->y), err);
    stored_chunk chunk = {.store = store, .row = s};
    if (row)
        status = chunk_info_read(&chunk.info, s, err);
    if (row && status == PTL_OK) {
        if (!chunk_pos_after(chunk.info.pos, *pos))
            status =
                error_set(err, PTL_ERR_CORRUPT, "table chunk: the index on places differs");
        *pos = chunk.info.pos;
    }
    if (row)
        THEN(status, visit(payload, &chunk, err));
    stmt_reset(s);
    return status;
}

ptl_status sqlite_stored_chunk_features_read(feature_set *out, const stored_chunk *chunk,
                                             ptl_error *err)
{
    return feature_rows_read(out, chunk->store, chunk->info.id,
                             stmt_int(chunk->row, CHUNK_COLUMN_FEATURES_CHECKSUM), err);
}

ptl_status sqlite_stored_chunk_levels_read(ptl_chunk *out, const stored_chunk *chunk,
                                           uint32_t levels, const catalogue *cat,
                                           ptl_error *err)
{
    const stmt *s = chunk->row;
    const chunk_info *info = &chunk->info;
    decoding d = {.store = chunk->store, .chunk = out};
    out->pos = info->pos;
    row_scratch *scratch = d.store->scratch;
    TRY(dictionary_map(d.store, cat, &d.map, &d.map_count, err));
    d.codec = scratch->codec;
    TRY(fill_levels(&d, info, s, levels, err));
    if (levels == ALL_LEVELS)
        return chunk_levels_visit(d.store, info, stmt_int(s, CHUNK_COLUMN_LEVELS_CHECKSUM),
                                  decode_visit, &d, err);
    for (int32_t i = 0; i < PTL_LEVELS; i++) {
        if (!(info->level_mask & levels & UINT32_C(1) << i))
            continue;
        const int64_t id = info->id * 32 + i;
        stmt *level_row = NULL;
        bool row = false;
        size_t size;
        ptl_status status =
            stmt_find(&level_row, &row, d.store, STMT_OMT_LEVEL, STMT_VALUES(id), err);
        if (status == PTL_OK && !row)
            status = error_set(err, PTL_ERR_CORRUPT,
                               "level z %d: level_mask and its rows differ", i + PTL_Z_MIN);
        if (status == PTL_OK) {
            const void *blob = stmt_blob(level_row, 1, &size);
            status = level_row_verify(scratch, id, stmt_int(level_row, 0), blob, size, err);
            THEN(status, visit_level(decode_visit, &d, i + PTL_Z_MIN, blob, size, err));
        }
        stmt_reset(level_row);
        TRY(status);
    }
    return PTL_OK;
}

/* The cells of a level are numbered row by row. Returns how many of the first n cells lie
 * inside the rectangle. */
static uint32_t cells_before(uint32_t n, level_rect rect)
{
    const int row = (int)(n / PTL_CHUNK_SIZE), column = (int)(n % PTL_CHUNK_SIZE);
    const int width = rect.x1 - rect.x0 + 1;
    if (row < rect.y0)
        return 0;
    if (row > rect.y1)
        return (uint32_t)(width * (rect.y1 - rect.y0 + 1));
    const int part = column <= rect.x0 ? 0 : column > rect.x1 ? width : column - rect.x0;
    return (uint32_t)(width * (row - rect.y0) + part);
}

void level_count(uint32_t *counts, const level_runs *r, level_rect rect)
{
    memset(counts, 0, r->palette_count * sizeof *counts);
    if (rect.x0 <= 0 && rect.y0 <= 0 && rect.x1 >= PTL_CHUNK_SIZE - 1 &&
        rect.y1 >= PTL_CHUNK_SIZE - 1) {
        for (size_t i = 0; i < r->run_count; i++)
            counts[r->runs[i].symbol] += r->runs[i].length;
        return;
    }
    const uint32_t last = (uint32_t)((rect.y1 + 1) * PTL_CHUNK_SIZE);
    uint32_t cell = 0, before = 0;
    for (size_t i = 0; i < r->run_count && cell < last; i++) {
        cell += r->runs[i].length;
        const uint32_t now = cells_before(cell, rect);
        counts[r->runs[i].symbol] += now - before;
        before = now;
    }
}

ptl_status level_row_runs(const level_runs **out, ptl_store *store, int64_t id,
                          int64_t checksum, const void *omts, size_t size, ptl_error *err)
{
    TRY(level_row_verify(store->scratch, id, checksum, omts, size, err));
    const ptl_status status =
        level_parse(out, store->scratch->codec, omts, size, dictionary_size(store), err);
    if (status != PTL_OK)
        return error_prefix(err, status, "level z %d", (int)(id % 32) + PTL_Z_MIN);
    return PTL_OK;
}

/* Reads rows of table event, which are written together with their chunk (chunk_write.c). */

ptl_status sqlite_stored_chunk_event_visit(const stored_chunk *chunk, event_visit *visit,
                                           void *payload, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_begin(&s, chunk->store, stmt_of(TABLE_EVENT, ROWS_OWNED),
                                   STMT_VALUES(chunk->info.id), err);
    for (int64_t number = 0; stmt_row(s, &status, err); number++) {
        /* The checksum is verified before texts are read: reading a blob as a text would change
         * its type, which the checksum covers. */
        status = row_verify(s, TABLE_EVENT, err);
        const event_row event = {.step = stmt_text(s, EVENT_COLUMN_STEP),
                                 .kind = stmt_text(s, EVENT_COLUMN_KIND),
                                 .x = (int32_t)stmt_int(s, EVENT_COLUMN_X),
                                 .y = (int32_t)stmt_int(s, EVENT_COLUMN_Y),
                                 .z = (int32_t)stmt_int(s, EVENT_COLUMN_Z),
                                 .detail = stmt_text(s, EVENT_COLUMN_DETAIL)};
        if (status == PTL_OK && stmt_int(s, EVENT_COLUMN_NUMBER) != number)
            status =
                error_set(err, PTL_ERR_CORRUPT, "event %lld is missing", (long long)number);
        THEN(status, visit(payload, &event, err));
    }
    stmt_reset(s);
    return status;
}
