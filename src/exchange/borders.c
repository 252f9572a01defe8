/*
 * What crosses the borders of an overmap that Portolan did not make, taken from its tiles: the
 * save's own list of connections misses some and has others that no tile answers.
 */
#include "core/error.h"
#include "exchange/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which connection a terrain type belongs to, by index; CAT_NONE for most. */
typedef struct owners {
    const catalogue *cat;
    uint16_t *of; /* owned; terrain_count */
} owners;

static const cat_subtype *first_linear(const cat_connection *c)
{
    for (size_t i = 0; i < c->subtype_count; i++)
        if (c->subtypes[i].shape == CAT_SHAPE_LINEAR)
            return &c->subtypes[i];
    return NULL;
}

/* A bridge's end piece is no subtype; its id is the bridge's with this behind it. */
static void own_bridge_head(owners *o, uint16_t bridge, uint16_t connection)
{
    char id[256];
    snprintf(id, sizeof id, "%shead_ground", o->cat->terrains[bridge].id);
    uint16_t head = catalogue_terrain(o->cat, id);
    if (head != CAT_NONE && o->of[head] == CAT_NONE)
        o->of[head] = connection;
}

/* A terrain of several connections belongs to the one that it is the main line of, else to the
 * first by id. */
static ptl_status owners_init(owners *o, const catalogue *cat, ptl_error *err)
{
    *o = (owners){.cat = cat};
    o->of = malloc((cat->terrain_count + 1) * sizeof *o->of);
    if (!o->of)
        return error_nomem(err);
    for (size_t t = 0; t < cat->terrain_count; t++)
        o->of[t] = CAT_NONE;
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < cat->connection_count; k++) {
            const cat_connection *c = &cat->connections[k];
            for (size_t i = 0; i < c->subtype_count; i++) {
                uint16_t t = c->subtypes[i].terrain;
                bool main_line = &c->subtypes[i] == first_linear(c);
                if (t == CAT_NONE || o->of[t] != CAT_NONE || (pass == 0 && !main_line))
                    continue;
                o->of[t] = (uint16_t)k;
                if (c->subtypes[i].shape == CAT_SHAPE_ROTATABLE)
                    own_bridge_head(o, t, (uint16_t)k);
            }
        }
    return PTL_OK;
}

static ptl_oter border_oter(const ptl_chunk *chunk, int32_t z, int direction, int32_t position)
{
    const int32_t last = PTL_CHUNK_SIZE - 1;
    const int32_t x[4] = {position, last, position, 0}, y[4] = {0, position, last, position};
    const level *l = &chunk->levels[z - PTL_Z_MIN];
    return l->cells ? l->cells[y[direction] * PTL_CHUNK_SIZE + x[direction]] : l->fill;
}

/* Does the tile reach over the border on its side `direction`? */
static bool reaches(const owners *o, ptl_oter oter, int direction)
{
    const cat_oter *t = &o->cat->oters[oter];
    uint16_t count = o->cat->terrains[t->terrain].count;
    if (o->of[t->terrain] == CAT_NONE)
        return false;
    return count == 16 ? t->line >> direction & 1
                       : count == 4 && t->rotation % 2 == direction % 2;
}

static ptl_status add(save_border *b, const char *kind, int32_t position, int32_t z,
                      ptl_error *err)
{
    crossing *grown = realloc(b->crossings, (b->count + 1) * sizeof *grown);
    if (!grown)
        return error_nomem(err);
    b->crossings = grown;
    b->crossings[b->count++] =
        (crossing){.kind = kind, .position = (int16_t)position, .z = (int8_t)z};
    return PTL_OK;
}

static ptl_status find_connections(save_border *out, const owners *o, const ptl_chunk *chunk,
                                   int direction, ptl_error *err)
{
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
        for (int32_t p = 0; p < PTL_CHUNK_SIZE; p++) {
            ptl_oter oter = border_oter(chunk, z, direction, p);
            if (!reaches(o, oter, direction))
                continue;
            uint16_t k = o->of[o->cat->oters[oter].terrain];
            ptl_status status = add(out, o->cat->connections[k].id, p, z, err);
            if (status != PTL_OK)
                return status;
        }
    return PTL_OK;
}

/* Runs of river at z = 0. A bridge is river below; but bridges alone, as over a lake, are no
 * river. */
