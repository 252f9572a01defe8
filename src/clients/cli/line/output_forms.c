/* Output for other programs: JSON, CSV and XML, and the format of numbers. */
#include "clients/cli/line/output.h"
#include "core/utf8.h"
#include "core/visible.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Readers of JSON keep numbers as doubles, in which all whole numbers up to here are exact. */
static const uint64_t JSON_EXACT = (UINT64_C(1) << 53) - 1;

/* ---- JSON ---- */

void out_json_string(const char *text, size_t size)
{
    size_t safe = 0; /* bytes that wait to be printed, none of which needs an escape */
    out_raw("\"", 1);
    for (size_t at = 0; at < size;) {
        uint32_t c;
        const size_t used = utf8_decode(text + at, size - at, &c);
        at += used;
        if (c != '"' && c != '\\' && !visible_unsafe(c)) {
            safe += used;
            continue;
        }
        out_raw(text + at - used - safe, safe);
        if (c == '"' || c == '\\')
            out_printf("\\%c", (int)c);
        else if (c == '\n' || c == '\t')
            out_text(c == '\n' ? "\\n" : "\\t");
        else if (c == UTF8_BAD)
            out_text("\\ufffd");
        else if (c < 0x10000)
            out_printf("\\u%04x", (unsigned)c);
        else /* a surrogate pair */
            out_printf("\\u%04x\\u%04x", (unsigned)(0xd800 + ((c - 0x10000) >> 10)),
                       (unsigned)(0xdc00 + ((c - 0x10000) & 0x3ff)));
        safe = 0;
    }
    out_raw(text + size - safe, safe);
    out_raw("\"", 1);
}

void out_json_text(const char *text)
{
    out_json_string(text, strlen(text));
}

void out_json_int(int64_t value)
{
    const uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    out_printf(size > JSON_EXACT ? "\"%" PRId64 "\"" : "%" PRId64, value);
}

void out_json_uint(uint64_t value)
{
    out_printf(value > JSON_EXACT ? "\"%" PRIu64 "\"" : "%" PRIu64, value);
}

/* ---- CSV ---- */

static size_t digits(const char *text, size_t size)
{
    size_t count = 0;
    while (count < size && text[count] >= '0' && text[count] <= '9')
        count++;
    return count;
}

/* Is the whole text a number, such as -1.5e-3? */
static bool is_number(const char *text, size_t size)
{
    size_t at = size > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    const size_t whole = digits(text + at, size - at);
    at += whole;
    if (whole > 0 && at < size && text[at] == '.')
        at += 1 + digits(text + at + 1, size - at - 1);
    if (whole > 0 && at + 1 < size && (text[at] == 'e' || text[at] == 'E')) {
        at += text[at + 1] == '-' || text[at + 1] == '+' ? 2 : 1;
        const size_t power = digits(text + at, size - at);
        if (power == 0)
            return false;
        at += power;
    }
    return whole > 0 && at == size;
}

static void to_csv(void *payload, const char *text, size_t size)
{
    (void)payload;
    for (size_t at = 0; at < size;) { /* doubles each quote */
        const char *quote = memchr(text + at, '"', size - at);
        const size_t part = quote ? (size_t)(quote - text) - at + 1 : size - at;
        out_raw(text + at, part);
        if (quote)
            out_raw("\"", 1);
        at += part;
    }
}

void out_csv_string(const char *text, size_t size)
{
    /* A spreadsheet would take a text with one of these starts, among them the full-width forms
     * of the signs, for a formula, unless it is a number. */
    static const uint32_t starts[] = {'=',  '+',    '-',    '@',    '\t',  '\r',
                                      '\n', 0xff1d, 0xff0b, 0xff0d, 0xff20};
    uint32_t c = 0;
    bool quote = size == 0, is_formula = false;
    if (size > 0)
        (void)utf8_decode(text, size, &c);
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        is_formula |= c == starts[i] && !is_number(text, size);
    for (size_t i = 0; i < size && !quote; i++)
        quote = text[i] == ',' || text[i] == '"' || text[i] == '\n' || text[i] == '\r';
    if (quote)
        out_raw("\"", 1);
    if (is_formula)
        out_raw("'", 1);
    visible_write(to_csv, NULL, text, size, VISIBLE_NEWLINE | VISIBLE_TAB);
    if (quote)
        out_raw("\"", 1);
}

void out_csv_text(const char *text)
{
    out_csv_string(text, strlen(text));
}

void out_csv_comma(bool first)
{
    if (!first)
        out_raw(",", 1);
}

void out_csv_end(void)
{
    out_raw("\r\n", 2);
}

/* ---- XML ---- */

static void to_xml(void *payload, const char *text, size_t size)
{
    /* A parser turns newlines and tabs in attributes into spaces unless they are escaped. */
    static const char special[] = "&<>\"\n\t";
    static const char *const shown[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#10;", "&#9;"};
    (void)payload;
    for (size_t i = 0; i < size; i++) {
        const char *at = memchr(special, text[i], sizeof special - 1);
        if (at)
            out_text(shown[at - special]);
        else
            out_raw(text + i, 1);
    }
}

void out_xml_text(const char *text)
{
    visible_write(to_xml, NULL, text, strlen(text), VISIBLE_NEWLINE | VISIBLE_TAB);
}

/* ---- numbers ---- */

void format_double(double value, char out[32])
{
    for (int digits_shown = 15; digits_shown <= 17; digits_shown++) {
        snprintf(out, 32, "%.*g", digits_shown, value);
        if (strtod(out, NULL) == value)
            break;
    }
    /* A whole number keeps its point, so that it still reads as a real. */
    if (strspn(out, "-0123456789") == strlen(out) && strlen(out) < 29)
        memcpy(out + strlen(out), ".0", 3);
}

void format_size(uint64_t size, char out[32])
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double value = (double)size;
    size_t unit = 0;
    for (; value >= 1000 && unit < 4; unit++)
        value /= 1000;
    snprintf(out, 32, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
}
