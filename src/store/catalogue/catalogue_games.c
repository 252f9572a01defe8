/*
 * Loads what only some games have in their content: dimensions, total weights of monster
 * groups, migrations, fixed cities, the name of the game, mapgens that are built into it, and
 * texts for generation. Also loads those numbers of regions that have no columns. Content that
 * was imported before schema 9 has few of these.
 */
#include "codec/compress.h"
#include "core/array.h"
#include "core/bytes.h"
#include "core/error.h"
#include "model/region_fields.h"
#include "model/shoals_fields.h"
#include "store/catalogue/catalogue_load.h"
#include "json/json_value.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers of regions ---- */

static ptl_status read_value(loader *l, const void *values)
{
    const region_number_row *s = values;
    const cat_region *r = catalogue_region(l->cat, s->region);
    int n = REGION_NUMBER_COLUMNS;
    while (n < REGION_NUMBERS && strcmp(region_fields[n].name, s->name) != 0)
        n++;
    if (!r || n == REGION_NUMBERS ||
        !(s->value >= region_fields[n].lo && s->value <= region_fields[n].hi))
        return loader_corrupt(l, "no such number of a region, or out of its range:", s->name);
    region_set(&l->regions[r - l->cat->regions], (region_number)n, s->value);
    return PTL_OK;
}

ptl_status load_numbers(loader *l)
{
    for (size_t i = 0; i < l->cat->region_count; i++)
        for (int n = REGION_NUMBER_COLUMNS; n < REGION_NUMBERS; n++)
            region_set(&l->regions[i], (region_number)n, region_fields[n].initial);
    TRY(loader_rows(l, CONTENT_REGION_NUMBERS, NULL, read_value, NULL));
    for (size_t i = 0; i < l->cat->region_count; i++) {
        cat_ocean *ocean = &l->regions[i].ocean;
        const bool oceans = ocean->begins[0]; /* the region's number place_oceans, which says
                                               * whether there are oceans: read_value has stored
                                               * it here */
        for (int side = 0; side < CAT_SIDES; side++)
            ocean->begins[side] = oceans && ocean->start[side] < REGION_OCEAN_NEVER;
    }
    return PTL_OK;
}

/* ---- dimensions ---- */

static ptl_status read_dimension(loader *l, const void *values)
{
    const dimension_row *s = values;
    cat_dimension *list = l->payload, *d = &list[l->cat->dimension_count++];
    TRY(loader_id(l, &d->id, s->id, l->row > 0 ? d[-1].id : NULL));
    d->kind = loader_keep(l, s->kind);
    if (s->region)
        d->region = loader_keep(l, s->region);
    return PTL_OK;
}

/* ---- monster groups ---- */

/* Reads a monster group. Its total weight is the one that the content states, or else the sum
 * of the chances of the monsters that it lists. */
static ptl_status read_monstergroup(loader *l, const void *values)
{
    const monstergroup_row *s = values;
    cat_monstergroup *list = l->payload, *g = &list[l->cat->monstergroup_count++];
    const int64_t total = s->freq_total.given ? s->freq_total.value : s->freq_sum;
    g->total = (int32_t)(total < -INT32_MAX  ? -INT32_MAX
                         : total > INT32_MAX ? INT32_MAX
                                             : total);
    return loader_id(l, &g->id, s->id, l->row > 0 ? g[-1].id : NULL);
}

/* ---- migrations: ids that the content has replaced by others ---- */

static ptl_status read_migration(loader *l, const void *values)
{
    /* This function also reads rows of special_migration, whose structs begin with the same
     * members. */
    const oter_migration_row *s = values;
    cat_migration *list = l->payload, *m = &list[l->row];
    TRY(loader_id(l, &m->old_id, s->old_id, l->row > 0 ? m[-1].old_id : NULL));
    m->final_id = s->final_id ? loader_keep(l, s->final_id) : NULL;
    return PTL_OK;
}

static ptl_status load_migration_rows(loader *l, content_part part, const cat_migration **out,
                                      size_t *count)
{
    cat_migration *list;
    TRY(LOADER_ROOM_OF(l, list, part));
    TRY(loader_rows(l, part, NULL, read_migration, list));
    *out = list;
    *count = l->row;
    return PTL_OK;
}

/* ---- fixed cities ---- */

