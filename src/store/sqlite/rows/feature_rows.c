#include "store/sqlite/rows/feature_rows.h"

#include "codec/feature_codec.h"
#include "core/error.h"
#include "model/catalogue.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_values.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

/* Makes a row of table `pack`, with its checksum. */
static ptl_status make_pack(row_value out[PACK_COLUMN_COUNT], row_scratch *scratch, int64_t id,
                            const void *blob, size_t size, ptl_error *err)
{
    out[PACK_COLUMN_ID] = row_int(id);
    out[PACK_COLUMN_DATA] = row_blob(blob, size);
    return row_seal(out, row_table_of(TABLE_PACK), &scratch->sum, err);
}

/* Inserts the rows, inside the caller's transaction, and adds their values to the checksum
 * that is gathered in scratch->levels. */
static ptl_status radio_rows_insert(ptl_store *store, row_scratch *scratch, int64_t chunk_id,
                                    const gen_features *f, ptl_error *err)
{
    for (size_t i = 0; i < f->radio_count; i++) {
        const gen_radio *r = &f->radios[i];
        const row_table *t = row_table_of(TABLE_RADIO);
        uint32_t number = 0;
        bool placed = false;
        if (r->message[0] != '\0') {
            const char *text = radio_row_text(r, &scratch->blob);
            if (!text)
                return error_nomem(err);
            placed = scratch->blob.size > 0;
            TRY(names_numbers(store, &text, 1, &number, err));
        }
        const row_value v[RADIO_COLUMN_COUNT] = {
            [RADIO_COLUMN_CHUNK_ID] = row_int(chunk_id),
            [RADIO_COLUMN_NUMBER] = row_int((int64_t)i),
            [RADIO_COLUMN_X] = row_int(r->x),
            [RADIO_COLUMN_Y] = row_int(r->y),
            [RADIO_COLUMN_STRENGTH] = row_int(r->strength),
            [RADIO_COLUMN_WEATHER] = row_int(r->weather),
            [RADIO_COLUMN_FREQUENCY] = row_int(r->frequency),
            [RADIO_COLUMN_MESSAGE] = number ? row_int(number) : (row_value){.type = ROW_NULL},
            [RADIO_COLUMN_PLACED] = row_int(placed)};
        rowsum_text(&scratch->levels, t->name);
        rowsum_values(&scratch->levels, t, v, 0);
        TRY(row_insert(store, STMT_RADIO_INSERT, t, v, err));
    }
    return PTL_OK;
}

ptl_status feature_rows_insert(int64_t *checksum, ptl_store *store, int64_t chunk_id,
                               const encoded_features *f, ptl_error *err)
{
    row_scratch *scratch = store->scratch;
    rowsum_begin(&scratch->levels, "features");
    for (size_t i = 0; i < f->rows.city_count; i++) {
        const gen_city *c = &f->rows.cities[i];
        const row_table *t = row_table_of(TABLE_CITY);
        const row_value v[CITY_COLUMN_COUNT] = {[CITY_COLUMN_CHUNK_ID] = row_int(chunk_id),
                                                [CITY_COLUMN_NUMBER] = row_int((int64_t)i),
                                                [CITY_COLUMN_NAME] = row_text(c->name),
                                                [CITY_COLUMN_X] = row_int(c->x),
                                                [CITY_COLUMN_Y] = row_int(c->y),
                                                [CITY_COLUMN_SIZE] = row_int(c->size),
                                                [CITY_COLUMN_PLANNED_X] = row_int(c->planned_x),
                                                [CITY_COLUMN_PLANNED_Y] =
                                                    row_int(c->planned_y)};
        rowsum_text(&scratch->levels, t->name);
        rowsum_values(&scratch->levels, t, v, 0);
        TRY(row_insert(store, STMT_CITY_INSERT, t, v, err));
    }
    TRY(radio_rows_insert(store, scratch, chunk_id, &f->rows, err));
    TRY(special_rows_insert(store, scratch, chunk_id, &f->specials, err));
    for (int kind = 0; kind < PACK_KINDS; kind++) {
        bytes *blob = &scratch->blob;
        row_value v[PACK_COLUMN_COUNT];
        if (f->packs[kind].count == 0)
            continue;
        bytes_clear(blob);
        TRY(names_put_pack(blob, store, &f->packs[kind], err));
        TRY(make_pack(v, scratch, chunk_id * PACK_IDS + kind, blob->data, blob->size, err));
        rowsum_int(&scratch->levels, v[PACK_COLUMN_CHECKSUM].integer);
        TRY(row_insert(store, STMT_PACK_INSERT, row_table_of(TABLE_PACK), v, err));
    }
    return rowsum_end(&scratch->levels, checksum, err);
}

