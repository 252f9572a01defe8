/*
 * Findings: what a content tool has found in content. Each finding is of a *kind* that has a
 * code. A finding is stored as a ptl_diagnostic, and all findings as an import_issues. A
 * command calls these functions in turn:
 *
 *     findings_begin   reads the command line
 *     findings_add     adds a finding; obeys --pack and --errors
 *     findings_settle  obeys --write-baseline and --baseline, and counts what is left
 *     findings_print   prints the findings, in the format of --format
 *     findings_end     says how many there are, and gives the exit code
 *
 * A *baseline* is a file with the findings that are known already. A finding is known there by
 * what does not change when lines of the content move: its code, pack, file (relative to the
 * pack's folder), id and message. The baseline says how often it has each finding. The pack
 * only counts if baseline and content both have one of that id, since a pack without a
 * modinfo.json is named after its folder.
 */
#pragma once

#include "clients/cli/checks/content.h"

/* A kind of finding; in SARIF a rule. */
typedef struct finding_kind {
    const char *code;      /* e.g. "MG301" */
    ptl_severity severity; /* the severity that findings of this kind usually have */
    const char *title;     /* a short text without a period */
} finding_kind;

/* The options about findings, as rows of a command's table of options (option_spec). The
 * command must have OPTIONS_CONTENT as well. */
/* clang-format off */
#define OPTIONS_FINDINGS                                                                       \
    {"errors", "CODE,...", "findings with these codes are errors", 0},                            \
    {"max-warnings", "N", "exit 1 if there are more warnings (default: any number is fine)", 0}, \
    {"baseline", "FILE", "leave out the findings that FILE has", 0},                      \
    {"write-baseline", "FILE", "write all findings to FILE, for --baseline", 0},            \
    OPTIONS_ROWS_AND(", raw, junit, sarif or github"),                                         \
    OPTION_OUTPUT
#define FINDINGS_FORMATS ROWS_FORMATS "|junit|sarif|github" /* words of a value_type */
/* clang-format on */

/* The kinds of remarks whose codes begin alike. */
typedef struct finding_kinds {
    finding_kind *items; /* owned */
    size_t count, room;
    const char *begin; /* the letters with which the codes of these kinds begin */
    bool failed;       /* memory was out */
} finding_kinds;

/* Lists the kinds whose codes begin with `begin`, sorted by code. Free out->items. */
void finding_kinds_list(finding_kinds *out, const char *begin);

typedef struct findings {
    session *session;
    const content *content;
    const finding_kind *kinds; /* borrowed; sorted by code */
    size_t kind_count;
    import_issues list; /* the findings; findings_settle removes those that the baseline has */
    /* The next members are set from options of the command line. */
    bool *are_errors; /* owned; for each kind: --errors names it */
    int64_t max_warnings;
    bool verbose;
    /* Set by findings_settle. */
    size_t counts[PTL_NOTE + 1]; /* number of findings by ptl_severity */
    bool has_baseline;           /* findings were compared with those of a baseline */
    size_t known;                /* number of findings that the baseline has, too */
    size_t gone;                 /* findings of the baseline that were not found now */
} findings;

/* Returns "error", "warning" or "note". */
const char *findings_severity_name(ptl_severity severity);

/* Reads the options of OPTIONS_FINDINGS, and sets s->style by --format. kinds and content are
 * borrowed; the content may be opened later. Returns EXIT_DONE, or another code after a
 * message. Dispose of *out in any case. */
int findings_begin(findings *out, session *s, const content *c, const finding_kind *kinds,
                   size_t kind_count);
void findings_dispose(findings *f);
/* Adds a finding, whose strings are copied. Does nothing if the finding belongs to a pack and
 * --pack names another one. */
void findings_add(findings *f, const ptl_diagnostic *what);
/* Writes the file of --write-baseline if that is given. Then removes the findings that the
 * baseline has, and counts those that are left. Returns EXIT_DONE, or another code after a
 * message. */
int findings_settle(findings *f);
/* Prints the findings on standard output, or into the file of --output. In tables equal
 * findings are printed once. Returns EXIT_DONE, or EXIT_FAILED after a message. */
int findings_print(findings *f);
/* Prints the numbers of findings on standard error, unless --quiet is given. Returns
 * EXIT_FAILED if there is an error, or if there are more warnings than --max-warnings allows;
 * else EXIT_DONE. */
int findings_end(const findings *f);

/* ---- between the files of this folder: finding_forms.c, findings.c, baseline.c ---- */

/* Print all findings in the format that the function's name ends with. When memory is out,
 * f->list.failed is set. */
void findings_put_junit(findings *f);
void findings_put_sarif(findings *f);
void findings_put_github(findings *f);

/* Returns whether there are more warnings than --max-warnings allows. */
bool findings_warnings_fail(const findings *f);
/* Returns the number of the kind with this code; kind_count if there is none. */
size_t findings_kind(const findings *f, const char *code);
/* Appends the name by which a baseline knows the finding: a JSON object whose "}" the caller
 * must add. `root` is a directory that contains the finding's file (content_root_of). Paths in
 * the name begin below it, so that the name does not depend on where the content lies. */
void finding_name_put(bytes *out, const ptl_diagnostic *d, const char *root);

/* Reads the baseline at `path`. Removes from f->list the findings that the baseline has, and
 * sets f->known and f->gone. Returns EXIT_DONE, or EXIT_FAILED after a message. */
int baseline_apply(findings *f, const char *path);
/* Writes all findings of f->list into the file as a baseline. Returns EXIT_DONE, or EXIT_FAILED
 * after a message. */
int baseline_write(const findings *f, const char *path);
