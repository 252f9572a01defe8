/* Makes a catalogue from the rows of a content. Each part becomes a sorted array; all arrays
 * lie in one arena. This file has the functions that the loading of all parts shares; it loads
 * terrains, oters, locations, and the boxes of OMTs whose terrain is checked before a special
 * is placed. */
#include "core/array.h"
#include "core/error.h"
#include "model/map_class.h"
#include "store/catalogue/catalogue_load.h"
#include "json/json_value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *loader_keep(loader *l, const char *text)
{
    const char *copy = text && text[0] ? arena_strdup(l->arena, text) : "";
    l->no_memory = l->no_memory || !copy;
    return copy ? copy : "";
}

ptl_status loader_id(loader *l, const char **out, const char *text, const char *previous)
{
    *out = loader_keep(l, text);
    if (previous && strcmp(previous, text) >= 0)
        return loader_corrupt(l, "out of order:", text);
    return PTL_OK;
}

ptl_status loader_json(loader *l, json_t **out, const char *text, const char *what,
                       const char *id)
{
    json_fault fault;
    *out = json_value_read(l->json, text, strlen(text), &fault);
    if (*out)
        return PTL_OK;
    return fault.kind == JSON_NO_MEMORY ? error_nomem(l->err) : loader_corrupt(l, what, id);
}

ptl_status loader_out_of_range(loader *l, const char *id)
{
    return loader_corrupt(l, "a number is out of range of", id);
}

/* What read_row needs to turn a row of the store into a struct of the part's type, and to give
 * that struct to `read`, the function for the rows of this part. */
typedef struct row_way {
    loader *l;
    const content_form *form;
    row_reader read;
    void *row; /* a struct of the type that rows of this part have in memory; each row is read
                * into this same struct */
} row_way;

static ptl_status read_row(void *payload, const content_value *values, ptl_error *err)
{
    const row_way *way = payload;
    loader *l = way->l;
    (void)err; /* not needed: errors are set in l->err, which is the same record */
    if (!content_row_read(way->row, way->form, values))
        return loader_out_of_range(l, value_text(values, 0));
    if (l->row + 1 == l->counts[way->form - content_forms])
        return loader_corrupt(l, "more rows than counted of", way->form->table);
    TRY(way->read(l, way->row));
    l->row++;
    return l->no_memory ? error_nomem(l->err) : PTL_OK;
}

/*
 * Sets of terrains. A location is a set of terrains; OMTs and connections may be placed on
 * unions of locations. Many unions are equal, so they are looked up by the list of their
 * locations, and equal unions share one set.
 */

/* A row may name a location that belongs to a set of terrains of which the loader has not yet
 * read all locations (loader_gather). After the last row of a part, loader_rows calls this,
 * which makes the set that is still open, if there is one. */
static void loader_gathered(loader *l)
{
    if (l->open)
        *l->open = loader_close_set(l, CAT_NONE);
    l->open = NULL;
}

/* Gives a part's rows to `read`, one by one. If there is no memory for a text, `read` gets the
 * row without it, and this function returns PTL_ERR_NOMEM after all rows. So `read` need not
 * check its texts. */
ptl_status loader_rows(loader *l, content_part part, const char *order, row_reader read,
                       void *payload)
{
    const content_form *form = &content_forms[part];
    char columns[CONTENT_NAMES_MAX];
    row_way way = {l, form, read, calloc(1, form->size)};
    if (!way.row)
        return error_nomem(l->err);
    content_row_columns(columns, form);
    const content_query query = {part, columns, order ? order : form->key};
    l->row = 0;
    l->owner = CAT_NONE;
    l->payload = payload;
    const ptl_status status = l->rows->visit(l->rows->payload, &query, read_row, &way, l->err);
    free(way.row);
    loader_gathered(l);
    return status == PTL_OK && l->no_memory ? error_nomem(l->err) : status;
}

ptl_status loader_room(loader *l, void *array, size_t count, size_t size)
{
    void *made = arena_calloc(l->arena, count + 1, size);
    memcpy(array, &made, sizeof made);
    return made ? PTL_OK : error_nomem(l->err);
}

