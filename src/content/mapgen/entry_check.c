#include "content/mapgen/entry_check.h"

#include "content/special/special.h"
#include "content/types/terrain.h"
#include "core/array.h"
#include "core/suggest.h"
#include "core/utf8.h"
#include "mapgen/ground/ground.h"
#include "model/symbol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell(entry_check *k, remark_code code, size_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void tell(entry_check *k, remark_code code, size_t offset, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bytes_clear(&k->text);
    bytes_vprintf(&k->text, format, args);
    va_end(args);
    const char *text = bytes_text(&k->text);
    const mapgen_remark r = {remark_code_severity(code), code, offset, text, NULL};
    if (text)
        k->context->tell(k->context->payload, &r);
    else
        import_no_memory(k->im);
}

static const char *text_of(const entry_check *k, uint32_t id)
{
    return id_pool_text(k->context->pool, id);
}

const char *entry_suggest(const entry_check *k, const char *id, mapgen_reference what)
{
    suggestion near;
    /* If the id exists as another kind of thing, the message says so: ", which is an item". */
    static const char *const texts[MAPGEN_REFERENCES] = {
        [MAPGEN_REF_TERRAIN] = ", which is a terrain",
        [MAPGEN_REF_FURNITURE] = ", which is a piece of furniture",
        [MAPGEN_REF_TRAP] = ", which is a trap",
        [MAPGEN_REF_FIELD] = ", which is a field",
        [MAPGEN_REF_ITEM] = ", which is an item",
        [MAPGEN_REF_ITEM_GROUP] = ", which is an item group",
        [MAPGEN_REF_MONSTER] = ", which is a monster",
        [MAPGEN_REF_MONSTER_GROUP] = ", which is a monster group",
        [MAPGEN_REF_VEHICLE] = ", which is a vehicle",
        [MAPGEN_REF_NPC] = ", which is an npc",
        [MAPGEN_REF_NESTED] = ", which is a nested mapgen",
        [MAPGEN_REF_PALETTE] = ", which is a palette",
        [MAPGEN_REF_FACTION] = ", which is a faction"};
    const uint32_t number = id_pool_put(k->context->pool, id, strlen(id));
    const char *other = NULL;
    for (int i = MAPGEN_REF_TERRAIN; i < MAPGEN_REFERENCES && !other; i++)
        if (mapgen_marks_have(k->marks, number, (mapgen_reference)i))
            other = texts[i];
    if (other)
        return other;
    const size_t count = k->marks->count;
    const bool compare = suggest_among(k->im, &near, id, count);
    for (uint32_t i = 0; compare && i < count; i++)
        if (mapgen_marks_have(k->marks, i, what))
            suggest_offer(&near, text_of(k, i));
    return suggest_text(k->im, &near);
}

/* ---- terrains that conditions name ---- */

/* Returns whether `text` consists of `wanted` and the suffix of a line shape. */
static bool is_shape_of(const char *text, const char *wanted)
{
    const size_t length = strlen(wanted);
    return terrain_shape_length(text) == length && text[length] != '\0' &&
           strncmp(text, wanted, length) == 0;
}

static bool matches(const terrain_oter *oter, const char *type, mapgen_match match,
                    const char *text)
{
    const size_t length = strlen(text);
    switch (match) {
    case MAPGEN_CONTAINS:
        return strstr(oter->id, text) != NULL;
    case MAPGEN_EXACT:
        return strcmp(oter->id, text) == 0;
    case MAPGEN_PREFIX:
        return strncmp(oter->id, text, length) == 0 &&
               (oter->id[length] == '\0' || oter->id[length] == '_');
    case MAPGEN_SUBTYPE:
        return strcmp(type, text) == 0 || is_shape_of(text, type);
    default:
        return strcmp(type, text) == 0;
    }
}

static void check_terrain(entry_check *k, const mapgen_condition *c)
{
    static const char *const ways[] = {"an id that contains", "the id", "the type",
                                       "the type and shape", "an id that begins with"};
    const char *text = text_of(k, c->text);
    const struct terrain_model *model = k->im->terrains;
    if (!ARRAY_ROOM_ZEROED(k->matched, k->matched_count, (size_t)c->text + 1)) {
        import_no_memory(k->im);
        return;
    }
    if (k->matched[c->text] >> c->match & 1)
        return;
    bool found = c->match != MAPGEN_EXACT && terrain_type_exists(k->im, text);
    for (size_t i = 0; i < model->oter_count && !found; i++) {
        const terrain_oter *oter = &model->oters[i];
        found = matches(oter, model->types[oter->type].id, c->match, text);
    }
    if (found)
        k->matched[c->text] |= (uint8_t)(1 << c->match);
    else
        tell(k, MG301, c->place, "no overmap terrain has %s '%.*s'%s", ways[c->match],
             UTF8_CUT(text, 80), terrain_suggest(k->im, text));
}

/* ---- conditions ---- */

static const char *suggest_flag(import *im, const char *flag)
{
    const struct terrain_model *model = im->terrains;
    suggestion near;
    const bool compare = suggest_among(im, &near, flag, model->type_count);
    for (size_t i = 0; compare && i < model->type_count; i++)
        for (size_t f = 0; f < model->types[i].values->flags.count; f++)
            suggest_offer(&near, model->types[i].values->flags.items[f]);
    return suggest_text(im, &near);
}

