/*
 * Finds what crosses the borders of an overmap that Portolan did not make. It reads the
 * terrain along the borders. The save's own list of connections is not used: it misses some,
 * and has others that no terrain confirms.
 */
#include "core/error.h"
#include "exchange/exchange.h"
#include "model/bridge_parts.h"

#include <stdlib.h>
#include <string.h>

/* The part that a terrain type has in a bridge over water. */
enum { NO_BRIDGE = 0, SPAN, FOOT };

/* For each terrain type, the connection it belongs to. */
typedef struct owners {
    const catalogue *cat;
    uint16_t *of;    /* owned; by terrain type: a connection's number; CAT_NONE for most */
    uint8_t *bridge; /* owned; by terrain type: NO_BRIDGE, SPAN or FOOT */
} owners;

/* Returns the subtype of a connection's main line, or NULL. */
static const cat_subtype *first_linear(const cat_connection *c)
{
    for (size_t i = 0; i < c->subtype_count; i++)
        if (c->subtypes[i].shape == PTL_TERRAIN_LINE)
            return &c->subtypes[i];
    return NULL;
}

/* Assigns a terrain, unless an earlier call did. */
static void own(owners *o, uint16_t terrain, size_t connection, int bridge)
{
    if (o->of[terrain] == CAT_NONE)
        o->of[terrain] = (uint16_t)connection;
    if (o->bridge[terrain] == NO_BRIDGE)
        o->bridge[terrain] = (uint8_t)bridge;
}

/* Assigns the parts of a raised bridge that stand on the ground. They are no subtypes of the
 * connection themselves. */
static void own_parts(owners *o, const cat_subtype *s, size_t connection)
{
    const bool water = bridge_spans_water(o->cat, s);
    for (int i = 0; i < BRIDGE_PARTS; i++) {
        uint16_t part = bridge_part_of(o->cat, s->terrain, (bridge_part)i);
        if (part != CAT_NONE)
            own(o, part, connection, !water ? NO_BRIDGE : i == BRIDGE_FOOT ? FOOT : SPAN);
    }
}

/* Assigns all terrains. A terrain that several connections use belongs to the one whose main
 * line it is (first pass), else to the first of them by id (second pass). */
static ptl_status owners_init(owners *o, const catalogue *cat, ptl_error *err)
{
    *o = (owners){.cat = cat};
    o->of = malloc((cat->terrain_count + 1) * sizeof *o->of);
    o->bridge = calloc(cat->terrain_count + 1, sizeof *o->bridge);
    if (!o->of || !o->bridge)
        return error_nomem(err);
    for (size_t t = 0; t < cat->terrain_count; t++)
        o->of[t] = CAT_NONE;
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < cat->connection_count; k++) {
            const cat_connection *c = &cat->connections[k];
            for (size_t i = 0; i < c->subtype_count; i++) {
                const cat_subtype *s = &c->subtypes[i];
                bool main_line = s == first_linear(c);
                if (s->terrain == CAT_NONE || (pass == 0 && !main_line))
                    continue;
                own(o, s->terrain, k, bridge_spans_water(cat, s) ? SPAN : NO_BRIDGE);
                if (s->shape == PTL_TERRAIN_ROTATABLE)
                    own_parts(o, s, k);
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
            /* Does the terrain continue over the border on the side `direction`? A line does if
             * it has an arm there, a rotatable terrain if its axis points there. */
            const cat_oter *t = &o->cat->oters[oter];
            uint16_t count = o->cat->terrains[t->terrain].count;
            if (o->of[t->terrain] == CAT_NONE ||
                !(count == 16 ? t->line >> direction & 1
                              : count == 4 && t->rotation % 2 == direction % 2))
                continue;
            uint16_t k = o->of[o->cat->oters[oter].terrain];
            TRY(add(out, o->cat->connections[k].id, p, z, err));
        }
    return PTL_OK;
}

/* Is the OMT part of a bridge that runs along the border? Then the water it spans flows over
 * the border. */
static bool spans_border(const owners *o, ptl_oter oter, int direction)
{
    const cat_oter *t = &o->cat->oters[oter];
    return o->bridge[t->terrain] != NO_BRIDGE && t->rotation % 2 != direction % 2;
}

/*
 * Finds the runs of river on the border at z = 0. A bridge along the border always counts as
 * river, as do its feet, even if no other water is seen. A bridge that crosses the border
 * counts only beside river: alone it may lead over a lake.
 */
static ptl_status find_rivers(save_border *out, const owners *o, int direction, int flow,
                              ptl_error *err)
{
    for (int32_t p = 0, start = 0; p < PTL_CHUNK_SIZE; start = ++p) {
        bool water = false;
        for (; p < PTL_CHUNK_SIZE; p++) {
            const cat_oter *t = &o->cat->oters[out->cells[p]];
            const bool spanned = spans_border(o, out->cells[p], direction);
            if (!(t->flags & CAT_FLAG_RIVER) && !spanned)
                break;
            water |= spanned || o->of[t->terrain] == CAT_NONE;
        }
        if (!water)
            continue;
        int32_t middle = (start + p - 1) / 2;
        TRY(add(out, CROSSING_RIVER, middle, 0, err));
        out->crossings[out->count - 1].width = (uint8_t)(p - 1 - middle);
        out->crossings[out->count - 1].direction = (int8_t)flow;
    }
    return PTL_OK;
}

/* The order in which an edge's crossings are stored. */
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
        THEN(status, find_rivers(b, &o, d, downhill[d % 2 ? EDGE_EAST : EDGE_SOUTH], err));
        if (b->count > 1)
            qsort(b->crossings, b->count, sizeof *b->crossings, by_key);
    }
    free(o.of);
    free(o.bridge);
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

/* Makes the union of two sorted lists of crossings. If both have a river in one place, the
 * wider one is taken. */
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
    THEN(status, copy_cells(&out->border[1], other, err));
    if (status == PTL_OK && out->count > EDGE_CROSSINGS_MAX)
        status = error_set(err, PTL_ERR_LIMIT, "edge %d,%d %s has %zu crossings; at most %d",
                           out->x, out->y, out->side == EDGE_EAST ? "E" : "S", out->count,
                           EDGE_CROSSINGS_MAX);
    return status;
}
