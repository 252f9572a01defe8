/*
 * Progress: on a terminal one line that is drawn over, else a line every ten seconds, so that
 * logs stay short.
 */
#include "clients/cli/line/progress.h"

#include "clients/cli/line/output.h"
#include "os/terminal.h"

#include <stdio.h>

static const double LINE_SECONDS = 10;

void progress_init(progress *p, bool quiet)
{
    *p = (progress){.quiet = quiet, .next_line = LINE_SECONDS, .noun = "chunks"};
    p->terminal = terminal_is(STREAM_ERRORS);
}

static void format_left(const ptl_progress *now, char out[48])
{
    uint64_t left = now->total - now->done - now->skipped;
    double seconds = now->rate > 0 ? (double)left / now->rate : 0;
    if (now->rate <= 0 || left == 0)
        out[0] = '\0';
    else if (seconds < 3600)
        snprintf(out, 48, ", %d:%02d left", (int)seconds / 60, (int)seconds % 60);
    else
        snprintf(out, 48, ", %.0f h %02d min left", (double)(int64_t)(seconds / 3600),
                 (int)((int64_t)seconds / 60 % 60));
}

bool progress_show(void *payload, const ptl_progress *now)
{
    progress *p = payload;
    bool go_on = !stop_wanted();
    if (p->quiet || (!p->terminal && now->seconds < p->next_line))
        return go_on;
    char left[48], line[160];
    uint64_t ready = now->done + now->skipped;
    double percent = now->total ? 100.0 * (double)ready / (double)now->total : 100;
    format_left(now, left);
    int size = snprintf(line, sizeof line, "%llu of %llu %s (%.1f %%), %.1f/s%s",
                        (unsigned long long)ready, (unsigned long long)now->total, p->noun,
                        percent, now->rate, left);
    if (p->terminal)
        tell("\r%-*s", (int)p->drawn, line);
    else
        tell("%s\n", line);
    p->drawn = size > 0 ? (size_t)size : 0;
    while (p->next_line <= now->seconds)
        p->next_line += LINE_SECONDS;
    return go_on;
}

void progress_end(progress *p)
{
    if (p->terminal && p->drawn > 0)
        tell("\r%*s\r", (int)p->drawn, "");
    p->drawn = 0;
}
