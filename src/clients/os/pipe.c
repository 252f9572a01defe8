#include "clients/os/pipe.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

unsigned pipe_wait(int in, int out, int milliseconds)
{
    struct pollfd both[] = {{.fd = in, .events = POLLIN}, {.fd = out, .events = POLLOUT}};
    if (poll(both, 2, milliseconds) <= 0)
        return 0;
    return (both[0].revents ? PIPE_IN : 0) | (both[1].revents ? PIPE_OUT : 0);
}

ptrdiff_t pipe_read(int in, void *to, size_t size)
{
    ptrdiff_t got;
    do
        got = read(in, to, size);
    while (got < 0 && errno == EINTR);
    return got;
}

ptrdiff_t pipe_write(int out, const void *from, size_t size)
{
    ptrdiff_t put;
    do
        put = write(out, from, size < PIPE_STEP ? size : PIPE_STEP);
    while (put < 0 && errno == EINTR);
    return put;
}
