#include "server/config_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "os/privileges.h"

enum file_kind { FILE_NAMED, FILE_INCLUDED };

/* What is done with the lines of a file. */
struct line_reader {
	struct arena *arena;
	config_file_line *set;
	struct config *config;
	enum file_kind kind;
};

static bool read_lines(const struct line_reader *reader, const char *path);

static bool
include_file(const struct line_reader *reader, struct text path)
{
	struct line_reader included = *reader;

	included.kind = FILE_INCLUDED;
	if (reader->kind == FILE_INCLUDED)
		log_line("include %.*s: an included file cannot include others",
		    TEXT_ARGS(path));
	else if (!text_starts(path, TEXT("/")))
		log_line("include needs an absolute path, not \"%.*s\"",
		    TEXT_ARGS(path));
	else
		return read_lines(&included, text_string(reader->arena, path));
	return false;
}

static bool
read_line(const struct line_reader *reader, struct text line)
{
	const struct text include = TEXT("include ");

	line = text_trim(line);
	if (line.size == 0 || line.data[0] == '#')
		return true;
	if (text_starts(line, include))
		return include_file(reader,
		    text_trim(text_slice(line, include.size, line.size)));
	return reader->set(reader->config, text_copy(reader->arena, line));
}

static void
report_unreadable_file(const char *path)
{
	log_line("cannot read the settings in %s: %s%s", path, strerror(errno),
	    errno == EACCES ? ": run this as root or as the user of the site, "
			      "which for the service is tally"
			    : "");
}

/* Of a password, the copy in the arena is the only one that remains. */
static bool
read_lines(const struct line_reader *reader, const char *path)
{
	FILE *file = privileges_fopen(path);
	char line[4096], unread[4096];
	bool good = true;

	if (file != NULL)
		setvbuf(file, unread, _IOFBF, sizeof(unread));
	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		good = read_line(reader, text_of(line)) && good;
	if (file == NULL || ferror(file)) {
		report_unreadable_file(path);
		good = false;
	}
	if (file != NULL)
		fclose(file);
	explicit_bzero(line, sizeof(line));
	explicit_bzero(unread, sizeof(unread));
	return good;
}

bool
config_file_read(struct arena *arena, const char *path, config_file_line *set,
    struct config *config)
{
	return read_lines(
	    &(struct line_reader){ arena, set, config, FILE_NAMED }, path);
}
