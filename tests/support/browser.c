#include "browser.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cache.h"
#include "base/crypto.h"
#include "base/url.h"
#include "base/utf8.h"
#include "pages/dispatch.h"
#include "store/session.h"
#include "store/user.h"
#include "views/language.h"

/* The same for all worlds, since they are only read. */
static const struct views *
templates(void)
{
	static struct arena arena;
	static const struct views *views;
	struct mustache_error error;

	if (views == NULL) {
		language_open("templates/locale");
		views = views_open(&arena, NULL, "templates", &error);
	}
	if (views == NULL)
		fail_msg("templates/%.*s.mustache:%d:%d: %s",
		    TEXT_ARGS(error.template), error.line, error.column,
		    error.message);
	return views;
}

/* What follows the first mark in a text; nothing when it is not there. */
static struct text
after(struct text text, struct text mark)
{
	const char *found = text.size == 0
	    ? NULL
	    : memmem(text.data, text.size, mark.data, mark.size);

	if (found == NULL)
		return (struct text){ NULL, 0 };
	return text_slice(
	    text, (size_t)(found - text.data) + mark.size, text.size);
}

struct browser
browser_open(struct world *world)
{
	return (struct browser){
		.world = world,
		.app = { .store = &world->store,
		    .views = templates(),
		    .base_style = TEXT("body {}"),
		    .base_style_version = TEXT("0"),
		    .settings = world->settings },
		.host = TEXT("localhost"),
		.takes_gzip = true,
		.agent = TEXT("Made-up/1.0"),
		.address = TEXT("192.0.2.1"),
		.content_type = TEXT("application/x-www-form-urlencoded"),
	};
}

void
browser_move_site(struct browser *browser, const char *origin)
{
	struct text host = text_of(origin), scheme;

	browser->app.origin = host;
	browser->https = text_starts(host, TEXT("https://"));
	assert_true(text_cut(&host, ':', &scheme));
	browser->host = text_slice(host, 2, host.size);
}

struct browser
browser_of(struct world *world, uint64_t user)
{
	struct browser browser = browser_open(world);
	struct text cookie;

	assert_int_equal(
	    session_start(&world->store, &world->arena, user, TEXT(""),
		&world_no_factor, browser.agent, &cookie),
	    STORE_OK);
	browser_set_cookie(&browser, TEXT("tally"), cookie);
	assert_status(browser_get(&browser, "/about"), HTTP_OK);
	return browser;
}

static struct browser
open_for(struct world *world, const char *name, enum role role)
{
	uint64_t user = world_member(world, name);

	assert_int_equal(
	    user_set_role(&world->store, &world->arena, user, role), STORE_OK);
	return browser_of(world, user);
}

struct browser
browser_member(struct world *world, const char *name)
{
	return open_for(world, name, ROLE_MEMBER);
}

struct browser
browser_moderator(struct world *world, const char *name)
{
	return open_for(world, name, ROLE_MODERATOR);
}

struct browser
browser_owner(struct world *world, const char *name)
{
	return open_for(world, name, ROLE_OWNER);
}

struct browser
browser_newcomer(struct world *world, const char *name)
{
	struct browser browser = browser_member(world, name);
	uint64_t id;

	assert_int_equal(user_find_ids(&world->store, &world->arena,
			     &(struct text){ name, strlen(name) }, 1, &id),
	    STORE_OK);
	world_command(world, TEXT("HSET"), key_user(&world->arena, id),
	    TEXT("newcomer"),
	    text_number(&world->arena, world_user(world, id).created));
	return browser;
}

struct browser_scene
browser_scene(struct world *world)
{
	struct browser_scene scene = { .world = world };

	world_stop_clock(world, NOON);
	scene.ann = browser_member(world, "ann");
	scene.bob = browser_member(world, "bob");
	assert_int_equal(
	    world_post(world, 1, "First", "http://a.example/", ""), 1);
	return scene;
}

/* The cookies. */

/* The index of the cookie; the number of cookies when there is none. */
static size_t
cookie_index(const struct browser *browser, struct text name)
{
	size_t i = 0;

	while (i < browser->cookie_count &&
	    !text_equal(browser->cookies[i].name, name))
		i++;
	return i;
}

struct text
browser_cookie(const struct browser *browser, const char *name)
{
	size_t i = cookie_index(browser, text_of(name));

	return i < browser->cookie_count ? browser->cookies[i].value : TEXT("");
}

