/* Scalar functions over a world file. NULL as an argument gives NULL. So does everything that
 * the file does not have: a cell that is not saved, or an oter that the content lacks. */
#include "core/error.h"
#include "store/sqlite/query/tile_levels.h"
#include "store/sqlite/query/vtab.h"

#include <string.h>

/* Takes an integer argument. *none is set for NULL, and for numbers that no coordinate can
 * have. False: the function has failed. */
static bool take_integer(int64_t *out, bool *none, sqlite3_context *context,
                         sqlite3_value *value, const char *what)
{
    char message[100];
    switch (sqlite3_value_numeric_type(value)) {
    case SQLITE_INTEGER:
        *out = sqlite3_value_int64(value);
        return true;
    case SQLITE_NULL:
        *none = true;
        return true;
    default:
        sqlite3_snprintf((int)sizeof message, message, "%s is not an integer", what);
        sqlite3_result_error(context, message, -1);
        return false;
    }
}

/* Takes a text argument; *none is set for NULL. False: the function has failed. */
static bool take_text(const char **out, bool *none, sqlite3_context *context,
                      sqlite3_value *value, const char *what)
{
    char message[100];
    if (sqlite3_value_type(value) == SQLITE_NULL) {
        *none = true;
        return true;
    }
    if (sqlite3_value_type(value) != SQLITE_TEXT) {
        sqlite3_snprintf((int)sizeof message, message, "%s is not a text", what);
        sqlite3_result_error(context, message, -1);
        return false;
    }
    *out = (const char *)sqlite3_value_text(value);
    if (!*out)
        sqlite3_result_error_nomem(context);
    return *out != NULL;
}

/* ---- tiles ---- */

/* Finds the oter number of an OMT; 0 if it is not saved. */
static ptl_status find_tile(uint32_t *number, sql_source *source, const char *world,
                            ptl_omt omt, ptl_error *err)
{
    const tile_chunk *chunk;
    tile_level *l;
    const ptl_chunk_pos pos = ptl_omt_chunk(omt);
    const int64_t x = omt.x - (int64_t)pos.x * PTL_CHUNK_SIZE;
    const int64_t y = omt.y - (int64_t)pos.y * PTL_CHUNK_SIZE;
    const int32_t cell = (int32_t)(y * PTL_CHUNK_SIZE + x);
    ptl_status status = tile_chunk_find(&chunk, source, world, pos, err);
    *number = 0;
    if (status != PTL_OK || !chunk)
        return status;
    if (!(chunk->info.level_mask >> (omt.z - PTL_Z_MIN) & 1)) {
        *number = chunk->fill[omt.z - PTL_Z_MIN];
        return PTL_OK;
    }
    TRY(tile_level_get(&l, source, chunk, omt.z, err));
    *number = l->palette[l->cells[cell]];
    tile_level_unpin(l);
    return PTL_OK;
}

static ptl_status answer_omt(sqlite3_context *context, sql_source *source, const char *world,
                             ptl_omt omt, ptl_error *err)
{
    oter_table *oters;
    const oter_name *name;
    stmt *held;
    uint32_t number = 0;
    ptl_status status = sql_source_begin(source, &held, err);
    THEN(status, oter_table_use(&oters, source, err));
    THEN(status, find_tile(&number, source, world, omt, err));
    if (status == PTL_OK && number > 0) {
        status = oter_table_look_up(&name, oters, source, number, err);
        if (status == PTL_OK)
            sqlite3_result_text(context, name->id, name->id_size, SQLITE_TRANSIENT);
    }
    sql_source_end(held);
    return status;
}

/* Implements SQL's omt_at(world, x, y, z). */
void sql_tile_at(sqlite3_context *context, int count, sqlite3_value **values)
{
    const int64_t least = -(int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;
    const int64_t most = ((int64_t)PTL_CHUNK_COORD_MAX + 1) * PTL_CHUNK_SIZE - 1;
    const char *world = NULL;
    int64_t x = 0, y = 0, z = 0;
    bool none = false;
    ptl_error err = {0};
    (void)count;
    if (!take_text(&world, &none, context, values[0], "omt_at: the world") ||
        !take_integer(&x, &none, context, values[1], "omt_at: x") ||
        !take_integer(&y, &none, context, values[2], "omt_at: y") ||
        !take_integer(&z, &none, context, values[3], "omt_at: z"))
        return;
    if (none || x < least || x > most || y < least || y > most || z < PTL_Z_MIN ||
        z > PTL_Z_MAX)
        return;
    ptl_status status = answer_omt(context, sqlite3_user_data(context), world,
                                   (ptl_omt){x, y, (int32_t)z}, &err);
    if (status != PTL_OK)
        sql_function_failed(context, status, &err);
}

/* ---- oters ---- */

/* Takes the shape of the oter that the first argument names. False: the function's result is
 * already set. */
static bool take_shape(oter_name *out, sqlite3_context *context, sqlite3_value **values,
                       const char *what)
{
    const char *id = NULL;
    bool none = false, found = false;
    ptl_error err = {0};
    if (!take_text(&id, &none, context, values[0], what) || none ||
        !sql_function_ready(context))
        return false;
    ptl_status status = oter_shape(out, &found, sqlite3_user_data(context), id, &err);
    if (status != PTL_OK)
        sql_function_failed(context, status, &err);
    return status == PTL_OK && found;
}

/* Implements SQL's oter_base(oter). */
void sql_oter_base(sqlite3_context *context, int count, sqlite3_value **values)
{
    oter_name name;
    (void)count;
    if (take_shape(&name, context, values, "oter_base: the oter"))
        sqlite3_result_text(context, name.terrain, name.terrain_size, SQLITE_TRANSIENT);
}

/* Implements SQL's oter_rotation(oter). */
void sql_oter_rotation(sqlite3_context *context, int count, sqlite3_value **values)
{
    oter_name name;
    (void)count;
    if (take_shape(&name, context, values, "oter_rotation: the oter"))
        sqlite3_result_int(context, name.rotation);
}

/* Implements SQL's oter_line(oter). */
void sql_oter_line(sqlite3_context *context, int count, sqlite3_value **values)
{
    oter_name name;
    (void)count;
    if (take_shape(&name, context, values, "oter_line: the oter") && name.line >= 0)
        sqlite3_result_int(context, name.line);
}

/* Implements SQL's oter_rotate(oter, quarter_turns): rotates clockwise; an oter without
 * rotations stays as it is. */
void sql_oter_rotate(sqlite3_context *context, int count, sqlite3_value **values)
{
    oter_name name;
    int64_t quarters = 0;
    bool none = false;
    const char *rotated = NULL;
    ptl_error err = {0};
    (void)count;
    if (!take_integer(&quarters, &none, context, values[1], "oter_rotate: the turns") || none ||
        !take_shape(&name, context, values, "oter_rotate: the oter"))
        return;
    const int by = (int)((quarters % 4 + 4) % 4);
    const int variant = name.line >= 0 ? (name.line << by | name.line >> (4 - by)) & 15
                                       : (name.rotation + by) & 3;
    ptl_status status =
        oter_variant(&rotated, sqlite3_user_data(context), name.terrain, variant, &err);
    if (status != PTL_OK)
        sql_function_failed(context, status, &err);
    else if (rotated)
        sqlite3_result_text(context, rotated, -1, SQLITE_TRANSIENT);
    else
        sqlite3_result_value(context, values[0]);
}
