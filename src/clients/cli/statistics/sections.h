/*
 * The sections of a statistical report, as tables: all specials, one special in detail, and the
 * terrains, cities, buildings, lines and waters of a tally. Columns and their keys are
 * described in the manual, under `stats`.
 */
#ifndef CLI_STATISTICS_SECTIONS_H
#define CLI_STATISTICS_SECTIONS_H

#include "clients/cli/line/report.h"
#include "portolan/stats.h"

typedef enum section {
    /* Sections of all specials: */
    SECTION_SPECIALS,
    /* Sections of each special that is asked about; the first column names it: */
    SECTION_SPECIAL,
    SECTION_HISTOGRAM,
    SECTION_LEVELS,
    SECTION_ROTATIONS,
    SECTION_AROUND,
    SECTION_DISTANCES,
    SECTION_NEIGHBOURS, /* between those that are asked about */
    SECTION_CLUSTERING,
    SECTION_RATES,
    SECTION_FAILURES,
    /* Sections of the overmaps: */
    SECTION_TERRAINS,
    SECTION_CITIES,
    SECTION_CITIES_PER_OVERMAP,
    SECTION_BUILDINGS,
    SECTION_BUILDING_SIZES,
    SECTION_LINES,
    SECTION_WATER,
    SECTION_COUNT
} section;

const char *section_name(section which);
/* SECTION_COUNT if there is none of this name. */
section section_find(const char *name);
/* Is it a section of one special? */
bool section_is_detail(section which);

void section_init(report_table *t, section which);

void section_add_specials(report_table *t, const ptl_facts *facts, bool lacking_only);
/* What is known of a special's sample. */
typedef struct section_sample {
    const ptl_tally *tally;
    const char *region; /* the only one that it has */
    double confidence;
} section_sample;

/* Adds rows of one special for a section of the details. */
ptl_status section_add_detail(report_table *t, section which, const ptl_special_facts *f,
                              const section_sample *of, ptl_error *err);
/* Adds the rows of every other section. */
void section_add_overmaps(report_table *t, section which, const ptl_tally *of,
                          double confidence);

/* Values of a histogram up to the last that was observed, and 0 in any case. */
size_t section_extent(const ptl_hist *h);

/* ---- for the files that fill sections ---- */

/* Adds a row for a special, of `specials` and `special`. */
void section_add_facts(report_table *t, const ptl_special_facts *f);
/* A quantile, or nothing where there are no observations. */
report_cell cell_quantile(const ptl_hist *h, double share);
/* Nothing where the whole is 0. */
report_cell cell_share(uint64_t part, uint64_t whole);

#endif
