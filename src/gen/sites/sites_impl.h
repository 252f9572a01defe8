/*
 * Internals of the site map. Requirements are compiled into terms. A term says: all cells of
 * the rectangle at (dx, dy) from the origin belong to a layer, which is a set of oters on a
 * level. A node belongs to one layer and one size of rectangle. It is a bitmap of the places at
 * which all cells of such a rectangle belong to the layer. The node of size 1 x 1 is the
 * layer's cells themselves, and is updated when the chunk's cells change. A larger node is the
 * intersection of a smaller node and a shifted copy of it, so that w x h costs log2 w + log2 h
 * steps; all specials and rotations that need a node share it.
 *
 * The chunk's border ring belongs to no layer, which keeps OMTs and connection points off it.
 *
 * Rotations and specials with equal lists of terms are computed once.
 */
#pragma once

#include "gen/sites/sites.h"

enum {
    SITE_CELLS = SIZE * SITE_WORDS,
    /* How many words of 64 bits the bitmap of a node has: those with a bit for each cell, and
     * eight that stay 0, because shifts read beyond the end. */
    NODE_WORDS = SITE_CELLS + 8,
    INNER_FIRST = 1, /* first row and first column inside the chunk's ring of border cells */
    INNER_LAST = SIZE - 2,
    SITE_REACHES = 4,
    SITE_GROUP = 16, /* the number of layers of a level that are read at the same time */
    SITE_BLOCK_COUNT = SITE_BLOCKS * SITE_BLOCKS
};

#define NODE_NONE UINT32_MAX

/* A rectangle of origins, both corners included; it is empty if x0 > x1 or y0 > y1. */
typedef struct site_box {
    int32_t x0, y0, x1, y1;
} site_box;

/* A set of oters on a level. */
typedef struct site_layer {
    int8_t z;
    /* Set if OMTs of specials or checks (boxes of cells that a special tests) ask for the
     * layer. Such a layer does not have cells on which specials stand. */
    bool ground;
    /* Number of the layer among those of its level: its bit in site_level.masks. */
    uint32_t bit;
    uint32_t node; /* index of the node that holds the layer's single cells (1 x 1) */
    uint32_t size; /* how many oters the layer has */
} site_layer;

typedef struct site_node {
    uint32_t layer;
    /* Index of the smaller node from which this node is made: a cell is in this node if it is
     * in the smaller one and also in a copy of the smaller one that is shifted by (dx, dy).
     * NODE_NONE for a node of 1 x 1. */
    uint32_t parent;
    uint8_t w, h, dx, dy;
} site_node;

typedef struct site_term {
    uint32_t node;
    int16_t dx, dy;
} site_term;

/* A special in one rotation. Its terms are conditions on rectangles of cells (see the head of
 * this file). First come the conditions on OMTs and boxes of checks; of these, conditions that
 * few oters meet come before others. Conditions on connection points follow. */
typedef struct site_rotated {
    const site_term *terms;
    /* The origins at which no cell leaves the chunk: `ground` for the cells of OMTs and checks,
     * `links` for the cells of connection points. */
    site_box ground, links;
    /* The lowest rotation of the special that has the same conditions on OMTs and checks as
     * this rotation; it may be this rotation itself. */
    uint8_t like_ground;
} site_rotated;

typedef struct site_special {
    bool possible;
    bool linkable; /* false: some connection point can never meet its requirement */
    uint32_t ground_count, link_count;
    uint32_t layer_count;
    const uint32_t *layers; /* indices of the layers that the special needs, each once */
    uint32_t figure;
    uint8_t reach; /* index into SITE_REACH, which says how far from its origin the special may
                      have cells */
    uint8_t like[4]; /* by rotation: the lowest rotation with the same requirements */
    site_rotated rotated[4];
} site_special;

/* The layers of a level, in groups: bit b of masks[group * oter_count + oter] tells whether the
 * level's layer SITE_GROUP * group + b has the oter. */
typedef struct site_level {
    uint32_t count;
    size_t groups;
    uint32_t *layers; /* for each layer of the level: its index in site_tables.layers */
    uint16_t *masks;
    /* For each group of SITE_GROUP layers, a bit for each layer: set if OMTs or checks (boxes
     * of cells that a special tests) ask for the layer. */
    uint16_t *ground;
    bool points; /* whether some layers of the level are for connection points, the ends of
                    specials' connections */
} site_level;

/* A set of cells, shifted: the shifted set has a cell if the bit in `words` that stands `shift`
 * bits behind the bit of this cell is set. */
typedef struct site_shifted {
    const uint64_t *words;
    int32_t shift;
} site_shifted;

/* Sets of cells that are to be intersected. The intersection has the cells that lie in all of
 * the shifted sets, in the rows `first` to `last`, and in the columns whose bit is set in
 * `span`. */
