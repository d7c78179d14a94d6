/*
 * A turn reads what has come, queues whole requests, and answers one of them. Requests stay in
 * the buffer of their client, and the queue has their sizes in the order in which they came: so
 * a client's answers are in the order of its requests, also those that are refused since too
 * many wait. A client whose buffer is full is not read.
 */
#include "search/reader.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "os/process.h"
#include "search/find.h"
#include "search/resp.h"
#include "search/writer.h"

enum {
	IN_BYTES = 4 * RESP_BYTES_MAX, /* of requests of a client */
	OUT_BYTES = 256 * 1024, /* of answers that a client does not take */
	QUEUE_MAX = 4096,
	TURN_MS = 1000,	   /* between two heartbeats */
	REOPEN_MS = 100,   /* between two attempts to open the index */
	LONGEST_MS = 1000, /* of a search */
	SEARCH_WORDS = 6   /* before the names */
};

struct client {
	int file;	 /* -1: none */
	uint64_t serial; /* of all clients that ever were */
	char *in;
	size_t size, queued; /* bytes that came, and of requests in the queue */
	struct buffer out;   /* in the arena */
	size_t sent;
	struct arena arena;
};

struct waiting {
	size_t client;
	uint64_t serial;
	size_t size; /* of the request */
	bool is_refused;
};

struct reader {
	struct search_state *state;
	char *path;
	struct text site;
	int listener;
	struct index *index; /* NULL: none that can be read */
	bool is_broken;	     /* until it is replaced */
	int64_t open_at;     /* when to try to open it again */
	struct client clients[READER_CLIENTS_MAX];
	uint64_t serials;
	struct waiting queue[QUEUE_MAX]; /* a ring */
	size_t first, queued, waiting;	 /* waiting: not refused */
	struct arena memory, arena;	 /* of the reader, and of a request */
};

/* Opens the index in place of the one that is open, if that is possible. Of 3,000,000 posts that
 * takes longer than a page waits, so a reader does it before it is asked. */
static void
open_index(struct reader *reader)
{
	int64_t now = clock_monotonic_ms();
	struct index *index;
	enum index_result result;

	if (now < reader->open_at)
		return;
	result = index_open(reader->path, INDEX_READ, reader->site, &index);
	if (result == INDEX_OK) {
		index_close(reader->index);
		reader->index = index;
		reader->is_broken = false;
		return;
	}
	reader->open_at = now + REOPEN_MS;
	if (result == INDEX_BROKEN)
		atomic_store(&reader->state->is_broken, true);
}

/* NULL when there is none that can be read. */
static struct index *
current_index(struct reader *reader)
{
	if (reader->index == NULL || index_is_replaced(reader->index))
		open_index(reader);
	return reader->is_broken ? NULL : reader->index;
}

static void
note_result(struct reader *reader, enum index_result result)
{
	if (result != INDEX_BROKEN)
		return;
	reader->is_broken = true;
	atomic_store(&reader->state->is_broken, true);
}

static void
refuse_without_index(struct buffer *reply)
{
	resp_add_error(reply, "INDEX", "there is none that can be read");
}

/* False when a word is not what it should be. */
static bool
read_search(const struct resp_request *request, struct find_request *search)
{
	uint64_t offset, limit, milliseconds;
	size_t order;

	if (request->count < SEARCH_WORDS || request->count % 2 != 0 ||
	    !text_index(
		request->words[2], query_orders, QUERY_ORDERS, &order) ||
	    !text_to_u64(request->words[3], &offset) ||
	    !text_to_u64(request->words[4], &limit) ||
	    !text_to_u64(request->words[5], &milliseconds) ||
	    offset > FIND_OFFSET_MAX || limit > FIND_HITS_MAX ||
	    milliseconds == 0 || milliseconds > LONGEST_MS)
		return false;
	search->order = (enum query_order)order;
	search->offset = (size_t)offset;
	search->limit = (size_t)limit;
	search->microseconds = (int64_t)milliseconds * 1000;
	return true;
}

static struct query_names
read_names(struct arena *arena, const struct resp_request *request)
{
	size_t count = (request->count - SEARCH_WORDS) / 2;
	struct query_names names = { .items = arena_new(
					 arena, struct query_name, count),
		.count = count };

	for (size_t i = 0; i < count; i++)
		names.items[i] =
		    (struct query_name){ request->words[SEARCH_WORDS + 2 * i],
			    request->words[SEARCH_WORDS + 2 * i + 1] };
	return names;
}

