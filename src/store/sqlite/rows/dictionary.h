/*
 * The file's two dictionaries, which only grow. Each gives texts a number, which other rows
 * store in place of the text. Each store has one cache for both. Table oter has the ids of
 * oters; its cache also maps them to oters of the catalogue that was used last. Table name has
 * ids of specials, buildings and monster groups, and other texts.
 */
#pragma once

#include "codec/pack.h"
#include "core/arena.h"
#include "core/bytes.h"
#include "portolan/types.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/stmt.h"

typedef struct ptl_catalogue catalogue;

/* Drops the store's cache of the dictionaries. Called after a rollback and when the store is
 * closed. */
void dictionary_forget(ptl_store *store);

/* Gets the file's numbers of `count` oters of the catalogue. Oters that have no number yet are
 * added to table oter. Inside a write transaction of the caller's. */
ptl_status dictionary_numbers(ptl_store *store, const catalogue *cat, const ptl_oter *oters,
                              size_t count, uint32_t *numbers, ptl_error *err);

/* Gets an array that maps every oter number of the file to an oter of cat, or to CAT_NONE if
 * cat lacks the oter. *map is borrowed until the next call on the store. */
ptl_status dictionary_map(ptl_store *store, const catalogue *cat, const ptl_oter **map,
                          size_t *count, ptl_error *err);

/* Returns PTL_ERR_MISMATCH with a message that the catalogue lacks the oter of this number. */
ptl_status dictionary_unknown(const ptl_store *store, uint32_t number, ptl_error *err);

/* Reads the oters that this or other processes have added to the file since the cache was
 * filled. */
ptl_status dictionary_refresh(ptl_store *store, ptl_error *err);
/* Returns the oter id of a number, borrowed until the cache is dropped; NULL if the cache has
 * no such number. `store` is a ptl_store; it is a void * so that this function can be a
 * callback. */
const char *dictionary_name(const void *store, uint32_t number);
/* Returns the number of an oter id; 0 if the cache does not have the id. */
uint32_t dictionary_number(const ptl_store *store, const char *name);
/* Returns one more than the greatest oter number in the cache. */
size_t dictionary_size(const ptl_store *store);

/* Gets the file's numbers of `count` texts in the table `name`. Texts that have no number yet
 * are added. Inside a write transaction of the caller's. */
ptl_status names_numbers(ptl_store *store, const char *const *names, size_t count,
                         uint32_t *numbers, ptl_error *err);
/* Appends to *out the blob of a pack (all features of one kind of a chunk), in which names are
 * given by the file's numbers. Nothing is appended for a pack without features. */
ptl_status names_put_pack(bytes *out, ptl_store *store, const encoded_pack *pack,
                          ptl_error *err);
/* Reads the rows that were added to the table `name` since the cache was filled. */
ptl_status names_refresh(ptl_store *store, ptl_error *err);
/* Returns the text that the table `name` has for a number, borrowed until the cache is dropped;
 * NULL if the cache has no such number. `store` is a ptl_store; its type is void *, so that
 * this function can serve as pack_reader.name. */
const char *names_text(const void *store, uint32_t number);
size_t names_size(const ptl_store *store);

/*
 * The cache of a dictionary: a table of numbered texts (id, name, checksum) that only grows.
 * Numbers go from 1 up without gaps. So the cache is read once and then extended by new rows,
 * and while the write lock is held the next free number is the cache's size.
 */

typedef struct name_table {
    row_table_id id; /* TABLE_OTER or TABLE_NAME */
    const row_table *table;
    stmt_id read; /* the statement that reads all rows whose numbers are at least a given one */
    arena *arena; /* memory of the names */
    strmap numbers; /* maps a name to its number */
    /* The texts of the dictionary, indexed by their numbers; index 0 is unused. */
    const char **names;
    size_t size;    /* one more than the greatest number in the cache */
    size_t written; /* names with this number or a greater one have no row in the file yet */
    size_t capacity;
    bytes sum;
} name_table;
