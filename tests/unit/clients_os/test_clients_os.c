/* What clients ask of the operating system: child processes, signals, terminals. */
#include "clients/os/child.h"
#include "clients/os/signals.h"
#include "clients/os/terminal.h"
#include "os/clock.h"
#include "support/suite.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- children ---- */

static const stop_hook never = {NULL, NULL};

static bool always(void *payload)
{
    (void)payload;
    return true;
}

/* The shell runs it; what it prints is in out. */
static bool run(char *script, const char *input, size_t size, char out[100],
                const stop_hook *stop)
{
    char sh[] = "sh", minus_c[] = "-c";
    char *const arguments[] = {sh, minus_c, script, NULL};
    child c;
    FILE *said = tmpfile();
    ck_assert_ptr_nonnull(said);
    ck_assert_int_eq(child_start(&c, arguments, fileno(said), fileno(said)), 0);
    child_feed(&c, input, size, stop);
    const bool good = child_wait(&c, stop);
    rewind(said);
    const size_t length = fread(out, 1, 99, said);
    out[length] = '\0';
    fclose(said);
    return good;
}

START_TEST(a_child_reads_and_writes)
{
    char out[100], copy[] = "cat; echo errors >&2", fail[] = "cat >&2; exit 3";
    ck_assert(run(copy, "text\n", 5, out, &never));
    ck_assert_str_eq(out, "text\nerrors\n");
    ck_assert(!run(fail, "why", 3, out, &never));
    ck_assert_str_eq(out, "why");
}
END_TEST

/* More than a pipe holds, which it never reads; SIGPIPE is ours to ignore, not the child's. */
START_TEST(a_child_that_does_not_listen)
{
    enum { MUCH = 1 << 20 };
    static char text[MUCH];
    char out[100], deaf[] = "exit 0", dies[] = "kill -PIPE $$; exit 0";
    signals_before before;
    signals_catch(&before, SIG_DFL);
    ck_assert(run(deaf, text, MUCH, out, &never));
    ck_assert(!run(dies, "", 0, out, &never));
}
END_TEST

START_TEST(a_child_is_killed_at_a_stop)
{
    char out[100], slow[] = "exec sleep 20";
    const stop_hook at_once = {always, NULL};
    const double start = clock_seconds();
    ck_assert(!run(slow, "", 0, out, &at_once));
    ck_assert(clock_seconds() - start < 15);
}
END_TEST

START_TEST(a_program_that_is_not_there)
{
    char name[] = "no-such-program-of-portolan";
    char *const arguments[] = {name, NULL};
    child c;
    ck_assert_int_eq(child_start(&c, arguments, STREAM_OUTPUT, STREAM_ERRORS), ENOENT);
    ck_assert_int_eq(c.input, -1);
}
END_TEST

/* ---- signals ---- */

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
}

/* How a child process ends that calls the function; signals are as they were before Check. */
static int end_of(void (*function)(void))
{
    int status = 0;
    const pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_IGN);
        signal(SIGHUP, SIG_DFL);
        signal(SIGPIPE, SIG_DFL);
        function();
        _exit(caught);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static void one_signal(void)
{
    signals_before before;
    signals_catch(&before, on_signal);
    if (before.heard[0] && !before.heard[1] && before.heard[2] && before.pipe_kills)
        raise(SIGHUP);
    raise(SIGTERM); /* was ignored, and stays so */
}

static void two_signals(void)
{
    signals_before before;
    signals_catch(&before, on_signal);
    raise(SIGINT);
    raise(SIGINT);
}

static void while_suspended(void)
{
    signals_before before;
    signals_catch(&before, on_signal);
    signals_hand_to(&before, NULL);
    raise(SIGTERM);
    raise(SIGINT);
}

static void after_suspension(void)
{
    signals_before before;
    signals_catch(&before, on_signal);
    signals_hand_to(&before, NULL);
    signals_hand_to(&before, on_signal);
    raise(SIGINT);
}

static void broken_pipe(void)
{
    signals_before before;
    int ends[2];
    signals_catch(&before, on_signal);
    if (pipe(ends) == 0 && close(ends[0]) == 0 && write(ends[1], "x", 1) < 0 && errno == EPIPE)
        caught = 77;
}

static void end_by_pipe(void)
{
    signals_before before;
    signals_catch(&before, on_signal);
    signals_die_of_pipe();
}

START_TEST(signals)
{
    ck_assert_int_eq(end_of(one_signal), SIGHUP);
    ck_assert_int_eq(end_of(two_signals), -SIGINT);
    ck_assert_int_eq(end_of(while_suspended), -SIGINT);
    ck_assert_int_eq(end_of(after_suspension), SIGINT);
    ck_assert_int_eq(end_of(broken_pipe), 77);
    ck_assert_int_eq(end_of(end_by_pipe), -SIGPIPE);
}
END_TEST

/* ---- terminals ---- */

START_TEST(terminals)
{
    int32_t columns = 7, lines = 7;
    const struct winsize window = {.ws_row = 33, .ws_col = 101};
    const int controller = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert_int_ge(controller, 0);
    ck_assert_int_eq(grantpt(controller), 0);
    ck_assert_int_eq(unlockpt(controller), 0);
    const int fd = open(ptsname(controller), O_RDWR | O_NOCTTY);
    ck_assert_int_ge(fd, 0);
    ck_assert(terminal_is(fd));
    ck_assert_int_eq(ioctl(fd, TIOCSWINSZ, &window), 0);
    terminal_cells(fd, &columns, &lines);
    ck_assert_int_eq(columns, 101);
    ck_assert_int_eq(lines, 33);
    close(fd);
    close(controller);
}
END_TEST

START_TEST(no_terminals)
{
    int32_t columns = 7, lines = 7;
    int ends[2];
    char read_back[3] = "";
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert(!terminal_is(ends[0]));
    terminal_cells(ends[0], &columns, &lines);
    ck_assert_int_eq(columns, 0);
    ck_assert_int_eq(lines, 0);
    ck_assert(stream_lead_to(STREAM_OUTPUT, ends[1]));
    ck_assert_int_eq(write(STDOUT_FILENO, "ab", 2), 2);
    ck_assert_int_eq(read(ends[0], read_back, 2), 2);
    ck_assert_str_eq(read_back, "ab");
    ck_assert(!stream_lead_to(STREAM_OUTPUT, -1));
    ck_assert_int_eq(errno, EBADF);
    close(ends[0]);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_child_reads_and_writes,
                                  a_child_that_does_not_listen,
                                  a_child_is_killed_at_a_stop,
                                  a_program_that_is_not_there,
                                  signals,
                                  terminals,
                                  no_terminals};
    Suite *suite = suite_create("clients_os");
    TCase *tc = tcase_create("clients_os");
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tcase_add_test(tc, tests[i]);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
