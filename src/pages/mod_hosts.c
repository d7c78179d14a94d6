/*
 * Blocking sites, and removing their articles: so many in a request, after which the form is there
 * again with how many are left. What the moderator may not remove is passed, and named at the end.
 */
#include "views/mod_hosts.h"
#include "base/arena.h"
#include "base/text.h"
#include "base/url.h"
#include "lists/hits.h"
#include "markup/hosts.h"
#include "pages/form.h"
#include "pages/mod_form.h"
#include "store/mod_decision.h"
#include "store/publisher.h"
#include "store/publisher_articles.h"
#include "views/format.h"

enum {
	REMOVED_AT_ONCE = 100,
	READS_MAX = 10 /* of articles from the publisher's other hosts */
};

static const struct form_row rows[] = { MOD_HOSTS_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

/* Articles with links that are refused while a host is blocked. */
struct found {
	struct publisher_article *articles;
	size_t count;
	bool more; /* others may follow the last that was read */
	struct publisher_cursor read; /* up to this one */
};

static enum store_result
read_articles(const struct page *page, struct text host,
    const struct publisher_cursor *cursor, struct found *found)
{
	const struct hosts *hosts = hosts_new(page->arena, host);
	struct publisher_article *all;
	struct text publisher, blocked;
	enum store_result result;
	size_t count;

	*found = (struct found){ .read = *cursor };
	if (!publisher_parse(page->arena, host, TEXT(""),
		page->settings->shared_hosts, &publisher))
		return STORE_OK;
	result = publisher_articles_read(page->store, page->arena, publisher,
	    cursor, &all, &count, &found->more);
	if (result != STORE_OK || count == 0)
		return result;
	found->read = (struct publisher_cursor){ all[count - 1].posted,
		all[count - 1].id.article };
	found->articles = all;
	for (size_t i = 0; i < count; i++)
		if (all[i].link.size > 0 &&
		    hosts_contain(page->arena, hosts, all[i].link, &blocked))
			all[found->count++] = all[i];
	return STORE_OK;
}

/* The next open articles behind the cursor. Those of its publisher's other hosts are passed. */
static enum store_result
find_articles(const struct page *page, struct text host,
    struct publisher_cursor cursor, struct found *found)
{
	enum store_result result;
	int reads = 0;

	do {
		result = read_articles(page, host, &cursor, found);
		cursor = found->read;
	} while (result == STORE_OK && found->count == 0 && found->more &&
	    ++reads < READS_MAX);
	return result;
}

/* Where the moderator is, as the form names it: at the article that was posted then,
 * "1700000000.7". */
static struct publisher_cursor
sent_cursor(const struct page *page)
{
	struct text rest = pairs_get(page_sent(page), TEXT("before")), posted;
	struct publisher_cursor cursor = { .posted = 0 };

	if (!text_cut(&rest, '.', &posted) ||
	    !text_to_i64(posted, &cursor.posted) ||
	    !pairs_parse_id(rest, &cursor.article) || cursor.posted < 0)
		cursor = (struct publisher_cursor){ .posted = 0 };
	return cursor;
}

static struct text
write_cursor(struct arena *arena, const struct publisher_cursor *cursor)
{
	return text_format(arena, "%lld.%llu", (long long)cursor->posted,
	    (unsigned long long)cursor->article);
}

/* The articles up to the cursor that are still open: what the viewer may not moderate. */
static enum store_result
find_passed(const struct page *page, struct text host,
    const struct publisher_cursor *cursor, struct found *found)
{
	static const struct publisher_cursor start = { .posted = 0 };
	enum store_result result;

	*found = (struct found){ .count = 0 };
	if (cursor->posted == 0)
		return STORE_OK;
	result = read_articles(page, host, &start, found);
	while (found->count > 0 &&
	    !publisher_cursor_has_passed(
		cursor, &found->articles[found->count - 1]))
		found->count--;
	return result;
}

static enum store_result
read_hits(struct page *page, const struct found *found, size_t count,
    struct hit **hits)
{
	struct post_id *ids = arena_new(page->arena, struct post_id, count);

	for (size_t i = 0; i < count; i++)
		ids[i] = found->articles[i].id;
	*hits = arena_new(page->arena, struct hit, count);
	return hits_read_each(page->store, page->arena, ids, count, 0,
	    page_vote_score(page), *hits, &page->is_partial);
}

static enum store_result
name_passed(struct page *page, struct text host,
    const struct publisher_cursor *cursor, struct mod_hosts_model *model)
{
	struct found found;
	struct mod_hosts_row *passed;
	struct hit *hits;
	size_t count, shown = 0;
	enum store_result result = find_passed(page, host, cursor, &found);

	if (result != STORE_OK || found.count == 0)
		return result;
	count = found.count < REMOVED_AT_ONCE ? found.count : REMOVED_AT_ONCE;
	result = read_hits(page, &found, count, &hits);
	if (result != STORE_OK)
		return result;
	passed = arena_new(page->arena, struct mod_hosts_row, count);
	for (size_t i = 0; i < count; i++)
		if (hits[i].state == HIT_SHOWN)
			passed[shown++] = (struct mod_hosts_row){
				.path = format_post_path(
				    page->arena, hits[i].article.post.id),
				.title = hits[i].article.title
			};
	model->passed = (struct mustache_list){ passed, shown };
	model->has_passed = shown > 0;
	return STORE_OK;
}

/* Says how many articles there are from the host that was sent, if it is one. */
static enum store_result
add_articles(struct page *page, const struct mod_hosts_form *inputs,
    struct mod_hosts_model *model)
{
	struct publisher_cursor cursor = sent_cursor(page);
	struct text host = inputs->host.value;
	struct found found;
	enum store_result result;

	if (host.size == 0 ||
	    rule_host(page->arena, &host).kind != PROBLEM_NONE)
		return STORE_OK;
	result = find_articles(page, host, cursor, &found);
	if (result == STORE_OK && found.count > 0)
		model->articles = message_count(
		    page->arena, MESSAGE_ARTICLES, (int64_t)found.count);
	if (cursor.posted != 0)
		model->before = write_cursor(page->arena, &cursor);
	return result == STORE_OK ? name_passed(page, host, &cursor, model)
				  : result;
}

static bool
removes_articles(const struct page *page)
{
	return pairs_has(page_sent(page), TEXT("articles"));
}

static enum http_status
show_hosts(
    struct page *page, enum http_status status, struct mod_hosts_form *inputs)
{
	struct mod_hosts_model model;
	struct settings settings;

	if (settings_get(page->store, page->arena, &settings) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	model = mod_hosts_model_of(page->arena, settings.hosts);
	if (add_articles(page, inputs, &model) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	model.removes = removes_articles(page);
	model.form = form_model_of(page, &form, inputs, status);
	model.inputs = *inputs;
	return page_show(page, status, &mod_hosts_view, &model);
}

enum http_status
mod_hosts_form(struct page *page, enum http_status status)
{
	struct mod_hosts_form inputs;

	if (status != HTTP_OK && !page_is_moderator(page))
		return status;
	form_fill(&form, page_sent(page), &inputs);
	return show_hosts(page, status, &inputs);
}

/* Removes an article, unless the viewer may not moderate it. */
static enum store_result
remove_article(
    struct page *page, const struct post *post, struct mod_decision *decision)
{
	struct mod_action action =
	    mod_form_action(page, decision->entry.reason);
	enum store_result result;
	bool alone;

	if (mod_form_check_post(page, post, 0, &alone) != HTTP_OK) {
		page->reason = REASON_DEFAULT;
		return STORE_OK;
	}
	action.what = mod_action_words[MOD_REMOVED];
	action.article = post->id.article;
	action.member = post->author;
	if (alone)
		action.subject = MOD_ACTION_ALONE;
	result = mod_decision_add(page->store, page->arena, decision, &action);
	if (result == STORE_OK)
		result =
		    post_remove(page->store, page->arena, post->id, &action);
	if (result == STORE_OK)
		result = mod_decision_count(
		    page->store, page->arena, decision, &action);
	return result == STORE_ABSENT ? STORE_OK : result;
}

/* Removes the next articles, and moves the cursor to the last of them. */
static enum store_result
remove_articles(struct page *page, struct text host, struct text reason,
    struct publisher_cursor *cursor)
{
	struct mod_decision decision = { .entry =
					     mod_form_action(page, reason) };
	struct found found;
	struct hit *hits;
	size_t count;
	enum store_result result = find_articles(page, host, *cursor, &found);

	if (result != STORE_OK)
		return result;
	decision.entry.what = mod_action_words[MOD_REMOVED];
	decision.entry.subject = host;
	count = found.count < REMOVED_AT_ONCE ? found.count : REMOVED_AT_ONCE;
	*cursor = count < found.count
	    ? (struct publisher_cursor){ found.articles[count - 1].posted,
		      found.articles[count - 1].id.article }
	    : found.read;
	if (count > 0)
		result = read_hits(page, &found, count, &hits);
	for (size_t i = 0; result == STORE_OK && i < count; i++)
		if (hits[i].state == HIT_SHOWN)
			result =
			    remove_article(page, hit_post(&hits[i]), &decision);
	return result;
}

/* While there are more, the form is shown again as it was sent; and at the end with what stays. */
static enum http_status
leave_articles(struct page *page, const struct mod_hosts_form *inputs)
{
	struct text host = inputs->host.value;
	struct publisher_cursor cursor = sent_cursor(page);
	struct found passed, next = { .count = 0 };
	struct text address;
	enum store_result result =
	    remove_articles(page, host, inputs->reason.value, &cursor);

	if (result == STORE_OK)
		result = find_articles(page, host, cursor, &next);
	if (result == STORE_OK)
		result = find_passed(page, host, &cursor, &passed);
	if (result != STORE_OK)
		return page_failed(page, result);
	if (next.count == 0 && !next.more && passed.count == 0)
		return page_redirect(page, TEXT("/moderation/hosts"));
	address =
	    text_format(page->arena, "/moderation/hosts?host=%.*s&before=%.*s",
		TEXT_ARGS(url_encode(page->arena, host)),
		TEXT_ARGS(write_cursor(page->arena, &cursor)));
	if (next.count > 0 || next.more)
		address = text_format(page->arena,
		    "%.*s&articles=remove&reason=%.*s", TEXT_ARGS(address),
		    TEXT_ARGS(url_encode(page->arena, inputs->reason.value)));
	return page_redirect(page, address);
}

/* "take" names a host to unblock; otherwise the form's host is blocked. */
enum http_status
mod_hosts_action(struct page *page)
{
	struct text taken = pairs_get(page_sent(page), TEXT("take"));
	enum host_status wanted = taken.size > 0 ? HOST_ALLOWED : HOST_BLOCKED;
	struct mod_hosts_form inputs;
	enum store_result result;
	struct mod_action action;

	form_fill(&form, page_sent(page), &inputs);
	if (taken.size > 0)
		inputs.host.value = taken;
	if (!form_check(&form, page->arena, &inputs))
		return show_hosts(page, HTTP_UNPROCESSABLE, &inputs);
	action = mod_form_action(page, inputs.reason.value);
	action.what =
	    mod_action_words[wanted == HOST_BLOCKED ? MOD_HOST_BLOCKED
						    : MOD_HOST_ALLOWED];
	action.subject = inputs.host.value;
	result = settings_set_host(
	    page->store, page->arena, inputs.host.value, wanted, &action);
	if (result == STORE_FULL) {
		form_mark(page->arena, &inputs.host, PROBLEM_HOSTS_FULL);
		return show_hosts(page, HTTP_UNPROCESSABLE, &inputs);
	}
	if (result != STORE_OK)
		return page_failed(page, result);
	return wanted == HOST_BLOCKED && removes_articles(page)
	    ? leave_articles(page, &inputs)
	    : page_redirect(page, TEXT("/moderation/hosts"));
}
