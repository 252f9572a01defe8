#include "cli/content/import_issues.h"

#include "cli/line/output.h"
#include "cli/line/stop.h"
#include "core/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES_SHOWN = 3, LINES_SHOWN = 20 };

void import_issues_init(import_issues *list)
{
    memset(list, 0, sizeof *list);
    strmap_init(&list->groups);
    list->memory = arena_new();
    list->failed = !list->memory;
}

void import_issues_dispose(import_issues *list)
{
    strmap_dispose(&list->groups);
    free(list->items);
    free(list->group_size);
    arena_free(list->memory);
}

/* ---- keeping ---- */

/* The number of those that say the same; STRMAP_NONE when memory is out. */
static uint32_t group_of(import_issues *list, const ptl_diagnostic *what)
{
    const size_t size = strlen(what->message) + 2;
    char *key = arena_alloc(list->memory, size);
    if (!key)
        return STRMAP_NONE;
    snprintf(key, size, "%c%s", '0' + (int)what->severity, what->message);
    uint32_t group = strmap_get(&list->groups, key);
    if (group != STRMAP_NONE)
        return group;
    group = (uint32_t)list->group_count;
    if (!ARRAY_ROOM(list->group_size, list->group_room, list->group_count + 1) ||
        strmap_put(&list->groups, key, group) != 0)
        return STRMAP_NONE;
    list->group_size[list->group_count++] = 0;
    return group;
}

void import_issues_add(void *payload, const ptl_diagnostic *what)
{
    import_issues *list = payload;
    if (list->failed)
        return;
    const uint32_t group = group_of(list, what);
    import_issue issue = {.what = *what, .group = group};
    issue.what.file = arena_strdup(list->memory, what->file);
    issue.what.id = arena_strdup(list->memory, what->id);
    issue.what.message = arena_strdup(list->memory, what->message);
    list->failed = group == STRMAP_NONE || !issue.what.file || !issue.what.id ||
                   !issue.what.message || !ARRAY_ROOM(list->items, list->room, list->count + 1);
    if (list->failed)
        return;
    list->items[list->count++] = issue;
    list->group_size[group]++;
}

/* ---- telling ---- */

/* Tells "file:line:column:" and the id. */
static void tell_place(const ptl_diagnostic *d)
{
    if (d->file[0])
        tell("%s:", d->file);
    if (d->file[0] && d->line > 0)
        tell("%d:", d->line);
    if (d->file[0] && d->line > 0 && d->column > 0)
        tell("%d:", d->column);
    tell("%s%s", d->file[0] && d->id[0] ? " " : "", d->id);
}

static const char *name_of(ptl_severity severity)
{
    return severity == PTL_WARNING ? "warning" : severity == PTL_NOTE ? "note" : "error";
}

/* Tells "file:line:column: id: what is wrong"; a warning or a note says so behind the id. */
static void tell_one(const ptl_diagnostic *d)
{
    tell_place(d);
    tell("%s", d->id[0] ? ": " : d->file[0] ? " " : "");
    if (d->severity != PTL_ERROR)
        tell("%s: ", name_of(d->severity));
    tell("%s\n", d->message);
}

/* The sentence, and where it holds first. */
static void tell_group(const import_issues *list, size_t first)
{
    const import_issue *issue = &list->items[first];
    const size_t size = list->group_size[issue->group];
    size_t shown = 0;
    tell("%s, %zu times: %s\n", name_of(issue->what.severity), size, issue->what.message);
    for (size_t i = first; i < list->count && shown < PLACES_SHOWN; i++) {
        if (list->items[i].group != issue->group)
            continue;
        tell("  ");
        tell_place(&list->items[i].what);
        tell("\n");
        shown++;
    }
    tell("  and %zu more (--verbose lists all)\n", size - shown);
}

/* Of one kind, in at most LINES_SHOWN lines and those of the last group, unless `verbose`. */
typedef struct teller {
    const import_issues *list;
    bool *told; /* by group; NULL when memory is out */
    bool verbose;
    size_t lines, left;
} teller;

static void tell_next(teller *t, size_t at)
{
    const import_issue *issue = &t->list->items[at];
    const bool single =
        t->verbose || !t->told || t->list->group_size[issue->group] <= PLACES_SHOWN + 1;
    if (!single && t->told[issue->group])
        return;
    if (!t->verbose && t->lines >= LINES_SHOWN) {
        t->left++;
        return;
    }
    if (single)
        tell_one(&issue->what);
    else
        tell_group(t->list, at);
    if (t->told)
        t->told[issue->group] = true;
    t->lines += single ? 1 : PLACES_SHOWN + 2;
}

static void tell_kind(const import_issues *list, bool errors, bool verbose)
{
    teller t = {.list = list, .verbose = verbose};
    t.told = calloc(list->group_count + 1, sizeof *t.told);
    for (size_t i = 0; i < list->count && !stop_wanted(); i++)
        if ((list->items[i].what.severity == PTL_ERROR) == errors)
            tell_next(&t, i);
    if (t.left > 0)
        tell("and %zu more %s (--verbose lists all)\n", t.left,
             errors ? "errors" : "warnings and notes");
    free(t.told);
}

void import_issues_tell(const import_issues *list, bool quiet, bool verbose)
{
    if (!quiet)
        tell_kind(list, false, verbose);
    tell_kind(list, true, verbose);
    if (list->failed)
        tell("portolan import: memory is out: more is wrong than what was printed\n");
}

/* ---- rows ---- */

static const report_column columns[] = {
    {"severity", "severity", 0, 0},
    {"file", "file", 0, 0},
    {"line", "line", 0, 0},
    {"column", "column", 0, 0},
    {"id", "id", 0, 0},
    {"message", "message", 0, REPORT_WRAP},
    {NULL, NULL, 0, 0},
};

bool import_issues_print(const import_issues *list, const rows_style *style)
{
    row_printer *r = rows_new(style, columns, false);
    bool good = r && !list->failed;
    for (size_t i = 0; i < list->count && good && !stop_wanted(); i++) {
        const ptl_diagnostic *d = &list->items[i].what;
        good = rows_text(r, name_of(d->severity)) && rows_text(r, d->file) &&
               (d->line > 0 ? rows_int(r, d->line) : rows_none(r)) &&
               (d->column > 0 ? rows_int(r, d->column) : rows_none(r)) && rows_text(r, d->id) &&
               rows_text(r, d->message);
    }
    rows_finish(r);
    return good || !out_ok();
}
