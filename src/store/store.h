/*
 * The contract between what keeps worlds and all that makes, reads and measures them. Below it
 * stand backends: store/sqlite keeps everything in one file. Nothing above knows rows, SQL or
 * pages; no backend knows what a river is.
 *
 * A backend is a table of operations, which its stores begin with, not a set of functions to be
 * linked: one process will have a world file and a server's database open at the same time, and
 * a test can put itself between. The way through the table costs about a nanosecond; the
 * operations behind it take from 60,000 of them (a level) on.
 *
 * Names. An operation is called store_OBJECT_VERB, with the object in the singular also where
 * many are meant, and store_VERB where the object is the store itself: its transactions, its
 * stops. What the store lends or opens has operations of its own: TYPE_VERB (stored_chunk_...,
 * content_rows_...). A backend calls its part of it BACKEND_OBJECT_VERB; nothing else begins
 * with store_. The verbs: find looks one up by name or place, read decodes it, visit gives one
 * after the other to a function, list gives a new array of all, next the first after a place;
 * count, has, insert, write, renew, delete, digest, check and load are what they say.
 *
 * What every backend promises:
 *
 * Durability. When store_commit returns PTL_OK, what was written since store_begin stays,
 * whatever happens to the process or the machine. Before, or after an error, or when the
 * process ends in between, nothing of it is there. (A backend that says in
 * store_operations.lasting that it keeps nothing promises the second half alone.)
 *
 * Isolation. A write transaction is alone: others that want one wait for their turn, or get
 * PTL_ERR_BUSY. Readers see what was committed when their snapshot began, never part of a
 * transaction, and the store that writes sees its own. An operation outside of any transaction
 * is one of its own. PTL_ERR_BUSY means that nothing was done: store_retry tries again.
 *
 * Identity. Numbers of worlds, chunks, runs and contents are the backend's, positive, and not
 * used again for another while something names them. Oters and other ids go by their texts in
 * what lasts: a catalogue with other numbers reads the same chunk.
 *
 * Purity. Two stores that were given the same chunks and edges have the same digests, in
 * whatever order these came.
 *
 * Errors. PTL_ERR_CORRUPT: what is kept is not what was written; a backend looks each time it
 * reads. PTL_ERR_MISMATCH: it is, but the catalogue given lacks something of it. A *found that
 * is false is no error. PTL_ERR_UNSUPPORTED: this backend lacks the operation; those it may
 * lack say so below. backend_code of an error is the backend's own.
 *
 * Threads. A store and what it lends belong to one thread at a time; another thread opens a
 * store of its own. Only the hook of store_stop_hook is asked from any thread. Encoding
 * (codec/) needs no store: threads do it, and one writes.
 *
 * Texts and lists that a visitor is given last until it returns; unless something else is said,
 * it must not use the store. If it returns an error that ends the visit, and is its result.
 *
 * Capabilities. All that is declared here and in content_store.h a backend has; what it may
 * have beside that is in operations.h: SQL with views, virtual tables and functions
 * (ptl_query), an index (ptl_index_update), and a file of its own (ptl_verify, ptl_backup,
 * ptl_journal_info_load, ptl_repair). The public calls return PTL_ERR_UNSUPPORTED, and say what
 * the backend lacks, where it has not.
 *
 * Each group of operations below says where these promises differ for it. Where it says
 * nothing: what writes is called in a transaction of the caller's and lasts with its commit;
 * what reads does so in the caller's transaction or snapshot, or else in one of its own; both
 * by the store's thread.
 *
 * Places that are kept, not made: each will be a group like the others, with these promises.
 *   Summaries of chunks. A summary in chunk_write (an encoded_summary, made by the generating
 *   thread), written, replaced and deleted with its chunk in the same transaction, and
 *   store_summary_read beside store_features_read: measuring need not decode tiles. A chunk
 *   without one is measured from its tiles, as today.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "codec/chunk_codec.h"
#include "codec/feature_set.h"
#include "codec/local/local_codec.h"
#include "codec/summary_codec.h"
#include "core/stop.h"
#include "model/edge.h"
#include "portolan/catalogue.h"
#include "portolan/generate.h"
#include "portolan/repair.h"
#include "portolan/store.h"

typedef struct ptl_catalogue catalogue;

/* ---- what is kept ---- */

