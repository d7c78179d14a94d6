#include "server/owner_link.h"

#include <stdio.h>

#include "store/one_time_link.h"
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

STORE_CALL
owner_link_print(
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
	if (result != STORE_OK)
		return result;
	printf("The site has no owner. To become its owner, follow this link "
	       "within an hour:\n%.*s/link/%.*s\n",
	    TEXT_ARGS(base_of(arena, config)), TEXT_ARGS(code));
	if (config->source == CONFIG_SERVICE && config->origin.size == 0)
		printf("TALLY_ORIGIN is not set: the link works on this "
		       "machine alone, once nginx serves the site.\n");
	fflush(stdout);
	return STORE_OK;
}
