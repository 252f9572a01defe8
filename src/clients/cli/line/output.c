/* Output to standard output and standard error. A failed write is remembered, and reported once
 * at the end. */
#include "clients/cli/line/output.h"

#include "clients/cli/line/stop.h"
#include "clients/os/terminal.h"
#include "core/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS_MAX = 10000, COLUMNS_USUAL = 80, LINES_USUAL = 24, COLUMNS_LEAST = 20 };

static int32_t from_environment(const char *name, int32_t otherwise)
{
    const char *text = getenv(name);
    int64_t value;
    return text && parse_int(text, 1, CELLS_MAX, &value) ? (int32_t)value : otherwise;
}

terminal_size terminal_measure(void)
{
    terminal_size size;
    terminal_cells(STREAM_OUTPUT, &size.columns, &size.lines);
    size.columns = from_environment("COLUMNS", size.columns > 0 ? size.columns : COLUMNS_USUAL);
    size.lines = from_environment("LINES", size.lines > 0 ? size.lines : LINES_USUAL);
    return size;
}

size_t terminal_columns(int fd)
{
    int32_t columns = 0, lines;
    if (terminal_is(fd)) {
        terminal_cells(fd, &columns, &lines);
        columns = columns > 0 ? columns : COLUMNS_USUAL;
    }
    columns = from_environment("COLUMNS", columns);
    return columns == 0 ? 0 : (size_t)(columns < COLUMNS_LEAST ? COLUMNS_LEAST : columns);
}

/* ---- standard output ---- */

/* errno of the first failed write. It is kept because ferror() tells only that a write failed,
 * not why. */
static int first_errno;

static void note_failure(void)
{
    if (first_errno != 0 || !ferror(stdout))
        return;
    first_errno = errno;
    if (first_errno == EPIPE)
        stop_on_broken_pipe();
}

void out_raw(const void *data, size_t size)
{
    if (size > 0 && out_ok() && fwrite(data, 1, size, stdout) < size)
        note_failure();
}

static void to_stdout_raw(void *payload, const char *text, size_t size)
{
    (void)payload;
    out_raw(text, size);
}

/* Wraps what is printed between out_prose_begin and out_prose_end. At other times its `width`
 * is 0, so that text is printed unchanged. */
static prose out_sentences;
/* Out_say has begun to wrap, so wrapping ends at the end of the line. */
static bool for_one_line;

static void to_stdout(void *payload, const char *text, size_t size)
{
    prose_put(&out_sentences, to_stdout_raw, payload, text, size);
}

void out_prose_of(size_t width, size_t indent)
{
    out_sentences = (prose){.width = width, .indent = indent};
}

void out_prose_begin(size_t indent)
{
    out_prose_of(terminal_columns(STREAM_OUTPUT), indent);
}

void out_prose_end(void)
{
    prose_flush(&out_sentences, to_stdout_raw, NULL);
    out_sentences.width = 0;
    for_one_line = false;
}

/* Called after each printed piece of text. If the text has ended the line that out_say began,
 * wrapping ends. */
static void end_line(void)
{
    const prose *p = &out_sentences;
    if (for_one_line && p->column + p->blanks + p->size == 0 && !p->as_it_is)
        out_prose_end();
}

void out_text(const char *text)
{
    visible_write(to_stdout, NULL, text, strlen(text), VISIBLE_NEWLINE | VISIBLE_TAB);
    end_line();
}

void out_visible(const char *text, size_t size)
{
    visible_write(to_stdout, NULL, text, size, VISIBLE_LINE);
}

void out_printf(const char *format, ...)
{
    va_list list;
    if (!out_ok())
        return;
    va_start(list, format);
    visible_vprintf(to_stdout, NULL, format, list);
    va_end(list);
    end_line();
}

void out_say(const char *format, ...)
{
    va_list list;
    if (out_sentences.width == 0) {
        out_prose_begin(0);
        for_one_line = true;
    }
    va_start(list, format);
    visible_vprintf(to_stdout, NULL, format, list);
    va_end(list);
    end_line();
}

bool out_ok(void)
{
    return !ferror(stdout);
}

bool out_flush(void)
{
    if (fflush(stdout) != 0)
        note_failure();
    return out_ok();
}

int out_finish(void)
{
    if (out_flush())
        return EXIT_DONE;
    if (first_errno == EINTR && stop_wanted())
        return stop_tell();
    if (!stop_is_silent())
        tell("portolan: writing to standard output failed: %s\n", strerror(first_errno));
    return EXIT_FAILED;
}

/* ---- standard error ---- */

/* A buffer for one message, because stderr is unbuffered and would write each piece by itself.
 * It has a fixed size: the message may be that memory is out. */
typedef struct message {
    char text[1024];
    size_t size;
} message;

static void flush_message(message *m)
{
    /* No use to check: a failure could not be reported anywhere. */
    (void)fwrite(m->text, 1, m->size, stderr);
    m->size = 0;
}

