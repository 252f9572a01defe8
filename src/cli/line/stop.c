/*
 * A signal handler can only reach a file-scope flag, so there is one here; threads read it.
 */
#include "cli/line/stop.h"

#include "cli/line/output.h"

#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>

enum { RUNNING, BY_SIGNAL, BY_PIPE };

static const int STOPPING[] = {SIGINT, SIGTERM, SIGHUP};
enum { STOPPING_COUNT = sizeof STOPPING / sizeof STOPPING[0] };

static atomic_int reason;          /* lock-free, so that the handler may set it */
static bool heard[STOPPING_COUNT]; /* the signals that are ours */
static bool pipe_kills;            /* SIGPIPE was not ignored before us */
static bool told;
static const command *running;

static void on_signal(int number)
{
    (void)number;
    atomic_store(&reason, BY_SIGNAL);
}

static bool was_ignored(int number)
{
    struct sigaction before;
    return sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
}

static void act(int number, void (*handler)(int number))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    /* SA_RESETHAND: the second signal finds the default action and ends the process. */
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void stop_on_signals(void)
{
    pipe_kills = !was_ignored(SIGPIPE);
    signal(SIGPIPE, SIG_IGN); /* a failed write says so, too, and leaves time to clean up */
    for (size_t i = 0; i < STOPPING_COUNT; i++) {
        heard[i] = !was_ignored(STOPPING[i]);
        if (heard[i])
            act(STOPPING[i], on_signal);
    }
}

void stop_suspend(bool on)
{
    for (size_t i = 0; i < STOPPING_COUNT; i++)
        if (heard[i])
            act(STOPPING[i], on ? SIG_DFL : on_signal);
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
    return stop_wanted();
}

void stop_command(const command *cmd)
{
    running = cmd;
}

bool stop_is_silent(void)
{
    return atomic_load(&reason) == BY_PIPE && pipe_kills;
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
    if (!stop_is_silent())
        return;
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}
