/*
 * Lists and counts what a file holds, without SQL and without opening a world: contents,
 * worlds, chunks, and what stands in chunks.
 *
 * Each list is read completely first, as it is at one moment. Then its entries are given to a
 * callback, one at a time. The callback may take its time and may use the store. The struct
 * that it gets carries its size (status.h) and is valid until it returns; texts are UTF-8 and
 * never NULL unless a comment says so. Returning false stops the list with PTL_ERR_CANCELLED.
 *
 * Calls that take a world's name return PTL_ERR_NOT_FOUND if no world has this name; the
 * message lists the worlds of the file. PTL_ERR_CORRUPT: a row is damaged, as far as its own
 * checksum or the ranges of its values can tell.
 */
#ifndef PORTOLAN_LISTS_H
#define PORTOLAN_LISTS_H

#include "portolan/catalogue.h"
#include "portolan/import.h"
#include "portolan/style.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- contents ---- */

/* A content that was imported: the file's present one, or an earlier one with which something
 * in the file was made. */
typedef struct ptl_content_info {
    size_t size;
    const char *digest;      /* digest of the content, 64 hexadecimal digits */
    const char *imported_at; /* when the content was imported last: UTC, ISO 8601 */
    bool lenient;            /* true: the content was imported leniently, so that wrong objects
                              * were left out */
    bool is_current;         /* true: this is the file's present content; game, version and
                              * placement are only set for the present content */
    const char *game;        /* the game from whose directory the content was imported, "dda"
                              * or "bn"; "" if there was none */
    const char *version;     /* version of the game; "" if it is not known */
    ptl_placement placement; /* the rule of placement that new worlds get */
} ptl_content_info;

/* Lists all contents, in the order in which they were first imported. */
PTL_API ptl_status ptl_content_list(ptl_store *store,
                                    bool (*on_content)(void *payload,
                                                       const ptl_content_info *content),
                                    void *payload, ptl_error *err);

/* The lists up to the heading "worlds" are about the file's present content. They are empty if
 * the file has no content. */

/* A pack: a directory or mod that was imported. */
typedef struct ptl_pack_info {
    size_t size;
    const char *id, *name;
    const char *directory; /* directory that was imported; "" for Portolan's own pack */
    int64_t files, objects;
} ptl_pack_info;

/* Lists packs in the order in which they were imported. */
PTL_API ptl_status ptl_pack_list(ptl_store *store,
                                 bool (*on_pack)(void *payload, const ptl_pack_info *pack),
                                 void *payload, ptl_error *err);

/* A remark that the import made on the content. Notes (PTL_NOTE) are not kept in the file. */
typedef struct ptl_remark {
    size_t size;
    const char *kind; /* "warning", or "unresolved" for a reference that was left out */
    const char *file;
    int64_t line, column;  /* place in the file that the remark is about, from 1; 0 where
                            * unknown. Columns count bytes */
    const char *type, *id; /* type and id of the JSON object that the remark is about; "" if it
                            * is about none */
    const char *message;
} ptl_remark;

/* Lists remarks in the order in which the import reported them. */
PTL_API ptl_status ptl_remark_list(ptl_store *store,
                                   bool (*on_remark)(void *payload, const ptl_remark *remark),
                                   void *payload, ptl_error *err);

/* A key that the import does not know, in objects of one type. */
typedef struct ptl_unknown_key {
    size_t size;
    const char *type, *key;
    int64_t objects;  /* how many JSON objects of the type `type` have the key */
    const char *file; /* file of the first JSON object that has the key; `line` is that object's
                         line in the file */
    int64_t line;
} ptl_unknown_key;

/* Lists unknown keys. Keys that occur in more objects come first; equally frequent ones are
 * sorted by type and key. */
PTL_API ptl_status ptl_unknown_key_list(ptl_store *store,
                                        bool (*on_key)(void *payload,
                                                       const ptl_unknown_key *key),
                                        void *payload, ptl_error *err);

/* A definition that differs between the present content and the one before it. */
typedef struct ptl_content_change {
    size_t size;
    const char *kind; /* "connection", "location", "region", "special" or "terrain" */
    const char *id;
    const char *change; /* "added", "changed" or "removed"; a definition that only stands in
                         * another file or line has not changed */
    const char *before; /* digest of the earlier content, with which the present one was
                         * compared */
} ptl_content_change;

/* Lists changed definitions by kind and id. The present content is compared with the latest
 * earlier content that the file keeps. A file keeps an earlier content only if something was
 * made with it; if it keeps none, nothing is listed. */
