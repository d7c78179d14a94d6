#include "views/mod_hosts.h"

#include "views/format.h"

static const struct mustache_type input_type =
    VIEW_TYPE(struct mod_hosts_form, MOD_HOSTS_INPUTS(FORM_SHOWN));

static const struct mustache_type type = VIEW_TYPE(struct mod_hosts_model,
    MUSTACHE_ITEMS(struct mod_hosts_model, hosts, &format_name_type),
    MUSTACHE_PLAIN(struct mod_hosts_model, empty),
    MUSTACHE_STRUCT(struct mod_hosts_model, form, &form_type),
    MUSTACHE_STRUCT(struct mod_hosts_model, inputs, &input_type));

const struct view mod_hosts_view = { "hosts", &type };

struct mod_hosts_model
mod_hosts_model_of(struct arena *arena, struct text hosts)
{
	return (struct mod_hosts_model){ .hosts = format_names(arena, hosts),
		.empty = hosts.size == 0 };
}
