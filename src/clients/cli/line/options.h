/*
 * The command line. Each command is a row of a table that lists its options; parsing, --help
 * and error messages are made from it. Every option but --help can be given as "--name value"
 * or "--name=value". The word after an option that takes a value is always its value, whatever
 * it is, so that "--rect -2,-2,2,2" works.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* NEED(call): if the call returns an exit code other than EXIT_DONE, the function that uses
 * NEED returns that code, too. That function must have nothing to release. */
#define NEED(...)                                                                              \
    do {                                                                                       \
        const int needed = (__VA_ARGS__);                                                      \
        if (needed != EXIT_DONE)                                                               \
            return needed;                                                                     \
    } while (0)

typedef struct option_spec {
    const char *name; /* without the two dashes */
    /* Name of the value in --help, e.g. "X,Y"; NULL: the option is a flag. A blank in it, as
     * in "NAME VALUE", means that the option takes two words. The option may be repeated if
     * the name ends with "..." or has a blank. */
    const char *value;
    const char *help;
    char letter; /* letter of the short form, as in -q; 0: there is none */
} option_spec;

/* Rows for the option tables of several commands. */
/* clang-format off */
#define OPTION_WORLD {"world", "NAME", "which world, where the file holds several", 0}
/* Options of commands that write; session_open reads them. */
#define OPTION_WAIT {"wait", "SECONDS", "wait so long for another writer to end, or 'forever'", 0}
#define OPTION_SHARED {"shared", NULL, "let others that say --shared write at the same time", 0}
/* OPTION_QUIET turns off progress and the summary. OPTION_NO_PROGRESS is for commands that
 * print no summary. */
#define OPTION_QUIET {"quiet", NULL, "no progress, no summary", 'q'}
#define OPTION_NO_PROGRESS {"quiet", NULL, "no progress", 'q'}
#define OPTION_JOBS {"jobs", "N", "generating threads, 1..64 (default: 1)", 'j'}
#define OPTION_SHARD {"shard", "I/N", "only part I of N, of which other files get the others", 0}
#define OPTION_ACCEPT_CONTENT \
    {"accept-content", NULL, "go on although the world was made with other content", 0}
#define OPTIONS_END {NULL, NULL, NULL, 0}
/* clang-format on */

/* The kind of an operand or of an option's value. Completion uses it to find candidates
 * (help.h). */
typedef enum value_kind {
    VALUE_ANY, /* any text; completion has no candidates for it */
    VALUE_FILE,
    VALUE_DIRECTORY,
    VALUE_SAMPLE, /* FILE[:WORLD] */
    VALUE_WORDS,
    VALUE_LISTED, /* one of the words that value_type.list gives */
    VALUE_PARTS,  /* like VALUE_LISTED, but several words with commas between them */
    /* A value of this kind, or of one of those that follow, is a name that stands in the world
     * file on the command line. */
    VALUE_WORLDS,
    VALUE_SWEEPS,
    VALUE_SPECIALS,
    VALUE_REGIONS,
    VALUE_CITIES,
    VALUE_PLACEMENTS /* mutable specials that stand in the world, each written as X,Y:N */
} value_kind;

/* Receives a word that may stand for a value, and what it means. Returns false to get no
 * more. */
typedef bool (*value_sink)(void *payload, const char *word, const char *meaning);

typedef struct value_type {
    const char *name; /* what usage lines call the operand, or the value of the option */
    value_kind kind;
    const char *words; /* for VALUE_WORDS: the words, with | between them */
    /* For `VALUE_LISTED` and `VALUE_PARTS`: calls `sink` with each word. */
    void (*list)(value_sink sink, void *payload);
} value_type;

typedef struct args args;
typedef struct session session; /* see session/session.h */

/* The groups of commands, by what a user wants to do. They are headings of 'portolan help'. */
typedef enum command_group {
    GROUP_MAKE,
    GROUP_LOOK,
    GROUP_ASK,
    GROUP_SPECIALS,
    GROUP_SAFE,
    GROUP_GAME,
    GROUP_HELP,
    GROUP_COUNT
} command_group;

