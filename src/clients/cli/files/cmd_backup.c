/* portolan backup: a copy of a world file, also while another process writes it. */
#include "clients/cli/line/commands.h"
#include "clients/cli/line/output.h"
#include "clients/cli/line/progress.h"
#include "clients/cli/session/session.h"

#include "os/terminal.h"
#include "portolan/backup.h"

#include <stdio.h>
#include <string.h>

static const option_spec options[] = {
    {"replace", NULL, "replace TO once the new copy is good; else TO must not exist", 0},
    {"verify", NULL, "check every chunk of the copy, as 'portolan verify' does", 0},
    OPTION_QUIET,
    OPTIONS_END,
};

typedef struct shown {
    bool quiet, terminal;
    double next_line; /* seconds: when the next line is due */
    size_t drawn;     /* columns of the line on the terminal */
} shown;

static bool show_progress(void *payload, const ptl_backup_progress *now)
{
    static const double line_seconds = 10, draw_seconds = 0.1;
    shown *s = payload;
    bool go_on = !stop_wanted();
    if (s->quiet || now->seconds < s->next_line)
        return go_on;
    char done[32], total[32], rate[32], line[200];
    format_size(now->done, done);
    format_size(now->total, total);
    format_size((uint64_t)now->rate, rate);
    double left = now->rate > 0 ? (double)(now->total - now->done) / now->rate : 0;
    int size = snprintf(line, sizeof line, "%s%s of %s, %s/s, %.0f s left",
                        now->round > 1 ? "comparing again, it was written meanwhile: " : "",
                        done, total, rate, left);
    if (s->terminal)
        tell("\r%-*s", (int)s->drawn, line);
    else
        tell("%s\n", line);
    s->drawn = size > 0 ? (size_t)size : 0;
    s->next_line = now->seconds + (s->terminal ? draw_seconds : line_seconds);
    return go_on;
}

static int backup(session *s, const args *a)
{
    ptl_backup_report report = PTL_BACKUP_REPORT_INIT;
    shown state = {.quiet = args_has(a, "quiet")};
    state.terminal = terminal_is(STREAM_ERRORS);
    state.next_line = state.terminal ? 0 : 10;
    ptl_backup_options o = {.size = sizeof o,
                            .replace = args_has(a, "replace"),
                            .verify = args_has(a, "verify"),
                            .on_progress = show_progress,
                            .payload = &state};
    ptl_status status = ptl_backup(s->store, a->operands[1], &o, &report, &s->err);
    if (state.terminal && state.drawn > 0)
        tell("\r%*s\r", (int)state.drawn, "");
    if (status == PTL_ERR_CANCELLED && stop_wanted())
        return stop_tell_how("%s was not %s", a->operands[1], o.replace ? "changed" : "made");
    if (status != PTL_OK) {
        session_failed(s);
        if (status == PTL_ERR_EXISTS && !o.replace)
            tell("--replace puts the new copy in its place once it is good.\n");
        return EXIT_FAILED;
    }
    if (!state.quiet) {
        const char *path = a->operands[1];
        char size[32];
        format_size(report.bytes, size);
        out_prose_begin(0);
        out_printf("%s: %s, copied in %.2f s", path, size, report.seconds);
        if (report.rounds > 1)
            out_printf(" and %d rounds (the file was written meanwhile)", report.rounds);
        out_text("; checked\n");
        out_prose_end();
    }
    return EXIT_DONE;
}

static int run(const args *a)
{
    session s = {.args = a};
    int code = session_open(&s, a, PTL_OPEN_READ);
    if (code == EXIT_DONE)
        code = backup(&s, a);
    session_close(&s);
    return code;
}

static const value_type values[] = {
    {"TO", VALUE_FILE, NULL, NULL},
    VALUES_END,
};

const command backup_command = {
    .name = "backup",
    .group = GROUP_SAFE,
    .operands = "FILE TO",
    .operands_min = 2,
    .operands_max = 2,
    .summary = "Copy a world file safely, also while another process writes it.",
    .operand_help = "TO  Where the copy is to be.\n",
    .details = "TO is one moment of FILE: a whole world file. Others may go on reading and "
               "writing FILE\n"
               "meanwhile. The copy gets its name TO when it is checked and on disk; until "
               "then it is\n"
               "TO.portolan-XXXXXXXXXXXX.tmp. With --verify it is checked chunk by chunk.\n",
    .examples = "  portolan backup w.db copy.db\n"
                "  portolan backup w.db copy.db --replace --verify\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped = "no copy was made",
};
