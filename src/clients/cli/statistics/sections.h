/*
 * The sections of a statistical report, as tables: all specials, one special in detail, and the
 * terrains, cities, buildings, lines and waters of a sample. The manual describes the columns
 * and their keys, under `stats`.
 */
#pragma once

#include "clients/cli/line/rows.h"
#include "portolan/stats.h"

typedef enum section {
    /* A section about all specials: one row for each. */
    SECTION_SPECIALS,
    /* Sections about single specials. The first column has the special's id. */
    SECTION_SPECIAL,
    SECTION_HISTOGRAM,
    SECTION_LEVELS,
    SECTION_ROTATIONS,
    SECTION_AROUND,
    SECTION_DISTANCES,
    SECTION_NEIGHBOURS, /* distances between the specials that the command line names */
    SECTION_CLUSTERING,
    SECTION_RATES,
    SECTION_FAILURES,
    /* Sections about overmaps. */
    SECTION_TERRAINS,
    SECTION_CITIES,
    SECTION_CITIES_PER_OVERMAP,
    SECTION_BUILDINGS,
    SECTION_BUILDING_SIZES,
    SECTION_LINES,
    SECTION_WATER,
    SECTION_COUNT
} section;

typedef struct section_spec {
    const char *name;
    const report_column *columns;
    /* What must be counted for the section besides specials: PTL_COUNT_... */
    uint32_t parts;
    /* The option that chooses this section and perhaps others; NULL: none. */
    const char *option;
    const char *title; /* NULL: none */
} section_spec;

extern const section_spec section_specs[SECTION_COUNT];

/* Returns the section of this name; SECTION_COUNT if there is none. */
section section_find(const char *name);
/* Is the section about single specials? */
bool section_is_detail(section which);

void section_init(report_table *t, section which);

void section_add_specials(report_table *t, const ptl_facts *facts, bool lacking_only);
/* The sample that a special's details come from. */
typedef struct section_sample {
    const ptl_tally *tally;
    const char *region; /* the region that all overmaps of the sample have */
    double confidence;
} section_sample;

/* Adds rows about one special to the table of a section about single specials. Returns
 * PTL_ERR_NOMEM, or another error with err set. */
ptl_status section_add_detail(report_table *t, section which, const ptl_special_facts *f,
                              const section_sample *of, ptl_error *err);
/* Adds the rows of a section about overmaps. */
void section_add_overmaps(report_table *t, section which, const ptl_tally *of,
                          double confidence);

/* Returns the largest value that was observed, plus 1: the number of values that a table from 0
 * on must list. It is at least 1. */
size_t section_extent(const ptl_hist *h);

/* ---- shared by the files that fill sections ---- */

/* Returns part / whole; an empty cell if the whole is 0. */
report_cell cell_share(uint64_t part, uint64_t whole);
