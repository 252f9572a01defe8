/*
 * Worlds, chunks and their OMTs.
 */
#ifndef PORTOLAN_WORLD_H
#define PORTOLAN_WORLD_H

#include "portolan/settings.h"
#include "portolan/store.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ptl_world ptl_world; /* belongs to the store's thread */
typedef struct ptl_chunk ptl_chunk; /* a plain value on the heap; belongs to its owner */

/* How specials are placed. OF_CONTENT is for new worlds: as the content's game does; what has
 * been made has one of the others. */
typedef enum ptl_placement {
    PTL_PLACEMENT_QUOTA,
    PTL_PLACEMENT_SECTORS,
    PTL_PLACEMENT_OF_CONTENT
} ptl_placement;

/* Whether highways are made. */
typedef enum ptl_highways {
    PTL_HIGHWAYS_OF_REGION, /* as the region's game does: those whose regions name parts do */
    PTL_HIGHWAYS_ON,        /* PTL_ERR_CONTENT if the region doesn't say how */
    PTL_HIGHWAYS_OFF
} ptl_highways;

/* Which ways roads, trails, rails take: generation.md 7.1, 7.2. */
typedef enum ptl_roads {
    PTL_ROADS_WANDERING, /* as the games' look: in stairs, and over bridges */
    PTL_ROADS_EXACT      /* straight where that costs no more, by all that bridges cost */
} ptl_roads;

/*
 * What a world is made from, beside the content. Fixed when the world is created. The members
 * behind the seed are the settings of settings.h, which says what each one means and may be:
 * region (NULL: the content's own choice, mostly "default"), city_size, city_spacing,
 * specials_density, specials_spacing, placement, railroads, subways, compat, scale_unique,
 * unique_radius, highways (of a world that was made: of its region, unless it has them
 * otherwise), roads and derive. With derive, local maps that a game has changed are stored,
 * others are made at each reading. Until the world keeps its maps (`keep` of
 * ptl_local_generate), what they are made of can't be changed: no other content is imported
 * into the file, no chunk removed or made anew.
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
 * Adds a world to the file. name: 1 to 100 bytes of UTF-8 without control characters.
 * PTL_ERR_EXISTS if the name is taken, PTL_ERR_CONTENT if the file has no content yet,
 * PTL_ERR_NOT_FOUND if the content has no such region.
 */
PTL_API ptl_status ptl_world_create(ptl_store *store, const char *name,
                                    const ptl_world_options *options, ptl_error *err);

typedef struct ptl_world_open_options {
    size_t size;
    /* Go on with the file's content although the world was made with another. New chunks then
     * differ from those that the old content would have given. */
    bool accept_content;
    /* NULL, or a chunk that is to be looked at: where it is saved, the world is opened with the
     * content that this chunk was made with, in place of the world's own. Borrowed for the
     * call. */
    const ptl_chunk_pos *as_chunk;
} ptl_world_open_options;

#define PTL_WORLD_OPEN_OPTIONS_INIT PTL_SIZED(ptl_world_open_options)

/*
 * Opens a world. name may be NULL if the file holds exactly one. *out is new: close it with
 * ptl_world_close before the store. options may be NULL. The world reads the content's
 * catalogue once and keeps it. PTL_ERR_NOT_FOUND: no such world, or several and no name.
 *
 * Opening for reading always succeeds where the world exists, and so does reading what is
 * saved, whatever was imported since: the world is opened with the content that it was made
 * with, which the file keeps (ptl_import). Where that is not the file's present one, generating
 * fails with PTL_ERR_MISMATCH unless accept_content is set; with it, the world is opened with
 * the present content, and chunks that were made with it before can be read beside the new
 * ones. What a file of before schema 7 did not keep is told by its id: such a terrain has no
 * name, no colour and no flags.
 */
PTL_API ptl_status ptl_world_open(ptl_world **out, ptl_store *store, const char *name,
                                  const ptl_world_open_options *options, ptl_error *err);
PTL_API void ptl_world_close(ptl_world *world); /* NULL is fine */

PTL_API const char *ptl_world_name(const ptl_world *world); /* borrowed */
/* What it was created with; out->region is borrowed. */
PTL_API ptl_status ptl_world_settings(ptl_world_options *out, const ptl_world *world,
                                      ptl_error *err);

/* Returns the id string of an oter; "" if there is none of that number; borrowed. What else is
 * known of oters, and of all other content: ptl_world_catalogue (catalogue.h). */
PTL_API const char *ptl_world_oter_name(const ptl_world *world, ptl_oter oter);

/*
 * Gives the chunk at pos: the saved one, or a new one that is generated and saved first,
 * durably. *out is new: free it with ptl_chunk_free; it does not depend on the world
 * afterwards, except that its oters are numbers of this world's catalogue.
 */
PTL_API ptl_status ptl_chunk_get(ptl_chunk **out, ptl_world *world, ptl_chunk_pos pos,
                                 ptl_error *err);
/* Gives the saved chunk; PTL_ERR_NOT_FOUND if there is none. */
PTL_API ptl_status ptl_chunk_load(ptl_chunk **out, ptl_world *world, ptl_chunk_pos pos,
                                  ptl_error *err);
PTL_API void ptl_chunk_free(ptl_chunk *chunk); /* NULL is fine */

