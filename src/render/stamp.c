#include "render/stamp.h"

#include "core/hash.h"
#include "core/light.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Pixels of an OMT from which on it has details. A smaller one has the colour of its class,
     * so that roads stay lines; the page of `portolan serve` shows the same. */
    DETAILS_FROM = 4,
    SAMPLES = 4,  /* samples along a side of a pixel */
    SLOTS = 4096, /* stamps that are kept */
    PARTS = 3,    /* colours of a class: area, ink, edge */
    UNSAVED = PTL_MAP_CLASSES,
    NONE, /* no class */
    CORNERS = 4,
    SIDES = 4,
    TEXTURES = 4
};

/* The sides and corners of an OMT. Corner c lies between the sides c and c + 1. */
static const int side_x[SIDES] = {0, 1, 0, -1}, side_y[SIDES] = {-1, 0, 1, 0};
static const int corner_x[CORNERS] = {1, 1, -1, -1}, corner_y[CORNERS] = {-1, 1, 1, -1};

/* What the map shows of an oter. */
typedef struct mark {
    uint8_t class; /* a ptl_map_class, or UNSAVED */
    uint8_t arms;  /* sides to which a way leads, as bits; 0: to the ways around */
    uint32_t name; /* a hash of the terrain's name: OMTs of one name are one building */
} mark;

/* All that a stamp depends on. It has no padding, so that keys can be compared as bytes. */
typedef struct stamp_key {
    uint8_t class, ground; /* the OMT's class, and what lies around or below it */
    uint8_t arms;          /* bits of sides to which a way leads */
    uint8_t joined;        /* bits of sides where the same building goes on */
    uint8_t shores;        /* bits 2 * side, 2 * side + 1: halves of a side where water ends */
    uint8_t corners[CORNERS]; /* class behind a rounded corner, or NONE */
    uint8_t texture;          /* one of TEXTURES patterns */
    uint8_t padding[6];
} stamp_key;

typedef struct stamp {
    stamp_key key;
    uint8_t *pixels; /* owned; NULL: the slot is empty */
} stamp;

struct stamper {
    const catalogue *cat; /* borrowed */
    int32_t scale;        /* pixels of an OMT */
    bool symbols;
    look *looks; /* owned; the symbols */
    mark *marks; /* owned; of each oter, and one more for none */
    ptl_map_look classes[PTL_MAP_CLASSES];
    uint32_t light[UNSAVED + 1][PARTS][STAMP_BYTES]; /* colours of classes, as light */
    uint32_t *sums;                                  /* owned; sums of a stamp's pixels */
    stamp slots[SLOTS];
};

/* ---- what oters are ---- */

static mark mark_of(const catalogue *cat, size_t oter)
{
    const cat_oter *o = &cat->oters[oter];
    const cat_terrain *t = &cat->terrains[o->terrain];
    mark m = {.class = t->map_class,
              .name = (uint32_t)hash_string(t->name && t->name[0] ? t->name : t->id)};
    m.arms = o->flags & CAT_FLAG_LINEAR ? o->line & 0xf : 0;
    if (m.arms == 0)
        m.arms = font_line_mask(o->symbol);
    return m;
}

static void set_colour(stamper *s, int class, int part, uint32_t colour)
{
    for (int c = 0; c < STAMP_BYTES; c++)
        s->light[class][part][c] = light_of((uint8_t)(colour >> 8 * (2 - c)));
}

stamper *stamper_new(const catalogue *cat, ptl_map_style kind, int32_t scale, bool symbols)
{
    stamper *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    const size_t count = catalogue_all_oters(cat);
    s->cat = cat;
    s->scale = scale;
    s->symbols = symbols;
    s->looks = looks_new(cat);
    s->marks = calloc(count + 1, sizeof *s->marks);
    s->sums = calloc((size_t)scale * (size_t)scale * STAMP_BYTES, sizeof *s->sums);
    if (!s->looks || !s->marks || !s->sums) {
        stamper_free(s);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        s->marks[i] = mark_of(cat, i);
    s->marks[count] = (mark){.class = UNSAVED};
    for (int i = 0; i < PTL_MAP_CLASSES; i++) {
        s->classes[i] = (ptl_map_look)PTL_MAP_LOOK_INIT;
        (void)ptl_map_look_describe(&s->classes[i], (ptl_map_class)i, kind);
        set_colour(s, i, 0, s->classes[i].area);
        set_colour(s, i, 1, s->classes[i].ink);
        set_colour(s, i, 2, s->classes[i].edge);
    }
    const rgb unsaved = palette_of_style(PALETTE_UNSAVED, kind);
    for (int part = 0; part < PARTS; part++)
        set_colour(s, UNSAVED, part,
                   (uint32_t)unsaved.r << 16 | (uint32_t)unsaved.g << 8 | unsaved.b);
    return s;
}

void stamper_free(stamper *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < SLOTS; i++)
        free(s->slots[i].pixels);
    free(s->looks);
    free(s->marks);
    free(s->sums);
    free(s);
}

