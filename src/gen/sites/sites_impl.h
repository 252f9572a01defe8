/*
 * Inside the site map. Requirements are compiled to terms: all cells of the rectangle at (dx,
 * dy) from the origin belong to a layer, which is a set of oters on a level. A node holds the
 * origins of such rectangles of one size as bits. That of size 1 x 1 follows the chunk; a
 * larger one is two shifted copies of a smaller one and-ed, so that w x h costs log2 w + log2 h
 * steps, and every special and rotation that asks for it shares it.
 *
 * The chunk's border ring belongs to no layer, which keeps tiles and connection points off it.
 *
 * Equal lists of terms have the same number, so that rotations and specials that ask for the
 * same are looked at once.
 */
#ifndef GEN_SITES_SITES_IMPL_H
#define GEN_SITES_SITES_IMPL_H

#include "gen/sites/sites.h"

enum {
    SITE_CELLS = SIZE * SITE_WORDS,
    NODE_WORDS = SITE_CELLS + 8, /* what shifts read beyond the end is 0 */
    INNER_FIRST = 1,             /* without the border ring */
    INNER_LAST = SIZE - 2,
    SITE_REACHES = 4,
    SITE_GROUP = 16, /* layers that are read at one time */
    SITE_BLOCK_COUNT = SITE_BLOCKS * SITE_BLOCKS
};

#define NODE_NONE UINT32_MAX

/* Origins, both ends included; none where x0 > x1 or y0 > y1. */
typedef struct site_box {
    int32_t x0, y0, x1, y1;
} site_box;

/* A set of oters on a level. */
typedef struct site_layer {
    int8_t z;
    bool ground;   /* of tiles and checks: cells of specials that stand are not in it */
    uint32_t bit;  /* in the masks of its level */
    uint32_t node; /* of size 1 x 1 */
    uint32_t size; /* oters in it */
} site_layer;

typedef struct site_node {
    uint32_t layer;
    uint32_t parent; /* and-ed with itself shifted by (dx, dy); NODE_NONE for 1 x 1 */
    uint8_t w, h, dx, dy;
} site_node;

typedef struct site_term {
    uint32_t node;
    int16_t dx, dy;
} site_term;

/* A special rotated: first the ground's terms, those of the smallest layers first, then those
 * of connection points. */
typedef struct site_rotated {
    const site_term *terms;
    site_box ground, links;           /* origins at which all of them are in the chunk */
    uint32_t ground_list, links_list; /* numbers of the boxes with their terms */
} site_rotated;

typedef struct site_special {
    bool possible;
    bool linkable; /* false: a connection point can never be as it must be */
    uint32_t ground_count, link_count;
    uint32_t layer_count;
    const uint32_t *layers; /* all that it asks for, each once */
    uint32_t figure;
    uint8_t reach;   /* index into SITE_REACH: how far from its origin its cells lie */
    uint8_t like[4]; /* by rotation: the first one that asks for the same */
    site_rotated rotated[4];
} site_special;

/* Layers of a level in groups: bit b of masks[group * kind_count + kind] is that of the level's
 * layer SITE_GROUP * group + b. Oters that the same layers of all levels have are of one kind:
 * there are few, so that these tables stay in the nearest cache. */
typedef struct site_level {
    uint32_t count;
    size_t groups;
    uint32_t *layers; /* by bit */
    uint16_t *masks;
    uint16_t *ground; /* by group: those of the ground */
    bool points;      /* are there others? */
} site_level;

/* A set of which the bit that is `shift` behind a cell's own counts for the cell. */
typedef struct site_shifted {
    const uint64_t *words;
    int32_t shift;
} site_shifted;

/* The cells of some rows that are in a span of each and in all of the shifted sets. */
typedef struct site_meeting {
    const site_shifted *sets;
    int32_t count;
    int32_t first, last; /* rows */
    uint64_t span[SITE_WORDS];
} site_meeting;

/* Loops over whole sets; a set and what is shifted into it don't overlap. */
typedef struct site_kernels {
    /* Rows of out become those of the meeting, and united gets their cells as well. Either may
     * be NULL; out may be one of the sets, if that is not shifted. */
    void (*meet_shifted)(uint64_t *out, uint64_t *united, const site_meeting *m);
    /* out[i] = source[i] & the word that starts `shift` bits after it, for i in 0..last. */
    void (*narrow)(uint64_t *restrict out, const uint64_t *restrict source, int32_t last,
                   int32_t shift);
    int32_t (*count)(const uint64_t *words);
    /* out = a & b, which may be out, and the count of that. */
    int32_t (*meet)(uint64_t *out, const uint64_t *a, const uint64_t *b);
    /* Bit i of out[k] is bit k of masks[kinds[cells[i]]], for 64 cells. */
    void (*look_up)(uint64_t out[SITE_GROUP], const ptl_oter *cells, const uint16_t *kinds,
                    const uint16_t *masks);
} site_kernels;

