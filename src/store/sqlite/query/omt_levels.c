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
    CHUNKS_KEPT = 64, /* must be a power of two */
    LEVELS_KEPT = 48  /* 65 kB each */
};

/* The chunk that was found at a place, or the fact that none is saved there. */
typedef struct kept_chunk {
    /* Lives as long as the source, so addresses can be compared; NULL: unused. */
    const char *world;
    ptl_chunk_pos pos;
    bool saved;
    omt_chunk chunk;
} kept_chunk;

struct omt_levels {
    uint64_t generation; /* the source's generation for which all of this is valid */
    uint64_t clock;
    kept_chunk chunks[CHUNKS_KEPT];
    omt_level *levels[LEVELS_KEPT]; /* NULL: not allocated yet */
};

void omt_level_free(omt_level *l)
{
    if (!l)
        return;
    free(l->palette);
    free(l);
}

omt_level *omt_level_new(void)
{
    return calloc(1, sizeof(omt_level));
}

void omt_levels_free(omt_levels *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < LEVELS_KEPT; i++)
        omt_level_free(t->levels[i]);
    free(t);
}

/* Returns the source's levels; if the file has changed, what they held is forgotten. */
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
    /* No chunk has this id; a pinned level keeps its cells. */
    for (size_t i = 0; i < LEVELS_KEPT; i++)
        if (t->levels[i])
            t->levels[i]->chunk_id = 0;
    return t;
}

/* ---- chunks ---- */

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

static ptl_status read_kept(kept_chunk *k, sql_source *source, ptl_error *err)
{
    stmt *s = NULL;
    k->saved = false;
    TRY(stmt_prepared(&s, source->store, STMT_OMT_CHUNK, err));
    stmt_bind_text(s, 1, k->world);
    stmt_bind_int(s, 2, k->pos.x);
    stmt_bind_int(s, 3, k->pos.y);
    ptl_status status = stmt_step(s, &k->saved, err);
    if (status == PTL_OK && k->saved)
        status = omt_chunk_read(&k->chunk, source, s, err);
    stmt_reset(s);
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
        *k = (kept_chunk){.world = name, .pos = pos};
        ptl_status status = read_kept(k, source, err);
        if (status != PTL_OK) {
            k->world = NULL;
            return status;
        }
    }
    *out = k->saved ? &k->chunk : NULL;
    return PTL_OK;
}

/* ---- levels ---- */

/* Gets the blob of a level, with its checksum verified; it lasts until the next call. *size is
 * 0 if the level has no row. */
static ptl_status omt_level_blob(const void **blob, size_t *size, sql_source *source,
                                 const omt_chunk *chunk, int32_t z, ptl_error *err)
{
    const int index = z - PTL_Z_MIN;
    const int64_t id = chunk->info.id * 32 + index;
    row_scratch *scratch = source->store->scratch;
    stmt *s = NULL;
    bool row = false;
    *size = 0;
    if (!(chunk->info.level_mask >> index & 1))
        return PTL_OK;
    TRY(stmt_prepared(&s, source->store, STMT_OMT_LEVEL, err));
    stmt_bind_int(s, 1, id);
    TRY(stmt_step(s, &row, err));
    if (!row)
        return error_set(err, PTL_ERR_CORRUPT,
                         "chunk %d,%d, level z %d: level_mask and its rows differ",
                         chunk->info.pos.x, chunk->info.pos.y, z);
    *blob = stmt_blob(s, 1, size);
    ptl_status status = level_row_verify(scratch, id, stmt_int(s, 0), *blob, *size, err);
    if (status != PTL_OK) {
        stmt_reset(s);
        error_prefix(err, status, "chunk %d,%d", chunk->info.pos.x, chunk->info.pos.y);
    }
    return status;
}

/* Ends the use of a blob and resets the statement that holds it. */
static void omt_level_blob_done(sql_source *source)
{
    if (source->store->prepared[STMT_OMT_LEVEL])
        stmt_reset(source->store->prepared[STMT_OMT_LEVEL]);
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
    if (!set)
        return false;
    for (size_t i = 0; i < count; i++)
        if (palette[i] < set->size && set->wanted[palette[i]])
            return false;
    return true;
}

ptl_status omt_level_decode(omt_level *out, bool *skipped, sql_source *source,
                            const omt_chunk *chunk, int32_t z, const oter_set *set,
                            ptl_error *err)
{
    const void *blob = NULL;
    size_t size;
    *skipped = false;
    TRY(omt_level_blob(&blob, &size, source, chunk, z, err));
    if (size == 0) {
        const uint32_t *fill = &chunk->fill[z - PTL_Z_MIN];
        *skipped = none_wanted(set, fill, 1);
        if (*skipped)
            return PTL_OK;
        memset(out->cells, 0, sizeof out->cells);
        return take_palette(out, fill, 1, err);
    }
    codec *c = source->store->scratch->codec;
    const level_runs *r;
    ptl_status status =
        level_parse_palette(&r, c, blob, size, dictionary_size(source->store), err);
    *skipped = status == PTL_OK && none_wanted(set, r->palette, r->palette_count);
    if (!*skipped) {
        THEN(status, take_palette(out, r->palette, r->palette_count, err));
        THEN(status, level_expand(out->cells, c, NULL, err));
    }
    omt_level_blob_done(source);
    if (status != PTL_OK)
        error_prefix(err, status, "chunk %d,%d, level z %d", chunk->info.pos.x,
                     chunk->info.pos.y, z);
    return status;
}

/* Returns the level if it is cached; otherwise a place for it, by dropping one that was not
 * used for long. NULL when memory is out or all are pinned. */
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
        *oldest = omt_level_new();
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
        /* While decoding, the place belongs to no level; a failure leaves it so. */
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
