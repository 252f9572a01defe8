/* portolan import: content definitions into a file, and what was wrong with them. */
#include "clients/cli/content/import_folders.h"
#include "clients/cli/content/import_issues.h"
#include "clients/cli/content/mod_list.h"
#include "clients/cli/line/commands.h"
#include "clients/cli/line/output.h"
#include "clients/cli/line/progress.h"
#include "clients/cli/line/stop.h"
#include "clients/cli/line/table.h"
#include "clients/cli/session/session.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/folder.h"
#include "os/new_file.h"
#include "portolan/lists.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option_spec options[] = {
    {"builtin", NULL, "Portolan's own pack comes first", 0},
    {"game", "DIR", "a game's own directory: its core, content and names come first", 0},
    {"mods", "A,B,...", "of its mods these, by their ids, and what they depend on", 0},
    {"save", "SAVE", "of its mods those of a saved world, by the folder of that world", 0},
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

typedef struct count_row {
    const char *key;   /* in JSON */
    const char *label; /* in the table */
    uint64_t count;
} count_row;

enum { COUNT_ROWS = 26 };

static void count_rows(const ptl_import_report *r, count_row out[COUNT_ROWS])
{
    const count_row rows[COUNT_ROWS] = {
        {"packs", "packs", r->packs},
        {"files", "files", r->files},
        {"bytes", "bytes", r->bytes},
        {"objects", "objects", r->objects},
        {"terrain_objects", "overmap_terrain objects", r->terrain_objects},
        {"terrain_types", "  types", r->terrain_types},
        {"concrete_terrains", "  concrete terrains", r->concrete_terrains},
        {"locations", "overmap_location", r->locations},
        {"connections", "overmap_connection", r->connections},
        {"specials", "overmap_special", r->specials},
        {"mutable_specials", "  of these mutable", r->mutable_specials},
        {"city_buildings", "city_building", r->city_buildings},
        {"regions", "region_settings", r->regions},
        {"map_extras", "map_extra", r->map_extras},
        {"land_use_codes", "overmap_land_use_code", r->land_use_codes},
        {"rotatable_symbols", "rotatable_symbol", r->rotatable_symbols},
        {"oter_migrations", "ids of terrains of before", r->oter_migrations},
        {"special_migrations", "ids of specials of before", r->special_migrations},
        {"oter_visions", "oter_vision", r->oter_visions},
        {"fixed_cities", "city, fixed", r->fixed_cities},
        {"kept", "objects kept as they stand", r->kept},
        {"skipped", "objects skipped", r->skipped},
        {"unknown_keys", "unknown keys", r->unknown_keys},
        {"warnings", "warnings", r->warnings},
        {"errors", "errors", r->errors},
        {"left_out", "objects left out", r->left_out},
    };
    for (size_t i = 0; i < COUNT_ROWS; i++)
        out[i] = rows[i];
}

static const char *outcome(const args *a, const ptl_import_report *r, ptl_status status)
{
    if (status != PTL_OK)
        return "refused: nothing was changed";
    if (args_has(a, "check"))
        return "checked: no errors; nothing was written";
    return r->unchanged ? "unchanged: the file holds this very content already" : "imported";
}

/* ---- the report ---- */

/* The counts, and an array of what was remarked on. False when memory is out. */
static bool print_json(const args *a, const ptl_import_report *r, ptl_status status,
                       const import_issues *issues)
{
    static const rows_style style = {.format = ROWS_JSON};
    count_row rows[COUNT_ROWS];
    count_rows(r, rows);
    const char *word = status != PTL_OK       ? "refused"
                       : args_has(a, "check") ? "checked"
                       : r->unchanged         ? "unchanged"
                                              : "imported";
    out_printf("{\"outcome\": \"%s\", \"digest\": \"%s\"", word, r->digest);
    for (size_t i = 0; i < COUNT_ROWS; i++)
        out_printf(", \"%s\": %llu", rows[i].key, (unsigned long long)rows[i].count);
    out_printf(", \"stale_chunks\": %llu, \"seconds\": %.3f,\n\"issues\": ",
               (unsigned long long)r->stale_chunks, r->seconds);
    const bool good = import_issues_print(issues, &style, args_value(a, "pack"));
    out_text("}\n");
    return good;
}

