/* The pane over the map: a text that is wrapped to the pane's width and can be scrolled. */
#include "clients/cli/view/viewer_impl.h"

#include "clients/cli/line/prose.h"

#include <stdio.h>

enum { COLUMNS_BESIDE = 76, COLUMNS_MOST = 64, MARGIN = 1 };

void pane_init(pane *p)
{
    *p = (pane){.kind = PANE_NONE};
    bytes_init(&p->text);
}

void pane_dispose(pane *p)
{
    bytes_dispose(&p->text);
}

void pane_open(pane *p, pane_kind kind)
{
    bytes_clear(&p->text);
    p->kind = kind;
    p->first = p->lines = p->shown = 0;
}

void pane_close(pane *p)
{
    pane_open(p, PANE_NONE);
}

void pane_scroll(pane *p, int32_t lines)
{
    const int32_t most = p->lines - p->shown;
    p->first += lines;
    p->first = p->first > most ? most : p->first;
    p->first = p->first < 0 ? 0 : p->first;
}

/* A narrow terminal gives the pane its whole width. */
int32_t pane_columns(const pane *p, int32_t columns)
{
    if (p->kind == PANE_NONE || columns < COLUMNS_BESIDE)
        return p->kind == PANE_NONE ? 0 : columns;
    return columns * 3 / 5 > COLUMNS_MOST ? COLUMNS_MOST : columns * 3 / 5;
}

static void into_bytes(void *payload, const char *text, size_t size)
{
    bytes_put(payload, text, size);
}

/* The text is wrapped anew at each drawing, since the terminal may have another size. Lines
 * below the text are cleared. */
void pane_draw(pane *p, screen *s, int32_t left, int32_t columns, int32_t lines)
{
    const pen plain = {.coloured = false}, foot = {.reverse = true};
    const int32_t room = lines - 1;
    char rest[120];
    bytes wrapped = {.size = 0};
    prose words = {.width = (size_t)(columns > 2 * MARGIN ? columns - 2 * MARGIN : 1)};
    prose_put(&words, into_bytes, &wrapped, (const char *)p->text.data, p->text.size);
    prose_flush(&words, into_bytes, &wrapped);
    const size_t end = bytes_text(&wrapped) ? wrapped.size : 0;
    size_t at = 0;
    p->lines = 0;
    for (; at < end && wrapped.data[at] != '\0'; p->lines++) {
        const char *text = (const char *)&wrapped.data[at];
        const size_t size = strcspn(text, "\n");
        const int32_t line = p->lines - p->first;
        if (line >= 0 && line < room) {
            wrapped.data[at + size] = '\0';
            screen_text(s, line, left, columns, "", &plain);
            screen_text(s, line, left + MARGIN, columns - MARGIN, text, &plain);
        }
        at += size + 1;
    }
    p->shown = p->lines < room ? p->lines : room;
    for (int32_t line = p->lines - p->first; line < room; line++)
        screen_text(s, line, left, columns, "", &plain);
    (void)snprintf(rest, sizeof rest,
                   p->lines > room
                       ? " lines %d to %d of %d (arrows, page up and down); m closes"
                       : " m closes",
                   (int)p->first + 1, (int)(p->first + p->shown), (int)p->lines);
    screen_text(s, room, left, columns, rest, &foot);
    bytes_dispose(&wrapped);
}