typedef struct world_row {
    int64_t id;
    char *name; /* owned, as the region is */
    uint64_t seed;
    PTL_WORLD_SETTINGS(PTL_SETTING_MEMBER, )
    int32_t generator_version;
    int64_t content_id; /* the content that the world was made with */
} world_row;

/* Takes over all settings from ptl_world_options or another row; the region stays the other's.
 */
#define WORLD_ROW_TAKE(c, kind, type, name, option, otherwise, low, high, value, meaning)      \
    (c)->name = from->name;

void world_row_dispose(world_row *row);

typedef struct chunk_info {
    int64_t id;
    ptl_chunk_pos pos;
    uint32_t level_mask; /* bit z + 10: level z is stored; the others hold one oter each */
    int32_t generator_version;
    int64_t content_id;
    char last_step[32]; /* "" if all steps ran; else the last step that did */
    digest tiles;       /* canonical digest of the tiles */
    digest features;    /* canonical digest of cities, radios, placements and groups */
    bool imported;      /* from a game's save; else generated */
} chunk_info;

/* Something that a step could not do, or did otherwise than asked. */
typedef struct event_row {
    const char *step, *kind; /* borrowed; kind e.g. "unreached", "lake_link_failed" */
    int32_t x, y, z;         /* chunk-local OMTs; -1, -1 where none applies */
    const char *detail;      /* borrowed; may be "" */
} event_row;

/* What a generating thread hands to the writer. */
typedef struct chunk_write {
    encoded_chunk encoded; /* borrowed: the caller disposes it */
    int32_t generator_version;
    int64_t content_id;
    const char *last_step; /* borrowed; NULL: all steps ran */
    bool imported;         /* from a game's save: its edges are foreign, see below */
    bool replace; /* a generated chunk that is there goes; an imported one stays all the same */
    bool *changed; /* may be NULL: whether what went had other digests; false if nothing went */
    const encoded_features
        *features;  /* borrowed; NULL: none (store_chunk_write encodes that) */
    edge *edges[4]; /* borrowed: the chunk's N, E, S, W edges, written where missing */
    const event_row *events;
    size_t event_count;
} chunk_write;

/* Which of a world's chunks. */
typedef struct chunk_filter {
    int32_t x0, x1, y0, y1; /* both ends included */
    /* Visit only those of another content, or of an older generator. */
    bool stale;
    int64_t content_id;
    int32_t generator_version;
    bool generated; /* only those that were not imported */
} chunk_filter;

/* All that there can be. */
#define CHUNK_FILTER_ALL                                                                       \
    {                                                                                          \
        .x0 = -PTL_CHUNK_COORD_MAX, .x1 = PTL_CHUNK_COORD_MAX, .y0 = -PTL_CHUNK_COORD_MAX,     \
        .y1 = PTL_CHUNK_COORD_MAX                                                              \
    }

/* A chunk as it is kept, while it is visited: what it holds is read when it is asked for. */
typedef struct stored_chunk {
    ptl_store *store;
    chunk_info info;
    const void *row; /* the backend's */
} stored_chunk;

/* What a world's chunks come to. */
typedef struct chunk_totals {
    uint64_t chunks;
    uint64_t whole; /* generated, with all steps */
    uint64_t unfinished, imported;
    uint64_t foreign; /* generated with another content than the one that was asked about */
    uint64_t stale;   /* these, and those of an older generator */
    int32_t west, north, east, south; /* where the outermost lie; 0 if there is none */
} chunk_totals;

typedef struct city_row {
    const char *name; /* borrowed for the visit */
    ptl_chunk_pos chunk;
    int32_t number; /* in its chunk, from 0 */
    int32_t x, y;   /* of its middle, 0..179 in the chunk */
    int32_t size;
} city_row;

/* A special as placed. */
typedef struct place_row {
    const char *special; /* id; borrowed for the visit */
    ptl_chunk_pos chunk;
    int32_t number;  /* in its chunk, from 0 */
    int32_t x, y, z; /* of its origin, from the chunk's north-western corner */
} place_row;

