/*
 * path_length(world, connection, x0, y0, x1, y1 [, z]): number of steps of the shortest path
 * between two OMTs along a connection's lines. It is an A* search with the Manhattan distance
 * to the goal as its estimate. With each step that distance changes by one, so the estimated
 * length of a path either stays or grows by two. Therefore two stacks serve as the queue. Each
 * chunk is read when the search enters it.
 */
#include "core/array.h"
#include "core/error.h"
#include "portolan/types.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/query/omt_levels.h"
#include "store/sqlite/query/vtab.h"

#include <stdlib.h>
#include <string.h>

enum {
    PATH_ARMS = 15, /* mask: bit 0 is a line to the north, 1 east, 2 south, 3 west */
    PATH_OMT = 16,
    PATH_CHUNKS_MAX = 2048 /* most chunks that one search may read; they take 75 MB */
};

typedef struct path_chunk {
    ptl_chunk_pos pos;
    struct path_chunk *next; /* the next chunk in the same slot of the hash table */
    /* For each cell, PATH_OMT and the bits of its arms, that is, of the sides to which its line
     * goes; 0 if the connection has no line in the cell, or the chunk is not saved. */
    uint8_t cells[PTL_LEVEL_CELLS];
    uint8_t seen[PTL_LEVEL_CELLS / 8 + 1]; /* a bit for each cell: set if the search has visited
                                            * it */
} path_chunk;

typedef struct path_step {
    path_chunk *chunk;
    uint32_t length; /* number of steps from the path's start to this cell */
    uint16_t cell;
} path_step;

static bool seen(const path_step *s)
{
    return s->chunk->seen[s->cell / 8] >> (s->cell % 8) & 1;
}

enum { VISITED_MAX = 4000000 /* most OMTs that one search may visit */ };

typedef struct step_stack {
    path_step *steps; /* owned */
    size_t count, room;
} step_stack;

/* The oters of which a connection's lines consist. If the connection's name is a constant in
 * the query, SQLite keeps this struct from one call to the next. */
typedef struct path_lines {
    char *connection; /* owned */
    uint64_t generation;
    oter_set set;
} path_lines;

typedef struct path_end {
    int64_t x, y; /* where the path begins or ends, in absolute OMTs */
} path_end;

enum { SLOTS = 4096 };

typedef struct path_search {
    sql_source *source;
    const char *world; /* `world`: name of the world in which the search goes on; `z`: the
                        * level */
    int32_t z;
    const path_lines *lines;
    path_end goal;
    step_stack now, later; /* `now`: the steps with which the whole path may be shortest.
                              `later`: those with which its estimated length is greater by 2,
                              since they lead away from the goal */
    size_t visited;
    path_chunk *slots[SLOTS]; /* owned; hash table of the chunks that were read */
    size_t chunk_count;
    uint8_t kinds[PTL_LEVEL_CELLS]; /* scratch: for each oter in a level's list of oters,
                                       PATH_OMT and the bits of its arms if it is a line of the
                                       connection; else 0 */
} path_search;

static bool push(step_stack *s, path_step step)
{
    if (!ARRAY_ROOM(s->steps, s->room, s->count + 1))
        return false;
    s->steps[s->count++] = step;
    return true;
}

/* Returns 1 if a step to that side leads nearer to the goal, otherwise -1. */
static int gain(const path_search *p, const path_step *s, unsigned side)
{
    const int64_t x = (int64_t)s->chunk->pos.x * PTL_CHUNK_SIZE + s->cell % PTL_CHUNK_SIZE;
    const int64_t y = (int64_t)s->chunk->pos.y * PTL_CHUNK_SIZE + s->cell / PTL_CHUNK_SIZE;
    const bool nearer[4] = {p->goal.y<y, p->goal.x> x, p->goal.y > y, p->goal.x < x};
    return nearer[side] ? 1 : -1;
}

