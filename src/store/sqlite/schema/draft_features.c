/*
 * The features of draft 2. Rows of cities and radios had checksums of their own and radios
 * their messages in full; specials of imported chunks were packed among the buildings, and
 * become rows. Which ids are specials the content says; what it does not know stays a building.
 */
#include "core/error.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/feature_rows.h"
#include "store/sqlite/rows/rowsum.h"
#include "store/sqlite/schema/draft.h"

#include <stdlib.h>
#include <string.h>

enum { CITY_COLUMNS_2 = 8, RADIO_COLUMNS_2 = 8, PACKS_2 = 2, PACK_IDS_2 = 4 };

/* Memory for one chunk after the other. */
struct draft_features {
    encoded_features made;
    pack_table tables[PACKS_2];
    pack_table buildings; /* placements that are no specials */
    bytes sums;           /* of the old checksum over all of them */
    bytes blob;
};

draft_features *draft_features_new(void)
{
    return calloc(1, sizeof(draft_features));
}

void draft_features_free(draft_features *f)
{
    if (!f)
        return;
    encoded_features_dispose(&f->made);
    for (size_t i = 0; i < PACKS_2; i++)
        pack_table_dispose(&f->tables[i]);
    pack_table_dispose(&f->buildings);
    bytes_dispose(&f->sums);
    bytes_dispose(&f->blob);
    free(f);
}

/* The value of a column that has int16_t in memory. */
static bool take_short(const stmt *s, int column, int16_t *out)
{
    int64_t v = stmt_int(s, column);
    *out = (int16_t)v;
    return v == *out;
}

static ptl_status bad_row(const char *table, const stmt *s, ptl_error *err)
{
    return error_set(err, PTL_ERR_CORRUPT, "table %s, chunk %lld, number %lld: a bad value",
                     table, (long long)stmt_int(s, 0), (long long)stmt_int(s, 1));
}

static ptl_status add_city(draft_features *f, const stmt *s, ptl_error *err)
{
    gen_city city = {0};
    bool fits = take_short(s, 3, &city.x) && take_short(s, 4, &city.y) &&
                take_short(s, 5, &city.size) && take_short(s, 6, &city.planned_x) &&
                take_short(s, 7, &city.planned_y);
    if (!fits || city_problem(&city) || stmt_int(s, 1) != (int64_t)f->made.rows.city_count)
        return bad_row("city", s, err);
    city.name = features_text(&f->made.rows, stmt_text(s, 2));
    gen_city *entry = city.name ? features_add_city(&f->made.rows) : NULL;
    if (!entry)
        return error_nomem(err);
    *entry = city;
    return PTL_OK;
}

static ptl_status add_radio(draft_features *f, const stmt *s, ptl_error *err)
{
    const int64_t frequency = stmt_int(s, 6);
    gen_radio radio = {.weather = strcmp(stmt_text(s, 5), "weather") == 0,
                       .frequency = (int32_t)frequency};
    bool fits = take_short(s, 2, &radio.x) && take_short(s, 3, &radio.y) &&
                take_short(s, 4, &radio.strength) && radio.frequency == frequency;
    if (!fits || radio_problem(&radio) || stmt_int(s, 1) != (int64_t)f->made.rows.radio_count)
        return bad_row("radio", s, err);
    radio.message = features_text(&f->made.rows, stmt_text(s, 7));
    gen_radio *entry = radio.message ? features_add_radio(&f->made.rows) : NULL;
    if (!entry)
        return error_nomem(err);
    *entry = radio;
    return PTL_OK;
}

typedef struct old_list {
    const char *table, *sql;
    int columns;
    ptl_status (*add)(draft_features *f, const stmt *s, ptl_error *err);
} old_list;

static const old_list lists[] = {
    {"city",
     "SELECT chunk_id, number, name, x, y, size, planned_x, planned_y, checksum FROM "
     "draft_city "
     "WHERE chunk_id = ? ORDER BY number",
     CITY_COLUMNS_2, add_city},
    {"radio",
     "SELECT chunk_id, number, x, y, strength, kind, frequency, message, checksum "
     "FROM draft_radio WHERE chunk_id = ? ORDER BY number",
     RADIO_COLUMNS_2, add_radio}};

static ptl_status read_list(draft_features *f, ptl_store *store, row_scratch *scratch,
                            const old_list *list, int64_t chunk_id, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(&s, store, list->sql, err);
    if (status == PTL_OK)
        stmt_bind_int(s, 1, chunk_id);
    for (bool row = true; row && status == PTL_OK;) {
        status = stmt_step(s, &row, err);
        if (status != PTL_OK || !row)
            break;
        rowsum_int(&f->sums, stmt_int(s, list->columns));
        status = row_verify(scratch, s, list->table, list->columns, err);
        if (status == PTL_OK)
            status = list->add(f, s, err);
    }
    stmt_free(s);
    return status;
}

