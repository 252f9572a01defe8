/*
 * Compares the file's schema with the one that is embedded in the library. Each object of
 * sqlite_schema is looked up among the embedded CREATE statements. Nothing of the file's
 * schema is executed for this.
 */
#include "store/sqlite/schema/schema_check.h"

#include "core/error.h"
#include "core/visible.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/index/unpacked.h"
#include "store/sqlite/schema/migrate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { OBJECTS_MAX = 200 };

typedef struct schema_list {
    schema_object items[OBJECTS_MAX];
    bool seen[OBJECTS_MAX];
    size_t count;
} schema_list;

typedef struct schema_row {
    const char *type, *name, *sql; /* borrowed from the statement; sql is "" for NULL */
} schema_row;

/* Is it the name of one of our tables? SQLite compares names without regard to case. */
static bool is_our_table(void *payload, schema_span name)
{
    const schema_list *list = payload;
    for (size_t i = 0; i < list->count; i++) {
        const schema_object *o = &list->items[i];
        if (o->name.size == name.size && strcmp(o->type, "table") == 0 &&
            strncasecmp(o->name.at, name.at, name.size) == 0)
            return true;
    }
    return false;
}

/* Is it a table that SQLite makes for itself? */
static bool is_sqlites_own(const schema_row *row)
{
    static const char *const texts[] = {
        "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
        "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
        "CREATE TABLE sqlite_sequence(name,seq)"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(row->sql, texts[i]) == 0)
            return true;
    return false;
}

typedef enum token_kind {
    TOKEN_END,
    TOKEN_WORD,
    /* May be quoted in any way that names can be; the span is without the quotes. */
    TOKEN_NAME,
    TOKEN_TEXT,
    TOKEN_SIGN
} token_kind;

typedef struct token {
    token_kind kind;
    schema_span span;
    const char *start; /* includes the quotes */
} token;

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 128;
}

/* Skips white space and comments. */
static const char *skip(const char *at)
{
    for (;;) {
        if (isspace((unsigned char)*at)) {
            at++;
        } else if (at[0] == '-' && at[1] == '-') {
            at += strcspn(at, "\n");
        } else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            at = end ? end + 2 : at + strlen(at);
        } else {
            return at;
        }
    }
}

static token take(const char **from)
{
    const char *at = skip(*from);
    token t = {TOKEN_SIGN, {at, 1}, at};
    if (*at == '\0') {
        t.kind = TOKEN_END;
        t.span.size = 0;
    } else if (is_word(*at)) {
        t.kind = TOKEN_WORD;
        while (is_word(at[t.span.size]))
            t.span.size++;
    } else if (strchr("'\"`[", *at)) {
        /* A doubled quote inside ends this token and begins another one, which makes no
         * difference here. */
        char closing = *at == '[' ? ']' : *at;
        const char *end = strchr(at + 1, closing);
        t.kind = *at == '\'' ? TOKEN_TEXT : TOKEN_NAME;
        t.span = (schema_span){at + 1, end ? (size_t)(end - at - 1) : strlen(at + 1)};
        *from = end ? end + 1 : at + strlen(at);
        return t;
    }
    *from = at + t.span.size;
    return t;
}

static bool is_keyword(token t, const char *word)
{
    return t.kind == TOKEN_WORD && t.span.size == strlen(word) &&
           strncasecmp(t.span.at, word, t.span.size) == 0;
}

/* Says what makes a table not plain; NULL if it is plain: it computes nothing and has no
 * foreign keys to tables that are ours. */
static const char *schema_plain_table(const char *sql,
                                      bool (*ours)(void *payload, schema_span name),
                                      void *payload)
{
    const char *at = sql;
    if (!is_keyword(take(&at), "CREATE") || !is_keyword(take(&at), "TABLE"))
        return "is a virtual table";
    for (token t = take(&at); t.kind != TOKEN_END; t = take(&at)) {
        if (is_keyword(t, "CHECK"))
            return "has CHECK constraints";
        if (is_keyword(t, "AS"))
            return "has computed columns";
        if (is_keyword(t, "REFERENCES") && ours(payload, take(&at).span))
            return "has foreign keys to a table of Portolan's";
    }
    return NULL;
}

static bool is_sign(token t, char sign)
{
    return t.kind == TOKEN_SIGN && *t.span.at == sign;
}

static bool is_name(token t)
{
    return t.kind == TOKEN_WORD || t.kind == TOKEN_NAME;
}

/* Skips [COLLATE name] [ASC | DESC] and returns the token after it. */
static token take_order(const char **at)
{
    static const char *const collations[] = {"BINARY", "NOCASE", "RTRIM"};
    token t = take(at);
    if (is_keyword(t, "COLLATE")) {
        token name = take(at);
        bool known = false;
        for (size_t i = 0; i < sizeof collations / sizeof collations[0]; i++)
            known |= is_keyword(name, collations[i]);
        if (!known)
            return name;
        t = take(at);
    }
    if (is_keyword(t, "ASC") || is_keyword(t, "DESC"))
        t = take(at);
    return t;
}

/* The same for an index. A plain one covers columns only, and is not unique if its table is
 * ours. */