/* A pack that a content was imported from. */
typedef struct pack_row {
    const char *id;        /* borrowed for the visit */
    bool own;              /* Portolan's, from no directory */
    const char *directory; /* or file; borrowed likewise; "" of Portolan's */
} pack_row;

/* An object that is kept as text. */
typedef struct kept_row {
    int64_t number; /* in the order in which they were read; from 1, with gaps perhaps */
    const char *type;
    const char *path; /* of its file */
    int64_t line;
    const char *text; /* strict JSON; a NUL follows, there or later */
    size_t size;
} kept_row;

/* Which of them. */
typedef struct kept_text_query {
    const char *const *types; /* up to NULL; at most KEPT_TYPES_MAX */
    const char *name;         /* one of its names: an id, what mapgen is for; NULL: any */
} kept_text_query;
enum { KEPT_TYPES_MAX = 64 };

/* Something that a content defines, and a world may use. */
typedef struct definition_row {
    ptl_content_kind kind; /* a terrain, a special or building, or a region; no other */
    const char *id;        /* borrowed for the visit */
    int64_t pack;          /* which of the content's packs has it, from 0 */
} definition_row;

/* settings: a world's; id, name and seed mean nothing there. */
typedef struct sweep_row {
    int64_t id;
    char *name;         /* owned; unique in the file; the rules of a world's name hold */
    world_row settings; /* owned */
} sweep_row;

void sweep_row_dispose(sweep_row *row);

/* What a sweep's overmaps come to. */
typedef struct sweep_totals {
    uint64_t overmaps, seeds; /* seeds: how many different ones */
    uint64_t first, last;     /* the least and the greatest; 0 if there is none */
} sweep_totals;

typedef struct run_row {
    int64_t id, world_id;
    const char *command, *started; /* borrowed for the visit; UTC, ISO 8601 */
    const char *outcome;           /* likewise; NULL: it has not ended */
    uint64_t chunks;               /* of one that has ended, as the next */
    double seconds;
} run_row;

/* What is known of a local map beside what it holds. */
typedef struct map_info {
    ptl_omt at;
    const char *oter; /* id of the terrain that it was made for */
    /* Of the map as it is kept: from 1; each writing adds 1. */
    int64_t revision;
    int64_t turn; /* for which it was made */
    int64_t content_id;
    int32_t generator_version;
    bool edited;   /* a game has written it */
    bool fallback; /* its terrain had no mapgen that could be run */
} map_info;

/* A local map as it was read. Zero it before use. */
typedef struct stored_map {
    map_info info; /* its texts are the pool's */
    local_map map; /* owned; its ids are the pool's */
    id_pool *pool; /* owned */
} stored_map;

void stored_map_dispose(stored_map *map);

/* For backends: PTL_ERR_EXISTS, since the map has revision `is` (0: there is none) and its
 * writer saw another. */
ptl_status map_conflict(const map_info *wanted, int64_t is, ptl_error *err);

/* What is to be written. info.revision: the one that the writer saw; 0: there was no map. */
typedef struct map_write {
    map_info info;                /* oter is borrowed */
    const encoded_local *encoded; /* borrowed */
    bool same_ground; /* the writer knows that no terrain changes: stores don't look */
} map_write;

/* Which local maps: of all levels. */
typedef struct map_area {
    int64_t x0, x1, y0, y1; /* OMTs, both ends included */
    int64_t after;          /* only those with a later revision: 1 leaves edited ones */
} map_area;

/* A local tide, as a game called it. */
typedef struct surge_row {
    int64_t x, y;         /* absolute tiles of level 0 */
    int64_t begins, ends; /* turns of the game; ends is the first one after it */
} surge_row;

/* Which surges: those in a rectangle of tiles that last at any of some turns. */
typedef struct surge_area {
    int64_t x0, x1, y0, y1; /* both ends included */
    int64_t from, to;       /* likewise */
} surge_area;

/* For backends. */
static inline bool surge_is_in(const surge_row *s, const surge_area *a)
{
    return s->x >= a->x0 && s->x <= a->x1 && s->y >= a->y0 && s->y <= a->y1 &&
           s->begins <= a->to && s->ends > a->from;
}

