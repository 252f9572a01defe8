/*
 * Plans: pure, cheap functions of seed, settings and a position. Any chunk may ask for them
 * without making its neighbours. Both chunks of an edge must keep to its plan; each decides by
 * itself how it does so.
 *
 * Rivers. Chunks form a drainage. The world tilts towards one corner, which the seed decides,
 * so that each chunk has two neighbours downhill; its river leaves to the neighbour with the
 * lower hashed height. Every chunk drains, none has only inflows, and no river runs in a
 * circle. A chunk into which no other drains has a spring. Where river_scale is below 1, rivers
 * drain from block to block instead. A block has C x C chunks, where C is trunc(1 /
 * river_scale); inside it a river runs straight along x, then straight along y. Curved rivers,
 * those of DDA since 2025, are fewer: only some chunks have springs, as often as the region
 * says, and a river goes on from its spring for a limited number of chunks.
 *
 * Strips. The R = PLAN_REACH cells on either side of an edge, its strip, belong to the edge.
 * The course of a river there, and the cells that are painted as river, follow from the stored
 * edge alone. So both chunks know these cells, also when they measure lakes that reach across
 * the border. The painted cells lie at least R cells from the corners. Outside of strips, cells
 * of rivers stay at least R cells plus half the river's width from every border.
 */
#pragma once

#include "core/hash.h"
#include "core/stop.h"
#include "gen/plan/ocean.h"
#include "model/catalogue.h"
#include "model/edge.h"
#include "model/network.h"
#include "portolan/world.h"

/* How many OMTs on either side of an edge belong to the edge's rivers; R in comments. */
enum { PLAN_REACH = 16 };

/* The grid of highways has its nodes at the overmaps (columns * i, rows * j), each moved by at
 * most `variance` along x and y. columns and rows are at least 2 * variance + 2, so that each
 * line between two nodes is at least two overmaps long. */
/* Value of highway_grid.straightness that means a chance of 1. */
enum { HIGHWAY_CERTAIN = 1 << 16 };
typedef struct highway_memo highway_memo;
typedef struct highway_grid {
    int32_t columns, rows; /* how many overmaps apart the grid's nodes are along x and along y;
                              columns 0: no highways */
    int32_t variance;
    /* The chance, in parts of HIGHWAY_CERTAIN, that a crossing of a highway lies anywhere on
     * its edge. Otherwise it lies near a position that all edges of a straight part of the
     * highway share. */
    uint32_t straightness;
    /* The cache of the overmaps in which the intersections of the nodes lie; shared by threads;
     * NULL: no cache. */
    highway_memo *memo;
} highway_grid;

/* A cache that says for each node of the grid of highways in which overmap its intersection
 * lies. To find that overmap from the config is slow, because lakes must be looked for. A
 * cache serves one world's settings and seed; for a config with another seed, these overmaps
 * are computed without the cache. highway_memo_new returns NULL when memory is out. */
highway_memo *highway_memo_new(uint64_t seed);
void highway_memo_free(highway_memo *memo);

/* Everything that generation depends on, compiled once per world. Immutable, so threads share
 * it. */
/* Values of gen_config.river_form: the games' older form of rivers, and that of DDA since 2025.
 */
