#include <inttypes.h>

#include "archive/batch.h"
#include "archive/check_keys.h"
#include "archive/flags.h"
#include "archive/groups.h"
#include "archive/members.h"
#include "archive/noun.h"
#include "archive/posts.h"
#include "archive/references.h"
#include "archive/validate.h"
#include "archive/votes.h"
#include "archive/writer.h"
#include "base/arena.h"
#include "redis/redis.h"
#include "store/function_call.h"
#include "store/keys.h"
#include "store/refresh.h"
#include "store/settings.h"

/* Seconds by which the clocks of two masters may differ. */
enum { CLOCKS_DIFFER = 5 };

static uint64_t
articles_archive_number(const struct record *record)
{
	return record->article.post.id.article;
}

static void
articles_archive_references(
    struct references *references, struct record *record)
{
	struct text groups = record->article.groups, name;

	posts_archive_references(references, record);
	references_links(references, record->article.links);
	while (text_next_word(&groups, &name))
		references_group(references, name, REFERENCE_BEFORE);
}

/* Dump. */

/* Drops groups that no longer exist: they were deleted while the article was removed,
 * or since it was read. */
static enum store_result
write_groups(struct writer *writer, struct article *article)
{
	struct text rest = article->groups, name;
	struct buffer present = buffer_in(&writer->portion, rest.size + 1);

	while (text_next_word(&rest, &name)) {
		enum store_result result = groups_archive_need(writer, name);

		if (result == STORE_DOWN)
			return result;
		if (result != STORE_OK)
			continue;
		buffer_add(&present, present.size > 0 ? TEXT(" ") : TEXT(""));
		buffer_add(&present, name);
	}
	article->groups = buffer_text(&present);
	return STORE_OK;
}

static enum store_result
write_article(struct writer *writer, struct record *record)
{
	enum store_result result = write_groups(writer, &record->article);

	if (result == STORE_OK)
		result = members_archive_write_naming(writer, record);
	if (result == STORE_ABSENT)
		posts_archive_note_lost(writer, record->article.post.id);
	return result;
}

/* One scan finds articles and comments: a comment that is found has its article found,
 * or posted since. */
static enum store_result
articles_archive_write(struct writer *writer)
{
	enum store_result result = keyscan_read(
	    writer->store, &writer->memory, KEYSCAN_POSTS, &writer->posts);

	return result == STORE_OK
	    ? posts_archive_write(writer, KEYSCAN_ARTICLES, write_article)
	    : result;
}

/* Load. */

/* What is typed without a scheme gets one; a dump has links as they are linked. */
static void
validate_link(struct validation *validation, struct text url)
{
	const struct problem problem = { .kind = PROBLEM_LINK_SCHEME };
	struct text start = text_lower(validation->arena, text_trim(url));

	validate_value(validation, "url", url, rule_link);
	if (!text_starts(start, TEXT("http://")) &&
	    !text_starts(start, TEXT("https://")))
		validate_problem(validation,
		    text_format(validation->arena, "\"url\": %.*s",
			TEXT_ARGS(
			    validation->words(validation->arena, &problem))));
}

static void
validate_content(struct validation *validation, const struct article *article)
{
	if (article->url.size > 0)
		validate_link(validation, article->url);
	else if (article->text.size == 0)
		validate_problem(
		    validation, TEXT("an article has a link or a text"));
	if (article->text.size == 0)
		return;
	validate_characters(
	    validation, "text", article->text, UTF8_MANY_LINES, RULE_TEXT_MAX);
	if (!utf8_visible(article->text))
		validate_problem(validation,
		    TEXT("\"text\" has nothing in it that can be seen"));
}

/* An article is in no group that it was taken out of. */
static void
validate_barriers(struct validation *validation, const struct article *article)
{
	struct text rest = article->groups, name;

	while (text_next_word(&rest, &name))
		if (text_has_word(article->barred, name) ||
		    text_has_word(article->barred_by_site, name))
			validate_problem(validation,
			    text_format(validation->arena,
				"it is in the group \"%.*s\", and was taken "
				"out of it",
				TEXT_ARGS(name)));
}

static void
articles_archive_validate(struct validation *validation, struct record *record)
{
	const struct article *article = &record->article;

	validate_characters(
	    validation, "title", article->title, UTF8_ONE_LINE, RULE_TITLE_MAX);
	validate_content(validation, article);
	validate_fields(validation, &article_schema, article);
	if (article->markup.size > 0 &&
	    !text_equal(article->markup, TEXT(ARTICLE_MARKDOWN)))
		validate_problem(validation,
		    TEXT("\"markup\" is nothing that texts are in"));
	validate_name(validation, "groups", article->groups, rule_groups);
	validate_name(validation, "barred", article->barred, rule_groups);
	validate_name(
	    validation, "barred_by_site", article->barred_by_site, rule_groups);
	validate_barriers(validation, article);
	posts_archive_validate(validation, record);
}

