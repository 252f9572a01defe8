/* Findings: reads their options, counts and prints them, and gives the exit code: see
 * findings.h. */
#include "clients/cli/checks/findings.h"
#include "core/array.h"
#include "core/visible.h"
#include "os/clock.h"

/* ---- kinds ---- */

static bool on_kind(void *payload, const ptl_remark_kind *kind)
{
    finding_kinds *list = payload;
    if (strncmp(kind->code, list->begin, strlen(list->begin)) != 0)
        return true;
    list->failed = !ARRAY_ROOM(list->items, list->room, list->count + 1);
    if (!list->failed)
        list->items[list->count++] = (finding_kind){kind->code, kind->severity, kind->title};
    return !list->failed;
}

void finding_kinds_list(finding_kinds *out, const char *begin)
{
    *out = (finding_kinds){.begin = begin};
    ptl_remark_kind_list(on_kind, out);
}

/* ---- the command line ---- */

const char *findings_severity_name(ptl_severity severity)
{
    return severity == PTL_ERROR ? "error" : severity == PTL_WARNING ? "warning" : "note";
}

static const char *const own_formats[] = {"junit", "sarif", "github", NULL};

size_t findings_kind(const findings *f, const char *code)
{
    size_t i = 0;
    while (i < f->kind_count && strcmp(f->kinds[i].code, code) != 0)
        i++;
    return i;
}

static int unknown_code(const findings *f, const char *code)
{
    const args *a = f->session->args;
    const char **names = calloc(f->kind_count + 1, sizeof *names);
    if (!names)
        return args_no_memory(a);
    for (size_t i = 0; i < f->kind_count; i++)
        names[i] = f->kinds[i].code;
    const int result = usage_unknown(a, "code", code, names);
    free(names);
    return result;
}

/* Reads the codes of --errors. */
static int read_errors(findings *f)
{
    const args *a = f->session->args;
    const char *text = args_value(a, "errors");
    char code[32];
    for (; text && *text; text += strspn(text, ",")) {
        const size_t size = strcspn(text, ",");
        snprintf(code, sizeof code, "%.*s", (int)size, text);
        const size_t kind = findings_kind(f, code);
        if (kind == f->kind_count)
            return unknown_code(f, code);
        f->are_errors[kind] = true;
        text += size;
    }
    return EXIT_DONE;
}

int findings_begin(findings *out, session *s, const content *c, const finding_kind *kinds,
                   size_t kind_count)
{
    const args *a = s->args;
    *out = (findings){.session = s,
                      .content = c,
                      .kinds = kinds,
                      .kind_count = kind_count,
                      .are_errors = calloc(kind_count + 1, sizeof *out->are_errors),
                      .max_warnings = INT64_MAX,
                      .verbose = args_has(a, "verbose")};
    import_issues_init(&out->list);
    if (!out->are_errors)
        return args_no_memory(a);
    NEED(rows_style_from_args(&s->style, a, own_formats));
    NEED(args_int(a, "max-warnings", 0, INT64_MAX, &out->max_warnings));
    return read_errors(out);
}

void findings_dispose(findings *f)
{
    free(f->are_errors);
    import_issues_dispose(&f->list);
}

/* ---- what counts ---- */

void findings_add(findings *f, const ptl_diagnostic *what)
{
    ptl_diagnostic d = *what;
    const size_t kind = findings_kind(f, d.code);
    const char *pack = f->content->pack;
    if (kind < f->kind_count && f->are_errors[kind])
        d.severity = PTL_ERROR;
    /* What belongs to no pack, such as a mod that the game lacks, concerns all. */
    if (!pack || !d.pack[0] || strcmp(pack, d.pack) == 0)
        import_issues_add(&f->list, &d);
}

int findings_settle(findings *f)
{
    const args *a = f->session->args;
    const char *known = args_value(a, "baseline"), *new = args_value(a, "write-baseline");
    if (f->list.failed)
        return args_no_memory(a);
    if (new)
        NEED(baseline_write(f, new));
    /* Without --baseline, the file that was just written serves as the baseline, so that no
     * finding is new. */
    if (known || new)
        NEED(baseline_apply(f, known ? known : new));
    for (size_t i = 0; i < f->list.count; i++)
        f->counts[f->list.items[i].what.severity]++;
    return EXIT_DONE;
}

bool findings_warnings_fail(const findings *f)
{
    return f->counts[PTL_WARNING] > (uint64_t)f->max_warnings;
}

/* Appends a text as a JSON string, with the escapes of visible text: a path need not be UTF-8,
 * as JSON must be. */
