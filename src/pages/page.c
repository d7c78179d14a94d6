#include "pages/page.h"

#include "base/arena.h"
#include "base/crypto.h"
#include "base/url.h"
#include "base/utf8.h"
#include "lists/mod_queue.h"
#include "lists/saved_marks.h"
#include "store/application.h"
#include "store/article.h"
#include "store/limit.h"
#include "store/site.h"
#include "views/format.h"
#include "views/language.h"
#include "views/messages.h"
#include "views/search.h"

enum { MAX_PAGE_NUMBER = 999999999 };

bool
page_is_signed_in(const struct page *page)
{
	return page->viewer.id != 0;
}

bool
page_is_moderator(const struct page *page)
{
	return page_is_signed_in(page) && page->viewer.role >= ROLE_MODERATOR;
}

bool
page_has_unknown_sender(const struct page *page, enum http_status refusal)
{
	return !page_is_signed_in(page) &&
	    (refusal == HTTP_UNAUTHORIZED || refusal == HTTP_UNAVAILABLE);
}

/* Whether the viewer may use what groups' moderators may. */
static bool
may_moderate_groups(const struct page *page)
{
	return page_is_signed_in(page) &&
	    !settings_ask_for_factor(page->settings, &page->viewer);
}

bool
page_moderates(const struct page *page, const struct group *group)
{
	return page_is_moderator(page) ||
	    (may_moderate_groups(page) &&
		group_has_moderator(group, page->viewer.id));
}

STORE_CALL
page_moderated_groups(struct page *page, struct text names,
    struct text moderated[], size_t *count)
{
	struct group groups[RULE_GROUPS_MAX];
	size_t got = 0;

	*count = 0;
	if (names.size == 0 ||
	    (!page_is_moderator(page) && page->viewer.moderates == 0))
		return STORE_OK;
	if (group_get_current(page->store, page->arena, names, groups, &got) !=
	    STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < got; i++)
		if (groups[i].title.size > 0 &&
		    page_moderates(page, &groups[i]))
			moderated[(*count)++] = groups[i].name;
	return STORE_OK;
}

uint64_t
page_group_poster(const struct page *page)
{
	if (page_is_moderator(page))
		return GROUP_ANY_POSTER;
	return may_moderate_groups(page) ? page->viewer.id : 0;
}

bool
page_is_head(const struct page *page)
{
	return page->request->method == HTTP_HEAD;
}

bool
page_is_read(const struct page *page)
{
	return !page_is_head(page) && !page->request->is_prefetch;
}

bool
page_is_feed(const struct page *page)
{
	return page->format != FORMAT_HTML;
}

static struct reader
reader_of(const struct page *page)
{
	struct reader reader = { .id = page->viewer.id,
		.is_scoreless = page->viewer.scoreless != 0,
		.sees_all = page_is_moderator(page),
		.score_seconds = settings_score_seconds(
		    page->settings, &page->store->rules) };
	int64_t votes_from;

	if (!page_is_signed_in(page)) {
		reader.back = page_back(page);
		return reader;
	}
	votes_from = settings_voting_start(page->settings, &page->viewer);
	if (votes_from > page->now)
		reader.waits = votes_from == SETTINGS_VOUCHED
		    ? message_text(MESSAGE_VOTE_ONCE_VOUCHED)
		    : message_vote_from(
			  page->arena, format_moment(page->arena, votes_from));
	return reader;
}

int64_t
page_clock(const struct page *page)
{
	return page->versions != NULL ? page->versions->now : page->now;
}

int64_t
page_vote_score(const struct page *page)
{
	return page->versions != NULL ? page->versions->scale.vote_score
				      : page->store->rules.vote_score;
}

STORE_CALL
page_read_saved(struct page *page)
{
	struct saved_marks *marks;
	enum store_result result;

	if (!page_is_signed_in(page) || page_is_head(page) ||
	    page->reader.saved != NULL)
		return STORE_OK;
	marks = arena_new(page->arena, struct saved_marks, 1);
	result = saved_marks_read(page->store, page->arena,
	    page->app->read_cache, &page->viewer, marks);
	if (result == STORE_OK)
		page->reader.saved = marks;
	return result;
}

/* Before anything asks for the role. */
static void
apply_required_factor(struct page *page)
{
	page->lacks_factor = page_is_signed_in(page) &&
	    settings_lacks_factor(page->settings, &page->viewer);
	if (page->lacks_factor && page->viewer.role == ROLE_MODERATOR)
		page->viewer.role = ROLE_MEMBER;
}

