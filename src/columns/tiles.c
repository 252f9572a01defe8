/*
 * ptl_arrow_omt_stream: the OMTs of a world's chunks as columns.
 */
#include "columns/stream.h"
#include "core/array.h"
#include "core/sized.h"
#include "portolan/lists.h"
#include "world/edits.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

enum { X, Y, Z, OTER, COLUMNS };

static const column_spec specs[COLUMNS] = {
    [X] = {"x", COLUMN_INT32, false, "absolute OMT, to the east", "OMT"},
    [Y] = {"y", COLUMN_INT32, false, "absolute OMT, to the south", "OMT"},
    [Z] = {"z", COLUMN_INT8, false, "level, -10..10", "level"},
    [OTER] = {"oter", COLUMN_OTER, false,
              "the oter: the terrain with its rotation or line shape, for example road_ns",
              NULL},
};

typedef struct tiles {
    ptl_world *world; /* borrowed */
    column_dictionary oters;
    ptl_chunk_pos *chunks; /* owned: the chunks to read */
    size_t count, room;
    bool no_room; /* memory ran out while the chunks were listed */
    int32_t z_min, z_max;
    size_t batch_rows;
    size_t chunk;    /* index of the chunk that is read */
    int32_t z;       /* the level in `cells` is the one below */
    size_t cell;     /* the next of `cells` to give */
    size_t cells_in; /* how many cells `cells` has: none or all */
    ptl_oter cells[PTL_LEVEL_CELLS];
} tiles;

static void tiles_free(void *state)
{
    tiles *t = state;
    if (!t)
        return;
    column_dictionary_dispose(&t->oters);
    free(t->chunks);
    free(t);
}

/* Reads the next level of the present chunk. A chunk that is not saved any longer has no more
 * levels. */
static ptl_status read_level(tiles *t, ptl_error *err)
{
    const stop_hook stop = ops(t->world->store)->transaction->stop_hook(t->world->store);
    bool found = false;
    TRY(stop_check(&stop, err));
    TRY(world_level_read(t->cells, &found, t->world, t->chunks[t->chunk], t->z, err));
    t->cell = 0;
    t->cells_in = found ? PTL_LEVEL_CELLS : 0;
    t->z = found ? t->z + 1 : t->z_max + 1;
    return PTL_OK;
}

/* Gives `count` cells of the level that was read. */
static bool put_cells(column_data *columns, tiles *t, size_t count)
{
    const ptl_chunk_pos at = t->chunks[t->chunk];
    int32_t *x = column_extend(&columns[X], count), *y = column_extend(&columns[Y], count);
    int8_t *z = column_extend(&columns[Z], count);
    ptl_oter *oter = column_extend(&columns[OTER], count);
    if (!x || !y || !z || !oter)
        return false;
    memset(z, (int8_t)(t->z - 1), count);
    memcpy(oter, t->cells + t->cell, count * sizeof *oter);
    for (size_t done = 0; done < count;) {
        const size_t cell = t->cell + done, inside = cell % PTL_CHUNK_SIZE;
        const size_t left = PTL_CHUNK_SIZE - inside;
        const size_t most = left < count - done ? left : count - done;
        const int32_t x0 = at.x * PTL_CHUNK_SIZE + (int32_t)inside;
        const int32_t row = at.y * PTL_CHUNK_SIZE + (int32_t)(cell / PTL_CHUNK_SIZE);
        for (size_t i = 0; i < most; i++) {
            x[done + i] = x0 + (int32_t)i;
            y[done + i] = row;
        }
        done += most;
    }
    t->cell += count;
    return true;
}

static ptl_status tiles_fill(void *state, column_data *columns, ptl_error *err)
{
    tiles *t = state;
    size_t rows = 0;
    while (t->chunk < t->count && rows < t->batch_rows) {
        if (t->cell < t->cells_in) {
            const size_t left = t->cells_in - t->cell, space = t->batch_rows - rows;
            const size_t count = left < space ? left : space;
            if (!put_cells(columns, t, count))
                return error_nomem(err);
            rows += count;
        } else if (t->z <= t->z_max) {
            TRY(read_level(t, err));
        } else {
            t->chunk++;
            t->z = t->z_min;
            t->cell = t->cells_in = 0;
            if (rows > 0)
                break;
        }
    }
    return PTL_OK;
}

static bool on_chunk(void *payload, ptl_chunk_pos pos)
{
    tiles *t = payload;
    t->no_room = !ARRAY_ROOM(t->chunks, t->room, t->count + 1);
    if (!t->no_room)
        t->chunks[t->count++] = pos;
    return !t->no_room;
}

static ptl_status list_chunks(tiles *t, const ptl_arrow_options *o, ptl_error *err)
{
    ptl_chunk_list_options within = PTL_CHUNK_LIST_OPTIONS_INIT;
    within.x0 = o->first.x;
    within.y0 = o->first.y;
    within.x1 = o->last.x;
    within.y1 = o->last.y;
    ptl_status status =
        ptl_chunk_list(t->world->store, t->world->row.name, &within, on_chunk, t, err);
    if (t->no_room) {
        error_clear(err);
        return error_nomem(err);
    }
    return status;
}

static ptl_status list_oters(tiles *t, ptl_error *err)
{
    const size_t count = catalogue_all_oters(t->world->cat);
    for (size_t i = 0; i < count; i++)
        if (!column_dictionary_add(&t->oters, ptl_world_oter_name(t->world, (ptl_oter)i)))
            return error_nomem(err);
    return PTL_OK;
}

ptl_status ptl_arrow_omt_stream(struct ArrowArrayStream *out, ptl_world *world,
                                const ptl_arrow_options *options, ptl_error *err)
{
    static const stream_kind kind = {.fill = tiles_fill, .free = tiles_free};
    ptl_arrow_options o = PTL_ARROW_OPTIONS_INIT;
    out->release = NULL;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_arrow_options, &o, options, err));
    TRY(stream_check_options(&o, err));
    tiles *t = calloc(1, sizeof *t);
    if (!t)
        return error_nomem(err);
    t->world = world;
    t->z = t->z_min = o.z_min;
    t->z_max = o.z_max;
    t->batch_rows = o.batch_rows > 0 ? o.batch_rows : SIZE_MAX;
    char content[65] = "";
    ptl_status status = list_chunks(t, &o, err);
    THEN(status, list_oters(t, err));
    THEN(status,
         ops(world->store)->content->digest(content, world->store, world->row.content_id, err));
    if (status != PTL_OK) {
        tiles_free(t);
        return status;
    }
    const stream_setup setup = {.kind = &kind,
                                .state = t,
                                .specs = specs,
                                .count = COLUMNS,
                                .dictionary = &t->oters,
                                .options = &o,
                                .notes = {{"portolan", ptl_version()},
                                          {"table", "omt"},
                                          {"world", world->row.name},
                                          {"content", content}}};
    return stream_open(out, &setup, err);
}
