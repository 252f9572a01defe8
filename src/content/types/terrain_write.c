/* overmap_terrain: types, flags, mapgen lists and concrete terrains into their tables. */
#include "content/import/write.h"
#include "content/types/misc.h"
#include "content/types/terrain.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

/*
 * The old content goes as a whole, rows before those that they refer to: a parent's row is
 * looked for in all child tables, which must be empty then, or deleting takes forever.
 */
static ptl_status clear_definitions(ptl_store *store, ptl_error *err)
{
    return store_exec(store,
                      "DELETE FROM region_feature_flag; DELETE FROM region_extra;"
                      "DELETE FROM region_extra_group; DELETE FROM region_building;"
                      "DELETE FROM region_block; DELETE FROM region_settings;"
                      "DELETE FROM overmap_connection_location;"
                      "DELETE FROM overmap_connection_subtype; DELETE FROM overmap_connection;"
                      "DELETE FROM overmap_location_flag; DELETE FROM overmap_location_terrain;"
                      "DELETE FROM overmap_location; DELETE FROM concrete_terrain;"
                      "DELETE FROM overmap_terrain_mapgen; DELETE FROM overmap_terrain_flag;"
                      "DELETE FROM overmap_terrain; DELETE FROM map_extra;"
                      "DELETE FROM overmap_land_use_code; DELETE FROM rotatable_symbol;",
                      err);
}

static ptl_status write_type(import *im, stmt *s, const terrain_type *type, bytes *text)
{
    const terrain_values *v = type->values;
    stmt_bind_text(s, 1, type->id);
    stmt_bind_int(s, 2, (int64_t)type->kind);
    stmt_bind_text(s, 3, v->name);
    stmt_bind_int(s, 4, v->symbol);
    stmt_bind_text(s, 5, v->color);
    stmt_bind_int(s, 6, v->numbers[TERRAIN_SEE_COST]);
    stmt_bind_int(s, 7, v->numbers[TERRAIN_TRAVEL_COST]);
    stmt_bind_int(s, 8, v->numbers[TERRAIN_MONDENSITY]);
    stmt_bind_text(s, 9, v->extras);
    if (v->land_use_code && land_use_code_exists(im, v->land_use_code))
        stmt_bind_text(s, 10, v->land_use_code);
    stmt_bind_text(s, 11, v->connect_group);
    ptl_status status = bind_json_list(s, 12, &v->looks_like, text, im->err);
    if (status != PTL_OK)
        return status;
    if (v->spawn_group) {
        stmt_bind_text(s, 13, v->spawn_group);
        stmt_bind_int(s, 14, v->spawn_min);
        stmt_bind_int(s, 15, v->spawn_max);
        stmt_bind_int(s, 16, v->spawn_chance);
    }
    bind_origin(s, 17, type->object->source, type->object->line);
    return stmt_run(s, im->err);
}

