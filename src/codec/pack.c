#include "codec/pack.h"

#include "codec/number_list.h"
#include "core/error.h"
#include "model/catalogue.h"
#include "model/direction.h"
#include "model/feature.h"
#include "model/local_map.h"
#include "model/summary.h"

#include <stdlib.h>
#include <string.h>

/* Gives the pack_member_type for the C type that `member` has in the struct `entry`. */
#define TYPE_OF(entry, member)                                                                 \
    _Generic(((entry *)0)->member, const char *: MEMBER_ID, bool: MEMBER_U8, int8_t: MEMBER_I8,      \
             uint8_t: MEMBER_U8, int16_t: MEMBER_I16, int32_t: MEMBER_I32, uint32_t: MEMBER_I32,       \
             int64_t: MEMBER_I64)
#define ROW(...)                                                                               \
    {                                                                                          \
        __VA_ARGS__                                                                            \
    }

/* Initialises a pack_column whose values are those of a member of the struct `entry`. low and
 * high: the column's range. coding: a pack_coding. */
#define COLUMN(entry, member, low, high, coding)                                               \
    ROW(#member, low, high, coding, TYPE_OF(entry, member), offsetof(entry, member))

/* Highest values in columns. NAME_LAST: of a name, which is an index. CELL_LAST: of a
 * coordinate in cells of the chunk. SUBMAP_LAST: of a coordinate in submaps, of which a cell
 * has 2 x 2. */
enum {
    NAME_LAST = PACK_COUNT_MAX - 1,
    CELL_LAST = PTL_CHUNK_SIZE - 1,
    SUBMAP_LAST = 2 * PTL_CHUNK_SIZE - 1
};

/* The columns of each kind of pack, in the order of their numbers in pack.h. */
static const pack_column placements[] = {
    {"id", 0, NAME_LAST, PACK_TOKEN, MEMBER_NONE, 0},
    COLUMN(gen_placement, rotation, 0, 3, PACK_QUADS),
    COLUMN(gen_placement, z, PTL_Z_MIN, PTL_Z_MAX, PACK_DELTA),
    COLUMN(gen_placement, city, -1, INT16_MAX, PACK_DELTA),
    /* The origin of a building may lie outside of its OMTs, and so outside of the
     * chunk. */
    COLUMN(gen_placement, x, -PTL_CHUNK_SIZE, SUBMAP_LAST, PACK_DELTA),
    COLUMN(gen_placement, y, -PTL_CHUNK_SIZE, SUBMAP_LAST, PACK_DELTA)};
static const pack_column groups[] = {{"type", 0, NAME_LAST, PACK_TOKEN, MEMBER_NONE, 0},
                                     {"flags", 0, 3, PACK_QUADS, MEMBER_NONE, 0},
                                     COLUMN(gen_group, z, PTL_Z_MIN, PTL_Z_MAX, PACK_DELTA),
                                     COLUMN(gen_group, radius, 0, INT16_MAX, PACK_PLAIN),
                                     COLUMN(gen_group, population, 0, INT32_MAX, PACK_PLAIN),
                                     COLUMN(gen_group, x, 0, SUBMAP_LAST, PACK_DELTA),
                                     COLUMN(gen_group, y, 0, SUBMAP_LAST, PACK_DELTA)};
static const pack_column attempts[] = {
    {"special", 0, NAME_LAST, PACK_TOKEN, MEMBER_NONE, 0},
    COLUMN(gen_attempt, asked, 1, INT32_MAX, PACK_PLAIN),
    COLUMN(gen_attempt, ground, 0, INT32_MAX, PACK_PLAIN),
    /* A special's number in one of the next columns is often equal to its number in the column
     * before; PACK_LEFT codes such numbers in little space. `room` has another coding, because
     * under the rule of placement `sectors` it counts sectors, while the other columns count
     * origins. */
    COLUMN(gen_attempt, linked, 0, INT32_MAX, PACK_LEFT),
    COLUMN(gen_attempt, city, 0, INT32_MAX, PACK_LEFT),
    COLUMN(gen_attempt, room, 0, INT32_MAX, PACK_PLAIN),
    COLUMN(gen_attempt, failed, 0, INT32_MAX, PACK_PLAIN),
    COLUMN(gen_attempt, placed, 0, INT32_MAX, PACK_PLAIN)};
static const pack_column pieces[] = {{"id", 0, NAME_LAST, PACK_TOKEN, MEMBER_NONE, 0},
                                     COLUMN(gen_piece, rotation, 0, 3, PACK_QUADS),
                                     {"placement", 0, NAME_LAST, PACK_DELTA, MEMBER_NONE, 0},
                                     COLUMN(gen_piece, z, PTL_Z_MIN, PTL_Z_MAX, PACK_DELTA),
                                     COLUMN(gen_piece, x, 0, CELL_LAST, PACK_DELTA),
                                     COLUMN(gen_piece, y, 0, CELL_LAST, PACK_DELTA)};
static const pack_column joins[] = {{"id", 0, NAME_LAST, PACK_TOKEN, MEMBER_NONE, 0},
                                    {"placement", 0, NAME_LAST, PACK_DELTA, MEMBER_NONE, 0},
                                    COLUMN(gen_join, side, 0, PTL_SIDES - 1, PACK_PLAIN),
                                    COLUMN(gen_join, z, PTL_Z_MIN, PTL_Z_MAX, PACK_DELTA),
                                    COLUMN(gen_join, x, 0, CELL_LAST, PACK_DELTA),
                                    COLUMN(gen_join, y, 0, CELL_LAST, PACK_DELTA)};
static const pack_column predecessors[] = {
    {"id", 0, NAME_LAST, PACK_TOKEN, MEMBER_NONE, 0},
    COLUMN(gen_predecessor, south, 0, 1, PACK_QUADS),
    COLUMN(gen_predecessor, z, PTL_Z_MIN, PTL_Z_MAX, PACK_DELTA),
    COLUMN(gen_predecessor, x, 0, CELL_LAST, PACK_DELTA),
    COLUMN(gen_predecessor, y, 0, CELL_LAST, PACK_DELTA),
    COLUMN(gen_predecessor, length, 1, PTL_CHUNK_SIZE, PACK_PLAIN)};
static const pack_column specials[] = {
    COLUMN(summary_special, id, 0, NAME_LAST, PACK_TOKEN),
    COLUMN(summary_special, asked, 0, INT32_MAX, PACK_PLAIN),
    COLUMN(summary_special, ground, 0, INT32_MAX, PACK_PLAIN),
    COLUMN(summary_special, linked, 0, INT32_MAX, PACK_LEFT),
    COLUMN(summary_special, city, 0, INT32_MAX, PACK_LEFT),
    COLUMN(summary_special, room, 0, INT32_MAX, PACK_PLAIN),
    COLUMN(summary_special, failed, 0, INT32_MAX, PACK_PLAIN),
    COLUMN(summary_special, placed, 0, INT32_MAX, PACK_PLAIN),
    COLUMN(summary_special, others, 0, INT32_MAX, PACK_PLAIN)};
static const pack_column places[] = {
    COLUMN(summary_place, id, 0, NAME_LAST, PACK_TOKEN),
    COLUMN(summary_place, around, -1, NAME_LAST, PACK_NAME),
    COLUMN(summary_place, x, -PTL_CHUNK_SIZE, SUBMAP_LAST, PACK_DELTA),
    COLUMN(summary_place, y, -PTL_CHUNK_SIZE, SUBMAP_LAST, PACK_DELTA),
    COLUMN(summary_place, z, PTL_Z_MIN, PTL_Z_MAX, PACK_DELTA),
    COLUMN(summary_place, rotation, 0, 3, PACK_QUADS),
    COLUMN(summary_place, city, SUMMARY_NONE, SUMMARY_FAR, PACK_PLAIN),
    COLUMN(summary_place, road, SUMMARY_NONE, SUMMARY_FAR, PACK_PLAIN),
    COLUMN(summary_place, same, SUMMARY_NONE, SUMMARY_FAR, PACK_PLAIN)};
static const pack_column terrains[] = {
    COLUMN(summary_terrain, id, 0, NAME_LAST, PACK_TOKEN),
    COLUMN(summary_terrain, z, PTL_Z_MIN, PTL_Z_MAX, PACK_DELTA),
    COLUMN(summary_terrain, cells, 1, PTL_LEVEL_CELLS, PACK_PLAIN)};
static const pack_column buildings[] = {
    COLUMN(summary_building, id, 0, NAME_LAST, PACK_TOKEN),
    COLUMN(summary_building, size, 1, INT16_MAX, PACK_PLAIN),
    COLUMN(summary_building, count, 1, PACK_COUNT_MAX, PACK_PLAIN),
    COLUMN(summary_building, distance_sum, 0, INT32_MAX, PACK_PLAIN),
    COLUMN(summary_building, distance_min, 0, INT16_MAX, PACK_PLAIN),
    COLUMN(summary_building, distance_max, 0, INT16_MAX, PACK_LEFT)};
static const pack_column cities[] = {
    COLUMN(summary_city, x, 0, CELL_LAST, PACK_PLAIN),
    COLUMN(summary_city, y, 0, CELL_LAST, PACK_PLAIN),
    COLUMN(summary_city, size, 1, INT16_MAX, PACK_PLAIN),
    COLUMN(summary_city, buildings, 0, PACK_COUNT_MAX, PACK_PLAIN)};
static const pack_column lines[] = {
    COLUMN(summary_line, id, 0, NAME_LAST, PACK_TOKEN),
    COLUMN(summary_line, cells, 0, PTL_LEVELS *PTL_LEVEL_CELLS, PACK_PLAIN)};
static const pack_column waters[] = {
    COLUMN(summary_water, kind, SUMMARY_LAKE, SUMMARY_RIVER, PACK_QUADS),
    COLUMN(summary_water, cells, 1, PTL_LEVEL_CELLS, PACK_PLAIN)};
static const pack_column baseline[] = {
    {"city", 0, PTL_LEVEL_CELLS, PACK_PLAIN, MEMBER_NONE, 0},
    {"road", 0, PTL_LEVEL_CELLS, PACK_PLAIN, MEMBER_NONE, 0}};

#define LAYOUT(name) ROW(#name, sizeof(name) / sizeof *(name), (name))
static const pack_layout LAYOUTS[PACK_FORMS] = {[PACK_PLACEMENTS] = LAYOUT(placements),
                                                [PACK_GROUPS] = LAYOUT(groups),
                                                [PACK_ATTEMPTS] = LAYOUT(attempts),
                                                [PACK_PIECES] = LAYOUT(pieces),
                                                [PACK_JOINS] = LAYOUT(joins),
                                                [PACK_PREDECESSORS] = LAYOUT(predecessors),
                                                [PACK_SUMMARY_SPECIALS] = LAYOUT(specials),
                                                [PACK_SUMMARY_PLACES] = LAYOUT(places),
                                                [PACK_SUMMARY_TERRAINS] = LAYOUT(terrains),
                                                [PACK_SUMMARY_CITIES] = LAYOUT(cities),
                                                [PACK_SUMMARY_BUILDINGS] = LAYOUT(buildings),
                                                [PACK_SUMMARY_LINES] = LAYOUT(lines),
                                                [PACK_SUMMARY_WATERS] = LAYOUT(waters),
                                                [PACK_SUMMARY_BASELINE] = LAYOUT(baseline)};

const pack_layout *pack_layout_of(pack_kind kind)
{
    return &LAYOUTS[kind];
}

static bool is_name(pack_coding coding)
{
    return coding == PACK_TOKEN || coding == PACK_NAME;
}

bool pack_has_names(pack_kind kind)
{
    return is_name(LAYOUTS[kind].columns[0].coding);
}

int64_t pack_member(const void *entry, const pack_column *column)
{
    const void *at = (const uint8_t *)entry + column->offset;
    switch (column->type) {
    case MEMBER_I8:
        return *(const int8_t *)at;
    case MEMBER_U8:
        return *(const uint8_t *)at;
    case MEMBER_I16:
        return *(const int16_t *)at;
    case MEMBER_I32:
        return *(const int32_t *)at;
    default:
        return *(const int64_t *)at;
    }
}

void pack_put_members(pack_table *t, pack_kind kind, size_t i, const void *entry)
{
    for (size_t k = 0; k < LAYOUTS[kind].column_count; k++)
        if (LAYOUTS[kind].columns[k].type > MEMBER_ID)
            t->columns[k][i] = (int32_t)pack_member(entry, &LAYOUTS[kind].columns[k]);
}

void pack_take_members(void *entry, const pack_table *t, pack_kind kind, size_t i)
{
    for (size_t k = 0; k < LAYOUTS[kind].column_count; k++) {
        const int32_t value = t->columns[k][i];
        void *at = (uint8_t *)entry + LAYOUTS[kind].columns[k].offset;
        switch (LAYOUTS[kind].columns[k].type) {
        case MEMBER_I8:
            *(int8_t *)at = (int8_t)value;
            break;
        case MEMBER_U8:
            *(uint8_t *)at = (uint8_t)value;
            break;
        case MEMBER_I16:
            *(int16_t *)at = (int16_t)value;
            break;
        case MEMBER_I32:
            *(int32_t *)at = value;
            break;
        case MEMBER_I64:
            *(int64_t *)at = value;
            break;
        default:
            break;
        }
    }
}

void pack_table_dispose(pack_table *t)
{
    /* All columns lie in one block of memory, which begins with the first. */
    free(t->columns[0]);
    free(t->numbers);
    bytes_dispose(&t->stream);
    memset(t, 0, sizeof *t);
}

ptl_status pack_table_resize(pack_table *t, pack_kind kind, size_t count, ptl_error *err)
{
    if (count > PACK_COUNT_MAX)
        return error_set(err, PTL_ERR_LIMIT, "%s: %zu, more than the %d that a chunk may have",
                         LAYOUTS[kind].name, count, (int)PACK_COUNT_MAX);
    if (count > t->room) {
        size_t room = count > 2 * t->room ? count : 2 * t->room;
        room = room < PACK_COUNT_MAX ? room : PACK_COUNT_MAX;
        int32_t *block = malloc(PACK_COLUMNS_MAX * room * sizeof *block);
        if (!block)
            return error_nomem(err);
        free(t->columns[0]);
        for (size_t c = 0; c < PACK_COLUMNS_MAX; c++)
            t->columns[c] = block + c * room;
        t->room = room;
    }
    t->count = count;
    return PTL_OK;
}

void encoded_pack_dispose(encoded_pack *p)
{
    free(p->names);
    bytes_dispose(&p->body);
    memset(p, 0, sizeof *p);
}

/* ---- decoding ---- */

static ptl_status corrupt(pack_kind kind, const char *what, ptl_error *err)
{
    return error_set(err, PTL_ERR_CORRUPT, "pack of %s: %s", LAYOUTS[kind].name, what);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *p = a, *q = b;
    return *p < *q ? -1 : *p > *q;
}

static ptl_status parse_names(pack_table *t, pack_kind kind, byte_reader *r, size_t limit,
                              ptl_error *err)
{
    const pack_layout *layout = &LAYOUTS[kind];
    const size_t least = layout->columns[0].coding == PACK_TOKEN;
    /* Number of columns that hold names, and so the most names that a row can use. */
    size_t columns = 0;
    for (size_t k = 0; pack_has_names(kind) && k < layout->column_count; k++)
        columns += is_name(layout->columns[k].coding);
    size_t count = (size_t)byte_reader_varint(r);
    if (r->failed || count < least || count > t->count * columns ||
        count / 8 > byte_reader_left(r)) /* a name takes at least one bit, so the bytes that are
                                            left limit their number */
        return corrupt(kind, "a bad number of names", err);
    t->name_count = count;
    if (count == 0)
        return PTL_OK;
    if (count > t->name_room) {
        uint32_t *numbers = realloc(t->numbers, 2 * count * sizeof *numbers);
        if (!numbers)
            return error_nomem(err);
        t->numbers = numbers;
        t->name_room = count;
    }
    const char *problem = number_list_take(t->numbers, count, limit, &r->at, r->end);
    if (problem)
        return corrupt(kind, problem, err);
    /* Checks that no name comes twice: makes a sorted copy of the numbers, in which equal ones
     * lie side by side. The array has room for the numbers and for the copy. */
    uint32_t *scratch = t->numbers + count;
    memcpy(scratch, t->numbers, count * sizeof *scratch);
    qsort(scratch, count, sizeof *scratch, by_number);
    for (size_t i = 1; i < count; i++)
        if (scratch[i] == scratch[i - 1])
            return corrupt(kind, "a name twice", err);
    return PTL_OK;
}

/* Reads a varint of up to 32 bits and moves *at behind it. Most varints have one byte. */
static bool take(const uint8_t **at, const uint8_t *end, uint32_t *out)
{
    uint64_t v = 0;
    for (unsigned shift = 0; *at < end && shift < 35; shift += 7) {
        uint8_t byte = *(*at)++;
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *out = (uint32_t)v;
            return v <= UINT32_MAX;
        }
    }
    return false;
}

