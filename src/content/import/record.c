/* Reads fields from JSON into rows, which content_tables.h describes. */
#include "content/import/record.h"

#include "model/color.h"
#include "model/symbol.h"

#include <stdlib.h>
#include <string.h>

static void *member_of(const content_field *f, void *row)
{
    return (char *)row + f->at;
}

void record_defaults(content_part part, void *row)
{
    const content_form *form = &content_forms[part];
    for (size_t i = 0; i < form->count; i++) {
        const content_field *f = &form->fields[i];
        if (f->kind == FIELD_TEXT || (f->kind == FIELD_TEXT_OR_NULL && f->text))
            *(const char **)member_of(f, row) = f->text ? f->text : "";
        else if (f->kind == FIELD_INT)
            *(int64_t *)member_of(f, row) = f->number;
        else if (f->kind == FIELD_SWITCH)
            *(bool *)member_of(f, row) = f->number != 0;
    }
}

size_t record_field(content_part part, size_t at)
{
    const content_form *form = &content_forms[part];
    size_t i = 0;
    while (i < form->count && (form->fields[i].kind == FIELD_KEY || form->fields[i].at != at))
        i++;
    return i;
}

void record_copy(content_part part, void *to, const void *from, uint64_t which)
{
    static const size_t sizes[] = {
        [FIELD_TEXT] = sizeof(const char *),
        [FIELD_TEXT_OR_NULL] = sizeof(const char *),
        [FIELD_INT] = sizeof(int64_t),
        [FIELD_INT_OR_NULL] = sizeof(content_number),
        [FIELD_REAL] = sizeof(double),
        [FIELD_REAL_OR_NULL] = sizeof(content_mean),
        [FIELD_SWITCH] = sizeof(bool),
        [FIELD_LIST] = sizeof(content_list),
        [FIELD_LIST_OR_NULL] = sizeof(content_list),
        [FIELD_BLOB] = sizeof(content_blob),
    };
    const content_form *form = &content_forms[part];
    for (size_t i = 0; i < form->count; i++)
        if (which >> i & 1)
            memcpy((char *)to + form->fields[i].at, (const char *)from + form->fields[i].at,
                   sizes[form->fields[i].kind]);
}

void record_place(content_part part, void *row, const char *id, const source_object *obj)
{
    const content_form *form = &content_forms[part];
    for (size_t i = 0; i < form->count; i++) {
        const content_field *f = &form->fields[i];
        if (f->kind == FIELD_KEY)
            continue;
        if (strcmp(f->column, "id") == 0)
            *(const char **)member_of(f, row) = id;
        else if (strcmp(f->column, "pack") == 0)
            *(int64_t *)member_of(f, row) = obj->file->pack;
        else if (strcmp(f->column, "file") == 0)
            *(const char **)member_of(f, row) = obj->file->path;
        else if (strcmp(f->column, "line") == 0)
            *(int64_t *)member_of(f, row) = obj->line;
    }
}

/* ---- reading ---- */

static bool read_name(field f, const char **out)
{
    if (!f.value)
        return false;
    const bool good = json_is_string(f.value) || json_is_object(f.value);
    if (good)
        *out = import_name(f.value);
    else
        field_error(f, CT101, "'%s' must be a string or an object with 'str'", f.key);
    return good;
}

/* Reads a symbol: a character or the number of its code point. */
static bool read_symbol(field f, int64_t *out)
{
    const char *text = json_string_value(f.value);
    uint32_t symbol = 0;
    if (!f.value)
        return false;
    if (text && symbol_parse(text, &symbol)) {
        *out = symbol;
        return true;
    }
    if (text && symbol_first(text, &symbol)) {
        field_warning(f, CT114, "'sym' has more than one character: the first counts");
    } else if (json_is_integer(f.value) && symbol_is_good(json_integer_value(f.value))) {
        symbol = (uint32_t)json_integer_value(f.value);
    } else
        return field_error(f, CT101, "'sym' must be one printable character");
    *out = symbol;
    return true;
}

