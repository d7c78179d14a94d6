#include "base/crypto.h"

#include <sodium.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"

enum { PASSES = 2, MEMORY = 19 * 1024 * 1024 };

/* The most that a loaded hash may cost: 0.2 s, and a fraction of a worker's memory. */
enum { COST_KIB_MAX = 65536, COST_PASSES_MAX = 4, COST_LANES_MAX = 4 };

void
crypto_start(void)
{
	if (sodium_init() < 0)
		log_fatal("cannot initialize libsodium");
}

static struct text
encode_hex(struct arena *arena, const unsigned char *bytes, size_t size)
{
	char *digits = arena_bytes(arena, size * 2 + 1);

	sodium_bin2hex(digits, size * 2 + 1, bytes, size);
	return (struct text){ digits, size * 2 };
}

struct text
crypto_random_hex(struct arena *arena, size_t size)
{
	unsigned char *bytes = arena_bytes(arena, size);

	randombytes_buf(bytes, size);
	return encode_hex(arena, bytes, size);
}

/* Each character is five random bits. */
struct text
crypto_random_base32(struct arena *arena, size_t size)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	size_t count = size * 8 / 5;
	char *characters = arena_bytes(arena, count);

	for (size_t i = 0; i < count; i++)
		characters[i] = alphabet[randombytes_uniform(32)];
	return (struct text){ characters, count };
}

struct text
crypto_base64(struct arena *arena, struct text bytes)
{
	size_t size = sodium_base64_encoded_len(
	    bytes.size, sodium_base64_VARIANT_ORIGINAL);
	char *base64 = arena_bytes(arena, size);

	sodium_bin2base64(base64, size, (const unsigned char *)bytes.data,
	    bytes.size, sodium_base64_VARIANT_ORIGINAL);
	return (struct text){ base64, size - 1 };
}

bool
crypto_read_base64(struct arena *arena, struct text base64, struct text *bytes)
{
	size_t room = base64.size / 4 * 3 + 3;
	unsigned char *place = arena_bytes(arena, room);

	bytes->data = (const char *)place;
	return sodium_base642bin(place, room, base64.data, base64.size, NULL,
		   &bytes->size, NULL, sodium_base64_VARIANT_ORIGINAL) == 0;
}

struct text
crypto_sha256_hex(struct arena *arena, struct text message)
{
	unsigned char digest[crypto_hash_sha256_BYTES];

	crypto_hash_sha256(
	    digest, (const unsigned char *)message.data, message.size);
	return encode_hex(arena, digest, sizeof(digest));
}

struct text
crypto_version(struct arena *arena, struct text file)
{
	enum { DIGITS = 12 };

	return text_slice(crypto_sha256_hex(arena, file), 0, DIGITS);
}

struct digest {
	unsigned char bytes[crypto_generichash_BYTES];
};

static struct digest
make_digest(struct text key, struct text message)
{
	struct digest digest;

	if (crypto_generichash(digest.bytes, sizeof(digest.bytes),
		(const unsigned char *)message.data, message.size,
		(const unsigned char *)key.data, key.size) != 0)
		log_fatal("a hash key of %zu bytes is too long", key.size);
	return digest;
}

struct text
crypto_digest_hex(struct arena *arena, struct text key, struct text message)
{
	struct digest digest = make_digest(key, message);

	return encode_hex(arena, digest.bytes, sizeof(digest.bytes));
}

/* Both inline: text_hex_digit took 1.5 % of a member's page for its mask. */
static bool
is_digit(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

bool
crypto_is_digest_hex(struct text text)
{
	for (size_t i = 0; i < text.size; i++)
		if (!is_digit(text.data[i]))
			return false;
	_Static_assert(2 * sizeof(struct digest) == CRYPTO_DIGEST_DIGITS,
	    "two digits a byte");
	return text.size == CRYPTO_DIGEST_DIGITS;
}

static unsigned
digit_value(char c)
{
	return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* Digits of one exclusive or the other: both have CRYPTO_DIGEST_DIGITS. */
static void
combine_digits(char *result, const char *one, const char *other)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < CRYPTO_DIGEST_DIGITS; i++)
		result[i] = digits[digit_value(one[i]) ^ digit_value(other[i])];
}

/* The digits of a pad, which is sent beside what it masks, and so no secret: that it is another
 * one each time is enough. Many are drawn with one system call. */
