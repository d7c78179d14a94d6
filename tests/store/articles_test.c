/* Articles: posting, the same link twice, groups, removal. */
#include "../support/invariants.h"
#include "lists/list.h"
#include "store/article.h"
#include "store/group_admin.h"
#include "store/keys.h"
#include "store/user.h"

enum { WEEK = 7 * 86400 };

static struct article
draft(struct world *world, uint64_t author, const char *title, const char *url,
    const char *text)
{
	return (struct article){ .title = text_of(title),
		.url = text_of(url),
		.text = text_of(text),
		.groups = TEXT(""),
		.post.author = { author, world_user(world, author).name } };
}

static enum store_result
post(struct world *world, struct article *article)
{
	return article_post(&world->store, &world->arena, article);
}

static uint64_t
begin(struct world *world)
{
	world_stop_clock(world, NOON);
	return world_member(world, "ann");
}

static void
posted_article_is_found(void **state)
{
	struct world *world = *state;
	uint64_t ann = begin(world);
	struct article article =
	    draft(world, ann, "A title", "https://a.example/x", "");
	struct article found;
	int64_t now;

	world_group(world, "redis");
	article.groups = TEXT("redis");
	assert_int_equal(post(world, &article), STORE_OK);
	assert_int_equal(article_get(&world->store, &world->arena,
			     article.post.id.article, ann, &found, &now),
	    STORE_OK);
	assert_int_equal(now, NOON);
	assert_int_equal(found.post.id.article, article.post.id.article);
	assert_text(found.title, "A title");
	assert_text(found.url, "https://a.example/x");
	assert_text(found.text, "");
	assert_int_equal(found.post.author.id, ann);
	assert_text(found.post.author.name, "ann");
	assert_int_equal(found.post.posted, NOON);
	assert_int_equal(found.post.closes, NOON + WEEK);
	assert_int_equal(found.post.up, 1);
	assert_int_equal(found.post.down, 0);
	assert_int_equal(found.score, NOON + 432);
	assert_text(found.groups, "redis");
	assert_int_equal(found.interesting, 0);
	assert_int_equal(found.post.removed, 0);
	assert_true(found.post.voters_known);
	assert_int_equal(found.post.vote, VOTE_UP);
	assert_int_equal(invariants_check(world), 1);
}

static void
text_article_keeps_its_text(void **state)
{
	struct world *world = *state;
	uint64_t ann = begin(world);
	struct article article =
	    draft(world, ann, "A title", "", "One.\n\nTwo \xc3\xa4.");

	assert_int_equal(post(world, &article), STORE_OK);
	article = world_article(world, article.post.id.article, 0);
	assert_text(article.text, "One.\n\nTwo \xc3\xa4.");
	assert_text(article.url, "");
	assert_int_equal(article.post.vote, VOTE_NONE);
}

static void
unused_id_is_absent(void **state)
{
	struct world *world = *state;
	struct article article;
	int64_t now;

	assert_int_equal(
	    article_get(&world->store, &world->arena, 1, 0, &article, &now),
	    STORE_ABSENT);
	assert_int_equal(article_get(&world->store, &world->arena, UINT64_MAX,
			     1, &article, &now),
	    STORE_ABSENT);
}

static void
same_link_leads_to_the_first_article(void **state)
{
	struct world *world = *state;
	uint64_t ann = begin(world), bob = world_member(world, "bob");
	struct article first =
	    draft(world, ann, "One", "http://a.example/", "");
	struct article other =
	    draft(world, bob, "Two", "http://a.example/", "");

	assert_int_equal(post(world, &first), STORE_OK);
	assert_int_equal(post(world, &other), STORE_TAKEN);
	assert_int_equal(other.post.id.article, first.post.id.article);
	other = first;
	assert_int_equal(post(world, &other), STORE_TAKEN);
	assert_int_equal(other.post.id.article, first.post.id.article);
	assert_text(
	    world_article(world, first.post.id.article, 0).title, "One");
	assert_int_equal(invariants_check(world), 1);
}

