#include "archive/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "archive/export.h"
#include "base/arena.h"
#include "base/log.h"
#include "store/keys.h"

enum { USERS_BATCH = 200, GROUPS_BATCH = 200 };

void
writer_open(struct writer *writer, struct store *store, FILE *out)
{
	*writer = (struct writer){ .store = store, .out = out };
	writer->users = buffer_in(&writer->memory, 1024);
	writer->groups = buffer_in(&writer->memory, 1024);
}

void
writer_close(struct writer *writer)
{
	arena_free(&writer->line);
	arena_free(&writer->portion);
	arena_free(&writer->memory);
}

/* What a record is called where it is reported. */
static struct text
name_of(struct arena *arena, const struct record *record)
{
	switch (record->kind) {
	case RECORD_USER:
		return record->user.name;
	case RECORD_GROUP:
		return record->group.name;
	case RECORD_ACT:
		return text_number(arena, (int64_t)record->act.id);
	case RECORD_ARTICLE:
	case RECORD_COMMENT:
		return key_post_name(arena, record_post(record)->id);
	case RECORD_NOTICE:
		return text_format(arena, "%llu of member %llu",
		    (unsigned long long)record->notice.number,
		    (unsigned long long)record->notice.to.id);
	case RECORD_MUTE:
		return text_format(arena, "by member %llu of %.*s",
		    (unsigned long long)record->mute.by.id,
		    TEXT_ARGS(mute_encode(arena, record_muted(&record->mute))));
	default:
		return record->site.name;
	}
}

STORE_CALL
writer_leave_out(
    struct writer *writer, const struct record *record, const char *why)
{
	log_line("%s %.*s is left out: it %s", record_word(record->kind),
	    TEXT_ARGS(name_of(&writer->line, record)), why);
	writer->incomplete = true;
	return STORE_ABSENT;
}

static enum store_result
write_record(struct writer *writer, const struct record *record)
{
	struct buffer line;

	arena_reset(&writer->line);
	line = buffer_in(&writer->line, 1024);
	if (!record_write(&line, record))
		return writer_leave_out(writer, record, "is not valid UTF-8");
	if (fwrite(line.data, 1, line.size, writer->out) == line.size)
		return STORE_OK;
	log_line("cannot write the dump: %s", strerror(errno));
	return STORE_DOWN;
}

/* What is left out is no reason to stop. */
static enum store_result
going_on(enum store_result result)
{
	return result == STORE_ABSENT ? STORE_OK : result;
}

/* The name that stands in a member's line; empty while there is no line. */
static struct text *
name_written(const struct writer *writer, uint64_t user)
{
	return &((struct text *)(void *)writer->users.data)[user - 1];
}

/* A member, if there is one; all up to last_user have a place. */
static enum store_result
write_user(struct writer *writer, const struct record *record)
{
	struct text name = record->user.name;
	enum store_result result =
	    name.size > 0 ? write_record(writer, record) : STORE_ABSENT;

	if (result == STORE_OK)
		*name_written(writer, record->user.id) =
		    text_copy(&writer->memory, name);
	return result;
}

/* Writes count members after last_user. */
static enum store_result
write_some_users(struct writer *writer, size_t count)
{
	static const struct text none = { NULL, 0 };
	struct record records[USERS_BATCH];
	struct arena step = { 0 };
	enum store_result result = export_users(
	    writer->store, &step, writer->last_user + 1, count, records);

	for (size_t i = 0; i < count; i++)
		buffer_add(&writer->users,
		    (struct text){ (const char *)&none, sizeof(none) });
	writer->last_user += count;
	for (size_t i = 0; i < count && result == STORE_OK; i++)
		result = going_on(write_user(writer, &records[i]));
	arena_free(&step);
	return result;
}

STORE_CALL
writer_users(struct writer *writer)
{
	uint64_t last = 0;
	enum store_result result =
	    export_last_user(writer->store, &writer->portion, &last);

	while (result == STORE_OK && writer->last_user < last) {
		uint64_t left = last - writer->last_user;
		size_t count = left < USERS_BATCH ? left : USERS_BATCH;

		result = write_some_users(writer, count);
	}
	return result;
}

/*
 * Writes a member unless that has been done, and gives the name of the member's line,
 * which is not that of the account if it was closed since. STORE_ABSENT when there is
 * no such member.
 */
static enum store_result
need_user(struct writer *writer, uint64_t id, struct text *name)
{
	struct record record = { .kind = RECORD_USER };
	enum store_result result = STORE_OK;

	if (id > writer->last_user && writer_users(writer) != STORE_OK)
		return STORE_DOWN;
	if (id == 0 || id > writer->last_user)
		return STORE_ABSENT;
	/* The id may have been given out before the name was claimed. */
	if (name_written(writer, id)->size == 0) {
		result = export_users(
		    writer->store, &writer->portion, id, 1, &record);
		if (result == STORE_OK)
			result = write_user(writer, &record);
	}
	*name = *name_written(writer, id);
	return result;
}

static enum store_result
need_member(struct writer *writer, struct member *member)
{
	return need_user(writer, member->id, &member->name);
}

