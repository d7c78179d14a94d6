/*
 * The table of routes: a row for each page, with what guards it. A file that includes it
 * defines the kinds of rows first; they are undefined at its end.
 *
 *	PAGE(path, access, query, page)		a GET
 *	FEED(path, access, query, page)		a GET of path.atom and path.json (pages/feed.h)
 *	ACTION(path, access, limit, action)	a POST
 *	UPLOAD(path, access, limit, action)	an ACTION whose form may have files
 *	FORM(path, sees, sends, query, limit, form, action)	both, with one form
 *	PREPARED_ACTION(path, access, limit, prepare, action)	an ACTION, and
 *	PREPARED_FORM(path, sees, sends, query, limit, prepare, form, action)	a FORM,
 *		of which something is parsed before the session is looked up
 *
 * access  For a form, one level to see it and one to send it.
 *         ANY_HOST    PUBLIC, and answered whatever host was asked for.
 *         PUBLIC      The same for every reader: no session is looked up, so members get
 *                     it while Redis is out.
 *         ANYONE      Members and visitors.
 *         LEAVERS     The same, but a POST has the token of a session, which may have
 *                     ended; without one, no token.
 *         MEMBERS, MODERATORS, OWNERS
 *                     Who is signed in, with at least that role.
 *         GROUP_MODERATORS
 *                     Who moderates the group of the path, ":name": its own moderators, and
 *                     those of the site in each group. The page has the group.
 *         Every POST needs the right origin and token, whatever its row says: the token
 *         of the session, and for ANYONE that of a cookie set with the form.
 * query   The names that the address may have behind its '?', with a space between; one
 *         that ends in '*' stands for all that begin so. A GET with any other, or in
 *         another spelling, is redirected to the canonical address, so that a page does not
 *         have many addresses, or a very long one.
 * limit   The rate limit of a POST (store/rules.h), or LIMIT_NONE: of the member, and
 *         with ANYONE of the network.
 * prepare A function that parses what the session's round trip or the log-in page needs, or has that
 *         round trip read more.
 *         Its status, unless HTTP_OK, is the answer once access is checked.
 * page, action  The function that answers; it returns the HTTP status.
 * form    Shows the form with what was typed and, with a status from 400 on, why it was
 *         refused, so that nothing is lost: also when a guard or Redis refused it.
 *
 * The first row that fits is taken; the most requested rows come first. A part of the
 * path that begins with ':' is any text without a '/': one of request->path_values.
 */
PAGE("/", ANYONE, "order page from", list_front_page)
/* The same action for all buttons of a list: its rows share one form. */
PREPARED_FORM("/vote", MEMBERS, MEMBERS,
    "up down none save unsave hide unhide hide_author mute return_to", LIMIT_VOTE,
    vote_prepare, vote_form, vote_action)
PREPARED_ACTION(
    "/articles/:id/vote", MEMBERS, LIMIT_VOTE, vote_prepare, vote_action)
PREPARED_ACTION(
    "/articles/:id/save", MEMBERS, LIMIT_VOTE, saved_prepare, saved_action)
PAGE("/articles/:id", ANYONE, "order page from fold comment", article_page)
FEED("/articles/:id", ANYONE, "least", article_feed)

/* The front page's feed has what became interesting, which nobody reads twice. */
FEED("/index", ANYONE, "least link", list_interesting_page)
PAGE("/interesting", ANYONE, "page from", list_interesting_page)
FEED("/interesting", ANYONE, "least link", list_interesting_page)
PAGE("/new", ANYONE, "page from", list_new_page)
FEED("/new", ANYONE, "least link", list_new_page)
PAGE("/articles", ANYONE, "order page", list_articles_page)
PAGE("/best/:period", ANYONE, "page from", list_best_page)
PAGE("/day", ANYONE, "", list_today_page)
PAGE("/day/:date", ANYONE, "order page from", list_day_page)
PAGE("/all", ANYONE, "order page from", list_all_page)
PAGE("/home", MEMBERS, "order period page from", list_home_page)
FEED("/home", MEMBERS, "least link key", list_home_page)
ACTION("/g/:name/follow", MEMBERS, LIMIT_EDIT, follow_action)
ACTION("/settings/front", MEMBERS, LIMIT_EDIT, follow_front_action)
PAGE("/front", ANYONE, "hour", front_hour_choose_page)
PAGE("/front/:hour", ANYONE, "", front_hour_page)
FORM("/g", ANYONE, MEMBERS, "match g-*", LIMIT_NONE, groups_combine_form,
    groups_choose_action)
