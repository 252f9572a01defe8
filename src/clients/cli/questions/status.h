/* What the files of portolan status share. */
#ifndef CLI_QUESTIONS_STATUS_H
#define CLI_QUESTIONS_STATUS_H

#include "clients/cli/session/session.h"

typedef struct status_section status_section;

typedef struct status_report {
    session *s;
    const char *world; /* of --world; NULL: all worlds */
    uint64_t runs;
    /* The section that is being printed. */
    const status_section *part;
    bool first;        /* nothing was printed before it */
    row_printer *rows; /* owned; NULL until the heading is printed */
    bool refused;      /* a row could not be printed */
    int64_t number;    /* rows printed so far, where they are numbered */
    const char *at;    /* the world whose chunks are listed */
} status_report;

struct status_section {
    const char *key, *title; /* name in JSON; heading of the table */
    const report_column *columns;
    /* Prints the section's rows. After an error r->s->err is set. */
    ptl_status (*print)(status_report *r);
    /* If print is NULL: prints the rows of one world. */
    bool (*on_world)(status_report *r, const ptl_world_info *w);
    /* Shown only with this option, or if --section names it; NULL: always. */
    const char *option;
    bool only_with_rows; /* no table is printed if it would be empty */
};

enum { STATUS_SECTIONS = 14 };
extern const status_section status_sections[STATUS_SECTIONS];

/* Is the world shown? All are, unless --world names one. */
bool status_shows(const status_report *r, const char *world);
/* Prints the section with its heading. Returns EXIT_DONE or EXIT_FAILED. */
int status_print(status_report *r, const status_section *part);

#endif
