/* The tile set that the command line names, or that lies in a game's folder. */
#pragma once

#include "clients/cli/session/session.h"
#include "portolan/tileset.h"

/* Opens the tile set in a folder. If it is none but a game's own folder, a set of its gfx is
 * opened: UltimateCataclysm or Undead People, else the first by name that can be drawn. The
 * caller closes *out, which is NULL after an error. */
ptl_status tileset_find_open(ptl_tileset **out, const char *folder, ptl_error *err);
/* Opens what --tileset names; *out is NULL without --tileset. Returns EXIT_DONE, or EXIT_FAILED
 * after a message. */
int tileset_from_args(session *s, ptl_tileset **out);
