/* What a store keeps, as plain values: a struct for each kind of row, structs that say which
 * rows are wanted, and the types of functions that are called with each row. The operations
 * themselves are in store.h. */
#pragma once

#include "codec/chunk_codec.h"
#include "codec/edit_codec.h"
#include "codec/feature_codec.h"
#include "codec/local/local_codec.h"
#include "codec/placed_codec.h"
#include "codec/saved_codec.h"
#include "codec/summary_codec.h"
#include "core/stop.h"
#include "model/edge.h"
#include "portolan/backup.h"
#include "portolan/catalogue.h"
#include "portolan/generate.h"
#include "portolan/repair.h"
#include "portolan/store.h"
#include "store/content_store.h"

typedef struct ptl_catalogue catalogue;

typedef struct world_row {
    int64_t id;
    char *name; /* owned; so is the text of `region` */
    uint64_t seed;
    PTL_WORLD_SETTINGS(PTL_SETTING_MEMBER, )
    int32_t generator_version;
    int64_t content_id; /* the content that the world was made with */
} world_row;

/* Copies one setting of a world from *from to *c. PTL_WORLD_SETTINGS(WORLD_ROW_TAKE, c) uses it
 * for each setting, and so copies all settings. `from` is a ptl_world_options or another row;
 * the region's text still belongs to it. */
#define WORLD_ROW_TAKE(c, kind, type, name, option, otherwise, low, high, value, meaning)      \
    (c)->name = from->name;

/* Frees the texts that the row owns, but not the row itself. A zeroed row is fine. */
void world_row_dispose(world_row *row);

typedef struct chunk_info {
    int64_t id;
    ptl_chunk_pos pos;
    /* Bit z + 10: level z is stored; each other level consists of a single oter. */
    uint32_t level_mask;
    int32_t generator_version;
    int64_t content_id;
    char last_step[32]; /* name of the last step of generation that ran; "" if all steps ran */
    digest omts;        /* canonical digest of the OMTs */
    digest features;    /* canonical digest of cities, radios, placements and monster groups */
    bool imported;      /* imported from a game's save; otherwise generated */
} chunk_info;

/* An event: something that a step of generation could not do as asked. */
typedef struct event_row {
    /* Borrowed; kind is for example "unreached" or "lake_link_failed". */
    const char *step, *kind;
    int32_t x, y, z;    /* OMTs in the chunk; x and y are -1 if the event has no place */
    const char *detail; /* what the event says besides its kind; borrowed; may be "" */
} event_row;

/* A chunk that a generating thread hands to the writer. */
typedef struct chunk_write {
    encoded_chunk encoded; /* borrowed: the caller disposes of it after the chunk was written */
    int32_t generator_version;
    int64_t content_id;
    const char *last_step; /* borrowed; name of the last step of generation that ran; NULL if
                            * all steps ran */
    bool imported;         /* the chunk comes from a game's save, so its edges are foreign (see
                            * edge_find) */
    /* Replace a generated chunk at the same place; an imported one is never replaced. */
    bool replace;
    /* Result (may be NULL): whether a chunk was replaced whose digests differ from those of the
     * new chunk. */
    bool *changed;
    const encoded_features *features; /* borrowed; if this is NULL, the chunk is written with an
                                       * empty set of features */
    /* Borrowed: the chunk's N, E, S and W edges; each is written if it is not saved yet. */
    edge *edges[4];
    const event_row *events;
    size_t event_count;
} chunk_write;

/* Selects some of a world's chunks by their place, and by how they were made. */
typedef struct chunk_filter {
    int32_t x0, x1, y0, y1; /* chunk coordinates, both ends included */
    /* Select only chunks that were made with another content than content_id, or by an older
     * generator than generator_version. */
    bool stale;
    int64_t content_id;
    int32_t generator_version;
    bool generated; /* select only chunks that were not imported */
} chunk_filter;

