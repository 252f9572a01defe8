/*
 * How what is on local maps looks: symbols and colours of the content's terrain, furniture and
 * traps. They are among the objects kept as they stand, of which one may be a copy
 * of another one (copy-from), before or behind it; what does not read as a symbol or a colour
 * is none.
 */
#include "core/error.h"
#include "core/utf8.h"
#include "portolan/lists.h"
#include "world/lists/listing.h"
#include "json/json_value.h"

#include <stdlib.h>
#include <string.h>

/* An object; what it does not say itself is the parent's. */
typedef struct look {
    ptl_local_look is; /* id "": an abstract one that nothing is called */
    const char *called, *parent;
    size_t order; /* in which they were read */
    bool is_abstract;
    bool is_met;          /* its parent was looked for */
    struct look *waiting; /* the one that takes from it */
} look;

typedef struct reading {
    ptl_store *store;
    json_reader *json;
    listing list; /* of looks */
    const char *kind;
} reading;

/* ---- values ---- */

/* A text, or the first of a list of them: one for each season. */
static const char *first_text(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    const json_t *one = json_is_array(value) ? json_array_get(value, 0) : value;
    const char *text = json_string_value(one);
    return text ? text : "";
}

static const char *name_of(const json_t *object)
{
    const json_t *name = json_object_get(object, "name");
    return json_is_object(name) ? first_text(name, "str") : first_text(object, "name");
}

/* A character, or a line by its arms to the north, east, south and west: LINE_XOXO. */
static uint32_t symbol_of(const char *text)
{
    static const uint16_t lines[16] = {0,      0x2575, 0x2576, 0x2514, 0x2577, 0x2502,
                                       0x250c, 0x251c, 0x2574, 0x2518, 0x2500, 0x2534,
                                       0x2510, 0x2524, 0x252c, 0x253c};
    unsigned arms = 0;
    uint32_t symbol = 0;
    if (strncmp(text, "LINE_", 5) == 0 && strlen(text) == 9 && strspn(text + 5, "XO") == 4) {
        for (unsigned i = 0; i < 4; i++)
            arms |= text[5 + i] == 'X' ? 1u << i : 0;
        return lines[arms];
    }
    if (text[0])
        (void)utf8_decode(text, strlen(text), &symbol);
    return symbol == UTF8_BAD ? 0 : symbol;
}

/* ---- reading ---- */

static ptl_status keep_texts(reading *r, look *l, ptl_error *err)
{
    const char **const texts[] = {&l->is.id, &l->is.name, &l->is.color, &l->called, &l->parent};
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && status == PTL_OK; i++)
        status = listing_keep(&r->list, texts[i], err);
    return status;
}

static ptl_status add_look(reading *r, const json_t *object, ptl_error *err)
{
    char behind[64];
    const char *id = first_text(object, "id"), *abstract = first_text(object, "abstract");
    const char *paper = first_text(object, "bgcolor");
    look l = {.is = {.size = sizeof l.is,
                     .kind = r->kind,
                     .id = id,
                     .name = name_of(object),
                     .color = first_text(object, "color"),
                     .symbol = symbol_of(first_text(object, "symbol"))},
              .called = id[0] ? id : abstract,
              .parent = first_text(object, "copy-from"),
              .order = r->list.count,
              .is_abstract = !id[0]};
    if (!l.is.color[0] && paper[0] && strlen(paper) < sizeof behind - 2) {
        memcpy(behind, "i_", 2); /* the colour, inverted */
        memcpy(behind + 2, paper, strlen(paper) + 1);
        l.is.color = behind;
    }
    if (!l.called[0])
        return PTL_OK;
    const ptl_status status = keep_texts(r, &l, err);
    return status == PTL_OK ? listing_add(&r->list, &l, err) : status;
}

static ptl_status on_object(void *payload, const kept_row *row, ptl_error *err)
{
    reading *r = payload;
    json_fault fault;
    json_t *object = json_value_read(r->json, row->text, row->size, &fault);
    if (!object && fault.kind == JSON_NO_MEMORY)
        return error_nomem(err);
    if (!object && fault.kind == JSON_RANGE) /* imported all the same: nothing of it is used */
        return PTL_OK;
    if (!object)
        return error_set(err, PTL_ERR_CORRUPT, "%s:%lld: a kept object is no JSON", row->path,
                         (long long)row->line);
    const ptl_status status = add_look(r, object, err);
    json_decref(object);
    return status;
}

