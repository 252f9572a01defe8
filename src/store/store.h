/*
 * The contract between the store, which keeps worlds, and all code that makes, reads and
 * measures worlds. A backend is an implementation of the contract: store/sqlite keeps
 * everything in one file. Code that uses the contract knows nothing of rows, SQL or pages; a
 * backend knows nothing of rivers and other things on the map.
 * A backend is a table of operations that each of its stores begins with. It is not a set of
 * functions to be linked, for two reasons: one process will have a world file and a server's
 * database open at the same time, and a test can put a backend of its own in front of another
 * one. A call through the table costs about a nanosecond; even the cheapest operation behind it
 * (reading a level) takes 60,000 times as long.
 * Names. An operation is called by ops(store)->OBJECT->VERB; the object is in the singular even
 * where many are meant. Operations on a stored_chunk, which a store lends to a visitor, begin
 * with stored_. A backend calls its implementation BACKEND_OBJECT_VERB. The verbs: `find` looks
 * up one object by name or place, `read` decodes it, `visit` gives one object after the other
 * to a function, `list` gives a new array of all, `next` gives the first one after a place. The
 * verbs count, has, insert, write, renew, delete, digest, check and load mean what they say.
 * What every backend promises:
 * Durability. When `commit` returns PTL_OK, everything that was written since `begin` stays,
 * whatever happens to the process or the machine. Before that, after an error, or when
 * the process ends in between, none of these changes is there. (If store_operations.lasting is
 * false, nothing is kept after the process ends; all else holds.)
 * Isolation. There is one write transaction at a time: other writers wait for their turn, or
 * get PTL_ERR_BUSY. Readers see what was committed when their snapshot began, never part of a
 * transaction. The store that writes sees its own changes. An operation outside of any
 * transaction is a transaction by itself. PTL_ERR_BUSY means that nothing was done; `retry`
 * tries again.
 * Identity. The backend chooses the ids of worlds, chunks, runs and contents. They are
 * positive, and an id is not used for another object while something refers to it. Stored rows
 * refer to oters and other definitions by their id texts, so that the same chunk is read by a
 * catalogue that numbers the definitions otherwise.
 * Purity. Two stores that were given the same chunks and edges have the same digests, in
 * whatever order they were given.
 * Errors. PTL_ERR_CORRUPT: what is stored is not what was written; a backend checks this at
 * each read. PTL_ERR_MISMATCH: what is stored is sound, but the given catalogue lacks something
 * that it names. *found set to false is no error. PTL_ERR_UNSUPPORTED: this backend lacks the
 * operation; operations that a backend may lack say so below. backend_code of an error is the
 * backend's own code.
 * Threads. A store, and everything that it lends, belongs to one thread at a time; another
 * thread opens a store of its own. Only the hook that `stop_hook` gives may be called from any
 * thread. Encoding (codec/) needs no store: several threads encode, and one writes.
 * Texts and lists that are given to a visitor last until it returns. Unless something else is
 * said, the visitor must not use the store. If it returns an error, the visit ends with that
 * error.
 * Capabilities. A backend has all groups of operations below, up to scratch_operations. The
 * three groups after that are optional: SQL with views, virtual tables and functions
 * (ptl_query), plain tables into which chunks are unpacked (ptl_index_update), and a file of
 * its own (ptl_verify, ptl_backup, ptl_journal_info_load, ptl_repair). Where the backend lacks
 * one of these, the public calls return PTL_ERR_UNSUPPORTED and the message names it.
 * Each group of operations below says where its promises differ. Where it says nothing:
 * operations that write are called in a transaction of the caller's and last once that is
 * committed; operations that read use the caller's transaction or snapshot, or else one of
 * their own; both are called by the store's thread.
 */
#pragma once

#include "portolan/index.h"
#include "portolan/query.h"
#include "store/kept.h"

/* ---- transactions: only the store's thread may call these, but any thread may call stop_hook
 * and the hook that it returns ---- */

