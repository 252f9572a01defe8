/*
 * The catalogue from the tables: one statement for each, rows into sorted arrays in one arena.
 */
#include "content/catalogue.h"

#include "content/symbol.h"
#include "core/arena.h"
#include "core/error.h"
#include "store/stmt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct catalogue_private {
    arena *arena;
    uint16_t *by_id; /* oters in strcmp order of their ids */
};

enum { OTERS_MAX = 65534 };

static const struct {
    const char *name;
    uint32_t flag;
} flags[] = {{"NO_ROTATE", CAT_FLAG_NO_ROTATE},   {"LINEAR", CAT_FLAG_LINEAR},
             {"RIVER", CAT_FLAG_RIVER},           {"LAKE", CAT_FLAG_LAKE},
             {"LAKE_SHORE", CAT_FLAG_LAKE_SHORE}, {"OCEAN", CAT_FLAG_OCEAN},
             {"RAVINE", CAT_FLAG_RAVINE},         {"RAVINE_EDGE", CAT_FLAG_RAVINE_EDGE},
             {"BRIDGE", CAT_FLAG_BRIDGE},         {"ROAD", CAT_FLAG_ROAD}};

/* What loading has under construction; the catalogue's own pointers are to const. */
typedef struct loader {
    catalogue *cat;
    ptl_store *store;
    ptl_error *err;
    arena *arena;
    cat_terrain *terrains;
    cat_oter *oters;
    cat_region *regions;
} loader;

static ptl_status corrupt(loader *l, const char *what, const char *id)
{
    return error_set(l->err, PTL_ERR_CORRUPT, "content tables: %s '%s'", what, id);
}

static const char *keep(loader *l, const char *text)
{
    return text[0] ? arena_strdup(l->arena, text) : "";
}

/* Texts of few kinds that come in runs, such as colours. */
static const char *keep_again(loader *l, const char *text, const char **last)
{
    if (!*last || strcmp(*last, text) != 0)
        *last = keep(l, text);
    return *last;
}

/* How many rows there are; the snapshot keeps it true. */
static ptl_status read_count(loader *l, const char *sql, size_t *out)
{
    stmt *s = NULL;
    bool row = false;
    ptl_status status = stmt_prepare(&s, l->store, sql, l->err);
    if (status == PTL_OK)
        status = stmt_step(s, &row, l->err);
    if (status == PTL_OK)
        *out = row ? (size_t)stmt_int(s, 0) : 0;
    stmt_free(s);
    return status;
}

static ptl_status load_content(loader *l)
{
    stmt *s = NULL;
    bool row = false;
    ptl_status status = stmt_prepare(
        &s, l->store, "SELECT id, digest FROM content WHERE is_current = 1", l->err);
    if (status == PTL_OK)
        status = stmt_step(s, &row, l->err);
    if (status == PTL_OK && !row)
        status = error_set(l->err, PTL_ERR_CONTENT,
                           "the file has no content yet: import some first");
    if (status == PTL_OK) {
        l->cat->content_id = stmt_int(s, 0);
        snprintf(l->cat->digest, sizeof l->cat->digest, "%s", stmt_text(s, 1));
    }
    stmt_free(s);
    return status;
}

static ptl_status load_terrain_row(loader *l, const stmt *s, const char **color)
{
    static const uint16_t counts[] = {1, 4, 16};
    cat_terrain *t = &l->terrains[l->cat->terrain_count];
    int64_t kind = stmt_int(s, 1);
    t->id = keep(l, stmt_text(s, 0));
    t->name = keep(l, stmt_text(s, 2));
    t->symbol = (uint32_t)stmt_int(s, 3);
    t->color = keep_again(l, stmt_text(s, 4), color);
    if (!t->id || !t->name || !t->color)
        return error_nomem(l->err);
    if (kind < 0 || kind > 2)
        return corrupt(l, "wrong kind of terrain", t->id);
    t->count = counts[kind];
    t->first = (ptl_oter)l->cat->oter_count;
    l->cat->oter_count += t->count;
    if (l->cat->oter_count > OTERS_MAX)
        return error_set(l->err, PTL_ERR_LIMIT,
                         "the content has more than %d concrete terrains, which is the limit",
                         OTERS_MAX);
    l->cat->terrain_count++;
    return PTL_OK;
}

