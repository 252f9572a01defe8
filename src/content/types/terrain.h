/* The model of overmap_terrain during an import: what the terrain_*.c files share. */
#ifndef CONTENT_TYPES_TERRAIN_H
#define CONTENT_TYPES_TERRAIN_H

#include "content/types/types.h"
#include "model/symbol.h"

enum { TERRAIN_OTERS_MAX = 65534, TERRAIN_MAPGEN_LISTS = 6 };

/* The numeric fields, which relative and proportional can change. */
typedef enum terrain_number {
    TERRAIN_SEE_COST,
    TERRAIN_TRAVEL_COST,
    TERRAIN_MONDENSITY,
    TERRAIN_NUMBERS
} terrain_number;

/* Texts that are kept as they are given, for local maps and viewers. */
typedef enum terrain_text {
    TERRAIN_SEE_COST_NAME,    /* how see_cost was given; NULL: as a number */
    TERRAIN_VISION_LEVELS,    /* oter_vision */
    TERRAIN_TRAVEL_COST_TYPE, /* names of any kind */
    TERRAIN_UNIFORM,          /* a terrain that fills the local map */
    TERRAIN_MAP_LABEL,        /* drawn on the map at its place */
    TERRAIN_ENTRY_EOC,        /* effect_on_condition, as the next */
    TERRAIN_EXIT_EOC,
    TERRAIN_DEFAULT_MAP_DATA, /* omt_placeholder */
    TERRAIN_TEXTS
} terrain_text;

/* What a terrain inherits; strings and lists are shared between the copies. */
typedef struct terrain_values {
    const char *name, *color, *connect_group, *extras;
    const char *land_use_code; /* NULL: none */
    uint32_t symbol;           /* 0: none */
    int64_t numbers[TERRAIN_NUMBERS];
    string_list looks_like;
    string_list flags;                /* a set */
    const char *texts[TERRAIN_TEXTS]; /* NULL: none */
    string_list post_processing;      /* pp_generator; a set */
    const char *spawn_group;          /* NULL: no spawns */
    int64_t spawn_min, spawn_max, spawn_chance;
} terrain_values;

enum {
    TERRAIN_HAS_NAME = 1u << 0,
    TERRAIN_HAS_COLOR = 1u << 1,
    TERRAIN_HAS_SYMBOL = 1u << 2,
    TERRAIN_HAS_LOOKS_LIKE = 1u << 3,
    TERRAIN_HAS_CONNECT_GROUP = 1u << 4,
    TERRAIN_HAS_EXTRAS = 1u << 5,
    TERRAIN_HAS_LAND_USE = 1u << 6,
    TERRAIN_HAS_SPAWNS = 1u << 7,
    TERRAIN_HAS_FLAGS = 1u << 8,
    TERRAIN_HAS_POST_PROCESSING = 1u << 9,
    TERRAIN_HAS_NUMBER = 1u << 10, /* and the next TERRAIN_NUMBERS - 1 bits */
    TERRAIN_HAS_TEXT = 1u << 13    /* and the next TERRAIN_TEXTS - 1 bits */
};

/* One JSON object, read once however many ids it has. */
typedef struct terrain_object {
    const source_object *source;
    object_ids ids;
    const char *copy_from;
    uint32_t present;                           /* TERRAIN_HAS_* */
    terrain_values given;                       /* only what is present */
    string_list extend, remove;                 /* of flags; sets */
    string_list extend_post, remove_post;       /* of post_processing; sets */
    double relative[TERRAIN_NUMBERS];           /* added; 0: not given */
    double proportional[TERRAIN_NUMBERS];       /* multiplied with; 0: not given */
    const json_t *mapgen[TERRAIN_MAPGEN_LISTS]; /* by terrain_mapgen_keys; NULL: not given */
    bool flags_reported, symbol_reported;       /* once per object, not per id */
} terrain_object;

extern const char *const terrain_mapgen_keys[TERRAIN_MAPGEN_LISTS];

/* A type: the last definition of its id. */
typedef struct terrain_type {
    const char *id;
    const terrain_object *object;
    const terrain_values *values;
    ptl_terrain_shape kind;
    uint32_t first; /* index of its first concrete terrain */
} terrain_type;

typedef struct terrain_oter {
    const char *id;
    uint32_t type;    /* index into types */
    uint32_t variant; /* rotation, or line mask */
} terrain_oter;

struct terrain_model {
    terrain_object *objects; /* in import order */
    size_t object_count;
    inherit_node *nodes; /* one per id of each object, in import order */
    terrain_object **node_objects;
    terrain_values *node_values;
    size_t node_count;
    terrain_type *types; /* sorted by id */
    size_t type_count;
    terrain_oter *oters; /* sorted by id */
    size_t oter_count;
};

/* terrain_read.c: reads all objects' fields. */
ptl_status terrain_read_objects(import *im, struct terrain_model *model);
/* terrain_shoals.c: an entry of a mapgen list, if it names the built-in mapgen `shoals`. */
void terrain_check_shoals(import *im, const terrain_object *t, const char *list, size_t index,
                          json_t *entry);
/* terrain_inherit.c makes nodes and their values. */
ptl_status terrain_inherit(import *im, struct terrain_model *model);
/* terrain_expand.c makes types and concrete terrains. */
ptl_status terrain_expand(import *im, struct terrain_model *model);
/* terrain_write.c: */
ptl_status terrain_write(import *im, ptl_store *store, int64_t content_id);

/* ", did you mean ...?" for the id of a type, or "". */
const char *terrain_suggest_type(import *im, const char *id);
/* NULL if there is no such type. */
const terrain_type *terrain_find_type(const import *im, const char *id);
/* Returns the type of a concrete terrain; NULL if there is none. */
const terrain_type *terrain_type_of(const import *im, const char *oter);

#endif
