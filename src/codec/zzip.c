#include "codec/zzip.h"

#include "core/error.h"
#include "core/hash.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

enum {
    HEADER_SIZE = 8, /* size of a skippable frame's header: a magic number and a length */
    FRAME_NAME = 0,  /* kind of a skippable frame with the name of the text that follows */
    /* Kind of a skippable frame with the checksum of the compressed bytes of the next frame. */
    FRAME_SUM = 1,
    /* Kind of the first frame, which has the length of the index at the file's end, and the
     * index's checksum. */
    FRAME_INDEX = 15,
    INDEX_SIZE = 16,
    SUM_SIZE = 8,
    /* The level of compression, which makes files about as small as the games' own. */
    LEVEL = 7
};

static const uint64_t SEED = 0x1337c0de; /* seed of all checksums, which are XXH64 */

/* Zstd has 16 magic numbers for frames that are skipped; this is the first one. */
static const uint32_t SKIPPABLE = 0x184d2a50;

struct zzip {
    ZSTD_DCtx *context;
    ZSTD_DDict *dictionary; /* NULL: none */
    ZSTD_CCtx *writing;
    ZSTD_CDict *writing_dictionary; /* NULL: none */
};

zzip *zzip_new(const void *dictionary, size_t size)
{
    zzip *z = calloc(1, sizeof *z);
    if (!z)
        return NULL;
    z->context = ZSTD_createDCtx();
    z->writing = ZSTD_createCCtx();
    if (size > 0) {
        z->dictionary = ZSTD_createDDict(dictionary, size);
        z->writing_dictionary = ZSTD_createCDict(dictionary, size, LEVEL);
    }
    if (!z->context || !z->writing ||
        (size > 0 && (!z->dictionary || !z->writing_dictionary))) {
        zzip_free(z);
        return NULL;
    }
    return z;
}

void zzip_free(zzip *z)
{
    if (!z)
        return;
    ZSTD_freeDCtx(z->context);
    ZSTD_freeDDict(z->dictionary);
    ZSTD_freeCCtx(z->writing);
    ZSTD_freeCDict(z->writing_dictionary);
    free(z);
}

/* ---- frames ---- */

typedef struct span {
    const uint8_t *data; /* NULL: nothing was found */
    size_t size;
} span;

static ptl_status damaged(ptl_error *err, size_t offset, const char *what)
{
    return error_set(err, PTL_ERR_CORRUPT, "not a whole .zzip file: %s, at byte %zu", what,
                     offset);
}

/* The state of reading the zstd frames of a file, one after the other. */
typedef struct walk {
    span file;
    size_t at;
    bool ours;   /* the next zstd frames belong to the text that is to be read */
    bool summed; /* the frame before the next one was a checksum, which is in `sum` */
    uint64_t sum;
    span text;      /* of the frames with the text that is to be read, the last one that was
                     * found so far */
    uint64_t index; /* length and checksum of the file's index */
    uint64_t index_sum;
} walk;

static ptl_status take_skippable(walk *w, uint32_t kind, const char *entry, ptl_error *err)
{
    const uint8_t *frame = w->file.data + w->at;
    const size_t left = w->file.size - w->at - HEADER_SIZE;
    /* A skippable frame begins with a magic number and its length, of 4 bytes each. The length
     * is the upper half of the number of 64 bits that is loaded. */
    const size_t length = (size_t)(bytes_load_u64(frame) >> 32);
    if (length > left)
        return damaged(err, w->at, "a frame goes beyond its end");
    const uint8_t *content = frame + HEADER_SIZE;
    if (kind == FRAME_NAME)
        w->ours = length == strlen(entry) && memcmp(content, entry, length) == 0;
    if (w->at == 0 && (kind != FRAME_INDEX || length != INDEX_SIZE))
        return damaged(err, w->at, "it does not begin with the place of its index");
    if (w->at == 0) {
        w->index = bytes_load_u64(content);
        w->index_sum = bytes_load_u64(content + 8);
    }
    w->summed = kind == FRAME_SUM && length == SUM_SIZE;
    if (w->summed)
        w->sum = bytes_load_u64(content);
    w->at += HEADER_SIZE + length;
    return PTL_OK;
}

/* Walks over the zstd frames, up to the first bytes that are no frame. These may be zeros, and
 * then comes the index, which is not needed for reading. */
