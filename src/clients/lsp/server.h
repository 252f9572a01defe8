/* What the files of the language server share: the server's state, and functions for answers.
 */
#pragma once

#include "clients/lsp/channel.h"
#include "clients/lsp/documents.h"
#include "clients/lsp/lsp.h"

/* Codes of errors in answers to the editor, which JSON-RPC and LSP prescribe. */
enum {
    RPC_PARSE_ERROR = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_UNKNOWN_METHOD = -32601,
    RPC_INVALID_PARAMS = -32602,
    RPC_INTERNAL_ERROR = -32603,
    RPC_NOT_INITIALIZED = -32002,
    RPC_CANCELLED = -32800
};

/* The content that is checked, and what checks have found in it. */
typedef struct checker {
    ptl_sources *sources; /* owned; texts of files that earlier imports have read, so that only
                             changed files are read */
    char **directories;   /* owned array of owned paths; absolute */
    size_t directory_count, directory_room;
    char *game; /* owned; absolute path of the game's own directory; NULL: none */
    char *save; /* owned; absolute path of the save whose mods are read; NULL: none */
    /* Owned; what the present check has found: an object with a list of remarks for each file,
     * whose path is the key. A remark is [severity, line, column, message, code, id, pack]. */
    json_t *found;
    json_t *sent;    /* owned; the remarks that the editor has: an object with a list for each
                        file, whose path is the key */
    bool has_pack;   /* the content of the present check has the pack lsp_options.pack */
    bool is_due;     /* texts have changed since the last whole check */
    bool had_whole;  /* a whole check has ended */
    double changed;  /* time of the last change of a text */
    double first;    /* time of the first change of a text since the last whole check */
    int broken_off;  /* checks in a row that were broken off */
    json_t *waiting; /* owned list of ids of the requests that are answered when all texts were
                        checked */
    json_t *shown;   /* owned; the message that the last check showed; NULL: none */
} checker;

typedef struct server {
    const lsp_options *options;
    channel channel;
    documents documents;
    checker checker;
    json_reader *reader; /* owned */
    json_t *queue;       /* owned list of messages that were read and not handled yet */
    size_t next;         /* index of the first message in `queue` that was not handled */
    size_t queued;       /* bytes of the messages in the queue, handled ones among them */
    bool utf8; /* a place in a line is counted in bytes of UTF-8, not in units of UTF-16; the
                  editor chooses */
    bool initialized, shut, may_watch;
    bool failed;     /* memory is out */
    bool misasked;   /* the parameters of the present request are wrong */
    ptl_error err;   /* of the last call about places */
    ptl_error wrong; /* why the present request can't be answered; its status is PTL_OK: it can
                      */
    bool done;       /* the editor said `exit` */
    const char *bad; /* why the editor's messages can't be read further; NULL: they can */
} server;

/* ---- server.c ---- */

/* Reads the messages that have come, and puts them into the queue. Waits for one at most so
 * many milliseconds. Reads nothing while the queue is full. */
void server_hear(server *s, int milliseconds);
/* Reads members of a value as Jansson's json_unpack does. Returns false if they are missing or
 * of another type, or if memory is out: then s->failed is set. */
bool server_unpack(server *s, json_t *from, const char *format, ...);
/* Send an answer to the request `id`. `result` and `id` are freed. */
void server_answer(server *s, json_t *id, json_t *result);
void server_refuse(server *s, json_t *id, int code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void server_notify(server *s, const char *method, json_t *params);
/* Shows the user a message: an error, or a warning. */
void server_show(server *s, bool is_error, const char *message);

/* ---- check.c: checks the texts, and sends what is found ---- */

/* Must be called after a text was opened, changed or closed, so that a check becomes due. */
void check_changed(server *s);
/* Returns in how many milliseconds the next check is due; -1: none is. */
int check_wait(const server *s);
/* Checks all texts and sends the remarks, unless it is broken off. */
void check_run(server *s);
/* Runs a check to its end, even if messages arrive meanwhile. */
void check_whole(server *s);
/* Takes the options for imports: the game's own directory, and a save; false: memory is out. */
bool check_take_game(server *s, const ptl_import_options *import);
bool check_add_directory(server *s, const char *path); /* false: memory is out */
void check_dispose(checker *c);

/* ---- answers.c: requests about places and ids ---- */

typedef json_t *answer_function(server *s, json_t *params);
/* Returns the function that answers a method; NULL if there is none. The function returns NULL
 * if the parameters are wrong. */
answer_function *answer_for(const char *method);

/* Returns the part of a text from the place a to the place b, in the form that LSP prescribes
 * for a range. */
json_t *lsp_range_of(text_place a, text_place b);
/* Returns a part of a text in the form that LSP prescribes for a range. `start` and `end` are
 * offsets in the text. */
json_t *lsp_range(const server *s, const char *text, size_t size, size_t start, size_t end);
/* Returns the text of a path: that of the editor, or of the last check; NULL: there is none. */
const char *lsp_text_of(const server *s, const char *path, size_t *size);
/* Returns the offset at which the word, or the string in quotation marks, that begins at
 * `start` ends. */
size_t lsp_word_end(const char *text, size_t size, size_t start);
