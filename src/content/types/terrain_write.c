/* Writes overmap_terrain into its tables: types, flags, mapgen lists and oters. */
#include "content/types/misc.h"
#include "content/types/terrain.h"

#include <stdlib.h>
#include <string.h>

static void write_type(import *im, content_writer *w, const terrain_type *type)
{
    overmap_terrain_row row = type->values->row;
    row.kind = (int64_t)type->kind;
    record_place(CONTENT_TERRAINS, &row, type->id, type->object->source);
    if (row.land_use_code && !land_use_code_exists(im, row.land_use_code))
        row.land_use_code = NULL;
    content_put(w, CONTENT_TERRAINS, &row);
    for (size_t k = 0; k < type->values->flags.count; k++)
        content_put(w, CONTENT_TERRAIN_FLAGS,
                    &(overmap_terrain_flag_row){type->id, type->values->flags.items[k]});
}

/* Writes mapgen lists node by node, in import order: each definition of an id adds to its
 * lists. */
static void write_mapgen(import *im, content_writer *w)
{
    const struct terrain_model *model = im->terrains;
    int64_t *positions =
        import_alloc(im, model->type_count, TERRAIN_MAPGEN_LISTS * sizeof *positions);
    for (size_t i = 0; positions && i < model->node_count; i++) {
        const inherit_node *node = &model->nodes[i];
        const terrain_object *t = model->node_objects[i];
        const terrain_type *type =
            node->abstract || node->left_out ? NULL : terrain_find_type(im, node->id);
        for (size_t k = 0; type && k < TERRAIN_MAPGEN_LISTS; k++) {
            size_t at = (size_t)(type - model->types) * TERRAIN_MAPGEN_LISTS + k;
            for (size_t j = 0; j < json_array_size(t->mapgen[k]); j++) {
                const char *text = import_json_text(im, json_array_get(t->mapgen[k], j));
                if (text)
                    content_put(w, CONTENT_TERRAIN_MAPGEN,
                                &(overmap_terrain_mapgen_row){node->id, terrain_mapgen_keys[k],
                                                              positions[at]++, text});
            }
        }
    }
}

static uint32_t oter_symbol(const import *im, const terrain_type *type, uint32_t variant)
{
    if (type->kind == PTL_TERRAIN_LINE)
        return symbol_line(variant);
    return symbol_rotate(im->misc->tuples, im->misc->tuple_count,
                         (uint32_t)type->values->row.symbol, variant);
}

void terrain_write(import *im, content_writer *w)
{
    const struct terrain_model *model = im->terrains;
    for (size_t i = 0; i < model->type_count; i++)
        write_type(im, w, &model->types[i]);
    write_mapgen(im, w);
    for (size_t i = 0; i < model->oter_count; i++) {
        const terrain_oter *oter = &model->oters[i];
        const terrain_type *type = &model->types[oter->type];
        const bool line = type->kind == PTL_TERRAIN_LINE,
                   rotates = type->kind == PTL_TERRAIN_ROTATABLE;
        content_put(w, CONTENT_OTERS,
                    &(concrete_terrain_row){.id = oter->id,
                                            .terrain = type->id,
                                            .variant = oter->variant,
                                            .line = line ? oter->variant : 0,
                                            .rotation = rotates ? oter->variant : 0,
                                            .symbol = oter_symbol(im, type, oter->variant)});
    }
}
