/*
 * What local maps hold: for each overmap terrain, how many of a thing one local map has on
 * average, and the chance that it has at least one. If possible, both figures are computed
 * exactly from the content's mapgen and groups, without making maps. Otherwise maps are made
 * and the things on them are counted; the row then says so, and why.
 *
 * Figures are computed for an OMT as if nothing were known of the OMTs around it, above and
 * below, and of what stood there before. So chunks of mapgen that depend on a neighbour are
 * replaced by their `else_chunks`, and the number of monsters that depends on the density
 * around is computed with the density of the terrain itself. PTL_LOOT_NEIGHBOURS and
 * PTL_LOOT_DENSITY say where this matters. Map extras are left out. What riots do to maps is
 * left out, too, unless the options ask for it.
 *
 * Each item that is put down counts, also if it is inside another one, as containers,
 * magazines and ammunition are. Charges do not count: a box of 50 rounds is one item of
 * rounds.
 *
 * Callbacks are called before the call returns, by one thread at a time, and get the payload
 * behind them in the call, which may be NULL. A callback that returns false ends the call with
 * PTL_ERR_CANCELLED. Texts that callbacks get are borrowed until the callback returns. Each
 * call that returns a status may return PTL_ERR_NOMEM when memory is out, and PTL_ERR_CANCELLED
 * when the store's should_stop (ptl_open_options) says so.
 */
#ifndef PORTOLAN_LOOT_H
#define PORTOLAN_LOOT_H

#include "portolan/generate.h"
#include "portolan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What can be counted. A group (of items, monsters or vehicles) is counted each time that
 * something is drawn from it. */
typedef enum ptl_loot_kind {
    PTL_LOOT_ITEM,
    PTL_LOOT_MONSTER,
    PTL_LOOT_VEHICLE,
    PTL_LOOT_GROUP
} ptl_loot_kind;
enum { PTL_LOOT_KINDS = PTL_LOOT_GROUP + 1 };

/* What a figure depends on beside the terrain, as bits. */
enum {
    PTL_LOOT_NEIGHBOURS = 1u << 0, /* what stands around the OMT, or stood there before */
    PTL_LOOT_DENSITY = 1u << 1,    /* the density of monsters around */
    PTL_LOOT_RIOTS = 1u << 2 /* riots damage the terrain's maps in worlds that have them */
};

typedef struct ptl_loot_options {
    size_t size;
    /* The id of an overmap terrain, of an oter (all its rotations have the same loot), or of a
     * linear terrain with its shape, such as road_curved. NULL: all overmap terrains. */
    const char *terrain;
    ptl_loot_kind kind;
    const char *id; /* the thing; NULL: all things of all kinds */
    /* If the figures of a terrain are not exact, they are counted on so many maps, 1 to
     * PTL_LOOT_SAMPLES_MAX. 0: on 1,000 maps, or on 100 of each terrain if all terrains are
     * listed. */
    int32_t samples;
    bool simulate; /* true: figures that could be computed exactly are counted on maps, too */
    bool riots;    /* true: terrains that riots damage are counted with this damage */
    int32_t z;     /* the level, -10 to 10 */
    int64_t turn;  /* the game's turn, as in ptl_local_options */
    uint64_t seed; /* seed for the random choices of the maps that are made */
    /* Number of threads, 1 to PTL_LOOT_JOBS_MAX; 0 means 1. The figures are the same with any
     * number. Each thread has the content's mapgen for itself in memory. */
    int32_t jobs;
    uint32_t reserved; /* 0 */
    /* Called now and then with the payload of the call; progress counts terrains. May be
     * NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    const char *pack; /* only overmap terrains that this pack defines (ptl_pack_info.id);
                       * NULL: all */
} ptl_loot_options;

enum { PTL_LOOT_JOBS_MAX = 64, PTL_LOOT_SAMPLES_MAX = 1000000 };

#define PTL_LOOT_OPTIONS_INIT PTL_SIZED(ptl_loot_options)

/*
 * The figure of one thing on the maps of one terrain.
 *
 * The maps that are made to count things are the samples. If the figures of a group of items
 * are exact, its items are not drawn on the samples, unless options->simulate or options->riots
 * is set. The group is left on the map, and its exact figures are added to the counts. The
 * means are the same as with drawn items, but vary less. `hits` then counts the samples that
 * have the thing itself, or such a group.
 */
