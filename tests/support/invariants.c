#include "invariants.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "contents.h"

/* A post as its hash has it, and what all of them add up to. */
struct checked {
	struct contents *contents;
	const struct buckets *buckets;
	struct post_id id;
	struct text tag, author, groups, scores, from;
	int64_t posted, closes, up, down, interesting, removed, held;
	int64_t parent, state, comments, commented;
	bool is_withdrawn;
	struct totals *totals;
};

struct totals {
	int64_t in_lists, in_comments, active, gone, interesting, records,
	    indexed, queued, by_points;
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

/* Of a hash; NULL when it is missing. */
static const struct reply *
field_of(const struct contents *contents, struct text key, struct text field)
{
	const struct reply *hash = contents_value(contents, key, "hash");

	for (size_t i = 0; i + 1 < hash->count; i += 2)
		if (text_equal(hash->items[i].text, field))
			return &hash->items[i + 1];
	return NULL;
}

static struct text
key_in(const struct checked *checked, const char *name)
{
	return text_format(
	    &checked->contents->arena, "%.*s%s", TEXT_ARGS(checked->tag), name);
}

/* "7", or of a comment "7:3". */
static struct text
name_of(const struct checked *checked)
{
	struct arena *arena = &checked->contents->arena;
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
	return text_format(&checked->contents->arena, "%.*s%s:%.*s",
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

/* Numbers 1 and 2. */
static void
check_record(const struct checked *checked)
{
	struct contents *contents = checked->contents;
	struct text key = key_of_id(checked, "voters");
	const struct content *record = contents_find(contents, key);
	int64_t up = 0, down = 0, nobody = 0;

	if (record == NULL)
		return;
	checked->totals->records++;
	for (size_t i = 0; i < record->value.count; i++) {
		int64_t voter = number_of(record->value.items[i].text);
		bool is_voided =
		    voter >= KEY_VOID_OFFSET || voter <= -KEY_VOID_OFFSET;

		up += voter > 0 && !is_voided;
		down += voter < 0 && !is_voided;
		nobody += voter == 0;
		expect(checked, "the same voter the other way",
		    contents_is_member(
			contents, key, text_number(&contents->arena, -voter)),
		    voter == 0);
	}
	expect(checked, "up", checked->up, up);
	expect(checked, "down", checked->down, down);
	expect(checked, "the 0 in the record", nobody, 1);
	expect(checked, "the expiry of the record", record->expires,
	    checked->closes * 1000 - 1);
}

static void
check_entry(const struct checked *checked, struct text key, bool is_in,
    int64_t expected)
{
	struct arena *arena = &checked->contents->arena;
	const struct reply *score = contents_score(
	    checked->contents, key, encode_post(arena, checked->id));

	if (is_in != (score->kind == REPLY_TEXT))
		fail_msg("post %.*s is%s in %.*s", TEXT_ARGS(name_of(checked)),
		    is_in ? " not" : "", TEXT_ARGS(key));
	if (is_in)
		expect(checked, text_string(arena, key), number_of(score->text),
		    expected);
}

/* Numbers 3 and 4 for one list, named as it follows what kind it is. */
static void
check_list(const struct checked *checked, const char *kind, struct text list,
    int64_t score)
{
	check_entry(checked,
	    text_join(&checked->contents->arena, key_in(checked, kind), list),
	    checked->removed == 0, score);
}

static struct text
list_of_author(const struct checked *checked)
{
	return text_join(
	    &checked->contents->arena, TEXT(":@"), checked->author);
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
		    text_join(&checked->contents->arena, TEXT(":"), group),
		    score);
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
		    text_string(&checked->contents->arena, kind),
		    checked->posted + number_of(worth) * points);
	return lists;
}

/* Of the two lists by score that a bucket may have, "score 432 score2 864 1 20", an article is in
 * the first. Up to the id at the end it is in the second, or in no other if the worth there is
 * 0; after that it may still be in former ones. */
static void
check_scales_of_bucket(const struct checked *checked)
{
	struct arena *arena = &checked->contents->arena;
	const struct reply *field = field_of(
	    checked->contents, key_in(checked, "versions"), TEXT("scores"));
	struct text words[6] = { TEXT("") }, rest, own, wanted;
	size_t count = 0;

	if (field == NULL) {
		assert_int_equal(checked->scores.size, 0);
		return;
	}
	rest = field->text;
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
		    TEXT_ARGS(field->text));
	if (count == 2) {
		assert_same(own, wanted);
	} else if ((int64_t)checked->id.article <= number_of(words[5])) {
		wanted = text_format(arena, " %.*s %.*s ", TEXT_ARGS(words[2]),
		    TEXT_ARGS(words[3]));
		assert_int_equal(text_find(own, 0, wanted) == SIZE_MAX,
		    number_of(words[3]) == 0);
	}
}

