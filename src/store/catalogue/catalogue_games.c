/* What only some games have: the numbers of regions without columns, dimensions, the sums of
 * monster groups, and which game it is. Content of before schema 9 has none of it. */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"
#include "model/region_fields.h"

#include <string.h>

/* ---- numbers ---- */

static ptl_status read_value(loader *l, const void *values, void *payload)
{
    const region_number_row *s = values;
    const cat_region *r = catalogue_region(l->cat, s->region);
    int n = REGION_COLUMNS;
    (void)payload;
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
        for (int n = REGION_COLUMNS; n < REGION_NUMBERS; n++)
            region_set(&l->regions[i], (region_number)n, region_fields[n].initial);
    ptl_status status = loader_rows(l, CONTENT_REGION_NUMBERS, NULL, read_value, NULL);
    for (size_t i = 0; i < l->cat->region_count; i++) {
        cat_ocean *ocean = &l->regions[i].ocean;
        const bool oceans = ocean->begins[0]; /* whether the region has any */
        for (int side = 0; side < CAT_SIDES; side++)
            ocean->begins[side] = oceans && ocean->start[side] < REGION_OCEAN_NEVER;
    }
    return status;
}

/* ---- dimensions ---- */

static ptl_status read_dimension(loader *l, const void *values, void *payload)
{
    const dimension_row *s = values;
    cat_dimension *list = payload;
    const size_t at = l->cat->dimension_count++;
    cat_dimension *d = &list[at];
    ptl_status status = loader_id(l, &d->id, s->id, at > 0 ? list[at - 1].id : NULL);
    if (status != PTL_OK)
        return status;
    d->kind = loader_keep(l, s->kind);
    if (s->region)
        d->region = loader_keep(l, s->region);
    return d->kind && (d->region || !s->region) ? PTL_OK : error_nomem(l->err);
}

ptl_status load_dimensions(loader *l)
{
    size_t room = 0;
    ptl_status status = loader_count(l, CONTENT_DIMENSIONS, &room);
    if (status != PTL_OK)
        return status;
    cat_dimension *list = arena_calloc(l->arena, room + 1, sizeof *list);
    if (!list)
        return error_nomem(l->err);
    l->cat->dimensions = list;
    return loader_rows(l, CONTENT_DIMENSIONS, NULL, read_dimension, list);
}

/* ---- monster groups ---- */

/* What nothing states is the sum of the chances. */
static ptl_status read_monstergroup(loader *l, const void *values, void *payload)
{
    const monstergroup_row *s = values;
    cat_monstergroup *list = payload;
    const size_t at = l->cat->monstergroup_count++;
    const int64_t total = s->freq_total.given ? s->freq_total.value : s->freq_sum;
    list[at].total = (int32_t)(total < -INT32_MAX  ? -INT32_MAX
                               : total > INT32_MAX ? INT32_MAX
                                                   : total);
    return loader_id(l, &list[at].id, s->id, at > 0 ? list[at - 1].id : NULL);
}

ptl_status load_monstergroups(loader *l)
{
    size_t room = 0;
    ptl_status status = loader_count(l, CONTENT_MONSTERGROUPS, &room);
    if (status != PTL_OK)
        return status;
    cat_monstergroup *list = arena_calloc(l->arena, room + 1, sizeof *list);
    if (!list)
        return error_nomem(l->err);
    l->cat->monstergroups = list;
    return loader_rows(l, CONTENT_MONSTERGROUPS, NULL, read_monstergroup, list);
}

/* ---- migrations ---- */

typedef struct migration_rows {
    cat_migration *list;
    size_t count;
} migration_rows;

static ptl_status read_migration(loader *l, const void *values, void *payload)
{
    const oter_migration_row *s = values; /* those of specials are the same */
    migration_rows *rows = payload;
    cat_migration *m = &rows->list[rows->count];
    ptl_status status = loader_id(l, &m->old_id, s->old_id,
                                  rows->count > 0 ? rows->list[rows->count - 1].old_id : NULL);
    if (status != PTL_OK)
        return status;
    rows->count++;
    if (!s->final_id)
        return PTL_OK;
    m->final_id = loader_keep(l, s->final_id);
    return m->final_id ? PTL_OK : error_nomem(l->err);
}

static ptl_status load_migration_rows(loader *l, content_part part, const cat_migration **out,
                                      size_t *count)
{
    size_t room = 0;
    ptl_status status = loader_count(l, part, &room);
    if (status != PTL_OK)
        return status;
    migration_rows rows = {arena_calloc(l->arena, room + 1, sizeof *rows.list), 0};
    if (!rows.list)
        return error_nomem(l->err);
    status = loader_rows(l, part, NULL, read_migration, &rows);
    *out = rows.list;
    *count = rows.count;
    return status;
}

ptl_status load_migrations(loader *l)
{
    catalogue *cat = l->cat;
    ptl_status status = load_migration_rows(l, CONTENT_OTER_MIGRATIONS, &cat->oter_migrations,
                                            &cat->oter_migration_count);
    if (status != PTL_OK)
        return status;
    return load_migration_rows(l, CONTENT_SPECIAL_MIGRATIONS, &cat->special_migrations,
                               &cat->special_migration_count);
}

/* ---- the game ---- */

static ptl_status read_game(loader *l, const void *values, void *payload)
{
    const content_game_row *s = values;
    (void)payload;
    if (s->content_id != l->cat->content_id)
        return PTL_OK;
    l->cat->game = loader_keep(l, s->game);
    l->cat->game_version = loader_keep(l, s->version);
    if (strcmp(s->placement, "sectors") == 0)
        l->cat->placement = PTL_PLACEMENT_SECTORS;
    return l->cat->game && l->cat->game_version ? PTL_OK : error_nomem(l->err);
}

static ptl_status read_default_region(loader *l, const void *values, void *payload)
{
    const external_option_row *s = values;
    (void)payload;
    if (strcmp(s->name, "DEFAULT_REGION") != 0)
        return PTL_OK;
    l->cat->default_region = loader_keep(l, s->value);
    return l->cat->default_region ? PTL_OK : error_nomem(l->err);
}

ptl_status load_game(loader *l)
{
    l->cat->game = l->cat->game_version = "";
    l->cat->default_region = "default";
    l->cat->placement = PTL_PLACEMENT_QUOTA;
    ptl_status status = loader_rows(l, CONTENT_GAMES, "", read_game, NULL);
    if (status == PTL_OK)
        status = loader_rows(l, CONTENT_OPTIONS, "", read_default_region, NULL);
    return status;
}
