#include "archive/member_dump.h"

#include "archive/hidden.h"
#include "archive/record.h"
#include "base/arena.h"
#include "base/fiber.h"
#include "base/log.h"
#include "redis/redis.h"
#include "store/comment.h"
#include "store/follows.h"
#include "store/hidden.h"
#include "store/saved.h"
#include "store/vote_history.h"

enum { STEP = 100 };

/* A dump that is being written. */
struct document {
	struct store *store;
	struct member member;
	const struct member_dump_output *output;
	struct arena arena; /* of a step */
	size_t size;	    /* written so far */
	bool is_later;	    /* in its list: after a comma */
	bool is_cut, has_failed;
};

static void
write_text(struct document *document, struct text text)
{
	document->size += text.size;
	document->has_failed = document->has_failed ||
	    !document->output->write(document->output->data, text);
}

/* One that is not valid UTF-8 is left out. */
static void
write_record(struct document *document, const struct record *record)
{
	struct buffer line = buffer_in(&document->arena, 1024);
	struct text text;

	if (!record_write(&line, record))
		return;
	text = buffer_text(&line);
	if (document->is_later)
		write_text(document, TEXT(",\n"));
	write_text(document, text_slice(text, 0, text.size - 1));
	document->is_later = true;
}

static bool
is_full(struct document *document)
{
	size_t max = document->output->max;

	document->is_cut =
	    document->is_cut || (max > 0 && document->size >= max);
	return document->is_cut;
}

static enum store_result
end_step(struct document *document)
{
	arena_reset(&document->arena);
	fiber_yield();
	return document->has_failed ? STORE_DOWN : STORE_OK;
}

/* The parts, each a list. */

