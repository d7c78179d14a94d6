#include "archive/dump.h"

#include <errno.h>
#include <string.h>

#include "archive/export.h"
#include "archive/inboxes.h"
#include "archive/keyscan.h"
#include "archive/writer.h"
#include "base/log.h"
#include "base/sort.h"
#include "redis/redis.h"
#include "store/post.h"

enum {
	ACTS_BATCH = 100,
	POSTS_BATCH = 20 /* they keep Redis busy for a millisecond */
};

struct dump {
	struct store *store;
	struct writer writer;
	struct keyscan posts;
	/* What is not written, as numbers of post_number, in order: articles
	 * and comments that were left out, and comments that answer what appeared
	 * since. */
	struct buffer lost_articles, lost_comments, late_comments;
};

static void
note(struct buffer *posts, struct post_id id)
{
	uint64_t number = post_id_to_number(id);

	buffer_add(posts, (struct text){ (char *)&number, sizeof(number) });
}

static bool
is_among(const struct buffer *posts, struct post_id id)
{
	return sort_find(post_id_to_number(id), (uint64_t *)(void *)posts->data,
		   posts->size / sizeof(uint64_t)) != NULL;
}

static enum store_result
write_article(struct dump *dump, struct record *record)
{
	enum store_result result = writer_post(&dump->writer, record);

	if (result == STORE_ABSENT)
		note(&dump->lost_articles, record->article.post.id);
	return result;
}

/* What is not in the inventory was posted since, or is not there at all. */
static enum store_result
look_for(struct dump *dump, struct post_id id, enum finding *finding)
{
	struct arena *arena = &dump->writer.portion;
	struct pipeline pipeline = pipeline_begin(dump->store->redis, arena);

	pipeline_add(&pipeline, TEXT("EXISTS"),
	    key_post(arena, &dump->store->buckets, id));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*finding =
	    reply_number(&pipeline.replies[0]) == 1 ? FOUND_LATE : FOUND_LOST;
	return STORE_OK;
}

/* Of a post that would be written already. */
static enum store_result
find_post(void *data, struct post_id id, enum finding *finding)
{
	struct dump *dump = data;
	const struct place place = {
		key_bucket_of(&dump->store->buckets, id.article), id
	};
	bool is_lost = is_among(
	    id.comment == 0 ? &dump->lost_articles : &dump->lost_comments, id);

	*finding = is_lost ? FOUND_LOST : FOUND_WRITTEN;
	if (is_among(&dump->late_comments, id))
		*finding = FOUND_LATE;
	else if (!is_lost && !keyscan_has_post(&dump->posts, &place))
		return look_for(dump, id, finding);
	return STORE_OK;
}

/* A comment that is written answers one before it that is written, and so on up to its
 * article. */
static enum store_result
find_answered(
    struct dump *dump, const struct comment *comment, enum finding *finding)
{
	struct post_id id = { comment->post.id.article,
		(uint64_t)comment->parent };

	*finding = FOUND_LOST;
	return id.comment >= comment->post.id.comment
	    ? STORE_OK
	    : find_post(dump, id, finding);
}

static enum store_result
write_comment(struct dump *dump, struct record *record)
{
	struct post_id id = record->comment.post.id;
	enum finding answered;
	enum store_result result =
	    find_answered(dump, &record->comment, &answered);

	if (result != STORE_OK)
		return result;
	if (answered == FOUND_LATE) {
		note(&dump->late_comments, id);
		return STORE_OK;
	}
	result = answered == FOUND_LOST
	    ? writer_leave_out(
		  &dump->writer, record, "answers what is not in the dump")
	    : writer_post(&dump->writer, record);
	if (result == STORE_ABSENT)
		note(&dump->lost_comments, id);
	return result;
}

/* What is left out is no reason to stop. */
static enum store_result
write_some_posts(struct dump *dump, const struct place *places, size_t count)
{
	struct record records[POSTS_BATCH];
	enum store_result result = export_posts(
	    dump->store, &dump->writer.portion, places, count, records);

	for (size_t i = 0; i < count && result != STORE_DOWN; i++) {
		if (record_post(&records[i])->id.article == 0)
			continue;
		result = records[i].kind == RECORD_ARTICLE
		    ? write_article(dump, &records[i])
		    : write_comment(dump, &records[i]);
	}
	arena_reset(&dump->writer.portion);
	return result;
}