/* ---- painting a stamp ---- */

static bool is_water(const stamper *s, uint8_t class)
{
    return class < PTL_MAP_CLASSES && s->classes[class].shape == PTL_MAP_WATER;
}

static bool is_way(const stamper *s, uint8_t class)
{
    return class < PTL_MAP_CLASSES && s->classes[class].shape == PTL_MAP_WAY;
}

/* Classes whose areas have rounded corners. */
static bool is_natural(uint8_t class)
{
    return class >= PTL_MAP_FIELD && class <= PTL_MAP_DEEP;
}

static bool is_house(uint8_t class)
{
    return class == PTL_MAP_BUILDING || class == PTL_MAP_SITE;
}

/* A point of an OMT: its place from 0 to 1, and the length of a pixel. */
typedef struct spot {
    float x, y, pixel;
} spot;

static float least(float a, float b)
{
    return a < b ? a : b;
}

static float most(float a, float b)
{
    return a > b ? a : b;
}

/* Which of a class's colours a point has. */
typedef struct dot {
    uint8_t class, part;
} dot;

enum { AREA, INK, EDGE };

/* Distance of a point to the side of the OMT. */
static float to_side(const spot *p, int side)
{
    return side == 0 ? p->y : side == 1 ? 1 - p->x : side == 2 ? 1 - p->y : p->x;
}

/* Textures of woods: a few round dots in the darker colour. */
static bool is_tree(const stamp_key *key, const spot *p)
{
    static const float places[TEXTURES][3][2] = {{{.22f, .3f}, {.7f, .2f}, {.55f, .75f}},
                                                 {{.3f, .7f}, {.78f, .6f}, {.45f, .22f}},
                                                 {{.18f, .55f}, {.62f, .42f}, {.8f, .82f}},
                                                 {{.25f, .2f}, {.5f, .55f}, {.2f, .82f}}};
    const float radius = key->ground == PTL_MAP_THICK_FOREST ? .1f : .075f;
    const bool wood = key->ground == PTL_MAP_THICK_FOREST || key->ground == PTL_MAP_FOREST;
    for (int i = 0; wood && i < 3; i++) {
        const float x = p->x - places[key->texture][i][0],
                    y = p->y - places[key->texture][i][1];
        if (x * x + y * y < radius * radius)
            return true;
    }
    return false;
}

/* Returns the ground at a point: that of the OMT or, behind a rounded corner, what lies there.
 */
static dot ground_at(const stamper *s, const stamp_key *key, const spot *p)
{
    const float x = p->x - .5f, y = p->y - .5f, reach = sqrtf(x * x + y * y) - .5f;
    const float line = most(.06f, .7f * p->pixel);
    const int corner = x >= 0 ? (y < 0 ? 0 : 1) : y >= 0 ? 2 : 3;
    const uint8_t behind = key->corners[corner];
    const bool water = is_water(s, key->ground);
    if (behind != NONE) {
        const bool shore = is_water(s, behind) != water;
        if (reach > 0)
            return (dot){behind, shore && !water && reach < line ? EDGE : AREA};
        if (shore && water && -reach < line)
            return (dot){key->ground, EDGE};
        return (dot){key->ground, AREA};
    }
    for (int side = 0; side < SIDES; side++) {
        const bool second = side % 2 == 0 ? x >= 0 : y >= 0;
        if (key->shores >> (2 * side + second) & 1 && to_side(p, side) < line)
            return (dot){key->ground, EDGE};
    }
    return (dot){key->ground, is_tree(key, p) ? EDGE : AREA};
}

