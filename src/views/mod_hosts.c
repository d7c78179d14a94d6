#include "views/mod_hosts.h"

#include "views/format.h"

static const struct mustache_type input_type =
    VIEW_TYPE(struct host_inputs, HOSTS_INPUTS(FORM_SHOWN));

static const struct mustache_type type = VIEW_TYPE(struct hosts_model,
    MUSTACHE_ITEMS(struct hosts_model, hosts, &format_name_type),
    MUSTACHE_PLAIN(struct hosts_model, empty),
    MUSTACHE_STRUCT(struct hosts_model, form, &form_type),
    MUSTACHE_STRUCT(struct hosts_model, inputs, &input_type));

const struct view hosts_view = { "hosts", &type };

struct hosts_model
hosts_model_of(struct arena *arena, struct text hosts)
{
	return (struct hosts_model){ .hosts = format_names(arena, hosts),
		.empty = hosts.size == 0 };
}
