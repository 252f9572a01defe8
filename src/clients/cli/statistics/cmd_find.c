/*
 * portolan find: finds seeds whose worlds have what a relation ("anthill within 10 of city size
 * >= 8") or an SQL statement asks for (portolan/search.h).
 */
#include "clients/cli/questions/cmd_query.h"
#include "clients/cli/statistics/overmaps.h"
#include "clients/cli/worlds/settings.h"
#include "core/utf8.h"
#include "core/whole.h"

#include <inttypes.h>
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
    session *s;
    const args *args;
    const char *where;
    bool is_sql, stored, endless;
    ptl_search_options search;
    ptl_search_report report;
    uint64_t matches; /* number of matches printed */
    row_printer
        *rows; /* owned; prints the table; NULL until the first match is printed in a table */
    char noun[64];
    ptl_world_options settings;
} request;

/* ---- the command line ---- */

static bool begins_with_word(const char *text, const char *word)
{
    const size_t size = strlen(word);
    return strncasecmp(text, word, size) == 0 && strchr(" \t\r\n(*", text[size]) != NULL;
}

/* Finds out which chunks to search. With --stored it only checks the rectangle, because which
 * chunks are saved is found out later. */
static int read_places(request *r)
{
    chunk_list *chunks = &r->s->chunks;
    const char *text = args_value(r->args, "rect");
    int64_t rect[4];
    if (r->stored && !text)
        return EXIT_DONE;
    if (r->stored)
        return rect_from_text(r->args, "rect", text, PTL_CHUNK_COORD_MAX, rect);
    NEED(overmaps_from_args(chunks, r->args, PTL_SEARCH_CHUNKS_MAX));
    r->search.chunks = chunks->positions;
    r->search.chunk_count = chunks->count;
    return EXIT_DONE;
}

/* ---- what is looked for ---- */

/* Prints why the search could not be prepared. If the cause is a relation that can't be parsed,
 * prints its text with a mark at the mistake. */
static int refused(const request *r, const ptl_search_fault *fault)
{
    bytes shown = {.size = 0};
    size_t columns = 0;
    if (!fault->message[0])
        return session_content_failed(r->s);
    /* Prints the text as one line, and a caret below the mistake. */
    visible_put(&shown, r->where, fault->column);
    for (size_t at = 0; at < shown.size;) {
        uint32_t c;
        at += utf8_decode((const char *)shown.data + at, shown.size - at, &c);
        columns += utf8_columns(c);
    }
    bytes_dispose(&shown);
    tell("portolan find: --where: %s\n", fault->message);
    tell("  %s\n  %*s^\n", r->where, (int)columns, "");
    tell("The grammar: portolan find --help\n");
    return EXIT_USAGE;
}

static void ignore_name(void *payload, const char *name)
{
    (void)payload;
    (void)name;
}

/* ---- matches ---- */

/* The columns of a match in a search by SQL: the place of the match. A search by a relation
 * uses the table `columns`, which also has what was found there. */
static const report_column places[] = {COLUMN(seed),    COLUMN(x),       COLUMN(y),  COLUMN(z),
                                       COLUMN(chunk_x), COLUMN(chunk_y), COLUMNS_END};
static const report_column columns[] = {COLUMN(seed), COLUMN(x),       COLUMN(y),
                                        COLUMN(z),    COLUMN(chunk_x), COLUMN(chunk_y),
                                        COLUMN(what), COLUMNS_END};

static report_cell number_if(bool has, int64_t value)
{
    return has ? cell_int(value) : cell_none();
}

static bool begin_rows(request *r)
{
    if (!r->rows)
        r->rows = rows_new(&r->s->style, r->is_sql ? places : columns, false);
    return r->rows != NULL;
}

/* Prints a match as soon as it is found, since a search may go on without end. */
static bool on_match(void *payload, const ptl_search_match *m)
{
    request *r = payload;
    r->matches++;
    progress_end(&r->s->shown);
    if (!begin_rows(r))
        return false;
    (void)rows_put(r->rows, CELLS(cell_uint(m->seed), number_if(m->has_place, m->x),
                                  number_if(m->has_place, m->y), number_if(m->has_level, m->z),
                                  number_if(m->has_place, floor_div(m->x, PTL_CHUNK_SIZE)),
                                  number_if(m->has_place, floor_div(m->y, PTL_CHUNK_SIZE))));
    const report_cell what = cell_text(m->what);
    const bool good = rows_put(r->rows, &what, r->is_sql ? 0 : 1);
    if (r->s->style.format != ROWS_TABLE)
        (void)out_flush(); /* whoever waits for the first match sees it at once */
    return good && out_ok();
}