enum { RIVERS_WALKED, RIVERS_CURVED };
typedef struct pipeline pipeline; /* defined in work/generator.h */
typedef struct gen_config {
    const catalogue *cat; /* borrowed */
    /* Owns the tables that were compiled for this config. NULL: it has no tables of its own. */
    struct arena *memory;
    const pipeline *pipeline;
    const cat_region *region;
    uint64_t seed;
    ptl_world_options options; /* its text `region` is borrowed from the catalogue */
    noise_land noise;
    ocean_plan ocean;
    const struct cat_shoals *shoals; /* settings of the ocean's islands; NULL: it has no
                                      * islands */
    const noise_kernels *kernels;
    ptl_oter defaults[PTL_LEVELS]; /* for each level, at the index z + 10: its default oter */
    int32_t river_width;           /* half of a river's width, in OMTs; 0: no rivers */
    /* Rivers are planned for square blocks of chunks; this is the side of a block, in chunks.
     */
    int32_t river_sparsity;
    int32_t river_form;       /* RIVERS_... */
    uint32_t river_crossings; /* for curved rivers: how many of a million edges they cross */
    uint64_t river_springs;   /* for curved rivers: how many of 2^32 chunks have a spring */
    bool makes_highways; /* whether highways are made: what the world's options say or, if they
                          * say nothing, the region */
    highway_grid highways;
    struct gen_oters *oters; /* the terrains that the code of generation names by their ids */
    struct gen_connections *connections; /* tables of the connections; see connect.h */
    uint8_t *cell_kinds;                 /* by oter: a byte of CELL_* bits; see steps.h */
    struct site_tables *sites;           /* tables of the specials' conditions; see sites.h */
    struct sub_content *sub_content;     /* what terrains ask for below them; see sublevels.h */
    /* The connections that cross borders at planned places; that of roads comes first. */
    gen_network networks[NETWORKS_MAX];
    size_t network_count;
    int32_t city_size, city_spacing; /* the usual size of cities and their spacing, from the
                                      * region or the world's options; city_size 0: no cities */
    /* Indices of the connections local_road, forest_trail and sewer_tunnel; CAT_NONE if the
     * content lacks them. */
    uint16_t road, trail, sewer;
    stop_hook stop; /* asked while chunks are made; the owner of the config sets it */
} gen_config;

/* Returns the hash key for random numbers of a purpose, `what`, at a place: a chunk, an edge or
 * another place of the plan with whole coordinates. */
static inline uint64_t plan_key(const gen_config *config, const char *what, int32_t x,
                                int32_t y)
{
    const uint64_t key = hash_add(config->seed, hash_string(what));
    return hash_add(hash_add(key, (uint32_t)x), (uint32_t)y);
}

/* Computes the edge's planned crossings. out->crossings is new. The only possible error is
 * PTL_ERR_NOMEM. */
ptl_status plan_edge(edge *out, const gen_config *config, int32_t x, int32_t y, edge_side side,
                     ptl_error *err);

/* Rivers (plan_rivers.c; called by plan_edge). Appends the edge's river crossings to out, which
 * has room for RIVER_ARMS_MAX, and returns their number. */
enum { RIVER_ARMS_MAX = 3 };
size_t plan_rivers(crossing *out, const gen_config *config, const edge *e);
/* Returns how many of a million edges are crossed by curved rivers in a region with this river
 * frequency, which must be above 0. The greater the number, the fewer the crossings. */
uint32_t plan_river_crossings(double frequency);
/* Returns the chance that a chunk has a spring, in parts of 2^32, for curved rivers that shall
 * cross `crossings` of a million edges. */
uint64_t plan_river_springs(uint32_t crossings);

/*
 * Highways (plan_highways.c; called by plan_edge). Each node of the grid has one overmap as its
 * intersection, which lies near the node and has no lakes if such an overmap exists. From the
 * intersection, lines of adjacent overmaps lead to the intersections of the nodes to the east
 * and to the south; lines from the intersections to the north and to the west lead to it in the
 * same way. An edge has one crossing of highways if at least one line passes over it.
 */
enum { HIGHWAY_WIDTH = 2, HIGHWAY_EXIT_GAP = 8 };
/* Returns the overmap in which the intersection of node (i, j) lies. */
ptl_chunk_pos plan_highway_node(const gen_config *config, int32_t i, int32_t j);
/* A line of overmaps between two nodes, while it is followed step by step. */
typedef struct highway_line {
    ptl_chunk_pos at, to;
    int32_t extent_x, extent_y, left_x, left_y;
    int32_t step; /* how many steps from overmap to overmap were taken so far */
    /* The present straight part of the line began with the step of this number, counted from
     * 0. */
    int32_t run;
    bool along_x; /* whether the last step from overmap to overmap went along x */
    /* True if the line leads from a node to its eastern neighbour in the grid of nodes;
     * false if it leads to its southern neighbour. */
    bool east;
    uint64_t key; /* key of the line's random numbers */
} highway_line;
/* Puts *out at the first overmap of the highway line from node (i, j) to the next node in the
 * east (without `east`: in the south). */
