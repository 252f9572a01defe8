/* Collects the issues that an import reports, and prints them. Issues that say the same thing
 * form a group, of which only some places are printed. */
#include "clients/cli/content/import.h"
#include "core/array.h"

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
    free(list->packs);
    arena_free(list->memory);
}

/* ---- collecting issues ---- */

/* Returns the group of equal issues that the issue belongs to; if there is none, a new group is
 * made. STRMAP_NONE when memory is out. */
static uint32_t group_of(import_issues *list, const ptl_diagnostic *what)
{
    const size_t size = strlen(what->code) + strlen(what->message) + 3;
    char *key = arena_alloc(list->memory, size);
    if (!key)
        return STRMAP_NONE;
    snprintf(key, size, "%c%s%s", '0' + 2 * (int)what->severity + what->is_base, what->code,
             what->message);
    uint32_t group = strmap_get(&list->groups, key);
    if (group != STRMAP_NONE)
        return group;
    group = (uint32_t)list->group_count;
    if (strmap_put(&list->groups, key, group) != 0)
        return STRMAP_NONE;
    list->group_count++;
    return group;
}

void import_issues_add(void *payload, const ptl_diagnostic *what)
{
    import_issues *list = payload;
    if (list->failed)
        return;
    const uint32_t group = group_of(list, what);
    /* Searches from the last pack to the first, since most issues follow an issue of the same
     * pack. */
    size_t pack = list->pack_count;
    while (pack-- > 0 && (strcmp(list->packs[pack].id, what->pack) != 0 ||
                          list->packs[pack].is_base != what->is_base))
        ;
    if (pack == SIZE_MAX && ARRAY_ROOM(list->packs, list->pack_room, list->pack_count + 1)) {
        const char *id = arena_strdup(list->memory, what->pack);
        if (id) {
            pack = list->pack_count++;
            list->packs[pack] = (import_issue_pack){.id = id, .is_base = what->is_base};
        }
    }
    import_issue issue = {.what = *what, .group = group, .pack = pack};
    issue.what.file = arena_strdup(list->memory, what->file);
    issue.what.id = arena_strdup(list->memory, what->id);
    issue.what.message = arena_strdup(list->memory, what->message);
    issue.what.code = arena_strdup(list->memory, what->code);
    list->failed = group == STRMAP_NONE || pack == SIZE_MAX || !issue.what.file ||
                   !issue.what.id || !issue.what.message || !issue.what.code ||
                   !ARRAY_ROOM(list->items, list->room, list->count + 1);
    if (list->failed)
        return;
    issue.what.pack = list->packs[pack].id;
    list->items[list->count++] = issue;
    list->packs[pack].counts[what->severity]++;
}

void import_issues_keep(import_issues *list,
                        bool (*keep)(void *payload, const ptl_diagnostic *what), void *payload)
{
    size_t left = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (keep(payload, &list->items[i].what))
            list->items[left++] = list->items[i];
        else
            list->packs[list->items[i].pack].counts[list->items[i].what.severity]--;
    }
    list->count = left;
}

/* ---- printing issues for people ---- */

/* A function that prints to standard output or standard error, whichever the import_issues_view
 * names, as printf does. */
