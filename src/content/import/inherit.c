/*
 * copy-from: finding sources and their order. Every walk here is iterative, since content may
 * make a chain of any length.
 */
#include "content/import/inherit.h"

#include "core/bytes.h"

#include <stdlib.h>
#include <string.h>

enum { CIRCLE_NAMES = 12 };

enum { NEW = 0, OPEN = 1, DONE = 2 };

/* Follows the sources from `at` to a node that is ordered already, then orders the nodes on
 * the way back. */
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
            import_error(im, nodes[i].object, nodes[i].id, "/copy-from",
                         "copy-from goes in a circle: %s", text);
        else
            import_no_memory(im);
        bytes_dispose(&names);
        nodes[i].source = INHERIT_NONE;
        /* The circle is cut at i, which has no source any more. It must come before the
         * nodes above it on the stack, which in the end copy from it. */
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
    /* Finds the sources. A pass in import order with a map of the earlier nodes finds the
     * last definition before a node; a second map gives the first one behind it. */
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
            leave_out = import_unresolved(im, nodes[i].object, nodes[i].id, "/copy-from",
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
    if (length > longest) {
        import_error(im, obj, "", pointer, "the id has %zu bytes, %zu at most are allowed",
                     length, longest);
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)id[i] < 0x20 || id[i] == 0x7f) {
            import_error(im, obj, "", pointer, "the id has a control character");
            return false;
        }
    }
    return true;
}

void object_ids_read(object_ids *out, import *im, const source_object *obj, size_t longest)
{
    memset(out, 0, sizeof *out);
    const json_t *id = json_object_get(obj->json, "id");
    const json_t *abstract = json_object_get(obj->json, "abstract");
    if (id && abstract) {
        import_error(im, obj, NULL, "/abstract", "has both 'id' and 'abstract'");
        return;
    }
    if (!id && !abstract) {
        import_error(im, obj, NULL, "", "has no 'id'");
        return;
    }
    string_list list;
    const char *key = id ? "id" : "abstract";
    if (abstract && !json_is_string(abstract)) {
        import_error(im, obj, "", "/abstract", "'abstract' must be a string");
        return;
    }
    if (!string_list_read(&list, im, obj, "", obj->json, "", key, true))
        return;
    if (list.count == 0)
        import_error(im, obj, "", "/id", "the list of ids is empty");
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
