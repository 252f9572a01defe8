/*
 * What local maps hold. The figures are those of mapgen/odds; where it has doubts about one,
 * maps are made and counted. Both are of an OMT that stands alone.
 */
#include "core/array.h"
#include "core/sized.h"
#include "mapgen/compile/by_id.h"
#include "portolan/loot.h"
#include "world/local/local.h"

#include <math.h>

/* How many maps are made of a terrain: of one, or of each of all. */
enum { SAMPLES_OF_ONE = 1000, SAMPLES_OF_EACH = 100, SAMPLES_MAX = 1000000 };

/* What was counted of one thing on the maps that were made. */
typedef struct counted {
    uint32_t id;
    int32_t last; /* number of the last map that has it, from 1 */
    int64_t now;  /* how many it has on that map */
    int64_t hits;
    double sum, squares;
} counted;

/* A listing of figures. */
typedef struct listing {
    const ptl_loot_options *options;
    bool (*on_row)(void *payload, const ptl_loot_row *row);
    void *payload;
    local_maker maker;
    odds *odds;                   /* owned */
    local_map *map;               /* owned; the last map that was made */
    by_id counts[PTL_LOOT_KINDS]; /* of counted; of the present terrain */
    ptl_oter oter;                /* of the present terrain */
    int32_t sample;               /* the number of the map that is being made, from 1 */
    int32_t samples;
    bool failed;     /* memory was out */
    uint32_t wanted; /* the thing that is asked for; ID_NONE: all */
    ptl_loot_row row;
} listing;

const char *ptl_loot_kind_name(ptl_loot_kind kind)
{
    static const char *const names[PTL_LOOT_KINDS] = {"item", "monster", "vehicle", "group"};
    return kind >= 0 && (int)kind < PTL_LOOT_KINDS ? names[kind] : "";
}

const char *ptl_loot_terrain(const ptl_world *world, ptl_oter oter)
{
    const world_mapgen *m = world->mapgen;
    return m ? id_pool_text(m->pool, world_seen_oter(m, world->cat, oter)->key) : "";
}

/* Returns why a figure is in doubt. */
static const char *doubt_text(uint32_t doubts)
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

/* Gives an OMT without anything around it. The payload is the listing. */
static ptl_status look_alone(local_around *out, void *payload, ptl_omt at, ptl_error *err)
{
    const listing *l = payload;
    (void)at, (void)err;
    for (int i = 0; i < AROUND_CELLS; i++)
        out->cells[i] = PTL_OTER_NONE;
    out->cells[AROUND_MIDDLE] = l->oter;
    out->above = out->below = PTL_OTER_NONE;
    out->record = NULL;
    return PTL_OK;
}

/* ---- counting on maps ---- */

static void add(listing *l, ptl_loot_kind kind, uint32_t id, int64_t number)
{
    counted *c = by_id_make(&l->counts[kind], id, sizeof *c);
    if (!c) {
        l->failed = true;
        return;
    }
    if (c->last != l->sample) {
        const double before = (double)c->now;
        c->sum += before;
        c->squares += before * before;
        c->hits++;
        c->last = l->sample;
        c->now = 0;
        c->id = id;
    }
    c->now += number;
}

static void on_drawn(void *payload, uint32_t id)
{
    add(payload, PTL_LOOT_GROUP, id, 1);
}

static void count_map(listing *l)
{
    const local_map *map = l->map;
    for (size_t i = 0; i < map->count; i++) {
        const local_entity *e = &map->entities[i];
        if (e->kind == LOCAL_ITEM && e->count > 0)
            add(l, PTL_LOOT_ITEM, e->id, e->count);
        else if (e->kind == LOCAL_MONSTER && e->count > 0)
            add(l, PTL_LOOT_MONSTER, e->id, e->count);
        else if (e->kind == LOCAL_VEHICLE)
            add(l, PTL_LOOT_VEHICLE, e->id, 1);
    }
}

static void forget_counts(listing *l)
{
    for (int kind = 0; kind < PTL_LOOT_KINDS; kind++)
        by_id_dispose(&l->counts[kind]);
}

