/* Sockets of a server on this machine. errno stays as the system's call left it. */
#ifndef CLIENTS_OS_SOCKET_H
#define CLIENTS_OS_SOCKET_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Listens at a numeric address of this machine, IPv4 or IPv6, and at that port; 0: at any free
 * one. *port becomes the one that it is. Returns a descriptor that no child process gets, or -1
 * with errno, which is EINVAL for what is no numeric address.
 */
int socket_listen(const char *address, uint16_t *port);
/* Nobody waits for it any more: the other side is told, and reading and writing end. */
void socket_shut(int fd);
bool socket_close(int fd);
/* Has the other side closed its end, or gone? */
bool socket_is_left(int fd);

#endif
