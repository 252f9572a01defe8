/*
 * Makes shoals: the sea and its islands, from heights of the ground and the mean tide. Heights
 * go on across OMTs and chunks. Where the overmap has land or water that the plan of the coast
 * does not have, the height at a corner of the OMT is computed from the four OMTs that meet
 * there, so all four maps get the same height.
 */
#include "mapgen/ground/ground_impl.h"

bool ground_is_shoals(const ground *g)
{
    const ground_shoals *s = g->site->shoals;
    bool found = false;
    for (size_t i = 0; s && g->site->z == 0 && i < s->type_count && !found; i++)
        found = strcmp(g->type, s->types[i]) == 0;
    return found;
}

bool ground_shoals_wet(bool water, bool way, coast_omt planned)
{
    return water || (way && planned.kind != COAST_LAND);
}

void make_shoals(ground *g)
{
    const uint32_t plants[] = {
        [COAST_MANGROVE] = ground_id(g, "t_mangrove"), [COAST_BUSH] = ground_id(g, "t_shrub")};
    const uint32_t tiles[] = {[COAST_DEEP] = ground_id(g, "t_swater_dp"),
                              [COAST_SHALLOW] = ground_id(g, "t_swater_sh"),
                              [COAST_DRY] = ground_id(g, "t_sand"),
                              [COAST_ROCK] = ground_id(g, "t_rock")};
    const ground_site *site = g->site;
    uint8_t plant[LOCAL_CELLS];
    coast_window made;
    coast_square s = {.side = 3};
    const coast *c = &site->shoals->coast;
    c->plan(c->payload, (coast_rect){site->x - 1, site->y - 1, 3, 3}, s.planned);
    for (int i = 0; i < GROUND_AROUND; i++)
        s.wet[i] = ground_shoals_wet(site->around[i].water, site->around[i].way, s.planned[i]);
    coast_window_of(&made, c, site->x, site->y, &s);
    coast_plants(plant, made.heights, &site->shoals->coast, site->x, site->y);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const int32_t height = made.heights[i];
        /* At the mean tide all water stands at one height, so the heights over which the sea
         * could come in (spills) do not matter. */
        const coast_feature what = coast_feature_of(height, COAST_SPILL_NEVER, 0, false);
        /* A dry tile above the highest tide is soil. */
        const uint32_t tile = what == COAST_DRY
                                  ? (height > COAST_FLOOD ? ground_cover_tile(g) : tiles[what])
                                  : tiles[what];
        ground_put(g, i % LOCAL_SIDE, i / LOCAL_SIDE,
                   plant[i] != COAST_BARE ? plants[plant[i]] : tile);
    }
}
_Static_assert((int)LOCAL_SIDE == (int)COAST_SIDE, "a cell of the coast is a tile");
