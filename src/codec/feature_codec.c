#include "codec/feature_codec.h"

#include "core/error.h"
#include "model/catalogue.h"

#include <stdlib.h>
#include <string.h>

void encoded_features_dispose(encoded_features *e)
{
    features_dispose(&e->rows);
    special_rows_dispose(&e->specials);
    for (size_t i = 0; i < PACK_KINDS; i++)
        encoded_pack_dispose(&e->packs[i]);
    memset(e, 0, sizeof *e);
}

/* ---- ranges of rows ---- */

static bool within(int32_t v, int32_t low, int32_t high)
{
    return v >= low && v <= high;
}

const char *city_problem(const gen_city *city)
{
    const int32_t last = PTL_CHUNK_SIZE - 1;
    if (!within(city->x, 0, last) || !within(city->y, 0, last))
        return "its centre lies outside the chunk";
    if (!within(city->planned_x, 0, last) || !within(city->planned_y, 0, last))
        return "its planned place lies outside the chunk";
    return city->size < 1 ? "its size is below 1" : NULL;
}

const char *radio_problem(const gen_radio *radio)
{
    const int32_t last = 2 * PTL_CHUNK_SIZE - 1;
    if (!within(radio->x, 0, last) || !within(radio->y, 0, last))
        return "it lies outside the chunk";
    if (radio->strength < 0)
        return "its strength is below 0";
    return radio->frequency < 0 ? "its frequency is below 0" : NULL;
}

/* ---- copies of the rows ---- */

ptl_status features_copy_rows(gen_features *out, const gen_features *rows, ptl_error *err)
{
    for (size_t i = 0; i < rows->city_count; i++) {
        gen_city *c = features_add_city(out);
        if (!c)
            return error_nomem(err);
        *c = rows->cities[i];
        c->name = features_text(out, c->name ? c->name : "");
        if (!c->name)
            return error_nomem(err);
    }
    for (size_t i = 0; i < rows->radio_count; i++) {
        gen_radio *r = features_add_radio(out);
        if (!r)
            return error_nomem(err);
        *r = rows->radios[i];
        r->message = features_text(out, r->message ? r->message : "");
        if (!r->message)
            return error_nomem(err);
    }
    return PTL_OK;
}

/* ---- specials ---- */

const char *special_problem(const gen_placement *p, size_t city_count)
{
    if (!within(p->x, -PTL_CHUNK_SIZE, 2 * PTL_CHUNK_SIZE - 1) ||
        !within(p->y, -PTL_CHUNK_SIZE, 2 * PTL_CHUNK_SIZE - 1) ||
        !within(p->z, PTL_Z_MIN, PTL_Z_MAX))
        return "its origin is out of range";
    if (p->rotation > 3)
        return "its rotation is out of range";
    if (p->city < FEATURE_NO_CITY || p->city >= (int32_t)city_count)
        return "it names a city that is not there";
    if (p->draw < 0)
        return "its draw is below 0";
    return within(p->tiles, 1, PTL_LEVELS * PTL_LEVEL_CELLS)
               ? NULL
               : "its number of OMTs is out of range";
}

special_row *special_rows_add(special_rows *rows)
{
    if (rows->count == rows->room) {
        size_t room = rows->room ? 2 * rows->room : 64;
        special_row *list = realloc(rows->list, room * sizeof *list);
        if (!list)
            return NULL;
        rows->list = list;
        rows->room = room;
    }
    return &rows->list[rows->count++];
}

void special_rows_dispose(special_rows *rows)
{
    free(rows->list);
    memset(rows, 0, sizeof *rows);
}

static ptl_status copy_specials(special_rows *out, const gen_features *f, const catalogue *cat,
                                ptl_error *err)
{
    for (size_t i = 0; i < f->placement_count; i++) {
        const gen_placement *p = &f->placements[i];
        if (p->special >= cat->special_count)
            return error_set(err, PTL_ERR_INTERNAL, "placement %zu: no such special", i);
        const cat_special *special = &cat->specials[p->special];
        if (special->building)
            continue;
        const char *problem = special_problem(p, f->city_count);
        if (problem)
            return error_set(err, PTL_ERR_INTERNAL, "placement %zu ('%s'): %s", i, special->id,
                             problem);
        if (out->count >= FEATURE_SPECIALS_MAX)
            return error_set(err, PTL_ERR_LIMIT, "more than the %d specials of a chunk",
                             (int)FEATURE_SPECIALS_MAX);
        special_row *row = special_rows_add(out);
        if (!row)
            return error_nomem(err);
        *row = (special_row){special->id, *p};
    }
    return PTL_OK;
}

