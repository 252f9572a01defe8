#include "render/legend.h"

#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For each terrain in the picture, makes an entry of a legend that is still to be merged
 * with others (a draft). Returns the number of drafts. */
static size_t collect(legend_draft *drafts, const catalogue *cat, const look *looks,
                      const uint8_t *groups, const uint64_t *tiles)
{
    size_t count = 0;
    for (size_t i = 0; i < catalogue_all_oters(cat); i++) {
        const uint16_t terrain = cat->oters[i].terrain;
        if (tiles[i] == 0 || terrain >= catalogue_all_terrains(cat))
            continue;
        legend_draft *d =
            /* A draft is an entry that may still be merged with others. The oters of a terrain
             * have consecutive numbers. So if the terrain has a draft already, it is the last
             * one. */
            count > 0 ? &drafts[count - 1] : NULL;
        if (!d || cat->oters[d->entry.most].terrain != terrain) {
            d = &drafts[count++];
            *d = (legend_draft){
                .entry = {.name = cat->terrains[terrain].name && cat->terrains[terrain].name[0]
                                      ? cat->terrains[terrain].name
                                      : cat->terrains[terrain].id,
                          .group = groups[terrain]},
                .symbol = cat->terrains[terrain].symbol};
        }
        d->entry.tiles += tiles[i];
        if (tiles[i] > d->most) {
            d->most = tiles[i];
            d->entry.most = (uint32_t)i;
            d->entry.look = &looks[i];
        }
    }
    return count;
}

static int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Compares two drafts (entries that are not merged yet) for sorting, so that those with the
 * same look become neighbours. Returns 0 if the looks are the same. */
static int by_look(const legend_draft *a, const legend_draft *b)
{
    const style *p = &a->entry.look->colours, *q = &b->entry.look->colours;
    int order = a->entry.group - b->entry.group;
    order = order ? order : strcmp(a->entry.name, b->entry.name);
    order = order ? order : p->area - q->area;
    if (order || !a->symbols)
        return order;
    order = p->ink != q->ink ? p->ink - q->ink : p->paper - q->paper;
    return order ? order : compare_u64(a->symbol, b->symbol);
}

static int compare_drafts(const void *left, const void *right)
{
    const legend_draft *a = left, *b = right;
    const int order = by_look(a, b);
    return order ? order : compare_u64(a->entry.most, b->entry.most);
}

static int compare_entries(const void *a, const void *b)
{
    const legend_entry *l = a, *r = b;
    int order = l->group - r->group;
    order = order ? order : compare_u64(r->tiles, l->tiles);
    order = order ? order : strcmp(l->name, r->name);
    return order ? order : compare_u64(l->most, r->most);
}

ptl_status legend_of_drafts(legend *out, legend_draft *drafts, size_t count, bool symbols,
                            ptl_error *err)
{
    out->entries = calloc(count + 1, sizeof *out->entries);
    if (!out->entries)
        return error_nomem(err);
    for (size_t i = 0; i < count; i++)
        drafts[i].symbols = symbols;
    qsort(drafts, count, sizeof *drafts, compare_drafts);
    /* Join drafts with the same look to one entry, which shows the most frequent one of their
     * oters. */
    legend_entry *entries = out->entries;
    size_t used = 0;
    uint64_t most = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || by_look(&drafts[i - 1], &drafts[i]) != 0) {
            entries[used++] = drafts[i].entry;
            most = drafts[i].most;
            continue;
        }
        legend_entry *e = &entries[used - 1];
        e->tiles += drafts[i].entry.tiles;
        if (drafts[i].most > most) {
            most = drafts[i].most;
            e->most = drafts[i].entry.most;
            e->look = drafts[i].entry.look;
        }
    }
    out->entry_count = used;
    qsort(out->entries, out->entry_count, sizeof *out->entries, compare_entries);
    size_t at = 0;
    for (int g = 0; g < GROUP_COUNT; g++) {
        out->first[g] = at;
        while (at < out->entry_count && out->entries[at].group == g)
            at++;
    }
    out->first[GROUP_COUNT] = at;
    return PTL_OK;
}

ptl_status legend_init(legend *out, const catalogue *cat, const look *looks,
                       const uint64_t *tiles, bool symbols, ptl_error *err)
{
    *out =
        (legend){.headings = terrain_group_names(), .unsaved = tiles[catalogue_all_oters(cat)]};
    uint8_t *groups = terrain_groups_new(cat);
    legend_draft *drafts = calloc(catalogue_all_terrains(cat) + 1, sizeof *drafts);
    ptl_status status = PTL_OK;
    if (groups && drafts)
        status = legend_of_drafts(out, drafts, collect(drafts, cat, looks, groups, tiles),
                                  symbols, err);
    else
        status = error_nomem(err);
    free(groups);
    free(drafts);
    return status;
}

void legend_dispose(legend *l)
{
    free(l->entries);
    *l = (legend){.entries = NULL};
}

static size_t group_size(const legend *l, int group)
{
    return l->first[group + 1] - l->first[group];
}

static size_t lines_of(const legend *l, const size_t shown[GROUP_COUNT])
{
    size_t lines = l->unsaved > 0;
    for (int g = 0; g < GROUP_COUNT; g++)
        if (shown[g] > 0)
            lines += 1 + shown[g] + (shown[g] < group_size(l, g));
    return lines;
}

