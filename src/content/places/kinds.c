#include "content/places/kinds.h"

#include "model/item_types.h"
#include "json/view.h"

#include <string.h>

/* ---- the tables ---- */

static const char *const item_types[] = {ITEM_TYPES};

#define MAPS   "mapgen palette overmap_terrain"
#define OMT    "overmap_terrain"
#define PLACED "overmap_special city_building"

/* Each row says which kinds of ids may stand in the value of a key (`kinds`; "" for none) in
 * objects of certain types (`types`; NULL: of all types that have no row with this key). Names
 * are separated by blanks. The first row that fits counts. If several keys lie around a value,
 * the innermost one that has a row counts. */
static const struct {
    const char *types, *key, *kinds;
    /* True: the value of `key` is an object whose keys are ids; false: its values are. */
    bool keys;
} rows[] = {
    {MAPS, "terrain", "terrain", false},
    {MAPS, "fill_ter", "terrain", false},
    {MAPS, "ter", "terrain", false},
    {MAPS, "floor_type", "terrain", false},
    {MAPS, "translate_ter", "terrain", false},
    {MAPS, "place_terrain", "terrain", false},
    {MAPS, "furniture", "furniture", false},
    {MAPS, "furn", "furniture", false},
    {MAPS, "rubble_type", "furniture", false},
    {MAPS, "place_furniture", "furniture", false},
    {MAPS, "traps", "trap", false},
    {MAPS, "trap", "trap", false},
    {MAPS, "fields", "field_type", false},
    {MAPS, "field", "field_type", false},
    {MAPS, "palettes", "palette", false},
    {MAPS, "chunks", "nested_mapgen", false},
    {MAPS, "else_chunks", "nested_mapgen", false},
    {MAPS, "nested", "nested_mapgen", false},
    {MAPS, "neighbors", "overmap_terrain", false},
    {MAPS, "om_terrain", "overmap_terrain", false},
    {MAPS, "predecessor_mapgen", "overmap_terrain", false},
    {MAPS, "fallback_predecessor_mapgen", "overmap_terrain", false},
    {MAPS, "connections", "overmap_connection", false},
    {MAPS, "item_group", "item_group", false},
    {MAPS, "item", "item_group item", false},
    {MAPS, "items", "item_group item", false},
    {MAPS, "loot", "item_group item", false},
    {MAPS, "liquids", "item", false},
    {MAPS, "liquid", "item", false},
    {MAPS, "group", "item_group monstergroup", false},
    {MAPS, "monsters", "monstergroup", false},
    {MAPS, "monster", "MONSTER monstergroup", false},
    {MAPS, "place_monsters", "monstergroup", false},
    {MAPS, "place_monster", "MONSTER monstergroup", false},
    {MAPS, "vehicles", "vehicle_group vehicle", false},
    {MAPS, "vehicle", "vehicle_group vehicle", false},
    {MAPS, "npcs", "npc", false},
    {MAPS, "class", "npc", false},
    {MAPS, "faction", "faction", false},
    {MAPS, "faction_owner", "faction", false},
    {MAPS, "snippet", "snippet", false},
    {MAPS, "ter_furn_transforms", "ter_furn_transform", false},
    {MAPS, "transform", "ter_furn_transform", false},
    {"item_group", "item", "item", false},
    {"item_group", "items", "item", false},
    {"item_group", "entries", "item", false},
    {"item_group", "container-item", "item", false},
    {"item_group", "contents-item", "item", false},
    {"item_group", "ammo-item", "item", false},
    {"item_group", "group", "item_group", false},
    {"item_group", "groups", "item_group", false},
    {"item_group", "contents-group", "item_group", false},
    {"item_group", "container-group", "item_group", false},
    {"monstergroup", "monster", "MONSTER", false},
    {"monstergroup", "default", "MONSTER", false},
    {"monstergroup", "group", "monstergroup", false},
    {PLACED, "overmap", OMT, false},
    {PLACED, "locations", "overmap_location " OMT, false},
    {PLACED, "connection", "overmap_connection", false},
    {PLACED, "existing", OMT, false},
    {PLACED, "group", "monstergroup", false},
    {"overmap_location", "terrains", OMT, false},
    {"overmap_connection", "terrain", OMT, false},
    {"overmap_connection", "default_terrain", OMT, false},
    {"overmap_connection", "locations", "overmap_location", false},
    {"vehicle", "parts", "vehicle_part", false},
    {"vehicle_group", "vehicles", "vehicle", false},
    {"region_settings region_settings_city", "houses", "city_building overmap_special " OMT,
     true},
    {"region_settings region_settings_city", "shops", "city_building overmap_special " OMT,
     true},
    {"region_settings region_settings_city", "parks", "city_building overmap_special " OMT,
     true},
    {"region_settings region_settings_city", "finales", "city_building overmap_special " OMT,
     true},
    {NULL, "default_oter", OMT, false},
    /* The values of these keys are no ids, even if a value should be equal to some id. */
    {NULL, "type", "", false},
    {NULL, "name", "", false},
    {NULL, "description", "", false},
    {NULL, "text", "", false},
    {NULL, "color", "", false},
    {NULL, "bgcolor", "", false},
    {NULL, "sym", "", false},
    {NULL, "symbol", "", false},
    {NULL, "flags", "", false},
    {NULL, "method", "", false},
    {NULL, "ter_set", "terrain", false},
    {NULL, "furn_set", "furniture", false},
    {NULL, "item_group", "item_group", false},
    {NULL, "death_drops", "item_group", false},
    {NULL, "vehicle_group", "vehicle_group", false},
};