extern const site_kernels site_kernels_base;
/* Equal to base where the build does not have it. */
extern const site_kernels site_kernels_avx2, site_kernels_avx512;
/* The fastest ones that this processor can run. */
const site_kernels *site_kernels_best(void);

/* Terms and layer lists are kept in blocks, owned by the tables. */
typedef struct site_block {
    struct site_block *next;
    max_align_t data[];
} site_block;

struct site_tables {
    const site_kernels *kernels;
    site_special *specials;
    site_layer *layers;
    site_node *nodes; /* parents stand before their children */
    size_t special_count, layer_count, node_count, layer_room, node_room;
    uint16_t *kinds; /* by oter */
    size_t kind_count;
    size_t layer_words; /* of a set of layers */
    site_level levels[PTL_LEVELS];
    site_block *blocks;
};

typedef enum level_state {
    LEVEL_UNREAD,  /* as the chunk has it: nothing is known yet */
    LEVEL_UNIFORM, /* each layer is all or nothing, without bits */
    LEVEL_READ     /* bits are there, and follow the chunk */
} level_state;

/* Of a layer. The clock counts changes. */
typedef struct layer_state {
    bool all, none;  /* of the cells without the border ring; may be false although true */
    uint8_t reaches; /* bit r: somebody of reach r watches it */
    uint16_t noted;  /* where the last gain was noted: see count_gains; 0: none was */
    uint32_t gains;
    uint32_t changed; /* the time of the last change */
    uint32_t taken;   /* of the ground: so many of the level's owned cells have left it */
} layer_state;

typedef struct node_bits {
    uint64_t words[NODE_WORDS];
} node_bits;

/* Larger nodes that are kept at one time: more would only push each other out of the cache. And
 * how many of them may be pinned: making one takes two places more. */
enum { NODES_KEPT = 64, PINNED_MAX = 16 };

enum { OWNED_LATEST = 256 };

/* The cells of a level on which specials stand. Layers of the ground lose them when they are
 * read: many are never read again, and few between one special and the next. */
typedef struct owned_cells {
    site_bits bits;
    uint32_t count;
    uint16_t latest[OWNED_LATEST]; /* of the nth, n % OWNED_LATEST: the word of `bits` */
} owned_cells;

struct site_map {
    const site_tables *tables; /* borrowed */
    level_state levels[PTL_LEVELS];
    layer_state *layers;
    node_bits *cells;            /* by layer: its node of size 1 x 1 */
    node_bits *kept;             /* NODES_KEPT larger ones; the oldest makes room */
    uint32_t owners[NODES_KEPT]; /* which those are; NODE_NONE */
    uint32_t pins[NODES_KEPT];   /* those that have the number of the latest pin stay there */
    uint32_t pin, oldest;
    uint8_t *places;    /* by node: 1 + index into kept */
    uint32_t *versions; /* by node that is kept: up to date as of then */
    uint32_t clock;
    owned_cells owned[PTL_LEVELS];
    uint64_t *gained;   /* [reach][block]: a set of layers, those that have gained a cell */
    uint64_t *watchers; /* [reach][layer]: the numbers of site_watch */
    size_t watch_words; /* of a set of those */
    bool watched;       /* is there any? Until then nothing is noted in gained */
    uint8_t stretches[SIZE];        /* see number_stretches */
    site_bits ground, rotated, met; /* scratch of site_origins */
};

/* The largest distance from an origin, by reach. A special of the last one may be anywhere: all
 * its gains are those of block 0. */
static const int32_t SITE_REACH[SITE_REACHES] = {2, 5, SITE_BLOCK, SIZE};

static inline const site_special *site_special_of(const generator *g, uint16_t special)
{
    return &g->config->sites->specials[special];
}

/* Some of a special's terms, and where none of them leaves the chunk. */
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
    const site_term *terms = t->terms ? t->terms + s->ground_count : NULL; /* if possible */
    return (site_terms){terms, s->link_count, t->links};
}

/* ---- sites_compile.c, sites_gather.c, sites_number.c ---- */

/* A rectangle of cells of a layer that a special asks for, for north up. */
typedef struct site_need {
    uint32_t layer, size; /* and how many oters it has */
    int32_t x, y, w, h;
} site_need;

