#include "lists/vote_rings_find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/*
 * The stages:
 *
 *	votes --> find_voters --> connect_pairs --> gather_rings --> rings
 *	          bit sets,       union-find,       counts and the
 *	          popularity      is_pair           closest pair
 *	              |                                  ^
 *	              +------> join_blocks --------------+
 *	                       (lists/vote_rings_peel.h)
 *
 * 1. find_voters sorts the votes by voter, makes a set of bits of each voter's articles,
 *    weighs the articles, and keeps the VOTE_RINGS_MEMBERS voters with the fewest authors.
 * 2. connect_pairs compares all voters that are not in one ring yet. is_pair begins with
 *    what is cheap, counts of bits, and ends with the logarithms.
 * 3. join_blocks compares the members of each dense block, who may have other votes besides.
 * 4. gather_rings makes a ring of each root with its voters, and compares these again, for
 *    the number of pairs and the closest one.
 */

enum {
	WORDS = VOTE_RINGS_WORDS,
	YIELD_VOTERS = 1024,
	BLOCKS = 16, /* that are looked at */
	CORE_ARTICLES =
	    6 /* that members of a ring share, if they have others */
};

/* The logarithm of 1e-4, once in 10,000 times. */
static const double log_of_chance = -9.2103403719761836;

/* A member's upvotes, as bits. */
struct voter {
	uint64_t id;
	uint64_t bits[WORDS];
	size_t count;	/* of upvotes */
	size_t authors; /* of the articles */
	size_t top;  /* upvotes for the VOTE_RINGS_AUTHORS authors with most */
	size_t ring; /* the parent in the union-find forest; a root: itself */
	size_t core; /* of the same number above 0: joined in a block */
};

/* The authors of a set of articles. */
struct shares {
	size_t authors;
	size_t most[VOTE_RINGS_AUTHORS]; /* the numbers of those with most */
	size_t counts[VOTE_RINGS_AUTHORS];
	size_t top; /* the sum of their counts */
};

/* The state of a search. */
struct search {
	struct arena *arena;
	const struct vote_rings_input *input;
	struct voter *voters;
	size_t count;
	double *logs;				/* of factorials */
	double popularity[VOTE_RINGS_ARTICLES]; /* shares, which add up to 1 */
	size_t cores;
	/* Authors are numbered by their first article, which is the number. */
	uint32_t author_of[VOTE_RINGS_ARTICLES];
};

static int
compare_votes(const void *a, const void *b)
{
	const struct vote_rings_vote *one = a, *other = b;

	if (one->voter != other->voter)
		return one->voter < other->voter ? -1 : 1;
	return (one->article > other->article) -
	    (one->article < other->article);
}

/* Orders voters by authors per upvote, the fewest first. */
static int
compare_voters(const void *a, const void *b)
{
	const struct voter *one = a, *other = b;
	size_t first = one->authors * other->count;
	size_t second = other->authors * one->count;

	if (first != second)
		return first < second ? -1 : 1;
	return (one->id > other->id) - (one->id < other->id);
}

static bool
has_bit(const uint64_t *bits, size_t i)
{
	return (bits[i / 64] >> (i % 64) & 1) != 0;
}

static void
number_authors(struct search *search)
{
	const struct vote_rings_input *input = search->input;

	for (uint32_t i = 0; i < input->articles; i++) {
		search->author_of[i] = i;
		for (uint32_t j = 0; j < i; j++)
			if (input->authors[j] == input->authors[i]) {
				search->author_of[i] = j;
				break;
			}
	}
}

/* Inserts an author into those with most articles. */
static void
insert_author(struct shares *shares, size_t author, size_t count)
{
	for (size_t i = 0; i < VOTE_RINGS_AUTHORS; i++) {
		size_t other = shares->most[i], others = shares->counts[i];

		if (count <= others)
			continue;
		shares->most[i] = author;
		shares->counts[i] = count;
		author = other;
		count = others;
	}
}

