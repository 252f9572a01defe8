/* The tables that vtab_local.c serves, by their `which`. */
#ifndef STORE_SQLITE_QUERY_VTAB_LOCAL_H
#define STORE_SQLITE_QUERY_VTAB_LOCAL_H

#include "store/sqlite/query/vtab.h"

enum {
    VTAB_LOCAL_MAP,
    VTAB_LOCAL_TILE,
    VTAB_LOCAL_ITEM,
    VTAB_LOCAL_MONSTER,
    VTAB_LOCAL_VEHICLE,
    VTAB_LOCAL_NPC,
    VTAB_LOCAL_FIELD,
    VTAB_LOCAL_TEXT,
    VTAB_LOCAL_COMPUTER,
    VTAB_LOCAL_ZONE,
    VTAB_LOCAL_FORMS
};

extern const sqlite3_module vtab_local_module;

#endif
