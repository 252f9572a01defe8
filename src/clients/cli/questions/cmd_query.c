/* portolan query: runs read-only SQL, lists what it can ask, and suggests names for those that
 * SQLite does not know. */
#include "clients/cli/questions/cmd_query.h"

#include "clients/cli/line/embedded.h"
#include "core/bytes.h"
#include "os/clock.h"

#include <ctype.h>
#include <errno.h>
#include <strings.h>

enum { ROWS_DEFAULT = 1000000, SECONDS_DEFAULT = 60, BYTES_DEFAULT = 1 << 30 };

static const option_spec options[] = {
    {"tables", NULL, "list what can be asked: views, tables, functions; no SQL", 0},
    {"columns", "TABLE", "list the columns of one, with what they mean; no SQL", 0},
    {"parameter", "NAME VALUE",
     "the value of :NAME, @NAME or $NAME in the SQL (or of ?, by its number); may be repeated",
     'p'},
    OPTIONS_ROWS,
    {"limit", "ROWS", "fail after this many rows (default 1000000; 0: any number)", 0},
    {"time-limit", "SECONDS", "fail after this time (default 60; 0: any time)", 0},
    {"direct", NULL, "read the file itself, however long it takes; a writer waits", 0},
    {"snapshot", NULL, "read a copy from the beginning", 0},
    OPTIONS_END,
};

/* ---- the page of tables ---- */

/*
 * The text of schema/tables.md is a part of the program. It says which tables, views and
 * functions a query can use, and what their columns mean. The page has lines of these forms:
 *
 *   ## Title           a section; tables of "The index" exist only once the index is made
 *   ### name(args)     a table; (args) if it is called with arguments
 *   What it is.        the first line; the lines up to the columns say more
 *   | name | TYPE | meaning |
 */

enum { PAGE_TEXT_MAX = 400 };

/* A table, view or function that schema/tables.md describes. To get the first one, a zeroed
 * page_table is passed to page_next_table. */
typedef struct page_table {
    char name[64];
    char usage[96]; /* how to write it in SQL: the name, with arguments if it is a function */
    char what[PAGE_TEXT_MAX];
    char more[PAGE_TEXT_MAX]; /* further lines about the table; "": none */
    bool of_index;            /* the file has this table only after `portolan index` */
    /* Where schema/tables.md begins to list the table's columns; NULL: it lists none. */
    const char *columns;
    const char *next; /* the text of schema/tables.md after the description of this table */
} page_table;

/* A column of a table. To get the first one, page_next_column is passed a page_column whose
 * `next` is page_table.columns. */
typedef struct page_column {
    char name[64], type[16];
    char meaning[PAGE_TEXT_MAX];
    const char *next;
} page_column;

/* Copies text of schema/tables.md without its marks of code and the addresses of its links.
 * Ends of lines become blanks. */
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

static const char *line_end(const char *at)
{
    return at + strcspn(at, "\n");
}

static const char *next_line(const char *at)
{
    at = line_end(at);
    return *at ? at + 1 : at;
}

static bool begins(const char *at, const char *with)
{
    return strncmp(at, with, strlen(with)) == 0;
}

/* Reads the next table of schema/tables.md after *t. Returns false after the last one. */
static bool page_next_table(page_table *t)
{
    const embedded_text *page = embedded_texts;
    while (!t->next && page->name && strcmp(page->name, "tables") != 0)
        page++;
    const char *line = t->next ? t->next : page->name ? page->text : "";
    bool of_index = t->of_index;
    for (; *line && !begins(line, "### "); line = next_line(line))
        if (begins(line, "## "))
            of_index = begins(line, "## The index");
    *t = (page_table){.of_index = of_index};
    if (!*line)
        return false;
    copy(t->usage, sizeof t->usage, line + 4, line_end(line));
    snprintf(t->name, sizeof t->name, "%.*s", (int)strcspn(t->usage, "("), t->usage);
    line = next_line(line);
    copy(t->what, sizeof t->what, line, line_end(line));
    for (line = next_line(line); *line && *line != '#'; line = next_line(line)) {
        if (begins(line, "|---"))
            t->columns = next_line(line);
        else if (*line != '|' && line_end(line) > line && !t->columns)
            copy(t->more, sizeof t->more, line, line_end(line));
    }
    t->next = line;
    return true;
}

