/*
 * GeoPackage 1.3 (OGC 12-128r17): an SQLite file with a table for each layer. Places are metres
 * of a plane, 24 to an OMT (a tile is a metre wide), with y upwards; a picture of `render` with
 * its world file lies in the same plane. The file is written without a journal, because nobody
 * sees it before it is complete.
 */
#include "atlas/geo.h"
#include "core/error.h"
#include "os/file.h"

#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>

enum { METRES = 24, SRS = 100001 };

typedef struct box {
    double west, south, east, north;
} box;

typedef struct gpkg {
    atlas *atlas;
    sqlite3 *db;                      /* owned */
    sqlite3_stmt *insert[GEO_LAYERS]; /* owned */
    box boxes[GEO_LAYERS];            /* around the features of each layer */
    uint64_t counts[GEO_LAYERS];
    bytes blob;
} gpkg;

/* ---- files of SQLite, here and in mbtiles.c ---- */

ptl_status atlas_sql_failed(const atlas *a, sqlite3 *db, ptl_error *err)
{
    const int code = db ? sqlite3_extended_errcode(db) : SQLITE_NOMEM;
    if ((code & 0xff) == SQLITE_NOMEM)
        return error_nomem(err);
    const ptl_status status = (code & 0xff) == SQLITE_BUSY ? PTL_ERR_BUSY : PTL_ERR_IO;
    return error_set(err, status, "%s: %s", a->options->path, sqlite3_errmsg(db));
}

ptl_status atlas_measure(atlas *a, ptl_error *err)
{
    file_facts facts;
    if (!file_look_open(&facts, a->file.fd))
        return error_system(err, PTL_ERR_IO, errno, "%s", a->file.path);
    a->report.bytes = facts.size;
    return PTL_OK;
}

/* ---- tables ---- */

