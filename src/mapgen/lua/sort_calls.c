/*
 * table.sort, by merging: elements that are equal stay as they were, and a comparison that
 * contradicts itself gives some order, the same each time. (Lua's own looks at the clock.)
 */
#include "mapgen/lua/script_impl.h"

enum { TABLE = 1, LESS, FROM, TO }; /* places on the stack */

/* Is the element at `right` of the list less than that at `left`? */
static bool is_less(lua_State *lua, lua_Integer right, lua_Integer left)
{
    bool less;
    script_spend(lua, 2);
    if (lua_isnil(lua, LESS)) {
        lua_rawgeti(lua, FROM, right);
        lua_rawgeti(lua, FROM, left);
        text_spend(lua, -1);
        text_spend(lua, -2);
        less = lua_compare(lua, -2, -1, LUA_OPLT);
        lua_pop(lua, 2);
    } else {
        lua_pushvalue(lua, LESS);
        lua_rawgeti(lua, FROM, right);
        lua_rawgeti(lua, FROM, left);
        lua_call(lua, 2, 1);
        less = lua_toboolean(lua, -1);
        lua_pop(lua, 1);
    }
    return less;
}

/* Merges first .. middle - 1 and middle .. end - 1 of one list to the same places of the other.
 */
static void merge(lua_State *lua, lua_Integer first, lua_Integer middle, lua_Integer end)
{
    lua_Integer left = first, right = middle;
    for (lua_Integer to = first; to < end; to++) {
        const bool from_right = right < end && (left >= middle || is_less(lua, right, left));
        const lua_Integer from = from_right ? right++ : left++;
        lua_rawgeti(lua, FROM, from);
        lua_rawseti(lua, TO, to);
    }
}

static void copy(lua_State *lua, int from, int to, lua_Integer count)
{
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(lua, from, i);
        lua_rawseti(lua, to, i);
    }
}

static int call_sort(lua_State *lua)
{
    luaL_checktype(lua, TABLE, LUA_TTABLE);
    const lua_Integer count = table_border(lua, TABLE);
    if (!lua_isnoneornil(lua, LESS))
        luaL_checktype(lua, LESS, LUA_TFUNCTION);
    lua_settop(lua, LESS);
    script_spend(lua, 2 * (uint64_t)count);
    lua_newtable(lua);
    lua_newtable(lua);
    copy(lua, TABLE, FROM, count);
    for (lua_Integer width = 1; width < count; width *= 2) {
        script_spend(lua, (uint64_t)count);
        for (lua_Integer first = 1; first <= count; first += 2 * width) {
            const lua_Integer middle = first + width, end = first + 2 * width;
            merge(lua, first, middle <= count ? middle : count + 1,
                  end <= count ? end : count + 1);
        }
        lua_insert(lua, FROM); /* the lists change their parts */
    }
    copy(lua, FROM, TABLE, count);
    return 0;
}

void sort_open(lua_State *lua)
{
    lua_pushcfunction(lua, call_sort);
    lua_setfield(lua, -2, "sort");
}
