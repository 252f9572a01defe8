/*
 * What content says about things in groups: the items of item groups, as well as monsters,
 * vehicles, texts and names. Kept objects are compiled, either all of them or those that are
 * asked for. Ids are numbers of the id_pool that the objects were read with. A group may be
 * defined where it is used: then its JSON text serves as its id, and it is compiled at its
 * first use.
 */
#pragma once

#include "core/hash.h"
#include "core/stop.h"
#include "mapgen/compile/source.h"
#include "mapgen/compile/tiles.h"
#include "model/id_pool.h"
#include "model/local_map.h"
#include "json/view.h"

#include <stdbool.h>

/*
 * Limits for making one map. Content may ask for 10^18 pieces (things on tiles), each of which
 * goes over tiles, things or lists. So the code counts the pieces, and the tiles, things and
 * entries that it goes over. From time to time it asks the caller whether to stop. Work is
 * counted, not timed, so that the limit is met at the same place on every machine.
 */
enum {
    MAPGEN_PIECES = 1000000, /* most pieces that are put down; each try to create something
                                counts like a piece */
    /* The most work for one map: tiles, things and entries of lists that the code has looked
     * at. */
    MAPGEN_WORK = 100000000,
    MAPGEN_PIECE_WORK = 8, /* each piece counts as so much work */
    MAPGEN_LOOK = 1 << 16  /* after so much work the caller is asked again whether to stop */
};

typedef struct mapgen_budget {
    uint32_t pieces, work; /* how many pieces may still be put down, and how much work may still
                              be done */
    uint32_t unlooked; /* work that was done since the caller was last asked whether to stop; it
                          is not yet subtracted from `work` */
    bool over;         /* the budget is used up: the map gets nothing more */
    bool stopped;      /* the budget is over because the caller asked to stop */
    stop_hook stop;
} mapgen_budget;

/* Returns the budget with which each map begins: all pieces and all work that one map may
 * take. */
static inline mapgen_budget mapgen_budget_of(stop_hook stop)
{
    return (mapgen_budget){.pieces = MAPGEN_PIECES, .work = MAPGEN_WORK, .stop = stop};
}

/* Counts `count` tiles, things or entries that the caller goes over; false once the budget is
 * spent. */
static inline bool mapgen_budget_touch(mapgen_budget *b, size_t count)
{
    b->unlooked += count < b->work ? (uint32_t)count : b->work;
    if (b->unlooked < MAPGEN_LOOK)
        return !b->over;
    b->over = b->over || b->unlooked >= b->work;
    b->work = b->over ? 0 : b->work - b->unlooked;
    b->unlooked = 0;
    b->stopped = b->stopped || stop_asked(&b->stop);
    b->over = b->over || b->stopped;
    return !b->over;
}

/* Counts a piece that is put down; false once the budget is spent. */
static inline bool mapgen_budget_spend(mapgen_budget *b)
{
    b->over = b->over || b->pieces == 0;
    b->pieces -= b->pieces > 0;
    return mapgen_budget_touch(b, MAPGEN_PIECE_WORK);
}

typedef enum mapgen_list_sort {
    MAPGEN_LIST_VEHICLES,
    MAPGEN_LIST_SNIPPETS,
    MAPGEN_LIST_NAMES, /* names of people, listed by usage (given or family name) */
    MAPGEN_LIST_SORTS
} mapgen_list_sort;

/* Everything that content says about groups and items. Only one thread may use it, as asking
 * for a group or item may read and compile it. */
typedef struct mapgen_groups mapgen_groups;

mapgen_groups *mapgen_groups_new(id_pool *pool); /* NULL when memory is out */
void mapgen_groups_free(mapgen_groups *groups);
/* Adds an object that defines groups or items; objects of other types are ignored. An item
 * group that comes again adds its entries to the earlier ones. False when memory is out. */
bool mapgen_groups_add(mapgen_groups *groups, json_view object);
/* Adds from an object that defines items only what it says about the item with this id. */
bool mapgen_groups_add_item(mapgen_groups *groups, json_view object, uint32_t id);
/* Gives the groups a source (compile/source.h), from which they read whatever they are asked
 * for and do not have. Must be called before they are asked for anything. The source adds items
 * by mapgen_groups_add_item, other things by mapgen_groups_add. */
