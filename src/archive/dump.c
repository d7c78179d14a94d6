#include "archive/dump.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "archive/export.h"
#include "archive/inventory.h"
#include "base/log.h"
#include "base/sort.h"

enum {
	USERS_AT_ONCE = 200,
	GROUPS_AT_ONCE = 200,
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
	struct text name = record->kind == RECORD_USER ? record->user.name
						       : record->group.name;

	if (record->kind == RECORD_ARTICLE)
		log_line("article %llu is left out: it %s",
		    (unsigned long long)record->article.post.id.article, why);
	else
		log_line("%s %.*s is left out: it %s",
		    record->kind == RECORD_USER ? "member" : "group",
		    TEXT_ARGS(name), why);
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
	log_line("the dump cannot be written: %s", strerror(errno));
	return STORE_DOWN;
}

/* The id among those that nobody had; NULL when it is none of them. */
static uint64_t *
find_missed(const struct dump *dump, uint64_t id)
{
	return sort_find(id, (uint64_t *)(void *)dump->missed.data,
	    dump->missed.size / sizeof(id));
}

static void
drop_missed(struct dump *dump, uint64_t *missed)
{
	char *end = dump->missed.data + dump->missed.size;

	memmove(missed, missed + 1, (size_t)(end - (char *)(missed + 1)));
	dump->missed.size -= sizeof(*missed);
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

/* A member whose id had been given out before the name was claimed. */
static enum store_result
write_late_user(struct dump *dump, uint64_t *missed)
{
	struct record record;

	if (export_users(dump->store, dump->names, &dump->portion, *missed, 1,
		&record) != STORE_OK)
		return STORE_DOWN;
	if (record.user.name.size == 0)
		return STORE_ABSENT;
	drop_missed(dump, missed);
	return write_record(dump, &record);
}

/* Writes a member unless that has been done. STORE_ABSENT when there is none. */
static enum store_result
need_user(struct dump *dump, uint64_t id)
{
	uint64_t *missed;

	if (id > dump->last_user && write_users(dump) != STORE_OK)
		return STORE_DOWN;
	if (id == 0 || id > dump->last_user)
		return STORE_ABSENT;
	missed = find_missed(dump, id);
	return missed == NULL ? STORE_OK : write_late_user(dump, missed);
}

static enum store_result
need_voters(struct dump *dump, const struct voters *voters)
{
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < voters->count && result == STORE_OK; i++)
		result = need_user(dump, voters->ids[i]);
	return result;
}

/* Where a group is in the list of those written, or where it belongs. */
static size_t
find_group(const struct dump *dump, struct text name, bool *there)
{
	const struct text *groups =
	    (const struct text *)(void *)dump->groups.data;
	size_t low = 0, high = dump->groups.size / sizeof(*groups);

	*there = false;
	while (low < high && !*there) {
		size_t middle = low + (high - low) / 2;
		int order = text_compare(groups[middle], name);

		if (order < 0)
			low = middle + 1;
		else
			high = middle;
		if (order == 0) {
			low = middle;
			*there = true;
		}
	}
	return low;
}

static void
note_group(struct dump *dump, size_t index, struct text name)
{
	struct text *groups, kept = text_copy(&dump->memory, name);

	buffer_add(&dump->groups, (struct text){ (char *)&kept, sizeof(kept) });
	groups = (struct text *)(void *)dump->groups.data;
	memmove(&groups[index + 1], &groups[index],
	    dump->groups.size - (index + 1) * sizeof(*groups));
	groups[index] = kept;
}

/* Writes a group unless that has been done. STORE_ABSENT when there is none. */
static enum store_result
need_group(struct dump *dump, struct text name)
{
	struct record record = { .kind = RECORD_GROUP };
	enum store_result result;
	bool there;
	size_t index = find_group(dump, name, &there);

	if (there)
		return STORE_OK;
	result = group_get(dump->store, &dump->portion, name, &record.group);
	if (result != STORE_OK)
		return result;
	if (record.group.by.id != 0)
		result = need_user(dump, record.group.by.id);
	if (result == STORE_ABSENT) {
		log_line("group %.*s was created by nobody who is a member",
		    TEXT_ARGS(name));
		record.group.by = (struct member){ .id = 0 };
		dump->incomplete = true;
		result = STORE_OK;
	}
	if (result == STORE_OK)
		result = write_record(dump, &record);
	note_group(dump, index, name);
	return result;
}

static enum store_result
need_groups(struct dump *dump, struct text names)
{
	enum store_result result = STORE_OK;
	struct text name;

	while (result == STORE_OK && text_word(&names, &name))
		result = need_group(dump, name);
	return result;
}

static enum store_result
write_groups(struct dump *dump)
{
	struct arena names = { 0 };
	struct text found[GROUPS_AT_ONCE], after = { "", 0 };
	enum store_result result;
	size_t got = 0;

	do {
		result = export_group_names(
		    dump->store, &names, after, GROUPS_AT_ONCE, found, &got);
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
write_article(struct dump *dump, const struct record *record)
{
	enum store_result result =
	    need_user(dump, record->article.post.author.id);

	if (result == STORE_OK)
		result = need_voters(dump, &record->up);
	if (result == STORE_OK)
		result = need_voters(dump, &record->down);
	if (result == STORE_ABSENT)
		return leave_out(dump, record, "names a member who is none");
	if (result == STORE_OK)
		result = need_groups(dump, record->article.groups);
	if (result == STORE_ABSENT)
		return leave_out(dump, record, "names a group that is none");
	return result == STORE_OK ? write_record(dump, record) : result;
}

static enum store_result
write_some_articles(struct dump *dump, const struct place *places, size_t count)
{
	struct record records[ARTICLES_AT_ONCE];
	uint64_t ids[ARTICLES_AT_ONCE] = { 0 };
	enum store_result result;

	for (size_t i = 0; i < count; i++)
		ids[i] = places[i].id;
	result = export_articles(
	    dump->store, dump->names, &dump->portion, ids, count, records);
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

	for (size_t i = 0; result == STORE_OK && i < all.articles.count;
	    i += ARTICLES_AT_ONCE) {
		size_t left = all.articles.count - i;

		result = write_some_articles(dump, &all.articles.items[i],
		    left < ARTICLES_AT_ONCE ? left : ARTICLES_AT_ONCE);
	}
	return result;
}

static enum store_result
write_all(struct dump *dump)
{
	enum store_result result = write_users(dump);

	if (result == STORE_OK)
		result = write_groups(dump);
	if (result == STORE_OK)
		result = write_articles(dump);
	if (result == STORE_OK && fflush(dump->out) != 0) {
		log_line("the dump cannot be written: %s", strerror(errno));
		return STORE_DOWN;
	}
	return result;
}

int
dump_command(struct store *store, FILE *out)
{
	struct sigaction ignored = { .sa_handler = SIG_IGN }, before;
	struct dump dump = { .store = store, .out = out };
	enum store_result result;

	/* When the reader goes away, writing fails, with a message. */
	sigaction(SIGPIPE, &ignored, &before);
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
	sigaction(SIGPIPE, &before, NULL);
	return result == STORE_OK && !dump.incomplete ? 0 : 1;
}
