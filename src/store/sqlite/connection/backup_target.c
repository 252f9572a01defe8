#include "store/sqlite/connection/backup_target.h"

#include "core/error.h"
#include "store/sqlite/connection/own_files.h"
#include "store/sqlite/connection/writer_lock.h"

#include <errno.h>
#include <stdlib.h>

enum { WHOM_SIZE = 256, OWNER_ONLY = 0600 };

static const char *const sqlite_tails[] = {"-journal", "-wal", "-shm"};
enum { TAILS = sizeof sqlite_tails / sizeof sqlite_tails[0] };

static ptl_status failed(const char *path, const char *what, int code, ptl_error *err)
{
    ptl_status status =
        code == EACCES || code == EPERM || code == EROFS ? PTL_ERR_READONLY : PTL_ERR_IO;
    return error_system(err, status, code, "%s: %s", path, what);
}

/* Refuses a name if a journal or WAL lies beside it: SQLite would take that for the copy's own
 * and roll it back into the copy. An empty journal or WAL does no harm; it is refused only if
 * the parameter `nothing` demands that nothing lies there. */
static ptl_status check_no_journal(const char *path, bool nothing, ptl_error *err)
{
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < TAILS && status == PTL_OK; i++) {
        file_facts facts;
        char *name = own_files_beside(path, sqlite_tails[i]);
        if (!name)
            return error_nomem(err);
        if (file_look_here(&facts, name) &&
            (nothing || facts.size > 0 || facts.kind != FILE_REGULAR))
            status = error_set(err, PTL_ERR_EXISTS,
                               "%s belongs to a database of this name that is in use or was "
                               "interrupted; choose another name",
                               name);
        free(name);
    }
    return status;
}

/* Refuses the place if the file there has a writer at present. Once that file is replaced, its
 * writer would go on with a file that no longer has a name. */
static ptl_status check_free(const backup_target *t, ptl_error *err)
{
    char whom[WHOM_SIZE];
    TRY(check_no_journal(t->out.path, false, err));
    if (t->out.options.rule != NEW_FILE_FORCE ||
        !writer_lock_seen(t->out.path, whom, sizeof whom))
        return PTL_OK;
    return error_set(err, PTL_ERR_BUSY, "%s is not replaced: %s is writing it", t->out.path,
                     whom);
}

ptl_status backup_target_open(backup_target *t, const char *source, const char *path,
                              bool replace, ptl_error *err)
{
    file_facts from;
    new_file_options options = {.rule = replace ? NEW_FILE_FORCE : NEW_FILE_ABSENT,
                                .permissions = OWNER_ONLY};
    *t = (backup_target){.file = -1};
    if (source && file_look(&from, source)) {
        t->source = from.id;
        options.permissions = from.permissions;
        options.inputs = &t->source;
        options.input_count = 1;
    }
    TRY(new_file_open(&t->out, path, &options, err));
    TRY(check_free(t, err));
    TRY(check_no_journal(t->out.temporary, true, err));
    /* It is certain now that no file of this temporary name with SQLite's endings (-journal,
     * -wal, ...) exists. So such files are SQLite's from here on, and closing removes them. */
    t->name = t->out.temporary;
    t->file = t->out.fd;
    return PTL_OK;
}

void backup_target_close(backup_target *t)
{
    if (t->name) {
        for (size_t i = 0; i < TAILS; i++) {
            char *name = own_files_beside(t->name, sqlite_tails[i]);
            if (name)
                file_remove(name);
            free(name);
        }
    }
    new_file_close(&t->out);
    *t = (backup_target){.file = -1};
}

ptl_status backup_target_read(const backup_target *t, void *out, size_t *size, int64_t at,
                              ptl_error *err)
{
    const int64_t n = file_read_at(t->file, out, *size, at);
    *size = n > 0 ? (size_t)n : 0;
    return n >= 0 ? PTL_OK : failed(t->name, "reading", errno, err);
}

ptl_status backup_target_write(const backup_target *t, const void *data, size_t size,
                               int64_t at, ptl_error *err)
{
    return file_write_at(t->file, data, size, at) ? PTL_OK
                                                  : failed(t->name, "writing", errno, err);
}

ptl_status backup_target_resize(const backup_target *t, int64_t size, ptl_error *err)
{
    return file_resize(t->file, size) ? PTL_OK : failed(t->name, "resizing", errno, err);
}

ptl_status backup_target_publish(backup_target *t, ptl_error *err)
{
    TRY(new_file_sync(&t->out, err));
    TRY(check_free(t, err));
    TRY(new_file_rename(&t->out, err));
    return new_file_sync_folder(&t->out, err);
}
