#include "store/fields.h"

#include "store/keys.h"
#include "store/reply.h"

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
fields_ask(struct pipeline *pipeline, const struct store *store, uint64_t id,
    uint64_t viewer)
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
	struct text user;

	for (size_t i = 0; i < FIELDS; i++)
		words[2 + i] = names[i];
	redis_add_words(pipeline, words, 2 + FIELDS);
	if (viewer == 0)
		return;
	user = text_number(arena, (int64_t)viewer);
	redis_add(pipeline, TEXT("SISMEMBER"), key_up(arena, buckets, id), user);
	redis_add(
	    pipeline, TEXT("SISMEMBER"), key_down(arena, buckets, id), user);
}

size_t
fields_replies(uint64_t viewer)
{
	return viewer == 0 ? 1 : 3;
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

bool
fields_read(const struct store *store, const struct reply *replies, uint64_t id,
    uint64_t viewer, struct article *article)
{
	const struct reply *hash = &replies[0];

	*article = (struct article){
		.id = id,
		.title = reply_text(reply_item(hash, TITLE)),
		.url = reply_text(reply_item(hash, URL)),
		.posted = reply_number(reply_item(hash, POSTED)),
		.closes = reply_number(reply_item(hash, CLOSES)),
		.up = reply_number(reply_item(hash, UP)),
		.down = reply_number(reply_item(hash, DOWN)),
		.groups = reply_text(reply_item(hash, GROUPS)),
		.interesting = reply_number(reply_item(hash, INTERESTING)),
		.removed = reply_number(reply_item(hash, REMOVED)),
	};
	fields_split_author(reply_text(reply_item(hash, AUTHOR)),
	    &article->author, &article->author_name);
	article->score = rule_score(
	    &store->rules, article->posted, article->up, article->down);
	if (viewer != 0 && reply_number(&replies[1]) == 1)
		article->vote = VOTE_UP;
	else if (viewer != 0 && reply_number(&replies[2]) == 1)
		article->vote = VOTE_DOWN;
	return reply_item(hash, POSTED)->kind != REPLY_NIL;
}
