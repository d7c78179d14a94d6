#include "secrets/password.h"

#include <string.h>
#include <zxcvbn.h>

/* The estimate's time grows with the square of the length. A longer password is
 * estimated by its beginning. */
enum { EXAMINED = 64 };

/* log2 of 8,192 guesses. */
static const double common_bits = 13;

bool
password_is_common(struct text password)
{
	char examined[EXAMINED + 1] = { 0 };

	if (password.size > EXAMINED)
		password.size = EXAMINED;
	memcpy(examined, password.data, password.size);
	return ZxcvbnMatch(examined, NULL, NULL) < common_bits;
}
