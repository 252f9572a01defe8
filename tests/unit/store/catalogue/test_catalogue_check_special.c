/*
 * What holds for every special of every catalogue. The turns of tiles and pieces are checked
 * against directions turned by the placer's function. What is wrong is counted, since there are
 * many tiles.
 */
#include "unit/store/catalogue/test_catalogue.h"

#include "core/hash.h"
#include "model/feature.h"

#include <stdlib.h>
#include <string.h>

enum { XY = 179, TILE_Z = 10, PART_Z = 20 };

static bool within(int32_t value, int32_t most)
{
    return value >= -most && value <= most;
}

/* The direction that d becomes in a special turned by `turn`. */
static int turned_direction(int d, int turn)
{
    static const int steps[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    int32_t x, y;
    feature_rotate(steps[d][0], steps[d][1], turn, &x, &y);
    for (int i = 0; i < 4; i++)
        if (steps[i][0] == x && steps[i][1] == y)
            return i;
    return -1;
}

static size_t wrong_turns(const catalogue *cat, const ptl_oter oters[4])
{
    size_t wrong = 0;
    for (int turn = 0; turn < 4; turn++)
        if (oters[turn] >= cat->oter_count)
            return 1;
    const cat_oter *first = &cat->oters[oters[0]];
    for (int turn = 1; turn < 4; turn++) {
        const cat_oter *o = &cat->oters[oters[turn]];
        const uint16_t count = cat->terrains[o->terrain].count;
        wrong += o->terrain != first->terrain;
        wrong += count == 1 && oters[turn] != oters[0];
        wrong += count == 4 && o->rotation != turned_direction(first->rotation, turn);
        for (int d = 0; d < 4 && count == 16; d++)
            wrong += (first->line >> d & 1) != (o->line >> turned_direction(d, turn) & 1);
    }
    return wrong;
}

/* A set can be read to its end, and holds no types that do not exist. */
static size_t wrong_set(const catalogue *cat, ptl_terrain_set set)
{
    if (!set)
        return 1;
    size_t last = cat->terrain_count / 64;
    uint64_t any = 0;
    for (size_t w = 0; w < last; w++)
        any |= set[w];
    (void)any;
    return set[last] >> (cat->terrain_count % 64) != 0;
}

static void check_tiles(const catalogue *cat, const cat_special *s)
{
    int seen = 0;
    size_t wrong = 0;
    for (size_t i = 0; i < s->omt_count; i++) {
        const cat_omt *t = &s->omts[i];
        wrong += t->x < s->x0 || t->x > s->x1 || t->y < s->y0 || t->y > s->y1;
        wrong += t->z < s->z0 || t->z > s->z1;
        seen |= (t->x == s->x0) | (t->x == s->x1) << 1 | (t->y == s->y0) << 2 |
                (t->y == s->y1) << 3 | (t->z == s->z0) << 4 | (t->z == s->z1) << 5;
        wrong += wrong_set(cat, t->allows) + wrong_turns(cat, t->oters);
    }
    ck_assert_uint_eq(wrong, 0);
    ck_assert_int_eq(seen, s->omt_count > 0 ? 63 : 0);
    ck_assert(s->x0 >= -XY && s->x1 <= XY && s->y0 >= -XY && s->y1 <= XY);
    ck_assert(s->z0 >= -TILE_Z && s->z1 <= TILE_Z);
}

static void check_links(const catalogue *cat, const cat_special *s)
{
    size_t wrong = 0;
    for (size_t i = 0; i < s->link_count; i++) {
        const cat_link *k = &s->links[i];
        wrong += !within(k->x, XY) || !within(k->y, XY) || !within(k->z, PART_Z);
        wrong += k->direction < -1 || k->direction > 3;
        wrong += s->layout && k->existing;
        wrong += wrong_set(cat, k->carries);
        ck_assert_uint_lt(k->connection, cat->connection_count);
        for (size_t w = 0; w <= cat->terrain_count / 64; w++)
            wrong += (cat->connections[k->connection].terrains[w] & ~k->carries[w]) != 0;
    }
    ck_assert_uint_eq(wrong, 0);
}

/* How many specials there are in it, with itself; ends since there are no circles. */
static size_t count_nested(const catalogue *cat, const cat_special *s)
{
    size_t count = 1;
    for (size_t i = 0; i < s->nested_count; i++) {
        const cat_nested *n = &s->nested[i];
        ck_assert(within(n->x, XY) && within(n->y, XY) && within(n->z, PART_Z));
        ck_assert_uint_lt(n->special, cat->special_count);
        ck_assert_ptr_ne(&cat->specials[n->special], s);
        count += count_nested(cat, &cat->specials[n->special]);
        ck_assert_uint_le(count, 1000);
    }
    return count;
}

static size_t wrong_amount(const ptl_amount *a)
{
    return a->kind > PTL_AMOUNT_CHANCE || a->low < 0 || a->low > a->high ||
           !(a->mean >= 0 && a->mean <= 1e6);
}

static size_t wrong_side(const cat_mutable *m, const cat_side *side)
{
    size_t wrong = 0;
    wrong += side->join < -1 || side->join >= (int)m->join_count;
    wrong += side->type > PTL_JOIN_REJECT;
    wrong += side->join < 0 && side->alternative_count > 0;
    for (size_t i = 0; i < side->alternative_count; i++)
        wrong += side->alternatives[i] >= m->join_count;
    return wrong;
}

static void check_pieces(const catalogue *cat, const cat_mutable *m)
{
    size_t wrong = 0;
    for (size_t i = 0; i < m->join_count; i++) {
        wrong += m->joins[i].opposite >= m->join_count;
        wrong += m->joins[m->joins[i].opposite].opposite != i;
        wrong += wrong_set(cat, m->joins[i].into);
        for (size_t k = 0; k < i && m->join_count < 50; k++)
            wrong += strcmp(m->joins[i].id, m->joins[k].id) == 0;
    }
    for (size_t i = 0; i < m->piece_count; i++) {
        const cat_piece *p = &m->pieces[i];
        wrong += i > 0 && strcmp(p[-1].id, p->id) >= 0;
        wrong += wrong_set(cat, p->allows) + wrong_turns(cat, p->oters);
        for (int k = 0; k < PTL_SIDES; k++) {
            wrong += wrong_side(m, &p->sides[k]);
            wrong +=
                p->connections[k] != CAT_NONE && p->connections[k] >= cat->connection_count;
        }
    }
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_lt(m->root, m->piece_count);
    ck_assert(m->join_count <= 1000 && m->piece_count <= 1000);
}

static size_t wrong_rule_pieces(const cat_mutable *m, const cat_rule *r)
{
    size_t wrong = r->piece_count == 0;
    for (size_t i = 0; i < r->piece_count; i++) {
        const cat_rule_piece *p = &r->pieces[i];
        wrong += p->piece >= m->piece_count || p->rotation > 3;
        wrong += !within(p->x, XY) || !within(p->y, XY) || !within(p->z, PART_Z);
        for (size_t k = 0; k < i; k++)
            wrong += p->x == r->pieces[k].x && p->y == r->pieces[k].y && p->z == r->pieces[k].z;
    }
    return wrong;
}

static size_t wrong_rule(const cat_mutable *m, const cat_rule *r)
{
    size_t wrong = wrong_rule_pieces(m, r) + wrong_amount(&r->max);
    wrong += !r->name || r->weight < -1;
    wrong += r->join < -1 || r->join >= (int)m->join_count;
    wrong += r->scale < -1 || r->scale >= (int)m->shared_count;
    wrong += r->z.kind > PTL_HEIGHT_OFFSET;
    wrong += (r->z.kind == PTL_HEIGHT_OFFSET) != (r->z.has_top || r->z.has_bottom);
    wrong += !within(r->z.top, PART_Z) || !within(r->z.bottom, PART_Z);
    return wrong;
}

static void check_growth(const catalogue *cat, const cat_special *s)
{
    const cat_mutable *m = s->layout;
    size_t wrong = 0;
    for (size_t i = 0; i < m->shared_count; i++)
        wrong += m->shared[i].kind == PTL_AMOUNT_UNLIMITED || wrong_amount(&m->shared[i]);
    for (size_t i = 0; i < m->phase_count; i++) {
        wrong += m->phases[i].rule_count == 0;
        for (size_t k = 0; k < m->phases[i].rule_count; k++)
            wrong += wrong_rule(m, &m->phases[i].rules[k]);
    }
    for (size_t i = 0; i < s->check_count; i++) {
        const cat_check *c = &s->checks[i];
        wrong += c->x0 > c->x1 || c->y0 > c->y1 || c->z0 > c->z1;
        wrong += !within(c->x0, XY) || !within(c->x1, XY) || !within(c->y0, XY) ||
                 !within(c->y1, XY) || !within(c->z0, PART_Z) || !within(c->z1, PART_Z);
        wrong += wrong_set(cat, c->allows);
    }
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_gt(s->check_count, 0);
}

void check_special(const catalogue *cat, const cat_special *s)
{
    ck_assert_uint_eq(s->key, hash_string(s->id));
    ck_assert(s->city_distance.min <= s->city_distance.max);
    ck_assert(s->city_sizes.min <= s->city_sizes.max);
    const cat_spawns *spawns = &s->spawns;
    ck_assert(spawns->population_min >= 0 && spawns->population_min <= spawns->population_max);
    ck_assert(spawns->radius_min >= 0 && spawns->radius_min <= spawns->radius_max);
    check_tiles(cat, s);
    check_links(cat, s);
    count_nested(cat, s);
    if (!s->layout)
        return;
    ck_assert_uint_eq(s->omt_count, 0);
    check_pieces(cat, s->layout);
    check_growth(cat, s);
}
