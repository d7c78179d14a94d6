#include "server/config.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/log.h"
#include "os/local_socket.h"
#include "os/privileges.h"
#include "redis/endpoint.h"
#include "redis/redis.h"
#include "server/config_file.h"

/* Of the service: its settings, and the address and passwords of its Redis. */
#define SERVICE_FILE   "/etc/tally/tally.conf"
#define SERVICE_REDIS  "unix:/run/tally-redis/redis.sock"
#define SERVICE_LOGINS "/var/lib/tally-redis/tally.env"

/* The form of an Origin header: a scheme, a host and perhaps a port. */
static bool
is_origin(struct text origin)
{
	if (origin.size == 0)
		return true;
	if (text_starts(origin, TEXT("https://")))
		origin = text_slice(origin, 8, origin.size);
	else if (text_starts(origin, TEXT("http://")))
		origin = text_slice(origin, 7, origin.size);
	else
		return false;
	/* Headers are compared to it byte by byte. */
	for (size_t i = 0; i < origin.size; i++)
		if (origin.data[i] <= ' ' || origin.data[i] > '~' ||
		    (origin.data[i] >= 'A' && origin.data[i] <= 'Z') ||
		    origin.data[i] == '/')
			return false;
	return origin.size > 0;
}

static bool
is_redis(struct text text)
{
	struct arena arena = { 0 };
	struct endpoint endpoint;
	bool good = text.size == 0 || endpoint_parse(&arena, text, &endpoint);

	arena_free(&arena);
	return good;
}

static bool
is_fsync(struct text text)
{
	return text_equal(text, TEXT("always")) ||
	    text_equal(text, TEXT("everysec"));
}

static bool
is_metrics(struct text text)
{
	return text.size == 0 || local_socket_is_address(text);
}

static bool
is_folder(struct text text)
{
	return text.size == 0 || text_starts(text, TEXT("/"));
}

/* A setting: a text, perhaps with a check, or a number with a range. */
struct setting {
	const char *name, *meaning, *default_value;
	size_t offset;
	int64_t min, max; /* of a number; max is 0 for a text */
	bool (*is_valid)(struct text text);
	const char *expected; /* the valid values, for a message */
	bool is_secret;	      /* a former value is overwritten */
};

#define ROW(name, member, value, meaning) \
	name, meaning, value, offsetof(struct config, member)
#define STRING(name, member, value, meaning) \
	{ ROW(name, member, value, meaning), 0, 0, NULL, NULL, false }
#define SECRET(name, member, meaning) \
	{ ROW(name, member, "", meaning), 0, 0, NULL, NULL, true }
#define CHECKED(name, member, value, is_valid, expected, meaning) \
	{ ROW(name, member, value, meaning), 0, 0, is_valid, expected, false }
#define NUMBER(name, member, value, min, max, meaning) \
	{ ROW(name, member, value, meaning), min, max, NULL, NULL, false }
/* A number that may be empty, which is UNSET. */
#define OPTIONAL(name, member, min, max, meaning) \
	NUMBER(name, member, "", min, max, meaning)

