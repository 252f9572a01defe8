/* Lists what one draw from a group of items, monsters or vehicles gives, computed from the
 * definitions (ptl_loot_group_list), and says why a figure is in doubt. */
#include "core/sized.h"
#include "mapgen/odds/odds.h"
#include "portolan/loot.h"
#include "world/local/local.h"

const char *world_local_doubt(uint32_t doubts)
{
    static const struct {
        uint32_t doubt;
        const char *text;
    } all[] = {{ODDS_LARGE, "the content asks for too much of it"},
               {ODDS_SCRIPT, "a script takes part in the map"},
               {ODDS_GROUND, "the map is made by code"},
               {ODDS_PARAMETERS, "parameters have too many values together, or hang together"},
               {ODDS_REMOVED, "something that is drawn later may remove it"},
               {ODDS_SPARED, "the mapgen spares tiles with creatures or open air"},
               {ODDS_CONTAINER, "a container or ammunition is drawn from a group"},
               {ODDS_OVERFLOW, "what does not fit into a container is thrown out"},
               {ODDS_PLANT, "of what is put into a plant one thing stays"},
               {ODDS_POPULATION, "monsters come until a large budget is spent"}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (doubts & all[i].doubt)
            return all[i].text;
    return "";
}

/* What is needed to give the figures of one group to the caller's callback. */
typedef struct group_listing {
    const id_pool *texts;
    bool (*on_row)(void *payload, const ptl_loot_row *row);
    void *payload;
} group_listing;

static ptl_status tell_rows(const group_listing *l, const odds_map *map, ptl_error *err)
{
    for (size_t i = 0; i < map->count; i++) {
        const odds_figure *f = &map->figures[i];
        const char *id = id_pool_text(l->texts, f->id);
        const ptl_loot_row row = {.size = sizeof row,
                                  .terrain = "",
                                  .kind = f->kind,
                                  .id = id,
                                  .number = f->mean,
                                  .chance = f->some,
                                  .exact = f->doubts == 0,
                                  .why = world_local_doubt(f->doubts)};
        /* A group that is written where it is used has no id of its own, so it gets no row. */
        const bool named = f->kind != PTL_LOOT_GROUP || id[0] != '{';
        if (named && !l->on_row(l->payload, &row))
            return error_set(err, PTL_ERR_CANCELLED, "the caller ended the list");
    }
    return PTL_OK;
}

static ptl_status list_group(const group_listing *l, odds *o, ptl_world *world,
                             const ptl_loot_options *options, ptl_error *err)
{
    odds_map map;
    bool known, stopped;
    const uint32_t id = id_pool_put(world->mapgen->pool, options->id, strlen(options->id));
    if (!odds_of_group(&map, o, options->kind, id, &known, &stopped))
        return stopped ? error_set(err, PTL_ERR_CANCELLED, "stopped") : error_nomem(err);
    TRY(world_mapgen_fault(world->mapgen, err));
    if (!known)
        return error_set(err, PTL_ERR_NOT_FOUND, "the content has no group of %ss '%s'",
                         ptl_loot_kind_name(options->kind), options->id);
    return tell_rows(l, &map, err);
}

ptl_status ptl_loot_group_list(ptl_world *world, const ptl_loot_options *options,
                               bool (*on_row)(void *payload, const ptl_loot_row *row),
                               void *payload, ptl_error *err)
{
    ptl_loot_options o = PTL_LOOT_OPTIONS_INIT;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_loot_options, &o, options, err));
    if (!o.id || (int)o.kind < 0 || o.kind >= PTL_LOOT_GROUP || o.turn < 0)
        return error_set(err, PTL_ERR_ARGUMENT,
                         !o.id        ? "which group? An id is needed"
                         : o.turn < 0 ? "the turn is below 0"
                                      : "groups are of items, monsters or vehicles");
    TRY(world_local_load(world, false, err));
    const world_mapgen *m = world->mapgen;
    const odds_source source = {.library = m->library,
                                .groups = m->groups,
                                .tiles = m->tiles,
                                .pool = m->pool,
                                .settings = &m->settings,
                                .items_geometric = m->items_geometric,
                                .time = world_local_time(o.turn),
                                .stop =
                                    ops(world->store)->transaction->stop_hook(world->store)};
    odds *of = odds_new(&source);
    if (!of)
        return error_nomem(err);
    const group_listing l = {m->pool, on_row, payload};
    const ptl_status status = list_group(&l, of, world, &o, err);
    odds_free(of);
    return status;
}
