/*
 * Fills a Redis for the benchmark:
 *
 *	data SOCKET LAYOUT PART FIRST COUNT
 *
 * LAYOUT is tally or writeups. PART is one of
 *
 *	site	a whole one: articles spread over 100 days, with their votes, in
 *		groups; for Tally also members, who are signed in
 *	crowded	the same with groups of all of them, of half and of 1,000
 *	closed	articles that take no votes any more
 *	open	articles that have their author's vote
 *	votes	the votes of those
 *
 * of the articles FIRST and COUNT - 1 more. A site of Tally's has to exist
 * already; the admin's password of its Redis is in ADMIN_PASSWORD. Prints, as
 * JSON, the first open article, how many votes are on record and, for a site,
 * each member's name, cookie and token.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/crypto.h"
#include "base/log.h"
#include "layout.h"
#include "store/follows.h"
#include "store/group.h"
#include "store/keys.h"
#include "store/session.h"
#include "store/site.h"
#include "store/user.h"

enum { BATCH = 500, HOUR = 3600 };

struct part {
	const char *name;
	enum sample_age age;
	enum layout_votes votes;
	bool voters_only;
};

static const struct part parts[] = {
	{ "site", SAMPLE_SPREAD, LAYOUT_VOTES, false },
	{ "crowded", SAMPLE_CROWDED, LAYOUT_VOTES, false },
	{ "closed", SAMPLE_CLOSED, LAYOUT_VOTES, false },
	{ "open", SAMPLE_OPEN, LAYOUT_NO_VOTES, false },
	{ "votes", SAMPLE_OPEN, LAYOUT_VOTES, true },
};

struct layout {
	const char *name;
	layout_article *article;
	layout_voters *voters;
};

static const struct layout layouts[] = {
	{ "tally", layout_tally_article, layout_tally_voters },
	{ "writeups", layout_writeups_article, layout_writeups_voters },
};

static struct text
number(struct arena *arena, uint64_t value)
{
	return text_number(arena, (int64_t)value);
}

static void
run(struct pipeline *pipeline)
{
	if (!redis_run(pipeline))
		log_fatal("the data could not be written");
}

static void
must(enum store_result result, const char *what)
{
	if (result != STORE_OK)
		log_fatal("%s failed", what);
}

/* What was written, for casting votes on it. */
struct written {
	uint64_t first_open, votes;
};

static void
note(struct written *written, const struct sample_set *set,
    const struct sample *sample)
{
	if (!sample->open)
		return;
	written->votes += sample->up + sample->down - 1;
	/* It should stay open while the benchmark runs. */
	if (written->first_open == 0 && sample->closes > set->now + 2 * HOUR)
		written->first_open = sample->id;
}

static void
write_articles(const struct store *store, const struct layout *layout,
    const struct part *part, const struct sample_set *set,
    struct written *written)
{
	struct arena arena = { 0 };
	struct pipeline pipeline = pipeline_begin(store->redis, &arena);
	uint64_t end = set->first + set->count;

	for (uint64_t id = set->first; id < end; id++) {
		struct sample sample;

		sample_make(&arena, set, id, &sample);
		note(written, set, &sample);
		if (part->voters_only)
			layout->voters(store, &pipeline, &sample);
		else
			layout->article(store, &pipeline, &sample, part->votes);
		if ((id - set->first) % BATCH < BATCH - 1 && id + 1 < end)
			continue;
		run(&pipeline);
		arena_reset(&arena);
		pipeline = pipeline_begin(store->redis, &arena);
	}
	arena_free(&arena);
}

/* The secret of a member's session: the same on every run. */
static struct text
session_secret(struct arena *arena, uint64_t index)
{
	return crypto_sha256_hex(arena,
	    text_format(arena, "session of %llu", (unsigned long long)index));
}

/* The last groups, which are those by topic. */
static void
write_follows(struct pipeline *pipeline, uint64_t id)
{
	struct arena *arena = pipeline->arena;
	struct text words[2 + FOLLOWS_MAX] = { TEXT("SADD"),
		key_follows(arena, id) };

	for (uint64_t i = 0; i < FOLLOWS_MAX; i++)
		words[2 + i] = sample_group(arena, SAMPLE_GROUPS - 1 - i);
	pipeline_add_words(
	    pipeline, REPLICATED, PIPELINE_KEY, words, 2 + (size_t)FOLLOWS_MAX);
	pipeline_add(pipeline, TEXT("HSET"), key_user(arena, id),
	    TEXT("follows"), TEXT("1"));
}

