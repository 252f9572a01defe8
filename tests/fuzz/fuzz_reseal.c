/* Checksums made true after values were changed: schema/format.md, "Checksums". */
#include "fuzz/fuzz_base.h"

#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/row_values.h"

/* A row's checksum is over its table's name and all columns but the checksum. */
typedef struct sealed_table {
    const char *name;
    const char *read; /* the key that `write` takes, then the columns */
    const char *write;
} sealed_table;

/* Runs `sql` with id as its first parameter and adds `count` columns, or all, of each row. */
static void add_rows(bytes *b, sqlite3 *db, const char *sql, int64_t id, const char *name)
{
    stmt s = {.handle = NULL};
    if (sqlite3_prepare_v2(db, sql, -1, &s.handle, NULL) != SQLITE_OK)
        return;
    sqlite3_bind_int64(s.handle, 1, id);
    while (sqlite3_step(s.handle) == SQLITE_ROW) {
        if (name)
            rowsum_text(b, name);
        rowsum_columns(b, &s, 0, sqlite3_column_count(s.handle));
    }
    sqlite3_finalize(s.handle);
}

static void write_sum(sqlite3 *db, const char *sql, bytes *b, int64_t id)
{
    sqlite3_stmt *s = NULL;
    int64_t sum = 0;
    if (rowsum_end(b, &sum, NULL) != PTL_OK ||
        sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
        return;
    sqlite3_bind_int64(s, 1, sum);
    sqlite3_bind_int64(s, 2, id);
    sqlite3_step(s);
    sqlite3_finalize(s);
}

static void seal_table(sqlite3 *db, const sealed_table *t)
{
    stmt s = {.handle = NULL};
    bytes b = {0};
    if (sqlite3_prepare_v2(db, t->read, -1, &s.handle, NULL) != SQLITE_OK)
        return;
    while (sqlite3_step(s.handle) == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(s.handle, 0);
        rowsum_begin(&b, t->name);
        rowsum_columns(&b, &s, 1, sqlite3_column_count(s.handle) - 1);
        if (t->name[0] == 'e' && t->name[1] == 'd')
            add_rows(&b, db,
                     "SELECT z, kind, position, width, direction FROM crossing "
                     "WHERE edge_id = ?1 ORDER BY z, kind, position",
                     id, NULL);
        write_sum(db, t->write, &b, id);
    }
    sqlite3_finalize(s.handle);
    bytes_dispose(&b);
}

static void seal_chunk(sqlite3 *db, int64_t id)
{
    bytes b = {0};
    rowsum_begin(&b, "levels");
    add_rows(&b, db, "SELECT checksum FROM level WHERE id / 32 = ?1 ORDER BY id", id, NULL);
    write_sum(db, "UPDATE chunk SET levels_checksum = ?1 WHERE id = ?2", &b, id);
    rowsum_begin(&b, "features");
    add_rows(&b, db, "SELECT * FROM city WHERE chunk_id = ?1 ORDER BY number", id, "city");
    add_rows(&b, db, "SELECT * FROM radio WHERE chunk_id = ?1 ORDER BY number", id, "radio");
    add_rows(&b, db, "SELECT * FROM special_placement WHERE id / 65536 = ?1 ORDER BY id", id,
             "special_placement");
    add_rows(&b, db, "SELECT checksum FROM pack WHERE id / 8 = ?1 ORDER BY id", id, NULL);
    write_sum(db, "UPDATE chunk SET features_checksum = ?1 WHERE id = ?2", &b, id);
    bytes_dispose(&b);
}

static void seal_chunks(sqlite3 *db)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(db, "SELECT id FROM chunk", -1, &s, NULL) != SQLITE_OK)
        return;
    while (sqlite3_step(s) == SQLITE_ROW)
        seal_chunk(db, sqlite3_column_int64(s, 0));
    sqlite3_finalize(s);
}

#define COLUMN(c, kind, type, name, option, otherwise, low, high, value, meaning) #name ", "

void fuzz_reseal(sqlite3 *db)
{
    static const sealed_table tables[] = {
        {"oter", "SELECT id, id, name FROM oter",
         "UPDATE oter SET checksum = ?1 WHERE id = ?2"},
        {"name", "SELECT id, id, name FROM name",
         "UPDATE name SET checksum = ?1 WHERE id = ?2"},
        {"level", "SELECT id, id, tiles FROM level",
         "UPDATE level SET checksum = ?1 WHERE id = ?2"},
        {"pack", "SELECT id, id, data FROM pack",
         "UPDATE pack SET checksum = ?1 WHERE id = ?2"},
        {"edge",
         "SELECT id, id, world_id, x, y, side, origin, generator_version, content_id, run_id, "
         "cells FROM edge",
         "UPDATE edge SET checksum = ?1 WHERE id = ?2"},
        {"event",
         "SELECT chunk_id * 1000 + number, chunk_id, number, step, kind, x, y, z, detail "
         "FROM event",
         "UPDATE event SET checksum = ?1 WHERE chunk_id * 1000 + number = ?2"},
        {"run",
         "SELECT id, id, world_id, command, started, ended, chunks, seconds, outcome, "
         "generator_version, content_digest, portolan_version FROM run",
         "UPDATE run SET checksum = ?1 WHERE id = ?2"},
        {"world",
         "SELECT id, id, name, seed, " PTL_WORLD_SETTINGS(
             COLUMN, ) "generator_version, content_id, created_at FROM world",
         "UPDATE world SET checksum = ?1 WHERE id = ?2"}};
    static const sealed_table chunks = {
        "chunk",
        "SELECT id, id, world_id, x, y, level_mask, fill, generator_version, content_id, "
        "last_step, run_id, omt_digest, levels_checksum, origin, feature_digest, "
        "features_checksum FROM chunk",
        "UPDATE chunk SET checksum = ?1 WHERE id = ?2"};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        seal_table(db, &tables[i]);
    seal_chunks(db);
    seal_table(db, &chunks);
}
