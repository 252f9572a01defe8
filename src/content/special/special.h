/*
 * The model of overmap_special and city_building, and how its files share the reading of it.
 * Definitions are collected and their inheritance is settled in load(); fields and references
 * are read together in check(), when every other type is known, so that each value is looked
 * at once, with its place at hand. Strings are borrowed from the JSON or live in the arena.
 */
#ifndef CONTENT_SPECIAL_SPECIAL_H
#define CONTENT_SPECIAL_SPECIAL_H

#include "content/import/record.h"
#include "content/types/types.h"
#include "portolan/catalogue.h"

enum {
    SPECIAL_LIST_MAX = 1000,      /* entries of one list of names */
    SPECIAL_INHERIT_MAX = 64,     /* steps of copy-from */
    SPECIAL_COORDINATE_MAX = 179, /* OMTs: further away nothing fits an overmap */
    SPECIAL_HEIGHT_MAX = 20,      /* levels */
    SPECIAL_LEVEL_MAX = 10,       /* tiles: levels above and below the ground */
    SPECIAL_FOOTPRINT_MAX = 178,  /* OMTs: the overmap without its border ring */
    SPECIAL_NESTED_MAX =
        1000,                /* specials in one, at all depths, beside itself; as at loading */
    SPECIAL_NESTED_DEEP = 8, /* of these so deep are placed */
    AMOUNT_TRIALS_MAX = 10000,
    SPECIAL_UNSATISFIABLE_MAX = 8
};

typedef string_list special_list; /* in the content's order */

/* ---- parts of both subtypes ---- */

typedef struct special_connection {
    int32_t point[3], from[3];
    bool has_from, existing;
    bool guessed;        /* the content names no connection: found by the terrain */
    const char *id;      /* overmap_connection */
    const char *terrain; /* DDA's overmap terrain type, NULL if none */
    int direction;       /* 0..3 = N, E, S, W, from `from` to `point`; -1 without from */
    size_t index;        /* in the JSON array, for messages */
} special_connection;

typedef struct special_nested {
    int32_t point[3];
    const char *id;
    size_t index; /* in the JSON array, for messages */
} special_nested;

/* ---- fixed ---- */

typedef struct special_tile {
    int32_t point[3];
    const char *oter;
    special_list locations; /* its own; empty: the special's count */
    special_list flags;
    const char *camp, *camp_name; /* NULL: none */
} special_tile;

/* ---- mutable ---- */

/* Sides are numbered N, E, S, W, above, below; a rotation moves the first four on. */
enum { SPECIAL_SIDES = 6 };
extern const char *const special_side_names[SPECIAL_SIDES + 1]; /* NULL-terminated */

typedef struct special_join {
    const char *id;
    const char *opposite; /* itself if the content names none */
    special_list into;    /* empty: the special's locations */
    size_t index;
} special_join;

/* In the order of ptl_join_type. */
extern const char *const special_join_type_names[]; /* NULL-terminated */

typedef struct special_side {
    const char *join; /* NULL: the side has none */
    ptl_join_type type;
    special_list alternatives;
} special_side;

typedef struct special_piece {
    const char *id;
    const char *oter;
    special_list locations; /* its own; empty: the special's count */
    special_side sides[SPECIAL_SIDES];
    const char *connections[SPECIAL_SIDES]; /* overmap_connection, NULL: none */
} special_piece;

/* In the order of ptl_amount_kind. */
extern const char *const special_amount_names[];

typedef struct special_amount {
    ptl_amount_kind kind;
    int64_t low, high; /* of a range they are swapped if low > high */
    double mean;
    int64_t trials;
    int64_t least, most; /* bounds of what is drawn, of poisson and binomial; -1: none */
} special_amount;

typedef struct special_shared {
    const char *id;
    special_amount amount;
} special_shared;

/* In the order of ptl_height_kind. */
extern const char *const special_height_names[];

typedef struct special_height {
    ptl_height_kind kind;
    int64_t low, high, top, bottom;
    bool has_top, has_bottom;
} special_height;

typedef struct special_rule_piece {
    const special_piece *piece; /* NULL if the content names one that is not there */
    int32_t pos[3];
    int rotation; /* 0..3 = N, E, S, W */
} special_rule_piece;

typedef struct special_rule {
    const char *name;  /* NULL: none */
    const char *join;  /* must be resolved by the placement; NULL: any */
    const char *scale; /* id in shared; NULL: none */
    special_rule_piece *pieces;
    size_t piece_count;
    special_amount max;
    int64_t weight; /* -1: unlimited */
    special_height height;
    bool has_overmap_pos;
    int64_t overmap_pos[2];
    int rotate; /* -1: the special's */
} special_rule;

typedef struct special_phase {
    special_rule *rules;
    size_t count;
} special_phase;

typedef struct special_check {
    int32_t from[3], to[3]; /* from <= to; equal for a single point */
    special_list locations;
} special_check;

/* ---- the special ---- */

