/* portolan import: reads content definitions into a world file, and tells what was
 * wrong with them. */
#include "clients/cli/content/import.h"
#include "os/folder.h"

#include <errno.h>

static const option_spec options[] = {
    {"builtin", NULL, "Portolan's own pack comes first", 0},
    {"game", "DIR", "a game's own directory: its core, content and names come first", 0},
    {"mods", "A,B,...", "the ids of mods of the game; mods that they need come too", 0},
    {"save", "SAVE", "the mods of a saved world; SAVE is the folder of that world", 0},
    {"lenient", NULL, "what is wrong is a warning, and what it is wrong in is left out", 0},
    {"check", NULL, "only check: FILE is neither read nor written", 0},
    {"no-warnings", NULL, "print errors only (warnings are still counted)", 0},
    {"pack", "NAME", "print only what is wrong in that pack (a mod's id)", 0},
    {"verbose", NULL, "all warnings and errors, and each place of them", 'v'},
    OPTIONS_ROWS,
    OPTION_WAIT,
    OPTION_QUIET,
    OPTIONS_END,
};

/* ---- the report ---- */

/* A count that the report of an import prints: a member of ptl_import_report. */
typedef struct count_row {
    const char *key;   /* name in JSON */
    const char *label; /* text beside the count in the table that is printed */
    size_t at;
} count_row;

/* clang-format off */
#define COUNT(name, label) {#name, label, offsetof(ptl_import_report, name)}
/* clang-format on */

static const count_row count_rows[] = {
    COUNT(packs, "packs"),
    COUNT(files, "files"),
    COUNT(bytes, "bytes"),
    COUNT(objects, "objects"),
    COUNT(terrain_objects, "overmap_terrain objects"),
    COUNT(terrain_types, "  types"),
    COUNT(concrete_terrains, "  concrete terrains"),
    COUNT(locations, "overmap_location"),
    COUNT(connections, "overmap_connection"),
    COUNT(specials, "overmap_special"),
    COUNT(mutable_specials, "  of these mutable"),
    COUNT(city_buildings, "city_building"),
    COUNT(regions, "region_settings"),
    COUNT(map_extras, "map_extra"),
    COUNT(land_use_codes, "overmap_land_use_code"),
    COUNT(rotatable_symbols, "rotatable_symbol"),
    COUNT(oter_migrations, "earlier ids of terrains"),
    COUNT(special_migrations, "earlier ids of specials"),
    COUNT(oter_visions, "oter_vision"),
    COUNT(fixed_cities, "city, fixed"),
    COUNT(kept, "objects kept as they stand"),
    COUNT(skipped, "objects skipped"),
    COUNT(unknown_keys, "unknown keys"),
    COUNT(warnings, "warnings"),
    COUNT(errors, "errors"),
    COUNT(left_out, "objects left out"),
};
enum { COUNT_ROWS = sizeof count_rows / sizeof count_rows[0] };

static uint64_t count_of(const ptl_import_report *r, size_t row)
{
    return *(const uint64_t *)(const void *)((const char *)r + count_rows[row].at);
}

static const char *outcome(const session *s, const ptl_import_report *r, ptl_status status,
                           bool words)
{
    if (status != PTL_OK)
        return words ? "refused: nothing was changed" : "refused";
    if (args_has(s->args, "check"))
        return words ? "checked: no errors; nothing was written" : "checked";
    if (r->unchanged)
        return words ? "unchanged: the file holds this very content already" : "unchanged";
    return "imported";
}

static void tell_issues(const session *s, const import_issues *issues)
{
    const import_issues_view view = {.errors_only = args_has(s->args, "no-warnings"),
                                     .verbose = args_has(s->args, "verbose"),
                                     .pack = args_value(s->args, "pack"),
                                     .where_all = "--verbose lists all"};
    (void)import_issues_tell(issues, &view);
}

/* Prints the report of the import. A table shows the counts, JSON shows the counts and all
 * issues, and other formats show only the issues. */
