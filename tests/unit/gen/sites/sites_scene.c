#include "unit/gen/sites/test_sites.h"

#include "gen/connect/connect.h"
#include "gen/pipeline.h"
#include "gen/sites/sites_impl.h"
#include "support/land_catalogue.h"

#include <stdlib.h>
#include <string.h>

/* The terrains that chunks are made of, those of the ground first. */
static const char *const KINDS[] = {"field",    "forest",       "forest_thick", "forest_water",
                                    "road_ns",  "river_center", "lake_surface", "house_north",
                                    "sewer_ew", "empty_rock",   "open_air",     "rock"};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0], GROUND_KINDS = 8 };

static uint16_t terrain_of_kind(const catalogue *cat, size_t kind)
{
    return cat->oters[catalogue_oter(cat, KINDS[kind])].terrain;
}

static void put(uint64_t *set, uint16_t terrain)
{
    set[terrain / 64] |= UINT64_C(1) << (terrain % 64);
}

site_content *site_content_new(void)
{
    site_content *c = calloc(1, sizeof *c);
    ck_assert_ptr_nonnull(c);
    c->cat = *town_catalogue();
    ck_assert_uint_le(c->cat.terrain_count, 64 * SITE_SET_WORDS);
    c->cat.specials = c->specials;
    c->cat.special_count = 0;
    for (size_t i = 0; i < SITE_SPECIALS; i++)
        c->specials[i] = (cat_special){.id = "special",
                                       .key = i,
                                       .rotate = true,
                                       .occurrences_max = 1,
                                       .city_distance = {0, PTL_UNBOUNDED},
                                       .city_sizes = {0, PTL_UNBOUNDED},
                                       .omts = c->omts[i],
                                       .links = c->links[i],
                                       .nested = c->nested[i]};
    return c;
}

ptl_terrain_set site_set(site_content *c, size_t index, const char *const *types)
{
    memset(c->sets[index], 0, sizeof c->sets[index]);
    for (; *types; types++) {
        const uint16_t terrain = catalogue_terrain(&c->cat, *types);
        ck_assert_msg(terrain != CAT_NONE, "no terrain %s", *types);
        put(c->sets[index], terrain);
    }
    return c->sets[index];
}

/* Most have most kinds of ground; a few are rare, one is empty, two are equal. */
static void random_sets(site_content *c, rng *r)
{
    for (size_t i = 2; i < SITE_SETS; i++) {
        const bool rare = rng_one_in(r, 4);
        for (size_t k = 0; k < KIND_COUNT; k++)
            if (rare ? rng_one_in(r, 8) : !rng_one_in(r, k < GROUND_KINDS ? 5 : 2))
                put(c->sets[i], terrain_of_kind(&c->cat, k));
    }
    memcpy(c->sets[1], c->sets[2], sizeof c->sets[1]);
}

static ptl_terrain_set any_set(site_content *c, rng *r)
{
    const bool empty = rng_one_in(r, 200);
    return c->sets[empty ? 0 : rng_range(r, 1, SITE_SETS - 1)];
}

static int8_t any_z(rng *r)
{
    return (int8_t)(rng_one_in(r, 2) ? 0 : rng_one_in(r, 40) ? 10 : rng_range(r, -3, 2));
}

/* A few rectangles of cells, one set each, now and then a lone cell of another. */
static void random_omts(site_content *c, rng *r, size_t index)
{
    cat_special *s = &c->specials[index];
    const int32_t size = rng_range(r, 1, 6), x0 = rng_range(r, -4, 3), y0 = rng_range(r, -4, 3);
    for (int n = rng_range(r, 1, 3); n-- > 0;) {
        const ptl_terrain_set set = any_set(c, r);
        const int8_t z = any_z(r);
        const bool own = rng_one_in(r, 2);
        const int32_t w = rng_range(r, 1, size), h = rng_range(r, 1, size);
        const int32_t x = x0 + rng_range(r, 0, 3), y = y0 + rng_range(r, 0, 3);
        for (int32_t i = 0; i < w * h && s->omt_count < SITE_OMTS; i++) {
            cat_omt *t = &c->omts[index][s->omt_count++];
            *t = (cat_omt){.z = z, .own = own, .allows = set};
            t->x = (int16_t)(x + i % w);
            t->y = (int16_t)(y + i / w);
            if (rng_one_in(r, 20))
                t->allows = any_set(c, r);
        }
    }
}