void entry_check_conditions(entry_check *k, const mapgen_unit *unit)
{
    for (uint32_t i = 1; i < unit->condition_count; i++) {
        const mapgen_condition *c = &unit->conditions[i];
        const char *text = text_of(k, c->text);
        bool found = false;
        switch (c->kind) {
        case MAPGEN_NEIGHBORS:
        case MAPGEN_PREDECESSORS:
            check_terrain(k, c);
            break;
        case MAPGEN_FLAGS:
        case MAPGEN_FLAGS_ANY:
            for (size_t t = 0; t < k->im->terrains->type_count && !found; t++)
                found = string_list_has(&k->im->terrains->types[t].values->flags, text);
            if (!found)
                tell(k, MG301, c->place, "no overmap terrain has the flag '%.*s'%s",
                     UTF8_CUT(text, 80), suggest_flag(k->im, text));
            break;
        case MAPGEN_JOINS:
            if (!special_join_exists(k->im, text))
                tell(k, MG301, c->place, "unknown join '%.*s'%s", UTF8_CUT(text, 80),
                     special_join_suggest(k->im, text));
            break;
        case MAPGEN_CONNECTIONS:
            if (!definition_get(k->im, CONTENT_CONNECTIONS, text))
                tell(k, MG301, c->place, "unknown overmap connection '%.*s'%s",
                     UTF8_CUT(text, 80), definition_suggest(k->im, CONTENT_CONNECTIONS, text));
            break;
        case MAPGEN_LEVELS:
            break;
        }
    }
}

/* ---- keys and predecessors ---- */

static void check_predecessor(entry_check *k, uint32_t id, uint32_t place)
{
    const char *text = text_of(k, id);
    const oter_match match = id == ID_NONE ? OTER_FOUND : terrain_find_oter(k->im, text);
    if (match == OTER_NONE)
        tell(k, MG301, place, "unknown overmap terrain '%.*s'%s", UTF8_CUT(text, 80),
             terrain_suggest(k->im, text));
    else if (match == OTER_NEEDS_SUFFIX)
        tell(k, MG313, place, "'%.*s' lies one of several ways: the games want it said%s",
             UTF8_CUT(text, 80), terrain_suggest(k->im, text));
}

void entry_check_references(entry_check *k, const mapgen_entry *entry, size_t object)
{
    if (entry->role == MAPGEN_OM_TERRAIN) {
        for (uint32_t i = 0; i < entry->key_count; i++) {
            const char *id = text_of(k, entry->keys[i].id);
            /* A key of an entry may be the id of an overmap terrain, or such an id with the
             * suffix of a line shape behind it. "null" is a key that the games' compiled code
             * uses. */
            bool known = strcmp(id, "null") == 0 || terrain_type_exists(k->im, id);
            const char *shape = strrchr(id, '_');
            /* Of the suffix "_four_way" the last "_" was found: goes on to its first one. */
            if (shape && strcmp(shape, "_way") == 0)
                for (shape--; shape > id && *shape != '_'; shape--)
                    ;
            char type[CONTENT_ID_MAX];
            if (!known && shape && shape > id && (size_t)(shape - id) < sizeof type) {
                memcpy(type, id, (size_t)(shape - id));
                type[shape - id] = '\0';
                known = is_shape_of(id, type) && terrain_type_exists(k->im, type);
            }
            if (!known)
                tell(k, MG303, object, "'%.*s' is no overmap terrain%s", UTF8_CUT(id, 80),
                     terrain_suggest_type(k->im, id));
        }
    }
    check_predecessor(k, entry->predecessor, entry->predecessor_place);
    check_predecessor(k, entry->fallback_predecessor, entry->fallback_place);
    entry_check_conditions(k, &entry->unit);
}

/* ---- terrains without a map ---- */

bool entry_keys_add(entry_keys *keys, const id_pool *pool, const mapgen_entry *entry)
{
    const size_t count = id_pool_count(pool);
    if (count > keys->count) {
        bool *have = realloc(keys->have, count * sizeof *have);
        if (!have)
            return false;
        memset(have + keys->count, 0, (count - keys->count) * sizeof *have);
        keys->have = have;
        keys->count = count;
    }
    for (uint32_t i = 0; entry->role == MAPGEN_OM_TERRAIN && i < entry->key_count; i++)
        keys->have[entry->keys[i].id] |= entry->weight > 0;
    return true;
}

/* Returns whether the type has a map: either a mapgen entry is registered under the type's id
 * with this suffix of a line shape, or the terrain's own mapgen list number `list` is not
 * empty. */
static bool has_map(const entry_check *k, const entry_keys *keys, const terrain_type *type,
                    const char *shape, size_t list)
{
    char key[CONTENT_ID_MAX + 16];
    const int length = snprintf(key, sizeof key, "%s%s", type->id, shape);
    const uint32_t id = id_pool_put(k->context->pool, key, (size_t)length);
    return (id < keys->count && keys->have[id]) ||
           (type->object->mapgen[list] && json_array_size(type->object->mapgen[list]) > 0);
}

void entry_keys_check(entry_check *k, const entry_keys *keys)
{
    const struct terrain_model *model = k->im->terrains;
    for (size_t i = 0; i < model->type_count && !import_stopped(k->im); i++) {
        const terrain_type *type = &model->types[i];
        if (!type->values->row.uniform_terrain && !ground_is_made(type->id)) {
            static const char *const shapes[TERRAIN_MAPGEN_LISTS] = {
                "", "_straight", "_curved", "_end", "_tee", "_four_way"};
            const bool line = type->kind == PTL_TERRAIN_LINE;
            const size_t end = line ? TERRAIN_MAPGEN_LISTS : 1;
            bytes_clear(&k->text);
            for (size_t j = line; j < end; j++)
                if (!has_map(k, keys, type, shapes[j], j))
                    bytes_printf(&k->text, "%s'%s%s'", k->text.size > 0 ? ", " : "", type->id,
                                 shapes[j]);
            const char *lacking = bytes_text(&k->text);
            if (lacking && lacking[0])
                import_warning(k->im, type->object->source, type->id, "", MG312,
                               "no mapgen for %s: its local maps are bare ground", lacking);
        }
    }
}
