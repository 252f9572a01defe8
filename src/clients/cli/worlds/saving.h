/* What the commands share that save as a game does: edit, note and marks. */
#pragma once

#include "clients/cli/session/session.h"
#include "portolan/save.h"

/* What is kept with an edit; read by saving_options. */
#define OPTIONS_SAVING                                                                         \
    {"author", "NAME", "who makes the edit, to be kept with it", 0},                           \
        {"turn", "N", "the game's turn, to be kept with it (default: 0)", 0},                  \
    {                                                                                          \
        "text", "TEXT", "a note, to be kept with it", 0                                        \
    }
/* Reads the options OPTIONS_SAVING. Returns EXIT_DONE, or EXIT_USAGE after a message. */
int saving_options(const args *a, ptl_save_options *out);
/* Says in a line which edit was stored, and what has become of local maps. */
void saving_say(const ptl_save_report *r);

/* Reads the second operand, an OMT: X,Y or X,Y,Z. Returns EXIT_DONE, or EXIT_USAGE after a
 * message. */
int saving_place(const args *a, ptl_omt *out);
/* Reads --rect, a rectangle of OMTs, into v; *out is v, or NULL without the option. Returns
 * EXIT_DONE, or EXIT_USAGE after a message. */
int saving_rect(const args *a, int64_t v[4], const int64_t **out);
/* Commits the save if status is PTL_OK, otherwise aborts it. Returns the status of that. */
ptl_status saving_end(ptl_save *save, ptl_status status, ptl_save_report *report,
                      ptl_error *err);
/* Ends a list of rows. If printing has failed, that has been told, or is told by the caller.
 * Returns an exit code. */
int saving_list_end(session *s, row_printer *r, ptl_status status);