static int print_report(session *s, const ptl_import_report *r, ptl_status status,
                        const import_issues *issues)
{
    static const report_column columns[] = {
        COLUMN_AS(what, "", 0, 0), COLUMN_AS(count, "", 0, 0), {0}};
    static const rows_style style = {.format = ROWS_TABLE};
    const char *pack = args_value(s->args, "pack");
    bool good = true;
    if (s->style.format == ROWS_TABLE || s->style.format == ROWS_JSON)
        tell_issues(s, issues);
    if (s->style.format == ROWS_TABLE && !s->shown.quiet) {
        row_printer *p = rows_new(&style, columns, false);
        for (size_t i = 0; i < COUNT_ROWS; i++) /* a refused import shows only counts above 0 */
            if (status == PTL_OK || count_of(r, i) > 0)
                (void)rows_put(
                    p, CELLS(cell_text(count_rows[i].label), cell_uint(count_of(r, i))));
        good = rows_finish(p);
        if (r->digest[0])
            out_printf("content %s\n", r->digest);
        out_printf("%s, in %.2f s\n", outcome(s, r, status, true), r->seconds);
    } else if (s->style.format == ROWS_JSON) {
        out_printf("{\"outcome\": \"%s\", \"digest\": \"%s\"", outcome(s, r, status, false),
                   r->digest);
        for (size_t i = 0; i < COUNT_ROWS; i++)
            out_printf(", \"%s\": %ju", count_rows[i].key, count_of(r, i));
        out_printf(", \"stale_chunks\": %ju, \"seconds\": %.3f,\n\"issues\": ", r->stale_chunks,
                   r->seconds);
        good = import_issues_print(issues, &s->style, pack);
        out_text("}\n");
    } else if (s->style.format != ROWS_TABLE) {
        good = import_issues_print(issues, &s->style, pack);
    }
    return good ? EXIT_DONE : args_no_memory(s->args);
}

typedef struct stale_listener {
    session *s;
    bool first;
    ptl_status status;
} stale_listener;

static bool on_world(void *payload, const ptl_world_info *world)
{
    stale_listener *l = payload;
    ptl_world_counts counts = PTL_WORLD_COUNTS_INIT;
    l->status = ptl_world_counts_load(&counts, l->s->store, world->name, &l->s->err);
    if (counts.foreign > 0) {
        tell("%s%ju chunk%s of world '%s'", l->first ? "portolan import: " : ", ",
             counts.foreign, plural(counts.foreign), world->name);
        l->first = false;
    }
    return l->status == PTL_OK;
}

enum { LACKING_SHOWN = 12 };

static bool on_lacking(void *payload, const char *id)
{
    size_t *told = payload;
    if (*told < LACKING_SHOWN)
        tell(*told == 0 ? "What was saved has terrains that this content lacks: '%s'"
                        : ", '%s'",
             id);
    ++*told;
    return true;
}

/* Prints which worlds have chunks that were made with other content than the one just imported,
 * and the commands with which to continue such worlds. */
static int tell_stale(session *s)
{
    stale_listener l = {s, true, PTL_OK};
    ptl_error err = {0};
    size_t told = 0;
    ptl_status status = ptl_world_list(s->store, on_world, &l, &err);
    if (l.status == PTL_OK)
        s->err = err;
    NEED(session_done(s, status));
    tell(
        " are stale: they were made with other content.\nThey can be read as they were, and "
        "new ones are not made beside them until you import that content again, or say how:\n"
        "  portolan regenerate FILE --world NAME --stale\n    makes them anew with this "
        "content\n"
        "  portolan generate FILE --world NAME --accept-content\n    makes new ones beside the "
        "old\n");
    status = ptl_lacking_terrain_list(s->store, on_lacking, &told, &s->err);
    if (told > LACKING_SHOWN)
        tell(" and %zu more", told - LACKING_SHOWN);
    tell("%s  portolan status FILE --changes\n    lists what the content defines otherwise "
         "than the one before\n",
         told > 0 ? "\n" : "");
    return session_done(s, status);
}

/* ---- the import ---- */

/* The payload of the import's callbacks, which report issues and progress. */
typedef struct import_listener {
    import_issues issues; /* must be first: import_issues_add gets a pointer to the listener */
    progress *shown;
} import_listener;

static void on_files(void *payload, uint64_t files, uint64_t total)
{
    (void)progress_count(((import_listener *)payload)->shown, files, total);
}

/* Imports, and prints the outcome. A refused import is reported in full, too, because its
 * issues say what must be corrected. */
