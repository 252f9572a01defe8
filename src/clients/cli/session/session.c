/* What the commands share: opening files and worlds, errors with advice, questions in SQL,
 * places on the command line (chunks, rectangles, local maps), names that do not exist, files
 * of results. */
#include "clients/cli/session/session.h"

#include "clients/cli/session/advice.h"
#include "clients/os/terminal.h"
#include "core/array.h"
#include "os/folder.h"

#include <errno.h>

static const double FIRST_NOTICE = 0.1, BUSY_NOTICE = 3, NOTICE_SECONDS = 30;

void session_init(session *s, const args *a)
{
    *s = (session){.args = a};
    progress_init(&s->shown, args_has(a, "quiet"));
}

int report_error(const char *name, const char *path, const ptl_error *err)
{
    const char *message = err->message[0] ? err->message : ptl_status_name(err->status);
    if (err->status == PTL_ERR_CANCELLED && stop_wanted())
        return stop_tell();
    bool has_path = path && strstr(message, path) == NULL;
    tell("portolan %s: %s%s%s\n", name, has_path ? path : "", has_path ? ": " : "", message);
    const char *advice = advice_on(err, name);
    if (advice)
        tell("%s\n", advice);
    return EXIT_FAILED;
}

int session_failed(const session *s)
{
    return report_error(s->args->command->name, s->args->operands[0], &s->err);
}

int session_failed_of(const session *s, ptl_status status, const char *advice)
{
    session_failed(s);
    if (s->err.status == status)
        tell("%s\n", advice);
    return EXIT_FAILED;
}

static bool is_any_content(void *payload, const ptl_content_info *content)
{
    *(bool *)payload |= content->is_current;
    return true;
}

int session_content_failed(const session *s)
{
    bool any = s->err.status != PTL_ERR_CONTENT;
    if (!any)
        (void)ptl_content_list(s->store, is_any_content, &any, NULL);
    session_failed(s);
    if (!any)
        tell("Import content first: portolan import '%s' --builtin\n", s->args->operands[0]);
    return EXIT_FAILED;
}

int session_done(session *s, ptl_status status)
{
    progress_end(&s->shown);
    return status == PTL_OK ? EXIT_DONE : session_failed(s);
}

/*
 * Prints a line now and then while a call waits: at once if another process is
 * writing the file, which may take long; after some seconds if the file is only
 * locked. Ctrl-C ends the wait.
 */
static bool on_wait(void *payload, const ptl_wait *wait)
{
    session *s = payload;
    /* If less time was waited than at the last call, this is the first call of a new wait. */
    if (s->waited == 0 || wait->seconds < s->waited)
        s->next_notice = s->store ? BUSY_NOTICE : FIRST_NOTICE;
    s->waited = wait->seconds;
    if (wait->seconds >= s->next_notice && !args_has(s->args, "quiet")) {
        if (terminal_is(STREAM_ERRORS))
            tell("\r\033[K");
        tell("portolan %s: waiting for %s%s\n", s->args->command->name, wait->whom,
             s->store ? ", which has the file locked" : ", which is writing the file");
        s->next_notice += NOTICE_SECONDS;
    }
    return !stop_wanted();
}

