/* Describes a catalogue's specials and their parts: tiles, pieces, joins and phases
 * (portolan/catalogue.h). */
#include "model/catalogue.h"
#include "world/entries.h"

#include <stddef.h>

/* Returns a special by its number, or NULL if there is none. */
static const cat_special *special_of(const catalogue *c, size_t number)
{
    return number < c->special_count ? &c->specials[number] : NULL;
}

/* Returns the layout of a mutable special; NULL if there is no such special, or if it is
 * fixed. */
static const cat_mutable *layout_of(const catalogue *c, size_t number)
{
    return number < c->special_count ? c->specials[number].layout : NULL;
}

ptl_status ptl_catalogue_special(ptl_special *out, const ptl_catalogue *c, size_t number)
{
    const cat_special *s = special_of(c, number);
    if (!s)
        return ENTRY_NONE(ptl_special, out, .id = "", .monster_group = "");
    ptl_special local = {.id = s->id,
                         .kind = s->building ? PTL_SPECIAL_BUILDING
                                 : s->layout ? PTL_SPECIAL_MUTABLE
                                             : PTL_SPECIAL_FIXED,
                         .rotate = s->rotate,
                         .conditional = s->conditional,
                         .flags = s->flags,
                         .occurrences = {s->occurrences_min, s->occurrences_max},
                         .city_distance = s->city_distance,
                         .city_sizes = s->city_sizes,
                         .priority = s->priority,
                         .monster_group = s->spawns.group ? s->spawns.group : "",
                         .monsters = {s->spawns.population_min, s->spawns.population_max},
                         .monster_radius = {s->spawns.radius_min, s->spawns.radius_max},
                         .omt_count = s->omt_count,
                         .link_count = s->link_count,
                         .nested_count = s->nested_count,
                         .check_count = s->check_count};
    if (s->omt_count > 0) {
        local.x0 = s->x0;
        local.y0 = s->y0;
        local.x1 = s->x1;
        local.y1 = s->y1;
        local.z0 = s->z0;
        local.z1 = s->z1;
    }
    if (s->layout) {
        local.piece_count = s->layout->piece_count;
        local.root = s->layout->root;
        local.join_count = s->layout->join_count;
        local.phase_count = s->layout->phase_count;
        local.shared_count = s->layout->shared_count;
    }
    return ENTRY_GIVE(ptl_special, out, &local);
}

ptl_status ptl_catalogue_special_omt(ptl_special_omt *out, const ptl_catalogue *c,
                                     size_t special, size_t number)
{
    const cat_special *s = special_of(c, special);
    const cat_omt *t = s && number < s->omt_count ? &s->omts[number] : NULL;
    if (!t)
        return ENTRY_NONE(ptl_special_omt, out, .x = 0);
    const ptl_special_omt local = {
        .x = t->x,
        .y = t->y,
        .z = t->z,
        .oters = {t->oters[0], t->oters[1], t->oters[2], t->oters[3]},
        .own_locations = t->own,
        .allows = t->allows};
    return ENTRY_GIVE(ptl_special_omt, out, &local);
}

ptl_status ptl_catalogue_special_link(ptl_special_link *out, const ptl_catalogue *c,
                                      size_t special, size_t number)
{
    const cat_special *s = special_of(c, special);
    const cat_link *l = s && number < s->link_count ? &s->links[number] : NULL;
    if (!l)
        return ENTRY_NONE(ptl_special_link, out, .x = 0);
    const ptl_special_link local = {.x = l->x,
                                    .y = l->y,
                                    .z = l->z,
                                    .direction = l->direction,
                                    .existing = l->existing,
                                    .connection = l->connection,
                                    .carries = l->carries};
    return ENTRY_GIVE(ptl_special_link, out, &local);
}

ptl_status ptl_catalogue_special_nested(ptl_special_nested *out, const ptl_catalogue *c,
                                        size_t special, size_t number)
{
    const cat_special *s = special_of(c, special);
    const cat_nested *n = s && number < s->nested_count ? &s->nested[number] : NULL;
    if (!n)
        return ENTRY_NONE(ptl_special_nested, out, .x = 0);
    const ptl_special_nested local = {.x = n->x, .y = n->y, .z = n->z, .special = n->special};
    return ENTRY_GIVE(ptl_special_nested, out, &local);
}

ptl_status ptl_catalogue_special_check(ptl_special_check *out, const ptl_catalogue *c,
                                       size_t special, size_t number)
{
    const cat_special *s = special_of(c, special);
    const cat_check *k = s && number < s->check_count ? &s->checks[number] : NULL;
    if (!k)
        return ENTRY_NONE(ptl_special_check, out, .x0 = 0);
    const ptl_special_check local = {.x0 = k->x0,
                                     .y0 = k->y0,
                                     .z0 = k->z0,
                                     .x1 = k->x1,
                                     .y1 = k->y1,
                                     .z1 = k->z1,
                                     .own_locations = k->own,
                                     .allows = k->allows};
    return ENTRY_GIVE(ptl_special_check, out, &local);
}

