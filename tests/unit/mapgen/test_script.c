/*
 * Scripts in Lua: what the language and its libraries give, that nothing else can be reached,
 * that each limit holds and cannot be caught, and that a run is the same each time, although
 * every state of Lua hashes its strings with another seed.
 */
#include "unit/mapgen/test_script.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "unit/mapgen/script_fixture.h"

#include <check.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static script_fixture f;

static void setup(void)
{
    script_begin(&f, 1);
}

static void teardown(void)
{
    script_end(&f);
}

/* Runs a text anew. */
static script_outcome run(const char *text)
{
    script_end(&f);
    script_begin(&f, 1);
    return script_text(&f, text, strlen(text));
}

static const char *said(void)
{
    return bytes_text(&f.said);
}

/* A script and what it says, or what it fails of. */
typedef struct example {
    const char *script, *answer;
} example;

static void check_said(const example *e)
{
    ck_assert_msg(run(e->script) == SCRIPT_DONE, "%s: %s", e->script, f.message);
    ck_assert_msg(strcmp(said(), e->answer) == 0, "%s: %s, not %s", e->script, said(),
                  e->answer);
}

static void check_failed(const example *e)
{
    ck_assert_msg(run(e->script) == SCRIPT_FAILED, "%s did not fail, and said %s", e->script,
                  said());
    ck_assert_msg(strstr(f.message, e->answer) != NULL, "%s: '%s', not '%s'", e->script,
                  f.message, e->answer);
}

/* ---- language and libraries ---- */

static const example language[] = {
    {"print(tertype, turn, ...)", "house_north\t77\thouse_north\t77\n"},
    {"local a, b = ...; print(a == tertype, b == turn)", "true\ttrue\n"},
    {"print(7 // 2, 7 / 2, 7 % 3, -7 // 2, -7 % 3, 7.5 // 2)", "3\t3.5\t1\t-4\t2\t3.0\n"},
    {"print(2^10, 2^-1, 4^0.5, (-2)^3, -2^2, 2^3^2, 2^-1^2)",
     "1024.0\t0.5\t2.0\t-8.0\t-4.0\t512.0\t0.5\n"},
    {"local t = {1, 2, 3}; print(#t, -#t, #'ab' .. #'c', 2^#t, #{#t, #t})",
     "3\t-3\t21\t8.0\t2\n"},
    {"local s = 'a#b^c' --# ^\nprint(s, #s) --[[ # ]] print([[#^]], '\\'#', [==[]]#]==])",
     "a#b^c\t5\n#^\t'#\t]]#\n"},
    {"print(#'a\\\nb', 'x\\z   #', \"\\\"#\")", "3\tx#\t\"#\n"},
    {"local n = 0 for i = 10, 1, -3 do n = n + i end print(n)", "22\n"},
    {"local i = 0 ::again:: i = i + 1 if i < 5 then goto again end print(i)", "5\n"},
    {"print(1 << 4, 7 & 3, 4 | 1, 5 ~ 1, ~0)", "16\t3\t5\t4\t-1\n"},
    {"print(tostring(nil), tostring(true), tostring(1), tostring(1.5), tostring('x'))",
     "nil\ttrue\t1\t1.5\tx\n"},
    {"print(tostring({}), tostring(print), {}, print)", "table\tfunction\ttable\tfunction\n"},
    {"print(tonumber('0x10'), tonumber(' 12 '), tonumber('1e2'), tonumber('x'), tonumber('z', "
     "36), tonumber('-11', 2), tonumber('8', 8))",
     "16\t12\t100.0\tnil\t35\t-3\tnil\n"},
    {"print(select('#', 1, nil, 3), select(2, 'a', 'b', 'c'))", "3\tb\tc\n"},
    {"print(select(-1, 'a', 'b'), type(print), type(nil), type(map))",
     "b\tfunction\tnil\ttable\n"},
    {"print(rawequal(map, map), rawget({5}, 1), rawget({}, 1))", "true\t5\tnil\n"},
    {"print(pcall(error, 'x'), pcall(error), (pcall(error, {})))", "false\tfalse\tfalse\n"},
    {"print(pcall(function() error('here') end))", "false\tscript:1: here\n"},
    {"print(select(2, pcall(function() local x = nil; x.y = 1 end)))",
     "script:1: attempt to index a nil value (local 'x')\n"},
    {"print(assert(1, 2), pcall(assert, false, 'm'))", "1\tfalse\tm\n"},
    {"print(0/0 == 0/0, tostring(0/0), tostring(-(0/0)), 1/0, -1/0)",
     "false\tnan\tnan\tinf\t-inf\n"},
    {"function g() return 1 end print(g(), _G.g == g, _G._G == _G)", "1\ttrue\ttrue\n"},
    {"print(next({}), next({7}), next({a = 1}))", "nil\t1\ta\t1\n"}};

