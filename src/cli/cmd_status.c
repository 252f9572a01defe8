/* portolan status: what a file holds. All answers come from SQL over the documented tables. */
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/result.h"
#include "core/bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const option_spec options[] = {
    {"world", "NAME", "only this world; fails if the file has none of this name", 0},
    {"runs", "N", "how many of the last runs to list (default: 5)", 0},
    OPTIONS_END,
};

static const char packs_sql[] =
    "SELECT p.position + 1 AS pack, p.id, p.name, p.directory, p.file_count AS files, "
    "p.object_count AS objects FROM content_pack p JOIN content c ON c.id = p.content_id "
    "WHERE c.is_current = 1 ORDER BY p.position";

/* In each, %s is a condition on `w`, the world: --world narrows them down. */
static const char worlds_sql[] =
    "SELECT w.name AS world, printf('%%llu', w.seed) AS seed, w.region, w.city_size, "
    "w.city_spacing, w.specials_density, w.specials_spacing, w.placement, "
    "CASE w.railroads WHEN 1 THEN 'yes' ELSE 'no' END AS railroads, "
    "CASE w.subways WHEN 1 THEN 'yes' ELSE 'no' END AS subways, "
    "CASE w.compat WHEN 1 THEN 'yes' ELSE 'no' END AS compat, "
    "CASE w.scale_unique WHEN 1 THEN 'yes' ELSE 'no' END AS scale_unique, w.unique_radius, "
    "w.generator_version AS generator, "
    "CASE WHEN w.content_id = (SELECT id FROM content WHERE is_current = 1) THEN 'current' "
    "ELSE substr((SELECT digest FROM content WHERE id = w.content_id), 1, 12) END AS content "
    "FROM world w WHERE %s ORDER BY w.name";

static const char chunks_sql[] =
    "SELECT w.name AS world, count(c.id) AS chunks, "
    "coalesce(sum(c.last_step <> ''), 0) AS unfinished, "
    "coalesce(sum(c.origin = 'imported'), 0) AS imported, "
    "min(c.x) AS west, min(c.y) AS north, max(c.x) AS east, max(c.y) AS south, "
    "(SELECT count(*) FROM edge e WHERE e.world_id = w.id) AS edges "
    "FROM world w LEFT JOIN chunk c ON c.world_id = w.id WHERE %s GROUP BY w.id "
    "ORDER BY w.name";

static const char runs_sql[] =
    "SELECT r.id AS run, w.name AS world, r.command, r.started, "
    "coalesce(r.outcome, 'unfinished') AS outcome, r.chunks, round(r.seconds, 2) AS seconds "
    "FROM run r JOIN world w ON w.id = r.world_id WHERE %s ORDER BY r.id DESC LIMIT %lld";

static int print_table(session *s, const char *title, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int print_table(session *s, const char *title, const char *format, ...)
{
    bytes sql;
    va_list list;
    bytes_init(&sql);
    va_start(list, format);
    bytes_vprintf(&sql, format, list);
    va_end(list);
    const char *text = bytes_text(&sql);
    int code = EXIT_FAILED;
    out_printf("\n%s\n", title);
    if (text)
        code = result_print(s, text, RESULT_TABLE, NULL);
    else
        fprintf(stderr, "portolan status: memory is out\n");
    bytes_dispose(&sql);
    return code;
}

static bool print_line(void *payload, size_t columns, const char *const *names,
                       const ptl_value *values)
{
    (void)payload;
    (void)names;
    if (columns > 0 && values[0].type == PTL_VALUE_TEXT) {
        out_write(values[0].text, values[0].size);
        out_text("\n");
    }
    return true;
}

static int print_content(session *s, int64_t contents)
{
    if (contents == 0) {
        out_printf("content: none yet; portolan import '%s' --builtin\n", s->args->operands[0]);
        return EXIT_DONE;
    }
    ptl_query_options o = {.on_row = print_line};
    const char *sql = "SELECT 'content: ' || digest || ', imported ' || imported_at || "
                      "CASE lenient WHEN 1 THEN ' (lenient)' ELSE '' END "
                      "FROM content WHERE is_current = 1";
    if (ptl_query(s->store, sql, &o, &s->err) != PTL_OK)
        return session_failed(s);
    return print_table(s, "Packs", "%s", packs_sql);
}

static void print_size(const char *path)
{
    struct stat status;
    char size[32];
    if (stat(path, &status) == 0) {
        format_size((uint64_t)status.st_size, size);
        out_printf("%s: %s\n", path, size);
    } else {
        out_printf("%s\n", path);
    }
}

static int print_worlds(session *s, const char *condition, int64_t run_limit)
{
    int64_t worlds = 0, runs = 0;
    const char *path = s->args->operands[0], *name = args_value(s->args, "world");
    if (ask_int(s, &worlds, "SELECT count(*) FROM world w WHERE %s", condition) != PTL_OK ||
        ask_int(s, &runs, "SELECT count(*) FROM run") != PTL_OK)
        return session_failed(s);
    if (worlds == 0 && name) {
        fprintf(stderr, "portolan status: %s has no world '%s'\n", path, name);
        return EXIT_FAILED;
    }
    if (worlds == 0) {
        out_printf("\nworlds: none yet; portolan new '%s' NAME --seed N\n", path);
        return EXIT_DONE;
    }
    int code = print_table(s, "Worlds", worlds_sql, condition);
    if (code == EXIT_DONE)
        code = print_table(s, "Chunks", chunks_sql, condition);
    if (code == EXIT_DONE && runs > 0 && run_limit > 0)
        code = print_table(s, "Last runs", runs_sql, condition, (long long)run_limit);
    return code;
}

/* The condition of --world: new, NULL when memory is out. */
static char *world_condition(const args *a)
{
    static const char all[] = "1", one[] = "w.name = ";
    const char *name = args_value(a, "world");
    char *quoted = sql_quote(name ? name : "");
    size_t size = quoted ? sizeof one + strlen(quoted) : 0;
    char *out = quoted ? malloc(size) : NULL;
    if (out)
        snprintf(out, size, "%s%s", name ? one : all, name ? quoted : "");
    free(quoted);
    return out;
}

static int print_all(session *s, int64_t run_limit)
{
    int64_t contents = 0;
    char *condition = world_condition(s->args);
    if (!condition) {
        s->err = (ptl_error){PTL_ERR_NOMEM, 0, "memory is out"};
        return session_failed(s);
    }
    int code = EXIT_DONE;
    if (ask_int(s, &contents, "SELECT count(*) FROM content WHERE is_current = 1") != PTL_OK)
        code = session_failed(s);
    if (code == EXIT_DONE) {
        print_size(s->args->operands[0]);
        code = print_content(s, contents);
    }
    if (code == EXIT_DONE)
        code = print_worlds(s, condition, run_limit);
    free(condition);
    return code;
}

static int run(const args *a)
{
    session s;
    int64_t runs = 5;
    int code = args_int(a, "runs", 0, 1000000, &runs);
    if (code != EXIT_DONE)
        return code;
    code = session_open(&s, a, PTL_OPEN_READ);
    if (code == EXIT_DONE)
        code = print_all(&s, runs);
    session_close(&s);
    return code;
}

const command status_command = {
    .name = "status",
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Say what a file holds: content, worlds, chunks, runs.",
    .details =
        "A chunk is unfinished if it was made with --stop-after; generate completes it. An\n"
        "imported one comes from a game's save (import-save) and is never generated.\n",
    .options = options,
    .run = run,
};
