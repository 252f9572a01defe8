/* Files, folders, locks and processes as the operating system gives them. */
#include "os/file.h"
#include "os/folder.h"
#include "os/lock.h"
#include "os/process.h"
#include "support/suite.h"
#include "support/test_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char dir[64], path[80], other[80];
static file_facts facts;

static void setup(void)
{
    test_folder(dir, sizeof dir);
    snprintf(path, sizeof path, "%s/file", dir);
    snprintf(other, sizeof other, "%s/other", dir);
    umask(022);
}

static void teardown(void)
{
    char command[192];
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", dir, dir);
    ck_assert_int_eq(system(command), 0);
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

/* ---- what a file is ---- */

START_TEST(facts_of_a_file)
{
    file_facts again;
    file_id id;
    const file_time when = {1234567890, 123456789};
    put(path, "12345");
    ck_assert_int_eq(chmod(path, 0640), 0);
    ck_assert_int_eq(link(path, other), 0);
    const int fd = file_open(path, FILE_READ);
    ck_assert_int_ge(fd, 0);
    ck_assert(file_set_changed(fd, when));
    ck_assert(file_look_open(&facts, fd));
    ck_assert(file_close(fd));
    ck_assert_int_eq(facts.kind, FILE_REGULAR);
    ck_assert_uint_eq(facts.size, 5);
    ck_assert_uint_eq(facts.names, 2);
    ck_assert_uint_eq(facts.permissions, 0640);
    ck_assert_int_eq(facts.changed.seconds, when.seconds);
    ck_assert_int_eq(facts.changed.nanoseconds, when.nanoseconds);
    ck_assert(file_look(&again, other));
    ck_assert(file_id_same(&facts.id, &again.id));
    ck_assert(file_id_of_path(&id, other));
    ck_assert(file_id_same(&facts.id, &id));
    ck_assert(file_look(&again, dir));
    ck_assert(!file_id_same(&facts.id, &again.id));
}
END_TEST

/* Asks of the name in the folder, too, which says the same as asking of the path itself. */
static file_kind kind_of(const char *whole)
{
    file_facts in;
    const int folder = folder_open(dir);
    ck_assert_int_ge(folder, 0);
    ck_assert(file_look_here(&facts, whole));
    ck_assert(file_look_in(&in, folder, whole + strlen(dir) + 1));
    ck_assert_int_eq(in.kind, facts.kind);
    file_close(folder);
    return facts.kind;
}

START_TEST(kinds)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    put(path, "");
    ck_assert_int_eq(kind_of(path), FILE_REGULAR);
    ck_assert(file_remove(path));
    ck_assert_int_eq(mkfifo(path, 0666), 0);
    ck_assert_int_eq(kind_of(path), FILE_PIPE);
    ck_assert(file_remove(path));
    ck_assert(folder_make(path));
    ck_assert_int_eq(kind_of(path), FILE_FOLDER);
    ck_assert_int_eq(symlink(path, other), 0);
    ck_assert_int_eq(kind_of(other), FILE_LINK);
    ck_assert(file_look(&facts, other));
    ck_assert_int_eq(facts.kind, FILE_FOLDER);
    ck_assert(folder_remove(path));
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    ck_assert_int_eq(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(kind_of(path), FILE_SOCKET);
    close(fd);
    ck_assert(file_look(&facts, "/dev/null"));
    ck_assert_int_eq(facts.kind, FILE_CHARACTERS);
}
END_TEST

START_TEST(what_is_not_there)
{
    file_id id;
    const int folder = folder_open(dir);
    ck_assert(!file_look(&facts, path) && errno == ENOENT);
    ck_assert(!file_look_here(&facts, path) && errno == ENOENT);
    ck_assert(!file_look_in(&facts, folder, "file") && errno == ENOENT);
    ck_assert(!file_look_open(&facts, -1) && errno == EBADF);
    ck_assert(!file_id_of_path(&id, path) && errno == ENOENT);
    ck_assert(!file_id_of(&id, -1) && errno == EBADF);
    ck_assert_ptr_null(file_real_path(path));
    ck_assert_int_eq(symlink("nowhere", path), 0);
    ck_assert(!file_look(&facts, path) && errno == ENOENT);
    ck_assert(!file_look_through(&facts, folder, "file") && errno == ENOENT);
    ck_assert(file_look_in(&facts, folder, "file"));
    file_close(folder);
}
END_TEST

/* ---- opening ---- */

START_TEST(links_are_not_followed)
{
    const int folder = folder_open(dir);
    char *real;
    put(path, "secret");
    ck_assert_int_eq(symlink(path, other), 0);
    ck_assert_int_eq(file_open(other, FILE_READ), -1);
    ck_assert_int_eq(errno, ELOOP);
    ck_assert_int_eq(file_open(other, FILE_READ_WRITE), -1);
    ck_assert_int_eq(file_open_in(folder, "other"), -1);
    ck_assert_int_eq(errno, ELOOP);
    const int fd = file_open_any(other);
    ck_assert_int_ge(fd, 0);
    file_close(fd);
    real = file_real_path(other);
    ck_assert_ptr_nonnull(real);
    ck_assert_str_eq(real + strlen(real) - 5, "/file");
    free(real);
    ck_assert(file_remove(other));
    ck_assert_int_eq(symlink(dir, other), 0);
    ck_assert_int_eq(folder_open_in(folder, "other"), -1);
    ck_assert_int_ge(folder_open(other), 0);
    file_close(folder);
}
END_TEST

/* Nobody writes into it: opening it must not wait. */
START_TEST(a_named_pipe_holds_nobody_up)
{
    ck_assert_int_eq(mkfifo(path, 0666), 0);
    alarm(20);
    const int folder = folder_open(dir);
    const int fds[] = {file_open(path, FILE_READ), file_open_any(path),
                       file_open_in(folder, "file"), folder};
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++) {
        ck_assert_int_ge(fds[i], 0);
        ck_assert(fcntl(fds[i], F_GETFD) & FD_CLOEXEC);
        file_close(fds[i]);
    }
    ck_assert_int_eq(folder_open(path), -1);
    ck_assert_int_eq(errno, ENOTDIR);
}
END_TEST

