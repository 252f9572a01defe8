#include "core/utf8.h"

#include <string.h>

size_t utf8_decode(const char *text, size_t size, uint32_t *out)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *s = (const unsigned char *)text;
    size_t length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    *out = UTF8_BAD;
    if (length == 0 || length > size || s[0] > 0xf4)
        return 1;
    if (length == 1) {
        *out = s[0];
        return 1;
    }
    uint32_t c = s[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 1;
        c = (c << 6) | (s[i] & 0x3f);
    }
    if (c < least[length] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return 1;
    *out = c;
    return length;
}

typedef struct code_range {
    uint32_t from, to;
} code_range;

static bool in_ranges(uint32_t c, const code_range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (c >= ranges[i].from && c <= ranges[i].to)
            return true;
    return false;
}

size_t utf8_columns(uint32_t c)
{
    static const code_range none[] = {{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},
                                      {0x610, 0x61a},   {0x64b, 0x65f},   {0x1ab0, 0x1aff},
                                      {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x20d0, 0x20ff},
                                      {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
    static const code_range wide[] = {
        {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xac00, 0xd7a3},
        {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
        {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
    if (c < 0x300)
        return 1;
    if (in_ranges(c, none, sizeof none / sizeof none[0]))
        return 0;
    return in_ranges(c, wide, sizeof wide / sizeof wide[0]) ? 2 : 1;
}

bool utf8_valid(const char *text)
{
    const size_t size = strlen(text);
    bool valid = true;
    for (size_t at = 0; at < size && valid;) {
        uint32_t c;
        at += utf8_decode(text + at, size - at, &c);
        valid = c != UTF8_BAD;
    }
    return valid;
}

bool utf8_is_plain(const char *text)
{
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            return false;
    return utf8_valid(text);
}

size_t utf8_cut(const char *text, size_t most)
{
    enum { LONGEST = 3 }; /* most bytes of a character after its first one */
    size_t size = strnlen(text, most + 1);
    if (size <= most)
        return size;
    size = most;
    for (int i = 0; i < LONGEST && size > 0 && ((unsigned char)text[size] & 0xc0) == 0x80; i++)
        size--;
    return size;
}

void utf8_text(uint32_t c, char out[5])
{
    size_t n = 0;
    if (c >= 0x10000)
        out[n++] = (char)(0xf0 | (c >> 18));
    if (c >= 0x800)
        out[n++] = (char)(c >= 0x10000 ? 0x80 | ((c >> 12) & 0x3f) : 0xe0 | (c >> 12));
    if (c >= 0x80) {
        out[n++] = (char)(c >= 0x800 ? 0x80 | ((c >> 6) & 0x3f) : 0xc0 | (c >> 6));
        out[n++] = (char)(0x80 | (c & 0x3f));
    } else {
        out[n++] = (char)c;
    }
    out[n] = '\0';
}
