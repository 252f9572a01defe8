#include "content/import/scan.h"

#include "content/import/keyset.h"
#include "core/bytes.h"
#include "json/token.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const scan_member_names[SCAN_MEMBERS] = {"type",
                                                     "name",
                                                     "id",
                                                     "abstract",
                                                     "om_terrain",
                                                     "nested_mapgen_id",
                                                     "update_mapgen_id",
                                                     "category",
                                                     "from",
                                                     "usage"};

/* An array or object that is still open. */
typedef struct frame {
    bool is_object;
    bool comment;     /* the present member's key begins with "//" */
    uint32_t count;   /* elements or members that are complete */
    uint32_t emitted; /* those of them in the canonical text */
    size_t first_key; /* of this object, in scanner.keys */
    size_t mark;      /* canonical size before the present element */
    uint32_t open;    /* offset of the bracket */
    uint32_t value;   /* offset of the present value */
    int member;       /* scan_member of the present value, or -1 */
} frame;

struct scanner {
    frame *frames; /* JSON_DEPTH_MAX of them */
    size_t depth;
    keyset keys; /* of the objects that are open */
    bytes canonical;
    bytes message;
    char *text;
    size_t size;
    const char *at;
    size_t object_depth; /* depth at which top-level objects stand: 0, or 1 in an array */
    scan_object object;
    size_t line_offset; /* where `line` is the line of */
    uint32_t line;
    bool complete; /* a value has just ended */
    const scan_handler *handler;
    ptl_status status; /* no memory, stopped, or a callback's */
    stop_hook stop;
    uint32_t rounds; /* since the last question */
};

scanner *scanner_new(stop_hook stop)
{
    scanner *s = calloc(1, sizeof *s);
    if (s)
        s->stop = stop;
    if (s)
        s->frames = calloc(JSON_DEPTH_MAX, sizeof *s->frames);
    if (s && !s->frames) {
        free(s);
        return NULL;
    }
    return s;
}

void scanner_free(scanner *s)
{
    if (!s)
        return;
    free(s->frames);
    keyset_dispose(&s->keys);
    bytes_dispose(&s->canonical);
    bytes_dispose(&s->message);
    free(s);
}

static uint32_t offset_of(const scanner *s, const char *at)
{
    return (uint32_t)(at - s->text);
}