ptl_status loader_count(loader *l, content_part part, size_t *out)
{
    *out = 0;
    if (l->counts[part] == 0) {
        TRY(l->rows->count(out, l->rows->payload, part, l->err));
        l->counts[part] = *out + 1;
    }
    *out = l->counts[part] - 1;
    return PTL_OK;
}

ptl_status loader_room_of(loader *l, void *array, content_part part, size_t size)
{
    size_t count;
    TRY(loader_count(l, part, &count));
    return loader_room(l, array, count, size);
}

/* Values that many terrains have in common. This struct has those of the terrain that was read
 * last; if the next terrain has an equal value, it points to this one instead of a copy. */
typedef struct shared_members {
    const char *color;
    const char *list; /* JSON text of the ids in `processes` */
    const char *const *processes;
    uint16_t process_count;
} shared_members;

/* Reads the ids of a terrain's post-process generators from their JSON list. */
static ptl_status read_processes(loader *l, shared_members *last, const char *list,
                                 const char *id)
{
    json_t *all = NULL;
    if (last->list && strcmp(last->list, list) == 0)
        return PTL_OK;
    TRY(loader_json(l, &all, list, "a list that is no JSON of", id));
    const size_t count = json_is_array(all) ? json_array_size(all) : 0;
    const char **ids = NULL;
    ptl_status status = count > UINT16_MAX ? loader_corrupt(l, "too many processes of", id)
                                           : LOADER_ROOM(l, ids, count);
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        ids[i] = loader_keep(l, json_string_value(json_array_get(all, i)));
    json_decref(all);
    last->list = loader_keep(l, list);
    last->processes = ids;
    last->process_count = (uint16_t)count;
    return status;
}

static ptl_status read_terrain(loader *l, const void *values)
{
    const overmap_terrain_row *s = values;
    static const uint16_t counts[] = {1, 4, 16};
    shared_members *last = l->payload;
    cat_terrain *t = &l->terrains[l->row];
    int64_t kind = s->kind;
    TRY(loader_id(l, &t->id, s->id, l->row > 0 ? t[-1].id : NULL));
    t->name = loader_keep(l, s->name);
    t->symbol = (uint32_t)s->symbol;
    if (!last->color || strcmp(last->color, s->color) != 0)
        last->color = loader_keep(l, s->color);
    t->color = last->color;
    if (s->post_process_generators.json && s->post_process_generators.json[0]) {
        TRY(read_processes(l, last, s->post_process_generators.json, t->id));
        t->processes = last->processes;
        t->process_count = last->process_count;
        t->flags |= t->process_count > 0 ? CAT_FLAG_RIOTS : 0u;
    }
    t->mondensity = (int32_t)s->mondensity;
    t->extras = loader_keep(l, s->extras);
    t->spawn_group = loader_keep(l, s->spawn_group);
    t->spawn_min = (int32_t)s->spawn_population_min.value;
    t->spawn_max = (int32_t)s->spawn_population_max.value;
    t->spawn_chance = (int32_t)s->spawn_chance.value;
    t->uniform = loader_keep(l, s->uniform_terrain);
    t->map_class = (uint8_t)map_class_of_words(&(map_words){.travel = s->travel_cost_type,
                                                            .land_use = s->land_use_code,
                                                            .extras = s->extras,
                                                            .looks_like = s->looks_like.json,
                                                            .symbol = t->symbol,
                                                            .linear = kind == 2});
    if (kind < 0 || kind > 2)
        return loader_corrupt(l, "wrong kind of terrain", t->id);
    t->count = counts[kind];
    t->first = (ptl_oter)l->cat->oter_count;
    l->cat->oter_count += t->count;
    if (l->cat->oter_count > CATALOGUE_INDEX_MAX)
        return error_set(l->err, PTL_ERR_LIMIT,
                         "the content has more than %d concrete terrains, which is the limit",
                         CATALOGUE_INDEX_MAX);
    l->cat->terrain_count++;
    return PTL_OK;
}

static ptl_status load_terrains(loader *l)
{
    shared_members last = {.color = NULL};
    TRY(LOADER_ROOM_OF(l, l->terrains, CONTENT_TERRAINS));
    l->cat->terrains = l->terrains;
    return loader_rows(l, CONTENT_TERRAINS, NULL, read_terrain, &last);
}

