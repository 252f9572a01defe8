#include "unit/analysis/relation_scene.h"

#include "core/hash.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

const char *const scene_kinds[KINDS] = {
    "heather", "hunting_stand", "anthill", "building cottage",    "city",
    "lake",    "river",         "road",    "terrain forest_water"};

static int32_t inside(int32_t v)
{
    return (v % PTL_CHUNK_SIZE + PTL_CHUNK_SIZE) % PTL_CHUNK_SIZE;
}

static int chunk_index(const scene *s, int32_t x, int32_t y)
{
    return (x >= s->x) + 2 * (y >= s->y);
}

static instance *add_instance(scene *s, int kind, int32_t x, int32_t y, int32_t z)
{
    instance *n = &s->list[s->count++];
    *n = (instance){.kind = kind, .x = x, .y = y, .z = z, .first = s->cell_count};
    return n;
}

static void add_cell(scene *s, instance *n, int32_t x, int32_t y, int32_t z)
{
    s->cells[s->cell_count++] = (cell){x, y, z};
    n->count++;
}

static void add_placement(scene *s, rng *draw, int kind)
{
    static const char *const ids[] = {"heather", "hunting_stand", "anthill", "cottage"};
    const int32_t x = s->x - HALF + (int32_t)rng_below(draw, WINDOW);
    const int32_t y = s->y - HALF + (int32_t)rng_below(draw, WINDOW);
    const int32_t z = kind == ANTHILL ? -(int32_t)rng_below(draw, 3) : 0;
    gen_features *f = &s->features[chunk_index(s, x, y)];
    const uint16_t special = catalogue_special(s->cat, ids[kind]);
    ck_assert_uint_ne(special, CAT_NONE);
    const cat_special *c = &s->cat->specials[special];
    gen_placement *p = features_add_placement(f);
    *p = (gen_placement){.special = special,
                         .x = (int16_t)inside(x),
                         .y = (int16_t)inside(y),
                         .z = (int8_t)z,
                         .rotation = (uint8_t)rng_below(draw, 4),
                         .city = FEATURE_NO_CITY,
                         .omts = 1};
    instance *n = add_instance(s, kind, x, y, z);
    for (size_t i = 0; i < c->omt_count; i++) {
        int32_t tx, ty;
        feature_rotate(c->omts[i].x, c->omts[i].y, p->rotation, &tx, &ty);
        add_cell(s, n, x + tx, y + ty, z + c->omts[i].z);
    }
    for (int i = 0; c->layout && i < 4; i++) {
        gen_piece *piece = features_add_piece(f);
        const int32_t dx = i ? (int32_t)rng_below(draw, 5) - 2 : 0, dy = i ? i - 2 : 0;
        if (chunk_index(s, x + dx, y + dy) != chunk_index(s, x, y)) {
            f->piece_count--;
            continue;
        }
        *piece = (gen_piece){.placement = (int32_t)f->placement_count - 1,
                             .x = (int16_t)(inside(x) + dx),
                             .y = (int16_t)(inside(y) + dy),
                             .z = (int8_t)(z - i % 2)};
        add_cell(s, n, x + dx, y + dy, z - i % 2);
    }
}

static void add_city(scene *s, rng *draw)
{
    const int32_t x = s->x - HALF + (int32_t)rng_below(draw, WINDOW);
    const int32_t y = s->y - HALF + (int32_t)rng_below(draw, WINDOW);
    gen_city *c = features_add_city(&s->features[chunk_index(s, x, y)]);
    c->name = "";
    c->x = (int16_t)inside(x);
    c->y = (int16_t)inside(y);
    c->size = (int16_t)(1 + rng_below(draw, 6));
    instance *n = add_instance(s, CITY, x, y, 0);
    n->radius = c->size;
    add_cell(s, n, x, y, 0);
}

static ptl_oter *cell_of(scene *s, int32_t x, int32_t y, int32_t z)
{
    ptl_oter *cells = level_cells(chunk_level(s->chunks[chunk_index(s, x, y)], z));
    return &cells[inside(y) * PTL_CHUNK_SIZE + inside(x)];
}