static ptl_status load_terrains(loader *l)
{
    size_t room = 0;
    ptl_status status = read_count(l, "SELECT count(*) FROM overmap_terrain", &room);
    if (status != PTL_OK)
        return status;
    l->terrains = arena_calloc(l->arena, room + 1, sizeof *l->terrains);
    if (!l->terrains)
        return error_nomem(l->err);
    stmt *s = NULL;
    bool row = true;
    const char *color = NULL;
    status = stmt_prepare(
        &s, l->store, "SELECT id, kind, name, symbol, color FROM overmap_terrain ORDER BY id",
        l->err);
    while (status == PTL_OK && (status = stmt_step(s, &row, l->err)) == PTL_OK && row) {
        status = load_terrain_row(l, s, &color);
    }
    stmt_free(s);
    l->cat->terrains = l->terrains;
    return status;
}

/* The terrain of a row's id; rows of one terrain come together, so mostly the same again. */
static cat_terrain *find_terrain(loader *l, const char *id, uint16_t *last)
{
    if (*last == CAT_NONE || strcmp(l->terrains[*last].id, id) != 0)
        *last = catalogue_terrain(l->cat, id);
    return *last == CAT_NONE ? NULL : &l->terrains[*last];
}

static ptl_status load_flags(loader *l)
{
    stmt *s = NULL;
    bool row = true;
    uint16_t last = CAT_NONE;
    ptl_status status = stmt_prepare(
        &s, l->store,
        "SELECT terrain, flag FROM overmap_terrain_flag WHERE flag IN ('NO_ROTATE', 'LINEAR',"
        " 'RIVER', 'LAKE', 'LAKE_SHORE', 'OCEAN', 'RAVINE', 'RAVINE_EDGE', 'BRIDGE', 'ROAD')",
        l->err);
    while (status == PTL_OK && (status = stmt_step(s, &row, l->err)) == PTL_OK && row) {
        cat_terrain *t = find_terrain(l, stmt_text(s, 0), &last);
        if (!t) {
            status = corrupt(l, "flag of unknown terrain", stmt_text(s, 0));
            continue;
        }
        for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
            if (strcmp(stmt_text(s, 1), flags[i].name) == 0)
                t->flags |= flags[i].flag;
    }
    stmt_free(s);
    return status;
}

static ptl_status load_oter_row(loader *l, const stmt *s, uint16_t *last, size_t rows)
{
    const cat_terrain *t = find_terrain(l, stmt_text(s, 1), last);
    int64_t variant = stmt_int(s, 2);
    if (!t || variant < 0 || variant >= t->count || rows >= l->cat->oter_count)
        return corrupt(l, "concrete terrain of no terrain", stmt_text(s, 0));
    ptl_oter number = (ptl_oter)(t->first + variant);
    cat_oter *o = &l->oters[number];
    if (o->id)
        return corrupt(l, "concrete terrain twice", stmt_text(s, 0));
    o->id = keep(l, stmt_text(s, 0));
    if (!o->id)
        return error_nomem(l->err);
    o->terrain = *last;
    o->line = (uint8_t)stmt_int(s, 3);
    o->rotation = (uint8_t)stmt_int(s, 4);
    o->symbol = (uint32_t)stmt_int(s, 5);
    o->flags = t->flags;
    l->cat->private_data->by_id[rows] = number;
    return PTL_OK;
}

static ptl_status load_oters(loader *l)
{
    size_t count = l->cat->oter_count, rows = 0;
    l->oters = arena_calloc(l->arena, count + 1, sizeof *l->oters);
    l->cat->private_data->by_id = arena_calloc(l->arena, count + 1, sizeof(uint16_t));
    if (!l->oters || !l->cat->private_data->by_id)
        return error_nomem(l->err);
    stmt *s = NULL;
    bool row = true;
    uint16_t last = CAT_NONE;
    ptl_status status = stmt_prepare(&s, l->store,
                                     "SELECT id, terrain, variant, line, rotation, symbol"
                                     " FROM concrete_terrain ORDER BY id",
                                     l->err);
    while (status == PTL_OK && (status = stmt_step(s, &row, l->err)) == PTL_OK && row)
        status = load_oter_row(l, s, &last, rows++);
    if (status == PTL_OK && rows != count)
        status = error_set(l->err, PTL_ERR_CORRUPT,
                           "content tables: %zu concrete terrains where %zu are expected", rows,
                           count);
    stmt_free(s);
    l->cat->oters = l->oters;
    return status;
}

