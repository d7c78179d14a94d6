/* Publishers of links, and lists of what is from them. */
#include <string.h>

#include "../support/commands.h"
#include "base/url.h"
#include "store/close_account.h"
#include "store/keys.h"
#include "store/publisher.h"
#include "store/publisher_walk.h"
#include "store/settings.h"

#define SHARED \
	"github.com b\xc3\xbc" \
	"cher.example docs.example.org 192.0.2.1"

static void
publisher_follows_from_the_link(void **state)
{
	static const struct {
		const char *link, *publisher;
	} rows[] = { { "", "" }, { "https://example.org/", "example.org" },
		{ "https://www.blog.Example.org:8080/a?b#c", "example.org" },
		{ "http://example.org./", "example.org" },
		{ "http://192.0.2.7:80/x", "192.0.2.7" },
		{ "http://[2001:db8::1]:80/x", "[2001:db8::1]" },
		{ "http://localhost:3000/x", "localhost" },
		{ "http://ann.github.io/x", "ann.github.io" },
		{ "http://xn--mnchen-3ya.example/", "xn--mnchen-3ya.example" },
		/* Shared hosts. */
		{ "https://github.com/Ann/tally", "github.com/ann" },
		{ "https://www.github.com/ann", "github.com/ann" },
		{ "https://github.com:443//ann?tab=x#y", "github.com/ann" },
		{ "https://github.com", "github.com" },
		{ "https://github.com/?ann", "github.com" },
		{ "https://github.com///#ann", "github.com" },
		{ "https://github.com/%41nn/", "github.com/ann" },
		{ "https://github.com/@ann", "github.com/@ann" },
		{ "https://github.com/%40ann", "github.com/@ann" },
		{ "https://github.com/~ann+(b)", "github.com/~ann+(b)" },
		{ "https://github.com/%C3%BC", "github.com/%C3%BC" },
		{ "https://github.com/a%20b", "github.com/a%20b" },
		{ "https://github.com/a%25b", "github.com/a%25b" },
		{ "https://gist.github.com/ann/1", "github.com" },
		{ "https://docs.example.org/d/1", "docs.example.org/d" },
		{ "https://other.example.org/d/1", "example.org" },
		{ "https://xn--bcher-kva.example/a",
		    "xn--bcher-kva.example/a" },
		{ "http://192.0.2.1:8080/a", "192.0.2.1/a" },
		/* What is no name. */
		{ "https://github.com/a%2Fb/c", "github.com" },
		{ "https://github.com/../b", "github.com" },
		{ "https://github.com/a%00b", "github.com" },
		{ "https://github.com/a%0Ab", "github.com" },
		{ "https://github.com/%ff", "github.com" },
		{ "https://github.com/"
		  "0123456789012345678901234567890123456789"
		  "0123456789012345678901234",
		    "github.com" } };
	struct world *world = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_text(publisher_of(&world->arena, text_of(rows[i].link),
				TEXT(SHARED)),
		    rows[i].publisher);
}

/* Each leads to its list: what the address says is read as it was written. */
static void
address_is_read_back(void **state)
{
	static const char *const links[] = { "http://example.org/",
		"http://[2001:db8::1]/", "http://xn--mnchen-3ya.example/",
		"http://github.com/@ann", "http://github.com/%C3%BC",
		"http://github.com/a%25%20b", "http://github.com/a+b",
		"http://localhost/", "http://github.com/" };
	struct world *world = *state;
	struct arena *arena = &world->arena;

	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		struct text publisher =
		    publisher_of(arena, text_of(links[i]), TEXT(SHARED));
		struct text path = publisher_path(arena, publisher);
		struct text host, part = text_slice(path, 6, path.size), read;

		text_cut(&part, '/', &host);
		assert_true(
		    publisher_parse(arena, host, part, TEXT(SHARED), &read));
		assert_same(read, publisher);
		assert_same(
		    url_unescape(arena, publisher_href(arena, publisher)),
		    path);
	}
}

static bool
is_listed(struct world *world, uint64_t id, const char *publisher)
{
	const struct buckets *buckets = &world->store.buckets;
	struct text list =
	    key_time(&world->arena, buckets, key_bucket_of(buckets, id),
		key_list_of_publisher(&world->arena, text_of(publisher)));

	return world_command(world, TEXT("ZSCORE"), list,
		   encode_post(&world->arena, article_id(id)))
		   .kind != REPLY_NIL;
}

