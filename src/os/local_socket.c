#include "os/local_socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/log.h"

#define LOOPBACK TEXT("127.0.0.1:")

union any_address {
	struct sockaddr any;
	struct sockaddr_un path;
	struct sockaddr_in port;
};

static bool
read_port(struct text address, struct sockaddr_in *port)
{
	uint64_t number;

	if (!text_starts(address, LOOPBACK) ||
	    !text_to_u64(
		text_slice(address, LOOPBACK.size, address.size), &number) ||
	    number == 0 || number > UINT16_MAX)
		return false;
	*port = (struct sockaddr_in){ .sin_family = AF_INET,
		.sin_port = htons((uint16_t)number),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	return true;
}

bool
local_socket_is_address(struct text address)
{
	struct sockaddr_in port;

	return text_starts(address, TEXT("/")) || read_port(address, &port);
}

/* Returns the size of the address; 0 with errno when the path is too long. */
static socklen_t
read_address(struct text text, union any_address *address)
{
	memset(address, 0, sizeof(*address));
	if (read_port(text, &address->port))
		return sizeof(address->port);
	errno = ENAMETOOLONG;
	if (text.size >= sizeof(address->path.sun_path))
		return 0;
	address->path.sun_family = AF_UNIX;
	memcpy(address->path.sun_path, text.data, text.size);
	return sizeof(address->path);
}

/* Makes a path's socket accessible to its owner and group; a port can be used again at
 * once. */
static bool
bind_and_listen(
    int file, const union any_address *address, socklen_t size, int backlog)
{
	const char *path = address->path.sun_path;
	bool has_path = address->any.sa_family == AF_UNIX;
	const int on = 1;

	if (has_path)
		unlink(path);
	else
		setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	return bind(file, &address->any, size) == 0 &&
	    (!has_path || chmod(path, 0660) == 0) && listen(file, backlog) == 0;
}

static int
close_failed(int file)
{
	int error = errno;

	close(file);
	errno = error;
	return -1;
}

int
local_socket_listen(struct text text, int backlog)
{
	union any_address address;
	socklen_t size = read_address(text, &address);
	int file = size == 0
	    ? -1
	    : socket(address.any.sa_family,
		  SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (file >= 0 && !bind_and_listen(file, &address, size, backlog))
		file = close_failed(file);
	if (file < 0)
		log_line("cannot listen on %.*s: %s", TEXT_ARGS(text),
		    strerror(errno));
	return file;
}

int
local_socket_connect(struct text text, int seconds)
{
	const struct timeval timeout = { .tv_sec = seconds };
	union any_address address;
	socklen_t size = read_address(text, &address);
	int file = size == 0
	    ? -1
	    : socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (file < 0)
		return -1;
	setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
	return connect(file, &address.any, size) == 0 ? file
						      : close_failed(file);
}
