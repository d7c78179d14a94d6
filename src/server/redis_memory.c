#include "server/redis_memory.h"

#include "base/arena.h"
#include "redis/redis.h"

/* The value of a field in a reply to INFO. */
static int64_t
info_number(struct text info, struct text name)
{
	struct text line, word;

	while (text_cut(&info, '\n', &line))
		if (text_cut(&line, ':', &word) && text_equal(word, name))
			return reply_number_of(text_trim(line));
	return 0;
}

bool
redis_memory_read(
    struct redis *redis, size_t master, struct redis_memory *memory)
{
	struct arena arena = { 0 };
	struct pipeline pipeline = pipeline_begin_at(redis, &arena, master);
	bool is_answered;

	pipeline_add(&pipeline, TEXT("INFO"), TEXT("memory"));
	is_answered = redis_run(&pipeline);
	if (is_answered) {
		struct text info = reply_text(&pipeline.replies[0]);

		memory->used = info_number(info, TEXT("used_memory"));
		memory->max = info_number(info, TEXT("maxmemory"));
	}
	arena_free(&arena);
	return is_answered;
}

bool
redis_memory_is_low(int64_t used, int64_t max)
{
	return max > 0 && used >= max / 10 * 9;
}
