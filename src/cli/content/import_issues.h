/* What an import remarks on: kept until all of it is known, so that one sentence that is said
 * of many places is printed once. */
#ifndef CLI_CONTENT_IMPORT_ISSUES_H
#define CLI_CONTENT_IMPORT_ISSUES_H

#include "cli/line/rows.h"
#include "core/arena.h"
#include "portolan/content.h"

typedef struct import_issue {
    ptl_diagnostic what; /* strings in import_issues.memory */
    size_t group;        /* of those that say the same */
} import_issue;

typedef struct import_issues {
    arena *memory;       /* owned */
    import_issue *items; /* owned */
    size_t count, room;
    strmap groups;      /* by severity and message */
    size_t *group_size; /* owned */
    size_t group_count, group_room;
    bool failed; /* memory is out: those that came later are missing */
} import_issues;

void import_issues_init(import_issues *list);
void import_issues_dispose(import_issues *list);
/* Serves as ptl_import_options.on_diagnostic; payload is an import_issues. */
void import_issues_add(void *payload, const ptl_diagnostic *what);

/* Tells on standard error: first warnings and notes, unless quiet, then errors, each kind in
 * the order of the files. Of each kind some 20 lines, then how many more there are; verbose:
 * all, and each place on a line of its own. */
void import_issues_tell(const import_issues *list, bool quiet, bool verbose);
/* Prints rows on standard output. False when memory is out. */
bool import_issues_print(const import_issues *list, const rows_style *style);

#endif
