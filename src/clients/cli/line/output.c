/* Output to standard output and standard error. A failed write is remembered, and told
 * once at the end. */
#include "clients/cli/line/output.h"

#include "clients/cli/line/prose.h"
#include "clients/cli/line/stop.h"
#include "clients/os/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS_MAX = 10000, COLUMNS_USUAL = 80, LINES_USUAL = 24, COLUMNS_LEAST = 20 };

static int32_t from_environment(const char *name, int32_t otherwise)
{
    const char *text = getenv(name);
    int64_t value;
    return text && parse_int(text, 1, CELLS_MAX, &value) ? (int32_t)value : otherwise;
}

terminal_size terminal_measure(void)
{
    terminal_size size;
    terminal_cells(STREAM_OUTPUT, &size.columns, &size.lines);
    size.columns = from_environment("COLUMNS", size.columns > 0 ? size.columns : COLUMNS_USUAL);
    size.lines = from_environment("LINES", size.lines > 0 ? size.lines : LINES_USUAL);
    return size;
}

size_t terminal_columns(int fd)
{
    int32_t columns = 0, lines;
    if (terminal_is(fd)) {
        terminal_cells(fd, &columns, &lines);
        columns = columns > 0 ? columns : COLUMNS_USUAL;
    }
    columns = from_environment("COLUMNS", columns);
    return columns == 0 ? 0 : (size_t)(columns < COLUMNS_LEAST ? COLUMNS_LEAST : columns);
}

/* ---- standard output ---- */

/* errno of the first failed write. ferror() only tells that one failed, not why. */
static int first_errno;

static void note_failure(void)
{
    if (first_errno != 0 || !ferror(stdout))
        return;
    first_errno = errno;
    if (first_errno == EPIPE)
        stop_on_broken_pipe();
}

void out_raw(const void *data, size_t size)
{
    if (size > 0 && out_ok() && fwrite(data, 1, size, stdout) < size)
        note_failure();
}

static void to_stdout_raw(void *payload, const char *text, size_t size)
{
    (void)payload;
    out_raw(text, size);
}

/* Wraps what is printed between out_prose_begin and out_prose_end. Its width is 0 otherwise,
 * which lets text pass unchanged. */
static prose out_sentences;

static void to_stdout(void *payload, const char *text, size_t size)
{
    prose_put(&out_sentences, to_stdout_raw, payload, text, size);
}

void out_prose_of(size_t width, size_t indent)
{
    out_sentences = (prose){.width = width, .indent = indent};
}

void out_prose_begin(size_t indent)
{
    out_prose_of(terminal_columns(STREAM_OUTPUT), indent);
}

void out_prose_end(void)
{
    prose_flush(&out_sentences, to_stdout_raw, NULL);
    out_sentences.width = 0;
}

void out_text(const char *text)
{
    visible_write(to_stdout, NULL, text, strlen(text), VISIBLE_NEWLINE | VISIBLE_TAB);
}

void out_visible(const char *text, size_t size)
{
    visible_write(to_stdout, NULL, text, size, VISIBLE_LINE);
}

void out_printf(const char *format, ...)
{
    va_list list;
    if (!out_ok())
        return;
    va_start(list, format);
    visible_vprintf(to_stdout, NULL, format, list);
    va_end(list);
}

bool out_ok(void)
{
    return !ferror(stdout);
}

bool out_flush(void)
{
    if (fflush(stdout) != 0)
        note_failure();
    return out_ok();
}

int out_finish(void)
{
    if (out_flush())
        return EXIT_DONE;
    if (first_errno == EINTR && stop_wanted())
        return stop_tell();
    if (!stop_is_silent())
        tell("portolan: writing to standard output failed: %s\n", strerror(first_errno));
    return EXIT_FAILED;
}

/* ---- standard error ---- */

/* A buffer for one message, because stderr is unbuffered and would write each piece by itself.
 * It has a fixed size: the message may be that memory is out. */
typedef struct message {
    char text[1024];
    size_t size;
} message;

static void flush_message(message *m)
{
    (void)fwrite(m->text, 1, m->size, stderr); /* a failure could not be told anywhere */
    m->size = 0;
}

static void to_message(void *payload, const char *text, size_t size)
{
    message *m = payload;
    while (size > 0) {
        if (m->size == sizeof m->text)
            flush_message(m);
        const size_t room = sizeof m->text - m->size, part = size < room ? size : room;
        memcpy(m->text + m->size, text, part);
        m->size += part;
        text += part;
        size -= part;
    }
}

/* Wraps messages on a terminal. It is kept between calls because one message often takes
 * several of them. */
static prose err_sentences;

static void to_sentences(void *payload, const char *text, size_t size)
{
    prose_put(&err_sentences, to_message, payload, text, size);
}

void vtell(const char *format, va_list list)
{
    message m;
    m.size = 0;
    if (err_sentences.size == 0 && terminal_is(STREAM_ERRORS))
        err_sentences.width = terminal_columns(STREAM_ERRORS);
    if (format[0] == '\r') { /* redraws the current line, so it is not wrapped */
        prose_flush(&err_sentences, to_message, &m);
        err_sentences.column = 0;
        visible_vprintf(to_message, &m, format, list);
    } else {
        visible_vprintf(to_sentences, &m, format, list);
    }
    flush_message(&m);
}

void tell_lines(const char *text)
{
    message m;
    const size_t size = strlen(text);
    m.size = 0;
    visible_write(to_sentences, &m, text, size, VISIBLE_NEWLINE | VISIBLE_TAB);
    if (size > 0 && text[size - 1] != '\n')
        to_sentences(&m, "\n", 1);
    flush_message(&m);
}

void tell(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vtell(format, list);
    va_end(list);
}
