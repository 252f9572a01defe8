/*
 * Local tides (portolan/local_tide.h): a game calls the sea to a tile for some turns. The
 * file keeps them as events, and they change no map: how much they raise the water follows
 * from them, the place and the turn.
 */
#include "world/local/local_surge.h"

#include "core/array.h"
#include "core/sized.h"
#include "world/local/local.h"

/* ---- what they raise ---- */

void local_surges_free(local_surges *surges)
{
    free(surges->list);
    surges->list = NULL;
    surges->count = surges->room = 0;
}

static ptl_status keep_surge(void *payload, const surge_row *row, ptl_error *err)
{
    local_surges *all = payload;
    if (!ARRAY_ROOM(all->list, all->room, all->count + 1))
        return error_nomem(err);
    all->list[all->count++] = *row;
    return PTL_OK;
}

ptl_status local_surges_read(local_surges *out, const ptl_world *world, coast_rect omts,
                             int64_t first_step, int64_t last_step, ptl_error *err)
{
    enum { BEYOND = COAST_SIDE + SURGE_REACH };
    *out = (local_surges){.turns = ptl_local_tide_turns(world)};
    const surge_area area = {.x0 = omts.x * COAST_SIDE - BEYOND,
                             .x1 = (omts.x + omts.width) * COAST_SIDE + BEYOND - 1,
                             .y0 = omts.y * COAST_SIDE - BEYOND,
                             .y1 = (omts.y + omts.height) * COAST_SIDE + BEYOND - 1,
                             .from = first_step * out->turns,
                             .to = last_step * out->turns + out->turns - 1};
    return store_surge_visit(world->store, world->row.id, &area, keep_surge, out, err);
}

/* Returns by how much the water is raised at the tile itself; 0 before and after the local
 * tide. */
static int32_t peak_at(const surge_row *s, int64_t step, int64_t turns)
{
    const int64_t first = s->begins / turns, last = (s->ends - 1) / turns;
    if (step < first || step > last)
        return 0;
    return step - first < SURGE_MOST / SURGE_RISE ? (int32_t)(step - first) * SURGE_RISE
                                                  : SURGE_MOST;
}

static int64_t distance(int64_t a, int64_t b)
{
    return a > b ? a - b : b - a;
}

/* Raises the water around one local tide. If several reach a tile, the highest counts. left
 * and top are the tile that raise begins with. False if no tile is raised. */
static bool raise_around(uint8_t *raise, const surge_row *s, int32_t peak, int64_t left,
                         int64_t top)
{
    bool any = false;
    for (int64_t y = s->y - SURGE_REACH; y <= s->y + SURGE_REACH; y++)
        for (int64_t x = s->x - SURGE_REACH; x <= s->x + SURGE_REACH; x++) {
            const int64_t u = x - left, v = y - top;
            const int64_t dx = distance(x, s->x), dy = distance(y, s->y);
            const int64_t by = peak - SURGE_FALL * (dx > dy ? dx : dy);
            if (by <= 0 || u < 0 || v < 0 || u >= COAST_AROUND || v >= COAST_AROUND)
                continue;
            uint8_t *at = &raise[v * COAST_AROUND + u];
            if (by > *at)
                *at = (uint8_t)by;
            any = true;
        }
    return any;
}

bool local_surges_raise(uint8_t raise[COAST_AROUND * COAST_AROUND], const local_surges *surges,
                        int64_t x, int64_t y, int64_t step)
{
    bool any = false;
    for (size_t i = 0; i < surges->count; i++) {
        const surge_row *s = &surges->list[i];
        const int32_t peak = peak_at(s, step, surges->turns);
        if (peak > 0 && !any)
            memset(raise, 0, COAST_AROUND * COAST_AROUND);
        if (peak > 0 &&
            raise_around(raise, s, peak, (x - 1) * COAST_SIDE, (y - 1) * COAST_SIDE))
            any = true;
    }
    return any;
}

/* ---- the calls ---- */

/* The stored local tide of one tile that begins at one turn. */
typedef struct sought {
    int64_t begins;
    surge_row found;
    bool any;
} sought;

static ptl_status compare(void *payload, const surge_row *row, ptl_error *err)
{
    sought *k = payload;
    (void)err;
    if (row->begins == k->begins) {
        k->found = *row;
        k->any = true;
    }
    return PTL_OK;
}

static ptl_status find(sought *out, const ptl_world *world, const surge_row *key,
                       ptl_error *err)
{
    const surge_area area = {key->x, key->x, key->y, key->y, key->begins, key->begins};
    *out = (sought){.begins = key->begins};
    return store_surge_visit(world->store, world->row.id, &area, compare, out, err);
}

static ptl_status add(ptl_world *world, const surge_row *s, ptl_error *err)
{
    sought there;
    TRY(find(&there, world, s, err));
    if (there.any)
        return error_set(err, PTL_ERR_EXISTS,
                         "the local tide at tile %lld,%lld from turn %lld on is there",
                         (long long)s->x, (long long)s->y, (long long)s->begins);
    return store_surge_insert(world->store, world->row.id, s, err);
}

static ptl_status end(ptl_world *world, const surge_row *s, ptl_error *err)
{
    sought there;
    TRY(find(&there, world, s, err));
    if (!there.any)
        return error_set(err, PTL_ERR_NOT_FOUND,
                         "world '%s' has no local tide at tile %lld,%lld from turn %lld on",
                         world->row.name, (long long)s->x, (long long)s->y,
                         (long long)s->begins);
    TRY(store_surge_remove(world->store, world->row.id, s, err));
    return s->ends > s->begins ? store_surge_insert(world->store, world->row.id, s, err)
                               : PTL_OK;
}

/* Runs the work in a transaction. */
static ptl_status
change(ptl_world *world, const surge_row *s,
       ptl_status (*work)(ptl_world *world, const surge_row *s, ptl_error *err), ptl_error *err)
{
    TRY(store_begin(world->store, err));
    return world_end_writing(world->store, work(world, s, err), err);
}

ptl_status ptl_local_surge_add(ptl_world *world, const ptl_local_surge *surge, ptl_error *err)
{
    ptl_local_surge taken = PTL_LOCAL_SURGE_INIT;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_local_surge, &taken, surge, err));
    const surge_row s = {taken.x, taken.y, taken.begins, taken.ends};
    int32_t cell, tide;
    TRY(world_local_place(world_local_tile(&cell, s.x, s.y), err));
    if (s.begins < 0 || s.ends <= s.begins)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "a local tide from turn %lld to before %lld: it begins at turn 0 or "
                         "later, and ends after that",
                         (long long)s.begins, (long long)s.ends);
    TRY(ptl_local_tide(&tide, world, s.begins, err));
    return change(world, &s, add, err);
}

ptl_status ptl_local_surge_end(ptl_world *world, const ptl_local_surge *surge, ptl_error *err)
{
    ptl_local_surge taken = PTL_LOCAL_SURGE_INIT;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_local_surge, &taken, surge, err));
    const surge_row s = {taken.x, taken.y, taken.begins, taken.ends};
    return change(world, &s, end, err);
}
