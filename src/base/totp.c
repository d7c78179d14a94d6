#include "base/totp.h"

#include <liboath/oath.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/crypto.h"
#include "base/log.h"

enum { SECRET_BYTES = 20, SECRET_CHARACTERS = 32, STEPS_BESIDE = 1 };

struct text
totp_new_secret(struct arena *arena)
{
	return crypto_random_base32(arena, SECRET_BYTES);
}

bool
totp_is_secret(struct text text)
{
	for (size_t i = 0; i < text.size; i++) {
		char c = text.data[i];

		if ((c < 'A' || c > 'Z') && (c < '2' || c > '7'))
			return false;
	}
	return text.size == SECRET_CHARACTERS;
}

/* The bytes of a valid secret. */
static struct text
decode_secret(struct arena *arena, struct text secret)
{
	char *bytes;
	size_t size;
	struct text copy;

	if (oath_base32_decode(secret.data, secret.size, &bytes, &size) !=
	    OATH_OK)
		log_fatal("cannot decode a secret of a second factor");
	copy = text_copy(arena, (struct text){ bytes, size });
	free(bytes);
	return copy;
}

static bool
is_code(struct text code)
{
	for (size_t i = 0; i < code.size; i++)
		if (code.data[i] < '0' || code.data[i] > '9')
			return false;
	return code.size == TOTP_DIGITS;
}

struct text
totp_code(struct arena *arena, struct text secret, int64_t now)
{
	struct text bytes = decode_secret(arena, secret);
	char code[TOTP_DIGITS + 1];

	if (oath_totp_generate(bytes.data, bytes.size, (time_t)now,
		TOTP_SECONDS, OATH_TOTP_DEFAULT_START_TIME, TOTP_DIGITS,
		code) != OATH_OK)
		log_fatal("cannot compute the code of a second factor");
	return text_copy(arena, text_of(code));
}

/* All three are computed, and compared in constant time. */
bool
totp_find_step(struct arena *arena, struct text secret, struct text code,
    int64_t now, int64_t *step)
{
	bool is_found = false;

	if (!is_code(code) || !totp_is_secret(secret))
		return false;
	for (int64_t i = -STEPS_BESIDE; i <= STEPS_BESIDE; i++) {
		int64_t moment = now + i * TOTP_SECONDS;

		if (moment < 0 ||
		    !crypto_equal(code, totp_code(arena, secret, moment)))
			continue;
		is_found = true;
		*step = moment / TOTP_SECONDS;
	}
	return is_found;
}
