/* Files that get their names when they are complete: what is replaced, and what never is. */
#include "os/new_file.h"
#include "support/suite.h"
#include "support/test_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[64], path[128], other[160];
static ptl_error err;
static const new_file_options replace = {.rule = NEW_FILE_REPLACE},
                              force = {.rule = NEW_FILE_FORCE},
                              absent = {.rule = NEW_FILE_ABSENT},
                              device = {.rule = NEW_FILE_REPLACE, .device = true};
static const char DATABASE[] = "SQLite format 3\0 and so on";

static void setup(void)
{
    test_folder(dir, sizeof dir);
    snprintf(path, sizeof path, "%s/out.txt", dir);
    snprintf(other, sizeof other, "%s/other", dir);
    umask(022);
}

static void teardown(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    ck_assert_int_eq(system(command), 0);
}

static void put(const char *name, const void *data, size_t size)
{
    const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0644);
    ck_assert(fd >= 0 && write(fd, data, size) == (ssize_t)size && close(fd) == 0);
}

static void assert_text(const char *name, const char *text)
{
    char found[64] = "";
    const int fd = open(name, O_RDONLY);
    ck_assert_msg(fd >= 0, "%s", name);
    const ssize_t size = read(fd, found, sizeof found - 1);
    close(fd);
    ck_assert_int_eq(size, (ssize_t)strlen(text));
    ck_assert_str_eq(found, text);
}

static int count_files(void)
{
    int count = 0;
    DIR *open_dir = opendir(dir);
    while (readdir(open_dir))
        count++;
    closedir(open_dir);
    return count - 2;
}

static ptl_status write_as(const char *name, const new_file_options *options)
{
    new_file f;
    memset(&err, 0, sizeof err);
    ptl_status status = new_file_open(&f, name, options, &err);
    if (status != PTL_OK)
        ck_assert(f.path == NULL && f.fd < 0);
    if (status == PTL_OK)
        status = new_file_write(&f, "new", 3, &err);
    if (status == PTL_OK)
        status = new_file_publish(&f, &err);
    new_file_close(&f);
    return status;
}

/* Refused, in words that name the file and hold `why`; nothing is left. */
static void assert_refused(const char *name, const new_file_options *options, ptl_status status,
                           const char *why)
{
    const int before = count_files();
    ck_assert_msg(write_as(name, options) == status, "%s: %d %s", name, err.status,
                  err.message);
    ck_assert_msg(strstr(err.message, name) && strstr(err.message, why), "%s", err.message);
    ck_assert_int_eq(count_files(), before);
}

static struct stat look(const char *name)
{
    struct stat info;
    ck_assert_int_eq(lstat(name, &info), 0);
    return info;
}

START_TEST(a_new_name)
{
    const new_file_options *const all[] = {&replace, &force, &absent, &device};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        ck_assert_msg(write_as(path, all[i]) == PTL_OK, "%s", err.message);
        assert_text(path, "new");
        const struct stat info = look(path);
        ck_assert_uint_eq(info.st_mode, S_IFREG | 0644);
        ck_assert_uint_eq(info.st_nlink, 1);
        ck_assert_int_eq(count_files(), 1);
        unlink(path);
    }
}
END_TEST

START_TEST(an_old_file)
{
    put(path, "old", 3);
    ck_assert_int_eq(chmod(path, 0640), 0);
    ck_assert_int_eq(link(path, other), 0); /* another name of it keeps what it was */
    assert_refused(path, &absent, PTL_ERR_EXISTS, "exists already");
    assert_text(path, "old");
    ck_assert_int_eq(write_as(path, &replace), PTL_OK);
    assert_text(path, "new");
    assert_text(other, "old");
    ck_assert_uint_eq(look(path).st_mode, S_IFREG | 0640);
    ck_assert_int_eq(count_files(), 2);
    ck_assert_int_eq(write_as(other, &force), PTL_OK);
    assert_text(other, "new");
}
END_TEST

