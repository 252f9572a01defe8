/*
 * Shows progress: on a terminal in one line that is redrawn, elsewhere with a new line every
 * ten seconds, so that logs stay short.
 */
#include "clients/cli/line/progress.h"

#include "clients/cli/line/output.h"
#include "clients/os/terminal.h"
#include "os/clock.h"

#include <stdio.h>

static const double LINE_SECONDS = 10;

void progress_init(progress *p, bool quiet)
{
    *p = (progress){.quiet = quiet, .terminal = terminal_is(STREAM_ERRORS)};
    progress_begin(p, "chunks");
}

void progress_begin(progress *p, const char *noun)
{
    p->noun = noun;
    p->begun = clock_seconds();
    p->next_line = p->terminal ? 0 : LINE_SECONDS;
}

bool progress_is_due(const progress *p, double seconds)
{
    return !p->quiet && seconds >= p->next_line;
}

void progress_line(progress *p, double seconds, const char *format, ...)
{
    char line[200];
    va_list list;
    va_start(list, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is above. */
    const int size = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (p->terminal)
        tell("\r%-*s", (int)p->drawn, line);
    else
        tell("%s\n", line);
    p->drawn = size > 0 ? (size_t)size : 0;
    p->next_line = seconds + (p->terminal ? p->pause : LINE_SECONDS);
}

bool progress_show(void *payload, const ptl_progress *now)
{
    progress *p = payload;
    const uint64_t ready = now->done + now->skipped, rest = now->total - ready;
    const double percent = now->total ? 100.0 * (double)ready / (double)now->total : 100;
    const double seconds = now->rate > 0 ? (double)rest / now->rate : 0;
    char left[48] = "";
    if (!progress_is_due(p, now->seconds))
        return !stop_wanted();
    if (now->rate > 0 && rest > 0 && seconds < 3600)
        snprintf(left, sizeof left, ", %d:%02d left", (int)seconds / 60, (int)seconds % 60);
    else if (now->rate > 0 && rest > 0)
        snprintf(left, sizeof left, ", %.0f h %02d min left", (double)(int64_t)(seconds / 3600),
                 (int)((int64_t)seconds / 60 % 60));
    progress_line(p, now->seconds, "%ju of %ju %s (%.1f %%), %.1f/s%s", ready, now->total,
                  p->noun, percent, now->rate, left);
    return !stop_wanted();
}

bool progress_count(void *payload, uint64_t done, uint64_t total)
{
    progress *p = payload;
    const double seconds = clock_seconds() - p->begun;
    const ptl_progress now = {.size = sizeof now,
                              .done = done,
                              .total = total < done ? done : total,
                              .seconds = seconds,
                              .rate = seconds > 0 ? (double)done / seconds : 0};
    return seconds < p->patience ? !stop_wanted() : progress_show(p, &now);
}

void progress_end(progress *p)
{
    if (p->terminal && p->drawn > 0)
        tell("\r%*s\r", (int)p->drawn, "");
    p->drawn = 0;
}
