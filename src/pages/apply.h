/*
 * Registration by application (store/application.h), as other pages see it.
 */
#pragma once

#include "pages/page.h"
#include "store/application.h"
#include "views/mod_queue.h"

/* Says what has become of an application, to whoever has its name and password. */
enum http_status apply_show_state(
    struct page *page, const struct application *application);

/* Adds those that wait to the first page of the queue. */
STORE_CALL apply_add_waiting(struct page *page, struct mod_queue_model *model);
