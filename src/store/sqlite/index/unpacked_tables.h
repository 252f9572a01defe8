/* The tables of portolan/index.h: their definitions, and one chunk's rows. */
#ifndef STORE_SQLITE_INDEX_UNPACKED_TABLES_H
#define STORE_SQLITE_INDEX_UNPACKED_TABLES_H

#include "portolan/index.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/rows/chunk_read.h"

/* The parts that are tables, as bits. */
enum { UNPACKED_TABLES = PTL_INDEX_SPECIAL_PLACEMENT - 1 };

/*
 * Which parts there are, as bits; *chunks: unpacked_chunk. PTL_ERR_FORMAT if a table or index
 * has one of the names, and is not what this version makes.
 */
ptl_status unpacked_present(uint32_t *parts, bool *chunks, ptl_store *store, ptl_error *err);
/* Creates what is missing of these tables, without indexes, and unpacked_chunk, with their
 * views; in a transaction. */
ptl_status unpacked_create(ptl_store *store, uint32_t parts, ptl_error *err);
/* Creates what is missing of a part's index. */
ptl_status unpacked_add_index(ptl_store *store, int part, ptl_error *err);
/* Drops the indexes of these tables, so that many rows can be added faster; in a transaction.
 */
ptl_status unpacked_drop_indexes(ptl_store *store, uint32_t parts, ptl_error *err);
/* Drops tables and indexes of these names, whatever they are, and their views; in a
 * transaction. */
ptl_status unpacked_remove(ptl_store *store, uint32_t parts, bool chunks, ptl_error *err);

/* Writing rows: statements and scratch memory. */
typedef struct unpacked_writer unpacked_writer;

unpacked_writer *unpacked_writer_new(ptl_store *store); /* NULL when memory is out */
void unpacked_writer_free(unpacked_writer *w);          /* NULL is fine */
/* Writes a chunk's rows in these tables, without the earlier ones. *rows is added to. */
ptl_status unpacked_write(unpacked_writer *w, uint32_t parts, const chunk_info *info,
                          const stmt *chunk_row, uint64_t *rows, ptl_error *err);
/* Which of these tables, as bits, have not the rows of the chunk that unpacked_write gives. */
ptl_status unpacked_compare(uint32_t *wrong, unpacked_writer *w, uint32_t parts,
                            const chunk_info *info, const stmt *chunk_row, ptl_error *err);
ptl_status unpacked_erase(unpacked_writer *w, uint32_t parts, int64_t chunk_id, ptl_error *err);

#endif
