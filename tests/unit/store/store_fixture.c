#include "unit/store/store_fixture.h"

#include "core/hash.h"
#include "store/sqlite/content/content_write.h"
#include "support/test_folder.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const ptl_oter fixture_defaults[PTL_LEVELS] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 3,
                                               1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static const char *const PART_NAMES[2][FIXTURE_PIECES] = {
    {"p0", "p1", "p10", "p11", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9"},
    {"j0", "j1", "j2", "j3", "j4"}};

/* All of them share one layout. */
static cat_mutable *make_layout(void)
{
    cat_mutable *layout = calloc(1, sizeof *layout);
    cat_piece *pieces = calloc(FIXTURE_PIECES, sizeof *pieces);
    cat_join *joins = calloc(FIXTURE_JOINS, sizeof *joins);
    ck_assert(layout && pieces && joins);
    for (int i = 0; i < FIXTURE_PIECES; i++)
        pieces[i].id = PART_NAMES[0][i];
    for (int i = 0; i < FIXTURE_JOINS; i++)
        joins[i].id = PART_NAMES[1][i];
    *layout = (cat_mutable){.pieces = pieces,
                            .piece_count = FIXTURE_PIECES,
                            .joins = joins,
                            .join_count = FIXTURE_JOINS};
    return layout;
}

static void add_specials(catalogue *cat)
{
    cat_special *list = calloc(FIXTURE_SPECIALS, sizeof *list);
    char *names = malloc(FIXTURE_SPECIALS * 8);
    ck_assert(list && names);
    cat_mutable *layout = make_layout();
    for (unsigned i = 0; i < FIXTURE_SPECIALS; i++) {
        const bool building = i < FIXTURE_BUILDINGS;
        const bool mutable = !building && i < FIXTURE_BUILDINGS + FIXTURE_MUTABLES;
        const unsigned first = building  ? 0
                               : mutable ? FIXTURE_BUILDINGS
                                         : FIXTURE_BUILDINGS + FIXTURE_MUTABLES;
        snprintf(names + (size_t)i * 8, 8, "%c%03u",
                 building  ? 'b'
                 : mutable ? 'm'
                           : 's',
                 (i - first) % 1000);
        list[i].id = names + (size_t)i * 8;
        list[i].building = building;
        list[i].layout = mutable ? layout : NULL;
    }
    cat->specials = list;
    cat->special_count = FIXTURE_SPECIALS;
}

/* Numbers from v on whose digits begin as v's, in the order of their texts. */
static void put_by_text(uint16_t *out, size_t *count, size_t v, size_t limit)
{
    if (v >= limit)
        return;
    out[(*count)++] = (uint16_t)v;
    for (size_t digit = 0; v > 0 && digit < 10; digit++)
        put_by_text(out, count, v * 10 + digit, limit);
}

catalogue *fixture_catalogue(size_t oters, char letter)
{
    catalogue *cat = calloc(1, sizeof *cat);
    cat_oter *list = calloc(oters, sizeof *list);
    char *names = malloc(oters * 8);
    uint16_t *by_id = calloc(oters, sizeof *by_id);
    size_t sorted = 0;
    ck_assert(cat && list && names && by_id);
    for (size_t i = 0; i < oters; i++) {
        snprintf(names + i * 8, 8, "t%u", (unsigned)(i % 100000));
        list[i].id = names + i * 8;
    }
    memset(cat->digest, letter, 64);
    cat->content_id = 1;
    for (size_t digit = 0; digit < 10; digit++)
        put_by_text(by_id, &sorted, digit, oters);
    cat->oters = list;
    cat->oters_by_id = by_id;
    cat->oter_count = oters;
    add_specials(cat);
    return cat;
}

void fixture_catalogue_free(catalogue *cat)
{
    free((void *)(uintptr_t)cat->oters[0].id);
    free((void *)(uintptr_t)cat->oters);
    free((void *)(uintptr_t)cat->oters_by_id);
    const cat_mutable *layout = cat->specials[FIXTURE_BUILDINGS].layout;
    free((void *)(uintptr_t)layout->pieces);
    free((void *)(uintptr_t)layout->joins);
    free((void *)(uintptr_t)layout);
    free((void *)(uintptr_t)cat->specials[0].id);
    free((void *)(uintptr_t)cat->specials);
    free(cat);
}

static void add_content(ptl_store *store)
{
    ptl_error err = {0};
    ck_assert_msg(
        sqlite_exec(
            store,
            "INSERT INTO content (id, digest, is_current, imported_at, portolan_version, "
            "lenient, file_count, object_count, byte_count) VALUES (1, "
            "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1, "
            "'2024-01-01T00:00:00Z', '0', 0, 1, 1, 1)",
            &err) == PTL_OK,
        "%s", err.message);
}

void fixture_open(fixture *f)
{
    ptl_error err = {0};
    memset(f, 0, sizeof *f);
    test_folder(f->dir, sizeof f->dir);
    snprintf(f->path, sizeof f->path, "%s/w.ptl", f->dir);
    f->store = fixture_reopen(f, PTL_OPEN_CREATE);
    f->cat = fixture_catalogue(FIXTURE_OTERS, 'a');
    char name[] = "w", region[] = "default";
    world_row row = {.name = name,
                     .region = region,
                     .seed = UINT64_C(0x8000000000000005),
                     .city_size = 8,
                     .city_spacing = 4,
                     .specials_spacing = 6,
                     .specials_density = 1,
                     .generator_version = 1,
                     .content_id = 1};
    ck_assert_int_eq(ops(f->store)->transaction->begin(f->store, &err), PTL_OK);
    add_content(f->store);
    ck_assert_int_eq(content_checksum_write(f->store, &err), PTL_OK);
    ck_assert_msg(ops(f->store)->world->insert(&f->world_id, f->store, &row, &err) == PTL_OK,
                  "%s", err.message);
    ck_assert_int_eq(ops(f->store)->transaction->commit(f->store, &err), PTL_OK);
    ck_assert_msg(ops(f->store)->run->begin(&f->run_id, f->store, f->world_id, "test", &err) ==
                      PTL_OK,
                  "%s", err.message);
}

void fixture_close(fixture *f)
{
    char journal[128];
    ptl_store_close(f->store);
    if (f->cat)
        fixture_catalogue_free(f->cat);
    snprintf(journal, sizeof journal, "%s-journal", f->path);
    unlink(journal);
    unlink(f->path);
    rmdir(f->dir);
}

ptl_store *fixture_reopen(const fixture *f, ptl_open_mode mode)
{
    ptl_store *store = NULL;
    ptl_error err = {0};
    /* Shared: tests open the file beside the fixture's own store. */
    const ptl_open_options options = {
        .size = sizeof options, .mode = mode, .writers = PTL_WRITERS_SHARED};
    ck_assert_msg(ptl_store_open(&store, f->path, &options, &err) == PTL_OK, "%s", err.message);
    return store;
}

/* ---- chunks ---- */

static void style_blobs(ptl_oter *cells, rng *r)
{
    for (int i = 0; i < 300; i++) {
        int x0 = (int)rng_below(r, PTL_CHUNK_SIZE), y0 = (int)rng_below(r, PTL_CHUNK_SIZE);
        int w = (int)rng_below(r, 20) + 1, h = (int)rng_below(r, 20) + 1;
        ptl_oter v = (ptl_oter)rng_below(r, 60);
        for (int y = y0; y < y0 + h && y < PTL_CHUNK_SIZE; y++)
            for (int x = x0; x < x0 + w && x < PTL_CHUNK_SIZE; x++)
                cells[y * PTL_CHUNK_SIZE + x] = v;
    }
}

/* 0 blobs, 1 noise over few, 2 noise over 300, 3 stripes, 4 all different, 5 one odd cell at
 * each end, 6 sparse. */
void fixture_level(ptl_oter *cells, uint64_t seed, unsigned style)
{
    rng r = rng_from_key(seed);
    for (int i = 0; i < PTL_LEVEL_CELLS; i++)
        cells[i] = 3;
    switch (style) {
    case 0:
        style_blobs(cells, &r);
        break;
    case 1:
    case 2:
        for (int i = 0; i < PTL_LEVEL_CELLS; i++)
            cells[i] = (ptl_oter)rng_below(&r, style == 1 ? 3 : 300);
        break;
    case 3:
        for (int i = 0; i < PTL_LEVEL_CELLS; i++)
            cells[i] = (ptl_oter)(i / 7 % 5);
        break;
    case 4:
        for (int i = 0; i < PTL_LEVEL_CELLS; i++)
            cells[i] = (ptl_oter)(PTL_LEVEL_CELLS - i);
        break;
    case 5:
        cells[0] = 9;
        cells[PTL_LEVEL_CELLS - 1] = 11;
        break;
    default:
        for (int i = 0; i < 20; i++)
            cells[rng_below(&r, PTL_LEVEL_CELLS)] = (ptl_oter)rng_below(&r, 1000);
    }
}

ptl_chunk *fixture_chunk(ptl_chunk_pos pos, uint64_t seed)
{
    ptl_chunk *chunk = chunk_new(pos);
    ck_assert(chunk != NULL);
    rng r = rng_from_key(seed);
    for (int i = 0; i < PTL_LEVELS; i++) {
        level_fill(&chunk->levels[i], fixture_defaults[i]);
        unsigned style = rng_below(&r, 12);
        if (style == 4 && rng_below(&r, 4))
            style = 0;
        if (style == 11)
            level_fill(&chunk->levels[i], 23);
        if (style > 6)
            continue;
        fixture_level(level_cells(&chunk->levels[i]), rng_next(&r), style);
    }
    return chunk;
}

bool fixture_same_chunk(const ptl_chunk *a, const ptl_chunk *b)
{
    if (a->pos.x != b->pos.x || a->pos.y != b->pos.y)
        return false;
    ptl_oter *p = malloc(2 * PTL_LEVEL_CELLS * sizeof *p), *q = p + PTL_LEVEL_CELLS;
    bool same = true;
    for (int z = PTL_Z_MIN; z <= PTL_Z_MAX && same; z++) {
        ptl_chunk_level(p, a, z);
        ptl_chunk_level(q, b, z);
        same = memcmp(p, q, PTL_LEVEL_CELLS * sizeof *p) == 0;
    }
    free(p);
    return same;
}

/* ---- features ---- */

static int16_t clamped(int32_t v, int32_t most)
{
    return (int16_t)(v < 0 ? 0 : v > most ? most : v);
}

/* A few kinds are most of what stands: the lower the index, the likelier. */
static uint16_t some_building(rng *r)
{
    return (uint16_t)rng_below(r, 1 + rng_below(r, 1 + rng_below(r, FIXTURE_BUILDINGS)));
}

/* City by city, street by street, left and right in turns. */
static void add_buildings(gen_features *out, rng *r, size_t count)
{
    size_t cities = out->city_count;
    for (size_t i = 0; i < count; i++) {
        gen_placement *p = features_add_placement(out);
        ck_assert(p != NULL);
        size_t city = cities ? i * cities / count : 0;
        int32_t x = cities ? out->cities[city].x : 90, y = cities ? out->cities[city].y : 90;
        int32_t street = (int32_t)(i / 16 % 9) - 4, along = (int32_t)(i % 16 / 2) - 4;
        along += (int32_t)rng_below(r, 2);
        p->special = some_building(r);
        p->x = clamped(x + along, PTL_CHUNK_SIZE - 1);
        p->y = clamped(y + 3 * street + (i & 1 ? 1 : -1), PTL_CHUNK_SIZE - 1);
        p->z = (int8_t)(rng_below(r, 40) == 0 ? (int)rng_below(r, 21) - 10 : 0);
        p->rotation = (uint8_t)rng_below(r, 4);
        p->city = cities ? (int16_t)city : (int16_t)FEATURE_NO_CITY;
    }
}

static void add_groups(gen_features *out, rng *r, size_t count)
{
    static const char *const types[] = {"GROUP_A", "GROUP_B", "GROUP_A_LONGER"};
    for (size_t i = 0; i < count; i++) {
        gen_group *g = features_add_group(out);
        ck_assert(g != NULL);
        g->type = types[rng_below(r, 3)];
        g->x = (int16_t)rng_below(r, 360);
        g->y = (int16_t)rng_below(r, 360);
        g->z = (int8_t)((int)rng_below(r, 21) - 10);
        g->radius = (int16_t)rng_below(r, 200);
        g->population = (int32_t)(i == 0 ? INT32_MAX : (int32_t)rng_below(r, 3000));
        g->horde = rng_below(r, 2) == 0;
        g->diffuse = rng_below(r, 2) == 0;
    }
}

static void add_predecessors(gen_features *out, rng *r, const catalogue *cat, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        gen_predecessor *p = features_add_predecessor(out);
        ck_assert(p != NULL);
        p->oter = (ptl_oter)rng_below(r, cat->oter_count);
        p->x = (int16_t)rng_below(r, PTL_CHUNK_SIZE);
        p->y = (int16_t)rng_below(r, PTL_CHUNK_SIZE);
        p->z = (int8_t)rng_range(r, PTL_Z_MIN, PTL_Z_MAX);
        p->south = rng_below(r, 2) != 0;
        const int32_t from = p->south ? p->y : p->x;
        p->length = (int16_t)(1 + rng_below(r, (uint32_t)(PTL_CHUNK_SIZE - from)));
    }
}

