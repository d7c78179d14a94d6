/*
 * Everything but the room on the disk comes from the site's metrics (server/metrics.h), so
 * that a person and a program are shown the same.
 */
#include "cli/status.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/log.h"
#include "cli/task.h"
#include "os/local_socket.h"
#include "redis/redis.h"
#include "server/config.h"
#include "server/redis_memory.h"
#include "views/format.h"

enum {
	WAIT_SECONDS = 10, /* for the metrics */
	REDIS_MS = 2000,
	READ_SIZE = 16 * 1024,
	MB = 1024 * 1024,
	FREE_PARTS = 10,     /* of the disk: one has to be free */
	NOTICE_SECONDS = 60, /* for which a notice may wait, */
	SEARCH_SECONDS = 60  /* and a post before it is found */
};

/* What is printed: facts, and what to do. */
struct report {
	struct arena *arena;
	const struct config *config;
	struct text folder;  /* of the site; empty for a service */
	struct text metrics; /* the body */
	struct buffer facts, advice;
};

/* Reads until the end; false with errno. */
static bool
read_all(int file, struct buffer *buffer)
{
	ssize_t size;

	do {
		size = read(file, buffer_reserve(buffer, READ_SIZE), READ_SIZE);
		buffer->size += size > 0 ? (size_t)size : 0;
	} while (size > 0);
	return size == 0;
}

/* Asks for metrics and reads the answer; false with errno. */
static bool
exchange(int file, struct buffer *answer)
{
	const struct text request =
	    TEXT("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");

	errno = EIO; /* if only a part is sent */
	return send(file, request.data, request.size, MSG_NOSIGNAL) ==
	    (ssize_t)request.size &&
	    read_all(file, answer);
}

/* The body of the answer at an address; false with errno. */
static bool
fetch_metrics(struct arena *arena, struct text address, struct text *body)
{
	int file = local_socket_connect(address, WAIT_SECONDS), error;
	struct buffer answer = buffer_in(arena, READ_SIZE);
	size_t end;

	if (file < 0)
		return false;
	error = exchange(file, &answer) ? 0 : errno;
	close(file);
	*body = buffer_text(&answer);
	end = text_find(*body, 0, TEXT("\r\n\r\n"));
	if (error == 0 &&
	    (end == SIZE_MAX || !text_starts(*body, TEXT("HTTP/1.1 200 "))))
		error = EPROTO;
	if (error == 0)
		*body = text_slice(*body, end + 4, body->size);
	errno = error;
	return error == 0;
}

/* The sum of the samples that begin so and contain the label; -1 without any. */
static double
sum_samples(const struct report *report, const char *begin, const char *label)
{
	struct text rest = report->metrics, line;
	double sum = -1;

	while (text_cut(&rest, '\n', &line)) {
		const char *value, *string;

		if (!text_starts(line, text_of(begin)) ||
		    text_find(line, 0, text_of(label)) == SIZE_MAX)
			continue;
		string = text_string(report->arena, line);
		value = strrchr(string, ' ');
		sum = (sum < 0 ? 0 : sum) +
		    (value == NULL ? 0 : strtod(value, NULL));
	}
	return sum;
}

/* A sample without labels; -1 when it is missing. */
static double
sample(const struct report *report, const char *name)
{
	return sum_samples(report,
	    text_string(report->arena, text_format(report->arena, "%s ", name)),
	    "");
}

static void
add_fact(struct report *report, const char *name, struct text fact)
{
	buffer_add(&report->facts,
	    text_format(report->arena, "%-10s %.*s\n", name, TEXT_ARGS(fact)));
}

static void
add_advice(struct report *report, struct text advice)
{
	buffer_add(&report->advice,
	    text_format(report->arena, "- %.*s\n", TEXT_ARGS(advice)));
}

/* Where a program of the site logs. */
static struct text
log_of(const struct report *report, const char *unit, const char *file)
{
	return report->folder.size == 0
	    ? text_format(report->arena, "journalctl -u %s", unit)
	    : text_format(
		  report->arena, "%s in %.*s", file, TEXT_ARGS(report->folder));
}

static void
report_start(struct report *report)
{
	int64_t started = (int64_t)sample(report, "tally_start_time_seconds");
	int64_t age = time(NULL) - started;

	add_fact(report, "Running",
	    text_format(report->arena, "since %.*s, for %.*s",
		TEXT_ARGS(format_moment(report->arena, started)),
		TEXT_ARGS(format_span(report->arena, age < 1 ? 1 : age))));
}

static void
report_workers(struct report *report)
{
	double running = sample(report, "tally_workers");
	double wanted = sample(report, "tally_workers_configured");

	add_fact(report, "Workers",
	    text_format(report->arena, "%.0f of %.0f; restarted %.0f times",
		running, wanted,
		sample(report, "tally_worker_restarts_total")));
	if (running < wanted)
		add_advice(report,
		    text_format(report->arena,
			"Not all workers are running. The log of tally says "
			"why%s.",
			report->folder.size == 0 ? ": journalctl -u tally"
						 : ""));
}