/* Whether an article is at or before the one that its bucket placed last, "MOMENT ID". */
static bool
is_passed(const struct checked *checked)
{
	const struct reply *field = field_of(
	    checked->contents, key_in(checked, "versions"), TEXT("placed"));
	struct text rest, word;
	int64_t moment;

	if (field == NULL)
		return false;
	rest = field->text;
	assert_true(text_next_word(&rest, &word));
	moment = number_of(word);
	assert_true(text_next_word(&rest, &word));
	return checked->posted < moment ||
	    (checked->posted == moment &&
		(int64_t)checked->id.article <= number_of(word));
}

/* A list by points, named as it follows what kind it is: the article is there, or not; or either
 * as the first list has it. */
static void
check_by_points(const struct checked *checked, const char *kind,
    struct text list, bool *is_in, bool is_certain)
{
	struct arena *arena = &checked->contents->arena;
	struct text key = text_join(arena, key_in(checked, kind), list);
	int64_t score = (checked->up - checked->down) * (INT64_C(1) << 32) +
	    checked->posted;

	if (!is_certain && list.size == 0)
		*is_in = contents_score(checked->contents, key,
			     encode_post(arena, checked->id))
			     ->kind == REPLY_TEXT;
	check_entry(checked, key, *is_in, score);
	checked->totals->by_points += *is_in ? 1 : 0;
}

/* Number 10. */
static void
check_points(const struct checked *checked)
{
	struct arena *arena = &checked->contents->arena;
	struct text rest = checked->groups, group;
	time_t posted = checked->posted;
	bool is_open = contents_find(checked->contents,
			   key_of_id(checked, "voters")) != NULL;
	bool is_passed_by = is_passed(checked);
	bool is_in = checked->removed == 0 && is_passed_by;
	bool is_certain = checked->removed != 0 || is_open || is_passed_by;
	struct tm date;
	struct text month;

	if (checked->removed == 0 && is_passed_by)
		expect(
		    checked, "the record of one that was placed", is_open, 0);
	gmtime_r(&posted, &date);
	month = text_format(
	    arena, ":%04d-%02d", date.tm_year + 1900, date.tm_mon + 1);
	check_by_points(checked, "points", TEXT(""), &is_in, is_certain);
	check_by_points(checked, "month", month, &is_in, true);
	while (text_next_word(&rest, &group)) {
		check_by_points(checked, "points",
		    text_join(arena, TEXT(":"), group), &is_in, true);
		check_by_points(checked, "month",
		    text_format(
			arena, "%.*s/%.*s", TEXT_ARGS(month), TEXT_ARGS(group)),
		    &is_in, true);
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
	    text_join(&checked->contents->arena, TEXT(":/"), host),
	    checked->posted);
	if (is_part)
		check_list(checked, "time",
		    text_join(
			&checked->contents->arena, TEXT(":/"), checked->from),
		    checked->posted);
	return is_part ? 2 : 1;
}

