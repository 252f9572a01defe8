/*
 * The model of overmap_special and city_building, and what the files that read it share. load()
 * collects the definitions and resolves inheritance. check() runs when every other type is
 * known. It reads fields and checks their references in one step; so each value is looked at
 * once, while its place for messages is known. Strings are borrowed from the JSON, or live in
 * the arena.
 */
#pragma once

#include "content/import/record.h"
#include "content/types/types.h"
#include "portolan/catalogue.h"

enum {
    SPECIAL_LIST_MAX = 1000,      /* most names that a list in the content may have */
    SPECIAL_INHERIT_MAX = 64,     /* longest chain of copies by copy-from */
    SPECIAL_COORDINATE_MAX = 179, /* in OMTs; nothing further away fits into an overmap */
    SPECIAL_HEIGHT_MAX = 20, /* most levels that an OMT may lie above or below the origin */
    SPECIAL_LEVEL_MAX = 10,  /* number of levels above the ground, and below it */
    /* In OMTs: the side of an overmap without its outermost ring. */
    SPECIAL_FOOTPRINT_MAX = 178,
    /* The most specials that may be nested in one special, at all depths together. The loading
     * of the catalogue has the same limit. */
    SPECIAL_NESTED_MAX = 1000,
    SPECIAL_NESTED_DEEP = 8, /* specials that are nested deeper than this are not placed */
    AMOUNT_TRIALS_MAX = 10000,
    SPECIAL_UNSATISFIABLE_MAX = 8
};

typedef string_list special_list; /* in the content's order */

/* ---- what fixed and mutable specials consist of ---- */

typedef struct special_connection {
    int32_t point[3], from[3];
    bool has_from, existing;
    /* The content names no connection: this one was guessed from the terrain. */
    bool guessed;
    const char *id;      /* id of the overmap_connection */
    const char *terrain; /* overmap terrain type that DDA names; NULL: none */
    /* Direction from `from` to `point`: 0 to 3 for north, east, south and west; -1 if there is
     * no `from`. */
    int direction;
    size_t index; /* index of the connection in the JSON array, for messages */
} special_connection;

typedef struct special_nested {
    int32_t point[3];
    const char *id;
    size_t index; /* index of the nested special in the JSON array, for messages */
} special_nested;

/* ---- fixed specials ---- */

typedef struct special_omt {
    int32_t point[3];
    const char *oter;
    special_list locations; /* locations of this OMT alone; if empty, those of the special are
                               used */
    special_list flags;
    const char *camp, *camp_name; /* NULL: none */
} special_omt;

/* ---- mutable specials ---- */

/* The sides of a piece, in this order: north, east, south, west, above, below. Rotating a piece
 * changes the first four. */
enum { SPECIAL_SIDES = 6 };
extern const char *const special_side_names[SPECIAL_SIDES + 1]; /* ends with NULL */

typedef struct special_join {
    const char *id;
    const char *opposite; /* id of the join's opposite; the join's own id if the content names
                             none */
    /* Locations to whose terrains the join may point; if there are none, those of the special
     * count. */
    special_list into;
    size_t index;
} special_join;

/* The names of ptl_join_type, in its order. */
extern const char *const special_join_type_names[]; /* ends with NULL */

typedef struct special_side {
    const char *join; /* id of the join of this side; NULL: the side has none */
    ptl_join_type type;
    special_list alternatives;
} special_side;

typedef struct special_piece {
    const char *id;
    const char *oter;
    special_list locations; /* locations of this piece alone; if empty, those of the special are
                               used */
    special_side sides[SPECIAL_SIDES];
    const char *connections[SPECIAL_SIDES]; /* ids of overmap_connections; NULL: none */
} special_piece;

/* The names of ptl_amount_kind, in its order. */
extern const char *const special_amount_names[];

typedef struct special_amount {
    ptl_amount_kind kind;
    int64_t low, high; /* ends of a range; exchanged if the content has low > high */
    double mean;
    int64_t trials;
    /* Bounds of the random number that poisson or binomial gives; -1: no bound. */
    int64_t least, most;
} special_amount;

typedef struct special_shared {
    const char *id;
    special_amount amount;
} special_shared;

/* The names of ptl_height_kind, in its order. */
extern const char *const special_height_names[];

typedef struct special_height {
    ptl_height_kind kind;
    int64_t low, high, top, bottom;
    bool has_top, has_bottom;
} special_height;

typedef struct special_rule_piece {
    const special_piece *piece; /* NULL if the content names an unknown piece */
    int32_t pos[3];
    int rotation; /* 0..3 = N, E, S, W */
} special_rule_piece;

typedef struct special_rule {
    const char *name; /* NULL: none */
    /* The open join that the rule's pieces must close; NULL: any open join. */
    const char *join;
    const char *scale; /* id of a number that several rules share; NULL: none */
    special_rule_piece *pieces;
    size_t piece_count;
    special_amount max;
    /* -1: the rule states no weight; then it counts as often as it may still be used. */
    int64_t weight;
    special_height height;
    bool has_overmap_pos;
    int64_t overmap_pos[2];
    int rotate; /* -1: the rule does not state it, so the special's own setting is used */
} special_rule;

typedef struct special_phase {
    special_rule *rules;
    size_t count;
} special_phase;

