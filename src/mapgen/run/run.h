/*
 * Makes local maps from compiled mapgen, without a store or a clock. A map depends on its
 * request alone. Random numbers come from the request's key, in the order in which content
 * lists what is put down. A group that is not known is put on the map as a thing with the
 * group's id.
 */
#pragma once

#include "mapgen/compile/library.h"
#include "mapgen/compile/tiles.h"
#include "mapgen/ground/ground.h"
#include "mapgen/groups/groups.h"
#include "model/local_map.h"

/*
 * Map extras: rare scenes that are added to the maps of terrains. A region has several sets of
 * them, each with a chance of its own. Content makes most extras by updates
 * (`update_mapgen_id`). Extras that the games make by code are made by code here as well, if
 * run_extras.c has code for them.
 */
typedef struct mapgen_extra {
    uint32_t id; /* the number, in the id_pool, of the extra's id or of the name of its code */
    /* Key of the entries that change a map into one with this extra; ID_NONE: the extra is made
     * by code. */
    uint32_t update;
    uint32_t upto; /* sum of the weights of the extras up to this one */
    /* The levels on which the extra can be made. If the extra is drawn for a map on another
     * level, nothing is made. */
    int32_t lowest, highest;
} mapgen_extra;

typedef struct mapgen_extra_set {
    uint32_t name;
    /* One in so many maps of the terrain gets a map extra of this set; 0: none does. */
    int32_t chance;
    const mapgen_extra *items;
    uint32_t count;
} mapgen_extra_set;

typedef struct mapgen_extras {
    const mapgen_extra_set *sets;
    uint32_t count;
} mapgen_extras;

/* Does Portolan have code that makes the map extra with this name? */
bool mapgen_extra_is_made(const char *name);

/* The ids of things that some kinds of pieces put on the map although content does not name
 * them. */
typedef struct mapgen_ids {
    uint32_t null_terrain, null_furniture, null_trap, null_id;
    uint32_t sign, toilet, water, console, console_furniture, rubble, dirt, vending_open,
        vending_closed;
    uint32_t vending_reinforced, vending_items, glass_shard, gas_pump, diesel_pump, gasoline,
        diesel;
    uint32_t air, variable;
} mapgen_ids;

/* Finds the numbers, in the pool, of all ids that mapgen_ids has. It is enough to call this
 * once for all maps that use the pool. */
void mapgen_find_ids(mapgen_ids *out, id_pool *pool);

/* Monsters that a terrain puts anywhere on its map. */
typedef struct mapgen_spawns {
    uint32_t group;      /* id of the monster group; ID_NONE: the terrain has none */
    int32_t least, most; /* bounds of what the monsters cost together */
    int32_t chance;      /* chance, in percent, that any of the monsters come */
} mapgen_spawns;

/* The terrain that stands at an OMT, or that stood at this OMT before. */
typedef struct mapgen_omt {
    /* Key of the terrain's entries; that of a linear terrain includes its shape. */
    uint32_t key;
    int turns;       /* clockwise quarter turns of the terrain */
    ground_omt seen; /* the terrain in the form that mapgen/ground reads; texts borrowed; id "":
                        not known */
} mapgen_omt;

/* A value that the caller gives to a parameter in place of a random one. */
typedef struct mapgen_given {
    /* Numbers, in the id_pool, of the parameter's name and of the value. */
    uint32_t name, value;
    bool used; /* is set when a part of a map uses the parameter */
    /* Is set if `value` is one of the values that content lists for the parameter. */
    bool listed;
} mapgen_given;

/* What is on a tile that is traced. */
typedef enum mapgen_traced {
    MAPGEN_TRACED_TERRAIN,
    MAPGEN_TRACED_FURNITURE,
    MAPGEN_TRACED_TRAP,
    MAPGEN_TRACED_THING
} mapgen_traced;
enum { MAPGEN_TRACED = MAPGEN_TRACED_THING + 1 };

/* What code did, if no content did it. */
typedef enum mapgen_doer {
    MAPGEN_BY_CONTENT,
    MAPGEN_BY_GROUND, /* the terrain is uniform, or its map was made by mapgen/ground */
    /* A pseudo id was replaced by an id that the region's settings list for it. */
    MAPGEN_BY_REGION,
    MAPGEN_BY_SCRIPT,
    /* Code that makes a map extra, or puts the monsters that the terrain itself states. */
    MAPGEN_BY_EXTRA,
    MAPGEN_BY_RIOTS
} mapgen_doer;