typedef struct transaction_operations {
    /* Begins a write transaction. */
    ptl_status (*begin)(ptl_store *store, ptl_error *err);
    ptl_status (*commit)(ptl_store *store, ptl_error *err);
    /* Ends the transaction and undoes its changes. It reports no error. */
    void (*rollback)(ptl_store *store);
    /* Begins a read snapshot, which lasts until `commit` or `rollback`. */
    ptl_status (*begin_read)(ptl_store *store, ptl_error *err);
    /* Begins a read snapshot and sets *own. If the caller already has a transaction open, that
     * serves as the snapshot, and *own is false. Ending a snapshot can't fail. */
    ptl_status (*begin_snapshot)(ptl_store *store, bool *own, ptl_error *err);
    /* Begins a snapshot for a few lookups, with *own as in begin_snapshot. The first lookup
     * takes the file's lock, and the snapshot keeps it; taking the lock for each lookup would
     * make lookups several times slower. End it by end_snapshot. */
    ptl_status (*begin_lookups)(ptl_store *store, bool *own, ptl_error *err);
    /* Ends a snapshot if `own`, as set by begin_snapshot or begin_lookups, is true. */
    void (*end_snapshot)(ptl_store *store, bool own);
    /*
     * Runs the work again and again while it returns PTL_ERR_BUSY. Between two attempts the
     * call waits, so that readers get their turn: they are held up while a commit waits.
     * PTL_ERR_CANCELLED if work->go_on ends the waiting; without that callback the call gives
     * up after the store's busy timeout.
     */
    ptl_status (*retry)(ptl_store *store, const patient_work *work, ptl_error *err);

    /* Returns the hook that the program gave when it opened the store, and that says whether
     * work shall stop. Work which does not use the store can ask this hook, too. */
    stop_hook (*stop_hook)(const ptl_store *store);
    /* Returns true if somebody asked, through the stop hook, that the work end. */
    bool (*stopped)(const ptl_store *store);
    /*
     * Makes the store ignore requests to stop (true) or obey them again (false). They are
     * ignored while a finished batch of chunks is written, and while the few rows are written
     * that say how the work ended. Waiting for other processes can still be ended.
     */
    void (*deafen)(ptl_store *store, bool on);
    /* Returns false if the store was opened for reading only, so that `begin` always fails. */
    bool (*may_write)(const ptl_store *store);
} transaction_operations;

/* ---- reading content: a catalogue stays valid when another content is imported, and any
 * thread may read it ---- */

typedef struct content_operations {
    /* Loads the catalogue of the present content; *out is new. PTL_ERR_CONTENT if there is
     * none. */
    ptl_status (*load)(catalogue **out, ptl_store *store, ptl_error *err);
    /*
     * Loads a catalogue for reading chunks that were made with the content content_id. It is
     * made of that content. If the store no longer has that content, or if `current` is true,
     * it is made of the present one. The catalogue also gets the oters that the content lacks
     * but that the store's dictionary of oters has.
     */
    ptl_status (*load_for)(catalogue **out, ptl_store *store, int64_t content_id, bool current,
                           ptl_error *err);
    /*
     * Compares the rows from which the present content's catalogue is made with the checksums
     * that the import wrote. PTL_ERR_CORRUPT names the first part that differs. Loading a
     * catalogue skips this check, since that halves the time of loading.
     */
    ptl_status (*check_loaded)(ptl_store *store, ptl_error *err);
    /* Takes back a catalogue that `load` has made, and that nobody uses any more. NULL: it is
     * freed by catalogue_free. */
    void (*unload)(ptl_store *store, catalogue *cat);
    /* Gets the present content's id; *id stays as it is if there is none. */
    ptl_status (*current)(int64_t *id, ptl_store *store, ptl_error *err);
    /* Gets the digest of a content in hex, or "" if the store does not know the content. */
    ptl_status (*digest)(char out[65], ptl_store *store, int64_t content_id, ptl_error *err);
    /* Visits the packs of a content, in the order in which they were imported. */
    ptl_status (*pack_visit)(ptl_store *store, int64_t content_id, pack_visit *visit,
                             void *payload, ptl_error *err);
    /*
     * Visits the present content's kept objects, that is, objects that are kept as JSON text,
     * in the order in which they were read. If two objects define the same thing, the later one
     * counts. A visitor must not begin a second visit of kept objects.
     */
    ptl_status (*kept_visit)(ptl_store *store, const kept_text_query *query,
                             kept_text_visit *visit, void *payload, ptl_error *err);
    /* True: the texts that kept_visit gives stay valid, and other threads may read them, as
     * long as the content is the present one. False: they last until the visitor returns. */
    bool kept_stay;
    /* Visits all terrains, specials and regions of a content, grouped by kind. If the store no
     * longer has that content, those of the present one are visited. */
    ptl_status (*definition_visit)(ptl_store *store, int64_t content_id,
                                   definition_visit *visit, void *payload, ptl_error *err);
    /* Visits all contents that the store knows of, in the order of their ids. */
    ptl_status (*visit)(ptl_store *store, content_visit *visit, void *payload, ptl_error *err);
    /*
     * Visits rows of a content; content_id 0 means the present one. If the part has a column
     * content_id, rows of other contents are visited, too. Of an earlier content the store
     * keeps only the parts from which a catalogue is made. Nothing is visited if the store does
     * not have the content.
     */
    ptl_status (*row_visit)(ptl_store *store, int64_t content_id, const content_query *query,
                            content_row_visit *visit, void *payload, ptl_error *err);
} content_operations;

