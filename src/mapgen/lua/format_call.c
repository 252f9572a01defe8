/* string.format: %d %i %u %c %x %X %o %e %E %f %F %g %G %s %%, with flags, and a width and a
 * precision of at most two digits each. Addresses (%p) and hexadecimal floats (%a) are left
 * out. */
#include "mapgen/lua/script_impl.h"

#include <math.h>
#include <stdio.h>

enum { SPEC_MAX = 16, NUMBER_MAX = 512 };

/* One place of a format, as C's printf takes it, but without its letter. */
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

/* Completes the spec with the ending that C needs. */
static const char *finish(format_spec *s, const char *end)
{
    memcpy(s->text + s->length, end, strlen(end) + 1);
    return s->text;
}

/* Adds an argument. `spare` is a stack index below the buffer where a copy of it may be
 * put. */
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
        /* No width of two digits would change it. */
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

const script_call format_calls[] = {{"format", call_format, false}, {NULL, NULL, false}};
