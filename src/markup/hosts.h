/*
 * A set of blocked hosts, each with all its subdomains.
 *
 * Names are hashed from the end, so that "a.b.example" and all its parent domains are
 * looked up in one pass: a text may have 1,000 links, and a site block 1,000 hosts.
 */
#pragma once

#include "base/text.h"

struct hosts;

/* Makes a set from words, each as url_host_name returns it. */
const struct hosts *hosts_new(struct arena *arena, struct text words);

/* Whether the host of a URL_VALID link is blocked; sets *host to it. NULL is an empty
 * set. */
bool hosts_contain(struct arena *arena, const struct hosts *hosts,
    struct text link, struct text *host);
