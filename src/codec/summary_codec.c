/*
 * A summary's lists as packs. One table says where each column of a pack stands in the entries
 * of its list; the baseline alone is no list of entries.
 */
#include "codec/summary_codec.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

typedef enum field_type {
    FIELD_ID,
    FIELD_I8,
    FIELD_U8,
    FIELD_I16,
    FIELD_I32,
    FIELD_I64,
    FIELD_KIND
} field_type;

typedef struct field {
    field_type type;
    size_t offset; /* in an entry */
} field;

typedef struct list_form {
    uint32_t part;
    size_t list, count; /* where summary has them */
    size_t entry;       /* bytes */
    field fields[PACK_COLUMNS_MAX];
} list_form;

#define LIST(part, list, count, type)                                                          \
    part, offsetof(summary, list), offsetof(summary, count), sizeof(type)

static const list_form FORMS[SUMMARY_PACKS - 1] = {
    {LIST(PTL_COUNT_SPECIALS, specials, special_count, summary_special),
     {[SUMMARY_SPECIAL_ID] = {FIELD_ID, offsetof(summary_special, id)},
      [SUMMARY_SPECIAL_ASKED] = {FIELD_I32, offsetof(summary_special, asked)},
      [SUMMARY_SPECIAL_GROUND] = {FIELD_I32, offsetof(summary_special, ground)},
      [SUMMARY_SPECIAL_LINKED] = {FIELD_I32, offsetof(summary_special, linked)},
      [SUMMARY_SPECIAL_CITY] = {FIELD_I32, offsetof(summary_special, city)},
      [SUMMARY_SPECIAL_ROOM] = {FIELD_I32, offsetof(summary_special, room)},
      [SUMMARY_SPECIAL_FAILED] = {FIELD_I32, offsetof(summary_special, failed)},
      [SUMMARY_SPECIAL_PLACED] = {FIELD_I32, offsetof(summary_special, placed)},
      [SUMMARY_SPECIAL_OTHERS] = {FIELD_I32, offsetof(summary_special, others)}}},
    {LIST(PTL_COUNT_PLACES, places, place_count, summary_place),
     {[SUMMARY_PLACE_ID] = {FIELD_ID, offsetof(summary_place, id)},
      [SUMMARY_PLACE_AROUND] = {FIELD_ID, offsetof(summary_place, around)},
      [SUMMARY_PLACE_X] = {FIELD_I16, offsetof(summary_place, x)},
      [SUMMARY_PLACE_Y] = {FIELD_I16, offsetof(summary_place, y)},
      [SUMMARY_PLACE_Z] = {FIELD_I8, offsetof(summary_place, z)},
      [SUMMARY_PLACE_ROTATION] = {FIELD_U8, offsetof(summary_place, rotation)},
      [SUMMARY_PLACE_CITY] = {FIELD_I16, offsetof(summary_place, city)},
      [SUMMARY_PLACE_ROAD] = {FIELD_I16, offsetof(summary_place, road)},
      [SUMMARY_PLACE_SAME] = {FIELD_I16, offsetof(summary_place, same)}}},
    {LIST(PTL_COUNT_TERRAINS, terrains, terrain_count, summary_terrain),
     {[SUMMARY_TERRAIN_ID] = {FIELD_ID, offsetof(summary_terrain, id)},
      [SUMMARY_TERRAIN_Z] = {FIELD_I8, offsetof(summary_terrain, z)},
      [SUMMARY_TERRAIN_CELLS] = {FIELD_I32, offsetof(summary_terrain, cells)}}},
    {LIST(PTL_COUNT_CITIES, cities, city_count, summary_city),
     {[SUMMARY_CITY_X] = {FIELD_I16, offsetof(summary_city, x)},
      [SUMMARY_CITY_Y] = {FIELD_I16, offsetof(summary_city, y)},
      [SUMMARY_CITY_SIZE] = {FIELD_I16, offsetof(summary_city, size)},
      [SUMMARY_CITY_BUILDINGS] = {FIELD_I32, offsetof(summary_city, buildings)}}},
    {LIST(PTL_COUNT_CITIES, buildings, building_count, summary_building),
     {[SUMMARY_BUILDING_ID] = {FIELD_ID, offsetof(summary_building, id)},
      [SUMMARY_BUILDING_SIZE] = {FIELD_I16, offsetof(summary_building, size)},
      [SUMMARY_BUILDING_COUNT] = {FIELD_I32, offsetof(summary_building, count)},
      [SUMMARY_BUILDING_DISTANCE_SUM] = {FIELD_I64, offsetof(summary_building, distance_sum)},
      [SUMMARY_BUILDING_DISTANCE_MIN] = {FIELD_I16, offsetof(summary_building, distance_min)},
      [SUMMARY_BUILDING_DISTANCE_MAX] = {FIELD_I16, offsetof(summary_building, distance_max)}}},
    {LIST(PTL_COUNT_LINES, lines, line_count, summary_line),
     {[SUMMARY_LINE_ID] = {FIELD_ID, offsetof(summary_line, id)},
      [SUMMARY_LINE_CELLS] = {FIELD_I32, offsetof(summary_line, cells)}}},
    {LIST(PTL_COUNT_WATERS, waters, water_count, summary_water),
     {[SUMMARY_WATER_KIND] = {FIELD_KIND, offsetof(summary_water, kind)},
      [SUMMARY_WATER_CELLS] = {FIELD_I32, offsetof(summary_water, cells)}}}};

