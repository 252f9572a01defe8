/*
 * Worlds and their chunks: creating and opening a world, reading and generating chunks and
 * their OMTs, a world's digest, and the check of its seams.
 */
#ifndef PORTOLAN_WORLD_H
#define PORTOLAN_WORLD_H

#include "portolan/settings.h"
#include "portolan/store.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ptl_world ptl_world; /* an open world; only the thread that uses the store may
                                     * use it */
typedef struct ptl_chunk ptl_chunk; /* a decoded chunk: a plain value on the heap, owned by
                                     * whoever got it */

/* The rule by which specials are placed (schema/concepts.md). PTL_PLACEMENT_OF_CONTENT is only
 * for creating a world: it stands for the rule of the content's game. A world that exists has
 * one of the other two values. */
typedef enum ptl_placement {
    PTL_PLACEMENT_QUOTA,
    PTL_PLACEMENT_SECTORS,
    PTL_PLACEMENT_OF_CONTENT
} ptl_placement;

/* Whether highways are made. */
typedef enum ptl_highways {
    PTL_HIGHWAYS_OF_REGION, /* as in the game that the region comes from: there are highways if
                             * the region names the specials that highways consist of */
    PTL_HIGHWAYS_ON,        /* there are highways; PTL_ERR_CONTENT if the region does not name
                             * the specials that highways consist of */
    PTL_HIGHWAYS_OFF
} ptl_highways;

/* Whether riots and fires have damaged the buildings and streets of local maps, as they do in
 * present versions of the games (schema/mapgen.md, "Riots"). PTL_RIOT_DAMAGE_OF_CONTENT is only
 * for creating a world. The world then gets ON if the content asks for such damage on any
 * terrain, and otherwise OFF. A world that exists has ON or OFF. */
typedef enum ptl_riot_damage {
    PTL_RIOT_DAMAGE_OFF,
    PTL_RIOT_DAMAGE_ON,
    PTL_RIOT_DAMAGE_OF_CONTENT
} ptl_riot_damage;

/* How roads, trails and railroads find their way (schema/generation.md 7.1, 7.2). */
typedef enum ptl_roads {
    PTL_ROADS_WANDERING, /* roads look as in the games: diagonals are stairs, and there are
                          * many bridges */
    PTL_ROADS_EXACT      /* roads are straight where that costs no more than a bend; a bridge
                          * counts with its full cost */
} ptl_roads;

/*
 * What a world is made from, beside the content. All options are fixed when the world is
 * created.
 *
 * The members after the seed are the settings of settings.h, which gives the meaning and range
 * of each: region, city_size, city_spacing, specials_density, specials_spacing, placement,
 * railroads, subways, compat, scale_unique, unique_radius, highways, roads, derive and
 * riot_damage. region NULL is the content's own choice, mostly "default". ptl_world_settings
 * gives highways as PTL_HIGHWAYS_OF_REGION unless the world differs from its region.
 *
 * If `derive` is true, only the local maps that a game has changed are stored; all others are
 * made anew at each reading. As long as a world has this setting, nothing that local maps are
 * made from may change: no other content can be imported into the file, and no chunk removed or
 * made anew. `keep` of ptl_local_generate ends this by storing the maps.
 */
typedef struct ptl_world_options {
    size_t size;
    uint64_t seed;
    PTL_WORLD_SETTINGS(PTL_SETTING_MEMBER, )
} ptl_world_options;

#define PTL_WORLD_OPTIONS_INIT                                                                 \
    {                                                                                          \
        sizeof(ptl_world_options), 0, PTL_WORLD_SETTINGS(PTL_SETTING_DEFAULT, )                \
    }

/*
 * Adds a world to the file; no chunk is generated yet. name has 1 to 100 bytes of UTF-8
 * without control characters. PTL_ERR_EXISTS if the name is taken, PTL_ERR_CONTENT if the file
 * has no content yet, PTL_ERR_NOT_FOUND if the content has no such region.
 */
PTL_API ptl_status ptl_world_create(ptl_store *store, const char *name,
                                    const ptl_world_options *options, ptl_error *err);

typedef struct ptl_world_open_options {
    size_t size;
    /* True: open the world with the file's present content although it was made with another
     * content. New chunks are then made with the present content, and differ from those that
     * the other content would have given. */
    bool accept_content;
    /* NULL, or the place of a chunk that the caller wants to look at. If that chunk is saved,
     * the world is opened with the content that the chunk was made with, instead of the world's
     * own. The pointer is only used during the call. */
    const ptl_chunk_pos *as_chunk;
    bool base;        /* true: show the world as it was generated, without the edits of save.h;
                       * nothing can be edited then */
    bool reserved[7]; /* must be false */
} ptl_world_open_options;

#define PTL_WORLD_OPEN_OPTIONS_INIT PTL_SIZED(ptl_world_open_options)

