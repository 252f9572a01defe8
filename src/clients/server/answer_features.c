/* What chunks hold beside their tiles. */
#include "clients/server/answer.h"
#include "core/emit.h"

/* ---- a chunk ---- */

static void put_specials(emitter *j, const ptl_features *f, size_t count, bool in_short)
{
    emit_key(j, "specials");
    emit_open(j, '[');
    for (size_t i = 0; i < count; i++) {
        ptl_placed_special s = PTL_PLACED_SPECIAL_INIT;
        (void)ptl_features_special(f, i, &s);
        if (in_short) {
            /* The same without its number, which is its place in the list. */
            emit_open(j, '[');
            emit_text(j, s.id);
            emit_int(j, s.x);
            emit_int(j, s.y);
            emit_int(j, s.z);
            emit_int(j, s.rotation);
            emit_int(j, s.tiles);
            emit_close(j, ']');
        } else {
            emit_open(j, '{');
            emit_key_text(j, "id", s.id);
            emit_key_uint(j, "number", i);
            emit_key_int(j, "x", s.x);
            emit_key_int(j, "y", s.y);
            emit_key_int(j, "z", s.z);
            emit_key_int(j, "rotation", s.rotation);
            emit_key_int(j, "tiles", s.tiles);
            emit_close(j, '}');
        }
    }
    emit_close(j, ']');
}

/* Pieces of mutable specials on the levels that are asked for: number of the special, place,
 * id. */
static void put_pieces(emitter *j, const ptl_features *f, size_t count, const asked *q)
{
    emit_key(j, "pieces");
    emit_open(j, '[');
    for (size_t i = 0; i < count; i++) {
        ptl_placed_piece p = PTL_PLACED_PIECE_INIT;
        (void)ptl_features_piece(f, i, &p);
        if (p.z < q->z_first || p.z > q->z_last)
            continue;
        emit_open(j, '[');
        emit_uint(j, p.special);
        emit_int(j, p.x);
        emit_int(j, p.y);
        emit_int(j, p.z);
        emit_text(j, p.id);
        emit_close(j, ']');
    }
    emit_close(j, ']');
}

static void put_events(emitter *j, const ptl_features *f, size_t count)
{
    emit_key(j, "events");
    emit_open(j, '[');
    for (size_t i = 0; i < count; i++) {
        ptl_event e = PTL_EVENT_INIT;
        (void)ptl_features_event(f, i, &e);
        emit_open(j, '{');
        emit_key_text(j, "step", e.step);
        emit_key_text(j, "kind", e.kind);
        emit_key_text(j, "detail", e.detail);
        if (e.has_place) {
            emit_key_int(j, "x", e.x);
            emit_key_int(j, "y", e.y);
            emit_key_int(j, "z", e.z);
        }
        emit_close(j, '}');
    }
    emit_close(j, ']');
}

static void put_radios(emitter *j, const ptl_features *f, size_t count)
{
    emit_key(j, "radios");
    emit_open(j, '[');
    for (size_t i = 0; i < count; i++) {
        ptl_radio r = PTL_RADIO_INIT;
        (void)ptl_features_radio(f, i, &r);
        emit_open(j, '{');
        emit_key_text(j, "message", r.message);
        emit_key_int(j, "x", r.x / 2);
        emit_key_int(j, "y", r.y / 2);
        emit_key_int(j, "strength", r.strength);
        emit_key_bool(j, "weather", r.weather);
        emit_close(j, '}');
    }
    emit_close(j, ']');
}

void answer_put_edges(emitter *j, const ptl_features *f)
{
    emit_key(j, "edges");
    emit_open(j, '[');
    for (size_t side = 0; side < 4; side++) {
        ptl_chunk_edge e = PTL_CHUNK_EDGE_INIT;
        (void)ptl_features_edge(f, side, &e);
        emit_open(j, '{');
        emit_key_bool(j, "saved", e.saved);
        emit_key_bool(j, "foreign", e.foreign);
        emit_key(j, "crossings");
        emit_open(j, '[');
        for (size_t i = 0; i < e.crossing_count; i++) {
            ptl_crossing c = PTL_CROSSING_INIT;
            (void)ptl_features_crossing(f, side, i, &c);
            emit_open(j, '{');
            emit_key_text(j, "kind", c.kind);
            emit_key_int(j, "position", c.position);
            emit_key_int(j, "z", c.z);
            emit_key_int(j, "width", c.width);
            emit_key_int(j, "direction", c.direction);
            emit_close(j, '}');
        }
        emit_close(j, ']');
        emit_close(j, '}');
    }
    emit_close(j, ']');
}

static void put_chunk(emitter *j, const ptl_features *f, const asked *q)
{
    ptl_features_info info = PTL_FEATURES_INFO_INIT;
    (void)ptl_features_describe(f, &info);
    emit_open(j, '{');
    emit_key_int(j, "x", info.pos.x);
    emit_key_int(j, "y", info.pos.y);
    emit_key_text(j, "content", info.content);
    emit_key_text(j, "last_step", info.last_step);
    emit_key_int(j, "generator_version", info.generator_version);
    emit_key_bool(j, "imported", info.imported);
    emit_key_uint(j, "buildings", info.buildings);
    emit_key_uint(j, "monster_groups", info.monster_groups);
    emit_key(j, "cities");
    emit_open(j, '[');
    for (size_t i = 0; i < info.cities; i++) {
        ptl_city c = PTL_CITY_INIT;
        (void)ptl_features_city(f, i, &c);
        emit_open(j, '{');
        emit_key_text(j, "name", c.name);
        emit_key_int(j, "x", c.x);
        emit_key_int(j, "y", c.y);
        emit_key_int(j, "size", c.radius);
        emit_close(j, '}');
    }
    emit_close(j, ']');
    put_specials(j, f, info.specials, q->for_site);
    if (q->for_site)
        put_pieces(j, f, info.pieces, q);
    put_events(j, f, info.events);
    put_radios(j, f, info.radios);
    answer_put_edges(j, f);
    emit_close(j, '}');
}

ptl_status answer_features(const asked *q, reply *out, ptl_error *err)
{
    ptl_chunk_pos pos;
    ptl_world *world;
    ptl_features *f = NULL;
    ptl_status status = asked_chunk(q, &pos, err);
    if (status == PTL_OK)
        status = asked_world(q, &world, err);
    if (status == PTL_OK)
        status = ptl_features_load(&f, world, pos, err);
    if (status == PTL_OK) {
        emitter j = {&out->body, false};
        put_chunk(&j, f, q);
        reply_tag(out);
    }
    ptl_features_free(f);
    return status;
}

/* ---- all cities ---- */

static bool on_city(void *payload, const ptl_city_place *city)
{
    emitter *j = payload;
    emit_open(j, '[');
    emit_text(j, city->name);
    emit_int(j, city->x);
    emit_int(j, city->y);
    emit_int(j, city->radius);
    emit_close(j, ']');
    return true;
}

ptl_status answer_cities(const asked *q, reply *out, ptl_error *err)
{
    const char *world;
    ptl_status status = asked_text(q, "world", &world, err);
    if (status != PTL_OK)
        return status;
    emitter j = {&out->body, false};
    emit_open(&j, '[');
    status = ptl_city_list(reader_store(q->from), world, q->within, on_city, &j, err);
    emit_close(&j, ']');
    reply_tag(out);
    return status;
}