/* A change of the traced tile. */
typedef struct mapgen_step {
    mapgen_traced what;
    local_kind thing; /* kind of the thing; only for MAPGEN_TRACED_THING */
    uint32_t id;      /* id of what stands there after the step; ID_NONE: it was removed */
    mapgen_doer doer;
    /* The entry that was drawn, which is that of a terrain, an update or a chunk. NULL if
     * `doer` is not MAPGEN_BY_CONTENT. */
    const mapgen_entry *entry;
    /* The palette that says what the character is; NULL: the entry itself says it. */
    const mapgen_palette *palette;
    /* The key, of a terrain, update or chunk, among whose entries this entry was chosen. */
    uint32_t key;
    uint32_t symbol; /* the character; ID_NONE: none, the piece has coordinates */
    /* The key of the entry's JSON whose value put the thing down: "terrain", "place_items",
     * "set", ... */
    const char *member;
    uint32_t place; /* offset, in the JSON text of the palette or entry, of what was put down */
    bool spread;    /* true: it is a piece that may lie on any of several tiles */
    int depth;      /* 0: the terrain's entry; chunks in it have 1, and so on */
    /* The chance of what was chosen among alternatives (for example several pieces of a
     * character), multiplied by the chance of the piece itself. Where the piece may lie does
     * not count. */
    double chance;
    /* The chance that the entry was drawn. For a chunk it is multiplied by that of each entry
     * in which the chunk lies. */
    double way;
} mapgen_step;

/* A tile whose changes are told while a map is made. The caller sets the first members. */
typedef struct mapgen_trace {
    int x, y; /* the tile's coordinates on the finished map */
    void (*on_step)(void *payload, const mapgen_step *step);
    /* Is called for each chunk of which something lies outside of the map, as a step that puts
     * down the chunk `chunk`. NULL is fine. */
    void (*on_cut)(void *payload, const mapgen_step *step, uint32_t chunk);
    void *payload;
    bool conditional; /* is set if a chunk asks for what stands around the OMT */
    /* The members from here on are used by mapgen_run alone; the caller sets them to zero. */
    uint32_t now[MAPGEN_TRACED_THING]; /* the ids on the tile: terrain, furniture, trap */
    /* How many things of the map, counted from the first one, need not be looked at any more:
     * on_step was called for them, or they lie on other tiles. */
    size_t things;
    /* The numbers of those of the first `things` things that lie on the tile and whose count
     * has grown since the last step. */
    size_t *grown; /* owned; freed by mapgen_trace_dispose */
    size_t grown_count, grown_room;
    /* Quarter turns by which the map will still be rotated before it is finished. */
    int turns;
    /* The probability of all random choices that were made since the last step began. */
    double chance;
} mapgen_trace;

void mapgen_trace_dispose(mapgen_trace *trace);

typedef struct mapgen_request {
    mapgen_library *library;
    id_pool *pool; /* the library's id_pool; ids that content does not name, but that some kinds
                      of pieces put down, are added to it */
    uint32_t terrain; /* key of the entries of the map's terrain */
    int turns;        /* clockwise quarter turns of the overmap terrain */
    /* True: directions in conditions are those of the world; false: they are rotated with the
     * terrain. */
    bool unturned;
    int z;
    /* All random numbers of a map follow from the three keys `key`, `stack_key` and
     * `special_key`, which are made of seed and place (core/hash.h). */
    /* Key of this map's random numbers: made of the seed, the OMT's place and its terrain. */
    uint64_t key;
    uint64_t stack_key; /* key of the OMT's column (the OMTs above and below it) */
    /* Key of the special or building that stands here; if none does, equal to stack_key. */
    uint64_t special_key;
    /* Gives the OMT in a direction of mapgen_condition. NULL: the neighbours are not known. */
    void (*neighbour)(mapgen_omt *out, void *payload, int direction);
    /* Does the terrain in a direction of mapgen_condition have the flag? If the pointer is
     * NULL, no terrain has it. */
    bool (*has_flag)(void *payload, int direction, const char *flag);
    /* Returns the join by which the piece of a mutable special met its neighbour in a direction
     * (the four sides, above, below); "" if there is none. If the pointer is NULL, there are no
     * joins. */
    const char *(*join)(void *payload, int direction);
    /* Does a connection with this id leave the OMT in this direction? If the pointer is NULL,
     * none does. */
    bool (*connects)(void *payload, int direction, const char *connection);
    /* Gives a predecessor of the OMT's terrain; `number` 0 is the oldest. False if there is no
     * predecessor of that number. If the pointer is NULL, there are no predecessors. */
    bool (*before)(mapgen_omt *out, void *payload, size_t number);
    void *payload;
    /* What content says about groups and items; NULL: nothing is known. */
    mapgen_groups *groups;
    uint32_t density; /* density of monsters where content states none; 100000 stands for a
                         density of 1 */
    mapgen_time time; /* the date, on which the monsters depend */
    const mapgen_extras *extras; /* map extras that the run may place; NULL: it places none */
    uint32_t extra_set; /* name of the terrain's set of map extras; ID_NONE: it has none */
    mapgen_spawns spawns;
    /* True: equal items that are counted by charges are not joined to one item with more
     * charges. So each item that is put down can be counted. */
    bool apart;
    /* Asked for each item group from which a piece would draw: if it returns true, the group
     * itself is put on the map in place of its items, with *number as its charges. The pointer
     * may be NULL; then items are always drawn. */
    bool (*stands)(void *payload, int32_t *number, uint32_t group, mapgen_loading loading);
    void *stands_payload;
    bool items_geometric; /* true: a mapgen piece `items` is repeated until its chance fails;
                             false: the chance is tried once */
    /* Returns the name of the nearest city, for signs, borrowed until the next call; NULL:
     * there is none. The pointer to the function may be NULL, too. */
    const char *(*city)(void *payload);
    const mapgen_tiles *tiles; /* NULL: nothing is known of terrain and furniture */
    const mapgen_ids *ids; /* the numbers, in `pool`, of the ids that mapgen_ids has; NULL: they
                              are looked up for this map */
    /* What the code that makes maps of terrains without entries (mapgen/ground) needs to know
     * of the OMT; NULL: such maps are not made. */
    const ground_site *site;
    const char *oter; /* the OMT's id with its direction, for scripts */
    int64_t turn;     /* the turn that the map is made for, for scripts */
    /* Number, from 1, of the entry that is used, in the order of mapgen_library_first. 0: one
     * is drawn by weight. It counts among the entries of `terrain`, or of the update or chunk
     * that is made. */
    uint32_t entry;
    uint32_t *drawn; /* is set to the number of the entry that was drawn; NULL is fine */
    /* Parameters whose values the caller decides, in place of random ones; NULL: none. */
    mapgen_given *given;
    size_t given_count;
    mapgen_trace *trace; /* NULL: nothing is traced */
    stop_hook stop;      /* asked, while the map is made, whether to stop */
} mapgen_request;

