/* What the files that know Lua share. */
#ifndef MAPGEN_LUA_SCRIPT_IMPL_H
#define MAPGEN_LUA_SCRIPT_IMPL_H

#include "core/bytes.h"
#include "mapgen/lua/script.h"

#include <lauxlib.h>
#include <lua.h>
#include <string.h>

/* One run. */
typedef struct script {
    const script_request *request; /* NULL: nothing is run, only compiled */
    const char *text;
    size_t size;
    uint64_t steps;    /* left */
    uint64_t work;     /* in large blocks and tables, left; bytes */
    int interval;      /* steps from one look at what is left to the next */
    size_t memory;     /* in use */
    const char *limit; /* which limit the allocator met; NULL: none */
    uint32_t refused;  /* how often memory was full */
    bool no_memory;    /* the machine's is out */
    size_t longest;    /* bytes of a string that was made, with its head */
    bool has_nul;      /* a string may have a NUL: comparing them takes much longer */
    bool counting;     /* the script itself runs */
    bool stopped;      /* nothing may go on: `message` says why */
    bool asked;        /* it is stopped since somebody asked for it */
    bool told_outside;
    uint32_t said;   /* messages */
    double exponent; /* of the `^` that is being worked out */
    char message[SCRIPT_MESSAGE];
} script;

/* script.c: */
script *script_of(lua_State *lua);
/* Ends the run for good: no pcall goes on behind it. Does not return. */
int script_stop(lua_State *lua, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Counts steps; does not return once they are spent. */
void script_spend(lua_State *lua, uint64_t steps);

/* Counts that a table may be gone over, as large as it can be: what was in it may be gone. */
void script_look_at_table(lua_State *lua);

/* source.c: */
/* The names that stand for `#` and `^` in a script that is run: no script may use them. */
#define SOURCE_LENGTH "ptl_length_"
#define SOURCE_POWER  "ptl_power_"
/* Writes a script as Lua is to get it, with lengths and powers by our own functions; false,
 * with the fault, where it uses their names or is too large. */
bool source_rewrite(bytes *out, const char *text, size_t size, script_fault *fault);
/* Has one of its strings a NUL? Where that is not certain the answer is yes. */
bool source_has_nul(const char *text, size_t size);

/* operators.c: */
/* Makes what the names of source.c stand for, as members of the table on the top. */
void operators_open(lua_State *lua);
/* The border of the table at the index: n where n + 1 is absent and n is not, or 0. It depends
 * on what is in the table alone. */
lua_Integer table_border(lua_State *lua, int table);

/* text.c: */
enum { TEXT_STEP = 16 }; /* bytes of a string that are gone over in one step */
/* Counts that all of a string is gone over, if the value is one: to compare it, or to make a
 * number of it. */
void text_spend(lua_State *lua, int index);
/* The number that an argument is, also as a string. */
double number_argument(lua_State *lua, int argument);
lua_Integer integer_argument(lua_State *lua, int argument);
lua_Integer integer_optional(lua_State *lua, int argument, lua_Integer otherwise);
/* The string, or number, that an argument is. */
const char *text_argument(lua_State *lua, int argument, size_t *length);
/* Pushes any value as a string, without addresses. */
const char *text_push(lua_State *lua, int index, size_t *length);
/* Adds to a buffer; ends the run where a string would be too long. */
void text_add(luaL_Buffer *b, const char *text, size_t length);
/* A place in a text of a length that an argument names, from its end if it is negative; 0 is in
 * front of all. */
lua_Integer text_place(lua_Integer place, size_t length);

/* A function that scripts get by a name. Two that differ little have one body, which asks
 * script_is_other whose it is. */
typedef struct script_call {
    const char *name;
    lua_CFunction call;
    bool other;
} script_call;

static inline bool script_is_other(lua_State *lua)
{
    return lua_toboolean(lua, lua_upvalueindex(1));
}

/* Those of the libraries, each up to one without a name. */
extern const script_call base_calls[], table_calls[], sort_calls[], string_calls[],
    format_calls[], pattern_calls[], math_calls[], map_calls[], game_calls[];
/* What `math` has beside its functions, into the table on the top. */
void math_constants(lua_State *lua);

#endif
