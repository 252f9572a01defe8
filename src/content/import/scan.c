#include "content/import/scan.h"

#include "core/utf8.h"
#include "json/position.h"

#include <inttypes.h>
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

typedef struct scan {
    json_reader *reader;
    const char *text, *end;
    const scan_handler *handler;
    position_cursor lines;
    /* First byte of the object (an element of the file's list) that is being read. */
    const char *began;
    /* Text that ends each message: what is left out because of the problem. */
    const char *outcome;
    bytes message;
    ptl_status status; /* PTL_ERR_NOMEM, PTL_ERR_CANCELLED, or a status from on_object */
} scan;

static const char object_outcome[] = " (the object is left out)";

static void report(scan *s, remark_code code, size_t offset, scan_span id, const char *format,
                   ...) __attribute__((format(printf, 5, 6)));

static void report(scan *s, remark_code code, size_t offset, scan_span id, const char *format,
                   ...)
{
    ptl_severity severity = remark_code_severity(code);
    va_list args;
    va_start(args, format);
    bytes_clear(&s->message);
    bytes_vprintf(&s->message, format, args);
    va_end(args);
    if (severity == PTL_ERROR && s->handler->lenient) {
        bytes_put_text(&s->message, s->outcome);
        severity = PTL_WARNING;
    }
    const char *message = bytes_text(&s->message);
    const scan_problem problem = {severity, code, offset, id, message};
    if (message)
        s->handler->on_problem(s->handler->payload, &problem);
    else
        s->status = PTL_ERR_NOMEM;
}

/* ---- members ---- */

/* Walks over the members of an object that may be incomplete. */
typedef struct member_walk {
    json_document object;
    size_t next; /* index, in object.entries, of the key that the walk reaches next */
    scan_span members[SCAN_MEMBERS];
} member_walk;

static member_walk walk_members(json_document object)
{
    return (member_walk){.object = object, .next = 1};
}

/* Notes the places of the members that end before an offset of the text. */
static void take_members(member_walk *w, size_t offset)
{
    const json_document *d = &w->object;
    while (w->next + 1 < d->count) {
        const size_t value = w->next + 1;
        const bool complete = d->entries[value].span > 0;
        if (!complete || json_end(d, value) > offset)
            return;
        size_t length;
        const char *name = json_key(d, w->next, &length);
        for (int i = 0; i < SCAN_MEMBERS; i++)
            if (*scan_member_names[i] == *name && /* which few keys get past */
                strlen(scan_member_names[i]) == length &&
                memcmp(scan_member_names[i], name, length) == 0)
                w->members[i] = (scan_span){d->entries[value].start, json_end(d, value)};
        w->next = json_behind(d, value);
    }
}

static scan_span id_of(const member_walk *w)
{
    const scan_span id = w->members[SCAN_ID];
    return id.end > 0 ? id : w->members[SCAN_ABSTRACT];
}

/* ---- problems in the text ---- */

static int line_of(const scan *s, const char *at)
{
    position_cursor c = position_begin(s->text);
    position_go(&c, (size_t)(at - s->text));
    return c.line;
}

static void report_unexpected(scan *s, const json_fault *fault, const char *reason,
                              scan_span id)
{
    const size_t offset = (size_t)(fault->at - s->text);
    const unsigned char c = (unsigned char)*fault->at;
    if (fault->at >= s->end && fault->open)
        report(s, JS101, offset, id,
               "%s%s, found the end of the file: the %s of line %d is not closed", reason,
               fault->more, *fault->open == '{' ? "object" : "array", line_of(s, fault->open));
    else if (fault->at >= s->end)
        report(s, JS101, offset, id, "%s%s, found the end of the file", reason, fault->more);
    else if (c > 0x20 && c < 0x7f)
        report(s, JS101, offset, id, "%s%s, found '%c'", reason, fault->more, c);
    else
        report(s, JS101, offset, id, "%s%s, found the byte 0x%02x", reason, fault->more, c);
}

/* Reports what the text has that strict JSON does not allow, such as comments. Since a file
 * with one comment has many, only the first place of each kind is reported, with the number of
 * further ones. */
static void report_oddities(scan *s)
{
    static const char *const texts[JSON_ODDS] = {
        [JSON_ODD_COMMENT] = "a comment, which of the games DDA alone reads, since 2022",
        [JSON_ODD_SIGN] = "'+' before a number, which of the games DDA alone reads, since 2022",
        [JSON_ODD_ZERO] = "a leading zero, which of the games DDA alone reads, since 2022",
        [JSON_ODD_POINT] =
            "a number that begins or ends with its point: the games read it, others don't",
        [JSON_ODD_HEXADECIMAL] =
            "a hexadecimal number, which of the games DDA alone reads, since 2022",
        [JSON_ODD_QUOTES] = "single quotes, which of the games DDA alone reads, since 2022",
        [JSON_ODD_ESCAPE] =
            "the escape \\' or \\x in a string, which of the games DDA alone reads, since 2022",
        [JSON_ODD_BEHIND] = "text behind the end of the first value: no game looks at it",
    };
    const json_oddities *odd = json_reader_oddities(s->reader);
    for (size_t i = 0; i < JSON_ODDS; i++) {
        const scan_span none = {0, 0};
        if (odd->count[i] > 1)
            report(s, JS102, odd->first[i], none, "%s (and %" PRIu32 " more in this file)",
                   texts[i], odd->count[i] - 1);
        else if (odd->count[i] == 1)
            report(s, JS102, odd->first[i], none, "%s", texts[i]);
    }
}

