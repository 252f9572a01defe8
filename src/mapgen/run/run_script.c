/* Runs scripts in Lua: does to the map what the scripts' calls ask for. */
#include "core/bytes.h"
#include "core/visible.h"
#include "mapgen/lua/script.h"
#include "mapgen/run/run_impl.h"

/* ---- what is said ---- */

/* Keeps a message with the map; status 1 marks the reason why a script failed. */
static void add_remark(run *r, uint32_t text, int32_t status)
{
    local_entity e = {.kind = LOCAL_REMARK, .text = text, .status = status};
    local_map_add(r->map, &e);
}

static void say(void *payload, const char *text, size_t length)
{
    const run_frame *f = payload;
    bytes visible;
    bytes_init(&visible);
    visible_put(&visible, text, length);
    const char *kept = bytes_text(&visible);
    f->run->map->failed = f->run->map->failed || !kept;
    if (kept && visible.size > 0)
        add_remark(f->run, id_pool_put(f->run->request->pool, kept, visible.size), 0);
    bytes_dispose(&visible);
}

void run_keep_remarks(run *r)
{
    local_map *map = r->map;
    size_t kept = 0;
    for (size_t i = 0; i < map->count; i++)
        if (map->entities[i].kind == LOCAL_REMARK)
            map->entities[kept++] = map->entities[i];
        else
            run_trace_removed(r, kept);
    map->count = kept;
    memset(map->terrain, 0, sizeof map->terrain);
    memset(map->furniture, 0, sizeof map->furniture);
    memset(map->trap, 0, sizeof map->trap);
    memset(map->radiation, 0, sizeof map->radiation);
    add_remark(r, r->said, 1);
}

/* ---- tiles ---- */

/* Returns the column of the map at which a script's x begins: for a chunk the column of its
 * corner, otherwise 0. */
static int left_of(const run_frame *f)
{
    return f->entry->role == MAPGEN_CHUNK ? f->x : 0;
}

static int top_of(const run_frame *f)
{
    return f->entry->role == MAPGEN_CHUNK ? f->y : 0;
}

/* Sets a tile. An id is known if the content defines a terrain or furniture with it; if `tiles`
 * is missing, every id is known. */
static bool set_tile(void *payload, bool terrain, int x, int y, const char *text, size_t length)
{
    const run_frame *f = payload;
    run *r = f->run;
    const mapgen_tiles *tiles = r->request->tiles;
    const uint32_t id = id_pool_put(r->request->pool, text, length);
    const uint32_t null = terrain ? r->ids.null_terrain : r->ids.null_furniture;
    const mapgen_tile tile =
        terrain ? mapgen_terrain_tile(tiles, mapgen_terrain_now(tiles, id))
                : mapgen_furniture_tile(tiles, mapgen_furniture_now(tiles, id));
    if (tiles && !(tile.flags & MAPGEN_TILE_KNOWN) && id != null)
        return false;
    if (terrain)
        run_set_terrain(r, left_of(f) + x, top_of(f) + y, id);
    else
        run_set_furniture(r, left_of(f) + x, top_of(f) + y, id);
    return true;
}

/* ---- items ---- */

/* Chooses at random a tile of the rectangle for items. Unless on_flat is set, tiles with the
 * flag FLAT (ground such as grass) are not chosen. It makes as many tries as the game does;
 * false: none has found a tile. */
static bool find_tile(run_frame *f, const script_items *items, int *x, int *y)
{
    enum { TRIES = 20 };
    run *r = f->run;
    for (int i = 0; i < TRIES; i++) {
        *x = left_of(f) + rng_range(&r->random, items->x, items->x2);
        *y = top_of(f) + rng_range(&r->random, items->y, items->y2);
        const bool inside = run_inside(*x, *y);
        const uint32_t terrain = inside ? r->map->terrain[*y * LOCAL_SIDE + *x] : ID_NONE;
        const mapgen_tile tile = mapgen_terrain_tile(r->request->tiles, terrain);
        if (inside && (items->on_flat || !(tile.flags & MAPGEN_TILE_FLAT)))
            return true;
    }
    return false;
}

/* Places items as scripts did in the games that had scripts. With a chance of 100 there is one
 * round. With a lower chance, the chance is tried before each round, also before the first one,
 * and the first failure ends the rounds. */
static void place_items(void *payload, const script_items *items)
{
    enum { ALL = 100, ROUNDS_MAX = 100 };
    run_frame *f = payload;
    run *r = f->run;
    const mapgen_told nothing = MAPGEN_TOLD_NOTHING;
    const uint32_t group = id_pool_put(r->request->pool, items->group, items->length);
    for (int i = 0; i < ROUNDS_MAX && run_spend(r); i++) {
        int x, y;
        if (items->chance < ALL && !run_percent(r, items->chance))
            break;
        if (find_tile(f, items, &x, &y))
            run_group(r, x, y, group, &nothing);
        if (items->chance >= ALL)
            break;
    }
}

/* ---- the run ---- */

void run_script(run_frame *f)
{
    /* Starting a script counts as much work as going over so many tiles. */
    enum { STATE = 20000 };
    run *r = f->run;
    if (f->entry->script != ID_NONE && !r->failed && !r->left_out && run_touch(r, STATE)) {
        const char *text = id_pool_text(r->request->pool, f->entry->script);
        const mapgen_request *q = r->request;
        const bool chunk = f->entry->role == MAPGEN_CHUNK;
        const script_map map = {.payload = f,
                                .width = chunk ? f->width : LOCAL_SIDE,
                                .height = chunk ? f->height : LOCAL_SIDE,
                                .set = set_tile,
                                .place_items = place_items,
                                .say = say};
        const script_request request = {.text = text,
                                        .size = strlen(text),
                                        .terrain = q->oter ? q->oter : "",
                                        .turn = q->turn,
                                        .random = &r->random,
                                        .steps = &r->steps,
                                        .map = &map,
                                        .stop = &r->budget.stop};
        char message[SCRIPT_MESSAGE];
        const script_outcome outcome = script_run(&request, message);
        r->map->failed = r->map->failed || outcome == SCRIPT_NO_MEMORY;
        r->budget.stopped = r->budget.stopped || outcome == SCRIPT_STOPPED;
        r->budget.over = r->budget.over || r->budget.stopped;
        r->left_out = outcome == SCRIPT_LEFT_OUT;
        r->failed = outcome == SCRIPT_FAILED;
        if (r->failed)
            r->said = id_pool_put(q->pool, message, strlen(message));
    }
}
