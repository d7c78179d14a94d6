/*
 * Time-based one-time passwords (RFC 6238): SHA-1, six digits, a code for each step of 30
 * seconds, as all authenticator apps have them. From liboath.
 */
#pragma once

#include "base/text.h"

enum { TOTP_DIGITS = 6, TOTP_SECONDS = 30 };

/* A new secret: 160 random bits in base32, 32 characters. */
struct text totp_new_secret(struct arena *arena);
bool totp_is_secret(struct text text);

/*
 * Finds the step of which this is the code: the one at a moment in Unix seconds or, since
 * clocks differ and typing takes time, the one before or after it. False when it is the code of
 * none of them.
 */
bool totp_find_step(struct arena *arena, struct text secret, struct text code,
    int64_t now, int64_t *step);

/* The code at a moment. The secret is valid. */
struct text totp_code(struct arena *arena, struct text secret, int64_t now);