static ptl_status read_city(loader *l, const void *values)
{
    const fixed_city_row *s = values;
    cat_city *list = l->payload, *c = &list[l->cat->city_count];
    c->id = loader_keep(l, s->id);
    c->name = loader_keep(l, s->name);
    c->database_id = (int32_t)s->database_id;
    c->population = (int32_t)s->population;
    c->chunk.x = (int32_t)s->overmap_x;
    c->chunk.y = (int32_t)s->overmap_y;
    c->x = (int16_t)s->x;
    c->y = (int16_t)s->y;
    c->size = (int16_t)s->size;
    if (l->cat->city_count > 0) {
        const ptl_chunk_pos last = c[-1].chunk, here = c->chunk;
        const bool ordered = last.y != here.y   ? last.y < here.y
                             : last.x != here.x ? last.x < here.x
                                                : strcmp(c[-1].id, c->id) < 0;
        if (!ordered)
            return loader_corrupt(l, "out of order:", c->id);
    }
    const size_t most = CAT_CITIES_MAX;
    if (l->cat->city_count >= most && c[-(ptrdiff_t)most].chunk.x == c->chunk.x &&
        c[-(ptrdiff_t)most].chunk.y == c->chunk.y)
        return loader_corrupt(l, "too many cities of one overmap:", c->id);
    l->cat->city_count++;
    return PTL_OK;
}

/* ---- the game that the content is for ---- */

static ptl_status read_game(loader *l, const void *values)
{
    const content_game_row *s = values;
    if (s->content_id != l->cat->content_id)
        return PTL_OK;
    l->cat->game = loader_keep(l, s->game);
    l->cat->game_version = loader_keep(l, s->version);
    if (strcmp(s->placement, "sectors") == 0)
        l->cat->placement = PTL_PLACEMENT_SECTORS;
    return PTL_OK;
}

static ptl_status read_default_region(loader *l, const void *values)
{
    const external_option_row *s = values;
    if (strcmp(s->name, "DEFAULT_REGION") != 0)
        return PTL_OK;
    l->cat->default_region = loader_keep(l, s->value);
    return PTL_OK;
}

/* ---- loads what this file reads, except the numbers of regions ---- */

ptl_status load_games(loader *l)
{
    catalogue *cat = l->cat;
    cat_dimension *dimensions;
    cat_monstergroup *groups;
    cat_city *cities;
    TRY(LOADER_ROOM_OF(l, dimensions, CONTENT_DIMENSIONS));
    cat->dimensions = dimensions;
    TRY(loader_rows(l, CONTENT_DIMENSIONS, NULL, read_dimension, dimensions));
    TRY(LOADER_ROOM_OF(l, groups, CONTENT_MONSTERGROUPS));
    cat->monstergroups = groups;
    TRY(loader_rows(l, CONTENT_MONSTERGROUPS, NULL, read_monstergroup, groups));
    TRY(LOADER_ROOM_OF(l, cities, CONTENT_FIXED_CITIES));
    cat->cities = cities;
    TRY(loader_rows(l, CONTENT_FIXED_CITIES, "overmap_y, overmap_x, id", read_city, cities));
    TRY(load_migration_rows(l, CONTENT_OTER_MIGRATIONS, &cat->oter_migrations,
                            &cat->oter_migration_count));
    TRY(load_migration_rows(l, CONTENT_SPECIAL_MIGRATIONS, &cat->special_migrations,
                            &cat->special_migration_count));
    cat->game = cat->game_version = "";
    cat->default_region = "default";
    cat->placement = PTL_PLACEMENT_QUOTA;
    TRY(loader_rows(l, CONTENT_GAMES, "", read_game, NULL));
    return loader_rows(l, CONTENT_OPTIONS, "", read_default_region, NULL);
}

/*
 * ---- mapgens that are built into a game: their names, and the settings of the one named
 * `shoals` ----
 *
 * The import has checked these values. If a value is wrong nevertheless, it is treated as
 * missing.
 */

static bool is_text(const json_t *entry, const char *key, const char *text)
{
    const char *value = json_string_value(json_object_get(entry, key));
    return value && strcmp(value, text) == 0;
}

/* Sets *out to the value of a JSON member if that is an integer in the range low..high. */
static void set_number(int32_t *out, const json_t *value, int32_t low, int32_t high)
{
    const json_int_t number = json_integer_value(value);
    if (json_is_integer(value) && number >= low && number <= high)
        *out = (int32_t)number;
}

/* Reads an entry of a terrain's mapgen. Only the first entry that names a built-in mapgen
 * counts. */
