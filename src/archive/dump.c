#include "archive/dump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "archive/export.h"
#include "archive/inventory.h"
#include "base/log.h"
#include "base/sort.h"
#include "store/keys.h"

enum {
	USERS_AT_ONCE = 200,
	GROUPS_AT_ONCE = 200,
	ACTS_AT_ONCE = 100,
	ARTICLES_AT_ONCE = 20 /* they keep Redis busy for a millisecond */
};

struct dump {
	struct store *store;
	FILE *out;
	struct names *names;
	struct arena memory;  /* lives as long as the dump */
	struct arena portion; /* lives as long as the articles being written */
	struct arena line;    /* lives as long as one line */
	uint64_t last_user;   /* members up to this id have been written, */
	struct buffer missed; /* except these, in order: nobody had them */
	struct buffer groups; /* names of those written, as texts, in order */
	bool incomplete;      /* an article could not be written */
};

/* What cannot be written is left out, and the rest goes on. */
static enum store_result
leave_out(struct dump *dump, const struct record *record, const char *why)
{
	const struct text names[] = {
		[RECORD_SITE] = record->site.name,
		[RECORD_USER] = record->user.name,
		[RECORD_GROUP] = record->group.name,
		[RECORD_ARTICLE] = text_number(
		    &dump->line, (int64_t)record->article.post.id.article),
		[RECORD_ACT] =
		    text_number(&dump->line, (int64_t)record->act.id),
	};

	log_line("%s %.*s is left out: it %s", record_word(record->kind),
	    TEXT_ARGS(names[record->kind]), why);
	dump->incomplete = true;
	return STORE_OK;
}

/* STORE_DOWN also when the output fails: either ends the dump. */
static enum store_result
write_record(struct dump *dump, const struct record *record)
{
	struct buffer line;

	arena_reset(&dump->line);
	line = buffer_in(&dump->line, 1024);
	if (!record_write(&line, record))
		return leave_out(dump, record, "is not valid UTF-8");
	if (fwrite(line.data, 1, line.size, dump->out) == line.size)
		return STORE_OK;
	log_line("cannot write the dump: %s", strerror(errno));
	return STORE_DOWN;
}

/* Writes count members from first on; notes the ids that nobody has. */
static enum store_result
write_some_users(struct dump *dump, uint64_t first, size_t count)
{
	struct record records[USERS_AT_ONCE];
	struct arena step = { 0 };
	enum store_result result = export_users(
	    dump->store, dump->names, &step, first, count, records);

	for (size_t i = 0; i < count && result == STORE_OK; i++) {
		uint64_t id = first + i;

		if (records[i].user.name.size > 0)
			result = write_record(dump, &records[i]);
		else
			buffer_add(&dump->missed,
			    (struct text){ (char *)&id, sizeof(id) });
	}
	arena_free(&step);
	return result;
}

/* All members after those that were written. */
static enum store_result
write_users(struct dump *dump)
{
	uint64_t last = 0;
	enum store_result result =
	    export_last_user(dump->store, &dump->portion, &last);

	while (result == STORE_OK && dump->last_user < last) {
		uint64_t left = last - dump->last_user;
		size_t count = left < USERS_AT_ONCE ? left : USERS_AT_ONCE;

		result = write_some_users(dump, dump->last_user + 1, count);
		dump->last_user += count;
	}
	return result;
}

/* Writes a member unless that has been done. STORE_ABSENT when there is none. */
static enum store_result
need_user(struct dump *dump, uint64_t id)
{
	struct record record;
	uint64_t *missed;
	size_t left;

	if (id > dump->last_user && write_users(dump) != STORE_OK)
		return STORE_DOWN;
	if (id == 0 || id > dump->last_user)
		return STORE_ABSENT;
	missed = sort_find(id, (uint64_t *)(void *)dump->missed.data,
	    dump->missed.size / sizeof(id));
	if (missed == NULL)
		return STORE_OK;
	/* The id was given out before the name was claimed. */
	if (export_users(dump->store, dump->names, &dump->portion, id, 1,
		&record) != STORE_OK)
		return STORE_DOWN;
	if (record.user.name.size == 0)
		return STORE_ABSENT;
	dump->missed.size -= sizeof(id);
	left = dump->missed.size - (size_t)((char *)missed - dump->missed.data);
	memmove(missed, missed + 1, left);
	return write_record(dump, &record);
}