/* Takes a step for each article, however many authors there are. */
static struct shares
count_authors(const struct search *search, const uint64_t *bits)
{
	uint16_t counts[VOTE_RINGS_ARTICLES] = { 0 };
	struct shares shares = { .authors = 0 };

	for (size_t w = 0; w < WORDS; w++)
		for (uint64_t word = bits[w]; word != 0; word &= word - 1)
			counts[search->author_of[w * 64 +
			    (size_t)__builtin_ctzll(word)]]++;
	for (size_t i = 0; i < search->input->articles; i++) {
		shares.authors += counts[i] > 0;
		if (counts[i] > shares.counts[VOTE_RINGS_AUTHORS - 1])
			insert_author(&shares, i, counts[i]);
	}
	for (size_t i = 0; i < VOTE_RINGS_AUTHORS; i++)
		shares.top += shares.counts[i];
	return shares;
}

/* True for four fifths or more. */
static bool
is_most(size_t top, size_t count)
{
	return top * 5 >= count * 4;
}

/* Computes the popularity of articles with members who vote for more than a few authors, without
 * those whose left_out is set, if it is given. */
static void
weigh_articles(
    const struct search *search, const bool *left_out, double *popularity)
{
	size_t articles = search->input->articles;
	double all = (double)articles;

	for (size_t i = 0; i < articles; i++)
		popularity[i] = 1;
	for (size_t i = 0; i < search->count; i++) {
		const struct voter *voter = &search->voters[i];

		if (is_most(voter->top, voter->count) ||
		    (left_out != NULL && left_out[i]))
			continue;
		for (size_t w = 0; w < WORDS; w++)
			for (uint64_t word = voter->bits[w]; word != 0;
			    word &= word - 1)
				popularity[w * 64 +
				    (size_t)__builtin_ctzll(word)]++;
		all += (double)voter->count;
	}
	for (size_t i = 0; i < articles; i++)
		popularity[i] /= all;
}

static void
yield_search(const struct search *search)
{
	if (search->input->yield != NULL)
		search->input->yield(search->input->yield_data);
}

/* Finds the voters with enough upvotes. True when there were more than the limit. */
static bool
find_voters(struct search *search)
{
	const struct vote_rings_input *input = search->input;
	struct shares shares;
	size_t end;
	bool is_cut;

	if (input->count > 0)
		qsort(input->votes, input->count, sizeof(*input->votes),
		    compare_votes);
	search->voters = arena_new(search->arena, struct voter,
	    input->count / VOTE_RINGS_MIN_UPVOTES + 1);
	for (size_t start = 0; start < input->count; start = end) {
		struct voter *voter = &search->voters[search->count];
		uint64_t id = input->votes[start].voter;

		*voter = (struct voter){ .id = id };
		for (end = start;
		    end < input->count && input->votes[end].voter == id;
		    end++) {
			uint32_t article = input->votes[end].article;

			voter->bits[article / 64] |= UINT64_C(1)
			    << (article % 64);
		}
		voter->count = end - start;
		if (voter->count < VOTE_RINGS_MIN_UPVOTES)
			continue;
		shares = count_authors(search, voter->bits);
		voter->authors = shares.authors;
		voter->top = shares.top;
		if (++search->count % YIELD_VOTERS == 0)
			yield_search(search);
	}
	weigh_articles(search, NULL, search->popularity);
	if (search->count > 0)
		qsort(search->voters, search->count, sizeof(*search->voters),
		    compare_voters);
	is_cut = search->count > VOTE_RINGS_MEMBERS;
	if (is_cut)
		search->count = VOTE_RINGS_MEMBERS;
	for (size_t i = 0; i < search->count; i++)
		search->voters[i].ring = i;
	return is_cut;
}

static size_t
common_bits(const struct voter *a, const struct voter *b, uint64_t bits[WORDS])
{
	size_t count = 0;

	for (size_t i = 0; i < WORDS; i++) {
		bits[i] = a->bits[i] & b->bits[i];
		count += (size_t)__builtin_popcountll(bits[i]);
	}
	return count;
}

/* The logarithm of C(n, k). */
static double
log_choose(const struct search *search, size_t n, size_t k)
{
	return search->logs[n] - search->logs[k] - search->logs[n - k];
}

/* The logarithm of a bound of the probability that these are the same by chance. A logarithm
 * is computed for a batch of factors: there may be half a million pairs. */
