/* What the viewer's files share. */
#pragma once

#include "clients/cli/view/screen.h"
#include "clients/cli/view/viewer.h"
#include "clients/lookup/search.h"
#include "clients/lookup/why_words.h"
#include "core/bytes.h"
#include "portolan/save.h"

/* ---- atlas.c ---- */

/*
 * The data of the map: the window, which is the rectangle of OMTs that is shown, and what is
 * known of the OMT under the cursor. The file is read in its present state, even while another
 * process writes it. A cache of chunks bounds the memory. To generate, the file is opened a
 * second time, only for as long as needed.
 */
typedef struct atlas atlas;

/* *out is new: free it with atlas_close; NULL after an error. options are borrowed. */
ptl_status atlas_open(atlas **out, const viewer_options *options, ptl_error *err);
void atlas_close(atlas *a); /* a may be NULL */

/* Returns the nearest place inside the world. */
ptl_omt atlas_clamp(ptl_omt at);

/*
 * Reads the window, which is the shown rectangle of width x height OMTs; `from` is its
 * north-western OMT. Returns false with *err set if a chunk could not be read; the OMTs of that
 * chunk then look as if not saved.
 */
bool atlas_look(atlas *a, ptl_omt from, int32_t width, int32_t height, ptl_error *err);
/* Returns the oter of an OMT that is shown; PTL_OTER_NONE if the OMT is not saved. */
ptl_oter atlas_oter(const atlas *a, int32_t column, int32_t line);

typedef struct glyph {
    uint32_t symbol; /* always one column wide */
    uint8_t ink[3], paper[3];
} glyph;

/* Returns how the content shows an oter. Never NULL. */
const glyph *atlas_glyph(atlas *a, ptl_oter oter);

/* A city on the map. Its name may have any characters; it is cut after 63 bytes. */
typedef struct view_city {
    int64_t x, y; /* of its middle, as an absolute OMT */
    int32_t radius;
    char name[64];
} view_city;

/* Returns how many cities with names the shown chunks have, and gives them, borrowed until the
 * next call; the caller may sort them. */
size_t atlas_cities(view_city **out, atlas *a);
/* Returns whether the world has no saved chunk at all. */
bool atlas_is_empty(atlas *a);

/* Drops what was read, so that changes by other processes are seen. */
void atlas_refresh(atlas *a);
/* Closes the file that is open for writing if it was not used for some seconds. The viewer
 * calls this repeatedly while nothing happens. */
void atlas_idle(atlas *a);

/* ---- calls that may take seconds ---- */

ptl_status atlas_search(search_result **out, atlas *a, const search_options *options,
                        ptl_error *err);
/* Generates and saves the chunk. Returns PTL_ERR_READONLY without --write. */
ptl_status atlas_generate(atlas *a, ptl_chunk_pos pos, ptl_error *err);
/* Loads the stored local map; with --write a missing one is made and stored. Returns
 * PTL_ERR_NOT_FOUND if there is none. *out is new. */
ptl_status atlas_local(ptl_local_map **out, atlas *a, ptl_omt at, ptl_error *err);
/* Stores a save, which `fill` fills. PTL_ERR_READONLY without --write. */
ptl_status atlas_save(ptl_save_report *report, atlas *a, const ptl_save_options *options,
                      ptl_status (*fill)(void *payload, ptl_save *save, ptl_error *err),
                      void *payload, ptl_error *err);
/* Gives the world as it is read, borrowed until the next call for the atlas. */
ptl_status atlas_reader(ptl_world **out, atlas *a, ptl_error *err);
/* Appends the stored local map as `portolan local` prints it, with colours and a legend. */
ptl_status atlas_local_text(bytes *out, atlas *a, ptl_omt at, ptl_error *err);

/* ---- a text over the map, wrapped and scrolled ---- */

typedef enum pane_kind {
    PANE_NONE, /* only the map is shown */
    PANE_HELP,
    PANE_DETAILS, /* details of the OMT under the cursor */
    PANE_LOCAL,   /* the local map of the OMT under the cursor */
    PANE_HITS     /* hits of the last search */
} pane_kind;

/* How a tile of a local map looks. */
typedef struct pane_tile {
    uint32_t symbol; /* 0: there is no tile */
    pen pen;
} pane_tile;

typedef struct pane {
    pane_kind kind;
    bytes text;    /* lines that are safe to print, not wrapped yet */
    int32_t first; /* first line that is shown */
    /* How many lines the wrapped text had when it was last drawn, and how many of these were
     * shown. */
    int32_t lines, shown;
    /* For PANE_LOCAL: the tiles of the map, whose lines begin after the first empty line. */
    pane_tile tiles[PTL_LOCAL_SIDE][PTL_LOCAL_SIDE];
} pane;

