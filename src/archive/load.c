#include "archive/load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "archive/resolve.h"
#include "archive/vet.h"
#include "base/clock.h"
#include "base/log.h"

enum { PORTION_BYTES = 256 * 1024, PROGRESS_MS = 200 };

struct load {
	enum load_errors errors;
	load_open *open;
	problem_words *words;
	const char *file;
	struct buffer line; /* the one that is being read */
	/* Lines that are written together, and the good ones among them. */
	struct import imports[BATCH_MAX];
	size_t count, bytes;
	struct arena portion;
	struct batch batch;
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
	fprintf(stderr, "\r%llu line%s", (unsigned long long)load->lines,
	    TEXT_PLURAL(load->lines));
}

/* Messages and progress share the terminal. */
static void
clear_progress(const struct load *load)
{
	if (load->shown != 0)
		fprintf(stderr, "\r\033[K");
}

/*
 * Reports what is refused, in the order of lines, and leaves the others in the
 * batch: all, or those before the first that is refused. False when the load ends
 * there.
 */
static bool
report_refusals(struct load *load)
{
	load->batch.count = 0;
	for (size_t i = 0; i < load->count; i++) {
		struct import *import = &load->imports[i];

		if (import->refusal.size == 0) {
			load->batch.imports[load->batch.count++] = import;
			continue;
		}
		clear_progress(load);
		log_line("%s: line %llu: %.*s", load->file,
		    (unsigned long long)import->line,
		    TEXT_ARGS(import->refusal));
		load->refused++;
		if (load->errors == LOAD_STOP)
			return false;
	}
	return true;
}

/* Writes the portion and empties it; false when the load ends here. */
static bool
flush(struct load *load)
{
	struct batch *batch = &load->batch;
	bool goes_on;

	if (batch->count > 0 && resolve_batch(batch) != STORE_OK)
		return false;
	goes_on = report_refusals(load);
	if (batch->count > 0 && import_write(batch) != STORE_OK)
		return false;
	for (size_t i = 0; i < batch->count; i++) {
		const struct import *import = batch->imports[i];

		load->outcomes[import->record.kind][import->outcome]++;
	}
	if (goes_on)
		show_progress(load);
	arena_reset(&load->portion);
	load->count = load->bytes = batch->count = 0;
	return goes_on;
}

/* Makes the line the next record of the portion. */
static struct import *
read_record(struct load *load)
{
	struct import *import = &load->imports[load->count];
	struct arena *arena = &load->portion;

	*import = (struct import){ .line = load->lines };
	if (load->line.size > LOAD_LONGEST)
		import->refusal = TEXT("longer than 16 MB");
	else
		import->refusal = record_read(
		    arena, buffer_text(&load->line), &import->record);
	if (import->refusal.size == 0)
		import->refusal = vet_record(arena, &load->batch.store->rules,
		    load->words, &import->record);
	return import;
}

/* Adds the line to the portion; false when the load ends here. */
static bool
add_line(struct load *load)
{
	struct batch *batch = &load->batch;
	struct import *import = read_record(load);

	if (import->refusal.size == 0) {
		if (batch->count > 0 &&
		    batch->imports[0]->record.kind != import->record.kind) {
			if (!flush(load))
				return false;
			import = read_record(load);
		}
		batch->imports[batch->count++] = import;
	}
	load->count++;
	load->bytes += load->line.size;
	return (load->count < BATCH_MAX && load->bytes < PORTION_BYTES) ||
	    flush(load);
}

/* Of a line that is too long, one byte too many is kept. False at the end. */
static bool
read_line(struct load *load, FILE *file)
{
	struct buffer *line = &load->line;
	int c;

	line->size = 0;
	while ((c = getc_unlocked(file)) != EOF && c != '\n')
		if (line->size < line->capacity)
			line->data[line->size++] = (char)c;
	load->lines++;
	return c != EOF || (line->size > 0 && !ferror(file));
}

static bool
report_file(struct load *load)
{
	clear_progress(load);
	log_line("cannot read %s: %s", load->file, strerror(errno));
	load->failed = true;
	return load->errors == LOAD_KEEP_GOING;
}

/* A stream of its own, which can be closed. */
static FILE *
open_input(void)
{
	int copy = dup(STDIN_FILENO);

	return copy < 0 ? NULL : fdopen(copy, "r");
}

/* False when the load ends here. */
static bool
load_file(struct load *load, const char *path)
{
	bool is_input = strcmp(path, "-") == 0, goes_on = true;
	FILE *file = is_input ? open_input() : load->open(path);

	load->file = is_input ? "standard input" : path;
	load->lines = 0;
	if (file == NULL)
		return report_file(load);
	while (goes_on && read_line(load, file))
		if (load->line.size > LOAD_LONGEST ||
		    text_trim(buffer_text(&load->line)).size > 0)
			goes_on = add_line(load);
	if (goes_on && ferror(file))
		goes_on = report_file(load);
	fclose(file);
	return goes_on && flush(load);
}

static void
summarize(const struct load *load)
{
	char line[1024];
	int size = 0;

	for (enum record_kind i = RECORD_USER; i < RECORD_KINDS; i++)
		/* Many dumps have none of the others. */
		if (i <= RECORD_ARTICLE ||
		    load->outcomes[i][IMPORT_LOADED] +
			    load->outcomes[i][IMPORT_THERE] >
			0)
			size +=
			    snprintf(line + size, sizeof(line) - (size_t)size,
				"%s%llu %s%s (%llu already there)",
				size > 0 ? ", " : "",
				(unsigned long long)
				    load->outcomes[i][IMPORT_LOADED],
				record_word(i),
				TEXT_PLURAL(load->outcomes[i][IMPORT_LOADED]),
				(unsigned long long)
				    load->outcomes[i][IMPORT_THERE]);
	log_line("loaded %s; refused %llu line%s", line,
	    (unsigned long long)load->refused, TEXT_PLURAL(load->refused));
}

int
load_command(struct store *store, const char *const *files, size_t count,
    enum load_errors errors, load_open *open, problem_words *words)
{
	struct arena memory = { 0 };
	struct load *load = arena_new(&memory, struct load, 1);
	bool goes_on = true, is_good;

	load->errors = errors;
	load->open = open;
	load->words = words;
	load->line = buffer_in(&memory, LOAD_LONGEST + 1);
	load->batch = (struct batch){ .store = store,
		.names = names_new(store, &memory),
		.arena = &load->portion };
	load->shown = isatty(STDERR_FILENO) ? clock_monotonic_ms() : 0;
	for (size_t i = 0; i < count && goes_on; i++)
		goes_on = load_file(load, files[i]);
	clear_progress(load);
	if (!goes_on)
		log_line("the load stopped before the end of %s; it is safe to "
			 "run it again",
		    load->file);
	summarize(load);
	is_good = goes_on && !load->failed && load->refused == 0;
	names_free(load->batch.names);
	arena_free(&load->portion);
	arena_free(&memory);
	return is_good ? 0 : 1;
}