void fixture_features(gen_features *out, const catalogue *cat, uint64_t seed,
                      feature_counts counts)
{
    rng r = rng_from_key(seed);
    for (size_t i = 0; i < counts.cities; i++) {
        char name[40];
        snprintf(name, sizeof name, i % 3 ? "Town %u" : "T\xc3\xb6wn %u", (unsigned)i);
        gen_city *c = features_add_city(out);
        ck_assert(c != NULL);
        c->name = features_text(out, name);
        c->x = (int16_t)rng_below(&r, 180);
        c->y = (int16_t)rng_below(&r, 180);
        c->size = (int16_t)(1 + rng_below(&r, 16));
        c->planned_x = (int16_t)rng_below(&r, 180);
        c->planned_y = (int16_t)rng_below(&r, 180);
    }
    add_buildings(out, &r, counts.placements);
    add_groups(out, &r, counts.groups);
    for (size_t i = 0; i < counts.radios; i++) {
        gen_radio *radio = features_add_radio(out);
        ck_assert(radio != NULL);
        radio->x = (int16_t)rng_below(&r, 360);
        radio->y = (int16_t)rng_below(&r, 360);
        radio->strength = (int16_t)rng_below(&r, 500);
        radio->weather = i % 4 == 3;
        radio->frequency = (int32_t)(i == 0 ? INT32_MAX : (int32_t)rng_below(&r, 100000));
        radio->message = radio->weather ? "" : "This is an \"emergency\".";
    }
    add_predecessors(out, &r, cat, counts.groups / 2);
}

