/* An HTTP reply while it is being made. */
#pragma once

#include "core/bytes.h"
#include "core/emit.h"
#include "portolan/status.h"

/* Appends data, packed by gzip, with a level from 1 (fast) to 9 (small). Equal data gives
 * equal bytes. Returns false when memory is out, or data is larger than 2 GiB. */
bool gzip_put(bytes *out, const void *data, size_t size, int level);

/* Appends a PNG, with a chunk (pHYs) after its header that says that it has 300 dots an inch.
 */
void png_put_with_dots(bytes *out, const bytes *png);

typedef struct reply {
    unsigned code; /* HTTP status */
    const char *type;
    bytes body;
    emitter j; /* writes JSON into the body */
    /* The reply's ETag, with its quotation marks. With an ETag browsers may keep the reply, but
     * they ask each time whether it is still valid. "": browsers may not keep it. */
    char etag[40];
    bool packed;       /* the body is gzip */
    const char *allow; /* the allowed methods, if code is 405; else NULL */
    bool is_page;      /* the body is the page, which needs all of its modules */
} reply;

/* Makes an empty reply of JSON with status 200. */
void reply_init(reply *r);
/* Replaces the body by {"error": MESSAGE}; format as in printf. The reply is not kept by
 * browsers. */
void reply_fail(reply *r, unsigned code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Replaces the body by {"error": MESSAGE} with the message of a library error, and sets the
 * HTTP status that fits that error. The reply is not kept by browsers. */
void reply_error(reply *r, const ptl_error *err);
/* Sets the ETag, a checksum of the body. Browsers may then keep the reply. */
void reply_tag(reply *r);
/* Packs the body by gzip if that makes it smaller. Returns false when memory is out; the body
 * is unchanged then. */
bool reply_pack(reply *r);
