/*
 * Settings that are changed while the site runs. Owners set the name, the texts, and the
 * rules for registration, voting and groups; moderators set the blocked hosts.
 *
 * They are in bucket 0, beside its versions, which count their changes: a worker caches the
 * settings until that count changes (settings_acquire).
 */
#pragma once

#include "store/image.h"
#include "store/mod_action.h"
#include "store/user.h"
#include "store/versions.h"

struct settings {
	struct text name;
	struct text tagline; /* a one-line description */
	/* These may be empty: */
	struct text slogan;	  /* at the foot, in place of the shipped one */
	struct text language;	  /* the tag of a language; empty: English */
	struct text contact;	  /* an address or a link */
	struct text about;	  /* Markdown: the first section of /about */
	struct text rules;	  /* Markdown: /rules */
	struct text foot_links;	  /* lines of rule_foot_links */
	struct text announcement; /* a line of Markdown, on each page */
	struct text announced;	  /* when that was set, Unix seconds */
	struct text style;	  /* a style sheet after the site's */
	struct text registration, group_creation; /* words of store/rules.h */
	struct text voting, log_names;		  /* likewise */
	struct text front_order; /* a word of store/rules.h; empty: top */
	struct text overlooked;	 /* RULE_OVERLOOKED_OFF, or empty: shown */
	struct text interesting; /* a number of upvotes; empty: as configured */
	/* Numbers for newcomers (store/newcomer.h); empty: the usual. */
	struct text newcomer_days, newcomer_votes;
	struct text newcomer_posts,
	    newcomer_comments;	 /* a day; 0: any number */
	struct text score_hours; /* in which scores are hidden; empty: none */
	struct text fold_flags;	 /* how many fold a post; empty or 0: none */
	struct text question;	 /* of applications; may be empty */
	struct text hold_first;	 /* RULE_HOLD_ON, or empty */
	struct text moderator_factor; /* RULE_FACTOR_REQUIRED, or empty */
	struct text vote_score;	  /* wanted (store/pace.h); empty: as created */
	struct text voting_since; /* when voting was set, Unix seconds */
	/* Words; settings_set_host sets them. */
	struct text hosts;
	/* "example.org,2026-11-24": who named the entries of feeds first, and when (RFC
	 * 4151). Never changes; empty: SETTINGS_LOCAL_AUTHORITY. */
	struct text tag_authority;
	/* Words: hosts on which many publish (store/publisher.h). */
	struct text shared_hosts;
};

#define SETTINGS_LOCAL_AUTHORITY "localhost,2000-01-01"

extern const struct schema settings_schema;

/* The settings of a new site. */
struct settings settings_default(void);

/* True when everybody may know which moderator did what. */
bool settings_names_moderators(const struct settings *settings);

/* The number that the owners set (rules.stored_interesting); 0 without one. */
int64_t settings_interesting(const struct settings *settings);

/* The stored field vote_score; usual where it is empty or damaged. */
#define SETTINGS_VOTE_SCORE TEXT("vote_score")
int64_t settings_vote_score(struct text stored, int64_t usual);

/* The stored words shared_hosts. */
#define SETTINGS_SHARED_HOSTS TEXT("shared_hosts")

bool settings_are_default(const struct settings *settings);

/* Reads the settings from Redis. */
STORE_CALL settings_get(
    struct store *store, struct arena *arena, struct settings *settings);
/* The same in a pipeline of other commands: adds the question, and reads its reply. */
void settings_ask(struct pipeline *pipeline, const struct buckets *buckets);
void settings_read(const struct reply *reply, struct settings *settings);

/* The rules for registration, and for the creation of groups. */
bool settings_registration_is_closed(const struct settings *settings);
bool settings_require_invitation(const struct settings *settings);
bool settings_require_application(const struct settings *settings);
bool settings_allow_group(
    const struct settings *settings, const struct user *user);

/* The moment from which the member may vote: 0 without a wait, SETTINGS_VOUCHED when a
 * moderator has to vouch first. Members who registered before the rule do not wait. */
#define SETTINGS_VOUCHED INT64_MAX
int64_t settings_voting_start(
    const struct settings *settings, const struct user *user);

/* For how many seconds the scores of posts are not shown: at most until voting on them closes, when
 * they sway nobody any more. */
int64_t settings_score_seconds(
    const struct settings *settings, const struct rules *rules);

/* How many articles (LIMIT_NEWCOMER_POST) or comments (LIMIT_NEWCOMER_COMMENT) a newcomer may post
 * a day; 0: any number. */
int64_t settings_newcomer_limit(const struct settings *settings,
    const struct rules *rules, enum limit kind);

/* Whether the owners require a second factor of moderators, also of those of a group, and the
 * member has none. */
bool settings_ask_for_factor(
    const struct settings *settings, const struct user *user);

/* Whether the member is a moderator or an owner who has no second factor, where the owners
 * require it of moderators: these have a member's rights until then, owners keep theirs. */
bool settings_lacks_factor(
    const struct settings *settings, const struct user *user);

/* Whether a reader who dismissed the announcement of that moment (0: none) is shown the
 * present one. */
bool settings_announce(const struct settings *settings, int64_t dismissed);

/* Stores all settings at once, except hosts when empty. voting_since and announced, unless
 * given, become now when voting and the announcement change; announced never stays the
 * same or falls. */
STORE_CALL settings_set(
    struct store *store, struct arena *arena, const struct settings *settings);

/* Stores the authority of tags, unless there is one: the host of an origin, "https://a.org",
 * as of today. An empty origin, or one without a name, has none. STORE_OK also when Redis is
 * full. */
STORE_CALL settings_note_authority(
    struct store *store, struct arena *arena, struct text origin);

/* Whether a text is an authority of tags. */
bool settings_is_authority(struct text text);

/* Blocks links to a host and its subdomains, or allows them again. STORE_FULL. */
enum host_status { HOST_BLOCKED, HOST_ALLOWED };
STORE_CALL settings_set_host(struct store *store, struct arena *arena,
    struct text host, enum host_status wanted, const struct mod_action *action);

/*
 * A worker's cache of the settings and images, with an initial value that has no images, and
 * counted references to its snapshots: a request's snapshot does not change until it is released,
 * also when another request has read newer settings.
 */
struct settings_cache;
struct settings_cache *settings_cache_new(const struct settings *settings);
void settings_cache_free(struct settings_cache *cache);

struct settings_snapshot {
	struct settings settings;
	struct image images[IMAGES];
	/* A digest of the style sheet; empty: none. */
	struct text style_version;
	uint64_t version, epoch; /* the pair changes with the settings */
	size_t users;		 /* references */
	struct arena arena;
};

/* Returns the snapshot for these versions; with NULL, or when Redis does not answer, the
 * last one. Sets the owners' rules of the store. */
struct settings_snapshot *settings_acquire(struct store *store,
    struct arena *arena, struct settings_cache *cache,
    const struct versions *versions);
void settings_release(struct settings_snapshot *snapshot);
