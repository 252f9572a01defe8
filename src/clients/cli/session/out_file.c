/* A file that a command writes. It gets its name only when it is complete, so an interrupted
 * command never leaves half a file there. */
#include "clients/cli/session/session.h"

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
