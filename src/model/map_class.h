/*
 * What kind of ground each terrain is (ptl_map_class), for maps. The games have no such thing,
 * so the class follows from what content says of a terrain in other places: its flags, the
 * connections and regions that use it, whether cities or specials have it, and the words that
 * the content has for land use, for the cost of travelling and for terrains that look alike.
 */
#pragma once

#include "model/catalogue.h"

/* What the definition of a terrain itself says; each text may be NULL. */
typedef struct map_words {
    const char *travel;     /* travel_cost_type: a word of the games' code, since 2025 */
    const char *land_use;   /* land_use_code: an id of the content */
    const char *extras;     /* id of a set of map extras */
    const char *looks_like; /* JSON list of the ids that the terrain looks like or copies */
    uint32_t symbol;
    bool linear; /* its oters are lines */
} map_words;

/* Returns the class that the definition suggests; PTL_MAP_OTHER if it suggests none. */
ptl_map_class map_class_of_words(const map_words *words);

/* Sets `map_class` of all terrains of a catalogue, which are given once more because those of
 * a catalogue can't be changed. Before the call, it is the class that map_class_of_words
 * suggests. The catalogue must be complete otherwise. */
void map_class_settle(cat_terrain *terrains, const catalogue *cat);
