/*
 * Lua's basic functions, as far as scripts may have them. The keys of a table come in an order
 * that depends on the keys alone: numbers, then strings by their bytes, then false and true.
 * Keys of other types have no order, so a table that has one can't be walked. The functions of
 * the library `table` follow; for them the length of a table depends on its content alone
 * (table_border in script.c).
 */
#include "mapgen/lua/script_impl.h"

/* ---- lists in order ---- */

/* Ends the run unless the value is a number, a string or a boolean, because other keys of a
 * table have no order. For a string this costs the steps of reading it. */
static void check_key(lua_State *lua, int index)
{
    const int type = lua_type(lua, index);
    if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TBOOLEAN)
        luaL_error(lua, "a key of the table is a %s value, and these have no order",
                   luaL_typename(lua, index));
    text_spend(lua, index);
}

static int rank_of(int type)
{
    return type == LUA_TNUMBER ? 0 : type == LUA_TSTRING ? 1 : 2;
}

/* Does the key at the stack index `a` come before the key at `b`? */
static bool key_less(lua_State *lua, int a, int b)
{
    const int type = lua_type(lua, a);
    if (type != lua_type(lua, b))
        return rank_of(type) < rank_of(lua_type(lua, b));
    return type == LUA_TBOOLEAN ? lua_toboolean(lua, a) < lua_toboolean(lua, b)
                                : lua_compare(lua, a, b, LUA_OPLT);
}

/* Indexes on Lua's stack while a list is sorted. For table.sort, SORTED is the table, and LESS
 * the function that compares; for pairs, SORTED is the table, and LESS is nil. FROM is the
 * list, and TO the list that is made from it. */
enum { SORTED = 1, LESS, FROM, TO };

/* Is the list's element `right` less than the element `left`? keys: the elements are keys,
 * which have the order of key_less. */
static bool is_less(lua_State *lua, lua_Integer right, lua_Integer left, bool keys)
{
    const bool call = !lua_isnil(lua, LESS);
    if (call)
        lua_pushvalue(lua, LESS);
    lua_rawgeti(lua, FROM, right);
    lua_rawgeti(lua, FROM, left);
    const int top = lua_gettop(lua);
    if (keys) {
        const bool less = key_less(lua, top - 1, top);
        lua_pop(lua, 2);
        return less;
    }
    script_spend(lua, 2);
    if (call) {
        lua_call(lua, 2, 1);
    } else {
        text_spend(lua, -1);
        text_spend(lua, -2);
        lua_pushboolean(lua, lua_compare(lua, -2, -1, LUA_OPLT));
    }
    const bool less = lua_toboolean(lua, -1);
    lua_settop(lua, TO);
    return less;
}

/* Sorts the list at FROM by merging. Equal elements keep their order. A comparison that
 * contradicts itself gives some order, but the same one each time. (Lua's own sort uses the
 * clock.) */
static void sort_list(lua_State *lua, lua_Integer count, bool keys)
{
    for (lua_Integer width = 1; width < count; width *= 2) {
        script_spend(lua, keys ? 0 : (uint64_t)count);
        for (lua_Integer first = 1; first <= count; first += 2 * width) {
            /* Merges first .. middle - 1 and middle .. end - 1 of one list into the same places
             * of the other. */
            const lua_Integer middle = first + width <= count ? first + width : count + 1;
            const lua_Integer end = first + 2 * width <= count ? first + 2 * width : count + 1;
            lua_Integer left = first, right = middle;
            for (lua_Integer to = first; to < end; to++) {
                const bool from_right =
                    right < end && (left >= middle || is_less(lua, right, left, keys));
                lua_rawgeti(lua, FROM, from_right ? right++ : left++);
                lua_rawseti(lua, TO, to);
            }
        }
        /* Exchanges the two lists: the one that was just written (TO) is read (FROM) when
         * longer parts are merged in the next round. */
        lua_insert(lua, FROM);
    }
}

/* ---- walking over tables ---- */

static int call_next(lua_State *lua)
{
    enum { AFTER = 2, FOUND, KEY };
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, AFTER);
    script_look_at_table(lua);
    const bool first = lua_isnil(lua, AFTER);
    if (!first)
        check_key(lua, AFTER);
    lua_pushnil(lua); /* puts nil at the stack index FOUND, which will hold the least key so far
                         that comes after the key at the index AFTER */
    lua_pushnil(lua);
    while (lua_next(lua, 1)) {
        lua_pop(lua, 1);
        script_spend(lua, 1);
        check_key(lua, KEY);
        if ((first || key_less(lua, AFTER, KEY)) &&
            (lua_isnil(lua, FOUND) || key_less(lua, KEY, FOUND))) {
            lua_pushvalue(lua, KEY);
            lua_replace(lua, FOUND);
        }
    }
    if (lua_isnil(lua, FOUND))
        return 1;
    lua_pushvalue(lua, FOUND);
    lua_rawget(lua, 1);
    return 2;
}

