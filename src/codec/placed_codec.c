#include "codec/placed_codec.h"

#include "core/utf8.h"

#include <stdlib.h>
#include <string.h>

enum {
    FORM = 1, /* the first byte of the parts of a placement */
    SIDE = PTL_CHUNK_SIZE,
    PART_BYTES_MIN = 3, /* a part takes at least so many bytes */
    TURNS_OF_PIECES = 4,
    TURNS_OF_JOINS = 6
};

void placed_parts_dispose(placed_parts *p)
{
    free(p->list);
    free(p->texts);
    *p = (placed_parts){.list = NULL};
}

static size_t count_of(const placed_parts *p)
{
    return p->piece_count + p->join_count;
}

/* Returns the index of the first part that has the id of part i. */
static size_t first_with(const placed_parts *p, size_t i)
{
    size_t first = 0;
    while (strcmp(p->list[first].id, p->list[i].id) != 0)
        first++;
    return first;
}

/* ---- writing ---- */

/* Each id stands once, at the first part that has it; later parts name it by its number. */
static void put_parts(bytes *out, const placed_parts *p, size_t first, size_t count,
                      uint32_t *numbers, uint32_t *known)
{
    bytes_put_varint(out, count);
    for (size_t i = first; i < first + count; i++) {
        const placed_part *part = &p->list[i];
        const size_t same = first_with(p, i), size = strlen(part->id);
        if (same == i)
            numbers[i] = ++*known;
        bytes_put_varint(out, same == i ? 0 : numbers[same]);
        if (same == i) {
            bytes_put_varint(out, size);
            bytes_put(out, part->id, size);
        }
        bytes_put_varint(out, (uint64_t)((part->z - PTL_Z_MIN) * PTL_LEVEL_CELLS +
                                         part->y * SIDE + part->x));
        bytes_put_u8(out, part->turn);
    }
}

void placed_encode(bytes *out, const placed_parts *p)
{
    uint32_t *numbers = calloc(count_of(p) + 1, sizeof *numbers), known = 0;
    if (!numbers) {
        out->failed = true;
        return;
    }
    bytes_put_u8(out, FORM);
    put_parts(out, p, 0, p->piece_count, numbers, &known);
    put_parts(out, p, p->piece_count, p->join_count, numbers, &known);
    free(numbers);
}

/* ---- reading ---- */

/* What is read. Texts have room for all bytes of the blob. */
typedef struct reading {
    byte_reader r;
    placed_parts *out;
    const char **ids; /* owned: those met so far */
    size_t known;
    char *text; /* where the next id goes */
} reading;

static const char *take_id(reading *in)
{
    const uint64_t number = byte_reader_varint(&in->r);
    if (number > 0)
        return number <= in->known ? in->ids[number - 1] : NULL;
    const uint64_t size = byte_reader_varint(&in->r);
    if (size < 1 || size > PLACED_ID_SIZE)
        return NULL;
    const uint8_t *at = byte_reader_take(&in->r, (size_t)size);
    if (!at)
        return NULL;
    char *const id = in->text;
    memcpy(id, at, (size_t)size);
    id[size] = '\0';
    in->text += size + 1;
    in->ids[in->known++] = id;
    return strlen(id) == size && utf8_is_plain(id) ? id : NULL;
}

static bool take_part(placed_part *out, reading *in, uint8_t turns)
{
    const char *id = take_id(in);
    const uint64_t place = byte_reader_varint(&in->r);
    const uint8_t turn = byte_reader_u8(&in->r);
    if (in->r.failed || !id || place >= PTL_LEVELS * PTL_LEVEL_CELLS || turn >= turns)
        return false;
    *out = (placed_part){.id = id,
                         .x = (int16_t)(place % SIDE),
                         .y = (int16_t)(place % PTL_LEVEL_CELLS / SIDE),
                         .z = (int8_t)((int32_t)(place / PTL_LEVEL_CELLS) + PTL_Z_MIN),
                         .turn = turn};
    return true;
}

/* Reads one of the two lists, and adds it to those of in->out. */
static bool take_parts(reading *in, size_t *count, uint8_t turns)
{
    const uint64_t wanted = byte_reader_varint(&in->r);
    if (in->r.failed || wanted > PLACED_PARTS_MAX ||
        wanted > byte_reader_left(&in->r) / PART_BYTES_MIN)
        return false;
    for (uint64_t i = 0; i < wanted; i++) {
        if (!take_part(&in->out->list[count_of(in->out)], in, turns))
            return false;
        ++*count;
    }
    return true;
}

ptl_status placed_decode(placed_parts *out, const void *blob, size_t size, ptl_error *err)
{
    reading in = {.r = byte_reader_over(blob, size), .out = out};
    const uint8_t form = byte_reader_u8(&in.r);
    const size_t most = size / PART_BYTES_MIN + 1;
    *out = (placed_parts){.list = NULL};
    if (!in.r.failed && form != FORM)
        return error_set(err, PTL_ERR_CORRUPT,
                         "placed special: pieces in form %d, " BYTES_NEWER, form);
    out->list = malloc(most * sizeof *out->list);
    out->texts = malloc(2 * size + 1);
    in.ids = malloc(most * sizeof *in.ids);
    in.text = out->texts;
    ptl_status status = out->list && out->texts && in.ids ? PTL_OK : error_nomem(err);
    if (status == PTL_OK &&
        !(take_parts(&in, &out->piece_count, TURNS_OF_PIECES) &&
          take_parts(&in, &out->join_count, TURNS_OF_JOINS) && byte_reader_left(&in.r) == 0))
        status = error_set(err, PTL_ERR_CORRUPT, "placed special: its pieces are bad");
    free(in.ids);
    return status;
}

/* ---- rows ---- */

ptl_status placed_row_check(const placed_row *row, ptl_status fault, ptl_error *err)
{
    const int32_t most = PTL_CHUNK_COORD_MAX;
    const size_t length = strlen(row->special);
    if (length < 1 || length > PLACED_ID_SIZE || !utf8_is_plain(row->special))
        return error_set(err, fault, "placed special: a bad id");
    if (row->chunk.x < -most || row->chunk.x > most || row->chunk.y < -most ||
        row->chunk.y > most || row->number < 1 || row->part < 0 ||
        row->part >= PLACED_NUMBER_MAX || row->x < 0 || row->x >= SIDE || row->y < 0 ||
        row->y >= SIDE || row->z < PTL_Z_MIN || row->z > PTL_Z_MAX || row->rotation < 0 ||
        row->rotation > 3 || row->omts < 1 || row->omts > PTL_LEVELS * PTL_LEVEL_CELLS)
        return error_set(err, fault, "placed special: a value out of range");
    return PTL_OK;
}
