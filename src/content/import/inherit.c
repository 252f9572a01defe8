/* Inheritance by copy-from: finds the source of each definition, and an order in which sources
 * come first. Every walk here is iterative, since content may make a chain of any length. */
#include "content/import/inherit.h"

#include "content/import/import.h"
#include "content/import/source.h"
#include "core/bytes.h"

#include <string.h>

enum { CIRCLE_NAMES = 12 };

enum { NEW = 0, OPEN = 1, DONE = 2 };

/* Appends the definition `at` to the order, and before it the definition that it copies, the
 * one that this one copies, and so on, as far as they are not in the order yet. Returns the new
 * length of the order. */
static size_t order_chain(import *im, inherit_node *nodes, uint32_t at, uint8_t *state,
                          uint32_t *stack, uint32_t *order, size_t used)
{
    size_t depth = 0;
    uint32_t i = at;
    while (i != INHERIT_NONE && state[i] == NEW) {
        state[i] = OPEN;
        stack[depth++] = i;
        i = nodes[i].source;
    }
    if (i != INHERIT_NONE && state[i] == OPEN) {
        bytes names;
        bytes_init(&names);
        uint32_t k = i;
        for (int n = 0; n < CIRCLE_NAMES; n++) {
            bytes_printf(&names, "'%s' -> ", nodes[k].id);
            k = nodes[k].source;
            if (k == i)
                break;
        }
        bytes_printf(&names, k == i ? "'%s'" : "... -> '%s'", nodes[i].id);
        const char *text = bytes_text(&names);
        if (text)
            import_error(im, nodes[i].object, nodes[i].id, "/copy-from", CT108,
                         "copy-from goes in a circle: %s", text);
        else
            import_no_memory(im);
        bytes_dispose(&names);
        nodes[i].source = INHERIT_NONE;
        /* Some definitions copy from each other in a circle. The circle is cut at the
         * definition i, which has no source from here on. It must come in the order before the
         * definitions above it on the stack, since these copy from it directly or indirectly.
         */
        state[i] = DONE;
        order[used++] = i;
    }
    while (depth > 0) {
        uint32_t node = stack[--depth];
        if (state[node] == DONE)
            continue;
        if (nodes[node].source != INHERIT_NONE && nodes[nodes[node].source].left_out)
            nodes[node].left_out = true;
        state[node] = DONE;
        order[used++] = node;
    }
    return used;
}

bool inherit_resolve(import *im, inherit_node *nodes, size_t count, uint32_t *order)
{
    /* Find the source of each definition: the definition of the id that it copies. This is the
     * last one before the copying definition, in import order, or, if there is none before it,
     * the first one after it. */
    strmap last, first;
    strmap_init(&last);
    strmap_init(&first);
    for (uint32_t i = 0; i < count; i++) {
        const char *from = nodes[i].copy_from;
        nodes[i].source = from ? strmap_get(&last, from) : INHERIT_NONE;
        if (strmap_put(&last, nodes[i].id, i) != 0 ||
            (strmap_get(&first, nodes[i].id) == STRMAP_NONE &&
             strmap_put(&first, nodes[i].id, i) != 0))
            import_no_memory(im);
    }
    for (uint32_t i = 0; i < count; i++)
        if (nodes[i].copy_from && nodes[i].source == INHERIT_NONE)
            nodes[i].source = strmap_get(&first, nodes[i].copy_from);
    strmap_dispose(&last);
    strmap_dispose(&first);
    const source_object *reported = NULL;
    bool leave_out = false;
    for (size_t i = 0; i < count && !import_stopped(im); i++) {
        if (!nodes[i].copy_from || nodes[i].source != INHERIT_NONE)
            continue;
        if (nodes[i].object != reported) {
            leave_out = import_unresolved(im, nodes[i].object, nodes[i].id, "/copy-from", CT107,
                                          "copy-from names '%s', which nothing defines%s",
                                          nodes[i].copy_from,
                                          SUGGEST_ID(im, nodes[i].copy_from, nodes, count));
            reported = nodes[i].object;
        }
        nodes[i].left_out = leave_out;
    }
    uint8_t *state = import_alloc(im, count, sizeof *state);
    uint32_t *stack = import_alloc(im, count, sizeof *stack);
    size_t used = 0;
    for (uint32_t i = 0; state && stack && i < count; i++)
        used = order_chain(im, nodes, i, state, stack, order, used);
    return !import_ended(im);
}

static bool id_is_good(import *im, const source_object *obj, const char *id,
                       const char *pointer, size_t longest)
{
    size_t length = strlen(id);
    if (length > longest)
        return import_error(im, obj, "", pointer, CT109,
                            "the id has %zu bytes, %zu at most are allowed", length, longest);
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)id[i] < 0x20 || id[i] == 0x7f)
            return import_error(im, obj, "", pointer, CT109, "the id has a control character");
    }
    return true;
}

