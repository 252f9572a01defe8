/* The parts of an import, which serve --watch has, too. */
#ifndef CLI_CONTENT_IMPORT_H
#define CLI_CONTENT_IMPORT_H

#include "clients/cli/session/session.h"
#include "core/arena.h"
#include "portolan/import.h"

/* ---- import_folders.c: its mods, and whether its folders are those that were meant ---- */

/* The ids of --mods. */
typedef struct mod_list {
    char *text;       /* owned; the ids, each ended */
    const char **ids; /* owned */
    size_t count;
} mod_list;

/* Of all that are given. False when memory is out. Dispose it in any case. */
bool mod_list_read(mod_list *out, const args *a);
void mod_list_dispose(mod_list *list);

/* Refuses the game's own folder, and its data folder, and names the content in it: reading all
 * of it finds thousands of mistakes that are none. EXIT_DONE or EXIT_FAILED. */
int import_folders_check(const args *a);
/* After an import that was refused with so many errors: says on standard error which folder may
 * have been meant, or is missing, if that may be why. */
void import_folders_advise(const args *a, uint64_t errors);

/* ---- import_issues.c: what it remarks on, kept until all of it is known, so that one sentence
 * that is said of many places is printed once ---- */

typedef struct import_issue {
    ptl_diagnostic what; /* strings in import_issues.memory */
    size_t group;        /* of those that say the same */
    size_t pack;
} import_issue;

/* What is remarked on of one pack. */
typedef struct import_issue_pack {
    const char *id; /* "" is what lies in none */
    bool is_base;
    size_t counts[PTL_NOTE + 1]; /* by ptl_severity */
} import_issue_pack;

typedef struct import_issues {
    arena *memory;       /* owned */
    import_issue *items; /* owned */
    size_t count, room;
    strmap groups; /* by severity, code, message, and whether it is of the base */
    size_t group_count;
    import_issue_pack *packs; /* in the order of their first remarks; owned */
    size_t pack_count, pack_room;
    bool failed; /* memory is out: those that came later are missing */
} import_issues;

void import_issues_init(import_issues *list);
void import_issues_dispose(import_issues *list);
/* Serves as ptl_import_options.on_diagnostic; payload is an import_issues. */
void import_issues_add(void *payload, const ptl_diagnostic *what);

/* What of them is shown. */
typedef struct import_issues_view {
    bool errors_only;
    bool base_errors_only; /* of packs that those that were asked for build on */
    bool verbose;          /* all, and each place on a line of its own */
    const char *pack;      /* NULL, or only those of the pack with that id */
    const char *where_all; /* "--verbose lists all": said where some are not shown */
} import_issues_view;

/* Tells on standard error: first what was asked for, then what that builds on, each with the
 * counts of its packs where there are several; of each warnings and notes, then errors, in the
 * order of the files. Of each kind some 20 lines, then how many more there are. */
void import_issues_tell(const import_issues *list, const import_issues_view *view);
/* Prints rows on standard output; pack as in the view. False when memory is out. */
bool import_issues_print(const import_issues *list, const rows_style *style, const char *pack);

#endif
