/*
 * Finds the runs of equal cells in levels, and computes the canonical digest over these runs.
 * Both are done for every cell of every stored chunk, so the inner loops compare many cells at
 * a time and write through raw pointers.
 */
#include "codec/level_runs.h"

#include "codec/level_kernels.h"
#include "core/cpu.h"
#include "core/error.h"
#include "model/catalogue.h"

#include <stdlib.h>
#include <string.h>

level_runs *level_runs_new(void)
{
    return calloc(1, sizeof(level_runs));
}

void level_runs_free(level_runs *r)
{
    free(r);
}

void level_runs_uniform(level_runs *r, uint32_t entry)
{
    r->palette[0] = entry;
    r->palette_count = 1;
    r->runs[0] = (level_run){0, PTL_LEVEL_CELLS};
    r->run_count = 1;
}

const level_kernels *level_kernels_best(void)
{
    return CPU_IF(CPU_AVX2, &level_kernels_avx2, &level_kernels_base);
}

void level_runs_scan(level_runs *r, const ptl_oter cells[PTL_LEVEL_CELLS])
{
    level_kernels_best()->scan(r, cells);
}

/* ---- names ---- */

enum { NAME_ROOM = 32 };

/* An id in the form that the digest is computed over: its size, then its bytes. A size of 0
 * means that the id was not copied yet, or is too long for a slot. */
typedef struct name_slot {
    uint8_t bytes[NAME_ROOM];
} name_slot;

struct oter_names {
    const catalogue *cat;
    /* Owned; the memory in which `slots` lie, a little larger so that they can be aligned. */
    name_slot *block;
    name_slot *slots; /* first slot (memory of one id), at an aligned address in `block` */
    size_t count;
    /* Digest of the catalogue whose ids were copied; with another catalogue the copies do not
     * count. */
    char digest[65];
};

oter_names *oter_names_new(void)
{
    return calloc(1, sizeof(oter_names));
}

void oter_names_free(oter_names *n)
{
    if (!n)
        return;
    free(n->block);
    free(n);
}

bool oter_names_use(oter_names *n, const catalogue *cat)
{
    n->cat = cat;
    if (n->slots && n->count == catalogue_all_oters(cat) &&
        memcmp(n->digest, cat->digest, sizeof n->digest) == 0)
        return true;
    name_slot *block = calloc(catalogue_all_oters(cat) + 2, sizeof *block);
    if (!block)
        return false;
    free(n->block);
    n->block = block;
    /* A slot is the memory of one id. Slots are aligned, so that no slot lies in two cache
     * lines and reading it costs at most one cache miss. */
    const size_t past = (uintptr_t)block % NAME_ROOM;
    n->slots = (name_slot *)((uint8_t *)block + (past ? NAME_ROOM - past : 0));
    n->count = catalogue_all_oters(cat);
    memcpy(n->digest, cat->digest, sizeof n->digest);
    return true;
}

static void put_name(bytes *b, const char *name)
{
    size_t size = strlen(name);
    bytes_put_varint(b, size);
    bytes_put(b, name, size);
}

/* Reads one byte of each id, which brings the id into the processor's cache. Nothing uses these
 * bytes, so nothing waits for them. Prefetch instructions would not help: processors ignore
 * those that miss the TLB (the cache of page addresses), as nearly all would here. */
bool oter_names_fetch(const oter_names *n, const level_runs *r)
{
    for (size_t i = 0; i < r->palette_count; i++) {
        if (r->palette[i] >= n->count)
            return false;
        (void)*(const volatile uint8_t *)n->slots[r->palette[i]].bytes;
    }
    return true;
}

/* Appends the ids of a level's oters. All slots, each of which holds one id, have the same
 * size. A whole slot is copied, although the id may be shorter. The next copy begins right
 * behind the id, and so overwrites what was copied too much. */
static void put_oter_names(bytes *b, const oter_names *n, const level_runs *r)
{
    if (!bytes_reserve(b, r->palette_count * NAME_ROOM))
        return;
    uint8_t *at = b->data + b->size;
    for (size_t i = 0; i < r->palette_count; i++) {
        const name_slot *slot = &n->slots[r->palette[i]];
        if (slot->bytes[0] == 0) {
            b->size = (size_t)(at - b->data);
            /* This oter's slot (the memory of one id) does not have a copy of the id yet. The
             * id is copied there now, unless it is too long for the slot. */
            const uint32_t entry = r->palette[i];
            const char *id = n->cat->oters[entry].id;
            size_t size = strlen(id);
            if (size < NAME_ROOM) {
                n->slots[entry].bytes[0] = (uint8_t)size;
                memcpy(n->slots[entry].bytes + 1, id, size);
            }
            put_name(b, id);
            if (!bytes_reserve(b, (r->palette_count - i) * NAME_ROOM))
                return;
            at = b->data + b->size;
            continue;
        }
        memcpy(at, slot->bytes, NAME_ROOM);
        at += slot->bytes[0] + 1u;
    }
    b->size = (size_t)(at - b->data);
}

