/*
 * portolan find: which seeds have what one looks for (portolan/search.h), by a relation
 * or by SQL.
 */
#include "clients/cli/line/commands.h"
#include "clients/cli/line/output.h"
#include "clients/cli/line/progress.h"
#include "clients/cli/questions/query_tables.h"
#include "clients/cli/session/session.h"
#include "clients/cli/statistics/find.h"
#include "clients/cli/statistics/overmaps.h"
#include "clients/cli/worlds/settings.h"
#include "core/utf8.h"
#include "core/visible.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const option_spec options[] = {
    {"where", "TEXT", "a relation, or SQL that begins with SELECT or WITH (required)", 0},
    {"seeds", "A..B", "the seeds, both ends included; A.. goes on for ever (default: 1..1000)",
     0},
    OPTIONS_OVERMAPS,
    {"first", "N", "stop after so many matches; 0: never (default: 1)", 0},
    {"per-seed", "N", "at most so many matches of one seed (default: all)", 0},
    {"jobs", "N", "threads, 1..64 (default: 1)", 'j'},
    OPTION_SETTINGS_OF,
    {"stored", NULL, "search the world's saved chunks in place of seeds", 0},
    OPTIONS_ROWS,
    OPTIONS_SWEEP_SETTINGS OPTION_QUIET,
    OPTIONS_END,
};

typedef struct request {
    const args *args;
    const char *where;
    bool is_sql, stored, quiet, endless;
    ptl_search_options search;
    ptl_search_report report;
    uint64_t matches; /* printed */
    find_printer printer;
    progress shown;
    char noun[64];
    ptl_world_options settings;
    chunk_list chunks; /* of each seed, or the saved ones */
} request;

/* ---- the command line ---- */

static bool begins_with_word(const char *text, const char *word)
{
    const size_t size = strlen(word);
    return strncasecmp(text, word, size) == 0 && strchr(" \t\r\n(*", text[size]) != NULL;
}

static int read_seeds(request *r)
{
    r->search.seed_first = 1;
    r->search.seed_last = 1000;
    return seeds_from_args(r->args, &r->search.seed_first, &r->search.seed_last, &r->endless);
}

/* Of saved chunks only the rectangle is looked at, once they are known. */
static int read_places(request *r)
{
    const char *text = args_value(r->args, "rect");
    int64_t rect[4];
    if (r->stored && !text)
        return EXIT_DONE;
    if (r->stored)
        return rect_from_text(r->args, "rect", text, PTL_CHUNK_COORD_MAX, rect);
    int code = overmaps_from_args(&r->chunks, r->args, PTL_SEARCH_CHUNKS_MAX);
    r->search.chunks = r->chunks.positions;
    r->search.chunk_count = r->chunks.count;
    return code;
}

static int check_stored(const request *r)
{
    static const char *const others[] = {"seeds", "chunks", "jobs", NULL};
    for (size_t i = 0; others[i] && r->stored; i++)
        if (args_has(r->args, others[i]))
            return usage_error(r->args, "--%s has no meaning with --stored", others[i]);
    if (r->stored && settings_given(r->args))
        return usage_error(r->args, "with --stored the world has its settings");
    if (r->stored && r->is_sql && args_has(r->args, "rect"))
        return usage_error(r->args, "--rect with --stored goes with a relation; in SQL, say "
                                    "which x and y");
    return EXIT_DONE;
}

static int read_request(request *r)
{
    const args *a = r->args;
    int64_t first = 1, per_seed = 0, jobs = 1;
    r->where = args_value(a, "where");
    r->stored = args_has(a, "stored");
    r->quiet = args_has(a, "quiet");
    if (!r->where)
        return usage_error(a, "say what is looked for: --where TEXT");
    r->where += strspn(r->where, " \t\r\n");
    r->is_sql = begins_with_word(r->where, "select") || begins_with_word(r->where, "with");
    r->printer.what = !r->is_sql;
    int code = check_stored(r);
    if (code == EXIT_DONE)
        code = rows_style_from_args(&r->printer.style, a, NULL);
    if (code == EXIT_DONE)
        code = args_int(a, "first", 0, INT64_MAX, &first);
    if (code == EXIT_DONE)
        code = args_int(a, "per-seed", 1, INT64_MAX, &per_seed);
    if (code == EXIT_DONE)
        code = args_int(a, "jobs", 1, PTL_SEARCH_JOBS_MAX, &jobs);
    if (code == EXIT_DONE)
        code = read_seeds(r);
    if (code == EXIT_DONE)
        code = read_places(r);
    r->search.limit = (uint64_t)first;
    r->search.per_seed = (uint64_t)per_seed;
    r->search.jobs = (int32_t)jobs;
    return code;
}

