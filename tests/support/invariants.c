#include "invariants.h"

#include <inttypes.h>
#include <string.h>

/* An article as its hash has it, and what all of them add up to. */
struct checked {
	struct world *world;
	uint64_t id;
	struct text tag, author, groups;
	int64_t posted, closes, up, down, interesting, removed;
	struct totals *totals;
};

struct totals {
	int64_t in_lists, interesting, records;
	int64_t karma[INVARIANTS_USERS];
};

static int64_t
number_of(struct text text)
{
	int64_t number = 0;

	if (text.size > 0 && !text_to_i64(text, &number))
		fail_msg("%.*s is no number", TEXT_ARGS(text));
	return number;
}

static struct text
key_in(const struct checked *checked, const char *name)
{
	return text_format(
	    &checked->world->arena, "%.*s%s", TEXT_ARGS(checked->tag), name);
}

static struct text
key_of_id(const struct checked *checked, const char *name)
{
	return text_format(&checked->world->arena, "%.*s%s:%" PRIu64,
	    TEXT_ARGS(checked->tag), name, checked->id);
}

static void
expect(const struct checked *checked, const char *what, int64_t found,
    int64_t expected)
{
	if (found != expected)
		fail_msg("article %" PRIu64 ": %s is %" PRId64 ", not %" PRId64,
		    checked->id, what, found, expected);
}

static int64_t
ask(struct world *world, const char *command, struct text key)
{
	return world_command(world, text_of(command), key).number;
}

/* Numbers 1 and 2. */
static void
check_record(const struct checked *checked)
{
	struct world *world = checked->world;
	struct text key = key_of_id(checked, "voters");
	struct reply record = world_command(world, TEXT("SMEMBERS"), key);
	int64_t up = 0, down = 0, nobody = 0;

	if (record.count == 0)
		return;
	checked->totals->records++;
	for (size_t i = 0; i < record.count; i++) {
		int64_t voter = number_of(record.items[i].text);
		bool is_voided = voter >= KEY_VOID || voter <= -KEY_VOID;

		up += voter > 0 && !is_voided;
		down += voter < 0 && !is_voided;
		nobody += voter == 0;
		expect(checked, "the same voter the other way",
		    world_command(world, TEXT("SISMEMBER"), key,
			text_number(&world->arena, -voter))
			.number,
		    voter == 0);
	}
	expect(checked, "up", checked->up, up);
	expect(checked, "down", checked->down, down);
	expect(checked, "the 0 in the record", nobody, 1);
	expect(checked, "the expiry of the record",
	    ask(world, "PEXPIRETIME", key), checked->closes * 1000 - 1);
}

static void
check_entry(const struct checked *checked, struct text key, bool is_in,
    int64_t expected)
{
	struct world *world = checked->world;
	struct reply score = world_command(
	    world, TEXT("ZSCORE"), key, key_member(&world->arena, checked->id));

	if (is_in != (score.kind == REPLY_TEXT))
		fail_msg("article %" PRIu64 " is%s in %.*s", checked->id,
		    is_in ? " not" : "", TEXT_ARGS(key));
	if (is_in)
		expect(checked, text_string(&world->arena, key),
		    number_of(score.text), expected);
}

/* Numbers 3 and 4 for one list, named as it follows "time" or "score". */
static void
check_list(const struct checked *checked, const char *kind, struct text list,
    int64_t score)
{
	bool is_in = checked->removed == 0;

	check_entry(checked,
	    text_join(&checked->world->arena, key_in(checked, kind), list),
	    is_in, score);
	checked->totals->in_lists += is_in;
}

static void
check_lists(const struct checked *checked)
{
	struct arena *arena = &checked->world->arena;
	struct text rest = checked->groups, group;
	int64_t posted = checked->posted;
	int64_t score = posted + 432 * (checked->up - checked->down);

	check_list(checked, "time", TEXT(""), posted);
	check_list(checked, "score", TEXT(""), score);
	check_list(checked, "time",
	    text_join(arena, TEXT(":@"), checked->author), posted);
	while (text_word(&rest, &group)) {
		group = text_join(arena, TEXT(":"), group);
		check_list(checked, "time", group, posted);
		check_list(checked, "score", group, score);
	}
}

