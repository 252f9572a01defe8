/* The viewer's own: what its files share. */
#ifndef CLI_VIEW_VIEWER_IMPL_H
#define CLI_VIEW_VIEWER_IMPL_H

#include "clients/cli/content/why_words.h"
#include "clients/cli/view/atlas.h"
#include "clients/cli/view/pane.h"

enum { MESSAGE_SIZE = 640, HITS_ALL = 3 * SEARCH_HITS };

/* What is being typed at the foot. */
typedef struct prompt {
    char kind; /* '/' or 'g'; 0: nothing */
    char text[WISH_SIZE];
    size_t size;
} prompt;

/* What the last search found. */
typedef struct finds {
    char words[WISH_SIZE];
    search_result *result; /* owned; NULL: nothing was searched */
    struct {
        const search_hit *hit; /* of the result */
        const char *kind;      /* "city", "special", "terrain" */
    } hits[HITS_ALL];          /* the nearest first */
    size_t count, now;         /* now: the one that the cursor was put on */
} finds;

typedef struct viewer {
    const viewer_options *options;
    screen *screen;
    atlas *atlas;
    ptl_omt at, home;
    int32_t columns, lines;         /* of the terminal */
    int32_t map_columns, map_lines; /* of them the map's */
    pane pane;
    prompt prompt;
    finds finds;
    char message[MESSAGE_SIZE]; /* at the foot; "": none */
    bool over;
} viewer;

/* ---- draw.c ---- */

/* Draws all of it. */
void draw_all(viewer *v);
/* Where the cursor lies on the map. */
void draw_cursor(const viewer *v, int32_t *line, int32_t *column);

/* ---- words.c: lines that are safe to print ---- */

/* What is under the cursor: terrain, special or building. */
void words_what(viewer *v, bytes *out);
/* Where that is: absolute, as the game shows it, and the nearest city of the chunk. */
void words_place(viewer *v, bytes *out);
/* All that is known of it, and why its special is there. */
void words_details(viewer *v, bytes *out);
void words_help(const viewer *v, bytes *out);

/* ---- local_pane.c ---- */

/* Opens the local map of the tile under the cursor, or says why there is none. */
void local_open(viewer *v);

/* ---- find.c ---- */

/* Searches the whole world from the cursor on, and goes to the nearest hit. "": the words of
 * before. */
void find_start(viewer *v, const char *words);
/* Goes to the next hit (1) or the one before (-1). */
void find_step(viewer *v, int step);
void find_list(viewer *v);
/* Reads X,Y or X,Y,Z, or each as the game shows it (C'L); false: it is no place. */
bool find_place(const viewer *v, const char *text, ptl_omt *out);

/* ---- viewer.c ---- */

void say(viewer *v, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
