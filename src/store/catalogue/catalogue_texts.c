/*
 * Texts for generation: names of towns and what radios say. They are among the kept objects,
 * and only the files that hold them are decompressed. The import does not look into these
 * objects, so whatever is not a usable text is left out here.
 * Texts are sorted and each is kept once, so that equal content gives equal indices.
 */
#include "store/catalogue/catalogue_load.h"
#include "json/json_value.h"

#include "codec/compress.h"
#include "core/array.h"
#include "core/bytes.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>

enum { WEIGHT_MAX = 1000000 };

typedef struct text_entry {
    const char *text; /* in the arena */
    uint32_t weight;
} text_entry;

typedef struct text_list {
    text_entry *items; /* on the heap */
    size_t count, room;
} text_list;

typedef struct text_reader {
    loader *l;
    text_list towns, radios;
    text_list *list;       /* the list that texts are added to */
    const char *texts_key; /* the member under which an object has its texts */
    compressor *compressor;
    json_reader *json;
    bytes texts; /* the decompressed texts of the file */
    int64_t file;
} text_reader;

/* Returns the text of a JSON value. A translated text is an object around the text itself. */
static const char *plain_text(const json_t *value)
{
    const char *text =
        json_string_value(json_is_object(value) ? json_object_get(value, "str") : value);
    return text ? text : "";
}

/* Adds one entry: a text, or an object with a text and perhaps a weight. */
static ptl_status add_value(loader *l, text_list *list, const json_t *value)
{
    const json_t *inner = json_object_get(value, "text");
    const json_t *given = json_object_get(value, "weight");
    const char *text = plain_text(inner ? inner : value);
    const json_int_t weight = json_is_integer(given) ? json_integer_value(given) : 1;
    if (text[0] == '\0' || weight <= 0)
        return PTL_OK;
    const char *copy = arena_strdup(l->arena, text);
    if (!copy || !ARRAY_ROOM(list->items, list->room, list->count + 1))
        return error_nomem(l->err);
    list->items[list->count++] =
        (text_entry){copy, (uint32_t)(weight < WEIGHT_MAX ? weight : WEIGHT_MAX)};
    return PTL_OK;
}

/* ---- the kept objects ---- */

static ptl_status read_object(void *payload, const kept_object *o, ptl_error *err)
{
    text_reader *r = payload;
    loader *l = r->l;
    if (o->file != r->file) {
        if (o->size < 0 || o->size > JSON_TEXT_MAX)
            return loader_corrupt(l, "wrong size of the kept objects of", o->path);
        bytes_clear(&r->texts);
        r->file = o->file;
        TRY(decompressor_run(r->compressor, &r->texts, o->texts, o->texts_size, (size_t)o->size,
                             l->err));
        if (!bytes_text(&r->texts))
            return error_nomem(l->err);
    }
    const int64_t whole = (int64_t)r->texts.size;
    if (o->start < 0 || o->length < 2 || o->start > whole || o->length > whole - o->start)
        return loader_corrupt(l, "a kept object is out of bounds in", o->path);
    json_fault fault;
    json_t *object = json_value_read(r->json, (const char *)r->texts.data + o->start,
                                     (size_t)o->length, &fault);
    if (!object && fault.kind == JSON_NO_MEMORY)
        return error_nomem(err);
    /* The import accepted it nevertheless, so it is skipped. */
    if (!object && fault.kind == JSON_RANGE)
        return PTL_OK;
    if (!object)
        return loader_corrupt(l, "a kept object is not JSON in", o->path);
    const json_t *value = json_object_get(object, r->texts_key);
    ptl_status status = json_is_array(value) ? PTL_OK : add_value(l, r->list, value);
    for (size_t i = 0; i < json_array_size(value) && status == PTL_OK; i++)
        status = add_value(l, r->list, json_array_get(value, i));
    json_decref(object);
    return status;
}

/* ---- the lists ---- */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(((const text_entry *)a)->text, ((const text_entry *)b)->text);
}

/* Sorts the texts, merges equal ones, and computes cumulative weights: text i is drawn for
 * numbers below upto[i] and not below upto[i - 1]. */
static ptl_status finish_list(loader *l, text_list *list, const char *what, cat_texts *out)
{
    const char **texts = arena_calloc(l->arena, list->count + 1, sizeof *texts);
    uint32_t *upto = arena_calloc(l->arena, list->count + 1, sizeof *upto);
    if (!texts || !upto)
        return error_nomem(l->err);
    if (list->count > 1)
        qsort(list->items, list->count, sizeof *list->items, compare_texts);
    int64_t sum = 0;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        sum += list->items[i].weight;
        if (sum > INT32_MAX)
            return error_set(l->err, PTL_ERR_CONTENT,
                             "the weights of all %s add up to more than %d", what, INT32_MAX);
        if (kept == 0 || strcmp(texts[kept - 1], list->items[i].text) != 0)
            texts[kept++] = list->items[i].text;
        upto[kept - 1] = (uint32_t)sum;
    }
    *out = (cat_texts){texts, upto, kept};
    return PTL_OK;
}

ptl_status load_texts(loader *l)
{
    static const struct {
        kept_query query;
        const char *key; /* the member under which an object has its texts */
        bool radio;
    } kinds[] = {{{"portolan_town", "category", "snippet"}, "text", false},
                 {{"city", "usage", "name"}, "name", false},
                 {{"radio_archive", "category", "snippet"}, "text", true}};
    text_reader r = {.l = l,
                     .compressor = compressor_new(),
                     .json = json_reader_new((stop_hook){NULL, NULL}),
                     .file = -1};
    bytes_init(&r.texts);
    ptl_status status = r.compressor && r.json ? PTL_OK : error_nomem(l->err);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && status == PTL_OK; i++) {
        r.list = kinds[i].radio ? &r.radios : &r.towns;
        r.texts_key = kinds[i].key;
        status = l->rows->kept(l->rows->payload, &kinds[i].query, read_object, &r, l->err);
    }
    THEN(status, finish_list(l, &r.towns, "town names", &l->cat->town_names));
    THEN(status, finish_list(l, &r.radios, "radio texts", &l->cat->radio_texts));
    compressor_free(r.compressor);
    json_reader_free(r.json);
    bytes_dispose(&r.texts);
    free(r.towns.items);
    free(r.radios.items);
    return status;
}
