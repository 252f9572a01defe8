/* Parses the command line by the option table. help.c prints --help from the same table. */
#include "clients/cli/line/options.h"

#include "clients/cli/line/output.h"
#include "core/suggest.h"
#include "portolan/generate.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

const option_spec help_option = {"help", NULL, "show this help", 'h'};

static bool is_named(const option_spec *o, const char *word, size_t size)
{
    return word[1] == '-' ? strlen(o->name) == size && memcmp(o->name, word + 2, size) == 0
                          : o->letter == word[1];
}

/* A short option is one letter, whose value may follow in the same word; the name of a long
 * option ends at "=". */
const option_spec *option_of(const command *cmd, const char *word, const char **value)
{
    const bool is_long = word[0] == '-' && word[1] == '-';
    const size_t size = is_long ? strcspn(word + 2, "=") : 0;
    const option_spec *o = cmd->options;
    *value = NULL;
    if (word[0] != '-' || word[1] == '\0')
        return NULL;
    while (o->name && !is_named(o, word, size))
        o++;
    if (!o->name && !is_named(&help_option, word, size))
        return NULL;
    if (is_long ? word[2 + size] == '=' : word[2] != '\0')
        *value = word + 2 + size + is_long;
    return o->name ? o : &help_option;
}

int usage_error(const args *a, const char *format, ...)
{
    va_list list;
    tell("portolan %s: ", a->command->name);
    va_start(list, format);
    vtell(format, list);
    va_end(list);
    tell("\nTry 'portolan %s --help'.\n", a->command->name);
    return EXIT_USAGE;
}

int args_no_memory(const args *a)
{
    tell("portolan %s: memory is out\n", a->command->name);
    return EXIT_FAILED;
}

int usage_unknown(const args *a, const char *what, const char *name, const char *const *names)
{
    const char *near = suggest_nearest(name, names);
    return usage_error(a, "there is no %s '%s'%s%s", what, name, near ? "; did you mean " : "",
                       near ? near : "");
}

/* Parses the option at argv[*at] and moves *at to the last word of its value. */
static int parse_option(args *a, int argc, char **argv, int *at)
{
    const char *word = argv[*at], *value, *second = NULL;
    const option_spec *o = option_of(a->command, word, &value);
    if (!o) {
        enum { WORDS_MAX = 40 };
        const char *names[WORDS_MAX + 2] = {help_option.name};
        size_t count = 1;
        for (o = a->command->options; o->name && count < WORDS_MAX; o++)
            names[count++] = o->name;
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
        const char *near = word[1] == '-' ? suggest_nearest(name + 2, names) : NULL;
        return near ? usage_error(a, "there is no option '%s'; did you mean --%s?", name, near)
                    : usage_error(a, "there is no option '%s'", name);
    }
    /* An option with one value must not be repeated, unless the name of its value ends with
     * "...". */
    const size_t size = o->value ? strlen(o->value) : 0;
    bool is_one_too_many = false;
    for (size_t i = 0; size > 0 && i < a->given_count; i++)
        is_one_too_many |= a->given[i].spec == o;
    if (is_one_too_many && !strchr(o->value, ' ') &&
        (size <= 3 || strcmp(o->value + size - 3, "...") != 0))
        return usage_error(a, "--%s is given twice, and takes one value", o->name);
    if (!o->value && value)
        return usage_error(a, "--%s takes no value", o->name);
    if (o->value && !value) {
        if (*at + 1 >= argc)
            return usage_error(a, "--%s needs a value: %s", o->name, o->value);
        value = argv[++*at];
    }
    if (o->value && strchr(o->value, ' ')) {
        if (*at + 1 >= argc)
            return usage_error(a, "--%s needs two values: %s", o->name, o->value);
        second = argv[++*at];
    }
    a->help |= o == &help_option;
    a->given[a->given_count++] = (given_option){o, value, second};
    return EXIT_DONE;
}

bool operand_next(const char **at, operand_word *out)
{
    const char *word = *at;
    size_t size = strcspn(word, " ");
    *out = (operand_word){word, size, false, false};
    if (size == 0)
        return false;
    *at = word + size + strspn(word + size, " ");
    if (word[0] == '[') {
        out->optional = true;
        out->text++;
        out->size -= 2;
    }
    if (out->size > 3 && memcmp(out->text + out->size - 3, "...", 3) == 0) {
        out->repeats = true;
        out->size -= 3;
    }
    return true;
}

/* After "--" each word is an operand. If --help is given, it does not matter that operands are
 * missing. */
int args_parse(args *a, const command *cmd, int argc, char **argv)
{
    bool options_end = false;
    size_t least = 0, most = 0;
    *a = (args){.command = cmd};
    a->operands = calloc((size_t)argc + 1, sizeof *a->operands);
    a->given = calloc((size_t)argc + 1, sizeof *a->given);
    if (!a->operands || !a->given) {
        tell("portolan: memory is out\n");
        return EXIT_FAILED;
    }
    for (int i = 0; i < argc; i++) {
        /* Some words begin with a dash but are no options: "-" (standard input), a negative
         * number, and SQL that begins with a comment. */
        const char *word = argv[i];
        const bool is_option = word[0] == '-' && word[1] != '\0' &&
                               (word[1] < '0' || word[1] > '9') &&
                               (word[1] != '-' || (word[2] != ' ' && word[2] != '\n'));
        if (!options_end && strcmp(word, "--") == 0) {
            options_end = true;
        } else if (!options_end && is_option) {
            NEED(parse_option(a, argc, argv, &i));
        } else {
            a->operands[a->operand_count++] = word;
        }
    }
    if (a->help)
        return EXIT_DONE;
    /* Finds the least and the largest number of operands from the usage line of the command. */
    const char *at = cmd->operands;
    for (operand_word word; operand_next(&at, &word); ++most) {
        least += !word.optional && !cmd->operands_vary;
        if (word.repeats)
            most = SIZE_MAX - 1;
    }
    if (a->operand_count < least)
        return usage_error(a, "something is missing: portolan %s %s", cmd->name, cmd->operands);
    if (a->operand_count > most)
        return usage_error(a, "'%s' is one word too many", a->operands[most]);
    return EXIT_DONE;
}