static void add_attempts(gen_features *out, rng *r, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        gen_attempt *a = features_add_attempt(out);
        ck_assert(a != NULL);
        a->special = (uint16_t)(FIXTURE_BUILDINGS + i % (FIXTURE_SPECIALS - FIXTURE_BUILDINGS));
        a->asked = 1 + (int32_t)rng_below(r, 5);
        a->ground = (int32_t)rng_below(r, PTL_LEVEL_CELLS);
        a->linked = rng_below(r, 4) ? a->ground : a->ground / 9;
        a->city = a->linked / (int32_t)(1 + rng_below(r, 4));
        a->room = a->city - (int32_t)rng_below(r, (uint32_t)(1 + a->city / 8));
        a->failed = i % 7 == 6 ? 32 : 0;
        a->placed = a->room > 0 ? 1 : 0;
    }
}

/* count of them, shared out among the mutable ones of the specials from `first` on. */
static int32_t mutable_of(size_t first, size_t specials, size_t i, size_t count)
{
    const size_t mutables = (specials + 2) / 3;
    return (int32_t)(first + 3 * (i * mutables / count));
}

static void add_parts(gen_features *out, rng *r, size_t first, special_counts counts)
{
    for (size_t i = 0; i < counts.pieces; i++) {
        gen_piece *p = features_add_piece(out);
        ck_assert(p != NULL);
        p->placement = mutable_of(first, counts.specials, i, counts.pieces);
        p->piece = (uint16_t)rng_below(r, 1 + rng_below(r, FIXTURE_PIECES));
        p->x = (int16_t)(20 + i % 30 / 6 + rng_below(r, 2) + (size_t)p->placement % 100);
        p->y = (int16_t)(30 + i % 6 + rng_below(r, 2));
        p->z = (int8_t)(-(int)(i % 60 / 20));
        p->rotation = (uint8_t)rng_below(r, 4);
    }
    for (size_t i = 0; i < counts.joins; i++) {
        gen_join *j = features_add_join(out);
        ck_assert(j != NULL);
        j->placement = mutable_of(first, counts.specials, i, counts.joins);
        j->join = (uint16_t)rng_below(r, FIXTURE_JOINS);
        j->x = (int16_t)rng_below(r, PTL_CHUNK_SIZE);
        j->y = (int16_t)rng_below(r, PTL_CHUNK_SIZE);
        j->z = (int8_t)((int)rng_below(r, 21) - 10);
        j->side = (uint8_t)rng_below(r, PTL_SIDES);
    }
}

