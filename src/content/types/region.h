/* The model of region_settings and region_overlay: what the region_*.c files share. */
#ifndef CONTENT_TYPES_REGION_H
#define CONTENT_TYPES_REGION_H

#include "content/import/inherit.h"
#include "content/types/types.h"
#include "model/region_fields.h"

/* The bins are in the order of region_bins[]; the last one belongs to
 * forest_trail_settings. */
enum { REGION_BINS = 7, REGION_FEATURE_LISTS = 2 };
typedef struct region_bin {
    const char *block, *key;
    /* The boolean of an overlay that empties the bin first. */
    const char *clear;
} region_bin;
extern const region_bin region_bins[REGION_BINS];
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

typedef struct region_block {
    const char *name;
    const char *json; /* in the arena */
} region_block;

/* An id in the block of highways. */
typedef struct region_highway_id {
    const highway_part *part; /* the member that names it */
    const char *id;
} region_highway_id;

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
    json_t *rest; /* only while loading: blocks that have no columns */
    region_block *blocks;
    size_t block_count;
    region_highway_id *highway_ids; /* in the arena */
    size_t highway_id_count;
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

/* region_read.c: reads an object and reports problems. overlay: chances and extras may be
 * missing, and there are no parts (NULL). */
void region_parts_load(region_parts *out, import *im);
void region_patch_read(region_patch *out, import *im, const region_parts *parts,
                       const source_object *obj, bool overlay);
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
extern const region_switch region_switches[REGION_SWITCHES]; /* region_options.c */

/* region_options.c: adds what the content's options say about a region, whose objects must
 * all have been read. */
void region_apply_options(import *im, region *r);

/* region_apply.c: applies patches to regions. */
void region_apply(import *im, region *r, const region_patch *patch, const source_object *obj);
/* Merges an overlay's blocks into a region's `rest`; -1 when memory is out. */
int region_merge_rest(json_t *into, const json_t *overlay);
/* Completes a region: sorts its lists, and makes texts of `rest` in the arena; rest is
 * freed. */
void region_finish(import *im, region *r);

/* region_unread.c: is the member of a block stored in a column or a table? */
bool region_has_column(const char *block, const char *key);
/* Counts the members that nothing reads of a block, or of an object that is a part in its
 * place; `in` is the member that holds the block, or the object. */
void region_count_unread(import *im, const source_object *obj, const char *block, field in);
/* Warns of what the default region, which is this object, should have and lacks. */
void region_warn_default(import *im, const source_object *obj);

/* region_highways.c: keeps the ids of the block if it is the one of highways. A check warns
 * of ids that nothing defines. */
void region_read_highways(import *im, region *r, const char *name, json_t *block);
/* Does anything read this member of the block of highways? */
bool region_highway_key(const char *key);

/* Returns the terrain that the first region with stated levels has on level z; NULL if no
 * region states levels. */
const char *region_level(const import *im, int32_t z);

/* Parts of the region module; its check is in content/region_check.c, as it needs specials. */
extern const char *const region_types[]; /* ends with NULL */
void region_load(import *im);
/* region_write.c: writes the tables. */
void region_write(import *im, content_writer *w);

#endif