static void
same_link_in_other_case_of_scheme_and_host(void **state)
{
	struct world *world = *state;
	uint64_t ann = begin(world);
	struct article first =
	    draft(world, ann, "One", "http://a.example/Path", "");
	struct article again =
	    draft(world, ann, "One", "HTTP://A.Example/Path", "");
	struct article other =
	    draft(world, ann, "One", "http://a.example/path", "");

	assert_int_equal(
	    rule_link(&world->arena, &first.url).kind, PROBLEM_NONE);
	assert_int_equal(
	    rule_link(&world->arena, &again.url).kind, PROBLEM_NONE);
	assert_int_equal(
	    rule_link(&world->arena, &other.url).kind, PROBLEM_NONE);
	assert_int_equal(post(world, &first), STORE_OK);
	assert_int_equal(post(world, &again), STORE_TAKEN);
	assert_int_equal(again.post.id.article, first.post.id.article);
	assert_int_equal(post(world, &other), STORE_OK);
	assert_int_equal(invariants_check(world), 2);
}

/* Links that a reader would call the same; each article shows its link as typed. */
static void
equal_links_lead_to_the_first_article(void **state)
{
	static const char *const equal[] = { "https://www.a.example/x/",
		"a.example/x", "http://a.example:80/x#end",
		"https://a.example/x?utm_source=news&fbclid=1",
		"https://a.example/%78?" };
	struct world *world = *state;
	uint64_t ann = begin(world);
	struct article first =
	    draft(world, ann, "One", "http://a.example/x", "");
	struct article other =
	    draft(world, ann, "Two", "http://www.a.example/x/?b=1", "");

	assert_int_equal(post(world, &first), STORE_OK);
	for (size_t i = 0; i < sizeof(equal) / sizeof(*equal); i++) {
		struct article again = draft(world, ann, "One", equal[i], "");

		assert_int_equal(
		    rule_link(&world->arena, &again.url).kind, PROBLEM_NONE);
		assert_int_equal(post(world, &again), STORE_TAKEN);
		assert_int_equal(again.post.id.article, first.post.id.article);
	}
	assert_int_equal(post(world, &other), STORE_OK);
	assert_text(world_article(world, other.post.id.article, 0).url,
	    "http://www.a.example/x/?b=1");
	assert_int_equal(invariants_check(world), 2);
}

static struct text
claims_of(struct world *world, const struct article *article)
{
	return key_claims(&world->arena, &world->store.buckets,
	    rule_claim(&world->arena, article->post.author.id, article->title,
		article->url, article->text));
}

static void
put_claim(struct world *world, const struct article *article, const char *field,
    const char *value)
{
	world_command(world, TEXT("HSET"), claims_of(world, article),
	    text_of(field), text_of(value));
}

static void
assert_holder(struct world *world, const char *link, uint64_t expected)
{
	uint64_t id = 0;

	assert_int_equal(
	    article_find_link(&world->store, &world->arena, text_of(link), &id),
	    expected != 0 ? STORE_OK : STORE_ABSENT);
	if (expected != 0)
		assert_int_equal(id, expected);
}

static void
article_is_found_by_its_link_while_it_holds_the_claim(void **state)
{
	struct world *world = *state;
	uint64_t ann = begin(world), id;
	struct article first =
	    draft(world, ann, "One", "http://a.example/x", "");
	struct text before;

	assert_holder(world, "http://a.example/x", 0);
	assert_int_equal(post(world, &first), STORE_OK);
	id = first.post.id.article;
	/* The hash exists as long as another claim in it. */
	world_command(world, TEXT("PERSIST"), claims_of(world, &first));
	before = world_snapshot(world);
	assert_holder(world, "http://a.example/x", id);
	assert_holder(world, "https://www.a.example/x/#end", id);
	assert_holder(world, "http://a.example/y", 0);
	assert_unchanged(world, before);
	world_remove(world, id);
	assert_holder(world, "http://a.example/x", id);
	world_stop_clock(world, NOON + WEEK - 1);
	assert_holder(world, "http://a.example/x", id);
	world_stop_clock(world, NOON + WEEK);
	assert_holder(world, "http://a.example/x", 0);
	world_command(world, TEXT("HSET"), claims_of(world, &first),
	    key_claim_field(rule_claim(&world->arena, 0, TEXT(""),
		TEXT("http://a.example/x"), TEXT(""))),
	    TEXT("damaged"));
	assert_holder(world, "http://a.example/x", 0);
}

