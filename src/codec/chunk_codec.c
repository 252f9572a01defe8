/*
 * Level blobs (schema/format.md, "Level blobs"):
 *   OFFSET  SIZE    MEANING
 *   0       1       version, 2
 *   1       1       kind: 0 uniform, 1 packed, 2 packed and compressed
 *   uniform:
 *   2       varint  number of the one oter
 *   packed:
 *   2       varint  number of oters in the palette, 2..32,400
 *   -       bits    the file's numbers of these oters (number_list.h)
 *   -       varint  T: number of bytes of all tokens
 *   -       varint  L: number of bytes of all lengths
 *   -       T + L   tokens, then lengths; in kind 2 these bytes are one zstd frame, stored
 *                   without its first four bytes, which are the same in all frames
 * A run of equal cells is stored as a token: (k << 1 | 1) if the run has two cells or more, and
 * (k << 1) if it has one. k is 0 if the run's oter comes for the first time, as the palette is
 * in the order of first use; else k is the oter's index in the palette, plus 1. A run of two
 * cells or more also has its length, minus 2, among the lengths. In a built-up level most runs
 * have an oter that is new, and zstd compresses their tokens, in which k is 0, to almost
 * nothing.
 */
#include "codec/chunk_codec.h"
#include "codec/level_parse.h"
#include "codec/level_runs.h"
#include "codec/number_list.h"
#include "codec/pack.h"
#include "core/error.h"
#include "model/catalogue.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

enum {
    BLOB_VERSION = 2,
    KIND_UNIFORM = 0,
    KIND_PACKED = 1,
    KIND_COMPRESSED = 2,
    /* With zstd's level 2 blobs are no smaller, with level 3 by only 0.2 % (schema/format.md,
     * "Why this form"). */
    ZSTD_LEVEL = 1,
    /* Settings of the compressor: it looks for matches of at least 5 bytes, with a hash table
     * of 8 kB. Compression at level 1 usually has a table of 64 kB, which would not stay in the
     * processor's cache; this would cost 50 us for each chunk. With the small table blobs are
     * 0.5 % larger. */
    ZSTD_HASH_LOG = 11,
    ZSTD_MIN_MATCH = 5,   /* fewest bytes of a match: shorter repetitions are not looked for */
    ZSTD_WINDOW_LOG = 17, /* binary logarithm of a window of 128 kB, into which LEVEL_STREAM_MAX
                             bytes fit */
    /* Smaller streams, in bytes, are not compressed: it would take 2 us and gain too little. */
    STREAM_PACKED_MIN = 64
};

/* The magic number with which every zstd frame begins; it is not stored. */
static const uint8_t MAGIC[] = {0x28, 0xb5, 0x2f, 0xfd};

struct codec {
    ZSTD_CCtx *compress;
    ZSTD_DCtx *decompress;
    level_runs *runs;
    oter_names *names;
    omt_digest digesting;
    pack_table tables[PACK_KINDS]; /* one for each kind of packs that a chunk's features have */
    /* A bit set of oters, by the numbers that the file gives to them. It is all zero between
     * calls. */
    uint64_t *seen;
    size_t seen_words;
    /* The bytes of the level that is being coded, and room for LEVEL_STREAM_PAD bytes more,
     * which functions may read or overwrite (level_runs.h). */
    uint8_t stream[LEVEL_STREAM_MAX + LEVEL_STREAM_PAD];
    uint8_t lengths[LEVEL_STREAM_MAX + LEVEL_STREAM_PAD];
    bytes packed; /* while a stream is compressed: the zstd frame that is made of it */
    ptl_oter mapped[PTL_LEVEL_CELLS];
    bytes frame; /* while unpacking: a stored zstd frame, with its magic number put before it */
    /* The members from here on tell what level_parse_palette found in the blob that it parsed
     * last: the blob's kind, and the bytes that follow the palette. */
    unsigned kind;
    const uint8_t *rest, *end;
};

