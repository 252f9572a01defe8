/* Parses schema/tables.md, which the command carries with it. Nothing is kept: each call reads
 * on from a place in the page. */
#include "clients/cli/questions/tables_page.h"

#include "clients/cli/line/embedded.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const char *embedded_text_of(const char *name)
{
    for (const embedded_text *t = embedded_texts; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t->text;
    return "";
}

static const char *line_end(const char *at)
{
    return at + strcspn(at, "\n");
}

static const char *next_line(const char *at)
{
    at = line_end(at);
    return *at ? at + 1 : at;
}

static bool begins(const char *at, const char *with)
{
    return strncmp(at, with, strlen(with)) == 0;
}

/* Copies text of the page without code marks and addresses of links; ends of
 * lines become blanks. */
static void copy(char *out, size_t room, const char *from, const char *to)
{
    size_t used = strlen(out);
    if (used > 0 && used + 1 < room)
        out[used++] = ' ';
    for (; from < to && used + 1 < room; from++) {
        /* A link is "[text](address)". */
        const char *end = *from == '[' ? memchr(from, ']', (size_t)(to - from)) : NULL;
        const char *last =
            end && end + 1 < to && end[1] == '(' ? memchr(end, ')', (size_t)(to - end)) : NULL;
        if (last) {
            for (from++; from < end && used + 1 < room; from++)
                out[used++] = *from;
            from = last;
        } else if (*from != '`') {
            out[used++] = *from;
        }
    }
    out[used] = '\0';
}

bool page_next_table(page_place *place, page_table *out)
{
    /* Finds the heading of the next table, and notes in `place` which part of the page it is
     * in. */
    const char *line = place->at ? place->at : embedded_text_of("tables");
    for (; *line && !begins(line, "### "); line = next_line(line))
        if (begins(line, "## "))
            place->of_index = begins(line, "## The index");
    memset(out, 0, sizeof *out);
    if (!*line)
        return false;
    out->of_index = place->of_index;
    const char *end = line_end(line);
    copy(out->usage, sizeof out->usage, line + 4, end);
    snprintf(out->name, sizeof out->name, "%.*s", (int)strcspn(out->usage, "("), out->usage);
    line = next_line(line);
    copy(out->what, sizeof out->what, line, line_end(line));
    for (line = next_line(line); *line && *line != '#'; line = next_line(line)) {
        if (begins(line, "|---"))
            out->columns = next_line(line);
        else if (*line != '|' && line_end(line) > line && !out->columns)
            copy(out->more, sizeof out->more, line, line_end(line));
    }
    place->at = line;
    return true;
}

/* Reads a field up to the next "|" of the row, and moves *at behind it. */
static void read_field(const char **at, char *out, size_t room)
{
    const char *from = *at + strspn(*at, " "), *bar = from + strcspn(from, "|\n"), *to = bar;
    while (to > from && to[-1] == ' ')
        to--;
    out[0] = '\0';
    copy(out, room, from, to);
    *at = *bar == '|' ? bar + 1 : bar;
}

bool page_next_column(const page_table *table, const char **at, page_column *out)
{
    const char *line = *at ? *at : table->columns;
    if (!line || *line != '|')
        return false;
    line++;
    read_field(&line, out->name, sizeof out->name);
    read_field(&line, out->type, sizeof out->type);
    read_field(&line, out->meaning, sizeof out->meaning);
    *at = next_line(line);
    return true;
}

bool page_find_table(const char *name, page_table *out)
{
    page_place place = {NULL, false};
    while (page_next_table(&place, out))
        if (strcasecmp(out->name, name) == 0)
            return true;
    return false;
}
