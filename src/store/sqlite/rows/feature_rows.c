#include "store/sqlite/rows/feature_rows.h"

#include "codec/feature_codec.h"
#include "core/array.h"
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

/* ---- messages of radio stations ---- */

enum { PLACE_ROOM = 16 };
static const char PLACE[] = "{x}-{y}";

/* Writes the place of a radio station as messages name it, in OMTs of the chunk. */
static void print_place(char out[PLACE_ROOM], const gen_radio *r)
{
    snprintf(out, PLACE_ROOM, "%d-%d", r->x / 2, r->y / 2);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

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

/* ---- writing features ---- */

/* Makes the values of a row of table pack, with its checksum. Such a row holds all features of
 * one kind of a chunk, for example its buildings. */
static ptl_status make_pack(row_value out[PACK_COLUMN_COUNT], row_scratch *scratch, int64_t id,
                            const void *blob, size_t size, ptl_error *err)
{
    out[PACK_COLUMN_ID] = row_int(id);
    out[PACK_COLUMN_DATA] = row_blob(blob, size);
    return row_seal(out, row_table_of(TABLE_PACK), &scratch->sum, err);
}

/* Inserts the chunk's radios, and adds their values to the input of features_checksum, which is
 * collected in scratch->levels. */
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
        TRY(row_insert(store, TABLE_RADIO, v, err));
    }
    return PTL_OK;
}

/* Inserts the chunk's specials, and adds their values to the input of features_checksum, which
 * is collected in scratch->levels. */
static ptl_status special_rows_insert(ptl_store *store, row_scratch *scratch, int64_t chunk_id,
                                      const special_rows *rows, ptl_error *err)
{
    const row_table *t = row_table_of(TABLE_SPECIAL);
    row_inserter in = {store, TABLE_SPECIAL, .left = rows->count};
    for (size_t i = 0; i < rows->count; i++) {
        const gen_placement *p = &rows->list[i].placement;
        uint32_t number;
        TRY(names_numbers(store, &rows->list[i].id, 1, &number, err));
        const row_value v[SPECIAL_COLUMN_COUNT] = {
            [SPECIAL_COLUMN_ID] = row_int(chunk_id * FEATURE_SPECIALS_MAX + (int64_t)i),
            [SPECIAL_COLUMN_SPECIAL] = row_int(number),
            [SPECIAL_COLUMN_X] = row_int(p->x),
            [SPECIAL_COLUMN_Y] = row_int(p->y),
            [SPECIAL_COLUMN_Z] = row_int(p->z),
            [SPECIAL_COLUMN_ROTATION] = row_int(p->rotation),
            [SPECIAL_COLUMN_CITY] =
                p->city >= 0 ? row_int(p->city) : (row_value){.type = ROW_NULL},
            [SPECIAL_COLUMN_DRAW] = row_int(p->draw),
            [SPECIAL_COLUMN_OMTS] = row_int(p->omts)};
        rowsum_text(&scratch->levels, t->name);
        rowsum_values(&scratch->levels, t, v, 0);
        TRY(row_insert_next(&in, v, err));
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
        TRY(row_insert(store, TABLE_CITY, v, err));
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
        TRY(row_insert(store, TABLE_PACK, v, err));
    }
    return rowsum_end(&scratch->levels, checksum, err);
}

/* ---- reading features ---- */

static ptl_status damaged(const char *table, size_t number, const char *what, ptl_error *err)
{
    return error_set(err, PTL_ERR_CORRUPT, "%s %zu: %s", table, number, what);
}

/* Returns a column's value. If the value is not in low..high, returns `low` and sets *fits to
 * false. */
static int32_t take(const stmt *s, int column, int32_t low, int32_t high, bool *fits)
{
    int64_t v = stmt_int(s, column);
    *fits = *fits && v >= low && v <= high;
    return v >= low && v <= high ? (int32_t)v : low;
}

static int16_t take_short(const stmt *s, int column, bool *fits)
{
    return (int16_t)take(s, column, INT16_MIN, INT16_MAX, fits);
}