/* Looks through the folder of the first operand for a file with a similar name. */
static bool names_suggest_file(const args *a)
{
    enum { PATH_SIZE = 4096 };
    const char *given = a->operands[0], *slash = strrchr(given, '/');
    const int folder = slash ? (int)(slash + 1 - given) : 0;
    char path[PATH_SIZE];
    near_name n;
    /* Did the user put the world file second? Commands whose second operand may be a file are
     * not checked. */
    static const char *const files[] = {"FILE [OUT]", "FILE TO", "FILE DIR", "FILE [DIR...]"};
    file_facts facts;
    bool swapped = a->operand_count == 2 && file_look(&facts, a->operands[1]) &&
                   facts.kind == FILE_REGULAR;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        swapped = swapped && strcmp(a->command->operands, files[i]) != 0;
    if (swapped) {
        tell("FILE comes first. Did you mean\n  portolan %s '%s' '%s'\n", a->command->name,
             a->operands[1], given);
        return true;
    }
    snprintf(path, sizeof path, "%.*s", folder, folder > 0 ? given : "");
    folder_list *list = folder_list_open(folder > 0 ? path : ".");
    near_begin(&n, given + folder);
    for (const char *name; list && (name = folder_list_next(list)) != NULL;) {
        const int size = snprintf(path, sizeof path, "%.*s%s", folder, given, name);
        /* Files that SQLite or Portolan puts beside a world file are not suggested. */
        static const char *const beside[] = {"-lock", "-journal", "-wal", "-shm"};
        const size_t length = strlen(name);
        bool is_beside = false;
        for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
            const size_t tail = strlen(beside[i]);
            is_beside |= length >= tail && strcmp(name + length - tail, beside[i]) == 0;
        }
        if (!is_beside && size > 0 && size < PATH_SIZE && file_look(&facts, path) &&
            facts.kind == FILE_REGULAR)
            near_offer(&n, name);
    }
    folder_list_close(list);
    if (n.best[0])
        tell("Did you mean '%.*s%s'?\n", folder, given, n.best);
    return n.best[0] != '\0';
}

/* If another Portolan writes the file, the advice names the options with which the command can
 * wait, or share the file. If the file is missing, the advice names a similar file, or says how
 * to make one. */
int session_open_failed(const session *s)
{
    const ptl_status status = s->err.status;
    const char *path = s->args->operands[0];
    const command *cmd = s->args->command;
    const char *value;
    const bool other_writer = status == PTL_ERR_BUSY && s->err.backend_code == 0;
    if (status == PTL_ERR_CANCELLED && stop_wanted())
        return stop_tell();
    if (!other_writer || !option_of(cmd, "--wait", &value))
        session_failed(s);
    else
        tell("portolan %s: %s\nWait for it with --wait SECONDS%s.\n", cmd->name, s->err.message,
             option_of(cmd, "--shared", &value) ? ", or let both write with --shared" : "");
    if (status == PTL_ERR_NOT_FOUND && !names_suggest_file(s->args))
        tell("Make it first:\n  portolan import '%s' --builtin\n", path);
    return EXIT_FAILED;
}

/* The callbacks in *options get the session as their payload, so that they can tell the user
 * about a wait and end the wait. */
int session_begin(session *s, ptl_open_options *options)
{
    const args *a = s->args;
    snprintf(s->program, sizeof s->program, "portolan %s", a->command->name);
    options->program = s->program;
    options->on_wait = on_wait;
    options->should_stop = stop_asked_for;
    options->payload = s;
    if (args_has(a, "shared"))
        options->writers = PTL_WRITERS_SHARED;
    const char *text = args_value(a, "wait");
    double seconds = 0;
    if (text && strcmp(text, "forever") == 0) {
        options->wait_ms = -1;
        return EXIT_DONE;
    }
    if (text && !parse_double(text, 0, 1e6, &seconds))
        return usage_error(a, "--wait '%s' is neither a number of seconds nor 'forever'", text);
    options->wait_ms = (int)(1000 * seconds);
    return EXIT_DONE;
}

int session_open_journal(session *s, ptl_open_mode mode, ptl_journal journal)
{
    ptl_open_options options = {.size = sizeof options, .mode = mode, .journal = journal};
    NEED(session_begin(s, &options));
    const ptl_status status =
        ptl_store_open(&s->store, s->args->operands[0], &options, &s->err);
    s->waited = 0;
    if (status != PTL_OK)
        return session_open_failed(s);
    const ptl_store_copy *copy = ptl_store_private_copy(s->store);
    const char *name = s->args->command->name, *path = ptl_store_path(s->store);
    char size[32];
    if (!copy || args_has(s->args, "quiet"))
        return EXIT_DONE;
    /* Tells that a copy is read instead of the file itself. */
    format_size(copy->bytes, size);
    if (copy->version < copy->now)
        tell("portolan %s: %s has schema version %d: a copy (%s) is brought up to date and "
             "read;\n'portolan migrate' does that to the file itself, once and for all\n",
             name, path, copy->version, size);
    else
        tell("portolan %s: a copy of %s is read (%s): what a writer left beside it can't be "
             "worked off where it lies\n",
             name, path, size);
    return EXIT_DONE;
}