/* ---- what is looked for ---- */

/* Prints the text as one line, with a caret below the place. */
static void point_at(const char *text, size_t column)
{
    bytes shown;
    size_t columns = 0;
    bytes_init(&shown);
    visible_put(&shown, text, column);
    for (size_t at = 0; at < shown.size;) {
        uint32_t c;
        at += utf8_decode((const char *)shown.data + at, shown.size - at, &c);
        columns += utf8_columns(c);
    }
    bytes_dispose(&shown);
    tell("  %s\n  %*s^\n", text, (int)columns, "");
}

/* The search could not be made: the text is no relation, or something else. */
static int refused(const request *r, session *s, const ptl_search_fault *fault)
{
    if (!fault->message[0])
        return session_failed(s);
    tell("portolan find: --where: %s\n", fault->message);
    point_at(r->where, fault->column);
    tell("The grammar: portolan find --help\n");
    return EXIT_USAGE;
}

static void ignore_name(void *payload, const char *name)
{
    (void)payload;
    (void)name;
}

/* A mistake in SQL is told before anything is made. */
static int check_sql(const request *r, session *s)
{
    if (ptl_query_columns(s->store, r->where, ignore_name, NULL, &s->err) == PTL_OK)
        return EXIT_DONE;
    session_failed(s);
    query_hint(s, r->where);
    return EXIT_FAILED;
}

/* ---- searching ---- */

static bool on_match(void *payload, const ptl_search_match *m)
{
    request *r = payload;
    r->matches++;
    progress_end(&r->shown);
    return find_print(&r->printer, m);
}

/* As progress_show, where no end is known. */
static void show_endless(request *r, const ptl_progress *now)
{
    progress *p = &r->shown;
    char line[160];
    if (p->quiet || (!p->terminal && now->seconds < p->next_line))
        return;
    const int size =
        snprintf(line, sizeof line, "%" PRIu64 " %s, %.1f/s", now->done, r->noun, now->rate);
    if (p->terminal)
        tell("\r%-*s", (int)p->drawn, line);
    else
        tell("%s\n", line);
    p->drawn = size > 0 ? (size_t)size : 0;
    p->next_line = now->seconds + 10;
}

static bool on_progress(void *payload, const ptl_progress *now)
{
    request *r = payload;
    snprintf(r->noun, sizeof r->noun, "%s, %" PRIu64 " match%s", r->stored ? "chunks" : "seeds",
             r->matches, r->matches == 1 ? "" : "es");
    r->shown.noun = r->noun;
    if (r->stored || !r->endless)
        return progress_show(&r->shown, now);
    show_endless(r, now);
    return !stop_wanted();
}

enum { END_SIZE = 400 };

static void add(char text[END_SIZE], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(char text[END_SIZE], const char *format, ...)
{
    const size_t used = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + used, END_SIZE - used, format, list);
    va_end(list);
}

static void describe_seeds(const request *r, char text[END_SIZE])
{
    const ptl_search_report *s = &r->report;
    add(text, "%" PRIu64 " match%s in %" PRIu64 " seed%s, %" PRIu64 "..%" PRIu64, s->matches,
        s->matches == 1 ? "" : "es", s->seeds, s->seeds == 1 ? "" : "s", r->search.seed_first,
        r->search.seed_first + s->seeds - 1);
    if (s->seconds > 0)
        add(text, " (%.1f s, %.0f seeds/s)", s->seconds, (double)s->seeds / s->seconds);
    if (s->cut)
        add(text, "; the last one has more");
    if (s->next_seed != 0 && r->endless)
        add(text, "; go on with --seeds %" PRIu64 "..", s->next_seed);
    else if (s->next_seed != 0)
        add(text, "; go on with --seeds %" PRIu64 "..%" PRIu64, s->next_seed,
            r->search.seed_last);
}

