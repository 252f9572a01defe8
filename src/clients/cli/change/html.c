/* Writes the report as one HTML file. It has the pictures inside, runs no scripts and loads
 * nothing from the network. */
#include "clients/cli/change/change.h"

/* The most rows that are shown of a table: browsers are slow with more. */
enum { ROWS_MAX = 2000 };

static const char HEAD[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
    "style-src 'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>What the change does</title>\n<style>\n"
    ":root { color-scheme: light dark; --line: #8885; --soft: #8881; --bad: #c62828;\n"
    "  --fine: #2e7d32; --warn: #b26a00; }\n"
    "@media (prefers-color-scheme: dark) { :root { --bad: #ff8a80; --fine: #81c784;\n"
    "  --warn: #ffb74d; } }\n"
    "body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem;\n"
    "  padding: 0 1.2rem; }\n"
    "h1 { font-size: 1.6rem; margin-bottom: .2rem; }\n"
    "h2 { font-size: 1.2rem; margin-top: 2.4rem; border-bottom: 1px solid var(--line); }\n"
    ".verdict { font-weight: 600; } .bad { color: var(--bad); } .fine { color: var(--fine); }\n"
    ".warn { color: var(--warn); }\n"
    ".wide { overflow-x: auto; }\n"
    "table { border-collapse: collapse; font-size: .88rem; margin: .6rem 0; }\n"
    "th, td { text-align: left; padding: .2rem .9rem .2rem 0; vertical-align: top;\n"
    "  border-bottom: 1px solid var(--line); overflow-wrap: break-word; max-width: 34rem; }\n"
    "th { font-weight: 600; }\n"
    "td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; "
    "}\n"
    "nav a { margin-right: 1rem; }\n"
    "ul { padding-left: 1.2rem; } code { font-size: .92em; }\n"
    "summary { cursor: pointer; }\n"
    ".pairs { display: flex; flex-wrap: wrap; gap: 1.2rem; }\n"
    "figure { margin: 0; padding: .8rem; background: var(--soft); border-radius: .4rem;\n"
    "  max-width: 100%; box-sizing: border-box; }\n"
    "figcaption { font-size: .85rem; max-width: 28rem; overflow-wrap: anywhere; }\n"
    ".sides { display: flex; flex-wrap: wrap; gap: .8rem; margin-top: .5rem; }\n"
    ".side { font-size: .8rem; max-width: 100%; overflow-x: auto; }\n"
    ".map { position: relative; width: max-content; }\n"
    ".map img { display: block; image-rendering: pixelated; }\n"
    ".map svg { position: absolute; inset: 0; display: none; }\n"
    ".map path { fill: #ff00c81c; stroke: #ff2fd0; stroke-width: .1; }\n"
    ".map path.level { stroke: #fff; stroke-width: .3; }\n"
    "#marks:checked ~ .pairs svg { display: block; }\n"
    ".none { width: 12rem; height: 6rem; display: grid; place-items: center;\n"
    "  border: 1px dashed var(--line); }\n"
    "</style>\n</head>\n<body>\n";

/* Appends text so that nothing in it means anything in HTML. The text may come from content
 * that somebody else wrote. */
static void put_text(bytes *out, const char *text)
{
    static const struct {
        char c;
        const char *as;
    } escapes[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    bytes safe = {.size = 0};
    visible_put(&safe, text, strlen(text));
    out->failed = out->failed || safe.failed;
    for (size_t i = 0; i < safe.size; i++) {
        const char *as = NULL;
        for (size_t k = 0; k < sizeof escapes / sizeof escapes[0]; k++)
            if (safe.data[i] == (uint8_t)escapes[k].c)
                as = escapes[k].as;
        if (as)
            bytes_put_text(out, as);
        else
            bytes_put_u8(out, safe.data[i]);
    }
    bytes_dispose(&safe);
}

static void put_element(bytes *out, const char *tag, const char *text)
{
    bytes_printf(out, "<%s>", tag);
    put_text(out, text);
    bytes_printf(out, "</%.*s>\n", (int)strcspn(tag, " "), tag);
}

static void put_sentence(void *payload, const char *text)
{
    put_element(payload, "li", text);
}

/* ---- tables ---- */

static bool is_number(const report_cell *c)
{
    return c->kind == REPORT_REAL || c->kind == REPORT_WHOLE || c->kind == REPORT_COUNT;
}

static void put_table(bytes *out, const change *c, int part, bool all)
{
    const report_table *t = &c->tables[part];
    char text[48];
    bool shown[CHANGE_COLUMNS_MAX];
    size_t rows = 0;
    change_columns_shown(shown, part, t);
    bytes_put_text(out, "<div class=\"wide\"><table>\n<tr>");
    for (size_t k = 0; k < t->column_count; k++) {
        const bool number = t->columns[k].decimals > 0;
        if (shown[k])
            put_element(out, number ? "th class=\"n\"" : "th", t->columns[k].head);
    }
    bytes_put_text(out, "</tr>\n");
    for (size_t i = 0; i < report_rows(t); i++) {
        if (!all && !change_row_is_shown(part, t, i))
            continue;
        if (rows++ >= ROWS_MAX)
            continue;
        bytes_put_text(out, "<tr>");
        for (size_t k = 0; k < t->column_count; k++) {
            const report_cell *cell = change_cell(t, i, k);
            if (shown[k])
                put_element(out, is_number(cell) ? "td class=\"n\"" : "td",
                            change_cell_text(&t->columns[k], cell, text));
        }
        bytes_put_text(out, "</tr>\n");
    }
    bytes_put_text(out, "</table></div>\n");
    if (rows > ROWS_MAX)
        bytes_printf(out, "<p>and %zu more rows: --list %s has all</p>\n", rows - ROWS_MAX,
                     t->name);
}

static void put_part(bytes *out, const change *c, int part)
{
    const report_table *t = &c->tables[part];
    const size_t rows = report_rows(t), shown = change_count_shown(c, part);
    bytes_printf(out, "<h2 id=\"%s\">", t->name);
    put_text(out, t->title);
    bytes_put_text(out, "</h2>\n");
    if (c->without[part]) {
        put_element(out, "p", "This part was left out (--without).");
        return;
    }
    if (shown > 0 && part != PART_PICTURES)
        put_table(out, c, part, false);
    else if (shown == 0)
        put_element(out, "p", part == PART_SEAMS ? "No problems." : "Nothing changed.");
    if (shown < rows && part != PART_PICTURES) {
        bytes_printf(out, "<details><summary>All %zu rows</summary>\n", rows);
        put_table(out, c, part, true);
        bytes_put_text(out, "</details>\n");
    }
}

/* ---- pictures ---- */

/* Draws frames around the tiles that differ: one rectangle for each run of such tiles in a row
 * of the picture. */
static void put_marks(bytes *out, const change_picture *p)
{
    bytes_printf(out, "<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"><path d=\"",
                 p->width * p->pixels, p->height * p->pixels, p->width, p->height);
    for (int32_t y = 0; y < p->height; y++)
        for (int32_t x = 0; x < p->width;) {
            const uint8_t *row = p->marks + (size_t)y * (size_t)p->width;
            int32_t end = x;
            while (end < p->width && row[end])
                end++;
            if (end > x)
                bytes_printf(out, "M%d %dh%dv1h-%dz", x, y, end - x, end - x);
            x = end > x ? end : x + 1;
        }
    bytes_put_text(out, "\"/><path class=\"level\" d=\"");
    for (int32_t x = p->level_width; x < p->width; x += p->level_width)
        bytes_printf(out, "M%d 0v%d", x, p->height);
    bytes_put_text(out, "\"/></svg>");
}

static void put_side(bytes *out, const change_picture *p, int side)
{
    static const char *const words[SIDES] = {"before", "after"};
    bytes_put_text(out, "<div class=\"side\">");
    bytes_put_text(out, words[side]);
    if (p->entry[side] > 0)
        bytes_printf(out, ", entry %d", p->entry[side]);
    if (p->png[side].size == 0) {
        bytes_put_text(out, "<div class=\"none\">no map</div></div>\n");
        return;
    }
    bytes_printf(out, "<div class=\"map\"><img alt=\"%s\" src=\"data:image/png;base64,",
                 words[side]);
    bytes_put_base64(out, p->png[side].data, p->png[side].size);
    bytes_put_text(out, "\">");
    if (p->marks)
        put_marks(out, p);
    bytes_put_text(out, "</div></div>\n");
}

static void put_figure(bytes *out, const change_picture *p)
{
    bytes_put_text(out, "<figure><figcaption><b>");
    put_text(out, p->id);
    bytes_put_text(out, "</b> <span>");
    put_text(out, p->kind);
    bytes_printf(out, ", seed %ju</span><br><code>", (uintmax_t)p->seed);
    put_text(out, p->place);
    bytes_put_text(out, "</code>");
    if (*p->by) {
        bytes_put_text(out, "<br>through ");
        put_text(out, p->by);
    }
    bytes_printf(out, "<br>%zu tile%s: ", p->differ, plural(p->differ));
    put_text(out, p->differences);
    if (*p->note) {
        bytes_put_text(out, "<br><span class=\"warn\">");
        put_text(out, p->note);
        bytes_put_text(out, "</span>");
    }
    bytes_put_text(out, "</figcaption><div class=\"sides\">\n");
    put_side(out, p, BEFORE);
    put_side(out, p, AFTER);
    bytes_put_text(out, "</div></figure>\n");
}

static void put_pictures(bytes *out, const change *c)
{
    size_t equal = 0;
    if (c->picture_count == 0)
        return;
    bytes_put_text(out,
                   "<input type=\"checkbox\" id=\"marks\" checked> <label "
                   "for=\"marks\">mark tiles that differ</label>\n<div class=\"pairs\">\n");
    for (size_t i = 0; i < c->picture_count; i++)
        if (c->pictures[i].differ > 0)
            put_figure(out, &c->pictures[i]);
    bytes_put_text(out, "</div>\n");
    for (size_t i = 0; i < c->picture_count; i++)
        equal += c->pictures[i].differ == 0;
    if (equal > 0) {
        bytes_printf(
            out,
            "<details><summary>%zu that are touched look the same, with each seed that "
            "was tried</summary><ul>\n",
            equal);
        for (size_t i = 0; i < c->picture_count; i++) {
            const change_picture *p = &c->pictures[i];
            if (p->differ > 0)
                continue;
            bytes_put_text(out, "<li>");
            put_text(out, p->id);
            bytes_put_text(out, " <code>");
            put_text(out, p->place);
            bytes_put_text(out, "</code> ");
            put_text(out, p->note);
            bytes_put_text(out, "</li>\n");
        }
        bytes_put_text(out, "</ul></details>\n");
    }
    if (c->pictures_left > 0)
        bytes_printf(out, "<p>%zu more are touched and were not drawn (--pictures).</p>\n",
                     c->pictures_left);
}

/* ---- all ---- */

static void put_findings(bytes *out, const change *c)
{
    const import_issues *list = &c->findings.list;
    const size_t errors = c->findings.counts[PTL_ERROR],
                 warnings = c->findings.counts[PTL_WARNING];
    bytes_printf(out, "<p class=\"verdict %s\">%zu error%s, %zu warning%s",
                 errors     ? "bad"
                 : warnings ? "warn"
                            : "fine",
                 errors, plural(errors), warnings, plural(warnings));
    if (c->allowed_findings > 0)
        bytes_printf(out, "; %zu are allowed by the list", c->allowed_findings);
    if (c->findings.has_baseline)
        bytes_printf(out, "; %zu are in the baseline", c->findings.known);
    bytes_put_text(out, ".</p>\n");
    if (list->count == 0)
        return;
    bytes_put_text(out, "<ul>\n");
    for (size_t i = 0; i < 2 * list->count; i++) {
        const ptl_diagnostic *d = change_finding_at(c, i);
        if (!d)
            continue;
        bytes_printf(out, "<li><span class=\"%s\">%s</span> %s ",
                     d->severity == PTL_ERROR ? "bad" : "warn",
                     findings_severity_name(d->severity), d->code);
        bytes_put_text(out, "<b>");
        put_text(out, d->id);
        bytes_put_text(out, "</b>: ");
        put_text(out, d->message);
        if (*d->file) {
            bytes_put_text(out, " <code>");
            put_text(out, d->file);
            bytes_printf(out, ":%d</code>", d->line);
        }
        bytes_put_text(out, "</li>\n");
    }
    bytes_put_text(out, "</ul>\n");
}

static void put_all(bytes *out, const change *c)
{
    bytes_put_text(out, HEAD);
    bytes_put_text(out, "<h1>What the change does</h1>\n");
    put_findings(out, c);
    bytes_put_text(out, "<ul>\n");
    change_sentences(c, put_sentence, out);
    bytes_put_text(out, "</ul>\n<nav>");
    for (int part = 0; part < PART_COUNT; part++)
        bytes_printf(out, "<a href=\"#%s\">%s</a>", c->tables[part].name, c->tables[part].name);
    bytes_put_text(out, "</nav>\n");
    for (int part = 0; part < PART_COUNT; part++) {
        put_part(out, c, part);
        if (part == PART_PICTURES)
            put_pictures(out, c);
    }
    bytes_printf(out,
                 "<p><small>portolan change; content before %.12s, after %.12s; %ju "
                 "overmaps of each, seeds from %ju</small></p>\n</body>\n</html>\n",
                 c->sides[BEFORE].content.report.digest, c->sides[AFTER].content.report.digest,
                 (uintmax_t)c->overmaps, (uintmax_t)c->seed);
}

int change_html(change *c, const char *path)
{
    bytes text = {.size = 0};
    put_all(&text, c);
    const int code = change_write(c, path, &text);
    bytes_dispose(&text);
    return code;
}
