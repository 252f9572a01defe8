/*
 * The functions by which scripts draw on the map of an OMT and ask about the game. An id that
 * is not known ends the run, and the whole map fails. Whatever a call does outside of the map
 * is ignored, and one message says so.
 */
#include "mapgen/lua/script_impl.h"

#include "model/line.h"

enum {
    CALL_STEPS = 20, /* steps that each call costs, besides the steps for its work */
    SAID_MAX = 50,   /* greatest number of messages that one run may give */
    SAID_SIZE = 500, /* greatest number of bytes in a message */
    FAR = 1000000    /* in tiles: a place further away is taken for a mistake */
};

static const script_map *map_of(lua_State *lua)
{
    return script_of(lua)->request->map;
}

/* ---- arguments ---- */

static void begin_call(lua_State *lua)
{
    if (!lua_istable(lua, 1))
        luaL_error(lua,
                   "the map's functions are called with a colon, as map:ter_set(x, y, id)");
    script_spend(lua, CALL_STEPS);
}

/* Returns a coordinate or size; the fraction of a float is cut off. */
static int tile_argument(lua_State *lua, int argument)
{
    const double number = number_argument(lua, argument);
    luaL_argcheck(lua, number > -FAR && number < FAR, argument, "not a number of tiles");
    return (int)number;
}

static int32_t int_argument(lua_State *lua, int argument)
{
    const lua_Integer number = integer_argument(lua, argument);
    luaL_argcheck(lua, number >= INT32_MIN && number <= INT32_MAX, argument,
                  "number out of range");
    return (int32_t)number;
}

/* Returns an id, which must be a string. */
static const char *id_argument(lua_State *lua, int argument, size_t *length)
{
    luaL_checktype(lua, argument, LUA_TSTRING);
    const char *id = lua_tolstring(lua, argument, length);
    luaL_argcheck(lua, *length > 0 && *length <= SCRIPT_ID_MAX && strlen(id) == *length,
                  argument, "not an id");
    return id;
}

/* ---- writing ---- */

/* What a call writes on tiles: terrain or furniture. */
typedef struct brush {
    lua_State *lua;
    const script_map *map;
    bool terrain;
    const char *id;
    size_t length;
} brush;

static brush brush_of(lua_State *lua, int argument)
{
    brush b = {.lua = lua, .map = map_of(lua), .terrain = !script_is_other(lua)};
    b.id = id_argument(lua, argument, &b.length);
    return b;
}

static void say(lua_State *lua, const char *text, size_t length)
{
    script *s = script_of(lua);
    if (s->said++ < SAID_MAX)
        map_of(lua)->say(map_of(lua)->payload, text, length < SAID_SIZE ? length : SAID_SIZE);
}

static void tell_outside(lua_State *lua)
{
    static const char text[] = "something lies outside of the map, and was passed over";
    script *s = script_of(lua);
    if (!s->told_outside)
        say(lua, text, sizeof text - 1);
    s->told_outside = true;
}

static void paint(const brush *b, int x, int y)
{
    const script_map *m = b->map;
    if (x < 0 || y < 0 || x >= m->width || y >= m->height)
        tell_outside(b->lua);
    else if (!m->set(m->payload, b->terrain, x, y, b->id, b->length))
        script_stop(b->lua, "unknown %s '%s'", b->terrain ? "terrain" : "furniture", b->id);
}

static int paint_tile(lua_State *lua)
{
    begin_call(lua);
    const int x = tile_argument(lua, 2), y = tile_argument(lua, 3);
    const brush b = brush_of(lua, 4);
    paint(&b, x, y);
    return 0;
}

static int paint_line(lua_State *lua)
{
    begin_call(lua);
    const brush b = brush_of(lua, 2);
    const int x = tile_argument(lua, 3), y = tile_argument(lua, 4);
    const int x2 = tile_argument(lua, 5), y2 = tile_argument(lua, 6);
    for (line l = line_begin(x, y, x2, y2); line_next(&l);) {
        script_spend(lua, 1);
        paint(&b, l.x, l.y);
    }
    return 0;
}

/* Orders the two numbers and cuts them to 0 .. side - 1; false: nothing is left. */
static bool clip(lua_State *lua, int *low, int *high, int side)
{
    if (*low > *high) {
        const int swapped = *low;
        *low = *high;
        *high = swapped;
    }
    if (*low < 0 || *high >= side)
        tell_outside(lua);
    *low = *low < 0 ? 0 : *low;
    *high = *high >= side ? side - 1 : *high;
    return *low <= *high;
}

static void paint_rectangle(const brush *b, int x, int y, int x2, int y2)
{
    const bool any = clip(b->lua, &x, &x2, b->map->width);
    if (!clip(b->lua, &y, &y2, b->map->height) || !any)
        return;
    script_spend(b->lua, (uint64_t)(x2 - x + 1) * (uint64_t)(y2 - y + 1));
    for (int v = y; v <= y2; v++)
        for (int u = x; u <= x2; u++)
            paint(b, u, v);
}

