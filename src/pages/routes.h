/*
 * THE table of routes: a row for each page, and what guards it.
 *
 *	ROUTE(method, path, access, limit, page, refused)
 *
 * access   ANYONE, MEMBERS or MODERATORS. A POST is answered only with the right
 *          origin and token, whatever its row says: of the session, and for
 *          ANYONE of a cookie that the form's page has set.
 * limit    what an answer counts as (store/rules.h), or LIMIT_NONE: for the member,
 *          and with ANYONE for the address.
 * page     the function that answers; it returns the HTTP status.
 * refused  how to answer when the row's guard or Redis said no: PLAINLY with the
 *          error's page, or a function that shows what was typed as well.
 *
 * A part of the path that begins with ':' is any text without a '/', which the
 * page finds among request->path_values.
 */
ROUTE(GET, "/", ANYONE, LIMIT_NONE, list_front_page, PLAINLY)
ROUTE(GET, "/interesting", ANYONE, LIMIT_NONE, list_interesting_page, PLAINLY)
ROUTE(GET, "/g/:names", ANYONE, LIMIT_NONE, list_group_page, PLAINLY)
ROUTE(GET, "/u/:name", ANYONE, LIMIT_NONE, list_member_page, PLAINLY)

ROUTE(GET, "/submit", MEMBERS, LIMIT_NONE, submit_page, PLAINLY)
ROUTE(POST, "/submit", MEMBERS, LIMIT_POST, submit_action, submit_refused)
ROUTE(GET, "/articles/:id", ANYONE, LIMIT_NONE, article_page, PLAINLY)
ROUTE(POST, "/articles/:id/vote", MEMBERS, LIMIT_VOTE, article_vote_action, PLAINLY)
ROUTE(POST, "/articles/:id/groups", MEMBERS, LIMIT_GROUP, article_file_action, PLAINLY)
ROUTE(POST, "/articles/:id/remove", MODERATORS, LIMIT_NONE, article_remove_action, PLAINLY)
ROUTE(POST, "/articles/:id/restore", MODERATORS, LIMIT_NONE, article_restore_action, PLAINLY)

ROUTE(GET, "/groups", ANYONE, LIMIT_NONE, groups_page, PLAINLY)
ROUTE(POST, "/groups", MEMBERS, LIMIT_GROUP, groups_action, PLAINLY)

ROUTE(GET, "/register", ANYONE, LIMIT_NONE, account_register_page, PLAINLY)
ROUTE(POST, "/register", ANYONE, LIMIT_REGISTER, account_register_action, PLAINLY)
ROUTE(GET, "/login", ANYONE, LIMIT_NONE, account_login_page, PLAINLY)
ROUTE(POST, "/login", ANYONE, LIMIT_LOGIN, account_login_action, PLAINLY)
ROUTE(GET, "/settings", MEMBERS, LIMIT_NONE, settings_page, PLAINLY)
ROUTE(POST, "/settings/password", MEMBERS, LIMIT_LOGIN, settings_password_action, PLAINLY)
ROUTE(POST, "/settings/sessions", MEMBERS, LIMIT_NONE, settings_sessions_action, PLAINLY)
ROUTE(POST, "/logout", MEMBERS, LIMIT_NONE, account_logout_action, PLAINLY)

ROUTE(GET, "/about", ANYONE, LIMIT_NONE, about_page, PLAINLY)
ROUTE(GET, "/healthz", ANYONE, LIMIT_NONE, health_page, PLAINLY)
