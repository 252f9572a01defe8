/*
 * Saves (portolan/save.h). A save collects in memory what is to change. When it is committed,
 * one transaction reads what is shown now, and writes a row for each edit and chunk. A save
 * consists of parts, in the order in which the caller gave them; each becomes an edit with a
 * number of its own: cells that are set, an earlier edit that is taken back, or a special that
 * is placed (save_special.c). save_begin.c begins saves and hands them over, save_rows.c has
 * their notes, marks and facts, save_maps.c their local maps.
 */
#include "core/array.h"
#include "core/sized.h"
#include "core/suggest.h"
#include "world/bulk.h"
#include "world/edits.h"
#include "world/save/save_impl.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = PTL_CHUNK_SIZE, ALL_LEVELS = (1 << PTL_LEVELS) - 1 };

/* ---- collecting ---- */

static ptl_status find_oter(ptl_oter *out, const catalogue *cat, const char *id, ptl_error *err)
{
    *out = id ? catalogue_oter(cat, id) : CAT_NONE;
    if (*out != CAT_NONE)
        return PTL_OK;
    suggestion near;
    suggest_begin(&near, id ? id : "");
    for (size_t i = 0; i < cat->oter_count; i++)
        suggest_offer(&near, cat->oters[i].id);
    return error_set(err, PTL_ERR_NOT_FOUND, "the content has no oter '%s'%s%s%s", id ? id : "",
                     near.best ? "; did you mean '" : "", near.best ? near.best : "",
                     near.best ? "'?" : "");
}

ptl_status save_not_saved(const ptl_world *world, ptl_chunk_pos pos, ptl_error *err)
{
    return error_set(
        err, PTL_ERR_NOT_FOUND,
        "chunk %d,%d of world '%s' is not saved: make it first (portolan generate, "
        "ptl_chunk_get)",
        pos.x, pos.y, world->row.name);
}

static ptl_status check_chunk(const ptl_world *world, ptl_chunk_pos pos, ptl_error *err)
{
    chunk_info info;
    bool found = false;
    TRY(ops(world->store)->chunk->find(&info, &found, world->store, world->row.id, pos, err));
    return found ? PTL_OK : save_not_saved(world, pos, err);
}

ptl_status save_check_omt(ptl_omt at, ptl_error *err)
{
    const int64_t most = (int64_t)PTL_CHUNK_COORD_MAX * SIDE;
    if (at.z < PTL_Z_MIN || at.z > PTL_Z_MAX || at.x < -most || at.x >= most + SIDE ||
        at.y < -most || at.y >= most + SIDE)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "OMT %lld,%lld,%d lies outside of all chunks, or of levels %d..%d",
                         (long long)at.x, (long long)at.y, (int)at.z, PTL_Z_MIN, PTL_Z_MAX);
    return PTL_OK;
}

static ptl_status take_cell(save_cell *out, const ptl_world *world, const ptl_save_cell *cell,
                            ptl_error *err)
{
    const ptl_omt at = cell->at;
    TRY(save_check_omt(at, err));
    TRY(find_oter(&out->oter, world->cat, cell->oter, err));
    out->chunk = ptl_omt_chunk(at);
    const int64_t x = at.x - (int64_t)out->chunk.x * SIDE;
    const int64_t y = at.y - (int64_t)out->chunk.y * SIDE;
    out->place = (int32_t)((at.z - PTL_Z_MIN) * PTL_LEVEL_CELLS + y * SIDE + x);
    return PTL_OK;
}

static bool same_chunk(ptl_chunk_pos a, ptl_chunk_pos b)
{
    return a.x == b.x && a.y == b.y;
}

bool save_add_part(ptl_save *save, int64_t undoes, const save_special *special)
{
    if (!ARRAY_ROOM(save->parts, save->part_room, save->part_count + 1))
        return false;
    save->parts[save->part_count] = (save_part){undoes, save->count, 0, {.special = CAT_NONE}};
    if (special)
        save->parts[save->part_count].special = *special;
    save->part_count++;
    return true;
}

/* Can cells be added to the last part? */
static bool has_begun(const ptl_save *save)
{
    const save_part *last = save->part_count > 0 ? &save->parts[save->part_count - 1] : NULL;
    return last && last->undoes == 0 && last->special.special == CAT_NONE;
}

