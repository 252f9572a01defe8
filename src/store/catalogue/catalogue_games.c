/* What only some games have: the numbers of regions without columns, dimensions, the sums of
 * monster groups, and which game it is. Content of before schema 9 has none of it. */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"
#include "model/region_fields.h"

#include <string.h>

/* ---- numbers ---- */

enum { NUMBERS = REGION_NUMBERS - REGION_COLUMNS };

/* Of each region, those from REGION_COLUMNS on. */
typedef double region_values[NUMBERS];

static ptl_status read_value(loader *l, const void *values, void *payload)
{
    const region_number_row *s = values;
    region_values *numbers = payload;
    const cat_region *r = catalogue_region(l->cat, s->region);
    const double value = s->value;
    int n = REGION_COLUMNS;
    while (n < REGION_NUMBERS && strcmp(region_fields[n].name, s->name) != 0)
        n++;
    if (!r || n == REGION_NUMBERS ||
        !(value >= region_fields[n].lo && value <= region_fields[n].hi))
        return loader_corrupt(l, "no such number of a region, or out of its range:", s->name);
    numbers[r - l->cat->regions][n - REGION_COLUMNS] = value;
    return PTL_OK;
}

static double value_of(const region_values values, int number)
{
    return values[number - REGION_COLUMNS];
}

static int32_t whole_of(const region_values values, int number)
{
    return (int32_t)value_of(values, number);
}

static bool switch_of(const region_values values, int number)
{
    return value_of(values, number) != 0;
}

static void set_waters(cat_region *r, const region_values v)
{
    r->rivers = (cat_rivers){.frequency = value_of(v, REGION_RIVER_FREQUENCY),
                             .branch_chance = value_of(v, REGION_RIVER_BRANCH_CHANCE),
                             .remerge_chance = value_of(v, REGION_RIVER_REMERGE_CHANCE),
                             .scale_decrease = value_of(v, REGION_RIVER_SCALE_DECREASE)};
    r->ocean = (cat_ocean){.threshold = value_of(v, REGION_OCEAN_THRESHOLD),
                           .size_min = whole_of(v, REGION_OCEAN_SIZE_MIN),
                           .depth = whole_of(v, REGION_OCEAN_DEPTH),
                           .tide_turns = whole_of(v, REGION_TIDE_TURNS)};
    for (int side = 0; side < CAT_SIDES; side++) {
        r->ocean.start[side] = whole_of(v, REGION_OCEAN_START + side);
        r->ocean.begins[side] =
            switch_of(v, REGION_OCEANS) && r->ocean.start[side] < REGION_OCEAN_NEVER;
    }
}

static void set_values(cat_region *r, const region_values v)
{
    for (int side = 0; side < CAT_SIDES; side++) {
        r->forest_increase[side] = value_of(v, REGION_FOREST_INCREASE + side);
        r->urbanity_increase[side] = whole_of(v, REGION_URBANITY_INCREASE + side);
    }
    r->forest_limit = value_of(v, REGION_FOREST_LIMIT);
    r->urbanity_max = whole_of(v, REGION_URBANITY_MAX);
    set_waters(r, v);
    r->hordes = (cat_hordes){.threshold = whole_of(v, REGION_HORDE_THRESHOLD),
                             .chance = whole_of(v, REGION_HORDE_CHANCE),
                             .spread = value_of(v, REGION_HORDE_SPREAD),
                             .scalar = value_of(v, REGION_HORDE_SCALAR)};
    r->highways = switch_of(v, REGION_HIGHWAYS);
    r->parts = switch_of(v, REGION_PARTS);
    r->no_roads = !switch_of(v, REGION_ROADS);
    r->railroads = switch_of(v, REGION_RAILROADS);
    r->railroads_first = switch_of(v, REGION_RAILROADS_FIRST);
    r->no_specials = !switch_of(v, REGION_SPECIALS);
    r->closed = !switch_of(v, REGION_NEIGHBOR_CONNECTIONS);
    r->megacity = switch_of(v, REGION_MEGACITY);
    r->highway_columns = whole_of(v, REGION_HIGHWAY_COLUMNS);
    r->highway_rows = whole_of(v, REGION_HIGHWAY_ROWS);
    r->highway_variance = whole_of(v, REGION_HIGHWAY_VARIANCE);
}

ptl_status load_numbers(loader *l)
{
    const size_t count = l->cat->region_count;
    region_values *values = arena_calloc(l->arena, count + 1, sizeof *values);
    if (!values)
        return error_nomem(l->err);
    for (size_t i = 0; i < count; i++)
        for (int n = 0; n < NUMBERS; n++)
            values[i][n] = region_fields[REGION_COLUMNS + n].initial;
    ptl_status status = loader_rows(l, CONTENT_REGION_NUMBERS, NULL, read_value, values);
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        set_values(&l->regions[i], values[i]);
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
