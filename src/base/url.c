#include "base/url.h"

#include <string.h>
#include <strings.h>
#include <uriparser/Uri.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/idn.h"

/* Adds a byte, percent-encoded if necessary. */
static void
add_encoded(struct buffer *out, char c, bool as_it_is)
{
	static const char digits[] = "0123456789ABCDEF";

	if (as_it_is) {
		buffer_add_char(out, c);
		return;
	}
	buffer_add_char(out, '%');
	buffer_add_char(out, digits[(unsigned char)c >> 4]);
	buffer_add_char(out, digits[(unsigned char)c & 15]);
}

static bool
is_in(char c, struct text set)
{
	return memchr(set.data, c, set.size) != NULL;
}

static bool
is_unreserved(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	    (c >= 'A' && c <= 'Z') || is_in(c, TEXT("-._~"));
}

/* The byte that is escaped at the start of a text; -1 when none is. */
static int
unescape(struct text text)
{
	int high, low;

	if (text.size < 3 || text.data[0] != '%')
		return -1;
	high = text_hex_digit(text.data[1]);
	low = text_hex_digit(text.data[2]);
	return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/*
 * Encodes what RFC 3986 does not allow in path, query and fragment, as is a '%'
 * that begins no escape, which browsers leave alone.
 */
static struct text
encode_stray(struct arena *arena, struct text link)
{
	struct buffer out = buffer_in(arena, link.size + 16);
	bool in_fragment = false;

	for (size_t i = 0; i < link.size; i++) {
		char c = link.data[i];

		if (c == '%')
			add_encoded(&out, c,
			    unescape(text_slice(link, i, link.size)) >= 0);
		else if (c == '#')
			add_encoded(&out, c, !in_fragment);
		else
			add_encoded(&out, c,
			    is_unreserved(c) ||
				is_in(c, TEXT(":/?@!$&'()*+,;=")));
		in_fragment = in_fragment || c == '#';
	}
	return buffer_text(&out);
}

/* The authority ends at the first of "/?#" after "scheme://", or at the end. */
static bool
split_url(struct text link, struct text *scheme, struct text *authority,
    struct text *rest)
{
	size_t colon = text_find(link, 0, TEXT("://")), end;

	if (colon == SIZE_MAX)
		return false;
	end = colon + 3;
	while (end < link.size && link.data[end] != '/' &&
	    link.data[end] != '?' && link.data[end] != '#')
		end++;
	*scheme = text_slice(link, 0, colon);
	*authority = text_slice(link, colon + 3, end - colon - 3);
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

	return port.size == 0 || text_equal(port, TEXT(":")) ||
	    (port.data[0] == ':' &&
		text_to_u64(text_slice(port, 1, port.size), &number) &&
		number < 65536);
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

/* False for bytes that no host has, escaped ASCII included. */
static bool
decode_host(struct arena *arena, struct text host, struct text *decoded)
{
	struct buffer out = buffer_in(arena, host.size);

	for (size_t i = 0; i < host.size; i++) {
		char c = host.data[i];
		int byte = unescape(text_slice(host, i, host.size));

		if (byte >= 0x80) {
			c = (char)byte;
			i += 2;
		} else if ((unsigned char)c < 0x80 && !is_unreserved(c)) {
			return false;
		}
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
 * Into ASCII. uriparser accepts any reg-name, since RFC 3986 is lenient; a host
 * that can be reached has no escapes of ASCII in it.
 */
static bool
encode_host(struct arena *arena, struct text *host)
{
	struct text decoded, encoded;

	if (host->data[0] == '[')
		return true; /* An address, which uriparser checks. */
	if (host->data[0] == '.' || host->data[0] == '-' ||
	    !decode_host(arena, *host, &decoded))
		return false;
	if (!idn_encode(arena, decoded, &encoded))
		return is_ascii(*host);
	*host = encoded;
	return true;
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (unsigned char)c >= 0x80;
}

/* Two labels or more, the last of which may be a top-level domain. */
static bool
is_common_host(struct text host)
{
	struct text label;
	size_t labels = 0;

	for (; text_cut(&host, '.', &label); labels++) {
		for (size_t i = 0; i < label.size; i++)
			if (!is_letter(label.data[i]) &&
			    !is_in(label.data[i], TEXT("0123456789-_")))
				return false;
		if (label.size == 0)
			return false;
	}
	return labels >= 2 && label.size >= 2 && is_letter(label.data[0]);
}

/* "www.example.com/page": a host, a port perhaps, and no spaces. */
static bool
begins_with_host(struct text link)
{
	struct text authority, host, port;
	size_t end = 0;

	while (end < link.size && !is_in(link.data[end], TEXT("/?#")))
		end++;
	authority = text_slice(link, 0, end);
	if (!split_port(authority, &host, &port) || !is_port(port) ||
	    !is_common_host(host))
		return false;
	while (end < link.size && !text_is_space(link.data[end]))
		end++;
	return end == link.size;
}

enum url_result
url_check(struct arena *arena, struct text link, struct text *encoded)
{
	struct text scheme, authority, host, port, rest;

	*encoded = link;
	if (begins_with_host(link))
		link = text_join(arena, TEXT("https://"), link);
	/* "javascript:..." and "mailto:..." are links of another scheme. */
	if (!split_url(link, &scheme, &authority, &rest))
		return text_find(link, 0, TEXT(":")) == SIZE_MAX
		    ? URL_MALFORMED
		    : URL_OTHER_SCHEME;
	scheme = text_lower(arena, scheme);
	if (!text_equal(scheme, TEXT("http")) &&
	    !text_equal(scheme, TEXT("https")))
		return URL_OTHER_SCHEME;
	if (text_find(authority, 0, TEXT("@")) != SIZE_MAX)
		return URL_WITH_USER_INFO;
	if (!split_port(authority, &host, &port) || !is_port(port) ||
	    !encode_host(arena, &host))
		return URL_MALFORMED;
	host = text_lower(arena, host);
	*encoded = text_format(arena, "%.*s://%.*s%.*s%.*s", TEXT_ARGS(scheme),
	    TEXT_ARGS(host), TEXT_ARGS(port),
	    TEXT_ARGS(encode_stray(arena, rest)));
	return is_uri(arena, *encoded) ? URL_VALID : URL_MALFORMED;
}

/* Keeps only necessary escapes, with upper-case digits. */
static struct text
normalize_escapes(struct arena *arena, struct text rest)
{
	struct buffer out = buffer_in(arena, rest.size);

	if (text_find(rest, 0, TEXT("%")) == SIZE_MAX)
		return rest;
	for (size_t i = 0; i < rest.size; i++) {
		int byte = unescape(text_slice(rest, i, rest.size));

		if (byte < 0) {
			buffer_add_char(&out, rest.data[i]);
			continue;
		}
		add_encoded(&out, (char)byte, is_unreserved((char)byte));
		i += 2;
	}
	return buffer_text(&out);
}

/*
 * Whether a part of a query only says who follows a link, or where it was found:
 * "utm_" of Google Analytics, and names of advertisers and newsletters, after those
 * that Brave takes out of every link (brave-core, components/query_filter) and that
 * pages are not likely to use for something else.
 */
static bool
is_tracking(struct text part)
{
	static const char *const names[] = { "fbclid", "gclid", "dclid",
		"gbraid", "wbraid", "msclkid", "twclid", "yclid", "ysclid",
		"srsltid", "igshid", "igsh", "mc_cid", "mc_eid", "mkt_tok",
		"_hsenc", "_hsmi", "__hstc", "__hssc", "__hsfp", "oly_anon_id",
		"oly_enc_id", "vero_id", "vero_conv", "wickedid", "_openstat",
		"_gl" };
	struct text name;

	text_cut(&part, '=', &name);
	if (name.size >= 4 && strncasecmp(name.data, "utm_", 4) == 0)
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strncasecmp(names[i], name.data, name.size) == 0 &&
		    names[i][name.size] == '\0')
			return true;
	return false;
}

static struct text
strip_dots(struct text host)
{
	while (host.size > 0 && host.data[host.size - 1] == '.')
		host.size--;
	return host;
}

static struct text
strip_www(struct text host)
{
	host = strip_dots(host);
	while (text_starts(host, TEXT("www.")) &&
	    text_find(host, 4, TEXT(".")) != SIZE_MAX)
		host = text_slice(host, 4, host.size);
	return host;
}

static bool
is_default_port(struct text scheme, struct text port)
{
	return port.size <= 1 ||
	    text_equal(port,
		text_equal(scheme, TEXT("http")) ? TEXT(":80") : TEXT(":443"));
}

struct text
url_canonical(struct arena *arena, struct text link)
{
	struct buffer out = buffer_in(arena, link.size);
	struct text scheme, authority, rest, host, port, part;
	struct text path = { NULL, 0 }, query = path;
	char mark = '?';

	if (!split_url(link, &scheme, &authority, &rest) ||
	    !split_port(authority, &host, &port))
		return link;
	buffer_add(&out, strip_www(host));
	if (!is_default_port(scheme, port))
		buffer_add(&out, port);
	rest = normalize_escapes(arena, rest);
	text_cut(&rest, '#', &query);
	text_cut(&query, '?', &path);
	while (path.size > 0 && path.data[path.size - 1] == '/')
		path.size--;
	buffer_add(&out, path);
	while (text_cut(&query, '&', &part)) {
		if (part.size == 0 || is_tracking(part))
			continue;
		buffer_add_char(&out, mark);
		buffer_add(&out, part);
		mark = '&';
	}
	if (text_starts(rest, TEXT("/")) || text_starts(rest, TEXT("!"))) {
		buffer_add_char(&out, '#');
		buffer_add(&out, rest);
	}
	return buffer_text(&out);
}

struct text
url_without_www(struct text host)
{
	return text_starts(host, TEXT("www.")) ? text_slice(host, 4, host.size)
					       : host;
}

struct text
url_host(struct arena *arena, struct text link)
{
	struct text scheme, authority, rest, host = { NULL, 0 }, port;

	if (!split_url(link, &scheme, &authority, &rest) ||
	    !split_port(authority, &host, &port))
		return host;
	host = url_without_www(text_lower(arena, host));
	return text_join(arena, idn_display(arena, host), port);
}

struct text
url_ascii_host(struct arena *arena, struct text link)
{
	struct text scheme, authority, rest, host = { NULL, 0 }, port;

	if (!split_url(link, &scheme, &authority, &rest) ||
	    !split_port(authority, &host, &port))
		return host;
	return strip_dots(text_lower(arena, host));
}

struct text
url_unescape(struct arena *arena, struct text text)
{
	struct buffer out = buffer_in(arena, text.size);

	for (size_t i = 0; i < text.size; i++) {
		int byte = unescape(text_slice(text, i, text.size));

		if (byte < 0) {
			buffer_add_char(&out, text.data[i]);
			continue;
		}
		buffer_add_char(&out, (char)byte);
		i += 2;
	}
	return buffer_text(&out);
}

struct text
url_first_part(struct arena *arena, struct text link)
{
	struct text scheme, authority, rest, part = { NULL, 0 };
	size_t end = 0;

	if (!split_url(link, &scheme, &authority, &rest))
		return part;
	while (end < rest.size && !is_in(rest.data[end], TEXT("?#")))
		end++;
	rest.size = end;
	while (part.size == 0 && text_cut(&rest, '/', &part))
		;
	return url_unescape(arena, part);
}

struct text
url_host_name(struct arena *arena, struct text link)
{
	struct text host = url_host(arena, link);
	size_t end = host.size;

	while (
	    end > 0 && host.data[end - 1] >= '0' && host.data[end - 1] <= '9')
		end--;
	if (end > 0 && host.data[end - 1] == ':')
		host.size = end - 1;
	return strip_dots(host);
}

bool
url_is_local_path(struct text path)
{
	if (path.size > URL_LOCAL_MAX || !text_starts(path, TEXT("/")) ||
	    text_starts(path, TEXT("//")) || text_starts(path, TEXT("/\\")))
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
		size_t start = i;

		while (i < text.size && is_unreserved(text.data[i]))
			i++;
		buffer_add(&out, text_slice(text, start, i - start));
		if (i < text.size)
			add_encoded(&out, text.data[i], false);
	}
	return buffer_text(&out);
}
