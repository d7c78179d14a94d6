/*
 * A Redis that answers anything: the input's first byte says which call of the
 * store asks, its second how, and the rest are the answers, in portions with a
 * zero byte between. What is wrong with them may fail the call, and do nothing
 * else; what it does return keeps the call's contract.
 */
#include "fuzz.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "archive/check.h"
#include "archive/groups.h"
#include "archive/inbox.h"
#include "archive/keyscan.h"
#include "archive/members.h"
#include "archive/posts.h"
#include "base/crypto.h"
#include "base/fiber.h"
#include "lists/list.h"
#include "redis/redis.h"
#include "redis/reply.h"
#include "store/group.h"
#include "store/hidden.h"
#include "store/inbox.h"
#include "store/limit.h"
#include "store/relay.h"
#include "store/session.h"
#include "store/site.h"
#include "store/vote.h"
#include "views/article_row.h"

enum { SOME = 5 };

static const int64_t NUMBER_MAX = 999999999999999; /* as in reply.h */

static const struct text cookie = TEXT_INIT("7.0123456789abcdef0123456789abcdef"
					    "0123456789abcdef0123456789abcdef");
static const struct text groups[] = { TEXT_INIT("c"), TEXT_INIT("lisp") };

/* The nodes' ends of the connections, and whether there will be no more. */
enum { ENDS_MAX = 32 };
static int far_ends[ENDS_MAX];
static size_t end_count;
static bool refuses;

/* In place of the C library's: Redis is there, and greets at once, until all answers
 * were given. */
int
connect(int descriptor, __CONST_SOCKADDR_ARG address, socklen_t size)
{
	int ends[2];

	(void)address;
	(void)size;
	if (refuses || end_count == ENDS_MAX) {
		errno = ECONNREFUSED;
		return -1;
	}
	must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	must(dup2(ends[0], descriptor) == descriptor);
	close(ends[0]);
	far_ends[end_count++] = ends[1];
	must(write(ends[1], "+PONG\r\n", 7) == 7);
	return 0;
}

/* A running call. */
struct asker {
	struct store *store;
	struct arena *arena;
	struct read_cache *cache;
	unsigned how;
	void (*ask)(struct asker *asker);
	bool ended;
};

/* Every byte is readable. */
static size_t
walk(const struct reply *reply)
{
	size_t sum = reply->text.size;

	for (size_t i = 0; i < reply->text.size; i++)
		sum += (unsigned char)reply->text.data[i];
	for (size_t i = 0; i < reply->count; i++)
		sum += walk(reply_item(reply, i));
	return sum + (size_t)reply_number(reply);
}

static void
ask_anything(struct asker *asker)
{
	struct pipeline pipeline =
	    pipeline_begin(asker->store->redis, asker->arena);

	for (unsigned i = 0; i < 1 + asker->how % 3; i++)
		pipeline_add(&pipeline, TEXT("GET"), TEXT("x"));
	if (!redis_run(&pipeline))
		return;
	for (size_t i = 0; i < pipeline.count; i++) {
		must(pipeline.replies[i].kind != REPLY_ERROR);
		walk(&pipeline.replies[i]);
	}
}

/* Rendered as on a page. */
static void
show(struct arena *arena, const struct article *article, int64_t now)
{
	struct article_row_model line = article_row_model_of(
	    arena, article, now, &(struct reader){ .id = 1 });

	must(line.age.size > 0);
	must(article->post.vote <= VOTE_DOWN);
}

static void
ask_list(struct asker *asker, enum list_kind kind, enum list_match match)
{
	unsigned how = asker->how;
	const struct list_query query = { .kind = kind,
		.order = how % 4,
		.match = match,
		.groups = groups,
		.group_count = kind == LIST_GROUPS ? 1 + how / 4 % 2 : 0,
		.author = 7,
		.page = 1 + how / 8 % 3,
		.viewer = how / 24 % 2,
		.cache = asker->cache };
	struct list list;

	if (list_read(asker->store, asker->arena, &query, &list) != STORE_OK)
		return;
	must(list.count <= (kind == LIST_INTERESTING ? 50 : SOME));
	for (size_t i = 0; i < list.count; i++) {
		must(list.articles[i].post.removed == 0);
		show(asker->arena, &list.articles[i], list.now);
	}
}

