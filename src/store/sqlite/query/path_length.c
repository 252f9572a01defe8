/*
 * path_length(world, connection, x0, y0, x1, y1 [, z]): number of steps of the shortest path
 * between two OMTs along a connection's lines. It is an A* search with the Manhattan distance
 * as its estimate. With each step that distance changes by one, so the estimated length of a
 * path stays or grows by two. Therefore two stacks serve as the queue. Chunks are read as the
 * search enters them.
 */
#include "core/array.h"
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/query/path_length_tiles.h"

#include <stdlib.h>
#include <string.h>

enum { VISITED_MAX = 4000000 /* OMTs that one search may visit */ };

typedef struct path_step {
    path_chunk *chunk;
    uint32_t length; /* of the path that leads to it */
    uint16_t cell;
} path_step;

typedef struct step_stack {
    path_step *steps; /* owned */
    size_t count, room;
} step_stack;

typedef struct path_end {
    int64_t x, y; /* absolute OMTs */
} path_end;

typedef struct path_search {
    path_tiles *tiles;
    path_end goal;
    step_stack now, later; /* steps with the least estimate, and those with two more */
    size_t visited;
} path_search;

static bool push(step_stack *s, path_step step)
{
    if (!ARRAY_ROOM(s->steps, s->room, s->count + 1))
        return false;
    s->steps[s->count++] = step;
    return true;
}

static int64_t floor_chunk(int64_t v)
{
    return v / PTL_CHUNK_SIZE - (v % PTL_CHUNK_SIZE < 0);
}

/* Finds the OMT at an end of the path. out->chunk is NULL if none can be there. */
static ptl_status find_end(path_step *out, path_tiles *tiles, path_end end, ptl_error *err)
{
    const int64_t x = floor_chunk(end.x), y = floor_chunk(end.y);
    *out = (path_step){NULL, 0, 0};
    if (x < -PTL_CHUNK_COORD_MAX || x > PTL_CHUNK_COORD_MAX || y < -PTL_CHUNK_COORD_MAX ||
        y > PTL_CHUNK_COORD_MAX)
        return PTL_OK;
    path_chunk *chunk = NULL;
    TRY(path_tiles_get(&chunk, tiles, (ptl_chunk_pos){(int32_t)x, (int32_t)y}, err));
    out->cell = (uint16_t)((end.y - y * PTL_CHUNK_SIZE) * PTL_CHUNK_SIZE +
                           (end.x - x * PTL_CHUNK_SIZE));
    if (chunk->cells[out->cell] & PATH_TILE)
        out->chunk = chunk;
    return PTL_OK;
}

static bool seen(const path_step *s)
{
    return s->chunk->seen[s->cell / 8] >> (s->cell % 8) & 1;
}

/* Returns 1 if a step to that side comes nearer to the goal, otherwise -1. */
static int gain(const path_search *p, const path_step *s, unsigned side)
{
    const int64_t x = (int64_t)s->chunk->pos.x * PTL_CHUNK_SIZE + s->cell % PTL_CHUNK_SIZE;
    const int64_t y = (int64_t)s->chunk->pos.y * PTL_CHUNK_SIZE + s->cell / PTL_CHUNK_SIZE;
    const bool nearer[4] = {p->goal.y<y, p->goal.x> x, p->goal.y > y, p->goal.x < x};
    return nearer[side] ? 1 : -1;
}

/* Gets the cell next to s on that side; at the border it lies in the next chunk. */
static ptl_status beside(path_step *out, path_search *p, const path_step *s, unsigned side,
                         ptl_error *err)
{
    static const int8_t dx[4] = {0, 1, 0, -1}, dy[4] = {-1, 0, 1, 0};
    int x = s->cell % PTL_CHUNK_SIZE + dx[side], y = s->cell / PTL_CHUNK_SIZE + dy[side];
    *out = (path_step){s->chunk, s->length + 1, 0};
    ptl_status status = PTL_OK;
    if (x < 0 || x >= PTL_CHUNK_SIZE || y < 0 || y >= PTL_CHUNK_SIZE) {
        const ptl_chunk_pos pos = {s->chunk->pos.x + dx[side], s->chunk->pos.y + dy[side]};
        x = (x + PTL_CHUNK_SIZE) % PTL_CHUNK_SIZE;
        y = (y + PTL_CHUNK_SIZE) % PTL_CHUNK_SIZE;
        status = path_tiles_get(&out->chunk, p->tiles, pos, err);
    }
    out->cell = (uint16_t)(y * PTL_CHUNK_SIZE + x);
    return status;
}

/* Adds the neighbours of s to the stacks. Two cells are joined if each has an arm towards the
 * other. */
static ptl_status go_on(path_search *p, const path_step *s, ptl_error *err)
{
    ptl_status status = PTL_OK;
    for (unsigned side = 0; side < 4 && status == PTL_OK; side++) {
        path_step to;
        if (!(s->chunk->cells[s->cell] >> side & 1))
            continue;
        status = beside(&to, p, s, side, err);
        if (status != PTL_OK || !(to.chunk->cells[to.cell] >> (side + 2) % 4 & 1) || seen(&to))
            continue;
        if (!push(gain(p, s, side) > 0 ? &p->now : &p->later, to))
            status = error_nomem(err);
    }
    return status;
}

