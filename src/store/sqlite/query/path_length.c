/*
 * path_length(world, connection, x0, y0, x1, y1 [, z]): number of steps of the shortest path
 * between two OMTs along a connection's lines. It is an A* search with the Manhattan distance
 * as its estimate. With each step that distance changes by one, so the estimated length of a
 * path stays or grows by two. Therefore two stacks serve as the queue. Chunks are read as the
 * search enters them.
 */
#include "codec/chunk_codec.h"
#include "core/array.h"
#include "core/error.h"
#include "portolan/types.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/query/oter_table.h"
#include "store/sqlite/query/vtab.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_scratch.h"

#include <stdlib.h>
#include <string.h>

enum {
    PATH_ARMS = 15, /* bit 0 north, 1 east, 2 south, 3 west */
    PATH_OMT = 16,
    PATH_CHUNKS_MAX = 2048 /* chunks that one search may look at: 75 MB */
};

typedef struct path_chunk {
    ptl_chunk_pos pos;
    struct path_chunk *next; /* next in the same slot of the hash table */
    bool saved;              /* false: the chunk is not saved, and no cell is an OMT */
    uint64_t search;         /* number of the last search that looked at the chunk */
    /* PATH_OMT + arms; 0: the connection does not pass here. */
    uint8_t cells[PTL_LEVEL_CELLS];
    uint8_t seen[PTL_LEVEL_CELLS / 8 + 1]; /* bits: cells that this search has visited */
} path_chunk;

typedef struct path_step {
    path_chunk *chunk;
    uint32_t length; /* of the path that leads to it */
    uint16_t cell;
} path_step;

static bool seen(const path_step *s)
{
    return s->chunk->seen[s->cell / 8] >> (s->cell % 8) & 1;
}

enum { VISITED_MAX = 4000000 /* OMTs that one search may visit */ };

typedef struct step_stack {
    path_step *steps; /* owned */
    size_t count, room;
} step_stack;

/* Selects the world and level whose lines are followed. */
typedef struct path_line {
    int64_t world_id;
    int32_t z;
} path_line;

enum {
    SLOTS = 4096,
    LEVEL = CHUNK_COLUMN_COUNT /* the level's first column in STMT_CHUNK_LEVEL */
};

typedef struct path_omts {
    sql_source *source;
    char *connection; /* owned */
    uint64_t generation;
    path_line line;
    oter_table *names; /* borrowed from the source */
    oter_set lines;    /* oters of the connection's terrains */
    uint64_t search;
    size_t touched; /* chunks that the current search has looked at */
    path_chunk *slots[SLOTS];
    size_t count;
    uint8_t kinds[PTL_LEVEL_CELLS]; /* for each entry of a palette: PATH_OMT and arms, or 0 */
} path_omts;

typedef struct path_end {
    int64_t x, y; /* absolute OMTs */
} path_end;

