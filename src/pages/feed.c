#include "pages/feed.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/cache.h"
#include "base/crypto.h"
#include "base/url.h"
#include "lists/mod_queue.h"
#include "lists/newest.h"
#include "pages/etag.h"
#include "pages/visitors.h"
#include "store/application.h"
#include "views/feed.h"
#include "views/format.h"
#include "views/language.h"
#include "views/messages.h"

enum {
	/* Of the texts of all entries. Escaped they are four times as long at most,
	 * usually a tenth longer; a feed of over RESPONSE_MAX_PUBLIC is not cached. */
	FEED_BYTES = 96 * 1024,
	DIGEST_ROOM = 64 * 1024
};

/* A feed that is being made. */
struct feed {
	struct page *page;
	struct feed_model model;
	struct feed_entry *entries;
	struct feed_extra *extras;
	size_t count;
	size_t bytes;	 /* of texts */
	int64_t updated; /* the newest change, Unix seconds; 0: there is none */
	int64_t modified; /* the same, or when the newest entry became one */
	int64_t least;	  /* or NEWEST_ANY_POINTS */
	bool to_comments; /* the link of an article leads there */
	bool is_cacheable;
	struct text tag; /* "tag:example.org,2026-11-24:" */
	struct etag etag;
};

/* Parses the query; false when it is malformed. */
static bool
read_query(struct feed *feed)
{
	const struct pairs *query = &feed->page->request->query;
	struct text least = pairs_get(query, TEXT("least"));
	struct text link = pairs_get(query, TEXT("link"));
	uint64_t number;

	feed->least = NEWEST_ANY_POINTS;
	feed->to_comments = text_equal(link, TEXT("comments"));
	if (link.size > 0 && !feed->to_comments)
		return false;
	if (least.size == 0)
		return true;
	if (least.size > 9 || !text_to_u64(least, &number))
		return false;
	feed->least = (int64_t)number;
	return true;
}

/* Begins the id of everything in feeds: it is of the site and not of its address, which
 * may change. */
static struct text
tag_of(const struct page *page)
{
	struct text authority = page->settings->tag_authority;

	return text_format(page->arena, "tag:%.*s:",
	    TEXT_ARGS(authority.size > 0 ? authority
					 : TEXT(SETTINGS_LOCAL_AUTHORITY)));
}

/* The query without the secret, "?least=5". */
static struct text
public_query(const struct page *page)
{
	struct request request = *page->request;

	(void)!request_filter_query(
	    page->arena, &request, TEXT("match least link q"));
	return request.canonical_query.size == 0
	    ? TEXT("")
	    : text_join(page->arena, TEXT("?"), request.canonical_query);
}

/* The id of a feed; one for members is another one for each. */
static struct text
id_of(const struct feed *feed, const struct feed_page *of)
{
	struct arena *arena = feed->page->arena;
	struct text id =
	    text_format(arena, "%.*s%.*s%.*s", TEXT_ARGS(feed->tag),
		TEXT_ARGS(of->path), TEXT_ARGS(feed->model.query));

	return of->is_private ? text_format(arena, "%.*s/%llu", TEXT_ARGS(id),
				    (unsigned long long)feed->page->viewer.id)
			      : id;
}

/* What a feed is made from: the versions of all that it may have, and its address. Votes on
 * comments are not among these, so their points may be those of before. */
static struct text
cache_key(const struct feed *feed)
{
	const struct page *page = feed->page;
	const struct settings_snapshot *settings = page->settings_held;
	struct stamp stamp = versions_posts_stamp(page->versions);
	struct text target = request_target(page->arena, page->request);
	struct buffer key = buffer_in(page->arena, 40 + target.size);
	const uint64_t parts[] = { stamp.epoch, stamp.version, settings->epoch,
		settings->version };

	buffer_add_varints(&key, parts, sizeof(parts) / sizeof(parts[0]));
	buffer_add(&key, feed->model.site);
	buffer_add_char(&key, ' ');
	buffer_add(&key, target);
	return buffer_text(&key);
}