/*
 * Opens a world. name may be NULL if the file holds exactly one world. *out is the caller's:
 * close it with ptl_world_close before the store. options may be NULL. The content's catalogue
 * is read only once, by this call, and is kept in memory. PTL_ERR_NOT_FOUND: there is no world
 * of this name, or name is NULL and the file holds several worlds or none.
 *
 * A world can be opened and read even if other content was imported into the file later: it is
 * opened with the content that it was made with, which the file keeps (ptl_import). If that is
 * not the file's present content, generating fails with PTL_ERR_MISMATCH unless accept_content
 * is set. With accept_content the world is opened with the present content, and chunks that
 * were made with the earlier content can be read beside the new ones.
 *
 * A file older than schema 7 kept less of earlier contents: of a terrain that only such a
 * content had, only the id is known, but no name, colour or flags.
 */
PTL_API ptl_status ptl_world_open(ptl_world **out, ptl_store *store, const char *name,
                                  const ptl_world_open_options *options, ptl_error *err);
PTL_API void ptl_world_close(ptl_world *world); /* closing NULL does nothing */

PTL_API const char *ptl_world_name(const ptl_world *world); /* the name is valid until the
                                                             * world is closed */
/* Gives what the world was created with. out->region is borrowed until the world is closed. */
PTL_API ptl_status ptl_world_settings(ptl_world_options *out, const ptl_world *world,
                                      ptl_error *err);

/* Returns the id of an oter, such as "house_north"; "" if no oter has that number. Borrowed
 * until the world is closed. ptl_world_catalogue (catalogue.h) tells more about oters and all
 * other content. */
PTL_API const char *ptl_world_oter_name(const ptl_world *world, ptl_oter oter);

/*
 * Gives the chunk at pos: the saved one, or, if none is saved, a new one that is generated and
 * durably saved first. *out is the caller's: free it with ptl_chunk_free. The chunk does not
 * depend on the world afterwards, except that its oters are numbers in this world's catalogue.
 */
PTL_API ptl_status ptl_chunk_get(ptl_chunk **out, ptl_world *world, ptl_chunk_pos pos,
                                 ptl_error *err);
/* Gives the saved chunk at pos as ptl_chunk_get does; PTL_ERR_NOT_FOUND if the chunk is not
 * saved. */
PTL_API ptl_status ptl_chunk_load(ptl_chunk **out, ptl_world *world, ptl_chunk_pos pos,
                                  ptl_error *err);
PTL_API void ptl_chunk_free(ptl_chunk *chunk); /* freeing NULL does nothing */

/*
 * Reads one level of a saved chunk without reading its other levels. cells is the caller's
 * array of 32,400 oters, index y * 180 + x; its contents are undefined after an error. z is
 * -10..10, else PTL_ERR_ARGUMENT. PTL_ERR_NOT_FOUND if the chunk is not saved.
 */
PTL_API ptl_status ptl_level_load(ptl_oter cells[PTL_LEVEL_CELLS], ptl_world *world,
                                  ptl_chunk_pos pos, int32_t z, ptl_error *err);

/*
 * Gives a coarse picture of each saved chunk, in the order of x, then y. The picture has 8 x 8
 * cells, each for a rectangle of OMTs of the chunk at z = 0: cells[j * 8 + i] is the most
 * frequent oter in the columns i * 180 / 8 to (i + 1) * 180 / 8 - 1 and the rows j * 180 / 8 to
 * (j + 1) * 180 / 8 - 1. In the picture of a chunk there are at most 12 different oters: rarer
 * ones are replaced by more frequent ones. The pictures are stored with the chunks, so that no
 * OMT is read: 10,000 chunks take some hundredths of a second. Only those of chunks whose
 * ground has edits are made anew, some 10 in a millisecond.
 *
 * cells is borrowed until on_overview returns, and is NULL where a chunk's row is lost or
 * damaged (ptl_repair makes the row anew). All rows are read first, as they are at one moment.
 * Returning false stops with PTL_ERR_CANCELLED. PTL_ERR_MISMATCH: the world's content lacks
 * some of the oters in the pictures.
 */
PTL_API ptl_status
ptl_overview_list(ptl_world *world,
                  bool (*on_overview)(void *payload, ptl_chunk_pos pos,
                                      const ptl_oter cells[PTL_OVERVIEW_CELLS]),
                  void *payload, ptl_error *err);

/* Returns the chunk's place in the world. */
PTL_API ptl_chunk_pos ptl_chunk_position(const ptl_chunk *chunk);
/* Returns the oter of the chunk's OMT (x, y, z): x and y are 0..179, z is -10..10; outside of
 * these ranges it is 0xffff. */
PTL_API ptl_oter ptl_chunk_oter(const ptl_chunk *chunk, int32_t x, int32_t y, int32_t z);
/* Copies a whole level into the caller's array, index y * 180 + x. z is -10..10; on another
 * level all oters are 0xffff. */
