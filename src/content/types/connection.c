/* overmap_connection: linear features such as roads, and the ground on which each may be
 * drawn; and overmap_location, which names sets of terrains for such ground. */
#include "content/import/record.h"
#include "content/types/terrain.h"
#include "model/catalogue.h"

#include <string.h>

enum { WEIGHT_MAX = 1000000 };

typedef struct connection_subtype {
    const char *terrain;
    string_list locations, flags; /* in the order and spelling of the content */
    int64_t basic_cost, weight;
    /* The object that states the subtype; the connection may have inherited it. */
    const source_object *object;
    size_t position; /* index of the subtype in the member "subtypes" of `object` */
} connection_subtype;

typedef struct connection {
    overmap_connection_row row;
    connection_subtype *subtypes;
    size_t subtype_count;
} connection;

/* Returns a subtype as a field of the object that states it. */
static field subtype_field(import *im, const definition *d, const connection_subtype *t)
{
    return field_at(field_key(field_of(im, t->object, d->id), "subtypes"), t->position);
}

/* Reads a subtype; false if it has no terrain. */
static bool read_subtype(field f, size_t position, connection_subtype *out)
{
    *out = (connection_subtype){.object = f.obj, .position = position};
    if (!json_is_object(f.value))
        return field_error(f, CT101, "must be an object");
    const field terrain = field_key(f, "terrain"), locations = field_key(f, "locations");
    if (field_required(terrain, "terrain"))
        field_string(terrain, &out->terrain);
    if (field_required(locations, "locations"))
        string_list_read(&out->locations, locations, false);
    string_list_read(&out->flags, field_key(f, "flags"), false);
    field_int(field_key(f, "basic_cost"), 0, CAT_COST_MAX, &out->basic_cost);
    field_int(field_key(f, "weight"), 0, WEIGHT_MAX, &out->weight);
    return out->terrain != NULL;
}

static void read(field f, void *value)
{
    connection *c = value;
    const field layout = field_key(f, "layout"), list = field_key(f, "subtypes");
    const char *text = NULL;
    if (field_string(layout, &text)) {
        if (strcmp(text, "city") == 0 || strcmp(text, "p2p") == 0)
            c->row.layout = text;
        else
            field_error(layout, CT105, "'layout' must be 'city' or 'p2p', not '%s'", text);
    }
    if (!list.value && c->subtype_count > 0)
        /* The object has no list of its own, so it keeps the subtypes that it inherits. */
        return;
    size_t count = json_array_size(list.value);
    if (count == 0) {
        field_error(list, CT101, "'subtypes' must be a list with at least one entry");
        return;
    }
    if (count > CAT_SUBTYPES_MAX) {
        field_error(list, CT111, "more than %d subtypes", CAT_SUBTYPES_MAX);
        count = CAT_SUBTYPES_MAX;
    }
    c->subtypes = import_alloc(f.im, count, sizeof *c->subtypes);
    c->subtype_count = 0;
    for (size_t i = 0; c->subtypes && i < count; i++)
        if (read_subtype(field_at(list, i), i, &c->subtypes[c->subtype_count]))
            c->subtype_count++;
}

static const definition_type definitions[] = {{"overmap_connection", CONTENT_CONNECTIONS,
                                               sizeof(connection), CONNECTION_ID_MAX, false,
                                               read, offsetof(ptl_import_report, connections)},
                                              {.name = NULL}};

/* Warns of a connection that can't turn: it has no subtype with a linear terrain, and bridges
 * and crossings only go straight. */
static void warn_of_shapes(import *im, const definition *d, const connection *c)
{
    for (size_t i = 0; i < c->subtype_count; i++)
        if (terrain_is_linear(im, c->subtypes[i].terrain))
            return;
    for (size_t i = 0; i < c->subtype_count; i++) {
        const connection_subtype *t = &c->subtypes[i];
        if (string_list_has(&t->flags, "ORTHOGONAL"))
            continue;
        field_warning(
            field_key(subtype_field(im, d, t), "terrain"), CN101,
            "terrain '%s' is not LINEAR: a connection of it has no turns, and none is "
            "drawn",
            t->terrain);
    }
}

