/* Which terrains name the built-in mapgen `shoals`, and what they say of it. The import has
 * checked it; what is wrong all the same is as if it were missing. */
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

/* Sets the number if there is one that may be. */
static void set_number(int32_t *out, const json_t *value, int32_t low, int32_t high)
{
    const json_int_t number = json_integer_value(value);
    if (json_is_integer(value) && number >= low && number <= high)
        *out = (int32_t)number;
}

static void read_members(cat_shoals *out, const json_t *entry)
{
    const json_t *islands = json_object_get(entry, "islands");
    *out = shoals_initial;
    out->full = is_text(entry, "profile", "full");
    set_number(&out->islands_max, json_array_get(islands, 1), 0, SHOALS_ISLANDS_MAX);
    set_number(&out->islands_min, json_array_get(islands, 0), 0, out->islands_max);
    for (size_t i = 0; i < SHOALS_FIELDS; i++) {
        const shoals_field *f = &shoals_fields[i];
        set_number((int32_t *)(void *)((char *)out + f->offset), json_object_get(entry, f->key),
                   f->low, f->high);
    }
}

typedef struct entry_reader {
    json_reader *json;
    uint16_t last; /* terrain of the row before */
} entry_reader;

/* Of a terrain the first entry that names them counts. */
static ptl_status read_entry(loader *l, const content_value *s, void *payload)
{
    entry_reader *r = payload;
    const char *text = value_text(s, 2);
    json_fault fault;
    if (strcmp(value_text(s, 1), "mapgen") != 0 || !strstr(text, "shoals"))
        return PTL_OK;
    cat_terrain *t = loader_terrain(l, value_text(s, 0), &r->last);
    if (!t)
        return loader_corrupt(l, "mapgen of unknown terrain", value_text(s, 0));
    json_t *entry = json_value_read(r->json, text, strlen(text), &fault);
    if (!entry)
        return fault.kind == JSON_NO_MEMORY
                   ? error_nomem(l->err)
                   : loader_corrupt(l, "mapgen that is no JSON of", t->id);
    ptl_status status = PTL_OK;
    if (!t->shoals && is_text(entry, "method", "builtin") && is_text(entry, "name", "shoals")) {
        cat_shoals *out = arena_alloc(l->arena, sizeof *out);
        if (out)
            read_members(out, entry);
        t->shoals = out;
        status = out ? PTL_OK : error_nomem(l->err);
    }
    json_decref(entry);
    return status;
}

ptl_status load_shoals(loader *l)
{
    entry_reader r = {json_reader_new((stop_hook){NULL, NULL}), CAT_NONE};
    if (!r.json)
        return error_nomem(l->err);
    const ptl_status status =
        loader_rows(l,
                    &(content_query){CONTENT_TERRAIN_MAPGEN, "terrain, list, json",
                                     "terrain, list, position"},
                    read_entry, &r);
    json_reader_free(r.json);
    return status;
}
