/*
 * Forensics: tells why a chunk has or lacks a special, and what the tests say of an origin. The
 * chunk is generated again in memory, and a listener follows the placement of one special.
 * Nothing is written, and of the stored chunk only the edges are used, because generation
 * depends on them.
 */
#include "core/sized.h"
#include "core/utf8.h"
#include "gen/cities/city_map.h"
#include "gen/mutable/growth.h"
#include "gen/specials/place_late.h"
#include "gen/specials/rules.h"
#include "model/direction.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>

enum { WHY_JOINS = 32 };

/* Counts the growths of a mutable special that were given up because one join stayed open, by
 * join and by level relative to the root. The members x, y and z come from the first such
 * growth, `ground` from the last one. */
typedef struct why_join {
    uint16_t join;
    /* Offset from the root to the open join, in the first growth that was given up. */
    int32_t x, y, z;
    int32_t undone;
    /* Terrain at the open join. CAT_NONE: the join leads beyond the chunk's border, or onto
     * an OMT of another special. */
    ptl_oter ground;
} why_join;

typedef struct why_joins {
    const generator *g;
    int32_t x, y, z; /* place of the root of the growth that is in progress */
    why_join list[WHY_JOINS];
    size_t count; /* length of `list`, at most WHY_JOINS; once the list is full, growths that
                     were given up at other joins are not counted */
} why_joins;

/* ---- other ways than the rule of placement to get a special into a chunk ---- */

static bool in_bin(const cat_bin *bin, uint16_t special)
{
    for (size_t i = 0; i < bin->count; i++)
        if (bin->specials[i] == special)
            return true;
    return false;
}

static uint32_t city_ways(const cat_city_settings *city, uint16_t special)
{
    uint32_t ways = 0;
    if (in_bin(&city->houses, special) || in_bin(&city->urban_houses, special))
        ways |= PTL_WAY_HOUSE;
    if (in_bin(&city->shops, special) || in_bin(&city->urban_shops, special))
        ways |= PTL_WAY_SHOP;
    if (in_bin(&city->parks, special))
        ways |= PTL_WAY_PARK;
    if (in_bin(&city->finales, special))
        ways |= PTL_WAY_FINALE;
    return ways;
}

static uint32_t highway_ways(const cat_highway *h, uint16_t special)
{
    const uint16_t roads[] = {h->flat,   h->ramp,      h->bridge,          h->road_bridge,
                              h->column, h->clockwise, h->counterclockwise};
    uint32_t ways = 0;
    for (size_t i = 0; i < sizeof roads / sizeof *roads; i++)
        if (roads[i] == special)
            ways |= PTL_WAY_HIGHWAY_ROAD;
    if (h->onramp == special)
        ways |= PTL_WAY_HIGHWAY_END;
    if (h->bend == special || in_bin(&h->bends, special))
        ways |= PTL_WAY_HIGHWAY_BEND;
    if (h->four_way == special || in_bin(&h->four_ways, special))
        ways |= PTL_WAY_HIGHWAY_FOUR;
    if (h->three_way == special || in_bin(&h->three_ways, special))
        ways |= PTL_WAY_HIGHWAY_THREE;
    if (in_bin(&h->interchanges, special))
        ways |= PTL_WAY_INTERCHANGE;
    return ways;
}

/* Returns bits PTL_WAY_...: the ways, other than the rule of placement, by which the world's
 * region may place the special. */
static uint32_t special_ways(const gen_config *config, uint16_t special)
{
    const cat_region *region = config->region;
    uint32_t ways = config->city_size > 0 ? city_ways(&region->city, special) : 0;
    if (in_bin(&region->trails.trailheads, special))
        ways |= PTL_WAY_TRAILHEAD;
    if (region->highway)
        ways |= highway_ways(region->highway, special);
    if (region->highway && !config->highways.columns)
        ways |= PTL_WAY_HIGHWAYS_OFF;
    const cat_special *s = &config->cat->specials[special];
    if (s->building && region->levelled &&
        s->flags & (PTL_SPECIAL_CITY_UNIQUE | PTL_SPECIAL_UNIQUE))
        ways |= PTL_WAY_LIMITED;
    for (size_t i = 0; i < config->cat->special_count; i++)
        for (size_t k = 0; k < config->cat->specials[i].nested_count; k++)
            if (config->cat->specials[i].nested[k].special == special)
                ways |= PTL_WAY_NESTED;
    return ways;
}