/* A feed in the cache: its time, its digest, and its text. */
static void
cache_feed(const struct feed *feed, struct text digest)
{
	struct page *page = feed->page;
	struct text body = page->response->body;
	struct buffer value = buffer_in(page->arena, body.size + 100);

	if (!feed->is_cacheable || page_is_head(page))
		return;
	buffer_add(&value,
	    (struct text){
		(const char *)&feed->modified, sizeof(feed->modified) });
	buffer_add(&value, digest);
	buffer_add(&value, body);
	cache_put(page->app->feed_cache, cache_key(feed), buffer_text(&value));
}

/* Sets what all answers with the feed have. */
static void
describe_feed(const struct feed *feed)
{
	static const enum response_type types[] = {
		[FORMAT_ATOM] = TYPE_ATOM, [FORMAT_JSON] = TYPE_JSON_FEED
	};
	struct response *response = feed->page->response;

	response->type = types[feed->page->format];
	response->modified = feed->modified;
}

/* As the sitemap, a feed whose links are made from the Host of the request is not cached. */
static enum http_status
send_feed(struct feed *feed)
{
	struct page *page = feed->page;

	if (!page_is_signed_in(page) && page->app->origin.size > 0)
		page->response->cache = CACHE_ONE_SECOND;
	return etag_send(page, &feed->etag, HTTP_OK);
}

/* Answers with the feed in the cache; false when it is not there. */
static bool
send_cached(struct feed *feed, enum http_status *status)
{
	struct page *page = feed->page;
	struct text value;

	if (!feed->is_cacheable || page_is_head(page) ||
	    !cache_get(
		page->app->feed_cache, page->arena, cache_key(feed), &value))
		return false;
	memcpy(&feed->modified, value.data, sizeof(feed->modified));
	value = text_slice(value, sizeof(feed->modified), value.size);
	describe_feed(feed);
	*status = HTTP_NOT_MODIFIED;
	if (etag_match_feed(
		page, &feed->etag, text_slice(value, 0, CRYPTO_DIGEST_DIGITS)))
		return true;
	page->response->body =
	    text_slice(value, CRYPTO_DIGEST_DIGITS, value.size);
	*status = send_feed(feed);
	return true;
}

/* Checks the query, and whether the reader or the cache has this feed. False when that is the
 * answer; otherwise entries are to be added. */
static bool
feed_begin(struct feed *feed, struct page *page, const struct feed_page *of,
    enum etag_source source, enum http_status *status)
{
	*feed = (struct feed){ .page = page };
	*status = HTTP_BAD_REQUEST;
	if (!read_query(feed))
		return false;
	*status = page->versions == NULL ? page_failed(page, STORE_DOWN)
					 : HTTP_NOT_MODIFIED;
	if (page->versions == NULL ||
	    etag_begin_feed(page, &feed->etag, source))
		return false;
	feed->is_cacheable =
	    source == ETAG_OF_POSTS && !page->versions->is_partial;
	feed->tag = tag_of(page);
	feed->model = (struct feed_model){
		.title = message_feed_title(
		    page->arena, page->settings->name, of->heading),
		.site = page_origin(page),
		.path = page->request->path,
		.query = public_query(page),
		.page = text_join(page->arena, of->path, of->query),
	};
	feed->model.id = id_of(feed, of);
	if (send_cached(feed, status))
		return false;
	/* Asking for points searches many articles. */
	*status =
	    feed->least == NEWEST_ANY_POINTS ? HTTP_OK : visitors_admit(page);
	return *status == HTTP_OK;
}

static void
make_room(struct feed *feed, size_t count)
{
	feed->entries = arena_new(feed->page->arena, struct feed_entry, count);
	feed->extras = arena_new(feed->page->arena, struct feed_extra, count);
}

/* Adds an entry with what all have: its id is its path. */
static struct feed_entry *
add_entry(struct feed *feed, struct text path, int64_t posted, int64_t edited)
{
	struct arena *arena = feed->page->arena;
	struct feed_entry *entry = &feed->entries[feed->count++];
	int64_t updated = edited > posted ? edited : posted;

	*entry = (struct feed_entry){
		.id = text_join(arena, feed->tag, path),
		.href = text_join(arena, feed->model.site, path),
		.published = format_iso(arena, posted),
		.updated = format_iso(arena, updated),
	};
	if (updated > feed->updated)
		feed->updated = updated;
	return entry;
}