static void
same_text_twice_is_one_article_of_each_author(void **state)
{
	struct world *world = *state;
	uint64_t ann = begin(world), bob = world_member(world, "bob");
	struct article first = draft(world, ann, "Title", "", "Text");
	struct article again = draft(world, ann, "Title", "", "Text");
	struct article other = draft(world, bob, "Title", "", "Text");
	/* The same letters, split between title and text elsewhere. */
	struct article shifted = draft(world, ann, "TitleT", "", "ext");

	assert_int_equal(post(world, &first), STORE_OK);
	assert_int_equal(post(world, &again), STORE_TAKEN);
	assert_int_equal(again.post.id.article, first.post.id.article);
	assert_int_equal(post(world, &other), STORE_OK);
	assert_int_not_equal(other.post.id.article, first.post.id.article);
	assert_int_equal(post(world, &shifted), STORE_OK);
	assert_int_equal(invariants_check(world), 3);
}

static void
link_may_be_posted_again_after_the_window(void **state)
{
	struct world *world = *state;
	uint64_t ann = begin(world);
	struct article first =
	    draft(world, ann, "One", "http://a.example/", "");
	struct article later = first;

	assert_int_equal(post(world, &first), STORE_OK);
	world_stop_clock(world, NOON + WEEK - 1);
	assert_int_equal(post(world, &later), STORE_TAKEN);
	world_stop_clock(world, NOON + WEEK + 1);
	assert_int_equal(post(world, &later), STORE_OK);
	assert_int_not_equal(later.post.id.article, first.post.id.article);
	assert_int_equal(invariants_check(world), 2);
}

/* Each sixteenth article of a bucket deletes expired claims. */
static void
expired_claims_are_deleted(void **state)
{
	struct world *world = *state;
	const struct buckets *buckets = &world->store.buckets;
	uint64_t ann = begin(world);

	for (int i = 0; i < 16; i++) {
		struct article article = draft(world, ann, "Title",
		    fixture_string(&world->arena, "http://a.example/%d", i),
		    "");
		uint64_t id, number;

		put_claim(world, &article, "over", "99 1699999999");
		put_claim(world, &article, "open", "98 1700000001");
		assert_int_equal(post(world, &article), STORE_OK);
		id = article.post.id.article;
		number = key_number_in(buckets, key_bucket_of(buckets, id), id);
		assert_int_equal(world_command(world, TEXT("HLEN"),
				     claims_of(world, &article))
				     .number,
		    number % 16 == 0 ? 2 : 3);
	}
}

/* In the second in which its window closes, since votes are refused then. The hash
 * outlives the claim, as it would with another claim. */
static void
claim_ends_when_voting_closes(void **state)
{
	struct world *world = *state;
	uint64_t ann = begin(world);
	struct article first =
	    draft(world, ann, "One", "http://a.example/", "");
	struct article later = first;

	assert_int_equal(post(world, &first), STORE_OK);
	world_command(world, TEXT("PERSIST"), claims_of(world, &first));
	world_stop_clock(world, NOON + WEEK - 1);
	assert_int_equal(post(world, &later), STORE_TAKEN);
	world_stop_clock(world, NOON + WEEK);
	assert_int_equal(post(world, &later), STORE_OK);
	assert_int_not_equal(later.post.id.article, first.post.id.article);
}