static const char CUT_OFF[] = "a column is cut off";

static const char *parse_quads(int32_t *values, size_t count, int32_t high, const uint8_t **at,
                               const uint8_t *end)
{
    const uint8_t *quads = *at;
    const size_t size = (count + 3) / 4;
    if ((size_t)(end - quads) < size)
        return CUT_OFF;
    *at += size;
    int32_t most = 0;
    for (size_t i = 0; i < count; i++) {
        values[i] = quads[i / 4] >> (2 * (i % 4)) & 3;
        most = values[i] > most ? values[i] : most;
    }
    if (most > high)
        return "a value out of range";
    if (count % 4 != 0 && quads[size - 1] >> (2 * (count % 4)) != 0)
        return "bits after a column's last value";
    return NULL;
}

/* Reads a column of tokens, each of which stands for a name. If `may_lack` is true, the token 0
 * stands for no name, and 1 is added to all other tokens. */
static const char *parse_tokens(const pack_table *t, int32_t *values, size_t count,
                                bool may_lack, const uint8_t **at, const uint8_t *end,
                                size_t *fresh)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t token;
        if (!take(at, end, &token))
            return CUT_OFF;
        if (may_lack && token-- == 0) {
            values[i] = -1;
            continue;
        }
        size_t index = token ? token - 1 : (*fresh)++;
        if (index >= *fresh || *fresh > t->name_count)
            return "a name out of range";
        values[i] = (int32_t)index;
    }
    return NULL;
}

