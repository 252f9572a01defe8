/* Who may write: the lock file, refusals that name the holder, waiting, sharing, crashes. */
#include "portolan/portolan.h"
#include "support/suite.h"
#include "support/test_folder.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char dir[64], path[96], lock_path[112];
static ptl_error err;
static int release_end; /* of the pipe on which the last child of `hold` waits */

static ptl_status open_as(ptl_store **store, ptl_open_mode mode, ptl_writers writers, int wait)
{
    const ptl_open_options options = {.size = sizeof options,
                                      .mode = mode,
                                      .writers = writers,
                                      .wait_ms = wait,
                                      .program = "test_writers"};
    memset(&err, 0, sizeof err);
    return ptl_store_open(store, path, &options, &err);
}

static void setup(void)
{
    ptl_store *store = NULL;
    test_folder(dir, sizeof dir);
    snprintf(path, sizeof path, "%s/w.ptl", dir);
    snprintf(lock_path, sizeof lock_path, "%s-lock", path);
    ck_assert_msg(open_as(&store, PTL_OPEN_CREATE, PTL_WRITERS_ONE, 0) == PTL_OK, "%s",
                  err.message);
    ck_assert_int_eq(access(lock_path, F_OK), 0);
    ptl_store_close(store);
    ck_assert_int_ne(access(lock_path, F_OK), 0);
}

static void teardown(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    ck_assert_int_eq(system(command), 0);
}

static void sleep_ms(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

/* Starts a child that holds the lock until `release` or its end; it has the lock on return. */
static pid_t hold(ptl_writers writers)
{
    int said[2], told[2];
    char byte = 0;
    ck_assert_int_eq(pipe(said), 0);
    ck_assert_int_eq(pipe(told), 0);
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        ptl_store *mine = NULL;
        close(said[0]);
        close(told[1]);
        byte = open_as(&mine, PTL_OPEN_WRITE, writers, 0) == PTL_OK ? 'y' : 'n';
        if (write(said[1], &byte, 1) != 1 || read(told[0], &byte, 1) != 1)
            _exit(2);
        ptl_store_close(mine);
        _exit(0);
    }
    close(said[1]);
    close(told[0]);
    ck_assert_int_eq(read(said[0], &byte, 1), 1);
    close(said[0]);
    ck_assert_msg(byte == 'y', "the child could not open the file");
    release_end = told[1];
    return pid;
}

/* Tells the last child of `hold` to close its store. */
static void release(void)
{
    ck_assert_int_eq(write(release_end, "", 1), 1);
}

static void end_child(pid_t pid, bool kill_it)
{
    int state = 1;
    if (kill_it)
        kill(pid, SIGKILL);
    ck_assert_int_eq(waitpid(pid, &state, 0), pid);
    ck_assert(kill_it ? WIFSIGNALED(state) : state == 0);
}

/* Refused, and the message names that process. */
static void assert_names(pid_t pid, ptl_writers writers)
{
    char wanted[64];
    ptl_store *store = NULL;
    snprintf(wanted, sizeof wanted, "process %ld on ", (long)pid);
    ck_assert_int_eq(open_as(&store, PTL_OPEN_WRITE, writers, 0), PTL_ERR_BUSY);
    ck_assert_ptr_null(store);
    ck_assert_int_eq(err.backend_code, 0);
    ck_assert_msg(strstr(err.message, wanted) && strstr(err.message, path) &&
                      strstr(err.message, "(test_writers) has been writing it since 20"),
                  "%s", err.message);
}

START_TEST(second_writer_is_told_of_the_first)
{
    ptl_store *store = NULL;
    pid_t pid = hold(PTL_WRITERS_ONE);
    assert_names(pid, PTL_WRITERS_ONE);
    assert_names(pid, PTL_WRITERS_SHARED);
    ck_assert_int_eq(open_as(&store, PTL_OPEN_READ, PTL_WRITERS_ONE, 0), PTL_OK);
    ptl_store_close(store);
    end_child(pid, true);
    ck_assert_int_eq(access(lock_path, F_OK), 0); /* left behind, and harmless */
    ck_assert_int_eq(open_as(&store, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0), PTL_OK);
    ptl_store_close(store);
    ck_assert_int_ne(access(lock_path, F_OK), 0);
}
END_TEST