/* Every group of every article is asked for in one round trip, with the shared hosts. */
static enum store_result
find_groups(struct batch *batch)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);
	struct text rest, name;
	size_t reply = 0;

	pipeline_add(&pipeline, TEXT("HGET"),
	    key_settings(batch->arena, &batch->store->buckets),
	    SETTINGS_SHARED_HOSTS);
	for (size_t i = 0; i < batch->count; i++) {
		rest = batch->lines[i]->record.article.groups;
		while (text_next_word(&rest, &name))
			pipeline_add(&pipeline, TEXT("EXISTS"),
			    key_group(batch->arena, name));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	batch->shared_hosts = reply_text(&pipeline.replies[reply++]);
	for (size_t i = 0; i < batch->count; i++) {
		rest = batch->lines[i]->record.article.groups;
		while (text_next_word(&rest, &name))
			if (reply_number(&pipeline.replies[reply++]) == 0)
				batch_refuse_missing(
				    batch, batch->lines[i], RECORD_GROUP, name);
	}
	return STORE_OK;
}

static enum store_result
articles_archive_resolve(struct batch *batch)
{
	enum store_result result = posts_archive_resolve(batch);

	return result == STORE_OK ? find_groups(batch) : result;
}

/*
 * Links and texts whose window is open are claimed after the articles are written. A
 * crash in between leaves articles without claims; when the load is run again it finds
 * these very articles, and claims for them.
 */
static enum store_result
load_claims(struct batch *batch, const struct reply *replies, int64_t now)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);

	for (size_t i = 0; i < batch->count; i++) {
		struct batch_line *line = batch->lines[i];
		const struct article *article = &line->record.article;

		if (batch_take_outcome(batch, line, &replies[i]) != STORE_OK)
			return STORE_DOWN;
		if (article->post.closes > now && line->refusal.size == 0)
			refresh_send_claim(&pipeline, batch->store, article);
	}
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

static enum store_result
articles_archive_load(struct batch *batch)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);

	pipeline_add_time(&pipeline, KEY_SITE);
	for (size_t i = 0; i < batch->count; i++)
		posts_archive_add(&pipeline, batch, &batch->lines[i]->record);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	return load_claims(
	    batch, &pipeline.replies[1], reply_seconds(&pipeline.replies[0]));
}

/* Check. */

/* Reads "7 1700000000", the article and until when; false when it is something else. */
static bool
read_claim(struct text claim, uint64_t *article, int64_t *closes)
{
	struct text word;

	return text_next_word(&claim, &word) && text_to_u64(word, article) &&
	    text_next_word(&claim, &word) && text_to_i64(word, closes);
}

/* An article that has a claim exists, until the claim is over. */
static enum store_result
examine_claim(struct check *check, struct text key, struct text claim,
    struct text *problem)
{
	struct arena *step = &check->step;
	const struct buckets *buckets = &check->store->buckets;
	struct pipeline pipeline = pipeline_begin(check->store->redis, step);
	struct place place = { .bucket = 0 };
	int64_t closes;

	if (!read_claim(claim, &place.id.article, &closes)) {
		*problem = text_format(step, "%.*s: \"%.*s\" is no claim",
		    TEXT_ARGS(key), TEXT_ARGS(claim));
		return STORE_OK;
	}
	place.bucket = key_bucket_of(buckets, place.id.article);
	if (closes <= check->all.began || keyscan_has_post(&check->all, &place))
		return STORE_OK;
	pipeline_add(
	    &pipeline, TEXT("EXISTS"), key_post(step, buckets, place.id));
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	if (reply_number(&pipeline.replies[0]) == 0)
		*problem = text_format(step,
		    "%.*s: a link is claimed for article %" PRIu64
		    ", which does not exist",
		    TEXT_ARGS(key), place.id.article);
	return STORE_OK;
}

static enum store_result
examine_claims(struct check *check, const struct text *keys, size_t count,
    struct text *problems)
{
	struct pipeline pipeline =
	    pipeline_begin(check->store->redis, &check->step);
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("HVALS"), keys[i]);
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		for (size_t c = 0;
		    c < pipeline.replies[i].count && result == STORE_OK; c++)
			result = examine_claim(check, keys[i],
			    reply_text(reply_item(&pipeline.replies[i], c)),
			    &problems[i]);
	return result;
}

/* Deletes the claims of a hash that are for what does not exist. */
static enum store_result
repair_claims(struct check *check, struct text key)
{
	struct pipeline pipeline =
	    pipeline_begin(check->store->redis, &check->step);
	const struct reply *claims;

	pipeline_add(&pipeline, TEXT("HGETALL"), key);
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	claims = &pipeline.replies[0];
	for (size_t i = 0; i + 1 < claims->count; i += 2) {
		struct text claim = reply_text(reply_item(claims, i + 1));
		struct text problem = TEXT("");

		if (examine_claim(check, key, claim, &problem) != STORE_OK)
			return STORE_DOWN;
		if (problem.size > 0)
			call_send_write(check_repairs(check), "unclaim_1",
			    text_copy(check_repairs(check)->arena, key),
			    reply_text(reply_item(claims, i)), claim);
	}
	return STORE_OK;
}

