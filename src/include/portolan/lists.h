/*
 * What a file holds, without SQL and without opening a world: contents, worlds, chunks, and
 * what stands in them, listed and counted.
 *
 * A list is read first, all of one moment, and then given to a callback, one by one, which may
 * take its time and use the store. What it is shown carries its size (status.h) and is borrowed
 * until it returns; texts are UTF-8, never NULL unless something else is said. Returning false
 * stops with PTL_ERR_CANCELLED. Worlds are named: PTL_ERR_NOT_FOUND says which there are.
 * PTL_ERR_CORRUPT: a row is damaged, as far as its own checksum or range can tell.
 */
#ifndef PORTOLAN_LISTS_H
#define PORTOLAN_LISTS_H

#include "portolan/catalogue.h"
#include "portolan/import.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- contents ---- */

/* A content that was imported: the present one, or an earlier one that something was made with.
 */
typedef struct ptl_content_info {
    size_t size;
    const char *digest;      /* 64 hexadecimal digits */
    const char *imported_at; /* when last: UTC, ISO 8601 */
    bool lenient;            /* what was wrong was left out */
    bool is_current;         /* the present one; the rest is told of this one alone */
    const char *game;        /* "dda" or "bn"; "" if it is of no game's directory */
    const char *version;     /* of the game; "" if nothing told it */
    ptl_placement placement; /* the rule for new worlds */
} ptl_content_info;

/* All contents, in the order in which they were imported first. */
PTL_API ptl_status ptl_content_list(ptl_store *store,
                                    bool (*on_content)(void *payload,
                                                       const ptl_content_info *content),
                                    void *payload, ptl_error *err);

/* The lists from here to the worlds are of the present content; where there is none they are
 * empty. */

/* A directory or mod that was imported. */
typedef struct ptl_pack_info {
    size_t size;
    const char *id, *name;
    const char *directory; /* "" of Portolan's own */
    int64_t files, objects;
} ptl_pack_info;

/* In the order in which they were imported. */
PTL_API ptl_status ptl_pack_list(ptl_store *store,
                                 bool (*on_pack)(void *payload, const ptl_pack_info *pack),
                                 void *payload, ptl_error *err);

/* Something that the import remarked on; notes are not kept. */
typedef struct ptl_remark {
    size_t size;
    const char *kind; /* "warning", or "unresolved": a reference that was left out */
    const char *file;
    int64_t line, column;  /* from 1; 0 where unknown. Columns count bytes. */
    const char *type, *id; /* of the object; "" where none applies */
    const char *message;
} ptl_remark;

/* In the order of the import's report. */
PTL_API ptl_status ptl_remark_list(ptl_store *store,
                                   bool (*on_remark)(void *payload, const ptl_remark *remark),
                                   void *payload, ptl_error *err);

/* A key that the import does not know, of objects of one type. */
typedef struct ptl_unknown_key {
    size_t size;
    const char *type, *key;
    int64_t objects;  /* that have it */
    const char *file; /* of the first */
    int64_t line;
} ptl_unknown_key;

/* Those of the most objects first, then by type and key. */
PTL_API ptl_status ptl_unknown_key_list(ptl_store *store,
                                        bool (*on_key)(void *payload,
                                                       const ptl_unknown_key *key),
                                        void *payload, ptl_error *err);

/* A definition that the present content has otherwise than the one before. */
typedef struct ptl_content_change {
    size_t size;
    const char *kind; /* "connection", "location", "region", "special" or "terrain" */
    const char *id;
    const char *change; /* "added", "changed" or "removed"; a file or line is no change */
    const char *before; /* digest of the content that it was compared with */
} ptl_content_change;

/* By kind and id, against the content that was imported last before this one, of those that the
 * file keeps: it does so where something was made with it. None is kept: nothing is listed. */
PTL_API ptl_status ptl_content_change_list(ptl_store *store,
                                           bool (*on_change)(void *payload,
                                                             const ptl_content_change *change),
                                           void *payload, ptl_error *err);

/* Terrains (oters, as "house_north") that something saved has and the present content lacks, by
 * id. */
PTL_API ptl_status ptl_lacking_terrain_list(ptl_store *store,
                                            bool (*on_terrain)(void *payload, const char *id),
                                            void *payload, ptl_error *err);

/* Something that the content's mapgen asks for and that is not carried out: local maps are made
 * without it. */
typedef struct ptl_mapgen_undone {
    size_t size;
    /* The member, flag or method; "map extra mx_..."; "no map of terrain ...", whose local maps
     * are of one terrain: there is nothing else to make them of. */
    const char *what;
    int64_t objects;  /* that have it; of a terrain: of its directions or shapes */
    const char *file; /* of the first */
    int64_t line;
} ptl_mapgen_undone;

/* Those of the most objects first, then by name. All kept mapgen is compiled for it, which
 * takes a fraction of a second. */
PTL_API ptl_status ptl_mapgen_undone_list(ptl_store *store,
                                          bool (*on_undone)(void *payload,
                                                            const ptl_mapgen_undone *undone),
                                          void *payload, ptl_error *err);

