/*
 * THE table of routes: a row for each page, and what guards it.
 *
 *	ROUTE(method, path, access, page, refused)
 *
 * access   ANYONE, MEMBERS or MODERATORS. A POST is answered only with the right
 *          origin and token, whatever its row says: of the session, and for
 *          ANYONE of a cookie that the form's page has set.
 * page     the function that answers; it returns the HTTP status.
 * refused  how to answer when the row's guard or Redis said no: PLAINLY with the
 *          error's page, or a function that shows what was typed as well.
 *
 * A part of the path that begins with ':' is any text without a '/', which the
 * page finds among request->path_values.
 */
ROUTE(GET, "/", ANYONE, list_front_page, PLAINLY)
ROUTE(GET, "/interesting", ANYONE, list_interesting_page, PLAINLY)
ROUTE(GET, "/g/:names", ANYONE, list_group_page, PLAINLY)
ROUTE(GET, "/u/:name", ANYONE, list_member_page, PLAINLY)

ROUTE(GET, "/submit", MEMBERS, submit_page, PLAINLY)
ROUTE(POST, "/submit", MEMBERS, submit_action, submit_refused)
ROUTE(GET, "/articles/:id", ANYONE, article_page, PLAINLY)
ROUTE(POST, "/articles/:id/vote", MEMBERS, article_vote_action, PLAINLY)
ROUTE(POST, "/articles/:id/groups", MEMBERS, article_file_action, PLAINLY)
ROUTE(POST, "/articles/:id/remove", MODERATORS, article_remove_action, PLAINLY)
ROUTE(POST, "/articles/:id/restore", MODERATORS, article_restore_action, PLAINLY)

ROUTE(GET, "/groups", ANYONE, groups_page, PLAINLY)
ROUTE(POST, "/groups", MEMBERS, groups_action, PLAINLY)

ROUTE(GET, "/register", ANYONE, account_register_page, PLAINLY)
ROUTE(POST, "/register", ANYONE, account_register_action, PLAINLY)
ROUTE(GET, "/login", ANYONE, account_login_page, PLAINLY)
ROUTE(POST, "/login", ANYONE, account_login_action, PLAINLY)
ROUTE(POST, "/logout", MEMBERS, account_logout_action, PLAINLY)

ROUTE(GET, "/about", ANYONE, about_page, PLAINLY)
ROUTE(GET, "/healthz", ANYONE, health_page, PLAINLY)