static ptl_status read_all(void *payload, ptl_error *err)
{
    static const char *const kinds[] = {"furniture", "terrain", "trap"};
    reading *r = payload;
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && status == PTL_OK; i++) {
        r->kind = kinds[i];
        status = store_kept_visit(r->store, r->kind, on_object, r, err);
    }
    return status;
}

/* ---- copies ---- */

/* By kind and what it is called, then as they were read. */
static int compare_looks(const void *pa, const void *pb)
{
    const look *a = pa, *b = pb;
    int order = strcmp(a->is.kind, b->is.kind);
    if (order == 0)
        order = strcmp(a->called, b->called);
    return order ? order : a->order < b->order ? -1 : a->order > b->order;
}

static bool same_name(const look *a, const look *b)
{
    return strcmp(a->called, b->called) == 0 && strcmp(a->is.kind, b->is.kind) == 0;
}

/* What it is a copy of: the last definition of that name, of its own name the one before it.
 * NULL: there is none. */
static look *parent_of(const listing *list, const look *l)
{
    const look wanted = {.is = {.kind = l->is.kind}, .called = l->parent, .order = SIZE_MAX};
    size_t from = 0, to = list->count;
    if (same_name(l, &wanted))
        from = to = (size_t)(l - (const look *)listing_at(list, 0));
    while (from < to) { /* the first one behind it */
        const size_t middle = from + (to - from) / 2;
        if (compare_looks(listing_at(list, middle), &wanted) > 0)
            to = middle;
        else
            from = middle + 1;
    }
    look *found = from > 0 ? listing_at(list, from - 1) : NULL;
    return found && same_name(found, &wanted) ? found : NULL;
}

static void inherit(look *l, const look *parent)
{
    if (!l->is.color[0])
        l->is.color = parent->is.color;
    if (!l->is.name[0])
        l->is.name = parent->is.name;
    if (l->is.symbol == 0)
        l->is.symbol = parent->is.symbol;
}

/* Takes what parents say, whose own parents come first; of a circle the first takes nothing. */
static void resolve(const listing *list)
{
    for (size_t i = 0; i < list->count; i++) {
        look *waiting = NULL, *l = listing_at(list, i);
        while (l && !l->is_met) {
            l->is_met = true;
            l->waiting = waiting;
            waiting = l;
            l = l->parent[0] ? parent_of(list, l) : NULL;
        }
        for (; waiting; waiting = waiting->waiting) {
            if (l)
                inherit(waiting, l);
            l = waiting;
        }
    }
}

/* Gives the last of those that are called the same. */
static ptl_status give(const listing *list,
                       bool (*on_look)(void *payload, const ptl_local_look *look),
                       void *payload, ptl_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        const look *l = listing_at(list, i),
                   *next = i + 1 < list->count ? listing_at(list, i + 1) : NULL;
        if (l->is_abstract || (next && same_name(next, l)))
            continue;
        if (!on_look(payload, &l->is))
            return error_set(err, PTL_ERR_CANCELLED, "stopped by the caller");
    }
    return PTL_OK;
}

ptl_status ptl_local_look_list(ptl_store *store,
                               bool (*on_look)(void *payload, const ptl_local_look *look),
                               void *payload, ptl_error *err)
{
    reading r = {.store = store, .json = json_reader_new(store_stop_hook(store))};
    error_clear(err);
    ptl_status status = listing_begin(&r.list, sizeof(look), err);
    if (status == PTL_OK && !r.json)
        status = error_nomem(err);
    if (status == PTL_OK)
        status = listing_snapshot(store, read_all, &r, err);
    listing_sort(&r.list, compare_looks);
    resolve(&r.list);
    if (status == PTL_OK)
        status = give(&r.list, on_look, payload, err);
    listing_end(&r.list);
    json_reader_free(r.json);
    return status;
}