/* Makes maps of the present terrain and counts what they hold. *whole is false if a map can't
 * be made. */
static ptl_status count_samples(listing *l, bool *whole, ptl_error *err)
{
    world_mapgen *m = l->maker.mapgen;
    const ptl_loot_options *o = l->options;
    const bool riots = o->riots;
    const ptl_store *store = l->maker.world->store;
    const stop_hook stop = ops(store)->transaction->stop_hook(store);
    ptl_status status = PTL_OK;
    *whole = true;
    mapgen_groups_watch(m->groups, on_drawn, l);
    for (l->sample = 1; l->sample <= l->samples && status == PTL_OK && *whole; l->sample++) {
        /* Each map gets a place of its own, and so random numbers of its own. */
        const ptl_omt at = {l->sample, (int64_t)(o->seed % SAMPLES_MAX), o->z};
        local_map_dispose(l->map);
        local_map_init(l->map);
        status = stop_asked(&stop)
                     ? error_set(err, PTL_ERR_CANCELLED, "stopped")
                     : world_local_run_alone(l->map, &l->maker, at, riots, whole, err);
        if (status == PTL_OK && *whole)
            count_map(l);
    }
    mapgen_groups_watch(m->groups, NULL, NULL);
    if (status == PTL_OK && (l->failed || l->map->failed))
        return error_nomem(err);
    return status;
}

/* ---- rows ---- */

static bool tell(listing *l, ptl_loot_kind kind, uint32_t id)
{
    l->row.kind = kind;
    l->row.id = id_pool_text(l->maker.mapgen->pool, id);
    /* A group that is defined where it is used has no id of its own. */
    if (kind == PTL_LOOT_GROUP && l->row.id[0] == '{')
        return true;
    return l->on_row(l->payload, &l->row);
}

static bool tell_exact(listing *l, const odds_figure *f)
{
    l->row.exact = true;
    l->row.why = "";
    l->row.number = f->mean;
    l->row.chance = f->some;
    l->row.samples = l->row.hits = 0;
    l->row.deviation = 0;
    return tell(l, f->kind, f->id);
}

static bool tell_counted(listing *l, ptl_loot_kind kind, uint32_t id, uint32_t doubts)
{
    const counted *c = by_id_find(&l->counts[kind], id, sizeof *c);
    const double n = l->samples;
    const double now = c ? (double)c->now : 0;
    const double sum = c ? c->sum + now : 0, squares = c ? c->squares + now * now : 0;
    const double spread = n > 1 ? (squares - sum * sum / n) / (n - 1) : 0;
    l->row.exact = false;
    l->row.why = doubts ? doubt_text(doubts) : "it was asked for";
    l->row.number = sum / n;
    l->row.hits = c ? (int32_t)c->hits : 0;
    l->row.chance = l->row.hits / n;
    l->row.samples = l->samples;
    l->row.deviation = spread > 0 ? sqrt(spread) : 0;
    return tell(l, kind, id);
}

static bool is_wanted(const listing *l, ptl_loot_kind kind, uint32_t id)
{
    return !l->options->id || (l->options->kind == kind && l->wanted == id);
}

/* Returns what is in doubt of a figure, with what the options ask for. */
static uint32_t doubts_of(const listing *l, const odds_figure *f)
{
    const bool damaged = f->kind == PTL_LOOT_ITEM || f->kind == PTL_LOOT_GROUP;
    const bool riots = l->options->riots;
    return f->doubts | (damaged && riots && l->row.depends & PTL_LOOT_RIOTS ? ODDS_REMOVED : 0);
}