/* ---- digest ---- */

void omt_digest_init(omt_digest *t, ptl_chunk_pos pos)
{
    bytes_init(&t->text);
    omt_digest_begin(t, pos);
}

void omt_digest_begin(omt_digest *t, ptl_chunk_pos pos)
{
    digest_init(&t->state);
    bytes_clear(&t->text);
    bytes_put_text(&t->text, "portolan tiles 1\n");
    bytes_put_u32(&t->text, (uint32_t)pos.x);
    bytes_put_u32(&t->text, (uint32_t)pos.y);
}

/* Adds a level's runs to the digest, behind the ids of the level's oters. Each run is hashed as
 * two numbers: the index of its oter in the palette (the list of these oters), and the run's
 * length. */
static ptl_status digest_runs(omt_digest *t, const level_runs *r, ptl_error *err)
{
    bytes *b = &t->text;
    const size_t count = 2 * r->run_count;
    bytes_put_varint(b, r->run_count);
    if (!bytes_reserve(b, 3 * count + LEVEL_VARINTS_PAD))
        return error_nomem(err);
    const uint16_t *numbers = (const uint16_t *)(const void *)r->runs;
    const uint8_t *end = level_kernels_best()->put_varints(b->data + b->size, numbers, count);
    digest_update(&t->state, b->data, (size_t)(end - b->data));
    bytes_clear(b);
    return PTL_OK;
}
_Static_assert(sizeof(level_run) == 2 * sizeof(uint16_t), "a run is two numbers");

ptl_status omt_digest_level(omt_digest *t, const level_runs *r, level_name_fn *name_of,
                            const void *names, ptl_error *err)
{
    bytes_put_varint(&t->text, r->palette_count);
    for (size_t i = 0; i < r->palette_count; i++) {
        const char *name = name_of(names, r->palette[i]);
        if (!name) {
            const uint32_t entry = r->palette[i];
            return error_set(err, PTL_ERR_CORRUPT, "oter %lu has no id", (unsigned long)entry);
        }
        put_name(&t->text, name);
    }
    return digest_runs(t, r, err);
}

ptl_status omt_digest_oters(omt_digest *t, const level_runs *r, const oter_names *names,
                            ptl_error *err)
{
    bytes_put_varint(&t->text, r->palette_count);
    put_oter_names(&t->text, names, r);
    return digest_runs(t, r, err);
}

void omt_digest_end(omt_digest *t, digest *out)
{
    digest_final(&t->state, out);
}

void omt_digest_final(omt_digest *t, digest *out)
{
    omt_digest_end(t, out);
    omt_digest_dispose(t);
}

void omt_digest_dispose(omt_digest *t)
{
    bytes_dispose(&t->text);
}

/*
 * The functions below turn runs into the bytes of a level blob (tokens, then lengths:
 * format.md, "Level blobs") and back. They handle every run of every stored level, so they
 * avoid branches that the processor can't predict.
 */

/*
 * Reads a level's stream, as runs or straight into cells. Nearly all runs are plain: a token of
 * one or two bytes, a length of one byte, few cells. A fast loop with few checks reads as many
 * plain runs as surely fit into the stream and the level. It stops at any other run (a long
 * length, or damage), which is then read with all checks.
 */

#define INLINE static inline __attribute__((always_inline))

enum {
    /* Cells are written in groups of this number, even if a run has fewer cells. The next run
     * overwrites the cells that are too many. */
    AT_ONCE = 16,
    /* With this many oters in the palette (the level's list of oters) a token may need a third
     * byte, which the fast loop in take_plain does not read. */
    PLAIN_PLACES = 1 << 13
};

typedef uint16_t cells_8 __attribute__((vector_size(16)));

/* How far a level's stream has been read; the state between one run and the next. A place is an
 * index into the palette (the level's list of oters), plus 1. */