/* A chunk_filter that selects all chunks there can be. */
#define CHUNK_FILTER_ALL                                                                       \
    {                                                                                          \
        .x0 = -PTL_CHUNK_COORD_MAX, .x1 = PTL_CHUNK_COORD_MAX, .y0 = -PTL_CHUNK_COORD_MAX,     \
        .y1 = PTL_CHUNK_COORD_MAX                                                              \
    }

/* A stored chunk that a visitor may use until it returns. Its levels and features are read only
 * when the visitor asks for them. */
typedef struct stored_chunk {
    ptl_store *store;
    chunk_info info;
    const void *row; /* an object of the backend's, such as its statement, which the backend
                        needs to read the chunk */
} stored_chunk;

/* Counts of the chunks of a world, and the bounds of their coordinates. */
typedef struct chunk_totals {
    uint64_t chunks;
    uint64_t whole; /* number of generated chunks for which all steps ran */
    uint64_t unfinished, imported;
    /* Number of chunks generated with another content than the one that the caller asked
     * about. */
    uint64_t foreign;
    uint64_t stale; /* number of generated chunks that were made with another content (`foreign`
                       counts these, too) or by an older generator */
    /* The least and greatest coordinates of all chunks; 0 if there are no chunks. */
    int32_t west, north, east, south;
} chunk_totals;

typedef struct city_row {
    const char *name; /* borrowed for the visit */
    ptl_chunk_pos chunk;
    int32_t number; /* number of the city in its chunk, from 0 */
    int32_t x, y;   /* centre of the city, OMTs in the chunk (0..179) */
    int32_t size;
} city_row;

/* A special that was placed on the map. */
typedef struct place_row {
    const char *special; /* id of the special; borrowed for the visit */
    ptl_chunk_pos chunk;
    int32_t number;  /* number of the placement in its chunk, from 0 */
    int32_t x, y, z; /* origin, in OMTs from the chunk's north-western corner */
} place_row;

/* A pack that a content was imported from. */
typedef struct pack_row {
    const char *id; /* borrowed for the visit */
    bool own;       /* Portolan's own pack, which has no directory */
    /* Directory or file of the pack; borrowed for the visit; "" for Portolan's own pack. */
    const char *directory;
} pack_row;

/* An object of the content that is kept as JSON text. */
typedef struct kept_row {
    /* Position in the order in which objects were read, from 1; there may be gaps. */
    int64_t number;
    const char *type;
    const char *path; /* path of the file that the object was read from */
    int64_t line;
    const char *text; /* strict JSON of `size` bytes; a NUL stands somewhere behind it */
    size_t size;
} kept_row;

/* Selects kept objects. */
typedef struct kept_text_query {
    const char *const *types; /* a list of at most KEPT_TYPES_MAX types, followed by NULL */
    /* One of the object's names: its id, or the terrain or special that a mapgen object is for.
     * NULL if the name does not matter. */
    const char *name;
} kept_text_query;
enum { KEPT_TYPES_MAX = 64 };

/* A terrain, special, building or region that a content defines. */
typedef struct definition_row {
    ptl_content_kind kind; /* terrain, special (or building), or region */
    const char *id;        /* borrowed for the visit */
    int64_t pack; /* index of the pack that defines this terrain, special or region, from 0 */
} definition_row;

/* A sweep. `settings` has the settings that its overmaps are made with; the id, name and seed
 * in it are unused. */
typedef struct sweep_row {
    int64_t id;
    char *name;         /* owned; unique in the file, and as valid as a world's name must be */
    world_row settings; /* owned */
} sweep_row;

void sweep_row_dispose(sweep_row *row);

/* How many overmaps a sweep has, and which seeds. */
typedef struct sweep_totals {
    uint64_t overmaps, seeds; /* `seeds`: how many different seeds the overmaps have */
    uint64_t first, last;     /* least and greatest seed; 0 if there are none */
} sweep_totals;

