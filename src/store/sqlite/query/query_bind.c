/* Parameters of a query: each of the statement's has exactly one value, and each value is
 * one's. */
#include "store/sqlite/query/query_impl.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

/* Is the statement's parameter of this number the one that the name means? */
static bool is_meant(sqlite3_stmt *s, int number, const char *name)
{
    const char *own = sqlite3_bind_parameter_name(s, number); /* NULL: a plain ? */
    if (own && own[0] != '?')
        return strcmp(own, name) == 0 || strcmp(own + 1, name) == 0;
    char *end;
    const long wanted = strtol(name[0] == '?' ? name + 1 : name, &end, 10);
    return end != name && *end == '\0' && wanted == number;
}

static int bind_value(sqlite3_stmt *s, int number, const ptl_value *v)
{
    switch (v->type) {
    case PTL_VALUE_INTEGER:
        return sqlite3_bind_int64(s, number, v->integer);
    case PTL_VALUE_REAL:
        return sqlite3_bind_double(s, number, v->real);
    case PTL_VALUE_TEXT:
        return sqlite3_bind_text64(s, number, v->text, v->size, SQLITE_STATIC, SQLITE_UTF8);
    case PTL_VALUE_BLOB:
        return sqlite3_bind_blob64(s, number, v->size > 0 ? v->text : "", v->size,
                                   SQLITE_STATIC);
    default:
        return sqlite3_bind_null(s, number);
    }
}

/* Binds the value for the statement's parameter of this number. */
static ptl_status bind_one(const query *q, int number, bool *used, ptl_error *err)
{
    const ptl_query_options *o = q->run->options;
    const char *name = sqlite3_bind_parameter_name(q->handle, number);
    const ptl_query_parameter *found = NULL;
    for (size_t i = 0; i < o->parameter_count; i++) {
        const ptl_query_parameter *p = &o->parameters[i];
        if (!p->name || !is_meant(q->handle, number, p->name))
            continue;
        if (found)
            return error_set(err, PTL_ERR_ARGUMENT, "the parameter '%s' is given twice",
                             p->name);
        found = p;
        used[i] = true;
    }
    if (!found && name && name[0] != '?')
        return error_set(err, PTL_ERR_ARGUMENT, "the parameter %s has no value", name);
    if (!found)
        return error_set(err, PTL_ERR_ARGUMENT, "the parameter ?%d has no value", number);
    const int code = bind_value(q->handle, number, &found->value);
    return code == SQLITE_OK ? PTL_OK : query_error(q, code, err);
}

ptl_status query_bind(const query *q, ptl_error *err)
{
    const ptl_query_options *o = q->run->options;
    bool *used = calloc(o->parameter_count + 1, sizeof *used);
    ptl_status status = used ? PTL_OK : error_nomem(err);
    const int count = sqlite3_bind_parameter_count(q->handle);
    for (int number = 1; number <= count && status == PTL_OK; number++)
        status = bind_one(q, number, used, err);
    for (size_t i = 0; i < o->parameter_count && status == PTL_OK; i++)
        if (!used[i])
            status = error_set(err, PTL_ERR_ARGUMENT, "the statement has no parameter '%s'",
                               o->parameters[i].name ? o->parameters[i].name : "");
    free(used);
    return status;
}
