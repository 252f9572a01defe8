#include "store/sqlite/query/omt_levels.h"

#include "codec/chunk_codec.h"
#include "codec/level_parse.h"
#include "core/error.h"
#include "store/sqlite/query/vtab.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_scratch.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNKS_KEPT = 64, /* number of cached chunks; a power of two */
    LEVELS_KEPT = 48  /* number of cached levels, of 65 kB each */
};

/* A slot of the cache of chunks. It has a place and the chunk that was found there; if no chunk
 * is saved there, `saved` is false. */
typedef struct kept_chunk {
    /* Name of the world; NULL: the slot is unused. Names of worlds live as long as the
     * sql_source, so their addresses can be compared. */
    const char *world;
    ptl_chunk_pos pos;
    bool saved;
    omt_chunk chunk;
} kept_chunk;

struct omt_levels {
    uint64_t generation; /* the value of sql_source.generation (a count of changes of the
                            file) for which the cache is valid */
    uint64_t clock;
    kept_chunk chunks[CHUNKS_KEPT];
    omt_level *levels[LEVELS_KEPT]; /* the decoded levels; NULL: this place of the cache has no
                                       memory yet */
    level_runs *own; /* owned; the runs of a level that has the same oter in all cells and
                      * therefore no row in table `level`, or of a level with edits; NULL until
                      * omt_level_runs first needs them */
};

void omt_level_free(omt_level *l)
{
    if (!l)
        return;
    free(l->palette);
    free(l);
}

void omt_levels_free(omt_levels *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < LEVELS_KEPT; i++)
        omt_level_free(t->levels[i]);
    level_runs_free(t->own);
    free(t);
}

/* Returns the source's cache of decoded levels. If the file has changed since the cache was
 * last used, it is emptied first. */
static omt_levels *levels_of(sql_source *source)
{
    omt_levels *t = source->omts;
    if (!t)
        t = source->omts = calloc(1, sizeof *t);
    if (!t || t->generation == source->generation)
        return t;
    t->generation = source->generation;
    for (size_t i = 0; i < CHUNKS_KEPT; i++)
        t->chunks[i].world = NULL;
    /* A cached level that has the chunk id 0 is never found, since no chunk has that id. A
     * level that is pinned keeps its cells, which are still being read. */
    for (size_t i = 0; i < LEVELS_KEPT; i++)
        if (t->levels[i])
            t->levels[i]->chunk_id = 0;
    return t;
}

/* ---- finding chunks ---- */

ptl_status omt_chunk_read(omt_chunk *out, sql_source *source, const stmt *s, ptl_error *err)
{
    TRY(chunk_info_read(&out->info, s, err));
    size_t size;
    const void *blob = stmt_blob(s, CHUNK_COLUMN_FILL, &size);
    ptl_status status = fill_parse(out->fill, blob, size, dictionary_size(source->store), err);
    if (status != PTL_OK)
        error_prefix(err, status, "chunk %d,%d", out->info.pos.x, out->info.pos.y);
    return status;
}

ptl_status omt_chunk_find(const omt_chunk **out, sql_source *source, const char *world,
                          ptl_chunk_pos pos, ptl_error *err)
{
    omt_levels *t = levels_of(source);
    const char *name = sql_source_text(source, world);
    *out = NULL;
    if (!t || !name)
        return error_nomem(err);
    kept_chunk *k =
        &t->chunks[((uint32_t)pos.x * 7 + (uint32_t)pos.y) & (uint32_t)(CHUNKS_KEPT - 1)];
    if (k->world != name || k->pos.x != pos.x || k->pos.y != pos.y) {
        stmt *s = NULL;
        *k = (kept_chunk){.pos = pos};
        TRY(stmt_prepared(&s, source->store, STMT_OMT_CHUNK, err));
        stmt_bind_text(s, 1, name);
        stmt_bind_int(s, 2, pos.x);
        stmt_bind_int(s, 3, pos.y);
        ptl_status status = stmt_step(s, &k->saved, err);
        if (status == PTL_OK && k->saved)
            status = omt_chunk_read(&k->chunk, source, s, err);
        stmt_reset(s);
        TRY(status);
        k->world = name;
    }
    *out = k->saved ? &k->chunk : NULL;
    return PTL_OK;
}

/* ---- decoding levels ---- */

/* Returns true if the level has a row. All cells of a level without a row have the oter that
 * chunk->fill gives for the level. */
static bool has_row(const omt_chunk *chunk, int32_t z)
{
    return chunk->info.level_mask >> (z - PTL_Z_MIN) & 1;
}

/* Gets the blob of a level that has a row, and verifies its checksum. The blob lasts until
 * omt_level_blob_done, which must be called also after an error. */
