/*
 * How many of each thing a local map has: expected numbers, and chances of at least one. They
 * are computed from the compiled mapgen, without making maps, and agree with the maps that
 * mapgen/run makes. What draws independently of each other is added up; alternatives are
 * weighed; the values of parameters, which several places share, are gone through one by one.
 * Where this would not be exact, a doubt is noted with the figure: it is then only near the
 * truth, and the caller makes maps and counts instead.
 *
 * A map is that of an OMT that stands alone: nothing is known of its neighbours, so that no
 * condition on neighbours, joins, connections or predecessors holds. Map extras, riots and what
 * other levels put on the map are left out.
 */
#pragma once

#include "mapgen/compile/library.h"
#include "mapgen/compile/tiles.h"
#include "mapgen/ground/ground.h"
#include "mapgen/groups/spawn.h"
#include "model/local_map.h"
#include "portolan/loot.h"

/* Why a figure may not be exact, as bits. */
enum {
    ODDS_REMOVED = 1,   /* something that is put on the map later may remove the thing */
    ODDS_SPARED = 2,    /* the entry spares tiles with creatures or with open air */
    ODDS_CONTAINER = 4, /* the content chooses a container or ammunition from an item group */
    ODDS_OVERFLOW = 8,  /* what does not fit into a container is thrown away */
    ODDS_SCRIPT = 16,   /* a script makes the map, or a part of it */
    ODDS_GROUND = 32,   /* code makes the map, or that of the predecessor below the drawing */
    /* The parameters have so many combinations of values that not all were computed, or they
     * depend on each other. */
    ODDS_PARAMETERS = 64,
    /* The content has more repetitions, places or nested groups than are computed. */
    ODDS_LARGE = 128,
    ODDS_PLANT = 256, /* of what is put into a plant, only one item stays */
    /* Monsters come until their costs use up a budget, and these are more monsters than are
     * computed one by one. */
    ODDS_POPULATION = 512
};

/* Bits that say what a figure depends on besides the OMT itself. */
enum {
    ODDS_NEIGHBOURS = 1, /* nested chunks have conditions about neighbours or predecessors */
    /* How many monsters come depends on the density that the terrains around state. */
    ODDS_DENSITY = 2
};

/* One thing: its expected number, and the chance of at least one. */
typedef struct odds_figure {
    ptl_loot_kind kind;
    uint32_t id;
    double mean, some;
    uint32_t doubts;
    uint32_t depends; /* what all figures of the map depend on: bits such as ODDS_DENSITY */
} odds_figure;

/* The figures of all things on one map, borrowed until the next call. `doubts` are those about
 * the whole map: they concern all things, also things that are not listed. */
typedef struct odds_map {
    const odds_figure *figures;
    size_t count;
    uint32_t doubts, depends;
} odds_map;

/* A step on the way to a thing. The steps form a tree, of which odds_tree tells each step
 * before the steps inside of it. */
typedef enum odds_step {
    ODDS_STEP_ENTRY,     /* an entry of the terrain */
    ODDS_STEP_BELOW,     /* an entry of the predecessor that the terrain is drawn over */
    ODDS_STEP_PARAMETER, /* one of the values that a parameter may have */
    ODDS_STEP_PALETTE,   /* one of the palettes in a list, of which one is chosen */
    ODDS_STEP_SYMBOL,    /* a character of the rows, on `tiles` tiles */
    ODDS_STEP_PIECE,     /* a piece with coordinates */
    ODDS_STEP_CHUNK,     /* an entry of a nested chunk */
    ODDS_STEP_GROUP,
    ODDS_STEP_COLLECTION, /* a collection or a distribution inside a group */
    ODDS_STEP_ITEM,
    ODDS_STEP_CONTAINER, /* the thing comes as a container, with other items in it */
    ODDS_STEP_MAGAZINE,
    ODDS_STEP_AMMO,
    ODDS_STEP_CONTENT, /* an item that is put into another item */
    ODDS_STEP_MONSTER,
    ODDS_STEP_VEHICLE,
    ODDS_STEP_COUNT,  /* how many equal monsters or items are put down at once */
    ODDS_STEP_SPAWNS, /* monsters that the terrain itself states */
    ODDS_STEP_GROUND, /* terrain and things that code makes (mapgen/ground) */
    ODDS_STEPS
} odds_step;

/* The x of a piece without coordinates. */
#define ODDS_NOWHERE                                                                           \
    {                                                                                          \
        0, -1                                                                                  \
    }

