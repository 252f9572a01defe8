/* What ground has put on a map by groups: each is drawn where it lies. */
#include "mapgen/run/run_impl.h"

#include <stdlib.h>
#include <string.h>

void run_ground_things(run *r, size_t first)
{
    local_map *map = r->map;
    const size_t count = map->count - first;
    const mapgen_told nothing = MAPGEN_TOLD_NOTHING;
    local_entity *made = count && r->request->groups ? malloc(count * sizeof *made) : NULL;
    if (!made) {
        map->failed = map->failed || (count && r->request->groups);
        return;
    }
    memcpy(made, map->entities + first, count * sizeof *made);
    map->count = first;
    for (size_t i = 0; i < count; i++) {
        if (made[i].kind == LOCAL_ITEM_GROUP)
            run_group(r, made[i].x, made[i].y, made[i].id, &nothing);
        else if (made[i].kind == LOCAL_MONSTER_GROUP) {
            /* As many as cost `charges` together, or as the OMT's density says, or the group's
             * own. */
            const local_entity *e = &made[i];
            const run_place place = {{e->x, e->x2}, {e->y, e->y2}};
            if (e->charges > 0)
                run_population(r, place, e->id, e->charges);
            else
                run_monsters(r, place, e->id,
                             e->count < 0 ? r->request->density : (uint32_t)e->count);
        } else
            local_map_add(map, &made[i]);
    }
    free(made);
}
