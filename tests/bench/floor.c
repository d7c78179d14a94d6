/*
 * The least that a FastCGI program can do:
 *
 *	floor SOCKET WORKERS FILE
 *
 * answers every GET with the bytes of FILE, from memory, and every POST with an
 * empty 303. What Tally adds to this is the work on its pages.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/log.h"
#include "server.h"

static void
answer(void *data, struct arena *arena, const struct request *request,
    struct response *response)
{
	const struct text *page = data;

	(void)arena;
	if (request->method == HTTP_POST) {
		response->status = HTTP_SEE_OTHER;
		response->location = TEXT("/");
		return;
	}
	response->body = *page;
}

static struct text
read_file(struct arena *arena, const char *path)
{
	struct buffer buffer = buffer_in(arena, 0);
	FILE *file = fopen(path, "re");
	size_t got = 1;

	if (file == NULL)
		log_fatal("%s cannot be read: %s", path, strerror(errno));
	while (got > 0) {
		got = fread(buffer_reserve(&buffer, 8192), 1, 8192, file);
		buffer.size += got;
	}
	fclose(file);
	return buffer_text(&buffer);
}

int
main(int argc, char **argv)
{
	struct arena arena = { 0 };
	struct text page;

	if (argc != 4)
		log_fatal("usage: floor SOCKET WORKERS FILE");
	page = read_file(&arena, argv[3]);
	server_run(argv[1], atoi(argv[2]), answer, &page);
}
