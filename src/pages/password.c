#include "pages/password.h"

#include "base/background.h"
#include "secrets/crypto.h"

struct work {
	struct arena *arena;
	struct text password, hash;
	bool fits;
};

static void
hash(void *data)
{
	struct work *work = data;

	work->hash = crypto_password_hash(work->arena, work->password);
}

static void
compare(void *data)
{
	struct work *work = data;

	work->fits = crypto_password_fits(work->hash, work->password);
}

static enum http_status
run(struct page *page, void (*job)(void *data), struct work *work)
{
	return background_run(page->app->background, job, work)
	    ? HTTP_OK
	    : page_refuse(page, REASON_BUSY);
}

enum http_status
password_hash(struct page *page, struct text password, struct text *made)
{
	struct work work = { .arena = page->arena, .password = password };
	enum http_status status = run(page, hash, &work);

	*made = work.hash;
	return status;
}

enum http_status
password_compare(
    struct page *page, struct text known, struct text password, bool *fits)
{
	struct work work = { .password = password, .hash = known };
	enum http_status status = run(page, compare, &work);

	*fits = work.fits;
	return status;
}
