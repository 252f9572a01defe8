/*
 * The channel to an editor: messages of JSON-RPC 2.0 over standard input and output. Each has a
 * header, "Content-Length: N" and an empty line, before its N bytes of JSON.
 */
#pragma once

#include "core/bytes.h"
#include "json/json_value.h"

enum {
    CHANNEL_MESSAGE_MAX = 64 << 20, /* bytes of a message; longer ones are passed over */
    CHANNEL_HEADER_MAX = 4096       /* bytes of a header */
};

typedef struct channel {
    int in, out;
    json_reader *reader;                /* borrowed */
    bool (*should_stop)(void *payload); /* called while a message can't be written yet; if it
                                           returns true, the message is given up */
    bytes input; /* bytes that were read, with the messages in them that were not handled yet */
    size_t taken; /* bytes of `input` in messages that channel_take has taken */
    size_t skip;  /* how many bytes of a message that is skipped are still to come */
    bool failed;  /* memory is out */
    bool ended;   /* the input has ended, or can't be read further */
    bool broken;  /* nobody reads what is written, or a message was given up before it was
                     written */
} channel;

typedef enum channel_got {
    CHANNEL_NOTHING, /* no whole message is there yet */
    CHANNEL_MESSAGE,
    CHANNEL_TOO_LONG, /* a message above CHANNEL_MESSAGE_MAX; it is passed over */
    CHANNEL_NOT_JSON, /* a message that is not JSON; it is passed over */
    CHANNEL_NO_MEMORY,
    CHANNEL_BAD_HEADER /* a message has no valid length, so nothing behind it can be read */
} channel_got;

/* Reads what the editor has sent. Waits at most so many milliseconds for the first byte. */
void channel_fill(channel *c, int milliseconds);
/* Takes the next message out of the bytes that were read. If there is a whole one, the caller
 * must free *out; otherwise *out is NULL. */
channel_got channel_take(channel *c, json_t **out);
/* Returns whether the input ended within a header or within a message. To be called when the
 * input has ended. */
bool channel_is_cut(const channel *c);
/* Writes a message. The function frees the message. */
void channel_put(channel *c, json_t *message);
void channel_dispose(channel *c);
