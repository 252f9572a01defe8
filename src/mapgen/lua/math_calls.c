/* The functions of the library `math` that replace Lua's own: `min` and `max`, which spend
 * steps for each of their arguments, and random numbers, which come from the OMT's random
 * stream. */
#include "mapgen/lua/script_impl.h"

/* Carries out `min`, or `max` if that is what the script called. */
static int choose(lua_State *lua)
{
    const bool largest = script_is_other(lua);
    const int count = lua_gettop(lua);
    int best = 1;
    number_argument(lua, 1);
    for (int i = 2; i <= count; i++) {
        number_argument(lua, i);
        if (lua_compare(lua, largest ? best : i, largest ? i : best, LUA_OPLT))
            best = i;
    }
    script_spend(lua, (uint64_t)count);
    lua_pushvalue(lua, best);
    return 1;
}

/* Returns a random number: without arguments from 0 to below 1; with n a whole number from 1
 * to n; with m and n a whole number from m to n. */
static int call_random(lua_State *lua)
{
    rng *random = script_of(lua)->request->random;
    const int count = lua_gettop(lua);
    script_spend(lua, 1);
    if (count == 0) {
        lua_pushnumber(lua, (double)(rng_next(random) >> 11) * 0x1p-53);
        return 1;
    }
    const lua_Integer low = count == 1 ? 1 : integer_argument(lua, 1);
    const lua_Integer high = integer_argument(lua, count == 1 ? 1 : 2);
    luaL_argcheck(lua, low <= high, count == 1 ? 1 : 2, "interval is empty");
    const lua_Unsigned last = (lua_Unsigned)high - (lua_Unsigned)low;
    luaL_argcheck(lua, last <= UINT32_MAX, count == 1 ? 1 : 2, "interval is too large");
    const uint32_t drawn = rng_below(random, (uint64_t)last + 1);
    lua_pushinteger(lua, low + (lua_Integer)drawn);
    return 1;
}

const script_call math_calls[] = {{"max", choose, true},
                                  {"min", choose, false},
                                  {"random", call_random, false},
                                  {NULL, NULL, false}};
