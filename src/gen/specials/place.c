/*
 * Places a special: its OMTs or its growth, the blob around it (cells that the flag BLOB adds),
 * its monsters, connections and nested specials, and the record of its placement, in the order
 * of generation.md 8.5. Placing fails only if the special's growth does not succeed, or if the
 * place_order requires a path for each connection of the special and none is found for one of
 * them. Links and nested specials are in place_links.c.
 *
 * The cells of the special that is being placed are marked, so that its blob does not paint
 * over its OMTs, and the lines of its connections (links) keep off these cells.
 */
#include "core/array.h"
#include "gen/cities/city_near.h"
#include "gen/mutable/growth.h"
#include "gen/specials/place_impl.h"

#include <stdlib.h>
#include <string.h>

bool place_accepts(const generator *g, ptl_terrain_set allows, bool own, int32_t z,
                   int32_t cell)
{
    const ptl_oter ground = cell_oter(g, z, cell);
    if (site_owned(g, z, cell))
        return false;
    if (cat_terrain_in(allows, g->config->cat->oters[ground].terrain))
        return true;
    return site_takes_default(g->config, z, own) && ground == g->config->defaults[level_of(z)];
}

/* ---- the cells of the special in work ---- */
/* Marks a cell as belonging to the special. False if it is marked already, or memory is out. */
static inline bool mark_own(const placing *at, int32_t x, int32_t y, int32_t z)
{
    placer *p = at->p;
    const int32_t number = level_of(z);
    uint64_t *own = &p->own[number].words[y * SITE_WORDS + x / 64];
    const uint64_t bit = UINT64_C(1) << x % 64;
    if (*own & bit)
        return false;
    if (!ARRAY_ROOM(p->omts, p->omt_room, p->omt_count + 1)) {
        at->g->failed = true;
        return false;
    }
    *own |= bit;
    p->levels |= UINT32_C(1) << number;
    p->omts[p->omt_count++] = number * SIZE * SIZE + y * SIZE + x;
    return true;
}

static inline void mark(const placing *at, int32_t x, int32_t y, int32_t z)
{
    if (!mark_own(at, x, y, z))
        return;
    site_own(at->g, x, y, z);
    if (z != 0)
        return;
    connect_wrote(at->g, y * SIZE + x);
    if (at->order->used) {
        place_used *used = at->order->used;
        used->x0 = x < used->x0 ? x : used->x0;
        used->x1 = x > used->x1 ? x : used->x1;
        used->y0 = y < used->y0 ? y : used->y0;
        used->y1 = y > used->y1 ? y : used->y1;
        if (used->cells)
            used->cells->words[y * SITE_WORDS + x / 64] |= UINT64_C(1) << x % 64;
    }
}

/* Clears the marks of the special's cells. If it has many OMTs, the bitmaps of whole levels are
 * cleared. */
static void clear_marks(placer *p)
{
    enum { MANY = 200 };
    for (uint32_t left = p->omt_count > MANY ? p->levels : 0; left; left &= left - 1)
        memset(&p->own[__builtin_ctz(left)], 0, sizeof *p->own);
    p->levels = 0;
    if (p->omt_count > MANY)
        p->omt_count = 0;
    for (size_t i = 0; i < p->omt_count; i++) {
        const int32_t cell = p->omts[i] % (SIZE * SIZE), x = cell % SIZE, y = cell / SIZE;
        p->own[p->omts[i] / (SIZE * SIZE)].words[y * SITE_WORDS + x / 64] = 0;
    }
    p->omt_count = 0;
}

/* Writes an OMT. A level that has the same oter everywhere is stored without cells. If the OMT
 * has that very oter too, nothing need be written, and the level stays without cells. */
static void write_omt(const placing *at, int32_t x, int32_t y, int32_t z, ptl_oter oter)
{
    const int32_t cell = y * SIZE + x;
    const level *l = chunk_level(at->g->chunk, z);
    mark(at, x, y, z);
    if (!l->cells && l->fill == oter)
        return;
    ptl_oter *cells = cells_at(at->g, z);
    if (cells)
        cell_set(at->g, cells, z, cell, oter);
}

