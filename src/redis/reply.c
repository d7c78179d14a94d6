#include "redis/reply.h"

#include "base/log.h"

static const int64_t NUMBER_MOST = 999999999999999;

struct text
reply_text(const struct reply *reply)
{
	return reply->kind == REPLY_TEXT ? reply->text
					 : (struct text){ NULL, 0 };
}

static int64_t
within(int64_t number, int64_t least, int64_t most)
{
	return number >= least && number <= most ? number : 0;
}

int64_t
reply_number(const struct reply *reply)
{
	if (reply->kind == REPLY_NUMBER)
		return within(reply->number, -NUMBER_MOST, NUMBER_MOST);
	/* Scores come as text, and whole ones without a fraction. */
	return reply_number_of(reply_text(reply));
}

int64_t
reply_number_of(struct text text)
{
	int64_t number = 0;

	text_to_i64(text, &number);
	return within(number, -NUMBER_MOST, NUMBER_MOST);
}

int64_t
reply_members(const struct reply *reply)
{
	return within(reply_number(reply), 0, INT32_MAX);
}

const struct reply *
reply_item(const struct reply *reply, size_t index)
{
	static const struct reply nil = { .kind = REPLY_NIL };

	return reply->kind == REPLY_LIST && index < reply->count
	    ? &reply->items[index]
	    : &nil;
}

enum store_result
reply_result(const struct reply *reply)
{
	static const struct {
		struct text word;
		enum store_result result;
	} words[] = {
		{ TEXT_INIT("ok"), STORE_OK },
		{ TEXT_INIT("absent"), STORE_ABSENT },
		{ TEXT_INIT("taken"), STORE_TAKEN },
		{ TEXT_INIT("removed"), STORE_REMOVED },
		{ TEXT_INIT("closed"), STORE_CLOSED },
		{ TEXT_INIT("full"), STORE_FULL },
		{ TEXT_INIT("limited"), STORE_LIMITED },
	};
	struct text word = reply_text(reply_item(reply, 0));

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (text_equal(words[i].word, word))
			return words[i].result;
	log_line("a function answered \"%.*s\"", TEXT_ARGS(word));
	return STORE_DOWN;
}

int64_t
reply_seconds(const struct reply *reply)
{
	return reply_number(reply_item(reply, 0));
}
