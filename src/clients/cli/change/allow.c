/* The findings of `portolan change`, and the list that --allow gives: ids about which findings
 * are intended. */
#include "clients/cli/change/change.h"
#include "core/array.h"

#include <errno.h>
#include <stdarg.h>

const finding_kind change_kinds[FOUND_KINDS] = {
    [FOUND_GONE] = {"CHG001", PTL_ERROR, "An id that saved worlds may have is gone"},
    [FOUND_RATE] = {"CHG002", PTL_ERROR, "A special's rate changed by more than is allowed"},
    [FOUND_NEVER] = {"CHG003", PTL_ERROR, "What came before never comes any more"},
    [FOUND_REMARK] = {"CHG004", PTL_ERROR, "An import finds what it did not find before"},
    [FOUND_SEAMS] = {"CHG005", PTL_ERROR, "More lines lead nowhere than before"},
    [FOUND_UNSEEN] = {"CHG006", PTL_WARNING, "What came before was not seen any more"},
    [FOUND_EMPTY] = {"CHG007", PTL_WARNING, "A group gives nothing any more"},
    [FOUND_UNUSED] = {"CHG008", PTL_WARNING, "A line of the list of what is allowed is unused"},
};

enum { ALLOW_MAX = 16 << 20 };

/* Reads a line "ID REASON" of the list that --allow gives. */
static bool read_line(change *c, char *line, int32_t number)
{
    line[strcspn(line, "\r")] = '\0';
    line += strspn(line, " \t");
    if (!*line || *line == '#')
        return true;
    const size_t size = strcspn(line, " \t");
    const char *reason = line + size + strspn(line + size, " \t");
    const char *id = arena_strndup(c->memory, line, size);
    reason = arena_strdup(c->memory, reason);
    if (!id || !reason || !ARRAY_ROOM(c->allowed, c->allowed_room, c->allowed_count + 1))
        return false;
    c->allowed[c->allowed_count++] = (struct change_allowed){id, reason, number, false};
    return true;
}

int change_allow_read(change *c)
{
    const char *path = args_value(c->s->args, "allow");
    size_t size;
    char *text = path ? file_read_small(path, ALLOW_MAX, &size) : NULL;
    if (path && !text) {
        tell("portolan change: %s: %s\n", path, strerror(errno));
        return EXIT_FAILED;
    }
    int32_t number = 0;
    bool good = true;
    for (char *line = text, *next; good && line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        good = read_line(c, line, ++number);
    }
    free(text);
    return good ? EXIT_DONE : args_no_memory(c->s->args);
}

/* Does the list of --allow have the id? Then marks the line as used. Findings about no id, such
 * as those of seams, can't be allowed. */
static bool is_allowed(change *c, const char *id)
{
    bool is = false;
    for (size_t i = 0; i < c->allowed_count; i++)
        if (strcmp(c->allowed[i].id, id) == 0)
            is = c->allowed[i].used = true;
    c->allowed_findings += is;
    return is;
}

void change_found(change *c, int kind, uint32_t name, const char *id, const char *format, ...)
{
    bytes message = {.size = 0};
    int side = AFTER;
    const change_name *n = name != NAME_NONE ? &c->names[name] : NULL;
    const change_object *o = n ? change_object_of(c, n, &side) : NULL;
    if (is_allowed(c, id))
        return;
    va_list list;
    va_start(list, format);
    bytes_vprintf(&message, format, list);
    va_end(list);
    const char *text = bytes_text(&message);
    c->failed = c->failed || !text;
    const char *pack = c->sides[AFTER].content.pack;
    findings_add(&c->findings,
                 &(ptl_diagnostic){.size = sizeof(ptl_diagnostic),
                                   .severity = change_kinds[kind].severity,
                                   .file = o ? o->file : "",
                                   .line = o ? o->line : 0,
                                   .id = id,
                                   .message = text ? text : "",
                                   .code = change_kinds[kind].code,
                                   .pack = o ? content_pack_of(&c->sides[side].content, o->file)
                                           : pack ? pack
                                                  : ""});
    bytes_dispose(&message);
}

void change_allow_end(change *c)
{
    const char *path = args_value(c->s->args, "allow");
    for (size_t i = 0; i < c->allowed_count; i++) {
        const struct change_allowed *line = &c->allowed[i];
        if (!line->used)
            findings_add(
                &c->findings,
                &(ptl_diagnostic){
                    .size = sizeof(ptl_diagnostic),
                    .severity = PTL_WARNING,
                    .file = path,
                    .line = line->line,
                    .id = line->id,
                    .message = "this line allows nothing: nothing was found of the id",
                    .code = change_kinds[FOUND_UNUSED].code,
                    .pack = c->sides[AFTER].content.pack ? c->sides[AFTER].content.pack : ""});
    }
}
