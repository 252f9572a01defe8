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

/* ---- complete.c, complete_names.c ---- */

/*
 * Completion of the command line. Shells ask the command itself what may follow, so that there
 * is one table of commands and options, and one place that knows what an operand or a value is:
 *
 *   portolan __complete WORD...
 *
 * The last WORD is being typed (it may be empty). The first line of the answer says what
 * follows: "words", "files N" or "directories N"; the file's name begins after N bytes of the
 * word that is typed. After "words" each line is a whole word that may stand there, a tab, and
 * what it means. It reads world files and never writes one, is silent about whatever is wrong,
 * and leaves out names that can't be shown as they are.
 *
 * What an operand or an option's value is follows from its name: the command's own row says it
 * (values), or the names that mean the same in every command (complete.c), or an operand is
 * words with | between them.
 */
/* words are what follows "portolan __complete". Returns EXIT_DONE. */
int complete_print(int count, char **words);

/* Names that a world file has, VALUE_WORLDS and so on, with what they mean, until the sink says
 * no. Nothing where it can't be read at once, as it is. */
void complete_from_file(const char *path, value_kind which, value_sink sink, void *payload);

#endif
