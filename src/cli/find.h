/* Matches of `portolan find` on standard output. */
#ifndef CLI_FIND_H
#define CLI_FIND_H

#include "analysis/search.h"
#include "cli/result.h"
#include "cli/table.h"

typedef struct find_printer {
    result_format format;
    bool what; /* matches have it */
    uint64_t rows;
    table *table; /* owned; made with the first match, until find_print_end */
} find_printer;

void find_print_begin(const find_printer *p);
/* False when memory is out or the output is closed. CSV and JSON are written at once. */
bool find_print(find_printer *p, const search_match *m);
void find_print_end(find_printer *p);

#endif
