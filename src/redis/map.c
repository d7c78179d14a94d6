#include "redis/map.h"

#include "base/arena.h"
#include "redis/slot.h"

static bool
read_port(int64_t port, struct address *address)
{
	address->port = (int)port;
	return port > 0 && port <= 65535;
}

/* "first, last, master, replica...", and a node is "host, port, id, ...". */
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
		   reply->count < CLUSTER_SLOTS ? reply->count : CLUSTER_SLOTS,
	       count = 0;

	if (reply->kind != REPLY_LIST)
		return 0;
	*ranges = arena_new(arena, struct cluster_range, most);
	for (size_t i = 0; i < most; i++)
		if (read_range(reply_item(reply, i), asked, &(*ranges)[count]))
			count++;
	return count;
}

/* What a name stands before, in a list of names and values in turn. */
static const struct reply *
value_of(const struct reply *reply, struct text name)
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
	*master =
	    (struct address){ .host = reply_text(value_of(reply, TEXT("ip"))) };
	*changes = reply_id(value_of(reply, TEXT("config-epoch")));
	return master->host.size > 0 &&
	    read_port(reply_number(value_of(reply, TEXT("port"))), master);
}

int64_t
cluster_count_replicas(const struct reply *reply)
{
	int64_t count = 0;

	for (size_t i = 0; i < reply->count; i++) {
		const struct reply *replica = reply_item(reply, i);

		if (text_equal(reply_text(value_of(replica, TEXT("flags"))),
			TEXT("slave")) &&
		    text_equal(reply_text(value_of(
				   replica, TEXT("master-link-status"))),
			TEXT("ok")))
			count++;
	}
	return count;
}