/* What is there is whole until the new one is; then it is the new one at once. */
START_TEST(until_it_is_published)
{
    new_file f;
    put(path, "old", 3);
    ck_assert_int_eq(new_file_open(&f, path, &replace, &err), PTL_OK);
    ck_assert_int_eq(new_file_write(&f, "new", 3, &err), PTL_OK);
    assert_text(path, "old");
    assert_text(f.temporary, "new");
    ck_assert_msg(strncmp(f.temporary, path, strlen(path)) == 0 &&
                      strncmp(f.temporary + strlen(path), ".portolan-", 10) == 0,
                  "%s", f.temporary);
    ck_assert_uint_eq(look(f.temporary).st_mode & 0077, 0); /* as narrow as it may become */
    ck_assert_int_eq(new_file_sync(&f, &err), PTL_OK);
    assert_text(path, "old");
    ck_assert_int_eq(new_file_rename(&f, &err), PTL_OK);
    assert_text(path, "new");
    ck_assert_int_eq(new_file_sync_folder(&f, &err), PTL_OK);
    new_file_close(&f);
    new_file_close(&f);
    ck_assert_int_eq(count_files(), 1);
    ck_assert_int_eq(new_file_open(&f, path, &replace, &err), PTL_OK);
    ck_assert_int_eq(new_file_write(&f, "never", 5, &err), PTL_OK);
    new_file_close(&f);
    assert_text(path, "new");
    ck_assert_int_eq(count_files(), 1);
}
END_TEST

static int unsynced = -1; /* what fsync can't sync */

/* The linker's names (--wrap). */
/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
    if (fd != unsynced)
        return __real_fsync(fd);
    errno = EIO;
    return -1;
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

/* The name of a new file that may get lost is free for the next try; a file by a rule that
 * replaces, or one that somebody put there meanwhile, stays. */
START_TEST(a_folder_that_is_not_synced)
{
    const new_file_options *const all[] = {&absent, &replace, &absent};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const bool taken = i == 2;
        new_file f;
        ck_assert_int_eq(new_file_open(&f, path, all[i], &err), PTL_OK);
        ck_assert_int_eq(new_file_write(&f, "new", 3, &err), PTL_OK);
        ck_assert_int_eq(new_file_sync(&f, &err), PTL_OK);
        ck_assert_int_eq(new_file_rename(&f, &err), PTL_OK);
        if (taken) {
            unlink(path);
            put(path, "other", 5);
        }
        unsynced = f.folder;
        ck_assert_int_eq(new_file_sync_folder(&f, &err), PTL_ERR_IO);
        unsynced = -1;
        ck_assert_msg(strstr(err.message, "syncing its folder"), "%s", err.message);
        new_file_close(&f);
        ck_assert_int_eq(count_files(), all[i] == &replace || taken);
        ck_assert_int_eq(write_as(path, all[i]), taken ? PTL_ERR_EXISTS : PTL_OK);
        assert_text(path, taken ? "other" : "new");
        unlink(path);
    }
}
END_TEST

