/* The portolan command: finds the subcommand, parses its options and runs it. */
#include "cli/commands.h"
#include "cli/output.h"
#include "portolan/status.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const command *const commands[] = {
    &import_command,  &new_command,    &generate_command,    &regenerate_command,
    &status_command,  &show_command,   &dump_command,        &digest_command,
    &query_command,   &render_command, &verify_command,      &repair_command,
    &backup_command,  &export_command, &import_save_command, &journal_command,
    &migrate_command, &why_command,    &replay_command,      &try_command,
    &sweep_command,   &index_command,  &stats_command,       &compare_command,
    &find_command,
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_help(void)
{
    out_text("Usage: portolan COMMAND FILE ... [options]\n\n"
             "Portolan keeps Cataclysm-style overmaps in one SQLite file: it imports content,\n"
             "generates worlds from it, and answers questions about them.\n\nCommands:\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        out_printf("  %-12s %s\n", commands[i]->name, commands[i]->summary);
    out_text(
        "\nA first world:\n"
        "  portolan import w.db --builtin\n"
        "  portolan new w.db home --seed 1\n"
        "  portolan generate w.db --radius 2\n"
        "  portolan render w.db -o home.png\n\n"
        "'portolan COMMAND --help' tells more. Results go to standard output, messages to\n"
        "standard error. Exit codes: 0 done, 1 failed, 2 wrong use.\n\n"
        "Options:\n"
        "  -h, --help                      show this help\n"
        "      --version                   show the version\n");
}

static const command *named_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *names[COMMAND_COUNT + 1] = {NULL};
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i]->name;
    const char *near = nearest_word(name, names);
    tell("portolan: there is no %s '%s'", name[0] == '-' ? "option" : "command", name);
    if (near)
        tell("; did you mean %s?", near);
    tell("\nTry 'portolan --help'.\n");
    return EXIT_USAGE;
}

static int run_command(const command *cmd, int argc, char **argv)
{
    args a;
    int code = args_parse(&a, cmd, argc, argv);
    if (code == EXIT_DONE && a.help)
        command_help(cmd);
    else if (code == EXIT_DONE)
        code = cmd->run(&a);
    args_dispose(&a);
    return code;
}

/* "portolan help CMD" is "portolan CMD --help". */
static int run_help(int argc, char **argv)
{
    const command *cmd = argc > 0 ? named_command(argv[0]) : NULL;
    if (argc > 0 && !cmd)
        return unknown_command(argv[0]);
    if (cmd)
        command_help(cmd);
    else
        print_help();
    return EXIT_DONE;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        tell("portolan: no command given\nTry 'portolan --help'.\n");
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        out_printf("portolan %s\n", ptl_version());
        return EXIT_DONE;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return run_help(strcmp(name, "help") == 0 ? argc - 2 : 0, argv + 2);
    const command *cmd = named_command(name);
    return cmd ? run_command(cmd, argc - 2, argv + 2) : unknown_command(name);
}

int main(int argc, char **argv)
{
    /* A closed pipe is a failed write with a message, not a silent death. */
    signal(SIGPIPE, SIG_IGN);
    int code = run(argc, argv);
    int written = out_finish();
    return code != EXIT_DONE ? code : written;
}
