#include "archive/writer.h"

#include <errno.h>
#include <string.h>

#include "archive/noun.h"
#include "base/arena.h"
#include "base/log.h"

void
writer_open(struct writer *writer, struct store *store, FILE *out)
{
	*writer = (struct writer){ .store = store, .out = out };
	writer->users = buffer_in(&writer->memory, 1024);
	writer->groups = buffer_in(&writer->memory, 1024);
	writer->lost_posts = buffer_in(&writer->memory, 64);
	writer->late_comments = buffer_in(&writer->memory, 64);
}

void
writer_close(struct writer *writer)
{
	arena_free(&writer->line);
	arena_free(&writer->portion);
	arena_free(&writer->memory);
}

STORE_CALL
writer_leave_out(
    struct writer *writer, const struct record *record, const char *why)
{
	log_line("%.*s is left out: it %s",
	    TEXT_ARGS(nouns[record->kind]->describe(&writer->line, record)),
	    why);
	writer->incomplete = true;
	return STORE_ABSENT;
}

STORE_CALL
writer_go_on(enum store_result result)
{
	return result == STORE_ABSENT ? STORE_OK : result;
}

STORE_CALL
writer_record(struct writer *writer, const struct record *record)
{
	struct buffer line;

	arena_reset(&writer->line);
	if (lease_hold(writer->store, &writer->line, &writer->lease) !=
	    STORE_OK)
		return STORE_DOWN;
	line = buffer_in(&writer->line, 1024);
	if (!record_write(&line, record))
		return writer_leave_out(writer, record, "is not valid UTF-8");
	if (fwrite(line.data, 1, line.size, writer->out) == line.size)
		return STORE_OK;
	log_line("cannot write the dump: %s", strerror(errno));
	return STORE_DOWN;
}

static enum store_result
write_batch(struct writer *writer, const struct place *places, size_t count,
    writer_read *read, writer_write *write)
{
	struct record records[WRITER_BATCH_MAX];
	enum store_result result =
	    read(writer->store, &writer->portion, places, count, records);

	for (size_t i = 0; i < count && result == STORE_OK; i++)
		if (records[i].kind != RECORD_KINDS)
			result = writer_go_on(write(writer, &records[i]));
	arena_reset(&writer->portion);
	return result;
}

STORE_CALL
writer_places(struct writer *writer, const struct places *places,
    size_t batch_size, writer_read *read, writer_write *write)
{
	enum store_result result = STORE_OK;

	for (size_t next = 0; next < places->count && result == STORE_OK;) {
		size_t left = places->count - next;
		size_t count = left < batch_size ? left : batch_size;

		result = write_batch(
		    writer, &places->items[next], count, read, write);
		next += count;
	}
	return result;
}
