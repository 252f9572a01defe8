/* Writes PMTiles 3, an archive of map tiles in one file; they may be put in any order. */
#pragma once

#include "core/arena.h"
#include "core/bytes.h"
#include "portolan/status.h"

/* Numbers that the specification sets: PMTILES_PLAIN (not compressed) and PMTILES_GZIP are
 * kinds of compression, PMTILES_OTHER and PMTILES_PNG are types of map tiles. */
enum { PMTILES_PLAIN = 1, PMTILES_GZIP = 2, PMTILES_OTHER = 0, PMTILES_PNG = 2 };

typedef struct pmtiles_entry {
    /* `id`: the number of a map tile; `offset`: where its data begin, in bytes from the data of
     * the first map tile. If the entry stands for a leaf directory, `id` is the least number in
     * that directory, and `offset` is counted from the first leaf directory. */
    uint64_t id, offset;
    uint32_t length, run;
} pmtiles_entry;

typedef struct pmtiles {
    ptl_status (*sink)(void *payload, const void *data, size_t size, ptl_error *err);
    void *payload; /* first argument for `sink`, the function that writes to the file */
    pmtiles_entry *entries; /* owned */
    size_t count, room;
    /* A map from the digest of each different map tile, in hexadecimal, to the index of its
     * first entry, so that equal map tiles are written once. */
    strmap contents;
    arena *digests;     /* owned: the keys of `contents` */
    uint64_t addressed; /* number of map tiles that were put */
    uint64_t data_size; /* size of all different map tiles in the file, in bytes */
} pmtiles;

typedef struct pmtiles_place {
    int zoom; /* 0..31 */
    uint32_t x, y;
} pmtiles_place;

/* Returns the number of a map tile: zoom is 0..31, x and y are below 2^zoom. The map tiles of
 * each zoom are numbered along a Hilbert curve, behind those of all lower zooms. */
uint64_t pmtiles_number(int zoom, uint32_t x, uint32_t y);

/* What the header of the file says about the map tiles. */
typedef struct pmtiles_facts {
    uint8_t type, compression;
    int zoom_min, zoom_max;
    double west, south, east, north; /* degrees */
    const char *metadata;            /* a JSON object; borrowed */
} pmtiles_facts;

/* A caller's function that appends data to the file. */
typedef ptl_status pmtiles_sink(void *payload, const void *data, size_t size, ptl_error *err);

/* Begins an empty file, in which the first 16,384 bytes are left for the header. Dispose of m
 * always, also after an error. */
ptl_status pmtiles_begin(pmtiles *m, pmtiles_sink *sink, void *payload, ptl_error *err);
/* Puts a map tile of `size` bytes, above 0, at a place that has none yet. A map tile that is
 * equal to an earlier one is not written again. */
ptl_status pmtiles_put(pmtiles *m, const pmtiles_place *at, const void *data, size_t size,
                       ptl_error *err);
/* Writes what follows the map tiles. head, an empty buffer, gets the bytes that the caller must
 * write over the beginning of the file. */
ptl_status pmtiles_finish(pmtiles *m, const pmtiles_facts *facts, bytes *head, ptl_error *err);
void pmtiles_dispose(pmtiles *m);