static double
log_chance(const struct search *search, const double *popularity, size_t a,
    size_t b, const uint64_t *bits, size_t common)
{
	enum { BATCH = 16 };
	double sum = log_choose(search, a, common) +
	    log_choose(search, b, common) + search->logs[common];
	double product = 1, left = 1;
	size_t taken = 0;

	for (size_t w = 0; w < WORDS; w++)
		for (uint64_t word = bits[w]; word != 0; word &= word - 1) {
			double share =
			    popularity[w * 64 + (size_t)__builtin_ctzll(word)];

			/* The rest of 1 is never less, except by rounding. */
			product *= left > share ? share / left : 1;
			left -= share;
			if (++taken % BATCH == 0) {
				sum += log(product);
				product = 1;
			}
		}
	return sum + log(product);
}

/* True when most articles are by a few authors, at most half as many as the articles:
 * readers who upvote what is at the top of the list upvote the same as others. */
static bool
is_of_few(const struct search *search, const uint64_t *bits, size_t count)
{
	struct shares shares = count_authors(search, bits);
	size_t top = 0;

	for (size_t i = 0; i < VOTE_RINGS_AUTHORS && i < count / 2; i++)
		top += shares.counts[i];
	return is_most(top, count);
}

static bool
is_pair(const struct search *search, const struct voter *a,
    const struct voter *b, uint64_t bits[WORDS], size_t *common)
{
	*common = common_bits(a, b, bits);
	return *common >= VOTE_RINGS_MIN_UPVOTES &&
	    *common * 2 >= a->count + b->count - *common &&
	    /* Few authors have no more of the shared articles than of all. */
	    is_most(a->top, *common) && is_most(b->top, *common) &&
	    is_of_few(search, bits, *common) &&
	    log_chance(search, search->popularity, a->count, b->count, bits,
		*common) <= log_of_chance;
}

static size_t
find_root(struct search *search, size_t voter)
{
	struct voter *voters = search->voters;

	while (voters[voter].ring != voter) {
		voters[voter].ring = voters[voters[voter].ring].ring;
		voter = voters[voter].ring;
	}
	return voter;
}

/* The first voter of a ring is its root. */
static void
join_rings(struct search *search, size_t one, size_t other)
{
	size_t first = find_root(search, one),
	       second = find_root(search, other);

	search->voters[first > second ? first : second].ring =
	    first < second ? first : second;
}

static void
connect_pairs(struct search *search)
{
	uint64_t bits[WORDS];
	size_t common;

	for (size_t i = 0; i < search->count; i++) {
		for (size_t j = i + 1; j < search->count; j++)
			if (find_root(search, i) != find_root(search, j) &&
			    is_pair(search, &search->voters[i],
				&search->voters[j], bits, &common))
				join_rings(search, i, j);
		yield_search(search);
	}
}

/* The articles by the few authors who wrote most of some. */
static void
keep_authors(const struct search *search, const struct shares *shares,
    const uint64_t *bits, uint64_t kept[WORDS])
{
	for (size_t w = 0; w < WORDS; w++) {
		kept[w] = 0;
		for (uint64_t word = bits[w]; word != 0; word &= word - 1) {
			size_t i = w * 64 + (size_t)__builtin_ctzll(word);

			for (size_t k = 0; k < VOTE_RINGS_AUTHORS; k++)
				if (shares->counts[k] > 0 &&
				    search->author_of[i] == shares->most[k])
					kept[w] |= word & -word;
		}
	}
}

static size_t
count_bits(const uint64_t *bits)
{
	size_t count = 0;

	for (size_t w = 0; w < WORDS; w++)
		count += (size_t)__builtin_popcountll(bits[w]);
	return count;
}

/* What few authors have of a core is no more than what a few have of all. */
static bool
may_have_core(const struct voter *voter)
{
	return voter->top >= CORE_ARTICLES &&
	    voter->top * 5 >= voter->count * 2;
}

/*
 * True when two have the core of a ring: CORE_ARTICLES or more in common, by half as many authors
 * as those at most, who are few; that is three quarters of all by these authors that either has
 * upvoted, and two fifths of each one's upvotes. Fans of an author upvote what they like, and so
 * not the same.
 */
static bool
share_core(const struct search *search, const struct voter *a,
    const struct voter *b, uint64_t core[WORDS], size_t *common)
{
	uint64_t shared[WORDS], either[WORDS], theirs[WORDS];
	struct shares shares;

	if (!may_have_core(a) || !may_have_core(b))
		return false;
	*common = common_bits(a, b, shared);
	if (*common < CORE_ARTICLES || *common * 5 < a->count * 2 ||
	    *common * 5 < b->count * 2)
		return false;
	shares = count_authors(search, shared);
	keep_authors(search, &shares, shared, core);
	for (size_t w = 0; w < WORDS; w++)
		either[w] = a->bits[w] | b->bits[w];
	keep_authors(search, &shares, either, theirs);
	*common = count_bits(core);
	return *common >= CORE_ARTICLES && *common * 5 >= a->count * 2 &&
	    *common * 5 >= b->count * 2 &&
	    *common * 4 >= count_bits(theirs) * 3 &&
	    is_of_few(search, core, *common);
}

