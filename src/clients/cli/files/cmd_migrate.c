/* portolan migrate: brings a file of an older schema version up to date. */
#include "clients/cli/line/commands.h"
#include "clients/cli/line/output.h"
#include "clients/cli/line/progress.h"
#include "clients/cli/session/session.h"
#include "os/clock.h"
#include "os/terminal.h"

#include <inttypes.h>
#include <stdio.h>

static const double LINE_SECONDS = 10, DRAW_SECONDS = 0.1;

static const option_spec options[] = {
    {"backup", "TO", "first write a copy of the file as it is; TO must not exist", 0},
    OPTION_WAIT,
    OPTION_QUIET,
    OPTIONS_END,
};

typedef struct shown {
    bool quiet, terminal;
    double started, next_line; /* seconds */
    size_t drawn;              /* columns of the line on the terminal */
} shown;

static bool show_progress(void *payload, const ptl_migrate_progress *now)
{
    shown *s = payload;
    const double at = clock_seconds();
    if (now->done == 0)
        s->started = at;
    if (s->quiet || at < s->next_line)
        return !stop_wanted();
    char line[160];
    const double seconds = at - s->started,
                 rate = seconds > 0 ? (double)now->done / seconds : 0;
    int size;
    if (now->total == 0 || rate <= 0)
        size = snprintf(line, sizeof line, "%s", now->what);
    else
        size = snprintf(line, sizeof line,
                        "%s: %" PRIu64 " of %" PRIu64 " chunks, %.0f/s, %.0f s left", now->what,
                        now->done, now->total, rate, (double)(now->total - now->done) / rate);
    if (s->terminal)
        tell("\r%-*s", (int)s->drawn, line);
    else
        tell("%s\n", line);
    s->drawn = size > 0 ? (size_t)size : 0;
    s->next_line = at + (s->terminal ? DRAW_SECONDS : LINE_SECONDS);
    return !stop_wanted();
}

static void print_summary(const char *path, const char *copy, const ptl_migrate_report *r)
{
    out_prose_begin(0);
    if (r->version == r->now) {
        out_printf("%s has schema version %d: it is up to date\n", path, r->now);
        out_prose_end();
        return;
    }
    out_printf("%s: schema version %d is now %d", path, r->version, r->now);
    out_printf(r->copied ? "; as it was, it is in %s\n" : "\n", copy);
    out_prose_end();
}

static int migrate(session *s, const args *a, const ptl_open_options *open)
{
    ptl_migrate_report report = PTL_MIGRATE_REPORT_INIT;
    const double now = clock_seconds();
    shown state = {.quiet = args_has(a, "quiet"), .started = now};
    state.terminal = terminal_is(STREAM_ERRORS);
    state.next_line = state.terminal ? 0 : now + LINE_SECONDS;
    const ptl_migrate_options o = {.size = sizeof o,
                                   .open = open,
                                   .backup = args_value(a, "backup"),
                                   .on_progress = show_progress,
                                   .payload = &state};
    ptl_status status = ptl_migrate(a->operands[0], &o, &report, &s->err);
    if (state.terminal && state.drawn > 0)
        tell("\r%*s\r", (int)state.drawn, "");
    if (status != PTL_OK)
        return session_open_failed(s);
    if (!state.quiet)
        print_summary(a->operands[0], o.backup, &report);
    return EXIT_DONE;
}

static int run(const args *a)
{
    session s;
    ptl_open_options open = PTL_OPEN_OPTIONS_INIT;
    int code = session_begin(&s, a, &open);
    if (code == EXIT_DONE)
        code = migrate(&s, a, &open);
    session_close(&s);
    return code;
}

static const value_type values[] = {
    {"backup", VALUE_FILE, NULL, NULL},
    VALUES_END,
};

const command migrate_command = {
    .name = "migrate",
    .group = GROUP_SAFE,
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Bring a file that an older Portolan made up to date.",
    .details =
        "Every command that writes does so, too; this one does nothing else, and shows how\n"
        "far it is. It is one transaction: stopped or killed, it leaves the file as it was.\n"
        "An older Portolan can't read the file afterwards: --backup keeps one that it can.\n",
    .examples = "  portolan migrate w.db\n"
                "  portolan migrate w.db --backup before.db\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped = "the file is as it was: the same command begins again",
};