/* The same of one who may be nobody. */
static enum store_result
need_any(struct writer *writer, struct member *member)
{
	return member->id == 0 ? STORE_OK : need_member(writer, member);
}

static enum store_result
need_voters(struct writer *writer, struct voters *voters)
{
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < voters->names.count && result == STORE_OK; i++)
		result =
		    need_user(writer, voters->ids[i], &voters->names.items[i]);
	return result;
}

/* Everybody whom a post names. */
static enum store_result
need_members(struct writer *writer, struct record *record)
{
	struct post *post = record_post(record);
	enum store_result result = need_member(writer, &post->author);

	for (size_t i = 0; i < VOTERS_KINDS && result == STORE_OK; i++)
		result = need_voters(writer, &record->voters[i]);
	for (size_t i = 0; i < record->flag_count && result == STORE_OK; i++)
		if (record->flags[i].flagged.user != 0)
			result =
			    need_user(writer, record->flags[i].flagged.user,
				&record->flags[i].by);
	return result == STORE_OK ? need_any(writer, &post->removed_by)
				  : result;
}

static int
compare_groups(const void *a, const void *b)
{
	return text_compare(*(const struct text *)a, *(const struct text *)b);
}

static void
note_group(struct writer *writer, struct text name)
{
	struct text *groups, kept = text_copy(&writer->memory, name);
	size_t before = writer->groups.size / sizeof(kept);

	buffer_add(
	    &writer->groups, (struct text){ (char *)&kept, sizeof(kept) });
	groups = (struct text *)(void *)writer->groups.data;
	/* Only those that appear during the dump are out of order. */
	if (before > 0 && text_compare(groups[before - 1], kept) > 0)
		qsort(groups, before + 1, sizeof(kept), compare_groups);
}

/* Writes a group unless that has been done. STORE_ABSENT when there is none. */
static enum store_result
need_group(struct writer *writer, struct text name)
{
	struct record record = { .kind = RECORD_GROUP };
	enum store_result result;

	if (bsearch(&name, writer->groups.data,
		writer->groups.size / sizeof(name), sizeof(name),
		compare_groups) != NULL)
		return STORE_OK;
	result =
	    group_get(writer->store, &writer->portion, name, &record.group);
	if (result != STORE_OK)
		return result;
	result = need_any(writer, &record.group.by);
	if (result == STORE_ABSENT) {
		log_line("group %.*s names a creator who does not exist",
		    TEXT_ARGS(name));
		record.group.by = (struct member){ .id = 0 };
		writer->incomplete = true;
		result = STORE_OK;
	}
	if (result == STORE_OK)
		result = going_on(write_record(writer, &record));
	note_group(writer, name);
	return result;
}

/* Takes out of the article groups that are gone: they were deleted while it was removed,
 * or since it was read. */
static enum store_result
need_groups(struct writer *writer, struct article *article)
{
	struct text rest = article->groups, name;
	struct buffer kept = buffer_in(&writer->portion, rest.size + 1);

	while (text_next_word(&rest, &name)) {
		enum store_result result = need_group(writer, name);

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

STORE_CALL
writer_groups(struct writer *writer, struct text list)
{
	struct arena names = { 0 };
	struct text found[GROUPS_BATCH], after = { "", 0 };
	enum store_result result;
	size_t got = 0;

	do {
		result = export_group_names(writer->store, &names, list, after,
		    GROUPS_BATCH, found, &got);
		for (size_t i = 0; i < got && result != STORE_DOWN; i++) {
			result = need_group(writer, found[i]);
			after = found[i];
			arena_reset(&writer->portion);
		}
	} while (result != STORE_DOWN && got == GROUPS_BATCH);
	arena_free(&names);
	return going_on(result);
}

STORE_CALL
writer_settings(struct writer *writer, const struct record *record)
{
	return write_record(writer, record);
}

/* When those whom it names are written, or when one of them is nobody. */
static enum store_result
write_after(
    struct writer *writer, const struct record *record, enum store_result named)
{
	if (named == STORE_ABSENT)
		return writer_leave_out(
		    writer, record, "names a member who does not exist");
	return named == STORE_OK ? write_record(writer, record) : named;
}

STORE_CALL
writer_post(struct writer *writer, struct record *record)
{
	enum store_result result = need_members(writer, record);

	if (result == STORE_OK && record->kind == RECORD_ARTICLE)
		result = need_groups(writer, &record->article);
	return write_after(writer, record, result);
}

STORE_CALL
writer_act(struct writer *writer, struct record *record)
{
	enum store_result result = need_any(writer, &record->act.by);

	if (result == STORE_OK)
		result = need_any(writer, &record->act.member);
	return write_after(writer, record, result);
}

STORE_CALL
writer_notice(struct writer *writer, struct record *record)
{
	return write_after(
	    writer, record, need_member(writer, &record->notice.to));
}

STORE_CALL
writer_mute(struct writer *writer, struct record *record)
{
	struct record_mute *mute = &record->mute;
	enum store_result result = need_member(writer, &mute->by);

	if (result == STORE_OK && mute->article == 0)
		result = need_member(writer, &mute->member);
	return write_after(writer, record, result);
}
