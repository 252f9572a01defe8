/*
 * Finds out what local maps need to know of a chunk: the oters of its OMTs, the oters that
 * stood there before, joins and placements, each of them with an index by cell; and the towns
 * around the chunk. Also computes the digest over many local maps, which reads the maps one by
 * one (portolan/local_area.h).
 */
#include "codec/digest_world.h"
#include "core/array.h"
#include "core/sized.h"
#include "model/predecessors.h"
#include "world/edits.h"
#include "world/local/local.h"
#include "world/local/local_reader.h"

enum { SIDE = PTL_CHUNK_SIZE, AROUND = 9, MIDDLE = AROUND / 2 };

/* An element of a list of what lies on the cells (OMTs) of the chunk: a placement, a join or a
 * list of predecessors. `number` is its number in the chunk's features. */
typedef struct record_cell {
    /* Number of the cell in the chunk: (z + 10) * PTL_LEVEL_CELLS + y * 180 + x. */
    int32_t cell;
    uint32_t number;
} record_cell;

typedef struct record_cells {
    record_cell *items; /* owned; sorted by `cell`, then by `number` */
    size_t count, room;
    bool failed; /* memory was out while `items` was filled */
} record_cells;

struct local_record {
    size_t holders;
    const catalogue *cat;
    bool saved;
    ptl_chunk_pos pos;
    /* The row that the chunk had in the file when the record was read. All bytes of the struct
     * are set to 0 before the row is read, so that two rows can be compared byte by byte. */
    chunk_info info;
    int64_t edits;    /* greatest number of the world's edits when the record was read */
    ptl_chunk *chunk; /* owned; NULL: the chunk is not saved */
    gen_features features;
    record_cells places, joins, before;
    local_towns towns; /* towns around the chunk; valid if has_towns is set */
    bool has_towns;
};

/* ---- numbers of cells ---- */

static int32_t cell_of(int32_t x, int32_t y, int32_t z)
{
    const bool inside =
        x >= 0 && y >= 0 && x < SIDE && y < SIDE && z >= PTL_Z_MIN && z <= PTL_Z_MAX;
    return inside ? (z - PTL_Z_MIN) * PTL_LEVEL_CELLS + y * SIDE + x : -1;
}

/* Returns the number of an OMT's cell; -1 if the OMT lies outside of the record's chunk. */
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

/* Compares for sorting by cell, then by number. */
static int compare_cells(const void *pa, const void *pb)
{
    const record_cell *a = pa, *b = pb;
    return ORDER_BY(a->cell, b->cell, a->number, b->number);
}

/* Returns the index of a cell's first item, or the index at which it would be inserted. */
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

/* ---- reading a chunk ---- */

static const cat_special *special_of(const local_record *r, size_t placement)
{
    const uint16_t special = r->features.placements[placement].special;
    return special == CAT_NONE ? NULL : &r->cat->specials[special];
}

/* Makes sorted lists of cells: of all placements (the OMTs of buildings and fixed specials, and
 * the pieces of mutable specials), of joins, and of predecessors, the oters that stood there
 * earlier. False when memory is out. */
static bool list_cells(local_record *r)
{
    const gen_features *f = &r->features;
    predecessor_cell *before = NULL;
    size_t count = 0;
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
    for (size_t i = 0; i < f->join_count; i++) {
        const gen_join *j = &f->joins[i];
        if (j->join != CAT_NONE && special_of(r, (size_t)j->placement))
            add_cell(&r->joins, cell_of(j->x, j->y, j->z), i);
    }
    const bool spread = predecessors_spread(&before, &count, f);
    for (size_t i = 0; spread && i < count; i++)
        add_cell(&r->before, before[i].cell, before[i].run);
    free(before);
    record_cells *const lists[] = {&r->places, &r->joins, &r->before};
    bool good = spread;
    for (size_t i = 0; i < 3; i++) {
        if (lists[i]->count > 1)
            qsort(lists[i]->items, lists[i]->count, sizeof(record_cell), compare_cells);
        good = good && !lists[i]->failed;
    }
    return good;
}