codec *codec_new(void)
{
    codec *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    digest_prepare();
    c->compress = ZSTD_createCCtx();
    c->decompress = ZSTD_createDCtx();
    c->runs = level_runs_new();
    c->names = oter_names_new();
    if (!c->compress || !c->decompress || !c->runs || !c->names) {
        codec_free(c);
        return NULL;
    }
    /* A zstd frame gets no checksum of its own: the row of the blob in the file has a checksum,
     * which covers more than the frame. */
    ZSTD_CCtx_setParameter(c->compress, ZSTD_c_compressionLevel, ZSTD_LEVEL);
    ZSTD_CCtx_setParameter(c->compress, ZSTD_c_hashLog, ZSTD_HASH_LOG);
    ZSTD_CCtx_setParameter(c->compress, ZSTD_c_minMatch, ZSTD_MIN_MATCH);
    ZSTD_CCtx_setParameter(c->compress, ZSTD_c_contentSizeFlag, 1);
    ZSTD_CCtx_setParameter(c->compress, ZSTD_c_checksumFlag, 0);
    ZSTD_CCtx_setParameter(c->compress, ZSTD_c_dictIDFlag, 0);
    ZSTD_DCtx_setParameter(c->decompress, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG);
    return c;
}

void codec_free(codec *c)
{
    if (!c)
        return;
    ZSTD_freeCCtx(c->compress);
    ZSTD_freeDCtx(c->decompress);
    level_runs_free(c->runs);
    oter_names_free(c->names);
    omt_digest_dispose(&c->digesting);
    for (size_t kind = 0; kind < PACK_KINDS; kind++)
        pack_table_dispose(&c->tables[kind]);
    free(c->seen);
    bytes_dispose(&c->frame);
    bytes_dispose(&c->packed);
    free(c);
}

pack_table *codec_tables(codec *c)
{
    for (size_t kind = 0; kind < PACK_KINDS; kind++)
        c->tables[kind].count = c->tables[kind].name_count = 0;
    c->tables[PACK_JOINS].pieces = &c->tables[PACK_PIECES];
    return c->tables;
}

/* ---- encoding ---- */

/*
 * Compresses `data` into the codec's buffer, as a zstd frame. *stored becomes that frame
 * without its magic number, and *size its size. If compression gains nothing, *stored is the
 * data itself, and *size does not change.
 */
static ptl_status pack_frame(const uint8_t **stored, size_t *size, codec *c, const void *data,
                             ptl_error *err)
{
    *stored = data;
    if (*size <= STREAM_PACKED_MIN)
        return PTL_OK;
    bytes_clear(&c->packed);
    if (!bytes_reserve(&c->packed, ZSTD_compressBound(*size)))
        return error_nomem(err);
    size_t count =
        ZSTD_compress2(c->compress, c->packed.data, ZSTD_compressBound(*size), data, *size);
    if (ZSTD_getErrorCode(count) == ZSTD_error_memory_allocation)
        return error_nomem(err);
    if (ZSTD_isError(count))
        return error_set(err, PTL_ERR_INTERNAL, "zstd: %s", ZSTD_getErrorName(count));
    if (count - sizeof MAGIC < *size) {
        *stored = c->packed.data + sizeof MAGIC;
        *size = count - sizeof MAGIC;
    }
    return PTL_OK;
}

static ptl_status encode_level(encoded_level *out, codec *c, ptl_error *err)
{
    size_t count = c->runs->palette_count;
    out->palette = malloc(count * sizeof *out->palette);
    if (!out->palette)
        return error_nomem(err);
    for (size_t i = 0; i < count; i++)
        out->palette[i] = (ptl_oter)c->runs->palette[i];
    out->palette_count = count;
    if (count == 1)
        return PTL_OK;
    /* out->body gets the blob's kind, and all that stands behind the palette in the blob. */
    bytes *body = &out->body;
    size_t token_size, length_size;
    const uint8_t *stored;
    level_stream_build(c->stream, c->lengths, c->runs, &token_size, &length_size);
    const size_t size = token_size + length_size;
    size_t stored_size = size;
    TRY(pack_frame(&stored, &stored_size, c, c->stream, err));
    bytes_reserve(body, 16 + stored_size);
    bytes_put_u8(body, stored_size < size ? KIND_COMPRESSED : KIND_PACKED);
    bytes_put_varint(body, token_size);
    bytes_put_varint(body, length_size);
    bytes_put(body, stored, stored_size);
    return body->failed ? error_nomem(err) : PTL_OK;
}

