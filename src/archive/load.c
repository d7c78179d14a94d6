/*
 * Files are read twice: first their numbers and names are noted, then lines are loaded in
 * batches of one noun.
 *
 *	files --> survey --> manifest --> counters are reserved
 *	files --> record_read --> validate --> batch --> resolve --> load --> Redis
 *	               |             |                      |
 *	               +-------------+----------------------+--> refused: reported
 */
#include "archive/load.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/batch.h"
#include "archive/noun.h"
#include "archive/validate.h"
#include "base/clock.h"
#include "base/log.h"

enum { PORTION_BYTES = 256 * 1024, PROGRESS_MS = 200, COPY_BYTES = 64 * 1024 };

/* A file that is read twice. */
struct input {
	const char *path;
	const char *name; /* as it is reported */
	FILE *copy;	  /* of one that can be read only once, or NULL */
};

struct load {
	enum load_errors errors;
	load_open *open;
	problem_words *words;
	struct input *inputs;
	size_t input_count;
	const char *file;   /* the name of the one that is being read */
	struct buffer line; /* the one that is being read */
	/* Lines that are written together, and the good ones among them. */
	struct batch_line lines[BATCH_MAX];
	size_t count, bytes;
	struct arena portion;
	struct batch batch;
	uint64_t outcomes[RECORD_KINDS][BATCH_OUTCOMES];
	uint64_t refused, line_number;
	/* When progress was shown; 0: standard error is no terminal. */
	int64_t shown;
	bool failed;
};

static void
show_progress(struct load *load)
{
	int64_t now = clock_monotonic_ms();

	if (load->shown == 0 || now - load->shown < PROGRESS_MS)
		return;
	load->shown = now;
	fprintf(stderr, "\r%llu line%s", (unsigned long long)load->line_number,
	    TEXT_PLURAL(load->line_number));
}

/* Messages and progress share the terminal. */
static void
clear_progress(const struct load *load)
{
	if (load->shown != 0)
		fprintf(stderr, "\r\033[K");
}

static void
report_refusal(struct load *load, const struct batch_line *line)
{
	clear_progress(load);
	log_line("%s: line %llu: %.*s", load->file,
	    (unsigned long long)line->number, TEXT_ARGS(line->refusal));
	load->refused++;
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
		struct batch_line *line = &load->lines[i];

		if (line->refusal.size == 0) {
			load->batch.lines[load->batch.count++] = line;
			continue;
		}
		report_refusal(load, line);
		if (load->errors == LOAD_STOP)
			return false;
	}
	return true;
}

/* Counts what was written, and reports what was refused instead. False when the load
 * ends there. */
static bool
count_outcomes(struct load *load)
{
	bool goes_on = true;

	for (size_t i = 0; i < load->batch.count; i++) {
		const struct batch_line *line = load->batch.lines[i];

		if (line->refusal.size == 0) {
			load->outcomes[line->record.kind][line->outcome]++;
			continue;
		}
		manifest_set_state(
		    load->batch.manifest, &line->record, MANIFEST_REFUSED);
		report_refusal(load, line);
		goes_on = load->errors == LOAD_KEEP_GOING;
	}
	return goes_on;
}

/* Writes the portion and empties it; false when the load ends here. */
static bool
flush_batch(struct load *load)
{
	struct batch *batch = &load->batch;
	bool goes_on;

	if (batch->count > 0 && batch_resolve(batch) != STORE_OK)
		return false;
	goes_on = report_refusals(load);
	if (batch->count > 0 && batch_load(batch) != STORE_OK)
		return false;
	goes_on = count_outcomes(load) && goes_on;
	if (goes_on)
		show_progress(load);
	arena_reset(&load->portion);
	load->count = load->bytes = batch->count = 0;
	return goes_on;
}

/* Makes the line the next record of the portion. */
static struct batch_line *
read_record(struct load *load)
{
	struct batch_line *line = &load->lines[load->count];
	struct arena *arena = &load->portion;

	*line = (struct batch_line){ .number = load->line_number };
	if (load->line.size > LOAD_LONGEST)
		line->refusal = TEXT("longer than 16 MB");
	else
		line->refusal =
		    record_read(arena, buffer_text(&load->line), &line->record);
	if (line->refusal.size == 0)
		line->refusal = validate_record(arena,
		    &load->batch.store->rules, load->words, &line->record);
	if (line->refusal.size == 0)
		line->refusal = manifest_number_problem(
		    load->batch.manifest, arena, &line->record);
	return line;
}

/* Whether it is written after what the portion has already. */
static bool
needs_flush(const struct batch *batch, const struct batch_line *line)
{
	return batch->count > 0 &&
	    (line->refusal.size > 0 ||
		batch->lines[0]->record.kind != line->record.kind);
}

