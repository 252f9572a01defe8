/*
 * ptl_regenerate: makes saved chunks again, with the edges that they have (bulk.h does the
 * work). Only the chunk's row in the table `chunk` tells that a chunk is stale: by its columns
 * for the version of the generator and for the content. So the work can be stopped and
 * continued at any time. The world's own row is updated when no stale chunk is left.
 */
#include "portolan/regenerate.h"
#include "core/array.h"

#include "core/sized.h"
#include "world/bulk.h"
#include "world/edits.h"
#include "world/local/local_maps.h"

typedef struct regeneration {
    ptl_world *world;
    const ptl_regenerate_options *options;
    uint64_t kept, dropped_maps, changed_maps, changed_edits;
} regeneration;

static void keep(void *context, ptl_chunk_pos pos, const char *reason)
{
    regeneration *r = context;
    r->kept++;
    if (r->options->on_kept)
        r->options->on_kept(r->options->payload, pos, reason);
}

static void tell_maps(void *context, const stale_maps *maps)
{
    regeneration *r = context;
    r->dropped_maps += maps->dropped;
    r->changed_maps += maps->count;
    for (size_t i = 0; r->options->on_local && i < maps->count; i++)
        r->options->on_local(r->options->payload, maps->list[i].at, maps->list[i].was,
                             maps->list[i].now);
}

static ptl_status wants(void *context, ptl_chunk_pos pos, bool *wanted, const char **reason,
                        ptl_error *err)
{
    const regeneration *r = context;
    const ptl_world *world = r->world;
    chunk_info info;
    bool found = false;
    *wanted = false;
    TRY(ops(world->store)->chunk->find(&info, &found, world->store, world->row.id, pos, err));
    if (!found)
        *reason = "it is not saved";
    else if (info.imported)
        *reason = "it was imported from a game's save";
    else if (info.generator_version > PTL_GENERATOR_VERSION)
        *reason = "a newer generator made it";
    else
        *wanted = !r->options->stale || info.content_id != world->cat->content_id ||
                  info.generator_version < PTL_GENERATOR_VERSION;
    return PTL_OK;
}

/* ---- edits ---- */

/* Tells the cells of an edit of a chunk that lie over another oter than they did. `below` is
 * what the edit lies over; it gets what the edit shows. */
static ptl_status tell_edit(regeneration *r, ptl_chunk *below, const edit_entry *e,
                            const edit_cell *cells, ptl_error *err)
{
    const catalogue *cat = r->world->cat;
    for (size_t i = e->first; i < e->first + e->count; i++) {
        const edit_cell *c = &cells[i];
        const int32_t cell = c->place % PTL_LEVEL_CELLS;
        level *l = &below->levels[c->place / PTL_LEVEL_CELLS];
        const ptl_oter now = level_oter(l, cell);
        if (now != c->before) {
            r->changed_edits++;
            if (r->options->on_edit)
                r->options->on_edit(r->options->payload, e->number,
                                    edit_omt(below->pos, c->place), cat->oters[c->before].id,
                                    cat->oters[now].id);
        }
        ptl_oter *shown = level_cells(l);
        if (!shown)
            return error_nomem(err);
        shown[cell] = (ptl_oter)c->after;
    }
    return PTL_OK;
}

/* Tells the edits of a chunk whose `before` is gone. */
static ptl_status tell_edits(regeneration *r, ptl_chunk_pos pos, ptl_error *err)
{
    const ptl_world *world = r->world;
    edit_overlay edits;
    ptl_chunk *base = NULL;
    ptl_status status =
        world_edits_read(&edits, world, pos, (UINT32_C(1) << PTL_LEVELS) - 1, world->cat, err);
    if (status == PTL_OK && edits.edit_count > 0)
        status =
            ops(world->store)
                ->chunk->read(&base, world->store, world->row.id, pos, world->cat, NULL, err);
    edit_overlay_judge(&edits);
    for (size_t i = 0; i < edits.edit_count && status == PTL_OK && base; i++)
        if (!edits.edits[i].undone && !edits.edits[i].undoes)
            status = tell_edit(r, base, &edits.edits[i], edits.cells, err);
    ptl_chunk_free(base);
    edit_overlay_dispose(&edits);
    return status;
}

/* ---- the order of chunks ---- */

static int by_row(const void *pa, const void *pb)
{
    const ptl_chunk_pos *a = pa, *b = pb;
    return ORDER_BY(a->y, b->y, a->x, b->x);
}

static chunk_filter filter_of(const ptl_world *world, bool stale)
{
    chunk_filter which = CHUNK_FILTER_ALL;
    which.stale = stale;
    which.content_id = world->cat->content_id;
    which.generator_version = PTL_GENERATOR_VERSION;
    return which;
}