static bool print_table(const args *a, const ptl_import_report *r, ptl_status status)
{
    static const table_column columns[] = {{"", 0, false}, {"", 0, false}};
    const table_style style = table_style_of(false, false);
    count_row rows[COUNT_ROWS];
    table *t = table_new(columns, 2, &style);
    bool good = t != NULL;
    count_rows(r, rows);
    for (size_t i = 0; i < COUNT_ROWS && good; i++) /* of a refusal what it came to */
        if (status == PTL_OK || rows[i].count > 0)
            good = table_text(t, rows[i].label) && table_int(t, (long long)rows[i].count);
    table_finish(t);
    if (r->digest[0])
        out_printf("content %s\n", r->digest);
    out_printf("%s, in %.2f s\n", outcome(a, r, status), r->seconds);
    return good;
}

static void tell_issues(const args *a, const import_issues *issues)
{
    const import_issues_view view = {.errors_only = args_has(a, "no-warnings"),
                                     .verbose = args_has(a, "verbose"),
                                     .pack = args_value(a, "pack"),
                                     .where_all = "--verbose lists all"};
    import_issues_tell(issues, &view);
}

static int print_report(const args *a, const rows_style *style, const ptl_import_report *r,
                        ptl_status status, const import_issues *issues)
{
    bool good;
    if (style->format == ROWS_TABLE || style->format == ROWS_JSON)
        tell_issues(a, issues);
    if (style->format == ROWS_TABLE)
        good = args_has(a, "quiet") || print_table(a, r, status);
    else if (style->format == ROWS_JSON)
        good = print_json(a, r, status, issues);
    else
        good = import_issues_print(issues, style, args_value(a, "pack"));
    if (!good)
        tell("portolan import: memory is out\n");
    return good ? EXIT_DONE : EXIT_FAILED;
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
    l->status = ptl_world_count(l->s->store, world->name, &counts, &l->s->err);
    if (counts.foreign > 0) {
        tell("%s%" PRIu64 " chunk%s of world '%s'", l->first ? "portolan import: " : ", ",
             counts.foreign, counts.foreign == 1 ? "" : "s", world->name);
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

static int tell_lacking(session *s)
{
    size_t told = 0;
    const ptl_status status = ptl_lacking_terrain_list(s->store, on_lacking, &told, &s->err);
    if (told > LACKING_SHOWN)
        tell(" and %zu more", told - LACKING_SHOWN);
    tell("%s  portolan status FILE --changes\n    lists what the content defines otherwise "
         "than the one before\n",
         told > 0 ? "\n" : "");
    return status == PTL_OK ? EXIT_DONE : session_failed(s);
}

/* Which worlds have chunks of other contents, and what can be done. */
static int tell_stale(session *s)
{
    stale_listener l = {s, true, PTL_OK};
    ptl_error err = {0};
    const ptl_status status = ptl_world_list(s->store, on_world, &l, &err);
    if (l.status == PTL_OK)
        s->err = err;
    if (status != PTL_OK)
        return session_failed(s);
    tell(
        " are stale: they were made with other content.\nThey can be read as they were, and "
        "new ones are not made beside them until you import that content again, or say how:\n"
        "  portolan regenerate FILE --world NAME --stale\n    makes them anew with this "
        "content\n"
        "  portolan generate FILE --world NAME --accept-content\n    makes new ones beside the "
        "old\n");
    return tell_lacking(s);
}

/* Who hears of an import. */
typedef struct import_listener {
    import_issues issues;
    progress shown;
    double begun;   /* seconds */
    uint64_t drawn; /* files, when progress was shown last */
} import_listener;

static void on_diagnostic(void *payload, const ptl_diagnostic *what)
{
    import_listener *l = payload;
    import_issues_add(&l->issues, what);
}

static void on_files(void *payload, uint64_t files, uint64_t total)
{
    enum { EACH = 100 };
    import_listener *l = payload;
    if (files < l->drawn + EACH && files < total)
        return;
    const double seconds = clock_seconds() - l->begun;
    const ptl_progress now = {.size = sizeof now,
                              .done = files,
                              .total = total,
                              .seconds = seconds,
                              .rate = seconds > 0 ? (double)files / seconds : 0};
    l->drawn = files;
    (void)progress_show(&l->shown, &now);
}

static int import(session *s, const args *a, const rows_style *style, const mod_list *mods)
{
    import_listener l = {.begun = clock_seconds()};
    import_issues_init(&l.issues);
    progress_init(&l.shown, args_has(a, "quiet"));
    l.shown.noun = "files";
    ptl_import_options o = {
        .size = sizeof o,
        .directories = a->operands + 1,
        .directory_count = a->operand_count - 1,
        .builtin = args_has(a, "builtin"),
        .lenient = args_has(a, "lenient"),
        .check = args_has(a, "check"),
        .on_diagnostic = on_diagnostic,
        .should_stop = stop_asked_for,
        .on_progress = on_files,
        .payload = &l,
        .game = args_value(a, "game"),
        .mods = mods->ids,
        .mod_count = mods->count,
        .save = args_value(a, "save"),
    };
    ptl_import_report report = PTL_IMPORT_REPORT_INIT;
    ptl_status status = ptl_import(s->store, &o, &report, &s->err);
    int code = EXIT_DONE;
    progress_end(&l.shown);
    if (status == PTL_OK || status == PTL_ERR_CONTENT)
        code = print_report(a, style, &report, status, &l.issues);
    else
        tell_issues(a, &l.issues);
    import_issues_dispose(&l.issues);
    if (status == PTL_OK && report.stale_chunks > 0 && !args_has(a, "check"))
        code = tell_stale(s);
    if (status == PTL_OK)
        return code;
    if (stop_wanted())
        return stop_tell();
    if (status != PTL_ERR_CONTENT || report.errors == 0)
        return session_failed(s);
    tell("portolan import: %" PRIu64 " error%s in the content: nothing was changed\n",
         report.errors, report.errors == 1 ? "" : "s");
    import_folders_advise(a, report.errors);
    return EXIT_FAILED;
}

/* ---- the file ---- */

/* What was there when the command began. */
typedef struct target {
    const char *path;
    bool file, journal; /* there was one */
    bool empty;         /* and it was empty */
    file_id id;
} target;

static bool has_name(const char *path, const char *tail, file_facts *out)
{
    char name[4096];
    const int size = snprintf(name, sizeof name, "%s%s", path, tail);
    return size > 0 && (size_t)size < sizeof name && file_look_here(out, name);
}

/* Whether the file is one of the directory's, by any name; links are not followed, as when it
 * is read. The descriptor is closed. */
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

/* An empty file becomes a world: so it must not be one of the content's. (Of any other one the
 * import itself finds it.) */
static bool is_content(const target *t, const args *a)
{
    file_id id;
    const char *game = args_value(a, "game");
    if (game && is_below(t, folder_open(game), 0))
        return true;
    for (size_t i = 1; i < a->operand_count; i++) {
        const char *path = a->operands[i];
        if ((file_id_of_path(&id, path) && file_id_same(&id, &t->id)) ||
            is_below(t, folder_open(path), 0))
            return true;
    }
    return false;
}

static bool on_any_content(void *payload, const ptl_content_info *content)
{
    (void)content;
    *(bool *)payload = true;
    return true;
}

static bool on_any_world(void *payload, const ptl_world_info *world)
{
    (void)world;
    *(bool *)payload = true;
    return true;
}

/*
 * A refused import leaves no new file behind. It is removed while it is open: so the writer's
 * lock is held, and nobody else can have put anything into it.
 */
static void remove_if_new(session *s, const target *t)
{
    file_facts facts;
    bool any = false;
    if (!s->store || t->file)
        return;
    stop_unheard(true); /* a stopped import leaves none, either */
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

static int import_into(const args *a, const rows_style *style, const mod_list *mods)
{
    session s = {.args = a};
    target t;
    if (args_has(a, "check"))
        return import(&s, a, style, mods);
    const char *path = a->operands[0];
    file_facts facts = {.size = 0};
    t = (target){.path = path};
    t.journal = has_name(path, "-journal", &facts);
    t.file = file_look(&facts, path) || errno != ENOENT;
    t.empty = t.file && facts.kind == FILE_REGULAR && facts.size == 0;
    t.id = facts.id;
    if (strcmp(t.path, ":memory:") == 0)
        return usage_error(a, "what is in memory is gone when the command ends; for a file of "
                              "that name say ./:memory:");
    if (t.empty && is_content(&t, a)) {
        tell("portolan import: %s is the world file, and among the content that is to be read: "
             "it was left as it is\n",
             t.path);
        return EXIT_FAILED;
    }
    int code = session_open(&s, a, PTL_OPEN_CREATE);
    if (code == EXIT_DONE) {
        code = import(&s, a, style, mods);
        if (code != EXIT_DONE)
            remove_if_new(&s, &t);
    }
    session_close(&s);
    return code;
}

static bool ends_with(const char *text, const char *tail)
{
    const size_t length = strlen(text), size = strlen(tail);
    return length >= size && strcmp(text + length - size, tail) == 0;
}

/* Is the first operand content, and not the file that it stands for? With --check nothing looks
 * at it, so that a misspelt folder would be no mistake, either. */
static bool is_no_file(const args *a)
{
    const char *path = a->operands[0], *slash = strrchr(path, '/');
    file_facts facts = {.size = 0};
    const bool there = file_look(&facts, path);
    if (ends_with(path, ".json") || (there && facts.kind == FILE_FOLDER))
        return true;
    return args_has(a, "check") && a->operand_count == 1 && !there &&
           !strchr(slash ? slash : path, '.');
}

static int run(const args *a)
{
    rows_style style;
    mod_list mods = {NULL, NULL, 0};
    if (is_no_file(a))
        return usage_error(a,
                           "FILE comes first, the content behind it: as in"
                           " portolan import w.db%s %s",
                           args_has(a, "check") ? " --check" : "", a->operands[0]);
    if (a->operand_count < 2 && !args_has(a, "builtin") && !args_has(a, "game"))
        return usage_error(a,
                           "nothing to import: name directories, or --game DIR, or --builtin");
    if ((args_has(a, "mods") || args_has(a, "save")) && !args_has(a, "game"))
        return usage_error(a, "--%s says which of a game's mods: say --game DIR, too",
                           args_has(a, "mods") ? "mods" : "save");
    int code = rows_style_from_args(&style, a, NULL);
    if (code == EXIT_DONE)
        code = import_folders_check(a);
    if (code == EXIT_DONE && !mod_list_read(&mods, a)) {
        tell("portolan import: memory is out\n");
        code = EXIT_FAILED;
    }
    if (code == EXIT_DONE)
        code = import_into(a, &style, &mods);
    mod_list_dispose(&mods);
    return code;
}

static const value_type values[] = {
    {"game", VALUE_DIRECTORY, NULL, NULL},
    {"save", VALUE_DIRECTORY, NULL, NULL},
    {"mods", VALUE_ANY, NULL, NULL},
    {"DIR", VALUE_FILE, NULL, NULL},
    VALUES_END,
};

const command import_command = {
    .name = "import",
    .group = GROUP_MAKE,
    .operands = "FILE [DIR...]",
    .operands_min = 1,
    .operands_max = (size_t)-1,
    .summary = "Import content definitions (JSON) into a file, new or old.",
    .operand_help = "DIR  Directories, or single .json files, in order: the base first.\n",
    .details =
        "FILE is made if it is missing. Directories (or single .json files) in order: the base "
        "first, then the mods that "
        "build\n"
        "on it. The new content replaces the file's content as a whole, or, if any definition\n"
        "is wrong, nothing changes. Problems go to standard error, found in one pass:\n"
        "  FILE:LINE:COLUMN: ID: what is wrong\n"
        "With --lenient an object in which something is wrong is left out with a warning, and "
        "so is "
        "what\n"
        "can't do without it; where a text is no JSON the next object that begins its line "
        "alike "
        "goes\n"
        "on. A mod's own modinfo.json must be right.\n"
        "Of many, the first 20 are printed; what is said of many places is printed once. All\n"
        "are listed with --verbose, and by --format csv, json, jsonl and raw. First comes "
        "what\n"
        "was asked for (the mods that are named, the last directories), then what that builds\n"
        "on; --pack NAME prints one alone.\n"
        "Of a whole game --game takes its directory (with data in it, or its data directory) "
        "and "
        "finds out\n"
        "which game it is: core, content and names of towns are read, and the mods that are "
        "asked "
        "for.\n",
    .examples =
        "  portolan import w.db --builtin\n"
        "  portolan import w.db ~/cataclysm/data/json ~/cataclysm/data/mods/mine\n"
        "  portolan import w.db --game ~/cataclysm --mods magiclysm,railroads\n"
        "  portolan import w.db --game ~/cataclysm --save ~/cataclysm/save/Dovenby\n"
        "  portolan import w.db --check --builtin mods/mine   # only look for mistakes\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped = "nothing was imported: the file is as it was",
};
