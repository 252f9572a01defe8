/* The rows of one chunk: which of them are damaged, what its own row must be judging by the
 * others, and single wrong bits in them. */
#include "codec/chunk_codec.h"
#include "codec/level_parse.h"
#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/repair/repair_impl.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/feature_rows.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/rows/rows.h"

#include <stdlib.h>
#include <string.h>

void repair_chunk_dispose(repair_chunk *c)
{
    repair_rows_dispose(&c->row);
    repair_rows_dispose(&c->levels);
    repair_rows_dispose(&c->features);
    repair_rows_dispose(&c->events);
}

ptl_status repair_chunk_read(repair_chunk *out, ptl_store *store, int64_t id, ptl_error *err)
{
    static const row_table_id features[] = {TABLE_CITY, TABLE_RADIO, TABLE_SPECIAL, TABLE_PACK};
    memset(out, 0, sizeof *out);
    out->id = id;
    TRY(repair_rows_read(&out->row, store, TABLE_CHUNK, id, err));
    TRY(repair_rows_read(&out->levels, store, TABLE_LEVEL, id, err));
    for (int i = 0; i < 4; i++)
        TRY(repair_rows_read(&out->features, store, features[i], id, err));
    return repair_rows_read(&out->events, store, TABLE_EVENT, id, err);
}

static ptl_status row_good(repairer *r, repair_row *row, bool *good, ptl_error *err)
{
    repair_rows one = {.list = row, .count = 1};
    const repair_unit unit = repair_unit_of(REPAIR_UNIT_ROW, &one);
    return repair_unit_good(&unit, &r->scratch, good, err);
}

/* ---- levels ---- */

/* Computes the level mask that the rows give, and the checksum over the rows' checksums. */
static ptl_status sum_levels(repairer *r, const repair_chunk *c, uint32_t *mask, int64_t *sum,
                             ptl_error *err)
{
    *mask = 0;
    rowsum_begin(&r->scratch, "levels");
    for (size_t i = 0; i < c->levels.count; i++) {
        *mask |= UINT32_C(1) << (repair_int(&c->levels.list[i], 0) & 31);
        rowsum_int(&r->scratch, repair_int(&c->levels.list[i], LEVEL_COLUMN_CHECKSUM));
    }
    return rowsum_end(&r->scratch, sum, err);
}

static ptl_status levels_good(repairer *r, const repair_chunk *c, bool *good, ptl_error *err)
{
    const repair_row *row = &c->row.list[0];
    uint32_t mask = 0;
    int64_t sum = 0;
    *good = true;
    for (size_t i = 0; i < c->levels.count && *good; i++)
        TRY(row_good(r, &c->levels.list[i], good, err));
    if (!*good)
        return PTL_OK;
    ptl_status status = sum_levels(r, c, &mask, &sum, err);
    *good = status == PTL_OK && mask < UINT32_C(1) << PTL_LEVELS &&
            mask == repair_int(row, CHUNK_COLUMN_LEVEL_MASK) &&
            sum == repair_int(row, CHUNK_COLUMN_LEVELS_CHECKSUM);
    return status;
}

/* Computes the digest of the decoded tiles; PTL_ERR_CORRUPT if they can't be decoded. */
static ptl_status tiles_of(digest *out, repairer *r, const repair_chunk *c, level_runs *uniform,
                           ptl_error *err)
{
    const repair_row *row = &c->row.list[0];
    const repair_value *fill = &row->values[CHUNK_COLUMN_FILL];
    const size_t limit = dictionary_size(r->store);
    uint32_t numbers[PTL_LEVELS];
    row_scratch *scratch = r->store->scratch;
    omt_digest tiles;
    size_t next = 0;
    TRY(fill_parse(numbers, repair_bytes(fill), fill->size, limit, err));
    omt_digest_init(&tiles, (ptl_chunk_pos){(int32_t)repair_int(row, CHUNK_COLUMN_X),
                                            (int32_t)repair_int(row, CHUNK_COLUMN_Y)});
    ptl_status status = PTL_OK;
    for (uint32_t i = 0; i < PTL_LEVELS && status == PTL_OK; i++) {
        const level_runs *runs = uniform;
        if (next < c->levels.count && (repair_int(&c->levels.list[next], 0) & 31) == i) {
            const repair_value *blob = &c->levels.list[next++].values[LEVEL_COLUMN_OMTS];
            status =
                level_parse(&runs, scratch->codec, repair_bytes(blob), blob->size, limit, err);
        } else {
            level_runs_uniform(uniform, numbers[i]);
        }
        THEN(status, omt_digest_level(&tiles, runs, dictionary_name, r->store, err));
    }
    omt_digest_final(&tiles, out);
    return status;
}

