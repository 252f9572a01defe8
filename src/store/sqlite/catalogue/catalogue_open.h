/* Makes catalogues from the content's tables in a file. These are operations of the contract
 * (store/store.h). */
#pragma once

#include "model/catalogue.h"
#include "portolan/store.h"
#include "store/content_store.h"
#include "store/store.h"

extern const content_operations sqlite_contents;

ptl_status sqlite_catalogue_load(catalogue **out, ptl_store *store, ptl_error *err);
ptl_status sqlite_content_current(int64_t *id, ptl_store *store, ptl_error *err);
ptl_status sqlite_content_digest(char out[65], ptl_store *store, int64_t content_id,
                                 ptl_error *err);
ptl_status sqlite_content_visit(ptl_store *store, content_visit *visit, void *payload,
                                ptl_error *err);
