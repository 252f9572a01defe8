/*
 * Computes the figures of one map: what drawings put on its tiles. A *log* lists where
 * something may lie and what is removed where. So it is known which things may be removed again
 * after they were put on the map.
 */
#pragma once

#include "mapgen/odds/odds_impl.h"

/* A set of tiles of the map: row by row, the bit x of a row is its tile x. */
typedef struct tile_set {
    uint32_t rows[MAPGEN_SIDE];
} tile_set;

/* Something that happens on the map, or may happen: things are put on tiles or removed from
 * them, or chunks begin there. */
typedef struct scene_event {
    tile_set tiles;
    odds_set put; /* owned; what may lie on one of the tiles; empty for removals */
    /* Kinds of things that the event removes on all of `tiles`, as bits: 1 << ptl_loot_kind. */
    uint32_t removes;
    /* Number of a parameter of the scope `nest` that is used by the chunks which begin on the
     * tiles; ID_NONE: this event is not about chunks. */
    uint32_t name;
    int depth; /* how deep the chunks that begin on the tiles are nested */
} scene_event;

struct scene_frame;

/* A parameter of the map and its value. If two places name a parameter, it is the same one if
 * name and scope are equal. For a choice among palettes, `name` is a hash of the list. */
typedef struct scene_parameter {
    uint64_t name;
    mapgen_scope scope;
    /* The chunk to which a parameter of the scope `nest` belongs; NULL for other scopes. */
    const struct scene_frame *frame;
    /* What defines the parameter; NULL: it is no parameter, but a choice from a list of
     * palettes. */
    const mapgen_parameter *defined;
    uint32_t id; /* the parameter's value */
} scene_parameter;

/* An id and the probability that it is chosen. */
typedef struct share {
    uint32_t id;
    double share;
} share;

typedef struct shares {
    share *items; /* owned */
    size_t count, room;
} shares;

enum { SCENE_PARAMETERS_MAX = 64, SCENE_CHUNKS_MAX = 16 };

typedef struct scene {
    odds *o;
    const odds_request *request;
    scene_parameter parameters[SCENE_PARAMETERS_MAX];
    int parameter_count;
    /* A parameter was asked for whose value is not decided yet. The present computation is
     * broken off then, and begun anew for each of the parameter's values. */
    bool asked;
    scene_parameter wanted;
    shares values; /* owned; the values that the parameter `wanted` may have */
    /* True: the chunk may begin at several tiles, and from each of them a part of it would lie
     * outside of the map. Then the computation is begun anew for each of these tiles. */
    bool clipped;
    scene_event *log; /* owned */
    size_t log_count, log_room;
    /* Owned; indexed by the slot of a thing: may the thing be removed again after it was put on
     * the map? */
    bool *gone;
    size_t gone_reach;
    /* By a palette's id, as uint32_t: can its choice change any figure? 1: no, 2: yes. */
    by_id matters;
    int depth, level;
    int branches; /* how many values of parameters the figures were computed for, in all */
    uint32_t depends;
} scene;

/* A drawing that is being computed. Its corner is at x, y, which may lie outside of the map, if
 * `single`; otherwise at any one of the tiles `begin`, all equally likely. */
typedef struct scene_frame {
    scene *m;
    const mapgen_entry *entry;
    struct scene_frame *outer;
    mapgen_layers layers, open, possible;
    /* The drawing is that of a chunk or of a predecessor below an entry: it has parameters of
     * the scope `nest` of its own. */
    bool nested;
    bool repeated; /* the drawing may be put several times at one place */
    bool single;
    int x, y;
    tile_set begin;
    int width, height, from_x, from_y;
} scene_frame;

/* Must the present computation be broken off? */
static inline bool scene_halted(const scene *m)
{
    return m->asked || m->clipped || m->o->failed || m->o->stopped;
}

/* values.c: */
void shares_add(odds *o, shares *list, uint32_t id, double share);
void shares_free(shares *list);
/* Gives the ids that a value may have in this frame, each with its probability. */
void scene_values(shares *out, scene_frame *f, const mapgen_unit *unit, uint32_t value);
/* Finds the palettes that an entry's drawing uses. It chooses them by the rules of run_layers
 * (run_values.c), but a random choice that is not decided yet becomes a parameter that is asked
 * for. */
