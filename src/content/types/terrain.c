/* The module of the type overmap_terrain: loads the terrains, makes their oters, checks and
 * writes them, and suggests known ids for unknown ones. */
#include "content/types/terrain.h"

#include <stdlib.h>
#include <string.h>

/* ---- types and their oters; types are sorted by id, so that equal content gives equal
 * numbers ---- */

/* Collects the last definition of each id. The empty id is the games' null terrain:
 * definitions may copy from it, but it is no type. */
static void collect_types(import *im, struct terrain_model *model)
{
    definition_list list;
    void **values = import_alloc(im, model->node_count + 1, sizeof *values);
    model->types = import_alloc(im, model->node_count + 1, sizeof *model->types);
    if (!values || !model->types)
        return;
    for (size_t i = 0; i < model->node_count; i++)
        if (!model->nodes[i].left_out && model->nodes[i].id[0] != '\0')
            values[i] = &model->node_values[i];
    definition_list_keep(&list, im, model->nodes, model->node_count, values);
    for (size_t i = 0; list.items && i < list.count; i++) {
        const terrain_values *v = list.items[i].value;
        model->types[model->type_count++] = (terrain_type){
            .id = list.items[i].id,
            .object = model->node_objects[v - model->node_values],
            .values = v,
            .kind = string_list_has(&v->flags, "LINEAR")      ? PTL_TERRAIN_LINE
                    : string_list_has(&v->flags, "NO_ROTATE") ? PTL_TERRAIN_FIXED
                                                              : PTL_TERRAIN_ROTATABLE};
    }
}

/* Counts the oters of all terrain types. False if there are more than TERRAIN_OTERS_MAX, which
 * is reported. */
static bool count_oters(import *im, struct terrain_model *model, size_t *total)
{
    for (size_t i = 0; i < model->type_count; i++) {
        terrain_type *type = &model->types[i];
        type->first = (uint32_t)*total;
        *total += terrain_variant_count(type->kind);
        if (*total > TERRAIN_OTERS_MAX) {
            import_error(im, type->object->source, type->id, "", CT111,
                         "the content has more than %d concrete terrains, which is the limit",
                         TERRAIN_OTERS_MAX);
            *total = type->first;
            model->type_count = i;
            return false;
        }
    }
    return true;
}

static void load(import *im)
{
    struct terrain_model *model = import_alloc(im, 1, sizeof *model);
    if (!model)
        return;
    im->terrains = model;
    terrain_read_objects(im, model);
    terrain_inherit(im, model);
    /* Makes the terrain types and their oters. */
    collect_types(im, model);
    size_t total = 0;
    count_oters(im, model, &total);
    model->oters = import_alloc(im, total + 1, sizeof *model->oters);
    if (!model->oters)
        return;
    for (uint32_t i = 0; i < model->type_count; i++) {
        const terrain_type *type = &model->types[i];
        for (uint32_t v = 0; v < terrain_variant_count(type->kind); v++) {
            const char *id = import_printf(im, "%s%s", type->id, terrain_suffix(type->kind, v));
            model->oters[model->oter_count++] = (terrain_oter){id, i, v};
        }
    }
    qsort(model->oters, model->oter_count, sizeof *model->oters, compare_ids);
    for (size_t i = 1; i < model->oter_count && !import_stopped(im); i++) {
        const terrain_oter *a = &model->oters[i - 1], *b = &model->oters[i];
        if (strcmp(a->id, b->id) != 0)
            continue;
        const terrain_type *first = &model->types[a->type], *second = &model->types[b->type];
        if (first->object->source->order > second->object->source->order) {
            const terrain_type *swap = first;
            first = second;
            second = swap;
        }
        import_error(im, second->object->source, second->id, "", TR101,
                     "its concrete terrain '%s' is also one of '%s'", b->id, first->id);
    }
    im->report->terrain_types += model->type_count;
    im->report->concrete_terrains += model->oter_count;
}

/* ---- mistakes that DDA refuses, checked if the content is known to be for DDA ---- */

/* Returns whether a terrain of the game's own content has the flag. The game's own content is
 * the pack that defines the first terrain. */
static bool base_has_flag(const struct terrain_model *model, const char *flag)
{
    const uint32_t base = model->objects[0].source->file->pack;
    bool found = false;
    for (size_t i = 0; i < model->object_count && !found; i++) {
        const terrain_object *t = &model->objects[i];
        found = t->source->file->pack == base &&
                (string_list_has(&t->given.flags, flag) || string_list_has(&t->extend, flag));
    }
    return found;
}

