/*
 * Makes a local map of compiled mapgen: pure, no store and no clock. What it is made of is a
 * function of the request alone; random numbers are drawn from the request's key, in the order
 * in which content lists what is put down. A group that is not known stays one: a thing with
 * its id.
 */
#ifndef MAPGEN_RUN_RUN_H
#define MAPGEN_RUN_RUN_H

#include "mapgen/compile/library.h"
#include "mapgen/compile/tiles.h"
#include "mapgen/ground/ground.h"
#include "mapgen/groups/groups.h"
#include "mapgen/run/extras.h"
#include "model/local_map.h"

/* Ids that pieces of their own put down. */
typedef struct mapgen_ids {
    uint32_t null_terrain, null_furniture, null_trap, null_id;
    uint32_t sign, toilet, water, console, console_furniture, rubble, dirt, vending_open,
        vending_closed;
    uint32_t vending_reinforced, vending_items, glass_shard, gas_pump, diesel_pump, gasoline,
        diesel;
    uint32_t air, variable;
} mapgen_ids;

/* Finds them; once does for all maps that are made with the pool. */
void mapgen_find_ids(mapgen_ids *out, id_pool *pool);

/* Monsters that a terrain has of its own, somewhere on its map. */
typedef struct mapgen_spawns {
    uint32_t group;      /* ID_NONE: none */
    int32_t least, most; /* what they may cost together */
    int32_t chance;      /* percent */
} mapgen_spawns;

/* What lies somewhere, or lay here before. */
typedef struct mapgen_omt {
    uint32_t key;    /* of its entries: of a linear terrain with its shape */
    int turns;       /* quarter turns, as of a request */
    ground_omt seen; /* texts borrowed; its id is "" where there is nothing that is known */
} mapgen_omt;

typedef struct mapgen_request {
    mapgen_library *library;
    id_pool *pool;    /* of the library; ids of the games' own pieces are put in */
    uint32_t terrain; /* whose map it is: the key of its entries */
    int turns;        /* quarter turns, clockwise, of the overmap terrain */
    /* Directions in conditions are those of the world; else those of the drawing, turned with
     * the terrain. */
    bool unturned;
    int z;
    /* What is drawn depends on these: keys of seed and place (core/hash.h). */
    uint64_t key;         /* of this tile and terrain */
    uint64_t stack_key;   /* of the column */
    uint64_t special_key; /* of the placed special or building; else of the tile */
    /* Gives the OMT in a direction of mapgen_condition. NULL: there is none anywhere. */
    void (*neighbour)(mapgen_omt *out, void *payload, int direction);
    /* Has the terrain there the flag? NULL: none has. */
    bool (*has_flag)(void *payload, int direction, const char *flag);
    /* The join by which the special's piece here met what is there, of the four sides, above
     * and below; "" where it met nothing. NULL: nowhere. */
    const char *(*join)(void *payload, int direction);
    /* Does the connection of that id lead there? NULL: none does. */
    bool (*connects)(void *payload, int direction, const char *connection);
    /* What was here before the terrain that is here now; `number` 0 is the oldest. False behind
     * the last. NULL: nothing was. */
    bool (*before)(mapgen_omt *out, void *payload, size_t number);
    void *payload;
    mapgen_groups *groups; /* NULL: no group is known */
    uint32_t density;      /* of monsters where content tells none, in hundred thousandths */
    mapgen_time time;      /* which monsters there are depends on it */
    const mapgen_extras *extras; /* NULL: none */
    uint32_t extra_set;          /* which of them the terrain has; ID_NONE */
    mapgen_spawns spawns;
    bool items_geometric; /* `items` goes on while its chance holds */
    /* The nearest city's name, for signs; borrowed until the next call. NULL: there is none. */
    const char *(*city)(void *payload);
    const mapgen_tiles *tiles; /* NULL: nothing is known of terrain and furniture */
    const mapgen_ids *ids;     /* of the pool; NULL: they are found for this map */
    const ground_site *site; /* for what the games make by code; NULL: nothing of it is made */
    const char *oter;        /* the OMT's id with its direction, for scripts */
    int64_t turn;            /* for which the map is made, likewise */
    stop_hook stop;          /* is asked while it is made */
} mapgen_request;

typedef enum mapgen_outcome {
    MAPGEN_MADE,
    MAPGEN_GROUND,   /* the terrain has no entry: its ground was made */
    MAPGEN_NO_ENTRY, /* the terrain has neither: the map is empty */
    MAPGEN_STOPPED,  /* somebody asked for it */
    MAPGEN_FAILED,   /* a script has: of the map only what was said is left, and why */
    MAPGEN_LEFT_OUT, /* it needs a script, and this build runs none */
    MAPGEN_NO_MEMORY
} mapgen_outcome;

/* Puts on the map what a map `up` levels below it (above it, if that is negative; not 0) has
 * for its level: pieces and chunks with a `z`. The request is that of the other map, without
 * roofs; what it has for its own level is drawn as it is there, and forgotten. */
mapgen_outcome mapgen_run_above(local_map *map, const mapgen_request *request, int up);

/* Fills an initialised map. map->cut says that content wanted more than is ever made. */
mapgen_outcome mapgen_run(local_map *map, const mapgen_request *request);

/* Carries an entry registered as an update out on a map that is there: its steps without fill
 * and predecessor, the map turned to north for them. request->terrain is not used.
 * MAPGEN_NO_ENTRY: there is no such entry, the map is as it was. */
mapgen_outcome mapgen_update(local_map *map, const mapgen_request *request, uint32_t update);
/* Puts on a map that is there what an update of the map `up` levels below it has for its level.
 * `own` is that map as it was before the update; it is of no use after. MAPGEN_NO_ENTRY as
 * above. */
mapgen_outcome mapgen_update_above(local_map *map, local_map *own,
                                   const mapgen_request *request, uint32_t update, int up);
/* What stands where nothing else is made: one terrain, by the level. */
void mapgen_fill_fallback(local_map *map, id_pool *pool, int z);

/* Is there any tile that would be a roof, were there a roofed terrain below? */
bool mapgen_wants_roof(const local_map *map, id_pool *pool);
/* Air over a terrain with a roof becomes that roof. `below` has no roofs yet. */
void mapgen_put_roofs(local_map *map, const local_map *below, const mapgen_tiles *tiles,
                      id_pool *pool);

#endif
