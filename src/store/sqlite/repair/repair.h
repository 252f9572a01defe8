/*
 * Repair in this backend: the part of ptl_repair (repair/repair.c) that generates nothing, and
 * the questions about the file that the generating part asks. Rows are read as they are
 * stored, whatever types their values have. They form units, each covered by one checksum: a
 * single row, an edge with its crossings, or a chunk's features. A change is accepted only if
 * the unit then has a checksum that was stored before. How rows are represented is private to
 * this folder (repair_impl.h).
 */
#pragma once

#include "core/bytes.h"
#include "portolan/repair.h"
#include "store/store.h"

enum { REPAIR_WHERE_SIZE = 192 };

/* The reason for setting aside a chunk that was made with other content. */
#define REPAIR_OTHER_CONTENT                                                                   \
    "it was made with other content: import that again, then repair makes it again"

typedef struct repair_row repair_row;

typedef struct repair_rows {
    repair_row *list; /* owned */
    size_t count, room;
} repair_rows;

void repair_rows_dispose(repair_rows *rows);

/* ---- the work ---- */

typedef struct repairer {
    ptl_store *store;
    const ptl_repair_options *options;
    ptl_repair_report report;
    bytes items;   /* what is reported after the next commit */
    bytes scratch; /* input of checksums */
    double (*clock)(void);
    double started, batch_started;
    uint64_t done, total; /* numbers of chunks */
    /* Bytes hashed in searches; those since the last question whether to stop. */
    uint64_t hashed, unasked;
    bool reindex; /* indexes may disagree with their tables */
    /* Time that marks all rows set aside by this repair, so that rows which belong together
     * are known. */
    char found[32];
} repairer;