ptl_status feature_rows_delete(ptl_store *store, int64_t chunk_id, ptl_error *err)
{
    static const stmt_id tables[] = {STMT_CITIES_DELETE, STMT_RADIOS_DELETE,
                                     STMT_SPECIALS_DELETE, STMT_PACKS_DELETE};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        TRY(stmt_run_with(store, tables[i], (const int64_t[]){chunk_id}, 1, err));
    return PTL_OK;
}

/* ---- reading ---- */

/* Gets the value of a column that is an int16_t in memory; false if it is out of range. */
static bool take_short(const stmt *s, int column, int16_t *out)
{
    int64_t v = stmt_int(s, column);
    *out = (int16_t)v;
    return v == *out;
}

static ptl_status damaged(const char *table, size_t number, const char *what, ptl_error *err)
{
    return error_set(err, PTL_ERR_CORRUPT, "%s %zu: %s", table, number, what);
}

static ptl_status add_city(gen_features *rows, ptl_store *store, const stmt *s, ptl_error *err)
{
    (void)store;
    size_t number = rows->city_count;
    gen_city city = {0};
    bool fits = take_short(s, CITY_COLUMN_X, &city.x) &&
                take_short(s, CITY_COLUMN_Y, &city.y) &&
                take_short(s, CITY_COLUMN_SIZE, &city.size) &&
                take_short(s, CITY_COLUMN_PLANNED_X, &city.planned_x) &&
                take_short(s, CITY_COLUMN_PLANNED_Y, &city.planned_y);
    const char *problem = fits ? city_problem(&city) : "a value out of range";
    if (problem)
        return damaged("city", number, problem, err);
    city.name = features_text(rows, stmt_text(s, CITY_COLUMN_NAME));
    gen_city *entry = city.name ? features_add_city(rows) : NULL;
    if (!entry)
        return error_nomem(err);
    *entry = city;
    return PTL_OK;
}

typedef struct row_list {
    stmt_id statement;
    row_table_id table;
    size_t most;
    ptl_status (*add)(gen_features *rows, ptl_store *store, const stmt *s, ptl_error *err);
} row_list;

static ptl_status read_list(gen_features *rows, const row_list *list, ptl_store *store,
                            row_scratch *scratch, int64_t chunk_id, ptl_error *err)
{
    static_assert((int)CITY_COLUMN_NUMBER == (int)RADIO_COLUMN_NUMBER, "one form of key");
    const row_table *t = row_table_of(list->table);
    stmt *s = NULL;
    TRY(stmt_prepared(&s, store, list->statement, err));
    stmt_bind_int(s, 1, chunk_id);
    ptl_status status = PTL_OK;
    for (size_t count = 0; stmt_row(s, &status, err); count++) {
        rowsum_text(&scratch->levels, t->name);
        rowsum_row(&scratch->levels, t, s, 0);
        if (stmt_int(s, CITY_COLUMN_NUMBER) != (int64_t)count || count >= list->most)
            status = damaged(t->name, count, "its number is missing", err);
        else
            status = list->add(rows, store, s, err);
    }
    stmt_reset(s);
    return status;
}

