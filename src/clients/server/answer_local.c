/* Local maps, stored or made for the answer, and how their terrains, furniture and traps look.
 */
#include "clients/server/answer.h"

#include "core/error.h"

#include <stdlib.h>

enum { TILES = PTL_LOCAL_SIDE * PTL_LOCAL_SIDE, BLOCK_MAX = 8, THINGS_MAX = 1000 };

/* The latest turn that a request may name: 2^53 - 1, the largest whole number that JavaScript
 * counts to exactly. */
static const int64_t TURN_MAX = INT64_C(9007199254740991);

/* ---- tiles ---- */

/* The distinct combinations of terrain, furniture and trap on a map's tiles, in the order in
 * which they are found. */
typedef struct kinds {
    struct {
        const char *terrain, *furniture, *trap; /* borrowed from the map */
    } list[TILES];
    size_t count;
    uint16_t of[TILES]; /* for each tile, which combination of terrain, furniture and trap it
                           has: an index in `list` */
    /* True: something besides terrain, furniture and trap lies on the tile. */
    bool marked[TILES];
} kinds;

/* Are two texts of a map equal? Equal ones are mostly one and the same. */
static bool is_same(const char *a, const char *b)
{
    return a == b || strcmp(a, b) == 0;
}

/* Returns the number of a combination in k->list, and adds the combination if it is new. */
static size_t number_of(kinds *k, const char *terrain, const char *furniture, const char *trap)
{
    size_t i = 0;
    while (i < k->count &&
           !(is_same(k->list[i].terrain, terrain) && is_same(k->list[i].furniture, furniture) &&
             is_same(k->list[i].trap, trap)))
        i++;
    if (i == k->count) {
        k->list[i].terrain = terrain;
        k->list[i].furniture = furniture;
        k->list[i].trap = trap;
        k->count++;
    }
    return i;
}

/* Writes the JSON members that all answers about a local map have. The function uses *k as its
 * own memory, which is too large for the stack. */
static void put_map(emitter *j, kinds *k, const ptl_local_map *map)
{
    const ptl_omt at = ptl_local_place(map);
    *k = (kinds){.count = 0};
    for (int32_t y = 0; y < PTL_LOCAL_SIDE; y++)
        for (int32_t x = 0; x < PTL_LOCAL_SIDE; x++)
            k->of[y * PTL_LOCAL_SIDE + x] =
                (uint16_t)number_of(k, ptl_local_terrain(map, x, y),
                                    ptl_local_furniture(map, x, y), ptl_local_trap(map, x, y));
    for (size_t i = 0; i < ptl_local_entity_count(map); i++) {
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        (void)ptl_local_entity_at(&e, map, i);
        if (e.x >= 0 && e.x < PTL_LOCAL_SIDE && e.y >= 0 && e.y < PTL_LOCAL_SIDE)
            k->marked[e.y * PTL_LOCAL_SIDE + e.x] = true;
    }
    emit_put(j, "x:%jd, y:%jd, z:%d, oter:%s, fallback:%i, stored:%i", at.x, at.y, at.z,
             ptl_local_oter(map), ptl_local_is_fallback(map), ptl_local_is_stored(map));
    emit_put(j, "kinds:[");
    for (size_t i = 0; i < k->count; i++)
        emit_put(j, "[%s, %s, %s]", k->list[i].terrain, k->list[i].furniture, k->list[i].trap);
    emit_put(j, "], tiles:[");
    for (size_t i = 0; i < TILES; i++)
        emit_uint(j, k->of[i]);
    emit_put(j, "], marks:[");
    for (size_t i = 0; i < TILES; i++)
        if (k->marked[i])
            emit_uint(j, i);
    emit_put(j, "]");
}

/* ---- one map with all that lies in it ---- */

bool answer_put_local(bytes *out, const ptl_local_map *map)
{
    emitter j = {out, false};
    kinds *k = malloc(sizeof *k);
    if (!k)
        return false;
    emit_put(&j, "{");
    put_map(&j, k, map);
    emit_put(&j, "revision:%jd, turn:%jd, edited:%i", ptl_local_revision(map),
             ptl_local_turn(map), ptl_local_is_edited(map));
    const size_t count = ptl_local_entity_count(map);
    emit_put(&j, "count:%zu, things:[", count);
    for (size_t i = 0; i < count && i < THINGS_MAX; i++) {
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        (void)ptl_local_entity_at(&e, map, i);
        emit_put(&j,
                 "{kind:%s, id:%s, x:%d, y:%d, x2:%d, y2:%d, count:%d, charges:%d, status:%d, "
                 "with:%s, text:%s}",
                 e.kind, e.id, e.x, e.y, e.x2, e.y2, e.count, e.charges, e.status, e.with,
                 e.text);
    }
    emit_put(&j, "]}");
    free(k);
    return true;
}

/* How maps are asked for. */
typedef struct wish {
    /* The turn of the game for which the tide is shown. If no turn is given, tide is false, and
     * maps are shown as they are stored. */
    bool tide;
    int64_t turn;
    bool make; /* maps that are not stored are made for the answer */
} wish;

ptl_status asked_turn(const asked *q, bool *tide, int64_t *turn, ptl_error *err)
{
    *tide = target_text(q->values, "turn") != NULL;
    return *tide ? asked_int(q, "turn", 0, TURN_MAX, turn, err) : PTL_OK;
}

static ptl_status asked_wish(const asked *q, wish *out, ptl_error *err)
{
    int64_t make = 0;
    *out = (wish){.make = false};
    if (target_text(q->values, "make"))
        TRY(asked_int(q, "make", 0, 1, &make, err));
    out->make = make == 1;
    return asked_turn(q, &out->tide, &out->turn, err);
}

