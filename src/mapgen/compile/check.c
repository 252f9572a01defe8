#include "mapgen/compile/check.h"

#include "core/array.h"
#include "core/suggest.h"
#include "core/utf8.h"
#include "mapgen/compile/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- characters ---- */

static void tell(const mapgen_context *context, remark_code code, const mapgen_entry *entry,
                 const char *symbol, const char *lack)
{
    char text[160];
    snprintf(text, sizeof text, "'%.*s' in the rows %s", UTF8_CUT(symbol, 16), lack);
    const mapgen_remark r = {remark_code_severity(code), code, entry->place, text, NULL};
    context->tell(context->payload, &r);
}

/* What is known of a character in the rows of a mapgen entry: whether the entry or one of its
 * palettes gives the character a terrain, and whether any of them gives it a meaning at all. */
typedef struct known {
    bool terrain, any;
} known;

/* Checks the characters in the rows of a mapgen entry. Each must stand for a terrain. Only if
 * all tiles of the entry have a terrain without the rows, characters need not: from the member
 * `fill_ter`, from a predecessor's map, or, for a nested chunk, from the map that the chunk is
 * put on. */
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
            tell(context, MG105, entry, text, "has no terrain, and there is no 'fill_ter'");
        else if (!k.any && !blank)
            tell(context, MG106, entry, text, "means nothing");
    }
}

/* ---- cycles ---- */

typedef struct graph_link {
    uint32_t from, to;
} graph_link;

struct mapgen_graph {
    graph_link *links; /* owned; sorted by `from`, so that the links of an id can be searched */
    size_t count, room;
    bool failed;
    uint32_t from; /* the id from which all links lead that are being added now */
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
        /* Looks only at the characters in the entry's own rows. A palette may also give
         * meanings to characters that the entry does not use. */
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
    return ORDER_BY(a->from, b->from, a->to, b->to);
}

/* Returns the index, in graph->links, of the first link that leads from this id; the links are
 * sorted. */
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

/* A search for cycles of links, depth first. It does not recurse, as content may make chains of
 * links of any length. */
typedef struct cycle_search {
    const mapgen_graph *graph;
    uint8_t *state; /* for each id of the graph, whether the search has not seen it, has it on
                       the present path, or is done with it: NOT_SEEN, ON_THE_WAY or DONE */
    /* For each id on the present path through the graph of palettes and chunks, the index in
     * graph->links of the link to follow next. */
    size_t *way;
} cycle_search;

/* Follows all paths through the graph that begin with the link `first`. Calls `found` for each
 * id that a path reaches a second time. */
static void search_from(cycle_search *s, size_t first, mapgen_visit *found, void *payload)
{
    uint32_t at = s->graph->links[first].from;
    size_t depth = 0;
    if (s->state[at] == NOT_SEEN)
        s->way[depth++] = first;
    while (depth > 0) {
        const size_t next = s->way[depth - 1];
        const graph_link *l = next < s->graph->count ? &s->graph->links[next] : NULL;
        const bool more = l && l->from == at;
        s->state[at] = more ? ON_THE_WAY : DONE;
        s->way[depth - 1] += more;
        depth -= !more;
        if (more && s->state[l->to] == ON_THE_WAY)
            found(payload, l->to);
        if (more && s->state[l->to] == NOT_SEEN) {
            at = l->to;
            s->way[depth++] = first_link(s->graph, at);
            /* All links from the present id were followed: goes back to the id from which the
             * path came to it. */
        } else if (!more && depth > 0) {
            at = s->graph->links[s->way[depth - 1] - 1].from;
        }
    }
}

bool mapgen_graph_cycles(mapgen_graph *graph, mapgen_visit *found, void *payload)
{
    uint32_t most = 0;
    for (size_t i = 0; i < graph->count; i++) {
        most = graph->links[i].from > most ? graph->links[i].from : most;
        most = graph->links[i].to > most ? graph->links[i].to : most;
    }
    cycle_search s = {graph, calloc((size_t)most + 1, sizeof *s.state),
                      calloc(graph->count + 2, sizeof *s.way)};
    const bool good = s.state && s.way && !graph->failed;
    if (good && graph->count > 1)
        qsort(graph->links, graph->count, sizeof *graph->links, compare_links);
    for (size_t i = 0; i < graph->count && good; i++)
        search_from(&s, i, found, payload);
    free(s.state);
    free(s.way);
    return good;
}

/* Checks how the values of a palette or entry use parameters. The mistakes that are reported
 * are those that the game reports when it loads the content. */

