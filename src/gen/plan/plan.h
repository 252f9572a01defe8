/*
 * Plans: pure, cheap functions of seed, settings and a position, which any chunk may ask for
 * without making its neighbours. What they say is what binds two neighbours; what a chunk
 * makes of it is its own affair.
 *
 * Rivers. Chunks form a drainage: the world tilts towards one corner (the seed says which), so
 * each chunk has two neighbours downhill, and its river leaves to the lower of them by a
 * hashed height. Every chunk drains, none has only inflows, no river runs in a circle, and a
 * chunk into which nobody drains has a spring. Where river_scale is below 1 the drainage is
 * that of blocks of C x C chunks, C = trunc(1 / scale), crossed by straight runs. Curved
 * rivers, those of DDA since 2025, are fewer: springs lie in some chunks only, as often as the
 * region says, and of each the river goes on for so many chunks.
 *
 * Strips. The R cells on either side of a crossing belong to the edge: course and painting
 * there are functions of the edge record alone, so that both chunks, and the flood counters
 * of either, know them. Painted cells keep R from corners. All other river cells stay at
 * least R + half width from every border.
 */
#ifndef GEN_PLAN_PLAN_H
#define GEN_PLAN_PLAN_H

#include "core/stop.h"
#include "gen/plan/ocean.h"
#include "model/catalogue.h"
#include "model/edge.h"
#include "model/network.h"
#include "portolan/world.h"

enum { PLAN_REACH = 16 }; /* R of the border rules, in OMTs */

/* The grid of highways: nodes at the overmaps (columns * i, rows * j), each moved by `variance`
 * at most along x and y: columns, rows >= 2 * variance + 2, so that lines go two steps. */
enum { HIGHWAY_CERTAIN = 1 << 16 }; /* of straightness */
typedef struct highway_memo highway_memo;
typedef struct highway_grid {
    int32_t columns, rows; /* 0: no highways */
    int32_t variance;
    uint32_t straightness; /* the chance that an edge does NOT keep to the course of its run */
    highway_memo *memo;    /* where nodes lie that were asked for, of any thread; NULL: none */
} highway_grid;

/* Where nodes lie is a function of the config, but takes long: lakes are looked for. The memo
 * is of settings and one seed; a config of another seed is answered without it. NULL when
 * memory is out. */
highway_memo *highway_memo_new(uint64_t seed);
void highway_memo_free(highway_memo *memo);

/* Everything that generating depends on, compiled once per world. Immutable: threads share
 * it. */
enum { RIVERS_WALKED, RIVERS_CURVED }; /* the games' older form, and DDA's since 2025 */
typedef struct pipeline pipeline;      /* of work/generator.h */
typedef struct gen_config {
    const catalogue *cat; /* borrowed */
    const pipeline *pipeline;
    const cat_region *region;
    uint64_t seed;
    ptl_world_options options; /* region is borrowed from the catalogue */
    noise_land noise;
    ocean_plan ocean;
    const struct cat_shoals *shoals; /* of the ocean's surface; NULL: it has no islands */
    const noise_kernels *kernels;
    ptl_oter defaults[PTL_LEVELS]; /* what fills each level, index z + 10 */
    int32_t river_width;           /* half width W of the brush; 0: no rivers */
    int32_t river_sparsity;        /* C */
    int32_t river_form;            /* RIVERS_... */
    uint32_t river_crossings;      /* of curved ones: of a million edges, how many they cross */
    uint64_t river_springs;        /* and of 2^32 chunks, how many have a spring */
    bool makes_highways;           /* as its region does, or otherwise */
    highway_grid highways;
    struct gen_oters *oters;             /* the terrains that the engine itself names */
    struct gen_connections *connections; /* compiled; see connect.h */
    uint8_t *cell_kinds;                 /* CELL_* for each oter; see steps.h */
    struct site_tables *sites;           /* compiled; see sites.h */
    struct sub_content *sub_content;     /* compiled; see sublevels.h */
    gen_network networks[NETWORKS_MAX];  /* what crosses borders by plan; roads are first */
    size_t network_count;
    int32_t city_size, city_spacing; /* the region's, else the world's options; size 0: none */
    uint16_t road, trail,
        sewer;      /* indices of local_road, forest_trail, sewer_tunnel; CAT_NONE */
    stop_hook stop; /* asked while chunks are made; set by who made the config */
} gen_config;