typedef struct run_row {
    int64_t id, world_id;
    const char *command, *started; /* both borrowed for the visit; `started` is in UTC, as ISO
                                    * 8601 */
    const char *outcome;           /* borrowed for the visit; NULL: the run has not ended */
    uint64_t chunks; /* number of chunks that the run wrote; this and `seconds` are set only if
                      * the run has ended */
    double seconds;
} run_row;

/* What the store knows of a local map, apart from its tiles and from what stands on them. */
typedef struct map_info {
    ptl_omt at;
    const char *oter; /* id of the terrain that the map was made for */
    /* Revision of the stored map, from 1; each writing adds 1. */
    int64_t revision;
    int64_t turn; /* the game's turn for which the map was made */
    int64_t content_id;
    int32_t generator_version;
    bool edited;   /* a game has written the map */
    bool fallback; /* the map's terrain had no mapgen that could be run */
} map_info;

/* A local map that was read from the store. Zero this struct before its first use. */
typedef struct stored_map {
    map_info info; /* its texts belong to `pool` */
    local_map map; /* owned; its ids belong to `pool` */
    id_pool *pool; /* owned */
} stored_map;

/* Frees what the map owns. A zeroed map is fine. */
void stored_map_dispose(stored_map *map);

/* Sets and returns PTL_ERR_EXISTS, for backends that refuse to write a map: the stored map has
 * revision `is` (0: there is none), but its writer last saw the revision in `wanted`. */
ptl_status map_conflict(const map_info *wanted, int64_t is, ptl_error *err);

/* A local map to be written. info.revision is the revision that the writer last saw, 0 if it
 * saw no map. */
typedef struct map_write {
    map_info info; /* what the store is to say of the map; info.oter is borrowed */
    const encoded_local *encoded; /* borrowed */
    /* The writer knows that every tile has the same terrain as in the stored map, so the store
     * need not compare them. */
    bool same_ground;
} map_write;

/* Selects local maps in a rectangle of OMTs, on all levels. */
typedef struct map_area {
    int64_t x0, x1, y0, y1; /* OMTs, both ends included */
    /* Selects only maps whose revision is greater than this. With 1, these are the maps that
     * were written more than once. */
    int64_t after;
    bool edited; /* of map_operations.drop: edited maps are dropped, too */
} map_area;

/* A local tide that a game asked for: from one turn to another, at one place. */
typedef struct surge_row {
    int64_t x, y;         /* absolute tiles of level 0 */
    int64_t begins, ends; /* turns of the game; the tide lasts until the turn before `ends` */
} surge_row;

/* Selects local tides that lie in a rectangle of tiles and last during any turn of a period. */
typedef struct surge_area {
    int64_t x0, x1, y0, y1; /* the rectangle of tiles, both ends included */
    int64_t from, to;       /* turns, both ends included */
} surge_area;

/* Tells whether a local tide lies in the area and lasts during the period. Backends call
 * this. */
static inline bool surge_is_in(const surge_row *s, const surge_area *a)
{
    return s->x >= a->x0 && s->x <= a->x1 && s->y >= a->y0 && s->y <= a->y1 &&
           s->begins <= a->to && s->ends > a->from;
}

/* What an edit changes in one chunk. */
typedef struct edit_row {
    ptl_chunk_pos chunk;
    int64_t number;            /* of the edit, from 1 in each world */
    const char *author, *text; /* both borrowed for the visit */
    int64_t turn;
    int64_t undoes;         /* number of the edit that this one takes back; 0: none */
    const edit_cell *cells; /* borrowed for the visit; oters of a catalogue, sorted by place,
                             * each place once */
    size_t count;           /* at least 1 */
} edit_row;

/* Selects the rows of edits in a rectangle of chunks. */
typedef struct edit_area {
    int32_t x0, x1, y0, y1; /* chunk coordinates, both ends included */
    uint32_t levels;        /* only rows that change a cell of a level whose bit (z + 10) is
                             * set */
    int64_t number;         /* only the edit of this number; 0: all. Then the rest is ignored */
} edit_area;

