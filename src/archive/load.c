#include "archive/load.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "archive/import.h"
#include "archive/lines.h"
#include "archive/resolve.h"
#include "archive/vet.h"
#include "base/clock.h"
#include "base/log.h"

enum {
	PORTION_LINES = 40, /* they keep Redis busy for a millisecond */
	PORTION_BYTES = 256 * 1024,
	PROGRESS_MS = 200
};

/* Lines that are written together: the good ones are all of one kind. */
struct portion {
	struct arena memory;
	struct import imports[PORTION_LINES];
	uint64_t numbers[PORTION_LINES]; /* of the lines, from 1 */
	size_t count, bytes;
	enum record_kind kind; /* RECORD_KINDS while there is no good one */
};

struct load {
	struct store *store;
	struct names *names;
	enum load_errors errors;
	problem_words *words;
	const char *file;
	struct portion portion;
	uint64_t outcomes[RECORD_KINDS][IMPORT_OUTCOMES];
	uint64_t refused, lines;
	int64_t shown; /* when progress was shown; 0 where nobody looks */
	bool failed;
};

static void
show_progress(struct load *load)
{
	int64_t now = clock_monotonic_ms();

	if (load->shown == 0 || now - load->shown < PROGRESS_MS)
		return;
	load->shown = now;
	fprintf(stderr, "\r%llu lines", (unsigned long long)load->lines);
}

/* Messages and progress share the terminal. */
static void
clear_progress(const struct load *load)
{
	if (load->shown != 0)
		fprintf(stderr, "\r\033[K");
}

static void
report_refusal(struct load *load, uint64_t number, struct text why)
{
	clear_progress(load);
	log_line("%s: line %llu: %.*s", load->file, (unsigned long long)number,
	    TEXT_ARGS(why));
	load->refused++;
}

/*
 * Reports what is refused, in the order of lines. Returns how many lines of the
 * portion are to be written: all, or those before the first that is refused.
 */
static size_t
report_refusals(struct load *load)
{
	struct portion *portion = &load->portion;

	for (size_t i = 0; i < portion->count; i++) {
		if (portion->imports[i].refusal.size == 0)
			continue;
		report_refusal(
		    load, portion->numbers[i], portion->imports[i].refusal);
		if (load->errors == LOAD_STOP)
			return i;
	}
	return portion->count;
}

static void
count_outcomes(struct load *load, size_t count)
{
	const struct portion *portion = &load->portion;

	for (size_t i = 0; i < count; i++)
		if (portion->imports[i].refusal.size == 0)
			load->outcomes[portion->kind]
				      [portion->imports[i].outcome]++;
}

/* Writes the portion and empties it; false when the load ends here. */
static bool
flush(struct load *load)
{
	struct portion *portion = &load->portion;
	struct import *imports = portion->imports;
	struct arena *arena = &portion->memory;
	enum store_result result = STORE_OK;
	size_t count;

	if (portion->kind != RECORD_KINDS)
		result = resolve_records(load->store, load->names, arena,
		    portion->kind, imports, portion->count);
	if (result != STORE_OK)
		return false;
	count = report_refusals(load);
	if (portion->kind != RECORD_KINDS && count > 0) {
		result = import_write(load->store, load->names, arena,
		    portion->kind, imports, count);
		if (result != STORE_OK)
			return false;
		count_outcomes(load, count);
	}
	if (count < portion->count)
		return false;
	show_progress(load);
	arena_reset(arena);
	portion->count = portion->bytes = 0;
	portion->kind = RECORD_KINDS;
	return true;
}

/* Reads a line into the next place of the portion. */
static struct import *
read_line(struct load *load, struct text line)
{
	struct portion *portion = &load->portion;
	struct import *import = &portion->imports[portion->count];
	struct arena *arena = &portion->memory;

	*import = (struct import){ .outcome = IMPORT_LOADED };
	import->refusal = record_read(arena, line, &import->record);
	if (import->refusal.size == 0)
		import->refusal = vet_record(
		    arena, &load->store->rules, load->words, &import->record);
	return import;
}