START_TEST(a_new_file_is_new_and_ours)
{
    const int fd = file_create(path);
    ck_assert_int_ge(fd, 0);
    ck_assert(file_look_open(&facts, fd));
    ck_assert_uint_eq(facts.permissions, 0600);
    ck_assert_int_eq(file_create(path), -1);
    ck_assert_int_eq(errno, EEXIST);
    ck_assert_int_eq(symlink("nowhere", other), 0);
    ck_assert_int_eq(file_create(other), -1);
    ck_assert(file_close(fd));
    ck_assert(file_close(-1));
    ck_assert(!file_close(fd) && errno == EBADF);
}
END_TEST

/* ---- syncing ---- */

static int sync_code; /* the errno that the next fsync gives; 0: none */

/* The linker's names (--wrap). */
/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
    const int code = sync_code;
    sync_code = 0;
    if (code == 0)
        return __real_fsync(fd);
    errno = code;
    return -1;
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

/* What a disk does not take is no success; what can't be synced at all (EINVAL: a pipe) is. */
START_TEST(failed_syncs_are_told)
{
    static const int codes[] = {EIO, ENOSPC, EDQUOT, EROFS, EBADF};
    const int fd = file_create(path);
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        sync_code = codes[i];
        ck_assert(!file_sync(fd));
        ck_assert_int_eq(errno, codes[i]);
    }
    sync_code = EINVAL;
    ck_assert(file_sync(fd));
    ck_assert(file_sync(fd));
    ck_assert(file_close(fd));
}
END_TEST

/* ---- reading and writing ---- */