START_TEST(the_language_is_lua)
{
    check_said(&language[_i]);
}
END_TEST

static const example libraries[] = {
    {"local t = {3, 1, 2} table.sort(t) print(table.concat(t, ','))", "1,2,3\n"},
    {"local t = {'b', 'a', 'C'} table.sort(t, function(a, b) return a > b end) "
     "print(table.concat(t))",
     "baC\n"},
    {"local t = {} for i = 1, 200 do t[i] = {i % 7, i} end table.sort(t, function(a, b) return "
     "a[1] < b[1] end) for i = 2, 200 do local a, b = t[i - 1], t[i] if a[1] > b[1] or a[1] == "
     "b[1] and a[2] > b[2] then print('not stable') end end print(t[1][2], t[200][2])",
     "7\t195\n"},
    {"local t = {1, 2, 3} table.insert(t, 4) table.insert(t, 1, 0) print(table.concat(t, ' '), "
     "table.remove(t), table.remove(t, 1), table.concat(t, ' '))",
     "0 1 2 3 4\t4\t0\t1 2 3\n"},
    {"print(table.remove({}), table.unpack({1, 2, 3}), table.unpack({1, 2, 3}, 2))",
     "nil\t1\t2\t3\n"},
    {"local t = table.pack(1, nil, 3) print(t.n, t[1], t[2], t[3])", "3\t1\tnil\t3\n"},
    {"print(table.concat({}), table.concat({1, 2.5, 'x'}, '-'), table.concat({1, 2, 3}, '', 2, "
     "3))",
     "\t1-2.5-x\t23\n"},
    {"print(('abc'):len(), ('abc'):upper(), ('ABC'):lower(), ('abc'):reverse(), "
     "('ab'):rep(3, '-'), ('x'):rep(0), ('x'):rep(-1))",
     "3\tABC\tabc\tcba\tab-ab-ab\t\t\n"},
    {"local s = 'abcdef' print(s:sub(2, 4), s:sub(-2), s:sub(0), s:sub(5, 2), s:sub(-100, 2), "
     "s:byte(1, 2))",
     "bcd\tef\tabcdef\t\tab\t97\t98\n"},
    {"print(string.char(72, 105), ('%'):byte(), string.char())", "Hi\t37\t\n"},
    {"print(string.format('%d %5d|%-5d|%05d %x %X %o %i', 1, 2, 3, 4, 255, 255, 8, -1))",
     "1     2|3    |00004 ff FF 10 -1\n"},
    {"print(string.format('%s %10s|%-4s|%.2s %q', 'a', 'b', 'c', 'defg', 1))", ""},
    {"print(string.format('%.3f %g %e %5.1f %c%% %s', 1/3, 0.1, 12345.678, 2.25, 65, {}))",
     "0.333 0.1 1.234568e+04   2.2 A% table\n"},
    {"local s = ('x'):rep(900) print(#string.format('%s%9s%.3s%-2.99s', s, s, s, s))",
     "1902\n"},
    {"print(string.format('%f %.1f %g', 0/0, -(0/0), 1/0))", "nan nan inf\n"},
    {"print(math.floor(1.5), math.ceil(1.5), math.floor(-1.5), math.abs(-3), math.abs(-1.5), "
     "math.max(1, 3, 2), math.min(2, 1.5))",
     "1\t2\t-2\t3\t1.5\t3\t1.5\n"},
    {"print(math.sqrt(16), math.fmod(7, 3), math.fmod(-7, 3), math.fmod(7.5, 2), "
     "math.modf(3.7) == 3.0, math.type(1), math.type(1.0), math.type('1'))",
     "4.0\t1\t-1\t1.5\ttrue\tinteger\tfloat\tnil\n"},
    {"print(math.tointeger(3.0), math.tointeger(3.5), math.ult(1, -1), math.maxinteger, "
     "math.mininteger, math.huge, math.pi)",
     "3\tnil\ttrue\t9223372036854775807\t-9223372036854775808\tinf\t3.1415926535898\n"},
    {"print(('hello world'):find('o w'), ('a.b'):find('.', 1, true), ('abc'):find('b', 3), "
     "('abc'):find('', 4), ('abc'):find('', 5))",
     "5\t2\tnil\t4\tnil\n"},
    {"print(('key = 12'):match('^(%w+)%s*=%s*(%d+)$'))", "key\t12\n"},
    {"print(('abc'):match('()b()'), ('abc'):match('.-c'), ('aaa'):match('a-'), "
     "('x1y22'):match('%d+', 3))",
     "2\tabc\t\t22\n"},
    {"print(('f(a(b)c)d'):match('%b()'), ('THE (quick) fox'):find('%f[%a]%a+', 5), "
     "('[]]x'):match('[]x]+', 2))",
     "(a(b)c)\t6\t]]x\n"},
    {"print(('abab'):match('^(ab)%1$'), ('a-z'):match('[a%-]+'), ('ab12'):match('[^%d]+'), "
     "('b-'):match('[a-c-]+'))",
     "ab\ta-\tab\tb-\n"},
    {"for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do print(k, v) end", "a\t1\nb\t2\n"},
    {"local n = 0 for w in ('one two'):gmatch('%a*') do n = n + 1 end print(n)", "2\n"},
    {"print(('hello'):gsub('l', 'L'), ('hello'):gsub('', '-'))", ""},
    {"print(('abc'):gsub('%w', '%0%0'), ('abc'):gsub('(a)(b)', '%2%1'))", ""},
    {"print((('$x $y'):gsub('%$(%w)', {x = '1', y = 2})), (('ab'):gsub('.', function(c) if c "
     "== "
     "'a' then return 'A' end end)))",
     "1 2\tAb\n"},
    {"print(('aaa'):gsub('a', 'b', 2), ('abc'):gsub('^a', 'x'), ('aba'):gsub('^a', 'x'))", ""}};

