/* portolan serve: shows the worlds of a file in a browser. */
#include "clients/cli/content/import.h"
#include "clients/cli/pictures/picture.h"
#include "clients/cli/session/tilesets.h"
#include "clients/os/throwaway.h"
#include "clients/server/server.h"
#include "clients/watch/locals.h"
#include "clients/watch/watch.h"
#include "core/error.h"

static const option_spec options[] = {
    {"port", "N", "listen at this port (default: any free one)", 0},
    {"listen", "ADDRESS", "listen at this numeric address, for other machines; needs --host",
     0},
    {"seconds", "N", "end by itself after so long (default: at Ctrl-C)", 0},
    {"host", "NAME", "with --listen: the name or address by which they reach this machine", 0},
    {"write", NULL, "let the page generate, edit and write notes", 0},
    OPTION_SHARED,
    OPTION_ACCEPT_CONTENT,
    {"save", "SAVE", "show this folder of a game's save, too, in a copy of the file", 0},
    {"tileset", "DIR", "the page can draw with a game's tile set: a folder of its gfx", 0},
    {"watch", "DIR...", "show this content instead, imported anew whenever its files are saved",
     0},
    {"builtin", NULL, "with --watch: Portolan's own pack comes first", 0},
    {"game", "DIR", "with --watch: a game's own directory comes first", 0},
    {"mods", "A,B,...", "with --game: ids of its mods; mods that they need come too", 0},
    {"lenient", NULL, "with --watch: what is wrong is left out, and a warning", 0},
    {"world", "NAME", "with --watch: of FILE, whose settings are taken", 0},
    {"seed", "N", "with --watch: of the worlds (default: FILE's, or 1)", 0},
    {"rect", "X0,Y0,X1,Y1", "with --watch: overmaps that are generated (default: -1,-1,1,1)",
     0},
    {"maps", "N", "with --watch: local maps that are compared, 0..20000 (default: 2000)", 0},
    {"jobs", "N", "with --watch: generating threads, 1..64 (default: 1)", 'j'},
    OPTION_NO_PROGRESS,
    OPTIONS_END,
};

/* Options that say which content is watched and which world is made of it. They are refused
 * without --watch. */
static const char *const of_watch[] = {"builtin", "game", "mods", "lenient", "world",
                                       "seed",    "rect", "jobs", "maps",    NULL};

static int read_options(const args *a, server_options *out)
{
    int64_t port = 0;
    out->seconds = -1;
    NEED(args_int(a, "port", 1, 65535, &port));
    NEED(args_double(a, "seconds", 0, 1e9, &out->seconds));
    out->port = (uint16_t)port;
    out->write = args_has(a, "write");
    out->shared = args_has(a, "shared");
    out->accept_content = args_has(a, "accept-content");
    out->address = args_value(a, "listen");
    out->host = args_value(a, "host");
    if (!out->address != !out->host)
        return usage_error(a, "--listen and --host go together: browsers must use that name, "
                              "and whoever uses another is refused");
    if (out->address && out->write)
        return usage_error(a, "--write is for this machine alone, --listen for others");
    if (!out->write && (out->shared || out->accept_content))
        return usage_error(a, "--%s goes with --write: else nothing is written",
                           out->shared ? "shared" : "accept-content");
    for (size_t i = 0; !args_has(a, "watch") && of_watch[i]; i++)
        if (args_has(a, of_watch[i]))
            return usage_error(a, "--%s goes with --watch DIR", of_watch[i]);
    if (args_has(a, "watch") && args_has(a, "save"))
        return usage_error(a, "--watch shows content, --save a game's save: one of them");
    if (!args_has(a, "watch") && a->operand_count != 1)
        return usage_error(a, "which world file? FILE, or content: --watch DIR");
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
    const size_t size = out->host ? strlen(out->host) : 0;
    if (out->host && (size == 0 || size > 253 || strspn(out->host, letters) != size))
        return usage_error(a, "--host '%s' is no name of a machine, as 'box.example' is",
                           out->host);
    return EXIT_DONE;
}