/* Returns the distance of a point to the middle line of a way, and sets *along to where it lies
 * along the line, for dashes. Two neighbouring arms are joined by an arc. */
static float to_way(uint8_t arms, const spot *p, float *along)
{
    static const uint8_t bends[CORNERS] = {1 | 2, 2 | 4, 4 | 8, 8 | 1};
    const float x = p->x - .5f, y = p->y - .5f;
    for (int i = 0; i < CORNERS; i++) {
        if (arms != bends[i])
            continue;
        const float cx = x - .5f * (float)corner_x[i], cy = y - .5f * (float)corner_y[i];
        *along = most(fabsf(cx), fabsf(cy)) > 0
                     ? atan2f(fabsf(cy), fabsf(cx)) * (2 / 3.14159265f)
                     : 0;
        return fabsf(sqrtf(cx * cx + cy * cy) - .5f);
    }
    float found = sqrtf(x * x + y * y);
    *along = .5f;
    for (int side = 0; side < SIDES; side++) {
        if (!(arms >> side & 1))
            continue;
        const float forth = x * (float)side_x[side] + y * (float)side_y[side];
        const float aside = fabsf(x * (float)side_y[side] - y * (float)side_x[side]);
        if (forth >= 0 && aside <= found) {
            found = aside;
            *along = .5f + forth;
        }
    }
    return found;
}

/* Is the point, at `along` of the way's length in the OMT, on a dash? Half a dash lies at each
 * end, so that dashes go on in the next OMT. */
static bool on_dash(const ptl_map_look *l, float along)
{
    const float phase = 2 * along - floorf(2 * along);
    return l->dash == 0 || fabsf(phase - .5f) > .5f - (float)l->dash / 100;
}

static dot dot_at(const stamper *s, const stamp_key *key, const spot *p)
{
    if (s->scale < DETAILS_FROM)
        return (dot){key->class, AREA};
    if (is_way(s, key->class)) {
        const ptl_map_look *l = &s->classes[key->class];
        float along;
        const float distance = to_way(key->arms, p, &along);
        const float half = most((float)l->width / 200, .6f * p->pixel);
        const float edge = l->dash ? 0 : most(.05f, .5f * p->pixel);
        if (distance < half && on_dash(l, along))
            return (dot){key->class, AREA};
        if (distance < half + edge && on_dash(l, along))
            return (dot){key->class, EDGE};
    } else if (is_house(key->class)) {
        float inside = 1;
        for (int side = 0; side < SIDES; side++)
            if (!(key->joined >> side & 1))
                inside = least(inside, to_side(p, side));
        const float gap = .07f, wall = most(.05f, .5f * p->pixel);
        if (inside >= gap)
            return (dot){key->class, inside < gap + wall ? EDGE : AREA};
    }
    return ground_at(s, key, p);
}

/* Adds the light of a stamp's point to the pixel that shows it. */
static void add_point(stamper *s, const stamp_key *key, int32_t x, int32_t y, int32_t side)
{
    const spot p = {((float)x + .5f) / (float)side, ((float)y + .5f) / (float)side,
                    (float)SAMPLES / (float)side};
    const dot d = dot_at(s, key, &p);
    const int32_t points = side / s->scale;
    uint32_t *sum = s->sums + ((size_t)(y / points) * (size_t)s->scale + (size_t)(x / points)) *
                                  STAMP_BYTES;
    for (int c = 0; c < STAMP_BYTES; c++)
        sum[c] += s->light[d.class][d.part][c];
}

static void paint_stamp(stamper *s, const stamp_key *key, uint8_t *pixels)
{
    const int32_t side = s->scale * SAMPLES, points = SAMPLES;
    const size_t count = (size_t)s->scale * (size_t)s->scale * STAMP_BYTES;
    memset(s->sums, 0, count * sizeof *s->sums);
    for (int32_t y = 0; y < side; y++)
        for (int32_t x = 0; x < side; x++)
            add_point(s, key, x, y, side);
    for (size_t i = 0; i < count; i++)
        pixels[i] = light_coded((uint16_t)(s->sums[i] / (uint32_t)(points * points)));
}

