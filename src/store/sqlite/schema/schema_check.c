/*
 * Compares the file's schema with the one that is embedded in the library, and creates and
 * migrates schemas. Each object of sqlite_schema is looked up among the embedded CREATE
 * statements; nothing of the file's schema is executed for this.
 */
#include "store/sqlite/schema/schema_check.h"

#include "core/error.h"
#include "core/visible.h"
#include "portolan/migrate.h"
#include "store/sqlite/connection/backup_target.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_write.h"
#include "store/sqlite/index/unpacked.h"

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
    const char *type, *name, *sql; /* columns of a row of sqlite_schema, borrowed from the
                                      statement; sql is "" where it is NULL */
} schema_row;

/* Returns true if this is the name of a table of Portolan's schema. SQLite compares names
 * without regard to case. */
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

/* Returns true if the row is a table that SQLite makes for itself. */
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

/* ---- splitting SQL into tokens ---- */

/* The tokens of SQL, as far as the callers need them: words, quotes and comments are told
 * apart. A caller that is in doubt refuses the table or index. */
typedef enum token_kind {
    TOKEN_END,
    TOKEN_WORD,
    /* A name in quotes of any kind that SQLite knows. The token's text is the name without the
     * quotes. */
    TOKEN_NAME,
    TOKEN_TEXT,
    TOKEN_SIGN
} token_kind;

typedef struct token {
    token_kind kind;
    schema_span span;
    const char *start; /* where the token begins, with its opening quote */
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
        /* If a quote is doubled inside of a quoted name, this token ends at the first of the
         * two and the next token begins at the second. That is wrong, but makes no difference
         * to the callers. */
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

/* Returns why a table is not plain, as a constant text; NULL if it is. A plain table computes
 * nothing and has no foreign keys to tables of Portolan's schema. */
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

/* Skips [COLLATE name] [ASC | DESC] and returns the token after that. If the collation is
 * unknown, its name is returned. */
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

/* Returns why an index is not plain; NULL if it is. A plain index covers only columns, and is
 * not unique if its table is one of Portolan's schema. */
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

/* Returns why an object that Portolan's schema does not have can't be accepted; NULL if it can.
 * Views that `portolan index` makes were accepted before this is called. */
static const char *why_not(schema_list *list, const schema_row *row)
{
    if (strcmp(row->type, "index") == 0) {
        if (row->sql[0] == '\0') /* SQLite made this index itself, for a key */
            return NULL;
        return schema_plain_index(row->sql, is_our_table, list);
    }
    if (strcmp(row->type, "table") != 0)
        return "is not part of a world file";
    if (strncmp(row->name, "sqlite_", 7) == 0)
        return is_sqlites_own(row) ? NULL : "is not part of a world file";
    return schema_plain_table(row->sql, is_our_table, list);
}

/* Returns true if the span is equal to this text. */
static bool schema_span_is(schema_span span, const char *text)
{
    return strlen(text) == span.size && memcmp(text, span.at, span.size) == 0;
}

static void check_row(schema_list *list, const schema_row *row, schema_problem_fn *found,
                      void *payload)
{
    schema_problem problem = {.type = row->type, .name = row->name};
    /* Index of the object with this name in Portolan's schema; list->count if there is none. */
    size_t i = 0;
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
        return;
    }
    if (strcmp(row->type, "view") == 0 && unpacked_view_known(row->name, row->sql))
        return;
    problem.fault = SCHEMA_FOREIGN;
    problem.why = why_not(list, row);
    if (problem.why)
        found(payload, &problem);
}

/* Finds the next CREATE statement from *at on and moves *at to its end; false if there is
 * none. */
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
        if (status == PTL_OK)
            check_row(list, &object, found, payload);
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