/* ---- fixed ones ---- */
static point omt_place(const placing *at, const cat_omt *omt)
{
    const place_order *o = at->order;
    return turned(omt->x, omt->y, o->rotation, o->x, o->y);
}

static void mark_omts(const placing *at)
{
    for (size_t i = 0; i < at->special->omt_count; i++) {
        const cat_omt *omt = &at->special->omts[i];
        const point p = omt_place(at, omt);
        /* If the special's origin was valid, all OMTs lie inside; a caller may give another
         * origin. */
        if (place_inside(p.x, p.y, at->z + omt->z))
            mark_own(at, p.x, p.y, at->z + omt->z);
    }
}

/* Returns whether a path could be found for each of the special's connections if the special
 * stood here. True without a search if the place_order does not require paths. */
static bool has_ways(const placing *at)
{
    if (!at->order->no_way || at->special->link_count == 0)
        return true;
    mark_omts(at);
    const bool ways = place_has_ways(at, NULL, 0);
    clear_marks(at->p);
    /* The search's path is not kept for drawing if the special has the flag BLOB, since cells
     * that this flag adds around the special may later cover the path. */
    at->p->sought = at->p->sought && !(at->special->flags & PTL_SPECIAL_BLOB);
    *at->order->no_way = !ways;
    return ways;
}

static rng special_stream(const placing *at, const char *what)
{
    const generator *g = at->g;
    const uint64_t key = hash_add(step_key(g, what), at->special->key);
    return cell_stream(g, hash_add(key, (uint64_t)level_of(at->z)), at->order->x, at->order->y);
}

/* Paints the blob of a special with the flag BLOB: further cells around each of its OMTs, with
 * the same oter as the OMT. A cell is painted only if the OMT could stand there itself, and the
 * more likely the nearer the cell is to the OMT. */
static void put_blob(const placing *at)
{
    enum { RADIUS = 2 };
    rng r = special_stream(at, "specials/blob");
    for (size_t i = 0; i < at->special->omt_count; i++) {
        const cat_omt *omt = &at->special->omts[i];
        const point p = omt_place(at, omt);
        const int32_t z = at->z + omt->z;
        for (int32_t dy = -RADIUS; dy <= RADIUS; dy++)
            for (int32_t dx = -RADIUS; dx <= RADIUS; dx++) {
                const int32_t x = p.x + dx, y = p.y + dy;
                if (rng_one_in(&r, 1 + abs(dx) + abs(dy)) && place_inside(x, y, z) &&
                    !place_owns(at->p, x, y, z) &&
                    place_accepts(at->g, omt->allows, omt->own, z, y * SIZE + x))
                    write_omt(at, x, y, z, omt->oters[at->order->rotation]);
            }
    }
}

/* ---- mutable ones ---- */

/* How many growths at one origin may succeed and be given up because not every connection
 * has a path. */
enum { WAYLESS_MAX = 4 };

/* Copies the pieces that grew into the chunk's features, under the number that the special's
 * placement will have. */
static void keep_growth(const placing *at, const grown *result)
{
    gen_features *f = &at->g->features;
    const int32_t placement = (int32_t)f->placement_count;
    gen_piece *pieces = features_add_pieces(f, result->piece_count);
    gen_join *joins = features_add_joins(f, result->join_count);
    if (!pieces || !joins) {
        at->g->failed = true;
        return;
    }
    for (size_t i = 0; i < result->join_count; i++) {
        joins[i] = result->joins[i];
        joins[i].placement = placement;
    }
    for (size_t i = 0; i < result->piece_count; i++) {
        const gen_piece *from = &result->pieces[i];
        pieces[i] = *from;
        pieces[i].placement = placement;
        mark(at, from->x, from->y, from->z);
    }
}

/* Returns whether a path could be found for each connection of the grown special. If not,
 * the growth is taken back. True without a search if the place_order does not require paths. */
