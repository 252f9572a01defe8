/* Advice about errors. Each text says what can be done about one known cause of an error. For
 * errors with other causes there is no advice. The tests tests/unit/cli/test_advice.c and
 * tests/cli/test_messages.py show how each error can be caused. */
#include "clients/cli/session/advice.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Copies of SQLite's codes SQLITE_READONLY and SQLITE_IOERR: only the files in src/store may
 * include sqlite3.h. */
enum { SQLITE_READONLY_CODE = 8, SQLITE_IOERR_CODE = 10 };

static const char *on_full(int code, const char *command)
{
    static const char *const those[] = {"generate", "sweep", "index", "repair"};
    /* Whether the command continues where it was stopped, if it is given again. */
    bool goes_on = false;
    for (size_t i = 0; i < sizeof those / sizeof those[0]; i++)
        goes_on |= strcmp(command, those[i]) == 0;
    if (!goes_on)
        return code == ENOSPC ? "The disk is full: with space freed, give the same command "
                                "again, which begins anew."
                              : "Your share of that disk is used up: with space freed, give "
                                "the same command again, which begins anew.";
    return code == ENOSPC
               ? "The disk is full. What was saved stays; with space freed, the same "
                 "command goes on from there."
               : "Your share of that disk is used up. What was saved stays; with "
                 "space freed, the same command goes on from there.";
}

/* Returns advice on an errno of the system; NULL: there is none. */
static const char *on_system(int code, const char *command)
{
    switch (code) {
    case ENOSPC:
    case EDQUOT:
        return on_full(code, command);
    case EFBIG:
        return "No file may grow larger there: a limit of the file system, or of the shell "
               "('ulimit -f'). What was saved stays.";
    case EADDRINUSE:
        return "Another program listens there: name another port with --port, or leave --port "
               "out for one that is free.";
    case EIO:
    case ENXIO:
        return "The disk may be failing. Copy the file to another one before anything else, "
               "and 'portolan verify' the copy.";
    case EACCES:
    case EPERM:
        return "That needs permission to write the file, and in its folder, too: beside a "
               "world lie a journal and a lock.";
    case EROFS:
        return "That file system can only be read. Reading commands work; to write, copy the "
               "file to another one.";
    case ENOLCK:
    case ENOTSUP:
#if EOPNOTSUPP != ENOTSUP
    case EOPNOTSUPP:
#endif
        return "The file system there has no locks, as some network drives: keep the file on a "
               "disk of this machine.";
    case EMFILE:
    case ENFILE:
        return "Too many files are open: see 'ulimit -n'.";
    case ESTALE:
    case ETIMEDOUT:
        return "The network drive does not answer as it should: keep the file on a disk of "
               "this machine.";
    default:
        return NULL;
    }
}

/* If the error has no errno of the system, the errno that SQLite's code suggests is used. */
const char *advice_on(const ptl_error *err, const char *command)
{
    const int system = err->system_code, backend = err->backend_code & 0xff;
    switch (err->status) {
    case PTL_ERR_BUSY:
        return "Another process is using the file: wait for it to end and try again.";
    case PTL_ERR_CORRUPT:
        if (strcmp(command, "repair") == 0)
            return "Where SQLite can't read the file any more only a backup helps, or what "
                   "'sqlite3 FILE .recover' can still read.";
        if (strcmp(command, "verify") == 0)
            return "'portolan repair FILE' brings back what can be, or says that it can't; "
                   "work on a copy, and keep your backup.";
        return "'portolan verify FILE' lists what is damaged, 'portolan repair FILE' brings "
               "back what can be.";
    case PTL_ERR_NEWER:
        return "Use the newer Portolan that wrote it; this one changes nothing in the file.";
    case PTL_ERR_MISMATCH:
        return "Import the content that the world was made with; or make its chunks anew with "
               "the present one ('portolan regenerate FILE --stale'); or say with 'generate "
               "--accept-content' that new chunks may follow the present one beside the old.";
    case PTL_ERR_FORMAT:
        return "The first operand is the world file; 'portolan import' makes one.";
    case PTL_ERR_IO:
        return on_system(system == 0 && backend == SQLITE_IOERR_CODE ? EIO : system, command);
    case PTL_ERR_READONLY:
        return on_system(system == 0 && backend == SQLITE_READONLY_CODE ? EACCES : system,
                         command);
    case PTL_ERR_LIMIT:
        return strcmp(command, "query") == 0
                   ? "--limit and --time-limit set how many rows and how much time; 0 is any."
                   : NULL;
    case PTL_ERR_INTERNAL:
        return "This is a bug in Portolan: please report the command, the message and "
               "'portolan --version'.";
    default:
        return NULL;
    }
}
