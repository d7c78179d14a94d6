#include "store/one_time_link.h"
#include "pages/cookie.h"
#include "pages/mod_form.h"
#include "pages/page.h"
#include "store/account_status.h"
#include "views/one_time_link.h"

static struct text
code_of(const struct page *page)
{
	return pairs_get(&page->request->path_values, TEXT("code"));
}

static enum http_status
refuse_link(struct page *page, enum store_result result)
{
	if (result == STORE_ABSENT)
		return page_refuse(page, REASON_NO_LINK);
	if (result == STORE_TAKEN)
		return page_refuse(page, REASON_HAS_OWNER);
	return page_failed(page, result);
}

/* STORE_TAKEN when the site has an owner. */
static enum store_result
check_for_owner(struct page *page)
{
	enum store_result result;
	uint64_t *ids;
	size_t count;

	result = user_owners(page->store, page->arena, &ids, &count);
	return result == STORE_OK && count > 0 ? STORE_TAKEN : result;
}

/* The cookie brings a visitor back after logging in, and a member whose session ends before
 * the form is sent. */
static enum http_status
show_owner_link(struct page *page)
{
	struct owner_link_model model = { .code = code_of(page) };
	enum store_result result = check_for_owner(page);

	if (result != STORE_OK)
		return refuse_link(page, result);
	cookie_set_link(page, model.code);
	return page_show_secret(page, HTTP_OK, &owner_link_view, &model);
}

/* A link to recover an account has a form at another address (pages/recovery.c), for whoever
 * follows it. */
enum http_status
one_time_link_form(struct page *page, enum http_status status)
{
	struct one_time_link link;
	enum store_result result;

	if (status != HTTP_OK)
		return status;
	result =
	    one_time_link_find(page->store, page->arena, code_of(page), &link);
	if (result != STORE_OK)
		return refuse_link(page, result);
	return link.kind == ONE_TIME_LINK_RECOVERY
	    ? recovery_link_form(page, HTTP_OK)
	    : show_owner_link(page);
}

/* An owner may have sent it twice, or not have received the answer. */
enum http_status
one_time_link_action(struct page *page)
{
	struct one_time_link link;
	enum store_result result = STORE_OK;

	if (!one_time_link_parse(page->arena, code_of(page), &link) ||
	    link.kind != ONE_TIME_LINK_OWNER)
		return refuse_link(page, STORE_ABSENT);
	if (page->viewer.role != ROLE_OWNER)
		result = account_become_owner(page->store, page->arena,
		    &page->viewer, &link, mod_form_action(page, TEXT("")));
	if (result != STORE_OK)
		return refuse_link(page, result);
	cookie_set_link(page, TEXT(""));
	cookie_set_note(page, NOTE_OWNER);
	return page_redirect(page, TEXT("/settings/site"));
}

enum http_status
one_time_link_resume_page(struct page *page)
{
	struct text code = cookie_link(page);
	struct one_time_link link;

	if (!one_time_link_parse(page->arena, code, &link))
		return refuse_link(page, STORE_ABSENT);
	return page_redirect(page,
	    text_format(page->arena, "%.*s/%.*s", TEXT_ARGS(PAGE_LINK),
		TEXT_ARGS(code)));
}
