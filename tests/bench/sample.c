#include "sample.h"

#include "base/buffer.h"

enum {
	DAY = 86400,
	EVERYTHING = 0,
	THOUSAND,
	LEFT,
	RIGHT,
	TOPICS, /* the first of them */
	MEDIAN_VOTES = 9
};

/* Lengths that divide the stories into tenths. */
static const uint64_t title_lengths[] = { 12, 25, 33, 39, 44, 49, 55, 60, 66,
	73, 87 };
static const uint64_t url_lengths[] = { 30, 34, 41, 51, 61, 70, 79, 89, 101,
	115, 150 };

static const char *const words[] = { "an", "open", "letter", "about", "how",
	"we", "built", "the", "database", "that", "never", "sleeps", "new",
	"study", "finds", "why", "small", "teams", "ship", "faster", "than",
	"large", "ones", "in", "search", "of", "lost", "memory", "compilers",
	"explained", "with", "pictures", "a", "short", "history", "from",
	"scratch", "what", "every", "programmer", "should", "know", "on",
	"writing", "less", "code", "and", "reading", "more", "for",
	"beginners" };
static const char *const hosts[] = { "example.org", "www.example.com",
	"blog.example.net", "news.example.org", "papers.example.edu",
	"code.example.com" };

/* Numbers that look random, the same for an id on every run (splitmix64). */
static uint64_t
scatter(uint64_t id, uint64_t purpose)
{
	uint64_t z = id * 0x9e3779b97f4a7c15 + purpose * 0xd1b54a32d192ed03;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* A length spread as the tenths say. */
static uint64_t
length_of(const uint64_t *tenths, uint64_t number)
{
	uint64_t tenth = number % 10, part = number / 10 % 1000;

	return tenths[tenth] +
	    (tenths[tenth + 1] - tenths[tenth]) * part / 1000;
}

/* Words with a mark between them, until the text has its length. */
static struct text
fill(struct buffer *buffer, uint64_t size, char mark, uint64_t seed)
{
	enum { WORDS = sizeof(words) / sizeof(words[0]) };

	for (uint64_t i = 0; buffer->size < size; i++) {
		if (i > 0)
			buffer_add_char(buffer, mark);
		buffer_add(buffer, text_of(words[scatter(seed, i) % WORDS]));
	}
	while (buffer->size > size || buffer->data[buffer->size - 1] == mark)
		buffer->size--;
	return buffer_text(buffer);
}

static struct text
title_of(struct arena *arena, uint64_t id)
{
	struct buffer title = buffer_in(arena, 128);
	uint64_t seed = scatter(id, 1);

	return fill(&title, length_of(title_lengths, seed), ' ', seed);
}

/* As of the stories, of which a quarter is the only one from its host, and a fifth from hosts of
 * many. */
static struct text
host_of(struct arena *arena, uint64_t id)
{
	enum { HOSTS = sizeof(hosts) / sizeof(hosts[0]), USUAL = 2000 };
	uint64_t part = scatter(id, 5) % 20, number = scatter(id, 6);

	if (part < 4)
		return text_of(hosts[number % HOSTS]);
	if (part < 9)
		return text_format(
		    arena, "single%llu.example", (unsigned long long)id);
	return text_format(
	    arena, "host%llu.example", (unsigned long long)(number % USUAL));
}

static struct text
url_of(struct arena *arena, uint64_t id)
{
	struct buffer url = buffer_in(arena, 256);
	uint64_t seed = scatter(id, 2), size = length_of(url_lengths, seed);

	buffer_add(&url, TEXT("https://"));
	buffer_add(&url, host_of(arena, id));
	buffer_add_char(&url, '/');
	buffer_add_number(&url, (int64_t)id);
	buffer_add_char(&url, '/');
	return fill(&url, size > url.size ? size : url.size + 1, '-', seed);
}

/* Half of the articles get more than the median, one in ten nine times that. */
static uint64_t
votes_of(uint64_t id)
{
	uint64_t part = scatter(id, 3) % 10000 + 1;
	uint64_t votes = MEDIAN_VOTES * (10000 - part) / part;

	return votes < SAMPLE_MEMBERS - 2 ? votes : SAMPLE_MEMBERS - 2;
}

/* In groups of up to half of the set, at equal distances. */
static void
file(struct arena *arena, const struct sample_set *set, struct sample *sample)
{
	uint64_t half = set->count / 2, place = sample->id - set->first;
	uint64_t apart = set->count / (half < SAMPLE_HALF ? half : SAMPLE_HALF);
	uint64_t topic = sample->id % (SAMPLE_GROUPS - TOPICS);
	struct text *group = sample->groups;

	*group++ = sample_group(arena, TOPICS + topic);
	if (set->age == SAMPLE_CROWDED)
		*group++ = sample_group(arena, EVERYTHING);
	if (set->age == SAMPLE_CROWDED && place % apart < 2)
		*group++ = sample_group(arena, LEFT + place % apart);
	if (set->age == SAMPLE_CROWDED &&
	    place % (set->count / SAMPLE_THOUSAND) == 0)
		*group++ = sample_group(arena, THOUSAND);
	sample->group_count = (size_t)(group - sample->groups);
}

static int64_t
posted_at(const struct sample_set *set, uint64_t id)
{
	int64_t place = (int64_t)(set->first + set->count - 1 - id);

	switch (set->age) {
	case SAMPLE_SPREAD:
	case SAMPLE_CROWDED:
		return set->now -
		    place * SAMPLE_DAYS * DAY / (int64_t)set->count;
	case SAMPLE_CLOSED:
		return set->now - (SAMPLE_WINDOW + 1) * DAY - place;
	case SAMPLE_OPEN:
		break;
	}
	return set->now;
}

void
sample_make(struct arena *arena, const struct sample_set *set, uint64_t id,
    struct sample *sample)
{
	uint64_t votes = votes_of(id);

	*sample = (struct sample){ .id = id,
		.title = title_of(arena, id),
		.url = url_of(arena, id),
		.author = SAMPLE_READERS +
		    scatter(id, 4) % (SAMPLE_MEMBERS - SAMPLE_READERS - 1),
		.posted = posted_at(set, id),
		.down = votes / 8,
		.up = 1 + votes - votes / 8 };
	sample->closes = sample->posted + SAMPLE_WINDOW * DAY;
	sample->open = sample->closes > set->now;
	sample->interesting = sample->posted + DAY / 4;
	if (sample->interesting > set->now)
		sample->interesting = set->now;
	if (set->age == SAMPLE_SPREAD || set->age == SAMPLE_CROWDED)
		file(arena, set, sample);
}

uint64_t
sample_voter(const struct sample *sample, uint64_t index)
{
	/* 7 and 1,000 have no divisor in common: nobody comes twice. */
	return sample_member((sample->author + 7 * index) % SAMPLE_MEMBERS);
}

uint64_t
sample_member(uint64_t index)
{
	return (index + 1) * 1000;
}

struct text
sample_member_name(struct arena *arena, uint64_t index)
{
	return text_format(arena, "reader%03llu", (unsigned long long)index);
}

struct text
sample_group(struct arena *arena, uint64_t index)
{
	static const struct text names[] = { [EVERYTHING] =
						 TEXT_INIT("everything"),
		[THOUSAND] = TEXT_INIT("thousand"),
		[LEFT] = TEXT_INIT("left"),
		[RIGHT] = TEXT_INIT("right") };

	if (index < TOPICS)
		return names[index];
	return text_format(
	    arena, "topic-%03llu", (unsigned long long)(index - TOPICS + 1));
}
