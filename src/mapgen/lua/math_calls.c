/* The library `math`, with what every machine calculates alike. Functions that libm may round
 * differently (sin, exp, log and the like) are left out. Random numbers come from the OMT's
 * stream. */
#include "mapgen/lua/script_impl.h"

#include <math.h>

/* `floor`, or `ceil` for the other one. */
static int round_by(lua_State *lua)
{
    if (lua_isinteger(lua, 1))
        lua_settop(lua, 1);
    else {
        /* Pushes a number, as an integer if it has no fraction. */
        const double number = (script_is_other(lua) ? ceil : floor)(number_argument(lua, 1));
        lua_Integer whole;
        if (lua_numbertointeger(number, &whole))
            lua_pushinteger(lua, whole);
        else
            lua_pushnumber(lua, number);
    }
    return 1;
}

static int call_abs(lua_State *lua)
{
    if (lua_isinteger(lua, 1)) {
        const lua_Integer n = lua_tointeger(lua, 1);
        lua_pushinteger(lua, n < 0 ? (lua_Integer)(0 - (lua_Unsigned)n) : n);
    } else {
        lua_pushnumber(lua, fabs(number_argument(lua, 1)));
    }
    return 1;
}

static int call_sqrt(lua_State *lua)
{
    lua_pushnumber(lua, sqrt(number_argument(lua, 1)));
    return 1;
}

static int call_fmod(lua_State *lua)
{
    if (lua_isinteger(lua, 1) && lua_isinteger(lua, 2)) {
        const lua_Integer a = lua_tointeger(lua, 1), b = lua_tointeger(lua, 2);
        luaL_argcheck(lua, b != 0, 2, "zero");
        lua_pushinteger(lua, b == -1 ? 0 : a % b);
    } else {
        const double a = number_argument(lua, 1), b = number_argument(lua, 2);
        lua_pushnumber(lua, fmod(a, b));
    }
    return 1;
}

static int call_modf(lua_State *lua)
{
    const double number = number_argument(lua, 1);
    const double whole = number < 0 ? ceil(number) : floor(number);
    lua_pushnumber(lua, whole);
    lua_pushnumber(lua, number == whole ? 0 : number - whole);
    return 2;
}

/* `min`, or `max` for the other one. */
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

static int call_tointeger(lua_State *lua)
{
    int good = 0;
    text_spend(lua, 1);
    const lua_Integer n = lua_tointegerx(lua, 1, &good);
    luaL_checkany(lua, 1);
    if (good)
        lua_pushinteger(lua, n);
    else
        lua_pushnil(lua);
    return 1;
}

static int call_type(lua_State *lua)
{
    luaL_checkany(lua, 1);
    if (lua_type(lua, 1) == LUA_TNUMBER)
        lua_pushstring(lua, lua_isinteger(lua, 1) ? "integer" : "float");
    else
        lua_pushnil(lua);
    return 1;
}

static int call_ult(lua_State *lua)
{
    const lua_Integer a = integer_argument(lua, 1), b = integer_argument(lua, 2);
    lua_pushboolean(lua, (lua_Unsigned)a < (lua_Unsigned)b);
    return 1;
}

/* Without arguments a number from 0 to below 1; with n from 1 to n; with m, n from m to n. */
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

const script_call math_calls[] = {{"abs", call_abs, false},
                                  {"ceil", round_by, true},
                                  {"floor", round_by, false},
                                  {"fmod", call_fmod, false},
                                  {"max", choose, true},
                                  {"min", choose, false},
                                  {"modf", call_modf, false},
                                  {"random", call_random, false},
                                  {"sqrt", call_sqrt, false},
                                  {"type", call_type, false},
                                  {"tointeger", call_tointeger, false},
                                  {"ult", call_ult, false},
                                  {NULL, NULL, false}};

void math_constants(lua_State *lua)
{
    lua_pushnumber(lua, 0x1.921fb54442d18p+1);
    lua_setfield(lua, -2, "pi");
    lua_pushnumber(lua, HUGE_VAL);
    lua_setfield(lua, -2, "huge");
    lua_pushinteger(lua, LUA_MAXINTEGER);
    lua_setfield(lua, -2, "maxinteger");
    lua_pushinteger(lua, LUA_MININTEGER);
    lua_setfield(lua, -2, "mininteger");
}
