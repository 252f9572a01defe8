#include "world/trial/why_joins.h"

#include "gen/sites/sites.h"

#include <stdio.h>

/* Returns the oter at the place of a step after the growth was taken back; CAT_NONE beyond
 * the border of the chunk and on a special that stands there. */
static ptl_oter ground_at(const generator *g, const gen_growth_step *s)
{
    if (!inside(s->x, s->y) || s->z < PTL_Z_MIN || s->z > PTL_Z_MAX ||
        site_owned(g, s->z, s->y * SIZE + s->x))
        return CAT_NONE;
    return ptl_chunk_oter(g->chunk, s->x, s->y, s->z);
}

static why_join *find_join(why_joins *j, uint16_t join, int32_t z)
{
    for (size_t i = 0; i < j->count; i++)
        if (j->list[i].join == join && j->list[i].z == z)
            return &j->list[i];
    return NULL;
}

void why_joins_hear(why_joins *j, const gen_growth_step *step)
{
    if (step->event == PTL_GROWTH_BEGINS) {
        j->x = step->x;
        j->y = step->y;
        j->z = step->z;
    }
    if (step->event != PTL_GROWTH_UNDONE || step->rule < 0)
        return;
    const uint16_t join = (uint16_t)step->rule;
    why_join *one = find_join(j, join, step->z - j->z);
    if (!one && j->count == WHY_JOINS)
        return;
    if (!one) {
        one = &j->list[j->count++];
        *one = (why_join){join, step->x - j->x, step->y - j->y, step->z - j->z, 0, CAT_NONE};
    }
    one->undone++;
    one->ground = ground_at(j->g, step);
}

static void name_ground(const catalogue *cat, ptl_oter ground, ptl_why *out)
{
    if (ground != CAT_NONE)
        snprintf(out->join_ground, sizeof out->join_ground, "%s",
                 cat->terrains[cat->oters[ground].terrain].id);
}

void why_joins_tell(const why_joins *j, const cat_mutable *m, ptl_why *out)
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

void why_joins_root(const generator *g, const cat_mutable *m, int side, ptl_oter ground,
                    ptl_why *out)
{
    snprintf(out->join, sizeof out->join, "%s",
             m->joins[m->pieces[m->root].sides[side].join].id);
    out->join_x = out->need_x;
    out->join_y = out->need_y;
    out->join_z = out->need_z;
    name_ground(g->config->cat, ground, out);
}
