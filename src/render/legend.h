/* A picture's legend: which terrains are in it and how many cells each has, sorted, and cut to
 * the number of lines there is room for. */
#pragma once

#include "model/catalogue.h"
#include "render/paint.h"

#include <stdbool.h>

/* Kinds of terrain by which a legend is ordered. */

typedef enum terrain_group {
    GROUP_LAND,    /* ground, woods, rock, air, and all that is not in another group */
    GROUP_WATER,   /* rivers, lakes and their shores */
    GROUP_WAYS,    /* whatever connects: roads, trails, rails, sewers, and bridges */
    GROUP_CITY,    /* OMTs of cities' buildings */
    GROUP_SPECIAL, /* OMTs of specials */
    GROUP_COUNT
} terrain_group;

/* Returns the headings "Land" and so on, by group. They are constants. */
const char *const *terrain_group_names(void);

/* Returns an array with the terrain_group of each terrain, to be freed by the caller. NULL
 * when memory is out. */
uint8_t *terrain_groups_new(const catalogue *cat);

/* Terrains that have one name and look the same. */
typedef struct legend_entry {
    const char *name; /* borrowed; the id if there is no name */
    int group;        /* 0..GROUP_COUNT - 1 */
    /* Number of the oter, or kind of tiles, that is most frequent among them, and its look
     * (borrowed). */
    uint32_t most;
    const look *look;
    uint64_t tiles; /* number of cells in the picture */
} legend_entry;

/* An entry before those that look the same are merged. */
typedef struct legend_draft {
    legend_entry entry;
    uint64_t most;   /* number of cells of entry.most */
    uint32_t symbol; /* of the terrain, not rotated */
    bool symbols;    /* those with different symbols do not look the same */
} legend_draft;

/* The entries of a picture. */
typedef struct legend {
    legend_entry *entries; /* owned; by group, and within a group by frequency */
    size_t entry_count;
    /* Group g has the entries from first[g] to first[g + 1] - 1. */
    size_t first[GROUP_COUNT + 1];
    const char *const *headings; /* of the groups; constants */
    uint64_t unsaved;            /* cells where no chunk is saved */
} legend;

/*
 * Makes the legend from counts of cells: tiles has one for each oter of the catalogue, and
 * last that of cells without an oter. symbols: terrains with different symbols do not look the
 * same. looks must stay while the legend is used. To be disposed of also after an error.
 */
ptl_status legend_init(legend *out, const catalogue *cat, const look *looks,
                       const uint64_t *tiles, bool symbols, ptl_error *err);
/* Makes the legend from drafts, which get reordered. */
ptl_status legend_of_drafts(legend *out, legend_draft *drafts, size_t count, bool symbols,
                            ptl_error *err);
void legend_dispose(legend *l);

/*
 * Chooses how many entries of each group are shown if there are so many lines, at least 3 *
 * GROUP_COUNT + 1. A group needs a line for its heading, and one for the rest if not all of
 * its entries are shown. Groups take turns, so that a long one leaves room for the others.
 * Returns the number of lines used.
 */
size_t legend_choose(const legend *l, size_t lines, size_t shown[GROUP_COUNT]);

/* Returns the number of cells of a group's entries after the first `shown`. */
uint64_t legend_rest(const legend *l, int group, size_t shown);