static void
check_lists_of_article(const struct checked *checked)
{
	int64_t lists = 1 + check_kind(checked, "time", checked->posted) +
	    check_scales(checked) + check_publishers(checked);

	check_scales_of_bucket(checked);
	check_points(checked);
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
	    text_join(&checked->contents->arena, key_in(checked, "gone"),
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
	const struct reply *flags = contents_value(
	    checked->contents, key_of_id(checked, "flags"), "hash");
	int64_t first = 0;

	for (size_t i = 1; i < flags->count; i += 2) {
		struct text rest = flags->items[i].text, word;
		int64_t at;

		text_cut(&rest, ' ', &word);
		if (!text_to_i64(rest, &at))
			continue;
		first = first == 0 || at < first ? at : first;
	}
	if (checked->removed != 0)
		first = 0;
	if (checked->held != 0 && checked->held == checked->removed)
		first = checked->held;
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
read_index(const struct contents *contents, struct text key)
{
	struct text index = contents_value(contents, key, "string")->text;

	assert_int_equal(index.size % 16, 0);
	return index;
}

/* What a comment's hash does not have. */
static void
read_record(struct checked *checked)
{
	struct text index = read_index(checked->contents,
	    text_format(&checked->contents->arena, "%.*sthread:%" PRIu64,
		TEXT_ARGS(checked->tag), checked->id.article));
	size_t at = 16 * checked->id.comment;

	expect(checked, "posted in the hash", checked->posted, 0);
	expect(checked, "up in the hash", checked->up, 0);
	assert_true(at + 16 <= index.size);
	checked->parent = bytes_at(index, at, 3);
	checked->state = bytes_at(index, at + 3, 1) % 4;
	checked->posted = bytes_at(index, at + 4, 4);
	if (checked->held != 0) {
		expect(checked, "the time of one that is held", checked->posted,
		    0);
		checked->posted = checked->held;
		checked->totals->indexed++;
	}
	expect(checked, "rest of the state", bytes_at(index, at + 3, 1) / 4, 0);
	checked->up = bytes_at(index, at + 8, 3);
	checked->down = bytes_at(index, at + 11, 3);
}

/* Number 7, of a comment. */
static void
check_place_in_thread(const struct checked *checked)
{
	struct arena *arena = &checked->contents->arena;
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
	expect(checked, "what it answers",
	    contents_find(checked->contents, above) != NULL, 1);
	expect(checked, "the index's state", checked->state,
	    checked->removed == 0 ? 0 : state);
}

/* Number 9. */
static void
check_active(const struct checked *checked, struct text index)
{
	struct text rest = checked->groups, group, list = TEXT("");
	int64_t since = 0;

	for (size_t at = index.size; at > 16 && since == 0; at -= 16)
		if (bytes_at(index, at - 13, 1) % 4 == 0)
			since = bytes_at(index, at - 12, 4);
	if (since != 0 && since < checked->posted)
		since = checked->posted;
	do {
		bool is_in = since != 0 && checked->removed == 0;

		check_entry(checked,
		    text_join(&checked->contents->arena,
			key_in(checked, "active"), list),
		    is_in, since);
		checked->totals->active += is_in;
		if (!text_next_word(&rest, &group))
			return;
		list = text_join(&checked->contents->arena, TEXT(":"), group);
	} while (true);
}

/* Number 7, of an article. */
static void
check_thread(const struct checked *checked)
{
	struct text index =
	    read_index(checked->contents, key_of_id(checked, "thread"));
	int64_t last = 0, shown = 0;

	for (size_t at = 16; at < index.size; at += 16) {
		if (bytes_at(index, at + 4, 4) == 0)
			continue;
		last = (int64_t)at / 16;
		shown += bytes_at(index, at + 3, 1) % 4 == 0;
		checked->totals->indexed++;
	}
	check_active(checked, index);
	expect(checked, "its last comment", checked->commented, last);
	expect(checked, "how many comments it has", checked->comments, shown);
}

/* Fields that are a member's "17 ann". */
static void
read_members(struct checked *checked, const struct reply *hash)
{
	struct text remover = TEXT("");

	for (size_t i = 0; i + 1 < hash->count; i += 2) {
		struct text name = hash->items[i].text;
		struct text value = hash->items[i + 1].text;

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
	const struct reply *hash =
	    contents_value(checked->contents, key, "hash");
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
		{ "held", &checked->held },
		{ "comments", &checked->comments },
		{ "commented", &checked->commented },
	};

	for (size_t i = 0; i + 1 < hash->count; i += 2) {
		struct text name = hash->items[i].text;
		struct text value = hash->items[i + 1].text;

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
check_post(struct checked checked, struct text key)
{
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
	    (int64_t)key_bucket_of(checked.buckets, checked.id.article));
	read_hash(&checked, key);
	if (checked.id.comment != 0)
		read_record(&checked);
	author = number_of(checked.author);
	assert_in_range(author, 1, INVARIANTS_USERS - 1);
	checked.totals->karma[author] += checked.up - checked.down - 1;
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

/* Returns how many there are. */
static size_t
check_posts(const struct checked *checked, const char *pattern)
{
	const struct content *content;
	size_t count = 0, at = 0;

	for (; (content = contents_next(checked->contents, pattern, &at));
	    count++)
		check_post(*checked, content->key);
	return count;
}

/* How many entries all the sorted sets of a pattern have. */
static int64_t
count_entries(const struct contents *contents, const char *pattern)
{
	const struct content *content;
	size_t count = 0, at = 0;

	while ((content = contents_next(contents, pattern, &at)) != NULL)
		count +=
		    contents_value(contents, content->key, "zset")->count / 2;
	return (int64_t)count;
}

static int64_t
count_keys(const struct contents *contents, const char *pattern)
{
	int64_t count = 0;

	for (size_t at = 0; contents_next(contents, pattern, &at) != NULL;)
		count++;
	return count;
}

/* Number 6. */
static void
check_karma(const struct contents *contents, struct totals *totals)
{
	const struct content *content;
	size_t at = 0;

	while ((content = contents_next(contents, "{*}karma", &at)) != NULL) {
		const struct reply *hash =
		    contents_value(contents, content->key, "hash");

		for (size_t i = 0; i + 1 < hash->count; i += 2) {
			int64_t user = number_of(hash->items[i].text);

			assert_in_range(user, 1, INVARIANTS_USERS - 1);
			totals->karma[user] -=
			    number_of(hash->items[i + 1].text);
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
	struct contents contents = contents_read(world);
	const struct checked none = { .contents = &contents,
		.buckets = &world->store.buckets,
		.totals = &totals };
	size_t articles = check_posts(&none, "{*}article:*");
	size_t comments = check_posts(&none, "{*}comment:*");

	/* Each is where it belongs; that the sums agree says: nowhere else. */
	assert_int_equal(count_entries(&contents, "{*}time*") +
		count_entries(&contents, "{*}score*"),
	    totals.in_lists);
	assert_int_equal(count_entries(&contents, "{*}points*") +
		count_entries(&contents, "{*}month*"),
	    totals.by_points);
	assert_int_equal(
	    count_entries(&contents, "{*}comments*"), totals.in_comments);
	assert_int_equal(count_entries(&contents, "{*}active*"), totals.active);
	assert_int_equal(count_entries(&contents, "{*}gone*"), totals.gone);
	assert_int_equal(
	    count_entries(&contents, "{*}interesting"), totals.interesting);
	assert_int_equal(count_entries(&contents, "{*}queue"), totals.queued);
	assert_int_equal(count_keys(&contents, "{*}voters:*"), totals.records);
	assert_int_equal(totals.indexed, (int64_t)comments);
	assert_in_range(count_keys(&contents, "{*}thread:*"), 0, articles);
	check_karma(&contents, &totals);
	contents_free(&contents);
	return articles + comments;
}
