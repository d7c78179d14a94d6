/*
 * Byte encodings of post ids, as members of the sorted sets in Redis and as single
 * numbers in memory. functions/keys.lua encodes in the same way; tests/store/keys_test
 * compares the two.
 *
 * Redis breaks ties between equal scores by these bytes, so they sort as
 * post_id_to_number does. And they are short: in decimal digits an article took 20 bytes
 * more of Redis, and in nine fixed bytes a comment took seven more.
 *
 *	article 7, or entry 7 of the log   00 00 00 00 00 07   the id in six bytes,
 *	                                                       the first always 0
 *	comment 3 of article 7             07 03               two short numbers
 *
 * A short number takes as few bytes as it needs. Its first byte begins with as many one
 * bits as bytes follow, and then a zero bit: 127 is 7f, 128 is 80 80, and 16,384 is
 * c0 40 00.
 */
#pragma once

#include "store/keys.h"

/* The member of a sorted set for a post, in the arena. */
struct text encode_post(struct arena *arena, struct post_id id);

/* The post of such a member; article and comment are 0 when it is malformed. */
struct post_id decode_post(struct text member);

/* The same as one number; 0 when it is malformed. */
uint64_t decode_post_number(struct text member);

/* A big-endian unsigned number of up to eight bytes. */
uint64_t decode_number(struct text bytes);

/* A post as one number: an article's is its id. Those of comments are larger than that
 * of any article, and in order of article and comment. */
uint64_t post_id_to_number(struct post_id id);
struct post_id post_id_from_number(uint64_t number);
