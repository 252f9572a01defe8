/*
 * The search's view of a level: a step for each cell, where the connection's tiles are, and how
 * many columns and rows hold none. It is brought up to date before each search. What the engine
 * itself drew since the last one it knows; what other code may have written is found by a
 * comparison with the cells of then, which takes a few microseconds. How far each cell is from
 * the tiles is measured when somebody asks (connect_far_kernel.h).
 */
#include "gen/connect/connect_impl.h"

#include "core/cpu.h"

#include <string.h>

/* Paths keep off the border. */
static void close_ring(connector *k)
{
    for (int32_t i = 0; i < SIZE; i++) {
        k->grid[i] = k->grid[CELLS - 1 - i] = 0;
        k->grid[i * SIZE] = k->grid[i * SIZE + SIZE - 1] = 0;
    }
}

static connect_measurer *best_measurer(void)
{
    return CPU_IF(CPU_AVX2, connect_measure_avx2, connect_measure_base);
}

void connect_measure(connector *k)
{
    if (k->far_anew || k->fresh_count > 0)
        best_measurer()(k);
    k->far_anew = false;
    k->fresh_count = 0;
}

static void count_bare(connector *k)
{
    k->lines_measured = false;
    for (int i = 0; i < SIZE; i++) {
        k->bare_columns[i + 1] = (int16_t)(k->bare_columns[i] + !k->column_has[i]);
        k->bare_rows[i + 1] = (int16_t)(k->bare_rows[i] + !k->row_has[i]);
    }
}

static uint32_t step_at(const generator *g, size_t connection, ptl_oter oter)
{
    const uint32_t look = compiled(g, connection)->looks[oter];
    return look & LOOK_CHOICE ? connect_class(g, connection, oter).step : look & STEP_BITS;
}

static bool is_tile(uint32_t step)
{
    return (step & STEP_COST) == 1;
}

/* ---- all cells ---- */

/* Which columns have tiles, from the tiles. */
static void find_columns(connector *k)
{
    uint8_t least[FAR_WIDTH];
    memset(least, FAR_MAX, sizeof least);
    for (int32_t y = 0; y < SIZE; y++) {
        const uint8_t *restrict tiles = &k->tiles[y * FAR_WIDTH];
        if (!k->row_has[y])
            continue;
        for (int32_t x = 0; x < FAR_WIDTH; x++)
            least[x] &= tiles[x];
    }
    for (int32_t x = 0; x < SIZE; x++)
        k->column_has[x] = least[x] == 0;
}

/* So many cells of a row are looked up at once; nine times for a whole one. */
enum { PIECE = SIZE / 9 };

/* A piece like the one above it, as there are many under the ground, is a copy of it. */
static void look_up_piece(generator *g, size_t connection, const ptl_oter *cells, int32_t x,
                          int32_t y)
{
    connector *k = g->connector;
    const uint32_t *looks = compiled(g, connection)->looks;
    const ptl_oter *piece = &cells[y * SIZE + x];
    uint32_t *restrict grid = &k->grid[y * SIZE + x];
    uint8_t *restrict tiles = &k->tiles[y * FAR_WIDTH + x];
    if (y > 0 && memcmp(piece, piece - SIZE, PIECE * sizeof *piece) == 0) {
        memcpy(grid, grid - SIZE, PIECE * sizeof *grid);
        memcpy(tiles, tiles - FAR_WIDTH, PIECE);
        return;
    }
    uint32_t seen = 0;
    for (int32_t i = 0; i < PIECE; i++) {
        const uint32_t look = looks[piece[i]];
        seen |= look;
        grid[i] = look & STEP_BITS;
    }
    for (int32_t i = 0; seen & LOOK_CHOICE && i < PIECE; i++)
        grid[i] = step_at(g, connection, piece[i]);
    memset(tiles, FAR_MAX, PIECE);
    for (int32_t i = 0; seen & (LOOK_TILE | LOOK_CHOICE) && i < PIECE; i++)
        tiles[i] = is_tile(grid[i]) ? 0 : FAR_MAX;
}

