/*
 * Random bytes, digests and password hashes, from libsodium.
 *
 * A digest is 256 bits, written as 64 lower-case hexadecimal digits.
 */
#pragma once

#include "base/text.h"

/* Call once, before any fork. Ends the process on failure. */
void crypto_start(void);

/* size random bytes as 2 x size hexadecimal digits. */
struct text crypto_random_hex(struct arena *arena, size_t size);

/* size random bytes in base32 (RFC 4648, section 6); size is a multiple of 5. */
struct text crypto_random_base32(struct arena *arena, size_t size);

/*
 * BLAKE2b (RFC 7693); with a key of at most CRYPTO_KEY_MAX bytes, a message authentication
 * code. For a cookie's 64 bytes it takes a third of the instructions of SHA-256 and
 * a fifth of those of HMAC-SHA-256, which were a sixth of a member's page.
 */
enum { CRYPTO_KEY_MAX = 64, CRYPTO_DIGEST_DIGITS = 64 };
struct text crypto_digest_hex(
    struct arena *arena, struct text key, struct text message);

/* Whether a text may be one. */
bool crypto_is_digest_hex(struct text text);

/*
 * A digest under a mask: a random pad, and what the pad makes of the digest by exclusive or, each
 * in CRYPTO_DIGEST_DIGITS. A page whose masks differ from answer to answer tells nothing about the
 * digest by its compressed size (BREACH, Gluck, Harris and Prado 2013, 3.4). Empty for what is no
 * digest.
 */
struct text crypto_mask_digest(struct arena *arena, struct text digest);

/* The digest under a mask. Any other text is returned as it is. */
struct text crypto_unmask_digest(struct arena *arena, struct text masked);

/* A digest without a key in base64url (RFC 4648, section 5): 6 bits a character. */
struct text crypto_digest_base64(struct arena *arena, struct text message);

/* Any bytes in base64 (RFC 4648, section 4); and back, false when they are no base64. */
struct text crypto_base64(struct arena *arena, struct text bytes);
bool crypto_read_base64(
    struct arena *arena, struct text base64, struct text *bytes);

/* SHA-256 (FIPS 180-4), the form in which Redis is configured with passwords. */
struct text crypto_sha256_hex(struct arena *arena, struct text message);

/* The first twelve digits of it, for the address of a file that browsers cache for a year. */
struct text crypto_version(struct arena *arena, struct text file);

/* Compares in constant time; only the lengths may be learned from it. */
bool crypto_equal(struct text a, struct text b);

/*
 * The password's argon2id hash ("$argon2id$v=19$m=19456,t=2,p=1$..."): 19 MiB
 * and 2 passes, about 20 ms, expensive enough against guessing and affordable
 * for the server. Source: OWASP Password Storage Cheat Sheet, argon2id.
 */
struct text crypto_password_hash(struct arena *arena, struct text password);

/*
 * Whether a password matches a hash. An empty hash, as of an unknown member, matches none,
 * which takes as long as any other comparison.
 */
bool crypto_password_matches(struct text hash, struct text password);

/*
 * Whether it is an argon2id hash of at most 64 MiB, 4 passes and 4 lanes. A hash from a
 * dump can be anything, and every log-in pays its cost. An invalid hash matches no
 * password.
 */
bool crypto_password_hash_valid(struct text hash);