void plan_highway_line(highway_line *out, const gen_config *config, int32_t i, int32_t j,
                       bool east);
/* Steps to the next overmap; false at the last one. */
bool plan_highway_step(highway_line *line);
/* Appends the crossing of a highway over an edge to out, if there is one, and returns the
 * number of crossings appended (0 or 1). `rivers` are the edge's planned river crossings. If
 * possible, the crossing lies where, within PLAN_REACH cells on either side of the edge, there
 * is neither a lake by noise nor a planned river; else it is raised (z = 1). */
size_t plan_highways(crossing *out, const gen_config *config, const edge *rivers);

/*
 * Exits (plan_exits.c; called by plan_edge): where roads, rails and tunnels cross an edge. At
 * an exit's position and at the positions beside it, no cell that lies within PLAN_REACH of the
 * border, on either side of it, is lake by noise or part of a planned river. An exit lies at
 * least PLAN_REACH cells from a corner, at least EXIT_GAP from any other exit of the edge, and
 * at least HIGHWAY_EXIT_GAP from the edge's highway. No fixed city lies in the corridor that is
 * kept free for the exit's road, or right beside it.
 */
enum { EXIT_GAP = 6, EXIT_CORRIDOR = 3 * PLAN_REACH, EXITS_PER_EDGE = 2 * NETWORKS_MAX };
/* Appends the edge's exits to out, which has room for EXITS_PER_EDGE, and returns their
 * number. `planned` has the edge's planned crossings of rivers and highways. */
size_t plan_exits(crossing *out, const gen_config *config, const edge *planned);

/*
 * City sites (plan.c). They are a function of seed, position and settings. A site is chosen at
 * random where the noise leaves plain land (no lake, no forest); or the content fixes the
 * sites, which then come in the order of their ids. A chunk may ask for its neighbours' sites.
 */
typedef struct city_site {
    int16_t x, y; /* the site's centre, in OMTs from the chunk's north-western corner */
    int16_t size; /* the city's nominal radius in OMTs; at least 1 */
} city_site;
/* The most city sites that a chunk can have; it has so many at city size 1 and spacing 0. */
enum { CITY_SITES_MAX = CAT_CITIES_MAX };
/* Returns whether the content fixes where cities are. A region of megacities fixes that,
 * too. Cities in fixed places are built on any ground. */
bool plan_cities_fixed(const gen_config *config);
/* Is the centre of a fixed city in the rectangle, both ends included? */
bool plan_city_within(const gen_config *config, ptl_chunk_pos pos, int32_t x0, int32_t y0,
                      int32_t x1, int32_t y1);
/* Lists the chunk's sites in out, which has room for CITY_SITES_MAX, and returns their number.
 * *missing is the number of sites for which no place was found. */
size_t plan_cities(city_site *out, const gen_config *config, ptl_chunk_pos pos,
                   size_t *missing);

/* Returns the most city sites that a chunk of the world can have, however urban it is. */
size_t plan_city_most(const gen_config *config);

/*
 * Names of the sites (plan.c). No two sites of a chunk have the same name, nor do sites
 * of near chunks as long as the content's names suffice. A site has its name whether or not a
 * city is built there, so that distant signs can show the name without making the chunk.
 */
typedef struct city_names {
    const char *list[CITY_SITES_MAX]; /* borrowed from the catalogue; NULL: the content has no
                                       * name left */
} city_names;
/* Sets out->list[i] to the name of the chunk's city site i, for each i < count; count is what
 * plan_cities returned. */
void plan_city_names(city_names *out, const gen_config *config, ptl_chunk_pos pos,
                     size_t count);

/* Gives the place and side by which the chunk's edge in a direction (0..3 = north, east, south,
 * west) is stored. */
void plan_edge_of_chunk(ptl_chunk_pos pos, int direction, int32_t *x, int32_t *y,
                        edge_side *side);

