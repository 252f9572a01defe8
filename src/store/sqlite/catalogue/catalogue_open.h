/* Catalogues out of a file: the content's tables, compiled for use. The contract's operations
 * (store/store.h). */
#ifndef STORE_SQLITE_CATALOGUE_CATALOGUE_OPEN_H
#define STORE_SQLITE_CATALOGUE_CATALOGUE_OPEN_H

#include "model/catalogue.h"
#include "portolan/store.h"

ptl_status sqlite_catalogue_load(catalogue **out, ptl_store *store, ptl_error *err);
ptl_status sqlite_catalogue_load_for(catalogue **out, ptl_store *store, int64_t content_id,
                                     bool current, ptl_error *err);

#endif
