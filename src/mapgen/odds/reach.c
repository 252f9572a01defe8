/*
 * Finds which terrains may have the one thing that is asked for (odds_only), so that figures
 * need only be computed for these. For that, references are followed from the terrain to the
 * thing: an entry, chunk or palette leads to all ids that any of its values names, whatever
 * their chance and wherever they stand. So the answer "may have" can be wrong, but "has not"
 * never is.
 */
#include "mapgen/compile/text_id.h"
#include "mapgen/odds/odds_impl.h"

/* Values of odds_reach.gives: does an id give the thing that is asked for? */
enum { NOT_KNOWN, GIVES_NOT, GIVES };

static bool failed(odds *o)
{
    o->failed = true;
    return true;
}

/* Does a set of figures have the thing that is asked for? Frees the set. */
static bool has_thing(const odds *o, odds_set set)
{
    bool has = false;
    for (size_t i = 0; i < set.count; i++)
        has = has || set.parts[i].slot == o->only;
    set_free(&set);
    return has;
}

bool odds_gives(odds *o, uint32_t id)
{
    /* If magazines and ammunition come with a chance of 50 %, both cases are computed: items
     * that are loaded, and items that are not. */
    enum { PERHAPS = 50 };
    const mapgen_loading loading = {PERHAPS, PERHAPS};
    mapgen_told told = MAPGEN_TOLD_NOTHING;
    bool known;
    uint32_t *answer = by_id_make(&o->reach.gives, id, sizeof *answer);
    if (!answer)
        return failed(o);
    if (*answer != NOT_KNOWN)
        return *answer == GIVES;
    const uint64_t steps = o->steps;
    const uint32_t doubts = o->doubts;
    const bool told_tree = o->tree.active;
    o->tree.active = false;
    told.loading = loading;
    o->steps = 0;
    o->doubts = 0;
    const bool any = has_thing(o, odds_group(o, id, loading, &known)) ||
                     has_thing(o, odds_item(o, id, &told)) ||
                     has_thing(o, odds_pack(o, id, &known)) ||
                     has_thing(o, odds_vehicle(o, id)) || o->doubts & ODDS_LARGE ||
                     odds_slot(o, o->things[o->only].kind, id) == o->only;
    *answer = any ? GIVES : GIVES_NOT;
    o->steps = steps;
    o->doubts = doubts;
    o->tree.active = told_tree;
    return any;
}

/* May the thing come from a mapgen piece that brings things which the content does not name, as
 * a vending machine brings food? */
static bool kind_gives(odds *o, const mapgen_piece *p)
{
    static const char *const texts[MAPGEN_KINDS][2] = {
        [MAPGEN_VENDING] = {"vending_food", "glass_shard"},
        [MAPGEN_TOILET] = {"water", NULL},
        [MAPGEN_GASPUMP] = {"diesel", "gasoline"}};
    bool any = p->kind == MAPGEN_GASPUMP && p->text != ID_NONE && odds_gives(o, p->text);
    for (int i = 0; i < 2 && !any && texts[p->kind][i]; i++)
        any = odds_gives(o, mapgen_word_id(o->source.pool, texts[p->kind][i]));
    return any;
}

/* Returns the number of the node for a terrain, chunk or palette, which is made if there is
 * none. What the node leads to is found later (follow). */
static uint32_t node_of(odds *o, odds_reach_kind kind, uint32_t id)
{
    odds_reach *r = &o->reach;
    uint32_t *number = by_id_make(&r->numbers[kind], id, sizeof *number);
    if (!number || !ARRAY_ROOM(r->nodes, r->room, r->count + 1)) {
        (void)failed(o);
        return 0;
    }
    if (*number == 0) {
        r->nodes[r->count++] = (odds_reach_node){.kind = kind, .id = id, .type = id};
        *number = (uint32_t)r->count;
    }
    return *number - 1;
}

static void lead_to(odds *o, odds_reach_kind kind, uint32_t id)
{
    odds_reach *r = &o->reach;
    const uint32_t to = node_of(o, kind, id);
    if (o->failed || !ARRAY_ROOM(r->edges, r->edge_room, r->edge_count + 1))
        (void)failed(o);
    else
        r->edges[r->edge_count++] = to;
}

/* Notes that a node leads to the palettes and chunks that its unit (an entry, chunk or palette)
 * names. Returns whether the unit may give the thing that is asked for without them. */
