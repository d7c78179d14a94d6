/*
 * A site as in the usual write-ups, over hiredis, with one round trip for each
 * command:
 *
 *	baseline SOCKET WORKERS REDIS SIZE
 *
 * GET / reads the order and then 25 hashes; GET /g/NAME the same after a
 * ZINTERSTORE, whose result is kept for a minute; POST /articles/ID/vote takes
 * a vote of the user that the form names. A page has SIZE bytes, as many as
 * Tally's. The layout of the data is described in layout.h.
 */
#include <hiredis/hiredis.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buffer.h"
#include "base/log.h"
#include "server.h"

enum { PAGE = 25, WEEK = 7 * 86400, VOTE_SCORE = 86400 / 200 };

struct baseline {
	const char *address;
	size_t page_size;
	redisContext *redis; /* of this process */
};

__attribute__((format(printf, 2, 3))) static redisReply *
ask(struct baseline *baseline, const char *format, ...)
{
	redisReply *reply;
	va_list arguments;

	if (baseline->redis == NULL)
		baseline->redis = redisConnectUnix(baseline->address);
	if (baseline->redis == NULL || baseline->redis->err != 0)
		log_fatal("Redis at %s does not answer", baseline->address);
	va_start(arguments, format);
	reply = redisvCommand(baseline->redis, format, arguments);
	va_end(arguments);
	if (reply == NULL || reply->type == REDIS_REPLY_ERROR)
		log_fatal("Redis refused \"%s\": %s", format,
		    reply == NULL ? baseline->redis->errstr : reply->str);
	return reply;
}

static long long
ask_number(redisReply *reply)
{
	long long number = reply->type == REDIS_REPLY_INTEGER
	    ? reply->integer
	    : (reply->str == NULL ? 0 : atoll(reply->str));

	freeReplyObject(reply);
	return number;
}

static void
add_article(struct baseline *baseline, struct buffer *page, const char *key)
{
	redisReply *hash = ask(baseline, "HGETALL %s", key);

	buffer_add(page, TEXT("<article>"));
	for (size_t i = 0; i < hash->elements; i++) {
		buffer_add(page,
		    (struct text){
			hash->element[i]->str, (size_t)hash->element[i]->len });
		buffer_add(page, i % 2 == 0 ? TEXT(": ") : TEXT("<br>"));
	}
	buffer_add(page, TEXT("</article>\n"));
	freeReplyObject(hash);
}

/* Padded to the size of Tally's page, so that nginx has the same work. */
static struct text
list(struct baseline *baseline, struct arena *arena, const char *order)
{
	struct buffer page = buffer_in(arena, baseline->page_size + 1);
	redisReply *keys = ask(baseline, "ZREVRANGE %s 0 %d", order, PAGE - 1);

	for (size_t i = 0; i < keys->elements; i++)
		add_article(baseline, &page, keys->element[i]->str);
	freeReplyObject(keys);
	while (page.size < baseline->page_size)
		buffer_add_char(&page, '\n');
	return buffer_text(&page);
}

static struct text
group_list(struct baseline *baseline, struct arena *arena, struct text name)
{
	const char *group = text_string(arena, name);
	const char *order =
	    text_string(arena, text_join(arena, TEXT("score:"), name));

	if (ask_number(ask(baseline, "EXISTS %s", order)) == 0) {
		freeReplyObject(ask(baseline,
		    "ZINTERSTORE %s 2 group:%s score: AGGREGATE MAX", order,
		    group));
		freeReplyObject(ask(baseline, "EXPIRE %s 60", order));
	}
	return list(baseline, arena, order);
}

static void
vote(struct baseline *baseline, uint64_t id, uint64_t user)
{
	unsigned long long article = id, voter = user;

	if (ask_number(ask(baseline, "ZSCORE time: article:%llu", article)) <
	    time(NULL) - WEEK)
		return;
	if (ask_number(ask(
		baseline, "SADD voted:%llu user:%llu", article, voter)) == 0)
		return;
	freeReplyObject(ask(
	    baseline, "ZINCRBY score: %d article:%llu", VOTE_SCORE, article));
	freeReplyObject(ask(baseline, "HINCRBY article:%llu votes 1", article));
}

static void
answer(void *data, struct arena *arena, const struct request *request,
    struct response *response)
{
	struct baseline *baseline = data;
	struct text rest = request->path, part, id, form = request->body, value;
	uint64_t article, user;

	text_cut(&rest, '/', &part);
	text_cut(&rest, '/', &part);
	if (request->method != HTTP_POST) {
		response->body = text_equal(part, TEXT("g"))
		    ? group_list(baseline, arena, rest)
		    : list(baseline, arena, "score:");
		return;
	}
	text_cut(&rest, '/', &id);
	text_cut(&form, '=', &value);
	if (!text_to_u64(id, &article) || !text_to_u64(form, &user)) {
		response->status = HTTP_BAD_REQUEST;
		return;
	}
	vote(baseline, article, user);
	response->status = HTTP_SEE_OTHER;
	response->location = TEXT("/");
}

int
main(int argc, char **argv)
{
	struct baseline baseline;

	if (argc != 5)
		log_fatal("usage: baseline SOCKET WORKERS REDIS SIZE");
	baseline = (struct baseline){ .address = argv[3],
		.page_size = strtoul(argv[4], NULL, 10) };
	server_run(argv[1], atoi(argv[2]), answer, &baseline);
}