/* Returns the text of a number in the table `name`; NULL if the number has no row. */
static const char *text_of(const ptl_store *store, int64_t number)
{
    return number > 0 && (uint64_t)number < names_size(store)
               ? names_text(store, (uint32_t)number)
               : NULL;
}

static ptl_status add_city(gen_features *rows, ptl_store *store, const stmt *s, ptl_error *err)
{
    (void)store;
    bool fits = true;
    gen_city city = {.x = take_short(s, CITY_COLUMN_X, &fits),
                     .y = take_short(s, CITY_COLUMN_Y, &fits),
                     .size = take_short(s, CITY_COLUMN_SIZE, &fits),
                     .planned_x = take_short(s, CITY_COLUMN_PLANNED_X, &fits),
                     .planned_y = take_short(s, CITY_COLUMN_PLANNED_Y, &fits)};
    const char *problem = fits ? city_problem(&city) : "a value out of range";
    if (problem)
        return damaged("city", rows->city_count, problem, err);
    city.name = features_text(rows, stmt_text(s, CITY_COLUMN_NAME));
    gen_city *entry = city.name ? features_add_city(rows) : NULL;
    if (!entry)
        return error_nomem(err);
    *entry = city;
    return PTL_OK;
}

/* Sets the message of a radio from the table `name`. If the stored text has the placeholder
 * PLACE, the station's own place is put in. The message belongs to `rows`. */
