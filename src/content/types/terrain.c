/* The overmap_terrain module: its passes, its checks, and suggestions for unknown ids. */
#include "content/types/terrain.h"

#include "content/types/misc.h"

#include <stdio.h>
#include <string.h>

static void load(import *im)
{
    struct terrain_model *model = import_alloc(im, 1, sizeof *model);
    if (!model)
        return;
    im->terrains = model;
    terrain_read_objects(im, model);
    terrain_inherit(im, model);
    terrain_expand(im, model);
}

/* ---- what DDA refuses, for content that is known to be for DDA ---- */

/* Does the game's own content have the flag? Its pack is the first one with terrains. */
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
    /* Flags in the games' documents that no terrain of 0.I or 2026 has. */
    static const char *const rare[] = {
        "ENDGAME",    "SOURCE_FABRICATION", "SOURCE_AMMO", "RISK_EXTREME",
        "KNOWN_DOWN", "KNOWN_UP",           NULL};
    for (size_t i = 0; i < t->given.flags.count; i++) {
        const char *flag = t->given.flags.items[i];
        bool known = strncmp(flag, "SOURCE_", 7) == 0;
        for (size_t k = 0; rare[k] && !known; k++)
            known = strcmp(rare[k], flag) == 0;
        if (!known && !base_has_flag(model, flag))
            import_warning(im, t->source, NULL, "/flags", "unknown flag '%s'%s: DDA refuses it",
                           flag, suggest_flag(im, model, flag));
    }
}

/* Land use codes are checked in the objects that state them, not in those that inherit
 * them. */
static void check(import *im)
{
    struct terrain_model *model = im->terrains;
    const char *version = im->game_version ? im->game_version : "";
    const char *number = strstr(version, "0.");
    const bool for_dda = im->game && strcmp(im->game, "dda") == 0 && number && number[2] >= 'I';
    for (size_t i = 0; for_dda && i < model->object_count && !import_stopped(im); i++) {
        const terrain_object *t = &model->objects[i];
        /* Checks see_cost: it must be a name, and every terrain must have one. */
        const json_t *cost = json_object_get(t->source->json, "see_cost");
        if (json_is_number(cost))
            import_warning(
                im, t->source, NULL, "/see_cost",
                "'see_cost' is a number: DDA wants one of its names, none to opaque, and "
                "refuses it");
        else if (!cost && !t->copy_from)
            import_warning(im, t->source, NULL, "", "no 'see_cost': DDA refuses it");
        if (t->source->file->pack != model->objects[0].source->file->pack)
            check_flags(im, model, t);
    }
    for (size_t i = 0; i < model->object_count && !import_stopped(im); i++) {
        const terrain_object *t = &model->objects[i];
        if (!(t->present & TERRAIN_HAS(land_use_code)) || !t->given.row.land_use_code ||
            land_use_code_exists(im, t->given.row.land_use_code))
            continue;
        import_unresolved(im, t->source, NULL, "/land_use_code",
                          "no such overmap_land_use_code '%s'%s", t->given.row.land_use_code,
                          land_use_code_suggest(im, t->given.row.land_use_code));
    }
}

static const char *did_you_mean(import *im, const char *id, const char *suffix)
{
    static const char format[] = ", did you mean '%s%s'?";
    size_t size = sizeof format + strlen(id) + strlen(suffix);
    char *text = arena_alloc(im->arena, size);
    if (!text)
        return "";
    snprintf(text, size, format, id, suffix);
    return text;
}

/* Suggests a variant of a type for an unknown oter id: the one with the same suffix, else
 * the first one (for lines, the straight one). */
static const char *suggest_variant(import *im, const terrain_type *type, const char *suffix)
{
    unsigned best = type->kind == PTL_TERRAIN_LINE ? 5 : 0;
    for (unsigned v = 0; v < terrain_variant_count(type->kind); v++)
        if (strcmp(terrain_suffix(type->kind, v), suffix) == 0)
            best = v;
    return did_you_mean(im, type->id, terrain_suffix(type->kind, best));
}

/* Finds the type that an unknown id most likely means: the type of the id without a suffix,
 * else the nearest id; NULL if none is near. */
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

/* Suggests by way of the type: comparing with all oters would cost four times as much for
 * each unknown id. Without a suffix, the type itself may be what is wanted. */
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

const content_module terrain_module = {"terrain", types, load, check, terrain_write};
