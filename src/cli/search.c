#include "cli/search.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/log.h"
#include "redis/redis.h"
#include "search/client.h"
#include "search/sample.h"
#include "search/writer.h"
#include "server/config.h"

static const struct reply *
ask(struct redis *client, struct arena *arena, struct text word)
{
	struct pipeline pipeline = pipeline_begin(client, arena);

	pipeline_add_words(&pipeline, UNREPLICATED, 0, &word, 1);
	return redis_run_each(&pipeline) ? &pipeline.replies[0] : NULL;
}

/* A number among the names and values of an answer. */
static long long
state_value(const struct reply *state, struct text name)
{
	for (size_t i = 0; i + 1 < state->count; i += 2)
		if (text_equal(reply_text(reply_item(state, i)), name))
			return reply_number(reply_item(state, i + 1));
	return -1;
}

static void
print_state(const struct reply *state)
{
	long long building = state_value(state, TEXT("building"));
	long long behind = state_value(state, TEXT("behind_ms"));

	printf("%lld posts in %lld bytes\n", state_value(state, TEXT("rows")),
	    state_value(state, TEXT("bytes")));
	if (building >= 0)
		printf("another index is being built: %lld %%\n", building);
	if (behind >= 0)
		printf("up to date as of %lld.%03lld s ago\n", behind / 1000,
		    behind % 1000);
}

static int
show(const struct task *task)
{
	struct redis *client = search_client_open(task->arena,
	    config_search_socket(task->arena, task->config->socket));
	const struct reply *reply = ask(client, task->arena,
	    task->line->rebuild ? TEXT("BUILD") : TEXT("STATE"));
	bool is_there = reply != NULL && reply->kind != REPLY_ERROR;

	if (!is_there)
		log_line("search does not answer: is the site running?");
	else if (!task->line->rebuild)
		print_state(reply);
	redis_close(client);
	return is_there ? 0 : 1;
}

int
search_show(const struct command_line *line)
{
	return task_run(line, TASK_EXISTING, show);
}

static int
report_sample(const struct sample *sample)
{
	switch (sample->result) {
	case SAMPLE_COMPARED:
		printf("%zu of %llu posts in the index for search compared: "
		       "%zu differ%s\n",
		    sample->compared, (unsigned long long)sample->rows,
		    sample->different, sample->different == 1 ? "s" : "");
		if (sample->different > 0)
			puts("\"tally search --rebuild\" builds it again.");
		return sample->different > 0;
	case SAMPLE_BEHIND:
		puts("the index for search is not up to date, and was not "
		     "compared");
		return 0;
	case SAMPLE_ABSENT:
		puts("there is no index for search");
		return 0;
	case SAMPLE_BROKEN:
		puts(
		    "the index for search is damaged; a running site builds it "
		    "again");
		return 1;
	default:
		log_line("Redis does not answer: the index for search was not "
			 "compared");
		return 1;
	}
}

int
search_check(const struct task *task)
{
	struct text path;
	struct sample sample;

	if (task->config->search.size == 0)
		return 0;
	path =
	    text_join(task->arena, task->config->search, TEXT("/" WRITER_FILE));
	sample_compare(
	    task->store, text_string(task->arena, path), stdout, &sample);
	return report_sample(&sample);
}
