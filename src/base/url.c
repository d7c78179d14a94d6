#include "base/url.h"

#include <string.h>
#include <uriparser/Uri.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/idn.h"

static const char hex_digits[] = "0123456789ABCDEF";

static void
add_encoded(struct buffer *out, char c)
{
	buffer_add_char(out, '%');
	buffer_add_char(out, hex_digits[(unsigned char)c >> 4]);
	buffer_add_char(out, hex_digits[(unsigned char)c & 15]);
}

static bool
is_unreserved(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	    (c >= 'A' && c <= 'Z') || (c != '\0' && strchr("-._~", c) != NULL);
}

/* A '%' that does not begin an escape; browsers let it stand, RFC 3986 not. */
static bool
is_stray_percent(struct text rest)
{
	return rest.data[0] == '%' &&
	    (rest.size < 3 || text_hex_digit(rest.data[1]) < 0 ||
		text_hex_digit(rest.data[2]) < 0);
}

/* Everything that RFC 3986 has no place for in path, query and fragment. */
static struct text
encode_stray(struct arena *arena, struct text link)
{
	struct buffer out = buffer_in(arena, link.size + 16);
	bool in_fragment = false;

	for (size_t i = 0; i < link.size; i++) {
		char c = link.data[i];
		struct text rest = text_slice(link, i, link.size);

		if ((c == '#' && in_fragment) || is_stray_percent(rest) ||
		    (c != '%' && !is_unreserved(c) &&
			(c == '\0' || strchr(":/?#@!$&'()*+,;=", c) == NULL)))
			add_encoded(&out, c);
		else
			buffer_add_char(&out, c);
		in_fragment = in_fragment || c == '#';
	}
	return buffer_text(&out);
}

/* Where the host ends: at the first of "/?#" behind "scheme://", or at the
 * end. */
static size_t
authority_end(struct text link, size_t start)
{
	while (start < link.size && link.data[start] != '/' &&
	    link.data[start] != '?' && link.data[start] != '#')
		start++;
	return start;
}

static bool
split(struct text link, struct text *scheme, struct text *authority,
    struct text *rest)
{
	const char *found =
	    link.size == 0 ? NULL : memmem(link.data, link.size, "://", 3);
	size_t start, end;

	if (found == NULL)
		return false;
	start = (size_t)(found - link.data) + 3;
	end = authority_end(link, start);
	*scheme = text_slice(link, 0, start - 3);
	*authority = text_slice(link, start, end - start);
	*rest = text_slice(link, end, link.size);
	return true;
}

static bool
is_uri(struct arena *arena, struct text link)
{
	const char *string = text_string(arena, link), *error;
	UriUriA uri;
	bool good;

	if (strlen(string) != link.size ||
	    uriParseSingleUriA(&uri, string, &error) != URI_SUCCESS)
		return false;
	good = uri.hostText.first != NULL &&
	    uri.hostText.first < uri.hostText.afterLast;
	uriFreeUriMembersA(&uri);
	return good;
}

/* What follows the host: nothing, or ':' and a number, which may be missing. */
static bool
is_port(struct text port)
{
	uint64_t number;

	if (port.size == 0)
		return true;
	if (port.data[0] != ':')
		return false;
	port = text_slice(port, 1, port.size);
	return port.size == 0 || (text_to_u64(port, &number) && number < 65536);
}

/* Of a byte that is no ASCII. */
static bool
is_foreign_escape(struct text rest)
{
	return rest.data[0] == '%' && !is_stray_percent(rest) &&
	    text_hex_digit(rest.data[1]) >= 8;
}

/* An IPv6 address has colons of its own, in brackets. */
static bool
split_port(struct text authority, struct text *host, struct text *port)
{
	struct text rest = authority;
	bool is_address = text_starts(authority, TEXT("["));

	if (!text_cut(&rest, is_address ? ']' : ':', host))
		return false;
	*host = text_slice(authority, 0, host->size + (is_address ? 1 : 0));
	*port = text_slice(authority, host->size, authority.size);
	return host->size > 0;
}