/* Of posts and applications. */
static enum store_result
count_queue(struct page *page, int64_t *length)
{
	int64_t posts, applications;
	enum store_result result =
	    mod_queue_length(page->store, page->arena, &posts);

	if (result == STORE_OK)
		result = application_count_waiting(
		    page->store, page->arena, &applications);
	if (result == STORE_OK)
		*length = posts + applications;
	return result;
}

/* What a form changes shows the page after it. */
static void
load_queue_length(struct page *page)
{
	struct queue_length once = { .at = 0 };
	struct queue_length *queue =
	    page->app->queue != NULL ? page->app->queue : &once;
	uint64_t forms = queue->forms;

	if (page->request->method == HTTP_POST) {
		queue->at = 0;
		queue->forms++;
	} else if (queue->at != page->now &&
	    count_queue(page, &queue->length) == STORE_OK &&
	    queue->forms == forms) {
		queue->at = page->now;
	}
	page->queue_length = queue->length;
}

/* The member's, or the site's; feeds, which many are sent, have the site's. NULL is English. */
static const struct language *
language_of(struct page *page)
{
	const struct language *own =
	    page_is_feed(page) ? NULL : language_find(page->viewer.language);

	return own != NULL ? own : language_find(page->settings->language);
}

void
page_load(struct page *page)
{
	struct versions *versions;

	if (page->settings != NULL)
		return;
	if (page->versions == NULL) {
		versions = arena_new(page->arena, struct versions, 1);
		if (versions_get(page->store, page->arena, page->viewer.votes,
			versions) == STORE_OK)
			page->versions = versions;
	}
	page->settings_held = settings_acquire(
	    page->store, page->arena, page->app->settings, page->versions);
	page->settings = &page->settings_held->settings;
	language_use(language_of(page));
	apply_required_factor(page);
	page->reader = reader_of(page);
	if (page_is_moderator(page) && page->versions != NULL)
		load_queue_length(page);
}

STORE_CALL
page_hidden(struct page *page, const struct hidden_filter **filter)
{
	enum store_result result = STORE_OK;

	if (!page->knows_hidden)
		result = hidden_filter_read(page->store, page->arena,
		    page->app->read_cache, &page->viewer, page->now,
		    &page->hidden);
	page->knows_hidden = result == STORE_OK;
	*filter = page->hidden;
	return result;
}

void
page_release(struct page *page)
{
	if (page->counting != NULL)
		limit_wait(page->counting);
	if (page->settings_held != NULL)
		settings_release(page->settings_held);
}

const struct hosts *
page_blocked_hosts(struct page *page)
{
	struct text names = page->settings->hosts;

	if (page->blocked == NULL && names.size > 0)
		page->blocked = hosts_new(page->arena, names);
	return page->blocked;
}

struct markdown_html
page_markdown(
    struct page *page, struct text source, struct text names, size_t max)
{
	const struct markdown text = { source, names, max };
	struct cache *cache = page->app->html_cache;
	struct markdown_html html = { .is_cut = false };
	struct text key;

	if (page_is_head(page) || source.size == 0)
		return html;
	key = markdown_key(page->arena, &text, page->settings_held);
	if (markdown_get(page->arena, cache, key, &html))
		return html;
	html = markdown_render(page->arena, &text, page_blocked_hosts(page));
	markdown_put(page->arena, cache, key, &html);
	return html;
}

struct text
page_markdown_whole(struct page *page, struct text source, struct text names)
{
	return page_markdown(page, source, names, RULE_WHOLE_BYTES).text;
}

void
page_search_in(struct page *page, struct text name, struct text value)
{
	page->search_in = text_format(
	    page->arena, "%.*s:%.*s", TEXT_ARGS(name), TEXT_ARGS(value));
}

/* The canonical address of this page; back is the address of the request. */
static struct text
canonical_of(const struct page *page, struct text back)
{
	struct text path = page->canonical;

	if (path.size == 0 && !page_is_account_path(page->request->path))
		text_cut(&back, '?', &path);
	if (path.size == 0)
		path = page->request->path;
	return page->app->origin.size == 0
	    ? path
	    : text_join(page->arena, page->app->origin, path);
}

/* The address to come back to, for an error page without the query, which may be what is
 * wrong. */
