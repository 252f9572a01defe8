/* The library `string`, but for formats (format_call.c) and patterns (pattern_calls.c).
 * Letters are those of ASCII, so that no locale matters. */
#include "mapgen/lua/script_impl.h"

static int call_len(lua_State *lua)
{
    size_t length;
    text_argument(lua, 1, &length);
    lua_pushinteger(lua, (lua_Integer)length);
    return 1;
}

static int call_sub(lua_State *lua)
{
    size_t length;
    const char *text = text_argument(lua, 1, &length);
    lua_Integer first = text_place(integer_argument(lua, 2), length);
    lua_Integer last = text_place(integer_optional(lua, 3, -1), length);
    first = first < 1 ? 1 : first;
    last = last > (lua_Integer)length ? (lua_Integer)length : last;
    lua_pushlstring(lua, first <= last ? text + first - 1 : "",
                    first <= last ? (size_t)(last - first) + 1 : 0);
    return 1;
}

static char to_upper(char c)
{
    return (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

static char to_lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* `upper`, or `lower` for the other one. */
static int change_each(lua_State *lua)
{
    char (*const change)(char c) = script_is_other(lua) ? to_lower : to_upper;
    size_t length;
    luaL_Buffer b;
    const char *text = text_argument(lua, 1, &length);
    char *out = luaL_buffinitsize(lua, &b, length);
    for (size_t i = 0; i < length; i++)
        out[i] = change(text[i]);
    luaL_pushresultsize(&b, length);
    return 1;
}

static int call_reverse(lua_State *lua)
{
    size_t length;
    luaL_Buffer b;
    const char *text = text_argument(lua, 1, &length);
    char *out = luaL_buffinitsize(lua, &b, length);
    for (size_t i = 0; i < length; i++)
        out[i] = text[length - 1 - i];
    luaL_pushresultsize(&b, length);
    return 1;
}

static int call_rep(lua_State *lua)
{
    size_t length, between_size = 0;
    const char *text = text_argument(lua, 1, &length), *between = "";
    const lua_Integer count = integer_argument(lua, 2);
    if (!lua_isnoneornil(lua, 3))
        between = text_argument(lua, 3, &between_size);
    luaL_Buffer b;
    luaL_buffinit(lua, &b);
    for (lua_Integer i = 0; i < count && length + between_size > 0; i++) {
        script_spend(lua, 1);
        if (i > 0)
            text_add(&b, between, between_size);
        text_add(&b, text, length);
    }
    luaL_pushresult(&b);
    return 1;
}

static int call_byte(lua_State *lua)
{
    enum { BYTES_MAX = 1000 };
    size_t length;
    const char *text = text_argument(lua, 1, &length);
    lua_Integer first = text_place(integer_optional(lua, 2, 1), length);
    lua_Integer last = text_place(integer_optional(lua, 3, first), length);
    first = first < 1 ? 1 : first;
    last = last > (lua_Integer)length ? (lua_Integer)length : last;
    if (first > last)
        return 0;
    if (last - first >= BYTES_MAX)
        return luaL_error(lua, "string slice too long");
    const int count = (int)(last - first) + 1;
    luaL_checkstack(lua, count, "string slice too long");
    script_spend(lua, (uint64_t)count);
    for (int i = 0; i < count; i++)
        lua_pushinteger(lua, (unsigned char)text[first - 1 + i]);
    return count;
}

static int call_char(lua_State *lua)
{
    const int count = lua_gettop(lua);
    luaL_Buffer b;
    script_spend(lua, (uint64_t)count);
    char *out = luaL_buffinitsize(lua, &b, (size_t)count);
    for (int i = 1; i <= count; i++) {
        const lua_Integer c = integer_argument(lua, i);
        luaL_argcheck(lua, c >= 0 && c <= UINT8_MAX, i, "value out of range");
        out[i - 1] = (char)(unsigned char)c;
        script_of(lua)->has_nul = script_of(lua)->has_nul || c == 0;
    }
    luaL_pushresultsize(&b, (size_t)count);
    return 1;
}

const script_call string_calls[] = {
    {"byte", call_byte, false}, {"char", call_char, false},
    {"len", call_len, false},   {"lower", change_each, true},
    {"rep", call_rep, false},   {"reverse", call_reverse, false},
    {"sub", call_sub, false},   {"upper", change_each, false},
    {NULL, NULL, false}};
