/*
 * Constraints of table `OMT` that are passed down. The plan is a text with two characters for
 * each value that filter gets: the column ('a' + its number) and the comparison. Comparisons
 * of integers are exact for every value that SQL can have there, so SQLite need not repeat
 * them (`omit`). It does repeat those of texts, since collation and affinity are its affair.
 */
#include "store/sqlite/query/vtab_omt_plan.h"

#include "core/error.h"
#include "core/whole.h"
#include "store/sqlite/query/vtab.h"
#include "store/sqlite/rows/dictionary.h"

#include <math.h>
#include <string.h>

enum { VALUES_MAX = 40 };

static bool is_integer(int column)
{
    return column != OMT_WORLD && column != OMT_OTER && column != OMT_TERRAIN;
}

/* Returns the letter for a comparison; '\0' if the constraint can't be used. */
static char comparison_of(sqlite3_index_info *info, int i)
{
    const struct sqlite3_index_constraint *c = &info->aConstraint[i];
    if (!c->usable || c->iColumn < 0)
        return '\0';
    if (!is_integer(c->iColumn)) {
        if (c->op != SQLITE_INDEX_CONSTRAINT_EQ ||
            sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") != 0)
            return '\0';
        if (c->iColumn != OMT_WORLD && sqlite3_vtab_in(info, i, -1)) {
            sqlite3_vtab_in(info, i, 1);
            return 'i';
        }
        return '=';
    }
    return condition_letter(c->op);
}

/* How often each column is compared by = and by other operators. */
typedef struct omt_uses {
    int equal[OMT_COLUMNS], bounds[OMT_COLUMNS];
} omt_uses;

/* Returns the estimated share of rows that constraints on a column leave; `values` is the
 * number of its different values. */
static double share(const omt_uses *uses, int column, double values)
{
    if (uses->equal[column])
        return 1 / values;
    return uses->bounds[column] > 1 ? 0.1 : uses->bounds[column] ? 0.5 : 1;
}

/*
 * Estimates rows and cost. It assumes a million overmaps, since SQLite guesses a million rows
 * for every table without statistics. Otherwise SQLite would rather read all cells than all
 * chunks. A cell whose world, x, y and z are known is one row, mostly from a level that is
 * already decoded. So joins put this table inside.
 */
static void estimate(sqlite3_index_info *info, const omt_uses *uses)
{
    double rows = 1e6 * PTL_LEVELS * PTL_LEVEL_CELLS;
    rows *= share(uses, OMT_WORLD, 2) * share(uses, OMT_Z, PTL_LEVELS);
    rows *= share(uses, OMT_X, 180000) * share(uses, OMT_Y, 180000);
    rows *= share(uses, OMT_CHUNK_X, 1000) * share(uses, OMT_CHUNK_Y, 1000);
    double cost = rows;
    const double oters = share(uses, OMT_OTER, 1000) * share(uses, OMT_NUMBER, 1000) *
                         share(uses, OMT_TERRAIN, 500) * share(uses, OMT_SPECIAL, 1e6);
    if (oters < 1) { /* levels are skipped, and cells are passed over quickly */
        cost *= oters > 0.02 ? oters : 0.02;
        rows *= oters;
    }
    if (uses->equal[OMT_X] && uses->equal[OMT_Y] && uses->equal[OMT_Z]) {
        rows = uses->equal[OMT_WORLD] ? 1 : 2;
        cost = rows;
        if (uses->equal[OMT_WORLD])
            info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
    }
    info->estimatedCost = cost + 5;
    info->estimatedRows = rows < 1 ? 1 : (sqlite3_int64)rows;
}

/* Are rows in the wanted order? They come by chunk_x, chunk_y, z, y, x; a column that is fixed
 * by = does not matter. */
static bool in_order(const sqlite3_index_info *info, const omt_uses *uses)
{
    static const int order[] = {OMT_CHUNK_X, OMT_CHUNK_Y, OMT_Z, OMT_Y, OMT_X};
    const size_t count = sizeof order / sizeof order[0];
    size_t at = 0;
    if (!uses->equal[OMT_WORLD] || info->nOrderBy == 0)
        return false;
    for (int i = 0; i < info->nOrderBy; i++) {
        const int column = info->aOrderBy[i].iColumn;
        if (column >= 0 && uses->equal[column])
            continue;
        while (at < count &&
               (uses->equal[order[at]] || (order[at] == OMT_CHUNK_X && uses->equal[OMT_X]) ||
                (order[at] == OMT_CHUNK_Y && uses->equal[OMT_Y])))
            at++;
        if (at == count || order[at] != column || info->aOrderBy[i].desc)
            return false;
        at++;
    }
    return true;
}

int omt_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
    char plan[2 * VALUES_MAX + 1];
    omt_uses uses = {{0}, {0}};
    int count = 0;
    (void)table;
    for (int i = 0; i < info->nConstraint && count < VALUES_MAX; i++) {
        const int column = info->aConstraint[i].iColumn;
        const char comparison = comparison_of(info, i);
        if (!comparison)
            continue;
        plan[2 * count] = (char)('a' + column);
        plan[2 * count + 1] = comparison;
        info->aConstraintUsage[i].argvIndex = ++count;
        info->aConstraintUsage[i].omit = is_integer(column) && column != OMT_SPECIAL;
        if (comparison == '=' || comparison == 'i')
            uses.equal[column]++;
        else
            uses.bounds[column]++;
    }
    plan[2 * count] = '\0';
    info->idxStr = sqlite3_mprintf("%s", plan);
    if (!info->idxStr)
        return SQLITE_NOMEM;
    info->needToFreeIdxStr = 1;
    /* 'i' stands for several values, which are not in order. */
    for (int i = 0; i < info->nConstraint; i++)
        if (info->aConstraintUsage[i].argvIndex > 0 &&
            plan[2 * info->aConstraintUsage[i].argvIndex - 1] == 'i')
            uses.equal[info->aConstraint[i].iColumn]--;
    info->orderByConsumed = in_order(info, &uses);
    for (int i = 0; i < count; i++)
        if (plan[2 * i + 1] == 'i')
            uses.equal[plan[2 * i] - 'a']++;
    estimate(info, &uses);
    return SQLITE_OK;
}

