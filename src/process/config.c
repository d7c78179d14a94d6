#include "process/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/log.h"

enum setting_kind { NUMBER, STRING };

struct setting {
	const char *name;
	enum setting_kind kind;
	size_t offset;
	int64_t usual, least, most; /* of a number */
	const char *usual_string;   /* of a string */
	const char *meaning;
};

#define AT(member) offsetof(struct config, member)

static const struct setting settings[] = {
	{ "TALLY_ADDRESS", STRING, AT(address), 0, 0, 0, "127.0.0.1",
	    "where `tally up` listens" },
	{ "TALLY_PORT", NUMBER, AT(port), 8080, 1, 65535, NULL, "its port" },
	{ "TALLY_CACHE", NUMBER, AT(cache), 1, 0, 1, NULL,
	    "1: its nginx keeps readers' pages for a second; 0: it does not" },
	{ "TALLY_FSYNC", STRING, AT(fsync), 0, 0, 0, "always",
	    "when its Redis writes to disk: always or everysec" },
	{ "TALLY_WORKERS", NUMBER, AT(workers), 0, 0, 256, NULL,
	    "worker processes; 0: one for each core" },
	{ "TALLY_SOCKET", STRING, AT(socket), 0, 0, 0, "/run/tally/tally.sock",
	    "the unix socket on which `tally serve` waits for nginx" },
	{ "TALLY_REDIS", STRING, AT(redis), 0, 0, 0, "",
	    "unix:/path or host:port of a Redis that is run otherwise" },
	{ "TALLY_REDIS_USER", STRING, AT(web.user), 0, 0, 0, "default",
	    "whom the workers log in to it as" },
	{ "TALLY_REDIS_PASSWORD", STRING, AT(web.password), 0, 0, 0, "",
	    "and with what; empty: no log-in" },
	{ "TALLY_REDIS_ADMIN_USER", STRING, AT(admin.user), 0, 0, 0, "admin",
	    "whom functions are loaded as" },
	{ "TALLY_REDIS_ADMIN_PASSWORD", STRING, AT(admin.password), 0, 0, 0, "",
	    "and with what; empty: as the workers" },
	{ "TALLY_ORIGIN", STRING, AT(origin), 0, 0, 0, "",
	    "the site's address, https://example.org; empty: as asked for" },
	{ "TALLY_SHARE", STRING, AT(share), 0, 0, 0, "",
	    "the folder of templates, static and nginx; empty: found" },
	{ "TALLY_BUCKETS", NUMBER, AT(rules.buckets), 0, 0, RULE_BUCKETS_MAX,
	    NULL, "buckets of the data, fixed when the site is created; 0: 1" },
	{ "TALLY_VOTE_SCORE", NUMBER, AT(rules.vote_score), 0, 0,
	    RULE_VOTE_SCORE_MAX, NULL,
	    "points of a vote, fixed likewise; 0: 432" },
	{ "TALLY_VOTE_WINDOW", NUMBER, AT(rules.vote_window), 604800, 1,
	    315360000, NULL, "seconds in which an article takes votes" },
	{ "TALLY_INTERESTING", NUMBER, AT(rules.interesting), 200, 1,
	    1000000000, NULL, "votes up that make an article interesting" },
	{ "TALLY_PAGE_SIZE", NUMBER, AT(rules.page_size), 25, 1, 100, NULL,
	    "articles on a page" },
	{ "TALLY_PROMISE_ARTICLES", NUMBER, AT(rules.promise_articles), 50, 0,
	    1000, NULL, "interesting articles that hold a front place" },
	{ "TALLY_PROMISE_PLACES", NUMBER, AT(rules.promise_places), 100, 0,
	    1000, NULL, "the front places among which they do" },
	{ "TALLY_PROMISE_SECONDS", NUMBER, AT(rules.promise_seconds), 86400, 0,
	    315360000, NULL, "how long they do" },
	{ "TALLY_SESSION_SECONDS", NUMBER, AT(rules.session_seconds), 2592000,
	    60, 315360000, NULL, "how long a log-in lasts" },
	{ "TALLY_SESSION_IDLE", NUMBER, AT(rules.session_idle), 1209600, 60,
	    315360000, NULL, "how long one lasts that is not used" },
	{ "TALLY_LIMIT_REGISTER", NUMBER, AT(rules.limits[LIMIT_REGISTER]), 60,
	    1, 1000000000, NULL,
	    "registrations an hour from an address, and of a name" },
	{ "TALLY_LIMIT_LOGIN", NUMBER, AT(rules.limits[LIMIT_LOGIN]), 60, 1,
	    1000000000, NULL,
	    "tries to log in an hour from an address, and to a name" },
	{ "TALLY_LIMIT_POST", NUMBER, AT(rules.limits[LIMIT_POST]), 100, 1,
	    1000000000, NULL, "articles that a member sends an hour" },
	{ "TALLY_LIMIT_VOTE", NUMBER, AT(rules.limits[LIMIT_VOTE]), 1000, 1,
	    1000000000, NULL, "votes of a member an hour" },
	{ "TALLY_LIMIT_GROUP", NUMBER, AT(rules.limits[LIMIT_GROUP]), 120, 1,
	    1000000000, NULL,
	    "times an hour that a member files articles or creates groups" },
};

