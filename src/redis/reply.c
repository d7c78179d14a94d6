#include "redis/reply.h"

static const int64_t NUMBER_MAX = 999999999999999;

struct text
reply_text(const struct reply *reply)
{
	return reply->kind == REPLY_TEXT ? reply->text
					 : (struct text){ NULL, 0 };
}

static int64_t
within_range(int64_t number)
{
	return number >= -NUMBER_MAX && number <= NUMBER_MAX ? number : 0;
}

int64_t
reply_number(const struct reply *reply)
{
	if (reply->kind == REPLY_NUMBER)
		return within_range(reply->number);
	/* Scores come as text, and whole ones without a fraction. */
	return reply_number_of(reply_text(reply));
}

int64_t
reply_number_of(struct text text)
{
	int64_t number = 0;

	text_to_i64(text, &number);
	return within_range(number);
}

int64_t
reply_count(const struct reply *reply)
{
	int64_t count = reply_number(reply);

	return count >= 0 && count <= INT32_MAX ? count : 0;
}

uint64_t
reply_id(const struct reply *reply)
{
	uint64_t id = 0;

	text_to_u64(reply_text(reply), &id);
	return id;
}

const struct reply *
reply_item(const struct reply *reply, size_t index)
{
	static const struct reply nil = { .kind = REPLY_NIL };

	return reply->kind == REPLY_LIST && index < reply->count
	    ? &reply->items[index]
	    : &nil;
}

int64_t
reply_seconds(const struct reply *reply)
{
	return reply_number(reply_item(reply, 0));
}

int64_t
reply_milliseconds(const struct reply *reply)
{
	return reply_seconds(reply) * 1000 +
	    reply_number(reply_item(reply, 1)) / 1000;
}