#define LIMIT_SETTING(name, word, default_value, seconds, meaning) \
	NUMBER("TALLY_LIMIT_" #name, rules.limits[LIMIT_##name], \
	    #default_value, 1, BILLION, meaning),

enum { UNSET = -1, YEARS_10 = 315360000, BILLION = 1000000000 };

static const struct setting settings[] = {
	STRING("TALLY_ADDRESS", address, "127.0.0.1",
	    "the address on which `tally up` listens"),
	NUMBER("TALLY_PORT", port, "8080", 1, 65535, "its port"),
	NUMBER("TALLY_CACHE", cache, "1", 0, 1,
	    "1: its nginx caches pages for a second; 0: it does not"),
	CHECKED("TALLY_FSYNC", fsync, "always", is_fsync, "always or everysec",
	    "when its Redis writes to disk: always or everysec"),
	NUMBER("TALLY_REDIS_MEMORY", redis_memory, "0", 0, BILLION,
	    "MB of memory that its Redis may use; 0: three quarters\n"
	    "                           of the machine's or the control group's"),
	NUMBER("TALLY_WORKERS", workers, "0", 0, 256,
	    "worker processes; 0: one for each core"),
	NUMBER("TALLY_VISITORS_SHARE", visitors_share, "5", 0, 100,
	    "percent of each worker's time for old and deep pages of\n"
	    "                           readers who are not signed in"),
	STRING("TALLY_SOCKET", socket, "/run/tally/tally.sock",
	    "the unix socket on which `tally serve` listens for nginx"),
	CHECKED("TALLY_METRICS", metrics, "", is_metrics,
	    "an absolute path or a port of this machine, 127.0.0.1:9464",
	    "where metrics are served: a unix socket, or 127.0.0.1:PORT;\n"
	    "                           empty: metrics.sock beside the workers' "
	    "socket"),
	CHECKED("TALLY_SEARCH", search, "/var/lib/tally/search", is_folder,
	    "an absolute path, or empty",
	    "the folder in which `tally serve` keeps the index for\n"
	    "                           search, which it makes by itself; "
	    "empty: no search"),
	CHECKED("TALLY_REDIS", redis, "", is_redis,
	    "unix:/path, host:port, sentinel:NAME@host:port,... or "
	    "cluster:host:port,..., the last three perhaps after tls:",
	    "an existing Redis: unix:/path, host:port,\n"
	    "                           sentinel:NAME@host:port,... or "
	    "cluster:host:port,..."),
	STRING("TALLY_REDIS_CA", tls.authority, "",
	    "with tls: before an existing Redis: the certificate\n"
	    "                           of the authority that signs those of "
	    "its nodes"),
	STRING("TALLY_REDIS_CERT", tls.certificate, "",
	    "the certificate to show it, if it asks for one"),
	STRING("TALLY_REDIS_KEY", tls.key, "", "the key of that certificate"),
	OPTIONAL("TALLY_REPLICAS", replicas, 0, 9,
	    "replicas that must confirm a write;\n"
	    "                           empty: 0 for one Redis, 1 in a "
	    "cluster, all with sentinels"),
	OPTIONAL("TALLY_FRESH", fresh, 0, 10000,
	    "milliseconds for which a worker may use cached versions\n"
	    "                           of lists; empty: 0 with one bucket, 250 "
	    "otherwise"),
	NUMBER("TALLY_STALE", stale, "30", 0, 86400,
	    "seconds for which lists are shown from the cache while\n"
	    "                           a master does not answer"),
	NUMBER("TALLY_MOVE_SHARE", move_share, "10", 1, 100,
	    "percent of the time for which a new release keeps Redis busy\n"
	    "                           while it moves the data on to its layout"),
	STRING("TALLY_REDIS_USER", web.user, "default",
	    "the user as which the workers log in to it"),
	SECRET("TALLY_REDIS_PASSWORD", web.password,
	    "the password of that user; empty: no login"),
	STRING("TALLY_REDIS_ADMIN_USER", admin.user, "admin",
	    "the user who loads the functions into it"),
	SECRET("TALLY_REDIS_ADMIN_PASSWORD", admin.password,
	    "the password of that user; empty: log in as the workers do"),
	CHECKED("TALLY_ORIGIN", origin, "", is_origin,
	    "a scheme and a host in lower case, https://example.org",
	    "the site's address, https://example.org; empty: localhost\n"
	    "                           alone"),
	STRING("TALLY_SHARE", share, "",
	    "the folder of templates, static and nginx; empty: found"),
	STRING("TALLY_OVERRIDES", overrides, "",
	    "your own templates and static, used before those; empty:\n"
	    "                           DIR/share for `up`, otherwise "
	    "/etc/tally/share"),
	STRING("TALLY_PASSWORDS", passwords, "",
	    "a file of breached passwords, which are refused: sorted\n"
	    "                           lines of a SHA-1, as Have I Been "
	    "Pwned has them"),
	NUMBER("TALLY_BUCKETS", rules.buckets, "0", 0, RULE_BUCKETS_MAX,
	    "buckets of the data, fixed when the site is created;\n"
	    "                           0: 16 on a cluster, 1 otherwise"),
	NUMBER("TALLY_VOTE_SCORE", rules.vote_score, "0", 0,
	    RULE_VOTE_SCORE_MAX,
	    "points of a vote when the site is created; 0: 432"),
	NUMBER("TALLY_VOTE_WINDOW", rules.vote_window, "604800", 1, YEARS_10,
	    "seconds for which an article takes votes"),
	NUMBER("TALLY_THREAD_WINDOW", rules.thread_window, "2592000", 1,
	    YEARS_10, "seconds for which an article takes comments"),
	NUMBER("TALLY_INTERESTING", rules.interesting, "200", 1, BILLION,
	    "upvotes that make an article interesting"),
	NUMBER("TALLY_PAGE_SIZE", rules.page_size, "25", 1, 100,
	    "articles on a page"),
	NUMBER("TALLY_PROMISE_ARTICLES", rules.pinned_articles, "50", 0, 1000,
	    "interesting articles with a guaranteed place at the front"),
	NUMBER("TALLY_PROMISE_PLACES", rules.pinned_places, "100", 0, 1000,
	    "the number of places at the front that these share"),
	NUMBER("TALLY_PROMISE_SECONDS", rules.pinned_seconds, "86400", 0,
	    YEARS_10, "seconds for which an article keeps such a place"),
	NUMBER("TALLY_SESSION_SECONDS", rules.session_seconds, "2592000", 60,
	    YEARS_10, "seconds for which a login lasts"),
	NUMBER("TALLY_SESSION_IDLE", rules.session_idle, "1209600", 60,
	    YEARS_10, "seconds after which an unused login ends"),
	LIMITS(LIMIT_SETTING)
	/* The minimum admits the longest text. */
	NUMBER("TALLY_LIMIT_BYTES", rules.day_bytes, "2000000", 100000, BILLION,
	    "bytes of articles, comments, edits and groups a day\n"
	    "                           per member"),
};

enum { SETTINGS = sizeof(settings) / sizeof(settings[0]) };

/* Sets a member, without copying the value; false, and logged, if it is invalid. */
static bool
set_value(
    struct config *config, const struct setting *setting, struct text value)
{
	void *member = (char *)config + setting->offset;
	int64_t number;

	if (setting->is_secret)
		text_wipe(*(struct text *)member);
	if (setting->max == 0) {
		*(struct text *)member = value;
		if (setting->is_valid == NULL || setting->is_valid(value))
			return true;
		log_line("%s must be %s, not \"%.*s\"", setting->name,
		    setting->expected, TEXT_ARGS(value));
		return false;
	}
	number = UNSET;
	if (value.size == 0 && setting->default_value[0] == '\0') {
		*(int64_t *)member = number;
		return true;
	}
	if (!text_to_i64(value, &number) || number < setting->min ||
	    number > setting->max) {
		log_line("%s must be a number from %lld to %lld, not \"%.*s\"",
		    setting->name, (long long)setting->min,
		    (long long)setting->max, TEXT_ARGS(value));
		return false;
	}
	*(int64_t *)member = number;
	return true;
}

static bool
set_line(struct config *config, struct text line)
{
	struct text name;

	text_cut(&line, '=', &name);
	name = text_trim(name);
	for (size_t i = 0; i < SETTINGS; i++)
		if (text_equal(text_of(settings[i].name), name))
			return set_value(config, &settings[i], text_trim(line));
	if (!text_equal(name, TEXT("TALLY_CONFIG")))
		log_line("warning: unknown setting %.*s", TEXT_ARGS(name));
	return true;
}

static bool
read_environment(struct config *config)
{
	bool good = true;

	for (char **variable = environ; *variable != NULL; variable++)
		if (text_starts(text_of(*variable), TEXT("TALLY_")))
			good = set_line(config, text_of(*variable)) && good;
	return good;
}

/* The folder of templates, static and nginx: in the source tree if the program is there,
 * otherwise where it was installed. */
static struct text
find_share(struct arena *arena)
{
	static const char *const places[] = { "..", "../share/tally", "../..",
		"../../share/tally" };
	char program[PATH_MAX], share[PATH_MAX];
	ssize_t size = readlink("/proc/self/exe", program, sizeof(program));

	while (size > 0 && program[size - 1] != '/')
		size--;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct text place = text_format(arena, "%.*s%s",
		    size < 0 ? 0 : (int)size, program, places[i]);
		struct text template =
		    text_join(arena, place, TEXT("/templates/layout.mustache"));

		if (access(text_string(arena, template), R_OK) == 0 &&
		    realpath(text_string(arena, place), share) != NULL)
			return text_copy(arena, text_of(share));
	}
	return TEXT("/usr/share/tally");
}