PAGE("/g/:names", ANYONE, "order period match page from", list_group_page)
FEED("/g/:names", ANYONE, "match least link", list_group_page)
PAGE("/u/:name", ANYONE, "order page from", list_member_page)
FEED("/u/:name", ANYONE, "least link", list_member_page)
PAGE("/from/:host", ANYONE, "order page from", list_publisher_page)
FEED("/from/:host", ANYONE, "least link", list_publisher_page)
PAGE("/from/:host/:part", ANYONE, "order page from", list_publisher_page)
FEED("/from/:host/:part", ANYONE, "least link", list_publisher_page)
PAGE("/comments", ANYONE, "page from", comments_page)
FEED("/comments", ANYONE, "least", comments_page)
PAGE("/search", ANYONE, "in q order page from", search_page)
FEED("/search", MEMBERS, "q key", search_feed)
PAGE("/search/help", ANYONE, "", search_help_page)
PAGE("/u/:name/comments", ANYONE, "page from", comments_member_page)
FEED("/u/:name/comments", ANYONE, "least", comments_member_page)

PREPARED_FORM("/articles/:id/comments", ANYONE, MEMBERS, "", LIMIT_NONE,
    reply_prepare, reply_sent_form, reply_action)
PAGE("/articles/:id/reply", MEMBERS, "parent order", reply_page)
PAGE("/articles/:id/comments/:comment", ANYONE, "page from", comment_page)
PREPARED_ACTION("/articles/:id/comments/:comment/vote", MEMBERS, LIMIT_VOTE,
    vote_prepare, vote_action)
PREPARED_ACTION("/articles/:id/comments/:comment/save", MEMBERS, LIMIT_VOTE,
    saved_prepare, saved_action)
FORM("/articles/:id/comments/:comment/edit", MEMBERS, MEMBERS, "", LIMIT_NONE,
    reply_edit_form, reply_edit_action)
ACTION("/articles/:id/comments/:comment/delete", MEMBERS, LIMIT_EDIT,
    reply_delete_action)
ACTION("/articles/:id/comments/:comment/flag", MEMBERS, LIMIT_FLAG, flag_action)

PAGE("/inbox", MEMBERS, "page from", inbox_page)
FEED("/inbox", MEMBERS, "key", inbox_feed)
PAGE("/inbox/:number", MEMBERS, "", inbox_notice_page)
ACTION("/inbox/read", MEMBERS, LIMIT_NONE, inbox_read_action)
PAGE("/saved", MEMBERS, "page", saved_page)
FORM("/u/:name/votes", MEMBERS, MEMBERS, "page", LIMIT_EDIT, vote_history_form,
    vote_history_action)
ACTION("/articles/:id/mute", MEMBERS, LIMIT_EDIT, inbox_mute_article_action)
FORM("/hidden", MEMBERS, MEMBERS, "", LIMIT_EDIT, hidden_form, hidden_action)
ACTION("/articles/:id/hide", MEMBERS, LIMIT_EDIT, hidden_set_action)
ACTION("/u/:name/hide", MEMBERS, LIMIT_EDIT, hidden_set_action)
ACTION("/g/:name/hide", MEMBERS, LIMIT_EDIT, hidden_set_action)
ACTION("/from/:host/hide", MEMBERS, LIMIT_EDIT, hidden_set_action)
ACTION("/from/:host/:part/hide", MEMBERS, LIMIT_EDIT, hidden_set_action)

PREPARED_FORM("/submit", MEMBERS, MEMBERS, "title url text groups g-*",
    LIMIT_POST, submit_prepare, submit_form, submit_action)
FORM("/articles/:id/groups", ANYONE, MEMBERS, "", LIMIT_GROUP,
    article_groups_form, article_groups_action)
FORM("/articles/:id/edit", MEMBERS, MEMBERS, "", LIMIT_EDIT, edit_form,
    edit_action)
ACTION("/articles/:id/withdraw", MEMBERS, LIMIT_EDIT, edit_withdraw_action)
ACTION("/articles/:id/flag", MEMBERS, LIMIT_FLAG, flag_action)

