/*
 * Stream sockets for other processes of this machine: at an absolute path, or one relative
 * to the working directory, or at a loopback port, "127.0.0.1:9464".
 */
#pragma once

#include "base/text.h"

/* Whether it is an absolute path or a loopback port. */
bool local_socket_is_address(struct text address);

/*
 * Returns a non-blocking listening socket, at a path in place of any file there, for its
 * owner and group. -1, and logged, when that is not possible.
 */
int local_socket_listen(struct text address, int backlog);

/* Returns a connected socket, whose reads and writes fail after so many seconds; -1 with
 * errno. */
int local_socket_connect(struct text address, int seconds);