static const char *schema_plain_index(const char *sql,
                                      bool (*ours)(void *payload, schema_span name),
                                      void *payload)
{
    static const char expressions[] = "is over expressions";
    const char *at = sql;
    token t = take(&at);
    if (is_keyword(t, "CREATE"))
        t = take(&at);
    const bool unique = is_keyword(t, "UNIQUE");
    if (unique)
        t = take(&at);
    if (!is_keyword(t, "INDEX") || !is_name(take(&at)) || !is_keyword(take(&at), "ON"))
        return expressions;
    t = take(&at);
    if (unique && ours(payload, t.span))
        return "is unique, which Portolan's rows need not be";
    if (!is_name(t) || !is_sign(take(&at), '('))
        return expressions;
    do {
        if (!is_name(take(&at)))
            return expressions;
        t = take_order(&at);
    } while (is_sign(t, ','));
    if (!is_sign(t, ')'))
        return expressions;
    return take(&at).kind == TOKEN_END ? NULL : "is partial";
}

/* Says why an object that is not ours can't be accepted; NULL if it can. Views of the index
 * have been recognised before. */
static const char *why_not(schema_list *list, const schema_row *row)
{
    if (strcmp(row->type, "index") == 0) {
        if (row->sql[0] == '\0') /* an index that SQLite made itself for a key */
            return NULL;
        return schema_plain_index(row->sql, is_our_table, list);
    }
    if (strcmp(row->type, "table") != 0)
        return "is not part of a world file";
    if (strncmp(row->name, "sqlite_", 7) == 0)
        return is_sqlites_own(row) ? NULL : "is not part of a world file";
    return schema_plain_table(row->sql, is_our_table, list);
}

/* Is the part equal to this text? */
static bool schema_span_is(schema_span span, const char *text)
{
    return strlen(text) == span.size && memcmp(text, span.at, span.size) == 0;
}

static ptl_status check_row(schema_list *list, const schema_row *row, schema_problem_fn *found,
                            void *payload, ptl_error *err)
{
    bool known = false;
    schema_problem problem = {.type = row->type, .name = row->name};
    size_t i = 0; /* the index of the object; list->count if it is not one of ours */
    while (i < list->count && !(schema_span_is(list->items[i].name, row->name) &&
                                strcmp(list->items[i].type, row->type) == 0))
        i++;
    if (i < list->count) {
        list->seen[i] = true;
        if (!schema_span_is(list->items[i].text, row->sql)) {
            problem.fault = SCHEMA_CHANGED;
            problem.why = "is defined otherwise than in the schema";
            found(payload, &problem);
        }
        return PTL_OK;
    }
    if (strcmp(row->type, "view") == 0) {
        ptl_status status = unpacked_view_known(&known, row->name, row->sql, err);
        if (status != PTL_OK || known)
            return status;
    }
    problem.fault = SCHEMA_FOREIGN;
    problem.why = why_not(list, row);
    if (problem.why)
        found(payload, &problem);
    return PTL_OK;
}

/* Finds the next CREATE statement from *at on and moves *at behind it; false at the end. */
static bool schema_next(schema_object *out, const char **at)
{
    for (token t = take(at); t.kind != TOKEN_END; t = take(at)) {
        const char *start = t.start;
        bool create = is_keyword(t, "CREATE");
        t = take(at);
        if (create && is_keyword(t, "UNIQUE"))
            t = take(at);
        out->type = is_keyword(t, "TABLE")   ? "table"
                    : is_keyword(t, "INDEX") ? "index"
                    : is_keyword(t, "VIEW")  ? "view"
                                             : NULL;
        if (create && out->type)
            t = take(at);
        out->name = t.span;
        while (t.kind != TOKEN_END && !is_sign(t, ';'))
            t = take(at);
        out->text = (schema_span){start, (size_t)(t.start - start)};
        if (create && out->type)
            return true;
        if (t.kind == TOKEN_END)
            break;
    }
    return false;
}

ptl_status schema_walk(ptl_store *store, schema_problem_fn *found, void *payload,
                       ptl_error *err)
{
    static const char sql[] = "SELECT type, name, sql FROM sqlite_schema";
    stmt *s = NULL;
    schema_list *list = calloc(1, sizeof *list);
    if (!list)
        return error_nomem(err);
    const char *at = schema_sql;
    while (list->count < OBJECTS_MAX && schema_next(&list->items[list->count], &at))
        list->count++;
    ptl_status status =
        list->count == OBJECTS_MAX
            ? error_set(err, PTL_ERR_INTERNAL, "the schema has too many objects")
            : PTL_OK;
    THEN(status, stmt_prepare(&s, store, sql, err));
    while (stmt_row(s, &status, err)) {
        const schema_row object = {stmt_text(s, 0), stmt_text(s, 1), stmt_text(s, 2)};
        status = stmt_had_memory(s, err);
        THEN(status, check_row(list, &object, found, payload, err));
    }
    if (status == PTL_OK) {
        for (size_t i = 0; i < list->count; i++) {
            char name[64];
            const schema_object *o = &list->items[i];
            if (list->seen[i])
                continue;
            snprintf(name, sizeof name, "%.*s", (int)o->name.size, o->name.at);
            found(payload, &(schema_problem){SCHEMA_MISSING, o->type, name, "is missing"});
        }
    }
    stmt_free(s);
    free(list);
    return status;
}

