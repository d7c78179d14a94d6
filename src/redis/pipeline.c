#include "redis/pipeline.h"

#include <string.h>

#include "base/arena.h"
#include "base/log.h"

enum {
	LENGTH_BYTES = TEXT_DIGITS + 3, /* with what is around the number */
	FIRST_BYTES = 256,
	FIRST_COMMANDS = 4 * sizeof(struct command)
};

/* "$12\r\n"; returns the end. */
static char *
write_length(char *end, char kind, size_t length)
{
	*end++ = kind;
	end += text_digits((int64_t)length, end);
	*end++ = '\r';
	*end++ = '\n';
	return end;
}

/* hiredis formats each command separately, which took a tenth of the worker's
 * time for a list of articles. */
void
pipeline_encode(struct buffer *bytes, const struct text *words, size_t count)
{
	size_t size = LENGTH_BYTES;
	char *end;

	for (size_t i = 0; i < count; i++)
		size += LENGTH_BYTES + words[i].size + 2;
	end = buffer_reserve(bytes, size);
	end = write_length(end, '*', count);
	for (size_t i = 0; i < count; i++) {
		end = write_length(end, '$', words[i].size);
		if (words[i].size > 0)
			memcpy(end, words[i].data, words[i].size);
		end += words[i].size;
		*end++ = '\r';
		*end++ = '\n';
	}
	bytes->size = (size_t)(end - bytes->data);
}

struct pipeline
pipeline_begin_at(struct redis *redis, struct arena *arena, size_t master)
{
	return (struct pipeline){ .redis = redis,
		.arena = arena,
		.master = master,
		.bytes = buffer_in(arena, FIRST_BYTES),
		.list = buffer_in(arena, FIRST_COMMANDS) };
}

struct pipeline
pipeline_begin(struct redis *redis, struct arena *arena)
{
	return pipeline_begin_at(redis, arena, PIPELINE_BY_KEY);
}

/* Reads: first those that many requests send alike in one turn, then others. */
static const struct text reads[] = { TEXT_INIT("TIME"), TEXT_INIT("HMGET"),
	TEXT_INIT("HGETALL"), TEXT_INIT("EXISTS"), TEXT_INIT("GETRANGE"),
	TEXT_INIT("ZREVRANGE"), TEXT_INIT("HGET"), TEXT_INIT("SMISMEMBER") };
enum { SHARED = 6, READS = sizeof(reads) / sizeof(reads[0]) };

static size_t
add_command(struct pipeline *pipeline, enum replication replication,
    struct text name, struct text key, const struct text *words, size_t count)
{
	struct command command = { .name = name,
		.key = key,
		.start = pipeline->bytes.size,
		.is_replicated = replication == REPLICATED };
	size_t read;

	if (!text_index(name, reads, READS, &read))
		pipeline->may_write = true;
	command.may_share = !pipeline->may_write && read < SHARED;
	pipeline_encode(&pipeline->bytes, words, count);
	command.size = pipeline->bytes.size - command.start;
	buffer_add(&pipeline->list,
	    (struct text){ (const char *)&command, sizeof(command) });
	return pipeline->count++;
}

size_t
pipeline_add_words(struct pipeline *pipeline, enum replication replication,
    size_t key, const struct text *words, size_t count)
{
	bool is_call = key > PIPELINE_KEY && key < count;

	return add_command(pipeline, replication, words[is_call ? 1 : 0],
	    key < count ? words[key] : TEXT(""), words, count);
}

size_t
pipeline_add_time(struct pipeline *pipeline, struct text key)
{
	const struct text word = TEXT("TIME");

	return add_command(pipeline, UNREPLICATED, word, key, &word, 1);
}

struct command *
pipeline_command(const struct pipeline *pipeline, size_t i)
{
	return (struct command *)(void *)pipeline->list.data + i;
}

struct text
command_bytes(const struct command *command)
{
	return (struct text){ command->pipeline->bytes.data + command->start,
		command->size };
}

void
pipeline_start(struct pipeline *pipeline)
{
	pipeline->state = PIPELINE_SENT;
	pipeline->pending = pipeline->count;
	pipeline->replies =
	    arena_new(pipeline->arena, struct reply, pipeline->count);
	for (size_t i = 0; i < pipeline->count; i++) {
		struct command *command = pipeline_command(pipeline, i);

		command->pipeline = pipeline;
		command->reply = &pipeline->replies[i];
	}
}

bool
pipeline_accepted(const struct pipeline *pipeline, enum pipeline_faults faults)
{
	for (size_t i = 0; i < pipeline->count; i++) {
		struct text error = pipeline->replies[i].text;
		struct text name = pipeline_command(pipeline, i)->name;

		if (pipeline->replies[i].kind != REPLY_ERROR)
			continue;
		if (faults == PIPELINE_LOGGED)
			log_line("Redis refused %.*s: %.*s", TEXT_ARGS(name),
			    TEXT_ARGS(error));
		return false;
	}
	return true;
}

static size_t
count_lost(const struct pipeline *pipeline)
{
	size_t lost = 0;

	for (size_t i = 0; i < pipeline->count; i++)
		lost += pipeline->replies[i].kind == REPLY_LOST ? 1 : 0;
	return lost;
}

bool
pipeline_met_full(const struct pipeline *pipeline)
{
	for (size_t i = 0; i < pipeline->count; i++)
		if (pipeline->replies[i].kind == REPLY_ERROR &&
		    text_starts(pipeline->replies[i].text, TEXT("OOM ")))
			return true;
	return false;
}

bool
pipeline_is_whole(const struct pipeline *pipeline)
{
	return count_lost(pipeline) == 0;
}

bool
pipeline_is_lost(const struct pipeline *pipeline)
{
	return pipeline->count > 0 && count_lost(pipeline) == pipeline->count;
}