START_TEST(no_regular_file)
{
    const new_file_options *const all[] = {&replace, &force, &absent, &device};
    put(other, "old", 3);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        ck_assert_int_eq(symlink(other, path), 0);
        assert_refused(path, all[i], PTL_ERR_ARGUMENT, "symbolic link");
        assert_text(other, "old");
        unlink(path);
        ck_assert_int_eq(symlink("nowhere", path), 0);
        assert_refused(path, all[i], PTL_ERR_ARGUMENT, "symbolic link");
        unlink(path);
        ck_assert_int_eq(symlink(".", path), 0);
        assert_refused(path, all[i], PTL_ERR_ARGUMENT, "symbolic link");
        unlink(path);
        ck_assert_int_eq(symlink("/dev/null", path), 0);
        assert_refused(path, all[i], PTL_ERR_ARGUMENT, "symbolic link");
        unlink(path);
        ck_assert_int_eq(mkfifo(path, 0600), 0);
        assert_refused(path, all[i], PTL_ERR_ARGUMENT, "a named pipe");
        unlink(path);
        ck_assert_int_eq(mkdir(path, 0700), 0);
        assert_refused(path, all[i], PTL_ERR_ARGUMENT, "a folder");
        rmdir(path);
        struct sockaddr_un name = {.sun_family = AF_UNIX};
        ck_assert_uint_lt(strlen(path), sizeof name.sun_path);
        strcpy(name.sun_path, path);
        const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        ck_assert_int_eq(bind(fd, (struct sockaddr *)&name, sizeof name), 0);
        assert_refused(path, all[i], PTL_ERR_ARGUMENT, "a socket");
        close(fd);
        unlink(path);
    }
    assert_refused(dir, &replace, PTL_ERR_ARGUMENT, "a folder");
    snprintf(path, sizeof path, "%s/", dir);
    ck_assert_int_ne(write_as(path, &replace), PTL_OK);
    ck_assert_int_eq(write_as("", &replace), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(write_as(NULL, &replace), PTL_ERR_ARGUMENT);
}
END_TEST

START_TEST(devices)
{
    new_file f;
    const struct stat before = look("/dev/null");
    ck_assert_int_eq(write_as("/dev/null", &device), PTL_OK);
    ck_assert_int_eq(write_as("/dev/null", &replace), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(write_as("/dev/null", &force), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(new_file_open(&f, "/dev/full", &device, &err), PTL_OK);
    ck_assert_ptr_null(f.temporary);
    ck_assert_int_eq(new_file_write(&f, "x", 1, &err), PTL_ERR_IO);
    new_file_close(&f);
    const struct stat after = look("/dev/null");
    ck_assert(before.st_ino == after.st_ino && before.st_rdev == after.st_rdev);
}
END_TEST

/* By whatever name. */
START_TEST(inputs)
{
    file_id ids[2];
    put(other, "read", 4);
    put(path, "old", 3);
    ck_assert(file_id_of_path(&ids[0], path) && file_id_of_path(&ids[1], other));
    unlink(path);
    const new_file_rule rules[] = {NEW_FILE_REPLACE, NEW_FILE_FORCE, NEW_FILE_ABSENT};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const new_file_options options = {
            .rule = rules[i], .device = true, .inputs = ids, .input_count = 2};
        assert_refused(other, &options, PTL_ERR_ARGUMENT, "is the file itself");
        ck_assert_int_eq(link(other, path), 0);
        assert_refused(path, &options, PTL_ERR_ARGUMENT, "is the file itself");
        unlink(path);
    }
    assert_text(other, "read");
    ck_assert(!file_id_of_path(&ids[0], path));
}
END_TEST

START_TEST(databases)
{
    char beside[160];
    put(path, DATABASE, sizeof DATABASE);
    assert_refused(path, &replace, PTL_ERR_ARGUMENT, "is a database");
    static const char *const tails[] = {"-journal", "-wal", "-shm", "-lock"};
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        snprintf(beside, sizeof beside, "%s%s", path, tails[i]);
        assert_refused(beside, &replace, PTL_ERR_ARGUMENT, "belongs to the database");
        assert_refused(beside, &absent, PTL_ERR_ARGUMENT, "belongs to the database");
        put(beside, "", 0);
        assert_refused(beside, &force, PTL_ERR_ARGUMENT, "belongs to the database");
        unlink(beside);
        snprintf(beside, sizeof beside, "%s%s", other, tails[i]); /* beside nothing */
        ck_assert_int_eq(write_as(beside, &replace), PTL_OK);
    }
    snprintf(beside, sizeof beside, "%s-lock", path);
    const new_file_options own = {.rule = NEW_FILE_OWN_NAME};
    ck_assert_int_eq(write_as(beside, &own), PTL_OK);
    assert_refused(beside, &own, PTL_ERR_EXISTS, "exists already");
    snprintf(beside, sizeof beside, "%s/-wal", dir); /* a name of nothing else */
    ck_assert_int_eq(write_as(beside, &replace), PTL_OK);
    ck_assert_int_eq(write_as(path, &force), PTL_OK);
    assert_text(path, "new");
}
END_TEST