static void put_json(bytes *out, const char *text)
{
    bytes safe = {.size = 0};
    visible_put(&safe, text, strlen(text));
    bytes_put_u8(out, '"');
    for (size_t i = 0; i < safe.size; i++) {
        if (safe.data[i] == '"' || safe.data[i] == '\\')
            bytes_put_u8(out, '\\');
        bytes_put_u8(out, safe.data[i]);
    }
    bytes_put_u8(out, '"');
    out->failed = out->failed || safe.failed;
    bytes_dispose(&safe);
}

/* Returns the part of the path that follows the root and a slash. */
static const char *below(const char *path, const char *root)
{
    const size_t size = strlen(root);
    if (size == 0 || strncmp(path, root, size) != 0)
        return path;
    return path + size + strspn(path + size, "/");
}

/* Appends a message without what may differ from run to run. The folder `root` is left out of
 * paths, and so are the numbers of lines, which follow ".json:" or " line ". */
static void put_message(bytes *out, const char *message, const char *root)
{
    static const char *const before[] = {".json:", " line "};
    bytes text = {.size = 0}, shown = {.size = 0};
    visible_put(&shown, root, strlen(root)); /* as messages have it */
    root = bytes_text(&shown) ? bytes_text(&shown) : "";
    const size_t size = strlen(root);
    for (const char *c = message; *c;) {
        if (size > 0 && strncmp(c, root, size) == 0 && (c[size] == '/' || c[size - 1] == '/'))
            c = below(c, root);
        else
            bytes_put_u8(&text, (uint8_t)*c++);
        for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
            const size_t length = strlen(before[i]);
            if (text.size >= length &&
                memcmp(text.data + text.size - length, before[i], length) == 0)
                c += strspn(c, ":0123456789");
        }
    }
    put_json(out, bytes_text(&text) ? bytes_text(&text) : "");
    out->failed = out->failed || text.failed || shown.failed;
    bytes_dispose(&text);
    bytes_dispose(&shown);
}

void finding_name_put(bytes *out, const ptl_diagnostic *d, const char *root)
{
    const struct {
        const char *key, *text;
    } parts[] = {{"{\"code\": ", d->code},
                 {", \"pack\": ", d->pack},
                 {", \"file\": ", below(d->file, root)},
                 {", \"id\": ", d->id}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        bytes_put_text(out, parts[i].key);
        put_json(out, parts[i].text);
    }
    bytes_put_text(out, ", \"message\": ");
    put_message(out, d->message, root);
}

/* ---- printing ---- */

static ptl_status print(void *payload, ptl_error *err)
{
    findings *f = payload;
    const rows_style *style = &f->session->style;
    static void (*const forms[])(findings *) = {findings_put_junit, findings_put_sarif,
                                                findings_put_github};
    const import_issues_view view = {
        .verbose = f->verbose, .on_output = true, .where_all = "--verbose lists all"};
    bool good = true;
    if (style->format == ROWS_OTHER)
        forms[style->other](f);
    else if (style->format == ROWS_TABLE)
        good = import_issues_tell(&f->list, &view);
    else
        good = import_issues_print(&f->list, style, NULL);
    good = good && !f->list.failed;
    if (!good)
        *err = (ptl_error){.status = PTL_ERR_NOMEM, .message = "memory is out"};
    return good ? PTL_OK : PTL_ERR_NOMEM;
}

int findings_print(findings *f)
{
    const char *const inputs[] = {f->content->is_file ? f->session->args->operands[0] : ""};
    return out_file_print(f->session, inputs, f->content->is_file, print, f);
}

int findings_end(const findings *f)
{
    const size_t errors = f->counts[PTL_ERROR], warnings = f->counts[PTL_WARNING],
                 notes = f->counts[PTL_NOTE];
    (void)out_flush(); /* prints the findings before the counts, even if both go to one pipe */
    if (!f->session->shown.quiet) {
        tell("portolan %s: %zu error%s, %zu warning%s, %zu note%s",
             f->session->args->command->name, errors, plural(errors), warnings,
             plural(warnings), notes, plural(notes));
        if (f->has_baseline)
            tell("; besides %zu that the baseline knows; %zu of the baseline %s gone", f->known,
                 f->gone, f->gone == 1 ? "is" : "are");
        if (findings_warnings_fail(f))
            tell("; --max-warnings allows %jd", (intmax_t)f->max_warnings);
        tell("\n");
    }
    return errors > 0 || findings_warnings_fail(f) ? EXIT_FAILED : EXIT_DONE;
}