static void
add_author(struct feed *feed, struct feed_entry *entry, struct text name)
{
	entry->author = name;
	entry->author_href = text_format(feed->page->arena, "%.*s/u/%.*s",
	    TEXT_ARGS(feed->model.site), TEXT_ARGS(name));
}

/* A text as HTML, or none of it once the feed is long. */
static struct markdown_html
text_html(struct feed *feed, struct text source, struct text names)
{
	struct markdown_html html = { .is_cut = source.size > 0 };

	if (feed->bytes < FEED_BYTES)
		html = page_markdown(
		    feed->page, source, names, RULE_EXCERPT_BYTES);
	feed->bytes += html.text.size;
	return html;
}

/* Renders the content of an entry. */
static struct text
render_part(
    const struct feed *feed, const struct fragment *view, const void *model)
{
	struct page *page = feed->page;

	if (page_is_head(page))
		return TEXT("");
	return feed_absolute(page->arena,
	    views_part(page->app->views, page->arena, view, model).text,
	    feed->model.site);
}

static struct text
article_content(
    struct feed *feed, const struct article *article, struct text path)
{
	struct arena *arena = feed->page->arena;
	struct feed_article_model model = { .path = path };
	struct markdown_html html;

	if (article->url.size > 0) {
		model.link = article->url;
		model.host = url_host(arena, article->url);
	}
	if (article->markup.size > 0) {
		html = text_html(feed, article->text, article->links);
		model.text.text = html.text;
		model.is_cut = html.is_cut;
	} else if (feed->bytes < FEED_BYTES) {
		model.paragraphs = format_paragraphs(arena, article->text);
		feed->bytes += article->text.size;
	}
	return render_part(feed, &feed_article_view, &model);
}

/* The points of posts from after this moment are hidden, so that a feed may not be asked for
 * them. */
static int64_t
points_known_until(const struct feed *feed)
{
	const struct page *page = feed->page;

	return page->is_keyed && page->reader.sees_all ? INT64_MAX
						       : page_clock(page) -
		settings_score_seconds(page->settings, &page->store->rules);
}

/* As visitors see it, whoever asks: a feed is not made for one reader, unless it is private. Where
 * the time is not known, it is not shown. */
static bool
shows_points(const struct feed *feed, const struct post *post)
{
	const struct page *page = feed->page;
	struct reader reader = { .score_seconds = settings_score_seconds(
				     page->settings, &page->store->rules) };

	return reader_sees_score(
	    page->is_keyed ? &page->reader : &reader, post, page_clock(page));
}

static void
add_article(struct feed *feed, const struct article *article)
{
	const struct post *post = &article->post;
	struct feed_extra *extra = &feed->extras[feed->count];
	struct text path = format_post_path(feed->page->arena, post->id);
	struct feed_entry *entry =
	    add_entry(feed, path, post->posted, post->edited);

	entry->title = article->title;
	entry->replies_href =
	    text_join(feed->page->arena, entry->href, TEXT("#comments"));
	entry->replies = article->comments;
	add_author(feed, entry, post->author.name);
	entry->groups = format_names(feed->page->arena, article->groups);
	entry->content = article_content(feed, article, path);
	*extra = (struct feed_extra){ .external = article->url,
		.points = post->points,
		.has_points = shows_points(feed, post) };
	if (article->url.size == 0)
		return;
	entry->related = feed->to_comments ? article->url : TEXT("");
	entry->href = feed->to_comments ? entry->href : article->url;
}

