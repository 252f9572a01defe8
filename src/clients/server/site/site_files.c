/* Where the files of a site go: into a folder, or into one HTML file. */
#include "clients/server/page.h"
#include "clients/server/site/site_impl.h"
#include "core/emit.h"
#include "core/error.h"
#include "os/folder.h"

#include <errno.h>

/* Browsers hold texts of at most half a gigabyte. The single file has its data in base64, of
 * which three quarters are data. */
enum { SINGLE_MAX = 256 << 20 };

/* Makes a folder unless it exists. *made becomes true if it did not. */
static ptl_status make_folder(const char *path, bool *made, ptl_error *err)
{
    if (folder_make(path))
        *made = true;
    else if (errno != EEXIST)
        return error_system(err, errno == ENOENT ? PTL_ERR_NOT_FOUND : PTL_ERR_IO, errno, "%s",
                            path);
    return PTL_OK;
}

/* Returns the path of a file of the site, or of its folder if name is ""; NULL when memory is
 * out. */
static const char *path_of(bytes *out, const site *s, const char *name, size_t size)
{
    bytes_clear(out);
    bytes_printf(out, "%s%s%.*s", s->options->out, size > 0 ? "/" : "", (int)size, name);
    return bytes_text(out);
}

static ptl_status open_file(site *s, const char *path, ptl_error *err)
{
    const new_file_options how = {.rule =
                                      s->options->force ? NEW_FILE_REPLACE : NEW_FILE_ABSENT,
                                  .inputs = &s->input,
                                  .input_count = s->has_input};
    return new_file_open(&s->file, path, &how, err);
}

ptl_status site_begin(site *s, ptl_error *err)
{
    s->has_input = file_id_of_path(&s->input, s->options->path);
    if (s->options->single)
        return open_file(s, s->options->out, err);
    return make_folder(s->options->out, &s->made_out, err);
}

ptl_status site_file_begin(site *s, const char *name, ptl_error *err)
{
    const char *slash = strchr(name, '/'), *text;
    bytes path = {.size = 0};
    ptl_status status = PTL_OK;
    bytes_clear(&s->held);
    if (s->options->single)
        return PTL_OK;
    if (slash) {
        text = path_of(&path, s, name, (size_t)(slash - name));
        status = text ? make_folder(text, &s->made_data, err) : error_nomem(err);
    }
    text = path_of(&path, s, name, strlen(name));
    THEN(status, text ? open_file(s, text, err) : error_nomem(err));
    bytes_dispose(&path);
    return status;
}

void site_undo(site *s)
{
    bytes path = {.size = 0};
    const char *text;
    for (size_t at = 0; at < s->written.size; at += strlen(text) + 1) {
        text = (const char *)s->written.data + at;
        const char *full = path_of(&path, s, text, strlen(text));
        if (full)
            (void)file_remove(full);
    }
    text = s->made_data ? path_of(&path, s, "data", 4) : NULL;
    if (text)
        (void)folder_remove(text);
    if (s->made_out)
        (void)folder_remove(s->options->out);
    bytes_dispose(&path);
}

ptl_status site_file_put(void *payload, const void *data, size_t size, ptl_error *err)
{
    site *s = payload;
    s->report.bytes += size;
    if (!s->options->single)
        return new_file_write(&s->file, data, size, err);
    bytes_put(&s->held, data, size);
    if (s->held.size + s->page.size > SINGLE_MAX)
        return error_set(
            err, PTL_ERR_LIMIT,
            "this is too much for one HTML file (%d MB): name a folder, or fewer levels",
            SINGLE_MAX >> 20);
    return s->held.failed ? error_nomem(err) : PTL_OK;
}

ptl_status site_file_end(site *s, const char *name, const bytes *head, ptl_error *err)
{
    if (s->options->single && head)
        memcpy(s->held.data, head->data, head->size);
    if (s->options->single) {
        /* Keeps the finished file in memory, as a member of the JSON object in the page. */
        bytes_printf(&s->page, "%s\n\"%s\":\"", s->page.size > 0 ? "," : "", name);
        bytes_put_base64(&s->page, s->held.data, s->held.size);
        bytes_put_u8(&s->page, '"');
        return s->page.failed ? error_nomem(err) : PTL_OK;
    }
    ptl_status status = PTL_OK;
    const size_t before = s->written.size;
    if (head && !file_write_at(s->file.fd, head->data, head->size, 0))
        status = error_system(err, PTL_ERR_IO, errno, "%s", s->file.path);
    bytes_put(&s->written, name, strlen(name) + 1);
    THEN(status, s->written.failed ? error_nomem(err) : PTL_OK);
    THEN(status, new_file_publish(&s->file, err));
    if (!s->file.has_name || s->file.replaced)
        /* Nothing to remove after an error: the file has no name, or replaced another. */
        s->written.size = before;
    s->report.files += status == PTL_OK;
    new_file_close(&s->file);
    return status;
}

