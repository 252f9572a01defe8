/*
 * Drafts: schema version 4 had two other forms before it was fixed, and their files say
 * user_version 4 like all later ones. Draft 1 has land alone; draft 2 added cities, radios,
 * packs and imported chunks. What is here knows their tables and their blobs (level blobs and
 * packs of version 1) and nothing newer does. Only migrate.c asks for it.
 */
#ifndef STORE_SQLITE_SCHEMA_DRAFT_H
#define STORE_SQLITE_SCHEMA_DRAFT_H

#include "codec/pack.h"
#include "core/bytes.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/schema/migrate.h"

typedef enum draft_kind { DRAFT_NONE, DRAFT_1, DRAFT_2 } draft_kind;

/* Which one a file of version 4 is. PTL_ERR_FORMAT if its tables are of no such version. */
ptl_status draft_find(draft_kind *out, ptl_store *store, ptl_error *err);

/*
 * Makes it a file of version 4. Inside the caller's write transaction, with foreign_keys off.
 * Every old row's checksum is verified first, every chunk's tile digest afterwards:
 * PTL_ERR_CORRUPT names what differs. What the draft did not record is empty.
 */
ptl_status draft_convert(ptl_store *store, draft_kind kind, migrate_watch *watch,
                         ptl_error *err);

/* ---- its parts ---- */

/* Renames the tables that differ to draft_..., and makes those of version 4. */
ptl_status draft_schema_begin(ptl_store *store, draft_kind kind, ptl_error *err);
/* Drops the renamed tables; checks that every foreign key has its row. */
ptl_status draft_schema_end(ptl_store *store, draft_kind kind, ptl_error *err);

/* Verifies the rows of all tables but those that belong to one chunk; copies worlds and edges.
 */
ptl_status draft_rows_convert(ptl_store *store, row_scratch *scratch, draft_kind kind,
                              ptl_error *err);
/* Chunks, with their levels and features. */
ptl_status draft_chunks_convert(ptl_store *store, row_scratch *scratch, draft_kind kind,
                                migrate_watch *watch, ptl_error *err);

typedef struct draft_features draft_features;
draft_features *draft_features_new(void); /* new; NULL when memory is out */
void draft_features_free(draft_features *f);
/* The features of a chunk of draft 2 into the tables of version 4; checksum is the one that the
 * chunk's old row has for them. *out: the new one. */
ptl_status draft_features_convert(int64_t *out, draft_features *f, ptl_store *store,
                                  row_scratch *scratch, int64_t chunk_id, int64_t checksum,
                                  ptl_error *err);

/* Appends the level blob of version 2 that says the same as one of version 1. limit: one more
 * than the dictionary's largest number. */
ptl_status draft_level_blob(bytes *out, const void *blob, size_t size, size_t limit,
                            ptl_error *err);
/* Reads a pack of version 1, as pack_parse reads one of today. scratch is used. */
ptl_status draft_pack_parse(pack_table *out, codec *c, bytes *scratch, pack_kind kind,
                            const void *blob, size_t size, size_t limit, ptl_error *err);

#endif
