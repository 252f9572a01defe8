/* Terrain of whole levels as numbers of oters, and the palette that says what the numbers
 * mean. */
#include "clients/server/answer.h"
#include "clients/server/gather.h"

#include "core/error.h"

#include <stdlib.h>

/* ---- levels ---- */

enum { GATHERED_MAX = 16 };

/* A sample of `gathered` x `gathered` chunks: a square of 180 x 180 cells, each of which is
 * one OMT of those chunks. */
typedef struct gathering {
    ptl_world *world;
    ptl_chunk_pos first;
    int32_t z, gathered;
    ptl_oter level[PTL_LEVEL_CELLS];
    ptl_oter cells[PTL_LEVEL_CELLS];

} gathering;

ptl_status answer_omts(const asked *q, reply *out, ptl_error *err)
{
    int64_t gathered = 1;
    if (target_text(q->values, "n"))
        TRY(asked_int(q, "n", 1, GATHERED_MAX, &gathered, err));
    gathering *g = calloc(1, sizeof *g);
    if (!g)
        return error_nomem(err);
    g->first = q->chunk;
    g->z = q->z;
    g->gathered = (int32_t)gathered;
    g->world = q->world;
    ptl_status status = PTL_OK;
    bool found = false;                      /* at least one chunk of the square is saved */
    memset(g->cells, 0xff, sizeof g->cells); /* all PTL_OTER_NONE */
    for (int32_t i = 0; i < g->gathered * g->gathered && status == PTL_OK; i++) {
        const int32_t x = i % g->gathered, y = i / g->gathered;
        const ptl_chunk_pos at = {g->first.x + x, g->first.y + y};
        if (at.x > PTL_CHUNK_COORD_MAX || at.y > PTL_CHUNK_COORD_MAX)
            continue;
        status = ptl_level_load(g->level, g->world, at, g->z, err);
        if (status == PTL_ERR_NOT_FOUND) {
            error_clear(err);
            status = PTL_OK;
        } else if (status == PTL_OK) {
            found = true;
            gather_samples(g->cells, g->level, g->gathered, x, y);
        }
    }
    if (status == PTL_OK && !found)
        status = error_set(err, PTL_ERR_NOT_FOUND, "no chunk is saved there");
    if (status == PTL_OK) {
        gather_put(&out->body, g->cells);
        out->type = "application/octet-stream";
    }
    free(g);
    return status;
}

/* ---- from far away ---- */

/* Appends a number of `size` bytes, little-endian. */
static void put_number(bytes *out, uint32_t value, int size)
{
    for (int i = 0; i < size; i++)
        bytes_put_u8(out, (uint8_t)(value >> 8 * i));
}

typedef struct overviews {
    bytes *out;
    const ptl_chunk_pos *within; /* a rectangle as in struct asked; NULL: all */
} overviews;

static bool on_overview(void *payload, ptl_chunk_pos pos,
                        const ptl_oter cells[PTL_OVERVIEW_CELLS])
{
    const overviews *all = payload;
    const ptl_chunk_pos *within = all->within;
    bytes *out = all->out;
    if (within && (pos.x < within[0].x || pos.y < within[0].y || pos.x > within[1].x ||
                   pos.y > within[1].y))
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

/* Puts how many turns one step of the tide takes, and the height of the tide in each step.
 * Puts null if the world has no tides. */
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

ptl_status answer_palette(const asked *q, reply *out, ptl_error *err)
{
    (void)err;
    const ptl_catalogue *c = ptl_world_catalogue(q->world);
    emit_put(&out->j, "{content:%s, types:[", ptl_catalogue_digest(c));
    for (size_t i = 0; i < ptl_catalogue_count(c, PTL_CONTENT_TERRAIN); i++) {
        ptl_terrain_type t = PTL_TERRAIN_TYPE_INIT;
        (void)ptl_catalogue_terrain(&t, c, i);
        uint8_t colours[3][3]; /* of the area, of the symbol, and of the symbol's background */
        (void)ptl_color_find(colours[0], colours[1], colours[2], t.color);
        emit_put(&out->j, "[%s, %s", t.id, t.name);
        for (size_t k = 0; k < 3; k++)
            emit_uint(&out->j, (uint64_t)colours[k][0] << 16 | (uint64_t)colours[k][1] << 8 |
                                   colours[k][2]);
        emit_put(&out->j, "[");
        for (size_t k = 0; k < t.flag_count; k++)
            emit_text(&out->j, t.flags[k]);
        emit_put(&out->j, "]]");
    }
    emit_put(&out->j, "], oters:[");
    for (size_t i = 0; i < ptl_catalogue_count(c, PTL_CONTENT_OTER); i++) {
        ptl_terrain t = PTL_TERRAIN_INIT;
        (void)ptl_catalogue_oter(&t, c, i);
        emit_put(&out->j, "[%s, %zu, %u, %u]", t.id, t.type_number, t.symbol,
                 t.shape == PTL_TERRAIN_LINE ? t.arms : 0);
    }
    /* Puts the connections, each with the numbers of the terrains that belong to it. */
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
    emit_put(&out->j, "}");
    return PTL_OK;
}