/* What every GeoPackage has, and a table of QGIS for how layers are drawn. */
static const char tables[] =
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
    "PRAGMA application_id = 0x47504b47; PRAGMA user_version = 10300; BEGIN;" /* "GPKG", 1.3 */
    "CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER PRIMARY KEY "
    "NOT NULL, organization TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL, "
    "definition TEXT NOT NULL, description TEXT);"
    "CREATE TABLE gpkg_contents (table_name TEXT PRIMARY KEY NOT NULL, data_type TEXT NOT "
    "NULL, identifier TEXT UNIQUE, description TEXT DEFAULT '', last_change DATETIME NOT NULL "
    "DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')), min_x DOUBLE, min_y DOUBLE, max_x "
    "DOUBLE, max_y DOUBLE, srs_id INTEGER, CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) "
    "REFERENCES gpkg_spatial_ref_sys(srs_id));"
    "CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL, "
    "geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT "
    "NOT NULL, CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name), CONSTRAINT "
    "uk_gc_table_name UNIQUE (table_name), CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) "
    "REFERENCES gpkg_contents(table_name), CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) "
    "REFERENCES gpkg_spatial_ref_sys (srs_id));"
    "CREATE TABLE gpkg_extensions (table_name TEXT, column_name TEXT, extension_name TEXT NOT "
    "NULL, definition TEXT NOT NULL, scope TEXT NOT NULL, CONSTRAINT ge_tce UNIQUE "
    "(table_name, column_name, extension_name));"
    "CREATE TABLE gpkg_data_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL, "
    "name TEXT, title TEXT, description TEXT, mime_type TEXT, constraint_name TEXT, "
    "CONSTRAINT pk_gdc PRIMARY KEY (table_name, column_name), CONSTRAINT gdc_tn UNIQUE "
    "(table_name, name));"
    "CREATE TABLE gpkg_data_column_constraints (constraint_name TEXT NOT NULL, "
    "constraint_type TEXT NOT NULL, value TEXT, min NUMERIC, min_is_inclusive BOOLEAN, max "
    "NUMERIC, max_is_inclusive BOOLEAN, description TEXT, CONSTRAINT gdcc_ntv UNIQUE "
    "(constraint_name, constraint_type, value));"
    "INSERT INTO gpkg_extensions VALUES "
    "('gpkg_data_columns', NULL, 'gpkg_schema', "
    "'http://www.geopackage.org/spec130/#extension_schema', 'read-write'),"
    "('gpkg_data_column_constraints', NULL, 'gpkg_schema', "
    "'http://www.geopackage.org/spec130/#extension_schema', 'read-write');"
    "INSERT INTO gpkg_spatial_ref_sys VALUES "
    "('Undefined Cartesian SRS', -1, 'NONE', -1, 'undefined', 'undefined Cartesian'),"
    "('Undefined geographic SRS', 0, 'NONE', 0, 'undefined', 'undefined geographic'),"
    "('WGS 84 geodetic', 4326, 'EPSG', 4326, 'GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\","
    "SPHEROID[\"WGS 84\",6378137,298.257223563,AUTHORITY[\"EPSG\",\"7030\"]],"
    "AUTHORITY[\"EPSG\",\"6326\"]],PRIMEM[\"Greenwich\",0,AUTHORITY[\"EPSG\",\"8901\"]],"
    "UNIT[\"degree\",0.0174532925199433,AUTHORITY[\"EPSG\",\"9122\"]],"
    "AUTHORITY[\"EPSG\",\"4326\"]]', 'longitude and latitude in degrees'),"
    "('Overmaps in metres', 100001, 'PORTOLAN', 1, 'LOCAL_CS[\"Overmaps in metres\","
    "LOCAL_DATUM[\"Overmaps\",32767],UNIT[\"metre\",1],AXIS[\"x\",EAST],AXIS[\"y\",NORTH]]', "
    "'The OMT (x, y) is the square from 24 x to 24 x + 24 and from -24 y - 24 to -24 y.');"
    "CREATE TABLE layer_styles (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, f_table_catalog "
    "TEXT(256), f_table_schema TEXT(256), f_table_name TEXT(256), f_geometry_column TEXT(256), "
    "styleName TEXT(30), styleQML TEXT, styleSLD TEXT, useAsDefault BOOLEAN, description TEXT, "
    "owner TEXT(30), ui TEXT(30), update_time DATETIME DEFAULT "
    "(strftime('%Y-%m-%dT%H:%M:%fZ','now')));"
    "INSERT INTO gpkg_contents (table_name, data_type, identifier, last_change) VALUES "
    "('layer_styles', 'attributes', 'layer_styles', '" ATLAS_NO_TIME "');";

/* ---- how QGIS draws a layer ---- */

/* The symbol of each layer, as a layer of a symbol of QGIS. "@color" stands for the feature's
 * own colour. Widths are in millimetres, so that lines are seen at every scale. */
static const struct gpkg_style {
    const char *kind, *properties, *coloured; /* coloured: the property that has the colour of
                                               * the column `color`; NULL: none */
    bool at_ground;                           /* features of other levels are not drawn */
    const char *label;                        /* the column that is written beside */
} styles[GEO_LAYERS] = {
    [GEO_BORDER] = {"SimpleFill",
                    "style=no;outline_color=90,90,90,255;outline_style=dash;outline_width=0.3",
                    NULL, false, NULL},
    [GEO_GROUND] = {"SimpleFill", "style=solid;outline_style=no", "fillColor", false, NULL},
    [GEO_RIVER] = {"SimpleLine", "line_color=60,110,180,255;line_width=0.3", NULL, false, NULL},
    [GEO_WAY] = {"SimpleLine", "line_width=0.4", "outlineColor", true, NULL},
    [GEO_BUILDING] = {"SimpleMarker",
                      "name=square;color=150,120,100,255;outline_style=no;size=1", NULL, true,
                      NULL},
    [GEO_SPECIAL] = {"SimpleMarker",
                     "name=diamond;color=180,60,140,255;outline_color=255,255,255,255;size=2",
                     NULL, true, NULL},
    [GEO_CITY] = {"SimpleMarker",
                  "name=circle;color=200,40,40,255;outline_color=255,255,255,255;size=2.5",
                  NULL, false, "name"},
};