cat_mutable *site_layout(site_content *c, size_t special)
{
    for (int i = 0; i < 2; i++)
        c->joins[special][i] = (cat_join){"join", (uint16_t)(1 - i), c->sets[0], true};
    for (uint16_t i = 0; i < SITE_PIECES; i++) {
        cat_piece *piece = &c->pieces[special][i];
        piece->allows = c->sets[0];
        for (int side = 0; side < PTL_SIDES; side++)
            piece->sides[side].join = -1;
        c->rule_pieces[special][i] = (cat_rule_piece){.piece = i};
        c->rules[special][i] = (cat_rule){.pieces = &c->rule_pieces[special][i],
                                          .piece_count = 1,
                                          .weight = 1,
                                          .join = -1,
                                          .scale = -1,
                                          .rotate = true};
    }
    c->phases[special] = (cat_phase){&c->rules[special][1], SITE_PIECES - 1};
    c->layouts[special] = (cat_mutable){.joins = c->joins[special],
                                        .join_count = 2,
                                        .pieces = c->pieces[special],
                                        .piece_count = SITE_PIECES,
                                        .phases = &c->phases[special],
                                        .phase_count = 1};
    return &c->layouts[special];
}

/* Joins into some sets, and sides that meet or don't. */
static cat_mutable *random_layout(site_content *c, rng *r, size_t index)
{
    cat_mutable *m = site_layout(c, index);
    for (int i = 0; i < 2; i++) {
        c->joins[index][i].into = any_set(c, r);
        c->joins[index][i].own = rng_one_in(r, 2);
    }
    for (int i = 0; i < SITE_PIECES; i++) {
        cat_piece *piece = &c->pieces[index][i];
        piece->allows = any_set(c, r);
        for (int side = 0; side < PTL_SIDES; side++)
            if (rng_one_in(r, i == 0 ? 4 : 2))
                piece->sides[side] = (cat_side){.join = (int16_t)rng_range(r, 0, 1),
                                                .type = (uint8_t)rng_below(r, 4)};
    }
    return m;
}

/* Of a mutable special, or of a fixed one beside its OMTs. */
static void random_checks(site_content *c, rng *r, size_t index)
{
    cat_special *s = &c->specials[index];
    if (s->omt_count == 0)
        s->layout = random_layout(c, r, index);
    s->checks = c->checks[index];
    for (int n = rng_range(r, 1, SITE_CHECKS); n-- > 0;) {
        cat_check *k = &c->checks[index][s->check_count++];
        k->allows = any_set(c, r);
        k->own = s->layout || rng_one_in(r, 2);
        k->x0 = (int16_t)rng_range(r, -6, 4);
        k->y0 = (int16_t)rng_range(r, -6, 4);
        k->x1 = (int16_t)(k->x0 + (rng_one_in(r, 2) ? 0 : rng_range(r, 0, 9)));
        k->y1 = (int16_t)(k->y0 + (rng_one_in(r, 2) ? 0 : rng_range(r, 0, 9)));
        k->z0 = any_z(r);
        k->z1 = (int8_t)(k->z0 + (rng_one_in(r, 3) ? 1 : 0));
    }
}

static void random_links(site_content *c, rng *r, size_t index)
{
    cat_special *s = &c->specials[index];
    for (int n = rng_range(r, 0, SITE_LINKS); n-- > 0;) {
        cat_link *k = &c->links[index][s->link_count++];
        k->x = (int16_t)rng_range(r, -6, 6);
        k->y = (int16_t)rng_range(r, -6, 6);
        k->z = (int8_t)(rng_one_in(r, 3) ? any_z(r) : 0);
        k->direction = -1;
        k->existing = rng_one_in(r, 4);
        k->connection = (uint16_t)rng_below(r, c->cat.connection_count);
        k->carries =
            rng_one_in(r, 2) ? any_set(c, r) : c->cat.connections[k->connection].terrains;
    }
}