/* Resolves a path relative to the directory in which the program was started; when it reads
 * settings again, `tally up` has changed into the site's folder. */
static struct text
absolute_path(struct arena *arena, struct text path)
{
	static char start[PATH_MAX];

	if (start[0] == '\0' && getcwd(start, sizeof(start)) == NULL)
		log_fatal("cannot determine the working directory: %s",
		    strerror(errno));
	if (text_starts(path, TEXT("/")))
		return path;
	return text_format(arena, "%s/%.*s", start, TEXT_ARGS(path));
}

/* The absolute path of a file, or empty without one. */
static struct text
optional_path(struct arena *arena, struct text path)
{
	return path.size == 0 ? path : absolute_path(arena, path);
}

static bool
are_consistent(const struct rules *rules)
{
	if (rules->pinned_articles <= rules->pinned_places)
		return true;
	log_line("TALLY_PROMISE_ARTICLES is more than TALLY_PROMISE_PLACES: "
		 "%lld articles do not fit into %lld places",
	    (long long)rules->pinned_articles, (long long)rules->pinned_places);
	return false;
}

/* NULL, and logged, when the certificates of an encrypted Redis cannot be used. */
static struct redis *
open_redis(const struct config *config, const struct config_login *login)
{
	struct redis *redis =
	    redis_open(config->redis, login->user, login->password);
	struct arena arena = { 0 };
	struct text why;

	if (!redis_encrypt(redis, &arena, &config->tls, &why)) {
		log_line("TALLY_REDIS: %.*s", TEXT_ARGS(why));
		redis_close(redis);
		redis = NULL;
	}
	arena_free(&arena);
	return redis;
}

