#include "process/commands.h"

#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/crypto.h"
#include "base/log.h"
#include "process/folder.h"
#include "redis/redis.h"
#include "store/site.h"
#include "store/user.h"
#include "views/words.h"

static int
act(struct arena *arena, struct config *config, commands_action *action,
    char **arguments, int count)
{
	struct store store = { .rules = config->rules };
	struct text why = TEXT("Redis does not answer");
	enum store_result result;
	int status = 1;

	store.redis = redis_open(
	    config->redis, config->admin.user, config->admin.password);
	if (store.redis == NULL)
		log_fatal("TALLY_REDIS is unix:/path or host:port");
	result = site_load_functions(&store, arena);
	if (result == STORE_OK)
		result = site_open(&store, arena, &why);
	if (result == STORE_OK)
		status = action(&store, arena, arguments, count);
	else
		log_line("%.*s", TEXT_ARGS(why));
	redis_close(store.redis);
	return status;
}

int
commands_run(struct arena *arena, struct config *config, struct text folder,
    commands_action *action, char **arguments, int count)
{
	struct supervisor *supervisor;
	int status;

	if (config->redis.size > 0)
		return act(arena, config, action, arguments, count);
	folder_enter(arena, folder);
	if (folder_lock() == FOLDER_IN_USE) {
		folder_use_redis(arena, config);
		return act(arena, config, action, arguments, count);
	}
	supervisor = supervisor_new();
	folder_start_redis(arena, supervisor, config);
	folder_use_redis(arena, config);
	supervisor_pass_signals(supervisor);
	status = act(arena, config, action, arguments, count);
	supervisor_stop(supervisor);
	return status;
}

static int
set_role(struct store *store, struct arena *arena, const struct user *user,
    struct text word)
{
	enum role role;

	if (!role_parse(word, &role)) {
		log_line("a role is member or moderator, not \"%.*s\"",
		    TEXT_ARGS(word));
		return 1;
	}
	if (user_set_role(store, arena, user->id, role) != STORE_OK)
		return 1;
	printf("%.*s is a %.*s now\n", TEXT_ARGS(user->name), TEXT_ARGS(word));
	return 0;
}

/* A line of standard input, not shown when it is typed on a terminal. */
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

static int
set_password(struct store *store, struct arena *arena, const struct user *user)
{
	struct text password = read_password(arena);
	struct problem problem = rule_new_password(arena, &password);

	if (problem.kind != PROBLEM_NONE) {
		log_line("%.*s", TEXT_ARGS(words_problem(arena, &problem)));
		return 1;
	}
	if (user_set_password(store, arena, user->id, TEXT(""),
		crypto_password_hash(arena, password)) != STORE_OK)
		return 1;
	printf("%.*s has a new password, and is logged out everywhere\n",
	    TEXT_ARGS(user->name));
	return 0;
}

int
commands_user(
    struct store *store, struct arena *arena, char **arguments, int count)
{
	struct text action = count > 0 ? text_of(arguments[0]) : TEXT("");
	bool is_role = text_equal(action, TEXT("role")) && count == 3;
	bool is_password = text_equal(action, TEXT("password")) && count == 2;
	enum store_result result;
	struct user user;

	if (!is_role && !is_password) {
		log_line("usage: tally user role NAME member|moderator, or "
			 "tally user password NAME");
		return 2;
	}
	result = user_find(store, arena, text_of(arguments[1]), &user);
	if (result == STORE_ABSENT)
		log_line("there is no member %s", arguments[1]);
	if (result != STORE_OK)
		return 1;
	return is_role ? set_role(store, arena, &user, text_of(arguments[2]))
		       : set_password(store, arena, &user);
}
