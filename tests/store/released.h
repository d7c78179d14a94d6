/*
 * The library of the last release: its version, the hash of its text, and the functions
 * that its programs call. With a release this is what the release before was; a function
 * that stands here is registered by today's library, too, because those programs run
 * beside it for a while.
 */
#pragma once

enum { RELEASED_VERSION = 17 };

#define RELEASED_SHA256 \
	"70378d7fba4da1a093360f93161328b7af4ec9fda56cdceec128c51d6d3f2b49"

/* clang-format off */
static const char *const released_functions[] = {
	"act_1", "belongs_1", "check_5", "check_act_1", "check_inbox_1",
	"claim_1", "close_1", "comment_1", "delete_1", "deliver_1", "dismiss_1",
	"disown_1", "dump_4", "edit_2", "file_2", "flag_1", "group_2", "host_1",
	"invite_1", "invited_1", "karma_3", "load_4", "load_act_1",
	"load_mute_1", "load_notice_1", "mute_1", "password_2", "post_5",
	"raise_1", "read_1", "records_1", "remove_3", "restore_3", "rewrite_1",
	"seen_1", "session_3", "settings_2", "settle_1", "site_1", "suspend_1",
	"take_1", "thread_1", "unname_1", "visit_1", "void_1", "vote_3",
	"withdraw_1"
};
/* clang-format on */