/* Reads a column of `count` values. *fresh is how many different names the columns have used so
 * far. */
static const char *parse_column(pack_table *t, size_t k, size_t count,
                                const pack_column *column, const uint8_t **at,
                                const uint8_t *end, size_t *fresh)
{
    int32_t *values = t->columns[k];
    if (is_name(column->coding))
        return parse_tokens(t, values, count, column->coding == PACK_NAME, at, end, fresh);
    if (column->coding == PACK_QUADS)
        return parse_quads(values, count, column->high, at, end);
    /* The values of the previous column, for columns that are coded as PACK_LEFT. */
    const int32_t *left = k > 0 ? t->columns[k - 1] : NULL;
    int64_t before = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t v;
        if (!take(at, end, &v))
            return CUT_OFF;
        int64_t value = (int64_t)v + column->low;
        if (column->coding == PACK_LEFT && left)
            before = left[i];
        if (column->coding != PACK_PLAIN)
            value = before + (v & 1 ? -(int64_t)(v / 2) - 1 : (int64_t)(v / 2));
        if (value < column->low || value > column->high)
            return "a value out of range";
        values[i] = (int32_t)value;
        before = value;
    }
    return NULL;
}

static bool is_inside(pack_join j)
{
    return j.z >= PTL_Z_MIN && j.z <= PTL_Z_MAX && j.x >= 0 && j.x < PTL_CHUNK_SIZE &&
           j.y >= 0 && j.y < PTL_CHUNK_SIZE;
}

