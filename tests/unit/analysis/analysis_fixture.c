#include "unit/analysis/analysis_fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t dice_roll(dice *d) /* splitmix64 */
{
    uint64_t v = d->state += UINT64_C(0x9e3779b97f4a7c15);
    v = (v ^ v >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    v = (v ^ v >> 27) * UINT64_C(0x94d049bb133111eb);
    return v ^ v >> 31;
}

int32_t dice_below(dice *d, int32_t n)
{
    return (int32_t)(dice_roll(d) % (uint64_t)n);
}

/* ---- content ---- */

enum { TERRAINS = 8, OTERS = 12, SPECIALS = 6, BUILDINGS = 2 /* the last specials */ };

static const cat_terrain terrains[TERRAINS] = {
    {.id = "woods", .first = 0, .count = 1},
    {.id = "field", .first = 1, .count = 1},
    {.id = "street", .first = 2, .count = 4},
    {.id = "pond", .flags = CAT_FLAG_LAKE, .first = 6, .count = 1},
    {.id = "beach", .flags = CAT_FLAG_LAKE_SHORE, .first = 7, .count = 1},
    {.id = "river", .flags = CAT_FLAG_RIVER, .first = 8, .count = 1},
    {.id = "motorway", .flags = CAT_FLAG_ROAD, .first = 9, .count = 1},
    {.id = "cabin", .first = 10, .count = 2}};
static const cat_oter oters[OTERS] = {{.terrain = 0},
                                      {.terrain = 1},
                                      {.terrain = 2},
                                      {.terrain = 2},
                                      {.terrain = 2},
                                      {.terrain = 2},
                                      {.terrain = 3, .flags = CAT_FLAG_LAKE},
                                      {.terrain = 4, .flags = CAT_FLAG_LAKE_SHORE},
                                      {.terrain = 5, .flags = CAT_FLAG_RIVER},
                                      {.terrain = 6, .flags = CAT_FLAG_ROAD},
                                      {.terrain = 7},
                                      {.terrain = 7}};
static const uint64_t streets[1] = {1u << 2}, trails[1] = {1u << 0 | 1u << 6};
static const cat_connection connections[] = {{.id = "local_road", .terrains = streets},
                                             {.id = "trail", .terrains = trails}};
static const cat_omt tower[] = {{.x = 0, .y = 0, .z = 0},
                                {.x = 1, .y = 0, .z = 0},
                                {.x = 1, .y = 1, .z = 0},
                                {.x = 0, .y = 0, .z = 1}};
static const cat_omt cellar[] = {{.x = 0, .y = 0, .z = -1}};
static const cat_piece piece = {.id = "part"};
static const cat_mutable burrow = {.pieces = &piece, .piece_count = 1};
static const cat_special specials[SPECIALS] = {
    {.id = "tower", .omts = tower, .omt_count = sizeof tower / sizeof tower[0]},
    {.id = "burrow", .layout = &burrow},
    {.id = "never"},
    {.id = "cellar", .omts = cellar, .omt_count = 1},
    {.id = "shop", .building = true},
    {.id = "house", .building = true}};

const catalogue *fixture_content(void)
{
    static const catalogue content = {.terrains = terrains,
                                      .terrain_count = TERRAINS,
                                      .oters = oters,
                                      .oter_count = OTERS,
                                      .connections = connections,
                                      .connection_count = 2,
                                      .specials = specials,
                                      .special_count = SPECIALS};
    return &content;
}

/* ---- chunks ---- */

static void add_blobs(ptl_oter *cells, dice *d)
{
    enum { SIDE = PTL_CHUNK_SIZE };
    for (int32_t i = 1 + dice_below(d, 60); i > 0; i--) {
        const int32_t x0 = dice_below(d, SIDE), y0 = dice_below(d, SIDE);
        const int32_t width = 1 + dice_below(d, 30), height = 1 + dice_below(d, 12);
        const ptl_oter oter = (ptl_oter)dice_below(d, OTERS);
        for (int32_t y = y0; y < y0 + height && y < SIDE; y++)
            for (int32_t x = x0; x < x0 + width && x < SIDE; x++)
                cells[y * SIDE + x] = oter;
    }
}

ptl_chunk *fixture_tiles(uint64_t seed)
{
    dice d = {seed};
    ptl_chunk *chunk = chunk_new((ptl_chunk_pos){dice_below(&d, 9), -dice_below(&d, 9)});
    for (int32_t z = PTL_Z_MIN; chunk && z <= PTL_Z_MAX; z++) {
        level *l = chunk_level(chunk, z);
        level_fill(l, (ptl_oter)dice_below(&d, OTERS));
        if (z != 0 && dice_below(&d, 3) == 0)
            continue;
        ptl_oter *cells = level_cells(l);
        if (cells)
            add_blobs(cells, &d);
    }
    return chunk;
}

static void add_special(gen_features *out, dice *d)
{
    gen_placement *p = features_add_placement(out);
    const int32_t outside = dice_below(d, 10) == 0 ? 40 : 0;
    *p = (gen_placement){.special = (uint16_t)(dice_below(d, 3) * 3 / 2), /* 0, 1, 3 */
                         .x = (int16_t)(dice_below(d, PTL_CHUNK_SIZE) - outside),
                         .y = (int16_t)(dice_below(d, PTL_CHUNK_SIZE) + outside),
                         .z = (int8_t)(dice_below(d, 3) - 1),
                         .rotation = (uint8_t)dice_below(d, 4),
                         .city = FEATURE_NO_CITY};
    for (int32_t i = specials[p->special].layout ? 1 + dice_below(d, 9) : 0; i > 0; i--) {
        const int32_t number = (int32_t)out->placement_count - 1;
        gen_piece *part = features_add_piece(out);
        p = &out->placements[number];
        *part = (gen_piece){.placement = number,
                            .x = (int16_t)dice_below(d, PTL_CHUNK_SIZE),
                            .y = (int16_t)dice_below(d, PTL_CHUNK_SIZE),
                            .z = (int8_t)(p->z - dice_below(d, 2))};
    }
}

void fixture_things(gen_features *out, uint64_t seed)
{
    dice d = {seed ^ 77};
    features_reset(out);
    const int32_t cities = dice_below(&d, 6);
    for (int32_t i = 0; i < cities; i++)
        *features_add_city(out) = (gen_city){.name = "",
                                             .x = (int16_t)dice_below(&d, PTL_CHUNK_SIZE),
                                             .y = (int16_t)dice_below(&d, PTL_CHUNK_SIZE),
                                             .size = (int16_t)(1 + dice_below(&d, 20))};
    for (int32_t i = cities ? dice_below(&d, 60) : 0; i > 0; i--)
        *features_add_placement(out) =
            (gen_placement){.special = (uint16_t)(SPECIALS - 1 - dice_below(&d, BUILDINGS)),
                            .x = (int16_t)dice_below(&d, PTL_CHUNK_SIZE),
                            .y = (int16_t)dice_below(&d, PTL_CHUNK_SIZE),
                            .city = (int16_t)(dice_below(&d, cities + 1) - 1)};
    for (int32_t i = dice_below(&d, 30); i > 0; i--)
        add_special(out, &d);
    for (uint16_t special = 0; special < 3; special++) {
        int32_t there = 0;
        for (size_t i = 0; i < out->placement_count; i++)
            there += out->placements[i].special == special;
        if (dice_below(&d, 2))
            *features_add_attempt(out) = (gen_attempt){.special = special,
                                                       .asked = 1 + dice_below(&d, 9),
                                                       .ground = dice_below(&d, 3),
                                                       .linked = dice_below(&d, 3),
                                                       .city = dice_below(&d, 3),
                                                       .room = dice_below(&d, 3),
                                                       .failed = dice_below(&d, 2),
                                                       .placed = dice_below(&d, there + 1)};
    }
}

/* ---- tallies ---- */

static void put_hist(FILE *f, const char *name, const ptl_hist *h)
{
    fprintf(f, " %s[%zu]:", name, h->size);
    for (size_t v = 0; v < h->size; v++)
        if (h->counts[v])
            fprintf(f, " %zu=%" PRIu64, v, h->counts[v]);
    fprintf(f, " none=%" PRIu64 "\n", h->none);
}

static void put_lots(FILE *f, const uint64_t lots[PTL_TALLY_LOTS])
{
    for (size_t i = 0; i < PTL_TALLY_LOTS; i++)
        fprintf(f, " %" PRIu64, lots[i]);
    fprintf(f, "\n");
}

static void put_special(FILE *f, const ptl_tally_special *s)
{
    fprintf(f,
            "special %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " short %" PRIu64
            " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
            s->id, s->asked_overmaps, s->asked, s->placed, s->others, s->short_overmaps,
            s->failures.ground, s->failures.linked, s->failures.city, s->failures.room,
            s->failures.growth, s->failures.other);
    put_hist(f, "per_overmap", &s->per_overmap);
    put_hist(f, "asked", &s->asked_per_overmap);
    put_hist(f, "city", &s->city);
    put_hist(f, "road", &s->road);
    put_hist(f, "same", &s->same);
    put_hist(f, "level", &s->level);
    put_hist(f, "rotation", &s->rotation);
    for (size_t i = 0; i < s->around_count; i++)
        fprintf(f, " around %s %" PRIu64 "\n", s->around[i].id, s->around[i].count);
    put_lots(f, s->lots);
    put_lots(f, s->lots_with);
    for (size_t i = 0; i < PTL_OVERMAP_CLASSES; i++) {
        put_hist(f, "class", &s->classes[i].per_overmap);
        put_lots(f, s->classes[i].lots);
        put_lots(f, s->classes[i].lots_with);
    }
}

static void put_ripley(FILE *f, const ptl_tally_ripley *r)
{
    fprintf(f, "ripley %s %" PRIu64 " %d", r->id, r->pairs, r->on_land);
    for (size_t i = 0; i < PTL_RIPLEY_RADII; i++)
        fprintf(f, " %" PRIu64 " %" PRIu64, r->near[i], r->random[7][i]);
    fprintf(f, "\n");
}

static void put_terrain(FILE *f, const ptl_tally_terrain *t)
{
    fprintf(f, "terrain %s %" PRIu64 " %" PRIu64 " %.17g", t->id, t->cells, t->overmaps,
            t->square_sum);
    for (size_t z = 0; z < PTL_LEVELS; z++)
        fprintf(f, " %" PRIu64, t->cells_at[z]);
    fprintf(f, "\n");
}

static void put_building(FILE *f, const ptl_tally_building *b)
{
    fprintf(f, "building %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %d..%d", b->id, b->count,
            b->overmaps, b->distance_sum, b->distance_min, b->distance_max);
    for (size_t i = 0; i < 17; i++)
        fprintf(f, " %" PRIu64, b->by_size[i]);
    fprintf(f, "\n");
}

char *tally_text(const ptl_tally *t)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    fprintf(f, "overmaps %" PRIu64 " parts %u\n", t->overmaps, (unsigned)t->parts);
    for (size_t i = 0; i < t->special_count; i++)
        put_special(f, t->specials[i]);
    for (size_t i = 0; i < t->terrain_count; i++)
        put_terrain(f, t->terrains[i]);
    for (size_t i = 0; i < t->building_count; i++)
        put_building(f, t->buildings[i]);
    for (size_t i = 0; i < t->line_count; i++)
        put_hist(f, t->lines[i]->id, &t->lines[i]->cells);
    for (size_t i = 0; i < 17; i++) {
        fprintf(f, "size %zu: %" PRIu64 " %" PRIu64, i, t->cities[i].cities,
                t->cities[i].buildings);
        put_hist(f, "", &t->cities[i].buildings_per_city);
    }
    put_hist(f, "cities", &t->cities_per_overmap);
    put_hist(f, "lakes", &t->lake_cells);
    put_hist(f, "rivers", &t->river_cells);
    put_hist(f, "lake_share", &t->lake_share);
    put_hist(f, "river_share", &t->river_share);
    put_hist(f, "baseline_city", &t->baseline_city);
    put_hist(f, "baseline_road", &t->baseline_road);
    for (size_t i = 0; i < t->ripley_count; i++)
        put_ripley(f, t->ripleys[i]);
    fclose(f);
    return text;
}
