#include "codec/saved_codec.h"

#include "core/array.h"
#include "core/hash.h"
#include "core/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FORM_RUNS = 1,  /* the first byte of marks: lengths of runs follow */
    FORM_ZSTD = 2,  /* the first byte of marks: a frame of zstd follows */
    ZSTD_LEVEL = 1, /* how hard zstd tries; games wait for it */
    SIDE = PTL_CHUNK_SIZE,
    CELLS = PTL_LEVEL_CELLS
};

/* ---- rows ---- */

/* The texts of a row. */
enum { TEXTS = 6 };
static void texts_of(saved_row *row, const char **out[TEXTS])
{
    out[0] = &row->space;
    out[1] = &row->viewer;
    out[2] = &row->name;
    out[3] = &row->text;
    out[4] = &row->symbol;
    out[5] = &row->colour;
}

size_t saved_row_bytes(const saved_row *row)
{
    saved_row copy = *row;
    const char **texts[TEXTS];
    size_t size = sizeof copy + row->size;
    texts_of(&copy, texts);
    for (int i = 0; i < TEXTS; i++)
        size += strlen(*texts[i]) + 1;
    return size;
}

saved_row *saved_row_copy(const saved_row *from)
{
    const char **texts[TEXTS];
    saved_row *out = malloc(saved_row_bytes(from));
    if (!out)
        return NULL;
    *out = *from;
    char *at = (char *)(out + 1);
    texts_of(out, texts);
    for (int i = 0; i < TEXTS; i++) {
        const size_t size = strlen(*texts[i]) + 1;
        memcpy(at, *texts[i], size);
        *texts[i] = at;
        at += size;
    }
    if (from->size > 0)
        memcpy(at, from->data, from->size);
    out->data = at;
    return out;
}

int saved_row_compare(const saved_row *a, const saved_row *b)
{
    int order = ORDER_BY((int64_t)a->type, (int64_t)b->type);
    if (order == 0)
        order = strcmp(a->space, b->space);
    if (order == 0)
        order = ORDER_BY(a->scope, b->scope);
    if (order == 0)
        order = strcmp(a->viewer, b->viewer);
    if (order == 0)
        order = ORDER_BY(a->kind, b->kind, a->x, b->x, a->y, b->y, a->z, b->z);
    if (order == 0)
        order = strcmp(a->name, b->name);
    return (order > 0) - (order < 0);
}

bool saved_row_is_same(const saved_row *a, const saved_row *b)
{
    return a->removed == b->removed && strcmp(a->text, b->text) == 0 &&
           strcmp(a->symbol, b->symbol) == 0 && strcmp(a->colour, b->colour) == 0 &&
           a->radius == b->radius && a->dangerous == b->dangerous && a->size == b->size &&
           (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

uint64_t saved_row_hash(const saved_row *row)
{
    uint64_t key = hash_add(hash_string(row->viewer), (uint64_t)row->type);
    key = hash_add(key, hash_string(row->space));
    key = hash_add(key, hash_string(row->name));
    key = hash_add(key, (uint64_t)row->x);
    key = hash_add(key, (uint64_t)row->y);
    key = hash_add(key, (uint64_t)(int64_t)row->z);
    return hash_add(key, (uint64_t)(row->scope * 256 + row->kind));
}

void saved_row_digest(digest_state *state, const saved_row *row)
{
    saved_row copy = *row;
    const char **texts[TEXTS];
    const int64_t numbers[] = {
        (int64_t)row->type, row->scope,    row->kind, row->x, row->y, row->z,
        row->radius,        row->dangerous};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        digest_update_u64(state, (uint64_t)numbers[i]);
    texts_of(&copy, texts);
    for (int i = 0; i < TEXTS; i++)
        digest_update_counted(state, *texts[i], strlen(*texts[i]));
    digest_update_counted(state, row->size > 0 ? row->data : "", row->size);
}

void saved_row_name(char *out, size_t room, const saved_row *row)
{
    const long long x = row->x, y = row->y;
    if (row->type == SAVED_NOTE)
        snprintf(out, room, "the note of '%s' at %lld,%lld,%d", row->viewer, x, y, (int)row->z);
    else if (row->type == SAVED_MARK)
        snprintf(out, room, "marks %d of '%s' in chunk %lld,%lld, level %d", (int)row->kind,
                 row->viewer, x, y, (int)row->z);
    else
        snprintf(out, room, "fact '%.60s' of '%s'", row->name, row->space);
}

/* ---- checks ---- */

/* A text of a row and how long it may be, in bytes. */
typedef struct text_rule {
    const char *subject, *text;
    size_t least, most;
} text_rule;

static ptl_status check_text(const text_rule *rule, ptl_status fault, ptl_error *err)
{
    const size_t length = strlen(rule->text);
    if (length < rule->least || length > rule->most)
        return error_set(err, fault, "%s has %zu bytes; it may have %zu to %zu", rule->subject,
                         length, rule->least, rule->most);
    if (!utf8_is_plain(rule->text))
        return error_set(err, fault, "%s must be UTF-8 without control characters",
                         rule->subject);
    return PTL_OK;
}

static ptl_status check_texts(const saved_row *row, ptl_status fault, ptl_error *err)
{
    const bool fact = row->type == SAVED_FACT, note = row->type == SAVED_NOTE;
    const bool viewed = !fact || row->scope == PTL_FACT_VIEWER;
    const text_rule rules[] = {
        {"the viewer", row->viewer, 0, viewed ? PTL_VIEWER_SIZE : 0},
        {"the namespace of a fact", row->space, fact, fact ? PTL_FACT_SPACE_SIZE : 0},
        {"the name of a fact", row->name, fact, fact ? PTL_FACT_NAME_SIZE : 0},
        {"the text of a note", row->text, note && !row->removed,
         note && !row->removed ? PTL_NOTE_TEXT_SIZE : 0},
        {"the symbol of a note", row->symbol, 0, note ? PTL_NOTE_LOOK_SIZE : 0},
        {"the colour of a note", row->colour, 0, note ? PTL_NOTE_LOOK_SIZE : 0}};
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0] && status == PTL_OK; i++)
        status = check_text(&rules[i], fault, err);
    return status;
}

