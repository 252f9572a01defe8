/* The portolan command: finds the subcommand, parses its options and runs it. */
#include "clients/cli/help.h"
#include "clients/cli/session/session.h"
#include "clients/os/restart.h"

#include <stdlib.h>

static int unknown_command(const char *name)
{
    const char *names[COMMAND_COUNT + 2] = {[COMMAND_COUNT] = "help"};
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i]->name;
    const char *near = suggest_nearest(name, names);
    tell("portolan: there is no %s '%s'", name[0] == '-' ? "option" : "command", name);
    if (near)
        tell("; did you mean %s?", near);
    tell("\nTry 'portolan --help'.\n");
    return EXIT_USAGE;
}

static int run_command(const command *cmd, int argc, char **argv)
{
    args a;
    session s;
    int code = args_parse(&a, cmd, argc, argv);
    if (code == EXIT_DONE && a.help)
        help_print_command(cmd);
    else if (code == EXIT_DONE) {
        /* From here on a signal asks the command to stop. */
        stop_on_signals(a.command);
        session_init(&s, &a);
        code = a.command->run(&s);
        session_close(&s);
    }
    args_dispose(&a);
    return code;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        tell("portolan: no command given\nTry 'portolan --help'.\n");
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        out_printf("portolan %s\n", ptl_version());
        return EXIT_DONE;
    }
    if (strcmp(name, "--licenses") == 0) {
        help_print_licences();
        return EXIT_DONE;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        /* "portolan help CMD" does the same as "portolan CMD --help". */
        const char *what = strcmp(name, "help") == 0 && argc > 2 ? argv[2] : "--help";
        const command *of = command_named(what);
        if (!of && strcmp(what, "--help") != 0 && strcmp(what, "-h") != 0)
            return unknown_command(what);
        if (of)
            help_print_command(of);
        else
            help_print();
        return EXIT_DONE;
    }
    if (strcmp(name, "__complete") == 0)
        return complete_print(argc - 2, argv + 2);
    const command *cmd = command_named(name);
    if (!cmd)
        return unknown_command(name);
    if (cmd->large_pages)
        restart_with_large_pages(argv, getenv(RESTART_VARIABLE));
    return run_command(cmd, argc - 2, argv + 2);
}

int main(int argc, char **argv)
{
    int code = run(argc, argv);
    int written = out_finish();
    stop_end();
    return code != EXIT_DONE ? code : written;
}