static struct text
back_from(const struct page *page, enum http_status status)
{
	struct text back =
	    page->reader.back.size > 0 ? page->reader.back : page_back(page);
	struct text rest = back;

	if (status >= HTTP_BAD_REQUEST && page->request->method != HTTP_POST)
		text_cut(&rest, '?', &back);
	return back;
}

/* What the reader dismissed: a member's record says so, of a visitor the cookie, by which
 * nginx keeps the pages apart. */
static int64_t
dismissed_by(const struct page *page)
{
	uint64_t announced = 0;

	if (page_is_signed_in(page))
		return page->viewer.dismissed;
	(void)!text_to_u64(page->request->variant, &announced);
	return (int64_t)announced;
}

bool
page_announces(const struct page *page)
{
	return settings_announce(page->settings, dismissed_by(page));
}

static void
add_site_texts(struct page *page, struct layout *layout)
{
	const struct settings *settings = page->settings;

	layout->slogan = settings->slogan;
	layout->has_rules = settings->rules.size > 0;
	layout->has_interesting =
	    page->versions == NULL || versions_have_interesting(page->versions);
	layout->foot_links =
	    format_foot_links(page->arena, settings->foot_links);
	if (!page_announces(page))
		return;
	layout->announcement.text =
	    page_markdown_whole(page, settings->announcement, TEXT(""));
	layout->announced = settings->announced;
}

/* The logo is as high as the bar, and no wider than the pages of a telephone. */
static void
add_images(const struct page *page, struct layout *layout)
{
	enum { HEIGHT = 28, WIDTH_MAX = 240 };
	const struct image *logo = &page->settings_held->images[IMAGE_LOGO];

	layout->site_icon = page->settings_held->images[IMAGE_ICON].version;
	layout->site_logo = logo->version;
	if (logo->version.size == 0)
		return;
	layout->logo_height = HEIGHT;
	layout->logo_width = (int64_t)logo->width * HEIGHT / logo->height;
	if (layout->logo_width > WIDTH_MAX) {
		layout->logo_width = WIDTH_MAX;
		layout->logo_height =
		    (int64_t)logo->height * WIDTH_MAX / logo->width;
	}
}

/* The session's token under the mask that all forms of the page have. */
static struct text
session_form_token(const struct page *page)
{
	struct text *token = &page->response->token;

	if (token->size == 0)
		*token = crypto_mask_digest(page->arena, page->token);
	return *token;
}

struct text
page_form_token(const struct page *page)
{
	return page->form_token.size > 0
	    ? crypto_mask_digest(page->arena, page->form_token)
	    : session_form_token(page);
}

static struct text
render(struct page *page, enum http_status status, const struct view *view,
    const void *model)
{
	const struct settings *settings = page->settings;
	struct text back = back_from(page, status);
	bool is_owner = page->viewer.role == ROLE_OWNER;
	bool lacks_factor = page->lacks_factor && page_is_signed_in(page);
	struct layout layout = { .lang = language_current()->tag,
		.dir = language_current()->dir,
		.site_name = settings->name,
		.tagline = settings->tagline,
		.origin = page->app->origin,
		.search_in = page->search_in,
		.search_href = page->search_in.size == 0
		    ? TEXT("/search")
		    : search_address(page->arena, page->search_in),
		.is_search = page->is_search,
		.is_indexed = status == HTTP_OK && !page->is_search &&
		    page->request->method != HTTP_POST,
		.style = text_join(page->arena, TEXT("/base.css?v="),
		    page->app->base_style_version),
		.csrf = session_form_token(page),
		.here = back,
		.is_error = status == HTTP_UNPROCESSABLE,
		.has_account = true,
		.signed_in = page_is_signed_in(page),
		.is_moderator = page_is_moderator(page),
		.has_registered = page->has_registered,
		.needs_factor = lacks_factor && !is_owner,
		.advises_factor = lacks_factor && is_owner,
		.is_partial = page->is_partial,
		.viewer = page->viewer.name };

	if (user_unread(&page->viewer) > 0)
		layout.unread =
		    text_number(page->arena, user_unread(&page->viewer));
	if (page->queue_length > 0)
		layout.queue = message_number(page->arena, page->queue_length);
	/* For the links to log in alone. */
	layout.may_register =
	    !layout.signed_in && !settings_registration_is_closed(settings);
	if (!layout.signed_in)
		layout.here_encoded = url_encode(page->arena, back);
	if (layout.is_indexed)
		layout.canonical = canonical_of(page, back);
	if (!page->is_unstyled)
		layout.site_style = page->settings_held->style_version;
	if (layout.is_indexed) {
		layout.feed = page->feed;
		layout.feed_query = page->feed_query;
	}
	add_site_texts(page, &layout);
	add_images(page, &layout);
	return views_page(page->app->views, page->arena, view, &layout, model);
}