/* Tells what was counted: things in doubt, or all that was found if everything is in doubt. */
static bool tell_samples(listing *l, const odds_map *map, bool all)
{
    bool on = true;
    for (size_t i = 0; i < map->count && on; i++) {
        const odds_figure *f = &map->figures[i];
        const uint32_t doubts = doubts_of(l, f);
        counted *c = by_id_find(&l->counts[f->kind], f->id, sizeof *c);
        if (!is_wanted(l, f->kind, f->id) || (!all && !doubts))
            continue;
        on = tell_counted(l, f->kind, f->id, doubts);
        if (c)
            c->last = -1; /* told */
    }
    for (int kind = 0; kind < PTL_LOOT_KINDS && all; kind++) {
        const counted *list = (const counted *)(const void *)l->counts[kind].things;
        for (uint32_t i = 1; i <= l->counts[kind].count && on; i++)
            if (list[i].last != -1 && is_wanted(l, (ptl_loot_kind)kind, list[i].id))
                on = tell_counted(l, (ptl_loot_kind)kind, list[i].id, map->doubts);
    }
    return on;
}

/* Lists the figures of the present terrain. */
static ptl_status list_terrain(listing *l, ptl_error *err)
{
    odds_request request;
    odds_map map;
    bool stopped = false, whole = true, on = true;
    const ptl_omt at = {0, 0, l->options->z};
    const world_mapgen *m = l->maker.mapgen;
    const seen_oter *seen = world_seen_oter(m, l->maker.world->cat, l->oter);
    const bool riots = l->options->riots && seen->riots;
    TRY(world_local_alone(&request, &l->maker, at, err));
    if (!odds_of_map(&map, l->odds, &request, &stopped))
        return stopped ? error_set(err, PTL_ERR_CANCELLED, "stopped") : error_nomem(err);
    TRY(world_mapgen_fault(m, err));
    l->row.terrain = id_pool_text(m->pool, seen->key);
    l->row.depends = map.depends | (seen->riots ? PTL_LOOT_RIOTS : 0);
    const bool all = l->options->simulate || map.doubts || riots;
    bool some = all;
    for (size_t i = 0; i < map.count && on; i++) {
        const odds_figure *f = &map.figures[i];
        if (!is_wanted(l, f->kind, f->id))
            continue;
        const bool sure = doubts_of(l, f) == 0;
        some = some || !sure;
        if (sure && !l->options->simulate)
            on = tell_exact(l, f);
    }
    if (some && on) {
        TRY(count_samples(l, &whole, err));
        if (whole)
            on = tell_samples(l, &map, all);
        l->row.id = NULL;
        l->row.why = "a map of it is larger than any may be, or needs a build with Lua";
        if (!whole)
            on = l->on_row(l->payload, &l->row);
        forget_counts(l);
    }
    return on ? PTL_OK : error_set(err, PTL_ERR_CANCELLED, "the caller ended the list");
}

/* ---- the calls ---- */

/* Is this an oter of the terrain, or terrains, that are asked for? */
static bool is_terrain(const listing *l, const cat_terrain *t, const cat_oter *oter,
                       uint32_t key)
{
    const char *wanted = l->options->terrain;
    return !wanted || strcmp(wanted, t->id) == 0 || strcmp(wanted, oter->id) == 0 ||
           strcmp(wanted, id_pool_text(l->maker.mapgen->pool, key)) == 0;
}

/* Does the thing for each terrain that is asked for; the shapes of linear terrains count as
 * terrains of their own. */
static ptl_status each_terrain(listing *l, ptl_status (*of)(listing *l, ptl_error *err),
                               ptl_error *err)
{
    enum { SHAPES = 16 };
    const catalogue *cat = l->maker.world->cat;
    bool any = false;
    for (size_t i = 0; i < cat->terrain_count; i++) {
        const cat_terrain *t = &cat->terrains[i];
        uint32_t keys[SHAPES];
        int count = 0;
        for (uint16_t k = 0; k < t->count; k++) {
            const ptl_oter oter = (ptl_oter)(t->first + k);
            const uint32_t key = world_seen_oter(l->maker.mapgen, cat, oter)->key;
            bool known = count == SHAPES || !is_terrain(l, t, &cat->oters[oter], key);
            for (int n = 0; n < count && !known; n++)
                known = keys[n] == key;
            if (known)
                continue;
            keys[count++] = key;
            l->oter = oter;
            any = true;
            TRY(of(l, err));
        }
    }
    if (!any)
        return error_set(err, PTL_ERR_NOT_FOUND, "the content has no overmap terrain '%s'",
                         l->options->terrain ? l->options->terrain : "");
    return PTL_OK;
}

