/* Findings for the continuous integration of a mod: JUnit, SARIF, and GitHub's annotations. */
#include "clients/cli/checks/findings.h"
#include "clients/cli/line/junit.h"
#include "core/hash.h"

/* Returns the path without "./" before it. */
static const char *bare_path(const char *path)
{
    while (path[0] == '.' && path[1] == '/')
        path += 2 + strspn(path + 2, "/");
    return path;
}

/* ---- JUnit ---- */

/*
 * In the JUnit report all findings of one kind in one file are a test case. A kind without
 * findings is a test case, too, which passes. A test case fails if it has an error. It also
 * fails if it has a warning and there are more warnings than allowed. So the report has a
 * failure exactly if the command fails.
 */

/* The findings of one kind in one file. */
typedef struct junit_case {
    size_t first, count; /* index in junit_order.items of the test case's first finding, and
                            number of its findings */
    bool fails;
} junit_case;

/* The findings, sorted by kind and then by file, so that each test case is a run of them. */
typedef struct junit_order {
    const findings *f;
    const import_issue **items; /* owned */
    size_t count;
} junit_order;

static int compare_issues(const void *a, const void *b)
{
    const import_issue *x = *(const import_issue *const *)a,
                       *y = *(const import_issue *const *)b;
    const int code = strcmp(x->what.code, y->what.code);
    const int file = code != 0 ? code : strcmp(x->what.file, y->what.file);
    /* Issues of one file keep the order that they have in the array. */
    return file != 0 ? file : (x > y) - (x < y);
}

static bool is_failure(const findings *f, const ptl_diagnostic *d)
{
    return d->severity == PTL_ERROR ||
           (d->severity == PTL_WARNING && findings_warnings_fail(f));
}

/* Returns the test case of the JUnit report whose first finding is items[first]. */
static junit_case case_at(const junit_order *o, size_t first)
{
    junit_case c = {first, 0, false};
    const ptl_diagnostic *head = &o->items[first]->what;
    for (size_t i = first; i < o->count; i++, c.count++) {
        const ptl_diagnostic *d = &o->items[i]->what;
        if (strcmp(d->code, head->code) != 0 || strcmp(d->file, head->file) != 0)
            break;
        c.fails = c.fails || is_failure(o->f, d);
    }
    return c;
}

static void put_line(const ptl_diagnostic *d)
{
    char place[40] = "";
    if (d->line > 0)
        snprintf(place, sizeof place, ":%d:%d", d->line, d->column > 0 ? d->column : 1);
    out_xml_text(d->file);
    out_printf("%s%s", place, d->file[0] ? ": " : "");
    out_xml_text(d->id);
    out_printf("%s%s: ", d->id[0] ? ": " : "", findings_severity_name(d->severity));
    out_xml_text(d->message);
    out_text("\n");
}

static void put_case(const junit_order *o, const junit_case *c)
{
    const ptl_diagnostic *d = &o->items[c->first]->what;
    char class[80], message[80];
    snprintf(class, sizeof class, "portolan.%s.%s", o->f->session->args->command->name,
             d->code);
    snprintf(message, sizeof message, "%s: %zu finding%s", d->code, c->count, plural(c->count));
    junit_case_begin(class, d->file[0] ? d->file : "(no file)");
    if (c->fails)
        junit_failure_begin(d->code, message);
    else
        junit_output_begin();
    for (size_t i = c->first; i < c->first + c->count; i++)
        put_line(&o->items[i]->what);
    if (c->fails)
        junit_failure_end();
    else
        junit_output_end();
    junit_case_end();
}

/* Prints a test case that passes for each kind without findings; with `print` false, prints
 * nothing. Returns the number of the kinds without findings. */
static size_t put_clean(findings *f, bool print)
{
    size_t clean = 0;
    char class[80];
    bool *seen = calloc(f->kind_count + 1, sizeof *seen);
    f->list.failed = f->list.failed || !seen;
    for (size_t i = 0; seen && i < f->list.count; i++)
        seen[findings_kind(f, f->list.items[i].what.code)] = true;
    for (size_t i = 0; seen && i < f->kind_count; i++) {
        if (seen[i])
            continue;
        clean++;
        snprintf(class, sizeof class, "portolan.%s.%s", f->session->args->command->name,
                 f->kinds[i].code);
        if (print) {
            junit_case_begin(class, f->kinds[i].title);
            junit_case_end();
        }
    }
    free(seen);
    return clean;
}

void findings_put_junit(findings *f)
{
    const size_t count = f->list.count;
    junit_order o = {f, calloc(count + 1, sizeof *o.items), count};
    char suite[40];
    if (!o.items) {
        f->list.failed = true;
        return;
    }
    size_t cases = put_clean(f, false), failures = 0;
    for (size_t i = 0; i < count; i++)
        o.items[i] = &f->list.items[i];
    if (count > 1)
        qsort(o.items, count, sizeof *o.items, compare_issues);
    for (size_t i = 0; i < count; cases++) {
        const junit_case c = case_at(&o, i);
        failures += c.fails;
        i += c.count;
    }
    snprintf(suite, sizeof suite, "portolan %s", f->session->args->command->name);
    junit_begin(suite, cases, failures, 0);
    (void)put_clean(f, true);
    for (size_t i = 0; i < count && out_ok();) {
        const junit_case c = case_at(&o, i);
        put_case(&o, &c);
        i += c.count;
    }
    junit_end();
    free(o.items);
}