static void look_up_all(generator *g, size_t connection, const ptl_oter *cells)
{
    connector *k = g->connector;
    memcpy(k->seen, cells, CELLS * sizeof *cells);
    k->far_anew = true;
    memset(k->stale, 0xff, sizeof k->stale);
    for (int32_t y = 0; y < SIZE; y++) {
        for (int32_t x = 0; x < SIZE; x += PIECE)
            look_up_piece(g, connection, cells, x, y);
        memset(&k->tiles[y * FAR_WIDTH + SIZE], FAR_MAX, FAR_WIDTH - SIZE);
        k->row_has[y] = memchr(&k->tiles[y * FAR_WIDTH], 0, SIZE) != NULL;
    }
    find_columns(k);
    close_ring(k);
    count_bare(k);
}

/* ---- what has changed ---- */
typedef struct changes {
    generator *g;
    connector *k;
    size_t connection;
    const uint32_t *looks; /* the connection's, by oter */
    const ptl_oter *cells;
    bool gone;  /* a tile */
    bool fewer; /* bare columns or rows */
} changes;

static void add_tile(changes *c, int32_t x, int32_t y)
{
    connector *k = c->k;
    c->fewer = c->fewer || !k->column_has[x] || !k->row_has[y];
    k->column_has[x] = k->row_has[y] = true;
    if (k->fresh_count < FRESH_MAX)
        k->fresh[k->fresh_count++] = (uint16_t)(y * SIZE + x);
    else
        k->far_anew = true;
}

static void look_up_cell(changes *c, int32_t i)
{
    connector *k = c->k;
    const ptl_oter oter = c->cells[i];
    if (oter == k->seen[i])
        return;
    const int32_t x = i % SIZE, y = i / SIZE;
    const uint32_t look = c->looks[oter];
    const uint32_t step =
        look & LOOK_CHOICE ? connect_class(c->g, c->connection, oter).step : look & STEP_BITS;
    const bool ring = x == 0 || y == 0 || x == SIZE - 1 || y == SIZE - 1;
    uint8_t *const tile = &k->tiles[y * FAR_WIDTH + x];
    k->seen[i] = oter;
    if (!ring && step != k->grid[i])
        connect_set_step(k, i, step);
    if (is_tile(step) && *tile)
        add_tile(c, x, y);
    c->gone = c->gone || (!is_tile(step) && !*tile);
    *tile = is_tile(step) ? 0 : FAR_MAX;
}

static void compare_row(changes *c, int32_t y)
{
    const ptl_oter *seen = &c->k->seen[y * SIZE], *cells = &c->cells[y * SIZE];
    if (memcmp(cells, seen, SIZE * sizeof *cells) == 0)
        return;
    for (int32_t x = 0; x < SIZE; x++)
        if (cells[x] != seen[x])
            look_up_cell(c, y * SIZE + x);
}

static void look_up_changes(generator *g, size_t connection, const ptl_oter *cells)
{
    connector *k = g->connector;
    const uint32_t *looks = compiled(g, connection)->looks;
    changes c = {g, k, connection, looks, cells, false, false};
    for (size_t i = 0; k->tracked && i < k->touched_count; i++)
        look_up_cell(&c, k->touched[i]);
    for (int32_t y = 0; !k->tracked && y < SIZE; y++)
        compare_row(&c, y);
    if (c.gone) {
        for (int32_t y = 0; y < SIZE; y++)
            k->row_has[y] = memchr(&k->tiles[y * FAR_WIDTH], 0, SIZE) != NULL;
        find_columns(k);
        k->far_anew = true;
    }
    if (c.gone || c.fewer)
        count_bare(k);
}

/* As far as they matter. */
static bool same_choices(const compiled_connection *c, const connector *k)
{
    for (size_t i = 0; i < c->choice_count; i++)
        if (c->choices[i].matters && k->choice[i] != k->grid_choice[i])
            return false;
    return true;
}

void connect_sync(generator *g, size_t connection, const ptl_oter *cells)
{
    connector *k = g->connector;
    const compiled_connection *c = compiled(g, connection);
    if (k->valid && k->connection == connection && same_choices(c, k))
        look_up_changes(g, connection, cells);
    else
        look_up_all(g, connection, cells);
    k->valid = k->tracked = true;
    k->touched_count = 0;
    k->connection = connection;
    memcpy(k->grid_choice, k->choice, c->choice_count);
}
