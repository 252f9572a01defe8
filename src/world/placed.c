/* Specials that games have placed: adds them to the features of their chunk, and to the digest
 * of the world. */
#include "core/array.h"
#include "core/digest.h"
#include "model/catalogue.h"
#include "world/edits.h"

#include <stdlib.h>
#include <string.h>

/* What is added to the features of a chunk. */
typedef struct placing {
    gen_features *features;
    edit_overlay edits; /* all edits of the chunk */
    const catalogue *cat;
} placing;

static const edit_entry *find_edit(const edit_overlay *edits, int64_t number)
{
    for (size_t i = 0; i < edits->edit_count; i++)
        if (edits->edits[i].number == number)
            return &edits->edits[i];
    return NULL;
}

/* Finds a piece of a mutable special by its id; CAT_NONE: it has none. */
static uint16_t find_piece(const cat_mutable *m, const char *id)
{
    for (size_t i = 0; m && i < m->piece_count; i++)
        if (strcmp(m->pieces[i].id, id) == 0)
            return (uint16_t)i;
    return CAT_NONE;
}

static uint16_t find_join(const cat_mutable *m, const char *id)
{
    for (size_t i = 0; m && i < m->join_count; i++)
        if (strcmp(m->joins[i].id, id) == 0)
            return (uint16_t)i;
    return CAT_NONE;
}

/* Adds the pieces and joins of a placement, which is the last one of the features. Those that
 * the content lacks are left out. */
static bool add_parts(gen_features *f, const placed_row *row, const cat_mutable *m)
{
    const int32_t placement = (int32_t)f->placement_count - 1;
    const placed_parts *p = &row->parts;
    for (size_t i = 0; i < p->piece_count + p->join_count; i++) {
        const placed_part *part = &p->list[i];
        const bool is_piece = i < p->piece_count;
        const uint16_t index = is_piece ? find_piece(m, part->id) : find_join(m, part->id);
        gen_piece *piece = is_piece && index != CAT_NONE ? features_add_piece(f) : NULL;
        gen_join *join = !is_piece && index != CAT_NONE ? features_add_join(f) : NULL;
        if (index != CAT_NONE && !piece && !join)
            return false;
        if (piece)
            *piece = (gen_piece){.placement = placement,
                                 .piece = index,
                                 .x = part->x,
                                 .y = part->y,
                                 .z = part->z,
                                 .rotation = part->turn};
        if (join)
            *join = (gen_join){.placement = placement,
                               .x = part->x,
                               .y = part->y,
                               .z = part->z,
                               .side = part->turn,
                               .join = index};
    }
    return true;
}

/* Adds what stood on the cells of an edit before it, where their terrain needs to know. */
static bool add_predecessors(placing *to, const edit_entry *edit)
{
    for (size_t i = 0; i < edit->count; i++) {
        const edit_cell *c = &to->edits.cells[edit->first + i];
        if (!(to->cat->oters[c->after].flags & CAT_FLAG_PREDECESSOR))
            continue;
        gen_predecessor *p = features_add_predecessor(to->features);
        if (!p)
            return false;
        const int32_t cell = c->place % PTL_LEVEL_CELLS;
        *p = (gen_predecessor){.oter = (ptl_oter)c->before,
                               .x = (int16_t)(cell % PTL_CHUNK_SIZE),
                               .y = (int16_t)(cell / PTL_CHUNK_SIZE),
                               .z = (int8_t)(c->place / PTL_LEVEL_CELLS + PTL_Z_MIN),
                               .length = 1};
    }
    return true;
}

static ptl_status add_row(void *payload, const placed_row *row, ptl_error *err)
{
    placing *to = payload;
    const edit_entry *edit = find_edit(&to->edits, row->number);
    const uint16_t special = catalogue_special(to->cat, row->special);
    if (!edit || edit->undone)
        return PTL_OK;
    if (row->part == 0 && !add_predecessors(to, edit))
        return error_nomem(err);
    gen_placement *p = features_add_placement(to->features);
    if (!p)
        return error_nomem(err);
    *p = (gen_placement){.special = special,
                         .x = (int16_t)row->x,
                         .y = (int16_t)row->y,
                         .z = (int8_t)row->z,
                         .rotation = (uint8_t)row->rotation,
                         .city = FEATURE_NO_CITY,
                         .omts = row->omts};
    const cat_mutable *m = special == CAT_NONE ? NULL : to->cat->specials[special].layout;
    return add_parts(to->features, row, m) ? PTL_OK : error_nomem(err);
}

static ptl_status count_row(void *payload, const placed_row *row, ptl_error *err)
{
    (void)row;
    (void)err;
    ++*(size_t *)payload;
    return PTL_OK;
}

static ptl_status add_placed(gen_features *out, const ptl_world *world, ptl_chunk_pos pos,
                             const catalogue *cat, ptl_error *err)
{
    const edit_area area = {pos.x, pos.x, pos.y, pos.y, .levels = (1 << PTL_LEVELS) - 1};
    const edit_operations *edits = ops(world->store)->edit;
    placing to = {.features = out, .cat = cat};
    size_t count = 0;
    TRY(edits->placed_visit(world->store, world->row.id, &area, count_row, &count, err));
    if (count == 0)
        return PTL_OK;
    ptl_status status = world_edits_read(&to.edits, world, pos, area.levels, cat, err);
    edit_overlay_judge(&to.edits);
    THEN(status, edits->placed_visit(world->store, world->row.id, &area, add_row, &to, err));
    edit_overlay_dispose(&to.edits);
    return status;
}

