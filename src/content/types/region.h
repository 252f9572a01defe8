/* The model of region_settings and region_overlay: what the region_*.c files share. */
#pragma once

#include "content/import/inherit.h"
#include "content/types/types.h"
#include "model/region_fields.h"

enum { REGION_FEATURE_LISTS = 2 };
extern const region_bin region_feature_lists[REGION_FEATURE_LISTS]; /* blacklist, whitelist */

/* An entry of a weighted list, and where it was stated. */
typedef struct region_entry {
    const char *id;
    int64_t weight;
    const source_object *object;
    const char *pointer; /* JSON Pointer to it in the object */
    /* Of bins, after the check: 'special', 'terrain', or NULL if it is left out. */
    const char *kind;
} region_entry;

typedef struct region_list {
    region_entry *items; /* in the arena; sorted by id once the region is complete */
    size_t count, capacity;
} region_list;

typedef struct region_extras {
    const char *name;
    int64_t chance;
    bool has_chance, clear; /* of an overlay: chance is given; clear the list first */
    region_list entries;
} region_extras;

/* What one object states. An object of region_settings patches the defaults, a
 * region_overlay patches regions. */
typedef struct region_patch {
    bool present[REGION_NUMBERS]; /* numbers[n] is given */
    double numbers[REGION_NUMBERS];
    const char *default_oter; /* NULL: not given */
    const char *default_oter_pointer;
    const char *const *levels; /* from z = -10 on; NULL: no list, but one terrain */
    bool clear_bin[REGION_BINS], clear_features[REGION_FEATURE_LISTS];
    region_list bins[REGION_BINS];
    string_list features[REGION_FEATURE_LISTS];
    region_extras *extras;
    size_t extras_count;
} region_patch;

typedef struct region {
    const char *id;
    const source_object *object;
    /* The region has the newer form, whose parts replace what were options before. */
    bool has_parts;
    double numbers[REGION_NUMBERS];
    const char *default_oter;
    const source_object *default_oter_object; /* NULL: default_oter is the default */
    const char *default_oter_pointer;
    const char *const *levels; /* from z = -10 on; NULL: not stated */
    /* With the option lenient: its default_oter is unresolved. */
    bool left_out;
    region_list bins[REGION_BINS];
    string_list features[REGION_FEATURE_LISTS];
    region_extras *extras;
    size_t extras_count;
    json_t *rest; /* owned by the import: blocks, with the members that have no columns */
} region;

struct region_model {
    region *regions; /* sorted by id */
    size_t count;
};

/* The objects that regions may name in place of blocks, by type. */
enum { REGION_PARTS_MAX = 16 };
typedef struct region_parts {
    source_type types[REGION_PARTS_MAX];
    source_type collections; /* of map extras */
} region_parts;

/* region_read.c: reads an object and reports problems. Without parts it is an overlay, whose
 * chances and extras may be missing. */
void region_parts_load(region_parts *out, import *im);
void region_patch_read(region_patch *out, import *im, const region_parts *parts,
                       const source_object *obj);
/* Does the object name parts? Then a part that it does not name does not exist. */
bool region_has_parts(const source_object *obj);
/* Returns a new object of blocks, with the members that have no columns; NULL when memory
 * is out. */
json_t *region_rest(import *im, const region_parts *parts, const source_object *obj);

/* A part of a region that an option of older contents switches off, and so does a member of the
 * region that is null, or that is missing where regions name parts. Numbers first..last are set
 * to `off` then. */
typedef struct region_switch {
    const char *option, *key; /* key NULL: no member does */
    region_number first, last;
    double off;
} region_switch;
enum {
    REGION_SWITCHES = 8,
    REGION_NEVER = 2 /* a threshold that the noise never reaches */
};
extern const region_switch region_switches[REGION_SWITCHES]; /* region.c */

/* Warns of what the default region, which is this object, should have and lacks. */
void region_warn_default(import *im, const source_object *obj);

/* Returns the terrain that the first region with stated levels has on level z; NULL if no
 * region states levels. */
const char *region_level(const import *im, int32_t z);

/* Visits the ids in the block of highways; an id that is no text is NULL. */
typedef void region_highway_id(import *im, const region *r, const highway_part *part,
                               const char *id);
void region_highway_ids(import *im, const region *r, region_highway_id *visit);

/* Parts of the region module; its check is in content/region_check.c, as it needs specials. */
extern const char *const region_types[]; /* ends with NULL */
void region_load(import *im);
/* region.c: writes the tables. */
void region_write(import *im, content_writer *w);
