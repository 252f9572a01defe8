#include "gen/pipeline.h"

#include "core/error.h"
#include "gen/ends.h"
#include "gen/growth.h"
#include "gen/rules.h"
#include "gen/sublevels_rules.h"

#include <stdlib.h>
#include <string.h>

typedef struct step {
    step_info info;
    void (*run)(generator *g);
} step;

/* In order. River banks look at all water, whatever made it. */
static const step STEPS[] = {
    /* From crossing to crossing, or from a spring; strips at the borders by the edges. */
    {{"rivers", 0, false}, step_rivers},
    /* Noise above its threshold in components that are large enough, down to the bed. */
    {{"lakes", 1, true}, step_lakes},
    /* Noise on what is still the default terrain. */
    {{"forests", 0, false}, step_forests},
    /* Forest that rivers flood, or that lies low. */
    {{"swamps", REACH - 1, true}, step_swamps},
    /* Off unless the region asks for them; inside the chunk. */
    {{"ravines", 0, false}, step_ravines},
    /* At the planned sites, moved where rivers or corridors hit them: streets and buildings. */
    {{"cities", 0, false}, step_cities},
    /* Between points of large forests. */
    {{"forest_trails", 0, false}, step_forest_trails},
    /* Between cities and exits; railroads and subways likewise, and what foreign edges bring.
     */
    {{"roads", 0, false}, step_roads},
    /* Fixed and mutable ones by the world's rule, with their connections on the ground. They
     * look at the city plans of the eight chunks around. */
    {{"specials", 0, false}, step_specials},
    /* At the open ends of trails, near roads. */
    {{"trailheads", 0, false}, step_trailheads},
    /* Which river cells have which bank. */
    {{"river_banks", 1, true}, step_river_banks},
    /* What content asks for below: sewers, subways, laboratories, mines, ants. */
    {{"sublevels", 0, false}, step_sublevels},
    /* What lies above the bridges, and their heads. */
    {{"bridges", 0, false}, step_bridges},
    {{"monster_groups", 0, false}, step_monster_groups},
    {{"radios", 0, false}, step_radios},
};

enum { STEP_COUNT = sizeof STEPS / sizeof STEPS[0] };

size_t pipeline_step_count(void)
{
    return STEP_COUNT;
}

const step_info *pipeline_step(size_t index)
{
    return index < STEP_COUNT ? &STEPS[index].info : NULL;
}

generator *generator_new(const gen_config *config)
{
    generator *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->config = config;
    bool ok = lake_field_init(&g->lakes, config->region->lake_size_min);
    for (int i = 0; i < 4; i++) {
        g->strips[i] = malloc(STRIP_CELLS);
        ok = ok && g->strips[i];
    }
    g->mask = malloc(SIZE * SIZE);
    g->flood = malloc((SIZE + 1) * (SIZE + 1) * sizeof *g->flood);
    g->list = malloc(SIZE * SIZE * sizeof *g->list);
    g->reserved = malloc(SIZE * SIZE);
    g->sites = malloc(CITY_SITES_MAX * sizeof *g->sites);
    g->ends = malloc(sizeof *g->ends);
    g->noise_grid = malloc(sizeof *g->noise_grid);
    g->noise_column = malloc(sizeof *g->noise_column);
    g->connector = connector_new();
    g->safe = calloc(SIZE * SIZE, sizeof *g->safe);
    g->site_map = site_map_new(config);
    g->city_map = city_map_new();
    g->growth = growth_new(config->cat->special_count);
    g->placer = placer_new();
    g->rules = special_rules_new(config);
    g->sublevels = sublevels_new();
    ok = ok && g->sublevels;
    ok = ok && g->safe && g->site_map && g->city_map && g->growth && g->placer && g->rules;
    ok = ok && g->reserved && g->sites && g->ends && g->noise_grid && g->noise_column &&
         g->connector;
    if (ok && g->mask && g->flood && g->list)
        return g;
    generator_free(g);
    return NULL;
}

