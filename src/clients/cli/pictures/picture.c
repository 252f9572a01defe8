/* Options and files of pictures, which several commands share. */
#include "clients/cli/pictures/picture.h"

#include "clients/os/terminal.h"

#include <strings.h>

/* ---- options ---- */

int color_from_args(const args *a, bool *out)
{
    const char *when = args_value(a, "color"), *no_color = getenv("NO_COLOR");
    *out = terminal_is(STREAM_OUTPUT) && !(no_color && no_color[0]);
    if (!when || strcmp(when, "auto") == 0)
        return EXIT_DONE;
    *out = strcmp(when, "always") == 0;
    if (!*out && strcmp(when, "never") != 0)
        return usage_error(a, "--color '%s' is none of auto, always, never", when);
    return EXIT_DONE;
}

int tide_from_args(const args *a, int64_t least, int64_t out[2])
{
    static const int64_t most = INT64_C(1000000000);
    const char *text = args_value(a, "tide");
    if (!text)
        return EXIT_DONE;
    if (!parse_span(text, least, most, out) || out[1] < out[0])
        return usage_error(a, "--tide '%s' is not TURN or TURN..TURN", text);
    if (out[1] - out[0] >= PTL_TIDE_FRAMES_MAX)
        return usage_error(a, "--tide '%s': an animation has up to %d turns", text,
                           PTL_TIDE_FRAMES_MAX);
    if (out[1] != out[0] && !args_has(a, "png"))
        return usage_error(a, "--tide '%s': several turns are an animation: give --png OUT.png",
                           text);
    return EXIT_DONE;
}

int picture_path_check(const args *a, const char *option)
{
    const char *path = args_value(a, option);
    file_facts facts;
    if (!path || strcmp(path, "-") == 0 ||
        (file_look(&facts, path) && facts.kind != FILE_REGULAR))
        return EXIT_DONE;
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    if (dot && strcasecmp(dot, ".png") != 0)
        return usage_error(a, "--%s '%s': pictures are PNG; name it '%.*s.png'", option, path,
                           (int)(dot - path), path);
    return EXIT_DONE;
}

/* ---- the file ---- */

int picture_end(session *s, out_file *file, ptl_status status)
{
    const bool closed = out_file_close(file, status == PTL_OK);
    progress_end(&s->shown);
    if (status == PTL_OK && closed)
        return EXIT_DONE;
    if (status != PTL_OK && stop_wanted())
        return stop_tell();
    if (status != PTL_OK && !out_ok())
        return EXIT_FAILED;
    return file->err.status != PTL_OK ? out_file_failed(file, s->args->command->name)
                                      : session_failed(s);
}

int picture_write(session *s, const char *path, const ptl_render_options *wanted)
{
    ptl_render_options o = *wanted;
    out_file file;
    o.on_progress = progress_count;
    o.payload = &s->shown;
    if (!out_file_open(&file, path, s->args->operands, 1))
        return out_file_failed(&file, s->args->command->name);
    progress_begin(&s->shown, "rows");
    s->shown.patience = 1;
    return picture_end(s, &file,
                       ptl_render_png_write(s->world, &o, out_file_write, &file, &s->err));
}