START_TEST(the_libraries_are_lua_s)
{
    example e = libraries[_i];
    if (strstr(e.script, "%q")) {
        e.answer = "invalid conversion";
        check_failed(&e);
        return;
    }
    if (strstr(e.script, "'L'"))
        e.answer = "heLLo\t-h-e-l-l-o-\t6\n";
    else if (strstr(e.script, "%2%1"))
        e.answer = "aabbcc\tbac\t1\n";
    else if (strstr(e.script, "'aba'"))
        e.answer = "bba\txbc\txba\t1\n";
    check_said(&e);
}
END_TEST

/* ---- doors ---- */

START_TEST(nothing_else_is_there)
{
    static const char *const names[] = {
        "io",         "os",           "debug",        "package",     "require",
        "dofile",     "loadfile",     "load",         "loadstring",  "collectgarbage",
        "coroutine",  "setmetatable", "getmetatable", "rawlen",      "xpcall",
        "utf8",       "warn",         "string.dump",  "string.pack", "string.unpack",
        "math.sin",   "math.cos",     "math.tan",     "math.exp",    "math.log",
        "math.asin",  "math.acos",    "math.atan",    "math.pow",    "math.randomseed",
        "table.move", "_VERSION",     "arg",          "unpack",      "newproxy",
        "setfenv",    "getfenv",      "module",       "jit",         "ffi"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char script[80];
        snprintf(script, sizeof script, "print(%s == nil)", names[i]);
        ck_assert_msg(run(script) == SCRIPT_DONE, "%s: %s", names[i], f.message);
        ck_assert_msg(strcmp(said(), "true\n") == 0, "%s is there", names[i]);
    }
}
END_TEST

