#include "gen/specials/place_late.h"

#include "gen/cities/city_map.h"
#include "gen/connect/connect.h"
#include "gen/specials/place.h"
#include "gen/specials/rules.h"

#include <stdio.h>
#include <string.h>

/* ---- what the tests say ---- */

/* Appends a terrain's id to a list of ids, if the list has less than three. */
static void add_want(ptl_why_place *out, const char *id)
{
    enum { WANTS = 3 };
    const size_t used = strlen(out->wants), room = sizeof out->wants - used;
    if (out->want_count++ < WANTS)
        snprintf(out->wants + used, room, "%s%.*s", used ? ", " : "", PTL_WHY_NAME_SIZE - 4,
                 id);
}

static void tell_fault(ptl_why_place *out, const generator *g, int rotation,
                       const site_fault *f, point origin)
{
    const catalogue *cat = g->config->cat;
    uint16_t last = CAT_NONE;
    out->rotation = rotation;
    out->wrong = f->wrong;
    out->cells = f->cells;
    out->x = f->x - origin.x;
    out->y = f->y - origin.y;
    out->z = f->z;
    out->outside = f->outside;
    out->taken = f->taken;
    out->ground[0] = out->wants[0] = '\0';
    out->want_count = 0;
    if (f->oter != CAT_NONE)
        snprintf(out->ground, sizeof out->ground, "%s",
                 cat->terrains[cat->oters[f->oter].terrain].id);
    for (size_t i = 0; i < cat->oter_count; i++)
        if (cat->oters[i].terrain != last && site_fault_allows(g, f, (ptl_oter)i)) {
            last = cat->oters[i].terrain;
            add_want(out, cat->terrains[last].id);
        }
}

bool place_tell(ptl_why_place *out, const generator *g, uint16_t special, int rotation,
                int32_t x, int32_t y, bool links)
{
    const int rotations = g->config->cat->specials[special].rotate ? 4 : 1;
    const int first = rotation < 0 ? 0 : rotation, end = rotation < 0 ? rotations : first + 1;
    site_fault best = {.wrong = 0}, f;
    int of = -1;
    for (int r = first; r < end; r++)
        if (site_fault_find(&f, g, special, r, x, y, links) &&
            (of < 0 || f.wrong < best.wrong)) {
            best = f;
            of = r;
        }
    if (of >= 0)
        tell_fault(out, g, of, &best, (point){x, y});
    return of >= 0;
}

/* ---- the cells of placements ---- */

void place_cells_visit(const catalogue *cat, const gen_features *features, size_t number,
                       late_visit *visit, void *payload)
{
    const gen_placement *p = &features->placements[number];
    const cat_special *s = p->special == CAT_NONE ? NULL : &cat->specials[p->special];
    for (size_t i = 0; s && i < s->omt_count; i++) {
        const cat_omt *omt = &s->omts[i];
        const point at = turned(omt->x, omt->y, p->rotation, p->x, p->y);
        const int32_t z = p->z + omt->z;
        if (inside(at.x, at.y) && z >= PTL_Z_MIN && z <= PTL_Z_MAX)
            visit(payload, at.x, at.y, z, omt->oters[p->rotation]);
    }
    for (size_t i = 0; s && s->layout && i < features->piece_count; i++) {
        const gen_piece *piece = &features->pieces[i];
        if (piece->placement == (int32_t)number && piece->piece < s->layout->piece_count)
            visit(payload, piece->x, piece->y, piece->z,
                  s->layout->pieces[piece->piece].oters[piece->rotation]);
    }
}

/* Marks a cell as taken if it still shows the terrain that a special has put there. */
static void own_cell(void *payload, int32_t x, int32_t y, int32_t z, ptl_oter oter)
{
    generator *g = payload;
    const cat_oter *oters = g->config->cat->oters;
    const ptl_oter shown = cell_oter(g, z, y * SIZE + x);
    if (oters[shown].terrain == oters[oter].terrain)
        site_own(g, x, y, z);
}

/* ---- the tests ---- */

/* Finds the origin nearest to that of the order at which the special may stand. */
static void find_nearest(ptl_why_place *out, generator *g, const late_order *order,
                         const site_bits *origins)
{
    int32_t least = INT32_MAX;
    for (int32_t cell = 0; cell < SIZE * SIZE; cell++) {
        const int32_t x = cell % SIZE, y = cell / SIZE, dx = x - order->x, dy = y - order->y;
        if (!site_has(origins, x, y) || dx * dx + dy * dy >= least ||
            (order->rotation >= 0 && !site_fits(g, order->special, order->rotation, x, y)))
            continue;
        least = dx * dx + dy * dy;
        out->has_nearest = true;
        out->nearest_x = (int64_t)g->chunk->pos.x * SIZE + x;
        out->nearest_y = (int64_t)g->chunk->pos.y * SIZE + y;
    }
}