/* The course of a river through the strip of cells along an edge. centre[side][i] is the
 * position, along the edge, of the river's centre at distance i (0 .. PLAN_REACH - 1) from the
 * border. Side 0 is the edge's own chunk, side 1 its east or south neighbour. A river of the
 * games' older form (a random walk) is painted as two squares per distance, around the centre
 * and around the centre moved along the edge by wobble[side][i]. The centres of a curved river
 * (DDA since 2025) lie on a line; a disc around each is moved by `wobble` along the edge and by
 * `ahead` across it. */
enum { COURSE_ONE = 256 };
typedef struct river_course {
    int16_t centre[2][PLAN_REACH];
    int8_t wobble[2][PLAN_REACH], ahead[2][PLAN_REACH];
    /* For a curved river (the form of DDA since 2025): how far its centre moves along the edge
     * with each cell to the east or to the south, in parts of a cell (COURSE_ONE is a whole
     * cell). For a river of the older form: 0. */
    int32_t slope;
} river_course;
/* Returns how far a disc reaches to either side in the row dy from its middle. The disc holds
 * the cells whose distance, truncated as in the games, is at most the radius. */
int32_t plan_disc_row(int32_t radius, int32_t dy);

/* Computes the course of a river through the strip of cells along the edge; `c` is the river's
 * planned crossing of that edge. */
void plan_river_course(river_course *out, const gen_config *config, const edge *e,
                       const crossing *c);

/* Returns +1 if rivers of this world flow to the east over an east edge (to the south over a
 * south edge), else -1. */
int plan_river_downhill(const gen_config *config, edge_side side);

/*
 * Foreign edges (plan_foreign.c): edges of chunks that Portolan did not make. A foreign river
 * may have any width and may touch corners. On Portolan's side it begins with the cells that
 * face the foreign chunk's water at the border, cell for cell; farther in it narrows or widens
 * to the width of this world's rivers. It keeps to cells that are no nearer to another border
 * than to its own, so that it never lies in the strip of a planned edge. Corner cells belong to
 * two edges, and so to no foreign river. Of the foreign chunk only the cells along the border
 * are known.
 */
/* The cells of a river on one side of an edge: at each distance i from the border, the
 * positions from[i] .. to[i] along the edge; none where from[i] > to[i]. */
typedef struct river_span {
    int16_t from[PLAN_REACH], to[PLAN_REACH];
} river_span;
/* A foreign river is one whose crossing the edge has from a chunk that Portolan did not make.
 * plan_foreign_span computes which cells the river has on Portolan's side of the edge, in the
 * rows near the edge. plan_foreign_strip paints these cells for all foreign rivers of the edge;
 * plan_river_strip calls it. */
void plan_foreign_span(river_span *out, const gen_config *config, const edge *e,
                       const crossing *c);
void plan_foreign_strip(uint8_t *mask, const gen_config *config, const edge *e);

/*
 * Marks the painted cells of all rivers of the edge. mask covers the cells on both sides of the
 * edge. Its index is (distance + PLAN_REACH) * 180 + position, with distance in -PLAN_REACH ..
 * PLAN_REACH - 1. Distances below 0 are on the side of the edge's own chunk; -1 touches the
 * border. Cells that are already marked stay marked.
 */
enum { STRIP_CELLS = 2 * PLAN_REACH * PTL_CHUNK_SIZE };
void plan_river_strip(uint8_t mask[STRIP_CELLS], const gen_config *config, const edge *e);

/* Returns the chunk in which a GLOBALLY_UNIQUE special may be, within the world's unique_radius
 * of (0, 0). It follows from the seed, the settings and the special's id. */
ptl_chunk_pos special_home(const gen_config *config, uint16_t special);

/*
 * Returns whether chance gives this special to the chunk. In the games, a special with a chance
 * has a deck of `cards` cards, of which `successes` are successes; each overmap takes a random
 * card when it is made. Here the world is cut into squares of at least as many overmaps as the
 * deck has cards. In each square the same fraction of overmaps get a success, at places chosen
 * at random for that square. So specials are as frequent as in the games, but their numbers
 * differ less from region to region of the world.
 */
bool plan_deck_has(const gen_config *config, uint16_t special, double successes, int32_t cards,
                   ptl_chunk_pos pos);