static void
add_comment(struct feed *feed, const struct comments_row *row)
{
	struct arena *arena = feed->page->arena;
	const struct comment *comment = &row->comment;
	const struct post *post = &comment->post;
	const struct post_id parent = { post->id.article,
		(uint64_t)comment->parent };
	struct feed_extra *extra = &feed->extras[feed->count];
	struct text path = format_post_path(arena, post->id);
	struct text parent_path = format_post_path(arena, parent);
	struct feed_entry *entry =
	    add_entry(feed, path, post->posted, post->edited);
	struct markdown_html html =
	    text_html(feed, comment->text, comment->links);
	const struct feed_comment_model model = { .text = { html.text },
		.is_cut = html.is_cut,
		.path = path,
		.article_path =
		    format_post_path(arena, article_id(post->id.article)),
		.article_title = row->article.title };

	entry->title =
	    message_comment_on(arena, post->author.name, row->article.title);
	entry->parent_id = text_join(arena, feed->tag, parent_path);
	entry->parent_href = text_join(arena, feed->model.site, parent_path);
	add_author(feed, entry, post->author.name);
	entry->content = render_part(feed, &feed_comment_view, &model);
	*extra = (struct feed_extra){ .points = post->points,
		.has_points = shows_points(feed, post) };
}

static void
add_action(struct feed *feed, const struct mod_action *action, bool is_named)
{
	struct arena *arena = feed->page->arena;
	const struct mod_log_rights rights = { .names = is_named };
	struct mod_log_row row =
	    mod_log_row_of(arena, action, action->at, rights);
	struct feed_entry *entry = add_entry(feed,
	    text_format(arena, "/log/%llu", (unsigned long long)action->id),
	    action->at, 0);

	feed->extras[feed->count - 1] = (struct feed_extra){ .points = 0 };
	entry->title = mod_log_title(arena, &row);
	/* It has no page of its own. */
	entry->href = text_join(arena, feed->model.site, TEXT("/log"));
	if (row.is_on_article || row.is_on_vote)
		entry->href = text_join(arena, feed->model.site, row.path);
	if (row.by.size > 0)
		add_author(feed, entry, row.by);
	else
		entry->author = mod_log_actor(&row);
	entry->content = render_part(feed, &mod_log_entry_view, &row);
}

/* What the reader would see of it, but for votes. */
static struct text
digest_of(const struct feed *feed)
{
	struct arena *arena = feed->page->arena;
	struct buffer bytes = buffer_in(arena, DIGEST_ROOM);

	for (size_t i = 0; i < feed->count; i++) {
		const struct feed_entry *entry = &feed->entries[i];
		const struct text texts[] = { entry->id, entry->title,
			entry->href, entry->published, entry->updated,
			entry->author, entry->content };
		const struct text *names = entry->groups.items;

		for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++) {
			buffer_add_number(&bytes, (int64_t)texts[t].size);
			buffer_add_char(&bytes, ' ');
			buffer_add(&bytes, texts[t]);
		}
		for (size_t g = 0; g < entry->groups.count; g++) {
			buffer_add(&bytes, names[g]);
			buffer_add_char(&bytes, ' ');
		}
		buffer_add_number(&bytes, entry->replies);
		buffer_add_char(&bytes, '\n');
	}
	return crypto_digest_hex(
	    arena, (struct text){ NULL, 0 }, buffer_text(&bytes));
}

static void
render_feed(struct feed *feed)
{
	struct page *page = feed->page;
	struct response *response = page->response;

	describe_feed(feed);
	response->is_unrendered = page_is_head(page);
	if (response->is_unrendered)
		return;
	if (page->format == FORMAT_JSON)
		response->body =
		    feed_json(page->arena, &feed->model, feed->extras,
			page->settings->tagline, language_current()->tag);
	else
		page_show_xml(page, &feed_view, &feed->model);
}

/* Answers with the feed, all entries of which were added. What is missing while a master is
 * away is not cached. */
static enum http_status
feed_end(struct feed *feed, bool is_partial)
{
	struct page *page = feed->page;
	struct text digest;

	if (feed->updated > feed->modified)
		feed->modified = feed->updated;
	feed->model.updated = format_iso(page->arena, feed->updated);
	feed->model.entries =
	    (struct mustache_list){ feed->entries, feed->count };
	if (is_partial) {
		render_feed(feed);
		return HTTP_OK;
	}
	digest = digest_of(feed);
	if (!page_is_head(page) && etag_match_feed(page, &feed->etag, digest))
		return HTTP_NOT_MODIFIED;
	render_feed(feed);
	cache_feed(feed, digest);
	return send_feed(feed);
}

