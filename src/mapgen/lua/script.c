/*
 * Runs a script. Each run has a Lua state of its own, which holds only the libraries of this
 * folder and ends with the run. Steps are counted in three places: a hook counts instructions,
 * calls spend their own (script_spend), and strings cost some when they are made. When a limit
 * is met the run is stopped, and a script's pcall can't catch that (base_calls.c).
 */

#include "core/utf8.h"
#include "core/visible.h"
#include "mapgen/lua/script_impl.h"

#include <locale.h>
#include <lualib.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    HOOK_STEPS = 500, /* fewest steps between two checks of the run's limits */
    /* Greatest size in bytes of a string that costs no steps, counted with the bytes that Lua
     * puts before its text. */
    SHORT_TEXT = 128,
    /* As long as no string of the script has a NUL, an instruction may read strings of fewer
     * bytes than this without spending extra steps. */
    PLAIN_TEXT = 1024,
    TEXT_HEAD = 64, /* most bytes that Lua puts before a string's text */
    WORK = 1 << 30  /* how many bytes of large blocks a run may fill, all of them together */
};

script *script_of(lua_State *lua)
{
    return *(script **)lua_getextraspace(lua);
}

int script_stop(lua_State *lua, const char *format, ...)
{
    script *s = script_of(lua);
    if (!s->stopped) {
        va_list args;
        /* The message names the line of the script that is running; 0 if it is not known. */
        lua_Debug about = {.currentline = -1};
        for (int level = 0; level < 2 && about.currentline < 0; level++)
            if (lua_getstack(lua, level, &about))
                lua_getinfo(lua, "l", &about);
        const int used = snprintf(s->message, sizeof s->message,
                                  "script:%d: ", about.currentline > 0 ? about.currentline : 0);
        s->stopped = true;
        va_start(args, format);
        vsnprintf(s->message + used, sizeof s->message - (size_t)used, format, args);
        va_end(args);
    }
    lua_pushnil(lua); /* the error value is nil, as the run has the message already */
    return lua_error(lua);
}

void script_spend(lua_State *lua, uint64_t steps)
{
    script *s = script_of(lua);
    if (!s->counting)
        return;
    if (s->stopped || steps > s->steps) {
        s->steps = 0;
        script_stop(lua, "stopped after %d steps", SCRIPT_STEPS);
    }
    s->steps -= steps;
}

/* Returns how many steps an instruction costs. Lua may compare strings or convert them to
 * numbers within one instruction, and nothing tells which instructions do. So each instruction
 * costs as many steps as reading the longest string among the running function's local
 * variables, if that string is long. */
static uint64_t weight_of(lua_State *lua, const script *s)
{
    const size_t least = s->has_nul ? SHORT_TEXT : PLAIN_TEXT;
    lua_Debug about;
    size_t longest = 0;
    if (s->longest < least || !lua_getstack(lua, 0, &about))
        return 1;
    for (int i = 1; lua_getlocal(lua, &about, i); i++) {
        const size_t size = lua_type(lua, -1) == LUA_TSTRING ? lua_rawlen(lua, -1) : 0;
        longest = size > longest ? size : longest;
        lua_pop(lua, 1);
    }
    return longest < least ? 1 : 1 + longest / TEXT_STEP;
}

/* The hook, called each s->interval instructions. Scripts with deeply nested calls are stopped,
 * as Lua walks over all calls at each caught error, and so are those with very long `...`, as
 * each use copies all its values. The interval varies, so that no loop can hide an expensive
 * instruction between two calls of the hook. */
static void on_count(lua_State *lua, lua_Debug *about)
{
    enum { DEPTH_MAX = 1000, VARIED = 512 };
    script *s = script_of(lua);
    /* Ends the run if the caller asked for that. */
    const stop_hook *stop = s->request->stop;
    if (stop && stop_asked(stop)) {
        s->asked = true;
        script_stop(lua, "stopped");
    }
    script_spend(lua, (uint64_t)s->interval * weight_of(lua, s));
    if (lua_getstack(lua, DEPTH_MAX, about))
        script_stop(lua, "more than %d calls inside each other", DEPTH_MAX);
    /* Does a running function have more values in its `...` than any script needs? */
    enum { LEVELS = 3, ARGUMENTS_MAX = 1000 };
    bool many = false;
    for (int level = 0; level < LEVELS && !many && lua_getstack(lua, level, about); level++)
        many = lua_getlocal(lua, about, -ARGUMENTS_MAX - 1) != NULL;
    if (many)
        script_stop(lua, "a function with too many arguments");
    s->interval = HOOK_STEPS + (int)(hash_mix(s->steps) % VARIED);
    lua_sethook(lua, on_count, LUA_MASKCOUNT, s->interval);
}

