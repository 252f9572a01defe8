/* Puts the text of a script together and has Lua check it. */
#include "mapgen/compile/compile_impl.h"
#include "mapgen/lua/script.h"

/* Adds a string to the script; false (reported) if the value is no string. */
static bool add_lines(mapgen_compiler *c, json_view v)
{
    size_t length;
    const char *text = json_view_text(v, &c->text, &length);
    if (text)
        bytes_put(&c->script, text, length);
    else
        remark(c, 3, v, "a script must be a string or a list of strings, found %s",
               json_view_kind_name(v));
    return text != NULL;
}

static size_t count_lines(mapgen_compiler *c, json_view v)
{
    size_t length, lines = 0;
    const char *text = json_view_text(v, &c->text, &length);
    for (size_t i = 0; text && i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

/* Returns the place in the file where a line of a JSON string begins; in the file its lines
 * end with
 *  as two characters. */
static size_t place_of_line(json_view v, size_t line)
{
    const char *text = v.document->text;
    size_t at = json_view_offset(v) + 1;
    while (line > 0 && text[at] != '"') {
        line -= text[at] == '\\' && text[at + 1] == 'n';
        at += text[at] == '\\' ? 2 : 1;
    }
    return at;
}

/* Returns the place in the file of a line of the script, counted from 0. */
static size_t place_in_script(mapgen_compiler *c, json_view v, size_t line)
{
    if (json_view_kind(v) == VIEW_TEXT) {
        const size_t last = count_lines(c, v);
        return place_of_line(v, line < last ? line : last);
    }
    for (json_walk w = json_walk_of(v); json_walk_next(&w);) {
        const size_t lines = count_lines(c, w.value) + 1;
        if (line < lines)
            return place_of_line(w.value, line);
        line -= lines;
    }
    return json_view_offset(v);
}

uint32_t compile_script(mapgen_compiler *c, json_view v)
{
    bool good = true;
    script_fault fault;
    bytes_clear(&c->script);
    if (json_view_kind(v) == VIEW_ARRAY) {
        for (json_walk w = json_walk_of(v); good && json_walk_next(&w);) {
            good = add_lines(c, w.value);
            bytes_put_u8(&c->script, '\n');
        }
    } else {
        good = add_lines(c, v);
    }
    const char *text = bytes_text(&c->script);
    if (!good || !text)
        return ID_NONE;
    const script_outcome outcome = script_check(text, c->script.size, &fault);
    c->failed = c->failed || outcome == SCRIPT_NO_MEMORY;
    if (outcome == SCRIPT_LEFT_OUT)
        remark_undone(c, v, "lua");
    if (outcome == SCRIPT_FAILED) {
        remark_place(c, 401, place_in_script(c, v, (size_t)fault.line - 1),
                     "line %d of the script: %s", fault.line, fault.message);
        return ID_NONE;
    }
    /* An empty script is a script, too: an empty line stands for it. */
    return c->script.size > 0 ? id_pool_put(c->context.pool, text, c->script.size)
                              : id_pool_put(c->context.pool, "\n", 1);
}