/* Notes something that was done. It is counted at once, and reported when it is committed. */
ptl_status repair_note(repairer *r, ptl_repair_action action, const char *where,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Commits if a batch has lasted long enough (or with `now`), reports what was done, and begins
 * the next batch. */
ptl_status repair_breathe(repairer *r, bool now, ptl_error *err);

/* Begins a part of the work; repair_try_end keeps it or undoes it. If the part failed, its own
 * status is returned. */
ptl_status repair_try_begin(repairer *r, ptl_error *err);
ptl_status repair_try_end(repairer *r, bool keep, ptl_status status, ptl_error *err);
/* Ends a part that is kept if it succeeded. If it failed because another row was in the way
 * (PTL_ERR_EXISTS), it is undone, and that is no failure. `why` describes a failure. */
ptl_status repair_try_settle(repairer *r, bool *kept, ptl_status status, const ptl_error *why,
                             ptl_error *err);

/* Writes "world 'w', chunk 3,-2", as the chunk's row says. */
void repair_chunk_where(char out[REPAIR_WHERE_SIZE], repairer *r, const repair_row *chunk);

/* Gets the world's name; "" if there is none. If memory for it is out, nothing can be reported
 * any more: repair_note and repair_set_aside then fail. */
void repair_world_name(char *out, size_t size, repairer *r, int64_t world_id);
/* Writes the same for an edge, from what its row says. */
void repair_edge_where(char out[REPAIR_WHERE_SIZE], repairer *r, const repair_row *row);

/* Moves rows to table set_aside. `chunk` is the row of the chunk that they belong to, or
 * NULL. */
ptl_status repair_set_aside(repairer *r, const repair_rows *rows, const repair_row *chunk,
                            const char *reason, ptl_error *err);

/* Moves chunks back to their tables that were set aside for this reason, if their content is
 * the file's present one again. */
ptl_status repair_put_back(repairer *r, const char *reason, ptl_error *err);

/* Reads the dictionaries again. PTL_ERR_CORRUPT if they can't be relied on. */
ptl_status repair_dictionaries_read(repairer *r, ptl_error *err);

/* Repairs SQLite's own structure. PTL_ERR_CORRUPT if that is not possible here; the message
 * says what to do. */
ptl_status repair_file(repairer *r, ptl_error *err);
/* Makes SQLite's indexes anew. */
ptl_status repair_indexes(repairer *r, ptl_error *err);
/* Switches the checks on or off that would prevent changes to damaged rows, such as foreign
 * keys. */
ptl_status repair_guards(repairer *r, bool on, ptl_error *err);
/* Writes rows for runs that other rows name but that are gone. */
ptl_status repair_runs(repairer *r, ptl_error *err);
/* Sets rows aside whose keys are not numbers. */
ptl_status repair_odd_rows(repairer *r, ptl_error *err);
/* Reports what else verify would find: damaged definitions, and references to rows that are
 * gone. */
ptl_status repair_name_rest(repairer *r, ptl_error *err);
/* Sets aside crossings that belong to no edge. */
ptl_status repair_stray_crossings(repairer *r, ptl_error *err);
/* Makes the tables of `portolan index` anew where they are not what the chunks give. */
ptl_status repair_index(repairer *r, ptl_error *err);
/* Reports what verify still finds, provided that nothing was reported yet which verify would
 * find, too. */
ptl_status repair_name_found(repairer *r, ptl_error *err);
/* Makes overviews anew from their chunks' levels. */
ptl_status repair_overviews(repairer *r, ptl_error *err);
/* Repairs rows that have a checksum of their own: single bits, and values that can be
 * derived. */
ptl_status repair_tables(repairer *r, ptl_error *err);
/* Repairs single bits in tables of the content. */
ptl_status repair_content(repairer *r, ptl_error *err);
/* Sets aside overmaps of sweeps, local maps, spills and local tides that are still damaged, or
 * whose sweep, world or map is not there. */
ptl_status repair_lone_rows(repairer *r, ptl_error *err);
/* Repairs single bits in edges and crossings, by the edges' checksums alone. */
ptl_status repair_edge_bits(repairer *r, ptl_error *err);

/* Does the status concern just one chunk or edge, so that the work can go on? */
bool repair_is_soft(ptl_status status, const ptl_error *err);

/* Gets the name of a world, new. PTL_ERR_NOT_FOUND if the world has no row. */
ptl_status repair_world_find(char **name, repairer *r, int64_t world_id, ptl_error *err);

/* The ids that an edge or chunk is written with. */
typedef struct repair_ids {
    int64_t id, world_id, run_id;
} repair_ids;

/* ---- edges ---- */

/* What an edge's row says. */
typedef struct repair_edge_said {
    int64_t world_id;
    edge place; /* without crossings */
    bool placed, foreign;
} repair_edge_said;

/* Reads what the edge's row says. rows come from repair_edge_read and are not empty. */
void repair_edge_read_said(repair_edge_said *out, const repair_rows *rows);

/* Lists the ids of edges whose checksums fail; *ids is new. */
ptl_status repair_edges_damaged(int64_t **ids, size_t *count, repairer *r, ptl_error *err);
/* Reads the edge's row and its crossings. */
ptl_status repair_edge_read(repair_rows *out, repairer *r, int64_t id, ptl_error *err);
/* Replaces the rows of edge old_id by these. *kept is false if another row is in the way. */
ptl_status repair_edge_write(repairer *r, int64_t old_id, const repair_rows *rows, bool *kept,
                             ptl_error *err);
/* Tries the values that the edge's columns may have. *found is set if its present values or
 * some of these give its checksum. */
ptl_status repair_edge_choose(repairer *r, repair_rows *rows, bool *found, ptl_error *err);
/* The same for the edge's row with the planned crossings instead of those that were read; out
 * is new. */
ptl_status repair_edge_plan(repair_rows *out, bool *found, repairer *r, const repair_rows *read,
                            const edge *planned, ptl_error *err);

/* Finds an id for a lost edge: the least edge_id of crossings without an edge, since they may
 * be its own; if there are none, the first free id. */
ptl_status repair_edge_free_id(int64_t *out, repairer *r, ptl_error *err);
/* Gets the run that the damaged row names; 0 if there is no such run. */
ptl_status repair_edge_run(int64_t *out, repairer *r, int64_t id, ptl_error *err);

/* Writes an edge with the present content and generator, in the place of all rows with its
 * id. */
ptl_status repair_edge_put(repairer *r, const edge *e, const repair_ids *ids,
                           const catalogue *cat, ptl_error *err);

typedef struct repair_lost_edge {
    int64_t world_id;
    edge place; /* without crossings */
} repair_lost_edge;

/* Lists the edges that chunks need but that are not there; *out is new. */
ptl_status repair_edges_missing(repair_lost_edge **out, size_t *count, repairer *r,
                                ptl_error *err);

/* ---- chunks ---- */
enum {
    REPAIR_BAD_ROW = 1,
    REPAIR_BAD_OMTS = 2,
    REPAIR_BAD_FEATURES = 4,
    REPAIR_BAD_EVENTS = 8
};

/* All rows of one chunk, as they are stored. */
typedef struct repair_chunk {
    int64_t id;
    repair_rows row; /* no row or one */
    repair_rows levels, features, events;
} repair_chunk;

void repair_chunk_dispose(repair_chunk *c);
/* Reads all rows with the chunk's id, whether or not there is a chunk row. Dispose of *out in
 * any case. */
ptl_status repair_chunk_read(repair_chunk *out, ptl_store *store, int64_t id, ptl_error *err);
/* Checks a chunk; *bad becomes a mask of REPAIR_BAD_*. */
ptl_status repair_chunk_check(repairer *r, const repair_chunk *c, unsigned *bad,
                              ptl_error *err);

/* What a chunk's row says. */
typedef struct repair_said {
    int64_t world_id, run_id, content_id, generator_version;
    ptl_chunk_pos pos;
    char last_step[32]; /* "" if the value is not a text of this size */
    bool generated;
} repair_said;

/* Reads what the chunk's row says; c must have one. */
void repair_chunk_read_said(repair_said *out, const repair_chunk *c);
/* Are these the digests in the chunk's row? */
bool repair_chunk_has_digests(const repair_chunk *c, const digest *omts,
                              const digest *features);
/* Can a chunk have this id? */
bool repair_chunk_id_fits(int64_t id);
/* Does it have levels or packs? Such rows could prove what the chunk was. */
bool repair_chunk_has_blobs(const repair_chunk *c);

/* Is called for each chunk, by its id. The chunk's rows are read at that time. */
typedef ptl_status repair_visit(void *payload, int64_t id, ptl_error *err);
/* Visits all chunks, in the order of their ids. */
ptl_status repair_chunks_each(repairer *r, repair_visit *visit, void *payload, ptl_error *err);
ptl_status repair_chunks_count(uint64_t *out, repairer *r, ptl_error *err);
/* Lists the ids of all chunks, and those that other rows name as their chunk's but that have
 * no chunk; *ids is new. */
ptl_status repair_chunk_ids(int64_t **ids, size_t *count, repairer *r, ptl_error *err);
/* Lists the ids that rows name as their chunk's but that have no chunk; *ids is new. */
ptl_status repair_orphan_ids(int64_t **ids, size_t *count, repairer *r, ptl_error *err);
/* Reads the chunk at a place. Dispose of *out in any case. */
ptl_status repair_chunk_find(repair_chunk *out, bool *found, repairer *r, int64_t world_id,
                             ptl_chunk_pos pos, ptl_error *err);

/* Derives the chunk's row from its other rows, writes and reports it. *bad becomes what is
 * still damaged. */
ptl_status repair_chunk_by_others(repairer *r, repair_chunk *c, unsigned *bad, ptl_error *err);
/* Corrects single bits in levels, features and events, writes and reports them. *bad becomes
 * what is still damaged. */
ptl_status repair_chunk_by_bits(repairer *r, repair_chunk *c, unsigned *bad, ptl_error *err);
/* Sets aside what is damaged, and reports it: the whole chunk, or its events if only they are
 * damaged. */
ptl_status repair_chunk_give_up(repairer *r, const repair_chunk *c, unsigned bad,
                                const char *why, ptl_error *err);
/* Sets aside all rows of the chunk. */
ptl_status repair_chunk_set_aside(repairer *r, const repair_chunk *c, const char *reason,
                                  ptl_error *err);
/* Sets aside all rows that have another id, which are read again for this. */
ptl_status repair_id_set_aside(repairer *r, int64_t id, const char *reason, ptl_error *err);
/* Deletes those rows of the list that are stored twice, since their keys were damaged and the
 * rows have been put back under the right key. *left is the number of the others. */
ptl_status repair_drop_copies(repairer *r, const repair_rows *rows, size_t *left,
                              ptl_error *err);

/* Report that a damaged chunk was made again, or that it can't be made now. */
ptl_status repair_made_note(repairer *r, const repair_chunk *c, unsigned bad);
ptl_status repair_left_note(repairer *r, const repair_chunk *c, unsigned bad, const char *why);

/* Writes a chunk in the place of all rows with its id. */
ptl_status repair_chunk_put(repairer *r, const repair_ids *ids, const chunk_write *write,
                            const catalogue *cat, ptl_error *err);
/* Did generating give the stored checksum of the chunk's row again, or both its digests? */
bool repair_same_row(const repair_chunk *before, const repair_chunk *made);
/* Did generating give a level or pack again that was there and that its own checksum
 * proves? */
bool repair_same_leftovers(const repair_chunk *before, const repair_chunk *made);

typedef struct repair_free_place {
    int64_t world_id;
    ptl_chunk_pos pos;
} repair_free_place;

/* Lists all places with four edges and no chunk, as if the rows of `id` were not there; *out
 * is new. */
ptl_status repair_places_free(repair_free_place **out, size_t *count, repairer *r, int64_t id,
                              ptl_error *err);
/*
 * Finds the run that wrote the chunk. If there is the run that its row says, it is this one.
 * Otherwise it is inferred: ids and runs grow together, and the chunk's edges are from its own
 * run or from earlier ones.
 */
ptl_status repair_place_run(int64_t *out, repairer *r, const repair_free_place *at,
                            int64_t said, int64_t id, ptl_error *err);
/* Finds the run of a chunk that was made again. Nothing else determines it, but the checksum
 * of the stored row proves it, if that is sound. */
ptl_status repair_chunk_run(repairer *r, const repair_chunk *before, ptl_error *err);

/* ---- dictionaries ---- */

/*
 * Learns the meaning of dictionary numbers whose rows are gone. A chunk that is made again has
 * the same palettes as its stored blobs, entry by entry, so each entry says what its number
 * means.
 */
typedef struct repair_learner repair_learner;

/* Makes a new learner; free it with repair_learner_free. */
ptl_status repair_learner_new(repair_learner **out, repairer *r, ptl_error *err);
void repair_learner_free(repair_learner *l);
/* Does the chunk contain a number whose meaning is not known? */
ptl_status repair_learner_wants(bool *wanted, repair_learner *l, const repair_chunk *c,
                                ptl_error *err);
/* Learns from a chunk that was made again and has the digests of its row. */
ptl_status repair_learner_take(repair_learner *l, const repair_chunk *c,
                               const encoded_chunk *omts, const encoded_features *features,
                               const catalogue *cat, ptl_error *err);
/* Reports how many numbers were learnt. */
ptl_status repair_learner_tell(repair_learner *l);
