/* What the files of the compiler share. */
#ifndef MAPGEN_COMPILE_COMPILE_IMPL_H
#define MAPGEN_COMPILE_COMPILE_IMPL_H

#include "mapgen/compile/compile.h"
#include "mapgen/compile/text_id.h"

#include <stdlib.h>
#include <string.h>

/* An array that grows; `failed` is the compiler's. */
typedef struct growing {
    void *items; /* owned */
    uint32_t count;
    size_t room;
} growing;

/* Where a character stands in the present unit or drawing. */
typedef struct symbol_place {
    uint32_t stamp; /* of the unit or drawing; another one: not there */
    uint32_t index;
} symbol_place;

struct mapgen_compiler {
    mapgen_context context;
    bytes text;    /* of strings with escapes */
    bytes message; /* of the remark that is told */
    bytes script;  /* that is put together */
    bool failed;
    bool wrong; /* the present object has an error */
    bool unfinished;
    bool item_one_in; /* the chance of an item is one in N */
    mapgen_role role;
    union { /* of the unit that is compiled */
        struct {
            growing values, choices, pieces, conditions, meanings, palettes, parameters;
            growing set, groups, add, placed; /* numbers of pieces */
            growing keys, cells, symbols;
        };
        growing all[14];
    };
    symbol_place *places; /* owned; by id of the pool */
    size_t place_count;
    uint32_t stamp;
    int32_t width, height; /* of the drawing */
};

/* compiler.c: */
/* Returns a new element at the end, zeroed; NULL when memory is out. */
void *growing_add(mapgen_compiler *c, growing *g, size_t size);
/* Makes the cells of a drawing; NULL when memory is out. */
uint16_t *growing_cells(mapgen_compiler *c, uint32_t count);
#define GROWING_ADD(c, g, type) ((type *)growing_add((c), (g), sizeof(type)))
/* Returns its elements in the arena. */
const void *growing_keep(mapgen_compiler *c, const growing *g, size_t size);
void growing_free(growing *g);
/* Begins another unit. */
void unit_begin(mapgen_compiler *c);
void unit_end(mapgen_compiler *c, mapgen_unit *out);
/* The place of a character in what the stamp says; NULL when memory is out. */
symbol_place *place_of(mapgen_compiler *c, uint32_t symbol);
/* Tells what is wrong at a value. The severity is the code's. */
#define remark(c, code, at, ...) remark_place((c), (code), json_view_offset(at), __VA_ARGS__)
/* The same at a place of the text. */
void remark_place(mapgen_compiler *c, int code, size_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Tells MG310: the member is known and not carried out. */
void remark_undone(mapgen_compiler *c, json_view at, const char *what);
/* Returns the number of a string in the pool; ID_NONE for anything else. */
uint32_t pool_text(mapgen_compiler *c, json_view v);
/* The same of the value's JSON as it stands. */
uint32_t pool_json(mapgen_compiler *c, json_view v);
/* Is the key the word? */
static inline bool key_is(const json_walk *w, const char *word)
{
    return json_view_is(w->key, word);
}

/* Returns a key for a message, shortened. */
const char *key_text(mapgen_compiler *c, const json_walk *w);

/* compile_value.c: */
/* Returns the number of the value, whose ids name `what`; 0 (told) if it is none. */
uint32_t compile_value(mapgen_compiler *c, json_view v, mapgen_reference what);
/* The same of a list of alternatives, [value, weight] or value, each `weight` if none is given;
 * a single value is itself. */
uint32_t compile_choices(mapgen_compiler *c, json_view v, mapgen_reference what,
                         int32_t weight);
uint32_t compile_literal(mapgen_compiler *c, json_view v, uint32_t id, mapgen_reference what);
void compile_parameters(mapgen_compiler *c, json_view v);
/* An integer or [low, high], reversed or not. False (told): it is neither. */
bool compile_range(mapgen_compiler *c, json_view v, mapgen_range *out);
void check_reference(mapgen_compiler *c, json_view at, uint32_t id, mapgen_reference what);

/* compile_script.c: */
/* Returns a script's text, of a string or a list of them, in the pool; ID_NONE (told): it is no
 * script, or Lua refuses it. */
uint32_t compile_script(mapgen_compiler *c, json_view v);

/* compile_piece.c: */
/* Returns the number of a new piece of the kind; 0 (told) if the value makes none. `placed`: it
 * has coordinates. */
uint32_t compile_piece(mapgen_compiler *c, mapgen_kind kind, json_view v, bool placed);
/* Finds a kind by its member, `items` or `place_items`; MAPGEN_KINDS: there is none. */
mapgen_kind kind_of_member(const json_walk *w);
mapgen_kind kind_of_placed(const json_walk *w);
/* Its place in the order of pieces by coordinates. */
int kind_place_order(mapgen_kind kind);

/* compile_place.c: */
/* Cuts the ranges to the block of their first numbers. False (told): that one lies outside of
 * the drawing. */
bool compile_place(mapgen_compiler *c, json_view at, mapgen_piece *p);
/* The member `z`: how far above its entry a piece lies. */
void compile_height(mapgen_compiler *c, json_view v, mapgen_piece *p);
/* A piece of the member `set`; 0 (told) if it is none. */
uint32_t compile_set(mapgen_compiler *c, json_view v);

/* compile_nested.c: */
void compile_conditions(mapgen_compiler *c, json_view v, mapgen_piece *p);

/* compile_symbols.c: members that are about characters, of palettes and of objects. */
/* True if the member is one. */
bool compile_symbols_member(mapgen_compiler *c, const json_walk *w);

/* compile_rows.c: */
bool compile_rows(mapgen_compiler *c, json_view rows);
/* Returns the number of the character that is all of the string; ID_NONE if it is not one. */
uint32_t compile_symbol(mapgen_compiler *c, json_view key);

#endif
