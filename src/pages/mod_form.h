/*
 * What moderators' forms have in common: the reason, and whom and what they may judge.
 */
#pragma once

#include "pages/page.h"
#include "store/user.h"

/* An action by the viewer in this request. */
struct mod_action mod_form_action(const struct page *page, struct text reason);

/* The same with the reason that was sent, if any. HTTP_UNPROCESSABLE, with a sentence,
 * when the reason breaks its rule. */
enum http_status mod_form_read(struct page *page, struct mod_action *action);

/* Moderators may act on members, owners also on moderators, nobody on themselves. */
bool mod_form_may_judge(const struct page *page, const struct user *user);

/*
 * Whether the viewer may judge a post. HTTP_FORBIDDEN for one that is their own, or by a
 * member of a higher role, and to undo the action of one (by; 0: of none).
 * Where no other member could, who is not suspended, they may: then *alone is set, which
 * the log says.
 */
enum http_status mod_form_judge_post(
    struct page *page, const struct post *post, uint64_t by, bool *alone);