typedef struct special {
    const char *id;
    const source_object *obj;
    const struct special *parent; /* what it copies from, NULL if nothing */
    bool building;                /* a city_building */
    bool is_mutable;
    bool orphan;        /* what it copies from is not there: what it lacks means nothing */
    bool left_out;      /* lenient: something that it can't do without is unresolved */
    bool wrong;         /* something in it was reported as an error */
    bool has_locations; /* the content gives some, whether or not they are known */
    bool warned_no_location;
    const char *unsatisfiable[SPECIAL_UNSATISFIABLE_MAX]; /* locations reported so far */
    size_t unsatisfiable_count;
    unsigned char mark;    /* of the search for cycles: 0 new, 1 on the path, 2 done */
    uint16_t nested_size;  /* how many are nested in it, at all depths */
    uint16_t nested_depth; /* how deep these lie; 0: nothing is */

    overmap_special_row row; /* what is a column, but for names of what is below */
    bool eoc_in_play;        /* only play can tell whether the condition of its eoc is met */
    special_list locations, flags;
    special_connection *connections;
    size_t connection_count;
    special_nested *nested;
    size_t nested_count;

    special_tile *tiles; /* fixed */
    size_t omt_count;

    special_join *joins; /* the others: mutable */
    size_t join_count;
    special_piece *pieces;
    size_t piece_count;
    const special_piece *root;
    special_shared *shared;
    size_t shared_count;
    special_phase *phases;
    size_t phase_count;
    special_check *checks;
    size_t check_count;
} special;

typedef struct special_model {
    special *all; /* every definition, in order of the import */
    size_t count;
    special **current; /* those that count, sorted by id */
    size_t current_count;
} special_model;

/* The definition that counts for an id: the last one; NULL if there is none. */
special *special_find(const import *im, const char *id);
/* " (the special is left out)" with the lenient option, else "". */
const char *special_left_out_text(const import *im);

/* special_field.c reads values of specials (field.h). */
field special_field(import *im, special *sp, const char *key); /* with inheritance */
bool field_point(field f, int32_t out[3]);
/* Reads a list of strings, or one string; repeated ones are dropped. */
bool field_strings(field f, special_list *out);
/* Reads a list of overmap_locations. Reports unknown ones, and a list that no terrain
 * satisfies. */
bool field_locations(field f, special_list *out);
bool field_is_filled(field f); /* there, and not an empty array */
/* Warns, once for each special, of a part (f) without locations, neither own nor the special's.
 */
void warn_no_locations(field f, field own, const char *part);
/* A concrete terrain, which must exist; NULL if not. */
const char *field_oter(field f);
/* An overmap_connection, which must exist; NULL if not. */
const char *field_connection(field f);
bool special_list_has(const special_list *list, const char *text);

/* A set of points, each with a number. */
typedef struct special_points {
    struct special_point *slots;
    size_t capacity; /* a power of two */
} special_points;
bool special_points_init(special_points *set, import *im, size_t count);
/* Returns the number stored for a point, or SIZE_MAX. */
size_t special_points_get(const special_points *set, const int32_t point[3]);
/* Stores unless the point is there: then returns its number. SIZE_MAX if it was stored. */
size_t special_points_put(special_points *set, const int32_t point[3], size_t number);

/* special_common.c reads what both subtypes have. Tiles come first, as connections look at
 * them. */
void special_read_basics(import *im, special *sp);
void special_read_eoc(import *im, special *sp); /* special_condition.c */
void special_read_links(import *im, special *sp, const special_points *tiles);
/* Once every special was read: references between them. */
void special_check_nested(import *im);

/* special_fixed.c: tiles receives the points of the tiles. */
void special_read_fixed(import *im, special *sp, special_points *tiles);

/* special_mutable.c: */
void special_read_mutable(import *im, special *sp);
const special_piece *special_piece_find(const special *sp, const char *id);
const special_join *special_join_find(const special *sp, const char *id);
/* Returns a piece or a join of the special, named by a value: NULL (reported) if there is
 * none. */
const special_piece *field_piece(field f);
const special_join *field_join(field f);
/* Reads a number, [a, b], {"poisson": mean} or {"chance": p}. */
bool field_amount(field f, special_amount *out);

/* special_phase.c reads phases, after pieces, joins and shared. */
void special_read_phases(import *im, special *sp);

/* special_phase.c: sides, for rules and checks, are rotated clockwise, rotation -3..3. */
int special_rotate_side(int side, int rotation);
int special_facing_side(int side); /* of the neighbour on that side */
extern const int32_t special_side_steps[SPECIAL_SIDES][3];

/* special_check.c names what can never be placed, once everything was read. */
void special_check_all(import *im);

/* special_write.c: */
void special_write(import *im, content_writer *w);

/* ---- what is offered to others, once all load() passes have run ---- */

/* An id is that of an overmap_special or a city_building. */
bool special_exists(const import *im, const char *id);
/* Is it a fixed one with at least one tile? Only once the check has run. */
bool special_has_tiles(const import *im, const char *id);
const char *special_suggest(import *im, const char *id);
/* A join of any mutable special. */
bool special_join_exists(const import *im, const char *id);
const char *special_join_suggest(import *im, const char *id);

extern const content_module special_module; /* overmap_special, city_building */

#endif