typedef struct site_meeting {
    const site_shifted *sets;
    int32_t count;
    int32_t first, last; /* first and last row in which the sets are intersected */
    uint64_t span[SITE_WORDS];
} site_meeting;

/* Functions that work on whole sets of cells. If a function shifts one of its sets, its result
 * must not lie in the memory of that set. */
typedef struct site_kernels {
    /* Computes the intersection: writes its rows to `out`, and adds its cells to the set
     * `united`. Each of the two may be NULL. `out` may be one of the sets if that set is not
     * shifted. */
    void (*meet_shifted)(uint64_t *out, uint64_t *united, const site_meeting *m);
    /* Intersects a set with a copy of itself that is moved by `shift` bits: for i in 0..last,
     * out[i] = source[i] & the 64 bits that begin `shift` bits after those of source[i]. */
    void (*narrow)(uint64_t *restrict out, const uint64_t *restrict source, int32_t last,
                   int32_t shift);
    int32_t (*count)(const uint64_t *words);
    /* Computes out = a & b and returns how many cells that set has. `out` may be a or b. */
    int32_t (*meet)(uint64_t *out, const uint64_t *a, const uint64_t *b);
    /* Tells for 64 cells to which layers of a group they belong: bit i of out[k] becomes 1 if
     * layer k has the oter of cell i, else 0. masks[oter] has a bit for each layer of the
     * group. */
    void (*look_up)(uint64_t out[SITE_GROUP], const ptl_oter *cells, const uint16_t *masks);
} site_kernels;

extern const site_kernels site_kernels_base;
/* The functions compiled for processors with AVX2, and for those with AVX-512. In a build
 * without one of these, its functions are those of site_kernels_base. */
extern const site_kernels site_kernels_avx2, site_kernels_avx512;
/* Returns the fastest of these tables of functions that this processor can run. */
const site_kernels *site_kernels_best(void);

struct site_tables {
    const site_kernels *kernels;
    site_special *specials;
    site_layer *layers;
    site_node *nodes; /* all nodes; a node comes after the smaller node that it is made of */
    size_t special_count, layer_count, node_count, layer_room, node_room;
    size_t oter_count;
    size_t layer_words; /* number of words of 64 bits in a set of layers */
    site_level levels[PTL_LEVELS];
};

typedef enum level_state {
    LEVEL_UNREAD,  /* the level's cells have not been read yet */
    LEVEL_UNIFORM, /* each layer has all cells or none, so that no bits are stored */
    LEVEL_READ     /* each layer has its set of cells as bits, which are updated when the chunk
                    * changes */
} level_state;

/* What the map knows of a layer. Its times are the values of site_map.clock, which counts the
 * changes of cells. */
typedef struct layer_state {
    /* `all`: it is known that all cells inside the border ring belong to the layer. `none`: it
     * is known that none of them does. If neither is set, both are still possible. */
    bool all, none;
    /* Bit r is set if the layer is needed by a special that site_watch has named, and whose
     * cells lie at most SITE_REACH[r] from its origin. */
    uint8_t reaches;
    uint16_t noted; /* where the cell lies that joined the layer last: 256 times its stretch of
                       rows plus its stretch of columns, by their numbers in site_map.stretches;
                       0: no such cell was noted */
    uint32_t gains;
    uint32_t changed; /* time of the layer's last change, as a value of site_map.clock */
    uint32_t taken;   /* how many of the level's cells with specials (owned_cells) have been
                         removed from the layer so far */
} layer_state;

typedef struct node_bits {
    uint64_t words[NODE_WORDS];
} node_bits;

/* Of the nodes larger than 1 x 1, NODES_KEPT are kept in memory at a time; more would only push
 * each other out of the processor's cache. At most PINNED_MAX of the kept ones may be pinned
 * (see site_node_pin), so that places remain for making further nodes. */
enum { NODES_KEPT = 64, PINNED_MAX = 16 };

enum { OWNED_LATEST = 256 };

/* The cells of a level on which specials stand. The layers in which places for a special's OMTs
 * are looked up (site_layer.ground) do not have these cells. A cell is removed from a layer
 * only when the layer is next read, because many layers are never read again. */
typedef struct owned_cells {
    site_bits bits;
    uint32_t count;
    uint16_t latest[OWNED_LATEST]; /* for the last OWNED_LATEST cells that were added: the index
                                    * of the 64-bit word of `bits` in which the cell is; the
                                    * cell that was added as number n is at the index n %
                                    * OWNED_LATEST */
} owned_cells;