static ptl_status omt_level_blob(const void **blob, size_t *size, sql_source *source,
                                 const omt_chunk *chunk, int32_t z, ptl_error *err)
{
    const int64_t id = chunk->info.id * 32 + z - PTL_Z_MIN;
    stmt *s = NULL;
    bool row = false;
    TRY(stmt_find(&s, &row, source->store, STMT_OMT_LEVEL, STMT_VALUES(id), err));
    if (!row)
        return error_set(err, PTL_ERR_CORRUPT, "level_mask and its rows differ");
    *blob = stmt_blob(s, 1, size);
    row_value v[LEVEL_COLUMN_COUNT];
    TRY(level_row_make(v, source->store->scratch, id, *blob, *size, err));
    return v[LEVEL_COLUMN_CHECKSUM].integer == stmt_int(s, 0)
               ? PTL_OK
               : error_set(err, PTL_ERR_CORRUPT, "checksum differs");
}

/* Ends the use of a level's blob. If status is an error, chunk and level are added to its
 * message. */
static ptl_status omt_level_blob_done(ptl_status status, sql_source *source,
                                      const omt_chunk *chunk, int32_t z, ptl_error *err)
{
    stmt_reset(source->store->prepared[STMT_OMT_LEVEL]);
    return status == PTL_OK ? PTL_OK
                            : error_prefix(err, status, "chunk %d,%d, level z %d",
                                           chunk->info.pos.x, chunk->info.pos.y, z);
}

/* ---- edits, which lie over levels ---- */

/* Puts the edits of level z over its cells, which are indices into the palette. Oters that the
 * palette lacks are appended. False if the palette has no room for them. */
static bool put_edits(uint16_t *cells, uint32_t *palette, size_t *count, size_t room,
                      const edit_overlay *edits, int32_t z)
{
    const int32_t first = (z - PTL_Z_MIN) * PTL_LEVEL_CELLS;
    for (size_t i = 0; i < edits->count; i++) {
        const int32_t cell = edits->cells[i].place - first;
        size_t at = 0;
        if (cell < 0 || cell >= PTL_LEVEL_CELLS)
            continue;
        while (at < *count && palette[at] != edits->cells[i].after)
            at++;
        if (at == room)
            return false;
        if (at == *count)
            palette[(*count)++] = edits->cells[i].after;
        cells[cell] = (uint16_t)at;
    }
    return true;
}

/* Makes the runs of a level with edits in `out`. `base` is the level without them, and may be
 * the same struct. */
static ptl_status edited_runs(level_runs *out, const level_runs *base,
                              const edit_overlay *edits, int32_t z, ptl_error *err)
{
    uint16_t *cells = malloc(PTL_LEVEL_CELLS * sizeof *cells);
    if (!cells)
        return error_nomem(err);
    uint16_t *end = cells;
    for (size_t i = 0; i < base->run_count; i++)
        for (uint16_t k = 0; k < base->runs[i].length; k++)
            *end++ = base->runs[i].symbol;
    memmove(out->palette, base->palette, base->palette_count * sizeof *out->palette);
    out->palette_count = base->palette_count;
    const bool good =
        put_edits(cells, out->palette, &out->palette_count, PTL_LEVEL_CELLS, edits, z);
    out->run_count = 0;
    for (size_t i = 0; i < PTL_LEVEL_CELLS; i++) {
        if (i > 0 && cells[i] == cells[i - 1])
            out->runs[out->run_count - 1].length++;
        else
            out->runs[out->run_count++] = (level_run){cells[i], 1};
    }
    free(cells);
    return good ? PTL_OK : error_set(err, PTL_ERR_CORRUPT, "a level has more oters than cells");
}

static ptl_status base_runs(const level_runs **out, sql_source *source, const omt_chunk *chunk,
                            int32_t z, ptl_error *err)
{
    const omt_levels *t = source->omts;
    if (has_row(chunk, z)) {
        const void *blob = NULL;
        size_t size = 0;
        ptl_status status = omt_level_blob(&blob, &size, source, chunk, z, err);
        THEN(status, level_parse(out, source->store->scratch->codec, blob, size,
                                 dictionary_size(source->store), err));
        return omt_level_blob_done(status, source, chunk, z, err);
    }
    level_runs_uniform(t->own, chunk->fill[z - PTL_Z_MIN]);
    *out = t->own;
    return PTL_OK;
}

ptl_status omt_level_runs(const level_runs **out, sql_source *source, const omt_chunk *chunk,
                          int32_t z, ptl_error *err)
{
    omt_levels *t = levels_of(source);
    edit_overlay edits;
    if (t && !t->own)
        t->own = level_runs_new();
    if (!t || !t->own)
        return error_nomem(err);
    ptl_status status = edit_rows_shown(&edits, source->store, chunk->info.id,
                                        UINT32_C(1) << (z - PTL_Z_MIN), err);
    THEN(status, base_runs(out, source, chunk, z, err));
    if (status == PTL_OK && edits.count > 0) {
        status = edited_runs(t->own, *out, &edits, z, err);
        *out = t->own;
    }
    edit_overlay_dispose(&edits);
    return status;
}

