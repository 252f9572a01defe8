/* What every step uses of the chunk that is being made: its cells, random streams, noise,
 * events. */
#include "gen/work/generator.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

void *generator_memory(generator *g, size_t count, size_t size)
{
    void *memory = arena_calloc(g->memory, count, size);
    g->failed = g->failed || !memory;
    return memory;
}

void add_event(generator *g, const char *kind, int32_t x, int32_t y, int32_t z,
               const char *detail)
{
    if (!ARRAY_ROOM(g->events, g->event_capacity, g->event_count + 1)) {
        g->failed = true;
        return;
    }
    gen_event *e = &g->events[g->event_count++];
    *e = (gen_event){.step = g->running->name, .kind = kind};
    e->x = (int16_t)x;
    e->y = (int16_t)y;
    e->z = (int8_t)z;
    strncpy(e->detail, detail, sizeof e->detail - 1);
}

void add_group(generator *g, gen_group group)
{
    gen_group *added = features_add_group(&g->features);
    g->failed = g->failed || !added;
    if (added)
        *added = group;
}

void add_placement(generator *g, gen_placement placement)
{
    gen_placement *added = features_add_placement(&g->features);
    g->failed = g->failed || !added;
    if (added)
        *added = placement;
}

void generator_adopt(generator *g, ptl_chunk *chunk)
{
    g->chunk = chunk;
    g->edges = NULL;
    g->event_count = 0;
    /* Without a chunk, `failed` and `stopped` stay as they are, since generator_why still reads
     * them. */
    if (chunk)
        g->failed = g->stopped = false;
    features_reset(&g->features);
    predecessors_reset(&g->before);
    memset(g->reserved, 0, SIZE * SIZE);
    if (g->has_safe)
        memset(g->safe, 0, SIZE * SIZE * sizeof *g->safe);
    g->has_safe = false;
    g->deep_link_count = 0;
    g->watching = NULL;
    g->running = &g->config->pipeline->steps[0]->info;
    for (size_t i = 0; i < g->part_count; i++)
        if (g->parts[i]->reset)
            g->parts[i]->reset(g);
    g->ground = chunk ? cells_at(g, 0) : NULL;
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

void remember_cell(generator *g, int32_t z, int32_t cell, ptl_oter before, ptl_oter oter)
{
    if (!predecessors_add(&g->before, g->config->cat, z, cell, before, oter))
        g->failed = true;
}

uint64_t step_key(const generator *g, const char *what)
{
    return hash_add(g->config->seed, hash_string(what));
}

rng step_stream(const generator *g, const char *what)
{
    return rng_from_key(plan_key(g->config, what, g->chunk->pos.x, g->chunk->pos.y));
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

/* Returns whether the noise of the cell must be that of another world. That is so only in tests
 * (g->scramble) of how far from the chunk a step reads noise: there, cells farther away than
 * the running step declares get another world's noise. */
static bool beyond_reach(const generator *g, int32_t size_min, int32_t x, int32_t y)
{
    const int32_t reach = g->running->noise_reach + (g->running->lake_reach ? size_min : 0);
    const bool near = x >= -reach && x < SIZE + reach && y >= -reach && y < SIZE + reach;
    return g->scramble && !near;
}

/* Returns the noise for a cell: the world's own or, in tests, another world's if the cell lies
 * beyond the reach that the running step declares. */
static const noise_land *land_at(const generator *g, int32_t x, int32_t y)
{
    const bool beyond = beyond_reach(g, g->config->region->lake_size_min, x, y);
    return beyond ? &g->other_noise : &g->config->noise;
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

static void make_noise_columns(generator *g)
{
    g->noise_grid = generator_memory(g, 1, sizeof *g->noise_grid);
    g->noise_column = generator_memory(g, 1, sizeof *g->noise_column);
}

const gen_part noise_columns_part = {.make = make_noise_columns};

void noise_forest_rows(generator *g)
{
    const noise_land *land = &g->config->noise;
    const int64_t y = absolute(g->chunk->pos.y, 0);
    g->config->kernels->grid_rows(g->noise_grid, 0, &land->forest_wide, y);
    g->config->kernels->grid_rows(g->noise_grid, land->forest_wide.octaves, &land->forest_fine,
                                  y);
}

void noise_forest_column(generator *g, int32_t x)
{
    const noise_land *land = &g->config->noise;
    const noise_kernels *kernels = g->config->kernels;
    noise_column *c = g->noise_column;
    const int64_t ax = absolute(g->chunk->pos.x, x);
    for (int i = 0; g->scramble && i < c->count; i++) {
        const int32_t patch = c->patches[i];
        for (int row = 0; row < NOISE_PATCH_Y; row++) {
            uint8_t lanes[NOISE_BLOCK];
            noise_forest(g, x, patch * NOISE_PATCH_Y + row, lanes);
            memcpy(&g->noise_column->class[patch][row * NOISE_PATCH_X], lanes, NOISE_PATCH_X);
        }
    }
    if (g->scramble)
        return;
    kernels->grid_column(g->noise_grid, 0, &land->forest_wide, ax);
    kernels->grid_column(g->noise_grid, land->forest_wide.octaves, &land->forest_fine, ax);
    noise_ramp_column(c, land, ax, absolute(g->chunk->pos.y, 0));
    noise_columns_best()->forest(land, g->noise_grid, c);
}

void noise_lake(generator *g, int32_t x, int32_t y, uint8_t out[NOISE_BLOCK])
{
    noise_bytes(g, g->config->kernels->lake, x, y, out);
}

void noise_water_square(generator *g, bool sea, int32_t x, int32_t y,
                        uint8_t out[NOISE_SQUARE][NOISE_SQUARE])
{
    const int64_t ax = absolute(g->chunk->pos.x, x), ay = absolute(g->chunk->pos.y, y);
    for (int32_t row = 0; row < NOISE_SQUARE; row++) {
        if (sea)
            ocean_block(&g->config->ocean, ax, ay + row, out[row]);
        else
            noise_lake(g, x, y + row, out[row]);
        for (int32_t i = 0; sea && g->scramble && i < NOISE_SQUARE; i++)
            if (beyond_reach(g, g->config->ocean.settings->size_min, x + i, y + row))
                out[row][i] = ocean_at(&g->other_ocean, ax + i, ay + row);
    }
}

bool noise_water_squares(generator *g, bool sea, int32_t x, int32_t y,
                         uint8_t out[NOISE_SQUARES])
{
    const noise_land *land = &g->config->noise;
    const int64_t ax = absolute(g->chunk->pos.x, x), ay = absolute(g->chunk->pos.y, y);
    if (!g->scramble && sea)
        ocean_squares(&g->config->ocean, ax, ay, out);
    else if (!g->scramble)
        g->config->kernels->squares(&land->lake, land->lake_bounds, ax, ay, out);
    return !g->scramble;
}

void noise_floodplain_rows(generator *g)
{
    g->config->kernels->grid_rows(g->noise_grid, 0, &g->config->noise.floodplain,
                                  absolute(g->chunk->pos.y, 0));
}

void noise_floodplain_column(generator *g, int32_t x)
{
    /* This is the world's own noise also in tests that use another world's noise beyond a
     * step's reach: the chunk's own OMTs are in reach of every step. */
    const noise_land *land = &g->config->noise;
    g->config->kernels->grid_column(g->noise_grid, 0, &land->floodplain,
                                    absolute(g->chunk->pos.x, x));
    noise_columns_best()->floodplain(land, g->noise_grid, g->noise_column);
}