/* All that can be reached from the globals, by name. */
START_TEST(this_alone_is_there)
{
    static const char expected[] =
        "_G assert error game.add_msg game.one_in game.rng ipairs map.fill_background "
        "map.furn_set map.line_furn map.line_ter map.place_items map.rough_circle "
        "map.square_furn map.square_ter map.ter_set math.abs math.ceil math.floor math.fmod "
        "math.huge math.max math.maxinteger math.min math.mininteger math.modf math.pi "
        "math.random math.sqrt math.tointeger math.type math.ult next pairs pcall print "
        "rawequal "
        "rawget rawset select string.byte string.char string.find string.format string.gmatch "
        "string.gsub string.len string.lower string.match string.rep string.reverse string.sub "
        "string.upper table.concat table.insert table.pack table.remove table.sort "
        "table.unpack "
        "tertype tonumber tostring turn type ";
    ck_assert_int_eq(
        run("local s = '' for k, v in pairs(_G) do if type(v) == 'table' and v ~= _G "
            "then for n in pairs(v) do s = s .. k .. '.' .. n .. ' ' end else s = s "
            ".. k .. ' ' end end for i = 1, #s, 400 do print(s:sub(i, i + 399)) end"),
        SCRIPT_DONE);
    char all[4000] = "";
    for (const char *at = said(); *at; at++)
        if (*at != '\n')
            strncat(all, at, 1);
    ck_assert_str_eq(all, expected);
}
END_TEST

static const example doors[] = {
    {"\x1bLua", "unexpected symbol"},
    {"local x <close> = {}", "got a non-closable value"},
    {"print(#ptl_length_)", "is not for scripts"},
    {"local ptl_power_ = 1", "is not for scripts"},
    {"print(2^0.3)", "an exponent of '^' must be"},
    {"print(#nil)", "attempt to get length of a nil value"},
    {"print({}^2)", "attempt to perform arithmetic on a table value"},
    {"print(2^{})", "attempt to perform arithmetic on a table value"},
    {"for k in pairs({[{}] = 1}) do end", "have no order"},
    {"next({[print] = 1})", "have no order"},
    {"next({}, {})", "have no order"},
    {"string.rep('x', 1e9)", "a string of more than"},
    {"('x'):rep(1 << 60, 'y')", "a string of more than"},
    {"string.format('%99999d', 1)", "invalid conversion"},
    {"string.format('%p', {})", "invalid conversion"},
    {"string.format('%d', 1.5)", "no integer representation"},
    {"string.format('%d')", "no value"},
    {"table.unpack({}, 1, 1e8)", "too many results"},
    {"(('x'):rep(1001)):byte(1, -1)", "string slice too long"},
    {"table.unpack({}, math.mininteger, math.maxinteger)", "too many results"},
    {"table.concat({1, 2}, '', 1, math.maxinteger)", "invalid value (at index 3)"},
    {"table.insert({1}, 5, 1)", "position out of bounds"},
    {"table.insert({})", "wrong number of arguments"},
    {"table.sort({1, 'a'})", "attempt to compare"},
    {"table.sort({1, 2}, 5)", "function expected"},
    {"('x'):find('[a')", "missing ']'"},
    {"('x'):find('%')", "ends with '%'"},
    {"('x'):find('(x')", "unfinished capture"},
    {"('x'):match('x)')", "invalid pattern capture"},
    {"('x'):find('%1')", "invalid capture index"},
    {"('x'):find('%f')", "missing '[' after '%f'"},
    {"('x'):find('%b')", "missing arguments to '%b'"},
    {"('x'):gsub('x', '%')", "invalid use of '%'"},
    {"('x'):gsub('x', '%2')", "invalid capture index"},
    {"('x'):gsub('x', function() return {} end)", "invalid replacement value (a table)"},
    {"('x'):gsub('x', true)", "string/function/table expected"},
    {"('x'):rep(40):find(('(x)'):rep(40))", "too many captures"},
    {"(('x'):rep(300)):match(('x?'):rep(300))", "pattern too complex"},
    {"math.random(2, 1)", "interval is empty"},
    {"math.random(math.mininteger, math.maxinteger)", "interval is too large"},
    {"math.fmod(1, 0)", "zero"},
    {"string.char(256)", "value out of range"},
    {"error('why', 0)", "why"},
    {"error({})", "an error that is no text, but a table value"},
    {"error()", "an error that is no text, but a nil value"},
    {"error(42)", "42"},
    {"print(1 // 0)", "zero"},
    {"print(nothing.at)", "attempt to index a nil value (global 'nothing')"},
    {"map.ter_set(1, 2, 't_x')", "with a colon"},
    {"map:ter_set(1, 2)", "string expected, got no value"},
    {"map:ter_set(1, 2, 5)", "string expected, got number"},
    {"map:ter_set(1, 2, '')", "not an id"},
    {"map:ter_set(1, 2, 'a\\0b')", "not an id"},
    {"map:ter_set(1, 2, ('x'):rep(201))", "not an id"},
    {"map:ter_set(0/0, 2, 't_x')", "not a number of tiles"},
    {"map:ter_set(1e300, 2, 't_x')", "not a number of tiles"},
    {"map:ter_set({}, 2, 't_x')", "number expected, got table"},
    {"map:place_items('g', 0, 1, 1, 2, 2)", "a chance is 1 to 100"},
    {"map:place_items('g', 101, 1, 1, 2, 2)", "a chance is 1 to 100"},
    {"game.rng(1, 1 << 40)", "number out of range"},
    {"game.rng(1.5, 2)", "no integer representation"},
    {"map:ter_set(1, 2, 't_nowhere')", "script:1: unknown terrain 't_nowhere'"},
    {"pcall(map.furn_set, map, 1, 2, 'f_nothing') print('on')",
     "unknown furniture 'f_nothing'"}};