ptl_status ptl_save_cells_set(ptl_save *save, const ptl_save_cell *cells, size_t count,
                              ptl_error *err)
{
    error_clear(err);
    if (count > PTL_SAVE_CELLS_MAX || save->count + count > PTL_SAVE_CELLS_MAX)
        return error_set(err, PTL_ERR_LIMIT, "a save sets at most %d cells",
                         PTL_SAVE_CELLS_MAX);
    if (count == 0)
        return PTL_OK;
    TRY(world_derive_check(save->world, err));
    TRY(save_check_size(save, count * sizeof *save->cells, err));
    const bool begun = has_begun(save);
    if (!ARRAY_ROOM(save->cells, save->room, save->count + count) ||
        !ARRAY_ROOM(save->parts, save->part_room, save->part_count + 1))
        return error_nomem(err);
    save_cell *added = save->cells + save->count;
    for (size_t i = 0; i < count; i++) {
        TRY(take_cell(&added[i], save->world, &cells[i], err));
        if (i == 0 || !same_chunk(added[i].chunk, added[i - 1].chunk))
            TRY(check_chunk(save->world, added[i].chunk, err));
    }
    if (!begun)
        (void)save_add_part(save, 0, NULL);
    save->parts[save->part_count - 1].count += count;
    save->count += count;
    return PTL_OK;
}

/* ---- committing ---- */

/* A square of OMTs of a chunk, of which the maps that depend on its edited cells are dropped
 * together: how far its edited cells reach. */
enum { BLOCK = 12, BLOCKS = SIDE / BLOCK };
typedef struct edited_block {
    int32_t x0, y0, x1, y1; /* OMTs in the chunk, both ends included; x0 > x1: none */
    bool ground;            /* some of them are of level 0 */
} edited_block;

static void mark_blocks(edited_block *blocks, const edit_cell *cells, size_t count)
{
    for (int i = 0; i < BLOCKS * BLOCKS; i++)
        blocks[i] = (edited_block){SIDE, SIDE, -1, -1, false};
    for (size_t i = 0; i < count; i++) {
        const int32_t cell = cells[i].place % PTL_LEVEL_CELLS, x = cell % SIDE, y = cell / SIDE;
        edited_block *b = &blocks[y / BLOCK * BLOCKS + x / BLOCK];
        b->x0 = x < b->x0 ? x : b->x0;
        b->y0 = y < b->y0 ? y : b->y0;
        b->x1 = x > b->x1 ? x : b->x1;
        b->y1 = y > b->y1 ? y : b->y1;
        b->ground |= cells[i].place / PTL_LEVEL_CELLS == -PTL_Z_MIN;
    }
}

typedef struct counting {
    const edit_row *row;
    uint64_t kept;
} counting;

static int by_place(const void *pa, const void *pb)
{
    const edit_cell *a = pa, *b = pb;
    return ORDER_BY(a->place, b->place);
}

/* Counts a map that a game has edited, if its own OMT is one of those of the edit. */
static ptl_status count_kept(void *payload, const map_info *map, ptl_error *err)
{
    counting *c = payload;
    const ptl_chunk_pos pos = c->row->chunk;
    const int64_t x = map->at.x - (int64_t)pos.x * SIDE, y = map->at.y - (int64_t)pos.y * SIDE;
    const edit_cell key = {
        .place = (int32_t)((map->at.z - PTL_Z_MIN) * PTL_LEVEL_CELLS + y * SIDE + x)};
    (void)err;
    c->kept += map->edited &&
               bsearch(&key, c->row->cells, c->row->count, sizeof key, by_place) != NULL;
    return PTL_OK;
}

/* Removes the local maps that depend on the edited cells of a chunk, except those that a game
 * has edited. They depend on the cells of their level around them, and on those above and
 * below; maps of all levels are removed, since they are made anew anyway. */
ptl_status save_drop_maps(save_writing *w, const edit_row *row, ptl_error *err)
{
    edited_block blocks[BLOCKS * BLOCKS];
    const ptl_world *world = w->save->world;
    const map_operations *maps = ops(world->store)->map;
    const int64_t left = (int64_t)row->chunk.x * SIDE, top = (int64_t)row->chunk.y * SIDE;
    counting kept = {row, 0};
    mark_blocks(blocks, row->cells, row->count);
    for (int i = 0; i < BLOCKS * BLOCKS; i++) {
        const edited_block *b = &blocks[i];
        if (b->x0 > b->x1)
            continue;
        const map_area own = {left + b->x0, left + b->x1, top + b->y0, top + b->y1, .after = 1};
        map_area around = {own.x0 - WORLD_MAPS_AROUND, own.x1 + WORLD_MAPS_AROUND,
                           own.y0 - WORLD_MAPS_AROUND, own.y1 + WORLD_MAPS_AROUND, .after = 0};
        uint64_t dropped = 0;
        TRY(maps->visit(world->store, world->row.id, &own, count_kept, &kept, err));
        TRY(maps->drop(&dropped, world->store, world->row.id, &around, err));
        w->report->maps_dropped += dropped;
        const int64_t more = WORLD_SPILLS_AROUND - WORLD_MAPS_AROUND;
        around = (map_area){around.x0 - more, around.x1 + more, around.y0 - more,
                            around.y1 + more, .after = 0};
        if (b->ground)
            TRY(maps->spill_drop(world->store, world->row.id, &around, err));
    }
    w->report->maps_kept += kept.kept;
    return PTL_OK;
}

