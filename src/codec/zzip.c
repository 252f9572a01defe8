#include "codec/zzip.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

enum {
    HEADER_SIZE = 8,  /* of a skippable frame: magic and length */
    FRAME_NAME = 0,   /* numbers of skippable frames */
    FRAME_INDEX = 15, /* the first: length of the index at the file's end, and its checksum */
    INDEX_SIZE = 16
};

static const uint32_t SKIPPABLE = 0x184d2a50; /* and the 15 numbers behind it */

struct zzip {
    ZSTD_DCtx *context;
    ZSTD_DDict *dictionary; /* NULL: none */
};

zzip *zzip_new(const void *dictionary, size_t size)
{
    zzip *z = calloc(1, sizeof *z);
    if (!z)
        return NULL;
    z->context = ZSTD_createDCtx();
    if (size > 0)
        z->dictionary = ZSTD_createDDict(dictionary, size);
    if (!z->context || (size > 0 && !z->dictionary)) {
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
    free(z);
}

/* ---- frames ---- */

typedef struct span {
    const uint8_t *data; /* NULL: none */
    size_t size;
} span;

static uint64_t number_at(const uint8_t *at, int size)
{
    uint64_t value = 0;
    for (int i = size - 1; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

static ptl_status damaged(ptl_error *err, size_t offset, const char *what)
{
    return error_set(err, PTL_ERR_CORRUPT, "not a whole .zzip file: %s, at byte %zu", what,
                     offset);
}

/* The walk over the frames of a file. */
typedef struct walk {
    span file;
    size_t at;
    bool ours;      /* inside the wanted entry */
    span text;      /* its last frame */
    uint64_t index; /* length of the index */
} walk;

static ptl_status take_skippable(walk *w, uint32_t kind, const char *entry, ptl_error *err)
{
    const uint8_t *frame = w->file.data + w->at;
    const size_t left = w->file.size - w->at - HEADER_SIZE;
    const size_t length = (size_t)number_at(frame + 4, 4);
    if (length > left)
        return damaged(err, w->at, "a frame goes beyond its end");
    const uint8_t *content = frame + HEADER_SIZE;
    if (kind == FRAME_NAME)
        w->ours = length == strlen(entry) && memcmp(content, entry, length) == 0;
    if (w->at == 0 && (kind != FRAME_INDEX || length != INDEX_SIZE))
        return damaged(err, w->at, "it does not begin with the place of its index");
    if (w->at == 0)
        w->index = number_at(content, 8);
    w->at += HEADER_SIZE + length;
    return PTL_OK;
}

static ptl_status take_text(walk *w, ptl_error *err)
{
    const uint8_t *frame = w->file.data + w->at;
    const size_t size = ZSTD_findFrameCompressedSize(frame, w->file.size - w->at);
    if (ZSTD_isError(size))
        return damaged(err, w->at, ZSTD_getErrorName(size));
    if (w->ours)
        w->text = (span){frame, size};
    w->at += size;
    return PTL_OK;
}

/* Up to what is no frame: zero bytes, perhaps, and the index, which is not needed. */
static ptl_status walk_frames(walk *w, const char *entry, ptl_error *err)
{
    ptl_status status = PTL_OK;
    while (status == PTL_OK && w->file.size - w->at >= HEADER_SIZE) {
        const uint32_t magic = (uint32_t)number_at(w->file.data + w->at, 4);
        if (magic - SKIPPABLE < 16)
            status = take_skippable(w, magic - SKIPPABLE, entry, err);
        else if (magic == ZSTD_MAGICNUMBER && w->at > 0)
            status = take_text(w, err);
        else
            break;
    }
    if (status == PTL_OK && w->at == 0)
        return damaged(err, 0, "it does not begin with a frame");
    if (status == PTL_OK && w->file.size - w->at < w->index)
        return damaged(err, w->at, "its index is not there");
    return status;
}

/* ---- texts ---- */

static ptl_status decompress(zzip *z, bytes *out, span text, size_t size, ptl_error *err)
{
    const unsigned wanted = ZSTD_getDictID_fromFrame(text.data, text.size);
    if (wanted != 0 && !z->dictionary)
        return error_set(err, PTL_ERR_NOT_FOUND,
                         "it needs its dictionary, which is not there: overmaps.dict");
    if (!bytes_reserve(out, size + 1))
        return error_nomem(err);
    uint8_t *to = out->data + out->size;
    const size_t code = z->dictionary
                            ? ZSTD_decompress_usingDDict(z->context, to, size, text.data,
                                                         text.size, z->dictionary)
                            : ZSTD_decompressDCtx(z->context, to, size, text.data, text.size);
    if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
        return error_nomem(err);
    if (ZSTD_getErrorCode(code) == ZSTD_error_dictionary_wrong)
        return error_set(err, PTL_ERR_CORRUPT, "it was made with another dictionary");
    if (ZSTD_isError(code) || code != size)
        return error_set(err, PTL_ERR_CORRUPT, "its text is damaged: %s",
                         ZSTD_isError(code) ? ZSTD_getErrorName(code) : "another length");
    to[size] = '\0';
    out->size += size;
    return PTL_OK;
}

ptl_status zzip_read(zzip *z, bytes *out, const void *file, size_t size, const char *entry,
                     size_t most, ptl_error *err)
{
    walk w = {.file = {file, size}};
    ptl_status status = walk_frames(&w, entry, err);
    if (status != PTL_OK)
        return status;
    if (!w.text.data)
        return error_set(err, PTL_ERR_CORRUPT, "it has no entry '%s'", entry);
    const unsigned long long length = ZSTD_getFrameContentSize(w.text.data, w.text.size);
    if (length == ZSTD_CONTENTSIZE_UNKNOWN || length == ZSTD_CONTENTSIZE_ERROR)
        return error_set(err, PTL_ERR_CORRUPT, "its text does not say how long it is");
    if (length > most)
        return error_set(err, PTL_ERR_LIMIT, "a text of %llu bytes, %zu at most are read",
                         length, most);
    return decompress(z, out, w.text, (size_t)length, err);
}