/* Adds the question who has the claim of a link. */
static void
ask_claim(struct pipeline *pipeline, const struct check *check,
    const struct article *article)
{
	struct arena *arena = pipeline->arena;
	struct text link = article->url, claim;

	if (rule_link(arena, &link).kind != PROBLEM_NONE)
		link = article->url;
	claim = rule_claim(arena, article->post.author.id, article->title, link,
	    article->text);
	pipeline_add(pipeline, TEXT("HGET"),
	    key_claims(arena, &check->store->buckets, claim),
	    key_claim_field(claim));
}

/* Whether an article has claimed its link, or another that took it over has; the claim of a
 * text is another one once it is edited. */
static bool
is_claiming(struct check *check, const struct article *article, int64_t now)
{
	struct text link = article->url;

	return article->url.size > 0 &&
	    article->post.closes > now + CLOCKS_DIFFER &&
	    rule_link(&check->step, &link).kind == PROBLEM_NONE;
}

static enum store_result
read_articles(struct check *check, const struct text *keys, size_t count,
    struct article *articles)
{
	struct pipeline pipeline =
	    pipeline_begin(check->store->redis, &check->step);
	struct text list;
	uint64_t bucket;

	for (size_t i = 0; i < count; i++)
		schema_ask(&pipeline, &article_schema, SCHEMA_WHOLE, keys[i]);
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		articles[i] = (struct article){ .url = TEXT("") };
		schema_read(&article_schema, SCHEMA_WHOLE, &pipeline.replies[i],
		    &articles[i]);
		key_parse(keys[i], &bucket, &articles[i].post.id, &list);
	}
	return STORE_OK;
}

static enum store_result
examine_unclaimed(struct check *check, const struct text *keys, size_t count,
    struct text *problems)
{
	struct arena *step = &check->step;
	struct pipeline pipeline = pipeline_begin(check->store->redis, step);
	struct article *articles = arena_new(step, struct article, count);
	int64_t now;

	if (read_articles(check, keys, count, articles) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		ask_claim(&pipeline, check, &articles[i]);
	pipeline_add_time(&pipeline, KEY_SITE);
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	now = reply_seconds(&pipeline.replies[count]);
	for (size_t i = 0; i < count; i++)
		if (is_claiming(check, &articles[i], now) &&
		    pipeline.replies[i].kind == REPLY_NIL)
			problems[i] = text_format(step,
			    "article %" PRIu64 ": its link is not claimed",
			    articles[i].post.id.article);
	return STORE_OK;
}

static enum store_result
repair_unclaimed(struct check *check, struct text key)
{
	struct article article;

	if (read_articles(check, &key, 1, &article) != STORE_OK)
		return STORE_DOWN;
	refresh_send_claim(check_repairs(check), check->store, &article);
	return STORE_OK;
}

/* Only articles that take votes have claims. */
static enum store_result
check_unclaimed(struct check *check)
{
	const struct places *voters = &check->all.places[KEYSCAN_VOTERS];
	struct text *keys =
	    arena_new(&check->memory, struct text, voters->count);
	size_t count = 0;

	for (size_t i = 0; i < voters->count; i++)
		if (voters->items[i].id.comment == 0)
			keys[count++] = key_post(&check->memory,
			    &check->store->buckets, voters->items[i].id);
	return check_examine(
	    check, keys, count, examine_unclaimed, repair_unclaimed);
}

static enum store_result
articles_archive_check(struct check *check)
{
	const struct keys *claims = &check->all.keys[KEYSCAN_CLAIMS];
	enum store_result result = posts_archive_check(check, KEYSCAN_ARTICLES);

	if (result == STORE_OK)
		result = votes_archive_check(check);
	if (result == STORE_OK)
		result = flags_archive_check(check);
	if (result == STORE_OK)
		result =
		    check_counters(check, RECORD_ARTICLE, KEYSCAN_ARTICLES);
	if (result == STORE_OK)
		result = check_examine(check, claims->items, claims->count,
		    examine_claims, repair_claims);
	return result == STORE_OK ? check_unclaimed(check) : result;
}

const struct noun articles_archive = {
	.kind = "article",
	.label = "article",
	.schema = &article_schema,
	.offset = offsetof(struct record, article),
	.is_post = true,
	.describe = posts_archive_describe,
	.key = posts_archive_key,
	.number = articles_archive_number,
	.counter = KEY_ARTICLE_COUNTER,
	.references = articles_archive_references,
	.put = posts_archive_put,
	.read = posts_archive_read_json,
	.write = articles_archive_write,
	.validate = articles_archive_validate,
	.resolve = articles_archive_resolve,
	.load = articles_archive_load,
	.check = articles_archive_check,
};