void site_content_random(site_content *c, rng *r, size_t count)
{
    random_sets(c, r);
    for (size_t i = 0; i < count; i++) {
        cat_special *s = &c->specials[i];
        if (rng_one_in(r, 4))
            random_checks(c, r, i);
        else if (!rng_one_in(r, 20))
            random_omts(c, r, i);
        if (s->omt_count > 0 && rng_one_in(r, 4))
            random_checks(c, r, i);
        if (rng_one_in(r, 2))
            random_links(c, r, i);
        for (int n = i > 0 && rng_one_in(r, 4) ? rng_range(r, 1, SITE_NESTED) : 0; n-- > 0;) {
            cat_nested *k = &c->nested[i][s->nested_count++];
            k->special = (uint16_t)rng_below(r, i); /* so that there are no cycles */
            k->x = (int16_t)rng_range(r, -9, 9);
            k->y = (int16_t)rng_range(r, -9, 9);
            k->z = (int8_t)(rng_one_in(r, 4) ? rng_range(r, -2, 2) : 0);
        }
    }
    c->cat.special_count = count;
}

site_scene scene_new(site_content *content, bool compat)
{
    site_scene s = {.content = content};
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.region = "dry";
    options.compat = compat;
    ck_assert_int_eq(gen_config_new(&s.config, &content->cat, &options, NULL), PTL_OK);
    s.g = generator_new(s.config);
    s.chunk = chunk_new((ptl_chunk_pos){3, -2});
    ck_assert(s.g && s.chunk);
    for (int i = 0; i < PTL_LEVELS; i++)
        level_fill(&s.chunk->levels[i], s.config->defaults[i]);
    s.g->chunk = s.chunk;
    s.g->ground = cells_at(s.g, 0);
    s.g->running = pipeline_step(&overmap_pipeline, 0);
    return s;
}

void scene_dispose(site_scene *s)
{
    s->g->chunk = NULL;
    generator_free(s->g);
    gen_config_free(s->config);
    ptl_chunk_free(s->chunk);
    free(s->content);
}

ptl_oter scene_oter(const site_scene *s, rng *r, int32_t z)
{
    const bool deep = z != 0 && !rng_one_in(r, 3);
    const size_t kind = deep ? GROUND_KINDS + rng_below(r, KIND_COUNT - GROUND_KINDS)
                             : rng_below(r, KIND_COUNT);
    return catalogue_oter(s->config->cat, KINDS[kind]);
}

/* Through cell_set, so that it may be watched or not. */
static void paint(site_scene *s, rng *r, int32_t z, int32_t most)
{
    const ptl_oter oter = scene_oter(s, r, z);
    const int32_t x0 = rng_range(r, -3, SIZE - 1), y0 = rng_range(r, -3, SIZE - 1);
    const int32_t w = rng_range(r, 1, most), h = rng_range(r, 1, most);
    ptl_oter *cells = cells_at(s->g, z);
    ck_assert_ptr_nonnull(cells);
    for (int32_t y = y0; y < y0 + h; y++)
        for (int32_t x = x0; x < x0 + w; x++)
            if (inside(x, y))
                cell_set(s->g, cells, z, y * SIZE + x, oter);
}

void scene_random(site_scene *s, rng *r)
{
    for (int n = 0; n < 90; n++)
        paint(s, r, 0, rng_one_in(r, 6) ? 60 : 9);
    for (int32_t z = -3; z <= 3; z++)
        for (int n = z != 0 && rng_one_in(r, 2) ? rng_range(r, 0, 25) : 0; n-- > 0;)
            paint(s, r, z, 12);
}

/* Cells of a special that stands, some of which are changed afterwards or were before. Now and
 * then there are more than the map remembers one by one. */
static void own(site_scene *s, rng *r)
{
    const bool large = rng_one_in(r, 5);
    const int32_t side = large ? 24 : 9;
    const int32_t x0 = rng_range(r, 0, SIZE - 1), y0 = rng_range(r, 0, SIZE - 1);
    const int32_t z = rng_one_in(r, 2) ? 0 : rng_range(r, -4, 4);
    for (int n = rng_range(r, 1, large ? 2 * OWNED_LATEST : 30); n-- > 0;) {
        const int32_t x = x0 + rng_range(r, 0, side), y = y0 + rng_range(r, 0, side);
        if (inside(x, y))
            site_own(s->g, x, y, z);
    }
}

