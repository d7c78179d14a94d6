#include "lists/comments.h"

#include "lists/merge.h"
#include "lists/newest.h"

static void
ask_comment(struct pipeline *pipeline, const struct store *store,
    struct post_id id, uint64_t viewer)
{
	struct arena *arena = pipeline->arena;

	comment_ask(pipeline, store, id);
	schema_ask(pipeline, &article_schema, SCHEMA_BRIEF,
	    key_post(arena, &store->buckets, article_id(id.article)));
	if (viewer != 0)
		post_ask_vote(pipeline, store, id, viewer);
}

/* False when the comment is not to be shown; *reply moves on in any case. */
static bool
read_row(struct post_id id, uint64_t viewer, const struct reply **reply,
    struct comments_row *row)
{
	struct comment *comment = &row->comment;
	struct article *article = &row->article;
	bool is_there;

	*row = (struct comments_row){ .comment.post.id = id };
	article->post.id = article_id(id.article);
	is_there = comment_read(reply, comment);
	is_there =
	    schema_read(&article_schema, SCHEMA_BRIEF, (*reply)++, article) &&
	    is_there;
	if (viewer != 0)
		comment->post.vote = post_read_vote((*reply)++);
	return is_there && article->post.removed == 0;
}

STORE_CALL
comments_get(struct store *store, struct arena *arena,
    const struct post_id *ids, size_t count, uint64_t viewer,
    struct comments_page *comments)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *reply;

	for (size_t i = 0; i < count; i++)
		ask_comment(&pipeline, store, ids[i], viewer);
	if (store_run_partial(store, &pipeline, &comments->is_partial) !=
	    STORE_OK)
		return STORE_DOWN;
	comments->rows = arena_new(arena, struct comments_row, count);
	comments->count = 0;
	reply = pipeline.replies;
	for (size_t i = 0; i < count; i++)
		if (read_row(ids[i], viewer, &reply,
			&comments->rows[comments->count]))
			comments->count++;
	return STORE_OK;
}

/* Adds the commands for a row's comment and article; false when the article is in the cache. */
static bool
ask_record(struct pipeline *pipeline, const struct store *store,
    struct read_cache *cache, struct stamp edits, struct comments_row *row)
{
	uint64_t article = row->comment.post.id.article;

	comment_ask_record(pipeline, store, row->comment.post.id);
	if (read_cache_get_article(
		cache, pipeline->arena, edits, article, &row->article))
		return false;
	schema_ask(pipeline, &article_schema, SCHEMA_BRIEF,
	    key_post(pipeline->arena, &store->buckets, article_id(article)));
	return true;
}

/* False when the comment is not to be shown. */
static bool
read_record(const struct reply *reply, struct comments_row *row)
{
	struct post *post = &row->comment.post;

	row->record = comment_record_read(reply_text(reply));
	comment_add_record(reply_text(reply), &row->comment);
	post->removed = row->record.removed ? row->record.posted : 0;
	return row->record.posted != 0;
}

/* The same of its article. */
static bool
read_article(struct arena *arena, struct read_cache *cache, struct stamp edits,
    const struct reply *reply, struct comments_row *row)
{
	struct article *article = &row->article;

	article->post.id = article_id(row->comment.post.id.article);
	if (!schema_read(&article_schema, SCHEMA_BRIEF, reply, article) ||
	    article->post.removed != 0)
		return false;
	read_cache_put_article(cache, arena, edits, article);
	return true;
}

STORE_CALL
comments_find(struct store *store, struct arena *arena,
    struct read_cache *cache, const struct versions *versions,
    const struct post_id *ids, size_t count, struct comments_page *comments)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct comments_row *rows =
	    arena_new(arena, struct comments_row, count);
	struct stamp *edits = arena_new(arena, struct stamp, count);
	bool *asked = arena_new(arena, bool, count);
	const struct reply *reply;

	for (size_t i = 0; i < count; i++) {
		rows[i].comment.post.id = ids[i];
		edits[i] = versions_stamp(versions,
		    key_bucket_of(&store->buckets, ids[i].article),
		    VERSIONS_EDITS);
		asked[i] =
		    ask_record(&pipeline, store, cache, edits[i], &rows[i]);
	}
	if (store_run_partial(store, &pipeline, &comments->is_partial) !=
	    STORE_OK)
		return STORE_DOWN;
	comments->rows = rows;
	comments->count = 0;
	reply = pipeline.replies;
	for (size_t i = 0; i < count; i++) {
		bool is_there = read_record(reply++, &rows[i]);

		if (asked[i])
			is_there = read_article(arena, cache, edits[i], reply++,
				       &rows[i]) &&
			    is_there;
		if (is_there)
			rows[comments->count++] = rows[i];
	}
	return STORE_OK;
}