/* Writes "a=1;b=2" as the options of a map in QGIS' files of styles. */
static void put_options(bytes *out, const char *properties)
{
    bytes_put_text(out, "<Option type=\"Map\">");
    while (*properties) {
        const int name = (int)strcspn(properties, "=");
        const int value = (int)strcspn(properties + name + 1, ";");
        bytes_printf(out, "<Option name=\"%.*s\" type=\"QString\" value=\"%.*s\"/>", name,
                     properties, value, properties + name + 1);
        properties += name + 1 + value;
        properties += *properties == ';';
    }
    bytes_put_text(out, "</Option>");
}

static void put_style(bytes *out, geo_layer layer)
{
    static const char *const symbols[] = {"marker", "line", "fill"};
    const struct gpkg_style *s = &styles[layer];
    bytes_printf(out,
                 "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n"
                 "<qgis version=\"3.22\" styleCategories=\"Symbology|Labeling\" "
                 "labelsEnabled=\"%d\"><renderer-v2 type=\"singleSymbol\"><symbols><symbol "
                 "name=\"0\" type=\"%s\"><layer class=\"%s\" enabled=\"1\">",
                 s->label != NULL, symbols[geo_layers[layer].shape], s->kind);
    put_options(out, s->properties);
    bytes_put_text(out, "<data_defined_properties><Option type=\"Map\"><Option name=\"name\" "
                        "type=\"QString\" value=\"\"/><Option name=\"properties\" "
                        "type=\"Map\">");
    if (s->coloured)
        bytes_printf(out,
                     "<Option name=\"%s\" type=\"Map\"><Option name=\"active\" "
                     "type=\"bool\" value=\"true\"/><Option name=\"field\" "
                     "type=\"QString\" value=\"color\"/><Option name=\"type\" type=\"int\" "
                     "value=\"2\"/></Option>",
                     s->coloured);
    if (s->at_ground)
        bytes_put_text(out, "<Option name=\"enabled\" type=\"Map\"><Option name=\"active\" "
                            "type=\"bool\" value=\"true\"/><Option name=\"expression\" "
                            "type=\"QString\" value=\"&quot;z&quot; = 0\"/><Option "
                            "name=\"type\" type=\"int\" value=\"3\"/></Option>");
    bytes_put_text(out, "</Option><Option name=\"type\" type=\"QString\" "
                        "value=\"collection\"/></Option></data_defined_properties>");
    bytes_put_text(out, "</layer></symbol></symbols></renderer-v2>");
    if (s->label)
        bytes_printf(out,
                     "<labeling type=\"simple\"><settings><text-style fieldName=\"%s\" "
                     "fontSize=\"9\" textColor=\"20,20,20,255\"><text-buffer bufferDraw=\"1\" "
                     "bufferSize=\"0.8\" bufferColor=\"255,255,255,255\"/></text-style>"
                     "</settings></labeling>",
                     s->label);
    bytes_put_text(out, "</qgis>\n");
}

/* ---- SQL ---- */

static ptl_status gpkg_run(gpkg *w, const char *sql, ptl_error *err)
{
    const bool done = sql && sqlite3_exec(w->db, sql, NULL, NULL, NULL) == SQLITE_OK;
    return done ? PTL_OK : atlas_sql_failed(w->atlas, sql ? w->db : NULL, err);
}

/* Runs SQL that sqlite3_mprintf has made, and frees it. */
static ptl_status gpkg_run_made(gpkg *w, char *sql, ptl_error *err)
{
    const ptl_status status = gpkg_run(w, sql, err);
    sqlite3_free(sql);
    return status;
}

/* ---- layers ---- */

/* Makes the table of a layer, with what describes its columns and how QGIS draws it, and the
 * statement that inserts a feature. */