static void
add_hits(
    struct arena *arena, const struct find_hits *hits, struct buffer *reply)
{
	static const struct text outcomes[] = {
		[FIND_EXACT] = TEXT_INIT("exact"),
		[FIND_MORE] = TEXT_INIT("more"),
		[FIND_LATE] = TEXT_INIT("late"),
	};

	resp_add_list(reply, 3);
	resp_add_text(reply, outcomes[hits->outcome]);
	resp_add_number(reply, (int64_t)hits->count);
	resp_add_list(reply, hits->size);
	for (size_t i = 0; i < hits->size; i++)
		resp_add_text(reply, key_post_name(arena, hits->ids[i]));
}

static void
answer_search(struct reader *reader, const struct resp_request *request,
    struct buffer *reply)
{
	struct arena *arena = &reader->arena;
	struct find_request search;
	struct query_names names;
	struct query query;
	struct find_hits hits;
	struct index *index = current_index(reader);
	enum index_result result;

	if (!read_search(request, &search)) {
		resp_add_error(reply, "ERR", "not a search");
		return;
	}
	if (index == NULL) {
		refuse_without_index(reply);
		return;
	}
	names = read_names(arena, request);
	query_parse(arena, request->words[1], &query);
	search.query = &query;
	search.names = &names;
	result = find_posts(index, arena, &search, &hits);
	note_result(reader, result);
	if (result == INDEX_OK)
		add_hits(arena, &hits, reply);
	else
		refuse_without_index(reply);
}

static void
answer_state(struct reader *reader, struct buffer *reply)
{
	struct index *index = current_index(reader);
	struct index_state state = { .rows = 0 };
	if (index != NULL)
		note_result(reader, index_state(index, &state));
	resp_add_list(reply, 8);
	resp_add_text(reply, TEXT("rows"));
	resp_add_number(reply, (int64_t)state.rows);
	resp_add_text(reply, TEXT("building"));
	resp_add_number(reply, atomic_load(&reader->state->building));
	resp_add_text(reply, TEXT("behind_ms"));
	resp_add_number(reply, search_state_behind(reader->state));
	resp_add_text(reply, TEXT("bytes"));
	resp_add_number(reply, (int64_t)state.bytes);
}

static void
answer_request(struct reader *reader, const struct resp_request *request,
    struct buffer *reply)
{
	struct text name = request->words[0];

	if (text_equal(name, TEXT("SEARCH"))) {
		answer_search(reader, request, reply);
	} else if (text_equal(name, TEXT("PING"))) {
		buffer_add(reply, TEXT("+PONG\r\n"));
	} else if (text_equal(name, TEXT("STATE"))) {
		answer_state(reader, reply);
	} else if (text_equal(name, TEXT("BUILD"))) {
		atomic_store(&reader->state->is_unwanted, true);
		buffer_add(reply, TEXT("+OK\r\n"));
	} else {
		resp_add_error(reply, "ERR", "unknown command");
	}
}

/* What it has in the queue is left out there. */
static void
close_client(struct client *client)
{
	close(client->file);
	free(client->in);
	arena_free(&client->arena);
	*client = (struct client){ .file = -1 };
}

static void
send_answers(struct client *client)
{
	ssize_t size = send(client->file, client->out.data + client->sent,
	    client->out.size - client->sent, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (size < 0 && errno != EAGAIN && errno != EINTR) {
		close_client(client);
		return;
	}
	client->sent += size > 0 ? (size_t)size : 0;
	if (client->sent < client->out.size)
		return;
	client->sent = 0;
	arena_reset(&client->arena);
	client->out = buffer_in(&client->arena, 1024);
}

/* Answers the first request of the queue; one that is refused takes no time. */
static void
answer_first(struct reader *reader)
{
	struct waiting *first = &reader->queue[reader->first];
	struct client *client = &reader->clients[first->client];
	struct resp_request request;

	reader->first = (reader->first + 1) % QUEUE_MAX;
	reader->queued--;
	reader->waiting -= !first->is_refused;
	if (client->file < 0 || client->serial != first->serial)
		return;
	arena_reset(&reader->arena);
	if (first->is_refused)
		resp_add_error(&client->out, "BUSY", "too many requests wait");
	else if (resp_read((struct text){ client->in, first->size },
		     &request) == RESP_WHOLE)
		answer_request(reader, &request, &client->out);
	client->size -= first->size;
	client->queued -= first->size;
	memmove(client->in, client->in + first->size, client->size);
	send_answers(client);
}

/* Queues the whole requests of a client; closes the connection of one that sends something
 * else. */
static void
queue_requests(struct reader *reader, struct client *client)
{
	while (reader->queued < QUEUE_MAX) {
		struct text bytes = { client->in + client->queued,
			client->size - client->queued };
		struct resp_request request;
		enum resp_result result = resp_read(bytes, &request);
		bool is_refused = reader->waiting >= READER_WAITING_MAX;

		if (result == RESP_PARTIAL)
			return;
		if (result == RESP_MALFORMED) {
			close_client(client);
			return;
		}
		reader->queue[(reader->first + reader->queued) % QUEUE_MAX] =
		    (struct waiting){ (size_t)(client - reader->clients),
			    client->serial, request.size, is_refused };
		reader->queued++;
		reader->waiting += !is_refused;
		client->queued += request.size;
	}
}

/* What came while the queue was full. */
static void
queue_more(struct reader *reader)
{
	for (size_t i = 0; i < READER_CLIENTS_MAX; i++)
		if (reader->clients[i].file >= 0)
			queue_requests(reader, &reader->clients[i]);
}

static void
read_client(struct reader *reader, struct client *client)
{
	ssize_t size = recv(client->file, client->in + client->size,
	    IN_BYTES - client->size, MSG_DONTWAIT);

	if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) {
		close_client(client);
		return;
	}
	client->size += size > 0 ? (size_t)size : 0;
	queue_requests(reader, client);
}

