/* Frees summaries, and checks what must hold for every summary. */
#include "model/summary.h"

#include <string.h>

void summary_dispose(summary *s)
{
    arena_free(s->memory);
    memset(s, 0, sizeof *s);
}

/* Returns whether two entries of a list are in order: first by their ids, and if these are
 * equal, by their second numbers. The entry (next_id, next_second) must come after (id,
 * second). */
static bool ascends(const char *id, int32_t second, const char *next_id, int32_t next_second)
{
    const int order = strcmp(id, next_id);
    return order < 0 || (order == 0 && second < next_second);
}

static const char *specials_problem(const summary *s)
{
    for (size_t i = 1; i < s->special_count; i++)
        if (!ascends(s->specials[i - 1].id, 0, s->specials[i].id, 0))
            return "specials are not in order";
    return NULL;
}

static const char *terrains_problem(const summary *s)
{
    int64_t cells = 0;
    for (size_t i = 0; i < s->terrain_count; i++) {
        const summary_terrain *t = &s->terrains[i];
        if (i > 0 && !ascends(t[-1].id, t[-1].z, t->id, t->z))
            return "terrains are not in order";
        cells += t->cells;
    }
    return s->terrain_count == 0 || cells == (int64_t)PTL_LEVELS * PTL_LEVEL_CELLS
               ? NULL
               : "terrains are not all the cells of an overmap";
}

static const char *buildings_problem(const summary *s)
{
    for (size_t i = 0; i < s->building_count; i++) {
        const summary_building *b = &s->buildings[i];
        if (i > 0 && !ascends(b[-1].id, b[-1].size, b->id, b->size))
            return "buildings are not in order";
        if (b->distance_min > b->distance_max ||
            b->distance_sum < (int64_t)b->count * b->distance_min ||
            b->distance_sum > (int64_t)b->count * b->distance_max)
            return "a building's distances contradict each other";
    }
    return NULL;
}

static const char *lines_problem(const summary *s)
{
    for (size_t i = 1; i < s->line_count; i++)
        if (!ascends(s->lines[i - 1].id, 0, s->lines[i].id, 0))
            return "lines are not in order";
    return NULL;
}

static const char *waters_problem(const summary *s)
{
    int64_t cells = 0;
    for (size_t i = 0; i < s->water_count; i++) {
        const summary_water *w = &s->waters[i];
        if (i > 0 &&
            (w[-1].kind > w->kind || (w[-1].kind == w->kind && w[-1].cells < w->cells)))
            return "waters are not in order";
        cells += w->cells;
    }
    return cells <= PTL_LEVEL_CELLS ? NULL : "waters are larger than the overmap";
}

static const char *baseline_problem(const summary *s)
{
    int64_t city = 0, road = 0;
    for (size_t i = 0; i < SUMMARY_FAR + 2; i++) {
        city += s->baseline.city[i];
        road += s->baseline.road[i];
    }
    return city == road && city <= PTL_LEVEL_CELLS ? NULL
                                                   : "the baseline counts too many cells";
}

const char *summary_problem(const summary *s)
{
    static const struct {
        uint32_t part;
        const char *(*problem)(const summary *s);
    } checks[] = {
        {PTL_COUNT_SPECIALS, specials_problem}, {PTL_COUNT_TERRAINS, terrains_problem},
        {PTL_COUNT_CITIES, buildings_problem},  {PTL_COUNT_LINES, lines_problem},
        {PTL_COUNT_WATERS, waters_problem},     {PTL_COUNT_BASELINE, baseline_problem}};
    const char *problem = NULL;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && !problem; i++)
        if (s->parts & checks[i].part)
            problem = checks[i].problem(s);
    return problem;
}
