/* portolan query: runs read-only SQL. */
#include "clients/cli/questions/query_tables.h"
#include "os/clock.h"

#include <errno.h>

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

/* A parameter's type follows from how it looks: a number or a text. In apostrophes it is
 * always a text. So is one with leading zeros, which a number would lose. */
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
    bool copying; /* a snapshot is still being copied */
} printer;

typedef struct head_list {
    report_column *columns; /* owned; the last key is NULL */
    bytes names;            /* the columns' names, each ended with a NUL */
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

static void list_table_names(value_sink sink, void *payload)
{
    page_place place = {NULL, false};
    for (page_table t; page_next_table(&place, &t);)
        if (t.columns && !sink(payload, t.name, t.what))
            return;
}

static const value_type values[] = {{"columns", VALUE_LISTED, NULL, list_table_names}, {0}};

static bool on_row(void *payload, size_t columns, const char *const *names,
                   const ptl_value *row)
{
    static const report_kind kinds[] = {[PTL_VALUE_NULL] = REPORT_NONE,
                                        [PTL_VALUE_INTEGER] = REPORT_WHOLE,
                                        [PTL_VALUE_REAL] = REPORT_REAL,
                                        [PTL_VALUE_TEXT] = REPORT_TEXT,
                                        [PTL_VALUE_BLOB] = REPORT_BLOB};
    printer *p = payload;
    (void)names;
    for (size_t i = 0; i < columns; i++) {
        const ptl_value *v = &row[i];
        const report_cell cell = {kinds[v->type], v->text, v->size, v->integer, v->real};
        if (!rows_put(p->rows, &cell, 1)) {
            p->nomem = out_ok();
            return false;
        }
        if (stop_wanted()) /* a single value may have megabytes */
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

/* Prints the rows of the statement. Returns EXIT_DONE, or EXIT_FAILED after a message. A line
 * on standard error says if a snapshot is read. */
static int result_print(session *s, const char *sql, const result_limits *limits)
{
    printer p = {.session = s};
    head_list heads;
    rows_style look = s->style;
    look.blocks = true; /* few wide rows: all columns were asked for */
    const ptl_query_options how = {.size = sizeof how,
                                   .on_row = on_row,
                                   .payload = &p,
                                   .on_snapshot = on_snapshot,
                                   .row_limit = limits->rows,
                                   .time_limit = limits->seconds,
                                   .byte_limit = limits->bytes,
                                   .reading = limits->reading,
                                   .parameters = limits->parameters,
                                   .parameter_count = limits->parameter_count};
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
        return EXIT_FAILED; /* out_finish prints the message */
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
static int ask(session *s, result_limits *limits)
{
    const args *a = s->args;
    const char *sql = a->operands[1], *name, *text;
    bytes input = {.size = 0};
    size_t at = 0;
    int code = EXIT_FAILED;
    if (strcmp(sql, "-") == 0) { /* all of standard input is one text */
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
    /* There can't be more parameters than options. */
    ptl_query_parameter *list = calloc(a->given_count + 1, sizeof *list);
    while (list && args_next_pair(a, "parameter", &at, &name, &text))
        list[limits->parameter_count++] = (ptl_query_parameter){name, read_value(text)};
    limits->parameters = list;
    if (!list)
        tell("portolan query: memory is out\n");
    else if (sql)
        code = result_print(s, sql, limits);
    if (sql && code != EXIT_DONE)
        query_hint(s, sql);
    free(list);
    bytes_dispose(&input);
    return code;
}

static int run(session *s)
{
    const args *a = s->args;
    result_limits limits = {.seconds = SECONDS_DEFAULT};
    const bool lists = args_has(a, "tables") || args_has(a, "columns");
    if (lists && (a->operand_count > 1 || args_has(a, "parameter")))
        return usage_error(a, "--tables and --columns go without SQL");
    if (args_has(a, "tables") && args_has(a, "columns"))
        return usage_error(a, "--tables and --columns exclude each other");
    if (!lists && a->operand_count < 2)
        return usage_error(a, "what is asked? SQL, or - for standard input, or --tables");
    NEED(rows_style_from_args(&s->style, a, NULL));
    /* Read the limits, and how the file is read. */
    const bool direct = args_has(a, "direct"), snapshot = args_has(a, "snapshot");
    int64_t rows = ROWS_DEFAULT;
    if (direct && snapshot)
        return usage_error(a, "--direct and --snapshot exclude each other");
    limits.reading = direct ? PTL_QUERY_DIRECT : snapshot ? PTL_QUERY_SNAPSHOT : PTL_QUERY_AUTO;
    NEED(args_int(a, "limit", 0, INT64_MAX, &rows));
    NEED(args_double(a, "time-limit", 0, 1e9, &limits.seconds));
    limits.rows = (uint64_t)rows;
    limits.bytes = rows > 0 ? BYTES_DEFAULT : 0;
    NEED(session_open(s, PTL_OPEN_READ));
    if (args_has(a, "tables"))
        return query_tables_print(s);
    return args_has(a, "columns") ? query_columns_print(s, args_value(a, "columns"))
                                  : ask(s, &limits);
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
    .run = run,
    .stopped = "what it printed is not the whole result",
};