static const char *suggest_flag(import *im, const struct terrain_model *model, const char *flag)
{
    suggestion near;
    const bool compare = suggest_among(im, &near, flag, model->object_count);
    for (size_t i = 0; compare && i < model->object_count; i++)
        for (size_t k = 0; k < model->objects[i].given.flags.count; k++)
            if (strcmp(model->objects[i].given.flags.items[k], flag) != 0)
                suggest_offer(&near, model->objects[i].given.flags.items[k]);
    return suggest_text(im, &near);
}

static void check_flags(import *im, const struct terrain_model *model, const terrain_object *t)
{
    /* Flags that the games' documentation has, though no terrain of 0.I or of 2026 uses
     * them. */
    static const char *const rare[] = {
        "ENDGAME",    "SOURCE_FABRICATION", "SOURCE_AMMO", "RISK_EXTREME",
        "KNOWN_DOWN", "KNOWN_UP",           NULL};
    for (size_t i = 0; i < t->given.flags.count; i++) {
        const char *flag = t->given.flags.items[i];
        bool known = strncmp(flag, "SOURCE_", 7) == 0;
        for (size_t k = 0; rare[k] && !known; k++)
            known = strcmp(rare[k], flag) == 0;
        if (!known && !base_has_flag(model, flag))
            import_warning(im, t->source, NULL, "/flags", TR103,
                           "unknown flag '%s'%s: DDA refuses it", flag,
                           suggest_flag(im, model, flag));
    }
}

/* Checks land use codes, and looks for mistakes that DDA refuses. Each problem is reported for
 * the object that states it, not for objects that inherit it. */
static void check(import *im)
{
    struct terrain_model *model = im->terrains;
    const char *version = im->game_version ? im->game_version : "";
    const char *number = strstr(version, "0.");
    const bool for_dda = im->game && strcmp(im->game, "dda") == 0 && number && number[2] >= 'I';
    for (size_t i = 0; for_dda && i < model->object_count && !import_stopped(im); i++) {
        const terrain_object *t = &model->objects[i];
        /* DDA since 0.I wants see_cost to be a name, and every terrain to have one. */
        const json_t *cost = json_object_get(t->source->json, "see_cost");
        if (json_is_number(cost))
            import_warning(
                im, t->source, NULL, "/see_cost", TR104,
                "'see_cost' is a number: DDA wants one of its names, none to opaque, and "
                "refuses it");
        else if (!cost && !json_object_get(t->source->json, "copy-from"))
            import_warning(im, t->source, NULL, "", TR104, "no 'see_cost': DDA refuses it");
        if (t->source->file->pack != model->objects[0].source->file->pack)
            check_flags(im, model, t);
    }
    for (size_t i = 0; i < model->object_count && !import_stopped(im); i++) {
        const terrain_object *t = &model->objects[i];
        if (!(t->present & TERRAIN_HAS(land_use_code)) || !t->given.row.land_use_code ||
            definition_get(im, CONTENT_LAND_USE_CODES, t->given.row.land_use_code))
            continue;
        import_unresolved(
            im, t->source, NULL, "/land_use_code", CT104,
            "no such overmap_land_use_code '%s'%s", t->given.row.land_use_code,
            definition_suggest(im, CONTENT_LAND_USE_CODES, t->given.row.land_use_code));
    }
}

static const char *did_you_mean(import *im, const char *id, const char *suffix)
{
    return import_printf(im, ", did you mean '%s%s'?", id, suffix);
}

/* Suggests a variant of a type for an unknown oter id: the variant with the same suffix, else
 * the first one (for lines, the straight one). */
static const char *suggest_variant(import *im, const terrain_type *type, const char *suffix)
{
    unsigned best = type->kind == PTL_TERRAIN_LINE ? 5 : 0;
    for (unsigned v = 0; v < terrain_variant_count(type->kind); v++)
        if (strcmp(terrain_suffix(type->kind, v), suffix) == 0)
            best = v;
    return did_you_mean(im, type->id, terrain_suffix(type->kind, best));
}

/* Finds the type that an unknown id most likely means: the type whose id is its first `length`
 * bytes, else the type with the nearest id; NULL if none is near. */
static const terrain_type *suggest_type(import *im, const char *id, size_t length)
{
    const struct terrain_model *model = im->terrains;
    char *base = arena_strndup(im->arena, id, length);
    const terrain_type *type = base ? terrain_find_type(im, base) : NULL;
    if (type || !base)
        return type;
    suggestion near;
    const bool compare = suggest_among(im, &near, base, model->type_count);
    for (size_t i = 0; compare && i < model->type_count; i++)
        suggest_offer(&near, model->types[i].id);
    return near.best ? terrain_find_type(im, near.best) : NULL;
}

/* Suggests an oter that is similar to an unknown id. It looks for a similar type and suggests
 * an oter of that type, since comparing the id with all oters would take four times as long.
 * For an id without a suffix, it suggests the type itself. */
