/*
 * Blocking sites, and removing their articles: so many in a request, after which the form is there
 * again with how many are left.
 */
#include "views/mod_hosts.h"
#include "base/arena.h"
#include "base/text.h"
#include "base/url.h"
#include "lists/hits.h"
#include "markup/hosts.h"
#include "pages/form.h"
#include "pages/mod_form.h"
#include "store/publisher.h"
#include "store/publisher_articles.h"

enum { REMOVED_AT_ONCE = 100 };

static const struct form_row rows[] = { MOD_HOSTS_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

/* The open articles with links that are refused while host is blocked. */
static enum store_result
find_articles(const struct page *page, struct text host, struct post_id **ids,
    size_t *count)
{
	const struct hosts *hosts = hosts_new(page->arena, host);
	struct publisher_article *articles;
	struct text publisher, blocked;
	enum store_result result;
	size_t all;

	*count = 0;
	if (!publisher_parse(page->arena, host, TEXT(""),
		page->settings->shared_hosts, &publisher))
		return STORE_OK;
	result = publisher_articles_read(
	    page->store, page->arena, publisher, &articles, &all);
	if (result != STORE_OK || all == 0)
		return result;
	*ids = arena_new(page->arena, struct post_id, all);
	for (size_t i = 0; i < all; i++)
		if (articles[i].link.size > 0 &&
		    hosts_contain(
			page->arena, hosts, articles[i].link, &blocked))
			(*ids)[(*count)++] = articles[i].id;
	return STORE_OK;
}

/* Says how many articles there are from the host that was sent, if it is one. */
static enum store_result
count_articles(const struct page *page, const struct mod_hosts_form *inputs,
    struct mod_hosts_model *model)
{
	struct text host = inputs->host.value;
	struct post_id *ids;
	enum store_result result;
	size_t count;

	if (host.size == 0 ||
	    rule_host(page->arena, &host).kind != PROBLEM_NONE)
		return STORE_OK;
	result = find_articles(page, host, &ids, &count);
	if (result == STORE_OK && count > 0)
		model->articles = message_count(
		    page->arena, MESSAGE_ARTICLES, (int64_t)count);
	return result;
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
	if (count_articles(page, inputs, &model) != STORE_OK)
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
remove_article(struct page *page, const struct post *post, struct text reason)
{
	struct mod_action action = mod_form_action(page, reason);
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
	result = post_remove(page->store, page->arena, post->id, &action);
	return result == STORE_ABSENT ? STORE_OK : result;
}

static enum store_result
remove_articles(struct page *page, struct text host, struct text reason)
{
	struct post_id *ids;
	struct hit *hits;
	size_t count;
	enum store_result result = find_articles(page, host, &ids, &count);

	if (result != STORE_OK || count == 0)
		return result;
	if (count > REMOVED_AT_ONCE)
		count = REMOVED_AT_ONCE;
	hits = arena_new(page->arena, struct hit, count);
	result = hits_read_each(page->store, page->arena, ids, count, 0,
	    page_vote_score(page), hits, &page->is_partial);
	for (size_t i = 0; result == STORE_OK && i < count; i++)
		if (hits[i].state == HIT_SHOWN)
			result =
			    remove_article(page, hit_post(&hits[i]), reason);
	return result;
}

/* With what is left, the form is shown again as it was sent. */
static enum http_status
leave_articles(struct page *page, const struct mod_hosts_form *inputs)
{
	struct post_id *ids;
	size_t count;
	enum store_result result =
	    remove_articles(page, inputs->host.value, inputs->reason.value);

	if (result == STORE_OK)
		result = find_articles(page, inputs->host.value, &ids, &count);
	if (result != STORE_OK)
		return page_failed(page, result);
	return page_redirect(page,
	    count == 0
		? TEXT("/moderation/hosts")
		: text_format(page->arena,
		      "/moderation/hosts?articles=remove&host=%.*s&reason=%.*s",
		      TEXT_ARGS(url_encode(page->arena, inputs->host.value)),
		      TEXT_ARGS(
			  url_encode(page->arena, inputs->reason.value))));
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
