/*
 * SQLite's own structure. Indexes are made anew, since they follow from their tables. A
 * damaged b-tree can't be repaired within the file; the user is told how SQLite's shell reads
 * what is left of it into another file.
 */
#include "core/error.h"
#include "store/sqlite/connection/integrity.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/repair/repair_impl.h"
#include "store/sqlite/schema/migrate.h"
#include "store/sqlite/schema/schema_check.h"

#include <stdio.h>
#include <string.h>

typedef struct structure {
    uint64_t indexes, trees; /* numbers of problems that integrity_check reports of each */
    char first[160];         /* the first problem of a tree */
} structure;

static void note_line(void *payload, const char *line)
{
    structure *s = payload;
    static const char *const of_index[] = {"missing from index", "wrong # of entries in index",
                                           "non-unique entry in index",
                                           "values differ from index"};
    /* Problems that are found later by the rows' checksums, or that are not ours to judge. */
    static const char *const of_rows[] = {"NULL value in ",    "CHECK constraint failed in ",
                                          "NUMERIC value in ", "TEXT value in ",
                                          "non-INT value in ", "non-BLOB value in "};
    for (size_t i = 0; i < sizeof of_index / sizeof *of_index; i++)
        if (strstr(line, of_index[i])) {
            s->indexes++;
            return;
        }
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++)
        if (strncmp(line, of_rows[i], strlen(of_rows[i])) == 0)
            return;
    if (s->trees++ == 0)
        strncat(s->first, line, sizeof s->first - 1);
}

/* Says how to recover the file by hand. The message names .dump, because Debian builds
 * SQLite's shell without what its .recover needs; .dump reads what can be read. */
static ptl_status not_here(const char *what, ptl_error *err)
{
    char first[100];
    const char *line = strchr(what, '\n'); /* after the line "*** in database main ***" */
    snprintf(first, sizeof first, "%.90s", line ? line + 1 : what);
    first[strcspn(first, "\n")] = '\0';
    error_clear(err);
    return error_set(err, PTL_ERR_CORRUPT,
                     "SQLite's own structure is damaged (%s). Read what is left into a new "
                     "file with SQLite's shell (Debian: package sqlite3), then repair that: "
                     "sqlite3 OLD .dump | sed 's/^ROLLBACK.*/COMMIT;/' | sqlite3 NEW; "
                     "sqlite3 NEW 'PRAGMA application_id=%d; PRAGMA user_version=%d'; "
                     "portolan repair NEW",
                     first, (int)STORE_APPLICATION_ID, migrate_last_version());
}

/* While indexes disagree with their tables, SQLite refuses to delete a row whose index entry
 * it does not find. With a writable schema it goes on. */
ptl_status repair_guards(repairer *r, bool on, ptl_error *err)
{
    TRY(schema_writable(r->store, !on, err));
    return sqlite_exec(r->store, on ? "PRAGMA foreign_keys = ON" : "PRAGMA foreign_keys = OFF",
                       err);
}

static ptl_status tell_stray(void *payload, const schema_stray *stray, ptl_error *err)
{
    char where[REPAIR_WHERE_SIZE];
    snprintf(where, sizeof where, "%.20s %.120s", stray->type, stray->name);
    (void)err;
    return repair_note(payload, PTL_REPAIR_RECOMPUTED, where,
                       "the schema said that it is of table '%.60s', and it is of '%.60s'",
                       stray->said, stray->owner);
}

ptl_status repair_file(repairer *r, ptl_error *err)
{
    structure found;
    memset(&found, 0, sizeof found);
    ptl_status status =
        integrity_check(r->store, "PRAGMA integrity_check(1000)", note_line, &found, err);
    if (status == PTL_ERR_CORRUPT)
        return not_here(err->message, err);
    if (status == PTL_OK && found.trees > 0)
        return not_here(found.first, err);
    if (status == PTL_OK && found.indexes > 0)
        r->reindex = true;
    return status == PTL_OK ? schema_owner_walk(r->store, true, tell_stray, r, err) : status;
}

/* Makes indexes anew. The rows must be right by then, because two rows with the same place
 * would make it fail. */
ptl_status repair_indexes(repairer *r, ptl_error *err)
{
    ptl_error local = {0};
    if (!r->reindex)
        return PTL_OK;
    ptl_status status = sqlite_exec(r->store, "REINDEX", &local);
    if (status == PTL_OK) {
        r->reindex = false;
        return repair_note(r, PTL_REPAIR_RECOMPUTED, "file",
                           "indexes did not agree with their tables: made anew");
    }
    if ((local.backend_code & 0xff) == SQLITE_CONSTRAINT)
        return PTL_OK; /* is done once more after the chunks */
    if (err)
        *err = local;
    return status;
}
