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
#ifndef CLI_COMPLETE_H
#define CLI_COMPLETE_H

#include "clients/cli/line/options.h"

/* words are what follows "portolan __complete". Returns EXIT_DONE. */
int complete_print(int count, char **words);

/* Names that a world file has, VALUE_WORLDS and so on, with what they mean, until the sink says
 * no. Nothing where it can't be read at once, as it is. */
void complete_from_file(const char *path, value_kind which, value_sink sink, void *payload);

#endif
