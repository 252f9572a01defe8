#include "clients/os/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_is(int fd)
{
    return isatty(fd) == 1;
}

void terminal_cells(int fd, int32_t *columns, int32_t *lines)
{
    struct winsize window;
    const bool known = ioctl(fd, TIOCGWINSZ, &window) == 0;
    *columns = known ? window.ws_col : 0;
    *lines = known ? window.ws_row : 0;
}

bool stream_lead_to(int stream, int fd)
{
    return dup2(fd, stream) >= 0;
}