/* ---- going on behind a fault ---- */

/* Reports a fault in the text. If option lenient is set, looks for a place behind it where the
 * scan can go on. False: the scan ends here. */
static bool get_over(scan *s, bool in_object)
{
    const json_fault *fault = json_reader_fault(s->reader);
    const char *at = NULL;
    if (s->handler->lenient)
        at = json_reader_next_like(s->reader, s->began, in_object);
    s->outcome = at ? object_outcome : " (the rest of the file is left out)";
    /* Reports the fault that ended reading. If it lies in an object, the remark has the
     * object's id, if that was read before the fault. */
    const size_t offset = (size_t)(fault->at - s->text);
    member_walk read = walk_members(json_reader_document(s->reader));
    if (in_object)
        take_members(&read, SIZE_MAX);
    const scan_span id = id_of(&read);
    switch (fault->kind) {
    case JSON_NO_MEMORY:
        s->status = PTL_ERR_NOMEM;
        break;
    case JSON_STOPPED:
        s->status = PTL_ERR_CANCELLED;
        break;
    case JSON_UNEXPECTED:
        report_unexpected(s, fault, fault->reason, id);
        break;
    case JSON_DEEP:
        report(s, JS104, offset, id, "nested more than %d deep", (int)JSON_DEPTH_MAX);
        break;
    case JSON_LONG_KEY:
        report(s, JS104, offset, id, "a key of more than %d bytes", (int)JSON_STRING_MAX);
        break;
    case JSON_LONG_VALUE:
        report(s, JS104, offset, id, "a value of more than %d bytes", (int)JSON_STRING_MAX);
        break;
    case JSON_MANY:
        report(s, JS104, offset, id, "more than %d elements", (int)JSON_COUNT_MAX);
        break;
    default:
        report(s, JS101, offset, id, "%s", fault->reason);
    }
    s->outcome = object_outcome;
    return at && s->status == PTL_OK && json_reader_resume(s->reader, at);
}

/* Reads one element and gives it to the handler; false ends the scan. */
static bool scan_element(scan *s)
{
    enum { SHOWN = 100 }; /* bytes of a key in a message */
    const char *at = json_reader_at(s->reader);
    const bool is_object = *at == '{';
    s->began = at;
    if (!is_object && *at != ']' && *at != '\0')
        report(s, JS105, (size_t)(at - s->text), (scan_span){0, 0}, "expected an object");
    const bool good = json_reader_element(s->reader);
    /* Reports repeated keys, object by object, in the order in which the objects end. */
    size_t count;
    const json_repeated *keys = json_reader_repeated(s->reader, &count);
    member_walk walk = walk_members(json_reader_document(s->reader));
    for (size_t i = 0; i < count; i++) {
        const char *key = s->text + keys[i].start;
        const int length =
            keys[i].length > SHOWN ? (int)utf8_cut(key, SHOWN) : (int)keys[i].length;
        if (is_object)
            take_members(&walk, keys[i].closed);
        report(s, JS103, keys[i].start - 1, id_of(&walk),
               "repeated key '%.*s': the last one counts", length, key);
    }
    if (good && is_object && s->status == PTL_OK) {
        member_walk read = walk_members(json_reader_document(s->reader));
        const json_document *d = &read.object;
        take_members(&read, SIZE_MAX);
        position_go(&s->lines, d->entries[0].start);
        scan_object object = {.offset = d->entries[0].start,
                              .length = json_end(d, 0) - d->entries[0].start,
                              .line = s->lines.line,
                              .document = *d};
        memcpy(object.members, read.members, sizeof object.members);
        s->status = s->handler->on_object(s->handler->payload, &object);
    }
    return good && s->status == PTL_OK;
}

static bool next_element(scan *s)
{
    return json_reader_more(s->reader) ||
           (json_reader_fault(s->reader)->kind != JSON_SOUND && get_over(s, false));
}

ptl_status scan_text(json_reader *reader, char *text, size_t size, const scan_handler *handler)
{
    scan s = {.reader = reader, .text = text, .end = text + size, .handler = handler};
    const json_rules rules = {.loose = text, .limited = true, .repeated = true};
    s.lines = position_begin(text);
    s.began = text;
    s.outcome = object_outcome;
    bytes_init(&s.message);
    json_reader_start(reader, text, size, &rules);
    const char *first = json_reader_at(reader);
    if (*first == '[' || *first == '{') {
        bool more = next_element(&s);
        while (more && s.status == PTL_OK) {
            if (scan_element(&s))
                more = next_element(&s);
            else
                more = s.status == PTL_OK && get_over(&s, *s.began == '{');
        }
    } else {
        s.outcome = " (the file is left out)";
        report_unexpected(&s, &(json_fault){.at = first, .more = ""},
                          "expected an object or an array of objects", (scan_span){0, 0});
    }
    if (s.status == PTL_OK)
        report_oddities(&s);
    bytes_dispose(&s.message);
    return s.status;
}