/* A whole transaction. When it returns PTL_ERR_BUSY it has rolled back. */
typedef struct patient_work {
    ptl_status (*run)(void *payload, ptl_error *err);
    /* Whether to wait on, asked every now and then; may be NULL. */
    bool (*go_on)(void *payload, double seconds);
    void *payload;
} patient_work;

typedef ptl_status event_visit(void *payload, const event_row *event, ptl_error *err);
typedef ptl_status stored_chunk_visit(void *payload, const stored_chunk *chunk, ptl_error *err);
typedef ptl_status world_visit(void *payload, const world_row *world, ptl_error *err);
typedef ptl_status city_visit(void *payload, const city_row *city, ptl_error *err);
typedef ptl_status place_visit(void *payload, const place_row *place, ptl_error *err);
/* cells NULL: the chunk has no overview that could be read. */
typedef ptl_status overview_visit(void *payload, ptl_chunk_pos pos,
                                  const ptl_oter cells[PTL_OVERVIEW_CELLS], ptl_error *err);
typedef ptl_status pack_visit(void *payload, const pack_row *pack, ptl_error *err);
typedef ptl_status definition_visit(void *payload, const definition_row *definition,
                                    ptl_error *err);
typedef ptl_status kept_text_visit(void *payload, const kept_row *object, ptl_error *err);
typedef ptl_status map_visit(void *payload, const map_info *map, ptl_error *err);
typedef ptl_status surge_visit(void *payload, const surge_row *surge, ptl_error *err);
typedef ptl_status run_visit(void *payload, const run_row *run, ptl_error *err);
typedef ptl_status sweep_row_visit(void *payload, const sweep_row *sweep, ptl_error *err);
/* Returning false stops with PTL_ERR_CANCELLED. */
typedef bool sweep_visit(void *payload, uint64_t seed, const summary *s);

/* ---- transactions: by the store's thread, but for store_stop_hook and its hook ---- */

/* Begins a transaction for writing. */
ptl_status store_begin(ptl_store *store, ptl_error *err);
ptl_status store_commit(ptl_store *store, ptl_error *err);
/* Never fails visibly. */
void store_rollback(ptl_store *store);
/* A read snapshot, until store_commit or store_rollback. */
ptl_status store_begin_read(ptl_store *store, ptl_error *err);
/* The same where the caller may be inside a transaction, which then is the snapshot (*own
 * false). Ending it can't fail. */
ptl_status store_begin_snapshot(ptl_store *store, bool *own, ptl_error *err);
/* The same for a few lookups, of which the first takes the lock: with a lock for each of them
 * they take several times as long. End it as a snapshot. */
ptl_status store_begin_lookups(ptl_store *store, bool *own, ptl_error *err);
void store_end_snapshot(ptl_store *store, bool own);
/*
 * Runs the work until it is not refused as busy. Between attempts readers get their turn, who
 * are held up while a commit waits. PTL_ERR_CANCELLED if a callback ends it; without any
 * callback to do so it gives up after the store's busy timeout.
 */
ptl_status store_retry(ptl_store *store, const patient_work *work, ptl_error *err);

/* What whoever opened the store is asked by, for work that does not use the store. */
stop_hook store_stop_hook(const ptl_store *store);
/* Is the work to end? */
bool store_stopped(const ptl_store *store);
/* Is called with true, then false: stops are not heard in between, for the few rows that say
 * how the work ended and for a batch of chunks that are ready. Waiting for other processes
 * still ends. */
void store_deafen(ptl_store *store, bool on);

/* ---- content: reading; what a catalogue says stays true when another content is imported, and
 * any thread may read it ---- */

/* Loads the present content. *out is new. PTL_ERR_CONTENT if there is none. */
ptl_status store_catalogue_load(catalogue **out, ptl_store *store, ptl_error *err);
/*
 * For reading what was made with content_id: that content, or the current one where the store
 * does not have it any more, or with `current` that one in any case; with all oters that the
 * store's dictionary has beside it.
 */
ptl_status store_catalogue_load_for(catalogue **out, ptl_store *store, int64_t content_id,
                                    bool current, ptl_error *err);