/* Keeps the locations that exist, and reports the other ones. The result is a new list, as a
 * copy of the connection may use the old one. */
static void check_locations(import *im, const definition *d, connection_subtype *t)
{
    string_list found = {.items =
                             import_alloc(im, t->locations.count + 1, sizeof *found.items)};
    if (!found.items)
        return;
    for (size_t i = 0; i < t->locations.count; i++) {
        const char *id = t->locations.items[i];
        if (definition_get(im, CONTENT_LOCATIONS, id))
            found.items[found.count++] = id;
        else
            field_unresolved(field_at(field_key(subtype_field(im, d, t), "locations"), i),
                             CT104, "no such location '%s'%s", id,
                             definition_suggest(im, CONTENT_LOCATIONS, id));
    }
    t->locations = found;
}

/* Checks subtypes. With the option lenient, a subtype is left out if its terrain does not
 * exist. It is also left out if all its locations are unknown, because without locations it
 * would be drawn only where its terrain already is. */
static void check_subtypes(import *im, const definition *d, connection *c)
{
    connection_subtype *kept = import_alloc(im, c->subtype_count + 1, sizeof *kept);
    size_t count = 0;
    if (!kept)
        return;
    for (size_t i = 0; i < c->subtype_count && !import_stopped(im); i++) {
        connection_subtype t = c->subtypes[i];
        bool exists = terrain_type_exists(im, t.terrain), any = t.locations.count > 0;
        if (!exists)
            field_unresolved(field_key(subtype_field(im, d, &t), "terrain"), CT104,
                             "no such terrain type '%s'%s", t.terrain,
                             terrain_suggest_type(im, t.terrain));
        check_locations(im, d, &t);
        if (exists && (t.locations.count > 0 || !any))
            kept[count++] = t;
    }
    c->subtypes = kept;
    c->subtype_count = count;
}

/* Returns whether some subtype of the connection can be drawn at all. A subtype without
 * locations can: it is drawn where its terrain is already. Any other subtype needs a terrain
 * that one of its locations allows. */
static bool fits_anywhere(const import *im, const connection *c)
{
    for (size_t i = 0; i < c->subtype_count; i++) {
        const string_list *locations = &c->subtypes[i].locations;
        if (locations->count == 0)
            return true;
        for (size_t k = 0; k < locations->count; k++)
            if (location_satisfiable(im, locations->items[k]))
                return true;
    }
    return false;
}

static void check(import *im)
{
    const definition_list *list = &im->lists[CONTENT_CONNECTIONS];
    for (size_t i = 0; i < list->count && !import_stopped(im); i++) {
        const definition *d = &list->items[i];
        connection *c = d->value;
        uint64_t problems = im->report->errors + im->report->warnings;
        /* A connection without subtypes was reported when it was read. */
        bool read_well = c->subtype_count > 0;
        if (c->row.default_terrain && !terrain_type_exists(im, c->row.default_terrain)) {
            import_unresolved(im, d->object, d->id, "/default_terrain", CT104,
                              "no such terrain type '%s'%s", c->row.default_terrain,
                              terrain_suggest_type(im, c->row.default_terrain));
            c->row.default_terrain = NULL;
        }
        check_subtypes(im, d, c);
        warn_of_shapes(im, d, c);
        if (read_well && !fits_anywhere(im, c) &&
            problems == im->report->errors + im->report->warnings)
            import_unresolved(im, d->object, d->id, "/subtypes", CN102,
                              "no subtype has ground that any terrain satisfies: the connection"
                              " can't be drawn anywhere");
    }
}

const char *connection_subtype_at(const import *im, const char *id, size_t index,
                                  const string_list **locations)
{
    const connection *c = definition_get(im, CONTENT_CONNECTIONS, id);
    if (!c || index >= c->subtype_count)
        return NULL;
    *locations = &c->subtypes[index].locations;
    return c->subtypes[index].terrain;
}

