#include "server/metrics.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/counters.h"
#include "pages/dispatch.h"
#include "redis/redis.h"
#include "search/state.h"
#include "server/redis_memory.h"
#include "store/backlog.h"
#include "store/move.h"
#include "store/pace.h"
#include "version.h"

enum { FIRST_SIZE = 32 * 1024 };

/* Sums of one counter, or of gauges. Rows with the same name are next to each other. */
static const struct counter_row {
	const char *name, *labels, *help;
	size_t counter;
} counter_rows[] = {
	{ "tally_redis_round_trips_total", "",
	    "Groups of commands that workers sent to Redis together.",
	    COUNTER_REDIS_TRIPS },
	{ "tally_redis_commands_total", "",
	    "Commands that workers sent to Redis.", COUNTER_REDIS_COMMANDS },
	{ "tally_redis_sent_bytes_total", "",
	    "Bytes of commands that workers sent to Redis.",
	    COUNTER_REDIS_SENT },
	{ "tally_redis_received_bytes_total", "",
	    "Bytes of replies that workers received from Redis.",
	    COUNTER_REDIS_RECEIVED },
	{ "tally_logins_total", "{outcome=\"succeeded\"}",
	    "Log-ins: succeeded, also by registering; failed, by a wrong name "
	    "or password; limited, refused after too many.",
	    COUNTER_LOGINS },
	{ "tally_logins_total", "{outcome=\"failed\"}", "",
	    COUNTER_LOGINS_FAILED },
	{ "tally_logins_total", "{outcome=\"limited\"}", "",
	    COUNTER_LOGINS_LIMITED },
	{ "tally_articles_posted_total", "", "Articles posted.",
	    COUNTER_ARTICLES },
	{ "tally_comments_posted_total", "", "Comments posted.",
	    COUNTER_COMMENTS },
	{ "tally_votes_total", "",
	    "Votes accepted, those taken back or repeated included.",
	    COUNTER_VOTES },
	{ "tally_worker_restarts_total", "",
	    "Workers started again after they had ended by themselves or were "
	    "killed.",
	    COUNTER_RESTARTS },
};

static void
add_string(struct buffer *out, const char *string)
{
	buffer_add(out, text_of(string));
}

static void
add_head(
    struct buffer *out, const char *name, const char *type, const char *help)
{
	buffer_add(out,
	    text_format(out->arena, "# HELP %s %s\n# TYPE %s %s\n", name, help,
		name, type));
}

static void
add_sample(
    struct buffer *out, const char *name, struct text labels, struct text value)
{
	add_string(out, name);
	buffer_add(out, labels);
	buffer_add_char(out, ' ');
	buffer_add(out, value);
	buffer_add_char(out, '\n');
}

static void
add_number(
    struct buffer *out, const char *name, struct text labels, uint64_t value)
{
	add_sample(out, name, labels, text_number(out->arena, (int64_t)value));
}

static void
add_gauge(
    struct buffer *out, const char *name, uint64_t value, const char *help)
{
	add_head(out, name, "gauge", help);
	add_number(out, name, TEXT(""), value);
}

static void
add_requests(struct buffer *out)
{
	static const char name[] = "tally_requests_total";
	size_t row = 0;
	struct text path;

	add_head(out, name, "counter",
	    "Requests that reached a worker, by the path of the table of "
	    "routes (other: none) and the class of the answer's status.");
	do {
		path = dispatch_path(row);
		for (unsigned class = 0; class < COUNTER_CLASSES; class ++)
			add_number(out, name,
			    text_format(out->arena,
				"{route=\"%.*s\",status=\"%uxx\"}",
				TEXT_ARGS(path.size > 0 ? path : TEXT("other")),
				class + 2),
			    counters_sum(counters_of_request(
				path.size > 0 ? row : COUNTER_ROUTES_MAX,
				class)));
		row++;
	} while (path.size > 0);
}

static struct text
seconds_of(struct arena *arena, uint64_t microseconds)
{
	return text_format(arena, "%llu.%06llu",
	    (unsigned long long)microseconds / 1000000,
	    (unsigned long long)microseconds % 1000000);
}

/* The bucket of +Inf and the count are the same sum, of one moment. */
static void
add_times(struct buffer *out)
{
	static const char *const bounds[] = {
#define BOUND(microseconds, seconds) "{le=\"" seconds "\"}",
		COUNTER_TIMES(BOUND)
#undef BOUND
		    "{le=\"+Inf\"}"
	};
	uint64_t count = 0;

	add_head(out, "tally_request_seconds", "histogram",
	    "Times of requests in a worker, from the first byte read to the "
	    "last one written.");
	for (unsigned i = 0; i <= COUNTER_TIME_BOUNDS; i++) {
		count += counters_sum(counters_of_time(i));
		add_number(out, "tally_request_seconds_bucket",
		    text_of(bounds[i]), count);
	}
	add_sample(out, "tally_request_seconds_sum", TEXT(""),
	    seconds_of(out->arena, counters_sum(COUNTER_MICROSECONDS)));
	add_number(out, "tally_request_seconds_count", TEXT(""), count);
}

static void
add_counters(struct buffer *out)
{
	const char *last = "";

	for (size_t i = 0; i < sizeof(counter_rows) / sizeof(counter_rows[0]);
	    i++) {
		const struct counter_row *row = &counter_rows[i];

		if (!text_equal(text_of(row->name), text_of(last)))
			add_head(out, row->name, "counter", row->help);
		last = row->name;
		add_number(out, row->name, text_of(row->labels),
		    counters_sum(row->counter));
	}
}

