#include "lists/mod_log.h"
#include "pages/feed.h"
#include "pages/visitors.h"
#include "store/mod_decision.h"
#include "store/user.h"
#include "views/messages.h"
#include "views/mod_log.h"

/* The id of the member with a name; 0 for an empty name. STORE_ABSENT when there is no
 * such member. */
static enum store_result
find_member(struct page *page, struct text name, uint64_t *id)
{
	struct user user;
	enum store_result result;

	*id = 0;
	if (name.size == 0)
		return STORE_OK;
	result = user_find(page->store, page->arena, name, &user);
	if (result == STORE_OK)
		*id = user.id;
	return result;
}

/* Reads a page of the log; STORE_ABSENT, with the name, when the query names a member
 * who does not exist. */
static enum store_result
read_log(struct page *page, const struct mod_log_filter *filter,
    struct mod_log_query *asked, struct mod_log_page *log, struct text *unknown)
{
	enum store_result result;

	*unknown = filter->member;
	result = find_member(page, *unknown, &asked->member);
	if (result == STORE_OK) {
		*unknown = filter->moderator;
		result = find_member(page, *unknown, &asked->moderator);
	}
	if (result != STORE_OK)
		return result;
	*unknown = TEXT("");
	result = mod_log_read(page->store, page->arena, asked, log);
	page->is_partial = log->is_partial;
	return result;
}

static enum http_status
show_feed(struct page *page)
{
	const struct feed_page feed = { .path = TEXT("/log"),
		.heading = message_text(MESSAGE_MODERATION_LOG) };
	const struct mod_log_query newest = {
		.page = 1, .is_feed = true, .expensive = page->app->expensive
	};

	return feed_show_log(
	    page, &feed, &newest, settings_names_moderators(page->settings));
}

enum http_status
mod_log_page(struct page *page)
{
	const struct pairs *query = &page->request->query;
	struct mod_log_query asked = { .kind = pairs_get(query, TEXT("kind")),
		.page = page->number,
		.expensive = page->app->expensive };
	const struct mod_log_filter filter = { .kind = asked.kind,
		.member = text_trim(pairs_get(query, TEXT("member"))),
		.moderator = text_trim(pairs_get(query, TEXT("moderator"))) };
	/* Moderators' names are for moderators, unless the owners publish them. */
	bool is_named = page_is_moderator(page) ||
	    settings_names_moderators(page->settings);
	struct mod_log_page log = { .count = 0 };
	enum http_status status = HTTP_OK;
	enum store_result result;
	struct mod_log_model model;
	struct text unknown;
	enum mod_action_kind kind;
	bool is_cut_off;

	if (page_is_feed(page))
		return show_feed(page);
	page->feed = TEXT("/log");
	if (asked.kind.size > 0 && !mod_action_parse(asked.kind, &kind))
		return HTTP_BAD_REQUEST;
	if (filter.moderator.size > 0 && !is_named)
		return HTTP_FORBIDDEN;
	if (asked.kind.size + filter.member.size + filter.moderator.size > 0)
		status = visitors_admit(page);
	if (status != HTTP_OK)
		return status;
	if (asked.page > mod_log_pages(page->store))
		return page_past_end(page,
		    mod_log_address(page->arena, &filter),
		    mod_log_pages(page->store));
	result = read_log(page, &filter, &asked, &log, &unknown);
	if (result != STORE_OK && result != STORE_ABSENT)
		return page_list_failed(page, result);
	if (result == STORE_OK && log.count == 0 && asked.page > 1 &&
	    !log.is_partial)
		return page_redirect(
		    page, mod_log_address(page->arena, &filter));
	if (!page_is_signed_in(page) && result == STORE_OK && !log.is_partial)
		page->response->cache = CACHE_ONE_SECOND;
	is_cut_off = log.more && asked.page == mod_log_pages(page->store);
	log.more = log.more && !is_cut_off;
	model = mod_log_model_of(page->arena, &log, &filter, asked.page,
	    (struct mod_log_rights){ is_named, page_is_moderator(page) });
	model.unknown = unknown;
	model.cut_off = is_cut_off;
	return page_show(page, result == STORE_OK ? HTTP_OK : HTTP_NOT_FOUND,
	    &mod_log_view, &model);
}

/* Reads the entry of a decision. */
static enum store_result
read_decision(struct page *page, uint64_t id, struct mod_action *decision)
{
	struct mod_log_page log = { .count = 0 };
	enum store_result result =
	    mod_log_get(page->store, page->arena, &id, 1, &log);

	page->is_partial = log.is_partial;
	if (result == STORE_OK && log.count == 0 && log.is_partial)
		return STORE_DOWN;
	if (result == STORE_OK &&
	    (log.count == 0 || !mod_decision_is(&log.actions[0])))
		result = STORE_ABSENT;
	if (result == STORE_OK)
		*decision = log.actions[0];
	return result;
}

/* What a decision on several posts or members was about. */
enum http_status
mod_log_decision_page(struct page *page)
{
	struct mod_log_query parts = { .page = page->number,
		.expensive = page->app->expensive };
	struct mod_log_decision_model model;
	struct mod_log_page log;
	struct mod_action decision;
	enum store_result result;

	if (!pairs_get_id(
		&page->request->path_values, TEXT("id"), &parts.decision))
		return HTTP_NOT_FOUND;
	if (parts.page > mod_log_pages(page->store))
		return page_past_end(page,
		    mod_log_decision_path(page->arena, parts.decision),
		    mod_log_pages(page->store));
	result = read_decision(page, parts.decision, &decision);
	if (result != STORE_OK)
		return page_failed(page, result);
	result = mod_log_read(page->store, page->arena, &parts, &log);
	if (result != STORE_OK)
		return page_list_failed(page, result);
	page->is_partial = page->is_partial || log.is_partial;
	model =
	    mod_log_decision_model_of(page->arena, &decision, &log, parts.page);
	return page_show(page, HTTP_OK, &mod_log_decision_view, &model);
}
