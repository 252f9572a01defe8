/*
 * Measures cells: terrains, lines, water, and the distances of land to cities and roads. Cells
 * are counted in runs, as most of a level consists of long runs.
 */
#include "analysis/measure/measure_impl.h"

#include "codec/level_starts.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = PTL_CHUNK_SIZE, CELLS = PTL_LEVEL_CELLS };

/* ---- terrains ---- */

static inline void count_run(measurer *m, size_t at, ptl_oter oter, int32_t cells)
{
    const uint16_t rank = m->rank_of_oter[oter];
    m->cells[rank][at] += cells;
    m->cells_levels[rank] |= UINT32_C(1) << at;
}

static void count_level(measurer *m, size_t at, const level *l)
{
    if (!l->cells) {
        count_run(m, at, l->fill, CELLS);
        return;
    }
    int32_t start = 0, i = 1;
    for (; i + STARTS_AT_ONCE <= CELLS; i += STARTS_AT_ONCE)
        for (uint64_t bits = level_starts(l->cells + i); bits; bits &= bits - 1) {
            const int32_t end = i + __builtin_ctzll(bits);
            count_run(m, at, l->cells[start], end - start);
            start = end;
        }
    for (; i < CELLS; i++)
        if (l->cells[i] != l->cells[i - 1]) {
            count_run(m, at, l->cells[start], i - start);
            start = i;
        }
    count_run(m, at, l->cells[start], CELLS - start);
}

static bool list_terrains(const measuring *in)
{
    const measurer *m = in->m;
    summary *out = in->out;
    size_t count = 0;
    for (size_t r = 0; r < catalogue_all_terrains(m->cat); r++)
        count += (size_t)__builtin_popcount(m->cells_levels[r]);
    out->terrains = arena_calloc(out->memory, count + 1, sizeof *out->terrains);
    if (!out->terrains)
        return false;
    for (size_t r = 0; r < catalogue_all_terrains(m->cat); r++)
        for (uint32_t levels = m->cells_levels[r]; levels; levels &= levels - 1) {
            const int32_t at = __builtin_ctz(levels);
            out->terrains[out->terrain_count++] =
                (summary_terrain){.id = m->cat->terrains[m->terrains[r]].id,
                                  .z = (int8_t)(at + PTL_Z_MIN),
                                  .cells = m->cells[r][at]};
        }
    return true;
}

static int by_line(const void *a, const void *b)
{
    const summary_line *p = a, *q = b;
    return strcmp(p->id, q->id);
}

static bool list_lines(const measuring *in)
{
    const catalogue *cat = in->m->cat;
    summary *out = in->out;
    out->lines = arena_calloc(out->memory, cat->connection_count + 1, sizeof *out->lines);
    if (!out->lines)
        return false;
    for (size_t i = 0; i < cat->connection_count; i++) {
        const cat_connection *c = &cat->connections[i];
        int32_t cells = 0;
        for (size_t r = 0; r < catalogue_all_terrains(in->m->cat); r++) {
            const uint16_t terrain = in->m->terrains[r];
            if (!in->m->cells_levels[r] || !cat_terrain_in(c->terrains, terrain))
                continue;
            for (size_t at = 0; at < PTL_LEVELS; at++)
                cells += in->m->cells[r][at];
        }
        if (cells > 0)
            out->lines[out->line_count++] = (summary_line){cat->connections[i].id, cells};
    }
    qsort(out->lines, out->line_count, sizeof *out->lines, by_line);
    return true;
}

bool measure_cells(const measuring *in, uint32_t parts)
{
    measurer *m = in->m;
    for (size_t at = 0; at < PTL_LEVELS; at++)
        count_level(m, at, &in->chunk->levels[at]);
    const bool done = (!(parts & PTL_COUNT_TERRAINS) || list_terrains(in)) &&
                      (!(parts & PTL_COUNT_LINES) || list_lines(in));
    for (size_t r = 0; r < catalogue_all_terrains(m->cat); r++)
        if (m->cells_levels[r]) {
            memset(m->cells[r], 0, sizeof m->cells[r]);
            m->cells_levels[r] = 0;
        }
    return done;
}

/* ---- kinds of cells ---- */

void find_kinds(const measuring *in)
{
    measurer *m = in->m;
    const level *l = &in->chunk->levels[-PTL_Z_MIN];
    if (m->knows_kinds)
        return;
    m->knows_kinds = true;
    if (!l->cells) {
        memset(m->kinds, m->kind_of_oter[l->fill], sizeof m->kinds);
        return;
    }
    for (size_t i = 0; i < CELLS; i++)
        m->kinds[i] = m->kind_of_oter[l->cells[i]];
}

void find_roads(const measuring *in)
{
    measurer *m = in->m;
    find_kinds(in);
    if (!m->knows_road)
        m->has_road = distance_to_cells(m->road, &m->distance, m->kinds, KIND_ROAD);
    m->knows_road = true;
}

