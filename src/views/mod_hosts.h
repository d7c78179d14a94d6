/*
 * Blocked sites: hosts to which no link is accepted.
 */
#pragma once

#include "store/rules.h"
#include "views/form.h"

#define MOD_HOSTS_INPUTS(ROW) \
	ROW(struct mod_hosts_form, host, rule_host, RULE_LINK_MAX, \
	    FORM_REQUIRED) \
	ROW(struct mod_hosts_form, reason, rule_reason, RULE_REASON_MAX, \
	    FORM_OPTIONAL)

struct mod_hosts_form {
	MOD_HOSTS_INPUTS(FORM_MEMBER)
};

struct mod_hosts_row {
	struct text path, title;
};

struct mod_hosts_model {
	LIST(struct text) hosts;
	bool empty;
	/* The articles from the form's host that are open: "12 articles"; empty: none, or no
	 * host. */
	struct text articles;
	struct text before; /* up to where the form has got; or empty */
	/* Those up to there that stay, since the viewer may not remove them. */
	bool has_passed;
	LIST(struct mod_hosts_row) passed;
	bool removes; /* the form removes them as well */
	struct form_model form;
	struct mod_hosts_form inputs;
};

/* hosts are words; without the form. */
struct mod_hosts_model mod_hosts_model_of(
    struct arena *arena, struct text hosts);