static int import(session *s, const content_named *named)
{
    const args *a = s->args;
    import_listener l = {.shown = &s->shown};
    import_issues_init(&l.issues);
    progress_begin(&s->shown, "files");
    s->shown.pause = 0.1;
    ptl_import_options o = named->import;
    o.check = args_has(a, "check");
    o.on_diagnostic = import_issues_add;
    o.should_stop = stop_asked_for;
    o.on_progress = on_files;
    o.payload = &l;
    ptl_import_report report = PTL_IMPORT_REPORT_INIT;
    const ptl_status status = ptl_import(&report, s->store, &o, &s->err);
    int code = EXIT_DONE;
    progress_end(&s->shown);
    if (status == PTL_OK || status == PTL_ERR_CONTENT)
        code = print_report(s, &report, status, &l.issues);
    else
        tell_issues(s, &l.issues);
    import_issues_dispose(&l.issues);
    if (status == PTL_OK && report.stale_chunks > 0 && !o.check)
        return tell_stale(s);
    if (status == PTL_OK)
        return code;
    if (stop_wanted())
        return stop_tell();
    if (status != PTL_ERR_CONTENT || report.errors == 0)
        return session_failed(s);
    tell("portolan import: %ju error%s in the content: nothing was changed\n", report.errors,
         plural(report.errors));
    import_folders_advise(a, 1, report.errors);
    return EXIT_FAILED;
}

/* ---- the file ---- */

/* What was at the file's path when the command began. */
typedef struct target {
    const char *path;
    bool file, journal; /* whether there was a file at `path`, and a journal beside it */
    bool empty;         /* the file was empty */
    file_id id;
} target;

static bool has_name(const char *path, const char *tail, file_facts *out)
{
    char name[4096];
    const int size = snprintf(name, sizeof name, "%s%s", path, tail);
    return size > 0 && (size_t)size < sizeof name && file_look_here(out, name);
}

/* Returns whether the world file lies in the folder or one of its subfolders, under any name.
 * Symbolic links are not followed, because the import does not follow them either. Closes the
 * descriptor `folder`. */
static bool is_below(const target *t, int folder, int depth)
{
    enum { DEPTH_MAX = 64 };
    bool found = false;
    folder_list *list = folder >= 0 && depth < DEPTH_MAX ? folder_list_of(folder) : NULL;
    for (const char *name; list && !found && (name = folder_list_next(list)) != NULL;) {
        file_facts facts;
        if (name[0] == '.' || !file_look_in(&facts, folder, name))
            continue;
        found = file_id_same(&facts.id, &t->id);
        if (facts.kind == FILE_FOLDER)
            found = is_below(t, folder_open_in(folder, name), depth + 1);
    }
    folder_list_close(list);
    file_close(folder);
    return found;
}

static bool on_any_content(void *payload, const ptl_content_info *content)
{
    *(bool *)payload = content != NULL;
    return true;
}

static bool on_any_world(void *payload, const ptl_world_info *world)
{
    *(bool *)payload = world != NULL;
    return true;
}

/*
 * Removes the new file of a refused import. The file is removed while it is open: the writer's
 * lock is still held, so no other process can have put anything into it.
 */
static void remove_if_new(session *s, const target *t)
{
    file_facts facts;
    bool any = false;
    if (!s->store || t->file)
        return;
    stop_unheard(true); /* a signal must not stop these calls, because the file is removed even
                           after a signal */
    ptl_status status = ptl_content_list(s->store, on_any_content, &any, NULL);
    if (status == PTL_OK)
        status = ptl_world_list(s->store, on_any_world, &any, NULL);
    stop_unheard(false);
    if (status != PTL_OK || any)
        return;
    if (has_name(t->path, "", &facts) && facts.kind == FILE_REGULAR && facts.names == 1)
        file_remove(t->path);
    if (!t->journal && has_name(t->path, "-journal", &facts) && facts.kind == FILE_REGULAR &&
        facts.names == 1 && facts.size == 0) {
        char name[4096];
        snprintf(name, sizeof name, "%s-journal", t->path);
        file_remove(name);
    }
}

/* Imports into the file, which is made if it is missing. What was there before is noted first,
 * so that a refused import can leave no trace. */
