/*
 * How packs look in SQL: the columns of the virtual tables (vtab_pack.c) and of the plain
 * tables that `portolan index` fills (unpacked.c), and how each follows from a column of the
 * pack. In SQL x and y are absolute OMTs.
 */
#ifndef STORE_SQLITE_QUERY_PACK_FORMS_H
#define STORE_SQLITE_QUERY_PACK_FORMS_H

#include "codec/pack.h"

typedef enum cell_kind {
    CELL_NAME,    /* text of the pack's name; NULL for -1 */
    CELL_NUMBER,  /* as it is */
    CELL_OR_NULL, /* NULL for -1 */
    CELL_FLAG,    /* 1 if any bit of `value` is set, else 0 */
    CELL_X,       /* absolute; `value`: how many of the column's units make one OMT */
    CELL_Y,
    CELL_SUBMAP, /* the half of the OMT, 0 or 1 */
    CELL_WATER   /* 'lake' or 'river' */
} cell_kind;

typedef struct pack_cell {
    cell_kind kind;
    const char *name; /* of the column in SQL; NULL ends the list */
    int column;       /* of the pack */
    int32_t value;
} pack_cell;

enum { PACK_CELLS_MAX = 12 };

typedef struct pack_form {
    const char *table; /* of the virtual table; NULL: has none */
    pack_cell cells[PACK_CELLS_MAX];
} pack_form;

const pack_form *pack_form_of(pack_kind kind);
size_t pack_form_cells(const pack_form *form); /* how many it has */
bool pack_cell_is_text(const pack_cell *cell);

/* Of an entry whose chunk is `pos`: false for NULL. Not for texts. */
bool pack_cell_value(int64_t *out, const pack_cell *cell, const pack_table *t, size_t entry,
                     ptl_chunk_pos pos);

#endif
