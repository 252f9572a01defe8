/* The operators `#` and `^` of scripts, which source.c replaces by calls. */
#include "mapgen/lua/script_impl.h"

#include <math.h>

static bool is_absent(lua_State *lua, int table, lua_Integer at)
{
    const bool absent = lua_rawgeti(lua, table, at) == LUA_TNIL;
    lua_pop(lua, 1);
    return absent;
}

lua_Integer table_border(lua_State *lua, int table)
{
    lua_Integer low = 0, high = 1; /* an element is at low, or low is 0; none will be at high */
    while (!is_absent(lua, table, high)) {
        low = high;
        if (high > LUA_MAXINTEGER / 2)
            return luaL_error(lua, "a table is too long");
        high *= 2;
    }
    while (high - low > 1) {
        const lua_Integer middle = low + (high - low) / 2;
        if (is_absent(lua, table, middle))
            high = middle;
        else
            low = middle;
    }
    return low;
}

static int length(lua_State *lua)
{
    size_t size = 0;
    script_spend(lua, 1);
    if (lua_type(lua, 2) == LUA_TSTRING)
        (void)lua_tolstring(lua, 2, &size);
    else if (lua_istable(lua, 2))
        size = (size_t)table_border(lua, 2);
    else
        return luaL_error(lua, "attempt to get length of a %s value", luaL_typename(lua, 2));
    lua_pushinteger(lua, (lua_Integer)size);
    return 1;
}

static double number_of(lua_State *lua, int index)
{
    int good = 0;
    text_spend(lua, index);
    const double number = lua_tonumberx(lua, index, &good);
    if (!good)
        luaL_error(lua, "attempt to perform arithmetic on a %s value",
                   luaL_typename(lua, index));
    return number;
}

/* P ^ b: pushes a value that raises the number on its left to the power b. */
static int keep_exponent(lua_State *lua)
{
    script_of(lua)->exponent = number_of(lua, 2);
    lua_pushvalue(lua, lua_upvalueindex(1));
    return 1;
}

/* Calculates a power with a whole exponent by squaring, which gives the same on every
 * machine. */
static double whole_power(double base, double exponent)
{
    double result = 1, square = base, left = fabs(exponent);
    while (left >= 1) {
        const double half = floor(left / 2);
        if (left - 2 * half > 0)
            result *= square;
        square *= square;
        left = half;
    }
    return exponent < 0 ? 1 / result : result;
}

static int power(lua_State *lua)
{
    const double base = number_of(lua, 1), exponent = script_of(lua)->exponent;
    script_spend(lua, 4);
    if (exponent == 0.5)
        lua_pushnumber(lua, sqrt(base));
    else if (exponent == floor(exponent) && fabs(exponent) <= 0x1p53)
        lua_pushnumber(lua, whole_power(base, exponent));
    else
        return luaL_error(lua, "an exponent of '^' must be a whole number, or 0.5");
    return 1;
}

/* Replaces the function on the top of the stack by a value that has it as its `^`. */
static void to_operator(lua_State *lua)
{
    lua_newuserdatauv(lua, 1, 0);
    lua_newtable(lua);
    lua_pushvalue(lua, -3);
    lua_setfield(lua, -2, "__pow");
    lua_setmetatable(lua, -2);
    lua_remove(lua, -2);
}

void operators_open(lua_State *lua)
{
    lua_pushcfunction(lua, length);
    to_operator(lua);
    lua_setfield(lua, -2, SOURCE_LENGTH);
    lua_pushcfunction(lua, power);
    to_operator(lua);
    lua_pushcclosure(lua, keep_exponent, 1);
    to_operator(lua);
    lua_setfield(lua, -2, SOURCE_POWER);
}
