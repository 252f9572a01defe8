/*
 * What the language server reads itself (src/clients/lsp/): messages with their headers, and
 * edits of a text. The first byte of an input says in pieces of how many bytes the rest comes.
 * A message is the same in whatever pieces it came. One that is a string is a new text; one
 * that is a list [LINE, UNIT, LINE, UNIT, TEXT] is an edit, whose result a second way of
 * counting lines and units must have, too; a further element tells that units are bytes.
 */
#include "clients/lsp/channel.h"
#include "clients/lsp/documents.h"
#include "core/utf8.h"
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char uri[] = "file:///fuzz/a.json";

/* ---- messages ---- */

typedef struct reading {
    channel channel;
    int to; /* the pipe's other end */
    const uint8_t *data;
    size_t size, step;
} reading;

static bool stop(void *payload)
{
    (void)payload;
    return false;
}

static bool begin(reading *r, json_reader *reader, const uint8_t *data, size_t size,
                  size_t step)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    *r = (reading){.channel = {.in = ends[0], .out = -1, .reader = reader, .should_stop = stop},
                   .to = ends[1],
                   .data = data,
                   .size = size,
                   .step = step};
    return true;
}

static void end(reading *r)
{
    close(r->channel.in);
    if (r->to >= 0)
        close(r->to);
    channel_dispose(&r->channel);
}

/* Returns what comes next: CHANNEL_NOTHING at the end. */
static channel_got next(reading *r, json_t **message)
{
    for (;;) {
        const channel_got got = channel_take(&r->channel, message);
        if (got != CHANNEL_NOTHING || r->channel.ended)
            return got;
        const size_t size = r->size < r->step ? r->size : r->step;
        if (size > 0)
            fuzz_check(write(r->to, r->data, size) == (ptrdiff_t)size, "a pipe takes it", NULL);
        r->data += size;
        r->size -= size;
        if (r->size == 0 && r->to >= 0) {
            close(r->to);
            r->to = -1;
        }
        channel_fill(&r->channel, 0);
    }
}

/* ---- edits ---- */

/* Counts lines and units from the text's start: a second way beside the document's table. */
static size_t offset_of(const char *text, size_t size, text_place at, bool utf8)
{
    size_t line = 0, unit = 0;
    for (size_t i = 0; i < size;) {
        const bool ends = text[i] == '\n' || text[i] == '\r';
        uint32_t code;
        if (line == at.line && (unit >= at.unit || ends))
            return i;
        const size_t length = utf8_decode(text + i, size - i, &code);
        const bool pair = text[i] == '\r' && i + 1 < size && text[i + 1] == '\n';
        unit = ends ? 0 : unit + (utf8 ? length : code != UTF8_BAD && code > 0xffff ? 2 : 1);
        line += ends;
        i += pair ? 2 : length;
    }
    return size;
}

static void check_edit(document *d, const text_place at[2], bool utf8, const char *text)
{
    size_t from = offset_of(d->text, d->size, at[0], utf8);
    size_t to = offset_of(d->text, d->size, at[1], utf8);
    if (to < from) {
        const size_t swap = from;
        from = to;
        to = swap;
    }
    const size_t length = strlen(text), size = d->size - (to - from) + length;
    char *wanted = malloc(size + 1);
    if (!wanted)
        return;
    memcpy(wanted, d->text, from);
    memcpy(wanted + from, text, length);
    memcpy(wanted + from + length, d->text + to, d->size - to + 1);
    fuzz_check(document_edit(d, at[0], at[1], utf8, text), "there is memory", NULL);
    fuzz_check(d->size == size && memcmp(d->text, wanted, size + 1) == 0,
               "an edit changes what it says", d->text);
    free(wanted);
}

/* The table of lines is that of the text. */
static void check_lines(const document *d)
{
    size_t line = 0;
    fuzz_check(d->lines[0] == 0, "the first line begins at 0", NULL);
    for (size_t i = 0; i < d->size; i++) {
        const bool pair = d->text[i] == '\r' && d->text[i + 1] == '\n';
        if ((d->text[i] != '\n' && d->text[i] != '\r') || pair)
            continue;
        line++;
        fuzz_check(line < d->line_count && d->lines[line] == i + 1, "lines begin behind lines",
                   d->text);
    }
    fuzz_check(d->line_count == line + 1, "there are no other lines", d->text);
}

/* A place that is found for an offset leads back to it. */
static void check_places(const document *d, bool utf8)
{
    text_cursor c = {.text = d->text, .size = d->size, .utf8 = utf8};
    for (size_t i = 0; i < d->size;) {
        uint32_t code;
        const text_place at = text_cursor_to(&c, i);
        const bool inside = i > 0 && d->text[i - 1] == '\r' && d->text[i] == '\n';
        fuzz_check(inside || document_offset(d, at, utf8) == i, "a place leads back", d->text);
        i += utf8_decode(d->text + i, d->size - i, &code);
    }
}

static void edit(documents *list, const json_t *message)
{
    document *d = documents_find(list, uri);
    const bool utf8 = json_array_size(message) > 5;
    const char *text = json_string_value(json_array_get(message, 4));
    text_place at[2];
    if (!d || !text)
        return;
    for (size_t i = 0; i < 2; i++)
        at[i] = (text_place){(size_t)json_integer_value(json_array_get(message, 2 * i)),
                             (size_t)json_integer_value(json_array_get(message, 2 * i + 1))};
    check_edit(d, at, utf8, text);
    check_lines(d);
    check_places(d, utf8);
}

static void take(documents *list, const json_t *message)
{
    const char *text = json_string_value(message);
    if (text) {
        const document *d = documents_put(list, uri, text);
        fuzz_check(d && strcmp(d->text, text) == 0, "a text is put", text);
        check_lines(d);
    } else if (json_is_array(message)) {
        edit(list, message);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { LONGEST = 60000 }; /* a pipe holds it */
    json_reader *reader = json_reader_new((stop_hook){NULL, NULL});
    documents list = {.items = NULL};
    reading pieces, whole;
    if (reader && size > 1 && size < LONGEST &&
        begin(&pieces, reader, data + 1, size - 1, (size_t)data[0] + 1)) {
        if (begin(&whole, reader, data + 1, size - 1, size)) {
            for (channel_got got = CHANNEL_MESSAGE; got != CHANNEL_NOTHING;) {
                json_t *one, *other;
                got = next(&pieces, &one);
                fuzz_check(next(&whole, &other) == got, "pieces make no difference", NULL);
                fuzz_check((one != NULL) == (got == CHANNEL_MESSAGE) &&
                               (one == other || json_equal(one, other)),
                           "pieces make no other message", NULL);
                if (one)
                    take(&list, one);
                json_decref(one);
                json_decref(other);
                if (got == CHANNEL_BAD_HEADER)
                    break;
            }
            fuzz_check(channel_is_cut(&pieces.channel) == channel_is_cut(&whole.channel),
                       "pieces end alike", NULL);
            end(&whole);
        }
        end(&pieces);
    }
    documents_dispose(&list);
    json_reader_free(reader);
    return 0;
}