/* Finds the texts of a pack's names, which are borrowed from the dictionary. */
static ptl_status find_names(feature_set *set, pack_kind kind, ptl_store *store, ptl_error *err)
{
    const pack_table *t = &set->tables[kind];
    if (t->name_count > set->name_room[kind]) {
        const char **names = malloc(t->name_count * sizeof *names);
        if (!names)
            return error_nomem(err);
        free(set->names[kind]);
        set->names[kind] = names;
        set->name_room[kind] = t->name_count;
    }
    for (size_t i = 0; i < t->name_count; i++) {
        set->names[kind][i] = names_text(store, t->numbers[i]);
        if (!set->names[kind][i])
            return error_set(err, PTL_ERR_CORRUPT, "pack: number %u has no name",
                             (unsigned)t->numbers[i]);
    }
    return PTL_OK;
}

/* Reads the table of one pack. Pieces must be read before joins, since joins refer to them. */
static ptl_status read_table(feature_set *out, ptl_store *store, int64_t id, int64_t checksum,
                             const void *blob, size_t size, ptl_error *err)
{
    row_scratch *scratch = store->scratch;
    row_value v[PACK_COLUMN_COUNT];
    const int64_t kind = id % PACK_IDS;
    TRY(make_pack(v, scratch, id, blob, size, err));
    if ((v[PACK_COLUMN_CHECKSUM].integer != checksum || kind < 0 || kind >= PACK_KINDS))
        return error_set(err, PTL_ERR_CORRUPT, "table pack, row %lld: checksum differs",
                         (long long)id);
    TRY(names_refresh(store, err));
    if (kind == PACK_PIECES)
        out->pieces_of = 0;
    TRY(pack_parse(&out->tables[kind], scratch->codec, (pack_kind)kind, blob, size,
                   names_size(store), err));
    if (kind == PACK_PIECES)
        out->pieces_of = id / PACK_IDS;
    return PTL_OK;
}

ptl_status feature_pack_read(feature_set *out, ptl_store *store, int64_t id, int64_t checksum,
                             const void *blob, size_t size, ptl_error *err)
{
    const int64_t kind = id % PACK_IDS, chunk_id = id / PACK_IDS;
    const uint8_t *version = blob;
    ptl_status status = PTL_OK;
    if (kind == PACK_JOINS) {
        if (out->pieces_of != chunk_id && size > 0 && *version == PACK_VERSION_PIECES) {
            /* Joins refer to the chunk's pieces, but nobody asks for those pieces' names. It is
             * no error here if there are none. */
            stmt *s = NULL;
            bool row = false;
            TRY(stmt_prepared(&s, store, STMT_PACK_FIND, err));
            stmt_bind_int(s, 1, chunk_id * PACK_IDS + PACK_PIECES);
            status = stmt_step(s, &row, err);
            if (status == PTL_OK && row) {
                size_t length;
                const void *pieces = stmt_blob(s, PACK_COLUMN_DATA, &length);
                status = read_table(out, store, chunk_id * PACK_IDS + PACK_PIECES,
                                    stmt_int(s, PACK_COLUMN_CHECKSUM), pieces, length, err);
            }
            stmt_reset(s);
        }
        out->tables[kind].pieces =
            out->pieces_of == chunk_id ? &out->tables[PACK_PIECES] : NULL;
    }
    THEN(status, read_table(out, store, id, checksum, blob, size, err));
    THEN(status, find_names(out, (pack_kind)kind, store, err));
    return status;
}

static ptl_status rows_damaged(size_t number, const char *what, ptl_error *err)
{
    return error_set(err, PTL_ERR_CORRUPT, "radio %zu: %s", number, what);
}

enum { PLACE_ROOM = 16 };

static const char PLACE[] = "{x}-{y}";