/* Returns by which rule generation decides whether the special is placed. This function repeats
 * decisions of step_specials and city_unique, so it must be changed together with them. */
static ptl_roll special_roll(const gen_config *config, uint16_t special)
{
    const cat_special *s = &config->cat->specials[special];
    const bool one = (s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE) != 0;
    if (s->building)
        return one && config->region->levelled ? PTL_ROLL_SURE : PTL_ROLL_NONE;
    if (!one && !(s->flags & PTL_SPECIAL_UNIQUE))
        return PTL_ROLL_NONE;
    if (!config->region->levelled)
        return PTL_ROLL_CHANCE;
    if (!one)
        return PTL_ROLL_DECK;
    return config->options.placement == PTL_PLACEMENT_SECTORS ? PTL_ROLL_SURE : PTL_ROLL_CHANCE;
}

/* ---- why a chunk has or lacks a special ---- */

/* What is collected for ptl_why while the placement of one special in a chunk is followed. */
typedef struct why_listener {
    ptl_why *out;
    generator *g;
    /* What is told of the origin at one cell of the chunk; NULL: nothing is. */
    ptl_why_place *place;
    int32_t x, y; /* that cell */
    /* For each cell of a level: how many tests it has passed as an origin; NULL: the caller
     * does not want this. */
    uint8_t *passed;
    why_joins joins;
} why_listener;

static void on_verdict(void *payload, ptl_verdict verdict)
{
    const why_listener *l = payload;
    l->out->verdict = verdict;
}

/* Looks at a step of a growth. If the step says that a growth was given up, counts the join
 * that was left open. */
static void on_undone(void *payload, const gen_growth_step *step)
{
    why_listener *l = payload;
    why_joins *j = &l->joins;
    why_join *one = NULL;
    if (step->event == PTL_GROWTH_BEGINS) {
        j->x = step->x;
        j->y = step->y;
        j->z = step->z;
    }
    if (step->event != PTL_GROWTH_UNDONE || step->rule < 0)
        return;
    const uint16_t join = (uint16_t)step->rule;
    for (size_t i = 0; i < j->count && !one; i++)
        if (j->list[i].join == join && j->list[i].z == step->z - j->z)
            one = &j->list[i];
    if (!one && j->count == WHY_JOINS)
        return;
    if (!one) {
        one = &j->list[j->count++];
        *one = (why_join){join, step->x - j->x, step->y - j->y, step->z - j->z, 0, CAT_NONE};
    }
    one->undone++;
    /* A growth that was given up has left no trace in the chunk, so the chunk still has the
     * terrain that the growth met. */
    const bool beyond = !inside(step->x, step->y) || step->z < PTL_Z_MIN ||
                        step->z > PTL_Z_MAX ||
                        site_owned(j->g, step->z, step->y * SIZE + step->x);
    one->ground = beyond ? CAT_NONE : ptl_chunk_oter(j->g->chunk, step->x, step->y, step->z);
}

/* Finds the rotation in which the fewest cells keep the special from standing at the place of
 * the listener, while the chunk is as it was when its origins were tested. */
static void on_place(why_listener *l, ptl_why_test test, bool fits)
{
    ptl_why_place *out = l->place;
    const generator *g = l->g;
    const uint16_t special = g->trace->special;
    if (test == PTL_WHY_GROUND)
        *out = (ptl_why_place)PTL_WHY_PLACE_INIT;
    if (fits) {
        out->passed = (int32_t)test + 1;
    } else if (test == PTL_WHY_CITY && out->passed == PTL_WHY_CITY) {
        out->has_city =
            city_map_tell(&out->city_distance, &out->city_size, l->g, special, l->x, l->y);
    } else if (out->passed == (int32_t)test && test <= PTL_WHY_LINKED) {
        (void)place_tell(out, g, special, -1, l->x, l->y, test == PTL_WHY_LINKED);
    }
}

/* Stores for each cell the last test that the cell passed as an origin of the special. With
 * each test fewer cells are left. A chunk may try a special twice; then the second try replaces
 * the first. */
