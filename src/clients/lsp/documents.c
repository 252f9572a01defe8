#include "clients/lsp/documents.h"

#include "core/array.h"
#include "core/bytes.h"
#include "core/utf8.h"
#include "os/file.h"
#include "json/dialect.h"

#include <stdlib.h>
#include <string.h>

/* ---- addresses ---- */

static int hexadecimal(char c)
{
    const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c | 0x20) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Returns the path in a new string, with the symbolic links in its folder resolved if that
 * folder exists. Frees `path`. */
static char *resolved(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash == path)
        return path;
    *slash = '\0';
    char *folder = file_real_path(path);
    *slash = '/';
    if (!folder)
        return path;
    bytes b = {.size = 0};
    bytes_put_text(&b, strcmp(folder, "/") == 0 ? "" : folder);
    bytes_put_text(&b, slash);
    free(folder);
    if (!bytes_text(&b)) {
        bytes_dispose(&b);
        return path;
    }
    free(path);
    return (char *)b.data;
}

char *path_of_uri(const char *uri)
{
    static const char *const begins[] = {"file:///", "file://localhost/"};
    size_t skip = 0;
    for (size_t i = 0; i < 2 && skip == 0; i++)
        if (strncmp(uri, begins[i], strlen(begins[i])) == 0)
            skip = strlen(begins[i]) - 1;
    if (skip == 0)
        return NULL;
    char *out = strdup(uri + skip), *to = out;
    for (const char *at = out; out && *at; at++) {
        const int high = *at == '%' ? hexadecimal(at[1]) : -1;
        const int low = high >= 0 ? hexadecimal(at[2]) : -1;
        *to++ = low < 0 ? *at : (char)(16 * high + low);
        at += low < 0 ? 0 : 2;
        if (to[-1] == '\0') { /* an escaped NUL is in no path */
            free(out);
            return NULL;
        }
    }
    if (!out)
        return NULL;
    *to = '\0';
    return resolved(out);
}

char *uri_of_path(const char *path)
{
    bytes b = {.size = 0};
    bytes_put_text(&b, path[0] == '/' ? "" : "portolan:");
    bytes_put_address(&b, path);
    if (!bytes_text(&b))
        bytes_dispose(&b);
    return (char *)b.data;
}

/* ---- lines ---- */

/* Returns the offset at which the line behind the one at `at` begins; `size` or more if that is
 * the last. For editors a line ends with \n, \r\n or \r. */
static size_t next_line(const char *text, size_t size, size_t at)
{
    while (at < size && text[at] != '\n' && text[at] != '\r')
        at++;
    if (at >= size)
        return size + 1;
    return at + 1 + (text[at] == '\r' && at + 1 < size && text[at + 1] == '\n');
}

/* Sets the table of lines anew where the text has changed: `length` bytes at `start` have
 * replaced those up to `end`. False when memory is out. */
static bool set_lines(document *d, size_t start, size_t end, size_t length)
{
    size_t kept = 1, count = 0, behind;
    /* Lines that begin in front of `start` stay, and so do those that begin behind
     * `end`. The first line always begins at 0. */
    for (size_t high = d->line_count; kept < high;) {
        const size_t middle = kept + (high - kept) / 2;
        if (d->lines[middle] < start)
            kept = middle + 1;
        else
            high = middle;
    }
    for (behind = kept; behind < d->line_count && d->lines[behind] <= end;)
        behind++;
    const size_t first = d->lines[kept - 1], left = d->line_count - behind;
    size_t at = first;
    while ((at = next_line(d->text, d->size, at)) <= start + length)
        count++;
    if (!ARRAY_ROOM(d->lines, d->line_room, kept + count + left))
        return false;
    memmove(d->lines + kept + count, d->lines + behind, left * sizeof *d->lines);
    for (size_t i = 0; i < left; i++)
        d->lines[kept + count + i] += start + length - end;
    at = first;
    for (size_t i = 0; i < count; i++)
        d->lines[kept + i] = at = next_line(d->text, d->size, at);
    d->line_count = kept + count + left;
    return true;
}

/* Replaces the bytes from `start` to just before `end`. False when memory is out. */
static bool replace(document *d, size_t start, size_t end, const char *text)
{
    const size_t length = strlen(text), size = d->size - (end - start) + length;
    if (!ARRAY_ROOM(d->text, d->room, size + 1))
        return false;
    memmove(d->text + start + length, d->text + end, d->size - end);
    memcpy(d->text + start, text, length);
    d->text[size] = '\0';
    d->size = size;
    return set_lines(d, start, end, length);
}