static void
assert_listed(struct world *world, uint64_t id, const char *const *publishers)
{
	static const char *const all[] = { "github.com", "github.com/ann",
		"example.org", NULL };

	for (size_t i = 0; all[i] != NULL; i++) {
		bool expected = false;

		for (size_t p = 0; publishers[p] != NULL; p++)
			expected |= strcmp(all[i], publishers[p]) == 0;
		if (is_listed(world, id, all[i]) != expected)
			fail_msg("article %d in the list of %s: not %d",
			    (int)id, all[i], expected);
	}
	commands_assert_whole(world);
}

#define LISTS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define NOWHERE	   ((const char *const[]){ NULL })

static uint64_t
post(struct world *world, const char *link)
{
	world->store.rules.shared_hosts = TEXT("github.com");
	return world_post(world, 1, "A", link, "go");
}

static void
posting_removing_and_restoring_write_lists(void **state)
{
	struct world *world = *state;
	struct world_scene scene = world_scene(world, "go");
	uint64_t id = post(world, "https://github.com/Ann/x");
	uint64_t other = post(world, "https://www.example.org/");

	assert_listed(world, id, LISTS("github.com", "github.com/ann"));
	assert_listed(world, other, LISTS("example.org"));
	world_remove(world, id);
	assert_listed(world, id, NOWHERE);
	assert_int_equal(
	    article_restore(&world->store, &world->arena, id, &world_restoring),
	    STORE_OK);
	assert_listed(world, id, LISTS("github.com", "github.com/ann"));
	assert_int_equal(post_withdraw(&world->store, &world->arena,
			     article_id(id), scene.ann),
	    STORE_OK);
	assert_listed(world, id, NOWHERE);
}

/* The check reads the host of a link by itself. */
static void
check_knows_every_form_of_a_host(void **state)
{
	static const char *const links[] = { "http://192.0.2.7/1",
		"http://192.0.2.7:80/2", "http://[2001:db8::1]/3",
		"http://[2001:db8::1]:80/4", "http://example.org.:80?5",
		"http://example.org?6", "http://localhost/7",
		"https://www.github.com/ann/8",
		"http://xn--mnchen-3ya.example/9" };
	struct world *world = *state;

	world_scene(world, "go");
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		post(world, links[i]);
	commands_assert_whole(world);
}

/* Without its texts an article is from nowhere. */
static void
closing_an_account_writes_them(void **state)
{
	struct world *world = *state;
	struct world_scene scene = world_scene(world, "go");
	uint64_t id = post(world, "https://github.com/ann/x");
	struct user ann = world_user(world, scene.ann);

	assert_int_equal(close_account(&world->store, &world->arena, &ann,
			     CLOSE_ACCOUNT_ERASE_NAME),
	    STORE_OK);
	assert_listed(world, id, LISTS("github.com", "github.com/ann"));
	ann = world_user(world, scene.ann);
	assert_int_equal(close_account(&world->store, &world->arena, &ann,
			     CLOSE_ACCOUNT_ERASE_TEXTS),
	    STORE_OK);
	assert_listed(world, id, NOWHERE);
	assert_text(world_article(world, id, 0).publisher, "");
}

static void
loading_writes_them(void **state)
{
	static const char *const lines[] = {
		"{\"kind\":\"site\",\"name\":\"S\","
		"\"registration\":\"open\",\"group_creation\":\"members\","
		"\"shared_hosts\":[\"github.com\"]}\n",
		"{\"kind\":\"user\",\"name\":\"ann\",\"created\":1600000000,"
		"\"password\":\"\",\"role\":\"member\"}\n",
		"{\"kind\":\"article\",\"id\":7,\"title\":\"A\","
		"\"url\":\"https://github.com/Ann/x\",\"text\":null,"
		"\"author\":\"ann\",\"posted\":1600000000,"
		"\"closes\":1600000001,\"groups\":[],\"up\":3,\"down\":1,"
		"\"interesting\":null,\"removed\":null}\n",
	};
	struct world *world = *state;
	struct text dump;

	commands_load_all(world, COMMANDS_JOIN(world, lines));
	assert_listed(world, 7, LISTS("github.com", "github.com/ann"));
	dump = commands_dump(world).out;
	assert_int_equal(text_find(dump, 0, TEXT("\"from\"")), SIZE_MAX);
	assert_same(
	    commands_dump_again(world, world_now(world), dump, 4), dump);
}

