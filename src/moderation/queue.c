#include "moderation/queue.h"

#include "base/arena.h"
#include "lists/merge.h"
#include "redis/redis.h"
#include "store/user.h"
#include "store/versions.h"

/* An item with all its flags, of which names are still to be found. */
struct found {
	struct queue_item item;
	struct flagged *flags;
	size_t count;
};

static struct queue_flags *
flags_of_kind(struct queue_item *item, enum flag flag)
{
	for (size_t i = 0; i < item->flag_count; i++)
		if (item->flags[i].flag == flag)
			return &item->flags[i];
	item->flags[item->flag_count] = (struct queue_flags){ .flag = flag };
	return &item->flags[item->flag_count++];
}

static void
add_flag(struct arena *arena, struct queue_item *item,
    const struct flagged *flagged, struct text name)
{
	struct queue_flags *flags = flags_of_kind(item, flagged->flag);

	flags->count++;
	flags->names = flags->names.size == 0
	    ? name
	    : text_format(
		  arena, "%.*s %.*s", TEXT_ARGS(flags->names), TEXT_ARGS(name));
}

/* Sorts the open flags by kind, with the names of those who flagged. */
static enum store_result
name_flags(
    struct store *store, struct arena *arena, struct found *found, size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	size_t answer = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t f = 0; f < found[i].count; f++)
			pipeline_add(&pipeline, TEXT("HGET"),
			    key_user(arena, found[i].flags[f].user),
			    TEXT("name"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		for (size_t f = 0; f < found[i].count; f++) {
			const struct reply *name = &pipeline.replies[answer++];

			if (!found[i].flags[f].dismissed)
				add_flag(arena, &found[i].item,
				    &found[i].flags[f], reply_text(name));
		}
	return STORE_OK;
}

/* Of a comment its article is asked first. */
static void
ask_item(
    struct pipeline *pipeline, const struct store *store, struct post_id id)
{
	schema_ask(pipeline, &article_schema, SCHEMA_WHOLE,
	    key_post(pipeline->arena, &store->buckets, article_id(id.article)));
	if (id.comment != 0)
		comment_ask(pipeline, store, id);
	flag_ask_all(pipeline, store, id);
}

/* False when there is no such post; *reply is the next one in any case. */
static bool
take_item(const struct rules *rules, struct arena *arena,
    const struct entry *entry, const struct reply **reply, struct found *found)
{
	struct post_id id = post_numbered(entry->id);
	struct queue_item *item = &found->item;
	bool is_there;

	item->since = entry->score;
	is_there = schema_read(
	    &article_schema, SCHEMA_WHOLE, (*reply)++, &item->article);
	item->article.post.id = article_id(id.article);
	article_count(rules, &item->article);
	if (id.comment != 0)
		is_there = comment_read(reply, &item->comment) && is_there;
	item->comment.post.id = id;
	found->count = flag_read_all(arena, (*reply)++, &found->flags);
	return is_there;
}

static enum store_result
read_items(struct store *store, struct arena *arena,
    const struct entry *entries, size_t count, struct queue_page *queue)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct found *found = arena_new(arena, struct found, count);
	const struct reply *reply;
	size_t got = 0;

	for (size_t i = 0; i < count; i++)
		ask_item(&pipeline, store, post_numbered(entries[i].id));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	reply = pipeline.replies;
	for (size_t i = 0; i < count; i++)
		if (take_item(
			&store->rules, arena, &entries[i], &reply, &found[got]))
			got++;
	if (name_flags(store, arena, found, got) != STORE_OK)
		return STORE_DOWN;
	queue->items = arena_new(arena, struct queue_item, got);
	for (size_t i = 0; i < got; i++)
		queue->items[queue->count++] = found[i].item;
	return STORE_OK;
}

STORE_CALL
queue_read(struct store *store, struct arena *arena, uint64_t page,
    struct queue_page *queue)
{
	uint64_t buckets = store->buckets.count;
	struct entry entries[QUEUE_PAGE + 1];
	struct versions versions;
	struct merge merge = { .store = store,
		.arena = arena,
		.versions = &versions,
		.streams = arena_new(arena, struct stream, buckets),
		.count = buckets,
		.direction = MERGE_LOW_TO_HIGH };
	size_t got;

	if (versions_get(store, arena, 0, &versions) != STORE_OK)
		return STORE_DOWN;
	*queue = (struct queue_page){ .now = versions.now };
	for (uint64_t b = 0; b < buckets; b++)
		merge.streams[b] = (struct stream){
			.key = key_queue(arena, &store->buckets, b), .bucket = b
		};
	if (merge_read(&merge, (page - 1) * QUEUE_PAGE, QUEUE_PAGE + 1, entries,
		&got) != STORE_OK)
		return STORE_DOWN;
	queue->more = got > QUEUE_PAGE;
	return read_items(
	    store, arena, entries, got < QUEUE_PAGE ? got : QUEUE_PAGE, queue);
}

STORE_CALL
queue_read_flags(struct store *store, struct arena *arena, struct post_id id,
    struct queue_flags flags[FLAGS], size_t *count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct found found = { .count = 0 };

	flag_ask_all(&pipeline, store, id);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	found.count = flag_read_all(arena, &pipeline.replies[0], &found.flags);
	if (name_flags(store, arena, &found, 1) != STORE_OK)
		return STORE_DOWN;
	*count = found.item.flag_count;
	for (size_t i = 0; i < *count; i++)
		flags[i] = found.item.flags[i];
	return STORE_OK;
}
