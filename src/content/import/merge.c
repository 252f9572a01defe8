#include "content/import/merge.h"

#include "content/import/inherit.h"
#include "content/import/source.h"

#include <string.h>

/* How many values all copies of one type may have together. The largest game of today has
 * 20,000. */
enum { VALUES_MAX = 2000000 };

typedef struct merger {
    import *im;
    const source_object *object; /* the object that is being made */
    json_t *into;                /* its members so far; owned by the import */
    size_t values;               /* copied so far */
} merger;

/* Returns what an entry of a list is known by: the text itself, or the first element of
 * [id, weight]. */
static const char *entry_id(const json_t *entry)
{
    return json_string_value(json_is_array(entry) ? json_array_get(entry, 0) : entry);
}

/* ---- extend and delete ---- */

/* Appends to a list, or adds members. False when memory is out. */
static bool extend_member(json_t *member, const json_t *by)
{
    json_t *copy = json_deep_copy(by);
    bool good = copy != NULL;
    if (json_is_array(member) && json_is_array(copy))
        good = json_array_extend(member, copy) == 0;
    else if (json_is_object(member) && json_is_object(copy))
        good = json_object_update(member, copy) == 0;
    json_decref(copy);
    return good;
}

/* Puts the names that are to be removed into a set: entries of a list, members of an
 * object, or a single text. False when memory is out. */
static bool gather_names(strmap *names, json_t *by)
{
    bool good = true;
    const char *key, *id = json_string_value(by);
    json_t *value;
    json_object_foreach(by, key, value) good = good && strmap_put(names, key, 0) == 0;
    for (size_t i = 0; i < json_array_size(by) && good; i++) {
        const char *entry = entry_id(json_array_get(by, i));
        good = !entry || strmap_put(names, entry, 0) == 0;
    }
    return good && (!id || strmap_put(names, id, 0) == 0);
}

static bool is_named(const strmap *names, const char *id)
{
    return id && strmap_get(names, id) != STRMAP_NONE;
}

/* Removes entries or members by name. False when memory is out. */
static bool delete_from(json_t *member, json_t *by)
{
    strmap names;
    json_t *left = json_array(), *value;
    const char *key;
    void *next;
    strmap_init(&names);
    bool good = left && gather_names(&names, by);
    for (size_t i = 0; good && i < json_array_size(member); i++)
        if (!is_named(&names, entry_id(json_array_get(member, i))))
            good = json_array_append(left, json_array_get(member, i)) == 0;
    if (good && json_is_array(member))
        good = json_array_clear(member) == 0 && json_array_extend(member, left) == 0;
    json_object_foreach_safe(member, next, key, value)
    {
        if (good && is_named(&names, key))
            json_object_del(member, key);
    }
    strmap_dispose(&names);
    json_decref(left);
    return good;
}

/* Applies an object's own "extend" or "delete" to the members that it has by now. */
static void change(merger *m, json_t *into, const json_t *object, const char *word,
                   const char *parent)
{
    json_t *changes = json_object_get(object, word);
    const char *pointer = import_pointer(m->im, parent, word), *key;
    json_t *by;
    if (!changes)
        return;
    if (!json_is_object(changes)) {
        import_error(m->im, m->object, NULL, pointer, "'%s' must be an object", word);
        return;
    }
    json_object_foreach(changes, key, by)
    {
        json_t *member = json_object_get(into, key);
        if (json_is_comment(key))
            continue;
        if (!member && strcmp(word, "extend") == 0) {
            if (json_object_set_new(into, key, json_deep_copy(by)) != 0)
                import_no_memory(m->im);
        } else if (member && !json_is_array(member) && !json_is_object(member)) {
            import_error(m->im, m->object, NULL, import_pointer(m->im, pointer, key),
                         "'%s' is no list that could be changed", key);
        } else if (member && !(strcmp(word, "delete") == 0 ? delete_from(member, by)
                                                           : extend_member(member, by))) {
            import_no_memory(m->im);
        }
    }
}

/* Applies both, also inside members that are objects, such as feature_flag_settings. */
static void change_all(merger *m)
{
    static const char *const words[] = {"extend", "delete"};
    json_t *own = m->object->json;
    const char *key;
    json_t *member;
    for (size_t i = 0; i < 2; i++)
        change(m, m->into, own, words[i], "");
    json_object_foreach(own, key, member)
    {
        json_t *into = json_object_get(m->into, key);
        if (!json_is_object(member) || !json_is_object(into) || strcmp(key, words[0]) == 0 ||
            strcmp(key, words[1]) == 0)
            continue;
        for (size_t i = 0; i < 2; i++) {
            json_object_del(into, words[i]);
            change(m, into, member, words[i], import_pointer(m->im, "", key));
        }
    }
}

/* ---- copies ---- */