/*
 * Reads one level of a saved chunk, without reading the others: cells[y * 180 + x], 32,400
 * oters in the caller's memory, which may hold anything after an error. z is -10..10, else
 * PTL_ERR_ARGUMENT; PTL_ERR_NOT_FOUND if the chunk is not saved.
 */
PTL_API ptl_status ptl_level_load(ptl_oter cells[PTL_LEVEL_CELLS], ptl_world *world,
                                  ptl_chunk_pos pos, int32_t z, ptl_error *err);

/*
 * Gives all saved chunks as seen from far away, in the order of x, then y: cells[j * 8 + i] is
 * the oter that most of the chunk's ground (z = 0) has in columns i * 180 / 8 to
 * (i + 1) * 180 / 8 - 1, rows likewise with j; of more than 12 different ones in a chunk the
 * rarest are replaced. No OMT is read for it: 10,000 chunks take some hundredths of a second.
 * cells is borrowed until on_overview returns, and NULL where a chunk's row is lost or damaged
 * (ptl_repair makes it anew). All is read first, of one moment; returning false stops with
 * PTL_ERR_CANCELLED. PTL_ERR_MISMATCH: the world's content has not all of these oters.
 */
PTL_API ptl_status
ptl_overview_list(ptl_world *world,
                  bool (*on_overview)(void *payload, ptl_chunk_pos pos,
                                      const ptl_oter cells[PTL_OVERVIEW_CELLS]),
                  void *payload, ptl_error *err);

PTL_API ptl_chunk_pos ptl_chunk_position(const ptl_chunk *chunk);
/* Returns an OMT's oter; x and y 0..179, z -10..10; anything else gives oter 0xffff. */
PTL_API ptl_oter ptl_chunk_oter(const ptl_chunk *chunk, int32_t x, int32_t y, int32_t z);
/* Copies all of a level, index y * 180 + x: copied into the caller's memory. z as above. */
PTL_API void ptl_chunk_level(ptl_oter cells[PTL_LEVEL_CELLS], const ptl_chunk *chunk,
                             int32_t z);

/* The world's canonical digest: see ptl_world_digest_get. */
typedef struct ptl_world_digest_result {
    size_t size;
    char hex[65];
    uint64_t chunks, edges;
} ptl_world_digest_result;

#define PTL_WORLD_DIGEST_RESULT_INIT PTL_SIZED(ptl_world_digest_result)

/*
 * Computes a digest over all decoded OMTs and edges of the world, over id strings: equal
 * worlds give equal digests, whatever the order, the number of threads or processes, or the
 * machine that made them. schema/format.md defines it.
 */
PTL_API ptl_status ptl_world_digest_get(ptl_world_digest_result *out, ptl_world *world,
                                        ptl_error *err);

/* Arms of one kind of line, as ptl_seams_verify counted them. arms is the sum of those up to
 * dead. */
typedef struct ptl_seam_counts {
    size_t size;
    /* Id of an overmap_connection; "" for all lines of none. Connections that share terrain are
     * one kind, since an OMT does not say which of them drew it: their ids, with " + " between
     * them. Borrowed for the call. */
    const char *kind;
    uint64_t arms;
    uint64_t line;      /* answered by a line of the same connection */
    uint64_t parallel;  /* by an OMT of it that lies along the arm: a bridge, a manhole */
    uint64_t crossed;   /* beyond a level crossing of another line */
    uint64_t building;  /* by an OMT of a building or special */
    uint64_t border;    /* by the edge alone: the neighbour is not saved */
    uint64_t own;       /* stated by the building that the OMT is of: its own affair */
    uint64_t foreign;   /* inside foreign chunks, and between two of them */
    uint64_t unbound;   /* of a line of no connection, towards other terrain */
    uint64_t dead;      /* not answered: a problem each */
    uint64_t ends;      /* of bridges and level crossings */
    uint64_t loose;     /* of them, those that lead nowhere: a problem each */
    uint64_t crossings; /* of the edges, once for each chunk */
    uint64_t missing;   /* crossings at which nothing leads out: a problem each */
} ptl_seam_counts;

typedef struct ptl_seam_report {
    size_t size;
    uint64_t chunks;  /* checked */
    uint64_t skipped; /* saved, but not all steps ran */
    uint64_t river_runs, river_crossings;
    uint64_t problems;
    uint64_t highway_crossings; /* of the edges, once for each chunk */
    /* Where the sea ends in a straight line along a border: a problem each, unless another
     * version of the generator made the chunk. */
    uint64_t straight_shores;
} ptl_seam_report;

#define PTL_SEAM_REPORT_INIT PTL_SIZED(ptl_seam_report)

typedef struct ptl_seam_options {
    size_t size;
    void (*on_problem)(void *payload, const ptl_problem *problem);   /* may be NULL */
    void (*on_counts)(void *payload, const ptl_seam_counts *counts); /* at the end; or NULL */
    void *payload;
} ptl_seam_options;

#define PTL_SEAM_OPTIONS_INIT PTL_SIZED(ptl_seam_options)

/*
 * Checks that whatever leads somewhere goes on: every arm of a road, rail, trail or tunnel in
 * every saved chunk and across every border, every crossing of an edge, every river at a
 * border; and that no shore of the sea follows a border. ptl_problem.invariant is 0. options
 * and report may be NULL. A seam is no failure of the call: it returns PTL_OK and
 * report->problems > 0.
 */
PTL_API ptl_status ptl_seams_verify(ptl_seam_report *report, ptl_world *world,
                                    const ptl_seam_options *options, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
