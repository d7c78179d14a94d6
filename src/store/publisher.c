#include "store/publisher.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/domain.h"
#include "base/idn.h"
#include "base/url.h"
#include "base/utf8.h"

/* Percent-encodes all but letters, digits, "-._~" and some characters. */
static struct text
encode_but(struct arena *arena, struct text text, const char *usual)
{
	struct buffer out = buffer_in(arena, text.size);

	for (size_t i = 0; i < text.size; i++) {
		struct text byte = text_slice(text, i, 1);
		bool is_usual =
		    byte.data[0] != '\0' && strchr(usual, byte.data[0]) != NULL;

		buffer_add(&out, is_usual ? byte : url_encode(arena, byte));
	}
	return buffer_text(&out);
}

/* False for what is not one part of a path, and for one that no person has as a name. */
static bool
is_part(struct text part)
{
	if (part.size == 0 || part.size > PUBLISHER_PART_MAX ||
	    text_equal(part, TEXT(".")) || text_equal(part, TEXT("..")) ||
	    !utf8_valid(part))
		return false;
	for (size_t i = 0; i < part.size; i++)
		if ((unsigned char)part.data[i] < ' ' ||
		    part.data[i] == '\x7f' || part.data[i] == '/')
			return false;
	return true;
}

/* As most links have it. */
static struct text
encode_part(struct arena *arena, struct text part)
{
	return encode_but(arena, text_lower(arena, part), "@!$&'()*+,;=:");
}

struct text
publisher_of(struct arena *arena, struct text link, struct text shared_hosts)
{
	struct text host = url_ascii_host(arena, link), part;

	if (host.size == 0)
		return host;
	if (shared_hosts.size == 0 ||
	    !text_has_word(shared_hosts, url_host_name(arena, link)))
		return domain_registrable(arena, host);
	host = url_without_www(host);
	part = url_first_part(arena, link);
	return is_part(part) ? text_format(arena, "%.*s/%.*s", TEXT_ARGS(host),
				   TEXT_ARGS(encode_part(arena, part)))
			     : host;
}

bool
publisher_parse(struct arena *arena, struct text host, struct text part,
    struct text shared_hosts, struct text *publisher)
{
	struct text link;

	/* An address in brackets may have what a name does not. */
	link = text_format(arena, "http://%.*s/%.*s",
	    TEXT_ARGS(encode_but(arena, host,
		text_starts(host, TEXT("[")) ? "[]:!$&'()*+,;=" : ":")),
	    TEXT_ARGS(url_encode(arena, part)));
	if (url_check(arena, link, &link) != URL_VALID)
		return false;
	*publisher = publisher_of(arena, link, shared_hosts);
	return true;
}

struct text
publisher_path(struct arena *arena, struct text publisher)
{
	return text_join(arena, TEXT("/from/"), url_unescape(arena, publisher));
}

struct text
publisher_href(struct arena *arena, struct text publisher)
{
	return text_join(arena, TEXT("/from/"),
	    text_starts(publisher, TEXT("[")) ? url_encode(arena, publisher)
					      : publisher);
}

bool
publisher_is_valid(struct text publisher)
{
	for (size_t i = 0; i < publisher.size; i++) {
		char c = publisher.data[i];

		if (c <= ' ' || c > '~' || (c >= 'A' && c <= 'Z'))
			return false;
	}
	return publisher.size > 0 && publisher.size <= PUBLISHER_MAX;
}

bool
publisher_is_part(struct text publisher)
{
	return text_find(publisher, 0, TEXT("/")) != SIZE_MAX;
}

struct text
publisher_display(struct arena *arena, struct text publisher)
{
	struct text host, part = publisher;

	text_cut(&part, '/', &host);
	host = idn_display(arena, host);
	return part.data == NULL
	    ? host
	    : text_format(arena, "%.*s/%.*s", TEXT_ARGS(host), TEXT_ARGS(part));
}

void
publisher_add(struct call *call, struct text link, struct text shared_hosts)
{
	struct text publisher = publisher_of(call->arena, link, shared_hosts);

	if (publisher.size > 0)
		call_add(call, TEXT("from"), publisher);
}
