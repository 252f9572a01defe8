/* Features of chunks: specials, cities, events, radios and edges, that is, all that a chunk
 * holds besides its terrain. */
#include "clients/server/answer.h"
#include "core/error.h"

/* ---- a chunk ---- */

static void put_specials(emitter *j, const ptl_features *f, size_t count, bool in_short)
{
    emit_put(j, "specials:[");
    for (size_t i = 0; i < count; i++) {
        ptl_placed_special s = PTL_PLACED_SPECIAL_INIT;
        (void)ptl_features_special(&s, f, i);
        if (in_short) /* without the number: it is the position in the list */
            emit_put(j, "[%s, %d, %d, %d, %d, %d]", s.id, s.x, s.y, s.z, s.rotation, s.omts);
        else
            emit_put(j, "{id:%s, number:%zu, x:%d, y:%d, z:%d, rotation:%d, omts:%d}", s.id, i,
                     s.x, s.y, s.z, s.rotation, s.omts);
    }
    emit_put(j, "]");
}

static void put_events(emitter *j, const ptl_features *f, size_t count)
{
    emit_put(j, "events:[");
    for (size_t i = 0; i < count; i++) {
        ptl_event e = PTL_EVENT_INIT;
        (void)ptl_features_event(&e, f, i);
        emit_put(j, "{step:%s, kind:%s, detail:%s", e.step, e.kind, e.detail);
        if (e.has_place)
            emit_put(j, "x:%d, y:%d, z:%d", e.x, e.y, e.z);
        emit_put(j, "}");
    }
    emit_put(j, "]");
}

void answer_put_edges(emitter *j, const ptl_features *f)
{
    emit_put(j, "edges:[");
    for (size_t side = 0; side < 4; side++) {
        ptl_chunk_edge e = PTL_CHUNK_EDGE_INIT;
        (void)ptl_features_edge(&e, f, side);
        emit_put(j, "{saved:%i, foreign:%i, crossings:[", e.saved, e.foreign);
        for (size_t i = 0; i < e.crossing_count; i++) {
            ptl_crossing c = PTL_CROSSING_INIT;
            (void)ptl_features_crossing(&c, f, side, i);
            emit_put(j, "{kind:%s, position:%d, z:%d, width:%d, direction:%d}", c.kind,
                     c.position, c.z, c.width, c.direction);
        }
        emit_put(j, "]}");
    }
    emit_put(j, "]");
}

static void put_chunk(emitter *j, const ptl_features *f, const asked *q)
{
    ptl_features_info info = PTL_FEATURES_INFO_INIT;
    (void)ptl_features_describe(&info, f);
    emit_put(j,
             "{x:%d, y:%d, content:%s, last_step:%s, generator_version:%d, imported:%i, "
             "buildings:%zu, monster_groups:%zu, cities:[",
             info.pos.x, info.pos.y, info.content, info.last_step, info.generator_version,
             info.imported, info.buildings, info.monster_groups);
    for (size_t i = 0; i < info.cities; i++) {
        ptl_city c = PTL_CITY_INIT;
        (void)ptl_features_city(&c, f, i);
        emit_put(j, "{name:%s, x:%d, y:%d, size:%d}", c.name, c.x, c.y, c.radius);
    }
    emit_put(j, "]");
    put_specials(j, f, info.specials, q->for_site);
    if (q->for_site) {
        /* Puts the pieces of mutable specials on the levels z_first to z_last: for each the
         * number of its special, its place and its id. */
        emit_put(j, "pieces:[");
        for (size_t i = 0; i < info.pieces; i++) {
            ptl_placed_piece p = PTL_PLACED_PIECE_INIT;
            (void)ptl_features_piece(&p, f, i);
            if (p.z >= q->z_first && p.z <= q->z_last)
                emit_put(j, "[%zu, %d, %d, %d, %s]", p.special, p.x, p.y, p.z, p.id);
        }
        emit_put(j, "]");
    }
    put_events(j, f, info.events);
    emit_put(j, "radios:[");
    for (size_t i = 0; i < info.radios; i++) {
        ptl_radio r = PTL_RADIO_INIT;
        (void)ptl_features_radio(&r, f, i);
        emit_put(j, "{message:%s, x:%d, y:%d, strength:%d, weather:%i}", r.message, r.x / 2,
                 r.y / 2, r.strength, r.weather);
    }
    emit_put(j, "]");
    answer_put_edges(j, f);
    emit_put(j, "}");
}

ptl_status answer_features(const asked *q, reply *out, ptl_error *err)
{
    ptl_features *f = NULL;
    const ptl_status status = ptl_features_load(&f, q->world, q->chunk, err);
    if (status == PTL_OK)
        put_chunk(&out->j, f, q);
    ptl_features_free(f);
    return status;
}

/* ---- all cities ---- */

static bool on_city(void *payload, const ptl_city_place *city)
{
    emitter *j = payload;
    emit_put(j, "[%s, %jd, %jd, %d]", city->name, city->x, city->y, city->radius);
    return true;
}

ptl_status answer_cities(const asked *q, reply *out, ptl_error *err)
{
    emit_put(&out->j, "[");
    const ptl_status status =
        ptl_city_list(reader_store(q->from), q->text, q->within, on_city, &out->j, err);
    emit_put(&out->j, "]");
    return status;
}