static void on_origins(void *payload, ptl_why_test test, const uint64_t *words)
{
    why_listener *l = payload;
    const size_t row_words = (PTL_CHUNK_SIZE + 63) / 64;
    if (l->place)
        on_place(l, test, words[(size_t)l->y * row_words + (size_t)l->x / 64] >> l->x % 64 & 1);
    if (!l->passed)
        return;
    if (test == PTL_WHY_GROUND)
        memset(l->passed, 0, PTL_LEVEL_CELLS);
    for (size_t y = 0; y < PTL_CHUNK_SIZE; y++)
        for (size_t x = 0; x < PTL_CHUNK_SIZE; x++)
            if (words[y * row_words + x / 64] >> x % 64 & 1)
                l->passed[y * PTL_CHUNK_SIZE + x] = (uint8_t)(test + 1);
}

/* Looks for the reason why a special can't be placed: of the terrains that the special needs,
 * the one that is rarest in the chunk. `chunk` is the chunk as it is before any special is
 * placed. */
typedef struct need_search {
    const gen_config *config;
    const ptl_chunk *chunk;
    ptl_why *out;
} need_search;

static bool look_at_need(const need_search *s, int32_t x, int32_t y, int32_t z,
                         ptl_terrain_set allows, bool takes_default)
{
    const catalogue *cat = s->config->cat;
    int32_t cells = 0;
    if (z < PTL_Z_MIN || z > PTL_Z_MAX)
        return false;
    const ptl_oter fill = s->config->defaults[z - PTL_Z_MIN];
    for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++) {
        const ptl_oter oter =
            ptl_chunk_oter(s->chunk, i % PTL_CHUNK_SIZE, i / PTL_CHUNK_SIZE, z);
        cells +=
            cat_terrain_in(allows, cat->oters[oter].terrain) || (takes_default && oter == fill);
    }
    if (s->out->has_need && cells >= s->out->need_cells)
        return false;
    s->out->has_need = true;
    s->out->need_x = x;
    s->out->need_y = y;
    s->out->need_z = z;
    s->out->need_cells = cells;
    return true;
}

/* Returns the oter that most cells of a level have; CAT_NONE when memory is out. */
static ptl_oter most_of(const need_search *s, int32_t z)
{
    const size_t count = s->config->cat->oter_count;
    int32_t *cells = calloc(count + 1, sizeof *cells);
    ptl_oter most = CAT_NONE;
    for (int32_t i = 0; cells && i < PTL_LEVEL_CELLS; i++) {
        const ptl_oter oter =
            ptl_chunk_oter(s->chunk, i % PTL_CHUNK_SIZE, i / PTL_CHUNK_SIZE, z);
        cells[oter < count ? oter : count]++;
        most = most == CAT_NONE || cells[oter] > cells[most] ? oter : most;
    }
    free(cells);
    return most;
}

static void name_ground(const catalogue *cat, ptl_oter ground, ptl_why *out)
{
    if (ground != CAT_NONE)
        snprintf(out->join_ground, sizeof out->join_ground, "%s",
                 cat->terrains[cat->oters[ground].terrain].id);
}

/* Examines what the root of a mutable special needs beyond each of its sides, and takes the
 * side whose need is met most rarely. *s->out gets the name of that side's join, and the name
 * of the most frequent terrain of the level on which the cell beyond the side lies. */
static void search_root(const need_search *s, const cat_mutable *m)
{
    uint64_t *set = calloc((s->config->cat->terrain_count + 63) / 64, sizeof *set);
    ptl_why *out = s->out;
    for (int side = 0; set && side < PTL_SIDES; side++) {
        const int32_t z = side == CAT_ABOVE ? 1 : side == CAT_BELOW ? -1 : 0;
        const bool flat = side < CAT_ABOVE;
        if (!site_root_ground(s->config, m, side, set) ||
            !look_at_need(s, flat ? step_x(side) : 0, flat ? step_y(side) : 0, z, set, false))
            continue;
        snprintf(out->join, sizeof out->join, "%s",
                 m->joins[m->pieces[m->root].sides[side].join].id);
        out->join_x = out->need_x;
        out->join_y = out->need_y;
        out->join_z = out->need_z;
        name_ground(s->config->cat, most_of(s, z), out);
    }
    free(set);
}

/* Does an earlier OMT of the special need the same ground on the same level? Then counting that
 * ground again would bring nothing new. */
static bool seen_omt(const cat_special *special, size_t index)
{
    const cat_omt *t = &special->omts[index];
    for (size_t i = 0; i < index; i++) {
        const cat_omt *o = &special->omts[i];
        if (o->z == t->z && o->allows == t->allows && o->own == t->own)
            return true;
    }
    return false;
}