/* What ptl_world_options.region can name. */
typedef struct ptl_region_name {
    size_t size;
    const char *name;
    const char *region; /* the region_settings that it means; NULL: the dimension has none that
                         * a world could have */
    const char *kind;   /* "region_settings", or the type of the dimension */
    bool is_default;    /* of a world that names none */
    bool has_rivers;
    /* Of rivers as DDA has them since 2025: the share of borders between overmaps that they
     * cross, and the region's river_frequency, which says so. 0: rivers are as before, or none.
     */
    double river_crossings, river_frequency;
} ptl_region_name;

/* By name. */
PTL_API ptl_status ptl_region_name_list(ptl_store *store,
                                        bool (*on_region)(void *payload,
                                                          const ptl_region_name *region),
                                        void *payload, ptl_error *err);

/* A special or city building that the content defines: more of it is in its catalogue. */
typedef struct ptl_special_name {
    size_t size;
    const char *id;
    ptl_special_kind kind;
} ptl_special_name;

/* By id. */
PTL_API ptl_status ptl_special_name_list(ptl_store *store,
                                         bool (*on_special)(void *payload,
                                                            const ptl_special_name *special),
                                         void *payload, ptl_error *err);

/* How a terrain, a piece of furniture or a trap of local maps (local.h) looks. */
typedef struct ptl_local_look {
    size_t size;
    const char *kind;  /* "furniture", "terrain", "trap" */
    const char *id;    /* as ptl_local_terrain and the like give it */
    const char *name;  /* "" if none */
    const char *color; /* as ptl_color_find takes it; "" if none; of the first season */
    uint32_t symbol; /* Unicode code point, of the first season; lines are drawn as lines; 0 if
                      * none */
} ptl_local_look;

/* By kind, then id, with inheritance resolved. */
PTL_API ptl_status ptl_local_look_list(ptl_store *store,
                                       bool (*on_look)(void *payload,
                                                       const ptl_local_look *look),
                                       void *payload, ptl_error *err);

/* ---- worlds ---- */

typedef struct ptl_world_info {
    size_t size;
    const char *name;
    const ptl_world_options *options; /* what it was created with */
    int32_t generator_version;        /* that it is made with */
    const char *content; /* digest of its content, 64 hexadecimal digits; "" if the file does
                          * not know it */
    bool is_current;     /* that content is the file's present one */
} ptl_world_info;

/* All worlds, by name. */
PTL_API ptl_status ptl_world_list(ptl_store *store,
                                  bool (*on_world)(void *payload, const ptl_world_info *world),
                                  void *payload, ptl_error *err);

/* What a world's saved chunks come to. */
typedef struct ptl_world_counts {
    size_t size;
    uint64_t chunks;
    uint64_t unfinished; /* not all steps ran */
    uint64_t imported;   /* from a game's save */
    uint64_t stale;      /* generated with other content than the file holds now, or by an older
                          * generator than this */
    uint64_t foreign;    /* those of them that are of other content */
    uint64_t edges;
    int32_t west, north, east, south; /* where the outermost chunks lie; 0 if there is none */
} ptl_world_counts;

#define PTL_WORLD_COUNTS_INIT PTL_SIZED(ptl_world_counts)

/* Counts them, without opening the world. Of a large world what others write meanwhile may be
 * in it or not. A chunk's row that lies where there can be none is not counted. */
PTL_API ptl_status ptl_world_counts_load(ptl_world_counts *out, ptl_store *store,
                                         const char *name, ptl_error *err);

/* Which of a world's chunks. */
typedef struct ptl_chunk_list_options {
    size_t size;
    int32_t x0, y0, x1, y1; /* both ends included */
    uint32_t stale;         /* 1: only these (see ptl_world_counts); 0: all */
    uint32_t reserved;      /* 0 */
} ptl_chunk_list_options;

#define PTL_CHUNK_LIST_OPTIONS_INIT                                                            \
    {                                                                                          \
        sizeof(ptl_chunk_list_options), -PTL_CHUNK_COORD_MAX, -PTL_CHUNK_COORD_MAX,            \
            PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX, 0, 0                                     \
    }

/* Places of a world's saved chunks, row by row from the north, each from the west; options
 * NULL: all. */
PTL_API ptl_status ptl_chunk_list(ptl_store *store, const char *world,
                                  const ptl_chunk_list_options *options,
                                  bool (*on_chunk)(void *payload, ptl_chunk_pos pos),
                                  void *payload, ptl_error *err);

/* Where a saved chunk is from. */
typedef struct ptl_chunk_info {
    size_t size;
    char content[PTL_CONTENT_DIGEST_SIZE]; /* digest of what it was made with; "" if the file
                                            * does not know it */
    char last_step[32];                    /* "" if all steps ran; else the last one that did */
    bool imported;                         /* from a game's save */
    int32_t generator_version;
} ptl_chunk_info;

#define PTL_CHUNK_INFO_INIT PTL_SIZED(ptl_chunk_info)

