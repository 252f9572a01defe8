/* Lists over many chunks: events (what steps of generation could not do), which local maps are
 * stored, and overviews of worlds. */
#include "codec/overview.h"
#include "core/array.h"
#include "portolan/lists.h"
#include "portolan/local_area.h"
#include "world/edits.h"
#include "world/lists/listing.h"

#include <stdlib.h>

typedef struct event_reading {
    ptl_store *store;
    const char *world;
    chunk_filter which;
    ptl_chunk_pos pos; /* the chunk that is being read */
    int32_t number;
    listing list;
} event_reading;

static ptl_status keep_event(void *payload, const event_row *row, ptl_error *err)
{
    event_reading *r = payload;
    ptl_event_place e = {.size = sizeof e,
                         .step = row->step,
                         .kind = row->kind,
                         .detail = row->detail,
                         .chunk = r->pos,
                         .number = r->number++,
                         .has_place = row->x >= 0};
    if (e.has_place) {
        e.x = (int64_t)r->pos.x * PTL_CHUNK_SIZE + row->x;
        e.y = (int64_t)r->pos.y * PTL_CHUNK_SIZE + row->y;
        e.z = row->z;
    }
    return listing_put(&r->list, &e, (const char **const[]){&e.step, &e.kind, &e.detail, NULL},
                       err);
}

static ptl_status read_chunk(void *payload, const stored_chunk *chunk, ptl_error *err)
{
    event_reading *r = payload;
    r->pos = chunk->info.pos;
    r->number = 0;
    return ops(chunk->store)->chunk->stored_event_visit(chunk, keep_event, r, err);
}

static ptl_status read_events(void *payload, ptl_error *err)
{
    event_reading *r = payload;
    ptl_chunk_pos *list = NULL;
    size_t count = 0;
    world_row world;
    TRY(ops(r->store)->world->find(&world, r->store, r->world, err));
    ptl_status status =
        ops(r->store)->chunk->list(&list, &count, r->store, world.id, &r->which, err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        ptl_chunk_pos before = {list[i].x, list[i].y - 1};
        status =
            ops(r->store)->chunk->visit_next(&before, r->store, world.id, read_chunk, r, err);
    }
    free(list);
    world_row_dispose(&world);
    return status;
}