static const uint8_t *find_stamp(stamper *s, const stamp_key *key)
{
    stamp *slot = &s->slots[hash_bytes(key, sizeof *key) % SLOTS];
    if (slot->pixels && memcmp(&slot->key, key, sizeof *key) == 0)
        return slot->pixels;
    if (!slot->pixels)
        slot->pixels = malloc((size_t)s->scale * (size_t)s->scale * STAMP_BYTES);
    if (!slot->pixels)
        return NULL;
    slot->key = *key;
    paint_stamp(s, key, slot->pixels);
    return slot->pixels;
}

/* ---- what a stamp depends on ---- */

/* The marks of an OMT and its neighbours. */
typedef struct scene {
    const mark *at[3][3]; /* rows from the north */
} scene;

static const mark *beside(const scene *n, int x, int y)
{
    return n->at[1 + y][1 + x];
}

/* Returns what lies around a way or a building: water below a bridge, the ground of a town, or
 * the natural class that most of the neighbours have. */
static uint8_t ground_around(const stamper *s, const scene *n, uint8_t class)
{
    int counts[NONE + 1] = {0}, town = 0;
    uint8_t best = UNSAVED;
    for (int i = 0; i < 9; i++) {
        const uint8_t c = n->at[i / 3][i % 3]->class;
        const int weight = i % 2 == 1 ? 2 : 1; /* those at sides count twice */
        if (i == 4 || is_way(s, c))
            continue;
        town += c == PTL_MAP_BUILDING || c == PTL_MAP_TOWN_OPEN ? weight : 0;
        if (!is_house(c) && c != PTL_MAP_TOWN_OPEN)
            counts[c] += weight;
    }
    if (class == PTL_MAP_BUILDING || (town >= 3 && class != PTL_MAP_SITE))
        return PTL_MAP_TOWN;
    const bool bridge = class < PTL_MAP_CLASSES && s->classes[class].under != PTL_MAP_OTHER;
    for (int c = 0; c < PTL_MAP_CLASSES; c++) {
        /* Ways lie beside water, not in it; bridges lie in it. */
        const int weight = is_water(s, (uint8_t)c) == bridge ? 100 : 1;
        counts[c] *= weight;
        if (counts[c] > (best == UNSAVED ? 0 : counts[best]))
            best = (uint8_t)c;
    }
    if (best == UNSAVED && bridge)
        return (uint8_t)s->classes[class].under;
    return best == UNSAVED ? (uint8_t)(town ? PTL_MAP_TOWN : PTL_MAP_FIELD) : best;
}

/* Which sides does a way of unknown shape lead to? To those where other ways are. */
static uint8_t arms_around(const stamper *s, const scene *n)
{
    unsigned arms = 0;
    for (int i = 0; i < SIDES; i++)
        if (is_way(s, beside(n, side_x[i], side_y[i])->class))
            arms |= 1u << i;
    return (uint8_t)arms;
}

/* Rounds a corner if both OMTs beside it have one natural class, which is another one than the
 * OMT's own. */
static void round_corners(stamp_key *key, const scene *n)
{
    for (int i = 0; i < CORNERS; i++) {
        const int next = (i + 1) % SIDES;
        const uint8_t a = beside(n, side_x[i], side_y[i])->class;
        const uint8_t b = beside(n, side_x[next], side_y[next])->class;
        key->corners[i] = a == b && is_natural(a) && a != key->ground ? a : NONE;
    }
}

/* Finds the halves of sides where the OMT's water ends. A half has no shore if the neighbour's
 * own corner there is rounded, so that water is on both sides. */
static void find_shores(const stamper *s, stamp_key *key, const scene *n)
{
    unsigned shores = 0;
    for (int i = 0; i < SIDES; i++) {
        const uint8_t c = beside(n, side_x[i], side_y[i])->class;
        if (is_water(s, c) || is_way(s, c) || c == UNSAVED)
            continue;
        for (int half = 0; half < 2; half++) {
            const int along = half ? 1 : -1;
            const int x = side_x[i] ? side_x[i] : along, y = side_y[i] ? side_y[i] : along;
            const bool rounded = is_natural(c) && beside(n, x, y)->class == key->ground;
            shores |= rounded ? 0u : 1u << (2 * i + half);
        }
    }
    key->shores = (uint8_t)shores;
}

