#include "views/feed.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/utf8.h"

enum { JSON_ROOM = 32 * 1024 };

/* Members without a value are left out. */
static void
put_text(struct arena *arena, struct json_t *object, const char *name,
    struct text text)
{
	if (text.size > 0)
		json_put_text(object, name, utf8_for_xml(arena, text));
}

static struct json_t *
authors_of(struct arena *arena, const struct feed_entry *entry)
{
	struct json_t *authors = json_new_array(), *author = json_new_object();

	put_text(arena, author, "name", entry->author);
	put_text(arena, author, "url", entry->author_href);
	json_append(authors, author);
	return authors;
}

static struct json_t *
tags_of(struct arena *arena, const struct feed_entry *entry)
{
	const struct text *names = entry->groups.items;
	struct json_t *tags = json_new_array();

	for (size_t i = 0; i < entry->groups.count; i++)
		json_append_text(tags, utf8_for_xml(arena, names[i]));
	return tags;
}

/* What JSON Feed has no member for: votes and comments. */
static struct json_t *
extension_of(struct arena *arena, const struct feed_entry *entry,
    const struct feed_extra *extra)
{
	struct json_t *tally = json_new_object();

	json_put_number(tally, "points", extra->points);
	if (entry->replies_href.size > 0) {
		json_put_number(tally, "comments", entry->replies);
		put_text(arena, tally, "comments_url", entry->replies_href);
	}
	put_text(arena, tally, "in_reply_to", entry->parent_id);
	return tally;
}

static struct json_t *
item_of(struct arena *arena, const struct feed_entry *entry,
    const struct feed_extra *extra)
{
	struct json_t *item = json_new_object();

	put_text(arena, item, "id", entry->id);
	put_text(arena, item, "url", entry->href);
	put_text(arena, item, "external_url", extra->external);
	put_text(arena, item, "title", entry->title);
	json_put_text(
	    item, "content_html", utf8_for_xml(arena, entry->content));
	put_text(arena, item, "date_published", entry->published);
	put_text(arena, item, "date_modified", entry->updated);
	json_put(item, "authors", authors_of(arena, entry));
	if (entry->groups.count > 0)
		json_put(item, "tags", tags_of(arena, entry));
	if (extra->has_points)
		json_put(item, "_tally", extension_of(arena, entry, extra));
	return item;
}

struct text
feed_json(struct arena *arena, const struct feed_model *model,
    const struct feed_extra *extras, struct text tagline, struct text lang)
{
	const struct feed_entry *entries = model->entries.items;
	struct json_t *feed = json_new_object(), *items = json_new_array();
	struct buffer bytes = buffer_in(arena, JSON_ROOM);

	json_put_text(
	    feed, "version", TEXT("https://jsonfeed.org/version/1.1"));
	put_text(arena, feed, "title", model->title);
	put_text(arena, feed, "home_page_url",
	    text_join(arena, model->site, model->page));
	put_text(arena, feed, "feed_url",
	    text_format(arena, "%.*s%.*s.json%.*s", TEXT_ARGS(model->site),
		TEXT_ARGS(model->path), TEXT_ARGS(model->query)));
	put_text(arena, feed, "description", tagline);
	put_text(arena, feed, "language", lang);
	for (size_t i = 0; i < model->entries.count; i++)
		json_append(items, item_of(arena, &entries[i], &extras[i]));
	json_put(feed, "items", items);
	return json_write(feed, &bytes) ? buffer_text(&bytes) : TEXT("");
}

struct text
feed_absolute(struct arena *arena, struct text html, struct text site)
{
	/* A quotation mark of a text is escaped, so this is an attribute. */
	const struct text mark = TEXT("href=\"/");
	struct buffer whole = buffer_in(arena, html.size + 256);
	size_t from = 0, at;

	while ((at = text_find(html, from, mark)) != SIZE_MAX) {
		size_t end = at + mark.size - 1;

		buffer_add(&whole, text_slice(html, from, end - from));
		buffer_add(&whole, site);
		from = end;
	}
	buffer_add(&whole, text_slice(html, from, html.size));
	return buffer_text(&whole);
}
