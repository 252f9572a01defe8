/* portolan serve: the worlds of a file in a browser. */
#include "cli/line/commands.h"
#include "cli/line/output.h"
#include "cli/line/stop.h"
#include "cli/pictures/serve_save.h"
#include "cli/session/session.h"
#include "server/server.h"

#include <string.h>

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
    OPTION_NO_PROGRESS,
    OPTIONS_END,
};

static bool host_is_good(const char *host)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
    const size_t size = strlen(host);
    return size > 0 && size < 254 && strspn(host, letters) == size;
}

static int read_options(const args *a, server_options *out)
{
    int64_t port = 0;
    int code = args_int(a, "port", 1, 65535, &port);
    out->seconds = -1;
    if (code == EXIT_DONE)
        code = args_double(a, "seconds", 0, 1e9, &out->seconds);
    if (code != EXIT_DONE)
        return code;
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
    if (out->host && !host_is_good(out->host))
        return usage_error(a, "--host '%s' is no name of a machine, as 'box.example' is",
                           out->host);
    return EXIT_DONE;
}

static void on_ready(void *payload, const char *link)
{
    const args *a = payload;
    out_printf("%s\n", link);
    (void)out_flush();
    if (args_has(a, "quiet"))
        return;
    if (args_has(a, "listen"))
        tell("portolan serve: anyone who has this link can read the file, and who listens on "
             "the way there can read the link; SQL is left out. Ctrl-C ends it.\n");
    else
        tell("portolan serve: open this link in a browser of this machine%s; Ctrl-C ends "
             "it.\n",
             args_has(a, "write") ? ", whose page may write the file" : "");
}

static int run(const args *a)
{
    session s;
    server_options o = {.path = a->operands[0],
                        .should_stop = stop_asked_for,
                        .on_ready = on_ready,
                        .payload = (void *)a};
    save_copy copy = {.folder = NULL};
    int code = read_options(a, &o);
    if (code != EXIT_DONE)
        return code;
    code = session_open(&s, a, PTL_OPEN_READ);
    if (code == EXIT_DONE && args_has(a, "save")) {
        code = save_copy_make(&copy, &s, args_value(a, "save"));
        o.path = copy.path;
        o.shown = copy.world;
        o.save = args_value(a, "save");
    }
    if (code == EXIT_DONE) {
        ptl_store_close(s.store); /* it is what was wrong with the file that was asked */
        s.store = NULL;
        code = server_run(&o, &s.err) == PTL_OK ? EXIT_DONE : session_failed(&s);
    }
    session_close(&s);
    save_copy_remove(&copy);
    return code;
}

const command serve_command = {
    .name = "serve",
    .group = GROUP_LOOK,
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Show the worlds of a file in a browser: a map, search, SQL.",
    .details =
        "Prints a link to a page and serves it until Ctrl-C, or for --seconds. The file is "
        "read as it is, also "
        "while another process generates into it; nothing is asked of any other machine, and "
        "nothing is written, nowhere, but with --write: then the page generates where one "
        "clicks or drags, and the file is held for writing only as long as that takes.\n"
        "\n"
        "With --save the file is copied to the folder of TMPDIR (or /var/tmp), and the "
        "overmaps of a game's save are read into the copy as one more world, which is shown "
        "first; the file and the save stay as they are, and the copy goes when the server "
        "ends. The file's content must be that of the game.\n"
        "\n"
        "Only programs of this machine that know the link are answered: it has a random token. "
        "With --listen ADDRESS others are, too, at the name of --host alone, without SQL, and "
        "unencrypted: for networks that you trust.\n",
    .examples = "  portolan serve w.db --seconds 2\n"
                "  portolan serve w.db --port 8000 --seconds 1\n"
                "  portolan serve w.db --write --seconds 1\n",
    .options = options,
    .run = run,
    .stopped = "the file is as it was, with what was generated",
};