static void
ask_front(struct asker *asker)
{
	ask_list(asker, LIST_FRONT, MATCH_ANY);
}

static void
ask_groups(struct asker *asker)
{
	ask_list(asker, LIST_GROUPS, MATCH_ANY);
}

static void
ask_search(struct asker *asker)
{
	ask_list(asker, LIST_GROUPS, MATCH_ALL);
}

static void
ask_author(struct asker *asker)
{
	ask_list(asker, LIST_AUTHOR, MATCH_ANY);
}

static void
ask_interesting(struct asker *asker)
{
	ask_list(asker, LIST_INTERESTING, MATCH_ANY);
}

static void
ask_article(struct asker *asker)
{
	struct article article;
	struct versions versions;
	uint64_t place;
	int64_t now;

	if (article_get(asker->store, asker->arena, 7, asker->how % 2, &article,
		&now) != STORE_OK)
		return;
	show(asker->arena, &article, now);
	if (versions_get(asker->store, asker->arena, 0, &versions) ==
		STORE_OK &&
	    list_front_place(asker->store, asker->arena, asker->cache,
		&versions, 7, &place) == STORE_OK)
		must(place <= LIST_FRONT_PLACES);
}

static void
ask_post(struct asker *asker)
{
	struct article article = { .title = TEXT("A title"),
		.url = TEXT("https://a.example/"),
		.post.author = { 7, TEXT("ann") } };
	uint64_t id;

	(void)!article_find_link(asker->store, asker->arena, article.url, &id);
	if (article_post(asker->store, asker->arena, &article) != STORE_OK)
		return;
	must(text_equal(article.post.author.name, TEXT("ann")));
}

static void
ask_session(struct asker *asker)
{
	struct versions versions;
	struct session_lookup visit = { .versions = &versions,
		.limit = LIMIT_VOTE };
	struct user user;

	asker->store->rules.limits[LIMIT_VOTE] = 10;
	if (session_find(asker->store, asker->arena, cookie, &user, &visit) !=
	    STORE_OK)
		return;
	(void)versions_stamp(&versions, 0, VERSIONS_EDITS);
	must(user.id == 7 && user.name.size > 0);
	must(user.role == ROLE_MEMBER || user.role == ROLE_MODERATOR);
}

static void
ask_vote(struct asker *asker)
{
	(void)!vote_cast(asker->store, asker->arena, article_id(7), 7,
	    VOTER_SETTLED, asker->how % 2 ? VOTE_UP : VOTE_NONE, 1700000000);
}

static void
ask_session_list(struct asker *asker)
{
	struct session *sessions;
	struct text agent = { "a browser", 9 }, fresh;
	size_t count;
	int64_t now;

	if (session_list(asker->store, asker->arena, cookie, &sessions, &count,
		&now) != STORE_OK)
		return;
	for (size_t i = 0; i < count; i++)
		must(sessions[i].id.size <= 16);
	if (session_start(asker->store, asker->arena, 7, agent,
		&(const struct second_factor){ .kind = SECOND_FACTOR_NONE },
		agent, &fresh) == STORE_OK)
		must(fresh.size == cookie.size);
}

static void
ask_limit(struct asker *asker)
{
	int64_t wait = 0;

	asker->store->rules.limits[LIMIT_VOTE] = 10;
	if (limit_take_name(asker->store, asker->arena, LIMIT_VOTE, TEXT("7"),
		&wait) == STORE_OK)
		must(wait <= NUMBER_MAX);
}

static void
ask_user(struct asker *asker)
{
	struct user user;
	int64_t karma;
	bool is_known;

	if (user_find(asker->store, asker->arena, TEXT("ann"), &user) !=
	    STORE_OK)
		return;
	must(user.name.size > 0);
	if (user_karma(asker->store, asker->arena, user.id, &karma,
		&is_known) == STORE_OK)
		must(karma <= 4 * NUMBER_MAX && karma >= -4 * NUMBER_MAX);
}

static void
ask_group_list(struct asker *asker)
{
	struct group *found;
	uint64_t total;
	size_t got;

	if (group_list(asker->store, asker->arena, 0, SOME, &found, &got,
		&total) == STORE_OK)
		must(got <= SOME);
}

