#include "clients/os/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WAITING_MAX = 64 };

typedef union any_address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} any_address;

/* Returns the size of the address; 0 with errno EINVAL if the text is no numeric address. */
static socklen_t address_of(any_address *out, const char *text, uint16_t port)
{
    memset(out, 0, sizeof *out);
    if (inet_pton(AF_INET, text, &out->v4.sin_addr) == 1) {
        out->v4.sin_family = AF_INET;
        out->v4.sin_port = htons(port);
        return sizeof out->v4;
    }
    if (inet_pton(AF_INET6, text, &out->v6.sin6_addr) == 1) {
        out->v6.sin6_family = AF_INET6;
        out->v6.sin6_port = htons(port);
        return sizeof out->v6;
    }
    errno = EINVAL;
    return 0;
}

/* SO_REUSEADDR: a server that is restarted can use its port again at once. */
static bool listen_at(int fd, const any_address *address, socklen_t size)
{
    const int on = 1;
    return setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
           bind(fd, &address->any, size) == 0 && listen(fd, WAITING_MAX) == 0;
}

int socket_listen(const char *address, uint16_t *port)
{
    any_address at;
    socklen_t size = address_of(&at, address, *port);
    const int fd = size > 0 ? socket(at.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
    if (fd < 0)
        return -1;
    if (!listen_at(fd, &at, size) || getsockname(fd, &at.any, &size) != 0) {
        const int code = errno;
        (void)close(fd);
        errno = code;
        return -1;
    }
    *port = ntohs(at.any.sa_family == AF_INET6 ? at.v6.sin6_port : at.v4.sin_port);
    return fd;
}

void socket_shut(int fd)
{
    (void)shutdown(fd, SHUT_RDWR);
}

bool socket_close(int fd)
{
    return close(fd) == 0;
}

bool socket_is_left(int fd)
{
    struct pollfd one = {.fd = fd, .events = POLLRDHUP};
    return poll(&one, 1, 0) > 0 && (one.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL));
}
