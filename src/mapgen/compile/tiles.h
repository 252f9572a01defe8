/*
 * What mapgen needs to know about the content's terrain and furniture: ids that were renamed,
 * roofs, walls, what bashing leaves. It is read from the content's objects that the file keeps.
 */
#pragma once

#include "model/id_pool.h"
#include "json/view.h"

#include <stdbool.h>

enum {
    MAPGEN_TILE_KNOWN = 1, /* the content has a terrain or furniture of this id */
    MAPGEN_TILE_WALL = 2,
    MAPGEN_TILE_PLACE_ITEM = 4,
    MAPGEN_TILE_IMPASSABLE = 8,
    MAPGEN_TILE_BASHED = 16, /* the terrain or furniture can be bashed, and then becomes
                                mapgen_tile.bashed or nothing */
    MAPGEN_TILE_PLANT = 32,  /* the furniture is a plant, which holds one seed */
    MAPGEN_TILE_FLAT = 64,
    MAPGEN_TILE_DEEP = 128, /* the terrain is deep water */
    MAPGEN_TILE_WATER = 256,
    MAPGEN_TILE_LEAKS = 512,   /* water flows through the terrain or furniture, as it does
                                  between trees */
    MAPGEN_TILE_HEIGHT = 1024, /* content states how high the terrain lies on a coast */
    /* A person can open the furniture or terrain, pick or pry it open, cut it, or use it. */
    MAPGEN_TILE_OPENS = 2048,
    MAPGEN_STATED_MAX = 9999 /* the greatest height that a terrain may state; the least is its
                                negative */
};

/* What is known of one terrain or furniture. Ids are numbers of the id_pool that the objects
 * were read with. */
typedef struct mapgen_tile {
    uint32_t present; /* the id that replaces this one, if content renamed it; else ID_NONE */
    uint32_t roof;    /* the terrain on the level above, in place of air; ID_NONE: none */
    /* Terrain or furniture that is left when this one is bashed; ID_NONE: nothing is left. */
    uint32_t bashed;
    /* Index in mapgen_tiles.bashes of what the object says about bashing; 0: nothing. */
    uint32_t bash;
    uint32_t parent; /* the id that this one is copied from; ID_NONE once it has its inherited
                        members */
    /* The id that this one was copied from. It stays when `parent` is cleared, as flags are
     * looked up there later. */
    uint32_t origin;
    /* The object's own flags lie one after the other in the list of all flags: index of the
     * first. */
    uint32_t names;
    uint16_t name_count,
        gone_count; /* number of flags that the object states, and of inherited flags that it
                       takes away; the latter come behind the former */
    uint16_t flags; /* what is known of the terrain or furniture, as bits MAPGEN_TILE_... */
    int16_t height; /* height that the content states for a terrain with MAPGEN_TILE_HEIGHT */
    uint8_t own;    /* bits of the members that the object states itself (tiles.c) */
} mapgen_tile;

/* What happens when a terrain or furniture is bashed. Ids are as in mapgen_tile; ID_NONE: none.
 */
typedef struct mapgen_bash {
    /* A blow of the strength `most` breaks the terrain or furniture, a blow below `least` has
     * no effect on it; `most` -1: it never breaks. */
    int32_t least, most;
    /* The strengths that hold in place of `least` and `most` on a tile beside furniture that
     * blocks doors; -1: `least` or `most` holds there, too. */
    int32_t least_blocked, most_blocked;
    bool below; /* the terrain breaks only by a blow to the tile below it */
    /* The group of items that remain when the terrain or furniture breaks, as the JSON text of
     * a group or as the group's id. */
    uint32_t items;
    /* Ids of the fields (such as smoke) that a blow makes: `hit` if the blow does not break the
     * terrain or furniture, `broken` if it does. */
    uint32_t hit, broken;
    /* Intensities of the fields whose ids are `hit` and `broken`. */
    int32_t hit_strength, broken_strength;
} mapgen_bash;

typedef struct mapgen_tiles mapgen_tiles;

/* Makes an empty collection; NULL when memory is out. */
mapgen_tiles *mapgen_tiles_new(id_pool *pool);
/* Makes the objects that are added from now on keep what they say about bashing, which only
 * worlds with riots ask for. */
void mapgen_tiles_keep_bash(mapgen_tiles *tiles);
void mapgen_tiles_free(mapgen_tiles *tiles);
/* Adds an object of type terrain or furniture, or one that renames ids of these; objects of
 * other types are ignored. An id that comes again replaces the earlier one. False when memory
 * is out. */
bool mapgen_tiles_add(mapgen_tiles *tiles, json_view object);
/* Gives each terrain and furniture the members that it inherits. Must be called once, after all
 * objects were added. */
void mapgen_tiles_finish(mapgen_tiles *tiles);

/* Returns what is known of a terrain's or furniture's id; zeroes if the id is unknown or tiles
 * is NULL. */
mapgen_tile mapgen_terrain_tile(const mapgen_tiles *tiles, uint32_t id);
mapgen_tile mapgen_furniture_tile(const mapgen_tiles *tiles, uint32_t id);
/* Returns what happens when the terrain or furniture is bashed. `most` is -1 if bashing has no
 * effect on it. */
mapgen_bash mapgen_tile_bash(const mapgen_tiles *tiles, mapgen_tile tile);
/* Does the terrain or furniture have this flag, which may be any name that content uses? If it
 * has no list of flags of its own, those of the object that it was copied from count. */
bool mapgen_tile_has(const mapgen_tiles *tiles, bool furniture, uint32_t id, uint32_t flag);
/* Returns the id that replaces this one, if content renamed it; else the id itself. */
uint32_t mapgen_terrain_now(const mapgen_tiles *tiles, uint32_t id);
uint32_t mapgen_furniture_now(const mapgen_tiles *tiles, uint32_t id);