enum http_status
feed_show_articles(struct page *page, const struct feed_page *of,
    const struct list_query *query)
{
	struct feed feed;
	struct newest_articles newest;
	struct list_query newest_first = *query;
	enum http_status status;
	enum store_result result;

	if (!feed_begin(&feed, page, of,
		of->is_private ? ETAG_OF_CONTENT : ETAG_OF_POSTS, &status))
		return status;
	newest_first.order = ORDER_NEW;
	newest_first.versions = page->versions;
	newest_first.cache = page->app->read_cache;
	newest_first.expensive = page->app->expensive;
	result = newest_articles_read(page->store, page->arena, &newest_first,
	    (struct newest_least){ feed.least, points_known_until(&feed) },
	    &newest);
	if (result != STORE_OK)
		return page_list_failed(page, result);
	make_room(&feed, newest.count);
	feed.modified = newest.entered;
	for (size_t i = 0; i < newest.count; i++)
		if (!hidden_article(query->hidden, &newest.articles[i]))
			add_article(&feed, &newest.articles[i]);
	return feed_end(&feed, newest.is_partial);
}

static bool
has_least(const struct feed *feed, const struct post *post)
{
	return feed->least == NEWEST_ANY_POINTS ||
	    (post->points >= feed->least &&
		post->posted <= points_known_until(feed));
}

enum http_status
feed_show_comments(struct page *page, const struct feed_page *of,
    feed_read_comments *read, const void *query)
{
	struct feed feed;
	struct comments_page comments;
	enum etag_source source =
	    of->is_private ? ETAG_OF_CONTENT : ETAG_OF_POSTS;
	enum http_status status;
	enum store_result result;

	if (!feed_begin(&feed, page, of, source, &status))
		return status;
	result = read(page, query, &comments);
	if (result != STORE_OK)
		return page_list_failed(page, result);
	make_room(&feed, comments.count);
	for (size_t i = 0; i < comments.count; i++)
		if (has_least(&feed, &comments.rows[i].comment.post))
			add_comment(&feed, &comments.rows[i]);
	return feed_end(&feed, comments.is_partial);
}

enum http_status
feed_show_log(struct page *page, const struct feed_page *of,
    const struct mod_log_query *query, bool is_named)
{
	struct feed feed;
	struct mod_log_page log;
	enum http_status status;
	enum store_result result;

	if (!feed_begin(&feed, page, of, ETAG_OF_CONTENT, &status))
		return status;
	result = mod_log_read(page->store, page->arena, query, &log);
	if (result != STORE_OK)
		return page_list_failed(page, result);
	make_room(&feed, log.count);
	for (size_t i = 0; i < log.count; i++)
		add_action(&feed, &log.actions[i], is_named);
	return feed_end(&feed, log.is_partial);
}

static void
add_notice(struct feed *feed, const struct feed_notice *notice)
{
	struct page *page = feed->page;
	const struct feed_article_model model = {
		.paragraphs = format_paragraphs(page->arena, notice->text)
	};
	struct feed_entry *entry;

	if (notice->comment != NULL) {
		add_comment(feed, notice->comment);
		return;
	}
	feed->extras[feed->count] = (struct feed_extra){ .points = 0 };
	entry = add_entry(feed, notice->path, notice->at, 0);
	entry->id = text_format(page->arena, "%.*s/inbox/%llu/%llu",
	    TEXT_ARGS(feed->tag), (unsigned long long)page->viewer.id,
	    (unsigned long long)notice->number);
	entry->title = notice->title;
	entry->author = page->settings->name;
	if (notice->author.size > 0)
		add_author(feed, entry, notice->author);
	entry->content = render_part(feed, &feed_article_view, &model);
}

