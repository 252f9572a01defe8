/*
 * Makes each connect_view (in this file: a view), which is what the searches of one connection
 * need of a level. It has, for each cell, the number (see STEP_COST) that says how the cell can
 * be entered; the places of the connection's OMTs; and how many columns and rows have no such
 * OMT. It is brought up to date before each search. The connection engine records the cells
 * that it writes. What other code may have written is found by comparing the level with a copy,
 * which takes a few microseconds. Several views are kept, since to make a new one takes ten
 * times as long. Distances to the connection's OMTs are measured only when they are needed
 * (connect_far_kernel.h).
 */
#include "gen/connect/connect_impl.h"

#include "core/cpu.h"

#include <string.h>

void connect_measure(connect_view *v)
{
    if (v->far_anew || v->fresh_count > 0)
        CPU_IF(CPU_AVX2, connect_measure_avx2, connect_measure_base)(v);
    v->far_anew = false;
    v->fresh_count = 0;
}

static void count_bare(connect_view *v)
{
    v->lines_measured = false;
    for (int i = 0; i < SIZE; i++) {
        v->bare_columns[i + 1] = (int16_t)(v->bare_columns[i] + !v->column_has[i]);
        v->bare_rows[i + 1] = (int16_t)(v->bare_rows[i] + !v->row_has[i]);
    }
}

static bool is_omt(uint32_t step)
{
    return (step & STEP_COST) == 1;
}

/* ---- all cells ---- */

/* Finds which columns of the chunk have OMTs of the connection. */
static void find_columns(connect_view *v)
{
    uint8_t least[FAR_WIDTH];
    memset(least, FAR_MAX, sizeof least);
    for (int32_t y = 0; y < SIZE; y++) {
        const uint8_t *restrict omts = &v->omts[y * FAR_WIDTH];
        if (!v->row_has[y])
            continue;
        for (int32_t x = 0; x < FAR_WIDTH; x++)
            least[x] &= omts[x];
    }
    for (int32_t x = 0; x < SIZE; x++)
        v->column_has[x] = least[x] == 0;
}

/* How many cells of a row look_up_piece handles at once. */
enum { PIECE = SIZE / 9 };

/* Fills in the connect_view for the PIECE cells of a row from x on. If these cells are equal to
 * those of the row above, as is common below the ground, what the view has for that row is
 * copied. */
static void look_up_piece(generator *g, size_t connection, const ptl_oter *cells, int32_t x,
                          int32_t y)
{
    connect_view *v = g->connector->view;
    const uint32_t *looks = compiled(g, connection)->looks;
    const ptl_oter *piece = &cells[y * SIZE + x];
    uint32_t *restrict grid = &v->grid[y * SIZE + x];
    uint8_t *restrict omts = &v->omts[y * FAR_WIDTH + x];
    if (y > 0 && memcmp(piece, piece - SIZE, PIECE * sizeof *piece) == 0) {
        memcpy(grid, grid - SIZE, PIECE * sizeof *grid);
        memcpy(omts, omts - FAR_WIDTH, PIECE);
        return;
    }
    uint32_t seen = 0;
    for (int32_t i = 0; i < PIECE; i++) {
        const uint32_t look = looks[piece[i]];
        seen |= look;
        grid[i] = look & STEP_BITS;
    }
    for (int32_t i = 0; seen & LOOK_CHOICE && i < PIECE; i++)
        if (looks[piece[i]] & LOOK_CHOICE)
            grid[i] = connect_class(g, connection, piece[i]).step;
    memset(omts, FAR_MAX, PIECE);
    for (int32_t i = 0; seen & (LOOK_OMT | LOOK_CHOICE) && i < PIECE; i++)
        omts[i] = is_omt(grid[i]) ? 0 : FAR_MAX;
}

/* Fills in the connect_view anew from all cells of the level. */
static void look_up_all(generator *g, size_t connection, const ptl_oter *cells)
{
    connect_view *v = g->connector->view;
    memcpy(v->seen, cells, CELLS * sizeof *cells);
    v->far_anew = true;
    memset(v->stale, 0xff, sizeof v->stale);
    memset(v->hopeless, 0, sizeof v->hopeless);
    for (int32_t y = 0; y < SIZE; y++) {
        for (int32_t x = 0; x < SIZE; x += PIECE)
            look_up_piece(g, connection, cells, x, y);
        memset(&v->omts[y * FAR_WIDTH + SIZE], FAR_MAX, FAR_WIDTH - SIZE);
        v->row_has[y] = memchr(&v->omts[y * FAR_WIDTH], 0, SIZE) != NULL;
    }
    find_columns(v);
    /* Paths keep off the outermost cells of the chunk. So clear what the grid has for these
     * cells, which means that they can't be entered. */
    for (int32_t i = 0; i < SIZE; i++) {
        v->grid[i] = v->grid[CELLS - 1 - i] = 0;
        v->grid[i * SIZE] = v->grid[i * SIZE + SIZE - 1] = 0;
    }
    count_bare(v);
}

/* ---- what has changed ---- */
typedef struct changes {
    generator *g;
    connect_view *v;
    size_t connection;
    /* Borrowed from the compiled connection: for each oter, how a path may enter it, and more
     * (compiled_connection.looks). */
    const uint32_t *looks;
    const ptl_oter *cells;
    bool gone; /* whether another oter now stands where the view has an OMT of the connection */
    bool opened; /* whether a cell can be entered by more paths than before, or is a new goal
                    (STEP_OPENS) */
    /* Whether any column or row got its first OMT of the connection. */
    bool fewer;
} changes;

/* Brings up to date what the connect_view says about one cell. Notes in *c what else in the
 * view must change with it: the distances to OMTs of the connection, or which columns and rows
 * have such an OMT. */
