/*
 * A picture's legend: which terrains are in it, how many tiles of each, sorted and cut to the
 * lines that there are.
 */
#ifndef RENDER_LEGEND_H
#define RENDER_LEGEND_H

#include "model/catalogue.h"
#include "render/paint.h"

#include <stdbool.h>

/* What kind of thing a terrain is on a map: how a legend is ordered. */

typedef enum terrain_group {
    GROUP_LAND,    /* ground, woods, rock and air; what nothing below says otherwise of */
    GROUP_WATER,   /* rivers, lakes and their shores */
    GROUP_WAYS,    /* whatever connects: roads, trails, rails, sewers, and bridges */
    GROUP_CITY,    /* tiles of a city's buildings */
    GROUP_SPECIAL, /* tiles of specials */
    GROUP_COUNT
} terrain_group;

/* Returns "Land" and so on, by group: constants. */
const char *const *terrain_group_names(void);

/* Makes a list with a terrain_group for each terrain of the catalogue: free it. NULL when
 * memory is out. */
uint8_t *terrain_groups_new(const catalogue *cat);

/* Terrains of one name that look the same. */
typedef struct legend_entry {
    const char *name; /* borrowed; its id where it has no name */
    int group;        /* 0..GROUP_COUNT - 1 */
    uint32_t look;    /* number of the most frequent look of what it stands for */
    uint64_t tiles;   /* in the picture */
} legend_entry;

/* An entry before those of one look become one. */
typedef struct legend_draft {
    legend_entry entry;
    uint64_t most;   /* tiles of entry.look */
    uint32_t symbol; /* not turned */
    const look *look;
} legend_draft;

typedef struct legend {
    legend_entry *entries; /* owned; by group, in it the most frequent first */
    size_t entry_count;
    size_t first[GROUP_COUNT + 1]; /* group g's are entries[first[g]] .. before first[g + 1] */
    const char *const *headings;   /* of the groups: constants */
    uint64_t unsaved;              /* tiles where no chunk is saved */
} legend;

/*
 * tiles has a count for each oter of the catalogue, and last that of cells without one. With
 * symbols, terrains of another symbol do not look the same. Dispose it also after a failure.
 */
ptl_status legend_init(legend *out, const catalogue *cat, const look *looks,
                       const uint64_t *tiles, bool symbols, ptl_error *err);
/* The same of drafts, which are reordered. */
ptl_status legend_of_drafts(legend *out, legend_draft *drafts, size_t count, bool symbols,
                            ptl_error *err);
void legend_dispose(legend *l);

/*
 * How many entries of each group come into so many lines: a group has a heading, and a line for
 * the rest if there is a rest. Groups take turns, so that one with many entries leaves room to
 * the others. lines: at least 3 * GROUP_COUNT + 1. Returns the lines used.
 */
size_t legend_choose(const legend *l, size_t lines, size_t shown[GROUP_COUNT]);

/* The tiles of the entries of a group after the first `shown`. */
uint64_t legend_rest(const legend *l, int group, size_t shown);

#endif