/* Several steps in each of four buckets. */
enum { ARTICLES = 1010 };

static void
fill(struct world *world)
{
	world_stop_clock(world, NOON);
	world_member(world, "ann");
	for (int i = 0; i < ARTICLES; i++)
		world_post(world, 1, "T",
		    fixture_string(&world->arena, "https://%s/%s?%d",
			i % 2 == 0 ? "github.com" : "b.example.org",
			i % 3 == 0 ? "ann" : "", i),
		    "");
	world_remove(world, 1);
}

static void
set_shared_hosts(struct world *world, const char *hosts)
{
	world_command(world, TEXT("HSET"),
	    key_settings(&world->arena, &world->store.buckets),
	    SETTINGS_SHARED_HOSTS, text_of(hosts));
}

/* Steps of a walker that waits for nothing, at most so many, which is then gone. Returns how many
 * it took to the end; 0 when it was not reached. */
static unsigned
take_steps(struct world *world, unsigned max)
{
	struct publisher_walk *walk = publisher_walk_new(&world->store, 0);
	unsigned steps = 0;
	enum store_result result = STORE_OK;

	while (result == STORE_OK && steps < max) {
		result = publisher_walk_step(walk);
		steps++;
	}
	publisher_walk_free(walk);
	assert_int_not_equal(result, STORE_DOWN);
	return result == STORE_ABSENT ? steps : 0;
}

static int64_t
count_listed(struct world *world, const char *publisher)
{
	const struct buckets *buckets = &world->store.buckets;
	int64_t count = 0;

	for (uint64_t b = 0; b < buckets->count; b++)
		count += world_command(world, TEXT("ZCARD"),
		    key_time(&world->arena, buckets, b,
			key_list_of_publisher(
			    &world->arena, text_of(publisher))))
			     .number;
	return count;
}

static struct text
state_of(struct world *world)
{
	struct reply field = world_command(world, TEXT("HGET"),
	    key_versions(&world->arena, &world->store.buckets, 0),
	    PUBLISHER_WALK_FIELD);

	return reply_text(&field);
}

/* By walkers that are killed after every second step. */
static void
owners_change_what_is_listed(void **state)
{
	struct world *world = *state;

	fill(world);
	while (take_steps(world, 2) == 0)
		;
	assert_int_equal(count_listed(world, "github.com"), ARTICLES / 2 - 1);
	set_shared_hosts(world, "github.com");
	assert_int_equal(take_steps(world, 3), 0);
	assert_false(publisher_walk_is_complete(state_of(world)));
	commands_assert_whole(world);
	while (take_steps(world, 2) == 0)
		;
	assert_true(publisher_walk_is_complete(state_of(world)));
	assert_int_equal(count_listed(world, "github.com"), ARTICLES / 2 - 1);
	assert_int_equal(count_listed(world, "github.com/ann"), ARTICLES / 6);
	assert_int_equal(count_listed(world, "example.org"), ARTICLES / 2);
	commands_assert_whole(world);
	/* The removed one, too, for when it is restored. */
	assert_text(world_article(world, 1, 0).publisher, "github.com/ann");
	assert_int_equal(
	    article_restore(&world->store, &world->arena, 1, &world_restoring),
	    STORE_OK);
	assert_int_equal(
	    count_listed(world, "github.com/ann"), ARTICLES / 6 + 1);
	set_shared_hosts(world, "b.example.org");
	while (take_steps(world, 2) == 0)
		;
	assert_int_equal(count_listed(world, "github.com/ann"), 0);
	assert_int_equal(count_listed(world, "github.com"), ARTICLES / 2);
	assert_int_equal(count_listed(world, "b.example.org"), ARTICLES / 2);
	assert_int_equal(count_listed(world, "example.org"), 0);
	commands_assert_whole(world);
}

/* A walk that is complete is not begun again, by two at once neither. */
static void
walk_ends(void **state)
{
	struct world *world = *state;
	struct publisher_walk *walks[2] = { publisher_walk_new(
						&world->store, 0),
		publisher_walk_new(&world->store, 0) };
	enum store_result results[2] = { STORE_OK, STORE_OK };
	struct text snapshot;

	fill(world);
	set_shared_hosts(world, "github.com");
	for (unsigned i = 0; results[0] == STORE_OK || results[1] == STORE_OK;
	    i++) {
		assert_true(i < 200);
		results[i % 2] = publisher_walk_step(walks[i % 2]);
	}
	publisher_walk_free(walks[0]);
	publisher_walk_free(walks[1]);
	assert_int_equal(count_listed(world, "github.com/ann"), ARTICLES / 6);
	snapshot = world_snapshot(world);
	assert_int_equal(take_steps(world, 100), 1);
	assert_unchanged(world, snapshot);
	commands_assert_whole(world);
}

