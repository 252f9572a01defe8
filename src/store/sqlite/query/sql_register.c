/*
 * SQL functions that read a world file or compute statistics; and the lists of all virtual
 * tables and functions, which are registered on a connection. Every registered module and
 * function counts as a reference to the source, so the source lives as long as SQLite can call
 * any of them, even if the extension is loaded twice.
 */
#include "core/array.h"
#include "core/error.h"
#include "core/wilson.h"
#include "store/sqlite/query/omt_levels.h"
#include "store/sqlite/query/oter_table.h"
#include "store/sqlite/query/vtab.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/schema/schema_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Statistics in SQL: median(x), percentile(x, p) and stddev(x) over rows, and Wilson's interval
 * of a proportion. NULLs are skipped; without any value the result is NULL.
 * A percentile keeps all values, eight bytes each. It does not sort them, but finds its result
 * digit by digit. That takes eight passes over the values, however many are equal and in
 * whatever order they came; so the query's clock, which is read between steps, is never late.
 * When a window moves, the oldest values are dropped at the front.
 */

enum { GATHERED_MAX = 1 << 24 /* most values that percentiles may keep; they take 128 MiB */ };

typedef enum argument_kind { NUMBER, INTEGER, TEXT } argument_kind;

/* Checks the kind of an argument. Returns true if the kind is right, or if the argument is
 * NULL; for NULL it also sets *none to true. Otherwise it makes an error the result of the SQL
 * function and returns false. */
static bool take(sqlite3_context *context, sqlite3_value *value, argument_kind kind,
                 const char *what, bool *none)
{
    static const char *const kinds[] = {"a number", "an integer", "a text"};
    char message[100];
    const int type =
        kind == TEXT ? sqlite3_value_type(value) : sqlite3_value_numeric_type(value);
    *none = *none || type == SQLITE_NULL;
    if (type == SQLITE_NULL ||
        (kind == TEXT ? type == SQLITE_TEXT
                      : type == SQLITE_INTEGER || (type == SQLITE_FLOAT && kind == NUMBER)))
        return true;
    sqlite3_snprintf((int)sizeof message, message, "%s is not %s", what, kinds[kind]);
    sqlite3_result_error(context, message, -1);
    return false;
}

/* ---- percentiles ---- */

/* The values of a percentile. SQLite creates it zeroed. Values before the index `first` are no
 * longer in the window. */
typedef struct gathered {
    double *values; /* owned */
    size_t first, count, room;
    double percent;
    bool told; /* whether `percent` has been read, which is done at the first row */
} gathered;

/* Returns an unsigned integer for a value, so that of two values the greater one has the
 * greater integer. */
