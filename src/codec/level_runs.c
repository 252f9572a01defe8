/*
 * Finding runs, and the canonical digest over them. Both touch every cell of every stored
 * chunk, so the inner loops compare many cells at a time and write through raw pointers.
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

/* An id as the digest takes it: its size, then its bytes. A size of 0 means that it was not
 * asked for yet, or is too long. */
typedef struct name_slot {
    uint8_t bytes[NAME_ROOM];
} name_slot;

struct oter_names {
    const catalogue *cat;
    name_slot *block; /* owned; the slots with room to align them */
    name_slot *slots; /* the first slot, aligned */
    size_t count;
    char digest[65]; /* of the catalogue whose ids the slots hold */
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
    /* Slots are aligned so that none lies in two cache lines, which would mean two cache
     * misses. */
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

/* Fetches by loads whose results nothing waits for. Prefetch instructions would not do:
 * processors drop those that miss the TLB, which here are nearly all. */
bool oter_names_fetch(const oter_names *n, const level_runs *r)
{
    for (size_t i = 0; i < r->palette_count; i++) {
        if (r->palette[i] >= n->count)
            return false;
        (void)*(const volatile uint8_t *)n->slots[r->palette[i]].bytes;
    }
    return true;
}

/* Copies each slot as a whole, and then counts only the id's own bytes. */
static void put_oter_names(bytes *b, const oter_names *n, const level_runs *r)
{
    if (!bytes_reserve(b, r->palette_count * NAME_ROOM))
        return;
    uint8_t *at = b->data + b->size;
    for (size_t i = 0; i < r->palette_count; i++) {
        const name_slot *slot = &n->slots[r->palette[i]];
        if (slot->bytes[0] == 0) {
            b->size = (size_t)(at - b->data);
            /* An id without a slot yet gets one now, if it fits. */
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

/* Adds the runs behind the palette's names. They are hashed as pairs of numbers side by
 * side. */
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