static void tell_end(const request *r, bool stopped)
{
    const ptl_search_report *s = &r->report;
    char text[END_SIZE] = "";
    if (r->stored && stopped)
        add(text, "the saved chunks were not all looked at");
    else if (r->stored)
        add(text, "%" PRIu64 " match%s in the saved chunks%s", s->matches,
            s->matches == 1 ? "" : "es", s->cut ? "; there are more: --first" : "");
    else if (s->seeds == 0)
        add(text, "no seed was asked to its end");
    else
        describe_seeds(r, text);
    if (stopped)
        stop_tell_how("%s", text);
    else if (!r->quiet)
        tell("portolan find: %s\n", text);
}

static int run_search(request *r, session *s, ptl_search *search)
{
    if (!find_print_begin(&r->printer)) {
        tell("portolan find: memory is out\n");
        return EXIT_FAILED;
    }
    progress_init(&r->shown, r->quiet);
    const ptl_status status = ptl_search_run(search, &r->report, &s->err);
    progress_end(&r->shown);
    find_print_end(&r->printer);
    const bool stopped = status == PTL_ERR_CANCELLED && stop_wanted();
    if (status != PTL_OK && !stopped)
        return session_failed(s);
    tell_end(r, stopped);
    return !stopped && r->report.matches > 0 ? EXIT_DONE : EXIT_FAILED;
}

/* Searches seeds, or with --stored of the world. */
static int search(request *r, session *s)
{
    ptl_search *made = NULL;
    ptl_search_fault fault = PTL_SEARCH_FAULT_INIT;
    r->search.where = r->where;
    r->search.language = r->is_sql ? PTL_SEARCH_SQL : PTL_SEARCH_RELATION;
    r->search.on_match = on_match;
    r->search.on_progress = on_progress;
    r->search.payload = r;
    const ptl_status status =
        r->stored ? ptl_search_world(&made, s->world, &r->search, &fault, &s->err)
                  : ptl_search_seeds(&made, s->store, &r->search, &fault, &s->err);
    int code = status == PTL_OK ? EXIT_DONE : refused(r, s, &fault);
    if (status == PTL_ERR_CONTENT)
        tell("Import content first: portolan import '%s' --builtin\n", r->args->operands[0]);
    if (code == EXIT_DONE && r->is_sql)
        code = check_sql(r, s);
    if (code == EXIT_DONE)
        code = run_search(r, s, made);
    ptl_search_free(made);
    return code;
}

/* The saved chunks, as far as --rect has them. */
static int list_saved(request *r, session *s)
{
    const char *text = args_value(r->args, "rect");
    int64_t rect[4] = {0};
    size_t kept = 0;
    int code = session_saved_chunks(s, NULL, &r->chunks);
    if (code == EXIT_DONE && text)
        code = rect_from_text(r->args, "rect", text, PTL_CHUNK_COORD_MAX, rect);
    for (size_t i = 0; code == EXIT_DONE && i < r->chunks.count; i++) {
        const ptl_chunk_pos c = r->chunks.positions[i];
        if (!text || (c.x >= rect[0] && c.x <= rect[2] && c.y >= rect[1] && c.y <= rect[3]))
            r->chunks.positions[kept++] = c;
    }
    r->search.chunks = r->chunks.positions;
    r->search.chunk_count = kept;
    if (code == EXIT_DONE && kept == 0) {
        tell("portolan find: no chunk is saved there\n");
        code = EXIT_FAILED;
    }
    return code;
}

static int find_stored(request *r, session *s)
{
    const int code = list_saved(r, s);
    return code == EXIT_DONE ? search(r, s) : code;
}