/* ---- digest ---- */

static void put_signed(bytes *b, int64_t v)
{
    bytes_put_varint(b, v < 0 ? (uint64_t)(-(v + 1)) * 2 + 1 : (uint64_t)v * 2);
}

static void put_text(bytes *b, const char *text)
{
    size_t size = strlen(text);
    bytes_put_varint(b, size);
    bytes_put(b, text, size);
}

static void put_rows(bytes *b, const gen_features *rows)
{
    bytes_put_varint(b, rows->city_count);
    for (size_t i = 0; i < rows->city_count; i++) {
        const gen_city *c = &rows->cities[i];
        put_text(b, c->name);
        put_signed(b, c->x);
        put_signed(b, c->y);
        put_signed(b, c->size);
        put_signed(b, c->planned_x);
        put_signed(b, c->planned_y);
    }
    bytes_put_varint(b, rows->radio_count);
    for (size_t i = 0; i < rows->radio_count; i++) {
        const gen_radio *r = &rows->radios[i];
        put_signed(b, r->x);
        put_signed(b, r->y);
        put_signed(b, r->strength);
        put_signed(b, r->weather);
        put_signed(b, r->frequency);
        put_text(b, r->message);
    }
}

ptl_status features_digest(digest *out, bytes *scratch, ptl_chunk_pos pos,
                           const gen_features *rows, const special_rows *specials,
                           const pack_table tables[PACK_KINDS],
                           const char *const *const names[PACK_KINDS], ptl_error *err)
{
    bytes_clear(scratch);
    bytes_put_text(scratch, "portolan features 2\n");
    bytes_put_u32(scratch, (uint32_t)pos.x);
    bytes_put_u32(scratch, (uint32_t)pos.y);
    put_rows(scratch, rows);
    bytes_put_varint(scratch, specials->count);
    for (size_t i = 0; i < specials->count; i++) {
        const gen_placement *p = &specials->list[i].placement;
        put_text(scratch, specials->list[i].id);
        put_signed(scratch, p->x);
        put_signed(scratch, p->y);
        put_signed(scratch, p->z);
        put_signed(scratch, p->rotation);
        put_signed(scratch, p->city);
        put_signed(scratch, p->draw);
        put_signed(scratch, p->tiles);
    }
    for (size_t kind = 0; kind < PACK_COUNTED; kind++) {
        const pack_table *t = &tables[kind];
        bytes_put_varint(scratch, t->name_count);
        for (size_t i = 0; i < t->name_count; i++)
            put_text(scratch, names[kind][i]);
        bytes_put_varint(scratch, t->count);
        for (size_t c = 0; c < pack_layout_of((pack_kind)kind)->column_count; c++)
            pack_put_signed(scratch, t->columns[c], t->count);
    }
    if (scratch->failed)
        return error_nomem(err);
    digest_state state;
    digest_init(&state);
    digest_update(&state, scratch->data, scratch->size);
    digest_final(&state, out);
    return PTL_OK;
}

/* ---- all together ---- */

ptl_status features_encode(encoded_features *out, codec *c, ptl_chunk_pos pos,
                           const gen_features *f, const catalogue *cat, ptl_error *err)
{
    const char *const *names[PACK_KINDS];
    pack_table *tables = codec_tables(c);
    ptl_status status = PTL_OK;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < f->city_count && status == PTL_OK; i++) {
        const char *problem = city_problem(&f->cities[i]);
        if (problem)
            status = error_set(err, PTL_ERR_INTERNAL, "city %zu: %s", i, problem);
    }
    for (size_t i = 0; i < f->radio_count && status == PTL_OK; i++) {
        const char *problem = radio_problem(&f->radios[i]);
        if (problem)
            status = error_set(err, PTL_ERR_INTERNAL, "radio %zu: %s", i, problem);
    }
    THEN(status, features_copy_rows(&out->rows, f, err));
    THEN(status, copy_specials(&out->specials, f, cat, err));
    for (size_t kind = 0; kind < PACK_KINDS && status == PTL_OK; kind++) {
        pack_table *t = &tables[kind];
        status = feature_table_make(t, out, (pack_kind)kind, f, cat, err);
        if (status == PTL_OK && t->count > 0)
            status = pack_body_encode(&out->packs[kind], c, (pack_kind)kind, t, err);
        names[kind] = out->packs[kind].names;
    }
    THEN(status, features_digest(&out->digest, &tables[0].stream, pos, &out->rows,
                                 &out->specials, tables, names, err));
    if (status != PTL_OK)
        return error_prefix(err, status, "encoding chunk %d,%d", pos.x, pos.y);
    return PTL_OK;
}