void object_ids_read(object_ids *out, import *im, const source_object *obj, size_t longest)
{
    memset(out, 0, sizeof *out);
    const json_t *id = json_object_get(obj->json, "id");
    const json_t *abstract = json_object_get(obj->json, "abstract");
    if (id && abstract) {
        import_error(im, obj, NULL, "/abstract", CT109, "has both 'id' and 'abstract'");
        return;
    }
    if (!id && !abstract) {
        import_error(im, obj, NULL, "", CT109, "has no 'id'");
        return;
    }
    string_list list;
    const char *key = id ? "id" : "abstract";
    if (abstract && !json_is_string(abstract)) {
        import_error(im, obj, "", "/abstract", CT101, "'abstract' must be a string");
        return;
    }
    if (!string_list_read(&list, field_key(field_of(im, obj, ""), key), true))
        return;
    if (list.count == 0)
        import_error(im, obj, "", "/id", CT109, "the list of ids is empty");
    out->items = import_alloc(im, list.count + 1, sizeof *out->items);
    if (!out->items)
        return;
    out->abstract = abstract != NULL;
    for (size_t i = 0; i < list.count; i++) {
        const char *pointer = abstract ? "/abstract" : "/id";
        if (json_is_array(id))
            pointer = import_pointer_at(im, pointer, i);
        if (id_is_good(im, obj, list.items[i], pointer, longest))
            out->items[out->count++] = list.items[i];
    }
}

/*
 * copy-from done on the JSON itself, for types with many members that are stored as they are.
 * Each object gets those members of its source that it does not state itself; then `extend`
 * and `delete` change lists (schema/generation.md 1.2). A member that is null counts as
 * stated.
 */

/* Limit of the number of values in all copies of one type together. The largest game of today
 * has 20,000. */
enum { VALUES_MAX = 2000000 };

typedef struct merger {
    import *im;
    const source_object *object; /* the object into which inherited values are copied */
    json_t *into;  /* the members so far of the object that is being made; owned by
                      the import */
    size_t values; /* number of values that were copied so far, over all objects */
} merger;

/* Returns the name by which "delete" can remove an element of a list: the element itself, if it
 * is a text, or the first element of [id, weight]. */
static const char *entry_id(const json_t *entry)
{
    return json_string_value(json_is_array(entry) ? json_array_get(entry, 0) : entry);
}

/* ---- extend and delete ---- */

/* Appends copies of the elements of `by` to a list, or adds copies of its members to an
 * object. False when memory is out. */
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

/* Puts the names that are to be removed into a set. `by` is a list with these names, an object
 * whose keys they are, or a single text. False when memory is out. */
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

/* Removes from a list the elements, or from an object the members, that `by` names. False when
 * memory is out. */
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

/* Applies an object's own "extend" or "delete" (`word`) to the members of `into`. */
static void change(merger *m, json_t *into, const json_t *object, const char *word,
                   const char *parent)
{
    json_t *changes = json_object_get(object, word);
    const char *pointer = import_pointer(m->im, parent, word), *key;
    json_t *by;
    if (!changes)
        return;
    if (!json_is_object(changes)) {
        import_error(m->im, m->object, NULL, pointer, CT110, "'%s' must be an object", word);
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
            import_error(m->im, m->object, NULL, import_pointer(m->im, pointer, key), CT110,
                         "'%s' is no list that could be changed", key);
        } else if (member && !(strcmp(word, "delete") == 0 ? delete_from(member, by)
                                                           : extend_member(member, by))) {
            import_no_memory(m->im);
        }
    }
}

/* Applies "extend" and "delete" of the object, also those inside members that are objects,
 * such as feature_flag_settings. */
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

/* Has the member nothing but "extend" and "delete"? Then it does not replace the inherited
 * member. */
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

/* Makes an object together with the members that it copies, owned by the import. NULL when
 * memory is out, or when the copies become too large (which is reported). */
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
    /* Removes copy-from, extend and delete. */
    for (size_t i = 2; i < sizeof own / sizeof *own; i++)
        json_object_del(into, own[i]);
    m->values += count_values(into);
    if (m->values > VALUES_MAX) {
        import_error(m->im, m->object, NULL, "", CT111,
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
    /* Makes an inherit_node for each id of each object. Objects with bad ids get no error here:
     * the code that reads the objects reports them. */
    for (size_t i = 0; i < objects->count; i++) {
        const source_object *obj = objects->objects[i];
        const char *id = json_string_value(json_object_get(obj->json, "id"));
        const char *abstract = json_string_value(json_object_get(obj->json, "abstract"));
        nodes[i] = (inherit_node){.id = id         ? id
                                        : abstract ? abstract
                                                   : "",
                                  .object = obj,
                                  .abstract = !id};
        field_string(field_key(field_of(im, obj, NULL), "copy-from"), &nodes[i].copy_from);
    }
    if (!inherit_resolve(im, nodes, objects->count, order))
        return;
    /* Copies inherited members into objects, in an order in which sources come first. An object
     * that is left out, or that copies and changes nothing, is put into `out` as it is. */
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
