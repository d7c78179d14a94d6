#include "store/settings.h"

#include <ctype.h>
#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "base/crypto.h"
#include "base/log.h"
#include "redis/redis.h"
#include "store/function_call.h"
#include "store/second_factor.h"
#include "store/site.h"

/* In the order of a dump's line. */
static const struct field fields[] = {
	FIELD("name", struct settings, name, TEXT, REQUIRED, WHOLE),
	FIELD("tagline", struct settings, tagline, TEXT, OPTIONAL, WHOLE),
	FIELD("contact", struct settings, contact, TEXT, OPTIONAL, WHOLE),
	FIELD("slogan", struct settings, slogan, TEXT, OPTIONAL, WHOLE),
	FIELD("language", struct settings, language, TEXT, OPTIONAL, WHOLE),
	FIELD("about", struct settings, about, TEXT, OPTIONAL, WHOLE),
	FIELD("rules", struct settings, rules, TEXT, OPTIONAL, WHOLE),
	FIELD("foot_links", struct settings, foot_links, TEXT, OPTIONAL, WHOLE),
	FIELD("announcement", struct settings, announcement, TEXT, OPTIONAL,
	    WHOLE),
	FIELD("announced", struct settings, announced, TEXT, OPTIONAL, WHOLE),
	FIELD("style", struct settings, style, TEXT, OPTIONAL, WHOLE),
	FIELD("registration", struct settings, registration, TEXT, REQUIRED,
	    WHOLE),
	FIELD("group_creation", struct settings, group_creation, TEXT, REQUIRED,
	    WHOLE),
	FIELD("voting", struct settings, voting, TEXT, OPTIONAL, WHOLE),
	FIELD("log_names", struct settings, log_names, TEXT, OPTIONAL, WHOLE),
	FIELD(
	    "front_order", struct settings, front_order, TEXT, OPTIONAL, WHOLE),
	FIELD("overlooked", struct settings, overlooked, TEXT, OPTIONAL, WHOLE),
	FIELD(
	    "interesting", struct settings, interesting, TEXT, OPTIONAL, WHOLE),
	FIELD("newcomer_days", struct settings, newcomer_days, TEXT, OPTIONAL,
	    WHOLE),
	FIELD("newcomer_votes", struct settings, newcomer_votes, TEXT, OPTIONAL,
	    WHOLE),
	FIELD("newcomer_posts", struct settings, newcomer_posts, TEXT, OPTIONAL,
	    WHOLE),
	FIELD("newcomer_comments", struct settings, newcomer_comments, TEXT,
	    OPTIONAL, WHOLE),
	FIELD(
	    "score_hours", struct settings, score_hours, TEXT, OPTIONAL, WHOLE),
	FIELD("fold_flags", struct settings, fold_flags, TEXT, OPTIONAL, WHOLE),
	FIELD("question", struct settings, question, TEXT, OPTIONAL, WHOLE),
	FIELD("hold_first", struct settings, hold_first, TEXT, OPTIONAL, WHOLE),
	FIELD("moderator_factor", struct settings, moderator_factor, TEXT,
	    OPTIONAL, WHOLE),
	FIELD("vote_score", struct settings, vote_score, TEXT, OPTIONAL, WHOLE),
	FIELD("voting_since", struct settings, voting_since, TEXT, OPTIONAL,
	    WHOLE),
	FIELD("hosts", struct settings, hosts, WORDS, OPTIONAL, WHOLE),
	FIELD("tag_authority", struct settings, tag_authority, TEXT, OPTIONAL,
	    WHOLE),
	FIELD("shared_hosts", struct settings, shared_hosts, WORDS, OPTIONAL,
	    WHOLE),
};
const struct schema settings_schema = SCHEMA(struct settings, fields);

bool
settings_names_moderators(const struct settings *settings)
{
	return !text_equal(settings->log_names, TEXT(RULE_LOG_UNNAMED));
}

