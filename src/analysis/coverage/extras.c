/*
 * Map extras: computes how many can be expected in each region. That follows from the terrains
 * that were seen, the chances of the region's groups of map extras, and the weights in a group.
 * No map is made. The levels on which a map extra may be are ignored.
 */
#include "analysis/coverage/coverage_impl.h"
#include "store/content_store.h"

#include <math.h>

typedef struct extra_sums {
    double expected;
    bool listed, weighed; /* `listed`: at least one group of a region lists the map extra.
                             `weighed`: in at least one of these groups its weight is above 0,
                             and so is the chance of the group. */
    /* True: in some region, a group that lists the map extra is used by a terrain that may
     * come. */
    bool met;
    size_t regions;
    const char *region;
    uint64_t overmaps;
} extra_sums;

/* A group of map extras of a region. Its chance is one in `chance`. `weights` is the sum of the
 * weights of its map extras. */
typedef struct extra_group {
    const char *region, *name;
    int64_t chance, weights;
    struct extra_group *next;
} extra_group;

typedef struct extra_kind {
    const char *id;
    coverage_place place;
    extra_sums sums;
    struct extra_kind *next;
} extra_kind;

typedef struct extras {
    ptl_coverage *c;
    extra_group *groups;
    extra_kind *kinds;
} extras;

static ptl_status on_kind(void *payload, const content_value *row, ptl_error *err)
{
    extras *x = payload;
    extra_kind *k = arena_calloc(x->c->memory, 1, sizeof *k);
    if (!k || !(k->id = arena_strdup(x->c->memory, value_text(row, 3))))
        return error_nomem(err);
    TRY(coverage_place_read(&k->place, x->c, row, err));
    k->next = x->kinds;
    x->kinds = k;
    return PTL_OK;
}

static ptl_status on_group(void *payload, const content_value *row, ptl_error *err)
{
    extras *x = payload;
    extra_group *g = arena_calloc(x->c->memory, 1, sizeof *g);
    if (!g || !(g->region = arena_strdup(x->c->memory, value_text(row, 0))) ||
        !(g->name = arena_strdup(x->c->memory, value_text(row, 1))))
        return error_nomem(err);
    g->chance = value_int(row, 2);
    g->next = x->groups;
    x->groups = g;
    return PTL_OK;
}

static extra_group *find_group(const extras *x, const content_value *row)
{
    extra_group *g = x->groups;
    while (g && (strcmp(g->region, value_text(row, 0)) != 0 ||
                 strcmp(g->name, value_text(row, 1)) != 0))
        g = g->next;
    return g;
}

static ptl_status on_weight(void *payload, const content_value *row, ptl_error *err)
{
    extra_group *g = find_group(payload, row);
    const int64_t weight = value_int(row, 3);
    (void)err;
    if (g && weight > 0)
        g->weights += weight;
    return PTL_OK;
}

/* Adds how many of a map extra can be expected in the overmaps that were seen, because a group
 * of a region lists the map extra with this weight. */
static void add_item(extra_sums *s, const extras *x, const extra_group *g, int64_t weight)
{
    s->listed = true;
    if (weight <= 0 || g->chance <= 0)
        return;
    s->weighed = true;
    for (size_t i = 0; i < x->c->region_count; i++) {
        const covered_region *region = &x->c->regions[i];
        bool met = false;
        if (!region->config || strcmp(region->config->region->id, g->region) != 0)
            continue;
        for (size_t t = 0; t < x->c->cat->terrain_count; t++) {
            const char *group = x->c->cat->terrains[t].extras;
            if (!group || strcmp(group, g->name) != 0 ||
                !reach_has(region->reach.any, (uint16_t)t))
                continue;
            met = true;
            s->expected += (double)region->plain.terrains[t].cells * (double)weight /
                           ((double)g->chance * (double)g->weights);
        }
        if (!met)
            continue;
        s->met = true;
        s->overmaps += region->plain.overmaps;
        s->region = s->regions++ == 0 ? region->config->region->id : "";
    }
}

static ptl_status on_item(void *payload, const content_value *row, ptl_error *err)
{
    extras *x = payload;
    const extra_group *g = find_group(x, row);
    (void)err;
    for (extra_kind *k = x->kinds; g && k; k = k->next)
        if (strcmp(k->id, value_text(row, 2)) == 0)
            add_item(&k->sums, x, g, value_int(row, 3));
    return PTL_OK;
}

static void judge_extra(ptl_coverage_entry *e, const ptl_coverage *c, const extra_sums *s)
{
    e->reason = !s->listed    ? PTL_COVERAGE_UNNAMED
                : !s->weighed ? PTL_COVERAGE_ZERO
                : !s->met     ? PTL_COVERAGE_GROUND
                              : PTL_COVERAGE_NO_REASON;
    e->verdict = e->reason          ? PTL_COVERAGE_NEVER
                 : s->expected >= 1 ? PTL_COVERAGE_COMES
                                    : PTL_COVERAGE_RARE;
    e->overmaps = s->overmaps;
    for (size_t i = 0; e->reason && i < c->region_count; i++)
        e->overmaps += c->regions[i].plain.overmaps;
    e->region = s->region ? s->region : "";
    e->high = 1;
    if (e->reason)
        return;
    e->expected = s->expected;
    e->unseen = exp(-s->expected);
    e->count = (uint64_t)llround(s->expected);
}

ptl_status judge_extras(ptl_coverage *c, ptl_store *store, ptl_error *err)
{
    static const content_query kinds = {CONTENT_MAP_EXTRAS, "pack, file, line, id", "id"},
                               groups = {CONTENT_REGION_EXTRA_GROUPS, "region, name, chance",
                                         "region, name"},
                               items = {CONTENT_REGION_EXTRAS,
                                        "region, name, map_extra, weight",
                                        "region, name, map_extra"};
    const content_operations *content = ops(store)->content;
    extras x = {.c = c};
    TRY(content->row_visit(store, 0, &kinds, on_kind, &x, err));
    TRY(content->row_visit(store, 0, &groups, on_group, &x, err));
    TRY(content->row_visit(store, 0, &items, on_weight, &x, err));
    TRY(content->row_visit(store, 0, &items, on_item, &x, err));
    for (const extra_kind *k = x.kinds; k; k = k->next) {
        ptl_coverage_entry *e = coverage_add(c, PTL_COVERAGE_EXTRA, k->id, &k->place);
        if (!e)
            return error_nomem(err);
        judge_extra(e, c, &k->sums);
    }
    return PTL_OK;
}
