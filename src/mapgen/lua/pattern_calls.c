/* The library `string`: find, match, gmatch and gsub with the patterns of pattern.h, then the
 * simple calls, then formats. Letters are those of ASCII, so that no locale matters. */
#include "mapgen/lua/pattern.h"
#include "mapgen/lua/script_impl.h"

#include <math.h>
#include <stdio.h>

/* Prepares the matching of a pattern, which spends steps of the script's run. `text` and
 * `source` are the stack indexes of the text and of the pattern. */
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
        script_spend(lua, 1); /* no step is left, so this call ends the run */
    if (p->fault)
        luaL_error(lua, "%s", p->fault);
    return end;
}

/* Skips a ^ at the beginning of the pattern. Returns whether there is one; if so, the pattern
 * may match only at the first place that is searched. */
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

/* Finds the pattern's text literally, without special characters; PATTERN_NONE: the text does
 * not contain it. */
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

/* Returns the place in a text that an argument names. A negative argument counts from the
 * text's end; the place 0 lies before the text. */
static lua_Integer text_place(lua_Integer place, size_t length)
{
    if (place >= 0)
        return place;
    return place < -(lua_Integer)length ? 0 : (lua_Integer)length + place + 1;
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

/* Finds the next match of gmatch. From call to call Lua keeps four values for it (upvalues):
 * the text, the pattern, the place at which the search goes on, and the end of the last
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

/* Adds the replacement's text, in which %1 and so on stand for captures of the match. While a
 * capture is added, it lies at the stack index SPARE. */
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

/* Adds the replacement of a match, if gsub got a table or function: the value that this gives
 * for the match, or the match itself if the value is false or nil. */
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

/* ---- simple calls ---- */

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

/* Is the argument NaN? It is told apart because machines differ in the sign that they print for
 * NaN. */
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
    /* Tables, functions and the like become the name of their type, without their address. */
    default:
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

/* string.format: %d %i %u %c %x %X %o %e %E %f %F %g %G %s %%, with flags, and a width and a
 * precision of at most two digits each. Addresses (%p) and hexadecimal floats (%a) are left
 * out. */

enum { SPEC_MAX = 16, NUMBER_MAX = 512 };

/* One conversion of a format, such as "%5.2f", in the form that C's printf takes, but without
 * its last letter. */
typedef struct format_spec {
    char text[SPEC_MAX];
    size_t length;
    char letter;
} format_spec;

static size_t take_digits(format_spec *s, const char **at, size_t most)
{
    size_t count = 0;
    while (count < most && **at >= '0' && **at <= '9') {
        s->text[s->length++] = *(*at)++;
        count++;
    }
    return count;
}

/* Reads what follows a %. The format ends with a NUL. */
static void read_spec(lua_State *lua, format_spec *s, const char **at)
{
    enum { FLAGS_MAX = 5, DIGITS_MAX = 2 };
    *s = (format_spec){.text = "%", .length = 1};
    for (int i = 0; i < FLAGS_MAX && **at && strchr("-+ #0", **at); i++)
        s->text[s->length++] = *(*at)++;
    take_digits(s, at, DIGITS_MAX);
    if (**at == '.') {
        s->text[s->length++] = *(*at)++;
        take_digits(s, at, DIGITS_MAX);
    }
    s->letter = **at;
    if (!s->letter || !strchr("dicuxXoeEfFgGs%", s->letter))
        luaL_error(lua, "invalid conversion '%%%s%c' to 'format'", s->text + 1,
                   s->letter ? s->letter : ' ');
    (*at)++;
}

/* Appends to a conversion, such as "%5", the length and letter that C's printf needs, such as
 * "lld". */
static const char *finish(format_spec *s, const char *end)
{
    memcpy(s->text + s->length, end, strlen(end) + 1);
    return s->text;
}

/* Adds an argument to the buffer, in the form that the conversion `s` asks for. `spare` is a
 * stack index below the buffer; a copy of the argument may be put there. */
static void add_argument(lua_State *lua, luaL_Buffer *b, format_spec *s, int argument,
                         int spare)
{
    size_t length;
    if (s->letter == 's') {
        luaL_checkany(lua, argument);
        text_push(lua, argument, &length);
        lua_replace(lua, spare);
        const char *text = lua_tostring(lua, spare);
        char out[NUMBER_MAX];
        const bool cut = memchr(s->text, '.', s->length) != NULL;
        /* A text is added as it is if its conversion (such as %s) has no flags, width or
         * precision. The same holds for a text that is longer than any width of two digits, if
         * there is no precision, which would shorten it. */
        if (s->length == 1 || (!cut && length >= 100)) {
            text_add(b, text, length);
        } else {
            const int printed = snprintf(out, sizeof out, finish(s, "s"), text);
            text_add(b, out, (size_t)printed);
        }
    } else if (s->letter == 'c') {
        const char c = (char)(unsigned char)integer_argument(lua, argument);
        script_of(lua)->has_nul = script_of(lua)->has_nul || c == '\0';
        text_add(b, &c, 1);
    } else if (strchr("dicuxXo", s->letter)) {
        const lua_Integer number = integer_argument(lua, argument);
        char out[NUMBER_MAX];
        const char end[] = {'l', 'l', (char)(s->letter == 'i' ? 'd' : s->letter), '\0'};
        const int printed = snprintf(out, sizeof out, finish(s, end), (long long)number);
        text_add(b, out, (size_t)printed);
    } else {
        const double number = number_argument(lua, argument);
        char out[NUMBER_MAX];
        const char end[] = {s->letter, '\0'};
        const bool upper = s->letter >= 'A' && s->letter <= 'Z';
        const int printed = isnan(number)
                                ? snprintf(out, sizeof out, "%s", upper ? "NAN" : "nan")
                                : snprintf(out, sizeof out, finish(s, end), number);
        text_add(b, out, (size_t)printed);
    }
}

static int call_format(lua_State *lua)
{
    size_t length;
    int argument = 1;
    const char *at = text_argument(lua, 1, &length);
    const char *end = at + length;
    const int count = lua_gettop(lua);
    luaL_Buffer b;
    lua_pushnil(lua);
    const int spare = lua_gettop(lua);
    luaL_buffinit(lua, &b);
    while (at < end) {
        const char *percent = memchr(at, '%', (size_t)(end - at));
        text_add(&b, at, (size_t)((percent ? percent : end) - at));
        script_spend(lua, 1);
        if (!percent)
            break;
        format_spec s;
        at = percent + 1;
        read_spec(lua, &s, &at);
        if (s.letter == '%') {
            text_add(&b, "%", 1);
            continue;
        }
        if (++argument > count)
            return luaL_error(lua, "bad argument #%d to 'format' (no value)", argument);
        add_argument(lua, &b, &s, argument, spare);
    }
    luaL_pushresult(&b);
    return 1;
}

const script_call string_calls[] = {{"byte", call_byte, false},
                                    {"char", call_char, false},
                                    {"find", find_or_match, false},
                                    {"format", call_format, false},
                                    {"gmatch", call_gmatch, false},
                                    {"gsub", call_gsub, false},

                                    {"match", find_or_match, true},
                                    {"rep", call_rep, false},

                                    {NULL, NULL, false}};
