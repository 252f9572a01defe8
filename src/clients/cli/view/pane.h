/* A text over the map, wrapped to its width, which can be longer than the terminal is high. */
#ifndef CLI_VIEW_PANE_H
#define CLI_VIEW_PANE_H

#include "clients/cli/view/screen.h"
#include "core/bytes.h"

typedef enum pane_kind {
    PANE_NONE, /* the map alone */
    PANE_HELP,
    PANE_DETAILS, /* of the tile under the cursor */
    PANE_LOCAL,   /* its local map */
    PANE_HITS     /* of the last search */
} pane_kind;

typedef struct pane {
    pane_kind kind;
    bytes text;           /* lines, safe to print */
    int32_t first;        /* line that is shown */
    int32_t lines, shown; /* that it came to when it was drawn last; that were shown of them */
} pane;

void pane_init(pane *p);
void pane_dispose(pane *p);
/* Begins an empty one of that kind. */
void pane_open(pane *p, pane_kind kind);
void pane_close(pane *p);
/* Shows it from another line on, as far as there are lines. */
void pane_scroll(pane *p, int32_t lines);
/* How many columns it takes of so many: 0 where there is none. */
int32_t pane_columns(const pane *p, int32_t columns);
/* Draws it into the `columns` at the right, lines 0 .. lines - 1. */
void pane_draw(pane *p, screen *s, int32_t left, int32_t columns, int32_t lines);

#endif
