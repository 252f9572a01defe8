#include "world/local/local.h"

#include "core/array.h"
#include "core/error.h"
#include "core/hash.h"
#include "model/chunk.h"
#include "model/predecessors.h"
#include "world/chunk_cache.h"

enum { SIDE = PTL_CHUNK_SIZE };

/* The number of a placement or a join in the features, with a cell that it lies on. */
typedef struct record_cell {
    int32_t cell; /* counted as that of predecessor_cell */
    uint32_t number;
} record_cell;

typedef struct record_cells {
    record_cell *items; /* owned; sorted by cell, then by number */
    size_t count, room;
    bool failed; /* memory was out */
} record_cells;

struct local_record {
    size_t holders;
    const catalogue *cat;
    bool saved;
    ptl_chunk_pos pos;
    chunk_info info;  /* the chunk's row when it was read; it was zeroed first, so that padding
                         compares equal */
    ptl_chunk *chunk; /* owned; NULL: the chunk is not saved */
    gen_features features;
    predecessor_cell *before; /* owned; sorted by cell */
    size_t before_count;
    record_cells places, joins;
    local_towns towns; /* around the chunk, once has_towns is set */
    bool has_towns;
};

/* ---- cells ---- */

static int32_t cell_of(int32_t x, int32_t y, int32_t z)
{
    const bool inside =
        x >= 0 && y >= 0 && x < SIDE && y < SIDE && z >= PTL_Z_MIN && z <= PTL_Z_MAX;
    return inside ? (z - PTL_Z_MIN) * PTL_LEVEL_CELLS + y * SIDE + x : -1;
}

/* Returns the cell of an OMT; -1 if the OMT lies outside of the record's chunk. */
static int32_t cell_at(const local_record *r, ptl_omt at)
{
    const int64_t x = at.x - (int64_t)r->pos.x * SIDE, y = at.y - (int64_t)r->pos.y * SIDE;
    const bool inside = x >= 0 && y >= 0 && x < SIDE && y < SIDE;
    return inside ? cell_of((int32_t)x, (int32_t)y, at.z) : -1;
}

static void add_cell(record_cells *list, int32_t cell, size_t number)
{
    if (cell < 0)
        return;
    if (!ARRAY_ROOM(list->items, list->room, list->count + 1)) {
        list->failed = true;
        return;
    }
    list->items[list->count++] = (record_cell){cell, (uint32_t)number};
}

