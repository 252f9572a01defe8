/*
 * The terminal as a grid of cells, with its keys and mouse. Only screen.c knows curses. Texts
 * are UTF-8. Characters that would control the terminal are shown as escapes (core/visible.h),
 * and those that its locale can't show as '?'.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct screen screen;

/* How a cell looks. */
typedef struct pen {
    bool coloured; /* false: the terminal's default colours */
    uint8_t ink[3], paper[3];
    bool bold, dim, reverse;
} pen;

typedef enum event_kind {
    EVENT_NONE, /* nothing happened in time */
    EVENT_KEY,  /* a character */
    EVENT_MOVE, /* an arrow key, maybe with shift */
    EVENT_PAGE, /* page up (dy -1) or page down (dy 1) */
    EVENT_HOME,
    EVENT_ENTER,
    EVENT_ESCAPE,
    EVENT_ERASE, /* backspace */
    EVENT_CLICK,
    EVENT_WHEEL,
    EVENT_RESIZE,
    EVENT_GONE /* the terminal is gone */
} event_kind;

typedef struct event {
    event_kind kind;
    uint32_t key;         /* code point of EVENT_KEY */
    int32_t dx, dy;       /* -1, 0 or 1; page keys and the mouse wheel set only dy */
    bool shift;           /* the shift key was down (EVENT_MOVE) */
    int32_t line, column; /* the cell of a mouse click */
} event;

/*
 * Takes over the terminal of the standard streams. *out is new: screen_close restores the
 * terminal. Returns false, with a text in *reason, if that is not possible.
 */
bool screen_open(screen **out, bool colours, const char **reason);
void screen_close(screen *s); /* s may be NULL */

/* Puts a text into `width` cells; it is cut, or filled up with blanks. */
void screen_text(screen *s, int32_t line, int32_t column, int32_t width, const char *text,
                 const pen *p);

/* Waits for the next event, at most so many milliseconds. A signal ends the wait early. */
event screen_read(screen *s, int milliseconds);
