/* The table of commands, and what is said of them from it. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "clients/cli/line/commands.h"

extern const command *const commands[COMMAND_COUNT];
const command *command_named(const char *name); /* NULL: there is none */

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
