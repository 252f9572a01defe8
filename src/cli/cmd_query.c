/* portolan query: read-only SQL. */
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/result.h"
#include "core/bytes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { ROWS_DEFAULT = 1000000, SECONDS_DEFAULT = 60, BYTES_DEFAULT = 1 << 30 };

static const option_spec options[] = {
    {"format", "FORMAT", "table (default), csv or json", 0},
    {"limit", "ROWS", "fail after this many rows (default 1000000; 0: any number)", 0},
    {"time-limit", "SECONDS", "fail after this time (default 60; 0: any time)", 0},
    {"direct", NULL, "read the file itself, however long it takes; a writer waits", 0},
    {"snapshot", NULL, "read a copy from the beginning", 0},
    OPTIONS_END,
};

/* All of standard input as one text, or NULL with a message. */
static const char *read_sql(bytes *into)
{
    char part[4096];
    size_t size;
    while ((size = fread(part, 1, sizeof part, stdin)) > 0)
        bytes_put(into, part, size);
    if (ferror(stdin)) {
        tell("portolan query: reading standard input: %s\n", strerror(errno));
        return NULL;
    }
    if (into->size > 0 && memchr(into->data, '\0', into->size)) {
        tell("portolan query: the SQL on standard input has a NUL byte\n");
        return NULL;
    }
    const char *text = bytes_text(into);
    if (!text)
        tell("portolan query: memory is out\n");
    return text;
}

static int read_format(const args *a, result_format *out)
{
    static const char *const names[] = {"table", "csv", "json", NULL};
    const char *text = args_value(a, "format");
    for (int i = 0; text && names[i]; i++) {
        if (strcmp(text, names[i]) == 0) {
            *out = (result_format)i;
            return EXIT_DONE;
        }
    }
    return text ? usage_error(a, "--format '%s' is none of table, csv, json", text) : EXIT_DONE;
}

static int read_reading(const args *a, ptl_query_reading *out)
{
    const bool direct = args_has(a, "direct"), snapshot = args_has(a, "snapshot");
    if (direct && snapshot)
        return usage_error(a, "--direct and --snapshot exclude each other");
    *out = direct ? PTL_QUERY_DIRECT : snapshot ? PTL_QUERY_SNAPSHOT : PTL_QUERY_AUTO;
    return EXIT_DONE;
}

static int run(const args *a)
{
    session s;
    bytes input;
    result_format format = RESULT_TABLE;
    result_limits limits = {.seconds = SECONDS_DEFAULT};
    int64_t rows = ROWS_DEFAULT;
    int code = read_format(a, &format);
    if (code == EXIT_DONE)
        code = read_reading(a, &limits.reading);
    if (code == EXIT_DONE)
        code = args_int(a, "limit", 0, INT64_MAX, &rows);
    if (code == EXIT_DONE)
        code = args_double(a, "time-limit", 0, 1e9, &limits.seconds);
    if (code != EXIT_DONE)
        return code;
    limits.rows = (uint64_t)rows;
    limits.bytes = rows > 0 ? BYTES_DEFAULT : 0;
    bytes_init(&input);
    const char *sql = a->operands[1];
    if (strcmp(sql, "-") == 0)
        sql = read_sql(&input);
    if (!sql) {
        bytes_dispose(&input);
        return EXIT_FAILED;
    }
    stop_on_signals();
    code = session_open(&s, a, PTL_OPEN_READ);
    if (code == EXIT_DONE)
        code = result_print(&s, sql, format, &limits);
    session_close(&s);
    bytes_dispose(&input);
    return code;
}

const command query_command = {
    .name = "query",
    .group = GROUP_LOOK,
    .operands = "FILE SQL",
    .operands_min = 2,
    .operands_max = 2,
    .summary = "Ask the file one question in SQL; nothing can be changed.",
    .details =
        "SQL is one SELECT statement, or - to read it from standard input. Views to begin\n"
        "with: v_world, v_chunk, v_city, v_special, v_special_rate, v_border, v_event. What "
        "is\n"
        "packed: tile, region_count, terrain_count, near, building, attempt, monster_group.\n"
        "The whole list: portolan query FILE \"SELECT name FROM sqlite_schema\"\n\n"
        "CSV follows RFC 4180; JSON is an array of objects. A result that passes a limit\n"
        "is cut there, and the command fails; so does one of more than 1 GB, but with\n"
        "--limit 0. A single value has 4 MB at most.\n\n"
        "While another process writes the file, a query that takes longer than a quarter\n"
        "of a second goes on with a copy of the file, in the folder of TMPDIR, so that\n"
        "nobody waits; standard error says so. Not in WAL mode: nobody waits there.\n",
    .examples = "  portolan query w.db \"SELECT * FROM v_city ORDER BY size DESC LIMIT 5\"\n"
                "  portolan query w.db \"SELECT special, x, y FROM v_special\" --format csv\n"
                "  echo \"SELECT count(*) FROM v_chunk\" | portolan query w.db -\n",
    .options = options,
    .run = run,
};
