/* A store in a temporary directory, a made-up catalogue, and chunks full of structure. */
#ifndef TESTS_STORE_FIXTURE_H
#define TESTS_STORE_FIXTURE_H

#include "model/catalogue.h"
#include "store/sqlite/rows/rows.h"

enum {
    FIXTURE_OTERS = 40000,
    FIXTURE_BUILDINGS = 600,
    FIXTURE_MUTABLES = 10,
    FIXTURE_FIXED = 40,
    FIXTURE_SPECIALS = FIXTURE_BUILDINGS + FIXTURE_MUTABLES + FIXTURE_FIXED,
    FIXTURE_PIECES = 12, /* of each mutable special */
    FIXTURE_JOINS = 5
};

/* Ids are "t0", "t1", ...; buildings "b000" .. "b599", mutable specials "m000" .. "m009" with
 * pieces "p0", ... and joins "j0", ..., and fixed specials "s000" .. "s039", all without tiles;
 * digest is 64 times the given letter. */
catalogue *fixture_catalogue(size_t oters, char letter);
void fixture_catalogue_free(catalogue *cat);

typedef struct fixture {
    char dir[64], path[96];
    ptl_store *store;
    catalogue *cat;
    int64_t world_id, run_id;
} fixture;

/* An open store with a content row, a world "w" (seed 2^63 + 5) and a run. */
void fixture_open(fixture *f);
void fixture_close(fixture *f);
/* Reopens the same file. */
ptl_store *fixture_reopen(const fixture *f, ptl_open_mode mode);

/* All levels by a stream from `seed`: uniform, blobs, noise, stripes, large palettes. */
ptl_chunk *fixture_chunk(ptl_chunk_pos pos, uint64_t seed);
void fixture_level(ptl_oter *cells, uint64_t seed, unsigned style);

/* What a chunk's levels hold by default. */
extern const ptl_oter fixture_defaults[PTL_LEVELS];

/* How many of each. */
typedef struct feature_counts {
    size_t cities, placements, groups, radios;
} feature_counts;
/* Adds features by a stream from `seed`, placed about as generation places them. */
void fixture_features(gen_features *out, const catalogue *cat, uint64_t seed,
                      feature_counts counts);
/* How many of each; pieces and joins need a special. */
typedef struct special_counts {
    size_t specials, attempts, pieces, joins;
} special_counts;
/* Adds specials, of which the first and each third one is mutable, and what belongs to them. */
void fixture_specials(gen_features *out, uint64_t seed, special_counts counts);
bool fixture_same_features(const gen_features *a, const gen_features *b);

/* Encodes and writes a chunk with a few features, its planned edges and events; its own
 * transaction. */
ptl_status fixture_write(fixture *f, ptl_store *store, const ptl_chunk *chunk,
                         const char *last_step, bool *written, ptl_error *err);
/* The same with these features. */
ptl_status fixture_write_features(fixture *f, ptl_store *store, const ptl_chunk *chunk,
                                  const char *last_step, const gen_features *features,
                                  bool *written, ptl_error *err);
/* The edge that fixture_write uses. */
edge fixture_edge(int32_t x, int32_t y, edge_side side);

bool fixture_same_chunk(const ptl_chunk *a, const ptl_chunk *b);

/* Before verify: the made-up catalogue's definitions are not in the file, so buildings can't be
 * compared with tiles, which is done only for the current content. */
void fixture_hide_content(ptl_store *store);

/* Runs SQL over the file behind the store's back, with checks and keys off. */
void fixture_damage(const fixture *f, const char *sql);

#endif