static struct text
next_pad(struct arena *arena)
{
	enum { PADS = 64 };
	static struct digest pads[PADS];
	static size_t left;

	if (left == 0) {
		randombytes_buf(pads, sizeof(pads));
		left = PADS;
	}
	return encode_hex(arena, pads[--left].bytes, sizeof(struct digest));
}

struct text
crypto_mask_digest(struct arena *arena, struct text digest)
{
	struct text pad;
	char *masked;

	if (!crypto_is_digest_hex(digest))
		return (struct text){ NULL, 0 };
	pad = next_pad(arena);
	masked = arena_bytes(arena, 2 * (size_t)CRYPTO_DIGEST_DIGITS);
	memcpy(masked, pad.data, CRYPTO_DIGEST_DIGITS);
	combine_digits(masked + CRYPTO_DIGEST_DIGITS, pad.data, digest.data);
	return (struct text){ masked, 2 * (size_t)CRYPTO_DIGEST_DIGITS };
}

struct text
crypto_unmask_digest(struct arena *arena, struct text masked)
{
	struct text pad = text_slice(masked, 0, CRYPTO_DIGEST_DIGITS);
	struct text digits =
	    text_slice(masked, CRYPTO_DIGEST_DIGITS, masked.size);
	char *digest;

	if (!crypto_is_digest_hex(pad) || !crypto_is_digest_hex(digits))
		return masked;
	digest = arena_bytes(arena, CRYPTO_DIGEST_DIGITS);
	combine_digits(digest, pad.data, digits.data);
	return (struct text){ digest, CRYPTO_DIGEST_DIGITS };
}

struct text
crypto_digest_base64(struct arena *arena, struct text message)
{
	const int variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
	struct digest digest = make_digest(TEXT(""), message);
	size_t room = sodium_base64_encoded_len(sizeof(digest.bytes), variant);
	char *text = arena_bytes(arena, room);

	return text_of(sodium_bin2base64(
	    text, room, digest.bytes, sizeof(digest.bytes), variant));
}

bool
crypto_equal(struct text a, struct text b)
{
	return a.size == b.size &&
	    (a.size == 0 || sodium_memcmp(a.data, b.data, a.size) == 0);
}

struct text
crypto_password_hash(struct arena *arena, struct text password)
{
	char *hash = arena_bytes(arena, crypto_pwhash_STRBYTES);

	if (crypto_pwhash_str(
		hash, password.data, password.size, PASSES, MEMORY) != 0)
		log_fatal("out of memory: cannot hash a password");
	return text_of(hash);
}

bool
crypto_password_matches(struct text hash, struct text password)
{
	/* A hash that no password has, so that an unknown member costs the same. */
	static const char nobody[] =
	    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$"
	    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
	char string[crypto_pwhash_STRBYTES] = { 0 };
	bool known = crypto_password_hash_valid(hash);

	if (!known)
		hash = text_of(nobody);
	memcpy(string, hash.data, hash.size);
	return crypto_pwhash_str_verify(string, password.data, password.size) ==
	    0 &&
	    known;
}

/* Whether the next part of a list is a name, "=" and a number up to max. */
static bool
cut_number(struct text *list, const char *name, uint64_t max)
{
	struct text part, key;
	uint64_t number;

	return text_cut(list, ',', &part) && text_cut(&part, '=', &key) &&
	    text_equal(key, text_of(name)) && text_to_u64(part, &number) &&
	    number <= max;
}

/* The fourth part of "$argon2id$v=19$m=19456,t=2,p=1$..." has the cost. */
static bool
is_affordable(struct text hash)
{
	struct text cost;

	for (int i = 0; i < 4; i++)
		if (!text_cut(&hash, '$', &cost))
			return false;
	return cut_number(&cost, "m", COST_KIB_MAX) &&
	    cut_number(&cost, "t", COST_PASSES_MAX) &&
	    cut_number(&cost, "p", COST_LANES_MAX);
}

bool
crypto_password_hash_valid(struct text hash)
{
	char string[crypto_pwhash_STRBYTES] = { 0 };

	if (hash.size == 0 || hash.size >= sizeof(string) ||
	    !text_starts(hash, TEXT("$argon2id$")))
		return false;
	memcpy(string, hash.data, hash.size);
	return is_affordable(hash) &&
	    crypto_pwhash_str_needs_rehash(string, PASSES, MEMORY) >= 0;
}
