/*
 * The listing of a list as HTML, and what a worker keeps of it: for members each
 * line, and for visitors the whole, which is the same for all of them. What is
 * kept was rendered by a bare view, so it has nothing of the reader for whom it
 * was made, and its key holds all that its model is made from.
 */
#ifndef PAGES_LINES_H
#define PAGES_LINES_H

#include "pages/page.h"
#include "views/list.h"

/*
 * Reads the list, whose path is base, and renders it: sets the model's listing,
 * and whether the viewer may vote on any of the articles. A listing that is kept
 * is found without reading the list.
 */
STORE_CALL lines_listing(struct page *page, struct list_query *query,
    struct text base, struct list_model *model);

#endif