typedef struct parameter_check {
    const mapgen_context *context;
    mapgen_library *library;
    /* All palettes that the checked palette or entry uses, and as the last element that palette
     * or entry itself. */
    mapgen_layers layers;
    const mapgen_unit *unit;
    const mapgen_value *value; /* the value that is being checked */
    uint32_t lacking; /* a text that the parameter of a switch may have and for which the switch
                         has no case; ID_NONE: none was found yet */
} parameter_check;

static void tell_text(const parameter_check *k, remark_code code, const char *text)
{
    const mapgen_remark r = {remark_code_severity(code), code, k->value->place, text, NULL};
    k->context->tell(k->context->payload, &r);
}

#define TELL(k, code, ...)                                                                     \
    do {                                                                                       \
        char text_[240];                                                                       \
        snprintf(text_, sizeof text_, __VA_ARGS__);                                            \
        tell_text((k), (code), text_);                                                         \
    } while (0)

/* Finds the definition of a parameter. It is searched first in the palette or entry that is
 * checked (the last of the layers), then in the palettes that this one uses. *where becomes the
 * palette or entry that has the definition. */
static const mapgen_parameter *find_parameter(const parameter_check *k, uint32_t name,
                                              const mapgen_unit **where)
{
    const mapgen_parameter *found = NULL;
    for (uint32_t i = k->layers.count; i-- > 0 && !found;) {
        found = mapgen_parameter_of(k->layers.units[i], name);
        *where = k->layers.units[i];
    }
    return found;
}

/* ---- what nested chunks define ---- */

/* A list of the chunks that an entry may place, directly or through other chunks, while it is
 * made. */
typedef struct chunk_walk {
    const parameter_check *check;
    const mapgen_unit **units; /* owned */
    size_t count, room;
    bool failed; /* memory was out, or there were too many chunks: nothing is reported then */
} chunk_walk;

static void add_chunk(void *payload, uint32_t id)
{
    enum { CHUNKS_MAX = 4096 };
    chunk_walk *w = payload;
    const mapgen_candidate *c = mapgen_library_first(w->check->library, MAPGEN_CHUNK, id);
    for (; c && !w->failed; c = c->next) {
        const mapgen_unit *unit = &c->entry->unit;
        bool there = false;
        for (size_t i = 0; i < w->count && !there; i++)
            there = w->units[i] == unit;
        if (there)
            continue;
        w->failed = w->count == CHUNKS_MAX || !ARRAY_ROOM(w->units, w->room, w->count + 1);
        if (!w->failed)
            w->units[w->count++] = unit;
    }
}

/* Does a chunk that the entry may place define the parameter? The games count such a parameter
 * as the entry's own, unless its scope is `nest`: then it belongs to the chunk. */
static bool defined_in_chunks(const parameter_check *k, uint32_t name)
{
    chunk_walk w = {.check = k};
    mapgen_layers layers;
    bool found = false;
    (void)mapgen_layers_chunks(&k->layers, add_chunk, &w);
    for (size_t i = 0; i < w.count && !found && !w.failed; i++) {
        mapgen_layers_possible(&layers, k->library, w.units[i]);
        found = false;
        for (uint32_t j = 0; j < layers.count && !found; j++) {
            const mapgen_parameter *p = mapgen_parameter_of(layers.units[j], name);
            found = p && p->scope != MAPGEN_NEST;
        }
        (void)mapgen_layers_chunks(&layers, add_chunk, &w);
    }
    free(w.units);
    return found || w.failed;
}

/* ---- remarks ---- */

static const char *suggest_parameter(const parameter_check *k, const char *name, char out[100])
{
    suggestion near;
    suggest_begin(&near, name);
    for (uint32_t i = 0; i < k->layers.count; i++)
        for (uint32_t p = 0; p < k->layers.units[i]->parameter_count; p++)
            suggest_offer(
                &near, id_pool_text(k->context->pool, k->layers.units[i]->parameters[p].name));
    out[0] = '\0';
    if (near.best)
        snprintf(out, 100, ", did you mean '%.*s'?", UTF8_CUT(near.best, 60));
    return out;
}

/* Lists, for each kind of ids (mapgen_reference), the names of the types that a parameter
 * may have if it stands where such an id is expected. If a kind of ids has no names here, a
 * parameter of any type may stand there. */