/* ---- packs ---- */

static ptl_status read_pack(draft_features *f, ptl_store *store, row_scratch *scratch,
                            const stmt *s, ptl_error *err)
{
    int64_t id = stmt_int(s, 0), sum = 0;
    const int64_t kind = id % PACK_IDS_2;
    size_t size;
    const void *blob = stmt_blob(s, 2, &size);
    rowsum_int(&f->sums, stmt_int(s, 1));
    rowsum_begin(&scratch->sum, "pack");
    rowsum_int(&scratch->sum, id);
    rowsum_blob(&scratch->sum, blob, size);
    ptl_status status = rowsum_end(&scratch->sum, &sum, err);
    if (status == PTL_OK && (sum != stmt_int(s, 1) || kind >= PACKS_2))
        status = error_set(err, PTL_ERR_CORRUPT, "table pack, row %lld: checksum differs",
                           (long long)id);
    if (status != PTL_OK)
        return status;
    return draft_pack_parse(&f->tables[kind], scratch->codec, &f->blob, (pack_kind)kind, blob,
                            size, names_size(store), err);
}

static ptl_status read_packs(draft_features *f, ptl_store *store, row_scratch *scratch,
                             int64_t chunk_id, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(&s, store,
                                     "SELECT id, checksum, data FROM draft_pack "
                                     "WHERE id BETWEEN ?1 * 4 AND ?1 * 4 + 3 ORDER BY id",
                                     err);
    if (status == PTL_OK)
        stmt_bind_int(s, 1, chunk_id);
    for (bool row = true; row && status == PTL_OK;) {
        status = stmt_step(s, &row, err);
        if (status == PTL_OK && row)
            status = read_pack(f, store, scratch, s, err);
    }
    stmt_free(s);
    return status;
}

/* The texts of a table's names, those of `index` (NULL: all), as the names of a new pack. */
static ptl_status name_pack(encoded_pack *pack, ptl_store *store, const pack_table *t,
                            const uint32_t *index, size_t count, ptl_error *err)
{
    pack->names = malloc((count + 1) * sizeof *pack->names);
    if (!pack->names)
        return error_nomem(err);
    for (size_t i = 0; i < count; i++) {
        pack->names[i] = names_text(store, t->numbers[index ? index[i] : i]);
        if (!pack->names[i])
            return error_set(err, PTL_ERR_CORRUPT, "pack: a name that the file does not have");
    }
    pack->name_count = count;
    return PTL_OK;
}

static ptl_status make_groups(draft_features *f, ptl_store *store, codec *c, ptl_error *err)
{
    pack_table *t = &f->tables[PACK_GROUPS];
    encoded_pack *pack = &f->made.packs[PACK_GROUPS];
    pack->count = t->count;
    if (t->count == 0)
        return PTL_OK;
    ptl_status status = name_pack(pack, store, t, NULL, t->name_count, err);
    return status == PTL_OK ? pack_body_encode(&pack->body, c, PACK_GROUPS, t, err) : status;
}

/* ---- placements ---- */

typedef struct placement_kinds {
    int32_t *tiles;     /* owned, by name: of a special; 0: a building */
    uint32_t *index_of; /* owned, by name: index + 1 among the names of buildings */
    uint32_t *names;    /* owned, by that index */
    size_t name_count;
} placement_kinds;

static void placement_kinds_dispose(placement_kinds *k)
{
    free(k->tiles);
    free(k->index_of);
    free(k->names);
}

static ptl_status find_kinds(placement_kinds *k, ptl_store *store, const pack_table *t,
                             ptl_error *err)
{
    stmt *s = NULL;
    k->tiles = calloc(t->name_count, sizeof *k->tiles);
    k->index_of = calloc(t->name_count, sizeof *k->index_of);
    k->names = calloc(t->name_count, sizeof *k->names);
    if (!k->tiles || !k->index_of || !k->names)
        return error_nomem(err);
    ptl_status status = stmt_prepare(&s, store,
                                     "SELECT count(*) FROM special_tile t "
                                     "JOIN overmap_special o ON o.id = t.special "
                                     "WHERE o.id = ? AND o.kind = 'special'",
                                     err);
    for (size_t i = 0; i < t->name_count && status == PTL_OK; i++) {
        const char *name = names_text(store, t->numbers[i]);
        bool row = false;
        stmt_bind_text(s, 1, name ? name : "");
        status = stmt_step(s, &row, err);
        if (status == PTL_OK && row)
            k->tiles[i] = (int32_t)stmt_int(s, 0);
        stmt_reset(s);
    }
    stmt_free(s);
    return status;
}

