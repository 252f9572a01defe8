#include "store/sqlite/rows/row_values.h"

#include "core/error.h"
#include "core/suggest.h"
#include "store/sqlite/rows/row_scratch.h"

#include <string.h>

ptl_status row_visit(stmt *s, row_table_id table, row_read *read, void *payload, ptl_error *err)
{
    ptl_status status = PTL_OK;
    while (stmt_row(s, &status, err)) {
        status = row_verify(s, table, err);
        if (status == PTL_OK)
            status = read(payload, s, err);
    }
    stmt_free(s);
    return status;
}

/* Names that there are instead. */
typedef struct other_names {
    bytes list; /* the first ones */
    size_t count;
    suggestion near;
    char best[128]; /* what near has, copied */
} other_names;

static void add_name(other_names *o, const char *name)
{
    enum { SHOWN = 10 };
    if (o->count++ < SHOWN)
        bytes_printf(&o->list, "%s'%s'", o->count > 1 ? ", " : "", name);
    else if (o->count == SHOWN + 1)
        bytes_put_text(&o->list, ", ...");
    if (!o->near.wanted || strlen(name) >= sizeof o->best)
        return;
    suggest_offer(&o->near, name);
    if (o->near.best == name) {
        memcpy(o->best, name, strlen(name) + 1);
        o->near.best = o->best;
    }
}

static ptl_status say_others(other_names *o, const char *noun, const char *name, ptl_error *err)
{
    const char *list = bytes_text(&o->list);
    if (o->count == 0)
        return error_set(err, PTL_ERR_NOT_FOUND, "the file holds no %s yet", noun);
    if (!name)
        return error_set(err, PTL_ERR_NOT_FOUND, "the file holds several %ss, name one of %s",
                         noun, list ? list : "them");
    const char *near = o->count > 1 ? o->near.best : NULL;
    return error_set(err, PTL_ERR_NOT_FOUND, "no %s '%s'%s%s%s; the file holds %s", noun, name,
                     near ? ", did you mean '" : "", near ? near : "", near ? "'" : "",
                     list ? list : "others");
}

/* PTL_ERR_NOT_FOUND with the names that there are, for one that matches none of them, or NULL
 * where there is not exactly one. */
static ptl_status no_such_row(ptl_store *store, stmt_id id, const char *noun, const char *name,
                              ptl_error *err)
{
    other_names others = {.count = 0};
    stmt *s = NULL;
    ptl_status status = stmt_prepared(&s, store, id, err);
    bytes_init(&others.list);
    if (name)
        suggest_begin(&others.near, name);
    if (status == PTL_OK)
        stmt_bind_null(s, 1);
    while (stmt_row(s, &status, err))
        add_name(&others, stmt_text(s, 1));
    if (status == PTL_OK)
        status = say_others(&others, noun, name, err);
    bytes_dispose(&others.list);
    return status;
}

ptl_status row_find_named(void *out, ptl_store *store, const named_rows *rows, const char *name,
                          ptl_error *err)
{
    stmt *s = NULL;
    bool row = false, second = false;
    TRY(stmt_prepared(&s, store, rows->statement, err));
    stmt_bind_text(s, 1, name);
    ptl_status status = stmt_step(s, &row, err);
    if (status == PTL_OK && row)
        status = row_verify(s, rows->table, err);
    if (status == PTL_OK && row)
        status = rows->read(out, s, err);
    if (status == PTL_OK && row)
        status = stmt_step(s, &second, err);
    stmt_reset(s);
    if (status == PTL_OK && (!row || second))
        status = no_such_row(store, rows->statement, rows->noun, name, err);
    return status;
}
