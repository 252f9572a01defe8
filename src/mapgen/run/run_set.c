/* Carries out operations of `set` on points, lines and squares. */
#include "mapgen/run/run_impl.h"
#include "model/line.h"

/* Bashes a tile: its furniture breaks, or else its terrain. Terrain that leaves nothing
 * becomes dirt. */
static void bash_tile(run *r, size_t cell)
{
    local_map *map = r->map;
    const mapgen_tile tile = mapgen_terrain_tile(r->request->tiles, map->terrain[cell]);
    if (map->furniture[cell] != ID_NONE) {
        map->furniture[cell] =
            mapgen_furniture_tile(r->request->tiles, map->furniture[cell]).bashed;
        if (map->furniture[cell] == r->ids.null_furniture)
            map->furniture[cell] = ID_NONE;
    } else if (tile.flags & MAPGEN_TILE_BASHED) {
        const bool nothing = tile.bashed == ID_NONE || tile.bashed == r->ids.null_terrain;
        map->terrain[cell] = nothing ? r->ids.dirt : tile.bashed;
    }
}

/* Writes what an operation says on one tile. Radiation is drawn for each tile. */
static void set_tile(run_frame *f, const mapgen_piece *p, int x, int y)
{
    run *r = f->run;
    if (!run_inside(x, y) || run_spares(f, x, y))
        return;
    const size_t cell = (size_t)(y * LOCAL_SIDE + x);
    const uint32_t id = run_value(f, &f->entry->unit, p->what);
    switch (p->subject) {
    case MAPGEN_SET_TERRAIN:
        run_set_terrain(r, x, y, id);
        break;
    case MAPGEN_SET_FURNITURE:
        run_set_furniture(r, x, y, id);
        break;
    case MAPGEN_SET_TRAP:
        r->map->trap[cell] = id == r->ids.null_trap ? ID_NONE : id;
        break;
    case MAPGEN_SET_TRAP_REMOVE:
        r->map->trap[cell] = ID_NONE;
        break;
    case MAPGEN_SET_RADIATION:
        /* The import keeps it within 0 to 100. */
        r->map->radiation[cell] = (uint8_t)run_range(r, p->amount);
        break;
    case MAPGEN_SET_BASH:
        bash_tile(r, cell);
        break;
    case MAPGEN_SET_ITEM_REMOVE:
        run_remove(r, x, y, RUN_ITEMS);
        break;
    case MAPGEN_SET_FIELD_REMOVE:
        run_remove(r, x, y, 1 << LOCAL_FIELD);
        break;
    case MAPGEN_SET_CREATURE_REMOVE:
        run_remove(r, x, y, 1 << LOCAL_MONSTER | 1 << LOCAL_NPC);
        break;
    case MAPGEN_SET_VARIABLE:
        run_variable(r, x, y, id);
        break;
    default:
        break;
    }
}

static void set_line(run_frame *f, const mapgen_piece *p, int x, int y, int x2, int y2)
{
    for (line l = line_begin(x, y, x2, y2); run_touch(f->run, 1) && line_next(&l);)
        set_tile(f, p, l.x, l.y);
}

static void set_square(run_frame *f, const mapgen_piece *p, int x, int y, int x2, int y2)
{
    enum { LAST = LOCAL_SIDE - 1 };
    const int west = x < x2 ? x : x2, east = x < x2 ? x2 : x;
    const int north = y < y2 ? y : y2, south = y < y2 ? y2 : y;
    const size_t width = east < west || east < 0 || west > LAST ? 0 : LOCAL_SIDE;
    for (int v = north < 0 ? 0 : north; v <= south && v <= LAST && run_touch(f->run, width + 1);
         v++)
        for (int u = west; u <= east; u++)
            set_tile(f, p, u, v);
}

void run_set(run_frame *f, const mapgen_piece *p)
{
    run *r = f->run;
    /* The first end of the operation must lie in the part of the drawing that the frame
     * draws. */
    if (p->x.low < f->from_x || p->x.low >= f->from_x + f->width || p->y.low < f->from_y ||
        p->y.low >= f->from_y + f->height || !run_chance(r, p))
        return;
    for (int32_t n = run_range(r, p->repeat); n > 0 && run_spend(r); n--) {
        const int x = f->x + run_range(r, p->x), y = f->y + run_range(r, p->y);
        if (p->shape == MAPGEN_POINT) {
            set_tile(f, p, x, y);
            continue;
        }
        const int x2 = f->x + run_range(r, p->x2), y2 = f->y + run_range(r, p->y2);
        (p->shape == MAPGEN_LINE ? set_line : set_square)(f, p, x, y, x2, y2);
    }
}
