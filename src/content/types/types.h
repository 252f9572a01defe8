/* The modules of content types, and functions that they offer to each other and to the folders
 * above. */
#pragma once

#include "content/import/inherit.h"
#include "model/symbol.h"

extern const content_module terrain_module;    /* reads overmap_terrain; in terrain.c */
extern const content_module location_module;   /* reads overmap_location */
extern const content_module connection_module; /* reads overmap_connection */
/* Reads EXTERNAL_OPTION, dimension and world_type. */
extern const content_module options_module;
/* Reads migrations of old ids, and oter_vision. */
extern const content_module migrations_module;
/* Adds up the chances in each monster group. The objects themselves are kept as text. */
extern const content_module monstergroup_module;
extern const content_module city_module; /* reads city: cities whose places the content gives */
/* Reads map_extra, overmap_land_use_code and rotatable_symbol. */
extern const content_module misc_module;

/* ---- for other modules, once all load() passes have run ---- */

/* Defined by misc.c. */
struct misc_model {
    symbol_tuple *tuples; /* the tuples of rotatable_symbol, in import order */
    const source_object **tuple_objects;
    size_t tuple_count;
};
/* The id by which a list of map extras names "nothing"; it has no definition. */
#define MAP_EXTRA_NONE "mx_null"

/* Is there an overmap terrain type with exactly this id? */
bool terrain_type_exists(const import *im, const char *type_id);
/* Returns the id of an oter's type, that is, the oter's id without the suffix of a rotation or
 * line shape; NULL if the content has no such type. */
const char *terrain_base_of(import *im, const char *oter);
/* options.c: reads an option that is on or off. False, with *out unchanged, if there is none,
 * or if its value is neither true nor false, which is reported. */
bool option_switch(import *im, const char *name, bool *out);
/* options.c: reads an option that is a number. False, with *out unchanged, if there is none,
 * or if its value is no number from lo to hi, which is reported. */
bool option_number_of(import *im, const char *name, double lo, double hi, double *out);
typedef enum oter_match {
    OTER_NONE,        /* the content has no such oter */
    OTER_FOUND,       /* the text is the full id of an oter */
    OTER_NEEDS_SUFFIX /* the id of a rotatable or linear type, without its suffix */
} oter_match;
/* Finds an oter by its full id. */
oter_match terrain_find_oter(const import *im, const char *concrete_id);
bool terrain_is_linear(const import *im, const char *type_id);
/* Returns ", did you mean ...?" for the unknown id of an oter or a type, or "". */
const char *terrain_suggest(import *im, const char *id);

/* ---- connection.c ---- */
/* Does some terrain satisfy the location? False also if the location does not exist. */
bool location_satisfiable(const import *im, const char *id);
/* Returns a location's number in im->lists; SIZE_MAX if there is none. */
size_t location_number(const import *im, const char *id);

/* ---- region.c ---- */
bool region_exists(const import *im, const char *id);
const char *region_suggest(import *im, const char *id);

/* connection.c: returns the sorted ids of the terrain types that satisfy a location. */
const string_list *location_terrains(const import *im, size_t number);
/* connection.c: returns the terrain of a connection's subtype with this index, and gives the
 * subtype's own locations; NULL behind the last subtype. */
const char *connection_subtype_at(const import *im, const char *id, size_t index,
                                  const string_list **locations);
