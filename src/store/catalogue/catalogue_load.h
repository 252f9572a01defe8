/*
 * Declarations that the files which load a catalogue share. Each file loads a few parts, in the
 * order of their keys, into arrays in the catalogue's arena. The rows may come from a damaged
 * or hostile file, so nothing in them is trusted: a value that no import would have written is
 * PTL_ERR_CORRUPT.
 */
#pragma once

#include "core/arena.h"
#include "model/catalogue.h"
#include "store/catalogue/catalogue_rows.h"

#include <string.h>

/* The most rows that a table may have, if its rows get numbers of 16 bits in the catalogue. */
enum { CATALOGUE_INDEX_MAX = 65534 };

/* Bounds of positions in a special, and the most joins or pieces that one special may have. The
 * import has the same bounds. */
enum {
    CATALOGUE_COORDINATE_MAX = CONTENT_COORDINATE_MAX,
    CATALOGUE_HEIGHT_MAX = CONTENT_HEIGHT_MAX,
    CATALOGUE_PARTS_MAX = 1000
};

/* A terrain that a bin (a region's weighted list of buildings) names in place of a special. The
 * loader makes a special of one OMT for it. */
typedef struct fake_special {
    const char *terrain_id, *id;
    uint16_t terrain, special;
} fake_special;

/* A join's id and its index among the joins of its special. An array of these, sorted by id,
 * finds the index by the id. */
typedef struct join_name {
    const char *id;
    uint16_t number;
} join_name;

/* A list of locations in any order, in which a location may come twice. loader_close_set makes
 * a set of terrains from it. */
typedef struct location_list {
    uint16_t *items; /* the locations' indices; there is room for all locations of the content
                        and one more */
    size_t count;
} location_list;

/* A catalogue while it is made. The catalogue's own pointers are to const data, so the loader
 * has pointers of its own to the same data, through which it writes. */
typedef struct loader {
    catalogue *cat;
    const row_source *rows;
    ptl_error *err;
    arena *arena;
    struct json_reader *json; /* reads rows' JSON texts */
    cat_terrain *terrains;
    cat_oter *oters;
    uint16_t *oters_by_id;
    cat_location *locations;
    cat_special *specials;
    cat_region *regions;
    size_t words; /* number of 64-bit words in a set of terrains, which has one bit for each
                     terrain */
    uint64_t *own_sets; /* for each location the set of its terrains, of `words` words */
    location_list list; /* the locations of the set of terrains that is being made */
    strmap set_index;   /* maps the key of a union of locations to its index in `sets` */
    /* Owned, on the heap: the sets of terrains that are unions of locations. */
    ptl_terrain_set *sets;
    size_t set_count, set_room;
    const char **unusable; /* ids of connections that can't be drawn, having no subtypes;
                            * sorted */
    size_t unusable_count;
    fake_special *fakes; /* sorted by terrain_id, and therefore also by id */
    size_t fake_count;
    /* The next five arrays have one element for each special: */
    ptl_terrain_set *grounds; /* for OMTs of the special that name no locations of their own:
                                 the terrains on which they may stand */
    cat_mutable *
        *layouts;       /* pieces, joins and phases of mutable specials; NULL for a fixed one */
    const char **roots; /* id of the first piece of a mutable special */
    const join_name **joins; /* joins of a mutable special, sorted by id */
    bool *made_up;           /* the loader made the special for a terrain in a region's list of
                              * buildings, so no row may refer to it */
    size_t layout_count;     /* number of mutable specials */
    /* The members from here to `open` change while the rows of one part are read. */
    /* The argument `payload` of loader_rows, for the function that reads the rows. */
    void *payload;
    size_t row;            /* index of the present row among the rows of its part */
    uint16_t owner;        /* index of the special or terrain to which the previous row belongs;
                            * CAT_NONE before the first row */
    ptl_terrain_set *open; /* the set of terrains for which locations are being collected; NULL
                              if there is none at present */
    size_t counts[CONTENT_PARTS]; /* for each part: 0 if its rows were not counted yet, else
                                     their number + 1 */
    bool no_memory;               /* memory for a text or set ran out, so loading will fail */
} loader;

/* Reports that the content tables are wrong; the message is `what` followed by the id. Inline,
 * so that static analysis sees that it never returns PTL_OK. */
static inline ptl_status loader_corrupt(loader *l, const char *what, const char *id)
{
    if (l->no_memory)
        return error_nomem(l->err);
    (void)error_set(l->err, PTL_ERR_CORRUPT, "content tables: %s '%s'", what, id);
    return PTL_ERR_CORRUPT;
}

/* ---- functions in catalogue.c ---- */

/* Returns a copy in the arena; "" for NULL. If memory is out it sets l->no_memory and returns
 * "". */
const char *loader_keep(loader *l, const char *text);
/* Keeps the id of a table's next row in *out, as loader_keep does. PTL_ERR_CORRUPT unless it
 * sorts after the previous row's id (NULL for the first row). */
ptl_status loader_id(loader *l, const char **out, const char *text, const char *previous);
/* Allocates a zeroed array in the arena, with room for count + 1 elements. */
ptl_status loader_room(loader *l, void *array, size_t count, size_t size);
#define LOADER_ROOM(l, array, count) loader_room(l, &(array), count, sizeof *(array))
/* Allocates a zeroed array in the arena, with an element for each row of a part. loader_rows
 * then accepts no more rows than were counted. */