/* Writes the station's place as messages name it, in OMTs of the chunk. */
static void print_place(char out[PLACE_ROOM], const gen_radio *r)
{
    snprintf(out, PLACE_ROOM, "%d-%d", r->x / 2, r->y / 2);
}

/* Sets the message of a radio whose text holds PLACE: the actual place is put in, and the text
 * is added to `rows`. */
static ptl_status take_message(gen_radio *r, gen_features *rows, const ptl_store *store,
                               const stmt *s, ptl_error *err)
{
    const int64_t number =
        stmt_is_null(s, RADIO_COLUMN_MESSAGE) ? 0 : stmt_int(s, RADIO_COLUMN_MESSAGE);
    const char *text = "";
    if (!stmt_is_null(s, RADIO_COLUMN_MESSAGE))
        text = number > 0 && (uint64_t)number < names_size(store)
                   ? names_text(store, (uint32_t)number)
                   : NULL;
    const char *at = text && stmt_int(s, RADIO_COLUMN_PLACED) ? strstr(text, PLACE) : NULL;
    if (!text || (stmt_int(s, RADIO_COLUMN_PLACED) && !at))
        return rows_damaged(rows->radio_count, "its message is not there", err);
    if (!at) {
        r->message = features_text(rows, text);
        return r->message ? PTL_OK : error_nomem(err);
    }
    char place[PLACE_ROOM];
    bytes whole = {0};
    print_place(place, r);
    bytes_put(&whole, text, (size_t)(at - text));
    bytes_put_text(&whole, place);
    bytes_put_text(&whole, at + strlen(PLACE));
    const char *message = bytes_text(&whole);
    r->message = message ? features_text(rows, message) : NULL;
    bytes_dispose(&whole);
    return r->message ? PTL_OK : error_nomem(err);
}

/* Adds the statement's current row (RADIO_COLUMNS) to rows->radios. The caller has refreshed
 * the dictionary. */
static ptl_status radio_row_add(gen_features *rows, ptl_store *store, const stmt *s,
                                ptl_error *err)
{
    const int64_t x = stmt_int(s, RADIO_COLUMN_X), y = stmt_int(s, RADIO_COLUMN_Y);
    const int64_t strength = stmt_int(s, RADIO_COLUMN_STRENGTH);
    const int64_t weather = stmt_int(s, RADIO_COLUMN_WEATHER);
    const int64_t frequency = stmt_int(s, RADIO_COLUMN_FREQUENCY);
    gen_radio radio = {.x = (int16_t)x,
                       .y = (int16_t)y,
                       .strength = (int16_t)strength,
                       .weather = weather == 1,
                       .frequency = (int32_t)frequency};
    const bool fits = radio.x == x && radio.y == y && radio.strength == strength &&
                      radio.frequency == frequency && weather >= 0 && weather <= 1;
    const char *problem = fits ? radio_problem(&radio) : "a value out of range";
    if (problem)
        return rows_damaged(rows->radio_count, problem, err);
    TRY(take_message(&radio, rows, store, s, err));
    gen_radio *entry = features_add_radio(rows);
    if (!entry)
        return error_nomem(err);
    *entry = radio;
    return PTL_OK;
}

