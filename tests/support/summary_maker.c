#include "support/summary_maker.h"

#include "core/hash.h"
#include "portolan/store.h"
#include "store/sqlite/content/content_write.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IDS = 1000, ID_SIZE = 16 };

/* In the order of their texts. */
static const char *id_of(const char *kind, uint32_t number)
{
    static char ids[4][IDS][ID_SIZE];
    static const char *const kinds[4] = {"special", "terrain", "house", "line"};
    size_t k = 0;
    while (strcmp(kinds[k], kind) != 0)
        k++;
    char *id = ids[k][number % IDS];
    if (!id[0])
        snprintf(id, ID_SIZE, "%s_%03u", kind, number % IDS);
    return id;
}

static void *list_of(summary *s, size_t count, size_t size)
{
    void *list = arena_calloc(s->memory, count + 1, size);
    ck_assert(list != NULL);
    return list;
}

/* The next of a list of ids: some are left out. */
static uint32_t skip(rng *r, uint32_t scale)
{
    return 1 + rng_below(r, IDS / 2 / (scale + 1));
}

static void make_specials(summary *s, rng *r, uint32_t scale)
{
    s->special_count = scale;
    s->specials = list_of(s, scale, sizeof *s->specials);
    for (uint32_t i = 0, id = 0; i < scale; i++) {
        summary_special *p = &s->specials[i];
        *p = (summary_special){.id = id_of("special", id += skip(r, scale)),
                               .asked = (int32_t)rng_below(r, 3),
                               .ground = (int32_t)rng_below(r, 30000)};
        p->linked = p->ground - (int32_t)rng_below(r, (uint64_t)p->ground + 1);
        p->city = p->linked;
        p->room = (int32_t)rng_below(r, (uint64_t)p->city + 1);
        p->failed = i == 3 ? INT32_MAX : (int32_t)rng_below(r, 4);
        p->placed = (int32_t)rng_below(r, 3);
        p->others = (int32_t)rng_below(r, 2);
    }
}

static int16_t distance(rng *r)
{
    return (int16_t)rng_range(r, SUMMARY_NONE, SUMMARY_FAR);
}

static void make_places(summary *s, rng *r, uint32_t scale)
{
    s->place_count = scale;
    s->places = list_of(s, scale, sizeof *s->places);
    for (uint32_t i = 0; i < scale; i++)
        s->places[i] =
            (summary_place){.id = id_of("special", rng_below(r, 60)),
                            .around = rng_below(r, 5) ? id_of("terrain", rng_below(r, 9)) : "",
                            .x = (int16_t)rng_range(r, -PTL_CHUNK_SIZE, 2 * PTL_CHUNK_SIZE - 1),
                            .y = (int16_t)rng_range(r, -PTL_CHUNK_SIZE, 2 * PTL_CHUNK_SIZE - 1),
                            .z = (int8_t)rng_range(r, PTL_Z_MIN, PTL_Z_MAX),
                            .rotation = (uint8_t)rng_below(r, 4),
                            .city = distance(r),
                            .road = distance(r),
                            .same = distance(r)};
}

/* Each level's cells are shared out among a few terrains. */
static void make_terrains(summary *s, rng *r, uint32_t scale)
{
    const uint32_t of_level = 1 + scale / PTL_LEVELS;
    s->terrain_count = (size_t)of_level * PTL_LEVELS;
    s->terrains = list_of(s, s->terrain_count, sizeof *s->terrains);
    int32_t left[PTL_LEVELS];
    for (int32_t z = 0; z < PTL_LEVELS; z++)
        left[z] = PTL_LEVEL_CELLS;
    for (uint32_t i = 0; i < s->terrain_count; i++) {
        const uint32_t kind = i / PTL_LEVELS, z = i % PTL_LEVELS;
        const int32_t most = left[z] - (int32_t)(of_level - 1 - kind);
        const int32_t cells =
            kind == of_level - 1 ? left[z] : 1 + (int32_t)rng_below(r, (uint64_t)most / 2 + 1);
        left[z] -= cells;
        s->terrains[i] =
            (summary_terrain){id_of("terrain", kind), (int8_t)((int32_t)z + PTL_Z_MIN), cells};
    }
}

