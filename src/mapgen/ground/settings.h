/*
 * What a region's settings say about local maps: what its pseudo ids (t_region_...,
 * f_region_...) stand for, and what grows on natural ground. Ids are numbers of an id_pool.
 */
#pragma once

#include "core/arena.h"
#include "core/hash.h"
#include "model/id_pool.h"
#include "json/view.h"

#include <stdbool.h>

/* One id in a weighted list of terrain or furniture. */
typedef struct ground_choice {
    uint32_t id;
    bool furniture; /* true: the item's id begins with f_, so it is furniture */
    double upto;    /* sum of the weights up to this id */
    uint64_t end;   /* a random number below this belongs to this item or to an earlier one */
} ground_choice;

typedef struct ground_weights {
    const ground_choice *items;
    uint32_t count;
    /* A table that narrows the search for an item. For each value of the highest bits of a
     * random number it has the first item that the number may belong to; its last element is
     * the last item. NULL: the list has fewer than two items. */
    const uint32_t *guide;
} ground_weights;

/* The random numbers have 53 bits, as many as a double holds exactly. */
enum { GROUND_DRAWN_BITS = 53, GROUND_GUIDE_BITS = 8, GROUND_GUIDE = 1 << GROUND_GUIDE_BITS };

/* A pseudo id, that is, an id that stands for a list of ids, with that list. */
typedef struct ground_pseudo {
    uint32_t id;
    ground_weights weights;
} ground_pseudo;

/* A component of a forest, such as its trees. One in `chance` tiles gets one of the component's
 * types, chosen at random by weight. Components without a chance are not kept. */
typedef struct ground_component {
    int32_t sequence, chance;
    uint64_t end; /* if a tile's random number is below this, the tile gets the component */
    ground_weights types;
} ground_component;

/* Furniture that is put on one in `chance` tiles of a terrain, namely where the tile's random
 * number is below `end`. */
typedef struct ground_dressing {
    uint32_t terrain;
    int32_t chance;
    uint64_t end;
    ground_weights furniture;
} ground_dressing;

enum { GROUND_SPARSE_MAX = 100 };

/* What grows in a forest: the forest_mapgen_settings of an overmap terrain. */
typedef struct ground_biome {
    uint32_t terrain;   /* id of the overmap terrain that is such a forest */
    int32_t sparseness; /* sparseness_adjacency_factor, from 0 to GROUND_SPARSE_MAX */
    uint32_t item_group;
    int32_t item_chance, item_times;
    ground_weights cover;
    const ground_component *components; /* sorted by ground_component.sequence */
    const ground_dressing *dressings;
    uint32_t component_count, dressing_count;
} ground_biome;

/* What grows in a field: on how many percent of its tiles each plant grows, and in how many
 * percent of fields more plants grow. */
typedef struct ground_field {
    bool stated;
    double percent, boosted_percent, boost_chance, boosted_other_percent;
    uint32_t plain; /* the terrain of tiles on which no plant grows */
    ground_weights other, boosted_other;
    double other_percent;
} ground_field;

typedef struct ground_trail {
    int32_t variance, width_min, width_max;
    ground_weights terrain;
} ground_trail;

/* A part of a region's settings that is an object of its own, to which blocks of settings refer
 * by name, as in DDA from 2026 on (settings.c). */
typedef struct ground_part ground_part;

typedef struct ground_settings {
    /* List of all settings that are objects of their own; NULL: there are none. */
    const ground_part *parts;
    /* The ground cover: what the region's setting default_groundcover lists. */
    ground_weights cover;
    const ground_pseudo *pseudo;
    const ground_biome *biomes;
    uint32_t pseudo_count, biome_count;
    /* True: forests blend into their neighbours (schema/mapgen.md, "Ground"), because the
     * biomes are those of DDA since 0.I, where each biome lists its terrains. */
    bool blended;
    int32_t densest; /* the greatest sparseness of a biome */
    /* Tells quickly whether an id below place_count is a pseudo id: then places[id] is the
     * pseudo id's index in `pseudo`, plus 1; otherwise 0. */
    const uint16_t *places;
    uint32_t place_count;
    ground_field field;
    ground_trail trail;
} ground_settings;

/* Adds an object of type `region_terrain_furniture`, `forest_biome_mapgen` or
 * `forest_biome_component`; objects of other types are ignored. Blocks of settings that refer
 * to the object must be read later. If an id comes again, the last object counts. False when
 * memory is out. */
bool ground_settings_add_part(ground_settings *out, id_pool *pool, arena *memory,
                              json_view object);
/* Reads one block (JSON object) of a region's settings into *out, which must be zeroed before
 * the first block. Blocks about things that do not concern local maps are ignored. False when
 * memory is out. */
bool ground_settings_read(ground_settings *out, id_pool *pool, arena *memory, const char *block,
                          json_view json);

/* Chooses from a weighted list: returns the item to which a random number belongs. The list
 * must not be empty. */
static inline const ground_choice *ground_pick(const ground_weights *weights, uint64_t number)
{
    enum { ALL = 64, FEW = 4 };
    const ground_choice *items = weights->items;
    if (weights->count == 1)
        return items;
    const uint64_t drawn = number >> (ALL - GROUND_DRAWN_BITS);
    const uint32_t *part =
        &weights->guide[(size_t)(drawn >> (GROUND_DRAWN_BITS - GROUND_GUIDE_BITS))];
    uint32_t first = part[0], last = part[1];
    while (last - first > FEW) {
        const uint32_t middle = first + (last - first) / 2;
        if (items[middle].end <= drawn)
            first = middle + 1;
        else
            last = middle;
    }
    while (first < last && items[first].end <= drawn)
        first++;
    return &items[first];
}

/* Returns the list of ids that a pseudo id stands for; NULL: the id is no pseudo id. */
static inline const ground_weights *ground_pseudo_of(const ground_settings *s, uint32_t id)
{
    const uint16_t number = id < s->place_count ? s->places[id] : 0;
    return number > 0 ? &s->pseudo[number - 1].weights : NULL;
}

/* A pseudo id stands for a list of ids, which may be pseudo ids as well. At most so many of
 * them are replaced one after the other until an ordinary id is found. */
enum { GROUND_DEPTH_MAX = 8 };

/* Chooses an id at random from the list that a pseudo id stands for. An id that is no pseudo
 * id stands for itself. Returns ID_NONE if a list is empty, or there are too many steps.
 * `next` gives random numbers. */
static inline uint32_t ground_resolve_by(const ground_settings *s,
                                         uint64_t (*next)(void *stream), void *stream,
                                         uint32_t id)
{
    for (int i = 0; i < GROUND_DEPTH_MAX; i++) {
        const ground_weights *weights = ground_pseudo_of(s, id);
        if (!weights)
            return id;
        id = weights->count > 0 ? ground_pick(weights, next(stream))->id : ID_NONE;
    }
    return ID_NONE;
}

/* Returns the next random number of a stream of type rng. This function can be passed to
 * ground_resolve_by as `next`. */
static inline uint64_t ground_next(void *stream)
{
    return rng_next(stream);
}

/* Chooses an id from the list that a pseudo id stands for, as ground_resolve_by does, with
 * random numbers from a stream of type rng. */
static inline uint32_t ground_resolve(const ground_settings *s, rng *random, uint32_t id)
{
    return ground_resolve_by(s, ground_next, random, id);
}