void scene_change(site_scene *s, rng *r)
{
    for (int n = rng_range(r, 0, 3); n-- > 0;)
        own(s, r);
    for (int n = rng_range(r, 1, 12); n-- > 0;)
        paint(s, r, rng_one_in(r, 3) ? rng_range(r, -4, 4) : 0, rng_one_in(r, 5) ? 30 : 3);
}

/* ---- the definition ---- */

static bool is_inner(int32_t x, int32_t y, int32_t z)
{
    return x >= 1 && x <= SIZE - 2 && y >= 1 && y <= SIZE - 2 && z >= PTL_Z_MIN &&
           z <= PTL_Z_MAX;
}

static ptl_oter oter_at(const site_scene *s, int32_t x, int32_t y, int32_t z)
{
    const level *l = chunk_level(s->chunk, z);
    return l->cells ? l->cells[y * SIZE + x] : l->fill;
}

/* Of the set and no more. */
static bool cell_is_of(const site_scene *s, int32_t x, int32_t y, int32_t z,
                       ptl_terrain_set set)
{
    return is_inner(x, y, z) && !site_owned(s->g, z, y * SIZE + x) &&
           cat_terrain_in(set, s->config->cat->oters[oter_at(s, x, y, z)].terrain);
}

static bool cell_takes(const site_scene *s, int32_t x, int32_t y, int32_t z,
                       ptl_terrain_set set, bool own)
{
    if (!is_inner(x, y, z) || site_owned(s->g, z, y * SIZE + x))
        return false;
    const ptl_oter oter = oter_at(s, x, y, z);
    if (cell_is_of(s, x, y, z, set))
        return true;
    return z != 0 && (!own || s->config->options.compat) &&
           oter == s->config->defaults[z - PTL_Z_MIN];
}

static bool check_holds(const site_scene *s, const cat_check *k, int rotation, int32_t x,
                        int32_t y, int32_t z)
{
    for (int32_t cz = k->z0; cz <= k->z1; cz++)
        for (int32_t cy = k->y0; cy <= k->y1; cy++)
            for (int32_t cx = k->x0; cx <= k->x1; cx++) {
                int32_t dx, dy;
                feature_rotate(cx, cy, rotation, &dx, &dy);
                if (!cell_takes(s, x + dx, y + dy, z + cz, k->allows, k->own))
                    return false;
            }
    return true;
}

static bool stands(const site_scene *s, uint16_t special, int rotation, int32_t x, int32_t y,
                   int32_t z)
{
    const cat_special *p = &s->config->cat->specials[special];
    int32_t dx, dy;
    for (size_t i = 0; i < p->omt_count; i++) {
        const cat_omt *t = &p->omts[i];
        feature_rotate(t->x, t->y, rotation, &dx, &dy);
        if (!cell_takes(s, x + dx, y + dy, z + t->z, t->allows, t->own))
            return false;
    }
    for (size_t i = 0; i < p->check_count; i++)
        if (!check_holds(s, &p->checks[i], rotation, x, y, z))
            return false;
    for (size_t i = 0; i < p->nested_count; i++) {
        const cat_nested *n = &p->nested[i];
        feature_rotate(n->x, n->y, rotation, &dx, &dy);
        if (!stands(s, n->special, rotation, x + dx, y + dy, z + n->z))
            return false;
    }
    return true;
}

/* May any of the pieces that rules place come to the cell, to meet a side that faces it? */
static bool any_comes(const site_scene *s, const cat_mutable *m, int side, int32_t x, int32_t y,
                      int32_t z)
{
    const uint16_t wanted = m->joins[m->pieces[m->root].sides[side].join].opposite;
    for (size_t i = 0; i < m->phases->rule_count; i++) {
        const cat_piece *piece = &m->pieces[m->phases->rules[i].pieces->piece];
        for (int k = 0; k < PTL_SIDES; k++) {
            const bool faces = side < 4            ? k < 4
                               : side == CAT_ABOVE ? k == CAT_BELOW
                                                   : k == CAT_ABOVE;
            if (faces && piece->sides[k].join == wanted &&
                piece->sides[k].type != PTL_JOIN_REJECT &&
                cell_is_of(s, x, y, z, piece->allows))
                return true;
        }
    }
    return false;
}

