/*
 * The bytes of a connection from nginx, or from an attacker with access to the
 * socket: libfcgi parses them into requests, each of which is answered. Every
 * answer consists of whole FastCGI records.
 */
#include "fuzz.h"

#include <sanitizer/lsan_interface.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/utf8.h"
#include "http/fcgi.h"

enum { HEAD = 8, END_REQUEST = 3 };

/* libfcgi loses 48 bytes for each management record of a type unknown to it. */
const char *
__lsan_default_suppressions(void)
{
	return "leak:libfcgi.so";
}

/* Where the worker listens: an abstract name that the kernel chooses. */
static int
listen_once(struct sockaddr_un *address, socklen_t *size)
{
	static int listener = -1;

	if (listener < 0) {
		*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
		signal(SIGPIPE, SIG_IGN);
		fcgi_start();
		listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
		must(bind(listener, (struct sockaddr *)address,
			 sizeof(sa_family_t)) == 0);
		must(listen(listener, 8) == 0);
	}
	*size = sizeof(*address);
	must(getsockname(listener, (struct sockaddr *)address, size) == 0);
	return listener;
}

/* nginx's side: sends all of the input, and nothing more. */
static int
send_all(const struct sockaddr_un *address, socklen_t size, struct text input)
{
	int nginx = socket(AF_UNIX, SOCK_STREAM, 0);

	must(connect(nginx, (const struct sockaddr *)address, size) == 0);
	must(send(nginx, input.data, input.size, 0) == (ssize_t)input.size);
	must(shutdown(nginx, SHUT_WR) == 0);
	return nginx;
}

static void
check_request(struct arena *arena, struct request *request)
{
	enum http_status status = request_parse(arena, request);

	must(request->body.size <= REQUEST_MAX_BODY);
	must(!request->body_too_large || request->body.size == 0);
	must(fuzz_is_printable(request_target(arena, request)));
	if (status != HTTP_OK) {
		must(status == HTTP_BAD_REQUEST || status == HTTP_NOT_FOUND ||
		    status == HTTP_CONTENT_TOO_LARGE);
		return;
	}
	must(utf8_valid(request->path));
	for (size_t i = 0; i < request->path.size; i++)
		must((unsigned char)request->path.data[i] >= ' ');
	must(request->method == HTTP_POST || request->form.count == 0);
	for (size_t i = 0; i < request->form.count; i++)
		must(utf8_valid(request->form.items[i].value));
}

/* Answers the requests of a connection, as a worker does; returns their number. */
static size_t
serve(int listener)
{
	static struct arena arena;
	struct fcgi_connection *connection = fcgi_accept(listener);
	enum fcgi_result result;
	size_t served = 0;

	must(connection != NULL);
	result = fcgi_next(connection);
	while (result == FCGI_REQUEST) {
		struct request request;
		struct response response = { .status = HTTP_OK };

		fcgi_read(connection, &arena, &request);
		check_request(&arena, &request);
		response.body = request.agent;
		result = fcgi_send(
		    connection, &arena, &response, request.method != HTTP_HEAD);
		served++;
		if (result == FCGI_NOTHING)
			result = fcgi_next(connection);
		arena_reset(&arena);
	}
	return served;
}

/* The number of requests that the records end. */
static size_t
count_ends(const unsigned char *record, size_t size)
{
	size_t ends = 0, length;

	for (; size > 0; record += length, size -= length) {
		must(size >= HEAD && record[0] == 1);
		length = HEAD + (size_t)record[4] * 256 + record[5] + record[6];
		must(size >= length);
		ends += record[1] == END_REQUEST;
	}
	return ends;
}

/*
 * libfcgi allocates as much as the lengths of a name and its value say, without
 * checking their sum: when it overflows, an assertion ends the process, and below
 * that an input with lengths of 256 MB takes seconds. Without bytes this large
 * neither happens.
 */
static bool
has_huge_length(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (data[i] >= 0x84)
			return true;
	return false;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static unsigned char answers[1 << 20];
	struct sockaddr_un address;
	socklen_t address_size;
	size_t served, got = 0;
	int listener, nginx;
	ssize_t some;

	if (has_huge_length(data, size))
		return 0;
	listener = listen_once(&address, &address_size);
	nginx = send_all(&address, address_size, fuzz_text(data, size));
	served = serve(listener);
	while ((some = recv(nginx, answers + got, sizeof(answers) - got,
		    MSG_DONTWAIT)) > 0)
		got += (size_t)some;
	must(some == 0); /* It was closed. */
	must(count_ends(answers, got) >= served);
	close(nginx);
	return 0;
}