static void to_message(void *payload, const char *text, size_t size)
{
    message *m = payload;
    while (size > 0) {
        if (m->size == sizeof m->text)
            flush_message(m);
        const size_t room = sizeof m->text - m->size, part = size < room ? size : room;
        memcpy(m->text + m->size, text, part);
        m->size += part;
        text += part;
        size -= part;
    }
}

/* Wraps messages on a terminal. Its state is kept between calls, because one message is often
 * printed by several calls. */
static prose err_sentences;

static void to_sentences(void *payload, const char *text, size_t size)
{
    prose_put(&err_sentences, to_message, payload, text, size);
}

void vtell(const char *format, va_list list)
{
    message m;
    m.size = 0;
    if (err_sentences.size == 0 && terminal_is(STREAM_ERRORS))
        err_sentences.width = terminal_columns(STREAM_ERRORS);
    if (format[0] == '\r') { /* redraws the current line, so it is not wrapped */
        prose_flush(&err_sentences, to_message, &m);
        err_sentences.column = 0;
        visible_vprintf(to_message, &m, format, list);
    } else {
        visible_vprintf(to_sentences, &m, format, list);
    }
    flush_message(&m);
}

void tell_lines(const char *text)
{
    message m;
    const size_t size = strlen(text);
    m.size = 0;
    visible_write(to_sentences, &m, text, size, VISIBLE_NEWLINE | VISIBLE_TAB);
    if (size > 0 && text[size - 1] != '\n')
        to_sentences(&m, "\n", 1);
    flush_message(&m);
}

void tell(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vtell(format, list);
    va_end(list);
}

/* The functions from here on print for other programs: JSON, CSV, XML and numbers. */

/* Readers of JSON keep numbers as doubles. A double is exact for all whole numbers up to this
 * one. */
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
        else /* JSON has such a character as two numbers of 16 bits, a surrogate pair */
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
    out_printf(size > JSON_EXACT ? "\"%jd\"" : "%jd", value);
}