/* Otherwise the hash would expire with the first claim, and all others with it. */
static void
later_claims_extend_the_hash(void **state)
{
	struct world *world = *state;
	uint64_t ann = begin(world);
	struct article article =
	    draft(world, ann, "One", "http://a.example/", "");
	struct article again = article;
	struct text claims = claims_of(world, &article);

	put_claim(world, &article, "open", "98 1700000100");
	world_command(world, TEXT("EXPIREAT"), claims, TEXT("1700000100"));
	assert_int_equal(post(world, &article), STORE_OK);
	assert_int_equal(
	    world_command(world, TEXT("EXPIRETIME"), claims).number,
	    NOON + WEEK + 86400);
	world_stop_clock(world, NOON + 200);
	assert_int_equal(post(world, &again), STORE_TAKEN);
}

/* A shorter window is that of later articles alone. */
static void
hash_lasts_as_long_as_its_last_claim(void **state)
{
	struct world *world = *state;
	uint64_t ann = begin(world);
	struct article article =
	    draft(world, ann, "One", "http://a.example/", "");
	struct text claims = claims_of(world, &article);

	put_claim(world, &article, "open", "98 1800000000");
	world_command(world, TEXT("EXPIREAT"), claims, TEXT("1800000000"));
	assert_int_equal(post(world, &article), STORE_OK);
	assert_int_equal(
	    world_command(world, TEXT("EXPIRETIME"), claims).number,
	    1800000000);
}

static void
check_groups(struct world *world, uint64_t id, const char *groups)
{
	assert_text(world_article(world, id, 0).groups, groups);
	invariants_check(world);
}

/* As after a restart from a file without the counter's last steps. */
static void
counter_that_lags_behind_skips_used_ids(void **state)
{
	struct world *world = *state;
	const struct buckets *buckets = &world->store.buckets;
	uint64_t ann = begin(world);
	uint64_t first =
	    world_post(world, ann, "First", "http://a.example/", "");
	struct text key = key_article_counter(
	    &world->arena, buckets, key_bucket_of(buckets, first));

	for (int i = 0; i < 12; i++)
		world_post(world, ann, "Others",
		    fixture_string(&world->arena, "http://b.example/%d", i),
		    "");
	world_command(world, TEXT("SET"), key, TEXT("0"));
	for (int i = 0; i < 3; i++)
		world_post(world, ann, "Later",
		    fixture_string(&world->arena, "http://c.example/%d", i),
		    "");
	assert_text(world_article(world, first, 0).title, "First");
	assert_int_equal(invariants_check(world), 16);
}

/* The page was rendered with the group; since then the group was merged or deleted, and
 * all of its articles were processed. */
static void
article_follows_a_group_that_was_merged_or_deleted_meanwhile(void **state)
{
	struct world *world = *state;
	uint64_t ann = begin(world);
	struct article merged =
	    draft(world, ann, "One", "http://a.example/1", "");
	struct article deleted =
	    draft(world, ann, "One", "http://a.example/2", "");

	world_groups(world, TEXT("aa bb cc"));
	assert_int_equal(group_merge(&world->store, &world->arena, TEXT("aa"),
			     TEXT("bb"), (struct mod_action){ .at = 0 }),
	    STORE_OK);
	assert_int_equal(group_delete(&world->store, &world->arena, TEXT("cc"),
			     (struct mod_action){ .at = 0 }),
	    STORE_OK);
	merged.groups = deleted.groups = TEXT("aa cc");
	assert_int_equal(post(world, &merged), STORE_OK);
	check_groups(world, merged.post.id.article, "bb");
	deleted.groups = TEXT("cc");
	assert_int_equal(post(world, &deleted), STORE_OK);
	check_groups(world, deleted.post.id.article, "");
	assert_int_equal(article_set_groups(&world->store, &world->arena,
			     deleted.post.id.article, TEXT("aa"), TEXT("")),
	    STORE_OK);
	check_groups(world, deleted.post.id.article, "bb");
}

