/*
 * Finding runs, and the canonical digest over them. Both touch every cell of every stored
 * chunk, so the inner loops compare eight cells at a time and write through raw pointers.
 */
#include "store/level_runs.h"

#include "content/catalogue.h"
#include "core/error.h"

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

/*
 * Where runs begin, into runs[].length; returns how many. In built-up levels where a run ends
 * can't be predicted, so within a block that has an end the count goes up without a branch.
 */
static size_t find_starts(level_run *runs, const ptl_oter *cells)
{
    enum { BLOCK = 8 };
    size_t count = 1, i = 1;
    runs[0].length = 0;
    for (; i + BLOCK <= PTL_LEVEL_CELLS; i += BLOCK) {
        uint64_t here[2], before[2];
        memcpy(here, cells + i, sizeof here);
        memcpy(before, cells + i - 1, sizeof before);
        if (here[0] == before[0] && here[1] == before[1])
            continue;
        for (size_t k = i; k < i + BLOCK; k++) {
            runs[count].length = (uint16_t)k;
            count += cells[k] != cells[k - 1];
        }
    }
    for (; i < PTL_LEVEL_CELLS; i++) {
        runs[count].length = (uint16_t)i;
        count += cells[i] != cells[i - 1];
    }
    return count;
}

void level_runs_scan(level_runs *r, const ptl_oter cells[PTL_LEVEL_CELLS])
{
    size_t count = find_starts(r->runs, cells), entries = 0;
    r->runs[count].length = PTL_LEVEL_CELLS;
    for (size_t i = 0; i < count; i++) {
        size_t start = r->runs[i].length, end = r->runs[i + 1].length;
        uint16_t index = r->index_of[cells[start]];
        if (index == 0) {
            r->palette[entries++] = cells[start];
            r->index_of[cells[start]] = index = (uint16_t)entries;
        }
        r->runs[i] = (level_run){(uint16_t)(index - 1), (uint16_t)(end - start)};
    }
    for (size_t i = 0; i < entries; i++)
        r->index_of[r->palette[i]] = 0;
    r->palette_count = entries;
    r->run_count = count;
}

const char *level_catalogue_name(const void *names, uint32_t entry)
{
    const catalogue *cat = names;
    return entry < cat->oter_count ? cat->oters[entry].id : NULL;
}

static uint8_t *put_varint(uint8_t *at, uint32_t v)
{
    while (v >= 0x80) {
        *at++ = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    *at++ = (uint8_t)v;
    return at;
}

void tile_digest_init(tile_digest *t, ptl_chunk_pos pos)
{
    digest_init(&t->state);
    bytes_init(&t->text);
    bytes_put_text(&t->text, "portolan tiles 1\n");
    bytes_put_u32(&t->text, (uint32_t)pos.x);
    bytes_put_u32(&t->text, (uint32_t)pos.y);
}

/* A palette and the runs take 5 bytes for each number at most. */
ptl_status tile_digest_level(tile_digest *t, const level_runs *r, level_name_fn *name_of,
                             const void *names, ptl_error *err)
{
    bytes *b = &t->text;
    bytes_put_varint(b, r->palette_count);
    for (size_t i = 0; i < r->palette_count; i++) {
        const char *name = name_of(names, r->palette[i]);
        if (!name)
            return error_set(err, PTL_ERR_CORRUPT, "oter %lu has no id",
                             (unsigned long)r->palette[i]);
        size_t length = strlen(name);
        bytes_put_varint(b, length);
        bytes_put(b, name, length);
    }
    bytes_put_varint(b, r->run_count);
    if (!bytes_reserve(b, r->run_count * 6))
        return error_nomem(err);
    uint8_t *at = b->data + b->size;
    for (size_t i = 0; i < r->run_count; i++) {
        at = put_varint(at, r->runs[i].symbol);
        at = put_varint(at, r->runs[i].length);
    }
    digest_update(&t->state, b->data, (size_t)(at - b->data));
    bytes_clear(b);
    return PTL_OK;
}

void tile_digest_final(tile_digest *t, digest *out)
{
    digest_final(&t->state, out);
    tile_digest_dispose(t);
}

void tile_digest_dispose(tile_digest *t)
{
    bytes_dispose(&t->text);
}
