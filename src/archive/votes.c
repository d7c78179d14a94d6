#include "archive/votes.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/sort.h"
#include "store/function_call.h"
#include "store/keys.h"

/* In a record of voters a member's id is negative for a vote down, and KEY_VOID_OFFSET is added
 * where the vote was voided. */
static const struct {
	const char *name; /* in a line */
	int64_t sign, added;
	bool is_optional; /* left out of a line when there are none */
} kinds[VOTERS_KINDS] = {
	[VOTERS_UP] = { "up", 1, 0, false },
	[VOTERS_DOWN] = { "down", -1, 0, false },
	[VOTERS_VOIDED_UP] = { "voided_up", 1, KEY_VOID_OFFSET, true },
	[VOTERS_VOIDED_DOWN] = { "voided_down", -1, KEY_VOID_OFFSET, true },
};

void
votes_archive_put(struct json_t *object, const struct record *record)
{
	struct json_t *lists;

	if (!record_post(record)->voters_known)
		return;
	lists = json_new_object();
	for (size_t v = 0; v < VOTERS_KINDS; v++) {
		const struct voters *voters = &record->voters[v];
		struct json_t *names;

		if (kinds[v].is_optional && voters->count == 0)
			continue;
		names = json_new_array();
		for (size_t i = 0; i < voters->count; i++)
			json_append_text(names, voters->items[i].name);
		json_put(lists, kinds[v].name, names);
	}
	json_put(object, "voters", lists);
}

static void
read_list(struct json_reader *lists, const char *name, struct voters *voters)
{
	voters->count = json_read_count(lists, name);
	voters->items = arena_new(lists->arena, struct member, voters->count);
	for (size_t i = 0; i < voters->count; i++)
		voters->items[i].name = json_read_name(lists, name, i);
}

void
votes_archive_read_json(struct json_reader *reader, struct record *record)
{
	struct json_reader lists;

	if (!json_has(reader, "voters"))
		return;
	lists = json_read_object(reader, "voters");
	if (lists.object == NULL)
		return;
	record_post(record)->voters_known = true;
	for (size_t v = 0; v < VOTERS_KINDS; v++)
		if (!kinds[v].is_optional || json_has(&lists, kinds[v].name))
			read_list(&lists, kinds[v].name, &record->voters[v]);
	json_pass_problem(reader, "voters", &lists);
}

void
votes_archive_references(struct references *references, struct record *record)
{
	for (size_t v = 0; v < VOTERS_KINDS; v++)
		for (size_t i = 0; i < record->voters[v].count; i++)
			references_member(
			    references, &record->voters[v].items[i]);
}

static int
compare_members(const void *a, const void *b)
{
	const struct member *one = a, *other = b;

	return sort_compare(one->id, other->id);
}

/* The member of a number of a record, if it is of that kind; otherwise 0. */
static uint64_t
voter_of(int64_t number, enum voters_kind kind)
{
	int64_t id = number * kinds[kind].sign - kinds[kind].added;

	return id > 0 && id < KEY_VOID_OFFSET ? (uint64_t)id : 0;
}

/* Those of one kind, by id; the 0 of each record is nobody. */
static void
read_voters(struct arena *arena, const struct reply *set, enum voters_kind kind,
    struct voters *voters)
{
	size_t count = 0;

	for (size_t i = 0; i < set->count; i++)
		count += voter_of(reply_number(reply_item(set, i)), kind) != 0;
	voters->items = arena_new(arena, struct member, count);
	for (size_t i = 0; i < set->count; i++) {
		uint64_t id = voter_of(reply_number(reply_item(set, i)), kind);

		if (id != 0)
			voters->items[voters->count++].id = id;
	}
	if (count > 0)
		qsort(voters->items, count, sizeof(struct member),
		    compare_members);
}

void
votes_archive_read(
    struct arena *arena, const struct reply *set, struct record *record)
{
	record_post(record)->voters_known = set->count > 0;
	for (enum voters_kind v = 0; v < VOTERS_KINDS; v++)
		read_voters(arena, set, v, &record->voters[v]);
}

static void
validate_count(struct validation *validation, const char *name, int64_t count,
    const struct voters *voters)
{
	if (count != (int64_t)voters->count)
		validate_problem(validation,
		    text_format(validation->arena,
			"\"%s\" is %lld, and %zu voted so", name,
			(long long)count, voters->count));
}

void
votes_archive_validate(struct validation *validation, struct record *record)
{
	const struct post *post = record_post(record);

	if (!post->voters_known)
		return;
	validate_count(validation, "up", post->up, &record->voters[VOTERS_UP]);
	validate_count(
	    validation, "down", post->down, &record->voters[VOTERS_DOWN]);
}

static size_t
count_voters(const struct record *record)
{
	size_t count = 0;

	for (size_t v = 0; v < VOTERS_KINDS; v++)
		count += record->voters[v].count;
	return count;
}

/* A vote has one state: nobody is named twice, be it in several lists or in one. */
static void
refuse_twice(struct batch *batch, struct batch_line *line,
    struct member *const *voters, size_t count)
{
	uint64_t *ids = arena_new(batch->arena, uint64_t, count);

	for (size_t i = 0; i < count; i++)
		ids[i] = voters[i]->id;
	sort_ids(ids, count);
	for (size_t i = 1; i < count; i++)
		if (ids[i] == ids[i - 1])
			batch_refuse(line, TEXT("a voter is named twice"));
}

STORE_CALL
votes_archive_resolve(struct batch *batch, struct batch_line *line)
{
	size_t count = count_voters(&line->record), next = 0;
	struct member **voters =
	    arena_new(batch->arena, struct member *, count);

	for (size_t v = 0; v < VOTERS_KINDS; v++)
		for (size_t i = 0; i < line->record.voters[v].count; i++)
			voters[next++] = &line->record.voters[v].items[i];
	if (batch_find_ids(batch, line, voters, count) != STORE_OK)
		return STORE_DOWN;
	refuse_twice(batch, line, voters, count);
	return STORE_OK;
}

int64_t
votes_archive_count(const struct record *record)
{
	return record_post(record)->voters_known ? (int64_t)count_voters(record)
						 : -1;
}

void
votes_archive_add(struct call *call, const struct record *record)
{
	for (size_t v = 0; v < VOTERS_KINDS; v++)
		for (size_t i = 0; i < record->voters[v].count; i++)
			call_add_number(call,
			    kinds[v].sign *
				(kinds[v].added +
				    (int64_t)record->voters[v].items[i].id));
}

STORE_CALL
votes_archive_check(struct check *check)
{
	return check_orphans(check, KEYSCAN_VOTERS, "a record of voters lies",
	    "who voted on it is recorded");
}