typedef struct world_operations {
    /* Finds a world by its name; NULL means the only one. PTL_ERR_NOT_FOUND comes with a
     * message that lists the names. */
    ptl_status (*find)(world_row *out, ptl_store *store, const char *name, ptl_error *err);
    /* Adds a world, inside a transaction of the caller's. row->id is ignored; the new id goes
     * to *id unless that is NULL. PTL_ERR_EXISTS if the name is taken. */
    ptl_status (*insert)(int64_t *id, ptl_store *store, const world_row *row, ptl_error *err);
    /* Sets the generator, the content and the setting `derive` of the world row->id to those of
     * the row. The row's other members are ignored. Inside a transaction of the caller's. */
    ptl_status (*renew)(ptl_store *store, const world_row *row, ptl_error *err);
    ptl_status (*count)(uint64_t *out, ptl_store *store, ptl_error *err);
    /* Visits all worlds, ordered by name. */
    ptl_status (*visit)(ptl_store *store, world_visit *visit, void *payload, ptl_error *err);
    /* Computes the canonical digest (format.md, "Digests") of all chunks and edges from what is
     * stored. It needs no content, so it works for a world whose content is gone, too. */
    ptl_status (*digest)(ptl_world_digest_result *out, ptl_store *store, int64_t world_id,
                         ptl_error *err);
} world_operations;