/* ---- documents ---- */

static void dispose(document *d)
{
    free(d->uri);
    free(d->path);
    free(d->text);
    free(d->lines);
}

void documents_dispose(documents *list)
{
    for (size_t i = 0; i < list->count; i++)
        dispose(&list->items[i]);
    free(list->items);
}

document *documents_find(const documents *list, const char *uri)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].uri, uri) == 0)
            return &list->items[i];
    return NULL;
}

document *documents_of_path(const documents *list, const char *path)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].path, path) == 0)
            return &list->items[i];
    return NULL;
}

document *documents_put(documents *list, const char *uri, const char *text)
{
    document *d = documents_find(list, uri);
    if (!d) {
        document new = {.uri = strdup(uri), .path = path_of_uri(uri)};
        if (!new.uri || !new.path || !ARRAY_ROOM(new.lines, new.line_room, 1) ||
            !ARRAY_ROOM(list->items, list->room, list->count + 1)) {
            dispose(&new);
            return NULL;
        }
        new.lines[0] = 0;
        new.line_count = 1;
        d = &list->items[list->count++];
        *d = new;
    }
    return replace(d, 0, d->size, text) ? d : NULL;
}

void documents_close(documents *list, document *d)
{
    dispose(d);
    *d = list->items[--list->count];
}

/* Returns how many bytes the character at an offset has. *units becomes its length in the units
 * in which the editor counts: bytes of UTF-8, or units of UTF-16. */
static size_t character(const char *text, size_t size, size_t at, bool utf8, size_t *units)
{
    uint32_t code;
    const size_t length = utf8_decode(text + at, size - at, &code);
    *units = utf8 ? length : code != UTF8_BAD && code > 0xffff ? 2 : 1;
    return length;
}

size_t document_mark(const document *d)
{
    return dialect_mark(d->text, d->size);
}

size_t document_offset(const document *d, text_place at, bool utf8)
{
    size_t offset = at.line < d->line_count ? d->lines[at.line] : d->size;
    for (size_t unit = 0, units; unit < at.unit && offset < d->size; unit += units) {
        if (d->text[offset] == '\n' || d->text[offset] == '\r')
            break;
        offset += character(d->text, d->size, offset, utf8, &units);
    }
    return offset;
}

bool document_edit(document *d, text_place from, text_place to, bool utf8, const char *text)
{
    const size_t a = document_offset(d, from, utf8), b = document_offset(d, to, utf8);
    return replace(d, a < b ? a : b, a < b ? b : a, text);
}

/* ---- places ---- */

text_place text_cursor_to(text_cursor *c, size_t offset)
{
    if (offset < c->at) {
        c->at = 0;
        c->place = (text_place){0, 0};
    }
    while (c->at < offset && c->at < c->size) {
        const char now = c->text[c->at];
        const bool pair = now == '\r' && c->at + 1 < c->size && c->text[c->at + 1] == '\n';
        if (now == '\n' || (now == '\r' && !pair)) {
            c->place = (text_place){c->place.line + 1, 0};
            c->at++;
        } else if (pair) {
            c->at++;
        } else {
            size_t units;
            c->at += character(c->text, c->size, c->at, c->utf8, &units);
            c->place.unit += units;
        }
    }
    return c->place;
}

text_place text_place_of(const char *text, size_t size, size_t offset, bool utf8)
{
    text_cursor c = {.text = text, .size = size, .utf8 = utf8};
    return text_cursor_to(&c, offset);
}

size_t remark_cursor_to(remark_cursor *c, int line, int column)
{
    if (line < c->line || c->line == 0) {
        c->at = dialect_mark(c->text, c->size); /* columns of remarks do not count a mark */
        c->line = 1;
    }
    for (; c->line < line && c->at < c->size; c->line++) {
        const char *end = memchr(c->text + c->at, '\n', c->size - c->at);
        c->at = end ? (size_t)(end - c->text) + 1 : c->size;
    }
    const size_t in_line = column > 1 ? (size_t)column - 1 : 0;
    return in_line < c->size - c->at ? c->at + in_line : c->size;
}
