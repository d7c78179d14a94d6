/*
 * Taking articles out of groups, and putting them back: what a group's moderators may do with
 * the articles that are filed in it.
 */
#pragma once

#include "pages/page.h"
#include "store/article.h"

/* The buttons of an article's page, in rows of struct barrier_row: to take it out of its groups,
 * and to put it back into those that it was taken out of. None for its author, and none of
 * groups that cannot be reached: then the page is partial. */
void group_articles_barriers(struct page *page, const struct article *article,
    struct mustache_list *rows);
