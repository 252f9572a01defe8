#include "render/legend.h"

#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ptl_map_look class_look(uint8_t class, ptl_map_style kind)
{
    ptl_map_look l = PTL_MAP_LOOK_INIT;
    (void)ptl_map_look_describe(&l, (ptl_map_class) class, kind);
    return l;
}

/* Gives the draft of a terrain on paper the name of its class. With symbols, buildings and
 * other places keep their own names, because their symbols tell them apart. */
static void name_by_class(legend_draft *d, look *samples, uint8_t class, bool symbols)
{
    if (symbols && class_has_symbols(class))
        return;
    d->entry.name = class_look(class, PTL_STYLE_PAPER).name;
    d->symbol = ' ';
    const uint8_t area = (uint8_t)(PALETTE_CLASS + 3 * class);
    samples[class] = (look){.colours = {area, area, area}, .symbol = ' '};
    d->sample = &samples[class];
}

/* For each terrain in the picture, makes an entry of a legend that is still to be merged
 * with others (a draft). Returns the number of drafts. */
static size_t collect(legend *l, legend_draft *drafts, const catalogue *cat, const look *looks,
                      const uint8_t *groups, const uint64_t *tiles, bool symbols)
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
            if (looks[i].colours.area >= PALETTE_CLASS)
                name_by_class(d, l->samples, cat->terrains[terrain].map_class, symbols);
        }
        d->entry.tiles += tiles[i];
        if (tiles[i] > d->most) {
            d->most = tiles[i];
            d->entry.most = (uint32_t)i;
            d->entry.look = d->sample ? d->sample : &looks[i];
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
        status = legend_of_drafts(out, drafts,
                                  collect(out, drafts, cat, looks, groups, tiles, symbols),
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

uint8_t *terrain_groups_new(const catalogue *cat)
{
    const size_t count = catalogue_all_terrains(cat);
    uint8_t *groups = calloc(count + 1, 1);
    for (size_t i = 0; groups && i < count; i++)
        groups[i] = (uint8_t)class_look(cat->terrains[i].map_class, PTL_STYLE_PAPER).group;
    return groups;
}