static void on_ready(void *payload, const char *link)
{
    const args *a = ((const session *)payload)->args;
    out_printf("%s\n", link);
    (void)out_flush();
    if (args_has(a, "quiet"))
        return;
    if (args_has(a, "listen"))
        tell("portolan serve: anyone who has this link can read the file, and who listens on "
             "the way there can read the link; SQL is left out. Ctrl-C ends it.\n");
    else
        tell("portolan serve: open this link in a browser of this machine%s; Ctrl-C ends it.\n",
             args_has(a, "write") ? ", whose page may write the file" : "");
}

/* ---- --save: a save of a game, in a copy of the file ---- */

typedef struct save_copy {
    char *folder;    /* owned; a folder of this process only, inside TMPDIR */
    char *path;      /* owned; the copy of the file, which lies in `folder` */
    char world[101]; /* name of the world into which the save's overmaps are read: that of the
                        save's folder */
} save_copy;

/* Reads the save into a new world of the copied file. The content may lack terrain that the
 * save has; this is no error, and a message says how many OMTs have such terrain. */
static ptl_status read_save(const save_copy *c, ptl_store *store, const char *save,
                            ptl_error *err)
{
    const ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    ptl_game_save_import_options how = PTL_GAME_SAVE_IMPORT_OPTIONS_INIT;
    ptl_game_save_import_report report = PTL_GAME_SAVE_IMPORT_REPORT_INIT;
    ptl_world *world = NULL;
    how.directory = save;
    how.lenient = true;
    ptl_status status = ptl_world_create(store, c->world, &settings, err);
    THEN(status, ptl_world_open(&world, store, c->world, NULL, err));
    THEN(status, ptl_game_save_import(&report, world, &how, err));
    ptl_world_close(world);
    if (status == PTL_OK)
        tell("portolan serve: %ju overmap%s of the save %s world '%s' of a copy that is thrown "
             "away; %ju OMTs of terrain that the content lacks became their level's default.\n",
             report.chunks, plural(report.chunks), report.chunks == 1 ? "is" : "are", c->world,
             report.unknown_terrains);
    return status;
}

/* Copies the session's file, makes a world in the copy and reads the save's overmaps into it.
 * The caller must remove the copy even after an error. */
static ptl_status fill(save_copy *c, session *s, const char *save)
{
    const ptl_open_options how = {.size = sizeof how,
                                  .program = "portolan serve",
                                  .should_stop = stop_asked_for,
                                  .mode = PTL_OPEN_WRITE};
    ptl_store *store = NULL;
    /* The world is named after the save's folder: the last part of the path `save`. */
    ptl_error *err = &s->err;
    size_t end = strlen(save);
    while (end > 1 && save[end - 1] == '/')
        end--;
    size_t from = end;
    while (from > 0 && save[from - 1] != '/')
        from--;
    if (end - from == 0 || end - from >= sizeof c->world)
        return error_set(err, PTL_ERR_ARGUMENT, "'%s' ends with no name of a world", save);
    memcpy(c->world, save + from, end - from);
    c->world[end - from] = '\0';
    TRY(throwaway_make(&c->folder, getenv("TMPDIR"), &s->err));
    c->path = throwaway_path(c->folder, "save.db");
    if (!c->path)
        return error_nomem(&s->err);
    TRY(ptl_backup(NULL, s->store, c->path, NULL, &s->err));
    ptl_status status = ptl_store_open(&store, c->path, &how, &s->err);
    THEN(status, read_save(c, store, save, &s->err));
    ptl_store_close(store);
    return status;
}

/* ---- --watch: content that is shown while its author edits it ---- */

