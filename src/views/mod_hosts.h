/*
 * Hosts whose links the site refuses.
 */
#pragma once

#include "store/rules.h"
#include "views/form.h"

#define HOSTS_INPUTS(ROW) \
	ROW(struct host_inputs, host, rule_host, RULE_LINK_MAX, FORM_REQUIRED) \
	ROW(struct host_inputs, reason, rule_reason, RULE_REASON_MAX, \
	    FORM_OPTIONAL)

struct host_inputs {
	HOSTS_INPUTS(FORM_MEMBER)
};

struct hosts_model {
	struct mustache_list hosts; /* struct text */
	bool empty;
	struct form_model form;
	struct host_inputs inputs;
};

extern const struct view hosts_view;

/* hosts are words; without the form. */
struct hosts_model hosts_model_of(struct arena *arena, struct text hosts);