static void
link_of_a_removed_article_stays_taken(void **state)
{
	struct world *world = *state;
	uint64_t ann = begin(world);
	struct article first =
	    draft(world, ann, "One", "http://a.example/", "");
	struct article again = first;

	assert_int_equal(post(world, &first), STORE_OK);
	world_remove(world, first.post.id.article);
	assert_int_equal(post(world, &again), STORE_TAKEN);
	assert_int_equal(again.post.id.article, first.post.id.article);
}

static enum store_result
file(struct world *world, uint64_t id, const char *added, const char *removed)
{
	world_groups(world, text_of(added));
	return article_set_groups(
	    &world->store, &world->arena, id, text_of(added), text_of(removed));
}

static void
groups_are_added_and_removed(void **state)
{
	struct world *world = *state;
	uint64_t ann = begin(world);
	uint64_t id = world_post(world, ann, "One", "http://a.example/", "c");

	assert_int_equal(file(world, id, "redis", ""), STORE_OK);
	check_groups(world, id, "c redis");
	assert_int_equal(file(world, id, "redis c", ""), STORE_OK);
	check_groups(world, id, "c redis");
	assert_int_equal(file(world, id, "", "c unheard-of"), STORE_OK);
	check_groups(world, id, "redis");
	assert_int_equal(file(world, id, "lua lua", "redis"), STORE_OK);
	check_groups(world, id, "lua");
	assert_int_equal(file(world, id, "", "lua"), STORE_OK);
	check_groups(world, id, "");
	assert_int_equal(file(world, id, "", ""), STORE_OK);
	check_groups(world, id, "");
}

static void
group_both_added_and_removed_is_added(void **state)
{
	struct world *world = *state;
	uint64_t ann = begin(world);
	uint64_t id = world_post(world, ann, "One", "http://a.example/", "c d");

	assert_int_equal(file(world, id, "c e", "c e"), STORE_OK);
	check_groups(world, id, "d c e");
}

static void
votes_count_in_groups_added_later(void **state)
{
	struct world *world = *state;
	uint64_t ann = begin(world);
	uint64_t id = world_post(world, ann, "One", "http://a.example/", "c");

	for (uint64_t user = 10; user < 15; user++)
		world_vote(world, id, user, VOTE_UP);
	assert_int_equal(file(world, id, "d", "c"), STORE_OK);
	world_vote(world, id, 15, VOTE_DOWN);
	check_groups(world, id, "d");
}

static void
sixteen_groups_at_most(void **state)
{
	struct world *world = *state;
	uint64_t ann = begin(world);
	uint64_t id = world_post(world, ann, "One", "http://a.example/",
	    "g01 g02 g03 g04 g05 g06 g07 g08 g09 g10 g11 g12 g13 g14 g15");
	struct text before;

	world_groups(world, TEXT("g17 g18"));
	assert_int_equal(file(world, id, "g16", ""), STORE_OK);
	before = world_snapshot(world);
	assert_int_equal(file(world, id, "g17", ""), STORE_FULL);
	assert_int_equal(file(world, id, "g17 g18", "g01"), STORE_FULL);
	assert_unchanged(world, before);
	assert_int_equal(file(world, id, "g16", ""), STORE_OK);
	assert_unchanged(world, before);
	assert_int_equal(file(world, id, "g17", "g01"), STORE_OK);
	check_groups(world, id,
	    "g02 g03 g04 g05 g06 g07 g08 g09 g10 g11 g12 g13 g14 g15 g16 g17");
}

static void
groups_of_unknown_and_removed_articles_do_not_change(void **state)
{
	struct world *world = *state;
	uint64_t ann = begin(world);
	uint64_t id = world_post(world, ann, "One", "http://a.example/", "c");
	struct text before;

	assert_int_equal(file(world, 999, "d", ""), STORE_ABSENT);
	world_remove(world, id);
	before = world_snapshot(world);
	assert_int_equal(file(world, id, "d", "c"), STORE_REMOVED);
	assert_unchanged(world, before);
}

static size_t
count_in(struct world *world, struct list_query query)
{
	struct list list;

	query.page = 1;
	assert_int_equal(
	    list_read(&world->store, &world->arena, &query, &list), STORE_OK);
	return list.count;
}