void scene_layers(scene_frame *f);
/* May a value be a terrain that removes items from its tile? */
bool scene_is_wall(const scene_frame *f, const mapgen_unit *unit, uint32_t value);
/* Is this a kind of pieces that puts down and removes nothing that is counted? */
bool scene_is_idle(mapgen_kind kind);
/* Returns the probability with which the piece is put down. */
double scene_chance(const mapgen_piece *p);

/* log.c: */
tile_set tiles_none(void);
void tiles_put(tile_set *set, int x, int y);
bool tiles_meet(const tile_set *a, const tile_set *b);
/* Returns all tiles of the map that a rectangle may cover if its drawing begins at any of the
 * tiles `begin`. Sets *cut if the rectangle may reach out of the map. */
tile_set tiles_spread(const tile_set *begin, mapgen_range x, mapgen_range y, bool *cut);
tile_set tiles_both(const tile_set *a, const tile_set *b);
/* Notes in the log that the things of a set may lie on one of the tiles. The set belongs to the
 * log afterwards. */
void log_put(scene *m, const tile_set *tiles, odds_set set);
/* Notes in the log that things of these kinds are removed from the tiles. Things that were put
 * there before become doubtful. */
void log_remove(scene *m, const tile_set *tiles, uint32_t kinds);
/* The events from number `from` on may happen again. So those that remove things may also
 * remove what others of these events have put on the same tiles: notes this. */
void log_again(scene *m, size_t from);
/* Notes that things of these kinds may be removed from the tiles if the event with the number
 * `from` or a later one has put them there, because what removes them may happen again. */
void log_again_on(scene *m, size_t from, const tile_set *tiles, uint32_t kinds);
void log_cut(scene *m, size_t count);
void log_nest(scene *m, const tile_set *begin, uint32_t name);

/* Events that were taken out of the log of a map for a while. If only one of several
 * alternatives can happen, things of one must not seem to remove things of another. So the
 * events of one alternative are set aside here while the next alternative is computed. */
typedef struct scene_aside {
    scene_event *events; /* owned */
    size_t count;
    size_t from; /* how many events the log had before the first alternative */
} scene_aside;

/* Returns the weight by which an entry is chosen; 0 if the game makes the map by code of its
 * own, which Portolan can't run. */
static inline double scene_weight(const mapgen_entry *e)
{
    return e->json || e->script != ID_NONE ? e->weight : 0;
}

/* draw.c: */
/*
 * Takes the events of the alternative that was just computed out of the log; scene_put_back
 * puts the events of all alternatives back.
 */
void scene_lay_aside(scene *m, scene_aside *a);
void scene_put_back(scene *m, scene_aside *a);
/* Returns what the drawing of a frame (an entry at a place of the map) puts on the map. */
odds_set scene_frame_set(scene_frame *f);
/* Returns what the chunk puts on the map that a piece `p` of the kind MAPGEN_NESTED may
 * place. */
odds_set scene_nested(scene_frame *f, const mapgen_unit *unit, const mapgen_piece *p,
                      const tile_set *tiles, int x, int y, bool single, bool repeated);
/* Computes the figures of a frame by the function `of`. If that asks for a parameter without a
 * value, it is called again for each possible value. A nested frame (chunk) does this only for
 * parameters of the scope `nest`; the outermost frame does it for all others. */
odds_set scene_branch(scene_frame *f, odds_set (*of)(scene_frame *f));

/* terrains.c: */
/* Returns the figures of all things that a map may have. */
odds_set scene_map(scene *m);

/* pieces.c: */
/* Where a piece may lie. `count`: on how many tiles it is put down. `inside`: the probability
 * that a tile of the piece's rectangle lies on the map. */
typedef struct scene_spot {
    tile_set tiles;
    mapgen_range x, y; /* if the piece has coordinates: the range of its tiles in the drawing */
    int count;
    double inside;
    bool symbol;
} scene_spot;

/* Returns what a piece puts on the map, on all its tiles together. */
odds_set scene_piece(scene_frame *f, const mapgen_unit *unit, const mapgen_piece *p,
                     const scene_spot *spot);
/* Returns the kinds of things that a piece removes from its tiles, as bits: 1 <<
 * ptl_loot_kind. */
uint32_t scene_removes(const scene_frame *f, const mapgen_unit *unit, const mapgen_piece *p);
