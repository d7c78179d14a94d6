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

/* Nobody waits in a browser: a slot that moves to another node is waited for. */
enum { PATIENCE_MS = 30000 };

/* Returns a supervisor when Redis had to be started. */
static struct supervisor *
enter_site(struct arena *arena, struct config *config, struct text folder)
{
	struct supervisor *supervisor = NULL;

	folder_enter(arena, folder);
	if (folder_lock()) {
		supervisor = supervisor_new();
		folder_start_redis(arena, supervisor, config);
		supervisor_pass_signals(supervisor);
	}
	folder_use_redis(arena, config);
	return supervisor;
}

static int
act(struct arena *arena, const struct config *config, commands_action *action,
    char **arguments, int count)
{
	struct store store = { .rules = config->rules };
	struct task task = { &store, arena, arguments, count };
	struct text why = TEXT("Redis does not answer");
	enum store_result result;
	int status = 1;

	store.redis = config_open_redis(config, &config->admin);
	redis_set_patience(store.redis, PATIENCE_MS);
	result = site_load_functions(&store);
	if (result == STORE_OK)
		result = site_open(&store, arena, &why);
	if (result == STORE_OK)
		status = action(&task);
	else
		log_line("%.*s", TEXT_ARGS(why));
	redis_close(store.redis);
	return status;
}

int
commands_run(
    struct text folder, commands_action *action, char **arguments, int count)
{
	struct supervisor *supervisor = NULL;
	struct arena arena = { 0 };
	struct config config;
	int status = 1;

	if (config_read(&arena, &config)) {
		if (config.redis.size == 0)
			supervisor = enter_site(&arena, &config, folder);
		status = act(&arena, &config, action, arguments, count);
	}
	if (supervisor != NULL)
		supervisor_stop(supervisor);
	arena_free(&arena);
	return status;
}

static int
set_role(const struct task *task, const struct user *user, struct text word)
{
	enum role role;

	if (!role_parse(word, &role)) {
		log_line("a role is member or moderator, not \"%.*s\"",
		    TEXT_ARGS(word));
		return 1;
	}
	if (user_set_role(task->store, task->arena, user->id, role) != STORE_OK)
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
set_password(const struct task *task, const struct user *user)
{
	struct text password = read_password(task->arena);
	struct problem problem = rule_new_password(task->arena, &password);

	if (problem.kind != PROBLEM_NONE) {
		log_line(
		    "%.*s", TEXT_ARGS(words_problem(task->arena, &problem)));
		return 1;
	}
	if (user_set_password(task->store, task->arena, user->id, TEXT(""),
		crypto_password_hash(task->arena, password)) != STORE_OK)
		return 1;
	printf("%.*s has a new password, and is logged out everywhere\n",
	    TEXT_ARGS(user->name));
	return 0;
}

int
commands_user(const struct task *task)
{
	char **arguments = task->arguments;
	int count = task->count;
	bool is_role = count == 3 && strcmp(arguments[0], "role") == 0;
	bool is_password = count == 2 && strcmp(arguments[0], "password") == 0;
	enum store_result result;
	struct user user;

	if (!is_role && !is_password) {
		log_line("usage: tally user role NAME member|moderator, or "
			 "tally user password NAME");
		return 2;
	}
	result =
	    user_find(task->store, task->arena, text_of(arguments[1]), &user);
	if (result == STORE_ABSENT)
		log_line("there is no member %s", arguments[1]);
	if (result != STORE_OK)
		return 1;
	return is_role ? set_role(task, &user, text_of(arguments[2]))
		       : set_password(task, &user);
}
