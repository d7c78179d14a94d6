#include "cli/members.h"

#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/crypto.h"
#include "base/event.h"
#include "base/log.h"
#include "base/password.h"
#include "server/assets.h"
#include "server/link_print.h"
#include "store/account_status.h"
#include "store/close_account.h"
#include "store/settings.h"
#include "store/site.h"
#include "views/format.h"
#include "views/messages.h"

/* Finds the member named by the first argument; false, and logged, on failure. */
static bool
find_member(const struct task *task, struct user *user)
{
	const char *name = task->line->words[0];
	enum store_result result =
	    user_find(task->store, task->arena, text_of(name), user);

	if (result == STORE_ABSENT)
		log_line("there is no member %s", name);
	return result == STORE_ABSENT ? false : task_succeeded(result);
}

static int
set_role(const struct task *task)
{
	struct text word = text_of(task->line->words[1]);
	enum role role;
	struct user user;

	if (!role_parse(word, &role) || !find_member(task, &user) ||
	    !task_succeeded(account_appoint(task->store, task->arena, &user,
		role, (struct mod_action){ .id = 0 })))
		return 1;
	printf("%.*s is now %s %.*s\n", TEXT_ARGS(user.name),
	    role == ROLE_OWNER ? "an" : "a", TEXT_ARGS(word));
	return 0;
}

int
members_role(const struct command_line *line)
{
	enum role role;

	if (role_parse(text_of(line->words[1]), &role))
		return task_run(line, TASK_EXISTING, set_role);
	log_line("the role must be member, moderator or owner, not \"%s\"",
	    line->words[1]);
	return 1;
}

static int
print_owner_link(const struct task *task)
{
	enum store_result result =
	    link_print_owner(task->store, task->arena, task->config);

	if (result == STORE_TAKEN)
		log_line("the site has an owner: tally user role NAME owner "
			 "makes a member another one");
	return result != STORE_TAKEN && task_succeeded(result) ? 0 : 1;
}

int
members_owner_link(const struct command_line *line)
{
	return task_run(line, TASK_EXISTING, print_owner_link);
}

static int
print_recovery_link(const struct task *task)
{
	enum one_time_link_factor factor =
	    task->line->count > 1 ? FACTOR_IS_TURNED_OFF : FACTOR_STAYS;
	enum store_result result;
	struct user user;

	if (!find_member(task, &user))
		return 1;
	result = link_print_recovery(
	    task->store, task->arena, task->config, &user, factor);
	if (result == STORE_ABSENT)
		log_line("the account is closed");
	if (result == STORE_SUSPENDED)
		log_line("the member is suspended: tally user readmit NAME "
			 "ends that");
	return result != STORE_ABSENT && result != STORE_SUSPENDED &&
		task_succeeded(result)
	    ? 0
	    : 1;
}

int
members_recover(const struct command_line *line)
{
	if (line->count == 1 || strcmp(line->words[1], "factor") == 0)
		return task_run(line, TASK_EXISTING, print_recovery_link);
	log_line(
	    "what is turned off must be factor, not \"%s\"", line->words[1]);
	return 1;
}

/* Reads a line of standard input, without echo on a terminal. */
static struct text
read_password(struct arena *arena)
{
	struct termios shown, hidden;
	char line[RULE_PASSWORD_MAX + 2];
	bool typed = tcgetattr(STDIN_FILENO, &shown) == 0;
	char *got;

	if (typed) {
		fputs("New password: ", stderr);
		hidden = shown;
		hidden.c_lflag &= ~(tcflag_t)ECHO;
		tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
	}
	got = fgets(line, sizeof(line), stdin);
	if (typed) {
		tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown);
		fputc('\n', stderr);
	}
	if (got == NULL)
		return (struct text){ NULL, 0 };
	line[strcspn(line, "\n")] = '\0';
	return text_copy(arena, text_of(line));
}

