/* Public calls that only a backend with a file and SQL has (store/operations.h): what they mean
 * stands in portolan/query.h, index.h, store.h and backup.h. */
#ifndef STORE_SQLITE_CONNECTION_PUBLIC_H
#define STORE_SQLITE_CONNECTION_PUBLIC_H

#include "portolan/backup.h"
#include "portolan/index.h"
#include "portolan/query.h"
#include "portolan/store.h"

ptl_status sqlite_query(ptl_store *store, const char *sql, const ptl_query_options *options,
                        ptl_error *err);
ptl_status sqlite_query_columns(ptl_store *store, const char *sql,
                                void (*on_name)(void *payload, const char *name), void *payload,
                                ptl_error *err);
ptl_status sqlite_query_tables(ptl_store *store,
                               void (*on_table)(void *payload, const char *name, bool is_view),
                               void *payload, ptl_error *err);
ptl_status sqlite_query_table_columns(ptl_store *store, const char *table,
                                      void (*on_column)(void *payload, const char *name,
                                                        const char *type),
                                      void *payload, ptl_error *err);
/* options and report: whole structs of this library's; parts: 1..PTL_INDEX_ALL when dropping.
 */
ptl_status sqlite_index_update(ptl_store *store, const ptl_index_options *options,
                               ptl_index_report *report, ptl_error *err);
ptl_status sqlite_index_drop(ptl_store *store, uint32_t parts, int *found, ptl_error *err);
ptl_status sqlite_index_look(ptl_store *store, int64_t world_id, ptl_index_state *out,
                             ptl_error *err);
ptl_status sqlite_verify(ptl_store *store,
                         void (*on_problem)(void *payload, const ptl_problem *problem),
                         void *payload, ptl_verify_counts *counts, ptl_error *err);
ptl_status sqlite_backup(ptl_store *store, const char *path, const ptl_backup_options *options,
                         ptl_backup_report *report, ptl_error *err);
ptl_status sqlite_journal(ptl_store *store, ptl_journal_info *out, ptl_error *err);
const ptl_store_copy *sqlite_is_copy(const ptl_store *store);

#endif
