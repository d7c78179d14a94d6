/*
 * Reads what the path of a request names: the article of ":id", its comment of ":comment",
 * the member of ":name".
 *
 * Where a function returns a status, one other than HTTP_OK is the page's answer.
 */
#pragma once

#include "pages/page.h"
#include "store/comment.h"
#include "store/user.h"

/* The ids alone; false when they are not in the path, or no ids. */
bool path_post_id(const struct page *page, struct post_id *id);

/* An article and, of its comments, one or none (number 0). */
struct found_post {
	struct article article;
	struct comment comment;
	int64_t now; /* Unix seconds, Redis's clock */
};

/* Both as the viewer sees them. The comments of a removed article are not read: *found
 * is then as without a comment. */
STORE_CALL path_get_post(
    struct page *page, struct post_id id, struct found_post *found);

/* The same with the article and comment of the path. */
enum http_status path_read_post(struct page *page, struct found_post *found);

enum http_status path_article(struct page *page, struct article *article);
enum http_status path_member(struct page *page, struct user *user);

/* The fields that articles and comments share; of a comment its article is not read. */
enum http_status path_post(struct page *page, struct post *post);
