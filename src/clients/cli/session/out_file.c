/* A file that a command writes. It gets its name only when it is complete, so an interrupted
 * command never leaves half a file there. */
#include "clients/cli/session/session.h"
#include "clients/os/terminal.h"
#include "core/error.h"

#include <errno.h>

bool out_file_open(out_file *f, const char *path, const char *const *inputs, size_t count)
{
    *f = (out_file){.path = path};
    f->is_stdout = strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
    for (size_t i = 0; i < count && i < OUT_FILE_INPUTS; i++)
        if (file_id_of_path(&f->inputs[f->input_count], inputs[i]))
            f->input_count++;
    const new_file_options options = {.rule = NEW_FILE_REPLACE,
                                      .device = true,
                                      .inputs = f->inputs,
                                      .input_count = f->input_count};
    return f->is_stdout || new_file_open(&f->file, path, &options, &f->err) == PTL_OK;
}

bool out_file_write(void *payload, const void *data, size_t size)
{
    out_file *f = payload;
    if (stop_wanted())
        return false;
    if (!f->is_stdout)
        return new_file_write(&f->file, data, size, &f->err) == PTL_OK;
    out_raw(data, size);
    return out_ok();
}

bool out_file_close(out_file *f, bool keep)
{
    bool good = keep && f->err.status == PTL_OK;
    if (good && !f->is_stdout)
        good = new_file_publish(&f->file, &f->err) == PTL_OK;
    new_file_close(&f->file);
    return good;
}

int out_file_failed(const out_file *f, const char *name)
{
    return report_error(name, NULL, &f->err);
}

int out_file_print(session *s, const char *const *inputs, size_t count,
                   ptl_status (*print)(void *payload, ptl_error *err), void *payload)
{
    const char *name = s->args->command->name, *path = args_value(s->args, "output");
    out_file o;
    int code = EXIT_DONE;
    bool opened = out_file_open(&o, path ? path : "-", inputs, count);
    if (opened && !o.is_stdout && !(out_flush() && stream_lead_to(STREAM_OUTPUT, o.file.fd))) {
        error_system(&o.err, PTL_ERR_IO, errno, "%s", path);
        opened = false;
    }
    if (!opened)
        code = out_file_failed(&o, name);
    else if (print(payload, &s->err) != PTL_OK)
        code = session_failed(s);
    else if (stop_wanted()) /* a signal has stopped the command before the whole result was
                               printed */
        code = stop_tell();
    if (code == EXIT_DONE && !o.is_stdout)
        code = out_finish();
    if (!out_file_close(&o, code == EXIT_DONE) && code == EXIT_DONE)
        code = out_file_failed(&o, name);
    return code;
}
