/* The modules of content types, and what they offer each other and the folders above. */
#pragma once

#include "content/import/inherit.h"
#include "model/symbol.h"

extern const content_module terrain_module;      /* overmap_terrain -> terrain.c */
extern const content_module location_module;     /* overmap_location */
extern const content_module connection_module;   /* overmap_connection */
extern const content_module options_module;      /* EXTERNAL_OPTION, dimension, world_type */
extern const content_module migrations_module;   /* old ids; oter_vision */
extern const content_module monstergroup_module; /* only sums, as the objects are kept */
extern const content_module city_module;         /* city: cities at fixed places */
extern const content_module
    misc_module; /* map_extra, overmap_land_use_code, rotatable_symbol */

/* ---- for other modules, once all load() passes have run ---- */

/* misc.c. */
struct misc_model {
    symbol_tuple *tuples; /* rotatable_symbol, in import order */
    const source_object **tuple_objects;
    size_t tuple_count;
};
/* What a list of map extras may name for "nothing", without a definition. */
#define MAP_EXTRA_NONE "mx_null"

/* terrain.c. Ids of oters must match exactly. */
bool terrain_type_exists(const import *im, const char *type_id);
/* Returns an oter's type: its id without the suffix of a rotation or a line shape; NULL if no
 * type of the content. */
const char *terrain_base_of(import *im, const char *oter);
/* options.c: reads an option that is on or off. False, with *out unchanged, if there is
 * none. A value that is no switch has been reported. */
bool option_switch(import *im, const char *name, bool *out);
/* options.c: reads an option that is a number. A wrong one, or one outside of lo..hi, is
 * reported, and counts as absent. */
bool option_number_of(import *im, const char *name, double lo, double hi, double *out);
typedef enum oter_match {
    OTER_NONE,        /* no such oter */
    OTER_FOUND,       /* the exact id of an oter */
    OTER_NEEDS_SUFFIX /* the id of a rotatable or linear type, without its suffix */
} oter_match;
/* Finds an oter by its full id. */
oter_match terrain_find_oter(const import *im, const char *concrete_id);
bool terrain_is_linear(const import *im, const char *type_id);
/* Returns ", did you mean ...?" for the unknown id of an oter or a type, or "". */
const char *terrain_suggest(import *im, const char *id);

/* connection.c. */
/* False for a location that no terrain satisfies. */
bool location_satisfiable(const import *im, const char *id);
/* Returns a location's number in im->lists; SIZE_MAX if there is none. */
size_t location_number(const import *im, const char *id);

/* region.c. */
bool region_exists(const import *im, const char *id);
const char *region_suggest(import *im, const char *id);

/* connection.c: returns the sorted ids of the terrain types that satisfy a location. */
const string_list *location_terrains(const import *im, size_t number);
/* connection.c: returns the nth subtype's terrain, and its own locations; NULL behind the
 * last one. */
const char *connection_subtype_at(const import *im, const char *id, size_t index,
                                  const string_list **locations);
