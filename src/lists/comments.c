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

/* Reads the comments of the entries, but for those that were removed. */
static enum store_result
read_entries(struct store *store, struct arena *arena,
    const struct entry *entries, size_t count, uint64_t viewer,
    struct comments_page *comments)
{
	struct post_id *ids = arena_new(arena, struct post_id, count);
	enum store_result result;

	for (size_t i = 0; i < count; i++)
		ids[i] = post_id_from_number(entries[i].id);
	result = comments_get(store, arena, ids, count, viewer, comments);
	drop_removed(comments);
	return result;
}

STORE_CALL
comments_read(struct store *store, struct arena *arena,
    const struct comments_query *query, struct comments_page *comments)
{
	struct text list = query->author == 0
	    ? TEXT("")
	    : key_list_of_author(arena, query->author);
	size_t size = query->is_feed ? NEWEST_MAX : COMMENTS_PAGE, count;
	struct entry entries[NEWEST_MAX + 1] = { { .id = 0 } };
	struct versions versions;
	struct merge merge;
	enum store_result result;
	bool more;

	if (versions_get_list(store, arena, &versions) != STORE_OK)
		return STORE_DOWN;
	*comments = (struct comments_page){ .now = versions.now };
	merge = merge_open(store, arena, &versions, 1);
	merge_add(&merge, KEY_COMMENTS, list);
	result = merge_read_page(&merge, query->expensive, query->page, size,
	    entries, &count, &more);
	if (result != STORE_OK)
		return result;
	if (query->is_feed)
		count =
		    newest_count(entries, count, COMMENTS_PAGE, versions.now);
	result =
	    read_entries(store, arena, entries, count, query->viewer, comments);
	comments_hide(comments, query->hidden);
	comments->more = more && query->page < COMMENTS_PAGES;
	comments->is_partial =
	    comments->is_partial || merge.is_partial || versions.is_partial;
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
	struct entry entries[NEWEST_MAX] = { { .id = 0 } };
	const struct reply *records = store_read(store, arena, TEXT("GETRANGE"),
	    key_thread(arena, &store->buckets, id),
	    text_number(arena, (int64_t)first * COMMENT_RECORD_SIZE),
	    text_number(arena, (int64_t)(last + 1) * COMMENT_RECORD_SIZE - 1));
	size_t count;

	if (records == NULL)
		return STORE_DOWN;
	*comments = (struct comments_page){ .now = now };
	count = entries_of_records(reply_text(records), id, first, entries);
	count = newest_count(entries, count, COMMENTS_PAGE, now);
	return read_entries(store, arena, entries, count, 0, comments);
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