static ptl_status walk_frames(walk *w, const char *entry, ptl_error *err)
{
    while (w->file.size - w->at >= HEADER_SIZE) {
        const uint32_t magic = (uint32_t)bytes_load_u64(w->file.data + w->at);
        if (magic - SKIPPABLE < 16) {
            TRY(take_skippable(w, magic - SKIPPABLE, entry, err));
        } else if (magic == ZSTD_MAGICNUMBER && w->at > 0) {
            const uint8_t *frame = w->file.data + w->at;
            const size_t size = ZSTD_findFrameCompressedSize(frame, w->file.size - w->at);
            if (ZSTD_isError(size))
                return damaged(err, w->at, ZSTD_getErrorName(size));
            if (w->ours && !w->summed)
                return damaged(err, w->at, "a text has no checksum before it");
            if (w->ours && xxh64(frame, size, SEED) != w->sum)
                return damaged(err, w->at, "a text differs from its checksum");
            if (w->ours)
                w->text = (span){frame, size};
            w->summed = false;
            w->at += size;
        } else {
            break;
        }
    }
    if (w->at == 0)
        return damaged(err, 0, "it does not begin with a frame");
    if (w->file.size - w->at < w->index)
        return damaged(err, w->at, "its index is not there");
    if (xxh64(w->file.data + (w->file.size - (size_t)w->index), (size_t)w->index, SEED) !=
        w->index_sum)
        return damaged(err, w->file.size - (size_t)w->index,
                       "its index differs from its checksum");
    return PTL_OK;
}

/* ---- texts ---- */

ptl_status zzip_read(zzip *z, bytes *out, const void *file, size_t size, const char *entry,
                     size_t most, ptl_error *err)
{
    walk w = {.file = {file, size}};
    TRY(walk_frames(&w, entry, err));
    if (!w.text.data)
        return error_set(err, PTL_ERR_CORRUPT, "it has no entry '%s'", entry);
    const unsigned long long length = ZSTD_getFrameContentSize(w.text.data, w.text.size);
    if (length == ZSTD_CONTENTSIZE_UNKNOWN || length == ZSTD_CONTENTSIZE_ERROR)
        return error_set(err, PTL_ERR_CORRUPT, "its text does not say how long it is");
    if (length > most)
        return error_set(err, PTL_ERR_LIMIT, "a text of %llu bytes, %zu at most are read",
                         length, most);
    const size_t room = (size_t)length;
    const unsigned wanted = ZSTD_getDictID_fromFrame(w.text.data, w.text.size);
    if (wanted != 0 && !z->dictionary)
        return error_set(err, PTL_ERR_NOT_FOUND,
                         "it needs its dictionary, which is not there: overmaps.dict");
    if (!bytes_reserve(out, room + 1))
        return error_nomem(err);
    uint8_t *to = out->data + out->size;
    const size_t code =
        z->dictionary ? ZSTD_decompress_usingDDict(z->context, to, room, w.text.data,
                                                   w.text.size, z->dictionary)
                      : ZSTD_decompressDCtx(z->context, to, room, w.text.data, w.text.size);
    if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
        return error_nomem(err);
    if (ZSTD_getErrorCode(code) == ZSTD_error_dictionary_wrong)
        return error_set(err, PTL_ERR_CORRUPT, "it was made with another dictionary");
    if (ZSTD_isError(code) || code != room)
        return error_set(err, PTL_ERR_CORRUPT, "its text is damaged: %s",
                         ZSTD_isError(code) ? ZSTD_getErrorName(code) : "another length");
    to[room] = '\0';
    out->size += room;
    return PTL_OK;
}

/* ---- writing ---- */

/*
 * A .zzip file ends with an index, which is a FlexBuffer (JSON in a binary form). In a
 * FlexBuffer a list stands behind the texts and lists that it contains, and has for each of
 * them how many bytes before it stands. Each text is followed by a 0. Here the index is always
 * {"entries": {NAME: {"len", "offset"}}, "meta": {"content_end", "total_content_size"}} with
 * keys in order. A number takes four bytes; a distance from a list back to one of its texts or
 * lists takes one.
 */
enum { FLEX_UINT_4 = 2 << 2 | 2, FLEX_MAP_1 = 9 << 2, FLEX_MAP_4 = 9 << 2 | 2 };

static size_t put_key(bytes *out, const char *key)
{
    const size_t at = out->size;
    bytes_put(out, key, strlen(key) + 1);
    return at;
}

static void put_back(bytes *out, size_t to)
{
    bytes_put_u8(out, (uint8_t)(out->size - to));
}

static size_t put_keys(bytes *out, const size_t *keys, size_t count)
{
    bytes_put_u8(out, (uint8_t)count);
    const size_t at = out->size;
    for (size_t i = 0; i < count; i++)
        put_back(out, keys[i]);
    return at;
}

/* Writes a FlexBuffer map of two keys, with a number for each key. `start` is where the index
 * begins; numbers are aligned relative to that place. */
