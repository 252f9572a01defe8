/*
 * How often each id comes, where a tile is drawn from several: of a value of compiled mapgen,
 * what pseudo ids stand for included, and of natural ground. It shares no code with mapgen/run
 * and mapgen/ground.
 */
#ifndef TRUTH_SHARES_H
#define TRUTH_SHARES_H

#include "mapgen/compile/library.h"
#include "mapgen/compile/tiles.h"
#include "mapgen/ground/settings.h"
#include "support/truth/id_sets.h"

enum { SHARES_MAX = 256 };

typedef struct id_share {
    uint32_t id;
    double share; /* of 1, which all together are */
} id_share;

typedef struct id_shares {
    id_share items[SHARES_MAX]; /* each id once */
    size_t count;
} id_shares;

enum { PICKS_MAX = 48 };

/* Parameters, and choices among palettes, that are taken as drawn: which id each came to. */
typedef struct picks {
    struct {
        uint32_t name, id;
    } items[PICKS_MAX];
    uint32_t count;
    bool no_parameters; /* control: none has a value but its fallback */
} picks;

bool picks_find(const picks *p, uint32_t name, uint32_t *id);

/* What the shares are of: borrowed. */
typedef struct shares_source {
    const ground_settings *settings;
    const mapgen_tiles *tiles;
    const mapgen_layers *layers; /* of the value's frame; NULL for ground */
    bool furniture;              /* else terrain is meant */
    const picks *picks;          /* NULL for ground */
} shares_source;

/* Fills *out with what a value may be, by present ids. */
void shares_of_value(id_shares *out, const shares_source *from, const mapgen_unit *unit,
                     uint32_t value);
/* Fills *out with what is on an overmap terrain's natural ground; false: it has none. Shares of
 * furniture are of all tiles where it grows, and of those of its terrain where it dresses it.
 */
bool shares_of_ground(id_shares *out, const shares_source *from, uint32_t terrain,
                      bool is_field);
/* Returns the set of the fewest ids that come as often together as is said, of 1; of two that
 * come as often the one that was drawn from first is taken. Sorts the shares. */
uint32_t shares_set(id_shares *shares, id_sets *sets, double coverage);

/* Shares, each kept once: equal ones have the same number. Number 0 is none. */
typedef struct share_lists share_lists;

share_lists *share_lists_new(void);
void share_lists_free(share_lists *lists);
uint32_t share_lists_keep(share_lists *lists, const id_shares *shares);
const id_shares *share_lists_at(const share_lists *lists, uint32_t number);

#endif
