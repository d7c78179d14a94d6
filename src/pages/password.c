#include "pages/password.h"

#include "base/background.h"
#include "base/crypto.h"

struct password_job {
	struct arena *arena;
	struct text password, hash;
	struct password_context context;
	struct problem problem;
	bool fits;
};

static void
run_choose(void *data)
{
	struct password_job *job = data;

	job->problem = rule_new_password(job->password, &job->context);
	if (job->problem.kind == PROBLEM_NONE)
		job->hash = crypto_password_hash(job->arena, job->password);
}

static void
run_compare(void *data)
{
	struct password_job *job = data;

	job->fits = crypto_password_matches(job->hash, job->password);
}

static enum http_status
run_job(struct page *page, void (*run)(void *data), struct password_job *job)
{
	return background_run(page->app->background, run, job)
	    ? HTTP_OK
	    : page_refuse(page, REASON_BUSY);
}

enum http_status
password_choose(struct page *page, struct input *password, struct text user,
    struct text *hash)
{
	struct password_job job = { .arena = page->arena,
		.password = password->value,
		.context = { .user = user,
		    .site = page->settings->name,
		    .breached = page->app->breached } };
	enum http_status status = run_job(page, run_choose, &job);

	password->problem = message_problem(page->arena, &job.problem);
	*hash = job.hash;
	return status;
}

enum http_status
password_compare(struct page *page, const struct user *user,
    struct text password, bool *fits)
{
	static struct event_limiter mark;
	struct password_job job = { .password = password,
		.hash = user->password_hash };
	enum http_status status = run_job(page, run_compare, &job);

	*fits = job.fits;
	if (status == HTTP_OK && !job.fits)
		page_event_few(page, &mark,
		    (struct event){
			.name = EVENT_PASSWORD_WRONG, .subject = user->id });
	return status;
}

enum http_status
password_check_viewer(
    struct page *page, struct input *password, struct user *user)
{
	enum store_result result =
	    user_get(page->store, page->arena, page->viewer.id, user);
	enum http_status status;
	bool fits;

	if (result != STORE_OK)
		return page_failed(page, result);
	status = password_compare(page, user, password->value, &fits);
	if (status == HTTP_OK && !fits)
		form_mark(page->arena, password, PROBLEM_PASSWORD_WRONG);
	return status;
}

bool
password_is_needed(const struct page *page)
{
	return page->session_age >= PASSWORD_FRESH_SECONDS;
}

enum http_status
password_ask(struct page *page)
{
	struct input password = { .value = pairs_get(
				      page_sent(page), TEXT("password")) };
	enum http_status status;
	struct user user;

	if (password.value.size == 0)
		return page_refuse(page, REASON_CONFIRM);
	status = password_check_viewer(page, &password, &user);
	return status == HTTP_OK && password.problem.size > 0
	    ? page_refuse_for(page, REASON_CONFIRM, password.problem)
	    : status;
}

enum http_status
password_confirm(struct page *page)
{
	return password_is_needed(page) ? password_ask(page) : HTTP_OK;
}