static void look_up_cell(changes *c, int32_t i)
{
    connect_view *v = c->v;
    const ptl_oter oter = c->cells[i];
    if (oter == v->seen[i])
        return;
    const int32_t x = i % SIZE, y = i / SIZE;
    const uint32_t look = c->looks[oter];
    const uint32_t step =
        look & LOOK_CHOICE ? connect_class(c->g, c->connection, oter).step : look & STEP_BITS;
    uint8_t *const omt = &v->omts[y * FAR_WIDTH + x];
    v->seen[i] = oter;
    if (inside_ring(x, y) && step != v->grid[i]) {
        c->opened = c->opened || (step & ~v->grid[i] & STEP_OPENS);
        connect_set_step(v, i, step);
    }
    if (is_omt(step) && *omt) {
        c->fewer = c->fewer || !v->column_has[x] || !v->row_has[y];
        v->column_has[x] = v->row_has[y] = true;
        if (v->fresh_count < FRESH_MAX)
            v->fresh[v->fresh_count++] = (uint16_t)(y * SIZE + x);
        else
            v->far_anew = true;
    }
    c->gone = c->gone || (!is_omt(step) && !*omt);
    *omt = is_omt(step) ? 0 : FAR_MAX;
}

static void compare_row(changes *c, int32_t y)
{
    const ptl_oter *seen = &c->v->seen[y * SIZE], *cells = &c->cells[y * SIZE];
    enum { AT_ONCE = 20 };
    if (memcmp(cells, seen, SIZE * sizeof *cells) == 0)
        return;
    for (int32_t first = 0; first < SIZE; first += AT_ONCE) {
        if (memcmp(cells + first, seen + first, AT_ONCE * sizeof *cells) == 0)
            continue;
        for (int32_t x = first; x < first + AT_ONCE; x++)
            if (cells[x] != seen[x])
                look_up_cell(c, y * SIZE + x);
    }
    _Static_assert(SIZE % AT_ONCE == 0, "a row is whole pieces");
}

/* Brings the connect_view up to date. If the connector's record has all cells that were written
 * since the view's last use, only these are looked at; otherwise all rows are compared with the
 * view's copy. */
static void look_up_changes(generator *g, size_t connection, const ptl_oter *cells)
{
    const connector *k = g->connector;
    connect_view *v = k->view;
    const uint32_t *looks = compiled(g, connection)->looks;
    changes c = {g, v, connection, looks, cells, false, false, false};
    const bool recorded = v->record == k->record && v->cells == cells;
    for (size_t i = v->known; recorded && i < k->touched_count; i++)
        look_up_cell(&c, k->touched[i]);
    for (int32_t y = 0; !recorded && y < SIZE; y++)
        compare_row(&c, y);
    if (c.gone) {
        for (int32_t y = 0; y < SIZE; y++)
            v->row_has[y] = memchr(&v->omts[y * FAR_WIDTH], 0, SIZE) != NULL;
        find_columns(v);
        v->far_anew = true;
    }
    if (c.gone || c.fewer)
        count_bare(v);
    if (c.opened)
        memset(v->hopeless, 0, sizeof v->hopeless);
}

/* ---- which view ---- */

/* How a cell can be entered (connect_view.grid) may depend on the subtypes that were chosen at
 * random for a path. Returns whether the choices for the present path are those with which the
 * connect_view was made. */
static bool same_choices(const compiled_connection *c, const connector *k,
                         const connect_view *v)
{
    for (size_t i = 0; i < c->choice_count; i++)
        if (c->choices[i].matters && k->choice[i] != v->choice[i])
            return false;
    return true;
}

/* Returns the connect_view that a new view may overwrite. While connections of specials are
 * built, it is an unused view or the one that was not used for the longest time; otherwise it
 * is the view of the last search, whose memory is in the processor's cache. */
static connect_view *spare_view(connector *k)
{
    connect_view *oldest = &k->views[0];
    if (k->linked == CONNECT_NO_LEVEL)
        return k->view;
    for (size_t i = 0; i < VIEWS; i++) {
        connect_view *v = &k->views[i];
        if (!v->valid)
            return v;
        if (k->uses - v->last_use > k->uses - oldest->last_use)
            oldest = v;
    }
    return oldest;
}

void connect_sync(generator *g, size_t connection, const ptl_oter *cells)
{
    connector *k = g->connector;
    const compiled_connection *c = compiled(g, connection);
    /* Find the connect_view that the connection has of this level or, failing that, of another
     * level, which usually differs little. `found` is NULL if the connection has no view at
     * all. */
    connect_view *found = NULL;
    for (size_t i = 0; i < VIEWS; i++) {
        connect_view *at = &k->views[i];
        if (at->valid && at->connection == connection && same_choices(c, k, at) &&
            (!found || at->cells == cells))
            found = at;
    }
    connect_view *const v = found ? found : spare_view(k);
    /* If the last search used another view, the path search of connect_field_rows.h must read
     * all cells of this view's grid again; v->stale says which cells it must read. */
    if (v != k->view)
        memset(v->stale, 0xff, sizeof v->stale);
    k->view = v;
    if (found)
        look_up_changes(g, connection, cells);
    else
        look_up_all(g, connection, cells);
    if (k->touched_count > TOUCHED_MAX / 2)
        connect_forget(k);
    v->valid = true;
    v->connection = connection;
    v->cells = cells;
    v->record = k->record;
    v->known = k->touched_count;
    v->last_use = ++k->uses;
    memcpy(v->choice, k->choice, c->choice_count);
}

void connect_drop_views(connector *k)
{
    for (size_t i = 0; i < VIEWS; i++)
        k->views[i].valid = false;
}
