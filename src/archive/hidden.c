/* What members hide: a line for each rule. */
#include "archive/hidden.h"

#include <inttypes.h>

#include "archive/batch.h"
#include "archive/check_keys.h"
#include "archive/members.h"
#include "archive/noun.h"
#include "archive/posts.h"
#include "archive/references.h"
#include "archive/validate.h"
#include "archive/writer.h"
#include "base/arena.h"
#include "redis/redis.h"
#include "store/keys.h"
#include "store/publisher.h"
#include "store/refresh.h"

enum { MEMBERS_CHECKED = 50 }; /* at once */

static const struct field fields[] = {
	FIELD("by", struct record_hidden, by, MEMBER, REQUIRED, WHOLE),
	FIELD("article", struct record_hidden, article, ID, OPTIONAL, WHOLE),
	FIELD("member", struct record_hidden, member, MEMBER, OPTIONAL, WHOLE),
	FIELD("group", struct record_hidden, group, TEXT, OPTIONAL, WHOLE),
	FIELD("from", struct record_hidden, from, TEXT, OPTIONAL, WHOLE),
	FIELD("words", struct record_hidden, words, TEXT, OPTIONAL, WHOLE),
	FIELD("at", struct record_hidden, at, MOMENT, REQUIRED, WHOLE),
};
static const struct schema schema = SCHEMA(struct record_hidden, fields);

static struct hidden_rule
rule_of(const struct record_hidden *record)
{
	struct hidden_rule what = { .at = record->at };

	if (record->article != 0) {
		what.kind = HIDDEN_ARTICLE;
		what.id = record->article;
	} else if (record->group.size > 0) {
		what.kind = HIDDEN_GROUP;
		what.name = record->group;
	} else if (record->from.size > 0) {
		what.kind = HIDDEN_PUBLISHER;
		what.name = record->from;
	} else if (record->words.size > 0) {
		what.kind = HIDDEN_WORDS;
		what.name = record->words;
	} else {
		what.kind = HIDDEN_MEMBER;
		what.id = record->member.id;
	}
	return what;
}

struct record
hidden_archive_record(uint64_t by, const struct hidden_rule *what)
{
	struct record record = { .kind = RECORD_HIDDEN,
		.hidden = { .by.id = by, .at = what->at } };

	switch (what->kind) {
	case HIDDEN_ARTICLE:
		record.hidden.article = what->id;
		break;
	case HIDDEN_MEMBER:
		record.hidden.member.id = what->id;
		break;
	case HIDDEN_GROUP:
		record.hidden.group = what->name;
		break;
	case HIDDEN_PUBLISHER:
		record.hidden.from = what->name;
		break;
	case HIDDEN_WORDS:
		record.hidden.words = what->name;
		break;
	}
	return record;
}

static struct text
hidden_archive_describe(struct arena *arena, const struct record *record)
{
	const struct record_hidden *hidden = &record->hidden;
	struct hidden_rule what = rule_of(hidden);

	return text_format(arena, "what member %" PRIu64 " hides as %.*s",
	    hidden->by.id, TEXT_ARGS(hidden_encode(arena, &what)));
}

static void
hidden_archive_references(struct references *references, struct record *record)
{
	struct record_hidden *hidden = &record->hidden;

	references_member(references, &hidden->by);
	if (hidden->article != 0)
		references_post(references, article_id(hidden->article));
	if (hidden->member.id != 0 || hidden->member.name.size > 0)
		references_member(references, &hidden->member);
}

/* Dump. */

static bool
is_of_nothing(uint64_t by, const struct hidden_rule *what)
{
	return what->at <= 0 || (what->kind == HIDDEN_MEMBER && what->id == by);
}

static enum store_result
write_rule(struct writer *writer, uint64_t by, const struct hidden_rule *what)
{
	struct record record = hidden_archive_record(by, what);

	if (is_of_nothing(by, what))
		return writer_go_on(
		    writer_leave_out(writer, &record, "is damaged"));
	return posts_archive_write_naming(
	    writer, &record, article_id(record.hidden.article));
}