ptl_status loader_room_of(loader *l, void *array, content_part part, size_t size);
#define LOADER_ROOM_OF(l, array, part) loader_room_of(l, &(array), part, sizeof *(array))
/* Gets the number of a part's rows. */
ptl_status loader_count(loader *l, content_part part, size_t *out);
/*
 * Reads the rows of a part and calls `read` for each, until a call fails. A row is the struct
 * of the part; only the members that a catalogue needs are set, and their numbers are in range.
 * `order` is as in content_query; NULL means the part's key.
 */
typedef ptl_status (*row_reader)(loader *l, const void *row);
ptl_status loader_rows(loader *l, content_part part, const char *order, row_reader read,
                       void *payload);
/* Parses a text as JSON; the result is new. If the text is not JSON, returns PTL_ERR_CORRUPT,
 * and the message is `what` followed by the id. */
struct json_t;
ptl_status loader_json(loader *l, struct json_t **out, const char *text, const char *what,
                       const char *id);
/* Returns PTL_ERR_CORRUPT; the message says that a number of the object with this id is out of
 * range. */
ptl_status loader_out_of_range(loader *l, const char *id);

/* Returns the index of a name in a list; `count` if it is not in the list. */
static inline int loader_name(const char *const *names, int count, const char *name)
{
    int at = 0;
    while (at < count && strcmp(names[at], name) != 0)
        at++;
    return at;
}

/* Finds the terrain with the id and sets l->owner to its index; NULL if there is none. Rows of
 * one terrain follow each other, so the previous row's terrain is tried first. */
cat_terrain *loader_terrain(loader *l, const char *id);

/* ---- loading of the parts, in the order in which catalogue_from_rows calls these ---- */

ptl_status load_flags(loader *l);        /* in catalogue_past.c */
ptl_status load_builtins(loader *l);     /* in catalogue_games.c */
ptl_status load_past(loader *l);         /* in catalogue_past.c */
ptl_status load_connections(loader *l);  /* in catalogue_pieces.c */
ptl_status load_specials(loader *l);     /* in catalogue_specials.c */
ptl_status load_omts(loader *l);         /* in catalogue_specials.c */
ptl_status load_pieces(loader *l);       /* in catalogue_pieces.c */
ptl_status load_phases(loader *l);       /* in catalogue_pieces.c */
ptl_status load_links(loader *l);        /* in catalogue_specials.c */
ptl_status load_regions(loader *l);      /* in catalogue_regions.c */
ptl_status load_region_flags(loader *l); /* in catalogue_regions.c */
ptl_status load_blocks(loader *l);       /* in catalogue_regions.c */
ptl_status load_numbers(loader *l);      /* in catalogue_games.c */
ptl_status load_games(loader *l);
ptl_status load_texts(loader *l); /* in catalogue_games.c */

/* ---- functions in catalogue.c, for sets of terrains ---- */

/* Adds the location with this id to l->list. */
ptl_status loader_add_location(loader *l, const char *id);
/*
 * Returns, as a set of terrains, the union of all locations in l->list and of the terrain
 * (CAT_NONE: no terrain), and empties the list. Equal unions share one set. If memory is out it
 * sets l->no_memory and returns NULL.
 */
ptl_terrain_set loader_close_set(loader *l, uint16_t terrain);
/* Adds a location to those whose union becomes *set, a set of terrains. All calls for one set
 * must follow each other: the first call for another set finishes the set before it, and
 * loader_rows finishes the last one. */
ptl_status loader_gather(loader *l, ptl_terrain_set *set, const char *location);
/* Returns the set of the terrains of which the connection's lines consist. Unless `terrain` is
 * CAT_NONE, the set has this terrain, too. If memory is out it returns NULL. */
ptl_terrain_set loader_carries(loader *l, uint16_t connection, uint16_t terrain);

static inline void loader_set_add(uint64_t *set, uint16_t terrain)
{
    set[terrain / 64] |= UINT64_C(1) << (terrain % 64);
}

/* ---- functions in catalogue_pieces.c ---- */

/* Finds a connection by its id. *out is CAT_NONE for a connection without subtypes, since
 * nothing can be drawn with it. */
ptl_status loader_find_connection(loader *l, uint16_t *out, const char *id);

/* ---- functions in catalogue_specials.c ---- */

/* Finds the index of a special by its id. */
ptl_status loader_find_special(loader *l, uint16_t *out, const char *id);
/* Sets l->owner to the special with this id. Rows must be sorted by special; PTL_ERR_CORRUPT if
 * a special comes again after another one. */
ptl_status loader_owner(loader *l, const char *id);
/* Sets l->owner to the special with this id, like loader_owner. PTL_ERR_CORRUPT also if the
 * special is not mutable. */
ptl_status loader_layout(loader *l, const char *id);
/* Gets the four oters of a special's OMT: those for the special rotated to north, east, south
 * and west. */
ptl_status loader_oters(loader *l, ptl_oter out[4], const char *id);
/* A region's weighted list of buildings may name a terrain in place of a special; the loader
 * makes a special for it. Returns the index of the terrain's special in l->fakes; CAT_NONE if
 * there is none. */
static inline uint16_t loader_find_fake(const loader *l, const char *terrain_id)
{
    return catalogue_find_id(l->fakes, l->fake_count, sizeof *l->fakes, terrain_id);
}

/* ---- finding pieces of a special ---- */

static inline uint16_t loader_find_piece(const loader *l, uint16_t special, const char *id)
{
    const cat_mutable *m = l->layouts[special];
    return catalogue_find_id(m->pieces, m->piece_count, sizeof *m->pieces, id);
}

/* ---- functions in catalogue_regions.c ---- */

/* Returns the index in region_bins of the bin of buildings with this name; REGION_BINS if
 * generation uses no such bin. */
int loader_region_bin(const char *name);

typedef struct bin_entry {
    uint16_t special;
    uint32_t weight;
} bin_entry;
