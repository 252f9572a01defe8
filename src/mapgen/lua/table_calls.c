/* The library `table`, by borders that depend on a table's content alone (operators.c). */
#include "mapgen/lua/script_impl.h"

enum { UNPACKED_MAX = 1000 };

static lua_Integer border_argument(lua_State *lua)
{
    luaL_checktype(lua, 1, LUA_TTABLE);
    script_spend(lua, 1);
    return table_border(lua, 1);
}

static int call_insert(lua_State *lua)
{
    const int count = lua_gettop(lua);
    const lua_Integer border = border_argument(lua);
    lua_Integer place = border + 1;
    if (count == 3) {
        place = integer_argument(lua, 2);
        luaL_argcheck(lua, place >= 1 && place <= border + 1, 2, "position out of bounds");
        /* Moves elements first .. last by one place. */
        script_spend(lua, place <= border ? (uint64_t)(border - place) + 1 : 0);
        for (lua_Integer i = border; i >= place; i--) {
            lua_rawgeti(lua, 1, i);
            lua_rawseti(lua, 1, i + 1);
        }
    } else if (count != 2) {
        return luaL_error(lua, "wrong number of arguments to 'insert'");
    }
    lua_rawseti(lua, 1, place);
    return 0;
}

static int call_remove(lua_State *lua)
{
    const lua_Integer border = border_argument(lua);
    const lua_Integer place = integer_optional(lua, 2, border);
    if (!lua_isnoneornil(lua, 2))
        luaL_argcheck(lua, (place >= 1 && place <= border + 1) || (border == 0 && place == 0),
                      2, "position out of bounds");
    script_spend(lua, place < border ? (uint64_t)(border - place) : 0);
    lua_rawgeti(lua, 1, place);
    for (lua_Integer i = place; i < border; i++) {
        lua_rawgeti(lua, 1, i + 1);
        lua_rawseti(lua, 1, i);
    }
    lua_pushnil(lua);
    lua_rawseti(lua, 1, place < border ? border : place);
    return 1;
}

static int call_concat(lua_State *lua)
{
    const lua_Integer border = border_argument(lua);
    size_t between_size = 0;
    const char *between = "";
    if (!lua_isnoneornil(lua, 2))
        between = text_argument(lua, 2, &between_size);
    const lua_Integer first = integer_optional(lua, 3, 1);
    const lua_Integer last = integer_optional(lua, 4, border);
    luaL_Buffer b;
    lua_settop(lua, 4);
    luaL_buffinit(lua, &b);
    for (lua_Integer i = first; i <= last; i++) {
        size_t length;
        const int type = lua_rawgeti(lua, 1, i);
        if (type != LUA_TSTRING && type != LUA_TNUMBER)
            return luaL_error(lua, "invalid value (at index %I) in table for 'concat'",
                              (LUAI_UACINT)i);
        /* The buffer may only grow when nothing of ours lies over it. */
        text_push(lua, -1, &length);
        lua_replace(lua, 3);
        lua_pop(lua, 1);
        text_add(&b, lua_tostring(lua, 3), length);
        if (i == last)
            break; /* the next number may not be there */
        text_add(&b, between, between_size);
    }
    luaL_pushresult(&b);
    return 1;
}

static int call_unpack(lua_State *lua)
{
    const lua_Integer border = border_argument(lua);
    const lua_Integer first = integer_optional(lua, 2, 1);
    const lua_Integer last = integer_optional(lua, 3, border);
    if (first > last)
        return 0;
    const lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)first + 1;
    if (count == 0 || count > UNPACKED_MAX || !lua_checkstack(lua, (int)count))
        return luaL_error(lua, "too many results to unpack");
    script_spend(lua, count);
    for (lua_Unsigned i = 0; i < count; i++)
        lua_rawgeti(lua, 1, first + (lua_Integer)i);
    return (int)count;
}

static int call_pack(lua_State *lua)
{
    const int count = lua_gettop(lua);
    script_spend(lua, (uint64_t)count);
    lua_createtable(lua, count, 1);
    lua_insert(lua, 1);
    for (int i = count; i >= 1; i--)
        lua_rawseti(lua, 1, i);
    lua_pushinteger(lua, count);
    lua_setfield(lua, 1, "n");
    return 1;
}

void table_open(lua_State *lua)
{
    static const luaL_Reg calls[] = {{"concat", call_concat}, {"insert", call_insert},
                                     {"pack", call_pack},     {"remove", call_remove},
                                     {"unpack", call_unpack}, {NULL, NULL}};
    luaL_setfuncs(lua, calls, 0);
}