void
comments_hide(
    struct comments_page *comments, const struct hidden_filter *filter)
{
	size_t count = 0;

	for (size_t i = 0; i < comments->count; i++) {
		const struct comments_row *row = &comments->rows[i];

		if (!hidden_comment(filter, &row->comment.post, &row->article))
			comments->rows[count++] = *row;
	}
	comments->hidden += comments->count - count;
	comments->count = count;
}

/* Drops comments that were removed since the list was read. */
static void
drop_removed(struct comments_page *comments)
{
	size_t count = 0;

	for (size_t i = 0; i < comments->count; i++)
		if (comments->rows[i].comment.post.removed == 0)
			comments->rows[count++] = comments->rows[i];
	comments->count = count;
}

/* Entries of a list, and the place of each in it, from 1. */
struct places {
	struct entry *entries;
	uint64_t *numbers;
	size_t count;
};

static struct places
places_new(struct arena *arena, size_t room)
{
	return (struct places){ arena_new(arena, struct entry, room),
		arena_new(arena, uint64_t, room), 0 };
}

/* Sets the places of rows, which are some of these, in their order. */
static void
add_places(struct comments_page *comments, const struct places *places)
{
	for (size_t i = 0, r = 0; r < comments->count; i++)
		if (post_id_to_number(comments->rows[r].comment.post.id) ==
		    places->entries[i].id)
			comments->rows[r++].entry = places->numbers[i];
}

/* Reads the comments of the entries, but for those that were removed. */
static enum store_result
read_entries(struct store *store, struct arena *arena,
    const struct places *places, const struct comments_query *query,
    const struct versions *versions, struct comments_page *comments)
{
	struct post_id *ids = arena_new(arena, struct post_id, places->count);
	enum store_result result;

	for (size_t i = 0; i < places->count; i++)
		ids[i] = post_id_from_number(places->entries[i].id);
	result = query->records_only
	    ? comments_find(store, arena, query->cache, versions, ids,
		  places->count, comments)
	    : comments_get(
		  store, arena, ids, places->count, query->viewer, comments);
	if (result != STORE_OK)
		return result;
	add_places(comments, places);
	drop_removed(comments);
	return STORE_OK;
}

/* A page while its entries are read. */
struct reading {
	struct merge merge;
	const struct comments_query *query;
	struct comments_page *comments;
	uint64_t at;	      /* entries that were read, and those before */
	uint64_t end;	      /* the entry behind which reading ends, from 1 */
	struct places places; /* what is shown */
	bool is_end;	      /* of the list */
};

/* Reads up to the end, and one entry more, which shows that another page follows. */
static enum store_result
read_unfiltered(struct reading *reading)
{
	struct places *places = &reading->places;
	size_t size = (size_t)(reading->end - reading->at);
	enum store_result result;

	*places = places_new(reading->merge.arena, size + 1);
	result = merge_read_limited(&reading->merge, reading->query->expensive,
	    reading->at, size + 1, places->entries, &places->count);
	reading->comments->more = places->count > size;
	if (places->count > size)
		places->count = size;
	for (size_t i = 0; i < places->count; i++)
		places->numbers[i] = reading->at + i + 1;
	return result;
}

static void
ask_brief(struct pipeline *pipeline, const struct store *store, uint64_t number)
{
	struct post_id id = post_id_from_number(number);

	schema_ask(pipeline, &comment_schema, SCHEMA_BRIEF,
	    key_post(pipeline->arena, &store->buckets, id));
	schema_ask(pipeline, &article_schema, SCHEMA_BRIEF,
	    key_post(pipeline->arena, &store->buckets, article_id(id.article)));
}

enum visibility { IS_GONE, IS_HIDDEN, IS_SHOWN };

/* Of a comment from the replies to ask_brief. */
static enum visibility
read_visibility(const struct hidden_filter *filter, uint64_t number,
    const struct reply *replies)
{
	struct post_id id = post_id_from_number(number);
	struct comment comment = { .post.id = id };
	struct article article = { .post.id = article_id(id.article) };

	if (!schema_read(
		&comment_schema, SCHEMA_BRIEF, &replies[0], &comment) ||
	    !schema_read(
		&article_schema, SCHEMA_BRIEF, &replies[1], &article) ||
	    comment.post.removed != 0 || article.post.removed != 0)
		return IS_GONE;
	return hidden_comment(filter, &comment.post, &article) ? IS_HIDDEN
							       : IS_SHOWN;
}

