/* The modules of types of content, and what they offer each other and those above. */
#ifndef CONTENT_TYPES_TYPES_H
#define CONTENT_TYPES_TYPES_H

#include "content/import/inherit.h"

extern const content_module terrain_module;      /* overmap_terrain -> terrain.c */
extern const content_module location_module;     /* overmap_location */
extern const content_module connection_module;   /* overmap_connection */
extern const content_module options_module;      /* EXTERNAL_OPTION, dimension, world_type */
extern const content_module migrations_module;   /* earlier ids; oter_vision */
extern const content_module monstergroup_module; /* sums of monstergroup, which is kept */
extern const content_module city_module;         /* city: fixed ones */
extern const content_module
    misc_module; /* map_extra, overmap_land_use_code, rotatable_symbol */

/* ---- what the modules offer each other (only after all load() passes) ---- */

/* terrain.c: a concrete id is compared exactly. */
bool terrain_type_exists(const import *im, const char *type_id);
/* An option that is on or off; false (and *out as it was) where there is none. What is no such
 * value has been reported. */
bool option_switch(import *im, const char *name, bool *out);
typedef enum oter_match {
    OTER_NONE,        /* no such concrete terrain */
    OTER_FOUND,       /* an exact concrete id */
    OTER_NEEDS_SUFFIX /* the id of a rotatable or linear type, without its suffix */
} oter_match;
oter_match terrain_find_oter(const import *im, const char *concrete_id);
bool terrain_is_linear(const import *im, const char *type_id);
/* ", did you mean ...?" for a concrete id or a type id, or "". */
const char *terrain_suggest(import *im, const char *id);

/* location.c: */
bool location_exists(const import *im, const char *id);
/* False for a location that no terrain can satisfy. */
bool location_satisfiable(const import *im, const char *id);
const char *location_suggest(import *im, const char *id);
size_t location_count(const import *im);
/* Its number, below location_count; SIZE_MAX if there is none. */
size_t location_number(const import *im, const char *id);

/* connection.c: */
bool connection_exists(const import *im, const char *id);
const char *connection_suggest(import *im, const char *id);

/* region.c: */
bool region_exists(const import *im, const char *id);
const char *region_suggest(import *im, const char *id);

/* location.c gives the ids of the terrain types that satisfy a location, sorted. */
const string_list *location_terrains(const import *im, size_t number);
/* connection.c gives the nth subtype's terrain (locations: its own), NULL after the last. */
const char *connection_subtype_at(const import *im, const char *id, size_t index,
                                  const string_list **locations);

#endif
