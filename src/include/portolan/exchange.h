/*
 * Exchange with the games' own saves: overmaps as files `o.X.Y`, as Cataclysm: Dark Days Ahead
 * 0.F writes them (save version 33). Such a file is a line "# version N" and one JSON object:
 * `layers` (21 lists of runs [terrain id, count], from z = -10, x fastest), `region_id`,
 * `monster_groups`, `cities`, `connections_out`, `radios`, `overmap_special_placements`, and
 * what belongs to play (monsters, people, vehicles, scents, camps), which is written empty and
 * not read.
 */
#ifndef PORTOLAN_EXCHANGE_H
#define PORTOLAN_EXCHANGE_H

#include "portolan/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ptl_export_save_options {
    size_t size;
    const char *directory; /* made if it is missing; its parent must exist */
    bool has_rect;         /* only the chunks of x0..x1, y0..y1 */
    int32_t x0, y0, x1, y1;
    bool force; /* write although the directory holds overmaps; others in it stay */
    /* Called after each file; returning false stops (PTL_ERR_CANCELLED). May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
} ptl_export_save_options;

#define PTL_EXPORT_SAVE_OPTIONS_INIT PTL_SIZED(ptl_export_save_options)

typedef struct ptl_export_save_report {
    size_t size;
    uint64_t chunks, cities, radios, placements;
    uint64_t placements_left_out; /* of a content that the file does not have any more */
    uint64_t groups;              /* monster groups, after spreading */
    uint64_t bytes;
    double seconds;
} ptl_export_save_report;

#define PTL_EXPORT_SAVE_REPORT_INIT PTL_SIZED(ptl_export_save_report)

/*
 * Writes the saved chunks of a world as files of a game's save. Each file is written under
 * another name first and then renamed: none is ever half there. Monster groups are spread over
 * their radius, the same way each time. report may be NULL. PTL_ERR_EXISTS: the directory
 * holds overmaps already. PTL_ERR_NOT_FOUND: the world has no such chunks.
 */
PTL_API ptl_status ptl_export_save(ptl_world *world, const ptl_export_save_options *options,
                                   ptl_export_save_report *report, ptl_error *err);

/* What a save has of other content than ours. */
typedef enum ptl_save_unknown { PTL_UNKNOWN_TERRAIN, PTL_UNKNOWN_SPECIAL } ptl_save_unknown;

typedef struct ptl_import_save_options {
    size_t size;
    const char *directory;
    /* Terrains that the content does not know become their level's default. */
    bool lenient;
    /* Remove generated chunks beside the imported ones: they would have other borders now, and
     * are made anew when they are asked for. */
    bool force;
    /* Called after each file; returning false stops (PTL_ERR_CANCELLED). May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    /* Called with the id of each terrain (if lenient) and special that is left out since the
     * content lacks it, and how many tiles it has; once or more often in each file. May be
     * NULL. */
    void (*on_unknown)(void *payload, ptl_save_unknown kind, const char *id, uint64_t tiles);
} ptl_import_save_options;

#define PTL_IMPORT_SAVE_OPTIONS_INIT PTL_SIZED(ptl_import_save_options)

typedef struct ptl_import_save_report {
    size_t size;
    uint64_t chunks, edges, cities, radios, placements, groups;
    uint64_t removed;          /* generated chunks, with force */
    uint64_t unknown_terrains; /* cells, with lenient */
    uint64_t points_left_out;  /* tiles of specials that could not be told apart */
    uint64_t groups_left_out;  /* monster groups that lie outside their overmap */
    uint64_t members_left_out; /* monsters, people, vehicles, camps, scents */
    double seconds;
} ptl_import_save_report;

#define PTL_IMPORT_SAVE_REPORT_INIT PTL_SIZED(ptl_import_save_report)

/*
 * Reads all files o.X.Y of a directory into the world as chunks that Portolan did not make:
 * with cities, radios, monster groups, the buildings and specials that can be told apart, and
 * edges of origin 'foreign', which say what crosses their borders, so that generation goes on
 * from there: also the river that a bridge along a border hides. All of the directory or, after
 * any error, none of it. report may be NULL.
 *
 * PTL_ERR_CONTENT: "FILE:LINE:COLUMN: what is wrong". PTL_ERR_EXISTS: a chunk is saved there
 * already, or, without force, a generated one lies beside. PTL_ERR_MISMATCH: the world was
 * made with other content.
 */
PTL_API ptl_status ptl_import_save(ptl_world *world, const ptl_import_save_options *options,
                                   ptl_import_save_report *report, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