/* Gives the edge's planned crossings. out->crossings is new; PTL_ERR_NOMEM alone can happen. */
ptl_status plan_edge(edge *out, const gen_config *config, int32_t x, int32_t y, edge_side side,
                     ptl_error *err);

/* Rivers (plan_rivers.c; plan_edge calls it). Appends the edge's; out has room. */
enum { RIVER_ARMS_MAX = 3 };
size_t plan_rivers(crossing *out, const gen_config *config, const edge *e);
/* Gives how many of a million edges curved rivers cross at a frequency above 0. */
uint32_t plan_river_crossings(double frequency);
/* Gives the chance of a spring, of 2^32, at which so many of a million edges are crossed. */
uint64_t plan_river_springs(uint32_t crossings);

/*
 * Highways (plan_highways.c; plan_edge calls it). Exactly one overmap near each node of the
 * grid is its intersection, one without lakes if there is any. Lines of overmaps, each beside
 * the one before, lead from it to the intersections of the nodes to the east and south, and so
 * to those to the north and west. An edge has one crossing if a line passes over it, or
 * several.
 */
enum { HIGHWAY_WIDTH = 2, HIGHWAY_EXIT_GAP = 8 };
/* Returns the overmap of node (i, j). */
ptl_chunk_pos plan_highway_node(const gen_config *config, int32_t i, int32_t j);
/* A line on its way. */
typedef struct highway_line {
    ptl_chunk_pos at, to;
    int32_t extent_x, extent_y, left_x, left_y;
    int32_t step; /* how many were taken */
    int32_t run;  /* the step with which the last one's run began, from 0 */
    bool along_x; /* the last step */
    bool east;    /* between neighbours in a row of the grid, else in a column */
    uint64_t key; /* of the line's random numbers */
} highway_line;
/* Begins at the first overmap of the line from node (i, j) to the next one to the east, or
 * south. */
void plan_highway_line(highway_line *out, const gen_config *config, int32_t i, int32_t j,
                       bool east);
/* Goes on to the next overmap; false at the last one. */
bool plan_highway_step(highway_line *line);
/* Appends one crossing or none; rivers are the edge's planned river crossings. It has no noise
 * lake and no planned river on its columns if that can be had, else it is raised (z = 1). */
size_t plan_highways(crossing *out, const gen_config *config, const edge *rivers);

/*
 * Exits (plan_exits.c; plan_edge calls it). An exit of a network has no noise lake and no
 * planned river on the three columns around it in the R cells behind it on BOTH sides, lies at
 * least R from a corner, at least EXIT_GAP from another exit of the edge, of whatever network,
 * and at least HIGHWAY_EXIT_GAP from its highway. No fixed city is on these cells, as
 * far as roads are kept free for it, or right beside them.
 */
enum { EXIT_GAP = 6, EXIT_CORRIDOR = 3 * PLAN_REACH, EXITS_PER_EDGE = 2 * NETWORKS_MAX };
/* Appends to out, which has room for EXITS_PER_EDGE; planned are the edge's planned crossings
 * of rivers and highways. */
size_t plan_exits(crossing *out, const gen_config *config, const edge *planned);

/*
 * City sites (plan_cities.c): a function of seed, position and settings, tested against noise
 * land only (no lake, no forest); or those that the content fixes, in the order of their ids.
 * A chunk may ask for its neighbours' sites.
 */
typedef struct city_site {
    int16_t x, y; /* centre, chunk-local OMTs */
    int16_t size; /* nominal radius, from 1 */
} city_site;
/* Of a chunk: city size 1 at spacing 0. */
enum { CITY_SITES_MAX = CAT_CITIES_MAX };
/* Do the content, or a region of megacities, say where cities are? They are there whatever the
 * ground. */
bool plan_cities_fixed(const gen_config *config);
/* Is such a city's centre in the rectangle, both ends included? */
bool plan_city_within(const gen_config *config, ptl_chunk_pos pos, int32_t x0, int32_t y0,
                      int32_t x1, int32_t y1);
/* out has room for CITY_SITES_MAX. Returns their number; *missing is that of the sites for
 * which no place was found. */
