/* Catalogues out of a file: the content's tables, compiled for use. */
#ifndef STORE_SQLITE_CATALOGUE_CATALOGUE_OPEN_H
#define STORE_SQLITE_CATALOGUE_CATALOGUE_OPEN_H

#include "model/catalogue.h"
#include "portolan/store.h"

/* Loads the file's current content. *out is new. PTL_ERR_CONTENT if there is none. */
ptl_status catalogue_load(catalogue **out, ptl_store *store, ptl_error *err);
/*
 * For reading what was made with content_id: that content, or the current one where the file
 * does not have it any more, or with `current` that one in any case; with all oters that the
 * file's dictionary has beside it.
 */
ptl_status catalogue_open(catalogue **out, ptl_store *store, int64_t content_id, bool current,
                          ptl_error *err);

#endif
