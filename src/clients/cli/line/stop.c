/*
 * Records why the command is to stop. The reason is in a static variable, because that is all
 * that a signal handler may write to. Threads read it, too.
 */
#include "clients/cli/line/stop.h"

#include "clients/cli/line/output.h"
#include "clients/os/signals.h"
#include "clients/os/terminal.h"
#include "os/clock.h"
#include "portolan/generate.h"

#include <stdatomic.h>
#include <stdio.h>

enum { RUNNING, BY_SIGNAL, BY_PIPE };

static atomic_int reason; /* lock-free, so a signal handler may set it */
static signals_before before;
static atomic_bool unheard;
static bool told;
static const command *running;

static void on_signal(int number)
{
    (void)number;
    atomic_store(&reason, BY_SIGNAL);
}

void stop_on_signals(const command *cmd)
{
    running = cmd;
    signals_catch(&before, on_signal);
}

void stop_suspend(bool on)
{
    signals_hand_to(&before, on ? NULL : on_signal);
}

void stop_on_broken_pipe(void)
{
    int expected = RUNNING;
    atomic_compare_exchange_strong(&reason, &expected, BY_PIPE);
}

bool stop_wanted(void)
{
    return atomic_load_explicit(&reason, memory_order_relaxed) != RUNNING;
}

bool stop_asked_for(void *payload)
{
    (void)payload;
    return stop_wanted() && !atomic_load_explicit(&unheard, memory_order_relaxed);
}

void stop_unheard(bool on)
{
    atomic_store(&unheard, on);
}

bool stop_is_silent(void)
{
    return atomic_load(&reason) == BY_PIPE && before.pipe_kills;
}

int stop_tell_how(const char *format, ...)
{
    va_list list;
    if (told || stop_is_silent())
        return EXIT_FAILED;
    told = true;
    tell("portolan %s: stopped; ", running ? running->name : "");
    va_start(list, format);
    vtell(format, list);
    va_end(list);
    tell("\n");
    return EXIT_FAILED;
}

int stop_tell(void)
{
    return stop_tell_how("%s", running ? running->stopped : "it did nothing");
}

void stop_end(void)
{
    if (stop_is_silent())
        signals_die_of_pipe();
}

/* ---- progress ---- */

/* On a terminal one line of progress is drawn again and again. Elsewhere a new line is printed
 * at most every ten seconds, so that logs stay short. */
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