static const list_form *form_of(pack_kind kind)
{
    return &FORMS[kind - PACK_SUMMARY_FIRST];
}

uint32_t summary_part_of(pack_kind kind)
{
    return kind == PACK_SUMMARY_BASELINE ? (uint32_t)PTL_COUNT_BASELINE : form_of(kind)->part;
}

/* ---- fields ---- */

static int64_t get_number(const uint8_t *entry, field f)
{
    const void *at = entry + f.offset;
    switch (f.type) {
    case FIELD_I8:
        return *(const int8_t *)at;
    case FIELD_U8:
        return *(const uint8_t *)at;
    case FIELD_I16:
        return *(const int16_t *)at;
    case FIELD_I32:
        return *(const int32_t *)at;
    case FIELD_I64:
        return *(const int64_t *)at;
    default:
        return (int64_t) * (const summary_water_kind *)at;
    }
}

/* ---- encoding ---- */

typedef struct list_encoder {
    pack_table t;
    codec *c;
    strmap seen; /* id -> index among the pack's names */
} list_encoder;

static ptl_status put_id(list_encoder *e, encoded_pack *pack, int32_t *out, const char *id,
                         bool optional, ptl_error *err)
{
    *out = -1;
    if (optional && (!id || !id[0]))
        return PTL_OK;
    if (!id || !id[0])
        return error_set(err, PTL_ERR_INTERNAL, "a summary with an entry without id");
    uint32_t index = strmap_get(&e->seen, id);
    if (index == STRMAP_NONE) {
        index = (uint32_t)pack->name_count;
        if (strmap_put(&e->seen, id, index) != 0)
            return error_nomem(err);
        pack->names[pack->name_count++] = id;
    }
    *out = (int32_t)index;
    return PTL_OK;
}

static ptl_status put_column(list_encoder *e, encoded_pack *pack, pack_kind kind, size_t column,
                             const uint8_t *list, ptl_error *err)
{
    const list_form *form = form_of(kind);
    const field f = form->fields[column];
    const pack_column *of = &pack_layout_of(kind)->columns[column];
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < pack->count && status == PTL_OK; i++) {
        const uint8_t *entry = list + i * form->entry;
        int32_t *value = &e->t.columns[column][i];
        if (f.type == FIELD_ID) {
            const char *id;
            memcpy(&id, entry + f.offset, sizeof id);
            status = put_id(e, pack, value, id, of->coding == PACK_NAME, err);
            continue;
        }
        const int64_t number = get_number(entry, f);
        if (number < of->low || number > of->high)
            status = error_set(err, PTL_ERR_INTERNAL, "a summary's %s: entry %zu has %s %lld",
                               pack_layout_of(kind)->name, i, of->name, (long long)number);
        *value = (int32_t)number;
    }
    return status;
}

static ptl_status put_baseline(list_encoder *e, encoded_pack *pack, const summary *s,
                               ptl_error *err)
{
    pack->count = SUMMARY_FAR + 2;
    TRY(pack_table_resize(&e->t, PACK_SUMMARY_BASELINE, pack->count, err));
    memcpy(e->t.columns[SUMMARY_BASELINE_CITY], s->baseline.city, sizeof s->baseline.city);
    memcpy(e->t.columns[SUMMARY_BASELINE_ROAD], s->baseline.road, sizeof s->baseline.road);
    return PTL_OK;
}

static ptl_status put_list(list_encoder *e, encoded_pack *pack, pack_kind kind,
                           const summary *s, ptl_error *err)
{
    const list_form *form = form_of(kind);
    const size_t columns = pack_layout_of(kind)->column_count;
    const uint8_t *list;
    memcpy(&list, (const uint8_t *)s + form->list, sizeof list);
    memcpy(&pack->count, (const uint8_t *)s + form->count, sizeof pack->count);
    if (pack->count == 0)
        return PTL_OK;
    TRY(pack_table_resize(&e->t, kind, pack->count, err));
    pack->names =
        calloc(pack->count, 2 * sizeof *pack->names); /* columns of names: 2 at most */
    if (!pack->names)
        return error_nomem(err);
    strmap_dispose(&e->seen);
    strmap_init(&e->seen);
    for (size_t column = 0; column < columns; column++)
        TRY(put_column(e, pack, kind, column, list, err));
    return PTL_OK;
}