struct site_map {
    const site_tables *tables; /* borrowed */
    level_state levels[PTL_LEVELS];
    layer_state *layers;
    node_bits *cells; /* by layer: its node of size 1 x 1 */
    /* Nodes larger than 1 x 1 that are kept; when all places are used, a new node replaces the
     * oldest. */
    node_bits kept[NODES_KEPT];
    uint32_t owners[NODES_KEPT]; /* for each place in `kept`: the node whose bitmap is there, or
                                    NODE_NONE */
    uint32_t pins[NODES_KEPT];   /* for each index of `kept`: the value that the member `pin`
                                  * had when the bitmap there was last pinned; while `pin` has
                                  * still this value, the bitmap must not be replaced */
    uint32_t pin, oldest;
    uint8_t *places; /* by node: 1 + its place in `kept`; 0: not kept */
    /* For each node: the time when its bits were last brought up to date, as a value of
     * `clock`, which counts the changes of cells. */
    uint32_t *versions;
    uint32_t clock;
    owned_cells owned[PTL_LEVELS];
    /* For each distance in SITE_REACH and each block of cells: the set of the layers that have
     * gained a cell which lies in the block or at most this far from it. */
    uint64_t *gained;
    /* For each distance in SITE_REACH and each layer: the set of those specials that need the
     * layer and whose cells lie up to that distance from the origin. Specials have the numbers
     * that the caller of site_watch gave to them. */
    uint64_t *watchers;
    size_t watch_words; /* number of words of 64 bits in a set of specials that site_watch has
                           named */
    /* Number of words of 64 bits in the whole array `gained`, and in the whole array
     * `watchers`. */
    size_t gained_words, watcher_words;
    bool watched; /* whether site_watch was called; only then `gained` is kept up to date */
    /* Rows (and columns) of cells are divided into stretches, see make_site_map. stretches[i]
     * is the number of the stretch to which row i or column i belongs. */
    uint8_t stretches[SIZE];
    site_bits ground, rotated, met; /* scratch memory of site_origins */
};

/* Specials are divided into classes by size: in a special of class r, no cell lies farther from
 * the origin than SITE_REACH[r]. The last class has specials as large as a chunk. For these it
 * does not matter in which block of cells a cell joins a layer; block 0 stands for all. */
static const int32_t SITE_REACH[SITE_REACHES] = {2, 5, SITE_BLOCK, SIZE};

static inline const site_special *site_special_of(const generator *g, uint16_t special)
{
    return &g->config->sites->specials[special];
}

/* Some of a special's terms, which are conditions on rectangles of cells, with the origins at
 * which no cell of these rectangles leaves the chunk. */
typedef struct site_terms {
    const site_term *terms;
    uint32_t count;
    site_box box;
} site_terms;

static inline site_terms site_ground_terms(const site_special *s, int rotation)
{
    const site_rotated *t = &s->rotated[rotation];
    return (site_terms){t->terms, s->ground_count, t->ground};
}

static inline site_terms site_link_terms(const site_special *s, int rotation)
{
    const site_rotated *t = &s->rotated[rotation];
    const site_term *terms = t->terms ? t->terms + s->ground_count : NULL;
    return (site_terms){terms, s->link_count, t->links};
}

/* ---- sites_compile.c, sites_gather.c ---- */

/* A rectangle of cells of a layer that a special needs, unrotated (north up). */
typedef struct site_need {
    uint32_t layer, size; /* index of the layer; how many oters the layer has */
    int32_t x, y, w, h;
} site_need;

typedef struct need_list {
    site_need *items; /* owned */
    size_t count, room;
} need_list;

/* A hash map from numbers to indices; its arrays lie in the builder's scratch memory. */
typedef struct key_map {
    uint64_t *keys;
    uint32_t *values; /* for each slot of the hash table, 1 + the index that its key has; 0: the
                         slot is empty */
    size_t room, count;
} key_map;

enum { COVER_WIDTH = SIZE };

/* What is needed while specials are compiled, and is not kept in the tables. */
typedef struct site_builder {
    const gen_config *config;
    site_tables *tables;
    arena *memory, *scratch; /* `memory`: where the tables are allocated; `scratch`: freed when
                              * the tables are compiled */
    /* Owned; for each layer the set of its oters, which lies in `scratch`. */
    uint64_t **members;
    size_t member_room;
    size_t oter_words;
    key_map sets; /* gives a number to each set of terrains of the content; the key is the set's
                   * address */
    uint32_t set_count; /* how many sets of terrains have got a number so far */
    /* Gives the index of a layer. Its key is made of what the layer is asked for: a set of
     * terrains (by its number), a level, a purpose (layer_kind) and a connection. */
    key_map asked;
    /* Finds the index of the layer that has a set of oters on a level. The key is a hash of the
     * level and the set. */
    key_map contents;
    key_map sizes; /* gives the index of a node by its layer and the size of its rectangle, of
                      which the key is made */
    /* Gives the number of a special's figure; specials with equal requirements have the same
     * figure. The key is the hash of the special's requirements. */
    key_map figures;
    need_list ground, links;
    /* What was found about the special that is being compiled. `impossible`: it can never be
     * placed. `unlinkable`: its connection points can never fit. */
    bool impossible, unlinkable;
    /* For the special that is being compiled: the number of OMTs and nested specials gathered
     * so far, and how deep the present one is nested. */
    uint32_t visited, depth;
    bool failed; /* memory is out */
    /* Scratch memory of site_cover; all 0 between calls. */
    uint8_t cover[COVER_WIDTH * COVER_WIDTH];
} site_builder;

