#include "cli/setup.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "redis/redis.h"
#include "server/config.h"
#include "store/site.h"
#include "store/user.h"

/* The link that systemd makes when it enables a unit. */
#define WANTED_BY(target, unit) \
	"/etc/systemd/system/" target ".target.wants/" unit

#define ENABLED "/etc/nginx/sites-enabled"
#define HTTP	"/etc/nginx/sites-available/tally"
#define HTTPS	"/etc/nginx/sites-available/tally-https"

/* For a Redis that is down or loads its data: setup says so, and does not wait. */
enum { TIMEOUT_MS = 2000 };

/* What was found on the machine. */
struct machine {
	struct text origin;
	const char *nginx_site; /* HTTP or HTTPS; NULL: neither is linked */
	bool is_enabled, has_site, has_owner, has_name;
};

/* A sentence of what should be, and the commands for it. */
struct step {
	bool (*is_done)(const struct machine *machine);
	const char *sentence, *commands;
};

static bool
is_enabled(const struct machine *machine)
{
	return machine->is_enabled;
}

static bool
has_site(const struct machine *machine)
{
	return machine->has_site;
}

static bool
has_name(const struct machine *machine)
{
	return machine->has_name;
}

static bool
is_served(const struct machine *machine)
{
	return machine->nginx_site != NULL;
}

static bool
has_origin(const struct machine *machine)
{
	return machine->origin.size > 0;
}

static bool
has_https(const struct machine *machine)
{
	return machine->nginx_site != NULL &&
	    strcmp(machine->nginx_site, HTTPS) == 0;
}

static bool
has_owner(const struct machine *machine)
{
	return machine->has_owner;
}

/* In the order in which they are done. */
static const struct step steps[] = {
	{ is_enabled, "The service starts with the machine.",
	    "systemctl enable --now tally-redis tally.socket tally "
	    "tally-backup.timer" },
	{ has_site, "Redis answers, and has the site.",
	    "systemctl restart tally-redis tally\n"
	    "journalctl -u tally-redis -u tally" },
	{ has_name, "The site's name is in nginx's files.",
	    "sed -i s/example.org/NAME/ " HTTP "*" },
	{ is_served, "nginx serves the site.",
	    "ln -s ../sites-available/tally " ENABLED "/\n"
	    "systemctl reload nginx" },
	{ has_https, "nginx serves it over https, unless a proxy does.",
	    "apt install certbot\n"
	    "certbot certonly --webroot -w /var/www/html -d NAME \\\n"
	    "    --deploy-hook 'systemctl reload nginx'\n"
	    "ln -sf ../sites-available/tally-https " ENABLED "/tally\n"
	    "systemctl reload nginx" },
	{ has_origin, "TALLY_ORIGIN is the site's address.",
	    "echo TALLY_ORIGIN=https://NAME >>/etc/tally/tally.conf\n"
	    "systemctl reload tally" },
	{ has_owner, "The site has an owner.", "tally user owner-link" },
};

/* The file of the site to which a link in sites-enabled leads, whatever its name. */
static const char *
find_nginx_site(void)
{
	DIR *folder = opendir(ENABLED);
	const char *found = NULL;
	const struct dirent *entry;

	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		char path[sizeof(ENABLED) + NAME_MAX + 1], target[PATH_MAX];

		snprintf(path, sizeof(path), ENABLED "/%s", entry->d_name);
		if (realpath(path, target) == NULL)
			continue;
		if (strcmp(target, HTTP) == 0)
			found = HTTP;
		else if (strcmp(target, HTTPS) == 0)
			found = HTTPS;
	}
	if (folder != NULL)
		closedir(folder);
	return found;
}

/* Also for a link that leads nowhere. */
static bool
exists(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0;
}

static bool
is_named(struct arena *arena, const char *path)
{
	struct text content;
	int file = file_open(AT_FDCWD, path);

	return file >= 0 && file_read(arena, file, &content) &&
	    text_find(content, 0, TEXT("example.org")) == SIZE_MAX;
}

/* Finds out whether Redis has the site and an owner; neither if it does not answer. */
static void
ask_redis(
    struct arena *arena, const struct config *config, struct machine *machine)
{
	struct store store = { .rules = config->rules };
	size_t owners = 0;
	uint64_t *ids;

	store.redis = config_open_redis(config, &config->admin);
	redis_be_quiet(store.redis);
	redis_set_timeout(store.redis, TIMEOUT_MS);
	if (site_exists(&store, arena, &machine->has_site) == STORE_OK &&
	    machine->has_site &&
	    user_owners(&store, arena, &ids, &owners) == STORE_OK)
		machine->has_owner = owners > 0;
	redis_close(store.redis);
}

static struct machine
examine(struct arena *arena, const struct config *config)
{
	struct machine machine = {
		.origin = config->origin,
		.nginx_site = find_nginx_site(),
	};

	machine.is_enabled = exists(WANTED_BY("multi-user", "tally.service")) &&
	    exists(WANTED_BY("sockets", "tally.socket"));
	machine.has_name = is_named(
	    arena, machine.nginx_site == NULL ? HTTP : machine.nginx_site);
	ask_redis(arena, config, &machine);
	return machine;
}

static void
print_commands(const char *commands)
{
	struct text rest = text_of(commands), line;

	while (text_cut(&rest, '\n', &line))
		printf("          %.*s\n", TEXT_ARGS(line));
}

/* Returns how many are left. */
static int
print_steps(const struct machine *machine)
{
	int left = 0;

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		bool is_done = steps[i].is_done(machine);

		printf("[%c] %s\n", is_done ? 'x' : ' ', steps[i].sentence);
		if (is_done)
			continue;
		left++;
		print_commands(steps[i].commands);
	}
	return left;
}

int
setup(const struct command_line *line)
{
	struct arena arena = { 0 };
	struct machine machine;
	struct config config;
	int left = 1;

	(void)line;
	if (!config_read(&arena, &config, CONFIG_SERVICE)) {
		arena_free(&arena);
		return 1;
	}
	if (config.redis.size == 0) {
		log_line("there is no service on this machine: no "
			 "/etc/tally/tally.conf");
	} else {
		machine = examine(&arena, &config);
		left = print_steps(&machine);
	}
	arena_free(&arena);
	return left > 0;
}
