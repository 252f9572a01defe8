/*
 * Links: the connections of a special and of its pieces. On the ground they are drawn at once;
 * on other levels they are noted for step sublevels. The arm back to the special is drawn only
 * where a tile of it is there to answer.
 */
#include "gen/specials/place_impl.h"

#include <stdio.h>
#include <stdlib.h>

/* Where a connection of the special ends. */
typedef struct link_point {
    uint16_t connection;
    int32_t x, y, z;
    int direction; /* 0..3: away from the special; CONNECT_ANY */
} link_point;

static void link_event(const placing *at, const link_point *p, const char *kind,
                       const char *why)
{
    char text[sizeof at->g->events->detail];
    snprintf(text, sizeof text, "%.44s: %.32s", at->special->id, why);
    add_event(at->g, kind, p->x, p->y, p->z, text);
}

/* Returns the special's cells on the ground. */
static size_t closed_cells(const placer *p)
{
    enum { CELLS = SIZE * SIZE };
    size_t count = 0;
    for (size_t i = 0; i < p->tile_count; i++)
        if (p->tiles[i] / CELLS == level_of(0))
            p->closed[count++] = p->tiles[i] % CELLS;
    return count;
}

/* For an exit the arm back has a tile of the special to answer it. */
static connect_end link_end(const placing *at, const link_point *p)
{
    connect_end end = {(int16_t)p->x, (int16_t)p->y, (int8_t)p->direction, false};
    if (p->direction != CONNECT_ANY) {
        const int32_t bx = p->x - step_x(p->direction), by = p->y - step_y(p->direction);
        end.exit = place_owns(at->p, bx, by, p->z);
    }
    return end;
}

static void link_on_ground(const placing *at, const link_point *p)
{
    const connect_end end = link_end(at, p);
    const bool watched = at->g->watching;
    const connect_ground ground = {.closed = at->p->closed,
                                   .closed_count = closed_cells(at->p),
                                   .known = watched && at->p->watch == at->g->watches};
    at->p->watch = watched ? at->g->watches : 0;
    const connect_result result = connect_link(at->g, p->connection, 0, end, &ground);
    if (at->g->failed)
        return;
    if (result == CONNECT_NO_PATH)
        link_event(at, p, "unreached", "no way for its connection");
    else if (result == CONNECT_BLOCKED)
        link_event(at, p, "blocked", "its connection can't begin here");
}

static void link_later(const placing *at, const link_point *p)
{
    generator *g = at->g;
    if (g->deep_link_count == g->deep_link_room) {
        const size_t room = g->deep_link_room ? 2 * g->deep_link_room : 64;
        deep_link *moved = realloc(g->deep_links, room * sizeof *moved);
        if (!moved) {
            g->failed = true;
            return;
        }
        g->deep_links = moved;
        g->deep_link_room = room;
    }
    g->deep_links[g->deep_link_count++] =
        (deep_link){.connection = p->connection, .z = (int8_t)p->z, .end = link_end(at, p)};
}

/* A point that the special covers itself needs nothing. */
static void draw_link(const placing *at, const link_point *p)
{
    if (!place_inside(p->x, p->y, p->z))
        link_event(at, p, "blocked", "its connection leaves the chunk");
    else if (place_owns(at->p, p->x, p->y, p->z))
        return;
    else if (p->z == 0)
        link_on_ground(at, p);
    else
        link_later(at, p);
}

static void link_special(const placing *at)
{
    const place_order *o = at->order;
    for (size_t i = 0; i < at->special->link_count && !at->g->failed; i++) {
        const cat_link *link = &at->special->links[i];
        if (link->existing)
            continue;
        link_point p = {.connection = link->connection, .z = at->z + link->z};
        feature_rotate(link->x, link->y, o->rotation, &p.x, &p.y);
        p.x += o->x;
        p.y += o->y;
        p.direction = link->direction < 0 ? CONNECT_ANY : (link->direction + o->rotation) % 4;
        draw_link(at, &p);
    }
}

static void link_piece(const placing *at, const gen_piece *grown)
{
    const cat_piece *piece = &at->special->layout->pieces[grown->piece];
    for (int side = 0; side < PTL_SIDES && !at->g->failed; side++) {
        if (piece->connections[side] == CAT_NONE)
            continue;
        const int rotated = side < 4 ? (side + grown->rotation) % 4 : side;
        link_point p = {.connection = piece->connections[side],
                        .x = grown->x,
                        .y = grown->y,
                        .z = grown->z,
                        .direction = CONNECT_ANY};
        if (rotated < 4) {
            p.x += step_x(rotated);
            p.y += step_y(rotated);
            p.direction = rotated;
        } else {
            p.z += rotated == CAT_ABOVE ? 1 : -1;
        }
        draw_link(at, &p);
    }
}

void place_links(const placing *at)
{
    const gen_features *f = &at->g->features;
    link_special(at);
    for (size_t i = at->first_piece; i < f->piece_count && !at->g->failed; i++)
        link_piece(at, &f->pieces[i]);
}
