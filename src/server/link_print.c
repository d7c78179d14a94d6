#include "server/link_print.h"

#include <stdio.h>

#include "store/user.h"

static struct text
base_of(struct arena *arena, const struct config *config)
{
	if (config->origin.size > 0)
		return config->origin;
	if (config->source == CONFIG_SERVICE)
		return TEXT("http://localhost");
	return text_format(
	    arena, "http://localhost:%lld", (long long)config->port);
}

/* Prints a link after what it is for. */
static void
print_link(struct arena *arena, const struct config *config, struct text what,
    struct text code)
{
	printf("%.*s\n%.*s/link/%.*s\n", TEXT_ARGS(what),
	    TEXT_ARGS(base_of(arena, config)), TEXT_ARGS(code));
	if (config->source == CONFIG_SERVICE && config->origin.size == 0)
		printf("TALLY_ORIGIN is not set: the link works on this "
		       "machine alone, once nginx serves the site.\n");
	fflush(stdout);
}

STORE_CALL
link_print_owner(
    struct store *store, struct arena *arena, const struct config *config)
{
	enum store_result result;
	struct text code;
	uint64_t *ids;
	size_t count;

	result = user_owners(store, arena, &ids, &count);
	if (result == STORE_OK && count > 0)
		return STORE_TAKEN;
	if (result == STORE_OK)
		result = one_time_link_make_owner(store, arena, &code);
	if (result == STORE_OK)
		print_link(arena, config,
		    TEXT("The site has no owner. To become its owner, follow "
			 "this link within an hour:"),
		    code);
	return result;
}

STORE_CALL
link_print_recovery(struct store *store, struct arena *arena,
    const struct config *config, const struct user *user,
    enum one_time_link_factor factor)
{
	struct text code;
	enum store_result result = account_make_link(
	    store, arena, user, factor, (struct mod_action){ .id = 0 }, &code);

	if (result == STORE_OK)
		print_link(arena, config,
		    text_format(arena,
			"With this link %.*s can choose a new password, once, "
			"within a day:",
			TEXT_ARGS(user->name)),
		    code);
	return result;
}
