/* portolan lsp: the language server. */
#include "clients/cli/checks/content.h"
#include "clients/lsp/lsp.h"

enum { PAUSE = 50 }; /* milliseconds; to check all content of a game takes about 200 */

static const option_spec options[] = {
    OPTIONS_CONTENT,
    OPTIONS_END,
};

static int serve(const args *a, const content_named *named)
{
    ptl_error err = {.status = PTL_OK};
    const lsp_options o = {.import = named->import,
                           .pack = args_value(a, "pack"),
                           .pause = PAUSE,
                           .should_stop = stop_asked_for};
    switch (lsp_run(&o, &err)) {
    case LSP_ENDED:
        return EXIT_DONE;
    case LSP_LEFT:
        tell("portolan lsp: the input ended without the message exit\n");
        return EXIT_FAILED;
    case LSP_STOPPED:
        return stop_tell();
    case LSP_BAD_INPUT:
        tell("portolan lsp: %s. An editor starts this command; see 'man portolan-lsp'\n",
             err.message);
        return EXIT_FAILED;
    default:
        return args_no_memory(a);
    }
}

static int run(session *s)
{
    content_named named;
    int code = content_named_read(&named, s->args, 0, NULL);
    const char *missing = code == EXIT_DONE ? content_named_missing(&named) : NULL;
    if (missing)
        code = usage_error(
            s->args, "%s is not there, or can't be read: name folders of content", missing);
    if (code == EXIT_DONE)
        code = import_folders_check(s->args, 0);
    if (code == EXIT_DONE)
        code = serve(s->args, &named);
    content_named_dispose(&named);
    return code;
}

static const value_type values[] = {{"DIR", VALUE_FILE, NULL, NULL}, {0}};

const command lsp_command = {
    .name = "lsp",
    .group = GROUP_ASK,
    .operands = "[DIR...]",
    .summary = "Serve an editor that writes content, as a language server.",
    .operand_help =
        "DIR  Folders of content, or .json files, the base first. None: the folders that the\n"
        "editor has open.\n",
    .details =
        "An editor starts this command, and speaks LSP 3.17 with it over standard input and "
        "output. While content is written, the editor then shows what 'portolan lint' finds in "
        "it, also before it is saved.\n\n"
        "Nothing outside of the folders is read, and nothing is written. schema/lsp.md has the "
        "settings of some editors.\n",
    .examples = "  portolan lsp --builtin mods/mine\n"
                "  portolan lsp --game ~/cataclysm --mods railroads --pack railroads\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped = "nothing is lost: the editor has the texts",
};