static void make_cities(summary *s, rng *r, uint32_t scale)
{
    s->city_count = scale / 10;
    s->cities = list_of(s, s->city_count, sizeof *s->cities);
    for (size_t i = 0; i < s->city_count; i++)
        s->cities[i] = (summary_city){(int16_t)rng_below(r, PTL_CHUNK_SIZE),
                                      (int16_t)rng_below(r, PTL_CHUNK_SIZE),
                                      (int16_t)rng_range(r, 1, 16), (int32_t)rng_below(r, 300)};
    s->building_count = scale;
    s->buildings = list_of(s, scale, sizeof *s->buildings);
    for (uint32_t i = 0, id = 0; i < scale; i++) {
        const bool same = i > 0 && rng_below(r, 2) && s->buildings[i - 1].size < 16;
        id += same ? 0 : skip(r, scale);
        summary_building *b = &s->buildings[i];
        *b = (summary_building){.id = id_of("house", id),
                                .size = (int16_t)(same ? b[-1].size + 1 : 1),
                                .count = (int32_t)(1 + rng_below(r, i == 5 ? 262144 : 20)),
                                .distance_min = (int16_t)rng_below(r, 20)};
        b->distance_max = (int16_t)(b->distance_min + (int16_t)rng_below(r, i == 5 ? 480 : 30));
        b->distance_sum =
            (int64_t)b->count * b->distance_min +
            rng_below(r,
                      (uint64_t)b->count * (uint64_t)(b->distance_max - b->distance_min) + 1);
    }
}

static void make_rest(summary *s, rng *r, uint32_t scale)
{
    s->line_count = scale / 8;
    s->lines = list_of(s, s->line_count, sizeof *s->lines);
    for (uint32_t i = 0; i < s->line_count; i++)
        s->lines[i] = (summary_line){id_of("line", i * 3), (int32_t)rng_below(r, 3000)};
    s->water_count = scale / 4;
    s->waters = list_of(s, s->water_count, sizeof *s->waters);
    int32_t cells = 0;
    for (size_t i = 0; i < s->water_count; i++) {
        const bool river = i >= s->water_count / 2;
        if (i == 0 || i == s->water_count / 2)
            cells = 200;
        cells -= (int32_t)rng_below(r, (uint64_t)cells / 2);
        s->waters[i] = (summary_water){river ? SUMMARY_RIVER : SUMMARY_LAKE, cells};
    }
    for (int i = 0; i < SUMMARY_FAR + 2; i++) {
        s->baseline.city[i] = (int32_t)rng_below(r, 100);
        s->baseline.road[SUMMARY_FAR + 1 - i] = s->baseline.city[i];
    }
}

void summary_make(summary *out, ptl_chunk_pos pos, uint64_t seed, uint32_t scale)
{
    rng r = rng_from_key(seed);
    memset(out, 0, sizeof *out);
    out->pos = pos;
    out->parts = PTL_COUNT_ALL;
    out->memory = arena_new();
    ck_assert(out->memory != NULL);
    make_specials(out, &r, scale);
    make_places(out, &r, scale);
    make_terrains(out, &r, scale);
    make_cities(out, &r, scale);
    make_rest(out, &r, scale);
    const char *problem = summary_problem(out);
    ck_assert_msg(!problem, "%s", problem);
}

/* ---- comparing ---- */

static bool same_specials(const summary *a, const summary *b)
{
    bool same = a->special_count == b->special_count;
    for (size_t i = 0; same && i < a->special_count; i++) {
        const summary_special *p = &a->specials[i], *q = &b->specials[i];
        same = strcmp(p->id, q->id) == 0 && p->asked == q->asked && p->ground == q->ground &&
               p->linked == q->linked && p->city == q->city && p->room == q->room &&
               p->failed == q->failed && p->placed == q->placed && p->others == q->others;
    }
    return same;
}

static bool same_places(const summary *a, const summary *b)
{
    bool same = a->place_count == b->place_count;
    for (size_t i = 0; same && i < a->place_count; i++) {
        const summary_place *p = &a->places[i], *q = &b->places[i];
        same = strcmp(p->id, q->id) == 0 && strcmp(p->around, q->around) == 0 && p->x == q->x &&
               p->y == q->y && p->z == q->z && p->rotation == q->rotation &&
               p->city == q->city && p->road == q->road && p->same == q->same;
    }
    return same;
}

static bool same_terrains(const summary *a, const summary *b)
{
    bool same = a->terrain_count == b->terrain_count;
    for (size_t i = 0; same && i < a->terrain_count; i++) {
        const summary_terrain *p = &a->terrains[i], *q = &b->terrains[i];
        same = strcmp(p->id, q->id) == 0 && p->z == q->z && p->cells == q->cells;
    }
    return same;
}