void mapgen_groups_set_source(mapgen_groups *groups, const mapgen_source *source);
/* Calls `drawn` with the id of a group of items, monsters or vehicles each time that something
 * is drawn from it, also from a group inside another one. NULL: nothing is called any more. */
void mapgen_groups_watch(mapgen_groups *groups, mapgen_visit *drawn, void *payload);
/* Did memory run out when the groups were asked for something? */
bool mapgen_groups_failed(const mapgen_groups *groups);

/* Chooses an element of a list at random by weight; ID_NONE: there is no such list, or it is
 * empty. */
uint32_t mapgen_lists_draw(mapgen_groups *groups, rng *random, mapgen_list_sort sort,
                           uint32_t id);
/* A callback that is called with an id and the probability with which it is drawn. */
typedef void mapgen_share_visit(void *payload, uint32_t id, double share);
/* Calls `visit` for each element of a list; an element may come several times. False: there is
 * no such list, or it is empty. */
bool mapgen_lists_visit(mapgen_groups *groups, mapgen_list_sort sort, uint32_t id,
                        mapgen_share_visit *visit, void *payload);
/* Calls `visit` for each group from which an item group may choose items directly; never for
 * an unknown group. */
void mapgen_groups_visit(const mapgen_groups *groups, uint32_t id, mapgen_visit *visit,
                         void *payload);

/* ---- what is known of items (items.c) ---- */

enum {
    MAPGEN_ITEM_KNOWN = 1,   /* the content has an item type of this id */
    MAPGEN_ITEM_CHARGED = 2, /* counted by charges, such as ammunition and food */
    MAPGEN_ITEM_LIQUID = 4,
    MAPGEN_ITEM_GUN = 8,
    MAPGEN_ITEM_TOOL = 16,
    MAPGEN_ITEM_MAGAZINE = 32,
    /* Clothing with the flag VARSIZE, which fits some wearers only. */
    MAPGEN_ITEM_VARIABLE = 64,
    MAPGEN_ITEM_POCKETS = 128 /* the item type states pocket_data, or inherits it */
};

/* What is known of an item type. Ids are numbers of the id_pool that the objects were read
 * with; ID_NONE: there is none. */
typedef struct mapgen_item {
    uint32_t present;   /* the id that replaces this one, if content renamed it; else ID_NONE */
    uint32_t container; /* the item's usual container */
    uint32_t magazine;  /* the first magazine that content names for the item's magazine well */
    uint32_t ammo;      /* the item that is this item's usual ammunition; in item_place.stated
                           (items.c), a type of ammunition instead of an item */
    int32_t charges;    /* charges of a new item; 0: none */
    int32_t capacity;   /* rounds that the item takes without a magazine */
    int32_t stack;      /* how many charges have the volume `volume`; 0: as many as a new item
                           has */
    int32_t volume;     /* volume of the item in millilitres; 0: not known */
    int32_t space;      /* how much fits into the item, in ml; 0: nothing, or not known */
    uint32_t parent;    /* the item type that this one is copied from */
    uint8_t flags;      /* what kind of item it is, as bits MAPGEN_ITEM_... */
    uint8_t own;        /* bits of the members that the item's own object states */
} mapgen_item;

/* The types of objects that define items, ending with NULL. */
extern const char *const mapgen_item_types[];

/* Returns what is known of an item type's id. For an unknown id the member `stack` is 1, and
 * all other members are 0. */
mapgen_item mapgen_item_of(mapgen_groups *groups, uint32_t id);
/* Returns the id that replaces an item's id, if content renamed the item; else the id itself.
 */
uint32_t mapgen_item_now(mapgen_groups *groups, uint32_t id);

/* ---- monsters (monsters.c) ---- */

/* The game's time. An entry of a monster group may count only at some times, and a group may be
 * replaced by another one from some time on. */
typedef struct mapgen_time {
    int64_t hours; /* hours since the start of the game */
    int hour;      /* hour of the day, 0 to 23 */
    int season;    /* 0 spring, 1 summer, 2 autumn, 3 winter */
} mapgen_time;

