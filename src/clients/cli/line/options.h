/*
 * The command line: each command is a row of a table with its options, from which parsing,
 * --help and error messages are made. Every option but --help can be given as "--name value"
 * or "--name=value". An option that takes a value takes the next word whatever it is, so that
 * "--rect -2,-2,2,2" works.
 */
#ifndef CLI_LINE_OPTIONS_H
#define CLI_LINE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Makes a call and ends this function with its code unless that is EXIT_DONE: where there is
 * nothing to give back on the way out. */
#define NEED(...)                                                                              \
    do {                                                                                       \
        const int needed = (__VA_ARGS__);                                                      \
        if (needed != EXIT_DONE)                                                               \
            return needed;                                                                     \
    } while (0)

typedef struct option_spec {
    const char *name; /* without the dashes */
    /* How --help names its value, e.g. "X,Y"; with a blank in it, e.g. "NAME VALUE", it takes
     * two words. With ... behind it, or two words, it may be repeated. NULL: takes none. */
    const char *value;
    const char *help;
    char letter; /* a one-letter form, or 0 */
} option_spec;

/* Rows of options that several commands have. */
/* clang-format off */
#define OPTION_WORLD {"world", "NAME", "which world, where the file holds several", 0}
/* For commands that write: session_open reads them. */
#define OPTION_WAIT {"wait", "SECONDS", "wait so long for another writer to end, or 'forever'", 0}
#define OPTION_SHARED {"shared", NULL, "let others that say --shared write at the same time", 0}
/* Says that no progress is wanted and no summary; OPTION_NO_PROGRESS is that of commands that
 * print no summary. */
#define OPTION_QUIET {"quiet", NULL, "no progress, no summary", 'q'}
#define OPTION_NO_PROGRESS {"quiet", NULL, "no progress", 'q'}
#define OPTION_JOBS {"jobs", "N", "generating threads, 1..64 (default: 1)", 'j'}
#define OPTION_ACCEPT_CONTENT \
    {"accept-content", NULL, "go on although the world was made with other content", 0}
#define OPTIONS_END {NULL, NULL, NULL, 0}
/* clang-format on */

/* What a value or an operand is: completion asks (help.h). */
typedef enum value_kind {
    VALUE_ANY, /* nothing can be told */
    VALUE_FILE,
    VALUE_DIRECTORY,
    VALUE_SAMPLE, /* FILE[:WORLD] */
    VALUE_WORDS,
    VALUE_LISTED, /* by a function */
    VALUE_PARTS,  /* the same, several with commas between them */
    /* Names of the world file on the line. */
    VALUE_WORLDS,
    VALUE_SWEEPS,
    VALUE_SPECIALS,
    VALUE_REGIONS,
    VALUE_CITIES,
    VALUE_PLACEMENTS /* of mutable specials: X,Y:N */
} value_kind;

/* Takes a word that may stand for a value, and what it means; false: no more. */
typedef bool (*value_sink)(void *payload, const char *word, const char *meaning);

typedef struct value_type {
    const char *name; /* an option's, or an operand as the usage line has it */
    value_kind kind;
    const char *words;                            /* of VALUE_WORDS, with | between them */
    void (*list)(value_sink sink, void *payload); /* of VALUE_LISTED and VALUE_PARTS */
} value_type;

typedef struct args args;
typedef struct session session; /* session/session.h */

/* What one wants to do: 'portolan help' lists the commands under these heads. */
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
    /* As --help shows them, e.g. "FILE [DIR...]", from which follows how many there are; see
     * help.h. */
    const char *operands;
    bool operands_vary;  /* with the options: there may be fewer, which the command checks */
    const char *summary; /* one line */
    /* What each operand is, but FILE, for the manual: lines of the operand as the usage line
     * has it, two blanks, and a sentence. NULL: there is none but FILE. */
    const char *operand_help;
    const char *details;        /* for --help: see help_print_paragraphs; NULL: none */
    const char *examples;       /* lines that a test runs, each ended; NULL: none */
    const option_spec *options; /* ended by OPTIONS_END */
    /* What its options and operands take, ended by a row of zeros, but for those that are the
     * same in every command (complete.c); NULL: nothing else. */
    const value_type *values;
    /* Hands out what follows the details, in whole lines of the same kind; NULL: nothing. */
    void (*more_details)(void (*put)(const char *lines));
    /* The session has the command line, and is not open yet; what it holds is given back behind
     * the call. */
    int (*run)(session *s);
    const char *stopped; /* when a signal has ended it: what stays, how to go on */
} command;

/* One option as given; value is NULL for a flag, second for what takes one word. */
typedef struct given_option {
    const option_spec *spec;
    const char *value, *second;
} given_option;

/* A parsed command line. Strings are argv's. */
struct args {
    const command *command;
    const char **operands; /* owned */
    size_t operand_count;
    given_option *given; /* owned; in the order of the command line */
    size_t given_count;
    bool help;
};

/* One word of a command's operands, as its usage line has them: without brackets and dots. */
typedef struct operand_word {
    const char *text;
    size_t size;
    bool optional, repeats;
} operand_word;

/* Gives the next of them; *at starts at the command's operands. False after the last. */
bool operand_next(const char **at, operand_word *out);

/* Parses what follows the command's name. Prints what is wrong and returns EXIT_USAGE, or
 * EXIT_DONE. Dispose it in both cases. */
int args_parse(args *a, const command *cmd, int argc, char **argv);
void args_dispose(args *a);

bool args_has(const args *a, const char *name);
/* Returns the last value given, or NULL. */
const char *args_value(const args *a, const char *name);
/* The next value of an option that may be repeated; *at starts at 0. NULL after the last. */
const char *args_next(const args *a, const char *name, size_t *at);

/* The same of an option that takes two words; false after the last. */
bool args_next_pair(const args *a, const char *name, size_t *at, const char **first,
                    const char **second);

/* Prints "portolan CMD: MESSAGE" and where to find help to stderr; returns EXIT_USAGE. */
int usage_error(const args *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same where there is no such thing as was named, with that of the names (which end with
 * NULL) that may have been meant. */
int usage_unknown(const args *a, const char *what, const char *name, const char *const *names);

extern const option_spec help_option; /* of every command */
/* Returns the option that the word names, and in *value what follows its name in the same word,
 * or NULL. */
const option_spec *option_of(const command *cmd, const char *word, const char **value);

/* Reads a number. The whole text must be one; false where it is not, or out of lo..hi. */
bool parse_int(const char *text, int64_t lo, int64_t hi, int64_t *out);
bool parse_u64(const char *text, uint64_t *out); /* decimal, or hexadecimal after 0x */
bool parse_double(const char *text, double lo, double hi, double *out);
/* count numbers with commas between them. */
bool parse_ints(const char *text, size_t count, int64_t lo, int64_t hi, int64_t *out);
/* Reads "A..B", or "A" for both. */
bool parse_span(const char *text, int64_t lo, int64_t hi, int64_t out[2]);

/* Reads an option's value as a number; a missing option leaves *out. EXIT_USAGE with a
 * message. */
int args_int(const args *a, const char *name, int64_t lo, int64_t hi, int64_t *out);
int args_int32(const args *a, const char *name, int64_t lo, int64_t hi, int32_t *out);
int args_u64(const args *a, const char *name, uint64_t *out);
int args_double(const args *a, const char *name, double lo, double hi, double *out);

#endif
