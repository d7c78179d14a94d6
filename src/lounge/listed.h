/*
 * Comments in lists, each a card of its own.
 */
#pragma once

#include "cards/thread.h"
#include "lists/comments.h"
#include "pages/page.h"

/* As struct thread_item; *votable says whether the viewer may vote on any. */
struct mustache_list listed_items(
    struct page *page, const struct comments_page *comments, bool *votable);