/* Reads the OMTs and features of a chunk into a record. The member `info` of the record must be
 * set. */
static ptl_status fill(local_record *r, const ptl_world *world, ptl_error *err)
{
    bool found = false;
    TRY(world_features_read(&r->features, &found, world, r->pos, r->cat, err));
    TRY(world_chunk_read(&r->chunk, world, r->pos, r->cat, NULL, err));
    return list_cells(r) ? PTL_OK : error_nomem(err);
}

ptl_status local_record_read(local_record **record, const ptl_world *world, ptl_omt at,
                             ptl_error *err)
{
    const ptl_chunk_pos pos = ptl_omt_chunk(at);
    chunk_info now = {.id = 0};
    bool saved = false;
    int64_t edits = 0;
    TRY(ops(world->store)->chunk->find(&now, &saved, world->store, world->row.id, pos, err));
    TRY(world_edits_last(&edits, world, err));
    const local_record *old = *record;
    const chunk_info *then = old ? &old->info : NULL;
    if (old && old->pos.x == pos.x && old->pos.y == pos.y && old->saved == saved &&
        old->edits == edits && then->id == now.id && then->content_id == now.content_id &&
        then->generator_version == now.generator_version && then->imported == now.imported &&
        strcmp(then->last_step, now.last_step) == 0 &&
        memcmp(&then->omts, &now.omts, sizeof now.omts) == 0 &&
        memcmp(&then->features, &now.features, sizeof now.features) == 0)
        return PTL_OK;
    local_record *r = calloc(1, sizeof *r);
    if (!r)
        return error_nomem(err);
    *r = (local_record){.holders = 1,
                        .cat = world->cat,
                        .saved = saved,
                        .pos = pos,
                        .info = now,
                        .edits = edits};
    const ptl_status status = saved ? fill(r, world, err) : PTL_OK;
    local_record_drop(status == PTL_OK ? *record : r);
    *record = status == PTL_OK ? r : *record;
    return status;
}

uint64_t local_record_key(const local_record *record)
{
    if (!record || !record->saved)
        return 0;
    const chunk_info *info = &record->info;
    return hash_add(
        hash_bytes(&info->omts, sizeof info->omts),
        hash_add(hash_bytes(&info->features, sizeof info->features), (uint64_t)record->edits));
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
    local_towns_dispose(&record->towns);
    features_dispose(&record->features);
    ptl_chunk_free(record->chunk);
    free(record->before.items);
    free(record->places.items);
    free(record->joins.items);
    free(record);
}

/* ---- what the record tells about OMTs ---- */