static void
ask_site(struct asker *asker)
{
	struct rules *rules = &asker->store->rules;
	struct text why = { NULL, 0 };

	rules->buckets = 0;
	rules->vote_score = 0;
	if (site_open(asker->store, asker->arena, &why) != STORE_OK)
		return;
	must(rules->buckets >= 1 && rules->buckets <= RULE_BUCKETS_MAX);
	must(rules->vote_score >= 1 && asker->store->secret.size > 0);
}

static void
ask_dump_of_inboxes(struct asker *asker)
{
	struct inbox_archive_notices inboxes[] = { { .user = 7 },
		{ .user = 8 } };
	struct inbox_archive_mutes mutes[] = { { .user = 7 }, { .user = 8 } };
	size_t sizes[2];

	if (inbox_archive_read_sizes(asker->store, asker->arena, 7, 2, sizes) !=
		STORE_OK ||
	    inbox_archive_read_notices(
		asker->store, asker->arena, inboxes, 2) != STORE_OK ||
	    inbox_archive_read_mutes(asker->store, asker->arena, mutes, 2) !=
		STORE_OK)
		return;
	must(sizes[0] <= INBOX_MAX && sizes[1] <= INBOX_MAX);
	for (size_t i = 0; i < inboxes[0].count; i++)
		must(inboxes[0].items[i].number == 0 ||
		    inboxes[0].items[i].comment.comment > 0);
	for (size_t i = 0; i < mutes[0].count; i++)
		must(mutes[0].items[i].kind <= MUTE_MEMBER);
}

static void
ask_dump(struct asker *asker)
{
	const struct place ids[] = { { 0, { 1, 0 } }, { 0, { 2, 3 } } };
	struct record records[2] = { 0 };
	/* ASan loses a stack's red zones when its fiber is resumed. */
	struct text *found = arena_new(asker->arena, struct text, SOME);
	size_t got;

	if (posts_archive_read(asker->store, asker->arena, ids, 2, records) !=
		STORE_OK ||
	    members_archive_read(asker->store, asker->arena, 1, 2, records) !=
		STORE_OK ||
	    groups_archive_read_names(asker->store, asker->arena, KEY_GROUPS,
		TEXT(""), SOME, found, &got) != STORE_OK)
		return;
	must(got <= SOME);
	ask_dump_of_inboxes(asker);
}

/* A line for each break, and the counts. */
static void
ask_check(struct asker *asker)
{
	unsigned long long articles, with_voters;
	char *said = NULL, *summary;
	size_t size = 0;
	FILE *out = open_memstream(&said, &size);
	int status = check_command(asker->store, out, CHECK_ONLY);

	must(fclose(out) == 0 && (status == 0 || status == 1));
	must(said[0] != '\n' && strstr(said, "\n\n") == NULL);
	summary = strstr(said, " removed, ");
	while (summary != NULL && summary > said && summary[-1] != '\n')
		summary--;
	must(status == 1 || summary != NULL);
	if (summary != NULL &&
	    sscanf(summary,
		"%llu article%*1[s:]%*[: ]%*u removed, %*u interesting, "
		"%llu with a record",
		&articles, &with_voters) == 2)
		must(with_voters <= articles);
	free(said);
}

static void
ask_inbox(struct asker *asker)
{
	struct notice *notices;
	struct hidden_rule *rules;
	uint64_t total, *articles;
	size_t got;

	if (inbox_read(asker->store, asker->arena, 7, asker->how % 3, SOME,
		&notices, &got, &total) == STORE_OK)
		must(got <= SOME);
	else
		got = 0;
	for (size_t i = 0; i < got; i++) {
		must(notices[i].number > 0 && notices[i].comment.article > 0);
		must(notices[i].comment.comment > 0);
		must(notice_words[notices[i].reason].size > 0);
	}
	if (inbox_mutes(asker->store, asker->arena, 7, &articles, &got) !=
		STORE_OK ||
	    hidden_get(asker->store, asker->arena, 7, &rules, &got) != STORE_OK)
		return;
	for (size_t i = 0; i < got; i++)
		must(rules[i].kind <= HIDDEN_WORDS &&
		    (rules[i].id != 0 || rules[i].name.size > 0));
}