typedef void print_call(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "file:line:column" and the id, as far as they are known. */
static void say_place(print_call *say, const ptl_diagnostic *d)
{
    if (d->file[0])
        say("%s:", d->file);
    if (d->file[0] && d->line > 0)
        say("%d:", d->line);
    if (d->file[0] && d->line > 0 && d->column > 0)
        say("%d:", d->column);
    say("%s%s", d->file[0] && d->id[0] ? " " : "", d->id);
}

static const char *name_of(ptl_severity severity)
{
    return severity == PTL_WARNING ? "warning" : severity == PTL_NOTE ? "note" : "error";
}

/* Is the issue about this pack? If `pack` is NULL, the answer is always true. */
static bool is_shown(const import_issue *issue, const char *pack)
{
    return !pack || strcmp(issue->what.pack, pack) == 0;
}

/* The state of printing issues. Unless all issues are wanted, at most LINES_SHOWN lines of
 * errors are printed, and as many of warnings and notes together. A group is never cut in the
 * middle. */
typedef struct teller {
    const import_issues *list;
    const import_issues_view *view;
    print_call *say; /* prints */
    bool *told;      /* owned; for each group of equal issues: whether it was printed */
    size_t *sizes;   /* owned; for each group of equal issues: how many of them are shown */
    bool is_base; /* true: issues of base packs are printed now; false: those of other packs */
    bool errors;  /* true: errors are printed now; false: warnings and notes */
    size_t lines[2]; /* lines printed so far: [0] of warnings and notes, [1] of errors */
    size_t left;     /* how many issues were not printed so far, because there would be too many
                        lines */
} teller;

/* Prints a group of issues that differ only in their places: the message once, then the first
 * of the places. */
static void tell_group(const teller *t, size_t at)
{
    const import_issues *list = t->list;
    const import_issue *issue = &list->items[at];
    const size_t size = t->sizes[issue->group];
    size_t shown = 0;
    t->say("%s, %zu times: ", name_of(issue->what.severity), size);
    t->say("%s%s%s\n", issue->what.code, issue->what.code[0] ? ": " : "", issue->what.message);
    for (size_t i = at; i < list->count && shown < PLACES_SHOWN; i++) {
        if (list->items[i].group != issue->group || !is_shown(&list->items[i], t->view->pack))
            continue;
        t->say("  ");
        say_place(t->say, &list->items[i].what);
        t->say("\n");
        shown++;
    }
    t->say("  and %zu more (%s)\n", size - shown, t->view->where_all);
}

/* Prints an issue by itself. If the issue's group is large, the whole group is printed instead
 * when its first issue comes, and nothing for the other issues of the group. */
static void tell_next(teller *t, size_t at)
{
    const import_issue *issue = &t->list->items[at];
    const bool single = t->view->verbose || t->sizes[issue->group] <= PLACES_SHOWN + 1;
    if (!single && t->told[issue->group])
        return;
    if (!t->view->verbose && t->lines[t->errors] >= LINES_SHOWN) {
        t->left++;
        return;
    }
    if (single) {
        /* Prints "file:line:column: id: message". For a warning or a note that word stands
         * before the message. */
        say_place(t->say, &issue->what);
        t->say("%s", issue->what.id[0] ? ": " : issue->what.file[0] ? " " : "");
        if (issue->what.severity != PTL_ERROR)
            t->say("%s: ", name_of(issue->what.severity));
        t->say("%s%s%s\n", issue->what.code, issue->what.code[0] ? ": " : "",
               issue->what.message);
    } else {
        tell_group(t, at);
    }
    t->told[issue->group] = true;
    t->lines[t->errors] += single ? 1 : PLACES_SHOWN + 2;
}

/* Prints errors (if t->errors is set) or warnings and notes, of base packs (if t->is_base is
 * set) or of all other packs. Then tells how many of them were not printed. */
static void tell_kind(teller *t)
{
    t->left = 0;
    for (size_t i = 0; i < t->list->count && !stop_wanted(); i++) {
        const import_issue *issue = &t->list->items[i];
        if ((issue->what.severity == PTL_ERROR) == t->errors &&
            issue->what.is_base == t->is_base && is_shown(issue, t->view->pack))
            tell_next(t, i);
    }
    if (t->left > 0)
        t->say("and %zu more %s (%s)\n", t->left, t->errors ? "errors" : "warnings and notes",
               t->view->where_all);
}

/* Prints the issues of base packs if is_base is set, else those of the packs that the user
 * named. The user's packs build on the base packs. */
static void tell_part(teller *t, bool is_base)
{
    const import_issues_view *v = t->view;
    t->is_base = is_base;
    /* Prints a line such as "mine: 1 error, 6 warnings" for each pack that is shown now. */
    static const struct {
        ptl_severity severity;
        const char *word;
    } kinds[] = {{PTL_ERROR, "error"}, {PTL_WARNING, "warning"}, {PTL_NOTE, "note"}};
    const bool counts = !v->errors_only && !v->pack && t->list->pack_count > 1;
    for (size_t i = 0; counts && i < t->list->pack_count; i++) {
        const import_issue_pack *p = &t->list->packs[i];
        const char *between = ": ";
        if (p->is_base != is_base || !p->id[0])
            continue;
        t->say("%s%s", p->id, is_base ? ", which others build on" : "");
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            const size_t count = p->counts[kinds[k].severity];
            if (count > 0)
                t->say("%s%zu %s%s", between, count, kinds[k].word, plural(count));
            between = count > 0 ? ", " : between;
        }
        t->say("\n");
    }
    t->errors = false;
    if (!v->errors_only && !(is_base && v->base_errors_only))
        tell_kind(t);
    t->errors = true;
    tell_kind(t);
}

