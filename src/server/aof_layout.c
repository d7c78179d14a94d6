/*
 * Redis names its files in a manifest: a base, which is a snapshot (RDB) or commands, and then
 * commands since. The hash "site" is written with its version first:
 *
 *	snapshot	04 "site"  a few bytes of sizes  87 "version" 08  04  01
 *	commands	$4 site $7 version $1 4, each line with \r\n
 *
 * In a snapshot the string may be compressed, which leaves its beginning as it is. No text of
 * a member has such bytes: control characters are refused.
 */
#include "server/aof_layout.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"

#define FOLDER	 "/appendonlydir/"
#define MANIFEST "appendonly.aof.manifest"
#define SNAPSHOT_KEY \
	"\x04" \
	"site"
#define SNAPSHOT_FIELD \
	"\x87" \
	"version\x08"
#define COMMAND_FIELD "\r\n$4\r\nsite\r\n$7\r\nversion\r\n$"

enum {
	SIZES_MAX = 24, /* between key and field in a snapshot */
	VERSION_MAX = 0x7f
};

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

static size_t
find_bytes(struct text bytes, size_t from, struct text wanted)
{
	const char *found = from > bytes.size
	    ? NULL
	    : memmem(bytes.data + from, bytes.size - from, wanted.data,
		  wanted.size);

	return found == NULL ? SIZE_MAX : (size_t)(found - bytes.data);
}

static void
find_in_snapshot(struct arena *arena, struct text bytes, struct text *version)
{
	const struct text key = TEXT(SNAPSHOT_KEY);
	const struct text field = TEXT(SNAPSHOT_FIELD);
	size_t at = 0;
	bool is_found = false;

	while (!is_found && (at = find_bytes(bytes, at, key)) != SIZE_MAX) {
		struct text near = text_slice(
		    bytes, at + key.size, SIZES_MAX + field.size + 1);
		size_t found = find_bytes(near, 0, field);
		unsigned char number;

		at += key.size;
		if (found == SIZE_MAX || found + field.size >= near.size)
			continue;
		number = (unsigned char)near.data[found + field.size];
		is_found = number > 0 && number <= VERSION_MAX;
		if (is_found)
			*version = text_number(arena, number);
	}
}

/* The last one counts: a move has written another version. */
static void
find_in_commands(struct arena *arena, struct text bytes, struct text *version)
{
	const struct text field = TEXT(COMMAND_FIELD);
	size_t at = 0;

	while ((at = find_bytes(bytes, at, field)) != SIZE_MAX) {
		struct text rest, line;
		uint64_t number;

		at += field.size;
		rest = text_slice(bytes, at, SIZES_MAX);
		if (text_cut(&rest, '\n', &line) &&
		    text_cut(&rest, '\r', &line) && text_to_u64(line, &number))
			*version = text_copy(arena, line);
	}
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
		    find_bytes(name, 0, TEXT("/")) == SIZE_MAX)
			find_in_file(arena, folder, name, &version);
	}
	if (manifest.size > 0)
		munmap(manifest.data, manifest.size);
	return version;
}