static void
write_member(struct pipeline *pipeline, uint64_t index, int64_t now)
{
	struct arena *arena = pipeline->arena;
	uint64_t id = sample_member(index);
	struct text name = sample_member_name(arena, index);
	struct text sessions = key_sessions(arena, id);

	pipeline_add(pipeline, TEXT("HSET"), key_user(arena, id), TEXT("name"),
	    name, TEXT("password"), TEXT(""), TEXT("role"),
	    role_words[ROLE_MEMBER], TEXT("created"), text_number(arena, now));
	pipeline_add(pipeline, TEXT("SET"), key_user_name(arena, name),
	    number(arena, id));
	pipeline_add(pipeline, TEXT("HSET"), sessions,
	    crypto_digest_hex(arena, TEXT(""), session_secret(arena, index)),
	    text_format(
		arena, "%lld %lld benchmark", (long long)now, (long long)now));
	pipeline_add(pipeline, TEXT("EXPIRE"), sessions, TEXT("86400"));
	write_follows(pipeline, id);
}

static void
write_members(const struct store *store, int64_t now)
{
	struct arena arena = { 0 };
	struct pipeline pipeline = pipeline_begin(store->redis, &arena);

	for (uint64_t i = 0; i < SAMPLE_MEMBERS; i++)
		write_member(&pipeline, i, now);
	pipeline_add(&pipeline, TEXT("SET"), KEY_USERS,
	    number(&arena, sample_member(SAMPLE_MEMBERS - 1)));
	run(&pipeline);
	arena_free(&arena);
}

static void
write_groups(struct store *store, int64_t now)
{
	struct arena arena = { 0 };

	for (uint64_t i = 0; i < SAMPLE_GROUPS; i++) {
		struct group group = { .name = sample_group(&arena, i),
			.title = TEXT("A group of the benchmark"),
			.by = { sample_member(0),
			    sample_member_name(&arena, 0) },
			.created = now };

		must(group_create(store, &arena, &group), "creating a group");
	}
	arena_free(&arena);
}

static void
write_site(struct store *store, const struct sample_set *set)
{
	struct arena arena = { 0 };
	struct pipeline pipeline = pipeline_begin(store->redis, &arena);

	write_members(store, set->now);
	write_groups(store, set->now);
	for (uint64_t b = 0; b < store->buckets.count; b++)
		pipeline_add(&pipeline, TEXT("SET"),
		    key_article_counter(&arena, &store->buckets, b),
		    number(&arena,
			key_number_in(
			    &store->buckets, b, set->first + set->count - 1)));
	run(&pipeline);
	arena_free(&arena);
}

static void
print_member(const struct store *store, struct arena *arena, uint64_t index)
{
	struct text secret = session_secret(arena, index);
	struct text cookie = text_format(
	    arena, "%" PRIu64 ".%.*s", sample_member(index), TEXT_ARGS(secret));
	struct text token = { NULL, 0 };

	if (session_token_of(store, arena, cookie, &token) != STORE_OK)
		log_fatal("a cookie of another form");

	printf("%s{\"name\":\"%.*s\",\"cookie\":\"%.*s\","
	       "\"token\":\"%.*s\"}",
	    index > 0 ? "," : "", TEXT_ARGS(sample_member_name(arena, index)),
	    TEXT_ARGS(cookie), TEXT_ARGS(token));
}

static void
print(const struct store *store, const struct written *written)
{
	struct arena arena = { 0 };

	printf("{\"first_open\":%" PRIu64 ",\"votes\":%" PRIu64
	       ",\"members\":[",
	    written->first_open, written->votes);
	for (uint64_t i = 0; i < SAMPLE_MEMBERS && store->secret.size > 0; i++)
		print_member(store, &arena, i);
	puts("]}");
	arena_free(&arena);
}

static const struct part *
find_part(const char *name)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strcmp(name, parts[i].name) == 0)
			return &parts[i];
	log_fatal("there is no part %s", name);
}

static const struct layout *
find_layout(const char *name)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (strcmp(name, layouts[i].name) == 0)
			return &layouts[i];
	log_fatal("there is no layout %s", name);
}

int
main(int argc, char **argv)
{
	struct arena arena = { 0 };
	struct store store = { .rules = { .interesting = 200,
				   .vote_score = 86400 / 200 } };
	struct written written = { .votes = 0 };
	struct sample_set set;
	const struct layout *layout;
	const struct part *part;
	struct text why = { "", 0 };
	const char *password = getenv("ADMIN_PASSWORD");

	if (password == NULL)
		password = "";
	if (argc != 6)
		log_fatal("usage: data SOCKET LAYOUT PART FIRST COUNT");
	layout = find_layout(argv[2]);
	part = find_part(argv[3]);
	set = (struct sample_set){ .first = strtoull(argv[4], NULL, 10),
		.count = strtoull(argv[5], NULL, 10),
		.age = part->age };
	crypto_start();
	store.redis =
	    redis_open(text_join(&arena, TEXT("unix:"), text_of(argv[1])),
		TEXT("admin"), text_of(password));
	must(site_time(&store, &arena, &set.now), "reading the clock");
	if (layout->article == layout_tally_article) {
		must(site_open(&store, &arena, &why), "opening the site");
		if (part->age == SAMPLE_SPREAD || part->age == SAMPLE_CROWDED)
			write_site(&store, &set);
	}
	write_articles(&store, layout, part, &set, &written);
	print(&store, &written);
	redis_close(store.redis);
	arena_free(&arena);
	return 0;
}
