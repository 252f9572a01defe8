/* What the files of `portolan compare` share. */
#ifndef CLI_STATISTICS_COMPARE_H
#define CLI_STATISTICS_COMPARE_H

#include "cli/line/rows.h"
#include "cli/session/session.h"
#include "stats/comparison/comparison.h"

/* One of the two samples. */
typedef struct compare_side {
    char letter;         /* 'A' or 'B' */
    char *path;          /* owned */
    const char *name;    /* of the world or sweep; NULL: the only one; in the operand */
    const char *operand; /* path, as the one operand of args */
    args args;           /* the command line with this operand alone: for the session */
    session session;
    sample sample;
    tally tally;
    sample_special *specials; /* owned; the content's, sorted by id */
    size_t special_count;
    char content[65]; /* digest of the content that the sample was made with */
} compare_side;

/* All that is printed. */
typedef struct compare_report {
    const compare_side *a, *b;
    const comparison *rows;
    comparison_options options; /* with defaults filled in */
    bool all;
    rows_style style; /* ROWS_OTHER: junit */
    comparison_difference differences[COMPARISON_DIFFERENCES];
    size_t difference_count;
} compare_report;

/* On standard output. */
ptl_status compare_print(const compare_report *r, ptl_error *err);
void compare_print_junit(const compare_report *r);
/* "more by 1.52 (1.20..1.93), p 0.003": a row in words. */
void compare_words(const compare_report *r, const comparison_row *row, char *out, size_t size);

#endif