/* Finds a table of schema/tables.md by name, without regard to case, as in SQL. Returns false
 * if there is none. */
static bool page_find_table(page_table *out, const char *name)
{
    *out = (page_table){.next = NULL};
    while (page_next_table(out))
        if (strcasecmp(out->name, name) == 0)
            return true;
    return false;
}

/* Reads a field up to the next "|" of a line of schema/tables.md, and moves *at behind it. */
static void read_field(const char **at, char *out, size_t room)
{
    const char *from = *at + strspn(*at, " "), *bar = from + strcspn(from, "|\n"), *to = bar;
    while (to > from && to[-1] == ' ')
        to--;
    out[0] = '\0';
    copy(out, room, from, to);
    *at = *bar == '|' ? bar + 1 : bar;
}

/* Reads the next column of the table. Returns false after the last one. */
static bool page_next_column(page_column *c)
{
    const char *line = c->next;
    if (!line || *line++ != '|')
        return false;
    read_field(&line, c->name, sizeof c->name);
    read_field(&line, c->type, sizeof c->type);
    read_field(&line, c->meaning, sizeof c->meaning);
    c->next = next_line(line);
    return true;
}

static void list_table_names(value_sink sink, void *payload)
{
    for (page_table t = {.next = NULL}; page_next_table(&t);)
        if (t.columns && !sink(payload, t.name, t.what))
            return;
}

static const value_type values[] = {{"columns", VALUE_LISTED, NULL, list_table_names}, {0}};

/* ---- the file's own tables ---- */

/* Serves as callback of ptl_table_list, which lists the tables of the file. Appends the letter
 * v for a view or t for a table, then the name and a NUL. */
static void on_table(void *payload, const char *name, bool is_view)
{
    bytes_put_u8(payload, is_view ? 'v' : 't');
    bytes_put(payload, name, strlen(name) + 1);
}

/* Reads the names of the tables and views in the world file. Each name follows the letter v
 * (view) or t (table) and ends with a NUL. Returns EXIT_DONE or EXIT_FAILED. Dispose *out in
 * any case. */
static int own_tables_read(bytes *out, session *s)
{
    *out = (bytes){.size = 0};
    const ptl_status status = ptl_table_list(s->store, on_table, out, &s->err);
    if (out->failed)
        return session_no_memory(s);
    return status == PTL_OK ? EXIT_DONE : session_failed(s);
}

/* Steps through the list that own_tables_read has made, in which a letter stands before each
 * name. Returns the letter and name after `entry`, or the first ones if `entry` is NULL; NULL
 * after the last ones. */
static const char *own_next(const bytes *own, const char *entry)
{
    const char *next = entry ? entry + strlen(entry) + 1 : (const char *)own->data;
    return own->size > 0 && next < (const char *)own->data + own->size ? next : NULL;
}

static const char *own_find(const bytes *own, const char *name)
{
    const char *entry = NULL;
    while ((entry = own_next(own, entry)) != NULL && strcasecmp(entry + 1, name) != 0)
        continue;
    return entry;
}

/* Returns whether a name of schema/tables.md is a table, a view, a virtual table or a function.
 * `own` is the letter v or t and the name, as own_next returns them; NULL: the file has neither
 * a table nor a view of that name. Returns NULL for a table of `portolan index` that is not
 * made yet. */
static const char *kind_of(const page_table *t, const char *own)
{
    if (own)
        return own[0] == 'v' ? "view" : "table";
    if (!t || t->of_index)
        return NULL;
    return t->columns ? "virtual" : "function";
}

/* ---- --tables ---- */