/* What was chosen at random from a monster group: some monsters of one kind. */
typedef struct mapgen_pack {
    uint32_t monster; /* the monsters' id; ID_NONE: no monster was chosen */
    int32_t count;    /* number of monsters, at least 1 */
    int32_t cost;     /* what the monsters cost together, at least 1 */
    /* JSON of the monster's `spawn_data`, in which ranges are not replaced by random numbers
     * yet; ID_NONE: none. */
    uint32_t data;
} mapgen_pack;

/* Returns how many entries of monster groups the code goes over when it chooses monsters
 * once from this group; 0: the group is not known. */
uint32_t mapgen_monsters_size(mapgen_groups *groups, uint32_t group);
/* Chooses from a monster group at random: *out becomes some monsters of one kind. False:
 * there is no such group. */
bool mapgen_draw_pack(mapgen_pack *out, mapgen_groups *groups, rng *random, uint32_t group,
                      mapgen_time time);
/* One of the choices of a monster group: `low` to `high` monsters of one kind, each number
 * equally likely, where each monster costs `cost`. */
typedef struct mapgen_pack_choice {
    /* ID_NONE: no monster comes if this choice is made, but its cost counts. */
    uint32_t monster;
    int32_t low, high, cost;
    double share; /* the probability of this choice */
} mapgen_pack_choice;

typedef void mapgen_pack_visit(void *payload, const mapgen_pack_choice *choice);

/* Calls `visit` for all choices of a monster group, those of groups inside it included (their
 * shares add up to 1), and `drawn` for each group with the probability that it is drawn from;
 * a group may come several times. False: there is no such group, or memory is out, which
 * mapgen_groups_failed then tells. */
bool mapgen_packs_visit(mapgen_groups *groups, uint32_t group, mapgen_time time,
                        mapgen_pack_visit *visit, mapgen_share_visit *drawn, void *payload);
/* If a choice of a monster group is drawn, it gives several monsters at once, a pack. These
 * return the cost of a pack of `number` monsters, and how many monsters really come for this
 * number. */
int32_t mapgen_pack_cost(const mapgen_pack_choice *choice, int32_t number);
int32_t mapgen_pack_count(int32_t number);
/* Returns a monster's `spawn_data` as JSON, with a random number where it states a range of
 * ammunition. ID_NONE if it is no object. */
uint32_t mapgen_draw_spawn_data(mapgen_groups *groups, rng *random, uint32_t json);

/* ---- vehicles on roads (traffic.c) ---- */

/* A `vehicle_spawn` object has several things of which one is chosen at random by weight; a
 * `vehicle_placement` object says where on a map vehicles stand and how. */

/* A vehicle that stands on a map which is not rotated yet. */
typedef struct mapgen_parked {
    uint32_t vehicle; /* id of a vehicle, or of a vehicle group */
    int32_t x, y;     /* place on the map of the vehicle's tile (0, 0) */
    int32_t facing;   /* direction in which the vehicle looks, in degrees */
    int32_t fuel, status;
} mapgen_parked;

enum { MAPGEN_PARKED_MAX = 8 };

/* Chooses at random the vehicles that the `vehicle_spawn` object of this name puts on a
 * road. In the names of `vehicle_placement` objects, the road's shape (for example
 * `road_straight`) replaces "%t". Returns how many vehicles; 0 also if there is no such
 * object. */
size_t mapgen_traffic_draw(mapgen_parked out[MAPGEN_PARKED_MAX], mapgen_groups *groups,
                           rng *random, const char *name, const char *shape);

/* ---- transforms (groups.c) ---- */

/* Returns how many transforms (objects of type ter_furn_transform) the content has, plus how
 * many rules all of them have. Carrying out one transform never takes more steps than this sum.
 */
size_t mapgen_transforms_size(mapgen_groups *groups);
/* Returns what a transform turns `from` into: one of the results of a rule, chosen at random by
 * weight; ID_NONE: it stays as it is. The rule is the first that names `from` or one of its
 * flags. `tiles` knows the flags; it may be NULL. */
