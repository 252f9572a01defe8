/* What the files that use Lua's library share. */
#pragma once

#include "core/bytes.h"
#include "mapgen/lua/script.h"

#include <lauxlib.h>
#include <lua.h>
#include <string.h>

/* State of one run. */
typedef struct script {
    const script_request *request; /* NULL: the script is only compiled */
    const char *text;
    size_t size;
    uint64_t steps; /* how many steps the run may still spend */
    /* How many further bytes of large blocks and tables the run may write until it is
     * stopped. */
    uint64_t work;
    int interval;  /* number of Lua's instructions until the hook is called next */
    size_t memory; /* bytes that the script's Lua state uses now */
    /* A message: which limit of the script a request for memory has met; NULL: none. */
    const char *limit;
    uint32_t refused; /* how often the script's requests for memory were refused */
    bool no_memory;   /* the machine has no more memory */
    size_t longest;   /* size in bytes of the longest string that was made, with the bytes that
                         Lua puts before it */
    bool has_nul;     /* a string may have a NUL, which makes comparing strings much slower */
    bool counting;    /* the script's own code is running, so steps are counted */
    bool stopped;     /* the script must do nothing more; `message` says why */
    bool asked;       /* the run is stopped because the caller asked for it */
    bool told_outside;
    uint32_t said;   /* how many messages the script has written so far */
    double exponent; /* exponent of the `^` that is being calculated */
    char message[SCRIPT_MESSAGE];
} script;

/* The next functions are in script.c. */
script *script_of(lua_State *lua);
/* Ends the run for good, so that no pcall can go on after it. Does not return. */
int script_stop(lua_State *lua, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Spends steps. Does not return if there are not as many left. */
void script_spend(lua_State *lua, uint64_t steps);

/* Counts the work of walking over a table. The table counts as if it took all of the run's
 * memory, as Lua also walks over places whose keys are gone. */
void script_look_at_table(lua_State *lua);

/* The next functions are in source.c. */
/* Names of the functions that stand for `#` and `^` in the text of a script as Lua gets it.
 * No script may use these names itself. */
#define SOURCE_LENGTH "ptl_length_"
#define SOURCE_POWER  "ptl_power_"
/* Writes a script as Lua gets it, with calls of our own functions for lengths and powers.
 * False, with the fault, if the script uses their names or is too large. */
bool source_rewrite(bytes *out, const char *text, size_t size, script_fault *fault);
/* May one of the script's strings have a NUL? If that is not certain, the answer is yes. */
bool source_has_nul(const char *text, size_t size);

/* Returns the border of the table at the stack index, which depends on the table's content
 * alone: a number n such that element n exists and element n + 1 does not; 0 if element 1 does
 * not exist. */
lua_Integer table_border(lua_State *lua, int table);

/* The next functions are in text.c. */
enum { TEXT_STEP = 16 }; /* bytes of a string that are read in one step */
/* Spends the steps of reading a whole string, for comparing it or converting it to a number.
 * Other values cost nothing. */
void text_spend(lua_State *lua, int index);
/* Returns an argument as a number. The argument may be a string that stands for a number. */
double number_argument(lua_State *lua, int argument);
lua_Integer integer_argument(lua_State *lua, int argument);
lua_Integer integer_optional(lua_State *lua, int argument, lua_Integer otherwise);
/* Returns an argument as a string. The argument may be a number. */
const char *text_argument(lua_State *lua, int argument, size_t *length);
/* Pushes any value as a string, without addresses. */
const char *text_push(lua_State *lua, int index, size_t *length);
/* Adds a text to a buffer. Ends the run if the string would be too long. */
void text_add(luaL_Buffer *b, const char *text, size_t length);

/* A function that scripts get under a name. Two functions that differ little share one body,
 * which asks script_is_other which of them was called. */
typedef struct script_call {
    const char *name;
    lua_CFunction call;
    bool other;
} script_call;

/* Returns whether the script has called the second of the two functions that share the running
 * body (script_call). */
static inline bool script_is_other(lua_State *lua)
{
    return lua_toboolean(lua, lua_upvalueindex(1));
}

/* The functions of the libraries. Each list ends with an element without a name. */
extern const script_call base_calls[], table_calls[], string_calls[], math_calls[], map_calls[],
    game_calls[];
