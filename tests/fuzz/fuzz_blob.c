/*
 * Everything that is decoded from bytes of a row: level blobs, packs, fills, border cells,
 * lists of numbers, compressed texts, tiles and things of local maps. The first byte of an
 * input says which. What decodes is encoded again, and that must decode to the same.
 */
#include "fuzz/fuzz.h"

#include "codec/chunk_codec.h"
#include "codec/compress.h"
#include "codec/level_parse.h"
#include "codec/level_runs.h"
#include "codec/local/local_codec.h"
#include "codec/number_list.h"
#include "codec/pack.h"
#include "model/catalogue.h"
#include "store/sqlite/rows/chunk_write.h"

#include <stdlib.h>
#include <string.h>

/* The dictionary: numbers 1..LIMIT - 1, of which every seventh is unknown to the content. */
enum { LIMIT = 600, TEXT_MAX = 1 << 20 };

typedef struct tools {
    codec *codec, *other;
    compressor *compressor;
    ptl_oter map[LIMIT];
    ptl_oter cells[PTL_LEVEL_CELLS];
    uint32_t numbers[PTL_LEVEL_CELLS];
} tools;

static tools *the_tools;

static void forget_tools(void)
{
    codec_free(the_tools->codec);
    codec_free(the_tools->other);
    compressor_free(the_tools->compressor);
    free(the_tools);
}

static tools *get_tools(void)
{
    if (the_tools)
        return the_tools;
    the_tools = calloc(1, sizeof *the_tools);
    fuzz_check(the_tools != NULL, "memory", NULL);
    the_tools->codec = codec_new();
    the_tools->other = codec_new();
    the_tools->compressor = compressor_new();
    fuzz_check(the_tools->codec && the_tools->other && the_tools->compressor, "memory", NULL);
    for (size_t i = 0; i < LIMIT; i++)
        the_tools->map[i] = i % 7 ? (ptl_oter)i : CAT_NONE;
    atexit(forget_tools);
    return the_tools;
}

/* ---- levels ---- */

/* The blob of runs that were parsed: an uncompressed one, which the format allows. */
static void build_level(bytes *out, const level_runs *r)
{
    static uint8_t stream[LEVEL_STREAM_MAX + LEVEL_STREAM_PAD],
        lengths[LEVEL_STREAM_MAX + LEVEL_STREAM_PAD];
    size_t token_size, length_size;
    bytes_put_u8(out, 2);
    bytes_put_u8(out, r->palette_count == 1 ? 0 : 1);
    if (r->palette_count == 1) {
        bytes_put_varint(out, r->palette[0]);
        return;
    }
    level_stream_build(stream, lengths, r, &token_size, &length_size);
    bytes_put_varint(out, r->palette_count);
    number_list_put(out, r->palette, r->palette_count);
    bytes_put_varint(out, token_size);
    bytes_put_varint(out, length_size);
    bytes_put(out, stream, token_size + length_size);
}

static void check_runs(const level_runs *r)
{
    size_t cells = 0;
    for (size_t i = 0; i < r->run_count; i++) {
        fuzz_check(r->runs[i].symbol < r->palette_count, "symbols are in the palette", "level");
        fuzz_check(i == 0 || r->runs[i].symbol != r->runs[i - 1].symbol, "runs differ", NULL);
        cells += r->runs[i].length;
    }
    fuzz_check(cells == PTL_LEVEL_CELLS, "a level is full", NULL);
    for (size_t i = 0; i < r->palette_count; i++)
        fuzz_check(r->palette[i] >= 1 && r->palette[i] < LIMIT, "numbers are known", NULL);
}

static bool decodes(tools *t, const uint8_t *data, size_t size)
{
    const level_runs *r;
    return level_parse_palette(&r, t->codec, data, size, LIMIT, NULL) == PTL_OK &&
           level_expand(t->cells, t->codec, t->map, NULL) == PTL_OK;
}

static void run_level(tools *t, const uint8_t *data, size_t size)
{
    const level_runs *r, *again;
    bytes blob = {0};
    if (level_parse(&r, t->codec, data, size, LIMIT, NULL) != PTL_OK) {
        fuzz_check(!decodes(t, data, size), "both ways refuse a level", NULL);
        return;
    }
    check_runs(r);
    build_level(&blob, r);
    fuzz_check(level_parse(&again, t->other, blob.data, blob.size, LIMIT, NULL) == PTL_OK,
               "a level that was read can be read again", NULL);
    fuzz_check(again->run_count == r->run_count && again->palette_count == r->palette_count &&
                   memcmp(again->runs, r->runs, r->run_count * sizeof *r->runs) == 0 &&
                   memcmp(again->palette, r->palette, r->palette_count * sizeof *r->palette) ==
                       0,
               "and is the same", NULL);
    fuzz_check(decodes(t, data, size), "a level that was parsed decodes", NULL);
    bytes_dispose(&blob);
}

