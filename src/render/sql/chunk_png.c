/*
 * The SQL function chunk_png(world, chunk_x, chunk_y, z [, scale]): a picture of one level as a
 * PNG blob. It is defined here and not in the store, because the store may not draw;
 * src/library/store.c adds it to the store's SQL. Drawing needs the content's catalogue, which
 * takes tens of milliseconds to load. So the database connection keeps it until the content
 * changes or another world is drawn.
 */
#include "render/sql/chunk_png.h"

#include "portolan/render.h"
#include "store/sqlite/query/omt_levels.h"
#include "world/sql/tides.h"

enum { SCALE_MAX = 8 };

static bool take_bytes(void *payload, const void *data, size_t size)
{
    bytes_put(payload, data, size);
    return !((const bytes *)payload)->failed;
}

static ptl_status draw(sqlite3_context *context, sql_source *source, const char *name,
                       ptl_chunk_pos pos, int32_t z, int32_t scale, ptl_error *err)
{
    const omt_chunk *chunk = NULL;
    oter_table *oters;
    ptl_world *world = NULL;
    ptl_render_options options = PTL_RENDER_OPTIONS_INIT;
    bytes png = {.size = 0};
    options.x0 = (int64_t)pos.x * PTL_CHUNK_SIZE;
    options.y0 = (int64_t)pos.y * PTL_CHUNK_SIZE;
    options.x1 = options.x0 + PTL_CHUNK_SIZE - 1;
    options.y1 = options.y0 + PTL_CHUNK_SIZE - 1;
    options.z_first = options.z_last = z;
    options.scale = scale;
    ptl_status status = oter_table_use(&oters, source, err);
    THEN(status, omt_chunk_find(&chunk, source, name, pos, err));
    if (status != PTL_OK || !chunk)
        return status;
    status = sql_world_open(&world, source, name, err);
    THEN(status, ptl_render_png_write(world, &options, take_bytes, &png, err));
    if (status == PTL_OK)
        sqlite3_result_blob64(context, png.data, png.size, SQLITE_TRANSIENT);
    bytes_dispose(&png);
    return status;
}

/* Reads the function's arguments that are integers. *none becomes true if one of them is
 * NULL. Returns false if an argument is wrong; the error is then set as the result of the
 * SQL function. */
static bool take_numbers(int64_t numbers[4], bool *none, sqlite3_context *context, int count,
                         sqlite3_value **values)
{
    static const char *const wrong[] = {
        "chunk_png: chunk_x is not an integer", "chunk_png: chunk_y is not an integer",
        "chunk_png: z is not an integer", "chunk_png: the scale is not an integer"};
    numbers[3] = 1;
    for (int i = 1; i < count; i++) {
        const int type = sqlite3_value_numeric_type(values[i]);
        *none = *none || type == SQLITE_NULL;
        if (type != SQLITE_INTEGER && type != SQLITE_NULL) {
            sqlite3_result_error(context, wrong[i - 1], -1);
            return false;
        }
        numbers[i - 1] = sqlite3_value_int64(values[i]);
    }
    return true;
}

void sql_chunk_png(sqlite3_context *context, int count, sqlite3_value **values)
{
    int64_t numbers[4] = {0};
    bool none = sqlite3_value_type(values[0]) == SQLITE_NULL;
    ptl_error err = {0};
    stmt *held;
    if (!take_numbers(numbers, &none, context, count, values) || none)
        return;
    if (sqlite3_value_type(values[0]) != SQLITE_TEXT) {
        sqlite3_result_error(context, "chunk_png: the world is not a text", -1);
        return;
    }
    if (numbers[3] < 1 || numbers[3] > SCALE_MAX) {
        sqlite3_result_error(context, "chunk_png: the scale lies in 1..8", -1);
        return;
    }
    const char *name = (const char *)sqlite3_value_text(values[0]);
    if (!name) {
        sqlite3_result_error_nomem(context);
        return;
    }
    if (numbers[0] < -PTL_CHUNK_COORD_MAX || numbers[0] > PTL_CHUNK_COORD_MAX ||
        numbers[1] < -PTL_CHUNK_COORD_MAX || numbers[1] > PTL_CHUNK_COORD_MAX ||
        numbers[2] < PTL_Z_MIN || numbers[2] > PTL_Z_MAX)
        return;
    const ptl_chunk_pos pos = {(int32_t)numbers[0], (int32_t)numbers[1]};
    sql_source *source = sqlite3_user_data(context);
    ptl_status status = sql_source_begin(source, &held, &err);
    THEN(status,
         draw(context, source, name, pos, (int32_t)numbers[2], (int32_t)numbers[3], &err));
    sql_source_end(held);
    if (status != PTL_OK)
        sql_function_failed(context, status, &err);
}
