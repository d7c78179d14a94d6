/*
 * What is decided while the site runs: by its owners what it is called and says of
 * itself, who may join it, vote and create groups; by moderators whose links it refuses.
 *
 * They lie in bucket 0, beside its versions, which count their changes: so whoever
 * reads the versions knows whether what a worker keeps of them still holds
 * (settings_acquire).
 */
#pragma once

#include "store/mod_action.h"
#include "store/user.h"
#include "store/versions.h"

struct settings {
	struct text name;
	struct text tagline; /* what the site is, in a line */
	struct text contact; /* an address or a link; may be empty */
	struct text about;   /* the first section of /about; may be empty */
	struct text style;   /* a style sheet after the site's; may be empty */
	struct text registration, group_creation; /* words of store/rules.h */
	struct text voting, log_names;		  /* likewise */
	struct text voting_since; /* when voting was set, Unix seconds */
	/* Words; settings_set_host sets them. */
	struct text hosts;
};

extern const struct schema settings_schema;

/* As they are while nobody has set any. */
struct settings settings_default(void);

bool settings_are_default(const struct settings *settings);

/* As they are now. */
STORE_CALL settings_get(
    struct store *store, struct arena *arena, struct settings *settings);

/* Who may register, and who may create a group. */
bool settings_registration_is_closed(const struct settings *settings);
bool settings_require_invitation(const struct settings *settings);
bool settings_allow_group(
    const struct settings *settings, const struct user *user);

/* From when on the member may vote: 0 when that is so for ever, SETTINGS_VOUCHED when a
 * moderator has to vouch first. Who registered before it was set does not wait. */
#define SETTINGS_VOUCHED INT64_MAX
int64_t settings_voting_start(
    const struct settings *settings, const struct user *user);

/* All of them in one step, but for hosts when there are none, and voting_since, which is
 * now when voting was another before. */
STORE_CALL settings_set(
    struct store *store, struct arena *arena, const struct settings *settings);

/* Refuses links of a host and those below it, or takes them again. STORE_FULL. */
enum host_status { HOST_BLOCKED, HOST_ALLOWED };
STORE_CALL settings_set_host(struct store *store, struct arena *arena,
    struct text host, enum host_status wanted, const struct mod_action *act);

/*
 * What a worker knows of them, at first those that it is given, and a request's hold on
 * that: what is known when it enters stays as it is until it leaves, while others already
 * know more.
 */
struct settings_cache;
struct settings_cache *settings_cache_new(const struct settings *settings);
void settings_cache_free(struct settings_cache *known);

struct settings_snapshot {
	struct settings settings;
	uint64_t version, epoch; /* another pair whenever they are others */
	size_t users;
	struct arena arena;
};

/* As they were when the versions were read; with NULL, or when Redis does not answer, as
 * they were known last. */
struct settings_snapshot *settings_acquire(struct store *store,
    struct arena *arena, struct settings_cache *known,
    const struct versions *versions);
void settings_release(struct settings_snapshot *held);
