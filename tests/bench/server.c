#include "server.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/log.h"
#include "http/fcgi.h"

enum { BACKLOG = 1024, EVENTS = 64 };

struct server {
	int listener, epoll;
	server_answer *answer;
	void *data;
	struct arena arena;
};

static int
listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int listener =
	    socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (strlen(path) >= sizeof(address.sun_path))
		log_fatal("%s: the path is too long for a socket", path);
	strcpy(address.sun_path, path);
	if (listener < 0 ||
	    bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0 ||
	    listen(listener, BACKLOG) != 0)
		log_fatal(
		    "%s cannot be listened on: %s", path, strerror(errno));
	return listener;
}

/* connection is NULL for the listening socket. */
static void
watch(const struct server *server, int descriptor, uint32_t events,
    struct fcgi_connection *connection)
{
	struct epoll_event event = { .events = events, .data.ptr = connection };

	if (epoll_ctl(server->epoll, EPOLL_CTL_ADD, descriptor, &event) != 0)
		log_fatal("a descriptor cannot be polled: %s", strerror(errno));
}

static void
answer(struct server *server, struct fcgi_connection *connection)
{
	struct response response = { .status = HTTP_OK };
	struct request request;

	fcgi_read(connection, &server->arena, &request);
	server->answer(server->data, &server->arena, &request, &response);
	/* A closed connection is freed already, and no longer polled. */
	(void)fcgi_send(
	    connection, &server->arena, &response, request.method != HTTP_HEAD);
	arena_reset(&server->arena);
}

static void
accept_connection(struct server *server)
{
	struct fcgi_connection *connection = fcgi_accept(server->listener);

	if (connection != NULL)
		watch(server, fcgi_descriptor(connection), EPOLLIN | EPOLLET,
		    connection);
}

_Noreturn static void
run_worker(struct server *server)
{
	struct epoll_event events[EVENTS];

	signal(SIGPIPE, SIG_IGN);
	fcgi_start();
	server->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (server->epoll < 0)
		log_fatal("epoll_create1: %s", strerror(errno));
	watch(server, server->listener, EPOLLIN | EPOLLEXCLUSIVE, NULL);
	for (;;) {
		int count = epoll_wait(server->epoll, events, EVENTS, -1);

		for (int i = 0; i < count; i++) {
			struct fcgi_connection *connection = events[i].data.ptr;

			if (connection == NULL)
				accept_connection(server);
			else if (fcgi_next(connection) == FCGI_REQUEST)
				answer(server, connection);
		}
	}
}

_Noreturn void
server_run(
    const char *path, int workers, server_answer *answer_with, void *data)
{
	struct server server = {
		.listener = listen_at(path), .answer = answer_with, .data = data
	};
	pid_t parent = getpid();

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	for (int i = 0; i < workers; i++) {
		pid_t pid = fork();

		if (pid < 0)
			log_fatal(
			    "a worker cannot be started: %s", strerror(errno));
		if (pid > 0)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == parent)
			run_worker(&server);
		_exit(1);
	}
	for (;;)
		pause();
}
