#include "redis/endpoint.h"

#include <netdb.h>
#include <sys/socket.h>

#include "base/arena.h"
#include "base/log.h"

bool
address_parse_node(struct text text, struct address *address)
{
	size_t colon = text.size;
	uint64_t port;

	*address = (struct address){ .port = 0 };
	/* The last one: an IPv6 address has colons of its own. */
	while (colon > 0 && text.data[colon - 1] != ':')
		colon--;
	if (colon == 0 ||
	    !text_to_u64(text_slice(text, colon, text.size), &port) ||
	    port == 0 || port > 65535)
		return false;
	address->host = text_slice(text, 0, colon - 1);
	address->port = (int)port;
	return true;
}

/* IPv6 addresses are written in brackets where a port follows. */
static struct text
remove_brackets(struct text host)
{
	bool has_both = host.size > 2 && host.data[0] == '[' &&
	    host.data[host.size - 1] == ']';

	return has_both ? text_slice(host, 1, host.size - 2) : host;
}

/* Parses "unix:/path" or "host:port"; false for anything else. The parts point into the text. */
static bool
parse_address(struct text text, struct address *address)
{
	const struct text local = TEXT("unix:");

	if (!text_starts(text, local)) {
		if (!address_parse_node(text, address))
			return false;
		address->host = remove_brackets(address->host);
		return address->host.size > 0;
	}
	*address =
	    (struct address){ .path = text_slice(text, local.size, text.size) };
	return address->path.size > 0;
}

bool
address_equal(const struct address *one, const struct address *other)
{
	return one->port == other->port && text_equal(one->host, other->host) &&
	    text_equal(one->path, other->path);
}

struct address
address_copy(struct arena *arena, const struct address *address)
{
	struct address copy = *address;

	copy.path = text_copy(arena, address->path);
	copy.host = text_copy(arena, address->host);
	return copy;
}

struct text
address_name(struct arena *arena, const struct address *address)
{
	return address->path.size > 0
	    ? text_join(arena, TEXT("unix:"), address->path)
	    : text_format(
		  arena, "%.*s:%d", TEXT_ARGS(address->host), address->port);
}

/* Removes a prefix; false when the text does not start with it. */
static bool
skip_prefix(struct text *text, struct text prefix)
{
	if (!text_starts(*text, prefix))
		return false;
	*text = text_slice(*text, prefix.size, text->size);
	return true;
}

static bool
parse_addresses(struct text list, struct endpoint *endpoint)
{
	struct text one;

	while (text_cut(&list, ',', &one)) {
		struct address *address = &endpoint->addresses[endpoint->count];

		if (endpoint->count == ENDPOINT_MAX ||
		    !parse_address(one, address))
			return false;
		/* Other machines cannot reach a socket of this one. */
		if (address->path.size > 0 &&
		    (endpoint->tls || endpoint->kind != ENDPOINT_STANDALONE))
			return false;
		endpoint->count++;
	}
	return endpoint->count > 0 &&
	    (endpoint->kind != ENDPOINT_STANDALONE || endpoint->count == 1);
}

bool
endpoint_parse(struct arena *arena, struct text text, struct endpoint *endpoint)
{
	*endpoint = (struct endpoint){ .addresses = arena_new(arena,
					   struct address, ENDPOINT_MAX) };
	endpoint->tls = skip_prefix(&text, TEXT("tls:"));
	if (skip_prefix(&text, TEXT("cluster:"))) {
		endpoint->kind = ENDPOINT_CLUSTER;
	} else if (skip_prefix(&text, TEXT("sentinel:"))) {
		endpoint->kind = ENDPOINT_SENTINELS;
		if (!text_cut(&text, '@', &endpoint->master) ||
		    endpoint->master.size == 0 || text.data == NULL)
			return false;
	}
	return parse_addresses(text, endpoint);
}

/* False, and logged, when the name has no address. */
static bool
resolve_address(struct arena *arena, struct address *address)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *found = NULL;
	char number[NI_MAXHOST];
	int error;

	if (address->path.size > 0)
		return true;
	error = getaddrinfo(
	    text_string(arena, address->host), NULL, &hints, &found);
	if (error == 0)
		error = getnameinfo(found->ai_addr, found->ai_addrlen, number,
		    sizeof(number), NULL, 0, NI_NUMERICHOST);
	if (found != NULL)
		freeaddrinfo(found);
	if (error != 0) {
		log_line("Redis's host %.*s: %s", TEXT_ARGS(address->host),
		    gai_strerror(error));
		return false;
	}
	address->host = text_copy(arena, text_of(number));
	return true;
}

bool
endpoint_resolve(struct arena *arena, struct endpoint *endpoint)
{
	size_t resolved = 0;

	for (size_t i = 0; i < endpoint->count; i++)
		if (resolve_address(arena, &endpoint->addresses[i]))
			endpoint->addresses[resolved++] =
			    endpoint->addresses[i];
	endpoint->count = resolved;
	return resolved > 0;
}
