/*
 * Terrains that the present content may lack: what earlier contents (content_past.h) said of
 * them, the last imported first. Each content is opened when it is asked.
 */
#ifndef STORE_SQLITE_CONTENT_PAST_TERRAINS_H
#define STORE_SQLITE_CONTENT_PAST_TERRAINS_H

#include "store/catalogue/catalogue_rows.h"
#include "store/sqlite/connection/stmt.h"

typedef struct past_terrains past_terrains;

/* *out is new. first is a content that is asked before all others (0: none), also if it is the
 * present one; skip one that is not asked. */
ptl_status past_terrains_new(past_terrains **out, ptl_store *store, int64_t first, int64_t skip,
                             ptl_error *err);
void past_terrains_free(past_terrains *p); /* NULL is fine */

ptl_status past_terrains_find(past_oter *out, bool *found, past_terrains *p, const char *id,
                              ptl_error *err);
/* Flags of the terrain of the oter that was found last. */
ptl_status past_terrains_flags(past_terrains *p, const char *terrain, past_flag_fn *found,
                               void *payload, ptl_error *err);
/* In each of the contents, so that some may come twice: the oters of a terrain (of one variant;
 * -1: all), or the terrains that a connection draws. */
typedef enum past_list { PAST_OTERS, PAST_LINES } past_list;
typedef ptl_status past_id_fn(void *payload, const char *id, ptl_error *err);
ptl_status past_terrains_list(past_terrains *p, past_list list, const char *id, int variant,
                              past_id_fn *found, void *payload, ptl_error *err);

#endif
