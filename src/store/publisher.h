/*
 * Publishers: where linked articles are from. The publisher of a link is the registrable
 * domain of its host (base/domain.h), "example.org". On a host that the owners list as shared
 * by many (settings.shared_hosts) it is the host with the first part of the path,
 * "github.com/ann", or the host alone if there is no such part.
 *
 * A publisher is in ASCII and in lower case, a part with characters that paths do not have is
 * percent-encoded, and a part longer than PUBLISHER_PART_MAX is none. The article's hash has
 * it, as "from"; an article from "github.com/ann" is in the list of that and in that of
 * "github.com".
 */
#pragma once

#include "store/function_call.h"

enum {
	PUBLISHER_PART_MAX = 64, /* bytes, before they are encoded */
	PUBLISHER_MAX = 512
};

/* Empty for an empty link. A link is as rule_link leaves it, shared_hosts are words. */
struct text publisher_of(
    struct arena *arena, struct text link, struct text shared_hosts);

/* The publisher that a path "/from/HOST" or "/from/HOST/PART" names, in any spelling; part may
 * be empty. False if there can be no such host. */
bool publisher_parse(struct arena *arena, struct text host, struct text part,
    struct text shared_hosts, struct text *publisher);

/* Its path, as request->path has it, and the same for a link. */
struct text publisher_path(struct arena *arena, struct text publisher);
struct text publisher_href(struct arena *arena, struct text publisher);

/* The publisher as readers see it: its host by idn_display. */
struct text publisher_display(struct arena *arena, struct text publisher);

/* Whether a text has the form of one, as a dump may name it. */
bool publisher_is_valid(struct text publisher);

/* Whether it is a part of a shared host. */
bool publisher_is_part(struct text publisher);

/* Adds it to the fields that a function writes into the hash of a new article. */
void publisher_add(
    struct call *call, struct text link, struct text shared_hosts);