/* What the catalogue of the present content is made from is what was imported: PTL_ERR_CORRUPT
 * names the first part that differs. Loading does without, which takes half as long. */
ptl_status store_content_check_loaded(ptl_store *store, ptl_error *err);
/* *id stays as it is if there is no present content. */
ptl_status store_content_current(int64_t *id, ptl_store *store, ptl_error *err);
/* Writes the digest in hex; "" if the store does not know it. */
ptl_status store_content_digest(char out[65], ptl_store *store, int64_t content_id,
                                ptl_error *err);
/* Its packs, in the order in which they were imported. */
ptl_status store_pack_visit(ptl_store *store, int64_t content_id, pack_visit *visit,
                            void *payload, ptl_error *err);
/* Gives the present content's kept objects, in the order in which they were read: later ones
 * count where two define one thing. While they are visited, no others can be. */
ptl_status store_kept_find(ptl_store *store, const kept_text_query *query,
                           kept_text_visit *visit, void *payload, ptl_error *err);
/* All of a type. */
ptl_status store_kept_visit(ptl_store *store, const char *type, kept_text_visit *visit,
                            void *payload, ptl_error *err);
/* All its terrains, specials and regions, those of one kind after those of the other; of the
 * present content where the store does not have that one any more. */
ptl_status store_definition_visit(ptl_store *store, int64_t content_id, definition_visit *visit,
                                  void *payload, ptl_error *err);

/* ---- worlds ---- */

/* Finds a world; name NULL: the only one. PTL_ERR_NOT_FOUND with a message that lists names. */
ptl_status store_world_find(world_row *out, ptl_store *store, const char *name, ptl_error *err);
/* Adds a world, inside a transaction of the caller's. row->id means nothing; *id, which may be
 * NULL, is the new one. PTL_ERR_EXISTS if the name is taken. */
ptl_status store_world_insert(int64_t *id, ptl_store *store, const world_row *row,
                              ptl_error *err);
/* The world row->id goes over to the row's generator, content and `derive`; its other members
 * mean nothing. Inside a transaction of the caller's. */
ptl_status store_world_renew(ptl_store *store, const world_row *row, ptl_error *err);
ptl_status store_world_count(uint64_t *out, ptl_store *store, ptl_error *err);
/* All worlds, by name. */
ptl_status store_world_visit(ptl_store *store, world_visit *visit, void *payload,
                             ptl_error *err);
/* The canonical digest (format.md, "Digests") of all chunks and edges, from what is kept. A
 * world whose content is gone has one, too. */
ptl_status store_world_digest(ptl_world_digest_result *out, ptl_store *store, int64_t world_id,
                              ptl_error *err);

/* ---- chunks ---- */

/* *found false if there is no such chunk. */
ptl_status store_chunk_find(chunk_info *out, bool *found, ptl_store *store, int64_t world_id,
                            ptl_chunk_pos pos, ptl_error *err);
/*
 * Writes chunk, levels, features, edges and events; inside a transaction of the caller's. If a
 * complete chunk is there already (another process was first, or it was imported), nothing is
 * written and *written is false; a shorter one (last_step) is replaced, as is any generated one
 * if that is asked for. A replaced chunk keeps its id. cat gives id strings
 * for the encoded palettes. PTL_ERR_MISMATCH if a saved edge differs from the one given; edges
 * of an imported chunk that are foreign replace saved ones: PTL_ERR_EXISTS where a generated
 * chunk lies on the other side.
 */
ptl_status store_chunk_write(ptl_store *store, int64_t world_id, int64_t run_id,
                             const chunk_write *w, const catalogue *cat, bool *written,
                             ptl_error *err);
/*
 * Reads and decodes a chunk. cat gives the oters; an id that the catalogue does not know gives
 * PTL_ERR_MISMATCH. *out is NULL and the status PTL_OK if there is no such chunk. info may be
 * NULL.
 */
ptl_status store_chunk_read(ptl_chunk **out, ptl_store *store, int64_t world_id,
                            ptl_chunk_pos pos, const catalogue *cat, chunk_info *info,
                            ptl_error *err);
