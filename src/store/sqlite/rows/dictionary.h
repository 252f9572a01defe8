/*
 * The file's append-only dictionaries, cached per store: table `oter` (oter ids, in both
 * directions and as oters of the catalogue used last) and table `name` (ids of specials,
 * buildings and monster groups).
 */
#ifndef STORE_SQLITE_ROWS_DICTIONARY_H
#define STORE_SQLITE_ROWS_DICTIONARY_H

#include "codec/pack.h"
#include "core/arena.h"
#include "core/bytes.h"
#include "portolan/types.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/stmt.h"

typedef struct ptl_catalogue catalogue;

/* Drops the caches: after a rollback, and when the store is closed. */
void dictionary_forget(ptl_store *store);

/*
 * The file's numbers of `count` oters of the catalogue; ids that the file doesn't know yet are
 * added. Inside a write transaction of the caller's.
 */
ptl_status dictionary_numbers(ptl_store *store, const catalogue *cat, const ptl_oter *oters,
                              size_t count, uint32_t *numbers, ptl_error *err);

/*
 * File number -> oter of cat (CAT_NONE where it has none), for every number the file holds.
 * *map is borrowed until the next call on the store.
 */
ptl_status dictionary_map(ptl_store *store, const catalogue *cat, const ptl_oter **map,
                          size_t *count, ptl_error *err);

/* Fails with PTL_ERR_MISMATCH: the catalogue has no oter for this number. */
ptl_status dictionary_unknown(const ptl_store *store, uint32_t number, ptl_error *err);

/* Reads what other processes added. */
ptl_status dictionary_refresh(ptl_store *store, ptl_error *err);
/* Returns the id string of a file number; NULL if the cache has none. Borrowed until
 * forgotten. */
const char *dictionary_name(const ptl_store *store, uint32_t number);
/* The same for who has names of any kind: store is a ptl_store. */
const char *dictionary_entry(const void *store, uint32_t number);
/* The number of an id string; 0 if the cache has none. */
uint32_t dictionary_number(const ptl_store *store, const char *name);
/* Returns one more than the largest number in the cache. */
size_t dictionary_size(const ptl_store *store);

/* Do the same for table `name`: give the file's numbers of texts, names_refresh to read what is
 * new. */
ptl_status names_numbers(ptl_store *store, const char *const *names, size_t count,
                         uint32_t *numbers, ptl_error *err);
/* Appends the blob of a pack with the file's numbers of its names; nothing for one without
 * entries. */
ptl_status names_put_pack(bytes *out, ptl_store *store, const encoded_pack *pack,
                          ptl_error *err);
ptl_status names_refresh(ptl_store *store, ptl_error *err);
const char *names_text(const ptl_store *store, uint32_t number);
size_t names_size(const ptl_store *store);

/*
 * An append-only table of numbered texts (id, name, checksum) and its cache. Numbers run from
 * 1 without gaps, so the cache is read once and then extended by what is new, and the next
 * number is the cache's size, under the write lock.
 */

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
