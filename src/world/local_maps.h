/* What the files of the public calls of local maps share. */
#ifndef WORLD_LOCAL_MAPS_H
#define WORLD_LOCAL_MAPS_H

#include "portolan/local.h"
#include "store/store.h"

struct ptl_local_map {
    stored_map stored; /* as the store gave it, and changed since */
    int64_t world_id;
};

#endif