/*
 * What the chunk holds beside its tiles; out is emptied first, and all its texts become its
 * own. *found false if there is no such chunk. PTL_ERR_MISMATCH names a building that the
 * catalogue does not know. Inside one read transaction with store_chunk_read, if both are to
 * show the same chunk while others write.
 */
ptl_status store_features_read(gen_features *out, bool *found, ptl_store *store,
                               int64_t world_id, ptl_chunk_pos pos, const catalogue *cat,
                               ptl_error *err);
/*
 * The same for who only reads: a special or building that the catalogue does not know is
 * CAT_NONE, and so are pieces and joins of it; it has no attempts.
 */
ptl_status store_features_read_all(gen_features *out, bool *found, ptl_store *store,
                                   int64_t world_id, ptl_chunk_pos pos, const catalogue *cat,
                                   ptl_error *err);
/*
 * Removes a chunk with its levels, features and events; its edges stay. Inside a transaction
 * of the caller's. What was generated comes back the same when it is asked for, unless an
 * edge of it was made foreign meanwhile.
 */
ptl_status store_chunk_delete(bool *found, ptl_store *store, int64_t world_id,
                              ptl_chunk_pos pos, ptl_error *err);
/* Reads one level into cells. *found false if there is no such chunk. */
ptl_status store_level_read(ptl_oter cells[PTL_LEVEL_CELLS], bool *found, ptl_store *store,
                            int64_t world_id, ptl_chunk_pos pos, int32_t z,
                            const catalogue *cat, ptl_error *err);
/* Positions in the order of x, y. *out is new (8 bytes each), NULL for none. */
ptl_status store_chunk_list(ptl_chunk_pos **out, size_t *count, ptl_store *store,
                            int64_t world_id, const chunk_filter *which, ptl_error *err);
ptl_status store_chunk_count(uint64_t *out, ptl_store *store, int64_t world_id,
                             const chunk_filter *which, ptl_error *err);
/* Finds the next one behind *pos in that order; *found false: there is none, and *pos stays.
 * Nothing is held between two calls, which would keep others from writing. stale and generated
 * are not looked at. */
ptl_status store_chunk_next(ptl_chunk_pos *pos, bool *found, ptl_store *store, int64_t world_id,
                            const chunk_filter *which, ptl_error *err);
/*
 * Visits the next chunk behind *pos in that order, which becomes its place; if there is none,
 * nobody is visited. Nothing is held between two calls. In the visit the three functions below
 * give as much of the chunk as the visitor wants, and nothing else of it is read.
 */
ptl_status store_chunk_visit_next(ptl_chunk_pos *pos, ptl_store *store, int64_t world_id,
                                  stored_chunk_visit *visit, void *payload, ptl_error *err);
/* What it holds beside its tiles, over id strings. out is emptied first; ids in it are borrowed
 * from the store until it is closed or rolled back. */
ptl_status stored_chunk_features_read(feature_set *out, const stored_chunk *chunk,
                                      ptl_error *err);
/* What its steps could not do as asked, in the order in which it happened. */
ptl_status stored_chunk_event_visit(const stored_chunk *chunk, event_visit *visit,
                                    void *payload, ptl_error *err);
/*
 * Fills in the levels of a mask (bit z + 10) of a chunk that may have been used before; the
 * others stay as they are. PTL_ERR_MISMATCH names an oter that the catalogue does not know.
 * Less of a chunk that is damaged may be noticed than by store_chunk_read.
 */
ptl_status stored_chunk_levels_read(ptl_chunk *out, const stored_chunk *chunk, uint32_t levels,
                                    const catalogue *cat, ptl_error *err);
/* Adds up all chunks of a world; content_id and generator_version say which are stale. In
 * pieces, each of its own moment, as a million takes a second: stops are heard in between. */
ptl_status store_chunk_total(chunk_totals *out, ptl_store *store, int64_t world_id,
                             int64_t content_id, int32_t generator_version, ptl_error *err);
/* Visits the cities of the chunks from `first` to `last`, both included. */
ptl_status store_city_visit(ptl_store *store, int64_t world_id, ptl_chunk_pos first,
                            ptl_chunk_pos last, city_visit *visit, void *payload,
                            ptl_error *err);