static ptl_status encode_pack(list_encoder *e, encoded_pack *pack, pack_kind kind,
                              const summary *s, ptl_error *err)
{
    TRY(kind == PACK_SUMMARY_BASELINE ? put_baseline(e, pack, s, err)
                                      : put_list(e, pack, kind, s, err));
    if (pack->count == 0)
        return PTL_OK;
    return pack_body_encode(pack, e->c, kind, &e->t, err);
}

ptl_status summary_encode(encoded_summary **out, codec *c, const summary *s, ptl_error *err)
{
    const char *problem = s->parts == PTL_COUNT_ALL ? summary_problem(s) : "parts are left out";
    *out = NULL;
    if (problem)
        return error_set(err, PTL_ERR_INTERNAL, "a summary that can't be stored: %s", problem);
    encoded_summary *encoded = calloc(1, sizeof *encoded);
    if (!encoded)
        return error_nomem(err);
    list_encoder e = {.c = c};
    strmap_init(&e.seen);
    ptl_status status = PTL_OK;
    for (int i = 0; i < SUMMARY_PACKS && status == PTL_OK; i++)
        status =
            encode_pack(&e, &encoded->packs[i], (pack_kind)(PACK_SUMMARY_FIRST + i), s, err);
    pack_table_dispose(&e.t);
    strmap_dispose(&e.seen);
    if (status == PTL_OK)
        *out = encoded;
    else
        encoded_summary_free(encoded);
    return status;
}

void encoded_summary_free(encoded_summary *e)
{
    if (!e)
        return;
    for (int i = 0; i < SUMMARY_PACKS; i++)
        encoded_pack_dispose(&e->packs[i]);
    free(e);
}

/* ---- decoding ---- */

static ptl_status take_column(uint8_t *list, const pack_table *t, pack_kind kind, size_t column,
                              const pack_reader *r, ptl_error *err)
{
    const list_form *form = form_of(kind);
    const field f = form->fields[column];
    for (size_t i = 0; i < t->count; i++) {
        uint8_t *entry = list + i * form->entry;
        const int32_t value = t->columns[column][i];
        if (f.type != FIELD_ID) {
            /* The value is in the range of its column, which the field holds. */
            void *at = entry + f.offset;
            switch (f.type) {
            case FIELD_I8:
                *(int8_t *)at = (int8_t)value;
                break;
            case FIELD_U8:
                *(uint8_t *)at = (uint8_t)value;
                break;
            case FIELD_I16:
                *(int16_t *)at = (int16_t)value;
                break;
            case FIELD_I32:
                *(int32_t *)at = value;
                break;
            case FIELD_I64:
                *(int64_t *)at = value;
                break;
            default:
                *(summary_water_kind *)at = (summary_water_kind)value;
            }
            continue;
        }
        const char *id = value < 0 ? "" : r->name(r->names, t->numbers[value]);
        if (!id)
            return error_set(err, PTL_ERR_CORRUPT, "pack of %s: number %u has no name",
                             pack_layout_of(kind)->name, (unsigned)t->numbers[value]);
        memcpy(entry + f.offset, &id, sizeof id);
    }
    return PTL_OK;
}

static ptl_status take_list(summary *out, const pack_table *t, pack_kind kind,
                            const pack_reader *r, ptl_error *err)
{
    const list_form *form = form_of(kind);
    uint8_t *list = arena_calloc(out->memory, t->count, form->entry);
    if (!list)
        return error_nomem(err);
    memcpy((uint8_t *)out + form->list, &list, sizeof list);
    memcpy((uint8_t *)out + form->count, &t->count, sizeof t->count);
    for (size_t i = 0; i < pack_layout_of(kind)->column_count; i++)
        TRY(take_column(list, t, kind, i, r, err));
    return PTL_OK;
}

static ptl_status take_baseline(summary *out, const pack_table *t, ptl_error *err)
{
    if (t->count != SUMMARY_FAR + 2)
        return error_set(err, PTL_ERR_CORRUPT, "pack of baseline: a bad number of entries");
    memcpy(out->baseline.city, t->columns[SUMMARY_BASELINE_CITY], sizeof out->baseline.city);
    memcpy(out->baseline.road, t->columns[SUMMARY_BASELINE_ROAD], sizeof out->baseline.road);
    return PTL_OK;
}

ptl_status summary_list_read(summary *out, const pack_reader *r, pack_kind kind,
                             const void *blob, size_t size, ptl_error *err)
{
    if (size == 0 && kind != PACK_SUMMARY_BASELINE)
        return PTL_OK;
    pack_table *t = r->table;
    TRY(pack_parse(t, r->codec, kind, blob, size, r->limit, err));
    return kind == PACK_SUMMARY_BASELINE ? take_baseline(out, t, err)
                                         : take_list(out, t, kind, r, err);
}