/* Whether two have so much in common by chance once in 10,000 times that all pairs are compared. */
static bool
is_beyond_chance(const struct search *search, const double *popularity,
    const struct voter *a, const struct voter *b, const uint64_t *core,
    size_t common)
{
	double pairs = (double)search->count * (double)search->count / 2;

	return log_chance(search, popularity, a->count, b->count, core,
		   common) <= log_of_chance - log(pairs);
}

/* Joins with one of a block all others who have the same core, unless more members upvote that
 * as well: also those whom the search has left out of the block. */
static void
join_core(struct search *search, size_t first, bool *alike)
{
	struct voter *one = &search->voters[first];
	double popularity[VOTE_RINGS_ARTICLES];
	uint64_t core[WORDS];
	size_t common, count = 0;

	if (!may_have_core(one))
		return;
	memset(alike, 0, search->count * sizeof(*alike));
	alike[first] = true;
	for (size_t i = 0; i < search->count; i++)
		if (i != first &&
		    share_core(search, one, &search->voters[i], core, &common))
			count += alike[i] = true;
	if (count == 0)
		return;
	weigh_articles(search, alike, popularity);
	for (size_t i = 0; i < search->count; i++) {
		struct voter *other = &search->voters[i];

		if (!alike[i] || i == first || other->core != 0 ||
		    !share_core(search, one, other, core, &common) ||
		    !is_beyond_chance(
			search, popularity, one, other, core, common))
			continue;
		if (one->core == 0)
			one->core = ++search->cores;
		other->core = one->core;
		join_rings(search, first, i);
	}
}

/* Finds the rings whose members have upvoted other articles as well, as camouflage. */
static void
join_blocks(struct search *search)
{
	struct vote_block_search blocks = { .votes = arena_new(search->arena,
						uint64_t, search->count *WORDS),
		.members = search->count,
		.articles = search->input->articles,
		.yield = search->input->yield,
		.yield_data = search->input->yield_data };
	bool *alike = arena_new(search->arena, bool, search->count);
	struct vote_block block;

	for (size_t i = 0; i < search->count; i++)
		memcpy(blocks.votes + i * WORDS, search->voters[i].bits,
		    sizeof(search->voters[i].bits));
	for (size_t n = 0; n < BLOCKS && search->count > 1 &&
	    vote_rings_peel(search->arena, &blocks, &block);
	    n++)
		for (size_t i = 0; i < search->count; i++) {
			if (block.has[i] && search->voters[i].core == 0)
				join_core(search, i, alike);
			yield_search(search);
		}
}

/*
 * The moment t until which so many articles come by chance; infinite for all of them. The
 * sum grows ever more slowly, so Newton's method nears the moment from below.
 */
static double
moment_of(const struct search *search, size_t count)
{
	double t = 0, step;

	if (count >= search->input->articles)
		return INFINITY;
	do {
		double missing = (double)count, slope = 0;

		for (size_t i = 0; i < search->input->articles; i++) {
			double q = search->popularity[i], left = exp(-q * t);

			missing -= 1 - left;
			slope += q * left;
		}
		step = missing / slope;
		t += step;
	} while (step > 1e-6 * t);
	return t;
}

/* The number of articles that voters with a and b upvotes share by chance, on average, in
 * hundredths. */
static int64_t
expected_common(const struct search *search, size_t a, size_t b)
{
	double first = moment_of(search, a), second = moment_of(search, b);
	double sum = 0;

	for (size_t i = 0; i < search->input->articles; i++) {
		double q = search->popularity[i];

		sum += (1 - exp(-q * first)) * (1 - exp(-q * second));
	}
	return llround(sum * 100);
}

/* Two of a ring, and the articles that they share. */
struct pair {
	const struct voter *one, *other;
	uint64_t shared[WORDS];
};

