/* What other pages do with the viewer's inbox. */
#pragma once

#include "pages/page.h"

/* Mutes the thread of a post, for a button beside it. */
enum http_status inbox_mute_post(struct page *page, struct post_id id);