static bool
can_open_redis(const struct config *config)
{
	struct redis *redis =
	    config->redis.size == 0 ? NULL : open_redis(config, &config->web);

	if (redis != NULL)
		redis_close(redis);
	return redis != NULL || config->redis.size == 0;
}

/* A name in the folder of a socket. */
static struct text
beside(struct arena *arena, struct text socket, struct text name)
{
	size_t folder = socket.size;

	while (folder > 0 && socket.data[folder - 1] != '/')
		folder--;
	return text_join(arena, text_slice(socket, 0, folder), name);
}

struct text
config_metrics_address(
    struct arena *arena, const struct config *config, struct text socket)
{
	return config->metrics.size > 0
	    ? config->metrics
	    : beside(arena, socket, TEXT("metrics.sock"));
}

struct text
config_search_socket(struct arena *arena, struct text socket)
{
	return beside(arena, socket, TEXT("search.sock"));
}

struct config
config_defaults(void)
{
	struct config config = { .port = 0 };

	for (size_t i = 0; i < SETTINGS; i++)
		set_value(
		    &config, &settings[i], text_of(settings[i].default_value));
	return config;
}

/* The file of settings; NULL if there is none. */
static const char *
find_config_file(struct arena *arena, enum config_source source)
{
	const char *named = getenv("TALLY_CONFIG");

	if (named != NULL)
		return text_string(arena, absolute_path(arena, text_of(named)));
	if (source == CONFIG_SERVICE &&
	    (access(SERVICE_FILE, F_OK) == 0 || errno != ENOENT))
		return SERVICE_FILE;
	return NULL;
}

/* The Redis of tally-redis.service and its generated passwords, where no setting says
 * otherwise. */
static bool
use_service_redis(struct arena *arena, struct config *config)
{
	struct config generated = config_defaults();

	if (!config_file_read(arena, SERVICE_LOGINS, set_line, &generated))
		return false;
	config->redis = TEXT(SERVICE_REDIS);
	if (config->web.password.size == 0)
		config->web = generated.web;
	if (config->admin.password.size == 0)
		config->admin = generated.admin;
	else
		text_wipe(generated.admin.password);
	return true;
}

static void
derive_settings(struct arena *arena, struct config *config)
{
	if (config->share.size == 0) {
		privileges_raise();
		config->share = find_share(arena);
		privileges_lower();
	}
	config->share = absolute_path(arena, config->share);
	config->overrides = optional_path(arena, config->overrides);
	config->passwords = optional_path(arena, config->passwords);
	if (config->admin.password.size == 0)
		config->admin = config->web;
	if (config->workers == 0)
		config->workers = sysconf(_SC_NPROCESSORS_ONLN);
	config->tls.authority = optional_path(arena, config->tls.authority);
	config->tls.certificate = optional_path(arena, config->tls.certificate);
	config->tls.key = optional_path(arena, config->tls.key);
}

bool
config_read(
    struct arena *arena, struct config *config, enum config_source source)
{
	const char *file = find_config_file(arena, source);
	bool good = true;

	*config = config_defaults();
	config->source = source;
	if (file != NULL)
		good = config_file_read(arena, file, set_line, config);
	good = read_environment(config) && good;
	if (good && source == CONFIG_SERVICE && config->redis.size == 0 &&
	    file != NULL && strcmp(file, SERVICE_FILE) == 0)
		good = use_service_redis(arena, config);
	derive_settings(arena, config);
	return are_consistent(&config->rules) && good && can_open_redis(config);
}

struct redis *
config_open_redis(const struct config *config, const struct config_login *login)
{
	struct redis *redis = open_redis(config, login);

	if (redis == NULL) /* the certificates changed since config_read */
		exit(1);
	redis_set_replicas(redis,
	    config->replicas == UNSET ? REPLICAS_DEFAULT : config->replicas);
	return redis;
}

void
config_wipe_admin(struct config *config)
{
	/* The only copy; it may be in the environment. */
	if (config->admin.password.data != config->web.password.data)
		text_wipe(config->admin.password);
	config->admin = (struct config_login){ .user = TEXT("") };
}

void
config_print(FILE *out)
{
	fprintf(out,
	    "Settings, from the environment or, where it has none, from the "
	    "file that\nTALLY_CONFIG names [of the service: " SERVICE_FILE
	    "]:\n\n");
	for (size_t i = 0; i < SETTINGS; i++)
		fprintf(out, "  %-24s %s [%s]\n", settings[i].name,
		    settings[i].meaning, settings[i].default_value);
}
