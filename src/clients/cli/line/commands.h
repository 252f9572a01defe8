/* The table of commands, and what is said of them from it. */
#ifndef CLI_LINE_COMMANDS_H
#define CLI_LINE_COMMANDS_H

#include "clients/cli/line/options.h"

/*
 * The one list of commands, in the order of their groups: of each the name of its variable,
 * which is NAME_command, a row of the table in its cmd_*.c. A command's own name has a dash for
 * each _. src/clients/cli/CMakeLists.txt reads the man pages to be made from these lines.
 */
/* clang-format off */
#define COMMANDS(X) \
    X(import) \
    X(new) \
    X(generate) \
    X(regenerate) \
    X(render) \
    X(shoals) \
    X(serve) \
    X(view) \
    X(status) \
    X(show) \
    X(local) \
    X(dump) \
    X(query) \
    X(stats) \
    X(sweep) \
    X(compare) \
    X(find) \
    X(index) \
    X(try) \
    X(why) \
    X(replay) \
    X(verify) \
    X(repair) \
    X(backup) \
    X(digest) \
    X(journal) \
    X(migrate) \
    X(export) \
    X(import_save) \
    X(completion)
/* clang-format on */

#define COMMAND_DECLARE(name) extern const command name##_command;
COMMANDS(COMMAND_DECLARE)
#undef COMMAND_DECLARE

#define COMMAND_NUMBER(name) COMMAND_NUMBER_##name,
enum { COMMANDS(COMMAND_NUMBER) COMMAND_COUNT };
#undef COMMAND_NUMBER
extern const command *const commands[COMMAND_COUNT];
const command *command_named(const char *name); /* NULL: there is none */

/* One word of a command's operands, as its usage line has them: without brackets and dots. */
typedef struct operand_word {
    const char *text;
    size_t size;
    bool optional, repeats;
} operand_word;

/* Gives the next of them; *at starts at the command's operands. False after the last. */
bool operand_next(const char **at, operand_word *out);

/* Returns the head under which 'portolan help' lists the commands of a group. */
const char *command_group_title(command_group group);

/* Prints the help of all, and of one, on standard output. */
void help_print(void);
void help_print_command(const command *cmd);
/* Prints the notices of all that is linked or embedded. */
void help_print_licences(void);
/* Lines that begin with a blank, and empty ones, stay as they are; others are joined to
 * paragraphs that fit 80 columns. */
void help_print_paragraphs(const char *text);

#endif