START_TEST(reading_and_writing)
{
    char text[8] = "";
    const int fd = file_create(path);
    ck_assert(file_write(fd, "abc", 3));
    ck_assert(file_write(fd, "def", 3));
    ck_assert(file_write_at(fd, "XY", 2, 2));
    ck_assert_int_eq(file_read(fd, text, sizeof text), 0);
    ck_assert_int_eq(file_read_at(fd, text, 7, 1), 5);
    ck_assert_str_eq(text, "bXYef");
    ck_assert(file_resize(fd, 2));
    ck_assert_int_eq(file_read_at(fd, text, 7, 0), 2);
    ck_assert_int_eq(file_read_at(fd, text, 7, 100), 0);
    ck_assert(file_sync(fd));
    ck_assert(file_close(fd));
    const int read_only = file_open(path, FILE_READ);
    ck_assert(!file_write(read_only, "x", 1) && errno == EBADF);
    ck_assert(!file_write_at(read_only, "x", 1, 0) && errno == EBADF);
    ck_assert_int_eq(file_read(read_only, text, 1), 1);
    file_close(read_only);
    const int write_only = file_open(path, FILE_WRITE);
    ck_assert_int_eq(file_read(write_only, text, 1), -1);
    ck_assert_int_eq(file_read_at(write_only, text, 1, 0), -1);
    file_close(write_only);
}
END_TEST

/* A pipe gives what is there, and more later: all that was asked for comes. */
START_TEST(reading_goes_on_to_the_end)
{
    enum { PARTS = 20 };
    char text[PARTS + 2] = "";
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        for (int i = 0; i < PARTS; i++) {
            (void)!write(ends[1], "x", 1);
            nanosleep(&(const struct timespec){0, 1000000}, NULL);
        }
        _exit(0);
    }
    close(ends[1]);
    ck_assert_int_eq(file_read(ends[0], text, PARTS + 1), PARTS);
    waitpid(pid, NULL, 0);
    close(ends[0]);
}
END_TEST

START_TEST(moving_to_a_free_name)
{
    ck_assert(folder_make(other));
    const int from = folder_open(dir), to = folder_open(other);
    char below[160];
    snprintf(below, sizeof below, "%s/file", other);
    put(path, "new");
    ck_assert_int_eq(file_move_to_free(from, to, "file"), 0);
    ck_assert(!file_look(&facts, path) && file_look(&facts, below));
    put(path, "newer");
    ck_assert_int_eq(file_move_to_free(from, to, "file"), EEXIST);
    ck_assert(file_look(&facts, below));
    ck_assert_uint_eq(facts.size, 3);
    ck_assert_int_eq(file_move_to_free(from, to, "nothing"), ENOENT);
    ck_assert(file_remove_in(to, "file"));
    ck_assert(!file_remove_in(to, "file") && errno == ENOENT);
    file_close(from);
    file_close(to);
}
END_TEST

/* ---- folders ---- */

START_TEST(folders)
{
    const int folder = folder_open(dir);
    uint64_t room = 0;
    char own[160];
    snprintf(own, sizeof own, "%s/own-XXXXXX", dir);
    ck_assert(folder_make(path));
    ck_assert(!folder_make(path) && errno == EEXIST);
    ck_assert(folder_make_in(folder, "other"));
    ck_assert(!folder_make_in(folder, "other") && errno == EEXIST);
    ck_assert(folder_is_writable(path));
    ck_assert(file_is_writable(path));
    ck_assert(!folder_is_writable("/nowhere") && errno == ENOENT);
    ck_assert(folder_room(&room, dir));
    ck_assert_uint_gt(room, 0);
    ck_assert(!folder_room(&room, "/nowhere") && errno == ENOENT);
    ck_assert(folder_make_own(own));
    ck_assert(file_look(&facts, own));
    ck_assert_uint_eq(facts.permissions, 0700);
    put(strcat(own, "/file"), "");
    *strrchr(own, '/') = '\0';
    ck_assert(!folder_remove(own));
    ck_assert(folder_remove(path));
    ck_assert(folder_remove_in(folder, "other"));
    ck_assert(!folder_remove_in(folder, "other") && errno == ENOENT);
    file_close(folder);
}
END_TEST

