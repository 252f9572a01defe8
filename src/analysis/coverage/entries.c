/*
 * Entries of mapgen: computes how many local maps can be expected to be made of each entry.
 * This depends on the entry's weight among the entries of the same terrain, and on how many
 * OMTs of the terrain were seen. No map is made.
 */
#include "analysis/coverage/coverage_impl.h"
#include "core/array.h"
#include "mapgen/compile/library.h"
#include "model/symbol.h"
#include "world/local/kept_object.h"
#include "world/local/local.h"

#include <math.h>
#include <stdlib.h>

/* A JSON object of type `mapgen`, and the entry that it defines. */
typedef struct entry_of {
    int64_t number;
    const mapgen_entry *entry;
    coverage_place place;
} entry_of;

typedef struct mapgen_entries {
    ptl_coverage *c;
    id_pool *pool;
    json_reader *reader;
    mapgen_compiler *compiler;
    mapgen_library *library; /* used to find out which terrains have maps that consist of a
                                single tile terrain */
    entry_of *list;          /* owned; `weights` is owned, too */
    size_t count, room;
    uint64_t *weights; /* weights[key]: sum of the weights of all entries with this key */
    size_t weight_room;
} mapgen_entries;

/* ---- reading ---- */

/* Returns the terrain whose mapgen has this key. The key is the terrain's id; for linear
 * terrains a suffix with the shape may follow. CAT_NONE if there is no such terrain. */
static uint16_t terrain_of(const catalogue *cat, const char *key)
{
    const uint16_t whole = catalogue_terrain(cat, key);
    const size_t length = terrain_shape_length(key);
    char id[256];
    if (whole != CAT_NONE || key[length] == '\0' || length >= sizeof id)
        return whole;
    memcpy(id, key, length);
    id[length] = '\0';
    const uint16_t line = catalogue_terrain(cat, id);
    return line != CAT_NONE && cat->terrains[line].flags & CAT_FLAG_LINEAR ? line : CAT_NONE;
}

static bool add_weights(mapgen_entries *e, const mapgen_entry *entry)
{
    for (uint32_t i = 0; i < entry->key_count; i++) {
        const uint32_t key = entry->keys[i].id;
        if (!ARRAY_ROOM_ZEROED(e->weights, e->weight_room, (size_t)key + 1))
            return false;
        e->weights[key] += entry->weight > 0 ? (uint64_t)entry->weight : 0;
    }
    return true;
}

static coverage_place place_of(const mapgen_entries *e, const kept_row *row)
{
    const uint32_t at = strmap_get(&e->c->files, row->path);
    const coverage_file none = {"", ""};
    const coverage_file *file = at == STRMAP_NONE ? &none : &e->c->file_list[at];
    return (coverage_place){file->pack, file->path, (int32_t)row->line};
}

/* If the entry matters to the caller, notes that its terrains matter, too. */
static void note_wishes(const mapgen_entries *e, const entry_of *one)
{
    for (uint32_t i = 0; i < one->entry->key_count; i++) {
        const char *key = id_pool_text(e->pool, one->entry->keys[i].id);
        const uint16_t terrain = terrain_of(e->c->cat, key);
        if (terrain != CAT_NONE && !e->c->terrain_matters[terrain])
            e->c->terrain_matters[terrain] = coverage_wants(
                e->c, PTL_COVERAGE_MAPGEN, e->c->cat->terrains[terrain].id, one->place.pack);
    }
}

static ptl_status on_entry(void *payload, const kept_row *row, ptl_error *err)
{
    mapgen_entries *e = payload;
    json_document document;
    TRY(kept_object(&document, e->reader, row, err));
    const mapgen_entry *entry = mapgen_compile_entry(e->compiler, json_view_of(&document));
    if (!entry || entry->role != MAPGEN_OM_TERRAIN || entry->key_count == 0)
        return PTL_OK;
    if (!ARRAY_ROOM(e->list, e->room, e->count + 1) || !add_weights(e, entry))
        return error_nomem(err);
    entry_of *one = &e->list[e->count++];
    *one = (entry_of){row->number, entry, place_of(e, row)};
    note_wishes(e, one);
    return PTL_OK;
}

/* Adds the weight of an entry of mapgen that is written inside the definition of a terrain. */
static ptl_status on_embedded(void *payload, const content_value *row, ptl_error *err)
{
    mapgen_entries *e = payload;
    json_document document;
    const char *text = world_embedded_text(row);
    if (!text)
        return PTL_OK;
    const kept_row kept = {.text = text, .size = strlen(text), .path = value_text(row, 0)};
    TRY(kept_object(&document, e->reader, &kept, err));
    const mapgen_entry *entry = mapgen_compile_embedded(e->compiler, json_view_of(&document),
                                                        world_embedded_key(e->pool, row));
    return !entry || add_weights(e, entry) ? PTL_OK : error_nomem(err);
}

static ptl_status read_entries(mapgen_entries *e, ptl_store *store, ptl_error *err)
{
    static const char *const types[] = {"mapgen", NULL};
    static const kept_text_query query = {.types = types};
    const mapgen_context context = {.pool = e->pool, .memory = e->c->memory};
    e->reader = json_reader_new(ops(store)->transaction->stop_hook(store));
    e->compiler = mapgen_compiler_new(&context);
    if (!e->reader || !e->compiler || !world_mapgen_terrains(e->library, e->pool, e->c->cat))
        return error_nomem(err);
    TRY(ops(store)->content->kept_visit(store, &query, on_entry, e, err));
    return ops(store)->content->row_visit(store, 0, &world_embedded_query, on_embedded, e, err);
}