ptl_status site_file(site *s, const char *name, const void *data, size_t size, ptl_error *err)
{
    TRY(site_file_begin(s, name, err));
    TRY(site_file_put(s, data, size, err));
    return site_file_end(s, name, NULL, err);
}

/* ---- the page ---- */

static const char *text_of(const char *name)
{
    for (const page_file *f = page_files; f->name; f++)
        if (strcmp(f->name, name) == 0)
            return f->text;
    return "";
}

/* Appends the text with each occurrence of `from` replaced by `to`. */
static void put_replaced(bytes *out, const char *text, const char *from, const char *to)
{
    for (const char *found; (found = strstr(text, from)) != NULL; text = found + strlen(from)) {
        bytes_put(out, text, (size_t)(found - text));
        bytes_put_text(out, to);
    }
    bytes_put_text(out, text);
}

/* Appends the template up to the line that begins with `from`, and moves *at behind that line.
 */
static void put_up_to(bytes *out, const char **at, const char *from)
{
    const char *found = strstr(*at, from);
    const char *end = found ? found : *at + strlen(*at);
    bytes_put(out, *at, (size_t)(end - *at));
    *at = end + strcspn(end, "\n");
    *at += **at == '\n';
}

/* Puts the page's scripts as one JSON object inside of a script element. No "<" may stand in
 * there, because the browser would take "</script>" for its end; JSON can write it as \u003c.
 */
static void put_scripts(bytes *out)
{
    bytes json = {.size = 0};
    emitter j = {&json, false};
    emit_put(&j, "{");
    for (const page_file *f = page_files; f->name; f++) {
        const size_t length = strlen(f->name);
        if (length > 3 && strcmp(f->name + length - 3, ".js") == 0 &&
            strcmp(f->name, "single.js") != 0)
            emit_key_text(&j, f->name, f->text);
    }
    emit_put(&j, "}");
    const char *text = bytes_text(&json);
    bytes_put_text(out, "<script type=\"application/json\" id=\"modules\">");
    put_replaced(out, text ? text : "", "<", "\\u003c");
    bytes_printf(out, "</script>\n<script>\n%s</script>\n", text_of("single.js"));
    out->failed = out->failed || !text;
    bytes_dispose(&json);
}

/* Writes index.html with everything inside of it, in place of the lines that refer to files:
 * data before the scripts that need it, licences at the end. */
static ptl_status put_single_page(site *s, ptl_error *err)
{
    static const char *const styles[] = {"leaflet.css", "style.css"};
    bytes index = {.size = 0}, out = {.size = 0};
    put_replaced(&index, text_of("index.html"), "<html ", "<html data-site=\"single\" ");
    const char *text = bytes_text(&index), *at = text ? text : "";
    put_up_to(&out, &at, "<link rel=\"icon\"");
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
        put_up_to(&out, &at, "<link rel=\"stylesheet\"");
        bytes_printf(&out, "<style>\n%s</style>\n", text_of(styles[i]));
    }
    put_up_to(&out, &at, "<script type=\"module\"");
    bytes_put_text(&out, "<script type=\"application/json\" id=\"site-files\">{");
    bytes_put(&out, s->page.data, s->page.size);
    bytes_put_text(&out, "}</script>\n");
    put_scripts(&out);
    put_up_to(&out, &at, "</body>");
    bytes_put_text(&out, "<script type=\"text/plain\" id=\"notices\">\n");
    put_replaced(&out, s->options->notices, "<", "&lt;");
    bytes_printf(&out, "</script>\n</body>\n%s", at);
    out.failed = out.failed || !text;
    bytes_dispose(&index);
    ptl_status status =
        out.failed ? error_nomem(err) : new_file_write(&s->file, out.data, out.size, err);
    THEN(status, new_file_publish(&s->file, err));
    s->report.files += status == PTL_OK;
    s->report.bytes = out.size;
    new_file_close(&s->file);
    bytes_dispose(&out);
    return status;
}

/* Writes the page: one file, or the page's files. Of these index.html comes last and says that
 * it belongs to a folder. */
ptl_status site_page(site *s, ptl_error *err)
{
    bytes index = {.size = 0};
    ptl_status status = PTL_OK;
    if (s->options->single)
        return put_single_page(s, err);
    for (const page_file *f = page_files; f->name && status == PTL_OK; f++)
        if (strcmp(f->name, "index.html") != 0 && strcmp(f->name, "single.js") != 0)
            status = site_file(s, f->name, f->text, strlen(f->text), err);
    const char *notices = s->options->notices;
    THEN(status, site_file(s, "NOTICES.txt", notices, strlen(notices), err));
    put_replaced(&index, text_of("index.html"), "<html ", "<html data-site=\"folder\" ");
    THEN(status, index.failed ? error_nomem(err)
                              : site_file(s, "index.html", index.data, index.size, err));
    bytes_dispose(&index);
    return status;
}