static enum store_result
write_rules(struct writer *writer, uint64_t first, size_t count)
{
	struct arena *arena = &writer->portion;
	struct pipeline pipeline = pipeline_begin(writer->store->redis, arena);
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < count; i++)
		hidden_ask(&pipeline, first + i);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count && result == STORE_OK; i++) {
		struct hidden_rule *rules;
		size_t got;

		hidden_read(arena, &pipeline.replies[i], &rules, &got);
		for (size_t k = 0; k < got && result == STORE_OK; k++)
			result = write_rule(writer, first + i, &rules[k]);
	}
	arena_reset(arena);
	return result;
}

static enum store_result
hidden_archive_write(struct writer *writer)
{
	return members_archive_write_of(writer, write_rules);
}

/* Load. */

static void
hidden_archive_validate(struct validation *validation, struct record *record)
{
	const struct record_hidden *hidden = &record->hidden;
	int count = (hidden->article != 0) + (hidden->member.name.size > 0) +
	    (hidden->group.size > 0) + (hidden->from.size > 0) +
	    (hidden->words.size > 0);

	if (count != 1)
		validate_problem(validation,
		    TEXT("what is hidden is one of \"article\", \"member\", "
			 "\"group\", \"from\" and \"words\""));
	if (hidden->group.size > 0)
		validate_name(
		    validation, "group", hidden->group, rule_group_name);
	if (hidden->from.size > 0 && !publisher_is_valid(hidden->from))
		validate_problem(validation,
		    TEXT("\"from\" is nothing that articles can "
			 "be from"));
	if (hidden->words.size > 0)
		validate_name(
		    validation, "words", hidden->words, rule_hidden_words);
}

static struct post_id
named_article(const struct record *record)
{
	return article_id(record->hidden.article);
}

/* The number of new rules of the same member in the lines before. */
static int64_t
count_before(const struct batch *batch, const struct batch_line *line,
    const bool *is_new)
{
	int64_t count = 0;

	for (size_t i = 0; batch->lines[i] != line; i++)
		count += is_new[i] && batch->lines[i]->refusal.size == 0 &&
		    batch->lines[i]->record.hidden.by.id ==
			line->record.hidden.by.id;
	return count;
}

/* count: how many the member has already, if this one is new. */
static void
refuse_rule(const struct batch *batch, struct batch_line *line, int64_t count)
{
	const struct record_hidden *hidden = &line->record.hidden;

	if (line->refusal.size > 0)
		return;
	if (hidden->member.id == hidden->by.id)
		line->refusal =
		    text_format(batch->arena, "\"%.*s\" cannot hide themselves",
			TEXT_ARGS(hidden->by.name));
	else if (count >= HIDDEN_FORMER_MAX)
		line->refusal = text_format(batch->arena,
		    "\"%.*s\" hides %d already, and that is the most",
		    TEXT_ARGS(hidden->by.name), HIDDEN_FORMER_MAX);
}

/* Refuses rules about oneself, and those for which there is no room. */
static enum store_result
refuse_rules(struct batch *batch)
{
	struct arena *arena = batch->arena;
	struct pipeline pipeline = pipeline_begin(batch->store->redis, arena);
	bool is_new[BATCH_MAX];

	for (size_t i = 0; i < batch->count; i++) {
		const struct record_hidden *hidden =
		    &batch->lines[i]->record.hidden;
		struct text key = key_hidden(arena, hidden->by.id);
		struct hidden_rule what = rule_of(hidden);

		pipeline_add(&pipeline, TEXT("ZSCORE"), key,
		    hidden_encode(arena, &what));
		pipeline_add(&pipeline, TEXT("ZCARD"), key);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++) {
		const struct reply *replies = &pipeline.replies[2 * i];

		is_new[i] = replies[0].kind == REPLY_NIL;
		refuse_rule(batch, batch->lines[i],
		    is_new[i] ? reply_number(&replies[1]) +
			    count_before(batch, batch->lines[i], is_new)
			      : 0);
	}
	return STORE_OK;
}

