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

/* All that a value may be; terrains: all, or those that count (possible_options). Sets. */
uint32_t possible_values(frame *f, const mapgen_unit *unit, uint32_t value);
uint32_t possible_terrains(frame *f, const mapgen_unit *unit, uint32_t value);
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
