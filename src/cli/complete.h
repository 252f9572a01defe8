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
 * What an operand is follows from how a command's table names it: FILE, TO, DIR, SPECIAL, NAME,
 * X,Y:N, or words with | between them; what an option's value is from the option's name.
 */
#ifndef CLI_COMPLETE_H
#define CLI_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

/* words: what follows "portolan __complete". Returns EXIT_DONE. */
int complete_print(int count, char **words);

typedef enum complete_names {
    COMPLETE_WORLDS,
    COMPLETE_SWEEPS,
    COMPLETE_SPECIALS,
    COMPLETE_REGIONS,
    COMPLETE_CITIES,
    COMPLETE_PLACEMENTS /* of mutable specials: X,Y:N */
} complete_names;

/* Names that a world file has, with what they mean, until on_name says no. Nothing where it
 * can't be read at once, as it is. */
void complete_from_file(const char *path, complete_names which,
                        bool (*on_name)(void *payload, const char *name, const char *meaning),
                        void *payload);

#endif