ptl_status chunk_encode(encoded_chunk *out, codec *c, const ptl_chunk *chunk,
                        const ptl_oter defaults[PTL_LEVELS], const catalogue *cat,
                        ptl_error *err)
{
    memset(out, 0, sizeof *out);
    out->pos = chunk->pos;
    memcpy(out->defaults, defaults, sizeof out->defaults);
    omt_digest_begin(&c->digesting, chunk->pos);
    ptl_status status = oter_names_use(c->names, cat) ? PTL_OK : error_nomem(err);
    /* Encodes the levels that differ from their default oters. The digest covers all levels. */
    for (size_t i = 0; i < PTL_LEVELS && status == PTL_OK; i++) {
        const level *l = &chunk->levels[i];
        if (l->cells)
            level_runs_scan(c->runs, l->cells);
        else
            level_runs_uniform(c->runs, l->fill);
        if (!oter_names_fetch(c->names, c->runs)) {
            status =
                error_set(err, PTL_ERR_INTERNAL, "an oter that the catalogue does not have");
            break;
        }
        if ((int)i == -PTL_Z_MIN)
            codec_overview(&out->overview, c);
        if (c->runs->palette_count > 1 || c->runs->palette[0] != out->defaults[i]) {
            out->level_mask |= UINT32_C(1) << i;
            status = encode_level(&out->levels[i], c, err);
        }
        THEN(status, omt_digest_oters(&c->digesting, c->runs, c->names, err));
    }
    omt_digest_end(&c->digesting, &out->omts);
    if (status != PTL_OK)
        return error_prefix(err, status, "encoding chunk %d,%d", chunk->pos.x, chunk->pos.y);
    return PTL_OK;
}

void encoded_chunk_dispose(encoded_chunk *e)
{
    for (size_t i = 0; i < PTL_LEVELS; i++) {
        free(e->levels[i].palette);
        bytes_dispose(&e->levels[i].body);
    }
    memset(e, 0, sizeof *e);
}

void codec_overview(overview *out, codec *c)
{
    overview_of(out, c->runs, c->mapped);
}

void level_blob_build(bytes *out, const encoded_level *encoded, const uint32_t *numbers)
{
    bytes_put_u8(out, BLOB_VERSION);
    if (encoded->palette_count == 1) {
        bytes_put_u8(out, KIND_UNIFORM);
        bytes_put_varint(out, numbers[0]);
        return;
    }
    bytes_put_u8(out, encoded->body.data[0]);
    bytes_put_varint(out, encoded->palette_count);
    number_list_put(out, numbers, encoded->palette_count);
    bytes_put(out, encoded->body.data + 1, encoded->body.size - 1);
}

/* ---- decoding ---- */

static ptl_status corrupt(ptl_error *err, const char *what)
{
    return error_set(err, PTL_ERR_CORRUPT, "level blob: %s", what);
}

static bool frame_reserve(codec *c, size_t size)
{
    bytes_clear(&c->frame);
    return bytes_reserve(&c->frame, sizeof MAGIC + size);
}

/* Unpacks a stored zstd frame, which lacks its magic number and must hold `wanted` bytes.
 * c->frame must have room for the magic number and `size` bytes. Returns what is wrong with the
 * frame, or NULL. */
