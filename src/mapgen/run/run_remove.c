/* What is taken away again by what it is, and places with a name. */
#include "mapgen/run/run_impl.h"

/* Is it one of those that the piece names? Of people either the class or the id of their own
 * may be told. */
static bool is_told(const mapgen_unit *unit, const mapgen_piece *p, const local_entity *e)
{
    bool told = p->count == 0;
    for (uint32_t i = 0; i < p->count && !told; i++)
        told = unit->choices[p->first + i].value == e->id;
    return told && (p->text == ID_NONE || p->text == e->with);
}

static bool is_in(const local_entity *e, run_place place)
{
    return e->x >= place.x.low && e->x <= place.x.high && e->y >= place.y.low &&
           e->y <= place.y.high;
}

void run_remove_those(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p,
                      run_place place)
{
    const local_kind kind = p->kind == MAPGEN_REMOVE_NPCS ? LOCAL_NPC : LOCAL_VEHICLE;
    local_map *map = f->run->map;
    size_t kept = 0;
    if (!run_touch(f->run, map->count + p->count))
        return;
    for (size_t i = 0; i < map->count; i++) {
        const local_entity e = map->entities[i];
        if (e.kind != kind || !is_in(&e, place) || !is_told(unit, p, &e))
            map->entities[kept++] = e;
    }
    map->count = kept;
}

void run_variable(run *r, int x, int y, uint32_t name)
{
    local_entity e = {.kind = LOCAL_ZONE, .id = r->ids.variable, .text = name, .count = -1};
    e.x = e.x2 = (uint8_t)x;
    e.y = e.y2 = (uint8_t)y;
    local_map_add(r->map, &e);
}
