/* portolan backup: copies a world file, even while another process writes it. */
#include "clients/cli/session/session.h"

static const option_spec options[] = {
    {"replace", NULL, "replace TO once the new copy is good; else TO must not exist", 0},
    {"verify", NULL, "check every chunk of the copy, as 'portolan verify' does", 0},
    OPTION_QUIET,
    OPTIONS_END,
};

static bool show_progress(void *payload, const ptl_backup_progress *now)
{
    progress *p = payload;
    char done[32], total[32], rate[32];
    if (!progress_is_due(p, now->seconds))
        return !stop_wanted();
    format_size(now->done, done);
    format_size(now->total, total);
    format_size((uint64_t)now->rate, rate);
    progress_line(p, now->seconds, "%s%s of %s, %s/s, %.0f s left",
                  now->round > 1 ? "comparing again, it was written meanwhile: " : "", done,
                  total, rate,
                  now->rate > 0 ? (double)(now->total - now->done) / now->rate : 0);
    return !stop_wanted();
}

static int run(session *s)
{
    const args *a = s->args;
    const char *to = a->operands[1];
    char size[32];
    ptl_backup_report report = PTL_BACKUP_REPORT_INIT;
    const ptl_backup_options o = {.size = sizeof o,
                                  .replace = args_has(a, "replace"),
                                  .verify = args_has(a, "verify"),
                                  .on_progress = show_progress,
                                  .payload = &s->shown};
    s->shown.pause = 0.1;
    NEED(session_open(s, PTL_OPEN_READ));
    const ptl_status status = ptl_backup(&report, s->store, to, &o, &s->err);
    progress_end(&s->shown);
    if (status == PTL_ERR_CANCELLED && stop_wanted())
        return stop_tell_how("%s was not %s", to, o.replace ? "changed" : "made");
    if (status != PTL_OK)
        return session_failed_of(s, o.replace ? PTL_OK : PTL_ERR_EXISTS,
                                 "--replace puts the new copy in its place once it is good.");
    if (s->shown.quiet)
        return EXIT_DONE;
    format_size(report.bytes, size);
    out_say("%s: %s, copied in %.2f s", to, size, report.seconds);
    if (report.rounds > 1)
        out_say(" and %d rounds (the file was written meanwhile)", report.rounds);
    out_say("; checked\n");
    return EXIT_DONE;
}

const command backup_command = {
    .name = "backup",
    .group = GROUP_SAFE,
    .operands = "FILE TO",
    .summary = "Copy a world file safely, also while another process writes it.",
    .operand_help = "TO  Where the copy is to be.\n",
    .details =
        "TO is one moment of FILE: a whole world file. Others may go on reading and writing "
        "FILE meanwhile. The copy gets its name TO when it is checked and on disk; until then "
        "it is TO.portolan-XXXXXXXXXXXX.tmp. With --verify it is checked chunk by chunk.\n",
    .examples = "  portolan backup w.db copy.db\n"
                "  portolan backup w.db copy.db --replace --verify\n",
    .options = options,
    .run = run,
    .stopped = "no copy was made",
};