/* Number 5. */
static void
check_interesting(const struct checked *checked)
{
	bool is_in = checked->interesting != 0 && checked->removed == 0;

	check_entry(checked, key_in(checked, "interesting"), is_in,
	    checked->interesting);
	checked->totals->interesting += is_in ? 1 : 0;
}

static void
read_hash(struct checked *checked, struct text key)
{
	struct reply hash = world_command(checked->world, TEXT("HGETALL"), key);
	struct {
		const char *name;
		int64_t *number;
	} numbers[] = {
		{ "posted", &checked->posted },
		{ "closes", &checked->closes },
		{ "up", &checked->up },
		{ "down", &checked->down },
		{ "interesting", &checked->interesting },
		{ "removed", &checked->removed },
	};

	for (size_t i = 0; i + 1 < hash.count; i += 2) {
		struct text name = hash.items[i].text;
		struct text value = hash.items[i + 1].text;

		for (size_t n = 0; n < sizeof(numbers) / sizeof(*numbers); n++)
			if (text_equal(name, text_of(numbers[n].name)))
				*numbers[n].number = number_of(value);
		if (text_equal(name, TEXT("groups")))
			checked->groups = value;
		if (text_equal(name, TEXT("author")))
			text_cut(&value, ' ', &checked->author);
	}
}

/* key is "{b.n}article:ID". */
static void
check_article(struct world *world, struct totals *totals, struct text key)
{
	struct checked checked = { .world = world, .totals = totals };
	struct text id = key, tag, bucket;
	int64_t author;

	text_cut(&id, ':', &tag);
	checked.tag = text_slice(tag, 0, tag.size - strlen("article"));
	checked.id = (uint64_t)number_of(id);
	tag = text_slice(tag, 1, checked.tag.size);
	text_cut(&tag, '.', &bucket);
	expect(&checked, "the bucket", number_of(bucket),
	    (int64_t)key_bucket_of(&world->store.buckets, checked.id));
	read_hash(&checked, key);
	author = number_of(checked.author);
	assert_in_range(author, 1, INVARIANTS_USERS - 1);
	totals->karma[author] += checked.up - checked.down - 1;
	check_record(&checked);
	check_lists(&checked);
	check_interesting(&checked);
}

/* How many entries all the sorted sets of a pattern have. */
static int64_t
count_entries(struct world *world, const char *pattern)
{
	struct text keys = world_keys(world, pattern), key;
	int64_t count = 0;

	while (text_word(&keys, &key))
		count += ask(world, "ZCARD", key);
	return count;
}

static int64_t
count_keys(struct world *world, const char *pattern)
{
	return (int64_t)world_command(world, TEXT("KEYS"), text_of(pattern))
	    .count;
}

/* Number 6. */
static void
check_karma(struct world *world, struct totals *totals)
{
	struct text keys = world_keys(world, "{*}karma"), key;

	while (text_word(&keys, &key)) {
		struct reply hash = world_command(world, TEXT("HGETALL"), key);

		for (size_t i = 0; i + 1 < hash.count; i += 2) {
			int64_t user = number_of(hash.items[i].text);

			assert_in_range(user, 1, INVARIANTS_USERS - 1);
			totals->karma[user] -=
			    number_of(hash.items[i + 1].text);
		}
	}
	for (int64_t user = 0; user < INVARIANTS_USERS; user++)
		if (totals->karma[user] != 0)
			fail_msg("the karma of user %" PRId64 " lacks %" PRId64,
			    user, totals->karma[user]);
}

size_t
invariants_check(struct world *world)
{
	struct totals totals = { .in_lists = 0 };
	struct text keys = world_keys(world, "{*}article:*"), key;
	size_t count = 0;

	for (; text_word(&keys, &key); count++)
		check_article(world, &totals, key);
	/* Each is where it belongs; that the sums agree says: nowhere else. */
	assert_int_equal(count_entries(world, "{*}time*") +
		count_entries(world, "{*}score*"),
	    totals.in_lists);
	assert_int_equal(
	    count_entries(world, "{*}interesting"), totals.interesting);
	assert_int_equal(count_keys(world, "{*}voters:*"), totals.records);
	check_karma(world, &totals);
	return count;
}