static ptl_status take_message(gen_radio *r, gen_features *rows, const ptl_store *store,
                               const stmt *s, ptl_error *err)
{
    const bool silent = stmt_is_null(s, RADIO_COLUMN_MESSAGE);
    const char *text = silent ? "" : text_of(store, stmt_int(s, RADIO_COLUMN_MESSAGE));
    const char *at = text && stmt_int(s, RADIO_COLUMN_PLACED) ? strstr(text, PLACE) : NULL;
    if (!text || (stmt_int(s, RADIO_COLUMN_PLACED) && !at))
        return damaged("radio", rows->radio_count, "its message is not there", err);
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

/* Adds the statement's current row of table radio to rows->radios. The caller has refreshed the
 * dictionary. */
static ptl_status add_radio(gen_features *rows, ptl_store *store, const stmt *s, ptl_error *err)
{
    bool fits = true;
    gen_radio radio = {.x = take_short(s, RADIO_COLUMN_X, &fits),
                       .y = take_short(s, RADIO_COLUMN_Y, &fits),
                       .strength = take_short(s, RADIO_COLUMN_STRENGTH, &fits),
                       .weather = take(s, RADIO_COLUMN_WEATHER, 0, 1, &fits) != 0,
                       .frequency =
                           take(s, RADIO_COLUMN_FREQUENCY, INT32_MIN, INT32_MAX, &fits)};
    const char *problem = fits ? radio_problem(&radio) : "a value out of range";
    if (problem)
        return damaged("radio", rows->radio_count, problem, err);
    TRY(take_message(&radio, rows, store, s, err));
    gen_radio *entry = features_add_radio(rows);
    if (!entry)
        return error_nomem(err);
    *entry = radio;
    return PTL_OK;
}

typedef struct row_list {
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
    ptl_status status =
        stmt_begin(&s, store, stmt_of(list->table, ROWS_OWNED), STMT_VALUES(chunk_id), err);
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

static ptl_status read_row(special_rows *out, const ptl_store *store, const stmt *s,
                           size_t city_count, ptl_error *err)
{
    const size_t number = out->count;
    if (stmt_int(s, SPECIAL_COLUMN_ID) % FEATURE_SPECIALS_MAX != (int64_t)number)
        return damaged("special_placement", number, "its number is missing", err);
    bool fits = true;
    const gen_placement p = {
        .x = take_short(s, SPECIAL_COLUMN_X, &fits),
        .y = take_short(s, SPECIAL_COLUMN_Y, &fits),
        .z = (int8_t)take(s, SPECIAL_COLUMN_Z, INT8_MIN, INT8_MAX, &fits),
        .rotation = (uint8_t)take(s, SPECIAL_COLUMN_ROTATION, 0, UINT8_MAX, &fits),
        .city = (int16_t)(stmt_is_null(s, SPECIAL_COLUMN_CITY)
                              ? FEATURE_NO_CITY
                              : take(s, SPECIAL_COLUMN_CITY, 0, INT16_MAX, &fits)),
        .draw = (int16_t)take(s, SPECIAL_COLUMN_DRAW, 0, INT16_MAX, &fits),
        .omts = take(s, SPECIAL_COLUMN_OMTS, 0, INT32_MAX, &fits)};
    const char *problem = fits ? special_problem(&p, city_count) : "a value out of range";
    if (problem)
        return damaged("special_placement", number, problem, err);
    const char *id = text_of(store, stmt_int(s, SPECIAL_COLUMN_SPECIAL));
    if (!id)
        return damaged("special_placement", number, "its special has no name", err);
    special_row *row = special_rows_add(out);
    if (!row)
        return error_nomem(err);
    *row = (special_row){id, p};
    return PTL_OK;
}

ptl_status special_rows_read(special_rows *out, ptl_store *store, row_scratch *scratch,
                             int64_t chunk_id, size_t city_count, ptl_error *err)
{
    const row_table *t = row_table_of(TABLE_SPECIAL);
    stmt *s = NULL;
    out->count = 0;
    ptl_status status =
        stmt_begin(&s, store, stmt_of(TABLE_SPECIAL, ROWS_OWNED), STMT_VALUES(chunk_id), err);
    while (stmt_row(s, &status, err)) {
        rowsum_text(&scratch->levels, t->name);
        rowsum_row(&scratch->levels, t, s, 0);
        status = read_row(out, store, s, city_count, err);
    }
    stmt_reset(s);
    return status;
}

/* Finds the texts of the names that the features in a pack have (a pack is a blob with all
 * features of one kind of a chunk). The texts are borrowed from the dictionary. */
static ptl_status find_names(feature_set *set, pack_kind kind, ptl_store *store, ptl_error *err)
{
    const pack_table *t = &set->tables[kind];
    if (!ARRAY_ROOM(set->names[kind], set->name_room[kind], t->name_count))
        return error_nomem(err);
    for (size_t i = 0; i < t->name_count; i++) {
        set->names[kind][i] = names_text(store, t->numbers[i]);
        if (!set->names[kind][i])
            return error_set(err, PTL_ERR_CORRUPT, "pack: number %u has no name",
                             (unsigned)t->numbers[i]);
    }
    return PTL_OK;
}

/* Reads one row of table pack, that is, all features of one kind of a chunk. The pieces of a
 * chunk must be read before its joins, which refer to them. */
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
            /* Reads the chunk's pieces, since joins refer to them; their names are not needed.
             * It is no error here if the chunk has no pieces. */
            stmt *s = NULL;
            bool row = false;
            status = stmt_find(&s, &row, store, STMT_PACK_FIND,
                               STMT_VALUES(chunk_id * PACK_IDS + PACK_PIECES), err);
            if (row) {
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

ptl_status feature_rows_read(feature_set *out, ptl_store *store, int64_t chunk_id,
                             int64_t features_checksum, ptl_error *err)
{
    static const row_list lists[] = {{TABLE_CITY, FEATURE_CITIES_MAX, add_city},
                                     {TABLE_RADIO, FEATURE_RADIOS_MAX, add_radio}};
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
    ptl_status status = stmt_begin(&s, store, STMT_PACKS, STMT_VALUES(chunk_id), err);
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

/* ---- features with the indices of a catalogue ---- */

/* Reads a chunk's features. The statement of its row stays open until all is read, so
 * everything is read in one transaction. If `all` is true, a definition that the catalogue
 * lacks becomes CAT_NONE; otherwise it is PTL_ERR_MISMATCH. */
static ptl_status read_features(gen_features *out, bool *found, ptl_store *store,
                                int64_t world_id, ptl_chunk_pos pos, const catalogue *cat,
                                bool all, ptl_error *err)
{
    stmt *s = NULL;
    features_reset(out);
    ptl_status status =
        stmt_find(&s, found, store, STMT_CHUNK_FIND, STMT_VALUES(world_id, pos.x, pos.y), err);
    if (*found) {
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
