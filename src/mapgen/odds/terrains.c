/* Computes what the entries of terrains put on maps, including the predecessors below them, and
 * what code (mapgen/ground) puts there. */
#include "mapgen/compile/text_id.h"
#include "mapgen/odds/scene.h"

enum { PREDECESSORS_MAX = 8 };

static const odds_set nothing = {NULL, 0};

static bool add_terrain(scene *m, odds_sum *sum, uint32_t terrain, bool below);

/* Adds what mapgen/ground puts on the map of a terrain. `below`: the terrain is a predecessor.
 * False: there is no code for the terrain. */
static bool add_ground(scene *m, odds_sum *sum, const char *type, bool below)
{
    enum { ALL = 100 };
    odds *o = m->o;
    id_pool *pool = o->source.pool;
    const uint32_t id = mapgen_word_id(pool, type);
    const char *as = id_pool_text(pool, mapgen_library_ground(o->source.library, id));
    ground_thing things[GROUND_THINGS_MAX];
    if (ground_is_lab(type) || !ground_is_made(as)) {
        o->doubts |= ODDS_GROUND;
        return ground_is_lab(type);
    }
    const int count = ground_things_of(things, o->source.settings, pool, as);
    if (count < 0 || (!below && ground_has_traffic(as)))
        o->doubts |= ODDS_GROUND;
    const size_t node =
        node_begin(o, (odds_node){.step = ODDS_STEP_GROUND, .id = id, .times = 1});
    odds_sum *all = sum_begin(o);
    for (int i = 0; i < count; i++) {
        bool known;
        const double chance = (double)things[i].chance / ALL;
        const size_t inner = node_begin(o, (odds_node){.step = ODDS_STEP_GROUP,
                                                       .id = things[i].group,
                                                       .times = chance * things[i].times});
        odds_set set = odds_group(o, things[i].group, (mapgen_loading){0, 0}, &known);
        node_end(o, inner, &set);
        set_scale(&set, chance);
        sum_join(o, all, &set, (odds_times){things[i].times, things[i].times});
        tile_set whole;
        for (int y = 0; y < MAPGEN_SIDE; y++)
            whole.rows[y] = (1u << MAPGEN_SIDE) - 1;
        log_put(m, &whole, set);
    }
    odds_set set = sum_take(o, all);
    node_end(o, node, &set);
    sum_join(o, sum, &set, ODDS_ONCE);
    set_free(&set);
    return true;
}

/* If an entry is drawn over a predecessor, adds what the predecessor's map has. */
static void add_below(scene *m, odds_sum *sum, const mapgen_entry *e)
{
    const uint32_t named[] = {e->predecessor, e->fallback_predecessor};
    const bool stated = e->predecessor != ID_NONE;
    const char *types[2];
    bool made = false;
    if (m->depth >= PREDECESSORS_MAX)
        return;
    m->depth++;
    for (int i = 0; i < 2; i++)
        types[i] = id_pool_text(m->o->source.pool, named[i]);
    for (int i = stated ? 0 : 1; i < 2 && !made; i++)
        made = named[i] != ID_NONE &&
               (add_terrain(m, sum, named[i], true) || add_ground(m, sum, types[i], true));
    if (!stated && e->fallback_predecessor != ID_NONE)
        /* Which predecessor stands below the entry depends on the world. */
        m->depends |= ODDS_NEIGHBOURS;
    m->depth--;
}

/* Returns what an entry puts on its map, together with what the predecessor below it puts
 * there. */
static odds_set block_set(scene_frame *f)
{
    scene *m = f->m;
    odds_sum *sum = sum_begin(m->o);
    add_below(m, sum, f->entry);
    if (!scene_halted(m)) {
        odds_set set = scene_frame_set(f);
        sum_join(m->o, sum, &set, ODDS_ONCE);
        set_free(&set);
    }
    return without_any(sum_take(m->o, sum));
}

/* Returns what an entry of a terrain puts on its map. */
static odds_set entry_of(scene *m, const mapgen_candidate *c, uint32_t terrain)
{
    scene_frame *f = calloc(1, sizeof *f);
    m->o->failed = m->o->failed || !f;
    if (!f)
        return nothing;
    f->m = m;
    f->entry = c->entry;
    f->nested = terrain != m->request->terrain;
    f->single = true;
    f->from_x = c->column * MAPGEN_SIDE;
    f->from_y = c->row * MAPGEN_SIDE;
    f->x = -f->from_x;
    f->y = -f->from_y;
    f->width = f->height = MAPGEN_SIDE;
    odds_set set = scene_branch(f, block_set);
    free(f);
    return set;
}

/* Adds what the entries of a terrain put on its map. False if the terrain has no entries. */
static bool add_terrain(scene *m, odds_sum *sum, uint32_t terrain, bool below)
{
    odds *o = m->o;
    mapgen_library *library = o->source.library;
    const mapgen_candidate *first = mapgen_library_first(library, MAPGEN_OM_TERRAIN, terrain);
    double weights = 0;
    if (mapgen_library_uniform(library, terrain) != ID_NONE)
        return true;
    for (const mapgen_candidate *c = first; c && odds_go(o, 1); c = c->next)
        weights += scene_weight(c->entry);
    if (weights <= 0)
        return false;
    odds_sum *all = sum_begin(o);
    scene_aside laid = {NULL, 0, m->log_count};
    for (const mapgen_candidate *c = first; c && !scene_halted(m) && odds_go(o, 1);
         c = c->next) {
        const double part = scene_weight(c->entry) / weights;
        if (part <= 0)
            continue;
        const size_t node =
            node_begin(o, (odds_node){.step = below ? ODDS_STEP_BELOW : ODDS_STEP_ENTRY,
                                      .id = terrain,
                                      .entry = c->entry,
                                      .times = part});
        odds_set set = entry_of(m, c, terrain);
        if (!scene_halted(m))
            node_end(o, node, &set);
        sum_blend(o, all, &set, part);
        set_free(&set);
        scene_lay_aside(m, &laid);
    }
    scene_put_back(m, &laid);
    odds_set set = sum_take(o, all);
    sum_join(o, sum, &set, ODDS_ONCE);
    set_free(&set);
    return true;
}

/* Adds the monsters that the terrain itself states. */
static void add_spawns(scene *m, odds_sum *sum)
{
    enum { ALL = 100 };
    const odds_request *q = m->request;
    odds *o = m->o;
    if (q->spawn_group == ID_NONE || q->spawn_chance <= 0)
        return;
    const double chance = q->spawn_chance >= ALL ? 1 : (double)q->spawn_chance / ALL;
    const size_t node = node_begin(
        o, (odds_node){.step = ODDS_STEP_SPAWNS, .id = q->spawn_group, .times = chance});
    odds_set set = odds_population(o, q->spawn_group, q->spawn_least, q->spawn_most);
    node_end(o, node, &set);
    set_scale(&set, chance);
    sum_join(o, sum, &set, ODDS_ONCE);
    set_free(&set);
}

odds_set scene_map(scene *m)
{
    odds *o = m->o;
    const odds_request *q = m->request;
    odds_sum *sum = sum_begin(o);
    const bool uniform = mapgen_library_uniform(o->source.library, q->terrain) != ID_NONE;
    if (!add_terrain(m, sum, q->terrain, false))
        (void)add_ground(m, sum, q->type, false);
    if (!uniform)
        add_spawns(m, sum);
    log_cut(m, 0);
    return without_any(sum_take(o, sum));
}