/* Checks the place of a row: absolute OMTs, a chunk, or 0 where there is no place. */
static ptl_status check_place(const saved_row *row, ptl_status fault, ptl_error *err)
{
    const bool fact = row->type == SAVED_FACT;
    const bool chunk = fact ? row->scope == PTL_FACT_CHUNK : row->type == SAVED_MARK;
    const bool omt = fact ? row->scope == PTL_FACT_OMT : row->type == SAVED_NOTE;
    const bool level = omt || row->type == SAVED_MARK;
    const int64_t unit = omt ? SIDE : chunk, least = -PTL_CHUNK_COORD_MAX * unit;
    const int64_t most = PTL_CHUNK_COORD_MAX * unit + (omt ? SIDE - 1 : 0);
    if (row->x < least || row->x > most || row->y < least || row->y > most ||
        row->z < (level ? PTL_Z_MIN : 0) || row->z > (level ? PTL_Z_MAX : 0))
        return error_set(err, fault, "%s %lld,%lld,%d lies outside of all chunks or levels",
                         chunk ? "chunk and level" : "OMT", (long long)row->x,
                         (long long)row->y, (int)row->z);
    return PTL_OK;
}

ptl_status saved_row_check(const saved_row *row, ptl_status fault, ptl_error *err)
{
    const bool fact = row->type == SAVED_FACT, mark = row->type == SAVED_MARK;
    if (row->scope < 0 || row->scope > (fact ? PTL_FACT_VIEWER : 0))
        return error_set(err, fault, "there is no scope %d of facts", (int)row->scope);
    TRY(check_texts(row, fault, err));
    TRY(check_place(row, fault, err));
    if (row->kind < 0 || row->kind > (mark ? PTL_MARKS_KINDS - 1 : 0))
        return error_set(err, fault, "kind %d of marks; kinds are 0 to %d", (int)row->kind,
                         PTL_MARKS_KINDS - 1);
    if (row->radius < 0 || row->radius > (row->type == SAVED_NOTE ? PTL_NOTE_RADIUS_MAX : 0))
        return error_set(err, fault, "the radius of a note is %d; it may be 0 to %d",
                         (int)row->radius, PTL_NOTE_RADIUS_MAX);
    if (fact ? row->size > PTL_FACT_VALUE_SIZE : row->size != (mark ? PTL_MARKS_BYTES : 0))
        return error_set(err, fault, "a value of %zu bytes; a fact has at most %d", row->size,
                         PTL_FACT_VALUE_SIZE);
    return PTL_OK;
}

/* ---- the bytes of marks ---- */

static bool is_set(const uint8_t *bits, int32_t cell)
{
    return bits[cell / 8] >> cell % 8 & 1;
}