START_TEST(doors_are_shut)
{
    check_failed(&doors[_i]);
}
END_TEST

/* What a script does to its own libraries ends with it. */
START_TEST(nothing_outlives_a_run)
{
    ck_assert_int_eq(run("x = 1 string.rep = nil map.ter_set = print _G.print = nil "
                         "rawset(game, 'rng', 5)"),
                     SCRIPT_DONE);
    ck_assert_int_eq(run("print(x, type(string.rep), type(map.ter_set), type(game.rng))"),
                     SCRIPT_DONE);
    ck_assert_str_eq(said(), "nil\tfunction\tfunction\tfunction\n");
}
END_TEST

/* ---- limits ---- */

static const example limits[] = {
    {"while true do end", "stopped after"},
    {"local function loop() return loop() end loop()", "stopped after"},
    {"::a:: goto a", "stopped after"},
    {"while true do pcall(function() while true do end end) end", "stopped after"},
    {"pcall(pcall, pcall, function() while true do end end) print('on')", "stopped after"},
    {"local function f() pcall(f) f() end f()", ""},
    {"for i = 1, math.huge do end", "stopped after"},
    {"(('a'):rep(5000)):find(('.-'):rep(50) .. 'b')", "stopped after"},
    {"(('a'):rep(16000)):match(('a*'):rep(20) .. 'b')", "stopped after"},
    {"pcall(string.find, ('a'):rep(5000), ('.-'):rep(50) .. 'b') print('on')", "stopped after"},
    {"(('x'):rep(16000)):gsub('.-.-.-y', '')", "stopped after"},
    {"for w in (('x'):rep(16000)):gmatch('.-.-.-y') do end", "stopped after"},
    {"while true do (('('):rep(16000)):find('%b()') end", "stopped after"},
    {"local s = ('x'):rep(16000) while true do local t = s .. 'y' end", "last of its steps"},
    {"local s = 'x' while true do s = s .. s end", "a string is too long"},
    {"pcall(function() local s = 'x' while true do s = s .. s end end) print('on')",
     "a string is too long"},
    {"local s = 'x' while true do s = table.concat({s, s}) end", "a string of more than"},
    {"local s = ('x'):rep(16384) s:gsub('x', 'yy')", "a string of more than"},
    {"print(('x'):rep(9000), ('x'):rep(9000))", "a string of more than"},
    {"local t = {} for i = 1, 1e9 do t[i] = i end", "its memory is full"},
    {"local t = {} while true do t = {t} end", "its memory is full"},
    {"local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(200) .. i end", ""},
    {"pcall(function() local t = {} for i = 1, 1e9 do t[i] = {} end end) print('on')",
     "its memory is full"},
    {"local function deep(n) return 1 + deep(n + 1) end deep(1)", ""},
    {"local function deep(n) return 1 + deep(n + 1) end pcall(deep, 1) print('on')", ""},
    {"local t = {} for i = 1, 1000 do t[i] = i end while true do table.sort(t) end",
     "stopped after"},
    {"table.sort({1, 2, 3}, function() while true do end end)", "stopped after"},
    {"('x'):gsub('x', function() while true do end end)", "stopped after"},
    {"local t = {} for i = 1, 1000 do t[i] = i end while true do for k in pairs(t) do break "
     "end "
     "end",
     "stopped after"},
    {"local t = {} for i = 1, 3000 do t['k' .. i] = i end local k while true do k = next(t, k) "
     "end",
     "stopped after"},
    {"local t = {} for i = 1, 1000 do t[i] = i end while true do table.insert(t, 1, 0) "
     "table.remove(t, 1) end",
     "stopped after"},
    {"while true do map:line_ter('t_x', -900000, 0, 900000, 5) end", "stopped after"},
    {"while true do map:rough_circle('t_x', 0, 0, 900000) end", "stopped after"},
    {"while true do map:place_items('g', 100, 0, 0, 23, 23) end", "stopped after"},
    {"local t = {} for i = 1, 100000 do t['k' .. i] = i end for i = 1, 100000 do t['k' .. i] = "
     "nil "
     "end while true do next(t) end",
     "its tables took too much work"},
    {"local t, n = {}, 65536 for i = 1, n do t[-i] = i end for i = 1, 1e9 do t[-i] = nil t[-i "
     "- n] "
     "= 1 end",
     ""},
    {"local t = {} for i = 1, 60000 do t[i] = 1 end for i = 1, 60000 do t[i] = nil end while "
     "true "
     "do for k in pairs(t) do end end",
     "its tables took too much work"},
    {"local function f(...) return f(1, ...) end f()", ""},
    {"local function g() return 1 end local function f(...) g(...) return f(1, 2, g(...), ...) "
     "end "
     "pcall(f) print('on')",
     ""},
    {"while true do game.add_msg('again') end", "stopped after"}};