static enum store_result
need_voters(struct dump *dump, const struct voters *voters)
{
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < voters->names.count && result == STORE_OK; i++)
		result = need_user(dump, voters->ids[i]);
	return result;
}

/* Everybody whom an article names. */
static enum store_result
need_members(struct dump *dump, const struct record *record)
{
	const struct post *post = &record->article.post;
	enum store_result result = need_user(dump, post->author.id);

	for (size_t i = 0; i < VOTERS_KINDS && result == STORE_OK; i++)
		result = need_voters(dump, &record->voters[i]);
	for (size_t i = 0; i < record->flag_count && result == STORE_OK; i++)
		if (record->flags[i].flagged.user != 0)
			result = need_user(dump, record->flags[i].flagged.user);
	if (result == STORE_OK && post->removed_by.id != 0)
		result = need_user(dump, post->removed_by.id);
	return result;
}

static int
compare_groups(const void *a, const void *b)
{
	return text_compare(*(const struct text *)a, *(const struct text *)b);
}

static void
note_group(struct dump *dump, struct text name)
{
	struct text *groups, kept = text_copy(&dump->memory, name);
	size_t before = dump->groups.size / sizeof(kept);

	buffer_add(&dump->groups, (struct text){ (char *)&kept, sizeof(kept) });
	groups = (struct text *)(void *)dump->groups.data;
	/* Only those that appear during the dump are out of order. */
	if (before > 0 && text_compare(groups[before - 1], kept) > 0)
		qsort(groups, before + 1, sizeof(kept), compare_groups);
}

/* Writes a group unless that has been done. STORE_ABSENT when there is none. */
static enum store_result
need_group(struct dump *dump, struct text name)
{
	struct record record = { .kind = RECORD_GROUP };
	enum store_result result;

	if (bsearch(&name, dump->groups.data, dump->groups.size / sizeof(name),
		sizeof(name), compare_groups) != NULL)
		return STORE_OK;
	result = group_get(dump->store, &dump->portion, name, &record.group);
	if (result != STORE_OK)
		return result;
	if (record.group.by.id != 0)
		result = need_user(dump, record.group.by.id);
	if (result == STORE_ABSENT) {
		log_line("group %.*s names a creator who does not exist",
		    TEXT_ARGS(name));
		record.group.by = (struct member){ .id = 0 };
		dump->incomplete = true;
		result = STORE_OK;
	}
	if (result == STORE_OK)
		result = write_record(dump, &record);
	note_group(dump, name);
	return result;
}

/* Takes out of the article groups that are gone: they were deleted while it was removed,
 * or since it was read. */
static enum store_result
need_groups(struct dump *dump, struct article *article)
{
	struct text rest = article->groups, name;
	struct buffer kept = buffer_in(&dump->portion, rest.size + 1);

	while (text_word(&rest, &name)) {
		enum store_result result = need_group(dump, name);

		if (result == STORE_DOWN)
			return result;
		if (result != STORE_OK)
			continue;
		buffer_add(&kept, kept.size > 0 ? TEXT(" ") : TEXT(""));
		buffer_add(&kept, name);
	}
	article->groups = buffer_text(&kept);
	return STORE_OK;
}

/* Of a list of their names. */
static enum store_result
write_groups(struct dump *dump, struct text list)
{
	struct arena names = { 0 };
	struct text found[GROUPS_AT_ONCE], after = { "", 0 };
	enum store_result result;
	size_t got = 0;

	do {
		result = export_group_names(dump->store, &names, list, after,
		    GROUPS_AT_ONCE, found, &got);
		for (size_t i = 0; i < got && result != STORE_DOWN; i++) {
			result = need_group(dump, found[i]);
			after = found[i];
			arena_reset(&dump->portion);
		}
	} while (result != STORE_DOWN && got == GROUPS_AT_ONCE);
	arena_free(&names);
	return result == STORE_ABSENT ? STORE_OK : result;
}