static bool same_cities(const summary *a, const summary *b)
{
    bool same = a->city_count == b->city_count && a->building_count == b->building_count;
    for (size_t i = 0; same && i < a->city_count; i++) {
        const summary_city *p = &a->cities[i], *q = &b->cities[i];
        same =
            p->x == q->x && p->y == q->y && p->size == q->size && p->buildings == q->buildings;
    }
    for (size_t i = 0; same && i < a->building_count; i++) {
        const summary_building *p = &a->buildings[i], *q = &b->buildings[i];
        same = strcmp(p->id, q->id) == 0 && p->size == q->size && p->count == q->count &&
               p->distance_sum == q->distance_sum && p->distance_min == q->distance_min &&
               p->distance_max == q->distance_max;
    }
    return same;
}

static bool same_lines(const summary *a, const summary *b)
{
    bool same = a->line_count == b->line_count;
    for (size_t i = 0; same && i < a->line_count; i++)
        same = strcmp(a->lines[i].id, b->lines[i].id) == 0 &&
               a->lines[i].cells == b->lines[i].cells;
    return same;
}

static bool same_waters(const summary *a, const summary *b)
{
    bool same = a->water_count == b->water_count;
    for (size_t i = 0; same && i < a->water_count; i++)
        same =
            a->waters[i].kind == b->waters[i].kind && a->waters[i].cells == b->waters[i].cells;
    return same;
}

static bool same_baseline(const summary *a, const summary *b)
{
    return memcmp(&a->baseline, &b->baseline, sizeof a->baseline) == 0;
}

const char *summary_difference(const summary *a, const summary *b, uint32_t parts)
{
    static const struct {
        uint32_t part;
        bool (*same)(const summary *a, const summary *b);
        const char *name;
    } lists[] = {{PTL_COUNT_SPECIALS, same_specials, "specials"},
                 {PTL_COUNT_PLACES, same_places, "places"},
                 {PTL_COUNT_TERRAINS, same_terrains, "terrains"},
                 {PTL_COUNT_CITIES, same_cities, "cities and buildings"},
                 {PTL_COUNT_LINES, same_lines, "lines"},
                 {PTL_COUNT_WATERS, same_waters, "waters"},
                 {PTL_COUNT_BASELINE, same_baseline, "baseline"}};
    if (a->pos.x != b->pos.x || a->pos.y != b->pos.y)
        return "position";
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (parts & lists[i].part && !lists[i].same(a, b))
            return lists[i].name;
    return NULL;
}

/* ---- sweeps ---- */

ptl_store *sweep_store(void)
{
    static const char content[] =
        "INSERT INTO content VALUES (1, "
        "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 0, "
        "'2024-01-01T00:00:00Z', '0', 0, 1, 1, 1)";
    const ptl_open_options options = {.size = sizeof options, .mode = PTL_OPEN_CREATE};
    ptl_store *store = NULL;
    ptl_error err = {0};
    ck_assert_msg(ptl_store_open(&store, ":memory:", &options, &err) == PTL_OK, "%s",
                  err.message);
    ck_assert_int_eq(sqlite_exec(store, content, &err), PTL_OK);
    ck_assert_int_eq(content_checksum_write(store, &err), PTL_OK);
    return store;
}

static void add_overmap(ptl_store *store, int64_t id, codec *c, uint64_t seed, uint32_t scale)
{
    ptl_error err = {0};
    summary s;
    encoded_summary *e = NULL;
    const ptl_chunk_pos pos = {(int32_t)(seed % 3), -1};
    summary_make(&s, pos, seed, scale);
    ck_assert_msg(summary_encode(&e, c, &s, &err) == PTL_OK, "%s", err.message);
    ck_assert_msg(ops(store)->sweep->chunk_insert(store, id, seed, pos, e, &err) == PTL_OK,
                  "%s", err.message);
    encoded_summary_free(e);
    summary_dispose(&s);
}

int64_t sweep_make(ptl_store *store, const char *name, uint64_t first, uint32_t overmaps,
                   uint32_t scale)
{
    ptl_error err = {0};
    char text[100], region[] = "default";
    snprintf(text, sizeof text, "%s", name);
    sweep_row row = {.name = text,
                     .settings = {.region = region,
                                  .city_size = 8,
                                  .city_spacing = 4,
                                  .specials_spacing = 6,
                                  .specials_density = 1.5,
                                  .unique_radius = 5,
                                  .generator_version = 4,
                                  .content_id = 1}};
    codec *c = codec_new();
    ck_assert(c != NULL);
    ck_assert_msg(ops(store)->transaction->begin(store, &err) == PTL_OK, "%s", err.message);
    ck_assert_msg(ops(store)->sweep->insert(store, &row, &err) == PTL_OK, "%s", err.message);
    for (uint32_t i = 0; i < overmaps; i++)
        add_overmap(store, row.id, c, first + i, scale);
    ck_assert_msg(ops(store)->transaction->commit(store, &err) == PTL_OK, "%s", err.message);
    codec_free(c);
    return row.id;
}
