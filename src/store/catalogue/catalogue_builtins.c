/*
 * Which terrains name one of the games' own (builtin) mapgens, and what they say of `shoals`.
 * The import has checked these values; one that is wrong nevertheless is treated as missing.
 */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"
#include "model/shoals_fields.h"
#include "json/json_value.h"

#include <string.h>

static bool is_text(const json_t *entry, const char *key, const char *text)
{
    const char *value = json_string_value(json_object_get(entry, key));
    return value && strcmp(value, text) == 0;
}

/* Sets the number if the value is an integer in the range. */
static void set_number(int32_t *out, const json_t *value, int32_t low, int32_t high)
{
    const json_int_t number = json_integer_value(value);
    if (json_is_integer(value) && number >= low && number <= high)
        *out = (int32_t)number;
}

/* Takes the first entry of a terrain that names such a mapgen; later ones are ignored. */
static ptl_status read_entry(loader *l, const void *values)
{
    const overmap_terrain_mapgen_row *s = values;
    json_t *entry;
    if (!strstr(s->json, "builtin"))
        return PTL_OK;
    cat_terrain *t = loader_terrain(l, s->terrain);
    if (!t)
        return loader_corrupt(l, "mapgen of unknown terrain", s->terrain);
    TRY(loader_json(l, &entry, s->json, "mapgen that is no JSON of", t->id));
    /* The name of the game's own mapgen. DDA from 0.H on writes such entries without `method`,
     * too. */
    const json_t *own = json_object_get(entry, "builtin");
    const char *name = json_string_value(
        own ? own : json_object_get(entry, is_text(entry, "method", "builtin") ? "name" : ""));
    ptl_status status = PTL_OK;
    cat_shoals *out = NULL;
    if (name && !t->builtin && name[0])
        t->builtin = loader_keep(l, name);
    if (name && !t->shoals && strcmp(s->list, "mapgen") == 0 && strcmp(name, "shoals") == 0) {
        status = LOADER_ROOM(l, out, 0);
        t->shoals = out;
    }
    if (status == PTL_OK && out) {
        const json_t *islands = json_object_get(entry, "islands");
        *out = shoals_initial;
        out->full = is_text(entry, "profile", "full");
        set_number(&out->islands_max, json_array_get(islands, 1), 0, SHOALS_ISLANDS_MAX);
        set_number(&out->islands_min, json_array_get(islands, 0), 0, out->islands_max);
        for (size_t i = 0; i < SHOALS_FIELDS; i++) {
            const shoals_field *f = &shoals_fields[i];
            set_number((int32_t *)(void *)((char *)out + f->offset),
                       json_object_get(entry, f->key), f->low, f->high);
        }
    }
    json_decref(entry);
    return status;
}

ptl_status load_builtins(loader *l)
{
    return loader_rows(l, CONTENT_TERRAIN_MAPGEN, NULL, read_entry, NULL);
}
