/* Parses the numbers of the command line. */
#include "clients/cli/line/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
