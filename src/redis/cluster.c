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

static uint64_t
find_number(const struct reply *reply, struct text name)
{
	return reply_id(find_value(reply, name));
}

/* Whether one of the flags, as in "slave,s_down". */
static bool
has_flag(const struct reply *reply, struct text flag)
{
	struct text flags = reply_text(find_value(reply, TEXT("flags")));

	return text_find(flags, 0, flag) != SIZE_MAX;
}

/* The link is that of the last INFO, up to ten seconds ago: of a replica that has been made the
 * master since, it is as it was before. */
static bool
may_take_over(const struct reply *replica, uint64_t lost_ms_max)
{
	struct text link =
	    reply_text(find_value(replica, TEXT("master-link-status")));

	if (!has_flag(replica, TEXT("slave")) ||
	    has_flag(replica, TEXT("s_down")) ||
	    has_flag(replica, TEXT("disconnected")))
		return false;
	return text_equal(link, TEXT("ok")) ||
	    find_number(replica, TEXT("master-link-down-time")) <= lost_ms_max;
}

static bool
is_follower(const struct reply *replica)
{
	return !text_equal(
	    reply_text(find_value(replica, TEXT("role-reported"))),
	    TEXT("master"));
}

bool
cluster_read_sentinel(const struct reply *master, const struct reply *replicas,
    struct cluster_sentinel *sentinel)
{
	enum { PERIODS = 10 };
	uint64_t lost_ms_max =
	    PERIODS * find_number(master, TEXT("down-after-milliseconds"));

	*sentinel = (struct cluster_sentinel){
		.master.host = reply_text(find_value(master, TEXT("ip"))),
		.elections = find_number(master, TEXT("config-epoch")),
		.sentinels =
		    1 + find_number(master, TEXT("num-other-sentinels")),
		.is_electing = has_flag(master, TEXT("failover_in_progress")),
	};
	for (size_t i = 0; i < replicas->count; i++) {
		const struct reply *replica = reply_item(replicas, i);

		if (!may_take_over(replica, lost_ms_max))
			continue;
		sentinel->replicas++;
		sentinel->followers += is_follower(replica);
	}
	return sentinel->master.host.size > 0 &&
	    read_port(reply_number(find_value(master, TEXT("port"))),
		&sentinel->master);
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