/* ---- memory ---- */

/* Returns whether the script may make a string of `size` bytes, with the bytes that Lua puts
 * before each string. A long string takes some of the script's steps. */
static bool text_allowed(script *s, size_t size)
{
    if (size > SCRIPT_TEXT_MAX + TEXT_HEAD) {
        s->limit = "a string is too long";
        return false;
    }
    const uint64_t steps = size > SHORT_TEXT ? size / TEXT_STEP : 0;
    if (steps > s->steps) {
        s->steps = 0;
        s->limit = "its strings took the last of its steps";
        return false;
    }
    s->steps -= steps;
    return true;
}

/* May Lua fill a block of memory of `size` bytes? Filling takes time. So the bytes of large
 * blocks are added up over the whole run, and the sum is limited. Otherwise a script could add
 * keys to a full table and remove them again, and Lua would fill the table's memory anew each
 * time. */
static bool block_allowed(script *s, size_t size)
{
    enum { SMALL_BLOCK = 1024 };
    if (size < SMALL_BLOCK)
        return true;
    if (size > s->work) {
        s->limit = "its tables took too much work";
        return false;
    }
    s->work -= size;
    return true;
}

void script_look_at_table(lua_State *lua)
{
    enum { PART = 16 };
    script *s = script_of(lua);
    if (s->memory / PART > s->work)
        script_stop(lua, "its tables took too much work");
    s->work -= s->memory / PART;
}

/* Lua's allocator. If there is no block yet, Lua passes the new object's type in `old`. */
static void *allocate(void *payload, void *block, size_t old, size_t size)
{
    script *s = payload;
    const size_t before = block ? old : 0;
    if (size == 0) {
        free(block);
        s->memory -= before;
        return NULL;
    }
    if (!block && old == LUA_TSTRING && size > s->longest)
        s->longest = size;
    if (!block && old == LUA_TSTRING && s->counting && !text_allowed(s, size))
        return NULL;
    if (size > before && !block_allowed(s, size))
        return NULL;
    /* If the run gets no memory, Lua collects all garbage and asks again. A script whose memory
     * is nearly full could make Lua do so for every small table, so the number of refusals is
     * limited. */
    enum { REFUSED_MAX = 32 };
    if (size > before &&
        (s->refused >= REFUSED_MAX || s->memory + (size - before) > SCRIPT_MEMORY)) {
        s->limit = "its memory is full";
        s->refused++;
        return NULL;
    }
    void *moved = realloc(block, size);
    if (!moved && size <= before)
        return block; /* Lua requires that a block can always be made smaller */
    s->no_memory = s->no_memory || !moved;
    if (moved)
        s->memory = s->memory - before + size;
    return moved;
}

/* ---- what a script gets ---- */

/* Adds functions to the table on the top of the stack. */
static void add_calls(lua_State *lua, const script_call *calls)
{
    for (; calls->name; calls++) {
        if (calls->other)
            lua_pushboolean(lua, true);
        lua_pushcclosure(lua, calls->call, calls->other);
        lua_setfield(lua, -2, calls->name);
    }
}

/* The operators `#` and `^` of scripts, which source.c replaces by calls. */

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

/* In rewritten scripts `a ^ b` stands as `a ^ P ^ b`, which Lua reads as a ^ (P ^ b). This
 * carries out `P ^ b`: it keeps b, and returns a value whose own operator `^` raises a to the
 * power b. */
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

/* Replaces the function on the top of the stack by a value whose operator `^` is that function.
 */
static void to_operator(lua_State *lua)
{
    lua_newuserdatauv(lua, 1, 0);
    lua_newtable(lua);
    lua_pushvalue(lua, -3);
    lua_setfield(lua, -2, "__pow");
    lua_setmetatable(lua, -2);
    lua_remove(lua, -2);
}

/* Scripts are rewritten (source.c) so that `#` and `^` become uses of two values. Adds these
 * values, under the names SOURCE_LENGTH and SOURCE_POWER, to the table on the top of the
 * stack. */
static void operators_open(lua_State *lua)
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

/* Calls the function of Lua's own libraries that is this closure's upvalue. That function reads
 * strings, so the steps for reading them are spent first. */
static int on_text(lua_State *lua)
{
    size_t size;
    (void)text_argument(lua, 1, &size);
    text_spend(lua, 2);
    text_spend(lua, 3);
    return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
}

/* Calls the function of Lua's own libraries that is this function's upvalue. That function
 * takes numbers. If an argument is a text, which Lua would convert, the steps of reading it are
 * spent before. */