/* ---- values ---- */

static void at_least(omt_range *r, int64_t low)
{
    if (low > r->low)
        r->low = low;
}

static void at_most(omt_range *r, int64_t high)
{
    if (high < r->high)
        r->high = high;
}

static void nothing(omt_range *r)
{
    *r = (omt_range){1, 0};
}

static void compare_integer(omt_range *r, char by, int64_t v)
{
    if ((by == '<' && v == INT64_MIN) || (by == '>' && v == INT64_MAX)) {
        nothing(r);
        return;
    }
    if (by != '<' && by != 'l')
        at_least(r, by == '>' ? v + 1 : v);
    if (by != '>' && by != 'g')
        at_most(r, by == '<' ? v - 1 : v);
}

/* Compares integers with a real: 2.5 < x means 3 <= x. Reals from 2^63 on are above all
 * integers. */
static void compare_real(omt_range *r, char by, double v)
{
    const double below = floor(v), above = ceil(v), limit = 9223372036854775808.0;
    const bool upward = by == '>' || by == 'g';
    if (by == '=') {
        if (below != v || v < -limit || v >= limit)
            nothing(r);
        else
            compare_integer(r, by, (int64_t)v);
    } else if (v >= limit || v < -limit) {
        if (upward == (v >= limit))
            nothing(r);
    } else if (upward) {
        if (above >= limit)
            nothing(r);
        else
            compare_integer(r, below == v ? by : 'g', (int64_t)above);
    } else {
        compare_integer(r, below == v ? by : 'l', (int64_t)below);
    }
}

/* Compares as SQL does: a text that is a number counts as this number; other texts, and blobs,
 * are above all numbers. */
static void compare(omt_range *r, char by, sqlite3_value *value)
{
    switch (sqlite3_value_numeric_type(value)) {
    case SQLITE_INTEGER:
        compare_integer(r, by, sqlite3_value_int64(value));
        break;
    case SQLITE_FLOAT:
        compare_real(r, by, sqlite3_value_double(value));
        break;
    case SQLITE_NULL:
        nothing(r);
        break;
    default:
        if (by != '<' && by != 'l')
            nothing(r);
        break;
    }
}

/* Reads the set of oters for one comparison. *any is set if it can't be decided here: SQLite
 * may or may not convert a number to a text. */
static ptl_status read_texts(oter_set *set, bool *any, sql_source *source, const char *plan,
                             sqlite3_value *list, ptl_error *err)
{
    sqlite3_value *value = list;
    ptl_status status = PTL_OK;
    int code = SQLITE_OK;
    *any = false;
    if (plan[1] == 'i')
        code = sqlite3_vtab_in_first(list, &value);
    while (code == SQLITE_OK && value && status == PTL_OK) {
        if (sqlite3_value_type(value) == SQLITE_TEXT) {
            const char *text = (const char *)sqlite3_value_text(value);
            if (!text)
                status = error_nomem(err);
            else if (plan[0] - 'a' == OMT_TERRAIN)
                status = oter_set_add_terrain(set, source, text, err);
            else
                oter_set_add(set, dictionary_number(source->store, text));
        } else if (sqlite3_value_type(value) != SQLITE_NULL) {
            *any = true;
        }
        if (plan[1] != 'i')
            break;
        code = sqlite3_vtab_in_next(list, &value);
    }
    if (code != SQLITE_OK && code != SQLITE_DONE)
        return sqlite_error(source->store, code, "reading a list", err);
    return status;
}

