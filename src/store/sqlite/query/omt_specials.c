#include "store/sqlite/query/omt_levels.h"

#include "core/arena.h"
#include "core/array.h"
#include "core/error.h"
#include "portolan/store.h"
#include "store/sqlite/catalogue/catalogue_open.h"
#include "store/sqlite/catalogue/content_past.h"
#include "store/sqlite/query/vtab.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/feature_rows.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"

#include <stdlib.h>
#include <string.h>

/* A cell of a chunk that a special occupies; or an OMT of a special's definition, relative to
 * the origin. */
typedef struct spot {
    int32_t x, y, z;
    int32_t number; /* number, in the chunk, of the special that occupies the cell */
} spot;

typedef struct spot_list {
    spot *list; /* owned */
    size_t count, room;
} spot_list;

struct omt_specials {
    uint64_t generation; /* the value of sql_source.generation (a count of changes of the
                            file) for which the other members are valid */
    int64_t current;     /* id of the file's present content; 0: none */
    int64_t content_id;  /* id of the content whose definitions are in use; 0: none */
    ptl_store *past; /* owned; a store in memory into which the content content_id was unpacked;
                        NULL if that is the present content */
    stmt *past_omts; /* owned; the statement that reads the OMTs of one special in the content
                      * content_id */
    int64_t chunk_id; /* id of the chunk whose cells with specials were found last; 0: none */
    spot_list spots;
    int32_t z; /* the level whose cells are in `numbers`, if `filled` is true */
    bool filled;
    feature_set set;
    int32_t numbers[PTL_LEVEL_CELLS];
};

static void forget_definitions(omt_specials *s)
{
    s->content_id = 0;
    stmt_free(s->past_omts);
    ptl_store_close(s->past);
    s->past_omts = NULL;
    s->past = NULL;
}

void omt_specials_free(omt_specials *s)
{
    if (!s)
        return;
    forget_definitions(s);
    free(s->spots.list);
    feature_set_dispose(&s->set);
    free(s);
}

static ptl_status add_spot(spot_list *l, spot at, ptl_error *err)
{
    if (!ARRAY_ROOM(l->list, l->room, l->count + 1))
        return error_nomem(err);
    l->list[l->count++] = at;
    return PTL_OK;
}

/* ---- definitions of specials ---- */

static bool take_point(spot *out, const stmt *q)
{
    int32_t *const to[] = {&out->x, &out->y, &out->z};
    for (int i = 0; i < 3; i++) {
        const int64_t v = stmt_int(q, i);
        if (v < -PTL_LEVEL_CELLS || v > PTL_LEVEL_CELLS)
            return false;
        *to[i] = (int32_t)v;
    }
    return true;
}

/* Makes the definitions of a content available. *known is false if the file no longer has that
 * content. */
static ptl_status use_content(bool *known, omt_specials *s, sql_source *source,
                              int64_t content_id, ptl_error *err)
{
    static const char *const tables[] = {"special_omt", NULL};
    *known = s->content_id == content_id;
    if (*known)
        return PTL_OK;
    forget_definitions(s);
    *known = content_id == s->current;
    if (!*known)
        TRY(content_past_open(&s->past, source->store, content_id, tables, err));
    if (s->past) {
        *known = true;
        TRY(stmt_prepare(&s->past_omts, s->past, SPECIAL_OMTS_SQL, err));
    }
    if (*known)
        s->content_id = content_id;
    return PTL_OK;
}

/* ---- the spots of a chunk ---- */

/* Adds the OMTs of a placed special, as the special's definition lists them. OMTs that are too
 * far from the special's origin to lie in any chunk are left out. */
static ptl_status add_fixed(omt_specials *s, sql_source *source, size_t number, ptl_error *err)
{
    const special_row *row = &s->set.specials.list[number];
    const gen_placement *p = &row->placement;
    stmt *q = s->past_omts;
    ptl_status status = PTL_OK;
    if (!q)
        TRY(stmt_prepared(&q, source->store, STMT_SPECIAL_OMTS, err));
    stmt_bind_text(q, 1, row->id);
    while (stmt_row(q, &status, err)) {
        spot omt = {0, 0, 0, 0}, at;
        if (!take_point(&omt, q))
            continue;
        feature_rotate(omt.x, omt.y, p->rotation, &at.x, &at.y);
        at = (spot){p->x + at.x, p->y + at.y, p->z + omt.z, (int32_t)number};
        status = add_spot(&s->spots, at, err);
    }
    stmt_reset(q);
    return status;
}