static int on_numbers(lua_State *lua)
{
    text_spend(lua, 1);
    text_spend(lua, 2);
    return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
}

/* Takes functions of Lua's own libraries into the globals on the top of the stack: those whose
 * cost is bounded, and which every machine calculates alike. */
static void take_own(lua_State *lua)
{
    static const struct {
        const char *library;
        lua_CFunction open;
        /* Called with each call of the function, to spend the steps that it costs; NULL:
         * nothing is spent. */
        lua_CFunction spend;
        const char *names[14]; /* names of the library's functions; ends with NULL */
    } own[] = {{"_G", luaopen_base, NULL, {"rawequal", "rawget", "rawset", "type"}},
               {"string", luaopen_string, on_text, {"len", "lower", "reverse", "sub", "upper"}},
               {"math",
                luaopen_math,
                on_numbers,
                {"abs", "ceil", "floor", "fmod", "huge", "maxinteger", "mininteger", "modf",
                 "pi", "sqrt", "tointeger", "type", "ult"}}};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        /* Opening one of Lua's libraries makes the library's table, or sets globals. These
         * globals are written to a new table, which no script sees. */
        lua_newtable(lua);
        lua_rawseti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
        lua_pushcfunction(lua, own[i].open);
        lua_call(lua, 0, 1);
        lua_getfield(lua, -2, own[i].library);
        for (const char *const *name = own[i].names; *name; name++) {
            lua_getfield(lua, -2, *name);
            if (own[i].spend && lua_isfunction(lua, -1))
                lua_pushcclosure(lua, own[i].spend, 1);
            lua_setfield(lua, -2, *name);
        }
        lua_pop(lua, 2);
    }
    lua_pushvalue(lua, -1);
    lua_rawseti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}

/* Makes the globals of a script: our functions and tables, and nothing of Lua's own
 * libraries. */
static void open_all(lua_State *lua)
{
    const script_request *q = script_of(lua)->request;
    static const struct {
        const char *name;
        const script_call *calls;
    } tables[] = {{"table", table_calls},
                  {"string", string_calls},
                  {"math", math_calls},
                  {"map", map_calls},
                  {"game", game_calls}};
    lua_pushglobaltable(lua);
    add_calls(lua, base_calls);
    lua_pushvalue(lua, -1);
    lua_setfield(lua, -2, "_G");
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        lua_newtable(lua);
        add_calls(lua, tables[i].calls);
        lua_setfield(lua, -2, tables[i].name);
    }
    take_own(lua);
    lua_getfield(lua, -1, "game");
    lua_getfield(lua, -1, "add_msg");
    lua_setfield(lua, -3, "print");
    lua_pop(lua, 1);
    /* Lets scripts call the functions of `string` as methods of a string: s:len() for
     * string.len(s). */
    lua_pushliteral(lua, "");
    lua_newtable(lua);
    lua_getfield(lua, -3, "string");
    lua_setfield(lua, -2, "__index");
    lua_setmetatable(lua, -2);
    lua_pop(lua, 1);
    lua_pushstring(lua, q->terrain);
    lua_setfield(lua, -2, "tertype");
    lua_pushinteger(lua, (lua_Integer)q->turn);
    lua_setfield(lua, -2, "turn");
    lua_newtable(lua); /* this table holds what scripts must not see among their globals */
    lua_newtable(lua);
    operators_open(lua);
    lua_setfield(lua, -2, "__index");
    lua_setmetatable(lua, -2);
    lua_pop(lua, 1);
}

/* Pushes the script as a function, or an error message. */
static int load_text(lua_State *lua, const char *text, size_t size)
{
    return luaL_loadbufferx(lua, text, size, "=script", "t");
}

/* Runs the script; its argument is the text that source_rewrite made. */
static int run_protected(lua_State *lua)
{
    /* Lua begins to collect garbage when its memory has grown by a quarter since the last
     * collection. */
    enum { PAUSE = 125 };
    script *s = script_of(lua);
    const bytes *text = lua_touserdata(lua, 1);
    lua_gc(lua, LUA_GCINC, PAUSE, 0, 0);
    open_all(lua);
    if (load_text(lua, (const char *)text->data, text->size) != LUA_OK)
        return lua_error(lua);
    lua_pushstring(lua, s->request->terrain);
    lua_pushinteger(lua, (lua_Integer)s->request->turn);
    s->counting = true;
    s->interval = HOOK_STEPS;
    lua_sethook(lua, on_count, LUA_MASKCOUNT, s->interval);
    lua_call(lua, 2, 0);
    return 0;
}

