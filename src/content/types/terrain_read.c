/* overmap_terrain: one JSON object to a terrain_object, with every field of the documents. */
#include "content/types/color.h"
#include "content/types/terrain.h"

#include "core/error.h"

#include <string.h>

const char *const terrain_mapgen_keys[TERRAIN_MAPGEN_LISTS] = {
    "mapgen",     "mapgen_straight", "mapgen_curved",
    "mapgen_end", "mapgen_tee",      "mapgen_four_way"};

static const char *const number_keys[TERRAIN_NUMBERS] = {"see_cost", "travel_cost",
                                                         "mondensity"};

static const char *const known_keys[] = {"type",
                                         "id",
                                         "abstract",
                                         "copy-from",
                                         "name",
                                         "sym",
                                         "color",
                                         "looks_like",
                                         "connect_group",
                                         "see_cost",
                                         "travel_cost",
                                         "extras",
                                         "mondensity",
                                         "spawns",
                                         "land_use_code",
                                         "flags",
                                         "extend",
                                         "delete",
                                         "relative",
                                         "proportional",
                                         "post_process_generators",
                                         "vision_levels",
                                         "travel_cost_type",
                                         "uniform_terrain",
                                         "map_label",
                                         "entry_eoc",
                                         "exit_eoc",
                                         "default_map_data",
                                         "mapgen",
                                         "mapgen_straight",
                                         "mapgen_curved",
                                         "mapgen_end",
                                         "mapgen_tee",
                                         "mapgen_four_way",
                                         NULL};

static const char post_key[] = "post_process_generators";

enum { NUMBER_MAX = 1000000 };

static void read_symbol(import *im, terrain_object *t)
{
    const json_t *sym = json_object_get(t->source->json, "sym");
    if (!sym)
        return;
    t->present |= TERRAIN_HAS_SYMBOL;
    if (json_is_string(sym)) {
        const char *text = json_string_value(sym);
        if (symbol_parse(text, &t->given.symbol))
            return;
        if (symbol_first(text, &t->given.symbol))
            import_warning(im, t->source, NULL, "/sym",
                           "'sym' has more than one character: the first counts");
        else
            import_error(im, t->source, NULL, "/sym", "'sym' must be a printable character");
    } else if (json_is_integer(sym)) {
        if (symbol_is_good(json_integer_value(sym)))
            t->given.symbol = (uint32_t)json_integer_value(sym);
        else
            import_error(im, t->source, NULL, "/sym",
                         "'sym' is not the code point of a printable character");
    } else {
        import_error(im, t->source, NULL, "/sym",
                     "'sym' must be a character or its code point");
    }
}

static void read_name(import *im, terrain_object *t)
{
    const json_t *name = json_object_get(t->source->json, "name");
    if (!name)
        return;
    t->present |= TERRAIN_HAS_NAME;
    t->given.name = import_name(name);
    if (!json_is_string(name) && !json_is_object(name))
        import_error(im, t->source, NULL, "/name",
                     "'name' must be a string or an object with 'str'");
    else if (json_is_object(name) && t->given.name[0] == '\0')
        import_error(im, t->source, NULL, "/name", "'name' has no 'str' (or 'str_sp')");
}

static void read_strings(import *im, terrain_object *t)
{
    const struct {
        const char *key;
        uint32_t bit;
        const char **out;
    } fields[] = {{"connect_group", TERRAIN_HAS_CONNECT_GROUP, &t->given.connect_group},
                  {"extras", TERRAIN_HAS_EXTRAS, &t->given.extras},
                  {"land_use_code", TERRAIN_HAS_LAND_USE, &t->given.land_use_code}};
    const json_t *json = t->source->json;
    import_get_string(im, t->source, json, "", "copy-from", false, &t->copy_from);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (import_get_string(im, t->source, json, "", fields[i].key, false, fields[i].out))
            t->present |= fields[i].bit;
    if (color_read(im, t->source, NULL, &t->given.color))
        t->present |= TERRAIN_HAS_COLOR;
    if (string_list_read(&t->given.looks_like, im, t->source, NULL, json, "", "looks_like",
                         true))
        t->present |= TERRAIN_HAS_LOOKS_LIKE;
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
    t->present |= TERRAIN_HAS_SPAWNS;
    if (json_object_size(spawns) == 0) /* none, and none that were inherited */
        return;
    import_get_string(im, t->source, spawns, "/spawns", "group", true, &t->given.spawn_group);
    import_get_int(im, t->source, spawns, "/spawns", "chance", true, 0, NUMBER_MAX,
                   &t->given.spawn_chance);
    const json_t *population = json_object_get(spawns, "population");
    const json_t *min = json_array_get(population, 0), *max = json_array_get(population, 1);
    if (json_array_size(population) != 2 || !json_is_integer(min) || !json_is_integer(max) ||
        json_integer_value(min) < 0 || json_integer_value(max) < json_integer_value(min) ||
        json_integer_value(max) > NUMBER_MAX) {
        import_error(im, t->source, NULL, population ? "/spawns/population" : "/spawns",
                     "'population' must be [least, most], two whole numbers from 0");
        return;
    }
    t->given.spawn_min = json_integer_value(min);
    t->given.spawn_max = json_integer_value(max);
}

