#include "redis/pipeline.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/log.h"

enum { FIRST_COMMANDS = 8 };

struct command {
	const struct text *words;
	size_t count;
};

struct pipeline
pipeline_begin(struct redis *redis, struct arena *arena)
{
	return (struct pipeline){ .redis = redis, .arena = arena };
}

size_t
pipeline_add_words(
    struct pipeline *pipeline, const struct text *words, size_t count)
{
	struct text *kept = arena_new(pipeline->arena, struct text, count);

	if (pipeline->count == pipeline->capacity) {
		size_t capacity = pipeline->capacity == 0
		    ? FIRST_COMMANDS
		    : pipeline->capacity * 4;
		struct command *commands =
		    arena_new(pipeline->arena, struct command, capacity);

		if (pipeline->count > 0)
			memcpy(commands, pipeline->commands,
			    pipeline->count * sizeof(*commands));
		pipeline->commands = commands;
		pipeline->capacity = capacity;
	}
	memcpy(kept, words, count * sizeof(*words));
	pipeline->commands[pipeline->count] = (struct command){ kept, count };
	return pipeline->count++;
}

static void
add_length(struct buffer *bytes, char kind, size_t length)
{
	buffer_add_char(bytes, kind);
	buffer_add_number(bytes, (int64_t)length);
	buffer_add(bytes, TEXT("\r\n"));
}

/* hiredis formats each command separately, which took a tenth of the worker's
 * time for a list of articles. */
struct text
pipeline_encode(const struct pipeline *pipeline)
{
	struct buffer bytes = buffer_in(pipeline->arena, 64 * pipeline->count);

	for (size_t i = 0; i < pipeline->count; i++) {
		const struct command *command = &pipeline->commands[i];

		add_length(&bytes, '*', command->count);
		for (size_t w = 0; w < command->count; w++) {
			add_length(&bytes, '$', command->words[w].size);
			buffer_add(&bytes, command->words[w]);
			buffer_add(&bytes, TEXT("\r\n"));
		}
	}
	return buffer_text(&bytes);
}

bool
pipeline_accepted(const struct pipeline *pipeline)
{
	for (size_t i = 0; i < pipeline->count; i++) {
		struct text command = pipeline->commands[i].words[0];
		struct text error = pipeline->replies[i].text;

		if (pipeline->replies[i].kind != REPLY_ERROR)
			continue;
		log_line("Redis refused %.*s: %.*s", TEXT_ARGS(command),
		    TEXT_ARGS(error));
		return false;
	}
	return true;
}
