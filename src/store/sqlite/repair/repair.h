/*
 * Repair of a file in SQLite: those steps of ptl_repair that generate nothing, and functions
 * for the other steps, which are in src/repair, to read and write rows. Rows are read as they
 * are stored, whatever types their values have. Rows form units, each covered by one checksum:
 * a single row, an edge with its crossings, or a chunk's features. A change of a unit is
 * accepted only if the unit then has its stored checksum. How rows are represented is private
 * to this folder (repair_impl.h).
 */
#pragma once

#include "core/bytes.h"
#include "portolan/repair.h"
#include "store/store.h"

enum { REPAIR_WHERE_SIZE = 192 };

/* The reason for which a damaged chunk is set aside if it was made with another content than
 * the present one. If its content is the present one again, repair_put_back moves its rows
 * back. */
#define REPAIR_OTHER_CONTENT                                                                   \
    "it was made with other content: import that again, then repair makes it again"

typedef struct repair_row repair_row;

typedef struct repair_rows {
    repair_row *list; /* owned */
    size_t count, room;
} repair_rows;

void repair_rows_dispose(repair_rows *rows);

/* ---- the state of a repair, its reports and its transactions ---- */

typedef struct repairer {
    ptl_store *store;
    const ptl_repair_options *options;
    ptl_repair_report report;
    bytes items;   /* what will be reported after the next commit */
    bytes scratch; /* bytes of which a checksum is computed */
    double (*clock)(void);
    double started, batch_started;
    /* Number of chunks that were checked so far, and number of all chunks. */
    uint64_t done, total;
    /* `hashed`: number of bytes that all searches have hashed so far; `unasked`: number of
     * bytes that were hashed since the stop hook was last asked. */
    uint64_t hashed, unasked;
    bool reindex; /* indexes of SQLite's may disagree with their tables */
    /* Time of this repair, written to all rows that it sets aside, so that rows which belong
     * together can be recognised. */
    char found[32];
} repairer;

/* Notes something that repair has done, for the report. It is counted at once, and reported
 * when the transaction is committed. */