size_t legend_choose(const legend *l, size_t lines, size_t shown[GROUP_COUNT])
{
    memset(shown, 0, GROUP_COUNT * sizeof *shown);
    /* In each round every group gets one more line if there is room. The rounds end when no
     * group has got a line. */
    for (bool more = true; more;) {
        more = false;
        for (int g = 0; g < GROUP_COUNT; g++) {
            if (shown[g] == group_size(l, g))
                continue;
            shown[g]++;
            if (lines_of(l, shown) <= lines)
                more = true;
            else
                shown[g]--;
        }
    }
    return lines_of(l, shown);
}

uint64_t legend_rest(const legend *l, int group, size_t shown)
{
    uint64_t tiles = 0;
    for (size_t i = l->first[group] + shown; i < l->first[group + 1]; i++)
        tiles += l->entries[i].tiles;
    return tiles;
}

/*
 * Groups of terrains. Content does not say which group a terrain belongs to, so it is derived
 * from how the terrain is used. Later rules replace earlier ones: a terrain that is used both
 * by a building and by the generator itself (such as the meadow around a special) gets the
 * group that the generator's use has.
 */

const char *const *terrain_group_names(void)
{
    static const char *const names[GROUP_COUNT] = {"Land", "Water", "Ways", "Cities",
                                                   "Specials"};
    return names;
}

static void mark(uint8_t *groups, const catalogue *cat, ptl_oter oter, terrain_group group)
{
    if (oter < catalogue_all_oters(cat))
        groups[cat->oters[oter].terrain] = (uint8_t)group;
}

static void mark_type(uint8_t *groups, const catalogue *cat, const char *id,
                      terrain_group group)
{
    uint16_t terrain = catalogue_terrain(cat, id);
    if (terrain != CAT_NONE)
        groups[terrain] = (uint8_t)group;
}

static void mark_special(uint8_t *groups, const catalogue *cat, const cat_special *s)
{
    const terrain_group group = s->building ? GROUP_CITY : GROUP_SPECIAL;
    for (size_t i = 0; i < s->omt_count; i++)
        mark(groups, cat, s->omts[i].oters[0], group);
    for (size_t i = 0; s->layout && i < s->layout->piece_count; i++)
        mark(groups, cat, s->layout->pieces[i].oters[0], group);
}

static bool is_water(uint32_t flags)
{
    const uint32_t water = CAT_FLAGS_WATER;
    return (flags & water) && !(flags & CAT_FLAG_BRIDGE);
}

/* Puts the terrains of a connection into the group GROUP_WAYS. If its first subtype has a
 * terrain of water, the connection connects waters, and is left out; other connections cross
 * water on bridges. */
static void mark_connection(uint8_t *groups, const catalogue *cat, const cat_connection *c)
{
    const uint16_t first = c->subtype_count > 0 ? c->subtypes[0].terrain : (uint16_t)CAT_NONE;
    if (first < catalogue_all_terrains(cat) && is_water(cat->terrains[first].flags))
        return;
    for (size_t i = 0; i < catalogue_all_terrains(cat); i++)
        if (cat_terrain_in(c->terrains, (uint16_t)i))
            groups[i] = GROUP_WAYS;
}

static void mark_flags(uint8_t *group, uint32_t flags)
{
    if (flags & (CAT_FLAG_BRIDGE | CAT_FLAG_ROAD))
        *group = GROUP_WAYS;
    else if (is_water(flags))
        *group = GROUP_WATER;
    else if (flags & (CAT_FLAG_RAVINE | CAT_FLAG_RAVINE_EDGE))
        *group = GROUP_LAND;
}

uint8_t *terrain_groups_new(const catalogue *cat)
{
    uint8_t *groups = calloc(catalogue_all_terrains(cat) + 1, 1);
    if (!groups)
        return NULL;
    /* A terrain that both a special and a city's building use belongs to the city, because
     * buildings are marked in the second pass. */
    for (int building = 0; building < 2; building++)
        for (size_t i = 0; i < cat->special_count; i++)
            if (cat->specials[i].building == (building == 1))
                mark_special(groups, cat, &cat->specials[i]);
    for (size_t i = 0; i < catalogue_all_terrains(cat); i++)
        mark_flags(&groups[i], cat->terrains[i].flags);
    for (size_t i = 0; i < cat->connection_count; i++)
        mark_connection(groups, cat, &cat->connections[i]);
    /* Terrains of bridges that no connection lists. Generation puts them on the map when it
     * makes a road or railroad cross water. */
    static const char *const kinds[] = {"", "railroad_"};
    static const char *const parts[] = {"bridge_road", "bridgehead_ground", "bridgehead_ramp"};
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
            char id[40];
            snprintf(id, sizeof id, "%s%s", kinds[i], parts[k]);
            mark_type(groups, cat, id, GROUP_WAYS);
        }
    }
    /*
     * Terrains with which generation covers land. They stay in the group of land, even if
     * specials use them.
     */
    static const char *const ids[] = {"open_air", "empty_rock", "forest", "forest_thick",
                                      "forest_water"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        mark_type(groups, cat, ids[i], GROUP_LAND);
    for (size_t i = 0; i < cat->region_count; i++)
        mark(groups, cat, cat->regions[i].default_ter, GROUP_LAND);
    return groups;
}
