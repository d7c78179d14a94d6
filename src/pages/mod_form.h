/*
 * What moderators' forms have in common: the reason, and the checks of who may act on a
 * member or a post.
 */
#pragma once

#include "pages/page.h"
#include "store/user.h"

/* An action by the viewer in this request. */
struct mod_action mod_form_action(const struct page *page, struct text reason);

/* The reason that was sent: one that was chosen, "because", what was written, or both. */
struct text mod_form_reason(const struct page *page);

/* The same with the reason that was sent, if any. HTTP_UNPROCESSABLE, with a sentence,
 * when the reason breaks its rule. */
enum http_status mod_form_read(struct page *page, struct mod_action *action);

/* The button of a form with several, "do", or what its address says otherwise. Buttons have no
 * addresses of their own: text browsers would send them to that of the form. */
struct text mod_form_choice(const struct page *page, struct text otherwise);

/* Notes that the viewer looks at a post that waits, for other moderators; *other is the name of
 * one who did first (store/looking.h), or empty; the page is partial when that cannot be read. */
void mod_form_note_looking(
    struct page *page, struct post_id id, struct text *other);

/* Moderators may act on members, owners also on moderators, nobody on themselves. */
bool mod_form_may_act_on(const struct page *page, const struct user *user);

/*
 * Checks that the viewer may moderate a post. HTTP_FORBIDDEN if it is their own, if its
 * author has a higher role, or if its present state is the action of a member with a
 * higher role (by; 0: of nobody). Unlike accounts, posts of members of the same role may
 * be moderated. If no other member who is not suspended could do it, the viewer may:
 * then *alone is set, and logged.
 */
enum http_status mod_form_check_post(
    struct page *page, const struct post *post, uint64_t by, bool *alone);
