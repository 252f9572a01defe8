#include "clients/tiled/tmx_data.h"

#include <zlib.h>
#include <zstd.h>

static const char *const no_memory = "out of memory";

tmx_coding tmx_coding_of(const char *encoding, const char *compression)
{
    static const struct {
        const char *encoding, *compression;
        tmx_coding coding;
    } names[] = {{"csv", "", TMX_CSV},
                 {"base64", "", TMX_BASE64},
                 {"base64", "zlib", TMX_ZLIB},
                 {"base64", "gzip", TMX_ZLIB}, /* the head of the data says which of both */
                 {"base64", "zstd", TMX_ZSTD}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (encoding && strcmp(encoding, names[i].encoding) == 0 &&
            strcmp(compression ? compression : "", names[i].compression) == 0)
            return names[i].coding;
    return TMX_CODINGS;
}

void tmx_data_begin(tmx_data *d, tmx_coding coding, size_t count)
{
    bytes_clear(&d->text);
    bytes_clear(&d->packed);
    bytes_clear(&d->cells);
    d->coding = coding;
    d->count = count;
    d->number = 0;
    d->has_digits = d->is_ended = false;
    d->commas = 0;
}

void tmx_data_dispose(tmx_data *d)
{
    bytes_dispose(&d->text);
    bytes_dispose(&d->packed);
    bytes_dispose(&d->cells);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* ---- CSV ---- */

static const char *end_number(tmx_data *d)
{
    if (!d->has_digits)
        return "a number is missing between commas";
    if (d->cells.size / 4 >= d->count)
        return "there are more numbers than cells";
    bytes_put_u32(&d->cells, (uint32_t)d->number);
    d->number = 0;
    d->has_digits = d->is_ended = false;
    return d->cells.failed ? no_memory : NULL;
}

static const char *take_csv(tmx_data *d, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char c = text[i];
        if (c >= '0' && c <= '9' && !d->is_ended) {
            d->number = 10 * d->number + (uint64_t)(c - '0');
            d->has_digits = true;
            if (d->number > UINT32_MAX)
                return "a number is too large";
        } else if (c == ',') {
            const char *wrong = end_number(d);
            if (wrong)
                return wrong;
            d->commas++;
        } else if (is_blank(c)) {
            d->is_ended = d->has_digits;
        } else {
            return "there is something else than whole numbers and commas";
        }
    }
    return NULL;
}

/* ---- compression ---- */

static const char *const bad_packing =
    "the compressed data is damaged, or no data of its cells";

static const char *unpack_zlib(bytes *out, size_t room, const bytes *packed)
{
    z_stream z = {.next_in = packed->data,
                  .avail_in = (uInt)packed->size,
                  .next_out = out->data,
                  .avail_out = (uInt)room};
    /* 32: zlib finds out itself whether the data has the head of gzip or that of zlib. */
    if (inflateInit2(&z, 15 + 32) != Z_OK)
        return no_memory;
    const int ended = inflate(&z, Z_FINISH);
    const bool good = ended == Z_STREAM_END && z.avail_in == 0 && z.avail_out == 0;
    (void)inflateEnd(&z);
    return good ? NULL : ended == Z_MEM_ERROR ? no_memory : bad_packing;
}

static const char *unpack_zstd(bytes *out, size_t room, const bytes *packed)
{
    const size_t size = ZSTD_decompress(out->data, room, packed->data, packed->size);
    return !ZSTD_isError(size) && size == room ? NULL : bad_packing;
}

/* ---- all of it ---- */

/* Compressed data can be a little longer than what it holds, and so can its base64. */
static size_t text_most(const tmx_data *d)
{
    return 6 * d->count + 4096;
}

const char *tmx_data_take(tmx_data *d, const char *text, size_t size)
{
    if (d->coding == TMX_CSV)
        return take_csv(d, text, size);
    for (size_t i = 0; i < size; i++)
        if (!is_blank(text[i]))
            bytes_put_u8(&d->text, (uint8_t)text[i]);
    if (d->text.failed)
        return no_memory;
    return d->text.size > text_most(d) ? "it is longer than its cells need" : NULL;
}

const char *tmx_data_end(tmx_data *d)
{
    const size_t room = 4 * d->count;
    if (d->coding == TMX_CSV) {
        const char *wrong = d->has_digits || d->commas > 0 ? end_number(d) : NULL;
        return wrong                   ? wrong
               : d->cells.size != room ? "there are fewer numbers than cells"
                                       : NULL;
    }
    const bool is_packed = d->coding != TMX_BASE64;
    bytes *to = is_packed ? &d->packed : &d->cells;
    if (!bytes_put_decoded(to, (const char *)d->text.data, d->text.size, '/'))
        return to->failed ? no_memory : "that is no base64";
    if (!is_packed)
        return d->cells.size == room ? NULL : "there are not as many numbers as cells";
    if (!bytes_reserve(&d->cells, room))
        return no_memory;
    const char *wrong = d->coding == TMX_ZLIB ? unpack_zlib(&d->cells, room, &d->packed)
                                              : unpack_zstd(&d->cells, room, &d->packed);
    d->cells.size = wrong ? 0 : room;
    return wrong;
}

uint32_t tmx_data_at(const tmx_data *d, size_t i)
{
    const uint8_t *at = d->cells.data + 4 * i;
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
           (uint32_t)at[3] << 24;
}