/* Visits the specials as placed in all chunks of a world; special NULL: all, else this one. */
ptl_status store_place_visit(ptl_store *store, int64_t world_id, const char *special,
                             place_visit *visit, void *payload, ptl_error *err);
/* Visits the overviews of all chunks of a world, as oters of cat: PTL_ERR_MISMATCH names one
 * that it does not know. The visit may not use the store. */
ptl_status store_overview_visit(ptl_store *store, int64_t world_id, const catalogue *cat,
                                overview_visit *visit, void *payload, ptl_error *err);

/* ---- edges ---- */

/*
 * *found false if the edge is not saved yet. crossing kinds are borrowed from the store. A
 * foreign edge's border cells become oters of cat (PTL_ERR_MISMATCH if it lacks one); with
 * cat NULL they are left out.
 */
ptl_status store_edge_find(edge *out, bool *found, ptl_store *store, int64_t world_id,
                           int32_t x, int32_t y, edge_side side, const catalogue *cat,
                           ptl_error *err);
ptl_status store_edge_count(uint64_t *out, ptl_store *store, int64_t world_id, ptl_error *err);

/* ---- runs ---- */

/* Begins a run, in a transaction of the caller's or one of its own. */
ptl_status store_run_begin(int64_t *run_id, ptl_store *store, int64_t world_id,
                           const char *command, ptl_error *err);
/* How many chunks name the run: reads them all. After a commit that failed, since that may have
 * lasted all the same. */
ptl_status store_run_count(uint64_t *chunks, ptl_store *store, int64_t run_id, ptl_error *err);
/* Ends a run, as store_run_begin began it; outcome is "done", "cancelled" or "failed". */
ptl_status store_run_end(ptl_store *store, int64_t run_id, uint64_t chunks, double seconds,
                         const char *outcome, ptl_error *err);

/* The last `most` runs of a world, or of all (0), the last one first. */
ptl_status store_run_visit(ptl_store *store, int64_t world_id, uint64_t most, run_visit *visit,
                           void *payload, ptl_error *err);

/* ---- local maps: what lies inside one OMT; a map is read and replaced as a whole ---- */

/* Reads and decodes a map. *found false if there is none; then there is nothing to dispose. */
ptl_status store_map_read(stored_map *out, bool *found, ptl_store *store, int64_t world_id,
                          ptl_omt at, ptl_error *err);
/* The map's revision; 0 if there is none. */
ptl_status store_map_revision(int64_t *out, ptl_store *store, int64_t world_id, ptl_omt at,
                              ptl_error *err);
/*
 * Writes maps, each with the next revision, inside a transaction of the caller's, in what order
 * is the store's affair. Where one has another revision by now than its writer saw,
 * PTL_ERR_EXISTS names the first such map and both revisions; if all were to be new none has
 * been written then. After any other error the caller rolls back: all are written or none.
 */
ptl_status store_map_put(ptl_store *store, int64_t world_id, const map_write *maps,
                         size_t count, ptl_error *err);
/* What is known of the maps of an area, in the order of x, y, z; the ids of their terrains are
 * borrowed for the visit. */
ptl_status store_map_visit(ptl_store *store, int64_t world_id, const map_area *which,
                           map_visit *visit, void *payload, ptl_error *err);
/* Removes the maps of an area that are not edited, in a transaction of the caller's; says how
 * many. The area's revisions are not looked at. */
ptl_status store_map_drop(uint64_t *dropped, ptl_store *store, int64_t world_id,
                          const map_area *which, ptl_error *err);

/* ---- spills of local maps (codec/spills/spill_codec.h), one blob of a map that is stored ----
 */

/* Replaces *out, the caller's, by the blob of the map there; *found false: it has none. */
ptl_status store_spill_read(bytes *out, bool *found, ptl_store *store, int64_t world_id,
                            ptl_omt at, ptl_error *err);
/* Writes it in a transaction of the caller's, in the place of what the map had; without bytes
 * it has none then. PTL_ERR_NOT_FOUND: no map is stored there. A map that is put keeps its
 * blob; what is dropped has none. */
ptl_status store_spill_put(ptl_store *store, int64_t world_id, ptl_omt at, const bytes *spills,
                           ptl_error *err);
