#include "store/fields.h"

#include "redis/reply.h"
#include "store/keys.h"

enum {
	TITLE,
	URL,
	AUTHOR,
	POSTED,
	CLOSES,
	UP,
	DOWN,
	GROUPS,
	INTERESTING,
	REMOVED,
	FIELDS
};

void
fields_ask(struct pipeline *pipeline, const struct store *store, uint64_t id)
{
	static const struct text names[FIELDS] = {
		[TITLE] = TEXT_INIT("title"),
		[URL] = TEXT_INIT("url"),
		[AUTHOR] = TEXT_INIT("author"),
		[POSTED] = TEXT_INIT("posted"),
		[CLOSES] = TEXT_INIT("closes"),
		[UP] = TEXT_INIT("up"),
		[DOWN] = TEXT_INIT("down"),
		[GROUPS] = TEXT_INIT("groups"),
		[INTERESTING] = TEXT_INIT("interesting"),
		[REMOVED] = TEXT_INIT("removed"),
	};
	uint64_t buckets = store->rules.buckets;
	struct arena *arena = pipeline->arena;
	struct text words[2 + FIELDS] = { TEXT("HMGET"),
		key_article(arena, buckets, id) };

	for (size_t i = 0; i < FIELDS; i++)
		words[2 + i] = names[i];
	pipeline_add_words(pipeline, words, 2 + FIELDS);
}

void
fields_split_author(struct text field, uint64_t *id, struct text *name)
{
	struct text number;

	*id = 0;
	if (text_cut(&field, ' ', &number))
		text_to_u64(number, id);
	*name = field;
}

struct text
fields_join_author(struct arena *arena, uint64_t id, struct text name)
{
	return text_format(
	    arena, "%llu %.*s", (unsigned long long)id, TEXT_ARGS(name));
}

static void
count_points(const struct store *store, struct article *article)
{
	article->points = article->up - article->down;
	article->score = rule_score(
	    &store->rules, article->posted, article->up, article->down);
}

void
fields_ask_counts(
    struct pipeline *pipeline, const struct store *store, uint64_t id)
{
	pipeline_add(pipeline, TEXT("HMGET"),
	    key_article(pipeline->arena, store->rules.buckets, id), TEXT("up"),
	    TEXT("down"));
}

void
fields_read_counts(const struct store *store, const struct reply *reply,
    struct article *article)
{
	article->up = reply_members(reply_item(reply, 0));
	article->down = reply_members(reply_item(reply, 1));
	count_points(store, article);
}

bool
fields_read(const struct store *store, const struct reply *reply, uint64_t id,
    struct article *article)
{
	*article = (struct article){
		.id = id,
		.title = reply_text(reply_item(reply, TITLE)),
		.url = reply_text(reply_item(reply, URL)),
		.posted = reply_number(reply_item(reply, POSTED)),
		.closes = reply_number(reply_item(reply, CLOSES)),
		.up = reply_members(reply_item(reply, UP)),
		.down = reply_members(reply_item(reply, DOWN)),
		.groups = reply_text(reply_item(reply, GROUPS)),
		.interesting = reply_number(reply_item(reply, INTERESTING)),
		.removed = reply_number(reply_item(reply, REMOVED)),
	};
	fields_split_author(reply_text(reply_item(reply, AUTHOR)),
	    &article->author, &article->author_name);
	count_points(store, article);
	return reply_item(reply, POSTED)->kind != REPLY_NIL;
}

void
fields_ask_vote(struct pipeline *pipeline, const struct store *store,
    uint64_t id, uint64_t user)
{
	uint64_t buckets = store->rules.buckets;
	struct arena *arena = pipeline->arena;
	struct text member = text_number(arena, (int64_t)user);

	pipeline_add(
	    pipeline, TEXT("SISMEMBER"), key_up(arena, buckets, id), member);
	pipeline_add(
	    pipeline, TEXT("SISMEMBER"), key_down(arena, buckets, id), member);
}

enum vote
fields_read_vote(const struct reply *replies)
{
	if (reply_number(&replies[0]) == 1)
		return VOTE_UP;
	return reply_number(&replies[1]) == 1 ? VOTE_DOWN : VOTE_NONE;
}
