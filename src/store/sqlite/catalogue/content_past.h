/*
 * Earlier contents (format.md): the definitions that worlds, chunks or sweeps were made with.
 * They are kept in table content_past when another content takes their place in the file.
 * Readers see them through a store in memory, in which such a content is the present one.
 */
#pragma once

#include "store/catalogue/catalogue_rows.h"
#include "store/sqlite/connection/stmt.h"

/*
 * Keeps the present content if a world, chunk or sweep was made with it. Call it in the
 * import's transaction, before that changes anything. A content whose tables are damaged is
 * not kept. PTL_ERR_LIMIT if a table is too large.
 */
ptl_status sqlite_content_keep(ptl_store *store, ptl_error *err);
/*
 * Opens an earlier content as a store; *out is new and must be closed. Only the given tables
 * are loaded; the list ends with NULL, and is NULL for all tables. *out is NULL if the file
 * does not have that earlier content, or if it is damaged, which verify reports.
 */
ptl_status content_past_open(ptl_store **out, ptl_store *store, int64_t content_id,
                             const char *const *tables, ptl_error *err);

/* Returns how many tables of a content are kept, of those in the list; NULL stands for all. */
int content_past_tables(const char *const *tables);

/* Opens a store in memory for a content's rows: *out is new, also after an error. */
ptl_status content_memory_open(ptl_store **out, const ptl_store *like, ptl_error *err);
/*
 * Decodes a row of table content_past, whose checksum the caller has verified. It uses
 * `memory`, a store in memory, and leaves it unchanged. PTL_ERR_CORRUPT if an import would not
 * have written the row.
 */
ptl_status content_past_row_check(const stmt *row, ptl_store *memory, ptl_error *err);

/*
 * Terrains that the present content may lack: finds what earlier contents (content_past.h)
 * said of them, asking the one imported last first. Each content is opened only when it is
 * asked.
 */

typedef struct past_terrains past_terrains;

/* Makes a new searcher in *out. `first` is a content to be asked before all others, even if it
 * is the present one (0: none). `skip` is a content that is not asked. */
ptl_status past_terrains_new(past_terrains **out, ptl_store *store, int64_t first, int64_t skip,
                             ptl_error *err);
void past_terrains_free(past_terrains *p); /* NULL is fine */

/* Finds an oter in the first content that has it; *found is false if none does. Texts in *out
 * last until the next call. */
ptl_status past_terrains_find(past_oter *out, bool *found, past_terrains *p, const char *id,
                              ptl_error *err);
/* Gives the flags of a terrain to `found`. It must be the terrain of the oter that was found
 * last. */
ptl_status past_terrains_flags(past_terrains *p, const char *terrain, past_flag_fn *found,
                               void *payload, ptl_error *err);
/*
 * Lists asked of every content, so that an entry may come twice. PAST_OTERS: the oters of a
 * terrain, all or (variant other than -1) of one variant. PAST_LINES: the terrains that a
 * connection draws.
 */
typedef enum past_list { PAST_OTERS, PAST_LINES } past_list;
typedef ptl_status past_id_fn(void *payload, const char *id, ptl_error *err);
/* Gives each entry of the list for this id to `found`, content by content. */
ptl_status past_terrains_list(past_terrains *p, past_list list, const char *id, int variant,
                              past_id_fn *found, void *payload, ptl_error *err);
