#include "store/article.h"

#include "base/counters.h"
#include "redis/redis.h"
#include "store/group.h"
#include "store/publisher.h"
#include "store/versions.h"
#include "store/vote_history.h"

enum { FOLLOWED_MAX = 8 }; /* redirects of a group that are followed */

/* In the order of a dump's line. */
static const struct field fields[] = {
	POST_ARTICLE(struct article),
	FIELD_EDITED(
	    "title", struct article, title, REQUIRED, BRIEF, EARLY, rule_title),
	FIELD("url", struct article, url, TEXT, NULLABLE, BRIEF),
	FIELD_EDITED(
	    "text", struct article, text, NULLABLE, WHOLE, OPEN, rule_body),
	FIELD_EDITED(
	    "markup", struct article, markup, OPTIONAL, WHOLE, OPEN, NULL),
	FIELD("links", struct article, links, WORDS, OPTIONAL, WHOLE),
	POST_AUTHOR(struct article),
	POST_POSTED(struct article, BRIEF),
	POST_CLOSES(struct article, DEFAULTED),
	POST_EDITED(struct article),
	FIELD_KEPT("groups", struct article, groups, WORDS, SPARSE, BRIEF),
	FIELD_KEPT("barred", struct article, barred, WORDS, OPTIONAL, WHOLE),
	FIELD_KEPT("barred_by_site", struct article, barred_by_site, WORDS,
	    OPTIONAL, WHOLE),
	POST_UP(struct article, BRIEF),
	POST_DOWN(struct article, BRIEF),
	FIELD("interesting", struct article, interesting, MOMENT, NULLABLE,
	    BRIEF),
	POST_REMOVED(struct article),
	POST_HELD(struct article),
	POST_FOLDED(struct article),
	POST_KEPT(struct article),
	POST_REMOVED_BY(struct article),
	POST_MOD_NOTE(struct article),
	FIELD("from", struct article, publisher, TEXT, NOT_DUMPED, BRIEF),
	FIELD("comments", struct article, comments, COUNT, NOT_DUMPED, BRIEF),
	FIELD("commented", struct article, commented, COUNT, NOT_DUMPED, BRIEF),
	FIELD("thread_closed", struct article, thread_closed, MOMENT, OPTIONAL,
	    WHOLE),
	FIELD("again", struct article, again, MOMENT, OPTIONAL, WHOLE),
	FIELD("front", struct article, front, MOMENT, NOT_DUMPED, WHOLE),
};
const struct schema article_schema = SCHEMA(struct article, fields);

bool
article_takes_comments(
    const struct rules *rules, const struct article *article, int64_t now)
{
	return article->post.removed == 0 && article->thread_closed == 0 &&
	    now < article->post.posted + rules->thread_window;
}

bool
article_is_final(
    const struct rules *rules, const struct article *article, int64_t now)
{
	const struct post *post = &article->post;
	int64_t end = post->posted + rules->thread_window;

	if (article->thread_closed != 0 && article->thread_closed < end)
		end = article->thread_closed;
	return post->removed == 0 && now >= post->closes &&
	    now >= end + rules->vote_window;
}

void
article_compute_score(int64_t vote_score, struct article *article)
{
	struct post *post = &article->post;

	post->points = post->up - post->down;
	article->score =
	    rule_score(vote_score, post->posted, post->up, post->down);
}

STORE_CALL
article_get(struct store *store, struct arena *arena, uint64_t id,
    uint64_t viewer, struct article *article, int64_t *now)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct post *post = &article->post;
	enum { FIELDS, VOTERS, TIME, THREAD, VOTE, FLAG };

	schema_ask(&pipeline, &article_schema, SCHEMA_WHOLE,
	    key_post(arena, &store->buckets, article_id(id)));
	pipeline_add(&pipeline, TEXT("EXISTS"),
	    key_voters(arena, &store->buckets, article_id(id)));
	pipeline_add_time(
	    &pipeline, key_post(arena, &store->buckets, article_id(id)));
	pipeline_add(&pipeline, TEXT("GETRANGE"),
	    key_thread(arena, &store->buckets, id), TEXT("0"), TEXT("7"));
	if (viewer != 0) {
		post_ask_vote(&pipeline, store, article_id(id), viewer);
		flag_ask(&pipeline, store, article_id(id), viewer);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*article = (struct article){ .post.id = article_id(id) };
	if (!schema_read(&article_schema, SCHEMA_WHOLE,
		&pipeline.replies[FIELDS], article))
		return STORE_ABSENT;
	article_compute_score(store->rules.vote_score, article);
	post->voters_known = reply_number(&pipeline.replies[VOTERS]) == 1;
	article->thread = (struct stamp){ pipeline.epoch,
		decode_number(reply_text(&pipeline.replies[THREAD])) };
	if (viewer != 0) {
		post->vote = post_read_vote(&pipeline.replies[VOTE]);
		article->flag = flag_read(&pipeline.replies[FLAG]);
	}
	*now = reply_seconds(&pipeline.replies[TIME]);
	return STORE_OK;
}