enum http_status
page_show(struct page *page, enum http_status status, const struct view *view,
    const void *model)
{
	struct response *response = page->response;

	response->is_unrendered = page_is_head(page);
	if (!response->is_unrendered) {
		page_load(page);
		response->body = render(page, status, view, model);
	}
	return status;
}

enum http_status
page_show_secret(struct page *page, enum http_status status,
    const struct view *view, const void *model)
{
	page->response->has_secret = true;
	return page_show(page, status, view, model);
}

enum http_status
page_show_xml(struct page *page, const struct view *view, const void *model)
{
	enum http_status status = page_show(page, HTTP_OK, view, model);

	page->response->body = utf8_for_xml(page->arena, page->response->body);
	return status;
}

enum http_status
page_redirect(struct page *page, struct text path)
{
	page->response->location = path;
	return HTTP_SEE_OTHER;
}

enum http_status
page_move(struct page *page, struct text site, struct text path)
{
	struct request moved = *page->request;
	struct text target;

	moved.path = path;
	target = request_target(page->arena, &moved);
	if (target.size > REQUEST_MAX_TARGET)
		return HTTP_URI_TOO_LONG;
	page->response->location = text_join(page->arena, site, target);
	return HTTP_MOVED;
}

const struct pairs *
page_sent(const struct page *page)
{
	return page->request->method == HTTP_POST ? &page->request->form
						  : &page->request->query;
}

bool
page_is_account_path(struct text path)
{
	static const struct text paths[] = { TEXT_INIT("/login"),
		TEXT_INIT("/register"), TEXT_INIT("/apply"),
		TEXT_INIT("/logout"), TEXT_INIT("/login/code"),
		TEXT_INIT("/recover") };
	struct text part = path;
	size_t index;

	if (path.size < 6)
		return false;
	text_cut(&path, '#', &part);
	path = part;
	text_cut(&path, '?', &part);
	return text_index(
	    part, paths, sizeof(paths) / sizeof(paths[0]), &index);
}

struct text
page_login_path(const struct page *page)
{
	const struct post_request *asked = &page->asked;
	struct arena *arena = page->arena;

	if (asked->post.article == 0)
		return text_join(arena, TEXT("/login?return_to="),
		    url_encode(arena, page_back(page)));
	return text_format(arena, "/login?return_to=%.*s&%.*s",
	    TEXT_ARGS(url_encode(arena, page_return_to(page, TEXT("/")))),
	    TEXT_ARGS(post_request_query(arena, asked)));
}

struct text
page_return_to(const struct page *page, struct text otherwise)
{
	struct text path = pairs_get(page_sent(page), TEXT("return_to"));

	return url_is_local_path(path) && !page_is_account_path(path)
	    ? path
	    : otherwise;
}

/* The element of a post on the page at path: on the page of its article "comment-3". */
static struct text
anchor_of(struct arena *arena, struct text path, struct post_id id)
{
	return id.comment != 0 && text_starts(path, TEXT("/articles/"))
	    ? text_format(arena, "comment-%llu", (unsigned long long)id.comment)
	    : format_post_anchor(arena, id);
}

enum http_status
page_return_to_post(struct page *page, struct post_id id)
{
	struct text back =
	    page_return_to(page, format_post_path(page->arena, id));
	struct text path;

	text_cut(&back, '#', &path);
	return page_redirect(page,
	    text_format(page->arena, "%.*s#%.*s", TEXT_ARGS(path),
		TEXT_ARGS(anchor_of(page->arena, path, id))));
}

static struct event
complete_event(const struct page *page, struct event event)
{
	if (event.member == 0)
		event.member = page->viewer.id;
	event.network = limit_network(page->arena, page->request->address);
	event.request = page->request->id;
	return event;
}

void
page_event(const struct page *page, struct event event)
{
	event = complete_event(page, event);
	event_log(&event);
}

void
page_event_few(
    const struct page *page, struct event_limiter *mark, struct event event)
{
	event = complete_event(page, event);
	event_log_limited(mark, &event);
}