int session_open(session *s, ptl_open_mode mode)
{
    return session_open_journal(s, mode, PTL_JOURNAL_KEEP);
}

int session_world(session *s, const ptl_world_open_options *options)
{
    const char *name = s->world_name ? s->world_name : args_value(s->args, "world");
    ptl_status status = ptl_world_open(&s->world, s->store, name, options, &s->err);
    if (status == PTL_OK)
        return EXIT_DONE;
    session_failed(s);
    if (status == PTL_ERR_NOT_FOUND)
        tell("Worlds: portolan status '%s'; a new one: portolan new '%s' NAME --seed N\n",
             s->args->operands[0], s->args->operands[0]);
    return EXIT_FAILED;
}

int session_tell_journal(session *s)
{
    ptl_journal_info info = PTL_JOURNAL_INFO_INIT;
    if (ptl_journal_info_load(&info, s->store, &s->err) != PTL_OK)
        return session_failed(s);
    if (info.mode == PTL_JOURNAL_WAL)
        out_printf("journal: wal, with SQLite %s%s\n", info.sqlite_version,
                   info.wal_reset_bug ? ", which has the WAL-reset bug: 'portolan journal FILE'"
                                      : "");
    return EXIT_DONE;
}

int session_no_memory(session *s)
{
    s->err = (ptl_error){.status = PTL_ERR_NOMEM, .message = "memory is out"};
    return session_failed(s);
}

int session_printed(session *s, bool good)
{
    return good ? EXIT_DONE : session_no_memory(s);
}

int session_open_world(session *s, ptl_open_mode mode, const ptl_world_open_options *options)
{
    NEED(session_open(s, mode));
    return session_world(s, options);
}

void session_close(session *s)
{
    ptl_world_close(s->world);
    ptl_store_close(s->store);
    free(s->chunks.positions);
    s->chunks = (chunk_list){NULL, 0, 0};
    s->world = NULL;
    s->store = NULL;
}

const char *placement_name(ptl_placement placement)
{
    return placement == PTL_PLACEMENT_QUOTA ? "quota" : "sectors";
}

static bool keep_chunk(void *payload, ptl_chunk_pos pos)
{
    return chunk_list_add(payload, pos);
}

int session_saved_chunks(session *s, const ptl_chunk_list_options *options)
{
    s->chunks.count = 0;
    const ptl_status status = ptl_chunk_list(s->store, ptl_world_name(s->world), options,
                                             keep_chunk, &s->chunks, &s->err);
    if (status == PTL_ERR_CANCELLED && !stop_wanted())
        return session_no_memory(s);
    return status == PTL_OK ? EXIT_DONE : session_failed(s);
}

/* ---- several files in one command ---- */

static bool is_file(const char *path)
{
    file_facts facts;
    return file_look(&facts, path) && facts.kind != FILE_FOLDER;
}

bool file_operand_init(file_operand *f, const args *a, size_t nth)
{
    const char *text = a->operands[nth];
    f->path = strdup(text);
    if (!f->path)
        return false;
    if (!is_file(text))
        for (char *colon = strrchr(f->path, ':'); colon; colon = strrchr(f->path, ':')) {
            *colon = '\0';
            f->name = text + (colon - f->path) + 1;
            if (is_file(f->path))
                break;
        }
    f->only = f->path;
    f->args = *a;
    f->args.operands = &f->only;
    f->args.operand_count = 1;
    session_init(&f->session, &f->args);
    f->session.world_name = f->name;
    return true;
}

void file_operand_dispose(file_operand *f)
{
    if (f->path)
        session_close(&f->session);
    free(f->path);
}

/* ---- chunks on the command line ---- */

/* The most chunks of a command line. Their positions take 80 MB, and making so many chunks
 * takes hours. */
enum { CHUNKS_MAX = 10 * 1000 * 1000 };