static ptl_status read_specials(omt_specials *s, sql_source *source, const omt_chunk *chunk,
                                ptl_error *err)
{
    row_scratch *scratch = source->store->scratch;
    /* special_rows_read adds the rows' values to the input of a checksum, which nobody uses
     * here. */
    rowsum_begin(&scratch->levels, "features");
    TRY(special_rows_read(&s->set.specials, source->store, scratch, chunk->info.id,
                          FEATURE_CITIES_MAX, err));
    bool known = false;
    if (!chunk->info.imported)
        TRY(use_content(&known, s, source, chunk->info.content_id, err));
    if (!known)
        return PTL_OK;
    for (size_t i = 0; i < s->set.specials.count; i++)
        TRY(add_fixed(s, source, i, err));
    return PTL_OK;
}

static ptl_status add_pieces(omt_specials *s, ptl_error *err)
{
    const pack_table *t = &s->set.tables[PACK_PIECES];
    for (size_t i = 0; i < t->count; i++) {
        const spot at = {t->columns[PIECE_X][i], t->columns[PIECE_Y][i], t->columns[PIECE_Z][i],
                         t->columns[PIECE_PLACEMENT][i]};
        if ((size_t)at.number < s->set.specials.count)
            TRY(add_spot(&s->spots, at, err));
    }
    return PTL_OK;
}

static ptl_status read_pieces(omt_specials *s, sql_source *source, const omt_chunk *chunk,
                              ptl_error *err)
{
    stmt *q = NULL;
    ptl_status status =
        stmt_begin(&q, source->store, STMT_PACKS, STMT_VALUES(chunk->info.id), err);
    while (stmt_row(q, &status, err)) {
        const int64_t id = stmt_int(q, PACK_COLUMN_ID);
        if (id % PACK_IDS != PACK_PIECES)
            continue;
        size_t size;
        const void *blob = stmt_blob(q, PACK_COLUMN_DATA, &size);
        status = feature_pack_read(&s->set, source->store, id,
                                   stmt_int(q, PACK_COLUMN_CHECKSUM), blob, size, err);
        THEN(status, add_pieces(s, err));
    }
    stmt_reset(q);
    return status;
}

/* Makes *specials if it is NULL, and finds the cells that the chunk's specials occupy. */
static ptl_status use_chunk(omt_specials **specials, sql_source *source, const omt_chunk *chunk,
                            ptl_error *err)
{
    omt_specials *s = *specials = *specials ? *specials : calloc(1, sizeof *s);
    if (!s)
        return error_nomem(err);
    if (s->generation != source->generation) {
        forget_definitions(s);
        s->chunk_id = 0;
        ptl_status status = names_refresh(source->store, err);
        THEN(status, sqlite_content_current(&s->current, source->store, err));
        if (status == PTL_OK)
            s->generation = source->generation;
        TRY(status);
    }
    if (s->chunk_id == chunk->info.id)
        return PTL_OK;
    s->chunk_id = 0;
    s->filled = false;
    s->spots.count = 0;
    ptl_status status = read_specials(s, source, chunk, err);
    THEN(status, read_pieces(s, source, chunk, err));
    if (status == PTL_OK)
        s->chunk_id = chunk->info.id;
    else
        error_prefix(err, status, "chunk %d,%d", chunk->info.pos.x, chunk->info.pos.y);
    return status;
}

ptl_status omt_specials_level(const int32_t **numbers, omt_specials **specials,
                              sql_source *source, const omt_chunk *chunk, int32_t z,
                              ptl_error *err)
{
    TRY(use_chunk(specials, source, chunk, err));
    omt_specials *s = *specials;
    if (!s->filled || s->z != z) {
        /* Writes the specials' numbers into the level's cells. If several specials claim a
         * cell, the last of them gets it. */
        memset(s->numbers, 0xff, sizeof s->numbers);
        for (size_t i = 0; i < s->spots.count; i++) {
            const spot *at = &s->spots.list[i];
            if (at->z == z && at->x >= 0 && at->x < PTL_CHUNK_SIZE && at->y >= 0 &&
                at->y < PTL_CHUNK_SIZE)
                s->numbers[at->y * PTL_CHUNK_SIZE + at->x] = at->number;
        }
        s->z = z;
        s->filled = true;
    }
    *numbers = s->numbers;
    return PTL_OK;
}

static void widen(int32_t *low, int32_t *high, int32_t v)
{
    *low = v < *low ? v : *low;
    *high = v > *high ? v : *high;
}

ptl_status omt_specials_bounds(omt_bounds *out, bool *any, omt_specials **specials,
                               sql_source *source, const omt_chunk *chunk, int32_t number,
                               ptl_error *err)
{
    TRY(use_chunk(specials, source, chunk, err));
    const spot_list *spots = &(*specials)->spots;
    *any = false;
    *out = (omt_bounds){INT32_MAX, INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN, INT32_MIN};
    for (size_t i = 0; i < spots->count; i++) {
        const spot *at = &spots->list[i];
        if (at->number != number)
            continue;
        *any = true;
        widen(&out->x0, &out->x1, at->x);
        widen(&out->y0, &out->y1, at->y);
        widen(&out->z0, &out->z1, at->z);
    }
    return PTL_OK;
}