/* Finds the shortest path; *length stays as it is if there is none. */
static ptl_status search(int64_t *length, path_search *p, path_step from, path_step to,
                         ptl_error *err)
{
    if (!push(&p->now, from))
        return error_nomem(err);
    while (p->now.count + p->later.count > 0) {
        if (p->now.count == 0) {
            step_stack empty = p->now;
            p->now = p->later;
            p->later = empty;
        }
        const path_step s = p->now.steps[--p->now.count];
        if (s.chunk == to.chunk && s.cell == to.cell) {
            *length = s.length;
            return PTL_OK;
        }
        if (seen(&s))
            continue;
        s.chunk->seen[s.cell / 8] |= (uint8_t)(1u << (s.cell % 8));
        if (++p->visited > VISITED_MAX)
            return error_set(err, PTL_ERR_LIMIT,
                             "path_length: more than %d tiles visited, and no end",
                             (int)VISITED_MAX);
        TRY(go_on(p, &s, err));
    }
    return PTL_OK;
}

/* ---- the function ---- */

enum { WORLD, CONNECTION, X0, Y0, X1, Y1, Z, ARGUMENTS };

/* Takes the numeric arguments. False if there is nothing to search; the function's result is
 * then NULL or an error. */
static bool take_numbers(int64_t numbers[ARGUMENTS], sqlite3_context *context, int count,
                         sqlite3_value **values)
{
    bool null = false;
    numbers[Z] = 0;
    for (int i = 0; i < count; i++) {
        const int type = sqlite3_value_type(values[i]);
        null = null || type == SQLITE_NULL;
        if (i < X0 || type == SQLITE_NULL)
            continue;
        numbers[i] = sqlite3_value_int64(values[i]);
        if (type != SQLITE_INTEGER &&
            (type != SQLITE_FLOAT || (double)numbers[i] != sqlite3_value_double(values[i]))) {
            sqlite3_result_error(context, "path_length: x, y and z are whole numbers", -1);
            return false;
        }
    }
    return !null && numbers[Z] >= PTL_Z_MIN && numbers[Z] <= PTL_Z_MAX;
}

static ptl_status find_world(int64_t *out, sql_source *source, const char *name, ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    *out = -1;
    TRY(stmt_prepare(&s, source->store, "SELECT id FROM main.world WHERE name = ?", err));
    stmt_bind_text(s, 1, name);
    ptl_status status = stmt_step(s, &row, err);
    if (status == PTL_OK && row)
        *out = stmt_int(s, 0);
    stmt_free(s);
    return status;
}

/* Runs a search; *length stays as it is if there is no path. While the connection's name is a
 * constant, SQLite keeps the tiles that were read from one call to the next. */
static ptl_status run(int64_t *length, sqlite3_context *context, const char *world,
                      const char *connection, const int64_t *numbers, ptl_error *err)
{
    sql_source *source = sqlite3_user_data(context);
    path_tiles *tiles = sqlite3_get_auxdata(context, CONNECTION), *fresh = NULL;
    path_line line = {.z = (int32_t)numbers[Z]};
    ptl_status status = find_world(&line.world_id, source, world, err);
    if (status == PTL_OK && !tiles) {
        status = path_tiles_new(&fresh, source, connection, err);
        tiles = fresh;
    }
    THEN(status, path_tiles_begin(tiles, connection, line, err));
    if (status == PTL_OK && line.world_id >= 0) {
        const path_end from = {numbers[X0], numbers[Y0]};
        path_search p = {.tiles = tiles, .goal = {numbers[X1], numbers[Y1]}};
        path_step first, last;
        status = find_end(&first, tiles, from, err);
        THEN(status, find_end(&last, tiles, p.goal, err));
        if (status == PTL_OK && first.chunk && last.chunk)
            status = search(length, &p, first, last, err);
        free(p.now.steps);
        free(p.later.steps);
    }
    if (fresh)
        sqlite3_set_auxdata(context, CONNECTION, fresh, path_tiles_free);
    return status;
}

void sql_path_length(sqlite3_context *context, int count, sqlite3_value **values)
{
    sql_source *source = sqlite3_user_data(context);
    int64_t numbers[ARGUMENTS] = {0}, length = -1;
    ptl_error err = {0};
    stmt *touch = NULL;
    bool row = false;
    if (!take_numbers(numbers, context, count, values) || !sql_function_ready(context))
        return;
    const char *world = (const char *)sqlite3_value_text(values[WORLD]);
    const char *connection = (const char *)sqlite3_value_text(values[CONNECTION]);
    /* This statement stays open during the search, so that all chunks are of the same
     * moment. */
    ptl_status status = world && connection
                            ? stmt_prepared(&touch, source->store, STMT_TOUCH, &err)
                            : error_nomem(&err);
    THEN(status, stmt_step(touch, &row, &err));
    THEN(status, run(&length, context, world, connection, numbers, &err));
    if (touch)
        stmt_reset(touch);
    if (status != PTL_OK)
        sql_function_failed(context, status, &err);
    else if (length >= 0)
        sqlite3_result_int64(context, length);
}
