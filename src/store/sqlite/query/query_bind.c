/*
 * Gives the parameters of a user's statement their values. Each parameter must get exactly one
 * value, and no value may be left over.
 */
#include "store/sqlite/query/query_bind.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

/* Is `name`, which the caller gave for a value, the name of the parameter of this number? */
static bool is_meant(sqlite3_stmt *s, int number, const char *name)
{
    /* NULL: the parameter is a plain "?", without a name. */
    const char *own = sqlite3_bind_parameter_name(s, number);
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

/* Finds the value for the statement's parameter of this number, and binds it. */
static ptl_status bind_one(sqlite3_stmt *s, int number, const ptl_query_parameter *given,
                           size_t count, bool *used, int *code, ptl_error *err)
{
    const char *name = sqlite3_bind_parameter_name(s, number);
    const ptl_query_parameter *found = NULL;
    for (size_t i = 0; i < count; i++) {
        const ptl_query_parameter *p = &given[i];
        if (!p->name || !is_meant(s, number, p->name))
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
    *code = bind_value(s, number, &found->value);
    return PTL_OK;
}

ptl_status query_bind(sqlite3_stmt *s, const ptl_query_parameter *given, size_t count,
                      int *code, ptl_error *err)
{
    bool *used = calloc(count + 1, sizeof *used);
    ptl_status status = used ? PTL_OK : error_nomem(err);
    const int wanted = sqlite3_bind_parameter_count(s);
    *code = SQLITE_OK;
    for (int number = 1; number <= wanted && status == PTL_OK && *code == SQLITE_OK; number++)
        status = bind_one(s, number, given, count, used, code, err);
    for (size_t i = 0; i < count && status == PTL_OK && *code == SQLITE_OK; i++)
        if (!used[i])
            status = error_set(err, PTL_ERR_ARGUMENT, "the statement has no parameter '%s'",
                               given[i].name ? given[i].name : "");
    free(used);
    return status;
}