static uint64_t key_of(double value)
{
    const double plain = value + 0.0; /* makes -0.0 equal to 0.0 */
    uint64_t bits;
    memcpy(&bits, &plain, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* Returns the value that would have the index `rank` if the values were sorted in ascending
 * order. */
static double at_rank(const double *values, size_t count, size_t rank)
{
    /* The integer by which the wanted value is sorted (key_of), as far as it is known. Each
     * round of the loop finds eight more of its bits, beginning with the highest ones. */
    uint64_t found = 0;
    for (int shift = 56; shift >= 0; shift -= 8) {
        size_t counts[256] = {0}, digit = 0;
        for (size_t i = 0; i < count; i++) {
            const uint64_t key = key_of(values[i]) >> shift;
            if (key >> 8 == found)
                counts[key & 255]++;
        }
        while (rank >= counts[digit])
            rank -= counts[digit++];
        found = found << 8 | digit;
    }
    const uint64_t bits = found >> 63 ? found & ~(UINT64_C(1) << 63) : ~found;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool take_percent(gathered *g, sqlite3_context *context, int count,
                         sqlite3_value **values)
{
    bool none = false;
    if (count == 2 && !take(context, values[1], NUMBER, "percentile: p", &none))
        return false;
    const double percent = count == 2 ? sqlite3_value_double(values[1]) : 50;
    if (none || !(percent >= 0 && percent <= 100)) {
        sqlite3_result_error(context, "percentile: p is not from 0 to 100", -1);
        return false;
    }
    if (g->told && g->percent != percent) {
        sqlite3_result_error(context, "percentile: p is not the same in all rows", -1);
        return false;
    }
    g->percent = percent;
    g->told = true;
    return true;
}

/* Adds one row's value to SQL's median(x) or percentile(x, p). */
static void sql_percentile_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    sql_source *source = sqlite3_user_data(context);
    gathered *g = sqlite3_aggregate_context(context, (int)sizeof *g);
    bool none = false;
    if (!g) {
        sqlite3_result_error_nomem(context);
        return;
    }
    if (!take_percent(g, context, count, values) ||
        !take(context, values[0], NUMBER,
              count == 2 ? "percentile: a value" : "median: a value", &none) ||
        none)
        return;
    if (source->gathered >= GATHERED_MAX) {
        sqlite3_result_error(context, "median, percentile: more than 16777216 values", -1);
        return;
    }
    if (!ARRAY_ROOM(g->values, g->room, g->count + 1)) {
        sqlite3_result_error_nomem(context);
        return;
    }
    source->gathered++;
    g->values[g->count++] = sqlite3_value_double(values[0]);
}

/* Removes the oldest value, when the window of median(x) or percentile(x, p) moves. */
static void sql_percentile_inverse(sqlite3_context *context, int count, sqlite3_value **values)
{
    sql_source *source = sqlite3_user_data(context);
    gathered *g = sqlite3_aggregate_context(context, 0);
    (void)count;
    if (!g || g->first == g->count || sqlite3_value_type(values[0]) == SQLITE_NULL)
        return;
    source->gathered--;
    g->first++;
    if (g->first > g->count / 2) {
        g->count -= g->first;
        memmove(g->values, g->values + g->first, g->count * sizeof *g->values);
        g->first = 0;
    }
}

static void sql_percentile_value(sqlite3_context *context)
{
    const gathered *g = sqlite3_aggregate_context(context, 0);
    if (!g || g->count <= g->first)
        return;
    const double *values = g->values + g->first;
    const size_t count = g->count - g->first;
    const double place = (double)(count - 1) * g->percent / 100;
    const size_t rank = (size_t)place;
    const double share = place - (double)rank, low = at_rank(values, count, rank);
    const double high = share > 0 ? at_rank(values, count, rank + 1) : low;
    sqlite3_result_double(context, low == high ? low : low * (1 - share) + high * share);
}

static void sql_percentile_final(sqlite3_context *context)
{
    sql_source *source = sqlite3_user_data(context);
    gathered *g = sqlite3_aggregate_context(context, 0);
    sql_percentile_value(context);
    if (!g)
        return;
    source->gathered -= g->count - g->first;
    free(g->values);
    *g = (gathered){0};
}

/* ---- standard deviation ---- */

/* For stddev(x): the mean of the values so far, and the sum of their squared deviations from it
 * (Welford 1962). Subtracting squares of large values would lose precision. */
typedef struct moments {
    double count, mean, squares;
} moments;

static void sql_stddev_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    moments *m = sqlite3_aggregate_context(context, (int)sizeof *m);
    bool none = false;
    (void)count;
    if (!m) {
        sqlite3_result_error_nomem(context);
        return;
    }
    if (!take(context, values[0], NUMBER, "stddev: a value", &none) || none)
        return;
    const double value = sqlite3_value_double(values[0]);
    const double before = value - m->mean;
    m->count++;
    m->mean += before / m->count;
    m->squares += before * (value - m->mean);
}

static void sql_stddev_final(sqlite3_context *context)
{
    const moments *m = sqlite3_aggregate_context(context, 0);
    if (m && m->count >= 2)
        sqlite3_result_double(context, sqrt(m->squares / (m->count - 1)));
}

/* ---- Wilson's interval ---- */

/*
 * Returns z such that the part `share` (0..1) of a normal distribution lies within z standard
 * deviations of its mean. Newton's method finds z as the root of a function: the part that lies
 * outside for a given z, minus 1 - share. The search begins at z = 0, below the root. No step
 * goes beyond the root, because the function falls, and falls more slowly the greater z is.
 * While z is far from the root, a step adds about 1 / z. The largest result is 8.3, for the
 * share 1 - 2^-53.
 */
static double normal_width(double share)
{
    const double outside = 1 - share, half_pi = 1.57079632679489661923;
    double z = 0, step = 1;
    for (int i = 0; i < 100 && fabs(step) > 1e-15; i++) {
        step = (erfc(z / sqrt(2)) - outside) * sqrt(half_pi) * exp(z * z / 2);
        z += step;
    }
    return z;
}

/* Reads and checks the SQL function's arguments: the numbers of successes and trials, and the
 * level of confidence if it is given. Returns false if the function's result is set already: it
 * is NULL or an error. */
static bool take_trials(double out[3], sqlite3_context *context, int count,
                        sqlite3_value **values)
{
    static const char *const names[] = {"wilson: the number of successes",
                                        "wilson: the number of trials", "wilson: the level"};
    bool none = false;
    for (int i = 0; i < 3 && i < count; i++) {
        if (!take(context, values[i], NUMBER, names[i], &none))
            return false;
        out[i] = sqlite3_value_double(values[i]);
    }
    if (none)
        return false;
    if (!(out[0] >= 0 && out[0] <= out[1])) {
        sqlite3_result_error(context, "wilson: successes are not from 0 to the trials", -1);
        return false;
    }
    if (!(out[2] > 0 && out[2] < 1))
        sqlite3_result_error(context, "wilson: the level is not between 0 and 1", -1);
    return out[2] > 0 && out[2] < 1;
}

/* Implements SQL's wilson_low(successes, trials [, level]). If there is no success the lower
 * end must be exactly 0, which rounding could miss. */
static void sql_wilson_low(sqlite3_context *context, int count, sqlite3_value **values)
{
    double trials[3] = {0, 0, 0.95};
    if (take_trials(trials, context, count, values))
        sqlite3_result_double(
            context,
            trials[0] == 0 ? 0 : wilson_end(trials[0], trials[1], normal_width(trials[2]), -1));
}

/* Implements SQL's wilson_high(successes, trials [, level]). */
static void sql_wilson_high(sqlite3_context *context, int count, sqlite3_value **values)
{
    double trials[3] = {0, 0, 0.95};
    if (take_trials(trials, context, count, values))
        sqlite3_result_double(
            context, trials[0] == trials[1]
                         ? 1
                         : wilson_end(trials[0], trials[1], normal_width(trials[2]), 1));
}

/* ---- functions over OMTs ---- */

/* If an argument of a function that reads a world file is NULL, the function's result is NULL.
 * The result is also NULL if the file lacks what was asked for: the cell is not saved, or the
 * content lacks the oter. */

/* Finds the oter number of an OMT; 0 if its chunk is not saved. */
static ptl_status find_omt(uint32_t *number, sql_source *source, const char *world, ptl_omt omt,
                           ptl_error *err)
{
    const omt_chunk *chunk;
    omt_level *l;
    const ptl_chunk_pos pos = ptl_omt_chunk(omt);
    const int64_t x = omt.x - (int64_t)pos.x * PTL_CHUNK_SIZE;
    const int64_t y = omt.y - (int64_t)pos.y * PTL_CHUNK_SIZE;
    const int32_t cell = (int32_t)(y * PTL_CHUNK_SIZE + x);
    ptl_status status = omt_chunk_find(&chunk, source, world, pos, err);
    *number = 0;
    if (status != PTL_OK || !chunk)
        return status;
    if (!(chunk->info.level_mask >> (omt.z - PTL_Z_MIN) & 1)) {
        *number = chunk->fill[omt.z - PTL_Z_MIN];
        return PTL_OK;
    }
    TRY(omt_level_get(&l, source, chunk, omt.z, err));
    *number = l->palette[l->cells[cell]];
    omt_level_unpin(l);
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
    THEN(status, find_omt(&number, source, world, omt, err));
    if (status == PTL_OK && number > 0) {
        status = oter_table_look_up(&name, oters, source, number, err);
        if (status == PTL_OK)
            sqlite3_result_text(context, name->id, name->id_size, SQLITE_TRANSIENT);
    }
    sql_source_end(held);
    return status;
}

/* Implements SQL's omt_at(world, x, y, z). */
static void sql_omt_at(sqlite3_context *context, int count, sqlite3_value **values)
{
    const int64_t least = -(int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;
    const int64_t most = ((int64_t)PTL_CHUNK_COORD_MAX + 1) * PTL_CHUNK_SIZE - 1;
    static const char *const names[] = {"omt_at: the world", "omt_at: x", "omt_at: y",
                                        "omt_at: z"};
    bool none = false;
    ptl_error err = {0};
    for (int i = 0; i < count; i++)
        if (!take(context, values[i], i == 0 ? TEXT : INTEGER, names[i], &none))
            return;
    const int64_t x = sqlite3_value_int64(values[1]), y = sqlite3_value_int64(values[2]);
    const int64_t z = sqlite3_value_int64(values[3]);
    const char *world = (const char *)sqlite3_value_text(values[0]);
    if (none || x < least || x > most || y < least || y > most || z < PTL_Z_MIN ||
        z > PTL_Z_MAX)
        return;
    if (!world) {
        sqlite3_result_error_nomem(context);
        return;
    }
    ptl_status status = answer_omt(context, sqlite3_user_data(context), world,
                                   (ptl_omt){x, y, (int32_t)z}, &err);
    if (status != PTL_OK)
        sql_function_failed(context, status, &err);
}

/* ---- functions over oters ---- */

/* Looks up the oter that the first argument names. Returns false if the function's result is
 * set already: it is NULL or an error. */
static bool take_shape(oter_name *out, sqlite3_context *context, sqlite3_value **values,
                       const char *what)
{
    bool none = false, found = false;
    ptl_error err = {0};
    if (!take(context, values[0], TEXT, what, &none) || none || !sql_function_ready(context))
        return false;
    const char *id = (const char *)sqlite3_value_text(values[0]);
    if (!id) {
        sqlite3_result_error_nomem(context);
        return false;
    }
    ptl_status status = oter_shape(out, &found, sqlite3_user_data(context), id, &err);
    if (status != PTL_OK)
        sql_function_failed(context, status, &err);
    return status == PTL_OK && found;
}

/* Implements SQL's oter_base(oter). */
static void sql_oter_base(sqlite3_context *context, int count, sqlite3_value **values)
{
    oter_name name;
    (void)count;
    if (take_shape(&name, context, values, "oter_base: the oter"))
        sqlite3_result_text(context, name.terrain, name.terrain_size, SQLITE_TRANSIENT);
}

/* Implements SQL's oter_rotation(oter). */
static void sql_oter_rotation(sqlite3_context *context, int count, sqlite3_value **values)
{
    oter_name name;
    (void)count;
    if (take_shape(&name, context, values, "oter_rotation: the oter"))
        sqlite3_result_int(context, name.rotation);
}

/* Implements SQL's oter_line(oter). */
static void sql_oter_line(sqlite3_context *context, int count, sqlite3_value **values)
{
    oter_name name;
    (void)count;
    if (take_shape(&name, context, values, "oter_line: the oter") && name.line >= 0)
        sqlite3_result_int(context, name.line);
}

/* Implements SQL's oter_rotate(oter, quarter_turns): rotates clockwise; an oter without
 * rotations stays as it is. */
static void sql_oter_rotate(sqlite3_context *context, int count, sqlite3_value **values)
{
    oter_name name;
    bool none = false;
    const char *rotated = NULL;
    ptl_error err = {0};
    (void)count;
    if (!take(context, values[1], INTEGER, "oter_rotate: the turns", &none) || none ||
        !take_shape(&name, context, values, "oter_rotate: the oter"))
        return;
    const int by = (int)(sqlite3_value_int64(values[1]) % 4 + 4) % 4;
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

/* ---- the lists of tables and functions ---- */

static const sql_table tables[] = {
    {"building", &vtab_pack, PACK_PLACEMENTS},
    {"monster_group", &vtab_pack, PACK_GROUPS},
    {"attempt", &vtab_pack, PACK_ATTEMPTS},
    {"piece", &vtab_pack, PACK_PIECES},
    {"piece_join", &vtab_pack, PACK_JOINS},
    {"predecessor", &vtab_pack, PACK_PREDECESSORS},
    {"sweep_special", &vtab_pack, PACK_SUMMARY_SPECIALS},
    {"sweep_place", &vtab_pack, PACK_SUMMARY_PLACES},
    {"sweep_terrain", &vtab_pack, PACK_SUMMARY_TERRAINS},
    {"sweep_city", &vtab_pack, PACK_SUMMARY_CITIES},
    {"sweep_building", &vtab_pack, PACK_SUMMARY_BUILDINGS},
    {"sweep_line", &vtab_pack, PACK_SUMMARY_LINES},
    {"sweep_water", &vtab_pack, PACK_SUMMARY_WATERS},
    {"terrain_count", &vtab_terrain_count, 0},
    {"near", &vtab_near, 0},
    {"omt", &vtab_omt, 0},
    {"region_count", &vtab_region, 0},
    {"local_map", &vtab_local, VTAB_LOCAL_MAP},
    {"local_tile", &vtab_local, VTAB_LOCAL_TILE},
    {"local_item", &vtab_local, VTAB_LOCAL_ITEM},
    {"local_monster", &vtab_local, VTAB_LOCAL_MONSTER},
    {"local_vehicle", &vtab_local, VTAB_LOCAL_VEHICLE},
    {"local_npc", &vtab_local, VTAB_LOCAL_NPC},
    {"local_field", &vtab_local, VTAB_LOCAL_FIELD},
    {"local_text", &vtab_local, VTAB_LOCAL_TEXT},
    {"local_computer", &vtab_local, VTAB_LOCAL_COMPUTER},
    {"local_zone", &vtab_local, VTAB_LOCAL_ZONE},
};

static const sql_function functions[] = {
    {"omt_at", 4, SQL_READS, sql_omt_at},
    {"path_length", 6, SQL_HEAVY, sql_path_length},
    {"path_length", 7, SQL_HEAVY, sql_path_length},
    {"oter_base", 1, SQL_READS, sql_oter_base},
    {"oter_rotate", 2, SQL_READS, sql_oter_rotate},
    {"oter_rotation", 1, SQL_READS, sql_oter_rotation},
    {"oter_line", 1, SQL_READS, sql_oter_line},
    {"wilson_low", 2, SQL_PLAIN, sql_wilson_low},
    {"wilson_low", 3, SQL_PLAIN, sql_wilson_low},
    {"wilson_high", 2, SQL_PLAIN, sql_wilson_high},
    {"wilson_high", 3, SQL_PLAIN, sql_wilson_high},
};

/* SQL functions that compute one value from several rows. Those with an inverse can also be
 * used as window functions. */
static const struct sql_aggregate {
    const char *name;
    int arguments;
    void (*step)(sqlite3_context *context, int count, sqlite3_value **values);
    void (*final)(sqlite3_context *context);
    void (*value)(sqlite3_context *context);
    void (*inverse)(sqlite3_context *context, int count, sqlite3_value **values);
} aggregates[] = {
    {"median", 1, sql_percentile_step, sql_percentile_final, sql_percentile_value,
     sql_percentile_inverse},
    {"percentile", 2, sql_percentile_step, sql_percentile_final, sql_percentile_value,
     sql_percentile_inverse},
    {"stddev", 1, sql_stddev_step, sql_stddev_final, NULL, NULL},
};

enum { AGGREGATES = sizeof aggregates / sizeof aggregates[0] };

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static bool is_among(const sql_function *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (sqlite3_stricmp(name, list[i].name) == 0)
            return true;
    return false;
}

bool sql_function_known(const struct sql_above *above, const char *name)
{
    if (is_among(functions, FUNCTIONS, name) || is_among(above->functions, above->count, name))
        return true;
    for (size_t i = 0; i < AGGREGATES; i++)
        if (sqlite3_stricmp(name, aggregates[i].name) == 0)
            return true;
    return false;
}

static int add_functions(sql_source *source, const sql_function *list, size_t count)
{
    int code = SQLITE_OK;
    for (size_t i = 0; i < count && code == SQLITE_OK; i++) {
        source->references++;
        code = sqlite3_create_function_v2(source->store->db, list[i].name, list[i].arguments,
                                          list[i].flags, source, list[i].call, NULL, NULL,
                                          sql_source_unref);
    }
    return code;
}

static ptl_status add_all(sql_source *source, ptl_error *err)
{
    int code = SQLITE_OK;
    const struct sql_above *above = source->store->head.operations->sql;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0] && code == SQLITE_OK; i++)
        code = vtab_add(source, tables[i].name, tables[i].form, tables[i].which);
    for (size_t i = 0; i < above->table_count && code == SQLITE_OK; i++)
        code = vtab_add(source, above->tables[i].name, above->tables[i].form,
                        above->tables[i].which);
    if (code == SQLITE_OK)
        code = add_functions(source, functions, FUNCTIONS);
    if (code == SQLITE_OK)
        code = add_functions(source, above->functions, above->count);
    for (size_t i = 0; i < AGGREGATES && code == SQLITE_OK; i++) {
        const struct sql_aggregate *a = &aggregates[i];
        source->references++;
        code = sqlite3_create_window_function(source->store->db, a->name, a->arguments,
                                              SQL_PLAIN, source, a->step, a->final, a->value,
                                              a->inverse, sql_source_unref);
    }
    if (code != SQLITE_OK)
        return sqlite_error(source->store, code, "adding virtual tables and functions", err);
    /* The connection of a host program may be unable to create the view `placement`, since it
     * may allow no writes at all (PRAGMA query_only). Then this view is left out, which is no
     * error. */
    ptl_status status = sqlite_exec(source->store, vtab_pack_view, source->host ? NULL : err);
    return source->host ? PTL_OK : status;
}

static sql_source *new_source(ptl_store *store)
{
    sql_source *source = calloc(1, sizeof *source);
    if (!source)
        return NULL;
    source->store = store ? store : &source->own;
    source->host = !store;
    source->references = 1;
    return source;
}

ptl_status sql_register(sql_source **out, ptl_store *store, ptl_error *err)
{
    sql_source *source = new_source(store);
    *out = NULL;
    if (!source)
        return error_nomem(err);
    ptl_status status = add_all(source, err);
    if (status == PTL_OK)
        *out = source;
    sql_source_unref(source);
    return status;
}

static void remove_functions(sqlite3 *db, const sql_function *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sqlite3_create_function_v2(db, list[i].name, list[i].arguments, list[i].flags, NULL,
                                   NULL, NULL, NULL, NULL);
}

/* Removing a registered table or function needs no memory, so these calls can't fail. */
void sql_unregister(sqlite3 *db, const struct sql_above *above)
{
    sqlite3_exec(db, "DROP VIEW temp.placement", NULL, NULL, NULL);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        sqlite3_create_module_v2(db, tables[i].name, NULL, NULL, NULL);
    for (size_t i = 0; i < above->table_count; i++)
        sqlite3_create_module_v2(db, above->tables[i].name, NULL, NULL, NULL);
    remove_functions(db, functions, FUNCTIONS);
    remove_functions(db, above->functions, above->count);
    for (size_t i = 0; i < AGGREGATES; i++)
        sqlite3_create_window_function(db, aggregates[i].name, aggregates[i].arguments,
                                       SQL_PLAIN, NULL, NULL, NULL, NULL, NULL, NULL);
}

ptl_status sql_register_alone(sqlite3 *db, const store_operations *operations, ptl_error *err)
{
    error_clear(err);
    sql_source *source = new_source(NULL);
    if (!source)
        return error_nomem(err);
    source->own.head.operations = operations;
    source->own.db = db;
    source->own.mode = PTL_OPEN_READ;
    source->own.scratch = row_scratch_new();
    ptl_status status = source->own.scratch ? add_all(source, err) : error_nomem(err);
    sql_source_unref(source);
    return status;
}
