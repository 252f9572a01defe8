/*
 * Parts of a content that only some games have: dimensions, sums of monster groups,
 * migrations, fixed cities, the numbers of regions that have no columns, and which game the
 * content is for, and the games' own mapgens. Content that was imported before schema 9 has few
 * of these.
 */
#include "core/error.h"
#include "model/region_fields.h"
#include "model/shoals_fields.h"
#include "store/catalogue/catalogue_load.h"
#include "json/json_value.h"

#include <string.h>

/* ---- numbers ---- */

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
        const bool oceans = ocean->begins[0]; /* does the region have oceans? */
        for (int side = 0; side < CAT_SIDES; side++)
            ocean->begins[side] = oceans && ocean->start[side] < REGION_OCEAN_NEVER;
    }
    return PTL_OK;
}

/* ---- dimensions ---- */

static ptl_status read_dimension(loader *l, const void *values)
{
    const dimension_row *s = values;
    cat_dimension *list = l->payload;
    cat_dimension *d = &list[l->cat->dimension_count++];
    TRY(loader_id(l, &d->id, s->id, l->row > 0 ? d[-1].id : NULL));
    d->kind = loader_keep(l, s->kind);
    if (s->region)
        d->region = loader_keep(l, s->region);
    return PTL_OK;
}

/* ---- monster groups ---- */

/* Reads a group. Where the content states no sum, it is the sum of the entries' chances. */
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

/* ---- migrations ---- */

static ptl_status read_migration(loader *l, const void *values)
{
    /* Rows of specials' migrations have the same struct. */
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

/* ---- cities that the content places ---- */

static ptl_status read_city(loader *l, const void *values)
{
    const fixed_city_row *s = values;
    cat_city *list = l->payload;
    cat_city *c = &list[l->cat->city_count];
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

/* ---- the game ---- */

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

/* ---- all parts but the numbers ---- */

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

/* ---- the games' own (builtin) mapgens that terrains name, and what they say of `shoals` ----
 *
 * The import has checked these values; one that is wrong nevertheless is treated as missing. */

static bool is_text(const json_t *entry, const char *key, const char *text)
{
    const char *value = json_string_value(json_object_get(entry, key));
    return value && strcmp(value, text) == 0;
}

/* Sets the number if the value is an integer in the range. */
static void set_number(int32_t *out, const json_t *value, int32_t low, int32_t high)
{
    const json_int_t number = json_integer_value(value);
    if (json_is_integer(value) && number >= low && number <= high)
        *out = (int32_t)number;
}

/* Takes the first entry of a terrain that names such a mapgen; later ones are ignored. */
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
    /* The name of the game's own mapgen. DDA from 0.H on writes such entries without `method`,
     * too. */
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
