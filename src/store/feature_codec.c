#include "store/feature_codec.h"

#include "content/catalogue.h"
#include "core/arena.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>

void encoded_features_dispose(encoded_features *e)
{
    features_dispose(&e->rows);
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

static ptl_status copy_cities(gen_features *out, const gen_features *f, ptl_error *err)
{
    for (size_t i = 0; i < f->city_count; i++) {
        const char *problem = city_problem(&f->cities[i]);
        if (problem)
            return error_set(err, PTL_ERR_INTERNAL, "city %zu: %s", i, problem);
        gen_city *city = features_add_city(out);
        if (!city)
            return error_nomem(err);
        *city = f->cities[i];
        city->name = features_text(out, city->name ? city->name : "");
        if (!city->name)
            return error_nomem(err);
    }
    return PTL_OK;
}

static ptl_status copy_radios(gen_features *out, const gen_features *f, ptl_error *err)
{
    for (size_t i = 0; i < f->radio_count; i++) {
        const char *problem = radio_problem(&f->radios[i]);
        if (problem)
            return error_set(err, PTL_ERR_INTERNAL, "radio %zu: %s", i, problem);
        gen_radio *radio = features_add_radio(out);
        if (!radio)
            return error_nomem(err);
        *radio = f->radios[i];
        radio->message = features_text(out, radio->message ? radio->message : "");
        if (!radio->message)
            return error_nomem(err);
    }
    return PTL_OK;
}

/* ---- tables ---- */

/* Index of a special among the pack's names; index_of holds index + 1, 0 for a new one. */
static ptl_status fill_placements(pack_table *t, encoded_pack *pack, const gen_features *f,
                                  const catalogue *cat, uint32_t *index_of, ptl_error *err)
{
    for (size_t i = 0; i < f->placement_count; i++) {
        const gen_placement *p = &f->placements[i];
        if (p->special >= cat->special_count || p->city < FEATURE_NO_CITY ||
            p->city >= (int32_t)f->city_count)
            return error_set(err, PTL_ERR_INTERNAL, "placement %zu: no such special or city",
                             i);
        uint32_t *index = &index_of[p->special];
        if (*index == 0) {
            pack->names[pack->name_count++] = cat->specials[p->special].id;
            __builtin_prefetch(cat->specials[p->special].id); /* for the digest */
            *index = (uint32_t)pack->name_count;
        }
        t->columns[PLACEMENT_ID][i] = (int32_t)*index - 1;
        t->columns[PLACEMENT_ROTATION][i] = p->rotation;
        t->columns[PLACEMENT_Z][i] = p->z;
        t->columns[PLACEMENT_CITY][i] = p->city;
        t->columns[PLACEMENT_X][i] = p->x;
        t->columns[PLACEMENT_Y][i] = p->y;
    }
    return PTL_OK;
}

static ptl_status make_placements(pack_table *t, encoded_pack *pack, const gen_features *f,
                                  const catalogue *cat, ptl_error *err)
{
    size_t most =
        f->placement_count < cat->special_count ? f->placement_count : cat->special_count;
    pack->names = malloc((most + 1) * sizeof *pack->names);
    uint32_t *index_of = calloc(cat->special_count + 1, sizeof *index_of);
    ptl_status status = pack->names && index_of ? PTL_OK : error_nomem(err);
    if (status == PTL_OK)
        status = fill_placements(t, pack, f, cat, index_of, err);
    free(index_of);
    return status;
}

/* Groups of a generated chunk are of few types whose ids are the same pointers mostly; those
 * of an imported one come in runs of a type. So the last one is tried first. */
static ptl_status type_index(size_t *out, encoded_pack *pack, strmap *seen, gen_features *texts,
                             const char *type, ptl_error *err)
{
    const char *last = *out < pack->name_count ? pack->names[*out] : NULL;
    if (last && strcmp(last, type) == 0)
        return PTL_OK;
    uint32_t index = strmap_get(seen, type);
    if (index == STRMAP_NONE) {
        const char *copy = features_text(texts, type);
        index = (uint32_t)pack->name_count;
        if (!copy || strmap_put(seen, copy, index) != 0)
            return error_nomem(err);
        pack->names[pack->name_count++] = copy;
    }
    *out = index;
    return PTL_OK;
}

static ptl_status make_groups(pack_table *t, encoded_pack *pack, gen_features *texts,
                              const gen_features *f, ptl_error *err)
{
    strmap seen;
    size_t index = 0;
    ptl_status status = PTL_OK;
    strmap_init(&seen);
    pack->names = calloc(f->group_count + 1, sizeof *pack->names);
    if (!pack->names)
        status = error_nomem(err);
    for (size_t i = 0; i < f->group_count && status == PTL_OK; i++) {
        const gen_group *g = &f->groups[i];
        if (!g->type || !g->type[0])
            status = error_set(err, PTL_ERR_INTERNAL, "group %zu has no type", i);
        else
            status = type_index(&index, pack, &seen, texts, g->type, err);
        t->columns[GROUP_TYPE][i] = (int32_t)index;
        t->columns[GROUP_FLAGS][i] =
            (g->horde ? GROUP_FLAG_HORDE : 0) | (g->diffuse ? GROUP_FLAG_DIFFUSE : 0);
        t->columns[GROUP_Z][i] = g->z;
        t->columns[GROUP_RADIUS][i] = g->radius;
        t->columns[GROUP_POPULATION][i] = g->population;
        t->columns[GROUP_X][i] = g->x;
        t->columns[GROUP_Y][i] = g->y;
    }
    strmap_dispose(&seen);
    return status;
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

static void put_table(bytes *b, pack_kind kind, const pack_table *t, const char *const *names)
{
    bytes_put_varint(b, t->name_count);
    for (size_t i = 0; i < t->name_count; i++)
        put_text(b, names[i]);
    bytes_put_varint(b, t->count);
    for (size_t c = 0; c < pack_layout_of(kind)->column_count; c++)
        pack_put_signed(b, t->columns[c], t->count);
}

ptl_status features_digest(digest *out, bytes *scratch, ptl_chunk_pos pos,
                           const gen_features *rows, const pack_table tables[PACK_KINDS],
                           const char *const *const names[PACK_KINDS], ptl_error *err)
{
    bytes_clear(scratch);
    bytes_put_text(scratch, "portolan features 1\n");
    bytes_put_u32(scratch, (uint32_t)pos.x);
    bytes_put_u32(scratch, (uint32_t)pos.y);
    put_rows(scratch, rows);
    for (size_t kind = 0; kind < PACK_KINDS; kind++)
        put_table(scratch, (pack_kind)kind, &tables[kind], names[kind]);
    if (scratch->failed)
        return error_nomem(err);
    digest_state state;
    digest_init(&state);
    digest_update(&state, scratch->data, scratch->size);
    digest_final(&state, out);
    return PTL_OK;
}

/* ---- all together ---- */

static ptl_status make_table(pack_table *t, encoded_features *out, pack_kind kind,
                             const gen_features *f, const catalogue *cat, ptl_error *err)
{
    encoded_pack *pack = &out->packs[kind];
    pack->count = kind == PACK_PLACEMENTS ? f->placement_count : f->group_count;
    if (pack->count == 0)
        return PTL_OK;
    ptl_status status = pack_table_resize(t, kind, pack->count, err);
    if (status != PTL_OK)
        return status;
    status = kind == PACK_PLACEMENTS ? make_placements(t, pack, f, cat, err)
                                     : make_groups(t, pack, &out->rows, f, err);
    t->name_count = pack->name_count;
    return status;
}

static ptl_status encode_all(encoded_features *out, pack_table tables[PACK_KINDS], codec *c,
                             ptl_chunk_pos pos, const gen_features *f, const catalogue *cat,
                             ptl_error *err)
{
    const char *const *names[PACK_KINDS];
    ptl_status status = copy_cities(&out->rows, f, err);
    if (status == PTL_OK)
        status = copy_radios(&out->rows, f, err);
    for (size_t kind = 0; kind < PACK_KINDS && status == PTL_OK; kind++) {
        pack_table *t = &tables[kind];
        status = make_table(t, out, (pack_kind)kind, f, cat, err);
        if (status == PTL_OK && t->count > 0)
            status = pack_body_encode(&out->packs[kind].body, c, (pack_kind)kind, t, err);
        names[kind] = out->packs[kind].names;
    }
    if (status != PTL_OK)
        return status;
    return features_digest(&out->digest, &tables[0].stream, pos, &out->rows, tables, names,
                           err);
}

ptl_status features_encode(encoded_features *out, codec *c, ptl_chunk_pos pos,
                           const gen_features *features, const catalogue *cat, ptl_error *err)
{
    pack_table tables[PACK_KINDS];
    memset(out, 0, sizeof *out);
    memset(tables, 0, sizeof tables);
    ptl_status status = encode_all(out, tables, c, pos, features, cat, err);
    for (size_t kind = 0; kind < PACK_KINDS; kind++)
        pack_table_dispose(&tables[kind]);
    if (status != PTL_OK)
        return error_prefix(err, status, "encoding chunk %d,%d", pos.x, pos.y);
    return PTL_OK;
}