/* ---- at opening ---- */

static void first_problem(void *payload, const schema_problem *p)
{
    char name[96];
    snprintf(name, sizeof name, "%s", p->name);
    visible_one_line(name);
    if (p->fault == SCHEMA_FOREIGN)
        error_set(payload, PTL_ERR_FORMAT,
                  "%s '%s' %s, and could do harm: if the file is to be trusted otherwise, "
                  "remove it with the sqlite3 shell (DROP %s \"%s\") and try again",
                  p->type, name, p->why, p->type, name);
    else
        error_set(payload, PTL_ERR_CORRUPT,
                  "%s '%s' %s: the file is damaged or was altered; take a backup of it",
                  p->type, name, p->why);
}

ptl_status schema_check(ptl_store *store, ptl_error *err)
{
    ptl_error local;
    ptl_error *e = err ? err : &local;
    if (!err)
        error_clear(e);
    stmt *s = NULL;
    bool row = false;
    ptl_status status = stmt_prepare(&s, store, "PRAGMA encoding", e);
    THEN(status, stmt_step(s, &row, e));
    if (status == PTL_OK && row && strcmp(stmt_text(s, 0), "UTF-8") != 0)
        status =
            error_set(e, PTL_ERR_FORMAT,
                      "its texts are %s, and those of a world file are UTF-8", stmt_text(s, 0));
    stmt_free(s);
    TRY(status);
    TRY(schema_walk(store, first_problem, e, e));
    return e->status;
}

/* Finds objects whose tbl_name is wrong. The right owner of an index is the table among whose
 * indexes SQLite lists it. */
static const char strays_sql[] =
    "SELECT type, name, said, owner FROM (SELECT type, name, tbl_name AS said, name AS owner "
    "FROM main.sqlite_schema WHERE type IN ('table', 'view') UNION ALL "
    "SELECT s.type, s.name, s.tbl_name, t.name FROM main.sqlite_schema t, "
    "pragma_index_list(t.name) i, main.sqlite_schema s "
    "WHERE t.type = 'table' AND s.type = 'index' AND s.name = i.name) WHERE said IS NOT owner";

typedef struct stray_list {
    /* Owned; the texts of each lie in one block that begins at its type. */
    schema_stray *items;
    size_t count;
} stray_list;

static ptl_status list_add(stray_list *list, const stmt *s, ptl_error *err)
{
    const char *texts[4];
    size_t sizes[4], total = 0;
    for (int i = 0; i < 4; i++) {
        texts[i] = stmt_text(s, i);
        sizes[i] = strlen(texts[i]) + 1;
        total += sizes[i];
    }
    TRY(stmt_had_memory(s, err));
    schema_stray *more = realloc(list->items, (list->count + 1) * sizeof *more);
    if (!more)
        return error_nomem(err);
    list->items = more;
    char *text = malloc(total), *copies[4];
    if (!text)
        return error_nomem(err);
    for (int i = 0; i < 4; i++) {
        copies[i] = memcpy(text, texts[i], sizes[i]);
        text += sizes[i];
    }
    list->items[list->count++] = (schema_stray){copies[0], copies[1], copies[2], copies[3]};
    return PTL_OK;
}

ptl_status schema_owner_walk(ptl_store *store, bool mend, schema_stray_fn *found, void *payload,
                             ptl_error *err)
{
    stray_list list = {NULL, 0};
    /* Lists all such objects before any is corrected, since the query reads what the correction
     * writes. */
    stmt *s = NULL;
    ptl_status status = stmt_prepare(&s, store, strays_sql, err);
    while (stmt_row(s, &status, err))
        status = list_add(&list, s, err);
    stmt_free(s);
    for (size_t i = 0; i < list.count && status == PTL_OK; i++) {
        s = NULL;
        if (mend)
            status = stmt_prepare(
                &s, store,
                "UPDATE main.sqlite_schema SET tbl_name = ? WHERE type = ? AND name = ?", err);
        if (mend && status == PTL_OK) {
            stmt_bind_text(s, 1, list.items[i].owner);
            stmt_bind_text(s, 2, list.items[i].type);
            stmt_bind_text(s, 3, list.items[i].name);
            status = stmt_run(s, err);
        }
        stmt_free(s);
        if (status == PTL_OK && found)
            status = found(payload, &list.items[i], err);
    }
    for (size_t i = 0; i < list.count; i++)
        free(list.items[i].type);
    free(list.items);
    return status;
}

ptl_status schema_writable(ptl_store *store, bool on, ptl_error *err)
{
    int code = sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, !on, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_db_config(store->db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, on, NULL);
    return code == SQLITE_OK ? PTL_OK : sqlite_error(store, code, "configuring SQLite", err);
}

/* A scanner of SQL that recognises words, quotes and comments, which is all that is needed
 * here. In case of doubt it decides for "not plain". */
