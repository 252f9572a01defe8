/* The virtual tables building, monster_group, attempt, piece and piece_join: packs as rows,
 * read-only; and the view placement over buildings and specials. */
#ifndef STORE_VTAB_H
#define STORE_VTAB_H

#include "store/pack.h"
#include "store/stmt.h"

/* What a table's module works with; lives as long as the connection. */
typedef struct vtab_source {
    ptl_store *store; /* borrowed */
    pack_kind kind;
} vtab_source;

/* Adds tables and view to the store's connection. */
ptl_status vtab_register(ptl_store *store, vtab_source sources[PACK_KINDS], ptl_error *err);

#endif