static stamp_key key_of(const stamper *s, const scene *n, int64_t x, int64_t y)
{
    const mark *own = n->at[1][1];
    stamp_key key = {.class = own->class, .ground = own->class};
    memset(key.corners, NONE, sizeof key.corners);
    if (own->class == UNSAVED || s->scale < DETAILS_FROM)
        return key;
    if (is_way(s, own->class))
        key.arms = own->arms ? own->arms : arms_around(s, n);
    for (int i = 0; is_house(own->class) && i < SIDES; i++) {
        const mark *m = beside(n, side_x[i], side_y[i]);
        if (m->class == own->class && m->name == own->name)
            key.joined = (uint8_t)(key.joined | 1u << i);
    }
    if (is_way(s, own->class) || is_house(own->class))
        key.ground = ground_around(s, n, own->class);
    else if (is_natural(own->class))
        round_corners(&key, n);
    if (is_water(s, key.ground) && !is_way(s, own->class))
        find_shores(s, &key, n);
    const bool wood = key.ground == PTL_MAP_FOREST || key.ground == PTL_MAP_THICK_FOREST;
    if (wood && s->scale >= 2 * DETAILS_FROM)
        key.texture = (uint8_t)((uint64_t)(x * 7 + y * 13 + (x ^ y)) % TEXTURES);
    return key;
}

/* ---- drawing rows ---- */

static const mark *mark_at(const stamper *s, ptl_oter oter)
{
    const size_t count = catalogue_all_oters(s->cat);
    return &s->marks[oter < count ? oter : count];
}

/* Draws the symbol of an OMT that is no natural ground and no way. */
static void draw_symbol(const stamper *s, uint8_t *out, size_t stride, ptl_oter oter,
                        uint8_t class)
{
    const look *l = look_of(s->looks, s->cat, oter);
    if (!class_has_symbols(class))
        return;
    const uint32_t ink = s->classes[class].ink;
    uint8_t row[2 * 16];
    for (int32_t y = 0; y < s->scale; y++) {
        if (!paint_symbol_row(row, l->symbol, s->scale, y))
            continue;
        for (int32_t x = 0; x < s->scale; x++)
            for (int c = 0; row[x] && c < STAMP_BYTES; c++)
                out[(size_t)y * stride + (size_t)x * STAMP_BYTES + (size_t)c] =
                    (uint8_t)(ink >> 8 * (2 - c));
    }
}

/* Lets a fifth of the ground be seen through air, rock and earth of another level. */
static void draw_ghost(const stamper *s, uint8_t *out, size_t stride, uint8_t class,
                       ptl_oter ground)
{
    const mark *below = mark_at(s, ground);
    if (class < PTL_MAP_AIR || class > PTL_MAP_EARTH || below->class == UNSAVED)
        return;
    const uint32_t colour = s->classes[below->class].area;
    for (int32_t y = 0; y < s->scale; y++)
        for (int32_t i = 0; i < s->scale * STAMP_BYTES; i++) {
            uint8_t *at = out + (size_t)y * stride + (size_t)i;
            *at = (uint8_t)((*at * 4u + (colour >> 8 * (2 - i % STAMP_BYTES) & 0xff)) / 5);
        }
}

bool stamper_draw(stamper *s, uint8_t *out, size_t stride, const stamp_row *row)
{
    const size_t bytes = (size_t)s->scale * STAMP_BYTES;
    for (size_t i = 0; i < row->width; i++, out += bytes) {
        scene n;
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 3; x++)
                n.at[y][x] = mark_at(s, row->rows[y][(ptrdiff_t)i + x - 1]);
        const stamp_key key = key_of(s, &n, row->x + (int64_t)i, row->y);
        const uint8_t *pixels = find_stamp(s, &key);
        if (!pixels)
            return false;
        for (size_t y = 0; y < (size_t)s->scale; y++)
            memcpy(out + y * stride, pixels + y * bytes, bytes);
        if (row->ground)
            draw_ghost(s, out, stride, key.class, row->ground[i]);
        if (s->symbols)
            draw_symbol(s, out, stride, row->rows[1][i], key.class);
    }
    return true;
}