/*
 * Gives a map, with the tide over it. Nothing is stored, because the file is only read here.
 * The tide may need overmaps that are not generated, or a content that the file no longer has;
 * then a stored map is shown as it is stored.
 */
static ptl_status give_map(ptl_local_map **out, ptl_world *world, ptl_omt at, const wish *how,
                           ptl_error *err)
{
    ptl_local_options o = PTL_LOCAL_OPTIONS_INIT;
    o.tide = how->tide && ptl_local_tide_turns(world) > 0;
    o.view = how->turn;
    ptl_local_map *still = NULL;
    ptl_status status = ptl_local_load(&still, world, at, err);
    *out = still;
    if (status == PTL_OK ? !o.tide : status != PTL_ERR_NOT_FOUND || !how->make)
        return status;
    status = ptl_local_get(out, world, at, &o, err);
    if (still && (status == PTL_ERR_NOT_FOUND || status == PTL_ERR_MISMATCH)) {
        error_clear(err);
        *out = still;
        return PTL_OK;
    }
    ptl_local_free(still);
    return status;
}

/* Returns whether a map can't be given without anything being wrong with the file: it is not
 * stored, and it is not to be made or can't be made. */
static bool is_none(ptl_status status)
{
    return status == PTL_ERR_NOT_FOUND || status == PTL_ERR_MISMATCH ||
           status == PTL_ERR_CONTENT;
}

/* Writes the map; null if none is stored, or the reason why none can be made. Most OMTs have no
 * stored map, so that is no error. */
ptl_status answer_local(const asked *q, reply *out, ptl_error *err)
{
    wish how;
    ptl_local_map *map = NULL;
    TRY(asked_wish(q, &how, err));
    ptl_status status = give_map(&map, q->world, q->omt, &how, err);
    THEN(status, answer_put_local(&out->body, map) ? PTL_OK : error_nomem(err));
    if (how.make ? is_none(status) : status == PTL_ERR_NOT_FOUND) {
        if (how.make)
            emit_put(&out->j, "{unmade:%s}", err->message);
        else
            emit_null(&out->j);
        error_clear(err);
        status = PTL_OK;
    }
    ptl_local_free(map);
    return status;
}

/* ---- all maps of a square of OMTs ---- */

ptl_status answer_locals(const asked *q, reply *out, ptl_error *err)
{
    int64_t side = 0;
    wish how;
    ptl_error first = {.status = PTL_OK}; /* why the first map that could not be made was not */
    bytes list = {.size = 0};
    emitter damaged = {&list, false};
    TRY(asked_int(q, "n", 1, BLOCK_MAX, &side, err));
    TRY(asked_wish(q, &how, err));
    kinds *k = malloc(sizeof *k);
    ptl_status status = k ? PTL_OK : error_nomem(err);
    emit_put(&out->j, "{maps:[");
    for (int64_t i = 0; status == PTL_OK && i < side * side; i++) {
        const ptl_omt at = {q->omt.x + i % side, q->omt.y + i / side, q->omt.z};
        /* Writes the map if there is one. If the map is damaged, that is no error: its place
         * goes into the list `damaged`. */
        ptl_local_map *map = NULL;
        status = give_map(&map, q->world, at, &how, err);
        if (status == PTL_OK) {
            emit_put(&out->j, "{");
            put_map(&out->j, k, map);
            emit_put(&out->j, "}");
        } else if (status == PTL_ERR_CORRUPT) {
            emit_put(&damaged, "[%jd, %jd]", at.x, at.y);
        }
        ptl_local_free(map);
        if (how.make && is_none(status) && first.status == PTL_OK)
            first = *err;
        if (is_none(status) || status == PTL_ERR_CORRUPT) {
            error_clear(err);
            status = PTL_OK;
        }
    }
    emit_put(&out->j, "], damaged:[");
    emit_values(&out->j, &list);
    emit_put(&out->j, "], unmade:");
    emit_text(&out->j, first.status == PTL_OK ? NULL : first.message);
    emit_put(&out->j, "}");
    bytes_dispose(&list);
    free(k);
    return status;
}

/* ---- how terrains, furniture and traps look ---- */

static bool on_look(void *payload, const ptl_local_look *look)
{
    emitter *j = payload;
    /* Three colours: of the tile when it is seen from far away, of its symbol, and of the
     * background of the symbol. */
    uint8_t colours[3][3];
    (void)ptl_color_find(colours[0], colours[1], colours[2], look->color);
    emit_put(j, "[%s, %s, %s, %u", look->kind, look->id, look->name, look->symbol);
    for (size_t i = 0; i < 3; i++)
        emit_uint(j,
                  (uint64_t)colours[i][0] << 16 | (uint64_t)colours[i][1] << 8 | colours[i][2]);
    /* The colours of the tile's class on light and on dark paper. */
    for (ptl_map_style style = PTL_STYLE_PAPER; style < PTL_STYLE_TERMINAL; style++) {
        ptl_tile_look of = PTL_TILE_LOOK_INIT;
        (void)ptl_tile_look_describe(&of, look->tile_class, style);
        emit_uint(j, of.area);
        emit_uint(j, of.ink);
    }
    emit_put(j, "]");
    return !j->out->failed;
}

ptl_status answer_looks(const asked *q, reply *out, ptl_error *err)
{
    emit_put(&out->j, "[");
    const ptl_status status = ptl_local_look_list(reader_store(q->from), on_look, &out->j, err);
    emit_put(&out->j, "]");
    return status;
}