static ptl_status kind_of(uint8_t *out, path_search *p, uint32_t number, ptl_error *err)
{
    const oter_name *name = NULL;
    oter_table *names;
    *out = 0;
    if (!oter_set_has(&p->lines->set, number))
        return PTL_OK;
    TRY(oter_table_use(&names, p->source, err));
    TRY(oter_table_look_up(&name, names, p->source, number, err));
    /* An oter without a line shape, for example a bridge, connects to all four sides. */
    *out = (uint8_t)(PATH_OMT | (name->line < 0 ? PATH_ARMS : name->line));
    return PTL_OK;
}

static ptl_status read_chunk(path_chunk *chunk, path_search *p, ptl_error *err)
{
    const omt_chunk *found = NULL;
    omt_level *l = NULL;
    TRY(omt_chunk_find(&found, p->source, p->world, chunk->pos, err));
    if (!found)
        return PTL_OK;
    TRY(omt_level_get(&l, p->source, found, p->z, err));
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < l->palette_count && status == PTL_OK; i++)
        status = kind_of(&p->kinds[i], p, l->palette[i], err);
    for (size_t i = 0; i < PTL_LEVEL_CELLS && status == PTL_OK; i++)
        chunk->cells[i] = p->kinds[l->cells[i]];
    omt_level_unpin(l);
    return status;
}

/* Gets a chunk, which lives as long as the search. PTL_ERR_LIMIT if that would be more than
 * PATH_CHUNKS_MAX chunks. */
static ptl_status get_chunk(path_chunk **out, path_search *p, ptl_chunk_pos pos, ptl_error *err)
{
    const uint64_t key = (uint64_t)(uint32_t)pos.x << 32 | (uint32_t)pos.y;
    path_chunk **slot = &p->slots[key * UINT64_C(0x9e3779b97f4a7c15) >> 52], *chunk = *slot;
    while (chunk && (chunk->pos.x != pos.x || chunk->pos.y != pos.y))
        chunk = chunk->next;
    *out = chunk;
    if (chunk)
        return PTL_OK;
    if (p->chunk_count == PATH_CHUNKS_MAX)
        return error_set(err, PTL_ERR_LIMIT,
                         "path_length: the search goes through more than %d chunks",
                         (int)PATH_CHUNKS_MAX);
    chunk = calloc(1, sizeof *chunk);
    if (!chunk)
        return error_nomem(err);
    *chunk = (path_chunk){.pos = pos, .next = *slot};
    *slot = *out = chunk;
    p->chunk_count++;
    return read_chunk(chunk, p, err);
}

/* Gets the neighbour of the cell s on a side; it may lie in the next chunk. */
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
        status = get_chunk(&out->chunk, p, pos, err);
    }
    out->cell = (uint16_t)(y * PTL_CHUNK_SIZE + x);
    return status;
}

/* Adds the steps from s to its neighbours to the stacks p->now and p->later. Two neighbouring
 * cells are connected if the line in each of them leads to the other. */
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
                             "path_length: more than %d OMTs visited, and no end",
                             (int)VISITED_MAX);
        TRY(go_on(p, &s, err));
    }
    return PTL_OK;
}

static int64_t floor_chunk(int64_t v)
{
    return v / PTL_CHUNK_SIZE - (v % PTL_CHUNK_SIZE < 0);
}

/* Finds the OMT at an end of the path. out->chunk is NULL if the connection has no line
 * there. */
static ptl_status find_end(path_step *out, path_search *p, path_end end, ptl_error *err)
{
    const int64_t x = floor_chunk(end.x), y = floor_chunk(end.y);
    *out = (path_step){NULL, 0, 0};
    if (x < -PTL_CHUNK_COORD_MAX || x > PTL_CHUNK_COORD_MAX || y < -PTL_CHUNK_COORD_MAX ||
        y > PTL_CHUNK_COORD_MAX)
        return PTL_OK;
    path_chunk *chunk = NULL;
    TRY(get_chunk(&chunk, p, (ptl_chunk_pos){(int32_t)x, (int32_t)y}, err));
    out->cell = (uint16_t)((end.y - y * PTL_CHUNK_SIZE) * PTL_CHUNK_SIZE +
                           (end.x - x * PTL_CHUNK_SIZE));
    if (chunk->cells[out->cell] & PATH_OMT)
        out->chunk = chunk;
    return PTL_OK;
}

