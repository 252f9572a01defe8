/* Puts into words what is known of the OMT under the cursor. */
#include "clients/cli/view/viewer_impl.h"

#include "clients/lookup/search.h"

#include <math.h>

static const char *const directions[4] = {"north", "east", "south", "west"};

/* Returns the oter under the cursor, which is in the middle of the last window. */
static ptl_oter oter_here(const viewer *v)
{
    int32_t line, column;
    draw_cursor(v, &line, &column);
    return atlas_oter(v->atlas, column, line);
}

static const ptl_catalogue *catalogue_of(const viewer *v)
{
    const ptl_world *world = atlas_world(v->atlas);
    return world ? ptl_world_catalogue(world) : NULL;
}

/* Finds the features at the cursor. Returns false if the chunk is not saved. */
static bool spot_here(viewer *v, spot *out)
{
    const ptl_chunk_pos pos = ptl_omt_chunk(v->at);
    const ptl_features *features = atlas_features(v->atlas, pos);
    *out = (spot){.catalogue = catalogue_of(v),
                  .features = features,
                  .x = (int32_t)(v->at.x - (int64_t)pos.x * PTL_CHUNK_SIZE),
                  .y = (int32_t)(v->at.y - (int64_t)pos.y * PTL_CHUNK_SIZE),
                  .z = v->at.z};
    return features && out->catalogue;
}

static void put_terrain(const viewer *v, bytes *out, ptl_oter oter)
{
    ptl_terrain t = PTL_TERRAIN_INIT;
    if (!catalogue_of(v))
        return;
    (void)ptl_catalogue_oter(&t, catalogue_of(v), oter);
    words_put(out, t.name[0] ? "%s (%s)" : "%s%s", t.name, t.id);
}

void words_what(viewer *v, bytes *out)
{
    const ptl_oter oter = oter_here(v);
    spot here;
    size_t number;
    ptl_placed_special s;
    ptl_placed_piece piece;
    ptl_building b;
    if (oter == PTL_OTER_NONE) {
        bytes_put_text(out, v->options->write
                                ? "Nothing is saved here; the space bar generates it"
                                : "Nothing is saved here (with --write it can be generated)");
        return;
    }
    put_terrain(v, out, oter);
    if (!spot_here(v, &here))
        return;
    if (spot_special(&here, &number, &s, &piece)) {
        words_put(out, " | special %s%s%s", s.id, piece.id[0] ? ", piece " : "", piece.id);
    } else if (spot_building(&here, &b)) {
        words_put(out, " | building %s", b.id);
    }
}

static void put_city(const spot *here, bytes *out)
{
    ptl_city c;
    double distance;
    if (!spot_city(here, &c, &distance))
        return;
    words_put(out, distance <= c.radius ? " | in %s" : " | %s", c.name[0] ? c.name : "a city");
    if (distance > c.radius)
        bytes_printf(out, " %ld away", lround(distance));
}

static void put_coordinates(const viewer *v, bytes *out)
{
    const ptl_chunk_pos pos = ptl_omt_chunk(v->at);
    bytes_printf(out, "%jd,%jd,%d | in the game %d'%d, %d'%d, %d", v->at.x, v->at.y,
                 (int)v->at.z, (int)pos.x, (int)(v->at.x - (int64_t)pos.x * PTL_CHUNK_SIZE),
                 (int)pos.y, (int)(v->at.y - (int64_t)pos.y * PTL_CHUNK_SIZE), (int)v->at.z);
}

void words_place(viewer *v, bytes *out)
{
    spot here;
    put_coordinates(v, out);
    if (spot_here(v, &here))
        put_city(&here, out);
    words_put(out, " | world %s%s",
              atlas_world(v->atlas) ? ptl_world_name(atlas_world(v->atlas)) : "?",
              atlas_is_copy(v->atlas) ? " (a copy of the file)" : "");
}

/* ---- all that is known ---- */

static void put_crossings(const spot *here, bytes *out)
{
    for (size_t side = 0; side < 4; side++) {
        const bool upright = side % 2 == 1; /* the eastern and western borders */
        const int32_t border = side == 0 || side == 3 ? 0 : PTL_CHUNK_SIZE - 1;
        ptl_chunk_edge e = PTL_CHUNK_EDGE_INIT;
        (void)ptl_features_edge(&e, here->features, side);
        for (size_t i = 0; (upright ? here->x : here->y) == border && i < e.crossing_count;
             i++) {
            ptl_crossing c = PTL_CROSSING_INIT;
            (void)ptl_features_crossing(&c, here->features, side, i);
            const int32_t along = (upright ? here->y : here->x) - c.position;
            if (c.z != here->z || along > c.width || along < -c.width)
                continue;
            words_put(out, "%s crosses the border to the %s here.\n", c.kind, directions[side]);
        }
    }
}

/* Appends what stands on the OMT, and why it is in the chunk. To find out, the chunk is
 * generated again in memory. */
