#include "clients/cli/line/terminal.h"

#include "clients/cli/line/options.h"
#include "clients/os/terminal.h"

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