ptl_status save_write_row(save_writing *w, ptl_chunk_pos pos, size_t count, ptl_error *err)
{
    const ptl_save *save = w->save;
    const ptl_world *world = save->world;
    if (count == 0)
        return PTL_OK;
    const edit_row row = {.chunk = pos,
                          .number = w->number,
                          .author = save->author,
                          .text = save->text,
                          .turn = save->turn,
                          .undoes = w->undoes,
                          .cells = w->cells,
                          .count = count};
    w->any = true;
    w->report->chunks++;
    w->report->cells += count;
    TRY(ops(world->store)->edit->write(world->store, world->row.id, &row, world->cat, err));
    return save_drop_maps(w, &row, err);
}

/* Reads what is shown at present at the first `count` of w->cells of a chunk, which are sorted
 * by place, into their members `before`. */
static ptl_status read_before(save_writing *w, ptl_chunk_pos pos, size_t count, ptl_error *err)
{
    int32_t z = PTL_Z_MIN - 1;
    for (size_t i = 0; i < count; i++) {
        edit_cell *c = &w->cells[i];
        bool found = true;
        if (c->place / PTL_LEVEL_CELLS + PTL_Z_MIN != z) {
            z = c->place / PTL_LEVEL_CELLS + PTL_Z_MIN;
            TRY(world_level_read(w->level, &found, w->save->world, pos, z, err));
        }
        if (!found)
            return save_not_saved(w->save->world, pos, err);
        c->before = w->level[c->place % PTL_LEVEL_CELLS];
    }
    return PTL_OK;
}

/* ---- an edit that sets cells ---- */

/* A cell with its number in the save, so that the last one for an OMT can be found. */
typedef struct sorted_cell {
    save_cell cell;
    size_t number;
} sorted_cell;

static int compare_cells(const void *pa, const void *pb)
{
    const sorted_cell *a = pa, *b = pb;
    return ORDER_BY(a->cell.chunk.x, b->cell.chunk.x, a->cell.chunk.y, b->cell.chunk.y,
                    a->cell.place, b->cell.place, (int64_t)a->number, (int64_t)b->number);
}

/* Writes the cells of one chunk, sorted by place. */
static ptl_status write_cells(save_writing *w, const sorted_cell *cells, size_t count,
                              ptl_error *err)
{
    size_t kept = 0, changed = 0;
    if (!ARRAY_ROOM(w->cells, w->room, count))
        return error_nomem(err);
    for (size_t i = 0; i < count; i++)
        if (i + 1 == count || cells[i + 1].cell.place != cells[i].cell.place)
            w->cells[kept++] =
                (edit_cell){.place = cells[i].cell.place, .after = cells[i].cell.oter};
    TRY(read_before(w, cells->cell.chunk, kept, err));
    for (size_t i = 0; i < kept; i++)
        if (w->cells[i].before != w->cells[i].after)
            w->cells[changed++] = w->cells[i];
    w->report->unchanged += kept - changed;
    return save_write_row(w, cells->cell.chunk, changed, err);
}

static ptl_status set_cells(save_writing *w, const save_part *part, ptl_error *err)
{
    sorted_cell *list = malloc(part->count * sizeof *list);
    if (!list)
        return error_nomem(err);
    for (size_t i = 0; i < part->count; i++)
        list[i] = (sorted_cell){w->save->cells[part->first + i], i};
    qsort(list, part->count, sizeof *list, compare_cells);
    ptl_status status = PTL_OK;
    for (size_t first = 0, end; first < part->count && status == PTL_OK; first = end) {
        for (end = first + 1; end < part->count; end++)
            if (!same_chunk(list[end].cell.chunk, list[first].cell.chunk))
                break;
        status = write_cells(w, list + first, end - first, err);
    }
    free(list);
    return status;
}

/* ---- an edit that takes another back ---- */

/* The rows of an edit that is to be taken back. */
typedef struct undone_row {
    ptl_chunk_pos chunk;
    edit_cell *cells; /* owned */
    size_t count;
} undone_row;

typedef struct undone_rows {
    undone_row *list; /* owned */
    size_t count, room;
} undone_rows;

