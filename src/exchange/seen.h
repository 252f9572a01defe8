/*
 * What characters have seen of overmaps: files CHARACTER.seen.X.Y of a save, or files
 * .seen.X.Y in the database of a character. seen.c reads them, for all that need them;
 * seen_import.c makes marks and notes of a viewer from them, and seen_export.c the texts of
 * such files from marks and notes.
 */
#pragma once

#include "exchange/save_json.h"
#include "portolan/save.h"

enum {
    SEEN_PATH = 16,     /* added to a cell on which the character has walked */
    SEEN_LEVEL_MASK = 7 /* the bits of a cell that are its ptl_seen */
};

/* A kind of marks that the games' saves have, too: the cells whose bits `mask` are `value`. */
typedef struct seen_kind {
    int32_t kind;
    uint8_t mask, value;
} seen_kind;

enum { SEEN_KINDS = 6 };
extern const seen_kind seen_kinds[SEEN_KINDS];

/* A file that is being read. It must not move while it is open. */
typedef struct seen_file {
    char *path;     /* owned; for messages, and where the file lies if it is in no database */
    char *database; /* owned; path of the character's database; NULL: there is none */
    char *text;     /* owned */
    save_reader reader;
    save_json json; /* owned */
} seen_file;

/* Opens the file that says what a character has seen of an overmap, and parses it. `save` is
 * the save's folder. PTL_ERR_NOT_FOUND: there is no such file. seen_file_close must be called
 * in any case. */
ptl_status seen_file_open(seen_file *out, const char *save, const char *character,
                          ptl_chunk_pos chunk, ptl_error *err);
void seen_file_close(seen_file *f);

/* Reads a level: each cell becomes its ptl_seen, plus PTL_SEEN_MARKED and SEEN_PATH. */
ptl_status seen_file_level(seen_file *f, int32_t z, uint8_t cells[PTL_LEVEL_CELLS]);

/* A note of a character. */
typedef struct seen_note {
    int32_t x, y;     /* of the OMT in its overmap */
    const char *text; /* borrowed for the call */
    bool dangerous;
    int32_t radius;
} seen_note;

typedef struct seen_note_visit {
    ptl_status (*on_note)(void *payload, const seen_note *note, ptl_error *err);
    void *payload;
} seen_note_visit;

/* Calls visit->on_note for each note of a level; an error that it returns ends the call. */
ptl_status seen_file_notes(seen_file *f, int32_t z, const seen_note_visit *visit);

/* Counts the extras (map extras that the character knows of), which are not kept. */
ptl_status seen_file_extras(seen_file *f, uint64_t *out);

/* Gets the name of a character from what names the character's files, which is the name in
 * base64, mostly after '#'. If it is not such a text, the name is that text itself. False: the
 * name has more than PTL_VIEWER_SIZE bytes. */
bool seen_character_name(char out[PTL_VIEWER_SIZE + 1], const char *character);

/* ---- seen_import.c ---- */

/* What is to be imported: a list of the files, with their viewers. */
typedef struct seen_list seen_list;

/* Lists the files that the options ask for. PTL_ERR_ARGUMENT: the options' viewer does not fit
 * the characters of the save. PTL_ERR_NOT_FOUND: the character that the options name has no
 * file. seen_list_free must be called in any case; it accepts NULL. */
ptl_status seen_list_read(seen_list **out, const ptl_game_save_import_options *options,
                          ptl_error *err);
size_t seen_list_count(const seen_list *list);
void seen_list_free(seen_list *list);

/* Writes marks and notes for all files of the list, in the caller's transaction, and counts
 * them in the report. */
ptl_status seen_import(const seen_list *list, ptl_world *world, const char *save,
                       ptl_game_save_import_report *report, ptl_error *err);

/* ---- seen_export.c ---- */

/* What is exported: all that a viewer of a world knows. Everything is borrowed. */
typedef struct seen_source {
    ptl_world *world;
    const char *viewer;
    const int32_t *rect; /* {x0, y0, x1, y1}, chunks, both ends included; NULL: all */
    int version;         /* a version of saves that save_version_of knows */
} seen_source;

/* Is called for each overmap of which the viewer knows something, with the text of its file and
 * the number of its notes. */
typedef struct seen_text_visit {
    ptl_status (*on_text)(void *payload, ptl_chunk_pos pos, const bytes *text, uint64_t notes,
                          ptl_error *err);
    void *payload;
} seen_text_visit;

/* Makes the texts, all of one moment. PTL_ERR_NOT_FOUND: the viewer has no marks and no notes
 * there. */
ptl_status seen_export(const seen_source *source, const seen_text_visit *visit, ptl_error *err);