enum { SETTINGS = sizeof(settings) / sizeof(settings[0]) };

static void *
member(struct config *config, const struct setting *setting)
{
	return (char *)config + setting->offset;
}

/* Returns whether the value was good; says so when not. */
static bool
set(struct arena *arena, struct config *config, const struct setting *setting,
    struct text value)
{
	int64_t number;

	if (setting->kind == STRING) {
		*(struct text *)member(config, setting) =
		    text_copy(arena, value);
		return true;
	}
	if (!text_to_i64(value, &number) || number < setting->least ||
	    number > setting->most) {
		log_line("%s is a number from %lld to %lld, not \"%.*s\"",
		    setting->name, (long long)setting->least,
		    (long long)setting->most, TEXT_ARGS(value));
		return false;
	}
	*(int64_t *)member(config, setting) = number;
	return true;
}

static const struct setting *
find(struct text name)
{
	for (size_t i = 0; i < SETTINGS; i++)
		if (text_equal(text_of(settings[i].name), name))
			return &settings[i];
	return NULL;
}

static bool
set_by_name(struct arena *arena, struct config *config, struct text line)
{
	struct text name;
	const struct setting *setting;

	text_cut(&line, '=', &name);
	name = text_trim(name);
	setting = find(name);
	if (setting != NULL)
		return set(arena, config, setting, text_trim(line));
	if (!text_equal(name, TEXT("TALLY_CONFIG")))
		log_line("warning: there is no setting %.*s", TEXT_ARGS(name));
	return true;
}

static bool
read_file(struct arena *arena, struct config *config, const char *path)
{
	FILE *file = fopen(path, "re");
	char line[4096];
	bool good = true;

	if (file == NULL) {
		log_line("%s cannot be read: %s", path, strerror(errno));
		return false;
	}
	while (fgets(line, sizeof(line), file) != NULL) {
		struct text text = text_trim(text_of(line));

		if (text.size > 0 && text.data[0] != '#')
			good = set_by_name(arena, config, text) && good;
	}
	fclose(file);
	return good;
}

static bool
read_environment(struct arena *arena, struct config *config)
{
	bool good = true;

	for (char **variable = environ; *variable != NULL; variable++)
		if (text_starts(text_of(*variable), TEXT("TALLY_")))
			good = set_by_name(arena, config, text_of(*variable)) &&
			    good;
	return good;
}

static bool
has_templates(struct arena *arena, struct text folder)
{
	return access(text_string(arena,
			  text_join(arena, folder,
			      TEXT("/templates/layout.mustache"))),
		   R_OK) == 0;
}