static ptl_status check_options(const ptl_loot_options *o, ptl_error *err)
{
    if (o->samples < 0 || o->samples > SAMPLES_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "samples must be 0 to %d", SAMPLES_MAX);
    if (o->z < PTL_Z_MIN || o->z > PTL_Z_MAX || o->turn < 0)
        return error_set(err, PTL_ERR_ARGUMENT,
                         o->turn < 0 ? "the turn is below 0" : "z must be -10 to 10");
    if ((int)o->kind < 0 || (int)o->kind >= PTL_LOOT_KINDS)
        return error_set(err, PTL_ERR_ARGUMENT, "there is no such kind of things");
    return PTL_OK;
}

static void listing_end(listing *l)
{
    forget_counts(l);
    odds_free(l->odds);
    world_local_free(l->map);
}

static ptl_status listing_begin(listing *l, ptl_world *world, const ptl_loot_options *options,
                                ptl_error *err)
{
    TRY(check_options(options, err));
    TRY(world_local_load(world, !options->terrain, err));
    world_mapgen *m = world->mapgen;
    l->options = options;
    l->samples = options->samples > 0 ? options->samples
                 : options->terrain   ? SAMPLES_OF_ONE
                                      : SAMPLES_OF_EACH;
    l->maker = (local_maker){
        .world = world, .mapgen = m, .look = look_alone, .payload = l, .turn = options->turn};
    l->row.size = sizeof l->row;
    const odds_source source = {.library = m->library,
                                .groups = m->groups,
                                .tiles = m->tiles,
                                .pool = m->pool,
                                .settings = &m->settings,
                                .items_geometric = m->items_geometric,
                                .time = world_local_time(options->turn),
                                .stop =
                                    ops(world->store)->transaction->stop_hook(world->store)};
    l->odds = odds_new(&source);
    l->map = world_local_new();
    if (options->id)
        l->wanted = id_pool_put(m->pool, options->id, strlen(options->id));
    if (options->id && l->odds)
        odds_only(l->odds, options->kind, l->wanted);
    return l->odds && l->map ? PTL_OK : error_nomem(err);
}

ptl_status ptl_loot_list(ptl_world *world, const ptl_loot_options *options,
                         bool (*on_row)(void *payload, const ptl_loot_row *row), void *payload,
                         ptl_error *err)
{
    ptl_loot_options o = PTL_LOOT_OPTIONS_INIT;
    listing l = {.on_row = on_row, .payload = payload};
    error_clear(err);
    ptl_status status = SIZED_TAKE(ptl_loot_options, &o, options, err);
    THEN(status, listing_begin(&l, world, &o, err));
    THEN(status, each_terrain(&l, list_terrain, err));
    listing_end(&l);
    return status;
}

/* ---- trees ---- */

static const char *step_name(const odds_node *node)
{
    static const char *const names[ODDS_STEPS] = {
        [ODDS_STEP_ENTRY] = "entry",         [ODDS_STEP_BELOW] = "below",
        [ODDS_STEP_PARAMETER] = "parameter", [ODDS_STEP_PALETTE] = "palettes",
        [ODDS_STEP_SYMBOL] = "character",    [ODDS_STEP_CHUNK] = "chunk",
        [ODDS_STEP_GROUP] = "group",         [ODDS_STEP_COLLECTION] = "part",
        [ODDS_STEP_ITEM] = "item",           [ODDS_STEP_CONTAINER] = "container",
        [ODDS_STEP_MAGAZINE] = "magazine",   [ODDS_STEP_AMMO] = "ammunition",
        [ODDS_STEP_CONTENT] = "contents",    [ODDS_STEP_MONSTER] = "monster",
        [ODDS_STEP_VEHICLE] = "vehicle",     [ODDS_STEP_COUNT] = "count",
        [ODDS_STEP_SPAWNS] = "spawns",       [ODDS_STEP_GROUND] = "ground"};
    return node->step == ODDS_STEP_PIECE ? mapgen_kind_name(node->kind) : names[node->step];
}

