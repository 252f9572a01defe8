/*
 * Portolan: a persistent world store for Cataclysm-style overmaps. Includes everything.
 *
 * Threads, in one place: there are no globals. A store, and every world opened from it, belong
 * to one thread at a time; open the file once per thread to work in parallel (several may read
 * while one writes). A ptl_chunk is a plain value: hand it to any thread. ptl_generate starts
 * its own threads and has ended them when it returns. Errors are statuses with a message in
 * the caller's ptl_error; the library never prints, exits or aborts on input.
 */
#ifndef PORTOLAN_PORTOLAN_H
#define PORTOLAN_PORTOLAN_H

#include "portolan/area.h"
#include "portolan/atlas.h"
#include "portolan/backup.h"
#include "portolan/catalogue.h"
#include "portolan/features.h"
#include "portolan/generate.h"
#include "portolan/import.h"
#include "portolan/index.h"
#include "portolan/lists.h"
#include "portolan/local.h"
#include "portolan/local_area.h"
#include "portolan/local_tide.h"
#include "portolan/migrate.h"
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
#include "portolan/sweep.h"
#include "portolan/tide.h"
#include "portolan/trial.h"
#include "portolan/types.h"
#include "portolan/why.h"
#include "portolan/world.h"

#endif
