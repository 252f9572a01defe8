/* The files of tools/completion, embedded at build time (embed_text.cmake). */
#ifndef CLI_COMPLETION_SCRIPTS_H
#define CLI_COMPLETION_SCRIPTS_H

typedef struct completion_script {
    const char *shell, *text;
} completion_script;

/* Ends with a NULL. */
extern const completion_script completion_scripts[];

#endif