static size_t put_numbers(bytes *out, size_t start, const char *const names[2],
                          const uint32_t values[2])
{
    const size_t first = put_key(out, names[0]), second = put_key(out, names[1]);
    const bool ordered = strcmp(names[0], names[1]) < 0;
    const size_t keys =
        put_keys(out, (const size_t[]){ordered ? first : second, ordered ? second : first}, 2);
    while ((out->size - start) % 4 != 0)
        bytes_put_u8(out, 0);
    bytes_put_u32(out, (uint32_t)(out->size - keys));
    bytes_put_u32(out, 1); /* width of the distances in the map's list of keys: one byte */
    bytes_put_u32(out, 2); /* the map has two elements */
    const size_t at = out->size;
    bytes_put_u32(out, values[ordered ? 0 : 1]);
    bytes_put_u32(out, values[ordered ? 1 : 0]);
    bytes_put_u8(out, FLEX_UINT_4);
    bytes_put_u8(out, FLEX_UINT_4);
    return at;
}

typedef struct flex_child {
    size_t key, at;
    uint8_t type;
} flex_child;

/* Writes a map (keys with values) in Google's format FlexBuffers. Its values are maps
 * themselves, in the order of the keys. */
static size_t put_maps(bytes *out, const flex_child *children, size_t count)
{
    size_t keys[2];
    for (size_t i = 0; i < count; i++)
        keys[i] = children[i].key;
    const size_t names = put_keys(out, keys, count);
    put_back(out, names);
    bytes_put_u8(out, 1);
    bytes_put_u8(out, (uint8_t)count);
    const size_t at = out->size;
    for (size_t i = 0; i < count; i++)
        put_back(out, children[i].at);
    for (size_t i = 0; i < count; i++)
        bytes_put_u8(out, children[i].type);
    return at;
}

/* Writes the index of a file that has one text, under the name `entry`. The zstd frames of that
 * text begin at `offset` in the file and have `length` bytes. */
static void put_index(bytes *out, const char *entry, uint32_t offset, uint32_t length)
{
    static const char *const place[] = {"offset", "len"};
    static const char *const meta[] = {"content_end", "total_content_size"};
    const size_t start = out->size;
    flex_child root[2], own = {.type = FLEX_MAP_4};
    root[0].key = put_key(out, "entries");
    own.key = put_key(out, entry);
    own.at = put_numbers(out, start, place, (const uint32_t[]){offset, length});
    root[0].at = put_maps(out, &own, 1);
    root[0].type = FLEX_MAP_1;
    root[1].key = put_key(out, "meta");
    root[1].at = put_numbers(out, start, meta, (const uint32_t[]){offset + length, length});
    root[1].type = FLEX_MAP_4;
    put_back(out, put_maps(out, root, 2));
    bytes_put_u8(out, FLEX_MAP_1);
    /* The distance to the root (the outermost map) is written in one byte. */
    bytes_put_u8(out, 1);
}

static void put_frame(bytes *out, uint32_t kind, const void *content, size_t size)
{
    bytes_put_u32(out, SKIPPABLE + kind);
    bytes_put_u32(out, (uint32_t)size);
    bytes_put(out, content, size);
}

ptl_status zzip_write(zzip *z, bytes *out, const char *entry, const void *content, size_t size,
                      ptl_error *err)
{
    const size_t start = out->size, offset = HEADER_SIZE + INDEX_SIZE;
    if (size > UINT32_MAX / 2)
        return error_set(err, PTL_ERR_LIMIT, "a text of %zu bytes", size);
    put_frame(out, FRAME_INDEX, (const uint8_t[INDEX_SIZE]){0}, INDEX_SIZE);
    put_frame(out, FRAME_NAME, entry, strlen(entry));
    /* First comes a frame with the checksum of the content, which is filled in later, then the
     * frame with the content. */
    const size_t room = ZSTD_compressBound(size), sum_at = out->size + HEADER_SIZE;
    put_frame(out, FRAME_SUM, (const uint8_t[SUM_SIZE]){0}, SUM_SIZE);
    if (!bytes_reserve(out, room))
        return error_nomem(err);
    uint8_t *to = out->data + out->size;
    const size_t code = z->writing_dictionary
                            ? ZSTD_compress_usingCDict(z->writing, to, room, content, size,
                                                       z->writing_dictionary)
                            : ZSTD_compressCCtx(z->writing, to, room, content, size, LEVEL);
    if (ZSTD_isError(code))
        return ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation
                   ? error_nomem(err)
                   : error_set(err, PTL_ERR_INTERNAL, "zstd: %s", ZSTD_getErrorName(code));
    out->size += code;
    bytes_store_u64(out->data + sum_at, xxh64(to, code, SEED));

    const size_t index = out->size;
    put_index(out, entry, (uint32_t)offset, (uint32_t)(index - start - offset));
    if (out->failed)
        return error_nomem(err);
    uint8_t *place = out->data + start + HEADER_SIZE;
    bytes_store_u64(place, out->size - index);
    bytes_store_u64(place + 8, xxh64(out->data + index, out->size - index, SEED));
    return PTL_OK;
}