struct settings
settings_default(void)
{
	return (struct settings){ .name = TEXT("Tally"),
		.tagline = TEXT("Articles that members post and vote on."),
		.registration = TEXT(RULE_REGISTRATION_OPEN),
		.group_creation = TEXT(RULE_GROUPS_BY_MEMBERS),
		.voting = TEXT(RULE_VOTING_IMMEDIATE),
		.log_names = TEXT(RULE_LOG_NAMED) };
}

bool
settings_registration_is_closed(const struct settings *settings)
{
	return text_equal(
	    settings->registration, TEXT(RULE_REGISTRATION_CLOSED));
}

bool
settings_require_invitation(const struct settings *settings)
{
	return text_equal(
	    settings->registration, TEXT(RULE_REGISTRATION_INVITE));
}

bool
settings_require_application(const struct settings *settings)
{
	return text_equal(
	    settings->registration, TEXT(RULE_REGISTRATION_APPLY));
}

bool
settings_allow_group(const struct settings *settings, const struct user *user)
{
	return user->role >= ROLE_MODERATOR ||
	    text_equal(settings->group_creation, TEXT(RULE_GROUPS_BY_MEMBERS));
}

int64_t
settings_voting_start(const struct settings *settings, const struct user *user)
{
	static const struct {
		struct text word;
		int64_t seconds;
	} waits[] = { { TEXT_INIT(RULE_VOTING_HOUR), 3600 },
		{ TEXT_INIT(RULE_VOTING_DAY), 86400 } };

	if (user->trusted != 0 || user->role >= ROLE_MODERATOR ||
	    user->created < reply_number_of(settings->voting_since))
		return 0;
	if (text_equal(settings->voting, TEXT(RULE_VOTING_VOUCHED)))
		return SETTINGS_VOUCHED;
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
		if (text_equal(settings->voting, waits[i].word))
			return user->created + waits[i].seconds;
	return 0;
}

/* A number that the owners have set; otherwise where they have not. */
static int64_t
number_or(struct text stored, int64_t otherwise)
{
	int64_t number;

	return text_to_i64(stored, &number) && number >= 0 ? number : otherwise;
}

int64_t
settings_score_seconds(
    const struct settings *settings, const struct rules *rules)
{
	int64_t seconds = 3600 * number_or(settings->score_hours, 0);

	return seconds < rules->vote_window ? seconds : rules->vote_window;
}

int64_t
settings_newcomer_limit(
    const struct settings *settings, const struct rules *rules, enum limit kind)
{
	return number_or(kind == LIMIT_NEWCOMER_POST
		? settings->newcomer_posts
		: settings->newcomer_comments,
	    rules->limits[kind]);
}

bool
settings_ask_for_factor(
    const struct settings *settings, const struct user *user)
{
	return text_equal(
		   settings->moderator_factor, TEXT(RULE_FACTOR_REQUIRED)) &&
	    !second_factor_is_on(user);
}

bool
settings_lacks_factor(const struct settings *settings, const struct user *user)
{
	return user->role >= ROLE_MODERATOR &&
	    settings_ask_for_factor(settings, user);
}

bool
settings_announce(const struct settings *settings, int64_t dismissed)
{
	return settings->announcement.size > 0 &&
	    dismissed < reply_number_of(settings->announced);
}

int64_t
settings_interesting(const struct settings *settings)
{
	return reply_number_of(settings->interesting);
}

int64_t
settings_vote_score(struct text stored, int64_t usual)
{
	int64_t number;

	return text_to_i64(stored, &number) && number >= 1 &&
		number <= RULE_VOTE_SCORE_MAX
	    ? number
	    : usual;
}

/* All of them are texts. */
static const struct text *
text_in(const struct settings *settings, size_t field)
{
	return (const void *)((const char *)settings +
	    settings_schema.fields[field].offset);
}

bool
settings_are_default(const struct settings *settings)
{
	const struct settings standard = settings_default();

	for (size_t i = 0; i < settings_schema.count; i++)
		if (settings_schema.fields[i].offset !=
			offsetof(struct settings, tag_authority) &&
		    !text_equal(*text_in(settings, i), *text_in(&standard, i)))
			return false;
	return true;
}

