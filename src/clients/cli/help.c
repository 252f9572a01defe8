/*
 * Prints the help of all commands, or of one, from the command table. No line is wider than 80
 * columns: texts of options are wrapped here, and commands' paragraphs are joined and wrapped.
 */
#include "clients/cli/help.h"
#include "clients/cli/line/embedded.h"
#include "clients/cli/line/output.h"

#include <stdio.h>
#include <string.h>

#define COMMAND_ROW(name) &name##_command,
const command *const commands[COMMAND_COUNT] = {COMMANDS(COMMAND_ROW)};
#undef COMMAND_ROW

const command *command_named(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

const char *command_group_title(command_group group)
{
    static const char *const titles[GROUP_COUNT] = {
        [GROUP_MAKE] = "Make a world",
        [GROUP_LOOK] = "Look at it",
        [GROUP_ASK] = "Count, compare and search",
        [GROUP_SPECIALS] = "Understand specials",
        [GROUP_SAFE] = "Keep it safe",
        [GROUP_GAME] = "Exchange with the game",
        [GROUP_HELP] = "Get help",
    };
    return titles[group];
}

enum { WIDTH = 80, NAME_COLUMN = 16, OPTION_COLUMN = 28 };

void help_print_paragraphs(const char *text)
{
    /* True: a line of a paragraph was printed last, and no newline after it. */
    bool joined = false;
    out_prose_of(WIDTH, 0);
    while (*text) {
        const size_t size = strcspn(text, "\n");
        const bool is_plain = size > 0 && text[0] != ' ';
        out_text(!joined ? "" : is_plain ? " " : "\n");
        out_printf(is_plain ? "%.*s" : "%.*s\n", (int)size, text);
        joined = is_plain;
        text += size + (text[size] == '\n');
    }
    out_text(joined ? "\n" : "");
    out_prose_end();
}

/* Prints `left`, then the text wrapped from `column` on. If `left` is too wide, the text
 * begins on the next line. */
static void print_entry(const char *left, const char *text, int column)
{
    const int size = (int)strlen(left);
    const bool fits = size + 2 <= column;
    out_prose_of(WIDTH, (size_t)column);
    out_printf(fits ? "%s%*s%s\n" : "%s\n%*s%s\n", left, fits ? column - size : column, "",
               text);
    out_prose_end();
}

/* Prints "-x, --name VALUE" and the option's help. Options without a letter are aligned with
 * those that have one. */
static void print_option(const option_spec *o)
{
    char left[80];
    snprintf(left, sizeof left, "  %s%c%s--%s%s%s", o->letter ? "-" : " ",
             o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name, o->value ? " " : "",
             o->value ? o->value : "");
    print_entry(left, o->help, OPTION_COLUMN);
}

void help_print_command(const command *cmd)
{
    out_printf("Usage: portolan %s %s%s\n\n", cmd->name, cmd->operands,
               cmd->options->name ? " [options]" : "");
    help_print_paragraphs(cmd->summary);
    if (cmd->details) {
        out_text("\n");
        help_print_paragraphs(cmd->details);
    }
    if (cmd->more_details)
        cmd->more_details(help_print_paragraphs);
    if (cmd->examples) {
        out_text("\nExamples:\n");
        out_text(cmd->examples);
    }
    out_text("\nOptions:\n");
    for (const option_spec *o = cmd->options; o->name; o++)
        print_option(o);
    print_option(&help_option);
}

void help_print(void)
{
    static const option_spec version = {"version", NULL, "show the version", 'V'};
    static const option_spec licences = {
        "licenses", NULL, "show the licenses of all that is linked or embedded", 0};
    out_text("Usage: portolan COMMAND FILE ... [options]\n\n"
             "Portolan keeps Cataclysm-style overmaps in one SQLite file: it imports content,\n"
             "generates worlds from it, and answers questions about them.\n");
    for (int group = 0; group < GROUP_COUNT; group++) {
        out_printf("\n%s:\n", command_group_title((command_group)group));
        for (size_t i = 0; i < COMMAND_COUNT; i++) {
            char left[40];
            snprintf(left, sizeof left, "  %s", commands[i]->name);
            if ((int)commands[i]->group == group)
                print_entry(left, commands[i]->summary, NAME_COLUMN);
        }
    }
    print_entry("  help", "Tell more of a command: 'portolan help generate'.", NAME_COLUMN);
    out_text("\nA first world:\n"
             "  portolan import w.db --builtin\n"
             "  portolan new w.db home --seed 1\n"
             "  portolan generate w.db --radius 2\n"
             "  portolan render w.db -o home.png\n"
             "  portolan stats w.db\n\n"
             "'portolan COMMAND --help' tells more, with examples; 'man portolan' tells all.\n"
             "Results go to standard output, messages to standard error. Exit codes: 0 done,\n"
             "1 failed, 2 wrong use.\n\n"
             "Options:\n");
    print_option(&help_option);
    print_option(&version);
    print_option(&licences);
}

void help_print_licences(void)
{
    out_text(
        "Portolan is under the MIT license, and is built of what stands below it, each under "
        "its\nown. Beside that it needs the system's C library. Contents have licenses of "
        "their own.\n");
    for (const embedded_text *n = embedded_notices; n->name; n++) {
        out_printf("\n---- %s ----\n\n", n->name);
        out_text(n->text);
    }
}
