#include "views/mod_hosts.h"

#include "views/format.h"

struct mod_hosts_model
mod_hosts_model_of(struct arena *arena, struct text hosts)
{
	return (struct mod_hosts_model){ .hosts = format_names(arena, hosts),
		.empty = hosts.size == 0 };
}
