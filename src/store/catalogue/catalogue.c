/*
 * The catalogue of a content's rows: part by part into sorted arrays in one arena.
 * Here: what the loading of all tables shares, and terrains.
 */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

ptl_status loader_corrupt(loader *l, const char *what, const char *id)
{
    return error_set(l->err, PTL_ERR_CORRUPT, "content tables: %s '%s'", what, id);
}

const char *loader_keep(loader *l, const char *text)
{
    return text[0] ? arena_strdup(l->arena, text) : "";
}

ptl_status loader_id(loader *l, const char **out, const char *text, const char *previous)
{
    *out = loader_keep(l, text);
    if (!*out)
        return error_nomem(l->err);
    if (previous && strcmp(previous, text) >= 0)
        return loader_corrupt(l, "out of order:", text);
    return PTL_OK;
}

ptl_status loader_out_of_range(loader *l, const char *id)
{
    return loader_corrupt(l, "a number is out of range of", id);
}

/* A row on its way from the source to its reader. */
typedef struct row_way {
    loader *l;
    const content_form *form;
    row_reader read;
    void *payload;
    void *row; /* the part's struct */
} row_way;

static ptl_status read_row(void *payload, const content_value *values, ptl_error *err)
{
    const row_way *way = payload;
    (void)err; /* the loader's */
    if (!content_row_read(way->row, way->form, values))
        return loader_out_of_range(way->l, value_text(values, 0));
    return way->read(way->l, way->row, way->payload);
}

ptl_status loader_rows(loader *l, content_part part, const char *order, row_reader read,
                       void *payload)
{
    const content_form *form = &content_forms[part];
    char columns[CONTENT_NAMES_MAX];
    row_way way = {l, form, read, payload, calloc(1, form->size)};
    if (!way.row)
        return error_nomem(l->err);
    content_row_columns(columns, form);
    const content_query query = {part, columns, order ? order : form->key};
    ptl_status status = l->rows->visit(l->rows->payload, &query, read_row, &way, l->err);
    free(way.row);
    return status;
}

ptl_status loader_count(loader *l, content_part part, size_t *out)
{
    *out = 0;
    return l->rows->count(out, l->rows->payload, part, l->err);
}

/* Texts of few kinds that come in runs, such as colours. */
static const char *keep_again(loader *l, const char *text, const char **last)
{
    if (!*last || strcmp(*last, text) != 0)
        *last = loader_keep(l, text);
    return *last;
}

typedef struct terrain_reader {
    size_t room;
    const char *color; /* of the terrain before */
} terrain_reader;

static ptl_status read_terrain(loader *l, const void *values, void *payload)
{
    const overmap_terrain_row *s = values;
    static const uint16_t counts[] = {1, 4, 16};
    terrain_reader *r = payload;
    size_t at = l->cat->terrain_count;
    if (at == r->room)
        return loader_corrupt(l, "more terrains than counted:", s->id);
    cat_terrain *t = &l->terrains[at];
    int64_t kind = s->kind;
    ptl_status status = loader_id(l, &t->id, s->id, at > 0 ? t[-1].id : NULL);
    if (status != PTL_OK)
        return status;
    t->name = loader_keep(l, s->name);
    t->symbol = (uint32_t)s->symbol;
    t->color = keep_again(l, s->color, &r->color);
    t->mondensity = (int32_t)s->mondensity;
    t->extras = loader_keep(l, s->extras);
    t->spawn_group = loader_keep(l, s->spawn_group ? s->spawn_group : "");
    t->spawn_min = (int32_t)s->spawn_population_min.value;
    t->spawn_max = (int32_t)s->spawn_population_max.value;
    t->spawn_chance = (int32_t)s->spawn_chance.value;
    t->uniform = loader_keep(l, s->uniform_terrain ? s->uniform_terrain : "");
    if (!t->name || !t->color || !t->extras || !t->spawn_group || !t->uniform)
        return error_nomem(l->err);
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
    terrain_reader r = {0, NULL};
    ptl_status status = loader_count(l, CONTENT_TERRAINS, &r.room);
    if (status != PTL_OK)
        return status;
    l->terrains = arena_calloc(l->arena, r.room + 1, sizeof *l->terrains);
    if (!l->terrains)
        return error_nomem(l->err);
    l->cat->terrains = l->terrains;
    return loader_rows(l, CONTENT_TERRAINS, NULL, read_terrain, &r);
}

