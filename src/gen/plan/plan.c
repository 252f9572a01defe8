#include "gen/plan/plan.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

void plan_edge_of_chunk(ptl_chunk_pos pos, int direction, int32_t *x, int32_t *y,
                        edge_side *side)
{
    *x = pos.x - (direction == 3);
    *y = pos.y - (direction == 0);
    *side = direction == 1 || direction == 3 ? EDGE_EAST : EDGE_SOUTH;
}

static bool crossing_before(const crossing *a, const crossing *b)
{
    int kinds = strcmp(a->kind, b->kind);
    if (a->z != b->z)
        return a->z < b->z;
    return kinds != 0 ? kinds < 0 : a->position < b->position;
}

ptl_status plan_edge(edge *out, const gen_config *config, int32_t x, int32_t y, edge_side side,
                     ptl_error *err)
{
    *out = (edge){.x = x, .y = y, .side = side, .origin = EDGE_PLANNED};
    crossing list[RIVER_ARMS_MAX + 1 + EXITS_PER_EDGE];
    edge planned = *out;
    planned.crossings = list;
    planned.count = plan_rivers(list, config, out);
    planned.count += plan_highways(list + planned.count, config, &planned);
    size_t count = planned.count + plan_exits(list + planned.count, config, &planned);
    if (count == 0)
        return PTL_OK;
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && crossing_before(&list[k], &list[k - 1]); k--) {
            crossing swap = list[k];
            list[k] = list[k - 1];
            list[k - 1] = swap;
        }
    out->crossings = malloc(count * sizeof *list);
    if (!out->crossings)
        return error_nomem(err);
    memcpy(out->crossings, list, count * sizeof *list);
    out->count = count;
    return PTL_OK;
}