typedef struct chunk_operations {
    /* Reads the facts of a chunk, without its levels and features. *found is false if there is
     * no such chunk. */
    ptl_status (*find)(chunk_info *out, bool *found, ptl_store *store, int64_t world_id,
                       ptl_chunk_pos pos, ptl_error *err);
    /*
     * Writes a chunk with its levels, features, edges and events, inside a transaction of the
     * caller's. cat gives the id texts of the oters in the encoded chunk.
     * If the store has a complete chunk at this place already (another process was first, or it
     * was imported), nothing is written and *written is false. An incomplete chunk (one with a
     * last_step) is replaced. If w->replace is true, any generated chunk is replaced. A
     * replaced chunk keeps its id. PTL_ERR_MISMATCH if a saved edge differs from the given
     * edge. Edges of an imported chunk are foreign and replace saved edges instead;
     * PTL_ERR_EXISTS if a generated chunk lies on the other side of such an edge.
     */
    ptl_status (*write)(ptl_store *store, int64_t world_id, int64_t run_id,
                        const chunk_write *w, const catalogue *cat, bool *written,
                        ptl_error *err);
    /* Reads and decodes a chunk as oters of cat. PTL_ERR_MISMATCH names an oter that cat lacks.
     * If there is no such chunk, *out is NULL and the status PTL_OK. info may be NULL. */
    ptl_status (*read)(ptl_chunk **out, ptl_store *store, int64_t world_id, ptl_chunk_pos pos,
                       const catalogue *cat, chunk_info *info, ptl_error *err);
    /*
     * Reads a chunk's features, that is, everything but its OMTs. *out is emptied first, and
     * owns its texts afterwards. *found is false if there is no such chunk. PTL_ERR_MISMATCH
     * names a building that the catalogue lacks. To get the same state of a chunk as
     * `read` gives while others write, call both inside one read transaction.
     */
    ptl_status (*features_read)(gen_features *out, bool *found, ptl_store *store,
                                int64_t world_id, ptl_chunk_pos pos, const catalogue *cat,
                                ptl_error *err);
    /*
     * Reads a chunk's features as features_read does, for callers that only show them: a
     * special or building that the catalogue lacks becomes CAT_NONE instead of an error, and so
     * do its pieces and joins. What the chunk has recorded of attempts to place such a special
     * is left out.
     */
    ptl_status (*features_read_all)(gen_features *out, bool *found, ptl_store *store,
                                    int64_t world_id, ptl_chunk_pos pos, const catalogue *cat,
                                    ptl_error *err);
    /*
     * Removes a chunk with its levels, features and events; its edges stay. Inside a
     * transaction of the caller's. A generated chunk comes out the same when it is generated
     * again, unless one of its edges was made foreign in the meantime.
     */
    ptl_status (*delete)(bool *found, ptl_store *store, int64_t world_id, ptl_chunk_pos pos,
                         ptl_error *err);
    /* Reads one level into cells. *found is false if there is no such chunk. */
    ptl_status (*level_read)(ptl_oter cells[PTL_LEVEL_CELLS], bool *found, ptl_store *store,
                             int64_t world_id, ptl_chunk_pos pos, int32_t z,
                             const catalogue *cat, ptl_error *err);
    /* Lists positions of chunks in the order of x, y. *out is new (8 bytes each); NULL for
     * none. */
    ptl_status (*list)(ptl_chunk_pos **out, size_t *count, ptl_store *store, int64_t world_id,
                       const chunk_filter *which, ptl_error *err);
    ptl_status (*count)(uint64_t *out, ptl_store *store, int64_t world_id,
                        const chunk_filter *which, ptl_error *err);
    /*
     * Finds the chunk after *pos in the order of x, y. If there is none, *found is false and
     * *pos stays. No transaction stays open between two calls, since that would keep others
     * from writing. The filter's `stale` and `generated` are ignored.
     */
    ptl_status (*next)(ptl_chunk_pos *pos, bool *found, ptl_store *store, int64_t world_id,
                       const chunk_filter *which, ptl_error *err);
    /*
     * Visits the chunk after *pos in the order of x, y and moves *pos there; if there is none,
     * nothing is visited. No transaction stays open between two calls. The visitor reads as
     * much of the chunk as it wants by the three functions below; nothing else is read.
     */
    ptl_status (*visit_next)(ptl_chunk_pos *pos, ptl_store *store, int64_t world_id,
                             stored_chunk_visit *visit, void *payload, ptl_error *err);
    /* Reads the chunk's features, whose definitions are given by their id texts. *out is
     * emptied first. The texts are borrowed from the store until it is closed or rolled
     * back. */
    ptl_status (*stored_features_read)(feature_set *out, const stored_chunk *chunk,
                                       ptl_error *err);
    /* Visits the chunk's events in the order in which they happened. */
    ptl_status (*stored_event_visit)(const stored_chunk *chunk, event_visit *visit,
                                     void *payload, ptl_error *err);
    /* Reads into *out those levels whose bit (z + 10) is set in `levels`. The other levels of
     * *out, which may have been used before, stay as they are. PTL_ERR_MISMATCH names an oter
     * that the catalogue lacks. This function does not notice all damage that `read`
     * notices. */
    ptl_status (*stored_levels_read)(ptl_chunk *out, const stored_chunk *chunk, uint32_t levels,
                                     const catalogue *cat, ptl_error *err);
    /*
     * Adds up all chunks of a world. A chunk counts as stale if its content or its generator
     * version is not the given one. Since a million chunks take a second, some thousands are
     * read at a time, in a snapshot of their own, and in between the call can be stopped.
     */
    ptl_status (*total)(chunk_totals *out, ptl_store *store, int64_t world_id,
                        int64_t content_id, int32_t generator_version, ptl_error *err);
    /* Visits the cities of all chunks in the rectangle from `first` to `last`, both
     * included. */
    ptl_status (*city_visit)(ptl_store *store, int64_t world_id, ptl_chunk_pos first,
                             ptl_chunk_pos last, city_visit *visit, void *payload,
                             ptl_error *err);
    /* Visits the placed specials of all chunks of a world: those of the id `special`, or all if
     * that is NULL. */
    ptl_status (*place_visit)(ptl_store *store, int64_t world_id, const char *special,
                              place_visit *visit, void *payload, ptl_error *err);
    /* Visits the overviews of all chunks of a world, as oters of cat. PTL_ERR_MISMATCH names an
     * oter that cat lacks. The visitor must not use the store. */
    ptl_status (*overview_visit)(ptl_store *store, int64_t world_id, const catalogue *cat,
                                 overview_visit *visit, void *payload, ptl_error *err);

    /*
     * Finds an edge; *found is false if the edge is not saved yet. The texts of its crossings'
     * kinds are borrowed from the store. The border cells of a foreign edge are given as oters
     * of cat (PTL_ERR_MISMATCH if cat lacks one of them); if cat is NULL they are left out.
     */
    ptl_status (*edge_find)(edge *out, bool *found, ptl_store *store, int64_t world_id,
                            int32_t x, int32_t y, edge_side side, const catalogue *cat,
                            ptl_error *err);
    ptl_status (*edge_count)(uint64_t *out, ptl_store *store, int64_t world_id, ptl_error *err);
} chunk_operations;

