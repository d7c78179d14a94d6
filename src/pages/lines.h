/*
 * The lines of a list as HTML, and what a worker keeps of them: for members each
 * line, and for all others the lines together, which are the same for all of
 * them. What is kept was rendered by a bare view, so it has nothing of the reader
 * for whom it was made, and its key holds all that its model is made from.
 */
#ifndef PAGES_LINES_H
#define PAGES_LINES_H

#include "lists/list.h"
#include "pages/page.h"

struct mustache_html lines_html(struct page *page, const struct list *list);

#endif
