#include "store/sqlite/query/path_length_tiles.h"

#include "codec/chunk_codec.h"
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/query/oter_table.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_scratch.h"

#include <stdlib.h>
#include <string.h>

enum {
    SLOTS = 4096,
    LEVEL = CHUNK_COLUMN_COUNT /* the level's first column in STMT_CHUNK_LEVEL */
};

struct path_tiles {
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
    uint8_t kinds[PTL_LEVEL_CELLS]; /* for each entry of a palette: PATH_TILE and arms, or 0 */
};

static void forget_chunks(path_tiles *t)
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

void path_tiles_free(void *tiles)
{
    path_tiles *t = tiles;
    if (!t)
        return;
    forget_chunks(t);
    oter_set_dispose(&t->lines);
    free(t->connection);
    free(t);
}

static ptl_status find_lines(path_tiles *t, ptl_error *err)
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

ptl_status path_tiles_new(path_tiles **out, sql_source *source, const char *connection,
                          ptl_error *err)
{
    path_tiles *t = calloc(1, sizeof *t);
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
        path_tiles_free(t);
    return status;
}

/* Beginning a new search needs no clearing of chunks: what they say of an earlier search has
 * another number. */
ptl_status path_tiles_begin(path_tiles *t, const char *connection, path_line line,
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

/* ---- reading ---- */

static ptl_status kind_of(uint8_t *out, path_tiles *t, uint32_t number, ptl_error *err)
{
    const oter_name *name = NULL;
    *out = 0;
    if (number >= t->lines.size || !t->lines.wanted[number])
        return PTL_OK;
    TRY(oter_table_look_up(&name, t->names, t->source, number, err));
    /* An oter without a line shape (a bridge, a crossing) continues to all sides. */
    *out = (uint8_t)(PATH_TILE | (name->line < 0 ? PATH_ARMS : name->line));
    return PTL_OK;
}

static ptl_status read_level(path_chunk *chunk, path_tiles *t, const stmt *s, ptl_error *err)
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
    const void *tiles = stmt_blob(s, LEVEL + LEVEL_COLUMN_OMTS, &size);
    TRY(level_row_runs(&runs, store, info.id * 32 + index,
                       stmt_int(s, LEVEL + LEVEL_COLUMN_CHECKSUM), tiles, size, err));
    uint8_t *at = chunk->cells;
    for (size_t i = 0; i < runs->palette_count; i++)
        TRY(kind_of(&t->kinds[i], t, runs->palette[i], err));
    for (size_t i = 0; i < runs->run_count; i++) {
        memset(at, t->kinds[runs->runs[i].symbol], runs->runs[i].length);
        at += runs->runs[i].length;
    }
    return PTL_OK;
}

static ptl_status read_chunk(path_chunk *chunk, path_tiles *t, ptl_error *err)
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

ptl_status path_tiles_get(path_chunk **out, path_tiles *t, ptl_chunk_pos pos, ptl_error *err)
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