static bool
is_full(const struct reading *reading)
{
	return reading->places.count > COMMENTS_PAGE;
}

/* Adds what is shown of the entries that follow, until the page is full. */
static enum store_result
filter_entries(
    struct reading *reading, const struct entry *entries, size_t count)
{
	struct merge *merge = &reading->merge;
	struct pipeline pipeline =
	    pipeline_begin(merge->store->redis, merge->arena);
	struct places *places = &reading->places;

	for (size_t i = 0; i < count; i++)
		ask_brief(&pipeline, merge->store, entries[i].id);
	if (store_run_partial(merge->store, &pipeline, &merge->is_partial) !=
	    STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count && !is_full(reading); i++) {
		enum visibility found = read_visibility(reading->query->hidden,
		    entries[i].id, &pipeline.replies[2 * i]);

		reading->at++;
		reading->comments->hidden += found == IS_HIDDEN;
		if (found != IS_SHOWN)
			continue;
		places->entries[places->count] = entries[i];
		places->numbers[places->count++] = reading->at;
	}
	return STORE_OK;
}

/* Reads parts of the list, each twice as long as the one before, until there is one entry more
 * than the page has room for, with which the next one begins. */
static enum store_result
read_filtered(struct reading *reading)
{
	struct arena *arena = reading->merge.arena;
	struct comments_page *comments = reading->comments;
	uint64_t count = COMMENTS_PAGE + 1, skipped = reading->at;

	reading->places = places_new(arena, COMMENTS_PAGE + 1);
	for (;
	    !is_full(reading) && !reading->is_end && reading->at < reading->end;
	    count *= 2) {
		uint64_t left = reading->end - reading->at;
		struct entry *entries = arena_new(arena, struct entry, count);
		enum store_result result;
		size_t got;

		count = count < left ? count : left;
		result = merge_read_limited(&reading->merge,
		    reading->query->expensive, skipped, count, entries, &got);
		if (result == STORE_OK)
			result = filter_entries(reading, entries, got);
		if (result != STORE_OK)
			return result;
		reading->is_end = got < count;
		skipped = 0;
	}
	comments->more = is_full(reading) || !reading->is_end;
	comments->hidden_ended = comments->more && !is_full(reading);
	comments->next = is_full(reading)
	    ? reading->places.numbers[--reading->places.count]
	    : reading->at + 1;
	return STORE_OK;
}

uint64_t
comments_first_entry(uint64_t page)
{
	return (page - 1) * COMMENTS_PAGE + 1;
}

/* The entry behind which reading for a page that begins with an entry ends. */
static uint64_t
end_of_reading(const struct comments_query *query, uint64_t from)
{
	const uint64_t last = (uint64_t)COMMENTS_PAGES * COMMENTS_PAGE;
	uint64_t end = from - 1 + HIDDEN_ENTRIES_MAX;

	if (query->is_feed)
		return NEWEST_MAX;
	if (query->hidden == NULL)
		return query->page * COMMENTS_PAGE;
	return end < last ? end : last;
}

/* Reads the entries of the page into the reading. */
static enum store_result
read_list(struct reading *reading, const struct versions *versions)
{
	const struct comments_query *query = reading->query;
	struct merge *merge = &reading->merge;
	enum store_result result;

	merge_add(merge, KEY_COMMENTS,
	    query->author == 0
		? TEXT("")
		: key_list_of_author(merge->arena, query->author));
	result = query->hidden != NULL ? read_filtered(reading)
				       : read_unfiltered(reading);
	if (query->page >= COMMENTS_PAGES)
		reading->comments->more = false;
	if (query->is_feed)
		reading->places.count = newest_count(reading->places.entries,
		    reading->places.count, COMMENTS_PAGE, versions->now);
	return result;
}