static ptl_status write_types(import *im, ptl_store *store)
{
    const struct terrain_model *model = im->terrains;
    stmt *types = NULL, *flags = NULL;
    bytes text;
    bytes_init(&text);
    ptl_status status = stmt_prepare(
        &types, store,
        "INSERT INTO overmap_terrain (id, kind, name, symbol, color, see_cost, travel_cost,"
        " mondensity, extras, land_use_code, connect_group, looks_like, spawn_group,"
        " spawn_population_min, spawn_population_max, spawn_chance, pack, file, line)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        im->err);
    if (status == PTL_OK)
        status = stmt_prepare(&flags, store,
                              "INSERT INTO overmap_terrain_flag (terrain, flag) VALUES (?, ?)",
                              im->err);
    for (size_t i = 0; status == PTL_OK && i < model->type_count; i++) {
        const terrain_type *type = &model->types[i];
        status = write_type(im, types, type, &text);
        for (size_t k = 0; status == PTL_OK && k < type->values->flags.count; k++)
            status = run_text2(flags, type->id, type->values->flags.items[k], im->err);
    }
    stmt_free(types);
    stmt_free(flags);
    bytes_dispose(&text);
    return status;
}

static ptl_status write_mapgen_list(import *im, stmt *s, const char *terrain, const char *list,
                                    const json_t *entries, int64_t *position)
{
    ptl_status status = PTL_OK;
    for (size_t i = 0; status == PTL_OK && i < json_array_size(entries); i++) {
        char *text = json_dumps(json_array_get(entries, i), JSON_COMPACT);
        if (!text)
            return error_nomem(im->err);
        stmt_bind_text(s, 1, terrain);
        stmt_bind_text(s, 2, list);
        stmt_bind_int(s, 3, (*position)++);
        stmt_bind_text(s, 4, text);
        status = stmt_run(s, im->err);
        free(text);
    }
    return status;
}

/* By node, in import order: each definition of an id adds to its lists. */
static ptl_status write_mapgen(import *im, ptl_store *store)
{
    const struct terrain_model *model = im->terrains;
    stmt *s = NULL;
    ptl_status status = stmt_prepare(&s, store,
                                     "INSERT INTO overmap_terrain_mapgen (terrain, list,"
                                     " position, json) VALUES (?, ?, ?, ?)",
                                     im->err);
    int64_t *positions =
        calloc(model->type_count + 1, TERRAIN_MAPGEN_LISTS * sizeof *positions);
    if (!positions && status == PTL_OK)
        status = error_nomem(im->err);
    for (size_t i = 0; status == PTL_OK && i < model->node_count; i++) {
        const inherit_node *node = &model->nodes[i];
        const terrain_object *t = model->node_objects[i];
        const terrain_type *type =
            node->abstract || node->left_out ? NULL : terrain_find_type(im, node->id);
        for (size_t k = 0; type && status == PTL_OK && k < TERRAIN_MAPGEN_LISTS; k++) {
            size_t at = (size_t)(type - model->types) * TERRAIN_MAPGEN_LISTS + k;
            if (t->mapgen[k])
                status = write_mapgen_list(im, s, node->id, terrain_mapgen_keys[k],
                                           t->mapgen[k], &positions[at]);
        }
    }
    free(positions);
    stmt_free(s);
    return status;
}

static uint32_t oter_symbol(const import *im, const terrain_type *type, uint32_t variant)
{
    if (type->kind == TERRAIN_LINEAR)
        return symbol_line(variant);
    return symbol_rotate(im->misc->tuples, im->misc->tuple_count, type->values->symbol,
                         variant);
}

static ptl_status write_oters(import *im, ptl_store *store)
{
    const struct terrain_model *model = im->terrains;
    stmt *s = NULL;
    ptl_status status = stmt_prepare(
        &s, store,
        "INSERT INTO concrete_terrain (id, terrain, variant, line, rotation, symbol)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        im->err);
    for (size_t i = 0; status == PTL_OK && i < model->oter_count; i++) {
        const terrain_oter *oter = &model->oters[i];
        const terrain_type *type = &model->types[oter->type];
        stmt_bind_text(s, 1, oter->id);
        stmt_bind_text(s, 2, type->id);
        stmt_bind_int(s, 3, oter->variant);
        stmt_bind_int(s, 4, type->kind == TERRAIN_LINEAR ? oter->variant : 0);
        stmt_bind_int(s, 5, type->kind == TERRAIN_ROTATABLE ? oter->variant : 0);
        stmt_bind_int(s, 6, oter_symbol(im, type, oter->variant));
        status = stmt_run(s, im->err);
    }
    stmt_free(s);
    return status;
}

ptl_status terrain_write(import *im, ptl_store *store, int64_t content_id)
{
    (void)content_id; /* these tables hold the current content alone */
    ptl_status status = clear_definitions(store, im->err);
    if (status == PTL_OK)
        status = write_types(im, store);
    if (status == PTL_OK)
        status = write_mapgen(im, store);
    if (status == PTL_OK)
        status = write_oters(im, store);
    return status;
}