/* ---- checking a file when it is opened ---- */

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
    stmt *s;
    ptl_status status = stmt_prepare(&s, store, "PRAGMA encoding", e);
    if (stmt_row(s, &status, e) && strcmp(stmt_text(s, 0), "UTF-8") != 0)
        status =
            error_set(e, PTL_ERR_FORMAT,
                      "its texts are %s, and those of a world file are UTF-8", stmt_text(s, 0));
    stmt_free(s);
    TRY(status);
    TRY(schema_walk(store, first_problem, e, e));
    return e->status;
}

/* SQL that finds objects whose tbl_name in sqlite_schema, the name of their table, is wrong.
 * The right table of an index is the one whose pragma_index_list has it. */
#define STRAYS                                                                                 \
    "SELECT type, name, said, owner FROM (SELECT type, name, tbl_name AS said, name AS owner " \
    "FROM main.sqlite_schema WHERE type IN ('table', 'view') UNION ALL "                       \
    "SELECT s.type, s.name, s.tbl_name, t.name FROM main.sqlite_schema t, "                    \
    "pragma_index_list(t.name) i, main.sqlite_schema s "                                       \
    "WHERE t.type = 'table' AND s.type = 'index' AND s.name = i.name) WHERE said IS NOT owner"

ptl_status schema_owner_walk(ptl_store *store, bool mend, schema_stray_fn *found, void *payload,
                             ptl_error *err)
{
    stmt *s;
    ptl_status status = stmt_prepare(&s, store, STRAYS, err);
    while (found && stmt_row(s, &status, err)) {
        const schema_stray stray = {stmt_text(s, 0), stmt_text(s, 1), stmt_text(s, 2),
                                    stmt_text(s, 3)};
        status = stmt_had_memory(s, err);
        THEN(status, found(payload, &stray, err));
    }
    stmt_free(s);
    /* The UPDATE changes the rows that STRAYS reads. That does no harm: SQLite collects all
     * rows that match before it changes any. */
    if (mend)
        THEN(status,
             sqlite_exec(store,
                         "UPDATE main.sqlite_schema AS o SET tbl_name = n.owner "
                         "FROM (" STRAYS ") n WHERE o.type = n.type AND o.name = n.name",
                         err));
    return status;
}

ptl_status schema_writable(ptl_store *store, bool on, ptl_error *err)
{
    int code = sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, !on, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_db_config(store->db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, on, NULL);
    return code == SQLITE_OK ? PTL_OK : sqlite_error(store, code, "configuring SQLite", err);
}

/*
 * The schema's version is stored as user_version. A new file gets the present schema. An older
 * file gets all migrations whose numbers are greater than its version, which must lead to the
 * same schema, text for text. Everything, including the new version, is written in one
 * transaction; so if the process dies, the file is as it was before.
 */
/* ---- creating and migrating the schema ---- */

int migrate_last_version(void)
{
    int last = SCHEMA_FIRST;
    for (const migration *m = migrations; m->number > 0; m++)
        last = m->number;
    return last;
}

ptl_status migrate_check(ptl_store *store, bool *empty, bool *current, ptl_error *err)
{
    int64_t id = 0, version = 0, objects = 0;
    /* application_id, user_version and the number of the schema's objects are read in one
     * transaction, since another process may be setting the file up. */
    const bool alone = sqlite3_get_autocommit(store->db) != 0;
    if (alone)
        TRY(sqlite_begin_read(store, err));
    ptl_status status = sqlite_pragma_int(store, "PRAGMA application_id", &id, err);
    THEN(status, sqlite_pragma_int(store, "PRAGMA user_version", &version, err));
    THEN(status, sqlite_pragma_int(store, "SELECT count(*) FROM sqlite_schema", &objects, err));
    if (alone)
        sqlite_rollback(store);
    TRY(status);
    *empty = id == 0 && version == 0 && objects == 0;
    *current = false;
    if (*empty)
        return PTL_OK;
    if (id != STORE_APPLICATION_ID)
        return error_set(err, PTL_ERR_FORMAT,
                         "not a world file: an SQLite database with application_id %lld",
                         (long long)id);
    if (version > migrate_last_version())
        return error_set(err, PTL_ERR_NEWER,
                         "made by a newer Portolan: schema version %lld, this one knows %d",
                         (long long)version, migrate_last_version());
    if (version < 1)
        return error_set(err, PTL_ERR_CORRUPT, "schema version %lld", (long long)version);
    if (version < SCHEMA_FIRST)
        return error_set(
            err, PTL_ERR_FORMAT,
            "a draft of Portolan wrote it (schema version %lld): commit e4bf7e6b is "
            "the last that reads it, and the same content, seed and settings make "
            "the same world again",
            (long long)version);
    *current = version == migrate_last_version();
    return PTL_OK;
}