PTL_API ptl_status ptl_content_change_list(ptl_store *store,
                                           bool (*on_change)(void *payload,
                                                             const ptl_content_change *change),
                                           void *payload, ptl_error *err);

/* Lists oters (such as "house_north") that occur in saved chunks or other saved data, and that
 * the present content lacks. They are sorted by id. */
PTL_API ptl_status ptl_lacking_terrain_list(ptl_store *store,
                                            bool (*on_terrain)(void *payload, const char *id),
                                            void *payload, ptl_error *err);

/* Something that the content's mapgen asks for and that Portolan does not support: local maps
 * are made without it. */
typedef struct ptl_mapgen_undone {
    size_t size;
    /* What is not supported: the name of a JSON member, flag or method; "map extra mx_..."; or
     * "no map of terrain ..." for a terrain without mapgen, whose local maps consist of a
     * single terrain. */
    const char *what;
    int64_t objects;  /* how many JSON objects ask for what is not supported; for a terrain
                       * without mapgen: how many of its oters have no map */
    const char *file; /* file of the first JSON object that asks for what is not supported;
                         `line` is that object's line in the file */
    int64_t line;
} ptl_mapgen_undone;

/* Lists what mapgen asks for and Portolan does not support. The entries are sorted by the
 * number of objects that ask for them, the largest number first, then by name. All mapgen that
 * the file keeps is compiled for this, which takes a fraction of a second. */
PTL_API ptl_status ptl_mapgen_undone_list(ptl_store *store,
                                          bool (*on_undone)(void *payload,
                                                            const ptl_mapgen_undone *undone),
                                          void *payload, ptl_error *err);

/* A name that ptl_world_options.region can have. */
typedef struct ptl_region_name {
    size_t size;
    const char *name;
    const char *region; /* id of the region_settings that the name stands for; NULL if the name
                         * is that of a dimension with several regions, for which no world can
                         * be made */
    const char *kind;   /* type of the JSON object that has the name: "region_settings",
                         * "dimension" or "world_type" */
    bool is_default;    /* true: worlds that name no region get this region */
    bool has_rivers;
    /* For a region with rivers as DDA has them since 2025: the share of the borders between
     * overmaps that rivers cross, and the region's river_frequency, from which that share
     * follows. Both are 0 if the rivers are of the older kind or there are none. */
    double river_crossings, river_frequency;
} ptl_region_name;

/* Lists regions by name. */
PTL_API ptl_status ptl_region_name_list(ptl_store *store,
                                        bool (*on_region)(void *payload,
                                                          const ptl_region_name *region),
                                        void *payload, ptl_error *err);

/* A special or city building that the content defines. The catalogue (catalogue.h) describes
 * it. */
typedef struct ptl_special_name {
    size_t size;
    const char *id;
    ptl_special_kind kind;
} ptl_special_name;

/* Lists specials and city buildings by id. */
PTL_API ptl_status ptl_special_name_list(ptl_store *store,
                                         bool (*on_special)(void *payload,
                                                            const ptl_special_name *special),
                                         void *payload, ptl_error *err);

/* How a terrain, a piece of furniture or a trap of local maps (local.h) looks. */
typedef struct ptl_local_look {
    size_t size;
    const char *kind;  /* what the entry is about: "furniture", "terrain" or "trap" */
    const char *id;    /* id, as ptl_local_terrain, ptl_local_furniture and ptl_local_trap give
                        * it */
    const char *name;  /* name for people; "" if there is none */
    const char *color; /* colour name for ptl_color_find, for the first season if it differs by
                        * season; "" if there is none */
    uint32_t symbol;   /* symbol as a Unicode code point, for the first season if it differs by
                        * season; a line-drawing character for lines; 0 if there is none */
    ptl_tile_class tile_class; /* what it is, which decides its colours on paper
                                * (ptl_tile_look_describe) */
} ptl_local_look;

/* Lists how terrains, furniture and traps look, by kind, then id. Inheritance between
 * definitions is resolved. */
PTL_API ptl_status ptl_local_look_list(ptl_store *store,
                                       bool (*on_look)(void *payload,
                                                       const ptl_local_look *look),
                                       void *payload, ptl_error *err);

/* ---- worlds ---- */

typedef struct ptl_world_info {
    size_t size;
    const char *name;
    const ptl_world_options *options; /* the options with which the world was created */
    int32_t generator_version;        /* version of the generator that makes the world's
                                       * chunks */
    const char *content; /* digest of the content that the world is made with, 64 hexadecimal
                          * digits; "" if the file does not know it */
    bool is_current; /* true: the world's content is the content that the file has at present */
} ptl_world_info;

