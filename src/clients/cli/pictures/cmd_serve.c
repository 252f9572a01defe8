/* portolan serve: shows the worlds of a file in a browser. */
#include "clients/cli/pictures/serve.h"
#include "clients/server/server.h"

static const option_spec options[] = {
    {"port", "N", "listen at this port (default: any free one)", 0},
    {"listen", "ADDRESS", "listen at this numeric address, for other machines; needs --host",
     0},
    {"seconds", "N", "end by itself after so long (default: at Ctrl-C)", 0},
    {"host", "NAME", "with --listen: the name or address by which they reach this machine", 0},
    {"write", NULL, "let the page generate overmaps and local maps", 0},
    OPTION_SHARED,
    OPTION_ACCEPT_CONTENT,
    {"save", "SAVE", "show this folder of a game's save, too, in a copy of the file", 0},
    {"watch", "DIR...", "show this content instead, imported anew whenever its files are saved",
     0},
    {"builtin", NULL, "with --watch: Portolan's own pack comes first", 0},
    {"game", "DIR", "with --watch: a game's own directory comes first", 0},
    {"mods", "A,B,...", "with --game: of its mods these, and what they depend on", 0},
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

static int run(session *s)
{
    const args *a = s->args;
    const char *save = args_value(a, "save");
    server_options o = {.should_stop = stop_asked_for, .on_ready = on_ready, .payload = s};
    save_copy copy = {.folder = NULL};
    NEED(read_options(a, &o));
    if (args_has(a, "watch")) {
        /* Serves a world that is generated from watched content: no world file is needed. */
        serve_watch w;
        int code = serve_watch_make(&w, s->args);
        o.watch = &w.options;
        if (code == EXIT_DONE && server_run(&o, &s->err) != PTL_OK)
            code = stop_wanted() ? stop_tell_how("what was made is thrown away")
                                 : report_error("serve", NULL, &s->err);
        serve_watch_dispose(&w);
        return code;
    }
    o.path = a->operands[0];
    NEED(session_open(s, PTL_OPEN_READ));
    int code = EXIT_DONE;
    if (save) {
        code = save_copy_make(&copy, s, save);
        o.path = copy.path;
        o.shown = copy.world;
        o.save = save;
    }
    session_close(s); /* the server opens the file itself */
    if (code == EXIT_DONE)
        code = session_done(s, server_run(&o, &s->err));
    save_copy_remove(&copy);
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
        "generates where one clicks or drags, and the file is held for writing only as long "
        "as that takes.\n\n"
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