static void put_join(pack_table *t, size_t i, int32_t of, pack_join j)
{
    t->columns[JOIN_PLACEMENT][i] = of;
    t->columns[JOIN_SIDE][i] = j.side;
    t->columns[JOIN_Z][i] = j.z;
    t->columns[JOIN_X][i] = j.x;
    t->columns[JOIN_Y][i] = j.y;
}

/* Where two pieces meet, each has a join. The columns hold only one join of each such pair;
 * this function writes both joins into rows of their own. by_pieces: the columns JOIN_PLACEMENT
 * and JOIN_SIDE hold the second joins, as numbers of pieces and sides; otherwise all columns
 * hold the first joins. False if there is no such piece, or a join lies outside of the chunk.
 * */
static bool pack_joins_spread(pack_table *t, bool by_pieces)
{
    bool good = true;
    /* Each row becomes the two joins of a pair. The rows are gone through from the last to the
     * first, so that none is overwritten before it is read. */
    for (size_t i = t->count / 2; i-- > 0 && good;) {
        int32_t *const *const c = t->columns, of = c[JOIN_PLACEMENT][i];
        pack_join known = {.side = c[JOIN_SIDE][i]};
        if (by_pieces) {
            const size_t piece = (size_t)of;
            if (piece >= t->pieces->count)
                return false;
            int32_t *const *p = t->pieces->columns;
            known = (pack_join){known.side, p[PIECE_Z][piece], p[PIECE_X][piece],
                                p[PIECE_Y][piece]};
            of = p[PIECE_PLACEMENT][piece];
        } else
            known = (pack_join){known.side, c[JOIN_Z][i], c[JOIN_X][i], c[JOIN_Y][i]};
        const pack_join met = pack_join_met(known);
        good = is_inside(met);
        put_join(t, 2 * i + by_pieces, of, known);
        put_join(t, 2 * i + !by_pieces, of, met);
    }
    return good;
}

