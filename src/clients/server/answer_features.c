/* Features of chunks: specials, cities, events, radios and edges, that is, all that a chunk
 * holds besides its terrain. */
#include "clients/server/answer.h"

#include "clients/lookup/names.h"
#include "clients/lookup/search.h"
#include "core/error.h"
#include "core/hash.h"

#include <math.h>
#include <stdlib.h>

/* ---- a chunk ---- */

static void put_specials(emitter *j, const ptl_features *f, size_t count, bool in_short)
{
    emit_put(j, "specials:[");
    for (size_t i = 0; i < count; i++) {
        ptl_placed_special s = PTL_PLACED_SPECIAL_INIT;
        (void)ptl_features_special(&s, f, i);
        /* A special's number is not written here, because it is the position of the special in
         * the list. */
        if (in_short)
            emit_put(j, "[%s, %d, %d, %d, %d, %d]", s.id, s.x, s.y, s.z, s.rotation, s.omts);
        else
            emit_put(j, "{id:%s, number:%zu, x:%d, y:%d, z:%d, rotation:%d, omts:%d}", s.id, i,
                     s.x, s.y, s.z, s.rotation, s.omts);
    }
    emit_put(j, "]");
}

/* Writes the events of a chunk with their places. If `only` is not NULL, it writes only the
 * events at that OMT, without the place. */
static void put_events(emitter *j, const ptl_features *f, size_t count, const spot *only)
{
    emit_put(j, "events:[");
    for (size_t i = 0; i < count; i++) {
        ptl_event e = PTL_EVENT_INIT;
        (void)ptl_features_event(&e, f, i);
        if (only && (!e.has_place || e.x != only->x || e.y != only->y || e.z != only->z))
            continue;
        emit_put(j, "{step:%s, kind:%s, detail:%s", e.step, e.kind, e.detail);
        if (e.has_place && !only)
            emit_put(j, "x:%d, y:%d, z:%d", e.x, e.y, e.z);
        emit_put(j, "}");
    }
    emit_put(j, "]");
}

/* Writes the member "edges" with a list of what crosses the chunk's four borders: north, east,
 * south, west. */
static void answer_put_edges(emitter *j, const ptl_features *f)
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
        /* Writes the pieces of mutable specials on the levels z_first to z_last: for each piece
         * the number of its special, its place and its id. */
        emit_put(j, "pieces:[");
        for (size_t i = 0; i < info.pieces; i++) {
            ptl_placed_piece p = PTL_PLACED_PIECE_INIT;
            (void)ptl_features_piece(&p, f, i);
            if (p.z >= q->z_first && p.z <= q->z_last)
                emit_put(j, "[%zu, %d, %d, %d, %s]", p.special, p.x, p.y, p.z, p.id);
        }
        emit_put(j, "]");
    }
    put_events(j, f, info.events, NULL);
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

/* ---- cities ---- */

enum { CITIES_MAX = 100000 };

/* The cities of an answer: all of a rectangle, or only the largest of them. Of cities of one
 * size those are preferred whose places have a large hash, so that none of several regions of
 * a world gets all the names. */
typedef struct city_rows {
    emitter *j;
    /* If not 0, only so many of the largest cities are written, in any order. They are held
     * here as a heap, with the smallest city first. */
    size_t most, held;
    struct held_city {
        int32_t radius;
        uint64_t rank; /* of the place */
        int64_t x, y;
        char *name; /* owned */
    } * heap;       /* owned */
    bool failed;
} city_rows;

static bool is_smaller(const struct held_city *a, const struct held_city *b)
{
    return a->radius != b->radius ? a->radius < b->radius : a->rank < b->rank;
}

static void put_city(emitter *j, const char *name, int64_t x, int64_t y, int32_t radius)
{
    emit_put(j, "[%s, %jd, %jd, %d]", name, x, y, radius);
}

