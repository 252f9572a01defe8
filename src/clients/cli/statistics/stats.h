/*
 * What the files of `portolan stats` share: the question, and the ways to print sections.
 */
#ifndef CLI_STATISTICS_STATS_H
#define CLI_STATISTICS_STATS_H

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
    const char *charts; /* directory; NULL: none */
    bool png;           /* else SVG */
    bool log_distances; /* x of charts of distances is logarithmic */
} stats_question;

/* What is known when the tally is ready. All borrowed. */
typedef struct stats_report {
    const stats_question *q;
    session *s;
    const ptl_sample_info *sample;
    const ptl_tally *tally;
    const ptl_facts *facts; /* in the order asked for */
} stats_report;

/* Reads the question. EXIT_DONE, or EXIT_USAGE with a message. specials of *out are the
 * operands. */
int stats_read_question(stats_question *out, session *s);
/* Puts the sections that --help names. */
void stats_more_details(void (*put)(const char *lines));
/* PTL_COUNT_* that the question needs. */
uint32_t stats_parts(const stats_question *q);

/* Everything that was asked for, on standard output. Charts not. */
ptl_status stats_print(const stats_report *r, ptl_error *err);
/* Draws the charts of the sections into the directory. EXIT_DONE, or EXIT_FAILED with a
 * message. */
int stats_draw(const stats_report *r);

#endif