static ptl_status read_entry(loader *l, const void *values)
{
    const overmap_terrain_mapgen_row *s = values;
    json_t *entry;
    if (!strstr(s->json, "builtin"))
        return PTL_OK;
    cat_terrain *t = loader_terrain(l, s->terrain);
    if (!t)
        return loader_corrupt(l, "mapgen of unknown terrain", s->terrain);
    TRY(loader_json(l, &entry, s->json, "mapgen that is no JSON of", t->id));
    /* The entry names a mapgen that is built into the game. In DDA from 0.H on the member
     * `method` may be missing in such an entry. */
    const json_t *own = json_object_get(entry, "builtin");
    const char *name = json_string_value(
        own ? own : json_object_get(entry, is_text(entry, "method", "builtin") ? "name" : ""));
    ptl_status status = PTL_OK;
    cat_shoals *out = NULL;
    if (name && !t->builtin && name[0])
        t->builtin = loader_keep(l, name);
    if (name && !t->shoals && strcmp(s->list, "mapgen") == 0 && strcmp(name, "shoals") == 0) {
        status = LOADER_ROOM(l, out, 0);
        t->shoals = out;
    }
    if (status == PTL_OK && out) {
        const json_t *islands = json_object_get(entry, "islands");
        *out = shoals_initial;
        out->full = is_text(entry, "profile", "full");
        set_number(&out->islands_max, json_array_get(islands, 1), 0, SHOALS_ISLANDS_MAX);
        set_number(&out->islands_min, json_array_get(islands, 0), 0, out->islands_max);
        for (size_t i = 0; i < SHOALS_FIELDS; i++) {
            const shoals_field *f = &shoals_fields[i];
            set_number((int32_t *)(void *)((char *)out + f->offset),
                       json_object_get(entry, f->key), f->low, f->high);
        }
    }
    json_decref(entry);
    return status;
}

ptl_status load_builtins(loader *l)
{
    return loader_rows(l, CONTENT_TERRAIN_MAPGEN, NULL, read_entry, NULL);
}

/*
 * ---- texts ----
 *
 * Texts for generation: names of towns, and what radios say. They are in the kept objects of
 * the content; only files that hold such texts are decompressed. The import does not check
 * these objects, so values without a usable text are skipped here.
 * Texts are sorted and each is kept once, so that equal content gives equal indices.
 */

enum { WEIGHT_MAX = 1000000 };

typedef struct text_entry {
    const char *text; /* a town's name or a radio's text; it lies in the catalogue's arena */
    uint32_t weight;
} text_entry;

typedef struct text_list {
    text_entry *items; /* owned, on the heap: the texts and their weights */
    size_t count, room;
} text_list;

typedef struct text_reader {
    loader *l;
    text_list towns, radios;
    text_list *list;       /* `towns` or `radios`: the list to which texts are added at present
                            */
    const char *texts_key; /* name of the JSON member that holds an object's texts */
    compressor *compressor;
    json_reader *json;
    bytes texts; /* the decompressed texts of the file that was read last */
    int64_t file;
} text_reader;

/* Returns the text of a JSON value. A translated text is an object around the text itself. */
static const char *plain_text(const json_t *value)
{
    const char *text =
        json_string_value(json_is_object(value) ? json_object_get(value, "str") : value);
    return text ? text : "";
}

/* Adds one text to the list. `value` is the text itself, or a JSON object with a text and
 * perhaps a weight. */
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

/* ---- kept objects ---- */

static ptl_status read_object(void *payload, const kept_object *o, ptl_error *err)
{
    text_reader *r = payload;
    loader *l = r->l;
    if (o->file != r->file) {
        if (o->size < 0 || o->size > JSON_TEXT_MAX)
            return loader_corrupt(l, "wrong size of the kept objects of", o->path);
        bytes_clear(&r->texts);
        r->file = o->file;
        if (o->is_plain)
            bytes_put(&r->texts, o->texts, o->texts_size);
        else
            TRY(decompressor_run(r->compressor, &r->texts, o->texts, o->texts_size,
                                 (size_t)o->size, l->err));
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
    /* The object has a number that the import accepted but that this reader does not accept, so
     * the object is skipped. */
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

/* ---- sorted lists with weights ---- */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(((const text_entry *)a)->text, ((const text_entry *)b)->text);
}

/* Sorts the texts and merges equal ones. upto[i] becomes the sum of the weights of the texts 0
 * to i: a random number n selects the first text i with n < upto[i]. */
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
        const char *key; /* name of the JSON member that holds an object's texts */
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
