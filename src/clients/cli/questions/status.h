/* The parts of portolan status. */
#ifndef CLI_QUESTIONS_STATUS_H
#define CLI_QUESTIONS_STATUS_H

#include "clients/cli/session/session.h"

typedef struct status_section status_section;

typedef struct status_report {
    session *s;
    const char *world; /* of --world; NULL: all */
    uint64_t runs;
    /* Of the section that is printed: */
    const status_section *part;
    bool first;        /* nothing stands before it */
    row_printer *rows; /* owned; NULL before the first row that makes it needed */
    bool refused;      /* a row could not be printed */
    int64_t number;    /* of rows so far */
    const char *at;    /* the world whose chunks are listed */
} status_report;

struct status_section {
    const char *key, *title; /* in JSON, and above the table */
    const report_column *columns;
    /* Prints its rows; an error is r->s->err. */
    ptl_status (*print)(status_report *r);
    /* Or, where that is NULL, those of one world. */
    bool (*on_world)(status_report *r, const ptl_world_info *w);
    const char *option;  /* shown with this option alone, or by its name; NULL: always */
    bool only_with_rows; /* the table is left out where there are none */
};

enum { STATUS_SECTIONS = 14 };
extern const status_section status_sections[STATUS_SECTIONS];

/* Is the world of this name one that --world leaves? */
bool status_shows(const status_report *r, const char *world);
/* Prints the section, with what announces it. EXIT_DONE or EXIT_FAILED. */
int status_print(status_report *r, const status_section *part);

#endif
