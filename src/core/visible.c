#include "core/visible.h"

#include "core/utf8.h"

#include <stdio.h>
#include <string.h>

typedef struct code_range {
    uint32_t from, to;
} code_range;

bool visible_unsafe(uint32_t c)
{
    static const code_range ranges[] = {
        {0x7f, 0x9f},          {0xad, 0xad},       {0x34f, 0x34f},     {0x61c, 0x61c},
        {0x115f, 0x1160},      {0x17b4, 0x17b5},   {0x180b, 0x180f},   {0x200b, 0x200f},
        {0x2028, 0x202e},      {0x2060, 0x206f},   {0x3164, 0x3164},   {0xd800, 0xdfff},
        {0xfdd0, 0xfdef},      {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
        {0xfff0, 0xfffb},      {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
        {0x110000, 0xffffffff}};
    if (c < 0x7f)
        return c < 0x20;
    if ((c & 0xfffe) == 0xfffe)
        return true;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (c <= ranges[i].to)
            return c >= ranges[i].from;
    return false;
}

/* Returns how many bytes at the beginning of the text may be printed as they are. Unless
 * `quote` is 0, the character `quote` may not be printed so. */
static size_t safe_bytes(const char *text, size_t size, unsigned keep, char quote)
{
    size_t at = 0;
    while (at < size) {
        const unsigned char byte = (unsigned char)text[at];
        uint32_t c = byte;
        size_t used = 1;
        if (byte >= 0x20 && byte < 0x7f && text[at] != quote) {
            at++;
            continue;
        }
        if (byte >= 0x7f)
            used = utf8_decode(text + at, size - at, &c);
        const bool kept =
            (c == '\n' && (keep & VISIBLE_NEWLINE)) || (c == '\t' && (keep & VISIBLE_TAB));
        if ((!kept && visible_unsafe(c)) || (quote && text[at] == quote))
            break;
        at += used;
    }
    return at;
}

static void write_text(visible_sink sink, void *payload, const char *text, size_t size,
                       unsigned keep, char quote)
{
    for (size_t at = 0; at < size;) {
        const size_t safe = safe_bytes(text + at, size - at, keep, quote);
        if (safe > 0)
            sink(payload, text + at, safe);
        at += safe;
        if (at == size)
            break;
        if (quote && text[at] == quote) {
            sink(payload, "'\\''", 4);
            at++;
            continue;
        }
        char out[12];
        uint32_t c;
        const size_t used = utf8_decode(text + at, size - at, &c);
        /* Writes an escape for the code point. If the bytes are no UTF-8, it writes an
         * escape for the first byte. */
        int length;
        if (c == '\n' || c == '\r' || c == '\t')
            length = snprintf(out, 12, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
        else if (c == UTF8_BAD || c < 0x80)
            length = snprintf(out, 12, "\\x%02x", (unsigned)(unsigned char)text[at]);
        else
            length = snprintf(out, 12, c < 0x10000 ? "\\u%04x" : "\\U%08x", (unsigned)c);
        sink(payload, out, (size_t)length);
        at += used;
    }
}

void visible_write(visible_sink sink, void *payload, const char *text, size_t size,
                   unsigned keep)
{
    write_text(sink, payload, text, size, keep, '\0');
}

static void put_bytes(void *payload, const char *text, size_t size)
{
    bytes_put(payload, text, size);
}

void visible_put(bytes *out, const char *text, size_t size)
{
    visible_write(put_bytes, out, text, size, VISIBLE_LINE);
}

/* ---- printf ---- */

/* The arguments that conversions take their values from. They are in a struct because va_list
 * may be an array type, and only a struct can be passed by address on every machine. */
typedef struct arguments {
    va_list list;
} arguments;

/* One conversion of a format: %[flags][width][.precision][length]conversion. */
typedef struct conversion {
    const char *text; /* where the conversion's '%' stands in the format */
    size_t size;
    bool left;         /* flag - */
    bool star_width;   /* `*` stands for the width: its value is an argument */
    bool star_precise; /* `*` stands for the precision: its value is an argument */
    long width;        /* 0: none */
    long precision;    /* -1: none */
    char length; /* printf's letters for the size of a number: 'l', 'z', 'j', 't', 'L' for ll;
                    0: none */
    char letter; /* d, s, ... */
} conversion;

static const char *read_number(const char *at, long *out, bool *star)
{
    *out = 0;
    *star = *at == '*';
    if (*star)
        return at + 1;
    for (; *at >= '0' && *at <= '9'; at++)
        *out = 10 * *out + (*at - '0');
    return at;
}

static conversion read_conversion(const char *text)
{
    conversion c = {.text = text, .precision = -1};
    const char *at = text + 1;
    for (; *at && strchr("-+ #0", *at); at++)
        c.left |= *at == '-';
    at = read_number(at, &c.width, &c.star_width);
    if (*at == '.')
        at = read_number(at + 1, &c.precision, &c.star_precise);
    for (; *at && strchr("hlzjt", *at); at++)
        c.length = *at == 'l' && c.length == 'l' ? 'L' : *at;
    c.letter = *at;
    c.size = (size_t)(at - text) + (*at ? 1 : 0);
    return c;
}

/* Prints a number by the C library; no number that Portolan prints is longer than the buffer.
 */
static void print_number(visible_sink sink, void *payload, const conversion *c, arguments *a)
{
    char one[40], out[512];
    va_list list;
    const size_t size = c->size < sizeof one ? c->size : sizeof one - 1;
    memcpy(one, c->text, size);
    one[size] = '\0';
    va_copy(list, a->list);
    const int printed = vsnprintf(out, sizeof out, one, list);
    va_end(list);
    if (c->star_width)
        (void)va_arg(a->list, int);
    if (c->star_precise)
        (void)va_arg(a->list, int);
    /* The number was read by vsnprintf from its own copy of the list. Takes it from a->list,
     * too, so that the next conversion gets the next argument. */
    /* NOLINTBEGIN(bugprone-branch-clone): each branch takes a value of another type. */
    if (strchr("fFeEgGaA", c->letter))
        (void)va_arg(a->list, double);
    else if (c->letter == 'p')
        (void)va_arg(a->list, void *);
    else if (c->length == 'l' || c->length == 't')
        (void)va_arg(a->list, long);
    else if (c->length == 'L' || c->length == 'j')
        (void)va_arg(a->list, long long);
    else if (c->length == 'z')
        (void)va_arg(a->list, size_t);
    else
        (void)va_arg(a->list, int);
    /* NOLINTEND(bugprone-branch-clone): the branches by type end here. */
    if (printed > 0)
        sink(payload, out, (size_t)printed < sizeof out ? (size_t)printed : sizeof out - 1);
}

static void count_columns(void *payload, const char *text, size_t size)
{
    size_t *columns = payload;
    for (size_t at = 0; at < size;) {
        uint32_t c;
        at += utf8_decode(text + at, size - at, &c);
        *columns += utf8_columns(c);
    }
}

static void pad(visible_sink sink, void *payload, size_t columns)
{
    static const char spaces[] = "                                ";
    while (columns > 0) {
        const size_t part = columns < sizeof spaces - 1 ? columns : sizeof spaces - 1;
        sink(payload, spaces, part);
        columns -= part;
    }
}

/* Prints a text or a character, padded by columns, with unsafe characters as escapes. */
static void print_text(visible_sink sink, void *payload, conversion *c, arguments *a,
                       char quote)
{
    char one;
    if (c->star_width)
        c->width = va_arg(a->list, int);
    if (c->star_precise)
        c->precision = va_arg(a->list, int);
    if (c->width < 0) {
        c->left = true;
        c->width = -c->width;
    }
    const char *text = &one;
    size_t size = 1, columns = 0;
    if (c->letter == 'c') {
        one = (char)va_arg(a->list, int);
    } else {
        text = va_arg(a->list, const char *);
        size = c->precision < 0 ? strlen(text) : strnlen(text, (size_t)c->precision);
    }
    if (c->width > 0)
        write_text(count_columns, &columns, text, size, VISIBLE_LINE, quote);
    const size_t gap = (size_t)c->width > columns ? (size_t)c->width - columns : 0;
    if (!c->left)
        pad(sink, payload, gap);
    write_text(sink, payload, text, size, VISIBLE_LINE, quote);
    if (c->left)
        pad(sink, payload, gap);
}

void visible_vprintf(visible_sink sink, void *payload, const char *format, va_list list)
{
    arguments a;
    va_copy(a.list, list);
    for (const char *at = format; *at;) {
        const size_t plain = strcspn(at, "%");
        if (plain > 0)
            sink(payload, at, plain);
        at += plain;
        if (!*at)
            break;
        conversion c = read_conversion(at);
        const bool quoted = at > format && at[-1] == '\'' && at[c.size] == '\'';
        if (c.letter == '%')
            sink(payload, "%", 1);
        else if (c.letter == 's' || c.letter == 'c')
            print_text(sink, payload, &c, &a, quoted ? '\'' : '\0');
        else
            print_number(sink, payload, &c, &a);
        at += c.size;
    }
    va_end(a.list);
}

void visible_one_line(char *text)
{
    const size_t size = strlen(text);
    for (size_t i = 0; i < size;) {
        uint32_t c;
        const size_t length = utf8_decode(text + i, size - i, &c);
        if (visible_unsafe(c))
            memset(text + i, '?', length);
        i += length;
    }
}
