/*
 * Pieces and chunks at another `z`. Each draws from a stream of its own, so that what follows
 * on the map's own level is the same whether the level above is made as well or not.
 */
#include "mapgen/run/run_impl.h"

#include <stdlib.h>

/* The map of a level, counted from the request's own; NULL when memory is out. */
static local_map *map_of(run *r, int level)
{
    if (level == 0)
        return r->own;
    if (r->other && level == r->up)
        return r->other;
    if (!r->nowhere) {
        r->nowhere = malloc(sizeof *r->nowhere);
        if (r->nowhere)
            local_map_init(r->nowhere);
        r->own->failed = r->own->failed || !r->nowhere;
    }
    if (r->nowhere)
        r->nowhere->count = 0; /* nobody looks at what lies there */
    return r->nowhere;
}

void run_at_height(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p,
                   run_place place)
{
    run *r = f->run;
    const uint64_t key =
        hash_add(hash_add(r->request->key, hash_string("height")), r->heights++);
    rng random = rng_from_key(key);
    const int32_t up =
        p->z.low == p->z.high ? p->z.low : rng_range(&random, p->z.low, p->z.high);
    if (up > LOCAL_SIDE || up < -LOCAL_SIDE)
        return; /* no column has such a level */
    const int level = r->level + up;
    /* On a level that is not wanted only chunks matter: they may have pieces for one that is.
     */
    if (p->kind != MAPGEN_NESTED && level != r->up)
        return;
    local_map *map = map_of(r, level);
    if (!map)
        return;
    local_map *const outer_map = r->map;
    const int outer_level = r->level;
    const rng outer_random = r->random;
    r->map = map;
    r->level = level;
    r->random = random;
    if (p->kind == MAPGEN_SET)
        run_set(f, p);
    else
        run_repeated(f, unit, p, place);
    r->map = outer_map;
    r->level = outer_level;
    r->random = outer_random;
}