static const char *const type_names[MAPGEN_REFERENCES][2] = {
    [MAPGEN_REF_TERRAIN] = {"ter_str_id", "ter_id"},
    [MAPGEN_REF_FURNITURE] = {"furn_str_id", "furn_id"},
    [MAPGEN_REF_TRAP] = {"trap_str_id", "trap_id"},
    [MAPGEN_REF_FIELD] = {"field_type_str_id", "field_type_id"},
    [MAPGEN_REF_ITEM] = {"itype_id", NULL},
    [MAPGEN_REF_ITEM_GROUP] = {"item_group_id", NULL},
    [MAPGEN_REF_MONSTER] = {"mtype_id", NULL},
    [MAPGEN_REF_MONSTER_GROUP] = {"mongroup_id", NULL},
    [MAPGEN_REF_VEHICLE] = {"vgroup_id", NULL},
    [MAPGEN_REF_NPC] = {"npc_template_id", NULL},
    [MAPGEN_REF_NESTED] = {"nested_mapgen_id", NULL},
    [MAPGEN_REF_PALETTE] = {"palette_id", NULL},
    [MAPGEN_REF_TRANSFORM] = {"ter_furn_transform_id", NULL}};

static void visit_case(void *payload, uint32_t id)
{
    parameter_check *k = payload;
    const mapgen_value *v = k->value;
    bool found = false;
    for (uint32_t i = 0; i < v->count && !found; i++)
        found = k->unit->choices[v->first + i].key == id;
    if (!found && k->lacking == ID_NONE)
        k->lacking = id;
}

static void check_value(parameter_check *k, bool palette)
{
    const mapgen_value *v = k->value;
    const mapgen_unit *where = NULL;
    const mapgen_parameter *p = find_parameter(k, v->id, &where);
    const char *name = id_pool_text(k->context->pool, v->id);
    char near[100];
    if (!p && !palette && defined_in_chunks(k, v->id))
        return;
    if (!p) {
        TELL(k, MG308, "parameter '%.*s' is not defined%s: %s", UTF8_CUT(name, 60),
             suggest_parameter(k, name, near),
             v->fallback ? "the fallback is drawn" : "nothing is drawn");
        return;
    }
    if (palette && where != k->unit)
        TELL(k, MG308,
             "parameter '%.*s' is defined by a palette that this one includes: the game "
             "reports it as undefined; it is drawn",
             UTF8_CUT(name, 60));
    /* Where a parameter chooses a palette, the game does not ask for a fallback. */
    if (p->scope == MAPGEN_SPECIAL && v->fallback == 0 && v->expects != MAPGEN_REF_PALETTE)
        TELL(k, MG314,
             "parameter '%.*s' is one of the whole special, and there is no 'fallback': the "
             "game reports it",
             UTF8_CUT(name, 60));
    const char *const *wanted = type_names[k->value->expects];
    const char *type = id_pool_text(k->context->pool, p->type);
    if (wanted[0] && strcmp(type, wanted[0]) != 0 &&
        (!wanted[1] || strcmp(type, wanted[1]) != 0)) {
        TELL(k, MG309, "parameter '%.*s' is of type %.*s, where %s is expected",
             UTF8_CUT(id_pool_text(k->context->pool, p->name), 60),
             UTF8_CUT(type[0] ? type : "none", 40), wanted[0]);
    }
    if (v->kind == MAPGEN_SWITCH) {
        k->lacking = ID_NONE;
        mapgen_value_visit(&k->layers, where, p->value, visit_case, k);
        if (k->lacking != ID_NONE)
            TELL(k, MG311, "parameter '%.*s' may be '%.*s', for which the switch has no case",
                 UTF8_CUT(id_pool_text(k->context->pool, p->name), 60),
                 UTF8_CUT(id_pool_text(k->context->pool, k->lacking), 60));
    }
}

void mapgen_check_parameters(const mapgen_context *context, mapgen_library *library,
                             const mapgen_unit *unit, bool palette)
{
    parameter_check k = {.context = context, .library = library, .unit = unit};
    bool any = false;
    for (uint32_t i = 1; i < unit->value_count && !any; i++)
        any = unit->values[i].kind == MAPGEN_PARAM || unit->values[i].kind == MAPGEN_SWITCH;
    if (!any)
        return;
    mapgen_layers_possible(&k.layers, library, unit);
    for (uint32_t i = 1; i < unit->value_count && !k.layers.cut; i++) {
        k.value = &unit->values[i];
        if (k.value->kind == MAPGEN_PARAM || k.value->kind == MAPGEN_SWITCH)
            check_value(&k, palette);
    }
}