cat_terrain *loader_terrain(loader *l, const char *id, uint16_t *last)
{
    if (*last == CAT_NONE || strcmp(l->terrains[*last].id, id) != 0)
        *last = catalogue_terrain(l->cat, id);
    return *last == CAT_NONE ? NULL : &l->terrains[*last];
}

typedef struct oter_reader {
    uint16_t last; /* terrain of the row before */
    size_t rows;
} oter_reader;

static ptl_status read_oter(loader *l, const void *values, void *payload)
{
    const concrete_terrain_row *s = values;
    oter_reader *r = payload;
    const cat_terrain *t = loader_terrain(l, s->terrain, &r->last);
    int64_t variant = s->variant, line = s->line, rotation = s->rotation;
    if (!t || variant < 0 || variant >= t->count || r->rows >= l->cat->oter_count)
        return loader_corrupt(l, "concrete terrain of no terrain", s->id);
    ptl_oter number = (ptl_oter)(t->first + variant);
    cat_oter *o = &l->oters[number];
    if (o->id)
        return loader_corrupt(l, "concrete terrain twice", s->id);
    if (line != (t->count == 16 ? variant : 0) || rotation != (t->count == 4 ? variant : 0))
        return loader_corrupt(l, "wrong shape of concrete terrain", s->id);
    o->id = loader_keep(l, s->id);
    if (!o->id)
        return error_nomem(l->err);
    o->terrain = r->last;
    o->line = (uint8_t)line;
    o->rotation = (uint8_t)rotation;
    o->symbol = (uint32_t)s->symbol;
    o->flags = t->flags;
    l->oters_by_id[r->rows++] = number;
    return PTL_OK;
}

static ptl_status load_oters(loader *l)
{
    size_t count = l->cat->oter_count;
    oter_reader r = {CAT_NONE, 0};
    l->oters = arena_calloc(l->arena, count + 1, sizeof *l->oters);
    l->oters_by_id = arena_calloc(l->arena, count + 1, sizeof(uint16_t));
    if (!l->oters || !l->oters_by_id)
        return error_nomem(l->err);
    ptl_status status = loader_rows(l, CONTENT_OTERS, NULL, read_oter, &r);
    if (status == PTL_OK && r.rows != count)
        status = error_set(l->err, PTL_ERR_CORRUPT,
                           "content tables: %zu concrete terrains where %zu are expected",
                           r.rows, count);
    l->cat->oters = l->oters;
    l->cat->oters_by_id = l->oters_by_id;
    return status;
}

static ptl_status load_tables(loader *l)
{
    static ptl_status (*const loads[])(loader *) = {
        load_terrains,  load_flags,       load_builtins, load_oters,      load_past,
        load_locations, load_connections, load_specials, load_tiles,      load_pieces,
        load_checks,    load_phases,      load_links,    load_regions,    load_region_flags,
        load_numbers,   load_highways,    load_blocks,   load_dimensions, load_monstergroups,
        load_cities,    load_migrations,  load_game,     load_texts};
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < sizeof loads / sizeof *loads && status == PTL_OK; i++)
        status = loads[i](l);
    return status;
}

ptl_status catalogue_from_rows(catalogue **out, const row_source *rows, ptl_error *err)
{
    *out = NULL;
    catalogue *cat = calloc(1, sizeof *cat);
    arena *memory = arena_new();
    if (!cat || !memory) {
        free(cat);
        arena_free(memory);
        return error_nomem(err);
    }
    cat->memory = memory;
    cat->content_id = rows->content_id;
    memcpy(cat->digest, rows->digest, sizeof cat->digest);
    loader l = {.cat = cat, .rows = rows, .err = err, .arena = memory};
    strmap_init(&l.set_index);
    ptl_status status = load_tables(&l);
    loader_dispose_sets(&l);
    if (status == PTL_OK)
        *out = cat;
    else
        catalogue_free(cat);
    return status;
}