static int by_chunk(const void *pa, const void *pb)
{
    const ptl_event_place *a = pa, *b = pb;
    int order = (a->chunk.y > b->chunk.y) - (a->chunk.y < b->chunk.y);
    order = order ? order : (a->chunk.x > b->chunk.x) - (a->chunk.x < b->chunk.x);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

ptl_status ptl_event_list(ptl_store *store, const char *world, const ptl_chunk_pos within[2],
                          bool (*on_event)(void *payload, const ptl_event_place *event),
                          void *payload, ptl_error *err)
{
    const int32_t far = PTL_CHUNK_COORD_MAX;
    event_reading r = {.list = LISTING(ptl_event_place, read_events, by_chunk),
                       .store = store,
                       .world = world,
                       .which = {.x0 = within ? within[0].x : -far,
                                 .x1 = within ? within[1].x : far,
                                 .y0 = within ? within[0].y : -far,
                                 .y1 = within ? within[1].y : far}};
    LISTING_RETURN(&r.list, ptl_event_place, store, &r, on_event, payload, err);
}

/* ---- local maps ---- */

typedef struct map_reading {
    ptl_world *world;
    /* The maps of this area are listed; NULL: the maps of all places. */
    const ptl_local_area *area;
    listing list; /* the places of stored maps, as ptl_omt structs */
} map_reading;

static ptl_status keep_map(void *payload, const map_info *map, ptl_error *err)
{
    map_reading *r = payload;
    const ptl_local_area *a = r->area;
    if (a && (map->at.z < a->z0 || map->at.z > a->z1))
        return PTL_OK;
    return listing_add(&r->list, &map->at, err);
}

static ptl_status read_maps(void *payload, ptl_error *err)
{
    map_reading *r = payload;
    const ptl_local_area *a = r->area;
    const map_area which = {.x0 = a ? a->x0 : INT64_MIN,
                            .x1 = a ? a->x1 : INT64_MAX,
                            .y0 = a ? a->y0 : INT64_MIN,
                            .y1 = a ? a->y1 : INT64_MAX};
    return ops(r->world->store)
        ->map->visit(r->world->store, r->world->row.id, &which, keep_map, r, err);
}

ptl_status ptl_local_list(ptl_world *world, const ptl_local_area *area,
                          bool (*on_map)(void *payload, const ptl_omt *at), void *payload,
                          ptl_error *err)
{
    map_reading r = {.list = LISTING(ptl_omt, read_maps, NULL), .world = world, .area = area};
    LISTING_RETURN(&r.list, ptl_omt, world->store, &r, on_map, payload, err);
}

/* ---- overviews of worlds ---- */

typedef struct seen {
    ptl_chunk_pos pos;
    bool known;
    bool edited; /* its ground has edits, which the stored overview lacks */
    ptl_oter cells[PTL_OVERVIEW_CELLS];
} seen;

typedef struct overview_reading {
    ptl_world *world;
    listing list; /* the overviews (small pictures) of chunks that were read; its items are of
                     type `seen` */
    ptl_chunk_pos *edited; /* owned; chunks whose ground has edits, in the order of x, y */
    size_t edited_count;
} overview_reading;

/* Orders places, and items of type `seen`, which begin with their place. */
static int by_place(const void *pa, const void *pb)
{
    const ptl_chunk_pos *a = pa, *b = pb;
    return ORDER_BY(a->x, b->x, a->y, b->y);
}

static ptl_status keep_overview(void *payload, ptl_chunk_pos pos,
                                const ptl_oter cells[PTL_OVERVIEW_CELLS], ptl_error *err)
{
    overview_reading *r = payload;
    seen s = {.pos = pos, .known = cells != NULL};
    s.edited = r->edited_count > 0 &&
               bsearch(&pos, r->edited, r->edited_count, sizeof pos, by_place) != NULL;
    if (cells)
        memcpy(s.cells, cells, sizeof s.cells);
    return listing_add(&r->list, &s, err);
}

/* What is needed to make an overview anew. */
typedef struct overview_maker {
    ptl_oter level[PTL_LEVEL_CELLS];
    uint16_t scratch[PTL_LEVEL_CELLS];
    level_runs *runs; /* owned */
} overview_maker;

/* Makes the overview of a chunk of the world as it is shown. */
static ptl_status make_overview(seen *s, overview_maker *m, const ptl_world *w, ptl_error *err)
{
    overview o;
    bool found;
    TRY(world_level_read(m->level, &found, w, s->pos, 0, err));
    if (!found)
        return PTL_OK;
    level_runs_scan(m->runs, m->level);
    overview_of(&o, m->runs, m->scratch);
    for (int i = 0; i < PTL_OVERVIEW_CELLS; i++)
        s->cells[i] = (ptl_oter)o.cells[i];
    return PTL_OK;
}

static ptl_status make_edited(overview_reading *r, ptl_error *err)
{
    overview_maker *m = calloc(1, sizeof *m);
    ptl_status status = PTL_OK;
    if (m)
        m->runs = level_runs_new();
    if (!m || !m->runs)
        status = error_nomem(err);
    for (size_t i = 0; i < r->list.count && status == PTL_OK; i++) {
        seen *s = listing_at(&r->list, i);
        if (s->known && s->edited)
            status = make_overview(s, m, r->world, err);
    }
    if (m)
        level_runs_free(m->runs);
    free(m);
    return status;
}

static ptl_status read_overviews(void *payload, ptl_error *err)
{
    overview_reading *r = payload;
    const ptl_world *w = r->world;
    edit_area ground = EDIT_AREA_ALL;
    ground.levels = 1 << -PTL_Z_MIN;
    if (!w->base)
        TRY(world_edited_chunks(&r->edited, &r->edited_count, w, &ground, err));
    TRY(ops(w->store)->chunk->overview_visit(w->store, w->row.id, w->cat, keep_overview, r,
                                             err));
    return r->edited_count > 0 ? make_edited(r, err) : PTL_OK;
}

ptl_status ptl_overview_list(ptl_world *world,
                             bool (*on_overview)(void *payload, ptl_chunk_pos pos,
                                                 const ptl_oter cells[PTL_OVERVIEW_CELLS]),
                             void *payload, ptl_error *err)
{
    overview_reading r = {.list = LISTING(seen, read_overviews, by_place), .world = world};
    ptl_status status = listing_fill(&r.list, world->store, &r, err);
    for (size_t i = 0; i < r.list.count && status == PTL_OK; i++) {
        const seen *s = listing_at(&r.list, i);
        if (!on_overview(payload, s->pos, s->known ? s->cells : NULL))
            status = error_set(err, PTL_ERR_CANCELLED, "stopped by the caller");
    }
    listing_end(&r.list);
    free(r.edited);
    return status;
}
