/* Catalogues out of a file: the content's tables, compiled for use. The contract's operations
 * (store/store.h). */
#ifndef STORE_SQLITE_CATALOGUE_CATALOGUE_OPEN_H
#define STORE_SQLITE_CATALOGUE_CATALOGUE_OPEN_H

#include "model/catalogue.h"
#include "portolan/store.h"
#include "store/content_store.h"

ptl_status sqlite_catalogue_load(catalogue **out, ptl_store *store, ptl_error *err);
ptl_status sqlite_catalogue_load_for(catalogue **out, ptl_store *store, int64_t content_id,
                                     bool current, ptl_error *err);
ptl_status sqlite_content_row_visit(ptl_store *store, int64_t content_id,
                                    const content_query *query, content_row_visit *visit,
                                    void *payload, ptl_error *err);

#endif