static void
ask_relay(struct asker *asker)
{
	struct relay *relay = relay_new(asker->store, TEXT("here"));

	for (unsigned i = 0; i < 1 + asker->how % 4; i++)
		must(relay_step(relay) >= 0);
	relay_free(relay);
}

static void (*const calls[])(struct asker *asker) = {
	['a' - 'a'] = ask_anything,
	['b' - 'a'] = ask_front,
	['c' - 'a'] = ask_groups,
	['d' - 'a'] = ask_search,
	['e' - 'a'] = ask_author,
	['f' - 'a'] = ask_interesting,
	['g' - 'a'] = ask_article,
	['h' - 'a'] = ask_post,
	['i' - 'a'] = ask_session,
	['j' - 'a'] = ask_user,
	['k' - 'a'] = ask_group_list,
	['l' - 'a'] = ask_site,
	['m' - 'a'] = ask_dump,
	['n' - 'a'] = ask_check,
	['o' - 'a'] = ask_session_list,
	['p' - 'a'] = ask_limit,
	['q' - 'a'] = ask_inbox,
	['r' - 'a'] = ask_relay,
	['s' - 'a'] = ask_vote,
};

static void
run(void *data)
{
	struct asker *asker = data;

	asker->ask(asker);
	asker->ended = true;
}

static void
hang_up(void)
{
	refuses = true;
	for (size_t i = 0; i < end_count; i++)
		shutdown(far_ends[i], SHUT_WR);
}

/* Answers with one portion after the other, one node after the other, and at the
 * end hangs up. What a node has closed takes no more. */
static void
answer(struct asker *asker, struct text answers)
{
	struct redis *redis = asker->store->redis;
	struct text portion;

	for (size_t i = 0; !asker->ended; i++) {
		/* Commands are sent once the handshake was answered. */
		redis_flush(redis);
		redis_ready(redis);
		redis_flush(redis);
		if (!text_cut(&answers, '\0', &portion))
			hang_up();
		else if (portion.size > 0 && end_count > 0)
			(void)!write(far_ends[i % end_count], portion.data,
			    portion.size);
		redis_ready(redis);
		redis_expire(redis);
	}
}

static struct rules
rules_of(unsigned how)
{
	return (struct rules){ .vote_score = 432,
		.vote_window = 604800,
		.thread_window = 2592000,
		.interesting = 200,
		.page_size = SOME,
		.pinned_articles = 2,
		.pinned_places = 4,
		.pinned_seconds = 86400,
		.session_seconds = 60,
		.session_idle = 60,
		.buckets = how % 2 == 0 ? 1 : 4 };
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct arena arena;
	struct store store = { .secret = TEXT("secret") };
	struct asker asker = { .store = &store, .arena = &arena };

	if (size < 2)
		return 0;
	crypto_start();
	signal(SIGPIPE, SIG_IGN); /* as a worker does */
	asker.ask = calls[(unsigned char)(data[0] - 'a') %
	    (sizeof(calls) / sizeof(calls[0]))];
	/* A check asks for the map outside of fibers. */
	if (data[1] >= 0xa0 && asker.ask == ask_check)
		asker.ask = ask_anything;
	asker.how = (unsigned char)(data[1] - '0');
	store.rules = rules_of(asker.how / 48);
	store.buckets = key_buckets(&arena, store.rules.buckets);
	store.redis = redis_open(data[1] < 0xa0 ? TEXT("unix:redis")
		: data[1] < 0xd0 ? TEXT("cluster:127.0.0.1:1,127.0.0.1:2")
				 : TEXT("sentinel:a@127.0.0.1:1,127.0.0.1:2"),
	    TEXT(""), TEXT(""));
	redis_set_timeout(store.redis, 50);
	refuses = false;
	end_count = 0;
	if (asker.how >= 96)
		asker.cache = read_cache_new();
	fiber_start(run, &asker);
	answer(&asker, fuzz_text(data + 2, size - 2));
	redis_close(store.redis);
	read_cache_free(asker.cache);
	for (size_t i = 0; i < end_count; i++)
		close(far_ends[i]);
	arena_reset(&arena);
	return 0;
}