static ptl_status find_need(ptl_world *world, const cat_special *special, ptl_chunk_pos pos,
                            ptl_why *out, ptl_error *err)
{
    ptl_chunk *chunk;
    TRY(world_make_again(&chunk, world, pos, world_steps_to("specials") - 1, NULL, err));
    const need_search s = {world->config, chunk, out};
    for (size_t i = 0; i < special->omt_count; i++) {
        const cat_omt *t = &special->omts[i];
        if (!seen_omt(special, i))
            look_at_need(&s, t->x, t->y, t->z, t->allows,
                         site_takes_default(s.config, t->z, t->own));
    }
    for (size_t i = 0; i < special->check_count; i++) {
        const cat_check *c = &special->checks[i];
        for (int32_t z = c->z0; z <= c->z1; z++)
            look_at_need(&s, c->x0, c->y0, z, c->allows,
                         site_takes_default(s.config, z, c->own));
    }
    if (special->layout)
        search_root(&s, special->layout);
    ptl_chunk_free(chunk);
    return PTL_OK;
}

static void take_features(ptl_why *out, const gen_features *f, uint16_t special)
{
    int32_t count = 0;
    for (size_t i = 0; i < f->placement_count; i++)
        count += f->placements[i].special == special;
    for (size_t i = 0; i < f->attempt_count; i++) {
        const gen_attempt *a = &f->attempts[i];
        if (a->special != special)
            continue;
        out->asked = a->asked;
        out->ground = a->ground;
        out->linked = a->linked;
        out->city = a->city;
        out->room = a->room;
        out->failed = a->failed;
        out->placed = a->placed;
    }
    out->others = count - out->placed;
}

/* Copies what the event `unique_dropped` of the special says, if there is one. A step writes
 * this event if no place was found in the chunk for a special that stands only there in a
 * world. */
static void take_dropped(ptl_why *out, const generator *g, const cat_special *s)
{
    size_t count;
    const gen_event *events = generator_events(g, &count);
    for (size_t i = 0; i < count; i++) {
        const gen_event *e = &events[i];
        if (strcmp(e->kind, "unique_dropped") != 0 ||
            strncmp(e->detail, s->id, sizeof e->detail - 1) != 0)
            continue;
        out->dropped = !s->building ? PTL_DROPPED_RULE
                       : e->x < 0   ? PTL_DROPPED_NO_CITY
                                    : PTL_DROPPED_CITY;
        if (out->dropped == PTL_DROPPED_CITY) {
            out->dropped_x = e->x;
            out->dropped_y = e->y;
        }
    }
    out->cities = (int32_t)generator_features(g)->city_count;
}

/* Most growths failed at some join that stayed open. Puts the name of that join, its place and
 * its ground into *out. If no growth failed because of an open join, *out does not change. */
static void why_joins_tell(const why_joins *j, const cat_mutable *m, ptl_why *out)
{
    const why_join *most = NULL;
    for (size_t i = 0; i < j->count; i++)
        if (!most || j->list[i].undone > most->undone)
            most = &j->list[i];
    if (!most || most->join >= m->join_count)
        return;
    snprintf(out->join, sizeof out->join, "%s", m->joins[most->join].id);
    out->join_x = most->x;
    out->join_y = most->y;
    out->join_z = most->z;
    out->join_undone = most->undone;
    name_ground(j->g->config->cat, most->ground, out);
}

/* What is asked: why a special is, or is not, in a chunk, and what is wanted beside that. */
typedef struct why_question {
    const char *special;
    ptl_chunk_pos pos;
    uint8_t *passed;      /* NULL: not wanted */
    ptl_why_place *place; /* NULL: not wanted; else that of the cell (x, y) of the chunk */
    int32_t x, y;
} why_question;