static int import_into(session *s, const content_named *named)
{
    const args *a = s->args;
    const char *path = a->operands[0];
    file_facts facts = {.size = 0};
    if (args_has(a, "check"))
        return import(s, named);
    target t = {.path = path, .journal = has_name(path, "-journal", &facts)};
    t.file = file_look(&facts, path) || errno != ENOENT;
    t.empty = t.file && facts.kind == FILE_REGULAR && facts.size == 0;
    t.id = facts.id;
    if (strcmp(path, ":memory:") == 0)
        return usage_error(a, "what is in memory is gone when the command ends; for a file of "
                              "that name say ./:memory:");
    /* Refuses a path at which there is an empty file within the content to be imported, because
     * the import would make a world file of it. Files that are not empty need no check here:
     * the import itself refuses those that are no world files. */
    const char *game = t.empty ? args_value(a, "game") : NULL;
    bool is_content = game && is_below(&t, folder_open(game), 0);
    for (size_t i = 1; t.empty && i < a->operand_count && !is_content; i++) {
        file_id id;
        is_content = (file_id_of_path(&id, a->operands[i]) && file_id_same(&id, &t.id)) ||
                     is_below(&t, folder_open(a->operands[i]), 0);
    }
    if (is_content) {
        tell("portolan import: %s is the world file, and among the content that is to be read: "
             "it was left as it is\n",
             path);
        return EXIT_FAILED;
    }
    NEED(session_open(s, PTL_OPEN_CREATE));
    const int code = import(s, named);
    if (code != EXIT_DONE)
        remove_if_new(s, &t);
    return code;
}

static int run(session *s)
{
    const args *a = s->args;
    content_named named;
    /* Refuses a command line on which the world file is missing, so that the first operand is
     * content. With --check the world file is not opened, so without this test a misspelt
     * folder would go unnoticed. */
    const char *path = a->operands[0], *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    file_facts facts = {.size = 0};
    const bool there = file_look(&facts, path);
    if ((dot && strcmp(dot, ".json") == 0) || (there && facts.kind == FILE_FOLDER) ||
        (args_has(a, "check") && a->operand_count == 1 && !there &&
         !strchr(slash ? slash : path, '.')))
        return usage_error(a,
                           "FILE comes first, the content behind it: as in"
                           " portolan import w.db%s %s",
                           args_has(a, "check") ? " --check" : "", a->operands[0]);
    if (a->operand_count < 2 && !args_has(a, "builtin") && !args_has(a, "game"))
        return usage_error(a,
                           "nothing to import: name directories, or --game DIR, or --builtin");
    NEED(rows_style_from_args(&s->style, a, NULL));
    NEED(import_folders_check(a, 1));
    int code = content_named_read(&named, a, 1, NULL);
    if (code == EXIT_DONE)
        code = import_into(s, &named);
    content_named_dispose(&named);
    return code;
}

static const value_type values[] = {{"DIR", VALUE_FILE, NULL, NULL}, {0}};

const command import_command = {
    .name = "import",
    .group = GROUP_MAKE,
    .operands = "FILE [DIR...]",
    .summary = "Import content definitions (JSON) into a file, new or old.",
    .operand_help = "DIR  Directories, or single .json files, in order: the base first.\n",
    .details =
        "FILE is made if it is missing. Directories (or single .json files) in order: the "
        "base first, then the mods that build on it. The new content replaces the file's "
        "content as a whole, or, if any definition is wrong, nothing changes. Problems go to "
        "standard error, found in one pass:\n"
        "  FILE:LINE:COLUMN: ID: what is wrong\n"
        "With --lenient an object in which something is wrong is left out with a warning, and "
        "so is what can't do without it; where a text is no JSON the next object that begins "
        "its line alike goes on. A mod's own modinfo.json must be right. Of many, the first "
        "20 are printed; what is said of many places is printed once. All are listed with "
        "--verbose, and by --format csv, json, jsonl and raw. First comes what was asked for "
        "(the mods that are named, the last directories), then what that builds on; --pack "
        "NAME prints one alone. Of a whole game --game takes its directory (with data in it, "
        "or its data directory) and finds out which game it is: core, content and names of "
        "towns are read, and the mods that are asked for.\n",
    .examples =
        "  portolan import w.db --builtin\n"
        "  portolan import w.db ~/cataclysm/data/json ~/cataclysm/data/mods/mine\n"
        "  portolan import w.db --game ~/cataclysm --mods magiclysm,railroads\n"
        "  portolan import w.db --game ~/cataclysm --save ~/cataclysm/save/Dovenby\n"
        "  portolan import w.db --check --builtin mods/mine   # only look for mistakes\n",
    .options = options,
    .values = values,
    .large_pages = true,
    .run = run,
    .stopped = "nothing was imported: the file is as it was",
};
