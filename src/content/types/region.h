/* The model of region_settings and region_overlay, which region.c and region_read.c share. */
#pragma once

#include "content/import/inherit.h"
#include "content/types/types.h"
#include "model/region_fields.h"

enum { REGION_FEATURE_LISTS = 2 };
/* The lists of a region that exclude specials by their feature flags: blacklist, whitelist. */
extern const region_bin region_feature_lists[REGION_FEATURE_LISTS];

/* An element of a weighted list, and the place where content states it. */
typedef struct region_entry {
    const char *id;
    int64_t weight;
    const source_object *object;
    /* JSON Pointer to this element of the list, in the object that states it. */
    const char *pointer;
    /* What the id names, once it was checked: in bins 'special' or 'terrain', in map extras
     * 'map_extra'; NULL: the id is unknown, and this element is left out. */
    const char *kind;
} region_entry;

typedef struct region_list {
    region_entry *items; /* in the arena; sorted by id once the region is complete */
    size_t count, capacity;
} region_list;

typedef struct region_extras {
    const char *name;
    int64_t chance;
    /* For an overlay. has_chance: the overlay states the chance. clear: the region's list of
     * extras is emptied before the overlay's entries are added. */
    bool has_chance, clear;
    region_list entries;
} region_extras;

/* The settings that one object states. An object of region_settings patches the defaults, a
 * region_overlay patches regions. */
typedef struct region_patch {
    bool present[REGION_NUMBERS]; /* present[n]: the object states numbers[n] */
    double numbers[REGION_NUMBERS];
    const char *default_oter; /* NULL: the object does not state it */
    const char *default_oter_pointer;
    /* The default terrains of the levels, from z = -10 on; NULL: the object gives a single
     * terrain or none. */
    const char *const *levels;
    bool clear_bin[REGION_BINS], clear_features[REGION_FEATURE_LISTS];
    region_list bins[REGION_BINS];
    string_list features[REGION_FEATURE_LISTS];
    region_extras *extras;
    size_t extras_count;
} region_patch;

typedef struct region {
    const char *id;
    const source_object *object;
    /* The region refers by id to objects that hold parts of its settings. Regions of newer
     * games do that; their games have such objects in place of options. */
    bool has_parts;
    double numbers[REGION_NUMBERS];
    const char *default_oter;
    const source_object *default_oter_object; /* NULL: no object states default_oter */
    const char *default_oter_pointer;
    const char *const *levels; /* the default terrains from z = -10 on; NULL: not stated */
    /* True only with the option lenient: the region's default_oter is unknown, so the region is
     * not used. */
    bool left_out;
    region_list bins[REGION_BINS];
    string_list features[REGION_FEATURE_LISTS];
    region_extras *extras;
    size_t extras_count;
    json_t *rest; /* owned by the import: the region's blocks of settings, as JSON, but only
                     with members for which the database has no columns */
} region;

struct region_model {
    region *regions; /* sorted by id */
    size_t count;
};

/* The objects that each hold one part of a region's settings. In a region's JSON the id of such
 * an object may stand in place of the block with these settings. There is one list of objects
 * for each of their types. */
enum { REGION_PARTS_MAX = 16 };
typedef struct region_parts {
    source_type types[REGION_PARTS_MAX];
    source_type collections; /* the content's objects of type map_extra_collection */
} region_parts;

/* region_read.c: region_parts_load gathers the objects that hold parts of regions' settings.
 * region_patch_read reads a region's object into a patch, and reports problems. With parts ==
 * NULL the object is an overlay, in which chances and extras may be missing. */
void region_parts_load(region_parts *out, import *im);
void region_patch_read(region_patch *out, import *im, const region_parts *parts,
                       const source_object *obj);
/* Does the object refer by id to objects that hold parts of a region's settings? Then a part
 * that is not referred to does not exist for the region. */
bool region_has_parts(const source_object *obj);
/* Returns a new JSON object with what the database has no columns for: the object's blocks of
 * settings, without the members that have columns. NULL when memory is out. */
json_t *region_rest(import *im, const region_parts *parts, const source_object *obj);

/* How features of one kind, such as rivers, are switched off: the region's numbers first..last
 * are set to `off`. In older contents an option does that for all regions. In a single region
 * its member `key` does that, if its value is null, or if it is missing and the region refers
 * by id to objects that hold parts of its settings. */
typedef struct region_switch {
    const char *option, *key; /* key: the region's member that switches the features off; NULL:
                                 none does */
    region_number first, last;
    double off;
} region_switch;
enum {
    REGION_SWITCHES = 8,
    REGION_NEVER = 2 /* stands for a threshold above all values of the noise */
};
/* All switches; the list is in region.c. */
extern const region_switch region_switches[REGION_SWITCHES];

/* Warns of members that the default region should have, if this object, which defines it,
 * lacks them. */
void region_warn_default(import *im, const source_object *obj);

/* Returns the terrain on level z of the first region that states its levels; NULL if no region
 * does. */
const char *region_level(const import *im, int32_t z);

/* A callback for region_highway_ids, which is called with each id in a region's settings of
 * highways. The id is NULL if the JSON has a value there that is no text. */
typedef void region_highway_id(import *im, const region *r, const highway_part *part,
                               const char *id);
void region_highway_ids(import *im, const region *r, region_highway_id *visit);

/* Functions of the region module. The module's check is in content/region_check.c, as it needs
 * specials. */
extern const char *const region_types[]; /* ends with NULL */
void region_load(import *im);
/* region.c: writes regions into their tables. */
void region_write(import *im, content_writer *w);