/* ---- searching ---- */

static bool on_progress(void *payload, const ptl_progress *now)
{
    request *r = payload;
    progress *p = &r->s->shown;
    snprintf(r->noun, sizeof r->noun, "%s, %" PRIu64 " match%s", r->stored ? "chunks" : "seeds",
             r->matches, r->matches == 1 ? "" : "es");
    p->noun = r->noun;
    if (r->stored || !r->endless)
        return progress_show(p, now);
    /* Shows no total, because the number of seeds is not known. */
    if (progress_is_due(p, now->seconds))
        progress_line(p, now->seconds, "%ju %s, %.1f/s", now->done, r->noun, now->rate);
    return !stop_wanted();
}

enum { END_SIZE = 400 };

__attribute__((format(printf, 2, 3))) static void add(char text[END_SIZE], const char *format,
                                                      ...)
{
    const size_t used = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + used, END_SIZE - used, format, list);
    va_end(list);
}

/* Says how the search ended. If seeds were searched, it also says which ones, and how to
 * continue with the seeds after them. */
static void tell_end(const request *r, bool stopped)
{
    const ptl_search_report *s = &r->report;
    char text[END_SIZE] = "";
    if (r->stored && stopped)
        add(text, "the saved chunks were not all looked at");
    else if (r->stored)
        add(text, "%ju match%s in the saved chunks%s", s->matches, s->matches == 1 ? "" : "es",
            s->cut ? "; there are more: --first" : "");
    else if (s->seeds == 0)
        add(text, "no seed was asked to its end");
    else {
        add(text, "%ju match%s in %ju seed%s, %ju..%ju", s->matches,
            s->matches == 1 ? "" : "es", s->seeds, plural(s->seeds), r->search.seed_first,
            r->search.seed_first + s->seeds - 1);
        if (s->seconds > 0)
            add(text, " (%.1f s, %.0f seeds/s)", s->seconds, (double)s->seeds / s->seconds);
        if (s->cut)
            add(text, "; the last one has more");
        if (s->next_seed != 0 && r->endless)
            add(text, "; go on with --seeds %ju..", s->next_seed);
        else if (s->next_seed != 0)
            add(text, "; go on with --seeds %ju..%ju", s->next_seed, r->search.seed_last);
    }
    if (stopped)
        stop_tell_how("%s", text);
    else if (!r->s->shown.quiet)
        tell("portolan find: %s\n", text);
}

static int run_search(request *r, ptl_search *search)
{
    session *s = r->s;
    if (s->style.format != ROWS_TABLE && !begin_rows(r))
        return args_no_memory(s->args);
    progress_begin(&s->shown, r->noun);
    const ptl_status status = ptl_search_run(&r->report, search, &s->err);
    progress_end(&s->shown);
    (void)rows_finish(r->rows);
    const bool stopped = status == PTL_ERR_CANCELLED && stop_wanted();
    if (!stopped)
        NEED(session_done(s, status));
    tell_end(r, stopped);
    return !stopped && r->report.matches > 0 ? EXIT_DONE : EXIT_FAILED;
}

/* Searches the overmaps of seeds, or with --stored the saved chunks of the world, for what the
 * command line asks for. */
static int search(request *r)
{
    session *s = r->s;
    ptl_search *made = NULL;
    ptl_search_fault fault = PTL_SEARCH_FAULT_INIT;
    r->search.where = r->where;
    r->search.language = r->is_sql ? PTL_SEARCH_SQL : PTL_SEARCH_RELATION;
    r->search.on_match = on_match;
    r->search.on_progress = on_progress;
    r->search.payload = r;
    const ptl_status status =
        r->stored ? ptl_search_world_new(&made, &fault, s->world, &r->search, &s->err)
                  : ptl_search_seeds_new(&made, &fault, s->store, &r->search, &s->err);
    int code = status == PTL_OK ? EXIT_DONE : refused(r, &fault);
    /* Reports a mistake in SQL before anything is generated. */
    if (code == EXIT_DONE && r->is_sql)
        code = session_done(
            s, ptl_query_column_list(s->store, r->where, ignore_name, NULL, &s->err));
    if (status == PTL_OK && code != EXIT_DONE)
        query_hint(s, r->where);
    if (code == EXIT_DONE)
        code = run_search(r, made);
    ptl_search_free(made);
    return code;
}