typedef struct need_list {
    site_need *items; /* owned */
    size_t count, room;
} need_list;

/* A map from numbers to indices. */
typedef struct key_map {
    uint64_t *keys;
    uint32_t *values; /* index + 1; 0: empty */
    size_t room, count;
} key_map;

/* Returns the key's number, or -1 if absent. */
int64_t key_map_find(const key_map *m, uint64_t key);
bool key_map_add(key_map *m, uint64_t key, uint32_t value);
void key_map_dispose(key_map *m);

enum { COVER_WIDTH = SIZE };

/* What compiling needs and the tables do not keep. */
typedef struct site_builder {
    const gen_config *config;
    site_tables *tables;
    uint64_t **members; /* by layer: its oters, owned */
    size_t oter_words;
    key_map sets;       /* by pointer to the content's sets: their numbers */
    uint32_t set_count; /* seen so far */
    key_map asked;      /* by number of the set, level and kind: layers */
    key_map contents;   /* by hash of members and level: layers */
    key_map sizes;      /* by layer and size: nodes */
    key_map values;     /* numbers of what lists consist of */
    key_map chains;     /* by the list before the last value, and that: numbers of lists */
    key_map figures;    /* by number of the list */
    need_list ground, links;
    bool impossible, unlinkable; /* of the special in work */
    uint32_t visited, depth;     /* tiles and specials that its gathering has seen */
    bool failed;                 /* memory is out */
    uint8_t cover[COVER_WIDTH * COVER_WIDTH]; /* scratch of site_cover: 0 between calls */
} site_builder;

typedef enum layer_kind {
    LAYER_OWN,     /* ground: the set and no more */
    LAYER_DEFAULT, /* ground: or the level's default */
    LAYER_CARRIES, /* of a connection's point: the set and no more */
    LAYER_STARTS   /* or ground on which the connection can start */
} layer_kind;

/* Returns the layer of a set on a level; LAYER_STARTS uses connection. NODE_NONE when memory is
 * out. */
uint32_t site_layer_of(site_builder *b, int32_t z, ptl_terrain_set set, layer_kind kind,
                       uint16_t connection);
/* Returns new memory, zeroed, that lives as long as the tables; NULL when memory is out. */
void *site_block_new(site_tables *t, size_t size);
/* Fills b->ground and b->links with what the special asks for. */
void site_gather(site_builder *b, uint16_t special);
/* Puts rectangles in place of single cells, the smallest layers first, each only once. Cells
 * span no more than the chunk. */
void site_cover(site_builder *b, need_list *list);

/* Numbers the special's lists and its figure, once its rotations are complete. */
void site_number(site_builder *b, uint16_t special);
/* Numbers the kinds of oters, once all layers are known. */
void site_number_kinds(site_builder *b);

/* ---- sites.c ---- */

/* Terms that are to be met, together with a set of which cells are left. */
typedef struct site_asked {
    site_terms range;
    site_box box;
    const site_bits *among; /* NULL: all cells */
} site_asked;

/* Finds the origins of the box's rows; those that are met are put into out and united, which
 * may be NULL. False if there are none at all: then nothing is put. */
bool site_meet_terms(generator *g, const site_asked *asked, site_bits *out, site_bits *united);

/* ---- sites_map.c ---- */

/* What is known of the layer, read if need be; its 1 x 1 node is up to date afterwards, unless
 * it is all or none. */
const layer_state *site_layer_read(generator *g, uint32_t layer);
/* The cells of a layer that is read, and neither all nor none: its 1 x 1 node. */
static inline const uint64_t *site_cells_read(const site_map *m, uint32_t layer)
{
    return m->cells[layer].words;
}
/* Returns the node's bits, up to date, until the next call. Its layer must be read, and neither
 * all nor none. */
const uint64_t *site_node_read(site_map *m, uint32_t node);
/* Returns the same for up to PINNED_MAX nodes, until site_unpin. */
const uint64_t *site_node_pin(site_map *m, uint32_t node);
static inline void site_unpin(site_map *m)
{
    m->pin++;
}

/* ---- sites_gather.c ---- */

/* 64 bits of a row from x on, which may lie outside. */
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
/* The same of `count` rows from y on. */
void bits_of_rows(uint64_t *out, const uint64_t *words, int32_t x, int32_t y, int32_t count);
/* Gives the bits x0..x1 of a row's three words. */
void bits_span(uint64_t out[SITE_WORDS], int32_t x0, int32_t x1);

#endif
