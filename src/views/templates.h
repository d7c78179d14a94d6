/*
 * The table of views: a row for each template that is rendered by itself, of that name.
 * The including file defines the two kinds of rows.
 *
 *	VIEW(name, model)		name_view, a page; no_model: it needs the layout's alone
 *	FRAGMENT(name, model, room)	name_view, a part of pages, and its usual bytes
 *
 * src/tools/view_types.awk reads it, too.
 */
/* clang-format off */
FRAGMENT(article_row, article_row_model, 1536)
FRAGMENT(overlooked_row, article_row_model, 1536)
FRAGMENT(comment, comment_model, 2048)
FRAGMENT(comment_items, comment_items_model, 32768)
FRAGMENT(inbox_comments, inbox_comments_model, 32768)
FRAGMENT(list_rows, list_rows_model, 32768)
FRAGMENT(snippet, snippet_model, 1024)
FRAGMENT(feed_article, feed_article_model, 2048)
FRAGMENT(feed_comment, feed_comment_model, 2048)
FRAGMENT(mod_log_entry, mod_log_row, 1024)

VIEW(front, list_model)
VIEW(home, list_model)
VIEW(day, list_model)
VIEW(interesting, list_model)
VIEW(group, list_model)
VIEW(member, list_model)
VIEW(from, list_model)
VIEW(groups, groups_model)
VIEW(front_hour, front_hour_model)

VIEW(article, article_model)
VIEW(submit, submit_model)
VIEW(edit, edit_model)
VIEW(vote, vote_model)

VIEW(search, search_model)
VIEW(search_help, no_model)
VIEW(opensearch, opensearch_model)

VIEW(comments, comments_model)
VIEW(comment_page, comment_page_model)
VIEW(reply, reply_model)
VIEW(reply_edit, reply_model)
VIEW(inbox, inbox_model)
VIEW(hidden, hidden_model)
VIEW(saved, own_rows_model)
VIEW(vote_history, own_rows_model)

VIEW(register, account_model)
VIEW(login, account_model)
VIEW(apply, apply_model)
VIEW(settings, settings_model)
VIEW(close_account, close_account_model)
VIEW(owner, owner_model)
VIEW(owner_link, owner_link_model)
VIEW(recover, recovery_model)
VIEW(recovery_link, recovery_link_model)
VIEW(recovery_codes, recovery_codes_model)
VIEW(login_code, login_code_model)
VIEW(second_factor, second_factor_model)
VIEW(member_about, member_about_model)

VIEW(mod_queue, mod_queue_model)
VIEW(group_queue, group_queue_model)
VIEW(mod_batch, mod_batch_model)
VIEW(mod_log, mod_log_model)
VIEW(mod_log_decision, mod_log_decision_model)
VIEW(containment, containment_model)
VIEW(containment_confirm, containment_confirm_model)
VIEW(mod_members, mod_members_model)
VIEW(mod_member, mod_member_model)
VIEW(mod_hosts, mod_hosts_model)
VIEW(mod_groups, mod_groups_model)
VIEW(group_moderators, group_moderators_model)
VIEW(mod_rings, mod_rings_model)

VIEW(about, about_model)
VIEW(rules, rules_model)
VIEW(visit, visit_model)
VIEW(error, error_model)
VIEW(feed, feed_model)
VIEW(sitemap, sitemap_model)
VIEW(robots, no_model)

#undef VIEW
#undef FRAGMENT