void generator_free(generator *g)
{
    if (!g)
        return;
    lake_field_dispose(&g->lakes);
    for (int i = 0; i < 4; i++)
        free(g->strips[i]);
    free(g->mask);
    free(g->flood);
    free(g->list);
    free(g->reserved);
    free(g->sites);
    free(g->ends);
    free(g->noise_grid);
    free(g->noise_column);
    connector_free(g->connector);
    site_map_free(g->site_map);
    city_map_free(g->city_map);
    growth_free(g->growth);
    placer_free(g->placer);
    special_rules_free(g->rules);
    sublevels_free(g->sublevels);
    free(g->safe);
    free(g->deep_links);
    features_dispose(&g->features);
    free(g->events);
    free(g);
}

void generator_scramble(generator *g, bool on)
{
    const cat_region *region = g->config->region;
    g->scramble = on;
    noise_land_init(&g->other_noise, ~g->config->seed, region->lake_threshold,
                    region->forest_threshold, region->forest_thick_threshold);
}

void generator_trace(generator *g, const gen_trace *trace)
{
    g->trace = trace;
}

const gen_event *generator_events(const generator *g, size_t *count)
{
    *count = g->event_count;
    return g->events;
}

const gen_features *generator_features(const generator *g)
{
    return &g->features;
}

void add_event(generator *g, const char *kind, int32_t x, int32_t y, int32_t z,
               const char *detail)
{
    if (g->event_count == g->event_capacity) {
        size_t capacity = g->event_capacity ? 2 * g->event_capacity : 16;
        gen_event *events = realloc(g->events, capacity * sizeof *events);
        if (!events) {
            g->failed = true;
            return;
        }
        g->events = events;
        g->event_capacity = capacity;
    }
    gen_event *e = &g->events[g->event_count++];
    *e = (gen_event){.step = g->running->name, .kind = kind};
    e->x = (int16_t)x;
    e->y = (int16_t)y;
    e->z = (int8_t)z;
    strncpy(e->detail, detail, sizeof e->detail - 1);
}

bool work_ask(generator *g)
{
    g->unasked = 0;
    g->stopped = g->stopped || stop_asked(&g->config->stop);
    g->failed = g->failed || g->stopped;
    return !g->failed;
}

ptl_oter *cells_made(generator *g, int32_t z)
{
    ptl_oter *cells = level_cells(chunk_level(g->chunk, z));
    if (!cells)
        g->failed = true;
    return cells;
}

void generator_adopt(generator *g, ptl_chunk *chunk)
{
    g->chunk = chunk;
    g->edges = NULL;
    g->event_count = 0;
    if (chunk) /* else who gave it up is still to be asked why */
        g->failed = g->stopped = false;
    features_reset(&g->features);
    memset(g->reserved, 0, SIZE * SIZE);
    memset(g->safe, 0, SIZE * SIZE * sizeof *g->safe);
    g->deep_link_count = 0;
    growth_reset(g->growth);
    g->watching = false;
    g->running = &STEPS[0].info;
    lake_field_reset(&g->lakes);
    g->ground = chunk ? cells_at(g, 0) : NULL;
}

static void begin(generator *g, ptl_chunk *chunk, edge *const edges[4])
{
    for (int i = 0; i < PTL_LEVELS; i++)
        level_fill(&chunk->levels[i], g->config->defaults[i]);
    generator_adopt(g, chunk);
    g->edges = edges;
    for (int i = 0; i < 4; i++) {
        memset(g->strips[i], 0, STRIP_CELLS);
        plan_river_strip(g->strips[i], g->config, edges[i]);
    }
}

