#include "core/utf8.h"

#include <stdbool.h>
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

void utf8_one_line(char *text)
{
    const size_t size = strlen(text);
    for (size_t i = 0; i < size;) {
        uint32_t c;
        size_t length = utf8_decode(text + i, size - i, &c);
        bool control = c < 0x20 || (c >= 0x7f && c < 0xa0);
        for (size_t k = 0; (c == UTF8_BAD || control) && k < length; k++)
            text[i + k] = '?';
        i += length;
    }
}