/* Are the root's mandatory sides as they must be? */
static bool root_leads(const site_scene *s, const cat_mutable *m, int rotation, int32_t x,
                       int32_t y)
{
    static const int DX[PTL_SIDES] = {0, 1, 0, -1}, DY[PTL_SIDES] = {-1, 0, 1},
                     DZ[PTL_SIDES] = {[CAT_ABOVE] = 1, [CAT_BELOW] = -1};
    for (int side = 0; side < PTL_SIDES; side++) {
        const cat_side *own = &m->pieces[m->root].sides[side];
        if (own->join < 0 || own->type != PTL_JOIN_MANDATORY)
            continue;
        const int at = side < 4 ? (side + rotation) % 4 : side;
        const int32_t bx = x + DX[at], by = y + DY[at], bz = DZ[at];
        const bool leads =
            s->config->options.compat ||
            cell_takes(s, bx, by, bz, m->joins[own->join].into, m->joins[own->join].own);
        if (!leads || !any_comes(s, m, side, bx, by, bz))
            return false;
    }
    return true;
}

bool truly_ground(const site_scene *s, uint16_t special, int rotation, int32_t x, int32_t y)
{
    const cat_special *p = &s->config->cat->specials[special];
    const bool asks = p->omt_count > 0 || (p->layout && p->check_count > 0);
    return asks && stands(s, special, rotation, x, y, 0) &&
           (!p->layout || root_leads(s, p->layout, rotation, x, y));
}

bool truly_linked(const site_scene *s, uint16_t special, int rotation, int32_t x, int32_t y)
{
    const cat_special *p = &s->config->cat->specials[special];
    for (size_t i = 0; i < p->link_count; i++) {
        const cat_link *k = &p->links[i];
        int32_t dx, dy;
        feature_rotate(k->x, k->y, rotation, &dx, &dy);
        if (!is_inner(x + dx, y + dy, k->z))
            return false;
        const ptl_oter oter = oter_at(s, x + dx, y + dy, k->z);
        if (!cat_terrain_in(k->carries, s->config->cat->oters[oter].terrain) &&
            (k->existing || !connect_turns(s->g, k->connection, oter)))
            return false;
    }
    return true;
}

int truly_scored(const site_scene *s, uint16_t special, int rotation, int32_t x, int32_t y)
{
    const cat_special *p = &s->config->cat->specials[special];
    int score = 0;
    for (size_t i = 0; i < p->link_count; i++) {
        const cat_link *k = &p->links[i];
        int32_t dx, dy;
        feature_rotate(k->x, k->y, rotation, &dx, &dy);
        if (is_inner(x + dx, y + dy, k->z) &&
            cat_terrain_in(k->carries,
                           s->config->cat->oters[oter_at(s, x + dx, y + dy, k->z)].terrain))
            score++;
    }
    return score;
}

/* ---- sets ---- */

static void wipe_outside(site_bits *bits, site_box box)
{
    memset(bits->words, 0, (size_t)box.y0 * SITE_WORDS * sizeof *bits->words);
    memset(&bits->words[(box.y1 + 1) * SITE_WORDS], 0,
           (size_t)(SIZE - 1 - box.y1) * SITE_WORDS * sizeof *bits->words);
}

void site_ground(generator *g, uint16_t special, int rotation, site_bits *out)
{
    const site_special *s = site_special_of(g, special);
    const site_terms range = site_ground_terms(s, rotation);
    const site_asked asked = {range, range.box, NULL};
    if (s->possible && site_meet_terms(g, &asked, out, NULL))
        wipe_outside(out, range.box);
    else
        memset(out, 0, sizeof *out);
}

void site_links(generator *g, uint16_t special, int rotation, site_bits *bits)
{
    const site_special *s = site_special_of(g, special);
    const site_terms range = site_link_terms(s, rotation);
    const site_asked asked = {range, range.box, bits};
    if (s->possible && s->linkable && site_meet_terms(g, &asked, bits, NULL))
        wipe_outside(bits, range.box);
    else
        memset(bits, 0, sizeof *bits);
}

void site_or(site_bits *bits, const site_bits *other)
{
    for (int32_t i = 0; i < SITE_CELLS; i++)
        bits->words[i] |= other->words[i];
}

bool site_possible(const generator *g, uint16_t special)
{
    return site_special_of(g, special)->possible;
}