void
browser_set_cookie(struct browser *browser, struct text name, struct text value)
{
	size_t i = cookie_index(browser, name);

	assert_true(i < BROWSER_COOKIES);
	if (i == browser->cookie_count)
		browser->cookie_count++;
	browser->cookies[i] = (struct pair){ name, value };
}

/* One Set-Cookie. A name with "__Host-" binds the browser to what it
 * promises. */
static void
take_cookie(struct browser *browser, struct text cookie)
{
	struct text rest = cookie, pair, name, attribute;
	bool ended = false, secure = false;
	bool https = browser->https ||
	    text_starts(browser->app.origin, TEXT("https://"));

	assert_true(text_cut(&rest, ';', &pair));
	assert_true(text_cut(&pair, '=', &name));
	while (text_cut(&rest, ';', &attribute)) {
		attribute = text_trim(attribute);
		ended = ended || text_equal(attribute, TEXT("Max-Age=0"));
		secure = secure || text_equal(attribute, TEXT("Secure"));
		assert_false(text_starts(attribute, TEXT("Domain")));
	}
	assert_int_equal(secure, text_starts(name, TEXT("__Host-")));
	assert_int_equal(secure, https);
	browser_set_cookie(browser, name, ended ? TEXT("") : pair);
}

static struct text
cookie_header(const struct browser *browser, struct arena *arena)
{
	struct text header = TEXT("");

	for (size_t i = 0; i < browser->cookie_count; i++) {
		struct pair cookie = browser->cookies[i];

		if (cookie.value.size > 0)
			header = text_format(arena, "%.*s%s%.*s=%.*s",
			    TEXT_ARGS(header), header.size > 0 ? "; " : "",
			    TEXT_ARGS(cookie.name), TEXT_ARGS(cookie.value));
	}
	return header;
}

/* Requests. */

/* As nginx decodes the path of a request. */
static struct text
decode_path(struct arena *arena, struct text path)
{
	struct buffer decoded = buffer_in(arena, path.size);

	for (size_t i = 0; i < path.size; i++) {
		char c = path.data[i];

		if (c == '%' && path.size - i > 2) {
			c = (char)(text_hex_digit(path.data[i + 1]) * 16 +
			    text_hex_digit(path.data[i + 2]));
			i += 2;
		}
		buffer_add_char(&decoded, c);
	}
	return buffer_text(&decoded);
}

/* As nginx takes it from the cookie. */
static struct text
dismissed_by(const struct browser *browser)
{
	struct text plain = browser_cookie(browser, "tally-dismissed");

	return plain.size > 0
	    ? plain
	    : browser_cookie(browser, "__Host-tally-dismissed");
}

static struct request
make_request(const struct browser *browser, struct arena *arena,
    enum http_method method, struct text target, struct text body)
{
	struct request request = { .method = method,
		.content_type =
		    method == HTTP_POST ? browser->content_type : TEXT(""),
		.cookie = cookie_header(browser, arena),
		.host = browser->host,
		.origin = browser->origin,
		.fetch_site = browser->fetch_site,
		.is_prefetch = browser->is_prefetch,
		.agent = browser->agent,
		.if_none_match = browser->if_none_match,
		.address = browser->address,
		.variant = dismissed_by(browser),
		.https = browser->https,
		.accepts_gzip = browser->takes_gzip,
		.body = body };
	struct text address;

	text_cut(&target, '#', &address);
	text_cut(&address, '?', &request.path);
	request.path = decode_path(arena, request.path);
	request.raw_query = address;
	if (body.size > REQUEST_MAX_BODY) {
		request.body_too_large = true;
		request.body = TEXT("");
	}
	return request;
}

static size_t
count_in(struct text text, struct text wanted)
{
	size_t count = 0;

	for (;;) {
		text = after(text, wanted);
		if (text.data == NULL)
			return count;
		count++;
	}
}

/* Invariants of every answer. */
static void
check_answer(const struct browser *browser)
{
	const struct response *answer = &browser->answer;

	assert_int_equal(count_in(browser->head, TEXT("Cache-Control:")), 1);
	assert_int_equal(count_in(browser->head, TEXT("Vary:")), 1);
	assert_true(answer->type == TYPE_PNG || utf8_valid(answer->body));
	/* A public page has no data of a member. */
	if (answer->cache != CACHE_NEVER) {
		assert_int_equal(answer->cookie_count, 0);
		assert_int_equal(
		    count_in(answer->body, TEXT("name=\"csrf\"")), 0);
	}
	if (answer->status == HTTP_SEE_OTHER || answer->status == HTTP_MOVED)
		assert_true(url_is_local_path(answer->location) ||
		    (browser->app.origin.size > 0 &&
			text_starts(answer->location, browser->app.origin)));
	else
		assert_true(answer->type != TYPE_HTML ||
		    answer->is_unrendered ||
		    count_in(answer->body, TEXT("</html>")) == 1);
	assert_int_equal(answer->status == HTTP_UNAVAILABLE ||
		answer->status == HTTP_TOO_MANY_REQUESTS,
	    answer->retry_after > 0);
	assert_int_equal(
	    answer->status == HTTP_METHOD_NOT_ALLOWED, answer->allow != NULL);
}

