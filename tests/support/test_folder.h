/* A new, empty folder for a test: in TMPDIR, which tools/test puts into memory where it can, so
 * that tests do not wait for a disk. */
#ifndef SUPPORT_TEST_FOLDER_H
#define SUPPORT_TEST_FOLDER_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

static inline void test_folder(char *out, size_t size)
{
    const char *base = getenv("TMPDIR");
    int n = snprintf(out, size, "%s/portolan-test-XXXXXX", base ? base : "/tmp");
    ck_assert(n > 0 && (size_t)n < size);
    ck_assert_ptr_nonnull(mkdtemp(out));
}

/* Removes a test's folder with all that is in it. */
static inline void test_folder_remove(const char *folder)
{
    char command[1100];
    int n = snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert(n > 0 && (size_t)n < sizeof command);
    ck_assert_int_eq(system(command), 0);
}

#endif