/* Does a member only extend or delete? Then it does not replace what was inherited. */
static bool only_changes(json_t *member)
{
    const char *key;
    json_t *value;
    if (!json_is_object(member) || json_object_size(member) == 0)
        return false;
    json_object_foreach(member, key, value)
    {
        if (strcmp(key, "extend") != 0 && strcmp(key, "delete") != 0)
            return false;
    }
    return true;
}

static size_t count_values(json_t *value)
{
    size_t count = 1;
    const char *key;
    json_t *member;
    for (size_t i = 0; i < json_array_size(value); i++)
        count += count_values(json_array_get(value, i));
    json_object_foreach(value, key, member) count += count_values(member);
    return count;
}

/* Makes an object with what it copies, owned by the import. NULL when memory is out, or
 * when the copies become too large (reported). */
static json_t *merge(merger *m, const json_t *source)
{
    json_t *into = source ? json_deep_copy(source) : json_object();
    const char *key;
    json_t *member;
    if (!source_own(m->im, into))
        return NULL;
    m->into = into;
    /* Drops the members that are not inherited, as they describe the source itself. */
    static const char *const own[] = {"id", "abstract", "copy-from", "extend", "delete"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        json_object_del(into, own[i]);
    json_object_foreach(m->object->json, key, member)
    {
        if (json_object_get(into, key) && only_changes(member))
            continue;
        if (json_object_set_new(into, key, json_deep_copy(member)) != 0) {
            import_no_memory(m->im);
            return NULL;
        }
    }
    change_all(m);
    json_object_del(into, "copy-from");
    json_object_del(into, "extend");
    json_object_del(into, "delete");
    m->values += count_values(into);
    if (m->values > VALUES_MAX) {
        import_error(m->im, m->object, NULL, "",
                     "the copies of type '%s' hold more than %d values", m->object->type,
                     VALUES_MAX);
        return NULL;
    }
    return into;
}

static bool changes_nothing(json_t *object)
{
    const char *key;
    json_t *member;
    if (json_object_get(object, "copy-from") || json_object_get(object, "extend") ||
        json_object_get(object, "delete"))
        return false;
    json_object_foreach(object, key, member)
    {
        if (json_object_get(member, "extend") || json_object_get(member, "delete"))
            return false;
    }
    return true;
}

void import_merged(source_type *out, import *im, const char *type)
{
    const source_type *objects = import_objects(im, type);
    *out = (source_type){.name = type};
    if (objects->count == 0)
        return;
    out->objects = import_alloc(im, objects->count, sizeof(source_object *));
    inherit_node *nodes = import_alloc(im, objects->count, sizeof *nodes);
    uint32_t *order = import_alloc(im, objects->count, sizeof *order);
    if (!out->objects || !nodes || !order)
        return;
    out->count = objects->count;
    memcpy(out->objects, objects->objects, objects->count * sizeof(source_object *));
    /* Makes the nodes. Objects with bad ids are skipped: whoever reads the objects reports
     * them. */
    for (size_t i = 0; i < objects->count; i++) {
        const source_object *obj = objects->objects[i];
        const char *id = json_string_value(json_object_get(obj->json, "id"));
        const char *abstract = json_string_value(json_object_get(obj->json, "abstract"));
        nodes[i] = (inherit_node){.id = id         ? id
                                        : abstract ? abstract
                                                   : "",
                                  .object = obj,
                                  .abstract = !id};
        import_get_string(im, obj, obj->json, "", "copy-from", false, &nodes[i].copy_from);
    }
    if (!inherit_resolve(im, nodes, objects->count, order))
        return;
    /* Merges in the order of inheritance. out->objects[i] is NULL for an object that is left
     * out. */
    merger m = {.im = im};
    for (size_t k = 0; k < out->count && !import_stopped(im) && !import_ended(im); k++) {
        const uint32_t i = order[k], source = nodes[i].source;
        if (nodes[i].left_out ||
            (source == INHERIT_NONE && changes_nothing(nodes[i].object->json)))
            continue;
        source_object *copy = import_alloc(im, 1, sizeof *copy);
        m.object = nodes[i].object;
        json_t *json = merge(&m, source == INHERIT_NONE ? NULL : out->objects[source]->json);
        if (!copy || !json)
            return;
        *copy = *nodes[i].object;
        copy->json = json;
        out->objects[i] = copy;
    }
}

const source_object *merged_find(const source_type *objects, const char *id)
{
    for (size_t i = objects->count; i-- > 0;) {
        const char *own = json_string_value(json_object_get(objects->objects[i]->json, "id"));
        if (own && strcmp(own, id) == 0)
            return objects->objects[i];
    }
    return NULL;
}

const char *merged_suggest(import *im, const source_type *objects, const char *id)
{
    suggestion near;
    const bool compare = suggest_among(im, &near, id, objects->count);
    for (size_t i = 0; compare && i < objects->count; i++) {
        const char *own = json_string_value(json_object_get(objects->objects[i]->json, "id"));
        if (own)
            suggest_offer(&near, own);
    }
    return suggest_text(im, &near);
}
