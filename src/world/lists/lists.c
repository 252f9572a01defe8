/* Lists and counts what a file's worlds contain, and what repair has set aside. No world is
 * opened for this. */
#include "portolan/lists.h"
#include "core/array.h"
#include "core/sized.h"
#include "world/lists/listing.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>

/* What is asked for while a list is read from the store. Each kind of list uses only some of
 * the members. */
typedef struct reading {
    ptl_store *store;
    const char *world, *special;
    ptl_chunk_pos first, last;
    uint64_t most;
    bool sweeps; /* true: sweeps are listed; false: worlds */
    bool (*on_city)(void *payload, const ptl_city_place *city);
    bool (*on_special)(void *payload, const ptl_special_place *special);
    void *payload;
    listing list;
} reading;

static ptl_status find_id(int64_t *id, ptl_store *store, const char *name, ptl_error *err)
{
    world_row row;
    TRY(ops(store)->world->find(&row, store, name, err));
    *id = row.id;
    world_row_dispose(&row);
    return PTL_OK;
}

/* ---- worlds and sweeps ---- */

/* A world or a sweep: both have the same kinds of settings. */
typedef struct listed_world {
    /* Must be the first member. Callers that list worlds get a pointer to the item, and read
     * only this part of it. */
    ptl_world_info info;
    ptl_world_options options;
    int64_t content_id;
} listed_world;

static ptl_status keep_settings(listing *l, const char *name, const world_row *row,
                                ptl_error *err)
{
    listed_world w = {.info = {.size = sizeof w.info,
                               .name = name,
                               .generator_version = row->generator_version},
                      .options = world_row_options(row),
                      .content_id = row->content_id};
    return listing_put(l, &w, (const char **const[]){&w.info.name, &w.options.region, NULL},
                       err);
}

static ptl_status keep_world(void *payload, const world_row *row, ptl_error *err)
{
    return keep_settings(payload, row->name, row, err);
}

static ptl_status keep_sweep(void *payload, const sweep_row *row, ptl_error *err)
{
    return keep_settings(payload, row->name, &row->settings, err);
}

static ptl_status read_worlds(void *payload, ptl_error *err)
{
    reading *r = payload;
    int64_t current = 0;
    ptl_status status = r->sweeps
                            ? ops(r->store)->sweep->visit(r->store, keep_sweep, &r->list, err)
                            : ops(r->store)->world->visit(r->store, keep_world, &r->list, err);
    THEN(status, ops(r->store)->content->current(&current, r->store, err));
    for (size_t i = 0; i < r->list.count && status == PTL_OK; i++) {
        listed_world *w = listing_at(&r->list, i);
        char hex[65];
        status = ops(r->store)->content->digest(hex, r->store, w->content_id, err);
        w->info.options = &w->options;
        w->info.content = hex;
        w->info.is_current = w->content_id == current;
        THEN(status, listing_keep(&r->list, &w->info.content, err));
    }
    return status;
}

ptl_status ptl_world_list(ptl_store *store,
                          bool (*on_world)(void *payload, const ptl_world_info *world),
                          void *payload, ptl_error *err)
{
    reading r = {.list = LISTING(listed_world, read_worlds, NULL), .store = store};
    LISTING_RETURN(&r.list, ptl_world_info, store, &r, on_world, payload, err);
}

ptl_status ptl_sweep_list(ptl_store *store,
                          bool (*on_sweep)(void *payload, const ptl_sweep_info *sweep),
                          void *payload, ptl_error *err)
{
    reading r = {
        .list = LISTING(listed_world, read_worlds, NULL), .store = store, .sweeps = true};
    ptl_status status = listing_fill(&r.list, store, &r, err);
    for (size_t i = 0; i < r.list.count && status == PTL_OK; i++) {
        const ptl_world_info *w = listing_at(&r.list, i);
        const ptl_sweep_info info = {.size = sizeof info,
                                     .name = w->name,
                                     .options = w->options,
                                     .generator_version = w->generator_version,
                                     .content = w->content,
                                     .is_current = w->is_current};
        if (!on_sweep(payload, &info))
            status = error_set(err, PTL_ERR_CANCELLED, "stopped by the caller");
    }
    listing_end(&r.list);
    return status;
}

