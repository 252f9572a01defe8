/*
 * What a region's settings say of local maps: what its pseudo ids (t_region_..., f_region_...)
 * stand for, and what grows on natural ground. Ids are numbers of an id_pool.
 */
#ifndef MAPGEN_GROUND_SETTINGS_H
#define MAPGEN_GROUND_SETTINGS_H

#include "core/arena.h"
#include "core/hash.h"
#include "model/id_pool.h"
#include "json/view.h"

#include <stdbool.h>

/* One of several, by weight. */
typedef struct ground_choice {
    uint32_t id;
    bool furniture; /* by its prefix, f_ */
    double upto;    /* running sum of weights */
    uint64_t end;   /* drawn numbers below it are this one's, or one's before; none: none are */
} ground_choice;

typedef struct ground_weights {
    const ground_choice *items;
    uint32_t count;
    /* By the highest bits of a drawn number the first item that it may be, and behind them all
     * the last item. NULL: there are fewer than two. */
    const uint32_t *guide;
} ground_weights;

/* Drawn numbers have 53 bits, as many as are exact in a double. */
enum { GROUND_DRAWN_BITS = 53, GROUND_GUIDE_BITS = 8, GROUND_GUIDE = 1 << GROUND_GUIDE_BITS };

/* What a pseudo id stands for. */
typedef struct ground_pseudo {
    uint32_t id;
    ground_weights weights;
} ground_pseudo;

/* One of a forest's components: where 1 in `chance` tiles has something, one of the types.
 * There are none without a chance. */
typedef struct ground_component {
    int32_t sequence, chance;
    uint64_t end; /* numbers of a stream below it are those 1 in `chance` */
    ground_weights types;
} ground_component;

/* Furniture on tiles of a terrain: likewise. */
typedef struct ground_dressing {
    uint32_t terrain;
    int32_t chance;
    uint64_t end;
    ground_weights furniture;
} ground_dressing;

/* What a terrain's forest_mapgen_settings say. */
typedef struct ground_biome {
    uint32_t terrain; /* the overmap terrain */
    int32_t sparseness;
    uint32_t item_group;
    int32_t item_chance, item_times;
    ground_weights cover;
    const ground_component *components; /* by sequence */
    const ground_dressing *dressings;
    uint32_t component_count, dressing_count;
} ground_biome;

/* What fields have: in percent of tiles, and in a share of all fields more of it. */
typedef struct ground_field {
    bool stated;
    double percent, boosted_percent, boost_chance, boosted_other_percent;
    uint32_t plain; /* where none of the others is */
    ground_weights other, boosted_other;
    double other_percent;
} ground_field;

typedef struct ground_trail {
    int32_t variance, width_min, width_max;
    ground_weights terrain;
} ground_trail;

/* An object that blocks name, as DDA has them since 2026: settings.c. */
typedef struct ground_part ground_part;

typedef struct ground_settings {
    const ground_part *parts; /* the last one that was added; NULL: none */
    ground_weights cover;     /* default_groundcover */
    const ground_pseudo *pseudo;
    const ground_biome *biomes;
    uint32_t pseudo_count, biome_count;
    /* Of each id below the count its place among the pseudo ids, from 1; 0: it is none. */
    const uint16_t *places;
    uint32_t place_count;
    ground_field field;
    ground_trail trail;
} ground_settings;

/* Adds an object of the types `region_terrain_furniture`, `forest_biome_mapgen` and
 * `forest_biome_component`, for blocks that name it and are read after; others are passed over.
 * Of one id the last counts. False when memory is out. */
bool ground_settings_add_part(ground_settings *out, id_pool *pool, arena *memory,
                              json_view object);
/* Reads a block of a region's settings into *out, which is zeroed before the first; blocks that
 * are about other things are passed over. False when memory is out. */
bool ground_settings_read(ground_settings *out, id_pool *pool, arena *memory, const char *block,
                          json_view json);

/* The one that a number of a stream is; there are some. */
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

/* Draws one; NULL if there is none. */
static inline const ground_choice *ground_draw(const ground_weights *weights, rng *random)
{
    return weights->count == 0 ? NULL : ground_pick(weights, rng_next(random));
}

/* What a pseudo id stands for; NULL: it is none. */
static inline const ground_weights *ground_pseudo_of(const ground_settings *s, uint32_t id)
{
    const uint16_t number = id < s->place_count ? s->places[id] : 0;
    return number > 0 ? &s->pseudo[number - 1].weights : NULL;
}

/* How many pseudo ids may stand for one another. */
enum { GROUND_DEPTH_MAX = 8 };

/* Draws what an id stands for, which is itself if it is no pseudo id; ID_NONE: nothing does.
 * `next` gives the numbers of a stream. */
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

static inline uint64_t ground_next(void *stream)
{
    return rng_next(stream);
}

/* The same of a stream itself. */
static inline uint32_t ground_resolve(const ground_settings *s, rng *random, uint32_t id)
{
    return ground_resolve_by(s, ground_next, random, id);
}

#endif