/* Copies what the answer holds out of the request's arena. */
static void
keep_answer(
    struct browser *browser, struct arena *arena, const struct response *answer)
{
	struct arena *kept = &browser->world->arena;

	browser->head =
	    text_copy(kept, response_head(arena, answer, answer->body.size));
	browser->answer = *answer;
	browser->answer.location = text_copy(kept, answer->location);
	browser->answer.body = text_copy(kept, answer->body);
	browser->answer.etag = text_copy(kept, answer->etag);
	browser->answer.download = text_copy(kept, answer->download);
	for (size_t i = 0; i < answer->cookie_count; i++) {
		browser->answer.cookies[i] =
		    text_copy(kept, answer->cookies[i]);
		take_cookie(browser, browser->answer.cookies[i]);
	}
	check_answer(browser);
	if (count_in(answer->body, TEXT("name=\"csrf\"")) > 0)
		browser->form_page = browser->answer.body;
}

/* Of all tests of this program. */
static struct cache *parts;

static void
free_parts(void)
{
	cache_free(parts);
}

/* Compresses it as a worker does, and expands it as a browser does. */
static void
compress(struct arena *arena, struct response *response)
{
	if (parts == NULL) {
		parts = cache_new(64, 65536);
		atexit(free_parts);
	}
	response_compress(response, arena, parts);
	if (response->is_compressed)
		response->body = fixture_gunzip(arena, response->body);
	response->is_compressed = false;
}

enum http_status
browser_send(struct browser *browser, enum http_method method,
    const char *target, struct text body)
{
	struct arena arena = { 0 };
	struct request request =
	    make_request(browser, &arena, method, text_of(target), body);
	struct response response;

	dispatch_request(&browser->app, &arena, &request, &response);
	if (request.accepts_gzip)
		compress(&arena, &response);
	else
		fixture_join(&arena, &response);
	keep_answer(browser, &arena, &response);
	arena_free(&arena);
	return browser->answer.status;
}

enum http_status
browser_get(struct browser *browser, const char *target)
{
	return browser_send(browser, HTTP_GET, target, TEXT(""));
}

enum http_status
browser_follow(struct browser *browser)
{
	assert_true(browser->answer.location.size > 0);
	return browser_get(browser,
	    text_string(&browser->world->arena, browser->answer.location));
}

enum http_status
browser_go(struct browser *browser, const char *target)
{
	enum http_status status = browser_get(browser, target);

	for (int moves = 0; moves < 3 && status == HTTP_MOVED; moves++)
		status = browser_follow(browser);
	return status;
}

/* Posting. */

static struct text
first_token(struct text page)
{
	struct text rest = after(page, TEXT("name=\"csrf\" value=\""));
	struct text token = { NULL, 0 };

	text_cut(&rest, '"', &token);
	return token;
}

struct text
browser_field(const struct browser *browser, const char *name)
{
	struct text rest = after(browser->answer.body,
	    text_format(&browser->world->arena, "name=\"%s\" value=\"", name));
	struct text value = { NULL, 0 };

	text_cut(&rest, '"', &value);
	return value;
}

struct text
browser_body(const struct browser *browser)
{
	const struct text mark = TEXT("name=\"csrf\" value=\"");
	struct arena *arena = &browser->world->arena;
	struct text rest = browser->answer.body, token;
	struct buffer body = buffer_in(arena, rest.size + 1);

	for (;;) {
		size_t at = text_find(rest, 0, mark);

		if (at == SIZE_MAX)
			break;
		at += mark.size;
		buffer_add(&body, text_slice(rest, 0, at));
		rest = text_slice(rest, at, rest.size);
		text_cut(&rest, '"', &token);
		buffer_add(&body, crypto_unmask_digest(arena, token));
		buffer_add_char(&body, '"');
	}
	buffer_add(&body, rest);
	return buffer_text(&body);
}