/* Returns the next key of a table, and its value, to a script's loop over pairs(). The sorted
 * list of keys was made when the loop began; keys that the table has lost since are skipped. */
static int next_pair(lua_State *lua)
{
    enum {
        TABLE = lua_upvalueindex(1),
        KEYS = lua_upvalueindex(2),
        PLACE = lua_upvalueindex(3)
    };
    lua_Integer place = lua_tointeger(lua, PLACE);
    for (;;) {
        script_spend(lua, 1);
        if (lua_rawgeti(lua, KEYS, ++place) == LUA_TNIL)
            return 1;
        lua_pushvalue(lua, -1);
        if (lua_rawget(lua, TABLE) != LUA_TNIL)
            break;
        lua_pop(lua, 2);
    }
    lua_pushinteger(lua, place);
    lua_replace(lua, PLACE);
    return 2;
}

static int call_pairs(lua_State *lua)
{
    lua_Integer count = 0;
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 1);
    script_look_at_table(lua);
    lua_pushnil(lua);
    lua_newtable(lua);
    lua_newtable(lua);
    for (lua_pushnil(lua); lua_next(lua, 1);) {
        lua_pop(lua, 1);
        check_key(lua, -1);
        script_spend(lua, 8);
        lua_pushvalue(lua, -1);
        lua_rawseti(lua, FROM, ++count);
    }
    sort_list(lua, count, true);
    lua_pushvalue(lua, 1);
    lua_pushvalue(lua, FROM);
    lua_pushinteger(lua, 0);
    lua_pushcclosure(lua, next_pair, 3);
    lua_pushvalue(lua, 1);
    lua_pushnil(lua);
    return 3;
}

static int next_place(lua_State *lua)
{
    const lua_Integer place = integer_argument(lua, 2) + 1;
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_pushinteger(lua, place);
    return lua_rawgeti(lua, 1, place) == LUA_TNIL ? 1 : 2;
}

static int call_ipairs(lua_State *lua)
{
    luaL_checkany(lua, 1);
    lua_pushcfunction(lua, next_place);
    lua_pushvalue(lua, 1);
    lua_pushinteger(lua, 0);
    return 3;
}

/* ---- types ---- */

static int call_tostring(lua_State *lua)
{
    size_t length;
    luaL_checkany(lua, 1);
    text_push(lua, 1, &length);
    return 1;
}

/* Reads a text that is a whole number with digits of the number system `base`, perhaps with
 * blanks around it. False: the text is no such number. */
static bool read_digits(const char *text, size_t length, int base, lua_Integer *out)
{
    static const char blanks[] = " \f\n\r\t\v";
    size_t from = 0;
    lua_Unsigned number = 0;
    while (length > from && strchr(blanks, text[length - 1]))
        length--;
    while (from < length && strchr(blanks, text[from]))
        from++;
    const bool minus = from < length && text[from] == '-';
    from += minus;
    if (from == length)
        return false;
    for (; from < length; from++) {
        const char c = text[from];
        enum { TEN = 10, NONE = 99 };
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'z' ? c - 'a' + TEN
                          : c >= 'A' && c <= 'Z' ? c - 'A' + TEN
                                                 : NONE;
        if (digit >= base)
            return false;
        number = number * (lua_Unsigned)base + (lua_Unsigned)digit;
    }
    *out = (lua_Integer)(minus ? 0 - number : number);
    return true;
}

static int call_tonumber(lua_State *lua)
{
    size_t length;
    luaL_checkany(lua, 1);
    if (!lua_isnoneornil(lua, 2)) {
        lua_Integer number = 0;
        const lua_Integer base = integer_argument(lua, 2);
        luaL_checktype(lua, 1, LUA_TSTRING);
        luaL_argcheck(lua, base >= 2 && base <= 36, 2, "base out of range");
        const char *text = text_argument(lua, 1, &length);
        if (read_digits(text, length, (int)base, &number))
            lua_pushinteger(lua, number);
        else
            lua_pushnil(lua);
        return 1;
    }
    if (lua_type(lua, 1) == LUA_TNUMBER) {
        lua_settop(lua, 1);
    } else if (lua_type(lua, 1) == LUA_TSTRING) {
        const char *text = text_argument(lua, 1, &length);
        if (lua_stringtonumber(lua, text) != length + 1)
            lua_pushnil(lua);
    } else {
        lua_pushnil(lua);
    }
    return 1;
}