cat_terrain *loader_terrain(loader *l, const char *id)
{
    if (l->owner == CAT_NONE || strcmp(l->terrains[l->owner].id, id) != 0)
        l->owner = catalogue_terrain(l->cat, id);
    return l->owner == CAT_NONE ? NULL : &l->terrains[l->owner];
}

/* Reads an oter. Its index follows from its terrain and its variant (the number of its rotation
 * or line shape), because the oters of a terrain must be neighbours in the array. The row's
 * rotation and line must agree with the variant. */
static ptl_status read_oter(loader *l, const void *values)
{
    const concrete_terrain_row *s = values;
    const cat_terrain *t = loader_terrain(l, s->terrain);
    int64_t variant = s->variant, line = s->line, rotation = s->rotation;
    if (!t || variant < 0 || variant >= t->count || l->row >= l->cat->oter_count)
        return loader_corrupt(l, "concrete terrain of no terrain", s->id);
    ptl_oter number = (ptl_oter)(t->first + variant);
    cat_oter *o = &l->oters[number];
    if (o->id)
        return loader_corrupt(l, "concrete terrain twice", s->id);
    if (line != (t->count == 16 ? variant : 0) || rotation != (t->count == 4 ? variant : 0))
        return loader_corrupt(l, "wrong shape of concrete terrain", s->id);
    o->id = loader_keep(l, s->id);
    o->terrain = l->owner;
    o->line = (uint8_t)line;
    o->rotation = (uint8_t)rotation;
    o->symbol = (uint32_t)s->symbol;
    o->flags = t->flags;
    l->oters_by_id[l->row] = number;
    return PTL_OK;
}

static ptl_status load_oters(loader *l)
{
    size_t count = l->cat->oter_count;
    TRY(LOADER_ROOM(l, l->oters, count));
    TRY(LOADER_ROOM(l, l->oters_by_id, count));
    TRY(loader_rows(l, CONTENT_OTERS, NULL, read_oter, NULL));
    if (l->row != count)
        return error_set(l->err, PTL_ERR_CORRUPT,
                         "content tables: %zu concrete terrains where %zu are expected", l->row,
                         count);
    l->cat->oters = l->oters;
    l->cat->oters_by_id = l->oters_by_id;
    return PTL_OK;
}

/* Reads the id of a location; read_location_terrain adds its terrains later. */

static ptl_status read_location(loader *l, const void *values)
{
    const overmap_location_row *s = values;
    cat_location *location = &l->locations[l->cat->location_count++];
    location->terrains = l->own_sets + l->row * l->words;
    return loader_id(l, &location->id, s->id, l->row > 0 ? location[-1].id : NULL);
}

static uint16_t find_location(const loader *l, const char *id)
{
    return catalogue_find_id(l->locations, l->cat->location_count, sizeof *l->locations, id);
}

/* Adds a terrain to its location. Rows of the same location follow each other, so the previous
 * row's location is tried first. */
static ptl_status read_location_terrain(loader *l, const void *values)
{
    const overmap_location_terrain_row *s = values;
    if (l->owner == CAT_NONE || strcmp(l->locations[l->owner].id, s->location) != 0)
        l->owner = find_location(l, s->location);
    if (l->owner == CAT_NONE)
        return loader_corrupt(l, "terrain of unknown location", s->location);
    const uint16_t terrain = catalogue_terrain(l->cat, s->terrain);
    if (terrain == CAT_NONE)
        return loader_corrupt(l, "unknown terrain of a location", s->terrain);
    loader_set_add(l->own_sets + l->owner * l->words, terrain);
    return PTL_OK;
}

static ptl_status load_locations(loader *l)
{
    size_t count;
    TRY(loader_count(l, CONTENT_LOCATIONS, &count));
    if (count > CATALOGUE_INDEX_MAX)
        return error_set(l->err, PTL_ERR_LIMIT, "the content has more than %d locations",
                         CATALOGUE_INDEX_MAX);
    l->words = catalogue_all_terrains(l->cat) / 64 + 1;
    TRY(LOADER_ROOM(l, l->locations, count));
    TRY(LOADER_ROOM(l, l->own_sets, count * l->words));
    TRY(LOADER_ROOM(l, l->list.items, count));
    l->cat->locations = l->locations;
    TRY(loader_rows(l, CONTENT_LOCATIONS, NULL, read_location, NULL));
    return loader_rows(l, CONTENT_LOCATION_TERRAINS, "", read_location_terrain, NULL);
}

