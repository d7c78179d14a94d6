/*
 * Redis names its files in a manifest: a base, which is a snapshot (RDB) or commands, and then
 * commands since. Both are read by their lengths (server/snapshot.h): what is stored as a value,
 * such as an image, may have any bytes. Commands are, each with \r\n (RESP):
 *
 *	*4 $4 HSET $4 site $7 version $1 4
 *
 * What cannot be read says nothing; the site's own Redis is asked later anyway.
 */
#include "server/aof_layout.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "server/snapshot.h"
#include "store/keys.h"

#define FOLDER	 "/appendonlydir/"
#define MANIFEST "appendonly.aof.manifest"

/* A file in memory; of size 0 when it cannot be read. */
struct mapping {
	void *data;
	size_t size;
};

static struct mapping
map_file(const char *path)
{
	struct mapping mapping = { NULL, 0 };
	struct stat status;
	int file = open(path, O_RDONLY | O_CLOEXEC);

	if (file < 0)
		return mapping;
	if (fstat(file, &status) == 0 && status.st_size > 0) {
		void *data = mmap(NULL, (size_t)status.st_size, PROT_READ,
		    MAP_PRIVATE, file, 0);

		if (data != MAP_FAILED)
			mapping =
			    (struct mapping){ data, (size_t)status.st_size };
	}
	close(file);
	return mapping;
}

static void
find_in_snapshot(struct arena *arena, struct text bytes, struct text *version)
{
	unsigned number =
	    snapshot_hash_number(bytes, KEY_SITE, TEXT("version"));

	if (number != 0)
		*version = text_number(arena, number);
}

/* Reads "*4\r\n" or "$4\r\n"; false at the end, or where the file is something else. */
static bool
read_length(struct text *bytes, char kind, uint64_t *length)
{
	struct text line;

	return text_cut(bytes, '\n', &line) && line.size > 2 &&
	    line.data[0] == kind && line.data[line.size - 1] == '\r' &&
	    text_to_u64(text_slice(line, 1, line.size - 2), length);
}

static bool
read_argument(struct text *bytes, struct text *argument)
{
	uint64_t length;

	if (!read_length(bytes, '$', &length) || bytes->size < 2 ||
	    length > bytes->size - 2)
		return false;
	*argument = text_slice(*bytes, 0, length);
	*bytes = text_slice(*bytes, length + 2, bytes->size);
	return true;
}

/* Of a command that sets fields of the site's hash, a version among them, that. */
static bool
read_command(struct text *bytes, struct text *version)
{
	struct text argument, field = TEXT("");
	uint64_t count;
	bool is_site = true;

	if (!read_length(bytes, '*', &count))
		return false;
	for (uint64_t i = 0; i < count; i++) {
		if (!read_argument(bytes, &argument))
			return false;
		if (i == 0)
			is_site = text_equal(argument, TEXT("HSET"));
		else if (i == 1)
			is_site = is_site && text_equal(argument, KEY_SITE);
		else if (i % 2 == 0)
			field = argument;
		else if (is_site && text_equal(field, TEXT("version")))
			*version = argument;
	}
	return true;
}

/* The last one counts: a move has written another version. */
static void
find_in_commands(struct arena *arena, struct text bytes, struct text *version)
{
	struct text found = TEXT("");
	uint64_t number;

	while (read_command(&bytes, &found))
		;
	if (text_to_u64(found, &number))
		*version = text_copy(arena, found);
}

static void
find_in_file(struct arena *arena, struct text folder, struct text name,
    struct text *version)
{
	struct mapping file = map_file(text_string(arena,
	    text_format(arena, "%.*s" FOLDER "%.*s", TEXT_ARGS(folder),
		TEXT_ARGS(name))));
	struct text bytes = { file.data, file.size };

	if (file.size == 0)
		return;
	if (text_starts(bytes, TEXT("REDIS")))
		find_in_snapshot(arena, bytes, version);
	else
		find_in_commands(arena, bytes, version);
	munmap(file.data, file.size);
}

/* Lines of the manifest: file NAME seq 2 type b; those of type h are no longer read. */
struct text
aof_layout_read(struct arena *arena, struct text folder)
{
	struct mapping manifest = map_file(text_string(
	    arena, text_join(arena, folder, TEXT(FOLDER MANIFEST))));
	struct text rest = { manifest.data, manifest.size };
	struct text line, version = TEXT("");

	while (text_cut(&rest, '\n', &line)) {
		struct text word, name = TEXT(""), type = TEXT("");

		for (int i = 0; text_next_word(&line, &word); i++) {
			if (i == 1)
				name = word;
			type = word;
		}
		if (!text_equal(type, TEXT("h")) &&
		    text_find(name, 0, TEXT("/")) == SIZE_MAX)
			find_in_file(arena, folder, name, &version);
	}
	if (manifest.size > 0)
		munmap(manifest.data, manifest.size);
	return version;
}