/* A connection for which there is no room is closed. */
static void
accept_client(struct reader *reader)
{
	int file = accept4(reader->listener, NULL, NULL, SOCK_CLOEXEC);

	for (size_t i = 0; i < READER_CLIENTS_MAX && file >= 0; i++) {
		struct client *client = &reader->clients[i];

		if (client->file >= 0)
			continue;
		*client = (struct client){ .file = file,
			.serial = ++reader->serials,
			.in = malloc(IN_BYTES) };
		if (client->in == NULL)
			log_fatal("out of memory: no search");
		client->out = buffer_in(&client->arena, 1024);
		return;
	}
	if (file >= 0)
		close(file);
}

/* poll ignores those of file -1. */
static void
fill_polls(
    const struct reader *reader, struct pollfd polls[READER_CLIENTS_MAX + 1])
{
	polls[READER_CLIENTS_MAX] =
	    (struct pollfd){ .fd = reader->listener, .events = POLLIN };
	for (size_t i = 0; i < READER_CLIENTS_MAX; i++) {
		const struct client *client = &reader->clients[i];
		bool has_room = client->size < IN_BYTES &&
		    client->out.size < OUT_BYTES && reader->queued < QUEUE_MAX;

		polls[i] = (struct pollfd){ .fd = client->file,
			.events = (short)((has_room ? POLLIN : 0) |
			    (client->out.size > 0 ? POLLOUT : 0)) };
	}
}

static void
serve_client(struct reader *reader, struct client *client, short events)
{
	if ((events & POLLOUT) != 0)
		send_answers(client);
	if (client->file >= 0 && (events & (POLLIN | POLLHUP | POLLERR)) != 0)
		read_client(reader, client);
}

static void
serve_clients(struct reader *reader, const struct pollfd *polls)
{
	for (size_t i = 0; i < READER_CLIENTS_MAX; i++)
		if (polls[i].revents != 0)
			serve_client(
			    reader, &reader->clients[i], polls[i].revents);
	if (polls[READER_CLIENTS_MAX].revents != 0)
		accept_client(reader);
}

static void
run_turn(struct reader *reader)
{
	struct pollfd polls[READER_CLIENTS_MAX + 1];
	int timeout = reader->queued > 0 ? 0 : TURN_MS;

	process_heartbeat();
	fill_polls(reader, polls);
	if (poll(polls, READER_CLIENTS_MAX + 1, timeout) > 0)
		serve_clients(reader, polls);
	else if (reader->queued == 0)
		(void)current_index(reader);
	if (reader->queued > 0)
		answer_first(reader);
	if (reader->queued == QUEUE_MAX - 1)
		queue_more(reader);
}

_Noreturn void
reader_run(struct search_state *state, const char *folder, struct text site,
    int listener)
{
	struct reader *reader = calloc(1, sizeof(*reader));

	if (reader == NULL)
		log_fatal("out of memory: no search");
	reader->state = state;
	reader->listener = listener;
	reader->site = text_copy(&reader->memory, site);
	reader->path = text_string(&reader->memory,
	    text_format(&reader->memory, "%s/" WRITER_FILE, folder));
	for (size_t i = 0; i < READER_CLIENTS_MAX; i++)
		reader->clients[i].file = -1;
	(void)current_index(reader);
	for (;;)
		run_turn(reader);
}
