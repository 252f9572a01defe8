/*
 * What the files that load a catalogue share. Each file loads a few parts, in the order of
 * their keys, into arrays in the catalogue's arena. The rows may come from a damaged or
 * hostile file, so nothing in them is trusted: a value that no import would have written is
 * PTL_ERR_CORRUPT.
 */
#pragma once

#include "core/arena.h"
#include "model/catalogue.h"
#include "store/catalogue/catalogue_rows.h"

#include <string.h>

enum { CATALOGUE_INDEX_MAX = 65534 }; /* entries of a table whose indices have 16 bits */

/* Bounds of positions in a special, and the most joins or pieces of one. The import uses the
 * same. */
enum {
    CATALOGUE_COORDINATE_MAX = CONTENT_COORDINATE_MAX,
    CATALOGUE_HEIGHT_MAX = CONTENT_HEIGHT_MAX,
    CATALOGUE_PARTS_MAX = 1000
};

/* A bare terrain that a bin names. A special of one OMT is made up for it. */
typedef struct fake_special {
    const char *terrain_id, *id;
    uint16_t terrain, special;
} fake_special;

/* A join of a special, to be found by its id. */
typedef struct join_name {
    const char *id;
    uint16_t number;
} join_name;

/* Gathers locations in any order; closing the list keeps each of them once. */
typedef struct location_list {
    uint16_t *items; /* has room for one more than there are locations */
    size_t count;
} location_list;

/* A catalogue under construction. The catalogue's own pointers are to const data, so the
 * loader keeps writable ones. */
typedef struct loader {
    catalogue *cat;
    const row_source *rows;
    ptl_error *err;
    arena *arena;
    struct json_reader *json; /* reads JSON texts of rows */
    cat_terrain *terrains;
    cat_oter *oters;
    uint16_t *oters_by_id;
    cat_location *locations;
    cat_special *specials;
    cat_region *regions;
    size_t words;          /* 64-bit words of a terrain set */
    uint64_t *own_sets;    /* the terrains of each location, `words` for each */
    location_list list;    /* scratch: locations being gathered */
    strmap set_index;      /* union of several locations -> index into `sets` */
    ptl_terrain_set *sets; /* on the heap */
    size_t set_count, set_room;
    const char **unusable; /* ids of connections without subtypes, sorted */
    size_t unusable_count;
    fake_special *fakes; /* sorted by terrain_id, which also sorts them by id */
    size_t fake_count;
    /* Arrays with one element for each special: */
    ptl_terrain_set *grounds; /* terrains for parts without own locations */
    cat_mutable **layouts;    /* NULL: a fixed special */
    const char **roots;       /* id of a mutable special's first piece */
    const join_name **joins;  /* a mutable special's joins, sorted by id */
    bool *made_up;            /* made up for a bare terrain, so no row can refer to it */
    size_t layout_count;      /* number of mutable specials */
    /* State of the part that is being read; it is reset after the part's last row: */
    void *payload;  /* passed to the part's reader */
    size_t row;     /* number of rows read before this one */
    uint16_t owner; /* special or terrain of the previous row; CAT_NONE before the first */
    ptl_terrain_set *open;        /* the set whose locations are being gathered; NULL: none */
    size_t counts[CONTENT_PARTS]; /* number of rows of each part plus 1; 0: not counted yet */
    bool no_memory;               /* memory for a text or set ran out, so that loading fails */
} loader;

/* ---- catalogue.c ---- */

/* Returns PTL_ERR_CORRUPT; the message is `what` followed by the id. */
ptl_status loader_corrupt(loader *l, const char *what, const char *id);
/* Returns a copy in the arena, "" for NULL. When memory is out it returns "" and sets
 * l->no_memory. */
const char *loader_keep(loader *l, const char *text);
/* The same for the id of a table's next row. PTL_ERR_CORRUPT unless it comes after the
 * previous row's id (NULL for the first row). */
ptl_status loader_id(loader *l, const char **out, const char *text, const char *previous);
/* Allocates a zeroed array in the arena, with room for count + 1 elements. */
ptl_status loader_room(loader *l, void *array, size_t count, size_t size);
#define LOADER_ROOM(l, array, count) loader_room(l, &(array), count, sizeof *(array))
/* The same with an element for each row of a part. loader_rows then accepts no more rows than
 * that; all reading happens in one snapshot, so the number stays right. */
ptl_status loader_room_of(loader *l, void *array, content_part part, size_t size);
#define LOADER_ROOM_OF(l, array, part) loader_room_of(l, &(array), part, sizeof *(array))
/* Gets the number of a part's rows. */
ptl_status loader_count(loader *l, content_part part, size_t *out);
/*
 * Gives each row of a part to `read` until one call fails. The row is the part's struct; the
 * members that a catalogue is made of are set, and checked against their ranges. `order` is as
 * in content_query; NULL means the part's key.
 */
typedef ptl_status (*row_reader)(loader *l, const void *row);
ptl_status loader_rows(loader *l, content_part part, const char *order, row_reader read,
                       void *payload);