static bool grown_has_ways(const placing *at, const grown *result)
{
    if (!at->order->no_way)
        return true;
    *at->order->no_way = false;
    if (at->special->link_count == 0 && !place_pieces_link(at))
        return true;
    for (size_t i = 0; i < result->piece_count; i++) {
        const gen_piece *piece = &result->pieces[i];
        const int32_t cell = piece->y * SIZE + piece->x;
        mark_own(at, piece->x, piece->y, piece->z);
        if (piece->z == 0)
            connect_wrote(at->g, cell);
    }
    const bool ways = place_has_ways(at, result->pieces, result->piece_count);
    for (size_t i = 0; !ways && i < result->piece_count; i++)
        if (result->pieces[i].z == 0)
            connect_wrote(at->g, result->pieces[i].y * SIZE + result->pieces[i].x);
    clear_marks(at->p);
    if (!ways)
        growth_take_back(at->g);
    *at->order->no_way = !ways;
    return ways;
}

/* Grows the mutable special, in up to order->draws tries. Returns the number of the try that
 * succeeded and in which a path could be found for each connection; -1 if there was none. */
static int16_t grow(const placing *at)
{
    const place_order *o = at->order;
    growth_site site = {
        .special = o->special, .x = o->x, .y = o->y, .z = at->z, .rotation = o->rotation};
    const int16_t draws = o->draws > 0 ? o->draws : (int16_t)GROWTH_DRAWS;
    int wayless = 0;
    for (; site.draw < draws && !growth_is_hopeless(at->g->growth, o->special); site.draw++) {
        grown result;
        const growth_result end = growth_grow(at->g, &site, &result);
        if (at->g->failed || end == GROWTH_BLOCKED)
            return -1;
        if (end == GROWTH_DONE && !grown_has_ways(at, &result)) {
            if (o->attempt)
                o->attempt->failed++;
            if (at->g->failed || ++wayless == WAYLESS_MAX)
                return -1;
            continue;
        }
        if (end == GROWTH_DONE) {
            keep_growth(at, &result);
            growth_tell(at->g);
            return site.draw;
        }
        if (o->attempt)
            o->attempt->failed++;
        if (end == GROWTH_COSTLY) {
            add_event(at->g, "too_costly", o->x, o->y, at->z, at->special->id);
            return -1;
        }
    }
    return -1;
}

/* ---- monsters ---- */
/* Adds the special's monster group, unless g->safe forbids monster groups at the special's
 * origin. */
static void add_spawns(const placing *at)
{
    const cat_spawns *spawns = &at->special->spawns;
    generator *g = at->g;
    if (!spawns->group)
        return;
    rng r = special_stream(at, "specials/spawns");
    const int32_t population = rng_range(&r, spawns->population_min, spawns->population_max);
    const int32_t radius = rng_range(&r, spawns->radius_min, spawns->radius_max);
    const int32_t cell = at->order->y * SIZE + at->order->x;
    if (g->safe[cell] >> level_of(at->z) & 1)
        return;
    add_group(g, (gen_group){.type = spawns->group,
                             .x = (int16_t)(2 * at->order->x),
                             .y = (int16_t)(2 * at->order->y),
                             .z = at->z,
                             .radius = (int16_t)(radius < 2 * SIZE ? radius : 2 * SIZE),
                             .population = population});
}

bool place_keeps_peace(const generator *g, uint16_t special, int32_t x, int32_t y)
{
    const cat_spawns *spawns = &g->config->cat->specials[special].spawns;
    if (!g->has_safe || !spawns->group || !g->config->region->levelled)
        return true;
    const int32_t r = spawns->radius_max < SIZE ? spawns->radius_max : SIZE;
    const int32_t y0 = y > r ? y - r : 0, y1 = y + r < SIZE ? y + r + 1 : SIZE;
    const int32_t x0 = x > r ? x - r : 0, x1 = x + r < SIZE ? x + r + 1 : SIZE;
    for (int32_t row = y0; row < y1; row++)
        if (near_any(&g->placer->safe.words[row * SITE_WORDS], x0, x1))
            return false;
    return true;
}