static void undone_rows_dispose(undone_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        free(rows->list[i].cells);
    free(rows->list);
}

static ptl_status keep_row(void *payload, const edit_row *row, ptl_error *err)
{
    undone_rows *rows = payload;
    edit_cell *cells = malloc(row->count * sizeof *cells);
    if (!cells || !ARRAY_ROOM(rows->list, rows->room, rows->count + 1)) {
        free(cells);
        return error_nomem(err);
    }
    memcpy(cells, row->cells, row->count * sizeof *cells);
    undone_row *kept = &rows->list[rows->count++];
    kept->chunk = row->chunk;
    kept->cells = cells;
    kept->count = row->count;
    return PTL_OK;
}

/* Numbers of edits for a message, at most NAMED of them. */
enum { NAMED = 8 };
typedef struct edit_numbers {
    int64_t list[NAMED];
    size_t count;
} edit_numbers;

static void add_number(edit_numbers *numbers, int64_t number)
{
    for (size_t i = 0; i < numbers->count && i < NAMED; i++)
        if (numbers->list[i] == number)
            return;
    if (numbers->count < NAMED)
        numbers->list[numbers->count] = number;
    numbers->count++;
}

/* Returns true if the edit changes one of the cells, which are sorted by place. */
static bool lies_over(const edit_overlay *o, const edit_entry *e, const undone_row *row)
{
    const edit_cell *a = o->cells + e->first, *end = a + e->count;
    for (size_t i = 0; a < end && i < row->count;) {
        if (a->place == row->cells[i].place)
            return true;
        if (a->place < row->cells[i].place)
            a++;
        else
            i++;
    }
    return false;
}

/* Lists the edits of a chunk that keep the edit `number` from being taken back: edits that took
 * it back already go to *by, later edits over its cells to *over. A later edit does not count
 * if it is undone, nor the edit that undid it. */
static ptl_status find_later(edit_numbers *by, edit_numbers *over, const ptl_world *world,
                             int64_t number, const undone_row *row, ptl_error *err)
{
    edit_overlay o;
    ptl_status status = world_edits_read(&o, world, row->chunk,
                                         edit_levels(row->cells, row->count), world->cat, err);
    edit_overlay_judge(&o);
    for (size_t i = 0; i < o.edit_count && status == PTL_OK; i++) {
        const edit_entry *e = &o.edits[i];
        if (e->number <= number || e->undone || e->undoes > number)
            continue;
        if (e->undoes == number)
            add_number(by, e->number);
        else if (lies_over(&o, e, row))
            add_number(over, e->number);
    }
    edit_overlay_dispose(&o);
    return status;
}

static ptl_status refuse(int64_t number, const edit_numbers *by, const edit_numbers *over,
                         ptl_error *err)
{
    char names[NAMED * 22 + 8] = "";
    size_t length = 0;
    for (size_t i = 0; i < over->count && i < NAMED; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%lld",
                                   i > 0 ? ", " : "", (long long)over->list[i]);
    if (by->count > 0)
        return error_set(err, PTL_ERR_EXISTS, "edit %lld is undone already, by edit %lld",
                         (long long)number, (long long)by->list[0]);
    return error_set(
        err, PTL_ERR_EXISTS, "edit %lld can't be undone before %s that %s over it: %s%s",
        (long long)number, over->count == 1 ? "the later edit" : "later edits",
        over->count == 1 ? "lies" : "lie", names, over->count > NAMED ? ", ..." : "");
}

/* Reads the rows of an edit and looks whether it can be taken back. Dispose of *rows also after
 * an error. */
static ptl_status read_undone(undone_rows *rows, const ptl_world *world, int64_t number,
                              ptl_error *err)
{
    const edit_area area = {.number = number};
    edit_numbers by = {.count = 0}, over = {.count = 0};
    *rows = (undone_rows){.count = 0};
    ptl_status status = PTL_OK;
    if (number > 0)
        status = ops(world->store)
                     ->edit->visit(world->store, world->row.id, &area, world->cat, keep_row,
                                   rows, err);
    if (status == PTL_OK && rows->count == 0)
        return error_set(err, PTL_ERR_NOT_FOUND, "world '%s' has no edit %lld", world->row.name,
                         (long long)number);
    for (size_t i = 0; i < rows->count && status == PTL_OK; i++)
        status = find_later(&by, &over, world, number, &rows->list[i], err);
    if (status == PTL_OK && by.count + over.count > 0)
        return refuse(number, &by, &over, err);
    return status;
}

