/* The model of overmap_terrain during an import, which terrain.c and terrain_read.c share. */
#pragma once

#include "content/import/record.h"
#include "content/types/types.h"
#include "model/symbol.h"

enum { TERRAIN_OTERS_MAX = 65534, TERRAIN_MAPGEN_LISTS = 6, TERRAIN_SCALED = 3 };

/* The values of a terrain, own and inherited. Copies share strings and lists. */
typedef struct terrain_values {
    overmap_terrain_row row;
    string_list flags; /* sorted, each flag once */
} terrain_values;

/* Gives the bit that says, in terrain_object.present, that a JSON object states this member of
 * overmap_terrain_row. */
#define TERRAIN_HAS(member)                                                                    \
    (UINT64_C(1) << record_field(CONTENT_TERRAINS, offsetof(overmap_terrain_row, member)))

/* A JSON object that defines terrains. It is read once, however many ids it has. */
typedef struct terrain_object {
    const source_object *source;
    /* The bits (TERRAIN_HAS) of all members of the row that the object states. */
    uint64_t present;
    bool has_flags;
    terrain_values given; /* only the members whose bits are set in `present` are valid */
    /* Flags that the object adds to the inherited ones, or takes away from them. */
    string_list extend, remove;
    /* Lists of `post_process_generators` that the object adds, or takes away. */
    string_list extend_post, remove_post;
    /* How the object changes numbers that it inherits. `relative` and `proportional` have a
     * number for each field marked `scaled` in content_tables.h, in that order. */
    double relative[TERRAIN_SCALED]; /* numbers to be added to inherited ones; 0: not given */
    /* Factors by which inherited numbers are multiplied; 0: not given. */
    double proportional[TERRAIN_SCALED];
    /* The JSON of the object's mapgen lists, in the order of terrain_mapgen_keys; NULL: not
     * given. */
    const json_t *mapgen[TERRAIN_MAPGEN_LISTS];
    bool flags_reported, symbol_reported; /* the mistake was already reported for another id of
                                             the object */
} terrain_object;

extern const char *const terrain_mapgen_keys[TERRAIN_MAPGEN_LISTS];

/* A terrain type. If its id is defined several times, the last definition counts. */
typedef struct terrain_type {
    const char *id;
    const terrain_object *object;
    const terrain_values *values;
    ptl_terrain_shape kind;
    uint32_t first; /* number of the type's first oter; oters are numbered type by type */
} terrain_type;

typedef struct terrain_oter {
    const char *id;
    uint32_t type; /* index of the oter's terrain type in terrain_model.types */
    /* 0 to 3: the rotation of a rotatable oter; 0 to 15: the mask of connected sides of a
     * linear one. */
    uint32_t variant;
} terrain_oter;

struct terrain_model {
    terrain_object *objects; /* in the order in which the import reads them */
    size_t object_count;
    inherit_node *nodes; /* one for each id of each object, in import order */
    terrain_object **node_objects;
    terrain_values *node_values;
    size_t node_count;
    terrain_type *types; /* sorted by id */
    size_t type_count;
    terrain_oter *oters; /* sorted by id */
    size_t oter_count;
};

/* terrain_read.c: reads the fields of all objects. */
void terrain_read_objects(import *im, struct terrain_model *model);
/* terrain_read.c: makes an inherit_node for each id of each object, and finds the values of
 * each after inheritance. */
void terrain_inherit(import *im, struct terrain_model *model);

/* Returns ", did you mean ...?" for the unknown id of a type, or "". */
const char *terrain_suggest_type(import *im, const char *id);
/* Returns a terrain type by its id; NULL if there is none. */
const terrain_type *terrain_find_type(const import *im, const char *id);
/* Returns the type of an oter by the oter's id; NULL if the content has no such oter. */
const terrain_type *terrain_type_of(const import *im, const char *oter);
