/*
 * overmap_location: a named set of terrains, given by their types' ids and by flags. A flag
 * that no terrain has adds nothing, silently, as in the games.
 */
#include "content/import/write.h"
#include "content/types/misc.h"
#include "content/types/terrain.h"

#include "core/error.h"

#include <string.h>

typedef struct location {
    string_list terrains, flags; /* as given; sets */
    string_list found;           /* ids of existing terrains; a set */
    bool wrong;                  /* something in it was reported */
} location;

struct location_model {
    definition_list list;
};

static const char *const known_keys[] = {"type",     "id",    "abstract", "copy-from",
                                         "terrains", "flags", NULL};

static ptl_status read(import *im, const source_object *obj, const char *id, void *value)
{
    location *l = value;
    uint64_t errors = im->report->errors;
    if (json_object_get(obj->json, "terrains"))
        string_list_read(&l->terrains, im, obj, id, obj->json, "", "terrains", true);
    if (json_object_get(obj->json, "flags"))
        string_list_read(&l->flags, im, obj, id, obj->json, "", "flags", true);
    if (!json_object_get(obj->json, "terrains") && !json_object_get(obj->json, "flags") &&
        !json_object_get(obj->json, "copy-from"))
        import_error(im, obj, id, "", "has neither 'terrains' nor 'flags'");
    l->wrong = l->wrong || im->report->errors > errors;
    import_count_unknown_keys(im, obj, known_keys);
    return PTL_OK;
}

/* The terrains that exist, by id and by flag. Nothing is reported: check() does that. */
static ptl_status find_terrains(import *im, location *l)
{
    const struct terrain_model *model = im->terrains;
    size_t room = l->terrains.count + (l->flags.count > 0 ? model->type_count : 0);
    l->found.items = arena_calloc(im->arena, room + 1, sizeof *l->found.items);
    if (!l->found.items)
        return error_nomem(im->err);
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
    return PTL_OK;
}

static ptl_status load(import *im)
{
    static const definition_type type = {
        "overmap_location", sizeof(location), CONTENT_ID_MAX, false, NULL, read};
    struct location_model *model = arena_alloc(im->arena, sizeof *model);
    if (!model)
        return error_nomem(im->err);
    im->locations = model;
    ptl_status status = definition_list_load(&model->list, im, &type);
    im->report->locations += model->list.count;
    for (size_t i = 0; status == PTL_OK && i < model->list.count && !import_stopped(im); i++)
        status = find_terrains(im, model->list.items[i].value);
    return status;
}

static void check_terrains(import *im, const definition *d)
{
    const location *l = d->value;
    /* Where the list was inherited, its source's own check reports what is wrong in it. */
    const json_t *given = json_object_get(d->object->json, "terrains");
    for (size_t i = 0; given && i < l->terrains.count && !import_stopped(im); i++) {
        const char *id = l->terrains.items[i];
        if (terrain_type_exists(im, id))
            continue;
        const char *pointer = "/terrains";
        if (json_is_array(given))
            pointer = import_pointer_at(im, pointer, i);
        import_unresolved(im, d->object, d->id, pointer, "no such terrain type '%s'%s", id,
                          terrain_suggest_type(im, id));
    }
}

static ptl_status check(import *im)
{
    const definition_list *list = &im->locations->list;
    for (size_t i = 0; i < list->count && !import_stopped(im); i++) {
        const location *l = list->items[i].value;
        uint64_t problems = im->report->errors + im->report->warnings;
        check_terrains(im, &list->items[i]);
        /* An empty location does no harm by itself: a special that needs the location is what
         * is wrong. */
        if (l->found.count == 0 && !l->wrong &&
            problems == im->report->errors + im->report->warnings)
            import_warning(im, list->items[i].object, list->items[i].id, "",
                           "no terrain satisfies this location");
    }
    return PTL_OK;
}

bool location_exists(const import *im, const char *id)
{
    return definition_find(&im->locations->list, id) != NULL;
}

bool location_satisfiable(const import *im, const char *id)
{
    const location *l = definition_find(&im->locations->list, id);
    return l && l->found.count > 0;
}

size_t location_count(const import *im)
{
    return im->locations->list.count;
}

size_t location_number(const import *im, const char *id)
{
    const definition_list *list = &im->locations->list;
    size_t lo = 0, hi = list->count;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        int order = strcmp(list->items[middle].id, id);
        if (order == 0)
            return middle;
        if (order < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    return SIZE_MAX;
}

const string_list *location_terrains(const import *im, size_t number)
{
    const location *l = im->locations->list.items[number].value;
    return &l->found;
}

const char *location_suggest(import *im, const char *id)
{
    return definition_suggest(im, &im->locations->list, id);
}

static ptl_status write(import *im, ptl_store *store, int64_t content_id)
{
    (void)content_id;
    content_rows *rows = NULL, *terrains = NULL, *flags = NULL;
    ptl_status status = content_rows_open(&rows, store, CONTENT_LOCATIONS, im->err);
    if (status == PTL_OK)
        status = content_rows_open(&terrains, store, CONTENT_LOCATION_TERRAINS, im->err);
    if (status == PTL_OK)
        status = content_rows_open(&flags, store, CONTENT_LOCATION_FLAGS, im->err);
    const definition_list *list = &im->locations->list;
    for (size_t i = 0; status == PTL_OK && i < list->count; i++) {
        const definition *d = &list->items[i];
        const location *l = d->value;
        content_rows_text(rows, 1, d->id);
        bind_origin(rows, 2, d->object);
        status = content_rows_add(rows, im->err);
        for (size_t k = 0; status == PTL_OK && k < l->found.count; k++)
            status = run_text2(terrains, d->id, l->found.items[k], im->err);
        for (size_t k = 0; status == PTL_OK && k < l->flags.count; k++)
            status = run_text2(flags, d->id, l->flags.items[k], im->err);
    }
    content_rows_close(rows);
    content_rows_close(terrains);
    content_rows_close(flags);
    return status;
}

static const char *const types[] = {"overmap_location", NULL};

const content_module location_module = {"location", types, load, check, write};