/* Intersects the set with the oters of one comparison of texts. */
static ptl_status keep_texts(omt_box *box, oter_set *set, sql_source *source, const char *plan,
                             sqlite3_value *value, ptl_error *err)
{
    oter_table *oters;
    oter_set own = {0};
    bool any = false;
    ptl_status status = oter_table_use(&oters, source, err);
    THEN(status, oter_set_clear(&own, oters, err));
    THEN(status, read_texts(&own, &any, source, plan, value, err));
    if (status == PTL_OK && !any) {
        if (box->filtered) {
            oter_set_keep(set, &own);
        } else {
            const oter_set before = *set;
            *set = own;
            own = before;
        }
        box->filtered = true;
    }
    oter_set_dispose(&own);
    return status;
}

/* Intersects the set with the range of numbers that the conditions leave. */
static ptl_status keep_numbers(omt_box *box, oter_set *set, sql_source *source, ptl_error *err)
{
    const omt_range *r = &box->ranges[OMT_NUMBER];
    oter_table *oters;
    oter_set own = {0};
    TRY(oter_table_use(&oters, source, err));
    TRY(oter_set_clear(box->filtered ? &own : set, oters, err));
    oter_set *out = box->filtered ? &own : set;
    const int64_t last = (int64_t)out->size - 1;
    for (int64_t i = r->low > 1 ? r->low : 1; i <= last && i <= r->high; i++)
        oter_set_add(out, (uint32_t)i);
    if (box->filtered)
        oter_set_keep(set, &own);
    oter_set_dispose(&own);
    box->filtered = true;
    return PTL_OK;
}

/* Bounds the chunks by the cells, and the cells by the chunks. */
static void keep_chunks(omt_range *cells, omt_range *chunks)
{
    at_least(chunks, -PTL_CHUNK_COORD_MAX);
    at_most(chunks, PTL_CHUNK_COORD_MAX);
    if (chunks->low > chunks->high) {
        nothing(cells);
        return;
    }
    at_least(cells, chunks->low * PTL_CHUNK_SIZE);
    at_most(cells, chunks->high * PTL_CHUNK_SIZE + PTL_CHUNK_SIZE - 1);
    if (cells->low > cells->high)
        return;
    at_least(chunks, floor_div(cells->low, PTL_CHUNK_SIZE));
    at_most(chunks, floor_div(cells->high, PTL_CHUNK_SIZE));
}

ptl_status omt_box_read(omt_box *box, oter_set *set, sql_source *source, const vtab_call *call,
                        ptl_error *err)
{
    const char *plan = call->text;
    ptl_status status = PTL_OK;
    *box = (omt_box){.world = NULL};
    for (int i = 0; i < OMT_COLUMNS; i++)
        box->ranges[i] = (omt_range){INT64_MIN, INT64_MAX};
    for (int i = 0; i < call->count && status == PTL_OK; i++, plan += 2) {
        const int column = plan[0] - 'a';
        if (is_integer(column))
            compare(&box->ranges[column], plan[1], call->values[i]);
        else if (column != OMT_WORLD)
            status = keep_texts(box, set, source, plan, call->values[i], err);
        else if (sqlite3_value_type(call->values[i]) == SQLITE_TEXT)
            box->world = call->values[i];
        else if (sqlite3_value_type(call->values[i]) == SQLITE_NULL)
            box->none = true;
    }
    const omt_range *numbers = &box->ranges[OMT_NUMBER];
    if (status == PTL_OK && (numbers->low > INT64_MIN || numbers->high < INT64_MAX))
        status = keep_numbers(box, set, source, err);
    if (box->filtered && set->count == 0)
        box->none = true;
    omt_range *r = box->ranges;
    at_least(&r[OMT_Z], PTL_Z_MIN);
    at_most(&r[OMT_Z], PTL_Z_MAX);
    keep_chunks(&r[OMT_X], &r[OMT_CHUNK_X]);
    keep_chunks(&r[OMT_Y], &r[OMT_CHUNK_Y]);
    for (int i = 0; i < OMT_COLUMNS; i++)
        if (is_integer(i) && r[i].low > r[i].high)
            box->none = true;
    return status;
}