typedef struct special_check {
    /* Two corners of the area whose terrain is checked, as x, y, z; from <= to for each of the
     * three, and equal if the area is a single cell. */
    int32_t from[3], to[3];
    special_list locations;
} special_check;

/* ---- the special ---- */

typedef struct special {
    const char *id;
    const source_object *obj;
    const struct special *parent; /* the definition that this one copies; NULL: none */
    bool building;                /* true: a city_building; false: an overmap_special */
    bool is_mutable;
    /* A definition from which this one copies, directly or not, does not exist. So a missing
     * field is no mistake. */
    bool orphan;
    /* True only with the option lenient: the special is not used, because something that it
     * needs is unknown. */
    bool left_out;
    bool wrong;         /* an error in the special was reported */
    bool has_locations; /* the content gives the special locations, known or unknown */
    bool warned_no_location;
    /* Locations that were already reported as unsatisfiable. */
    const char *unsatisfiable[SPECIAL_UNSATISFIABLE_MAX];
    size_t unsatisfiable_count;
    /* For the search for specials that are nested in themselves: 0 not visited yet, 1 on the
     * present path, 2 done. */
    unsigned char mark;
    uint16_t nested_size;  /* number of specials nested in this one, at all depths */
    uint16_t nested_depth; /* how deep specials are nested in this one; 0: nothing is nested */

    /* The columns of the table overmap_special, except those that are members below. */
    overmap_special_row row;
    /* Whether the condition of the special's effect_on_condition is met can be told only while
     * the game is played. */
    bool eoc_in_play;
    special_list locations, flags;
    special_connection *connections;
    size_t connection_count;
    special_nested *nested;
    size_t nested_count;

    special_omt *omts; /* the OMTs of a fixed special */
    size_t omt_count;

    /* The members from here on are only for mutable specials. */
    special_join *joins;
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
    special *all; /* all definitions in import order */
    size_t count;
    definition_list valid; /* for each id, its last definition */
    special **current;     /* for each definition in `valid`, in the same order: its special */
    size_t current_count;
} special_model;

/* Returns the valid definition of an id, which is the last one; NULL if there is none. */
special *special_find(const import *im, const char *id);

/* Functions of special_field.c, which reads values of specials (field.h). */
/* Returns the value of the key, which the special may have inherited. */
field special_field(import *im, special *sp, const char *key);
bool field_point(field f, int32_t out[3]);
/* Reads a list of strings, or a single string; repeated strings are dropped. */
bool field_strings(field f, special_list *out);
/* Reads a list of overmap_locations. Reports unknown ones, and a list that no terrain
 * satisfies. */
bool field_locations(field f, special_list *out);
bool field_is_filled(field f); /* true if the value is there and no empty array */
/* Warns, once for each special, that a part of the special, such as an OMT or a piece, has no
 * locations: `own`, its own list, is missing, and the special has no list for all of its parts
 * either. `part` is the word for the part in the message. */
void warn_no_locations(field f, field own, const char *part);
/* Reads a full oter id, which must exist; NULL if it does not, which is reported. */
const char *field_oter(field f);
/* Reads the id of an overmap_connection, which must exist; NULL if it does not, which is
 * reported. */
const char *field_connection(field f);
bool special_list_has(const special_list *list, const char *text);

/* Returns the number that a map from points has for a point; SIZE_MAX if there is none. */
size_t special_points_get(const strmap *points, const int32_t point[3]);
/* Stores a number for a point and returns SIZE_MAX; if the point has a number already, returns
 * that number and changes nothing. */
size_t special_points_put(strmap *points, import *im, const int32_t point[3], size_t number);

/* special_common.c: reads the fields that fixed and mutable specials share. The OMTs must be
 * read before special_read_links, as connections refer to them. */
void special_read_basics(import *im, special *sp);
void special_read_links(import *im, special *sp, const strmap *omts);
/* Checks the ids of nested specials, when all specials have been read. */
void special_check_nested(import *im);

/* special_field.c: reads the OMTs of a fixed special; `omts` receives their points. */
void special_read_fixed(import *im, special *sp, strmap *omts);

/* special_mutable.c: reads joins, pieces and phases of a mutable special. */
void special_read_mutable(import *im, special *sp);
const special_join *special_join_find(const special *sp, const char *id);

/* special_mutable.c: returns the side to which a clockwise rotation moves a side; rotation is
 * -3..3. */
int special_rotate_side(int side, int rotation);
int special_facing_side(int side); /* the side of the neighbour that faces `side` */
extern const int32_t special_side_steps[SPECIAL_SIDES][3];

/* special_check_ground.c: reports specials that can never be placed, when everything has been
 * read. */
void special_check_all(import *im);

/* ---- for other modules, once all load() passes have run ---- */

/* Is there an overmap_special or a city_building with this id? */
bool special_exists(const import *im, const char *id);
/* Is there a fixed special with this id, with at least one OMT? May be called only after the
 * check of specials. */
bool special_has_omts(const import *im, const char *id);
const char *special_suggest(import *im, const char *id);
/* Has any mutable special a join with this id? */
bool special_join_exists(const import *im, const char *id);
const char *special_join_suggest(import *im, const char *id);

extern const content_module special_module; /* reads overmap_special and city_building */