static struct text
key_of(const struct store *store, struct arena *arena)
{
	return key_settings(arena, &store->buckets);
}

void
settings_ask(struct pipeline *pipeline, const struct buckets *buckets)
{
	schema_ask(pipeline, &settings_schema, SCHEMA_WHOLE,
	    key_settings(pipeline->arena, buckets));
}

void
settings_read(const struct reply *reply, struct settings *settings)
{
	if (!schema_read(&settings_schema, SCHEMA_WHOLE, reply, settings)) {
		/* No owner has set anything, but moderators refuse hosts. */
		struct text hosts = settings->hosts;
		struct text authority = settings->tag_authority;

		*settings = settings_default();
		settings->hosts = hosts;
		settings->tag_authority = authority;
	}
	/* A site from before these were. */
	if (settings->voting.size == 0)
		settings->voting = settings_default().voting;
	if (settings->log_names.size == 0)
		settings->log_names = settings_default().log_names;
}

STORE_CALL
settings_get(
    struct store *store, struct arena *arena, struct settings *settings)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	settings_ask(&pipeline, &store->buckets);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	settings_read(&pipeline.replies[0], settings);
	return STORE_OK;
}

/* What functions and the start set by themselves is not sent while it is empty. */
static bool
is_set_by_functions(struct text name)
{
	static const struct text names[] = { TEXT_INIT("hosts"),
		TEXT_INIT("voting_since"), TEXT_INIT("announced"),
		TEXT_INIT("tag_authority") };
	size_t index;

	return text_index(
	    name, names, sizeof(names) / sizeof(names[0]), &index);
}

STORE_CALL
settings_set(
    struct store *store, struct arena *arena, const struct settings *settings)
{
	struct call call =
	    call_begin(arena, CALL_WRITES, "settings_2", key_of(store, arena));

	for (size_t i = 0; i < settings_schema.count; i++) {
		struct text value = *text_in(settings, i);
		struct text name = text_of(settings_schema.fields[i].name);

		if (value.size > 0 || !is_set_by_functions(name))
			call_add(&call, name, value);
	}
	return call_run(&call, store, NULL);
}

/* The host of an origin; empty when it is an address of IPv6. */
static struct text
host_of(struct text origin)
{
	size_t at = text_find(origin, 0, TEXT("://"));
	struct text host = origin, rest;

	if (at != SIZE_MAX)
		host = text_slice(origin, at + 3, origin.size);
	rest = host;
	text_cut(&rest, ':', &host);
	return text_starts(host, TEXT("[")) ? TEXT("") : host;
}

STORE_CALL
settings_note_authority(
    struct store *store, struct arena *arena, struct text origin)
{
	const struct text field = TEXT("tag_authority");
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text host = host_of(origin);
	const struct reply *has = store_read(
	    store, arena, TEXT("HEXISTS"), key_of(store, arena), field);
	struct tm parts;
	int64_t now;
	time_t time;

	if (has == NULL || site_time(store, arena, &now) != STORE_OK)
		return STORE_DOWN;
	if (host.size == 0 || reply_number(has) == 1)
		return STORE_OK;
	time = (time_t)now;
	gmtime_r(&time, &parts);
	call_send_write(&pipeline, "authority_1", key_of(store, arena),
	    text_format(arena, "%.*s,%04d-%02d-%02d", TEXT_ARGS(host),
		parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday));
	return store_run(&pipeline) == STORE_OK || pipeline_met_full(&pipeline)
	    ? STORE_OK
	    : STORE_DOWN;
}

bool
settings_is_authority(struct text text)
{
	static const char date[] = "9999-99-99";
	struct text host;

	if (!text_cut(&text, ',', &host) || host.size == 0 ||
	    text.size != sizeof(date) - 1)
		return false;
	for (size_t i = 0; i < host.size; i++)
		if (!isalnum((unsigned char)host.data[i]) &&
		    host.data[i] != '-' && host.data[i] != '.')
			return false;
	for (size_t i = 0; i < text.size; i++)
		if (date[i] == '9' ? text.data[i] < '0' || text.data[i] > '9'
				   : text.data[i] != date[i])
			return false;
	return true;
}

