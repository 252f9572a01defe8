/* Describes what a catalogue has, one thing at a time (portolan/catalogue.h): terrains, oters,
 * connections and regions, then specials with their OMTs, pieces, joins and phases. */
#include "world/entries.h"

#include "world/world.h"

#include <stdlib.h>

ptl_status ptl_catalogue_load(ptl_catalogue **out, ptl_store *store, ptl_error *err)
{
    error_clear(err);
    *out = NULL;
    return ops(store)->content->load(out, store, err);
}

void ptl_catalogue_free(ptl_catalogue *c)
{
    catalogue_free(c);
}

const ptl_catalogue *ptl_world_catalogue(const ptl_world *world)
{
    return world->cat;
}

const char *ptl_catalogue_digest(const ptl_catalogue *c)
{
    return c->digest;
}

/* ---- counting and finding things of any kind in a catalogue ---- */

size_t ptl_catalogue_count(const ptl_catalogue *c, ptl_content_kind kind)
{
    switch (kind) {
    case PTL_CONTENT_TERRAIN:
        return catalogue_all_terrains(c);
    case PTL_CONTENT_OTER:
        return catalogue_all_oters(c);
    case PTL_CONTENT_LOCATION:
        return c->location_count;
    case PTL_CONTENT_CONNECTION:
        return c->connection_count;
    case PTL_CONTENT_SPECIAL:
        return c->special_count;
    case PTL_CONTENT_REGION:
        return c->region_count;
    }
    return 0;
}

ptl_status ptl_catalogue_find(size_t *out, const ptl_catalogue *c, ptl_content_kind kind,
                              const char *id)
{
    *out = CAT_NONE;
    switch (kind) {
    case PTL_CONTENT_TERRAIN:
        *out = catalogue_terrain(c, id);
        /* After the terrains of the present content, the catalogue has terrains that occur only
         * in contents that the file held earlier. These terrains are few, and are not sorted by
         * id, so they are searched one by one. */
        for (size_t i = c->terrain_count; i < catalogue_all_terrains(c); i++)
            if (*out == CAT_NONE && strcmp(c->terrains[i].id, id) == 0)
                *out = i;
        break;
    case PTL_CONTENT_OTER:
        *out = catalogue_any_oter(c, id);
        break;
    case PTL_CONTENT_LOCATION:
        *out = catalogue_find_id(c->locations, c->location_count, sizeof *c->locations, id);
        break;
    case PTL_CONTENT_CONNECTION:
        *out = catalogue_connection(c, id);
        break;
    case PTL_CONTENT_SPECIAL:
        *out = catalogue_special(c, id);
        break;
    case PTL_CONTENT_REGION:
        *out = catalogue_find_id(c->regions, c->region_count, sizeof *c->regions, id);
        break;
    }
    return *out == CAT_NONE ? PTL_ERR_NOT_FOUND : PTL_OK;
}

/* ---- terrains ---- */

static ptl_terrain_shape shape_of(const cat_terrain *t)
{
    return t->count == 16  ? PTL_TERRAIN_LINE
           : t->count == 4 ? PTL_TERRAIN_ROTATABLE
                           : PTL_TERRAIN_FIXED;
}

ptl_status ptl_catalogue_terrain(ptl_terrain_type *out, const ptl_catalogue *c, size_t number)
{
    if (number >= catalogue_all_terrains(c))
        return ENTRY_NONE(ptl_terrain_type, out, .id = "", .name = "", .color = "");
    const cat_terrain *t = &c->terrains[number];
    const ptl_terrain_type local = {.id = t->id,
                                    .name = t->name,
                                    .color = t->color,
                                    .symbol = t->symbol,
                                    .flags = t->flag_names,
                                    .flag_count = t->flag_count,
                                    .shape = shape_of(t),
                                    .first = t->first,
                                    .count = t->count,
                                    .map_class = (ptl_map_class)t->map_class};
    return ENTRY_GIVE(ptl_terrain_type, out, &local);
}

ptl_status ptl_catalogue_oter(ptl_terrain *out, const ptl_catalogue *c, size_t number)
{
    if (number >= catalogue_all_oters(c))
        return ENTRY_NONE(ptl_terrain, out, .id = "", .type = "", .name = "", .color = "");
    const cat_oter *o = &c->oters[number];
    const cat_terrain *t = &c->terrains[o->terrain];
    const ptl_terrain local = {.id = o->id,
                               .type = t->id,
                               .name = t->name,
                               .color = t->color,
                               .symbol = o->symbol,
                               .flags = t->flag_names,
                               .flag_count = t->flag_count,
                               .type_number = o->terrain,
                               .shape = shape_of(t),
                               .rotation = o->rotation,
                               .arms = o->line,
                               .past = number >= c->oter_count,
                               .map_class = (ptl_map_class)t->map_class};
    return ENTRY_GIVE(ptl_terrain, out, &local);
}

static int compare_flag(const void *flag, const void *listed)
{
    return strcmp(flag, *(const char *const *)listed);
}

bool ptl_terrain_has_flag(const ptl_terrain *terrain, const char *flag)
{
    return terrain->flag_count > 0 && bsearch(flag, terrain->flags, terrain->flag_count,
                                              sizeof *terrain->flags, compare_flag);
}

bool ptl_catalogue_set_has(const ptl_catalogue *c, ptl_terrain_set set, size_t terrain)
{
    return set && terrain < catalogue_all_terrains(c) && cat_terrain_in(set, (uint16_t)terrain);
}