static int kind_of_cell(const catalogue *cat, ptl_oter oter)
{
    const uint32_t flags = cat->oters[oter].flags;
    if (flags & (CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE))
        return LAKE;
    return flags & CAT_FLAG_RIVER                                       ? RIVER
           : cat->oters[oter].terrain == catalogue_terrain(cat, "road") ? ROAD
                                                                        : -1;
}

static void paint(scene *s, rng *draw)
{
    static const char *const ids[] = {"lake_surface", "lake_shore", "river_center", "road_ns",
                                      "forest_water"};
    const uint32_t few = 3 + rng_below(draw, 60);
    for (int32_t y = s->y - HALF; y < s->y + HALF; y++)
        for (int32_t x = s->x - HALF; x < s->x + HALF; x++) {
            if (rng_below(draw, 100) < few)
                *cell_of(s, x, y, 0) = catalogue_oter_or_first(s->cat, ids[rng_below(draw, 5)]);
            if (rng_below(draw, 100) < 2)
                *cell_of(s, x, y, -2) = catalogue_oter_or_first(s->cat, "forest_water");
        }
}

static void flood(scene *s, instance *n, bool seen[WINDOW][WINDOW], int32_t x, int32_t y)
{
    const int32_t row = y - s->y + HALF, column = x - s->x + HALF;
    if (row < 0 || row >= WINDOW || column < 0 || column >= WINDOW || seen[row][column] ||
        kind_of_cell(s->cat, *cell_of(s, x, y, 0)) != n->kind)
        return;
    seen[row][column] = true;
    add_cell(s, n, x, y, 0);
    flood(s, n, seen, x - 1, y);
    flood(s, n, seen, x + 1, y);
    flood(s, n, seen, x, y - 1);
    flood(s, n, seen, x, y + 1);
}

static void note_cells(scene *s)
{
    static bool seen[WINDOW][WINDOW];
    memset(seen, 0, sizeof seen);
    for (int32_t y = s->y - HALF; y < s->y + HALF; y++)
        for (int32_t x = s->x - HALF; x < s->x + HALF; x++) {
            const int kind = kind_of_cell(s->cat, *cell_of(s, x, y, 0));
            const bool area = kind == LAKE || kind == RIVER;
            if (area && !seen[y - s->y + HALF][x - s->x + HALF]) {
                instance *n = add_instance(s, kind, x, y, 0);
                n->area = true;
                flood(s, n, seen, x, y);
            } else if (kind == ROAD) {
                add_cell(s, add_instance(s, ROAD, x, y, 0), x, y, 0);
            }
            for (int32_t z = -2; z <= 0; z += 2)
                if (*cell_of(s, x, y, z) == catalogue_oter_or_first(s->cat, "forest_water"))
                    add_cell(s, add_instance(s, WATER, x, y, z), x, y, z);
        }
}

scene *scene_new(const catalogue *cat, uint64_t seed)
{
    scene *s = calloc(1, sizeof *s);
    s->cat = cat;
    rng draw = rng_from_key(seed);
    const int32_t cx = (int32_t)rng_below(&draw, 5) - 2, cy = (int32_t)rng_below(&draw, 5) - 2;
    s->x = cx * PTL_CHUNK_SIZE;
    s->y = cy * PTL_CHUNK_SIZE;
    for (int i = 0; i < 4; i++) {
        s->chunks[i] = chunk_new((ptl_chunk_pos){cx - 1 + i % 2, cy - 1 + i / 2});
        for (int z = 0; z < PTL_LEVELS; z++)
            level_fill(&s->chunks[i]->levels[z], catalogue_oter_or_first(s->cat, "field"));
    }
    paint(s, &draw);
    for (int kind = HEATHER; kind <= COTTAGE; kind++)
        for (uint32_t i = rng_below(&draw, 12); i > 0; i--)
            add_placement(s, &draw, kind);
    for (uint32_t i = rng_below(&draw, 6); i > 0; i--)
        add_city(s, &draw);
    note_cells(s);
    return s;
}

void scene_free(scene *s)
{
    for (int i = 0; i < 4; i++) {
        ptl_chunk_free(s->chunks[i]);
        features_dispose(&s->features[i]);
    }
    free(s);
}
