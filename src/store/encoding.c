#include "store/encoding.h"

#include "base/arena.h"

enum {
	ARTICLE_SIZE = 6,   /* bytes of an article's id in a sorted set */
	SHORT_SIZE_MAX = 6, /* of a short number: room for 42 bits */
	SHORT_BITS = 7	    /* of the number in each byte of a short one */
};

static struct text
encode_number(struct arena *arena, uint64_t number, size_t size)
{
	char *bytes = arena_bytes(arena, size);

	for (size_t i = size; i-- > 0; number >>= 8)
		bytes[i] = (char)number;
	return (struct text){ bytes, size };
}

uint64_t
decode_number(struct text bytes)
{
	uint64_t number = 0;

	for (size_t i = 0; i < bytes.size; i++)
		number = number << 8 | (unsigned char)bytes.data[i];
	return number;
}

/* The prefix of a short number of that many bytes: size - 1 one bits and a zero. */
static uint64_t
short_prefix(size_t size)
{
	return (uint64_t)(0x100 - (0x200 >> size)) << 8 * (size - 1);
}

static struct text
encode_short(struct arena *arena, uint64_t number)
{
	size_t size = 1;

	while (number >> SHORT_BITS * size != 0)
		size++;
	return encode_number(arena, short_prefix(size) | number, size);
}

/* Removes a short number from the front of the bytes; 0 when there is none. */
static uint64_t
decode_short(struct text *bytes)
{
	size_t size = 1;
	uint64_t number;

	if (bytes->size == 0)
		return 0;
	while (((unsigned char)bytes->data[0] << (size - 1) & 0x80) != 0)
		size++;
	if (size > SHORT_SIZE_MAX || size > bytes->size)
		return 0;
	number =
	    decode_number(text_slice(*bytes, 0, size)) - short_prefix(size);
	*bytes = text_slice(*bytes, size, bytes->size);
	return number;
}

struct text
encode_post(struct arena *arena, struct post_id id)
{
	return id.comment == 0
	    ? encode_number(arena, id.article, ARTICLE_SIZE)
	    : text_join(arena, encode_short(arena, id.article),
		  encode_short(arena, id.comment));
}

struct post_id
decode_post(struct text member)
{
	const struct post_id none = { .article = 0 };
	struct post_id id = none;

	if (member.size == ARTICLE_SIZE && member.data[0] == 0) {
		id.article = decode_number(member);
		return id;
	}
	id.article = decode_short(&member);
	id.comment = decode_short(&member);
	return id.article == 0 || id.comment == 0 || member.size > 0 ||
		id.comment >> KEY_COMMENT_BITS != 0
	    ? none
	    : id;
}

#define IS_COMMENT (UINT64_C(1) << 63)

uint64_t
post_id_to_number(struct post_id id)
{
	return id.comment == 0
	    ? id.article
	    : IS_COMMENT | id.article << KEY_COMMENT_BITS | id.comment;
}

struct post_id
post_id_from_number(uint64_t number)
{
	const uint64_t comments = (UINT64_C(1) << KEY_COMMENT_BITS) - 1;
	struct post_id id = { .article = number };

	if ((number & IS_COMMENT) != 0) {
		id.article = (number & ~IS_COMMENT) >> KEY_COMMENT_BITS;
		id.comment = number & comments;
	}
	return id;
}

uint64_t
decode_post_number(struct text member)
{
	return post_id_to_number(decode_post(member));
}