/* Adds the line to the portion; false when the load ends here. */
static bool
add_line(struct load *load)
{
	struct batch *batch = &load->batch;
	struct batch_line *line = read_record(load);

	if (needs_flush(batch, line)) {
		if (!flush_batch(load))
			return false;
		line = read_record(load);
	}
	if (line->refusal.size > 0)
		manifest_set_state(
		    batch->manifest, &line->record, MANIFEST_REFUSED);
	else
		batch->lines[batch->count++] = line;
	load->count++;
	load->bytes += load->line.size;
	return (load->count < BATCH_MAX && load->bytes < PORTION_BYTES) ||
	    flush_batch(load);
}

/* Of a line that is too long, one byte too many is stored. False at the end. */
static bool
read_line(struct load *load, FILE *file)
{
	struct buffer *line = &load->line;
	int c;

	line->size = 0;
	while ((c = getc_unlocked(file)) != EOF && c != '\n')
		if (line->size < line->capacity)
			line->data[line->size++] = (char)c;
	load->line_number++;
	return c != EOF || (line->size > 0 && !ferror(file));
}

static bool
is_empty(const struct load *load)
{
	return load->line.size <= LOAD_LONGEST &&
	    text_trim(buffer_text(&load->line)).size == 0;
}

static bool
report_file(struct load *load)
{
	clear_progress(load);
	log_line("cannot read %s: %s", load->file, strerror(errno));
	load->failed = true;
	return load->errors == LOAD_KEEP_GOING;
}

/* A stream of its own, which can be closed; NULL with errno. */
static FILE *
open_input(const struct load *load, const struct input *input)
{
	int copy;

	if (strcmp(input->path, "-") != 0)
		return load->open(input->path);
	copy = dup(STDIN_FILENO);
	return copy < 0 ? NULL : fdopen(copy, "r");
}

/* A file without a name, for what may be as large as the site; NULL with errno. */
static FILE *
open_copy(struct arena *arena)
{
	const char *folder = getenv("TMPDIR");
	char *path = text_string(arena,
	    text_join(arena, text_of(folder != NULL ? folder : "/var/tmp"),
		TEXT("/tally-load-XXXXXX")));
	int file = mkostemp(path, O_CLOEXEC);

	if (file < 0)
		return NULL;
	unlink(path);
	return fdopen(file, "w+");
}

/* Copies what can be read only once. Logs, and returns false, when there is no room. */
static bool
copy_input(struct load *load, struct input *input, FILE *file)
{
	char *bytes = arena_bytes(&load->portion, COPY_BYTES);
	size_t size;

	input->copy = open_copy(&load->portion);
	while (input->copy != NULL &&
	    (size = fread(bytes, 1, COPY_BYTES, file)) > 0)
		if (fwrite(bytes, 1, size, input->copy) != size)
			break;
	if (input->copy != NULL && !ferror(file) && fflush(input->copy) == 0 &&
	    !ferror(input->copy))
		return true;
	log_line("cannot copy %s: %s", load->file, strerror(errno));
	return false;
}

static bool
is_read_once(const struct input *input, FILE *file)
{
	struct stat status;

	return strcmp(input->path, "-") == 0 ||
	    (fstat(fileno(file), &status) == 0 && !S_ISREG(status.st_mode) &&
		!S_ISDIR(status.st_mode));
}

/* Adds a line to the manifest. */
static void
survey_line(struct load *load)
{
	struct record record;
	struct text problem;

	if (load->line.size > LOAD_LONGEST) {
		manifest_add_unknown(load->batch.manifest);
		return;
	}
	problem =
	    record_read(&load->portion, buffer_text(&load->line), &record);
	manifest_add(load->batch.manifest, &record, problem.size > 0);
	arena_reset(&load->portion);
}

static void
survey_lines(struct load *load, FILE *file)
{
	load->line_number = 0;
	while (read_line(load, file))
		if (!is_empty(load))
			survey_line(load);
	if (ferror(file))
		manifest_add_unknown(load->batch.manifest);
}

/* Leaves the copy at its beginning, where loading reads it. */
static bool
survey_copy(struct load *load, FILE *copy)
{
	bool is_at_start = fseek(copy, 0, SEEK_SET) == 0;

	if (is_at_start) {
		survey_lines(load, copy);
		is_at_start = fseek(copy, 0, SEEK_SET) == 0;
	}
	if (!is_at_start)
		log_line("cannot read the copy of %s: %s", load->file,
		    strerror(errno));
	return is_at_start;
}

