/* Collects the issues that an import reports, and prints them. Issues that say the same thing
 * form a group, of which only some places are printed. */
#include "clients/cli/content/import.h"
#include "core/array.h"
#include "os/folder.h"

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

/* ---- printing issues on standard error ---- */

/* Prints "file:line:column" and the id, as far as they are known. */
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
    bool *told;      /* owned; for each group: whether it was printed */
    size_t *sizes;   /* owned; for each group: how many issues are shown */
    bool is_base;    /* issues of base packs are printed now */
    bool errors;     /* errors are printed now */
    size_t lines[2]; /* lines printed so far: [0] of warnings and notes, [1] of errors */
    size_t left;     /* how many issues tell_kind has left out so far */
} teller;

/* Prints the group's message once, then the first of the places in files that it is about. */
static void tell_group(const teller *t, size_t at)
{
    const import_issues *list = t->list;
    const import_issue *issue = &list->items[at];
    const size_t size = t->sizes[issue->group];
    size_t shown = 0;
    tell("%s, %zu times: ", name_of(issue->what.severity), size);
    tell("%s%s%s\n", issue->what.code, issue->what.code[0] ? ": " : "", issue->what.message);
    for (size_t i = at; i < list->count && shown < PLACES_SHOWN; i++) {
        if (list->items[i].group != issue->group || !is_shown(&list->items[i], t->view->pack))
            continue;
        tell("  ");
        tell_place(&list->items[i].what);
        tell("\n");
        shown++;
    }
    tell("  and %zu more (%s)\n", size - shown, t->view->where_all);
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
        tell_place(&issue->what);
        tell("%s", issue->what.id[0] ? ": " : issue->what.file[0] ? " " : "");
        if (issue->what.severity != PTL_ERROR)
            tell("%s: ", name_of(issue->what.severity));
        tell("%s%s%s\n", issue->what.code, issue->what.code[0] ? ": " : "",
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
        tell("and %zu more %s (%s)\n", t->left, t->errors ? "errors" : "warnings and notes",
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
        tell("%s%s", p->id, is_base ? ", which others build on" : "");
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            const size_t count = p->counts[kinds[k].severity];
            if (count > 0)
                tell("%s%zu %s%s", between, count, kinds[k].word, plural(count));
            between = count > 0 ? ", " : between;
        }
        tell("\n");
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

void import_issues_tell(const import_issues *list, const import_issues_view *view)
{
    teller t = {.list = list, .view = view};
    t.told = calloc(list->group_count + 1, sizeof *t.told);
    t.sizes = calloc(list->group_count + 1, sizeof *t.sizes);
    if (t.told && t.sizes) {
        for (size_t i = 0; i < list->count; i++)
            t.sizes[list->items[i].group] += is_shown(&list->items[i], view->pack);
        tell_part(&t, false);
        tell_part(&t, true);
    }
    tell_other_packs(list, view->pack);
    if (list->failed || !t.told || !t.sizes)
        tell("portolan import: memory is out: more is wrong than what was printed\n");
    free(t.told);
    free(t.sizes);
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

/* The functions from here on find mistakes about which folder was named: the game's own folder,
 * or a mod without its base. */

void mod_list_dispose(mod_list *list)
{
    bytes_dispose(&list->text);
    free(list->ids);
}

bool mod_list_read(mod_list *out, const args *a)
{
    const char *value;
    *out = (mod_list){.count = 0};
    for (size_t at = 0; (value = args_next(a, "mods", &at)) != NULL;) {
        bytes_put_text(&out->text, value);
        bytes_put_u8(&out->text, ',');
    }
    out->ids = calloc(out->text.size + 1, sizeof *out->ids);
    if (!out->ids || !bytes_text(&out->text))
        return false;
    for (char *rest = (char *)out->text.data, *id; (id = strtok_r(rest, ",", &rest)) != NULL;)
        out->ids[out->count++] = id;
    return true;
}

/* ---- folders ---- */

enum { PATH_SIZE = 4096, ERRORS_MANY = 20, ENTRIES_MAX = 1000 };

static bool has(const char *folder, const char *name)
{
    char path[PATH_SIZE];
    file_facts facts;
    const int size = snprintf(path, sizeof path, "%s/%s", folder, name);
    return size > 0 && (size_t)size < sizeof path && file_look(&facts, path);
}

/* If the folder is the game's own folder or its data folder, returns the path of the content,
 * relative to the folder; else NULL. */
static const char *content_below(const char *folder)
{
    if (has(folder, "modinfo.json"))
        return NULL;
    if (has(folder, "data/json") && has(folder, "data/mods"))
        return "data/json";
    return has(folder, "json") && has(folder, "mods") ? "json" : NULL;
}

/* Returns the length of a path without slashes at its end. */
static int bare_length(const char *folder)
{
    size_t size = strlen(folder);
    while (size > 1 && folder[size - 1] == '/')
        size--;
    return (int)size;
}

int import_folders_check(const args *a)
{
    for (size_t i = 1; i < a->operand_count; i++) {
        const char *folder = a->operands[i], *below = content_below(folder);
        if (!below)
            continue;
        tell("portolan import: %s is a folder of the game, not one of content. Did you mean\n",
             folder);
        tell("  portolan import '%s' --game '%s'\n", a->operands[0], folder);
        tell("with --mods A,B for its mods? Its content alone is %.*s/%s.\n",
             bare_length(folder), folder, below);
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

/* ---- advice after errors: was the right folder named? ---- */

/* Finds the first file or folder inside of `folder` for which `is` returns true, and writes its
 * path into `out`. Returns false if there is none. */
static bool child_that(char out[PATH_SIZE], const char *folder, bool (*is)(const char *path))
{
    folder_list *list = folder_list_open(folder);
    bool found = false;
    int looked = 0;
    for (const char *name;
         list && !found && looked < ENTRIES_MAX && (name = folder_list_next(list)) != NULL;
         looked++) {
        const int size = snprintf(out, PATH_SIZE, "%.*s/%s", bare_length(folder), folder, name);
        found = name[0] != '.' && size > 0 && size < PATH_SIZE && is(out);
    }
    folder_list_close(list);
    return found;
}

static bool is_mod(const char *folder)
{
    return has(folder, "modinfo.json");
}

static bool is_of_game(const char *folder)
{
    return content_below(folder) != NULL;
}

void import_folders_advise(const args *a, uint64_t errors)
{
    const char *folder = a->operand_count > 1 ? a->operands[1] : NULL;
    char child[PATH_SIZE];
    if (!folder || args_has(a, "builtin"))
        return;
    if (is_mod(folder) || child_that(child, folder, is_mod)) {
        const bool mod = is_mod(folder);
        /* Mods build on content in a folder "json", which lies beside the folder "mods". Both
         * are looked for in the folder that contains the mod and in the one above that. */
        char *path = file_real_path(folder);
        bool is_base = false;
        for (int step = 0; path && step < 2 && !is_base; step++) {
            char *slash = strrchr(path, '/');
            if (!slash || slash == path)
                break;
            *slash = '\0';
            is_base = has(path, "json") && has(path, "mods");
        }
        tell("%s is a %s: what mods build on comes first:\n", folder,
             mod ? "mod" : "folder of mods");
        tell("  portolan import '%s' '%s%s' '%.*s%s'\n", a->operands[0],
             is_base ? path : "GAME/data", "/json", bare_length(folder), folder,
             mod ? "" : "/MOD");
        free(path);
    } else if (child_that(child, folder, is_of_game))
        tell("Did you mean\n  portolan import '%s' '%s/%s'\n", a->operands[0], child,
             content_below(child));
    else if (errors > ERRORS_MANY)
        tell(
            "Is %s all of the content? Of a game it is the folder data/json; mods follow it.\n",
            folder);
}