static int find_seeds(request *r, session *s)
{
    const char *folder = getenv("TMPDIR");
    r->settings = (ptl_world_options)PTL_WORLD_OPTIONS_INIT;
    if (s->world)
        (void)ptl_world_get_options(&r->settings, s->world, NULL);
    const int code = settings_from_args(r->args, &r->settings);
    if (code != EXIT_DONE)
        return code;
    r->search.settings = &r->settings;
    r->search.scratch_folder = folder && *folder ? folder : NULL;
    r->search.world_name = s->world ? ptl_world_name(s->world) : NULL;
    return search(r, s);
}

static int find(request *r, session *s)
{
    const ptl_world_open_options open = {.size = sizeof open, .accept_content = !r->stored};
    int code = session_open(s, r->args, PTL_OPEN_READ);
    if (code == EXIT_DONE && (r->stored || args_has(r->args, "world")))
        code = session_world(s, &open);
    if (code == EXIT_DONE)
        code = r->stored ? find_stored(r, s) : find_seeds(r, s);
    session_close(s);
    return code;
}

static int run(const args *a)
{
    session s = {.args = a};
    request r = {
        .args = a, .search = PTL_SEARCH_OPTIONS_INIT, .report = PTL_SEARCH_REPORT_INIT};
    int code = read_request(&r);
    if (code == EXIT_DONE)
        code = find(&r, &s);
    chunk_list_dispose(&r.chunks);
    return code;
}

static void more_details(void (*put)(const char *lines))
{
    put("\nRelations:\n");
    put(ptl_search_grammar());
    put("\n"
        "The first thing named is the subject: what is printed is its place. A condition\n"
        "that follows a thing directly is asked of that thing; one after 'and', 'but' or\n"
        "a comma is asked of the subject, as is what 'or' joins (inside parentheses: of\n"
        "the thing that they begin with):\n"
        "  anthill within 10 of city size >= 8 beside lake and no lab* within 40\n"
        "means a city of size 8 or more that lies beside a lake, and an anthill that has\n"
        "no lab within 40 of it. 'and' binds closer than 'or'.\n"
        "\n"
        "ID is that of a special; * and ? match any letters, case does not matter, and _\n"
        "is a blank, too. Other ids go into quotation marks. 'a', 'an', 'the' and 'any'\n"
        "are passed over.\n"
        "\n"
        "Distances are Euclidean, in OMTs; levels do not count. A special or building is\n"
        "where its origin is; a city reaches as far as its size from its centre, at z 0;\n"
        "a lake (with its shore) or a river is all its connected cells at z 0; a road is\n"
        "one cell at z 0 with flag ROAD or of connection local_road; 'terrain ID' is one\n"
        "cell on any level. 'beside': a tile of the one and a tile of the other share a\n"
        "side, or are the same, on one level. Nothing is near itself. Only the overmaps\n"
        "that are made (--chunks, --rect) are seen: what lies beyond their outer border\n"
        "is not.\n"
        "\n"
        "SQL: one SELECT over tables, views and virtual tables, as for 'portolan query',\n"
        "asked of each seed. The file that it sees has FILE's content and one world with\n"
        "the seed's chunks, called 'find' (or as --world). Each row is a match; its\n"
        "columns x, y and z are printed. One asking may take 60 s. Scratch files lie in\n"
        "TMPDIR, else in /dev/shm.\n");
}

const command find_command = {
    .name = "find",
    .group = GROUP_ASK,
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Search seeds, or a world, for places with what one wants near.",
    .details =
        "Makes the overmaps of each seed in memory and prints the places that the text\n"
        "describes, in the order of the seeds, whatever the number of threads. Nothing is\n"
        "written to FILE. The exit code is 1 if there is no match. At the end, or after\n"
        "Ctrl-C, it says with which seed to go on.\n",
    .examples =
        "  portolan find w.db --where \"anthill within 60 of lake\"\n"
        "  portolan find w.db --where \"city size >= 12\" --seeds 1..50 --first 3\n"
        "  portolan find w.db --where \"SELECT x, y FROM v_city WHERE size > 9\" --stored\n",
    .options = options,
    .more_details = more_details,
    .run = run,
    .stopped = "no seed was asked to its end",
};
