/* Which local maps a command line means: --local with --omt or chunks, and --levels. */
#ifndef CLI_SESSION_LOCAL_OPTIONS_H
#define CLI_SESSION_LOCAL_OPTIONS_H

#include "clients/cli/session/session.h"

/* Rows for an option_spec table. The table also needs one named "local". */
/* clang-format off */
#define OPTIONS_LOCAL                                                                          \
    {"omt", "X0,Y0,X1,Y1...", "local maps of a rectangle of OMTs, both ends included", 0},     \
    {"levels", "Z0[,Z1]", "local maps of these levels (default: 0)", 0}
/* clang-format on */

/* A growing list of areas. */
typedef struct local_areas {
    ptl_local_area *list; /* owned */
    size_t count;
} local_areas;

void local_areas_dispose(local_areas *areas);

/* Collects the area of each --omt and of each of the chunks, on the levels of --levels.
 * Returns EXIT_DONE, or another code after a message. */
int local_areas_from_args(local_areas *out, const args *a, const chunk_list *chunks);

/* Makes and stores the local maps that are missing in the areas, with progress unless --quiet
 * is given. Returns EXIT_DONE, or EXIT_FAILED after a message; after a stop the message says
 * how many are done. */
int local_areas_store(session *s, const local_areas *areas, int32_t jobs,
                      ptl_local_generate_report *report);

/* Refuses options of local maps if --local is not given. */
int local_options_alone(const args *a);

#endif