static int print_tables(session *s)
{
    static const report_column columns[] = {
        COLUMN(name),
        COLUMN(kind),
        COLUMN_DATA(call),
        COLUMN_DATA(what),
        COLUMN_AS(words, "what", 0, REPORT_EYE_ONLY | REPORT_WRAP),
        COLUMNS_END};
    bytes own;
    page_table t = {.next = NULL};
    const int code = own_tables_read(&own, s);
    row_printer *r = code == EXIT_DONE ? rows_new(&s->style, columns, false) : NULL;
    bool good = r != NULL;
    while (good && page_next_table(&t)) {
        const char *kind = kind_of(&t, own_find(&own, t.name));
        char words[sizeof t.usage + sizeof t.what + 2];
        const bool called = strcmp(t.name, t.usage) != 0;
        snprintf(words, sizeof words, "%s%s%s", called ? t.usage : "", called ? ": " : "",
                 t.what);
        good = !kind || rows_put(r, CELLS(cell_text(t.name), cell_text(kind),
                                          cell_text(called ? t.usage : NULL), cell_text(t.what),
                                          cell_text(words)));
    }
    for (const char *entry = NULL; good && (entry = own_next(&own, entry)) != NULL;) {
        const report_cell what = cell_text("a table of your own");
        good = page_find_table(&t, entry + 1) ||
               rows_put(r, CELLS(cell_text(entry + 1), cell_text(kind_of(NULL, entry)),
                                 cell_none(), what, what));
    }
    const bool printed = rows_finish(r);
    bytes_dispose(&own);
    NEED(code);
    if (good && s->style.format == ROWS_TABLE && s->style.header)
        out_printf("\nThe columns of one: portolan query '%s' --columns v_special\n",
                   s->args->operands[0]);
    return session_printed(s, printed);
}

/* ---- --columns ---- */

static void on_column(void *payload, const char *name, const char *type)
{
    (void)rows_put(payload, CELLS(cell_text(name), cell_text(type), cell_text("")));
}