/* ---- judging ---- */

/* What is known of an entry of mapgen, summed over its keys (the terrains that it is for). */
typedef struct entry_sums {
    double expected, absent;
    uint64_t overmaps, with;
    /* `no_terrain` is true if none of the entry's keys is the id of a terrain. `uniform` is
     * true if the terrains of all its keys have maps that consist of a single tile terrain. */
    bool no_terrain, uniform;
    /* The coverage entry of a terrain: of those that the entry of mapgen is for, the one that
     * came in the most overmaps. */
    const ptl_coverage_entry *best;
} entry_sums;

static const ptl_coverage_entry *entry_of_terrain(const ptl_coverage *c, uint16_t terrain)
{
    return &c->entries[c->first_terrain + terrain];
}

static void add_key(entry_sums *s, const mapgen_entries *e, const mapgen_entry *entry,
                    uint32_t key)
{
    const uint16_t terrain = terrain_of(e->c->cat, id_pool_text(e->pool, key));
    if (terrain == CAT_NONE)
        return;
    s->no_terrain = false;
    const ptl_coverage_entry *t = entry_of_terrain(e->c, terrain);
    const double count = (double)t->count;
    if (!s->best || t->verdict < s->best->verdict ||
        (t->verdict == s->best->verdict && t->with > s->best->with))
        s->best = t;
    if (mapgen_library_uniform(e->library, key) != ID_NONE)
        return;
    s->uniform = false;
    const double share =
        entry->weight > 0 ? (double)entry->weight / (double)e->weights[key] : 0;
    s->expected += count * share;
    s->absent += share < 1 ? count * log1p(-share) : count > 0 ? -INFINITY : 0;
}

static void judge_entry(ptl_coverage_entry *x, const entry_sums *s, const mapgen_entry *entry)
{
    x->reason = s->no_terrain                                       ? PTL_COVERAGE_UNNAMED
                : entry->weight <= 0                                ? PTL_COVERAGE_ZERO
                : s->uniform                                        ? PTL_COVERAGE_REPLACED
                : s->best && s->best->verdict == PTL_COVERAGE_NEVER ? PTL_COVERAGE_TERRAIN_NEVER
                                                                    : PTL_COVERAGE_NO_REASON;
    if (s->best) {
        x->overmaps = s->best->overmaps;
        x->with = s->best->with;
        x->forced = s->best->forced;
        x->stood = s->best->stood;
        x->low = s->best->low;
        x->high = s->best->high;
        x->region = s->best->region;
    }
    if (x->reason) {
        x->verdict = PTL_COVERAGE_NEVER;
        if (s->best && x->reason == PTL_COVERAGE_TERRAIN_NEVER) {
            x->by = s->best->id;
            x->because = s->best->reason;
        }
        return;
    }
    x->expected = s->expected;
    x->count = (uint64_t)llround(s->expected);
    x->unseen = exp(s->absent);
    if (s->best->verdict != PTL_COVERAGE_COMES) {
        x->verdict = s->best->verdict;
        x->reason = PTL_COVERAGE_TERRAIN_NOT_SEEN;
        x->by = s->best->id;
        x->because = s->best->reason;
        x->unseen = s->best->unseen;
    } else
        x->verdict = s->expected >= 1 ? PTL_COVERAGE_COMES : PTL_COVERAGE_RARE;
}

static ptl_status judge_entries(mapgen_entries *e, ptl_error *err)
{
    for (size_t i = 0; i < e->count; i++) {
        const mapgen_entry *entry = e->list[i].entry;
        entry_sums sums = {.no_terrain = true, .uniform = true};
        for (uint32_t k = 0; k < entry->key_count; k++)
            add_key(&sums, e, entry, entry->keys[k].id);
        const char *id =
            sums.best ? sums.best->id
                      : arena_strdup(e->c->memory, id_pool_text(e->pool, entry->keys[0].id));
        ptl_coverage_entry *x =
            id ? coverage_add(e->c, PTL_COVERAGE_MAPGEN, id, &e->list[i].place) : NULL;
        if (!x)
            return error_nomem(err);
        x->entry = (uint64_t)e->list[i].number;
        judge_entry(x, &sums, entry);
    }
    return PTL_OK;
}

ptl_status judge_mapgen(ptl_coverage *c, ptl_error *err)
{
    return judge_entries(c->mapgen, err);
}

ptl_status mapgen_entries_read(ptl_coverage *c, ptl_store *store, ptl_error *err)
{
    mapgen_entries *e = c->mapgen = calloc(1, sizeof *e);
    if (!e)
        return error_nomem(err);
    *e = (mapgen_entries){.c = c, .pool = id_pool_new(), .library = mapgen_library_new()};
    ptl_status status = e->pool && e->library ? read_entries(e, store, err) : error_nomem(err);
    if (status == PTL_OK && (id_pool_failed(e->pool) || mapgen_compiler_failed(e->compiler)))
        status = error_nomem(err);
    return status;
}

void mapgen_entries_free(mapgen_entries *e)
{
    if (!e)
        return;
    mapgen_compiler_free(e->compiler);
    json_reader_free(e->reader);
    mapgen_library_free(e->library);
    id_pool_free(e->pool);
    free(e->list);
    free(e->weights);
    free(e);
}
