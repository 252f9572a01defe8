/*
 * An append-only table of numbered texts (id, name, checksum) and its cache. Numbers run from
 * 1 without gaps, so the cache is read once and then extended by what is new, and the next
 * number is the cache's size, under the write lock.
 */
#ifndef STORE_SQLITE_ROWS_NAME_TABLE_H
#define STORE_SQLITE_ROWS_NAME_TABLE_H

#include "core/arena.h"
#include "core/bytes.h"
#include "store/sqlite/connection/prepared.h"

typedef struct name_table {
    const row_table *table;            /* oter or name */
    stmt_id read, insert, insert_many; /* its statements; many: NAMES_AT_ONCE */
    arena *arena;                      /* the names */
    strmap numbers;                    /* name -> number */
    const char **names;                /* by number; index 0 unused */
    size_t size;                       /* one more than the largest number */
    size_t written;                    /* numbers below it have their rows */
    size_t capacity;
    bytes sum;
} name_table;

/* False when memory is out. Dispose it in either case. */
bool name_table_init(name_table *t, row_table_id table, stmt_id read, stmt_id insert,
                     stmt_id insert_many);
void name_table_dispose(name_table *t);

/* Reads what is new in the file. After an error the cache must not be used any more. */
ptl_status name_table_refresh(name_table *t, ptl_store *store, ptl_error *err);
/* Adds a name that is not there, as the number `size` was: in a write transaction, with the
 * cache refreshed in it. Rows are written by the next name_table_write, many at once. After an
 * error the cache must not be used any more. */
ptl_status name_table_add(name_table *t, const char *name, ptl_error *err);
ptl_status name_table_write(name_table *t, ptl_store *store, ptl_error *err);

#endif
