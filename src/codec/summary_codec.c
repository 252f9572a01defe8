/*
 * Codes each list of a summary (the counts of one overmap, as a sweep keeps them) as a pack,
 * and decodes it. A pack's layout says for each column which struct member it holds. One list
 * is handled apart, because its elements are no structs: the distances of cells from cities and
 * roads.
 */
#include "codec/summary_codec.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

typedef struct list_form {
    uint32_t part;
    /* Offsets, in struct summary, of two members: the pointer to this list, and the number of
     * its elements. */
    size_t list, count;
    size_t entry; /* bytes of one element of the list */
} list_form;

#define LIST(part, list, count, type)                                                          \
    {                                                                                          \
        part, offsetof(summary, list), offsetof(summary, count), sizeof(type)                  \
    }

static const list_form FORMS[SUMMARY_PACKS - 1] = {
    LIST(PTL_COUNT_SPECIALS, specials, special_count, summary_special),
    LIST(PTL_COUNT_PLACES, places, place_count, summary_place),
    LIST(PTL_COUNT_TERRAINS, terrains, terrain_count, summary_terrain),
    LIST(PTL_COUNT_CITIES, cities, city_count, summary_city),
    LIST(PTL_COUNT_CITIES, buildings, building_count, summary_building),
    LIST(PTL_COUNT_LINES, lines, line_count, summary_line),
    LIST(PTL_COUNT_WATERS, waters, water_count, summary_water)};

static const list_form *form_of(pack_kind kind)
{
    return &FORMS[kind - PACK_SUMMARY_FIRST];
}

uint32_t summary_part_of(pack_kind kind)
{
    return kind == PACK_SUMMARY_BASELINE ? (uint32_t)PTL_COUNT_BASELINE : form_of(kind)->part;
}

/* ---- encoding ---- */

typedef struct list_encoder {
    pack_table t;
    codec *c;
    strmap seen; /* for each id: its index among the names of the pack */
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
    const pack_column *of = &pack_layout_of(kind)->columns[column];
    for (size_t i = 0; i < pack->count; i++) {
        const uint8_t *entry = list + i * form_of(kind)->entry;
        int32_t *value = &e->t.columns[column][i];
        if (of->type == MEMBER_ID) {
            const char *id;
            memcpy(&id, entry + of->offset, sizeof id);
            TRY(put_id(e, pack, value, id, of->coding == PACK_NAME, err));
            continue;
        }
        const int64_t number = pack_member(entry, of);
        if (number < of->low || number > of->high)
            return error_set(err, PTL_ERR_INTERNAL, "a summary's %s: entry %zu has %s %lld",
                             pack_layout_of(kind)->name, i, of->name, (long long)number);
        *value = (int32_t)number;
    }
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
    /* The lists of summaries have at most 2 columns of names. */
    pack->names = calloc(pack->count, 2 * sizeof *pack->names);
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
    if (kind == PACK_SUMMARY_BASELINE) {
        pack->count = SUMMARY_FAR + 2;
        TRY(pack_table_resize(&e->t, kind, pack->count, err));
        memcpy(e->t.columns[SUMMARY_BASELINE_CITY], s->baseline.city, sizeof s->baseline.city);
        memcpy(e->t.columns[SUMMARY_BASELINE_ROAD], s->baseline.road, sizeof s->baseline.road);
    } else {
        TRY(put_list(e, pack, kind, s, err));
    }
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

static ptl_status take_list(summary *out, const pack_table *t, pack_kind kind,
                            const pack_reader *r, ptl_error *err)
{
    const list_form *form = form_of(kind);
    const pack_layout *layout = pack_layout_of(kind);
    uint8_t *list = arena_calloc(out->memory, t->count, form->entry);
    if (!list)
        return error_nomem(err);
    memcpy((uint8_t *)out + form->list, &list, sizeof list);
    memcpy((uint8_t *)out + form->count, &t->count, sizeof t->count);
    for (size_t i = 0; i < t->count; i++) {
        uint8_t *entry = list + i * form->entry;
        pack_take_members(entry, t, kind, i);
        for (size_t k = 0; k < layout->column_count; k++) {
            if (layout->columns[k].type != MEMBER_ID)
                continue;
            const int32_t value = t->columns[k][i];
            const char *id = value < 0 ? "" : r->name(r->names, t->numbers[value]);
            if (!id)
                return error_set(err, PTL_ERR_CORRUPT, "pack of %s: number %u has no name",
                                 layout->name, (unsigned)t->numbers[value]);
            memcpy(entry + layout->columns[k].offset, &id, sizeof id);
        }
    }
    return PTL_OK;
}

ptl_status summary_list_read(summary *out, const pack_reader *r, pack_kind kind,
                             const void *blob, size_t size, ptl_error *err)
{
    if (size == 0 && kind != PACK_SUMMARY_BASELINE)
        return PTL_OK;
    pack_table *t = r->table;
    TRY(pack_parse(t, r->codec, kind, blob, size, r->limit, err));
    if (kind != PACK_SUMMARY_BASELINE)
        return take_list(out, t, kind, r, err);
    if (t->count != SUMMARY_FAR + 2)
        return error_set(err, PTL_ERR_CORRUPT, "pack of baseline: a bad number of entries");
    memcpy(out->baseline.city, t->columns[SUMMARY_BASELINE_CITY], sizeof out->baseline.city);
    memcpy(out->baseline.road, t->columns[SUMMARY_BASELINE_ROAD], sizeof out->baseline.road);
    return PTL_OK;
}
