#include "lists/mod_queue.h"

#include "base/arena.h"
#include "lists/merge.h"
#include "redis/redis.h"
#include "store/looking.h"
#include "store/user.h"
#include "store/versions.h"

/* Open flags by kind, and the first of them, whose members are to be named. */
struct flag_summary {
	struct mod_queue_flags kinds[FLAG_KINDS];
	size_t kind_count;
	struct flagged first[MOD_QUEUE_NAMES]; /* the earliest first */
	size_t first_count;
};

static struct mod_queue_flags *
flags_of_kind(struct flag_summary *summary, enum flag flag)
{
	for (size_t i = 0; i < summary->kind_count; i++)
		if (summary->kinds[i].flag == flag)
			return &summary->kinds[i];
	summary->kinds[summary->kind_count] =
	    (struct mod_queue_flags){ .flag = flag };
	return &summary->kinds[summary->kind_count++];
}

static bool
is_earlier(const struct flagged *one, const struct flagged *other)
{
	return one->at != other->at ? one->at < other->at
				    : one->user < other->user;
}

/* Inserts a flag into the first ones, in order, if it is one of them. */
static void
insert_flag(struct flag_summary *summary, const struct flagged *flagged)
{
	size_t place = summary->first_count;

	while (place > 0 && is_earlier(flagged, &summary->first[place - 1]))
		place--;
	if (place == MOD_QUEUE_NAMES)
		return;
	if (summary->first_count < MOD_QUEUE_NAMES)
		summary->first_count++;
	for (size_t i = summary->first_count - 1; i > place; i--)
		summary->first[i] = summary->first[i - 1];
	summary->first[place] = *flagged;
}

/* Reads a post's flags, in an arena of their own: there may be thousands. Other requests
 * are served between two posts. */
static enum store_result
read_flags(struct store *store, struct post_id id, struct flag_summary *summary)
{
	struct arena arena = { 0 };
	struct pipeline pipeline = pipeline_begin(store->redis, &arena);
	struct flagged *flags = NULL;
	size_t count = 0;
	bool is_read;

	*summary = (struct flag_summary){ .kind_count = 0 };
	flag_ask_all(&pipeline, store, id);
	is_read = redis_run(&pipeline);
	if (is_read)
		count = flag_read_all(&arena, &pipeline.replies[0], &flags);
	for (size_t i = 0; i < count; i++) {
		if (flags[i].dismissed)
			continue;
		flags_of_kind(summary, flags[i].flag)->count++;
		if (flags[i].user != 0)
			insert_flag(summary, &flags[i]);
	}
	arena_free(&arena);
	return is_read ? STORE_OK : STORE_DOWN;
}

static void
add_name(struct arena *arena, struct flag_summary *summary, enum flag flag,
    struct text name)
{
	struct text *names = &flags_of_kind(summary, flag)->names;

	*names = text_add_word(arena, *names, name);
}

/* Flags of members whose master is away are counted without a name. */
static enum store_result
name_flags(struct store *store, struct arena *arena,
    struct flag_summary *summaries, size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *name;
	bool is_partial;

	for (size_t i = 0; i < count; i++)
		for (size_t f = 0; f < summaries[i].first_count; f++)
			pipeline_add(&pipeline, TEXT("HGET"),
			    key_user(arena, summaries[i].first[f].user),
			    TEXT("name"));
	if (store_run_partial(store, &pipeline, &is_partial) != STORE_OK)
		return STORE_DOWN;
	name = pipeline.replies;
	for (size_t i = 0; i < count; i++)
		for (size_t f = 0; f < summaries[i].first_count; f++, name++)
			if (name->kind != REPLY_LOST)
				add_name(arena, &summaries[i],
				    summaries[i].first[f].flag,
				    reply_text(name));
	return STORE_OK;
}

