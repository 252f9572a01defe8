/*
 * For backends: the table of functions that the calls of store.h go through, and the head that
 * every store begins with. What each operation means is said in store.h, at the function that
 * calls it.
 */
#ifndef STORE_OPERATIONS_H
#define STORE_OPERATIONS_H

#include "portolan/backup.h"
#include "portolan/index.h"
#include "portolan/query.h"
#include "store/content_store.h"
#include "store/store.h"

typedef struct transaction_operations {
    ptl_status (*begin)(ptl_store *store, ptl_error *err);
    ptl_status (*commit)(ptl_store *store, ptl_error *err);
    void (*rollback)(ptl_store *store);
    ptl_status (*begin_read)(ptl_store *store, ptl_error *err);
    ptl_status (*begin_snapshot)(ptl_store *store, bool *own, ptl_error *err);
    ptl_status (*begin_lookups)(ptl_store *store, bool *own, ptl_error *err);
    void (*end_snapshot)(ptl_store *store, bool own);
    ptl_status (*retry)(ptl_store *store, const patient_work *work, ptl_error *err);
    stop_hook (*stop_hook)(const ptl_store *store);
    bool (*stopped)(const ptl_store *store);
    void (*deafen)(ptl_store *store, bool on);
} transaction_operations;

typedef struct content_operations {
    ptl_status (*load)(catalogue **out, ptl_store *store, ptl_error *err);
    ptl_status (*load_for)(catalogue **out, ptl_store *store, int64_t content_id, bool current,
                           ptl_error *err);
    ptl_status (*check_loaded)(ptl_store *store, ptl_error *err);
    ptl_status (*current)(int64_t *id, ptl_store *store, ptl_error *err);
    ptl_status (*digest)(char out[65], ptl_store *store, int64_t content_id, ptl_error *err);
    ptl_status (*pack_visit)(ptl_store *store, int64_t content_id, pack_visit *visit,
                             void *payload, ptl_error *err);
    ptl_status (*kept_visit)(ptl_store *store, const kept_text_query *query,
                             kept_text_visit *visit, void *payload, ptl_error *err);
    ptl_status (*definition_visit)(ptl_store *store, int64_t content_id,
                                   definition_visit *visit, void *payload, ptl_error *err);
    ptl_status (*visit)(ptl_store *store, content_visit *visit, void *payload, ptl_error *err);
    ptl_status (*row_visit)(ptl_store *store, int64_t content_id, const content_query *query,
                            content_row_visit *visit, void *payload, ptl_error *err);
} content_operations;

typedef struct world_operations {
    ptl_status (*find)(world_row *out, ptl_store *store, const char *name, ptl_error *err);
    ptl_status (*insert)(int64_t *id, ptl_store *store, const world_row *row, ptl_error *err);
    ptl_status (*renew)(ptl_store *store, const world_row *row, ptl_error *err);
    ptl_status (*count)(uint64_t *out, ptl_store *store, ptl_error *err);
    ptl_status (*visit)(ptl_store *store, world_visit *visit, void *payload, ptl_error *err);
    ptl_status (*digest)(ptl_world_digest_result *out, ptl_store *store, int64_t world_id,
                         ptl_error *err);
} world_operations;