/* Lists all worlds, by name. */
PTL_API ptl_status ptl_world_list(ptl_store *store,
                                  bool (*on_world)(void *payload, const ptl_world_info *world),
                                  void *payload, ptl_error *err);

/* Counts over a world's saved chunks. */
typedef struct ptl_world_counts {
    size_t size;
    uint64_t chunks;
    uint64_t unfinished; /* chunks for which not all steps of generation ran */
    uint64_t imported;   /* chunks from a game's save */
    uint64_t stale;      /* chunks generated with another content than the file's present one,
                          * or by an older generator than this library's */
    uint64_t foreign;    /* stale chunks that were generated with another content than the
                          * present one */
    uint64_t edges;
    int32_t west, north, east, south; /* coordinates of the outermost chunks; 0 if there are no
                                       * chunks */
} ptl_world_counts;

#define PTL_WORLD_COUNTS_INIT PTL_SIZED(ptl_world_counts)

/* Counts a world's saved chunks without opening the world. While a large world is counted,
 * chunks that other programs save at the same time may be counted or not. A row outside of the
 * allowed chunk coordinates is not counted. */
PTL_API ptl_status ptl_world_counts_load(ptl_world_counts *out, ptl_store *store,
                                         const char *name, ptl_error *err);

/* Which of a world's chunks are listed. */
typedef struct ptl_chunk_list_options {
    size_t size;
    int32_t x0, y0, x1, y1; /* coordinates of the chunks at the north-western and south-eastern
                             * corner of the rectangle to list, both included */
    uint32_t stale;         /* 1: only stale chunks (see ptl_world_counts); 0: all */
    uint32_t reserved;      /* must be 0 */
} ptl_chunk_list_options;

#define PTL_CHUNK_LIST_OPTIONS_INIT                                                            \
    {                                                                                          \
        sizeof(ptl_chunk_list_options), -PTL_CHUNK_COORD_MAX, -PTL_CHUNK_COORD_MAX,            \
            PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX, 0, 0                                     \
    }

/* Lists the places of a world's saved chunks, row by row from the north, each row from the
 * west. options NULL: all chunks. */
PTL_API ptl_status ptl_chunk_list(ptl_store *store, const char *world,
                                  const ptl_chunk_list_options *options,
                                  bool (*on_chunk)(void *payload, ptl_chunk_pos pos),
                                  void *payload, ptl_error *err);

/* Where a saved chunk comes from. */
typedef struct ptl_chunk_info {
    size_t size;
    char content[PTL_CONTENT_DIGEST_SIZE]; /* digest of the content that the chunk was made
                                            * with; "" if the file does not know it */
    char last_step[32];                    /* "" if all steps of generation ran; else the name
                                            * of the last step that ran */
    bool imported;                         /* true: the chunk comes from a game's save */
    int32_t generator_version;
} ptl_chunk_info;

#define PTL_CHUNK_INFO_INIT PTL_SIZED(ptl_chunk_info)

/* Tells where a saved chunk comes from. PTL_ERR_NOT_FOUND if the chunk is not saved,
 * PTL_ERR_CORRUPT if its row is damaged. */
PTL_API ptl_status ptl_chunk_info_load(ptl_chunk_info *out, ptl_store *store, const char *world,
                                       ptl_chunk_pos pos, ptl_error *err);

/* A city of a saved chunk. */
typedef struct ptl_city_place {
    size_t size;
    const char *name; /* name of the city; "" if the content has no names */
    ptl_chunk_pos chunk;
    int32_t number; /* the city's number in the chunk, as ptl_features_city takes it */
    int64_t x, y;   /* the city's centre, in absolute OMTs */
    int32_t radius; /* the city's size: its nominal radius in OMTs */
} ptl_city_place;

/* A special that stands in a saved chunk. */
typedef struct ptl_special_place {
    size_t size;
    const char *id;
    ptl_chunk_pos chunk;
    int32_t number; /* the special's number in the chunk, as ptl_features_special and
                     * ptl_growth_each take it */
    int64_t x, y;   /* the special's origin, in absolute OMTs; it may lie outside of the
                     * chunk */
    int32_t z;
} ptl_special_place;

/*
 * ptl_city_list lists the cities of a world's saved chunks: of the chunks from within[0] to
 * within[1], both included, or of all chunks if within is NULL. ptl_special_list lists the
 * specials of all saved chunks, or those with the given id (NULL: all). The chunks come in the
 * order of ptl_chunk_list, and the entries of a chunk in the order of their numbers.
 * PTL_ERR_CORRUPT if the values of a row are out of range.
 */