static ptl_status take_palette(omt_level *out, const uint32_t *palette, size_t count,
                               ptl_error *err)
{
    if (count > out->palette_room) {
        uint32_t *list = realloc(out->palette, count * sizeof *list);
        if (!list)
            return error_nomem(err);
        out->palette = list;
        out->palette_room = count;
    }
    memcpy(out->palette, palette, count * sizeof *palette);
    out->palette_count = count;
    return PTL_OK;
}

static bool none_wanted(const oter_set *set, const uint32_t *palette, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!set || oter_set_has(set, palette[i]))
            return false;
    return true;
}

/* Decodes a level without its edits, as omt_level_decode does. */
static ptl_status decode_base(omt_level *out, bool *skipped, sql_source *source,
                              const omt_chunk *chunk, int32_t z, const oter_set *set,
                              ptl_error *err)
{
    if (!has_row(chunk, z)) {
        const uint32_t *fill = &chunk->fill[z - PTL_Z_MIN];
        *skipped = none_wanted(set, fill, 1);
        memset(out->cells, 0, *skipped ? 0 : sizeof out->cells);
        return *skipped ? PTL_OK : take_palette(out, fill, 1, err);
    }
    const void *blob = NULL;
    size_t size = 0;
    codec *c = source->store->scratch->codec;
    const level_runs *r = NULL;
    ptl_status status = omt_level_blob(&blob, &size, source, chunk, z, err);
    THEN(status, level_parse_palette(&r, c, blob, size, dictionary_size(source->store), err));
    *skipped = status == PTL_OK && none_wanted(set, r->palette, r->palette_count);
    if (!*skipped) {
        THEN(status, take_palette(out, r->palette, r->palette_count, err));
        THEN(status, level_expand(out->cells, c, NULL, err));
    }
    return omt_level_blob_done(status, source, chunk, z, err);
}

ptl_status omt_level_decode(omt_level *out, bool *skipped, sql_source *source,
                            const omt_chunk *chunk, int32_t z, const oter_set *set,
                            ptl_error *err)
{
    edit_overlay edits;
    ptl_status status = edit_rows_shown(&edits, source->store, chunk->info.id,
                                        UINT32_C(1) << (z - PTL_Z_MIN), err);
    /* A level with edits may have oters that its palette lacks, so it is always decoded. */
    const oter_set *wanted = edits.count > 0 ? NULL : set;
    THEN(status, decode_base(out, skipped, source, chunk, z, wanted, err));
    if (status == PTL_OK && edits.count > 0) {
        size_t count = out->palette_count;
        const size_t room = count + edits.count;
        uint32_t *palette = malloc(room * sizeof *palette);
        if (palette) {
            memcpy(palette, out->palette, count * sizeof *palette);
            (void)put_edits(out->cells, palette, &count, room, &edits, z);
        }
        status = palette ? take_palette(out, palette, count, err) : error_nomem(err);
        free(palette);
    }
    edit_overlay_dispose(&edits);
    return status;
}

/* Finds the level in the cache. If it is not there, returns an omt_level to be filled: a new
 * one, or the one that was not used for the longest time. NULL if memory is out or all levels
 * are pinned. */
static omt_level *find_level(omt_levels *t, int64_t chunk_id, int32_t z)
{
    omt_level **oldest = NULL;
    for (size_t i = 0; i < LEVELS_KEPT; i++) {
        omt_level *l = t->levels[i];
        if (l && l->chunk_id == chunk_id && l->z == z)
            return l;
        if (!l || l->pins == 0)
            if (!oldest || !l || (*oldest && l->used < (*oldest)->used))
                oldest = &t->levels[i];
    }
    if (oldest && !*oldest)
        *oldest = calloc(1, sizeof **oldest);
    return oldest ? *oldest : NULL;
}

ptl_status omt_level_get(omt_level **out, sql_source *source, const omt_chunk *chunk, int32_t z,
                         ptl_error *err)
{
    omt_levels *t = levels_of(source);
    omt_level *l = t ? find_level(t, chunk->info.id, z) : NULL;
    bool skipped;
    if (!l)
        return error_nomem(err);
    if (l->chunk_id != chunk->info.id || l->z != z) {
        /* While the level is decoded, and if decoding fails, this omt_level belongs to no
         * chunk. */
        l->chunk_id = 0;
        TRY(omt_level_decode(l, &skipped, source, chunk, z, NULL, err));
        l->chunk_id = chunk->info.id;
        l->z = z;
    }
    l->used = ++t->clock;
    l->pins++;
    *out = l;
    return PTL_OK;
}

void omt_level_unpin(omt_level *l)
{
    l->pins--;
}