static ptl_status add_layer(gpkg *w, geo_layer layer, ptl_error *err)
{
    static const char *const types[] = {"POINT", "LINESTRING", "POLYGON"};
    const geo_layer_info *info = &geo_layers[layer];
    const char *type = types[info->shape];
    bytes create = {.size = 0}, insert = {.size = 0}, drawn = {.size = 0};
    ptl_status status = PTL_OK;
    bytes_printf(&create,
                 "CREATE TABLE %s (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom %s",
                 info->table, type);
    bytes_printf(&insert, "INSERT INTO %s VALUES (NULL, ?", info->table);
    for (const geo_column *c = info->columns; c->name; c++) {
        bytes_printf(&create, ", %s %s", c->name, c->is_text ? "TEXT" : "INTEGER");
        bytes_put_text(&insert, ", ?");
    }
    bytes_put_text(&create, ")");
    bytes_put_text(&insert, ")");
    put_style(&drawn, layer);
    const char *qml = bytes_text(&drawn), *into = bytes_text(&insert);
    status = qml && into ? gpkg_run(w, bytes_text(&create), err) : error_nomem(err);
    THEN(status,
         gpkg_run_made(w,
                       sqlite3_mprintf("INSERT INTO gpkg_contents (table_name, data_type, "
                                       "identifier, description, last_change, srs_id) "
                                       "VALUES (%Q, 'features', %Q, %Q, %Q, %d);"
                                       "INSERT INTO gpkg_geometry_columns VALUES (%Q, "
                                       "'geom', %Q, %d, 0, 0);"
                                       "INSERT INTO layer_styles (f_table_catalog, "
                                       "f_table_schema, f_table_name, f_geometry_column, "
                                       "styleName, styleQML, useAsDefault, update_time) "
                                       "VALUES ('', '', %Q, 'geom', %Q, %Q, 1, %Q)",
                                       info->table, info->table, info->description,
                                       ATLAS_NO_TIME, SRS, info->table, type, SRS, info->table,
                                       info->table, qml, ATLAS_NO_TIME),
                       err));
    for (const geo_column *c = info->columns; c->name && status == PTL_OK; c++)
        status = gpkg_run_made(w,
                               sqlite3_mprintf("INSERT INTO gpkg_data_columns (table_name, "
                                               "column_name, name, title, description) VALUES "
                                               "(%Q, %Q, %Q, %Q, %Q)",
                                               info->table, c->name, c->name, c->name,
                                               c->description),
                               err);
    if (status == PTL_OK &&
        sqlite3_prepare_v2(w->db, into, -1, &w->insert[layer], NULL) != SQLITE_OK)
        status = atlas_sql_failed(w->atlas, w->db, err);
    bytes_dispose(&create);
    bytes_dispose(&insert);
    bytes_dispose(&drawn);
    return status;
}

/* ---- features ---- */

static void put_double(bytes *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bytes_put_u64(out, bits);
}

static double metres_x(twice at)
{
    return (double)at.x * METRES / 2;
}

static double metres_y(twice at)
{
    return (double)-at.y * METRES / 2;
}

static void put_places(bytes *out, const drawn_line *l, size_t from, size_t to, bool counted)
{
    if (counted)
        bytes_put_u32(out, (uint32_t)(to - from));
    for (size_t i = from; i < to; i++) {
        put_double(out, metres_x(l->points[i]));
        put_double(out, metres_y(l->points[i]));
    }
}

static box box_of(const drawn_line *l)
{
    box b = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < l->count; i++) {
        const double x = metres_x(l->points[i]), y = metres_y(l->points[i]);
        b = (box){fmin(b.west, x), fmin(b.south, y), fmax(b.east, x), fmax(b.north, y)};
    }
    return b;
}

/* Writes a geometry as a GeoPackage holds it: a head, the box around it unless it is a point,
 * and the geometry in the form WKB. All numbers are little-endian. */
