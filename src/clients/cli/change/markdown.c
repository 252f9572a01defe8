/*
 * Writes the report as Markdown, for a comment on a pull request, which has a greatest length.
 * The report is made of sections. A section that does not fit gets fewer rows, or is left out
 * as a whole. The report always says how many rows are missing.
 */
#include "clients/cli/change/change.h"

enum {
    CHARACTERS_MAX = 65536,
    RESERVE = 2048 /* characters for the sentences about what was left out */
};

/* Appends text so that nothing in it means anything in Markdown: no markup, no HTML, and no
 * @name of a person, to whom a message would be sent. */
static void put_text(bytes *out, const char *text)
{
    static const char escaped[] = "\\`*_{}[]()#|~!+-";
    bytes safe = {.size = 0};
    visible_put(&safe, text, strlen(text));
    out->failed = out->failed || safe.failed;
    for (size_t i = 0; i < safe.size; i++) {
        const char c = (char)safe.data[i];
        if (c == '<' || c == '>' || c == '&' || c == '@') {
            bytes_printf(out, "&#%d;", c);
            continue;
        }
        const bool link = c == ':' && i + 1 < safe.size && safe.data[i + 1] == '/';
        const bool dot = c == '.' && i >= 3 && memcmp(safe.data + i - 3, "www", 3) == 0;
        if (link || dot || (c && strchr(escaped, c)))
            bytes_put_u8(out, '\\');
        bytes_put_u8(out, (uint8_t)c);
    }
    bytes_dispose(&safe);
}

static void put_sentence(void *payload, const char *text)
{
    bytes_put_text(payload, "- ");
    put_text(payload, text);
    bytes_put_u8(payload, '\n');
}

/* ---- sections ---- */

static void put_findings(bytes *out, const change *c, size_t most)
{
    const import_issues *list = &c->findings.list;
    size_t shown = 0;
    for (size_t i = 0; i < 2 * list->count && shown < most; i++) {
        const ptl_diagnostic *d = change_finding_at(c, i);
        if (!d)
            continue;
        shown++;
        bytes_printf(out, "- **%s** %s ", findings_severity_name(d->severity), d->code);
        put_text(out, d->id);
        bytes_put_text(out, ": ");
        put_text(out, d->message);
        if (*d->file) {
            bytes_put_text(out, " (");
            put_text(out, d->file);
            bytes_printf(out, ":%d)", d->line);
        }
        bytes_put_u8(out, '\n');
    }
    if (shown < list->count)
        bytes_printf(out, "- and %zu more\n", list->count - shown);
}

/* Appends the table of one part, with at most `most` rows. */
static void put_part(bytes *out, const change *c, int part, size_t most)
{
    const report_table *t = &c->tables[part];
    const size_t all = change_count_shown(c, part);
    size_t shown = 0;
    char text[48];
    bool has[CHANGE_COLUMNS_MAX];
    change_columns_shown(has, part, t);
    bytes_printf(out, "\n### %s\n\n|", t->title);
    for (size_t k = 0; k < t->column_count; k++)
        if (has[k]) {
            bytes_put_u8(out, ' ');
            put_text(out, t->columns[k].head);
            bytes_put_text(out, " |");
        }
    bytes_put_text(out, "\n|");
    for (size_t k = 0; k < t->column_count; k++)
        if (has[k])
            bytes_put_text(out, t->columns[k].decimals > 0 ? "--:|" : "---|");
    bytes_put_u8(out, '\n');
    for (size_t i = 0; i < report_rows(t) && shown < most; i++) {
        if (!change_row_is_shown(part, t, i))
            continue;
        shown++;
        bytes_put_u8(out, '|');
        for (size_t k = 0; k < t->column_count; k++)
            if (has[k]) {
                bytes_put_u8(out, ' ');
                put_text(out, change_cell_text(&t->columns[k], change_cell(t, i, k), text));
                bytes_put_text(out, " |");
            }
        bytes_put_u8(out, '\n');
    }
    if (shown < all)
        bytes_printf(out, "\nand %zu more rows\n", all - shown);
}

/* Appends the section that `put` makes, with as many rows as fit: all, 100, 20 or 5. Returns
 * false if not even the section with 5 rows fits; nothing is appended then. */
static bool put_fitting(bytes *out, const change *c, int part,
                        void (*put)(bytes *out, const change *c, int part, size_t most))
{
    static const size_t rows[] = {SIZE_MAX, 100, 20, 5};
    bool fits = false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && !fits; i++) {
        bytes section = {.size = 0};
        put(&section, c, part, rows[i]);
        out->failed = out->failed || section.failed;
        fits = out->size + section.size + RESERVE < CHARACTERS_MAX;
        if (fits)
            bytes_put(out, section.data, section.size);
        bytes_dispose(&section);
    }
    return fits;
}

static void put_part_findings(bytes *out, const change *c, int part, size_t most)
{
    (void)part;
    put_findings(out, c, most);
}

/* ---- all ---- */

static void put_all(bytes *out, const change *c)
{
    const size_t errors = c->findings.counts[PTL_ERROR],
                 warnings = c->findings.counts[PTL_WARNING];
    bytes_printf(out, "## What the change does\n\n**%zu error%s, %zu warning%s**", errors,
                 plural(errors), warnings, plural(warnings));
    if (c->allowed_findings > 0)
        bytes_printf(out, "; %zu are allowed by the list", c->allowed_findings);
    bytes_put_text(out, "\n\n");
    if (c->findings.list.count > 0 && !put_fitting(out, c, 0, put_part_findings))
        bytes_printf(out, "%zu findings are left out: they do not fit here.\n",
                     c->findings.list.count);
    bytes_put_u8(out, '\n');
    change_sentences(c, put_sentence, out);
    for (int part = 0; part < PART_COUNT; part++) {
        const size_t rows = change_count_shown(c, part);
        if (rows > 0 && !put_fitting(out, c, part, put_part))
            bytes_printf(out, "\n%s: %zu row%s left out, which do not fit here.\n",
                         c->tables[part].title, rows, rows == 1 ? " is" : "s are");
    }
}

int change_markdown(change *c, const char *path)
{
    bytes text = {.size = 0};
    put_all(&text, c);
    const int code = change_write(c, path, &text);
    bytes_dispose(&text);
    return code;
}