ptl_status ptl_save_undo(ptl_save *save, int64_t number, ptl_error *err)
{
    undone_rows rows;
    const store_operations *o = ops(save->world->store);
    bool own;
    error_clear(err);
    TRY(o->transaction->begin_lookups(save->world->store, &own, err));
    ptl_status status = read_undone(&rows, save->world, number, err);
    o->transaction->end_snapshot(save->world->store, own);
    undone_rows_dispose(&rows);
    if (status == PTL_OK && !save_add_part(save, number, NULL))
        status = error_nomem(err);
    return status;
}

static ptl_status undo(save_writing *w, const save_part *part, ptl_error *err)
{
    undone_rows rows;
    ptl_status status = read_undone(&rows, w->save->world, part->undoes, err);
    for (size_t i = 0; i < rows.count && status == PTL_OK; i++) {
        const undone_row *row = &rows.list[i];
        if (!ARRAY_ROOM(w->cells, w->room, row->count))
            status = error_nomem(err);
        for (size_t k = 0; k < row->count && status == PTL_OK; k++)
            w->cells[k] =
                (edit_cell){.place = row->cells[k].place, .after = row->cells[k].before};
        THEN(status, read_before(w, row->chunk, row->count, err));
        THEN(status, save_write_row(w, row->chunk, row->count, err));
    }
    undone_rows_dispose(&rows);
    return status;
}

/* ---- the transaction ---- */

static ptl_status write_parts(save_writing *w, ptl_error *err)
{
    const ptl_world *world = w->save->world;
    TRY(ops(world->store)->edit->last(&w->number, world->store, world->row.id, err));
    w->number++;
    for (size_t i = 0; i < w->save->part_count; i++) {
        const save_part *part = &w->save->parts[i];
        w->undoes = part->undoes;
        w->any = false;
        TRY(part->undoes                        ? undo(w, part, err)
            : part->special.special != CAT_NONE ? save_write_special(w, &part->special, err)
                                                : set_cells(w, part, err));
        if (!w->any)
            continue;
        w->report->first = w->report->first ? w->report->first : w->number;
        w->report->last = w->number++;
    }
    return PTL_OK;
}

static bool writes_rows(const ptl_save_report *report)
{
    return report->notes + report->marks + report->facts > 0;
}

ptl_status save_edits_write(ptl_save *save, ptl_save_report *report, ptl_error *err)
{
    save_writing w = {
        .save = save, .report = report, .level = malloc(PTL_LEVEL_CELLS * sizeof *w.level)};
    const ptl_status status = w.level ? write_parts(&w, err) : error_nomem(err);
    free(w.cells);
    free(w.level);
    return status;
}

/* Maps are written before edits, which would drop the maps that are not stored as edited yet.
 */
static ptl_status write_all(ptl_save *save, const changed_maps *maps, ptl_save_report *report,
                            ptl_error *err)
{
    ptl_world *world = save->world;
    const transaction_operations *transaction = ops(world->store)->transaction;
    TRY(transaction->begin(world->store, err));
    ptl_status status = maps->count > 0 ? changed_maps_write(maps, world, err) : PTL_OK;
    THEN(status, save_edits_write(save, report, err));
    THEN(status, save_rows_write(save, report, err));
    report->maps = maps->count;
    if (status == PTL_OK && report->last == 0 && report->maps == 0 && !writes_rows(report)) {
        transaction->rollback(world->store);
        return PTL_OK;
    }
    return world_end_writing(world->store, status, err);
}

static ptl_status commit(ptl_save *save, ptl_save_report *report, ptl_error *err)
{
    ptl_world *world = save->world;
    changed_maps maps = {.count = 0};
    if (!ops(world->store)->transaction->may_write(world->store))
        return save_read_only(err);
    TRY(save_check_content(save, err));
    ptl_status status = PTL_OK;
    if (save->map_count > 0)
        status = changed_maps_prepare(&maps, world, save->maps, save->map_count, err);
    THEN(status, write_all(save, &maps, report, err));
    changed_maps_dispose(&maps);
    world->edits_made += status == PTL_OK && report->last > 0;
    if (status == PTL_OK && save->attached && writes_rows(report)) {
        if (report->revision != world->own_last + 1)
            world->own_first = report->revision;
        world->own_last = report->revision;
    }
    return status;
}

ptl_status ptl_save_commit(ptl_save_report *report, ptl_save *save, ptl_error *err)
{
    ptl_save_report r = PTL_SAVE_REPORT_INIT;
    error_clear(err);
    TRY(SIZED_CHECK(ptl_save_report, report, err));
    TRY(commit(save, &r, err));
    SIZED_FILL(ptl_save_report, report, &r);
    ptl_save_abort(save);
    return PTL_OK;
}