START_TEST(permissions)
{
    put(path, "old", 3);
    ck_assert_int_eq(chmod(path, 0444), 0);
    assert_refused(path, &replace, PTL_ERR_READONLY, "write-protected");
    assert_text(path, "old");
    ck_assert_int_eq(write_as(path, &force), PTL_OK);
    ck_assert_uint_eq(look(path).st_mode, S_IFREG | 0444);
    const new_file_options narrow = {.rule = NEW_FILE_FORCE, .permissions = 0600};
    ck_assert_int_eq(write_as(path, &narrow), PTL_OK);
    ck_assert_uint_eq(look(path).st_mode, S_IFREG | 0600);
    unlink(path);
    ck_assert_int_eq(mkdir(path, 0555), 0);
    snprintf(other, sizeof other, "%s/a", path);
    const pid_t pid = fork();
    if (pid == 0) { /* root may write everywhere: be somebody else */
        if (geteuid() == 0 && (chmod(dir, 0755) != 0 || setuid(65534) != 0))
            _exit(1);
        _exit(access(dir, R_OK) == 0 && write_as(other, &replace) != PTL_ERR_READONLY ? 2 : 0);
    }
    int state = 1;
    ck_assert(waitpid(pid, &state, 0) == pid && state == 0);
    snprintf(other, sizeof other, "%s/none/a", dir);
    assert_refused(other, &replace, PTL_ERR_NOT_FOUND, "No such file");
}
END_TEST

/* What somebody else does between the beginning and the end. */
START_TEST(meanwhile)
{
    new_file f;
    const new_file_options *const all[] = {&absent, &replace, &force};
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(new_file_open(&f, path, all[i], &err), PTL_OK);
        put(path, DATABASE, sizeof DATABASE);
        const ptl_status status = new_file_publish(&f, &err);
        ck_assert_int_eq(status, i == 0 ? PTL_ERR_EXISTS : i == 1 ? PTL_ERR_ARGUMENT : PTL_OK);
        new_file_close(&f);
        memset(&err, 0, sizeof err);
        ck_assert_int_eq(look(path).st_size, i < 2 ? (off_t)sizeof DATABASE : 0);
        ck_assert_int_eq(count_files(), 1);
        unlink(path);
        ck_assert_int_eq(new_file_open(&f, path, all[i], &err), PTL_OK);
        ck_assert_int_eq(symlink(other, path), 0);
        ck_assert_int_eq(new_file_publish(&f, &err), PTL_ERR_ARGUMENT);
        new_file_close(&f);
        memset(&err, 0, sizeof err);
        ck_assert(S_ISLNK(look(path).st_mode) && access(other, F_OK) != 0);
        unlink(path);
        ck_assert_int_eq(count_files(), 0);
    }
    /* its temporary name becomes another file's: neither published nor removed */
    ck_assert_int_eq(new_file_open(&f, path, &replace, &err), PTL_OK);
    snprintf(other, sizeof other, "%s", f.temporary);
    unlink(other);
    put(other, "theirs", 6);
    ck_assert_int_eq(new_file_publish(&f, &err), PTL_ERR_IO);
    new_file_close(&f);
    assert_text(other, "theirs");
    ck_assert_int_eq(count_files(), 1);
}
END_TEST

