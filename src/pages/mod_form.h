/*
 * What moderators do in forms: who does it and why, and where the answer leads.
 */
#pragma once

#include "pages/page.h"
#include "store/user.h"

/* By the viewer, for the reason that was sent, if any. HTTP_UNPROCESSABLE, with a
 * sentence, when it breaks its rule. */
enum http_status mod_form_read(struct page *page, struct mod_action *act);

/* The member or article of the path; HTTP_NOT_FOUND when there is none. */
enum http_status path_member(struct page *page, struct user *user);
enum http_status path_article(struct page *page, struct article *article);

/* The post of the path, an article or a comment. */
enum http_status path_post(struct page *page, struct post *post);

/* A moderator has a say about members, an owner about moderators, too; nobody about
 * themselves. */
bool mod_form_may_judge(const struct page *page, const struct user *user);

/*
 * Whether the viewer may judge a post: nobody judges what is their own, or their better's,
 * or undoes what a better has done; by is who did that, or nobody. Unless nobody else may,
 * who is let in: then *alone is set, which an act says. HTTP_FORBIDDEN.
 */
enum http_status mod_form_judge_post(
    struct page *page, const struct post *post, uint64_t by, bool *alone);

/* Where the form was, or otherwise; or what the store says. */
enum http_status page_finish(
    struct page *page, enum store_result result, struct text otherwise);

/*
 * What is worth the password once more (ASVS 5.0, 7.5.3 and 8.3.1) asks for it when the
 * viewer has logged in longer ago than PASSWORD_FRESH_SECONDS seconds: HTTP_FORBIDDEN unless the
 * form has it.
 */
enum { PASSWORD_FRESH_SECONDS = 900 };
bool password_is_needed(const struct page *page);
enum http_status password_confirm(struct page *page);