static ptl_status omt_digest_of(digest *out, repairer *r, const repair_chunk *c, ptl_error *err)
{
    level_runs *uniform = level_runs_new();
    if (!uniform)
        return error_nomem(err);
    ptl_status status = dictionary_refresh(r->store, err);
    THEN(status, tiles_of(out, r, c, uniform, err));
    level_runs_free(uniform);
    return status;
}

static bool same_digest(const repair_value *stored, const digest *found)
{
    return stored->type == ROW_BLOB && stored->size == DIGEST_SIZE &&
           memcmp(stored->data, found->bytes, DIGEST_SIZE) == 0;
}

/* ---- features and events ---- */

static ptl_status features_digest_of(digest *out, repairer *r, const repair_chunk *c,
                                     int64_t checksum, ptl_error *err)
{
    feature_set set;
    const repair_row *row = &c->row.list[0];
    const ptl_chunk_pos pos = {(int32_t)repair_int(row, CHUNK_COLUMN_X),
                               (int32_t)repair_int(row, CHUNK_COLUMN_Y)};
    memset(&set, 0, sizeof set);
    ptl_status status = feature_rows_read(&set, r->store, c->id, checksum, err);
    THEN(status, feature_set_digest(out, &set, pos, err));
    feature_set_dispose(&set);
    return status;
}

/* Turns damage into *good = false: here it is an answer and not a failure. */
static ptl_status soften(ptl_status status, bool *good, ptl_error *err)
{
    if (status != PTL_ERR_CORRUPT)
        return status;
    *good = false;
    error_clear(err);
    return PTL_OK;
}

/* Checks the row, the tiles, the features and the events each by itself, since each of them is
 * repaired in another way. */
ptl_status repair_chunk_check(repairer *r, const repair_chunk *c, unsigned *bad, ptl_error *err)
{
    bool good = false;
    digest found;
    *bad = 0;
    const repair_row *row = &c->row.list[0];
    ptl_status status = row_good(r, &c->row.list[0], &good, err);
    *bad |= good ? 0 : REPAIR_BAD_ROW;
    THEN(status, levels_good(r, c, &good, err));
    if (status == PTL_OK && good) {
        status = soften(omt_digest_of(&found, r, c, err), &good, err);
        good = good && same_digest(&row->values[CHUNK_COLUMN_OMT_DIGEST], &found);
    }
    *bad |= good ? 0 : REPAIR_BAD_TILES;
    if (status == PTL_OK) {
        good = true;
        status = soften(features_digest_of(
                            &found, r, c, repair_int(row, CHUNK_COLUMN_FEATURES_CHECKSUM), err),
                        &good, err);
        good = good && same_digest(&row->values[CHUNK_COLUMN_FEATURE_DIGEST], &found);
        *bad |= good ? 0 : REPAIR_BAD_FEATURES;
    }
    good = true;
    for (size_t i = 0; i < c->events.count && status == PTL_OK && good; i++) {
        status = row_good(r, &c->events.list[i], &good, err);
        good = good && repair_int(&c->events.list[i], EVENT_COLUMN_NUMBER) == (int64_t)i;
    }
    *bad |= good ? 0 : REPAIR_BAD_EVENTS;
    return status;
}

/* ---- the chunk's row ---- */

static ptl_status add_digest(repair_choice *choice, const digest *d, ptl_error *err)
{
    uint8_t data[DIGEST_SIZE];
    memcpy(data, d->bytes, sizeof data);
    const repair_value value = {.type = ROW_BLOB, .data = data, .size = sizeof data};
    return repair_choice_add(choice, &value, err);
}

static ptl_status add_integer(repair_choice *choice, int64_t number, ptl_error *err)
{
    const repair_value value = repair_integer(number);
    return repair_choice_add(choice, &value, err);
}

static repair_unit features_unit(repair_chunk *c)
{
    return (repair_unit){
        .kind = REPAIR_UNIT_FEATURES,
        .rows = c->features.list,
        .count = c->features.count,
        .stored =
            c->row.count ? repair_int(&c->row.list[0], CHUNK_COLUMN_FEATURES_CHECKSUM) : 0};
}

/* Derives values of the chunk's row from its other rows. */
static ptl_status derive(repairer *r, repair_chunk *c, repair_choice choices[5], ptl_error *err)
{
    uint32_t mask = 0;
    int64_t levels = 0, features = 0;
    digest found;
    bool good = true;
    const repair_unit unit = features_unit(c);
    ptl_status status = sum_levels(r, c, &mask, &levels, err);
    THEN(status, add_integer(&choices[0], mask, err));
    THEN(status, add_integer(&choices[1], levels, err));
    THEN(status, repair_unit_sum(&unit, &r->scratch, &features, err));
    THEN(status, add_integer(&choices[2], features, err));
    THEN(status, soften(omt_digest_of(&found, r, c, err), &good, err));
    if (status == PTL_OK && good)
        status = add_digest(&choices[3], &found, err);
    good = true;
    THEN(status, soften(features_digest_of(&found, r, c, features, err), &good, err));
    return status == PTL_OK && good ? add_digest(&choices[4], &found, err) : status;
}