typedef struct serve_watch {
    import_issues issues; /* must be first: import_issues_add gets a pointer to the struct */
    const args *args;
    /* Options of the watch. Pointers in this struct point to the members that follow here. */
    watch_options options;
    content_named named;        /* what content is imported */
    ptl_world_options settings; /* settings of the world that is generated */
    char *region;               /* owned; settings.region if it comes from a file */
    char *folder;               /* owned; the folder of the temporary files */
} serve_watch;

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

/* Prints the outcome each time the author has saved a file of the content. Errors, and warnings
 * about the watched packs, are printed each time. Warnings about the packs on which the watched
 * packs build are printed only the first time. */
static void on_end(void *payload, const watch_outcome *o)
{
    serve_watch *w = payload;
    const bool is_quiet = args_has(w->args, "quiet");
    if (o->result == WATCH_LEFT_OFF)
        return;
    const import_issues_view view = {.errors_only = is_quiet,
                                     .base_errors_only = o->save > 1,
                                     .where_all = "the page lists more"};
    (void)import_issues_tell(&w->issues, &view);
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

/* OVERMAPS_MAX: how many overmaps --rect may name at most, because all of them are generated
 * again after each save of the content. MAPS_DEFAULT: how many local maps are compared by
 * default. */
enum { OVERMAPS_MAX = 1024, MAPS_DEFAULT = 2000 };

static int read_world(serve_watch *w, bool has_file)
{
    const args *a = w->args;
    const char *rect = args_value(a, "rect");
    int64_t r[4] = {-1, -1, 1, 1}, maps = MAPS_DEFAULT;
    if (!has_file && args_has(a, "world"))
        return usage_error(a, "--world is one of FILE, whose settings are taken");
    if (has_file) { /* the new worlds get the settings of the world in FILE */
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
    NEED(content_named_read(&w->named, w->args, has_file, "watch"));
    const char *missing = content_named_missing(&w->named);
    if (!missing)
        return EXIT_DONE;
    tell(
        "portolan serve: %s is not there, or can't be read: --watch takes folders of content\n",
        missing);
    return EXIT_FAILED;
}

/* Reads the command line and makes the folder for temporary files. If a world of FILE is named,
 * the settings of that world are taken. Returns EXIT_DONE, or another code after a message. The
 * caller must dispose of *out even after an error, but not before the server has ended. */
static int serve_watch_make(serve_watch *out, const args *a)
{
    /* The first operand may be a world file. Content is a folder or a .json file. */
    const char *first = a->operand_count > 0 ? a->operands[0] : NULL;
    const size_t size = first ? strlen(first) : 0;
    file_facts facts;
    const bool has_file = first && !(size > 5 && strcmp(first + size - 5, ".json") == 0) &&
                          !(file_look(&facts, first) && facts.kind == FILE_FOLDER);
    ptl_error err = {.status = PTL_OK};
    *out = (serve_watch){.args = a, .settings = PTL_WORLD_OPTIONS_INIT};
    import_issues_init(&out->issues);
    out->settings.seed = 1;
    out->options = (watch_options){.import = &out->named.import,
                                   .settings = &out->settings,
                                   .program = "portolan serve",
                                   .jobs = 1,
                                   .on_begin = on_begin,
                                   .on_diagnostic = import_issues_add,
                                   .on_end = on_end,
                                   .payload = out};
    NEED(read_world(out, has_file));
    NEED(read_content(out, has_file));
    if (throwaway_make(&out->folder, getenv("TMPDIR"), &err) != PTL_OK)
        return report_error("serve", NULL, &err);
    out->options.folder = out->folder;
    return EXIT_DONE;
}

/* Serves a world that is generated from watched content: no world file is needed. */
static int run_watch(session *s, const server_options *given)
{
    serve_watch w;
    int code = serve_watch_make(&w, s->args);
    server_options o = *given;
    o.watch = &w.options;
    if (code == EXIT_DONE && server_run(&o, &s->err) != PTL_OK)
        code = stop_wanted() ? stop_tell_how("what was made is thrown away")
                             : report_error("serve", NULL, &s->err);
    throwaway_remove(w.folder);
    free(w.folder);
    free(w.region);
    content_named_dispose(&w.named);
    import_issues_dispose(&w.issues);
    return code;
}

/* Serves a file, or a copy of it with a game's save. */
static int run_file(session *s, const server_options *given)
{
    const args *a = s->args;
    const char *save = args_value(a, "save");
    save_copy copy = {.folder = NULL};
    server_options o = *given;
    o.path = a->operands[0];
    NEED(session_open(s, PTL_OPEN_READ));
    int code = EXIT_DONE;
    if (save) {
        code = session_done(s, fill(&copy, s, save));
        o.path = copy.path;
        o.shown = copy.world;
        o.save = save;
    }
    session_close(s); /* the server opens the file itself */
    if (code == EXIT_DONE)
        code = session_done(s, server_run(&o, &s->err));
    throwaway_remove_file(copy.path);
    throwaway_remove(copy.folder);
    free(copy.path);
    free(copy.folder);
    return code;
}

/* Opens the tile set that --tileset names. Without it, that of the game that --game names is
 * opened; many a game has none that can be drawn, which is no mistake then. */
static int open_set(session *s, ptl_tileset **out)
{
    const char *game = args_value(s->args, "game");
    ptl_error err = {.status = PTL_OK};
    NEED(tileset_from_args(s, out));
    if (!*out && game)
        (void)tileset_find_open(out, game, &err);
    return EXIT_DONE;
}

static int run(session *s)
{
    server_options o = {.should_stop = stop_asked_for, .on_ready = on_ready, .payload = s};
    ptl_tileset *set;
    NEED(read_options(s->args, &o));
    NEED(open_set(s, &set));
    o.tileset = set;
    const int code = args_has(s->args, "watch") ? run_watch(s, &o) : run_file(s, &o);
    ptl_tileset_close(set);
    return code;
}

const command serve_command = {
    .name = "serve",
    .group = GROUP_LOOK,
    .operands = "[FILE] [DIR...]",
    .operand_help = "DIR  With --watch: more folders of content.\n",
    .summary = "Show the worlds of a file in a browser: a map, search, SQL.",
    .details =
        "Prints a link to a page and serves it until Ctrl-C, or for --seconds. The file is "
        "read as it is, also while another process generates into it; nothing is asked of any "
        "other machine, and nothing is written, nowhere, but with --write: then the page "
        "generates where one clicks or drags, sets terrain and writes notes, and the file is "
        "held for writing only as long as that takes.\n\n"
        "With --save the file is copied to the folder of TMPDIR (or /var/tmp), and the "
        "overmaps of a game's save are read into the copy as one more world, which is shown "
        "first; the file and the save stay as they are, and the copy goes when the server "
        "ends. The file's content must be that of the game.\n\n"
        "With --watch content is shown that somebody works on: folders (or .json files), the "
        "base first, then mods. Whenever a file in them is saved they are imported, into a "
        "file that is thrown away, and the overmaps of --rect are generated with the same "
        "seed; the page shows what differs from before: specials, cities, statistics, local "
        "maps. Mistakes are told with file, line and column, also here, and what was shown "
        "stays. FILE is not needed: if it is given, the settings of its world are taken.\n\n"
        "With --tileset the page has a third style beside paper and terminal, which draws "
        "overmaps and local maps with a game's own pictures: DIR is a folder of its gfx, or "
        "the game's own. With --watch --game the game's set is found by itself.\n\n"
        "Only programs of this machine that know the link are answered: it has a random "
        "token. With --listen ADDRESS others are, too, at the name of --host alone, without "
        "SQL, and unencrypted: for networks that you trust.\n",
    .examples = "  portolan serve w.db --seconds 2\n"
                "  portolan serve w.db --port 8000 --seconds 1\n"
                "  portolan serve w.db --write --seconds 1\n"
                "  portolan serve --watch mods/mine --builtin --seconds 1\n",
    .options = options,
    .run = run,
    .stopped = "the file is as it was, with what was generated",
};