ptl_oter local_record_oter(const local_record *record, ptl_omt at)
{
    const int32_t cell = record && record->chunk ? cell_at(record, at) : -1;
    if (cell < 0)
        return CAT_NONE;
    return level_oter(&record->chunk->levels[cell / PTL_LEVEL_CELLS], cell % PTL_LEVEL_CELLS);
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

bool local_record_before(ptl_oter *out, const local_record *record, ptl_omt at, size_t number)
{
    const int32_t cell = record ? cell_at(record, at) : -1;
    const record_cells *list = record ? &record->before : NULL;
    if (cell < 0)
        return false;
    const size_t i = first_of(list, cell) + number;
    if (i >= list->count || list->items[i].cell != cell)
        return false;
    *out = record->features.predecessors[list->items[i].number].oter;
    return true;
}

bool local_record_placement(ptl_omt *out, uint64_t *key, const local_record *record, ptl_omt at)
{
    const int32_t cell = record ? cell_at(record, at) : -1;
    if (cell < 0)
        return false;
    /* Several placements may have covered the cell; it now shows the last of them. */
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

/* ---- towns ---- */

static void clear(local_towns *towns)
{
    towns->planned = 0;
    for (size_t i = 0; i < towns->count; i++)
        free(towns->list[i].name);
    towns->count = 0;
}

void local_towns_dispose(local_towns *towns)
{
    clear(towns);
    free(towns->list);
    *towns = (local_towns){.list = NULL};
}

static ptl_status add_town(local_towns *towns, ptl_chunk_pos chunk, int32_t x, int32_t y,
                           const char *name, ptl_error *err)
{
    if (!ARRAY_ROOM(towns->list, towns->room, towns->count + 1))
        return error_nomem(err);
    local_town *town = &towns->list[towns->count];
    *town = (local_town){.x = (int64_t)chunk.x * SIDE + x,
                         .y = (int64_t)chunk.y * SIDE + y,
                         .name = strdup(name)};
    if (!town->name)
        return error_nomem(err);
    towns->count++;
    return PTL_OK;
}

static ptl_status add_city(void *payload, const city_row *city, ptl_error *err)
{
    return city->name[0] ? add_town(payload, city->chunk, city->x, city->y, city->name, err)
                         : PTL_OK;
}

static ptl_chunk_pos around(const local_towns *towns, int nth)
{
    return (ptl_chunk_pos){towns->chunk.x + nth % 3 - 1, towns->chunk.y + nth / 3 - 1};
}

ptl_status local_record_read_towns(local_record *record, const ptl_world *world, ptl_error *err)
{
    const chunk_operations *chunks = ops(world->store)->chunk;
    local_towns *towns = &record->towns;
    if (record->has_towns)
        return PTL_OK;
    clear(towns);
    towns->chunk = record->pos;
    for (int i = 0; i < AROUND; i++) {
        const ptl_chunk_pos pos = around(towns, i);
        chunk_info info = {.imported = true};
        bool there = true;
        if (i != MIDDLE)
            TRY(chunks->find(&info, &there, world->store, world->row.id, pos, err));
        if (there && info.imported)
            TRY(chunks->city_visit(world->store, world->row.id, pos, pos, add_city, towns,
                                   err));
        else
            towns->planned |= 1U << i;
    }
    record->has_towns = true;
    return PTL_OK;
}

void local_record_forget_towns(local_record *record)
{
    record->has_towns = false;
}

/* The planned cities of a chunk. */
typedef struct planned_cities {
    city_site sites[CITY_SITES_MAX];
    city_names names;
} planned_cities;

/* Plans the towns of those chunks that have a bit in saved->planned, and puts them into *out.
 * Does nothing if *out has these chunks' towns already. config is a config made by
 * gen_config_for_towns. */
static ptl_status plan_towns(local_towns *out, const local_towns *saved,
                             const gen_config *config, ptl_error *err)
{
    if (out->planned == saved->planned && out->chunk.x == saved->chunk.x &&
        out->chunk.y == saved->chunk.y)
        return PTL_OK;
    planned_cities *p = malloc(sizeof *p);
    ptl_status status = p ? PTL_OK : error_nomem(err);
    clear(out);
    out->chunk = saved->chunk;
    for (int i = 0; i < AROUND && status == PTL_OK; i++) {
        const ptl_chunk_pos pos = around(out, i);
        size_t missing;
        if (!(saved->planned >> i & 1))
            continue;
        const size_t count = plan_cities(p->sites, config, pos, &missing);
        plan_city_names(&p->names, config, pos, count);
        for (size_t k = 0; k < count && status == PTL_OK; k++)
            if (p->names.list[k])
                status =
                    add_town(out, pos, p->sites[k].x, p->sites[k].y, p->names.list[k], err);
    }
    if (status == PTL_OK)
        out->planned = saved->planned;
    free(p);
    return status;
}

ptl_status local_record_town(const char **out, local_record *record, const ptl_world *world,
                             world_mapgen *m, ptl_omt at, ptl_error *err)
{
    const ptl_world_options options = world_row_options(&world->row);
    const local_towns *const lists[] = {&record->towns, &m->planned};
    int64_t least = INT64_MAX;
    *out = NULL;
    TRY(local_record_read_towns(record, world, err));
    if (!m->planner)
        TRY(gen_config_for_towns(&m->planner, world->cat, &options, err));
    TRY(plan_towns(&m->planned, &record->towns, m->planner, err));
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            const local_town *town = &lists[k]->list[i];
            const int64_t dx = town->x - at.x, dy = town->y - at.y;
            if (dx * dx + dy * dy >= least)
                continue;
            least = dx * dx + dy * dy;
            *out = town->name;
        }
    return PTL_OK;
}

/* ---- the digest over many maps ---- */

ptl_status world_local_area(const ptl_local_area *a, ptl_error *err)
{
    TRY(world_local_place((ptl_omt){a->x0, a->y0, a->z0}, err));
    TRY(world_local_place((ptl_omt){a->x1, a->y1, a->z1}, err));
    if (a->x1 < a->x0 || a->y1 < a->y0 || a->z1 < a->z0)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "an area of local maps that ends before it "
                         "begins");
    return PTL_OK;
}