typedef enum layer_kind {
    LAYER_OWN, /* a layer for OMTs and checks of specials: it has only the oters of a given set
                  of terrains */
    LAYER_DEFAULT, /* a layer for OMTs and checks of specials: it has the oters of a given set
                      of terrains, and the default oter of the level */
    LAYER_CARRIES, /* a layer for a connection point at which the connection must be there
                      already: it has only the oters of a given set of terrains */
    LAYER_STARTS /* a layer for a connection point: it has the oters of a given set of terrains,
                    and all oters on which a path of the connection can begin */
} layer_kind;

/* Returns the layer of a set of terrains on a level; only LAYER_STARTS uses `connection`.
 * NODE_NONE when memory is out. */
uint32_t site_layer_of(site_builder *b, int32_t z, ptl_terrain_set set, layer_kind kind,
                       uint16_t connection);
/* Fills b->ground and b->links with the special's requirements. */
void site_gather(site_builder *b, uint16_t special);
/* Removes duplicates from a list of requirements, and replaces those for single cells of a
 * layer by rectangles that cover the same cells. The cells of the list must not span more than
 * the chunk. */
void site_cover(site_builder *b, need_list *list);

/* ---- sites.c ---- */

/* A question to the site map: which origins in a box meet all terms (conditions on rectangles
 * of cells) in `range`? */
typedef struct site_asked {
    site_terms range;
    site_box box;
    const site_bits *among; /* if not NULL, only the origins in this set are looked at */
} site_asked;

/* Finds the origins in the box of `asked` that meet all conditions (terms) of `asked`. Sets
 * *out to them and adds them to *united; each of the two may be NULL. Returns false, and writes
 * nothing, if a layer of the conditions has no cell, so that no origin can meet them. */
bool site_meet_terms(generator *g, const site_asked *asked, site_bits *out, site_bits *united);

/* ---- sites_map.c ---- */

/* Returns what is known of the layer, after reading the cells of its level if that was not done
 * before. Afterwards the layer's 1 x 1 node is up to date, unless the layer has all cells or
 * none. */
const layer_state *site_layer_read(generator *g, uint32_t layer);
/* Returns the cells of a layer (its 1 x 1 node). The layer must have been read, and must not
 * have all cells or none. */
static inline const uint64_t *site_cells_read(const site_map *m, uint32_t layer)
{
    return m->cells[layer].words;
}
/* Returns the bits of a node (the places at which all cells of a rectangle of one size belong
 * to a layer), up to date. They are valid until the next call. The layer must have been read,
 * and must not have all cells or none. */
const uint64_t *site_node_read(site_map *m, uint32_t node);
/* Returns the bits of a node as site_node_read does, but they stay valid until site_unpin. At
 * most PINNED_MAX nodes may be pinned at a time. */
const uint64_t *site_node_pin(site_map *m, uint32_t node);
static inline void site_unpin(site_map *m)
{
    m->pin++;
}

/* ---- sites_gather.c ---- */

/* Returns 64 bits of row y of a set of cells, for the columns from x on. x and y may lie
 * outside of the level, where all bits are 0. */
static inline uint64_t bits_of_row(const uint64_t *words, int32_t x, int32_t y)
{
    if (y < 0 || y >= SIZE || x <= -64 || x >= SIZE)
        return 0;
    const uint64_t *row = &words[y * SITE_WORDS];
    if (x < 0)
        return row[0] << -x;
    const int32_t at = x / 64, low = x % 64;
    uint64_t bits = row[at] >> low;
    if (low > 0 && at + 1 < SITE_WORDS)
        bits |= row[at + 1] << (64 - low);
    return bits;
}
/* Does the same as bits_of_row for `count` rows from y on. */
void bits_of_rows(uint64_t *out, const uint64_t *words, int32_t x, int32_t y, int32_t count);
/* Makes in `out` a set of cells of one row, which has a bit for each column: sets the bits of
 * the columns x0 to x1 and clears all others. A row takes three words. */
void bits_span(uint64_t out[SITE_WORDS], int32_t x0, int32_t x1);