/* Takes those of all maps of the area, edited ones, too; likewise. */
ptl_status store_spill_drop(ptl_store *store, int64_t world_id, const map_area *which,
                            ptl_error *err);

/* ---- local tides: a world's, known by their place and the turn at which they begin ---- */

/* Writes one that is not there, in a transaction of the caller's. */
ptl_status store_surge_insert(ptl_store *store, int64_t world_id, const surge_row *surge,
                              ptl_error *err);
/* Removes the one of this place and beginning, likewise; nothing happens if there is none. */
ptl_status store_surge_remove(ptl_store *store, int64_t world_id, const surge_row *surge,
                              ptl_error *err);
/* In the order of x, y and beginning. */
ptl_status store_surge_visit(ptl_store *store, int64_t world_id, const surge_area *which,
                             surge_visit *visit, void *payload, ptl_error *err);

/* ---- sweeps ---- */

/* Finds a sweep; name NULL: the only one. PTL_ERR_NOT_FOUND with a message that lists names. */
ptl_status store_sweep_find(sweep_row *out, ptl_store *store, const char *name, ptl_error *err);
/* Adds a sweep, in a transaction of the caller's; sets row->id. PTL_ERR_EXISTS if the name is
 * taken. */
ptl_status store_sweep_insert(ptl_store *store, sweep_row *row, ptl_error *err);
/* Removes the sweep with all its overmaps; in a transaction of the caller's. */
ptl_status store_sweep_delete(ptl_store *store, int64_t sweep_id, ptl_error *err);
ptl_status store_sweep_count(uint64_t *out, ptl_store *store, ptl_error *err);
/* Is the overmap of this seed there? */
ptl_status store_sweep_chunk_has(bool *has, ptl_store *store, int64_t sweep_id, uint64_t seed,
                                 ptl_chunk_pos pos, ptl_error *err);
/* Writes an overmap, in a transaction of the caller's; replaces what is there. */
ptl_status store_sweep_chunk_insert(ptl_store *store, int64_t sweep_id, uint64_t seed,
                                    ptl_chunk_pos pos, const encoded_summary *e,
                                    ptl_error *err);
/*
 * All overmaps of a sweep in order of (seed as unsigned, x, y), with the wanted parts decoded
 * and their checksums verified. Ids in s are borrowed from the store's dictionary; s lasts
 * until the callback returns. Unless the caller has a transaction open, each few overmaps are
 * read in a snapshot of their own, so that writers need not wait; the callback must not write
 * to this store, nor read sweeps of it.
 */
ptl_status store_sweep_chunk_visit(ptl_store *store, int64_t sweep_id, uint32_t parts,
                                   sweep_visit *visit, void *payload, ptl_error *err);
/* All sweeps, by name. */
ptl_status store_sweep_visit(ptl_store *store, sweep_row_visit *visit, void *payload,
                             ptl_error *err);
ptl_status store_sweep_chunk_total(sweep_totals *out, ptl_store *store, int64_t sweep_id,
                                   ptl_error *err);

/* ---- scratch: nothing of it lasts; it is a store of its own, for one thread at a time ---- */

/*
 * A store at `path`, of the same kind and with the same content under the same numbers, that
 * nobody will miss: it need not last, and references in it are not looked up. It hears the
 * stops of its source. *out is new: close it, and remove what lies at the path.
 */
ptl_status store_scratch_open(ptl_store **out, ptl_store *source, const char *path,
                              ptl_error *err);
/* Removes all worlds with all that belongs to them; of a scratch. In a transaction of the
 * caller's. */
ptl_status store_scratch_clear(ptl_store *store, ptl_error *err);

/* ---- what only a store with a file has: PTL_ERR_UNSUPPORTED of another ---- */

/* For repair, which reads the file's rows. */
ptl_status store_file_expect(const ptl_store *store, ptl_error *err);
/* What repair set aside, by number; borrowed for the visit. */
typedef ptl_status aside_visit(void *payload, const ptl_set_aside *row, ptl_error *err);
ptl_status store_aside_visit(ptl_store *store, aside_visit *visit, void *payload,
                             ptl_error *err);

#endif