static int call_select(lua_State *lua)
{
    const int count = lua_gettop(lua);
    if (lua_type(lua, 1) == LUA_TSTRING && strcmp(lua_tostring(lua, 1), "#") == 0) {
        lua_pushinteger(lua, count - 1);
        return 1;
    }
    lua_Integer from = integer_argument(lua, 1);
    from = from < 0 ? count + from : from;
    luaL_argcheck(lua, from >= 1, 1, "index out of range");
    return from >= count ? 0 : count - (int)from;
}

/* ---- errors ---- */

static int call_error(lua_State *lua)
{
    const lua_Integer level = integer_optional(lua, 2, 1);
    lua_settop(lua, 1);
    if (lua_type(lua, 1) == LUA_TNUMBER) {
        size_t length;
        text_push(lua, 1, &length);
        lua_replace(lua, 1);
    }
    if (lua_type(lua, 1) == LUA_TSTRING && level > 0 && level < 100) {
        luaL_where(lua, (int)level);
        lua_pushvalue(lua, 1);
        lua_concat(lua, 2);
    }
    return lua_error(lua);
}

static int call_assert(lua_State *lua)
{
    luaL_checkany(lua, 1);
    if (lua_toboolean(lua, 1))
        return lua_gettop(lua);
    lua_settop(lua, 2);
    if (lua_isnil(lua, 2))
        return luaL_error(lua, "assertion failed!");
    return lua_error(lua);
}

/* pcall catches only the script's own errors. A run that was stopped stays stopped. */
static int call_pcall(lua_State *lua)
{
    enum { STEPS = 10, STEPS_CAUGHT = 500 };
    script *s = script_of(lua);
    luaL_checkany(lua, 1);
    script_spend(lua, STEPS);
    const int status = lua_pcall(lua, lua_gettop(lua) - 1, LUA_MULTRET, 0);
    if (s->stopped || s->no_memory)
        return lua_error(lua);
    if (status == LUA_ERRMEM)
        return script_stop(lua, "%s", s->limit ? s->limit : "its memory is full");
    if (status != LUA_OK)
        script_spend(lua, STEPS_CAUGHT);
    lua_pushboolean(lua, status == LUA_OK);
    lua_insert(lua, 1);
    return lua_gettop(lua);
}

const script_call base_calls[] = {
    {"assert", call_assert, false},     {"error", call_error, false},
    {"ipairs", call_ipairs, false},     {"next", call_next, false},
    {"pairs", call_pairs, false},       {"pcall", call_pcall, false},
    {"select", call_select, false},     {"tonumber", call_tonumber, false},
    {"tostring", call_tostring, false}, {NULL, NULL, false}};

/* ---- the library `table` ---- */

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
        /* The elements from `place` to `border` move by one place. */
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
        /* Nothing may lie above Lua's buffer on the stack while text is added to it. So the
         * element is first made a text and moved below the buffer. */
        text_push(lua, -1, &length);
        lua_replace(lua, 3);
        lua_pop(lua, 1);
        text_add(&b, lua_tostring(lua, 3), length);
        if (i == last)
            break; /* i + 1 might overflow */
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

static void copy(lua_State *lua, int from, int to, lua_Integer count)
{
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(lua, from, i);
        lua_rawseti(lua, to, i);
    }
}

static int call_sort(lua_State *lua)
{
    luaL_checktype(lua, SORTED, LUA_TTABLE);
    const lua_Integer count = table_border(lua, SORTED);
    if (!lua_isnoneornil(lua, LESS))
        luaL_checktype(lua, LESS, LUA_TFUNCTION);
    lua_settop(lua, LESS);
    script_spend(lua, 2 * (uint64_t)count);
    lua_newtable(lua);
    lua_newtable(lua);
    copy(lua, SORTED, FROM, count);
    sort_list(lua, count, false);
    copy(lua, FROM, SORTED, count);
    return 0;
}

const script_call table_calls[] = {{"concat", call_concat, false},
                                   {"insert", call_insert, false},
                                   {"pack", call_pack, false},
                                   {"remove", call_remove, false},
                                   {"sort", call_sort, false},
                                   {"unpack", call_unpack, false},
                                   {NULL, NULL, false}};
