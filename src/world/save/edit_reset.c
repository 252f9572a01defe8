/*
 * Makes an area as it was generated (ptl_edit_reset). The edits there stay in the file, since
 * each edit rests on those before it: a new edit lies over them, whose cells are those of the
 * chunks below. So it can be taken back like any other.
 */
#include "core/array.h"
#include "core/sized.h"
#include "model/catalogue.h"
#include "world/bulk.h"
#include "world/edits.h"
#include "world/save/save_impl.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = PTL_CHUNK_SIZE, ALL_LEVELS = (1 << PTL_LEVELS) - 1 };

typedef struct resetting {
    ptl_world *world;
    const ptl_edit_reset_options *options;
    ptl_edit_reset_report report;
    ptl_chunk_pos *chunks; /* owned; those with edits in or near the rectangle */
    size_t chunk_count;
    ptl_save_cell *cells; /* owned; the OMTs to be set, with the oters below the edits */
    size_t count, room;
    ptl_oter *level; /* owned; a level of a chunk, without edits */
    /* The first edit that has placed a special there, and the special's id; 0: none has. */
    int64_t special_edit;
    char special[PTL_SAVE_AUTHOR_SIZE];
} resetting;

/* ---- what is there ---- */

static ptl_status add_cell(resetting *r, ptl_omt at, ptl_oter below, ptl_error *err)
{
    if (!ARRAY_ROOM(r->cells, r->room, r->count + 1))
        return error_nomem(err);
    r->cells[r->count++] = (ptl_save_cell){at, r->world->cat->oters[below].id};
    return PTL_OK;
}

/* Finds the OMTs of the rectangle that the edits of a chunk, sorted by place, show otherwise
 * than the chunk has them. */
static ptl_status find_cells(resetting *r, ptl_chunk_pos pos, const edit_overlay *edits,
                             ptl_error *err)
{
    const int64_t *rect = r->options->rect;
    const size_t before = r->count;
    int32_t z = PTL_Z_MIN - 1;
    for (size_t i = 0; i < edits->count; i++) {
        const edit_cell *c = &edits->cells[i];
        const int32_t cell = c->place % PTL_LEVEL_CELLS;
        const ptl_omt at = edit_omt(pos, c->place);
        if (at.x < rect[0] || at.y < rect[1] || at.x > rect[2] || at.y > rect[3])
            continue;
        bool found = true;
        if (at.z != z)
            TRY(ops(r->world->store)
                    ->chunk->level_read(r->level, &found, r->world->store, r->world->row.id,
                                        pos, at.z, r->world->cat, err));
        if (!found)
            return save_not_saved(r->world, pos, err);
        z = at.z;
        if (r->level[cell] != (ptl_oter)c->after)
            TRY(add_cell(r, at, r->level[cell], err));
    }
    r->report.chunks += r->count > before;
    return PTL_OK;
}

/* Counts an edit if it is in force, and looks whether it has placed a special: that would count
 * as placed even if none of its OMTs were left. */
static bool count_edit(void *payload, const ptl_edit *edit)
{
    resetting *r = payload;
    const bool in_force = edit->undoes == 0 && edit->undone_by == 0;
    r->report.edits += in_force;
    if (in_force && edit->special[0] && r->special_edit == 0) {
        r->special_edit = edit->number;
        (void)snprintf(r->special, sizeof r->special, "%s", edit->special);
    }
    return true;
}

static ptl_status count_map(void *payload, const map_info *map, ptl_error *err)
{
    ptl_edit_reset_report *report = payload;
    (void)err;
    report->maps += !map->edited;
    report->maps_edited += map->edited;
    return PTL_OK;
}

/* Cuts a coordinate to a little beyond the world, so that sums with it have room. */
static int64_t cut(int64_t omt)
{
    const int64_t most = (int64_t)(PTL_CHUNK_COORD_MAX + 2) * SIDE;
    return world_greater(world_lesser(omt, most), -most);
}

static map_area area_of(const resetting *r, int64_t around)
{
    const int64_t *rect = r->options->rect;
    return (map_area){rect[0] - around, rect[2] + around, rect[1] - around, rect[3] + around,
                      .edited = true};
}

