/* What is advised on each error: by its cause, and never by another one's. */
#include "clients/cli/session/advice.h"
#include "core/error.h"
#include "support/suite.h"

#include <check.h>
#include <errno.h>
#include <string.h>

/* Of sqlite3.h: extended result codes. */
enum {
    IOERR_WRITE = 10 | 3 << 8,
    FULL = 13,
    CANTOPEN = 14,
    READONLY_DB = 8,
    READONLY_DIR = 8 | 6 << 8
};

static const struct {
    ptl_status status;
    int backend_code, system_code;
    const char *command, *advice; /* a part of it; NULL: none */
} cases[] = {
    {PTL_ERR_IO, FULL, ENOSPC, "generate", "The disk is full."},
    {PTL_ERR_IO, FULL, ENOSPC, "sweep", "the same command goes on from there."},
    {PTL_ERR_IO, 0, ENOSPC, "backup", "The disk is full: "},
    {PTL_ERR_IO, 0, ENOSPC, "render", "which begins anew."},
    {PTL_ERR_IO, 0, EDQUOT, "export", "which begins anew."},
    {PTL_ERR_IO, IOERR_WRITE, EDQUOT, "generate", "Your share of that disk"},
    {PTL_ERR_IO, IOERR_WRITE, EFBIG, "generate", "ulimit -f"},
    {PTL_ERR_IO, IOERR_WRITE, EIO, "generate", "The disk may be failing."},
    {PTL_ERR_IO, IOERR_WRITE, 0, "generate", "The disk may be failing."},
    {PTL_ERR_IO, 0, EIO, "verify", "The disk may be failing."},
    {PTL_ERR_IO, 0, EACCES, "generate", "That needs permission"},
    {PTL_ERR_IO, CANTOPEN, EACCES, "generate", "That needs permission"},
    {PTL_ERR_IO, CANTOPEN, ENOENT, "import", NULL},
    {PTL_ERR_IO, CANTOPEN, 0, "import", NULL},
    {PTL_ERR_IO, CANTOPEN, EMFILE, "query", "ulimit -n"},
    {PTL_ERR_IO, 0, ENOLCK, "generate", "has no locks"},
    {PTL_ERR_IO, 0, EOPNOTSUPP, "generate", "has no locks"},
    {PTL_ERR_IO, 0, EROFS, "generate", "can only be read"},
    {PTL_ERR_IO, 0, ESTALE, "generate", "network drive"},
    {PTL_ERR_IO, 0, ELOOP, "generate", NULL},
    {PTL_ERR_IO, 0, EISDIR, "backup", NULL},
    {PTL_ERR_IO, 0, 0, "generate", NULL}, /* a named pipe in the lock's place */
    {PTL_ERR_READONLY, READONLY_DB, 0, "new",
     "permission to write the file, and in its folder"},
    {PTL_ERR_READONLY, READONLY_DIR, 0, "new",
     "permission to write the file, and in its folder"},
    {PTL_ERR_READONLY, 0, EACCES, "new", "permission to write the file, and in its folder"},
    {PTL_ERR_READONLY, 0, EROFS, "new", "can only be read"},
    {PTL_ERR_READONLY, 0, 0, "new", NULL},
    {PTL_ERR_CORRUPT, 11, 0, "status", "portolan verify"},
    {PTL_ERR_CORRUPT, 11, 0, "verify", "portolan repair"},
    {PTL_ERR_CORRUPT, 11, 0, "repair", "backup"},
    {PTL_ERR_LIMIT, 0, 0, "query", "--limit"},
    {PTL_ERR_LIMIT, 0, 0, "find", NULL},
    {PTL_ERR_BUSY, 5, 0, "new", "wait for it to end"},
    {PTL_ERR_NEWER, 0, 0, "status", "newer Portolan"},
    {PTL_ERR_MISMATCH, 0, 0, "generate", "regenerate FILE --stale"},
    {PTL_ERR_FORMAT, 0, 0, "status", "first operand"},
    {PTL_ERR_INTERNAL, 0, 0, "status", "--version"},
    {PTL_ERR_NOMEM, 0, 0, "status", NULL},
    {PTL_ERR_CONTENT, 0, 0, "import", NULL},
    {PTL_ERR_NOT_FOUND, 0, 0, "status", NULL},
    {PTL_ERR_EXISTS, 0, 0, "new", NULL},
    {PTL_ERR_ARGUMENT, 1, 0, "query", NULL},
    {PTL_ERR_CANCELLED, 0, 0, "generate", NULL},
};

START_TEST(each_cause_has_its_own)
{
    const ptl_error err = {.status = cases[_i].status,
                           .backend_code = cases[_i].backend_code,
                           .system_code = cases[_i].system_code};
    const char *advice = advice_on(&err, cases[_i].command);
    if (!cases[_i].advice)
        ck_assert_msg(advice == NULL, "%s", advice);
    else
        ck_assert_msg(advice && strstr(advice, cases[_i].advice), "%s",
                      advice ? advice : "none");
    if (advice)
        ck_assert_msg(strchr(advice, '\n') == NULL && advice[strlen(advice) - 1] == '.', "%s",
                      advice);
}
END_TEST

/* The command that met damage is not what is advised. */
START_TEST(nobody_is_sent_in_a_circle)
{
    static const char *const commands[] = {"verify", "repair", "backup", "generate"};
    const ptl_error err = {.status = PTL_ERR_CORRUPT};
    for (int i = 0; i < 2; i++) {
        char own[40] = "portolan ";
        strcat(own, commands[i]);
        ck_assert(strstr(advice_on(&err, commands[i]), own) == NULL);
    }
    ck_assert(strstr(advice_on(&err, commands[3]), "portolan verify") != NULL);
}
END_TEST

START_TEST(the_system_is_quoted)
{
    ptl_error err = {.status = PTL_OK};
    ck_assert_int_eq(error_system(&err, PTL_ERR_IO, ENOSPC, "%s", "a/w.db"), PTL_ERR_IO);
    ck_assert_str_eq(err.message, "a/w.db: No space left on device");
    ck_assert_int_eq(err.system_code, ENOSPC);
    ck_assert_int_eq(error_system(&err, PTL_ERR_READONLY, EACCES, "later"), PTL_ERR_READONLY);
    ck_assert_int_eq(err.system_code, ENOSPC); /* the first error wins */
    error_prefix(&err, PTL_ERR_IO, "x");
    ck_assert_int_eq(err.system_code, ENOSPC);
    error_clear(&err);
    ck_assert_int_eq(err.system_code, 0);
    ck_assert_int_eq(error_system(&err, PTL_ERR_IO, ENOMEM, "x"), PTL_ERR_NOMEM);
    ck_assert_int_eq(error_system(NULL, PTL_ERR_IO, EIO, "x"), PTL_ERR_IO);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("advice");
    TCase *tc = tcase_create("advice");
    tcase_add_loop_test(tc, each_cause_has_its_own, 0, sizeof cases / sizeof cases[0]);
    tcase_add_test(tc, nobody_is_sent_in_a_circle);
    tcase_add_test(tc, the_system_is_quoted);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