/* Asks for an article, for a comment on it, and for who looks at that. */
static void
ask_item(
    struct pipeline *pipeline, const struct store *store, struct post_id id)
{
	schema_ask(pipeline, &article_schema, SCHEMA_WHOLE,
	    key_post(pipeline->arena, &store->buckets, article_id(id.article)));
	if (id.comment != 0)
		comment_ask(pipeline, store, id);
	looking_ask(pipeline, id);
}

/* False when there is no such post; *reply moves on in any case. */
static bool
read_item(int64_t vote_score, const struct entry *entry,
    const struct reply **reply, struct mod_queue_item *item)
{
	struct post_id id = post_id_from_number(entry->id);
	bool is_there;

	item->since = entry->score;
	is_there = schema_read(
	    &article_schema, SCHEMA_WHOLE, (*reply)++, &item->article);
	item->article.post.id = article_id(id.article);
	article_compute_score(vote_score, &item->article);
	if (id.comment != 0)
		is_there = comment_read(reply, &item->comment) && is_there;
	item->comment.post.id = id;
	item->looking = looking_read((*reply)++);
	return is_there;
}

static enum store_result
add_flags(
    struct store *store, struct arena *arena, struct mod_queue_page *queue)
{
	struct flag_summary *summaries =
	    arena_new(arena, struct flag_summary, queue->count);

	for (size_t i = 0; i < queue->count; i++)
		if (read_flags(store, queue->items[i].comment.post.id,
			&summaries[i]) != STORE_OK)
			return STORE_DOWN;
	if (name_flags(store, arena, summaries, queue->count) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < queue->count; i++) {
		struct mod_queue_item *item = &queue->items[i];

		item->flag_count = summaries[i].kind_count;
		for (size_t f = 0; f < item->flag_count; f++)
			item->flags[f] = summaries[i].kinds[f];
	}
	return STORE_OK;
}

static enum store_result
read_items(struct store *store, struct arena *arena, int64_t vote_score,
    const struct entry *entries, size_t count, struct mod_queue_page *queue)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *reply;

	for (size_t i = 0; i < count; i++)
		ask_item(&pipeline, store, post_id_from_number(entries[i].id));
	if (store_run_partial(store, &pipeline, &queue->is_partial) != STORE_OK)
		return STORE_DOWN;
	reply = pipeline.replies;
	queue->items = arena_new(arena, struct mod_queue_item, count);
	for (size_t i = 0; i < count; i++)
		if (read_item(vote_score, &entries[i], &reply,
			&queue->items[queue->count]))
			queue->count++;
	return add_flags(store, arena, queue);
}

static struct merge
open_queue(struct store *store, struct arena *arena, struct versions *versions)
{
	struct merge merge = merge_open(store, arena, versions, 1);

	merge.direction = MERGE_LOW_TO_HIGH;
	merge_add(&merge, KEY_QUEUE, TEXT(""));
	return merge;
}

STORE_CALL
mod_queue_read(struct store *store, struct arena *arena, uint64_t page,
    size_t *expensive, struct mod_queue_page *queue)
{
	struct entry entries[MOD_QUEUE_PAGE + 1];
	struct versions versions;
	struct merge merge;
	enum store_result result;
	bool more;
	size_t count;

	if (versions_get_list(store, arena, &versions) != STORE_OK)
		return STORE_DOWN;
	*queue = (struct mod_queue_page){ .now = versions.now };
	merge = open_queue(store, arena, &versions);
	result = merge_read_page(
	    &merge, expensive, page, MOD_QUEUE_PAGE, entries, &count, &more);
	if (result != STORE_OK)
		return result;
	queue->more = more && page < MOD_QUEUE_PAGES;
	queue->is_partial = merge.is_partial || versions.is_partial;
	return read_items(
	    store, arena, versions.scale.vote_score, entries, count, queue);
}

/* The entries of a group's articles, from the page that is read to the first one after it. */
struct group_entries {
	struct text group;
	uint64_t skipped,
	    before; /* so many have been, of those of pages before */
	struct entry entries[MOD_QUEUE_PAGE + 1];
	size_t count;
	bool is_partial;
};