/* Finds what is to be done, and counts it. */
static ptl_status find(resetting *r, ptl_error *err)
{
    const ptl_world *world = r->world;
    const int64_t *rect = r->options->rect;
    const map_area maps = area_of(r, 0);
    const edit_area area = {.x0 = world_chunk_of(rect[0]),
                            .x1 = world_chunk_of(rect[2]),
                            .y0 = world_chunk_of(rect[1]),
                            .y1 = world_chunk_of(rect[3]),
                            .levels = ALL_LEVELS};
    TRY(world_edited_chunks(&r->chunks, &r->chunk_count, world, &area, err));
    for (size_t i = 0; i < r->chunk_count; i++) {
        edit_overlay edits;
        ptl_status status =
            world_edits_read(&edits, world, r->chunks[i], ALL_LEVELS, world->cat, err);
        if (status == PTL_OK) {
            edit_overlay_settle(&edits);
            status = find_cells(r, r->chunks[i], &edits, err);
        }
        edit_overlay_dispose(&edits);
        TRY(status);
    }
    r->report.cells = r->count;
    TRY(ptl_edit_list(r->world, rect, count_edit, r, err));
    if (r->special_edit != 0)
        return error_set(err, PTL_ERR_EXISTS,
                         "edit %lld has placed special '%s' in the area: first take it back "
                         "(undo %lld)",
                         (long long)r->special_edit, r->special, (long long)r->special_edit);
    return ops(world->store)
        ->map->visit(world->store, world->row.id, &maps, count_map, &r->report, err);
}

/* ---- what is done ---- */

/* Stores the edit, in the open transaction. */
static ptl_status write_edit(resetting *r, ptl_error *err)
{
    const ptl_edit_reset_options *o = r->options;
    const ptl_save_options as = {
        .size = sizeof as, .author = o->author, .text = o->text, .turn = o->turn};
    ptl_save_report written = PTL_SAVE_REPORT_INIT;
    ptl_save *save = NULL;
    ptl_status status = ptl_save_begin(&save, r->world, &as, err);
    THEN(status, ptl_save_cells_set(save, r->cells, r->count, err));
    THEN(status, save_edits_write(save, &written, err));
    ptl_save_abort(save);
    r->report.number = written.last;
    return status;
}

/* Removes the local maps, and the spills that depend on them. */
static ptl_status drop_maps(const resetting *r, ptl_error *err)
{
    const ptl_world *world = r->world;
    const map_operations *maps = ops(world->store)->map;
    const map_area own = area_of(r, 0), around = area_of(r, WORLD_SPILLS_AROUND);
    uint64_t dropped;
    TRY(maps->drop(&dropped, world->store, world->row.id, &own, err));
    return maps->spill_drop(world->store, world->row.id, &around, err);
}

static ptl_status reset(resetting *r, ptl_error *err)
{
    ptl_world *world = r->world;
    const transaction_operations *t = ops(world->store)->transaction;
    if (!t->may_write(world->store))
        return save_read_only(err);
    TRY(save_check_world(world, err));
    TRY(t->begin(world->store, err));
    ptl_status status = find(r, err);
    if (status == PTL_OK && r->count + r->report.maps + r->report.maps_edited == 0) {
        t->rollback(world->store);
        return PTL_OK;
    }
    THEN(status, drop_maps(r, err));
    if (status == PTL_OK && r->count > 0)
        status = write_edit(r, err);
    status = world_end_writing(world->store, status, err);
    world->edits_made += status == PTL_OK && r->count > 0;
    return status;
}

static ptl_status look(resetting *r, ptl_error *err)
{
    const transaction_operations *t = ops(r->world->store)->transaction;
    bool own;
    TRY(t->begin_lookups(r->world->store, &own, err));
    const ptl_status status = find(r, err);
    t->end_snapshot(r->world->store, own);
    return status;
}

ptl_status ptl_edit_reset(ptl_edit_reset_report *report, ptl_world *world,
                          const ptl_edit_reset_options *options, ptl_error *err)
{
    ptl_edit_reset_options o = PTL_EDIT_RESET_OPTIONS_INIT;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_edit_reset_options, &o, options, err));
    TRY(SIZED_CHECK(ptl_edit_reset_report, report, err));
    TRY(world_rect_check(o.rect, err));
    for (int i = 0; i < 4; i++)
        o.rect[i] = cut(o.rect[i]);
    resetting r = {.world = world,
                   .options = &o,
                   .report = PTL_EDIT_RESET_REPORT_INIT,
                   .level = malloc(PTL_LEVEL_CELLS * sizeof *r.level)};
    ptl_status status = r.level ? PTL_OK : error_nomem(err);
    THEN(status, o.dry_run ? look(&r, err) : reset(&r, err));
    free(r.chunks);
    free(r.cells);
    free(r.level);
    if (status == PTL_OK)
        SIZED_FILL(ptl_edit_reset_report, report, &r.report);
    return status;
}