PTL_API void ptl_chunk_level(ptl_oter cells[PTL_LEVEL_CELLS], const ptl_chunk *chunk,
                             int32_t z);

/* A digest of a world, which ptl_world_digest_get computes. */
typedef struct ptl_world_digest_result {
    size_t size;
    char hex[65];
    uint64_t chunks, edges;
} ptl_world_digest_result;

#define PTL_WORLD_DIGEST_RESULT_INIT PTL_SIZED(ptl_world_digest_result)

/*
 * Computes a digest of the world's decoded OMTs, edges and edits (save.h), in which terrains
 * count by their ids. A world that was opened with `base`, or that no edit changes, has the
 * digest of what was generated. Equal worlds give equal digests, whatever the order in which
 * their chunks were made, the number of threads or processes, or the machine. schema/format.md
 * defines the digest.
 */
PTL_API ptl_status ptl_world_digest_get(ptl_world_digest_result *out, ptl_world *world,
                                        ptl_error *err);

/* Counts of ptl_seams_verify for one kind of line, such as a connection. An arm is a side of an
 * OMT through which the line goes on. `arms` is the number of all arms. The members from line
 * to dead count the arms by what stands beyond them, so their sum is `arms`. */
typedef struct ptl_seam_counts {
    size_t size;
    /* The id of an overmap_connection; "" for all lines that belong to no connection.
     * Connections that share a terrain are counted as one kind, since an OMT does not say
     * which of them drew it: then kind is their ids with " + " between them. Borrowed for the
     * call. */
    const char *kind;
    uint64_t arms;
    uint64_t line; /* number of arms that meet the arm of a line of the same connection */
    /* Arms that meet a bridge or manhole of the same connection. A bridge or manhole has a
     * fixed direction; here it is that of the arm, so the line goes on. */
    uint64_t parallel;
    /* Arms that lead to a level crossing with another line and are met on the far side of that
     * crossing. */
    uint64_t crossed;
    uint64_t building; /* arms that meet an OMT of a building or special */
    uint64_t border;   /* arms that lead to a chunk that is not saved: only the edge says that
                        * the line goes on */
    /* Arms that the definition of a building or special gives to its own OMTs; they are not
     * checked. */
    uint64_t own;
    uint64_t foreign; /* arms inside a chunk that Portolan did not make, or from one such
                       * chunk to another */
    uint64_t unbound; /* arms that lead to an OMT of another terrain, if the line belongs to no
                         connection; arms of lines of connections are not counted here */
    uint64_t dead;    /* arms beyond which nothing continues the line: each is a problem */
    uint64_t ends; /* number of ends of bridges, level crossings and other OMTs whose direction
                      is fixed; such an OMT has two ends, at which the line must go on */
    /* How many of the ends counted in `ends` are met by no OMT on which the line goes on; each
     * is a problem. */
    uint64_t loose;
    uint64_t crossings; /* crossings of lines of this kind on the edges of the chunks that were
                         * checked; a crossing between two of these chunks counts twice */
    uint64_t missing;   /* number of crossings of edges that have no line on the chunk's side of
                           the border: each is a problem */
} ptl_seam_counts;

typedef struct ptl_seam_report {
    size_t size;
    uint64_t chunks;  /* chunks that were checked */
    uint64_t skipped; /* chunks that are saved, but incomplete: not all steps of generation
                       * ran */
    uint64_t river_runs, river_crossings;
    uint64_t problems;
    uint64_t highway_crossings; /* number of crossings of highways on the edges of the chunks
                                 * that were checked; a crossing between two of these chunks
                                 * counts twice */
    /* Number of places where the shore of the sea runs straight along a border. Each of them is
     * a problem, unless another version of the generator made the chunk. */
    uint64_t straight_shores;
} ptl_seam_report;

#define PTL_SEAM_REPORT_INIT PTL_SIZED(ptl_seam_report)

typedef struct ptl_seam_options {
    size_t size;
    /* Called for each problem; may be NULL. */
    void (*on_problem)(void *payload, const ptl_problem *problem);
    /* Called at the end, once for each kind of line; may be NULL. */
    void (*on_counts)(void *payload, const ptl_seam_counts *counts);
    void *payload;
} ptl_seam_options;

#define PTL_SEAM_OPTIONS_INIT PTL_SIZED(ptl_seam_options)

/*
 * Checks that what leads out of an OMT goes on in the next OMT. This is checked for every arm
 * of a road, railroad, trail or tunnel in every saved chunk and across every border, for every
 * crossing of an edge, and for every river at a border. Also checks that no shore of the sea
 * follows a border. options and report may be NULL. Problems are no failure of the call: it
 * returns PTL_OK with report->problems > 0. ptl_problem.invariant is 0 in each of these
 * problems.
 */
PTL_API ptl_status ptl_seams_verify(ptl_seam_report *report, ptl_world *world,
                                    const ptl_seam_options *options, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
