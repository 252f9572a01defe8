/*
 * A small world file, made anew at a target's start with the code under test: a content of a
 * dozen terrains (content/pack.json), a world "w" with a generated chunk at 0,0 and an imported
 * one at 3,0, whose borders are foreign edges.
 */
#ifndef FUZZ_FUZZ_BASE_H
#define FUZZ_FUZZ_BASE_H

#include "fuzz/fuzz.h"
#include "portolan/portolan.h"

#include <sqlite3.h>

typedef struct fuzz_base {
    char path[FUZZ_PATH_SIZE]; /* the file itself; targets leave it as it is */
    uint8_t *image;            /* and its bytes */
    size_t size;
} fuzz_base;

/* Made by the first call. */
const fuzz_base *fuzz_base_get(void);

/* The same file, of an older schema (support/older_file.h). */
const fuzz_base *fuzz_base_old(void);

/* Fails the run with the error's message. */
void fuzz_expect(ptl_status status, const ptl_error *err, const char *what);

/* Makes every checksum of the file true again, so that what a hostile file holds is met by the
 * code behind them. Rows that can't be read stay as they are. */
void fuzz_reseal(sqlite3 *db);

#endif
