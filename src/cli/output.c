/* Standard output, JSON strings and number formats. */
#include "cli/output.h"

#include "cli/options.h"
#include "cli/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* errno of the first failed write: stdio keeps the fact, not the cause. */
static int first_errno;

static void note_failure(void)
{
    if (first_errno == 0 && ferror(stdout))
        first_errno = errno;
}

void out_write(const void *data, size_t size)
{
    if (size > 0 && out_ok() && fwrite(data, 1, size, stdout) < size)
        note_failure();
}

void out_text(const char *text)
{
    out_write(text, strlen(text));
}

void out_printf(const char *format, ...)
{
    va_list list;
    if (!out_ok())
        return;
    va_start(list, format);
    if (vfprintf(stdout, format, list) < 0)
        note_failure();
    va_end(list);
}

bool out_ok(void)
{
    return !ferror(stdout);
}

int out_finish(void)
{
    if (fflush(stdout) != 0)
        note_failure();
    if (out_ok())
        return EXIT_DONE;
    fprintf(stderr, "portolan: writing to standard output failed: %s\n", strerror(first_errno));
    return EXIT_FAILED;
}

static void json_char(const char *at, size_t size, uint32_t c)
{
    if (c == '"' || c == '\\')
        out_printf("\\%c", (char)c);
    else if (c == '\n')
        out_text("\\n");
    else if (c == '\t')
        out_text("\\t");
    else if (c == UTF8_BAD)
        out_text("\\ufffd");
    else if (c < 0x20 || c == 0x7f)
        out_printf("\\u%04x", (unsigned)c);
    else
        out_write(at, size);
}

void out_json_string(const char *text, size_t size)
{
    out_text("\"");
    for (size_t at = 0; at < size;) {
        uint32_t c;
        size_t used = utf8_decode(text + at, size - at, &c);
        json_char(text + at, used, c);
        at += used;
    }
    out_text("\"");
}

void out_json_text(const char *text)
{
    out_json_string(text, strlen(text));
}

void format_double(double value, char out[32])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, 32, "%.*g", digits, value);
        if (strtod(out, NULL) == value)
            break;
    }
    /* A whole number keeps its point, so that it still reads as a real. */
    if (strspn(out, "-0123456789") == strlen(out) && strlen(out) < 29)
        memcpy(out + strlen(out), ".0", 3);
}

void format_size(uint64_t bytes, char out[32])
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 1000 && unit < 4; unit++)
        value /= 1000;
    snprintf(out, 32, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
}
