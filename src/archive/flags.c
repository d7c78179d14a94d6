#include "archive/flags.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/sort.h"
#include "store/function_call.h"

void
flags_archive_put(struct json_t *object, const struct record *record)
{
	struct json_t *flags;

	if (record->flag_count == 0)
		return;
	flags = json_new_array();
	for (size_t i = 0; i < record->flag_count; i++) {
		const struct record_flag *flag = &record->flags[i];
		struct json_t *item = json_new_object();

		if (flag->by.name.size > 0)
			json_put_text(item, "by", flag->by.name);
		json_put_text(item, "reason", flag_words[flag->flagged.flag]);
		json_put_number(item, "at", flag->flagged.at);
		if (flag->flagged.dismissed)
			json_put_true(item, "dismissed");
		json_append(flags, item);
	}
	json_put(object, "flags", flags);
}

static void
read_flag(struct json_reader *reader, struct record_flag *flag)
{
	struct text word = json_read_text(reader, "reason");
	size_t index;

	flag->flagged.at = record_read_number(reader, "at", FIELD_MOMENT);
	if (json_has(reader, "by"))
		flag->by.name = json_read_text(reader, "by");
	if (json_has(reader, "dismissed"))
		flag->flagged.dismissed = json_read_true(reader, "dismissed");
	/* A flag that was removed is stored if it was dismissed. */
	if (!text_index(word, flag_words, FLAG_KINDS, &index) ||
	    (index == FLAG_NONE && !flag->flagged.dismissed))
		json_problem(reader, "reason", "is no reason for a flag");
	else
		flag->flagged.flag = (enum flag)index;
	if ((flag->flagged.flag == FLAG_FIRST) != (flag->by.name.size == 0))
		json_problem(reader, "by",
		    "has to be there, but for what is a new member's first");
}

void
flags_archive_read_json(struct json_reader *reader, struct record *record)
{
	if (!json_has(reader, "flags"))
		return;
	record->flag_count = json_read_count(reader, "flags");
	record->flags =
	    arena_new(reader->arena, struct record_flag, record->flag_count);
	for (size_t i = 0; i < record->flag_count; i++) {
		struct json_reader item = json_read_item(reader, "flags", i);

		if (item.object == NULL)
			return;
		read_flag(&item, &record->flags[i]);
		json_pass_problem(reader, "flags", &item);
	}
}

void
flags_archive_references(struct references *references, struct record *record)
{
	for (size_t i = 0; i < record->flag_count; i++)
		references_member_or_nobody(references, &record->flags[i].by);
}

static int
compare_flags(const void *a, const void *b)
{
	const struct flagged *one = a, *other = b;

	return sort_compare(one->user, other->user);
}

void
flags_archive_read(
    struct arena *arena, const struct reply *hash, struct record *record)
{
	struct flagged *flags;
	size_t count = flag_read_all(arena, hash, &flags);

	if (count > 0)
		qsort(flags, count, sizeof(*flags), compare_flags);
	record->flags = arena_new(arena, struct record_flag, count);
	record->flag_count = count;
	for (size_t i = 0; i < count; i++) {
		record->flags[i].flagged = flags[i];
		record->flags[i].by.id = flags[i].user;
	}
}

STORE_CALL
flags_archive_resolve(struct batch *batch, struct batch_line *line)
{
	struct record *record = &line->record;
	size_t count = record->flag_count;
	struct member **members =
	    arena_new(batch->arena, struct member *, count);

	for (size_t i = 0; i < count; i++)
		members[i] = &record->flags[i].by;
	if (batch_find_ids(batch, line, members, count) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		record->flags[i].flagged.user = members[i]->id;
	return STORE_OK;
}

void
flags_archive_add(struct call *call, const struct record *record)
{
	for (size_t i = 0; i < record->flag_count; i++) {
		const struct flagged *flagged = &record->flags[i].flagged;

		call_add_number(call, (int64_t)flagged->user);
		call_add(call, flag_value(call->arena, flagged));
	}
}

STORE_CALL
flags_archive_check(struct check *check)
{
	return check_orphans(
	    check, KEYSCAN_FLAGS, "flags lie", "it was flagged");
}
