/* The functions that odds.h offers to other folders: making and freeing the state, and the
 * figures of one map or one group. */
#include "mapgen/compile/text_id.h"
#include "mapgen/odds/scene.h"

odds *odds_new(const odds_source *source)
{
    odds *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->source = *source;
    o->slot_count = 1; /* the first slot, 0, is SLOT_ANY */
    o->null_id = mapgen_word_id(source->pool, "null");
    if (!ARRAY_ROOM(o->things, o->slot_room, 1)) {
        odds_free(o);
        return NULL;
    }
    o->things[0] = (struct slot_thing){(ptl_loot_kind)PTL_LOOT_KINDS, ID_NONE};
    return o;
}

void odds_only(odds *o, ptl_loot_kind kind, uint32_t id)
{
    o->only = odds_slot(o, kind, id);
}

void odds_free(odds *o)
{
    if (!o)
        return;
    for (int kind = 0; kind < PTL_LOOT_KINDS; kind++)
        by_id_dispose(&o->slots[kind]);
    for (size_t i = 1; i <= o->memo_count; i++)
        set_free(&o->memo[i].set);
    while (o->free_sums) {
        odds_sum *sum = o->free_sums;
        o->free_sums = sum->outer;
        free(sum->cells);
        free(sum->touched);
        free(sum);
    }
    by_id_dispose(&o->memo_of);
    free(o->things);
    free(o->memo);
    free(o->figures);
    free(o->tree.nodes);
    counting_dispose(&o->counting);
    reach_dispose(&o->reach);
    odds_free(o->whole);
    free(o);
}

static void scene_dispose(scene *m)
{
    log_cut(m, 0);
    shares_free(&m->values);
    by_id_dispose(&m->matters);
    free(m->log);
    free(m->gone);
}

/* Computes the figures of a map. A thing's figure is doubtful for the reasons that its set
 * states, and also if something on the map may remove the thing later. */
static odds_set compute(odds *o, const odds_request *request, uint32_t *depends)
{
    scene *m = calloc(1, sizeof *m);
    odds_set set = {NULL, 0};
    o->failed = o->failed || !m;
    o->doubts = 0;
    o->steps = 0;
    o->stopped = false;
    if (!m)
        return set;
    m->o = o;
    m->request = request;
    set = scene_map(m);
    *depends = m->depends;
    for (size_t i = 0; i < set.count; i++)
        if (set.parts[i].slot < m->gone_reach && m->gone[set.parts[i].slot])
            set.parts[i].doubts |= ODDS_REMOVED;
    scene_dispose(m);
    free(m);
    return set;
}

static odds_figure figure_of(const odds *o, const odds_part *p)
{
    const struct slot_thing thing = o->things[p->slot];
    return (odds_figure){thing.kind, thing.id, p->mean, p->some, p->doubts | o->doubts, 0};
}

/* Gives the figures of a set, and frees the set. */
static bool give(odds_map *out, odds *o, odds_set *set, uint32_t depends, bool *stopped)
{
    o->failed = o->failed || !ARRAY_ROOM(o->figures, o->figure_room, set->count + 1);
    *stopped = o->stopped;
    const bool good = !o->failed && !o->stopped;
    for (size_t i = 0; i < set->count && good; i++)
        o->figures[i] = figure_of(o, &set->parts[i]);
    *out = (odds_map){o->figures, good ? set->count : 0, o->doubts, depends};
    set_free(set);
    return good;
}

bool odds_of_map(odds_map *out, odds *o, const odds_request *request, bool *stopped)
{
    uint32_t depends = 0;
    o->tree.active = false;
    odds_set set = compute(o, request, &depends);
    return give(out, o, &set, depends, stopped);
}

bool odds_of_group(odds_map *out, odds *o, ptl_loot_kind kind, uint32_t id, bool *known,
                   bool *stopped)
{
    odds_set set = {NULL, 0};
    o->tree.active = false;
    o->doubts = 0;
    o->steps = 0;
    o->stopped = false;
    if (kind == PTL_LOOT_ITEM) {
        set = without_any(odds_group(o, id, (mapgen_loading){0, 0}, known));
    } else if (kind == PTL_LOOT_MONSTER) {
        set = odds_pack(o, id, known);
    } else {
        set = odds_vehicle(o, id);
        *known = set_part(&set, odds_slot(o, PTL_LOOT_GROUP, id)).mean > 0;
    }
    return give(out, o, &set, 0, stopped);
}

bool odds_tree(odds_figure *out, odds *o, const odds_request *request, ptl_loot_kind kind,
               uint32_t id, odds_tell *tell, void *payload, bool *stopped)
{
    uint32_t depends = 0;
    o->tree.slot = odds_slot(o, kind, id);
    o->tree.active = true;
    o->tree.count = 0;
    o->tree.depth = 0;
    o->tree.factor = 1;
    odds_set set = compute(o, request, &depends);
    o->tree.active = false;
    const odds_part part = set_part(&set, o->tree.slot);
    *stopped = o->stopped;
    *out = (odds_figure){kind, id, part.mean, part.some, part.doubts | o->doubts, depends};
    for (size_t i = 0; i < o->tree.count && !o->failed && !o->stopped; i++)
        tell(payload, &o->tree.nodes[i]);
    set_free(&set);
    return !o->failed && !o->stopped;
}