typedef enum mapgen_outcome {
    MAPGEN_MADE,
    MAPGEN_GROUND,   /* the terrain has no entry, so its map was made by code (mapgen/ground) */
    MAPGEN_NO_ENTRY, /* the terrain has no entry, and no code (mapgen/ground) makes its map: the
                        map is empty */
    MAPGEN_STOPPED,  /* the caller asked to stop */
    MAPGEN_FAILED,   /* a script failed: the map holds only what scripts said, and the reason */
    MAPGEN_LEFT_OUT, /* the map needs a script, and this build has no Lua */
    MAPGEN_NO_MEMORY
} mapgen_outcome;

/* Mapgen may put things on other levels than its own: pieces and chunks with a `z`. This adds
 * to `map` what the map of the request puts there. That map lies `up` levels below `map`
 * (above, if `up` is negative; 0 is not allowed). It is made as well, as the random numbers
 * depend on it, and thrown away. */
mapgen_outcome mapgen_run_above(local_map *map, const mapgen_request *request, int up);

/* Makes the map of the request. `map` must be initialised. map->cut afterwards says that
 * content wanted more than the budget allows. */
mapgen_outcome mapgen_run(local_map *map, const mapgen_request *request);

/* The ids of the post-process generators that damage buildings and streets in today's content.
 * They are known even if the content has none of these ids: then they do what DDA 0.I does. */
#define MAPGEN_RIOT_DAMAGE      "riot_damage"
#define MAPGEN_RIOT_DAMAGE_ROAD "riot_damage_road"

/* Does to a finished map what post-process generators do, in the order of the list of their
 * ids: damage by riots, fires and so on. Its random numbers come from a stream of its own; what
 * is decided once for a special follows from request->special_key. Of the functions in the
 * request, none is called. */
mapgen_outcome mapgen_process_map(local_map *map, const mapgen_request *request,
                                  const uint32_t *generators, size_t count);

/* Carries out an update on an existing map: the steps of its entry without fill and
 * predecessor, on the map rotated to north. request->terrain is not used. MAPGEN_NO_ENTRY:
 * there is no such update, and the map is as it was. */
mapgen_outcome mapgen_update(local_map *map, const mapgen_request *request, uint32_t update);
/* Draws a nested chunk in the middle of an existing map, rotated by request->turns.
 * MAPGEN_NO_ENTRY: there is no such chunk, and the map is as it was. */
mapgen_outcome mapgen_draw_chunk(local_map *map, const mapgen_request *request, uint32_t chunk);
/* Adds to `map` what an update of the map `up` levels below it puts on this level. `own` is
 * that map below, as it was before the update. The call changes it, so it can't be used
 * afterwards. MAPGEN_NO_ENTRY: there is no such update. */
mapgen_outcome mapgen_update_above(local_map *map, local_map *own,
                                   const mapgen_request *request, uint32_t update, int up);
/* Fills a map for which nothing else can be made: with one terrain, which depends on the
 * level. */
void mapgen_fill_fallback(local_map *map, id_pool *pool, int z);

/* Does the map have open air, which may have to become a roof? */
bool mapgen_wants_roof(const local_map *map, id_pool *pool);
/* Turns open air over terrain with a roof into that roof. `below` is the map of the level
 * below, without its own roofs. */
void mapgen_put_roofs(local_map *map, const local_map *below, const mapgen_tiles *tiles,
                      id_pool *pool);
