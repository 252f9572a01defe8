/* The viewer's own: what its files share. */
#ifndef CLI_VIEW_VIEWER_IMPL_H
#define CLI_VIEW_VIEWER_IMPL_H

#include "clients/cli/content/why_words.h"
#include "clients/cli/view/screen.h"
#include "clients/cli/view/viewer.h"
#include "clients/lookup/search.h"
#include "core/bytes.h"

/* ---- atlas.c ---- */

/*
 * What the map shows: a window of tiles, and what is known of the tile under the cursor. The
 * file is read as it is at the moment, also while another process writes it; memory is bounded
 * by a cache of chunks. What generates opens the file for itself, for as long as it takes.
 */
typedef struct atlas atlas;

/* *out is new: free it with atlas_close. options are borrowed. */
ptl_status atlas_open(atlas **out, const viewer_options *options, ptl_error *err);
void atlas_close(atlas *a); /* NULL is fine */

const ptl_world *atlas_world(const atlas *a);
/* Is a copy of the file read, which does not follow it? */
bool atlas_is_copy(const atlas *a);

/* The places that there can be: the nearest of them. */
ptl_omt atlas_clamp(ptl_omt at);

/*
 * Reads the window of width x height tiles with its north-western cell at `from`. False where
 * something could not be read, with the reason in *err: its cells are as if they were not
 * saved.
 */
bool atlas_look(atlas *a, ptl_omt from, int32_t width, int32_t height, ptl_error *err);
/* A tile of the window: PTL_OTER_NONE where nothing is saved. */
ptl_oter atlas_oter(const atlas *a, int32_t column, int32_t line);

typedef struct glyph {
    uint32_t symbol; /* of one column */
    uint8_t ink[3], paper[3];
} glyph;

/* How the content shows an oter. */
const glyph *atlas_glyph(atlas *a, ptl_oter oter);

/* What is in a chunk beside its tiles; NULL where it is not saved, or not to be read. Borrowed
 * until the next call. */
const ptl_features *atlas_features(atlas *a, ptl_chunk_pos pos);

/* Forgets what was read, so that what others have changed is seen. */
void atlas_refresh(atlas *a);
/* Is called again and again while nothing happens: what was opened to write is closed. */
void atlas_idle(atlas *a);

/* ---- what takes longer ---- */

ptl_status atlas_search(search_result **out, atlas *a, const search_options *options,
                        ptl_error *err);
ptl_status atlas_why(ptl_why *out, atlas *a, const char *special, ptl_chunk_pos pos,
                     ptl_error *err);
/* Generates the chunk. PTL_ERR_READONLY if nothing may be written. */
ptl_status atlas_generate(atlas *a, ptl_chunk_pos pos, ptl_error *err);
/* Gives the stored local map; where it may write a new one is made. PTL_ERR_NOT_FOUND if there
 * is none. *out is new. */
ptl_status atlas_local(ptl_local_map **out, atlas *a, ptl_omt at, ptl_error *err);
/* Writes that map as `portolan local` prints it: its tiles, and what they are. */
ptl_status atlas_local_text(bytes *out, atlas *a, ptl_omt at, ptl_error *err);

/* ---- pane.c: a text over the map, wrapped to its width, which can be longer than the terminal
 * is high ---- */

typedef enum pane_kind {
    PANE_NONE, /* the map alone */
    PANE_HELP,
    PANE_DETAILS, /* of the tile under the cursor */
    PANE_LOCAL,   /* its local map */
    PANE_HITS     /* of the last search */
} pane_kind;

typedef struct pane {
    pane_kind kind;
    bytes text;           /* lines, safe to print */
    int32_t first;        /* line that is shown */
    int32_t lines, shown; /* that it came to when it was drawn last; that were shown of them */
} pane;

void pane_init(pane *p);
void pane_dispose(pane *p);
/* Begins an empty one of that kind. */
void pane_open(pane *p, pane_kind kind);
void pane_close(pane *p);
/* Shows it from another line on, as far as there are lines. */
void pane_scroll(pane *p, int32_t lines);
/* How many columns it takes of so many: 0 where there is none. */
int32_t pane_columns(const pane *p, int32_t columns);
/* Draws it into the `columns` at the right, lines 0 .. lines - 1. */
void pane_draw(pane *p, screen *s, int32_t left, int32_t columns, int32_t lines);

/* ---- the viewer ---- */

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
