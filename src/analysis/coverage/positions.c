/*
 * Where the overmaps of a survey lie. Each is of another seed, so that they are independent.
 * Their places go round through eight kinds: the origin and other places that the content
 * names, places near the origin and at growing distances, far in one of the four directions
 * (along which forests and cities of some regions change), at the coast of an ocean, and on the
 * sea.
 */
#include "analysis/coverage/coverage_impl.h"
#include "core/hash.h"
#include "gen/plan/plan.h"

enum { KINDS = 8, MUST_MAX = 1000 };

/* ---- places that the content names ---- */

typedef struct must_list {
    ptl_chunk_pos *list;
    size_t count;
} must_list;

static void add_must(must_list *m, ptl_chunk_pos pos)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->list[i].x == pos.x && m->list[i].y == pos.y)
            return;
    if (m->count < MUST_MAX)
        m->list[m->count++] = pos;
}

/* Adds to the list the overmaps for which a mutable special has rules of its own: such a rule
 * applies only in the one overmap that it states. */
static void add_rules(must_list *m, const cat_mutable *layout)
{
    for (size_t p = 0; layout && p < layout->phase_count; p++)
        for (size_t i = 0; i < layout->phases[p].rule_count; i++) {
            const cat_rule *rule = &layout->phases[p].rules[i];
            if (rule->has_overmap)
                add_must(m, (ptl_chunk_pos){rule->overmap_x, rule->overmap_y});
        }
}

ptl_status survey_plan_init(survey_plan *out, const gen_config *config, uint64_t seed,
                            arena *memory, ptl_error *err)
{
    const catalogue *cat = config->cat;
    must_list m = {arena_calloc(memory, MUST_MAX, sizeof *m.list), 0};
    if (!m.list)
        return error_nomem(err);
    add_must(&m, (ptl_chunk_pos){0, 0});
    for (size_t i = 0; i < cat->special_count; i++)
        add_rules(&m, cat->specials[i].layout);
    for (size_t i = 0; i < cat->city_count; i++)
        add_must(&m, cat->cities[i].chunk);
    *out = (survey_plan){config, seed, m.list, m.count};
    return PTL_OK;
}

/* ---- the kinds of places ---- */

static int32_t around(rng *r, int32_t most)
{
    return rng_range(r, -most, most);
}

/* Returns the place of an overmap near the world's origin. It lies `ahead` overmaps from the
 * origin in the direction `side` (0..3 = north, east, south, west), and `aside` overmaps to the
 * side of that direction. */
static ptl_chunk_pos towards(int side, int32_t ahead, int32_t aside)
{
    const int32_t along = side == 0 || side == 3 ? -ahead : ahead;
    return side & 1 ? (ptl_chunk_pos){along, aside} : (ptl_chunk_pos){aside, along};
}

/* Returns a random place beyond the line at which an ocean begins. If the region has no ocean,
 * returns a random place at most 20 chunks from the origin. */
static ptl_chunk_pos seaward(const cat_ocean *ocean, rng *r, int32_t least, int32_t most)
{
    int sides[CAT_SIDES], count = 0;
    for (int side = 0; side < CAT_SIDES; side++)
        if (ocean->begins[side])
            sides[count++] = side;
    if (count == 0)
        return (ptl_chunk_pos){around(r, 20), around(r, 20)};
    const int side = sides[rng_below(r, (uint64_t)count)];
    return towards(side, ocean->start[side] + rng_range(r, least, most), around(r, 20));
}

survey_place survey_place_of(const survey_plan *plan, uint64_t i)
{
    const cat_ocean *ocean = &plan->config->region->ocean;
    const uint64_t seed = plan->seed + i, round = i / KINDS;
    rng r = rng_from_key(hash_add(hash_string("coverage/place"), seed));
    ptl_chunk_pos pos;
    switch (i % KINDS) {
    case 0:
        pos = plan->must[round % plan->must_count];
        break;
    case 1:
        pos = (ptl_chunk_pos){around(&r, 2), around(&r, 2)};
        break;
    case 2:
        pos = seaward(ocean, &r, 0, 3);
        break;
    case 3:
        pos = (ptl_chunk_pos){around(&r, 8), around(&r, 8)};
        break;
    case 4:
        pos = towards((int)(round % 4), rng_range(&r, 30, 400), around(&r, 20));
        break;
    case 5:
        pos = (ptl_chunk_pos){around(&r, 3), around(&r, 3)};
        break;
    case 6:
        pos = seaward(ocean, &r, 3, 30);
        break;
    default:
        pos = (ptl_chunk_pos){around(&r, 40), around(&r, 40)};
        break;
    }
    return (survey_place){seed, pos};
}