/* Compiles the script twice: first as it is written, so that messages fit its text, then in the
 * form in which it is run (source.c). */
static int check_protected(lua_State *lua)
{
    const script *s = script_of(lua);
    const bytes *text = lua_touserdata(lua, 1);
    if (load_text(lua, s->text, s->size) != LUA_OK ||
        load_text(lua, (const char *)text->data, text->size) != LUA_OK)
        return lua_error(lua);
    return 0;
}

/* ---- runs ---- */

/* Keeps the message of the error on the top of the stack as that of the run, which has had no
 * error before. */
static void keep_message(script *s, lua_State *lua, int status)
{
    const bool text = lua_gettop(lua) > 0 && lua_type(lua, -1) == LUA_TSTRING;
    if (status == LUA_ERRMEM)
        snprintf(s->message, sizeof s->message, "%s",
                 s->limit ? s->limit : "its memory is full");
    else if (status != LUA_OK)
        snprintf(s->message, sizeof s->message, "%s%s%s",
                 text ? "" : "an error that is no text, but a ",
                 text ? lua_tostring(lua, -1) : luaL_typename(lua, -1), text ? "" : " value");
}

/* Runs `function`, in a new Lua state that ends with this call. The "C" locale is set
 * meanwhile, as Lua writes numbers and compares texts by the locale. */
static script_outcome run_state(script *s, lua_CFunction function, bytes *text)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = plain ? uselocale(plain) : (locale_t)0;
    lua_State *lua = plain ? lua_newstate(allocate, s) : NULL;
    int status = LUA_ERRMEM;
    s->no_memory = s->no_memory || !lua;
    if (lua) {
        *(script **)lua_getextraspace(lua) = s;
        lua_pushcfunction(lua, function);
        lua_pushlightuserdata(lua, text);
        status = lua_pcall(lua, 1, 0, 0);
        if (!s->stopped)
            keep_message(s, lua, status);
        s->counting = false;
        lua_close(lua);
    }
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    visible_one_line(s->message);
    if (s->asked)
        return SCRIPT_STOPPED;
    return s->no_memory ? SCRIPT_NO_MEMORY : status == LUA_OK ? SCRIPT_DONE : SCRIPT_FAILED;
}

static script_outcome run_text(script *s, lua_CFunction function, script_fault *fault)
{
    bytes text;
    bytes_init(&text);
    script_outcome outcome = SCRIPT_FAILED;
    if (source_rewrite(&text, s->text, s->size, fault))
        outcome = text.failed ? SCRIPT_NO_MEMORY : run_state(s, function, &text);
    else
        snprintf(s->message, sizeof s->message, "script:%d: %.*s", fault->line,
                 UTF8_CUT(fault->message, 200));
    bytes_dispose(&text);
    return outcome;
}

script_outcome script_run(const script_request *request, char message[SCRIPT_MESSAGE])
{
    script_fault fault;
    script s = {.request = request,
                .text = request->text,
                .size = request->size,
                .steps = *request->steps,
                .has_nul = source_has_nul(request->text, request->size),
                .work = WORK};
    const script_outcome outcome = run_text(&s, run_protected, &fault);
    *request->steps = (uint32_t)s.steps;
    memcpy(message, s.message, SCRIPT_MESSAGE);
    return outcome;
}

script_outcome script_check(const char *text, size_t size, script_fault *fault)
{
    static const char begin[] = "script:";
    script s = {.text = text, .size = size, .work = WORK};
    *fault = (script_fault){.line = 1};
    const script_outcome outcome = run_text(&s, check_protected, fault);
    /* Lua writes "script:LINE: what is wrong". */
    const char *said = s.message;
    char *end = NULL;
    if (strncmp(said, begin, strlen(begin)) == 0) {
        const long line = strtol(said + strlen(begin), &end, 10);
        fault->line = line > 0 && line <= INT32_MAX ? (int)line : 1;
        said = strncmp(end, ": ", 2) == 0 ? end + 2 : said;
    }
    snprintf(fault->message, sizeof fault->message, "%s", said);
    return outcome;
}

static bool is_absent(lua_State *lua, int table, lua_Integer at)
{
    const bool absent = lua_rawgeti(lua, table, at) == LUA_TNIL;
    lua_pop(lua, 1);
    return absent;
}

lua_Integer table_border(lua_State *lua, int table)
{
    /* Searches an n such that element n exists and element n + 1 does not. `low` is always 0
     * or the number of an existing element; `high` is doubled until it is that of a missing
     * one. */
    lua_Integer low = 0, high = 1;
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