typedef struct command {
    const char *name;
    command_group group;
    /* The operands as --help shows them, e.g. "FILE [DIR...]"; "" for none. They also say how
     * many operands are accepted: an operand in brackets may be missing, one with dots may be
     * repeated. */
    const char *operands;
    /* With some options fewer operands are needed, which the command checks. */
    bool operands_vary;
    const char *summary; /* one line */
    /* For the manual: what each operand but FILE is. A line has the operand as in the usage
     * line, two blanks and a sentence. NULL: FILE is the only operand. */
    const char *operand_help;
    const char *details; /* text for --help, printed by help_print_paragraphs; NULL: none */
    /* Command lines that show the command's use, each ended by a newline. A test runs them.
     * NULL: none. */
    const char *examples;
    const option_spec *options; /* ends with OPTIONS_END */
    /* The values that options and operands take in this command alone; complete.c has the
     * values that are the same in every command. Ends with a row of zeros. NULL: there are
     * none. */
    const value_type *values;
    /* Calls `put` with further lines of details, each time with whole lines. NULL: there are
     * none. */
    void (*more_details)(void (*put)(const char *lines));
    bool large_pages; /* it touches hundreds of megabytes: main starts the program anew, with
                         large pages */
    /* Runs the command and returns the exit code. The session has the command line but no file
     * is open yet. The caller closes the session afterwards. */
    int (*run)(session *s);
    /* Printed when a signal has stopped the command: what is kept, and how to go on. */
    const char *stopped;
} command;

/* An option on the command line. value is NULL for a flag; second is NULL unless the option
 * takes two words. */
typedef struct given_option {
    const option_spec *spec;
    const char *value, *second;
} given_option;

/* A parsed command line. All strings are those of argv. */
struct args {
    const command *command;
    const char **operands; /* owned */
    size_t operand_count;
    /* Owned; the options that were given, in the order of the command line. */
    given_option *given;
    size_t given_count;
    bool help;
};

/* One operand of a command's usage line, without its brackets and dots. */
typedef struct operand_word {
    const char *text;
    size_t size;
    bool optional, repeats;
} operand_word;

/* Reads the next operand of a usage line; *at must start at command.operands. Returns false
 * after the last one. */
bool operand_next(const char **at, operand_word *out);

/* Parses the words that follow the command's name. On an error it prints a message and returns
 * EXIT_USAGE, or EXIT_FAILED when memory is out. Dispose a in any case. */
int args_parse(args *a, const command *cmd, int argc, char **argv);
void args_dispose(args *a);

/* Was the option given? */
bool args_has(const args *a, const char *name);
/* Returns the option's value; the last one if it is repeated, NULL if it was not given. */
const char *args_value(const args *a, const char *name);
/* Returns the next value of a repeated option, or NULL after the last one. *at starts at 0. */
const char *args_next(const args *a, const char *name, size_t *at);

/* Steps through the values of an option that takes two words and may be repeated. Each call
 * sets *first and *second to the next two words. *at starts at 0. Returns false when there are
 * no more. */
bool args_next_pair(const args *a, const char *name, size_t *at, const char **first,
                    const char **second);

/* Prints "portolan CMD: MESSAGE" and how to get help to standard error. Returns EXIT_USAGE. */
int usage_error(const args *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints "portolan CMD: memory is out" to standard error. Returns EXIT_FAILED. */
int args_no_memory(const args *a);

/* Prints that there is no `what` called `name`, and the most similar of the names if one is
 * near. names ends with NULL. Returns EXIT_USAGE. */
int usage_unknown(const args *a, const char *what, const char *name, const char *const *names);

extern const option_spec help_option; /* every command has it */
/* Returns the option that the word names, or NULL. *value is what follows the option's name in
 * the same word, NULL if nothing does. */
const option_spec *option_of(const command *cmd, const char *word, const char **value);

/* Parses a whole text as a number. Returns false if it is not one, or not in lo..hi. */
bool parse_int(const char *text, int64_t lo, int64_t hi, int64_t *out);
bool parse_u64(const char *text, uint64_t *out); /* decimal, or hexadecimal after 0x */
bool parse_double(const char *text, double lo, double hi, double *out);
/* Parses exactly `count` numbers with commas between them. */
bool parse_ints(const char *text, size_t count, int64_t lo, int64_t hi, int64_t *out);
/* Parses "A..B"; "A" alone stands for "A..A". */
bool parse_span(const char *text, int64_t lo, int64_t hi, int64_t out[2]);

/* Parses an option's value as a number in lo..hi. *out stays as it is if the option is
 * missing. Returns EXIT_DONE, or EXIT_USAGE after a message. */
int args_int(const args *a, const char *name, int64_t lo, int64_t hi, int64_t *out);
/* Parse an option's value as a number of another type. *out stays as it is if the option is
 * missing. Return EXIT_DONE, or EXIT_USAGE after a message. */
int args_int32(const args *a, const char *name, int64_t lo, int64_t hi, int32_t *out);
int args_u64(const args *a, const char *name, uint64_t *out);
/* Reads --shard I/N: part I, from 1, of N parts. */
int args_shard(const args *a, int32_t *shard, int32_t *shards);
int args_double(const args *a, const char *name, double lo, double hi, double *out);