/* An article, after all that it names. */
static enum store_result
write_article(struct dump *dump, struct record *record)
{
	enum store_result result = need_members(dump, record);

	if (result == STORE_ABSENT)
		return leave_out(
		    dump, record, "names a member who does not exist");
	if (result == STORE_OK)
		result = need_groups(dump, &record->article);
	return result == STORE_OK ? write_record(dump, record) : result;
}

static enum store_result
write_some_articles(struct dump *dump, const struct place *places, size_t count)
{
	struct record records[ARTICLES_AT_ONCE];
	enum store_result result = export_articles(
	    dump->store, dump->names, &dump->portion, places, count, records);

	for (size_t i = 0; i < count && result == STORE_OK; i++)
		if (records[i].article.post.id.article != 0)
			result = write_article(dump, &records[i]);
	arena_reset(&dump->portion);
	return result;
}

static enum store_result
write_articles(struct dump *dump)
{
	struct inventory all;
	enum store_result result = inventory_read(
	    dump->store, &dump->memory, INVENTORY_ARTICLES, &all);
	size_t left = all.articles.count;

	for (struct place *next = all.articles.items;
	    result == STORE_OK && left > 0;) {
		size_t count =
		    left < ARTICLES_AT_ONCE ? left : ARTICLES_AT_ONCE;

		result = write_some_articles(dump, next, count);
		next += count;
		left -= count;
	}
	return result;
}

/* An act, after whom it names. */
static enum store_result
write_act(struct dump *dump, const struct record *record)
{
	const struct act *act = &record->act;
	enum store_result result = STORE_OK;

	if (act->by.id != 0)
		result = need_user(dump, act->by.id);
	if (result == STORE_OK && act->member.id != 0)
		result = need_user(dump, act->member.id);
	if (result == STORE_ABSENT)
		return leave_out(
		    dump, record, "names a member who does not exist");
	return result == STORE_OK ? write_record(dump, record) : result;
}

static enum store_result
write_acts(struct dump *dump)
{
	struct record records[ACTS_AT_ONCE];
	struct inventory all;
	enum store_result result =
	    inventory_read(dump->store, &dump->memory, INVENTORY_ACTS, &all);
	const struct place *next = all.acts.items;
	size_t left = all.acts.count;

	while (result == STORE_OK && left > 0) {
		size_t count = left < ACTS_AT_ONCE ? left : ACTS_AT_ONCE;

		result = export_acts(
		    dump->store, &dump->portion, next, count, records);
		for (size_t i = 0; i < count && result == STORE_OK; i++)
			if (records[i].act.id != 0)
				result = write_act(dump, &records[i]);
		arena_reset(&dump->portion);
		next += count;
		left -= count;
	}
	return result;
}

/* A line, unless nobody has set any. */
static enum store_result
write_settings(struct dump *dump)
{
	struct record record = { .kind = RECORD_SITE };
	enum store_result result =
	    settings_get(dump->store, &dump->portion, &record.site);

	if (result == STORE_OK && !settings_are_usual(&record.site))
		result = write_record(dump, &record);
	arena_reset(&dump->portion);
	return result;
}

static enum store_result
write_all(struct dump *dump)
{
	enum store_result result = write_settings(dump);

	if (result == STORE_OK)
		result = write_users(dump);
	if (result == STORE_OK)
		result = write_groups(dump, KEY_GROUPS);
	if (result == STORE_OK)
		result = write_groups(dump, KEY_FORMER);
	if (result == STORE_OK)
		result = write_articles(dump);
	if (result == STORE_OK)
		result = write_acts(dump);
	if (result == STORE_OK && fflush(dump->out) != 0) {
		log_line("cannot write the dump: %s", strerror(errno));
		return STORE_DOWN;
	}
	return result;
}

int
dump_command(struct store *store, FILE *out)
{
	struct dump dump = { .store = store, .out = out };
	enum store_result result;

	dump.names = names_new(store, &dump.memory);
	dump.missed = buffer_in(&dump.memory, 1024);
	dump.groups = buffer_in(&dump.memory, 1024);
	result = write_all(&dump);
	if (result != STORE_OK)
		log_line("the dump stopped before its end");
	names_free(dump.names);
	arena_free(&dump.line);
	arena_free(&dump.portion);
	arena_free(&dump.memory);
	return result == STORE_OK && !dump.incomplete ? 0 : 1;
}