typedef struct chunk_operations {
    ptl_status (*find)(chunk_info *out, bool *found, ptl_store *store, int64_t world_id,
                       ptl_chunk_pos pos, ptl_error *err);
    ptl_status (*write)(ptl_store *store, int64_t world_id, int64_t run_id,
                        const chunk_write *w, const catalogue *cat, bool *written,
                        ptl_error *err);
    ptl_status (*read)(ptl_chunk **out, ptl_store *store, int64_t world_id, ptl_chunk_pos pos,
                       const catalogue *cat, chunk_info *info, ptl_error *err);
    ptl_status (*features_read)(gen_features *out, bool *found, ptl_store *store,
                                int64_t world_id, ptl_chunk_pos pos, const catalogue *cat,
                                ptl_error *err);
    ptl_status (*features_read_all)(gen_features *out, bool *found, ptl_store *store,
                                    int64_t world_id, ptl_chunk_pos pos, const catalogue *cat,
                                    ptl_error *err);
    ptl_status (*delete)(bool *found, ptl_store *store, int64_t world_id, ptl_chunk_pos pos,
                         ptl_error *err);
    ptl_status (*level_read)(ptl_oter cells[PTL_LEVEL_CELLS], bool *found, ptl_store *store,
                             int64_t world_id, ptl_chunk_pos pos, int32_t z,
                             const catalogue *cat, ptl_error *err);
    ptl_status (*list)(ptl_chunk_pos **out, size_t *count, ptl_store *store, int64_t world_id,
                       const chunk_filter *which, ptl_error *err);
    ptl_status (*count)(uint64_t *out, ptl_store *store, int64_t world_id,
                        const chunk_filter *which, ptl_error *err);
    ptl_status (*next)(ptl_chunk_pos *pos, bool *found, ptl_store *store, int64_t world_id,
                       const chunk_filter *which, ptl_error *err);
    ptl_status (*visit_next)(ptl_chunk_pos *pos, ptl_store *store, int64_t world_id,
                             stored_chunk_visit *visit, void *payload, ptl_error *err);
    ptl_status (*stored_features_read)(feature_set *out, const stored_chunk *chunk,
                                       ptl_error *err);
    ptl_status (*stored_event_visit)(const stored_chunk *chunk, event_visit *visit,
                                     void *payload, ptl_error *err);
    ptl_status (*stored_levels_read)(ptl_chunk *out, const stored_chunk *chunk, uint32_t levels,
                                     const catalogue *cat, ptl_error *err);
    ptl_status (*total)(chunk_totals *out, ptl_store *store, int64_t world_id,
                        int64_t content_id, int32_t generator_version, ptl_error *err);
    ptl_status (*city_visit)(ptl_store *store, int64_t world_id, ptl_chunk_pos first,
                             ptl_chunk_pos last, city_visit *visit, void *payload,
                             ptl_error *err);
    ptl_status (*place_visit)(ptl_store *store, int64_t world_id, const char *special,
                              place_visit *visit, void *payload, ptl_error *err);
    ptl_status (*overview_visit)(ptl_store *store, int64_t world_id, const catalogue *cat,
                                 overview_visit *visit, void *payload, ptl_error *err);
    ptl_status (*edge_find)(edge *out, bool *found, ptl_store *store, int64_t world_id,
                            int32_t x, int32_t y, edge_side side, const catalogue *cat,
                            ptl_error *err);
    ptl_status (*edge_count)(uint64_t *out, ptl_store *store, int64_t world_id, ptl_error *err);
} chunk_operations;

typedef struct run_operations {
    ptl_status (*begin)(int64_t *run_id, ptl_store *store, int64_t world_id,
                        const char *command, ptl_error *err);
    ptl_status (*count)(uint64_t *chunks, ptl_store *store, int64_t run_id, ptl_error *err);
    ptl_status (*end)(ptl_store *store, int64_t run_id, uint64_t chunks, double seconds,
                      const char *outcome, ptl_error *err);
    ptl_status (*visit)(ptl_store *store, int64_t world_id, uint64_t most, run_visit *visit,
                        void *payload, ptl_error *err);
} run_operations;

typedef struct map_operations {
    ptl_status (*read)(stored_map *out, bool *found, ptl_store *store, int64_t world_id,
                       ptl_omt at, ptl_error *err);
    ptl_status (*revision)(int64_t *out, ptl_store *store, int64_t world_id, ptl_omt at,
                           ptl_error *err);
    ptl_status (*put)(ptl_store *store, int64_t world_id, const map_write *maps, size_t count,
                      ptl_error *err);
    ptl_status (*visit)(ptl_store *store, int64_t world_id, const map_area *which,
                        map_visit *visit, void *payload, ptl_error *err);
    ptl_status (*drop)(uint64_t *dropped, ptl_store *store, int64_t world_id,
                       const map_area *which, ptl_error *err);
    ptl_status (*spill_read)(bytes *out, bool *found, ptl_store *store, int64_t world_id,
                             ptl_omt at, ptl_error *err);
    ptl_status (*spill_put)(ptl_store *store, int64_t world_id, ptl_omt at, const bytes *spills,
                            ptl_error *err);
    ptl_status (*spill_drop)(ptl_store *store, int64_t world_id, const map_area *which,
                             ptl_error *err);
    ptl_status (*surge_insert)(ptl_store *store, int64_t world_id, const surge_row *surge,
                               ptl_error *err);
    ptl_status (*surge_remove)(ptl_store *store, int64_t world_id, const surge_row *surge,
                               ptl_error *err);
    ptl_status (*surge_visit)(ptl_store *store, int64_t world_id, const surge_area *which,
                              surge_visit *visit, void *payload, ptl_error *err);
} map_operations;

typedef struct sweep_operations {
    ptl_status (*find)(sweep_row *out, ptl_store *store, const char *name, ptl_error *err);
    ptl_status (*insert)(ptl_store *store, sweep_row *row, ptl_error *err);
    ptl_status (*delete)(ptl_store *store, int64_t sweep_id, ptl_error *err);
    ptl_status (*count)(uint64_t *out, ptl_store *store, ptl_error *err);
    ptl_status (*chunk_has)(bool *has, ptl_store *store, int64_t sweep_id, uint64_t seed,
                            ptl_chunk_pos pos, ptl_error *err);
    ptl_status (*chunk_insert)(ptl_store *store, int64_t sweep_id, uint64_t seed,
                               ptl_chunk_pos pos, const encoded_summary *e, ptl_error *err);
    ptl_status (*chunk_visit)(ptl_store *store, int64_t sweep_id, uint32_t parts,
                              sweep_visit *visit, void *payload, ptl_error *err);
    ptl_status (*visit)(ptl_store *store, sweep_row_visit *visit, void *payload,
                        ptl_error *err);
    ptl_status (*chunk_total)(sweep_totals *out, ptl_store *store, int64_t sweep_id,
                              ptl_error *err);
} sweep_operations;

