/* What the files of portolan stats share: the question, and the ways to print the sections. */
#pragma once

#include "clients/cli/session/session.h"
#include "clients/cli/statistics/sections.h"
#include "core/bytes.h"

typedef struct stats_question {
    const char *const *specials; /* borrowed */
    size_t special_count;
    bool sections[SECTION_COUNT];
    bool lacking_only;
    ptl_facts_order order;
    double level;
    const char *charts; /* directory for charts; NULL: none */
    bool png;           /* PNG instead of SVG */
    bool log_distances; /* x is logarithmic in charts of distances */
} stats_question;

/* What sections and charts are made from, after the sample was counted. All pointers are
 * borrowed. */
typedef struct stats_report {
    const stats_question *q;
    session *s;
    const ptl_sample_info *sample;
    const ptl_tally *tally;
    /* Facts about specials, in the order in which the question names them. */
    const ptl_facts *facts;
} stats_report;

/* Draws the charts of the sections into the directory. Returns EXIT_DONE, or EXIT_FAILED
 * after a message. */
int stats_draw(const stats_report *r);
