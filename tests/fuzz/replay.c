/*
 * Runs a fuzz target over files, or over every file of folders (sorted by name): the corpora in
 * the ordinary tests, a single find while it is being mended. Compiled by AFL++'s compiler and
 * called without arguments it is the target that afl-fuzz feeds, in one process for many
 * inputs.
 */
#include "fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __AFL_FUZZ_TESTCASE_LEN
/* AFL++'s macros are not written for our warnings. */
#pragma clang diagnostic ignored "-Wextra-semi"
#pragma clang diagnostic ignored "-Wgnu-statement-expression"
#pragma clang diagnostic ignored "-Wshorten-64-to-32"
__AFL_FUZZ_INIT();

static int run_fed(void)
{
    const uint8_t *shared = __AFL_FUZZ_TESTCASE_BUF;
    /* A second pass lets the target set itself up before the process is copied. */
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    while (__AFL_LOOP(1000)) {
        size_t size = (size_t)__AFL_FUZZ_TESTCASE_LEN;
        /* A copy of exact length: reads behind it are seen by the address sanitizer. */
        uint8_t *copy = malloc(size + 1);
        if (!copy)
            return 1;
        memcpy(copy, shared, size);
        LLVMFuzzerTestOneInput(copy, size);
        free(copy);
    }
    return 0;
}
#else
static int run_fed(void)
{
    fprintf(stderr, "usage: replay FILE-OR-FOLDER...\n");
    return 2;
}
#endif

static size_t run_file(const char *path)
{
    size_t size;
    uint8_t *data = fuzz_read_file(path, &size);
    if (!data) {
        fprintf(stderr, "%s: can't be read\n", path);
        exit(1);
    }
    /* Exactly as long as the file, as above. */
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (!copy)
        exit(1);
    memcpy(copy, data, size);
    free(data);
    if (getenv("FUZZ_VERBOSE"))
        fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    return 1;
}

static int visible(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

static size_t run_folder(const char *path)
{
    struct dirent **list;
    size_t done = 0;
    int count = scandir(path, &list, visible, alphasort);
    for (int i = 0; i < count; i++) {
        char name[2 * FUZZ_PATH_SIZE];
        snprintf(name, sizeof name, "%s/%s", path, list[i]->d_name);
        done += run_file(name);
        free(list[i]);
    }
    if (count >= 0)
        free(list);
    return done;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return run_fed();
    size_t done = 0;
    for (int i = 1; i < argc; i++) {
        struct stat info;
        if (stat(argv[i], &info) != 0) {
            fprintf(stderr, "%s: no such file or folder\n", argv[i]);
            return 1;
        }
        done += S_ISDIR(info.st_mode) ? run_folder(argv[i]) : run_file(argv[i]);
    }
    printf("%zu inputs\n", done);
    return done > 0 ? 0 : 1;
}
