/*
 * Finds levels on which no region has terrain for a mutable special's pieces. A piece may be on
 * a level if two things hold: some terrain on which the piece may lie can be there, and each
 * mandatory side of the piece can be met by a piece that may be on the level to which that side
 * leads. A special is reported if no level is left for its root (the first piece of a growth),
 * though all joins could be met if terrain did not matter: then no growth ever succeeds.
 * gen/mutable/growth_phase.c decides the same for a chunk.
 */
#include "content/special/special_check_ground.h"
#include "content/types/region.h"

#include <string.h>

enum {
    LEVELS = 2 * SPECIAL_LEVEL_MAX + 1,
    ALL_LEVELS = (1 << LEVELS) - 1, /* a bit for each level: bit z + 10 */
    GROUND = 1 << SPECIAL_LEVEL_MAX
};

/* ---- which terrains can lie on which levels ---- */

/* Adds the terrains of city buildings to those that may lie on each level before specials are
 * placed: cities come first. */
static void add_buildings(static_check *c)
{
    const special_model *m = c->im->specials;
    for (size_t i = 0; i < m->current_count; i++) {
        const special *sp = m->current[i];
        const bool stands = sp->building && !sp->wrong && !sp->orphan && !sp->left_out;
        for (size_t k = 0; stands && k < sp->omt_count; k++) {
            const int32_t z = sp->omts[k].point[2];
            const terrain_type *type = terrain_type_of(c->im, sp->omts[k].oter);
            if (type)
                check_add_type(c, c->made[1 + (z > 0) - (z < 0)], type->id);
        }
    }
}

/* Finds the terrains that may lie below, on and above the ground. On the ground these are all
 * except the default terrains of other levels. */
static void find_made(static_check *c)
{
    for (int i = 0; i < 3; i++)
        c->made[i] = check_new_bits(c);
    if (import_ended(c->im))
        return;
    for (size_t w = 0; w < c->words; w++)
        c->made[1][w] =
            ~((c->levels[0] ? c->levels[0][w] : 0) | (c->levels[1] ? c->levels[1][w] : 0));
    for (int i = 0; i < 3; i += 2) {
        bits_add(c, c->made[i], c->levels[i == 0]);
        static const char *const flags[] = {"RIVER",       "LAKE",        "LAKE_SHORE",
                                            "OCEAN",       "OCEAN_SHORE", "RAVINE",
                                            "RAVINE_EDGE", "BRIDGE",      "HIGHWAY"};
        const struct terrain_model *model = c->im->terrains;
        for (size_t t = 0; t < model->type_count; t++)
            for (size_t k = 0; k < sizeof flags / sizeof flags[0]; k++)
                if (string_list_has(&model->types[t].values->flags, flags[k]))
                    c->made[i][t / 64] |= UINT64_C(1) << t % 64;
        /* Adds the terrains that Portolan's own steps of generation put above or below the
         * ground before specials are placed. */
        static const char *const names[] = {
            "lake_water_cube", "lake_bed",     "lake_underwater_shore", "ocean_water_cube",
            "ocean_bed",       "ravine_floor", "ravine_floor_edge"};
        static const char *const tunnels[] = {"subway_tunnel", "sewer_tunnel"};
        const string_list *locations = NULL;
        for (size_t j = 0; j < sizeof names / sizeof names[0]; j++)
            check_add_type(c, c->made[i], names[j]);
        for (size_t j = 0; j < sizeof tunnels / sizeof tunnels[0]; j++) {
            const char *terrain;
            for (size_t k = 0;
                 (terrain = connection_subtype_at(c->im, tunnels[j], k, &locations)) != NULL;
                 k++)
                check_add_type(c, c->made[i], terrain);
        }
    }
    add_buildings(c);
}

/* ---- on which levels pieces can be ---- */

