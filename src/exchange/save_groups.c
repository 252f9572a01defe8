/*
 * Reads the monster groups of an overmap's file. In the games' files each group lies in a
 * single submap. That submap may lie beyond the border of the overmap whose file lists the
 * group.
 */
#include "core/array.h"
#include "exchange/save_json.h"

/* Returns by how many overmaps a coordinate in submaps lies beyond the border; negative to the
 * west and north, 0 inside. */
static int64_t overmaps_off(int64_t submap)
{
    return submap >= 0 ? submap / SUBMAPS : -((-submap + SUBMAPS - 1) / SUBMAPS);
}

/*
 * Converts a place that the file states so that it counts from the corner of the overmap.
 * Bright Nights counts places from the corner of the world; older files count from the corner
 * of the overmap. If a place lies in the overmap (0, 0), but not in the file's own overmap, it
 * is taken as counted in the old way, as the game takes it. Returns false if the place is too
 * far away for a save_spot.
 */
static bool from_corner(save_spot *out, const save_json *j, save_spot p)
{
    const ptl_chunk_pos at = j->out->pos;
    const int64_t x = p.x - (int64_t)at.x * SUBMAPS, y = p.y - (int64_t)at.y * SUBMAPS;
    const bool own = overmaps_off(x) == 0 && overmaps_off(y) == 0;
    const save_version *version = save_version_of(j->version);
    *out = p;
    if (!version || !version->absolute ||
        (!own && overmaps_off(p.x) == 0 && overmaps_off(p.y) == 0))
        return true;
    *out = (save_spot){(int32_t)x, (int32_t)y, p.z};
    return out->x == x && out->y == y;
}

/* Adds a monster group that lies beyond the overmap's border to the reader's list of such
 * groups (strays). Its place becomes one in the overmap where it lies. If that overmap is
 * farther away than an overmap can be, the group is dropped. */
static ptl_status add_stray(save_json *j, const gen_group *model, save_spot p)
{
    save_strays *s = j->reader->strays;
    const int64_t dx = overmaps_off(p.x), dy = overmaps_off(p.y);
    const int64_t x = j->out->pos.x + dx, y = j->out->pos.y + dy;
    if (x < -PTL_CHUNK_COORD_MAX || x > PTL_CHUNK_COORD_MAX || y < -PTL_CHUNK_COORD_MAX ||
        y > PTL_CHUNK_COORD_MAX)
        return PTL_OK;
    if (s->count == SAVE_STRAYS_MAX)
        return error_set(j->err, PTL_ERR_LIMIT, "more than %d monster groups beyond borders",
                         SAVE_STRAYS_MAX);
    const char *type = features_text(&s->texts, model->type);
    if (!type || !ARRAY_ROOM(s->list, s->room, s->count + 1))
        return error_nomem(j->err);
    save_stray *stray = &s->list[s->count];
    *stray = (save_stray){{(int32_t)x, (int32_t)y}, s->count, *model};
    stray->group.type = type;
    stray->group.x = (int16_t)(p.x - dx * SUBMAPS);
    stray->group.y = (int16_t)(p.y - dy * SUBMAPS);
    stray->group.z = (int8_t)p.z;
    s->count++;
    return PTL_OK;
}

/* Adds a monster group that the file states at a place. If reader->strays is set, only groups
 * that lie beyond the overmap's border are wanted: they are collected there, and all other
 * groups are skipped. */
static ptl_status add_group(save_json *j, const gen_group *model, save_spot in_file)
{
    gen_features *f = &j->out->features;
    save_spot p;
    const bool near = from_corner(&p, j, in_file);
    const bool beyond = overmaps_off(p.x) != 0 || overmaps_off(p.y) != 0;
    const bool on_level = p.z >= PTL_Z_MIN && p.z <= PTL_Z_MAX;
    if (j->reader->strays)
        return near && beyond && on_level ? add_stray(j, model, p) : PTL_OK;
    if (!near || beyond || !on_level || f->group_count >= SAVE_GROUPS_MAX) {
        j->out->counts.groups_left_out++;
        return PTL_OK;
    }
    gen_group *group = features_add_group(f);
    if (!group)
        return error_nomem(j->err);
    *group = *model;
    group->x = (int16_t)p.x;
    group->y = (int16_t)p.y;
    group->z = (int8_t)p.z;
    return PTL_OK;
}

ptl_status save_groups_read(save_json *j, json_view value)
{
    json_view parts[2];
    const char *type;
    int64_t population, radius;
    const size_t count = save_json_parts(parts, 2, value);
    const json_view group = parts[0];
    if (count != 2 || json_view_kind(group) != VIEW_OBJECT ||
        json_view_kind(parts[1]) != VIEW_ARRAY)
        return save_json_fail(j, value, "monster groups are [group, [places]]");
    TRY(save_json_text(j, group, "type", NULL, &type));
    TRY(save_json_int(j, group, "population", 0, INT32_MAX, 1, &population));
    TRY(save_json_int(j, group, "radius", 0, SUBMAPS, 1, &radius));
    const gen_group model = {
        .type = type,
        .radius = (int16_t)radius,
        .population = (int32_t)population,
        .horde = json_view_kind(json_view_get(group, "horde")) == VIEW_TRUE,
        .diffuse = json_view_kind(json_view_get(group, "diffuse")) == VIEW_TRUE};
    for (json_walk w = json_walk_of(parts[1]); json_walk_next(&w);) {
        save_spot p;
        TRY(save_json_place(j, parts[1], w.value, &p));
        TRY(add_group(j, &model, p));
    }
    return PTL_OK;
}
