/* OMTs that stand alone, without a world around them, for maps that show what content does. */
#include "core/array.h"
#include "world/local/local.h"

static scene_omt *find(const local_scene *s, ptl_omt at)
{
    for (size_t i = 0; i < s->count; i++) {
        const ptl_omt here = s->omts[i].at;
        if (here.x == at.x && here.y == at.y && here.z == at.z)
            return &s->omts[i];
    }
    return NULL;
}

ptl_oter world_scene_oter(const local_scene *scene, ptl_omt at)
{
    const scene_omt *found = find(scene, at);
    return found ? found->oter : PTL_OTER_NONE;
}

bool world_scene_put(local_scene *s, ptl_omt at, ptl_oter oter)
{
    scene_omt *found = find(s, at);
    if (!found) {
        if (!ARRAY_ROOM(s->omts, s->room, s->count + 1))
            return false;
        found = &s->omts[s->count++];
    }
    *found = (scene_omt){at, oter};
    return true;
}

ptl_status world_scene_look(local_around *out, void *payload, ptl_omt at, ptl_error *err)
{
    const local_scene *s = payload;
    (void)err;
    for (int i = 0; i < AROUND_CELLS; i++)
        out->cells[i] = PTL_OTER_NONE;
    out->above = world_scene_oter(s, (ptl_omt){at.x, at.y, at.z + 1});
    out->below = world_scene_oter(s, (ptl_omt){at.x, at.y, at.z - 1});
    out->record = NULL;
    for (size_t i = 0; i < s->count; i++) {
        const int64_t dx = s->omts[i].at.x - at.x, dy = s->omts[i].at.y - at.y;
        if (s->omts[i].at.z == at.z && dx >= -AROUND_REACH && dx <= AROUND_REACH &&
            dy >= -AROUND_REACH && dy <= AROUND_REACH)
            out->cells[around_place((int)dx, (int)dy)] = s->omts[i].oter;
    }
    return PTL_OK;
}