ptl_status ptl_catalogue_location(ptl_location *out, const ptl_catalogue *c, size_t number)
{
    if (number >= c->location_count)
        return ENTRY_NONE(ptl_location, out, .id = "");
    const ptl_location local = {.id = c->locations[number].id,
                                .terrains = c->locations[number].terrains};
    return ENTRY_GIVE(ptl_location, out, &local);
}

/* ---- connections ---- */

ptl_status ptl_catalogue_connection(ptl_connection *out, const ptl_catalogue *c, size_t number)
{
    if (number >= c->connection_count)
        return ENTRY_NONE(ptl_connection, out, .id = "");
    const cat_connection *k = &c->connections[number];
    const ptl_connection local = {.id = k->id,
                                  .default_terrain = k->default_terrain,
                                  .p2p = k->p2p,
                                  .subtype_count = k->subtype_count,
                                  .terrains = k->terrains};
    return ENTRY_GIVE(ptl_connection, out, &local);
}

ptl_status ptl_catalogue_connection_subtype(ptl_connection_subtype *out, const ptl_catalogue *c,
                                            size_t connection, size_t number)
{
    if (connection >= c->connection_count || number >= c->connections[connection].subtype_count)
        return ENTRY_NONE(ptl_connection_subtype, out, .shape = PTL_TERRAIN_FIXED);
    const cat_subtype *s = &c->connections[connection].subtypes[number];
    const ptl_connection_subtype local = {.terrain = s->terrain,
                                          .shape = (ptl_terrain_shape)s->shape,
                                          .orthogonal = s->orthogonal,
                                          .perpendicular = s->perpendicular,
                                          .in_place = s->in_place,
                                          .basic_cost = s->basic_cost,
                                          .weight = s->weight,
                                          .allows = s->allows};
    return ENTRY_GIVE(ptl_connection_subtype, out, &local);
}

/* ---- regions ---- */

ptl_status ptl_catalogue_region(ptl_region *out, const ptl_catalogue *c, size_t number)
{
    if (number >= c->region_count)
        return ENTRY_NONE(ptl_region, out, .id = "");
    const cat_region *r = &c->regions[number];
    const ptl_region local = {.id = r->id,
                              .default_oter = r->default_ter,
                              .river_scale = r->river_scale,
                              .lake_threshold = r->lake_threshold,
                              .lake_size_min = r->lake_size_min,
                              .lake_depth = r->lake_depth,
                              .forest_threshold = r->forest_threshold,
                              .forest_thick_threshold = r->forest_thick_threshold,
                              .swamp_adjacent_threshold = r->swamp_adjacent_threshold,
                              .swamp_isolated_threshold = r->swamp_isolated_threshold,
                              .floodplain_min = r->floodplain_min,
                              .floodplain_max = r->floodplain_max,
                              .ravine_count = r->ravine_count,
                              .ravine_range = r->ravine_range,
                              .ravine_width = r->ravine_width,
                              .ravine_depth = r->ravine_depth,
                              .city_size = r->city.size,
                              .city_spacing = r->city.spacing,
                              .shop_radius = r->city.shop_radius,
                              .shop_sigma = r->city.shop_sigma,
                              .park_radius = r->city.park_radius,
                              .park_sigma = r->city.park_sigma,
                              .trail_chance = r->trails.chance,
                              .trailhead_chance = r->trails.trailhead_chance};
    return ENTRY_GIVE(ptl_region, out, &local);
}

ptl_status ptl_catalogue_region_choice(ptl_region_choice *out, const ptl_catalogue *c,
                                       size_t region, ptl_region_bin bin, size_t number)
{
    static const size_t bins[] = {
        [PTL_BIN_HOUSES] = offsetof(cat_region, city.houses),
        [PTL_BIN_SHOPS] = offsetof(cat_region, city.shops),
        [PTL_BIN_PARKS] = offsetof(cat_region, city.parks),
        [PTL_BIN_FINALES] = offsetof(cat_region, city.finales),
        [PTL_BIN_TRAILHEADS] = offsetof(cat_region, trails.trailheads),
        [PTL_BIN_URBAN_HOUSES] = offsetof(cat_region, city.urban_houses),
        [PTL_BIN_URBAN_SHOPS] = offsetof(cat_region, city.urban_shops)};
    const bool known = region < c->region_count && (size_t)bin < sizeof bins / sizeof bins[0];
    const cat_bin *b =
        known ? (const void *)((const char *)&c->regions[region] + bins[bin]) : NULL;
    if (!b || number >= b->count)
        return ENTRY_NONE(ptl_region_choice, out, .special = 0);
    const ptl_region_choice local = {.special = b->specials[number],
                                     .weight =
                                         b->upto[number] - (number ? b->upto[number - 1] : 0)};
    return ENTRY_GIVE(ptl_region_choice, out, &local);
}

bool ptl_catalogue_special_is_excluded(const ptl_catalogue *c, size_t region, size_t special)
{
    const uint64_t *excluded = region < c->region_count ? c->regions[region].excluded : NULL;
    return excluded && special < c->special_count &&
           (excluded[special / 64] >> (special % 64) & 1) != 0;
}

/* Describes the specials of a catalogue, and the parts of each special: OMTs, pieces, joins and
 * phases (portolan/catalogue.h). */

/* Returns a special by its number, or NULL if there is none. */
static const cat_special *special_of(const catalogue *c, size_t number)
{
    return number < c->special_count ? &c->specials[number] : NULL;
}

/* Returns the pieces, joins and phases of a mutable special (cat_mutable); NULL if the special
 * does not exist or is fixed. */
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

/* ---- pieces and joins of mutable specials ---- */

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

/* ---- phases of growth of mutable specials ---- */

/* Returns a phase of a mutable special, or NULL if the phase or the special does not exist. */
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