START_TEST(limits_hold_and_are_not_caught)
{
    const example *e = &limits[_i];
    check_failed(e);
    ck_assert_msg(strstr(said(), "on\n") == NULL, "%s went on", e->script);
    ck_assert_uint_lt(f.said.size, 50 * 30 + 2);
}
END_TEST

/* A script whose memory is nearly full, and that makes garbage: each collection goes over all
 * of it. */
START_TEST(little_room_is_no_refuge)
{
    static const char format[] = "local t for i = 1, %d do t = {t} end %s";
    char text[200];
    int low = 1, high = 1000000; /* tables that fit, and that do not */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        snprintf(text, sizeof text, format, middle, "");
        if (run(text) == SCRIPT_DONE)
            low = middle;
        else
            high = middle;
    }
    ck_assert_int_gt(low, 50000);
    for (int room = 0; room < 5; room++) {
        snprintf(text, sizeof text, format, low - room,
                 "for i = 1, 1e9 do local x = {} local y = {} end");
        ck_assert_int_eq(run(text), SCRIPT_FAILED);
        ck_assert_msg(strstr(f.message, "memory is full") || strstr(f.message, "steps"), "%s",
                      f.message);
    }
}
END_TEST

static bool is_asked(void *payload)
{
    int *left = payload;
    return (*left)-- <= 0;
}

