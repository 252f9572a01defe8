/* Makes catalogues from the content's tables in a file. These functions implement the
 * contract's operations (store/store.h). */
#ifndef STORE_SQLITE_CATALOGUE_CATALOGUE_OPEN_H
#define STORE_SQLITE_CATALOGUE_CATALOGUE_OPEN_H

#include "model/catalogue.h"
#include "portolan/store.h"
#include "store/content_store.h"
#include "store/store.h"

ptl_status sqlite_catalogue_load(catalogue **out, ptl_store *store, ptl_error *err);
ptl_status sqlite_catalogue_load_for(catalogue **out, ptl_store *store, int64_t content_id,
                                     bool current, ptl_error *err);
ptl_status sqlite_content_row_visit(ptl_store *store, int64_t content_id,
                                    const content_query *query, content_row_visit *visit,
                                    void *payload, ptl_error *err);

/* What the file says of its contents; implements operations of the contract
 * (store/content_store.h). */

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
