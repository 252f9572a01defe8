/* What the files of possible.h share. */
#ifndef TRUTH_POSSIBLE_IMPL_H
#define TRUTH_POSSIBLE_IMPL_H

#include "support/truth/possible.h"

/* Ids that pieces of their own put down. */
typedef struct own_ids {
    uint32_t null_terrain, null_furniture, null_id, air, dirt, console;
    uint32_t sign, toilet, vending_open, vending_closed, vending_reinforced, gas_pump,
        diesel_pump, rubble;
} own_ids;

typedef struct engine {
    const possible_content *content;
    id_sets *sets;
    own_ids ids;
    possible_options options;
    int depth;
    bool weak;      /* what is put down may as well not be */
    bool no_chunks; /* none is drawn: what else there is is looked at */
    picks picks;
    /* Of the entry's own pieces with conditions, those whose conditions do not hold. */
    uint64_t unmet;
} engine;

typedef struct frame {
    engine *e;
    possible_map *map;
    const mapgen_entry *entry;
    mapgen_layers layers;
    int x, y, width, height, from_x, from_y; /* as of a run's frame (mapgen/run) */
} frame;

typedef struct area {
    int x, y, x2, y2;
} area;

/* One that is drawn for a whole entry: several ids, of which one is picked. */
typedef struct open_draw {
    uint32_t name, ids;
} open_draw;

/* How well a map fits what was seen: tiles, and then the fewest terrains that may be. */
typedef struct likeness {
    int tiles;
    size_t allowed;
} likeness;

/* All that a value may be; terrains: all, or those that count (possible_options). Sets. */
uint32_t possible_values(frame *f, const mapgen_unit *unit, uint32_t value);
uint32_t possible_terrains(frame *f, const mapgen_unit *unit, uint32_t value);
/* Likewise, for layers that no frame has. */
uint32_t possible_values_of(engine *e, const mapgen_layers *layers, const mapgen_unit *unit,
                            uint32_t value);
/* The unit and the palettes that it may use, each behind those that it includes. */
void possible_layers(engine *e, mapgen_layers *out, const mapgen_unit *unit);
/* Find a palette, or a parameter, that is not picked yet; false: there is none. */
bool possible_open_palette(engine *e, const mapgen_layers *layers, open_draw *out);
bool possible_open_parameter(engine *e, const mapgen_layers *layers, open_draw *out);
/* Picks the i-th of the ids. */
void possible_pick(engine *e, const open_draw *d, size_t i);
likeness possible_likeness(const engine *e, const possible_map *map);
bool possible_is_closer(const likeness *a, const likeness *b);
/* Draws the entry of a frame over what is under it. */
void possible_draw(frame *f, possible_map *out);
/* Pick palettes and parameters, and find pieces whose conditions did not hold; `out` is
 * scratch. */
void possible_pick_all(frame *f, possible_map *out);
void possible_find_unmet(frame *f, possible_map *out);
/* The set with what a pseudo id stands for, and present ids for those of before. */
uint32_t possible_real(engine *e, uint32_t set, bool furniture, int depth);
/* Put a set down; what is not sure may as well not be put. */
void possible_terrain(frame *f, int x, int y, uint32_t set, bool sure);
void possible_furniture(frame *f, int x, int y, uint32_t set, bool sure);
/* Does a piece by coordinates begin in the part of the drawing that is drawn? */
bool possible_is_here(const frame *f, const mapgen_piece *p);
/* A piece of `set`, with its ranges. */
void possible_set(frame *f, const mapgen_piece *p);

static inline bool possible_on_map(int x, int y)
{
    return x >= 0 && y >= 0 && x < LOCAL_SIDE && y < LOCAL_SIDE;
}

#endif