static void write(import *im, content_writer *w)
{
    const definition_list *list = &im->lists[CONTENT_CONNECTIONS];
    for (size_t i = 0; i < list->count; i++) {
        const connection *c = list->items[i].value;
        const char *id = list->items[i].id;
        for (size_t k = 0; k < c->subtype_count; k++) {
            const connection_subtype *t = &c->subtypes[k];
            string_list flags = t->flags;
            string_list_make_set(&flags);
            const overmap_connection_subtype_row row = {
                .connection = id,
                .position = (int64_t)k,
                .terrain = t->terrain,
                .basic_cost = t->basic_cost,
                .weight = t->weight,
                .orthogonal = string_list_has(&flags, "ORTHOGONAL"),
                .flags = flags};
            content_put(w, CONTENT_SUBTYPES, &row);
            for (size_t j = 0; j < t->locations.count; j++)
                content_put(
                    w, CONTENT_SUBTYPE_LOCATIONS,
                    &(overmap_connection_location_row){id, (int64_t)k, t->locations.items[j]});
        }
    }
}

static const char *const types[] = {"overmap_connection", NULL};

const content_module connection_module = {"connection", types, definitions, NULL, check, write};

/* ---- overmap_location ----
 *
 * A named set of terrains, given by ids of types and by flags. A flag that no terrain has adds
 * nothing and is not reported, as in the games. */

typedef struct location {
    overmap_location_row row;
    string_list terrains, flags; /* ids of terrain types, and flags of terrains, as the content
                                    lists them; no text twice */
    string_list found;           /* ids of the terrain types that satisfy the location; sorted,
                                    without repetitions */
    bool wrong;                  /* a problem in the location was reported */
} location;

static void location_read(field f, void *value)
{
    location *l = value;
    const field terrains = field_key(f, "terrains"), flags = field_key(f, "flags");
    uint64_t errors = f.im->report->errors;
    if (terrains.value)
        string_list_read(&l->terrains, terrains, true);
    if (flags.value)
        string_list_read(&l->flags, flags, true);
    if (!terrains.value && !flags.value && !json_object_get(f.value, "copy-from"))
        field_error(f, CT102, "has neither 'terrains' nor 'flags'");
    l->wrong = l->wrong || f.im->report->errors > errors;
}

static const definition_type location_definitions[] = {
    {"overmap_location", CONTENT_LOCATIONS, sizeof(location), CONTENT_ID_MAX, false,
     location_read, offsetof(ptl_import_report, locations)},
    {.name = NULL}};

/* Finds the location's terrains that exist, by id and by flag. location_check reports the
 * unknown ones. */
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

static void location_check(import *im)
{
    const definition_list *list = &im->lists[CONTENT_LOCATIONS];
    for (size_t i = 0; i < list->count && !import_stopped(im); i++) {
        const location *l = list->items[i].value;
        uint64_t problems = im->report->errors + im->report->warnings;
        /* If a location has inherited its list of terrains, mistakes in the list are reported
         * only for the object that states it. */
        const json_t *given = json_object_get(list->items[i].object->json, "terrains");
        for (size_t j = 0; given && j < l->terrains.count && !import_stopped(im); j++) {
            const char *id = l->terrains.items[j];
            if (terrain_type_exists(im, id))
                continue;
            const char *pointer = "/terrains";
            if (json_is_array(given))
                pointer = import_pointer_at(im, pointer, j);
            import_unresolved(im, list->items[i].object, list->items[i].id, pointer, CT104,
                              "no such terrain type '%s'%s", id, terrain_suggest_type(im, id));
        }
        /* An empty location does no harm by itself, so this is a warning; an error is reported
         * for a special that needs it. */
        if (l->found.count == 0 && !l->wrong &&
            problems == im->report->errors + im->report->warnings)
            import_warning(im, list->items[i].object, list->items[i].id, "", CN103,
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

static void location_write(import *im, content_writer *w)
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

static const char *const location_types[] = {"overmap_location", NULL};

const content_module location_module = {"location", location_types, location_definitions,
                                        load,       location_check, location_write};
