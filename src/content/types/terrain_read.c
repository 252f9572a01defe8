/* overmap_terrain: one JSON object becomes a terrain_object. Reads every field that the
 * games document. */
#include "content/types/terrain.h"

#include <string.h>

const char *const terrain_mapgen_keys[TERRAIN_MAPGEN_LISTS] = {
    "mapgen",     "mapgen_straight", "mapgen_curved",
    "mapgen_end", "mapgen_tee",      "mapgen_four_way"};

static const char post_key[] = "post_process_generators";

const content_field *terrain_scaled(size_t n)
{
    const content_form *form = &content_forms[CONTENT_TERRAINS];
    for (size_t i = 0; i < form->count; i++)
        if (form->fields[i].scaled && n-- == 0)
            return &form->fields[i];
    return NULL;
}

static void read_symbol(import *im, terrain_object *t)
{
    const json_t *sym = json_object_get(t->source->json, "sym");
    uint32_t symbol = 0;
    if (!sym)
        return;
    t->present |= TERRAIN_HAS(symbol);
    if (json_is_string(sym)) {
        const char *text = json_string_value(sym);
        const bool one = symbol_parse(text, &symbol);
        if (!one && symbol_first(text, &symbol))
            import_warning(im, t->source, NULL, "/sym",
                           "'sym' has more than one character: the first counts");
        else if (!one)
            import_error(im, t->source, NULL, "/sym", "'sym' must be a printable character");
    } else if (json_is_integer(sym)) {
        if (symbol_is_good(json_integer_value(sym)))
            symbol = (uint32_t)json_integer_value(sym);
        else
            import_error(im, t->source, NULL, "/sym",
                         "'sym' is not the code point of a printable character");
    } else {
        import_error(im, t->source, NULL, "/sym",
                     "'sym' must be a character or its code point");
    }
    t->given.row.symbol = symbol;
}

static void read_spawns(import *im, terrain_object *t)
{
    const json_t *spawns = json_object_get(t->source->json, "spawns");
    if (!spawns)
        return;
    if (!json_is_object(spawns)) {
        import_error(im, t->source, NULL, "/spawns", "'spawns' must be an object");
        return;
    }
    t->present |= TERRAIN_HAS(spawn_group) | TERRAIN_HAS(spawn_population_min) |
                  TERRAIN_HAS(spawn_population_max) | TERRAIN_HAS(spawn_chance);
    if (json_object_size(spawns) == 0) /* none, not even inherited ones */
        return;
    overmap_terrain_row *row = &t->given.row;
    import_get_string(im, t->source, spawns, "/spawns", "group", true, &row->spawn_group);
    row->spawn_chance.given = import_get_int(im, t->source, spawns, "/spawns", "chance", true,
                                             0, TERRAIN_NUMBER_MAX, &row->spawn_chance.value);
    const json_t *population = json_object_get(spawns, "population");
    const json_t *min = json_array_get(population, 0), *max = json_array_get(population, 1);
    if (json_array_size(population) != 2 || !json_is_integer(min) || !json_is_integer(max) ||
        json_integer_value(min) < 0 || json_integer_value(max) < json_integer_value(min) ||
        json_integer_value(max) > TERRAIN_NUMBER_MAX) {
        import_error(im, t->source, NULL, population ? "/spawns/population" : "/spawns",
                     "'population' must be [least, most], two whole numbers from 0");
        return;
    }
    row->spawn_population_min = number_if(true, json_integer_value(min));
    row->spawn_population_max = number_if(true, json_integer_value(max));
}

/* Reads {"see_cost": 2, ...} under "relative" or "proportional". */
static void read_changes(import *im, terrain_object *t, const char *key, double *out,
                         bool positive)
{
    const json_t *changes = json_object_get(t->source->json, key);
    if (!changes)
        return;
    const char *pointer = import_pointer(im, "", key);
    if (!json_is_object(changes)) {
        import_error(im, t->source, NULL, pointer, "'%s' must be an object", key);
        return;
    }
    size_t known = 0;
    for (size_t i = 0; i < TERRAIN_SCALED; i++) {
        const char *name = terrain_scaled(i)->key;
        known += json_object_get(changes, name) != NULL;
        double lo = positive ? 0 : -TERRAIN_NUMBER_MAX;
        if (!import_get_number(im, t->source, changes, pointer, name, false, &out[i]))
            continue;
        if (!(out[i] >= lo && out[i] <= TERRAIN_NUMBER_MAX) || (positive && out[i] <= 0)) {
            import_error(im, t->source, NULL, import_pointer(im, pointer, name),
                         "'%s' must be %s%.0f and %d at most", name,
                         positive ? "above " : "at least ", lo, TERRAIN_NUMBER_MAX);
            out[i] = 0;
        }
    }
    if (known < json_object_size(changes))
        import_warning(im, t->source, NULL, pointer,
                       "'%s' has members other than see_cost, travel_cost and mondensity; they "
                       "do nothing",
                       key);
}

/* The names that see_cost has in DDA since 0.H, and the numbers that they mean
 * (schema/generation.md 1.1). */
static const struct see_cost {
    const char *name;
    int64_t cost;
} see_costs[] = {{"none", 0},        {"all_clear", 0}, {"low", 1},        {"medium", 2},
                 {"spaced_high", 4}, {"high", 5},      {"full_high", 10}, {"opaque", 999}};

