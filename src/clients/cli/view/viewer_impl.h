/* What the viewer's files share. */
#ifndef CLI_VIEW_VIEWER_IMPL_H
#define CLI_VIEW_VIEWER_IMPL_H

#include "clients/cli/content/why_words.h"
#include "clients/cli/view/screen.h"
#include "clients/cli/view/viewer.h"
#include "clients/lookup/search.h"
#include "core/bytes.h"

/* ---- atlas.c ---- */

/*
 * What the map shows: a window of OMTs, and what is known of the one under the cursor.
 * The file is read in its present state, even while another process writes it. A cache
 * of chunks bounds the memory. To generate, the file is opened a second time, only for
 * as long as needed.
 */
typedef struct atlas atlas;

/* *out is new: free it with atlas_close; NULL after an error. options are borrowed. */
ptl_status atlas_open(atlas **out, const viewer_options *options, ptl_error *err);
void atlas_close(atlas *a); /* a may be NULL */

const ptl_world *atlas_world(const atlas *a);
/* Is a private copy of the file read, which later changes of the file do not reach? */
bool atlas_is_copy(const atlas *a);

/* Returns the nearest place inside the world. */
ptl_omt atlas_clamp(ptl_omt at);

/*
 * Reads the window of width x height OMTs whose north-western one is `from`. Returns false
 * with *err set if a chunk could not be read; its OMTs then look as if not saved.
 */
bool atlas_look(atlas *a, ptl_omt from, int32_t width, int32_t height, ptl_error *err);
/* Returns an OMT of the window; PTL_OTER_NONE if it is not saved. */
ptl_oter atlas_oter(const atlas *a, int32_t column, int32_t line);

typedef struct glyph {
    uint32_t symbol; /* always one column wide */
    uint8_t ink[3], paper[3];
} glyph;

/* Returns how the content shows an oter. Never NULL. */
const glyph *atlas_glyph(atlas *a, ptl_oter oter);

/* Returns a chunk's features; NULL if it is not saved or can't be read. Borrowed
 * until the next call. */
const ptl_features *atlas_features(atlas *a, ptl_chunk_pos pos);

/* Drops what was read, so that changes by other processes are seen. */
void atlas_refresh(atlas *a);
/* Is called repeatedly while nothing happens: closes a writer that was not used
 * for some seconds. */
void atlas_idle(atlas *a);

/* ---- what takes longer ---- */

ptl_status atlas_search(search_result **out, atlas *a, const search_options *options,
                        ptl_error *err);
ptl_status atlas_why(ptl_why *out, atlas *a, const char *special, ptl_chunk_pos pos,
                     ptl_error *err);
/* Generates and saves the chunk. Returns PTL_ERR_READONLY without --write. */
ptl_status atlas_generate(atlas *a, ptl_chunk_pos pos, ptl_error *err);
/* Loads the stored local map; with --write a missing one is made and stored. Returns
 * PTL_ERR_NOT_FOUND if there is none. *out is new. */
ptl_status atlas_local(ptl_local_map **out, atlas *a, ptl_omt at, ptl_error *err);
/* Appends the stored local map as `portolan local` prints it, with a legend. */
ptl_status atlas_local_text(bytes *out, atlas *a, ptl_omt at, ptl_error *err);

/* ---- viewer.c: a text over the map, wrapped and scrolled ---- */

typedef enum pane_kind {
    PANE_NONE, /* only the map is shown */
    PANE_HELP,
    PANE_DETAILS, /* of the OMT under the cursor */
    PANE_LOCAL,   /* the local map of that OMT */
    PANE_HITS     /* hits of the last search */
} pane_kind;

typedef struct pane {
    pane_kind kind;
    bytes text;           /* lines that are safe to print, not wrapped yet */
    int32_t first;        /* first line that is shown */
    int32_t lines, shown; /* when last drawn: all wrapped lines, and those shown */
} pane;

/* Opens the pane with an empty text, which the caller fills. */
void pane_open(pane *p, pane_kind kind);
/* Returns how many of the screen's columns the pane takes; 0 if none is open. */
int32_t pane_columns(const pane *p, int32_t columns);
/* Draws the pane from the column `left` on, `columns` wide and `lines` high. */
void pane_draw(pane *p, screen *s, int32_t left, int32_t columns, int32_t lines);

/* ---- the viewer ---- */

enum { MESSAGE_SIZE = 640, HITS_ALL = 3 * SEARCH_HITS };

/* A line that the user is typing at the foot. */
typedef struct prompt {
    char kind; /* '/' (search) or 'g' (go to); 0: nothing is typed */
    char text[WISH_SIZE];
    size_t size;
} prompt;

/* The last search and its hits. */
typedef struct finds {
    char words[WISH_SIZE];
    search_result *result; /* owned; NULL: no search yet */
    struct {
        const search_hit *hit; /* borrowed from result */
        const char *kind;      /* "city", "special", "terrain" */
    } hits[HITS_ALL];          /* sorted by distance */
    size_t count, now;         /* `now`: hit under the cursor */
} finds;

typedef struct viewer {
    const viewer_options *options;
    screen *screen;
    atlas *atlas;
    ptl_omt at, home;
    int32_t columns, lines;         /* of the screen */
    int32_t map_columns, map_lines; /* of the map, which the pane and the foot leave */
    pane pane;
    prompt prompt;
    finds finds;
    char message[MESSAGE_SIZE]; /* shown at the foot; "": none */
    bool over;
} viewer;

/* ---- screen.c ---- */

/* Draws the whole screen. */
void draw_all(viewer *v);
/* Returns the cell of the map's cursor. */
void draw_cursor(const viewer *v, int32_t *line, int32_t *column);

/* ---- words.c: lines that are safe to print ---- */

/* Appends what is under the cursor: terrain, special or building. */
void words_what(viewer *v, bytes *out);
/* Appends where the cursor is: absolute, in the game's form, and the nearest
 * city of the chunk. */
void words_place(viewer *v, bytes *out);
/* Appends all that is known of the OMT under the cursor, and why its special is there. */
void words_details(viewer *v, bytes *out);
void words_help(const viewer *v, bytes *out);

/* ---- find.c ---- */

/* Searches the whole world and goes to the hit nearest to the cursor. "" repeats
 * the previous words. */
void find_start(viewer *v, const char *words);
/* Goes to the next hit (1) or the previous one (-1). */
void find_step(viewer *v, int step);
void find_list(viewer *v);
/* Reads X,Y or X,Y,Z, each also in the game's form (overmap'OMT). Returns false
 * if it is no place. */
bool find_place(const viewer *v, const char *text, ptl_omt *out);

/* ---- viewer.c ---- */

void say(viewer *v, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