static ptl_status parse_columns(pack_table *t, codec *c, pack_kind kind, uint8_t version,
                                byte_reader *r, ptl_error *err)
{
    const pack_layout *layout = &LAYOUTS[kind];
    const size_t limit = PACK_VARINT_MAX * t->count * layout->column_count;
    const size_t columns = version == PACK_VERSION_PIECES ? JOIN_PLACEMENT + PACK_PAIR_COLUMNS
                                                          : layout->column_count;
    bytes_clear(&t->stream);
    ptl_status status = codec_take_stream(&t->stream, c, r, limit, err);
    if (status != PTL_OK)
        return error_prefix(err, status, "pack of %s", layout->name);
    const uint8_t *at = t->stream.data, *end = at + t->stream.size;
    size_t fresh = 0;
    for (size_t k = 0; k < columns; k++) {
        /* A join of one piece always meets a join of another piece. If joins are stored as such
         * pairs, the column of ids has a value for each join, and each other column has a value
         * for each pair. In PACK_VERSION_PIECES pack_pair_column describes the other columns.
         */
        const size_t count = version != PACK_VERSION && k != JOIN_ID ? t->count / 2 : t->count;
        const pack_column *column = version == PACK_VERSION_PIECES && k != JOIN_ID
                                        ? pack_pair_column((int)(k - JOIN_PLACEMENT))
                                        : &LAYOUTS[kind].columns[k];
        const char *problem = parse_column(t, k, count, column, &at, end, &fresh);
        if (problem)
            return error_set(err, PTL_ERR_CORRUPT, "pack of %s, column %s: %s", layout->name,
                             column->name, problem);
    }
    if (fresh != t->name_count)
        return corrupt(kind, "names that no entry uses", err);
    if (at != end)
        return corrupt(kind, "bytes after its columns", err);
    if (version != PACK_VERSION && !pack_joins_spread(t, version == PACK_VERSION_PIECES))
        return corrupt(kind, "a value out of range", err);
    return PTL_OK;
}