static void
check_in_lists(struct world *world, uint64_t author, size_t count)
{
	const struct text group[] = { TEXT_INIT("c") };

	for (enum list_order order = ORDER_TOP; order <= ORDER_OLDEST;
	    order++) {
		struct list_query query = { .order = order,
			.groups = group,
			.group_count = 1,
			.author = author };

		query.kind = LIST_FRONT;
		assert_int_equal(count_in(world, query), count);
		query.kind = LIST_GROUPS;
		assert_int_equal(count_in(world, query), count);
		query.kind = LIST_AUTHOR;
		assert_int_equal(count_in(world, query), count);
	}
	assert_int_equal(
	    count_in(world, (struct list_query){ .kind = LIST_INTERESTING }),
	    count);
}

/* Karma and the record of voters stay; restoring brings back every byte. */
static void
restoring_undoes_a_removal_exactly(void **state)
{
	struct world *world = *state;
	struct store *store = &world->store;
	uint64_t ann = begin(world), id;
	struct text before, removed;

	store->rules.interesting = 2;
	world_group(world, "c");
	world_group(world, "d");
	id = world_post(world, ann, "One", "http://a.example/", "c d");
	world_move_clock(world, 60);
	world_vote(world, id, 50, VOTE_UP);
	world_vote(world, id, 51, VOTE_DOWN);
	check_in_lists(world, ann, 1);
	before = world_snapshot(world);

	world_move_clock(world, 60);
	world_remove(world, id);
	check_in_lists(world, ann, 0);
	assert_int_equal(world_article(world, id, 0).post.removed, NOON + 120);
	assert_int_equal(world_karma(world, ann), 0);
	invariants_check(world);
	removed = world_snapshot(world);
	world_move_clock(world, 60);
	world_remove(world, id);
	assert_unchanged(world, removed);

	assert_int_equal(
	    article_restore(store, &world->arena, id, &world_restoring),
	    STORE_OK);
	assert_unchanged(world, before);
	assert_int_equal(
	    article_restore(store, &world->arena, id, &world_restoring),
	    STORE_OK);
	assert_unchanged(world, before);
	check_in_lists(world, ann, 1);
	invariants_check(world);
}

static void
unknown_article_is_neither_removed_nor_restored(void **state)
{
	struct world *world = *state;
	struct text before = world_snapshot(world);

	assert_int_equal(post_remove(&world->store, &world->arena,
			     article_id(7), &world_removal),
	    STORE_ABSENT);
	assert_int_equal(
	    article_restore(&world->store, &world->arena, 7, &world_restoring),
	    STORE_ABSENT);
	assert_unchanged(world, before);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(posted_article_is_found),
		world_test(text_article_keeps_its_text),
		world_test(unused_id_is_absent),
		world_test(same_link_leads_to_the_first_article),
		world_test(same_link_in_other_case_of_scheme_and_host),
		world_test(equal_links_lead_to_the_first_article),
		world_test(
		    article_is_found_by_its_link_while_it_holds_the_claim),
		world_test(same_text_twice_is_one_article_of_each_author),
		world_test(link_may_be_posted_again_after_the_window),
		world_test(expired_claims_are_deleted),
		world_test(claim_ends_when_voting_closes),
		world_test(later_claims_extend_the_hash),
		world_test(hash_lasts_as_long_as_its_last_claim),
		world_test(counter_that_lags_behind_skips_used_ids),
		world_test(
		    article_follows_a_group_that_was_merged_or_deleted_meanwhile),
		world_test(link_of_a_removed_article_stays_taken),
		world_test(groups_are_added_and_removed),
		world_test(group_both_added_and_removed_is_added),
		world_test(votes_count_in_groups_added_later),
		world_test(sixteen_groups_at_most),
		world_test(
		    groups_of_unknown_and_removed_articles_do_not_change),
		world_test(restoring_undoes_a_removal_exactly),
		world_test(unknown_article_is_neither_removed_nor_restored),
	};

	return world_run("articles", tests);
}