PAGE("/moderation", MODERATORS, "page", mod_queue_page)
FEED("/moderation", MODERATORS, "key", mod_queue_page)
PAGE("/moderation/rings", MODERATORS, "", mod_rings_page)
ACTION("/moderation/rings/members", MODERATORS, LIMIT_NONE, mod_rings_members_action)
FORM("/moderation/hosts", MODERATORS, MODERATORS, "host reason articles before", LIMIT_NONE,
    mod_hosts_form, mod_hosts_action)
/* Posts selected in the queue or a list, whose forms have the buttons of lists as well. */
PREPARED_ACTION("/moderation/posts", MODERATORS, LIMIT_NONE, mod_batch_prepare,
    mod_batch_action)
ACTION("/articles/:id/remove", MODERATORS, LIMIT_NONE, mod_queue_remove_action)
ACTION(
    "/articles/:id/restore", MODERATORS, LIMIT_NONE, mod_queue_restore_action)
ACTION(
    "/articles/:id/dismiss", MODERATORS, LIMIT_NONE, mod_queue_dismiss_action)
ACTION("/articles/:id/void", MODERATORS, LIMIT_NONE, mod_queue_void_action)
ACTION("/articles/:id/again", MODERATORS, LIMIT_NONE, again_action)
ACTION("/articles/:id/thread", MODERATORS, LIMIT_NONE, mod_queue_thread_action)
ACTION("/articles/:id/comments/:comment/remove", MODERATORS, LIMIT_NONE,
    mod_queue_remove_action)
ACTION("/articles/:id/comments/:comment/restore", MODERATORS, LIMIT_NONE,
    mod_queue_restore_action)
ACTION("/articles/:id/comments/:comment/dismiss", MODERATORS, LIMIT_NONE,
    mod_queue_dismiss_action)
ACTION("/articles/:id/comments/:comment/void", MODERATORS, LIMIT_NONE,
    mod_queue_void_action)
FORM("/groups/:name", GROUP_MODERATORS, GROUP_MODERATORS, "", LIMIT_NONE,
    mod_groups_form, mod_groups_action)
FORM("/g/:name/moderators", ANYONE, OWNERS, "", LIMIT_LOGIN,
    group_moderators_form, group_moderators_action)
PAGE("/g/:name/moderation", GROUP_MODERATORS, "page", group_articles_queue_page)
ACTION("/g/:name/articles/:id", GROUP_MODERATORS, LIMIT_EDIT,
    group_articles_action)
ACTION("/g/:name/resign", GROUP_MODERATORS, LIMIT_EDIT,
    group_moderators_resign_action)
FORM("/u/:name/suspend", MODERATORS, MODERATORS, "", LIMIT_NONE,
    mod_members_suspend_form, mod_members_suspend_action)
FORM("/u/:name/contain", MODERATORS, MODERATORS, "", LIMIT_NONE, contain_form,
    contain_action)
ACTION("/u/:name/contain/undo", MODERATORS, LIMIT_NONE, contain_undo_action)
ACTION("/u/:name/void", MODERATORS, LIMIT_NONE, contain_votes_action)
ACTION("/u/:name/note", MODERATORS, LIMIT_EDIT, mod_notes_action)
ACTION("/u/:name/about", MODERATORS, LIMIT_NONE, member_about_empty_action)
ACTION("/u/:name/vouch", MODERATORS, LIMIT_NONE, mod_members_vouch_action)
ACTION("/u/:name/role", OWNERS, LIMIT_LOGIN, mod_members_role_action)
ACTION("/u/:name/recover", OWNERS, LIMIT_LOGIN, mod_members_recover_action)
PAGE("/members", ANYONE, "member page", mod_members_page)
PAGE("/log", ANYONE, "kind member moderator page", mod_log_page)
FEED("/log", ANYONE, "", mod_log_page)
PAGE("/log/:id", MODERATORS, "page", mod_log_decision_page)

FORM(
    "/groups", ANYONE, MEMBERS, "page", LIMIT_GROUP, groups_form, groups_action)

PREPARED_FORM("/register", ANYONE, ANYONE,
    "return_to up down none save unsave invite", LIMIT_LOGIN, account_prepare,
    account_register_form, account_register_action)
