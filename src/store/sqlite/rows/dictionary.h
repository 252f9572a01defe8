/*
 * The file's two append-only dictionaries, with one cache for each store. Table `oter` numbers
 * oter ids; the cache maps them in both directions, and to oters of the catalogue that was
 * used last. Table `name` numbers the ids of specials, buildings and monster groups.
 */
#pragma once

#include "codec/pack.h"
#include "core/arena.h"
#include "core/bytes.h"
#include "portolan/types.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/stmt.h"

typedef struct ptl_catalogue catalogue;

/* Drops the caches; called after a rollback and when the store is closed. */
void dictionary_forget(ptl_store *store);

/* Gets the file's numbers of `count` oters of the catalogue. Ids that the file does not have
 * yet are added. Inside a write transaction of the caller's. */
ptl_status dictionary_numbers(ptl_store *store, const catalogue *cat, const ptl_oter *oters,
                              size_t count, uint32_t *numbers, ptl_error *err);

/* Gets an array that maps every number of the file to an oter of cat, CAT_NONE where cat has
 * none. *map is borrowed until the next call on the store. */
ptl_status dictionary_map(ptl_store *store, const catalogue *cat, const ptl_oter **map,
                          size_t *count, ptl_error *err);

/* Returns PTL_ERR_MISMATCH with a message that the catalogue has no oter for this number. */
ptl_status dictionary_unknown(const ptl_store *store, uint32_t number, ptl_error *err);

/* Reads what was added to the file since the cache was filled, by this or other processes. */
ptl_status dictionary_refresh(ptl_store *store, ptl_error *err);
/* Returns the oter id with a file number, borrowed until the cache is dropped; NULL if the
 * cache has no such number. store is a ptl_store: this serves as a callback, too. */
const char *dictionary_name(const void *store, uint32_t number);
/* Returns the number of an oter id; 0 if the cache has none. */
uint32_t dictionary_number(const ptl_store *store, const char *name);
/* Returns one more than the largest oter number in the cache. */
size_t dictionary_size(const ptl_store *store);

/* The same for table `name`: gets the file's numbers of texts, adding new ones. names_refresh
 * reads what others have added. */
ptl_status names_numbers(ptl_store *store, const char *const *names, size_t count,
                         uint32_t *numbers, ptl_error *err);
/* Appends a pack's blob to *out, with the file's numbers in place of the pack's own for names.
 * Nothing is appended for a pack without entries. */
ptl_status names_put_pack(bytes *out, ptl_store *store, const encoded_pack *pack,
                          ptl_error *err);
/* Reads what was added to table `name` since the cache was filled. */
ptl_status names_refresh(ptl_store *store, ptl_error *err);
/* Returns the text of a number, borrowed from the cache; NULL if the cache has no such number.
 * store is a ptl_store: this is the function of a pack_reader, too. */
const char *names_text(const void *store, uint32_t number);
size_t names_size(const ptl_store *store);

/*
 * A table of numbered texts (id, name, checksum) that only grows, and its cache. Numbers run
 * from 1 without gaps. So the cache is read once and then extended by new rows, and while the
 * write lock is held the next free number is the cache's size.
 */

typedef struct name_table {
    row_table_id id; /* TABLE_OTER or TABLE_NAME */
    const row_table *table;
    stmt_id read;       /* the statement that reads rows from a number on */
    arena *arena;       /* holds the names */
    strmap numbers;     /* name -> number */
    const char **names; /* indexed by number; index 0 is unused */
    size_t size;        /* one more than the largest number */
    size_t written;     /* names with smaller numbers have their rows */
    size_t capacity;
    bytes sum;
} name_table;