/* Who may stop a map's making is asked while a script runs; no pcall goes on behind it. */
START_TEST(a_script_can_be_stopped)
{
    static const char text[] = "pcall(function() while true do end end) print('on')";
    int left = 3;
    const stop_hook stop = {is_asked, &left};
    f.stop = &stop;
    ck_assert_int_eq(script_text(&f, text, strlen(text)), SCRIPT_STOPPED);
    ck_assert_ptr_null(strstr(said(), "on"));
    ck_assert_uint_gt(f.steps, SCRIPT_STEPS / 2);
}
END_TEST

/* One map's scripts have their steps together. */
START_TEST(steps_are_shared)
{
    static const char loop[] = "for i = 1, 1000000 do end";
    int runs = 0;
    while (script_text(&f, loop, strlen(loop)) == SCRIPT_DONE)
        ck_assert_int_lt(++runs, 100);
    ck_assert_int_eq(runs, 5);
    ck_assert_uint_eq(f.steps, 0);
}
END_TEST

/* What Lua compiles in a time that grows by the square, as large as it may be, and larger. */
START_TEST(sizes_are_bounded)
{
    bytes text;
    script_fault fault;
    bytes_init(&text);
    while (text.size < SCRIPT_SIZE_MAX / 2)
        bytes_put_text(&text, "goto a ");
    while (text.size < SCRIPT_SIZE_MAX - 12)
        bytes_put_text(&text, "do end ");
    bytes_put_text(&text, "::a::");
    ck_assert_int_eq(script_check((const char *)text.data, text.size, &fault), SCRIPT_DONE);
    while (text.size <= SCRIPT_SIZE_MAX)
        bytes_put_u8(&text, ' ');
    ck_assert_int_eq(script_check((const char *)text.data, text.size, &fault), SCRIPT_FAILED);
    ck_assert_str_eq(fault.message, "a script of more than 65536 bytes");
    ck_assert_int_eq(script_text(&f, (const char *)text.data, text.size), SCRIPT_FAILED);
    bytes_dispose(&text);
}
END_TEST

START_TEST(nesting_is_bounded)
{
    bytes text;
    bytes_init(&text);
    bytes_put_text(&text, "return ");
    for (int i = 0; i < 10000; i++)
        bytes_put_u8(&text, _i ? '(' : '{');
    ck_assert_int_eq(script_text(&f, (const char *)text.data, text.size), SCRIPT_FAILED);
    ck_assert_msg(strstr(f.message, "overflow") != NULL, "%s", f.message);
    bytes_dispose(&text);
}
END_TEST

/* ---- the same each time ---- */

/* With the steps that are left, unless they are not asked for. */
static uint64_t digest_and_steps(uint64_t seed, uint32_t *steps)
{
    script_fixture own;
    script_begin(&own, seed);
    ck_assert_msg(script_text(&own, script_busy(), strlen(script_busy())) == SCRIPT_DONE, "%s",
                  own.message);
    const uint64_t digest = script_digest(&own);
    *steps = own.steps;
    script_end(&own);
    return digest;
}

static uint64_t digest_of(uint64_t seed)
{
    uint32_t steps;
    return digest_and_steps(seed, &steps);
}

/* Every state has another seed of its hashes. */
START_TEST(runs_are_equal)
{
    const int seeds = test_seeds(30);
    for (int seed = 0; seed < seeds; seed++) {
        uint32_t steps, steps_again;
        const uint64_t first = digest_and_steps((uint64_t)seed, &steps);
        for (int again = 0; again < 12; again++) {
            ck_assert_uint_eq(digest_and_steps((uint64_t)seed, &steps_again), first);
            ck_assert_uint_eq(steps_again, steps);
        }
        ck_assert_uint_ne(digest_of((uint64_t)seed + 1), first);
    }
}
END_TEST

/* What a script fails of, and when, is as sure. */
START_TEST(failures_are_equal)
{
    run(limits[_i].script);
    const uint64_t first = script_digest(&f);
    run(limits[_i].script);
    ck_assert_msg(script_digest(&f) == first, "%s", limits[_i].script);
}
END_TEST

enum { THREADS = 4, SEEDS = 12 };

static void *run_thread(void *out)
{
    uint64_t *digests = out;
    for (int i = 0; i < SEEDS; i++)
        digests[i] = digest_of((uint64_t)i);
    return NULL;
}