typedef struct hope {
    reach *r;
    uint32_t *ground; /* for each piece, the levels that have ground for it */
    uint32_t *levels; /* for each piece, the levels at which the piece may be */
    /* For each piece and level, the side because of which the piece can't be on that level. */
    uint8_t *causes;
    bool *used; /* for each piece: does some rule place it? */
    /* True: a piece needs a level with fitting terrain; false: any terrain will do. */
    bool grounds;
} hope;

static uint32_t levels_with(const hope *h, const uint64_t *ground)
{
    static const uint32_t masks[3] = {GROUND - 1, GROUND, ALL_LEVELS & ~(2 * GROUND - 1)};
    uint32_t levels = 0;
    for (int i = 0; i < 3; i++)
        if (bits_meet(h->r->c, ground, h->r->c->made[i]))
            levels |= masks[i];
    return levels;
}

/* Returns whether the piece number `piece` may lie on the terrain that the piece number `other`
 * puts on the map. */
static bool takes_piece(const hope *h, size_t piece, size_t other)
{
    const terrain_type *type = terrain_type_of(h->r->c->im, h->r->sp->pieces[other].oter);
    const size_t at = type ? (size_t)(type - h->r->c->im->terrains->types) : 0;
    return type && h->r->grounds[piece][at / 64] >> at % 64 & 1;
}

static bool meets_join(const special *sp, const special_side *side, const char *join)
{
    bool meets = strcmp(special_join_find(sp, side->join)->opposite, join) == 0;
    for (size_t i = 0; i < side->alternatives.count && !meets; i++)
        meets = strcmp(special_join_find(sp, side->alternatives.items[i])->opposite, join) == 0;
    return meets;
}

static bool piece_meets(const special *sp, const special_side *side, int direction,
                        const special_piece *piece)
{
    const int first = direction < 4 ? 0 : special_facing_side(direction);
    const int last = direction < 4 ? 3 : first;
    for (int k = first; k <= last; k++) {
        const special_side *other = &piece->sides[k];
        /* Of two neighbouring pieces either may be placed first. So it is enough if the side of
         * one piece accepts the join that the side of the other piece has. */
        if (side->join && other->join && side->type != PTL_JOIN_REJECT &&
            other->type != PTL_JOIN_REJECT &&
            (meets_join(sp, side, other->join) || meets_join(sp, other, side->join)))
            return true;
    }
    return false;
}

/* Returns the levels on which a piece may be so that this side of it can be met by another
 * piece. The root, the first piece of a growth, does not meet itself, because a growth has only
 * one. */
static uint32_t levels_met(hope *h, size_t piece, const special_side *side, int direction)
{
    const special *sp = h->r->sp;
    uint32_t levels = 0;
    h->r->work = h->r->work > sp->piece_count ? h->r->work - sp->piece_count : 0;
    for (size_t q = 0; q < sp->piece_count; q++)
        if (h->levels[q] && (q != piece || h->used[q]) &&
            piece_meets(sp, side, direction, &sp->pieces[q]))
            levels |= h->levels[q];
    const int32_t by = -special_side_steps[direction][2];
    return (by > 0 ? levels << 1 : by < 0 ? levels >> 1 : levels) & ALL_LEVELS;
}

static bool rule_out(hope *h, size_t piece)
{
    const uint32_t before = h->levels[piece];
    for (int side = 0; side < SPECIAL_SIDES && h->levels[piece]; side++) {
        const special_side *own = &h->r->sp->pieces[piece].sides[side];
        if (!own->join || own->type != PTL_JOIN_MANDATORY)
            continue;
        const uint32_t met = levels_met(h, piece, own, side);
        for (uint32_t lost = h->levels[piece] & ~met; lost; lost &= lost - 1)
            h->causes[piece * LEVELS + (size_t)__builtin_ctz(lost)] = (uint8_t)side;
        h->levels[piece] &= met;
    }
    return h->levels[piece] != before;
}

/* Returns whether the root, the first piece of a growth, may be on level 0; also true if
 * finding out would take too many steps. */