ptl_status pack_parse(pack_table *out, codec *c, pack_kind kind, const void *blob, size_t size,
                      size_t limit, ptl_error *err)
{
    byte_reader r = byte_reader_over(blob, size);
    const uint8_t version = byte_reader_u8(&r);
    const bool pairs = version != PACK_VERSION, newer = version > PACK_VERSION_PIECES;
    if (r.failed || version < PACK_VERSION || newer || (pairs && kind != PACK_JOINS))
        return corrupt(kind, newer ? BYTES_NEWER : "an unknown version", err);
    if (version == PACK_VERSION_PIECES && !out->pieces)
        return corrupt(kind, "the pieces that it is of are not there", err);
    uint64_t count = byte_reader_varint(&r);
    if (r.failed || count < 1 || count > PACK_COUNT_MAX || (pairs && count % 2 != 0))
        return corrupt(kind, "a bad number of entries", err);
    TRY(pack_table_resize(out, kind, (size_t)count, err));
    TRY(parse_names(out, kind, &r, limit, err));
    TRY(parse_columns(out, c, kind, version, &r, err));
    return byte_reader_left(&r) > 0 ? corrupt(kind, "bytes after its end", err) : PTL_OK;
}

/* ---- joins of mutable specials, which come in pairs (pack_join) ---- */