/* A letter for each name that is there. */
static void letters(char out[30], folder_list *list)
{
    size_t count = 0;
    ck_assert_ptr_nonnull(list);
    memset(out, 0, 30);
    for (const char *name; (name = folder_list_next(list)) != NULL; count++) {
        ck_assert_uint_lt(count, 29);
        ck_assert_uint_eq(strlen(name), 2);
        out[name[1] - 'a'] = name[1];
    }
    ck_assert_int_eq(errno, 0);
    folder_list_close(list);
}

START_TEST(listing)
{
    char name[] = ".a", whole[100], found[30];
    for (; name[1] < 'e'; name[1]++) {
        snprintf(whole, sizeof whole, "%s/%s", dir, name);
        put(whole, "");
    }
    const int folder = folder_open(dir);
    letters(found, folder_list_open(dir));
    ck_assert_str_eq(found, "abcd");
    for (int i = 0; i < 2; i++) { /* again: from the beginning */
        letters(found, folder_list_of(folder));
        ck_assert_str_eq(found, "abcd");
    }
    file_close(folder);
    ck_assert_ptr_null(folder_list_open(path));
    ck_assert_int_eq(errno, ENOENT);
    ck_assert_ptr_null(folder_list_of(-1));
    ck_assert_int_eq(errno, EBADF);
    folder_list_close(NULL);
}
END_TEST

START_TEST(links_in_a_list)
{
    char target[8];
    put(path, "");
    ck_assert_int_eq(symlink("over/there", other), 0);
    folder_list *list = folder_list_open(dir);
    ck_assert(folder_list_link(target, sizeof target, list, "other"));
    ck_assert_str_eq(target, "over/th");
    ck_assert(!folder_list_link(target, sizeof target, list, "file"));
    folder_list_close(list);
}
END_TEST

/* ---- locks ---- */

START_TEST(locks)
{
    put(path, "");
    const int a = file_open(path, FILE_READ_WRITE), b = file_open(path, FILE_READ_WRITE);
    ck_assert(lock_take(a, true));
    ck_assert(lock_take(b, true));
    ck_assert(!lock_take(a, false) && errno == EWOULDBLOCK);
    file_close(b);
    ck_assert(lock_take(a, false));
    const int c = file_open(path, FILE_READ_WRITE);
    ck_assert(!lock_take(c, true) && errno == EWOULDBLOCK);
    file_close(a);
    ck_assert(lock_take(c, true));
    file_close(c);
    ck_assert(!lock_take(c, true) && errno == EBADF);
}
END_TEST

/* A child takes a POSIX lock on the byte, and waits until it is killed. */
static pid_t lock_in_child(off_t at)
{
    int ends[2];
    char ready = 0;
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        struct flock lock = {
            .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};
        const int fd = open(path, O_RDWR);
        (void)!write(ends[1], fcntl(fd, F_SETLK, &lock) == 0 ? "y" : "n", 1);
        pause();
        _exit(0);
    }
    ck_assert_int_eq(read(ends[0], &ready, 1), 1);
    ck_assert_int_eq(ready, 'y');
    close(ends[0]);
    close(ends[1]);
    return pid;
}

START_TEST(who_has_a_posix_lock)
{
    put(path, "");
    put(other, "");
    ck_assert_int_eq(lock_holder(path, 0, UINT64_MAX), 0);
    ck_assert_int_eq(lock_holder("/nowhere", 0, UINT64_MAX), 0);
    const pid_t pid = lock_in_child(100);
    if (access("/proc/locks", R_OK) == 0) {
        ck_assert_int_eq(lock_holder(path, 100, 100), pid);
        ck_assert_int_eq(lock_holder(path, 0, 99), 0);
        ck_assert_int_eq(lock_holder(path, 101, 1000), 0);
        ck_assert_int_eq(lock_holder(other, 0, 1000), 0);
    }
    ck_assert_int_eq(kill(pid, SIGKILL), 0);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    ck_assert_int_eq(lock_holder(path, 0, 1000), 0);
}
END_TEST

