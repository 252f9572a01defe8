/* "Did you mean" for SQL: SQLite says which name it does not know. */
#include "cli/output.h"
#include "cli/query_tables.h"
#include "cli/tables_page.h"
#include "core/suggest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { NAME_SIZE = 128 };

/* The name that follows `what` in the message, without its table and quotes; false: no such. */
static bool name_after(char out[NAME_SIZE], const char *message, const char *what)
{
    const char *at = strstr(message, what);
    if (!at)
        return false;
    at += strlen(what);
    const char *end = strstr(at, " - "); /* newer versions of SQLite go on with advice */
    size_t size = end ? (size_t)(end - at) : strlen(at);
    if (size > 1 && at[0] == '"' && at[size - 1] == '"') {
        at++;
        size -= 2;
    }
    for (const char *dot; (dot = memchr(at, '.', size)) != NULL;) {
        size -= (size_t)(dot + 1 - at);
        at = dot + 1;
    }
    snprintf(out, NAME_SIZE, "%.*s", (int)size, at);
    return out[0] != '\0';
}

static void tell_near(const char *near)
{
    if (near)
        tell("Did you mean %s?\n", near);
}

static bool is_word_of(const char *sql, const char *word)
{
    const size_t size = strlen(word);
    for (const char *at = sql; *at; at++) {
        const bool begins = at == sql || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (begins && strncasecmp(at, word, size) == 0 &&
            !(isalnum((unsigned char)at[size]) || at[size] == '_'))
            return true;
    }
    return false;
}

/* A page's texts are copied into the callers' memory, so a near one is kept. */
typedef struct near_name {
    suggestion s;
    char name[NAME_SIZE];
} near_name;

static void offer(near_name *n, const char *candidate)
{
    suggest_offer(&n->s, candidate);
    if (n->s.best == candidate) {
        snprintf(n->name, sizeof n->name, "%s", candidate);
        n->s.best = n->name;
    }
}

static void begin(near_name *n, const char *wanted)
{
    suggest_begin_loose(&n->s, wanted);
    n->name[0] = '\0';
}

static void hint_table(session *s, const char *wanted, bool functions)
{
    file_tables tables;
    near_name n;
    page_place place = {NULL, false};
    begin(&n, wanted);
    for (page_table t; page_next_table(&place, &t);)
        if ((t.columns != NULL) != functions)
            offer(&n, t.name);
    if (!functions && file_tables_read(&tables, s) == EXIT_DONE)
        for (size_t i = 0; i < tables.count; i++)
            offer(&n, tables.items[i].name);
    tell_near(n.s.best);
    if (!functions)
        file_tables_dispose(&tables);
    tell("What there is: portolan query '%s' --tables\n", s->args->operands[0]);
}

static void tell_columns(const page_table *t)
{
    const char *at = NULL;
    tell("Columns of %s:", t->name);
    for (page_column c; page_next_column(t, &at, &c);)
        tell(" %s", c.name);
    tell("\n");
}

/* Of the tables that the statement names. */
static void hint_column(const char *wanted, const char *sql)
{
    enum { TABLES_SHOWN = 2 };
    near_name n;
    page_place place = {NULL, false};
    int shown = 0;
    begin(&n, wanted);
    for (page_table t; page_next_table(&place, &t);) {
        const char *column = NULL;
        for (page_column c; is_word_of(sql, t.name) && page_next_column(&t, &column, &c);)
            offer(&n, c.name);
    }
    tell_near(n.s.best);
    place = (page_place){NULL, false};
    for (page_table t; !n.s.best && shown < TABLES_SHOWN && page_next_table(&place, &t);)
        if (t.columns && is_word_of(sql, t.name)) {
            tell_columns(&t);
            shown++;
        }
}

static bool is_in_quotes(const char *sql, const char *name)
{
    char quoted[NAME_SIZE + 2];
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    return strstr(sql, quoted) != NULL;
}

void query_hint(session *s, const char *sql)
{
    char message[PTL_ERROR_MESSAGE_SIZE], name[NAME_SIZE];
    memcpy(message, s->err.message, sizeof message); /* asking for tables clears it */
    if (name_after(name, message, "no such table: ")) {
        hint_table(s, name, false);
    } else if (name_after(name, message, "no such function: ")) {
        hint_table(s, name, true);
    } else if (name_after(name, message, "no such column: ")) {
        if (is_in_quotes(sql, name))
            tell("A text stands in apostrophes: '%s'\n", name);
        hint_column(name, sql);
    }
}
