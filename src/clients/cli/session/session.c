/* Opens files and worlds for the commands, and prints errors with advice. */
#include "clients/cli/session/session.h"

#include "clients/cli/session/advice.h"
#include "clients/os/terminal.h"

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
    if (s->waited == 0 || wait->seconds < s->waited) /* a new wait has begun */
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

/* If another Portolan writes the file, the advice names the options with which the command can
 * wait or share. If the file is missing, it names a similar file, or how to make one. */
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

/* Callbacks get the session, so that a wait can be told and ended. */
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
    const char *name = args_value(s->args, "world");
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
    chunk_list_dispose(&s->chunks);
    s->world = NULL;
    s->store = NULL;
}

const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
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
