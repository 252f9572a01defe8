/*
 * Coverage (portolan/coverage.h): the order of the work. First, reach.c finds for each region
 * what may come there. Then overmaps of each region are made and counted, and more of them as
 * long as something was not seen. Then forced overmaps ask for what was still not seen. At the
 * end each definition gets its verdict.
 */
#include "analysis/coverage/coverage_impl.h"
#include "core/array.h"
#include "core/sized.h"
#include "os/clock.h"
#include "store/content_store.h"
#include "world/world.h"

#include <stdlib.h>

/* ---- what the other parts ask for ---- */

bool coverage_saw_terrain(const ptl_coverage *c, size_t terrain)
{
    for (size_t i = 0; i < c->region_count; i++)
        if (c->regions[i].config && c->regions[i].plain.terrains[terrain].with > 0)
            return true;
    return false;
}

bool coverage_saw_special(const ptl_coverage *c, size_t special)
{
    for (size_t i = 0; i < c->region_count; i++)
        if (c->regions[i].config && c->regions[i].plain.specials[special].with > 0)
            return true;
    return false;
}

void coverage_terrain_visit(const reach *r, size_t special,
                            void (*visit)(void *payload, uint16_t terrain), void *payload)
{
    const catalogue *cat = r->config->cat;
    const cat_special *s = &cat->specials[special];
    for (size_t i = 0; i < s->omt_count; i++)
        for (int turned = 0; turned < 4; turned++)
            visit(payload, cat->oters[s->omts[i].oters[turned]].terrain);
    for (size_t i = 0; s->layout && i < s->layout->piece_count; i++)
        for (int turned = 0; r->pieces[special][i] && turned < 4; turned++)
            visit(payload, cat->oters[s->layout->pieces[i].oters[turned]].terrain);
}

ptl_coverage_entry *coverage_add(ptl_coverage *c, ptl_coverage_kind kind, const char *id,
                                 const coverage_place *place)
{
    if (!ARRAY_ROOM(c->entries, c->entry_room, c->entry_count + 1))
        return NULL;
    ptl_coverage_entry *e = &c->entries[c->entry_count++];
    *e = (ptl_coverage_entry){.size = sizeof *e,
                              .kind = kind,
                              .id = id,
                              .by = "",
                              .region = "",
                              .pack = place->pack,
                              .file = place->file,
                              .line = place->line,
                              .allowed = strmap_get(&c->allowed, id) != STRMAP_NONE,
                              .expected = -1,
                              .unseen = -1};
    return e;
}

/* ---- settings of regions: lists with weights of 0, and ids that they name ---- */

/* Notes a special or terrain that a region lists with the weight 0: the catalogue leaves it
 * out. */
static ptl_status note_weight(void *payload, const content_value *row, ptl_error *err)
{
    ptl_coverage *c = payload;
    const char *id = value_text(row, 1);
    const bool special = strcmp(value_text(row, 0), "special") == 0;
    const uint16_t at = special ? catalogue_special(c->cat, id) : catalogue_terrain(c->cat, id);
    (void)err;
    if (at != CAT_NONE && value_int(row, 2) == 0)
        (special ? c->weightless_special : c->weightless_terrain)[at] = true;
    return PTL_OK;
}

static ptl_status note_settings(void *payload, const content_value *row, ptl_error *err)
{
    ptl_coverage *c = payload;
    if (!ARRAY_ROOM(c->settings_texts, c->settings_room, c->settings_count + 1))
        return error_nomem(err);
    const char *text = arena_strdup(c->memory, value_text(row, 0));
    c->settings_texts[c->settings_count++] = text;
    return text ? PTL_OK : error_nomem(err);
}

static ptl_status note_weights(ptl_coverage *c, ptl_store *store, ptl_error *err)
{
    const content_query query = {CONTENT_REGION_BUILDINGS, "kind, id, weight",
                                 "region, bin, id"};
    static const content_query blocks = {CONTENT_REGION_BLOCKS, "json", "region, block"};
    TRY(ops(store)->content->row_visit(store, 0, &blocks, note_settings, c, err));
    return ops(store)->content->row_visit(store, 0, &query, note_weight, c, err);
}

/* Finds out whether the content has a map extra that matters to the caller. */
static ptl_status note_extra(void *payload, const content_value *row, ptl_error *err)
{
    ptl_coverage *c = payload;
    (void)err;
    c->extras_matter =
        c->extras_matter || coverage_wants(c, PTL_COVERAGE_EXTRA, value_text(row, 0),
                                           coverage_pack_name(c, value_int(row, 1)));
    return PTL_OK;
}

static ptl_status note_extras(ptl_coverage *c, ptl_store *store, ptl_error *err)
{
    static const content_query query = {CONTENT_MAP_EXTRAS, "id, pack", "id"};
    return ops(store)->content->row_visit(store, 0, &query, note_extra, c, err);
}