STORE_CALL
comments_read(struct store *store, struct arena *arena,
    const struct comments_query *query, struct comments_page *comments)
{
	uint64_t first = comments_first_entry(query->page);
	uint64_t from = query->from > 1 ? query->from : first;
	struct reading reading = { .query = query,
		.comments = comments,
		.at = from - 1,
		.end = end_of_reading(query, from) };
	struct versions versions;
	enum store_result result;

	if (versions_get_list(store, arena, &versions) != STORE_OK)
		return STORE_DOWN;
	*comments = (struct comments_page){ .now = versions.now };
	if (from < first || reading.at >= reading.end)
		return STORE_OK;
	reading.merge = merge_open(store, arena, &versions, 1);
	result = read_list(&reading, &versions);
	if (result == STORE_OK)
		result = read_entries(
		    store, arena, &reading.places, query, &versions, comments);
	comments->is_partial = comments->is_partial ||
	    reading.merge.is_partial || versions.is_partial;
	return result;
}

/* The entries of the last records of a thread's index, the newest first. */
static size_t
entries_of_records(struct text records, uint64_t article, uint64_t first,
    struct entry *entries)
{
	size_t count = 0;

	for (size_t i = records.size / COMMENT_RECORD_SIZE; i-- > 0;) {
		struct comment_record record = comment_record_read(text_slice(
		    records, i * COMMENT_RECORD_SIZE, COMMENT_RECORD_SIZE));

		if (record.posted != 0 && !record.removed)
			entries[count++] =
			    (struct entry){ post_id_to_number((struct post_id){
						article, first + i }),
				    record.posted };
	}
	return count;
}

STORE_CALL
comments_read_thread(struct store *store, struct arena *arena,
    const struct article *article, int64_t now, struct comments_page *comments)
{
	uint64_t commented = (uint64_t)article->commented;
	uint64_t last =
	    commented < COMMENT_NUMBER_MAX ? commented : COMMENT_NUMBER_MAX;
	uint64_t first = last > NEWEST_MAX ? last - NEWEST_MAX + 1 : 1;
	uint64_t id = article->post.id.article;
	struct places places = places_new(arena, NEWEST_MAX);
	const struct reply *records = store_read(store, arena, TEXT("GETRANGE"),
	    key_thread(arena, &store->buckets, id),
	    text_number(arena, (int64_t)first * COMMENT_RECORD_SIZE),
	    text_number(arena, (int64_t)(last + 1) * COMMENT_RECORD_SIZE - 1));

	if (records == NULL)
		return STORE_DOWN;
	*comments = (struct comments_page){ .now = now };
	places.count =
	    entries_of_records(reply_text(records), id, first, places.entries);
	places.count =
	    newest_count(places.entries, places.count, COMMENTS_PAGE, now);
	return read_entries(store, arena, &places,
	    &(struct comments_query){ .viewer = 0 }, NULL, comments);
}

STORE_CALL
comments_newest_post(
    struct store *store, struct arena *arena, uint64_t author, int64_t *moment)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text list = key_list_of_author(arena, author);
	bool is_partial;

	for (uint64_t b = 0; b < store->buckets.count; b++) {
		pipeline_add(&pipeline, TEXT("ZRANGE"),
		    key_time(arena, &store->buckets, b, list), TEXT("0"),
		    TEXT("0"), TEXT("REV"), TEXT("WITHSCORES"));
		pipeline_add(&pipeline, TEXT("ZRANGE"),
		    key_comments(arena, &store->buckets, b, list), TEXT("0"),
		    TEXT("0"), TEXT("REV"), TEXT("WITHSCORES"));
	}
	if (store_run_partial(store, &pipeline, &is_partial) != STORE_OK)
		return STORE_DOWN;
	*moment = 0;
	for (size_t i = 0; i < pipeline.count; i++) {
		int64_t posted =
		    reply_number(reply_item(&pipeline.replies[i], 1));

		if (posted > *moment)
			*moment = posted;
	}
	return STORE_OK;
}

STORE_CALL
comments_count(struct store *store, struct arena *arena, uint64_t author,
    int64_t *articles, int64_t *comments)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text list = key_list_of_author(arena, author);
	bool is_partial;

	for (uint64_t b = 0; b < store->buckets.count; b++) {
		pipeline_add(&pipeline, TEXT("ZCARD"),
		    key_time(arena, &store->buckets, b, list));
		pipeline_add(&pipeline, TEXT("ZCARD"),
		    key_comments(arena, &store->buckets, b, list));
	}
	if (store_run_partial(store, &pipeline, &is_partial) != STORE_OK)
		return STORE_DOWN;
	*articles = *comments = 0;
	for (size_t i = 0; i < pipeline.count; i += 2) {
		*articles += reply_number(&pipeline.replies[i]);
		*comments += reply_number(&pipeline.replies[i + 1]);
	}
	return STORE_OK;
}