void
article_ask_counts(
    struct pipeline *pipeline, const struct store *store, uint64_t id)
{
	pipeline_add(pipeline, TEXT("HMGET"),
	    key_post(pipeline->arena, &store->buckets, article_id(id)),
	    TEXT("up"), TEXT("down"), TEXT("posted"));
}

void
article_read_counts(const struct reply *reply, struct article *article)
{
	struct post *post = &article->post;

	post->up = reply_count(reply_item(reply, 0));
	post->down = reply_count(reply_item(reply, 1));
	post->points = post->up - post->down;
	post->posted = reply_count(reply_item(reply, 2));
}

STORE_CALL
article_get_some(struct store *store, struct arena *arena,
    enum schema_extent extent, const uint64_t *ids, size_t count,
    struct article *articles, size_t *got, bool *is_partial)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		schema_ask(&pipeline, &article_schema, extent,
		    key_post(arena, &store->buckets, article_id(ids[i])));
	if (store_run_partial(store, &pipeline, is_partial) != STORE_OK)
		return STORE_DOWN;
	*got = 0;
	for (size_t i = 0; i < count; i++) {
		struct article *article = &articles[*got];

		*article = (struct article){ .post.id = article_id(ids[i]) };
		if (schema_read(&article_schema, extent, &pipeline.replies[i],
			article) &&
		    article->post.removed == 0)
			++*got;
	}
	return STORE_OK;
}

/* Has the author's next list refresh the versions of the article's bucket, as after a vote
 * there. Without it the article is posted as well. */
static void
announce_article(
    struct store *store, struct arena *arena, const struct post *post)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct vote_entry entry = { .post = post->id, .vote = VOTE_NONE };
	struct versions versions;

	if (versions_get(store, arena, 0, &versions) != STORE_OK)
		return;
	entry.at = versions.now;
	vote_history_announce(&pipeline, post->author.id, &entry);
	(void)!redis_run(&pipeline);
}

static void
add_groups(const struct store *store, struct call *call, struct text added,
    struct text removed)
{
	call_add(call, added, removed);
	call_add_number(call, RULE_GROUPS_MAX);
	call_add_number(call, store->rules.vote_score);
}

static struct call
groups_call(const struct store *store, struct arena *arena, uint64_t id,
    struct text added, struct text removed)
{
	struct call call = call_begin(arena, CALL_WRITES, "file_2",
	    key_post(arena, &store->buckets, article_id(id)));

	add_groups(store, &call, added, removed);
	return call;
}

/*
 * Groups are in other slots: one that an article was just added to may meanwhile be merged
 * or deleted, and its articles moved. Then this article follows. The group's record is
 * changed before its articles are moved: so if it is unchanged when read here, the move
 * will find the article. Errors are left to `tally check`, as the article exists.
 */
static void
follow_groups(
    struct store *store, struct arena *arena, uint64_t id, struct text names)
{
	struct text existing;

	for (int step = 0; step < FOLLOWED_MAX && names.size > 0; step++) {
		struct call call;

		if (group_resolve_names(store, arena, names, &existing) !=
			STORE_OK ||
		    text_equal(existing, names))
			return;
		call = groups_call(store, arena, id, existing, names);
		if (call_run(&call, store, NULL) != STORE_OK)
			return;
		names = existing;
	}
}

static struct call
post_call(struct store *store, struct arena *arena, struct article *article,
    uint64_t removed)
{
	const struct rules *rules = &store->rules;
	const struct buckets *buckets = &store->buckets;
	struct text claim = rule_claim(arena, article->post.author.id,
	    article->title, article->url, article->text);
	uint64_t bucket = key_bucket_of_claim(buckets, claim);
	struct call call = call_begin(arena, CALL_WRITES, "post_5",
	    key_article_counter(arena, buckets, bucket));

	article->post.up = 1; /* its author's */
	if (article->is_held)
		post_hold(&article->post);
	article->post.down = 0;
	call_add_number(&call, (int64_t)buckets->count);
	call_add(
	    &call, key_claims(arena, buckets, claim), key_claim_field(claim));
	call_add_number(&call, (int64_t)removed);
	call_add_number(&call, rules->vote_window);
	call_add_number(&call, rules->vote_score);
	call_add_number(&call, rule_interesting_threshold(rules));
	call_add_number(&call, article->is_reviewed);
	schema_add(&call, &article_schema, article);
	publisher_add(&call, article->url, rules->shared_hosts);
	return call;
}

