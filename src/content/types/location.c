/*
 * overmap_location: a named set of terrains, given by ids of types and by flags. A flag that
 * no terrain has adds nothing, without a report, as in the games.
 */
#include "content/import/record.h"
#include "content/types/terrain.h"

typedef struct location {
    overmap_location_row row;
    string_list terrains, flags; /* as given; sets */
    string_list found;           /* ids of the terrain types that satisfy it; a set */
    bool wrong;                  /* a problem in it was reported */
} location;

static void read(field f, void *value)
{
    location *l = value;
    const field terrains = field_key(f, "terrains"), flags = field_key(f, "flags");
    uint64_t errors = f.im->report->errors;
    if (terrains.value)
        string_list_read(&l->terrains, terrains, true);
    if (flags.value)
        string_list_read(&l->flags, flags, true);
    if (!terrains.value && !flags.value && !json_object_get(f.value, "copy-from"))
        field_error(f, "has neither 'terrains' nor 'flags'");
    l->wrong = l->wrong || f.im->report->errors > errors;
}

static const definition_type definitions[] = {{"overmap_location", CONTENT_LOCATIONS,
                                               sizeof(location), CONTENT_ID_MAX, false, read,
                                               offsetof(ptl_import_report, locations)},
                                              {.name = NULL}};

/* Finds the terrains that exist, by id and by flag. Problems are reported by check(), not
 * here. */
static void find_terrains(import *im, location *l)
{
    const struct terrain_model *model = im->terrains;
    size_t room = l->terrains.count + (l->flags.count > 0 ? model->type_count : 0);
    l->found.items = import_alloc(im, room + 1, sizeof *l->found.items);
    if (!l->found.items)
        return;
    for (size_t i = 0; i < l->terrains.count; i++) {
        const terrain_type *type = terrain_find_type(im, l->terrains.items[i]);
        if (type)
            l->found.items[l->found.count++] = type->id;
    }
    for (size_t i = 0; l->flags.count > 0 && i < model->type_count; i++) {
        bool has = false;
        for (size_t k = 0; !has && k < l->flags.count; k++)
            has = string_list_has(&model->types[i].values->flags, l->flags.items[k]);
        if (has)
            l->found.items[l->found.count++] = model->types[i].id;
    }
    string_list_make_set(&l->found);
}

static void load(import *im)
{
    const definition_list *list = &im->lists[CONTENT_LOCATIONS];
    for (size_t i = 0; i < list->count && !import_stopped(im); i++)
        find_terrains(im, list->items[i].value);
}

static void check(import *im)
{
    const definition_list *list = &im->lists[CONTENT_LOCATIONS];
    for (size_t i = 0; i < list->count && !import_stopped(im); i++) {
        const location *l = list->items[i].value;
        uint64_t problems = im->report->errors + im->report->warnings;
        /* If the list is inherited, the check of the object that states it reports what is
         * wrong. */
        const json_t *given = json_object_get(list->items[i].object->json, "terrains");
        for (size_t j = 0; given && j < l->terrains.count && !import_stopped(im); j++) {
            const char *id = l->terrains.items[j];
            if (terrain_type_exists(im, id))
                continue;
            const char *pointer = "/terrains";
            if (json_is_array(given))
                pointer = import_pointer_at(im, pointer, j);
            import_unresolved(im, list->items[i].object, list->items[i].id, pointer,
                              "no such terrain type '%s'%s", id, terrain_suggest_type(im, id));
        }
        /* An empty location does no harm by itself: what is wrong is a special that needs
         * it. */
        if (l->found.count == 0 && !l->wrong &&
            problems == im->report->errors + im->report->warnings)
            import_warning(im, list->items[i].object, list->items[i].id, "",
                           "no terrain satisfies this location");
    }
}

bool location_satisfiable(const import *im, const char *id)
{
    const location *l = definition_get(im, CONTENT_LOCATIONS, id);
    return l && l->found.count > 0;
}

size_t location_number(const import *im, const char *id)
{
    const definition_list *list = &im->lists[CONTENT_LOCATIONS];
    const definition *found = FIND_ID(list->items, list->count, id);
    return found ? (size_t)(found - list->items) : SIZE_MAX;
}

const string_list *location_terrains(const import *im, size_t number)
{
    const location *l = im->lists[CONTENT_LOCATIONS].items[number].value;
    return &l->found;
}

static void write(import *im, content_writer *w)
{
    const definition_list *list = &im->lists[CONTENT_LOCATIONS];
    for (size_t i = 0; i < list->count; i++) {
        const char *id = list->items[i].id;
        const location *l = list->items[i].value;
        for (size_t k = 0; k < l->found.count; k++)
            content_put(w, CONTENT_LOCATION_TERRAINS,
                        &(overmap_location_terrain_row){id, l->found.items[k]});
        for (size_t k = 0; k < l->flags.count; k++)
            content_put(w, CONTENT_LOCATION_FLAGS,
                        &(overmap_location_flag_row){id, l->flags.items[k]});
    }
}

static const char *const types[] = {"overmap_location", NULL};

const content_module location_module = {"location", types, definitions, load, check, write};
