/*
 * Registrable domains: the part of a host name that one owner has, "example.co.uk" of
 * "blog.example.co.uk" and "ann.github.io" of itself, by the public suffix list
 * (https://publicsuffix.org). The list is part of libpsl, so no file is opened.
 */
#pragma once

#include "base/text.h"

/* The registrable domain of a host in ASCII and in lower case, without a final dot. The host
 * itself if it has none: it is an address, a name without a dot, a public suffix, or no name of
 * DNS. */
struct text domain_registrable(struct arena *arena, struct text host);

/* When the list was made, Unix seconds. */
int64_t domain_list_time(void);