/* ---- regions ---- */

/* May something that matters to the caller come in the region? */
static bool region_matters(const ptl_coverage *c, const covered_region *region)
{
    const reach *r = &region->reach;
    bool found = false;
    for (size_t i = 0; i < c->cat->special_count && !found; i++)
        found = r->ways[i] && c->special_matters[i];
    for (size_t i = 0; i < c->cat->terrain_count && !found; i++)
        found = reach_has(r->any, (uint16_t)i) && c->terrain_matters[i];
    return found || c->extras_matter;
}

/* Prepares a region. If no world of it can be made, its config stays NULL, and `why` gets the
 * message. */
static ptl_status begin_region(ptl_coverage *c, size_t number, stop_hook stop, ptl_error *why,
                               ptl_error *err)
{
    covered_region *region = &c->regions[number];
    ptl_world_options options = c->settings;
    options.region = c->cat->regions[number].id;
    const ptl_status made = gen_config_new(&region->config, c->cat, &options, why);
    if (made != PTL_OK)
        return made == PTL_ERR_CONTENT ? PTL_OK : error_set(err, made, "%s", why->message);
    region->config->stop = stop;
    TRY(reach_find(&region->reach, region->config, c->memory, err));
    TRY(survey_plan_init(&region->plan, region->config, c->options.seed, c->memory, err));
    if (!survey_init(&region->plain, c->cat) || !survey_init(&region->forced, c->cat))
        return error_nomem(err);
    region->asked = region_matters(c, region);
    c->run.total += region->asked ? c->options.overmaps : 0;
    return PTL_OK;
}

static ptl_status begin_regions(ptl_coverage *c, ptl_store *store, ptl_error *err)
{
    const stop_hook stop = ops(store)->transaction->stop_hook(store);
    ptl_error why = {0};
    bool any = false;
    c->region_count = c->cat->region_count;
    c->regions = calloc(c->region_count + 1, sizeof *c->regions);
    if (!c->regions)
        return error_nomem(err);
    for (size_t i = 0; i < c->region_count; i++) {
        TRY(begin_region(c, i, stop, &why, err));
        any = any || c->regions[i].config;
    }
    return any ? PTL_OK
               : error_set(err, PTL_ERR_CONTENT, "no world can be made of the content: %s",
                           why.message[0] ? why.message : "it has no region_settings");
}

/* Returns whether `more` further overmaps of the region are likely to show the terrain. They
 * are, unless all specials that have the terrain are too rare. */
static bool terrain_is_hopeful(const ptl_coverage *c, const covered_region *region,
                               uint16_t terrain, uint64_t more)
{
    bool any = false;
    for (size_t i = 0; i < c->cat->special_count; i++) {
        if (!region->reach.ways[i] || !reach_special_has(&region->reach, i, terrain))
            continue;
        any = true;
        if (judge_is_hopeful(region, (uint16_t)i, more))
            return true;
    }
    return !any;
}

/* Is it worth while to make `more` further overmaps of the region? It is if they are likely to
 * show something that matters to the caller, may come in the region, and was not seen so far.
 * */
static bool is_hopeful(const ptl_coverage *c, const covered_region *region, uint64_t more)
{
    const reach *r = &region->reach;
    bool found = false;
    for (size_t i = 0; i < c->cat->special_count && !found; i++)
        found = r->ways[i] && c->special_matters[i] && !coverage_saw_special(c, i) &&
                judge_is_hopeful(region, (uint16_t)i, more);
    for (size_t i = 0; i < c->cat->terrain_count && !found; i++)
        found = reach_has(r->any, (uint16_t)i) && !coverage_saw_terrain(c, i) &&
                c->terrain_matters[i] && terrain_is_hopeful(c, region, (uint16_t)i, more);
    return found;
}

static survey_place place_at(const void *payload, uint64_t number)
{
    return survey_place_of(payload, number);
}

/* Makes and counts overmaps of the regions: at first the same number for each region, and then,
 * in regions where something was not seen, twice as many in each round. */
static ptl_status survey_regions(ptl_coverage *c, ptl_error *err)
{
    for (uint64_t from = 0, to = c->options.overmaps; from < c->options.until || from == 0;
         from = to, to = 2 * to < c->options.until ? 2 * to : c->options.until)
        for (size_t i = 0; i < c->region_count; i++) {
            covered_region *region = &c->regions[i];
            const uint64_t made = region->plain.overmaps, more = to - made;
            if (!region->asked || (from > 0 && !is_hopeful(c, region, more)))
                continue;
            c->run.total += from > 0 ? more : 0;
            TRY(survey_add(&region->plain, &c->run, region->config, made, more, place_at,
                           &region->plan, err));
        }
    return PTL_OK;
}

/* ---- the public calls ---- */