static void put_blob(gpkg *w, const drawn_line *l, geo_shape shape, const box *b)
{
    bytes *out = &w->blob;
    bytes_clear(out);
    bytes_put_text(out, "GP");
    bytes_put_u8(out, 0); /* version 1 */
    bytes_put_u8(out, shape == GEO_POINT ? 1 : 1 | 1 << 1);
    bytes_put_u32(out, SRS);
    if (shape != GEO_POINT) {
        const double sides[4] = {b->west, b->east, b->south, b->north};
        for (size_t i = 0; i < 4; i++)
            put_double(out, sides[i]);
    }
    bytes_put_u8(out, 1);
    bytes_put_u32(out, (uint32_t)shape + 1);
    if (shape != GEO_POLYGON) {
        put_places(out, l, 0, l->count, shape == GEO_LINE);
        return;
    }
    bytes_put_u32(out, (uint32_t)l->ring_count);
    for (size_t i = 0; i < l->ring_count; i++)
        put_places(out, l, i > 0 ? l->ends[i - 1] : 0, l->ends[i], true);
}

static ptl_status put_feature(geo *g, ptl_error *err)
{
    gpkg *w = g->writer;
    const geo_layer_info *layer = &geo_layers[g->layer];
    sqlite3_stmt *s = w->insert[g->layer];
    box *all = &w->boxes[g->layer];
    const box b = box_of(&g->line);
    *all = (box){fmin(all->west, b.west), fmin(all->south, b.south), fmax(all->east, b.east),
                 fmax(all->north, b.north)};
    w->counts[g->layer]++;
    put_blob(w, &g->line, layer->shape, &b);
    if (w->blob.failed)
        return error_nomem(err);
    bool bound =
        sqlite3_bind_blob64(s, 1, w->blob.data, w->blob.size, SQLITE_STATIC) == SQLITE_OK;
    for (size_t i = 0; i < g->value_count && bound; i++) {
        const int at = (int)i + 2;
        bound = (layer->columns[i].is_text
                     ? sqlite3_bind_text(s, at, g->values[i].text, -1, SQLITE_STATIC)
                     : sqlite3_bind_int64(s, at, g->values[i].number)) == SQLITE_OK;
    }
    if (!bound || sqlite3_step(s) != SQLITE_DONE)
        return atlas_sql_failed(w->atlas, w->db, err);
    sqlite3_reset(s);
    return PTL_OK;
}

/* ---- the file ---- */

static ptl_status finish(gpkg *w, ptl_error *err)
{
    for (size_t i = 0; i < GEO_LAYERS; i++) {
        const box *b = &w->boxes[i];
        if (w->counts[i] == 0)
            continue;
        TRY(gpkg_run_made(w,
                          sqlite3_mprintf("UPDATE gpkg_contents SET min_x = %f, min_y = %f, "
                                          "max_x = %f, max_y = %f WHERE table_name = %Q",
                                          b->west, b->south, b->east, b->north,
                                          geo_layers[i].table),
                          err));
    }
    return gpkg_run(w, "COMMIT", err);
}

static ptl_status write_all(gpkg *w, ptl_error *err)
{
    if (sqlite3_open_v2(w->atlas->file.temporary, &w->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return atlas_sql_failed(w->atlas, w->db, err);
    TRY(gpkg_run(w, tables, err));
    for (size_t i = 0; i < GEO_LAYERS; i++) {
        w->boxes[i] = (box){HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
        TRY(add_layer(w, (geo_layer)i, err));
    }
    TRY(geo_each(w->atlas, put_feature, w, err));
    return finish(w, err);
}

ptl_status atlas_gpkg(atlas *a, ptl_error *err)
{
    gpkg w = {.atlas = a};
    ptl_status status = write_all(&w, err);
    for (size_t i = 0; i < GEO_LAYERS; i++)
        sqlite3_finalize(w.insert[i]);
    sqlite3_close(w.db);
    bytes_dispose(&w.blob);
    THEN(status, atlas_measure(a, err));
    return status;
}