/* ---- the SQL function ---- */

enum { WORLD, CONNECTION, X0, Y0, X1, Y1, Z, ARGUMENTS };

/* Reads the numeric arguments. Returns false if no search is needed: an argument is NULL or
 * wrong, and the function's result is then NULL or an error. */
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

static void free_lines(void *lines)
{
    path_lines *l = lines;
    if (!l)
        return;
    oter_set_dispose(&l->set);
    free(l->connection);
    free(l);
}

/* Makes the set of all oters that belong to lines of a connection, which is given by its id.
 * PTL_ERR_ARGUMENT if no content has the connection. *out must be freed also after an error. */
static ptl_status new_lines(path_lines **out, sql_source *source, const char *connection,
                            ptl_error *err)
{
    bool known = false;
    oter_table *names;
    path_lines *l = *out = calloc(1, sizeof *l);
    if (!l)
        return error_nomem(err);
    l->generation = source->generation;
    l->connection = strdup(connection);
    if (!l->connection)
        return error_nomem(err);
    TRY(oter_table_use(&names, source, err));
    TRY(oter_set_clear(&l->set, names, err));
    TRY(oter_set_add_connection(&l->set, &known, source, connection, err));
    if (!known)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "path_length: the content has no connection '%s'; "
                         "SELECT id FROM overmap_connection lists them",
                         connection);
    return PTL_OK;
}

/* Runs the search from `from` to p->goal, and frees its memory; *length stays as it is if there
 * is no path. */
static ptl_status run(int64_t *length, path_search *p, path_end from, ptl_error *err)
{
    path_step first, last;
    ptl_status status = find_end(&first, p, from, err);
    THEN(status, find_end(&last, p, p->goal, err));
    if (status == PTL_OK && first.chunk && last.chunk)
        status = search(length, p, first, last, err);
    free(p->now.steps);
    free(p->later.steps);
    for (size_t i = 0; i < SLOTS; i++)
        while (p->slots[i]) {
            path_chunk *chunk = p->slots[i];
            p->slots[i] = chunk->next;
            free(chunk);
        }
    return status;
}

/* Gets the connection's lines, which SQLite may have kept from the last call, and runs the
 * search. */
static ptl_status find_length(int64_t *length, sqlite3_context *context, const char *world,
                              const char *connection, const int64_t *numbers, ptl_error *err)
{
    sql_source *source = sqlite3_user_data(context);
    path_lines *kept = sqlite3_get_auxdata(context, CONNECTION), *fresh = NULL;
    path_search *p = calloc(1, sizeof *p);
    ptl_status status = p ? PTL_OK : error_nomem(err);
    if (kept &&
        (kept->generation != source->generation || strcmp(kept->connection, connection) != 0))
        kept = NULL;
    if (!kept)
        THEN(status, new_lines(&fresh, source, connection, err));
    if (status == PTL_OK) {
        p->source = source;
        p->world = world;
        p->z = (int32_t)numbers[Z];
        p->lines = kept ? kept : fresh;
        p->goal = (path_end){numbers[X1], numbers[Y1]};
        status = run(length, p, (path_end){numbers[X0], numbers[Y0]}, err);
    }
    free(p);
    if (fresh && status == PTL_OK)
        sqlite3_set_auxdata(context, CONNECTION, fresh, free_lines);
    else
        free_lines(fresh);
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
    /* This statement stays open during the search. It keeps a read transaction open, so that
     * all chunks are read as of one moment. */
    ptl_status status = world && connection
                            ? stmt_prepared(&touch, source->store, STMT_TOUCH, &err)
                            : error_nomem(&err);
    THEN(status, stmt_step(touch, &row, &err));
    THEN(status, find_length(&length, context, world, connection, numbers, &err));
    stmt_reset(touch);
    if (status != PTL_OK)
        sql_function_failed(context, status, &err);
    else if (length >= 0)
        sqlite3_result_int64(context, length);
}
