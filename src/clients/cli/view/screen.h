/*
 * The terminal as a grid of cells, and what is typed and clicked: the one file that knows
 * curses is screen.c. Texts are UTF-8; what would steer a terminal is shown as an escape
 * (core/visible.h), and what the terminal's locale can't show as '?'.
 */
#ifndef CLI_VIEW_SCREEN_H
#define CLI_VIEW_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct screen screen;

/* How cells look. */
typedef struct pen {
    bool coloured; /* else the terminal's own colours */
    uint8_t ink[3], paper[3];
    bool bold, dim, reverse;
} pen;

typedef enum event_kind {
    EVENT_NONE, /* nothing came in time */
    EVENT_KEY,  /* a character */
    EVENT_MOVE, /* an arrow key, with shift or without */
    EVENT_PAGE, /* a page up (-1) or down (1) */
    EVENT_HOME,
    EVENT_ENTER,
    EVENT_ESCAPE,
    EVENT_ERASE, /* the character before */
    EVENT_CLICK,
    EVENT_WHEEL,
    EVENT_RESIZE,
    EVENT_GONE /* there is no terminal any more */
} event_kind;

typedef struct event {
    event_kind kind;
    uint32_t key;         /* code point */
    int32_t dx, dy;       /* -1, 0 or 1; of a page and a wheel dy */
    bool shift;           /* of a move */
    int32_t line, column; /* of a click */
} event;

/*
 * Takes over the terminal of the standard streams. *out is new: screen_close gives the terminal
 * back as it was. False with a reason where that can't be.
 */
bool screen_open(screen **out, bool colours, const char **reason);
void screen_close(screen *s); /* NULL is fine */

void screen_size(const screen *s, int32_t *columns, int32_t *lines);
/* How many colours it shows; 0: none. */
int32_t screen_colours(const screen *s);

/* Begins a picture: all cells are empty. */
void screen_clear(screen *s);
/* Puts one character of one column into a cell; cells outside are left out. */
void screen_symbol(screen *s, int32_t line, int32_t column, uint32_t symbol, const pen *p);
/* Puts a text into `width` cells: cut where it is longer, blanks behind it where it is shorter.
 */
void screen_text(screen *s, int32_t line, int32_t column, int32_t width, const char *text,
                 const pen *p);
/* Shows the picture, with the terminal's cursor there. */
void screen_show(screen *s, int32_t line, int32_t column);

/* Waits for what comes next, at most so long. A signal ends it sooner. */
event screen_read(screen *s, int milliseconds);

#endif
