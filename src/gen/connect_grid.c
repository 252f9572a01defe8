/*
 * The search's view of a level: a step for each cell, where the connection's tiles are, and how
 * many columns and rows hold none. It is brought up to date before each search. What the engine
 * itself drew since the last one it knows; what other code may have written is found by a
 * comparison with the cells of then, which takes a few microseconds.
 *
 * How far each cell is from the tiles is measured when somebody asks: new tiles lower the
 * distances around them, as far as that changes anything. Where a tile is gone, all are
 * measured anew.
 */
#include "gen/connect_impl.h"

#include <string.h>

/* Paths keep off the border. */
static void close_ring(connector *k)
{
    for (int32_t i = 0; i < SIZE; i++) {
        k->grid[i] = k->grid[CELLS - 1 - i] = 0;
        k->grid[i * SIZE] = k->grid[i * SIZE + SIZE - 1] = 0;
    }
}

enum { PAD = (FAR_MAX + 1) / 2, PADDED = PAD + FAR_WIDTH + PAD };

/* The nearer of two cells at this distance on either side. Whole vectors at a time: the row is
 * padded to a multiple of them. */
static void leap(uint8_t *restrict to, const uint8_t *restrict from, int distance)
{
    const uint8_t most = (uint8_t)(FAR_MAX - distance);
    for (int x = 0; x < FAR_WIDTH; x++) {
        const uint8_t left = from[PAD + x - distance], right = from[PAD + x + distance];
        uint8_t least = left < right ? left : right;
        least = least < most ? least : most;
        const uint8_t moved = (uint8_t)(least + distance);
        to[PAD + x] = moved < from[PAD + x] ? moved : from[PAD + x];
    }
}

/* Distances within a row of 0 and FAR_MAX: by leaps of 1, 2, 4, ..., since every distance is a
 * sum of such. */
static void measure_row(uint8_t *row)
{
    uint8_t a[PADDED], b[PADDED];
    memset(a, FAR_MAX, sizeof a);
    memset(b, FAR_MAX, sizeof b);
    memcpy(a + PAD, row, FAR_WIDTH);
    for (int distance = 1; distance <= PAD; distance *= 4) {
        leap(b, a, distance);
        leap(a, b, 2 * distance);
    }
    memcpy(row, a + PAD, FAR_WIDTH);
}

/* Distances go from row to row within columns, so a block of columns is measured by itself:
 * most new tiles are nearer to a few of them only. */
enum { BLOCK = FAR_WIDTH / 3 };

/* Lowers a row of distances to what the row beside it allows; was there anything to lower? */
static bool take_row(uint8_t *restrict row, const uint8_t *restrict beside)
{
    uint8_t changed = 0;
    for (int x = 0; x < BLOCK; x++) {
        const uint8_t near = beside[x] < FAR_MAX - 1 ? beside[x] : FAR_MAX - 1;
        const uint8_t far = (uint8_t)(near + 1), least = far < row[x] ? far : row[x];
        changed = (uint8_t)(changed | (least ^ row[x]));
        row[x] = least;
    }
    return changed != 0;
}

/* The same for a new tile in the row: the distances to it lie in `steps`. */
static bool lower_row(uint8_t *restrict row, const uint8_t *restrict steps)
{
    uint8_t changed = 0;
    for (int x = 0; x < BLOCK; x++) {
        const uint8_t least = steps[x] < row[x] ? steps[x] : row[x];
        changed = (uint8_t)(changed | (least ^ row[x]));
        row[x] = least;
    }
    return changed != 0;
}

/* From rows of a block that were lowered to the others. Distances of neighbouring rows differ
 * by at most 1 before, so that a sweep ends behind the rows at the first one that it does not
 * change. */
static void measure_across(uint8_t *far, int32_t first, int32_t last)
{
    int32_t y = first + 1;
    while (y < SIZE && (take_row(&far[y * FAR_WIDTH], &far[(y - 1) * FAR_WIDTH]) || y <= last))
        y++;
    for (y -= 2; y >= 0; y--)
        if (!take_row(&far[y * FAR_WIDTH], &far[(y + 1) * FAR_WIDTH]) && y < first)
            break;
}

static void measure_anew(connector *k)
{
    memcpy(k->far, k->tiles, SIZE * FAR_WIDTH);
    for (int32_t y = 0; y < SIZE; y++)
        if (k->row_has[y])
            measure_row(&k->far[y * FAR_WIDTH]);
    for (int32_t x = 0; x < FAR_WIDTH; x += BLOCK)
        measure_across(&k->far[x], 0, SIZE - 1);
}

static void measure_fresh(connector *k)
{
    uint8_t steps[2 * FAR_WIDTH]; /* down to 0 in the middle, and up again */
    for (int i = 0; i < FAR_WIDTH; i++) {
        steps[i] = (uint8_t)(FAR_WIDTH - i);
        steps[FAR_WIDTH + i] = (uint8_t)i;
    }
    for (int32_t x = 0; x < FAR_WIDTH; x += BLOCK) {
        int32_t first = SIZE, last = -1;
        for (size_t i = 0; i < k->fresh_count; i++) {
            const int32_t column = k->fresh[i] % SIZE, y = k->fresh[i] / SIZE;
            if (!lower_row(&k->far[y * FAR_WIDTH + x], &steps[FAR_WIDTH + x - column]))
                continue;
            first = y < first ? y : first;
            last = y > last ? y : last;
        }
        if (last >= 0)
            measure_across(&k->far[x], first, last);
    }
}