typedef struct path_search {
    path_omts *omts;
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

/* Returns 1 if a step to that side comes nearer to the goal, otherwise -1. */
static int gain(const path_search *p, const path_step *s, unsigned side)
{
    const int64_t x = (int64_t)s->chunk->pos.x * PTL_CHUNK_SIZE + s->cell % PTL_CHUNK_SIZE;
    const int64_t y = (int64_t)s->chunk->pos.y * PTL_CHUNK_SIZE + s->cell / PTL_CHUNK_SIZE;
    const bool nearer[4] = {p->goal.y<y, p->goal.x> x, p->goal.y > y, p->goal.x < x};
    return nearer[side] ? 1 : -1;
}

static ptl_status kind_of(uint8_t *out, path_omts *t, uint32_t number, ptl_error *err)
{
    const oter_name *name = NULL;
    *out = 0;
    if (number >= t->lines.size || !t->lines.wanted[number])
        return PTL_OK;
    TRY(oter_table_look_up(&name, t->names, t->source, number, err));
    /* An oter without a line shape (a bridge, a crossing) continues to all sides. */
    *out = (uint8_t)(PATH_OMT | (name->line < 0 ? PATH_ARMS : name->line));
    return PTL_OK;
}

static ptl_status read_level(path_chunk *chunk, path_omts *t, const stmt *s, ptl_error *err)
{
    chunk_info info;
    const level_runs *runs = NULL;
    ptl_store *store = t->source->store;
    TRY(chunk_info_read(&info, s, err));
    TRY(dictionary_refresh(store, err));
    const unsigned index = (unsigned)(t->line.z - PTL_Z_MIN);
    const bool stored = !stmt_is_null(s, LEVEL + LEVEL_COLUMN_ID);
    if (stored != (info.level_mask >> index & 1))
        return error_set(err, PTL_ERR_CORRUPT, "level z %d: level_mask and its rows differ",
                         t->line.z);
    if (!stored) {
        uint32_t numbers[PTL_LEVELS];
        uint8_t kind = 0;
        size_t size;
        const void *blob = stmt_blob(s, CHUNK_COLUMN_FILL, &size);
        ptl_status status =
            fill_parse(numbers, blob, size, dictionary_size(t->source->store), err);
        THEN(status, kind_of(&kind, t, numbers[t->line.z - PTL_Z_MIN], err));
        memset(chunk->cells, kind, sizeof chunk->cells);
        return status;
    }
    size_t size;
    const void *omts = stmt_blob(s, LEVEL + LEVEL_COLUMN_OMTS, &size);
    TRY(level_row_runs(&runs, store, info.id * 32 + index,
                       stmt_int(s, LEVEL + LEVEL_COLUMN_CHECKSUM), omts, size, err));
    uint8_t *at = chunk->cells;
    for (size_t i = 0; i < runs->palette_count; i++)
        TRY(kind_of(&t->kinds[i], t, runs->palette[i], err));
    for (size_t i = 0; i < runs->run_count; i++) {
        memset(at, t->kinds[runs->runs[i].symbol], runs->runs[i].length);
        at += runs->runs[i].length;
    }
    return PTL_OK;
}

static ptl_status read_chunk(path_chunk *chunk, path_omts *t, ptl_error *err)
{
    stmt *s = NULL;
    TRY(stmt_prepared(&s, t->source->store, STMT_CHUNK_LEVEL, err));
    stmt_bind_ints(
        s,
        (const int64_t[]){t->line.world_id, chunk->pos.x, chunk->pos.y, t->line.z - PTL_Z_MIN},
        4);
    ptl_status status = stmt_step(s, &chunk->saved, err);
    if (status == PTL_OK && chunk->saved)
        status = read_level(chunk, t, s, err);
    stmt_reset(s);
    if (status != PTL_OK)
        return error_prefix(err, status, "chunk %d,%d", chunk->pos.x, chunk->pos.y);
    return PTL_OK;
}

/* Gets a chunk, which lives until the next path_omts_begin. PTL_ERR_LIMIT after
 * PATH_CHUNKS_MAX of them. */
static ptl_status path_omts_get(path_chunk **out, path_omts *t, ptl_chunk_pos pos,
                                ptl_error *err)
{
    const uint64_t key = (uint64_t)(uint32_t)pos.x << 32 | (uint32_t)pos.y;
    path_chunk **slot = &t->slots[key * UINT64_C(0x9e3779b97f4a7c15) >> 52], *chunk = *slot;
    while (chunk && (chunk->pos.x != pos.x || chunk->pos.y != pos.y))
        chunk = chunk->next;
    if (!chunk) {
        chunk = calloc(1, sizeof *chunk);
        if (!chunk)
            return error_nomem(err);
        chunk->pos = pos;
        ptl_status status = read_chunk(chunk, t, err);
        if (status != PTL_OK) {
            free(chunk);
            return status;
        }
        chunk->next = *slot;
        *slot = chunk;
        t->count++;
    }
    if (chunk->search != t->search) {
        if (++t->touched > PATH_CHUNKS_MAX)
            return error_set(err, PTL_ERR_LIMIT,
                             "path_length: the search goes through more than %d chunks",
                             (int)PATH_CHUNKS_MAX);
        memset(chunk->seen, 0, sizeof chunk->seen);
        chunk->search = t->search;
    }
    *out = chunk;
    return PTL_OK;
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
        status = path_omts_get(&out->chunk, p->omts, pos, err);
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

/* Finds the OMT at an end of the path. out->chunk is NULL if none can be there. */
static ptl_status find_end(path_step *out, path_omts *omts, path_end end, ptl_error *err)
{
    const int64_t x = floor_chunk(end.x), y = floor_chunk(end.y);
    *out = (path_step){NULL, 0, 0};
    if (x < -PTL_CHUNK_COORD_MAX || x > PTL_CHUNK_COORD_MAX || y < -PTL_CHUNK_COORD_MAX ||
        y > PTL_CHUNK_COORD_MAX)
        return PTL_OK;
    path_chunk *chunk = NULL;
    TRY(path_omts_get(&chunk, omts, (ptl_chunk_pos){(int32_t)x, (int32_t)y}, err));
    out->cell = (uint16_t)((end.y - y * PTL_CHUNK_SIZE) * PTL_CHUNK_SIZE +
                           (end.x - x * PTL_CHUNK_SIZE));
    if (chunk->cells[out->cell] & PATH_OMT)
        out->chunk = chunk;
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

static void forget_chunks(path_omts *t)
{
    for (size_t i = 0; i < SLOTS; i++) {
        while (t->slots[i]) {
            path_chunk *chunk = t->slots[i];
            t->slots[i] = chunk->next;
            free(chunk);
        }
    }
    t->count = 0;
}

static void path_omts_free(void *omts)
{
    path_omts *t = omts;
    if (!t)
        return;
    forget_chunks(t);
    oter_set_dispose(&t->lines);
    free(t->connection);
    free(t);
}

static ptl_status find_lines(path_omts *t, ptl_error *err)
{
    bool known = false;
    TRY(oter_table_use(&t->names, t->source, err));
    TRY(oter_set_clear(&t->lines, t->names, err));
    TRY(oter_set_add_connection(&t->lines, &known, t->source, t->connection, err));
    if (!known)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "path_length: the content has no connection '%s'; "
                         "SELECT id FROM overmap_connection lists them",
                         t->connection);
    return PTL_OK;
}

/* Makes the OMTs of the connection with this id; PTL_ERR_ARGUMENT if no content has it. */
static ptl_status path_omts_new(path_omts **out, sql_source *source, const char *connection,
                                ptl_error *err)
{
    path_omts *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t)
        return error_nomem(err);
    t->source = source;
    t->generation = source->generation;
    t->connection = strdup(connection);
    ptl_status status = t->connection ? find_lines(t, err) : error_nomem(err);
    if (status == PTL_OK)
        *out = t;
    else
        path_omts_free(t);
    return status;
}

/* Beginning a new search needs no clearing of chunks: what they say of an earlier search has
 * another number. */
static ptl_status path_omts_begin(path_omts *t, const char *connection, path_line line,
                                  ptl_error *err)
{
    const bool changed = t->generation != t->source->generation;
    const bool other = strcmp(t->connection, connection) != 0;
    t->search++;
    t->touched = 0;
    if (changed || other || line.world_id != t->line.world_id || line.z != t->line.z ||
        t->count > PATH_CHUNKS_MAX)
        forget_chunks(t);
    t->generation = t->source->generation;
    t->line = line;
    if (other) {
        char *copy = strdup(connection);
        if (!copy)
            return error_nomem(err);
        free(t->connection);
        t->connection = copy;
    }
    if (changed || other)
        TRY(find_lines(t, err));
    return PTL_OK;
}

/* Runs a search; *length stays as it is if there is no path. While the connection's name is a
 * constant, SQLite keeps the OMTs that were read from one call to the next. */
static ptl_status run(int64_t *length, sqlite3_context *context, const char *world,
                      const char *connection, const int64_t *numbers, ptl_error *err)
{
    sql_source *source = sqlite3_user_data(context);
    path_omts *omts = sqlite3_get_auxdata(context, CONNECTION), *fresh = NULL;
    path_line line = {.z = (int32_t)numbers[Z]};
    ptl_status status = find_world(&line.world_id, source, world, err);
    if (status == PTL_OK && !omts) {
        status = path_omts_new(&fresh, source, connection, err);
        omts = fresh;
    }
    THEN(status, path_omts_begin(omts, connection, line, err));
    if (status == PTL_OK && line.world_id >= 0) {
        const path_end from = {numbers[X0], numbers[Y0]};
        path_search p = {.omts = omts, .goal = {numbers[X1], numbers[Y1]}};
        path_step first, last;
        status = find_end(&first, omts, from, err);
        THEN(status, find_end(&last, omts, p.goal, err));
        if (status == PTL_OK && first.chunk && last.chunk)
            status = search(length, &p, first, last, err);
        free(p.now.steps);
        free(p.later.steps);
    }
    if (fresh)
        sqlite3_set_auxdata(context, CONNECTION, fresh, path_omts_free);
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

/*
 * Where a connection's lines run: for each cell of a chunk's level, whether the connection
 * passes there, and to which sides it continues. Chunks are read when they are asked for and
 * then kept.
 */
