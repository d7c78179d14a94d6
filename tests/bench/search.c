/*
 * Measures the index of search on made-up posts:
 *
 *	search build FILE POSTS
 *	search ask FILE POSTS
 *
 * The first makes it, and prints the processor time in microseconds a post. The second reads it as
 * a reader of `tally search` does, and prints the median processor time of searches by kind and
 * order, in milliseconds; the share that was late, in percent; the bytes of a post, and the memory
 * of the process, in MB. Both print JSON.
 *
 * Titles are those of sample.h. Texts have words of a vocabulary of 20,000, the n-th of which is
 * drawn in proportion to 1/n, as in a language.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/log.h"
#include "sample.h"
#include "search/find.h"

enum { VOCABULARY = 20000, TEXT_WORDS = 40, COMMITTED = 5000, ASKED = 30 };
enum { BUDGET_US = 50000 };

#define SITE TEXT("bench")

/* Numbers that look like chance, the same in each run. */
static double
chance(void)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (double)(state >> 11) / (double)(UINT64_C(1) << 53);
}

/* "baro", "kimesu": the n-th word. */
static void
add_word(struct buffer *out, uint64_t n)
{
	static const char consonants[] = "bdfgklmnprstvz", vowels[] = "aeiou";

	for (n += 70; n > 0; n /= 70) {
		buffer_add_char(out, consonants[n % 14]);
		buffer_add_char(out, vowels[n / 14 % 5]);
	}
}

static uint64_t
draw_word(void)
{
	return (uint64_t)exp(chance() * log(VOCABULARY)) - 1;
}

static struct text
make_text(struct arena *arena)
{
	struct buffer text = buffer_in(arena, (size_t)TEXT_WORDS * 8);

	for (int i = 0; i < TEXT_WORDS; i++) {
		add_word(&text, draw_word());
		buffer_add_char(&text, ' ');
	}
	return buffer_text(&text);
}

static void
expect(enum index_result result)
{
	if (result != INDEX_OK)
		log_fatal("the index failed: %d", (int)result);
}

static void
build(const char *path, uint64_t posts)
{
	struct sample_set set = { .first = 1,
		.count = posts,
		.age = SAMPLE_CROWDED,
		.now = 1750000000 };
	struct arena arena = { 0 };
	struct index *index;

	expect(index_open(path, INDEX_CREATE, SITE, &index));
	for (uint64_t id = 1; id <= posts; id++) {
		struct sample sample;
		struct search_post post = { .id.article = id };

		sample_make(&arena, &set, id, &sample);
		post.posted = sample.posted;
		post.points = (int64_t)sample.up - (int64_t)sample.down;
		post.author = sample_member(sample.author);
		post.title = sample.title;
		post.text = make_text(&arena);
		for (size_t i = 0; i < sample.group_count; i++)
			post.groups = text_format(&arena, "%.*s %.*s",
			    TEXT_ARGS(post.groups),
			    TEXT_ARGS(sample.groups[i]));
		post.host = TEXT("blog.example.com");
		expect(index_put(index, &post));
		if (id % COMMITTED == 0)
			expect(index_commit(index, NULL, 0));
		arena_reset(&arena);
	}
	for (bool more = true; more;)
		expect(index_finish(index, &more));
	index_close(index);
	arena_free(&arena);
}

/* What is asked: 1 is one of the ten most common words of texts, 2 one in the hundreds, 3 a rare
 * one. */
static const struct kind {
	const char *name, *query;
} kinds[] = {
	{ "a common word", "1" },
	{ "a rare word", "3" },
	{ "two common words", "1 1" },
	{ "a common and a rare word", "1 3" },
	{ "a phrase", "\"1 1\"" },
	{ "a prefix", "2*" },
	{ "either word", "2 OR 2" },
	{ "an excluded word", "1 -1" },
	{ "a word of titles", "title:database" },
	{ "a group", "1 group:left" },
	{ "a month", "1 after:2025-04 before:2025-05" },
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static struct text
make_query(struct arena *arena, const char *pattern)
{
	struct buffer query = buffer_in(arena, 64);
	bool is_value = false; /* behind a colon digits are digits */

	for (; *pattern != '\0'; pattern++) {
		is_value = (is_value || *pattern == ':') && *pattern != ' ';
		if (!is_value && *pattern == '1')
			add_word(&query, (uint64_t)(chance() * 10));
		else if (!is_value && *pattern == '2')
			add_word(&query, 100 + (uint64_t)(chance() * 400));
		else if (!is_value && *pattern == '3')
			add_word(&query, 10000 + (uint64_t)(chance() * 9000));
		else
			buffer_add_char(&query, *pattern);
	}
	return buffer_text(&query);
}

/* Milliseconds of one search; late is counted. */
static double
search(
    struct index *index, struct text typed, enum query_order order, int *late)
{
	static struct arena arena;
	struct query query;
	struct query_names names = { 0 };
	struct find_request request = { .query = &query,
		.names = &names,
		.order = order,
		.limit = 26,
		.microseconds = BUDGET_US };
	struct find_hits hits;
	int64_t began = clock_thread_us();

	query_parse(&arena, typed, &query);
	expect(find_posts(index, &arena, &request, &hits));
	*late += hits.outcome == FIND_LATE;
	arena_reset(&arena);
	return (double)(clock_thread_us() - began) / 1000;
}

static int
compare_times(const void *a, const void *b)
{
	const double *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

static void
measure(struct index *index, const struct kind *kind, enum query_order order,
    int *late)
{
	struct arena arena = { 0 };
	double times[ASKED];

	for (int i = 0; i < ASKED; i++)
		times[i] =
		    search(index, make_query(&arena, kind->query), order, late);
	qsort(times, ASKED, sizeof(times[0]), compare_times);
	printf("\"%s, %s\": %.3f, ", kind->name, query_orders[order].data,
	    times[ASKED / 2]);
	arena_free(&arena);
}

/* The most that this program has used. ru_maxrss also has what the process used before it
 * became this program. */
static long
peak_memory_kb(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[128];
	long peak = 0;

	if (status == NULL)
		log_fatal("cannot read /proc/self/status");
	while (fgets(line, sizeof(line), status) != NULL)
		if (sscanf(line, "VmHWM: %ld", &peak) == 1)
			break;
	fclose(status);
	return peak;
}

/* A reader is started after the writer has ended. */
static void
measure_all(const char *path, uint64_t posts)
{
	struct index_state state;
	struct index *index;
	int late = 0;

	expect(index_open(path, INDEX_READ, SITE, &index));
	for (size_t i = 0; i < KINDS; i++)
		for (int order = 0; order < QUERY_ORDERS; order++)
			measure(
			    index, &kinds[i], (enum query_order)order, &late);
	expect(index_state(index, &state));
	printf("\"late\": %.2f, \"bytes\": %.0f, \"megabytes\": %ld }\n",
	    100.0 * late / (KINDS * QUERY_ORDERS * ASKED),
	    (double)state.bytes / (double)posts, peak_memory_kb() / 1024);
	index_close(index);
}

int
main(int argc, char **argv)
{
	uint64_t posts;

	if (argc != 4 || !text_to_u64(text_of(argv[3]), &posts) || posts == 0)
		log_fatal("usage: search build|ask FILE POSTS");
	if (strcmp(argv[1], "build") == 0) {
		int64_t began = clock_thread_us();

		build(argv[2], posts);
		printf("{ \"build\": %.1f }\n",
		    (double)(clock_thread_us() - began) / (double)posts);
	} else {
		printf("{ ");
		measure_all(argv[2], posts);
	}
	return 0;
}