const char *terrain_suggest(import *im, const char *id)
{
    const terrain_type *type = terrain_find_type(im, id);
    size_t length = terrain_base_length(id);
    if (type)
        return suggest_variant(im, type, "");
    type = suggest_type(im, id, length);
    if (!type)
        return "";
    return id[length] != '\0' ? suggest_variant(im, type, id + length)
                              : did_you_mean(im, type->id, "");
}

const char *terrain_suggest_type(import *im, const char *id)
{
    const terrain_type *type = suggest_type(im, id, strlen(id));
    if (!type)
        type = suggest_type(im, id, terrain_base_length(id));
    return type ? did_you_mean(im, type->id, "") : "";
}

static const char *const types[] = {"overmap_terrain", NULL};

/* ---- writing overmap_terrain into its tables: types, flags, mapgen lists and oters ---- */

/* Writes the mapgen lists of all definitions, in import order, since each definition of an id
 * adds to the id's lists. */
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

static void terrain_write(import *im, content_writer *w)
{
    const struct terrain_model *model = im->terrains;
    for (size_t i = 0; i < model->type_count; i++) {
        const terrain_type *type = &model->types[i];
        overmap_terrain_row row = type->values->row;
        row.kind = (int64_t)type->kind;
        record_place(CONTENT_TERRAINS, &row, type->id, type->object->source);
        if (row.land_use_code && !definition_get(im, CONTENT_LAND_USE_CODES, row.land_use_code))
            row.land_use_code = NULL;
        content_put(w, CONTENT_TERRAINS, &row);
        for (size_t k = 0; k < type->values->flags.count; k++)
            content_put(w, CONTENT_TERRAIN_FLAGS,
                        &(overmap_terrain_flag_row){type->id, type->values->flags.items[k]});
    }
    write_mapgen(im, w);
    for (size_t i = 0; i < model->oter_count; i++) {
        const terrain_oter *oter = &model->oters[i];
        const terrain_type *type = &model->types[oter->type];
        const bool line = type->kind == PTL_TERRAIN_LINE,
                   rotates = type->kind == PTL_TERRAIN_ROTATABLE;
        const uint32_t symbol =
            line ? symbol_line(oter->variant)
                 : symbol_rotate(im->misc->tuples, im->misc->tuple_count,
                                 (uint32_t)type->values->row.symbol, oter->variant);
        content_put(w, CONTENT_OTERS,
                    &(concrete_terrain_row){.id = oter->id,
                                            .terrain = type->id,
                                            .variant = oter->variant,
                                            .line = line ? oter->variant : 0,
                                            .rotation = rotates ? oter->variant : 0,
                                            .symbol = symbol});
    }
}

const content_module terrain_module = {"terrain", types, NULL, load, check, terrain_write};

const terrain_type *terrain_find_type(const import *im, const char *id)
{
    const struct terrain_model *model = im->terrains;
    return model ? FIND_ID(model->types, model->type_count, id) : NULL;
}

bool terrain_type_exists(const import *im, const char *type_id)
{
    return terrain_find_type(im, type_id) != NULL;
}

const char *terrain_base_of(import *im, const char *oter)
{
    enum { ROTATIONS = 4, SHAPES = 16 };
    if (terrain_type_exists(im, oter))
        return oter;
    size_t length = strlen(oter);
    for (unsigned i = 0; i < ROTATIONS + SHAPES; i++) {
        const char *suffix = i < ROTATIONS ? terrain_suffix(PTL_TERRAIN_ROTATABLE, i)
                                           : terrain_suffix(PTL_TERRAIN_LINE, i - ROTATIONS);
        size_t tail = strlen(suffix);
        if (length <= tail || strcmp(oter + length - tail, suffix) != 0)
            continue;
        const char *type = arena_strndup(im->arena, oter, length - tail);
        if (type && terrain_type_exists(im, type))
            return type;
    }
    return NULL;
}

bool terrain_is_linear(const import *im, const char *type_id)
{
    const terrain_type *type = terrain_find_type(im, type_id);
    return type && type->kind == PTL_TERRAIN_LINE;
}

const terrain_type *terrain_type_of(const import *im, const char *oter)
{
    const struct terrain_model *model = im->terrains;
    const terrain_oter *found = model ? FIND_ID(model->oters, model->oter_count, oter) : NULL;
    return found ? &model->types[found->type] : NULL;
}

oter_match terrain_find_oter(const import *im, const char *concrete_id)
{
    return terrain_type_of(im, concrete_id)     ? OTER_FOUND
           : terrain_find_type(im, concrete_id) ? OTER_NEEDS_SUFFIX
                                                : OTER_NONE;
}
