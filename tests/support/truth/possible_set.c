/* What the member `set` of an entry may do. */
#include "support/truth/possible_impl.h"

#include <stdlib.h>

enum { LINES_MAX = 2000 };

/* What one or more blows may leave; where content names nothing, dirt. */
static void bash_tile(frame *f, int x, int y, int cell)
{
    enum { BLOWS = 4 };
    engine *e = f->e;
    size_t count;
    uint32_t set = possible_real(e, f->map->terrain[cell], false, 0);
    for (int blow = 0; blow < BLOWS; blow++) {
        uint32_t left = 0;
        for (size_t i = 0; id_sets_items(e->sets, set, &count) && i < count; i++) {
            const uint32_t id = id_sets_items(e->sets, set, &count)[i];
            const mapgen_tile tile = mapgen_terrain_tile(e->content->tiles, id);
            const bool nothing = tile.bashed == ID_NONE || tile.bashed == e->ids.null_terrain;
            if (tile.flags & MAPGEN_TILE_BASHED)
                left = id_sets_union(e->sets, left,
                                     id_sets_one(e->sets, nothing ? e->ids.dirt : tile.bashed));
        }
        possible_terrain(f, x, y, left, false);
        set = left;
    }
    possible_furniture(f, x, y, id_sets_one(e->sets, ID_NONE), false);
}

static void set_tile(frame *f, const mapgen_piece *p, int x, int y, bool sure)
{
    if (!possible_on_map(x, y))
        return;
    const int cell = y * LOCAL_SIDE + x;
    const mapgen_unit *unit = &f->entry->unit;
    if (p->subject == MAPGEN_SET_TERRAIN)
        possible_terrain(f, x, y, possible_terrains(f, unit, p->what), sure);
    else if (p->subject == MAPGEN_SET_FURNITURE)
        possible_furniture(f, x, y, possible_values(f, unit, p->what), sure);
    else if (p->subject == MAPGEN_SET_BASH)
        bash_tile(f, x, y, cell);
}

static void set_line(frame *f, const mapgen_piece *p, area l, bool sure)
{
    const int dx = abs(l.x2 - l.x), dy = -abs(l.y2 - l.y);
    const int sx = l.x < l.x2 ? 1 : -1, sy = l.y < l.y2 ? 1 : -1;
    int error = dx + dy;
    for (;;) {
        set_tile(f, p, l.x, l.y, sure);
        if (l.x == l.x2 && l.y == l.y2)
            return;
        const int twice = 2 * error;
        if (twice >= dy) {
            error += dy;
            l.x += sx;
        }
        if (twice <= dx) {
            error += dx;
            l.y += sy;
        }
    }
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

static int greater(int a, int b)
{
    return a > b ? a : b;
}

static void set_square(frame *f, const mapgen_piece *p, area s, bool sure)
{
    for (int y = lesser(s.y, s.y2); y <= greater(s.y, s.y2); y++)
        for (int x = lesser(s.x, s.x2); x <= greater(s.x, s.x2); x++)
            set_tile(f, p, x, y, sure);
}

/* All lines between the ends that may be; where there are too many, the square around. */
static void set_lines(frame *f, const mapgen_piece *p, bool sure)
{
    const mapgen_range r[] = {p->x, p->y, p->x2, p->y2};
    size_t count = 1;
    for (int i = 0; i < 4; i++)
        count *= (size_t)(r[i].high - r[i].low + 1);
    if (count > LINES_MAX || p->shape == MAPGEN_SQUARE) {
        const area around = {
            f->x + lesser(p->x.low, p->x2.low), f->y + lesser(p->y.low, p->y2.low),
            f->x + greater(p->x.high, p->x2.high), f->y + greater(p->y.high, p->y2.high)};
        set_square(f, p, around, sure && count == 1);
        return;
    }
    for (int x = p->x.low; x <= p->x.high; x++)
        for (int y = p->y.low; y <= p->y.high; y++)
            for (int x2 = p->x2.low; x2 <= p->x2.high; x2++)
                for (int y2 = p->y2.low; y2 <= p->y2.high; y2++)
                    set_line(f, p, (area){f->x + x, f->y + y, f->x + x2, f->y + y2},
                             sure && count == 1);
}

/* Does a piece by coordinates begin in the part of the drawing that is drawn? */
bool possible_is_here(const frame *f, const mapgen_piece *p)
{
    return p->x.low >= f->from_x && p->x.low < f->from_x + f->width && p->y.low >= f->from_y &&
           p->y.low < f->from_y + f->height;
}

void possible_set(frame *f, const mapgen_piece *p)
{
    if (!possible_is_here(f, p) || (p->flags & MAPGEN_AT_HEIGHT) || p->repeat.high < 1)
        return;
    const bool sure = p->repeat.low >= 1 && p->chance.high <= 1;
    if (p->shape != MAPGEN_POINT) {
        set_lines(f, p, sure);
        return;
    }
    const bool one = p->x.low == p->x.high && p->y.low == p->y.high;
    for (int y = p->y.low; y <= p->y.high; y++)
        for (int x = p->x.low; x <= p->x.high; x++)
            set_tile(f, p, f->x + x, f->y + y, sure && one);
}
