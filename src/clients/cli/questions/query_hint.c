/* "Did you mean" for SQL: suggests names for one that SQLite does not know. */
#include "clients/cli/questions/query_tables.h"
#include "clients/cli/questions/tables_page.h"

#include <ctype.h>
#include <strings.h>

enum { NAME_SIZE = 128 };

/* Extracts the name that follows `what` in SQLite's message, without its table and quotes.
 * Returns false if the message is another one. */
static bool name_after(char out[NAME_SIZE], const char *message, const char *what)
{
    const char *at = strstr(message, what);
    if (!at)
        return false;
    at += strlen(what);
    const char *end = strstr(at, " - "); /* newer versions of SQLite add advice */
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

/* Does the SQL have this word, as a whole and in any case of letters? */
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

/* The best suggestion so far. Texts of the page are overwritten by the next ones,
 * so it is copied. */
typedef struct near_word {
    suggestion s;
    char wanted[NAME_SIZE];
    char name[NAME_SIZE];  /* the most similar name */
    char shown[NAME_SIZE]; /* the name to suggest instead of it */
} near_word;

static void offer_for(near_word *n, const char *candidate, const char *shown)
{
    /* The unknown name itself is no suggestion, unless another name is to be suggested for
     * it. */
    const bool is_other_name =
        strcmp(n->wanted, candidate) == 0 && strcmp(candidate, shown) != 0;
    if (is_other_name)
        n->s = (suggestion){.wanted = n->wanted, .best = candidate, .rank = 0};
    else
        suggest_offer(&n->s, candidate);
    if (n->s.best == candidate) {
        snprintf(n->name, sizeof n->name, "%s", candidate);
        snprintf(n->shown, sizeof n->shown, "%s", shown);
        n->s.best = n->name;
    }
}

static void begin(near_word *n, const char *wanted)
{
    snprintf(n->wanted, sizeof n->wanted, "%s", wanted);
    suggest_begin(&n->s, n->wanted);
    n->name[0] = n->shown[0] = '\0';
}

static void tell_near(const near_word *n)
{
    if (n->s.best)
        tell("Did you mean %s?\n", n->shown);
}

/* Suggests a table or function of the page, or a table of the file's own. */
static void hint_table(session *s, const char *wanted, bool functions)
{
    file_tables tables;
    page_table known;
    near_word n;
    page_place place = {NULL, false};
    /* Tables have singular names: for "cities" look for "city". */
    char singular[NAME_SIZE];
    snprintf(singular, sizeof singular, "%s", wanted);
    const size_t size = strlen(singular);
    if (size > 3 && strcasecmp(singular + size - 3, "ies") == 0)
        memcpy(singular + size - 3, "y", 2);
    begin(&n, singular);
    for (page_table t; page_next_table(&place, &t);)
        if ((t.columns != NULL) != functions) {
            /* A view v_NAME also matches by NAME. A stored table, whose ids are numbers, is
             * replaced by its view, which has names. */
            static const char prefix[] = "v_", reference[] = "The view: ";
            const char *at = strstr(t.what, reference);
            char view[NAME_SIZE];
            snprintf(view, sizeof view, "%s", at ? at + strlen(reference) : t.name);
            view[strcspn(view, ". ")] = '\0';
            offer_for(&n, t.name, view);
            if (strncmp(t.name, prefix, strlen(prefix)) == 0)
                offer_for(&n, t.name + strlen(prefix), t.name);
        }
    if (!functions && file_tables_read(&tables, s) == EXIT_DONE)
        for (size_t i = 0; i < tables.count; i++)
            if (!page_find_table(tables.items[i].name, &known)) /* not in the page */
                offer_for(&n, tables.items[i].name, tables.items[i].name);
    tell_near(&n);
    if (!functions)
        file_tables_dispose(&tables);
    tell("What there is: portolan query '%s' --tables\n", s->args->operands[0]);
}

void query_hint(session *s, const char *sql)
{
    char message[PTL_ERROR_MESSAGE_SIZE], name[NAME_SIZE], quoted[NAME_SIZE + 2];
    memcpy(message, s->err.message, sizeof message); /* reading the tables will clear it */
    if (name_after(name, message, "no such table: ")) {
        hint_table(s, name, false);
    } else if (name_after(name, message, "no such function: ")) {
        hint_table(s, name, true);
    } else if (name_after(name, message, "no such column: ")) {
        snprintf(quoted, sizeof quoted, "\"%s\"", name);
        if (strstr(sql, quoted))
            tell("A text stands in apostrophes: '%s'\n", name);
        /* Suggests a column of the tables that the statement names. */
        enum { TABLES_SHOWN = 2 };
        near_word n;
        page_place place = {NULL, false};
        int shown = 0;
        begin(&n, name);
        for (page_table t; page_next_table(&place, &t);) {
            const char *column = NULL;
            for (page_column c; is_word_of(sql, t.name) && page_next_column(&t, &column, &c);)
                offer_for(&n, c.name, c.name);
        }
        tell_near(&n);
        place = (page_place){NULL, false};
        for (page_table t; !n.s.best && shown < TABLES_SHOWN && page_next_table(&place, &t);) {
            const char *at = NULL;
            if (!t.columns || !is_word_of(sql, t.name))
                continue;
            tell("Columns of %s:", t.name);
            for (page_column c; page_next_column(&t, &at, &c);)
                tell(" %s", c.name);
            tell("\n");
            shown++;
        }
    }
}