enum http_status
feed_show_inbox(struct page *page, feed_read_notices *read)
{
	const struct feed_page inbox = { .path = TEXT("/inbox"),
		.heading = message_text(MESSAGE_INBOX),
		.is_private = true };
	struct feed_notices notices = { .count = 0 };
	struct feed feed;
	enum http_status status;
	enum store_result result;

	if (!feed_begin(&feed, page, &inbox, ETAG_OF_CONTENT, &status))
		return status;
	result = read(page, &notices);
	if (result != STORE_OK)
		return page_list_failed(page, result);
	make_room(&feed, notices.count);
	for (size_t i = 0; i < notices.count; i++)
		add_notice(&feed, &notices.items[i]);
	return feed_end(&feed, notices.is_partial);
}

/* Adds an article, or a comment on it, if that has an id. */
static struct feed_entry *
add_post(struct feed *feed, const struct article *article,
    const struct comment *comment)
{
	struct feed_entry *entry = &feed->entries[feed->count];
	const struct comments_row row = { .comment = *comment,
		.article = *article };

	if (comment->post.id.comment != 0)
		add_comment(feed, &row);
	else
		add_article(feed, article);
	return entry;
}

/* A post that waits for moderators, as of when it began to. */
static void
add_queued(struct feed *feed, const struct mod_queue_item *item)
{
	struct arena *arena = feed->page->arena;
	bool is_comment = item->comment.post.id.comment != 0;
	struct feed_entry *entry =
	    add_post(feed, &item->article, &item->comment);

	entry->href = text_join(arena, feed->model.site,
	    format_post_path(arena,
		is_comment ? item->comment.post.id : item->article.post.id));
	entry->related = TEXT("");
	entry->id = text_format(arena, "%.*s/queue/%lld", TEXT_ARGS(entry->id),
	    (long long)item->since);
	entry->published = entry->updated = format_iso(arena, item->since);
	if (item->since > feed->updated)
		feed->updated = item->since;
	if (item->flag_count > 0)
		entry->title = message_flagged(
		    arena, message_flag(item->flags[0].flag), entry->title);
}

/* An application for registration, which is decided on in the queue. */
static void
add_application(struct feed *feed, const struct application *application)
{
	struct arena *arena = feed->page->arena;
	const struct feed_article_model model = {
		.paragraphs = format_paragraphs(arena, application->answer)
	};
	struct feed_entry *entry;

	feed->extras[feed->count] = (struct feed_extra){ .points = 0 };
	entry = add_entry(feed, TEXT("/moderation"), application->applied, 0);
	entry->id = text_format(arena, "%.*s/application/%.*s/%lld",
	    TEXT_ARGS(feed->tag), TEXT_ARGS(application->name),
	    (long long)application->applied);
	entry->title = message_application(arena, application->name);
	entry->author = application->name;
	entry->content = render_part(feed, &feed_article_view, &model);
}

enum http_status
feed_show_queue(struct page *page)
{
	const struct feed_page of = { .path = TEXT("/moderation"),
		.heading = message_text(MESSAGE_QUEUE),
		.is_private = true };
	struct feed feed;
	struct mod_queue_page queue;
	struct application *applications;
	size_t application_count;
	enum http_status status;
	enum store_result result;

	if (!feed_begin(&feed, page, &of, ETAG_OF_CONTENT, &status))
		return status;
	result = mod_queue_read(
	    page->store, page->arena, 1, page->app->expensive, &queue);
	if (result == STORE_OK)
		result = application_list(page->store, page->arena,
		    &applications, &application_count, &queue.is_partial);
	if (result != STORE_OK)
		return page_list_failed(page, result);
	make_room(&feed, queue.count + application_count);
	for (size_t i = 0; i < queue.count; i++)
		add_queued(&feed, &queue.items[i]);
	for (size_t i = 0; i < application_count; i++)
		if (applications[i].declined == 0)
			add_application(&feed, &applications[i]);
	return feed_end(&feed, queue.is_partial);
}

enum http_status
feed_show_hits(struct page *page, const struct feed_page *of,
    const struct hit *hits, size_t count, bool is_partial)
{
	struct feed feed;
	enum http_status status;

	if (!feed_begin(&feed, page, of, ETAG_OF_CONTENT, &status))
		return status;
	make_room(&feed, count);
	for (size_t i = 0; i < count; i++)
		add_post(&feed, &hits[i].article, &hits[i].comment);
	return feed_end(&feed, is_partial);
}