/* A tree that is being told to the caller. */
typedef struct telling {
    listing list;
    bool (*on_step)(void *payload, const ptl_loot_step *step);
    void *payload;
    bool on, any;
} telling;

static void on_node(void *payload, const odds_node *node)
{
    telling *t = payload;
    const id_pool *pool = t->list.maker.mapgen->pool;
    const bool placed = node->step == ODDS_STEP_PIECE && node->x.high >= node->x.low;
    const ptl_loot_step step = {.size = sizeof step,
                                .depth = node->depth,
                                .kind = step_name(node),
                                .id = id_pool_text(pool, node->id),
                                .name = id_pool_text(pool, node->name),
                                .path =
                                    node->entry ? id_pool_text(pool, node->entry->path) : "",
                                .line = node->entry ? node->entry->line : 0,
                                .tiles = node->tiles > 0 ? node->tiles : 0,
                                .x = placed ? node->x.low : -1,
                                .y = placed ? node->y.low : -1,
                                .x2 = placed ? node->x.high : -1,
                                .y2 = placed ? node->y.high : -1,
                                .times = node->times,
                                .number = node->mean};
    t->on = t->on && t->on_step(t->payload, &step);
}

/* Tells the tree of the first terrain that is asked for. */
static ptl_status explain_terrain(listing *l, ptl_error *err)
{
    telling *t = (telling *)(void *)l; /* the listing is its first member */
    odds_request request;
    odds_figure f;
    bool stopped = false;
    const world_mapgen *m = l->maker.mapgen;
    const seen_oter *seen = world_seen_oter(m, l->maker.world->cat, l->oter);
    if (t->any)
        return PTL_OK;
    t->any = true;
    TRY(world_local_alone(&request, &l->maker, (ptl_omt){0, 0, l->options->z}, err));
    if (!odds_tree(&f, l->odds, &request, l->options->kind, l->wanted, on_node, t, &stopped))
        return stopped ? error_set(err, PTL_ERR_CANCELLED, "stopped") : error_nomem(err);
    TRY(world_mapgen_fault(m, err));
    l->row.depends = f.depends | (seen->riots ? PTL_LOOT_RIOTS : 0);
    const uint32_t doubts = doubts_of(l, &f);
    l->row.terrain = id_pool_text(m->pool, seen->key);
    l->row.kind = l->options->kind;
    l->row.id = id_pool_text(m->pool, l->wanted);
    l->row.number = f.mean;
    l->row.chance = f.some;
    l->row.exact = doubts == 0;
    l->row.why = doubt_text(doubts);
    return t->on ? PTL_OK : error_set(err, PTL_ERR_CANCELLED, "the caller ended the list");
}

ptl_status ptl_loot_tree_list(ptl_loot_row *row, ptl_world *world,
                              const ptl_loot_options *options,
                              bool (*on_step)(void *payload, const ptl_loot_step *step),
                              void *payload, ptl_error *err)
{
    ptl_loot_options o = PTL_LOOT_OPTIONS_INIT;
    telling t = {.on_step = on_step, .payload = payload, .on = true};
    error_clear(err);
    ptl_status status = SIZED_TAKE(ptl_loot_options, &o, options, err);
    THEN(status, SIZED_CHECK(ptl_loot_row, row, err));
    if (status == PTL_OK && (!o.terrain || !o.id))
        status = error_set(err, PTL_ERR_ARGUMENT, "a terrain and a thing are needed");
    THEN(status, listing_begin(&t.list, world, &o, err));
    THEN(status, each_terrain(&t.list, explain_terrain, err));
    if (status == PTL_OK)
        SIZED_FILL(ptl_loot_row, row, &t.list.row);
    listing_end(&t.list);
    return status;
}