/* Lets the city at the place `at` of the heap sink until no larger city stands above it. */
static void sink(city_rows *c, size_t at)
{
    for (size_t next = 2 * at + 1; next < c->held; next = 2 * at + 1) {
        if (next + 1 < c->held && is_smaller(&c->heap[next + 1], &c->heap[next]))
            next++;
        if (!is_smaller(&c->heap[next], &c->heap[at]))
            return;
        const struct held_city moved = c->heap[at];
        c->heap[at] = c->heap[next];
        c->heap[next] = moved;
        at = next;
    }
}

/* Keeps the city if it is among the largest so far. */
static bool keep_city(city_rows *c, const ptl_city_place *city)
{
    if (c->held == c->most && city->radius < c->heap[0].radius)
        return true;
    struct held_city kept = {.radius = city->radius,
                             .rank = hash_mix((uint64_t)city->x << 32 ^ (uint64_t)city->y),
                             .x = city->x,
                             .y = city->y};
    if (c->held == c->most && is_smaller(&kept, &c->heap[0]))
        return true;
    char *name = strdup(city->name);
    c->failed = !name;
    if (!name)
        return false;
    kept.name = name;
    if (c->held < c->most) {
        c->heap[c->held++] = kept;
        if (c->held == c->most)
            for (size_t i = c->most / 2 + 1; i-- > 0;)
                sink(c, i);
        return true;
    }
    free(c->heap[0].name);
    c->heap[0] = kept;
    sink(c, 0);
    return true;
}

static bool on_city(void *payload, const ptl_city_place *city)
{
    city_rows *c = payload;
    if (c->most > 0)
        return keep_city(c, city);
    put_city(c->j, city->name, city->x, city->y, city->radius);
    return true;
}

/* Reads the rectangle of chunks that the request names. *within becomes `corners`. */
static ptl_status asked_within(const asked *q, ptl_chunk_pos corners[2],
                               const ptl_chunk_pos **within, ptl_error *err)
{
    static const char *const sides[] = {"west", "north", "east", "south"};
    int64_t at[4];
    for (size_t i = 0; i < 4; i++)
        TRY(asked_int(q, sides[i], -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX, &at[i], err));
    corners[0] = (ptl_chunk_pos){(int32_t)at[0], (int32_t)at[1]};
    corners[1] = (ptl_chunk_pos){(int32_t)at[2], (int32_t)at[3]};
    *within = corners;
    return PTL_OK;
}

ptl_status answer_cities(const asked *q, reply *out, ptl_error *err)
{
    city_rows c = {.j = &out->j};
    int64_t most = 0;
    ptl_chunk_pos corners[2];
    const ptl_chunk_pos *within = q->within;
    if (q->values && target_text(q->values, "most"))
        TRY(asked_int(q, "most", 1, CITIES_MAX, &most, err));
    if (q->values && target_text(q->values, "west"))
        TRY(asked_within(q, corners, &within, err));
    c.most = (size_t)most;
    c.heap = calloc(c.most + 1, sizeof *c.heap);
    if (!c.heap)
        return error_nomem(err);
    emit_put(&out->j, "[");
    /* The largest ones need no order. */
    ptl_status status = (c.most > 0 ? ptl_city_each : ptl_city_list)(
        reader_store(q->from), q->text, within, on_city, &c, err);
    for (size_t i = 0; i < c.held; i++) {
        put_city(&out->j, c.heap[i].name, c.heap[i].x, c.heap[i].y, c.heap[i].radius);
        free(c.heap[i].name);
    }
    emit_put(&out->j, "]");
    free(c.heap);
    if (c.failed) {
        error_clear(err);
        status = error_nomem(err);
    }
    return status;
}

/* All that is known of one OMT: terrain, special, building, nearest city, crossings, events
 * and monsters. */

/* The OMT of the request, its chunk and the chunk's features. */
typedef struct place {
    spot spot;
    ptl_features *features; /* owned */
    ptl_features_info info;
    ptl_chunk_pos chunk;
} place;

/* Writes the member `name`: the name for people of a special or building, if the catalogue
 * has it. */
