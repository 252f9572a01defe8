/* string.find, match, gmatch and gsub, with the patterns of pattern.h. */
#include "mapgen/lua/pattern.h"
#include "mapgen/lua/script_impl.h"

/* Prepares a pattern that spends the run's steps. */
static void begin(lua_State *lua, pattern *p, int text, int source)
{
    *p = (pattern){.text = NULL};
    p->text = text_argument(lua, text, &p->text_size);
    p->source = text_argument(lua, source, &p->source_size);
}

static size_t match(lua_State *lua, pattern *p, size_t at)
{
    script *s = script_of(lua);
    p->steps = s->steps;
    const size_t end = pattern_match(p, at);
    s->steps = p->steps;
    if (p->spent)
        script_spend(lua, 1); /* none is left, so this ends the run */
    if (p->fault)
        luaL_error(lua, "%s", p->fault);
    return end;
}

/* Skips a ^ at the beginning of the pattern and returns whether there is one: then only the
 * first place is tried. */
static bool take_anchor(pattern *p)
{
    const bool anchored = p->source_size > 0 && p->source[0] == '^';
    p->source += anchored;
    p->source_size -= anchored;
    return anchored;
}

/* ---- captures ---- */

/* Pushes a capture. If the pattern has none, the first one is the whole match. */
static void push_capture(lua_State *lua, const pattern *p, int number, size_t start, size_t end)
{
    if (number == 0 && p->count == 0) {
        lua_pushlstring(lua, p->text + start, end - start);
        return;
    }
    if (number >= p->count)
        luaL_error(lua, "invalid capture index %%%d", number + 1);
    const pattern_capture *c = &p->captures[number];
    if (c->place)
        lua_pushinteger(lua, (lua_Integer)c->start + 1);
    else if (c->end == PATTERN_NONE)
        luaL_error(lua, "unfinished capture");
    else
        lua_pushlstring(lua, p->text + c->start, c->end - c->start);
}

static int push_captures(lua_State *lua, const pattern *p, bool whole, size_t start, size_t end)
{
    const int count = p->count == 0 && whole ? 1 : p->count;
    luaL_checkstack(lua, count, "too many captures");
    for (int i = 0; i < count; i++)
        push_capture(lua, p, i, start, end);
    return count;
}

/* ---- find and match ---- */

/* Finds the pattern's text as it stands, without special characters; PATTERN_NONE: it is not
 * there. */
static size_t find_plain(lua_State *lua, const pattern *p, size_t from)
{
    for (size_t at = from; p->source_size <= p->text_size - at; at++) {
        size_t same = 0;
        while (same < p->source_size && p->text[at + same] == p->source[same])
            same++;
        script_spend(lua, 1 + same);
        if (same == p->source_size)
            return at;
        if (at == p->text_size)
            break;
    }
    return PATTERN_NONE;
}

static int find_or_match(lua_State *lua)
{
    const bool find = !script_is_other(lua);
    pattern p;
    begin(lua, &p, 1, 2);
    lua_Integer first = text_place(integer_optional(lua, 3, 1), p.text_size);
    first = first < 1 ? 1 : first;
    if (first > (lua_Integer)p.text_size + 1) {
        lua_pushnil(lua);
        return 1;
    }
    size_t start = (size_t)first - 1, end = PATTERN_NONE;
    static const char special[] = "^$*+?.([%-";
    bool plain = find;
    for (size_t i = 0; i < p.source_size && plain; i++)
        plain = p.source[i] == '\0' || !strchr(special, p.source[i]);
    if (find && (lua_toboolean(lua, 4) || plain)) {
        start = find_plain(lua, &p, start);
        end = start == PATTERN_NONE ? PATTERN_NONE : start + p.source_size;
    } else {
        const bool anchored = take_anchor(&p);
        end = match(lua, &p, start);
        while (end == PATTERN_NONE && !anchored && start < p.text_size)
            end = match(lua, &p, ++start);
    }
    if (end == PATTERN_NONE) {
        lua_pushnil(lua);
        return 1;
    }
    if (!find)
        return push_captures(lua, &p, true, start, end);
    lua_pushinteger(lua, (lua_Integer)start + 1);
    lua_pushinteger(lua, (lua_Integer)end);
    return push_captures(lua, &p, false, start, end) + 2;
}

/* ---- gmatch ---- */

enum { NO_END = -1 };

/* Its upvalues are the text, the pattern, the place to go on at, and the end of the last
 * match. */
static int next_match(lua_State *lua)
{
    pattern p;
    lua_settop(lua, 0);
    for (int i = 1; i <= 2; i++)
        lua_pushvalue(lua, lua_upvalueindex(i));
    begin(lua, &p, 1, 2);
    const lua_Integer last = lua_tointeger(lua, lua_upvalueindex(4));
    for (size_t at = (size_t)lua_tointeger(lua, lua_upvalueindex(3)); at <= p.text_size; at++) {
        const size_t end = match(lua, &p, at);
        if (end == PATTERN_NONE || (lua_Integer)end == last)
            continue;
        lua_pushinteger(lua, (lua_Integer)end);
        lua_pushvalue(lua, -1);
        lua_replace(lua, lua_upvalueindex(3));
        lua_replace(lua, lua_upvalueindex(4));
        return push_captures(lua, &p, true, at, end);
    }
    return 0;
}

