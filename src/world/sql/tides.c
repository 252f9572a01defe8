/*
 * The SQL functions about a world's tides: tide(step), tide(world, turn), water_at(world, x, y,
 * turn) and ford(world, x0, y0, x1, y1[, turn]). They need heights, which the store does not
 * know; so they are defined here, and src/library/store.c adds them to the store's SQL. Each
 * returns NULL if an argument is NULL, if the world does not exist or has no tides, or if a
 * place is not sea or shore. They generate nothing: the result is also NULL if a chunk is not
 * saved.
 */
#include "world/sql/tides.h"

#include "world/local/local.h"
#include "world/local/local_reader.h"

#include <inttypes.h>

/* Reads the arguments of an SQL function that are whole numbers; there are `count` of them. If
 * an argument is NULL, returns false; the SQL result is NULL then. If an argument is not a
 * whole number, returns false and makes the SQL function fail with the text `wrong`. */
static bool take_numbers(int64_t *out, sqlite3_context *context, int count,
                         sqlite3_value **values, const char *wrong)
{
    bool none = false;
    for (int i = 0; i < count; i++) {
        const int type = sqlite3_value_numeric_type(values[i]);
        if (type != SQLITE_INTEGER && type != SQLITE_NULL) {
            sqlite3_result_error(context, wrong, -1);
            return false;
        }
        none = none || type == SQLITE_NULL;
        out[i] = sqlite3_value_int64(values[i]);
    }
    return !none;
}

void sql_tide(sqlite3_context *context, int count, sqlite3_value **values)
{
    int64_t turn;
    if (take_numbers(&turn, context, count, values, "tide: the step is not an integer"))
        sqlite3_result_int(context, ptl_tide_height(turn));
}

/* A function that computes the result of an SQL function about a world. If it returns
 * PTL_ERR_NOT_FOUND, the SQL result is NULL. */
typedef ptl_status question(sqlite3_context *context, ptl_world *world, const int64_t *numbers,
                            ptl_error *err);

/* Calls `of` for an SQL function about a world, after reading the arguments of the function.
 * The first argument is the world's name; the others are at most NUMBERS_MAX whole numbers.
 * `no_text` is the error if the first argument is not a text, `no_number` the error if another
 * one is not a whole number. If an argument is NULL, the result is NULL. */
static void ask(sqlite3_context *context, int count, sqlite3_value **values,
                const char *no_text, const char *no_number, question *of)
{
    enum { NUMBERS_MAX = 5 };
    int64_t numbers[NUMBERS_MAX] = {0};
    sql_source *source = sqlite3_user_data(context);
    ptl_error err = {0};
    ptl_world *world = NULL;
    stmt *held;
    const int type = sqlite3_value_type(values[0]);
    const char *name = type == SQLITE_TEXT ? (const char *)sqlite3_value_text(values[0]) : NULL;
    if (!name && type != SQLITE_NULL)
        sqlite3_result_error(context, no_text, -1);
    if (!name || !take_numbers(numbers, context, count - 1, values + 1, no_number))
        return;
    ptl_status status = sql_source_begin(source, &held, &err);
    THEN(status, sql_world_open(&world, source, name, &err));
    THEN(status, of(context, world, numbers, &err));
    sql_source_end(held);
    if (status != PTL_OK && status != PTL_ERR_NOT_FOUND)
        sql_function_failed(context, status, &err);
}

static ptl_status ask_tide(sqlite3_context *context, ptl_world *world, const int64_t *numbers,
                           ptl_error *err)
{
    int32_t height;
    TRY(ptl_local_tide(&height, world, numbers[0], err));
    sqlite3_result_int(context, height);
    return PTL_OK;
}

void sql_tide_of(sqlite3_context *context, int count, sqlite3_value **values)
{
    ask(context, count, values, "tide: the world is not a text",
        "tide: the turn is not an integer", ask_tide);
}

static ptl_status ask_water(sqlite3_context *context, ptl_world *world, const int64_t *numbers,
                            ptl_error *err)
{
    ptl_local_water water;
    TRY(local_reader_water(&water, world, numbers[0], numbers[1], numbers[2], err));
    sqlite3_result_int(context, water.depth);
    return PTL_OK;
}

void sql_water_at(sqlite3_context *context, int count, sqlite3_value **values)
{
    ask(context, count, values, "water_at: the world is not a text",
        "water_at: x, y and the turn must be integers", ask_water);
}

static ptl_status ask_ford(sqlite3_context *context, ptl_world *world, const int64_t *numbers,
                           ptl_error *err)
{
    ptl_local_ford ford = PTL_LOCAL_FORD_INIT;
    bytes text;
    TRY(ptl_local_ford_find(&ford, world, numbers[0], numbers[1], numbers[2], numbers[3],
                            numbers[4], err));
    bytes_init(&text);
    for (int32_t i = 0; i < ford.count; i++)
        bytes_printf(&text, "%s[%" PRId64 ",%" PRId64 "]", i ? "," : "[", ford.from[i],
                     ford.to[i]);
    bytes_put_text(&text, ford.count ? "]" : "[]");
    if (text.failed)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_text64(context, (const char *)text.data, text.size, SQLITE_TRANSIENT,
                              SQLITE_UTF8);
    bytes_dispose(&text);
    return PTL_OK;
}

/* A caller may leave out the argument `turn`; it is 0 then. */
void sql_ford(sqlite3_context *context, int count, sqlite3_value **values)
{
    ask(context, count, values, "ford: the world is not a text",
        "ford: x0, y0, x1, y1 and the turn must be integers", ask_ford);
}

ptl_status sql_local_flood(sql_source *source, const char *name, stored_map *map, int64_t turn,
                           ptl_error *err)
{
    ptl_world *world = NULL;
    local_reader *r = NULL;
    local_sea sea;
    ptl_status status = sql_world_open(&world, source, name, err);
    if (status != PTL_OK || ptl_local_tide_turns(world) == 0)
        return status;
    if (!(r = local_reader_new(world)))
        return error_nomem(err);
    status = local_reader_sea_at(&sea, r, map->info.at, turn, err);
    if (status == PTL_OK && !world_local_flood(&map->map, map->pool, &sea))
        status = error_nomem(err);
    local_reader_free(r);
    return status;
}

/* The open world that SQL functions about tides use. It is opened by the first call that needs
 * it, which takes tens of milliseconds, and stays with the database connection until the
 * content changes or another world is needed. */

static void free_picture(void *picture)
{
    ptl_world_close(picture);
}

ptl_status sql_world_open(ptl_world **out, sql_source *source, const char *name, ptl_error *err)
{
    const content_operations *content = ops(source->store)->content;
    ptl_world *world = source->picture;
    char current[65] = "";
    int64_t id = 0;
    if (world && strcmp(ptl_world_name(world), name) == 0) {
        TRY(content->current(&id, source->store, err));
        TRY(content->digest(current, source->store, id, err));
        if (strcmp(current, ptl_world_catalogue(world)->digest) == 0) {
            *out = world;
            return PTL_OK;
        }
    }
    ptl_world_close(world);
    source->picture = NULL;
    source->free_picture = free_picture;
    const ptl_status status = ptl_world_open(out, source->store, name, NULL, err);
    source->picture = *out;
    return status;
}
