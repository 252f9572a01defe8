/* Writes a PMTiles 3, tile by tile in any order. */
#ifndef CORE_PMTILES_H
#define CORE_PMTILES_H

#include "core/bytes.h"
#include "core/digest.h"
#include "portolan/status.h"

/* As the specification numbers them. */
enum { PMTILES_PLAIN = 1, PMTILES_GZIP = 2, PMTILES_OTHER = 0, PMTILES_PNG = 2 };

typedef struct pmtiles_entry {
    uint64_t id, offset; /* offset: from the first tile's, or the first leaf directory's */
    uint32_t length, run;
} pmtiles_entry;

/* Where a tile of that digest lies; length 0: a free place. */
typedef struct pmtiles_content {
    digest of;
    uint64_t offset;
    uint32_t length;
} pmtiles_content;

typedef struct pmtiles {
    ptl_status (*sink)(void *payload, const void *data, size_t size, ptl_error *err);
    void *payload;          /* of the sink */
    pmtiles_entry *entries; /* owned */
    size_t count, room;
    pmtiles_content *contents; /* owned; a hash table of content_room places, a power of two */
    size_t content_count, content_room;
    uint64_t addressed; /* tiles that were put */
    uint64_t data_size; /* of all that differ */
} pmtiles;

typedef struct pmtiles_place {
    int zoom; /* 0..31 */
    uint32_t x, y;
} pmtiles_place;

/* What the header says of the tiles. */
typedef struct pmtiles_facts {
    uint8_t type, compression;
    int zoom_min, zoom_max;
    double west, south, east, north; /* degrees */
    const char *metadata;            /* a JSON object; borrowed */
} pmtiles_facts;

/* Takes what is appended to the file. */
typedef ptl_status pmtiles_sink(void *payload, const void *data, size_t size, ptl_error *err);

/* Begins a file that is empty with room for its head. Dispose of m always. */
ptl_status pmtiles_begin(pmtiles *m, pmtiles_sink *sink, void *payload, ptl_error *err);
/* Puts a tile, size > 0, which was not put before; of equal ones the first is written. */
ptl_status pmtiles_put(pmtiles *m, const pmtiles_place *at, const void *data, size_t size,
                       ptl_error *err);
/* Writes what stands behind the tiles. head, an empty buffer, gets what must stand over the
 * first bytes of the file. */
ptl_status pmtiles_finish(pmtiles *m, const pmtiles_facts *facts, bytes *head, ptl_error *err);
void pmtiles_dispose(pmtiles *m);

#endif