bool chunk_list_add(chunk_list *list, ptl_chunk_pos pos)
{
    if (!ARRAY_ROOM(list->positions, list->capacity, list->count + 1))
        return false;
    list->positions[list->count++] = pos;
    return true;
}

static int add_chunk(chunk_list *list, const args *a, int64_t x, int64_t y)
{
    if (list->count == CHUNKS_MAX)
        return usage_error(a, "more than %d chunks: ask for them in several calls", CHUNKS_MAX);
    return chunk_list_add(list, (ptl_chunk_pos){(int32_t)x, (int32_t)y}) ? EXIT_DONE
                                                                         : args_no_memory(a);
}

/* Adds all chunks of the rectangle x0, y0, x1, y1, which must lie inside the world. */
static int add_rect(chunk_list *list, const args *a, const int64_t r[4])
{
    if ((r[2] - r[0] + 1) > CHUNKS_MAX / (r[3] - r[1] + 1))
        return usage_error(a, "more than %d chunks: ask for them in several calls", CHUNKS_MAX);
    int code = EXIT_DONE;
    for (int64_t y = r[1]; y <= r[3] && code == EXIT_DONE; y++)
        for (int64_t x = r[0]; x <= r[2] && code == EXIT_DONE; x++)
            code = add_chunk(list, a, x, y);
    return code;
}

int rect_from_text(const args *a, const char *name, const char *text, int64_t limit,
                   int64_t out[4])
{
    if (!parse_ints(text, 4, -limit, limit, out))
        return usage_error(a, "--%s '%s' is not X0,Y0,X1,Y1 (whole numbers, at most %lld)",
                           name, text, (long long)limit);
    if (out[0] > out[2] || out[1] > out[3])
        return usage_error(a, "--%s '%s' is empty: X0,Y0 is its north-west corner", name, text);
    return EXIT_DONE;
}

int style_from_args(const args *a, ptl_map_style *out)
{
    static const char *const names[PTL_STYLE_COUNT] = {"paper", "dark", "terminal"};
    const char *wanted = args_value(a, "style");
    for (int i = 0; wanted && i < PTL_STYLE_COUNT; i++)
        if (strcmp(wanted, names[i]) == 0) {
            *out = (ptl_map_style)i;
            return EXIT_DONE;
        }
    return wanted ? usage_error(a, "--style '%s' is none of paper, dark, terminal", wanted)
                  : EXIT_DONE;
}

int levels_from_args(const args *a, int64_t out[2])
{
    const char *levels = args_value(a, "levels");
    out[0] = 0;
    NEED(args_int(a, "level", PTL_Z_MIN, PTL_Z_MAX, &out[0]));
    out[1] = out[0];
    if (levels && args_has(a, "level"))
        return usage_error(a, "give --level or --levels, not both");
    if (levels && !parse_span(levels, PTL_Z_MIN, PTL_Z_MAX, out))
        return usage_error(a, "--levels '%s' is not A..B with A and B in %d..%d", levels,
                           PTL_Z_MIN, PTL_Z_MAX);
    return EXIT_DONE;
}

int chunk_from_args(const args *a, const char *name, bool *given, ptl_chunk_pos *out)
{
    const char *text = args_value(a, name);
    int64_t pair[2];
    *given = text != NULL;
    if (!text)
        return EXIT_DONE;
    if (!parse_ints(text, 2, -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX, pair))
        return usage_error(a, "--%s '%s' is not X,Y (whole numbers, at most %d)", name, text,
                           PTL_CHUNK_COORD_MAX);
    *out = (ptl_chunk_pos){(int32_t)pair[0], (int32_t)pair[1]};
    return EXIT_DONE;
}

/* Reads a file with a list of chunks, one "X,Y" in each line; empty lines and lines that begin
 * with # are skipped. The path "-" is standard input. While it waits for input, a signal ends
 * the process. */