static void
report_requests(struct report *report)
{
	double all = sum_samples(report, "tally_requests_total{", "");
	double failed =
	    sum_samples(report, "tally_requests_total{", "status=\"5xx\"");
	double seconds =
	    (double)time(NULL) - sample(report, "tally_start_time_seconds");

	add_fact(report, "Requests",
	    text_format(report->arena,
		"%.0f since then, %.1f a second; %.0f failed (%.2f %%)", all,
		seconds < 1 ? all : all / seconds, failed,
		all < 1 ? 0 : 100 * failed / all));
}

/* Finds the master with the least room, of those that have answered; false when none has. */
static bool
find_fullest(const struct report *report, double *used, double *max)
{
	const struct text name = TEXT("tally_redis_memory_used_bytes{");
	struct text rest = report->metrics, line, labels;
	double most = -1;

	while (text_cut(&rest, '\n', &line)) {
		double one, limit;

		if (!text_starts(line, name))
			continue;
		text_cut(&line, ' ', &labels);
		labels = text_slice(labels, name.size, labels.size);
		one = strtod(text_string(report->arena, line), NULL);
		limit = sum_samples(report, "tally_redis_memory_max_bytes{",
		    text_string(report->arena, labels));
		if ((limit > 0 ? one / limit : 0) <= most)
			continue;
		most = limit > 0 ? one / limit : 0;
		*used = one;
		*max = limit;
	}
	return most >= 0;
}

/* True when it is nearly full. */
static bool
report_memory(struct report *report)
{
	double used = 0, max = 0;
	bool is_low;

	if (!find_fullest(report, &used, &max))
		return false;
	is_low = redis_memory_is_low((int64_t)used, (int64_t)max);
	add_fact(report, "Memory",
	    max <= 0 ? text_format(report->arena,
			   "Redis uses %.0f MB, without a limit", used / MB)
		     : text_format(report->arena,
			   "Redis uses %.0f of %.0f MB (%.0f %%)", used / MB,
			   max / MB, 100 * used / max));
	if (is_low)
		add_advice(report,
		    text_format(report->arena,
			"The memory of Redis is nearly full, and nothing can be "
			"stored when it is: raise %s.",
			report->config->redis.size == 0
			    ? "TALLY_REDIS_MEMORY and start the site again"
			    : "maxmemory in its configuration"));
	return is_low;
}

static void
report_redis(struct report *report)
{
	bool is_up = sample(report, "tally_redis_up") > 0, is_low;

	if (!is_up) {
		add_fact(report, "Redis", TEXT("does not answer"));
		add_advice(report,
		    text_format(report->arena,
			"Nothing can be read or stored without Redis. Its log "
			"may say why: %.*s.",
			TEXT_ARGS(log_of(report, "tally-redis", "redis.log"))));
		return;
	}
	is_low = report_memory(report);
	if (sample(report, "tally_redis_takes_writes") > 0)
		return;
	add_fact(report, "Redis", TEXT("takes no writes"));
	if (!is_low)
		add_advice(report,
		    text_format(report->arena,
			"Redis takes no writes: its disk may be full, or it has "
			"become a replica, or has none. Its log may say why: "
			"%.*s.",
			TEXT_ARGS(log_of(report, "tally-redis", "redis.log"))));
}

static void
report_pace(struct report *report)
{
	double left = sample(report, "tally_vote_score_remaining_articles");

	if (left > 0)
		add_fact(report, "Votes",
		    text_format(report->arena,
			"%.0f article%s to place in lists by score for another "
			"worth of a vote",
			left, TEXT_PLURAL(left)));
}

static void
report_backlog(struct report *report)
{
	double queue = sample(report, "tally_mod_queue_posts");
	double notices = sample(report, "tally_outbox_comments");
	double age = sample(report, "tally_outbox_oldest_age_seconds");
	double moving = sample(report, "tally_move_remaining_records");

	if (queue >= 0)
		add_fact(report, "Queue",
		    text_format(report->arena, "%.0f post%s for moderators",
			queue, TEXT_PLURAL(queue)));
	if (notices >= 0)
		add_fact(report, "Notices",
		    notices < 1
			? TEXT("all delivered")
			: text_format(report->arena,
			      "%.0f comment%s to notify of, the oldest for %.0f s",
			      notices, TEXT_PLURAL(notices), age));
	if (moving > 0)
		add_fact(report, "Move",
		    text_format(report->arena,
			"%.0f record%s to move on to the layout of this version",
			moving, TEXT_PLURAL(moving)));
	report_pace(report);
	if (age > NOTICE_SECONDS)
		add_advice(report,
		    TEXT("Notices are not delivered: the log of tally says why "
			 "(\"notifications wait\")."));
}

