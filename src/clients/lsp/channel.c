#include "clients/lsp/channel.h"

#include "clients/os/pipe.h"
#include "json/json_value.h"

#include <stdlib.h>

enum { READ_STEP = 1 << 16, WRITE_PATIENCE = 200 };

/* Reads from the input once, or notes that the input has ended. */
static void read_some(channel *c)
{
    if (c->taken > 0 && c->taken >= c->input.size / 2) {
        memmove(c->input.data, c->input.data + c->taken, c->input.size - c->taken);
        c->input.size -= c->taken;
        c->taken = 0;
    }
    if (!bytes_reserve(&c->input, READ_STEP)) {
        c->ended = c->failed = true;
        return;
    }
    const ptrdiff_t got = pipe_read(c->in, c->input.data + c->input.size, READ_STEP);
    c->ended = got <= 0;
    c->input.size += got > 0 ? (size_t)got : 0;
}

void channel_fill(channel *c, int milliseconds)
{
    /* Nothing more is read while more bytes than the longest message has wait to be handled. */
    while (!c->ended && c->input.size - c->taken < CHANNEL_MESSAGE_MAX + CHANNEL_HEADER_MAX &&
           (pipe_wait(c->in, -1, milliseconds) & PIPE_IN)) {
        read_some(c);
        milliseconds = 0;
    }
}

/* Reads a line of a header, which ends with \r\n. If the line gives the length of the message,
 * sets *length and *has. Returns false if such a line has no valid number. */
static bool read_length(const char *line, size_t span, bool *has, size_t *length)
{
    static const char name[] = "content-length:";
    const size_t size = sizeof name - 1;
    size_t i = 0;
    while (i < size && i < span && (line[i] | 0x20) == (name[i] | 0x20))
        i++;
    if (i < size)
        return true;
    while (i < span && line[i] == ' ')
        i++;
    const size_t first = i;
    size_t n = 0;
    for (; i < span && line[i] >= '0' && line[i] <= '9'; i++)
        n = n > SIZE_MAX / 20 ? SIZE_MAX / 2 : 10 * n + (size_t)(line[i] - '0');
    *length = n;
    *has = true;
    return i > first && i == span - 2;
}

/* Reads the header that begins at `at`. Returns the number of its bytes; 0 if it is not whole
 * yet, and SIZE_MAX if it is wrong. */
static size_t read_header(const char *at, size_t size, size_t *length)
{
    bool has = false;
    for (size_t line = 0;;) {
        const char *end = memchr(at + line, '\n', size - line);
        if (!end)
            return size > CHANNEL_HEADER_MAX ? SIZE_MAX : 0;
        const size_t next = (size_t)(end - at) + 1, span = next - line;
        if (next > CHANNEL_HEADER_MAX || span < 2 || end[-1] != '\r')
            return SIZE_MAX;
        if (span == 2)
            return has ? next : SIZE_MAX;
        if (!read_length(at + line, span, &has, length))
            return SIZE_MAX;
        line = next;
    }
}

channel_got channel_take(channel *c, json_t **out)
{
    *out = NULL;
    size_t left = c->input.size - c->taken;
    const size_t skipped = c->skip < left ? c->skip : left;
    c->skip -= skipped;
    c->taken += skipped;
    left -= skipped;
    if (left == 0)
        return CHANNEL_NOTHING;
    const char *at = (const char *)c->input.data + c->taken;
    size_t length = 0;
    const size_t header = read_header(at, left, &length);
    if (header == 0)
        return CHANNEL_NOTHING;
    if (header == SIZE_MAX) {
        c->ended = true;
        return CHANNEL_BAD_HEADER;
    }
    if (length > CHANNEL_MESSAGE_MAX) {
        c->taken += header;
        c->skip = length;
        return CHANNEL_TOO_LONG;
    }
    if (left - header < length)
        return CHANNEL_NOTHING;
    c->taken += header + length;
    /* json_value_read needs a NUL somewhere after the message. It does not matter that further
     * messages may stand before the NUL, because the length is given. */
    if (!bytes_text(&c->input))
        return CHANNEL_NO_MEMORY;
    at = (const char *)c->input.data + c->taken - length;
    json_fault fault = {.kind = JSON_SOUND};
    *out = json_value_read(c->reader, at, length, &fault);
    if (!*out && fault.kind == JSON_NO_MEMORY)
        return CHANNEL_NO_MEMORY;
    return *out ? CHANNEL_MESSAGE : CHANNEL_NOT_JSON;
}

bool channel_is_cut(const channel *c)
{
    return c->taken < c->input.size || c->skip > 0;
}

static void write_all(channel *c, const char *from, size_t size)
{
    while (size > 0 && !c->broken) {
        const bool takes = !c->ended && c->input.size - c->taken < CHANNEL_MESSAGE_MAX;
        const unsigned ready = pipe_wait(takes ? c->in : -1, c->out, WRITE_PATIENCE);
        /* While this message waits, reads what the editor writes: until that is read, the
         * editor may not read either. */
        if (ready & PIPE_IN)
            read_some(c);
        const ptrdiff_t put = ready & PIPE_OUT ? pipe_write(c->out, from, size) : 0;
        c->broken = put < 0 || (ready == 0 && c->should_stop(NULL));
        from += put > 0 ? put : 0;
        size -= put > 0 ? (size_t)put : 0;
    }
}

void channel_put(channel *c, json_t *message)
{
    bytes text = {.size = 0};
    char header[64];
    if (message)
        json_put(&text, message);
    if (message && !text.failed) {
        const int size =
            snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", text.size);
        write_all(c, header, (size_t)size);
        write_all(c, (const char *)text.data, text.size);
    }
    c->failed = c->failed || !message || text.failed;
    bytes_dispose(&text);
    json_decref(message);
}

void channel_dispose(channel *c)
{
    bytes_dispose(&c->input);
}
