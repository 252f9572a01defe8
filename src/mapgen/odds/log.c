/* Sets of tiles, and the log of what was put where. */
#include "mapgen/odds/scene.h"

enum { SIDE = MAPGEN_SIDE, ROW = (1 << MAPGEN_SIDE) - 1 };

tile_set tiles_none(void)
{
    return (tile_set){{0}};
}

void tiles_put(tile_set *set, int x, int y)
{
    if (x >= 0 && y >= 0 && x < SIDE && y < SIDE)
        set->rows[y] |= 1u << x;
}

bool tiles_meet(const tile_set *a, const tile_set *b)
{
    uint32_t both = 0;
    for (int y = 0; y < SIDE; y++)
        both |= a->rows[y] & b->rows[y];
    return both != 0;
}

tile_set tiles_both(const tile_set *a, const tile_set *b)
{
    tile_set all;
    for (int y = 0; y < SIDE; y++)
        all.rows[y] = a->rows[y] | b->rows[y];
    return all;
}

tile_set tiles_spread(const tile_set *begin, mapgen_range x, mapgen_range y, bool *cut)
{
    tile_set out = tiles_none();
    const int32_t far = 2 * SIDE;
    const int32_t left = x.low < -far ? -far : x.low, right = x.high > far ? far : x.high;
    const int32_t top = y.low < -far ? -far : y.low, bottom = y.high > far ? far : y.high;
    for (int row = 0; row < SIDE; row++) {
        uint64_t wide = 0;
        for (int32_t i = left; begin->rows[row] && i <= right; i++)
            wide |= (uint64_t)begin->rows[row]
                    << (i + SIDE > 0 ? i + SIDE < 40 ? i + SIDE : 40 : 0);
        if (!begin->rows[row])
            continue;
        const uint64_t middle = wide >> SIDE & ROW;
        *cut = *cut || (wide & ~((uint64_t)ROW << SIDE)) != 0 || left < -SIDE || right > 16;
        for (int32_t i = top; i <= bottom; i++) {
            const bool on = row + i >= 0 && row + i < SIDE;
            *cut = *cut || !on;
            if (on)
                out.rows[row + i] |= (uint32_t)middle;
        }
    }
    return out;
}

void log_cut(scene *m, size_t count)
{
    for (size_t i = count; i < m->log_count; i++)
        set_free(&m->log[i].put);
    m->log_count = m->log_count < count ? m->log_count : count;
}

static scene_event *add(scene *m, const tile_set *tiles)
{
    m->o->failed = m->o->failed || !ARRAY_ROOM(m->log, m->log_room, m->log_count + 1);
    if (m->o->failed)
        return NULL;
    scene_event *e = &m->log[m->log_count++];
    *e = (scene_event){.tiles = *tiles, .name = ID_NONE};
    return e;
}

void log_put(scene *m, const tile_set *tiles, odds_set set)
{
    scene_event *e = set.count > 0 ? add(m, tiles) : NULL;
    if (e)
        e->put = set;
    else
        set_free(&set);
}

/* Notes that things of these kinds which the event `put` has put on the map may be removed
 * later. */
static void mark(scene *m, const scene_event *put, uint32_t kinds)
{
    for (size_t i = 0; i < put->put.count && odds_go(m->o, 1); i++) {
        const uint32_t slot = put->put.parts[i].slot;
        if (slot == SLOT_ANY || !(kinds >> m->o->things[slot].kind & 1))
            continue;
        if (!ARRAY_ROOM_ZEROED(m->gone, m->gone_reach, (size_t)slot + 1))
            m->o->failed = true;
        else
            m->gone[slot] = true;
    }
}

static void mark_from(scene *m, size_t from, const tile_set *tiles, uint32_t kinds)
{
    for (size_t i = from; i < m->log_count && odds_go(m->o, 1); i++)
        if (m->log[i].put.count > 0 && tiles_meet(&m->log[i].tiles, tiles))
            mark(m, &m->log[i], kinds);
}

void log_remove(scene *m, const tile_set *tiles, uint32_t kinds)
{
    scene_event *e = NULL;
    if (!tiles_meet(tiles, tiles)) /* the set of tiles is empty */
        return;
    mark_from(m, 0, tiles, kinds);
    e = add(m, tiles);
    if (e)
        e->removes = kinds;
}

void log_again(scene *m, size_t from)
{
    const size_t count = m->log_count;
    for (size_t i = from; i < count; i++)
        if (m->log[i].removes)
            mark_from(m, from, &m->log[i].tiles, m->log[i].removes);
}

void log_again_on(scene *m, size_t from, const tile_set *tiles, uint32_t kinds)
{
    mark_from(m, from, tiles, kinds);
}

void log_nest(scene *m, const tile_set *begin, uint32_t name)
{
    for (size_t i = 0; i < m->log_count; i++)
        if (m->log[i].name == name && m->log[i].depth == m->depth &&
            tiles_meet(&m->log[i].tiles, begin))
            m->o->doubts |= ODDS_PARAMETERS;
    scene_event *e = add(m, begin);
    if (e) {
        e->name = name;
        e->depth = m->depth;
    }
}