/*
 * Reads a box of OMTs in which the terrain is checked before a special is placed. A mutable
 * special may have boxes of any size. A box of a fixed special is a single OMT that the special
 * does not fill; if the box has no locations of its own, those of the special apply.
 */
static ptl_status read_check(loader *l, const void *values)
{
    const special_check_row *s = values;
    cat_check *checks = l->payload, *check = &checks[l->row];
    TRY(loader_owner(l, s->special));
    cat_special *owner = &l->specials[l->owner];
    const bool grows = l->layouts[l->owner] != NULL;
    if (s->position != (int64_t)owner->check_count)
        return loader_corrupt(l, "a check is missing of special", s->special);
    if (owner->check_count++ == 0)
        owner->checks = check;
    check->x0 = (int16_t)s->x0;
    check->y0 = (int16_t)s->y0;
    check->z0 = (int8_t)s->z0;
    check->x1 = (int16_t)s->x1;
    check->y1 = (int16_t)s->y1;
    check->z1 = (int8_t)s->z1;
    check->own = grows;
    check->allows = grows ? loader_close_set(l, CAT_NONE) : l->grounds[l->owner];
    if (check->x1 < check->x0 || check->y1 < check->y0 || check->z1 < check->z0)
        return loader_out_of_range(l, s->special);
    return PTL_OK;
}

static ptl_status read_checked_location(loader *l, const void *values)
{
    const special_check_location_row *s = values;
    cat_check *checks = l->payload;
    TRY(loader_owner(l, s->special));
    const cat_special *owner = &l->specials[l->owner];
    if (s->check < 0 || s->check >= (int64_t)owner->check_count)
        return loader_corrupt(l, "locations of no check of special", s->special);
    cat_check *check = &checks[(owner->checks - checks) + s->check];
    check->own = true;
    return loader_gather(l, &check->allows, s->location);
}

static ptl_status load_checks(loader *l)
{
    cat_check *checks;
    TRY(LOADER_ROOM_OF(l, checks, CONTENT_SPECIAL_CHECK));
    TRY(loader_rows(l, CONTENT_SPECIAL_CHECK, NULL, read_check, checks));
    TRY(loader_rows(l, CONTENT_SPECIAL_CHECK_LOCATION, NULL, read_checked_location, checks));
    /* Some mutable specials state no box in which the terrain is to be checked. Each of these
     * gets a box of a single OMT, that of its root piece. */
    for (size_t i = 0; i < l->cat->special_count; i++) {
        const cat_mutable *m = l->layouts[i];
        cat_special *special = &l->specials[i];
        if (!m || special->check_count > 0)
            continue;
        cat_check *check;
        TRY(LOADER_ROOM(l, check, 0));
        check->allows = m->pieces[m->root].allows;
        check->own = true;
        special->checks = check;
        special->check_count = 1;
    }
    return PTL_OK;
}

ptl_status catalogue_from_rows(catalogue **out, const row_source *rows, ptl_error *err)
{
    static ptl_status (*const loads[])(loader *) = {
        load_terrains,  load_flags,       load_builtins, load_oters,   load_past,
        load_locations, load_connections, load_specials, load_omts,    load_pieces,
        load_checks,    load_phases,      load_links,    load_regions, load_region_flags,
        load_numbers,   load_blocks,      load_games,    load_texts};
    loader l = {.cat = calloc(1, sizeof *l.cat),
                .rows = rows,
                .err = err,
                .arena = arena_new(),
                .json = json_reader_new((stop_hook){NULL, NULL})};
    ptl_status status = l.cat && l.arena && l.json ? PTL_OK : error_nomem(err);
    *out = NULL;
    strmap_init(&l.set_index);
    if (status == PTL_OK) {
        l.cat->memory = l.arena;
        l.cat->content_id = rows->content_id;
        memcpy(l.cat->digest, rows->digest, sizeof l.cat->digest);
        for (size_t i = 0; i < sizeof loads / sizeof *loads && status == PTL_OK; i++)
            status = loads[i](&l);
    }
    json_reader_free(l.json);
    /* Frees what was needed only while locations were read: the index of the sets that are
     * unions of locations, and the list of these sets. The sets themselves stay in the arena.
     */
    strmap_dispose(&l.set_index);
    free(l.sets);
    if (status == PTL_OK) {
        map_class_settle(l.terrains, l.cat);
        *out = l.cat;
        return PTL_OK;
    }
    free(l.cat);
    arena_free(l.arena);
    return status;
}

