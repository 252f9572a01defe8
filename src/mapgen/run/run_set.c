/* Carries out operations of `set` on points, lines and squares. */
#include "mapgen/run/run_impl.h"
#include "model/line.h"

/* Bashes a tile: breaks its furniture or, if it has none, its terrain. Terrain that leaves
 * nothing becomes dirt. */
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

/* Carries out an operation of `set` on one tile. An amount of radiation is chosen at random
 * for each tile. */
static void set_tile(run_frame *f, const mapgen_piece *p, int x, int y)
{
    /* By what an operation is about (its subject): the kinds of things that it removes from the
     * tile, as bits; 0: it removes nothing. */
    static const uint32_t removed[MAPGEN_SUBJECTS] = {
        [MAPGEN_SET_ITEM_REMOVE] = RUN_ITEMS,
        [MAPGEN_SET_FIELD_REMOVE] = 1 << LOCAL_FIELD,
        [MAPGEN_SET_CREATURE_REMOVE] = 1 << LOCAL_MONSTER | 1 << LOCAL_NPC};
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
    case MAPGEN_SET_TRAP_REMOVE:
        r->map->trap[cell] =
            p->subject == MAPGEN_SET_TRAP && id != r->ids.null_trap ? id : ID_NONE;
        break;
    case MAPGEN_SET_RADIATION:
        /* A byte is enough, because the import of content allows only amounts from 0 to 100. */
        r->map->radiation[cell] = (uint8_t)run_range(r, p->amount);
        break;
    case MAPGEN_SET_BASH:
        bash_tile(r, cell);
        break;
    case MAPGEN_SET_VARIABLE:
        run_variable(r, x, y, id);
        break;
    default:
        if (removed[p->subject])
            run_remove(r, x, y, removed[p->subject]);
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
    /* The point at which the operation begins, with the lowest x and y that its ranges allow,
     * must lie in the part of the drawing that is put on this map. */
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

/* Placing nested chunks: whether the conditions of a chunk hold, and the random choice of a
 * chunk and of one of its entries. */

enum { CHUNKS_DEPTH_MAX = 16, LEVEL_ZERO = 64 };

static bool matches(const mapgen_request *q, const mapgen_omt *omt, uint32_t text,
                    mapgen_match match)
{
    const char *id = omt->seen.id, *wanted = id_pool_text(q->pool, text);
    const size_t length = strlen(wanted);
    switch (match) {
    case MAPGEN_EXACT:
        return strcmp(id, wanted) == 0;
    case MAPGEN_CONTAINS:
        return strstr(id, wanted) != NULL;
    /* The type of the neighbouring terrain, without its direction, must be this text. */
    case MAPGEN_TYPE:
        return strcmp(omt->seen.type, wanted) == 0;
    /* The neighbouring terrain must be this one; its direction does not matter, but the shape
     * of a linear terrain does. */
    case MAPGEN_SUBTYPE:
        return omt->key == text;
    case MAPGEN_PREFIX:
        break;
    }
    return strncmp(id, wanted, length) == 0 && (id[length] == '\0' || id[length] == '_');
}

/* Did a terrain that the condition names stand here before? */
static bool was_there(const mapgen_request *q, const mapgen_condition *c)
{
    mapgen_omt before;
    bool found = false;
    for (size_t i = 0; q->before && !found && q->before(&before, q->payload, i); i++)
        found = matches(q, &before, c->text, c->match);
    return found;
}

static bool holds(const run_frame *f, const mapgen_condition *c)
{
    const mapgen_request *q = f->run->request;
    /* Turns a direction in the drawing into one in the world. */
    enum { AROUND = 8 };
    const int turns = f->run->request->unturned ? 0 : f->run->turns & 3;
    const int direction =
        c->direction < AROUND ? (c->direction + 2 * turns) % AROUND : c->direction;
    const char *text = id_pool_text(q->pool, c->text);
    switch (c->kind) {
    case MAPGEN_LEVELS:
        return (int)c->text - LEVEL_ZERO == q->z;
    case MAPGEN_FLAGS:
    case MAPGEN_FLAGS_ANY:
        return q->has_flag && q->has_flag(q->payload, direction, text);
    case MAPGEN_JOINS:
        return q->join && strcmp(q->join(q->payload, direction), text) == 0;
    case MAPGEN_CONNECTIONS:
        return q->connects && q->connects(q->payload, direction, text);
    case MAPGEN_PREDECESSORS:
        return was_there(q, c);
    case MAPGEN_NEIGHBORS:
        break;
    }
    mapgen_omt there;
    if (!q->neighbour)
        return false;
    q->neighbour(&there, q->payload, direction);
    return matches(q, &there, c->text, c->match);
}

/* Is it enough if one of the two conditions of a nested chunk holds? That is so if they have
 * the same kind and direction; for conditions of the kind flags_any the direction does not
 * matter. */
static bool alike(const mapgen_condition *a, const mapgen_condition *b)
{
    return a->kind == b->kind && (a->direction == b->direction || a->kind == MAPGEN_FLAGS_ANY);
}

void run_nested(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x, int y)
{
    run *r = f->run;
    /* Do all conditions of the chunk hold? Conditions of one kind and direction are
     * alternatives and stand next to each other: of these one must hold. */
    bool all = run_touch(f->run, p->count);
    for (uint32_t i = 0; i < p->count && all;) {
        const mapgen_condition *first = &unit->conditions[p->first + i];
        bool any = false;
        for (; i < p->count && alike(first, &unit->conditions[p->first + i]); i++)
            any = any || holds(f, &unit->conditions[p->first + i]);
        all = any;
    }
    if (r->request->trace && p->count > 0)
        r->request->trace->conditional = true;
    const uint32_t id = run_value(f, unit, all ? p->what : p->with);
    if (id == ID_NONE || id == r->ids.null_id)
        return;
    const mapgen_candidate *c = run_candidate(r, MAPGEN_CHUNK, id);
    if (!c)
        return;
    if (r->depth == CHUNKS_DEPTH_MAX) {
        r->own->cut = true;
        return;
    }
    r->depth++;
    r->by = unit;
    r->by_place = p->place;
    run_chunk(r, c->entry, id, x, y);
    r->depth--;
}