/* Posts an article. removed: a removed article whose claim is taken over, or 0. */
static enum store_result
post_once(struct store *store, struct arena *arena, struct article *article,
    uint64_t removed)
{
	struct call call = post_call(store, arena, article, removed);
	struct pipeline posted = pipeline_begin(store->redis, arena);
	bool is_ordered = !redis_is_cluster(store->redis);
	enum store_result result;
	const struct reply *reply;
	size_t groups = 0;

	call_send(&call, &posted);
	if (is_ordered)
		groups = group_ask_names(&posted, article->groups);
	if (!redis_run(&posted))
		return STORE_DOWN;
	reply = &posted.replies[0];
	result = call_outcome(reply);
	if (result == STORE_OK || result == STORE_TAKEN)
		article->post.id = article_id(reply_id(reply_item(reply, 1)));
	if (result != STORE_OK)
		return result;
	if (!versions_are_uncached(store))
		announce_article(store, arena, &article->post);
	if (!is_ordered || !group_names_stand(&posted, groups, article->groups))
		follow_groups(
		    store, arena, article->post.id.article, article->groups);
	return STORE_OK;
}

/* Leaves out the groups that a removed article with the same link was taken out of, as if this were
 * that article. */
static enum store_result
inherit_barriers(struct store *store, struct arena *arena,
    struct article *article, const struct article *removed)
{
	struct text rest = article->groups, name, barred, groups = TEXT("");

	article->barred = removed->barred;
	article->barred_by_site = removed->barred_by_site;
	while (text_next_word(&rest, &name)) {
		if (article_find_barred(store, arena, removed, name, &barred) !=
		    STORE_OK)
			return STORE_DOWN;
		if (barred.size == 0)
			groups = text_add_word(arena, groups, name);
	}
	article->groups = groups;
	return STORE_OK;
}

STORE_CALL
article_post(struct store *store, struct arena *arena, struct article *article)
{
	enum store_result result = post_once(store, arena, article, 0);
	struct article holder;
	uint64_t id = article->post.id.article;
	int64_t now;

	if (result == STORE_TAKEN &&
	    article_get(store, arena, id, 0, &holder, &now) == STORE_OK &&
	    holder.post.removed != 0 &&
	    holder.post.author.id != article->post.author.id) {
		result = inherit_barriers(store, arena, article, &holder);
		if (result == STORE_OK)
			result = post_once(store, arena, article, id);
	}
	if (result != STORE_OK)
		return result;
	counters_add(COUNTER_ARTICLES, 1);
	return STORE_OK;
}

STORE_CALL
article_find_link(
    struct store *store, struct arena *arena, struct text link, uint64_t *id)
{
	struct text nothing = { "", 0 }, holder, number;
	struct text claim = rule_claim(arena, 0, nothing, link, nothing);
	struct text key = key_claims(arena, &store->buckets, claim);
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	int64_t closes;

	pipeline_add(&pipeline, TEXT("HGET"), key, key_claim_field(claim));
	pipeline_add_time(&pipeline, key);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	holder = reply_text(&pipeline.replies[0]);
	return text_cut(&holder, ' ', &number) && text_to_u64(number, id) &&
		text_to_i64(holder, &closes) &&
		closes > reply_seconds(&pipeline.replies[1])
	    ? STORE_OK
	    : STORE_ABSENT;
}

STORE_CALL
article_set_groups(struct store *store, struct arena *arena, uint64_t id,
    struct text added, struct text removed)
{
	struct call call = groups_call(store, arena, id, added, removed);
	enum store_result result = call_run(&call, store, NULL);

	if (result == STORE_OK)
		follow_groups(store, arena, id, added);
	return result;
}

STORE_CALL
article_move(struct store *store, struct arena *arena, uint64_t id,
    struct text added, struct text removed, struct mod_action action)
{
	struct call call = call_begin(arena, CALL_WRITES, "file_3",
	    key_post(arena, &store->buckets, article_id(id)));
	enum store_result result;

