/* Opening and closing: the contract's operations (store/store.h). */
#ifndef STORE_SQLITE_FILE_OPEN_H
#define STORE_SQLITE_FILE_OPEN_H

#include "store/store.h"

void sqlite_close(ptl_store *store);
const char *sqlite_path(const ptl_store *store);
ptl_status sqlite_scratch_open(ptl_store **out, ptl_store *source, const char *path,
                               ptl_error *err);
ptl_status sqlite_scratch_clear(ptl_store *store, ptl_error *err);

#endif