/* PTL_ERR_NOT_FOUND if there is no such chunk, PTL_ERR_CORRUPT if its row is damaged. */
PTL_API ptl_status ptl_chunk_info_load(ptl_chunk_info *out, ptl_store *store, const char *world,
                                       ptl_chunk_pos pos, ptl_error *err);

/* A city of a saved chunk. */
typedef struct ptl_city_place {
    size_t size;
    const char *name; /* "" if the content has no names */
    ptl_chunk_pos chunk;
    int32_t number; /* in its chunk: as in ptl_features_city */
    int64_t x, y;   /* its centre, absolute OMTs */
    int32_t radius; /* nominal, OMTs: the city's size */
} ptl_city_place;

/* A special as placed. */
typedef struct ptl_special_place {
    size_t size;
    const char *id;
    ptl_chunk_pos chunk;
    int32_t number; /* in its chunk: as in ptl_features_special, ptl_growth_each */
    int64_t x, y;   /* its origin, absolute OMTs; it may lie beside the chunk */
    int32_t z;
} ptl_special_place;

/* The cities of a world's saved chunks (within NULL: of all; else of those
 * from within[0] to within[1], both included), and the specials that stand in all
 * of them, or those of one id (NULL: all): chunk by chunk as ptl_chunk_list has them, by their
 * numbers. PTL_ERR_CORRUPT where a row's values are out of range. */
PTL_API ptl_status ptl_city_list(ptl_store *store, const char *world,
                                 const ptl_chunk_pos within[2],
                                 bool (*on_city)(void *payload, const ptl_city_place *city),
                                 void *payload, ptl_error *err);
PTL_API ptl_status ptl_special_list(ptl_store *store, const char *world, const char *id,
                                    bool (*on_special)(void *payload,
                                                       const ptl_special_place *special),
                                    void *payload, ptl_error *err);

/*
 * The same specials while they are read, in no order but those of a chunk together, and none
 * held: for counting a million of them. Unlike the lists, on_special runs inside the reading:
 * it must be quick, as a writer may wait for it, and not use the store.
 */
PTL_API ptl_status ptl_special_each(ptl_store *store, const char *world,
                                    bool (*on_special)(void *payload,
                                                       const ptl_special_place *special),
                                    void *payload, ptl_error *err);

/* Something that a step of generation could not do, or did otherwise than asked. */
typedef struct ptl_event_place {
    size_t size;
    const char *step, *kind; /* e.g. "roads", "unreached" */
    const char *detail;      /* "" if there is nothing to add */
    ptl_chunk_pos chunk;
    int32_t number; /* in its chunk: as in ptl_features_event */
    bool has_place;
    int64_t x, y; /* absolute OMTs; 0 where there is none */
    int32_t z;
} ptl_event_place;

/* The events of a world's saved chunks, of all or from within[0] to within[1], both included:
 * chunk by chunk as ptl_chunk_list has them, by their numbers. PTL_ERR_CORRUPT where a chunk or
 * a row is damaged. */
PTL_API ptl_status ptl_event_list(ptl_store *store, const char *world,
                                  const ptl_chunk_pos within[2],
                                  bool (*on_event)(void *payload, const ptl_event_place *event),
                                  void *payload, ptl_error *err);

/* ---- runs and sweeps ---- */

/* A call that made chunks. */
typedef struct ptl_run_info {
    size_t size;
    int64_t number; /* higher ones began later */
    const char *world;
    const char *command; /* e.g. "generate" */
    const char *started; /* UTC, ISO 8601 */
    const char *outcome; /* "done", "cancelled" or "failed"; NULL: it has not ended, or was
                          * killed, and the rest is 0 */
    uint64_t chunks;     /* that it made */
    double seconds;
} ptl_run_info;

/* The last `most` runs of a world, or of all (NULL), the last one first. */
PTL_API ptl_status ptl_run_list(ptl_store *store, const char *world, uint64_t most,
                                bool (*on_run)(void *payload, const ptl_run_info *run),
                                void *payload, ptl_error *err);

typedef struct ptl_sweep_info {
    size_t size;
    const char *name;
    const ptl_world_options *options; /* what its overmaps are made with; it has no seed */
    int32_t generator_version;
    const char *content; /* as in ptl_world_info */
    bool is_current;
} ptl_sweep_info;

/* All sweeps, by name. */
PTL_API ptl_status ptl_sweep_list(ptl_store *store,
                                  bool (*on_sweep)(void *payload, const ptl_sweep_info *sweep),
                                  void *payload, ptl_error *err);

/* What a sweep's overmaps come to. */
typedef struct ptl_sweep_counts {
    size_t size;
    uint64_t overmaps, seeds; /* seeds: how many different ones */
    uint64_t first, last;     /* the least and the greatest seed; 0 if there is none */
} ptl_sweep_counts;

#define PTL_SWEEP_COUNTS_INIT PTL_SIZED(ptl_sweep_counts)

/* PTL_ERR_NOT_FOUND says which sweeps there are. */
PTL_API ptl_status ptl_sweep_counts_load(ptl_sweep_counts *out, ptl_store *store,
                                         const char *name, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