typedef struct run_reader {
    const uint8_t *token, *token_end, *length, *length_end;
    /* The oter of the last run, as its index in the palette plus 1; 0 before the first run. */
    uint32_t place;
    uint32_t fresh; /* the lowest place (palette index + 1) that no run has used yet; the next
                     * run with an oter that is new in the level uses it */
    uint32_t done;  /* how many cells of the level the runs that were read have */
    uint32_t palette_count;
} run_reader;

/* Where the runs that are read are put: into a list of runs, or straight into cells. */
typedef struct run_sink {
    level_run *runs;
    size_t count;
    uint16_t *cells;
    /* The number that is written into cells, for each oter of the palette. */
    const uint16_t *values;
} run_sink;

static inline size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline void put_cells(uint16_t *at, uint16_t v)
{
    const cells_8 eight = {v, v, v, v, v, v, v, v};
    memcpy(at, &eight, sizeof eight);
    memcpy(at + AT_ONCE / 2, &eight, sizeof eight);
}

/* Adds a run to the list of runs, or writes it into cells. It writes AT_ONCE cells at a time,
 * so cells after the run may be overwritten, too. */
INLINE void put_run(run_sink *s, bool as_cells, size_t done, uint32_t place, size_t cells)
{
    if (!as_cells) {
        s->runs[s->count++] = (level_run){(uint16_t)(place - 1), (uint16_t)cells};
        return;
    }
    const uint16_t v = s->values[place - 1];
    put_cells(s->cells + done, v);
    for (size_t i = AT_ONCE; i < cells; i += AT_ONCE)
        put_cells(s->cells + done + i, v);
}

/* Reads plain runs, and ends at the first run that is not plain. The token of a plain run has
 * at most two bytes, its length has one byte, and it has at most AT_ONCE cells. */
INLINE void take_plain(run_reader *r, run_sink *s, bool as_cells)
{
    const uint8_t *token = r->token, *length = r->length;
    uint32_t before = r->place, fresh = r->fresh;
    size_t done = r->done;
    /* The number of runs that can be read without a check of the bounds. All of these runs fit
     * into what is left of the stream and the level, even if each has two bytes of tokens, one
     * byte of lengths and AT_ONCE cells. */
    size_t sure = least((size_t)(r->token_end - token) / 2, (size_t)(r->length_end - length));
    sure = least(sure, (PTL_LEVEL_CELLS - done) / AT_ONCE);
    if (r->palette_count >= PLAIN_PLACES)
        sure = 0;
    for (; sure > 0; sure--) {
        const size_t low = token[0], longer = low & 1, two = low >> 7;
        const uint32_t high = token[1];
        const uint32_t k = (uint32_t)(low >> 1 & 0x3f) | (high << 6 & (0u - (uint32_t)two));
        const uint32_t place = k ? k : fresh, next_fresh = fresh + (k < 1);
        /* The run's length minus 1. If the token says that the run is one cell long, there is
         * no length to read, and this is 0. */
        const size_t more = (*length & (0 - longer)) + longer;
        if (place >= next_fresh || place == before)
            break;
        if (more >= AT_ONCE &&
            (*length >= 0x80 || PTL_LEVEL_CELLS - done <= more + AT_ONCE * sure))
            break;
        put_run(s, as_cells, done, place, 1 + more);
        before = place;
        fresh = next_fresh;
        done += 1 + more;
        token += 1 + two;
        length += longer;
    }
    r->token = token;
    r->length = length;
    r->place = before;
    r->fresh = fresh;
    r->done = (uint32_t)done;
}

bool level_take_varint(const uint8_t **at, const uint8_t *end, uint32_t *out)
{
    uint32_t v = 0;
    for (unsigned shift = 0; shift < 28 && *at < end; shift += 7) {
        uint8_t byte = *(*at)++;
        v |= (uint32_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *out = v;
            return true;
        }
    }
    return false;
}

/* Reads one run of any kind. Returns what is wrong with it, or NULL. */
static const char *take_run(run_reader *r, uint32_t *cells)
{
    uint32_t token, more = 0;
    if (!level_take_varint(&r->token, r->token_end, &token) ||
        ((token & 1) && !level_take_varint(&r->length, r->length_end, &more)))
        return "the tokens or lengths are cut off";
    const uint32_t k = token >> 1, place = k ? k : r->fresh;
    *cells = token & 1 ? more + 2 : 1;
    r->fresh += k == 0;
    if (place >= r->fresh || r->fresh - 1 > r->palette_count)
        return "a palette index out of range";
    if (place == r->place)
        return "two runs of the same oter side by side";
    if (*cells > PTL_LEVEL_CELLS - r->done)
        return "more cells than a level has";
    r->place = place;
    r->done += *cells;
    return NULL;
}