ptl_status ptl_sweep_counts_load(ptl_sweep_counts *out, ptl_store *store, const char *name,
                                 ptl_error *err)
{
    sweep_row row;
    sweep_totals t;
    error_clear(err);
    TRY(SIZED_CHECK(ptl_sweep_counts, out, err));
    TRY(ops(store)->sweep->find(&row, store, name, err));
    const ptl_status status = ops(store)->sweep->chunk_total(&t, store, row.id, err);
    sweep_row_dispose(&row);
    const ptl_sweep_counts counts = {sizeof counts, t.overmaps, t.seeds, t.first, t.last};
    if (status == PTL_OK)
        SIZED_FILL(ptl_sweep_counts, out, &counts);
    return status;
}

ptl_status ptl_world_counts_load(ptl_world_counts *out, ptl_store *store, const char *name,
                                 ptl_error *err)
{
    ptl_world_counts counts = PTL_WORLD_COUNTS_INIT;
    chunk_totals t = {.chunks = 0};
    int64_t id = 0, content = 0;
    error_clear(err);
    TRY(SIZED_CHECK(ptl_world_counts, out, err));
    TRY(find_id(&id, store, name, err));
    TRY(ops(store)->content->current(&content, store, err));
    TRY(ops(store)->chunk->total(&t, store, id, content, PTL_GENERATOR_VERSION, err));
    TRY(ops(store)->chunk->edge_count(&counts.edges, store, id, err));
    counts.chunks = t.chunks;
    counts.unfinished = t.unfinished;
    counts.imported = t.imported;
    counts.stale = t.stale;
    counts.foreign = t.foreign;
    counts.west = t.west;
    counts.north = t.north;
    counts.east = t.east;
    counts.south = t.south;
    SIZED_FILL(ptl_world_counts, out, &counts);
    return PTL_OK;
}

/* ---- chunks ---- */

static int compare_places(ptl_chunk_pos a, ptl_chunk_pos b)
{
    return ORDER_BY(a.y, b.y, a.x, b.x);
}

static int by_place(const void *a, const void *b)
{
    return compare_places(*(const ptl_chunk_pos *)a, *(const ptl_chunk_pos *)b);
}

ptl_status ptl_chunk_list(ptl_store *store, const char *world,
                          const ptl_chunk_list_options *options,
                          bool (*on_chunk)(void *payload, ptl_chunk_pos pos), void *payload,
                          ptl_error *err)
{
    ptl_chunk_list_options c = PTL_CHUNK_LIST_OPTIONS_INIT;
    ptl_chunk_pos *list = NULL;
    size_t count = 0;
    error_clear(err);
    ptl_status status = SIZED_TAKE(ptl_chunk_list_options, &c, options, err);
    if (status == PTL_OK) {
        chunk_filter which = {.x0 = c.x0,
                              .x1 = c.x1,
                              .y0 = c.y0,
                              .y1 = c.y1,
                              .stale = c.stale != 0,
                              .generated = c.stale != 0,
                              .generator_version = PTL_GENERATOR_VERSION};
        int64_t id;
        TRY(find_id(&id, store, world, err));
        TRY(ops(store)->content->current(&which.content_id, store, err));
        status = ops(store)->chunk->list(&list, &count, store, id, &which, err);
    }
    if (count > 1)
        qsort(list, count, sizeof *list, by_place);
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        if (!on_chunk(payload, list[i]))
            status = error_set(err, PTL_ERR_CANCELLED, "stopped by the caller");
    free(list);
    return status;
}

ptl_status ptl_chunk_info_load(ptl_chunk_info *out, ptl_store *store, const char *world,
                               ptl_chunk_pos pos, ptl_error *err)
{
    ptl_chunk_info info = PTL_CHUNK_INFO_INIT;
    chunk_info row = {.id = 0};
    bool found = false;
    int64_t id = 0;
    error_clear(err);
    TRY(SIZED_CHECK(ptl_chunk_info, out, err));
    TRY(find_id(&id, store, world, err));
    TRY(ops(store)->chunk->find(&row, &found, store, id, pos, err));
    if (!found)
        return error_set(err, PTL_ERR_NOT_FOUND, "chunk %d,%d of world '%s' is not saved",
                         pos.x, pos.y, world);
    TRY(ops(store)->content->digest(info.content, store, row.content_id, err));
    snprintf(info.last_step, sizeof info.last_step, "%s", row.last_step);
    info.imported = row.imported;
    info.generator_version = row.generator_version;
    SIZED_FILL(ptl_chunk_info, out, &info);
    return PTL_OK;
}

