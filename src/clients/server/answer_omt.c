/* All that is known of one OMT: terrain, special, building, nearest city, crossings, events
 * and monsters. */
#include "clients/server/answer.h"

#include "clients/lookup/spot.h"
#include "core/error.h"

#include <math.h>
#include <stdlib.h>

/* The OMT that is asked for, within its chunk. */
typedef struct place {
    spot spot;
    ptl_features *features; /* owned */
    ptl_features_info info;
    ptl_chunk_pos chunk;
} place;

/* ---- specials and buildings ---- */

static void put_special(emitter *j, const place *p)
{
    ptl_placed_special s;
    ptl_placed_piece piece;
    size_t number;
    if (!spot_special(&p->spot, &number, &s, &piece))
        return;
    emit_put(j, "special:{id:%s, number:%zu, rotation:%d, omts:%d, pieces:%zu", s.id, number,
             s.rotation, s.omts, s.piece_count);
    if (s.piece_count > 0)
        emit_key_text(j, "piece", piece.id);
    emit_put(j, "}");
}

static void put_building(emitter *j, const place *p)
{
    ptl_building b;
    ptl_city c = PTL_CITY_INIT;
    if (!spot_building(&p->spot, &b))
        return;
    emit_put(j, "building:{id:%s, rotation:%d", b.id, b.rotation);
    if (b.city >= 0 && ptl_features_city(&c, p->features, (size_t)b.city) == PTL_OK)
        emit_key_text(j, "city", c.name);
    emit_put(j, "}");
}

/* ---- what lies around ---- */

static void put_city(emitter *j, const place *p)
{
    ptl_city nearest;
    double distance;
    if (!spot_city(&p->spot, &nearest, &distance))
        return;
    emit_put(j, "city:{name:%s, size:%d, distance:%jd}", nearest.name, nearest.radius,
             lround(distance));
}

static void put_crossings(emitter *j, const place *p)
{
    static const char *const sides[] = {"north", "east", "south", "west"};
    emit_put(j, "crossings:[");
    for (size_t side = 0; side < 4; side++) {
        ptl_chunk_edge e = PTL_CHUNK_EDGE_INIT;
        (void)ptl_features_edge(&e, p->features, side);
        for (size_t i = 0; i < e.crossing_count; i++) {
            ptl_crossing c = PTL_CROSSING_INIT;
            (void)ptl_features_crossing(&c, p->features, side, i);
            /* Does this crossing include the OMT? It must lie on that border, on the crossing's
             * level, and within its width. The eastern and the western border run from north to
             * south. */
            const bool upright = side % 2 == 1;
            const int32_t along = upright ? p->spot.y : p->spot.x,
                          across = upright ? p->spot.x : p->spot.y;
            const int32_t border = side == 0 || side == 3 ? 0 : PTL_CHUNK_SIZE - 1;
            if (across != border || c.z != p->spot.z || abs(along - c.position) > c.width)
                continue;
            emit_put(j, "{side:%s, kind:%s, width:%d, direction:%d}", sides[side], c.kind,
                     c.width, c.direction);
        }
    }
    emit_put(j, "]");
}

/* ---- the answer ---- */

static void put_tile(emitter *j, const place *p, ptl_omt at, ptl_oter oter)
{
    ptl_terrain t = PTL_TERRAIN_INIT;
    (void)ptl_catalogue_oter(&t, p->spot.catalogue, oter);
    emit_put(j,
             "{x:%jd, y:%jd, z:%d, oter:%s, terrain:%s, name:%s, color:%s, symbol:%u, flags:[",
             at.x, at.y, at.z, t.id, t.type, t.name, t.color, t.symbol);
    for (size_t i = 0; i < t.flag_count; i++)
        emit_text(j, t.flags[i]);
    emit_put(j, "]");
    put_special(j, p);
    put_building(j, p);
    put_city(j, p);
    put_crossings(j, p);
    emit_put(j, "events:[");
    for (size_t i = 0; i < p->info.events; i++) {
        ptl_event e = PTL_EVENT_INIT;
        (void)ptl_features_event(&e, p->features, i);
        if (e.has_place && e.x == p->spot.x && e.y == p->spot.y && e.z == p->spot.z)
            emit_put(j, "{step:%s, kind:%s, detail:%s}", e.step, e.kind, e.detail);
    }
    /* Puts the monster groups that reach the OMT. Their positions and radii are in submaps, and
     * an OMT is two submaps wide; hence the factor 2. */
    emit_put(j, "], monsters:[");

    for (size_t i = 0; i < p->info.monster_groups; i++) {
        ptl_monster_group m = PTL_MONSTER_GROUP_INIT;
        (void)ptl_features_monster_group(&m, p->features, i);
        if (m.z != p->spot.z ||
            hypot(m.x - (2 * p->spot.x + 1), m.y - (2 * p->spot.y + 1)) > m.radius + 1)
            continue;
        emit_put(j, "{type:%s, population:%d, radius:%d, horde:%i}", m.type, m.population,
                 m.radius, m.horde);
    }
    emit_put(
        j, "], chunk:{x:%d, y:%d, content:%s, last_step:%s, generator_version:%d, imported:%i",
        p->chunk.x, p->chunk.y, p->info.content, p->info.last_step, p->info.generator_version,
        p->info.imported);
    answer_put_edges(j, p->features);
    emit_put(j, "}}");
}

ptl_status answer_omt(const asked *q, reply *out, ptl_error *err)
{
    const ptl_omt at = q->omt;
    place p = {.spot = {.catalogue = ptl_world_catalogue(q->world), .z = at.z},
               .info = PTL_FEATURES_INFO_INIT,
               .chunk = ptl_omt_chunk(at)};
    p.spot.x = (int32_t)(at.x - (int64_t)p.chunk.x * PTL_CHUNK_SIZE);
    p.spot.y = (int32_t)(at.y - (int64_t)p.chunk.y * PTL_CHUNK_SIZE);
    ptl_oter *level = calloc(PTL_LEVEL_CELLS, sizeof *level);
    if (!level)
        return error_nomem(err);
    ptl_status status = ptl_level_load(level, q->world, p.chunk, p.spot.z, err);
    const ptl_oter oter = level[p.spot.y * PTL_CHUNK_SIZE + p.spot.x];
    free(level);
    THEN(status, ptl_features_load(&p.features, q->world, p.chunk, err));
    p.spot.features = p.features;
    if (status == PTL_OK) {
        (void)ptl_features_describe(&p.info, p.features);
        put_tile(&out->j, &p, at, oter);
    }
    ptl_features_free(p.features);
    return status;
}