/* Sorts by cell, then by number. */
static int compare_cells(const void *pa, const void *pb)
{
    const record_cell *a = pa, *b = pb;
    if (a->cell != b->cell)
        return a->cell < b->cell ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static void sort_cells(record_cells *list)
{
    if (list->count > 1)
        qsort(list->items, list->count, sizeof *list->items, compare_cells);
}

/* Returns the index of a cell's first item, or where that would be inserted. */
static size_t first_of(const record_cells *list, int32_t cell)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list->items[middle].cell < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- reading ---- */

static const cat_special *special_of(const local_record *r, size_t placement)
{
    const uint16_t special = r->features.placements[placement].special;
    return special == CAT_NONE ? NULL : &r->cat->specials[special];
}

/* Lists the cells of all placements: the tiles of buildings and fixed specials, and the
 * pieces of mutable ones. */
static void list_places(local_record *r)
{
    const gen_features *f = &r->features;
    for (size_t i = 0; i < f->placement_count; i++) {
        const gen_placement *p = &f->placements[i];
        const cat_special *special = special_of(r, i);
        for (size_t k = 0; special && k < special->omt_count; k++) {
            const cat_omt *t = &special->omts[k];
            int32_t x, y;
            feature_rotate(t->x, t->y, p->rotation, &x, &y);
            add_cell(&r->places, cell_of(p->x + x, p->y + y, p->z + t->z), i);
        }
    }
    for (size_t i = 0; i < f->piece_count; i++) {
        const gen_piece *p = &f->pieces[i];
        if (special_of(r, (size_t)p->placement))
            add_cell(&r->places, cell_of(p->x, p->y, p->z), (size_t)p->placement);
    }
    sort_cells(&r->places);
}

/* Returns a copy of a chunk, or NULL when memory is out. */
static ptl_chunk *copy_chunk(const ptl_chunk *from)
{
    ptl_chunk *chunk = chunk_new(from->pos);
    uint32_t mask = 0;
    for (int i = 0; i < PTL_LEVELS; i++)
        mask |= from->levels[i].cells ? UINT32_C(1) << i : 0;
    if (!chunk || !chunk_take_cells(chunk, mask)) {
        ptl_chunk_free(chunk);
        return NULL;
    }
    for (int i = 0; i < PTL_LEVELS; i++) {
        chunk->levels[i].fill = from->levels[i].fill;
        if (from->levels[i].cells)
            memcpy(chunk->levels[i].cells, from->levels[i].cells,
                   PTL_LEVEL_CELLS * sizeof *chunk->levels[i].cells);
    }
    return chunk;
}

static ptl_status read_tiles(local_record *r, const ptl_world *world, ptl_cache *cache,
                             ptl_error *err)
{
    cached_chunk held = {.chunk = NULL};
    TRY(cache ? cache_fetch(&held, cache, r->pos, true, err) : PTL_OK);
    if (!held.chunk)
        return ops(world->store)
            ->chunk->read(&r->chunk, world->store, world->row.id, r->pos, r->cat, NULL, err);
    r->chunk = copy_chunk(held.chunk);
    return r->chunk ? PTL_OK : error_nomem(err);
}

/* Reads chunk and features into a record whose info is set. */
static ptl_status fill(local_record *r, const ptl_world *world, ptl_cache *cache,
                       ptl_error *err)
{
    bool found = false;
    TRY(ops(world->store)
            ->chunk->features_read_all(&r->features, &found, world->store, world->row.id,
                                       r->pos, r->cat, err));
    TRY(read_tiles(r, world, cache, err));
    const bool spread = predecessors_spread(&r->before, &r->before_count, &r->features);
    list_places(r);
    const gen_features *f = &r->features;
    for (size_t i = 0; i < f->join_count; i++) {
        const gen_join *j = &f->joins[i];
        if (j->join != CAT_NONE && special_of(r, (size_t)j->placement))
            add_cell(&r->joins, cell_of(j->x, j->y, j->z), i);
    }
    sort_cells(&r->joins);
    return spread && !r->places.failed && !r->joins.failed ? PTL_OK : error_nomem(err);
}

static bool is_same(const local_record *r, bool saved, ptl_chunk_pos pos, const chunk_info *now)
{
    const chunk_info *then = &r->info;
    return r->pos.x == pos.x && r->pos.y == pos.y && r->saved == saved && then->id == now->id &&
           then->content_id == now->content_id &&
           then->generator_version == now->generator_version &&
           then->imported == now->imported && strcmp(then->last_step, now->last_step) == 0 &&
           memcmp(&then->omts, &now->omts, sizeof now->omts) == 0 &&
           memcmp(&then->features, &now->features, sizeof now->features) == 0;
}

ptl_status local_record_read(local_record **record, const ptl_world *world, ptl_cache *cache,
                             ptl_omt at, ptl_error *err)
{
    const ptl_chunk_pos pos = ptl_omt_chunk(at);
    chunk_info info = {.id = 0};
    bool saved = false;
    ptl_status status =
        ops(world->store)->chunk->find(&info, &saved, world->store, world->row.id, pos, err);
    if (status != PTL_OK || (*record && is_same(*record, saved, pos, &info)))
        return status;
    local_record *r = calloc(1, sizeof *r);
    if (!r)
        return error_nomem(err);
    r->holders = 1;
    r->cat = world->cat;
    r->saved = saved;
    r->pos = pos;
    r->info = info;
    if (saved)
        status = fill(r, world, cache, err);
    if (status != PTL_OK) {
        local_record_drop(r);
        return status;
    }
    local_record_drop(*record);
    *record = r;
    return PTL_OK;
}

ptl_status local_record_read_towns(local_record *record, const ptl_world *world, ptl_omt at,
                                   ptl_error *err)
{
    if (!record->has_towns)
        TRY(local_towns_read(&record->towns, world, at, err));
    record->has_towns = true;
    return PTL_OK;
}

const local_towns *local_record_towns(const local_record *record)
{
    return &record->towns;
}

uint64_t local_record_key(const local_record *record)
{
    if (!record || !record->saved)
        return 0;
    const chunk_info *info = &record->info;
    return hash_add(hash_bytes(&info->omts, sizeof info->omts),
                    hash_bytes(&info->features, sizeof info->features));
}

local_record *local_record_hold(local_record *record)
{
    if (record)
        record->holders++;
    return record;
}

void local_record_drop(local_record *record)
{
    if (!record || --record->holders > 0)
        return;
    features_dispose(&record->features);
    ptl_chunk_free(record->chunk);
    free(record->before);
    free(record->places.items);
    free(record->joins.items);
    local_towns_dispose(&record->towns);
    free(record);
}

/* ---- asking ---- */

ptl_oter local_record_oter(const local_record *record, ptl_omt at)
{
    const int32_t cell = record && record->chunk ? cell_at(record, at) : -1;
    if (cell < 0)
        return CAT_NONE;
    const level *l = &record->chunk->levels[cell / PTL_LEVEL_CELLS];
    return l->cells ? l->cells[cell % PTL_LEVEL_CELLS] : l->fill;
}

const char *local_record_join(const local_record *record, ptl_omt at, int side)
{
    const int32_t cell = record ? cell_at(record, at) : -1;
    const record_cells *list = record ? &record->joins : NULL;
    if (cell < 0)
        return "";
    for (size_t i = first_of(list, cell); i < list->count && list->items[i].cell == cell; i++) {
        const gen_join *j = &record->features.joins[list->items[i].number];
        if (j->side == side)
            return special_of(record, (size_t)j->placement)->layout->joins[j->join].id;
    }
    return "";
}

/* Returns the index of the first predecessor of a cell, or where that would be inserted. */
static size_t first_before(const local_record *r, int32_t cell)
{
    size_t low = 0, high = r->before_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (r->before[middle].cell < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t local_record_before_count(const local_record *record, ptl_omt at)
{
    const int32_t cell = record ? cell_at(record, at) : -1;
    size_t count = 0;
    if (cell < 0)
        return 0;
    const size_t first = first_before(record, cell);
    while (first + count < record->before_count && record->before[first + count].cell == cell)
        count++;
    return count;
}

ptl_oter local_record_before(const local_record *record, ptl_omt at, size_t number)
{
    if (number >= local_record_before_count(record, at))
        return CAT_NONE;
    const size_t first = first_before(record, cell_at(record, at));
    return record->features.predecessors[record->before[first + number].run].oter;
}

bool local_record_placement(ptl_omt *out, uint64_t *key, const local_record *record, ptl_omt at)
{
    const int32_t cell = record ? cell_at(record, at) : -1;
    if (cell < 0)
        return false;
    /* If several placements cover the cell, the last one is what stands there. */
    const size_t behind = first_of(&record->places, cell + 1);
    if (behind == 0 || record->places.items[behind - 1].cell != cell)
        return false;
    const size_t number = record->places.items[behind - 1].number;
    const gen_placement *p = &record->features.placements[number];
    *out = (ptl_omt){(int64_t)record->pos.x * SIDE + p->x, (int64_t)record->pos.y * SIDE + p->y,
                     p->z};
    *key = special_of(record, number)->key;
    return true;
}