ptl_status generator_run(ptl_chunk **out, generator *g, ptl_chunk_pos pos, edge *const edges[4],
                         size_t step_count, generator_clock clock, generator_times *times,
                         ptl_error *err)
{
    *out = NULL;
    ptl_chunk *chunk = chunk_new(pos);
    if (!chunk)
        return error_nomem(err);
    begin(g, chunk, edges);
    double before = clock ? clock() : 0;
    for (size_t i = 0; i < STEP_COUNT && i < step_count && work_ask(g); i++) {
        g->running = &STEPS[i].info;
        if (g->scramble)
            lake_field_reset(&g->lakes); /* what an earlier step saw is not this step's reach */
        STEPS[i].run(g);
        if (clock && times) {
            double after = clock();
            times->seconds[i] += after - before;
            before = after;
        }
    }
    g->chunk = NULL;
    g->ground = NULL;
    if (g->failed) {
        ptl_chunk_free(chunk);
        return generator_why(g, err);
    }
    *out = chunk;
    return PTL_OK;
}

ptl_status generator_why(const generator *g, ptl_error *err)
{
    return g->stopped ? error_set(err, PTL_ERR_CANCELLED, "stopped") : error_nomem(err);
}

uint64_t step_key(const generator *g, const char *what)
{
    return hash_add(g->config->seed, hash_string(what));
}

rng step_stream(const generator *g, const char *what)
{
    uint64_t key = hash_add(step_key(g, what), (uint32_t)g->chunk->pos.x);
    return rng_from_key(hash_add(key, (uint32_t)g->chunk->pos.y));
}

static int64_t absolute(int32_t chunk, int32_t local)
{
    return (int64_t)chunk * SIZE + local;
}

rng cell_stream(const generator *g, uint64_t key, int32_t x, int32_t y)
{
    key = hash_add(key, (uint64_t)absolute(g->chunk->pos.x, x));
    return rng_from_key(hash_add(key, (uint64_t)absolute(g->chunk->pos.y, y)));
}

void cell_keys_init(cell_keys *keys, const generator *g, uint64_t key)
{
    for (int32_t i = 0; i < SIZE + 2 * REACH; i++) {
        keys->x[i] = hash_add(key, (uint64_t)absolute(g->chunk->pos.x, i - REACH));
        keys->y[i] = hash_mix((uint64_t)absolute(g->chunk->pos.y, i - REACH));
    }
}

bool strip_river(const generator *g, int32_t x, int32_t y)
{
    if (y < REACH && x >= 0 && x < SIZE && g->strips[0][(y + REACH) * SIZE + x])
        return true;
    if (x >= SIZE - REACH && y >= 0 && y < SIZE && g->strips[1][(x - SIZE + REACH) * SIZE + y])
        return true;
    if (y >= SIZE - REACH && x >= 0 && x < SIZE && g->strips[2][(y - SIZE + REACH) * SIZE + x])
        return true;
    return x < REACH && y >= 0 && y < SIZE && g->strips[3][(x + REACH) * SIZE + y];
}

/* The noise that a lane of a block sees: its own, or another world's beyond the reach. */
static const noise_land *land_at(const generator *g, int32_t x, int32_t y)
{
    int32_t reach = g->running->noise_reach;
    if (g->running->lake_reach)
        reach += g->config->region->lake_size_min;
    bool near = x >= -reach && x < SIZE + reach && y >= -reach && y < SIZE + reach;
    return g->scramble && !near ? &g->other_noise : &g->config->noise;
}

typedef void (*bytes_kernel)(const noise_land *, int64_t, int64_t, uint8_t *);

static void noise_bytes(const generator *g, bytes_kernel kernel, int32_t x, int32_t y,
                        uint8_t out[NOISE_BLOCK])
{
    int64_t ax = absolute(g->chunk->pos.x, x), ay = absolute(g->chunk->pos.y, y);
    kernel(&g->config->noise, ax, ay, out);
    for (int i = 0; g->scramble && i < NOISE_BLOCK; i++) {
        uint8_t lanes[NOISE_BLOCK];
        kernel(land_at(g, x + i, y), ax, ay, lanes);
        out[i] = lanes[i];
    }
}

void noise_forest(generator *g, int32_t x, int32_t y, uint8_t out[NOISE_BLOCK])
{
    noise_bytes(g, g->config->kernels->forest, x, y, out);
}