/* Removes all monster groups, also the special's own, that stand on the special's OMTs. Sees
 * to it that none is put on these OMTs later either. */
static void make_safe(const placing *at)
{
    generator *g = at->g;
    placer *p = at->p;
    if (!g->has_safe)
        p->safe = (site_bits){{0}};
    g->has_safe = true;
    for (size_t i = 0; i < p->omt_count; i++) {
        const int32_t cell = p->omts[i] % (SIZE * SIZE), at_level = p->omts[i] / (SIZE * SIZE);
        g->safe[cell] |= UINT32_C(1) << at_level;
        if (at_level == level_of(0))
            near_fill(&p->safe.words[cell / SIZE * SITE_WORDS], cell % SIZE, cell % SIZE + 1);
    }
    size_t kept = 0;
    for (size_t i = 0; i < g->features.group_count; i++) {
        const gen_group *group = &g->features.groups[i];
        const int32_t cell = group->y / 2 * SIZE + group->x / 2;
        if (!(g->safe[cell] >> level_of(group->z) & 1))
            g->features.groups[kept++] = *group;
    }
    g->features.group_count = kept;
}

/* ---- all of it ---- */
bool place_at(generator *g, const place_order *order, int8_t z, int depth)
{
    const placing at = {.g = g,
                        .p = g->placer,
                        .special = &g->config->cat->specials[order->special],
                        .order = order,
                        .z = z,
                        .first_piece = g->features.piece_count};
    clear_marks(at.p);
    int16_t draw = 0;
    at.p->sought = false;
    if (at.special->layout) {
        draw = grow(&at);
    } else if (!has_ways(&at)) {
        return false;
    } else {
        for (size_t i = 0; i < at.special->omt_count; i++) {
            const cat_omt *omt = &at.special->omts[i];
            const point p = omt_place(&at, omt);
            /* If the special's origin was valid, all OMTs lie inside; a caller may give another
             * origin. */
            if (place_inside(p.x, p.y, z + omt->z))
                write_omt(&at, p.x, p.y, z + omt->z, omt->oters[at.order->rotation]);
        }
        if (at.special->flags & PTL_SPECIAL_BLOB)
            put_blob(&at);
    }
    if (draw < 0 || g->failed)
        return false;
    add_placement(g, (gen_placement){.special = order->special,
                                     .x = order->x,
                                     .y = order->y,
                                     .z = z,
                                     .rotation = order->rotation,
                                     .city = order->city,
                                     .draw = draw,
                                     .omts = (int32_t)at.p->omt_count});
    if (g->failed)
        return false;
    place_links(&at);
    add_spawns(&at);
    if (at.special->flags & PTL_SPECIAL_SAFE)
        make_safe(&at);
    place_nested(&at, depth);
    return !g->failed;
}

bool place_special(generator *g, const place_order *order)
{
    g->placer->nested = 0;
    return place_at(g, order, 0, 0);
}

void place_building_links(generator *g)
{
    for (size_t i = 0; i < g->features.placement_count && !g->failed; i++) {
        const gen_placement record = g->features.placements[i];
        const place_order order = {.special = record.special,
                                   .x = record.x,
                                   .y = record.y,
                                   .rotation = record.rotation,
                                   .city = record.city};
        const placing at = {.g = g,
                            .p = g->placer,
                            .special = &g->config->cat->specials[record.special],
                            .order = &order,
                            .z = record.z};
        if (at.special->link_count == 0)
            continue;
        clear_marks(at.p);
        mark_omts(&at);
        at.p->sought = false;
        place_links(&at);
    }
}

/* ---- as a part of a generator ---- */

static void make_placer(generator *g)
{
    g->placer = generator_memory(g, 1, sizeof *g->placer);
}

static void drop_placer(generator *g)
{
    if (g->placer)
        free(g->placer->omts);
}

const gen_part placer_part = {.make = make_placer, .drop = drop_placer};
