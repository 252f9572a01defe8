/* What the compiler's files share. */
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

/* The number that a character has in the unit or drawing that is being compiled. */
typedef struct symbol_place {
    /* The number of the unit or drawing that `number` is for. In any other unit or drawing the
     * character has no number yet. */
    uint32_t stamp;
    uint32_t index;
} symbol_place;

struct mapgen_compiler {
    mapgen_context context;
    bytes text;    /* scratch: a string after its escapes were decoded */
    bytes message; /* scratch: the text of a remark */
    bytes script;  /* scratch: a script that is put together */
    bool failed;
    bool wrong; /* the present object has an error */
    bool unfinished;
    bool item_one_in; /* the chance of `item` is one in N */
    mapgen_role role;
    union { /* members of the unit that is being compiled */
        struct {
            growing values, choices, pieces, conditions, meanings, palettes, parameters;
            /* Lists of pieces, by their numbers in the unit. */
            growing set, groups, add, placed;
            growing keys, cells, symbols;
        };
        growing all[14];
    };
    symbol_place *places; /* owned; by the character's id in the pool */
    size_t place_count;
    uint32_t stamp;
    int32_t width, height; /* size of the drawing in tiles */
};

/* compiler.c: */
/* Appends a copy of an item and returns its number, from 0. When memory is out the compiler
 * has failed, and 0 is returned. */
uint32_t growing_put(mapgen_compiler *c, growing *g, const void *item, size_t size);
#define GROWING_PUT(c, g, ...) growing_put((c), (g), &(__VA_ARGS__), sizeof(__VA_ARGS__))
/* Copies the array's elements to the context's arena and returns the copy. */
const void *growing_keep(mapgen_compiler *c, const growing *g, size_t size);
void growing_free(growing *g);
/* Begins a new unit: the arrays of the last one are emptied, but keep their memory. */
void unit_begin(mapgen_compiler *c);
/* Copies what was compiled since unit_begin to the arena and describes it in *out. */
void unit_end(mapgen_compiler *c, mapgen_unit *out);
/* Returns the place of a character; NULL when memory is out. If the place's stamp is not the
 * compiler's, the character is new in the present unit or drawing. */
symbol_place *place_of(mapgen_compiler *c, uint32_t symbol);
/* Reports what is wrong at a value. The code determines the severity. */
#define remark(c, code, at, ...) remark_place((c), (code), json_view_offset(at), __VA_ARGS__)
/* Reports what is wrong at an offset in the text. */
void remark_place(mapgen_compiler *c, int code, size_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Reports MG310: the member is known, but Portolan does not carry it out. */
void remark_undone(mapgen_compiler *c, json_view at, const char *what);
/* Returns the number of a string in the pool; ID_NONE if the value is missing or, which is
 * reported, no string. */
uint32_t pool_text(mapgen_compiler *c, json_view v);
/* Is the member's key this word? */
static inline bool key_is(const json_walk *w, const char *word)
{
    return json_view_is(w->key, word);
}

/* Returns a key for use in a message, shortened if it is long. */
const char *key_text(mapgen_compiler *c, const json_walk *w);

/* compile_value.c: */
/* Compiles a value whose ids name things of the sort `what`. Returns its number; 0 (reported)
 * if it is none. */
uint32_t compile_value(mapgen_compiler *c, json_view v, mapgen_reference what);
/* Compiles a list of alternatives, each a value or [value, weight]; `weight` counts where
 * none is given. A value that is no list is compiled by itself. Returns as compile_value. */
uint32_t compile_choices(mapgen_compiler *c, json_view v, mapgen_reference what,
                         int32_t weight);
/* Returns the number of a new value that is always this id, after the id was checked. */
uint32_t compile_literal(mapgen_compiler *c, json_view v, uint32_t id, mapgen_reference what);
/* Compiles the member `parameters` of a unit. */
void compile_parameters(mapgen_compiler *c, json_view v);
/* Reads an integer or [low, high], in either order. False (reported) if the value is
 * neither. */
bool compile_range(mapgen_compiler *c, json_view v, mapgen_range *out);
/* Reports an id that the content does not define as `what`, if the context says what it
 * defines. */
void check_reference(mapgen_compiler *c, json_view at, uint32_t id, mapgen_reference what);

/* compile_piece.c: */
/* Compiles a piece of the kind. Returns its number; 0 (reported) if the value makes none.
 * `placed`: the piece has coordinates. */
uint32_t compile_piece(mapgen_compiler *c, mapgen_kind kind, json_view v, bool placed);
/* Finds a kind by the name of its member, for example `items` or `place_items`; MAPGEN_KINDS:
 * there is none. */
mapgen_kind kind_of_member(const json_walk *w);
/* Finds a kind by its member for pieces by coordinates, for example `place_items`;
 * MAPGEN_KINDS: there is none. */
mapgen_kind kind_of_placed(const json_walk *w);
/* Returns the place of the kind in the order in which pieces by coordinates are put down. */
enum { PLACE_FIRST = -1, PLACE_LAST = 25 };
int kind_place_order(mapgen_kind kind);

/* compile_value.c: */
/* Reads the coordinates of a piece. A range is cut to the block of 24 tiles that its first
 * number lies in. False (reported) if that number lies outside of the drawing. */
bool compile_place(mapgen_compiler *c, json_view at, mapgen_piece *p);
/* Reads the member `z`, which says how many levels above its entry a piece lies. */
void compile_height(mapgen_compiler *c, json_view v, mapgen_piece *p);
/* Compiles an operation of the member `set`. Returns its number; 0 (reported) if it is
 * none. */
uint32_t compile_set(mapgen_compiler *c, json_view v);

/* compiler.c: members about characters, in palettes and objects. */
/* Compiles the member if it is one about characters, and returns whether it is. */
bool compile_symbols_member(mapgen_compiler *c, const json_walk *w);

/* compiler.c: */
bool compile_rows(mapgen_compiler *c, json_view rows);
