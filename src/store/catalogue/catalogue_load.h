/*
 * Inside the loading of a catalogue: what its files share. Each loads a few parts, in the
 * order of their keys, into arrays in the catalogue's arena. The rows can come from a
 * damaged or hostile file: nothing in them is trusted, and what no import would have written is
 * PTL_ERR_CORRUPT.
 */
#ifndef STORE_CATALOGUE_CATALOGUE_LOAD_H
#define STORE_CATALOGUE_CATALOGUE_LOAD_H

#include "core/arena.h"
#include "model/catalogue.h"
#include "store/catalogue/catalogue_rows.h"

enum { CATALOGUE_INDEX_MAX = 65534 }; /* entries of a table that 16-bit numbers index */

/* As at import: positions in a special, and how many joins or pieces it may have. */
enum {
    CATALOGUE_COORDINATE_MAX = CONTENT_COORDINATE_MAX,
    CATALOGUE_HEIGHT_MAX = CONTENT_HEIGHT_MAX,
    CATALOGUE_PARTS_MAX = 1000
};

/* A bare terrain of a bin, for which a special of one tile is made up. */
typedef struct fake_special {
    const char *terrain_id, *id;
    uint16_t terrain, special;
} fake_special;

/* A join of a special, by which it is found. */
typedef struct join_name {
    const char *id;
    uint16_t number;
} join_name;

/* Locations that are being gathered, each once when closed. */
typedef struct location_list {
    uint16_t *items; /* room for one more than there are locations */
    size_t count;
} location_list;

/* What loading has under construction; the catalogue's own pointers are to const. */
typedef struct loader {
    catalogue *cat;
    const row_source *rows;
    ptl_error *err;
    arena *arena;
    struct json_reader *json; /* for texts in rows */
    cat_terrain *terrains;
    cat_oter *oters;
    uint16_t *oters_by_id;
    cat_location *locations;
    cat_special *specials;
    cat_region *regions;
    size_t words;          /* of a terrain set */
    uint64_t *own_sets;    /* of the locations, `words` for each */
    location_list list;    /* scratch */
    strmap set_index;      /* unions of several locations -> index into sets */
    ptl_terrain_set *sets; /* in the heap */
    size_t set_count, set_room;
    const char **unusable; /* ids of connections without subtypes, sorted */
    size_t unusable_count;
    fake_special *fakes; /* sorted by terrain_id, and so by id */
    size_t fake_count;
    /* By special: */
    ptl_terrain_set *grounds; /* where its parts without own locations may lie */
    cat_mutable **layouts;    /* NULL: a fixed one */
    const char **roots;       /* the first piece of a mutable one */
    const join_name **joins;  /* of a mutable one: by id, as many as it has joins */
    bool *made_up;            /* for a bare terrain: no row can be about it */
    size_t layout_count;      /* mutable ones */
    /* Of the part that is being read, and forgotten behind its end: */
    void *payload;         /* of its reader */
    size_t row;            /* how many rows came before this one */
    uint16_t owner;        /* special or terrain of the row before; CAT_NONE before the first */
    ptl_terrain_set *open; /* set whose locations are being gathered; NULL: none */
    size_t counts[CONTENT_PARTS]; /* of parts that were counted: their rows, and one */
    bool no_memory;               /* a text or set could not be kept: loading fails */
} loader;

/* ---- catalogue.c ---- */

ptl_status loader_corrupt(loader *l, const char *what, const char *id);
/* Returns a copy in the arena; "" for NULL, and when memory is out, which l->no_memory keeps.
 */
const char *loader_keep(loader *l, const char *text);
/* The same for the id of a table's next row, which must come after the previous one's (NULL for
 * the first): else PTL_ERR_CORRUPT. */
ptl_status loader_id(loader *l, const char **out, const char *text, const char *previous);
/* Makes an array in the arena, zeroed, of so many elements and one more. */
ptl_status loader_room(loader *l, void *array, size_t count, size_t size);
#define LOADER_ROOM(l, array, count) loader_room(l, &(array), count, sizeof *(array))
/* The same with an element for each of the part's rows, of which loader_rows then takes no
 * more: the snapshot keeps their number true. */
ptl_status loader_room_of(loader *l, void *array, content_part part, size_t size);
#define LOADER_ROOM_OF(l, array, part) loader_room_of(l, &(array), part, sizeof *(array))
/* How many rows there are of a part. */
ptl_status loader_count(loader *l, content_part part, size_t *out);
/* Gives each row to read, until one fails: the part's struct, with the members that a catalogue
 * is made of, all in their ranges. order is as in content_query; NULL: the part's key. */
typedef ptl_status (*row_reader)(loader *l, const void *row);
ptl_status loader_rows(loader *l, content_part part, const char *order, row_reader read,
                       void *payload);
/* Reads a text that must be JSON, new: else PTL_ERR_CORRUPT says what of this id it is. */
struct json_t;
ptl_status loader_json(loader *l, struct json_t **out, const char *text, const char *what,
                       const char *id);
/* A number of what has this id is missing, or wrong. */
ptl_status loader_out_of_range(loader *l, const char *id);