/* Adds those of some entries that are articles in the group. */
static enum store_result
add_of_group(struct store *store, struct arena *arena,
    const struct entry *entries, size_t count, struct group_entries *found)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("HGET"),
		    key_post(arena, &store->buckets,
			article_id(post_id_from_number(entries[i].id).article)),
		    TEXT("groups"));
	if (store_run_partial(store, &pipeline, &found->is_partial) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count && found->count <= MOD_QUEUE_PAGE; i++) {
		const struct reply *groups = &pipeline.replies[i];

		if (post_id_from_number(entries[i].id).comment != 0 ||
		    groups->kind == REPLY_LOST ||
		    !text_has_word(reply_text(groups), found->group))
			continue;
		if (found->skipped < found->before)
			found->skipped++;
		else
			found->entries[found->count++] = entries[i];
	}
	return STORE_OK;
}

static enum store_result
find_of_group(struct store *store, struct arena *arena, struct merge *merge,
    struct group_entries *found)
{
	struct entry *entries = arena_new(arena, struct entry, MERGE_STEP);
	uint64_t read = 0;
	size_t got = 0;

	do {
		if (merge_read(merge, 0, MERGE_STEP, entries, &got) !=
			STORE_OK ||
		    (got > 0 &&
			add_of_group(store, arena, entries, got, found) !=
			    STORE_OK))
			return STORE_DOWN;
		read += got;
	} while (got == MERGE_STEP && found->count <= MOD_QUEUE_PAGE &&
	    read < (uint64_t)MOD_QUEUE_PAGE * MOD_QUEUE_PAGES);
	return STORE_OK;
}

STORE_CALL
mod_queue_read_group(struct store *store, struct arena *arena,
    struct text group, uint64_t page, size_t *expensive,
    struct mod_queue_page *queue)
{
	struct group_entries *found = arena_new(arena, struct group_entries, 1);
	struct versions versions;
	struct merge merge;
	enum store_result result;

	if (versions_get_list(store, arena, &versions) != STORE_OK)
		return STORE_DOWN;
	if (!merge_begin_expensive(expensive))
		return STORE_LIMITED;
	*queue = (struct mod_queue_page){ .now = versions.now };
	found->group = group;
	found->before = (page - 1) * MOD_QUEUE_PAGE;
	merge = open_queue(store, arena, &versions);
	result = find_of_group(store, arena, &merge, found);
	merge_end_expensive(expensive);
	if (result != STORE_OK)
		return result;
	queue->more = found->count > MOD_QUEUE_PAGE && page < MOD_QUEUE_PAGES;
	queue->is_partial =
	    merge.is_partial || versions.is_partial || found->is_partial;
	return read_items(store, arena, versions.scale.vote_score,
	    found->entries,
	    found->count > MOD_QUEUE_PAGE ? MOD_QUEUE_PAGE : found->count,
	    queue);
}

STORE_CALL
mod_queue_read_flags(struct store *store, struct arena *arena,
    struct post_id id, struct mod_queue_flags flags[FLAG_KINDS], size_t *count)
{
	struct flag_summary summary;

	*count = 0;
	if (read_flags(store, id, &summary) != STORE_OK ||
	    name_flags(store, arena, &summary, 1) != STORE_OK)
		return STORE_DOWN;
	*count = summary.kind_count;
	for (size_t i = 0; i < *count; i++)
		flags[i] = summary.kinds[i];
	return STORE_OK;
}

STORE_CALL
mod_queue_length(struct store *store, struct arena *arena, int64_t *length)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	bool is_partial;

	*length = 0;
	for (uint64_t b = 0; b < store->buckets.count; b++)
		pipeline_add(&pipeline, TEXT("ZCARD"),
		    key_queue(arena, &store->buckets, b));
	if (store_run_partial(store, &pipeline, &is_partial) != STORE_OK)
		return STORE_DOWN;
	for (uint64_t b = 0; b < store->buckets.count; b++)
		if (pipeline.replies[b].kind != REPLY_LOST)
			*length += reply_number(&pipeline.replies[b]);
	return STORE_OK;
}