static int print_columns(session *s, const char *name)
{
    static const report_column columns[] = {COLUMN(column), COLUMN(type), COLUMN_WRAP(meaning),
                                            COLUMNS_END};
    const bool eye = s->style.format == ROWS_TABLE;
    page_table t;
    bytes own;
    const int code = own_tables_read(&own, s);
    const bool in_file = code == EXIT_DONE && own_find(&own, name);
    bytes_dispose(&own);
    NEED(code);
    if (page_find_table(&t, name) && (in_file || kind_of(&t, NULL))) {
        if (eye && s->style.header) {
            out_say(t.more[0] ? "%s\n%s\n%s\n\n" : "%s\n%s\n%s\n", t.usage, t.what, t.more);
        }
        if (!t.columns && eye)
            return EXIT_DONE;
        row_printer *r = rows_new(&s->style, columns, false);
        for (page_column c = {.next = t.columns}; page_next_column(&c);)
            (void)rows_put(r,
                           CELLS(cell_text(c.name), cell_text(c.type), cell_text(c.meaning)));
        return session_printed(s, rows_finish(r));
    }
    if (in_file) {
        /* If schema/tables.md does not describe the table, prints what the file says about its
         * columns. */
        rows_style look = s->style;
        look.blocks = true;
        row_printer *r = rows_new(&look, columns, false);
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

/* ---- names that SQLite does not know ---- */

enum { NAME_SIZE = 128 };

/* Extracts the name that follows the words `what` in a message of SQLite, without quotes and
 * without the name of a table before it. Returns false if the message does not have these
 * words. */
static bool name_after(char out[NAME_SIZE], const char *message, const char *what)
{
    const char *at = strstr(message, what);
    if (!at)
        return false;
    at += strlen(what);
    /* Newer versions of SQLite add advice, after " - ", to a message about an unknown name. */
    const char *end = strstr(at, " - ");
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

/* Returns whether the SQL contains this whole word, in upper or lower case. */
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

/* The best suggestion so far. The names are copied, because the page_table that they come from
 * is soon overwritten. */
typedef struct near_word {
    suggestion s;
    char name[NAME_SIZE];  /* the most similar name */
    char shown[NAME_SIZE]; /* what is printed if `name` is suggested: the name itself, or that
                              of a view of the table */
} near_word;

static void offer_for(near_word *n, const char *candidate, const char *shown)
{
    /* The candidate may be the unknown name itself, for example the name of a table whose view
     * SQL must use. Then it is a suggestion only if `shown`, the name that would be printed, is
     * another one. */
    if (strcmp(n->s.wanted, candidate) == 0 && strcmp(candidate, shown) != 0)
        n->s = (suggestion){.wanted = n->s.wanted, .best = candidate, .rank = 0};
    else
        suggest_offer(&n->s, candidate);
    if (n->s.best == candidate) {
        snprintf(n->name, sizeof n->name, "%s", candidate);
        snprintf(n->shown, sizeof n->shown, "%s", shown);
        n->s.best = n->name;
    }
}

static void tell_near(const near_word *n)
{
    if (n->s.best)
        tell("Did you mean %s?\n", n->shown);
}

/* Suggests a table or function of schema/tables.md, or a table that only the file has. */
static void hint_table(session *s, const char *wanted, bool functions)
{
    bytes own = {.size = 0};
    page_table known;
    near_word n;
    /* Tables have singular names: for "cities" the name "city" is searched. */
    char singular[NAME_SIZE];
    snprintf(singular, sizeof singular, "%s", wanted);
    const size_t size = strlen(singular);
    if (size > 3 && strcasecmp(singular + size - 3, "ies") == 0)
        memcpy(singular + size - 3, "y", 2);
    suggest_begin(&n.s, singular);
    for (page_table t = {.next = NULL}; page_next_table(&t);)
        if ((t.columns != NULL) != functions) {
            /* A view v_NAME is found by NAME, too. Instead of a stored table, in which numbers
             * stand for ids, its view is suggested, which has the ids as text. */
            static const char prefix[] = "v_", reference[] = "The view: ";
            const char *at = strstr(t.what, reference);
            char view[NAME_SIZE];
            snprintf(view, sizeof view, "%s", at ? at + strlen(reference) : t.name);
            view[strcspn(view, ". ")] = '\0';
            offer_for(&n, t.name, view);
            if (begins(t.name, prefix))
                offer_for(&n, t.name + strlen(prefix), t.name);
        }
    if (!functions && own_tables_read(&own, s) == EXIT_DONE)
        for (const char *entry = NULL; (entry = own_next(&own, entry)) != NULL;)
            if (!page_find_table(&known, entry + 1))
                offer_for(&n, entry + 1, entry + 1);
    tell_near(&n);
    bytes_dispose(&own);
    tell("What there is: portolan query '%s' --tables\n", s->args->operands[0]);
}

void query_hint(session *s, const char *sql)
{
    char message[PTL_ERROR_MESSAGE_SIZE], name[NAME_SIZE], quoted[NAME_SIZE + 2];
    /* The message is copied, because reading the tables clears the error. */
    memcpy(message, s->err.message, sizeof message);
    if (name_after(name, message, "no such table: ")) {
        hint_table(s, name, false);
    } else if (name_after(name, message, "no such function: ")) {
        hint_table(s, name, true);
    } else if (name_after(name, message, "no such column: ")) {
        snprintf(quoted, sizeof quoted, "\"%s\"", name);
        if (strstr(sql, quoted))
            tell("A text stands in apostrophes: '%s'\n", name);
        /* Suggests a column of the tables that the statement names, or tells which columns
         * these have. */
        enum { TABLES_SHOWN = 2 };
        near_word n;
        int shown = 0;
        suggest_begin(&n.s, name);
        for (page_table t = {.next = NULL}; page_next_table(&t);)
            for (page_column c = {.next = t.columns};
                 is_word_of(sql, t.name) && page_next_column(&c);)
                offer_for(&n, c.name, c.name);
        tell_near(&n);
        for (page_table t = {.next = NULL};
             !n.s.best && shown < TABLES_SHOWN && page_next_table(&t);) {
            if (!t.columns || !is_word_of(sql, t.name))
                continue;
            tell("Columns of %s:", t.name);
            for (page_column c = {.next = t.columns}; page_next_column(&c);)
                tell(" %s", c.name);
            tell("\n");
            shown++;
        }
    }
}

/* ---- the statement ---- */

/* Returns a parameter as a number if the text looks like one, else as a text. A text in
 * apostrophes is always a text, and so is one with leading zeros, which a number would lose. */
static ptl_value read_value(const char *text)
{
    const size_t size = strlen(text);
    ptl_value v = {.type = PTL_VALUE_TEXT, .text = text, .size = size};
    const bool leading_zeros = text[0] == '0' && text[1] >= '0' && text[1] <= '9';
    if (size >= 2 && text[0] == '\'' && text[size - 1] == '\'') {
        v.text = text + 1;
        v.size = size - 2;
    } else if (parse_int(text, INT64_MIN, INT64_MAX, &v.integer) && !leading_zeros) {
        v.type = PTL_VALUE_INTEGER;
    } else if (!leading_zeros && parse_double(text, -1e308, 1e308, &v.real)) {
        v.type = PTL_VALUE_REAL;
    }
    return v;
}

typedef struct printer {
    row_printer *rows; /* owned */
    bool nomem;
    const session *session;
    bool copying; /* a snapshot of the file is still being copied */
} printer;

typedef struct head_list {
    /* Owned; columns of the query's result; the key of the last element is NULL. */
    report_column *columns;
    bytes names; /* the columns' names, each ended with a NUL */
    size_t count;
} head_list;

static void on_name(void *payload, const char *name)
{
    head_list *h = payload;
    bytes_put(&h->names, name, strlen(name) + 1);
    h->count++;
}

static ptl_status read_heads(head_list *h, session *s, const char *sql)
{
    *h = (head_list){.count = 0};
    bytes_init(&h->names);
    ptl_status status = ptl_query_column_list(s->store, sql, on_name, h, &s->err);
    if (status != PTL_OK)
        return status;
    h->columns = calloc(h->count + 1, sizeof *h->columns);
    if (!h->columns || h->names.failed)
        return s->err.status = PTL_ERR_NOMEM;
    const char *name = (const char *)h->names.data;
    for (size_t i = 0; i < h->count; i++) {
        h->columns[i] = (report_column){name, name, -1, 0};
        name += strlen(name) + 1;
    }
    return PTL_OK;
}

static bool on_row(void *payload, size_t columns, const char *const *names,
                   const ptl_value *row)
{
    printer *p = payload;
    (void)names;
    for (size_t i = 0; i < columns; i++) {
        if (!rows_put_values(p->rows, &row[i], 1)) {
            p->nomem = out_ok();
            return false;
        }
        if (stop_wanted()) /* checked in each row, because a single value may have megabytes */
            return false;
    }
    return true;
}

/* Tells which moment a snapshot shows. */
static bool on_snapshot(void *payload, const ptl_query_snapshot *now)
{
    printer *p = payload;
    char size[32], at[32];
    p->copying = !now->ready;
    if (now->ready) {
        format_size(now->total, size);
        clock_now(at);
        tell("portolan %s: asking a copy of %.8s UTC (%s)%s%s%s\n",
             p->session->args->command->name, at + strlen("YYYY-MM-DDT"), size,
             now->whom ? ": " : "", now->whom ? now->whom : "",
             now->whom ? " is writing the file" : "");
    }
    return !stop_wanted();
}

/* Prints the rows of the statement; `how` has its limits and parameters. Returns EXIT_DONE, or
 * EXIT_FAILED after a message. A line on standard error says if a snapshot is read. */
static int print_result(session *s, const char *sql, ptl_query_options how)
{
    printer p = {.session = s};
    head_list heads;
    rows_style look = s->style;
    look.blocks = true; /* a row that is too wide is printed as a block of lines, so that no
                           column is left out */
    how.on_row = on_row;
    how.on_snapshot = on_snapshot;
    how.payload = &p;
    ptl_status status = read_heads(&heads, s, sql);
    if (status == PTL_OK) {
        p.rows = rows_new(&look, heads.columns, false);
        p.nomem = !p.rows;
        status = p.rows ? ptl_query(s->store, sql, &how, &s->err) : PTL_ERR_NOMEM;
    }
    (void)rows_finish(p.rows);
    bytes_dispose(&heads.names);
    free(heads.columns);
    if (status == PTL_ERR_CANCELLED && !out_ok())
        return EXIT_FAILED; /* out_finish will print why standard output failed */
    if (p.nomem)
        s->err = (ptl_error){.status = PTL_ERR_NOMEM, .message = "memory is out"};
    if (status == PTL_OK)
        return EXIT_DONE;
    session_failed(s);
    if (status == PTL_ERR_IO && p.copying)
        tell("With --direct the file itself is asked; a process that writes it "
             "waits meanwhile.\n");
    return EXIT_FAILED;
}

/* Runs the statement of the command line or of standard input. */
static int ask(session *s, ptl_query_options *how)
{
    const args *a = s->args;
    const char *sql = a->operands[1], *name, *text;
    bytes input = {.size = 0};
    size_t at = 0;
    int code = EXIT_FAILED;
    if (strcmp(sql, "-") == 0) { /* the statement is all that standard input has */
        char part[4096];
        stop_suspend(true);
        for (size_t size; (size = fread(part, 1, sizeof part, stdin)) > 0;)
            bytes_put(&input, part, size);
        stop_suspend(false);
        const bool failed = ferror(stdin);
        const bool has_nul = input.size > 0 && memchr(input.data, '\0', input.size);
        if (failed)
            tell("portolan query: reading standard input: %s\n", strerror(errno));
        else if (has_nul)
            tell("portolan query: the SQL on standard input has a NUL byte\n");
        sql = failed || has_nul ? NULL : bytes_text(&input);
        if (!failed && !has_nul && !sql)
            tell("portolan query: memory is out\n");
    }
    /* Each parameter is an option on the command line, so an array with one element for each
     * option is large enough. */
    ptl_query_parameter *list = calloc(a->given_count + 1, sizeof *list);
    while (list && args_next_pair(a, "parameter", &at, &name, &text))
        list[how->parameter_count++] = (ptl_query_parameter){name, read_value(text)};
    how->parameters = list;
    if (!list)
        tell("portolan query: memory is out\n");
    else if (sql)
        code = print_result(s, sql, *how);
    if (sql && code != EXIT_DONE)
        query_hint(s, sql);
    free(list);
    bytes_dispose(&input);
    return code;
}

static int run(session *s)
{
    const args *a = s->args;
    ptl_query_options how = {.size = sizeof how, .time_limit = SECONDS_DEFAULT};
    const bool lists = args_has(a, "tables") || args_has(a, "columns");
    if (lists && (a->operand_count > 1 || args_has(a, "parameter")))
        return usage_error(a, "--tables and --columns go without SQL");
    if (args_has(a, "tables") && args_has(a, "columns"))
        return usage_error(a, "--tables and --columns exclude each other");
    if (!lists && a->operand_count < 2)
        return usage_error(a, "what is asked? SQL, or - for standard input, or --tables");
    NEED(rows_style_from_args(&s->style, a, NULL));
    /* Reads how many rows and seconds the query may take, and how the file is to be read. */
    const bool direct = args_has(a, "direct"), snapshot = args_has(a, "snapshot");
    int64_t rows = ROWS_DEFAULT;
    if (direct && snapshot)
        return usage_error(a, "--direct and --snapshot exclude each other");
    how.reading = direct ? PTL_QUERY_DIRECT : snapshot ? PTL_QUERY_SNAPSHOT : PTL_QUERY_AUTO;
    NEED(args_int(a, "limit", 0, INT64_MAX, &rows));
    NEED(args_double(a, "time-limit", 0, 1e9, &how.time_limit));
    how.row_limit = (uint64_t)rows;
    how.byte_limit = rows > 0 ? BYTES_DEFAULT : 0;
    NEED(session_open(s, PTL_OPEN_READ));
    if (args_has(a, "tables"))
        return print_tables(s);
    return args_has(a, "columns") ? print_columns(s, args_value(a, "columns")) : ask(s, &how);
}

const command query_command = {
    .name = "query",
    .group = GROUP_LOOK,
    .operands = "FILE [SQL]",
    .summary = "Ask the file one question in SQL; nothing can be changed.",
    .operand_help = "SQL  One statement; - is standard input.\n",
    .details =
        "SQL is one SELECT statement, or - to read it from standard input. What it can ask is "
        "listed by --tables, what a column means by --columns; begin with the views: v_world, "
        "v_chunk, v_city, v_special, v_special_rate, v_border, v_event.\n\n"
        "A value of -p that looks like a number is one, anything else is text; in apostrophes "
        "(\"'42'\") it is text in any case.\n\n"
        "A result that passes a limit is cut there, and the command fails; so does one of "
        "more than 1 GB, but with --limit 0. A single value has 4 MB at most.\n\n"
        "While another process writes the file, a query that takes longer than a quarter of a "
        "second goes on with a copy of the file, in the folder of TMPDIR, so that nobody "
        "waits; standard error says so. Not in WAL mode: nobody waits there.\n",
    .examples =
        "  portolan query w.db --tables\n"
        "  portolan query w.db --columns v_special\n"
        "  portolan query w.db \"SELECT * FROM v_city ORDER BY size DESC LIMIT 5\"\n"
        "  portolan query w.db \"SELECT * FROM v_special WHERE special = :s\" -p s abbey\n"
        "  portolan query w.db \"SELECT special, x, y FROM v_special\" --format csv\n"
        "  echo \"SELECT count(*) FROM v_chunk\" | portolan query w.db - --format raw\n",
    .options = options,
    .values = values,
    .large_pages = true,
    .run = run,
    .stopped = "what it printed is not the whole result",
};
