/*
 * Links: the connections that a special and its pieces ask for. On the ground they are drawn at
 * once; on other levels they are noted for step sublevels. A link gets an arm towards the
 * special only if an OMT of the special is there to answer it.
 */
#include "core/array.h"
#include "core/utf8.h"
#include "gen/plan/plan.h"
#include "gen/specials/place_impl.h"
#include "gen/specials/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A point at which a connection of the special ends. */
typedef struct link_point {
    uint16_t connection;
    int32_t x, y, z;
    int direction; /* the direction away from the special, 0..3 (north, east, south, west); or
                    * CONNECT_ANY */
} link_point;

static void link_event(const placing *at, const link_point *p, const char *kind,
                       const char *why)
{
    char text[sizeof at->g->events->detail];
    snprintf(text, sizeof text, "%.*s: %.*s", UTF8_CUT(at->special->id, 44), UTF8_CUT(why, 32));
    add_event(at->g, kind, p->x, p->y, p->z, text);
}

/* Returns the end of a link's path at the special. If an OMT of the special lies right behind
 * that end, `exit` is set: then the path gets an arm towards that OMT, as a path at the border
 * gets an arm out of the chunk. */
static connect_end link_end(const placing *at, const link_point *p)
{
    connect_end end = {(int16_t)p->x, (int16_t)p->y, (int8_t)p->direction, false};
    if (p->direction != CONNECT_ANY) {
        const int32_t bx = p->x - step_x(p->direction), by = p->y - step_y(p->direction);
        end.exit = place_owns(at->p, bx, by, p->z);
    }
    return end;
}

/* Adds the cell to the set `met`. False if the set has it already. */
static bool first_met(site_bits *met, int32_t x, int32_t y)
{
    if (site_has(met, x, y))
        return false;
    met->words[y * SITE_WORDS + x / 64] |= UINT64_C(1) << x % 64;
    return true;
}

/* Returns whether the link's connection can't be drawn over the region's default ground, and so
 * can't leave the forest. That is so for trails; content of DDA since 0.I (cat_region.levelled)
 * asks for many of them. */
static bool keeps_to_forest(const placing *at, const link_point *p)
{
    const cat_region *region = at->g->config->region;
    return region->levelled && !connect_allows(at->g, p->connection, region->default_ter);
}

/* Returns the cell at which the special's trail ends if there is no other trail to which it
 * could lead: the nearest cell from which a trail can leave the forest; -1 if there is none.
 * The nearest one is that to which the fewest steps lead over ground on which the connection
 * can be drawn and which is not the special's own. */
static int32_t way_out(const placing *at, const link_point *p)
{
    if (!keeps_to_forest(at, p))
        return -1;
    const generator *g = at->g;
    int32_t *queue = at->p->closed;
    site_bits met = {0};
    size_t head = 0, tail = 0;
    queue[tail++] = p->y * SIZE + p->x;
    first_met(&met, p->x, p->y);
    while (head < tail) {
        const int32_t cell = queue[head++];
        /* May a trail leave the forest at the cell? It may if default ground or a road, where
         * anybody can walk, lies beside the cell. */
        const gen_config *config = g->config;
        for (int d = 0; d < 4; d++) {
            const int32_t x = cell % SIZE + step_x(d), y = cell / SIZE + step_y(d);
            const ptl_oter ground = g->ground[y * SIZE + x];
            if (ground == config->region->default_ter ||
                (config->road != CAT_NONE && connect_has(g, config->road, ground)))
                return cell;
        }
        for (int d = 0; d < 4; d++) {
            const int32_t x = cell % SIZE + step_x(d), y = cell / SIZE + step_y(d);
            const int32_t next = y * SIZE + x;
            if (inside_ring(x, y) && !place_owns(at->p, x, y, 0) &&
                connect_allows(g, p->connection, g->ground[next]) && first_met(&met, x, y))
                queue[tail++] = next;
        }
    }
    return -1;
}