/* Long names, names without a folder, and those that SQLite would take for a URI. */
START_TEST(names)
{
    new_file f;
    char long_name[NAME_MAX + 1];
    ck_assert_int_eq(chdir(dir), 0);
    memset(long_name, 'n', NAME_MAX);
    long_name[NAME_MAX] = '\0';
    for (size_t i = 100; i < 220; i += 2) /* two bytes each: cut between them, not inside */
        memcpy(long_name + i, "\xc3\xa4", 2);
    ck_assert_msg(write_as(long_name, &absent) == PTL_OK, "%s", err.message);
    ck_assert_int_eq(new_file_open(&f, long_name, &replace, &err), PTL_OK);
    const char *cut = strstr(f.temporary, ".portolan-");
    ck_assert(cut && (unsigned char)cut[-1] == 0xa4 && strlen(f.temporary) < NAME_MAX - 7);
    new_file_close(&f);
    ck_assert_int_eq(new_file_open(&f, "file:a?mode=memory", &absent, &err), PTL_OK);
    ck_assert_msg(strncmp(f.temporary, "./file:a?mode=memory.portolan-", 30) == 0, "%s",
                  f.temporary);
    ck_assert_int_eq(new_file_publish(&f, &err), PTL_OK);
    new_file_close(&f);
    assert_text("file:a?mode=memory", "");
    ck_assert_int_eq(count_files(), 2);
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(new_file_open(&f, "/no-file-of-ours", &absent, &err) == PTL_OK,
                     access("/", W_OK) == 0);
    new_file_close(&f);
    memset(&err, 0, sizeof err);
    long_name[0] = '/';
    ck_assert_int_ne(write_as("/dev/null/x", &absent), PTL_OK);
}
END_TEST

/* Many processes, one name: each reader finds a whole file; of those that want nothing there
 * one gets it. */
START_TEST(many_at_once)
{
    enum { PROCESSES = 6, ROUNDS = 200, SIZE = 5000 };
    pid_t pids[PROCESSES];
    char data[SIZE];
    const bool alone = _i == 1;
    for (int i = 0; i < PROCESSES; i++) {
        pids[i] = fork();
        if (pids[i] != 0)
            continue;
        int won = 0;
        memset(data, 'a' + i, sizeof data);
        for (int round = 0; round < ROUNDS; round++) {
            new_file f;
            char name[160];
            snprintf(name, sizeof name, alone ? "%s-%d" : "%s", path, round);
            ptl_status status = new_file_open(&f, name, alone ? &absent : &replace, &err);
            if (status == PTL_OK)
                status = new_file_write(&f, data, sizeof data, &err);
            if (status == PTL_OK)
                status = new_file_publish(&f, &err);
            new_file_close(&f);
            won += status == PTL_OK;
            if (status != PTL_OK && (!alone || status != PTL_ERR_EXISTS))
                _exit(255);
            memset(&err, 0, sizeof err);
            const int fd = open(name, O_RDONLY);
            if (fd < 0 || read(fd, data, SIZE) != SIZE || memchr(data, 0, SIZE) ||
                memcmp(data, data + 1, SIZE - 1) != 0)
                _exit(254);
            close(fd);
            memset(data, 'a' + i, sizeof data);
        }
        _exit(won);
    }
    int won = 0;
    for (int i = 0; i < PROCESSES; i++) {
        int state = -1;
        ck_assert_int_eq(waitpid(pids[i], &state, 0), pids[i]);
        ck_assert(WIFEXITED(state));
        ck_assert_int_le(WEXITSTATUS(state), ROUNDS);
        won += WEXITSTATUS(state);
    }
    ck_assert_int_eq(won, alone ? ROUNDS : ROUNDS * PROCESSES);
    ck_assert_int_eq(count_files(), alone ? ROUNDS : 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("new_file");
    TCase *tc = tcase_create("new_file");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_new_name);
    tcase_add_test(tc, an_old_file);
    tcase_add_test(tc, until_it_is_published);
    tcase_add_test(tc, a_folder_that_is_not_synced);
    tcase_add_test(tc, no_regular_file);
    tcase_add_test(tc, devices);
    tcase_add_test(tc, inputs);
    tcase_add_test(tc, databases);
    tcase_add_test(tc, permissions);
    tcase_add_test(tc, meanwhile);
    tcase_add_test(tc, names);
    tcase_add_loop_test(tc, many_at_once, 0, 2);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