/* {"see_cost": 2, ...} under "relative" or "proportional". */
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
    for (size_t i = 0; i < TERRAIN_NUMBERS; i++) {
        known += json_object_get(changes, number_keys[i]) != NULL;
        double lo = positive ? 0 : -NUMBER_MAX;
        if (!import_get_number(im, t->source, changes, pointer, number_keys[i], false, &out[i]))
            continue;
        if (!(out[i] >= lo && out[i] <= NUMBER_MAX) || (positive && out[i] <= 0)) {
            import_error(im, t->source, NULL, import_pointer(im, pointer, number_keys[i]),
                         "'%s' must be %s%.0f and %d at most", number_keys[i],
                         positive ? "above " : "at least ", lo, NUMBER_MAX);
            out[i] = 0;
        }
    }
    if (known < json_object_size(changes))
        import_warning(im, t->source, NULL, pointer,
                       "'%s' has members other than see_cost, travel_cost and mondensity; they "
                       "do nothing",
                       key);
}

/* DDA's names since 0.H, as the numbers that they stand for (schema/generation.md 1.1). */
static const struct see_cost {
    const char *name;
    int64_t cost;
} see_costs[] = {{"none", 0},        {"all_clear", 0}, {"low", 1},        {"medium", 2},
                 {"spaced_high", 4}, {"high", 5},      {"full_high", 10}, {"opaque", 999}};

/* False where it is no name. */
static bool read_see_cost(import *im, terrain_object *t)
{
    const char *name = json_string_value(json_object_get(t->source->json, "see_cost"));
    suggestion near;
    if (!name)
        return false;
    const size_t count = sizeof see_costs / sizeof *see_costs;
    for (size_t i = 0; i < count; i++)
        if (strcmp(see_costs[i].name, name) == 0) {
            t->given.texts[TERRAIN_SEE_COST_NAME] = see_costs[i].name;
            t->given.numbers[TERRAIN_SEE_COST] = see_costs[i].cost;
            t->present |= (uint32_t)TERRAIN_HAS_NUMBER << TERRAIN_SEE_COST;
            return true;
        }
    const bool compare = suggest_among(im, &near, name, count);
    for (size_t i = 0; compare && i < count; i++)
        suggest_offer(&near, see_costs[i].name);
    import_error(im, t->source, NULL, "/see_cost", "no such see_cost '%s'%s", name,
                 suggest_text(im, &near));
    return true;
}

static void read_numbers(import *im, terrain_object *t)
{
    const bool named = read_see_cost(im, t);
    for (uint32_t i = named ? TERRAIN_SEE_COST + 1 : 0; i < TERRAIN_NUMBERS; i++)
        if (import_get_int(im, t->source, t->source->json, "", number_keys[i], false,
                           i == TERRAIN_MONDENSITY ? -NUMBER_MAX : 0, NUMBER_MAX,
                           &t->given.numbers[i]))
            t->present |= (uint32_t)TERRAIN_HAS_NUMBER << (int)i;
    read_changes(im, t, "relative", t->relative, false);
    read_changes(im, t, "proportional", t->proportional, true);
}

/* An effect_on_condition may stand there itself, in place of its id. */
static void read_texts(import *im, terrain_object *t)
{
    static const char *const keys[TERRAIN_TEXTS] = {
        NULL,        "vision_levels", "travel_cost_type", "uniform_terrain",
        "map_label", "entry_eoc",     "exit_eoc",         "default_map_data"};
    for (uint32_t i = 0; i < TERRAIN_TEXTS; i++) {
        const json_t *value = keys[i] ? json_object_get(t->source->json, keys[i]) : NULL;
        if (!value)
            continue;
        if (json_is_object(value) && i == TERRAIN_MAP_LABEL)
            t->given.texts[i] = import_name(value);
        else if (json_is_object(value) && (i == TERRAIN_ENTRY_EOC || i == TERRAIN_EXIT_EOC))
            t->given.texts[i] = import_json_text(im, value);
        else if (!import_get_string(im, t->source, t->source->json, "", keys[i], false,
                                    &t->given.texts[i]))
            continue;
        t->present |= (uint32_t)TERRAIN_HAS_TEXT << i;
    }
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
        t->present |= TERRAIN_HAS_FLAGS;
        string_list_read(&t->given.flags, im, t->source, NULL, t->source->json, "", "flags",
                         true);
        string_list_make_set(&t->given.flags);
    }
    if (json_object_get(t->source->json, post_key)) {
        t->present |= TERRAIN_HAS_POST_PROCESSING;
        string_list_read(&t->given.post_processing, im, t->source, NULL, t->source->json, "",
                         post_key, true);
        string_list_make_set(&t->given.post_processing);
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

ptl_status terrain_read_objects(import *im, struct terrain_model *model)
{
    const source_type *list = import_objects(im, "overmap_terrain");
    model->objects = arena_calloc(im->arena, list->count + 1, sizeof *model->objects);
    if (!model->objects)
        return error_nomem(im->err);
    model->object_count = list->count;
    im->report->terrain_objects += list->count;
    for (size_t i = 0; i < list->count; i++) {
        terrain_object *t = &model->objects[i];
        t->source = list->objects[i];
        ptl_status status = object_ids_read(&t->ids, im, t->source, CONTENT_ID_MAX);
        if (status != PTL_OK)
            return status;
        read_name(im, t);
        read_symbol(im, t);
        read_strings(im, t);
        read_spawns(im, t);
        read_numbers(im, t);
        read_texts(im, t);
        read_flags(im, t);
        read_mapgen(im, t);
        import_count_unknown_keys(im, t->source, known_keys);
    }
    return PTL_OK;
}
