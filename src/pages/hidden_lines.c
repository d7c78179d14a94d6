#include "pages/hidden_lines.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "pages/path.h"
#include "store/article.h"
#include "store/publisher.h"
#include "views/format.h"
#include "views/messages.h"

struct text
hidden_href(
    struct arena *arena, const struct hidden_rule *what, struct text name)
{
	switch (what->kind) {
	case HIDDEN_ARTICLE:
		return format_post_path(arena, article_id(what->id));
	case HIDDEN_MEMBER:
		return text_join(arena, TEXT("/u/"), name);
	case HIDDEN_GROUP:
		return text_join(arena, TEXT("/g/"), what->name);
	case HIDDEN_PUBLISHER:
		return publisher_href(arena, what->name);
	default:
		return TEXT("");
	}
}

static struct text
line_of(struct arena *arena, const struct hidden_rule *what, struct text name)
{
	if (what->kind == HIDDEN_WORDS)
		return text_join(arena, TEXT("="), what->name);
	return what->kind == HIDDEN_PUBLISHER
	    ? publisher_path(arena, what->name)
	    : hidden_href(arena, what, name);
}

/* Naming. */

static struct text
title_of(struct arena *arena, const struct article *articles, size_t count,
    uint64_t id)
{
	for (size_t i = 0; i < count; i++)
		if (articles[i].post.id.article == id)
			return format_short(arena, articles[i].title);
	return format_post_path(arena, article_id(id));
}

static struct text
name_of(
    struct arena *arena, const struct user *users, size_t count, uint64_t id)
{
	for (size_t i = 0; i < count; i++)
		if (users[i].id == id)
			return users[i].name;
	return user_closed_name(arena, id, 1);
}

/* The ids of the rules of a kind. */
static size_t
ids_of(const struct hidden_rule *rules, size_t count, enum hidden_kind kind,
    uint64_t *ids)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		if (rules[i].kind == kind)
			ids[used++] = rules[i].id;
	return used;
}

/* Articles that were removed are named by their paths, and so are those that cannot be reached. A
 * member who cannot be reached has no other name: without it the lines would not be all rules. */
STORE_CALL
hidden_lines_name(struct page *page, const struct hidden_rule *rules,
    size_t count, struct hidden_row *rows, struct text *lines)
{
	struct arena *arena = page->arena;
	struct article *articles = arena_new(arena, struct article, count);
	uint64_t *ids = arena_new(arena, uint64_t, count);
	struct buffer all = buffer_in(arena, 1024);
	struct user *users;
	size_t article_count, user_count;

	if (article_get_some(page->store, arena, SCHEMA_BRIEF, ids,
		ids_of(rules, count, HIDDEN_ARTICLE, ids), articles,
		&article_count, &page->is_partial) != STORE_OK ||
	    user_get_all(page->store, arena, ids,
		ids_of(rules, count, HIDDEN_MEMBER, ids), &users,
		&user_count) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		const struct hidden_rule *what = &rules[i];
		struct hidden_row *row = &rows[i];

		row->name = what->name;
		if (what->kind == HIDDEN_ARTICLE)
			row->name =
			    title_of(arena, articles, article_count, what->id);
		else if (what->kind == HIDDEN_MEMBER)
			row->name = name_of(arena, users, user_count, what->id);
		else if (what->kind == HIDDEN_PUBLISHER)
			row->name = publisher_display(arena, what->name);
		row->href = hidden_href(arena, what, row->name);
		buffer_add(&all, line_of(arena, what, row->name));
		buffer_add_char(&all, '\n');
	}
	*lines = buffer_text(&all);
	return STORE_OK;
}

/* Reading. */

/* Lines while they are read: those whose rules name what is still to be found. */
struct reading {
	struct page *page;
	struct hidden_lines *lines;
	struct hidden_rule *found; /* of each line that has the form of one */
	struct text *names;	   /* of its member; otherwise empty */
	struct text *typed;	   /* the lines */
	size_t *numbers;	   /* from 1 */
	size_t count;
};

static void
add_problem(struct reading *reading, size_t number, struct text line,
    enum message_hidden what)
{
	struct hidden_lines *lines = reading->lines;

	if (lines->problem_count < HIDDEN_LINES_PROBLEMS)
		lines->problems[lines->problem_count++] =
		    message_hidden_line(reading->page->arena, number,
			format_short(reading->page->arena, line), what);
}

/* Takes what follows a beginning; false if it is another. */
static bool
take_behind(struct text line, const char *start, struct text *rest)
{
	struct text beginning = text_of(start);

	if (!text_starts(line, beginning))
		return false;
	*rest = text_slice(line, beginning.size, line.size);
	return true;
}

/* Parses "HOST" or "HOST/PART". */
static bool
parse_publisher(struct page *page, struct text path, struct text *publisher)
{
	struct text host, part = path;

	text_cut(&part, '/', &host);
	return publisher_parse(page->arena, host,
	    part.data == NULL ? TEXT("") : part, page->settings->shared_hosts,
	    publisher);
}

/* Parses a line; *name is that of a member. False when it has another form. */
static bool
parse_line(struct page *page, struct text line, struct hidden_rule *what,
    struct text *name)
{
	struct text rest;