bool
page_is_author(const struct page *page, const struct post *post)
{
	return page_is_signed_in(page) && post->author.id == page->viewer.id;
}

struct text
page_article_path(const struct page *page, uint64_t article)
{
	return format_post_path(page->arena, article_id(article));
}

struct text
page_origin(const struct page *page)
{
	if (page->app->origin.size > 0)
		return page->app->origin;
	return text_format(page->arena, "%s://%.*s",
	    page->request->https ? "https" : "http",
	    TEXT_ARGS(page->request->host));
}

/* The page above: "/articles/7" of "/articles/7/remove". */
static struct text
parent_of(struct text path)
{
	size_t end = path.size;

	while (end > 1 && path.data[end - 1] != '/')
		end--;
	return text_slice(path, 0, end > 1 ? end - 1 : 1);
}

bool
page_is_one_time_link(const struct page *page)
{
	return text_starts(page->request->path, TEXT("/link/"));
}

/* Only the page of such a link leaves the cookie that PAGE_LINK needs. */
static bool
is_owner_link(const struct page *page)
{
	return text_starts(page->request->path, TEXT("/link/owner."));
}

struct text
page_back(const struct page *page)
{
	const struct request *request = page->request;
	struct text target;

	if (page->place == PLACE_NONE)
		return TEXT("/");
	if (page_is_one_time_link(page))
		return is_owner_link(page) ? PAGE_LINK : TEXT("/");
	if (page_is_account_path(request->path))
		return page_return_to(page, TEXT("/"));
	target = request_target(page->arena, request);
	if (page->place == PLACE_PARENT)
		target = parent_of(target);
	if (request->method == HTTP_POST)
		target = page_return_to(page, target);
	/* It is printable, but may be "//elsewhere", or too long for return_to. */
	return target.size <= URL_LOCAL_MAX && text_starts(target, TEXT("/")) &&
		!text_starts(target, TEXT("//"))
	    ? target
	    : TEXT("/");
}

/* Leaves the number as it is without a parameter of that name. */
static bool
parse_number(const struct page *page, struct text name, uint64_t *number)
{
	const struct pairs *query = &page->request->query;

	return !pairs_has(query, name) ||
	    (pairs_get_id(query, name, number) && *number <= MAX_PAGE_NUMBER);
}

bool
page_parse_numbers(struct page *page)
{
	page->number = page->from = 1;
	return parse_number(page, TEXT("page"), &page->number) &&
	    parse_number(page, TEXT("from"), &page->from) &&
	    (page->from > 1 || !pairs_has(&page->request->query, TEXT("from")));
}

enum http_status
page_refuse(struct page *page, enum reason reason)
{
	page->reason = reason;
	return (enum http_status)message_status(reason);
}

enum http_status
page_refuse_for(struct page *page, enum reason reason, struct text detail)
{
	page->detail = detail;
	return page_refuse(page, reason);
}

enum http_status
page_refuse_removed(struct page *page, const struct post *post)
{
	if (post_is_waiting(post))
		return page_refuse(page, REASON_HELD);
	return page_refuse(
	    page, post_is_withdrawn(post) ? REASON_WITHDRAWN : REASON_REMOVED);
}

enum http_status
page_past_end(struct page *page, struct text base, uint64_t pages)
{
	struct arena *arena = page->arena;

	page->end = (struct pager_end){
		.href = pager_href(arena, base, pages == 0 ? 1 : pages),
		.number = (int64_t)(pages == 0 ? 1 : pages),
	};
	return page_refuse_for(page, REASON_NO_PAGE,
	    message_count(
		arena, MESSAGE_LIST_PAGES, pages == 0 ? 1 : (int64_t)pages));
}

enum http_status
page_failed(struct page *page, enum store_result result)
{
	static const enum reason reasons[] = {
		[STORE_OK] = REASON_DOWN,
		[STORE_ABSENT] = REASON_NO_PAGE,
		[STORE_TAKEN] = REASON_UNPROCESSABLE,
		[STORE_REMOVED] = REASON_ARTICLE_GONE,
		[STORE_CLOSED] = REASON_CLOSED,
		[STORE_OWN] = REASON_OWN,
		[STORE_FULL] = REASON_UNPROCESSABLE,
		[STORE_LIMITED] = REASON_LIMITED,
		[STORE_VOIDED] = REASON_VOIDED,
		[STORE_SUSPENDED] = REASON_SUSPENDED,
		[STORE_HELD] = REASON_NO_PAGE,
		[STORE_LAST_OWNER] = REASON_LAST_OWNER,
		[STORE_FACTOR] = REASON_FORBIDDEN,
		[STORE_DOWN] = REASON_DOWN,
	};

	if (result == STORE_DOWN && site_is_partial(page->store))
		return page_refuse(page, REASON_PART_DOWN);
	return page_refuse(page, reasons[result]);
}

