#include "clients/os/signals.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

static const int STOPPING[SIGNALS_STOPPING] = {SIGINT, SIGTERM, SIGHUP};

static bool was_ignored(int number)
{
    struct sigaction before;
    return sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
}

void signals_catch(signals_before *out, signals_handler *handler)
{
    out->pipe_kills = !was_ignored(SIGPIPE);
    /* With SIGPIPE ignored, a failed write returns EPIPE, and the program can clean up. */
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < SIGNALS_STOPPING; i++)
        out->heard[i] = !was_ignored(STOPPING[i]);
    signals_hand_to(out, handler);
}

void signals_hand_to(const signals_before *before, signals_handler *handler)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler ? handler : SIG_DFL;
    /* SA_RESETHAND: after the first signal the default action is restored, so a second signal
     * ends the process. */
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNALS_STOPPING; i++)
        if (before->heard[i])
            sigaction(STOPPING[i], &action, NULL);
}

void signals_die_of_pipe(void)
{
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}