static bool has_hope(hope *h)
{
    const special *sp = h->r->sp;
    const size_t root = reach_piece(sp, sp->root);
    /* Finds for each piece the levels on which it has ground. The root, which is the first
     * piece, always counts as having ground on level 0, since its ground is checked
     * elsewhere. */
    for (size_t p = 0; p < sp->piece_count; p++)
        if (h->used[p])
            h->ground[p] = h->grounds ? levels_with(h, h->r->grounds[p]) : (uint32_t)ALL_LEVELS;
    h->ground[reach_piece(sp, sp->root)] |= GROUND;
    for (bool more = h->grounds; more;) {
        more = false;
        for (size_t p = 0; p < sp->piece_count; p++)
            for (size_t q = 0; q < sp->piece_count; q++) {
                if (!h->used[p] || !(h->ground[q] & ~h->ground[p]) || !takes_piece(h, p, q))
                    continue;
                h->ground[p] |= h->ground[q];
                more = true;
            }
    }
    memcpy(h->levels, h->ground, sp->piece_count * sizeof *h->levels);
    for (bool more = true; more && h->r->work > 0;) {
        more = false;
        for (size_t p = 0; p < sp->piece_count; p++)
            more = (h->levels[p] && rule_out(h, p)) || more;
    }
    return h->levels[root] & GROUND || h->r->work == 0;
}

/* ---- reports ---- */

static const char *fill_of(const static_check *c, int32_t z)
{
    const char *stated = region_level(c->im, z), *name = z ? c->level_names[z < 0] : NULL;
    return z == 0 ? "the surface" : stated ? stated : name ? name : "nothing";
}

/* Returns the index of a piece that may stand at the side `direction` of `piece` and has ground
 * on level z; piece_count if there is none. */
static size_t find_next(const hope *h, size_t piece, int direction, int32_t z)
{
    const special *sp = h->r->sp;
    const special_side *side = &sp->pieces[piece].sides[direction];
    size_t q = 0;
    while (q < sp->piece_count &&
           !((q != piece || h->used[q]) && h->ground[q] >> (z + SPECIAL_LEVEL_MAX) & 1 &&
             piece_meets(sp, side, direction, &sp->pieces[q])))
        q++;
    return q;
}

static field side_field(const hope *h, const special_piece *piece, int side)
{
    return field_key(field_key(special_field(h->r->c->im, h->r->sp, "overmaps"), piece->id),
                     special_side_names[side]);
}

/* Reports why the special can never be placed: a chain of pieces, each of which needs the next
 * one at one of its sides. The chain starts at the root (the first piece) and ends at a side at
 * which no piece may lie on the ground that the level has. It has an end, because a piece was
 * found impossible only after the piece that it needs. */
static void say_where(const hope *h)
{
    const special *sp = h->r->sp;
    size_t piece = reach_piece(sp, sp->root);
    int32_t z = 0;
    for (size_t step = 0; step <= sp->piece_count * LEVELS; step++) {
        const int side = h->causes[piece * LEVELS + (size_t)(z + SPECIAL_LEVEL_MAX)];
        const special_side *own = &sp->pieces[piece].sides[side];
        const int32_t beyond = z + special_side_steps[side][2];
        const bool inside = beyond >= -SPECIAL_LEVEL_MAX && beyond <= SPECIAL_LEVEL_MAX;
        const size_t next = inside ? find_next(h, piece, side, beyond) : sp->piece_count;
        if (next < sp->piece_count) {
            piece = next;
            z = beyond;
            continue;
        }
        if (inside)
            field_warning(side_field(h, &sp->pieces[piece], side), MU107,
                          "join '%s' leads to level %d, where no region has ground for a piece "
                          "that meets it ('%s' is there): the special can never be placed",
                          own->join, (int)beyond, fill_of(h->r->c, beyond));
        return;
    }
}

/* Is there ground beyond this side of the root (the first piece of a growth) to which the
 * side's join may point, and on which a piece that meets the side may stand? */
