/*
 * Inside the loading of a catalogue: what its files share. Each loads a few tables, in the
 * order of their primary keys, into arrays in the catalogue's arena. The rows can come from a
 * damaged or hostile file: nothing in them is trusted, and what no import would have written is
 * PTL_ERR_CORRUPT.
 */
#ifndef CONTENT_CATALOGUE_LOAD_H
#define CONTENT_CATALOGUE_LOAD_H

#include "content/catalogue.h"
#include "core/arena.h"
#include "store/stmt.h"

enum { CATALOGUE_INDEX_MAX = 65534 }; /* entries of a table that 16-bit numbers index */

/* A bare terrain of a bin, for which a special of one tile is made up. */
typedef struct fake_special {
    const char *terrain_id, *id;
    uint16_t terrain, special;
} fake_special;

/* Locations that are being gathered, each once when closed. */
typedef struct location_list {
    uint16_t *items; /* room for one more than there are locations */
    size_t count;
} location_list;

/* What loading has under construction; the catalogue's own pointers are to const. */
typedef struct loader {
    catalogue *cat;
    ptl_store *store;
    ptl_error *err;
    arena *arena;
    cat_terrain *terrains;
    cat_oter *oters;
    cat_location *locations;
    cat_special *specials;
    cat_region *regions;
    size_t words;          /* of a terrain set */
    uint64_t *own_sets;    /* of the locations, `words` for each */
    location_list list;    /* scratch */
    strmap set_index;      /* unions of several locations -> index into sets */
    cat_terrain_set *sets; /* in the heap */
    size_t set_count, set_room;
    fake_special *fakes; /* sorted by terrain_id, and so by id */
    size_t fake_count;
    const char **mutables; /* ids of mutable specials, sorted */
    size_t mutable_count;
} loader;

/* ---- catalogue.c ---- */

ptl_status loader_corrupt(loader *l, const char *what, const char *id);
/* A copy in the arena; NULL when memory is out. */
const char *loader_keep(loader *l, const char *text);
/* The same for the id of a table's next row, which must come after the previous one's (NULL for
 * the first): else PTL_ERR_CORRUPT. */
ptl_status loader_id(loader *l, const char **out, const char *text, const char *previous);
/* How many rows there are; the snapshot keeps it true. */
ptl_status loader_count(loader *l, const char *sql, size_t *out);
/* Runs the statement and gives each row to read, until one fails. */
typedef ptl_status (*row_reader)(loader *l, const stmt *s, void *payload);
ptl_status loader_rows(loader *l, const char *sql, row_reader read, void *payload);

/* ---- the tables, in the order in which they are loaded ---- */

ptl_status load_locations(loader *l);   /* catalogue_locations.c */
ptl_status load_connections(loader *l); /* catalogue_connections.c */
ptl_status load_specials(loader *l);    /* catalogue_specials.c */
ptl_status load_regions(loader *l);     /* catalogue_regions.c */
ptl_status load_texts(loader *l);       /* catalogue_texts.c */

/* ---- catalogue_locations.c ---- */

/* Adds the location of a row to l->list. */
ptl_status loader_add_location(loader *l, const char *id);
/* The types of all locations in l->list and, unless CAT_NONE, of the given terrain; then
 * empties the list. Equal unions are one set. NULL when memory is out. */
cat_terrain_set loader_close_set(loader *l, uint16_t terrain);
void loader_dispose_sets(loader *l);

static inline void loader_set_add(uint64_t *set, uint16_t terrain)
{
    set[terrain / 64] |= UINT64_C(1) << (terrain % 64);
}

/* ---- catalogue.c ---- */

/* Index of an id in a table of entries of that size, sorted by id, each beginning with it;
 * CAT_NONE if absent. */
uint16_t loader_find_id(const void *table, size_t count, size_t size, const char *id);

/* ---- catalogue_specials.c ---- */

/* The special of an id; CAT_NONE for a mutable one. */
ptl_status loader_find_special(loader *l, uint16_t *out, const char *id);
/* The one that was made up for a bare terrain; CAT_NONE if there is none. */
uint16_t loader_find_fake(const loader *l, const char *terrain_id);

/* ---- catalogue_regions.c ---- */

/* The bins that generation takes buildings from, as an SQL list. */
#define CATALOGUE_BINS "('finales', 'houses', 'parks', 'shops', 'trailheads')"

#endif
