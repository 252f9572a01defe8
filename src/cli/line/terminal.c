#include "cli/line/terminal.h"

#include "cli/line/options.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { CELLS_MAX = 10000, COLUMNS_USUAL = 80, COLUMNS_LEAST = 20 };

static int32_t from_environment(const char *name, int32_t otherwise)
{
    const char *text = getenv(name);
    int64_t value;
    return text && parse_int(text, 1, CELLS_MAX, &value) ? (int32_t)value : otherwise;
}

terminal_size terminal_measure(void)
{
    terminal_size size = {80, 24};
    struct winsize window;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0) {
        if (window.ws_col > 0)
            size.columns = window.ws_col;
        if (window.ws_row > 0)
            size.lines = window.ws_row;
    }
    size.columns = from_environment("COLUMNS", size.columns);
    size.lines = from_environment("LINES", size.lines);
    return size;
}

bool terminal_is(int fd)
{
    return isatty(fd) == 1;
}

size_t terminal_columns(int fd)
{
    struct winsize window;
    int32_t columns = 0;
    if (terminal_is(fd)) {
        const bool known = ioctl(fd, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
        columns = known ? window.ws_col : COLUMNS_USUAL;
    }
    columns = from_environment("COLUMNS", columns);
    return columns == 0 ? 0 : (size_t)(columns < COLUMNS_LEAST ? COLUMNS_LEAST : columns);
}