static void
report_search(struct report *report)
{
	double posts = sample(report, "tally_search_posts");
	double built = sample(report, "tally_search_built_percent");
	double behind = sample(report, "tally_search_behind_seconds");
	bool is_late = built >= 100 && (behind < 0 || behind > SEARCH_SECONDS);

	if (posts < 0)
		return;
	add_fact(report, "Search",
	    built < 100 ? text_format(report->arena,
			      "the index is being built: %.0f %%", built)
			: text_format(report->arena, "%.0f post%s, %s", posts,
			      TEXT_PLURAL(posts),
			      is_late ? "not up to date" : "up to date"));
	if (is_late)
		add_advice(report,
		    TEXT("What is posted now is not found: the log of tally "
			 "may say why (\"search\")."));
}

/* The folder of Redis's files; empty when it is not known, or elsewhere. */
static struct text
redis_folder(const struct report *report)
{
	struct redis *redis;
	struct pipeline pipeline;
	struct text folder = TEXT("");

	if (report->folder.size > 0 && report->config->redis.size == 0)
		return report->folder;
	if (report->config->redis.size == 0)
		return folder;
	redis = config_open_redis(report->config, &report->config->admin);
	redis_be_quiet(redis);
	redis_set_timeout(redis, REDIS_MS);
	pipeline = pipeline_begin_at(redis, report->arena, 0);
	pipeline_add(&pipeline, TEXT("CONFIG"), TEXT("GET"), TEXT("dir"));
	if (redis_is_local(redis) && redis_run(&pipeline))
		folder = reply_text(reply_item(&pipeline.replies[0], 1));
	redis_close(redis);
	return folder;
}

static void
report_disk(struct report *report)
{
	struct text folder = redis_folder(report);
	struct statvfs disk;
	double all, left;

	if (folder.size == 0 ||
	    statvfs(text_string(report->arena, folder), &disk) != 0)
		return;
	all = (double)disk.f_blocks * (double)disk.f_frsize;
	left = (double)disk.f_bavail * (double)disk.f_frsize;
	add_fact(report, "Disk",
	    text_format(report->arena, "%.0f of %.0f MB are free, with %.*s",
		left / MB, all / MB, TEXT_ARGS(folder)));
	if (left < all / FREE_PARTS)
		add_advice(report,
		    TEXT(
			"The disk is nearly full, and Redis ends when it cannot "
			"write its file: make room, or move the site."));
}

static int
print_report(struct report *report)
{
	bool is_well;

	report_start(report);
	report_workers(report);
	report_requests(report);
	report_redis(report);
	report_disk(report);
	report_backlog(report);
	report_search(report);
	is_well = report->advice.size == 0;
	printf("%s\n\n%.*s",
	    is_well ? "The site is well." : "The site is not well.",
	    TEXT_ARGS(buffer_text(&report->facts)));
	if (!is_well)
		printf("\nWhat to do:\n%.*s",
		    TEXT_ARGS(buffer_text(&report->advice)));
	return is_well ? 0 : 1;
}

/* The site may run, and not be reached. */
static int
report_silence(const struct report *report, struct text address)
{
	if (errno == ENOENT || errno == ECONNREFUSED)
		log_line(
		    "the site is not running, or serves no metrics at %.*s: "
		    "start it with %s",
		    TEXT_ARGS(address),
		    report->folder.size == 0 ? "systemctl start tally"
					     : "tally up");
	else
		log_line("cannot read metrics at %.*s: %s%s",
		    TEXT_ARGS(address), strerror(errno),
		    errno == EACCES
			? ": run this as root or as the user of the site"
			: "");
	return 1;
}

static struct text
find_address(const struct report *report)
{
	return config_metrics_address(report->arena, report->config,
	    report->folder.size == 0 ? report->config->socket
				     : text_join(report->arena, report->folder,
					   TEXT("/tally.sock")));
}

int
status_print(const struct command_line *line)
{
	struct arena arena = { 0 };
	struct config config;
	struct report report = { .arena = &arena,
		.config = &config,
		.facts = buffer_in(&arena, 1024),
		.advice = buffer_in(&arena, 1024) };
	struct text address;
	int status = 1;

	if (!task_find_site(line, &arena, &config, &report.folder)) {
		arena_free(&arena);
		return 1;
	}
	address = find_address(&report);
	if (!fetch_metrics(&arena, address, &report.metrics))
		status = report_silence(&report, address);
	else if (!line->metrics)
		status = print_report(&report);
	else
		status = fwrite(report.metrics.data, 1, report.metrics.size,
			     stdout) == report.metrics.size
		    ? 0
		    : 1;
	arena_free(&arena);
	return status;
}
