/*
 * The format is PMTiles 3 (github.com/protomaps/PMTiles, spec/v3). The header and the root
 * directory lie in the first 16,384 bytes and are written last. Behind them are the map tiles
 * in the order in which they were put, equal ones only once; then the leaf directories and the
 * metadata. Directories and metadata are not compressed.
 *
 * The fields of the header, each with its offset and its size in bytes:
 *     0   7  "PMTiles"
 *     7   1  version of the format, 3
 *     8  16  offset and length of the root directory
 *    24  16  offset and length of the metadata
 *    40  16  offset and length of the leaf directories
 *    56  16  offset and length of the data of the map tiles
 *    72   8  number of map tiles
 *    80   8  number of entries for map tiles in all directories
 *    88   8  number of different map tiles
 *    96   1  1 if the data of the map tiles lie in the order of their numbers, else 0
 *    97   1  how directories are compressed (1: not at all)
 *    98   1  how map tiles are compressed
 *    99   1  type of the map tiles
 *   100   2  the least and the largest zoom
 *   102  16  western, southern, eastern and northern border, in degrees x 10^7
 *   118   9  zoom and place (in degrees x 10^7) that are shown first
 *
 * Numbers are little-endian.
 */
#include "core/pmtiles.h"

#include "core/array.h"
#include "core/digest.h"
#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 127, HEAD = 16384, LEAF_ENTRIES = 4096 };

typedef pmtiles_entry entry;

uint64_t pmtiles_number(int zoom, uint32_t x, uint32_t y)
{
    uint64_t id = ((UINT64_C(1) << (2 * zoom)) - 1) / 3;
    for (uint32_t s = zoom ? UINT32_C(1) << (zoom - 1) : 0; s > 0; s /= 2) {
        const uint32_t rx = (x & s) != 0, ry = (y & s) != 0;
        id += (uint64_t)s * s * ((3 * rx) ^ ry);
        if (ry)
            continue;
        const uint32_t was = rx ? ~x : x;
        x = rx ? ~y : y;
        y = was;
    }
    return id;
}

/* ---- tiles ---- */

ptl_status pmtiles_put(pmtiles *m, const pmtiles_place *at, const void *data, size_t size,
                       ptl_error *err)
{
    digest_state state;
    digest of;
    char hex[DIGEST_HEX_SIZE];
    ptl_status status = PTL_OK;
    if (!ARRAY_ROOM(m->entries, m->room, m->count + 1))
        return error_nomem(err);
    digest_init(&state);
    digest_update(&state, data, size);
    digest_final(&state, &of);
    digest_to_hex(&of, hex);
    const uint32_t same = strmap_get(&m->contents, hex);
    entry *e = &m->entries[m->count];
    *e = (entry){pmtiles_number(at->zoom, at->x, at->y), m->data_size, (uint32_t)size, 1};
    if (same == STRMAP_NONE) {
        const char *key = arena_strdup(m->digests, hex);
        if (!key || strmap_put(&m->contents, key, (uint32_t)m->count) != 0)
            return error_nomem(err);
        m->data_size += size;
        status = m->sink(m->payload, data, size, err);
    } else {
        e->offset = m->entries[same].offset;
        e->length = m->entries[same].length;
    }
    m->count++;
    m->addressed++;
    return status;
}

/* ---- directories ---- */

static int by_id(const void *a, const void *b)
{
    const uint64_t x = ((const entry *)a)->id, y = ((const entry *)b)->id;
    return (x > y) - (x < y);
}

/* A directory is four lists (ids, runs, lengths, offsets), as the specification wants. An
 * offset of 0 means that the map tile lies right behind that of the previous entry. */
static void put_directory(bytes *out, const entry *entries, size_t count)
{
    bytes_put_varint(out, count);
    for (size_t i = 0; i < count; i++)
        bytes_put_varint(out, entries[i].id - (i > 0 ? entries[i - 1].id : 0));
    for (size_t i = 0; i < count; i++)
        bytes_put_varint(out, entries[i].run);
    for (size_t i = 0; i < count; i++)
        bytes_put_varint(out, entries[i].length);
    for (size_t i = 0; i < count; i++) {
        const bool follows =
            i > 0 && entries[i].offset == entries[i - 1].offset + entries[i - 1].length;
        bytes_put_varint(out, follows ? 0 : entries[i].offset + 1);
    }
}

/* Cuts the entries into leaf directories of `size` entries each. In the root directory, one
 * entry for each leaf directory is added. */