static int add_file(chunk_list *list, const args *a, const char *path)
{
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(path, "r");
    char line[256];
    int code = EXIT_DONE;
    if (!file) {
        tell("portolan %s: %s: %s\n", a->command->name, path, strerror(errno));
        return EXIT_FAILED;
    }
    stop_suspend(true);
    for (long number = 1; code == EXIT_DONE && fgets(line, sizeof line, file); number++) {
        int64_t pair[2];
        size_t size = strlen(line);
        while (size > 0 && strchr(" \t\r\n", line[size - 1]))
            line[--size] = '\0';
        const char *text = line + strspn(line, " \t");
        if (*text == '\0' || *text == '#')
            continue;
        if (parse_ints(text, 2, -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX, pair)) {
            code = add_chunk(list, a, pair[0], pair[1]);
        } else {
            tell("%s:%ld: '%s' is not X,Y (whole numbers, at most %d)\n",
                 is_stdin ? "standard input" : path, number, text, PTL_CHUNK_COORD_MAX);
            code = EXIT_FAILED;
        }
    }
    stop_suspend(false);
    if (code == EXIT_DONE && ferror(file)) {
        tell("portolan %s: reading %s failed\n", a->command->name, path);
        code = EXIT_FAILED;
    }
    if (!is_stdin)
        fclose(file);
    return code;
}

/* Each option may be repeated and combined with the others, so they are read in
 * the order given. */
int chunks_from_args(chunk_list *out, const args *a)
{
    ptl_chunk_pos at = {0, 0};
    bool given;
    int64_t rect[4];
    int code = chunk_from_args(a, "at", &given, &at);
    for (size_t i = 0; i < a->given_count && code == EXIT_DONE; i++) {
        const char *name = a->given[i].spec->name, *value = a->given[i].value;
        if (strcmp(name, "rect") == 0) {
            code = rect_from_text(a, name, value, PTL_CHUNK_COORD_MAX, rect);
            if (code == EXIT_DONE)
                code = add_rect(out, a, rect);
        } else if (strcmp(name, "chunk") == 0) {
            if (!parse_ints(value, 2, -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX, rect))
                code = usage_error(a, "--chunk '%s' is not X,Y (whole numbers, at most %d)",
                                   value, PTL_CHUNK_COORD_MAX);
            else
                code = add_chunk(out, a, rect[0], rect[1]);
        } else if (strcmp(name, "radius") == 0) {
            int64_t r;
            if (!parse_int(value, 0, 10000, &r))
                return usage_error(a, "--radius '%s' is not a whole number in 0..10000", value);
            const int64_t square[4] = {at.x - r, at.y - r, at.x + r, at.y + r};
            for (int k = 0; k < 4; k++)
                if (square[k] < -PTL_CHUNK_COORD_MAX || square[k] > PTL_CHUNK_COORD_MAX)
                    return usage_error(a, "--radius %s around %d,%d leaves the world", value,
                                       at.x, at.y);
            code = add_rect(out, a, square);
        } else if (strcmp(name, "list") == 0) {
            code = add_file(out, a, value);
        }
    }
    return code;
}

/* ---- names that do not exist ---- */

void near_begin(near_name *n, const char *wanted)
{
    n->best[0] = '\0';
    suggest_begin(&n->suggestion, wanted);
}

void near_offer(near_name *n, const char *name)
{
    if (strlen(name) >= sizeof n->best)
        return;
    suggest_offer(&n->suggestion, name);
    if (n->suggestion.best == name) {
        snprintf(n->best, sizeof n->best, "%s", name);
        n->suggestion.best = n->best;
    }
}

static void tell_near(const near_name *n)
{
    if (n->best[0])
        tell("Did you mean '%s'?\n", n->best);
}

static bool offer_world(void *payload, const ptl_world_info *world)
{
    near_offer(payload, world->name);
    return true;
}

void names_suggest_world(session *s, const char *wanted)
{
    near_name n;
    near_begin(&n, wanted);
    if (ptl_world_list(s->store, offer_world, &n, NULL) == PTL_OK)
        tell_near(&n);
}

static bool offer_special(void *payload, const ptl_special_name *special)
{
    near_offer(payload, special->id);
    return true;
}