static int paint_square(lua_State *lua)
{
    begin_call(lua);
    const brush b = brush_of(lua, 2);
    const int x = tile_argument(lua, 3), y = tile_argument(lua, 4);
    const int x2 = tile_argument(lua, 5), y2 = tile_argument(lua, 6);
    paint_rectangle(&b, x, y, x2, y2);
    return 0;
}

static int call_fill_background(lua_State *lua)
{
    begin_call(lua);
    const brush b = brush_of(lua, 2);
    paint_rectangle(&b, 0, 0, b.map->width - 1, b.map->height - 1);
    return 0;
}

/* Fills a rough circle: a tile belongs to it if its distance, rounded down, plus a random 0
 * to 3 is at most the radius. */
static int call_rough_circle(lua_State *lua)
{
    enum { ROUGH = 3 };
    begin_call(lua);
    const brush b = brush_of(lua, 2);
    const int x = tile_argument(lua, 3), y = tile_argument(lua, 4);
    const int radius = tile_argument(lua, 5);
    int west = x - radius, east = x + radius, north = y - radius, south = y + radius;
    rng *random = script_of(lua)->request->random;
    if (radius < 0)
        return 0;
    const bool any = clip(lua, &west, &east, b.map->width);
    if (!clip(lua, &north, &south, b.map->height) || !any)
        return 0;
    script_spend(lua, 2 * (uint64_t)(east - west + 1) * (uint64_t)(south - north + 1));
    for (int v = north; v <= south; v++) {
        for (int u = west; u <= east; u++) {
            const int64_t dx = u - x, dy = v - y, less = rng_range(random, 0, ROUGH);
            const int64_t reach = radius - less + 1;
            if (reach > 0 && dx * dx + dy * dy < reach * reach)
                paint(&b, u, v);
        }
    }
    return 0;
}

static int call_place_items(lua_State *lua)
{
    enum { PERCENT = 100, STEPS = 100 };
    /* The argument `true` and numbers other than 0 count as true, a missing argument as
     * false. */
    script_items items = {.on_flat = lua_type(lua, 8) == LUA_TNUMBER ? lua_tonumber(lua, 8) != 0
                                                                     : lua_toboolean(lua, 8)};
    begin_call(lua);
    script_spend(lua, STEPS);
    items.group = id_argument(lua, 2, &items.length);
    items.chance = int_argument(lua, 3);
    luaL_argcheck(lua, items.chance >= 1 && items.chance <= PERCENT, 3,
                  "a chance is 1 to 100 percent");
    items.x = tile_argument(lua, 4);
    items.y = tile_argument(lua, 5);
    items.x2 = tile_argument(lua, 6);
    items.y2 = tile_argument(lua, 7);
    text_spend(lua, 9);
    /* The turn of the items' creation is ignored, as items are as old as the map. */
    (void)luaL_optnumber(lua, 9, 0);
    const bool any = clip(lua, &items.x, &items.x2, map_of(lua)->width);
    if (clip(lua, &items.y, &items.y2, map_of(lua)->height) && any)
        map_of(lua)->place_items(map_of(lua)->payload, &items);
    return 0;
}

/* ---- the game ---- */

static int call_one_in(lua_State *lua)
{
    const int32_t n = int_argument(lua, 1);
    script_spend(lua, 1);
    lua_pushboolean(lua, rng_one_in(script_of(lua)->request->random, n));
    return 1;
}

static int call_rng(lua_State *lua)
{
    const int32_t low = int_argument(lua, 1), high = int_argument(lua, 2);
    script_spend(lua, 1);
    lua_pushinteger(lua, rng_range(script_of(lua)->request->random, low, high));
    return 1;
}

/* Shows a message: all arguments of the script's call, with tabs between them. */
static int call_say(lua_State *lua)
{
    const int count = lua_gettop(lua);
    luaL_Buffer b;
    lua_pushnil(lua);
    luaL_buffinit(lua, &b);
    script_spend(lua, CALL_STEPS);
    for (int i = 1; i <= count; i++) {
        size_t length;
        text_push(lua, i, &length);
        lua_replace(lua, count + 1); /* on Lua's stack the text must lie below the buffer */
        text_add(&b, "\t", i > 1);
        text_add(&b, lua_tostring(lua, count + 1), length);
    }
    luaL_pushresult(&b);
    size_t length;
    const char *text = lua_tolstring(lua, -1, &length);
    say(lua, text, length);
    return 0;
}

/* Of two functions with the same body, the first is about terrain, and the second (with `other`
 * true) about furniture. */
const script_call map_calls[] = {{"ter_set", paint_tile, false},
                                 {"furn_set", paint_tile, true},
                                 {"line_ter", paint_line, false},
                                 {"line_furn", paint_line, true},
                                 {"square_ter", paint_square, false},
                                 {"square_furn", paint_square, true},
                                 {"fill_background", call_fill_background, false},
                                 {"rough_circle", call_rough_circle, false},
                                 {"place_items", call_place_items, false},
                                 {NULL, NULL, false}};

const script_call game_calls[] = {{"one_in", call_one_in, false},
                                  {"rng", call_rng, false},
                                  {"add_msg", call_say, false},
                                  {NULL, NULL, false}};