/* Does the special's ground fit in the order's rotation, or in any if that is -1? */
static bool ground_fits(const generator *g, const late_order *order)
{
    const int rotations = g->config->cat->specials[order->special].rotate ? 4 : 1;
    bool any = false;
    for (int r = 0; r < 4; r++) {
        site_fault f;
        if (order->rotation < 0 ? r < rotations : r == order->rotation)
            any =
                any || (!site_fault_find(&f, g, order->special, r, order->x, order->y, false) &&
                        f.cells > 0);
    }
    return any;
}

/* Returns how many tests the origin passes in the rotation. */
static int32_t count_passed(ptl_why_place *out, generator *g, const late_order *order,
                            const site_bits *city)
{
    const bool fits = order->rotation >= 0 &&
                      site_fits(g, order->special, order->rotation, order->x, order->y);
    if (!fits) {
        const bool ground = ground_fits(g, order);
        (void)place_tell(out, g, order->special, order->rotation, order->x, order->y, ground);
        return ground ? PTL_WHY_LINKED : PTL_WHY_GROUND;
    }
    out->rotation = order->rotation;
    return site_has(city, order->x, order->y) ? PTL_WHY_TESTS : PTL_WHY_CITY;
}

/* Looks at the origin. Chooses the rotation if the order leaves it open. */
static void test_origin(ptl_why_place *out, generator *g, late_order *order)
{
    site_bits origins;
    const site_bits *city = city_map_allows(g, order->special);
    if (order->rotation < 0) {
        const uint64_t key = hash_add(step_key(g, "specials/late"),
                                      g->config->cat->specials[order->special].key);
        rng r = cell_stream(g, key, order->x, order->y);
        order->rotation = choose_rotation(g, order->special, order->x, order->y, &r);
    }
    out->passed = count_passed(out, g, order, city);
    if (out->passed == PTL_WHY_CITY)
        out->has_city = city_map_tell(&out->city_distance, &out->city_size, g, order->special,
                                      order->x, order->y);
    if (out->passed == PTL_WHY_TESTS)
        return;
    site_origins(g, order->special, &origins);
    site_and(&origins, city);
    find_nearest(out, g, order, &origins);
}

/* ---- placing ---- */

static bool level_has(const generator *g, size_t connection, int32_t z)
{
    for (int32_t cell = 0; cell < SIZE * SIZE; cell++)
        if (connect_has(g, connection, cell_oter(g, z, cell)))
            return true;
    return false;
}

/* Draws the connections on other levels than the ground, from the last to the first, as step
 * sublevels does. A connection of which its level has no OMT yet gets a lone one. False: one
 * has no way to those that there are. */
static bool link_below(generator *g)
{
    bool ways = true;
    for (size_t i = g->deep_link_count; i-- > 0 && ways && !g->failed;) {
        const deep_link *d = &g->deep_links[i];
        const connect_ground ground = {.closed = NULL};
        const bool any = level_has(g, d->connection, d->z);
        const connect_result result = connect_link(g, d->connection, d->z, d->end, &ground);
        ways = result == CONNECT_DRAWN || result == CONNECT_SAME ||
               (result == CONNECT_NO_PATH && !any);
    }
    return ways;
}

/* Has every connection of the special been drawn? One may have taken the cell at which the next
 * had to begin. With `compat` trails that keep to the forest lead nowhere, as in the games. */
static bool all_linked(const generator *g)
{
    for (size_t i = 0; i < g->event_count && !g->config->options.compat; i++)
        if (strcmp(g->events[i].kind, "unreached") == 0 ||
            strcmp(g->events[i].kind, "blocked") == 0)
            return false;
    return true;
}

static late_result place(generator *g, const late_order *order)
{
    bool no_way = false;
    const place_order to = {.special = order->special,
                            .x = (int16_t)order->x,
                            .y = (int16_t)order->y,
                            .rotation = (uint8_t)order->rotation,
                            .city = city_map_of(g, order->special, order->x, order->y),
                            .no_way = &no_way};
    if (!place_special(g, &to))
        return no_way ? LATE_NO_WAY : LATE_NO_GROWTH;
    return all_linked(g) && link_below(g) ? LATE_PLACED : LATE_NO_WAY;
}

late_result place_late(ptl_why_place *why, gen_features *features, generator *g,
                       struct ptl_chunk *chunk, late_order *order)
{
    late_result result = LATE_REFUSED;
    generator_adopt(g, chunk);
    const gen_features kept = g->features;
    g->features = *features;
    site_map_begin(g);
    city_map_begin(g);
    for (size_t i = 0; i < g->features.placement_count; i++) {
        const uint16_t special = g->features.placements[i].special;
        if (special != CAT_NONE && !g->config->cat->specials[special].building)
            place_cells_visit(g->config->cat, &g->features, i, own_cell, g);
    }
    *why = (ptl_why_place)PTL_WHY_PLACE_INIT;
    test_origin(why, g, order);
    if (why->passed == PTL_WHY_TESTS && !g->failed)
        result = place(g, order);
    site_map_end(g);
    *features = g->features;
    g->features = kept;
    generator_adopt(g, NULL);
    return result;
}

bool place_late_failed(const generator *g)
{
    return g->failed;
}
