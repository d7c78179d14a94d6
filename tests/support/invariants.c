#include "invariants.h"

#include <inttypes.h>
#include <string.h>

/* A post as its hash has it, and what all of them add up to. */
struct checked {
	struct world *world;
	struct post_id id;
	struct text tag, author, groups, scores, from;
	int64_t posted, closes, up, down, interesting, removed;
	int64_t parent, state, comments, commented;
	bool is_withdrawn;
	struct totals *totals;
};

struct totals {
	int64_t in_lists, in_comments, gone, interesting, records, indexed,
	    queued;
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

/* "7", or of a comment "7:3". */
static struct text
name_of(const struct checked *checked)
{
	struct arena *arena = &checked->world->arena;
	struct text article =
	    text_format(arena, "%" PRIu64, checked->id.article);

	return checked->id.comment == 0
	    ? article
	    : text_format(arena, "%.*s:%" PRIu64, TEXT_ARGS(article),
		  checked->id.comment);
}

static struct text
key_of_id(const struct checked *checked, const char *name)
{
	return text_format(&checked->world->arena, "%.*s%s:%.*s",
	    TEXT_ARGS(checked->tag), name, TEXT_ARGS(name_of(checked)));
}

static void
expect(const struct checked *checked, const char *what, int64_t found,
    int64_t expected)
{
	if (found != expected)
		fail_msg("post %.*s: %s is %" PRId64 ", not %" PRId64,
		    TEXT_ARGS(name_of(checked)), what, found, expected);
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
		bool is_voided =
		    voter >= KEY_VOID_OFFSET || voter <= -KEY_VOID_OFFSET;

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
	struct reply score = world_command(world, TEXT("ZSCORE"), key,
	    encode_post(&world->arena, checked->id));

	if (is_in != (score.kind == REPLY_TEXT))
		fail_msg("post %.*s is%s in %.*s", TEXT_ARGS(name_of(checked)),
		    is_in ? " not" : "", TEXT_ARGS(key));
	if (is_in)
		expect(checked, text_string(&world->arena, key),
		    number_of(score.text), expected);
}

/* Numbers 3 and 4 for one list, named as it follows what kind it is. */
static void
check_list(const struct checked *checked, const char *kind, struct text list,
    int64_t score)
{
	check_entry(checked,
	    text_join(&checked->world->arena, key_in(checked, kind), list),
	    checked->removed == 0, score);
}

static struct text
list_of_author(const struct checked *checked)
{
	return text_join(&checked->world->arena, TEXT(":@"), checked->author);
}

/* All that are named after a kind: of all articles, and of each group. Returns how many. */
static int64_t
check_kind(const struct checked *checked, const char *kind, int64_t score)
{
	struct text rest = checked->groups, group;
	int64_t lists = 1;

	check_list(checked, kind, TEXT(""), score);
	for (; text_next_word(&rest, &group); lists++)
		check_list(checked, kind,
		    text_join(&checked->world->arena, TEXT(":"), group), score);
	return lists;
}

/* The lists by score that have the article, as it says itself, "score 432 score2 864". */
static int64_t
check_scales(const struct checked *checked)
{
	struct text rest =
	    checked->scores.size > 0 ? checked->scores : TEXT("score 432");
	int64_t points = checked->up - checked->down, lists = 0;
	struct text kind, worth;

	while (text_next_word(&rest, &kind) && text_next_word(&rest, &worth))
		lists += check_kind(checked,
		    text_string(&checked->world->arena, kind),
		    checked->posted + number_of(worth) * points);
	return lists;
}

/* Of the two lists by score that a bucket may have, "score 432 score2 864 1 20", an article is in
 * the first. Up to the id at the end it is in the second, or in no other if the worth there is
 * 0; after that it may still be in former ones. */
static void
check_scales_of_bucket(const struct checked *checked)
{
	struct arena *arena = &checked->world->arena;
	struct reply field = world_command(checked->world, TEXT("HGET"),
	    key_in(checked, "versions"), TEXT("scores"));
	struct text words[6] = { TEXT("") }, rest = field.text, own, wanted;
	size_t count = 0;

	if (field.kind != REPLY_TEXT) {
		assert_int_equal(checked->scores.size, 0);
		return;
	}
	while (count < 6 && text_next_word(&rest, &words[count]))
		count++;
	own = text_format(arena, " %.*s ",
	    TEXT_ARGS(checked->scores.size > 0 ? checked->scores
					       : TEXT("score 432")));
	wanted = text_format(
	    arena, " %.*s %.*s ", TEXT_ARGS(words[0]), TEXT_ARGS(words[1]));
	if (text_find(own, 0, wanted) == SIZE_MAX)
		fail_msg("post %.*s is in \"%.*s\" and its bucket has \"%.*s\"",
		    TEXT_ARGS(name_of(checked)), TEXT_ARGS(own),
		    TEXT_ARGS(field.text));
	if (count == 2) {
		assert_same(own, wanted);
	} else if ((int64_t)checked->id.article <= number_of(words[5])) {
		wanted = text_format(arena, " %.*s %.*s ", TEXT_ARGS(words[2]),
		    TEXT_ARGS(words[3]));
		assert_int_equal(text_find(own, 0, wanted) == SIZE_MAX,
		    number_of(words[3]) == 0);
	}
}

/* Those of "github.com/ann" and of "github.com". */
static int64_t
check_publishers(const struct checked *checked)
{
	struct text rest = checked->from, host;
	bool is_part;

	if (checked->from.size == 0)
		return 0;
	text_cut(&rest, '/', &host);
	is_part = rest.data != NULL;
	check_list(checked, "time",
	    text_join(&checked->world->arena, TEXT(":/"), host),
	    checked->posted);
	if (is_part)
		check_list(checked, "time",
		    text_join(
			&checked->world->arena, TEXT(":/"), checked->from),
		    checked->posted);
	return is_part ? 2 : 1;
}

static void
check_lists_of_article(const struct checked *checked)
{
	int64_t lists = 1 + check_kind(checked, "time", checked->posted) +
	    check_scales(checked) + check_publishers(checked);

	check_scales_of_bucket(checked);
	check_list(checked, "time", list_of_author(checked), checked->posted);
	checked->totals->in_lists += checked->removed == 0 ? lists : 0;
}

static void
check_lists_of_comment(const struct checked *checked)
{
	check_list(checked, "comments", TEXT(""), checked->posted);
	check_list(
	    checked, "comments", list_of_author(checked), checked->posted);
	checked->totals->in_comments += checked->removed == 0 ? 2 : 0;
}

static void
check_gone(const struct checked *checked)
{
	check_entry(checked,
	    text_join(&checked->world->arena, key_in(checked, "gone"),
		list_of_author(checked)),
	    checked->removed != 0, checked->posted);
	checked->totals->gone += checked->removed != 0;
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

/* Number 8. A flag's value is "reason moment", and " dismissed" where it was. */
static void
check_queue(const struct checked *checked)
{
	struct reply flags = world_command(
	    checked->world, TEXT("HVALS"), key_of_id(checked, "flags"));
	int64_t first = 0;

	for (size_t i = 0; i < flags.count; i++) {
		struct text rest = flags.items[i].text, word;
		int64_t at;

		text_cut(&rest, ' ', &word);
		if (!text_to_i64(rest, &at))
			continue;
		first = first == 0 || at < first ? at : first;
	}
	if (checked->removed != 0)
		first = 0;
	check_entry(checked, key_in(checked, "queue"), first != 0, first);
	checked->totals->queued += first != 0;
}

/* A number of some bytes, the most significant first. */
static int64_t
bytes_at(struct text bytes, size_t start, size_t size)
{
	int64_t number = 0;

	assert_in_range(start + size, 0, bytes.size);
	for (size_t i = 0; i < size; i++)
		number = number << 8 | (unsigned char)bytes.data[start + i];
	return number;
}

static struct text
read_index(struct world *world, struct text key)
{
	struct text index = world_command(world, TEXT("GET"), key).text;

	assert_int_equal(index.size % 16, 0);
	return index;
}

/* What a comment's hash does not have. */
static void
read_record(struct checked *checked)
{
	struct text index = read_index(checked->world,
	    text_format(&checked->world->arena, "%.*sthread:%" PRIu64,
		TEXT_ARGS(checked->tag), checked->id.article));
	size_t at = 16 * checked->id.comment;

	expect(checked, "posted in the hash", checked->posted, 0);
	expect(checked, "up in the hash", checked->up, 0);
	assert_true(at + 16 <= index.size);
	checked->parent = bytes_at(index, at, 3);
	checked->state = bytes_at(index, at + 3, 1) % 4;
	checked->posted = bytes_at(index, at + 4, 4);
	expect(checked, "rest of the state", bytes_at(index, at + 3, 1) / 4, 0);
	checked->up = bytes_at(index, at + 8, 3);
	checked->down = bytes_at(index, at + 11, 3);
}

/* Number 7, of a comment. */
static void
check_place_in_thread(const struct checked *checked)
{
	struct arena *arena = &checked->world->arena;
	uint64_t number = checked->id.comment,
		 parent = (uint64_t)checked->parent;
	struct text article =
	    text_format(arena, "%.*s%s:%" PRIu64, TEXT_ARGS(checked->tag),
		parent == 0 ? "article" : "comment", checked->id.article);
	struct text above = parent == 0
	    ? article
	    : text_format(arena, "%.*s:%" PRIu64, TEXT_ARGS(article), parent);
	int64_t state = checked->is_withdrawn ? 3 : 1;

	assert_true(parent < number);
	expect(checked, "what it answers", ask(checked->world, "EXISTS", above),
	    1);
	expect(checked, "the index's state", checked->state,
	    checked->removed == 0 ? 0 : state);
}

/* Number 7, of an article. */
static void
check_thread(const struct checked *checked)
{
	struct text index =
	    read_index(checked->world, key_of_id(checked, "thread"));
	int64_t last = 0, shown = 0;

	for (size_t at = 16; at < index.size; at += 16) {
		if (bytes_at(index, at + 4, 4) == 0)
			continue;
		last = (int64_t)at / 16;
		shown += bytes_at(index, at + 3, 1) % 4 == 0;
		checked->totals->indexed++;
	}
	expect(checked, "its last comment", checked->commented, last);
	expect(checked, "how many comments it has", checked->comments, shown);
}

/* Fields that are a member's "17 ann". */
static void
read_members(struct checked *checked, struct reply hash)
{
	struct text remover = TEXT("");

	for (size_t i = 0; i + 1 < hash.count; i += 2) {
		struct text name = hash.items[i].text;
		struct text value = hash.items[i + 1].text;

		if (text_equal(name, TEXT("author")))
			text_cut(&value, ' ', &checked->author);
		if (text_equal(name, TEXT("removed_by")))
			text_cut(&value, ' ', &remover);
	}
	checked->is_withdrawn = text_equal(remover, checked->author);
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
		{ "comments", &checked->comments },
		{ "commented", &checked->commented },
	};

	for (size_t i = 0; i + 1 < hash.count; i += 2) {
		struct text name = hash.items[i].text;
		struct text value = hash.items[i + 1].text;

		for (size_t n = 0; n < sizeof(numbers) / sizeof(*numbers); n++)
			if (text_equal(name, text_of(numbers[n].name)))
				*numbers[n].number = number_of(value);
		if (text_equal(name, TEXT("groups")))
			checked->groups = value;
		if (text_equal(name, TEXT("scores")))
			checked->scores = value;
		if (text_equal(name, TEXT("from")))
			checked->from = value;
	}
	read_members(checked, hash);
}

/* key is "{b.n}article:ID" or "{b.n}comment:ID:NUMBER". */
static void
check_post(struct world *world, struct totals *totals, struct text key)
{
	struct checked checked = { .world = world, .totals = totals };
	struct text number = key, tag, bucket, id;
	int64_t author;

	text_cut(&number, ':', &tag);
	text_cut(&number, ':', &id);
	checked.tag = text_slice(tag, 0, tag.size - strlen("article"));
	checked.id = (struct post_id){ (uint64_t)number_of(id),
		(uint64_t)number_of(number) };
	tag = text_slice(tag, 1, checked.tag.size);
	text_cut(&tag, '.', &bucket);
	expect(&checked, "the bucket", number_of(bucket),
	    (int64_t)key_bucket_of(&world->store.buckets, checked.id.article));
	read_hash(&checked, key);
	if (checked.id.comment != 0)
		read_record(&checked);
	author = number_of(checked.author);
	assert_in_range(author, 1, INVARIANTS_USERS - 1);
	totals->karma[author] += checked.up - checked.down - 1;
	check_record(&checked);
	check_gone(&checked);
	check_queue(&checked);
	if (checked.id.comment == 0) {
		check_lists_of_article(&checked);
		check_interesting(&checked);
		check_thread(&checked);
	} else {
		check_lists_of_comment(&checked);
		check_place_in_thread(&checked);
	}
}

static size_t
check_posts(struct world *world, struct totals *totals, const char *pattern)
{
	struct text keys = world_keys(world, pattern), key;
	size_t count = 0;

	for (; text_next_word(&keys, &key); count++)
		check_post(world, totals, key);
	return count;
}

/* How many entries all the sorted sets of a pattern have. */
static int64_t
count_entries(struct world *world, const char *pattern)
{
	struct text keys = world_keys(world, pattern), key;
	int64_t count = 0;

	while (text_next_word(&keys, &key))
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

	while (text_next_word(&keys, &key)) {
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
	size_t articles = check_posts(world, &totals, "{*}article:*");
	size_t comments = check_posts(world, &totals, "{*}comment:*");

	/* Each is where it belongs; that the sums agree says: nowhere else. */
	assert_int_equal(count_entries(world, "{*}time*") +
		count_entries(world, "{*}score*"),
	    totals.in_lists);
	assert_int_equal(
	    count_entries(world, "{*}comments*"), totals.in_comments);
	assert_int_equal(count_entries(world, "{*}gone*"), totals.gone);
	assert_int_equal(
	    count_entries(world, "{*}interesting"), totals.interesting);
	assert_int_equal(count_entries(world, "{*}queue"), totals.queued);
	assert_int_equal(count_keys(world, "{*}voters:*"), totals.records);
	assert_int_equal(totals.indexed, (int64_t)comments);
	assert_in_range(count_keys(world, "{*}thread:*"), 0, articles);
	check_karma(world, &totals);
	return articles + comments;
}