void args_dispose(args *a)
{
    free(a->operands);
    free(a->given);
    a->operands = NULL;
    a->given = NULL;
}

bool args_has(const args *a, const char *name)
{
    for (size_t i = 0; i < a->given_count; i++)
        if (strcmp(a->given[i].spec->name, name) == 0)
            return true;
    return false;
}

const char *args_value(const args *a, const char *name)
{
    const char *value = NULL, *next;
    size_t at = 0;
    while ((next = args_next(a, name, &at)) != NULL)
        value = next;
    return value;
}

const char *args_next(const args *a, const char *name, size_t *at)
{
    while (*at < a->given_count) {
        const given_option *g = &a->given[(*at)++];
        if (strcmp(g->spec->name, name) == 0)
            return g->value;
    }
    return NULL;
}

bool args_next_pair(const args *a, const char *name, size_t *at, const char **first,
                    const char **second)
{
    *first = args_next(a, name, at);
    *second = *first ? a->given[*at - 1].second : NULL;
    return *first != NULL;
}

int args_int(const args *a, const char *name, int64_t lo, int64_t hi, int64_t *out)
{
    const char *text = args_value(a, name);
    if (!text || parse_int(text, lo, hi, out))
        return EXIT_DONE;
    return usage_error(a, "--%s '%s' is not a whole number in %lld..%lld", name, text,
                       (long long)lo, (long long)hi);
}

int args_int32(const args *a, const char *name, int64_t lo, int64_t hi, int32_t *out)
{
    int64_t value = *out;
    const int code = args_int(a, name, lo, hi, &value);
    *out = (int32_t)value;
    return code;
}

int args_u64(const args *a, const char *name, uint64_t *out)
{
    const char *text = args_value(a, name);
    if (!text || parse_u64(text, out))
        return EXIT_DONE;
    return usage_error(a, "--%s '%s' is not a whole number in 0..18446744073709551615", name,
                       text);
}

int args_double(const args *a, const char *name, double lo, double hi, double *out)
{
    const char *text = args_value(a, name);
    if (!text || parse_double(text, lo, hi, out))
        return EXIT_DONE;
    return usage_error(a, "--%s '%s' is not a number in %g..%g", name, text, lo, hi);
}

/* The functions from here on parse numbers of the command line. */

/* Reads one decimal number in lo..hi and moves *at behind it. */
static bool read_int(const char **at, int64_t lo, int64_t hi, int64_t *out)
{
    const char *digits = **at == '-' ? *at + 1 : *at;
    char *end;
    if (!isdigit((unsigned char)*digits))
        return false;
    errno = 0;
    long long value = strtoll(*at, &end, 10);
    if (errno != 0 || value < lo || value > hi)
        return false;
    *at = end;
    *out = value;
    return true;
}

int args_shard(const args *a, int32_t *shard, int32_t *shards)
{
    const char *text = args_value(a, "shard"), *at = text;
    int64_t part = 0, parts = 0;
    if (!text)
        return EXIT_DONE;
    if (!read_int(&at, 1, PTL_SHARDS_MAX, &part) || *at++ != '/' ||
        !read_int(&at, 1, PTL_SHARDS_MAX, &parts) || *at)
        return usage_error(a, "--shard '%s' is not I/N (whole numbers in 1..%d)", text,
                           (int)PTL_SHARDS_MAX);
    if (part > parts)
        return usage_error(a, "--shard '%s': of %lld parts there is no part %lld", text,
                           (long long)parts, (long long)part);
    *shard = (int32_t)part;
    *shards = (int32_t)parts;
    return EXIT_DONE;
}

bool parse_int(const char *text, int64_t lo, int64_t hi, int64_t *out)
{
    return parse_ints(text, 1, lo, hi, out);
}

bool parse_ints(const char *text, size_t count, int64_t lo, int64_t hi, int64_t *out)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && *text++ != ',')
            return false;
        if (!read_int(&text, lo, hi, &out[i]))
            return false;
    }
    return *text == '\0';
}

bool parse_span(const char *text, int64_t lo, int64_t hi, int64_t out[2])
{
    if (!read_int(&text, lo, hi, &out[0]))
        return false;
    out[1] = out[0];
    if (*text == '\0')
        return true;
    if (strncmp(text, "..", 2) != 0)
        return false;
    text += 2;
    return read_int(&text, lo, hi, &out[1]) && *text == '\0';
}

bool parse_u64(const char *text, uint64_t *out)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hex ? text + 2 : text;
    char *end;
    if (hex ? !isxdigit((unsigned char)*digits) : !isdigit((unsigned char)*digits))
        return false;
    errno = 0;
    unsigned long long value = strtoull(digits, &end, hex ? 16 : 10);
    *out = value;
    return errno == 0 && *end == '\0';
}

bool parse_double(const char *text, double lo, double hi, double *out)
{
    char *end;
    if (!isdigit((unsigned char)*text) && *text != '.' && *text != '-')
        return false;
    double value = strtod(text, &end);
    *out = value;
    return *end == '\0' && value >= lo && value <= hi;
}