static int call_gmatch(lua_State *lua)
{
    size_t length;
    text_argument(lua, 1, &length);
    luaL_checkstring(lua, 2);
    lua_Integer first = text_place(integer_optional(lua, 3, 1), length);
    first = first < 1 ? 1 : first > (lua_Integer)length + 1 ? (lua_Integer)length + 2 : first;
    lua_settop(lua, 2);
    lua_pushinteger(lua, first - 1);
    lua_pushinteger(lua, NO_END);
    lua_pushcclosure(lua, next_match, 4);
    return 1;
}

/* ---- gsub ---- */

/* Indexes on the stack while gsub works. */
enum { SUBJECT = 1, SOURCE, REPLACEMENT, COUNT, SPARE };

/* Adds the replacement's text with its captures, which lie in SPARE while they are added. */
static void add_template(lua_State *lua, luaL_Buffer *b, const pattern *p, size_t start,
                         size_t end)
{
    size_t size;
    const char *text = lua_tolstring(lua, REPLACEMENT, &size);
    for (size_t i = 0; i < size; i++) {
        script_spend(lua, 1);
        const char c = text[i] == '%' && i + 1 < size ? text[i + 1] : '\0';
        if (text[i] != '%') {
            text_add(b, text + i, 1);
            continue;
        }
        i++;
        if (c == '%') {
            text_add(b, "%", 1);
        } else if (c == '0') {
            text_add(b, p->text + start, end - start);
        } else if (c >= '1' && c <= '9') {
            size_t length;
            push_capture(lua, p, c - '1', start, end);
            lua_replace(lua, SPARE);
            const char *capture = lua_tolstring(lua, SPARE, &length);
            text_add(b, capture, length);
        } else {
            luaL_error(lua, "invalid use of '%%' in replacement string");
        }
    }
}

/* Adds what the table or function gives for the match; for false and nil that is the match
 * itself. */
static void add_answer(lua_State *lua, luaL_Buffer *b, const pattern *p, size_t start,
                       size_t end)
{
    size_t length;
    if (lua_istable(lua, REPLACEMENT)) {
        push_capture(lua, p, 0, start, end);
        lua_rawget(lua, REPLACEMENT);
    } else {
        lua_pushvalue(lua, REPLACEMENT);
        lua_call(lua, push_captures(lua, p, true, start, end), 1);
    }
    const bool none = !lua_toboolean(lua, -1);
    if (!none && !lua_isstring(lua, -1))
        luaL_error(lua, "invalid replacement value (a %s)", luaL_typename(lua, -1));
    if (!none)
        text_push(lua, -1, &length);
    lua_replace(lua, SPARE);
    lua_settop(lua, none ? lua_gettop(lua) : lua_gettop(lua) - 1);
    if (none)
        text_add(b, p->text + start, end - start);
    else
        text_add(b, lua_tostring(lua, SPARE), length);
}

static int call_gsub(lua_State *lua)
{
    pattern p;
    luaL_Buffer b;
    begin(lua, &p, SUBJECT, SOURCE);
    const int type = lua_type(lua, REPLACEMENT);
    luaL_argexpected(lua,
                     type == LUA_TSTRING || type == LUA_TNUMBER || type == LUA_TTABLE ||
                         type == LUA_TFUNCTION,
                     REPLACEMENT, "string/function/table");
    if (type == LUA_TNUMBER) {
        size_t length;
        text_argument(lua, REPLACEMENT, &length);
    }
    const lua_Integer most = integer_optional(lua, COUNT, (lua_Integer)p.text_size + 1);
    const bool text = type == LUA_TSTRING || type == LUA_TNUMBER, anchored = take_anchor(&p);
    lua_Integer count = 0;
    size_t at = 0, last = PATTERN_NONE;
    lua_settop(lua, SPARE);
    luaL_buffinit(lua, &b);
    while (count < most) {
        const size_t end = match(lua, &p, at);
        if (end != PATTERN_NONE && end != last) {
            count++;
            (text ? add_template : add_answer)(lua, &b, &p, at, end);
            at = last = end;
        } else if (at < p.text_size) {
            text_add(&b, p.text + at++, 1);
        } else {
            break;
        }
        if (anchored)
            break;
    }
    if (at < p.text_size)
        text_add(&b, p.text + at, p.text_size - at);
    luaL_pushresult(&b);
    lua_pushinteger(lua, count);
    return 2;
}

const script_call pattern_calls[] = {{"find", find_or_match, false},
                                     {"gmatch", call_gmatch, false},
                                     {"gsub", call_gsub, false},
                                     {"match", find_or_match, true},
                                     {NULL, NULL, false}};