typedef struct odds_node {
    odds_step step;
    int depth; /* how many other steps of the tree contain this one */
    /* Id of what the step uses: a terrain, chunk, group, item, ...; of ODDS_STEP_PARAMETER, the
     * parameter's value. */
    uint32_t id;
    /* Of ODDS_STEP_PARAMETER: the parameter's name. Of a piece: the character that puts it
     * down; ID_NONE if it has coordinates. */
    uint32_t name;
    mapgen_kind kind; /* if the step is a piece: the kind of the piece */
    mapgen_range x, y;
    int32_t tiles;
    /* How often this step is taken each time that the step which contains it is taken. */
    double times;
    /* How much of the expected number of the thing comes by this step. */
    double mean;
    /* If the step uses a mapgen entry or a chunk: the entry; otherwise NULL. */
    const mapgen_entry *entry;
} odds_node;

typedef void odds_tell(void *payload, const odds_node *node);

/* What the computation of figures needs: compiled content, settings and time. All of it is
 * borrowed. */
typedef struct odds_source {
    mapgen_library *library;
    mapgen_groups *groups;
    const mapgen_tiles *tiles;
    id_pool *pool;
    const ground_settings *settings; /* the settings of the region in which the map lies */
    bool items_geometric;            /* see mapgen_request.items_geometric */
    mapgen_time time;
    stop_hook stop;
} odds_source;

/* What must be known of the map whose figures are asked for. */
typedef struct odds_request {
    uint32_t terrain; /* key of the terrain's entries */
    const char *type; /* the terrain's id */
    int z;
    uint32_t density; /* density of monsters where content states none */
    /* Monster group of the monsters that the terrain itself states; ID_NONE: it states none. */
    uint32_t spawn_group;
    int32_t spawn_least, spawn_most, spawn_chance;
} odds_request;

/* The state of computing figures. It keeps the figures of item groups for later maps. */
typedef struct odds odds;

odds *odds_new(const odds_source *source); /* NULL when memory is out */
/* From now on only the figures of this one thing are computed, which is much quicker. Must be
 * called before any figure is computed. */
void odds_only(odds *o, ptl_loot_kind kind, uint32_t id);
void odds_free(odds *o);
/* May the map have the one thing that odds_only has named? False only if it surely has none. To
 * find this out is much quicker than to compute the figure. All of the content's mapgen must be
 * in the library. */
bool odds_may_have(odds *o, const odds_request *request);
/* Computes all figures of a map. False when memory is out, or if the caller asked to stop,
 * which *stopped says. */
bool odds_of_map(odds_map *out, odds *o, const odds_request *request, bool *stopped);
/* Computes what one draw from a group gives: of items, monsters or vehicles, as `kind` says.
 * *known is false if there is no such group, *stopped if the caller asked to stop. False when
 * memory is out, or after a stop. */
bool odds_of_group(odds_map *out, odds *o, ptl_loot_kind kind, uint32_t id, bool *known,
                   bool *stopped);
/*
 * Functions that count things on maps which are really made. odds_count_begin is called first,
 * odds_count_map after each map was made, and last odds_count_end, which gives the counts.
 */

/* What was counted of one thing on several maps. */
typedef struct odds_count {
    ptl_loot_kind kind;
    uint32_t id;
    /* Number of maps that have the thing, or may have it because a group with it was left there
     * (odds_stands). */
    int64_t hits;
    /* Sum, over all maps, of how many of the thing a map has, and the sum of these numbers'
     * squares. */
    double number, squares;
    double some; /* the sum, over all maps, of the chances of at least one */
} odds_count;

/* Begins to count things on maps that are made. If `map` is given, only the things are counted
 * whose figures in it are doubtful; NULL: all things that the maps have. */
void odds_count_begin(odds *o, const odds_map *map);
void odds_count_map(odds *o, const local_map *map);
/* Gives what was counted of each thing, in the order in which the things were met. The list is
 * borrowed until the next call of odds_count_begin. False when memory is out. */
bool odds_count_end(odds *o, const odds_count **out, size_t *count);
/* The function for mapgen_request.stands; payload is an odds. If the figures of an item group
 * are exact, its items need not be drawn when maps are made for counting: the group itself is
 * put on the map, and its figures are counted. The counts have the same means but vary less
 * from map to map, and it takes much less time. */
bool odds_stands(void *payload, int32_t *number, uint32_t group, mapgen_loading loading);
/* Computes the figure of one thing on a map, and calls `tell` for each step on the way to it
 * (odds_node). The members `mean` of the outermost steps add up to the figure; those of the
 * steps inside a step add up to the `mean` of that step. */
bool odds_tree(odds_figure *out, odds *o, const odds_request *request, ptl_loot_kind kind,
               uint32_t id, odds_tell *tell, void *payload, bool *stopped);