static enum store_result
write_follows(struct document *document)
{
	struct text *groups;
	size_t count;

	if (follows_get(document->store, &document->arena, document->member.id,
		&groups, &count) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		write_record(document,
		    &(struct record){ .kind = RECORD_FOLLOW,
			.follow = { document->member, groups[i] } });
	return end_step(document);
}

/* The names of hidden members; one who does not exist has none. */
static enum store_result
name_hidden(struct document *document, struct record *records, size_t count)
{
	struct arena *arena = &document->arena;
	uint64_t *ids = arena_new(arena, uint64_t, count);
	struct user *users;
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		if (records[i].hidden.member.id != 0)
			ids[used++] = records[i].hidden.member.id;
	if (user_get_all(document->store, arena, ids, used, &users, &used) !=
	    STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		for (size_t u = 0; u < used; u++)
			if (users[u].id == records[i].hidden.member.id)
				records[i].hidden.member.name = users[u].name;
	return STORE_OK;
}

static enum store_result
write_hidden(struct document *document)
{
	struct hidden_rule *rules;
	struct record *records;
	size_t count;

	if (hidden_get(document->store, &document->arena, document->member.id,
		&rules, &count) != STORE_OK)
		return STORE_DOWN;
	records = arena_new(&document->arena, struct record, count);
	for (size_t i = 0; i < count; i++) {
		records[i] =
		    hidden_archive_record(document->member.id, &rules[i]);
		records[i].hidden.by = document->member;
	}
	if (name_hidden(document, records, count) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		write_record(document, &records[i]);
	return end_step(document);
}

static enum store_result
write_saved(struct document *document)
{
	struct saved *items;
	uint64_t total;
	size_t got;

	if (saved_read(document->store, &document->arena, document->member.id,
		0, SAVED_MAX, &items, &got, &total) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < got; i++)
		write_record(document,
		    &(struct record){ .kind = RECORD_SAVED,
			.saved = { .by = document->member,
			    .post = items[i].post,
			    .at = items[i].at } });
	return end_step(document);
}

static enum store_result
write_votes(struct document *document)
{
	struct arena *arena = &document->arena;
	struct vote_entry *entries;
	uint64_t total;
	size_t got;

	if (vote_history_read(document->store, arena, document->member.id, 0,
		VOTE_HISTORY_MAX, &entries, &got, &total) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < got; i++)
		if (entries[i].vote != VOTE_NONE)
			write_record(document,
			    &(struct record){ .kind = RECORD_VOTE,
				.vote = { .by = document->member,
				    .post = entries[i].post,
				    .vote = text_join(arena,
					entries[i].is_voided ? TEXT("voided_")
							     : TEXT(""),
					vote_words[entries[i].vote]),
				    .at = entries[i].at } });
	return end_step(document);
}

static void
ask_post(
    struct pipeline *pipeline, const struct store *store, struct post_id id)
{
	if (id.comment != 0)
		comment_ask(pipeline, store, id);
	else
		schema_ask(pipeline, &article_schema, SCHEMA_WHOLE,
		    key_post(pipeline->arena, &store->buckets, id));
}

/* Without the name of a moderator; *reply moves on. */
static void
write_post(
    struct document *document, struct post_id id, const struct reply **reply)
{
	struct record record = { .kind = id.comment != 0 ? RECORD_COMMENT
							 : RECORD_ARTICLE };
	struct post *post = record_post(&record);
	bool is_there;

	post->id = id;
	is_there = id.comment != 0 ? comment_read(reply, &record.comment)
				   : schema_read(&article_schema, SCHEMA_WHOLE,
					 (*reply)++, &record.article);
	if (!is_there || post->author.id != document->member.id)
		return;
	post->author = document->member;
	if (post->removed_by.id != post->author.id)
		post->removed_by = (struct member){ .id = 0 };
	else
		post->removed_by = document->member;
	write_record(document, &record);
}

/* Writes those of a list of posts that are comments, or those that are not. */
static enum store_result
write_list(struct document *document, struct text list_key, bool comments)
{
	struct store *store = document->store;
	struct arena *arena = &document->arena;
	enum store_result result = STORE_OK;
	size_t found = STEP;

	for (int64_t start = 0;
	    found == STEP && result == STORE_OK && !is_full(document);
	    start += STEP) {
		struct pipeline pipeline = pipeline_begin(store->redis, arena);
		const struct reply *all = store_read(store, arena,
		    TEXT("ZREVRANGE"), list_key, text_number(arena, start),
		    text_number(arena, start + STEP - 1));
		struct post_id ids[STEP];
		const struct reply *reply;
		size_t count = 0;

		if (all == NULL)
			return STORE_DOWN;
		found = all->count;
		for (size_t i = 0; i < found && i < STEP; i++) {
			struct post_id id =
			    decode_post(reply_text(reply_item(all, i)));

			if (id.article == 0 || (id.comment != 0) != comments)
				continue;
			ask_post(&pipeline, store, id);
			ids[count++] = id;
		}
		if (!redis_run(&pipeline))
			return STORE_DOWN;
		reply = pipeline.replies;
		for (size_t i = 0; i < count && !is_full(document); i++)
			write_post(document, ids[i], &reply);
		result = end_step(document);
	}
	return result;
}

/* Those that are shown, and those that were removed, of all buckets. */
static enum store_result
write_posts(struct document *document, enum key_kind kind, bool comments)
{
	const struct buckets *buckets = &document->store->buckets;
	const enum key_kind kinds[] = { kind, KEY_REMOVED };
	struct arena keys = { 0 };
	struct text list = key_list_of_author(&keys, document->member.id);
	enum store_result result = STORE_OK;

	for (size_t k = 0; k < 2; k++)
		for (uint64_t b = 0; b < buckets->count && result == STORE_OK;
		    b++)
			result = write_list(document,
			    key_in_bucket(&keys, buckets, b, kinds[k], list),
			    comments);
	arena_free(&keys);
	return result;
}

static enum store_result
write_articles(struct document *document)
{
	return write_posts(document, KEY_TIME, false);
}

static enum store_result
write_comments(struct document *document)
{
	return write_posts(document, KEY_COMMENTS, true);
}

/* The parts of the document. A new thing that members keep is a row here. */
static const struct part {
	const char *name;
	enum store_result (*write)(struct document *document);
} parts[] = {
	{ "follows", write_follows },
	{ "hidden", write_hidden },
	{ "saved", write_saved },
	{ "votes", write_votes },
	{ "articles", write_articles },
	{ "comments", write_comments },
};

static enum store_result
write_part(struct document *document, const struct part *part)
{
	enum store_result result;

	write_text(
	    document, text_format(&document->arena, ",\n\"%s\":[", part->name));
	document->is_later = false;
	result = part->write(document);
	write_text(document, TEXT("]"));
	return result;
}

static void
write_member(struct document *document, const struct user *user)
{
	struct record record = { .kind = RECORD_USER, .user = *user };

	record.user.password_hash = record.user.feed_key = TEXT("");
	record.user.factor = TEXT("");
	write_text(document, TEXT("{\"member\":"));
	write_record(document, &record);
}

STORE_CALL
member_dump(struct store *store, const struct user *user,
    const struct member_dump_output *output)
{
	struct document document = { .store = store,
		.member = { user->id, user->name },
		.output = output };
	enum store_result result = STORE_OK;

	write_member(&document, user);
	for (size_t i = 0;
	    i < sizeof(parts) / sizeof(parts[0]) && result == STORE_OK; i++)
		result = write_part(&document, &parts[i]);
	write_text(&document,
	    document.is_cut ? TEXT(",\n\"complete\":false}\n")
			    : TEXT(",\n\"complete\":true}\n"));
	arena_free(&document.arena);
	return document.has_failed ? STORE_DOWN : result;
}

static bool
write_file(void *data, struct text part)
{
	return fwrite(part.data, 1, part.size, data) == part.size;
}

int
member_dump_command(struct store *store, struct text name, FILE *out)
{
	const struct member_dump_output output = { write_file, out, 0 };
	struct arena arena = { 0 };
	struct user user;
	enum store_result result = user_find(store, &arena, name, &user);

	if (result == STORE_OK)
		result = member_dump(store, &user, &output);
	if (result == STORE_OK && fflush(out) != 0)
		result = STORE_DOWN;
	arena_free(&arena);
	if (result == STORE_ABSENT)
		log_line("there is no member \"%.*s\"", TEXT_ARGS(name));
	else if (result != STORE_OK)
		log_line("the dump stopped before its end");
	return result == STORE_OK ? 0 : 1;
}