static const pack_column PAIR_COLUMNS[PACK_PAIR_COLUMNS] = {
    [PACK_PAIR_PIECE] = {"piece", 0, PACK_COUNT_MAX - 1, PACK_DELTA, MEMBER_NONE, 0},
    [PACK_PAIR_SIDE] = {"side", 0, PTL_SIDES - 1, PACK_PLAIN, MEMBER_NONE, 0}};

const pack_column *pack_pair_column(int column)
{
    return &PAIR_COLUMNS[column];
}

pack_join pack_join_met(pack_join j)
{
    static const struct {
        int8_t side, z, x, y;
    } BEYOND[8] = {{2, 0, 0, -1}, {3, 0, 1, 0}, {0, 0, 0, 1},
                   {1, 0, -1, 0}, {5, 1, 0, 0}, {4, -1, 0, 0}};
    const int side = j.side & 7;
    return (pack_join){.side = BEYOND[side].side,
                       .z = j.z + BEYOND[side].z,
                       .x = j.x + BEYOND[side].x,
                       .y = j.y + BEYOND[side].y};
}

bool pack_joins_are_pairs(const pack_table *t)
{
    const int32_t *of = t->columns[JOIN_PLACEMENT], *side = t->columns[JOIN_SIDE];
    const int32_t *z = t->columns[JOIN_Z], *x = t->columns[JOIN_X], *y = t->columns[JOIN_Y];
    if (t->count % 2 != 0)
        return false;
    int32_t other = 0; /* has a bit set if the two joins of any pair do not meet each other */
    for (size_t i = 0; i + 1 < t->count; i += 2) {
        const pack_join met = pack_join_met((pack_join){side[i], z[i], x[i], y[i]});
        other |= (of[i + 1] ^ of[i]) | (side[i + 1] ^ met.side) | (z[i + 1] ^ met.z) |
                 (x[i + 1] ^ met.x) | (y[i + 1] ^ met.y);
    }
    return other == 0;
}

int32_t *pack_joins_pieces(const pack_table *t)
{
    /* To find the pieces of all joins, all pieces are gone through at most this many times. If
     * the joins are in the order of growth, one time is enough. */
    enum { LOOKS = 8 };
    const size_t count = t->count / 2, piece_count = t->pieces ? t->pieces->count : 0;
    int32_t *out = piece_count > 0 ? malloc((count + 1) * sizeof *out) : NULL;
    if (!out)
        return NULL;
    int32_t *const *const c = t->columns, *const *const p = t->pieces->columns;
    const int32_t *x = p[PIECE_X], *y = p[PIECE_Y], *z = p[PIECE_Z], *of = p[PIECE_PLACEMENT];
    const int32_t *jx = c[JOIN_X], *jy = c[JOIN_Y], *jz = c[JOIN_Z], *jof = c[JOIN_PLACEMENT];
    size_t left = LOOKS * piece_count + count, piece = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t k = 2 * i + 1, began = left;
        while (((x[piece] ^ jx[k]) | (y[piece] ^ jy[k]) | (z[piece] ^ jz[k]) |
                (of[piece] ^ jof[k])) != 0 &&
               --left > 0 && began - left < piece_count)
            piece = piece + 1 < piece_count ? piece + 1 : 0;
        if (left == 0 || began - left == piece_count) {
            free(out);
            return NULL;
        }
        out[i] = (int32_t)piece;
    }
    return out;
}

/* ---- reading ---- */
