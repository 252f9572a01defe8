/*
 * Proves what can't come into overmaps of a region. The sets of terrains, specials and
 * connections that may come grow from what the generator makes by itself, until nothing new may
 * come: what then is in no set never comes. Wherever the code of generation has finer rules
 * than those tested here, a thing is taken to be possible, so that each proof is sound: the
 * sets hold too much rather than too little.
 */
#include "analysis/coverage/coverage_impl.h"
#include "gen/below/sublevels.h"
#include "gen/connect/connect.h"
#include "gen/plan/plan.h"
#include "gen/sites/sites.h"
#include "gen/specials/rules.h"

#include <string.h>

typedef struct reaching {
    reach *r;
    const catalogue *cat;
    bool *elsewhere; /* for each special: true if it may be nested in another one, so that its
                        OMTs may lie on any level */
    /* Scratch memory: a set of terrains that several functions use while they work. */
    uint64_t *set;
    /* In the present round something was found to come that was not known before. */
    bool grown;
} reaching;

/* ---- adding ---- */

static void add_at(reaching *g, uint16_t terrain, int32_t z)
{
    uint64_t *set = g->r->levels[z - PTL_Z_MIN];
    const uint64_t bit = UINT64_C(1) << terrain % 64;
    if (set[terrain / 64] & bit)
        return;
    set[terrain / 64] |= bit;
    g->r->any[terrain / 64] |= bit;
    g->grown = true;
}

static void add_anywhere(reaching *g, uint16_t terrain)
{
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
        add_at(g, terrain, z);
}

static void add_oter(void *payload, ptl_oter oter)
{
    reaching *g = payload;
    add_anywhere(g, g->cat->oters[oter].terrain);
}

static void add_own(void *payload, ptl_oter oter, bool deep)
{
    reaching *g = payload;
    const uint16_t terrain = g->cat->oters[oter].terrain;
    add_at(g, terrain, 0);
    if (deep)
        add_anywhere(g, terrain);
}

static bool meets(const reaching *g, ptl_terrain_set set, const uint64_t *other)
{
    bool found = false;
    for (size_t w = 0; set && w < g->r->words && !found; w++)
        found = (set[w] & other[w]) != 0;
    return found;
}

static void mark_drawn(reaching *g, uint16_t connection)
{
    if (connection == CAT_NONE || g->r->drawn[connection])
        return;
    g->r->drawn[connection] = true;
    g->grown = true;
}

/* ---- connections ---- */

/* Adds the terrains that a connection may draw. These are the terrains of its subtypes, if the
 * subtype may lie on some terrain that may come. A subtype that only keeps the terrain that is
 * there adds nothing. */
static void add_connection(reaching *g, uint16_t index)
{
    const cat_connection *c = &g->cat->connections[index];
    if (c->default_terrain != CAT_NONE)
        add_anywhere(g, c->default_terrain);
    for (size_t i = 0; i < c->subtype_count; i++)
        if (!c->subtypes[i].in_place && meets(g, c->subtypes[i].allows, g->r->any))
            add_anywhere(g, c->subtypes[i].terrain);
    if (meets(g, c->terrains, g->r->any))
        connect_bridges_visit(g->r->config, index, add_oter, g);
}

/* Marks the connections that steps of generation draw in any case, whatever specials ask for.
 * */