START_TEST(one_process_twice)
{
    ptl_store *first = NULL, *second = NULL;
    ck_assert_int_eq(open_as(&first, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0), PTL_OK);
    ck_assert_int_eq(open_as(&second, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0), PTL_ERR_BUSY);
    ck_assert_msg(strstr(err.message, "this process") != NULL, "%s", err.message);
    ptl_store_close(first);
    ck_assert_int_eq(open_as(&second, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0), PTL_OK);
    ptl_store_close(second);
}
END_TEST

START_TEST(shared_writers)
{
    ptl_store *a = NULL, *b = NULL, *c = NULL;
    ck_assert_int_eq(open_as(&a, PTL_OPEN_WRITE, PTL_WRITERS_SHARED, 0), PTL_OK);
    pid_t pid = hold(PTL_WRITERS_SHARED);
    ck_assert_int_eq(open_as(&b, PTL_OPEN_WRITE, PTL_WRITERS_SHARED, 0), PTL_OK);
    ck_assert_int_eq(open_as(&c, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0), PTL_ERR_BUSY);
    ck_assert_msg(strstr(err.message, "sharing it") != NULL, "%s", err.message);
    ptl_store_close(a);
    ptl_store_close(b);
    ck_assert_int_eq(access(lock_path, F_OK), 0);
    assert_names(pid, PTL_WRITERS_ONE); /* not us, whose records came later */
    end_child(pid, true);
    ck_assert_int_eq(open_as(&c, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0), PTL_OK);
    ck_assert_int_eq(open_as(&a, PTL_OPEN_WRITE, PTL_WRITERS_SHARED, 0), PTL_ERR_BUSY);
    ptl_store_close(c);
    ck_assert_int_eq(open_as(&a, PTL_OPEN_WRITE, PTL_WRITERS_SHARED, 0), PTL_OK);
    ptl_store_close(a);
    ck_assert_int_ne(access(lock_path, F_OK), 0);
}
END_TEST

typedef struct waits {
    int count, stop_after; /* 0: never */
    double release_after;  /* seconds; 0: never */
    double seconds;
    char whom[200];
} waits;

static bool count_wait(void *payload, const ptl_wait *wait)
{
    waits *w = payload;
    w->seconds = wait->seconds;
    snprintf(w->whom, sizeof w->whom, "%s", wait->whom);
    if (w->release_after > 0 && w->seconds >= w->release_after && w->count > 0) {
        release();
        w->release_after = 0;
    }
    return ++w->count != w->stop_after;
}

START_TEST(waiting)
{
    char wanted[64];
    waits seen = {.release_after = 0.1};
    ptl_store *store = NULL;
    ptl_open_options options = {.size = sizeof options,
                                .mode = PTL_OPEN_WRITE,
                                .wait_ms = -1,
                                .on_wait = count_wait,
                                .payload = &seen};
    pid_t pid = hold(PTL_WRITERS_ONE);
    snprintf(wanted, sizeof wanted, "process %ld on ", (long)pid);
    ck_assert_int_eq(ptl_store_open(&store, path, &options, &err), PTL_OK);
    ck_assert_int_gt(seen.count, 1);
    ck_assert(seen.seconds >= 0.1);
    ck_assert_msg(strstr(seen.whom, wanted) != NULL, "%s", seen.whom);
    ptl_store_close(store);
    end_child(pid, false);
    pid = hold(PTL_WRITERS_ONE);
    seen = (waits){.stop_after = 3};
    ck_assert_int_eq(ptl_store_open(&store, path, &options, &err), PTL_ERR_CANCELLED);
    ck_assert_int_eq(seen.count, 3);
    ck_assert_msg(strstr(err.message, wanted) == NULL && strstr(err.message, "process"), "%s",
                  err.message);
    ck_assert_int_eq(open_as(&store, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 150), PTL_ERR_BUSY);
    end_child(pid, true);
}
END_TEST

