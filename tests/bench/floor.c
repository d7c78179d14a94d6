/*
 * The least that a FastCGI program can do:
 *
 *	floor SOCKET WORKERS FILE...
 *
 * answers a GET of /2 with the bytes of the second FILE, from memory, and every other
 * with those of the first; who takes gzip, with those of FILE.gz. And every POST with an
 * empty 303. What Tally adds to this is the work on its pages.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/log.h"
#include "server.h"

struct floor_page {
	struct text plain, compressed;
};

struct pages {
	struct floor_page *items;
	size_t count;
};

static const struct floor_page *
find(const struct pages *pages, struct text path)
{
	uint64_t number;

	return text_to_u64(text_slice(path, 1, path.size), &number) &&
		number >= 1 && number <= pages->count
	    ? &pages->items[number - 1]
	    : &pages->items[0];
}

static void
answer(void *data, struct arena *arena, const struct request *request,
    struct response *response)
{
	const struct floor_page *page = find(data, request->path);

	(void)arena;
	if (request->method == HTTP_POST) {
		response->status = HTTP_SEE_OTHER;
		response->location = TEXT("/");
		return;
	}
	response->is_compressed = request->accepts_gzip;
	response->body = request->accepts_gzip ? page->compressed : page->plain;
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
	struct pages pages;

	if (argc < 4)
		log_fatal("usage: floor SOCKET WORKERS FILE...");
	pages.count = (size_t)argc - 3;
	pages.items = arena_new(&arena, struct floor_page, pages.count);
	for (size_t i = 0; i < pages.count; i++) {
		const char *name = argv[3 + i];
		struct text compressed =
		    text_join(&arena, text_of(name), TEXT(".gz"));

		pages.items[i] = (struct floor_page){ read_file(&arena, name),
			read_file(&arena, text_string(&arena, compressed)) };
	}
	server_run(argv[1], atoi(argv[2]), answer, &pages);
}
