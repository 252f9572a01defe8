/* An answer, before it is handed to whoever asked. */
#ifndef SERVER_REPLY_H
#define SERVER_REPLY_H

#include "core/bytes.h"
#include "core/emit.h"
#include "portolan/status.h"

/* Gzip, which every browser unpacks. */

/* Appends data as gzip; level 1 (quick) to 9 (small). Equal data is equal gzip. False when
 * memory is out, or data is larger than 2 GiB. */
bool gzip_put(bytes *out, const void *data, size_t size, int level);

/* How browsers may keep it. */
typedef enum reply_keeping {
    REPLY_NOT_KEPT,
    REPLY_ASKED_FOR /* kept, and asked for again each time by its ETag */
} reply_keeping;

typedef struct reply {
    unsigned code; /* of HTTP */
    const char *type;
    reply_keeping keeping;
    bytes body;
    emitter j;         /* that writes JSON into the body */
    char etag[40];     /* with its quotes; "" for none */
    bool packed;       /* the body is gzip */
    const char *allow; /* of 405: the methods that there are; NULL: none are told */
} reply;

void reply_init(reply *r);
void reply_dispose(reply *r);
/* Makes it {"error": MESSAGE} and nothing else; printf's format. */
void reply_fail(reply *r, unsigned code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same of what a call of the library said. */
void reply_error(reply *r, const ptl_error *err);
/* Gives it the ETag of its body. */
void reply_tag(reply *r);
/* Does a list of ETags, as If-None-Match has it, name this one? NULL names none. */
bool reply_matches(const reply *r, const char *list);
/* Packs the body, where that makes it smaller. False when memory is out; it is as it was then.
 */
bool reply_pack(reply *r);

#endif
