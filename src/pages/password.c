#include "pages/password.h"

#include "base/background.h"
#include "base/crypto.h"

struct work {
	struct arena *arena;
	struct text password, hash;
	struct password_context context;
	struct problem problem;
	bool fits;
};

static void
choose(void *data)
{
	struct work *work = data;

	work->problem = rule_new_password(work->password, &work->context);
	if (work->problem.kind == PROBLEM_NONE)
		work->hash = crypto_password_hash(work->arena, work->password);
}

static void
compare(void *data)
{
	struct work *work = data;

	work->fits = crypto_password_matches(work->hash, work->password);
}

static enum http_status
run(struct page *page, void (*job)(void *data), struct work *work)
{
	return background_run(page->app->background, job, work)
	    ? HTTP_OK
	    : page_refuse(page, REASON_BUSY);
}

enum http_status
password_choose(struct page *page, struct input *password, struct text user,
    struct text *hash)
{
	struct work work = { .arena = page->arena,
		.password = password->value,
		.context = { .user = user,
		    .site = page->settings->name,
		    .breached = page->app->breached } };
	enum http_status status = run(page, choose, &work);

	password->problem = message_problem(page->arena, &work.problem);
	*hash = work.hash;
	return status;
}

enum http_status
password_compare(struct page *page, const struct user *user,
    struct text password, bool *fits)
{
	static struct event_limiter mark;
	struct work work = { .password = password,
		.hash = user->password_hash };
	enum http_status status = run(page, compare, &work);

	*fits = work.fits;
	if (status == HTTP_OK && !work.fits)
		page_event_few(page, &mark,
		    (struct event){
			.name = EVENT_PASSWORD_WRONG, .subject = user->id });
	return status;
}
