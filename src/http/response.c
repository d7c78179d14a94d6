#include "http/response.h"

#include <time.h>

#include "base/arena.h"
#include "base/cache.h"
#include "base/gzip.h"
#include "base/log.h"

/* Shorter bodies gain nothing, and nginx has the same bound; longer ones would delay other
 * requests. */
enum { COMPRESSED_MIN = 1000, COMPRESSED_MAX = RESPONSE_MAX_PUBLIC };

void
response_set_cookie(struct response *response, struct arena *arena,
    struct text name, struct text value, int64_t seconds, bool https)
{
	struct text age = { NULL, 0 };

	if (response->cookie_count == RESPONSE_MAX_COOKIES)
		log_fatal("a response set more than %d cookies",
		    RESPONSE_MAX_COOKIES);
	if (seconds != 0)
		age = text_format(arena, "; Max-Age=%lld",
		    seconds == COOKIE_ENDED ? 0LL : (long long)seconds);
	response->cookies[response->cookie_count++] = text_format(arena,
	    "%.*s=%.*s; Path=/; HttpOnly; SameSite=Lax%.*s%s", TEXT_ARGS(name),
	    TEXT_ARGS(value), TEXT_ARGS(age), https ? "; Secure" : "");
}

static struct text
status_line(enum http_status status)
{
#define CASE(name, number, words) \
	case name: \
		return TEXT(#number " " words);
	switch (status) {
		HTTP_STATUSES(CASE)
	}
	return TEXT("500 Unknown");
}

static void
add_field(struct buffer *head, struct text name, struct text value)
{
	buffer_add(head, name);
	buffer_add(head, TEXT(": "));
	buffer_add(head, value);
	buffer_add(head, TEXT("\r\n"));
}

/* "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, 5.6.7). */
static struct text
http_date(struct arena *arena, int64_t moment)
{
	static const char days[][4] = { "Sun", "Mon", "Tue", "Wed", "Thu",
		"Fri", "Sat" };
	static const char months[][4] = { "Jan", "Feb", "Mar", "Apr", "May",
		"Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	time_t time = (time_t)moment;
	struct tm parts;

	if (gmtime_r(&time, &parts) == NULL)
		return TEXT("Thu, 01 Jan 1970 00:00:00 GMT");
	return text_format(arena, "%s, %02d %s %d %02d:%02d:%02d GMT",
	    days[parts.tm_wday], parts.tm_mday, months[parts.tm_mon],
	    parts.tm_year + 1900, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

/* Drops pieces that were not placed. */
static void
drop_unplaced(struct response *response)
{
	size_t count = 0, from = 0;

	for (size_t i = 0; i < response->piece_count; i++) {
		const struct response_piece *piece = &response->pieces[i];

		if (piece->place < from || piece->place > response->body.size)
			continue;
		from = piece->place;
		response->pieces[count++] = *piece;
	}
	response->piece_count = count;
}

static void
append_part(struct response_body *body, struct text part)
{
	if (part.size == 0)
		return;
	body->parts[body->count++] = part;
	body->size += part.size;
}

struct response_body
response_body(struct response *response, struct arena *arena)
{
	struct text text = response->body;
	struct response_body body = { .count = 0 };
	size_t from = 0;

	drop_unplaced(response);
	body.parts =
	    arena_new(arena, struct text, 2 * response->piece_count + 1);
	for (size_t i = 0; i < response->piece_count; i++) {
		const struct response_piece *piece = &response->pieces[i];

		append_part(&body, text_slice(text, from, piece->place - from));
		append_part(&body, piece->html);
		from = piece->place;
	}
	append_part(&body, text_slice(text, from, text.size));
	return body;
}

/* A part of a page: a piece, a token, or what is between these. */
struct part {
	struct text text;
	struct gzip_piece compressed; /* no blocks: not compressed yet */
	uint32_t crc;
	bool is_seen; /* on a page before */
};

/* The parts of a page while it is compressed. */
struct parts {
	const struct response *response;
	struct arena *arena;
	struct cache *cache;
	struct gzip_piece token; /* stored */
	struct part *all;
	size_t count, cuts;
};

enum { CUTS_MAX = 8 }; /* each adds two parts */

/* Shorter parts take longer to compress than to send. Larger ones are seldom sent again, and
 * compressing them well would delay other requests. */
enum { COMPRESSED_PART_MIN = 64, CACHED_PART_MAX = 6 * 1024 };

static void
add_part(struct parts *parts, struct text text)
{
	if (text.size > 0)
		parts->all[parts->count++] = (struct part){ .text = text };
}

static void
add_token(struct parts *parts)
{
	add_part(parts, parts->response->token);
	parts->all[parts->count - 1].compressed = parts->token;
}

/* Adds what is between two pieces, cut where the token is. */
static void
add_between(struct parts *parts, struct text text)
{
	const struct text token = parts->response->token;
	size_t at;

	while (token.size > 0 && parts->cuts < CUTS_MAX &&
	    (at = text_find(text, 0, token)) != SIZE_MAX) {
		parts->cuts++;
		add_part(parts, text_slice(text, 0, at));
		add_token(parts);
		text = text_slice(text, at + token.size, text.size);
	}
	add_part(parts, text);
}

/* Where the head of a page in HTML ends, which, unlike what follows, is the same for all
 * members. */
static size_t
end_of_head(struct text body)
{
	size_t at = text_find(body, 0, TEXT("</head>"));

	return at == SIZE_MAX ? 0 : at;
}

static struct parts
cut_page(
    const struct response *response, struct arena *arena, struct cache *cache)
{
	enum { BESIDE = 2 }; /* the head, and what follows the last piece */
	struct text body = response->body;
	struct parts parts = { .response = response,
		.arena = arena,
		.cache = cache,
		.token =
		    gzip_compress_piece(arena, response->token, GZIP_STORED) };
	size_t from = end_of_head(response->piece_count == 0
		? body
		: text_slice(body, 0, response->pieces[0].place));

	parts.all = arena_new(arena, struct part,
	    2 * (response->piece_count + CUTS_MAX) + BESIDE);
	add_part(&parts, text_slice(body, 0, from));
	for (size_t i = 0; i < response->piece_count; i++) {
		const struct response_piece *piece = &response->pieces[i];

		add_between(
		    &parts, text_slice(body, from, piece->place - from));
		parts.all[parts.count++].compressed = piece->compressed;
		from = piece->place;
	}
	add_between(&parts, text_slice(body, from, body.size));
	return parts;
}

static bool
is_cacheable(const struct part *part)
{
	return part->compressed.blocks.size == 0 &&
	    part->text.size >= COMPRESSED_PART_MIN &&
	    part->text.size <= CACHED_PART_MAX;
}

/* The checksum and the size of a part; so a value begins with the part itself. */
static struct text
part_key(struct arena *arena, const struct part *part)
{
	uint32_t *key = arena_new(arena, uint32_t, 2);

	key[0] = part->crc;
	key[1] = (uint32_t)part->text.size;
	return (struct text){ (const char *)key, 2 * sizeof(*key) };
}

/* Finds in the cache what was compressed before, and notes the others as seen: most of what is
 * sent once, such as an article's text, is not sent again. */
static void
find_parts(struct parts *parts)
{
	struct arena *arena = parts->arena;

	for (size_t i = 0; i < parts->count; i++) {
		struct part *part = &parts->all[i];
		struct text key, value;

		if (!is_cacheable(part))
			continue;
		part->crc = gzip_crc32(part->text);
		key = part_key(arena, part);
		part->is_seen = cache_peek(parts->cache, key, &value);
		if (!part->is_seen)
			cache_put(parts->cache, key, TEXT(""));
		else if (text_starts(value, part->text))
			part->compressed = gzip_unpack(text_copy(arena,
			    text_slice(value, part->text.size, value.size)));
	}
}

/* Compresses the other parts; those seen for the second time well, and into the cache. */
static void
compress_parts(struct parts *parts)
{
	struct arena *arena = parts->arena;

	for (size_t i = 0; i < parts->count; i++) {
		struct part *part = &parts->all[i];
		struct gzip_piece *compressed = &part->compressed;

		if (compressed->blocks.size > 0)
			continue;
		*compressed = gzip_compress_piece(arena, part->text,
		    part->text.size < COMPRESSED_PART_MIN ? GZIP_STORED
			: part->is_seen			  ? GZIP_SMALLEST
							  : GZIP_FASTEST);
		if (compressed->blocks.size == 0)
			log_fatal("out of memory: cannot compress a page");
		if (part->is_seen)
			cache_put(parts->cache, part_key(arena, part),
			    text_join(arena, part->text,
				gzip_pack(arena, compressed)));
	}
}

/* The compressor starts again for each part: a page without pieces is compressed whole unless
 * half of it was sent before. Where all was, that of an article is sent 1.7 times as often;
 * where its own text was not, it would be 0.8 times. */
static bool
is_worth_cutting(const struct parts *parts)
{
	size_t seen = 0;

	for (size_t i = 0; i < parts->count; i++)
		seen += parts->all[i].is_seen ? parts->all[i].text.size : 0;
	return parts->response->piece_count > 0 ||
	    2 * seen >= parts->response->body.size;
}

/* Compresses what is between the pieces, and joins all. Empty for a page that is to be
 * compressed whole. */
static struct text
compress_around(
    const struct response *response, struct arena *arena, struct cache *cache)
{
	struct parts parts = cut_page(response, arena, cache);
	struct gzip_piece *all;

	find_parts(&parts);
	if (!is_worth_cutting(&parts))
		return (struct text){ NULL, 0 };
	compress_parts(&parts);
	all = arena_new(arena, struct gzip_piece, parts.count);
	for (size_t i = 0; i < parts.count; i++)
		all[i] = parts.all[i].compressed;
	return gzip_join(arena, all, parts.count);
}

static struct text
compress_whole(const struct response *response, struct arena *arena)
{
	return gzip_compress(arena, response->body,
	    response->cache == CACHE_ONE_YEAR ? GZIP_SMALLEST : GZIP_FASTEST);
}

void
response_compress(
    struct response *response, struct arena *arena, struct cache *parts)
{
	size_t size = response->body.size;
	struct text compressed = { NULL, 0 };

	drop_unplaced(response);
	if (response->piece_count == 0 &&
	    (size < COMPRESSED_MIN || response->type == TYPE_PNG))
		return;
	if (response->has_secret)
		compressed = gzip_compress(arena, response->body, GZIP_STORED);
	else if (response->piece_count > 0 ||
	    (response->token.size > 0 && size <= COMPRESSED_MAX))
		compressed = compress_around(response, arena, parts);
	if (compressed.size == 0 && !response->has_secret &&
	    size <= COMPRESSED_MAX)
		compressed = compress_whole(response, arena);
	if (compressed.size == 0)
		return;
	response->body = compressed;
	response->piece_count = 0;
	response->is_compressed = true;
}

struct text
response_head(struct arena *arena, const struct response *response, size_t size)
{
	static const struct text cache[] = {
		[CACHE_NEVER] = TEXT_INIT("private, no-store"),
		[CACHE_ONE_SECOND] = TEXT_INIT("public, max-age=1"),
		[CACHE_ONE_YEAR] =
		    TEXT_INIT("public, max-age=31536000, immutable"),
	};
	static const struct text types[] = {
		[TYPE_HTML] = TEXT_INIT("text/html; charset=utf-8"),
		[TYPE_PLAIN] = TEXT_INIT("text/plain; charset=utf-8"),
		[TYPE_CSS] = TEXT_INIT("text/css; charset=utf-8"),
		[TYPE_XML] = TEXT_INIT("application/xml; charset=utf-8"),
		[TYPE_OPENSEARCH] = TEXT_INIT(
		    "application/opensearchdescription+xml; charset=utf-8"),
		[TYPE_PNG] = TEXT_INIT("image/png"),
		[TYPE_ATOM] = TEXT_INIT("application/atom+xml; charset=utf-8"),
		[TYPE_JSON_FEED] =
		    TEXT_INIT("application/feed+json; charset=utf-8"),
		[TYPE_JSON] = TEXT_INIT("application/json; charset=utf-8"),
	};
	bool is_small = size <= RESPONSE_MAX_PUBLIC;
	struct buffer head = buffer_in(arena, 512);

	add_field(&head, TEXT("Status"), status_line(response->status));
	add_field(&head, TEXT("Content-Type"), types[response->type]);
	add_field(&head, TEXT("Cache-Control"),
	    cache[is_small ? response->cache : CACHE_NEVER]);
	add_field(&head, TEXT("Vary"), TEXT("Accept-Encoding, Cookie"));
	if (response->is_compressed)
		add_field(&head, TEXT("Content-Encoding"), TEXT("gzip"));
	if (response->location.size > 0)
		add_field(&head, TEXT("Location"), response->location);
	if (response->download.size > 0)
		add_field(&head, TEXT("Content-Disposition"),
		    text_format(arena, "attachment; filename=\"%.*s\"",
			TEXT_ARGS(response->download)));
	if (response->etag.size > 0 && is_small)
		add_field(&head, TEXT("ETag"), response->etag);
	if (response->modified > 0)
		add_field(&head, TEXT("Last-Modified"),
		    http_date(arena, response->modified));
	if (response->allow != NULL)
		add_field(&head, TEXT("Allow"), text_of(response->allow));
	if (response->retry_after > 0)
		add_field(&head, TEXT("Retry-After"),
		    text_number(arena, response->retry_after));
	if (response->send_rate > 0)
		add_field(&head, TEXT("X-Accel-Limit-Rate"),
		    text_number(arena, response->send_rate));
	for (size_t i = 0; i < response->cookie_count; i++)
		add_field(&head, TEXT("Set-Cookie"), response->cookies[i]);
	if (!response->is_unrendered)
		add_field(&head, TEXT("Content-Length"),
		    text_number(arena, (int64_t)size));
	buffer_add(&head, TEXT("\r\n"));
	return buffer_text(&head);
}