static ptl_status add_special(draft_features *f, ptl_store *store, size_t i, int32_t tiles,
                              ptl_error *err)
{
    const pack_table *t = &f->tables[PACK_PLACEMENTS];
    special_row *row = special_rows_add(&f->made.specials);
    if (!row)
        return error_nomem(err);
    row->id = names_text(store, t->numbers[t->columns[PLACEMENT_ID][i]]);
    row->placement = (gen_placement){.rotation = (uint8_t)t->columns[PLACEMENT_ROTATION][i],
                                     .z = (int8_t)t->columns[PLACEMENT_Z][i],
                                     .city = (int16_t)t->columns[PLACEMENT_CITY][i],
                                     .x = (int16_t)t->columns[PLACEMENT_X][i],
                                     .y = (int16_t)t->columns[PLACEMENT_Y][i],
                                     .tiles = tiles};
    return PTL_OK;
}

/* A name's index becomes that in the order in which buildings use it. */
static void add_building(draft_features *f, placement_kinds *k, size_t i)
{
    const pack_table *t = &f->tables[PACK_PLACEMENTS];
    pack_table *to = &f->buildings;
    const size_t columns = pack_layout_of(PACK_PLACEMENTS)->column_count;
    uint32_t *index = &k->index_of[t->columns[PLACEMENT_ID][i]];
    if (*index == 0) {
        k->names[k->name_count++] = (uint32_t)t->columns[PLACEMENT_ID][i];
        *index = (uint32_t)k->name_count;
    }
    for (size_t c = 0; c < columns; c++)
        to->columns[c][to->count] = t->columns[c][i];
    to->columns[PLACEMENT_ID][to->count++] = (int32_t)*index - 1;
}

static ptl_status split(draft_features *f, placement_kinds *k, ptl_store *store, ptl_error *err)
{
    const pack_table *t = &f->tables[PACK_PLACEMENTS];
    ptl_status status = pack_table_resize(&f->buildings, PACK_PLACEMENTS, t->count, err);
    f->buildings.count = 0;
    for (size_t i = 0; i < t->count && status == PTL_OK; i++) {
        const int32_t tiles = k->tiles[t->columns[PLACEMENT_ID][i]];
        if (t->columns[PLACEMENT_CITY][i] >= (int32_t)f->made.rows.city_count)
            return error_set(err, PTL_ERR_CORRUPT, "placement %zu: no such city", i);
        if (tiles > 0)
            status = add_special(f, store, i, tiles, err);
        else
            add_building(f, k, i);
    }
    return status;
}

static ptl_status make_placements(draft_features *f, ptl_store *store, codec *c, ptl_error *err)
{
    const pack_table *t = &f->tables[PACK_PLACEMENTS];
    encoded_pack *pack = &f->made.packs[PACK_PLACEMENTS];
    placement_kinds kinds = {0};
    if (t->count == 0)
        return PTL_OK;
    ptl_status status = find_kinds(&kinds, store, t, err);
    if (status == PTL_OK)
        status = split(f, &kinds, store, err);
    pack->count = f->buildings.count;
    if (status == PTL_OK && pack->count > 0) {
        status = name_pack(pack, store, t, kinds.names, kinds.name_count, err);
        if (status == PTL_OK)
            status = pack_body_encode(&pack->body, c, PACK_PLACEMENTS, &f->buildings, err);
    }
    placement_kinds_dispose(&kinds);
    return status;
}

ptl_status draft_features_convert(int64_t *out, draft_features *f, ptl_store *store,
                                  row_scratch *scratch, int64_t chunk_id, int64_t checksum,
                                  ptl_error *err)
{
    int64_t sum = 0;
    encoded_features_dispose(&f->made);
    for (size_t i = 0; i < PACKS_2; i++)
        f->tables[i].count = 0;
    rowsum_begin(&f->sums, "features");
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && status == PTL_OK; i++)
        status = read_list(f, store, scratch, &lists[i], chunk_id, err);
    if (status == PTL_OK)
        status = read_packs(f, store, scratch, chunk_id, err);
    if (status == PTL_OK)
        status = rowsum_end(&f->sums, &sum, err);
    if (status == PTL_OK && sum != checksum)
        status = error_set(err, PTL_ERR_CORRUPT, "features_checksum differs");
    if (status == PTL_OK)
        status = make_placements(f, store, scratch->codec, err);
    if (status == PTL_OK)
        status = make_groups(f, store, scratch->codec, err);
    return status == PTL_OK ? feature_rows_insert(out, store, chunk_id, &f->made, err) : status;
}
