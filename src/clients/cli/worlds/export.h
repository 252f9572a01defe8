/* What the parts of `portolan export` share. */
#ifndef CLI_WORLDS_EXPORT_H
#define CLI_WORLDS_EXPORT_H

#include "clients/cli/session/session.h"
#include "portolan/atlas.h"
#include "portolan/save.h"

/* Takes --levels or --level, and --scale, into the options of a map. */
int export_read_levels(const args *a, ptl_atlas_options *o);
/* Does `export FILE OUT --format site` of the chunks that o says. */
int export_site(session *s, const ptl_save_write_options *o);
/* Does `export FILE --into SAVE`, with the chunks and the world that o and the session say. */
int export_into(session *s, const ptl_save_write_options *o, const char *save);
/* Does `export --undo SAVE`. */
int export_undo(const args *a, const char *save);
/* Prints 'PATH', quoted for a shell. */
void export_print_path(const char *path);
/* Prints the packs that a world's content comes from, and the ids that the game may lack: to
 * standard error if the call failed by them. NULL is fine. */
void export_print_fit(const ptl_save_fit *fit, bool failed);

#endif