typedef struct run_operations {
    /* Adds a row to the table `run` that says which command works on the world, in the
     * caller's transaction or in one of its own. */
    ptl_status (*begin)(int64_t *run_id, ptl_store *store, int64_t world_id,
                        const char *command, ptl_error *err);
    /* Counts the chunks that refer to this row of the table `run`; to do so it reads all
     * chunks. The caller needs this after a commit that failed, since such a commit may have
     * become durable all the same. */
    ptl_status (*count)(uint64_t *chunks, ptl_store *store, int64_t run_id, ptl_error *err);
    /* Completes the row of the table `run`, in the caller's transaction or in one of its
     * own; outcome is "done", "cancelled" or "failed". */
    ptl_status (*end)(ptl_store *store, int64_t run_id, uint64_t chunks, double seconds,
                      const char *outcome, ptl_error *err);

    /* Visits the runs of a world, the latest first, but not more than `most` runs; world_id 0
     * means all worlds. */
    ptl_status (*visit)(ptl_store *store, int64_t world_id, uint64_t most, run_visit *visit,
                        void *payload, ptl_error *err);
} run_operations;

/* ---- local maps: the inside of one OMT; a map is read and replaced as a whole ---- */

typedef struct map_operations {
    /* Reads and decodes a map. If the store has no such map, *found is false and *out need not
     * be disposed of. */
    ptl_status (*read)(stored_map *out, bool *found, ptl_store *store, int64_t world_id,
                       ptl_omt at, ptl_error *err);
    /* Gets the revision of the local map at this OMT; 0 if the store has none. */
    ptl_status (*revision)(int64_t *out, ptl_store *store, int64_t world_id, ptl_omt at,
                           ptl_error *err);
    /*
     * Writes maps, each with the next revision, inside a transaction of the caller's; the store
     * chooses the order. If a map's revision has changed since its writer saw it, the result is
     * PTL_ERR_EXISTS, and the message names the first such map and both revisions. In this case
     * nothing has been written if info.revision was 0 for all maps. After any other error the
     * caller rolls back, so that either all maps are written or none.
     */
    ptl_status (*put)(ptl_store *store, int64_t world_id, const map_write *maps, size_t count,
                      ptl_error *err);
    /* Visits the maps of an area in the order of x, y, z, without their contents. The ids of
     * their terrains are borrowed for the visit. */
    ptl_status (*visit)(ptl_store *store, int64_t world_id, const map_area *which,
                        map_visit *visit, void *payload, ptl_error *err);
    /* Removes the maps of an area, in a transaction of the caller's, and counts them in
     * *dropped. Edited ones stay, unless the area's member `edited` is set. The area's `after`
     * is ignored. */
    ptl_status (*drop)(uint64_t *dropped, ptl_store *store, int64_t world_id,
                       const map_area *which, ptl_error *err);

    /* ---- spills of a local map: how high its tiles lie, and how high the sea must stand to
     * reach each tile (codec/spills/spill_codec.h) ---- */
    /* Reads a map's spills into *out, which the caller owns and which is emptied first. *found
     * is false if the map has none. */
    ptl_status (*spill_read)(bytes *out, bool *found, ptl_store *store, int64_t world_id,
                             ptl_omt at, ptl_error *err);
    /*
     * Writes a map's spills, replacing earlier ones, in a transaction of the caller's; an empty
     * blob removes them. PTL_ERR_NOT_FOUND if no map is stored there. A map that is written
     * again keeps its spills; a map that is dropped loses them.
     */
    ptl_status (*spill_put)(ptl_store *store, int64_t world_id, ptl_omt at, const bytes *spills,
                            ptl_error *err);
    /* Removes the spills of all maps of the area, even of edited ones, in a transaction of the
     * caller's. */
    ptl_status (*spill_drop)(ptl_store *store, int64_t world_id, const map_area *which,
                             ptl_error *err);

    /* ---- local tides of a world, identified by their place and the turn at which they begin
     * ---- */
    /* Adds a local tide that is not there yet, in a transaction of the caller's. */
    ptl_status (*surge_insert)(ptl_store *store, int64_t world_id, const surge_row *surge,
                               ptl_error *err);
    /* Removes the local tide with this place and first turn, in a transaction of the caller's.
     * It is no error if there is none. */
    ptl_status (*surge_remove)(ptl_store *store, int64_t world_id, const surge_row *surge,
                               ptl_error *err);
    /* Visits local tides in the order of x, y and first turn. */
    ptl_status (*surge_visit)(ptl_store *store, int64_t world_id, const surge_area *which,
                              surge_visit *visit, void *payload, ptl_error *err);
} map_operations;

