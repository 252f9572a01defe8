/*
 * Text that is safe to print: on a terminal, in a log, in a table or a picture. Names come
 * from content, file names and files that may be hostile. So everything that is shown of them
 * goes through these functions, which write an escape for each character that could steer a
 * terminal, reverse the order of a line, break the line, or not be seen at all:
 *
 *   \n \r \t          newline, carriage return, tab
 *   \x1b              another control character below 0x80, or a byte that is no UTF-8
 *   \u202e            a code point below 0x10000
 *   \U000e0041        a larger code point
 *
 * A backslash stays as it is: the escapes are for people. Text that programs read back is
 * written as JSON instead.
 */
#pragma once

#include "core/bytes.h"

/*
 * True for what is never printed as it is:
 * - control characters (below U+0020, U+007F..9F), newline and tab among them;
 * - what Unicode calls default ignorable (Unicode 15.0, DerivedCoreProperties.txt):
 * bidirectional controls, zero-width characters, variation selectors, tags, fillers. All of it,
 * the joiners U+200C and U+200D too: two names that look alike and are not would deceive, and
 * no content that we know has any;
 * - line and paragraph separators (U+2028, U+2029), interlinear annotation (U+FFF9..FFFB);
 * - code points that are no characters (U+FDD0..FDEF, U+xxFFFE, U+xxFFFF), surrogates, and
 *   what is beyond U+10FFFF: UTF8_BAD.
 */
bool visible_unsafe(uint32_t c);

/* Unsafe characters that visible text may keep, as flags. */
enum visible_keep {
    VISIBLE_LINE = 0,    /* keeps none: each unsafe character is shown as an escape */
    VISIBLE_NEWLINE = 1, /* \n */
    VISIBLE_TAB = 2,     /* \t */
};

/* A caller's function that takes the text in pieces, in order. */
typedef void (*visible_sink)(void *payload, const char *text, size_t size);

/* Gives the text to the sink, with unsafe characters as escapes, except those that `keep`
 * (flags of enum visible_keep) lets stay. */
void visible_write(visible_sink sink, void *payload, const char *text, size_t size,
                   unsigned keep);

/* Appends the text to a buffer, with every unsafe character as an escape. */
void visible_put(bytes *out, const char *text, size_t size);

/*
 * Prints to the sink. The format, a constant of the program, goes out as it is; what %s and %c
 * print has escapes for all unsafe characters (VISIBLE_LINE). A width of %s counts columns, a
 * precision bytes. A text that the format has between apostrophes is printed as a word of a
 * shell's command line: each apostrophe in the text is written '\''. %n and wide characters
 * are not supported.
 */
void visible_vprintf(visible_sink sink, void *payload, const char *format, va_list list)
    __attribute__((format(printf, 3, 0)));

/* Makes a text one line of safe characters in place: each byte of an unsafe character
 * becomes '?'. For messages in buffers of a fixed size. */
void visible_one_line(char *text);