void fixture_specials(gen_features *out, uint64_t seed, special_counts counts)
{
    rng r = rng_from_key(hash_add(seed, 77));
    const size_t first = out->placement_count;
    for (size_t i = 0; i < counts.specials; i++) {
        gen_placement *p = features_add_placement(out);
        ck_assert(p != NULL);
        const uint32_t kind = i % 3 == 0 ? rng_below(&r, FIXTURE_MUTABLES)
                                         : FIXTURE_MUTABLES + rng_below(&r, FIXTURE_FIXED);
        p->special = (uint16_t)(FIXTURE_BUILDINGS + kind);
        p->x = (int16_t)((int)rng_below(&r, 540) - 180);
        p->y = (int16_t)rng_below(&r, 180);
        p->z = (int8_t)(i % 9 == 8 ? -(int)rng_below(&r, 11) : 0);
        p->rotation = (uint8_t)rng_below(&r, 4);
        p->city = (int16_t)((int)rng_below(&r, (uint32_t)out->city_count + 1) - 1);
        p->draw = (int16_t)(i % 3 == 0 ? rng_below(&r, 32) : 0);
        p->omts = (int32_t)(i == 0 ? PTL_LEVELS * PTL_LEVEL_CELLS : 1 + rng_below(&r, 40));
    }
    add_attempts(out, &r, counts.attempts);
    add_parts(out, &r, first, counts);
}

