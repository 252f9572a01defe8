/* Prints the tables, views and functions that a query can use, and their columns. The page
 * (query_tables.h) describes them; the file tells which of them it has. */
#include "clients/cli/questions/query_tables.h"

#include "clients/cli/line/embedded.h"

#include <ctype.h>
#include <strings.h>

/* ---- the file's own ---- */

typedef struct table_reading {
    file_tables *out;
    bool no_memory;
} table_reading;

/*
 * Reads schema/tables.md, which the command carries with it: which tables, views and functions
 * a query can use, and what their columns mean. The page has this form:
 *
 *   ## Title           a part; tables of "The index" exist only once the index is made
 *   ### name(args)     a table; (args) if it is called with arguments
 *   What it is.        the first line; the lines up to the columns say more
 *   | name | TYPE | meaning |
 */

/* Copies text of the page without code marks and addresses of links; ends of
 * lines become blanks. */
static void copy(char *out, size_t room, const char *from, const char *to)
{
    size_t used = strlen(out);
    if (used > 0 && used + 1 < room)
        out[used++] = ' ';
    for (; from < to && used + 1 < room; from++) {
        /* A link is "[text](address)". */
        const char *end = *from == '[' ? memchr(from, ']', (size_t)(to - from)) : NULL;
        const char *last =
            end && end + 1 < to && end[1] == '(' ? memchr(end, ')', (size_t)(to - end)) : NULL;
        if (last) {
            for (from++; from < end && used + 1 < room; from++)
                out[used++] = *from;
            from = last;
        } else if (*from != '`') {
            out[used++] = *from;
        }
    }
    out[used] = '\0';
}

static void on_table(void *payload, const char *name, bool is_view)
{
    table_reading *r = payload;
    file_tables *t = r->out;
    file_table *more = realloc(t->items, (t->count + 1) * sizeof *more);
    char *copy = more ? strdup(name) : NULL;
    if (more)
        t->items = more;
    if (copy)
        t->items[t->count++] = (file_table){copy, is_view};
    else
        r->no_memory = true;
}

/* Reads the names of the file's tables and views. Returns EXIT_DONE or EXIT_FAILED. Dispose
 * *out in any case. */
static int file_tables_read(file_tables *out, session *s)
{
    table_reading r = {out, false};
    *out = (file_tables){NULL, 0};
    const ptl_status status = ptl_table_list(s->store, on_table, &r, &s->err);
    if (r.no_memory)
        return session_no_memory(s);
    return status == PTL_OK ? EXIT_DONE : session_failed(s);
}

static void file_tables_dispose(file_tables *tables)
{
    for (size_t i = 0; i < tables->count; i++)
        free(tables->items[i].name);
    free(tables->items);
    *tables = (file_tables){NULL, 0};
}

static const file_table *find(const file_tables *tables, const char *name)
{
    for (size_t i = 0; i < tables->count; i++)
        if (strcasecmp(tables->items[i].name, name) == 0)
            return &tables->items[i];
    return NULL;
}

/* ---- the list ---- */

static const report_column table_columns[] = {
    COLUMN(name),
    COLUMN(kind),
    COLUMN_DATA(call),
    COLUMN_DATA(what),
    COLUMN_AS(words, "what", 0, REPORT_EYE_ONLY | REPORT_WRAP),
    COLUMNS_END};

/* What the page describes but the file lacks is a virtual table or a function. Tables of the
 * index are not there until it is made: they have no kind. */
static const char *kind_of(const page_table *t, const file_table *in_file)
{
    if (in_file)
        return in_file->view ? "view" : "table";
    if (t->of_index)
        return NULL;
    return t->columns ? "virtual" : "function";
}

/* Finds a table by name, without regard to case, as in SQL. Returns false if there is none. */
static bool page_find_table(const char *name, page_table *out)
{
    page_place place = {NULL, false};
    while (page_next_table(&place, out))
        if (strcasecmp(out->name, name) == 0)
            return true;
    return false;
}

int query_tables_print(session *s)
{
    file_tables tables;
    page_table t;
    page_place place = {NULL, false};
    const int code = file_tables_read(&tables, s);
    row_printer *r = code == EXIT_DONE ? rows_new(&s->style, table_columns, false) : NULL;
    bool good = r != NULL;
    while (good && page_next_table(&place, &t)) {
        const char *kind = kind_of(&t, find(&tables, t.name));
        char words[sizeof t.usage + sizeof t.what + 2];
        const bool called = strcmp(t.name, t.usage) != 0;
        snprintf(words, sizeof words, "%s%s%s", called ? t.usage : "", called ? ": " : "",
                 t.what);
        good = !kind || rows_put(r, CELLS(cell_text(t.name), cell_text(kind),
                                          cell_text(called ? t.usage : NULL), cell_text(t.what),
                                          cell_text(words)));
    }
    for (size_t i = 0; good && i < tables.count; i++) {
        const file_table *own = &tables.items[i];
        const report_cell what = cell_text("a table of your own");
        if (!page_find_table(own->name, &t))
            good =
                rows_put(r, CELLS(cell_text(own->name), cell_text(own->view ? "view" : "table"),
                                  cell_none(), what, what));
    }
    const bool printed = rows_finish(r);
    file_tables_dispose(&tables);
    NEED(code);
    if (good && s->style.format == ROWS_TABLE && s->style.header)
        out_printf("\nThe columns of one: portolan query '%s' --columns v_special\n",
                   s->args->operands[0]);
    return session_printed(s, printed);
}

