/*
 * A page of an article's comments, as cards, one inside the other.
 *
 * What is folded is remembered in the address: "fold=3.17" is in no cookie and no
 * script, and a link to a page has it as its reader left it.
 */
#pragma once

#include "pages/thread_deal.h"

/* order, page and fold of the query; false when one is not in its form. */
bool thread_read_query(const struct page *page, struct thread_request *request);

/*
 * Reads the page's comments and fills the model. HTTP_NOT_FOUND when the root is not
 * there, and when there is no such page, which page_past_end has told.
 */
enum http_status thread_show(struct page *page,
    const struct thread_request *request, struct thread_model *model);

/* One comment, as it is shown above the form for an answer; closed at its end. */
struct mustache_html thread_single(struct page *page,
    const struct article *article, int64_t now, const struct comment *comment);