INLINE const char *take_all(run_sink *s, bool as_cells, size_t palette_count,
                            const uint8_t *stream, size_t token_size, size_t length_size)
{
    const uint8_t *lengths = stream + token_size;
    run_reader r = {.token = stream,
                    .token_end = lengths,
                    .length = lengths,
                    .length_end = lengths + length_size,
                    .fresh = 1,
                    .palette_count = (uint32_t)palette_count};
    for (;;) {
        uint32_t cells;
        take_plain(&r, s, as_cells);
        if (r.token == r.token_end)
            break;
        const char *problem = take_run(&r, &cells);
        if (problem)
            return problem;
        const uint16_t symbol = (uint16_t)(r.place - 1);
        if (!as_cells) {
            s->runs[s->count++] = (level_run){symbol, (uint16_t)cells};
            continue;
        }
        uint16_t *at = s->cells + r.done - cells;
        for (uint32_t i = 0; i < cells; i++)
            at[i] = s->values[symbol];
    }
    if (r.fresh - 1 > r.palette_count)
        return "a palette index out of range";
    if (r.done < PTL_LEVEL_CELLS)
        return "fewer cells than a level has";
    if (r.length != r.length_end)
        return "lengths are left over";
    return r.fresh - 1 == r.palette_count ? NULL : "palette entries that no cell uses";
}

const char *level_stream_parse(level_runs *r, const uint8_t *stream, size_t token_size,
                               size_t length_size)
{
    run_sink s = {.runs = r->runs};
    const char *problem =
        take_all(&s, false, r->palette_count, stream, token_size, length_size);
    r->run_count = s.count;
    return problem;
}

const char *level_stream_cells(uint16_t cells[PTL_LEVEL_CELLS],
                               const uint16_t values[PTL_LEVEL_CELLS], size_t palette_count,
                               const uint8_t *stream, size_t token_size, size_t length_size)
{
    run_sink s = {.cells = cells, .values = values};
    return take_all(&s, true, palette_count, stream, token_size, length_size);
}

enum { RUNS_AT_ONCE = 256 };
_Static_assert((int)LEVEL_VARINTS_PAD <= (int)LEVEL_STREAM_PAD,
               "that is what the padding is for");

/* The tokens of some runs, and the numbers that code their lengths. There are fewer numbers
 * than tokens, because a run of one cell needs none. */
typedef struct run_numbers {
    uint16_t tokens[RUNS_AT_ONCE], lengths[RUNS_AT_ONCE];
    size_t longer;
    uint32_t next_new;
} run_numbers;

static void number_runs(run_numbers *n, const level_run *runs, size_t count)
{
    uint32_t next_new = n->next_new;
    size_t lengths = 0;
    for (size_t i = 0; i < count; i++) {
        const level_run run = runs[i];
        const uint32_t fresh = run.symbol == next_new, longer = run.length > 1;
        const uint32_t k = (run.symbol + 1u) & (fresh - 1);
        next_new += fresh;
        n->tokens[i] = (uint16_t)(k << 1 | longer);
        /* Runs of one cell have no length in the stream. The processor can't predict which runs
         * these are, so a length is written for every run; after a run of one cell, the next
         * length overwrites it. */
        n->lengths[lengths] = (uint16_t)(run.length - 2u);
        lengths += longer;
    }
    n->longer = lengths;
    n->next_new = next_new;
}
_Static_assert(2 * (PTL_LEVEL_CELLS + 1) + 1 <= UINT16_MAX, "a token has 16 bits");

void level_stream_build(uint8_t *stream, uint8_t *lengths, const level_runs *r,
                        size_t *token_size, size_t *length_size)
{
    const level_kernels *kernels = level_kernels_best();
    uint8_t *token = stream, *length = lengths;
    run_numbers n = {.next_new = 0};
    for (size_t i = 0; i < r->run_count; i += RUNS_AT_ONCE) {
        const size_t left = r->run_count - i, count = left < RUNS_AT_ONCE ? left : RUNS_AT_ONCE;
        number_runs(&n, r->runs + i, count);
        token = kernels->put_varints(token, n.tokens, count);
        length = kernels->put_varints(length, n.lengths, n.longer);
    }
    *token_size = (size_t)(token - stream);
    *length_size = (size_t)(length - lengths);
    memcpy(token, lengths, *length_size);
}
