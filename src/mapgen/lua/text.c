/* Strings that calls take and give. */
#include "mapgen/lua/script_impl.h"

#include <math.h>

/* Machines differ in the sign that they print for a number that is NaN. */
static bool is_nan(lua_State *lua, int index)
{
    return lua_type(lua, index) == LUA_TNUMBER && isnan(lua_tonumber(lua, index));
}

void text_spend(lua_State *lua, int index)
{
    if (lua_type(lua, index) == LUA_TSTRING)
        script_spend(lua, lua_rawlen(lua, index) / TEXT_STEP);
}

double number_argument(lua_State *lua, int argument)
{
    text_spend(lua, argument);
    return luaL_checknumber(lua, argument);
}

lua_Integer integer_argument(lua_State *lua, int argument)
{
    text_spend(lua, argument);
    return luaL_checkinteger(lua, argument);
}

lua_Integer integer_optional(lua_State *lua, int argument, lua_Integer otherwise)
{
    text_spend(lua, argument);
    return luaL_optinteger(lua, argument, otherwise);
}

const char *text_argument(lua_State *lua, int argument, size_t *length)
{
    if (is_nan(lua, argument)) {
        lua_pushliteral(lua, "nan");
        lua_replace(lua, argument);
    }
    const char *text = luaL_checklstring(lua, argument, length);
    script_spend(lua, 1 + *length / TEXT_STEP);
    return text;
}

const char *text_push(lua_State *lua, int index, size_t *length)
{
    switch (lua_type(lua, index)) {
    case LUA_TNUMBER:
    case LUA_TSTRING:
        lua_pushvalue(lua, index);
        if (is_nan(lua, -1)) {
            lua_pop(lua, 1);
            lua_pushliteral(lua, "nan");
        }
        break;
    case LUA_TBOOLEAN:
        lua_pushstring(lua, lua_toboolean(lua, index) ? "true" : "false");
        break;
    default: /* other values are named by their type, not their address */
        lua_pushstring(lua, luaL_typename(lua, index));
        break;
    }
    const char *text = lua_tolstring(lua, -1, length);
    script_spend(lua, 1 + *length / TEXT_STEP);
    return text;
}

void text_add(luaL_Buffer *b, const char *text, size_t length)
{
    if (length > SCRIPT_TEXT_MAX || luaL_bufflen(b) + length > SCRIPT_TEXT_MAX)
        script_stop(b->L, "a string of more than %d bytes", SCRIPT_TEXT_MAX);
    script_spend(b->L, length / TEXT_STEP);
    luaL_addlstring(b, text, length);
}

lua_Integer text_place(lua_Integer place, size_t length)
{
    if (place >= 0)
        return place;
    return place < -(lua_Integer)length ? 0 : (lua_Integer)length + place + 1;
}
