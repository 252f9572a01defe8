/* What the file says of its contents: the contract's operations (store/content_store.h). */
#ifndef STORE_SQLITE_CATALOGUE_CONTENT_ROWS_H
#define STORE_SQLITE_CATALOGUE_CONTENT_ROWS_H

#include "store/content_store.h"
#include "store/store.h"

ptl_status sqlite_content_current(int64_t *id, ptl_store *store, ptl_error *err);
ptl_status sqlite_content_digest(char out[65], ptl_store *store, int64_t content_id,
                                 ptl_error *err);
ptl_status sqlite_content_visit(ptl_store *store, content_visit *visit, void *payload,
                                ptl_error *err);
ptl_status sqlite_pack_visit(ptl_store *store, int64_t content_id, pack_visit *visit,
                             void *payload, ptl_error *err);
ptl_status sqlite_kept_visit(ptl_store *store, const kept_text_query *query,
                             kept_text_visit *visit, void *payload, ptl_error *err);
ptl_status sqlite_definition_visit(ptl_store *store, int64_t content_id,
                                   definition_visit *visit, void *payload, ptl_error *err);

#endif