/* ---- edits: what a game has changed on overmaps. The store keeps them beside the chunks, and
 * no other operation applies them: chunks, levels and digests are as they were made. src/world
 * shows both together (world/edits.h) ---- */

typedef struct edit_operations {
    /* Writes what an edit changes in one chunk, in a transaction of the caller's. cat gives the
     * id texts of the oters. */
    ptl_status (*write)(ptl_store *store, int64_t world_id, const edit_row *row,
                        const catalogue *cat, ptl_error *err);
    /* Visits rows in the order of x, y, number, with the oters of cat. PTL_ERR_MISMATCH names
     * an oter that cat lacks. The visitor must not use the store. */
    ptl_status (*visit)(ptl_store *store, int64_t world_id, const edit_area *which,
                        const catalogue *cat, edit_visit *visit, void *payload, ptl_error *err);
    /* Gets the greatest number of the world's edits; 0 if there are none. */
    ptl_status (*last)(int64_t *out, ptl_store *store, int64_t world_id, ptl_error *err);
    /* Writes a placement of an edit, whose row in the same chunk is written before, in a
     * transaction of the caller's. */
    ptl_status (*placed_write)(ptl_store *store, int64_t world_id, const placed_row *row,
                               ptl_error *err);
    /* Visits placements in the order of x, y, number, part; `levels` of the area does not
     * count. A row is borrowed for the visit. The visitor must not use the store. */
    ptl_status (*placed_visit)(ptl_store *store, int64_t world_id, const edit_area *which,
                               placed_visit *visit, void *payload, ptl_error *err);
} edit_operations;

/* ---- notes, marks and facts of a game (codec/saved_codec.h) ---- */

typedef struct saved_operations {
    /* Writes a row in place of the one with its key, in a transaction of the caller's. A row
     * with `removed` stays, too, so that later saves can see when something was removed. */
    ptl_status (*put)(ptl_store *store, int64_t world_id, const saved_row *row, ptl_error *err);
    /* Visits rows in the order of saved_row_compare, also those with `removed`. A row is
     * borrowed for the visit. The visitor must not use the store. */
    ptl_status (*visit)(ptl_store *store, int64_t world_id, const saved_which *which,
                        saved_visit *visit, void *payload, ptl_error *err);
    /* Gets the greatest revision of the world's rows; 1 if there are none. */
    ptl_status (*revision)(int64_t *out, ptl_store *store, int64_t world_id, ptl_error *err);
} saved_operations;