START_TEST(all_names_of_a_file_share_the_lock)
{
    char other[96], file[96];
    ptl_store *store = NULL;
    snprintf(other, sizeof other, "%s/link.ptl", dir);
    ck_assert_int_eq(symlink("w.ptl", other), 0);
    pid_t pid = hold(PTL_WRITERS_ONE);
    strcpy(file, path);
    strcpy(path, other);
    assert_names(pid, PTL_WRITERS_ONE);
    snprintf(path, sizeof path, "%s/../%s/w.ptl", dir, strrchr(dir, '/') + 1);
    assert_names(pid, PTL_WRITERS_ONE);
    end_child(pid, true);
    ck_assert_int_eq(open_as(&store, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0), PTL_OK);
    ptl_store_close(store);
    strcpy(path, file);
}
END_TEST

static void write_lock_file(const char *text)
{
    FILE *file = fopen(lock_path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

static void assert_lock_file(const char *text)
{
    char found[256] = "";
    FILE *file = fopen(lock_path, "r");
    ck_assert_ptr_nonnull(file);
    size_t size = fread(found, 1, sizeof found - 1, file);
    fclose(file);
    ck_assert_uint_eq(size, strlen(text));
    ck_assert_str_eq(found, text);
}

/* Refused, for something that is no lock of ours. */
static void assert_strange(const char *why)
{
    ptl_store *store = NULL;
    ck_assert_int_eq(open_as(&store, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0), PTL_ERR_EXISTS);
    ck_assert_msg(strstr(err.message, lock_path) && strstr(err.message, why), "%s",
                  err.message);
    ck_assert_int_eq(open_as(&store, PTL_OPEN_READ, PTL_WRITERS_ONE, 0), PTL_OK);
    ptl_store_close(store);
}

static const char RECORD[] = "pid 1\nhost here\nprogram x\nsince y\nwriters one\n";

/* Files of somebody else's, at the lock's name: they stay. */
START_TEST(strange_lock_files)
{
    static const char *const texts[] = {
        "notes of somebody",
        "pid",
        "pid \n\n\n\nhost\n",
        "pid 99999999999999999999999\nhost \033[31m\nprogram \n",
        "pid x\nhost here\nprogram x\nsince y\nwriters one\n",
        "pid 1\nhost here\nprogram x\nsince y\nwriters one",
        "# pid 1\nhost here\nprogram x\nsince y\nwriters one\n",
        "\377\376\001 no text at all",
        "\n\n\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        write_lock_file(texts[i]);
        assert_strange("it holds something else");
        assert_lock_file(texts[i]);
    }
    write_lock_file("");
    assert_strange("it is empty");
    ptl_store *store = NULL; /* nor does waiting help */
    ck_assert_int_eq(open_as(&store, PTL_OPEN_WRITE, PTL_WRITERS_SHARED, 3000), PTL_ERR_EXISTS);
    ck_assert_int_eq(open_as(&store, PTL_OPEN_WRITE, PTL_WRITERS_ONE, -1), PTL_ERR_EXISTS);
    assert_lock_file("");
}
END_TEST

/* A world file that is called so, a second name of the world file or of a lock, and what is no
 * file. */
START_TEST(strange_things_at_the_name_of_the_lock)
{
    char target[96];
    struct stat before, after;
    ptl_store *store = NULL;
    const ptl_open_options create = {.size = sizeof create, .mode = PTL_OPEN_CREATE};
    ck_assert_int_eq(ptl_store_open(&store, lock_path, &create, &err), PTL_OK);
    ptl_store_close(store);
    ck_assert_int_eq(stat(lock_path, &before), 0);
    assert_strange("it is too large");
    ck_assert_int_eq(stat(lock_path, &after), 0);
    ck_assert(before.st_size == after.st_size && before.st_ino == after.st_ino);
    unlink(lock_path);
    ck_assert_int_eq(link(path, lock_path), 0);
    assert_strange("it has more than one name");
    unlink(lock_path);
    snprintf(target, sizeof target, "%s/target", dir);
    write_lock_file(RECORD);
    ck_assert_int_eq(link(lock_path, target), 0);
    assert_strange("it has more than one name");
    assert_lock_file(RECORD);
    unlink(target);
    unlink(lock_path);
    ck_assert_int_eq(mkfifo(lock_path, 0600), 0);
    assert_strange("it is not a regular file");
    unlink(lock_path);
    ck_assert_int_eq(mkdir(lock_path, 0700), 0);
    assert_strange("it is not a regular file");
    rmdir(lock_path);
    ck_assert_int_eq(symlink(target, lock_path), 0);
    assert_strange("it is a symbolic link");
    ck_assert_int_ne(access(target, F_OK), 0);
    ptl_store *memory = NULL;
    ck_assert_int_eq(ptl_store_open(&memory, ":memory:", &create, &err), PTL_OK);
    ptl_store_close(memory);
}
END_TEST

/* What killed writers left, also of 0.1.0. */
START_TEST(locks_that_are_left_behind)
{
    static const char *const texts[] = {
        "pid 1\nhost here\nprogram x\nsince y\nwriters one\n",
        "pid 0000\nhost here\nprogram x\nsince y\nwriters shared\n",
        "\n\n\n\n\npid 1\nhost here\nprogram x\nsince y\nwriters shared\n",
        "pid 1\nhost here\nprogram x\nsince y\nwriters one\nthe end of a longer one\n",
        "pid 99999999999999999999999\nhost \033[31m\nprogram \nsince \nwriters \n",
    };
    for (size_t i = 0; i < 2 * sizeof texts / sizeof texts[0]; i++) {
        ptl_store *store = NULL, *second = NULL;
        const ptl_writers writers = i % 2 ? PTL_WRITERS_SHARED : PTL_WRITERS_ONE;
        write_lock_file(texts[i / 2]);
        ck_assert_msg(open_as(&store, PTL_OPEN_WRITE, writers, 0) == PTL_OK, "%s", err.message);
        ck_assert_int_eq(open_as(&second, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0), PTL_ERR_BUSY);
        ck_assert_msg(strstr(err.message, "this process"), "%s", err.message);
        write_lock_file(texts[i / 2]); /* somebody overwrites the holder's record */
        ck_assert_int_eq(open_as(&second, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0), PTL_ERR_BUSY);
        ck_assert_ptr_null(second);
        ck_assert_ptr_null(strchr(err.message, '\033'));
        ptl_store_close(store);
        ck_assert_int_ne(access(lock_path, F_OK), 0);
    }
}
END_TEST

/* What a power failure may tear comes behind a record that was synced long before: of a new
 * file, and of one that was left behind and is taken again. */
START_TEST(the_first_record_stays)
{
    static const char first[] = "pid 0\n", noise[] = "\377\001pid \n";
    for (int i = 0; i < 4; i++) {
        ptl_store *store = NULL;
        char text[1024], left[128];
        const char *begins = i < 2 ? first : RECORD;
        snprintf(left, sizeof left, "%s%s", RECORD, noise);
        if (i >= 2)
            write_lock_file(left);
        ck_assert_msg(open_as(&store, PTL_OPEN_WRITE,
                              i % 2 ? PTL_WRITERS_SHARED : PTL_WRITERS_ONE, 0) == PTL_OK,
                      "%s", err.message);
        FILE *f = fopen(lock_path, "r");
        ck_assert_ptr_nonnull(f);
        text[fread(text, 1, sizeof text - 1, f)] = '\0';
        fclose(f);
        ck_assert_msg(strncmp(text, begins, strlen(begins)) == 0, "'%s'", text);
        ck_assert_ptr_nonnull(strstr(text + strlen(begins) - 1, "\npid "));
        ptl_store_close(store);
        ck_assert_int_ne(access(lock_path, F_OK), 0);
    }
}
END_TEST

/* Something else is written into the lock while it is held: that stays, too. */
START_TEST(a_lock_that_is_overwritten)
{
    ptl_store *store = NULL;
    ck_assert_int_eq(open_as(&store, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0), PTL_OK);
    write_lock_file("notes of somebody");
    ptl_store_close(store);
    assert_lock_file("notes of somebody");
}
END_TEST

/* 0.1.0 makes the file empty, and writes its record a moment later. A busy machine may let
 * that moment pass, so there are several tries. */
START_TEST(the_lock_of_an_older_portolan)
{
    enum { TRIES = 20 };
    ptl_store *store = NULL;
    ptl_status status = PTL_ERR_EXISTS;
    for (int i = 0; i < TRIES && status == PTL_ERR_EXISTS; i++) {
        write_lock_file("");
        int fd = open(lock_path, O_RDWR);
        ck_assert_int_eq(flock(fd, LOCK_EX | LOCK_NB), 0);
        pid_t pid = fork();
        if (pid == 0) {
            sleep_ms(60);
            _exit(write(fd, RECORD, strlen(RECORD)) == (ssize_t)strlen(RECORD) ? 0 : 1);
        }
        status = open_as(&store, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0);
        end_child(pid, false);
        close(fd);
    }
    ck_assert_int_eq(status, PTL_ERR_BUSY);
    ck_assert_int_eq(open_as(&store, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0), PTL_OK);
    ptl_store_close(store);
}
END_TEST

/* At whatever moment one looks, the lock of an open store has a record and one name, and is
 * locked. */
START_TEST(a_lock_is_never_without_its_record)
{
    enum { WANTED = 300 };
    int seen = 0;
    pid_t pid = fork();
    if (pid == 0) {
        for (;;) {
            ptl_store *store = NULL;
            if (open_as(&store, PTL_OPEN_WRITE, PTL_WRITERS_ONE, -1) != PTL_OK)
                _exit(1);
            ptl_store_close(store);
        }
    }
    while (seen < WANTED) { /* or until Check's time is over */
        char text[64] = "";
        struct stat info;
        const int fd = open(lock_path, O_RDONLY);
        const ssize_t size = fd < 0 ? -1 : pread(fd, text, sizeof text - 1, 0);
        ck_assert(fd < 0 || fstat(fd, &info) == 0);
        if (fd < 0)
            continue;
        ck_assert_msg(size > 0 && strncmp(text, "pid ", 4) == 0, "'%s'", text);
        ck_assert_uint_le(info.st_nlink, 1);
        ck_assert(flock(fd, LOCK_EX | LOCK_NB) != 0 || fstat(fd, &info) != 0 ||
                  info.st_nlink == 0);
        seen++;
        close(fd);
    }
    end_child(pid, true);
}
END_TEST

/* The lock file is removed while it is held: the holder notices nothing, and at its end it
 * leaves the next one's file alone. */
START_TEST(a_removed_lock_file)
{
    ptl_store *first = NULL, *second = NULL, *third = NULL;
    ck_assert_int_eq(open_as(&first, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0), PTL_OK);
    unlink(lock_path);
    ck_assert_int_eq(open_as(&second, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0), PTL_OK);
    ptl_store_close(first);
    ck_assert_int_eq(access(lock_path, F_OK), 0);
    ck_assert_int_eq(open_as(&third, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0), PTL_ERR_BUSY);
    ptl_store_close(second);
    ck_assert_int_ne(access(lock_path, F_OK), 0);
}
END_TEST

/* What store.h asks a child not to do; if it does, the parent's lock holds all the same. */
START_TEST(a_child_that_closes_the_store)
{
    ptl_store *store = NULL, *second = NULL;
    ck_assert_int_eq(open_as(&store, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0), PTL_OK);
    pid_t pid = fork();
    if (pid == 0) {
        ptl_store_close(store);
        _exit(0);
    }
    end_child(pid, false);
    ck_assert_int_eq(access(lock_path, F_OK), 0);
    ck_assert_int_eq(open_as(&second, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0), PTL_ERR_BUSY);
    ptl_store_close(store);
}
END_TEST

/* ---- contention ---- */

enum { PROCESSES = 8 };

/* Opens again and again; while the store is open a marker file proves that nobody else's is.
 * Every third time the process behaves as if it had been killed. */
static int contend(int number, int rounds, ptl_writers writers)
{
    char marker[96];
    snprintf(marker, sizeof marker, "%s/marker", dir);
    for (int i = 0; i < rounds; i++) {
        ptl_store *store = NULL;
        if (open_as(&store, PTL_OPEN_WRITE, writers, -1) != PTL_OK) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
        int file = writers == PTL_WRITERS_ONE ? open(marker, O_CREAT | O_EXCL, 0600) : -1;
        if (writers == PTL_WRITERS_ONE && (file < 0 || close(file) != 0))
            return 2;
        sleep_ms((number + i) % 3);
        if (writers == PTL_WRITERS_ONE && unlink(marker) != 0)
            return 3;
        if ((number + i) % 3 == 0 && i + 1 == rounds)
            return 0;
        ptl_store_close(store);
    }
    return 0;
}

START_TEST(eight_processes)
{
    const ptl_writers writers = _i == 0 ? PTL_WRITERS_ONE : PTL_WRITERS_SHARED;
    const char *count = getenv("PORTOLAN_SOAK_WRITERS");
    const int rounds = count ? atoi(count) : 15;
    pid_t pids[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        pids[i] = fork();
        ck_assert_int_ge(pids[i], 0);
        if (pids[i] == 0)
            _exit(contend(i, rounds, writers));
    }
    for (int i = 0; i < PROCESSES; i++)
        end_child(pids[i], false);
    ptl_store *store = NULL;
    ck_assert_int_eq(open_as(&store, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0), PTL_OK);
    ptl_store_close(store);
    ck_assert_int_ne(access(lock_path, F_OK), 0);
}
END_TEST

/* Where a directory can't be written, nobody writes; root is asked to be somebody else. */
START_TEST(read_only_directory)
{
    pid_t pid = fork();
    if (pid == 0) {
        ptl_store *store = NULL;
        if (chmod(dir, 0555) != 0 || chmod(path, 0666) != 0)
            _exit(2);
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(3);
        if (access(path, W_OK) != 0)
            _exit(0); /* the scratch folder itself is closed to others */
        if (open_as(&store, PTL_OPEN_WRITE, PTL_WRITERS_ONE, 0) != PTL_ERR_READONLY)
            _exit(4);
        if (!strstr(err.message, "w.ptl-lock: "))
            _exit(5);
        _exit(open_as(&store, PTL_OPEN_READ, PTL_WRITERS_ONE, 0) == PTL_OK ? 0 : 6);
    }
    end_child(pid, false);
    ck_assert_int_eq(chmod(dir, 0755), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("writers");
    TCase *tc = tcase_create("writers");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, second_writer_is_told_of_the_first);
    tcase_add_test(tc, one_process_twice);
    tcase_add_test(tc, shared_writers);
    tcase_add_test(tc, waiting);
    tcase_add_test(tc, all_names_of_a_file_share_the_lock);
    tcase_add_test(tc, strange_lock_files);
    tcase_add_test(tc, strange_things_at_the_name_of_the_lock);
    tcase_add_test(tc, locks_that_are_left_behind);
    tcase_add_test(tc, the_first_record_stays);
    tcase_add_test(tc, a_lock_that_is_overwritten);
    tcase_add_test(tc, the_lock_of_an_older_portolan);
    tcase_add_test(tc, a_lock_is_never_without_its_record);
    tcase_add_test(tc, a_removed_lock_file);
    tcase_add_test(tc, a_child_that_closes_the_store);
    tcase_add_loop_test(tc, eight_processes, 0, 2);
    tcase_add_test(tc, read_only_directory);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