void out_json_uint(uint64_t value)
{
    out_printf(value > JSON_EXACT ? "\"%ju\"" : "%ju", value);
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
    for (size_t at = 0; at < size;) { /* CSV writes each quotation mark twice */
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
    /* A text that begins with one of these characters and is not a number would be run as a
     * formula by a spreadsheet. The last four are the full-width forms of the first four. */
    static const uint32_t starts[] = {'=',  '+',    '-',    '@',    '\t',  '\r',
                                      '\n', 0xff1d, 0xff0b, 0xff0d, 0xff20};
    uint32_t c = 0;
    bool quote = size == 0, is_formula = false;
    if (size > 0)
        (void)utf8_decode(text, size, &c);
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    for (size_t i = 0; i < sizeof starts / sizeof starts[0] && !is_plain; i++)
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

enum { DIGITS_LEAST = 15, DIGITS_MOST = 17 }; /* with 17 every number reads back */

/* Writes the digits of a number as %g writes them: digits[0] stands before the point, and the
 * number is multiplied by 10 to the `exponent`. `precision`: how many digits there are. */
static void write_digits(char out[32], const char *digits, int precision, int exponent,
                         bool minus)
{
    int count = precision;
    char *at = out;
    while (count > 1 && digits[count - 1] == '0')
        count--;
    if (minus)
        *at++ = '-';
    const bool point = exponent >= -4 && exponent < precision;
    const int before = point && exponent > 0 ? exponent + 1 : 1;
    int used = 0;
    if (point && exponent < 0) {
        *at++ = '0';
        *at++ = '.';
        for (int i = -1; i > exponent; i--)
            *at++ = '0';
    } else {
        for (; used < before; used++)
            *at++ = used < count ? digits[used] : '0';
        if (used < count)
            *at++ = '.';
    }
    for (; used < count; used++)
        *at++ = digits[used];
    *at = '\0';
    if (!point)
        snprintf(at, 13, "e%c%02d", exponent < 0 ? '-' : '+',
                 exponent < 0 ? -exponent : exponent);
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

enum { FIVES = 28, MANTISSA = 53 };
static const uint64_t TEN_16 = 10000000000000000;

/* A number that is not 0 as decimal digits: `scaled` is its size times 10^(16 - exponent),
 * times 2^shift, without any rounding; its part before the binary point has 17 digits. */
typedef struct decimal {
    wide scaled;
    int shift, exponent;
    uint64_t five; /* the distance to the next larger number, in the unit of `scaled` */
    bool is_edge;  /* it is a power of two: the next smaller number is nearer */
} decimal;

/* Returns false if the number is too large or too small for 128 bits. */
static bool take_decimal(decimal *d, double size)
{
    uint64_t fives[FIVES] = {1};
    for (int i = 1; i < FIVES; i++)
        fives[i] = 5 * fives[i - 1];
    int power;
    const uint64_t mantissa = (uint64_t)ldexp(frexp(size, &power), MANTISSA);
    /* The logarithm may be rounded to the next whole number, so its neighbours are tried. */
    for (d->exponent = (int)floor(log10(size)) + 1; true; d->exponent--) {
        const int tens = DIGITS_MOST - 1 - d->exponent;
        d->shift = MANTISSA - power - tens;
        if (tens < 0 || tens >= FIVES || d->shift < 1 || d->shift > 63)
            return false;
        d->five = fives[tens];
        d->scaled = (wide)mantissa * d->five;
        if ((uint64_t)(d->scaled >> d->shift) >= TEN_16)
            break;
    }
    d->is_edge = mantissa == (uint64_t)1 << (MANTISSA - 1);
    return (uint64_t)(d->scaled >> d->shift) < 10 * TEN_16;
}

/* Writes the number with the fewest digits that read back as the same number, from DIGITS_LEAST
 * to DIGITS_MOST. Returns false if 128 bits are too few, or where it matters how ties are
 * rounded. */
static bool write_shortest(char out[32], double value)
{
    decimal d;
    uint64_t step = 100;
    if (!take_decimal(&d, fabs(value)))
        return false;
    const uint64_t all = (uint64_t)(d.scaled >> d.shift);
    for (int precision = DIGITS_LEAST; precision <= DIGITS_MOST; precision++, step /= 10) {
        uint64_t shown = all / step;
        const wide unit = (wide)step << d.shift,
                   rest = d.scaled - ((wide)(shown * step) << d.shift);
        const bool up = 2 * rest > unit;
        const wide off = up ? unit - rest : rest;
        if (2 * rest == unit || (precision < DIGITS_MOST && 2 * off == d.five) ||
            (d.is_edge && off > 0))
            return false;
        if (precision < DIGITS_MOST && 2 * off > d.five)
            continue;
        char digits[DIGITS_MOST + 1];
        shown += up;
        const bool carry = shown == 10 * TEN_16 / step;
        for (int i = precision - 1; i >= 0; i--, shown /= 10)
            digits[i] = carry ? (char)(i > 0 ? '0' : '1') : (char)('0' + shown % 10);
        write_digits(out, digits, precision, d.exponent + carry, value < 0);
        return true;
    }
    return false;
}
#else
static bool write_shortest(char out[32], double value)
{
    (void)out, (void)value;
    return false;
}
#endif

void format_double(double value, char out[32])
{
    bool done = isnormal(value) && write_shortest(out, value);
    for (int precision = DIGITS_LEAST; precision <= DIGITS_MOST && !done; precision++) {
        snprintf(out, 32, "%.*g", precision, value);
        done = strtod(out, NULL) == value;
    }
    /* A whole number gets ".0", so that readers still take it for a real. */
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

/*
 * The functions from here on print sentences for people, wrapped at blanks if lines have a
 * limited width (terminal.h). A line that begins with a blank is not wrapped: it is a command
 * for the user to copy.
 */

/* A word that does not fit into the line begins a new line. If it already begins the line, it
 * is printed there all the same, since it would not fit into any line. */
void prose_flush(prose *p, visible_sink sink, void *payload)
{
    const char *text = p->word;
    const size_t size = p->size;
    size_t columns = 0;
    for (size_t at = 0; at < size;) {
        uint32_t c;
        at += utf8_decode(text + at, size - at, &c);
        columns += utf8_columns(c);
    }

    if (p->size == 0)
        return;
    if (p->column > p->indent && p->column + p->blanks + columns > p->width) {
        sink(payload, "\n", 1);
        p->column = 0;
        p->blanks = p->indent;
    }
    for (size_t i = 0; i < p->blanks; i++)
        sink(payload, " ", 1);
    sink(payload, p->word, p->size);
    p->column += p->blanks + columns;
    p->blanks = p->size = 0;
}

void prose_put(prose *p, visible_sink sink, void *payload, const char *text, size_t size)
{
    if (p->width == 0) {
        sink(payload, text, size);
        return;
    }
    for (size_t i = 0; i < size; i++) {
        /* A blank ends a word, and a newline also ends the line. Without indent a line that
         * begins with a blank is copied unchanged. */
        char byte = text[i];
        if (byte == '\n') {
            prose_flush(p, sink, payload);
            sink(payload, "\n", 1);
            p->column = p->blanks = 0;
            p->as_it_is = false;
        } else if (p->as_it_is) {
            sink(payload, &byte, 1);
        } else if (byte == ' ' && p->indent == 0 && p->column == 0 && p->size == 0) {
            sink(payload, " ", 1);
            p->as_it_is = true;
        } else if (byte == ' ') {
            prose_flush(p, sink, payload);
            p->blanks++;
        } else {
            if (p->size == sizeof p->word)
                prose_flush(p, sink, payload);
            p->word[p->size++] = byte;
        }
    }
}