static bool is_led(const hope *h, const special_side *own, int side)
{
    static_check *c = h->r->c;
    const special *sp = h->r->sp;
    const size_t join = reach_join(sp, own->join);
    const int32_t z = special_side_steps[side][2];
    terrain_bits into = c->scratch[1];
    memcpy(into, h->r->into[join], c->words * sizeof *into);
    if (z != 0 && sp->joins[join].into.count == 0)
        bits_add(c, into, c->levels[z < 0]);
    for (size_t w = 0; w < c->words; w++)
        into[w] &= c->made[1 + z][w];
    bool led = false;
    for (size_t q = 0; q < sp->piece_count && !led; q++)
        led = h->used[q] && piece_meets(sp, own, side, &sp->pieces[q]) &&
              bits_meet(c, into, h->r->grounds[q]);
    return led;
}

/* Reports the first mandatory side of the root (the first piece of a growth) that leads
 * nowhere. The games do not check the ground beside the root's sides, so they place such a
 * special. */
static void say_root(const hope *h)
{
    const special *sp = h->r->sp;
    for (int side = 0; side < SPECIAL_SIDES; side++) {
        const special_side *own = &sp->root->sides[side];
        if (!own->join || own->type != PTL_JOIN_MANDATORY || is_led(h, own, side))
            continue;
        const int32_t z = special_side_steps[side][2];
        field_warning(side_field(h, sp->root, side), MU107,
                      "the root's join '%s' leads to level %d, where no region has ground that "
                      "it may lead into and a piece that meets it takes ('%s' is there): only "
                      "worlds with --compat have the special",
                      own->join, (int)z, fill_of(h->r->c, z));
        return;
    }
}

/* Reports a check of the special that demands terrain which no region has on the level of the
 * check. In the games a level's default terrain satisfies any demand. */
static void say_check(static_check *c, special *sp)
{
    terrain_bits asked = c->scratch[1];
    for (size_t i = 0; i < sp->check_count; i++) {
        const special_check *box = &sp->checks[i];
        memset(asked, 0, c->words * sizeof *asked);
        check_add_list(c, &box->locations, asked);
        int32_t z = box->from[2];
        while (z <= box->to[2] && bits_meet(c, asked, c->made[1 + (z > 0) - (z < 0)]))
            z++;
        if (z > box->to[2] || z < -SPECIAL_LEVEL_MAX || z > SPECIAL_LEVEL_MAX)
            continue;
        field_warning(checks_field(c, sp), MU107,
                      "a check asks for ground that no region has on level %d ('%s' is there): "
                      "only worlds with --compat have the special",
                      (int)z, fill_of(c, z));
        return;
    }
}

void check_levels(reach *r)
{
    import *im = r->c->im;
    hope h = {.r = r};
    if (!r->c->made[0])
        find_made(r->c);
    if (!import_ended(im))
        say_check(r->c, r->sp);
    h.ground = import_alloc(im, r->sp->piece_count, sizeof *h.ground);
    h.levels = import_alloc(im, r->sp->piece_count, sizeof *h.levels);
    h.causes = import_alloc(im, r->sp->piece_count * LEVELS, sizeof *h.causes);
    h.used = import_alloc(im, r->sp->piece_count, sizeof *h.used);
    if (import_ended(im))
        return;
    for (size_t i = 0; i < r->rule_count; i++)
        for (size_t k = 0; r->rules[i].active && k < r->rules[i].rule->piece_count; k++)
            h.used[reach_piece(r->sp, r->rules[i].rule->pieces[k].piece)] = true;
    /* The first search for levels of the pieces regards only joins and rules, not the ground.
     * If it finds already that the special's first piece can't be on level 0, nothing is
     * reported here, since another check reports the cause. */
    if (!has_hope(&h))
        return;
    h.grounds = true;
    if (!has_hope(&h))
        say_where(&h);
    else if (r->work > 0)
        say_root(&h);
}
