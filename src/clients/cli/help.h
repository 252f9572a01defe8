/* The table of commands, the help that is printed from it, and the completion of
 * the command line. */
#pragma once

#include "clients/cli/line/commands.h"

/* All commands, in the order of COMMANDS (line/commands.h). */
extern const command *const commands[COMMAND_COUNT];
/* Returns the command of this name; NULL if there is none. */
const command *command_named(const char *name);

/* Returns the heading under which 'portolan help' lists the commands of a group. */
const char *command_group_title(command_group group);

/* help_print prints the overview of all commands to standard output. help_print_command prints
 * the help of one command. */
void help_print(void);
void help_print_command(const command *cmd);
/* Prints the licence notices of Portolan and of all that is linked to it or embedded in it. */
void help_print_licences(void);
/* Prints text as paragraphs of at most 80 columns, joining its lines. Empty lines, and lines
 * that begin with a blank, stay as they are. */
void help_print_paragraphs(const char *text);

/* ---- complete.c ---- */

/*
 * Completion of the command line. The shell's script asks the command itself what may
 * follow. So there is one table of commands and options, and one place that knows what an
 * operand or a value is:
 *
 *   portolan __complete WORD...
 *
 * The last WORD is being typed; it may be empty. The first line of the answer says what
 * follows: "words", "files N" or "directories N". A file's name begins after N bytes of the
 * typed word. After "words" each line is a whole word that may stand there, a tab, and the
 * word's meaning. Completion only reads world files. It prints no errors, and leaves out names
 * that are unsafe to print.
 *
 * The name of an operand, or of an option's value, says what it is. The command's own list
 * (command.values) is searched first, then the names that mean the same in every command
 * (complete.c). An operand with | in it is a choice of words.
 */
/* Prints the candidates for completion. `words` are the words that follow "portolan
 * __complete". Returns EXIT_DONE. */
int complete_print(int count, char **words);