/* ---- processes ---- */

START_TEST(processes_live_and_die)
{
    const pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    ck_assert_int_eq(process_own(), (long)getpid());
    ck_assert(process_is_alive(process_own()));
    ck_assert(process_is_alive(1)); /* not ours to signal, perhaps */
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    ck_assert(!process_is_alive(pid));
}
END_TEST

START_TEST(names_of_processes)
{
    char host[PROCESS_NAME_SIZE], name[PROCESS_NAME_SIZE] = "?", cut[3];
    process_host(host, sizeof host);
    ck_assert_uint_gt(strlen(host), 0);
    process_host(cut, sizeof cut);
    ck_assert_uint_lt(strlen(cut), sizeof cut);
    if (access("/proc/self/comm", R_OK) != 0)
        return;
    ck_assert(process_name(name, sizeof name, process_own()));
    ck_assert_str_eq(name, "test_file");
    ck_assert(process_name(cut, sizeof cut, process_own()));
    ck_assert_str_eq(cut, "te");
    ck_assert(!process_name(name, sizeof name, 999999999));
}
END_TEST

static bool find_process(process_facts *out, long pid)
{
    char number[24];
    bool found = false;
    folder_list *list = process_list_open();
    snprintf(number, sizeof number, "%ld", pid);
    ck_assert_ptr_nonnull(list);
    while (!found && process_list_next(out, list))
        found = strcmp(out->number, number) == 0;
    folder_list_close(list);
    return found;
}

static bool has_open(const process_facts *process, const char *wanted)
{
    char target[4096];
    bool found = false;
    folder_list *list = process_files_open(process);
    ck_assert_ptr_nonnull(list);
    for (const char *name; !found && (name = folder_list_next(list)) != NULL;)
        found =
            folder_list_link(target, sizeof target, list, name) && strcmp(target, wanted) == 0;
    folder_list_close(list);
    return found;
}

START_TEST(processes_and_what_they_have_open)
{
    process_facts p;
    int status;
    if (access("/proc/self/fd", R_OK) != 0)
        return;
    put(path, "");
    put(other, "");
    char *wanted = file_real_path(path), *unwanted = file_real_path(other);
    const pid_t pid = lock_in_child(0);
    ck_assert(!find_process(&p, process_own()));
    ck_assert(find_process(&p, pid));
    ck_assert_str_eq(p.name, "test_file");
    ck_assert_str_eq(p.program, "test_file");
    ck_assert(has_open(&p, wanted));
    ck_assert(!has_open(&p, unwanted));
    ck_assert_int_eq(kill(pid, SIGKILL), 0);
    siginfo_t info;
    ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    ck_assert(!find_process(&p, pid)); /* dead, and not yet fetched */
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    free(wanted);
    free(unwanted);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {facts_of_a_file,
                                  kinds,
                                  what_is_not_there,
                                  links_are_not_followed,
                                  a_named_pipe_holds_nobody_up,
                                  a_new_file_is_new_and_ours,
                                  failed_syncs_are_told,
                                  reading_and_writing,
                                  reading_goes_on_to_the_end,
                                  moving_to_a_free_name,
                                  folders,
                                  listing,
                                  links_in_a_list,
                                  locks,
                                  who_has_a_posix_lock,
                                  processes_live_and_die,
                                  names_of_processes,
                                  processes_and_what_they_have_open};
    Suite *suite = suite_create("file");
    TCase *tc = tcase_create("file");
    tcase_add_checked_fixture(tc, setup, teardown);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tcase_add_test(tc, tests[i]);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