static ptl_status find_why(ptl_why *out, ptl_world *world, const why_question *q,
                           ptl_error *err)
{
    const ptl_chunk_pos pos = q->pos;
    const char *id = q->special;
    uint8_t *passed = q->passed;
    why_listener listener = {
        .out = out, .passed = passed, .place = q->place, .x = q->x, .y = q->y};
    ptl_chunk *chunk;
    TRY(world_check_position(pos, err));
    TRY(world_prepare_again(world, &pos, err));
    const uint16_t special = catalogue_special(world->cat, id);
    if (special == CAT_NONE) {
        (void)error_set(err, PTL_ERR_NOT_FOUND, "the content has no special '%.*s'",
                        UTF8_CUT(id, 200));
        return PTL_ERR_NOT_FOUND;
    }
    if (passed)
        memset(passed, 0, PTL_LEVEL_CELLS);
    const cat_special *s = &world->cat->specials[special];
    const gen_trace trace = {.payload = &listener,
                             .special = special,
                             .on_growth = on_undone,
                             .on_verdict = on_verdict,
                             .on_origins = on_origins};
    listener.joins.g = listener.g = world->gen;
    TRY(world_make_again(&chunk, world, pos, ptl_step_count(), &trace, err));
    ptl_chunk_free(chunk);
    if (s->building)
        out->verdict = PTL_VERDICT_BUILDING;
    if (s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE)
        out->home = special_home(world->config, special);
    take_features(out, generator_features(world->gen), special);
    take_dropped(out, world->gen, s);
    if (s->layout) {
        why_joins_tell(&listener.joins, world->gen->config->cat->specials[special].layout, out);
        if (growth_lacks_ground(world->gen->growth, special))
            out->tried = PTL_TRIED_GROUND;
        else if (growth_is_hopeless(world->gen->growth, special))
            out->tried = PTL_TRIED_ENDED;
    }
    out->ways = special_ways(world->config, special);
    out->roll = special_roll(world->config, special);
    /* If no origin had the right terrain, find the OMT of the special for whose terrain the
     * fewest cells are suitable. In other cases this would not explain why the special is
     * missing. */
    const bool nowhere = out->verdict == PTL_VERDICT_ASKED && out->ground == 0;
    return nowhere ? find_need(world, s, pos, out, err) : PTL_OK;
}

ptl_status ptl_why_get(ptl_why *out, uint8_t passed[PTL_LEVEL_CELLS], ptl_world *world,
                       const char *id, ptl_chunk_pos pos, ptl_error *err)
{
    ptl_why why = PTL_WHY_INIT;
    error_clear(err);
    ptl_status status = SIZED_CHECK(ptl_why, out, err);
    const why_question q = {.special = id, .pos = pos, .passed = passed};
    THEN(status, find_why(&why, world, &q, err));
    SIZED_FILL(ptl_why, out, &why);
    return status;
}

/* Finds the origin nearest to (x, y) that passes all tests. */
static void find_nearest(ptl_why_place *out, const uint8_t *passed, ptl_chunk_pos pos,
                         int32_t x, int32_t y)
{
    int32_t least = INT32_MAX;
    for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++) {
        const int32_t dx = i % PTL_CHUNK_SIZE - x, dy = i / PTL_CHUNK_SIZE - y;
        if (passed[i] < PTL_WHY_TESTS || dx * dx + dy * dy >= least)
            continue;
        least = dx * dx + dy * dy;
        out->has_nearest = true;
        out->nearest_x = (int64_t)pos.x * PTL_CHUNK_SIZE + i % PTL_CHUNK_SIZE;
        out->nearest_y = (int64_t)pos.y * PTL_CHUNK_SIZE + i / PTL_CHUNK_SIZE;
    }
}

ptl_status ptl_why_place_get(ptl_why_place *out, ptl_why *chunk,
                             uint8_t passed[PTL_LEVEL_CELLS], ptl_world *world, const char *id,
                             ptl_omt at, ptl_error *err)
{
    ptl_why why = PTL_WHY_INIT;
    ptl_why_place place = PTL_WHY_PLACE_INIT;
    error_clear(err);
    ptl_status status = SIZED_CHECK(ptl_why_place, out, err);
    THEN(status, SIZED_CHECK(ptl_why, chunk, err));
    if (status != PTL_OK)
        return status;
    const ptl_chunk_pos pos = ptl_omt_chunk(at);
    uint8_t *cells = passed ? passed : malloc(PTL_LEVEL_CELLS);
    const why_question q = {.special = id,
                            .pos = pos,
                            .passed = cells,
                            .place = &place,
                            .x = (int32_t)(at.x - (int64_t)pos.x * PTL_CHUNK_SIZE),
                            .y = (int32_t)(at.y - (int64_t)pos.y * PTL_CHUNK_SIZE)};
    status = cells ? find_why(&why, world, &q, err) : error_nomem(err);
    if (status == PTL_OK)
        find_nearest(&place, cells, pos, q.x, q.y);
    if (!passed)
        free(cells);
    SIZED_FILL(ptl_why, chunk, &why);
    SIZED_FILL(ptl_why_place, out, &place);
    return status;
}
