/* Listening sockets of a server. A function that fails leaves the error of the system call in
 * errno. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Listens at a numeric IPv4 or IPv6 address of this machine and at *port; 0: any free port.
 * *port becomes the port in use. Returns a descriptor that child processes do not inherit, or
 * -1 with errno; EINVAL: the address is not numeric.
 */
int socket_listen(const char *address, uint16_t *port);
/* Ends a connection without closing its descriptor: the other side is notified, and blocked
 * reads and writes on the connection return. */
void socket_shut(int fd);
bool socket_close(int fd);
/* Returns whether the other side has closed the connection. Does not wait. */
bool socket_is_left(int fd);