	action.what = mod_action_words[MOD_MOVED];
	action.article = id;
	add_groups(store, &call, added, removed);
	result = mod_action_run(&call, store, &action);
	if (result == STORE_OK)
		follow_groups(store, arena, id, added);
	return result;
}

static const struct text barred_fields[] = {
	[ARTICLE_BARRED_BY_GROUP] = TEXT_INIT("barred"),
	[ARTICLE_BARRED_BY_SITE] = TEXT_INIT("barred_by_site"),
};

STORE_CALL
article_bar(struct store *store, struct arena *arena, uint64_t id,
    struct text group, enum article_barrier by, struct mod_action action)
{
	struct call call = call_begin(arena, CALL_WRITES, "bar_1",
	    key_post(arena, &store->buckets, article_id(id)));

	action.what = mod_action_words[MOD_BARRED];
	action.article = id;
	action.subject = group;
	call_add(&call, group, barred_fields[by]);
	call_add_number(&call, RULE_GROUPS_MAX);
	call_add_number(&call, store->rules.vote_score);
	return mod_action_run(&call, store, &action);
}

struct text
article_barred_from(struct arena *arena, const struct article *article)
{
	if (article->barred.size == 0 || article->barred_by_site.size == 0)
		return article->barred.size > 0 ? article->barred
						: article->barred_by_site;
	return text_format(arena, "%.*s %.*s", TEXT_ARGS(article->barred),
	    TEXT_ARGS(article->barred_by_site));
}

/* The names by which an article was taken out of a group: it may have been renamed since. */
static enum store_result
find_barred_names(struct store *store, struct arena *arena,
    const struct article *article, struct text group, struct text *names)
{
	struct text barred = article_barred_from(arena, article);
	struct text rest = barred, name;
	struct group groups[RULE_GROUPS_MAX];
	size_t count;

	*names = TEXT("");
	if (group_get_current(store, arena, barred, groups, &count) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count && text_next_word(&rest, &name); i++)
		if (text_equal(groups[i].name, group))
			*names =
			    text_format(arena, "%.*s%s%.*s", TEXT_ARGS(*names),
				names->size > 0 ? " " : "", TEXT_ARGS(name));
	return STORE_OK;
}

STORE_CALL
article_unbar(struct store *store, struct arena *arena,
    const struct article *article, struct text group, enum article_barrier by,
    struct mod_action action)
{
	uint64_t id = article->post.id.article;
	struct call call = call_begin(arena, CALL_WRITES, "unbar_1",
	    key_post(arena, &store->buckets, article->post.id));
	struct text names;
	enum store_result result =
	    find_barred_names(store, arena, article, group, &names);

	if (result != STORE_OK || names.size == 0)
		return result;
	action.what = mod_action_words[MOD_UNBARRED];
	action.article = id;
	action.subject = group;
	call_add(&call, group, names);
	call_add_number(&call, by == ARTICLE_BARRED_BY_SITE);
	call_add_number(&call, RULE_GROUPS_MAX);
	call_add_number(&call, store->rules.vote_score);
	result = mod_action_run(&call, store, &action);
	if (result == STORE_OK)
		follow_groups(store, arena, id, group);
	return result;
}

STORE_CALL
article_find_barred(struct store *store, struct arena *arena,
    const struct article *article, struct text names, struct text *name)
{
	struct text barred = article_barred_from(arena, article), existing;
	enum store_result result = STORE_OK;

	*name = TEXT("");
	if (barred.size > 0 && names.size > 0)
		result = group_resolve_names(store, arena, barred, &existing);
	if (barred.size == 0 || names.size == 0 || result != STORE_OK)
		return result;
	while (text_next_word(&names, name))
		if (text_has_word(existing, *name) ||
		    text_has_word(barred, *name))
			return STORE_OK;
	*name = TEXT("");
	return STORE_OK;
}

void
article_send_groups(struct pipeline *pipeline, const struct store *store,
    uint64_t id, struct text added, struct text removed)
{
	struct call call =
	    groups_call(store, pipeline->arena, id, added, removed);

	call_send(&call, pipeline);
}

STORE_CALL
article_edit(
    struct store *store, struct arena *arena, const struct article *article)
{
	const struct text seconds[] = {
		[EDIT_EARLY] = text_number(arena, ARTICLE_EDIT_SECONDS),
		[EDIT_OPEN] = TEXT(""),
	};
	struct call call = call_begin(arena, CALL_WRITES, "edit_3",
	    key_post(arena, &store->buckets, article->post.id));