enum http_status
page_finish(struct page *page, enum store_result result, struct text otherwise)
{
	return result == STORE_OK
	    ? page_redirect(page, page_return_to(page, otherwise))
	    : page_failed(page, result);
}

enum http_status
page_failed_on(struct page *page, enum store_result result, struct post_id id)
{
	return result == STORE_REMOVED && id.comment != 0
	    ? page_refuse(page, REASON_COMMENT_GONE)
	    : page_failed(page, result);
}

enum http_status
page_finish_on(struct page *page, enum store_result result, struct post_id id)
{
	return result == STORE_OK
	    ? page_finish(page, result, format_post_path(page->arena, id))
	    : page_failed_on(page, result, id);
}

bool
page_may_continue(struct page *page, enum store_result result)
{
	bool is_away = result == STORE_DOWN && site_is_partial(page->store);

	page->is_partial = page->is_partial || is_away;
	return result == STORE_OK || is_away;
}

enum http_status
page_list_failed(struct page *page, enum store_result result)
{
	return result == STORE_LIMITED ? page_refuse(page, REASON_BUSY)
				       : page_failed(page, result);
}

enum http_status
page_limit_network(struct page *page, enum limit kind)
{
	int64_t wait = 0;
	enum store_result result = limit_take_network(
	    page->store, page->arena, kind, page->request->address, &wait);

	return result == STORE_OK ? HTTP_OK : page_limited(page, result, wait);
}

enum http_status
page_limit_viewer(struct page *page, enum limit kind)
{
	int64_t wait = 0;
	enum store_result result = limit_take_member(
	    page->store, page->arena, kind, page->viewer.id, &wait);

	return result == STORE_OK ? HTTP_OK : page_limited(page, result, wait);
}

enum http_status
page_limit_bytes(struct page *page, size_t bytes)
{
	uint64_t user = page->viewer.id;
	int64_t used = page->day_bytes, wait = 0;
	enum store_result result = STORE_OK;

	if (page->store->rules.day_bytes == 0)
		return HTTP_OK;
	if (used == DAY_BYTES_UNREAD)
		result =
		    limit_read_bytes(page->store, page->arena, user, &used);
	if (result == STORE_OK)
		result = limit_check_bytes(
		    page->store, page->arena, user, &used, bytes, &wait);
	if (result == STORE_LIMITED) {
		(void)page_limited(page, result, wait);
		return page_refuse(page, REASON_DAY_OVER);
	}
	if (result != STORE_OK)
		return page_failed(page, result);
	page->counting =
	    limit_send_bytes(page->store, page->arena, user, used, bytes);
	return HTTP_OK;
}

enum http_status
page_limited(struct page *page, enum store_result result, int64_t wait)
{
	static struct event_limiter mark;

	if (result == STORE_LIMITED) {
		page->response->retry_after = (int)wait;
		page_event_few(
		    page, &mark, (struct event){ .name = EVENT_LIMITED });
	}
	return page_failed(page, result);
}

struct error_words
page_explain(const struct page *page, enum http_status status)
{
	struct error_words words = message_reason(page->reason, (int)status);

	if (page->detail.size > 0)
		words.happened = page->detail;
	if (status == HTTP_TOO_MANY_REQUESTS)
		words.advice = message_retry_after(page->arena,
		    format_rounded_up(
			page->arena, page->response->retry_after));
	return words;
}

enum http_status
page_error(struct page *page, enum http_status status)
{
	struct error_model model = { .end = page->end };

	page_load(page); /* the language, too */
	model.words = page_explain(page, status);
	model.may_log_in = !page_is_signed_in(page) &&
	    (status == HTTP_UNAUTHORIZED || status == HTTP_FORBIDDEN);
	if (page->request->method == HTTP_POST &&
	    !text_equal(page_back(page), TEXT("/")))
		model.back = page_back(page);
	return page_show(page, status, &error_view, &model);
}