typedef struct ptl_loot_row {
    size_t size;
    const char
        *terrain; /* the terrain's id; that of a linear terrain has its shape at the end */
    ptl_loot_kind kind;
    /* The thing's id. NULL: a map of the terrain can't be made, or was not; `why` says why, and
     * the terrain has no other rows. */
    const char *id;
    double number; /* expected number on a map: exact, or the mean over the samples */
    double chance; /* chance that a map has at least one: exact, or the mean over the samples */
    bool exact;
    const char *why; /* why the figure is not exact; "" if it is */
    /* How many maps were made to count the thing on them; 0 if the figure is exact. */
    int32_t samples;
    int32_t hits; /* how many of the `samples` maps have at least one of the thing, or a group
                     that may become one */
    /* Standard deviation of how many of the thing a map has, over the maps that were made. */
    double deviation;
    uint32_t depends;  /* what the figure depends on beside the content: a sum of
                          PTL_LOOT_NEIGHBOURS and so on */
    uint32_t reserved; /* 0 */
    /* All oters of the terrain that maps can be made of; borrowed like the texts. */
    const ptl_oter *oters;
    size_t oter_count;
} ptl_loot_row;

#define PTL_LOOT_ROW_INIT PTL_SIZED(ptl_loot_row)

/*
 * Lists the figures (how many of each thing lie on a map) by the content of a world. The
 * terrains come in the order of their ids, each with all things that its maps may have. If
 * options->id is given, only that thing is listed. If none of the samples had a thing, it has
 * a row (of 0 hits) only if options->id or the content's definitions name it.
 *
 * PTL_ERR_NOT_FOUND: the content has no such terrain. PTL_ERR_MISMATCH as for ptl_local_get.
 * PTL_ERR_ARGUMENT: a number of the options is out of its range.
 */
PTL_API ptl_status ptl_loot_list(ptl_world *world, const ptl_loot_options *options,
                                 bool (*on_row)(void *payload, const ptl_loot_row *row),
                                 void *payload, ptl_error *err);

/*
 * Lists what one draw from a group gives, by the definitions alone: no maps are made.
 * options->id is the group, and options->kind says what it is a group of: items, monsters or
 * vehicles. Of the other options only `turn` counts. Each row has the terrain "" and samples 0.
 * If a figure is not exact, `why` says why. The group itself has a row, and so has each group
 * that it draws from.
 *
 * PTL_ERR_NOT_FOUND: the content has no such group. PTL_ERR_MISMATCH as for ptl_local_get.
 * PTL_ERR_ARGUMENT: no group is named.
 */
PTL_API ptl_status ptl_loot_group_list(ptl_world *world, const ptl_loot_options *options,
                                       bool (*on_row)(void *payload, const ptl_loot_row *row),
                                       void *payload, ptl_error *err);

/* A step on the way from a terrain to a thing: a node of a tree. */
typedef struct ptl_loot_step {
    size_t size;
    /* Depth in the tree: how many steps contain this step. It is 0 for entries of the terrain.
     * The steps that a step contains follow right after it. */
    int32_t depth;
    /* What the step is: "entry", "below" (an entry over which this one is drawn), "parameter",
     * "palettes", "character", "chunk", "group", "part" (a list inside a group), "item",
     * "container", "magazine", "ammunition", "contents", "monster", "vehicle", "count" (how
     * many of the same thing come together), "spawns" (monsters that the terrain itself
     * states), "ground" (what code makes), or a kind of pieces of mapgen, such as "loot" or
     * "nested". */
    const char *kind;
    /* Id of the thing, chunk or group that the step uses, or value of a parameter; "" if the
     * step has none. */
    const char *id;
    /* The name of the parameter that the step chooses, or the character of the rows that it
     * stands for; "" for all other steps. */
    const char *name;
    const char *path; /* if the step is an entry or a chunk: its file ("" if it is not known),
                         and the line in it */
    int64_t line;
    int32_t tiles; /* if the step is a character: how many tiles of the drawing have it */
    int32_t x, y, x2, y2; /* if the step is a piece with coordinates: the corners of the
                             rectangle of the drawing in which it may lie; else all are -1 */
    double times;  /* how often the step is taken, on average, each time that the step which
                      contains it is taken: a probability, or a mean number */
    double number; /* how many of the thing come by this step, as a part of the expected number.
                      The numbers of the innermost steps add up to the row's number, if that is
                      exact. */
} ptl_loot_step;

/* Lists the steps by which the figure of one thing on one terrain comes about. on_step is
 * called with each step. options->terrain and options->id must be given. *row gets the figure
 * by definitions; row->why is not "" if it is not exact, as the samples of ptl_loot_list then
 * count. Texts of *row are borrowed until the next call with the world. PTL_ERR_NOT_FOUND: the
 * content has no such terrain. A thing that the content does not name has the figure 0 and no
 * steps. PTL_ERR_ARGUMENT and PTL_ERR_MISMATCH as for ptl_loot_list. */
PTL_API ptl_status ptl_loot_tree_list(ptl_loot_row *row, ptl_world *world,
                                      const ptl_loot_options *options,
                                      bool (*on_step)(void *payload, const ptl_loot_step *step),
                                      void *payload, ptl_error *err);

/* Returns a kind's name: "item", "monster", "vehicle" or "group". */
PTL_API const char *ptl_loot_kind_name(ptl_loot_kind kind);

#ifdef __cplusplus
}
#endif

#endif
