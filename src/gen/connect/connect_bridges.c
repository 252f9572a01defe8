/*
 * Which of the connections' rotated tiles are bridges with levels. Their pieces are known by
 * their ids, as in the games: "<id>_road" lies above, "<id>head_ground" and "<id>head_ramp" are
 * an end's two levels, and where the content has "<id>_under", the water below gets that.
 * Content that lacks any of the first three has flat bridges: there is no kind for them.
 */
#include "gen/connect/connect_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the first of the four oters of the bridge's piece; CAT_NONE if there is no such
 * type. */
static ptl_oter piece(const catalogue *cat, const cat_terrain *bridge, const char *suffix)
{
    char id[256];
    const int length = snprintf(id, sizeof id, "%s%s", bridge->id, suffix);
    if (length < 0 || (size_t)length >= sizeof id)
        return CAT_NONE;
    const uint16_t terrain = catalogue_terrain(cat, id);
    if (terrain == CAT_NONE || cat->terrains[terrain].count != 4)
        return CAT_NONE;
    return cat->terrains[terrain].first;
}

static ptl_oter first_of(ptl_oter a, ptl_oter b)
{
    return a != CAT_NONE ? a : b;
}

static bool is_bridge(const cat_terrain *type)
{
    return type->flags & CAT_FLAG_BRIDGE || strcmp(type->id, "bridge") == 0 ||
           strcmp(type->id, "railroad_bridge") == 0;
}

/* False if the subtype is not a bridge, or a flat one. */
static bool describe(bridge_kind *out, const gen_connections *all, size_t connection,
                     const cat_subtype *s)
{
    const catalogue *cat = all->cat;
    const cat_terrain *type = &cat->terrains[s->terrain];
    if (s->shape != PTL_TERRAIN_ROTATABLE || !is_bridge(type))
        return false;
    *out = (bridge_kind){.connection = connection, .terrain = s->terrain, .flat = CAT_NONE};
    out->under = first_of(piece(cat, type, "_under"), piece(cat, type, "_center_under"));
    out->deck = first_of(piece(cat, type, "_road"), piece(cat, type, "_overpass"));
    out->foot = piece(cat, type, "head_ground");
    out->ramp = piece(cat, type, "head_ramp");
    const compiled_connection *c = &all->list[connection];
    const cat_subtype *line = &c->connection->subtypes[c->default_subtype];
    if (line->shape == PTL_TERRAIN_LINE)
        out->flat = cat->terrains[line->terrain].first;
    return out->deck != CAT_NONE && out->foot != CAT_NONE && out->ramp != CAT_NONE;
}

static bool known(const gen_connections *all, uint16_t terrain)
{
    for (size_t i = 0; i < all->bridge_count; i++)
        if (all->bridges[i].terrain == terrain)
            return true;
    return false;
}

bool connect_compile_bridges(gen_connections *all)
{
    size_t room = 1;
    for (size_t i = 0; i < all->count; i++)
        room += all->list[i].connection->subtype_count;
    all->bridges = calloc(room, sizeof *all->bridges);
    if (!all->bridges)
        return false;
    for (size_t i = 0; i < all->count; i++) {
        const cat_connection *c = all->list[i].connection;
        for (size_t k = 0; k < c->subtype_count; k++)
            if (!known(all, c->subtypes[k].terrain) &&
                describe(&all->bridges[all->bridge_count], all, i, &c->subtypes[k]))
                all->bridge_count++;
    }
    return true;
}