typedef struct sweep_operations {
    /* Finds a sweep by its name; NULL means the only one. PTL_ERR_NOT_FOUND comes with a
     * message that lists the names. */
    ptl_status (*find)(sweep_row *out, ptl_store *store, const char *name, ptl_error *err);
    /* Adds a sweep, in a transaction of the caller's; sets row->id. PTL_ERR_EXISTS if the name
     * is taken. */
    ptl_status (*insert)(ptl_store *store, sweep_row *row, ptl_error *err);
    /* Removes a sweep with all its overmaps, in a transaction of the caller's. */
    ptl_status (*delete)(ptl_store *store, int64_t sweep_id, ptl_error *err);
    ptl_status (*count)(uint64_t *out, ptl_store *store, ptl_error *err);
    /* Sets *has to whether the sweep has the overmap of this seed and place. */
    ptl_status (*chunk_has)(bool *has, ptl_store *store, int64_t sweep_id, uint64_t seed,
                            ptl_chunk_pos pos, ptl_error *err);
    /* Adds an overmap to the sweep, in a transaction of the caller's. An overmap of the same
     * seed and place is replaced. */
    ptl_status (*chunk_insert)(ptl_store *store, int64_t sweep_id, uint64_t seed,
                               ptl_chunk_pos pos, const encoded_summary *e, ptl_error *err);
    /*
     * Visits all overmaps of a sweep in the order of seed (unsigned), x, y. Those columns of
     * the summary are decoded whose bits are set in `parts`, after the checksum has been
     * verified. Ids in the summary are borrowed from the store's dictionary; the summary lasts
     * until the callback returns. Unless the caller has a transaction open, only a few overmaps
     * are read in each snapshot, so that writers need not wait for the whole visit. The
     * callback must not write to this store, nor visit sweeps of it.
     */
    ptl_status (*chunk_visit)(ptl_store *store, int64_t sweep_id, uint32_t parts,
                              sweep_visit *visit, void *payload, ptl_error *err);
    /* Visits the rows of all sweeps, in the order of their names; overmaps are not read. */
    ptl_status (*visit)(ptl_store *store, sweep_row_visit *visit, void *payload,
                        ptl_error *err);
    ptl_status (*chunk_total)(sweep_totals *out, ptl_store *store, int64_t sweep_id,
                              ptl_error *err);
} sweep_operations;

/* ---- scratch stores: stores that are thrown away; each belongs to one thread at a time
 * ---- */

typedef struct scratch_operations {
    /*
     * Opens a scratch store at `path`, of the same kind as the source and with the same content
     * under the same ids. The backend need not make the scratch store durable, and references
     * between its rows are not checked. A request to stop the source stops work in the scratch
     * store, too. *out is new: close it, then remove the file at the path.
     */
    ptl_status (*open)(ptl_store **out, ptl_store *source, const char *path, ptl_error *err);
    /* Removes all worlds and everything that belongs to them from a scratch store, in a
     * transaction of the caller's. */
    ptl_status (*clear)(ptl_store *store, ptl_error *err);
} scratch_operations;

/* ---- optional groups of operations ---- */

typedef struct query_cursor query_cursor; /* a query under way; private to the backend */

/* Rows of a table or view that are wanted. */
typedef struct query_selection {
    const char *table, *columns; /* `columns`: names with commas between them */
    const char *owner;           /* the column that must have the value ?1; NULL: none */
    struct query_range {
        const char *column;
        int64_t low, high; /* both included */
    } ranges[3];
    size_t range_count;
} query_selection;

/* The operations of a backend that answers SQL (portolan/query.h), with views, virtual tables
 * and functions. */
typedef struct query_operations {
    /* Appends the SQL that reads these rows. */
    void (*select)(bytes *sql, const query_selection *selection);
    /* Begins a query whose rows the caller takes bit by bit. *out is the caller's: close it
     * before the store. `sql`, and what the options point to, are borrowed until then. */
    ptl_status (*open)(query_cursor **out, ptl_store *store, const char *sql,
                       const ptl_query_options *options, ptl_error *err);
    /* Gives the next rows to on_row, until it returns false: then *more becomes true, and the
     * next call goes on with the row that follows. *more is false at the end and after an
     * error. */
    ptl_status (*next)(query_cursor *cursor, bool *more, ptl_error *err);
    /* Returns the names of the columns, borrowed until the next call on the cursor. */
    const char *const *(*names)(const query_cursor *cursor, size_t *count);
    void (*close)(query_cursor *cursor);
    /* Gives all rows to on_row; PTL_ERR_CANCELLED if it returns false. */
    ptl_status (*run)(ptl_store *store, const char *sql, const ptl_query_options *options,
                      ptl_error *err);
    ptl_status (*columns)(ptl_store *store, const char *sql, column_name_visit *on_name,
                          void *payload, ptl_error *err);
    ptl_status (*tables)(ptl_store *store, table_visit *on_table, void *payload,
                         ptl_error *err);
    ptl_status (*table_columns)(ptl_store *store, const char *table, column_visit *on_column,
                                void *payload, ptl_error *err);
} query_operations;