/* Beside the program when it runs from its source tree, else where
 * installed. */
static struct text
find_share(struct arena *arena)
{
	char path[4096];
	ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 1);
	struct text folder;

	for (int up = 0; up < 2 && size > 0; up++)
		while (size > 0 && path[--size] != '/')
			;
	for (int up = 0; up < 2 && size > 0; up++) {
		folder = (struct text){ path, (size_t)size };
		if (has_templates(arena, folder))
			return text_copy(arena, folder);
		folder = text_join(arena, folder, TEXT("/share/tally"));
		if (has_templates(arena, folder))
			return folder;
		while (size > 0 && path[--size] != '/')
			;
	}
	return TEXT("/usr/share/tally");
}

/* As browsers send it: a scheme, a host, perhaps a port, and nothing behind. */
static bool
is_origin(struct text origin)
{
	if (text_starts(origin, TEXT("https://")))
		origin = text_slice(origin, 8, origin.size);
	else if (text_starts(origin, TEXT("http://")))
		origin = text_slice(origin, 7, origin.size);
	else
		return false;
	return origin.size > 0 && memchr(origin.data, '/', origin.size) == NULL;
}

static bool
is_consistent(const struct config *config)
{
	const struct rules *rules = &config->rules;
	bool good = true;

	if (rules->promise_articles > rules->promise_places) {
		log_line("TALLY_PROMISE_ARTICLES is more than "
			 "TALLY_PROMISE_PLACES: %lld articles cannot hold "
			 "%lld places",
		    (long long)rules->promise_articles,
		    (long long)rules->promise_places);
		good = false;
	}
	if (!text_equal(config->fsync, TEXT("always")) &&
	    !text_equal(config->fsync, TEXT("everysec"))) {
		log_line("TALLY_FSYNC is always or everysec, not \"%.*s\"",
		    TEXT_ARGS(config->fsync));
		good = false;
	}
	if (config->origin.size > 0 && !is_origin(config->origin)) {
		log_line("TALLY_ORIGIN is a scheme and a host, "
			 "https://example.org, and not \"%.*s\"",
		    TEXT_ARGS(config->origin));
		good = false;
	}
	return good;
}

bool
config_read(struct arena *arena, struct config *config)
{
	const char *file = getenv("TALLY_CONFIG");
	bool good = true;

	*config = (struct config){ .port = 0 };
	for (size_t i = 0; i < SETTINGS; i++) {
		const struct setting *setting = &settings[i];

		if (setting->kind == NUMBER)
			*(int64_t *)member(config, setting) = setting->usual;
		else
			*(struct text *)member(config, setting) =
			    text_of(setting->usual_string);
	}
	if (file != NULL)
		good = read_file(arena, config, file);
	good = read_environment(arena, config) && good;
	if (config->share.size == 0)
		config->share = find_share(arena);
	if (config->admin.password.size == 0)
		config->admin = config->web;
	if (config->workers == 0)
		config->workers = sysconf(_SC_NPROCESSORS_ONLN);
	return is_consistent(config) && good;
}

void
config_forget_admin(struct config *config)
{
	char *variable = getenv("TALLY_REDIS_ADMIN_PASSWORD");

	if (variable != NULL)
		explicit_bzero(variable, strlen(variable));
	if (config->admin.password.data != config->web.password.data)
		text_forget(config->admin.password);
	config->admin = (struct config_login){ .user = TEXT("") };
}

void
config_print(FILE *out)
{
	fprintf(out,
	    "Settings, from the environment or the file that "
	    "TALLY_CONFIG names:\n\n");
	for (size_t i = 0; i < SETTINGS; i++) {
		const struct setting *setting = &settings[i];

		fprintf(out, "  %-24s %s", setting->name, setting->meaning);
		if (setting->kind == NUMBER)
			fprintf(out, " [%lld]\n", (long long)setting->usual);
		else
			fprintf(out, " [%s]\n", setting->usual_string);
	}
}