static const char *unpack_frame(codec *c, uint8_t *out, size_t wanted, const uint8_t *at,
                                size_t size)
{
    bytes *b = &c->frame;
    bytes_clear(b);
    bytes_put(b, MAGIC, sizeof MAGIC);
    bytes_put(b, at, size);
    if (ZSTD_getFrameContentSize(b->data, b->size) != wanted)
        return "the zstd frame has another content size than the header says";
    if (ZSTD_getDictID_fromFrame(b->data, b->size) != 0)
        return "the zstd frame wants a dictionary";
    if (ZSTD_findFrameCompressedSize(b->data, b->size) != b->size)
        return "the zstd frame does not end with the blob";
    if (ZSTD_decompressDCtx(c->decompress, out, wanted, b->data, b->size) != wanted)
        return "the zstd frame is damaged";
    return NULL;
}

/* Unpacks the tokens and lengths, which stand behind the palette in the blob, into c->stream.
 * Returns what is wrong with the blob, or NULL. */
static const char *unpack(codec *c, uint32_t *tokens, uint32_t *lengths)
{
    const uint8_t *at = c->rest;
    if (!level_take_varint(&at, c->end, tokens) || !level_take_varint(&at, c->end, lengths) ||
        *tokens < 2 || *tokens > LEVEL_STREAM_MAX || *lengths > LEVEL_STREAM_MAX - *tokens)
        return "a bad stream size";
    const size_t size = (size_t)(c->end - at), wanted = (size_t)*tokens + *lengths;
    if (c->kind == KIND_COMPRESSED)
        return unpack_frame(c, c->stream, wanted, at, size);
    if (size != wanted)
        return "its size is not what its header says";
    memcpy(c->stream, at, size);
    return NULL;
}

static const char *parse_packed(codec *c, size_t limit)
{
    uint32_t count;
    if (!level_take_varint(&c->rest, c->end, &count) || count < 2 || count > PTL_LEVEL_CELLS)
        return "a bad palette size";
    c->runs->run_count = 0;
    /* Reads the palette. Its numbers must be below limit and all different. For this check each
     * number sets a bit in `seen`; these bits are cleared afterwards. */
    uint32_t *palette = c->runs->palette;
    const char *problem = number_list_take(palette, count, limit, &c->rest, c->end);
    if (problem)
        return problem;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bit = UINT64_C(1) << (palette[i] % 64);
        if (c->seen[palette[i] / 64] & bit)
            problem = "an oter twice in the palette";
        c->seen[palette[i] / 64] |= bit;
    }
    for (uint32_t i = 0; i < count; i++)
        c->seen[palette[i] / 64] = 0;
    c->runs->palette_count = count;
    return problem;
}

ptl_status level_parse_palette(const level_runs **out, codec *c, const void *blob, size_t size,
                               size_t limit, ptl_error *err)
{
    const uint8_t *at = blob;
    if (size < 3) /* `blob` may be NULL; its size is 0 then */
        return corrupt(err, "too short");
    if (at[0] != BLOB_VERSION)
        return corrupt(err, at[0] > BLOB_VERSION ? BYTES_NEWER : "an unknown version");
    if (c->seen_words < limit / 64 + 1) {
        free(c->seen);
        c->seen_words = limit / 64 + 1;
        c->seen = calloc(c->seen_words, sizeof *c->seen);
        if (!c->seen)
            c->seen_words = 0;
    }
    if (!c->seen || !frame_reserve(c, size))
        return error_nomem(err);
    const char *problem = "an unknown kind";
    c->kind = at[1];
    c->rest = at + 2;
    c->end = at + size;
    if (c->kind == KIND_UNIFORM) {
        uint32_t number = 0;
        if (!level_take_varint(&c->rest, c->end, &number) || c->rest != c->end)
            return corrupt(err, "a bad uniform level");
        if (number < 1 || number >= limit)
            return corrupt(err, "an oter number that the file does not have");
        level_runs_uniform(c->runs, number);
        problem = NULL;
    } else if (c->kind == KIND_PACKED || c->kind == KIND_COMPRESSED)
        problem = parse_packed(c, limit);
    *out = c->runs;
    return problem ? corrupt(err, problem) : PTL_OK;
}