/* If the pack of --pack has no issues, tells which packs have some. */
static void tell_other_packs(const import_issues *list, const char *pack)
{
    suggestion near;
    bool any = false, has = !pack;
    suggest_begin(&near, pack ? pack : "");
    for (size_t i = 0; i < list->pack_count && !has; i++) {
        has = strcmp(list->packs[i].id, pack) == 0;
        suggest_offer(&near, list->packs[i].id);
    }
    if (has)
        return;
    tell("no remark is on a pack '%s'%s%s%s; there are some on", pack,
         near.best ? ", did you mean '" : "", near.best ? near.best : "",
         near.best ? "'?" : "");
    for (size_t i = 0; i < list->pack_count; i++) {
        if (list->packs[i].id[0])
            tell("%s %s", any ? "," : "", list->packs[i].id);
        any = any || list->packs[i].id[0];
    }
    tell("%s\n", any ? "" : " none");
}

bool import_issues_tell(const import_issues *list, const import_issues_view *view)
{
    teller t = {.list = list, .view = view, .say = view->on_output ? out_say : tell};
    t.told = calloc(list->group_count + 1, sizeof *t.told);
    t.sizes = calloc(list->group_count + 1, sizeof *t.sizes);
    if (t.told && t.sizes) {
        for (size_t i = 0; i < list->count; i++)
            t.sizes[list->items[i].group] += is_shown(&list->items[i], view->pack);
        tell_part(&t, false);
        tell_part(&t, true);
    }
    tell_other_packs(list, view->pack);
    const bool good = !list->failed && t.told && t.sizes;
    if (!good)
        tell("portolan import: memory is out: more is wrong than what was printed\n");
    free(t.told);
    free(t.sizes);
    return good;
}

/* ---- rows ---- */

static const report_column columns[] = {COLUMN(severity), COLUMN(file),         COLUMN(line),
                                        COLUMN(column),   COLUMN(id),           COLUMN(code),
                                        COLUMN(pack),     COLUMN_WRAP(message), COLUMNS_END};

bool import_issues_print(const import_issues *list, const rows_style *style, const char *pack)
{
    row_printer *r = rows_new(style, columns, false);
    bool good = r && !list->failed;
    for (size_t i = 0; i < list->count && good && !stop_wanted(); i++) {
        const ptl_diagnostic *d = &list->items[i].what;
        if (is_shown(&list->items[i], pack))
            good = rows_put(r, CELLS(cell_text(name_of(d->severity)), cell_text(d->file),
                                     d->line > 0 ? cell_int(d->line) : cell_none(),
                                     d->column > 0 ? cell_int(d->column) : cell_none(),
                                     cell_text(d->id), cell_text(d->code), cell_text(d->pack),
                                     cell_text(d->message)));
    }
    return rows_finish(r) && (!list->failed || !out_ok());
}
