/* What a script's strings cost: steps by their bytes, wherever they are read. */
#include "unit/mapgen/script_fixture.h"
#include "unit/mapgen/test_script.h"

#include <stdio.h>
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

/* What goes over bytes within one instruction or call, a thousand times, takes steps by bytes.
 */
static const char *const byte_work[] = {
    "local a, b = ('\\0'):rep(16000), ('\\0'):rep(15999) .. '\\0' "
    "for i = 1, 1000 do local x = a < b end",
    "local a, b = string.char(0):rep(16000), string.char(0):rep(15999) .. '\\x00' "
    "for i = 1, 1000 do local x = a <= b end",
    "local z = ('%c'):format(0) local t = {a = z:rep(16000), b = z:rep(15999) .. z} "
    "for i = 1, 1000 do local x = t.a > t.b end",
    "local a, b = ('x'):rep(16000), ('x'):rep(15999) .. 'x' "
    "for i = 1, 1000 do local x = a < b end",
    "local t = {} for i = 1, 100 do t[i] = ('\\u{0}'):rep(9000) .. i end table.sort(t)",
    "local n = ('0'):rep(16000) .. '1' for i = 1, 1000 do math.floor(n) end",
    "local n = ('0'):rep(16000) .. '1' for i = 1, 1000 do map:ter_set(n, 1, 't_a') end",
    "local n = ('0'):rep(16000) .. '1' for i = 1, 1000 do math.tointeger(n) end",
    "local n = ('0'):rep(16000) .. '1' for i = 1, 1000 do for k = 1, n do end end"};

START_TEST(bytes_take_steps)
{
    enum { LEAST = 200000 };
    const script_outcome outcome = run(byte_work[_i]);
    ck_assert_msg(outcome == SCRIPT_DONE || strstr(f.message, "steps"), "%s", f.message);
    ck_assert_msg(SCRIPT_STEPS - f.steps > LEAST, "%u steps: %s", SCRIPT_STEPS - f.steps,
                  byte_work[_i]);
}
END_TEST

/* Calls that take a number, also one that is given as a text. */
static const char *const number_calls[] = {"('x'):byte(%s)",
                                           "('x'):byte(1, %s)",
                                           "('x'):find('x', %s)",
                                           "('x'):match('x', %s)",
                                           "('x'):gmatch('x', %s)",
                                           "('x'):gsub('x', 'y', %s)",
                                           "('x'):rep(%s)",
                                           "string.char(%s)",
                                           "table.concat({'x'}, '', %s)",
                                           "table.concat({'x'}, '', 1, %s)",
                                           "table.remove({7}, %s)",
                                           "table.unpack({7}, %s)",
                                           "table.unpack({7}, 1, %s)",
                                           "math.floor(%s)",
                                           "math.tointeger(%s)",
                                           "map:ter_set(%s, 1, 't_a')"};

/* Returns the steps of the call with this argument. These are fewer instructions than the hook
 * counts, so that they are the steps of the calls alone. */
static uint32_t steps_with(const char *call, const char *argument)
{
    char text[200];
    size_t at = (size_t)snprintf(text, sizeof text, "long = ('0'):rep(16000) .. '1' x = ");
    const char *mark = strstr(call, "%s");
    snprintf(text + at, sizeof text - at, "%.*s%s%s", (int)(mark - call), call, argument,
             mark + 2);
    ck_assert_msg(run(text) == SCRIPT_DONE, "%s: %s", text, f.message);
    return SCRIPT_STEPS - f.steps;
}

/* One call that reads a long text as a number takes steps by its bytes. */
START_TEST(numbers_as_texts_take_steps)
{
    enum { LEAST = 16000 / 16 };
    const char *call = number_calls[_i];
    ck_assert_msg(steps_with(call, "long") >= steps_with(call, "1") + LEAST, "%s", call);
}
END_TEST

/* Short strings are as cheap as numbers, also beside a long one that nobody looks at. */
START_TEST(short_strings_take_none)
{
    enum { MOST = 100000 };
    ck_assert_int_eq(run("local function compare() local a, b = '\\0a', '\\0b' "
                         "for i = 1, 10000 do local x = a < b end end "
                         "long = ('x'):rep(16000) compare()"),
                     SCRIPT_DONE);
    ck_assert_uint_lt(SCRIPT_STEPS - f.steps, MOST);
}
END_TEST

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

TCase *script_steps_case(void)
{
    TCase *c = tcase_create("steps");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, bytes_take_steps, 0, COUNT(byte_work));
    tcase_add_loop_test(c, numbers_as_texts_take_steps, 0, COUNT(number_calls));
    tcase_add_test(c, short_strings_take_none);
    return c;
}
