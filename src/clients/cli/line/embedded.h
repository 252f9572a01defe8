/* Files of ours that the command prints, embedded at build time (embed_text.cmake): the scripts
 * of tools/completion ("bash", "zsh", "fish") and schema/tables.md ("tables"). */
#ifndef CLI_LINE_EMBEDDED_H
#define CLI_LINE_EMBEDDED_H

typedef struct embedded_text {
    const char *name, *text;
} embedded_text;

/* Ends with a NULL. */
extern const embedded_text embedded_texts[];
/* The notices of what is linked or embedded, Portolan's own first (tools/licences). */
extern const embedded_text embedded_notices[];

#endif