/* Returns the terrain of a row's id, l->owner; rows of one terrain come together, so mostly it
 * is that of the row before. NULL if there is none. */
cat_terrain *loader_terrain(loader *l, const char *id);

/* ---- the tables, in the order in which they are loaded ---- */

ptl_status load_flags(loader *l); /* catalogue_flags.c, as the next */
/* Returns CAT_FLAG_* of a terrain's flag; 0 for those that nothing asks for. */
uint32_t loader_flag(const char *name);
ptl_status load_builtins(loader *l);     /* catalogue_builtins.c */
ptl_status load_past(loader *l);         /* catalogue_past.c */
ptl_status load_locations(loader *l);    /* catalogue_locations.c */
ptl_status load_connections(loader *l);  /* catalogue_connections.c */
ptl_status load_specials(loader *l);     /* catalogue_specials.c */
ptl_status load_tiles(loader *l);        /* catalogue_tiles.c */
ptl_status load_pieces(loader *l);       /* catalogue_pieces.c */
ptl_status load_checks(loader *l);       /* catalogue_checks.c */
ptl_status load_phases(loader *l);       /* catalogue_phases.c */
ptl_status load_links(loader *l);        /* catalogue_links.c */
ptl_status load_regions(loader *l);      /* catalogue_regions.c */
ptl_status load_region_flags(loader *l); /* catalogue_region_flags.c */
ptl_status load_highways(loader *l);     /* catalogue_highways.c, as the next */
ptl_status load_blocks(loader *l);
ptl_status load_numbers(loader *l); /* catalogue_games.c, as the next five */
ptl_status load_dimensions(loader *l);
ptl_status load_monstergroups(loader *l);
ptl_status load_cities(loader *l);
ptl_status load_migrations(loader *l);
ptl_status load_game(loader *l);
ptl_status load_texts(loader *l); /* catalogue_texts.c */

/* ---- catalogue_locations.c ---- */

/* Adds the location of a row to l->list. */
ptl_status loader_add_location(loader *l, const char *id);
/* Returns the types of all locations in l->list and, unless CAT_NONE, of the given terrain;
 * then empties the list. Equal unions are one set. NULL and l->no_memory when
 * memory is out. */
ptl_terrain_set loader_close_set(loader *l, uint16_t terrain);
/* For rows that come in the order of what their locations belong to: adds one to those of
 * *set. The set that was open before, if that is another one, is closed, as loader_gathered
 * does at the end of the rows. */
ptl_status loader_gather(loader *l, ptl_terrain_set *set, const char *location);
void loader_gathered(loader *l);
/* Returns the connection's own terrains and this one, CAT_NONE for none; NULL when memory is
 * out. */
ptl_terrain_set loader_carries(loader *l, uint16_t connection, uint16_t terrain);
void loader_dispose_sets(loader *l);

static inline void loader_set_add(uint64_t *set, uint16_t terrain)
{
    set[terrain / 64] |= UINT64_C(1) << (terrain % 64);
}

/* ---- catalogue_connections.c ---- */

/* CAT_NONE for one without subtypes, with which nothing can be drawn. */
ptl_status loader_find_connection(loader *l, uint16_t *out, const char *id);

/* ---- catalogue_specials.c ---- */

ptl_status loader_find_special(loader *l, uint16_t *out, const char *id);
/* Serves rows in the order of specials: makes l->owner that of this row. A special may not come
 * twice. */
ptl_status loader_owner(loader *l, const char *id);
/* Does the same for parts of mutable specials. */
ptl_status loader_layout(loader *l, const char *id);
/* Gives the oter of a row, for a special rotated to N, E, S, W. */
ptl_status loader_oters(loader *l, ptl_oter out[4], const char *id);
/* Returns the index of the one in l->fakes that was made up for a bare terrain; CAT_NONE if
 * there is none. */
static inline uint16_t loader_find_fake(const loader *l, const char *terrain_id)
{
    return catalogue_find_id(l->fakes, l->fake_count, sizeof *l->fakes, terrain_id);
}

/* Index of a number in a list that ascends; count if absent. */
static inline size_t loader_find_number(const int64_t *list, size_t count, int64_t number)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list[middle] == number)
            return middle;
        if (list[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return count;
}

/* ---- catalogue_pieces.c ---- */

/* Returns a join or piece of a mutable special; CAT_NONE if it has none of that id. */
uint16_t loader_find_join(const loader *l, const char *id); /* of l->owner */

static inline uint16_t loader_find_piece(const loader *l, uint16_t special, const char *id)
{
    const cat_mutable *m = l->layouts[special];
    return catalogue_find_id(m->pieces, m->piece_count, sizeof *m->pieces, id);
}

/* ---- catalogue_regions.c ---- */

cat_region *loader_region(const loader *l, const char *id); /* NULL: there is none */
/* Does generation take buildings from this bin? */
bool loader_uses_bin(const char *bin);

typedef struct bin_entry {
    uint16_t special;
    uint32_t weight;
} bin_entry;

/* Makes a bin of entries in any order, which are sorted in place. The sum of their weights is
 * below 2^32. */
ptl_status loader_bin(loader *l, cat_bin *out, bin_entry *entries, size_t count);

#endif
