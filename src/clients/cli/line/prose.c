/* Wraps sentences at blanks. Only the current word is kept; it is printed once
 * its width is known. */
#include "clients/cli/line/prose.h"

#include "core/utf8.h"

/* A word that does not fit begins a new line, unless it is the first one there: then no
 * line is wide enough. */
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
