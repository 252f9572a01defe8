/* What the files of portolan export share. */
#ifndef CLI_WORLDS_EXPORT_H
#define CLI_WORLDS_EXPORT_H

#include "clients/cli/session/session.h"
#include "portolan/atlas.h"
#include "portolan/save.h"

/* Does `export FILE --into SAVE` for the chunks that o selects, of the session's world. */
int export_into(session *s, const ptl_save_write_options *o, const char *save);
/* Does `export --undo SAVE`. */
int export_undo(const args *a, const char *save);
/* Prints the path in apostrophes, quoted for a shell. */
void export_print_path(const char *path);
/* Prints the packs of the world's content, and the ids that the game may lack. Prints to
 * standard error if the call failed because of them. fit may be NULL. */
void export_print_fit(const ptl_save_fit *fit, bool failed);

#endif