/* The operations of a backend that can unpack chunks into plain tables for SQL
 * (portolan/index.h). */
typedef struct index_operations {
    ptl_status (*update)(ptl_store *store, const ptl_index_options *options,
                         ptl_index_report *report, ptl_error *err);
    /* Drops those tables of `portolan index` whose bits are set in `parts` (1..PTL_INDEX_ALL).
     * *found becomes the number of those that existed. */
    ptl_status (*drop)(ptl_store *store, uint32_t parts, int *found, ptl_error *err);
    /* Counts the chunks of a world that are unpacked in the tables of `portolan index`, that
     * have changed since they were unpacked, and that are not unpacked. */
    ptl_status (*look)(ptl_store *store, int64_t world_id, ptl_index_state *out,
                       ptl_error *err);
} index_operations;

/* The operations of a backend that keeps a file of its own (portolan/store.h, backup.h). The
 * pointers to structs of options and reports are never NULL, and these structs have all members
 * that this version of the library knows. That is also so in query_operations and
 * index_operations. */
typedef struct file_operations {
    ptl_status (*verify)(ptl_store *store, problem_visit *on_problem, void *payload,
                         ptl_verify_counts *counts, ptl_error *err);
    ptl_status (*backup)(ptl_store *store, const char *path, const ptl_backup_options *options,
                         ptl_backup_report *report, ptl_error *err);
    ptl_status (*journal)(ptl_store *store, ptl_journal_info *out, ptl_error *err);
    const ptl_store_copy *(*is_copy)(const ptl_store *store);
    ptl_status (*aside_visit)(ptl_store *store, aside_visit *visit, void *payload,
                              ptl_error *err);
} file_operations;

typedef struct store_operations {
    const char *name; /* name of the backend, for messages */
    bool lasting;     /* true: what was committed is kept after the process has ended */
    void (*close)(ptl_store *store);
    const char *(*path)(const ptl_store *store);
    const transaction_operations *transaction;
    const content_operations *content;
    const world_operations *world;
    const chunk_operations *chunk;
    const run_operations *run;
    const map_operations *map;
    const edit_operations *edit;
    const saved_operations *saved;
    const import_operations *import;
    const sweep_operations *sweep;
    const scratch_operations *scratch;
    /* SQL functions that code outside of src/store adds to this store's SQL; NULL if the
     * backend answers no SQL. */
    const struct sql_above *sql;
    /* The optional groups. Where a member is NULL the public calls return PTL_ERR_UNSUPPORTED
     * with the message "a store in <name> has no ...". */
    const query_operations *query; /* NULL: the backend answers no SQL */
    const index_operations *index; /* NULL: the backend has no index tables */
    const file_operations *file;   /* NULL: there is no file to verify, back up or repair */
} store_operations;

/* The first member of struct ptl_store in every backend. The other members of that struct are
 * private to the backend. */
typedef struct store_head {
    const store_operations *operations;
} store_head;

/* Returns the store's operations. This works for every backend, because its struct ptl_store
 * begins with a store_head. */
static inline const store_operations *ops(const ptl_store *store)
{
    return ((const store_head *)(const void *)store)->operations;
}

/* Visits all kept objects of one type of JSON object. */
ptl_status store_kept_visit(ptl_store *store, const char *type, kept_text_visit *visit,
                            void *payload, ptl_error *err);

/* ---- calls that need a store with a file; without one they return PTL_ERR_UNSUPPORTED ---- */

/* Returns PTL_ERR_UNSUPPORTED unless the store has a file. Repair calls this first, because it
 * works on the rows of a file. */
ptl_status store_file_expect(const ptl_store *store, ptl_error *err);
/* Visits the rows that repair set aside, ordered by number. Each row is borrowed until the
 * visitor returns. */
ptl_status store_aside_visit(ptl_store *store, aside_visit *visit, void *payload,
                             ptl_error *err);
