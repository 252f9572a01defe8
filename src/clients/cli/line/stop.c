/*
 * Why the command is to stop. The reason is a static variable because a signal handler can
 * reach nothing else; threads read it, too.
 */
#include "clients/cli/line/stop.h"

#include "clients/cli/line/output.h"
#include "clients/os/signals.h"

#include <stdatomic.h>

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