struct text
browser_token(const struct browser *browser, const char *target)
{
	struct text action =
	    text_format(&browser->world->arena, "action=\"%s\"", target);
	struct text token = first_token(after(browser->form_page, action));

	return token.size > 0 ? token : first_token(browser->form_page);
}

enum http_status
browser_post(
    struct browser *browser, const char *target, const char *const *fields)
{
	struct arena *arena = &browser->world->arena;
	struct buffer body = buffer_in(arena, 256);
	bool has_token = false;

	for (; fields != NULL && fields[0] != NULL; fields += 2) {
		if (body.size > 0)
			buffer_add_char(&body, '&');
		buffer_add(&body, url_encode(arena, text_of(fields[0])));
		buffer_add_char(&body, '=');
		buffer_add(&body, url_encode(arena, text_of(fields[1])));
		has_token = has_token || strcmp(fields[0], "csrf") == 0;
	}
	if (!has_token) {
		buffer_add(&body, TEXT("&csrf="));
		buffer_add(&body, browser_token(browser, target));
	}
	return browser_send(browser, HTTP_POST, target, buffer_text(&body));
}

/* Reading the page. */

static void
add_part(struct buffer *body, const char *name, struct text value)
{
	buffer_add(body, TEXT("--=_b\r\nContent-Disposition: form-data; "));
	buffer_add(body, text_of(name));
	buffer_add(body, TEXT("\r\n\r\n"));
	buffer_add(body, value);
	buffer_add(body, TEXT("\r\n"));
}

enum http_status
browser_upload(struct browser *browser, const char *target, struct text file)
{
	struct buffer body =
	    buffer_in(&browser->world->arena, file.size + 1024);
	struct text type = browser->content_type;
	enum http_status status;

	add_part(&body, "name=\"csrf\"", browser_token(browser, target));
	add_part(&body, "name=\"file\"; filename=\"a.png\"", file);
	buffer_add(&body, TEXT("--=_b--\r\n"));
	browser->content_type = TEXT("multipart/form-data; boundary=\"=_b\"");
	status = browser_send(browser, HTTP_POST, target, buffer_text(&body));
	browser->content_type = type;
	return status;
}

struct text
browser_ids(const struct browser *browser)
{
	struct arena *arena = &browser->world->arena;
	struct text rest = browser->answer.body, id, ids = TEXT("");

	for (;;) {
		rest = after(rest, TEXT(" data-id=\""));
		if (!text_cut(&rest, '"', &id))
			return ids;
		ids = text_format(arena, "%.*s%s%.*s", TEXT_ARGS(ids),
		    ids.size > 0 ? " " : "", TEXT_ARGS(id));
	}
}

struct text
browser_attribute(const struct browser *browser, uint64_t id, const char *name)
{
	struct arena *arena = &browser->world->arena;
	struct text element = { NULL, 0 }, value = { NULL, 0 };
	struct text rest = after(browser->answer.body,
	    text_format(arena, " id=\"article-%" PRIu64 "\"", id));

	text_cut(&rest, '>', &element);
	rest = after(element, text_format(arena, " %s=\"", name));
	text_cut(&rest, '"', &value);
	return value;
}

size_t
browser_count(const struct browser *browser, const char *string)
{
	return count_in(browser->answer.body, text_of(string));
}

void
browser_assert_status(
    enum http_status status, int expected, const char *file, int line)
{
	if ((int)status == expected)
		return;
	print_error("answered %d, not %d\n", (int)status, expected);
	_fail(file, line);
}

void
browser_assert_holds(const struct browser *browser, const char *string,
    bool expected, const char *file, int line)
{
	struct text page = browser->answer.body;
	struct text main = after(page, TEXT("<main id=\"main\">"));

	if ((browser_count(browser, string) > 0) == expected)
		return;
	/* cmocka's own printing would cut a long message off. */
	fprintf(stderr, "the page %s \"%s\":\n%.*s\n",
	    expected ? "lacks" : "holds", string,
	    TEXT_ARGS(main.size > 0 ? main : page));
	_fail(file, line);
}

uint64_t
browser_article(const struct browser *browser)
{
	const struct text path = TEXT("/articles/");
	struct text rest = browser->answer.location, page = rest;
	uint64_t id = 0;

	text_cut(&rest, '?', &page);
	if (!text_starts(page, path) ||
	    !text_to_u64(text_slice(page, path.size, page.size), &id))
		fail_msg("%.*s is no article's page",
		    TEXT_ARGS(browser->answer.location));
	return id;
}