ptl_status migrate_refuse(ptl_store *store, ptl_error *err)
{
    int64_t version = 0;
    TRY(sqlite_pragma_int(store, "PRAGMA user_version", &version, err));
    return error_set(err, PTL_ERR_READONLY,
                     "made by an older Portolan: schema version %d, this one has %d; 'portolan "
                     "migrate FILE' (or opening it for writing) brings it up to date",
                     (int)version, migrate_last_version());
}

/* Runs SQL statements that create or migrate the schema, and sets the file's version. Setting
 * user_version and application_id is part of the transaction, as any other write is. */
static ptl_status run_sql(ptl_store *store, const char *sql, int version, const char *what,
                          ptl_error *err)
{
    char mark[96];
    snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             (int)STORE_APPLICATION_ID, version);
    ptl_status status = sqlite_exec(store, sql, err);
    THEN(status, sqlite_exec(store, mark, err));
    return status == PTL_OK ? PTL_OK : error_prefix(err, status, "%s", what);
}

ptl_status migrate_create(ptl_store *store, ptl_error *err)
{
    TRY(run_sql(store, schema_sql, migrate_last_version(), "making the schema", err));
    return content_checksum_write(store, err);
}

/* Reports progress; PTL_ERR_CANCELLED if the callback ends the migration. */
static ptl_status migrate_tell(migrate_watch *watch, const char *what, uint64_t done,
                               uint64_t total, ptl_error *err)
{
    const ptl_migrate_progress now = {
        .size = sizeof now, .what = what, .done = done, .total = total};
    if (!watch || !watch->on_progress || watch->on_progress(watch->payload, &now))
        return PTL_OK;
    return error_set(err, PTL_ERR_CANCELLED, "stopped: the file is as it was");
}

/* ---- keeping a copy of the file before a migration ---- */

/* Makes the error for damage that was found while a copy of the file was made. If the file
 * itself is sound, the damage is in the copy, which can't be read back as it was written. */
static ptl_status tell_damage(ptl_store *store, const char *path, const ptl_error *why,
                              ptl_error *err)
{
    stmt *s;
    ptl_status status = stmt_prepare(&s, store, "PRAGMA quick_check(1)", err);
    const bool sound = stmt_row(s, &status, err) && strcmp(stmt_text(s, 0), "ok") == 0;
    stmt_free(s);
    if (sound)
        return error_set(err, PTL_ERR_IO, "%s: it can't be read: %s", path, why->message);
    return status == PTL_OK ? error_copy(err, why) : status;
}

static ptl_status vacuum_into(ptl_store *store, const char *path, ptl_error *err)
{
    stmt *s = NULL;
    ptl_error own = {0};
    sqlite3_limit(store->db, SQLITE_LIMIT_ATTACHED, 1);
    ptl_status status = stmt_prepare(&s, store, "VACUUM INTO ?", &own);
    stmt_bind_text(s, 1, path);
    THEN(status, stmt_run(s, &own));
    stmt_free(s);
    sqlite3_limit(store->db, SQLITE_LIMIT_ATTACHED, 0);
    /* SQLite gives this error if the file for the copy is not empty, or if its size can't be
     * read. Since the file was created empty a moment ago, the message names both causes. */
    if (status == PTL_ERR_INTERNAL)
        return error_set(err, PTL_ERR_IO, "%s: its size can't be read, or is not 0", path);
    if (status == PTL_ERR_CORRUPT)
        return tell_damage(store, path, &own, err);
    return status == PTL_OK ? PTL_OK : error_copy(err, &own);
}

