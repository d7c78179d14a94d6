#include "lists/thread_votes.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"

enum { BLOCK_BYTES = THREAD_VOTES_BLOCK / 4, KNOWN = 1 };

struct thread_votes_block {
	uint64_t number;
	unsigned char bits[BLOCK_BYTES];
	size_t size; /* bytes up to the last comment that is known */
	bool has_new;
	struct thread_votes_block *next;
};

static struct text
block_name(const struct thread_votes *votes, uint64_t number)
{
	const uint64_t parts[] = { votes->article, number };
	struct buffer name = buffer_in(votes->arena, 24);

	buffer_add_varints(&name, parts, sizeof(parts) / sizeof(parts[0]));
	return buffer_text(&name);
}

static struct thread_votes_block *
load_block(struct thread_votes *votes, uint64_t number)
{
	struct thread_votes_block *block =
	    arena_new(votes->arena, struct thread_votes_block, 1);
	struct text cached;

	block->number = number;
	block->next = votes->blocks;
	votes->blocks = block;
	if (read_cache_get_own(votes->cache, votes->arena, votes->stamp,
		OWN_THREAD_VOTES, votes->user, block_name(votes, number),
		&cached)) {
		memcpy(block->bits, cached.data, cached.size);
		block->size = cached.size;
	}
	return block;
}

static struct thread_votes_block *
block_of(struct thread_votes *votes, uint64_t comment)
{
	uint64_t number = comment / THREAD_VOTES_BLOCK;
	struct thread_votes_block *block = votes->blocks;

	while (block != NULL && block->number != number)
		block = block->next;
	return block != NULL ? block : load_block(votes, number);
}

bool
thread_votes_get(struct thread_votes *votes, uint64_t comment, enum vote *vote)
{
	const struct thread_votes_block *block = block_of(votes, comment);
	uint64_t place = comment % THREAD_VOTES_BLOCK;
	unsigned bits = (block->bits[place / 4] >> (place % 4 * 2)) & 3;

	if (bits == 0)
		return false;
	*vote = (enum vote)(bits - KNOWN);
	return true;
}

void
thread_votes_add(struct thread_votes *votes, uint64_t comment, enum vote vote)
{
	struct thread_votes_block *block = block_of(votes, comment);
	uint64_t place = comment % THREAD_VOTES_BLOCK;
	unsigned char *byte = &block->bits[place / 4];
	unsigned shift = (unsigned)(place % 4 * 2);

	*byte = (unsigned char)((*byte & ~(3u << shift)) |
	    ((unsigned)vote + KNOWN) << shift);
	if (block->size <= place / 4)
		block->size = place / 4 + 1;
	block->has_new = true;
}

void
thread_votes_save(const struct thread_votes *votes)
{
	const struct thread_votes_block *block = votes->blocks;

	for (; block != NULL; block = block->next)
		if (block->has_new)
			read_cache_put_own(votes->cache, votes->arena,
			    votes->stamp, OWN_THREAD_VOTES, votes->user,
			    block_name(votes, block->number),
			    (struct text){
				(const char *)block->bits, block->size });
}