static ptl_status check(const ptl_coverage_options *o, ptl_error *err)
{
    if (o->overmaps < 1 || o->overmaps > PTL_COVERAGE_OVERMAPS_MAX ||
        o->until > PTL_COVERAGE_OVERMAPS_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "overmaps and until must be 1 to %d",
                         PTL_COVERAGE_OVERMAPS_MAX);
    if (o->jobs < 0 || o->jobs > PTL_COVERAGE_JOBS_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "jobs must be 1 to %d", PTL_COVERAGE_JOBS_MAX);
    return PTL_OK;
}

/* If a special would place what a definition defines, and that special need not come, then the
 * definition need not come either. */
static void allow_placed(ptl_coverage *c)
{
    for (size_t i = 0; i < c->entry_count; i++) {
        ptl_coverage_entry *e = &c->entries[i];
        if (e->verdict != PTL_COVERAGE_COMES)
            e->allowed = e->allowed || strmap_get(&c->allowed, e->by) != STRMAP_NONE;
    }
}

static int compare_entries(const void *left, const void *right)
{
    const ptl_coverage_entry *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    const int by_id = strcmp(a->id, b->id);
    return by_id != 0 ? by_id : (a->entry > b->entry) - (a->entry < b->entry);
}

static ptl_status run(ptl_coverage *c, ptl_store *store, ptl_error *err)
{
    TRY(check(&c->options, err));
    TRY(world_options_check(&c->settings, err));
    TRY(ops(store)->content->load(&c->cat, store, err));
    TRY(ops(store)->content->check_loaded(store, err));
    c->memory = arena_new();
    if (!c->memory)
        return error_nomem(err);
    c->run = (survey_run){.cat = c->cat, .options = &c->options, .started = clock_seconds()};
    c->forced = arena_calloc(c->memory, c->cat->special_count + 1, sizeof *c->forced);
    c->weightless_special =
        arena_calloc(c->memory, c->cat->special_count + 1, sizeof *c->weightless_special);
    c->weightless_terrain =
        arena_calloc(c->memory, c->cat->terrain_count + 1, sizeof *c->weightless_terrain);
    if (!c->forced || !c->weightless_special || !c->weightless_terrain)
        return error_nomem(err);
    TRY(coverage_places_read(c, store, err));
    TRY(coverage_allowed_read(c, err));
    TRY(coverage_wishes(c, err));
    TRY(mapgen_entries_read(c, store, err));
    TRY(note_weights(c, store, err));
    TRY(note_extras(c, store, err));
    TRY(begin_regions(c, store, err));
    TRY(survey_regions(c, err));
    TRY(force_unseen(c, err));
    TRY(judge_all(c, err));
    TRY(judge_mapgen(c, err));
    TRY(judge_extras(c, store, err));
    allow_placed(c);
    qsort(c->entries, c->entry_count, sizeof *c->entries, compare_entries);
    return PTL_OK;
}

ptl_status ptl_coverage_run(ptl_coverage **out, ptl_store *store,
                            const ptl_coverage_options *options, ptl_error *err)
{
    static const sized_place within = {"ptl_coverage_run", "options.settings"};
    error_clear(err);
    *out = NULL;
    ptl_coverage *c = calloc(1, sizeof *c);
    if (!c)
        return error_nomem(err);
    strmap_init(&c->files);
    strmap_init(&c->allowed);
    c->options = (ptl_coverage_options)PTL_COVERAGE_OPTIONS_INIT;
    c->settings = (ptl_world_options)PTL_WORLD_OPTIONS_INIT;
    ptl_status status = SIZED_TAKE(ptl_coverage_options, &c->options, options, err);
    THEN(status,
         sized_take(&c->settings, c->options.settings, &sized_ptl_world_options, &within, err));
    THEN(status, run(c, store, err));
    if (status == PTL_OK)
        *out = c;
    else
        ptl_coverage_free(c);
    return status;
}

void ptl_coverage_free(ptl_coverage *c)
{
    if (!c)
        return;
    for (size_t i = 0; c->regions && i < c->region_count; i++) {
        survey_dispose(&c->regions[i].plain);
        survey_dispose(&c->regions[i].forced);
        gen_config_free(c->regions[i].config);
    }
    free(c->regions);
    free(c->entries);
    free(c->packs);
    free(c->file_list);
    free(c->settings_texts);
    mapgen_entries_free(c->mapgen);
    strmap_dispose(&c->files);
    strmap_dispose(&c->allowed);
    catalogue_free(c->cat);
    arena_free(c->memory);
    free(c);
}

uint64_t ptl_coverage_overmap_count(const ptl_coverage *c)
{
    return c->run.done;
}

size_t ptl_coverage_count(const ptl_coverage *c)
{
    return c->entry_count;
}

const ptl_coverage_entry *ptl_coverage_entry_at(const ptl_coverage *c, size_t number)
{
    return number < c->entry_count ? &c->entries[number] : NULL;
}
