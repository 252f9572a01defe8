/* portolan migrate: brings a file of an older schema version up to date. */
#include "clients/cli/session/session.h"
#include "os/clock.h"

static const option_spec options[] = {
    {"backup", "TO", "first write a copy of the file as it is; TO must not exist", 0},
    OPTION_WAIT,
    OPTION_QUIET,
    OPTIONS_END,
};

typedef struct listener {
    progress *shown;
    double begun; /* clock time in seconds when the first step of the migration began */
} listener;

static bool show_progress(void *payload, const ptl_migrate_progress *now)
{
    listener *l = payload;
    const double at = clock_seconds(), since = at - l->shown->begun;
    if (now->done == 0)
        l->begun = at;
    const double rate = at > l->begun ? (double)now->done / (at - l->begun) : 0;
    if (!progress_is_due(l->shown, since))
        return !stop_wanted();
    if (now->total == 0 || rate <= 0)
        progress_line(l->shown, since, "%s", now->what);
    else
        progress_line(l->shown, since, "%s: %ju of %ju steps, %.0f/s, %.0f s left", now->what,
                      now->done, now->total, rate, (double)(now->total - now->done) / rate);
    return !stop_wanted();
}

static int run(session *s)
{
    const char *path = s->args->operands[0];
    ptl_open_options open = PTL_OPEN_OPTIONS_INIT;
    ptl_migrate_report r = PTL_MIGRATE_REPORT_INIT;
    listener heard = {&s->shown, clock_seconds()};
    const ptl_migrate_options o = {.size = sizeof o,
                                   .open = &open,
                                   .backup = args_value(s->args, "backup"),
                                   .on_progress = show_progress,
                                   .payload = &heard};
    s->shown.pause = 0.1;
    NEED(session_begin(s, &open));
    const ptl_status status = ptl_migrate(&r, path, &o, &s->err);
    progress_end(&s->shown);
    if (status != PTL_OK)
        return session_open_failed(s);
    if (s->shown.quiet)
        return EXIT_DONE;
    if (r.version == r.now)
        out_say("%s has schema version %d: it is up to date\n", path, r.now);
    else
        out_say("%s: schema version %d is now %d%s%s\n", path, r.version, r.now,
                r.copied ? "; as it was, it is in " : "", r.copied ? o.backup : "");
    return EXIT_DONE;
}

const command migrate_command = {
    .name = "migrate",
    .group = GROUP_SAFE,
    .operands = "FILE",
    .summary = "Bring a file that an older Portolan made up to date.",
    .details =
        "Every command that writes does so, too; this one does nothing else, and shows how\n"
        "far it is. It is one transaction: stopped or killed, it leaves the file as it was.\n"
        "An older Portolan can't read the file afterwards: --backup keeps one that it can.\n",
    .examples = "  portolan migrate w.db\n"
                "  portolan migrate w.db --backup before.db\n",
    .options = options,
    .run = run,
    .stopped = "the file is as it was: the same command begins again",
};
