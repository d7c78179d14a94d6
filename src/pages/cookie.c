#include "pages/cookie.h"

#include "base/crypto.h"
#include "pages/page.h"
#include "store/one_time_link.h"
#include "store/user.h"

enum {
	FORM_COOKIE_BYTES = 16,
	DEVICE_BYTES = 16,
	VISIT_BYTES = 16,
	NOTE_SECONDS = 60,
	DEVICE_SECONDS = 365 * 86400,
	DISMISSED_SECONDS = 365 * 86400,
	VISIT_SECONDS = 86400,
	LOGIN_SECONDS = 600
};

static bool
is_https(const struct page *page)
{
	return page->request->https ||
	    text_starts(page->app->origin, TEXT("https://"));
}

/* Under https a name that only this host can set, over https (RFC 6265bis). */
static struct text
session_cookie_name(const struct page *page)
{
	return is_https(page) ? TEXT("__Host-tally") : TEXT("tally");
}

static struct text
form_cookie_name(const struct page *page)
{
	return is_https(page) ? TEXT("__Host-tally-form") : TEXT("tally-form");
}

struct text
cookie_session(const struct page *page)
{
	return request_cookie(page->request, session_cookie_name(page));
}

void
cookie_set_session(struct page *page, struct text cookie)
{
	response_set_cookie(page->response, page->arena,
	    session_cookie_name(page), cookie,
	    cookie.size == 0 ? COOKIE_ENDED
			     : page->store->rules.session_seconds,
	    is_https(page));
}

void
cookie_set_dismissed(struct page *page, int64_t announced)
{
	response_set_cookie(page->response, page->arena,
	    is_https(page) ? TEXT("__Host-tally-dismissed")
			   : TEXT("tally-dismissed"),
	    text_number(page->arena, announced), DISMISSED_SECONDS,
	    is_https(page));
}

static struct text
note_cookie_name(const struct page *page)
{
	return is_https(page) ? TEXT("__Host-tally-note") : TEXT("tally-note");
}

void
cookie_set_note(struct page *page, struct text note)
{
	response_set_cookie(page->response, page->arena, note_cookie_name(page),
	    note, NOTE_SECONDS, is_https(page));
}

enum http_status
cookie_finish(struct page *page, enum store_result result, struct text note,
    struct text target)
{
	if (result == STORE_OK)
		cookie_set_note(page, note);
	return page_finish(page, result, target);
}

bool
cookie_has_note(const struct page *page, struct text note)
{
	return text_equal(
	    request_cookie(page->request, note_cookie_name(page)), note);
}

bool
cookie_take_note(struct page *page, struct text note)
{
	if (!cookie_has_note(page, note))
		return false;
	response_set_cookie(page->response, page->arena, note_cookie_name(page),
	    (struct text){ NULL, 0 }, COOKIE_ENDED, is_https(page));
	return true;
}

static struct text
link_cookie_name(const struct page *page)
{
	return is_https(page) ? TEXT("__Host-tally-link") : TEXT("tally-link");
}

void
cookie_set_link(struct page *page, struct text code)
{
	response_set_cookie(page->response, page->arena, link_cookie_name(page),
	    code, code.size == 0 ? COOKIE_ENDED : ONE_TIME_LINK_SECONDS,
	    is_https(page));
}

struct text
cookie_link(const struct page *page)
{
	return request_cookie(page->request, link_cookie_name(page));
}

/* Empty when the browser has none. */
static struct text
form_secret(const struct page *page)
{
	struct text secret =
	    request_cookie(page->request, form_cookie_name(page));

	return secret.size == (size_t)FORM_COOKIE_BYTES * 2
	    ? secret
	    : (struct text){ NULL, 0 };
}

/* The browser's secret; sets one first when it has none. */
static struct text
need_form_secret(struct page *page)
{
	struct text secret = form_secret(page);

	if (secret.size > 0)
		return secret;
	secret = crypto_random_hex(page->arena, FORM_COOKIE_BYTES);
	response_set_cookie(page->response, page->arena, form_cookie_name(page),
	    secret, 0, is_https(page));
	return secret;
}

void
cookie_use_form(struct page *page)
{
	page->form_token =
	    session_token(page->store, page->arena, need_form_secret(page));
}

static struct text
next_session_token(const struct page *page, struct text secret)
{
	return session_token(page->store, page->arena,
	    text_join(page->arena, TEXT("next session "), secret));
}

void
cookie_use_next_session(struct page *page)
{
	page->form_token = next_session_token(page, need_form_secret(page));
}

bool
cookie_was_for_next_session(const struct page *page, struct text token)
{
	struct text secret = form_secret(page);

	return secret.size > 0 &&
	    crypto_equal(token, next_session_token(page, secret));
}

static struct text
device_cookie_name(const struct page *page)
{
	return is_https(page) ? TEXT("__Host-tally-device")
			      : TEXT("tally-device");
}

/* Signs "17.NAME". The password's hash and user->distrusted are part of it, so that it
 * becomes invalid when either changes. */
static struct text
signature_of(
    const struct page *page, const struct user *user, struct text device)
{
	return session_token(page->store, page->arena,
	    text_format(page->arena, "device %.*s %lld %.*s", TEXT_ARGS(device),
		(long long)user->distrusted, TEXT_ARGS(user->password_hash)));
}

