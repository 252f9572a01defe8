#include "store/sqlite/rows/feature_rows.h"

#include "codec/feature_codec.h"
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_values.h"

#include <stdio.h>
#include <string.h>

enum { PLACE_ROOM = 16 };

static const char PLACE[] = "{x}-{y}";

/* Writes the station's place as messages name it, in OMTs of the chunk. */
static void print_place(char out[PLACE_ROOM], const gen_radio *r)
{
    snprintf(out, PLACE_ROOM, "%d-%d", r->x / 2, r->y / 2);
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

ptl_status radio_rows_insert(ptl_store *store, row_scratch *scratch, int64_t chunk_id,
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

/* ---- reading ---- */

static ptl_status damaged(size_t number, const char *what, ptl_error *err)
{
    return error_set(err, PTL_ERR_CORRUPT, "radio %zu: %s", number, what);
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
        return damaged(rows->radio_count, "its message is not there", err);
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

ptl_status radio_row_add(gen_features *rows, ptl_store *store, const stmt *s, ptl_error *err)
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
        return damaged(rows->radio_count, problem, err);
    TRY(take_message(&radio, rows, store, s, err));
    gen_radio *entry = features_add_radio(rows);
    if (!entry)
        return error_nomem(err);
    *entry = radio;
    return PTL_OK;
}
