/* The parts of portolan import that other commands use, too, which import content into a
 * temporary file. */
#pragma once

#include "clients/cli/session/session.h"
#include "core/arena.h"
#include "core/bytes.h"
#include "portolan/import.h"

/* ---- named.c: the content that a command line names ---- */

/* The ids of all --mods options. */
typedef struct mod_list {
    bytes text;       /* the ids, each ended with a NUL */
    const char **ids; /* owned; pointers into text */
    size_t count;
} mod_list;

/* What is to be imported. */
typedef struct content_named {
    ptl_import_options import; /* its pointers lead to the other members and the command line */
    mod_list mods;
    const char **directories; /* owned */
} content_named;

/*
 * Reads --builtin, --game, --mods, --save and --lenient (as far as the command has them), and
 * the folders: first the values of the option `option` (NULL: none), then the operands from
 * number `first` on. Returns EXIT_DONE, or another code after a message. Dispose of *out in any
 * case.
 */
int content_named_read(content_named *out, const args *a, size_t first, const char *option);
void content_named_dispose(content_named *named);
/* Returns the first of the folders that is not there; NULL if all are. */
const char *content_named_missing(const content_named *named);

/* Is the folder a game's own folder or its data folder? */
bool import_is_game(const char *folder);
/* Refuses to import from the game's own folder or from its data folder, because all files there
 * together would have thousands of conflicting definitions. The message names the folder inside
 * of it that has the content. The folders are the operands from number `first` on. Returns
 * EXIT_DONE or EXIT_FAILED. */
int import_folders_check(const args *a, size_t first);
/* Must be called after an import with errors; `errors` is their number. If the cause may be a
 * wrong or a missing folder, prints on standard error which folder to name instead or in
 * addition. */
void import_folders_advise(const args *a, size_t first, uint64_t errors);

/* ---- import_issues.c: issues, kept until all are known, to print equal ones once ---- */

typedef struct import_issue {
    ptl_diagnostic what; /* its strings are in import_issues.memory */
    size_t group; /* number of the group to which the issue belongs: all issues that say the
                     same thing */
    size_t pack;
} import_issue;

/* How many issues a pack has. */
typedef struct import_issue_pack {
    const char *id; /* "" for files outside of any pack */
    bool is_base;
    size_t counts[PTL_NOTE + 1]; /* number of issues by ptl_severity */
} import_issue_pack;

typedef struct import_issues {
    arena *memory;       /* owned; has all strings */
    import_issue *items; /* owned */
    size_t count, room;
    strmap groups; /* finds the group of issues that say the same thing, by severity, code,
                      message and is_base (whether the issue is about a base pack) */
    size_t group_count;
    import_issue_pack *packs; /* owned; in the order of their first issues */
    size_t pack_count, pack_room;
    bool failed; /* memory is out: later issues are missing */
} import_issues;

void import_issues_init(import_issues *list);
void import_issues_dispose(import_issues *list);
/* Serves as ptl_import_options.on_diagnostic; payload is an import_issues. */
void import_issues_add(void *payload, const ptl_diagnostic *what);

/* Removes the issues for which `keep` returns false. */
void import_issues_keep(import_issues *list,
                        bool (*keep)(void *payload, const ptl_diagnostic *what), void *payload);

/* Which issues are shown. */
typedef struct import_issues_view {
    bool errors_only;
    /* Of the issues of base packs only errors are shown. A base pack is one on which the user's
     * packs build. */
    bool base_errors_only;
    bool on_output;   /* print on standard output, not on standard error */
    bool verbose;     /* show all issues, each on its own line */
    const char *pack; /* only issues of this pack; NULL: of all packs */
    /* Says how to see all issues, e.g. "--verbose lists all"; printed if some are left out. */
    const char *where_all;
} import_issues_view;

/*
 * Prints issues on standard error (or output, if the view says so): first those of the packs
 * that the user named, then those of the base packs, on which the user's packs build. If there
 * are several packs, the counts of each come first. Warnings and notes come before errors, in
 * the order of the files. After some 20 lines of warnings and notes, or of errors, it only
 * tells how many more there are. Returns false when memory is out and issues are missing; a
 * message on standard error says so.
 */
bool import_issues_tell(const import_issues *list, const import_issues_view *view);
/* Prints the issues as rows on standard output: those of the pack with the id `pack`, or for
 * NULL those of all packs. Returns false when memory is out. */
bool import_issues_print(const import_issues *list, const rows_style *style, const char *pack);