size_t plan_cities(city_site *out, const gen_config *config, ptl_chunk_pos pos,
                   size_t *missing);

/* The most sites that a chunk has where nothing makes it more urban than the world's settings.
 */
size_t plan_city_most(const gen_config *config);

/*
 * Their names (plan_cities.c): no two sites of a chunk alike, nor of chunks around as far
 * as the content's names last. A site has its name whether a city comes to stand there or not,
 * so that signs far away can tell it without the chunk.
 */
typedef struct city_names {
    const char *list[CITY_SITES_MAX]; /* borrowed from the catalogue; NULL: it has no more */
} city_names;
/* Fills list[0 .. count - 1]; count is what plan_cities gave. */
void plan_city_names(city_names *out, const gen_config *config, ptl_chunk_pos pos,
                     size_t count);

/* Gives the place of the chunk's edges in the order north, east, south, west: the edge that
 * lies there. */
void plan_edge_of_chunk(ptl_chunk_pos pos, int direction, int32_t *x, int32_t *y,
                        edge_side *side);

/* The course of a river through its strip: centre[..][i] is the centre along the edge at
 * distance i from the border, 0 .. R - 1, on the side of the edge's own chunk (side 0) or of
 * its east or south neighbour (side 1); wobble[..][i] is a second centre beside it. Of a curved
 * river the centres lie on a line, and a disc around each is moved by wobble along and ahead
 * across the edge. */
enum { COURSE_ONE = 256 };
typedef struct river_course {
    int16_t centre[2][PLAN_REACH];
    int8_t wobble[2][PLAN_REACH], ahead[2][PLAN_REACH];
    int32_t slope; /* how far the line goes along the edge for each cell that it goes to the
                    * east or south, in cells / COURSE_ONE; 0 if the river is not curved */
} river_course;
/* Returns how far the disc of a radius reaches to either side in a row dy from its middle: it
 * holds what is, by distances cut to whole numbers as the games' are, no farther than that. */
int32_t plan_disc_row(int32_t radius, int32_t dy);

void plan_river_course(river_course *out, const gen_config *config, const edge *e,
                       const crossing *c);

/* +1 if rivers of this world flow to the east (south) over an east (south) edge, else -1. */
int plan_river_downhill(const gen_config *config, edge_side side);

/*
 * Foreign edges (plan_foreign.c). A foreign river may be of any width and touch corners. Its
 * strip answers the border cells of the foreign chunk cell for cell, then narrows or widens to
 * the width of this world's rivers, and keeps to cells that are no nearer to another border
 * than to its own: so it never lies in the strip of a planned edge. Corner cells, which two
 * edges share, belong to no foreign river. On the foreign side only the border line is known.
 */
/* The cells at distance i from the border; none where from > to. */
typedef struct river_span {
    int16_t from[PLAN_REACH], to[PLAN_REACH];
} river_span;
void plan_foreign_span(river_span *out, const gen_config *config, const edge *e,
                       const crossing *c);
void plan_foreign_strip(uint8_t *mask, const gen_config *config, const edge *e);

/*
 * Marks the painted cells of all the edge's rivers. mask covers both strips: index
 * (distance + R) * 180 + position, distance -R .. R - 1, negative on the edge's own chunk's
 * side (-1 touches the border). Cells already marked stay.
 */
enum { STRIP_CELLS = 2 * PLAN_REACH * PTL_CHUNK_SIZE };
void plan_river_strip(uint8_t mask[STRIP_CELLS], const gen_config *config, const edge *e);

/* Where what is unique may be: functions of seed, settings and the special's id. */

/* The chunk in which a GLOBALLY_UNIQUE special may be: within the world's unique_radius of
 * (0, 0). */
ptl_chunk_pos special_home(const gen_config *config, uint16_t special);

/*
 * Does the special's deck have one for the chunk? Of so many cards so many are successes; the
 * games draw a card for each overmap, in the order in which these are made. Here the world is
 * cut into squares of at least so many overmaps, and each has its share of successes, at places
 * of its own. Both have the same rate, and hardly any spread.
 */
bool plan_deck_has(const gen_config *config, uint16_t special, double successes, int32_t cards,
                   ptl_chunk_pos pos);

#endif
