/*
 * Earlier contents (format.md): definitions with which worlds, chunks or sweeps were made. When
 * an import puts another content in their place, they are kept in table content_past. To read
 * an earlier content, its rows are copied into a store in memory, where it is the present
 * content.
 */
#pragma once

#include "store/catalogue/catalogue_rows.h"
#include "store/sqlite/connection/stmt.h"

/*
 * Keeps the present content if a world, chunk or sweep was made with it. Call it in the
 * import's transaction, before the import changes anything. A content whose tables are damaged
 * is not kept. PTL_ERR_LIMIT if a table is too large.
 */
ptl_status sqlite_content_keep(ptl_store *store, ptl_error *err);
/*
 * Opens an earlier content as a store; *out is new and must be closed. Only the tables that
 * `tables` names are loaded; the list ends with NULL. If `tables` itself is NULL, all tables
 * are loaded. *out becomes NULL if the file does not have that earlier content, or if it is
 * damaged, which verify reports.
 */
ptl_status content_past_open(ptl_store **out, ptl_store *store, int64_t content_id,
                             const char *const *tables, ptl_error *err);

/* Returns how many of the listed tables are kept for earlier contents. The list of names ends
 * with NULL; a list that is NULL means all tables. */
int content_past_tables(const char *const *tables);
/* Returns true if the list has the name. The list ends with NULL; a list that is NULL has all
 * names. */
bool content_past_lists(const char *name, const char *const *list);

/* Opens a store in memory that can hold a content's rows, with the same operations as the store
 * `like`. The caller closes *out, also after an error, when it may be NULL. */
ptl_status content_memory_open(ptl_store **out, const ptl_store *like, ptl_error *err);
/*
 * Checks a row of table content_past by decoding it; the caller has verified the row's
 * checksum. `memory` is a store in memory, which stays unchanged. PTL_ERR_CORRUPT if no import
 * would have written the row.
 */
ptl_status content_past_row_check(const stmt *row, ptl_store *memory, ptl_error *err);

/*
 * Finds the descriptions that earlier contents have of terrains and oters which the present
 * content may lack. The content that was imported last is asked first. Each content is opened
 * only when it is asked.
 */

typedef struct past_terrains past_terrains;

/* Makes a new searcher in *out. The content with the id `first` is searched before all others,
 * even if it is the present one; 0 means that no content comes first. The content with the id
 * `skip` is not searched. */
ptl_status past_terrains_new(past_terrains **out, ptl_store *store, int64_t first, int64_t skip,
                             ptl_error *err);
void past_terrains_free(past_terrains *p); /* p may be NULL */

/* Finds an oter in the first content that has it; *found is false if no content has it. Texts
 * in *out last until the next call. */
ptl_status past_terrains_find(past_oter *out, bool *found, past_terrains *p, const char *id,
                              ptl_error *err);
/* Calls `found` for each flag of a terrain, which must be the terrain of the oter found
 * last. */
ptl_status past_terrains_flags(past_terrains *p, const char *terrain, past_flag_fn *found,
                               void *payload, ptl_error *err);
/* What past_terrains_list can list. All contents that the file keeps are asked, so an id may
 * come several times. PAST_OTERS: the oters of a terrain, either all (variant -1) or those with
 * the given variant, the number of a rotation or line shape. PAST_LINES: the terrains of which
 * a connection consists. */
typedef enum past_list { PAST_OTERS, PAST_LINES } past_list;
typedef ptl_status past_id_fn(void *payload, const char *id, ptl_error *err);
/* Calls `found` for each oter of the terrain `id` (PAST_OTERS), or for each terrain of the
 * connection `id` (PAST_LINES). The earlier contents are asked one after the other, so the same
 * oter or terrain may come more than once. */
ptl_status past_terrains_list(past_terrains *p, past_list list, const char *id, int variant,
                              past_id_fn *found, void *payload, ptl_error *err);