static void report(scanner *s, ptl_severity severity, size_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void report(scanner *s, ptl_severity severity, size_t offset, const char *format, ...)
{
    if (!s->handler)
        return;
    va_list args;
    va_start(args, format);
    bytes_clear(&s->message);
    bytes_vprintf(&s->message, format, args);
    va_end(args);
    const char *message = bytes_text(&s->message);
    if (!message) {
        s->status = PTL_ERR_NOMEM;
        return;
    }
    scan_span id = s->object.members[SCAN_ID];
    if (id.end == 0)
        id = s->object.members[SCAN_ABSTRACT];
    scan_problem problem = {severity, offset, id, message};
    s->handler->on_problem(s->handler->payload, &problem);
}

/* A syntax error: the scan of this text ends. */
static bool fail_token(scanner *s, const token_fault *fault)
{
    report(s, PTL_ERROR, offset_of(s, fault->at), "%s", fault->reason);
    return false;
}

static uint32_t count_lines(const scanner *s, size_t from, size_t to)
{
    uint32_t lines = 0;
    for (size_t i = from; i < to; i++)
        lines += s->text[i] == '\n';
    return lines;
}

static bool fail_unexpected(scanner *s, const char *expected)
{
    size_t offset = offset_of(s, s->at);
    unsigned char c = (unsigned char)*s->at;
    if (offset >= s->size && s->depth > 0) {
        const frame *f = &s->frames[s->depth - 1];
        report(s, PTL_ERROR, offset,
               "expected %s, found the end of the file: the %s of line %u is not closed",
               expected, f->is_object ? "object" : "array", count_lines(s, 0, f->open) + 1);
    } else if (offset >= s->size) {
        report(s, PTL_ERROR, offset, "expected %s, found the end of the file", expected);
    } else if (c > 0x20 && c < 0x7f) {
        report(s, PTL_ERROR, offset, "expected %s, found '%c'", expected, c);
    } else {
        report(s, PTL_ERROR, offset, "expected %s, found the byte 0x%02x", expected, c);
    }
    return false;
}

/* The comma before an element that is not the first; remembers where the element begins. */
static void emit_separator(scanner *s, frame *f)
{
    f->mark = s->canonical.size;
    if (f->emitted > 0)
        bytes_put_u8(&s->canonical, ',');
}

/* ---- objects' keys ---- */

static void report_repeated(void *payload, uint32_t start, uint32_t length)
{
    scanner *s = payload;
    report(s, PTL_WARNING, start - 1, "repeated key '%.*s': the last one counts",
           (int)(length < 100 ? length : 100), s->text + start);
}

static int member_of(const char *name, size_t length)
{
    for (int i = 0; i < SCAN_MEMBERS; i++)
        if (strlen(scan_member_names[i]) == length &&
            memcmp(scan_member_names[i], name, length) == 0)
            return i;
    return -1;
}

/* A key and its colon; at is at the key. */
static bool begin_member(scanner *s, frame *f)
{
    if (*s->at != '"')
        return fail_unexpected(s, *s->at == '}' ? "a key after the comma" : "a key");
    token_fault fault;
    const char *start = s->at, *end = token_string(start, &fault);
    if (!end)
        return fail_token(s, &fault);
    size_t length = (size_t)(end - start) - 2;
    if (length > JSON_STRING_MAX) {
        report(s, PTL_ERROR, offset_of(s, start), "a key of more than %d bytes",
               (int)JSON_STRING_MAX);
        return false;
    }
    f->comment = start[1] == '/' && start[2] == '/';
    if (!f->comment && !keyset_add(&s->keys, s->text, offset_of(s, start + 1), length)) {
        s->status = PTL_ERR_NOMEM;
        return false;
    }
    f->member = s->depth == s->object_depth + 1 ? member_of(start + 1, length) : -1;
    emit_separator(s, f);
    bytes_put(&s->canonical, start, (size_t)(end - start));
    bytes_put_u8(&s->canonical, ':');
    s->at = token_space(end);
    if (*s->at != ':')
        return fail_unexpected(s, "':'");
    s->at = token_space(s->at + 1);
    return true;
}

/* ---- arrays ---- */

static void blank(char *from, const char *to)
{
    for (; from < to; from++)
        if (*from != '\n')
            *from = ' ';
}

/*
 * Blanks the comments at an element's place: `"//...": "..."` with the comma behind, or, after
 * the last element, with the comma before it (comma, else NULL). at is past white space.
 */
static bool blank_comments(scanner *s, char *comma)
{
    while (s->at[0] == '"' && s->at[1] == '/' && s->at[2] == '/') {
        token_fault fault;
        const char *start = s->at, *end = token_string(start, &fault);
        if (!end)
            return fail_token(s, &fault);
        const char *colon = token_space(end);
        if (*colon != ':')
            return true; /* an element like any other */
        s->at = token_space(colon + 1);
        if (*s->at != '"')
            return fail_unexpected(s, "a string as the text of a comment");
        end = token_string(s->at, &fault);
        if (!end)
            return fail_token(s, &fault);
        s->at = token_space(end);
        if (*s->at == ',')
            end = ++s->at;
        else if (*s->at != ']')
            return fail_unexpected(s, "',' or ']' after a comment");
        else if (comma)
            blank(comma, comma + 1);
        blank(s->text + offset_of(s, start), end);
        s->at = token_space(s->at);
    }
    return true;
}

/* ---- values ---- */

static void begin_object(scanner *s)
{
    memset(&s->object, 0, sizeof s->object);
    s->object.offset = offset_of(s, s->at);
    s->line += count_lines(s, s->line_offset, s->object.offset);
    s->line_offset = s->object.offset;
    s->object.line = s->line;
    bytes_clear(&s->canonical);
}

static bool end_object(scanner *s)
{
    s->object.length = offset_of(s, s->at) - s->object.offset;
    s->object.canonical = s->canonical.data;
    s->object.canonical_size = s->canonical.size;
    if (s->canonical.failed)
        s->status = PTL_ERR_NOMEM;
    else if (s->handler && s->status == PTL_OK)
        s->status = s->handler->on_object(s->handler->payload, &s->object);
    memset(&s->object, 0, sizeof s->object);
    return s->status == PTL_OK;
}

/* The bracket at `at` closes the innermost frame. */
static bool close_frame(scanner *s)
{
    frame *f = &s->frames[s->depth - 1];
    bytes_put_u8(&s->canonical, (uint8_t)*s->at++);
    if (f->is_object)
        keyset_close(&s->keys, f->first_key, s->text, report_repeated, s);
    s->depth--;
    s->complete = true;
    if (f->is_object && s->depth == s->object_depth)
        return end_object(s);
    return s->status == PTL_OK;
}

static bool open_frame(scanner *s)
{
    bool is_object = *s->at == '{';
    if (s->depth == JSON_DEPTH_MAX) {
        report(s, PTL_ERROR, offset_of(s, s->at), "nested more than %d deep",
               (int)JSON_DEPTH_MAX);
        return false;
    }
    if (is_object && s->depth == s->object_depth)
        begin_object(s);
    frame *f = &s->frames[s->depth++];
    *f = (frame){.is_object = is_object, .open = offset_of(s, s->at), .member = -1};
    f->first_key = s->keys.count;
    bytes_put_u8(&s->canonical, (uint8_t)*s->at);
    s->at = token_space(s->at + 1);
    if (!is_object && !blank_comments(s, NULL))
        return false;
    if (*s->at == (is_object ? '}' : ']'))
        return close_frame(s);
    s->complete = false;
    if (is_object)
        return begin_member(s, f);
    emit_separator(s, f);
    return true;
}

static bool scalar(scanner *s)
{
    token_fault fault;
    const char *start = s->at, *end;
    char c = *start;
    if (c == '"')
        end = token_string(start, &fault);
    else if (c == '-' || (c >= '0' && c <= '9'))
        end = token_number(start, &fault);
    else if (c >= 'a' && c <= 'z')
        end = token_literal(start, &fault);
    else if (c == ']' && s->depth > 0 && !s->frames[s->depth - 1].is_object)
        return fail_unexpected(s, "a value after the comma");
    else
        return fail_unexpected(s, "a value");
    if (!end)
        return fail_token(s, &fault);
    if (end - start > JSON_STRING_MAX) {
        report(s, PTL_ERROR, offset_of(s, start), "a value of more than %d bytes",
               (int)JSON_STRING_MAX);
        return false;
    }
    bytes_put(&s->canonical, start, (size_t)(end - start));
    s->at = end;
    s->complete = true;
    return true;
}

static bool begin_value(scanner *s)
{
    if (s->depth > 0)
        s->frames[s->depth - 1].value = offset_of(s, s->at);
    bool container = *s->at == '{' || *s->at == '[';
    if (s->depth == 1 && s->object_depth == 1) {
        bytes_clear(&s->canonical);
        if (*s->at != '{' && *s->at != ']' && *s->at != '\0')
            report(s, PTL_ERROR, offset_of(s, s->at), "expected an object");
    }
    return container ? open_frame(s) : scalar(s);
}

enum { ROUNDS = 1 << 12 };

/* After an element or member: what it leaves behind, then a comma or the closing bracket. */
static bool end_element(scanner *s)
{
    frame *f = &s->frames[s->depth - 1];
    if (stop_asked_in(&s->stop, &s->rounds, ROUNDS)) {
        s->status = PTL_ERR_CANCELLED;
        return false;
    }
    if (f->member >= 0)
        s->object.members[f->member] = (scan_span){f->value, offset_of(s, s->at)};
    if (f->comment)
        s->canonical.size = f->mark;
    else
        f->emitted++;
    if (++f->count > JSON_COUNT_MAX) {
        report(s, PTL_ERROR, f->open, "more than %d elements", (int)JSON_COUNT_MAX);
        return false;
    }
    s->at = token_space(s->at);
    char closing = f->is_object ? '}' : ']';
    if (*s->at == closing)
        return close_frame(s);
    if (*s->at != ',')
        return fail_unexpected(s, f->is_object ? "',' or '}'" : "',' or ']'");
    char *comma = s->text + offset_of(s, s->at);
    s->at = token_space(s->at + 1);
    if (f->is_object) {
        s->complete = false;
        return begin_member(s, f);
    }
    if (!blank_comments(s, comma))
        return false;
    if (*s->at == closing && *comma == ' ')
        return close_frame(s);
    s->complete = false;
    emit_separator(s, f);
    return true;
}

static void scan_document(scanner *s)
{
    s->at = token_space(s->text);
    if (*s->at != '[' && *s->at != '{') {
        fail_unexpected(s, "an object or an array of objects");
        return;
    }
    s->object_depth = *s->at == '[' ? 1 : 0;
    do {
        if (!begin_value(s))
            return;
        while (s->complete && s->depth > 0)
            if (!end_element(s))
                return;
    } while (s->depth > 0);
    s->at = token_space(s->at);
    if (offset_of(s, s->at) < s->size)
        fail_unexpected(s, "the end of the file");
}

ptl_status scan_text(scanner *s, char *text, size_t size, const scan_handler *handler)
{
    s->text = text;
    s->size = size;
    s->handler = handler;
    s->depth = 0;
    s->keys.count = 0;
    s->line_offset = 0;
    s->line = 1;
    s->complete = false;
    s->status = PTL_OK;
    bytes_clear(&s->canonical);
    memset(&s->object, 0, sizeof s->object);
    scan_document(s);
    return s->status;
}