static enum store_result
hidden_archive_resolve(struct batch *batch)
{
	enum store_result result = batch_find_members(batch);

	if (result == STORE_OK)
		result = batch_find_posts(batch, named_article);
	return result == STORE_OK ? refuse_rules(batch) : result;
}

static void
hidden_archive_add(struct pipeline *pipeline, const struct batch *batch,
    const struct record *record)
{
	struct hidden_rule what = rule_of(&record->hidden);

	(void)batch;
	hidden_load(pipeline, record->hidden.by.id, &what);
}

/* Check. */

static void
report(struct check *check, uint64_t user, struct text problem)
{
	check_report(check,
	    text_format(&check->step, "what member %" PRIu64 " hides: %.*s",
		user, TEXT_ARGS(problem)));
}

static void
expect(struct check *check, uint64_t user, struct text key, struct text named,
    const struct check_entry *entry)
{
	check_expect(check, key,
	    text_format(&check->step,
		"what member %" PRIu64 " hides: \"%.*s\" does not exist", user,
		TEXT_ARGS(named)),
	    entry);
}

static void
expect_named(struct check *check, uint64_t user, const struct hidden_rule *what,
    const struct check_entry *entry)
{
	const struct buckets *buckets = &check->store->buckets;
	const struct post_id id = article_id(what->id);
	const struct place place = { key_bucket_of(buckets, what->id), id };

	if (what->kind == HIDDEN_ARTICLE &&
	    !keyscan_has_post(&check->all, &place))
		expect(check, user, key_post(&check->step, buckets, id),
		    entry->entry, entry);
	if (what->kind == HIDDEN_MEMBER &&
	    !keyscan_has_member(&check->all, what->id))
		expect(check, user, key_user(&check->step, what->id),
		    entry->entry, entry);
}

static void
check_rule(struct check *check, uint64_t user, struct text entry,
    const struct reply *since)
{
	const struct check_entry removed = { "ZREM",
		key_hidden(&check->step, user), entry };
	struct hidden_rule what;

	if (hidden_decode(entry, &what) &&
	    text_equal(hidden_encode(&check->step, &what), entry)) {
		what.at = reply_number(since);
		if (!is_of_nothing(user, &what)) {
			expect_named(check, user, &what, &removed);
			return;
		}
	}
	report(check, user,
	    text_format(&check->step, "\"%.*s\" is nothing", TEXT_ARGS(entry)));
	check_remove(check, &removed);
}

static void
ask_rules(struct check *check, struct pipeline *pipeline,
    const struct check_cursor *cursor)
{
	(void)check;
	hidden_check(pipeline, cursor->id);
}

static bool
take_rules(
    struct check *check, struct check_cursor *cursor, const struct reply *reply)
{
	const struct reply *rules = reply_item(reply, 0);

	for (size_t i = 0; i + 1 < rules->count; i += 2)
		check_rule(check, cursor->id, reply_text(reply_item(rules, i)),
		    reply_item(rules, i + 1));
	for (size_t i = 1; i < reply->count; i++)
		report(check, cursor->id, reply_text(reply_item(reply, i)));
	if (reply->count > 1 && check_repairs(check) != NULL)
		refresh_send_inbox(check_repairs(check), cursor->id);
	return false;
}

static enum store_result
hidden_archive_check(struct check *check)
{
	static const struct check_scan members = { MEMBERS_CHECKED,
		check_start_member, ask_rules, take_rules };

	return check_scan_all(check, &members);
}

const struct noun hidden_archive = {
	.kind = "hidden",
	.label = "hidden thing",
	.schema = &schema,
	.offset = offsetof(struct record, hidden),
	.taken_is_same = true,
	.describe = hidden_archive_describe,
	.references = hidden_archive_references,
	.write = hidden_archive_write,
	.validate = hidden_archive_validate,
	.resolve = hidden_archive_resolve,
	.add = hidden_archive_add,
	.check = hidden_archive_check,
};
