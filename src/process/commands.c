#include "process/commands.h"

#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/log.h"
#include "process/folder.h"
#include "redis/redis.h"
#include "secrets/crypto.h"
#include "secrets/password.h"
#include "store/settings.h"
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

/* Creates nothing, not even functions, unless the site may be new. */
static enum store_result
open_site(struct store *store, struct arena *arena, enum commands_site site,
    struct text where, struct text *why)
{
	enum store_result result = STORE_OK;
	bool exists = true;

	*why = TEXT("Redis does not answer");
	if (site == COMMANDS_EXISTING)
		result = site_exists(store, arena, &exists);
	if (result == STORE_OK && !exists) {
		*why = text_format(
		    arena, "there is no site in %.*s", TEXT_ARGS(where));
		return STORE_ABSENT;
	}
	if (result == STORE_OK)
		result = site_load_functions(store);
	return result == STORE_OK ? site_open(store, arena, why) : result;
}

static int
act(const struct task *task, const struct config *config,
    enum commands_site site, struct text where, commands_action *action)
{
	struct store store = { .rules = config->rules };
	struct task opened = *task;
	enum store_result result;
	struct text why;
	int status = 1;

	opened.store = &store;
	opened.config = config;
	store.redis = config_open_redis(config, &config->admin);
	redis_set_patience(store.redis, PATIENCE_MS);
	result = open_site(&store, task->arena, site, where, &why);
	if (result == STORE_OK)
		status = action(&opened);
	else
		log_line("%.*s", TEXT_ARGS(why));
	redis_close(store.redis);
	return status;
}

struct text
commands_folder(const struct command_line *line)
{
	return text_of(line->folder == NULL ? "var" : line->folder);
}

/* The Redis that the settings name is that of the site, wherever it is. */
static int
act_on_named(const struct task *task, const struct config *config,
    enum commands_site site, commands_action *action)
{
	struct text where = text_format(task->arena,
	    "the Redis that TALLY_REDIS names, %.*s", TEXT_ARGS(config->redis));

	if (task->line->folder != NULL)
		log_line("warning: --dir %s is not used, because TALLY_REDIS "
			 "is set",
		    task->line->folder);
	return act(task, config, site, where, action);
}

static int
act_in_folder(const struct task *task, struct config *config,
    enum commands_site site, commands_action *action)
{
	struct text folder = commands_folder(task->line);
	struct supervisor *supervisor;
	int status;

	if (site == COMMANDS_EXISTING &&
	    !folder_has_site(task->arena, folder)) {
		log_line("there is no site in %.*s", TEXT_ARGS(folder));
		return 1;
	}
	supervisor = enter_site(task->arena, config, folder);
	status = act(task, config, site, folder, action);
	if (supervisor != NULL)
		supervisor_stop(supervisor);
	return status;
}

int
commands_run(const struct command_line *line, enum commands_site site,
    commands_action *action)
{
	struct arena arena = { 0 };
	struct task task = { .arena = &arena, .line = line };
	struct config config;
	int status = 1;

	if (config_read(&arena, &config))
		status = config.redis.size > 0
		    ? act_on_named(&task, &config, site, action)
		    : act_in_folder(&task, &config, site, action);
	arena_free(&arena);
	return status;
}

/* The member whom the first word names; false, and logged, without one. */
static bool
find_member(const struct task *task, struct user *user)
{
	const char *name = task->line->words[0];
	enum store_result result =
	    user_find(task->store, task->arena, text_of(name), user);

	if (result == STORE_ABSENT)
		log_line("there is no member %s", name);
	return result == STORE_OK;
}

static int
set_role(const struct task *task)
{
	struct text word = text_of(task->line->words[1]);
	enum role role;
	struct user user;

	if (!role_parse(word, &role) || !find_member(task, &user) ||
	    user_set_role(task->store, task->arena, user.id, role) != STORE_OK)
		return 1;
	printf("%.*s is %s %.*s now\n", TEXT_ARGS(user.name),
	    text_starts(word, TEXT("o")) ? "an" : "a", TEXT_ARGS(word));
	return 0;
}

int
commands_role(const struct command_line *line)
{
	enum role role;

	if (role_parse(text_of(line->words[1]), &role))
		return commands_run(line, COMMANDS_EXISTING, set_role);
	log_line(
	    "a role is member, moderator or owner, not \"%s\"", line->words[1]);
	return 1;
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

/* False, and logged, when it is not good for that member or could not be judged. */
static bool
judge_password(
    const struct task *task, const struct user *user, struct text password)
{
	struct password_context context = { .user = user->name };
	struct settings settings;
	struct problem problem;

	if (!config_open_passwords(
		task->arena, task->config, &context.breached) ||
	    settings_get(task->store, task->arena, &settings) != STORE_OK)
		return false;
	context.site = settings.name;
	problem = rule_new_password(password, &context);
	password_file_close(context.breached);
	if (problem.kind != PROBLEM_NONE)
		log_line(
		    "%.*s", TEXT_ARGS(words_problem(task->arena, &problem)));
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
	if (!judge_password(task, &user, password) ||
	    user_set_password(task->store, task->arena, user.id, TEXT(""),
		crypto_password_hash(task->arena, password)) != STORE_OK)
		return 1;
	printf("%.*s has a new password, and is logged out everywhere\n",
	    TEXT_ARGS(user.name));
	return 0;
}

int
commands_password(const struct command_line *line)
{
	return commands_run(line, COMMANDS_EXISTING, set_password);
}