static void put_name(emitter *j, const ptl_catalogue *catalogue, const char *id)
{
    size_t number;
    bytes name = {.size = 0};
    if (ptl_catalogue_find(&number, catalogue, PTL_CONTENT_SPECIAL, id) != PTL_OK)
        return;
    names_put_special(&name, catalogue, number);
    const char *text = bytes_text(&name);
    emit_key_text(j, "name", text ? text : id);
    bytes_dispose(&name);
}

/* Writes the special and the building at the OMT and the nearest city, as far as they exist. */
static void put_near(emitter *j, const place *p)
{
    const ptl_catalogue *catalogue = p->spot.catalogue;
    ptl_placed_special s;
    ptl_placed_piece piece;
    ptl_building b;
    ptl_city c = PTL_CITY_INIT;
    size_t number;
    double distance;
    if (spot_special(&p->spot, &number, &s, &piece)) {
        emit_put(j, "special:{id:%s, number:%zu, rotation:%d, omts:%d, pieces:%zu", s.id,
                 number, s.rotation, s.omts, s.piece_count);
        if (s.piece_count > 0)
            emit_key_text(j, "piece", piece.id);
        put_name(j, catalogue, s.id);
        emit_put(j, "}");
    }
    if (spot_building(&p->spot, &b)) {
        emit_put(j, "building:{id:%s, rotation:%d", b.id, b.rotation);
        if (b.city >= 0 && ptl_features_city(&c, p->features, (size_t)b.city) == PTL_OK)
            emit_key_text(j, "city", c.name);
        put_name(j, catalogue, b.id);
        emit_put(j, "}");
    }
    if (spot_city(&p->spot, &c, &distance))
        emit_put(j, "city:{name:%s, size:%d, distance:%jd}", c.name, c.radius,
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
            /* Leaves out the crossing unless it includes the OMT: the OMT must lie on the
             * crossing's border and level, within the crossing's width. The eastern and the
             * western border run from north to south. */
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
    put_near(j, p);
    put_crossings(j, p);
    put_events(j, p->features, p->info.events, &p->spot);
    /* Writes the monster groups whose circle covers the OMT. Their positions and radii are in
     * submaps, and an OMT is two submaps wide, so the OMT's coordinates are doubled. */
    emit_put(j, "monsters:[");
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

/* ---- levels ---- */

/* Answers with the terrain of whole levels as numbers of oters, and with the palette that says
 * what the numbers mean. */

enum { GATHERED_MAX = 16 };

/* Appends a number as so many bytes, the lowest byte first. */
static void put_number(bytes *out, uint32_t value, int size)
{
    for (int i = 0; i < size; i++)
        bytes_put_u8(out, (uint8_t)(value >> 8 * i));
}

ptl_status answer_omts(const asked *q, reply *out, ptl_error *err)
{
    int64_t gathered = 1;
    if (target_text(q->values, "n"))
        TRY(asked_int(q, "n", 1, GATHERED_MAX, &gathered, err));
    ptl_oter *cells = malloc(2 * PTL_LEVEL_CELLS * sizeof *cells);
    if (!cells)
        return error_nomem(err);
    ptl_oter *level = cells + PTL_LEVEL_CELLS;
    const int32_t n = (int32_t)gathered;
    ptl_status status = PTL_OK;
    /* True: at least one chunk is saved. */
    bool found = false;
    memset(cells, 0xff, PTL_LEVEL_CELLS * sizeof *cells); /* sets each cell to PTL_OTER_NONE */
    for (int32_t i = 0; i < n * n && status == PTL_OK; i++) {
        const ptl_chunk_pos at = {q->chunk.x + i % n, q->chunk.y + i / n};
        if (at.x > PTL_CHUNK_COORD_MAX || at.y > PTL_CHUNK_COORD_MAX)
            continue;
        status = ptl_level_load(level, q->world, at, q->z, err);
        if (status == PTL_ERR_NOT_FOUND) {
            error_clear(err);
            status = PTL_OK;
        } else if (status == PTL_OK) {
            found = true;
            gather_samples(cells, level, n, i % n, i / n);
        }
    }
    if (status == PTL_OK && !found)
        status = error_set(err, PTL_ERR_NOT_FOUND, "no chunk is saved there");
    /* Each cell is written as 16 bits, the low byte first, as the page reads them. */
    for (size_t i = 0; i < PTL_LEVEL_CELLS && status == PTL_OK; i++)
        put_number(&out->body, cells[i], 2);
    out->type = status == PTL_OK ? "application/octet-stream" : out->type;
    free(cells);
    return status;
}

/* ---- overviews: small pictures of all chunks, for a map that is zoomed out far ---- */

typedef struct overviews {
    bytes *out;
    /* The north-west and the south-east corner of a rectangle; NULL: all chunks. */
    const ptl_chunk_pos *within;
} overviews;

static bool on_overview(void *payload, ptl_chunk_pos pos,
                        const ptl_oter cells[PTL_OVERVIEW_CELLS])
{
    const overviews *all = payload;
    bytes *out = all->out;
    if (!answer_is_within(all->within, pos))
        return true;
    put_number(out, (uint32_t)pos.x, 4);
    put_number(out, (uint32_t)pos.y, 4);
    for (size_t i = 0; i < PTL_OVERVIEW_CELLS; i++)
        put_number(out, cells ? cells[i] : 0xffff, 2);
    return !out->failed;
}

ptl_status answer_overview(const asked *q, reply *out, ptl_error *err)
{
    overviews all = {&out->body, q->within};
    out->type = "application/octet-stream";
    const ptl_status status = ptl_overview_list(q->world, on_overview, &all, err);
    return out->body.failed ? error_nomem(err) : status;
}

/* ---- the palette ---- */

/* Writes the tide: how many turns of the game one step of the tide takes, and how high the
 * water stands in each step. Writes null if the world has no tides. */
static void put_tide(emitter *j, const ptl_world *world)
{
    const int64_t turns = ptl_local_tide_turns(world);
    emit_key(j, "tide");
    if (turns == 0) {
        emit_null(j);
        return;
    }
    emit_put(j, "{turns:%jd, heights:[", turns);
    for (int64_t i = 0; i < PTL_TIDE_PERIOD; i++)
        emit_int(j, ptl_tide_height(i));
    emit_put(j, "]}");
}

/* Writes the classes of terrains, with their colours in each style of paper. */
static void put_classes(emitter *j)
{
    emit_put(j, ", groups:[");
    for (int g = 0; g < PTL_MAP_GROUPS; g++)
        emit_text(j, ptl_map_group_name((ptl_map_group)g));
    emit_put(j, "], classes:[");
    for (int c = 0; c < PTL_MAP_CLASSES; c++) {
        ptl_map_look l = PTL_MAP_LOOK_INIT;
        (void)ptl_map_look_describe(&l, (ptl_map_class)c, PTL_STYLE_PAPER);
        emit_put(j, "{id:%s, name:%s, group:%u, shape:%u, width:%d, dash:%d, under:%u", l.id,
                 l.name, (unsigned)l.group, (unsigned)l.shape, l.width, l.dash,
                 (unsigned)l.under);
        static const char *const styles[] = {"paper", "dark"};
        for (int s = PTL_STYLE_PAPER; s < PTL_STYLE_TERMINAL; s++) {
            (void)ptl_map_look_describe(&l, (ptl_map_class)c, (ptl_map_style)s);
            emit_key(j, styles[s]);
            emit_put(j, "[%u, %u, %u]", (unsigned)l.area, (unsigned)l.ink, (unsigned)l.edge);
        }
        emit_put(j, "}");
    }
    emit_put(j, "]");
}

static bool take_last(void *payload, const ptl_edit *e)
{
    *(int64_t *)payload = e->number;
    return true;
}

/* Writes which edit is the last one, and the revision of notes. A page asks later what was
 * changed since. */
static ptl_status put_saved(emitter *j, ptl_world *world, ptl_error *err)
{
    int64_t last = 0, revision = 1;
    TRY(ptl_edit_list(world, NULL, take_last, &last, err));
    TRY(ptl_save_revision_load(&revision, world, err));
    emit_put(j, "last_edit:%jd, revision:%jd", last, revision);
    return PTL_OK;
}

ptl_status answer_palette(const asked *q, reply *out, ptl_error *err)
{
    const ptl_catalogue *c = ptl_world_catalogue(q->world);
    emit_put(&out->j, "{content:%s, types:[", ptl_catalogue_digest(c));
    for (size_t i = 0; i < ptl_catalogue_count(c, PTL_CONTENT_TERRAIN); i++) {
        ptl_terrain_type t = PTL_TERRAIN_TYPE_INIT;
        (void)ptl_catalogue_terrain(&t, c, i);
        /* Three colours of a terrain: of its area on the map, of its symbol, and of the
         * background of the symbol. */
        uint8_t colours[3][3];
        (void)ptl_color_find(colours[0], colours[1], colours[2], t.color);
        emit_put(&out->j, "[%s, %s", t.id, t.name);
        for (size_t k = 0; k < 3; k++)
            emit_uint(&out->j, (uint64_t)colours[k][0] << 16 | (uint64_t)colours[k][1] << 8 |
                                   colours[k][2]);
        emit_put(&out->j, "[");
        for (size_t k = 0; k < t.flag_count; k++)
            emit_text(&out->j, t.flags[k]);
        emit_put(&out->j, "], %u]", (unsigned)t.map_class);
    }
    emit_put(&out->j, "]");
    put_classes(&out->j);
    emit_put(&out->j, ", oters:[");
    for (size_t i = 0; i < ptl_catalogue_count(c, PTL_CONTENT_OTER); i++) {
        ptl_terrain t = PTL_TERRAIN_INIT;
        (void)ptl_catalogue_oter(&t, c, i);
        emit_put(&out->j, "[%s, %zu, %u, %u]", t.id, t.type_number, t.symbol,
                 t.shape == PTL_TERRAIN_LINE ? t.arms : 0);
    }
    /* Writes the connections, each with the numbers of the terrains that belong to it. */
    emitter *j = &out->j;
    const size_t types = ptl_catalogue_count(c, PTL_CONTENT_TERRAIN);
    emit_put(j, "], connections:[");
    for (size_t i = 0; i < ptl_catalogue_count(c, PTL_CONTENT_CONNECTION); i++) {
        ptl_connection way = PTL_CONNECTION_INIT;
        (void)ptl_catalogue_connection(&way, c, i);
        emit_put(j, "[%s, [", way.id);
        for (size_t t = 0; t < types; t++)
            if (ptl_catalogue_set_has(c, way.terrains, t))
                emit_uint(j, t);
        emit_put(j, "]]");
    }
    emit_put(j, "]");
    put_tide(&out->j, q->world);
    if (!q->for_site)
        TRY(put_saved(&out->j, q->world, err));
    emit_put(&out->j, "}");
    return PTL_OK;
}

/* A map tile of n x n chunks shows, in each of its cells, one OMT out of n x n. Returns the
 * column of the OMT that a cell in column `cell` shows, counted from the western side of the
 * map tile; rows are the same. */
static int32_t sample_at(int32_t n, int32_t cell)
{
    return cell * n + n / 2;
}

void gather_samples(ptl_oter cells[PTL_LEVEL_CELLS], const ptl_oter level[PTL_LEVEL_CELLS],
                    int32_t n, int32_t x, int32_t y)
{
    for (int32_t row = 0; row < PTL_CHUNK_SIZE; row++) {
        const int32_t from_y = sample_at(n, row) - y * PTL_CHUNK_SIZE;
        if (from_y < 0 || from_y >= PTL_CHUNK_SIZE)
            continue;
        for (int32_t column = 0; column < PTL_CHUNK_SIZE; column++) {
            const int32_t from_x = sample_at(n, column) - x * PTL_CHUNK_SIZE;
            if (from_x >= 0 && from_x < PTL_CHUNK_SIZE)
                cells[row * PTL_CHUNK_SIZE + column] = level[from_y * PTL_CHUNK_SIZE + from_x];
        }
    }
}