/* False at what no host has, escapes of ASCII included. */
static bool
decode_host(struct arena *arena, struct text host, struct text *decoded)
{
	struct buffer out = buffer_in(arena, host.size);

	for (size_t i = 0; i < host.size; i++) {
		char c = host.data[i];

		if (is_foreign_escape(text_slice(host, i, host.size))) {
			c = (char)(text_hex_digit(host.data[i + 1]) * 16 +
			    text_hex_digit(host.data[i + 2]));
			i += 2;
		} else if ((unsigned char)c < 0x80 && !is_unreserved(c))
			return false;
		buffer_add_char(&out, c);
	}
	*decoded = buffer_text(&out);
	return true;
}

static bool
is_ascii(struct text text)
{
	for (size_t i = 0; i < text.size; i++)
		if ((unsigned char)text.data[i] >= 0x80)
			return false;
	return true;
}

/*
 * Into ASCII. uriparser takes any reg-name, RFC 3986 being generous; a host
 * that people can reach has no escapes of ASCII in it.
 */
static bool
encode_host(struct arena *arena, struct text *host)
{
	struct text decoded, encoded;

	if (host->data[0] == '[')
		return true; /* uriparser knows the addresses. */
	if (host->data[0] == '.' || host->data[0] == '-' ||
	    !decode_host(arena, *host, &decoded))
		return false;
	if (!idn_encode(arena, decoded, &encoded))
		return is_ascii(*host);
	*host = encoded;
	return true;
}

enum url_verdict
url_check(struct arena *arena, struct text link, struct text *encoded)
{
	struct text scheme, authority, host, port, rest;

	*encoded = link;
	if (!split(link, &scheme, &authority, &rest)) {
		struct text before;

		/* "javascript:..." and "mailto:..." are links of some sort. */
		return text_cut(&link, ':', &before) && link.data != NULL
		    ? URL_OTHER_SCHEME
		    : URL_MALFORMED;
	}
	scheme = text_lower(arena, scheme);
	if (!text_equal(scheme, TEXT("http")) &&
	    !text_equal(scheme, TEXT("https")))
		return URL_OTHER_SCHEME;
	if (authority.size > 0 &&
	    memchr(authority.data, '@', authority.size) != NULL)
		return URL_WITH_USER_INFO;
	if (!split_port(authority, &host, &port) || !is_port(port) ||
	    !encode_host(arena, &host))
		return URL_MALFORMED;
	host = text_lower(arena, host);
	*encoded = text_format(arena, "%.*s://%.*s%.*s%.*s", TEXT_ARGS(scheme),
	    TEXT_ARGS(host), TEXT_ARGS(port),
	    TEXT_ARGS(encode_stray(arena, rest)));
	return is_uri(arena, *encoded) ? URL_GOOD : URL_MALFORMED;
}

struct text
url_host(struct arena *arena, struct text link)
{
	struct text scheme, authority, rest, host = { NULL, 0 }, port;

	if (!split(link, &scheme, &authority, &rest) ||
	    !split_port(authority, &host, &port))
		return host;
	host = text_lower(arena, host);
	if (text_starts(host, TEXT("www.")))
		host = text_slice(host, 4, host.size);
	return text_join(arena, idn_show(arena, host), port);
}

bool
url_is_local_path(struct text path)
{
	if (path.size == 0 || path.size > URL_LOCAL_MAX || path.data[0] != '/')
		return false;
	if (path.size > 1 && (path.data[1] == '/' || path.data[1] == '\\'))
		return false;
	for (size_t i = 0; i < path.size; i++)
		if (path.data[i] <= ' ' || path.data[i] > '~')
			return false;
	return true;
}

struct text
url_encode(struct arena *arena, struct text text)
{
	struct buffer out = buffer_in(arena, text.size * 3);

	for (size_t i = 0; i < text.size; i++) {
		if (is_unreserved(text.data[i]))
			buffer_add_char(&out, text.data[i]);
		else
			add_encoded(&out, text.data[i]);
	}
	return buffer_text(&out);
}
