/* Files of Portolan's own that the program `portolan` can print. They are embedded when it is
 * built (embed_text.cmake): the scripts of tools/completion ("bash", "zsh", "fish") and
 * schema/tables.md ("tables"). */
#pragma once

typedef struct embedded_text {
    const char *name, *text;
} embedded_text;

/* Texts that are embedded in the program. The last row has the name NULL. */
extern const embedded_text embedded_texts[];
/* The licence notices of all that is linked or embedded, Portolan's own first (tools/licences).
 * The last row has the name NULL. */
extern const embedded_text embedded_notices[];
