/* What the files of portolan compare share. */
#ifndef CLI_STATISTICS_COMPARE_H
#define CLI_STATISTICS_COMPARE_H

#include "clients/cli/session/session.h"
#include "portolan/stats.h"

/* One of the two samples. */
typedef struct compare_side {
    char letter;      /* 'A' or 'B' */
    char *path;       /* owned */
    const char *name; /* part of the operand; name of the world or sweep; NULL: the only one */
    const char *operand; /* the path: the one operand in `args` */
    args args;           /* the command line with this side's file only, for the session */
    session session;
    ptl_sample *sample;           /* owned */
    const ptl_sample_info *about; /* borrowed from sample */
    ptl_tally *tally;             /* owned */
} compare_side;

/* What is printed. */
typedef struct compare_report {
    const compare_side *a, *b;
    const ptl_comparison *rows;
    ptl_comparison_options options; /* with the defaults filled in */
    bool all;
    rows_style style; /* ROWS_OTHER is junit */
    ptl_comparison_difference differences[PTL_COMPARISON_DIFFERENCES];
    size_t difference_count;
} compare_report;

/* Prints the comparison on standard output, in the format of r->style. */
ptl_status compare_print(const compare_report *r, ptl_error *err);
/* Puts a row into words: "more by 1.52 (1.20..1.93), p 0.003". */
void compare_words(const compare_report *r, const ptl_comparison_row *row, char *out,
                   size_t size);

#endif