static bool lead_out(const placing *at, const link_point *p)
{
    const int32_t to = way_out(at, p);
    if (to < 0)
        return false;
    const connect_end from = {(int16_t)p->x, (int16_t)p->y, CONNECT_ANY, false};
    const connect_end end = {(int16_t)(to % SIZE), (int16_t)(to / SIZE), CONNECT_ANY, false};
    const connect_result result = connect_ends(at->g, p->connection, 0, from, end);
    return result == CONNECT_SAME || result == CONNECT_DRAWN;
}

/* Returns what a search for a path may assume about the ground: which cells are closed, and
 * whether the search was told of every cell that changed since the last link was drawn. Then
 * stores in placer.watch, for the next link, that all changes up to now are known. */
static connect_ground link_ground(const placing *at)
{
    placer *p = at->p;
    const bool watched = at->g->watching;
    connect_ground ground = {.closed = p->closed,
                             .known = watched && p->watch == at->g->watches};
    /* The link's path may not use the special's own cells on the ground. */
    for (size_t i = 0; i < p->omt_count; i++)
        if (p->omts[i] / (SIZE * SIZE) == level_of(0))
            p->closed[ground.closed_count++] = p->omts[i] % (SIZE * SIZE);
    p->watch = watched ? at->g->watches : 0;
    return ground;
}

/* Returns the cell of the centre of the chunk's city that is nearest to the point, by the
 * distance from the city's edge; 0 if the chunk has no city. */
static int32_t nearest_centre(const generator *g, const link_point *p)
{
    int32_t best = INT32_MAX, centre = 0;
    for (size_t i = 0; i < g->features.city_count; i++) {
        const gen_city *city = &g->features.cities[i];
        const int32_t dx = city->x - p->x, dy = city->y - p->y;
        const int32_t root = (int32_t)sqrtf((float)(dx * dx + dy * dy)) - city->size;
        const int32_t distance = root < 0 ? 0 : root;
        if (distance < best) {
            best = distance;
            centre = city->y * SIZE + city->x;
        }
    }
    return centre;
}

/* Draws a link on the ground. If has_way was last called for this link, the path that it found
 * is used. */
static void link_on_ground(const placing *at, const link_point *p)
{
    /* With the world's `compat`, a mistake of the games is repeated: a trail that keeps to the
     * forest has no goal but the centre of the nearest city, which no trail reaches. */
    if (at->g->config->options.compat && keeps_to_forest(at, p)) {
        link_event(at, p, "unreached", "no way for its connection");
        return;
    }
    const connect_end end = link_end(at, p);
    connect_ground ground = link_ground(at);
    ground.sought = at->p->sought && at->p->sought_connection == p->connection &&
                    at->p->sought_cell == p->y * SIZE + p->x;
    ground.told = at->p->told;
    at->p->sought = false;
    ground.centre = nearest_centre(at->g, p);
    const connect_result result = connect_link(at->g, p->connection, 0, end, &ground);
    if (at->g->failed)
        return;
    if (result == CONNECT_NO_PATH && !lead_out(at, p))
        link_event(at, p, "unreached", "no way for its connection");
    else if (result == CONNECT_BLOCKED)
        link_event(at, p, "blocked", "its connection can't begin here");
}

/* Draws a link. A link whose point lies on an OMT of the special itself needs no path. */
static void draw_link(const placing *at, const link_point *p)
{
    generator *g = at->g;
    if (!place_inside(p->x, p->y, p->z))
        link_event(at, p, "blocked", "its connection leaves the chunk");
    else if (place_owns(at->p, p->x, p->y, p->z))
        return;
    else if (p->z == 0)
        link_on_ground(at, p);
    else if (!ARRAY_ROOM(g->deep_links, g->deep_link_room, g->deep_link_count + 1))
        g->failed = true;
    else
        g->deep_links[g->deep_link_count++] =
            (deep_link){.connection = p->connection, .z = (int8_t)p->z, .end = link_end(at, p)};
}

