/*
 * MBTiles 1.3 (github.com/mapbox/mbtiles-spec): an SQLite file with the tables metadata and
 * tiles, whose rows are counted from the south. It is written without a journal, because
 * nobody sees the file before it is complete.
 */
#include "atlas/pyramid.h"
#include "core/emit.h"
#include "core/error.h"
#include "core/pmtiles.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>

typedef struct mbtiles {
    sqlite3 *db;        /* owned */
    sqlite3_stmt *tile; /* owned; inserts a tile */
    const atlas *atlas;
} mbtiles;

/* Makes an error from SQLite's last one. */
static ptl_status failed(const mbtiles *m, ptl_error *err)
{
    const int code = m->db ? sqlite3_extended_errcode(m->db) : SQLITE_NOMEM;
    if ((code & 0xff) == SQLITE_NOMEM)
        return error_nomem(err);
    const ptl_status status = (code & 0xff) == SQLITE_BUSY ? PTL_ERR_BUSY : PTL_ERR_IO;
    return error_set(err, status, "%s: %s", m->atlas->options->path, sqlite3_errmsg(m->db));
}

static ptl_status execute(const mbtiles *m, const char *sql, ptl_error *err)
{
    return sqlite3_exec(m->db, sql, NULL, NULL, NULL) == SQLITE_OK ? PTL_OK : failed(m, err);
}

/* Inserts a row into the table metadata. */
static ptl_status put_text(const mbtiles *m, const char *name, const char *value,
                           ptl_error *err)
{
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(m->db, "INSERT INTO metadata VALUES (?, ?)", -1, &s, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(s, 2, value, -1, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_step(s);
    const ptl_status status = code == SQLITE_DONE ? PTL_OK : failed(m, err);
    sqlite3_finalize(s);
    return status;
}

/* A pyramid of pictures as a PMTiles file. */

/* Inserts a tile. MBTiles counts rows from the south, the pyramid from the north. */
static ptl_status put_tile(void *payload, const pyramid_tile *t, ptl_error *err)
{
    const mbtiles *m = payload;
    const uint32_t row = (UINT32_C(1) << t->zoom) - 1 - t->y;
    int code = sqlite3_bind_int(m->tile, 1, t->zoom);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(m->tile, 2, t->x);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(m->tile, 3, row);
    if (code == SQLITE_OK)
        code = sqlite3_bind_blob64(m->tile, 4, t->png, t->size, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_step(m->tile);
    if (code != SQLITE_DONE)
        return failed(m, err);
    sqlite3_reset(m->tile);
    return PTL_OK;
}

/*
 * Opens the file and makes the tables. application_id is the specification's number, "MPBX".
 */
static ptl_status begin(mbtiles *m, ptl_error *err)
{
    if (sqlite3_open_v2(m->atlas->file.temporary, &m->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return failed(m, err);
    const ptl_status status =
        execute(m,
                "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                "PRAGMA application_id = 0x4d504258; BEGIN;"
                "CREATE TABLE metadata (name text, value text);"
                "CREATE TABLE tiles (zoom_level integer, tile_column integer, "
                "tile_row integer, tile_data blob);",
                err);
    if (status == PTL_OK && sqlite3_prepare_v2(m->db, "INSERT INTO tiles VALUES (?, ?, ?, ?)",
                                               -1, &m->tile, NULL) != SQLITE_OK)
        return failed(m, err);
    return status;
}

static ptl_status write_all(mbtiles *m, atlas *a, const pyramid_shape *s, ptl_error *err)
{
    TRY(begin(m, err));
    char bounds[160], center[120], zoom[12];
    snprintf(bounds, sizeof bounds, "%.7f,%.7f,%.7f,%.7f", s->west, s->south, s->east,
             s->north);
    snprintf(center, sizeof center, "%.7f,%.7f,%d", (s->west + s->east) / 2,
             (s->south + s->north) / 2, s->zoom_max / 2);
    snprintf(zoom, sizeof zoom, "%d", s->zoom_max);
    const char *const rows[][2] = {
        {"name", s->name},  {"format", "png"},  {"type", "baselayer"},
        {"version", "1"},   {"minzoom", "0"},   {"maxzoom", zoom},
        {"bounds", bounds}, {"center", center}, {"description", s->description},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        TRY(put_text(m, rows[i][0], rows[i][1], err));
    TRY(pyramid_write(a, s, put_tile, m, err));
    return execute(m,
                   "CREATE UNIQUE INDEX tile_index ON tiles "
                   "(zoom_level, tile_column, tile_row); COMMIT;",
                   err);
}

ptl_status atlas_mbtiles(atlas *a, ptl_error *err)
{
    mbtiles m = {.atlas = a};
    pyramid_shape s;
    file_facts facts;
    ptl_status status = pyramid_plan(&s, a, err);
    THEN(status, write_all(&m, a, &s, err));
    sqlite3_finalize(m.tile);
    sqlite3_close(m.db);
    if (status == PTL_OK && !file_look_open(&facts, a->file.fd))
        status = error_system(err, PTL_ERR_IO, errno, "%s", a->file.path);
    if (status == PTL_OK)
        a->report.bytes = facts.size;
    return status;
}

static ptl_status append(void *payload, const void *data, size_t size, ptl_error *err)
{
    atlas *a = payload;
    bytes_put(&a->out, data, size);
    return atlas_drain(a, err);
}

static ptl_status put_pmtile(void *payload, const pyramid_tile *t, ptl_error *err)
{
    const pmtiles_place at = {t->zoom, t->x, t->y};
    return pmtiles_put(payload, &at, t->png, t->size, err);
}

/* The head comes first in the file but is known last, so it is written over the room left for
 * it. */
static ptl_status write_head(atlas *a, const bytes *head, ptl_error *err)
{
    const ptl_status status = atlas_flush(a, err);
    if (status == PTL_OK && !file_write_at(a->file.fd, head->data, head->size, 0))
        return error_system(err, PTL_ERR_IO, errno, "%s", a->options->path);
    return status;
}

static ptl_status finish(pmtiles *m, atlas *a, const pyramid_shape *s, ptl_error *err)
{
    bytes metadata = {.size = 0}, head = {.size = 0};
    emitter j = {&metadata, false};
    emit_put(&j, "{name:%s, description:%s, type:%s, portolan:{z:%d, scale:%d, half:%jd}}",
             s->name, s->description, "baselayer", s->z, s->scale, s->half);
    const pmtiles_facts facts = {.type = PMTILES_PNG,
                                 .compression = PMTILES_PLAIN,
                                 .zoom_max = s->zoom_max,
                                 .west = s->west,
                                 .south = s->south,
                                 .east = s->east,
                                 .north = s->north,
                                 .metadata = bytes_text(&metadata)};
    ptl_status status =
        facts.metadata ? pmtiles_finish(m, &facts, &head, err) : error_nomem(err);
    THEN(status, write_head(a, &head, err));
    bytes_dispose(&metadata);
    bytes_dispose(&head);
    return status;
}

ptl_status atlas_pmtiles(atlas *a, ptl_error *err)
{
    pmtiles m;
    pyramid_shape s;
    TRY(pyramid_plan(&s, a, err));
    ptl_status status = pmtiles_begin(&m, append, a, err);
    THEN(status, pyramid_write(a, &s, put_pmtile, &m, err));
    THEN(status, finish(&m, a, &s, err));
    pmtiles_dispose(&m);
    return status;
}