	call_add(&call, article->links);
	for (size_t i = 0; i < article_schema.count; i++) {
		const struct field *field = &article_schema.fields[i];

		if (field->editing != EDIT_NEVER)
			call_add(&call, text_of(field->name),
			    *field_text(field, article),
			    seconds[field->editing]);
	}
	return call_run(&call, store, NULL);
}

STORE_CALL
article_restore(struct store *store, struct arena *arena, uint64_t id,
    const struct mod_action *action)
{
	struct article article;
	struct text groups;
	int64_t now;
	enum store_result result =
	    article_get(store, arena, id, 0, &article, &now);

	if (result == STORE_OK)
		result =
		    group_resolve_names(store, arena, article.groups, &groups);
	if (result == STORE_OK)
		result =
		    post_restore(store, arena, article_id(id), groups, action);
	if (result == STORE_HELD)
		return article_release(store, arena, id, action);
	if (result == STORE_OK)
		follow_groups(store, arena, id, groups);
	return result;
}

/* Claims the link for an article that is about to be shown; removed as in post_once. */
static enum store_result
claim_once(struct store *store, struct arena *arena,
    const struct article *article, int64_t now, uint64_t removed,
    uint64_t *holder)
{
	struct text claim = rule_claim(arena, article->post.author.id,
	    article->title, article->url, article->text);
	struct call call = call_begin(arena, CALL_WRITES, "claim_2",
	    key_claims(arena, &store->buckets, claim));
	const struct reply *reply;
	enum store_result result;

	call_add(&call, key_claim_field(claim));
	call_add_number(&call, (int64_t)article->post.id.article);
	call_add_number(&call, now + store->rules.vote_window);
	call_add_number(&call, (int64_t)removed);
	result = call_run(&call, store, &reply);
	if (result == STORE_TAKEN)
		*holder = reply_id(reply_item(reply, 1));
	return result;
}

static enum store_result
claim_link(struct store *store, struct arena *arena,
    const struct article *article, int64_t now)
{
	struct article other;
	uint64_t holder;
	int64_t moment;
	enum store_result result =
	    claim_once(store, arena, article, now, 0, &holder);

	if (result == STORE_TAKEN &&
	    article_get(store, arena, holder, 0, &other, &moment) == STORE_OK &&
	    other.post.removed != 0)
		result =
		    claim_once(store, arena, article, now, holder, &holder);
	return result;
}

STORE_CALL
article_release(struct store *store, struct arena *arena, uint64_t id,
    const struct mod_action *action)
{
	struct article article;
	struct text groups;
	int64_t now;
	enum store_result result =
	    article_get(store, arena, id, 0, &article, &now);

	if (result == STORE_OK && article.post.held != 0)
		result = claim_link(store, arena, &article, now);
	if (result == STORE_OK)
		result =
		    group_resolve_names(store, arena, article.groups, &groups);
	if (result == STORE_OK)
		result = post_release(
		    store, arena, article_id(id), groups, TEXT(""), action);
	if (result == STORE_OK)
		follow_groups(store, arena, id, groups);
	return result;
}

STORE_CALL
article_set_thread(struct store *store, struct arena *arena, uint64_t id,
    enum article_thread wanted, const struct mod_action *action)
{
	static const struct text words[] = {
		[ARTICLE_THREAD_OPEN] = TEXT_INIT("open"),
		[ARTICLE_THREAD_CLOSED] = TEXT_INIT("closed"),
	};
	struct call call = call_begin(arena, CALL_WRITES, "thread_1",
	    key_post(arena, &store->buckets, article_id(id)));

	call_add(&call, words[wanted]);
	return mod_action_run(&call, store, action);
}

bool
article_may_be_shown_again(const struct article *article, int64_t now)
{
	int64_t age = now - article->post.posted;

	return article->again == 0 && article->post.removed == 0 &&
	    age >= ARTICLE_AGAIN_YOUNGEST && age < ARTICLE_AGAIN_OLDEST;
}

STORE_CALL
article_show_again(struct store *store, struct arena *arena, uint64_t id,
    const struct mod_action *action)
{
	struct call call = call_begin(arena, CALL_WRITES, "again_1",
	    key_post(arena, &store->buckets, article_id(id)));

	call_add_number(&call, ARTICLE_AGAIN_YOUNGEST);
	call_add_number(&call, ARTICLE_AGAIN_OLDEST);
	return mod_action_run(&call, store, action);
}