/* While a worker may still post by the former hosts. */
static void
walk_waits_for_workers(void **state)
{
	struct world *world = *state;
	struct publisher_walk *walk =
	    publisher_walk_new(&world->store, INT64_MAX / 2);
	struct text before;

	fill(world);
	while (publisher_walk_step(walk) == STORE_OK)
		;
	before = state_of(world);
	assert_true(publisher_walk_is_complete(before));
	set_shared_hosts(world, "github.com");
	assert_int_equal(publisher_walk_step(walk), STORE_ABSENT);
	assert_same(state_of(world), before);
	publisher_walk_free(walk);
}

/* A newer libpsl lists again; a program with an older one leaves that. */
static void
list_of_suffixes_is_followed(void **state)
{
	struct world *world = *state;
	struct text key = key_versions(&world->arena, &world->store.buckets, 0);
	struct text state_now, digest;

	fill(world);
	assert_true(take_steps(world, 100) > 0);
	state_now = state_of(world);
	digest = text_slice(
	    state_now, text_find(state_now, 0, TEXT(" ")), state_now.size);
	world_command(world, TEXT("HSET"), key, PUBLISHER_WALK_FIELD,
	    text_join(&world->arena, TEXT("1"), digest));
	assert_true(take_steps(world, 100) > 1);
	assert_same(state_of(world), state_now);
	world_command(world, TEXT("HSET"), key, PUBLISHER_WALK_FIELD,
	    text_join(&world->arena, TEXT("99999999999"), digest));
	assert_int_equal(take_steps(world, 100), 1);
}

/* As layout 4 had them; and as damage may leave them. */
static void
articles_without_a_publisher_get_one(void **state)
{
	struct world *world = *state;
	struct text keys, key;

	fill(world);
	assert_true(take_steps(world, 100) > 0);
	keys = world_keys(world, "{*}article:*");
	while (text_next_word(&keys, &key))
		world_command(world, TEXT("HDEL"), key, TEXT("from"));
	keys = world_keys(world, "{*}time:/*");
	while (text_next_word(&keys, &key))
		world_command(world, TEXT("DEL"), key);
	assert_has(commands_check(world).out, "its field \"from\" is \"\"");
	world_command(world, TEXT("HDEL"),
	    key_versions(&world->arena, &world->store.buckets, 0),
	    PUBLISHER_WALK_FIELD);
	commands_assert_whole(world);
	assert_true(take_steps(world, 100) > 0);
	assert_int_equal(count_listed(world, "github.com"), ARTICLES / 2 - 1);
	assert_int_equal(count_listed(world, "example.org"), ARTICLES / 2);
	commands_assert_whole(world);
}

static void
damage_is_repaired(void **state)
{
	static const char *const damages[] = { "", "example.com", "github.com",
		"rg", "rg/", "/", "-" };
	struct world *world = *state;
	struct text key;

	fill(world);
	assert_true(take_steps(world, 100) > 0);
	key = key_post(&world->arena, &world->store.buckets, article_id(2));
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		if (damages[i][0] == '\0')
			world_command(world, TEXT("HDEL"), key, TEXT("from"));
		else
			world_command(world, TEXT("HSET"), key, TEXT("from"),
			    text_of(damages[i]));
		assert_int_not_equal(commands_check(world).status, 0);
		assert_int_equal(commands_repair(world).status, 0);
		assert_text(
		    world_article(world, 2, 0).publisher, "example.org");
		assert_true(is_listed(world, 2, "example.org"));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(publisher_follows_from_the_link),
		world_test(address_is_read_back),
		world_test(posting_removing_and_restoring_write_lists),
		world_test(check_knows_every_form_of_a_host),
		world_test(closing_an_account_writes_them),
		world_test(loading_writes_them),
		world_test(owners_change_what_is_listed),
		world_test(walk_ends),
		world_test(walk_waits_for_workers),
		world_test(list_of_suffixes_is_followed),
		world_test(articles_without_a_publisher_get_one),
		world_test(damage_is_repaired),
	};

	return world_run("publishers", tests);
}