/* ---- SARIF 2.1.0 ---- */

/* Prints a path as a URI. A relative path stays relative, to the folder in which the command
 * runs; an absolute path gets file:// before it. */
static void put_uri(findings *f, const char *path)
{
    bytes uri = {.size = 0};
    bytes_put_address(&uri, bare_path(path));
    const char *text = bytes_text(&uri);
    f->list.failed = f->list.failed || !text;
    out_json_text(text ? text : "");
    bytes_dispose(&uri);
}

static void put_rules(const findings *f)
{
    for (size_t i = 0; i < f->kind_count; i++) {
        out_text(i > 0 ? ",\n" : "\n");
        out_text("{\"id\": ");
        out_json_text(f->kinds[i].code);
        out_text(", \"shortDescription\": {\"text\": ");
        out_json_text(f->kinds[i].title);
        out_printf("}, \"defaultConfiguration\": {\"level\": \"%s\"}}",
                   findings_severity_name(f->kinds[i].severity));
    }
}

static void put_place(findings *f, const ptl_diagnostic *d)
{
    out_text(", \"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
    put_uri(f, d->file);
    out_text("}");
    if (d->line > 0)
        out_printf(", \"region\": {\"startLine\": %d", d->line);
    if (d->line > 0 && d->column > 0)
        out_printf(", \"startColumn\": %d", d->column);
    out_text(d->line > 0 ? "}}" : "}");
    if (d->id[0]) {
        out_text(", \"logicalLocations\": [{\"name\": ");
        out_json_text(d->id);
        out_text("}]");
    }
    out_text("}]");
}

static void put_result(findings *f, const ptl_diagnostic *d)
{
    const size_t kind = findings_kind(f, d->code);
    bytes name = {.size = 0};
    out_text("{\"ruleId\": ");
    out_json_text(d->code);
    if (kind < f->kind_count)
        out_printf(", \"ruleIndex\": %zu", kind);
    out_printf(", \"level\": \"%s\", \"message\": {\"text\": ",
               findings_severity_name(d->severity));
    out_json_text(d->message);
    out_text("}");
    if (d->file[0])
        put_place(f, d);
    finding_name_put(&name, d, content_root_of(f->content, d->file));
    f->list.failed = f->list.failed || name.failed;
    out_printf(", \"partialFingerprints\": {\"portolan/v1\": \"%016jx\"}",
               (uintmax_t)hash_bytes(name.data, name.size));
    bytes_dispose(&name);
    if (f->has_baseline)
        out_text(", \"baselineState\": \"new\"");
    out_text("}");
}

void findings_put_sarif(findings *f)
{
    out_text("{\"version\": \"2.1.0\",\n"
             "\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n"
             "\"runs\": [{\"tool\": {\"driver\": {\"name\": \"portolan\", \"version\": ");
    out_json_text(ptl_version());
    out_text(", \"rules\": [");
    put_rules(f);
    out_text("]}},\n\"invocations\": [{\"executionSuccessful\": true}],\n\"results\": [");
    for (size_t i = 0; i < f->list.count && out_ok() && !stop_wanted(); i++) {
        out_text(i > 0 ? ",\n" : "\n");
        put_result(f, &f->list.items[i].what);
    }
    out_text("]}]}\n");
}

/* ---- annotations of GitHub's workflows ---- */

/* Prints a text with the escapes that GitHub's workflow commands ("::error file=...::TEXT")
 * need. In a property, such as the value of file=, colons and commas are escaped as well. */
static void put_escaped(findings *f, const char *text, bool is_property)
{
    bytes out = {.size = 0};
    for (; *text; text++) {
        if (strchr("%\r\n", *text) || (is_property && strchr(":,", *text)))
            bytes_printf(&out, "%%%02X", (unsigned char)*text);
        else
            bytes_put_u8(&out, (uint8_t)*text);
    }
    f->list.failed = f->list.failed || out.failed;
    out_visible((const char *)out.data, out.size);
    bytes_dispose(&out);
}

void findings_put_github(findings *f)
{
    for (size_t i = 0; i < f->list.count && out_ok() && !stop_wanted(); i++) {
        const ptl_diagnostic *d = &f->list.items[i].what;
        out_printf("::%s ",
                   d->severity == PTL_NOTE ? "notice" : findings_severity_name(d->severity));
        if (d->file[0]) {
            out_text("file=");
            put_escaped(f, bare_path(d->file), true);
            out_text(",");
        }
        if (d->file[0] && d->line > 0)
            out_printf("line=%d,", d->line);
        if (d->file[0] && d->line > 0 && d->column > 0)
            out_printf("col=%d,", d->column);
        out_text("title=");
        put_escaped(f, d->code, true);
        out_text("::");
        put_escaped(f, d->id, false);
        out_text(d->id[0] ? ": " : "");
        put_escaped(f, d->message, false);
        out_text("\n");
    }
}