ptl_status feature_rows_read(feature_set *out, ptl_store *store, int64_t chunk_id,
                             int64_t features_checksum, ptl_error *err)
{
    static const row_list lists[] = {
        {STMT_CITIES, TABLE_CITY, FEATURE_CITIES_MAX, add_city},
        {STMT_RADIOS, TABLE_RADIO, FEATURE_RADIOS_MAX, radio_row_add}};
    row_scratch *scratch = store->scratch;
    int64_t sum = 0;
    features_reset(&out->rows);
    out->pieces_of = 0;
    for (size_t kind = 0; kind < PACK_KINDS; kind++)
        out->tables[kind].count = out->tables[kind].name_count = 0;
    TRY(names_refresh(store, err));
    rowsum_begin(&scratch->levels, "features");
    for (size_t i = 0; i < 2; i++)
        TRY(read_list(&out->rows, &lists[i], store, scratch, chunk_id, err));
    TRY(special_rows_read(&out->specials, store, scratch, chunk_id, out->rows.city_count, err));
    stmt *s = NULL;
    TRY(stmt_prepared(&s, store, STMT_PACKS, err));
    stmt_bind_int(s, 1, chunk_id);
    ptl_status status = PTL_OK;
    while (stmt_row(s, &status, err)) {
        size_t size;
        const void *blob = stmt_blob(s, PACK_COLUMN_DATA, &size);
        const int64_t own = stmt_int(s, PACK_COLUMN_CHECKSUM);
        rowsum_int(&scratch->levels, own);
        status =
            feature_pack_read(out, store, stmt_int(s, PACK_COLUMN_ID), own, blob, size, err);
    }
    stmt_reset(s);
    TRY(status);
    TRY(rowsum_end(&scratch->levels, &sum, err));
    if (sum != features_checksum)
        return error_set(err, PTL_ERR_CORRUPT, "features_checksum differs");
    return feature_set_check(out, err);
}

/* A chunk's features in the terms of a catalogue. */

/* Reads a chunk's features. The statement for its row stays open until all is read, which
 * makes it one read transaction. If `all` is set, what the catalogue lacks becomes CAT_NONE;
 * otherwise it is PTL_ERR_MISMATCH. */
static ptl_status read_features(gen_features *out, bool *found, ptl_store *store,
                                int64_t world_id, ptl_chunk_pos pos, const catalogue *cat,
                                bool all, ptl_error *err)
{
    stmt *s = NULL;
    *found = false;
    features_reset(out);
    TRY(stmt_prepared(&s, store, STMT_CHUNK_FIND, err));
    stmt_bind_ints(s, (const int64_t[]){world_id, pos.x, pos.y}, 3);
    ptl_status status = stmt_step(s, found, err);
    if (status == PTL_OK && *found) {
        chunk_info info;
        feature_set set = {0};
        status = chunk_info_read(&info, s, err);
        THEN(status, feature_rows_read(&set, store, info.id,
                                       stmt_int(s, CHUNK_COLUMN_FEATURES_CHECKSUM), err));
        THEN(status, feature_set_resolve(out, &set, cat, all, err));
        feature_set_dispose(&set);
    }
    stmt_reset(s);
    if (status != PTL_OK)
        return error_prefix(err, status, "chunk %d,%d", pos.x, pos.y);
    return PTL_OK;
}

ptl_status sqlite_features_read(gen_features *out, bool *found, ptl_store *store,
                                int64_t world_id, ptl_chunk_pos pos, const catalogue *cat,
                                ptl_error *err)
{
    return read_features(out, found, store, world_id, pos, cat, false, err);
}

ptl_status sqlite_features_read_all(gen_features *out, bool *found, ptl_store *store,
                                    int64_t world_id, ptl_chunk_pos pos, const catalogue *cat,
                                    ptl_error *err)
{
    return read_features(out, found, store, world_id, pos, cat, true, err);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- writing ---- */

const char *radio_row_text(const gen_radio *r, bytes *scratch)
{
    char place[PLACE_ROOM];
    print_place(place, r);
    bytes_clear(scratch);
    const char *at = strstr(r->message, place);
    const size_t size = strlen(place);
    if (at && !strstr(r->message, PLACE) && !is_digit(at[size]) &&
        (at == r->message || !is_digit(at[-1]))) {
        bytes_put(scratch, r->message, (size_t)(at - r->message));
        bytes_put_text(scratch, PLACE);
        bytes_put(scratch, at + size, strlen(at + size) + 1);
    }
    if (scratch->failed)
        return NULL;
    return scratch->size > 0 ? (const char *)scratch->data : r->message;
}