/* ---- packs ---- */

/* What joins may be told by: nine pieces around the chunk's middle, of three specials. */
static const pack_table *some_pieces(void)
{
    enum { SIDE = 3, COUNT = SIDE * SIDE };
    static int32_t values[6][COUNT];
    static pack_table pieces = {.count = COUNT};
    for (int32_t i = 0; i < COUNT; i++) {
        values[PIECE_PLACEMENT][i] = i / SIDE;
        values[PIECE_X][i] = PTL_CHUNK_SIZE / 2 + i % SIDE;
        values[PIECE_Y][i] = i / SIDE; /* some at the border */
    }
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        pieces.columns[k] = values[k];
    return &pieces;
}

static void check_pack(tools *t, pack_kind kind, pack_table *table)
{
    pack_table again = {.pieces = table->pieces};
    encoded_pack p = {.count = table->count, .name_count = table->name_count};
    bytes blob = {0};
    const pack_layout *layout = pack_layout_of(kind);
    fuzz_check(pack_body_encode(&p, t->codec, kind, table, NULL) == PTL_OK,
               "a pack that was read can be written", layout->name);
    pack_blob_build(&blob, &p, table->numbers);
    fuzz_check(pack_parse(&again, t->other, kind, blob.data, blob.size, LIMIT, NULL) == PTL_OK,
               "and read again", layout->name);
    fuzz_check(again.count == table->count && again.name_count == table->name_count &&
                   (table->name_count == 0 || /* baselines have no names */
                    memcmp(again.numbers, table->numbers,
                           table->name_count * sizeof *table->numbers) == 0),
               "with the same names", layout->name);
    for (size_t k = 0; k < layout->column_count; k++)
        fuzz_check(memcmp(again.columns[k], table->columns[k],
                          table->count * sizeof *table->columns[k]) == 0,
                   "and the same values", layout->columns[k].name);
    pack_table_dispose(&again);
    encoded_pack_dispose(&p);
    bytes_dispose(&blob);
}

static void run_pack(tools *t, pack_kind kind, const uint8_t *data, size_t size)
{
    pack_table table = {.pieces = kind == PACK_JOINS ? some_pieces() : NULL};
    if (pack_parse(&table, t->codec, kind, data, size, LIMIT, NULL) == PTL_OK)
        check_pack(t, kind, &table);
    pack_table_dispose(&table);
}

/* ---- the small ones ---- */

static void run_fill(const uint8_t *data, size_t size)
{
    uint32_t numbers[PTL_LEVELS], again[PTL_LEVELS];
    bytes blob = {0};
    if (fill_parse(numbers, data, size, LIMIT, NULL) != PTL_OK)
        return;
    fill_build(&blob, numbers);
    fuzz_check(fill_parse(again, blob.data, blob.size, LIMIT, NULL) == PTL_OK &&
                   memcmp(numbers, again, sizeof numbers) == 0,
               "a fill stays the same", NULL);
    bytes_dispose(&blob);
}

static void run_cells(const uint8_t *data, size_t size)
{
    edge_cells cells = {.has = {false, false}}, again = {.has = {false, false}};
    bytes blob = {0};
    if (edge_cells_parse(&cells, data, size, LIMIT, NULL) != PTL_OK)
        return;
    edge_cells_build(&blob, &cells);
    fuzz_check(edge_cells_parse(&again, blob.data, blob.size, LIMIT, NULL) == PTL_OK &&
                   edge_cells_equal(&cells, &again),
               "border cells stay the same", NULL);
    bytes_dispose(&blob);
}

static void run_numbers(tools *t, fuzz_input *in)
{
    static uint32_t again[PTL_LEVEL_CELLS];
    size_t count = fuzz_u16(in) % PTL_LEVEL_CELLS;
    size_t limit = (size_t)fuzz_u16(in) + 1;
    const uint8_t *at = in->at;
    bytes list = {0};
    if (number_list_take(t->numbers, count, limit, &at, in->end) != NULL)
        return;
    number_list_put(&list, t->numbers, count);
    const uint8_t *from = list.data;
    fuzz_check(number_list_take(again, count, limit, &from, list.data + list.size) == NULL &&
                   from == list.data + list.size &&
                   memcmp(t->numbers, again, count * sizeof *again) == 0,
               "a list of numbers stays the same", NULL);
    bytes_dispose(&list);
}