int32_t marks_count(const uint8_t bits[PTL_MARKS_BYTES])
{
    int32_t count = 0;
    for (int i = 0; i < PTL_MARKS_BYTES; i++) /* few bytes have some bits and lack others */
        count += bits[i] == 0 ? 0 : bits[i] == 0xff ? 8 : __builtin_popcount(bits[i]);
    return count;
}

/* Appends the lengths of runs: cells that are not set, cells that are, and so on. Cells behind
 * the last run are not set. */
static void put_runs(bytes *out, const uint8_t bits[PTL_MARKS_BYTES])
{
    bool set = false;
    int32_t first = 0;
    for (int32_t i = 0; i < CELLS; i++) {
        while (i % 8 == 0 && i < CELLS && bits[i / 8] == (set ? 0xff : 0))
            i += 8;
        if (i == CELLS || is_set(bits, i) == set)
            continue;
        bytes_put_varint(out, (uint64_t)(i - first));
        first = i;
        set = !set;
    }
    if (set)
        bytes_put_varint(out, (uint64_t)(CELLS - first));
}

ptl_status marks_encode(bytes *out, compressor *c, const uint8_t bits[PTL_MARKS_BYTES],
                        ptl_error *err)
{
    bytes frame = {.size = 0};
    const size_t begin = out->size;
    bytes_put_u8(out, FORM_RUNS);
    put_runs(out, bits);
    ptl_status status = compressor_run(c, &frame, bits, PTL_MARKS_BYTES, ZSTD_LEVEL, err);
    if (status == PTL_OK && !out->failed && frame.size < out->size - begin - 1) {
        out->size = begin;
        bytes_put_u8(out, FORM_ZSTD);
        bytes_put(out, frame.data, frame.size);
    }
    if (status == PTL_OK && out->failed)
        status = error_nomem(err);
    bytes_dispose(&frame);
    return status;
}

static bool take_runs(uint8_t bits[PTL_MARKS_BYTES], byte_reader *r)
{
    bool set = false, first = true;
    uint64_t at = 0;
    for (; byte_reader_left(r) > 0; set = !set, first = false) {
        const uint64_t length = byte_reader_varint(r);
        if (r->failed || length > CELLS - at || (length == 0 && !first))
            return false;
        for (uint64_t i = at; set && i < at + length; i++)
            bits[i / 8] |= (uint8_t)(1u << i % 8);
        at += length;
    }
    return true;
}

ptl_status marks_decode(bytes *out, compressor *c, const void *blob, size_t size,
                        ptl_error *err)
{
    uint8_t bits[PTL_MARKS_BYTES] = {0};
    byte_reader r = byte_reader_over(blob, size);
    const uint8_t form = byte_reader_u8(&r);
    if (!r.failed && form == FORM_ZSTD)
        return decompressor_run(c, out, (const uint8_t *)blob + 1, size - 1, PTL_MARKS_BYTES,
                                err);
    if (!r.failed && form != FORM_RUNS)
        return error_set(err, PTL_ERR_CORRUPT, "marks in form %d, " BYTES_NEWER, form);
    if (r.failed || !take_runs(bits, &r))
        return error_set(err, PTL_ERR_CORRUPT, "marks: bad lengths of runs");
    bytes_put(out, bits, sizeof bits);
    return out->failed ? error_nomem(err) : PTL_OK;
}

/* ---- the bytes of facts ---- */

ptl_status fact_encode(bytes *out, compressor *c, const void *value, size_t size,
                       ptl_error *err)
{
    const size_t begin = out->size;
    TRY(compressor_run(c, out, value, size, ZSTD_LEVEL, err));
    if (out->size - begin >= size) {
        out->size = begin;
        bytes_put(out, value, size);
    }
    return out->failed ? error_nomem(err) : PTL_OK;
}

ptl_status fact_decode(bytes *out, compressor *c, const void *blob, size_t blob_size,
                       int64_t size, ptl_error *err)
{
    if (size < (int64_t)blob_size || size > PTL_FACT_VALUE_SIZE)
        return error_set(err, PTL_ERR_CORRUPT, "fact: a value of %lld bytes in %zu",
                         (long long)size, blob_size);
    if (size > (int64_t)blob_size)
        return decompressor_run(c, out, blob, blob_size, (size_t)size, err);
    bytes_put(out, blob, blob_size);
    return out->failed ? error_nomem(err) : PTL_OK;
}
