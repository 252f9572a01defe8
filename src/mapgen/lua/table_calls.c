/* The library `table`. It uses borders that depend on a table's content alone
 * (script.c). */
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
        /* The elements first .. last move by one place. */
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
        /* The buffer may only grow while nothing of ours lies above it on the stack. */
        text_push(lua, -1, &length);
        lua_replace(lua, 3);
        lua_pop(lua, 1);
        text_add(&b, lua_tostring(lua, 3), length);
        if (i == last)
            break; /* the next number would overflow */
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

const script_call table_calls[] = {
    {"concat", call_concat, false}, {"insert", call_insert, false}, {"pack", call_pack, false},
    {"remove", call_remove, false}, {"unpack", call_unpack, false}, {NULL, NULL, false}};

/* table.sort, as a merge sort. Equal elements keep their order. A comparison that contradicts
 * itself gives some order, but the same one each time. (Lua's own sort uses the clock.) */

enum { TABLE = 1, LESS, FROM, TO }; /* indexes on the stack */

/* Is the list's element at `right` less than the one at `left`? */
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
            /* Merges first .. middle - 1 and middle .. end - 1 of one list into the same places
             * of the other. */
            const lua_Integer middle = first + width <= count ? first + width : count + 1;
            const lua_Integer end = first + 2 * width <= count ? first + 2 * width : count + 1;
            lua_Integer left = first, right = middle;
            for (lua_Integer to = first; to < end; to++) {
                const bool from_right =
                    right < end && (left >= middle || is_less(lua, right, left));
                lua_rawgeti(lua, FROM, from_right ? right++ : left++);
                lua_rawseti(lua, TO, to);
            }
        }
        lua_insert(lua, FROM); /* the two lists change their roles */
    }
    copy(lua, FROM, TABLE, count);
    return 0;
}

const script_call sort_calls[] = {{"sort", call_sort, false}, {NULL, NULL, false}};