static bool read_color(field f, const char **out)
{
    color_name name;
    if (!field_string(f, out))
        return false;
    if (!color_parse(&name, *out)) {
        /* Suggests the nearest colour word; a prefix such as "c_" is ignored. */
        suggestion near;
        suggest_begin(&near, (*out)[0] && (*out)[1] == '_' ? *out + 2 : *out);
        for (size_t i = 0; color_word(i); i++)
            suggest_offer(&near, color_word(i));
        field_warning(f, CT114, "no such colour '%s'%s: white is taken", *out,
                      suggest_text(f.im, &near));
        *out = "white";
    }
    return true;
}

/* Reads a list of strings into *out. "extend" and "delete" of the object add to the list, or
 * remove from it. */
static bool read_set(field f, const char *key, string_list *out)
{
    string_list given, extend, remove;
    const field object = field_of(f.im, f.obj, f.id);
    if (string_list_read(&given, f, true))
        *out = given;
    string_list_read(&extend, field_key(field_key(object, "extend"), key), true);
    string_list_read(&remove, field_key(field_key(object, "delete"), key), true);
    string_list_make_set(&remove);
    string_list_change(out, f.im, &extend, &remove);
    return true;
}

/* Reads a value in the way that the kind of its column prescribes. */
static bool read_plain(field f, const content_field *c, void *member)
{
    content_number *number = member;
    string_list list;
    switch (c->kind) {
    case FIELD_TEXT:
    case FIELD_TEXT_OR_NULL:
        return field_string(f, member);
    case FIELD_INT:
        return field_int(f, (int64_t)c->lo, (int64_t)c->hi, member);
    case FIELD_INT_OR_NULL:
        if (!field_int(f, (int64_t)c->lo, (int64_t)c->hi, &number->value))
            return false;
        number->given = true;
        return true;
    case FIELD_SWITCH:
        return field_bool(f, member);
    case FIELD_LIST:
    case FIELD_LIST_OR_NULL:
        if (!string_list_read(&list, f, true))
            return false;
        *(string_list *)member = list;
        return true;
    default:
        return false;
    }
}

bool record_is_abstract(const source_object *obj)
{
    return json_object_get(obj->json, "abstract") && !json_object_get(obj->json, "id");
}

/* Has the row a value for this field already? A whole number counts as one if it is not 0, a
 * text if it is not NULL. */
static bool is_set(const content_field *c, const void *member)
{
    return c->kind == FIELD_INT ? *(const int64_t *)member != 0
                                : c->kind == FIELD_TEXT && *(const char *const *)member;
}

bool record_read_field(field f, const content_field *c, void *row)
{
    void *member = member_of(c, row);
    field plain = f;
    if (c->kind != FIELD_LIST && c->kind != FIELD_LIST_OR_NULL)
        plain.id = f.sp ? f.id : NULL;
    switch (c->reading) {
    case READ_REQUIRED:
        if (!f.value && (record_is_abstract(f.obj) || is_set(c, member)))
            /* A required value may be missing in two cases: an abstract object leaves it to its
             * copies, or the object has inherited a value. */
            return true;
        return field_required(plain, c->key) && read_plain(plain, c, member);
    case READ_PLAIN:
        return read_plain(plain, c, member);
    case READ_NAME:
        return read_name(f, member);
    case READ_SYMBOL:
        return read_symbol(f, member);
    case READ_COLOR:
        return read_color(f, member);
    case READ_LABEL:
    case READ_EFFECT:
        if (!json_is_object(f.value))
            return read_plain(plain, c, member);
        *(const char **)member =
            c->reading == READ_LABEL ? import_name(f.value) : import_json_text(f.im, f.value);
        return true;
    case READ_SET:
        return read_set(f, c->key, member);
    case READ_BY_CODE:
        break;
    }
    return false;
}

/* The keys that an object with an id may always have beside "type", and the keys that change
 * lists. */
static const char *const common_keys[] = {"id", "abstract", "copy-from", NULL};
static const char *const change_keys[] = {"extend", "delete", NULL};

/* Are two texts equal? Their first letters are compared before strcmp is called, as most texts
 * differ there. */
static bool is_same(const char *a, const char *b)
{
    return *a == *b && strcmp(a, b) == 0;
}

