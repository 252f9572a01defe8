/* portolan serve --watch: reads what is watched, and tells what came of each
 * save of the content. */
#include "clients/cli/pictures/serve.h"
#include "clients/watch/locals.h"

/* Most overmaps that --rect may have generated for each save. */
enum { OVERMAPS_MAX = 1024, MAPS_DEFAULT = 2000 };

/* ---- what is told ---- */

static void on_begin(void *payload, unsigned save, size_t changed, const char *file)
{
    serve_watch *w = payload;
    import_issues_dispose(&w->issues);
    import_issues_init(&w->issues);
    if (args_has(w->args, "quiet"))
        return;
    if (changed == 0)
        tell("portolan serve: save %u: reading the content\n", save);
    else if (changed == 1)
        tell("portolan serve: save %u: %s\n", save, file);
    else
        tell("portolan serve: save %u: %s and %zu more\n", save, file, changed - 1);
}

static void on_diagnostic(void *payload, const ptl_diagnostic *what)
{
    serve_watch *w = payload;
    import_issues_add(&w->issues, what);
}

/* Prints the outcome of a save. Errors are always printed. Warnings about watched packs are
 * printed at each save, those about the packs that these build on only at the first. */
static void on_end(void *payload, const watch_outcome *o)
{
    serve_watch *w = payload;
    const bool is_quiet = args_has(w->args, "quiet");
    if (o->result == WATCH_LEFT_OFF)
        return;
    const import_issues_view view = {.errors_only = is_quiet,
                                     .base_errors_only = o->save > 1,
                                     .where_all = "the page lists more"};
    import_issues_tell(&w->issues, &view);
    if (o->result == WATCH_REFUSED)
        tell("portolan serve: save %u: %ju error%s in the content: what was shown stays\n",
             o->save, o->errors, plural(o->errors));
    else if (o->result == WATCH_FAILED)
        tell("portolan serve: save %u: %s: what was shown stays\n", o->save, o->err->message);
    else if (o->result == WATCH_UNCHANGED && !is_quiet)
        tell("portolan serve: save %u: the content is what it was\n", o->save);
    else if (o->result == WATCH_GOOD && !is_quiet && !o->is_compared)
        tell("portolan serve: save %u: world '%s' is made, in %.1f s\n", o->save, o->world,
             o->seconds);
    else if (o->result == WATCH_GOOD && !is_quiet)
        tell("portolan serve: save %u against '%s': specials: %ju moved, %ju added, %ju lost; "
             "terrains that look otherwise: %ju; %ju counts differ, %ju significantly; of %ju "
             "local maps %ju differ; in %.1f s\n",
             o->save, o->before, o->moved, o->added, o->lost, o->looks, o->departed,
             o->significant, o->maps, o->maps_changed, o->seconds);
}

/* ---- the command line ---- */

static int read_world(serve_watch *w, bool has_file)
{
    const args *a = w->args;
    const char *rect = args_value(a, "rect");
    int64_t r[4] = {-1, -1, 1, 1}, maps = MAPS_DEFAULT;
    if (!has_file && args_has(a, "world"))
        return usage_error(a, "--world is one of FILE, whose settings are taken");
    if (has_file) { /* the settings of the world in FILE are taken over */
        session s;
        session_init(&s, a);
        int code = session_open_world(&s, PTL_OPEN_READ, NULL);
        if (code == EXIT_DONE) {
            (void)ptl_world_settings(&w->settings, s.world, NULL);
            w->region = strdup(w->settings.region);
            w->settings.region = w->region;
            code = session_printed(&s, w->region != NULL);
        }
        session_close(&s);
        NEED(code);
    }
    NEED(args_u64(a, "seed", &w->settings.seed));
    if (rect)
        NEED(rect_from_text(a, "rect", rect, PTL_CHUNK_COORD_MAX, r));
    if ((r[2] - r[0] + 1) * (r[3] - r[1] + 1) > OVERMAPS_MAX)
        return usage_error(a, "--rect '%s' has more than %d overmaps", rect, (int)OVERMAPS_MAX);
    NEED(args_int32(a, "jobs", 1, 64, &w->options.jobs));
    NEED(args_int(a, "maps", 0, LOCALS_MAX, &maps));
    w->options.maps = (size_t)maps;
    w->options.from = (ptl_chunk_pos){(int32_t)r[0], (int32_t)r[1]};
    w->options.to = (ptl_chunk_pos){(int32_t)r[2], (int32_t)r[3]};
    return EXIT_DONE;
}

static int read_content(serve_watch *w, bool has_file)
{
    const args *a = w->args;
    if (args_has(a, "mods") && !args_has(a, "game"))
        return usage_error(a, "--mods says which of a game's mods: say --game DIR, too");
    if (!mod_list_read(&w->mods, a)) {
        tell("portolan serve: memory is out\n");
        return EXIT_FAILED;
    }
    w->import.builtin = args_has(a, "builtin");
    w->import.lenient = args_has(a, "lenient");
    w->import.game = args_value(a, "game");
    w->import.mods = w->mods.ids;
    w->import.mod_count = w->mods.count;
    /* Collects the values of --watch and the operands after FILE. Each must exist at the start.
     */
    size_t at = 0, *count = &w->import.directory_count;
    const char *value;
    file_facts facts;
    w->directories = calloc(a->given_count + a->operand_count + 1, sizeof *w->directories);
    if (!w->directories) {
        tell("portolan serve: memory is out\n");
        return EXIT_FAILED;
    }
    while ((value = args_next(a, "watch", &at)) != NULL)
        w->directories[(*count)++] = value;
    for (size_t i = has_file; i < a->operand_count; i++)
        w->directories[(*count)++] = a->operands[i];
    for (size_t i = 0; i < *count; i++)
        if (!file_look(&facts, w->directories[i])) {
            tell("portolan serve: %s is not there, or can't be read: --watch takes folders of "
                 "content\n",
                 w->directories[i]);
            return EXIT_FAILED;
        }
    w->import.directories = w->directories;
    return EXIT_DONE;
}

int serve_watch_make(serve_watch *out, const args *a)
{
    /* The first operand may be a world file. Content is a folder or a .json file. */
    const char *first = a->operand_count > 0 ? a->operands[0] : NULL;
    const size_t size = first ? strlen(first) : 0;
    file_facts facts;
    const bool has_file = first && !(size > 5 && strcmp(first + size - 5, ".json") == 0) &&
                          !(file_look(&facts, first) && facts.kind == FILE_FOLDER);
    ptl_error err = {.status = PTL_OK};
    *out = (serve_watch){
        .args = a, .import = PTL_IMPORT_OPTIONS_INIT, .settings = PTL_WORLD_OPTIONS_INIT};
    import_issues_init(&out->issues);
    out->settings.seed = 1;
    out->options = (watch_options){.import = &out->import,
                                   .settings = &out->settings,
                                   .program = "portolan serve",
                                   .jobs = 1,
                                   .on_begin = on_begin,
                                   .on_diagnostic = on_diagnostic,
                                   .on_end = on_end,
                                   .payload = out};
    NEED(read_world(out, has_file));
    NEED(read_content(out, has_file));
    if (throwaway_make(&out->folder, getenv("TMPDIR"), &err) != PTL_OK)
        return report_error("serve", NULL, &err);
    out->options.folder = out->folder;
    return EXIT_DONE;
}

void serve_watch_dispose(serve_watch *w)
{
    throwaway_remove(w->folder);
    free(w->folder);
    free(w->directories);
    free(w->region);
    mod_list_dispose(&w->mods);
    import_issues_dispose(&w->issues);
}
