#include "search/client.h"

#include "base/arena.h"
#include "redis/redis.h"

/* As the process writes them. */
static const struct text outcome_words[] = {
	[SEARCH_EXACT] = TEXT_INIT("exact"),
	[SEARCH_MORE] = TEXT_INIT("more"),
	[SEARCH_LATE] = TEXT_INIT("late"),
};

enum {
	FIXED_WORDS = 6, /* of SEARCH, before the names */
	NAMES_MAX = 2 * QUERY_ITEMS_MAX
};

struct redis *
search_client_open(struct arena *arena, struct text socket)
{
	struct redis *client = redis_open(
	    text_join(arena, TEXT("unix:"), socket), TEXT(""), TEXT(""));

	redis_set_noun(client, TEXT("search"));
	redis_set_timeout(client, SEARCH_PATIENCE_MS);
	return client;
}

static void
add_question(struct pipeline *pipeline, const struct search_question *question)
{
	struct arena *arena = pipeline->arena;
	const struct query_names *names = question->names;
	struct text words[FIXED_WORDS + 2 * NAMES_MAX] = { TEXT("SEARCH"),
		/* No more of it is taken (search/query.h). */
		text_slice(question->query, 0, QUERY_BYTES_MAX),
		query_orders[question->order],
		text_number(arena, (int64_t)question->offset),
		text_number(arena, (int64_t)question->count),
		text_number(arena, question->milliseconds) };
	size_t count = FIXED_WORDS;

	for (size_t i = 0; i < names->count && i < NAMES_MAX; i++) {
		words[count++] = names->items[i].key;
		words[count++] = names->items[i].value;
	}
	pipeline_add_words(pipeline, UNREPLICATED, PIPELINE_KEY, words, count);
}

/* "4711" or "4712:3" */
static bool
read_id(struct text text, struct post_id *id)
{
	struct text article;

	*id = (struct post_id){ .article = 0 };
	text_cut(&text, ':', &article);
	return text_to_u64(article, &id->article) && id->article != 0 &&
	    (text.data == NULL ||
		(text_to_u64(text, &id->comment) && id->comment != 0));
}

/* False when it is no answer to a search. */
static bool
read_answer(struct arena *arena, const struct reply *reply, uint64_t count,
    struct search_answer *answer)
{
	const struct reply *ids = reply_item(reply, 2);
	size_t outcome;

	if (!text_index(
		reply_text(reply_item(reply, 0)), outcome_words, 3, &outcome) ||
	    ids->kind != REPLY_LIST || ids->count > count)
		return false;
	*answer = (struct search_answer){
		.outcome = (enum search_outcome)outcome,
		.total = (uint64_t)reply_count(reply_item(reply, 1)),
		.ids = arena_new(arena, struct post_id, ids->count),
	};
	for (size_t i = 0; i < ids->count; i++)
		answer->count += read_id(reply_text(reply_item(ids, i)),
		    &answer->ids[answer->count]);
	return true;
}

enum search_result
search_client_ask(struct redis *client, struct arena *arena,
    const struct search_question *question, struct search_answer *answer)
{
	struct pipeline pipeline;
	const struct reply *reply;

	if (client == NULL)
		return SEARCH_AWAY;
	pipeline = pipeline_begin(client, arena);
	add_question(&pipeline, question);
	if (!redis_run_each(&pipeline))
		return SEARCH_AWAY;
	reply = &pipeline.replies[0];
	if (reply->kind == REPLY_ERROR)
		return text_starts(reply->text, TEXT("BUSY")) ? SEARCH_BUSY
		    : text_starts(reply->text, TEXT("INDEX")) ? SEARCH_NO_INDEX
							      : SEARCH_AWAY;
	return read_answer(arena, reply, question->count, answer) ? SEARCH_OK
								  : SEARCH_AWAY;
}

int
search_client_building(struct redis *client, struct arena *arena)
{
	struct pipeline pipeline = pipeline_begin(client, arena);
	const struct reply *state;

	pipeline_add_words(
	    &pipeline, UNREPLICATED, 0, PIPELINE_WORDS(TEXT("STATE")), 1);
	if (!redis_run_each(&pipeline))
		return -1;
	state = &pipeline.replies[0];
	for (size_t i = 0; i + 1 < state->count; i += 2)
		if (text_equal(
			reply_text(reply_item(state, i)), TEXT("building")) &&
		    reply_number(reply_item(state, i + 1)) <= 100)
			return (int)reply_number(reply_item(state, i + 1));
	return -1;
}