START_TEST(threads_are_equal)
{
    static uint64_t digests[THREADS][SEEDS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, run_thread, digests[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 1; i < THREADS; i++)
        ck_assert_mem_eq(digests[i], digests[0], sizeof digests[0]);
}
END_TEST

/* A program's locale with another decimal point, if the system has one. */
START_TEST(locales_change_nothing)
{
    const uint64_t before = digest_of(3);
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "C.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!setlocale(LC_ALL, names[i]))
            continue;
        char number[20];
        snprintf(number, sizeof number, "%.1f", 0.5);
        ck_assert_uint_eq(digest_of(3), before);
        char after[20];
        snprintf(after, sizeof after, "%.1f", 0.5);
        ck_assert_str_eq(after, number); /* the program's locale is as it was */
    }
    setlocale(LC_ALL, "C");
}
END_TEST

/* ---- checking ---- */

typedef struct syntax_case {
    const char *text;
    int line; /* 0: it is good */
    const char *message;
} syntax_case;

static const syntax_case syntax[] = {{"", 0, ""},
                                     {"print(#x ^ 2)", 0, ""},
                                     {"while true do end", 0, ""},
                                     {"x = ", 1, "unexpected symbol near <eof>"},
                                     {"\n\nx = = 1", 3, "unexpected symbol near '='"},
                                     {"x = 1\nfor", 2, "<name> expected"},
                                     {"x = 'a", 1, "unfinished string"},
                                     {"--[[\n\n", 3, "unfinished long comment"},
                                     {"x = # = 1", 1, "unexpected symbol near '='"},
                                     {"x # y", 1, "syntax error near '#'"},
                                     {"goto nowhere", 1, "no visible label 'nowhere'"},
                                     {"\nlocal ptl_length_", 2, "is not for scripts"},
                                     {"\x1bLuaS", 1, "binary chunk"},
                                     {"x = 1 y = 2 z", 1, "syntax error"}};

START_TEST(scripts_are_checked)
{
    const syntax_case *s = &syntax[_i];
    script_fault fault;
    const script_outcome outcome = script_check(s->text, strlen(s->text), &fault);
    ck_assert_int_eq(outcome, s->line ? SCRIPT_FAILED : SCRIPT_DONE);
    if (s->line == 0)
        return;
    ck_assert_int_eq(fault.line, s->line);
    ck_assert_msg(strstr(fault.message, s->message) != NULL, "%s", fault.message);
}
END_TEST

static void add_loop(TCase *tc, const TTest *test, size_t count)
{
    tcase_add_loop_test(tc, test, 0, (int)count);
}

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

int main(void)
{
    Suite *suite = suite_create("script");
    TCase *tc = tcase_create("script"), *threads = tcase_create("threads");
    tcase_set_tags(threads, "threads"); /* what the thread sanitizer's stage runs */
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_checked_fixture(threads, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_set_timeout(threads, 60);
    add_loop(tc, the_language_is_lua, COUNT(language));
    add_loop(tc, the_libraries_are_lua_s, COUNT(libraries));
    tcase_add_test(tc, nothing_else_is_there);
    tcase_add_test(tc, this_alone_is_there);
    add_loop(tc, doors_are_shut, COUNT(doors));
    tcase_add_test(tc, nothing_outlives_a_run);
    add_loop(tc, limits_hold_and_are_not_caught, COUNT(limits));
    tcase_add_test(tc, a_script_can_be_stopped);
    tcase_add_test(tc, little_room_is_no_refuge);
    tcase_add_test(tc, steps_are_shared);
    tcase_add_test(tc, sizes_are_bounded);
    tcase_add_loop_test(tc, nesting_is_bounded, 0, 2);
    tcase_add_test(tc, runs_are_equal);
    add_loop(tc, failures_are_equal, COUNT(limits));
    tcase_add_test(threads, threads_are_equal);
    tcase_add_test(tc, locales_change_nothing);
    add_loop(tc, scripts_are_checked, COUNT(syntax));
    suite_add_tcase(suite, tc);
    suite_add_tcase(suite, threads);
    suite_add_tcase(suite, script_steps_case());
    return suite_run(suite);
}