STORE_CALL
settings_set_host(struct store *store, struct arena *arena, struct text host,
    enum host_status wanted, const struct mod_action *action)
{
	struct call call =
	    call_begin(arena, CALL_WRITES, "host_1", key_of(store, arena));

	call_add(&call, host,
	    wanted == HOST_BLOCKED ? TEXT("refused") : TEXT("taken"));
	call_add_number(&call, RULE_HOSTS_MAX);
	return mod_action_run(&call, store, action);
}

struct settings_cache {
	struct settings_snapshot *snapshot; /* one user of it is this */
	struct stamp stamp;		    /* read when it had this */
};

/* The images are left out. */
static struct settings_snapshot *
new_snapshot(const struct settings *settings)
{
	struct settings_snapshot *snapshot = calloc(1, sizeof(*snapshot));

	if (snapshot == NULL)
		log_fatal("out of memory: the site's settings");
	snapshot->users = 1;
	snapshot->settings = *settings;
	for (size_t i = 0; i < settings_schema.count; i++) {
		struct text *text =
		    (struct text *)text_in(&snapshot->settings, i);

		*text = text_copy(&snapshot->arena, *text);
	}
	if (settings->style.size > 0)
		snapshot->style_version =
		    crypto_version(&snapshot->arena, settings->style);
	return snapshot;
}

static void
add_images(
    struct settings_snapshot *snapshot, const struct image images[IMAGES])
{
	struct arena *arena = &snapshot->arena;

	for (size_t i = 0; i < IMAGES; i++) {
		struct image *image = &snapshot->images[i];

		*image = images[i];
		image->png = text_copy(arena, image->png);
		image->version = text_copy(arena, image->version);
	}
}

static void
drop_snapshot(struct settings_snapshot *snapshot)
{
	if (--snapshot->users > 0)
		return;
	arena_free(&snapshot->arena);
	free(snapshot);
}

struct settings_cache *
settings_cache_new(const struct settings *settings)
{
	struct settings_cache *cache = calloc(1, sizeof(*cache));

	if (cache == NULL)
		log_fatal("out of memory: the site's settings");
	cache->snapshot = new_snapshot(settings);
	return cache;
}

void
settings_cache_free(struct settings_cache *cache)
{
	drop_snapshot(cache->snapshot);
	free(cache);
}

static bool
is_same(struct stamp a, struct stamp b)
{
	return a.epoch == b.epoch && a.version == b.version;
}

/* The rules that owners set. */
static void
set_rules(struct rules *rules, const struct settings *settings)
{
	rules->stored_interesting = settings_interesting(settings);
	rules->shared_hosts = settings->shared_hosts;
	rules->newcomer_days =
	    number_or(settings->newcomer_days, RULE_NEWCOMER_DAYS);
	rules->newcomer_votes =
	    number_or(settings->newcomer_votes, RULE_NEWCOMER_VOTES);
}

struct settings_snapshot *
settings_acquire(struct store *store, struct arena *arena,
    struct settings_cache *cache, const struct versions *versions)
{
	struct settings settings;
	struct image images[IMAGES];
	struct stamp stamp = cache->stamp;

	if (versions != NULL)
		stamp = versions_stamp(versions, 0, VERSIONS_SETTINGS);
	if (!is_same(stamp, cache->stamp) &&
	    settings_get(store, arena, &settings) == STORE_OK &&
	    image_get_all(store, arena, images) == STORE_OK) {
		drop_snapshot(cache->snapshot);
		cache->snapshot = new_snapshot(&settings);
		add_images(cache->snapshot, images);
		cache->snapshot->version = stamp.version;
		cache->snapshot->epoch = stamp.epoch;
		cache->stamp = stamp;
	}
	set_rules(&store->rules, &cache->snapshot->settings);
	cache->snapshot->users++;
	return cache->snapshot;
}

void
settings_release(struct settings_snapshot *snapshot)
{
	drop_snapshot(snapshot);
}