static bool is_among(const char *key, const char *const *keys)
{
    while (*keys && !is_same(*keys, key))
        keys++;
    return *keys != NULL;
}

static bool is_known(const content_form *form, const source_object *obj, const char *key)
{
    const char *first = form->fields[0].column;
    const bool has_id = first && is_same(first, "id");
    bool sets = false;
    if (is_same(key, "type") || (has_id && is_among(key, common_keys)))
        return true;
    for (size_t i = 0; i < form->count; i++) {
        const content_field *f = &form->fields[i];
        if (f->key && is_same(f->key, key))
            return !f->of || strcmp(f->of, obj->type) == 0;
        sets = sets || f->reading == READ_SET;
    }
    return (sets && is_among(key, change_keys)) || json_is_comment(key);
}

void record_count_unknown(import *im, const source_object *obj, content_part part)
{
    const char *key;
    json_t *value;
    json_object_foreach(obj->json, key, value)
    {
        if (!is_known(&content_forms[part], obj, key))
            import_count_unknown_key(im, obj, key);
    }
}

void record_read(field object, content_part part, void *row, uint64_t *present)
{
    const content_form *form = &content_forms[part];
    for (size_t i = 0; i < form->count; i++) {
        const content_field *c = &form->fields[i];
        if (c->reading != READ_BY_CODE &&
            record_read_field(field_key(object, c->key), c, row) && present)
            *present |= UINT64_C(1) << i;
    }
    record_count_unknown(object.im, object.obj, part);
}

/*
 * The functions below load the types of which content has few objects, each as its
 * definition_type says. They read the ids of objects, apply inheritance, let later definitions
 * of an id replace earlier ones, and make a list of the definitions that is sorted by id.
 */

bool string_list_read(string_list *out, field f, bool lone)
{
    memset(out, 0, sizeof *out);
    if (!f.value)
        return false;
    bool single = lone && json_is_string(f.value);
    if (!single && !json_is_array(f.value))
        return field_error(f, CT101, "'%s' must be a %slist of strings", f.key,
                           lone ? "string or a " : "");
    size_t count = single ? 1 : json_array_size(f.value);
    out->items = import_alloc(f.im, count, sizeof *out->items);
    if (!out->items)
        return false;
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        const json_t *item = single ? f.value : json_array_get(f.value, i);
        if (json_is_string(item)) {
            out->items[out->count++] = json_string_value(item);
            continue;
        }
        field_error(field_at(f, i), CT101, "must be a string");
        good = false;
    }
    return good;
}

void string_list_make_set(string_list *list)
{
    if (list->count < 2)
        return;
    qsort(list->items, list->count, sizeof *list->items, compare_ids);
    size_t left = 1;
    for (size_t i = 1; i < list->count; i++)
        if (strcmp(list->items[i], list->items[left - 1]) != 0)
            list->items[left++] = list->items[i];
    list->count = left;
}

bool string_list_has(const string_list *set, const char *text)
{
    return set->count > 0 && FIND_ID(set->items, set->count, text) != NULL;
}

void string_list_change(string_list *set, import *im, const string_list *extend,
                        const string_list *remove)
{
    const string_list *const parts[] = {set, extend};
    string_list out = {.items =
                           import_alloc(im, set->count + extend->count + 1, sizeof *out.items)};
    if (!out.items)
        return;
    for (size_t p = 0; p < 2; p++)
        for (size_t i = 0; i < parts[p]->count; i++)
            if (!string_list_has(remove, parts[p]->items[i]))
                out.items[out.count++] = parts[p]->items[i];
    string_list_make_set(&out);
    *set = out;
}

void *definition_find(const definition_list *list, const char *id)
{
    const definition *found = FIND_ID(list->items, list->count, id);
    return found ? found->value : NULL;
}

void *definition_get(const import *im, content_part part, const char *id)
{
    return definition_find(&im->lists[part], id);
}

const char *definition_suggest(import *im, content_part part, const char *id)
{
    return SUGGEST_ID(im, id, im->lists[part].items, im->lists[part].count);
}

