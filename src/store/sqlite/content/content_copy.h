/* A file's content in another file: for scratch files, which are thrown away. */
#ifndef STORE_SQLITE_CONTENT_COPY_H
#define STORE_SQLITE_CONTENT_COPY_H

#include "store/sqlite/connection/stmt.h"

/* Copies all tables of content and definitions of one store into another that has none yet,
 * under the same numbers. */
ptl_status content_copy(ptl_store *to, ptl_store *from, ptl_error *err);

/* For a file that nobody will miss: no journal on disk, nothing is synced, and references are
 * not looked up. */
ptl_status content_copy_careless(ptl_store *to, ptl_error *err);

#endif