/* ---- the columns of one ---- */

static const report_column column_columns[] = {COLUMN(column), COLUMN(type),
                                               COLUMN_WRAP(meaning), COLUMNS_END};

static void on_column(void *payload, const char *name, const char *type)
{
    (void)rows_put(payload, CELLS(cell_text(name), cell_text(type), cell_text("")));
}

static const char *line_end(const char *at)
{
    return at + strcspn(at, "\n");
}

static const char *next_line(const char *at)
{
    at = line_end(at);
    return *at ? at + 1 : at;
}

/* Reads a field up to the next "|" of the row, and moves *at behind it. */
static void read_field(const char **at, char *out, size_t room)
{
    const char *from = *at + strspn(*at, " "), *bar = from + strcspn(from, "|\n"), *to = bar;
    while (to > from && to[-1] == ' ')
        to--;
    out[0] = '\0';
    copy(out, room, from, to);
    *at = *bar == '|' ? bar + 1 : bar;
}

/* Reads the table's next column; *at starts as NULL. Returns false after the last one. */
static bool page_next_column(const page_table *table, const char **at, page_column *out)
{
    const char *line = *at ? *at : table->columns;
    if (!line || *line != '|')
        return false;
    line++;
    read_field(&line, out->name, sizeof out->name);
    read_field(&line, out->type, sizeof out->type);
    read_field(&line, out->meaning, sizeof out->meaning);
    *at = next_line(line);
    return true;
}

int query_columns_print(session *s, const char *name)
{
    const bool eye = s->style.format == ROWS_TABLE;
    page_table t;
    file_tables tables;
    const int code = file_tables_read(&tables, s);
    const bool in_file = code == EXIT_DONE && find(&tables, name);
    file_tables_dispose(&tables);
    NEED(code);
    if (page_find_table(name, &t) && (in_file || kind_of(&t, NULL))) {
        if (eye && s->style.header) {
            out_prose_begin(0);
            out_printf(t.more[0] ? "%s\n%s\n%s\n\n" : "%s\n%s\n%s\n", t.usage, t.what, t.more);
            out_prose_end();
        }
        if (!t.columns && eye)
            return EXIT_DONE;
        row_printer *r = rows_new(&s->style, column_columns, false);
        const char *at = NULL;
        for (page_column c; page_next_column(&t, &at, &c);)
            (void)rows_put(r,
                           CELLS(cell_text(c.name), cell_text(c.type), cell_text(c.meaning)));
        return session_printed(s, rows_finish(r));
    }
    if (in_file) {
        /* For a table that the page does not describe, print what the file
         * knows of its columns. */
        rows_style look = s->style;
        look.blocks = true;
        row_printer *r = rows_new(&look, column_columns, false);
        if (!r)
            return session_no_memory(s);
        const ptl_status status = ptl_table_column_list(s->store, name, on_column, r, &s->err);
        const bool good = rows_finish(r);
        return status == PTL_OK ? session_printed(s, good) : session_failed(s);
    }
    snprintf(s->err.message, sizeof s->err.message, "no such table: %s", name);
    s->err.status = PTL_ERR_NOT_FOUND;
    session_failed(s);
    query_hint(s, "");
    return EXIT_FAILED;
}

const char *embedded_text_of(const char *name)
{
    for (const embedded_text *t = embedded_texts; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t->text;
    return "";
}

static bool begins(const char *at, const char *with)
{
    return strncmp(at, with, strlen(with)) == 0;
}

bool page_next_table(page_place *place, page_table *out)
{
    /* Finds the heading of the next table, and notes in `place` which part of the page it is
     * in. */
    const char *line = place->at ? place->at : embedded_text_of("tables");
    for (; *line && !begins(line, "### "); line = next_line(line))
        if (begins(line, "## "))
            place->of_index = begins(line, "## The index");
    memset(out, 0, sizeof *out);
    if (!*line)
        return false;
    out->of_index = place->of_index;
    const char *end = line_end(line);
    copy(out->usage, sizeof out->usage, line + 4, end);
    snprintf(out->name, sizeof out->name, "%.*s", (int)strcspn(out->usage, "("), out->usage);
    line = next_line(line);
    copy(out->what, sizeof out->what, line, line_end(line));
    for (line = next_line(line); *line && *line != '#'; line = next_line(line)) {
        if (begins(line, "|---"))
            out->columns = next_line(line);
        else if (*line != '|' && line_end(line) > line && !out->columns)
            copy(out->more, sizeof out->more, line, line_end(line));
    }
    place->at = line;
    return true;
}

/* "Did you mean" for SQL: suggests names for one that SQLite does not know. */

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