typedef struct scratch_operations {
    ptl_status (*open)(ptl_store **out, ptl_store *source, const char *path, ptl_error *err);
    ptl_status (*clear)(ptl_store *store, ptl_error *err);
} scratch_operations;

typedef struct import_operations {
    /* *out is the backend's own object, through which rows of the part are written. */
    ptl_status (*part_open)(void **out, ptl_store *store, content_part part, ptl_error *err);
    void (*part_close)(void *part);
    ptl_status (*part_add)(int64_t *number, void *part, const content_value *values, int count,
                           ptl_error *err);
    ptl_status (*clear)(ptl_store *store, int64_t content_id, ptl_error *err);
    ptl_status (*find)(content_standing *out, ptl_store *store, const char *hex,
                       ptl_error *err);
    ptl_status (*put)(ptl_store *store, content_row *row, ptl_error *err);
    ptl_status (*keep)(ptl_store *store, ptl_error *err);
    ptl_status (*seal)(ptl_store *store, ptl_error *err);
    ptl_status (*check)(ptl_store *store, content_problem_fn *found, void *payload,
                        ptl_error *err);
    ptl_status (*count_stale)(uint64_t *out, ptl_store *store, int64_t content_id,
                              ptl_error *err);
} import_operations;

/* ---- capabilities: a backend may have them ---- */

/* What a backend has that answers SQL (portolan/query.h): views, virtual tables and
 * functions. */
typedef struct query_operations {
    ptl_status (*run)(ptl_store *store, const char *sql, const ptl_query_options *options,
                      ptl_error *err);
    ptl_status (*columns)(ptl_store *store, const char *sql,
                          void (*on_name)(void *payload, const char *name), void *payload,
                          ptl_error *err);
    ptl_status (*tables)(ptl_store *store,
                         void (*on_table)(void *payload, const char *name, bool is_view),
                         void *payload, ptl_error *err);
    ptl_status (*table_columns)(ptl_store *store, const char *table,
                                void (*on_column)(void *payload, const char *name,
                                                  const char *type),
                                void *payload, ptl_error *err);
} query_operations;

/* What a backend has whose packs can be unpacked into tables (portolan/index.h). */
typedef struct index_operations {
    ptl_status (*update)(ptl_store *store, const ptl_index_options *options,
                         ptl_index_report *report, ptl_error *err);
    ptl_status (*drop)(ptl_store *store, uint32_t parts, int *found, ptl_error *err);
    ptl_status (*look)(ptl_store *store, int64_t world_id, ptl_index_state *out,
                       ptl_error *err);
} index_operations;

/*
 * What a backend has that keeps a file of its own (portolan/store.h, backup.h). Options and
 * results are whole structs of this library's version, never NULL. The same holds for those of
 * a query and an index.
 */
typedef struct file_operations {
    ptl_status (*verify)(ptl_store *store,
                         void (*on_problem)(void *payload, const ptl_problem *problem),
                         void *payload, ptl_verify_counts *counts, ptl_error *err);
    ptl_status (*backup)(ptl_store *store, const char *path, const ptl_backup_options *options,
                         ptl_backup_report *report, ptl_error *err);
    ptl_status (*journal)(ptl_store *store, ptl_journal_info *out, ptl_error *err);
    const ptl_store_copy *(*is_copy)(const ptl_store *store);
    ptl_status (*aside_visit)(ptl_store *store, aside_visit *visit, void *payload,
                              ptl_error *err);
} file_operations;

typedef struct store_operations {
    const char *name; /* name of the backend, for messages */
    bool lasting;     /* what was committed outlives the process */
    void (*close)(ptl_store *store);
    const char *(*path)(const ptl_store *store);
    const transaction_operations *transaction;
    const content_operations *content;
    const world_operations *world;
    const chunk_operations *chunk;
    const run_operations *run;
    const map_operations *map;
    const import_operations *import;
    const sweep_operations *sweep;
    const scratch_operations *scratch;
    /* For SQL, what rooms above the store implement; NULL: the backend answers no SQL. */
    const struct sql_above *sql;
    /* What the backend may have. Where a member is NULL the public calls return
     * PTL_ERR_UNSUPPORTED with the message "a store in <name> has no ...". */
    const query_operations *query; /* NULL: the backend answers no SQL */
    const index_operations *index; /* NULL: the backend has no index tables */
    const file_operations *file;   /* NULL: there is no file to verify, back up or repair */
} store_operations;

/* The first member of struct ptl_store in every backend. The rest of that struct is private to
 * the backend. */
typedef struct store_head {
    const store_operations *operations;
} store_head;

#endif