enum { DERIVED = 5 };

ptl_status repair_chunk_row(repairer *r, repair_chunk *c, bool *fixed, ptl_error *err)
{
    repair_choice choices[DERIVED + ROW_COLUMNS_MAX];
    repair_change change = {0};
    size_t count = DERIVED;
    const int derived[DERIVED] = {CHUNK_COLUMN_LEVEL_MASK, CHUNK_COLUMN_LEVELS_CHECKSUM,
                                  CHUNK_COLUMN_FEATURES_CHECKSUM, CHUNK_COLUMN_OMT_DIGEST,
                                  CHUNK_COLUMN_FEATURE_DIGEST};
    for (int i = 0; i < DERIVED; i++)
        choices[i] = (repair_choice){.column = derived[i]};
    ptl_status status = derive(r, c, choices, err);
    THEN(status, repair_choices_of(choices, &count, r->store, TABLE_CHUNK, err));
    repair_unit unit = repair_unit_of(REPAIR_UNIT_ROW, &c->row);
    THEN(status, repair_unit_choose(r, &unit, choices, count, &change, err));
    for (size_t i = 0; i < count; i++)
        repair_choice_dispose(&choices[i]);
    *fixed = change.found;
    return status;
}

/* ---- single bits ---- */

/* Writes the rows of the second list that differ from those at the same place of the first. */
static ptl_status replace_changed(repairer *r, const repair_rows *old, const repair_rows *rows,
                                  ptl_error *err)
{
    for (size_t i = 0; i < rows->count; i++)
        if (!repair_row_equal(&old->list[i], &rows->list[i]))
            TRY(repair_row_replace(r->store, &old->list[i], &rows->list[i], err));
    return PTL_OK;
}

/* Corrects a single bit in each damaged row of the list, by the row's own checksum. */
static ptl_status flip_rows(repairer *r, repair_rows *rows, row_table_id table, ptl_error *err)
{
    for (size_t i = 0; i < rows->count; i++) {
        bool good = true;
        repair_change change;
        repair_rows one = {.list = &rows->list[i], .count = 1};
        if (rows->list[i].table != table)
            continue;
        repair_unit unit = repair_unit_of(REPAIR_UNIT_ROW, &one);
        TRY(repair_unit_good(&unit, &r->scratch, &good, err));
        if (!good)
            TRY(repair_unit_flip(r, &unit, ROW_COLUMNS_MAX, &change, err));
    }
    return PTL_OK;
}

static ptl_status flip_features(repairer *r, repair_chunk *c, ptl_error *err)
{
    repair_unit unit = features_unit(c);
    repair_change change;
    bool good = true;
    TRY(flip_rows(r, &c->features, TABLE_PACK, err));
    TRY(repair_unit_good(&unit, &r->scratch, &good, err));
    if (!good)
        TRY(repair_unit_flip(r, &unit, ROW_COLUMNS_MAX, &change, err));
    return PTL_OK;
}

ptl_status repair_chunk_bits(repairer *r, repair_chunk *c, unsigned *bad, ptl_error *err)
{
    repair_chunk old;
    ptl_status status = repair_chunk_read(&old, r->store, c->id, err);
    if (status == PTL_OK && (*bad & REPAIR_BAD_TILES))
        status = flip_rows(r, &c->levels, TABLE_LEVEL, err);
    if (status == PTL_OK && (*bad & REPAIR_BAD_FEATURES))
        status = flip_features(r, c, err);
    if (status == PTL_OK && (*bad & REPAIR_BAD_TILES))
        status = replace_changed(r, &old.levels, &c->levels, err);
    if (status == PTL_OK && (*bad & REPAIR_BAD_FEATURES))
        status = replace_changed(r, &old.features, &c->features, err);
    repair_chunk_dispose(&old);
    return status == PTL_OK ? repair_chunk_check(r, c, bad, err) : status;
}

ptl_status repair_chunk_set_aside(repairer *r, const repair_chunk *c, const char *reason,
                                  ptl_error *err)
{
    const repair_row *row = c->row.count ? &c->row.list[0] : NULL;
    const repair_rows *const lists[] = {&c->row, &c->levels, &c->features, &c->events};
    for (int i = 0; i < 4; i++)
        TRY(repair_set_aside(r, lists[i], row, reason, err));
    return overview_row_delete(r->store, c->id, err);
}