/* ---- unions of locations ---- */

static int compare_numbers(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

static void list_make_set(location_list *list)
{
    size_t kept = 0;
    if (list->count > 1)
        qsort(list->items, list->count, sizeof *list->items, compare_numbers);
    for (size_t i = 0; i < list->count; i++)
        if (kept == 0 || list->items[kept - 1] != list->items[i])
            list->items[kept++] = list->items[i];
    list->count = kept;
}

ptl_status loader_add_location(loader *l, const char *id)
{
    const uint16_t location = find_location(l, id);
    if (location == CAT_NONE)
        return loader_corrupt(l, "no such location", id);
    /* The list has room for one location more than the content has. When the list is full, some
     * location is in it twice, so removing duplicates makes room. */
    if (l->list.count > l->cat->location_count)
        list_make_set(&l->list);
    l->list.items[l->list.count++] = location;
    return PTL_OK;
}

/* Adds a new set of terrains to l->sets, and its index to l->set_index, where it is found by
 * `key`. If `set` is NULL or memory is out, sets l->no_memory and returns NULL. */
static ptl_terrain_set keep_set(loader *l, const char *key, ptl_terrain_set set)
{
    if (!set || !ARRAY_ROOM(l->sets, l->set_room, l->set_count + 1) ||
        strmap_put(&l->set_index, key, (uint32_t)l->set_count) != 0) {
        l->no_memory = true;
        return NULL;
    }
    return l->sets[l->set_count++] = set;
}

ptl_terrain_set loader_close_set(loader *l, uint16_t terrain)
{
    list_make_set(&l->list);
    const size_t count = l->list.count;
    const uint16_t *items = l->list.items;
    l->list.count = 0;
    if (count == 1 && terrain == CAT_NONE)
        return l->own_sets + items[0] * l->words;
    /* The key of a union of locations and a terrain: the index of `terrain`, then the indices
     * of the locations, with four hexadecimal digits each. */
    enum { DIGITS = 4 };
    const size_t size = (count + 1) * DIGITS + 1;
    char *key = arena_alloc(l->arena, size);
    for (size_t i = 0; key && i <= count; i++)
        snprintf(key + i * DIGITS, size - i * DIGITS, "%04x",
                 (unsigned)(i == 0 ? terrain : items[i - 1]));
    const uint32_t found = key ? strmap_get(&l->set_index, key) : STRMAP_NONE;
    if (found != STRMAP_NONE)
        return l->sets[found];
    uint64_t *set = key ? arena_calloc(l->arena, l->words, sizeof *set) : NULL;
    for (size_t i = 0; set && i < count; i++)
        for (size_t w = 0; w < l->words; w++)
            set[w] |= l->own_sets[items[i] * l->words + w];
    if (set && terrain != CAT_NONE)
        loader_set_add(set, terrain);
    return keep_set(l, key, set);
}

ptl_status loader_gather(loader *l, ptl_terrain_set *set, const char *location)
{
    if (l->open != set)
        loader_gathered(l);
    l->open = set;
    return loader_add_location(l, location);
}

ptl_terrain_set loader_carries(loader *l, uint16_t connection, uint16_t terrain)
{
    enum { KEY_SIZE = 16 };
    ptl_terrain_set own = l->cat->connections[connection].terrains;
    if (terrain == CAT_NONE || cat_terrain_in(own, terrain))
        return own;
    /* The key of this set (a connection's terrains and one more) begins with "+", so that it
     * differs from the keys of unions of locations, which are hexadecimal digits only. */
    char key[KEY_SIZE];
    snprintf(key, sizeof key, "+%04x%04x", (unsigned)connection, (unsigned)terrain);
    const uint32_t found = strmap_get(&l->set_index, key);
    if (found != STRMAP_NONE)
        return l->sets[found];
    uint64_t *set = arena_copy(l->arena, own, l->words * sizeof *set);
    if (set)
        loader_set_add(set, terrain);
    return keep_set(l, loader_keep(l, key), set);
}