	*what = (struct hidden_rule){ .kind = HIDDEN_ARTICLE };
	*name = TEXT("");
	if (take_behind(line, "/articles/", &rest))
		return pairs_parse_id(rest, &what->id);
	what->kind = HIDDEN_MEMBER;
	if (take_behind(line, "/u/", name) || take_behind(line, "@", name))
		return rule_user_name(page->arena, name).kind == PROBLEM_NONE;
	what->kind = HIDDEN_GROUP;
	if (take_behind(line, "/g/", &what->name))
		return rule_group_name(page->arena, &what->name).kind ==
		    PROBLEM_NONE;
	what->kind = HIDDEN_PUBLISHER;
	if (take_behind(line, "/from/", &rest))
		return parse_publisher(page, rest, &what->name);
	what->kind = HIDDEN_WORDS;
	return take_behind(line, "=", &what->name) &&
	    rule_hidden_words(page->arena, &what->name).kind == PROBLEM_NONE;
}

static void
parse_lines(struct reading *reading, struct text text)
{
	struct text line;

	for (size_t number = 1; text_cut(&text, '\n', &line); number++) {
		size_t i = reading->count;

		line = text_trim(line);
		if (line.size == 0)
			continue;
		reading->typed[i] = line;
		reading->numbers[i] = number;
		if (parse_line(reading->page, line, &reading->found[i],
			&reading->names[i]))
			reading->count++;
		else
			add_problem(reading, number, line, MESSAGE_HIDDEN_FORM);
	}
}

/* Finds the ids of the members; 0 where there is none. */
static enum store_result
find_members(struct reading *reading)
{
	struct arena *arena = reading->page->arena;
	struct text *names = arena_new(arena, struct text, reading->count);
	uint64_t *ids = arena_new(arena, uint64_t, reading->count);
	size_t count = 0;

	for (size_t i = 0; i < reading->count; i++)
		if (reading->found[i].kind == HIDDEN_MEMBER)
			names[count++] = reading->names[i];
	if (user_find_ids(reading->page->store, arena, names, count, ids) !=
	    STORE_OK)
		return STORE_DOWN;
	count = 0;
	for (size_t i = 0; i < reading->count; i++)
		if (reading->found[i].kind == HIDDEN_MEMBER)
			reading->found[i].id = ids[count++];
	return STORE_OK;
}

/* Finds what there is; an article that is held for those alone who may see it. */
static enum store_result
find_named(struct reading *reading, bool *exists)
{
	struct page *page = reading->page;
	bool *held = arena_new(page->arena, bool, reading->count);
	enum store_result result = hidden_find(page->store, page->arena,
	    reading->found, reading->count, exists, held);

	for (size_t i = 0; result == STORE_OK && i < reading->count; i++) {
		struct found_post found;

		if (!held[i])
			continue;
		result = path_get_post(
		    page, article_id(reading->found[i].id), &found);
		exists[i] = result == STORE_OK;
		if (result == STORE_ABSENT)
			result = STORE_OK;
	}
	return result;
}

static void
take_found(struct reading *reading, const bool *exists)
{
	struct hidden_lines *lines = reading->lines;
	uint64_t viewer = reading->page->viewer.id;

	for (size_t i = 0; i < reading->count; i++) {
		const struct hidden_rule *what = &reading->found[i];

		if (!exists[i])
			add_problem(reading, reading->numbers[i],
			    reading->typed[i], MESSAGE_HIDDEN_UNKNOWN);
		else if (what->kind == HIDDEN_MEMBER && what->id == viewer) {
			lines->has_own = true;
			add_problem(reading, reading->numbers[i],
			    reading->typed[i], MESSAGE_HIDDEN_OWN);
		} else
			lines->rules[lines->count++] = *what;
	}
}

static void
drop_repeated(struct hidden_lines *lines)
{
	size_t count = 0;

	if (lines->count > 0)
		qsort(lines->rules, lines->count, sizeof(*lines->rules),
		    hidden_compare);
	for (size_t i = 0; i < lines->count; i++)
		if (i == 0 ||
		    hidden_compare(&lines->rules[i], &lines->rules[i - 1]) != 0)
			lines->rules[count++] = lines->rules[i];
	lines->count = count;
}

size_t
hidden_lines_count(struct text text)
{
	struct text line;
	size_t count = 0;

	while (text_cut(&text, '\n', &line))
		count += text_trim(line).size > 0;
	return count;
}

STORE_CALL
hidden_lines_read(struct page *page, enum hidden_lines_use use,
    struct text text, struct hidden_lines *lines)
{
	struct arena *arena = page->arena;
	size_t room = hidden_lines_count(text);
	bool *exists = arena_new(arena, bool, room);
	struct reading reading = { .page = page,
		.lines = lines,
		.found = arena_new(arena, struct hidden_rule, room),
		.names = arena_new(arena, struct text, room),
		.typed = arena_new(arena, struct text, room),
		.numbers = arena_new(arena, size_t, room) };

	*lines = (struct hidden_lines){
		.rules = arena_new(arena, struct hidden_rule, room),
		.problems = arena_new(arena, struct text, HIDDEN_LINES_PROBLEMS)
	};
	parse_lines(&reading, text);
	if (find_members(&reading) != STORE_OK ||
	    find_named(&reading, exists) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; use == LINES_TO_SHOW && i < reading.count; i++)
		exists[i] = true;
	take_found(&reading, exists);
	drop_repeated(lines);
	return STORE_OK;
}

STORE_CALL
hidden_button(struct page *page, const struct hidden_rule *what,
    struct text name, struct hide_model *model)
{
	const struct hidden_filter *filter;

	if (!page_is_signed_in(page))
		return STORE_OK;
	if (page_hidden(page, &filter) != STORE_OK)
		return STORE_DOWN;
	model->name = name;
	model->href = hidden_href(page->arena, what, name);
	model->is_hidden = hidden_has_rule(filter, what);
	return STORE_OK;
}
