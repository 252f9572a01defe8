#include "support/golden.h"

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

void golden_lines(const char *name, int count, void (*describe)(char *line, size_t size, int n))
{
    const char *root = getenv("PORTOLAN_SOURCE_DIR");
    char path[1024], line[256], wanted[256];
    snprintf(path, sizeof path, "%s/tests/golden/%s", root ? root : ".", name);
    const bool update = getenv("PORTOLAN_UPDATE_GOLDEN") != NULL;
    FILE *file = fopen(path, update ? "w" : "r");
    ck_assert_msg(file != NULL, "can't open %s", path);
    for (int n = 0; n < count; n++) {
        describe(line, sizeof line, n);
        if (update) {
            ck_assert(fputs(line, file) >= 0);
        } else {
            ck_assert_ptr_nonnull(fgets(wanted, sizeof wanted, file));
            ck_assert_str_eq(line, wanted);
        }
    }
    ck_assert_int_eq(fclose(file), 0);
}
