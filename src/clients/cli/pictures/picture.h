/* Pictures into files, and what commands that draw have in common. */
#ifndef CLI_PICTURES_PICTURE_H
#define CLI_PICTURES_PICTURE_H

#include "clients/cli/session/out_file.h"
#include "clients/cli/session/session.h"
#include "portolan/render.h"

/* Is --color wanted: auto, always or never? EXIT_DONE, or a message. */
int color_from_args(const args *a, bool *out);

/* Takes --tide TURN[..TURN], from `least` on; out stays as it is without one. Several turns are
 * an animation, which wants --png. EXIT_DONE, or a message. */
int tide_from_args(const args *a, int64_t least, int64_t out[2]);

/* Refuses a name of the option that says another format than PNG, which would lie. Devices and
 * pipes have any name. */
int picture_path_check(const args *a, const char *option);

/* Closes the file that a picture was drawn into, with what the drawing returned. EXIT_DONE, or
 * a message. */
int picture_end(session *s, out_file *file, ptl_status status);
/* Draws the session's world into a file, with progress of what takes longer than a second.
 * EXIT_DONE, or a message. */
int picture_write(session *s, const char *path, const ptl_render_options *wanted);

#endif