/* Returns the point at which a connection of the special ends. */
static link_point special_point(const placing *at, const cat_link *link)
{
    const place_order *o = at->order;
    const point p = turned(link->x, link->y, o->rotation, o->x, o->y);
    const int direction = (link->direction + o->rotation) % 4;
    return (link_point){.connection = link->connection,
                        .x = p.x,
                        .y = p.y,
                        .z = at->z + link->z,
                        .direction = link->direction < 0 ? CONNECT_ANY : direction};
}

/* Finds the link point on a side of the grown piece. False if the piece has no connection
 * there. */
static bool piece_point(const placing *at, const gen_piece *grown, int side, link_point *p)
{
    const cat_piece *piece = &at->special->layout->pieces[grown->piece];
    const int rotated = side < 4 ? (side + grown->rotation) % 4 : side;
    if (piece->connections[side] == CAT_NONE)
        return false;
    *p = (link_point){.connection = piece->connections[side],
                      .x = grown->x,
                      .y = grown->y,
                      .z = grown->z,
                      .direction = CONNECT_ANY};
    if (rotated < 4) {
        p->x += step_x(rotated);
        p->y += step_y(rotated);
        p->direction = rotated;
    } else {
        p->z += rotated == CAT_ABOVE ? 1 : -1;
    }
    return true;
}

bool place_pieces_link(const placing *at)
{
    const cat_mutable *layout = at->special->layout;
    for (size_t i = 0; layout && i < layout->piece_count; i++)
        for (int side = 0; side < PTL_SIDES; side++)
            if (layout->pieces[i].connections[side] != CAT_NONE)
                return true;
    return false;
}

void place_links(const placing *at)
{
    const gen_features *f = &at->g->features;
    const size_t count = place_pieces_link(at) ? f->piece_count : 0;
    for (size_t i = 0; i < at->special->link_count && !at->g->failed; i++) {
        const cat_link *link = &at->special->links[i];
        if (link->existing)
            continue;
        const link_point p = special_point(at, link);
        draw_link(at, &p);
    }
    for (size_t i = at->first_piece; i < count && !at->g->failed; i++) {
        const gen_piece *grown = &f->pieces[i];
        for (int side = 0; side < PTL_SIDES && !at->g->failed; side++) {
            link_point p;
            if (piece_point(at, grown, side, &p))
                draw_link(at, &p);
        }
    }
}

/* ---- asking before ---- */

/* Returns false only if the link is on the ground, its connection can lie at the link's
 * point, and a search finds no path from there. A link on another level is drawn later, so the
 * result for it is true. */
static bool has_way(const placing *at, const link_point *p)
{
    if (!place_inside(p->x, p->y, p->z) || p->z != 0 || place_owns(at->p, p->x, p->y, p->z))
        return true;
    const connect_ground ground = link_ground(at);
    const connect_result result =
        connect_seek(at->g, p->connection, 0, link_end(at, p), &ground);
    at->p->sought = result == CONNECT_DRAWN || result == CONNECT_NO_PATH;
    at->p->told = result;
    at->p->sought_connection = p->connection;
    at->p->sought_cell = p->y * SIZE + p->x;
    return result != CONNECT_NO_PATH || way_out(at, p) >= 0;
}

/* Only the path that has_way found last is kept. So the links are tested from the last to the
 * first: the first link is the one that is drawn first, and the path kept is its own. */
bool place_has_ways(const placing *at, const gen_piece *pieces, size_t count)
{
    bool ways = true;
    at->p->sought = false;
    for (size_t i = place_pieces_link(at) ? count : 0; ways && i-- > 0;)
        for (int side = PTL_SIDES - 1; ways && side >= 0; side--) {
            link_point p;
            ways = !piece_point(at, &pieces[i], side, &p) || has_way(at, &p);
        }
    for (size_t i = at->special->link_count; ways && i-- > 0;) {
        const link_point p = special_point(at, &at->special->links[i]);
        ways = at->special->links[i].existing || has_way(at, &p);
    }
    return ways;
}

