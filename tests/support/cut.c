#include "cut.h"

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
pass(int to, const char *bytes, ssize_t size)
{
	return write(to, bytes, (size_t)size) == size;
}

/* False when the line ends. */
static bool
pass_request(struct cut *cut, int client, int redis)
{
	static const char greeting[] = "*1\r\n$4\r\nPING\r\n";
	char bytes[REQUEST_MAX];
	ssize_t size = read(client, bytes, sizeof(bytes));
	bool counts = size != (ssize_t)strlen(greeting) ||
	    memcmp(bytes, greeting, strlen(greeting)) != 0;

	if (size <= 0 || !pass(redis, bytes, size))
		return false;
	if (!counts || ++cut->requests != cut->at)
		return true;
	/* What has come is the answer to what was carried out. */
	(void)!read(redis, bytes, sizeof(bytes));
	return false;
}

static bool
pass_answer(int client, int redis)
{
	char bytes[REQUEST_MAX];
	ssize_t size = read(redis, bytes, sizeof(bytes));

	return size > 0 && pass(client, bytes, size);
}

static void
serve(struct cut *cut, int client, int redis)
{
	struct pollfd ends[] = { { .fd = client, .events = POLLIN },
		{ .fd = redis, .events = POLLIN } };
	bool goes_on = true;

	while (goes_on && poll(ends, 2, -1) > 0) {
		if (ends[1].revents != 0)
			goes_on = pass_answer(client, redis);
		if (goes_on && ends[0].revents != 0)
			goes_on = pass_request(cut, client, redis);
	}
}

static void *
run(void *data)
{
	struct cut *cut = data;
	struct sockaddr_un address = address_of(cut->redis);
	int client;

	while ((client = accept(cut->listener, NULL, NULL)) >= 0) {
		int redis = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

		if (connect(redis, (struct sockaddr *)&address,
			sizeof(address)) == 0)
			serve(cut, client, redis);
		close(redis);
		close(client);
	}
	return NULL;
}

void
cut_open(struct cut *cut, const char *path, const char *redis)
{
	struct sockaddr_un address = address_of(path);

	snprintf(cut->path, sizeof(cut->path), "%s", path);
	snprintf(cut->redis, sizeof(cut->redis), "%s", redis);
	cut->requests = cut->at = 0;
	cut->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(
	    bind(cut->listener, (struct sockaddr *)&address, sizeof(address)),
	    0);
	assert_int_equal(listen(cut->listener, 4), 0);
	assert_int_equal(pthread_create(&cut->thread, NULL, run, cut), 0);
}

/* The client has closed its end. */
void
cut_close(struct cut *cut)
{
	shutdown(cut->listener, SHUT_RDWR);
	pthread_join(cut->thread, NULL);
	close(cut->listener);
}