ptl_status world_features_read(gen_features *out, bool *found, const ptl_world *world,
                               ptl_chunk_pos pos, const catalogue *cat, ptl_error *err)
{
    const store_operations *o = ops(world->store);
    bool own;
    TRY(o->transaction->begin_lookups(world->store, &own, err));
    ptl_status status =
        o->chunk->features_read_all(out, found, world->store, world->row.id, pos, cat, err);
    if (status == PTL_OK && *found && !world->base)
        status = add_placed(out, world, pos, cat, err);
    o->transaction->end_snapshot(world->store, own);
    return status;
}

/* ---- the digest ---- */

/* The digest of placed specials that is being computed. */
typedef struct placed_digest {
    digest_state state;
    edit_overlay edits; /* all edits of the world, without cells */
    bool any;           /* some special is there */
} placed_digest;

typedef struct edit_numbers {
    edit_entry *list; /* owned */
    size_t count, room;
} edit_numbers;

static ptl_status note_edit(void *payload, const edit_row *row, ptl_error *err)
{
    edit_numbers *n = payload;
    if (!ARRAY_ROOM(n->list, n->room, n->count + 1))
        return error_nomem(err);
    n->list[n->count++] = (edit_entry){.number = row->number, .undoes = row->undoes};
    return PTL_OK;
}

static int by_number(const void *pa, const void *pb)
{
    const edit_entry *a = pa, *b = pb;
    return ORDER_BY(a->number, b->number);
}

/* Reads which edits of the world are undone. */
static ptl_status read_numbers(edit_overlay *out, const ptl_world *world, ptl_error *err)
{
    const edit_area all = EDIT_AREA_ALL;
    edit_numbers n = {.count = 0};
    ptl_status status =
        ops(world->store)
            ->edit->visit(world->store, world->row.id, &all, world->cat, note_edit, &n, err);
    if (n.count > 1)
        qsort(n.list, n.count, sizeof *n.list, by_number);
    for (size_t i = 0; i < n.count && status == PTL_OK; i++)
        if ((i == 0 || n.list[i].number != n.list[i - 1].number) &&
            !edit_overlay_add(out, n.list[i].number, n.list[i].undoes, NULL, 0))
            status = error_nomem(err);
    free(n.list);
    edit_overlay_judge(out);
    return status;
}

static void digest_number(digest_state *state, int64_t number)
{
    digest_update_u64(state, (uint64_t)number);
}

static ptl_status digest_row(void *payload, const placed_row *row, ptl_error *err)
{
    placed_digest *d = payload;
    const edit_entry key = {.number = row->number};
    const edit_entry *edit =
        d->edits.edit_count > 0
            ? bsearch(&key, d->edits.edits, d->edits.edit_count, sizeof key, by_number)
            : NULL;
    const placed_parts *p = &row->parts;
    const int64_t numbers[] = {row->chunk.x,
                               row->chunk.y,
                               row->part,
                               row->x,
                               row->y,
                               row->z,
                               row->rotation,
                               row->omts,
                               (int64_t)p->piece_count,
                               (int64_t)p->join_count};
    (void)err;
    if (!edit || edit->undone)
        return PTL_OK;
    d->any = true;
    digest_update_counted(&d->state, row->special, strlen(row->special));
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        digest_number(&d->state, numbers[i]);
    for (size_t i = 0; i < p->piece_count + p->join_count; i++) {
        const placed_part *part = &p->list[i];
        digest_update_counted(&d->state, part->id, strlen(part->id));
        digest_number(&d->state, part->x);
        digest_number(&d->state, part->y);
        digest_number(&d->state, part->z);
        digest_number(&d->state, part->turn);
    }
    return PTL_OK;
}

ptl_status world_placed_digest(ptl_world_digest_result *out, const ptl_world *world,
                               ptl_error *err)
{
    static const char head[] = "portolan placed world 1\n";
    const edit_area all = EDIT_AREA_ALL;
    const edit_operations *edits = ops(world->store)->edit;
    placed_digest d = {.any = false};
    digest result;
    size_t count = 0;
    if (world->base)
        return PTL_OK;
    TRY(edits->placed_visit(world->store, world->row.id, &all, count_row, &count, err));
    if (count == 0)
        return PTL_OK;
    digest_init(&d.state);
    digest_update(&d.state, head, sizeof head - 1);
    digest_update(&d.state, out->hex, sizeof out->hex - 1);
    ptl_status status = read_numbers(&d.edits, world, err);
    THEN(status, edits->placed_visit(world->store, world->row.id, &all, digest_row, &d, err));
    edit_overlay_dispose(&d.edits);
    digest_final(&d.state, &result);
    if (status == PTL_OK && d.any)
        digest_to_hex(&result, out->hex);
    return status;
}
