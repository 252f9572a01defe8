/* overmap_terrain: types, flags, mapgen lists and concrete terrains into their tables. */
#include "content/import/write.h"
#include "content/types/misc.h"
#include "content/types/terrain.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

static ptl_status write_type(import *im, content_rows *s, const terrain_type *type,
                             bytes texts[2])
{
    const terrain_values *v = type->values;
    content_rows_text(s, 1, type->id);
    content_rows_int(s, 2, (int64_t)type->kind);
    content_rows_text(s, 3, v->name);
    content_rows_int(s, 4, v->symbol);
    content_rows_text(s, 5, v->color);
    content_rows_int(s, 6, v->numbers[TERRAIN_SEE_COST]);
    content_rows_int(s, 7, v->numbers[TERRAIN_TRAVEL_COST]);
    content_rows_int(s, 8, v->numbers[TERRAIN_MONDENSITY]);
    content_rows_text(s, 9, v->extras);
    if (v->land_use_code && land_use_code_exists(im, v->land_use_code))
        content_rows_text(s, 10, v->land_use_code);
    content_rows_text(s, 11, v->connect_group);
    ptl_status status = bind_json_list(s, 12, &v->looks_like, &texts[0], im->err);
    if (status != PTL_OK)
        return status;
    if (v->spawn_group) {
        content_rows_text(s, 13, v->spawn_group);
        content_rows_int(s, 14, v->spawn_min);
        content_rows_int(s, 15, v->spawn_max);
        content_rows_int(s, 16, v->spawn_chance);
    }
    bind_origin(s, 17, type->object->source);
    for (int i = 0; i < TERRAIN_TEXTS; i++)
        content_rows_text(s, 20 + i, v->texts[i]);
    if (v->post_processing.count > 0)
        status = bind_json_list(s, 20 + TERRAIN_TEXTS, &v->post_processing, &texts[1], im->err);
    return status == PTL_OK ? content_rows_add(s, im->err) : status;
}

static ptl_status write_types(import *im, ptl_store *store)
{
    const struct terrain_model *model = im->terrains;
    content_rows *types = NULL, *flags = NULL;
    bytes texts[2];
    bytes_init(&texts[0]);
    bytes_init(&texts[1]);
    ptl_status status = content_rows_open(&types, store, CONTENT_TERRAINS, im->err);
    if (status == PTL_OK)
        status = content_rows_open(&flags, store, CONTENT_TERRAIN_FLAGS, im->err);
    for (size_t i = 0; status == PTL_OK && i < model->type_count; i++) {
        const terrain_type *type = &model->types[i];
        status = write_type(im, types, type, texts);
        for (size_t k = 0; status == PTL_OK && k < type->values->flags.count; k++)
            status = run_text2(flags, type->id, type->values->flags.items[k], im->err);
    }
    content_rows_close(types);
    content_rows_close(flags);
    bytes_dispose(&texts[0]);
    bytes_dispose(&texts[1]);
    return status;
}

static ptl_status write_mapgen_list(import *im, content_rows *s, const char *terrain,
                                    const char *list, const json_t *entries, int64_t *position)
{
    ptl_status status = PTL_OK;
    for (size_t i = 0; status == PTL_OK && i < json_array_size(entries); i++) {
        char *text = json_dumps(json_array_get(entries, i), JSON_COMPACT);
        if (!text)
            return error_nomem(im->err);
        content_rows_text(s, 1, terrain);
        content_rows_text(s, 2, list);
        content_rows_int(s, 3, (*position)++);
        content_rows_text(s, 4, text);
        status = content_rows_add(s, im->err);
        free(text);
    }
    return status;
}

/* Goes by node, in import order: each definition of an id adds to its lists. */
static ptl_status write_mapgen(import *im, ptl_store *store)
{
    const struct terrain_model *model = im->terrains;
    content_rows *s = NULL;
    ptl_status status = content_rows_open(&s, store, CONTENT_TERRAIN_MAPGEN, im->err);
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
    content_rows_close(s);
    return status;
}

static uint32_t oter_symbol(const import *im, const terrain_type *type, uint32_t variant)
{
    if (type->kind == PTL_TERRAIN_LINE)
        return symbol_line(variant);
    return symbol_rotate(im->misc->tuples, im->misc->tuple_count, type->values->symbol,
                         variant);
}

static ptl_status write_oters(import *im, ptl_store *store)
{
    const struct terrain_model *model = im->terrains;
    content_rows *s = NULL;
    ptl_status status = content_rows_open(&s, store, CONTENT_OTERS, im->err);
    for (size_t i = 0; status == PTL_OK && i < model->oter_count; i++) {
        const terrain_oter *oter = &model->oters[i];
        const terrain_type *type = &model->types[oter->type];
        content_rows_text(s, 1, oter->id);
        content_rows_text(s, 2, type->id);
        content_rows_int(s, 3, oter->variant);
        content_rows_int(s, 4, type->kind == PTL_TERRAIN_LINE ? oter->variant : 0);
        content_rows_int(s, 5, type->kind == PTL_TERRAIN_ROTATABLE ? oter->variant : 0);
        content_rows_int(s, 6, oter_symbol(im, type, oter->variant));
        status = content_rows_add(s, im->err);
    }
    content_rows_close(s);
    return status;
}

ptl_status terrain_write(import *im, ptl_store *store, int64_t content_id)
{
    ptl_status status = store_content_clear(store, CONTENT_DEFINITIONS, content_id, im->err);
    if (status == PTL_OK)
        status = write_types(im, store);
    if (status == PTL_OK)
        status = write_mapgen(im, store);
    if (status == PTL_OK)
        status = write_oters(im, store);
    return status;
}
