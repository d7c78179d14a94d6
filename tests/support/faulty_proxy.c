#include "faulty_proxy.h"

#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "fixture.h"

enum { REQUEST_MAX = 65536 };

static struct sockaddr_un
address_of(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	return address;
}

static bool
forward(int to, const char *bytes, ssize_t size)
{
	return write(to, bytes, (size_t)size) == size;
}

/* False when the connection has to be closed. */
static bool
forward_request(struct faulty_proxy *proxy, int client, int redis)
{
	static const char handshake[] = "*1\r\n$4\r\nPING\r\n";
	char bytes[REQUEST_MAX];
	ssize_t size = read(client, bytes, sizeof(bytes));
	bool counted = size != (ssize_t)strlen(handshake) ||
	    memcmp(bytes, handshake, strlen(handshake)) != 0;

	if (size <= 0 || !forward(redis, bytes, size))
		return false;
	if (!counted || ++proxy->requests != proxy->drop_at)
		return true;
	/* Redis has executed the request once its reply is here. */
	(void)!read(redis, bytes, sizeof(bytes));
	return false;
}

static bool
forward_reply(int client, int redis)
{
	char bytes[REQUEST_MAX];
	ssize_t size = read(redis, bytes, sizeof(bytes));

	return size > 0 && forward(client, bytes, size);
}

static void
serve(struct faulty_proxy *proxy, int client, int redis)
{
	struct pollfd ends[] = { { .fd = client, .events = POLLIN },
		{ .fd = redis, .events = POLLIN } };
	bool open = true;

	while (open && poll(ends, 2, -1) > 0) {
		if (ends[1].revents != 0)
			open = forward_reply(client, redis);
		if (open && ends[0].revents != 0)
			open = forward_request(proxy, client, redis);
	}
}

static void *
run(void *data)
{
	struct faulty_proxy *proxy = data;
	struct sockaddr_un address = address_of(proxy->redis);
	int client;

	while ((client = accept(proxy->listener, NULL, NULL)) >= 0) {
		int redis = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

		if (connect(redis, (struct sockaddr *)&address,
			sizeof(address)) == 0)
			serve(proxy, client, redis);
		close(redis);
		close(client);
	}
	return NULL;
}

void
faulty_proxy_open(
    struct faulty_proxy *proxy, const char *path, const char *redis)
{
	struct sockaddr_un address = address_of(path);

	snprintf(proxy->path, sizeof(proxy->path), "%s", path);
	snprintf(proxy->redis, sizeof(proxy->redis), "%s", redis);
	proxy->requests = proxy->drop_at = 0;
	proxy->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(
	    bind(proxy->listener, (struct sockaddr *)&address, sizeof(address)),
	    0);
	assert_int_equal(listen(proxy->listener, 4), 0);
	assert_int_equal(pthread_create(&proxy->thread, NULL, run, proxy), 0);
}

/* The client has closed its end. */
void
faulty_proxy_close(struct faulty_proxy *proxy)
{
	shutdown(proxy->listener, SHUT_RDWR);
	pthread_join(proxy->thread, NULL);
	close(proxy->listener);
}