static bool follow_unit(odds *o, const mapgen_unit *unit)
{
    mapgen_library *library = o->source.library;
    bool any = false;
    for (uint32_t i = 1; i < unit->value_count && !any && !o->failed; i++) {
        const mapgen_value *v = &unit->values[i];
        if (v->kind != MAPGEN_LITERAL || v->id == ID_NONE)
            continue;
        any = odds_gives(o, v->id);
        if (mapgen_library_palette(library, v->id))
            lead_to(o, ODDS_REACH_PALETTE, v->id);
        if (mapgen_library_first(library, MAPGEN_CHUNK, v->id))
            lead_to(o, ODDS_REACH_CHUNK, v->id);
    }
    for (uint32_t i = 1; i < unit->piece_count && !any; i++)
        any = kind_gives(o, &unit->pieces[i]);
    return any;
}

/* If code makes the maps of this terrain, in place of mapgen: may the thing that is asked for
 * come from what the code puts on them? */
static bool ground_gives(odds *o, uint32_t type)
{
    id_pool *pool = o->source.pool;
    const char *as = id_pool_text(pool, mapgen_library_ground(o->source.library, type));
    ground_thing things[GROUND_THINGS_MAX];
    if (ground_is_lab(id_pool_text(pool, type)) || !ground_is_made(as) ||
        ground_has_traffic(as))
        return true;
    const int count = ground_things_of(things, o->source.settings, pool, as);
    bool any = count < 0;
    for (int i = 0; i < count && !any; i++)
        any = odds_gives(o, things[i].group);
    return any;
}

/* Notes that a node leads to all palettes, chunks and terrains that the entries of its terrain
 * or chunk name. Returns whether an entry may give the thing that is asked for without them.
 * *drawn becomes whether any entry can be chosen to make the map. */
static bool follow_entries(odds *o, const mapgen_candidate *first, bool *drawn)
{
    bool any = false;
    *drawn = false;
    for (const mapgen_candidate *c = first; c && !any && !o->failed; c = c->next) {
        const mapgen_entry *e = c->entry;
        const uint32_t below[] = {e->predecessor, e->fallback_predecessor};
        *drawn = *drawn || ((e->json || e->script != ID_NONE) && e->weight > 0);
        any = e->script != ID_NONE || follow_unit(o, &e->unit);
        for (int i = 0; i < 2; i++)
            if (below[i] != ID_NONE)
                lead_to(o, ODDS_REACH_TERRAIN, below[i]);
    }
    return any;
}

/* Finds out to which other nodes (terrains, chunks, palettes) a node leads, and whether it may
 * give the thing that is asked for without them. */
static void follow(odds *o, uint32_t number)
{
    odds_reach *r = &o->reach;
    const odds_reach_node node = r->nodes[number];
    const size_t first = r->edge_count;
    mapgen_library *library = o->source.library;
    bool may, drawn;
    if (node.kind == ODDS_REACH_PALETTE) {
        may = follow_unit(o, &mapgen_library_palette(library, node.id)->unit);
    } else if (node.kind == ODDS_REACH_CHUNK) {
        may = follow_entries(o, mapgen_library_first(library, MAPGEN_CHUNK, node.id), &drawn);
    } else {
        may = follow_entries(o, mapgen_library_first(library, MAPGEN_OM_TERRAIN, node.id),
                             &drawn);
        may = may || (!drawn && mapgen_library_uniform(library, node.id) == ID_NONE &&
                      ground_gives(o, node.type));
    }
    r->nodes[number].first = first;
    r->nodes[number].count = r->edge_count - first;
    r->nodes[number].may = may;
}

/* Finds out to which nodes the nodes from the number `from` on lead, then to which those lead,
 * and so on. Notes of each node whether the thing that is asked for may come from it. For nodes
 * below `from` this was done before. */
static void follow_all(odds *o, size_t from)
{
    odds_reach *r = &o->reach;
    for (size_t i = from; i < r->count && !o->failed; i++)
        follow(o, (uint32_t)i);
    for (bool again = true; again && !o->failed;) {
        again = false;
        for (size_t i = r->count; i-- > from;)
            for (size_t k = 0; k < r->nodes[i].count && !r->nodes[i].may; k++)
                if (r->nodes[r->edges[r->nodes[i].first + k]].may)
                    again = r->nodes[i].may = true;
    }
}

bool odds_may_have(odds *o, const odds_request *request)
{
    odds_reach *r = &o->reach;
    const size_t from = r->count;
    if (!o->only)
        return true;
    if (request->spawn_group != ID_NONE && odds_gives(o, request->spawn_group))
        return true;
    const uint32_t node = node_of(o, ODDS_REACH_TERRAIN, request->terrain);
    if (r->count > from && !o->failed)
        r->nodes[node].type = mapgen_word_id(o->source.pool, request->type);
    follow_all(o, from);
    return o->failed || r->nodes[node].may;
}

void reach_dispose(odds_reach *r)
{
    for (int i = 0; i < ODDS_REACH_KINDS; i++)
        by_id_dispose(&r->numbers[i]);
    by_id_dispose(&r->gives);
    free(r->nodes);
    free(r->edges);
}