FORM("/apply", ANYONE, ANYONE, "", LIMIT_LOGIN, apply_form, apply_action)
ACTION("/u/:name/accept", MODERATORS, LIMIT_NONE, apply_accept_action)
ACTION("/u/:name/decline", MODERATORS, LIMIT_NONE, apply_decline_action)
/* The action counts by itself: browsers that have logged in before apart from others. */
PREPARED_FORM("/login", ANYONE, ANYONE, "return_to up down none save unsave",
    LIMIT_NONE, account_prepare, account_login_form, account_login_action)
PREPARED_FORM("/login/code", ANYONE, ANYONE,
    "return_to up down none save unsave", LIMIT_NONE, account_prepare,
    second_factor_login_form, second_factor_login_action)
FORM(
    "/recover", ANYONE, ANYONE, "", LIMIT_LOGIN, recovery_form, recovery_action)
/* The button of pages/visitors.h. */
FORM("/visit", ANYONE, ANYONE, "return_to", LIMIT_VISIT, visit_form,
    visit_action)
PAGE("/settings", MEMBERS, "", settings_page)
/* Of a one-time link, whose last part is a secret; and the address to come back to it by. */
FORM("/link/:code", ANYONE, MEMBERS, "", LIMIT_LOGIN, one_time_link_form,
    one_time_link_action)
FORM("/link/:code/password", ANYONE, ANYONE, "", LIMIT_LOGIN,
    recovery_link_form, recovery_link_action)
PAGE("/link", ANYONE, "", one_time_link_resume_page)
FORM("/settings/site", OWNERS, OWNERS, "", LIMIT_NONE, owner_form, owner_action)
UPLOAD("/settings/site/:image", OWNERS, LIMIT_NONE, owner_image_action)
ACTION("/settings/invite", MEMBERS, LIMIT_INVITE, settings_invite_action)
ACTION("/settings/export", MEMBERS, LIMIT_EXPORT, export_action)
FORM("/settings/feeds", MEMBERS, MEMBERS, "", LIMIT_LOGIN, settings_feeds_form,
    settings_feeds_action)
ACTION("/settings/scores", MEMBERS, LIMIT_EDIT, settings_scores_action)
FORM("/settings/about", MEMBERS, MEMBERS, "", LIMIT_EDIT, member_about_form,
    member_about_action)
ACTION("/settings/hot", MEMBERS, LIMIT_EDIT, settings_hot_action)
ACTION("/settings/language", MEMBERS, LIMIT_EDIT, settings_language_action)
FORM("/settings/password", MEMBERS, MEMBERS, "", LIMIT_LOGIN,
    settings_password_form, settings_password_action)
FORM("/settings/codes", MEMBERS, MEMBERS, "", LIMIT_LOGIN, recovery_codes_form,
    recovery_codes_action)
FORM("/settings/second-factor", MEMBERS, MEMBERS, "", LIMIT_LOGIN,
    second_factor_form, second_factor_action)
ACTION("/settings/sessions", MEMBERS, LIMIT_LOGIN, settings_sessions_action)
FORM("/settings/close", MEMBERS, MEMBERS, "", LIMIT_LOGIN, close_account_form,
    close_account_action)
ACTION("/logout", LEAVERS, LIMIT_NONE, account_logout_action)
ACTION("/dismiss", LEAVERS, LIMIT_NONE, announcement_dismiss_action)

PAGE("/about", ANYONE, "", about_page)
PAGE("/rules", ANYONE, "", about_rules_page)
PAGE("/base.css", PUBLIC, "v", owner_base_style_page)
PAGE("/site.css", PUBLIC, "v", owner_style_page)
PAGE("/logo.png", PUBLIC, "v", owner_logo_page)
PAGE("/icon.png", PUBLIC, "v", owner_icon_page)
PAGE("/robots.txt", PUBLIC, "", sitemap_robots_page)
PAGE("/opensearch.xml", PUBLIC, "", search_description_page)
PAGE("/sitemap.xml", PUBLIC, "page", sitemap_page)
PAGE("/.well-known/change-password", ANYONE, "", settings_change_page)
PAGE("/healthz", ANY_HOST, "", about_health_page)
PAGE("/readyz", ANY_HOST, "", about_ready_page)

#undef PAGE
#undef FEED
#undef ACTION
#undef UPLOAD
#undef FORM
#undef PREPARED_ACTION
#undef PREPARED_FORM