/* Keeps a compact copy of the file with its older schema. (ptl_backup can't do this, since it
 * requires the present schema.) */
static ptl_status keep_copy(ptl_store *store, migrate_watch *watch, ptl_error *err)
{
    backup_target target = {.file = -1};
    TRY(migrate_tell(watch, "copying", 0, 0, err));
    ptl_status status = backup_target_open(&target, sqlite3_db_filename(store->db, "main"),
                                           watch->backup, false, err);
    THEN(status, vacuum_into(store, target.name, err));
    THEN(status, backup_target_publish(&target, err));
    backup_target_close(&target);
    return status;
}

/* ---- running the pending migrations ---- */

typedef struct pending {
    int64_t version;
    bool empty, current;
} pending;

static ptl_status find_pending(pending *out, ptl_store *store, ptl_error *err)
{
    out->version = 0;
    TRY(migrate_check(store, &out->empty, &out->current, err));
    return sqlite_pragma_int(store, "PRAGMA user_version", &out->version, err);
}

/* Corrects wrong table names (tbl_name) in sqlite_schema, because when a table is dropped,
 * SQLite finds its indexes by this column. */
static ptl_status mend_owners(ptl_store *store, ptl_error *err)
{
    ptl_status status = schema_writable(store, true, err);
    THEN(status, schema_owner_walk(store, true, NULL, NULL, err));
    const ptl_status after = schema_writable(store, false, status == PTL_OK ? err : NULL);
    return status == PTL_OK ? after : status;
}

/*
 * Runs the pending migrations inside the transaction, then checks the schema, before the
 * commit. So a file that turns out not to be Portolan's stays as it was, and so does a file
 * whose schema would differ from that of a new file.
 */
static ptl_status run_pending(ptl_store *store, const pending *p, migrate_watch *watch,
                              ptl_error *err)
{
    const uint64_t total = (uint64_t)(migrate_last_version() - p->version);
    uint64_t done = 0;
    if (p->empty)
        return migrate_create(store, err);
    ptl_status status = mend_owners(store, err);
    for (const migration *m = migrations; m->number > 0 && status == PTL_OK; m++) {
        if (m->number <= p->version)
            continue;
        status = migrate_tell(watch, "migrating", done++, total, err);
        THEN(status, run_sql(store, m->sql, m->number, m->name, err));
    }
    if (status == PTL_OK)
        return schema_check(store, err);
    if (status != PTL_ERR_INTERNAL)
        return status;
    /* SQLite has refused the migration, because the file has other tables than its version
     * says. */
    error_clear(err);
    return error_set(err, PTL_ERR_FORMAT, "its tables are not those of schema version %lld",
                     (long long)p->version);
}

ptl_status migrate(ptl_store *store, ptl_error *err)
{
    migrate_watch *watch = store->watch;
    pending p;
    TRY(find_pending(&p, store, err));
    if (watch)
        watch->version = (int)p.version;
    ptl_status status = PTL_OK;
    if (watch && watch->backup && !p.empty && !p.current) {
        status = keep_copy(store, watch, err);
        watch->copied = status == PTL_OK;
    }
    if (status != PTL_OK || p.current)
        return status;
    /* The version is read again inside the transaction, since another process may have migrated
     * the file in the meantime. */
    TRY(sqlite_begin(store, err));
    status = find_pending(&p, store, err);
    if (status == PTL_OK && !p.current)
        status = run_pending(store, &p, watch, err);
    THEN(status, sqlite_commit(store, err));
    if (status != PTL_OK)
        sqlite_rollback(store);
    return status;
}
