#include "clients/os/child.h"

#include "os/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAUSE_MS = 2 };

extern char **environ; /* POSIX wants each program to declare this variable itself */

/* An empty name in the list of folders (PATH) means the current folder. */
bool child_has_program(const char *folders, const char *name)
{
    enum { PATH_SIZE = 4096 };
    char path[PATH_SIZE];
    const char *at = folders;
    bool found = false;
    for (bool more = at != NULL; more && !found;) {
        const size_t size = strcspn(at, ":");
        const int length =
            snprintf(path, sizeof path, "%.*s%s%s", (int)size, at, size > 0 ? "/" : "./", name);
        found = length > 0 && length < PATH_SIZE && access(path, X_OK) == 0;
        more = at[size] == ':';
        at += size + more;
    }
    return found;
}

int child_start(child *c, char *const arguments[], int output, int errors)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t pipe_signal;
    pid_t pid = 0;
    int ends[2];
    if (pipe(ends) != 0)
        return errno;
    /* This process's end of the pipe is closed in the child: a child that also held this end
     * would wait for the end of its input for ever. */
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    int code = posix_spawn_file_actions_init(&actions);
    const bool has_actions = code == 0;
    if (has_actions)
        code = posix_spawnattr_init(&attributes);
    if (code == 0) {
        sigemptyset(&pipe_signal);
        /* This process ignores SIGPIPE, and children inherit that, so the child's default
         * action is restored. */
        sigaddset(&pipe_signal, SIGPIPE);
        posix_spawnattr_setsigdefault(&attributes, &pipe_signal);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
        code = posix_spawnp(&pid, arguments[0], &actions, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    if (has_actions)
        posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    if (code != 0)
        close(ends[1]);
    *c = (child){.process = (long)pid, .input = code == 0 ? ends[1] : -1};
    return code;
}

void child_feed(child *c, const void *text, size_t size, const stop_hook *stop)
{
    for (size_t at = 0; at < size;) {
        const ssize_t n = write(c->input, (const char *)text + at, size - at);
        if (n > 0)
            at += (size_t)n;
        else if (errno != EINTR || stop_asked(stop))
            break;
    }
    close(c->input);
}

/* Polls with short pauses, because a blocking waitpid could not notice that `stop` asks to
 * stop. */
bool child_wait(child *c, const stop_hook *stop)
{
    const pid_t pid = (pid_t)c->process;
    bool killed = false;
    int status = 0;
    for (;;) {
        const pid_t ended = waitpid(pid, &status, WNOHANG);
        if (ended != 0 && (ended > 0 || errno != EINTR))
            return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (stop_asked(stop) && !killed)
            killed = kill(pid, SIGKILL) == 0;
        clock_sleep(PAUSE_MS);
    }
}