static void put_leaves(bytes *root, bytes *leaves, const pmtiles *m, size_t size)
{
    const size_t count = (m->count + size - 1) / size;
    entry *list = calloc(count > 0 ? count : 1, sizeof *list);
    bytes_clear(root);
    bytes_clear(leaves);
    root->failed = root->failed || !list;
    for (size_t i = 0; list && i < count; i++) {
        const size_t first = i * size, left = m->count - first;
        const size_t before = leaves->size;
        put_directory(leaves, m->entries + first, left < size ? left : size);
        list[i] = (entry){m->entries[first].id, before, (uint32_t)(leaves->size - before), 0};
    }
    if (list)
        put_directory(root, list, count);
    free(list);
}

/* ---- the file ---- */

static void put_degrees(bytes *out, double degrees)
{
    bytes_put_u32(out, (uint32_t)(int32_t)lround(degrees * 1e7));
}

typedef struct section {
    uint64_t offset, length;
} section;

/* Puts the header. `sections` are the root directory, the metadata, the leaf directories and
 * the map tiles, in this order. */
static void put_header(bytes *out, const pmtiles *m, const pmtiles_facts *s,
                       const section sections[4])
{
    bytes_put(out, "PMTiles\3", 8);
    for (int i = 0; i < 4; i++) {
        bytes_put_u64(out, sections[i].offset);
        bytes_put_u64(out, sections[i].length);
    }
    bytes_put_u64(out, m->addressed);
    bytes_put_u64(out, m->count);
    bytes_put_u64(out, m->contents.count);
    bytes_put_u8(out, 0);
    bytes_put_u8(out, PMTILES_PLAIN);
    bytes_put_u8(out, s->compression);
    bytes_put_u8(out, s->type);
    bytes_put_u8(out, (uint8_t)s->zoom_min);
    bytes_put_u8(out, (uint8_t)s->zoom_max);
    put_degrees(out, s->west);
    put_degrees(out, s->south);
    put_degrees(out, s->east);
    put_degrees(out, s->north);
    bytes_put_u8(out, (uint8_t)((s->zoom_min + s->zoom_max) / 2));
    put_degrees(out, (s->west + s->east) / 2);
    put_degrees(out, (s->south + s->north) / 2);
}

static ptl_status finish(pmtiles *m, const pmtiles_facts *s, bytes *root, bytes *leaves,
                         bytes *head, ptl_error *err)
{
    const size_t metadata = strlen(s->metadata);
    /* Sorts the entries by the numbers of their map tiles. Entries with consecutive numbers
     * and equal images become one entry, which says how many numbers it stands for. */
    size_t kept = 0;
    if (m->count > 0) /* without entries there is no array to sort */
        qsort(m->entries, m->count, sizeof *m->entries, by_id);
    for (size_t i = 0; i < m->count; i++) {
        entry *last = kept > 0 ? &m->entries[kept - 1] : NULL;
        if (last && last->id + last->run == m->entries[i].id &&
            last->offset == m->entries[i].offset)
            last->run++;
        else
            m->entries[kept++] = m->entries[i];
    }
    m->count = kept;
    /* Writes one directory if it fits behind the header. Otherwise writes leaf directories, and
     * a root directory that lists them. As long as the root directory does not fit, this is
     * repeated with leaf directories of twice as many entries. */
    put_directory(root, m->entries, m->count);
    for (size_t size = LEAF_ENTRIES; root->size > HEAD - HEADER && !root->failed; size *= 2)
        put_leaves(root, leaves, m, size);
    if (root->failed || leaves->failed)
        return error_nomem(err);
    if (leaves->size > 0)
        TRY(m->sink(m->payload, leaves->data, leaves->size, err));
    TRY(m->sink(m->payload, s->metadata, metadata, err));
    const uint64_t behind = HEAD + m->data_size;
    const section sections[4] = {{HEADER, root->size},
                                 {behind + leaves->size, metadata},
                                 {behind, leaves->size},
                                 {HEAD, m->data_size}};
    put_header(head, m, s, sections);
    bytes_put(head, root->data, root->size);
    return head->failed ? error_nomem(err) : PTL_OK;
}

ptl_status pmtiles_begin(pmtiles *m, pmtiles_sink *sink, void *payload, ptl_error *err)
{
    static const uint8_t room[HEAD];
    *m = (pmtiles){.sink = sink, .payload = payload, .digests = arena_new()};
    return m->digests ? sink(payload, room, sizeof room, err) : error_nomem(err);
}

ptl_status pmtiles_finish(pmtiles *m, const pmtiles_facts *facts, bytes *head, ptl_error *err)
{
    bytes root, leaves;
    bytes_init(&root);
    bytes_init(&leaves);
    const ptl_status status = finish(m, facts, &root, &leaves, head, err);
    bytes_dispose(&root);
    bytes_dispose(&leaves);
    return status;
}

void pmtiles_dispose(pmtiles *m)
{
    free(m->entries);
    strmap_dispose(&m->contents);
    arena_free(m->digests);
}