typedef struct digesting {
    ptl_world *world;
    local_reader *reader; /* owned */
    digest_local digest;
} digesting;

static void add_digest(digesting *d, ptl_omt at, const local_read *read)
{
    const int64_t place[3] = {at.x, at.y, at.z};
    digest_local_map(&d->digest, read->map, read->pool, place, read->oter, read->fallback);
}

/* Adds the maps of an area to the digest. The store is asked for each map, and stops when this
 * is requested. */
static ptl_status add_area(digesting *d, const ptl_local_area *a, ptl_error *err)
{
    ptl_status status = PTL_OK;
    for (int64_t x = a->x0; x <= a->x1 && status == PTL_OK; x++)
        for (int64_t y = a->y0; y <= a->y1 && status == PTL_OK; y++)
            for (int32_t z = a->z0; z <= a->z1 && status == PTL_OK; z++) {
                const ptl_omt at = {x, y, z};
                local_read read;
                status = local_reader_get(&read, d->reader, at, err);
                if (status == PTL_OK)
                    add_digest(d, at, &read);
            }
    return status;
}

static ptl_status on_stored(void *payload, const map_info *info, ptl_error *err)
{
    digesting *d = payload;
    local_read read = {.map = NULL};
    const ptl_status status = local_reader_stored(&read, d->reader, info->at, err);
    if (status == PTL_OK && read.map)
        add_digest(d, info->at, &read);
    return status;
}

ptl_status ptl_local_digest_get(ptl_local_digest_result *out, ptl_world *world,
                                const ptl_local_area *area, ptl_error *err)
{
    const map_area all = {INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX, .after = 0};
    ptl_local_digest_result r = PTL_LOCAL_DIGEST_RESULT_INIT;
    digesting d = {.world = world};
    bool own = false;
    error_clear(err);
    ptl_status status = SIZED_CHECK(ptl_local_digest_result, out, err);
    if (status == PTL_OK && area)
        status = world_local_area(area, err);
    THEN(status, ops(world->store)->transaction->begin_snapshot(world->store, &own, err));
    if (status != PTL_OK)
        return status;
    digest_local_begin(&d.digest);
    d.reader = local_reader_new(world);
    if (!d.reader)
        status = error_nomem(err);
    else
        status = area ? add_area(&d, area, err)
                      : ops(world->store)
                            ->map->visit(world->store, world->row.id, &all, on_stored, &d, err);
    ops(world->store)->transaction->end_snapshot(world->store, own);
    r.maps = d.digest.maps;
    r.made = d.reader ? local_reader_made(d.reader) : 0;
    if (!digest_local_end(&d.digest, r.hex) && status == PTL_OK)
        status = error_nomem(err);
    local_reader_free(d.reader);
    if (status == PTL_OK)
        SIZED_FILL(ptl_local_digest_result, out, &r);
    return status;
}
