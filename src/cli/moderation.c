#include "cli/moderation.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/log.h"
#include "lists/mod_log.h"
#include "store/group_admin.h"
#include "views/format.h"

static int
delete_group(const struct task *task)
{
	struct text name = task_argument(task, 0);
	struct mod_action action = { .reason = task_argument(task, 1) };
	enum store_result result;

	if (!task_check_value(task, rule_reason, &action.reason, "the reason"))
		return 1;
	result = group_delete(task->store, task->arena, name, action);
	if (result == STORE_ABSENT) {
		log_line("there is no group %.*s", TEXT_ARGS(name));
		return 1;
	}
	if (!task_succeeded(result))
		return 1;
	printf(
	    "The group %.*s is deleted; its articles stay\n", TEXT_ARGS(name));
	return 0;
}

int
moderation_delete_group(const struct command_line *line)
{
	return task_run(line, TASK_EXISTING, delete_group);
}

/* Prints " word value" unless the value is empty. */
static void
print_part(const char *word, struct text value)
{
	if (value.size > 0)
		printf(" %s%.*s", word, TEXT_ARGS(value));
}

/* What a decision or an act on a member has changed. */
static void
print_count(int64_t count, const char *of)
{
	if (count > 0)
		printf(" %lld %s", (long long)count, of);
}

static void
print_action(struct arena *arena, const struct mod_action *action)
{
	printf("%.*s %.*s", TEXT_ARGS(format_iso(arena, action->at)),
	    TEXT_ARGS(action->what));
	if (action->comment != 0)
		printf(" comment %llu on", (unsigned long long)action->comment);
	if (action->article != 0)
		printf(" article %llu", (unsigned long long)action->article);
	print_count(action->articles, "articles");
	print_count(action->comments, "comments");
	print_count(action->votes, "votes");
	print_count(action->members, "members");
	print_part(action->article != 0 ? "of " : "", action->member.name);
	print_part("", action->subject);
	print_part("into ", action->into);
	if (action->until != 0)
		print_part("until ", format_iso(arena, action->until));
	print_part(
	    "by ", action->by.id == 0 ? TEXT("a command") : action->by.name);
	if (action->reason.size > 0)
		printf(": %.*s", TEXT_ARGS(action->reason));
	putchar('\n');
}

static int
print_log(const struct task *task)
{
	struct mod_log_query query = { .page = 1 };
	struct arena arena = { 0 }; /* for one page */
	struct mod_log_page log;
	bool good = true;

	do {
		arena_reset(&arena);
		good = task_succeeded(
		    mod_log_read(task->store, &arena, &query, &log));
		for (size_t i = 0; good && i < log.count; i++)
			print_action(&arena, &log.actions[i]);
		query.page++;
	} while (good && log.more);
	arena_free(&arena);
	return good && fflush(stdout) == 0 ? 0 : 1;
}

int
moderation_log(const struct command_line *line)
{
	return task_run(line, TASK_EXISTING, print_log);
}