/* ---- the viewer ---- */

enum { MESSAGE_SIZE = 640, HITS_ALL = 3 * SEARCH_HITS };

/* A line that the user is typing at the bottom of the screen. */
typedef struct prompt {
    /* '/' (search), 'g' (go to), 'e' (the terrain to set) or 'w' (a note); 0: nothing is
     * typed. */
    char kind;
    char text[WISH_SIZE];
    size_t size;
} prompt;

/* The last search and its hits. */
typedef struct finds {
    char words[WISH_SIZE];
    search_result *result; /* owned; NULL: no search yet */
    struct {
        const search_hit *hit; /* borrowed from `result` */
        const char *kind;      /* "city", "special", "terrain" */
    } hits[HITS_ALL];          /* sorted by distance */
    size_t count, now; /* `count`: how many hits there are; `now`: index of the hit on which the
                          cursor stands */
} finds;

/* What a note has beside its text, while the user changes the text. */
typedef struct own_note {
    bool is_there, is_long; /* the note exists; its text is too long for the prompt */
    char symbol[PTL_NOTE_LOOK_SIZE + 1], colour[PTL_NOTE_LOOK_SIZE + 1];
    int32_t radius;
    bool dangerous;
    int64_t seen; /* the revision of notes at which it was read */
} own_note;

typedef struct viewer {
    const viewer_options *options;
    screen *screen;
    atlas *atlas;
    ptl_omt at, home;
    int32_t columns, lines;         /* size of the screen */
    int32_t map_columns, map_lines; /* columns and lines of the screen that the map takes */
    pane pane;
    prompt prompt;
    finds finds;
    char terrain[WISH_SIZE]; /* the oter that was set last; "": none */
    int64_t *edits;          /* owned; numbers of the edits made here and not taken back */
    size_t edit_count, edit_room;
    own_note note;
    bytes notes_here; /* what the notes under the cursor say, since the map was drawn */
    char message[MESSAGE_SIZE]; /* shown at the bottom of the screen; "": none */
    bool over;
} viewer;

/* ---- screen.c ---- */

/* Draws the whole screen. */
void draw_all(viewer *v);
/* Returns the cell of the screen at which the map's cursor stands. */
void draw_cursor(const viewer *v, int32_t *line, int32_t *column);

/* Draws a mark over an OMT of the map. */
void draw_mark(viewer *v, int32_t line, int32_t column, uint32_t symbol);

/* ---- changes.c ---- */

/* Asks for the terrain to set under the cursor ('e') or for a note there ('w'). */
void change_ask(viewer *v, char kind);
/* Does what was typed into the prompt of change_ask. */
void change_take(viewer *v, const prompt *typed);
/* Sets the terrain under the cursor to the one that was set last. */
void change_again(viewer *v);
/* Takes back the last edit that was made here. */
void change_undo(viewer *v);
/* Draws the notes on the map, and fills notes_here. `from` is the map's north-western OMT. */
void draw_notes(viewer *v, ptl_omt from);

/* ---- atlas.c: lines that are safe to print ---- */

/* Appends the terrain, special or building under the cursor. */
void words_what(viewer *v, bytes *out);
/* Appends where the cursor is: as an absolute OMT, in the game's form (overmap'OMT), and with
 * the nearest city of the chunk. */
void words_place(viewer *v, bytes *out);
/* Appends all that is known of the OMT under the cursor, and why its special is there. */
void words_details(viewer *v, bytes *out);
void words_help(const viewer *v, bytes *out);

/* ---- names.c ---- */

/* Draws the names of cities over the map, if it is that of the ground: of large cities first,
 * where there is room. `from` is the north-western OMT of the map. */
void draw_names(viewer *v, ptl_omt from);
/* Returns how many columns a text takes as screen_text shows it. */
int32_t words_columns(const char *text);
/* Makes words fit into so many columns: cuts them, with ".." at the end, or before a " | " if
 * only little of the part behind it would be left. */
void words_fit(bytes *words, int32_t columns);
/* Appends what a level is called: "ground", "first basement", "first floor". */
void words_level(bytes *out, int32_t z);

/* ---- local_pane.c ---- */

/* Opens the pane with the local map of the OMT under the cursor, or says why there is none. */
void local_open(viewer *v);

/* ---- viewer.c ---- */

/* Opens the pane with an empty text, which the caller fills. */
void pane_open(pane *p, pane_kind kind);

/* Shows a message at the bottom of the screen. */
void say(viewer *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