/* Counts two of a ring if they are a pair; and notes the closest pair. */
static void
note_pair(const struct search *search, struct vote_ring *ring,
    const struct voter *a, const struct voter *b, struct pair *closest)
{
	struct pair pair = { .one = a, .other = b };
	size_t common, either;

	if (!is_pair(search, a, b, pair.shared, &common) &&
	    !(a->core != 0 && a->core == b->core &&
		share_core(search, a, b, pair.shared, &common)))
		return;
	ring->pairs++;
	either = a->count + b->count - common;
	if (ring->pairs > 1 && common * ring->either <= ring->common * either)
		return;
	ring->common = common;
	ring->either = either;
	*closest = pair;
}

static void
list_articles(
    const struct search *search, struct vote_ring *ring, const uint64_t *shared)
{
	size_t room =
	    ring->common < VOTE_RINGS_SHOWN ? ring->common : VOTE_RINGS_SHOWN;

	ring->articles =
	    arena_new(search->arena, struct vote_ring_article, room);
	for (size_t i = 0; ring->shown < room; i++)
		if (has_bit(shared, i))
			ring->articles[ring->shown++].id =
			    search->input->ids[i];
}

static void
describe_ring(
    const struct search *search, const size_t *numbers, struct vote_ring *ring)
{
	uint64_t seen[WORDS] = { 0 }, bits[WORDS];
	struct voter twice = { .id = 0 };
	struct pair closest = { .one = NULL };
	struct shares shares;

	for (size_t i = 0; i < ring->count; i++) {
		const struct voter *voter = &search->voters[numbers[i]];

		for (size_t w = 0; w < WORDS; w++) {
			twice.bits[w] |= seen[w] & voter->bits[w];
			seen[w] |= voter->bits[w];
		}
		for (size_t j = 0; j < i; j++)
			note_pair(search, ring, &search->voters[numbers[j]],
			    voter, &closest);
		yield_search(search);
	}
	/* Pairs connect the ring, so it has one. */
	ring->expected =
	    expected_common(search, closest.one->count, closest.other->count);
	list_articles(search, ring, closest.shared);
	for (size_t i = 0; i < ring->count; i++) {
		const struct voter *voter = &search->voters[numbers[i]];

		ring->members[i] =
		    (struct vote_ring_member){ .member.id = voter->id,
			    .upvotes = voter->count,
			    .shared = common_bits(voter, &twice, bits) };
	}
	shares = count_authors(search, twice.bits);
	for (size_t i = 0; i < VOTE_RINGS_AUTHORS && shares.counts[i] > 0; i++)
		ring->authors[ring->author_count++].id =
		    search->input->authors[shares.most[i]];
}

static int
compare_rings(const void *a, const void *b)
{
	const struct vote_ring *one = a, *other = b;

	if (one->count != other->count)
		return one->count > other->count ? -1 : 1;
	return (one->common < other->common) - (one->common > other->common);
}

/* Makes a ring of each root that has other voters. */
static void
gather_rings(struct search *search, struct vote_rings *rings)
{
	size_t *numbers = arena_new(search->arena, size_t, search->count);

	rings->items =
	    arena_new(search->arena, struct vote_ring, search->count / 2);
	for (size_t first = 0; first < search->count; first++) {
		struct vote_ring ring = { .count = 0 };

		for (size_t i = first; i < search->count; i++)
			if (find_root(search, i) == first)
				numbers[ring.count++] = i;
		if (ring.count < 2)
			continue;
		ring.members = arena_new(
		    search->arena, struct vote_ring_member, ring.count);
		describe_ring(search, numbers, &ring);
		rings->items[rings->count++] = ring;
	}
	if (rings->count > 0)
		qsort(rings->items, rings->count, sizeof(*rings->items),
		    compare_rings);
}

void
vote_rings_find(struct arena *arena, struct vote_rings_input *input,
    struct vote_rings *rings)
{
	struct search search = { .arena = arena, .input = input };

	search.logs = arena_new(arena, double, input->articles + 1);
	for (size_t i = 2; i <= input->articles; i++)
		search.logs[i] = search.logs[i - 1] + log((double)i);
	number_authors(&search);
	if (find_voters(&search))
		rings->is_cut = true;
	rings->articles = input->articles;
	rings->votes = input->count;
	rings->members = search.count;
	connect_pairs(&search);
	join_blocks(&search);
	gather_rings(&search, rings);
}