/* Does a list of names, separated by blanks, have this one? */
static bool has_name(const char *list, const char *name, size_t length)
{
    for (const char *at = list; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        const size_t size = strcspn(at, " ");
        if (size == length && memcmp(at, name, length) == 0)
            return true;
    }
    return false;
}

const char *kind_of(const char *type)
{
    for (size_t i = 0; i < sizeof item_types / sizeof item_types[0]; i++)
        if (strcmp(item_types[i], type) == 0)
            return "item";
    return type;
}

/* The names of kinds of ids that may stand in the column `kinds` of `rows`. A kind_list points
 * at these constants. */
static const char *const kind_names[] = {"MONSTER",
                                         "city_building",
                                         "faction",
                                         "field_type",
                                         "furniture",
                                         "item",
                                         "item_group",
                                         "monstergroup",
                                         "nested_mapgen",
                                         "npc",
                                         "overmap_connection",
                                         "overmap_location",
                                         "overmap_special",
                                         "overmap_terrain",
                                         "palette",
                                         "snippet",
                                         "ter_furn_transform",
                                         "terrain",
                                         "trap",
                                         "vehicle",
                                         "vehicle_group",
                                         "vehicle_part"};

static void take_kinds(kind_list *out, const char *list)
{
    for (const char *at = list; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        const size_t size = strcspn(at, " ");
        for (size_t i = 0; i < sizeof kind_names / sizeof kind_names[0]; i++)
            if (strlen(kind_names[i]) == size && memcmp(kind_names[i], at, size) == 0 &&
                out->count < KINDS_MAX)
                out->names[out->count++] = kind_names[i];
    }
}

/* ---- places ---- */

static bool key_is(const char *key, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(key, name, length) == 0;
}

/* Looks for a row of `rows` with this key. Takes the row's kinds of ids, and sets *keys as the
 * row says. False if no row has the key for this type. */
static bool take_row(kind_list *out, bool *keys, const char *type, const char *key,
                     size_t length)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (key_is(key, length, rows[i].key) &&
            (!rows[i].types || has_name(rows[i].types, type, strlen(type)))) {
            *keys = rows[i].keys;
            take_kinds(out, rows[i].kinds);
            return true;
        }
    return false;
}

/* Finds the kinds of ids for keys such as "id" or "copy-from", whose id is that of the object
 * itself or of one of the same kind; `rows` has no row for these keys. */
static bool take_own(kind_list *out, bool *defines, const char *type, const char *key,
                     size_t length)
{
    static const struct {
        /* NULL as type: objects of any type have the key. NULL as kind: the id is of the kind
         * that the object's type defines. */
        const char *key, *type, *kind;
        bool defines;
    } own[] = {{"id", NULL, NULL, true},
               {"abstract", NULL, NULL, true},
               {"copy-from", NULL, NULL, false},
               {"nested_mapgen_id", "mapgen", "nested_mapgen", true},
               {"update_mapgen_id", "mapgen", "update_mapgen", true},
               /* Older content states a group's id by "name". */
               {"name", "monstergroup", NULL, true},
               {"category", "snippet", "snippet", true}};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (key_is(key, length, own[i].key) &&
            (!own[i].type || strcmp(own[i].type, type) == 0)) {
            out->names[out->count++] = own[i].kind ? own[i].kind : kind_of(type);
            *defines = own[i].defines;
            return true;
        }
    return false;
}

bool kinds_at(kind_list *out, bool *defines, const path_walk *w, const char *type)
{
    const path_frame *object = path_object(w);
    bool first = true;
    *out = (kind_list){.count = 0};
    *defines = false;
    if (!object)
        return false;
    for (size_t i = w->depth; i-- > 0 && &w->frames[i] >= object;) {
        const path_frame *f = &w->frames[i];
        size_t length;
        bool keys = false;
        if (!f->is_object || !f->has_key)
            continue;
        const char *key = json_key(&w->document, f->key, &length);
        if (f == object && first && !w->is_key && take_own(out, defines, type, key, length))
            return true;
        if (json_is_comment(key))
            return false;
        if (take_row(out, &keys, type, key, length))
            return keys == w->is_key && out->count > 0;
        if (w->is_key)
            return false;
        first = false;
    }
    return !w->is_key;
}

bool kinds_in_rows(const path_walk *w, const char *type, const path_frame **drawing)
{
    const path_frame *rows_of = w->depth >= 2 ? &w->frames[w->depth - 2] : NULL;
    size_t length = 0;
    if (!rows_of || !rows_of->is_object || !rows_of->has_key || w->is_key ||
        !has_name(MAPS, type, strlen(type)))
        return false;
    const char *key = json_key(&w->document, rows_of->key, &length);
    *drawing = rows_of;
    return key_is(key, length, "rows");
}
