/* What takes part in a migration besides the store: who looks on, and what they want. */
#ifndef STORE_MIGRATE_H
#define STORE_MIGRATE_H

#include "portolan/migrate.h"
#include "store/store_impl.h"

/* NULL where one is taken: nobody looks on. */
typedef struct migrate_watch {
    bool (*on_progress)(void *payload, const ptl_migrate_progress *now); /* may be NULL */
    void *payload;
    const char *backup; /* where to keep a copy of an older file; NULL: none */
    int version, draft; /* out: as the file was found; draft 0: none */
    bool copied;        /* out: the copy is there */
} migrate_watch;

/* PTL_ERR_CANCELLED if the one who looks on says so. */
ptl_status migrate_tell(migrate_watch *watch, const char *what, uint64_t done, uint64_t total,
                        ptl_error *err);

#endif
