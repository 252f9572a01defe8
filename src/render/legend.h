/* A picture's legend: which terrains are in the picture and how many cells each has, sorted,
 * and cut to the number of lines for which there is room. */
#pragma once

#include "model/catalogue.h"
#include "render/paint.h"

#include <stdbool.h>

/* Kinds of terrain by which a legend is ordered: those of classes (ptl_map_group). */

typedef enum terrain_group {
    GROUP_LAND,    /* ground, woods, rock, air, and all terrains that are in no other group */
    GROUP_WATER,   /* rivers, lakes and their shores */
    GROUP_WAYS,    /* whatever connects: roads, trails, rails, sewers, and bridges */
    GROUP_CITY,    /* OMTs of cities' buildings */
    GROUP_SPECIAL, /* OMTs of specials */
    GROUP_COUNT
} terrain_group;

/* Returns the headings of the groups ("Land" and so on). They are constants. */
const char *const *terrain_group_names(void);

/* Returns a new array that gives for each terrain its group in a legend (terrain_group). The
 * caller must free it. NULL when memory is out. */
uint8_t *terrain_groups_new(const catalogue *cat);

/* An entry of a legend: terrains that have the same name and look the same. */
typedef struct legend_entry {
    const char *name; /* borrowed; the id if the terrain has no name */
    int group;        /* number of the group, 0..GROUP_COUNT - 1 */
    /* Number of the most frequent oter (or kind of tile) in this entry, and its look
     * (borrowed). */
    uint32_t most;
    const look *look;
    uint64_t tiles; /* number of cells of the picture that the entry counts */
} legend_entry;

/* An entry for one terrain, before entries that look the same are merged. */
typedef struct legend_draft {
    legend_entry entry;
    uint64_t most; /* number of cells that have the terrain's most frequent oter, entry.most */
    uint32_t symbol;    /* symbol of the terrain as it is without rotation */
    const look *sample; /* what the legend shows in place of the look of `most`; or NULL */
    bool symbols; /* whether the picture shows symbols, so that terrains with different symbols
                     look different */
} legend_draft;

/* The entries of a picture. */
typedef struct legend {
    legend_entry *entries; /* owned; sorted by group, and within a group by frequency */
    size_t entry_count;
    /* Group g has the entries from first[g] to first[g + 1] - 1. */
    size_t first[GROUP_COUNT + 1];
    look samples[PTL_MAP_CLASSES]; /* looks of classes, to which entries of a picture on paper
                                      point, so a legend must not be moved */
    const char *const *headings;   /* headings of the groups; constants */
    uint64_t unsaved;              /* number of cells without a saved chunk */
} legend;

/*
 * Makes the legend from counts of cells. `tiles` has a count for each oter of the catalogue;
 * its last element counts the cells without an oter. If `symbols` is true, terrains with
 * different symbols get entries of their own even if their colours are the same. `looks` must
 * exist as long as the legend is used. The caller must call legend_dispose, also after an
 * error.
 */
ptl_status legend_init(legend *out, const catalogue *cat, const look *looks,
                       const uint64_t *tiles, bool symbols, ptl_error *err);
/* Makes the legend from drafts (entries that are not merged yet). The drafts are put into
 * another order. */
ptl_status legend_of_drafts(legend *out, legend_draft *drafts, size_t count, bool symbols,
                            ptl_error *err);
void legend_dispose(legend *l);

/*
 * Chooses how many entries of each group are shown if there are `lines` lines, at least 3 *
 * GROUP_COUNT + 1. A group needs a line for its heading. If some of its entries are not shown,
 * it needs a line for those, too. The groups get their lines in turn, one by one, so that a
 * long group leaves room for the others. Returns the number of lines that are used.
 */
size_t legend_choose(const legend *l, size_t lines, size_t shown[GROUP_COUNT]);

/* Returns how many cells the entries of a group have that the legend does not show. It shows
 * only the first `shown` entries of the group. */
uint64_t legend_rest(const legend *l, int group, size_t shown);