uint32_t mapgen_transform(mapgen_groups *groups, const mapgen_tiles *tiles, rng *random,
                          uint32_t transform, local_layer layer, uint32_t from);

/* ---- post-process generators (processes.c) ---- */

/* What a part of a post-process generator (an object of type pp_generator) does to a map. */
typedef enum mapgen_process_kind {
    MAPGEN_PROCESS_BASH,
    MAPGEN_PROCESS_MOVE,
    MAPGEN_PROCESS_FIRE,
    MAPGEN_PROCESS_BURN,
    MAPGEN_PROCESS_BLOOD,
    MAPGEN_PROCESS_TRANSFORM,
    MAPGEN_PROCESS_UNKNOWN /* a type of parts that Portolan has no code for; must be the last
                              one */
} mapgen_process_kind;

/* The names that content has for the kinds of parts, by mapgen_process_kind. */
extern const char *const mapgen_process_names[MAPGEN_PROCESS_UNKNOWN];

enum { MAPGEN_PROCESS_NUMBER_MAX = 100000 };

/* A part of a post-process generator. What its members `attempts`, `chance` and so on mean
 * depends on its kind (mapgen/run/run_process.c). */
typedef struct mapgen_process {
    mapgen_process_kind kind;
    int32_t attempts, chance;
    int32_t low, high; /* the part's members min_intensity and max_intensity */
    /* The part's members scaling_days_start and scaling_days_end. */
    int32_t first_day, last_day;
    bool special; /* what `scope` says: true if one random choice for the whole special decides
                     whether this is done */
    /* A fire burns all walls and floors and all that stands on them, not only what burns in the
     * content. */
    bool all;
    uint32_t transform; /* id of the transform that the part applies to tiles; ID_NONE: none */
} mapgen_process;

/* Gives the parts of a post-process generator, borrowed until the next call, and returns how
 * many there are. *known is false if the content has no such generator. */
size_t mapgen_processes_of(const mapgen_process **out, bool *known, mapgen_groups *groups,
                           uint32_t id);

/* ---- choosing items at random (draw_items.c) ---- */

/* Items that were chosen at random, in order. The member `status` of an item says how deep
 * it lies in other items: with status 0 it lies on the tile, with 1 inside the last item
 * before it that has status 0, and so on. The items have no coordinates yet. */
typedef struct mapgen_draft {
    local_entity *items; /* owned */
    size_t count, room;
    bool failed; /* memory was out */
    bool cut;    /* the map's budget was spent before all items were chosen */
} mapgen_draft;

/* `ammo`: in percent, how many of the items that take ammunition are loaded; `magazine`: how
 * many of the items that take a magazine get one. 0: the group's own percentages count. */
typedef struct mapgen_loading {
    int32_t ammo, magazine;
} mapgen_loading;

/* What a piece of mapgen says about the items that it puts down. */
typedef struct mapgen_told {
    mapgen_loading loading;
    uint32_t custom; /* JSON list of flags that the piece gives the items; ID_NONE: none */
    /* JSON of an id: which of the type's looks the items have; ID_NONE: none. */
    uint32_t variant;
    int32_t charges[2]; /* lowest and highest number of charges; -1, -1: not stated */
    int32_t damage[2];  /* lowest and highest damage; 0, 0: undamaged */
} mapgen_told;

#define MAPGEN_TOLD_NOTHING                                                                    \
    {                                                                                          \
        .charges = { -1, -1 }                                                                  \
    }

void mapgen_draft_dispose(mapgen_draft *draft);
/* Chooses items once from an item group and appends them to the draft. `told` applies to
 * each item that lies on the tile by itself, not inside of another item. False: there is no
 * such group. */
bool mapgen_draw_group(mapgen_draft *draft, mapgen_groups *groups, rng *random, uint32_t id,
                       const mapgen_told *told, mapgen_budget *budget);
/* Makes one item, in its usual container, and appends it to the draft, which is a list of
 * items. */
void mapgen_draw_item(mapgen_draft *draft, mapgen_groups *groups, rng *random, uint32_t id,
                      const mapgen_told *told, mapgen_budget *budget);
