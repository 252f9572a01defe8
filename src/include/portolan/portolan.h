/*
 * Portolan: a persistent world store for Cataclysm-style overmaps. This header includes all
 * other public headers, except stats.h, which belongs to a library of its own.
 *
 * Threads: the library has no globals. A store and all worlds opened from it may be used by
 * one thread at a time. To work in parallel, open the file once in each thread; several
 * threads may read while one thread writes. A ptl_chunk is a plain value that may be handed to
 * any thread. ptl_generate starts threads of its own and ends them before it returns.
 *
 * Errors: calls return a status and write a message into the caller's ptl_error. The library
 * never prints, exits or aborts because of its input.
 */
#ifndef PORTOLAN_PORTOLAN_H
#define PORTOLAN_PORTOLAN_H

#include "portolan/area.h"
#include "portolan/arrow.h"
#include "portolan/atlas.h"
#include "portolan/backup.h"
#include "portolan/catalogue.h"
#include "portolan/coverage.h"
#include "portolan/features.h"
#include "portolan/game_save.h"
#include "portolan/generate.h"
#include "portolan/import.h"
#include "portolan/index.h"
#include "portolan/lists.h"
#include "portolan/local.h"
#include "portolan/local_area.h"
#include "portolan/local_tide.h"
#include "portolan/loot.h"
#include "portolan/mapgen.h"
#include "portolan/migrate.h"
#include "portolan/places.h"
#include "portolan/query.h"
#include "portolan/regenerate.h"
#include "portolan/render.h"
#include "portolan/repair.h"
#include "portolan/sample.h"
#include "portolan/save.h"
#include "portolan/search.h"
#include "portolan/shoals.h"
#include "portolan/sqlite.h"
#include "portolan/status.h"
#include "portolan/store.h"
#include "portolan/style.h"
#include "portolan/sweep.h"
#include "portolan/tide.h"
#include "portolan/tileset.h"
#include "portolan/trial.h"
#include "portolan/types.h"
#include "portolan/why.h"
#include "portolan/world.h"

#endif