void noise_forest_rows(generator *g)
{
    const noise_land *land = &g->config->noise;
    const int64_t y = absolute(g->chunk->pos.y, 0);
    g->config->kernels->grid_rows(g->noise_grid, 0, &land->forest_wide, y);
    g->config->kernels->grid_rows(g->noise_grid, land->forest_wide.octaves, &land->forest_fine,
                                  y);
}

static void forest_other(generator *g, int32_t x, int32_t tile)
{
    for (int row = 0; row < NOISE_TILE_Y; row++) {
        uint8_t lanes[NOISE_BLOCK];
        noise_forest(g, x, tile * NOISE_TILE_Y + row, lanes);
        memcpy(&g->noise_column->class[tile][row * NOISE_TILE_X], lanes, NOISE_TILE_X);
    }
}

void noise_forest_column(generator *g, int32_t x)
{
    const noise_land *land = &g->config->noise;
    const noise_kernels *kernels = g->config->kernels;
    noise_column *c = g->noise_column;
    const int64_t ax = absolute(g->chunk->pos.x, x);
    for (int i = 0; g->scramble && i < c->count; i++)
        forest_other(g, x, c->tiles[i]);
    if (g->scramble)
        return;
    kernels->grid_column(g->noise_grid, 0, &land->forest_wide, ax);
    kernels->grid_column(g->noise_grid, land->forest_wide.octaves, &land->forest_fine, ax);
    noise_columns_best()->forest(land, g->noise_grid, c);
}

void noise_lake(generator *g, int32_t x, int32_t y, uint8_t out[NOISE_BLOCK])
{
    noise_bytes(g, g->config->kernels->lake, x, y, out);
}

void noise_lake_square(generator *g, int32_t x, int32_t y,
                       uint8_t out[NOISE_SQUARE][NOISE_SQUARE])
{
    const int64_t ax = absolute(g->chunk->pos.x, x), ay = absolute(g->chunk->pos.y, y);
    if (!g->scramble)
        noise_columns_best()->lake_square(&g->config->noise, ax, ay, out);
    for (int32_t row = 0; g->scramble && row < NOISE_SQUARE; row++)
        noise_lake(g, x, y + row, out[row]);
}

bool noise_lake_squares(generator *g, int32_t x, int32_t y, uint8_t out[NOISE_SQUARES])
{
    int64_t ax = absolute(g->chunk->pos.x, x), ay = absolute(g->chunk->pos.y, y);
    if (!g->scramble)
        g->config->kernels->lake_squares(&g->config->noise, ax, ay, out);
    return !g->scramble;
}

void noise_floodplain_rows(generator *g)
{
    g->config->kernels->grid_rows(g->noise_grid, 0, &g->config->noise.floodplain,
                                  absolute(g->chunk->pos.y, 0));
}

static void floodplain_other(generator *g, int32_t x, int32_t tile)
{
    static const float needed[NOISE_BLOCK];
    for (int i = 0; i < NOISE_BLOCK; i++) {
        const int32_t cx = x + i / NOISE_TILE_Y, cy = tile * NOISE_TILE_Y + i % NOISE_TILE_Y;
        const int64_t ax = absolute(g->chunk->pos.x, cx), ay = absolute(g->chunk->pos.y, cy);
        float lanes[NOISE_BLOCK] = {0};
        g->config->kernels->floodplain(land_at(g, cx, cy), needed, ax, ay, lanes);
        g->noise_column->value[tile][i] = lanes[0];
    }
}

void noise_floodplain_column(generator *g, int32_t x)
{
    const noise_layer *layer = &g->config->noise.floodplain;
    noise_column *c = g->noise_column;
    for (int i = 0; g->scramble && i < c->count; i++)
        floodplain_other(g, x, c->tiles[i]);
    if (g->scramble)
        return;
    g->config->kernels->grid_column(g->noise_grid, 0, layer, absolute(g->chunk->pos.x, x));
    noise_columns_best()->floodplain(&g->config->noise, g->noise_grid, c);
}