/* Adds a line to the portion; false when the load ends here. */
static bool
add_line(struct load *load, struct text line)
{
	struct portion *portion = &load->portion;
	struct import *import = read_line(load, line);
	enum record_kind kind = import->record.kind;

	if (import->refusal.size == 0) {
		if (portion->kind != RECORD_KINDS && portion->kind != kind) {
			if (!flush(load))
				return false;
			read_line(load, line);
		}
		portion->kind = kind;
	}
	portion->numbers[portion->count++] = load->lines;
	portion->bytes += line.size;
	return portion->count < PORTION_LINES && portion->bytes < PORTION_BYTES
	    ? true
	    : flush(load);
}

static bool
add_too_long(struct load *load)
{
	struct portion *portion = &load->portion;

	portion->imports[portion->count] =
	    (struct import){ .refusal = TEXT("longer than 16 MB") };
	portion->numbers[portion->count++] = load->lines;
	return portion->count < PORTION_LINES || flush(load);
}

static bool
report_file(struct load *load)
{
	clear_progress(load);
	log_line("%s: %s", load->file, strerror(errno));
	load->failed = true;
	return load->errors == LOAD_KEEP_GOING;
}

/* False when the load ends here. */
static bool
load_lines(struct load *load, struct lines *lines)
{
	struct text line;

	for (;;) {
		enum lines_result result = lines_next(lines, &line);
		bool goes_on = true;

		if (result == LINES_BROKEN)
			return report_file(load) && flush(load);
		if (result == LINES_END)
			return flush(load);
		load->lines++;
		if (result == LINES_TOO_LONG)
			goes_on = add_too_long(load);
		else if (text_trim(line).size > 0)
			goes_on = add_line(load, line);
		if (!goes_on)
			return false;
	}
}

static bool
load_file(struct load *load, const char *path)
{
	bool is_input = strcmp(path, "-") == 0;
	int file = is_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	struct lines lines = lines_of(file);
	bool goes_on;

	load->file = is_input ? "standard input" : path;
	load->lines = 0;
	if (file < 0)
		return report_file(load);
	goes_on = load_lines(load, &lines);
	lines_free(&lines);
	if (!is_input)
		close(file);
	return goes_on;
}

static void
summarize(const struct load *load)
{
	char line[256];
	int size = 0;

	for (enum record_kind i = RECORD_USER; i < RECORD_KINDS; i++)
		size += snprintf(line + size, sizeof(line) - (size_t)size,
		    "%llu %ss (%llu were there already), ",
		    (unsigned long long)load->outcomes[i][IMPORT_LOADED],
		    i == RECORD_USER ? "member" : record_word(i),
		    (unsigned long long)load->outcomes[i][IMPORT_THERE]);
	log_line("loaded %s%llu lines refused", line,
	    (unsigned long long)load->refused);
}

int
load_command(struct store *store, const char *const *files, size_t count,
    enum load_errors errors, problem_words *words)
{
	struct arena memory = { 0 };
	struct load *load = arena_new(&memory, struct load, 1);
	bool goes_on = true, is_good;

	load->store = store;
	load->errors = errors;
	load->words = words;
	load->names = names_new(store, &memory);
	load->portion.kind = RECORD_KINDS;
	load->shown = isatty(STDERR_FILENO) ? clock_monotonic_ms() : 0;
	for (size_t i = 0; i < count && goes_on; i++)
		goes_on = load_file(load, files[i]);
	clear_progress(load);
	if (!goes_on)
		log_line("the load stopped before the end of %s, and can be "
			 "run again",
		    load->file);
	summarize(load);
	is_good = goes_on && !load->failed && load->refused == 0;
	names_free(load->names);
	arena_free(&load->portion.memory);
	arena_free(&memory);
	return is_good ? 0 : 1;
}
