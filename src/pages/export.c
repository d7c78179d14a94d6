/* The button in the settings that downloads all that is one's own. */
#include "archive/member_dump.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "lists/merge.h"
#include "pages/page.h"

/* So much of a document, which is in memory until it is sent. "tally dump --member" has no such
 * end. */
enum { EXPORT_BYTES = 4 * 1024 * 1024 };

static bool
add_part(void *data, struct text part)
{
	buffer_add(data, part);
	return true;
}

/* Reading it is as slow as an expensive list, so no more of both are read at a time. */
static enum store_result
write_document(struct page *page, struct buffer *document)
{
	const struct member_dump_output output = { add_part, document,
		EXPORT_BYTES };
	struct user user;
	enum store_result result =
	    user_get(page->store, page->arena, page->viewer.id, &user);

	if (result != STORE_OK)
		return result;
	if (!merge_begin_expensive(page->app->expensive))
		return STORE_LIMITED;
	result = member_dump(page->store, &user, &output);
	merge_end_expensive(page->app->expensive);
	return result;
}

enum http_status
export_action(struct page *page)
{
	struct buffer document = buffer_in(page->arena, (size_t)64 * 1024);
	enum store_result result = write_document(page, &document);

	if (result != STORE_OK)
		return page_list_failed(page, result);
	page->response->type = TYPE_JSON;
	page->response->download =
	    text_format(page->arena, "%.*s.json", TEXT_ARGS(page->viewer.name));
	page->response->body = buffer_text(&document);
	return HTTP_OK;
}