void connect_measure(connector *k)
{
    if (k->far_anew)
        measure_anew(k);
    else if (k->fresh_count > 0)
        measure_fresh(k);
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

/* Of a row that may have some. */
static void mark_tiles(connector *k, int32_t y)
{
    const uint32_t *grid = &k->grid[y * SIZE];
    uint8_t *restrict tiles = &k->tiles[y * FAR_WIDTH];
    for (int32_t x = 0; x < SIZE; x++) {
        tiles[x] = is_tile(grid[x]) ? 0 : FAR_MAX;
        k->column_has[x] |= tiles[x] == 0;
        k->row_has[y] |= tiles[x] == 0;
    }
}

/* A row like the one before, as there are many under the ground, is a copy of it. */
static void look_up_row(generator *g, size_t connection, const ptl_oter *cells, int32_t y)
{
    connector *k = g->connector;
    const uint32_t *looks = compiled(g, connection)->looks;
    const ptl_oter *row = &cells[y * SIZE];
    uint32_t *grid = &k->grid[y * SIZE];
    uint8_t *tiles = &k->tiles[y * FAR_WIDTH];
    if (y > 0 && memcmp(row, row - SIZE, SIZE * sizeof *row) == 0) {
        memcpy(grid, grid - SIZE, SIZE * sizeof *grid);
        memcpy(tiles, tiles - FAR_WIDTH, FAR_WIDTH);
        k->row_has[y] = k->row_has[y - 1];
        return;
    }
    uint32_t seen = 0;
    for (int32_t x = 0; x < SIZE; x++) {
        seen |= looks[row[x]];
        grid[x] = looks[row[x]] & STEP_BITS;
    }
    for (int32_t x = 0; seen & LOOK_CHOICE && x < SIZE; x++)
        grid[x] = step_at(g, connection, row[x]);
    memset(tiles, FAR_MAX, FAR_WIDTH);
    k->row_has[y] = false;
    if (seen & (LOOK_TILE | LOOK_CHOICE))
        mark_tiles(k, y);
}

static void look_up_all(generator *g, size_t connection, const ptl_oter *cells)
{
    connector *k = g->connector;
    memcpy(k->seen, cells, CELLS * sizeof *cells);
    k->far_anew = true;
    memset(k->column_has, 0, sizeof k->column_has);
    memset(k->stale, 0xff, sizeof k->stale);
    for (int32_t y = 0; y < SIZE; y++)
        look_up_row(g, connection, cells, y);
    close_ring(k);
    count_bare(k);
}

/* ---- what has changed ---- */
typedef struct changes {
    generator *g;
    size_t connection;
    const ptl_oter *cells;
    bool gone;  /* a tile */
    bool fewer; /* bare columns or rows */
} changes;

static void add_tile(changes *c, int32_t x, int32_t y)
{
    connector *k = c->g->connector;
    c->fewer = c->fewer || !k->column_has[x] || !k->row_has[y];
    k->column_has[x] = k->row_has[y] = true;
    if (k->fresh_count < FRESH_MAX)
        k->fresh[k->fresh_count++] = (uint16_t)(y * SIZE + x);
    else
        k->far_anew = true;
}

static void look_up_cell(changes *c, int32_t i)
{
    connector *k = c->g->connector;
    const int32_t x = i % SIZE, y = i / SIZE;
    const uint32_t step = step_at(c->g, c->connection, c->cells[i]);
    const bool ring = x == 0 || y == 0 || x == SIZE - 1 || y == SIZE - 1;
    uint8_t *const tile = &k->tiles[y * FAR_WIDTH + x];
    k->seen[i] = c->cells[i];
    connect_set_step(k, i, ring ? 0 : step);
    if (is_tile(step) && *tile)
        add_tile(c, x, y);
    c->gone = c->gone || (!is_tile(step) && !*tile);
    *tile = is_tile(step) ? 0 : FAR_MAX;
}

static void compare_row(changes *c, int32_t y)
{
    const ptl_oter *seen = &c->g->connector->seen[y * SIZE], *cells = &c->cells[y * SIZE];
    if (memcmp(cells, seen, SIZE * sizeof *cells) == 0)
        return;
    for (int32_t x = 0; x < SIZE; x++)
        if (cells[x] != seen[x])
            look_up_cell(c, y * SIZE + x);
}

/* Which columns and rows have tiles, from the tiles. */
static void find_lines(connector *k)
{
    memset(k->column_has, 0, sizeof k->column_has);
    for (int32_t y = 0; y < SIZE; y++) {
        const uint8_t *tiles = &k->tiles[y * FAR_WIDTH];
        k->row_has[y] = memchr(tiles, 0, SIZE) != NULL;
        for (int32_t x = 0; k->row_has[y] && x < SIZE; x++)
            k->column_has[x] |= tiles[x] == 0;
    }
}

static void look_up_changes(generator *g, size_t connection, const ptl_oter *cells)
{
    connector *k = g->connector;
    changes c = {g, connection, cells, false, false};
    for (size_t i = 0; k->tracked && i < k->touched_count; i++)
        look_up_cell(&c, k->touched[i]);
    for (int32_t y = 0; !k->tracked && y < SIZE; y++)
        compare_row(&c, y);
    if (c.gone) {
        find_lines(k);
        k->far_anew = true;
    }
    if (c.gone || c.fewer)
        count_bare(k);
}

void connect_sync(generator *g, size_t connection, const ptl_oter *cells)
{
    connector *k = g->connector;
    const size_t choices = compiled(g, connection)->choice_count;
    const bool same = k->valid && k->connection == connection &&
                      memcmp(k->choice, k->grid_choice, choices) == 0;
    if (same)
        look_up_changes(g, connection, cells);
    else
        look_up_all(g, connection, cells);
    k->valid = k->tracked = true;
    k->touched_count = 0;
    k->connection = connection;
    memcpy(k->grid_choice, k->choice, choices);
}
