/* The model of region_settings and region_overlay: what the region_*.c files share. */
#ifndef CONTENT_TYPES_REGION_H
#define CONTENT_TYPES_REGION_H

#include "content/import/merge.h"
#include "content/types/types.h"
#include "model/region_fields.h"

/* The bins, in the order of region_bins[]; the last one is of forest_trail_settings. */
enum { REGION_BINS = 7, REGION_FEATURE_LISTS = 2 };
typedef struct region_bin {
    const char *block, *key;
    const char *clear; /* the overlay's boolean that empties it first */
} region_bin;
extern const region_bin region_bins[REGION_BINS];
extern const region_bin region_feature_lists[REGION_FEATURE_LISTS]; /* blacklist, whitelist */

/* An entry of a weighted list, with where it was given. */
typedef struct region_entry {
    const char *id;
    int64_t weight;
    const source_object *object;
    const char *pointer; /* JSON Pointer to it in the object */
    const char *kind;    /* bins, after check: 'special', 'terrain', or NULL: left out */
} region_entry;

typedef struct region_list {
    region_entry *items; /* in the arena; sorted by id once the region is complete */
    size_t count, capacity;
} region_list;

typedef struct region_extras {
    const char *name;
    int64_t chance;
    bool has_chance, clear; /* of a patch */
    region_list entries;
} region_extras;

/* What one object says: region_settings patches the defaults, region_overlay regions. */
typedef struct region_patch {
    bool present[REGION_NUMBERS]; /* numbers[n] is given */
    double numbers[REGION_NUMBERS];
    const char *default_oter; /* NULL: not given */
    const char *default_oter_pointer;
    const char *const *levels; /* of the list, from z = -10 on; NULL: one terrain alone */
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

/* An id that the block of highways names. */
typedef struct region_highway_id {
    const char *key, *id;
    bool terrain; /* else a special */
} region_highway_id;

typedef struct region {
    const char *id;
    const source_object *object;
    bool has_parts; /* it is of the newer form, which has what once were options */
    double numbers[REGION_NUMBERS];
    const char *default_oter;
    const source_object *default_oter_object; /* NULL: the default */
    const char *default_oter_pointer;
    const char *const *levels; /* what fills each, from z = -10 on; NULL: not stated */
    bool left_out;             /* lenient, and its default_oter is unresolved */
    region_list bins[REGION_BINS];
    string_list features[REGION_FEATURE_LISTS];
    region_extras *extras;
    size_t extras_count;
    json_t *rest; /* during load only: blocks without columns */
    region_block *blocks;
    size_t block_count;
    region_highway_id *highway_ids; /* in the arena */
    size_t highway_id_count;
} region;

struct region_model {
    region *regions; /* sorted by id */
    size_t count;
};

/* The objects that regions name in place of blocks, by their types. */
enum { REGION_PARTS_MAX = 16 };
typedef struct region_parts {
    source_type types[REGION_PARTS_MAX];
    source_type collections; /* of map extras */
} region_parts;

/* region_read.c: reports what is wrong. overlay: chances and extras can be missing, and there
 * are no parts (NULL). */
void region_parts_load(region_parts *out, import *im);
void region_patch_read(region_patch *out, import *im, const region_parts *parts,
                       const source_object *obj, bool overlay);
/* Does the object name parts? Then a part that it does not name is not there either. */
bool region_has_parts(const source_object *obj);
/* Gives the object's members without columns, as a new object of blocks; NULL when memory is
 * out. */
json_t *region_rest(import *im, const region_parts *parts, const source_object *obj);

/* region_options.c adds what the content's options say of a region whose objects are all
 * read. */
void region_apply_options(import *im, region *r);

/* region_apply.c: */
void region_apply(import *im, region *r, const region_patch *patch, const source_object *obj);
/* Merges an overlay's rest into a region's; -1 when memory is out. */
int region_merge_rest(json_t *into, const json_t *overlay);
/* Sorts the lists and makes texts of `rest` in the arena; rest is freed. */
void region_finish(import *im, region *r);

/* region_unread.c: has the member of a block a column or a table? */
bool region_has_column(const char *block, const char *key);
/* Counts members that nothing reads: of a part, and of a block, which the object has under that
 * name. */
void region_count_part(import *im, const char *block, const source_object *part);
void region_count_block(import *im, const source_object *obj, const char *block,
                        const char *name, json_t *json);

/* region_highways.c: keeps the ids of the block, if it is that of highways; a check warns of
 * those that nothing defines. */
void region_read_highways(import *im, region *r, const char *name, json_t *block);
/* Does something read a member of that block? */
bool region_highway_key(const char *key);

/* Tells what the regions that state it have as default on levels below the ground, or above it:
 * calls add for each terrain. */
void region_levels(const import *im, bool below, void (*add)(void *payload, const char *id),
                   void *payload);
/* Returns what the first region that states its levels has on one; NULL: none states any. */
const char *region_level(const import *im, int32_t z);

/* Of the module, whose check needs specials: content/region_check.c. */
extern const char *const region_types[]; /* NULL-terminated */
void region_load(import *im);
/* region_write.c: */
void region_write(import *im, content_writer *w);

#endif
