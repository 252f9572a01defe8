/* Running users' SQL: implements the contract's operations (store/store.h).
 * portolan/query.h says what they mean. */
#ifndef STORE_SQLITE_QUERY_QUERY_H
#define STORE_SQLITE_QUERY_QUERY_H

#include "portolan/query.h"

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

#endif
