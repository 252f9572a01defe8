/* A chunk's features as a catalogue knows them: ids resolved, texts copied. */
#include "content/catalogue.h"
#include "core/error.h"
#include "store/chunk_read.h"
#include "store/feature_rows.h"
#include "store/kept.h"

#include <stdlib.h>

static ptl_status copy_rows(gen_features *out, const gen_features *rows, ptl_error *err)
{
    for (size_t i = 0; i < rows->city_count; i++) {
        gen_city *c = features_add_city(out);
        if (!c)
            return error_nomem(err);
        *c = rows->cities[i];
        c->name = features_text(out, rows->cities[i].name);
        if (!c->name)
            return error_nomem(err);
    }
    for (size_t i = 0; i < rows->radio_count; i++) {
        gen_radio *r = features_add_radio(out);
        if (!r)
            return error_nomem(err);
        *r = rows->radios[i];
        r->message = features_text(out, rows->radios[i].message);
        if (!r->message)
            return error_nomem(err);
    }
    return PTL_OK;
}

/* The catalogue's specials of a pack's names. */
static ptl_status find_specials(uint16_t *out, const char *const *names, size_t count,
                                const catalogue *cat, ptl_error *err)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = catalogue_special(cat, names[i]);
        if (out[i] == CAT_NONE)
            return error_set(err, PTL_ERR_MISMATCH, "the content has no building '%s'",
                             names[i]);
    }
    return PTL_OK;
}

static ptl_status copy_placements(gen_features *out, const pack_table *t,
                                  const uint16_t *specials, ptl_error *err)
{
    for (size_t i = 0; i < t->count; i++) {
        gen_placement *p = features_add_placement(out);
        if (!p)
            return error_nomem(err);
        *p = (gen_placement){.special = specials[t->columns[PLACEMENT_ID][i]],
                             .x = (int16_t)t->columns[PLACEMENT_X][i],
                             .y = (int16_t)t->columns[PLACEMENT_Y][i],
                             .z = (int8_t)t->columns[PLACEMENT_Z][i],
                             .rotation = (uint8_t)t->columns[PLACEMENT_ROTATION][i],
                             .city = (int16_t)t->columns[PLACEMENT_CITY][i]};
    }
    return PTL_OK;
}

static ptl_status add_placements(gen_features *out, const feature_set *set,
                                 const catalogue *cat, ptl_error *err)
{
    const pack_table *t = &set->tables[PACK_PLACEMENTS];
    if (t->count == 0)
        return PTL_OK;
    uint16_t *specials = malloc(t->name_count * sizeof *specials);
    if (!specials)
        return error_nomem(err);
    ptl_status status =
        find_specials(specials, set->names[PACK_PLACEMENTS], t->name_count, cat, err);
    if (status == PTL_OK)
        status = copy_placements(out, t, specials, err);
    free(specials);
    return status;
}

static ptl_status add_groups(gen_features *out, const feature_set *set, ptl_error *err)
{
    const pack_table *t = &set->tables[PACK_GROUPS];
    const char **types = calloc(t->name_count + 1, sizeof *types);
    ptl_status status = types ? PTL_OK : error_nomem(err);
    for (size_t i = 0; i < t->name_count && status == PTL_OK; i++) {
        types[i] = features_text(out, set->names[PACK_GROUPS][i]);
        status = types[i] ? PTL_OK : error_nomem(err);
    }
    for (size_t i = 0; i < t->count && status == PTL_OK; i++) {
        gen_group *g = features_add_group(out);
        if (!g) {
            status = error_nomem(err);
            break;
        }
        int32_t flags = t->columns[GROUP_FLAGS][i];
        *g = (gen_group){.type = types[t->columns[GROUP_TYPE][i]],
                         .x = (int16_t)t->columns[GROUP_X][i],
                         .y = (int16_t)t->columns[GROUP_Y][i],
                         .z = (int8_t)t->columns[GROUP_Z][i],
                         .radius = (int16_t)t->columns[GROUP_RADIUS][i],
                         .population = t->columns[GROUP_POPULATION][i],
                         .horde = (flags & GROUP_FLAG_HORDE) != 0,
                         .diffuse = (flags & GROUP_FLAG_DIFFUSE) != 0};
    }
    free(types);
    return status;
}

static ptl_status read_found(gen_features *out, ptl_store *store, const stmt *s,
                             const catalogue *cat, ptl_error *err)
{
    row_scratch *scratch;
    chunk_info info;
    feature_set set = {0};
    ptl_status status = row_scratch_get(&scratch, store, err);
    if (status == PTL_OK)
        status = chunk_info_read(&info, scratch, s, err);
    if (status != PTL_OK)
        return status;
    status = feature_rows_read(&set, store, info.id,
                               stmt_int(s, CHUNK_COLUMN_FEATURES_CHECKSUM), err);
    if (status == PTL_OK)
        status = copy_rows(out, &set.rows, err);
    if (status == PTL_OK)
        status = add_placements(out, &set, cat, err);
    if (status == PTL_OK)
        status = add_groups(out, &set, err);
    feature_set_dispose(&set);
    return status;
}

/* The chunk's statement stays open until all is read: that is the read transaction. */
ptl_status chunk_features_read(gen_features *out, bool *found, ptl_store *store,
                               int64_t world_id, ptl_chunk_pos pos, const catalogue *cat,
                               ptl_error *err)
{
    stmt *s = NULL;
    *found = false;
    features_reset(out);
    ptl_status status = kept_stmt(&s, store, KEPT_CHUNK_FIND, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, world_id);
    stmt_bind_int(s, 2, pos.x);
    stmt_bind_int(s, 3, pos.y);
    status = stmt_step(s, found, err);
    if (status == PTL_OK && *found)
        status = read_found(out, store, s, cat, err);
    stmt_reset(s);
    if (status != PTL_OK)
        return error_prefix(err, status, "chunk %d,%d", pos.x, pos.y);
    return PTL_OK;
}