/* Parses a text as JSON; the result is new. PTL_ERR_CORRUPT if it is not JSON; the message
 * names `what` and the id. */
struct json_t;
ptl_status loader_json(loader *l, struct json_t **out, const char *text, const char *what,
                       const char *id);
/* Returns PTL_ERR_CORRUPT: a number of the object with this id is missing or out of range. */
ptl_status loader_out_of_range(loader *l, const char *id);

/* Returns the number of a name in a list; count if it is not there. */
static inline int loader_name(const char *const *names, int count, const char *name)
{
    int at = 0;
    while (at < count && strcmp(names[at], name) != 0)
        at++;
    return at;
}

/* Returns the terrain of a row's id and makes l->owner its index; NULL if there is none. Rows
 * of one terrain come together, so the previous row's terrain is tried first. */
cat_terrain *loader_terrain(loader *l, const char *id);

/* ---- the tables, in the order in which they are loaded ---- */

ptl_status load_flags(loader *l);        /* catalogue_past.c, as the next function */
ptl_status load_builtins(loader *l);     /* catalogue_games.c */
ptl_status load_past(loader *l);         /* catalogue_past.c */
ptl_status load_connections(loader *l);  /* catalogue_pieces.c */
ptl_status load_specials(loader *l);     /* catalogue_specials.c */
ptl_status load_omts(loader *l);         /* catalogue_specials.c */
ptl_status load_pieces(loader *l);       /* catalogue_pieces.c */
ptl_status load_phases(loader *l);       /* catalogue_pieces.c */
ptl_status load_links(loader *l);        /* catalogue_specials.c */
ptl_status load_regions(loader *l);      /* catalogue_regions.c */
ptl_status load_region_flags(loader *l); /* catalogue_regions.c */
ptl_status load_blocks(loader *l);       /* catalogue_regions.c */
ptl_status load_numbers(loader *l);      /* catalogue_games.c, as the next function */
ptl_status load_games(loader *l);
ptl_status load_texts(loader *l); /* catalogue_games.c */

/* ---- catalogue.c ---- */

/* Adds a location of a row to l->list. */
ptl_status loader_add_location(loader *l, const char *id);
/*
 * Returns the union of all locations in l->list and the given terrain (CAT_NONE: no terrain),
 * as a set of terrain types. The list is then empty. Equal unions share one set. NULL, with
 * l->no_memory set, when memory is out.
 */
ptl_terrain_set loader_close_set(loader *l, uint16_t terrain);
/*
 * Adds a location to those of *set, for rows that are sorted by what their locations belong
 * to. When *set differs from the set that is open, that one is closed first; loader_gathered
 * closes the last one after the rows.
 */
ptl_status loader_gather(loader *l, ptl_terrain_set *set, const char *location);
/* Returns the set of the connection's own terrains and the given one (CAT_NONE: none); NULL
 * when memory is out. */
ptl_terrain_set loader_carries(loader *l, uint16_t connection, uint16_t terrain);

static inline void loader_set_add(uint64_t *set, uint16_t terrain)
{
    set[terrain / 64] |= UINT64_C(1) << (terrain % 64);
}

/* ---- catalogue_pieces.c ---- */

/* Finds a connection; CAT_NONE for one without subtypes, since nothing can be drawn with
 * it. */
ptl_status loader_find_connection(loader *l, uint16_t *out, const char *id);

/* ---- catalogue_specials.c ---- */

/* Finds a special by its id, as an index. */
ptl_status loader_find_special(loader *l, uint16_t *out, const char *id);
/* Makes l->owner the special of this row. It serves rows that are sorted by special with one
 * row for each; PTL_ERR_CORRUPT if a special comes twice. */
ptl_status loader_owner(loader *l, const char *id);
/* Does the same for rows of parts of mutable specials. */
ptl_status loader_layout(loader *l, const char *id);
/* Gets the oters that an OMT of a special has when the special is rotated to N, E, S, W. */
ptl_status loader_oters(loader *l, ptl_oter out[4], const char *id);
/* Returns the index in l->fakes of the special that was made up for a bare terrain; CAT_NONE
 * if there is none. */
static inline uint16_t loader_find_fake(const loader *l, const char *terrain_id)
{
    return catalogue_find_id(l->fakes, l->fake_count, sizeof *l->fakes, terrain_id);
}

/* ---- catalogue_pieces.c ---- */

static inline uint16_t loader_find_piece(const loader *l, uint16_t special, const char *id)
{
    const cat_mutable *m = l->layouts[special];
    return catalogue_find_id(m->pieces, m->piece_count, sizeof *m->pieces, id);
}

/* ---- catalogue_regions.c ---- */

/* Returns the number of a bin in region_bins; REGION_BINS if generation knows no such bin. */
int loader_region_bin(const char *name);

typedef struct bin_entry {
    uint16_t special;
    uint32_t weight;
} bin_entry;