/* ---- of mutable ones ---- */

ptl_status ptl_catalogue_special_piece(ptl_special_piece *out, const ptl_catalogue *c,
                                       size_t special, size_t number)
{
    const cat_mutable *layout = layout_of(c, special);
    if (!layout || number >= layout->piece_count)
        return ENTRY_NONE(ptl_special_piece, out, .id = "");
    const cat_piece *p = &layout->pieces[number];
    ptl_special_piece local = {.id = p->id, .allows = p->allows};
    for (size_t i = 0; i < 4; i++)
        local.oters[i] = p->oters[i];
    for (size_t i = 0; i < PTL_SIDES; i++) {
        const cat_side *s = &p->sides[i];
        local.sides[i] = (ptl_piece_side){.join = s->join,
                                          .type = (ptl_join_type)s->type,
                                          .alternative_count = s->alternative_count,
                                          .alternatives = s->alternatives};
        local.connections[i] = p->connections[i];
    }
    return ENTRY_GIVE(ptl_special_piece, out, &local);
}

ptl_status ptl_catalogue_special_join(ptl_special_join *out, const ptl_catalogue *c,
                                      size_t special, size_t number)
{
    const cat_mutable *layout = layout_of(c, special);
    const cat_join *j = layout && number < layout->join_count ? &layout->joins[number] : NULL;
    if (!j)
        return ENTRY_NONE(ptl_special_join, out, .id = "");
    const ptl_special_join local = {.id = j->id, .opposite = j->opposite, .into = j->into};
    return ENTRY_GIVE(ptl_special_join, out, &local);
}

/* ---- how they grow ---- */

/* Returns a phase of a mutable special, or NULL if there is none. */
static const cat_phase *phase_of(const catalogue *c, size_t special, size_t number)
{
    const cat_mutable *layout = layout_of(c, special);
    return layout && number < layout->phase_count ? &layout->phases[number] : NULL;
}

static const cat_rule *rule_of(const catalogue *c, size_t special, size_t phase, size_t number)
{
    const cat_phase *p = phase_of(c, special, phase);
    return p && number < p->rule_count ? &p->rules[number] : NULL;
}

ptl_status ptl_catalogue_special_phase(ptl_special_phase *out, const ptl_catalogue *c,
                                       size_t special, size_t number)
{
    const cat_phase *p = phase_of(c, special, number);
    if (!p)
        return ENTRY_NONE(ptl_special_phase, out, .rule_count = 0);
    const ptl_special_phase local = {.rule_count = p->rule_count};
    return ENTRY_GIVE(ptl_special_phase, out, &local);
}

ptl_status ptl_catalogue_special_rule(ptl_special_rule *out, const ptl_catalogue *c,
                                      size_t special, size_t phase, size_t number)
{
    const cat_rule *r = rule_of(c, special, phase, number);
    if (!r)
        return ENTRY_NONE(ptl_special_rule, out, .name = "");
    const ptl_special_rule local = {.name = r->name,
                                    .piece_count = r->piece_count,
                                    .max = r->max,
                                    .shared = r->scale,
                                    .weight = r->weight,
                                    .join = r->join,
                                    .z = r->z,
                                    .rotate = r->rotate,
                                    .has_overmap = r->has_overmap,
                                    .overmap_x = r->overmap_x,
                                    .overmap_y = r->overmap_y};
    return ENTRY_GIVE(ptl_special_rule, out, &local);
}

ptl_status ptl_catalogue_special_rule_piece(ptl_special_rule_piece *out, const ptl_catalogue *c,
                                            size_t special, size_t phase, size_t rule,
                                            size_t number)
{
    const cat_rule *r = rule_of(c, special, phase, rule);
    const cat_rule_piece *p = r && number < r->piece_count ? &r->pieces[number] : NULL;
    if (!p)
        return ENTRY_NONE(ptl_special_rule_piece, out, .piece = 0);
    const ptl_special_rule_piece local = {
        .piece = p->piece, .x = p->x, .y = p->y, .z = p->z, .rotation = p->rotation};
    return ENTRY_GIVE(ptl_special_rule_piece, out, &local);
}

ptl_status ptl_catalogue_special_shared(ptl_special_shared *out, const ptl_catalogue *c,
                                        size_t special, size_t number)
{
    const cat_mutable *layout = layout_of(c, special);
    if (!layout || number >= layout->shared_count)
        return ENTRY_NONE(ptl_special_shared, out, .size = 0);
    const ptl_special_shared local = {.amount = layout->shared[number]};
    return ENTRY_GIVE(ptl_special_shared, out, &local);
}