/* Searches the saved chunks inside --rect. */
static int find_stored(request *r)
{
    chunk_list *chunks = &r->s->chunks;
    const char *text = args_value(r->args, "rect");
    int64_t rect[4] = {0};
    size_t kept = 0;
    NEED(session_saved_chunks(r->s, NULL));
    if (text)
        NEED(rect_from_text(r->args, "rect", text, PTL_CHUNK_COORD_MAX, rect));
    for (size_t i = 0; i < chunks->count; i++) {
        const ptl_chunk_pos c = chunks->positions[i];
        if (!text || (c.x >= rect[0] && c.x <= rect[2] && c.y >= rect[1] && c.y <= rect[3]))
            chunks->positions[kept++] = c;
    }
    r->search.chunks = chunks->positions;
    r->search.chunk_count = kept;
    if (kept > 0)
        return search(r);
    tell("portolan find: no chunk is saved there\n");
    return EXIT_FAILED;
}

static int find_seeds(request *r)
{
    session *s = r->s;
    const char *folder = getenv("TMPDIR");
    if (s->world)
        (void)ptl_world_settings(&r->settings, s->world, NULL);
    NEED(settings_from_args(r->args, &r->settings));
    r->search.settings = &r->settings;
    r->search.scratch_folder = folder && *folder ? folder : NULL;
    r->search.world_name = s->world ? ptl_world_name(s->world) : NULL;
    return search(r);
}

static int run(session *s)
{
    request r = {.s = s,
                 .args = s->args,
                 .search = PTL_SEARCH_OPTIONS_INIT,
                 .report = PTL_SEARCH_REPORT_INIT,
                 .settings = PTL_WORLD_OPTIONS_INIT};
    const args *a = r.args;
    int64_t first = 1, per_seed = 0;
    r.where = args_value(a, "where");
    r.stored = args_has(a, "stored");
    if (!r.where)
        return usage_error(a, "say what is looked for: --where TEXT");
    r.where += strspn(r.where, " \t\r\n");
    r.is_sql = begins_with_word(r.where, "select") || begins_with_word(r.where, "with");
    r.search.jobs = 1;
    r.search.seed_first = 1;
    r.search.seed_last = 1000;
    static const char *const others[] = {"seeds", "chunks", "jobs", NULL};
    for (size_t i = 0; others[i] && r.stored; i++)
        if (args_has(r.args, others[i]))
            return usage_error(r.args, "--%s has no meaning with --stored", others[i]);
    if (r.stored && settings_given(r.args))
        return usage_error(r.args, "with --stored the world has its settings");
    if (r.stored && r.is_sql && args_has(r.args, "rect"))
        return usage_error(r.args, "--rect with --stored goes with a relation; in SQL, say "
                                   "which x and y");
    NEED(rows_style_from_args(&r.s->style, a, NULL));
    NEED(args_int(a, "first", 0, INT64_MAX, &first));
    NEED(args_int(a, "per-seed", 1, INT64_MAX, &per_seed));
    NEED(args_int32(a, "jobs", 1, PTL_SEARCH_JOBS_MAX, &r.search.jobs));
    NEED(seeds_from_args(a, &r.search.seed_first, &r.search.seed_last, &r.endless));
    NEED(read_places(&r));
    r.search.limit = (uint64_t)first;
    r.search.per_seed = (uint64_t)per_seed;
    const ptl_world_open_options open = {.size = sizeof open, .accept_content = !r.stored};
    NEED(session_open(s, PTL_OPEN_READ));
    if (r.stored || args_has(s->args, "world"))
        NEED(session_world(s, &open));
    return r.stored ? find_stored(&r) : find_seeds(&r);
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
        "cell on any level. 'beside': an OMT of the one and an OMT of the other share a\n"
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