/* ---- water ---- */

/* A run of one kind of water in a row. Runs that touch form a tree, whose root stands for
 * the whole water. */
typedef struct water_run {
    int16_t start, end; /* columns in its row; end is behind the last */
    uint8_t kind;
    int32_t parent; /* its own index if it is a root */
    int32_t cells;  /* of a root: sum over its tree */
} water_run;

static int32_t root_of(water_run *runs, int32_t i)
{
    while (runs[i].parent != i) {
        runs[i].parent = runs[runs[i].parent].parent;
        i = runs[i].parent;
    }
    return i;
}

static void unite(water_run *runs, int32_t a, int32_t b)
{
    a = root_of(runs, a);
    b = root_of(runs, b);
    if (a == b)
        return;
    runs[b].parent = a;
    runs[a].cells += runs[b].cells;
}

/* Joins the runs first .. end - 1 of a row with the runs above .. first - 1 of the previous
 * row, where they touch. */
static void join_rows(water_run *runs, int32_t above, int32_t first, int32_t end)
{
    for (int32_t i = first, j = above; i < end && j < first;) {
        if (runs[i].kind == runs[j].kind && runs[i].start < runs[j].end &&
            runs[j].start < runs[i].end)
            unite(runs, j, i);
        if (runs[i].end < runs[j].end)
            i++;
        else
            j++;
    }
}

static int32_t add_runs(water_run *runs, int32_t count, const uint8_t *row)
{
    for (int32_t x = 0, start; x < SIDE;) {
        const uint8_t kind = row[x] & KIND_WATER;
        for (start = x++; x < SIDE && (row[x] & KIND_WATER) == kind;)
            x++;
        if (kind) {
            runs[count] = (water_run){(int16_t)start, (int16_t)x, kind, count, x - start};
            count++;
        }
    }
    return count;
}

static int by_kind_and_cells(const void *a, const void *b)
{
    const summary_water *p = a, *q = b;
    return p->kind != q->kind ? (p->kind < q->kind ? -1 : 1) : q->cells - p->cells;
}

bool measure_waters(const measuring *in)
{
    summary *out = in->out;
    water_run *runs = measurer_list(in->m, CELLS, sizeof *runs);
    int32_t count = 0, above = 0, roots = 0;
    if (!runs)
        return false;
    find_kinds(in);
    for (int32_t y = 0; y < SIDE; y++) {
        const int32_t first = count;
        count = add_runs(runs, first, in->m->kinds + y * SIDE);
        join_rows(runs, above, first, count);
        above = first;
    }
    for (int32_t i = 0; i < count; i++)
        roots += runs[i].parent == i;
    out->waters = arena_calloc(out->memory, (size_t)roots + 1, sizeof *out->waters);
    if (!out->waters)
        return false;
    for (int32_t i = 0; i < count; i++)
        if (runs[i].parent == i)
            out->waters[out->water_count++] = (summary_water){
                runs[i].kind == KIND_LAKE ? SUMMARY_LAKE : SUMMARY_RIVER, runs[i].cells};
    qsort(out->waters, out->water_count, sizeof *out->waters, by_kind_and_cells);
    return true;
}

/* ---- the baseline ---- */

/* Counts land cells by distance. distances is NULL if the overmap has nothing to measure
 * to. */
static void count_distances(int32_t out[SUMMARY_FAR + 2], const uint8_t *distances,
                            const uint8_t *kinds)
{
    /* Two counters for each distance, used in turn, since neighbours mostly have the same
     * distance and one counter would wait for itself. The last pair counts water. */
    int32_t counts[SUMMARY_FAR + 2][2] = {{0}};
    for (size_t i = 0; i < CELLS; i++) {
        const bool water = (kinds[i] & KIND_WATER) != 0;
        const size_t distance = distances ? distances[i] : 0;
        counts[water ? SUMMARY_FAR + 1 : distance][i % 2]++;
    }
    for (size_t d = 0; d <= SUMMARY_FAR; d++)
        out[d] = counts[d][0] + counts[d][1];
    out[SUMMARY_FAR + 1] = 0;
    if (!distances) {
        out[SUMMARY_FAR + 1] = out[0];
        out[0] = 0;
    }
}

bool measure_baseline(const measuring *in)
{
    measurer *m = in->m;
    const bool has_city = m->cities.count > 0;
    find_roads(in);
    if (has_city && !distance_to_cities(m->city, &m->cities))
        return false;
    count_distances(in->out->baseline.city, has_city ? m->city : NULL, m->kinds);
    count_distances(in->out->baseline.road, m->has_road ? m->road : NULL, m->kinds);
    uint8_t *land = arena_calloc(in->out->memory, CELLS, 1);
    for (size_t i = 0; land && i < CELLS; i++)
        land[i] = !(in->m->kinds[i] & KIND_WATER);
    in->out->land = land;
    return land;
}