static void put_standing(viewer *v, bytes *out, const spot *here)
{
    size_t number;
    ptl_placed_special placed;
    ptl_placed_piece piece;
    ptl_building b;
    ptl_why why = PTL_WHY_INIT;
    ptl_error err = {0};
    ptl_special s = PTL_SPECIAL_INIT;
    ptl_world_options world = PTL_WORLD_OPTIONS_INIT;
    const ptl_chunk_pos pos = ptl_omt_chunk(v->at);
    const char *id;
    if (spot_special(here, &number, &placed, &piece)) {
        id = placed.id;
        words_put(out, "Special %s, number %zu of the chunk, %d OMTs, turned to the %s%s%s.\n",
                  id, number, (int)placed.omts, directions[placed.rotation & 3],
                  piece.id[0] ? "; piece " : "", piece.id);
    } else if (spot_building(here, &b)) {
        id = b.id;
        words_put(out, "Building %s, turned to the %s.\n", id, directions[b.rotation & 3]);
    } else {
        bytes_put_text(out, "No special and no building stands here.\n");
        return;
    }
    bytes_put_text(out, "\nWhy is it here?\n");
    if (atlas_why(&why, v->atlas, id, pos, &err) != PTL_OK) {
        words_put(out, "%s\n", err.message);
        return;
    }
    (void)ptl_world_settings(&world, atlas_world(v->atlas), NULL);
    (void)ptl_catalogue_find(&number, catalogue_of(v), PTL_CONTENT_SPECIAL, id);
    if (ptl_catalogue_special(&s, catalogue_of(v), number) == PTL_OK)
        why_words(out, &s, world.placement, pos, &why);
}

void words_details(viewer *v, bytes *out)
{
    const ptl_oter oter = oter_here(v);
    spot here;
    put_coordinates(v, out);
    bytes_put_text(out, "\n");
    if (oter == PTL_OTER_NONE || !spot_here(v, &here)) {
        words_what(v, out);
        bytes_put_text(out, ".\n");
        return;
    }
    put_terrain(v, out, oter);
    put_city(&here, out);
    bytes_put_text(out, "\n");
    ptl_features_info info = PTL_FEATURES_INFO_INIT;
    (void)ptl_features_describe(&info, here.features);
    bytes_printf(out, "Chunk %d,%d: ", (int)info.pos.x, (int)info.pos.y);
    if (info.imported)
        bytes_put_text(out, "from a game's save.\n");
    else
        bytes_printf(out, "made by version %d of the generator%s%s.\n",
                     (int)info.generator_version, info.last_step[0] ? ", up to step " : "",
                     info.last_step);
    put_crossings(&here, out);
    /* Appends the monster groups that reach the OMT. Their places and radii are in submaps, of
     * which an OMT has 2 x 2; the distance is to its centre. */
    for (size_t i = 0; i < info.monster_groups; i++) {
        ptl_monster_group m = PTL_MONSTER_GROUP_INIT;
        (void)ptl_features_monster_group(&m, here.features, i);
        if (m.z == here.z &&
            hypot(m.x - (2 * here.x + 1), m.y - (2 * here.y + 1)) <= m.radius + 1)
            words_put(out, "Monsters: %s, population %d.\n", m.type, (int)m.population);
    }
    for (size_t i = 0; i < info.events; i++) {
        ptl_event e = PTL_EVENT_INIT;
        (void)ptl_features_event(&e, here.features, i);
        if (e.has_place && e.x == here.x && e.y == here.y && e.z == here.z)
            words_put(out, "Event of step %s: %s %s%s%s\n", e.step, e.kind,
                      e.detail[0] ? "(" : "", e.detail, e.detail[0] ? ")." : "");
    }
    bytes_put_text(out, "\n");
    put_standing(v, out, &here);
    bytes_put_text(out, "\nEnter once more: the local map of this OMT.\n");
}

void words_help(const viewer *v, bytes *out)
{
    bytes_put_text(
        out, "Keys\n\n"
             "  arrows, hjkl, 1..9   move; shift: ten OMTs\n"
             "  page up, page down   half a screen\n"
             "  Home                 where it began\n"
             "  < >                  a level up, a level down\n"
             "  /                    search; Tab lists all\n"
             "  n N                  the next, the one before\n"
             "  g                    go to X,Y or X,Y,Z\n"
             "  Enter                what is here, and why\n"
             "  Enter twice          the local map\n"
             "  space                generate (with --write)\n"
             "  m, Escape            close; m on the map ends\n"
             "  q, Ctrl-C            end\n"
             "  mouse                click: go there; on the\n"
             "                       cursor: Enter; wheel: move\n"
             "\n"
             "A search takes words, all of which a name must have; -word excludes. Cities and "
             "specials of the whole world are searched, and the terrains of this level. "
             "Places may be typed as the game shows them: 1'20, -1'170.\n\n");
    bytes_put_text(out, v->options->write
                            ? "Grey is what is not saved yet; the space bar generates it.\n"
                            : "Grey is what is not saved; with --write it can be generated.\n");
}