ptl_status level_parse(const level_runs **out, codec *c, const void *blob, size_t size,
                       size_t limit, ptl_error *err)
{
    uint32_t tokens, lengths;
    TRY(level_parse_palette(out, c, blob, size, limit, err));
    if (c->kind == KIND_UNIFORM)
        return PTL_OK;
    const char *problem = unpack(c, &tokens, &lengths);
    if (!problem)
        problem = level_stream_parse(c->runs, c->stream, tokens, lengths);
    return problem ? corrupt(err, problem) : PTL_OK;
}

ptl_status level_expand(ptl_oter cells[PTL_LEVEL_CELLS], codec *c, const ptl_oter *map,
                        ptl_error *err)
{
    const level_runs *r = c->runs;
    uint32_t tokens, lengths;
    for (size_t i = 0; i < r->palette_count; i++)
        c->mapped[i] = map ? map[r->palette[i]] : (ptl_oter)i;
    if (c->kind == KIND_UNIFORM) {
        for (size_t i = 0; i < PTL_LEVEL_CELLS; i++)
            cells[i] = c->mapped[0];
        return PTL_OK;
    }
    const char *problem = unpack(c, &tokens, &lengths);
    if (!problem)
        problem =
            level_stream_cells(cells, c->mapped, r->palette_count, c->stream, tokens, lengths);
    return problem ? corrupt(err, problem) : PTL_OK;
}

/* ---- streams ---- */

ptl_status codec_put_stream(bytes *out, codec *c, const void *data, size_t size, ptl_error *err)
{
    const uint8_t *stored;
    size_t stored_size = size;
    TRY(pack_frame(&stored, &stored_size, c, data, err));
    bytes_put_varint(out, size);
    bytes_put_varint(out, stored_size);
    bytes_put(out, stored, stored_size);
    return out->failed ? error_nomem(err) : PTL_OK;
}

ptl_status codec_take_stream(bytes *out, codec *c, byte_reader *r, size_t limit, ptl_error *err)
{
    uint64_t size = byte_reader_varint(r), stored = byte_reader_varint(r);
    if (r->failed || size > limit || stored > size || stored > byte_reader_left(r))
        return error_set(err, PTL_ERR_CORRUPT, "a bad stream size");
    const uint8_t *at = byte_reader_take(r, (size_t)stored);
    if (!bytes_reserve(out, (size_t)size + 1) || !frame_reserve(c, (size_t)stored))
        return error_nomem(err);
    if (stored == size) {
        bytes_put(out, at, (size_t)size);
        return PTL_OK;
    }
    const char *problem =
        unpack_frame(c, out->data + out->size, (size_t)size, at, (size_t)stored);
    if (problem)
        return error_set(err, PTL_ERR_CORRUPT, "%s", problem);
    out->size += (size_t)size;
    return PTL_OK;
}

void fill_build(bytes *out, const uint32_t numbers[PTL_LEVELS])
{
    for (size_t i = 0; i < PTL_LEVELS;) {
        size_t end = i + 1;
        while (end < PTL_LEVELS && numbers[end] == numbers[i])
            end++;
        bytes_put_u8(out, (uint8_t)(end - i));
        bytes_put_varint(out, numbers[i]);
        i = end;
    }
}

ptl_status fill_parse(uint32_t numbers[PTL_LEVELS], const void *blob, size_t size, size_t limit,
                      ptl_error *err)
{
    byte_reader r = byte_reader_over(blob, size);
    size_t filled = 0;
    while (byte_reader_left(&r) > 0 && !r.failed) {
        size_t count = byte_reader_u8(&r);
        uint64_t number = byte_reader_varint(&r);
        if (r.failed || count == 0 || count > PTL_LEVELS - filled || number < 1 ||
            number >= limit)
            return error_set(err, PTL_ERR_CORRUPT, "fill: damaged");
        for (size_t i = 0; i < count; i++)
            numbers[filled++] = (uint32_t)number;
    }
    if (filled != PTL_LEVELS)
        return error_set(err, PTL_ERR_CORRUPT, "fill: %zu levels instead of %d", filled,
                         (int)PTL_LEVELS);
    return PTL_OK;
}
