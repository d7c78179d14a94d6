#include "markup/href.h"

#include <strings.h>

#include "base/url.h"

/* Checking a URL takes 0.5 microseconds or more, depending on the length; with an
 * international host 0.5 microseconds a byte. */
enum {
	ADDRESS_MAX = 2000,
	LINKS_MAX = 1000,
	BYTES_MAX = 40000,
	INTERNATIONAL_BYTES_MAX = 4000
};

struct href_budget
href_budget_of(size_t size)
{
	return (struct href_budget){ .links = LINKS_MAX,
		.bytes = 2 * size < BYTES_MAX ? 2 * size : BYTES_MAX,
		.international_bytes = INTERNATIONAL_BYTES_MAX };
}

/* Without this url_check would take a relative URL such as "readme.md" for a host. */
static bool
has_scheme(struct text address)
{
	return (address.size >= 7 &&
		   strncasecmp(address.data, "http://", 7) == 0) ||
	    (address.size >= 8 &&
		strncasecmp(address.data, "https://", 8) == 0);
}

/* Whether url_check needs libidn2: for all but ASCII hosts without "xn--". */
static bool
is_international(struct text address)
{
	size_t start = text_find(address, 0, TEXT("://")) + 3;

	for (size_t i = start; i < address.size; i++) {
		char c = address.data[i];

		if (c == '/' || c == '?' || c == '#')
			return false;
		if ((unsigned char)c >= 0x80 || c == '%' ||
		    (i + 4 <= address.size &&
			strncasecmp(address.data + i, "xn--", 4) == 0))
			return true;
	}
	return false;
}

static bool
spend(size_t *budget, size_t size)
{
	if (*budget < size)
		return false;
	*budget -= size;
	return true;
}

static bool
is_blocked(struct arena *arena, struct href_blocked *blocked, struct text href)
{
	struct text host;

	if (!hosts_contain(arena, blocked->hosts, href, &host))
		return false;
	if (blocked->first.size == 0)
		blocked->first = host;
	return true;
}

bool
href_check(struct arena *arena, struct href_budget *budget,
    struct href_blocked *blocked, struct text address, struct text *href)
{
	return address.size <= ADDRESS_MAX && has_scheme(address) &&
	    spend(&budget->links, 1) && spend(&budget->bytes, address.size) &&
	    (!is_international(address) ||
		spend(&budget->international_bytes, address.size)) &&
	    url_check(arena, address, href) == URL_VALID &&
	    !is_blocked(arena, blocked, *href);
}
