/*
 * The parts of a content by their names: what table of schema/tables.md a part is, and which of
 * its columns a row has, in the order in which content_rows_int and the like number them.
 */
#ifndef STORE_CONTENT_PARTS_H
#define STORE_CONTENT_PARTS_H

#include "store/content_store.h"

typedef struct content_part_form {
    const char *table;
    const char *columns; /* with ", " between them */
    bool again;          /* a row that is there already is no error, and written once */
} content_part_form;

extern const content_part_form content_part_forms[CONTENT_PARTS];

#endif