PTL_API ptl_status ptl_city_list(ptl_store *store, const char *world,
                                 const ptl_chunk_pos within[2],
                                 bool (*on_city)(void *payload, const ptl_city_place *city),
                                 void *payload, ptl_error *err);
PTL_API ptl_status ptl_special_list(ptl_store *store, const char *world, const char *id,
                                    bool (*on_special)(void *payload,
                                                       const ptl_special_place *special),
                                    void *payload, ptl_error *err);

/*
 * ptl_city_each calls on_city for each city that ptl_city_list would list, and ptl_special_each
 * calls on_special for each special of a world's saved chunks, while the file is being read. No
 * list is held in memory and nothing is sorted, so that a million specials can be counted. The
 * cities or specials of one chunk come together; otherwise they have no order. Unlike in the
 * lists, on_city and on_special run during the reading: they must be quick, since a writer may
 * be waiting for the end, and they must not use the store.
 */
PTL_API ptl_status ptl_city_each(ptl_store *store, const char *world,
                                 const ptl_chunk_pos within[2],
                                 bool (*on_city)(void *payload, const ptl_city_place *city),
                                 void *payload, ptl_error *err);
PTL_API ptl_status ptl_special_each(ptl_store *store, const char *world,
                                    bool (*on_special)(void *payload,
                                                       const ptl_special_place *special),
                                    void *payload, ptl_error *err);

/* An event: something that a step of generation could not do, or did in another way than
 * asked. */
typedef struct ptl_event_place {
    size_t size;
    const char *step, *kind; /* name of the step, and kind of the event, e.g. "roads",
                              * "unreached" */
    const char *detail;      /* details as text; "" if there are none */
    ptl_chunk_pos chunk;
    int32_t number; /* the event's number in the chunk, as ptl_features_event takes it */
    bool has_place;
    int64_t x, y; /* the event's place in absolute OMTs; 0 if has_place is false */
    int32_t z;
} ptl_event_place;

/* Lists the events of a world's saved chunks: of the chunks from within[0] to within[1], both
 * included, or of all chunks if within is NULL. The chunks come in the order of
 * ptl_chunk_list, and the events of a chunk in the order of their numbers. PTL_ERR_CORRUPT if
 * a chunk or a row is damaged. */
PTL_API ptl_status ptl_event_list(ptl_store *store, const char *world,
                                  const ptl_chunk_pos within[2],
                                  bool (*on_event)(void *payload, const ptl_event_place *event),
                                  void *payload, ptl_error *err);

/* ---- runs and sweeps ---- */

/* A run: one call that made chunks, as the file records it. */
typedef struct ptl_run_info {
    size_t size;
    int64_t number; /* number of the run; later runs have higher numbers */
    const char *world;
    const char *command; /* the command that ran, e.g. "generate" */
    const char *started; /* when the run began: UTC, ISO 8601 */
    const char *outcome; /* "done", "cancelled" or "failed"; NULL: the run has not ended or was
                          * killed; chunks and seconds are 0 then */
    uint64_t chunks;     /* how many chunks the run made */
    double seconds;
} ptl_run_info;

/* Lists the last `most` runs of a world (NULL: of all worlds), the latest run first. */
PTL_API ptl_status ptl_run_list(ptl_store *store, const char *world, uint64_t most,
                                bool (*on_run)(void *payload, const ptl_run_info *run),
                                void *payload, ptl_error *err);

typedef struct ptl_sweep_info {
    size_t size;
    const char *name;
    const ptl_world_options *options; /* settings of the sweep's overmaps; the seed in them has
                                       * no meaning */
    int32_t generator_version;
    const char *content; /* content and is_current have the same meaning as in
                          * ptl_world_info */
    bool is_current;
} ptl_sweep_info;

/* Lists all sweeps, by name. */
PTL_API ptl_status ptl_sweep_list(ptl_store *store,
                                  bool (*on_sweep)(void *payload, const ptl_sweep_info *sweep),
                                  void *payload, ptl_error *err);

/* Counts over a sweep's overmaps. */
typedef struct ptl_sweep_counts {
    size_t size;
    uint64_t overmaps, seeds; /* how many overmaps the sweep has, and how many different seeds
                               * these have */
    uint64_t first, last;     /* the smallest and the greatest seed; 0 if there are no
                               * overmaps */
} ptl_sweep_counts;

#define PTL_SWEEP_COUNTS_INIT PTL_SIZED(ptl_sweep_counts)

/* Counts the overmaps of a sweep. PTL_ERR_NOT_FOUND if there is no such sweep; the message
 * lists the sweeps of the file. */
PTL_API ptl_status ptl_sweep_counts_load(ptl_sweep_counts *out, ptl_store *store,
                                         const char *name, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