/* ---- the world's row ---- */

static ptl_status count_stale(uint64_t *out, const ptl_world *world, ptl_error *err)
{
    chunk_filter which = filter_of(world, true);
    which.generated = true;
    return ops(world->store)->chunk->count(out, world->store, world->row.id, &which, err);
}

/* If the world has no stale chunk left, its row in the file gets the present content and the
 * present version of the generator. The chunks are counted and the row is written in one
 * transaction, so that no other process can add a stale chunk in between. */
static ptl_status finish(ptl_regenerate_report *report, ptl_world *world, ptl_error *err)
{
    TRY(ops(world->store)->transaction->begin(world->store, err));
    world_row *row = &world->row;
    bool moves = row->content_id != world->cat->content_id ||
                 row->generator_version != PTL_GENERATOR_VERSION;
    ptl_status status = count_stale(&report->stale, world, err);
    if (status == PTL_OK && report->stale == 0 && moves) {
        const world_row now = {.id = row->id,
                               .derive = row->derive,
                               .generator_version = PTL_GENERATOR_VERSION,
                               .content_id = world->cat->content_id};
        status = ops(world->store)->world->renew(world->store, &now, err);
        report->moved = status == PTL_OK;
    }
    status = world_end_writing(world->store, status, err);
    if (status != PTL_OK)
        report->moved = false;
    if (report->moved) {
        world->row.content_id = world->cat->content_id;
        world->row.generator_version = PTL_GENERATOR_VERSION;
    }
    return status;
}

/* Prepares the world for this call. Its content may differ from the file's present content,
 * because the call moves the world to the present content. */
static ptl_status prepare(ptl_world *world, ptl_error *err)
{
    TRY(world_derive_check(world, err));
    bool accepted = world->accept_content;
    world->accept_content = true;
    ptl_status status = world_prepare(world, err);
    world->accept_content = accepted;
    return status;
}

static ptl_status regenerate(regeneration *r, const ptl_chunk_pos *list, size_t count,
                             ptl_regenerate_report *report, ptl_error *err)
{
    const ptl_regenerate_options *o = r->options;
    bulk work = {.world = r->world,
                 .command = "regenerate",
                 .list = list,
                 .count = count,
                 .jobs = o->jobs,
                 .step_count = ptl_step_count(),
                 .replace = true,
                 .wants = wants,
                 .keep = keep,
                 .maps = tell_maps,
                 .context = r,
                 .on_progress = o->on_progress,
                 .payload = o->payload};
    ptl_status status = bulk_run(&work, err);
    report->done = work.report.done;
    report->skipped = work.report.skipped;
    report->total = work.report.total;
    report->seconds = work.report.seconds;
    report->events = work.report.events;
    report->changed = work.changed;
    report->kept = r->kept;
    report->dropped_maps = r->dropped_maps;
    report->changed_maps = r->changed_maps;
    THEN(status, finish(report, r->world, err));
    int64_t last = 0;
    THEN(status, world_edits_last(&last, r->world, err));
    for (size_t i = 0; i < count && status == PTL_OK && last > 0; i++)
        status = tell_edits(r, list[i], err);
    report->changed_edits = r->changed_edits;
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status = world_spills_mend(r->world, list[i], err);
    if (status == PTL_OK)
        return status;
    if (status == PTL_ERR_CANCELLED)
        (void)count_stale(&report->stale, r->world, NULL);
    return status;
}

ptl_status ptl_regenerate(ptl_regenerate_report *report, ptl_world *world,
                          const ptl_regenerate_options *options, ptl_error *err)
{
    ptl_regenerate_options o = PTL_REGENERATE_OPTIONS_INIT;
    ptl_regenerate_report local = PTL_REGENERATE_REPORT_INIT;
    regeneration r = {.world = world, .options = &o};
    ptl_chunk_pos *all = NULL;
    size_t count = 0;
    error_clear(err);
    ptl_status status = SIZED_TAKE(ptl_regenerate_options, &o, options, err);
    THEN(status, SIZED_CHECK(ptl_regenerate_report, report, err));
    THEN(status, prepare(world, err));
    if (status == PTL_OK && !o.positions) {
        /* Lists the chunks that may be made again, row by row. Imported chunks are in the list
         * as well, so that they are reported as kept. */
        const chunk_filter which = filter_of(world, o.stale);
        status = ops(world->store)
                     ->chunk->list(&all, &count, world->store, world->row.id, &which, err);
        if (count > 0)
            qsort(all, count, sizeof *all, by_row);
    }
    THEN(status, o.positions ? regenerate(&r, o.positions, o.position_count, &local, err)
                             : regenerate(&r, all, count, &local, err));
    free(all);
    SIZED_FILL(ptl_regenerate_report, report, &local);
    return status;
}