static bool same_attempts(const gen_features *a, const gen_features *b)
{
    for (size_t i = 0; i < a->attempt_count; i++) {
        const gen_attempt *p = &a->attempts[i], *q = &b->attempts[i];
        if (p->special != q->special || p->asked != q->asked || p->ground != q->ground ||
            p->linked != q->linked || p->city != q->city || p->room != q->room ||
            p->failed != q->failed || p->placed != q->placed)
            return false;
    }
    return true;
}

static bool same_parts(const gen_features *a, const gen_features *b)
{
    for (size_t i = 0; i < a->piece_count; i++) {
        const gen_piece *p = &a->pieces[i], *q = &b->pieces[i];
        if (p->placement != q->placement || p->piece != q->piece || p->x != q->x ||
            p->y != q->y || p->z != q->z || p->rotation != q->rotation)
            return false;
    }
    for (size_t i = 0; i < a->join_count; i++) {
        const gen_join *p = &a->joins[i], *q = &b->joins[i];
        if (p->placement != q->placement || p->join != q->join || p->x != q->x ||
            p->y != q->y || p->z != q->z || p->side != q->side)
            return false;
    }
    return true;
}

static bool same_rows(const gen_features *a, const gen_features *b)
{
    for (size_t i = 0; i < a->city_count; i++) {
        const gen_city *p = &a->cities[i], *q = &b->cities[i];
        if (strcmp(p->name, q->name) != 0 || p->x != q->x || p->y != q->y ||
            p->size != q->size || p->planned_x != q->planned_x || p->planned_y != q->planned_y)
            return false;
    }
    for (size_t i = 0; i < a->radio_count; i++) {
        const gen_radio *p = &a->radios[i], *q = &b->radios[i];
        if (strcmp(p->message, q->message) != 0 || p->x != q->x || p->y != q->y ||
            p->strength != q->strength || p->weather != q->weather ||
            p->frequency != q->frequency)
            return false;
    }
    return true;
}

static bool same_predecessors(const gen_features *a, const gen_features *b)
{
    for (size_t i = 0; i < a->predecessor_count; i++) {
        const gen_predecessor *p = &a->predecessors[i], *q = &b->predecessors[i];
        if (p->oter != q->oter || p->x != q->x || p->y != q->y || p->z != q->z ||
            p->south != q->south || p->length != q->length)
            return false;
    }
    return true;
}

bool fixture_same_features(const gen_features *a, const gen_features *b)
{
    if (a->city_count != b->city_count || a->placement_count != b->placement_count ||
        a->group_count != b->group_count || a->radio_count != b->radio_count ||
        a->attempt_count != b->attempt_count || a->piece_count != b->piece_count ||
        a->join_count != b->join_count || a->predecessor_count != b->predecessor_count ||
        !same_predecessors(a, b) || !same_rows(a, b) || !same_attempts(a, b) ||
        !same_parts(a, b))
        return false;
    for (size_t i = 0; i < a->placement_count; i++) {
        const gen_placement *p = &a->placements[i], *q = &b->placements[i];
        if (p->special != q->special || p->x != q->x || p->y != q->y || p->z != q->z ||
            p->rotation != q->rotation || p->city != q->city || p->draw != q->draw ||
            p->omts != q->omts)
            return false;
    }
    for (size_t i = 0; i < a->group_count; i++) {
        const gen_group *p = &a->groups[i], *q = &b->groups[i];
        if (strcmp(p->type, q->type) != 0 || p->x != q->x || p->y != q->y || p->z != q->z ||
            p->radius != q->radius || p->population != q->population || p->horde != q->horde ||
            p->diffuse != q->diffuse)
            return false;
    }
    return true;
}

