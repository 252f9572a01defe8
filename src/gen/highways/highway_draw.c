/*
 * Draws the laid-out highways into the chunk. Bends, slants, intersections, ramps and raised
 * pieces are drawn before the cities, with the supports below them. Cells of segments on the
 * ground get only reserved terrain until specials have been placed, because roads cross them
 * and specials lie on them.
 */
#include "gen/connect/connect.h"
#include "gen/highways/highway.h"
#include "gen/specials/place.h"
#include "model/direction.h"

#include <string.h>

/*
 * Levels of a highway's path. Pieces on water are raised to z = 1. A bend or slant beside a
 * raised piece is raised as well. The last segment on the ground before a raised part of the
 * path, and the first one behind it, are ramps. If only one or two pieces on the ground lie
 * between two raised parts, there is no room for both ramps, so these pieces are raised as
 * well.
 */

static bool raise(highway_piece *piece)
{
    const bool change = !piece->raised;
    piece->raised = true;
    return change;
}

/* Raises each bend and slant whose previous or next piece on the path is raised. Returns
 * whether any was raised. */
static bool raise_beside(highway_piece *pieces, size_t count)
{
    bool change = false;
    for (size_t i = 0; i < count; i++)
        if (pieces[i].kind != HIGHWAY_SEGMENT &&
            ((i > 0 && pieces[i - 1].raised) || (i + 1 < count && pieces[i + 1].raised)))
            change = raise(&pieces[i]) || change;
    return change;
}

static bool raise_gaps(highway_piece *pieces, size_t count)
{
    enum { SHORTEST = 3 };
    bool change = false;
    for (size_t i = 0; i + 1 < count; i++) {
        size_t end = i + 1;
        while (pieces[i].raised && end < count && !pieces[end].raised)
            end++;
        for (size_t k = i + 1;
             pieces[i].raised && end < count && end - i <= SHORTEST && k < end; k++)
            change = raise(&pieces[k]) || change;
    }
    return change;
}

bool highway_level(generator *g, const highway_path *path, bool first_raised, bool last_raised,
                   bool ends_on_ground)
{
    highway_piece *pieces = g->highways->pieces + path->first;
    const size_t count = path->count;
    for (size_t i = 0; i < count; i++) {
        pieces[i].raised = pieces[i].water;
        pieces[i].ramp = HIGHWAY_LEVEL;
    }
    pieces[0].raised = pieces[0].raised || first_raised;
    pieces[count - 1].raised = pieces[count - 1].raised || last_raised;
    while (raise_beside(pieces, count) || raise_gaps(pieces, count))
        ;
    for (size_t i = 0; i + 1 < count; i++) {
        if (!pieces[i].raised && pieces[i + 1].raised)
            pieces[i].ramp = HIGHWAY_UP;
        if (pieces[i].raised && !pieces[i + 1].raised)
            pieces[i + 1].ramp = HIGHWAY_DOWN;
    }
    return !ends_on_ground || !pieces[count - 1].raised;
}

/* ---- pieces, and the cells that they cover ---- */

/* A piece of a highway is placed by its anchor (x and y of highway_piece), but the special that
 * is drawn for the piece is placed by its origin. Each table gives, for the four headings, the
 * offset from the anchor to the origin. For a hub (a bend or an intersection) the origin is one
 * of its four middle cells, for a segment one of its two cells. */
