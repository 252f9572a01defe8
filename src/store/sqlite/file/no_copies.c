/* Stands in for private_copy.c in the loadable extension, which opens stores in memory but no
 * files. There no store reads a copy in place of its file, so these functions do nothing. */
#include "store/sqlite/file/open.h"

#include "core/error.h"

static ptl_status refuse(ptl_error *err)
{
    return error_set(err, PTL_ERR_ARGUMENT, "the extension opens no files");
}

ptl_status private_copy_migrated(ptl_store *store, ptl_error *err)
{
    (void)store;
    return refuse(err);
}

ptl_status private_copy_settled(ptl_store *store, ptl_error *err)
{
    (void)store;
    return refuse(err);
}

void private_copy_free(struct private_copy *copy)
{
    (void)copy;
}

bool private_copy_has_wal(const ptl_store *store)
{
    (void)store;
    return false;
}