static ptl_status find_rivers(save_border *out, const owners *o, int flow, ptl_error *err)
{
    for (int32_t p = 0, start = 0; p < PTL_CHUNK_SIZE; start = ++p) {
        bool water = false;
        for (; p < PTL_CHUNK_SIZE; p++) {
            const cat_oter *t = &o->cat->oters[out->cells[p]];
            if (!(t->flags & CAT_FLAG_RIVER))
                break;
            water |= o->of[t->terrain] == CAT_NONE;
        }
        if (!water)
            continue;
        int32_t middle = (start + p - 1) / 2;
        ptl_status status = add(out, CROSSING_RIVER, middle, 0, err);
        if (status != PTL_OK)
            return status;
        out->crossings[out->count - 1].width = (uint8_t)(p - 1 - middle);
        out->crossings[out->count - 1].direction = (int8_t)flow;
    }
    return PTL_OK;
}

static int by_key(const void *pa, const void *pb)
{
    const crossing *a = pa, *b = pb;
    int kinds = strcmp(a->kind, b->kind);
    if (a->z != b->z)
        return a->z < b->z ? -1 : 1;
    return kinds != 0 ? kinds : a->position - b->position;
}

ptl_status save_borders(save_border out[4], const ptl_chunk *chunk, const catalogue *cat,
                        const int downhill[2], ptl_error *err)
{
    owners o;
    memset(out, 0, 4 * sizeof *out);
    ptl_status status = owners_init(&o, cat, err);
    for (int d = 0; d < 4 && status == PTL_OK; d++) {
        save_border *b = &out[d];
        for (int32_t p = 0; p < PTL_CHUNK_SIZE; p++)
            b->cells[p] = border_oter(chunk, 0, d, p);
        status = find_connections(b, &o, chunk, d, err);
        if (status == PTL_OK)
            status = find_rivers(b, &o, downhill[d % 2 ? EDGE_EAST : EDGE_SOUTH], err);
        if (b->count > 1)
            qsort(b->crossings, b->count, sizeof *b->crossings, by_key);
    }
    free(o.of);
    return status;
}

void save_borders_dispose(save_border borders[4])
{
    for (int d = 0; d < 4; d++) {
        free(borders[d].crossings);
        borders[d].crossings = NULL;
        borders[d].count = 0;
    }
}

/* The union of two sorted lists; of two rivers at one place the wider one. */
static size_t merge(crossing *out, const save_border *a, const save_border *b)
{
    size_t i = 0, k = 0, count = 0, na = a ? a->count : 0, nb = b ? b->count : 0;
    while (i < na || k < nb) {
        int order = i == na ? 1 : k == nb ? -1 : by_key(&a->crossings[i], &b->crossings[k]);
        out[count] = order <= 0 ? a->crossings[i] : b->crossings[k];
        if (order == 0 && b->crossings[k].width > out[count].width)
            out[count] = b->crossings[k];
        i += order <= 0;
        k += order >= 0;
        count++;
    }
    return count;
}

static ptl_status copy_cells(ptl_oter **out, const save_border *b, ptl_error *err)
{
    if (!b)
        return PTL_OK;
    *out = malloc(sizeof b->cells);
    if (!*out)
        return error_nomem(err);
    memcpy(*out, b->cells, sizeof b->cells);
    return PTL_OK;
}

ptl_status save_edge(edge *out, const save_border *own, const save_border *other,
                     ptl_error *err)
{
    size_t most = (own ? own->count : 0) + (other ? other->count : 0);
    out->origin = EDGE_FOREIGN;
    out->crossings = malloc((most ? most : 1) * sizeof *out->crossings);
    if (!out->crossings)
        return error_nomem(err);
    out->count = merge(out->crossings, own, other);
    ptl_status status = copy_cells(&out->border[0], own, err);
    if (status == PTL_OK)
        status = copy_cells(&out->border[1], other, err);
    if (status == PTL_OK && out->count > EDGE_CROSSINGS_MAX)
        status = error_set(err, PTL_ERR_LIMIT, "edge %d,%d %s has %zu crossings; at most %d",
                           out->x, out->y, out->side == EDGE_EAST ? "E" : "S", out->count,
                           EDGE_CROSSINGS_MAX);
    return status;
}