static ptl_status load_region_row(loader *l, const stmt *s)
{
    cat_region *r = &l->regions[l->cat->region_count++];
    r->id = keep(l, stmt_text(s, 0));
    r->default_oter = keep(l, stmt_text(s, 1));
    if (!r->id || !r->default_oter)
        return error_nomem(l->err);
    r->default_ter = catalogue_oter_or_first(l->cat, r->default_oter);
    if (r->default_ter == CAT_NONE)
        return corrupt(l, "no such default terrain of a region", r->default_oter);
    r->river_scale = stmt_double(s, 2);
    r->lake_threshold = stmt_double(s, 3);
    r->lake_size_min = (int32_t)stmt_int(s, 4);
    r->lake_depth = (int32_t)stmt_int(s, 5);
    r->forest_threshold = stmt_double(s, 6);
    r->forest_thick_threshold = stmt_double(s, 7);
    r->swamp_adjacent_threshold = stmt_double(s, 8);
    r->swamp_isolated_threshold = stmt_double(s, 9);
    r->floodplain_min = (int32_t)stmt_int(s, 10);
    r->floodplain_max = (int32_t)stmt_int(s, 11);
    r->ravine_count = (int32_t)stmt_int(s, 12);
    r->ravine_range = (int32_t)stmt_int(s, 13);
    r->ravine_width = (int32_t)stmt_int(s, 14);
    r->ravine_depth = (int32_t)stmt_int(s, 15);
    return PTL_OK;
}

static ptl_status load_regions(loader *l)
{
    size_t room = 0;
    ptl_status status = read_count(l, "SELECT count(*) FROM region_settings", &room);
    if (status != PTL_OK)
        return status;
    l->regions = arena_calloc(l->arena, room + 1, sizeof *l->regions);
    if (!l->regions)
        return error_nomem(l->err);
    stmt *s = NULL;
    bool row = true;
    status =
        stmt_prepare(&s, l->store,
                     "SELECT id, default_oter, river_scale, noise_threshold_lake,"
                     " lake_size_min, lake_depth, noise_threshold_forest,"
                     " noise_threshold_forest_thick, noise_threshold_swamp_adjacent_water,"
                     " noise_threshold_swamp_isolated, river_floodplain_buffer_distance_min,"
                     " river_floodplain_buffer_distance_max, num_ravines, ravine_range,"
                     " ravine_width, ravine_depth FROM region_settings ORDER BY id",
                     l->err);
    while (status == PTL_OK && (status = stmt_step(s, &row, l->err)) == PTL_OK && row) {
        status = load_region_row(l, s);
    }
    stmt_free(s);
    l->cat->regions = l->regions;
    return status;
}

static ptl_status load_tables(loader *l)
{
    ptl_status status = load_content(l);
    if (status == PTL_OK)
        status = load_terrains(l);
    if (status == PTL_OK)
        status = load_flags(l);
    if (status == PTL_OK)
        status = load_oters(l);
    return status == PTL_OK ? load_regions(l) : status;
}

ptl_status catalogue_load(catalogue **out, ptl_store *store, ptl_error *err)
{
    *out = NULL;
    catalogue *cat = calloc(1, sizeof *cat);
    struct catalogue_private *private_data = calloc(1, sizeof *private_data);
    arena *memory = arena_new();
    if (!cat || !private_data || !memory) {
        free(cat);
        free(private_data);
        arena_free(memory);
        return error_nomem(err);
    }
    private_data->arena = memory;
    cat->private_data = private_data;
    loader l = {.cat = cat, .store = store, .err = err, .arena = memory};
    /* One snapshot for all statements; a savepoint also works within a caller's transaction. */
    ptl_status status = store_exec(store, "SAVEPOINT catalogue_load", err);
    if (status == PTL_OK) {
        status = load_tables(&l);
        ptl_status released = store_exec(store, "RELEASE catalogue_load", err);
        status = status == PTL_OK ? released : status;
    }
    if (status == PTL_OK)
        *out = cat;
    else
        catalogue_free(cat);
    return status;
}

void catalogue_free(catalogue *cat)
{
    if (!cat)
        return;
    arena_free(cat->private_data->arena);
    free(cat->private_data);
    free(cat);
}

uint16_t catalogue_terrain(const catalogue *cat, const char *id)
{
    size_t low = 0, high = cat->terrain_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(cat->terrains[middle].id, id);
        if (order == 0)
            return (uint16_t)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return CAT_NONE;
}

ptl_oter catalogue_oter(const catalogue *cat, const char *id)
{
    const uint16_t *by_id = cat->private_data->by_id;
    size_t low = 0, high = cat->oter_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(cat->oters[by_id[middle]].id, id);
        if (order == 0)
            return by_id[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return CAT_NONE;
}

ptl_oter catalogue_oter_or_first(const catalogue *cat, const char *id)
{
    ptl_oter oter = catalogue_oter(cat, id);
    if (oter != CAT_NONE)
        return oter;
    uint16_t terrain = catalogue_terrain(cat, id);
    return terrain == CAT_NONE ? CAT_NONE : cat->terrains[terrain].first;
}

const cat_region *catalogue_region(const catalogue *cat, const char *id)
{
    for (size_t i = 0; i < cat->region_count; i++)
        if (strcmp(cat->regions[i].id, id) == 0)
            return &cat->regions[i];
    return NULL;
}