/* False, and logged, when the password breaks a rule or could not be checked. */
static bool
check_password(
    const struct task *task, const struct user *user, struct text password)
{
	struct password_context context = { .user = user->name };
	struct settings settings;
	struct problem problem;

	if (!assets_open_passwords(
		task->arena, task->config, &context.breached) ||
	    settings_get(task->store, task->arena, &settings) != STORE_OK)
		return false;
	context.site = settings.name;
	problem = rule_new_password(password, &context);
	password_file_close(context.breached);
	if (problem.kind != PROBLEM_NONE)
		log_line(
		    "%.*s", TEXT_ARGS(message_problem(task->arena, &problem)));
	return problem.kind == PROBLEM_NONE;
}

static int
set_password(const struct task *task)
{
	struct text password;
	struct user user;

	if (!find_member(task, &user))
		return 1;
	password = read_password(task->arena);
	if (!check_password(task, &user, password) ||
	    !task_succeeded(user_set_password(task->store, task->arena, user.id,
		TEXT(""), crypto_password_hash(task->arena, password))))
		return 1;
	event_log(&(struct event){
	    .name = EVENT_PASSWORD_CHANGED, .subject = user.id });
	printf("%.*s has a new password and is logged out everywhere\n",
	    TEXT_ARGS(user.name));
	return 0;
}

int
members_password(const struct command_line *line)
{
	return task_run(line, TASK_EXISTING, set_password);
}

static int
suspend_member(const struct task *task)
{
	const struct command_line *line = task->line;
	struct mod_action action = { .reason = task_argument(task, 2) };
	struct text word = task_argument(task, 1), until;
	int64_t now, end = USER_SUSPENDED_FOREVER;
	uint64_t days = 0;
	struct user user;

	if (!task_check_value(task, rule_days, &word, line->words[1]) ||
	    !task_check_value(
		task, rule_reason, &action.reason, "the reason") ||
	    !find_member(task, &user) ||
	    !task_succeeded(site_time(task->store, task->arena, &now)))
		return 1;
	text_to_u64(word, &days);
	if (days > 0)
		end = now + (int64_t)days * 86400;
	if (!task_succeeded(
		account_suspend(task->store, task->arena, &user, end, action)))
		return 1;
	until = days > 0 ? text_join(task->arena, TEXT("until "),
			       format_moment(task->arena, end))
			 : TEXT("permanently");
	printf("%.*s is suspended %.*s and is logged out everywhere\n",
	    TEXT_ARGS(user.name), TEXT_ARGS(until));
	return 0;
}

int
members_suspend(const struct command_line *line)
{
	return task_run(line, TASK_EXISTING, suspend_member);
}

static int
readmit_member(const struct task *task)
{
	struct mod_action action = { .reason = task_argument(task, 1) };
	struct user user;

	if (!task_check_value(
		task, rule_reason, &action.reason, "the reason") ||
	    !find_member(task, &user) ||
	    !task_succeeded(
		account_readmit(task->store, task->arena, &user, action)))
		return 1;
	printf("%.*s can log in again\n", TEXT_ARGS(user.name));
	return 0;
}

int
members_readmit(const struct command_line *line)
{
	return task_run(line, TASK_EXISTING, readmit_member);
}

/* Reads which data to erase as well: "name" and "texts". */
static bool
read_close_options(const struct command_line *line, unsigned *erased)
{
	*erased = CLOSE_ACCOUNT_ERASE_NOTHING;
	for (int i = 1; i < line->count; i++) {
		if (strcmp(line->words[i], "name") == 0)
			*erased |= CLOSE_ACCOUNT_ERASE_NAME;
		else if (strcmp(line->words[i], "texts") == 0)
			*erased |= CLOSE_ACCOUNT_ERASE_TEXTS;
		else {
			log_line(
			    "the data to erase must be name or texts, not \"%s\"",
			    line->words[i]);
			return false;
		}
	}
	return true;
}

static int
close_account_command(const struct task *task)
{
	struct user user;
	unsigned erased;

	if (!read_close_options(task->line, &erased) ||
	    !find_member(task, &user) ||
	    !task_succeeded(
		close_account(task->store, task->arena, &user, erased)))
		return 1;
	event_log(&(struct event){
	    .name = EVENT_ACCOUNT_CLOSED, .subject = user.id });
	printf("%.*s’s account is closed\n", TEXT_ARGS(user.name));
	return 0;
}

int
members_close(const struct command_line *line)
{
	return task_run(line, TASK_EXISTING, close_account_command);
}