/* ---- cities and specials ---- */

static int64_t absolute(int32_t chunk, int32_t local)
{
    return (int64_t)chunk * PTL_CHUNK_SIZE + local;
}

static ptl_city_place city_place(const city_row *row)
{
    return (ptl_city_place){.size = sizeof(ptl_city_place),
                            .name = row->name,
                            .chunk = row->chunk,
                            .number = row->number,
                            .x = absolute(row->chunk.x, row->x),
                            .y = absolute(row->chunk.y, row->y),
                            .radius = row->size};
}

static ptl_status keep_city(void *payload, const city_row *row, ptl_error *err)
{
    listing *l = payload;
    ptl_city_place c = city_place(row);
    return listing_put(l, &c, (const char **const[]){&c.name, NULL}, err);
}

static ptl_status visit_cities(reading *r, city_visit *visit, void *payload, ptl_error *err)
{
    int64_t id;
    TRY(find_id(&id, r->store, r->world, err));
    return ops(r->store)->chunk->city_visit(r->store, id, r->first, r->last, visit, payload,
                                            err);
}

static ptl_status read_cities(void *payload, ptl_error *err)
{
    reading *r = payload;
    return visit_cities(r, keep_city, &r->list, err);
}

static ptl_special_place special_place(const place_row *row)
{
    return (ptl_special_place){.size = sizeof(ptl_special_place),
                               .id = row->special,
                               .chunk = row->chunk,
                               .number = row->number,
                               .x = absolute(row->chunk.x, row->x),
                               .y = absolute(row->chunk.y, row->y),
                               .z = row->z};
}

static ptl_status keep_special(void *payload, const place_row *row, ptl_error *err)
{
    listing *l = payload;
    ptl_special_place s = special_place(row);
    return listing_put(l, &s, (const char **const[]){&s.id, NULL}, err);
}

static ptl_status read_specials(void *payload, ptl_error *err)
{
    reading *r = payload;
    int64_t id;
    TRY(find_id(&id, r->store, r->world, err));
    return ops(r->store)->chunk->place_visit(r->store, id, r->special, keep_special, &r->list,
                                             err);
}