static enum store_result
write_posts(struct dump *dump, enum keyscan_kind kind)
{
	const struct places *places = &dump->posts.places[kind];
	enum store_result result = STORE_OK;

	for (size_t next = 0; next < places->count && result != STORE_DOWN;) {
		size_t left = places->count - next;
		size_t count = left < POSTS_BATCH ? left : POSTS_BATCH;

		result = write_some_posts(dump, &places->items[next], count);
		next += count;
	}
	return result == STORE_DOWN ? result : STORE_OK;
}

/* Both kinds are found by one scan: a comment that is found has its article found, or
 * posted since. */
static enum store_result
write_threads(struct dump *dump)
{
	enum store_result result = keyscan_read(
	    dump->store, &dump->writer.memory, KEYSCAN_POSTS, &dump->posts);

	if (result == STORE_OK)
		result = write_posts(dump, KEYSCAN_ARTICLES);
	return result == STORE_OK ? write_posts(dump, KEYSCAN_COMMENTS)
				  : result;
}

static enum store_result
write_some_acts(struct dump *dump, const struct place *places, size_t count)
{
	struct record records[ACTS_BATCH];
	enum store_result result = export_acts(
	    dump->store, &dump->writer.portion, places, count, records);

	for (size_t i = 0; i < count && result != STORE_DOWN; i++)
		if (records[i].act.id != 0)
			result = writer_act(&dump->writer, &records[i]);
	arena_reset(&dump->writer.portion);
	return result;
}

static enum store_result
write_acts(struct dump *dump)
{
	struct keyscan all;
	enum store_result result =
	    keyscan_read(dump->store, &dump->writer.memory, KEYSCAN_LOG, &all);
	const struct places *acts = &all.places[KEYSCAN_ACTS];

	for (size_t next = 0; next < acts->count && result != STORE_DOWN;) {
		size_t left = acts->count - next;
		size_t count = left < ACTS_BATCH ? left : ACTS_BATCH;

		result = write_some_acts(dump, &acts->items[next], count);
		next += count;
	}
	return result == STORE_DOWN ? result : STORE_OK;
}

/* A line, unless nobody has set any. */
static enum store_result
write_settings(struct dump *dump)
{
	struct record record = { .kind = RECORD_SITE };
	enum store_result result =
	    settings_get(dump->store, &dump->writer.portion, &record.site);

	if (result == STORE_OK && !settings_are_default(&record.site))
		result = writer_settings(&dump->writer, &record);
	arena_reset(&dump->writer.portion);
	return result == STORE_DOWN ? result : STORE_OK;
}

static enum store_result
write_all(struct dump *dump)
{
	struct writer *writer = &dump->writer;
	enum store_result result = write_settings(dump);

	if (result == STORE_OK)
		result = writer_users(writer);
	if (result == STORE_OK)
		result = writer_groups(writer, KEY_GROUPS);
	if (result == STORE_OK)
		result = writer_groups(writer, KEY_FORMER);
	if (result == STORE_OK)
		result = write_threads(dump);
	if (result == STORE_OK)
		result = write_acts(dump);
	if (result == STORE_OK)
		result = inboxes_write(writer, find_post, dump);
	if (result == STORE_OK && fflush(writer->out) != 0) {
		log_line("cannot write the dump: %s", strerror(errno));
		return STORE_DOWN;
	}
	return result;
}

int
dump_command(struct store *store, FILE *out)
{
	struct dump dump = { .store = store };
	struct arena *memory = &dump.writer.memory;
	enum store_result result;
	bool is_whole;

	writer_open(&dump.writer, store, out);
	dump.lost_articles = buffer_in(memory, 64);
	dump.lost_comments = buffer_in(memory, 64);
	dump.late_comments = buffer_in(memory, 64);
	result = write_all(&dump);
	if (result != STORE_OK)
		log_line("the dump stopped before its end");
	is_whole = result == STORE_OK && !dump.writer.incomplete;
	writer_close(&dump.writer);
	return is_whole ? 0 : 1;
}