struct text
cookie_device(const struct page *page, const struct user *user)
{
	struct text cookie =
	    request_cookie(page->request, device_cookie_name(page));
	struct text signature = cookie, id, name, device;
	uint64_t number;

	if (!text_cut(&signature, '.', &id) || !text_to_u64(id, &number) ||
	    !text_cut(&signature, '.', &name) || number != user->id ||
	    name.size != (size_t)DEVICE_BYTES * 2)
		return (struct text){ NULL, 0 };
	device = text_slice(cookie, 0, id.size + 1 + name.size);
	return crypto_equal(signature, signature_of(page, user, device))
	    ? name
	    : (struct text){ NULL, 0 };
}

void
cookie_set_device(struct page *page, const struct user *user)
{
	struct text device;

	if (cookie_device(page, user).size > 0)
		return;
	device =
	    text_format(page->arena, "%llu.%.*s", (unsigned long long)user->id,
		TEXT_ARGS(crypto_random_hex(page->arena, DEVICE_BYTES)));
	response_set_cookie(page->response, page->arena,
	    device_cookie_name(page),
	    text_format(page->arena, "%.*s.%.*s", TEXT_ARGS(device),
		TEXT_ARGS(signature_of(page, user, device))),
	    DEVICE_SECONDS, is_https(page));
}

static struct text
visit_cookie_name(const struct page *page)
{
	return is_https(page) ? TEXT("__Host-tally-visit")
			      : TEXT("tally-visit");
}

/* Signs "NAME.EXPIRES". */
static struct text
visit_signature(const struct page *page, struct text visit)
{
	return session_token(page->store, page->arena,
	    text_join(page->arena, TEXT("visit "), visit));
}

struct text
cookie_visit(const struct page *page)
{
	struct text cookie =
	    request_cookie(page->request, visit_cookie_name(page));
	struct text signature = cookie, name, expires, visit;
	int64_t moment;

	if (page->versions == NULL || !text_cut(&signature, '.', &name) ||
	    !text_cut(&signature, '.', &expires) ||
	    name.size != (size_t)VISIT_BYTES * 2 ||
	    !text_to_i64(expires, &moment) || moment <= page->versions->now)
		return (struct text){ NULL, 0 };
	visit = text_slice(cookie, 0, name.size + 1 + expires.size);
	return crypto_equal(signature, visit_signature(page, visit))
	    ? name
	    : (struct text){ NULL, 0 };
}

void
cookie_set_visit(struct page *page)
{
	struct text visit = text_format(page->arena, "%.*s.%lld",
	    TEXT_ARGS(crypto_random_hex(page->arena, VISIT_BYTES)),
	    (long long)page->versions->now + VISIT_SECONDS);

	response_set_cookie(page->response, page->arena,
	    visit_cookie_name(page),
	    text_format(page->arena, "%.*s.%.*s", TEXT_ARGS(visit),
		TEXT_ARGS(visit_signature(page, visit))),
	    VISIT_SECONDS, is_https(page));
}

static struct text
login_cookie_name(const struct page *page)
{
	return is_https(page) ? TEXT("__Host-tally-login")
			      : TEXT("tally-login");
}

/* Signs "17.EXPIRES". What ends browsers' other proofs ends it, too (signature_of). */
static struct text
login_signature(
    const struct page *page, const struct user *user, struct text login)
{
	return session_token(page->store, page->arena,
	    text_format(page->arena, "login %.*s %lld %.*s", TEXT_ARGS(login),
		(long long)user->distrusted, TEXT_ARGS(user->password_hash)));
}

void
cookie_set_login(struct page *page, const struct user *user)
{
	struct text login =
	    text_format(page->arena, "%llu.%lld", (unsigned long long)user->id,
		(long long)page->versions->now + LOGIN_SECONDS);

	response_set_cookie(page->response, page->arena,
	    login_cookie_name(page),
	    text_format(page->arena, "%.*s.%.*s", TEXT_ARGS(login),
		TEXT_ARGS(login_signature(page, user, login))),
	    LOGIN_SECONDS, is_https(page));
}

void
cookie_end_login(struct page *page)
{
	response_set_cookie(page->response, page->arena,
	    login_cookie_name(page), (struct text){ NULL, 0 }, COOKIE_ENDED,
	    is_https(page));
}

/* The cookie's parts. */
struct login {
	uint64_t user;
	struct text signed_part, signature;
};

static bool
read_login(const struct page *page, struct login *login)
{
	struct text cookie =
	    request_cookie(page->request, login_cookie_name(page));
	struct text rest = cookie, id, expires;
	int64_t moment;

	if (page->versions == NULL || !text_cut(&rest, '.', &id) ||
	    !text_to_u64(id, &login->user) || !text_cut(&rest, '.', &expires) ||
	    !text_to_i64(expires, &moment) || moment <= page->versions->now)
		return false;
	login->signed_part = text_slice(cookie, 0, id.size + 1 + expires.size);
	login->signature = rest;
	return true;
}

uint64_t
cookie_login_member(const struct page *page)
{
	struct login login;

	return read_login(page, &login) ? login.user : 0;
}

bool
cookie_login_is_valid(const struct page *page, const struct user *user)
{
	struct login login;

	return read_login(page, &login) && login.user == user->id &&
	    user->password_hash.size > 0 &&
	    crypto_equal(login.signature,
		login_signature(page, user, login.signed_part));
}