/*
 * Nested specials (generation.md 8.6). After everything else of a special, each special that
 * its definition names as nested is placed if it still fits, with its parent's rotation and
 * city. A nested special needs no occurrences of its own, but a GLOBALLY_UNIQUE special still
 * keeps to its home chunk.
 */

static bool check_fits(generator *g, const cat_check *check, const place_order *o, int8_t z)
{
    for (int32_t cz = check->z0; cz <= check->z1; cz++)
        for (int32_t cy = check->y0; cy <= check->y1; cy++)
            for (int32_t cx = check->x0; cx <= check->x1; cx++) {
                const point p = turned(cx, cy, o->rotation, o->x, o->y);
                if (!place_inside(p.x, p.y, z + cz) ||
                    !place_accepts(g, check->allows, check->own, z + cz, p.y * SIZE + p.x))
                    return false;
            }
    return true;
}

/* Does the nested special fit? At z = 0 the site map knows the answer. Its bitmaps are for
 * origins at z = 0 only, so on other levels each OMT is tested here. */
static bool fits(generator *g, const place_order *o, int8_t z)
{
    const cat_special *s = &g->config->cat->specials[o->special];
    if (!place_inside(o->x, o->y, z))
        return false;
    if (z == 0)
        return site_fits(g, o->special, o->rotation, o->x, o->y);
    for (size_t i = 0; !s->layout && i < s->omt_count; i++) {
        const cat_omt *omt = &s->omts[i];
        const point p = turned(omt->x, omt->y, o->rotation, o->x, o->y);
        if (!place_inside(p.x, p.y, z + omt->z) ||
            !place_accepts(g, omt->allows, omt->own, z + omt->z, p.y * SIZE + p.x))
            return false;
    }
    for (size_t i = 0; i < s->check_count; i++)
        if (!check_fits(g, &s->checks[i], o, z))
            return false;
    return true;
}

/* May the special be in this chunk, if the world may have it only once? Only if this chunk is
 * its home chunk and does not have it yet. */
static bool may_be_here(const generator *g, uint16_t special)
{
    if (!(g->config->cat->specials[special].flags & PTL_SPECIAL_GLOBALLY_UNIQUE))
        return true;
    const ptl_chunk_pos home = special_home(g->config, special);
    if (home.x != g->chunk->pos.x || home.y != g->chunk->pos.y)
        return false;
    for (size_t i = 0; i < g->features.placement_count; i++)
        if (g->features.placements[i].special == special)
            return false;
    return true;
}

/* Places one nested special. If it does not fit, an event tells of it. */
static void place_one(const placing *at, const cat_nested *nested, int depth)
{
    generator *g = at->g;
    const cat_special *s = &g->config->cat->specials[nested->special];
    const place_order *o = at->order;
    const point p = turned(nested->x, nested->y, o->rotation, o->x, o->y);
    const int32_t z = at->z + nested->z;
    if ((s->omt_count == 0 && !s->layout) || !may_be_here(g, nested->special))
        return;
    place_order order = *o;
    order.special = nested->special;
    order.x = (int16_t)p.x;
    order.y = (int16_t)p.y;
    order.attempt = NULL;
    order.no_way = NULL;
    if (!place_inside(p.x, p.y, z) || !fits(g, &order, (int8_t)z) ||
        !place_at(g, &order, (int8_t)z, depth))
        add_event(g, "nested_skipped", p.x, p.y, z, s->id);
}

void place_nested(const placing *at, int depth)
{
    generator *g = at->g;
    for (size_t i = 0; i < at->special->nested_count && !g->failed; i++) {
        if (depth == NESTING_MAX || at->p->nested == NESTED_TOTAL_MAX) {
            add_event(g, "too_many", at->order->x, at->order->y, at->z, at->special->id);
            return;
        }
        at->p->nested++;
        place_one(at, &at->special->nested[i], depth + 1);
    }
}
