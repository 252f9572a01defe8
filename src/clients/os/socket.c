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

int socket_listen(const char *address, uint16_t *port)
{
    any_address at;
    socklen_t size = 0;
    memset(&at, 0, sizeof at);
    if (inet_pton(AF_INET, address, &at.v4.sin_addr) == 1) {
        at.v4.sin_family = AF_INET;
        at.v4.sin_port = htons(*port);
        size = sizeof at.v4;
    } else if (inet_pton(AF_INET6, address, &at.v6.sin6_addr) == 1) {
        at.v6.sin6_family = AF_INET6;
        at.v6.sin6_port = htons(*port);
        size = sizeof at.v6;
    } else {
        errno = EINVAL; /* the address is not numeric */
    }
    const int fd = size > 0 ? socket(at.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
    if (fd < 0)
        return -1;
    /* SO_REUSEADDR lets a server that is restarted use its port again at once. */
    const int on = 1;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(fd, &at.any, size) != 0 || listen(fd, WAITING_MAX) != 0 ||
        getsockname(fd, &at.any, &size) != 0) {
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