static void run_text(tools *t, fuzz_input *in)
{
    size_t size = (fuzz_u16(in) | (size_t)fuzz_u8(in) << 16) % TEXT_MAX;
    bytes text = {0}, frame = {0}, again = {0};
    if (decompressor_run(t->compressor, &text, in->at, fuzz_left(in), size, NULL) == PTL_OK) {
        fuzz_check(text.size == size, "a text has the size that was asked for", NULL);
        fuzz_check(
            compressor_run(t->compressor, &frame, text.data, text.size, 1, NULL) == PTL_OK &&
                decompressor_run(t->compressor, &again, frame.data, frame.size, size, NULL) ==
                    PTL_OK &&
                again.size == size && memcmp(again.data, text.data, size) == 0,
            "a text stays the same", NULL);
    }
    bytes_dispose(&text);
    bytes_dispose(&frame);
    bytes_dispose(&again);
}

/* ---- local maps ---- */

static const char *some_name(const void *names, uint32_t number)
{
    (void)names;
    static const char *const texts[] = {"t_a",  "t_b", "f_c",
                                        "tr_d", "t_e", "9 t_a\n4 t_e\n\n5 f_c\n\n"};
    return texts[number % (sizeof texts / sizeof texts[0])];
}

/* Tiles that were read are written, and read as the same. */
static void run_tiles(const uint8_t *data, size_t size)
{
    const pack_reader reader = {.limit = LIMIT, .name = some_name};
    local_map *map = calloc(1, sizeof *map), *again = calloc(1, sizeof *again);
    id_pool *pool = id_pool_new();
    encoded_pack p = {.count = 0};
    bytes blob = {0};
    fuzz_check(map && again && pool, "there is memory", NULL);
    if (local_tiles_decode(map, pool, &reader, data, size, NULL) == PTL_OK) {
        uint32_t numbers[3 * LOCAL_CELLS + 1];
        local_tiles_work *work = local_tiles_work_new(pool);
        fuzz_check(work && local_tiles_encode(&p, work, map, NULL) == PTL_OK,
                   "tiles that were read can be written", NULL);
        local_tiles_work_free(work);
        for (size_t i = 0; i < p.name_count; i++)
            for (numbers[i] = 1; strcmp(some_name(NULL, numbers[i]), p.names[i]) != 0;)
                numbers[i]++;
        pack_blob_build(&blob, &p, numbers);
        fuzz_check(local_tiles_decode(again, pool, &reader, blob.data, blob.size, NULL) ==
                           PTL_OK &&
                       /* Both were calloc'ed. NOLINTNEXTLINE(bugprone-suspicious-*,cert-*) */
                       memcmp(again, map, sizeof *map) == 0,
                   "tiles stay the same", NULL);
    }
    bytes_dispose(&blob);
    encoded_pack_dispose(&p);
    id_pool_free(pool);
    free(again);
    free(map);
}

/* Things that were read are written, and read as the same. */
static void run_things(const uint8_t *data, size_t size)
{
    enum { NAMES = 2000, THINGS = NAMES / 2, TEXTS = 3 };
    static uint32_t numbers[NAMES];
    static local_thing list[THINGS], again[THINGS];
    local_header h;
    bytes coded = {0};
    if (local_header_take(&h, numbers, NAMES, LIMIT, data, size) || h.count > THINGS)
        return;
    if (local_things_take(list, h.count, h.name_count, TEXTS, h.coded, h.end, NULL) == PTL_OK) {
        fuzz_check(local_things_put(&coded, list, h.count, h.name_count, NULL) == PTL_OK,
                   "things that were read can be written", NULL);
        fuzz_check(local_things_take(again, h.count, h.name_count, TEXTS, coded.data,
                                     coded.data + coded.size, NULL) == PTL_OK &&
                       memcmp(again, list, h.count * sizeof *list) == 0,
                   "things stay the same", NULL);
    }
    bytes_dispose(&coded);
}

/* Beside packs; packs of sweeps come behind them, and tiles and things of local maps. */
enum { OTHERS = 5 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, data + size};
    tools *t = get_tools();
    unsigned what = fuzz_u8(&in) % (PACK_FORMS + OTHERS + 2);
    /* SQLite gives NULL for a blob without bytes. */
    const size_t left = fuzz_left(&in);
    const uint8_t *blob = left > 0 ? in.at : NULL;
    if (what < PACK_KINDS)
        run_pack(t, (pack_kind)what, blob, left);
    else if (what == PACK_KINDS)
        run_level(t, blob, left);
    else if (what == PACK_KINDS + 1)
        run_fill(blob, left);
    else if (what == PACK_KINDS + 2)
        run_cells(blob, left);
    else if (what == PACK_KINDS + 3)
        run_numbers(t, &in);
    else if (what == PACK_KINDS + 4)
        run_text(t, &in);
    else if (what < PACK_FORMS + OTHERS)
        run_pack(t, (pack_kind)(what - OTHERS), blob, left);
    else if (what == PACK_FORMS + OTHERS)
        run_tiles(blob, left);
    else
        run_things(blob, left);
    return 0;
}