/* An edit_area that selects all rows. */
#define EDIT_AREA_ALL                                                                          \
    {                                                                                          \
        .x0 = -PTL_CHUNK_COORD_MAX, .x1 = PTL_CHUNK_COORD_MAX, .y0 = -PTL_CHUNK_COORD_MAX,     \
        .y1 = PTL_CHUNK_COORD_MAX, .levels = (1 << PTL_LEVELS) - 1                             \
    }

/* Selects notes, marks or facts of a world. */
typedef struct saved_which {
    saved_type type;
    const saved_row *key; /* only the row with this key; NULL: all. Then the rest is ignored */
    bool for_other; /* the key is that of a row that may be written in place of the stored one:
                     * if the value of a fact has another size, its `data` may be NULL */
    const char *owner; /* only those of this viewer, or facts of this namespace; NULL: all */
    int64_t x0, x1, y0, y1; /* only those with a place in this area, both ends included */
} saved_which;

/* A saved_which that selects all rows of a type. */
#define SAVED_ALL(t)                                                                           \
    {                                                                                          \
        .type = (t), .x0 = INT64_MIN, .x1 = INT64_MAX, .y0 = INT64_MIN, .y1 = INT64_MAX        \
    }

/* Work that is a whole transaction, so that it can be run again. Before `run` returns
 * PTL_ERR_BUSY, it rolls its transaction back. */
typedef struct patient_work {
    ptl_status (*run)(void *payload, ptl_error *err);
    /* Is called every now and then while the store waits, with the seconds waited; false ends
     * the waiting. May be NULL. */
    bool (*go_on)(void *payload, double seconds);
    void *payload;
} patient_work;

typedef ptl_status event_visit(void *payload, const event_row *event, ptl_error *err);
typedef ptl_status stored_chunk_visit(void *payload, const stored_chunk *chunk, ptl_error *err);
typedef ptl_status world_visit(void *payload, const world_row *world, ptl_error *err);
typedef ptl_status city_visit(void *payload, const city_row *city, ptl_error *err);
typedef ptl_status place_visit(void *payload, const place_row *place, ptl_error *err);
/* Is called for each chunk with its overview; cells is NULL if the overview can't be read or is
 * missing. */
typedef ptl_status overview_visit(void *payload, ptl_chunk_pos pos,
                                  const ptl_oter cells[PTL_OVERVIEW_CELLS], ptl_error *err);
typedef ptl_status pack_visit(void *payload, const pack_row *pack, ptl_error *err);
typedef ptl_status definition_visit(void *payload, const definition_row *definition,
                                    ptl_error *err);
typedef ptl_status kept_text_visit(void *payload, const kept_row *object, ptl_error *err);
typedef ptl_status map_visit(void *payload, const map_info *map, ptl_error *err);
typedef ptl_status surge_visit(void *payload, const surge_row *surge, ptl_error *err);
typedef ptl_status edit_visit(void *payload, const edit_row *row, ptl_error *err);
typedef ptl_status placed_visit(void *payload, const placed_row *row, ptl_error *err);
typedef ptl_status saved_visit(void *payload, const saved_row *row, ptl_error *err);
typedef ptl_status run_visit(void *payload, const run_row *run, ptl_error *err);
typedef ptl_status sweep_row_visit(void *payload, const sweep_row *sweep, ptl_error *err);
/* Types of functions that a program gives to public calls: the first three to calls that list
 * tables and columns, the fourth to ptl_verify. */
typedef void column_name_visit(void *payload, const char *name);
typedef void table_visit(void *payload, const char *name, bool is_view);
typedef void column_visit(void *payload, const char *name, const char *type);
typedef void problem_visit(void *payload, const ptl_problem *problem);
/* Is called for each row that repair set aside. The row is borrowed until the call returns. */
typedef ptl_status aside_visit(void *payload, const ptl_set_aside *row, ptl_error *err);
/* Is called for each overmap. Returning false ends the visit with PTL_ERR_CANCELLED. */
typedef bool sweep_visit(void *payload, uint64_t seed, const summary *s);
