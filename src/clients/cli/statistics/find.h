/* Matches of `portolan find` on standard output. */
#ifndef CLI_STATISTICS_FIND_H
#define CLI_STATISTICS_FIND_H

#include "clients/cli/line/rows.h"
#include "portolan/search.h"

typedef struct find_printer {
    rows_style style;
    bool what;         /* matches have it */
    row_printer *rows; /* owned; from find_print_begin to find_print_end */
} find_printer;

/* False when memory is out. */
bool find_print_begin(find_printer *p);
/* False when memory is out or the output is closed. All but tables are written at once. */
bool find_print(find_printer *p, const ptl_search_match *m);
void find_print_end(find_printer *p);

#endif