int names_no_special(session *s, const char *id)
{
    near_name n;
    near_begin(&n, id);
    tell("portolan %s: the content has no special '%s'\n", s->args->command->name, id);
    if (ptl_special_name_list(s->store, offer_special, &n, NULL) == PTL_OK)
        tell_near(&n);
    tell("List them:\n  portolan query '%s' \"SELECT id FROM overmap_special\"\n",
         s->args->operands[0]);
    return EXIT_FAILED;
}

/* ---- local maps on the command line ---- */

void local_areas_dispose(local_areas *areas)
{
    free(areas->list);
    *areas = (local_areas){NULL, 0};
}

int local_areas_from_args(local_areas *out, const args *a, const chunk_list *chunks)
{
    static const int64_t limit = ((int64_t)PTL_CHUNK_COORD_MAX + 1) * PTL_CHUNK_SIZE - 1;
    const char *text = args_value(a, "levels");
    int64_t levels[2] = {0, 0};
    if (text && !parse_ints(text, 2, PTL_Z_MIN, PTL_Z_MAX, levels)) {
        if (!parse_ints(text, 1, PTL_Z_MIN, PTL_Z_MAX, levels))
            return usage_error(a, "--levels '%s' is not Z or Z0,Z1 in %d..%d", text, PTL_Z_MIN,
                               PTL_Z_MAX);
        levels[1] = levels[0];
    }
    if (levels[0] > levels[1])
        return usage_error(a, "--levels '%s' is empty: the lower one comes first", text);
    const int32_t z[2] = {(int32_t)levels[0], (int32_t)levels[1]};

    out->list = calloc(chunks->count + a->given_count + 1, sizeof *out->list);
    if (!out->list)
        return args_no_memory(a);
    for (size_t i = 0; i < chunks->count; i++) {
        const ptl_chunk_pos pos = chunks->positions[i];
        const int64_t x = (int64_t)pos.x * PTL_CHUNK_SIZE, y = (int64_t)pos.y * PTL_CHUNK_SIZE;
        out->list[out->count++] =
            (ptl_local_area){x, y, x + PTL_CHUNK_SIZE - 1, y + PTL_CHUNK_SIZE - 1, z[0], z[1]};
    }
    for (size_t at = 0; (text = args_next(a, "omt", &at)) != NULL;) {
        int64_t r[4];
        NEED(rect_from_text(a, "omt", text, limit, r));
        out->list[out->count++] = (ptl_local_area){r[0], r[1], r[2], r[3], z[0], z[1]};
    }
    return EXIT_DONE;
}

/* Shows the progress of making local maps. Before that the chunks around them are generated,
 * and the same line of progress counts chunks; so at its first call this function ends that
 * line and begins a new one. */
static bool show_maps(void *payload, const ptl_progress *now)
{
    static const char noun[] = "local maps";
    progress *p = payload;
    if (strcmp(p->noun, noun) != 0) {
        progress_end(p);
        progress_begin(p, noun);
    }
    return progress_show(p, now);
}

int local_areas_store(session *s, const local_areas *areas, int32_t jobs,
                      ptl_local_generate_report *report)
{
    const ptl_local_generate_options o = {.size = sizeof o,
                                          .areas = areas->list,
                                          .area_count = areas->count,
                                          .jobs = jobs,
                                          .keep = args_has(s->args, "keep"),
                                          .on_progress = show_maps,
                                          .on_chunks = progress_show,
                                          .payload = &s->shown};
    const ptl_status status = ptl_local_generate(report, s->world, &o, &s->err);
    progress_end(&s->shown);
    if (status == PTL_ERR_CANCELLED && stop_wanted() && report->total > 0)
        return stop_tell_how(
            "%ju of %ju local maps are stored. The same command again goes on from there.",
            report->done + report->skipped, report->total);
    return session_done(s, status);
}

int local_options_alone(const args *a)
{
    static const char *const names[] = {"omt", "levels", "keep"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (args_has(a, names[i]) && !args_has(a, "local"))
            return usage_error(a, "--%s is for local maps: say --local, too", names[i]);
    return EXIT_DONE;
}
