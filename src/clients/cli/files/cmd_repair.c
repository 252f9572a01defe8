/* portolan repair: restores damaged rows, or sets them aside. */
#include "clients/cli/session/session.h"

static const option_spec options[] = {
    {"dry-run", NULL, "say what would be done, and change nothing", 0},
    OPTION_WAIT,
    OPTION_QUIET,
    OPTIONS_END,
};

static const char *const actions[] = {[PTL_REPAIR_CORRECTED] = "corrected",
                                      [PTL_REPAIR_MADE_AGAIN] = "made again",
                                      [PTL_REPAIR_RECOMPUTED] = "recomputed",
                                      [PTL_REPAIR_SET_ASIDE] = "set aside",
                                      [PTL_REPAIR_UNREPAIRED] = "unrepaired"};

static void on_item(void *payload, const ptl_repair_item *item)
{
    progress_end(payload);
    out_say("%s: %s: %s\n", item->where, actions[item->action], item->message);
}

static int run(session *s)
{
    ptl_repair_report r = PTL_REPAIR_REPORT_INIT;
    const ptl_repair_options o = {.size = sizeof o,
                                  .dry_run = args_has(s->args, "dry-run"),
                                  .on_item = on_item,
                                  .on_progress = progress_show,
                                  .payload = &s->shown};
    NEED(session_open(s, PTL_OPEN_WRITE));
    NEED(session_done(s, ptl_repair(&r, s->store, &o, &s->err)));
    if (!s->shown.quiet) {
        out_say("%schecked %ju chunks in %.2f s: %ju corrected, %ju made again, %ju "
                "recomputed, %ju set aside, %ju unrepaired\n",
                o.dry_run ? "nothing was changed; " : "", r.chunks, r.seconds, r.corrected,
                r.made_again, r.recomputed, r.set_aside, r.unrepaired);
    }
    return r.set_aside + r.unrepaired > 0 ? EXIT_FAILED : EXIT_DONE;
}

const command repair_command = {
    .name = "repair",
    .group = GROUP_SAFE,
    .operands = "FILE",
    .summary = "Bring damaged rows back; exit code 1 if not all could be.",
    .details =
        "A single wrong bit is found by search; chunks that this version made with the\n"
        "file's present content are made again within the saved edges. Either is accepted\n"
        "only if the stored checksum or digests prove it. What can't be brought back\n"
        "(imported chunks, those of older versions) is moved to table set_aside, and each\n"
        "thing is named, one line each. What `portolan index` made is made anew where it is\n"
        "damaged; what `verify` would find still is named, too. Repairing twice finds nothing\n"
        "more. Make a copy first if the disk itself is failing.\n",
    .examples = "  portolan repair w.db --dry-run\n"
                "  portolan repair w.db\n",
    .options = options,
    .run = run,
    .stopped = "what was repaired stays: the same command again does the rest",
};
