#include "views/mod_hosts.h"
#include "pages/form.h"
#include "pages/mod_form.h"

static const struct form_row rows[] = { MOD_HOSTS_INPUTS(FORM_ROW) };
static const struct form form = FORM_OF(rows);

static enum http_status
show_hosts(
    struct page *page, enum http_status status, struct mod_hosts_form *inputs)
{
	struct mod_hosts_model model;
	struct settings settings;

	if (settings_get(page->store, page->arena, &settings) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	model = mod_hosts_model_of(page->arena, settings.hosts);
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
	return result == STORE_OK
	    ? page_redirect(page, TEXT("/moderation/hosts"))
	    : page_failed(page, result);
}
