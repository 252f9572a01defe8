#include "mapgen/compile/check.h"

#include "core/array.h"
#include "mapgen/compile/layers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- characters ---- */

static void tell(const mapgen_context *context, int code, const mapgen_entry *entry,
                 const char *symbol, const char *lack)
{
    char text[160];
    snprintf(text, sizeof text, "'%.16s' in the rows %s", symbol, lack);
    const mapgen_remark r = {MAPGEN_WARNING, code, entry->place, text, NULL};
    context->tell(context->payload, &r);
}

/* What is known of a character: whether it has terrain, and whether it means anything at
 * all. */
typedef struct known {
    bool terrain, any;
} known;

/* An entry that does not fill all tiles in another way needs terrain for each character. */
void mapgen_check_entry(const mapgen_context *context, mapgen_library *library,
                        const mapgen_entry *entry)
{
    mapgen_layers layers = {.count = 0};
    if (!entry->cells)
        return;
    mapgen_layers_possible(&layers, library, &entry->unit);
    const bool ground = entry->role != MAPGEN_OM_TERRAIN || entry->fill != 0 ||
                        entry->predecessor || entry->fallback_predecessor;
    for (uint32_t i = 0; i < entry->symbol_count && !layers.cut; i++) {
        const char *text = id_pool_text(context->pool, entry->symbols[i]);
        known k = {false, false};
        for (uint32_t n = layers.count; n-- > 0 && !k.terrain;) {
            const mapgen_meaning *m = mapgen_meaning_of(layers.units[n], entry->symbols[i]);
            k.terrain = k.terrain || (m && m->terrain);
            k.any = k.any || m;
        }
        const bool blank = strcmp(text, " ") == 0 || strcmp(text, ".") == 0;
        if (!k.terrain && !ground)
            tell(context, 105, entry, text, "has no terrain, and there is no 'fill_ter'");
        else if (!k.any && !blank)
            tell(context, 106, entry, text, "means nothing");
    }
}

/* ---- cycles ---- */

typedef struct graph_link {
    uint32_t from, to;
} graph_link;

struct mapgen_graph {
    graph_link *links; /* owned; sorted by `from` for the search */
    size_t count, room;
    bool failed;
    uint32_t from; /* the id that add_link adds links from */
};

mapgen_graph *mapgen_graph_new(void)
{
    return calloc(1, sizeof(mapgen_graph));
}

void mapgen_graph_free(mapgen_graph *graph)
{
    if (!graph)
        return;
    free(graph->links);
    free(graph);
}

static void add_link(void *payload, uint32_t to)
{
    mapgen_graph *graph = payload;
    if (!ARRAY_ROOM(graph->links, graph->room, graph->count + 1)) {
        graph->failed = true;
        return;
    }
    graph->links[graph->count++] = (graph_link){graph->from, to};
}

void mapgen_graph_add(mapgen_graph *graph, uint32_t from, uint32_t to)
{
    graph->from = from;
    add_link(graph, to);
}

void mapgen_graph_add_palette(mapgen_graph *graph, const mapgen_palette *palette)
{
    const mapgen_layers layers = {.units = {&palette->unit}, .count = 1};
    graph->from = palette->id;
    for (uint32_t i = 0; i < palette->unit.palette_count; i++)
        (void)mapgen_value_visit(&layers, &palette->unit, palette->unit.palettes[i], add_link,
                                 graph);
}

void mapgen_graph_add_entry(mapgen_graph *graph, mapgen_library *library,
                            const mapgen_entry *entry)
{
    mapgen_layers layers = {.count = 0};
    if (entry->role != MAPGEN_CHUNK || entry->key_count == 0)
        return;
    mapgen_layers_possible(&layers, library, &entry->unit);
    for (uint32_t key = 0; key < entry->key_count; key++) {
        graph->from = entry->keys[key].id;
        /* Only the meanings of the entry's own characters are followed: a palette's other
         * characters are not used here. */
        for (uint32_t i = 0; i < entry->symbol_count; i++) {
            for (uint32_t k = 0; k < layers.count; k++) {
                const mapgen_unit *unit = layers.units[k];
                const mapgen_meaning *m = mapgen_meaning_of(unit, entry->symbols[i]);
                for (uint32_t p = m ? m->pieces : 0; p; p = unit->pieces[p].next)
                    (void)mapgen_chunks_visit(&layers, unit, &unit->pieces[p], add_link, graph);
            }
        }
        for (uint32_t i = 0; i < entry->placed.count; i++)
            (void)mapgen_chunks_visit(&layers, &entry->unit,
                                      &entry->unit.pieces[entry->placed.items[i]], add_link,
                                      graph);
    }
}

static int compare_links(const void *left, const void *right)
{
    const graph_link *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

/* Returns the index of the first link from an id; the links are sorted. */
static size_t first_link(const mapgen_graph *graph, uint32_t id)
{
    size_t low = 0, high = graph->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (graph->links[middle].from < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum { NOT_SEEN, ON_THE_WAY, DONE };

/* State of a depth-first search. It does not recurse, as content may make chains of any
 * length. */
typedef struct search {
    const mapgen_graph *graph;
    uint8_t *state; /* owned; by id */
    size_t *way;    /* owned; for each id on the way, the index of its next link */
    size_t depth;
    void (*found)(void *payload, uint32_t id);
    void *payload;
} search;

static void search_from(search *s, uint32_t id)
{
    s->way[s->depth++] = first_link(s->graph, id);
    s->state[id] = ON_THE_WAY;
    uint32_t at = id;
    while (s->depth > 0) {
        const size_t next = s->way[s->depth - 1];
        const graph_link *l = next < s->graph->count ? &s->graph->links[next] : NULL;
        if (!l || l->from != at) {
            s->state[at] = DONE;
            s->depth--;
            /* Goes back to the id that the last link came from. */
            if (s->depth > 0)
                at = s->graph->links[s->way[s->depth - 1] - 1].from;
            continue;
        }
        s->way[s->depth - 1]++;
        if (s->state[l->to] == ON_THE_WAY) {
            s->found(s->payload, l->to);
        } else if (s->state[l->to] == NOT_SEEN) {
            s->state[l->to] = ON_THE_WAY;
            at = l->to;
            s->way[s->depth++] = first_link(s->graph, at);
        }
    }
}

bool mapgen_graph_cycles(mapgen_graph *graph, void (*found)(void *payload, uint32_t id),
                         void *payload)
{
    uint32_t most = 0;
    for (size_t i = 0; i < graph->count; i++) {
        most = graph->links[i].from > most ? graph->links[i].from : most;
        most = graph->links[i].to > most ? graph->links[i].to : most;
    }
    search s = {.graph = graph, .found = found, .payload = payload};
    s.state = calloc((size_t)most + 1, sizeof *s.state);
    s.way = calloc(graph->count + 2, sizeof *s.way);
    const bool good = s.state && s.way && !graph->failed;
    if (good && graph->count > 1)
        qsort(graph->links, graph->count, sizeof *graph->links, compare_links);
    for (size_t i = 0; i < graph->count && good; i++)
        if (s.state[graph->links[i].from] == NOT_SEEN)
            search_from(&s, graph->links[i].from);
    free(s.state);
    free(s.way);
    return good;
}