static void read_see_cost(import *im, terrain_object *t)
{
    const char *name = json_string_value(json_object_get(t->source->json, "see_cost"));
    overmap_terrain_row *row = &t->given.row;
    if (!name) {
        if (import_get_int(im, t->source, t->source->json, "", "see_cost", false, 0,
                           TERRAIN_NUMBER_MAX, &row->see_cost))
            t->present |= TERRAIN_HAS(see_cost) | TERRAIN_HAS(see_cost_name);
        return;
    }
    const size_t count = sizeof see_costs / sizeof *see_costs;
    for (size_t i = 0; i < count; i++)
        if (strcmp(see_costs[i].name, name) == 0) {
            row->see_cost_name = see_costs[i].name;
            row->see_cost = see_costs[i].cost;
            t->present |= TERRAIN_HAS(see_cost) | TERRAIN_HAS(see_cost_name);
            return;
        }
    import_error(im, t->source, NULL, "/see_cost", "no such see_cost '%s'%s", name,
                 SUGGEST_ID(im, name, see_costs, count));
}

/* Reads {"flags": [...]} under "extend" or "delete". */
static void read_flag_change(import *im, terrain_object *t, const char *key, string_list *out,
                             string_list *post)
{
    const json_t *change = json_object_get(t->source->json, key);
    if (!change)
        return;
    const char *pointer = import_pointer(im, "", key);
    if (!json_is_object(change)) {
        import_error(im, t->source, NULL, pointer, "'%s' must be an object", key);
        return;
    }
    string_list_read(out, im, t->source, NULL, change, pointer, "flags", true);
    string_list_make_set(out);
    string_list_read(post, im, t->source, NULL, change, pointer, post_key, true);
    string_list_make_set(post);
    const size_t known = (size_t)(json_object_get(change, "flags") != NULL) +
                         (size_t)(json_object_get(change, post_key) != NULL);
    if (json_object_size(change) > known)
        import_warning(im, t->source, NULL, pointer,
                       "'%s' has members other than flags and %s; they do nothing", key,
                       post_key);
}

static void read_flags(import *im, terrain_object *t)
{
    if (json_object_get(t->source->json, "flags")) {
        t->has_flags = true;
        string_list_read(&t->given.flags, im, t->source, NULL, t->source->json, "", "flags",
                         true);
        string_list_make_set(&t->given.flags);
    }
    if (json_object_get(t->source->json, post_key)) {
        string_list *post = &t->given.row.post_process_generators;
        t->present |= TERRAIN_HAS(post_process_generators);
        string_list_read(post, im, t->source, NULL, t->source->json, "", post_key, true);
        string_list_make_set(post);
    }
    read_flag_change(im, t, "extend", &t->extend, &t->extend_post);
    read_flag_change(im, t, "delete", &t->remove, &t->remove_post);
}

static void read_mapgen(import *im, terrain_object *t)
{
    for (size_t i = 0; i < TERRAIN_MAPGEN_LISTS; i++) {
        const char *key = terrain_mapgen_keys[i];
        const json_t *list = json_object_get(t->source->json, key);
        if (!list)
            continue;
        bool good = json_is_array(list);
        for (size_t k = 0; good && k < json_array_size(list); k++)
            good = json_is_object(json_array_get(list, k));
        for (size_t k = 0; good && k < json_array_size(list); k++)
            terrain_check_shoals(im, t, key, k, json_array_get(list, k));
        if (good)
            t->mapgen[i] = list;
        else
            import_error(im, t->source, NULL, import_pointer(im, "", key),
                         "'%s' must be a list of objects", key);
    }
}

void terrain_read_objects(import *im, struct terrain_model *model)
{
    const source_type *list = import_objects(im, "overmap_terrain");
    model->objects = import_alloc(im, list->count + 1, sizeof *model->objects);
    if (!model->objects)
        return;
    model->object_count = list->count;
    im->report->terrain_objects += list->count;
    for (size_t i = 0; i < list->count; i++) {
        terrain_object *t = &model->objects[i];
        t->source = list->objects[i];
        object_ids_read(&t->ids, im, t->source, CONTENT_ID_MAX);
        record_read(im, t->source, NULL, CONTENT_TERRAINS, &t->given.row, &t->present);
        import_get_string(im, t->source, t->source->json, "", "copy-from", false,
                          &t->copy_from);
        const json_t *name = json_object_get(t->source->json, "name");
        if (name) {
            t->present |= TERRAIN_HAS(name);
            t->given.row.name = import_name(name);
            if (!json_is_string(name) && !json_is_object(name))
                import_error(im, t->source, NULL, "/name",
                             "'name' must be a string or an object with 'str'");
            else if (json_is_object(name) && t->given.row.name[0] == '\0')
                import_error(im, t->source, NULL, "/name", "'name' has no 'str' (or 'str_sp')");
        }
        read_symbol(im, t);
        read_spawns(im, t);
        read_see_cost(im, t);
        read_changes(im, t, "relative", t->relative, false);
        read_changes(im, t, "proportional", t->proportional, true);
        read_flags(im, t);
        read_mapgen(im, t);
    }
}