/* What cannot be read is reported when it is loaded. False when the load ends here. */
static bool
survey_file(struct load *load, struct input *input)
{
	FILE *file = open_input(load, input);
	bool goes_on = true;

	load->file = input->name;
	if (file == NULL) {
		manifest_add_unknown(load->batch.manifest);
		return true;
	}
	if (is_read_once(input, file))
		goes_on = copy_input(load, input, file) &&
		    survey_copy(load, input->copy);
	else
		survey_lines(load, file);
	fclose(file);
	return goes_on;
}

/* False when the load ends here. */
static bool
load_file(struct load *load, struct input *input)
{
	FILE *file =
	    input->copy != NULL ? input->copy : open_input(load, input);
	bool goes_on = true;

	load->file = input->name;
	load->line_number = 0;
	if (file == NULL)
		return report_file(load);
	while (goes_on && read_line(load, file))
		if (!is_empty(load))
			goes_on = add_line(load);
	if (goes_on && ferror(file))
		goes_on = report_file(load);
	fclose(file);
	input->copy = NULL;
	return goes_on && flush_batch(load);
}

/* Reads all files before anything is written. False when the load ends here. */
static bool
survey_inputs(struct load *load)
{
	for (size_t i = 0; i < load->input_count; i++)
		if (!survey_file(load, &load->inputs[i]))
			return false;
	arena_reset(&load->portion);
	return batch_reserve(load->batch.store, &load->portion,
		   load->batch.manifest) == STORE_OK;
}

static bool
load_all(struct load *load)
{
	bool goes_on = survey_inputs(load);

	for (size_t i = 0; i < load->input_count && goes_on; i++)
		goes_on = load_file(load, &load->inputs[i]);
	return goes_on;
}

static void
set_inputs(struct load *load, struct arena *arena, const char *const *files,
    size_t count)
{
	load->inputs = arena_new(arena, struct input, count);
	load->input_count = count;
	for (size_t i = 0; i < count; i++) {
		bool is_standard = strcmp(files[i], "-") == 0;

		load->inputs[i].path = files[i];
		load->inputs[i].name =
		    is_standard ? "standard input" : files[i];
	}
}

static void
close_inputs(struct load *load)
{
	for (size_t i = 0; i < load->input_count; i++)
		if (load->inputs[i].copy != NULL)
			fclose(load->inputs[i].copy);
}

/* Many dumps have none of the others. */
static bool
is_in_most_dumps(enum record_kind kind)
{
	return kind == RECORD_USER || kind == RECORD_GROUP ||
	    kind == RECORD_ARTICLE;
}

static void
summarize_load(const struct load *load)
{
	char line[1024];
	int size = 0;

	for (enum record_kind i = RECORD_USER; i < RECORD_KINDS; i++)
		if (is_in_most_dumps(i) ||
		    load->outcomes[i][BATCH_LOADED] +
			    load->outcomes[i][BATCH_EXISTED] >
			0)
			size += snprintf(line + size,
			    sizeof(line) - (size_t)size,
			    "%s%llu %s%s (%llu already there)",
			    size > 0 ? ", " : "",
			    (unsigned long long)load->outcomes[i][BATCH_LOADED],
			    nouns[i]->label,
			    TEXT_PLURAL(load->outcomes[i][BATCH_LOADED]),
			    (unsigned long long)
				load->outcomes[i][BATCH_EXISTED]);
	log_line("loaded %s; refused %llu line%s", line,
	    (unsigned long long)load->refused, TEXT_PLURAL(load->refused));
}

int
load_command(struct store *store, const char *const *files, size_t count,
    enum load_errors errors, load_open *open, problem_words *words)
{
	struct arena memory = { 0 };
	struct load *load = arena_new(&memory, struct load, 1);
	bool goes_on, is_good;

	load->errors = errors;
	load->open = open;
	load->words = words;
	load->line = buffer_in(&memory, LOAD_LONGEST + 1);
	load->batch = (struct batch){ .store = store,
		.names = name_cache_new(store, &memory),
		.manifest = manifest_new(),
		.arena = &load->portion };
	set_inputs(load, &memory, files, count);
	load->shown = isatty(STDERR_FILENO) ? clock_monotonic_ms() : 0;
	goes_on = load_all(load);
	clear_progress(load);
	if (!goes_on)
		log_line("the load stopped before the end of %s; it is safe to "
			 "run it again",
		    load->file);
	summarize_load(load);
	is_good = goes_on && !load->failed && load->refused == 0;
	close_inputs(load);
	manifest_free(load->batch.manifest);
	name_cache_free(load->batch.names);
	arena_free(&load->portion);
	arena_free(&memory);
	return is_good ? 0 : 1;
}