/* ---- writing ---- */

edge fixture_edge(int32_t x, int32_t y, edge_side side)
{
    edge e = {.x = x, .y = y, .side = side};
    rng r = rng_from_key(hash_add(hash_add((uint64_t)(x + 1000), (uint64_t)(y + 1000)), side));
    size_t count = rng_below(&r, 4);
    e.crossings = calloc(count + 1, sizeof *e.crossings);
    for (size_t i = 0; i < count; i++)
        e.crossings[i] = (crossing){.kind = i % 2 ? "sewer" : CROSSING_RIVER,
                                    .position = (int16_t)(20 + 40 * i + rng_below(&r, 20)),
                                    .z = (int8_t)i,
                                    .width = (uint8_t)rng_below(&r, 3),
                                    .direction = (int8_t)((int)rng_below(&r, 3) - 1)};
    e.count = count;
    return e;
}

ptl_status fixture_write(fixture *f, ptl_store *store, const ptl_chunk *chunk,
                         const char *last_step, bool *written, ptl_error *err)
{
    const uint64_t seed = hash_add((uint64_t)chunk->pos.x, (uint64_t)chunk->pos.y);
    gen_features features = {0};
    fixture_features(&features, f->cat, seed, (feature_counts){2, 40, 12, 3});
    fixture_specials(&features, seed, (special_counts){9, 15, 70, 50});
    ptl_status status =
        fixture_write_features(f, store, chunk, last_step, &features, written, err);
    features_dispose(&features);
    return status;
}

ptl_status fixture_write_features(fixture *f, ptl_store *store, const ptl_chunk *chunk,
                                  const char *last_step, const gen_features *features,
                                  bool *written, ptl_error *err)
{
    ptl_chunk_pos p = chunk->pos;
    edge edges[4] = {fixture_edge(p.x, p.y - 1, EDGE_SOUTH), fixture_edge(p.x, p.y, EDGE_EAST),
                     fixture_edge(p.x, p.y, EDGE_SOUTH), fixture_edge(p.x - 1, p.y, EDGE_EAST)};
    const event_row events[2] = {{"rivers", "no_spring", 4, 5, 0, "two tries"},
                                 {"lakes", "unreached", -1, -1, -1, NULL}};
    chunk_write w = {.generator_version = 1,
                     .content_id = 1,
                     .last_step = last_step,
                     .events = events,
                     .event_count = (size_t)(p.x & 1) + 1};
    for (int i = 0; i < 4; i++)
        w.edges[i] = &edges[i];
    codec *c = codec_new();
    ck_assert(c != NULL);
    encoded_features encoded = {0};
    ptl_status status = chunk_encode(&w.encoded, c, chunk, fixture_defaults, f->cat, err);
    if (status == PTL_OK)
        status = features_encode(&encoded, c, p, features, f->cat, err);
    w.features = &encoded;
    codec_free(c);
    if (status == PTL_OK)
        status = ops(store)->transaction->begin(store, err);
    if (status == PTL_OK) {
        status =
            ops(store)->chunk->write(store, f->world_id, f->run_id, &w, f->cat, written, err);
        if (status == PTL_OK)
            status = ops(store)->transaction->commit(store, err);
        if (status != PTL_OK)
            ops(store)->transaction->rollback(store);
    }
    encoded_chunk_dispose(&w.encoded);
    encoded_features_dispose(&encoded);
    for (int i = 0; i < 4; i++)
        edge_dispose(&edges[i]);
    return status;
}

void fixture_hide_content(ptl_store *store)
{
    ck_assert_int_eq(sqlite_exec(store, "UPDATE content SET is_current = 0", NULL), PTL_OK);
    ck_assert_int_eq(content_checksum_write(store, NULL), PTL_OK);
}

void fixture_damage(const fixture *f, const char *sql)
{
    ptl_error err = {0};
    ptl_store *store = fixture_reopen(f, PTL_OPEN_WRITE);
    ck_assert_int_eq(
        sqlite_exec(store, "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;",
                    &err),
        PTL_OK);
    ck_assert_msg(sqlite_exec(store, sql, &err) == PTL_OK, "%s: %s", sql, err.message);
    ptl_store_close(store);
}
