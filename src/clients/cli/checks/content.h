/*
 * The content that a content tool works on (lint, coverage and others). The command line names
 * either a Portolan world file, which has its content, or folders and .json files of content,
 * --builtin or --game. Content of folders is imported into a store in memory.
 */
#pragma once

#include "clients/cli/content/import.h"

/* The options that all commands have which check content, as rows of their tables of options
 * (option_spec). The operands of these commands are "[FILE] [DIR...]". */
/* clang-format off */
#define OPTIONS_CONTENT                                                                        \
    {"builtin", NULL, "Portolan's own pack comes first", 0},                                   \
    {"game", "DIR", "a game's own directory: its core, content and names come first", 0},      \
    {"mods", "A,B,...", "the ids of mods of the game; mods that they need come too", 0},        \
    {"save", "SAVE", "the mods of a saved world; SAVE is the folder of that world", 0},    \
    {"pack", "NAME", "only what is in that pack (a mod's id)", 0}
/* A text for command.operand_help, which the man page prints: what the operands FILE and DIR
 * are. */
#define CONTENT_OPERAND_HELP                                                                   \
    "FILE  A world file, whose content is taken; it is only read.\n"                           \
    "DIR  In place of FILE: folders of content, or .json files, the base first.\n"
/* clang-format on */

/* A pack of the content. */
typedef struct content_pack {
    const char *id, *directory; /* both texts are in content.memory; a directory of "" stands
                                   for Portolan's own pack */
    bool is_base;               /* the pack was imported only because other packs build on it */
} content_pack;

/* How much of the content a command needs. */
typedef enum content_need {
    CONTENT_REMARKS, /* only the remarks of the import; content of folders is not stored */
    CONTENT_STORE,   /* the session opens a store with the content: the world file, or one in
                        memory, out of which objects with errors are left */
    CONTENT_QUICK /* as CONTENT_STORE, in less time: content of folders has no digest, and some
                     remarks that are no errors are missing */
} content_need;

typedef struct content {
    session *session;
    /* Borrowed; set before content_open. What earlier imports have kept of the files: NULL for
     * a command that imports once. */
    ptl_sources *sources;
    content_named named; /* folders and options; empty if the operand is a world file */
    bool is_file;        /* the operand is a world file */
    /* The remarks of the import. For CONTENT_REMARKS they are those of a strict import. For
     * CONTENT_STORE folders are imported leniently: an error that only leads to an object being
     * left out is a warning. */
    import_issues issues;
    ptl_import_report report; /* counts of the import; zeros if the operand is a world file */
    const char *pack;         /* the value of --pack, which is the id of a pack; NULL: all */
    content_pack *packs;      /* owned; in the order of the import */
    size_t pack_count, pack_room;
    arena *memory; /* owned */
    bool failed;   /* memory was out in a callback */
} content;

/*
 * Reads the command line, and opens or imports the content, with progress. With
 * CONTENT_REMARKS this succeeds even if the content has errors. With CONTENT_STORE objects with
 * errors are left out, and it fails if the content can't be imported without them. Returns
 * EXIT_DONE; or EXIT_USAGE or EXIT_FAILED after a message. The content must not move; close it
 * in any case.
 */
int content_open(content *out, session *s, content_need need);
/* Opens a world with the content that content_open has put into the session's file. If the
 * operand is a world file, it is the world that --world names. Otherwise it is a new world
 * without chunks, with the seed 1. Returns EXIT_DONE, or another code after a message. */
int content_world(content *c);
/* Closes the session's file, and removes it if it is temporary. */
void content_close(content *c);

/* Returns the id of the pack that the file belongs to; "" if it belongs to none. */
const char *content_pack_of(const content *c, const char *file);
/* Returns the directory that contains the file: that of a pack, or one that the command line
 * names. If several contain the file, the innermost one. If none does, "". */
const char *content_root_of(const content *c, const char *file);
