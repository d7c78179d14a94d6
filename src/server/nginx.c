#include "server/nginx.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "os/privileges.h"
#include "os/process.h"
#include "server/assets.h"
#include "server/site_dir.h"

enum { START_MS = 15000, POLL_MS = 20 };

struct nginx {
	const char *program;
	struct sockaddr_storage address;
	socklen_t address_size;
	int64_t port;
};

/* Replaces the first occurrence of a mark in a text by a value. */
static struct text
replace_mark(
    struct arena *arena, struct text text, struct text mark, struct text value)
{
	const char *found = memmem(text.data, text.size, mark.data, mark.size);
	size_t at;

	if (found == NULL)
		return text;
	at = (size_t)(found - text.data);
	return text_format(arena, "%.*s%.*s%.*s",
	    TEXT_ARGS(text_slice(text, 0, at)), TEXT_ARGS(value),
	    TEXT_ARGS(text_slice(text, at + mark.size, text.size)));
}

static struct text
read_config_template(struct arena *arena, const char *path)
{
	int file = file_open(AT_FDCWD, path);
	struct text content;

	if (file < 0 || !file_read(arena, file, &content))
		log_fatal("cannot read %s: %s", path, strerror(errno));
	return content;
}

bool
nginx_copy_files(struct arena *arena, const struct config *config)
{
	struct text share = config->share, own = config->overrides;

	return assets_copy(
		   arena, text_join(arena, share, TEXT("/static")), "static") &&
	    assets_copy(
		arena, text_join(arena, share, TEXT("/nginx")), "nginx") &&
	    assets_copy(
		arena, text_join(arena, own, TEXT("/static")), "own/static");
}

/* All file names in the configuration are relative to the site's folder. */
static void
write_nginx_config(struct arena *arena, const struct config *config)
{
	struct text text;

	if (!nginx_copy_files(arena, config))
		exit(1);
	text = read_config_template(arena, "nginx/up.conf");
	text = replace_mark(arena, text, TEXT("@LISTEN@"),
	    text_format(arena, "%.*s:%lld", TEXT_ARGS(config->address),
		(long long)config->port));
	text = replace_mark(arena, text, TEXT("@CACHE_OFF@"),
	    config->cache == 0 ? TEXT("1") : TEXT("0"));
	text = replace_mark(arena, text, TEXT("@USER@"),
	    geteuid() == 0 ? TEXT("user root;") : TEXT(""));
	if (!site_dir_write(arena, "nginx.conf", text, 0600))
		exit(1);
	mkdir("nginx-temp", 0700);
}

static void
run_nginx(void *data)
{
	const struct nginx *nginx = data;

	process_init(
	    nginx->port < 1024 ? PRIVILEGES_LOW_PORTS : PRIVILEGES_NONE);
	execl(nginx->program, "nginx", "-p", ".", "-c", "nginx.conf", "-e",
	    "nginx-error.log", (char *)NULL);
	log_line("cannot start nginx: %s", strerror(errno));
	_exit(127);
}

static void
resolve_address(
    struct arena *arena, const struct config *config, struct nginx *nginx)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
		.ai_flags = AI_PASSIVE },
			*found = NULL;
	int error = getaddrinfo(text_string(arena, config->address),
	    text_string(arena, text_number(arena, config->port)), &hints,
	    &found);

	if (error != 0)
		log_fatal("TALLY_ADDRESS is not a valid address: %s",
		    gai_strerror(error));
	memcpy(&nginx->address, found->ai_addr, found->ai_addrlen);
	nginx->address_size = found->ai_addrlen;
	freeaddrinfo(found);
}

static int
open_socket(const struct nginx *nginx)
{
	int opened =
	    socket(nginx->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (opened < 0)
		log_fatal("cannot create a socket: %s", strerror(errno));
	return opened;
}

/* Otherwise nginx would report it, in its log and after everything has started. */
static void
check_port(const struct nginx *nginx)
{
	int on = 1, bound, test = open_socket(nginx);

	setsockopt(test, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	privileges_raise();
	bound = bind(test, (const struct sockaddr *)&nginx->address,
	    nginx->address_size);
	privileges_lower();
	if (bound != 0)
		log_fatal("cannot use port %lld: %s", (long long)nginx->port,
		    strerror(errno));
	close(test);
}

/* Whether nginx passes a request to a worker and back. */
static bool
serves_page(const struct nginx *nginx)
{
	static const char request[] =
	    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: "
	    "close\r\n\r\n";
	struct timeval timeout = { 2, 0 };
	char answer[16] = { 0 };
	int connection = open_socket(nginx);
	bool good;

	setsockopt(
	    connection, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	good = connect(connection, (const struct sockaddr *)&nginx->address,
		   nginx->address_size) == 0 &&
	    send(connection, request, sizeof(request) - 1, MSG_NOSIGNAL) > 0 &&
	    recv(connection, answer, sizeof(answer) - 1, MSG_WAITALL) > 0 &&
	    strncmp(answer, "HTTP/1.1 200", 12) == 0;
	close(connection);
	return good;
}

struct nginx *
nginx_prepare(struct arena *arena, const struct config *config)
{
	struct nginx *nginx = arena_new(arena, struct nginx, 1);

	nginx->port = config->port;
	resolve_address(arena, config, nginx);
	check_port(nginx);
	nginx->program = process_find_program(arena, "nginx", NULL);
	write_nginx_config(arena, config);
	return nginx;
}

bool
nginx_start(struct nginx *nginx, struct supervisor *supervisor)
{
	supervisor_add(supervisor, "nginx", SIGQUIT, run_nginx, nginx);
	supervisor_rotate_log(supervisor, "nginx", "nginx-error.log", SIGUSR1);
	for (int waited = 0; waited < START_MS; waited += POLL_MS) {
		if (serves_page(nginx))
			return true;
		if (supervisor_wait_for_failure(supervisor, POLL_MS))
			break;
	}
	return false;
}