void node_list_make(node_list *out, import *im, const source_type *objects,
                    const definition_type *type)
{
    *out = (node_list){NULL, 0};
    object_ids *ids = import_alloc(im, objects->count + 1, sizeof *ids);
    if (!ids)
        return;
    size_t total = 0;
    for (size_t i = 0; i < objects->count && !import_stopped(im); i++) {
        object_ids_read(&ids[i], im, objects->objects[i], type->longest_id);
        total += ids[i].count;
    }
    out->items = import_alloc(im, total + 1, sizeof *out->items);
    for (size_t i = 0; out->items && i < objects->count && !import_stopped(im); i++) {
        const source_object *obj = objects->objects[i];
        const char *from = NULL;
        field_string(field_key(field_of(im, obj, NULL), "copy-from"), &from);
        for (size_t k = 0; k < ids[i].count; k++) {
            if (ids[i].items[k][0] == '\0' && !type->empty_id)
                import_error(im, obj, NULL, "/id", CT109, "the id is empty");
            else
                out->items[out->count++] = (inherit_node){.id = ids[i].items[k],
                                                          .copy_from = from,
                                                          .object = obj,
                                                          .abstract = ids[i].abstract};
        }
    }
}

void definition_list_load(definition_list *out, import *im, const definition_type *type)
{
    memset(out, 0, sizeof *out);
    node_list made;
    node_list_make(&made, im, import_objects(im, type->name), type);
    inherit_node *nodes = made.items;
    const size_t count = made.count;
    uint32_t *order = import_alloc(im, count + 1, sizeof *order);
    void **values = import_alloc(im, count + 1, sizeof *values);
    if (!order || !values || !inherit_resolve(im, nodes, count, order))
        return;
    /* Makes the values in the order of inheritance. The value of a definition that is left out
     * is NULL. */
    for (size_t k = 0; k < count && !import_stopped(im) && !import_ended(im); k++) {
        const inherit_node *node = &nodes[order[k]];
        void *value = node->left_out ? NULL : import_alloc(im, 1, type->size);
        if (!value)
            continue;
        values[order[k]] = value;
        if (node->source != INHERIT_NONE && values[node->source])
            memcpy(value, values[node->source], type->size);
        else if (type->part < CONTENT_PARTS)
            record_defaults(type->part, value);
        const field object = field_of(im, node->object, node->id);
        if (type->part < CONTENT_PARTS)
            record_read(object, type->part, value, NULL);
        if (type->read)
            type->read(object, value);
    }
    definition_list_keep(out, im, nodes, count, values);
}

void definition_list_keep(definition_list *out, import *im, const inherit_node *nodes,
                          size_t count, void *const *values)
{
    out->count = 0;
    out->items = import_alloc(im, count + 1, sizeof *out->items);
    if (!out->items)
        return;
    strmap index;
    strmap_init(&index);
    for (size_t i = 0; i < count && !import_stopped(im); i++) {
        if (nodes[i].abstract || !values[i])
            continue;
        uint32_t at = strmap_get(&index, nodes[i].id);
        if (at == STRMAP_NONE) {
            at = (uint32_t)out->count++;
            if (strmap_put(&index, nodes[i].id, at) != 0)
                import_no_memory(im);
        } else if (out->items[at].object->file->pack == nodes[i].object->file->pack) {
            import_warning(im, nodes[i].object, nodes[i].id, "", CT106,
                           "defined twice in this pack; the later definition counts");
        }
        out->items[at] = (definition){nodes[i].id, nodes[i].object, values[i]};
    }
    strmap_dispose(&index);
    qsort(out->items, out->count, sizeof *out->items, compare_ids);
}

void definitions_load(import *im, const definition_type *types)
{
    for (const definition_type *t = types; t && t->name; t++) {
        definition_list_load(&im->lists[t->part], im, t);
        if (t->counted)
            *(uint64_t *)(void *)((char *)im->report + t->counted) += im->lists[t->part].count;
    }
}

void definitions_write(import *im, content_writer *w, const definition_type *types)
{
    for (const definition_type *t = types; t && t->name; t++)
        for (size_t i = 0; i < im->lists[t->part].count; i++) {
            const definition *d = &im->lists[t->part].items[i];
            record_place(t->part, d->value, d->id, d->object);
            content_put(w, t->part, d->value);
        }
}