static void add_networks(reaching *g)
{
    static const char *const ids[] = {"local_road", "forest_trail", "sewer_tunnel",
                                      "local_railroad", "subway_tunnel"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        mark_drawn(g, catalogue_connection(g->cat, ids[i]));
}

/* ---- whether a special may come ---- */

typedef struct verdict_of {
    ptl_coverage_reason reason;
    uint16_t lacks;
} verdict_of;

/* Returns the first terrain of a set; CAT_NONE if it is empty. */
static uint16_t first_of(const reaching *g, ptl_terrain_set set)
{
    for (size_t w = 0; set && w < g->r->words; w++)
        if (set[w])
            return (uint16_t)(64 * w + (size_t)__builtin_ctzll(set[w]));
    return CAT_NONE;
}

/* Returns whether a cell on level z may have a terrain of the set `allows`. If `fill` is true,
 * the level's default oter is accepted, too. */
static bool has_ground(const reaching *g, ptl_terrain_set allows, int32_t z, bool fill)
{
    return z >= PTL_Z_MIN && z <= PTL_Z_MAX &&
           (fill || meets(g, allows, g->r->levels[z - PTL_Z_MIN]));
}

/* Tests whether the ground that the special's OMTs and its checks (conditions on further cells)
 * ask for may come. A city's building may always stand on the default oter of a level that is
 * not the ground. */
static verdict_of test_ground(const reaching *g, const cat_special *s, bool city)
{
    const gen_config *config = g->r->config;
    for (size_t i = 0; i < s->omt_count; i++) {
        const cat_omt *t = &s->omts[i];
        const bool fill = city ? t->z != 0 : site_takes_default(config, t->z, t->own);
        if (!has_ground(g, t->allows, t->z, fill))
            return (verdict_of){PTL_COVERAGE_GROUND, first_of(g, t->allows)};
    }
    for (size_t i = 0; i < s->check_count; i++) {
        const cat_check *c = &s->checks[i];
        for (int32_t z = c->z0; z <= c->z1; z++) {
            const bool fill = city ? z != 0 : site_takes_default(config, z, c->own);
            if (!has_ground(g, c->allows, z, fill))
                return (verdict_of){PTL_COVERAGE_GROUND, first_of(g, c->allows)};
        }
    }
    return (verdict_of){PTL_COVERAGE_NO_REASON, CAT_NONE};
}

/* A special may ask for a connection that ends at a point beside it (the link). Returns whether
 * a line of that connection can be at that point. */
static bool link_fits(const reaching *g, const cat_link *l)
{
    const cat_connection *c = &g->cat->connections[l->connection];
    bool fits = has_ground(g, l->carries, l->z, false);
    for (size_t i = 0; i < c->subtype_count && !fits && !l->existing; i++)
        fits = meets(g, c->subtypes[i].allows, g->r->any);
    return fits;
}

static verdict_of test_ways(const reaching *g, const cat_special *s)
{
    for (size_t i = 0; i < s->link_count; i++)
        if (!link_fits(g, &s->links[i]))
            return (verdict_of){PTL_COVERAGE_WAYS, first_of(g, s->links[i].carries)};
    return (verdict_of){PTL_COVERAGE_NO_REASON, CAT_NONE};
}

/* Tests the ground beyond the mandatory sides of a mutable special's root. */
static verdict_of test_root(const reaching *g, const cat_special *s)
{
    for (int side = 0; s->layout && side < PTL_SIDES; side++) {
        const int32_t z = (side == CAT_ABOVE) - (side == CAT_BELOW);
        if (site_root_ground(g->r->config, s->layout, side, g->set) &&
            !meets(g, g->set, g->r->levels[z - PTL_Z_MIN]))
            return (verdict_of){PTL_COVERAGE_JOIN, first_of(g, g->set)};
    }
    return (verdict_of){PTL_COVERAGE_NO_REASON, CAT_NONE};
}

/* Returns whether no city of the region can have a size that the special accepts. */
static bool lacks_city(const gen_config *config, ptl_range sizes)
{
    return sizes.min > CAT_CITY_SIZE_MAX || (sizes.max >= 0 && sizes.min > sizes.max) ||
           (config->city_size <= 0 && sizes.min > 0);
}

/* Carries out the tests of the rule of placement that depend only on what the definition of the
 * special states. These tests must be changed together with the function `judge` of
 * step_specials.c. */
static ptl_coverage_reason test_stated(const gen_config *config, uint16_t index)
{
    const cat_special *s = &config->cat->specials[index];
    const uint64_t *excluded = config->region->excluded;
    if (s->omt_count == 0 && !s->layout)
        return PTL_COVERAGE_EMPTY;
    if (s->occurrences_max <= 0 || s->occurrences_min > s->occurrences_max)
        return PTL_COVERAGE_ZERO;
    if (s->conditional)
        return PTL_COVERAGE_CONDITION;
    if (config->region->no_specials || (excluded && excluded[index / 64] >> index % 64 & 1))
        return PTL_COVERAGE_REGION;
    if (s->flags & (PTL_SPECIAL_UNIQUE | PTL_SPECIAL_GLOBALLY_UNIQUE) &&
        special_successes(s, config->region, &config->options) <= 0)
        return PTL_COVERAGE_ZERO;
    return lacks_city(config, s->city_sizes) ? PTL_COVERAGE_CITY : PTL_COVERAGE_NO_REASON;
}

static verdict_of test_rule(const reaching *g, uint16_t index)
{
    const cat_special *s = &g->cat->specials[index];
    verdict_of v = {test_stated(g->r->config, index), CAT_NONE};
    if (!v.reason)
        v = test_ground(g, s, false);
    if (!v.reason)
        v = test_root(g, s);
    if (!v.reason)
        v = test_ways(g, s);
    return v;
}

static bool in_bin(const cat_bin *bin, uint16_t special)
{
    bool found = false;
    for (size_t i = 0; i < bin->count && !found; i++)
        found = bin->specials[i] == special;
    return found;
}

/* Returns whether cities of the region choose the special as a building, from one of the
 * region's lists. The lists of urban buildings are looked at, too, whether or not the game uses
 * them. */
static bool in_city(const gen_config *config, uint16_t special)
{
    const cat_city_settings *c = &config->region->city;
    return in_bin(&c->houses, special) || in_bin(&c->shops, special) ||
           in_bin(&c->parks, special) || in_bin(&c->finales, special) ||
           in_bin(&c->urban_houses, special) || in_bin(&c->urban_shops, special);
}

static bool has_cities(const gen_config *config)
{
    return config->city_size > 0 || plan_cities_fixed(config);
}

static verdict_of test_city(const reaching *g, uint16_t index)
{
    const gen_config *config = g->r->config;
    const cat_special *s = &g->cat->specials[index];
    verdict_of v = {PTL_COVERAGE_NO_REASON, CAT_NONE};
    if (s->omt_count == 0)
        v.reason = PTL_COVERAGE_EMPTY;
    else if (!has_cities(config))
        v.reason = PTL_COVERAGE_REGION;
    else if (!config->region->levelled && s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE)
        v.reason = PTL_COVERAGE_CODE;
    else if (config->region->levelled && lacks_city(config, s->city_sizes))
        v.reason = PTL_COVERAGE_CITY;
    else
        v = test_ground(g, s, true);
    return v;
}

static bool by_highway(const gen_config *config, uint16_t special)
{
    const cat_highway *h = config->highways.columns ? config->region->highway : NULL;
    if (!h)
        return false;
    const uint16_t own[] = {h->flat,   h->ramp,     h->bridge,    h->road_bridge,
                            h->column, h->onramp,   h->clockwise, h->counterclockwise,
                            h->bend,   h->four_way, h->three_way};
    bool found = in_bin(&h->bends, special) || in_bin(&h->four_ways, special) ||
                 in_bin(&h->three_ways, special) || in_bin(&h->interchanges, special);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        found = found || own[i] == special;
    return found;
}

/* ---- adding specials ---- */

static void add_special_terrain(reaching *g, uint16_t index, ptl_oter oter, int32_t z)
{
    const uint16_t terrain = g->cat->oters[oter].terrain;
    if (g->elsewhere[index] || z < PTL_Z_MIN || z > PTL_Z_MAX)
        add_anywhere(g, terrain);
    else
        add_at(g, terrain, z);
}

/* Returns whether the piece has a side that meets the join, by the side's own join or by one of
 * its alternatives. */
static bool piece_meets(const cat_mutable *m, const cat_piece *p, uint16_t join)
{
    for (int side = 0; side < PTL_SIDES; side++) {
        const cat_side *s = &p->sides[side];
        if (s->join < 0)
            continue;
        if (m->joins[s->join].opposite == join)
            return true;
        for (int i = 0; i < s->alternative_count; i++)
            if (m->joins[s->alternatives[i]].opposite == join)
                return true;
    }
    return false;
}

/* Returns whether the rule has a piece that can stand at a join of a piece that may be placed.
 * The directions of sides are ignored. */
static bool rule_joins(const cat_mutable *m, const bool *placed, const cat_rule *rule)
{
    for (size_t p = 0; p < m->piece_count; p++)
        for (int side = 0; placed[p] && side < PTL_SIDES; side++) {
            const int16_t join = m->pieces[p].sides[side].join;
            for (size_t i = 0; join >= 0 && i < rule->piece_count; i++)
                if (piece_meets(m, &m->pieces[rule->pieces[i].piece], (uint16_t)join))
                    return true;
        }
    return false;
}

/* Finds which pieces of a mutable special may be placed. All rules are gone through again and
 * again, until no further piece is found. */
static void find_pieces(const cat_mutable *m, bool *placed)
{
    bool more = true;
    placed[m->root] = true;
    while (more) {
        more = false;
        for (size_t p = 0; p < m->phase_count; p++)
            for (size_t i = 0; i < m->phases[p].rule_count; i++) {
                const cat_rule *rule = &m->phases[p].rules[i];
                bool all = true;
                for (size_t k = 0; k < rule->piece_count; k++)
                    all = all && placed[rule->pieces[k].piece];
                if (all || !rule_joins(m, placed, rule))
                    continue;
                for (size_t k = 0; k < rule->piece_count; k++)
                    placed[rule->pieces[k].piece] = more = true;
            }
    }
}

static void add_pieces(reaching *g, uint16_t index)
{
    const cat_mutable *m = g->cat->specials[index].layout;
    for (size_t i = 0; m && i < m->piece_count; i++) {
        if (!g->r->pieces[index][i])
            continue;
        for (int turned = 0; turned < 4; turned++)
            add_anywhere(g, g->cat->oters[m->pieces[i].oters[turned]].terrain);
        for (int side = 0; side < PTL_SIDES; side++)
            mark_drawn(g, m->pieces[i].connections[side]);
    }
}

static void add_special(reaching *g, uint16_t index)
{
    const cat_special *s = &g->cat->specials[index];
    for (size_t i = 0; i < s->omt_count; i++)
        for (int turned = 0; turned < 4; turned++)
            add_special_terrain(g, index, s->omts[i].oters[turned], s->omts[i].z);
    add_pieces(g, index);
    for (size_t i = 0; i < s->link_count; i++)
        mark_drawn(g, s->links[i].connection);
    for (size_t i = 0; i < s->nested_count; i++) {
        const uint16_t inner = s->nested[i].special;
        g->elsewhere[inner] = true;
        if (!(g->r->ways[inner] & REACH_OTHER)) {
            g->r->ways[inner] |= REACH_OTHER;
            g->grown = true;
        }
    }
}

/* Finds in which ways the special may come, given the terrains and connections that were found
 * so far. */
static void try_special(reaching *g, uint16_t index)
{
    reach *r = g->r;
    const cat_special *s = &g->cat->specials[index];
    uint8_t *ways = &r->ways[index];
    const uint8_t before = *ways;
    verdict_of v = {PTL_COVERAGE_NO_BIN, CAT_NONE};
    if (!s->building)
        v = test_rule(g, index);
    if (!v.reason && !s->building)
        *ways |= REACH_RULE;
    if (in_city(r->config, index)) {
        const verdict_of city = test_city(g, index);
        if (!city.reason)
            *ways |= REACH_CITY;
        v = s->building ? city : v;
    }
    if (in_bin(&r->config->region->trails.trailheads, index))
        *ways |= REACH_OTHER;
    if (by_highway(r->config, index))
        *ways |= REACH_HIGHWAY;
    g->grown = g->grown || *ways != before;
    r->specials[index] = *ways ? PTL_COVERAGE_NO_REASON : (uint8_t)v.reason;
    r->lacks[index] = *ways ? CAT_NONE : v.lacks;
    if (*ways)
        add_special(g, index);
}

/* ---- all of it ---- */

static bool make_room(reaching *g, arena *memory)
{
    reach *r = g->r;
    const size_t specials = g->cat->special_count + 1;
    bool good = true;
    for (int z = 0; z < PTL_LEVELS; z++) {
        r->levels[z] = arena_calloc(memory, r->words, sizeof *r->levels[z]);
        good = good && r->levels[z];
    }
    r->any = arena_calloc(memory, r->words, sizeof *r->any);
    g->set = arena_calloc(memory, r->words, sizeof *g->set);
    r->specials = arena_calloc(memory, specials, sizeof *r->specials);
    r->lacks = arena_calloc(memory, specials, sizeof *r->lacks);
    r->ways = arena_calloc(memory, specials, sizeof *r->ways);
    r->drawn = arena_calloc(memory, g->cat->connection_count + 1, sizeof *r->drawn);
    r->pieces = arena_calloc(memory, specials, sizeof *r->pieces);
    g->elsewhere = arena_calloc(memory, specials, sizeof *g->elsewhere);
    good = good && r->any && g->set && r->specials && r->lacks && r->ways && r->drawn &&
           r->pieces && g->elsewhere;
    for (size_t i = 0; i < g->cat->special_count && good; i++) {
        const cat_mutable *m = g->cat->specials[i].layout;
        if (!m)
            continue;
        r->pieces[i] = arena_calloc(memory, m->piece_count + 1, sizeof **r->pieces);
        good = r->pieces[i] != NULL;
        if (good)
            find_pieces(m, r->pieces[i]);
    }
    return good;
}

ptl_status reach_find(reach *out, const gen_config *config, arena *memory, ptl_error *err)
{
    const catalogue *cat = config->cat;
    *out = (reach){.config = config, .words = cat->terrain_count / 64 + 1};
    reaching g = {.r = out, .cat = cat};
    if (!make_room(&g, memory))
        return error_nomem(err);
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
        add_at(&g, cat->oters[config->defaults[z - PTL_Z_MIN]].terrain, z);
    gen_own_visit(config, add_own, &g);
    add_networks(&g);
    do {
        g.grown = false;
        for (size_t i = 0; i < cat->special_count; i++)
            try_special(&g, (uint16_t)i);
        for (size_t i = 0; i < cat->connection_count; i++)
            if (out->drawn[i])
                add_connection(&g, (uint16_t)i);
        for (size_t i = 0; i < cat->terrain_count; i++)
            if (reach_has(out->any, (uint16_t)i))
                sub_products_visit(config, (uint16_t)i, add_oter, &g);
    } while (g.grown);
    return PTL_OK;
}

/* ---- why a terrain does not come ---- */

static bool omts_have(const catalogue *cat, const cat_special *s, uint16_t terrain)
{
    bool found = false;
    for (size_t i = 0; i < s->omt_count && !found; i++)
        for (int turned = 0; turned < 4; turned++)
            found = found || cat->oters[s->omts[i].oters[turned]].terrain == terrain;
    return found;
}

/* Returns whether a piece of the special has the terrain. `placed` says for each piece whether
 * it may be placed, and only those count; NULL: all pieces count. */
static bool pieces_have(const catalogue *cat, const cat_special *s, const bool *placed,
                        uint16_t terrain)
{
    bool found = false;
    for (size_t i = 0; s->layout && i < s->layout->piece_count && !found; i++)
        for (int turned = 0; turned < 4; turned++)
            found =
                found || ((!placed || placed[i]) &&
                          cat->oters[s->layout->pieces[i].oters[turned]].terrain == terrain);
    return found;
}

bool reach_special_has(const reach *r, size_t special, uint16_t terrain)
{
    const cat_special *s = &r->config->cat->specials[special];
    return omts_have(r->config->cat, s, terrain) ||
           pieces_have(r->config->cat, s, r->pieces[special], terrain);
}

typedef struct terrain_search {
    const catalogue *cat;
    uint16_t terrain;
    bool found;
} terrain_search;

static void on_product(void *payload, ptl_oter oter)
{
    terrain_search *s = payload;
    s->found = s->found || s->cat->oters[oter].terrain == s->terrain;
}

/* Returns whether the step `sublevels` of generation makes this terrain below some other
 * terrain. */
static bool made_below(const reach *r, uint16_t terrain)
{
    terrain_search search = {r->config->cat, terrain, false};
    for (size_t i = 0; i < r->config->cat->terrain_count && !search.found; i++)
        sub_products_visit(r->config, (uint16_t)i, on_product, &search);
    return search.found;
}

static bool in_connection(const reach *r, uint16_t terrain)
{
    const catalogue *cat = r->config->cat;
    terrain_search search = {cat, terrain, false};
    for (size_t i = 0; i < cat->connection_count && !search.found; i++) {
        search.found = cat_terrain_in(cat->connections[i].terrains, terrain);
        connect_bridges_visit(r->config, i, on_product, &search);
    }
    return search.found;
}

ptl_coverage_reason reach_terrain_reason(const reach *r, uint16_t terrain, uint16_t *by)
{
    const catalogue *cat = r->config->cat;
    bool in_piece = false;
    *by = CAT_NONE;
    for (size_t i = 0; i < cat->special_count; i++) {
        const cat_special *s = &cat->specials[i];
        if (reach_special_has(r, i, terrain)) {
            *by = (uint16_t)i;
            return PTL_COVERAGE_PLACER;
        }
        if (!in_piece && pieces_have(cat, s, NULL, terrain)) {
            *by = (uint16_t)i;
            in_piece = true;
        }
    }
    return in_piece                    ? PTL_COVERAGE_PIECE
           : in_connection(r, terrain) ? PTL_COVERAGE_CONNECTION
           : made_below(r, terrain)    ? PTL_COVERAGE_STEP_OFF
                                       : PTL_COVERAGE_UNNAMED;
}