static void
add_processes(struct buffer *out, const struct metrics *metrics)
{
	add_head(out, "tally_build_info", "gauge", "The version; always 1.");
	add_number(out, "tally_build_info",
	    TEXT("{version=\"" TALLY_VERSION "\"}"), 1);
	add_gauge(out, "tally_start_time_seconds", (uint64_t)metrics->started,
	    "When the site was started, in Unix seconds.");
	add_gauge(out, "tally_workers", counters_running(),
	    "Workers that are running.");
	add_gauge(out, "tally_workers_configured", (uint64_t)metrics->workers,
	    "Workers that are to run.");
	add_gauge(out, "tally_connections",
	    counters_sum_gauge(GAUGE_CONNECTIONS),
	    "Connections of the web server to workers, idle ones included.");
}

static void
add_backlog(struct buffer *out, const struct backlog *backlog)
{
	add_gauge(out, "tally_mod_queue_posts", (uint64_t)backlog->queue,
	    "Posts that wait for moderators.");
	add_gauge(out, "tally_outbox_comments", (uint64_t)backlog->outbox,
	    "Comments of which members are still to be notified.");
	add_head(out, "tally_outbox_oldest_age_seconds", "gauge",
	    "How long the oldest of these has been waiting; 0 if none is.");
	add_sample(out, "tally_outbox_oldest_age_seconds", TEXT(""),
	    seconds_of(out->arena, (uint64_t)backlog->oldest_ms * 1000));
}

static void
add_move(struct buffer *out, struct store *store)
{
	struct move move;

	if (move_get(store, out->arena, &move) != STORE_OK)
		return;
	add_gauge(out, "tally_move_remaining_records",
	    move.from == 0 ? 0 : move.total - move.moved,
	    "Articles, members and groups that are still to be moved on to the "
	    "layout of this version.");
}

static void
add_pace(struct buffer *out, struct store *store)
{
	struct pace pace;

	if (pace_get(store, out->arena, &pace) != STORE_OK)
		return;
	add_gauge(out, "tally_vote_score_points", (uint64_t)pace.vote_score,
	    "What a vote is worth.");
	add_gauge(out, "tally_vote_score_remaining_articles",
	    pace_is_changing(&pace) ? pace.total - pace.placed : 0,
	    "Articles that are still to be placed in lists by score for "
	    "another worth of a vote.");
}

/* Of every master that answers, by its number. */
static void
add_memory(struct buffer *out, struct redis *redis)
{
	size_t masters = redis_master_count(redis);
	struct redis_memory *memory =
	    arena_new(out->arena, struct redis_memory, masters);
	bool *known = arena_new(out->arena, bool, masters);

	for (size_t i = 0; i < masters; i++)
		known[i] = redis_memory_read(redis, i, &memory[i]);
	add_head(out, "tally_redis_memory_used_bytes", "gauge",
	    "Memory that a master of Redis uses.");
	for (size_t i = 0; i < masters; i++)
		if (known[i])
			add_number(out, "tally_redis_memory_used_bytes",
			    text_format(out->arena, "{master=\"%zu\"}", i),
			    (uint64_t)memory[i].used);
	add_head(out, "tally_redis_memory_max_bytes", "gauge",
	    "Memory that it may use (maxmemory); 0 if there is no limit.");
	for (size_t i = 0; i < masters; i++)
		if (known[i])
			add_number(out, "tally_redis_memory_max_bytes",
			    text_format(out->arena, "{master=\"%zu\"}", i),
			    (uint64_t)memory[i].max);
}

static void
add_redis(struct buffer *out, struct metrics *metrics)
{
	struct backlog backlog;
	bool is_up =
	    backlog_read(metrics->store, out->arena, &backlog) == STORE_OK;
	bool takes_writes = is_up &&
	    site_check_writes(
		metrics->store, out->arena, &metrics->write_check) == STORE_OK;

	add_gauge(out, "tally_redis_up", is_up,
	    "1 if Redis, each master of it, answers; otherwise 0.");
	add_gauge(out, "tally_redis_takes_writes", takes_writes,
	    "1 if Redis, a master of it, takes writes; otherwise 0.");
	if (!is_up)
		return;
	add_backlog(out, &backlog);
	add_move(out, metrics->store);
	add_pace(out, metrics->store);
	add_memory(out, metrics->store->redis);
}

static void
add_search(struct buffer *out, const struct search_state *search)
{
	int64_t behind = search_state_behind(search);
	int building = atomic_load(&search->building);

	add_gauge(out, "tally_search_posts",
	    (uint64_t)atomic_load(&search->rows),
	    "Posts that have a place in the index for search.");
	add_gauge(out, "tally_search_bytes",
	    (uint64_t)atomic_load(&search->bytes),
	    "Bytes of that index on the disk.");
	add_gauge(out, "tally_search_built_percent",
	    building < 0 ? 100 : (uint64_t)building,
	    "How much of it is built; less than 100 while it is made again.");
	if (behind < 0)
		return;
	add_head(out, "tally_search_behind_seconds", "gauge",
	    "For how long changes may be missing in it.");
	add_sample(out, "tally_search_behind_seconds", TEXT(""),
	    seconds_of(out->arena, (uint64_t)behind * 1000));
}

struct text
metrics_write(struct metrics *metrics, struct arena *arena)
{
	struct buffer out = buffer_in(arena, FIRST_SIZE);

	add_processes(&out, metrics);
	add_requests(&out);
	add_times(&out);
	add_counters(&out);
	if (metrics->search != NULL)
		add_search(&out, metrics->search);
	add_redis(&out, metrics);
	return buffer_text(&out);
}
