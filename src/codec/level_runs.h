/*
 * A level as a palette of oters and runs of equal cells. The level's cells are first brought
 * into this form. Then it is encoded as bytes, and the canonical digest is computed from it,
 * too. Each level has exactly one such form.
 */
#pragma once

#include "core/bytes.h"
#include "core/digest.h"
#include "portolan/types.h"

typedef struct ptl_catalogue catalogue;

typedef struct level_run {
    uint16_t symbol; /* index of the run's oter in the palette, the level's list of oters; the
                        run before it has another oter */
    /* Number of cells, 1..32,400. Cells are in the order of y * 180 + x, so a run may go on in
     * the next row. */
    uint16_t length;
} level_run;

/* The runs of one level, with their palette. The struct takes about 450 kB; each thread has
 * one. */
typedef struct level_runs {
    /* Oters or the file's numbers of oters, in the order of their first use. */
    uint32_t palette[PTL_LEVEL_CELLS];
    size_t palette_count;
    level_run runs[PTL_LEVEL_CELLS];
    size_t run_count;
    /* While a level is scanned: for each oter its index in the palette, plus 1; 0: the
     * palette does not have the oter yet. */
    uint16_t index_of[UINT16_MAX + 1];
} level_runs;

level_runs *level_runs_new(void); /* free it by level_runs_free; NULL when memory is out */
void level_runs_free(level_runs *r);

/* level_runs_scan replaces the contents of r by the runs of these cells. level_runs_uniform
 * replaces them by a single run, for a level in which all cells have the oter `entry`. In a
 * level from a file, `entry` is the number that the file gives to the oter. */
void level_runs_scan(level_runs *r, const ptl_oter cells[PTL_LEVEL_CELLS]);
void level_runs_uniform(level_runs *r, uint32_t entry);

enum { LEVEL_VARINT_LIMIT = 1 << 21 };

/* Writes v, which is below LEVEL_VARINT_LIMIT, as a varint, and returns its end. At least two
 * bytes are written, even if only the first one counts: the processor can't predict which
 * values need two, so there is no branch on that. */
static inline uint8_t *level_put_varint(uint8_t *at, uint32_t v)
{
    uint32_t longer = v >= 0x80;
    at[0] = (uint8_t)(v | longer << 7);
    at[1] = (uint8_t)(v >> 7);
    at += 1 + longer;
    if (v >= 0x4000) {
        at[-1] |= 0x80;
        *at++ = (uint8_t)(v >> 14);
    }
    return at;
}

/* Returns the id of an oter; NULL if there is none. `entry` is what a level's palette holds for
 * the oter: its number in the catalogue or in the file. */
typedef const char *level_name_fn(const void *names, uint32_t entry);

/* The state of computing the digest of a chunk's cells, which is the same in any file
 * (format.md, "Digests"). The caller must add the 21 levels one by one, from z = -10 upwards.
 */
typedef struct omt_digest {
    digest_state state;
    bytes text; /* owned */
} omt_digest;

void omt_digest_init(omt_digest *t, ptl_chunk_pos pos);
/* Begins a new digest after the last one has ended, and reuses its memory. */
void omt_digest_begin(omt_digest *t, ptl_chunk_pos pos);
ptl_status omt_digest_level(omt_digest *t, const level_runs *r, level_name_fn *name_of,
                            const void *names, ptl_error *err);
void omt_digest_end(omt_digest *t, digest *out);
/* Ends the digest like omt_digest_end, and disposes of t. */
void omt_digest_final(omt_digest *t, digest *out);
void omt_digest_dispose(omt_digest *t);

/*
 * Copies of the ids of a catalogue's oters, side by side. An id is copied when it is first
 * needed. The digest of a chunk needs some 4,000 ids. If they were read from the catalogue,
 * each of them would be a miss of the processor's cache. The copies take 32 bytes for each
 * oter.
 */
typedef struct oter_names oter_names;

oter_names *oter_names_new(void); /* free it with oter_names_free; NULL when memory is out */
void oter_names_free(oter_names *n);
/* Sets the catalogue whose ids are used from now on; false when memory is out. */
bool oter_names_use(oter_names *n, const catalogue *cat);
/* Begins to fetch the ids of the level's oters into the processor's cache, so that they are
 * there when the digest reads them. False if the catalogue lacks one of the oters. */
bool oter_names_fetch(const oter_names *n, const level_runs *r);
/* Does the same as omt_digest_level, for a level whose ids oter_names_fetch has fetched. */
ptl_status omt_digest_oters(omt_digest *t, const level_runs *r, const oter_names *names,
                            ptl_error *err);

enum {
    /* In a level's stream a run takes at most 3 bytes for its token; a run of 2 cells or more
     * takes at most 3 more bytes, for its length. */
    LEVEL_STREAM_MAX = 3 * PTL_LEVEL_CELLS,
    LEVEL_STREAM_PAD = 8 /* number of bytes after the end of a stream that functions may read or
                            overwrite */
};

/* Writes first the tokens of all runs and then their lengths into `stream`. `lengths` is memory
 * that the function needs while it works. Both arrays have room for LEVEL_STREAM_MAX +
 * LEVEL_STREAM_PAD bytes. */
void level_stream_build(uint8_t *stream, uint8_t *lengths, const level_runs *r,
                        size_t *token_size, size_t *length_size);
/* Reads the runs of a level from a stream. r must have the palette already. Returns what is
 * wrong with the stream, or NULL. */
const char *level_stream_parse(level_runs *r, const uint8_t *stream, size_t token_size,
                               size_t length_size);
/* Reads a stream straight into cells. A cell whose oter has the number i in the palette becomes
 * values[i]. After an error the cells are undefined. Returns what is wrong, or NULL. */
const char *level_stream_cells(uint16_t cells[PTL_LEVEL_CELLS],
                               const uint16_t values[PTL_LEVEL_CELLS], size_t palette_count,
                               const uint8_t *stream, size_t token_size, size_t length_size);

/* Reads a varint (unsigned LEB128) of up to 4 bytes and moves *at behind it. Returns false if
 * the varint is longer, or if the bytes end before it does. */
bool level_take_varint(const uint8_t **at, const uint8_t *end, uint32_t *out);
