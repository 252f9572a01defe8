/* What the files of the mapgen compiler share. */
#pragma once

#include "mapgen/compile/compile.h"
#include "mapgen/compile/text_id.h"

#include <stdlib.h>
#include <string.h>

/* A growing array. When memory is out, the compiler's `failed` is set. */
typedef struct growing {
    void *items; /* owned */
    uint32_t count;
    size_t room;
} growing;

/* The number that a character has in the palette, entry or drawing that is being compiled. */
typedef struct symbol_place {
    /* The value that the compiler's counter `stamp` had when the character got its index. The
     * counter grows with each palette, entry and drawing. If it has another value now, the
     * character has no index in what is being compiled. */
    uint32_t stamp;
    uint32_t index;
} symbol_place;

struct mapgen_compiler {
    mapgen_context context;
    bytes text;    /* scratch: a string after its escapes were decoded */
    bytes message; /* scratch: the message that is reported */
    bytes script;  /* scratch: a script that is put together */
    bool failed;
    bool wrong; /* the JSON object that is being compiled has an error */
    bool unfinished;
    bool item_one_in; /* the chance of an `item` for a character is one in N, otherwise percent
                       */
    mapgen_role role;
    union { /* arrays of the palette or entry that is being compiled */
        struct {
            growing values, choices, pieces, conditions, meanings, palettes, parameters;
            /* Lists of pieces, each piece given by its index in `pieces`. */
            growing set, groups, add, placed;
            growing keys, cells, symbols;
        };
        growing all[14];
    };
    symbol_place *places; /* owned; indexed by the character's number in the pool of ids */
    size_t place_count;
    uint32_t stamp;
    uint32_t path; /* number in the id_pool: path of the file whose objects are compiled next */
    int32_t line;
    int32_t width, height; /* size, in tiles, of the drawing that is being compiled */
};

/* The next functions are in compiler.c. */
/* Appends a copy of an item to the array and returns its index. If memory is out, the
 * compiler's `failed` is set and 0 returned. */
uint32_t growing_put(mapgen_compiler *c, growing *g, const void *item, size_t size);
#define GROWING_PUT(c, g, ...) growing_put((c), (g), &(__VA_ARGS__), sizeof(__VA_ARGS__))
/* Copies the array's elements, each of `size` bytes, to the context's arena and returns the
 * copy. */
const void *growing_keep(mapgen_compiler *c, const growing *g, size_t size);
void growing_free(growing *g);
/* Begins a new palette or entry: the arrays of the last one are emptied, but keep their memory.
 */
void unit_begin(mapgen_compiler *c);
/* Copies what was compiled since unit_begin to the arena and describes it in *out. */
void unit_end(mapgen_compiler *c, mapgen_unit *out);
/* Returns the place where the compiler keeps the number of a character; NULL when memory is
 * out. If the place's `stamp` differs from the compiler's, the character has not yet come in
 * the palette, entry or drawing that is being compiled. */
symbol_place *place_of(mapgen_compiler *c, uint32_t symbol);
/* Reports what is wrong with a JSON value, by the code of a remark (schema/checks.md). The code
 * determines the severity. */
void remark(mapgen_compiler *c, remark_code code, json_view at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Reports what is wrong at an offset in the JSON text. */
void remark_place(mapgen_compiler *c, remark_code code, size_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Reports MG310: the member is known, but Portolan does not carry it out. */
void remark_undone(mapgen_compiler *c, json_view at, const char *what);
/* Returns the number of a string in the pool of ids; ID_NONE if the value is missing, or if it
 * is no string; the latter is reported. */
uint32_t pool_text(mapgen_compiler *c, json_view v);
/* Is the member's key this word? */
static inline bool key_is(const json_walk *w, const char *word)
{
    return json_view_is(w->key, word);
}

/* Returns a key for use in a message, shortened if it is long. */
const char *key_text(mapgen_compiler *c, const json_walk *w);

/* The next functions are in compile_value.c. */
/* Compiles a value, whose ids must name things of the kind `what`. Returns the number of the
 * compiled value; 0 (reported) if the JSON cannot be a value. */
uint32_t compile_value(mapgen_compiler *c, json_view v, mapgen_reference what);
/* Compiles a list of alternatives, each of which is a value or [value, weight]. `weight` is the
 * weight of those that state none. If the JSON is no list, it is compiled as a single value.
 * Returns the same as compile_value. */
uint32_t compile_choices(mapgen_compiler *c, json_view v, mapgen_reference what,
                         int32_t weight);
/* Checks an id, and returns the number of a new value that is always this id. */
uint32_t compile_literal(mapgen_compiler *c, json_view v, uint32_t id, mapgen_reference what);
/* Compiles the member `parameters` of a palette or entry. */
void compile_parameters(mapgen_compiler *c, json_view v);
/* Reads an integer or [low, high], in either order. False (reported) if the value is
 * neither. */
bool compile_range(mapgen_compiler *c, json_view v, mapgen_range *out);
/* Reports an id under which the content defines nothing of the kind `what`. Does nothing if
 * context.marks is NULL, since it is not known then what the content defines. */
void check_reference(mapgen_compiler *c, json_view at, uint32_t id, mapgen_reference what);

/* The next functions are in compile_piece.c. */
/* Compiles a piece of mapgen (a thing that an entry puts on tiles) of this kind from its JSON.
 * Returns the number of the piece; 0 (reported) if the JSON makes none. `placed`: the piece has
 * coordinates. */
uint32_t compile_piece(mapgen_compiler *c, mapgen_kind kind, json_view v, bool placed);
/* Finds the kind of things (mapgen_kind) that a JSON member such as `items` or `place_items`
 * puts on tiles; MAPGEN_KINDS: there is none. */
mapgen_kind kind_of_member(const json_walk *w);
/* Finds the kind of things (mapgen_kind) that a JSON member such as `place_items` puts at
 * coordinates which it states; MAPGEN_KINDS: there is none. */
mapgen_kind kind_of_placed(const json_walk *w);
/* Returns a number by which the kinds of things on tiles are sorted: things with coordinates
 * are put down in the order of these numbers, from PLACE_FIRST to PLACE_LAST. */
enum { PLACE_FIRST = -1, PLACE_LAST = 25 };
int kind_place_order(mapgen_kind kind);

/* The next functions are in compile_value.c. */
/* Reads the coordinates of a piece. If a coordinate is a range, only the part of it counts that
 * lies in the same OMT (24 x 24 tiles) as its first number. False (reported) if the first
 * number lies outside of the drawing. */
bool compile_place(mapgen_compiler *c, json_view at, mapgen_piece *p);
/* Reads the member `z`, which says how many levels above its entry a piece lies. */
void compile_height(mapgen_compiler *c, json_view v, mapgen_piece *p);
/* Compiles an operation of the member `set`. Returns the number of the operation; 0 (reported)
 * if the JSON is none. */
uint32_t compile_set(mapgen_compiler *c, json_view v);

/* Functions of compiler.c for JSON members whose keys are characters. */
/* Compiles a JSON member if it is one about characters, such as `terrain`, and returns whether
 * it is. */
bool compile_symbols_member(mapgen_compiler *c, const json_walk *w);

/* The next functions are in compiler.c. */
bool compile_rows(mapgen_compiler *c, json_view rows);
