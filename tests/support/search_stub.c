#include "search_stub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "fixture.h"

/* Reads a line of the protocol: the number behind its first byte, -1 at the end. */
static long
read_number(FILE *in)
{
	char line[64];

	return fgets(line, sizeof(line), in) == NULL
	    ? -1
	    : strtol(line + 1, NULL, 10);
}

/* Reads a command and joins its words; false at the end. */
static bool
read_command(FILE *in, char *command)
{
	long words = read_number(in);
	size_t size = 0;

	for (long i = 0; i < words; i++) {
		long length = read_number(in);

		if (length < 0 || size + (size_t)length + 3 > SEARCH_STUB_BYTES)
			return false;
		if (i > 0)
			command[size++] = '|';
		if (fread(command + size, 1, (size_t)length + 2, in) !=
		    (size_t)length + 2)
			return false;
		size += (size_t)length;
	}
	command[size] = '\0';
	return words > 0;
}

static const char *
answer_to(struct search_stub *stub, const char *command, char *answer)
{
	if (strcmp(command, "PING") == 0)
		return "+PONG\r\n";
	if (strcmp(command, "STATE") == 0)
		return "*2\r\n$8\r\nbuilding\r\n:43\r\n";
	pthread_mutex_lock(&stub->lock);
	strcpy(stub->asked, command);
	strcpy(answer, stub->answer);
	pthread_mutex_unlock(&stub->lock);
	stub->searches++;
	return answer;
}

static void
serve_client(struct search_stub *stub, int client)
{
	FILE *in = fdopen(dup(client), "r");
	char command[SEARCH_STUB_BYTES], answer[SEARCH_STUB_BYTES];

	while (in != NULL && read_command(in, command)) {
		const char *bytes = answer_to(stub, command, answer);

		if (send(client, bytes, strlen(bytes), MSG_NOSIGNAL) < 0)
			break;
	}
	if (in != NULL)
		fclose(in);
	stub->client = -1;
	close(client);
}

/* One client at a time: a test has one. */
static void *
serve(void *data)
{
	struct search_stub *stub = data;
	int client;

	while ((client = accept(stub->listener, NULL, NULL)) >= 0) {
		stub->client = client;
		serve_client(stub, client);
	}
	return NULL;
}

void
search_stub_open(struct search_stub *stub, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	*stub =
	    (struct search_stub){ .listener = socket(AF_UNIX, SOCK_STREAM, 0),
		    .client = -1 };
	snprintf(stub->path, sizeof(stub->path), "%s", path);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	unlink(path);
	pthread_mutex_init(&stub->lock, NULL);
	search_stub_find(stub, "exact", 0, "");
	if (bind(stub->listener, (struct sockaddr *)&address,
		sizeof(address)) != 0 ||
	    listen(stub->listener, 8) != 0 ||
	    pthread_create(&stub->thread, NULL, serve, stub) != 0)
		fail_msg("cannot stand in for the search process");
}

void
search_stub_close(struct search_stub *stub)
{
	shutdown(stub->listener, SHUT_RDWR);
	if (stub->client >= 0)
		shutdown(stub->client, SHUT_RDWR);
	pthread_join(stub->thread, NULL);
	close(stub->listener);
	unlink(stub->path);
	pthread_mutex_destroy(&stub->lock);
}

void
search_stub_find(
    struct search_stub *stub, const char *outcome, int total, const char *ids)
{
	char list[SEARCH_STUB_BYTES / 2] = "", copy[SEARCH_STUB_BYTES / 4];
	char bytes[SEARCH_STUB_BYTES], *rest;
	size_t size = 0;
	int count = 0;

	snprintf(copy, sizeof(copy), "%s", ids);
	for (char *id = strtok_r(copy, " ", &rest); id != NULL;
	    id = strtok_r(NULL, " ", &rest)) {
		size += (size_t)snprintf(list + size, sizeof(list) - size,
		    "$%zu\r\n%s\r\n", strlen(id), id);
		count++;
	}
	snprintf(bytes, sizeof(bytes), "*3\r\n$%zu\r\n%s\r\n:%d\r\n*%d\r\n%s",
	    strlen(outcome), outcome, total, count, list);
	search_stub_answer(stub, bytes);
}

void
search_stub_answer(struct search_stub *stub, const char *bytes)
{
	pthread_mutex_lock(&stub->lock);
	snprintf(stub->answer, sizeof(stub->answer), "%s", bytes);
	pthread_mutex_unlock(&stub->lock);
}