ptl_status repair_note(repairer *r, ptl_repair_action action, const char *where,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Commits the open transaction if it has lasted half a second (or if `now` is true), reports
 * what was done in it, and begins the next one. */
ptl_status repair_breathe(repairer *r, bool now, ptl_error *err);

/* Begins changes that can be undone without undoing the whole transaction. repair_try_end keeps
 * or undoes them; if `status` is an error, it returns that. */
ptl_status repair_try_begin(repairer *r, ptl_error *err);
ptl_status repair_try_end(repairer *r, bool keep, ptl_status status, ptl_error *err);
/* Ends the changes that repair_try_begin began. They are kept if status is PTL_OK. If status is
 * PTL_ERR_EXISTS, since another row was in the way, they are undone and PTL_OK is returned.
 * `why` has the message of a failure. */
ptl_status repair_try_settle(repairer *r, bool *kept, ptl_status status, const ptl_error *why,
                             ptl_error *err);

/* Writes the chunk's place as in "world 'w', chunk 3,-2", according to the chunk's row. */
void repair_chunk_where(char out[REPAIR_WHERE_SIZE], repairer *r, const repair_row *chunk);

/* Gets the world's name; "" if the world has no row. If memory is out, r->items.failed is set,
 * so that the next repair_note fails. */
void repair_world_name(char *out, size_t size, repairer *r, int64_t world_id);
/* Writes the edge's place as in "world 'w', edge 3,-2 E", according to the edge's row. */
void repair_edge_where(char out[REPAIR_WHERE_SIZE], repairer *r, const repair_row *row);

/* Moves rows to table set_aside. `chunk` is the row of the chunk to which they belong, or
 * NULL. */
ptl_status repair_set_aside(repairer *r, const repair_rows *rows, const repair_row *chunk,
                            const char *reason, ptl_error *err);

/* Moves chunks whose rows were set aside for `reason` back to their tables, if the content that
 * they were made with is the file's present one again. */
ptl_status repair_put_back(repairer *r, const char *reason, ptl_error *err);

/* Reads the dictionaries again. PTL_ERR_CORRUPT if they are damaged. */
ptl_status repair_dictionaries_read(repairer *r, ptl_error *err);

/* Checks the structure of the SQLite file, and corrects wrong table names (tbl_name) in its
 * schema. PTL_ERR_CORRUPT if the structure is damaged, which can't be repaired here; the
 * message says what the user can do. */
ptl_status repair_file(repairer *r, ptl_error *err);
/* Makes SQLite's indexes anew if they disagree with their tables. */
ptl_status repair_indexes(repairer *r, ptl_error *err);
/* Switches on or off those checks of SQLite that would prevent changes to damaged rows, such as
 * foreign keys. */
ptl_status repair_guards(repairer *r, bool on, ptl_error *err);
/* Writes a new row in table run for each run that has lost its row, while chunks or edges still
 * name it. */
ptl_status repair_runs(repairer *r, ptl_error *err);
/* Sets aside rows whose keys are not integers. */
ptl_status repair_odd_rows(repairer *r, ptl_error *err);
/* Reports damage that verify would find and that no other step of repair looks for: in
 * definitions of the content, and references to rows that do not exist. */
ptl_status repair_name_rest(repairer *r, ptl_error *err);
/* Sets aside crossings whose edge has no row. */
ptl_status repair_stray_crossings(repairer *r, ptl_error *err);
/* Makes the tables of `portolan index` anew if they differ from what the chunks give. */
ptl_status repair_index(repairer *r, ptl_error *err);
/* Runs verify and reports what it still finds. If something unrepaired has been reported
 * already, it does nothing, since verify would find that again. */
ptl_status repair_name_found(repairer *r, ptl_error *err);
/* Makes overviews anew that differ from their chunks' levels. */
ptl_status repair_overviews(repairer *r, ptl_error *err);
/* Repairs rows that have a checksum of their own: corrects a single wrong bit, or a value that
 * can be derived from other rows. */
ptl_status repair_tables(repairer *r, ptl_error *err);
/* Corrects single wrong bits in the tables of the content, at most one in each table. */
ptl_status repair_content(repairer *r, ptl_error *err);
/* Sets aside overmaps of sweeps, local maps, spills and local tides that are still damaged, or
 * whose sweep, world or map does not exist. */
ptl_status repair_lone_rows(repairer *r, ptl_error *err);
/* Corrects single wrong bits in edges and crossings if the edges' checksums prove the
 * corrections. */
ptl_status repair_edge_bits(repairer *r, ptl_error *err);

/* Returns true if the failure concerns just one chunk or edge, so that repair can go on with
 * others. */
bool repair_is_soft(ptl_status status, const ptl_error *err);

/* Gets the name of a world, new. PTL_ERR_NOT_FOUND if the world has no row. */
ptl_status repair_world_find(char **name, repairer *r, int64_t world_id, ptl_error *err);

/* The ids with which an edge or chunk is written. */
typedef struct repair_ids {
    int64_t id, world_id, run_id;
} repair_ids;

/* ---- edges ---- */

/* The values of an edge's row that repair needs. */
typedef struct repair_edge_said {
    int64_t world_id;
    edge place; /* the edge's place, without crossings; set only if `placed` is true, that is,
                 * if the row has a valid place */
    bool placed, foreign;
} repair_edge_said;

/* Fills *out with the values that repair needs of an edge's row. `rows` must not be empty;
 * repair_edge_read has read them. */
void repair_edge_read_said(repair_edge_said *out, const repair_rows *rows);

/* Lists the ids of edges whose checksums are wrong; *ids is new. */
ptl_status repair_edges_damaged(int64_t **ids, size_t *count, repairer *r, ptl_error *err);
/* Reads the edge's row, then its crossings. *out is empty if the edge has no row. */
ptl_status repair_edge_read(repair_rows *out, repairer *r, int64_t id, ptl_error *err);
/* Replaces the rows of edge old_id by `rows`. *kept is false if another row is in the way; then
 * nothing is changed. */
ptl_status repair_edge_write(repairer *r, int64_t old_id, const repair_rows *rows, bool *kept,
                             ptl_error *err);
/* Tries, in place of damaged values of an edge's row, the values that its columns may have.
 * *found is true if the present values, or one of the tries, give the stored checksum. */
ptl_status repair_edge_choose(repairer *r, repair_rows *rows, bool *found, ptl_error *err);
/* Tries values as repair_edge_choose does, but with the crossings of the edge that was planned
 * again, in place of those that were read. *out is new. */
ptl_status repair_edge_plan(repair_rows *out, bool *found, repairer *r, const repair_rows *read,
                            const edge *planned, ptl_error *err);

/* Finds an id for an edge that has lost its row. This is the least edge_id of crossings without
 * an edge, since these may be its crossings; if there are none, it is the least free id. */
ptl_status repair_edge_free_id(int64_t *out, repairer *r, ptl_error *err);
/* Gets the id of the row of the table `run` to which the edge's row refers; 0 if the edge
 * has no row, or if `run` has no such row. */
ptl_status repair_edge_run(int64_t *out, repairer *r, int64_t id, ptl_error *err);

/* Writes an edge with the present content and generator, in place of all rows with its id. */
ptl_status repair_edge_put(repairer *r, const edge *e, const repair_ids *ids,
                           const catalogue *cat, ptl_error *err);

typedef struct repair_lost_edge {
    int64_t world_id;
    edge place; /* only the position and side of the edge; its crossings are not set */
} repair_lost_edge;

/* Lists the edges that a chunk must have but that have no row; *out is new. */
ptl_status repair_edges_missing(repair_lost_edge **out, size_t *count, repairer *r,
                                ptl_error *err);

/* ---- chunks ---- */
enum {
    REPAIR_BAD_ROW = 1,
    REPAIR_BAD_OMTS = 2,
    REPAIR_BAD_FEATURES = 4,
    REPAIR_BAD_EVENTS = 8
};

/* All rows of one chunk, as they are stored, whether or not they are damaged. */
typedef struct repair_chunk {
    int64_t id;
    repair_rows row; /* the row of table chunk with the chunk's id; empty if that row is lost */
    repair_rows levels, features, events;
} repair_chunk;

void repair_chunk_dispose(repair_chunk *c);
/* Reads all rows with the chunk's id, whether or not the chunk has a row in table chunk.
 * Dispose of *out in any case. */
ptl_status repair_chunk_read(repair_chunk *out, ptl_store *store, int64_t id, ptl_error *err);
/* Checks all rows of a chunk. *bad becomes a mask of REPAIR_BAD_*, which says what is damaged:
 * the row in table chunk, the OMTs, the features or the events. */
ptl_status repair_chunk_check(repairer *r, const repair_chunk *c, unsigned *bad,
                              ptl_error *err);

/* The values of a chunk's row that repair needs. */
typedef struct repair_said {
    int64_t world_id, run_id, content_id, generator_version;
    ptl_chunk_pos pos;
    char last_step[32]; /* text of the column last_step; "" if the value is not a text that fits
                         * in here */
    bool generated;
} repair_said;

/* Gets the values of the chunk's row, which c must have. */
void repair_chunk_read_said(repair_said *out, const repair_chunk *c);
/* Returns true if the chunk's row has these digests. */
bool repair_chunk_has_digests(const repair_chunk *c, const digest *omts,
                              const digest *features);
/* Returns true if a chunk can have this id. */
bool repair_chunk_id_fits(int64_t id);
/* Returns true if the chunk has rows of levels or packs (blobs of features); these can prove
 * which chunk it was. */
bool repair_chunk_has_blobs(const repair_chunk *c);

/* Is called with the id of a chunk; the visitor reads its rows. */
typedef ptl_status repair_visit(void *payload, int64_t id, ptl_error *err);
/* Visits the ids of all chunks, in ascending order. */
ptl_status repair_chunks_each(repairer *r, repair_visit *visit, void *payload, ptl_error *err);
ptl_status repair_chunks_count(uint64_t *out, repairer *r, ptl_error *err);
/* Lists the ids of all chunks that have a row in table chunk; *ids is new. */
ptl_status repair_chunk_ids(int64_t **ids, size_t *count, repairer *r, ptl_error *err);
/* Lists the ids of chunks that other rows name but that have no row in table chunk; *ids is
 * new. */
ptl_status repair_orphan_ids(int64_t **ids, size_t *count, repairer *r, ptl_error *err);
/* Finds and reads the chunk at a place. Dispose of *out in any case. */
ptl_status repair_chunk_find(repair_chunk *out, bool *found, repairer *r, int64_t world_id,
                             ptl_chunk_pos pos, ptl_error *err);

/* Restores the row in table chunk from the chunk's other rows, writes it and reports that. *bad
 * becomes the mask (REPAIR_BAD_*) of what is still damaged. */
ptl_status repair_chunk_by_others(repairer *r, repair_chunk *c, unsigned *bad, ptl_error *err);
/* Corrects single wrong bits in the chunk's levels, features and events, writes these rows and
 * reports that. *bad becomes the mask (REPAIR_BAD_*) of what is still damaged. */
ptl_status repair_chunk_by_bits(repairer *r, repair_chunk *c, unsigned *bad, ptl_error *err);
/* Sets aside a damaged chunk, or only its events if nothing else is damaged, and reports it. */
ptl_status repair_chunk_give_up(repairer *r, const repair_chunk *c, unsigned bad,
                                const char *why, ptl_error *err);
/* Sets aside all rows of the chunk, which are in `c`, and deletes the chunk's overview. */
ptl_status repair_chunk_set_aside(repairer *r, const repair_chunk *c, const char *reason,
                                  ptl_error *err);
/* Reads all rows with the chunk's id again and sets them aside. */
ptl_status repair_id_set_aside(repairer *r, int64_t id, const char *reason, ptl_error *err);
/* Deletes those rows of the list that are mere copies. A row is a copy if its key was damaged
 * and repair has restored the row under its right key. *left grows by the number of rows that
 * are no copies. */
ptl_status repair_drop_copies(repairer *r, const repair_rows *rows, size_t *left,
                              ptl_error *err);

/* Two reports about a damaged chunk: that it was generated again; or that it can't be generated
 * again at present. */
ptl_status repair_made_note(repairer *r, const repair_chunk *c, unsigned bad);
ptl_status repair_left_note(repairer *r, const repair_chunk *c, unsigned bad, const char *why);

/* Writes a chunk in place of all rows with its id. */
ptl_status repair_chunk_put(repairer *r, const repair_ids *ids, const chunk_write *write,
                            const catalogue *cat, ptl_error *err);
/* Proves that a chunk was generated again as it had been: returns true if its new row has the
 * checksum of the stored row, or the same two digests. */
bool repair_same_row(const repair_chunk *before, const repair_chunk *made);
/* A proof that a chunk, which was generated again, is as it was before: one of its new levels
 * or packs (blobs of features) is equal to a stored one whose own checksum is right. */
bool repair_same_leftovers(const repair_chunk *before, const repair_chunk *made);

typedef struct repair_free_place {
    int64_t world_id;
    ptl_chunk_pos pos;
} repair_free_place;

/* Lists the places of chunks that are free: all that have four edges but no chunk. The chunk
 * with the given `id` is treated as if it did not exist. *out is new. */
ptl_status repair_places_free(repair_free_place **out, size_t *count, repairer *r, int64_t id,
                              ptl_error *err);
/* Finds the row of the table `run` (a call that made chunks) that describes the call by which
 * the chunk was made. If the table has the row `said`, to which the chunk's row refers, that
 * row is the result. Otherwise the row is inferred: later chunks have greater ids and were made
 * by later calls, and a chunk's edges were made by the chunk's own call or by earlier ones. */
ptl_status repair_place_run(int64_t *out, repairer *r, const repair_free_place *at,
                            int64_t said, int64_t id, ptl_error *err);
/* Finds the row of the table `run` (a call that made chunks) to which the row of a chunk
 * that was generated again must refer. Each row of `run` is tried: the right one gives the
 * chunk's new row the checksum that the stored row has. */
ptl_status repair_chunk_run(repairer *r, const repair_chunk *before, ptl_error *err);

/* ---- dictionaries: tables that give names a number, which chunks store ---- */

/* Learns which names belong to those numbers whose rows in a dictionary are lost. A chunk that
 * is generated again has lists of names where its stored blobs have lists of numbers. Both
 * lists have the same order, so they tell the name of each number. */
typedef struct repair_learner repair_learner;

/* Makes a new repair_learner, which learns names of dictionary numbers; free it with
 * repair_learner_free. */
ptl_status repair_learner_new(repair_learner **out, repairer *r, ptl_error *err);
void repair_learner_free(repair_learner *l);
/* Looks for numbers without a name: *wanted is true if the chunk contains a number whose row in
 * the dictionary is lost. */
ptl_status repair_learner_wants(bool *wanted, repair_learner *l, const repair_chunk *c,
                                ptl_error *err);
/* Finds the names of numbers whose rows in the dictionary are lost: `c` is a stored chunk that
 * uses the numbers, `omts` and `features` are the same chunk as it was generated again, with
 * the names. Their digests must be equal to those in the stored row. */
ptl_status repair_learner_take(repair_learner *l, const repair_chunk *c,
                               const encoded_chunk *omts, const encoded_features *features,
                               const catalogue *cat, ptl_error *err);
/* Reports how many numbers of the dictionaries have got their names back. */
ptl_status repair_learner_tell(repair_learner *l);