static int by_city(const void *pa, const void *pb)
{
    const ptl_city_place *a = pa, *b = pb;
    const int order = compare_places(a->chunk, b->chunk);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

static int by_special(const void *pa, const void *pb)
{
    const ptl_special_place *a = pa, *b = pb;
    const int order = compare_places(a->chunk, b->chunk);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

ptl_status ptl_special_list(ptl_store *store, const char *world, const char *id,
                            bool (*on_special)(void *payload, const ptl_special_place *special),
                            void *payload, ptl_error *err)
{
    reading r = {.list = LISTING(ptl_special_place, read_specials, by_special),
                 .store = store,
                 .world = world,
                 .special = id};
    LISTING_RETURN(&r.list, ptl_special_place, store, &r, on_special, payload, err);
}

static ptl_status stopped(ptl_error *err)
{
    return error_set(err, PTL_ERR_CANCELLED, "stopped by the caller");
}

static ptl_status give_special(void *payload, const place_row *row, ptl_error *err)
{
    const reading *r = payload;
    const ptl_special_place s = special_place(row);
    return r->on_special(r->payload, &s) ? PTL_OK : stopped(err);
}

static ptl_status read_each(void *payload, ptl_error *err)
{
    reading *r = payload;
    int64_t id;
    TRY(find_id(&id, r->store, r->world, err));
    return ops(r->store)->chunk->place_visit(r->store, id, NULL, give_special, r, err);
}

ptl_status ptl_special_each(ptl_store *store, const char *world,
                            bool (*on_special)(void *payload, const ptl_special_place *special),
                            void *payload, ptl_error *err)
{
    reading r = {.store = store, .world = world, .on_special = on_special, .payload = payload};
    error_clear(err);
    return listing_snapshot(store, read_each, &r, err);
}

/* Returns a reading of the cities in the chunks from within[0] to within[1]; NULL: in all. */
static reading cities_within(ptl_store *store, const char *world, const ptl_chunk_pos within[2])
{
    const int32_t far = PTL_CHUNK_COORD_MAX;
    return (reading){.list = LISTING(ptl_city_place, read_cities, by_city),
                     .store = store,
                     .world = world,
                     .first = within ? within[0] : (ptl_chunk_pos){-far, -far},
                     .last = within ? within[1] : (ptl_chunk_pos){far, far}};
}

ptl_status ptl_city_list(ptl_store *store, const char *world, const ptl_chunk_pos within[2],
                         bool (*on_city)(void *payload, const ptl_city_place *city),
                         void *payload, ptl_error *err)
{
    reading r = cities_within(store, world, within);
    LISTING_RETURN(&r.list, ptl_city_place, store, &r, on_city, payload, err);
}

static ptl_status give_city(void *payload, const city_row *row, ptl_error *err)
{
    const reading *r = payload;
    const ptl_city_place c = city_place(row);
    return r->on_city(r->payload, &c) ? PTL_OK : stopped(err);
}

static ptl_status read_each_city(void *payload, ptl_error *err)
{
    return visit_cities(payload, give_city, payload, err);
}

ptl_status ptl_city_each(ptl_store *store, const char *world, const ptl_chunk_pos within[2],
                         bool (*on_city)(void *payload, const ptl_city_place *city),
                         void *payload, ptl_error *err)
{
    reading r = cities_within(store, world, within);
    r.on_city = on_city;
    r.payload = payload;
    error_clear(err);
    return listing_snapshot(store, read_each_city, &r, err);
}

/* ---- runs ---- */

typedef struct listed_run {
    ptl_run_info info; /* must be the first member: callers get only this part of the item */
    int64_t world_id;
} listed_run;

static ptl_status keep_run(void *payload, const run_row *row, ptl_error *err)
{
    listing *l = payload;
    listed_run r = {.info = {.size = sizeof r.info,
                             .number = row->id,
                             .world = "",
                             .command = row->command,
                             .started = row->started,
                             .outcome = row->outcome,
                             .chunks = row->chunks,
                             .seconds = row->seconds},
                    .world_id = row->world_id};
    return listing_put(
        l, &r, (const char **const[]){&r.info.command, &r.info.started, &r.info.outcome, NULL},
        err);
}

static ptl_status name_runs(void *payload, const world_row *row, ptl_error *err)
{
    listing *l = payload;
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < l->count && status == PTL_OK; i++) {
        listed_run *r = listing_at(l, i);
        if (r->world_id != row->id)
            continue;
        r->info.world = row->name;
        status = listing_keep(l, &r->info.world, err);
    }
    return status;
}

static ptl_status read_runs(void *payload, ptl_error *err)
{
    reading *r = payload;
    int64_t id = 0;
    TRY(r->world ? find_id(&id, r->store, r->world, err) : PTL_OK);
    TRY(ops(r->store)->run->visit(r->store, id, r->most, keep_run, &r->list, err));
    return ops(r->store)->world->visit(r->store, name_runs, &r->list, err);
}

ptl_status ptl_run_list(ptl_store *store, const char *world, uint64_t most,
                        bool (*on_run)(void *payload, const ptl_run_info *run), void *payload,
                        ptl_error *err)
{
    reading r = {.list = LISTING(listed_run, read_runs, NULL),
                 .store = store,
                 .world = world,
                 .most = most};
    LISTING_RETURN(&r.list, ptl_run_info, store, &r, on_run, payload, err);
}

/* ---- what repair has set aside ---- */

static ptl_status keep_aside(void *payload, const ptl_set_aside *row, ptl_error *err)
{
    listing *l = payload;
    ptl_set_aside a = *row;
    const char **const texts[] = {&a.found, &a.table, &a.key, &a.world, &a.reason, NULL};
    return listing_put(l, &a, texts, err);
}

static ptl_status read_aside(void *payload, ptl_error *err)
{
    reading *r = payload;
    return store_aside_visit(r->store, keep_aside, &r->list, err);
}

ptl_status ptl_set_aside_list(ptl_store *store,
                              bool (*on_row)(void *payload, const ptl_set_aside *row),
                              void *payload, ptl_error *err)
{
    reading r = {.list = LISTING(ptl_set_aside, read_aside, NULL), .store = store};
    LISTING_RETURN(&r.list, ptl_set_aside, store, &r, on_row, payload, err);
}