static const point hub_origin[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
static const point segment_origin[4] = {{0, 0}, {0, 0}, {1, 0}, {0, 1}};

/* Returns the special of a piece with its origin and rotation. A ramp that leads down is the
 * special of a ramp that leads up, turned around. */
static highway_spot highway_spot_of(const gen_config *config, const highway_piece *piece)
{
    const cat_highway *h = config->region->highway;
    const bool down = piece->ramp == HIGHWAY_DOWN;
    const int rotation = down ? opposite(piece->heading) : piece->heading;
    const point *add =
        piece->kind == HIGHWAY_HUB ? &hub_origin[rotation] : &segment_origin[rotation];
    highway_spot spot = {.special = piece->special,
                         .x = (int16_t)(piece->x + add->x),
                         .y = (int16_t)(piece->y + add->y),
                         .rotation = (uint8_t)rotation};
    if (piece->kind == HIGHWAY_SEGMENT)
        spot.special = piece->ramp != HIGHWAY_LEVEL ? h->ramp
                       : piece->raised              ? h->bridge
                                                    : h->flat;
    return spot;
}

static void highway_cells_of(highway_cells *out, const gen_config *config,
                             const highway_piece *piece)
{
    const highway_spot spot = highway_spot_of(config, piece);
    const cat_special *s = &config->cat->specials[spot.special];
    out->count = 0;
    for (size_t i = 0; i < s->omt_count; i++) {
        if (s->omts[i].z != 0 || out->count == sizeof out->x / sizeof *out->x)
            continue;
        const point p = turned(s->omts[i].x, s->omts[i].y, spot.rotation, spot.x, spot.y);
        out->x[out->count] = (int16_t)p.x;
        out->y[out->count++] = (int16_t)p.y;
    }
}

point highway_port(const gen_config *config, const highway_piece *hub, int side)
{
    const cat_special *s = &config->cat->specials[hub->special];
    const int own = (side - hub->heading) & 3;
    const bool along_y = own == 0 || own == 2;
    /* How many cells the bend or intersection reaches beyond its middle on this side. */
    int32_t beyond = 0;
    for (size_t i = 0; i < s->omt_count; i++) {
        const cat_omt *t = &s->omts[i];
        const int32_t at = along_y ? t->y : t->x, aside = along_y ? t->x : t->y;
        const int32_t far = own == 0 || own == 3 ? -at : at - 1;
        if (t->z == 0 && aside == 0 && far > beyond)
            beyond = far;
    }
    const int32_t away = side == 0 || side == 3 ? beyond + 1 : beyond + 2;
    return (point){hub->x + away * step_x(side), hub->y + away * step_y(side)};
}

bool highway_fits(const generator *g, highway_piece *piece)
{
    const uint32_t water =
        CAT_FLAG_RIVER | CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE | CAT_FLAG_OCEAN;
    const int32_t ring = piece->kind == HIGHWAY_SEGMENT ? 0 : 1;
    highway_cells cells;
    highway_cells_of(&cells, g->config, piece);
    piece->water = false;
    for (size_t i = 0; i < cells.count; i++) {
        const int32_t x = cells.x[i], y = cells.y[i], cell = y * SIZE + x;
        if (x < ring || y < ring || x >= SIZE - ring || y >= SIZE - ring ||
            g->highways->taken[cell])
            return false;
        piece->water = piece->water || g->config->cat->oters[g->ground[cell]].flags & water;
    }
    return cells.count > 0;
}

static void take(generator *g, const highway_piece *piece, uint8_t taken)
{
    highway_cells cells;
    highway_cells_of(&cells, g->config, piece);
    for (size_t i = 0; i < cells.count; i++)
        g->highways->taken[cells.y[i] * SIZE + cells.x[i]] = taken;
}

bool highway_add(generator *g, const highway_piece *piece)
{
    highway_layout *l = g->highways;
    highway_piece copy = *piece;
    if (l->count == HIGHWAY_PIECES_MAX || !highway_fits(g, &copy))
        return false;
    take(g, &copy, 1);
    l->pieces[l->count++] = copy;
    return true;
}

void highway_take_back(generator *g, size_t first)
{
    highway_layout *l = g->highways;
    while (l->count > first)
        take(g, &l->pieces[--l->count], 0);
}

static void write(generator *g, int32_t x, int32_t y, int32_t z, ptl_oter oter)
{
    ptl_oter *cells = cells_at(g, z);
    if (!cells)
        return;
    cell_set(g, cells, z, y * SIZE + x, oter);
    /* The code that draws connections (connect.h) keeps a copy of z = 0, so it must be told of
     * the change. */
    if (z == 0 && g->watching)
        connect_wrote(g, y * SIZE + x);
}

static bool is_support(const generator *g, ptl_oter oter)
{
    const cat_highway *h = g->config->region->highway;
    return g->config->cat->oters[oter].terrain == h->supports;
}

/* Continues a support of a highway downwards through water. It does so on the levels below the
 * support, down to the first cell that has the default oter of its level. There it writes the
 * oter that the region names for columns or, if the region names none, the support's own oter.
 */
static void put_column(generator *g, int32_t x, int32_t y, ptl_oter support)
{
    const catalogue *cat = g->config->cat;
    const uint16_t column = g->config->region->highway->column;
    const cat_mutable *layout = column != CAT_NONE ? cat->specials[column].layout : NULL;
    const ptl_oter oter = layout ? layout->pieces[layout->root].oters[0] : support;
    for (int32_t z = -1; z >= PTL_Z_MIN; z--) {
        if (cell_oter(g, z, y * SIZE + x) == g->config->defaults[z - PTL_Z_MIN])
            break;
        write(g, x, y, z, oter);
    }
}

/* Writes the OMTs of a special that is a piece of a highway, one level higher if `raised`. OMTs
 * that are supports are written only if `raised`, and never on the chunk's outermost cells,
 * where a river goes on into the neighbouring chunk. */
static void put_special(generator *g, const highway_spot *spot, bool raised)
{
    const cat_special *s = &g->config->cat->specials[spot->special];
    for (size_t i = 0; i < s->omt_count; i++) {
        const cat_omt *t = &s->omts[i];
        const ptl_oter oter = t->oters[spot->rotation];
        const int32_t z = t->z + raised;
        const point p = turned(t->x, t->y, spot->rotation, spot->x, spot->y);
        if (!inside(p.x, p.y) || z < PTL_Z_MIN || z > PTL_Z_MAX)
            continue;
        if (is_support(g, oter)) {
            if (!raised || !inside_ring(p.x, p.y))
                continue;
            put_column(g, p.x, p.y, oter);
        }
        write(g, p.x, p.y, z, oter);
    }
}

static bool is_flat(const highway_piece *piece)
{
    return piece->kind == HIGHWAY_SEGMENT && !piece->raised && piece->ramp == HIGHWAY_LEVEL;
}

void highway_draw(generator *g)
{
    const highway_layout *l = g->highways;
    for (size_t i = 0; i < l->count && !g->failed; i++) {
        const highway_piece *piece = &l->pieces[i];
        const highway_spot spot = highway_spot_of(g->config, piece);
        /* Reserve the piece's cells, so that streets and buildings of cities keep off them. */
        highway_cells cells;
        highway_cells_of(&cells, g->config, piece);
        for (size_t j = 0; j < cells.count; j++)
            g->reserved[cells.y[j] * SIZE + cells.x[j]] = 1;
        if (is_flat(piece)) {
            /* If the terrain that reserves a highway's cells can be rotated, it gets rotation 0
             * where the highway runs along y, and 1 where it runs along x. */
            const cat_terrain *t =
                &g->config->cat->terrains[g->config->region->highway->reserved];
            const bool along_x = piece->heading == 1 || piece->heading == 3;
            const ptl_oter oter = (ptl_oter)(t->first + (t->count == 4 && along_x));
            write(g, piece->x, piece->y, 0, oter);
            write(g, piece->x + !along_x, piece->y + along_x, 0, oter);
        } else
            put_special(g, &spot, piece->raised);
    }
}

/* ---- after the specials ---- */

static void record(generator *g, const highway_spot *spot, int8_t z)
{
    const size_t omts = g->config->cat->specials[spot->special].omt_count;
    add_placement(g, (gen_placement){.special = spot->special,
                                     .x = spot->x,
                                     .y = spot->y,
                                     .z = z,
                                     .rotation = spot->rotation,
                                     .city = FEATURE_NO_CITY,
                                     .omts = (int32_t)omts});
}

/* Returns whether all OMTs of the piece's special were written. Some were not if the special
 * has supports and the piece lies on the ground, because supports are then left out. */
static bool is_whole(const generator *g, const highway_piece *piece, uint16_t special)
{
    const cat_special *s = &g->config->cat->specials[special];
    bool supported = false;
    for (size_t i = 0; i < s->omt_count; i++)
        supported = supported || is_support(g, s->omts[i].oters[0]);
    return piece->raised || !supported;
}

static bool is_road(const generator *g, ptl_oter oter)
{
    const uint16_t road = g->config->road;
    return g->config->cat->oters[oter].flags & CAT_FLAG_ROAD ||
           (road != CAT_NONE && connect_has(g, road, oter));
}

/* Draws a segment of a highway on the ground. If a road crosses both of its cells, a bridge for
 * the road is placed. Otherwise each cell that is still reserved gets the segment's oter; a
 * cell that a special or a road has taken stays as it is. */
static void finish_segment(generator *g, const highway_piece *piece)
{
    const bool along_x = piece->heading == 1 || piece->heading == 3;
    const int32_t cells[2] = {piece->y * SIZE + piece->x,
                              (piece->y + along_x) * SIZE + piece->x + !along_x};
    highway_spot spot = highway_spot_of(g->config, piece);
    if (is_road(g, g->ground[cells[0]]) && is_road(g, g->ground[cells[1]])) {
        spot.special = g->config->region->highway->road_bridge;
        record(g, &spot, 0);
        put_special(g, &spot, false);
        return;
    }
    /* Write the segment's OMT on each cell that is still reserved. */
    const cat_special *s = &g->config->cat->specials[spot.special];
    const uint16_t reserved = g->config->region->highway->reserved;
    for (int i = 0; i < 2; i++) {
        if (g->config->cat->oters[g->ground[cells[i]]].terrain != reserved)
            continue;
        for (size_t k = 0; k < s->omt_count; k++) {
            const cat_omt *omt = &s->omts[k];
            const point p = turned(omt->x, omt->y, spot.rotation, spot.x, spot.y);
            if (p.y * SIZE + p.x == cells[i] && omt->z == 0)
                write(g, p.x, p.y, 0, omt->oters[spot.rotation]);
        }
    }
}

/* Places the special of an interchange at a segment, if the segment lies flat on the ground and
 * the special fits there. */
static bool put_interchange(generator *g, const highway_piece *piece, uint16_t special)
{
    if (!is_flat(piece))
        return false;
    const bool along_x = piece->heading == 1 || piece->heading == 3;
    const place_order order = {.special = special,
                               .x = piece->x,
                               .y = piece->y,
                               .rotation = along_x,
                               .city = FEATURE_NO_CITY};
    const cat_special *s = &g->config->cat->specials[special];
    return (s->rotate || !along_x) && site_fits(g, special, order.rotation, order.x, order.y) &&
           place_special(g, &order);
}

void highway_finish(generator *g)
{
    const highway_layout *l = g->highways;
    rng r = step_stream(g, "interchanges");
    for (size_t i = 0; i < l->path_count; i++) {
        /* Try to place an interchange at every APART-th segment of the path. Which segment is
         * the first is random. */
        const highway_path *path = &l->paths[i];
        enum { APART = 45, WOBBLE = 4 };
        const cat_bin *bin = &g->config->region->highway->interchanges;
        const highway_piece *pieces = g->highways->pieces + path->first;
        for (size_t at = (size_t)rng_range(&r, APART - WOBBLE, APART + WOBBLE);
             bin->count > 0 && at < path->count && !g->failed; at += APART) {
            const uint16_t special = bin->specials[rng_by_weight(&r, bin->upto, bin->count)];
            size_t tries = 0;
            while (tries <= 2 * WOBBLE && at + tries < path->count &&
                   !put_interchange(g, &pieces[at + tries], special))
                tries++;
        }
    }
    for (size_t i = 0; i < l->count && !g->failed; i++) {
        const highway_piece *piece = &l->pieces[i];
        const highway_spot spot = highway_spot_of(g->config, piece);
        if (piece->kind == HIGHWAY_ONRAMP && !piece->raised)
            place_special(g, &(place_order){.special = spot.special,
                                            .x = spot.x,
                                            .y = spot.y,
                                            .rotation = spot.rotation,
                                            .city = FEATURE_NO_CITY});
        else if (is_flat(piece))
            finish_segment(g, piece);
        else if ((piece->kind != HIGHWAY_SEGMENT || piece->ramp != HIGHWAY_LEVEL) &&
                 is_whole(g, piece, spot.special))
            record(g, &spot, (int8_t)piece->raised);
    }
}
