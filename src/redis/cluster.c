#include "redis/cluster.h"

#include "base/arena.h"

/* CRC-16/XMODEM: polynomial 0x1021, from 0, the highest bit first. */
static unsigned
crc16(struct text text)
{
	unsigned crc = 0;

	for (size_t i = 0; i < text.size; i++) {
		crc ^= (unsigned)(unsigned char)text.data[i] << 8;
		for (int bit = 0; bit < 8; bit++)
			crc = (crc << 1 ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
	}
	return crc;
}

static struct text
hash_tag(struct text key)
{
	struct text tag;

	if (text_cut(&key, '{', &tag) && text_cut(&key, '}', &tag) &&
	    key.data != NULL && tag.size > 0)
		return tag;
	return (struct text){ NULL, 0 };
}

unsigned
cluster_slot(struct text key)
{
	struct text tag = hash_tag(key);

	return crc16(tag.size > 0 ? tag : key) % CLUSTER_SLOTS;
}

static bool
read_port(int64_t port, struct address *address)
{
	address->port = (int)port;
	return port > 0 && port <= 65535;
}

/* Reads "first, last, master, replica...", where a node is "host, port, id, ...". */
static bool
read_range(const struct reply *reply, const struct address *asked,
    struct cluster_range *range)
{
	int64_t first = reply_number(reply_item(reply, 0));
	int64_t last = reply_number(reply_item(reply, 1));
	const struct reply *node = reply_item(reply, 2);
	struct text host = reply_text(reply_item(node, 0));

	range->master = *asked;
	if (host.size > 0)
		range->master.host = host;
	if (first < 0 || last < first || last >= CLUSTER_SLOTS ||
	    !read_port(reply_number(reply_item(node, 1)), &range->master))
		return false;
	range->first = (unsigned)first;
	range->last = (unsigned)last;
	return true;
}

size_t
cluster_read_slots(struct arena *arena, const struct reply *reply,
    const struct address *asked, struct cluster_range **ranges)
{
	size_t most =
	    reply->count < CLUSTER_SLOTS ? reply->count : CLUSTER_SLOTS;
	size_t count = 0;

	if (reply->kind != REPLY_LIST)
		return 0;
	*ranges = arena_new(arena, struct cluster_range, most);
	for (size_t i = 0; i < most; i++)
		if (read_range(reply_item(reply, i), asked, &(*ranges)[count]))
			count++;
	return count;
}

/* The value after a name, in a list of alternating names and values. */
static const struct reply *
find_value(const struct reply *reply, struct text name)
{
	for (size_t i = 0; i + 1 < reply->count; i += 2)
		if (text_equal(reply_text(reply_item(reply, i)), name))
			return reply_item(reply, i + 1);
	return reply_item(reply, reply->count);
}

bool
cluster_read_sentinel(
    const struct reply *reply, struct address *master, uint64_t *changes)
{
	*master = (struct address){ .host = reply_text(
					find_value(reply, TEXT("ip"))) };
	*changes = reply_id(find_value(reply, TEXT("config-epoch")));
	return master->host.size > 0 &&
	    read_port(reply_number(find_value(reply, TEXT("port"))), master);
}

int64_t
cluster_count_replicas(const struct reply *reply)
{
	int64_t count = 0;

	for (size_t i = 0; i < reply->count; i++) {
		const struct reply *replica = reply_item(reply, i);

		if (text_equal(reply_text(find_value(replica, TEXT("flags"))),
			TEXT("slave")) &&
		    text_equal(reply_text(find_value(
				   replica, TEXT("master-link-status"))),
			TEXT("ok")))
			count++;
	}
	return count;
}

/* "MOVED 3999 127.0.0.1:6381" without its first word; the host may be empty. */
static bool
read_target(struct text rest, struct redirect *redirect)
{
	struct text word;
	uint64_t slot;

	if (!text_next_word(&rest, &word) || !text_to_u64(word, &slot) ||
	    slot >= CLUSTER_SLOTS || !text_next_word(&rest, &word))
		return false;
	redirect->slot = (unsigned)slot;
	return address_parse_node(word, &redirect->to);
}

/* Errors of a function that accessed a key of a slot that is being migrated. */
static bool
is_of_migrating_slot(struct text error)
{
	return text_find(error, 0, TEXT("non local key")) != SIZE_MAX ||
	    text_find(error, 0, TEXT("undeclared keys")) != SIZE_MAX;
}

struct redirect
cluster_read_redirect(struct text error)
{
	static const struct {
		struct text word;
		bool map_changed;
	} retried[] = {
		{ TEXT_INIT("TRYAGAIN"), false },
		{ TEXT_INIT("CLUSTERDOWN"), true },
		{ TEXT_INIT("MASTERDOWN"), true },
		{ TEXT_INIT("LOADING"), true },
		{ TEXT_INIT("READONLY"), true },
		{ TEXT_INIT("NOREPLICAS"), false },
	};
	struct redirect redirect = { .kind = REDIRECT_NONE };
	struct text rest = error, word;

	if (!text_cut(&rest, ' ', &word))
		return redirect;
	if (text_equal(word, TEXT("MOVED")) && read_target(rest, &redirect)) {
		redirect.kind = REDIRECT_MOVED;
		redirect.map_changed = true;
		return redirect;
	}
	if (text_equal(word, TEXT("ASK")) && read_target(rest, &redirect)) {
		redirect.kind = REDIRECT_ASK;
		return redirect;
	}
	for (size_t i = 0; i < sizeof(retried) / sizeof(retried[0]); i++)
		if (text_equal(word, retried[i].word)) {
			redirect.kind = REDIRECT_RETRY;
			redirect.map_changed = retried[i].map_changed;
		}
	/* The functions are loaded on a new master soon after it appears. */
	if (is_of_migrating_slot(error) ||
	    text_starts(error, TEXT("ERR Function not found")))
		redirect.kind = REDIRECT_RETRY;
	return redirect;
}
