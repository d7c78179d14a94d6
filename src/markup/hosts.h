/*
 * Hosts to which no link leads: names, each of which stands for those below it as well.
 *
 * They are hashed from their ends, so that of "a.b.example" all that it is below is
 * looked up in one pass: a text may have 1,000 links, and a site refuse 1,000 hosts.
 */
#pragma once

#include "base/text.h"

struct hosts;

/* From words, each in the form that url_host_name gives. */
const struct hosts *hosts_new(struct arena *arena, struct text words);

/* Whether the host of a URL_VALID link, which is set, is one of them or below one; hosts NULL: there
 * are none. */
bool hosts_contain(struct arena *arena, const struct hosts *hosts,
    struct text link, struct text *host);
